//! What limits a run: the Findings view, a change as a new pane, and the verdict at the end of a run.

use warpscope_e2e::{Browser, Error, Host};

#[tokio::test]
async fn a_finding_is_measured_applied_and_undone() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start(1440, 900).await?;
    browser.open(&host.address("v1;kernel=transpose-tiled")).await?;
    // Four possible causes; two of them gain something.
    browser.wait_for("findings-count", |text| text == "4?").await?;
    // The letter opens the view, and its changes run.
    browser.script("document.activeElement.blur();").await?;
    browser.press('z').await?;
    browser
        .wait_until("return location.hash.includes('view=findings');")
        .await?;
    browser
        .wait_for("headline", |text| {
            text.starts_with("The run takes 5,682 cycles; with the first change, it takes ")
                && text.ends_with("times faster.")
        })
        .await?;
    browser.wait_for("findings-count", |text| text == "2").await?;
    // The picture's first button for a change opens the comparison.
    browser
        .script(
            "const canvas = document.querySelector('[data-testid=\"stage-canvas\"]'); canvas.focus(); \
             return !!canvas;",
        )
        .await?;
    let mut applied = false;
    for _ in 0..12 {
        browser.press('.').await?;
        let name = browser
            .script("return document.querySelector('[data-testid=\"stage-canvas\"]').getAttribute('aria-label') + ' ' + document.body.innerText;")
            .await?;
        if name
            .as_str()
            .unwrap_or_default()
            .contains("Apply as a new pane: Pad the rows of tile")
        {
            browser.press('\u{e007}').await?;
            applied = true;
            break;
        }
    }
    assert!(applied, "the keyboard reaches the change");
    browser
        .wait_until(
            "return location.hash.includes('compare=tu102') && location.hash.includes('view=compare');",
        )
        .await?;
    browser.script("document.activeElement.blur();").await?;
    browser.click("header-undo").await?;
    browser
        .wait_until("return location.hash.includes('view=findings') && !location.hash.includes('compare=');")
        .await?;
    browser.close().await
}

#[tokio::test]
async fn a_hypothetical_machine_says_so_and_the_end_has_a_verdict() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start(1024, 768).await?;
    browser
        .open(&host.address("v1;kernel=strided-copy;without=coalescing;density=projector"))
        .await?;
    browser
        .wait_for("hypothetical", |text| {
            text.starts_with("Hypothetical machine without uncoalesced accesses")
        })
        .await?;
    browser
        .open(&host.address("v1;kernel=strided-copy;cycle=100000"))
        .await?;
    browser
        .wait_for("verdict", |text| text.contains("Uncoalesced accesses at line 10"))
        .await?;
    browser.click("verdict-findings").await?;
    browser
        .wait_until("return location.hash.includes('view=findings');")
        .await?;
    browser.close().await
}
