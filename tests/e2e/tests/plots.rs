//! The Plots view of the built page: the chooser, points by keys, links, and the text twin.

use warpscope_e2e::{Browser, Error, Host};

#[tokio::test]
async fn a_roofline_is_read_by_keys_and_kept_in_the_link() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start(1440, 900).await?;
    browser.open(&host.address("v1;kernel=saxpy;view=sm")).await?;
    browser.press('/').await?;
    browser
        .wait_for("headline", |text| text.contains("device memory allows"))
        .await?;
    // The chip has the rates of all its SMs.
    browser.click("per-chip").await?;
    browser
        .wait_for("headline", |text| text.contains("GFLOP/s"))
        .await?;
    let address = browser.client.current_url().await?;
    assert!(address.as_str().contains("per=chip"), "{address}");

    // Comma and period move among the points of the picture; Enter selects one.
    let focus = "document.querySelector('[data-testid=stage-canvas]').focus(); return true;";
    assert_eq!(browser.script(focus).await?, true);
    browser.press('.').await?;
    browser.press('\u{e007}').await?;
    browser.wait_until("return location.hash.includes('x=');").await?;

    browser.click("table").await?;
    let twin = browser.text("twin").await?;
    assert!(twin.contains("Run, bytes of device memory"), "{twin}");
    assert!(twin.contains("Stretch 8"), "{twin}");
    browser.close().await
}

#[tokio::test]
async fn the_years_have_a_menu_of_figures_on_a_phone() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start(390, 844).await?;
    browser
        .open(&host.address("v1;kernel=saxpy;view=plots;plot=years;figure=tensor"))
        .await?;
    browser
        .wait_for("headline", |text| {
            text.starts_with("Tensor FP16 operations of an SM: from 1,024 (GV100 2017)")
        })
        .await?;
    let choose = "const menu = document.querySelector('[data-testid=figure]');
        menu.selectedIndex = [...menu.options].findIndex(option => option.text === 'Resident warps of an SM');
        menu.dispatchEvent(new Event('change', {bubbles: true}));
        return true;";
    assert_eq!(browser.script(choose).await?, true);
    browser
        .wait_for("headline", |text| {
            text.starts_with("Resident warps of an SM: from 24 (G80 2006)")
        })
        .await?;
    browser.close().await
}
