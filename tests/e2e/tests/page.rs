//! The built page, driven like a user drives it.

use warpscope_e2e::{Browser, Error, Host};

const KEY_LEFT: char = '\u{e012}';
const KEY_RIGHT: char = '\u{e014}';
const KEY_ESCAPE: char = '\u{e00c}';
const KEY_TAB: char = '\u{e004}';
const KEY_END: char = '\u{e010}';
const KEY_HOME: char = '\u{e011}';

/// A page opened at a link, in a browser with a new profile.
async fn open(link: &str) -> Result<(Host, Browser), Error> {
    let host = Host::start()?;
    let browser = Browser::start(1440, 900).await?;
    browser.open(&host.address(link)).await?;
    Ok((host, browser))
}

/// The shown cycle.
async fn cycle(browser: &Browser) -> Result<u64, Error> {
    let text = browser.text("cycle").await?;
    Ok(text.replace(',', "").parse()?)
}

/// Types right after `before` in the editor.
async fn type_after(browser: &Browser, before: &str, text: &str) -> Result<(), Error> {
    let body = format!(
        "const field = document.querySelector('[data-testid=editor]');
         const at = field.value.indexOf({before:?}) + {before:?}.length;
         field.focus();
         field.setSelectionRange(at, at);
         return document.execCommand('insertText', false, {text:?});"
    );
    assert_eq!(browser.script(&body).await?, true);
    Ok(())
}

/// The visible state as text.
async fn state(browser: &Browser) -> Result<Vec<String>, Error> {
    let mut state = Vec::new();
    for testid in [
        "scenario-name",
        "scenario-launch",
        "arch-chosen",
        "headline",
        "cycle",
        "cycle-of",
        "inspector",
    ] {
        state.push(browser.text(testid).await?);
    }
    let source = browser
        .script("return document.querySelector('[data-testid=editor]').value;")
        .await?;
    state.push(source.as_str().unwrap_or_default().to_owned());
    browser.click("table").await?;
    state.push(browser.text("twin").await?);
    browser.click("table").await?;
    Ok(state)
}

#[tokio::test]
async fn the_page_opens_at_a_transpose_on_turing() -> Result<(), Error> {
    let (_host, browser) = open("").await?;
    assert!(browser.client.title().await?.contains("Warpscope"));
    assert_eq!(browser.text("scenario-name").await?, "transpose-tiled");
    assert!(browser.text("arch-chosen").await?.contains("TU102"));
    // At its first bank conflict.
    assert_eq!(cycle(&browser).await?, 1_250);
    assert!(!browser.has("banner").await?);
    assert!(!browser.has("link-warnings").await?);
    browser.close().await
}

#[tokio::test]
async fn it_plays_pauses_and_plays_backwards() -> Result<(), Error> {
    let (_host, browser) = open("").await?;
    // From the start, and slowly: however slow the machine, the end is far when the second click arrives.
    browser.press(KEY_HOME).await?;
    browser.wait_for("cycle", |text| text == "0").await?;
    browser.click("speed-60").await?;
    browser.click("play").await?;
    browser.wait_for("cycle", |text| text != "0").await?;
    browser.click("play").await?;
    let paused = cycle(&browser).await?;
    tokio::time::sleep(std::time::Duration::from_millis(300)).await;
    assert_eq!(cycle(&browser).await?, paused);
    browser.click("speed-1k").await?;

    browser.click("step-forward").await?;
    assert_eq!(cycle(&browser).await?, paused + 1);
    browser.click("more-steps").await?;
    browser.click("next-issue").await?;
    let issue = cycle(&browser).await?;
    assert!(issue > paused + 1);
    browser.click("reverse").await?;
    browser.wait_for("cycle", |text| text == "0").await?;
    browser.close().await
}

#[tokio::test]
async fn another_architecture_runs_the_same_kernel_differently() -> Result<(), Error> {
    let (_host, browser) = open("").await?;
    let turing = state(&browser).await?;
    browser.click("arch-gf100").await?;
    browser
        .wait_for("arch-chosen", |text| text.contains("Fermi"))
        .await?;
    let cycles = browser
        .wait_for("cycle-of", |text| text.starts_with("of ") && text != turing[5])
        .await?;
    assert!(cycles.ends_with("cycles"), "{cycles}");
    assert!(browser.text("scenario-launch").await?.contains("GF100"));
    assert!(
        browser
            .client
            .current_url()
            .await?
            .as_str()
            .contains("arch=gf100")
    );

    // The browser's Back button restores the previous scenario.
    browser.client.back().await?;
    browser
        .wait_for("arch-chosen", |text| text.contains("TU102"))
        .await?;
    browser.wait_for("cycle-of", |text| text == turing[5]).await?;
    browser.close().await
}

#[tokio::test]
async fn padding_the_tile_in_the_source_removes_the_bank_conflict() -> Result<(), Error> {
    let (_host, browser) = open("").await?;
    browser.click("tab-banks").await?;
    // On the tabs, End selects the last tab.
    browser.script("document.activeElement.blur();").await?;
    browser.press(KEY_END).await?;
    browser
        .wait_for("headline", |text| text.contains("32 wavefronts"))
        .await?;
    let slow = browser.text("cycle-of").await?;
    // The tile of the code, not of the comment above it.
    type_after(&browser, "float tile[TILE][TILE", " + 1").await?;
    browser
        .wait_for("cycle-of", |text| text.starts_with("of ") && text != slow)
        .await?;
    browser.press(KEY_ESCAPE).await?;
    browser.script("document.activeElement.blur();").await?;
    browser.press(KEY_END).await?;
    browser
        .wait_for("headline", |text| text.contains("takes 1 wavefront"))
        .await?;
    assert!(!browser.has("problem").await?);
    browser.close().await
}

