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
    browser.find("course-transpose").await?;
    browser
        .script("document.querySelector('[data-testid=\"course-transpose\"]').focus();")
        .await?;
    browser.press('\u{e007}').await?;
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

/// The question is about the share of hits with 48 KB: the answer shows that run on the left, and the one with 16 KB beside it.
#[tokio::test]
async fn the_answer_shows_the_run_that_the_question_is_about() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start(1440, 900).await?;
    browser
        .open(&host.address("v1;lesson=tesla-to-fermi/l1-split;step=2"))
        .await?;
    browser
        .wait_for("lesson-title", |text| text == "16 KB of L1 for a table of 32 KB")
        .await?;
    browser.click("lesson-option-2").await?;
    browser.click("lesson-check").await?;
    browser
        .wait_for("lesson-grade", |text| text.starts_with("✓ More than 90 %"))
        .await?;
    browser
        .wait_until(
            "const pane = id => document.querySelector(`[data-testid=${id}]`);
            return pane('pane')?.dataset.active === 'true' && pane('pane-2')?.dataset.active === 'false'
                && location.hash.includes('lesson=tesla-to-fermi/l1-split;step=2');",
        )
        .await?;
    // Each pane states the hits and misses of its own run: with 48 KB of L1, a larger share hits.
    let shares = "const count = (text, what) => Number(new RegExp(`([\\\\d,]+) ${what}`).exec(text)?.[1].replaceAll(',', ''));
        return [...document.querySelectorAll('.sides .stage-head :is(h1, h2)')].map(head => {
            const [hits, misses] = ['hit', 'miss'].map(what => count(head.textContent, what));
            return hits / (hits + misses);
        });";
    let shares = browser.script(shares).await?;
    let share = |idx: usize| shares[idx].as_f64().unwrap_or(f64::NAN);
    assert!(share(0) > share(1), "{shares}");
    browser.close().await
}

/// A hint that says where to look needs the picture, and the run that answers stays hidden.
#[tokio::test]
async fn a_lesson_keeps_in_sight_what_its_text_points_at() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start(1440, 900).await?;
    browser.open(&host.address("v1;lesson=tensor/fragments")).await?;
    browser
        .wait_for("lesson-title", |text| {
            text == "Turing: rows by groups of four lanes"
        })
        .await?;
    assert!(
        !browser.has("lesson-note").await?,
        "nothing of the picture is hidden"
    );
    browser
        .wait_until(
            "return document.querySelector('[data-testid=tab-tensor]')?.getAttribute('aria-selected') === 'true'
                && document.querySelector('.trans-veil') !== null
                && getComputedStyle(document.querySelector('.trans')).visibility === 'hidden';",
        )
        .await?;
    // Beside `other`, the step's own picture is in sight alone, as large as the stage.
    browser
        .script("location.hash = '#v1;lesson=latency/warps-hide-latency;step=2';")
        .await?;
    browser
        .wait_for("lesson-title", |text| text == "The FP32 lanes are full")
        .await?;
    browser
        .wait_until(
            "const shown = id => document.querySelector(`[data-testid=${id}]`)?.getClientRects().length > 0;
            return shown('stage-canvas') && !shown('pane-2');",
        )
        .await?;
    browser.click("lesson-option-0").await?;
    browser.click("lesson-check").await?;
    browser
        .wait_until(
            "const shown = id => document.querySelector(`[data-testid=${id}]`)?.getClientRects().length > 0;
            return shown('lesson-grade') && shown('pane') && shown('pane-2');",
        )
        .await?;
    browser.close().await
}

