//! The page without its server, and its releases: kept, replaced, and missing.

#[path = "../../../xtask/src/offline.rs"]
mod release;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use fantoccini::Locator;
use fantoccini::wd::WebDriverCompatibleCommand;
use serde_json::{Value, json};
use warpscope_e2e::{Browser, Engine, Error, Host, PageCopy};

/// An own kernel.
const OWN: &str = "__global__ void own(float *out) { out[threadIdx.x] = 2.0f * threadIdx.x; }\n";
/// Whether the active release serves the page, with all its files kept.
const KEPT: &str = "return navigator.serviceWorker.controller?.state === 'activated';";
/// Lets the browser check for a new release.
const CHECK: &str =
    "return navigator.serviceWorker.getRegistration().then(found => found.update()).then(() => true);";
/// A browser as it is without service workers.
const WITHOUT_WORKERS: &str = "delete Navigator.prototype.serviceWorker;";
/// Rejects if the server is gone: a request past all caches.
const PAST_CACHES: &str =
    "return fetch('index.html', { cache: 'no-store' }).then(() => 'answered', () => 'failed');";

/// A release of its own.
struct Built {
    page: PageCopy,
    name: String,
}

impl Built {
    /// A copy of the built page that `change` changes, as a release of its own.
    fn changed(copy: &str, change: impl FnOnce(&Path) -> Result<(), Error>) -> Result<Self, Error> {
        let page = PageCopy::changed(copy, change)?;
        let name = release::put_in(page.folder())?;
        Ok(Self { page, name })
    }

    fn folder(&self) -> &Path {
        self.page.folder()
    }

    /// A release with another title of the first course.
    fn with_title(title: &str) -> Result<Self, Error> {
        Self::changed(title, |folder| {
            let file = folder.join("lessons.json");
            let mut courses: Value = serde_json::from_slice(&fs::read(&file)?)?;
            let first = courses.get_mut(0).ok_or("no course")?;
            first["title"] = title.into();
            Ok(fs::write(&file, courses.to_string())?)
        })
    }
}

/// The digest in a name of a file, as Trunk and the build write it: up to 16 digits, without leading zeros.
fn digest_of(name: &str) -> Option<&str> {
    name.split(['-', '_', '.'])
        .find(|part| (12..=16).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// Gives every file whose name has a digest another name, as new contents would.
fn rename_hashed(folder: &Path) -> Result<(), Error> {
    let names: Vec<String> = fs::read_dir(folder)?
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .collect();
    let digests: BTreeMap<String, String> = names
        .iter()
        .filter_map(|name| digest_of(name))
        .map(|digest| (digest.to_owned(), digest.chars().rev().collect()))
        .collect();
    assert!(digests.len() >= 3, "{names:?}");
    let renamed = |text: &str| {
        digests
            .iter()
            .fold(text.to_owned(), |text, (old, new)| text.replace(old, new))
    };
    for name in &names {
        let file = folder.join(name);
        if [".html", ".js", ".css"].iter().any(|kind| name.ends_with(kind)) {
            let text = renamed(&fs::read_to_string(&file)?);
            fs::write(&file, text)?;
        }
        fs::rename(&file, folder.join(renamed(name)))?;
    }
    Ok(())
}

/// Headers with which browsers keep the page for an hour, and no other file.
fn keep_page_alone(folder: &Path) -> Result<(), Error> {
    let mut text = "/\n  Cache-Control: max-age=3600\n".to_owned();
    for entry in fs::read_dir(folder)? {
        let name = entry?.file_name();
        if name != "index.html" {
            text += "/";
            text += &name.to_string_lossy();
            text += "\n  Cache-Control: no-store\n";
        }
    }
    Ok(fs::write(folder.join("_headers"), text)?)
}

/// Opens the page, and waits until the browser keeps its release.
async fn open_kept(browser: &Browser, address: &str) -> Result<(), Error> {
    browser.open(address).await?;
    browser.wait_until(KEPT).await
}

async fn release_of(browser: &Browser) -> Result<String, Error> {
    let name = browser
        .script("return document.documentElement.dataset.release;")
        .await?;
    Ok(name.as_str().ok_or("no release")?.to_owned())
}

/// The names of the releases that the browser keeps, and their files by path.
async fn caches(browser: &Browser) -> Result<BTreeMap<String, BTreeSet<String>>, Error> {
    let list = browser
        .script(
            "return caches.keys().then(names => Promise.all(names.map(async name =>
                [name, (await (await caches.open(name)).keys()).map(request => request.url)])));",
        )
        .await?;
    let list: Vec<(String, Vec<String>)> = serde_json::from_value(list)?;
    let folder = browser
        .script("return new URL('./', location.href).href;")
        .await?;
    let folder = folder.as_str().unwrap_or_default().to_owned();
    let mut caches = BTreeMap::new();
    for (name, files) in list {
        let (_, release) = name.rsplit_once(' ').ok_or("no release in the name of a cache")?;
        let files = files.iter().map(|url| {
            let path = url.strip_prefix(&folder);
            path.map(str::to_owned)
                .ok_or_else(|| format!("{url} is foreign").into())
        });
        caches.insert(release.to_owned(), files.collect::<Result<_, Error>>()?);
    }
    Ok(caches)
}

