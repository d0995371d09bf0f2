//! The first view by itself: the module's first part is enough for it, and what is asked of the page
//! before the second part is there is done once it is.

use serde_json::json;
use warpscope_e2e::{Browser, Error, Host};

/// The calls that could not wait for the second part.
const STOPS: &str = "return performance.getEntriesByName('rest-now').map(mark => mark.detail);";

/// The fonts of what is seen that were not asked for ahead, see `www/ahead.js`.
const FONTS: &str = "
    const asked = new Set(performance.getEntriesByName('font').map(mark => mark.detail));
    const mono = getComputedStyle(document.documentElement).getPropertyValue('--font-mono').split(',')[0].trim();
    const fonts = new Set();
    for (const element of document.querySelectorAll('.bench, .bench *')) {
        if (element.closest('svg') || !element.checkVisibility()) continue;
        const { fontStyle, fontWeight, fontSize, fontFamily } = getComputedStyle(element);
        const slant = fontStyle === 'normal' ? '' : `${fontStyle} `;
        fonts.add(`${slant}${fontWeight} ${fontSize} ${fontFamily.startsWith(mono) ? 'mono' : 'text'}`);
    }
    return [...fonts].filter(font => !asked.has(font));";

/// A browser to which the second part does not come, for now.
async fn without_rest() -> Result<(Host, Browser), Error> {
    let host = Host::start()?;
    let browser = Browser::start(1440, 900).await?;
    browser.dev_tools("Network.enable", json!({})).await?;
    browser
        .dev_tools("Network.setBlockedURLs", json!({ "urls": ["*_rest.wasm"] }))
        .await?;
    if let Err(error) = browser.open_first_view(&host.address("")).await {
        return Err(format!("{error}; {}", browser.script(STOPS).await?).into());
    }
    Ok((host, browser))
}

#[tokio::test]
async fn the_first_view_needs_only_the_first_part() -> Result<(), Error> {
    let (_host, browser) = without_rest().await?;
    browser.press(' ').await?;
    tokio::time::sleep(std::time::Duration::from_secs(2)).await;
    browser.press(' ').await?;
    let cycle = browser.text("cycle").await?;
    assert_ne!(cycle, "0", "it does not play");
    assert_eq!(
        browser.script(STOPS).await?,
        json!([]),
        "something of the first view is in the second part"
    );
    browser.close().await
}

#[tokio::test]
async fn the_first_view_has_only_fonts_that_were_asked_for_ahead() -> Result<(), Error> {
    let (_host, browser) = without_rest().await?;
    browser.find("inspector-title").await?;
    assert_eq!(browser.script(FONTS).await?, json!([]));
    browser.close().await
}

#[tokio::test]
async fn a_click_before_the_second_part_is_there_is_done_afterwards() -> Result<(), Error> {
    let (_host, browser) = without_rest().await?;
    browser.click("header-help").await?;
    assert!(!browser.has("help").await?);
    browser
        .dev_tools("Network.setBlockedURLs", json!({ "urls": [] }))
        .await?;
    browser.find("help").await?;
    assert_eq!(browser.script(STOPS).await?, json!([]));
    browser.close().await
}

#[tokio::test]
async fn a_link_gets_the_module_in_one_piece() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start(1440, 900).await?;
    browser.open(&host.address("v1;view=banks;cycle=300")).await?;
    let files = "return performance.getEntriesByType('resource').map(entry => entry.name).join(' ');";
    let files = browser.script(files).await?;
    let files = files.as_str().unwrap_or_default();
    assert!(
        files.contains("_whole.wasm") && !files.contains("_bg.wasm") && !files.contains("_rest.wasm"),
        "{files}"
    );
    assert_eq!(browser.script(STOPS).await?, json!([]));
    browser.close().await
}
