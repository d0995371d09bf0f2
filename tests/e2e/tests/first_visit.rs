//! The first visit: the run plays by itself, and the tour.

use std::time::Duration;

use serde_json::{Value, json};
use warpscope_e2e::{Browser, Error, Hand, Host, is_tried};

const ESCAPE: char = '\u{e00c}';
const RIGHT: char = '\u{e014}';

/// The shown cycle.
async fn cycle(browser: &Browser) -> Result<u64, Error> {
    Ok(browser.text("cycle").await?.replace(',', "").parse()?)
}

/// Clicks the second warp of the first scheduler.
async fn click_a_warp(browser: &Browser) -> Result<(), Error> {
    let place = browser
        .script("const r = document.querySelector('[data-testid=stage-canvas]').getBoundingClientRect(); return [r.x + 60, r.y + 66];")
        .await?;
    let at = |idx: usize| place[idx].as_f64().ok_or("no canvas");
    browser.drag(Hand::Mouse, &[(at(0)?, at(1)?)]).await
}

async fn sleep_ms(ms: u64) {
    tokio::time::sleep(Duration::from_millis(ms)).await;
}

/// Whether the run left its first cycle.
const MOVED: &str =
    "return Number(document.querySelector('[data-testid=cycle]').textContent.replace(',', '')) > 0;";

/// Whether the page plays: the cycle moves within a second and a half, at two cycles a second.
async fn plays(browser: &Browser) -> Result<bool, Error> {
    let before = cycle(browser).await?;
    sleep_ms(1500).await;
    Ok(cycle(browser).await? > before)
}

#[tokio::test]
async fn a_first_visit_plays_by_itself_and_says_nothing_to_screen_readers() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start_with_motion(1440, 900).await?;
    // Every change of a live region counts.
    browser
        .before_page(
            "window.said = [];
            addEventListener('DOMContentLoaded', () => new MutationObserver(changes => {
                for (const change of changes) {
                    const node = change.target.nodeType === 1 ? change.target : change.target.parentElement;
                    const live = node?.closest('[aria-live], [role=status], [role=alert], [role=log]');
                    if (live) window.said.push(live.textContent);
                }
            }).observe(document, { subtree: true, childList: true, characterData: true }));",
        )
        .await?;
    browser.open(&host.address("")).await?;
    browser.find("welcome").await?;
    // It starts shortly before the first bank conflict.
    browser.wait_until(MOVED).await?;
    browser.script("window.said.length = 0;").await?;
    // Two cycles a second, the pace of a class.
    let start = cycle(&browser).await?;
    sleep_ms(4000).await;
    let moved = cycle(&browser).await? - start;
    assert!((6..=10).contains(&moved), "{moved} cycles in 4 s");
    assert_eq!(browser.script("return window.said;").await?, json!([]));
    // The address stays what it was, so that a bookmark is the page and not a cycle.
    assert_eq!(browser.client.current_url().await?.fragment(), None);
    // A key of the transport stops it, and the screen reader gets one sentence.
    browser.press(RIGHT).await?;
    assert!(!plays(&browser).await?);
    // The reader's own playback has the default speed.
    assert_eq!(
        browser
            .script("return document.querySelector('[data-testid=speed-auto]').ariaChecked;")
            .await?,
        "true"
    );
    assert!(browser.has("welcome").await?);
    browser.close().await
}

#[tokio::test]
async fn nothing_moves_by_itself_elsewhere() -> Result<(), Error> {
    let host = Host::start()?;
    // With a preference for reduced motion.
    let browser = Browser::start(1440, 900).await?;
    browser.open(&host.address("")).await?;
    browser.find("welcome").await?;
    // The first bank conflict is in sight, and stays.
    browser.wait_until(MOVED).await?;
    assert!(!plays(&browser).await?);
    browser.close().await?;
    // In a link, and on a second visit.
    let browser = Browser::start_with_motion(1440, 900).await?;
    browser.open(&host.address("v1;view=banks")).await?;
    assert!(!plays(&browser).await?);
    browser.script("localStorage.clear();").await?;
    browser.client.goto("about:blank").await?;
    browser.open(&host.address("")).await?;
    assert!(plays(&browser).await?);
    browser.client.goto("about:blank").await?;
    browser.open(&host.address("")).await?;
    browser.find("welcome").await?;
    browser.wait_until(MOVED).await?;
    assert!(!plays(&browser).await?);
    // A reader who selects a warp reads in peace.
    browser.script("localStorage.clear();").await?;
    browser.client.goto("about:blank").await?;
    browser.open(&host.address("")).await?;
    assert!(plays(&browser).await?);
    browser
        .script("document.querySelector('[data-testid=stage-canvas]').focus();")
        .await?;
    browser.press('.').await?;
    assert!(!plays(&browser).await?);
    browser.close().await
}