/// Replaces the editor's text.
async fn type_kernel(browser: &Browser, text: &str) -> Result<(), Error> {
    let body = format!(
        "const field = document.querySelector('[data-testid=editor]');
         field.focus();
         field.select();
         return document.execCommand('insertText', false, {text:?});"
    );
    assert_eq!(browser.script(&body).await?, true);
    Ok(())
}

async fn editor(browser: &Browser) -> Result<String, Error> {
    browser.text("editor").await
}

/// The title of the first course in the list of lessons.
async fn first_course(browser: &Browser) -> Result<String, Error> {
    browser.click("header-lessons").await?;
    browser
        .wait_until("return document.querySelector('.lessons h3') !== null;")
        .await?;
    let title = browser
        .script("return document.querySelector('.lessons h3').textContent;")
        .await?;
    browser.click("dialog-close").await?;
    Ok(title.as_str().unwrap_or_default().to_owned())
}

#[tokio::test]
async fn after_a_first_visit_everything_works_without_the_server() -> Result<(), Error> {
    for engine in Engine::chosen()? {
        work_without_server(engine)
            .await
            .map_err(|error| format!("{}: {error}", engine.name()))?;
    }
    Ok(())
}

async fn work_without_server(engine: Engine) -> Result<(), Error> {
    let mut host = Host::start()?;
    let browser = Browser::start_engine(engine, 1440, 900).await?;
    open_kept(&browser, &host.address("")).await?;

    // The visit and the release share their downloads.
    let requests = host.requests();
    let module = |path: &&String| path.contains(".wasm");
    assert_eq!(requests.iter().filter(module).count(), 1, "{requests:?}");
    let (visit, release) = requests.split_at(requests.iter().position(|path| path == "sw.js").unwrap_or(0));
    let is_again = |path: &&String| digest_of(path).is_some() && visit.contains(*path);
    let again: Vec<&String> = release.iter().filter(is_again).collect();
    assert!(again.is_empty(), "{again:?}");
    let kept = caches(&browser).await?;
    let files = &kept[&release_of(&browser).await?];
    assert_eq!(kept.len(), 1);
    for path in [
        "index.html",
        "lessons.json",
        "glossary.json",
        "validation.html",
        "manifest.webmanifest",
    ] {
        assert!(files.contains(path), "{path} is not kept: {files:?}");
    }
    assert!(!files.contains("warpscope.d.ts") && !files.contains("sw.js"));

    host.stop();
    assert_eq!(browser.script(PAST_CACHES).await?, "failed", "the server is gone");
    // In the tab of the first visit: what was not loaded before.
    assert!(!first_course(&browser).await?.is_empty());
    browser.client.refresh().await?;
    browser
        .wait_for("cycle-of", |text| text.starts_with("of "))
        .await?;
    assert_eq!(browser.text("scenario-name").await?, "transpose-tiled");

    // Another link, in a page of its own; a query is the page's.
    browser.client.goto("about:blank").await?;
    browser
        .open(&host.address("v1;kernel=saxpy;view=stalls;cycle=40"))
        .await?;
    assert_eq!(browser.text("scenario-name").await?, "saxpy");
    browser.client.goto("about:blank").await?;
    let query = host
        .address("")
        .replace("/a/folder/", "/a/folder/index.html?from=elsewhere");
    browser.open(&query).await?;

    browser.client.goto("about:blank").await?;
    browser.open(&host.address("v1;lesson=transpose/tiled")).await?;
    browser.wait_for("lesson-title", |text| !text.is_empty()).await?;
    browser.client.goto("about:blank").await?;
    browser.open(&host.address("v1;panel=glossary")).await?;
    browser
        .wait_for("glossary-note", |text| text.ends_with("terms"))
        .await?;

    browser.client.goto("about:blank").await?;
    browser.open(&host.address("v1;kernel=saxpy")).await?;
    type_kernel(&browser, OWN).await?;
    browser.wait_for("scenario-name", |text| text == "own").await?;
    browser
        .wait_for("cycle-of", |text| text.starts_with("of "))
        .await?;

    browser.client.goto("about:blank").await?;
    browser
        .client
        .goto(&host.address("v1;kernel=saxpy;compare=gp104"))
        .await?;
    browser
        .wait_for("side-state-2", |text| text.contains("cycles"))
        .await?;

    browser
        .client
        .goto(
            &host
                .address("")
                .replace("/a/folder/", "/a/folder/validation.html"),
        )
        .await?;
    assert!(browser.client.title().await?.contains("alidation"));
    browser.close().await
}

