//! The workbench as a whole: sentences of views, keyboard access, axe-core, and links.

use std::collections::BTreeSet;
use std::process::Command;

use serde_json::Value;
use warpscope_e2e::{Browser, Error, Host, is_tried};

const KEY_ESCAPE: char = '\u{e00c}';
const KEY_ENTER: char = '\u{e007}';
const KEY_TAB: char = '\u{e004}';
const KEY_RIGHT: char = '\u{e014}';
const KEY_UP: char = '\u{e013}';
const KEY_DOWN: char = '\u{e015}';

/// Each view with a kernel suitable for it, and two cycles.
const VIEWS: [(&str, &str, [u64; 2]); 10] = [
    ("sm", "arch=gf100;kernel=matmul-tiled", [150, 900]),
    ("timeline", "kernel=transpose-tiled", [100, 700]),
    ("stalls", "arch=gp104;kernel=matmul-tiled", [100, 700]),
    ("banks", "kernel=transpose-tiled", [100, 1400]),
    ("coalescing", "arch=gt200;kernel=strided-copy", [60, 300]),
    ("carveout", "arch=gv100;kernel=matmul-tiled", [50, 400]),
    ("registers", "arch=gp104;kernel=saxpy", [20, 200]),
    ("source", "kernel=transpose-tiled", [100, 700]),
    ("occupancy", "arch=gf100;kernel=matmul-tiled", [10, 500]),
    ("banks", "play=shared;expr=tile[threadIdx.x][threadIdx.y]", [0, 1]),
];

/// The command line's output for a link at a size: the sentence, and rows of cells.
fn told(link: &str, size: &Value) -> Result<Vec<String>, Error> {
    let program = std::env::var("WARPSCOPE")?;
    let output = Command::new(program)
        .args(["twin", "--link", link])
        .args(["--width", &size[0].to_string(), "--height", &size[1].to_string()])
        .output()?;
    if !output.status.success() {
        return Err(format!("{link}: {}", String::from_utf8_lossy(&output.stderr)).into());
    }
    Ok(String::from_utf8(output.stdout)?
        .lines()
        .map(str::to_owned)
        .collect())
}

/// Opens a link in the current page, and waits until its run is complete.
async fn follow(browser: &Browser, link: &str) -> Result<(), Error> {
    browser
        .script(&format!(
            "location.hash = '#' + {};",
            serde_json::to_string(link)?
        ))
        .await?;
    browser
        .wait_for("cycle-of", |text| !text.starts_with("simulating"))
        .await?;
    Ok(())
}

#[tokio::test]
async fn each_view_shows_the_library_s_sentence_and_table() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start(1440, 900).await?;
    browser.open(&host.address("")).await?;
    for (view, scenario, cycles) in VIEWS {
        for cycle in cycles {
            let link = format!("v1;{scenario};view={view};cycle={cycle};table=on");
            follow(&browser, &link).await?;
            // The picture may need a frame to determine its size.
            let size = "const frame = document.querySelector('#stage-panel .canvas');
                 return [frame.clientWidth, frame.clientHeight];";
            let size = browser.script(size).await?;
            let told = told(&link, &size)?;
            let sentence = browser.wait_for("headline", |text| text == told[0]).await;
            sentence.map_err(|error| format!("{link}: {error}; the library says `{}`", told[0]))?;
            let rows = "return [...document.querySelectorAll('[data-testid=twin] tr')]
                 .map(row => [...row.cells].map(cell => cell.textContent).join('\\t'));";
            let rows = browser.script(rows).await?;
            let shown: Vec<&str> = rows
                .as_array()
                .ok_or("no rows")?
                .iter()
                .filter_map(Value::as_str)
                .collect();
            let told: Vec<&str> = told[1..].iter().map(String::as_str).collect();
            assert!(!told.is_empty(), "{link}: an empty table");
            assert_eq!(shown, told, "{link}");
        }
    }
    browser.close().await
}

