//! The Tensor view of the built page: its key, an element by keys, a sum, the link, the text twin, two chips in step, and a
//! kernel without tensor cores.

use warpscope_e2e::{Browser, Error, Host};

const FOCUS: &str = "document.querySelector('[data-testid=stage-canvas]').focus(); return true;";

#[tokio::test]
async fn a_product_is_read_by_keys_and_kept_in_the_link() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start(1440, 900).await?;
    browser
        .open(&host.address("v1;kernel=product-tensor;cycle=300"))
        .await?;
    browser.press('*').await?;
    browser
        .wait_for("headline", |text| text.contains("issues its first HMMA.1688.F32"))
        .await?;
    // "Next" shows the instruction in its first cycle.
    browser.click("product-next").await?;
    browser
        .wait_for("headline", |text| text.ends_with("step 1 of 2."))
        .await?;

    // H and L select a lane, and the inspector lists what it holds.
    browser.press('l').await?;
    browser
        .wait_until("return location.hash.includes('lane=0');")
        .await?;
    let inspector = browser.text("inspector").await?;
    assert!(inspector.contains("Lane 0 holds"), "{inspector}");
    assert!(inspector.contains("A[0][0]"), "{inspector}");

    // Comma moves backward through the picture: the last item is a sum, and Enter selects it.
    assert_eq!(browser.script(FOCUS).await?, true);
    browser.press(',').await?;
    browser.press('\u{e007}').await?;
    browser
        .wait_until("return location.hash.includes('sum=');")
        .await?;
    let inspector = browser.text("inspector").await?;
    assert!(inspector.contains("Sum of row"), "{inspector}");

    let address = browser.client.current_url().await?;
    let other = Browser::start(1440, 900).await?;
    other.open(address.as_str()).await?;
    other
        .wait_for("headline", |text| text.ends_with("step 1 of 2."))
        .await?;
    assert_eq!(other.text("inspector").await?, inspector);
    other.close().await?;

    browser.click("table").await?;
    let twin = browser.text("twin").await?;
    assert!(
        twin.contains("Elements of A") && twin.contains("Elements of D"),
        "{twin}"
    );
    browser.close().await
}

#[tokio::test]
async fn volta_and_turing_run_in_step() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start(1440, 900).await?;
    browser
        .open(&host.address("v1;kernel=product-tensor;view=tensor;arch=gv100;compare=tu102;cycle=700"))
        .await?;
    browser
        .wait_for("headline", |text| text.contains("HMMA.884"))
        .await?;
    browser
        .wait_for("headline-2", |text| text.contains("HMMA.1688"))
        .await?;
    browser.close().await
}

#[tokio::test]
async fn a_kernel_without_tensor_cores_opens_one_with_them() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start(390, 844).await?;
    browser.open(&host.address("v1;view=tensor;cycle=100")).await?;
    browser
        .wait_for("headline", |text| {
            text == "This kernel has no instruction on tensor cores."
        })
        .await?;
    browser.click("kernel-halves-on-tensor-cores").await?;
    browser
        .wait_for("headline", |text| text.contains("HMMA.1688"))
        .await?;
    browser.close().await
}
