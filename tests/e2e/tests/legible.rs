//! The page at common sizes: no two controls intersect, nothing is cut off without a cue, names contain what is written,
//! and forced colors keep what is selected.

use std::time::Duration;

use fantoccini::Locator;
use serde_json::{Value, json};
use warpscope_e2e::{Browser, Error, Host, is_tried};

/// Window sizes of projectors, laptops, and a phone.
const SIZES: [(u32, u32); 5] = [(1024, 768), (1280, 720), (1366, 768), (1920, 1080), (390, 844)];

/// Every view, a split stage, and comparisons of two to four runs.
const VIEWS: [&str; 24] = [
    "view=sm;cycle=300",
    "view=timeline;cycle=300",
    "view=stalls;cycle=900",
    "view=banks;cycle=1400",
    "view=banks;play=shared;expr=tile[threadIdx.x][threadIdx.y]",
    "view=coalescing;cycle=900",
    "view=caches;cycle=900",
    "view=carveout;cycle=900",
    "view=registers;cycle=300",
    "view=source;cycle=900",
    "kernel=divergence;view=divergence;cycle=700",
    "view=occupancy;cycle=900",
    "kernel=saxpy;view=device;cycle=300",
    "kernel=streams-depth;arch=gf100;view=streams",
    "kernel=saxpy;view=arithmetic;cycle=900",
    "view=arithmetic;arch=gt200;calc=1.00001f*1.00001f-1",
    "kernel=product-tensor;view=tensor;cycle=660;lane=9",
    "view=checks",
    "view=timeline;split=banks;cycle=1400",
    "view=compare;compare=gf100;cycle=900",
    "view=compare;compare=gf100,gp104,gv100;cycle=900",
    "view=timeline;compare=gf100;cycle=900",
    "view=timeline;compare=gf100,gp104;cycle=900",
    "view=banks;compare=gf100,gp104,gv100;cycle=1400",
];