/// Presses Tab until an element has the focus.
async fn tab_to(browser: &Browser, testid: &str) -> Result<(), Error> {
    for _ in 0..160 {
        browser.press(KEY_TAB).await?;
        let focus = browser
            .script("return document.activeElement.dataset.testid ?? '';")
            .await?;
        if focus == testid {
            return Ok(());
        }
        if focus == "editor" {
            // Escape, then Tab leaves the editor.
            browser.press(KEY_ESCAPE).await?;
        }
    }
    Err(format!("Tab does not come to {testid}").into())
}

/// Visible controls that Tab did not reach, except those that arrow keys reach.
const MISSED: &str = "
    const seen = element => element.checkVisibility({ visibilityProperty: true }) && !element.disabled;
    return [...document.querySelectorAll('button, input, select, textarea, canvas, a[href], [tabindex=\"0\"]')]
        .filter(element => seen(element) && element.tabIndex >= 0 && !element.hasAttribute('data-reached'))
        .map(element => element.dataset.testid ?? element.outerHTML.slice(0, 120));";

#[tokio::test]
async fn every_control_is_operable_by_keyboard() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start(1440, 900).await?;
    for link in ["v1;split=banks", "v1;view=registers"] {
        browser.open(&host.address("")).await?;
        follow(&browser, link).await?;
        // Undo is enabled only if there is a step to undo.
        browser.press('\\').await?;
        browser.press('\\').await?;
        // The words that have cards become buttons when the glossary has arrived, which the focus requests.
        browser
            .script(
                "document.querySelector('.insp').dispatchEvent(new FocusEvent('focusin', { bubbles: true }));
                 document.activeElement.blur();",
            )
            .await?;
        tokio::time::sleep(std::time::Duration::from_secs(1)).await;
        let mut last = 0;
        for idx in 0..400 {
            browser.press(KEY_TAB).await?;
            let focus = browser
                .script(
                    "const e = document.activeElement;
                     const name = e.getAttribute('aria-label') ?? e.labels?.[0]?.textContent ?? e.textContent.trim();
                     const fresh = !e.hasAttribute('data-reached') && e !== document.body;
                     e.setAttribute('data-reached', '');
                     const ring = getComputedStyle(e);
                     return [e.dataset.testid ?? '', name, fresh];",
                )
                .await?;
            let id = focus[0].as_str().unwrap_or_default();
            assert!(id.is_empty() || focus[1] != "", "{id} has no name");
            if id == "editor" {
                browser.press(KEY_ESCAPE).await?;
            }
            if focus[2] == true {
                last = idx;
            } else if idx > last + 12 {
                break;
            }
        }
        let missed = browser.script(MISSED).await?;
        assert_eq!(
            missed,
            serde_json::json!([]),
            "{link}: Tab does not come to these"
        );
    }

    // Activates the important controls.
    browser.open(&host.address("")).await?;
    follow(&browser, "v1").await?;
    tab_to(&browser, "tab-sm").await?;
    browser.press(KEY_RIGHT).await?;
    assert_eq!(
        attribute(&browser, "tab-timeline", "aria-selected").await?,
        "true"
    );
    tab_to(&browser, "split").await?;
    browser.press(KEY_ENTER).await?;
    browser.find("pane-2").await?;
    tab_to(&browser, "divider").await?;
    browser.press(KEY_RIGHT).await?;
    assert_eq!(attribute(&browser, "divider", "aria-valuenow").await?, "55");
    tab_to(&browser, "unsplit-2").await?;
    browser.press(KEY_ENTER).await?;
    tab_to(&browser, "table").await?;
    browser.press(KEY_ENTER).await?;
    browser.find("twin").await?;
    browser.press(KEY_ENTER).await?;
    tab_to(&browser, "play").await?;
    browser.press(' ').await?;
    browser.wait_for("cycle", |text| text != "0").await?;
    browser.press(' ').await?;
    tab_to(&browser, "arch-tu102").await?;
    browser.press(KEY_RIGHT).await?;
    browser
        .wait_for("cycle-of", |text| text.starts_with("of "))
        .await?;
    assert!(fragment(&browser).await?.contains("arch="));
    tab_to(&browser, "header-undo").await?;
    browser.press(KEY_ENTER).await?;
    browser
        .wait_for("cycle-of", |text| text.starts_with("of "))
        .await?;
    assert!(!fragment(&browser).await?.contains("arch="));

    set_up_by_keys(&browser).await?;

    // Targets of a picture, with their tooltips.
    tab_to(&browser, "stage-canvas").await?;
    browser.press('.').await?;
    browser.press('.').await?;
    assert!(!browser.text("announcement").await?.is_empty());
    browser.press(KEY_ENTER).await?;

    dialogs_by_keys(&browser).await?;
    browser.close().await
}

