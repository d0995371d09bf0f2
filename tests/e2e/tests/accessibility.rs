//! axe-core in every dialog and state that has no link, 200 % zoom, and the text for a screen reader.

use std::collections::BTreeSet;
use std::process::Command;

use serde_json::{Value, json};
use warpscope_e2e::{Browser, Error, Host, is_tried};

const ESCAPE: char = '\u{e00c}';
const RIGHT: char = '\u{e014}';

/// States of the page: a link, what to press or click there, and an element that shows that it is reached.
const STATES: [(&str, &[&str], &str); 31] = [
    ("", &[], "welcome"),
    ("v1;tour=1", &[], "tour"),
    ("v1;tour=8", &[], "tour"),
    ("v1;panel=find", &[], "find-run-count"),
    ("v1;panel=outputs;kernel=saxpy", &[], "outputs-when"),
    ("v1;cycle=303", &["sheet"], "stage-canvas"),
    ("v1;cycle=1284", &["explanation"], "inspector"),
    ("v1;cycle=800;part=scheduler.1;why=2", &[], "stage-canvas"),
    ("v1;view=findings;cycle=5681", &[], "stage-canvas"),
    ("v1;view=caches;cycle=1400", &[], "stage-canvas"),
    (
        "v1;view=divergence;kernel=ladder-2;cycle=1100",
        &[],
        "stage-canvas",
    ),
    ("v1;view=plots;cycle=1400", &[], "stage-canvas"),
    (
        "v1;arch=gt200;view=arithmetic;calc=1.00001f*1.00001f-1",
        &[],
        "stage-canvas",
    ),
    ("v1;view=arithmetic;calc=1.0f*", &[], "calc-mistake"),
    (
        "v1;kernel=vector-add;view=device;cycle=100;smid=2",
        &[],
        "stage-canvas",
    ),
    (
        "v1;arch=gv100;kernel=clients-small;view=streams;processes=2;mps=on;call=3",
        &[],
        "stage-canvas",
    ),
    (
        "v1;kernel=product-tensor;view=tensor;cycle=660;lane=9;sum=3.5",
        &[],
        "stage-canvas",
    ),
    ("v1;cycle=700;warp=3;why=3", &[], "inspector"),
    ("v1;cycle=701;warp=3", &["card"], "card"),
    ("v1;lecture=shared-memory/3;panel=chapters", &[], "chapter-list"),
    ("v1;lecture=shared-memory/3;present=on", &[], "chapter"),
    ("v1;lecture=shared-memory/3;present=notes", &[], "notes-column"),
    ("v1;cycle=300", &["palette"], "find"),
    ("v1;cycle=301", &["Share"], "share-link"),
    ("v1;cycle=302", &["Export"], "stage-canvas"),
    ("v1;kernel=saxpy;view=checks", &[], "pane"),
    ("v1;kernel=mistake-race;view=checks", &[], "pane"),
    (
        "v1;arch=gf100;view=timeline;compare=gv100;cycle=300",
        &[],
        "side-state-2",
    ),
    ("v1;view=compare;compare=gv100", &[], "pane"),
    ("v1;lesson=memory/column-read;step=2", &["wrong"], "lesson-ask"),
    ("v1;lesson=memory/column-read;step=3", &["shown"], "lesson-grade"),
];

/// Opens a link in the open page, as a click on it does, and waits until its run is complete.
async fn follow(browser: &Browser, link: &str) -> Result<(), Error> {
    browser
        .script(&format!("location.hash = {};", json!(link)))
        .await?;
    let opened = format!(
        "const [link, pane, cycle] = [{}, ...['[data-testid=stage-canvas]', '[data-testid=cycle-of]']
            .map(css => document.querySelector(css))];
        return link.includes('view=checks') ? pane === null : pane !== null && cycle.textContent.startsWith('of ');",
        json!(link)
    );
    browser
        .wait_until(&opened)
        .await
        .map_err(|error| format!("{link}: {error}"))?;
    let still = "const done = arguments[0], frame = () => new Promise(requestAnimationFrame);
        frame().then(frame)
            .then(() => Promise.allSettled(document.getAnimations().map(one => one.finished)))
            .then(() => done());";
    browser.client.execute_async(still, Vec::new()).await?;
    Ok(())
}

/// The themes, widths in pixels, and densities.
const WAYS: [(&str, u32, &str); 5] = [
    ("light", 1440, "normal"),
    ("dark", 1440, "normal"),
    ("light", 390, "normal"),
    ("dark", 390, "normal"),
    ("light", 1024, "projector"),
];

