//! Long runs: the page stays responsive, shows progress, stops runs, and plays the available cycles.

use std::time::Duration;

use warpscope_e2e::{Browser, Error, Host};

/// 6,400 blocks, 3.7 million cycles: takes more than two seconds on a fast machine.
const LONG: &str = "v1;arch=gv100;kernel=transpose-naive;grid=80x80;args=out:f32*6553600:zero,in:f32*6553600:lcg1,i32:2560,i32:2560";

/// Finishes at once.
const SHORT: &str = "v1;kernel=saxpy;grid=8";

/// Counts the frames of the page.
const WATCH: &str = "
    window.frames_shown = 0;
    const look = () => { window.frames_shown += 1; requestAnimationFrame(look); };
    requestAnimationFrame(look);";

fn number(text: &str) -> u64 {
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    digits.parse().unwrap_or(0)
}

async fn cycles(browser: &Browser) -> Result<u64, Error> {
    Ok(number(&browser.text("run-sentence").await?))
}

/// Clicks *Stop*. WebDriver's click takes longer than the button may be there, and waits for styles that show it late.
async fn stop(browser: &Browser) -> Result<(), Error> {
    browser
        .script("document.querySelector('[data-testid=\"stop-run\"]').click();")
        .await?;
    Ok(())
}

#[tokio::test]
async fn a_long_run_stops_plays_and_continues_while_the_page_stays_responsive() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start(1440, 900).await?;
    browser.client.goto(&host.address(LONG)).await?;
    browser.find("run-sentence").await?;
    browser.script(WATCH).await?;
    let first = browser.wait_for("run-sentence", |text| number(text) > 0).await?;
    assert!(first.starts_with("Simulating, "), "{first}");
    stop(&browser).await?;
    let held = browser
        .wait_for("run-sentence", |text| {
            text.starts_with("The run stopped at cycle ")
        })
        .await?;
    // The worker still sends its last part.
    tokio::time::sleep(Duration::from_millis(500)).await;
    let at = cycles(&browser).await?;
    assert!(at >= number(&held));
    assert!(browser.text("cycle-of").await?.starts_with("stopped after "));
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert_eq!(
        cycles(&browser).await?,
        at,
        "nothing is simulated while it is held"
    );
    browser.press('\u{e010}').await?;
    browser.wait_for("cycle", |text| number(text) == at).await?;

    // The available part plays while more arrives.
    browser.press('\u{e011}').await?;
    browser.wait_for("cycle", |text| number(text) == 0).await?;
    browser.click("play").await?;
    browser.click("go-on").await?;
    browser
        .wait_for("run-sentence", |text| {
            text.starts_with("Simulating, ") && number(text) > at
        })
        .await?;
    browser
        .wait_for("cycle", |text| (4..at).contains(&number(text)))
        .await?;
    browser.click("play").await?;

    // Frames arrived continuously.
    // How long the longest takes is measured by the benchmark of the page.
    let frames = browser.script("return window.frames_shown;").await?;
    assert!(frames.as_u64() > Some(30), "{frames} frames");

    // A changed input replaces the run at once.
    browser.script(&format!("location.hash = '#{SHORT}';")).await?;
    browser
        .wait_for("cycle-of", |text| text.starts_with("of "))
        .await?;
    assert!(!browser.has("run-progress").await?);
    let programs = browser
        .script("return performance.getEntriesByType('resource').filter(entry => entry.name.includes('.wasm')).map(entry => entry.name);")
        .await?;
    let programs = programs.as_array().ok_or("no resources")?;
    for program in programs {
        assert_eq!(
            programs.iter().filter(|other| *other == program).count(),
            1,
            "{program} is loaded twice"
        );
    }
    browser.close().await
}

/// Records every headline, however briefly it is shown.
const HEADLINES: &str = "
    window.headlines = new Set();
    new MutationObserver(() => {
        const headline = document.querySelector('[data-testid=headline]');
        if (headline) window.headlines.add(headline.textContent);
    }).observe(document, { subtree: true, childList: true, characterData: true });";

/// Runs start when the page shows its headline: a busy machine may take longer for that than for the whole run.
const PATIENT: &str = "
    for (const { prototype } of [window.Worker, window.MessagePort]) {
        const post = prototype.postMessage;
        prototype.postMessage = function (message, ...rest) {
            const send = () => {
                if (message?.link && !document.querySelector('[data-testid=headline]')) return setTimeout(send, 5);
                post.call(this, message, ...rest);
            };
            send();
        };
    }";

#[tokio::test]
async fn the_page_waits_for_a_link_s_cycle_that_is_not_simulated_yet() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start(1440, 900).await?;
    browser.before_page(HEADLINES).await?;
    browser.before_page(PATIENT).await?;
    browser
        .client
        .goto(&host.address(&format!("{LONG};cycle=900000")))
        .await?;
    browser
        .wait_until(
            "return [...window.headlines].some(text => text.startsWith('Cycle 900,000 is not simulated yet'));",
        )
        .await?;
    browser
        .wait_for("headline", |text| !text.starts_with("Cycle 900,000 is"))
        .await?;
    assert_eq!(browser.text("cycle").await?, "900,000");
    browser.close().await
}

/// Pages whose workers are missing, rejected, or unusable.
const WITHOUT: [&str; 3] = [
    "delete window.Worker;",
    "window.Worker = class { constructor() { throw new Error('refused'); } };",
    "const Other = window.Worker; window.Worker = class extends Other { constructor() { super('data:text/javascript,throw 1'); } };",
];

#[tokio::test]
async fn without_workers_the_page_simulates_in_slices_and_shows_the_same() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start(1440, 900).await?;
    browser.open(&host.address(SHORT)).await?;
    let told = (browser.text("cycle-of").await?, browser.text("inspector").await?);
    browser.close().await?;
    for script in WITHOUT {
        let browser = Browser::start(1440, 900).await?;
        browser.before_page(script).await?;
        browser.open(&host.address(SHORT)).await?;
        assert_eq!(
            (browser.text("cycle-of").await?, browser.text("inspector").await?),
            told,
            "{script}"
        );
        browser.script(&format!("location.hash = '#{LONG}';")).await?;
        browser
            .wait_for("run-sentence", |text| number(text) > 1_000)
            .await?;
        // The line appears after a delay.
        tokio::time::sleep(Duration::from_millis(600)).await;
        stop(&browser).await?;
        browser
            .wait_for("cycle-of", |text| text.starts_with("stopped after "))
            .await?;
        browser.close().await?;
    }
    Ok(())
}