/// Faults of the page's layout: pairs of controls that intersect, controls that are cut off, parts that scroll without
/// a cue, and, in projector size, text below 13 px.
const FAULTS: &str = r"
    const shown = element => element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    const name = element => `${element.dataset.testid ?? element.className} ${element.textContent.trim().slice(0, 24)}`;
    const faults = [];
    // The part of an element that no scrolling or clipping part around it hides.
    const seen = element => {
        const whole = element.getBoundingClientRect();
        let [left, top, right, bottom] = [whole.left, whole.top, whole.right, whole.bottom];
        for (let part = element.parentElement; part; part = part.parentElement) {
            const style = getComputedStyle(part);
            if (style.overflowX !== 'visible' || style.overflowY !== 'visible') {
                const box = part.getBoundingClientRect();
                [left, top] = [Math.max(left, box.left), Math.max(top, box.top)];
                [right, bottom] = [Math.min(right, box.right), Math.min(bottom, box.bottom)];
            }
            if (style.position === 'fixed') break;
        }
        [left, top] = [Math.max(left, 0), Math.max(top, 0)];
        [right, bottom] = [Math.min(right, innerWidth), Math.min(bottom, innerHeight)];
        return right - left > 1 && bottom - top > 1 ? { left, top, right, bottom, whole } : null;
    };
    const controls = [...document.querySelectorAll(`.head button, .head input, .head .dim, .strip button, .tab-row button,
        .choices button, .choices select, .choices .label, .side-head select, .side-head button, .side-head .tag,
        .side-head .num, .side-state, .stage-head h1, .stage-head h2, .stage-head button, .controls button,
        .controls select, .controls .cycle, .controls .label, .looking, .peek`)]
        .filter(shown).map(element => [element, seen(element)]).filter(pair => pair[1]);
    for (const [idx, [one, a]] of controls.entries()) {
        for (const [other, b] of controls.slice(idx + 1)) {
            const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
            const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
            if (wide > 1 && high > 1 && !one.contains(other) && !other.contains(one)) {
                faults.push(`${name(one)} and ${name(other)} intersect by ${Math.round(wide)} x ${Math.round(high)}`);
            }
        }
        // In parts that scroll, the cue below is enough.
        const scrolls = one.closest('.tabs, .choices, .sides');
        const cut = a.whole.left < a.left - 1 || a.whole.right > a.right + 1 || a.whole.top < a.top - 1
            || a.whole.bottom > a.bottom + 1;
        if (cut && !scrolls) faults.push(`${name(one)} is cut off`);
    }
    for (const part of document.querySelectorAll('.canvas, .twin, .tabs, .choices, .insp, .setup, .sides, .head, .controls')) {
        if (!shown(part) || part.matches('.away')) continue;
        const style = getComputedStyle(part);
        const below = part.scrollTop + part.clientHeight < part.scrollHeight - 1;
        const right = part.scrollLeft + part.clientWidth < part.scrollWidth - 1;
        const cue = (part.dataset.more ?? '').split(' ');
        const label = part.matches('.canvas') && getComputedStyle(part.parentElement, '::after').content.includes('More below');
        if (below && style.overflowY !== 'visible' && !(cue.includes('below') && (label || style.maskImage !== 'none' || getComputedStyle(part, '::after').content !== 'none'))) {
            faults.push(`${part.className} has more below, without a cue`);
        }
        if (right && style.overflowX !== 'visible' && !(cue.includes('right') && style.maskImage !== 'none')) {
            faults.push(`${part.className} has more at the right, without a cue`);
        }
        if (right && style.overflowX === 'visible') faults.push(`${part.className} overflows`);
    }
    const editor = document.querySelector('.rail .editor');
    if (editor && shown(editor) && seen(editor) && editor.clientHeight < 140) {
        faults.push(`the code is ${editor.clientHeight} px high`);
    }
    if (document.documentElement.dataset.density === 'projector') {
        const walk = document.createTreeWalker(document.querySelector('.bench'), NodeFilter.SHOW_TEXT);
        for (let node = walk.nextNode(); node; node = walk.nextNode()) {
            const parent = node.parentElement;
            if (!node.textContent.trim() || !shown(parent) || !seen(parent)) continue;
            const px = parseFloat(getComputedStyle(parent).fontSize);
            if (px < 12) faults.push(`${name(parent)} is ${px} px`);
        }
    }
    return faults;";

/// Opens a link in the current page, and waits until its run is complete.
async fn follow(browser: &Browser, link: &str) -> Result<(), Error> {
    let script = format!("location.hash = '#' + {};", serde_json::to_string(link)?);
    browser.script(&script).await?;
    browser
        .wait_for("cycle-of", |text| !text.starts_with("simulating"))
        .await?;
    settle().await;
    Ok(())
}

/// Waits until the page has followed a change, including the marks of what scrolls on an idle machine.
async fn settle() {
    tokio::time::sleep(std::time::Duration::from_millis(300)).await;
}

/// The faults that a script still finds after two seconds: the marks of what scrolls follow a change after a while.
async fn lasting(browser: &Browser, script: &str) -> Result<Value, Error> {
    let mut faults = browser.script(script).await?;
    for _ in 0..10 {
        if faults.as_array().is_none_or(Vec::is_empty) {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(200)).await;
        faults = browser.script(script).await?;
    }
    Ok(faults)
}

/// Adds a script's list of faults, each with what is shown.
fn note(all: &mut Vec<String>, what: &str, faults: &Value) {
    for fault in faults.as_array().into_iter().flatten() {
        all.push(format!("{what}: {}", fault.as_str().unwrap_or_default()));
    }
}

#[tokio::test]
async fn controls_do_not_intersect_and_nothing_is_cut_off_without_a_cue() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start(1440, 900).await?;
    browser.open(&host.address("")).await?;
    let mut all = Vec::new();
    // A phone is no projector.
    let ways = SIZES
        .iter()
        .flat_map(|size| [(size, ""), (size, ";density=projector")])
        .filter(|((width, _), density)| *width > 500 || density.is_empty());
    for (way, ((width, height), density)) in ways.enumerate() {
        browser.resize(*width, *height).await?;
        for (idx, view) in VIEWS.iter().enumerate() {
            if is_tried(idx, way, 5) {
                follow(&browser, &format!("v1;{view}{density}")).await?;
                let faults = lasting(&browser, FAULTS).await?;
                note(&mut all, &format!("{width} x {height} {view}{density}"), &faults);
            }
        }
    }
    assert!(all.is_empty(), "{}", all.join("\n"));
    browser.close().await
}