#[tokio::test]
async fn what_a_release_does_not_hold_is_never_made_up() -> Result<(), Error> {
    let mut host = Host::start()?;
    let browser = Browser::start(1440, 900).await?;
    open_kept(&browser, &host.address("")).await?;
    let scope = browser
        .script("return navigator.serviceWorker.getRegistration().then(found => found.scope);")
        .await?;
    assert_eq!(scope, host.address(""), "only the page's folder");

    let answer = async |request: &str| -> Result<Value, Error> {
        let body = format!(
            "return fetch({request}).then(async found => found.status + ' ' + (await found.text()).slice(0, 9), () => 'failed');"
        );
        browser.script(&body).await
    };
    assert_eq!(
        answer("'none.json'").await?,
        "404 not found",
        "the server answers"
    );
    host.stop();
    for request in [
        "'none.json'",
        "'lessons/none/none.toml'",
        "'lessons.json?other'",
        "'lessons.json?release=0000000000000000'",
        "'page-0123456789abcdef.js'",
        "'../lessons.json'",
        "'/lessons.json'",
        "'lessons.json', { method: 'POST', body: 'a' }",
        "'lessons.json', { method: 'HEAD' }",
        "'lessons.json', { cache: 'reload' }",
        "'lessons.json', { headers: { range: 'bytes=0-3' } }",
    ] {
        assert_eq!(answer(request).await?, "failed", "{request}");
    }
    let kept = answer("'lessons.json'").await?;
    assert!(
        kept.as_str().is_some_and(|text| text.starts_with("200 ")),
        "{kept}"
    );
    let type_of = "return fetch('lessons.json').then(found => found.headers.get('content-type'));";
    assert_eq!(browser.script(type_of).await?, "application/json");
    assert_eq!(caches(&browser).await?.len(), 1);
    browser.close().await
}

#[tokio::test]
async fn a_new_release_is_offered_and_a_reload_keeps_everything() -> Result<(), Error> {
    for engine in Engine::chosen()? {
        take_new_release(engine)
            .await
            .map_err(|error| format!("{}: {error}", engine.name()))?;
    }
    Ok(())
}

