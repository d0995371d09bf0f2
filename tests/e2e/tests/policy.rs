//! The page runs under a strict Content Security Policy: nothing is blocked in any view, dialog, export, or frame, and the
//! built pages have nothing that the policy would block.

use std::path::{Path, PathBuf};

use fantoccini::Locator;
use serde_json::Value;
use warpscope_e2e::{Browser, Error, Host, VIEWS};

/// Notes what the policy blocks, and every error, before the page's own scripts run.
const WATCH: &str = "
    globalThis.reports = [];
    document.addEventListener('securitypolicyviolation', event =>
        reports.push(`${event.effectiveDirective} blocks ${event.blockedURI} at ${event.sourceFile}:${event.lineNumber} ${event.sample}`));
    addEventListener('error', event => reports.push(`error: ${event.message ?? event.target?.src ?? event.target?.href}`), true);
    addEventListener('unhandledrejection', event => reports.push(`rejection: ${event.reason}`));
    {
        const say = console.error;
        console.error = (...words) => { reports.push(words.join(' ')); say(...words); };
    }";
/// Keeps the size of every file that the page saves.
const KEEP_FILES: &str = "
    globalThis.saved = [];
    {
        const make = URL.createObjectURL;
        URL.createObjectURL = blob => { saved.push(blob.size); return make.call(URL, blob); };
    }";

/// States of the page: a link, what to press or click there, and an element that shows that the state is reached.
const STATES: [(&str, &[&str], &str); 19] = [
    ("", &[], "welcome"),
    ("v1;tour=1", &[], "tour"),
    ("v1;panel=find", &[], "find-run-count"),
    ("v1;panel=outputs;kernel=saxpy", &[], "outputs-when"),
    ("v1;view=playground;kernel=transpose-tiled", &[], "stage-canvas"),
    ("v1;view=plots;cycle=1400", &[], "stage-canvas"),
    ("v1;view=arithmetic;calc=1.0f*", &[], "calc-mistake"),
    (
        "v1;kernel=vector-add;grid=40;view=device;arch=gf100;cycle=10",
        &[],
        "stage-canvas",
    ),
    (
        "v1;arch=gv100;kernel=clients-small;view=streams;processes=2;mps=on;call=3",
        &[],
        "stage-canvas",
    ),
    ("v1;cycle=701;warp=3", &["card"], "card"),
    ("v1;lecture=shared-memory/3;panel=chapters", &[], "chapter-list"),
    ("v1;lecture=shared-memory/3;present=on", &[], "chapter"),
    ("v1;lecture=shared-memory/3;present=notes", &[], "notes-column"),
    ("v1;cycle=300", &["palette"], "find"),
    ("v1;cycle=301", &["share"], "share-link"),
    (
        "v1;arch=gf100;kernel=transpose-naive;compare=gp104,gv100,tu102",
        &[],
        "side-state-2",
    ),
    ("v1;lesson=memory/column-read;step=2", &[], "lesson-ask"),
    ("v1;lesson=memory/column-read;step=4", &[], "lesson"),
    (
        "v1;source=__global__%20void%20k(int*%20out)%20%7B%20out%5B0%5D%20%3D%201%3B%20%7D",
        &[],
        "stage-canvas",
    ),
];

fn dist() -> Result<PathBuf, Error> {
    Ok(PathBuf::from(std::env::var("WARPSCOPE_DIST")?))
}

/// The HTML files at the top of the built page.
fn pages(dist: &Path) -> Result<Vec<PathBuf>, Error> {
    let mut pages = Vec::new();
    for entry in std::fs::read_dir(dist)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "html") {
            pages.push(path);
        }
    }
    Ok(pages)
}

/// A host whose pages note what is blocked.
fn watching() -> Result<Host, Error> {
    let host = Host::start()?;
    host.before_page(WATCH);
    Ok(host)
}

/// Fails with what was blocked since the page was opened.
async fn nothing_is_blocked(browser: &Browser, what: &str) -> Result<(), Error> {
    let reports = browser
        .script("return globalThis.reports ?? ['the page is not watched'];")
        .await?;
    let reports: Vec<&str> = reports
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    assert!(reports.is_empty(), "{what}: {reports:#?}");
    Ok(())
}