/// Narrows the tabs, which were too wide, and widens them again directly after the marks were set, as an answer of a
/// worker can.
const WIDEN_AGAIN: &str = r"
    const tabs = document.querySelector('.tabs');
    const wide = document.createElement('span');
    wide.style.cssText = 'flex: none; width: 3000px';
    const change = () => document.dispatchEvent(new Event('scroll'));
    tabs.append(wide);
    change();
    setTimeout(() => {
        new MutationObserver((_, observer) => {
            observer.disconnect();
            tabs.append(wide);
            change();
        }).observe(tabs, { attributeFilter: ['data-more'] });
        wide.remove();
        change();
    }, 500);";

#[tokio::test]
async fn a_change_directly_after_the_marks_gets_its_own() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start(1920, 1080).await?;
    browser.open(&host.address("v1;view=sm;cycle=300")).await?;
    follow(&browser, "v1;view=sm;cycle=301").await?;
    browser.script(WIDEN_AGAIN).await?;
    tokio::time::sleep(std::time::Duration::from_secs(1)).await;
    let wide = browser
        .script("return document.querySelector('.tabs').scrollWidth > 3000;")
        .await?;
    assert_eq!(wide, json!(true));
    let faults = lasting(&browser, FAULTS).await?;
    assert_eq!(faults, json!([]));
    browser.close().await
}

/// The dialogs and panels that a link opens.
const PANELS: [&str; 11] = [
    "architecture",
    "kernel",
    "launch",
    "help",
    "keys",
    "sources",
    "recent",
    "outputs",
    "find",
    "lessons",
    "glossary",
];

const KEY_ESCAPE: char = '\u{e00c}';

/// Controls whose accessible name does not contain their visible text.
const NAMES: &str = r"
    const clean = text => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ').trim();
    const shown = element => element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    // What is written in an element, without what is hidden.
    const written = element => [...element.childNodes].map(node => node.nodeType === Node.TEXT_NODE
        ? node.textContent
        : node.nodeType === Node.ELEMENT_NODE && shown(node) && node.tagName !== 'KBD' && node.getAttribute('aria-hidden') !== 'true'
            ? written(node) : '').join(' ');
    return [...document.querySelectorAll('button[aria-label], a[aria-label], [role=tab][aria-label], [role=radio][aria-label], [role=option][aria-label], summary[aria-label]')]
        .filter(shown)
        .filter(element => !` ${clean(element.getAttribute('aria-label'))} `.includes(clean(written(element)) === '' ? '' : ` ${clean(written(element))} `)
            && !clean(element.getAttribute('aria-label')).startsWith(clean(written(element))))
        .map(element => `${element.getAttribute('aria-label')} is written ${clean(written(element))}`);";

#[tokio::test]
async fn names_of_controls_contain_their_visible_text() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start(1440, 900).await?;
    browser.open(&host.address("")).await?;
    let mut all = Vec::new();
    let sizes = [(1440, 900), (1024, 768), (390, 844)];
    for (way, (width, height)) in sizes.into_iter().enumerate() {
        browser.resize(width, height).await?;
        for (idx, view) in VIEWS.iter().enumerate() {
            if !is_tried(idx, way, 3) {
                continue;
            }
            follow(&browser, &format!("v1;{view}")).await?;
            note(
                &mut all,
                &format!("{width} {view}"),
                &lasting(&browser, NAMES).await?,
            );
        }
        for (idx, panel) in PANELS.iter().enumerate() {
            if !is_tried(idx, way, 3) {
                continue;
            }
            follow(&browser, &format!("v1;panel={panel}")).await?;
            note(
                &mut all,
                &format!("{width} {panel}"),
                &lasting(&browser, NAMES).await?,
            );
        }
        follow(&browser, "v1;view=sm").await?;
        let dialogs: &[&str] = if width < 500 {
            &["header-more"]
        } else {
            &["header-share", "header-compare", "header-export"]
        };
        for button in dialogs {
            browser.click(button).await?;
            settle().await;
            note(
                &mut all,
                &format!("{width} {button}"),
                &lasting(&browser, NAMES).await?,
            );
            browser.press(KEY_ESCAPE).await?;
            settle().await;
        }
    }
    assert!(all.is_empty(), "{}", all.join("\n"));
    browser.close().await
}