#[tokio::test]
async fn a_click_keeps_the_doors_and_the_start_comes_back() -> Result<(), Error> {
    let host = Host::start()?;
    for (width, height) in [(1440, 900), (1024, 768)] {
        let browser = Browser::start(width, height).await?;
        browser.resize(width, height).await?;
        browser.open(&host.address("")).await?;
        browser.find("welcome").await?;
        browser.wait_until(MOVED).await?;
        let start = cycle(&browser).await?;
        // A click into the picture shows what is there, with the doors below.
        click_a_warp(&browser).await?;
        browser.find("doors").await?;
        assert!(!browser.has("welcome").await?);
        for door in ["door-lesson", "door-compare", "door-own", "door-back"] {
            let (x, y) = browser.middle(door).await?;
            let is_seen = browser
                .script(&format!(
                    "return document.elementFromPoint({x}, {y})?.dataset.testid === '{door}';"
                ))
                .await?;
            assert_eq!(is_seen, true, "{door} at {width} px");
        }
        // Escape shows the whole start again, at the same cycle.
        browser.press(ESCAPE).await?;
        browser.find("welcome").await?;
        // So does the way back, at the first cycle of the start.
        click_a_warp(&browser).await?;
        browser.find("doors").await?;
        browser.press(RIGHT).await?;
        browser.click_by_mouse("door-back").await?;
        browser.find("welcome").await?;
        assert_eq!(cycle(&browser).await?, start);
        // From another kernel, the logo leads to the start, and Back to the kernel.
        browser.click_by_mouse("door-own").await?;
        browser.wait_for("own", |text| text == "own code").await?;
        assert!(!browser.has("welcome").await? && !browser.has("doors").await?);
        browser.press(ESCAPE).await?;
        browser.click_by_mouse("header-start").await?;
        browser.find("welcome").await?;
        assert_eq!(
            browser.client.current_url().await?.fragment().unwrap_or_default(),
            ""
        );
        assert!(!browser.has("own").await?);
        browser.client.refresh().await?;
        browser.find("welcome").await?;
        browser.client.back().await?;
        browser.wait_for("own", |text| text == "own code").await?;
        assert_eq!(browser.errors().await?, [""; 0]);
        browser.close().await?;
    }
    Ok(())
}

#[tokio::test]
async fn the_editor_of_an_own_kernel_shows_sixty_columns() -> Result<(), Error> {
    let host = Host::start()?;
    for (width, height) in [(1440, 900), (1920, 1080), (1024, 768)] {
        let browser = Browser::start(width, height).await?;
        browser.resize(width, height).await?;
        browser.open(&host.address("")).await?;
        browser.click_by_mouse("door-own").await?;
        browser
            .wait_until("return document.activeElement?.tagName === 'TEXTAREA';")
            .await?;
        sleep_ms(400).await;
        let columns = browser
            .script(
                "const field = document.querySelector('[data-testid=editor]');
                const pen = document.createElement('canvas').getContext('2d');
                // The shorthand `font` is empty where a part of it has no place in it.
                const style = getComputedStyle(field);
                pen.font = `${style.fontSize} ${style.fontFamily}`;
                const box = field.getBoundingClientRect(), rail = field.closest('.setup').getBoundingClientRect();
                return Math.floor((Math.min(box.right, rail.right) - box.left) / pen.measureText('m').width);",
            )
            .await?;
        assert!(columns.as_u64() >= Some(60), "{columns} columns at {width} px");
        browser.close().await?;
    }
    Ok(())
}

