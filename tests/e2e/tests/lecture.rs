//! A lecture, as a lecturer gives it: chapters, presenter, notes window, notes on the picture, handout.

use warpscope_e2e::{Browser, Error, Hand, Host, is_tried};

const PAGE_DOWN: char = '\u{e00f}';
const PAGE_UP: char = '\u{e00e}';
const ESCAPE: char = '\u{e00c}';
const ENTER: char = '\u{e007}';

/// Waits until the presenter shows a chapter with a kernel's headline.
async fn shows(browser: &Browser, number: usize, headline: &str) -> Result<(), Error> {
    let chapter = format!("{number} of 10");
    browser
        .wait_for("chapter", |text| text.starts_with(&chapter))
        .await?;
    browser
        .wait_for("headline", |text| text.contains(headline))
        .await?;
    Ok(())
}

/// Scenes of the presenter: every view of a run, a typed access, and comparisons.
const SCENES: [&str; 22] = [
    "view=sm",
    "view=timeline",
    "view=stalls",
    "view=banks",
    "view=coalescing",
    "view=caches",
    "view=carveout",
    "view=registers",
    "view=source",
    "view=divergence",
    "view=tensor",
    "view=occupancy",
    "view=device",
    "view=streams",
    "view=plots",
    "view=findings",
    "view=checks",
    "view=arithmetic",
    "view=banks;play=shared;expr=tile[threadIdx.x][threadIdx.y]",
    "view=sm;arch=gf100;compare=gv100",
    "view=banks;arch=gt200;compare=gh100",
    "view=timeline;arch=gf100;compare=gv100",
];

#[tokio::test]
async fn the_presenter_shows_whole_pictures_on_small_projectors() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start(1440, 900).await?;
    let mut cut = Vec::new();
    for (way, (width, height)) in [(1280, 720), (1024, 768)].into_iter().enumerate() {
        browser.resize(width, height).await?;
        for (idx, scene) in SCENES.into_iter().enumerate() {
            if !is_tried(idx, way, 2) {
                continue;
            }
            browser.client.goto("about:blank").await?;
            let link = format!("v1;kernel=transpose-tiled;present=on;{scene};cycle=1400");
            // Checks are sentences, not a picture.
            if scene == "view=checks" {
                browser.client.goto(&host.address(&link)).await?;
                browser.find("checks").await?;
            } else {
                browser.open(&host.address(&link)).await?;
            }
            if scene.contains("compare") {
                browser.find("stage-canvas-2").await?;
            }
            let faults = browser
                .script(
                    "const faults = [];
                    const figure = document.querySelector('.figure-cycle')?.getBoundingClientRect();
                    for (const canvas of document.querySelectorAll('.canvas, .checks')) {
                        if (canvas.scrollHeight > canvas.clientHeight + 1) {
                            faults.push(`the picture has ${canvas.scrollHeight} of ${canvas.clientHeight} px`);
                        }
                        if (figure && figure.bottom > canvas.getBoundingClientRect().top + 1) faults.push('the cycle is over the picture');
                    }
                    for (const head of document.querySelectorAll('[data-testid=headline]')) {
                        if (figure && head.getBoundingClientRect().right > figure.left) faults.push('the cycle is over the headline');
                    }
                    for (const part of document.querySelectorAll('.stage-head *, .figure-cycle *, .side-head *, .present-bar *')) {
                        const px = parseFloat(getComputedStyle(part).fontSize);
                        const own = [...part.childNodes].some(node => node.nodeType === 3 && node.data.trim());
                        if (own && part.checkVisibility() && px < 14) faults.push(`${part.textContent}: ${px} px`);
                    }
                    return faults;",
                )
                .await?;
            if faults != serde_json::json!([]) {
                cut.push(format!("{width} x {height} {scene}: {faults}"));
            }
        }
    }
    assert!(cut.is_empty(), "{}", cut.join("\n"));
    browser.close().await
}

#[tokio::test]
async fn a_press_on_the_presenter_s_strip_shows_the_cycle_under_it() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start(1280, 720).await?;
    browser
        .open(&host.address("v1;kernel=transpose-tiled;present=on;view=sm;cycle=10"))
        .await?;
    let place = browser
        .script(
            "const box = document.querySelector('[data-testid=strip]').getBoundingClientRect();
            return [box.left, box.top, box.width, box.height];",
        )
        .await?;
    let at = |idx: usize| place[idx].as_f64().unwrap_or_default();
    // The names left of the strip have 64 px of the strip's own, which are enlarged.
    let first = 64.0 * 1.4;
    for share in [0.25, 0.5, 0.9] {
        let x = at(0) + first + share * (at(2) - first);
        let y = at(1) + 0.4 * at(3);
        browser.drag(Hand::Mouse, &[(x, y), (x, y)]).await?;
        let of: f64 = browser
            .text("cycle-of")
            .await?
            .replace([',', 'o', 'f', ' '], "")
            .parse()?;
        browser
            .wait_for("cycle", |text| {
                let cycle: f64 = text.replace(',', "").parse().unwrap_or_default();
                (cycle / of - share).abs() < 0.01
            })
            .await?;
    }
    browser.close().await
}