async fn take_new_release(engine: Engine) -> Result<(), Error> {
    let first = Built::with_title("First")?;
    let second = Built::with_title("Second")?;
    let third = Built::with_title("Third")?;
    let host = Host::start()?;
    host.serve_folder(first.folder())?;
    let browser = Browser::start_engine(engine, 1440, 900).await?;
    open_kept(&browser, &host.address("v1;kernel=saxpy;view=stalls;cycle=40")).await?;
    assert_eq!(release_of(&browser).await?, first.name);
    let tab = browser.client.window().await?;

    // Another tab of the same release, which stays open.
    let other = browser.client.new_window(true).await?.handle;
    browser.client.switch_to_window(other.clone()).await?;
    browser.open(&host.address("v1;kernel=transpose-naive")).await?;
    assert!(!browser.has("release").await?);

    browser.client.switch_to_window(tab.clone()).await?;
    host.serve_folder(second.folder())?;
    let before = host.requests().len();
    browser.script(CHECK).await?;
    browser
        .wait_for("release", |text| text == "A new version is ready: reload")
        .await?;
    let downloads = &host.requests()[before..];
    assert!(
        !downloads.iter().any(|path| path.contains(".wasm")),
        "{downloads:?}"
    );
    assert_eq!(
        release_of(&browser).await?,
        first.name,
        "nothing reloads by itself"
    );

    // A lecture is not interrupted.
    browser.script("document.activeElement.blur();").await?;
    browser.press('p').await?;
    browser
        .wait_until("return document.querySelector('[data-present]') !== null;")
        .await?;
    assert!(!browser.has("release").await?);
    browser.press('p').await?;
    browser.find("release").await?;
    assert_eq!(browser.text("cycle").await?, "40");

    // With the keyboard, right after a change of the text.
    type_kernel(&browser, OWN).await?;
    browser
        .script("document.querySelector('[data-testid=\"release-reload\"]').focus();")
        .await?;
    browser.press('\u{e007}').await?;
    browser
        .wait_until(&format!(
            "return document.documentElement.dataset.release === '{}';",
            second.name
        ))
        .await?;
    browser.wait_for("scenario-name", |text| text == "own").await?;
    assert_eq!(editor(&browser).await?, OWN);
    assert_eq!(browser.text("cycle").await?, "40");
    assert!(first_course(&browser).await? == "Second");
    assert!(!browser.has("release").await?);

    // The tab of the release before keeps its own files, and starts workers.
    browser.client.switch_to_window(other).await?;
    browser.find("release").await?;
    assert_eq!(release_of(&browser).await?, first.name);
    assert!(first_course(&browser).await? == "First");
    for _ in 0..2 {
        browser.script("document.activeElement.blur();").await?;
        browser.press('a').await?;
    }
    browser
        .wait_for("side-state-3", |text| text.contains("cycles"))
        .await?;
    browser.click("release-hide").await?;
    assert!(!browser.has("release").await?);
    let kept = |caches: &BTreeMap<String, BTreeSet<String>>| caches.keys().cloned().collect::<BTreeSet<_>>();
    assert_eq!(
        kept(&caches(&browser).await?),
        [&first.name, &second.name].into_iter().cloned().collect()
    );

    // One release back is kept, no more.
    browser.client.switch_to_window(tab).await?;
    host.serve_folder(third.folder())?;
    browser.script(CHECK).await?;
    browser.click("release-reload").await?;
    browser
        .wait_until(&format!(
            "return document.documentElement.dataset.release === '{}';",
            third.name
        ))
        .await?;
    assert_eq!(
        kept(&caches(&browser).await?),
        [&second.name, &third.name].into_iter().cloned().collect()
    );
    browser.close().await
}