/// A reader searches the list, does the lesson, and goes on to the next one; the list shows what is done.
#[tokio::test]
async fn a_reader_climbs_the_ladder_of_lessons() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start(1440, 900).await?;
    browser.open(&host.address("v1;kernel=saxpy")).await?;
    browser.click("header-lessons").await?;
    // Only the course of the next lesson is unfolded.
    browser.find("lesson-memory-column-read").await?;
    assert!(!browser.has("lesson-volta-units").await?);
    browser.click("course-volta").await?;
    browser.find("lesson-volta-units").await?;
    browser.click("course-volta").await?;
    browser
        .wait_until("return document.querySelector('[data-testid=lesson-volta-units]') === null;")
        .await?;
    // What no lesson has gets words; the search finds a lesson by a term that it teaches, and terms.
    browser
        .script("for (const part of document.querySelectorAll('dialog, dialog *')) part.scrollTop = 0;")
        .await?;
    browser.click("lessons-search").await?;
    for key in "qqq".chars() {
        browser.press(key).await?;
    }
    browser
        .wait_for("lessons-found", |text| {
            text.starts_with("No lesson, lecture, or term matches")
        })
        .await?;
    for _ in 0..3 {
        browser.press('\u{e003}').await?;
    }
    for key in "wavefront".chars() {
        browser.press(key).await?;
    }
    browser.find("found-term-wavefront").await?;
    browser.click("lesson-memory-column-read").await?;
    browser.find("lesson-title").await?;
    for _ in 0..12 {
        if browser.has("lesson-end").await? {
            break;
        }
        browser.click("lesson-next").await?;
    }
    browser.find("lesson-end").await?;
    browser
        .wait_until("return location.hash.includes('lesson=memory/column-read;step=');")
        .await?;
    browser
        .wait_until("return document.activeElement?.dataset.testid === 'lesson-open-next';")
        .await?;
    // A reload shows the end again.
    browser.client.refresh().await?;
    browser.find("lesson-end").await?;
    browser.click("lesson-open-next").await?;
    browser
        .wait_until("return location.hash.includes('lesson=memory/bank-stride');")
        .await?;
    browser.click("lesson-leave").await?;
    browser
        .wait_until(
            "return document.querySelector('[data-testid=lesson-memory-column-read]')?.textContent.includes('✓ finished')
                && document.querySelector('[data-testid=lesson-memory-bank-stride]').parentElement.textContent.includes('Prerequisite: ✓ Why is a column read slow?')
                && document.querySelector('.course .when').textContent === '1 of 8 finished';",
        )
        .await?;
    // Forgetting the progress starts again.
    browser.click("lessons-forget").await?;
    browser
        .wait_until("return document.querySelector('.course .when').textContent === '0 of 8 finished';")
        .await?;
    browser.close().await
}

#[tokio::test]
async fn the_palette_opens_lessons_and_terms() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start(1440, 900).await?;
    browser.open(&host.address("v1;cycle=100")).await?;
    let press =
        "document.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true, bubbles: true }));";
    let take = |text: &str| {
        format!(
            "const row = [...document.querySelectorAll('#found [role=option]')].find(row => row.textContent.startsWith('{text}'));
            row?.click();
            return row !== undefined;"
        )
    };
    browser.script(press).await?;
    browser.find("find").await?;
    for key in "spilled".chars() {
        browser.press(key).await?;
    }
    browser
        .wait_until(&take("What does a spilled register cost?"))
        .await?;
    browser.find("lesson-title").await?;
    browser.click("lesson-leave").await?;
    browser.click("dialog-close").await?;
    browser.script(press).await?;
    browser.find("find").await?;
    for key in "scoreboard".chars() {
        browser.press(key).await?;
    }
    browser.wait_until(&take("scoreboard")).await?;
    browser
        .wait_until(
            "return document.querySelector('.terms dt')?.textContent.toLowerCase().startsWith('scoreboard');",
        )
        .await?;
    browser.close().await
}

#[tokio::test]
async fn the_map_of_claims_leads_to_lessons_views_and_terms() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start(390, 844).await?;
    browser.open(&host.address("v1;panel=guides")).await?;
    browser.click("section-T-4").await?;
    browser.find("claim-row-T13").await?;
    browser.click("lessons-search").await?;
    for key in "f33".chars() {
        browser.press(key).await?;
    }
    browser
        .wait_for("claims-note", |text| text == "1 claim found")
        .await?;
    let row = "document.querySelector('[data-testid=claim-row-F33]')";
    for text in ["Why is a column read slow?", "Banks", "bank", "claim_f32_f33_"] {
        browser
            .wait_until(&format!("return {row}.textContent.includes('{text}');"))
            .await?;
    }
    // Nothing is wider than the phone.
    let wide = browser
        .script("return document.querySelector('dialog').scrollWidth > document.querySelector('dialog').clientWidth;")
        .await?;
    assert_eq!(wide, false);
    browser
        .script(&format!(
            "[...{row}.querySelectorAll('.link')].find(link => link.textContent === 'Banks').click();"
        ))
        .await?;
    browser
        .wait_until(
            "return location.hash.includes('view=banks') && document.querySelector('dialog') === null;",
        )
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
