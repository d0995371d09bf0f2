//! What a mouse, a finger, and the keys after a click do, with the events that the browser makes of a device. Nothing of the
//! page is replaced.

use std::time::Duration;

use serde_json::json;
use warpscope_e2e::{Browser, Error, Hand, Host};

/// Code points of the WebDriver standard, section Keyboard actions.
const TAB: char = '\u{e004}';
const ESCAPE: char = '\u{e00c}';
const ENTER: char = '\u{e007}';

/// A kernel without a barrier between a write and a read of shared memory.
const RACE: &str = "v1;kernel=mistake-race";

async fn hash(browser: &Browser) -> Result<String, Error> {
    let hash = browser.script("return location.hash;").await?;
    Ok(hash.as_str().unwrap_or_default().to_owned())
}

async fn focused(browser: &Browser) -> Result<String, Error> {
    let body = "return document.activeElement?.dataset?.testid ?? '';";
    Ok(browser
        .script(body)
        .await?
        .as_str()
        .unwrap_or_default()
        .to_owned())
}

/// Waits until the address has a pair of this key, and returns its value.
async fn value(browser: &Browser, key: &str) -> Result<f64, Error> {
    browser
        .wait_until(&format!("return /;{key}=[0-9]+/.test(location.hash);"))
        .await?;
    let hash = hash(browser).await?;
    let pair = hash
        .split(';')
        .find_map(|pair| pair.strip_prefix(&format!("{key}=")));
    Ok(pair.unwrap_or_default().parse()?)
}

#[tokio::test]
async fn the_edges_of_the_columns_follow_a_mouse_and_a_finger() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start(1440, 900).await?;
    browser.open(&host.address("v1;view=sm;cycle=300")).await?;
    for (hand, by) in [(Hand::Mouse, 120.0), (Hand::Touch, -60.0)] {
        let (x, y) = browser.middle("column-left").await?;
        browser
            .drag(hand, &[(x, y), (x + by / 2.0, y + 30.0), (x + by, y)])
            .await?;
        let now = value(&browser, "left").await?;
        assert!((now - (x + by)).abs() < 8.0, "{hand:?}: {now} px, not {}", x + by);
        // The edge is where the pointer is.
        let (at, _) = browser.middle("column-left").await?;
        assert!((at - (x + by)).abs() < 8.0, "{hand:?}: {at}");

        let (x, y) = browser.middle("column-right").await?;
        browser
            .drag(hand, &[(x, y), (x - 40.0, y), (x - 80.0, y)])
            .await?;
        let (at, _) = browser.middle("column-right").await?;
        assert!((at - (x - 80.0)).abs() < 8.0, "{hand:?}: {at}");
    }
    browser.close().await
}

#[tokio::test]
async fn the_divider_between_two_views_follows_a_mouse_and_a_finger() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start(1920, 1080).await?;
    browser
        .open(&host.address("v1;view=sm;split=timeline;cycle=300"))
        .await?;
    for (hand, by) in [(Hand::Mouse, 150.0), (Hand::Touch, -100.0)] {
        let (x, y) = browser.middle("divider").await?;
        // The views are side by side on a wide stage, and stacked on a narrow one.
        let is_stacked = browser
            .script("const { width, height } = document.querySelector('[data-testid=divider]').getBoundingClientRect(); return width > height;")
            .await?
            == json!(true);
        let to = if is_stacked { (x, y + by) } else { (x + by, y) };
        browser.drag(hand, &[(x, y), to]).await?;
        let share = value(&browser, "share").await?;
        assert!((20.0..=80.0).contains(&share), "{share}");
        let (at_x, at_y) = browser.middle("divider").await?;
        let off = (at_x - to.0).abs() + (at_y - to.1).abs();
        // Steps of one percent.
        assert!(off < 16.0, "{hand:?}: {off} px off");
    }
    browser.close().await
}

#[tokio::test]
async fn a_note_is_dragged_to_another_place_and_a_click_shows_its_text() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start(1440, 900).await?;
    browser
        .open(&host.address("v1;view=sm;cycle=300;note=sm.300.300:Here"))
        .await?;
    for hand in [Hand::Mouse, Hand::Touch] {
        let (x, y) = browser.middle("note-1").await?;
        let to = (x + 120.0, y + 60.0);
        let before = hash(&browser).await?;
        browser.drag(hand, &[(x, y), (x + 50.0, y + 20.0), to]).await?;
        browser
            .wait_until(&format!("return location.hash !== {};", json!(before)))
            .await?;
        let (at_x, at_y) = browser.middle("note-1").await?;
        // The note is at the item under the pointer, or at the pointer.
        assert!(
            (at_x - x).abs() + (at_y - y).abs() > 40.0,
            "{hand:?}: {at_x} {at_y}"
        );
        assert!(!browser.has("note-text").await?, "{hand:?}: the drag is no click");
    }
    browser.click_by_mouse("note-1").await?;
    browser.find("note-text").await?;
    browser.close().await
}

