//! Measures the built page in Chromium and prints one JSON object: milliseconds until the first
//! picture with a cold cache, and of frames while it plays.

use std::time::Duration;

use serde_json::{Value, json};
use warpscope_e2e::{Browser, Error, Host};

/// Cold starts; the median counts.
const NUM_STARTS: usize = 5;

/// A full SM: 64 warps, with memory waits, barriers and arithmetic; a cycle a frame.
const PLAYED: &str = "v1;arch=gv100;kernel=matmul-tiled;grid=8x2;speed=60";

/// All views, as links call them, in the order of their keys.
const VIEWS: [&str; 9] = [
    "sm",
    "timeline",
    "stalls",
    "banks",
    "coalescing",
    "carveout",
    "registers",
    "source",
    "occupancy",
];

/// As WebDriver writes it.
const KEY_HOME: char = '\u{e011}';

/// For so long each view plays.
const PLAYING: Duration = Duration::from_secs(4);

/// Times the work of every animation frame: the callbacks, and what they leave to microtasks.
const WATCH_FRAMES: &str = "
    const request = window.requestAnimationFrame.bind(window);
    window.frameTimes = [];
    window.requestAnimationFrame = callback => request(time => {
        const start = performance.now();
        callback(time);
        Promise.resolve().then(() => Promise.resolve()).then(() => window.frameTimes.push(performance.now() - start));
    });";

/// Milliseconds from the start of the navigation to the mark that the page sets after its first
/// picture of a run; null before.
const FIRST_PICTURE: &str = "return performance.getEntriesByName('first-picture')[0]?.startTime ?? null;";

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let host = Host::start()?;
    let mut starts = Vec::new();
    for _ in 0..NUM_STARTS {
        starts.push(cold_start(&host).await?);
    }
    starts.sort_by(f64::total_cmp);

    let browser = Browser::start(1440, 900).await?;
    browser.open(&host.address(PLAYED)).await?;
    browser.script(WATCH_FRAMES).await?;
    let mut views = serde_json::Map::new();
    for (view, key) in VIEWS.into_iter().zip('1'..='9') {
        browser.press(key).await?;
        browser.press(KEY_HOME).await?;
        browser.press(' ').await?;
        browser.script("window.frameTimes.length = 0;").await?;
        tokio::time::sleep(PLAYING).await;
        let times = browser.script("return window.frameTimes;").await?;
        browser.press(' ').await?;
        views.insert(view.to_owned(), percentiles(&times)?);
    }
    browser.close().await?;

    println!(
        "{}",
        json!({ "first_picture_ms": starts[NUM_STARTS / 2], "frames_ms": views })
    );
    Ok(())
}

/// Milliseconds to the first picture in a browser that was never there.
async fn cold_start(host: &Host) -> Result<f64, Error> {
    let browser = Browser::start(1440, 900).await?;
    browser.client.goto(&host.address("")).await?;
    for _ in 0..200 {
        if let Some(time) = browser.script(FIRST_PICTURE).await?.as_f64() {
            browser.close().await?;
            return Ok(time);
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    Err("no picture within 10 s".into())
}

fn percentiles(times: &Value) -> Result<Value, Error> {
    let mut times: Vec<f64> = times
        .as_array()
        .ok_or("no frames")?
        .iter()
        .filter_map(Value::as_f64)
        .collect();
    times.sort_by(f64::total_cmp);
    let at = |percent: usize| {
        times
            .get((times.len() * percent / 100).min(times.len().saturating_sub(1)))
            .copied()
    };
    Ok(json!({ "frames": times.len(), "median": at(50), "p95": at(95) }))
}