#[tokio::test]
async fn a_lecture_of_ten_stops_is_given_with_page_down() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start(1024, 768).await?;
    browser
        .open(&host.address("v1;lecture=shared-memory/1;density=projector"))
        .await?;
    browser
        .wait_until("return location.hash.includes('chapter=1');")
        .await?;
    browser.press('p').await?;
    shows(&browser, 1, "this store takes 1 wavefront").await?;
    // Slim: no header, no tabs, no inspector; on a small projector, the headline has 24 px and the cycle 30 px.
    browser
        .wait_until(
            "const shown = selector => document.querySelector(selector)?.offsetParent != null;
            const size = selector => getComputedStyle(document.querySelector(selector)).fontSize;
            return !shown('.head') && !shown('.tab-row') && !shown('.insp') && size('[data-testid=headline]') === '24px'
                && size('[data-testid=cycle]') === '30px' && document.fullscreenElement?.className === 'bench';",
        )
        .await?;
    // Every control of the bar is at least 48 px high and 44 px wide.
    let small = browser
        .script(
            "return [...document.querySelectorAll('.present-bar .btn, .present-bar .play, .chapter-name')]
                .map(button => [button.dataset.testid, button.getBoundingClientRect()])
                .filter(([, box]) => box.width > 0 && (box.height < 48 || box.width < 40)).map(([name]) => name);",
        )
        .await?;
    assert_eq!(small, serde_json::json!([]));
    let stops = [
        "different banks: this store",
        "ideal is 1 to 2",
        "this load takes 32 wavefronts",
        "this load takes 2 wavefronts",
        "this load takes 1 wavefront",
        "this load takes 1 wavefront",
        "takes 2 passes",
        "32 wavefronts",
        "one byte in eight",
        "",
    ];
    for (idx, headline) in stops.iter().enumerate().skip(1) {
        browser.press(PAGE_DOWN).await?;
        shows(&browser, idx + 1, headline).await?;
    }
    browser.press(PAGE_DOWN).await?;
    browser
        .wait_for("toast", |text| text == "This is the last chapter.")
        .await?;
    browser.press(PAGE_UP).await?;
    shows(&browser, 9, stops[8]).await?;
    // Black, and back.
    browser.press('.').await?;
    browser.find("blank").await?;
    browser.press('.').await?;
    browser
        .wait_until("return document.querySelector('[data-testid=blank]') === null;")
        .await?;
    browser.press('l').await?;
    browser.find("spotlight").await?;
    browser.press('l').await?;
    // The code opens the published chapter, and its words are short.
    browser.press('q').await?;
    browser
        .wait_for("full-words", |text| {
            text.ends_with("/#v1;lecture=shared-memory/9")
        })
        .await?;
    browser.find("full-code-image").await?;
    browser.press('q').await?;
    browser.press(ESCAPE).await?;
    browser
        .wait_until("return document.querySelector('[data-present]') === null && location.hash.includes('chapter=9');")
        .await?;
    browser.close().await
}

#[tokio::test]
async fn the_notes_window_and_the_presenter_turn_pages_for_each_other() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start(1024, 768).await?;
    browser
        .open(&host.address("v1;lecture=shared-memory/1;present=on"))
        .await?;
    shows(&browser, 1, "this store takes 1 wavefront").await?;
    let presenter = browser.client.window().await?;
    browser.click("present-notes").await?;
    browser.wait_until("return true;").await?;
    let mut windows = browser.client.windows().await?;
    for _ in 0..100 {
        if windows.len() == 2 {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        windows = browser.client.windows().await?;
    }
    let notes = windows
        .into_iter()
        .find(|window| *window != presenter)
        .ok_or("there is no notes window")?;
    browser.client.switch_to_window(notes.clone()).await?;
    browser
        .wait_for("notes-title", |text| text == "Bank layout")
        .await?;
    browser.wait_for("notes-next", |text| text == "Broadcast").await?;
    browser
        .wait_for("notes-elapsed", |text| text.contains(':'))
        .await?;
    browser.click("notes-on").await?;
    browser
        .wait_for("notes-title", |text| text == "Broadcast")
        .await?;
    browser.client.switch_to_window(presenter.clone()).await?;
    shows(&browser, 2, "ideal is 1 to 2").await?;
    // A frozen presenter stays, and says so; the clicker turns the page of the notes window.
    browser.script("document.activeElement.blur();").await?;
    browser.press('f').await?;
    browser.wait_for("frozen", |text| text == "Frozen").await?;
    browser.press(PAGE_DOWN).await?;
    browser.client.switch_to_window(notes).await?;
    browser
        .wait_for("notes-title", |text| text == "Column read")
        .await?;
    browser.find("notes-frozen").await?;
    browser.client.switch_to_window(presenter).await?;
    shows(&browser, 2, "ideal is 1 to 2").await?;
    browser.press('f').await?;
    shows(&browser, 3, "this load takes 32 wavefronts").await?;
    browser.close().await
}

