//! What a person made stays: in two tabs, with full or denied storage, beyond the length of a link, and beside another
//! page of the same origin.

use std::time::Duration;

use serde_json::{Value, json};
use warpscope_e2e::{Browser, Error, Host};

const SHORT: &str = "v1;kernel=saxpy;grid=8";

/// The links of the recent scenarios in the open list, most recent first.
async fn recents(browser: &Browser) -> Result<Vec<String>, Error> {
    browser.find("recent").await?;
    let names = browser
        .script("return [...document.querySelectorAll('[data-testid=recent] .visit')].map(row => row.textContent);")
        .await?;
    let names = names.as_array().ok_or("no list")?;
    Ok(names
        .iter()
        .filter_map(Value::as_str)
        .map(str::to_owned)
        .collect())
}

/// The stored text of a name, under the key of the page's folder.
async fn stored(browser: &Browser, name: &str) -> Result<Value, Error> {
    browser
        .script(&format!(
            "return localStorage.getItem(`warpscope:${{location.pathname.replace(/[^/]*$/, '')}}:{name}`);"
        ))
        .await
}

/// Waits until the stored text of a name contains some words.
async fn wait_for_stored(browser: &Browser, name: &str, words: &str) -> Result<(), Error> {
    for _ in 0..100 {
        let text = stored(browser, name).await?;
        if text.as_str().is_some_and(|text| text.contains(words)) {
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    Err(format!("{name} has no {words}: {}", stored(browser, name).await?).into())
}

/// Waits until the stored text of a name is another one.
async fn wait_for_change(browser: &Browser, name: &str, before: &Value) -> Result<(), Error> {
    for _ in 0..100 {
        if stored(browser, name).await? != *before {
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    Err(format!("{name} stays as it is: {before}").into())
}

#[tokio::test]
async fn two_tabs_keep_each_other_s_scenarios_and_progress() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start(1440, 900).await?;
    browser.open(&host.address("v1;kernel=saxpy;arch=gf100")).await?;
    wait_for_stored(&browser, "recent", "gf100").await?;
    let first = browser.client.window().await?;
    let second = browser.client.new_window(true).await?.handle;
    browser.client.switch_to_window(second.clone()).await?;
    browser.open(&host.address("v1;kernel=saxpy;arch=gv100")).await?;
    wait_for_stored(&browser, "recent", "gv100").await?;
    // The first tab, which read the list before the second one wrote it, adds another scenario.
    browser.client.switch_to_window(first.clone()).await?;
    browser
        .script("location.hash = '#v1;kernel=saxpy;arch=g80';")
        .await?;
    wait_for_stored(&browser, "recent", "g80").await?;
    for window in [&second, &first] {
        browser.client.switch_to_window(window.clone()).await?;
        let before = stored(&browser, "recent").await?;
        browser
            .script("location.hash = '#v1;kernel=saxpy;arch=g80;panel=recent';")
            .await?;
        // The second tab opens the scenario itself, and notes the time after a while: not after the removal below.
        if window == &second {
            wait_for_change(&browser, "recent", &before).await?;
        }
        browser
            .wait_until("return document.querySelectorAll('[data-testid=recent] .visit').length === 3;")
            .await?;
        let all = recents(&browser).await?.join("\n");
        for name in ["GF100", "GV100", "G80"] {
            assert!(all.contains(name), "{name}: {all}");
        }
    }
    // What one tab removes, the other one does not bring back.
    browser.click("forget-0").await?;
    browser.client.switch_to_window(second).await?;
    browser
        .wait_until("return document.querySelectorAll('[data-testid=recent] .visit').length === 2;")
        .await?;
    // Progress of another tab: as if this one had stored it.
    let other = json!({ "memory/rows": { "steps": 2, "right": 1, "finished": false } }).to_string();
    browser
        .script(&format!(
            "localStorage.setItem(`warpscope:${{location.pathname.replace(/[^/]*$/, '')}}:lessons`, {});",
            json!(other)
        ))
        .await?;
    browser.client.switch_to_window(first).await?;
    browser
        .script("location.hash = '#v1;lesson=memory/column-read';")
        .await?;
    browser.find("lesson-title").await?;
    browser
        .wait_until(
            "const press = id => document.querySelector(`[data-testid=${id}]`)?.click();
            press('lesson-show'); press('lesson-next');
            return localStorage.getItem(`warpscope:${location.pathname.replace(/[^/]*$/, '')}:lessons`).includes('memory/column-read');",
        )
        .await?;
    let progress = stored(&browser, "lessons").await?;
    assert!(
        progress.as_str().is_some_and(|text| text.contains("memory/rows")),
        "{progress}"
    );
    browser.close().await
}

#[tokio::test]
async fn the_keys_of_old_versions_are_read_and_those_of_other_folders_are_not() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start(1440, 900).await?;
    let recent =
        json!([{ "link": "#v1;arch=gk110", "name": "old", "line": "line", "when_ms": 1.0 }]).to_string();
    let other =
        json!([{ "link": "#v1;arch=gp104", "name": "other", "line": "line", "when_ms": 1.0 }]).to_string();
    browser
        .before_page(&format!(
            "if (!localStorage.getItem('recent')) {{
                localStorage.setItem('recent', {});
                localStorage.setItem('theme', 'dark');
                localStorage.setItem('warpscope:/b/:recent', {});
            }}",
            json!(recent),
            json!(other)
        ))
        .await?;
    browser
        .open(&host.address("v1;kernel=saxpy;arch=g80;panel=recent"))
        .await?;
    let all = recents(&browser).await?.join("\n");
    assert!(all.contains("old") && !all.contains("other"), "{all}");
    assert_eq!(
        browser
            .script("return document.documentElement.dataset.theme;")
            .await?,
        "dark"
    );
    wait_for_stored(&browser, "recent", "g80").await?;
    wait_for_stored(&browser, "recent", "gk110").await?;
    browser.close().await
}

