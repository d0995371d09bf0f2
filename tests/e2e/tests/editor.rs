//! The editor's services: completion, what it says of a name, definitions.

use fantoccini::actions::{InputSource, KeyAction, KeyActions};
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

/// Puts the cursor so many letters behind the first place of a text.
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

/// What the field names as its active option.
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
    // Escape closes the list and keeps the text; Enter is a new line then.
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
async fn a_name_is_explained_and_its_definition_found() -> Result<(), Error> {
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
