//! The editor's services: completions, explanations, definitions.

use std::time::Duration;

use fantoccini::actions::{InputSource, KeyAction, KeyActions};
use serde_json::json;
use warpscope_e2e::{Browser, Error, Host};

const KEY_CONTROL: char = '\u{e009}';
const KEY_ENTER: char = '\u{e007}';
const KEY_ESCAPE: char = '\u{e00c}';
const KEY_DOWN: char = '\u{e015}';
const KEY_F12: char = '\u{e03c}';

const KERNEL: &str = "\
__global__ void k(float *in, float *out) {
    __shared__ float staged[64];
    float value = in[threadIdx.x];
    staged[threadIdx.x] = value;
    
    out[threadIdx.x] = staged[63 - threadIdx.x] + value;
}
";

/// A page with the kernel in its editor.
async fn open() -> Result<(Host, Browser), Error> {
    let host = Host::start()?;
    let browser = Browser::start(1440, 900).await?;
    browser.open(&host.address("")).await?;
    let body = format!(
        "const field = document.querySelector('[data-testid=editor]');
         field.focus();
         field.select();
         return document.execCommand('insertText', false, {KERNEL:?});"
    );
    assert_eq!(browser.script(&body).await?, true);
    browser.wait_for("scenario-name", |text| text == "k").await?;
    Ok((host, browser))
}

/// Places the cursor this many letters after the start of a text's first occurrence.
async fn cursor_at(browser: &Browser, text: &str, letters: usize) -> Result<(), Error> {
    let body = format!(
        "const field = document.querySelector('[data-testid=editor]');
         const at = field.value.indexOf({text:?}) + {letters};
         field.focus();
         field.setSelectionRange(at, at);"
    );
    browser.script(&body).await?;
    Ok(())
}

async fn value(browser: &Browser) -> Result<String, Error> {
    let value = browser
        .script("return document.querySelector('[data-testid=editor]').value;")
        .await?;
    Ok(value.as_str().unwrap_or_default().to_owned())
}

async fn press_with_control(browser: &Browser, key: char) -> Result<(), Error> {
    let keys = KeyActions::new("keys".to_owned())
        .then(KeyAction::Down { value: KEY_CONTROL })
        .then(KeyAction::Down { value: key })
        .then(KeyAction::Up { value: key })
        .then(KeyAction::Up { value: KEY_CONTROL });
    Ok(browser.client.perform_actions(keys).await?)
}

/// The text of the field's active option.
async fn active_option(browser: &Browser) -> Result<String, Error> {
    let text = browser
        .script(
            "const field = document.querySelector('[data-testid=editor]');
             const id = field.getAttribute('aria-activedescendant');
             return document.getElementById(id)?.textContent ?? '';",
        )
        .await?;
    Ok(text.as_str().unwrap_or_default().to_owned())
}

#[tokio::test]
async fn completions_are_chosen_by_keys_and_undone_in_one_step() -> Result<(), Error> {
    let (_host, browser) = open().await?;
    cursor_at(&browser, "= value;\n    ", "= value;\n    ".len()).await?;
    for letter in "synct".chars() {
        browser.press(letter).await?;
    }
    browser
        .wait_until("return document.querySelector('[data-testid=completions]') !== null;")
        .await?;
    assert!(active_option(&browser).await?.ends_with("__syncthreads"));
    browser.press(KEY_DOWN).await?;
    browser
        .wait_until(
            "return document.querySelector('[data-testid=editor]')
                 .getAttribute('aria-activedescendant') === 'completion-1';",
        )
        .await?;
    browser.press(KEY_ENTER).await?;
    browser
        .wait_until(
            "return document.querySelector('[data-testid=editor]').value.includes('    __syncthreads_');",
        )
        .await?;
    assert!(!browser.has("completions").await?);
    browser.script("document.execCommand('undo');").await?;
    assert!(value(&browser).await?.contains("    synct\n"));
    // Escape closes the list and keeps the text; Enter then inserts a line.
    press_with_control(&browser, ' ').await?;
    browser
        .wait_until("return document.querySelector('[data-testid=completions]') !== null;")
        .await?;
    browser.press(KEY_ESCAPE).await?;
    browser
        .wait_until("return document.querySelector('[data-testid=completions]') === null;")
        .await?;
    let num_lines = value(&browser).await?.lines().count();
    browser.press(KEY_ENTER).await?;
    let text = value(&browser).await?;
    assert_eq!(text.lines().count(), num_lines + 1, "{text}");
    browser.close().await
}

#[tokio::test]
async fn a_name_has_an_explanation_and_a_definition() -> Result<(), Error> {
    let (_host, browser) = open().await?;
    cursor_at(&browser, "staged[63", 2).await?;
    press_with_control(&browser, 'i').await?;
    let text = browser.wait_for("hover", |text| text.contains("staged")).await?;
    for part in ["__shared__ float staged[64]", "256 bytes", "line 2"] {
        assert!(text.contains(part), "{text}");
    }
    browser.press(KEY_ESCAPE).await?;
    browser
        .wait_until("return document.querySelector('[data-testid=hover]') === null;")
        .await?;
    browser.press(KEY_F12).await?;
    let selected = "const field = document.querySelector('[data-testid=editor]');
         return field.value.slice(0, field.selectionStart).split('\\n').length === 2
             && field.value.slice(field.selectionStart, field.selectionEnd) === 'staged';";
    browser.wait_until(selected).await?;
    browser.close().await
}

