//! Lessons and the glossary, as a reader uses them.

use warpscope_e2e::{Browser, Error, Host};

/// Types text into the focused field, and presses Enter.
async fn enter(browser: &Browser, text: &str) -> Result<(), Error> {
    for key in text.chars() {
        browser.press(key).await?;
    }
    browser.press('\u{e007}').await
}

#[tokio::test]
async fn a_lesson_is_done_with_keys_alone_and_leaves_the_reader_where_she_was() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start(1440, 900).await?;
    browser
        .open(&host.address("v1;kernel=saxpy;view=stalls;cycle=40"))
        .await?;
    // The palette finds the list.
    browser
        .script("document.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true, bubbles: true }));")
        .await?;
    browser.find("find").await?;
    enter(&browser, "lessons").await?;
    browser.find("lesson-transpose-tiled").await?;
    browser
        .script("document.querySelector('[data-testid=\"lesson-transpose-tiled\"]').focus();")
        .await?;
    browser.press('\u{e007}').await?;
    browser
        .wait_for("lesson-title", |text| text == "Both sides coalesce")
        .await?;
    // The run is hidden, and keys do not show it.
    assert!(browser.has("lesson-number").await?);
    browser.script("document.activeElement.blur();").await?;
    browser.press('4').await?;
    browser
        .wait_for("toast", |text| {
            text == "Answer the question first, or show the answer."
        })
        .await?;
    browser
        .script("document.querySelector('[data-testid=\"lesson-number\"]').focus();")
        .await?;
    enter(&browser, "28").await?;
    browser
        .wait_until("return document.querySelector('[data-grade=\"wrong\"]')?.textContent.includes('28 is the saving of one request');")
        .await?;
    browser
        .script("document.querySelector('[data-testid=\"lesson-number\"]').focus();")
        .await?;
    enter(&browser, "3584").await?;
    browser
        .wait_for("lesson-grade", |text| text.starts_with("✓ 3,584 sectors"))
        .await?;
    browser
        .wait_until("return location.hash.includes('lesson=transpose/tiled') && location.hash.includes('view=coalescing');")
        .await?;
    // A new visit with the link opens the same step.
    let link = browser.script("return location.hash;").await?;
    browser.click("lesson-leave").await?;
    browser.click("dialog-close").await?;
    browser
        .wait_until("return location.hash.includes('kernel=saxpy') && location.hash.includes('cycle=40');")
        .await?;
    let other = Browser::start(1440, 900).await?;
    other
        .open(&host.address(link.as_str().unwrap_or_default()))
        .await?;
    other
        .wait_for("lesson-title", |text| text == "Both sides coalesce")
        .await?;
    other.close().await?;
    browser.close().await
}

#[tokio::test]
async fn the_field_keeps_the_focus_while_an_answer_waits_for_its_run() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start(1440, 900).await?;
    browser.open(&host.address("v1;kernel=saxpy")).await?;
    // The answer comes as soon as the question is there: the host program has not run yet.
    browser
        .script(
            "const seen = { wait: false }; window.seen = seen;
            new MutationObserver(() => {
                const field = document.querySelector('[data-testid=\"lesson-number\"]');
                if (field && !seen.field) {
                    seen.field = field;
                    field.focus();
                    field.value = '8';
                    field.dispatchEvent(new Event('input', { bubbles: true }));
                    field.form.requestSubmit();
                }
                seen.wait ||= document.querySelector('[data-testid=\"lesson-wait\"]') !== null;
            }).observe(document.body, { childList: true, subtree: true });
            location.hash = '#v1;lesson=streams/long-kernels';",
        )
        .await?;
    browser
        .wait_until("return document.querySelector('[data-grade=\"wrong\"]') !== null;")
        .await?;
    let [waited, kept, focused] = [
        "return window.seen.wait;",
        "return window.seen.field.isConnected;",
        "return document.activeElement === window.seen.field;",
    ];
    assert_eq!(browser.script(waited).await?, true, "the answer waited");
    assert_eq!(browser.script(kept).await?, true, "the field was kept");
    assert_eq!(browser.script(focused).await?, true, "the field has the focus");
    browser.close().await
}

#[tokio::test]
async fn a_task_is_solved_in_the_editor_of_a_lesson() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start(1440, 900).await?;
    browser
        .open(&host.address("v1;lesson=transpose/tiled;step=4"))
        .await?;
    browser
        .wait_for("lesson-title", |text| text == "Move the conflict")
        .await?;
    browser.click("lesson-check").await?;
    browser
        .wait_until("return document.querySelector('[data-grade=\"wrong\"]') !== null;")
        .await?;
    browser
        .script(
            "const editor = document.querySelector('.editor textarea');
            editor.value = editor.value.replace('tile[ty + j][tx] =', 'tile[tx][ty + j] =').replace('tile[tx][ty + j];', 'tile[ty + j][tx];');
            editor.dispatchEvent(new InputEvent('input', { bubbles: true }));",
        )
        .await?;
    // The changed kernel is compiled and simulated first.
    let start = std::time::Instant::now();
    while !browser.has("lesson-grade").await? && start.elapsed().as_secs() < 20 {
        tokio::time::sleep(std::time::Duration::from_millis(300)).await;
        browser.click("lesson-check").await?;
    }
    browser
        .wait_for("lesson-grade", |text| text.contains("no conflicts"))
        .await?;
    browser.close().await
}