/// Finds what axe-core finds in the states of a way.
async fn violations(way: usize) -> Result<BTreeSet<String>, Error> {
    let (theme, width, density) = WAYS[way];
    let host = Host::start()?;
    let mut found = BTreeSet::new();
    let height = if width < 500 { 844 } else { 768 };
    let browser = Browser::start(width, height).await?;
    browser.resize(width, height).await?;
    let features = json!({ "features": [
        { "name": "prefers-color-scheme", "value": theme }, { "name": "prefers-reduced-motion", "value": "reduce" }
    ] });
    browser.dev_tools("Emulation.setEmulatedMedia", features).await?;
    let mut is_open = false;
    for (idx, (link, actions, reached)) in STATES.into_iter().enumerate() {
        if !is_tried(idx, way, 4) {
            continue;
        }
        let link = match (link, density) {
            ("", _) | (_, "normal") => link.to_owned(),
            (link, density) => format!("{link};density={density}"),
        };
        if is_open {
            follow(&browser, &link).await?;
        } else {
            browser.open(&host.address(&link)).await?;
            is_open = true;
        }
        for action in actions {
            act(&browser, action, width).await?;
        }
        browser
            .find(reached)
            .await
            .map_err(|error| format!("{theme} {width} {link}: {error}"))?;
        for line in browser.violations().await? {
            found.insert(format!("{theme} {width} {link} {actions:?}: {line}"));
        }
    }
    browser.close().await?;
    Ok(found)
}

// One test for each window and theme, so that they run side by side.

#[tokio::test]
async fn axe_core_finds_nothing_in_a_wide_light_window() -> Result<(), Error> {
    assert_eq!(violations(0).await?, BTreeSet::new());
    Ok(())
}

#[tokio::test]
async fn axe_core_finds_nothing_in_a_wide_dark_window() -> Result<(), Error> {
    assert_eq!(violations(1).await?, BTreeSet::new());
    Ok(())
}

#[tokio::test]
async fn axe_core_finds_nothing_on_a_light_phone() -> Result<(), Error> {
    assert_eq!(violations(2).await?, BTreeSet::new());
    Ok(())
}

#[tokio::test]
async fn axe_core_finds_nothing_on_a_dark_phone() -> Result<(), Error> {
    assert_eq!(violations(3).await?, BTreeSet::new());
    Ok(())
}

#[tokio::test]
async fn axe_core_finds_nothing_in_projector_size() -> Result<(), Error> {
    assert_eq!(violations(4).await?, BTreeSet::new());
    Ok(())
}

/// Reaches a state that has no link.
async fn act(browser: &Browser, action: &str, width: u32) -> Result<(), Error> {
    match action {
        "palette" => {
            browser
                .script("document.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true, bubbles: true }));")
                .await?;
        }
        "wrong" => {
            browser.find("lesson-number").await?;
            browser.click("lesson-number").await?;
            browser.press('1').await?;
            browser.click("lesson-check").await?;
            browser
                .wait_until("return document.querySelector('[data-grade=wrong]') !== null;")
                .await?;
            browser.click("lesson-hint").await?;
            browser.find("lesson-hint-text").await?;
        }
        "shown" => browser.click("lesson-show").await?,
        // The setup and the inspector are sheets on a phone, which no link opens.
        "sheet" if width < 500 => browser.click("header-set-up").await?,
        "explanation" if width < 500 => browser.click("peek").await?,
        "sheet" | "explanation" => {}
        "card" => browser.press(';').await?,
        name => {
            let name = name.to_lowercase();
            if width < 500 {
                browser.click("header-more").await?;
                browser.click(&format!("more-{name}")).await?;
            } else if browser.has(&format!("header-{name}")).await? && width > 1180 {
                browser.click(&format!("header-{name}")).await?;
            } else {
                act_by_palette(browser, &name).await?;
            }
        }
    }
    Ok(())
}

async fn act_by_palette(browser: &Browser, name: &str) -> Result<(), Error> {
    browser
        .script("document.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true, bubbles: true }));")
        .await?;
    browser.find("find").await?;
    for key in name.chars() {
        browser.press(key).await?;
    }
    browser.press('\u{e007}').await
}