#[test]
fn the_built_pages_have_nothing_inline() -> Result<(), Error> {
    let pages = pages(&dist()?)?;
    assert!(pages.len() >= 5, "{pages:?}");
    for page in pages {
        let name = page.display();
        let html = std::fs::read_to_string(&page)?;
        assert!(!html.contains("<style"), "{name}: a style element");
        for tag in html.split('<').skip(1) {
            let tag = tag.split('>').next().unwrap_or_default();
            assert!(!tag.contains(" style="), "{name}: <{tag}>");
            let handler = tag
                .split_whitespace()
                .find(|part| part.starts_with("on") && part.contains('='));
            assert_eq!(handler, None, "{name}: <{tag}>");
            assert!(!tag.contains("javascript:"), "{name}: <{tag}>");
            let is_script = tag.starts_with("script");
            assert!(!is_script || tag.contains(" src=\""), "{name}: <{tag}>");
            for foreign in ["src=\"http", "src=\"//", "src=\"data:", "href=\"data:"] {
                assert!(!tag.contains(foreign), "{name}: <{tag}>");
            }
        }
        if page.ends_with("embed.html") {
            // Its script adds the policy: see www/embed_policy.js.
            assert!(!html.contains("http-equiv"), "{name}");
            continue;
        }
        let (_, rest) = html
            .split_once("<meta http-equiv=\"Content-Security-Policy\" content=\"")
            .ok_or_else(|| format!("{name}: no policy"))?;
        let policy = rest.split('"').next().unwrap_or_default();
        assert!(policy.starts_with("default-src 'none'; "), "{name}: {policy}");
        for loose in ["unsafe-inline", "unsafe-eval", "http:", "*", "data:", "blob:"] {
            let policy = policy.replace("'wasm-unsafe-eval'", "");
            assert!(!policy.contains(loose), "{name}: {policy}");
        }
    }
    Ok(())
}

#[tokio::test]
async fn nothing_is_blocked_in_any_view_and_dialog() -> Result<(), Error> {
    let host = watching()?;
    let browser = Browser::start(1440, 900).await?;
    for (link, actions, reached) in STATES {
        browser.client.goto("about:blank").await?;
        browser.open(&host.address(link)).await?;
        for action in actions {
            act(&browser, action).await?;
        }
        browser
            .find(reached)
            .await
            .map_err(|error| format!("{link}: {error}"))?;
        nothing_is_blocked(&browser, link).await?;
    }
    // The views of the default scenario, in both themes.
    browser.open(&host.address("v1;cycle=1200;warp=2")).await?;
    for view in VIEWS {
        browser.show_view(view).await?;
        browser
            .wait_until("return document.querySelectorAll('.tab[aria-selected=true]').length === 1;")
            .await?;
        browser.press(';').await?;
        nothing_is_blocked(&browser, view).await?;
        // The glossary's card, where there is one.
        browser.press('\u{e00c}').await?;
    }
    browser
        .script("document.querySelector('[data-testid=header-theme]').click();")
        .await?;
    nothing_is_blocked(&browser, "the other theme").await?;
    browser.close().await
}

/// Reaches a state that has no link.
async fn act(browser: &Browser, action: &str) -> Result<(), Error> {
    match action {
        "palette" => {
            let keys = "document.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true, bubbles: true }));";
            browser.script(keys).await?;
        }
        "card" => browser.press(';').await?,
        name => browser.click(&format!("header-{name}")).await?,
    }
    Ok(())
}

#[tokio::test]
async fn every_export_works_and_the_handout_prints() -> Result<(), Error> {
    let host = watching()?;
    let browser = Browser::start(1440, 900).await?;
    host.before_page(KEEP_FILES);
    browser
        .open(&host.address("v1;kernel=saxpy;cycle=300;range=300-303"))
        .await?;
    browser.click("header-export").await?;
    let kinds =
        "return [...document.querySelectorAll('[data-testid^=export-]')].map(item => item.dataset.testid);";
    let kinds = browser.script(kinds).await?;
    let kinds: Vec<&str> = kinds
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    assert!(kinds.len() >= 4, "{kinds:?}");
    for (idx, kind) in kinds.iter().enumerate() {
        if idx > 0 {
            browser.click("header-export").await?;
        }
        browser.click(kind).await?;
        browser
            .wait_until(&format!("return saved.length > {idx} && saved[{idx}] > 0;"))
            .await
            .map_err(|error| format!("{kind}: {error}"))?;
        nothing_is_blocked(&browser, kind).await?;
    }
    // The QR code, and the film as WebM, which the browser records.
    browser.click("header-share").await?;
    browser.click("share-code-save").await?;
    browser.click("film-webm").await?;
    browser.click("film-make").await?;
    browser
        .wait_until(&format!("return saved.length === {};", kinds.len() + 2))
        .await?;
    browser
        .script("window.dispatchEvent(new Event('beforeprint'));")
        .await?;
    browser
        .wait_until(
            "return document.querySelector('[data-testid=handout] .handout-picture svg text') !== null;",
        )
        .await?;
    nothing_is_blocked(&browser, "film and handout").await?;
    browser.close().await
}