#[tokio::test]
async fn a_lesson_that_does_not_exist_is_reported_and_the_page_goes_on() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start(1440, 900).await?;
    browser.open(&host.address("v1;lesson=memory/none")).await?;
    browser
        .wait_until("return document.body.textContent.includes('The lesson memory/none cannot be opened: lessons/memory/none.toml cannot be read: the server answers 404.');")
        .await?;
    browser.click("tab-banks").await?;
    browser.wait_for("headline", |text| !text.is_empty()).await?;
    browser.close().await
}

#[tokio::test]
async fn the_glossary_finds_a_term_and_shows_it() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start(1440, 900).await?;
    browser.open(&host.address("v1;panel=glossary")).await?;
    browser
        .wait_for("glossary-note", |text| text.ends_with("terms"))
        .await?;
    browser
        .script("document.querySelector('[data-testid=\"glossary-search\"]').focus();")
        .await?;
    for key in "bank conflict".chars() {
        browser.press(key).await?;
    }
    browser
        .wait_until("return document.querySelector('.terms dt')?.textContent.toLowerCase().startsWith('bank conflict');")
        .await?;
    browser
        .script("document.querySelector('.terms .link').click();")
        .await?;
    browser
        .wait_until("return document.querySelector('[data-testid=\"glossary\"]') === null;")
        .await?;
    browser.close().await
}

#[tokio::test]
async fn letters_go_to_the_palette_when_nothing_matches() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start(1440, 900).await?;
    browser.open(&host.address("v1;cycle=100")).await?;
    browser.click("header-find").await?;
    browser.find("find").await?;
    for key in "zzzqcolumnglossary".chars() {
        browser.press(key).await?;
    }
    assert_eq!(browser.text("find").await?, "zzzqcolumnglossary");
    assert_eq!(browser.text("cycle").await?, "100");
    // Without the field's focus, the dialog keeps the keys from the page.
    browser.script("document.activeElement.blur();").await?;
    browser.press('a').await?;
    browser.press('i').await?;
    assert_eq!(browser.text("cycle").await?, "100");
    assert!(!browser.has("pane-2").await?);
    browser.close().await
}

#[tokio::test]
async fn a_first_visit_has_three_doors_that_a_selection_closes() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start(1440, 900).await?;
    browser.open(&host.address("")).await?;
    browser.find("welcome").await?;
    // Playing keeps them.
    browser.click("play").await?;
    browser.wait_for("cycle", |text| text != "0").await?;
    browser.click("play").await?;
    assert!(browser.has("welcome").await?);
    browser.click("door-lesson").await?;
    browser.wait_for("lesson-title", |text| !text.is_empty()).await?;
    browser.click("lesson-leave").await?;

    browser.client.goto("about:blank").await?;
    browser.open(&host.address("")).await?;
    browser.click("door-own").await?;
    browser
        .wait_until("return document.activeElement?.tagName === 'TEXTAREA';")
        .await?;
    browser.wait_for("own", |text| text == "own code").await?;
    assert!(!browser.has("welcome").await?);
    browser.close().await
}

#[tokio::test]
async fn full_screen_keeps_the_headline_and_the_transport() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start(1440, 900).await?;
    browser.open(&host.address("v1;view=banks;cycle=1260")).await?;
    browser.click("full-screen").await?;
    browser
        .wait_until(
            "const shown = selector => document.querySelector(selector).getClientRects().length > 0;
            return document.fullscreenElement?.className === 'bench' && shown('[data-testid=headline]')
                && shown('[data-testid=cycle]') && shown('[data-testid=play]') && !shown('.head') && !shown('.insp');",
        )
        .await?;
    // Keys work as on the page.
    browser.press('\u{e014}').await?;
    browser.wait_for("cycle", |text| text == "1,261").await?;
    browser.close().await
}

#[tokio::test]
async fn a_faster_kernel_is_reported_and_compared() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start(1440, 900).await?;
    browser.open(&host.address("v1;view=banks")).await?;
    browser
        .script(
            "const editor = document.querySelector('.editor textarea');
            editor.value = editor.value.replace('tile[TILE][TILE]', 'tile[TILE][TILE + 1]');
            editor.dispatchEvent(new InputEvent('input', { bubbles: true }));",
        )
        .await?;
    browser
        .wait_for("toast", |text| {
            text.starts_with("5,682 to ") && text.ends_with("times faster.")
        })
        .await?;
    browser.click("toast-offer").await?;
    browser
        .wait_for("side-state-2", |text| text.contains("5,682"))
        .await?;
    browser.close().await
}

#[tokio::test]
async fn the_share_dialog_has_the_link_and_its_code() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start(1440, 900).await?;
    let address = host.address("v1;view=banks;cycle=1260");
    browser.open(&address).await?;
    browser.click("header-share").await?;
    let link = browser.text("share-link").await?;
    assert_eq!(link.replace("#v1;", "#"), address.replace("#v1;", "#"));
    browser.find("share-code").await?;
    browser.click("share-markdown").await?;
    // Either the clipboard takes it, or the page selects the text for the reader.
    browser
        .wait_until("return document.querySelector('[data-testid=toast], [data-testid=copy-text]') !== null;")
        .await?;
    browser.close().await
}