#[tokio::test]
async fn the_space_bar_plays_after_a_click_and_presses_after_a_tab() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start(1440, 900).await?;
    browser.open(&host.address("v1;view=sm;cycle=300")).await?;
    let name = "document.querySelector('[data-testid=play]').getAttribute('aria-label')";
    for testid in ["jump-on", "tab-timeline", "arch-gv100", "step-forward", "tab-sm"] {
        browser.click_by_mouse(testid).await?;
        browser
            .wait_for("cycle-of", |text| text.starts_with("of "))
            .await?;
        browser.press(' ').await?;
        browser
            .wait_until(&format!("return {name} === 'Pause';"))
            .await
            .map_err(|error| format!("{testid}: {error}"))?;
        browser.press(' ').await?;
        browser
            .wait_until(&format!("return {name} === 'Play';"))
            .await
            .map_err(|error| format!("{testid}: {error}"))?;
    }
    // A control that Tab reached is pressed.
    browser.click_by_mouse("speed-auto").await?;
    browser.press(TAB).await?;
    let reached = focused(&browser).await?;
    assert_ne!(reached, "speed-auto");
    browser
        .script("document.querySelector('[data-testid=play]').focus();")
        .await?;
    browser.press(TAB).await?;
    assert_eq!(focused(&browser).await?, "step-forward");
    let before: u64 = browser.text("cycle").await?.replace(',', "").parse()?;
    browser.press(' ').await?;
    let wanted = before + 1;
    browser
        .wait_for("cycle", |text| text.replace(',', "") == wanted.to_string())
        .await?;
    browser.close().await
}

#[tokio::test]
async fn tab_leaves_the_editor_after_escape() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start(1440, 900).await?;
    browser.open(&host.address("v1;view=sm;cycle=300")).await?;
    for shifted in [false, true] {
        browser.click_by_mouse("editor").await?;
        assert_eq!(focused(&browser).await?, "editor");
        // Completions are open: Escape closes them, and Tab leaves, too.
        for letter in "bloc".chars() {
            browser.press(letter).await?;
        }
        tokio::time::sleep(Duration::from_millis(800)).await;
        browser.press(ESCAPE).await?;
        if shifted {
            browser.press_shifted(TAB).await?;
        } else {
            browser.press(TAB).await?;
        }
        assert_ne!(focused(&browser).await?, "editor", "shifted: {shifted}");
    }
    browser.close().await
}

#[tokio::test]
async fn the_first_click_on_the_theme_changes_the_theme() -> Result<(), Error> {
    let host = Host::start()?;
    for system in ["light", "dark"] {
        let browser = Browser::start(1440, 900).await?;
        let features = json!({ "features": [{ "name": "prefers-color-scheme", "value": system }] });
        browser.dev_tools("Emulation.setEmulatedMedia", features).await?;
        browser.open(&host.address("v1;view=sm")).await?;
        let paper = "return getComputedStyle(document.body).backgroundColor;";
        let mut before = browser.script(paper).await?;
        for click in 0..4 {
            browser.click_by_mouse("header-theme").await?;
            let json = before.to_string();
            browser
                .wait_until(&format!(
                    "return getComputedStyle(document.body).backgroundColor !== {json};"
                ))
                .await
                .map_err(|error| format!("{system}, click {click}: {error}"))?;
            before = browser.script(paper).await?;
        }
        browser.close().await?;
    }
    Ok(())
}

#[tokio::test]
async fn the_tooltip_belongs_to_the_cycle_on_screen() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start(1440, 900).await?;
    browser
        .open(&host.address("v1;arch=tu102;kernel=transpose-tiled;view=sm;cycle=60;speed=60"))
        .await?;
    let at = browser
        .script("const box = document.querySelector('[data-testid=stage-canvas]').getBoundingClientRect(); return [box.left + 25, box.top + 45];")
        .await?;
    let (x, y): (f64, f64) = serde_json::from_value(at)?;
    browser.move_to((x, y)).await?;
    let first = browser.wait_for("tooltip", |text| !text.is_empty()).await?;
    let mut texts = std::collections::BTreeSet::from([first]);
    for _ in 0..4 {
        // The pointer rests while the run plays.
        browser.press(' ').await?;
        tokio::time::sleep(Duration::from_millis(900)).await;
        browser.press(' ').await?;
        tokio::time::sleep(Duration::from_millis(200)).await;
        let resting = browser.text("tooltip").await?;
        // What the pointer shows when it comes back.
        browser.move_to((5.0, 5.0)).await?;
        browser
            .wait_until("return document.querySelector('[data-testid=tooltip]') === null;")
            .await?;
        browser.move_to((x, y)).await?;
        let fresh = browser.wait_for("tooltip", |text| !text.is_empty()).await?;
        assert_eq!(resting, fresh);
        texts.insert(fresh);
    }
    assert!(texts.len() > 1, "the warp's state changes: {texts:?}");
    browser.close().await
}