/// Dialogs return the focus to their opener; the command palette opens a view.
async fn dialogs_by_keys(browser: &Browser) -> Result<(), Error> {
    for (opener, dialog) in [
        ("header-recent", "recent"),
        ("header-help", "help"),
        ("header-find", "palette"),
    ] {
        tab_to(browser, opener).await?;
        browser.press(KEY_ENTER).await?;
        browser.find(dialog).await?;
        browser.press(KEY_ESCAPE).await?;
        let mut focus = Value::Null;
        for _ in 0..40 {
            focus = browser
                .script("return document.activeElement.dataset.testid ?? null;")
                .await?;
            if focus == opener {
                break;
            }
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
        assert_eq!(focus, opener, "the focus after {dialog}");
        assert!(!browser.has(dialog).await?);
    }
    browser.press(KEY_ENTER).await?;
    for letter in "occup".chars() {
        browser.press(letter).await?;
    }
    browser.press(KEY_DOWN).await?;
    browser.press('\u{e013}').await?;
    browser.press(KEY_ENTER).await?;
    assert_eq!(
        attribute(browser, "tab-occupancy", "aria-selected").await?,
        "true"
    );
    Ok(())
}

/// The setup panel by keys alone: kernel, variant, options in their fold, a field, the carveout.
async fn set_up_by_keys(browser: &Browser) -> Result<(), Error> {
    tab_to(browser, "kernel-menu").await?;
    browser.press(KEY_DOWN).await?;
    browser
        .wait_for("scenario-name", |text| !text.starts_with("transpose"))
        .await?;
    tab_to(browser, "header-undo").await?;
    browser.press(KEY_ENTER).await?;
    browser
        .wait_for("scenario-name", |text| text == "transpose-tiled")
        .await?;
    tab_to(browser, "variant-transpose-padded").await?;
    browser.press(' ').await?;
    browser
        .wait_for("scenario-name", |text| text == "transpose-padded")
        .await?;
    tab_to(browser, "options-fold").await?;
    browser.press(KEY_ENTER).await?;
    tab_to(browser, "option-fast-math").await?;
    browser.press(' ').await?;
    link_comes_to(browser, "fastmath=on").await?;
    tab_to(browser, "launch-grid").await?;
    // Tab selects the field's text.
    browser.press('1').await?;
    browser.press(KEY_TAB).await?;
    link_comes_to(browser, "grid=1").await?;
    tab_to(browser, "carveout").await?;
    // Without a requested carveout, the driver picks the smallest size that fits the blocks.
    browser.press(KEY_UP).await?;
    link_comes_to(browser, "carveout=64").await?;
    Ok(())
}

async fn attribute(browser: &Browser, testid: &str, name: &str) -> Result<String, Error> {
    Ok(browser.find(testid).await?.attr(name).await?.unwrap_or_default())
}

/// Waits until the link contains a pair.
async fn link_comes_to(browser: &Browser, pair: &str) -> Result<(), Error> {
    let mut link = String::new();
    for _ in 0..60 {
        link = fragment(browser).await?;
        if link.split(';').any(|part| part == pair) {
            return Ok(());
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    Err(format!("`{pair}` does not come into `{link}`").into())
}

/// The link in the address.
async fn fragment(browser: &Browser) -> Result<String, Error> {
    Ok(browser
        .client
        .current_url()
        .await?
        .fragment()
        .unwrap_or_default()
        .to_owned())
}

#[tokio::test]
async fn axe_core_finds_nothing_in_both_themes() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start(1440, 900).await?;
    browser.open(&host.address("")).await?;
    let mut found = BTreeSet::new();
    let mut links: Vec<String> = VIEWS
        .iter()
        .map(|(view, scenario, cycles)| format!("v1;{scenario};view={view};cycle={}", cycles[1]))
        .collect();
    links.push("v1;view=timeline;table=on;split=stalls".to_owned());
    for panel in ["help", "keys", "sources", "recent", "lessons", "glossary"] {
        links.push(format!("v1;panel={panel}"));
    }
    // A question for a number with two runs, a click on the picture, and a task in the editor.
    for lesson in ["transpose/tiled", "memory/column-read", "transpose/tiled;step=4"] {
        links.push(format!("v1;lesson={lesson}"));
    }
    let ways = [("light", 1440), ("dark", 1440), ("light", 390), ("dark", 390)];
    for (way, (theme, width)) in ways.into_iter().enumerate() {
        browser.resize(width, if width < 500 { 844 } else { 900 }).await?;
        browser
            .script(&format!("document.documentElement.dataset.theme = '{theme}';"))
            .await?;
        for (idx, link) in links.iter().enumerate() {
            if !is_tried(idx, way, 4) {
                continue;
            }
            follow(&browser, link).await?;
            if link.contains("lesson=") {
                browser.find("lesson-ask").await?;
            }
            if link.contains("panel=lessons") {
                browser.find("lesson-memory-column-read").await?;
            }
            if link.contains("panel=glossary") {
                browser.find("see-sm").await?;
            }
            for line in browser.violations().await? {
                found.insert(format!("{theme} {width} {link}: {line}"));
            }
        }
        browser.press(KEY_ESCAPE).await?;
    }
    assert!(found.is_empty(), "{found:#?}");
    browser.close().await
}

#[tokio::test]
async fn a_link_restores_everything_on_screen() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start(1440, 900).await?;
    browser.open(&host.address("v1;view=timeline;cycle=300")).await?;
    for testid in [
        "split",
        "table-2",
        "tab-banks-2",
        "speed-60",
        "zoom-in",
        "arch-gp104",
    ] {
        browser.click(testid).await?;
    }
    browser
        .wait_for("cycle-of", |text| text.starts_with("of "))
        .await?;
    // The address follows the Timeline after a delay.
    tokio::time::sleep(std::time::Duration::from_millis(600)).await;
    browser.script("document.activeElement.blur();").await?;
    browser.press_shifted('P').await?;
    browser.press('?').await?;
    let link = fragment(&browser).await?;
    for part in [
        "view=timeline",
        "split=banks",
        "table=second",
        "speed=60",
        "zoom=",
        "arch=gp104",
        "density=projector",
        "panel=keys",
    ] {
        assert!(link.contains(part), "{part} is not in {link}");
    }
    let ours = outline(&browser).await?;
    browser.close().await?;

    let other = Browser::start(1440, 900).await?;
    other.open(&host.address(&link)).await?;
    assert_eq!(outline(&other).await?, ours);
    assert!(!other.has("link-warnings").await?);
    other.close().await
}

/// The sentences of the page and the state of its parts.
async fn outline(browser: &Browser) -> Result<Value, Error> {
    // Simulation ahead of the page changes what the inspector shows.
    browser.wait_for("inspector", |text| !text.is_empty()).await?;
    let body = "const text = id => document.querySelector(`[data-testid=\"${id}\"]`)?.textContent ?? null;
        return [
            ...['headline', 'headline-2', 'twin-2', 'cycle', 'cycle-of', 'inspector', 'keys'].map(text),
            document.documentElement.dataset.density ?? null,
            [...document.querySelectorAll('[aria-selected=true], [aria-checked=true], [aria-pressed=true]')]
                .map(element => element.dataset.testid),
        ];";
    browser.script(body).await
}
