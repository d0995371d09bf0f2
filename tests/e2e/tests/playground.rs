//! The playgrounds of the built page: typing, fixing, and padding an access, in both memory spaces.

use warpscope_e2e::{Browser, Error, Host};

/// Replaces the expression as if the user typed it.
async fn type_expression(browser: &Browser, text: &str) -> Result<(), Error> {
    let body = format!(
        "const field = document.querySelector('[data-testid=play-expr]');
         field.focus();
         field.select();
         return document.execCommand('insertText', false, {text:?});"
    );
    assert_eq!(browser.script(&body).await?, true);
    Ok(())
}

#[tokio::test]
async fn an_access_is_typed_fixed_and_padded_without_a_run() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start(1440, 900).await?;
    browser.open(&host.address("v1;view=banks")).await?;
    browser.click("show-playground").await?;
    let headline = "Turing TU102 takes 32 passes (all architectures: 16 to 32); ideal is 1.";
    browser.wait_for("headline", |text| text == headline).await?;

    // An error states its place and reason; a button applies the fix.
    type_expression(&browser, "tile[treadIdx.x][threadIdx.y]").await?;
    browser
        .wait_for("headline", |text| text.contains("Unknown name `treadIdx`"))
        .await?;
    browser.click("play-fix").await?;
    browser.wait_for("headline", |text| text == headline).await?;

    browser.click("play-pad-more").await?;
    browser
        .wait_for("headline", |text| {
            text == "This load takes 2 passes on Tesla and 1 from Fermi on; ideal is 1 to 2."
        })
        .await?;
    browser.click("table").await?;
    let twin = browser.text("twin").await?;
    assert!(twin.contains("Turing TU102 (chosen)"), "{twin}");
    browser.click("table").await?;
    let address = browser.client.current_url().await?;
    assert!(address.as_str().contains("play=shared;pad=1"), "{address}");

    // The same access in global memory: every lane accesses a different sector.
    browser.click("tab-coalescing").await?;
    browser
        .wait_for("headline", |text| {
            text.starts_with("This load takes 32 transactions")
        })
        .await?;
    browser.close().await
}

#[tokio::test]
async fn a_link_opens_the_playground_on_a_phone() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start(390, 844).await?;
    let link = "v1;view=coalescing;play=global;expr=base%20%2B%2012*lane;vars=base:128";
    browser.open(&host.address(link)).await?;
    browser
        .wait_for("headline", |text| {
            text.starts_with("Turing TU102 takes 12 transactions")
        })
        .await?;
    // Settings fold on a phone; each free name has a field.
    browser.click("play-settings").await?;
    let value = "return document.querySelector('[data-testid=play-name-base]').value;";
    assert_eq!(browser.script(value).await?, "128");
    browser.close().await
}