/// What is wrong with the shown stop.
const STOP: &str = "const wrong = [];
    const find = id => document.querySelector(`[data-testid=${id}]`);
    const seen = (name, element) => {
        const r = element?.getBoundingClientRect();
        if (!r || r.width < 2 || r.height < 2 || r.left < -1 || r.top < -1 || r.right > innerWidth + 1 || r.bottom > innerHeight + 1)
            return wrong.push(`${name} is not visible`);
        const at = document.elementFromPoint(r.left + r.width / 2, r.top + 4);
        if (!at || !(element.contains(at) || at.contains(element))) wrong.push(`${name} is covered by ${at?.className}`);
    };
    for (const id of ['tour-title', 'tour-next', 'headline', 'cycle']) seen(id, find(id));
    const parts = document.querySelector('.bench').dataset.ring ?? '';
    if (parts.includes('strip')) seen('the strip', document.querySelector('.density'));
    if (parts.includes('inspector')) seen('the inspector', [...document.querySelectorAll('.insp > .body > .sec:first-child, .peek')].find(e => e.checkVisibility()));
    if (parts.includes('share')) seen('Share', [find('header-share'), find('header-more')].find(e => e?.checkVisibility()));
    const canvas = find('stage-canvas'), place = canvas.getBoundingClientRect(), frame = canvas.parentElement.getBoundingClientRect();
    const rings = (canvas.dataset.rings ?? '').split(';').filter(Boolean).map(text => text.split(' ').map(Number));
    if (!parts && !rings.length) wrong.push('nothing is ringed');
    for (const [x, y, w, h] of rings.slice(0, 1))
        if (place.top + y < frame.top - 3 || place.top + y + h > frame.bottom + 3 || place.left + x < frame.left - 3 || place.left + x + w > frame.right + 3)
            wrong.push(`the ring is out of sight: ${[x, y, w, h]} in ${Math.round(frame.width)} x ${Math.round(frame.height)}`);
    return wrong;";

#[tokio::test]
async fn the_tour_is_left_and_called_back_with_keys_at_every_size() -> Result<(), Error> {
    let host = Host::start()?;
    let ways = [(1440, 900, ""), (1024, 768, ";density=projector"), (390, 844, "")];
    for (way, (width, height, density)) in ways.into_iter().enumerate() {
        let browser = Browser::start(width, height).await?;
        browser.resize(width, height).await?;
        browser
            .open(&host.address(&format!("v1;kernel=saxpy;view=stalls;cycle=40{density}")))
            .await?;
        // The palette calls it.
        browser
            .script("document.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true, bubbles: true }));")
            .await?;
        browser.find("find").await?;
        for key in "tour\u{e007}".chars() {
            browser.press(key).await?;
        }
        for number in 1..=9 {
            browser
                .wait_for("tour-step", |text| text == format!("Tour · {number} of 9"))
                .await?;
            browser
                .wait_for("cycle-of", |text| text.starts_with("of "))
                .await?;
            sleep_ms(200).await;
            let wrong = browser.script(STOP).await?;
            assert_eq!(wrong, json!([]), "stop {number} at {width} px");
            if is_tried(number, way, 3) {
                assert_eq!(
                    browser.violations().await?,
                    [""; 0],
                    "stop {number} at {width} px"
                );
            }
            let said = browser.text("announcement").await?;
            assert!(said.starts_with(&format!("Stop {number} of 9. ")), "{said}");
            browser.press('n').await?;
        }
        // After the last stop, and after Escape, the page shows what it showed.
        for is_left in [false, true] {
            browser
                .wait_until("return location.hash.includes('kernel=saxpy') && location.hash.includes('cycle=40') && !location.hash.includes('tour');")
                .await?;
            assert!(!browser.has("tour").await?);
            if is_left {
                break;
            }
            let tour = browser.client.execute("location.hash += ';tour=3';", Vec::new());
            tour.await?;
            browser
                .wait_for("tour-step", |text| text == "Tour · 3 of 9")
                .await?;
            browser.press('b').await?;
            browser
                .wait_for("tour-step", |text| text == "Tour · 2 of 9")
                .await?;
            browser.press(ESCAPE).await?;
        }
        browser.close().await?;
    }
    Ok(())
}

#[tokio::test]
async fn the_welcome_comes_back_after_the_tour() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start_with_motion(1440, 900).await?;
    browser.open(&host.address("")).await?;
    browser.click("door-tour").await?;
    browser.find("tour").await?;
    assert!(!browser.has("welcome").await?);
    browser.click("tour-next").await?;
    browser
        .wait_for("tour-step", |text| text.starts_with("Tour · 2"))
        .await?;
    assert!(
        browser
            .script("return location.hash;")
            .await?
            .as_str()
            .is_some_and(|hash| hash.ends_with("tour=2"))
    );
    browser.click("tour-leave").await?;
    browser.find("welcome").await?;
    let none: Value = browser
        .script("return document.querySelector('.bench').dataset.ring ?? null;")
        .await?;
    assert_eq!(none, Value::Null);
    browser.close().await
}
