//! Parts of the SM view in the built page: selected by keys, kept in the link, inspected, and explained.

use warpscope_e2e::{Browser, Error, Host};

const ENTER: char = '\u{e007}';
const ESCAPE: char = '\u{e00c}';

#[tokio::test]
async fn a_scheduler_is_selected_by_keys_and_explained() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start(1440, 900).await?;
    browser
        .open(&host.address("v1;kernel=transpose-tiled;cycle=800"))
        .await?;
    browser
        .wait_for("inspector-title", |text| text == "Warp 0")
        .await?;
    let focus = "document.querySelector('[data-testid=stage-canvas]').focus(); return true;";
    assert_eq!(browser.script(focus).await?, true);
    browser.press('.').await?;
    browser.press(ENTER).await?;
    browser
        .wait_for("inspector-title", |text| text == "Scheduler 0")
        .await?;
    browser
        .wait_until("return location.hash.includes('part=scheduler.0');")
        .await?;
    browser.press('u').await?;
    browser
        .wait_for("explain", |text| text.contains("Why does scheduler 0 issue"))
        .await?;
    // Escape closes the explanation, then the selection.
    browser.press(ESCAPE).await?;
    browser
        .wait_until("return document.querySelector('[data-testid=\"explain\"]') === null;")
        .await?;
    browser
        .wait_for("inspector-title", |text| text == "Scheduler 0")
        .await?;
    browser.press(ESCAPE).await?;
    browser
        .wait_for("inspector-title", |text| text == "Warp 0")
        .await?;
    browser.close().await
}

#[tokio::test]
async fn links_show_pipes_and_blocks() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start(1024, 768).await?;
    browser
        .open(&host.address("v1;kernel=transpose-tiled;cycle=800;part=pipe.0.0"))
        .await?;
    browser
        .wait_for("inspector-title", |text| text.ends_with("pipe"))
        .await?;
    browser
        .open(&host.address("v1;kernel=transpose-tiled;cycle=800;part=block.2;why=1"))
        .await?;
    browser
        .wait_for("explain", |text| text.contains("Why is block 2 still resident?"))
        .await?;
    browser.close().await
}

#[tokio::test]
async fn heads_of_the_table_open_cards_of_the_glossary() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start(1440, 900).await?;
    browser
        .open(&host.address("v1;kernel=transpose-tiled;cycle=800;view=sm;table=on"))
        .await?;
    let terms =
        "return [...document.querySelectorAll('.twin th .term')].map(head => head.textContent).join();";
    browser
        .wait_until(&terms.replace(".join()", ".includes('Scheduler')"))
        .await?;
    browser
        .script("[...document.querySelectorAll('.twin th .term')].find(head => head.textContent === 'Scheduler').click();")
        .await?;
    browser
        .wait_for("card", |text| text.contains("warp scheduler"))
        .await?;
    browser.close().await
}