#[tokio::test]
async fn storage_that_is_denied_or_full_has_a_notice() -> Result<(), Error> {
    let host = Host::start()?;
    for (script, words) in [
        (
            "Object.defineProperty(window, 'localStorage', { get: () => { throw new DOMException('', 'SecurityError'); } });",
            "denies the page its storage",
        ),
        (
            "Storage.prototype.setItem = () => { throw new DOMException('', 'QuotaExceededError'); };",
            "storage for this site is full",
        ),
    ] {
        let browser = Browser::start(1440, 900).await?;
        browser.before_page(script).await?;
        browser.open(&host.address(SHORT)).await?;
        browser.wait_for("notice", |text| text.contains(words)).await?;
        // This visit goes on with its list.
        browser
            .script(&format!("location.hash = '#{SHORT};panel=recent';"))
            .await?;
        let all = recents(&browser).await?;
        assert_eq!(all.len(), 1, "{all:?}");
        browser.close().await?;
    }
    Ok(())
}

/// Puts a text of more than 256 KB into the editor. Returns its last line.
const LONG: &str = "
    const line = (_, idx) => `// line ${idx} ${Math.random()} ${'x'.repeat(180)}\\n`;
    const text = '__global__ void own(float *a) { a[threadIdx.x] = 1.0f; }\\n' + Array.from({ length: 1500 }, line).join('');
    const editor = document.querySelector('[data-testid=editor]');
    editor.focus();
    editor.value = text;
    editor.dispatchEvent(new InputEvent('input', { bubbles: true }));
    return text;";

#[tokio::test]
async fn a_text_beyond_the_length_of_a_link_survives_reload_and_back() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start(1440, 900).await?;
    browser.open(&host.address(SHORT)).await?;
    let text = browser.script(LONG).await?;
    let text = text.as_str().ok_or("no text")?.to_owned();
    assert!(text.len() > 256 * 1024);
    browser
        .wait_for("headline", |text| text.contains("stays in this tab alone"))
        .await?;
    browser.wait_until("return history.state !== null;").await?;
    let address = browser.client.current_url().await?;
    assert!(address.as_str().len() < 1_000, "{}", address.as_str().len());
    browser.client.refresh().await?;
    browser.wait_for("editor", |shown| shown == text).await?;
    // Another entry of the history, and back.
    browser.script("location.hash = '#v1;kernel=vector-add';").await?;
    browser
        .wait_for("cycle-of", |text| text.starts_with("of "))
        .await?;
    browser.client.back().await?;
    browser.wait_for("editor", |shown| shown == text).await?;
    // A shared link does not claim to have it.
    browser.script("document.activeElement.blur();").await?;
    browser.click("header-share").await?;
    let shared = browser.text("share-link").await?;
    assert!(shared.len() < 1_000, "{}", shared.len());
    browser.close().await
}