#[tokio::test]
async fn a_blocked_notes_window_is_a_link() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start(1024, 768).await?;
    browser.before_page("window.open = () => null;").await?;
    browser
        .open(&host.address("v1;lecture=shared-memory/1;present=on"))
        .await?;
    shows(&browser, 1, "").await?;
    browser.press('x').await?;
    browser.find("notes-blocked").await?;
    browser
        .wait_until(
            "return document.querySelector('[data-testid=notes-link]').href.includes('present=notes');",
        )
        .await?;
    browser.close().await
}

#[tokio::test]
async fn chapters_and_notes_are_made_on_the_page_and_travel_in_the_link() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start(1440, 900).await?;
    browser.open(&host.address("v1;view=banks;cycle=1400")).await?;
    browser.click("header-chapters").await?;
    browser.click("chapter-add").await?;
    let title = browser.find("chapter-title-1").await?;
    title.clear().await?;
    title.send_keys("One bank").await?;
    let text = browser.find("chapter-text-1").await?;
    text.send_keys("Point at the bank.").await?;
    browser.click("dialog-close").await?;
    browser
        .wait_until("return location.hash.includes('c1.title=One+bank') && location.hash.includes('c1.text=Point+at+the+bank.');")
        .await?;
    browser.find("stop-1").await?;
    // A note on a bank, by keys.
    browser.click("header-chapters").await?;
    browser.click("note-add").await?;
    browser.find("overlay").await?;
    browser.press('.').await?;
    browser.press(ENTER).await?;
    // The text has the focus and is selected.
    browser
        .wait_until("return document.activeElement?.dataset.testid === 'note-text';")
        .await?;
    for letter in "All lanes meet here".chars() {
        browser.press(letter).await?;
    }
    browser.press(ENTER).await?;
    browser
        .wait_until("return location.hash.includes('All+lanes+meet+here');")
        .await?;
    let link = browser.script("return location.hash;").await?;
    let other = Browser::start(390, 844).await?;
    other.resize(390, 844).await?;
    other
        .open(&host.address(link.as_str().unwrap_or_default()))
        .await?;
    other
        .wait_until("return document.querySelector('[data-testid=note-1]').getAttribute('aria-label') === 'Note 1: All lanes meet here';")
        .await?;
    other.close().await?;
    browser.close().await
}

#[tokio::test]
async fn a_stroke_is_drawn_and_removed() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start(1024, 768).await?;
    browser
        .open(&host.address("v1;lecture=shared-memory/3;present=on"))
        .await?;
    shows(&browser, 3, "32 wavefronts").await?;
    browser.press('d').await?;
    browser.find("overlay").await?;
    let strokes = "document.querySelectorAll('[data-testid=strokes] path').length";
    for hand in [Hand::Mouse, Hand::Touch] {
        browser
            .drag(hand, &[(300.0, 250.0), (450.0, 300.0), (600.0, 350.0)])
            .await?;
        browser.wait_until(&format!("return {strokes} === 1;")).await?;
        // The stroke has the way of the pointer, not a dot: its ends are on the screen where the pointer was.
        let ends = browser
            .script(
                "const path = document.querySelector('[data-testid=strokes] path'), turn = path.getScreenCTM();
                return [0, path.getTotalLength()].map(at => path.getPointAtLength(at).matrixTransform(turn)).map(at => [at.x, at.y]);",
            )
            .await?;
        let ends: [(f64, f64); 2] = serde_json::from_value(ends)?;
        for ((x, y), wanted) in ends.into_iter().zip([(300.0, 250.0), (600.0, 350.0)]) {
            assert!(
                (x - wanted.0).abs() < 4.0 && (y - wanted.1).abs() < 4.0,
                "{hand:?}: {ends:?}"
            );
        }
        browser.press('u').await?;
        browser.wait_until(&format!("return {strokes} === 0;")).await?;
    }
    browser.close().await
}

#[tokio::test]
async fn the_handout_has_one_page_with_vectors() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start(1440, 900).await?;
    browser.open(&host.address("v1;lecture=shared-memory/3")).await?;
    browser
        .wait_until("return location.hash.includes('chapter=3');")
        .await?;
    browser
        .script("window.dispatchEvent(new Event('beforeprint'));")
        .await?;
    browser
        .wait_until(
            "const handout = document.querySelector('[data-testid=handout]');
            return handout?.querySelector('h1').textContent === 'Column read' && handout.querySelector('.handout-picture svg') !== null
                && handout.querySelectorAll('ol li').length === 10 && handout.querySelector('[data-marked]') !== null
                && handout.querySelector('[data-testid=handout-code]') !== null && handout.querySelector('canvas') === null;",
        )
        .await?;
    browser
        .script("window.dispatchEvent(new Event('afterprint'));")
        .await?;
    browser
        .wait_until("return document.querySelector('[data-testid=handout]') === null;")
        .await?;
    browser.close().await
}
