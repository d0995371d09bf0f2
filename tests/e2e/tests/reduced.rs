//! Browsers that lack something, and compilations that take too long: the page says so, and does what is left.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use warpscope_e2e::{Browser, Error, Host, PageCopy, RECORD_ERRORS, file_named};

/// Finishes at once.
const SHORT: &str = "v1;kernel=saxpy;grid=8";

/// Withholds the compiler's requests for Tesla: those compilations never end. Counts them, and the ended workers.
const WITHHELD: &str = "
    window.withheld = 0;
    window.ended = [];
    const post = MessagePort.prototype.postMessage;
    MessagePort.prototype.postMessage = function (message, ...rest) {
        const request = message?.request;
        if (request && new TextDecoder().decode(request).includes('arch=g80')) {
            window.withheld += 1;
            return;
        }
        post.call(this, message, ...rest);
    };
    const terminate = Worker.prototype.terminate;
    Worker.prototype.terminate = function () {
        window.ended.push(performance.now());
        terminate.call(this);
    };";

#[tokio::test]
async fn a_compilation_that_never_ends_is_stopped_and_another_kernel_runs() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start(1440, 900).await?;
    browser.before_page(WITHHELD).await?;
    browser
        .client
        .goto(&host.address(&format!("{SHORT};arch=g80")))
        .await?;
    browser
        .wait_for("run-sentence", |text| text == "Compiling")
        .await?;
    assert_eq!(browser.text("cycle-of").await?, "compiling");
    let before = browser.text("editor").await?;
    let stopped = browser
        .script("document.querySelector('[data-testid=stop-run]').click(); return performance.now();")
        .await?;
    browser
        .wait_for("headline", |text| {
            text.starts_with("The compilation was stopped.")
        })
        .await?;
    assert_eq!(
        browser.text("editor").await?,
        before,
        "the text in the editor stays"
    );
    // Its worker ends within a second; the ceiling allows for a busy machine.
    let stopped = stopped.as_f64().unwrap_or_default();
    browser
        .wait_until(&format!("return window.ended.some(time => time >= {stopped});"))
        .await?;
    let ended = browser
        .script(&format!("return window.ended.find(time => time >= {stopped});"))
        .await?;
    let took = ended.as_f64().unwrap_or_default() - stopped;
    assert!(took < 3_000.0, "{took} ms");
    // Nothing compiles by itself, until the reader says so.
    browser.show_view("stalls").await?;
    assert_eq!(browser.script("return window.withheld;").await?, json!(1));
    browser.click("compile-again").await?;
    browser
        .wait_for("run-sentence", |text| text == "Compiling")
        .await?;
    browser.wait_until("return window.withheld === 2;").await?;
    // Another kernel while that one compiles.
    browser.script(&format!("location.hash = '#{SHORT}';")).await?;
    browser
        .wait_for("cycle-of", |text| text.starts_with("of "))
        .await?;
    assert!(!browser.has("run-progress").await?);
    browser.close().await
}

/// Forty files, each of which includes the next one twice.
const CHAIN: &str = "
    const files = Array.from({ length: 40 }, (_, idx) =>
        `//--- warpscope file: f${idx}.h\\n#include \"f${idx + 1}.h\"\\n#include \"f${idx + 1}.h\"\\n`).join('');
    const source = `#include \"f0.h\"\\n__global__ void k(float *a) { a[threadIdx.x] = 1.0f; }\\n${files}//--- warpscope file: f40.h\\nint f();\\n`;
    return window.warpscope.link.encode({ source });";

/// A kernel with 4,000 labels and jumps.
const JUMPS: &str = "
    const lines = Array.from({ length: 4000 }, (_, idx) => `l${idx}: if (a[${idx}] > 1.0f) goto l${(idx * 7919 + 13) % 4000};`);
    const source = `__global__ void k(float *a) {\\n${lines.join('\\n')}\\n}\\n`;
    return window.warpscope.link.encode({ source });";