#[tokio::test]
async fn a_source_error_is_shown_and_the_last_valid_program_stays() -> Result<(), Error> {
    let (_host, browser) = open("").await?;
    let before = browser.text("cycle-of").await?;
    type_after(&browser, "int x = blockIdx.x", " * nothing").await?;
    browser.find("problem").await?;
    let problem = browser
        .script("return document.querySelector('[data-testid=problem]').innerText;")
        .await?;
    let problem = problem.as_str().unwrap_or_default();
    assert!(problem.contains("16") && problem.contains("nothing"), "{problem}");
    assert_eq!(browser.text("cycle-of").await?, before);
    assert!(browser.has("stage-canvas").await?);
    browser.close().await
}

#[tokio::test]
async fn a_copied_link_opens_the_same_state_in_a_fresh_profile() -> Result<(), Error> {
    let (host, browser) = open("v1;kernel=reduce-interleaved;arch=gp104;view=banks").await?;
    let before = browser.text("cycle-of").await?;
    type_after(&browser, "{", "\n    // mine").await?;
    browser.script("document.activeElement.blur();").await?;
    browser
        .wait_for("cycle-of", |text| text.starts_with("of "))
        .await?;
    tokio::time::sleep(std::time::Duration::from_millis(500)).await;
    browser.press('i').await?;
    for _ in 0..40 {
        browser.press(KEY_RIGHT).await?;
    }
    browser.press('c').await?;
    browser.wait_for("toast", |text| !text.is_empty()).await?;
    let link = browser.client.current_url().await?;
    let ours = state(&browser).await?;
    assert_eq!(ours[5], before, "a comment costs no cycle");
    assert!(ours.iter().any(|part| part.contains("// mine")));
    browser.close().await?;

    let other = Browser::start(1440, 900).await?;
    other
        .open(&host.address(link.fragment().ok_or("the address has no link")?))
        .await?;
    assert_eq!(state(&other).await?, ours);
    assert!(!other.has("link-warnings").await?);
    other.close().await
}

#[tokio::test]
async fn a_broken_link_opens_with_warnings() -> Result<(), Error> {
    let (_host, browser) = open("v9;arch=gtx9000;grid=many;source=AAAA!;hello;cycle=3").await?;
    let warnings = browser.text("link-warnings").await?;
    for part in ["version 9", "gtx9000", "grid=many", "kernel source", "hello"] {
        assert!(warnings.contains(part), "{part}: {warnings}");
    }
    assert_eq!(cycle(&browser).await?, 3);
    assert_eq!(browser.text("scenario-name").await?, "transpose-tiled");
    assert!(!browser.has("banner").await?);
    browser.close().await
}

#[tokio::test]
async fn a_launch_that_the_chip_rejects_shows_the_reason() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start(1440, 900).await?;
    browser
        .client
        .goto(&host.address("v1;kernel=saxpy;block=2048"))
        .await?;
    let refusal = browser.wait_for("refusal", |text| !text.is_empty()).await?;
    assert!(refusal.contains("2048") && refusal.contains("1024"), "{refusal}");
    browser.close().await
}

#[tokio::test]
async fn everything_is_reached_by_keyboard() -> Result<(), Error> {
    let (_host, browser) = open("v1").await?;
    for _ in 0..3 {
        browser.press(KEY_RIGHT).await?;
    }
    browser.press(KEY_LEFT).await?;
    assert_eq!(cycle(&browser).await?, 2);
    browser.press('2').await?;
    browser.wait_for("headline", |text| !text.is_empty()).await?;
    assert_eq!(pressed(&browser, "tab-timeline").await?, "true");
    browser.press('4').await?;
    assert_eq!(pressed(&browser, "tab-banks").await?, "true");
    browser.press(' ').await?;
    browser.wait_for("cycle", |text| text != "2").await?;
    browser.press(' ').await?;
    browser.press('t').await?;
    browser.find("twin").await?;
    browser.press('t').await?;
    browser.press('?').await?;
    // Parts that the first view does not need may still be loading.
    let dialog = "return document.querySelector('dialog[open]') !== null;";
    browser.wait_until(dialog).await?;
    browser.press(KEY_ESCAPE).await?;
    assert_eq!(browser.script(dialog).await?, false);

    // Tab reaches every control, and each has a name.
    let mut reached = std::collections::BTreeSet::new();
    for _ in 0..60 {
        browser.press(KEY_TAB).await?;
        let focus = "const e = document.activeElement;
             return [e.dataset.testid ?? '', e.getAttribute('aria-label') ?? e.labels?.[0]?.textContent ?? e.textContent.trim()];";
        let focus = browser.script(focus).await?;
        let (id, name) = (
            focus[0].as_str().unwrap_or_default(),
            focus[1].as_str().unwrap_or_default(),
        );
        if id == "editor" {
            // Escape, then Tab leaves the editor.
            browser.press(KEY_ESCAPE).await?;
        }
        assert!(id.is_empty() || !name.is_empty(), "{id} has no name");
        reached.insert(id.to_owned());
    }
    for id in [
        "header-share",
        "kernel-menu",
        "editor",
        "play",
        "stage-canvas",
        "strip",
        "more-steps",
    ] {
        assert!(reached.contains(id), "Tab does not come to {id}: {reached:?}");
    }
    browser.close().await
}

/// Whether a tab is selected, as exposed to assistive technology.
async fn pressed(browser: &Browser, testid: &str) -> Result<String, Error> {
    Ok(browser
        .find(testid)
        .await?
        .attr("aria-selected")
        .await?
        .unwrap_or_default())
}