/// At 200 % zoom, a window of 1440 x 900 has 720 x 450 CSS pixels.
#[tokio::test]
async fn nothing_is_lost_at_200_percent_zoom() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start(1440, 900).await?;
    let zoomed = json!({ "width": 720, "height": 450, "deviceScaleFactor": 2, "mobile": false });
    browser
        .dev_tools("Emulation.setDeviceMetricsOverride", zoomed)
        .await?;
    for (link, ids) in [
        (
            "v1;cycle=1284",
            &["headline", "stage-canvas", "play", "cycle", "header-more"][..],
        ),
        ("v1;view=banks;cycle=1400", &["headline", "stage-canvas", "play"]),
        ("v1;panel=help", &["dialog-close", "help-tour"]),
        ("v1;panel=lessons", &["dialog-close", "lesson-memory-column-read"]),
        ("v1;tour=4", &["tour-title", "tour-next", "headline"]),
        (
            "v1;lesson=memory/column-read;step=2",
            &["lesson-number", "lesson-check", "lesson-next", "lesson-leave"],
        ),
        (
            "v1;lesson=memory/column-read;step=4",
            &["lesson-check", "lesson-next"],
        ),
    ] {
        browser.client.goto("about:blank").await?;
        browser.open(&host.address(link)).await?;
        for id in ids {
            browser.find(id).await?;
            // Scrolled into view as by the focus, the element is inside the window and not covered.
            let lost = format!(
                "const element = document.querySelector('[data-testid=\"{id}\"]');
                element.scrollIntoView({{ block: 'nearest' }});
                const r = element.getBoundingClientRect();
                if (r.width < 2 || r.height < 2) return 'empty';
                const x = Math.min(r.left + r.width / 2, innerWidth - 2), y = Math.min(r.top + 3, r.top + r.height / 2);
                if (x < 0 || y < 0 || y > innerHeight) return 'outside at ' + [x, y].map(Math.round);
                const at = document.elementFromPoint(x, y);
                return element.contains(at) || at?.contains(element) ? null : 'covered by ' + at?.outerHTML.slice(0, 80);"
            );
            assert_eq!(browser.script(&lost).await?, Value::Null, "{link}: {id}");
        }
        let wide = browser
            .script("return document.documentElement.scrollWidth <= innerWidth;")
            .await?;
        assert_eq!(wide, Value::Bool(true), "{link} scrolls sideways");
    }
    browser.close().await
}

/// The first line that the command line prints for a view: its sentence.
fn sentence(link: &str, size: &Value) -> Result<String, Error> {
    let output = Command::new(std::env::var("WARPSCOPE")?)
        .args(["twin", "--link", link])
        .args(["--width", &size[0].to_string(), "--height", &size[1].to_string()])
        .output()?;
    let text = String::from_utf8(output.stdout)?;
    Ok(text.lines().next().unwrap_or_default().to_owned())
}

#[tokio::test]
async fn a_screen_reader_is_told_true_sentences_no_faster_than_it_reads() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start(1440, 900).await?;
    browser.open(&host.address("v1")).await?;
    browser
        .script(
            "window.said = [];
            const region = document.querySelector('[data-testid=announcement]');
            new MutationObserver(() => window.said.push([performance.now(), region.textContent,
                document.querySelector('[data-testid=cycle]').textContent]))
                .observe(region, { subtree: true, childList: true, characterData: true });",
        )
        .await?;
    let size = browser
        .script("const frame = document.querySelector('#stage-panel .canvas'); return [frame.clientWidth, frame.clientHeight];")
        .await?;
    // Through the whole run by keys: each step says the sentence of its cycle.
    let mut cycles = Vec::new();
    for key in ['i', 's', 'i', 's', 'e', RIGHT, 'e', 's', 'i', '\u{e010}'] {
        let before = browser.script("return window.said.length;").await?;
        browser.press(key).await?;
        browser
            .wait_until(&format!("return window.said.length > {before};"))
            .await
            .map_err(|error| format!("{key:?}: {error}"))?;
        let said = browser.script("return window.said.at(-1);").await?;
        let cycle = said[2].as_str().unwrap_or_default().replace(',', "");
        let wanted = sentence(&format!("v1;cycle={cycle}"), &size)?;
        assert!(
            said[1].as_str().is_some_and(|text| text.contains(&wanted)),
            "{key:?}: {said}, not `{wanted}`"
        );
        cycles.push(cycle);
    }
    assert_eq!(cycles.last().map(String::as_str), Some("5681"));
    // The run played from its start at the fastest speed says one sentence, at its end.
    browser.press('\u{e011}').await?;
    browser.click("speed-max").await?;
    browser
        .script("window.said.length = 0; document.activeElement.blur();")
        .await?;
    browser.press(' ').await?;
    browser.wait_for("cycle", |text| text == "5,681").await?;
    tokio::time::sleep(std::time::Duration::from_millis(300)).await;
    let said = browser.script("return window.said.map(row => row[1]);").await?;
    let wanted = sentence("v1;cycle=5681", &size)?;
    let said: Vec<&str> = said
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(said[0].contains(&wanted), "{said:?}, not `{wanted}`");
    browser.press(ESCAPE).await?;
    browser.close().await
}