#[tokio::test]
async fn a_link_with_an_endless_compilation_gives_way_to_the_next_link() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start(1440, 900).await?;
    browser.open(&host.address(SHORT)).await?;
    for script in [CHAIN, JUMPS] {
        let link = browser.script(script).await?;
        let link = link.as_str().ok_or("no link")?.trim_start_matches('#');
        browser.script(&format!("location.hash = '#{link}';")).await?;
        tokio::time::sleep(Duration::from_millis(1_500)).await;
        // The page answers at once, whatever the compiler does.
        let start = Instant::now();
        browser.show_view("stalls").await?;
        assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
        browser.script(&format!("location.hash = '#{SHORT}';")).await?;
        browser
            .wait_for("cycle-of", |text| text.starts_with("of "))
            .await?;
        browser
            .wait_until("return document.querySelector('[data-testid=editor]').value.includes('saxpy');")
            .await?;
    }
    browser.close().await
}

/// Pages whose workers are missing, rejected, or unusable.
const WITHOUT: [&str; 3] = [
    "delete window.Worker;",
    "window.Worker = class { constructor() { throw new Error('refused'); } };",
    "const Other = window.Worker; window.Worker = class extends Other { constructor() { super('data:text/javascript,throw 1'); } };",
];

/// A link, and the start of the headline that its run has in the end.
const JOBS: [(&str, &str); 4] = [
    (
        "v1;kernel=vector-add;grid=200;view=device",
        "200 blocks run on all 68 SMs.",
    ),
    (
        "v1;arch=gv100;kernel=clients-small;view=streams",
        "The program takes",
    ),
    ("v1;kernel=mistake-race;view=checks", "racecheck"),
    ("v1;kernel=transpose-tiled;view=findings", ""),
];

#[tokio::test]
async fn without_workers_every_job_runs_on_the_page_and_a_notice_says_so() -> Result<(), Error> {
    let host = Host::start()?;
    for script in WITHOUT {
        let browser = Browser::start(1440, 900).await?;
        browser.before_page(script).await?;
        browser.open(&host.address(SHORT)).await?;
        browser
            .wait_for("notice", |text| {
                text.starts_with("This browser starts no workers")
            })
            .await?;
        for (link, headline) in JOBS {
            browser.script(&format!("location.hash = '#{link}';")).await?;
            if headline.is_empty() {
                browser.wait_for("findings-count", |text| text == "2").await?;
            } else if headline == "racecheck" {
                browser.find("checks-racecheck").await?;
            } else {
                browser
                    .wait_for("headline", |text| text.starts_with(headline))
                    .await
                    .map_err(|error| format!("{link}: {error} ({script})"))?;
            }
        }
        let cycles = browser
            .client
            .execute_async(
                "const done = arguments[0];
                window.warpscope.run({ kernel: 'saxpy', grid: [8] }).then(run => done(run.frame(0) ? 'ran' : 'no frame'), error => done(String(error)));",
                Vec::new(),
            )
            .await?;
        assert_eq!(cycles, json!("ran"), "{script}");
        // A dismissed notice stays away.
        browser.click("dismiss-warnings").await?;
        browser.script(&format!("location.hash = '#{SHORT}';")).await?;
        browser
            .wait_for("cycle-of", |text| text.starts_with("of "))
            .await?;
        assert!(!browser.has("notice").await?);
        browser.close().await?;
    }
    Ok(())
}

/// Workers that start and never answer.
const SILENT: &str =
    "window.Worker = class extends EventTarget { postMessage() {} terminate() {} set onerror(_) {} };";

#[tokio::test]
async fn workers_that_never_answer_are_given_up_with_words() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start(1440, 900).await?;
    browser.before_page(SILENT).await?;
    browser.client.goto(&host.address(SHORT)).await?;
    // The page waits for 15 s.
    tokio::time::sleep(Duration::from_secs(15)).await;
    browser
        .wait_for("notice", |text| {
            text.starts_with("The workers of the page did not answer")
        })
        .await?;
    browser
        .wait_for("cycle-of", |text| text.starts_with("of "))
        .await?;
    browser.close().await
}