#[tokio::test]
async fn a_release_that_is_half_on_the_server_is_not_taken() -> Result<(), Error> {
    let first = Built::with_title("Whole")?;
    let second = Built::with_title("Half")?;
    let host = Host::start()?;
    host.serve_folder(first.folder())?;
    let browser = Browser::start(1440, 900).await?;
    open_kept(&browser, &host.address("")).await?;
    // The worker's script is there, and a file is not the one that it names.
    let whole = fs::read(second.folder().join("lessons.json"))?;
    fs::copy(
        first.folder().join("lessons.json"),
        second.folder().join("lessons.json"),
    )?;
    host.serve_folder(second.folder())?;
    let failed = "return new Promise(resolve => navigator.serviceWorker.getRegistration().then(found => {
            found.addEventListener('updatefound', () => {
                const worker = found.installing;
                worker.addEventListener('statechange', () => resolve(worker.state));
            });
            found.update();
        }));";
    assert_eq!(browser.script(failed).await?, "redundant");
    assert!(!browser.has("release").await?);
    assert_eq!(caches(&browser).await?.len(), 1, "nothing of it is kept");
    browser.open(&host.address("v1;kernel=saxpy")).await?;
    assert_eq!(release_of(&browser).await?, first.name);

    fs::write(second.folder().join("lessons.json"), whole)?;
    browser.script(CHECK).await?;
    browser.find("release").await?;
    browser.close().await
}

#[tokio::test]
async fn a_page_from_a_cache_whose_files_are_gone_loads_itself_again() -> Result<(), Error> {
    let first = Built::changed("cached", keep_page_alone)?;
    let second = Built::changed("renamed", |folder| {
        rename_hashed(folder)?;
        keep_page_alone(folder)
    })?;
    let host = Host::start()?;
    host.serve_folder(first.folder())?;
    let browser = Browser::start(1440, 900).await?;
    browser.before_page(WITHOUT_WORKERS).await?;
    browser.open(&host.address("v1;kernel=saxpy")).await?;
    assert_eq!(release_of(&browser).await?, first.name);

    browser.client.goto("about:blank").await?;
    host.serve_folder(second.folder())?;
    let before = host.requests().len();
    browser
        .client
        .goto(&host.address("v1;kernel=saxpy;cycle=7"))
        .await?;
    browser
        .wait_until(&format!(
            "return document.documentElement.dataset.release === '{}';",
            second.name
        ))
        .await?;
    browser
        .wait_for("cycle-of", |text| text.starts_with("of "))
        .await?;
    assert_eq!(browser.text("cycle").await?, "7");
    let requests = host.requests()[before..].to_vec();
    let old = |path: &&String| digest_of(path).is_some() && first.folder().join(path).exists();
    assert!(
        requests.iter().any(|path| old(&path)),
        "it came from a cache: {requests:?}"
    );
    browser.close().await
}

#[tokio::test]
async fn a_server_without_a_file_is_named_and_there_is_no_loop() -> Result<(), Error> {
    for kind in ["wasm", "css", "js"] {
        let built = Built::changed(&format!("without {kind}"), keep_page_alone)?;
        for entry in fs::read_dir(built.folder())? {
            let name = entry?.file_name().into_string().unwrap_or_default();
            if name.ends_with(&format!(".{kind}")) && digest_of(&name).is_some() {
                fs::remove_file(built.folder().join(name))?;
            }
        }
        let host = Host::start()?;
        host.serve_folder(built.folder())?;
        let browser = Browser::start(1440, 900).await?;
        browser.client.goto(&host.address("v1;kernel=saxpy")).await?;
        // A page without styles starts.
        let end = match kind {
            "css" => "data-complete",
            _ => "data-refused",
        };
        browser
            .wait_until(&format!("return document.documentElement.hasAttribute('{end}');"))
            .await?;
        tokio::time::sleep(Duration::from_millis(500)).await;
        let requests = host.requests();
        let pages = requests.iter().filter(|path| path.is_empty()).count();
        assert!(pages <= 2, "{kind}: {requests:?}");
        browser.close().await?;
    }
    Ok(())
}

