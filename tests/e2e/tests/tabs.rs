//! The tabs, their sections, and the menus that hold what has no place of its own, as a person uses them.

use serde_json::{Value, json};
use warpscope_e2e::{Browser, Error, Host, VIEWS};

const KEY_ESCAPE: char = '\u{e00c}';
const KEY_LEFT: char = '\u{e012}';
const KEY_RIGHT: char = '\u{e014}';

/// A run for which every tab has content: lanes diverge, and Banks and Coalescing show a typed access.
const ALL_TABS: &str = "v1;arch=tu102;kernel=divergence;play=shared;view=sm";
/// A run of one plain kernel.
const PLAIN: &str = "v1;arch=tu102;kernel=saxpy;view=sm";

async fn open(link: &str, width: u32, height: u32) -> Result<(Host, Browser), Error> {
    let host = Host::start()?;
    let browser = Browser::start(width, height).await?;
    browser.open(&host.address(link)).await?;
    simulated(&browser).await?;
    Ok((host, browser))
}

async fn simulated(browser: &Browser) -> Result<(), Error> {
    let is_done = |text: &str| text.starts_with("of ");
    browser.wait_for("cycle-of", is_done).await.map(|_| ())
}

/// The names of the tabs in sight: what a click at their middle reaches. Below 12 px a name does not count.
const IN_SIGHT: &str = r"
    return [...document.querySelectorAll('.tab')].filter(tab => {
        const box = tab.getBoundingClientRect();
        const at = x => document.elementFromPoint(x, box.top + box.height / 2)?.closest('.tab');
        return box.left >= 0 && box.right <= innerWidth && parseFloat(getComputedStyle(tab).fontSize) >= 12
            && at(box.left + 2) === tab && at(box.right - 2) === tab;
    }).map(tab => tab.childNodes[0].textContent);";

const TABS: [&str; 12] = [
    "Findings",
    "SM",
    "Timeline",
    "Banks",
    "Coalescing",
    "Caches",
    "Registers",
    "Source",
    "Divergence",
    "Occupancy",
    "Device",
    "Plots",
];

#[tokio::test]
async fn all_twelve_tabs_are_in_sight_from_1024_pixels_on() -> Result<(), Error> {
    let (_host, browser) = open(ALL_TABS, 1440, 900).await?;
    for (width, height) in [(1920, 1080), (1440, 900), (1280, 720), (1181, 720), (1024, 768)] {
        browser.resize(width, height).await?;
        for view in ["", ";density=projector"] {
            browser
                .script(&format!("location.hash = '#{ALL_TABS}{view}';"))
                .await?;
            let wanted = json!(TABS);
            let mut seen = Value::Null;
            for _ in 0..60 {
                seen = browser.script(IN_SIGHT).await?;
                if seen == wanted {
                    break;
                }
                tokio::time::sleep(std::time::Duration::from_millis(50)).await;
            }
            assert_eq!(seen, wanted, "at {width} x {height}{view}");
        }
    }
    browser.close().await
}

#[tokio::test]
async fn a_person_reaches_every_view_by_the_mouse() -> Result<(), Error> {
    for (width, height) in [(1440, 900), (390, 844)] {
        let (_host, browser) = open(PLAIN, width, height).await?;
        for view in VIEWS.into_iter().rev().chain(VIEWS) {
            browser
                .show_view(view)
                .await
                .map_err(|error| format!("{width} {view}: {error}"))?;
            let is_shown = if view == "sm" {
                "return !location.hash.includes(';view=');".to_owned()
            } else {
                format!("return location.hash.includes(';view={view}');")
            };
            browser
                .wait_until(&is_shown)
                .await
                .map_err(|error| format!("{width} {view}: {error}"))?;
        }
        browser.close().await?;
    }
    Ok(())
}

#[tokio::test]
async fn views_without_content_are_under_more_with_the_reason() -> Result<(), Error> {
    let (_host, browser) = open(PLAIN, 1280, 720).await?;
    for testid in ["tab-banks", "tab-divergence"] {
        assert!(!browser.has(testid).await?, "{testid}");
    }
    browser.click("more-views").await?;
    for (view, reason) in [
        ("tensor", "The kernel has no tensor instructions."),
        ("streams", "The program has one kernel."),
        ("banks", "The kernel makes no access to shared memory."),
    ] {
        let text = browser.text(&format!("more-{view}")).await?;
        assert!(text.contains(reason), "{text}");
    }
    browser.press(KEY_ESCAPE).await?;
    assert!(!browser.has("more-tensor").await?);
    // The view opens nevertheless, and has its place among the sections.
    browser.click("more-views").await?;
    browser.click("more-tensor").await?;
    browser
        .wait_until("return document.querySelector('[data-testid=tab-tensor]')?.ariaSelected === 'true' && document.querySelector('[data-testid=views-registers]').ariaSelected === 'true';")
        .await?;
    assert!(!browser.has("more-banks").await?, "the menu is closed");
    browser.close().await
}