/// Types a text into the editor, as a paste does.
async fn write(browser: &Browser, text: &str) -> Result<(), Error> {
    browser.find("editor").await?;
    browser
        .client
        .execute(
            "const editor = document.querySelector('[data-testid=editor]');
            editor.focus();
            editor.value = arguments[0];
            editor.dispatchEvent(new InputEvent('input', { bubbles: true }));",
            vec![text.into()],
        )
        .await?;
    Ok(())
}

const OWN: &str = "__global__ void own(float *out) { out[threadIdx.x] = 2.0f; }\n";

#[tokio::test]
async fn a_page_that_was_left_keeps_its_errors() -> Result<(), Error> {
    let host = Host::start()?;
    host.before_page(RECORD_ERRORS);
    let browser = Browser::start(1440, 900).await?;
    browser.open(&host.address(SHORT)).await?;
    let is_panic = |error: &String| error.contains("panicked at");
    // A browser that stops the module's functions leaves nodes undone, as one that refuses them does.
    let refuse = "Node.prototype.insertBefore = () => { throw new Error('in the test'); };";
    browser
        .script(&format!(
            "{refuse} window.dispatchEvent(new PageTransitionEvent('pagehide'));"
        ))
        .await?;
    browser.click("tab-coalescing").await?;
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert!(!browser.has("banner").await?);
    let errors = browser.errors().await?;
    assert!(!errors.iter().any(is_panic), "{errors:#?}");
    assert_eq!(
        browser
            .script("return JSON.stringify(localStorage).includes('rescued');")
            .await?,
        json!(false)
    );
    // The same press in a page that is not left.
    browser.client.goto("about:blank").await?;
    browser.open(&host.address(SHORT)).await?;
    browser.script(refuse).await?;
    browser.click("tab-coalescing").await?;
    browser
        .wait_for("banner", |text| text.contains("internal error"))
        .await?;
    let errors = browser.errors().await?;
    assert!(errors.iter().any(is_panic), "{errors:#?}");
    browser.close().await
}

#[tokio::test]
async fn a_trap_shows_the_banner_and_the_text_comes_back() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start(1440, 900).await?;
    browser.open(&host.address(SHORT)).await?;
    // Another script's error is none of the module.
    browser
        .script("setTimeout(() => { throw new RangeError('of another script'); });")
        .await?;
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert!(!browser.has("banner").await?);
    // Before the text is compiled, and so before it is in the address.
    browser
        .script(&format!(
            "const editor = document.querySelector('[data-testid=editor]');
            editor.value = {};
            window.dispatchEvent(new ErrorEvent('error', {{ error: new WebAssembly.RuntimeError('unreachable') }}));",
            json!(OWN)
        ))
        .await?;
    let banner = browser
        .wait_for("banner", |text| text.contains("memory is used up"))
        .await?;
    assert!(banner.contains("reload the page to continue"), "{banner}");
    // The dead module may not take the press: the button is the banner's own.
    browser.click("banner-reload").await?;
    browser
        .wait_for("editor", |text| text == OWN)
        .await
        .map_err(|error| format!("the text is lost: {error}"))?;
    browser
        .wait_until("return location.hash.includes('source=');")
        .await?;
    // Once: another reload finds the text in the address.
    browser.client.refresh().await?;
    browser.wait_for("editor", |text| text == OWN).await?;
    browser.close().await
}

/// A number of WebAssembly's binary format (LEB128), and the index behind it.
fn number(bytes: &[u8], mut idx: usize) -> (usize, usize) {
    let (mut value, mut shift) = (0, 0);
    loop {
        let byte = bytes[idx];
        idx += 1;
        value |= usize::from(byte & 0x7f) << shift;
        shift += 7;
        if byte < 0x80 {
            return (value, idx);
        }
    }
}

fn add_number(bytes: &mut Vec<u8>, mut value: usize) {
    while value >= 0x80 {
        bytes.push(value.to_le_bytes()[0] | 0x80);
        value >>= 7;
    }
    bytes.push(value.to_le_bytes()[0]);
}