#[tokio::test]
async fn a_frame_registers_nothing() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start(900, 700).await?;
    let registrations = "return navigator.serviceWorker.getRegistrations().then(found => found.length);";
    browser
        .client
        .goto(&host.address("v1;kernel=saxpy").replace('#', "embed.html#"))
        .await?;
    browser.click("poster-play").await?;
    browser.find("stage-canvas").await?;
    browser
        .wait_until("return document.querySelector('.boot') === null;")
        .await?;
    assert_eq!(browser.script(registrations).await?, 0);
    // The workbench in a frame of a page of its own origin.
    let example = host
        .address("")
        .replace("/a/folder/", "/a/folder/embed-example.html");
    browser.client.goto(&example).await?;
    browser
        .script("document.querySelector('iframe').src = './#v1;kernel=saxpy';")
        .await?;
    browser
        .client
        .find(Locator::Css("iframe"))
        .await?
        .enter_frame()
        .await?;
    browser
        .wait_until("return document.documentElement.hasAttribute('data-complete');")
        .await?;
    assert_eq!(browser.script(registrations).await?, 0);
    browser.close().await
}

#[tokio::test]
async fn a_worker_without_a_release_removes_itself_and_what_was_kept() -> Result<(), Error> {
    let first = Built::with_title("Before")?;
    // As `cargo xtask serve` serves the page.
    let second = Built::with_title("Served")?;
    fs::copy(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../www/sw.js"),
        second.folder().join("sw.js"),
    )?;
    let host = Host::start()?;
    host.serve_folder(first.folder())?;
    let browser = Browser::start(1440, 900).await?;
    open_kept(&browser, &host.address("")).await?;
    host.serve_folder(second.folder())?;
    browser.script(CHECK).await?;
    browser
        .wait_until("return caches.keys().then(names => names.length === 0);")
        .await?;
    browser
        .wait_until("return navigator.serviceWorker.getRegistrations().then(found => found.length === 0);")
        .await?;
    browser.close().await
}

/// A command of the DevTools protocol, with its answer.
#[derive(Debug)]
struct Ask(&'static str);

impl WebDriverCompatibleCommand for Ask {
    fn endpoint(&self, base: &url::Url, session: Option<&str>) -> Result<url::Url, url::ParseError> {
        base.join(&format!(
            "session/{}/goog/cdp/execute",
            session.unwrap_or_default()
        ))
    }

    fn method_and_body(&self, _: &url::Url) -> (http::Method, Option<String>) {
        let body = json!({ "cmd": self.0, "params": {} });
        (http::Method::POST, Some(body.to_string()))
    }
}

#[tokio::test]
async fn the_page_can_be_installed() -> Result<(), Error> {
    let dist = PathBuf::from(std::env::var("WARPSCOPE_DIST")?);
    let manifest: Value = serde_json::from_str(&fs::read_to_string(dist.join("manifest.webmanifest"))?)?;
    let icons = manifest["icons"].as_array().ok_or("no icons")?;
    let mut sizes = BTreeSet::new();
    for icon in icons {
        let path = icon["src"].as_str().ok_or("no file of an icon")?;
        let file = fs::File::open(dist.join(path))?;
        if icon["type"] == "image/png" {
            let reader = png::Decoder::new(std::io::BufReader::new(file)).read_info()?;
            let (width, height) = (reader.info().width, reader.info().height);
            assert_eq!(icon["sizes"], format!("{width}x{height}"), "{path}");
            let purpose = icon["purpose"].as_str().unwrap_or("any");
            sizes.insert((width, purpose.to_owned()));
        }
    }
    for wanted in [(192, "any"), (512, "any"), (512, "maskable")] {
        assert!(sizes.contains(&(wanted.0, wanted.1.to_owned())), "{sizes:?}");
    }

    let host = Host::start()?;
    let browser = Browser::start(1440, 900).await?;
    open_kept(&browser, &host.address("")).await?;
    let found = browser.client.issue_cmd(Ask("Page.getAppManifest")).await?;
    assert_eq!(found["errors"], json!([]), "{found}");
    assert_eq!(found["url"], format!("{}manifest.webmanifest", host.address("")));
    let errors = browser
        .client
        .issue_cmd(Ask("Page.getInstallabilityErrors"))
        .await?;
    assert_eq!(errors["installabilityErrors"], json!([]));
    browser.close().await
}