#[tokio::test]
async fn a_tab_opens_the_section_that_was_shown_last_and_arrows_change_it() -> Result<(), Error> {
    let (_host, browser) = open(ALL_TABS, 1440, 900).await?;
    let selected = |testid: &str| {
        format!(
            "return document.querySelector('[data-testid={testid}]')?.getAttribute('aria-selected') === 'true';"
        )
    };
    browser.click("views-findings").await?;
    browser.wait_until(&selected("tab-findings")).await?;
    browser.press('3').await?;
    browser.wait_until(&selected("tab-stalls")).await?;
    browser.click("tab-sm").await?;
    browser.wait_until(&selected("tab-sm")).await?;
    assert!(!browser.has("sections").await?, "SM has one view");
    browser.click("views-findings").await?;
    browser.wait_until(&selected("tab-stalls")).await?;
    browser.click("tab-stalls").await?;
    browser.press(KEY_RIGHT).await?;
    browser.wait_until(&selected("tab-checks")).await?;
    browser.press(KEY_RIGHT).await?;
    browser.wait_until(&selected("tab-findings")).await?;
    let focus = browser
        .script("return document.activeElement.dataset.testid;")
        .await?;
    assert_eq!(focus, "tab-findings");
    browser.click("views-findings").await?;
    browser.press(KEY_LEFT).await?;
    browser.wait_until(&selected("tab-plots")).await?;
    browser.close().await
}

#[tokio::test]
async fn the_transport_has_few_controls_and_the_other_steps_in_a_menu() -> Result<(), Error> {
    let (_host, browser) = open("v1;cycle=300", 1440, 900).await?;
    let controls = browser
        .script("return [...document.querySelectorAll('.controls :is(button, select)')].filter(element => element.checkVisibility() && element.getAttribute('role') !== 'radio').map(element => element.dataset.testid);")
        .await?;
    assert_eq!(
        controls,
        json!([
            "step-back",
            "play",
            "step-forward",
            "jump-back",
            "jump-kind",
            "jump-on",
            "more-steps"
        ])
    );
    // The menu stays open for the next step.
    browser.click("more-steps").await?;
    let mut last = 300;
    for _ in 0..2 {
        browser.click("next-stall").await?;
        let text = browser.text("cycle").await?;
        let cycle: u64 = text.replace(',', "").parse()?;
        assert!(cycle > last, "{cycle}");
        last = cycle;
    }
    browser.click("step-forward-10").await?;
    assert_eq!(
        browser.text("cycle").await?.replace(',', ""),
        (last + 10).to_string()
    );
    browser.click("first").await?;
    assert_eq!(browser.text("cycle").await?, "0");
    browser.press(KEY_ESCAPE).await?;
    assert!(!browser.has("next-stall").await?);
    browser.close().await
}

#[tokio::test]
async fn compare_has_one_place_at_a_time() -> Result<(), Error> {
    let (_host, browser) = open("v1;view=sm", 1440, 900).await?;
    assert!(!browser.has("tab-compare").await?);
    browser.click("header-compare").await?;
    browser.find("tab-compare").await?;
    assert!(!browser.has("header-compare").await?);
    browser.show_view("timeline").await?;
    browser.find("header-compare").await?;
    assert!(!browser.has("tab-compare").await?);
    browser.close().await
}

#[tokio::test]
async fn one_field_finds_commands_and_what_the_run_has() -> Result<(), Error> {
    let (_host, browser) = open("v1;view=sm", 1440, 900).await?;
    browser.click("header-find").await?;
    for letter in "line 26".chars() {
        browser.press(letter).await?;
    }
    browser
        .wait_until(
            "return document.querySelector('#found')?.textContent.includes('Find in the run') ?? false;",
        )
        .await?;
    browser.press('\u{e007}').await?;
    browser
        .wait_for("find-run-count", |text| text.contains("found"))
        .await?;
    assert_eq!(browser.text("find").await?, "line 26");
    browser.press(KEY_ESCAPE).await?;
    browser
        .wait_until("return document.querySelector('dialog[open]') === null;")
        .await?;
    // The key F opens the same field, for the run.
    browser.press('f').await?;
    browser.find("find-run-count").await?;
    browser
        .wait_for("find-run-count", |text| text.contains("found"))
        .await?;
    for letter in "glossary".chars() {
        browser.press(letter).await?;
    }
    browser
        .wait_until("return document.querySelector('#found [aria-selected=true]')?.textContent.includes('Glossary') ?? false;")
        .await?;
    let fields = browser
        .script("return document.querySelectorAll('dialog input').length;")
        .await?;
    assert_eq!(fields, 1);
    browser.close().await
}