/// A module whose memory does not grow beyond this number of pages of 64 KB, as in a browser that has no more: the
/// limit of its memory section (WebAssembly Core 2.0, section 5.5.8).
fn limit_memory(module: &[u8], num_pages: usize) -> Result<Vec<u8>, Error> {
    const MEMORY: u8 = 5;
    let mut start = 8;
    while start < module.len() {
        let (size, body) = number(module, start + 1);
        if module[start] == MEMORY {
            let (count, flags) = number(module, body);
            assert_eq!(count, 1, "the module has one memory");
            let (least, _) = number(module, flags + 1);
            let mut section = vec![1, 1];
            add_number(&mut section, least);
            add_number(&mut section, num_pages);
            let mut limited = module[..=start].to_vec();
            add_number(&mut limited, section.len());
            limited.extend(section);
            limited.extend(&module[body + size..]);
            return Ok(limited);
        }
        start = body + size;
    }
    Err("the module has no memory".into())
}

/// The built page in a browser that gives every thread at most this many pages of 64 KB.
fn page_with_memory(num_pages: usize) -> Result<PageCopy, Error> {
    PageCopy::changed(&format!("with {num_pages} pages"), |folder| {
        let module = file_named(folder, "page-", "_bg.wasm")?;
        let limited = limit_memory(&std::fs::read(&module)?, num_pages)?;
        Ok(std::fs::write(module, limited)?)
    })
}

/// The largest launch of `device_bench`: a product of matrices with 512 rows on 80 SMs.
const LARGEST: &str = "v1;kernel=matmul-tiled;grid=32x32;block=16x16;args=out:f32*262144:zero,in:f32*262144:lcg3,in:f32*262144:lcg4,i32:512;arch=gv100;view=device";

#[tokio::test]
async fn a_gigabyte_is_enough_for_a_large_launch_on_all_sms() -> Result<(), Error> {
    let page = page_with_memory((1 << 30) / (64 * 1024))?;
    let host = Host::start()?;
    host.serve_folder(page.folder())?;
    let browser = Browser::start(1440, 900).await?;
    browser.open(&host.address(LARGEST)).await?;
    browser
        .wait_for("headline", |text| text.contains("blocks run on"))
        .await?;
    assert!(!browser.has("banner").await?);
    browser.close().await
}

#[tokio::test]
async fn used_up_memory_has_words_and_a_smaller_run_has_enough() -> Result<(), Error> {
    let page = page_with_memory(640)?;
    let host = Host::start()?;
    host.serve_folder(page.folder())?;
    let browser = Browser::start(1440, 900).await?;
    browser.client.goto(&host.address(LARGEST)).await?;
    let banner = browser
        .wait_for("banner", |text| text.contains("memory is used up"))
        .await?;
    assert!(banner.contains("Reload"), "{banner}");
    browser.client.goto("about:blank").await?;
    browser.open(&host.address(SHORT)).await?;
    assert!(!browser.has("banner").await?);
    browser.close().await
}

/// Waits until the page says these words in place of its picture.
async fn wait_for_refusal(browser: &Browser, words: &str) -> Result<(), Error> {
    let said = format!(
        "return [...document.querySelectorAll('.refused, .loading p')].some(text => text.textContent.includes({}));",
        json!(words)
    );
    browser.wait_until(&said).await
}

#[tokio::test]
async fn a_failed_start_names_its_reason() -> Result<(), Error> {
    let host = Host::start()?;
    let refuse = "WebAssembly.instantiate = WebAssembly.instantiateStreaming = () => Promise.reject(new WebAssembly.CompileError('refused'));";
    let forbid =
        "WebAssembly.Module = class { constructor() { throw new WebAssembly.CompileError('policy'); } };";
    let cases = [
        (format!("{refuse}{forbid}"), "forbids WebAssembly"),
        (refuse.to_owned(), "it needs WebAssembly SIMD"),
        (
            "delete window.WebAssembly;".to_owned(),
            "is turned off in this browser",
        ),
    ];
    for (script, words) in cases {
        let browser = Browser::start(1440, 900).await?;
        browser.before_page(&script).await?;
        browser.client.goto(&host.address(SHORT)).await?;
        wait_for_refusal(&browser, words).await?;
        browser.close().await?;
    }
    // Opened as a file.
    let dist = std::env::var("WARPSCOPE_DIST")?;
    let browser = Browser::start(1440, 900).await?;
    browser
        .client
        .goto(&format!("file://{dist}/index.html#{SHORT}"))
        .await?;
    wait_for_refusal(&browser, "browsers load modules from servers only").await?;
    browser.close().await
}