/// The center of a word's first occurrence in the rendered lines, in CSS pixels of the window.
async fn place_of(browser: &Browser, word: &str) -> Result<(f64, f64), Error> {
    let body = format!(
        "const walker = document.createTreeWalker(document.querySelector('.editor .lines'), NodeFilter.SHOW_TEXT);
         while (walker.nextNode()) {{
             const at = walker.currentNode.data.indexOf({word:?});
             if (at < 0) continue;
             const range = document.createRange();
             range.setStart(walker.currentNode, at);
             range.setEnd(walker.currentNode, at + {});
             const rect = range.getBoundingClientRect();
             return [(rect.left + rect.right) / 2, (rect.top + rect.bottom) / 2];
         }}
         return null;",
        word.len()
    );
    Ok(serde_json::from_value(browser.script(&body).await?)?)
}

/// The top and bottom edges of a popup.
async fn edges(browser: &Browser, testid: &str) -> Result<(f64, f64), Error> {
    let body = format!(
        "const rect = document.querySelector('[data-testid={testid}]').getBoundingClientRect();
         return [rect.top, rect.bottom];"
    );
    Ok(serde_json::from_value(browser.script(&body).await?)?)
}

#[tokio::test]
async fn completions_stay_above_an_on_screen_keyboard() -> Result<(), Error> {
    let (_host, browser) = open().await?;
    // An on-screen keyboard shrinks the visible viewport and leaves the window unchanged.
    browser
        .script(
            "const seen = Object.assign(new EventTarget(),
                 { offsetLeft: 0, offsetTop: 0, width: innerWidth, height: innerHeight });
             Object.defineProperty(window, 'visualViewport', { get: () => seen });",
        )
        .await?;
    cursor_at(&browser, "= value;\n    ", "= value;\n    ".len()).await?;
    press_with_control(&browser, ' ').await?;
    browser.find("completions").await?;
    let (_, bottom) = edges(&browser, "completions").await?;
    let height = bottom - 20.0;
    browser
        .script(&format!(
            "visualViewport.height = {height}; visualViewport.dispatchEvent(new Event('resize'));"
        ))
        .await?;
    browser
        .wait_until(&format!(
            "return document.querySelector('[data-testid=completions]').getBoundingClientRect().bottom <= {height};"
        ))
        .await?;
    // Popups that open above a visible keyboard stay above it, too.
    browser.press(KEY_ESCAPE).await?;
    press_with_control(&browser, ' ').await?;
    browser.find("completions").await?;
    let (top, bottom) = edges(&browser, "completions").await?;
    assert!(top >= 0.0 && bottom <= height, "{top} to {bottom} of {height}");
    browser.close().await
}

#[tokio::test]
async fn enlarged_code_maps_positions_correctly() -> Result<(), Error> {
    let (_host, browser) = open().await?;
    let size = "const style = element => getComputedStyle(document.querySelector(element));
         return ['.editor .lines', '.editor textarea'].map(
             element => [parseFloat(style(element).fontSize), parseFloat(style(element).lineHeight)]);";
    let normal: [(f64, f64); 2] = serde_json::from_value(browser.script(size).await?)?;
    browser.script("document.activeElement.blur();").await?;
    browser.press_shifted('P').await?;
    browser.press('[').await?;
    browser
        .wait_until(
            "return document.documentElement.dataset.density === 'projector'
                 && document.querySelector('.editor').getClientRects().length > 0;",
        )
        .await?;
    let large: [(f64, f64); 2] = serde_json::from_value(browser.script(size).await?)?;
    assert_eq!(large[0], large[1]);
    assert!(large[0].0 > 1.2 * normal[0].0, "{large:?} {normal:?}");
    // The last line with a name: an error per line accumulates there.
    browser
        .script("document.querySelector('.editor').scrollTop = 1000;")
        .await?;
    let (x, y) = place_of(&browser, "staged[63").await?;
    browser
        .script(&format!(
            "document.querySelector('[data-testid=editor]').dispatchEvent(new PointerEvent('pointermove',
                 {{ clientX: {x}, clientY: {y}, pointerType: 'mouse', bubbles: true }}));"
        ))
        .await?;
    browser
        .wait_for("hover", |text| text.contains("256 bytes"))
        .await?;
    let (top, bottom) = edges(&browser, "hover").await?;
    let beside = (top - y).min((y - bottom).abs());
    assert!(
        beside.abs() < large[0].1,
        "the word is at {y}, what is said of it from {top} to {bottom}"
    );
    browser.close().await
}

#[tokio::test]
async fn a_long_press_explains_a_word() -> Result<(), Error> {
    let (_host, browser) = open().await?;
    browser.script("document.activeElement.blur();").await?;
    browser
        .dev_tools(
            "Emulation.setTouchEmulationEnabled",
            json!({ "enabled": true, "maxTouchPoints": 1 }),
        )
        .await?;
    let touch = async |kind: &str, points: &[(f64, f64)]| {
        let points: Vec<_> = points.iter().map(|(x, y)| json!({ "x": x, "y": y })).collect();
        let parameters = json!({ "type": kind, "touchPoints": points });
        browser.dev_tools("Input.dispatchTouchEvent", parameters).await
    };
    let word = place_of(&browser, "staged").await?;
    touch("touchStart", &[word]).await?;
    browser
        .wait_for("hover", |text| text.contains("256 bytes"))
        .await?;
    touch("touchEnd", &[]).await?;
    // The explanation stays after the touch ends, for longer than after a mouse leaves.
    tokio::time::sleep(Duration::from_millis(800)).await;
    assert!(browser.has("hover").await?);
    // A tap elsewhere closes the explanation.
    touch("touchStart", &[(720.0, 110.0)]).await?;
    touch("touchEnd", &[]).await?;
    browser
        .wait_until("return document.querySelector('[data-testid=hover]') === null;")
        .await?;
    browser.close().await
}
