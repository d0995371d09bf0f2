//! Share, film, and frames in other pages. Files and codes are read by readers of other projects.

use std::io::Cursor;
use std::time::Duration;

use fantoccini::Locator;
use image::codecs::gif::GifDecoder;
use image::{AnimationDecoder, ImageDecoder};
use serde_json::Value;
use warpscope_e2e::{Browser, Error, Host};

/// An article with one frame.
fn article(host: &Host, link: &str, attributes: &str) -> Result<Host, Error> {
    let page = host.address("");
    Host::of_page(format!(
        "<!doctype html><title>Article</title><body style=\"margin:0;height:4000px\">\
         <iframe src=\"{page}embed.html#{link}\" width=\"640\" height=\"360\" title=\"Figure\" {attributes}></iframe>"
    ))
}

async fn enter_frame(browser: &Browser) -> Result<(), Error> {
    let frame = browser.client.find(Locator::Css("iframe")).await?;
    Ok(frame.enter_frame().await?)
}

/// Plays the frame that is entered.
async fn play(browser: &Browser) -> Result<(), Error> {
    browser.click("poster-play").await?;
    browser.find("stage-canvas").await?;
    browser
        .wait_until("return document.querySelector('.boot') === null;")
        .await?;
    // It begins by itself.
    browser
        .wait_until(
            "return document.querySelector('[data-testid=\"play\"]').getAttribute('aria-label') === 'Pause';",
        )
        .await
}

#[tokio::test]
async fn a_frame_loads_on_play_and_opens_the_workbench_at_its_cycle() -> Result<(), Error> {
    let host = Host::start()?;
    let article = article(
        &host,
        "v1;kernel=transpose-tiled;view=banks;cycle=2000;left=closed",
        "",
    )?;
    let browser = Browser::start(900, 700).await?;
    browser.client.goto(&article.address("")).await?;
    enter_frame(&browser).await?;
    browser.find("poster-play").await?;
    let modules = "return performance.getEntriesByType('resource').filter(entry => entry.name.endsWith('.wasm')).length;";
    assert_eq!(browser.script(modules).await?, 0, "nothing runs before Play");
    play(&browser).await?;
    assert_eq!(browser.script(modules).await?, 1);
    browser
        .wait_until("return Number(document.querySelector('[data-testid=\"cycle\"]').textContent.replace(',', '')) > 2010;")
        .await?;
    // Space pauses, after the click.
    browser.press(' ').await?;
    browser
        .wait_until(
            "return document.querySelector('[data-testid=\"play\"]').getAttribute('aria-label') === 'Play';",
        )
        .await?;
    let cycle = browser.text("cycle").await?.replace(',', "");
    let address = browser
        .script("return document.querySelector('[data-testid=\"embed-open\"]').href;")
        .await?;
    let address = address.as_str().unwrap_or_default().to_owned();
    assert!(!address.contains("embed"), "{address}");
    assert!(
        address.contains(&format!("view=banks;cycle={cycle};")),
        "{address}"
    );
    assert!(
        address.contains(";left=closed"),
        "the workbench opens as in the link: {address}"
    );
    // Nothing is stored, and there is nothing to edit.
    assert_eq!(browser.script("return localStorage.length;").await?, 0);
    assert!(!browser.has("tab-banks").await?);
    browser.client.clone().enter_parent_frame().await?;
    browser.open(&address).await?;
    assert_eq!(browser.text("cycle").await?.replace(',', ""), cycle);
    browser.close().await
}

#[tokio::test]
async fn a_frame_takes_wheel_and_keys_after_a_click_only() -> Result<(), Error> {
    let host = Host::start()?;
    let article = article(&host, "v1;kernel=saxpy;view=timeline;cycle=300", "")?;
    let browser = Browser::start(900, 700).await?;
    browser.client.goto(&article.address("")).await?;
    enter_frame(&browser).await?;
    play(&browser).await?;
    browser.press(' ').await?;
    let zoom = "const canvas = document.querySelector('[data-testid=\"stage-canvas\"]');
        const event = new WheelEvent('wheel', { deltaY: -300, clientX: 300, clientY: 150, bubbles: true, cancelable: true });
        canvas.dispatchEvent(event); return event.defaultPrevented;";
    let key =
        "const event = new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true, cancelable: true });
        document.body.dispatchEvent(event); return event.defaultPrevented;";
    assert_eq!(browser.script(zoom).await?, true, "clicked: the wheel zooms");
    assert_eq!(browser.script(key).await?, true);
    // Escape gives both back to the page around it.
    browser.press('\u{e00c}').await?;
    browser
        .wait_until("return !document.documentElement.hasAttribute('data-active');")
        .await?;
    assert_eq!(browser.script(zoom).await?, false);
    assert_eq!(browser.script(key).await?, false);
    browser.close().await
}