/// Lets the files of the lists and the lessons fail to load while `window.isOffline` is set.
const OFFLINE: &str = "
    window.isOffline = true;
    const load = window.fetch;
    window.fetch = (address, ...rest) => window.isOffline && /(glossary|lessons)\\.json|lessons\\//.test(String(address))
        ? Promise.reject(new TypeError('offline'))
        : load.call(window, address, ...rest);";

#[tokio::test]
async fn files_that_do_not_load_are_named_and_load_again() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start(1440, 900).await?;
    browser.before_page(OFFLINE).await?;
    browser.open(&host.address(SHORT)).await?;
    browser
        .script(&format!("location.hash = '#{SHORT};panel=glossary';"))
        .await?;
    browser
        .wait_for("glossary-note", |text| {
            text == "glossary.json cannot be read: the server does not answer. Check the connection."
        })
        .await?;
    browser.script("window.isOffline = false;").await?;
    browser.click("glossary-again").await?;
    browser
        .wait_for("glossary-note", |text| text.ends_with(" terms"))
        .await?;
    browser.script("window.isOffline = true;").await?;
    browser
        .script(&format!("location.hash = '#{SHORT};panel=lessons';"))
        .await?;
    browser
        .wait_for("lessons-failed", |text| {
            text.starts_with("lessons.json cannot be read")
        })
        .await?;
    browser
        .script("location.hash = '#v1;lesson=memory/column-read';")
        .await?;
    browser
        .wait_for("link-warnings", |text| {
            text.contains("lessons/memory/column-read.toml cannot be read")
        })
        .await?;
    browser.script("window.isOffline = false;").await?;
    browser.click("toast-offer").await?;
    browser.find("lesson-title").await?;
    browser.close().await
}

#[tokio::test]
async fn a_missing_style_sheet_has_words() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start(1440, 900).await?;
    browser.dev_tools("Network.enable", json!({})).await?;
    browser
        .dev_tools("Network.setBlockedURLs", json!({ "urls": ["*.css"] }))
        .await?;
    browser.client.goto(&host.address(SHORT)).await?;
    browser
        .wait_for("no-style", |text| text.contains("Reload the page"))
        .await?;
    browser.close().await
}

/// Arguments that no caller means, each as a JavaScript expression.
const HOSTILE: [&str; 5] = [
    "(() => { const o = {}; o.a = o; return o; })()",
    "(() => { let o = {}; for (let i = 0; i < 100000; i++) o = { o }; return o; })()",
    "(() => { const a = []; a.push(a, a); return a; })()",
    "() => 1",
    "({ source: 'x'.repeat(2 ** 26) })",
];

#[tokio::test]
async fn hostile_arguments_get_errors_and_the_page_goes_on() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start(1440, 900).await?;
    browser.open(&host.address(SHORT)).await?;
    for argument in HOSTILE {
        for call in [
            "run",
            "compile",
            "access",
            "occupancy",
            "link.encode",
            "link.decode",
        ] {
            let script = format!(
                "const done = arguments[0];
                const call = async () => {{ const api = window.warpscope; return api.{call}({argument}, {argument}); }};
                call().then(() => done('accepted'), error => done(String(error)));"
            );
            let said = browser.client.execute_async(&script, Vec::new()).await?;
            let is_error = matches!(&said, Value::String(text) if text.starts_with("Error"));
            assert!(is_error, "{call}({argument}): {said}");
        }
    }
    assert!(!browser.has("banner").await?);
    browser.script("location.hash = '#v1;kernel=vector-add';").await?;
    browser
        .wait_for("cycle-of", |text| text.starts_with("of "))
        .await?;
    write(&browser, OWN).await?;
    browser
        .wait_until("return location.hash.includes('source=');")
        .await?;
    browser.close().await
}