/// For each pair of a selected and an unselected control: whether they look alike.
const ALIKE: &str = r"
    const look = element => {
        const style = getComputedStyle(element);
        return [style.backgroundColor, style.color, style.outlineStyle, style.outlineColor, style.borderColor].join(' ');
    };
    const pairs = [
        ['.tab[aria-selected=true]', '.tab[aria-selected=false]'],
        ['.choices .chip[aria-pressed=true]', '.choices .chip[aria-pressed=false]'],
        ['.generation[aria-checked=true]', '.generation[aria-checked=false]'],
        ['.speeds [aria-checked=true]', '.speeds [aria-checked=false]'],
    ];
    const faults = [];
    for (const [on, off] of pairs) {
        const [one, other] = [document.querySelector(on), document.querySelector(off)];
        if (!one || !other) faults.push(`no ${on} or ${off}`);
        else if (look(one) === look(other)) faults.push(`${on} looks as ${off}`);
    }
    if (!matchMedia('(forced-colors: active)').matches) faults.push('no forced colors');
    return faults;";

/// Whether the picture has the theme's background and a selection in ink: the share of the two in its pixels.
const PICTURE: &str = r"
    const canvas = document.querySelector('[data-testid=stage-canvas]');
    const style = getComputedStyle(canvas.parentElement);
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    let ink = 0;
    for (let at = 0; at < data.length; at += 4) {
        ink += data[at + 3] > 200 && data[at] < 60 && data[at + 1] < 60 && data[at + 2] < 60;
    }
    return [style.backgroundColor, ink];";

#[tokio::test]
async fn forced_colors_keep_what_is_selected() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start(1440, 900).await?;
    browser.open(&host.address("")).await?;
    follow(&browser, "v1;view=stalls;cycle=900").await?;
    let forced = json!({ "features": [
        { "name": "forced-colors", "value": "active" },
        { "name": "prefers-color-scheme", "value": "light" },
    ] });
    browser.dev_tools("Emulation.setEmulatedMedia", forced).await?;
    settle().await;
    let mut all = Vec::new();
    note(&mut all, "stalls", &browser.script(ALIKE).await?);
    assert!(all.is_empty(), "{}", all.join("\n"));
    // The picture keeps its own colors, in which a selection is ink on paper.
    follow(&browser, "v1;view=sm;cycle=300;warp=4").await?;
    let picture = browser.script(PICTURE).await?;
    assert_eq!(picture[0], "rgb(255, 255, 255)", "{picture}");
    assert!(picture[1].as_u64().unwrap_or(0) > 500, "{picture}");
    browser.close().await
}

#[tokio::test]
async fn a_page_at_twice_the_size_keeps_its_controls() -> Result<(), Error> {
    // A zoom of 200 % halves the page's pixels.
    keeps_its_controls(&[(720, 450), (683, 384)]).await
}

#[tokio::test]
async fn a_phone_on_its_side_keeps_its_controls() -> Result<(), Error> {
    keeps_its_controls(&[(844, 390), (932, 430), (667, 375)]).await
}

