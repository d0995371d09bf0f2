//! The Arithmetic view of the built page: its key, the typed operation, its mistakes, the second chip, and the twin.

use warpscope_e2e::{Browser, Error, Host};

#[tokio::test]
async fn an_operation_is_typed_and_compared_on_two_chips() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start(1440, 900).await?;
    browser
        .open(&host.address("v1;arch=gt200;kernel=saxpy;cycle=100000"))
        .await?;
    browser.press('%').await?;
    browser
        .wait_until("return location.hash.includes('view=arithmetic');")
        .await?;
    browser
        .wait_for("calc-form", |text| text.contains("Second chip:"))
        .await?;
    let inspector = browser.text("inspector").await?;
    assert!(inspector.contains("Instruction of W00, lane 0"), "{inspector}");

    // The operands of the run are typed over.
    let typed =
        "[...document.querySelectorAll('.choices button')].find(b => b.textContent === 'Typed operation')";
    assert_eq!(
        browser.script(&format!("{typed}.click(); return true;")).await?,
        true
    );
    browser
        .wait_until("return location.hash.includes('calc=');")
        .await?;
    let write = |text: &str| {
        format!(
            "const field = document.querySelector('[data-testid=calc]'); field.value = {text:?};
             field.dispatchEvent(new Event('input', {{ bubbles: true }})); return true;"
        )
    };
    assert_eq!(browser.script(&write("1.00001f * 1.00001f - 1")).await?, true);
    browser
        .wait_for("headline", |text| {
            text.starts_with("5 bits differ:") && text.contains("Fermi GF100")
        })
        .await?;

    // A mistake names its column, and the last picture stays.
    assert_eq!(browser.script(&write("1.00001f * * 2.0f")).await?, true);
    browser
        .wait_for("calc-mistake", |text| {
            text.contains("Column 12: A number is expected here, not `*`.")
        })
        .await?;
    assert_eq!(browser.script(&write("16777219 * 5")).await?, true);
    browser
        .wait_for("headline", |text| {
            text.contains("The same bits: 4 instructions on Tesla GT200")
        })
        .await?;

    // The second chip is chosen, and kept in the link.
    let choose = "const field = document.querySelector('[data-testid=calc-beside]'); field.value = 'gm204';
        field.dispatchEvent(new Event('change', { bubbles: true })); return true;";
    assert_eq!(browser.script(choose).await?, true);
    browser
        .wait_until("return location.hash.includes('beside=gm204');")
        .await?;
    browser
        .wait_for("headline", |text| text.contains("Maxwell GM204"))
        .await?;
    let address = browser.client.current_url().await?;
    let other = Browser::start(390, 844).await?;
    other.open(address.as_str()).await?;
    other
        .wait_for("headline", |text| text.contains("Maxwell GM204"))
        .await?;
    other.close().await?;

    browser.click("table").await?;
    let twin = browser.text("twin").await?;
    assert!(
        twin.contains("XMAD.PSL") && twin.contains("Error in ulp"),
        "{twin}"
    );
    browser.close().await
}
