//! Several architectures on one clock.

use warpscope_e2e::{Browser, Error, Hand, Host};

const FOUR: &str = "v1;arch=gf100;kernel=transpose-naive;compare=gp104,gv100,tu102";

async fn open(link: &str) -> Result<(Host, Browser), Error> {
    let host = Host::start()?;
    let browser = Browser::start(1440, 900).await?;
    browser.open(&host.address(link)).await?;
    Ok((host, browser))
}

/// The cycle in the heading of a pane: `cycle 812 · 0.53 µs`.
async fn cycle_of(browser: &Browser, pane: usize) -> Result<u64, Error> {
    let testid = if pane == 1 {
        "side-now".to_owned()
    } else {
        format!("side-now-{pane}")
    };
    let text = browser
        .wait_for(&testid, |text| text.starts_with("cycle "))
        .await?;
    let number = text.split(' ').nth(1).unwrap_or_default().replace(',', "");
    Ok(number.parse()?)
}

async fn cycles(browser: &Browser) -> Result<Vec<u64>, Error> {
    let mut cycles = Vec::new();
    for pane in 1..=4 {
        cycles.push(cycle_of(browser, pane).await?);
    }
    Ok(cycles)
}

/// Waits until the transport reports no simulation in progress.
async fn simulated(browser: &Browser) -> Result<(), Error> {
    browser
        .wait_for("cycle-of", |text| text.starts_with("of "))
        .await?;
    Ok(())
}

/// The link in the address.
async fn link(browser: &Browser) -> Result<String, Error> {
    let link = browser.script("return location.hash;").await?;
    Ok(link.as_str().unwrap_or_default().to_owned())
}

/// Removes the focus, so that keys reach the page.
async fn to_page(browser: &Browser) -> Result<(), Error> {
    browser
        .script("document.activeElement.blur(); return true;")
        .await?;
    Ok(())
}

#[tokio::test]
async fn four_architectures_share_one_clock_and_the_link_restores_them() -> Result<(), Error> {
    let (host, browser) = open(FOUR).await?;
    simulated(&browser).await?;
    assert_eq!(cycles(&browser).await?, [0; 4]);
    to_page(&browser).await?;
    for _ in 0..7 {
        browser.press('\u{e014}').await?;
    }
    browser.wait_for("cycle", |text| text == "7").await?;
    assert_eq!(cycles(&browser).await?, [7; 4]);
    // Each pane has its own picture.
    for testid in [
        "stage-canvas",
        "stage-canvas-2",
        "stage-canvas-3",
        "stage-canvas-4",
    ] {
        assert!(browser.has(testid).await?, "{testid}");
    }
    // At the end, the shorter runs report that they have finished.
    browser.press('\u{e010}').await?;
    for testid in ["side-state", "side-state-2", "side-state-3", "side-state-4"] {
        browser
            .wait_for(testid, |text| text.starts_with("finished at cycle"))
            .await?;
    }
    let last = cycles(&browser).await?;
    assert!(last.iter().any(|cycle| *cycle != last[0]), "{last:?}");
    // With alignment by time, slower clocks have fewer cycles.
    browser.press('\u{e011}').await?;
    browser.click("sync-time").await?;
    to_page(&browser).await?;
    for _ in 0..10 {
        browser.press('\u{e014}').await?;
    }
    let now = cycles(&browser).await?;
    assert_eq!(now, [8, 10, 8, 8], "1400, 1733, 1530 and 1545 MHz");
    browser.wait_for("headline", |text| !text.is_empty()).await?;
    browser.press('c').await?;
    let copied = link(&browser).await?;
    assert!(copied.len() < 300, "{copied}");
    browser.close().await?;
    let other = Browser::start(1440, 900).await?;
    other.open(&host.address(copied.trim_start_matches('#'))).await?;
    simulated(&other).await?;
    assert_eq!(cycles(&other).await?, now);
    assert_eq!(link(&other).await?, copied);
    other.close().await
}

#[tokio::test]
async fn keys_add_and_remove_panes() -> Result<(), Error> {
    let (_host, browser) = open("v1;kernel=saxpy").await?;
    simulated(&browser).await?;
    to_page(&browser).await?;
    browser.press('a').await?;
    browser.wait_for("side-state-2", |text| !text.is_empty()).await?;
    browser.press('a').await?;
    browser.wait_for("side-state-3", |text| !text.is_empty()).await?;
    assert!(link(&browser).await?.contains("compare="));
    to_page(&browser).await?;
    browser.press('x').await?;
    browser.wait_for("side-state-2", |text| !text.is_empty()).await?;
    assert!(!browser.has("side-state-3").await?);
    browser.press('x').await?;
    assert!(!browser.has("sides").await?);
    browser.click("header-undo").await?;
    browser.wait_for("side-state-2", |text| !text.is_empty()).await?;
    browser.close().await
}

#[tokio::test]
async fn a_side_that_cannot_run_shows_its_error_while_others_run() -> Result<(), Error> {
    let (_host, browser) = open("v1;kernel=saxpy;compare=gf100,gp104;2.block=4096").await?;
    browser
        .wait_for("side-state-2", |text| text.starts_with("failed"))
        .await?;
    browser
        .wait_for("headline-2", |text| text.contains("4096 threads"))
        .await?;
    to_page(&browser).await?;
    browser.press('\u{e010}').await?;
    for testid in ["side-state", "side-state-3"] {
        browser
            .wait_for(testid, |text| text.starts_with("finished"))
            .await?;
    }
    browser.close().await
}

