//! The files that a visit loads. Keys and clicks work as soon as the page appears.

use serde_json::{Value, json};
use warpscope_e2e::{Browser, Error, Host};

/// Names of the module files that the page loaded.
const MODULES: &str = "return performance.getEntriesByType('resource').map(entry => entry.name)
    .filter(name => name.endsWith('.wasm')).map(name => name.split('/').pop().replace(/-.*/, ''));";

#[tokio::test]
async fn every_address_loads_the_same_module_once() -> Result<(), Error> {
    let host = Host::start()?;
    for fragment in ["", "v1;view=banks;cycle=300"] {
        let browser = Browser::start(1440, 900).await?;
        browser.open(&host.address(fragment)).await?;
        let mut modules = browser.script(MODULES).await?;
        if let Some(list) = modules.as_array_mut() {
            list.sort_by_key(Value::to_string);
        }
        assert_eq!(modules, json!(["page"]), "{fragment}");
        browser.close().await?;
    }
    Ok(())
}

/// Windows for which the first view has pictures: `WINDOWS` in `src/page/prerender.rs`.
const WINDOWS: [(u32, u32); 5] = [(390, 844), (1024, 768), (1280, 800), (1440, 900), (1920, 945)];

/// The sizes of the places for the stage's picture and the strip, and of the pictures that are shown there.
const PICTURES: &str = "
    const size = e => { const r = e.getBoundingClientRect(); return [Math.round(r.width), Math.round(r.height)]; };
    const shown = [...document.querySelectorAll('.first-view svg.first')].filter(e => e.getClientRects().length);
    const places = document.querySelectorAll('.first-view :is(.canvas, .density)');
    return [[...places].map(size), shown.map(size)];";

/// Where the parts of the page are, in whole pixels.
const PLACES: &str = "
    const parts = document.querySelector(ROOT).querySelectorAll('header, main, aside, footer, button, h1, h2, .sec, .code-line');
    return [...parts].filter(e => e.checkVisibility({ visibilityProperty: true }) || !e.matches('.code-line'))
        .map(e => { const r = e.getBoundingClientRect(); return [r.x, r.y, r.width, r.height].map(Math.round).join(); });";

/// A browser whose page has this size.
async fn browser_of(width: u32, height: u32) -> Result<Browser, Error> {
    let browser = Browser::start(width, height).await?;
    let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
    browser
        .dev_tools("Emulation.setDeviceMetricsOverride", size)
        .await?;
    Ok(browser)
}

/// Waits until the document has this size: a new renderer can get the emulated size late.
async fn has_size(browser: &Browser, width: u32, height: u32) -> Result<(), Error> {
    let sized = format!("return innerWidth === {width} && innerHeight === {height};");
    browser.wait_until(&sized).await
}

/// Opens an address without the page's module.
async fn open_without_module(browser: &Browser, address: &str) -> Result<(), Error> {
    browser.dev_tools("Network.enable", json!({})).await?;
    let blocked = json!({ "urls": ["*page-*_bg.wasm"] });
    browser.dev_tools("Network.setBlockedURLs", blocked).await?;
    browser.client.goto(address).await?;
    Ok(())
}

#[tokio::test]
async fn the_bare_address_shows_a_picture_before_the_module() -> Result<(), Error> {
    let host = Host::start()?;
    for (width, height) in WINDOWS {
        let browser = browser_of(width, height).await?;
        open_without_module(&browser, &host.address("")).await?;
        has_size(&browser, width, height).await?;
        let pictures = browser.script(PICTURES).await?;
        assert_eq!(pictures[0], pictures[1], "{width} x {height}");
        // The reason why the page does not come does not take the picture's place.
        let reason =
            "return document.querySelector('.refused').textContent.startsWith('Warpscope failed to load');";
        browser.wait_until(reason).await?;
        assert_eq!(browser.script(PICTURES).await?, pictures);
        browser.close().await?;
    }
    Ok(())
}

#[tokio::test]
async fn nothing_moves_when_the_page_comes() -> Result<(), Error> {
    let host = Host::start()?;
    for (width, height) in [(1440, 900), (390, 844)] {
        let browser = browser_of(width, height).await?;
        browser.open(&host.address("")).await?;
        browser
            .wait_until("return document.querySelector('.boot') === null;")
            .await?;
        has_size(&browser, width, height).await?;
        let after = browser.script(&PLACES.replace("ROOT", "'#page'")).await?;
        browser.client.goto("about:blank").await?;
        open_without_module(&browser, &host.address("")).await?;
        has_size(&browser, width, height).await?;
        let before = browser.script(&PLACES.replace("ROOT", "'.first-view'")).await?;
        assert_eq!(before, after, "{width} x {height}");
        browser.close().await?;
    }
    Ok(())
}

#[tokio::test]
async fn a_link_shows_that_the_page_is_loading_and_why_it_is_not() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = browser_of(1440, 900).await?;
    let shown = "const shown = selector => document.querySelector(selector).getClientRects().length > 0;
        return [shown('.first-view'), shown('.loading'), document.querySelector('.loading p').textContent,
            document.querySelector('.arriving').getAttribute('aria-valuenow')];";
    // Half of the module comes.
    browser
        .before_page(
            "const whole = globalThis.fetch;
            globalThis.fetch = async address => {
                const bytes = new Uint8Array(await (await whole(address)).arrayBuffer());
                const half = bytes.subarray(0, Math.ceil(bytes.length / 2));
                const body = new ReadableStream({ start: controller => controller.enqueue(half) });
                return new Response(body, { headers: { 'Content-Type': 'application/wasm' } });
            };",
        )
        .await?;
    browser.client.goto(&host.address("v1;view=banks")).await?;
    browser
        .wait_until("return document.querySelector('.arriving').hasAttribute('aria-valuenow');")
        .await?;
    let loading = json!([false, true, "Loading Banks: 50 %", "50"]);
    assert_eq!(browser.script(shown).await?, loading);
    browser.close().await?;

    let browser = browser_of(1440, 900).await?;
    open_without_module(&browser, &host.address("v1;view=banks")).await?;
    let reason =
        "return document.querySelector('.loading p').textContent.startsWith('Warpscope failed to load');";
    browser.wait_until(reason).await?;
    browser.close().await
}