/// Plays the frame at this place of an article, and checks that nothing in it is blocked.
async fn play_frame(browser: &Browser, idx: usize) -> Result<(), Error> {
    let frames = browser.client.find_all(Locator::Css("iframe")).await?;
    let frame = frames.into_iter().nth(idx).ok_or("no frame")?;
    frame.enter_frame().await?;
    browser.click("poster-play").await?;
    browser.find("stage-canvas").await?;
    browser
        .wait_until("return Number(document.querySelector('[data-testid=cycle]').textContent.replace(',', '')) > 305;")
        .await?;
    nothing_is_blocked(browser, &format!("frame {idx}")).await?;
    browser.client.clone().enter_parent_frame().await?;
    Ok(())
}

/// The policy of docs/embedding.md is the one that the host sends with `embed.html`; a test of `warpscope-headers` compares
/// the two.
#[tokio::test]
async fn any_page_may_show_the_embed_with_and_without_an_origin() -> Result<(), Error> {
    let host = watching()?;
    let page = host.address("");
    let link = "v1;kernel=transpose-tiled;view=banks;cycle=300";
    let article = Host::of_page(format!(
        "<!doctype html><title>Article</title>\
         <iframe src=\"{page}embed.html#{link}\" width=\"640\" height=\"360\"></iframe>\
         <iframe src=\"{page}?embed#{link}\" width=\"640\" height=\"360\"></iframe>\
         <iframe src=\"{page}embed.html#{link}\" width=\"640\" height=\"360\" sandbox=\"allow-scripts\"></iframe>"
    ))?;
    let browser = Browser::start(900, 1300).await?;
    browser.client.goto(&article.address("")).await?;
    for idx in 0..3 {
        play_frame(&browser, idx).await?;
    }
    browser.close().await
}

#[tokio::test]
async fn other_origins_may_not_show_the_workbench_in_a_frame() -> Result<(), Error> {
    let host = Host::start()?;
    let article = Host::of_page(format!(
        "<!doctype html><title>Article</title><iframe src=\"{}\" width=\"640\" height=\"360\"></iframe>",
        host.address("v1;cycle=300")
    ))?;
    let browser = Browser::start(900, 700).await?;
    browser.client.goto(&article.address("")).await?;
    browser
        .client
        .find(Locator::Css("iframe"))
        .await?
        .enter_frame()
        .await?;
    // The browser shows its own page there.
    let own = "return location.protocol === 'chrome-error:' || document.querySelector('meta[http-equiv]') === null;";
    browser.wait_until(own).await?;
    assert!(!browser.has("stage-canvas").await?);
    browser.close().await
}

#[tokio::test]
async fn the_host_sends_the_headers_of_the_build() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start(900, 700).await?;
    browser.open(&host.address("")).await?;
    let headers = browser
        .client
        .execute_async(
            "const done = arguments[0];
            const of = async path => Object.fromEntries((await fetch(path, { cache: 'no-store' })).headers);
            const script = document.querySelector('script[type=module]').src;
            Promise.all([of('index.html'), of('embed.html'), of(script)]).then(done);",
            Vec::new(),
        )
        .await?;
    let header = |idx: usize, name: &str| headers[idx][name].as_str().unwrap_or_default().to_owned();
    for idx in 0..3 {
        assert_eq!(header(idx, "x-content-type-options"), "nosniff");
        assert_eq!(header(idx, "access-control-allow-origin"), "*", "sent once");
    }
    assert!(header(0, "content-security-policy").ends_with("; frame-ancestors 'self'"));
    assert!(header(1, "content-security-policy").ends_with("; frame-ancestors *"));
    assert_eq!(header(0, "cache-control"), "no-cache");
    assert!(header(2, "cache-control").ends_with("immutable"));
    browser.close().await
}