#[tokio::test]
async fn a_copied_link_opens_the_picture() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start(1440, 900).await?;
    browser.open(&host.address("")).await?;
    // The door to an own kernel opens the editor, which is a sheet on a phone.
    browser.click_by_mouse("door-own").await?;
    browser
        .wait_until("return location.hash.includes('source=');")
        .await?;
    let link = hash(&browser).await?;
    assert!(!link.contains("panel="), "{link}");
    let phone = Browser::start(390, 844).await?;
    phone.resize(390, 844).await?;
    for link in [&link, "#v1;kernel=saxpy;cycle=300;panel=kernel"] {
        phone.client.goto("about:blank").await?;
        phone.open(&host.address(link.trim_start_matches('#'))).await?;
        assert!(!phone.has("link-warnings").await?, "{link}");
        let open = phone
            .script("return document.querySelector('.rail').dataset.open;")
            .await?;
        assert_eq!(open, "false", "{link}");
        let covered = phone
            .script(
                "const box = document.querySelector('[data-testid=stage-canvas]').getBoundingClientRect();
                return document.elementFromPoint(box.left + 20, box.top + 20)?.closest('.stage') === null;",
            )
            .await?;
        assert_eq!(covered, false, "{link}");
    }
    phone.close().await?;
    browser.close().await
}

#[tokio::test]
async fn a_race_is_told_wherever_the_reader_is() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start(1440, 900).await?;
    browser.open(&host.address(&format!("{RACE};view=sm"))).await?;
    let text = browser
        .wait_for("check-alert", |text| text.contains("Race reported"))
        .await?;
    assert!(text.contains("racecheck"), "{text}");
    let badge = browser.wait_for("checks-count", |text| !text.is_empty()).await?;
    assert!(badge.contains("error"), "{badge}");
    browser.click_by_mouse("tab-timeline").await?;
    browser.find("check-alert").await?;
    // Its place is shown in the view that is open.
    browser.click_by_mouse("check-show").await?;
    browser
        .wait_until(
            "return Number(document.querySelector('[data-testid=cycle]').textContent.replace(',', '')) > 0;",
        )
        .await?;
    assert!(hash(&browser).await?.contains("view=timeline"));
    browser.click_by_mouse("views-findings").await?;
    browser
        .wait_for("headline", |text| text.starts_with("Race reported"))
        .await?;
    browser.click_by_mouse("check-all").await?;
    browser.find("checks").await?;
    assert!(!browser.has("check-alert").await?);
    browser.close().await
}

#[tokio::test]
async fn the_keys_change_the_speed_and_the_moments_are_listed() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start(1440, 900).await?;
    browser
        .open(&host.address("v1;arch=tu102;kernel=transpose-tiled;view=timeline;cycle=300"))
        .await?;
    for (key, wanted) in [
        ('+', "speed-1k"),
        ('-', "speed-60"),
        ('-', "speed-8"),
        ('-', "speed-2"),
    ] {
        browser.press(key).await?;
        browser
            .wait_until(&format!(
                "return document.querySelector('[data-testid=\"{wanted}\"]').ariaChecked === 'true';"
            ))
            .await
            .map_err(|error| format!("{key} {wanted}: {error}"))?;
    }
    let names = "[...document.querySelectorAll('[data-testid=jump-kind] optgroup option')].map(option => option.textContent)";
    browser
        .wait_until(&format!(
            "return {names}.some(name => name.startsWith('First bank conflict'));"
        ))
        .await?;
    // By the keyboard, in the presenter: from one moment to the next.
    browser.press('p').await?;
    let moments = browser
        .script("return [...document.querySelectorAll('[data-testid=jump-kind] optgroup option')].length;")
        .await?;
    assert_eq!(moments, 0, "the presenter has no menu");
    let mut seen = std::collections::BTreeSet::new();
    for _ in 0..3 {
        browser.press('\'').await?;
        tokio::time::sleep(Duration::from_millis(300)).await;
        seen.insert(browser.text("cycle").await?);
    }
    assert_eq!(seen.len(), 3, "{seen:?}");
    // Each cycle in which something happens stays for half a second.
    browser.press('-').await?;
    browser.press('-').await?;
    browser.press(' ').await?;
    let start: u64 = browser.text("cycle").await?.replace(',', "").parse()?;
    tokio::time::sleep(Duration::from_secs(3)).await;
    let moved = browser.text("cycle").await?.replace(',', "").parse::<u64>()? - start;
    assert!((1..=4).contains(&moved), "{moved} cycles in 3 s");
    browser.press(ENTER).await?;
    browser.close().await
}