/// What is under an open sheet does not shine through, also where the sheet fades because it goes on below.
#[tokio::test]
async fn sheets_hide_what_is_under_them() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start(1440, 900).await?;
    for (size, door, sheet) in [
        ((390, 844), "peek", ".insp"),
        ((844, 390), "peek", ".insp"),
        ((390, 844), "header-set-up", ".setup"),
        ((844, 390), "header-set-up", ".setup"),
        ((1024, 480), "strip-code", ".setup"),
    ] {
        browser.resize(size.0, size.1).await?;
        browser.client.goto("about:blank").await?;
        browser.open(&host.address("v1;view=sm;cycle=300")).await?;
        browser.click(door).await?;
        tokio::time::sleep(Duration::from_millis(400)).await;
        let element = browser.client.find(Locator::Css(sheet)).await?;
        assert!(
            browser
                .script(&format!(
                    "return (document.querySelector('{sheet}').dataset.more ?? '').includes('below');"
                ))
                .await?
                == json!(true),
            "{size:?} {sheet} fits"
        );
        let over = element.screenshot().await?;
        browser.script(UNDER_HIDDEN).await?;
        let alone = element.screenshot().await?;
        assert!(over == alone, "{size:?}: something shines through {sheet}");
    }
    browser.close().await
}

/// Hides what lies under sheets.
const UNDER_HIDDEN: &str =
    "for (const part of document.querySelectorAll('.stage, .trans')) part.style.visibility = 'hidden';";

async fn keeps_its_controls(sizes: &[(u32, u32)]) -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start(1440, 900).await?;
    browser.open(&host.address("")).await?;
    let mut all = Vec::new();
    for (width, height) in sizes.iter().copied() {
        browser.resize(width, height).await?;
        for view in [
            "view=sm;cycle=300",
            "view=banks;cycle=1400",
            "view=source;cycle=900",
        ] {
            follow(&browser, &format!("v1;{view}")).await?;
            note(
                &mut all,
                &format!("{width} x {height} {view}"),
                &browser.script(FAULTS).await?,
            );
            let picture = "const box = document.querySelector('[data-testid=stage-canvas]').parentElement;
                 return box.clientHeight >= 100 ? [] : [`the picture is ${box.clientHeight} px high`];";
            note(
                &mut all,
                &format!("{width} x {height} {view}"),
                &browser.script(picture).await?,
            );
        }
    }
    assert!(all.is_empty(), "{}", all.join("\n"));
    browser.close().await
}

#[tokio::test]
async fn three_panes_hide_the_inspector_until_it_is_asked_for() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start(1440, 900).await?;
    browser
        .open(&host.address("v1;view=compare;compare=gf100,gp104;cycle=900"))
        .await?;
    let hidden = "return !document.querySelector('[data-testid=inspector]').checkVisibility();";
    browser.wait_until(hidden).await?;
    browser.click("compare-inspector").await?;
    let shown = "return document.querySelector('[data-testid=inspector]').checkVisibility();";
    browser.wait_until(shown).await?;
    browser.script("document.activeElement.blur();").await?;
    browser.press(']').await?;
    browser.wait_until(hidden).await?;
    // One run has the inspector as before.
    follow(&browser, "v1;view=sm").await?;
    browser.wait_until(shown).await?;
    browser.close().await
}

#[tokio::test]
async fn reduced_motion_moves_nothing() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start(1024, 768).await?;
    browser.open(&host.address("")).await?;
    let moving = "return [...document.querySelectorAll('.bench, .bench *')].filter(element => {
            const style = getComputedStyle(element);
            return style.transitionDuration.split(', ').some(time => parseFloat(time) > 0)
                || style.animationDuration.split(', ').some(time => parseFloat(time) > 0.1);
        }).map(element => element.className);";
    let any = json!({ "features": [{ "name": "prefers-reduced-motion", "value": "no-preference" }] });
    browser.dev_tools("Emulation.setEmulatedMedia", any).await?;
    settle().await;
    // The setup panel slides in, unless motion is reduced.
    let before = browser.script(moving).await?;
    assert!(before.as_array().is_some_and(|list| !list.is_empty()), "{before}");
    let reduced = json!({ "features": [{ "name": "prefers-reduced-motion", "value": "reduce" }] });
    browser.dev_tools("Emulation.setEmulatedMedia", reduced).await?;
    settle().await;
    assert_eq!(browser.script(moving).await?, json!([]));
    browser.close().await
}
