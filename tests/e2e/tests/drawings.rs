//! A saved drawing is what the screen shows: the SVG of each view, made into pixels, against the canvas.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use warpscope_e2e::picture::Picture;
use warpscope_e2e::{Browser, Error, Host, is_tried};

use crate::engines::{NO_TEXT, settled_picture};

/// A view and a theme each. Every texture and every state of a warp occurs.
const LINKS: [&str; 16] = [
    "v1;view=sm;arch=gf100;kernel=matmul-tiled;cycle=900;theme=light",
    "v1;view=sm;cycle=1284;theme=dark",
    "v1;view=timeline;cycle=1300;theme=light",
    "v1;view=timeline;cycle=1300;theme=dark",
    "v1;view=stalls;cycle=3000;theme=light",
    "v1;view=banks;cycle=1400;theme=dark",
    "v1;view=coalescing;arch=gt200;kernel=strided-copy;cycle=300;theme=light",
    "v1;view=caches;cycle=1300;theme=light",
    "v1;view=carveout;arch=gv100;kernel=matmul-tiled;cycle=400;theme=light",
    "v1;view=registers;arch=gp104;kernel=saxpy;cycle=200;theme=dark",
    "v1;view=source;cycle=3430;theme=light",
    "v1;view=occupancy;arch=gf100;kernel=matmul-tiled;cycle=500;theme=light",
    "v1;view=divergence;kernel=reduce-divergent;cycle=700;theme=light",
    "v1;view=device;kernel=vector-add;cycle=100;theme=light",
    "v1;view=streams;arch=gv100;kernel=clients-small;processes=2;theme=light",
    "v1;view=tensor;kernel=product-tensor;cycle=660;lane=9;sum=3.5;theme=light",
];

/// The stage's canvas on paper.
const SHOWN: &str = "const canvas = arguments[0];
    const copy = Object.assign(document.createElement('canvas'), { width: canvas.width, height: canvas.height });
    const context = copy.getContext('2d');
    context.fillStyle = getComputedStyle(document.documentElement).getPropertyValue('--paper');
    context.fillRect(0, 0, copy.width, copy.height);
    context.drawImage(canvas, 0, 0);
    return copy.toDataURL('image/png');";

/// A file as the browser shows it.
const DRAWN: &str = "const [svg, done] = arguments, image = new Image();
    image.onload = () => {
        const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height });
        canvas.getContext('2d').drawImage(image, 0, 0);
        done(canvas.toDataURL('image/png'));
    };
    image.onerror = () => done('data:,no picture');
    image.src = 'data:image/svg+xml;charset=utf-8,' + encodeURIComponent(svg);";

fn of_data(data: &serde_json::Value) -> Result<Picture, Error> {
    let (_, bytes) = data
        .as_str()
        .and_then(|data| data.split_once(','))
        .ok_or("no data")?;
    Picture::of_png(&BASE64.decode(bytes)?)
}

/// What the stage shows, and what the saved file shows.
async fn both(
    browser: &Browser,
    host: &Host,
    link: &str,
    has_texts: bool,
) -> Result<(Picture, Picture), Error> {
    browser.client.goto("about:blank").await?;
    browser.open(&host.address(link)).await?;
    // Some pictures change when a run beside the shown one ends.
    let shown = settled_picture(browser, SHOWN).await?;
    browser.click("header-export").await?;
    browser.click("export-svg").await?;
    let (_, file) = browser.download(".svg").await?;
    browser.client.goto("about:blank").await?;
    let mut drawing = String::from_utf8(file)?;
    if !has_texts {
        while let Some(start) = drawing.find("<text ") {
            let end = drawing[start..].find("</text>").ok_or("a text without an end")?;
            drawing.replace_range(start..start + end + "</text>".len(), "");
        }
    }
    let drawn = browser.client.execute_async(DRAWN, vec![drawing.into()]).await?;
    Ok((shown, of_data(&drawn)?))
}

#[tokio::test]
async fn a_saved_drawing_has_the_shapes_of_the_screen() -> Result<(), Error> {
    let host = Host::start()?;
    host.before_page(NO_TEXT);
    let browser = Browser::start(1440, 900).await?;
    for (idx, link) in LINKS.into_iter().enumerate() {
        if is_tried(idx, 0, 4) {
            let (shown, drawn) = both(&browser, &host, link, false).await?;
            let differences = shown.differences(&drawn)?;
            assert!(differences.is_empty(), "{link}: {differences:?}");
        }
    }
    browser.close().await
}

/// Cells that may differ, because the browser puts letters at parts of a pixel, other ones in a picture than on a canvas.
const MAX_DIFFERENCES: usize = 100;
/// How much they may. A letter in one picture alone differs more.
const MAX_DIFFERENCE: f64 = 50.0;

#[tokio::test]
async fn a_saved_drawing_has_the_texts_of_the_screen_in_their_places() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start(1440, 900).await?;
    for (idx, link) in LINKS.into_iter().enumerate() {
        if is_tried(idx, 1, 8) {
            let (shown, drawn) = both(&browser, &host, link, true).await?;
            let differences = shown.differences(&drawn)?;
            let most = differences.iter().map(|cell| cell.2).fold(0.0, f64::max);
            assert!(
                differences.len() <= MAX_DIFFERENCES && most <= MAX_DIFFERENCE,
                "{link}: {most}, {differences:?}"
            );
        }
    }
    browser.close().await
}