#[tokio::test]
async fn a_frame_without_an_origin_plays() -> Result<(), Error> {
    let host = Host::start()?;
    let article = article(&host, "v1;kernel=saxpy;theme=dark", "sandbox=\"allow-scripts\"")?;
    let browser = Browser::start(900, 700).await?;
    browser.client.goto(&article.address("")).await?;
    enter_frame(&browser).await?;
    assert_eq!(browser.script("return window.origin;").await?, "null");
    play(&browser).await?;
    let paper = "return getComputedStyle(document.documentElement).getPropertyValue('--paper').trim();";
    assert_eq!(browser.script(paper).await?, "#101211", "the link's theme");
    // It may not open tabs, and says so.
    browser.click("embed-open").await?;
    browser
        .wait_for("toast", |text| text.contains("allow-popups"))
        .await?;
    browser.close().await
}

#[tokio::test]
async fn share_leaves_parts_out_by_keys_and_its_code_is_the_link() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start(1440, 900).await?;
    browser
        .open(&host.address("v1;kernel=saxpy;view=timeline;cycle=120;warp=3;left=closed"))
        .await?;
    browser.click("header-share").await?;
    // The link has the focus and is selected; Tab leads to the buttons and the check boxes.
    browser
        .wait_until("const link = document.activeElement; return link.dataset.testid === 'share-link' && link.selectionEnd === link.value.length;")
        .await?;
    assert!(
        browser
            .text("share-link")
            .await?
            .ends_with(";view=timeline;cycle=120;warp=3;left=closed")
    );
    browser
        .script("document.querySelector('[data-testid=\"share-part-cycle\"]').focus();")
        .await?;
    browser.press(' ').await?;
    browser.press('\u{e004}').await?;
    browser
        .wait_until("return document.activeElement.dataset.testid === 'share-part-selection';")
        .await?;
    browser.press(' ').await?;
    let link = browser
        .wait_for("share-link", |text| text.ends_with(";view=timeline;left=closed"))
        .await?;
    assert!(
        browser
            .text("share-length")
            .await?
            .starts_with(&link.chars().count().to_string())
    );
    let frame = browser.text("share-frame").await?;
    assert!(
        frame.contains("/embed.html#v1;kernel=saxpy;view=timeline;left=closed\" width=\"640\""),
        "{frame}"
    );
    // The code is read by another project's reader.
    let code = browser.find("share-code").await?.screenshot().await?;
    let picture = image::load_from_memory(&code)?.to_luma8();
    let mut prepared = rqrr::PreparedImage::prepare(picture);
    let grids = prepared.detect_grids();
    assert_eq!(grids.len(), 1);
    assert_eq!(grids[0].decode()?.1, link);
    // The shortened link opens the same view without the parts.
    browser.open(&link).await?;
    assert_eq!(browser.text("cycle").await?, "0");
    browser
        .wait_until("return document.querySelector('[data-testid=\"tab-timeline\"]').getAttribute('aria-selected') === 'true';")
        .await?;
    browser.close().await
}

/// Keeps the bytes of each file that the page saves.
const KEEP_FILES: &str = "
    const make = URL.createObjectURL;
    URL.createObjectURL = blob => {
        blob.arrayBuffer().then(bytes => { window.saved = Array.from(new Uint8Array(bytes)); });
        return make.call(URL, blob);
    };";

/// The bytes of the saved file.
async fn saved(browser: &Browser) -> Result<Vec<u8>, Error> {
    browser
        .wait_until("return window.saved !== undefined && window.saved.length > 0;")
        .await?;
    let bytes = browser.script("return window.saved;").await?;
    let bytes = bytes.as_array().into_iter().flatten();
    Ok(bytes
        .filter_map(Value::as_u64)
        .filter_map(|byte| u8::try_from(byte).ok())
        .collect())
}

#[tokio::test]
async fn a_film_is_a_gif_with_a_frame_per_cycle() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start(1440, 900).await?;
    browser
        .open(&host.address("v1;kernel=saxpy;view=sm;cycle=300;range=300-309"))
        .await?;
    browser.script(KEEP_FILES).await?;
    browser.click("header-share").await?;
    browser
        .wait_for("film-note", |text| text.contains(" at 8 per second"))
        .await?;
    let planned: usize = browser
        .text("film-note")
        .await?
        .split(' ')
        .next()
        .unwrap_or_default()
        .parse()?;
    assert!((9..=10).contains(&planned), "the selected cycles: {planned}");
    browser.click("film-make").await?;
    let file = saved(&browser).await?;
    browser
        .wait_for("toast", |text| text.starts_with("Saved the film"))
        .await?;
    let reader = GifDecoder::new(Cursor::new(&file))?;
    assert_eq!(reader.dimensions(), (640, 360));
    let frames = reader.into_frames().collect_frames()?;
    assert_eq!(frames.len(), planned);
    let delays: Vec<u128> = frames
        .iter()
        .map(|frame| Duration::from(frame.delay()).as_millis())
        .collect();
    assert_eq!(delays[..4], [130, 120, 130, 120]);
    for (one, next) in frames.iter().zip(&frames[1..]) {
        assert_ne!(one.buffer(), next.buffer(), "each frame names its cycle");
    }
    // The corner is the theme's paper, exactly; the foot is the second paper.
    assert_eq!(frames[0].buffer().get_pixel(1, 1).0, [255, 255, 255, 255]);
    assert_eq!(
        frames[planned - 1].buffer().get_pixel(1, 358).0,
        [0xf4, 0xf4, 0xf0, 255]
    );
    browser.close().await
}
