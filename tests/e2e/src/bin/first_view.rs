//! Looks at the first view of a page whose module has probes, and prints the numbers of the points
//! that it passed, as a JSON array.

use std::collections::BTreeSet;
use std::time::Duration;

use fantoccini::actions::{InputSource, MouseActions, PointerAction};
use serde_json::json;
use warpscope_e2e::{Browser, Error, Host};

/// As WebDriver writes them.
const KEY_LEFT: char = '\u{e012}';
const KEY_RIGHT: char = '\u{e014}';
/// The mouse's main button.
const BUTTON: u64 = 0;

/// Widths and heights, whether the system is dark, and how many times slower the processor is made, and
/// the workers' clock faster, and milliseconds by which what workers say comes later: some things are only
/// said when others take long, and a run that takes long comes in parts.
const LOOKS: [(u32, u32, bool, u32, u32, u32); 10] = [
    (1440, 900, false, 1, 1, 0),
    (1440, 900, true, 6, 4, 0),
    (1024, 768, false, 20, 1, 0),
    (390, 844, true, 1, 1, 0),
    (1920, 1080, false, 3, 1, 300),
    (1440, 900, false, 1, 20, 0),
    (1440, 900, false, 12, 60, 0),
    (1440, 900, false, 1, 1, 2000),
    (1440, 900, false, 1, EACH_LOOK, 0),
    (1024, 768, true, 4, EACH_LOOK, 0),
];

/// A clock so fast that a worker hands on what it has every 16 cycles: runs are cut wherever they can be.
const EACH_LOOK: u32 = 1_000_000;

/// Before the page's own script: what workers say comes later.
const LATER: &str = "
    const OwnWorker = Worker;
    window.Worker = class extends OwnWorker {
        set onmessage(take) {
            super.onmessage = take && (event => setTimeout(() => take.call(this, event), MILLISECONDS));
        }
    };";

/// Before the page's own script: lets the clock of workers run faster.
const FASTER: &str = "
    const Own = Blob;
    window.Blob = class extends Own {
        constructor(parts, options) {
            const clock = 'const now = performance.now.bind(performance); performance.now = () => TIMES * now();';
            super(options?.type === 'text/javascript' ? [clock, ...parts] : parts, options);
        }
    };";

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let host = Host::start()?;
    let mut passed = BTreeSet::new();
    for (width, height, is_dark, slower, faster, later) in LOOKS {
        let browser = Browser::start(width, height).await?;
        browser.resize(width, height).await?;
        let scheme = if is_dark { "dark" } else { "light" };
        let features = json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] });
        browser.dev_tools("Emulation.setEmulatedMedia", features).await?;
        browser
            .dev_tools("Emulation.setCPUThrottlingRate", json!({ "rate": slower }))
            .await?;
        browser
            .before_page(&FASTER.replace("TIMES", &faster.to_string()))
            .await?;
        if later > 0 {
            browser
                .before_page(&LATER.replace("MILLISECONDS", &later.to_string()))
                .await?;
        }
        browser.open_first_view(&host.address("")).await?;
        pause(1000 * u64::from(slower.min(3))).await;
        play(&browser, f64::from(width), f64::from(height)).await?;
        let told = browser.script("return [...globalThis.probed];").await?;
        let numbers = told.as_array().ok_or("the page has no probes")?;
        passed.extend(numbers.iter().filter_map(serde_json::Value::as_u64));
        browser.close().await?;
    }
    println!("{}", json!(passed));
    Ok(())
}

/// What a newcomer does first: plays, stops, steps, moves the mouse over things, and goes to other cycles.
async fn play(browser: &Browser, width: f64, height: f64) -> Result<(), Error> {
    browser.press(' ').await?;
    pause(4000).await;
    browser.press(' ').await?;
    pause(300).await;
    for key in [KEY_RIGHT, KEY_RIGHT, KEY_LEFT] {
        browser.press(key).await?;
    }
    for (x, y) in (0..20).map(|at| (f64::from(at % 5), f64::from(at / 5))) {
        let (x, y) = (width * (0.1 + 0.2 * x), height * (0.25 + 0.15 * y));
        move_mouse(browser, x, y, false).await?;
    }
    for at in [0.3, 0.6] {
        move_mouse(browser, width * at, height - 30.0, true).await?;
    }
    browser.click("play").await?;
    pause(2000).await;
    browser.click("play").await?;
    pause(500).await;
    Ok(())
}

/// Moves the mouse to a place, and drags from there.
async fn move_mouse(browser: &Browser, x: f64, y: f64, drags: bool) -> Result<(), Error> {
    let to = |x: f64| PointerAction::MoveTo {
        duration: Some(Duration::from_millis(50)),
        x,
        y,
    };
    let mut actions = MouseActions::new("mouse".to_owned()).then(to(x));
    if drags {
        actions = actions
            .then(PointerAction::Down { button: BUTTON })
            .then(to(x + 40.0))
            .then(PointerAction::Up { button: BUTTON });
    }
    Ok(browser.client.perform_actions(actions).await?)
}

async fn pause(ms: u64) {
    tokio::time::sleep(Duration::from_millis(ms)).await;
}