#[tokio::test]
async fn counters_are_shown_side_by_side() -> Result<(), Error> {
    let (_host, browser) = open(&format!("{FOUR};view=compare;table=on")).await?;
    simulated(&browser).await?;
    let twin = browser
        .wait_for("twin", |text| text.contains("sm__cycles_active.max"))
        .await?;
    for name in ["Fermi GF100", "Pascal GP104", "Volta GV100", "Turing TU102"] {
        assert!(twin.contains(name), "{name}");
    }
    browser.close().await
}

#[tokio::test]
async fn differences_are_marked_and_a_range_has_its_own_counters() -> Result<(), Error> {
    let (_host, browser) = open(&format!("{FOUR};view=source;cycle=300;range=200-899")).await?;
    simulated(&browser).await?;
    // Lines in Source; schedulers and warps in SM.
    for (view, first) in [("tab-source", "line "), ("tab-sm", "scheduler ")] {
        browser.click(view).await?;
        browser
            .wait_for("differs-2", |text| {
                text.contains(first) && text.contains("on Fermi GF100")
            })
            .await?;
        for testid in ["differs-3", "differs-4"] {
            browser.wait_for(testid, |text| !text.is_empty()).await?;
        }
    }
    browser.click("differences").await?;
    assert!(!browser.has("differs-2").await?);
    // Counters of the range differ from those of the run.
    browser.click("tab-compare").await?;
    browser.click("table").await?;
    // The text has no space between cells: the name, the unit, the four values.
    let cycles = "Cycles activecycles";
    let whole = browser.wait_for("twin", |text| text.contains(cycles)).await?;
    assert!(!whole.contains(&format!("{cycles}699")), "{whole}");
    browser.click("of-this-range").await?;
    browser
        .wait_for("twin", |text| text.contains(&format!("{cycles}699699699699")))
        .await?;
    assert!(link(&browser).await?.contains(";of=range"));
    browser.close().await
}

#[tokio::test]
async fn the_comparison_strip_zooms_and_describes_each_side() -> Result<(), Error> {
    let (_host, browser) = open(&format!("{FOUR};view=sm;cycle=300")).await?;
    simulated(&browser).await?;
    let on_strip = |what: &str| {
        format!(
            "const strip = document.querySelector('[data-testid=strip]');
             const box = strip.getBoundingClientRect();
             const at = {{ bubbles: true, clientX: box.x + 300, clientY: box.y + 30, pointerType: 'mouse' }};
             {what} return true;"
        )
    };
    let hover = on_strip("strip.dispatchEvent(new PointerEvent('pointermove', at));");
    browser.script(&hover).await?;
    let told = browser
        .wait_for("tooltip", |text| text.starts_with("Cycle "))
        .await?;
    for name in ["GF100: ", "GP104: ", "GV100: ", "TU102: "] {
        assert!(told.contains(name), "{told}");
    }
    let wheel =
        on_strip("strip.dispatchEvent(new WheelEvent('wheel', { ...at, deltaY: -100, cancelable: true }));");
    for _ in 0..4 {
        browser.script(&wheel).await?;
    }
    let mut zoomed = link(&browser).await?;
    for _ in 0..100 {
        if zoomed.contains(";strip=") {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        zoomed = link(&browser).await?;
    }
    assert!(zoomed.contains(";strip="), "{zoomed}");
    // Shift and a drag select a range on the strip.
    let (x, y) = browser.middle("strip").await?;
    browser
        .drag_shifted(Hand::Mouse, &[(x - 200.0, y), (x, y)])
        .await?;
    browser.click("tab-compare").await?;
    browser.click("of-this-range").await?;
    browser.wait_for("headline", |text| !text.is_empty()).await?;
    let chosen = link(&browser).await?;
    assert!(
        chosen.contains(";range=") && chosen.contains(";of=range"),
        "{chosen}"
    );
    browser.close().await
}

#[tokio::test]
async fn compare_names_the_cause_of_the_difference_with_its_source() -> Result<(), Error> {
    let (_host, browser) = open("v1;arch=gf100;kernel=transpose-tiled;compare=gv100;view=compare").await?;
    browser
        .wait_for("headline", |text| {
            text == "A wavefront takes 2 cycles on GF100 (16 load/store units), 1 on GV100 (32)."
        })
        .await?;
    // The keyboard reaches the rows of the numbers, and Enter shows the sources of one.
    browser
        .script("document.querySelector('[data-testid=\"stage-canvas\"]').focus(); return true;")
        .await?;
    let mut found = false;
    for _ in 0..12 {
        browser.press('.').await?;
        let text = browser.script("return document.body.innerText;").await?;
        if text
            .as_str()
            .unwrap_or_default()
            .contains("Latency of bank conflicts")
        {
            browser.press('\u{e007}').await?;
            found = true;
            break;
        }
    }
    assert!(found, "the keyboard reaches the number");
    browser
        .wait_until("return document.body.innerText.includes('Mei & Chu 2017, Table 8');")
        .await?;
    browser.close().await
}

#[tokio::test]
async fn after_a_change_on_one_chip_the_gain_is_the_headline() -> Result<(), Error> {
    let (_host, browser) =
        open("v1;kernel=transpose-tiled;compare=tu102;2.kernel=transpose-padded;view=compare;cycle=900")
            .await?;
    browser
        .wait_for("headline", |text| {
            text == "transpose-padded: 5,682 to 1,842 cycles, 3.1 times faster."
        })
        .await?;
    browser.close().await
}
