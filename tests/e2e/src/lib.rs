//! Support for the end-to-end tests: a host that serves the built page, and a browser to open the page.
//!
//! The environment configures the paths: `WARPSCOPE_DIST` (the built page), `CHROME`, `CHROMEDRIVER`, `CHROME_ARGS`,
//! `FIREFOX`, `GECKODRIVER`, and `WEBKIT_DRIVER`. `cargo xtask test` sets them. WebKitGTK also needs Xvfb on the path.

mod engine;
pub mod picture;
mod processes;
pub mod soak;

pub use engine::Engine;
pub use host::{Error, Host};

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use fantoccini::actions::{
    InputSource, KeyAction, KeyActions, MOUSE_BUTTON_LEFT, MouseActions, PointerAction, TouchActions,
};
use fantoccini::elements::Element;
use fantoccini::wd::{TimeoutConfiguration, WebDriverCompatibleCommand};
use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};

use engine::Driver;

/// The time limit of a script that waits: runs of several seconds, on a busy machine.
const SCRIPT_PATIENCE: Duration = Duration::from_mins(5);

/// The number of times that a browser is started: geckodriver waits for a Firefox for one minute only.
const STARTS: u32 = 3;

/// The code point of Shift in the WebDriver standard, section Keyboard actions.
/// The views of the stage, by tab.
pub const VIEWS: [&str; 18] = [
    "findings",
    "stalls",
    "checks",
    "sm",
    "timeline",
    "banks",
    "coalescing",
    "caches",
    "carveout",
    "registers",
    "arithmetic",
    "tensor",
    "source",
    "divergence",
    "occupancy",
    "device",
    "streams",
    "plots",
];

/// Whether a test tries a state in a way, such as a size of the window: one pair in `share`, in turn, so that each state is
/// tried, and each way has its part of the states. With `WARPSCOPE_ALL_ROWS`, as `cargo xtask endure` sets it, all pairs.
pub fn is_tried(state: usize, way: usize, share: usize) -> bool {
    std::env::var_os("WARPSCOPE_ALL_ROWS").is_some() || (state + way).is_multiple_of(share)
}

/// The first view of a view's tab, which has the tab's name.
pub fn first_of_tab(view: &str) -> &str {
    match view {
        "stalls" | "checks" => "findings",
        "carveout" => "caches",
        "arithmetic" | "tensor" => "registers",
        "streams" => "device",
        other => other,
    }
}

/// The key Escape.
const ESCAPE: char = '\u{e00c}';
const SHIFT: char = '\u{E008}';

fn css(testid: &str) -> String {
    format!("[data-testid=\"{testid}\"]")
}

/// A command of the DevTools protocol, which chromedriver forwards.
#[derive(Debug)]
struct DevTools {
    command: &'static str,
    parameters: Value,
}

impl WebDriverCompatibleCommand for DevTools {
    fn endpoint(&self, base: &url::Url, session: Option<&str>) -> Result<url::Url, url::ParseError> {
        base.join(&format!(
            "session/{}/goog/cdp/execute",
            session.unwrap_or_default()
        ))
    }

    fn method_and_body(&self, _: &url::Url) -> (http::Method, Option<String>) {
        let body = json!({ "cmd": self.command, "params": self.parameters });
        (http::Method::POST, Some(body.to_string()))
    }
}

/// Runs axe-core. Transitions after a change of size or theme are not the page's final colors.
const VIOLATIONS: &str = "const done = arguments[arguments.length - 1];
    const still = () => Promise.allSettled(document.getAnimations().map(one => one.finished));
    const frame = () => new Promise(requestAnimationFrame);
    frame().then(frame).then(still).then(() => axe.run(document, { resultTypes: ['violations'] })).then(
        results => done(results.violations.flatMap(one =>
            one.nodes.map(node => one.id + ': ' + node.html.slice(0, 160) + ' ' + node.any.map(any => any.message).join('; ')))),
        error => done([String(error)]));";

/// What a page that does not come up has loaded and shows.
const STATE: &str = "
    const files = performance.getEntriesByType('resource')
        .map(entry => [entry.name.split('/').pop(), Math.round(entry.startTime), Math.round(entry.responseEnd), entry.transferSize]);
    return { files, ready: document.readyState, visible: document.visibilityState, api: typeof window.warpscope,
        covered: document.querySelector('.boot') !== null, page: document.getElementById('page')?.textContent?.slice(0, 300),
        loading: document.querySelector('.loading p')?.textContent, refused: document.querySelector('.refused')?.textContent,
        marks: performance.getEntriesByType('mark').map(entry => [entry.name, Math.round(entry.startTime)]),
        now: Math.round(performance.now()) };";

/// The log of Chromium's console, which chromedriver keeps.
#[derive(Debug)]
struct ConsoleLog;

impl WebDriverCompatibleCommand for ConsoleLog {
    fn endpoint(&self, base: &url::Url, session: Option<&str>) -> Result<url::Url, url::ParseError> {
        base.join(&format!("session/{}/se/log", session.unwrap_or_default()))
    }

    fn method_and_body(&self, _: &url::Url) -> (http::Method, Option<String>) {
        (http::Method::POST, Some(json!({ "type": "browser" }).to_string()))
    }
}

/// A script for [`Host::before_page`] that records what goes wrong in a page, for [`Browser::errors`], in every engine:
/// errors of the console, uncaught errors of the page and of its workers, rejected promises, files that do not load,
/// and violations of a policy.
pub const RECORD_ERRORS: &str = "(() => {
    const errors = window.recordedErrors = [];
    const log = console.error;
    console.error = (...all) => { errors.push('console: ' + all.map(String).join(' ')); log.apply(console, all); };
    addEventListener('error', event => errors.push(event.message
        ? `error: ${event.message} (${event.filename}:${event.lineno})`
        : `not loaded: ${event.target?.src ?? event.target?.href}`), true);
    addEventListener('unhandledrejection', ({ reason }) =>
        errors.push(`rejected: ${reason?.message ?? reason} ${reason?.stack ?? ''}`));
    document.addEventListener('securitypolicyviolation', event =>
        errors.push(`policy: ${event.violatedDirective} ${event.blockedURI}`));
    if (window.Worker) {
        window.Worker = class extends Worker {
            constructor(...all) {
                super(...all);
                this.addEventListener('error', event => errors.push(`worker: ${event.message ?? 'not loaded'}`));
            }
        };
    }
})();";

/// What a person points with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hand {
    /// A mouse, with its left button.
    Mouse,
    /// A finger.
    Touch,
}

/// A copy of the built page, deleted when it is dropped.
pub struct PageCopy(PathBuf);

impl PageCopy {
    /// Copies the built page into a folder for temporary files, whose name contains `name`, and changes the copy.
    ///
    /// # Errors
    /// There is no built page, a file cannot be copied, or the change fails.
    pub fn changed(name: &str, change: impl FnOnce(&Path) -> Result<(), Error>) -> Result<Self, Error> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let dist = PathBuf::from(std::env::var("WARPSCOPE_DIST")?);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("warpscope {name} {} {count}", std::process::id()));
        std::fs::remove_dir_all(&folder).ok();
        let copy = Self(folder);
        copy_folder(&dist, &copy.0)?;
        change(&copy.0)?;
        Ok(copy)
    }

    /// The folder of the copy.
    pub fn folder(&self) -> &Path {
        &self.0
    }
}

impl Drop for PageCopy {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.0).ok();
    }
}

/// The file at the top of a folder whose name begins and ends in this way.
///
/// # Errors
/// There is no such file.
pub fn file_named(folder: &Path, start: &str, end: &str) -> Result<PathBuf, Error> {
    let is_it = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with(start) && name.ends_with(end)
    };
    let mut paths = std::fs::read_dir(folder)?.flatten().map(|entry| entry.path());
    let found = paths.find(is_it);
    found.ok_or_else(|| format!("{} has no file {start}…{end}", folder.display()).into())
}

fn copy_folder(from: &Path, to: &Path) -> Result<(), Error> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let to = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_folder(&entry.path(), &to)?;
        } else {
            std::fs::copy(entry.path(), to)?;
        }
    }
    Ok(())
}

/// A browser with a fresh profile, and its driver.
pub struct Browser {
    /// The WebDriver session.
    pub client: Client,
    driver: Driver,
}

impl Browser {
    /// Starts Chromium with a new profile and a window of this size in pixels. The browser prefers reduced motion, so
    /// that a first visit does not play by itself.
    ///
    /// # Errors
    /// The driver or the browser does not start.
    pub async fn start(width: u32, height: u32) -> Result<Self, Error> {
        Self::with_settings(Engine::Chromium, (width, height), true).await
    }

    /// The same without a preference for reduced motion.
    ///
    /// # Errors
    /// The driver or the browser does not start.
    pub async fn start_with_motion(width: u32, height: u32) -> Result<Self, Error> {
        Self::with_settings(Engine::Chromium, (width, height), false).await
    }

    /// Starts a browser of an engine with a new profile and a page of this size in pixels. The browser prefers reduced
    /// motion.
    ///
    /// # Errors
    /// The driver or the browser does not start.
    pub async fn start_engine(engine: Engine, width: u32, height: u32) -> Result<Self, Error> {
        let browser = Self::with_settings(engine, (width, height), true).await?;
        browser.resize(width, height).await?;
        Ok(browser)
    }

    async fn with_settings(
        engine: Engine,
        size: (u32, u32),
        prefers_reduced_motion: bool,
    ) -> Result<Self, Error> {
        let mut attempt = 1;
        loop {
            let driver = Driver::start(engine, prefers_reduced_motion).await?;
            let client = ClientBuilder::new(HttpConnector::new())
                .capabilities(driver.capabilities(size, prefers_reduced_motion)?)
                .connect(&format!("http://127.0.0.1:{}", driver.port))
                .await;
            match client {
                Ok(client) => {
                    let script = TimeoutConfiguration::new(Some(SCRIPT_PATIENCE), None, None);
                    client.update_timeouts(script).await?;
                    return Ok(Self { client, driver });
                }
                Err(error) if attempt == STARTS => {
                    let printed = driver.lines.take().join("\n");
                    return Err(format!("{} does not start: {error}\n{printed}", engine.name()).into());
                }
                Err(_) => attempt += 1,
            }
        }
    }

    /// The engine of this browser.
    pub fn engine(&self) -> Engine {
        self.driver.engine
    }

    /// The folder of files that the page saves.
    pub fn downloads(&self) -> PathBuf {
        self.driver.home.downloads()
    }

    /// The memory of the driver, the browser, and the page in bytes. Memory that processes share counts once.
    pub fn memory(&self) -> u64 {
        processes::memory(&self.processes())
    }

    /// The number of dedicated workers of the browser, by the names of its threads. Firefox runs some of its own.
    pub fn num_workers(&self) -> usize {
        processes::threads(&self.processes(), self.engine().worker_thread())
    }

    fn processes(&self) -> std::collections::BTreeSet<u32> {
        self.driver.id().map(processes::descendants).unwrap_or_default()
    }

    /// Removes and returns what went wrong in the page since the last call: what [`RECORD_ERRORS`] recorded since the
    /// page was opened, and the errors of the browser's console. WebKitGTK passes no console on.
    ///
    /// # Errors
    /// The browser does not answer.
    pub async fn errors(&self) -> Result<Vec<String>, Error> {
        let recorded = self
            .script("return window.recordedErrors?.splice(0) ?? [];")
            .await?;
        let mut errors: Vec<String> = serde_json::from_value(recorded)?;
        match self.engine() {
            Engine::Chromium => {
                let log = self.client.issue_cmd(ConsoleLog).await?;
                let entries = log.as_array().into_iter().flatten();
                errors.extend(
                    entries
                        .filter(|entry| entry["level"] == "SEVERE")
                        .filter_map(|entry| entry["message"].as_str())
                        .map(|message| format!("log: {message}")),
                );
            }
            Engine::Firefox => {
                // The errors of pages and their workers: the browser's own have no quotes and other addresses.
                let is_error = |line: &String| {
                    line.starts_with("console.error: \"") || line.starts_with("JavaScript error: http")
                };
                errors.extend(self.driver.lines.take().into_iter().filter(is_error));
            }
            Engine::WebKit => {}
        }
        Ok(errors)
    }

    /// Waits for a file that the page saves, whose name ends with a text, and removes it from the folder of downloads.
    /// Returns its name and its contents.
    ///
    /// # Errors
    /// No such file is complete in time.
    pub async fn download(&self, end: &str) -> Result<(String, Vec<u8>), Error> {
        let start = Instant::now();
        let mut last = None;
        while start.elapsed() < self.engine().patience() {
            let found = std::fs::read_dir(self.downloads())?.flatten().find_map(|entry| {
                let name = entry.file_name().to_str()?.to_owned();
                name.ends_with(end).then_some((name, entry.path()))
            });
            if let Some((name, path)) = found {
                let bytes = std::fs::read(&path)?;
                // Firefox reserves the name with an empty file; every engine may still write.
                if !bytes.is_empty() && last.as_ref() == Some(&bytes) {
                    std::fs::remove_file(path)?;
                    return Ok((name, bytes));
                }
                last = Some(bytes);
            }
            tokio::time::sleep(Duration::from_millis(300)).await;
        }
        Err(format!("no file …{end} is saved").into())
    }

    /// Opens an address and waits until the run has finished and the page is complete.
    ///
    /// # Errors
    /// The wait exceeds the time limit.
    pub async fn open(&self, address: &str) -> Result<(), Error> {
        self.client.goto(address).await?;
        if let Err(error) = self.wait_for("cycle-of", |text| text.starts_with("of ")).await {
            let state = self.script(STATE).await?;
            return Err(format!("{error}\n{state}").into());
        }
        self.find("stage-canvas").await?;
        self.client
            .wait()
            .at_most(self.engine().patience())
            .for_element(Locator::Css("html[data-complete]"))
            .await
            .map_err(|error| format!("parts of the page are missing: {error}"))?;
        Ok(())
    }

    /// Waits for the element with this `data-testid`.
    ///
    /// # Errors
    /// The element does not appear in time.
    pub async fn find(&self, testid: &str) -> Result<Element, Error> {
        let css = css(testid);
        self.client
            .wait()
            .at_most(self.engine().patience())
            .for_element(Locator::Css(&css))
            .await
            .map_err(|error| format!("no element {css}: {error}").into())
    }

    /// Whether an element with this `data-testid` exists now.
    ///
    /// # Errors
    /// The browser does not answer.
    pub async fn has(&self, testid: &str) -> Result<bool, Error> {
        Ok(!self.client.find_all(Locator::Css(&css(testid))).await?.is_empty())
    }

    /// The text of an element.
    ///
    /// # Errors
    /// The element does not exist.
    pub async fn text(&self, testid: &str) -> Result<String, Error> {
        self.find(testid).await?;
        // The complete text: WebDriver omits text that is scrolled away or clipped.
        let text = format!(
            "const element = document.querySelector('{}'); return element.matches('input, select, textarea') ? element.value : element.textContent;",
            css(testid)
        );
        Ok(self.script(&text).await?.as_str().unwrap_or_default().to_owned())
    }

    /// Waits until an element's text matches, and returns the text.
    ///
    /// # Errors
    /// The text does not match in time; the error contains the last text.
    pub async fn wait_for(&self, testid: &str, wanted: impl Fn(&str) -> bool) -> Result<String, Error> {
        let start = Instant::now();
        loop {
            let text = self.text(testid).await?;
            if wanted(&text) {
                return Ok(text);
            }
            if start.elapsed() > self.engine().patience() {
                return Err(format!("{testid} stays at `{text}`").into());
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Waits until a JavaScript function body returns true.
    ///
    /// # Errors
    /// The function does not return true in time.
    pub async fn wait_until(&self, body: &str) -> Result<(), Error> {
        let start = Instant::now();
        while self.script(body).await? != Value::Bool(true) {
            if start.elapsed() > self.engine().patience() {
                return Err(format!("not in time: {body}").into());
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        Ok(())
    }

    /// Clicks an element.
    ///
    /// # Errors
    /// The element does not exist, or another element covers it.
    pub async fn click(&self, testid: &str) -> Result<(), Error> {
        Ok(self.find(testid).await?.click().await?)
    }

    /// Shows a view as a person does: by its tab, by its section within a tab, or by the menu of views without content.
    ///
    /// # Errors
    /// The page offers no such view, or another element covers it.
    pub async fn show_view(&self, view: &str) -> Result<(), Error> {
        let tab = format!("tab-{view}");
        if self.has(&tab).await? {
            return self.click(&tab).await;
        }
        let in_menu = format!("more-{view}");
        if self.has("more-views").await? {
            self.click("more-views").await?;
            if self.has(&in_menu).await? {
                return self.click(&in_menu).await;
            }
            self.press(ESCAPE).await?;
        }
        self.click(&format!("views-{}", first_of_tab(view))).await?;
        // A tab with one view has no sections.
        if self.has("sections").await? {
            self.click(&tab).await?;
        }
        Ok(())
    }

    /// Presses and releases a key at the current focus.
    ///
    /// # Errors
    /// The browser does not answer.
    pub async fn press(&self, key: char) -> Result<(), Error> {
        let keys = KeyActions::new("keys".to_owned())
            .then(KeyAction::Down { value: key })
            .then(KeyAction::Up { value: key });
        Ok(self.client.perform_actions(keys).await?)
    }

    /// Presses a key together with Shift.
    ///
    /// # Errors
    /// The browser does not answer.
    pub async fn press_shifted(&self, key: char) -> Result<(), Error> {
        let keys = KeyActions::new("keys".to_owned())
            .then(KeyAction::Down { value: SHIFT })
            .then(KeyAction::Down { value: key })
            .then(KeyAction::Up { value: key })
            .then(KeyAction::Up { value: SHIFT });
        Ok(self.client.perform_actions(keys).await?)
    }

    /// The middle of an element, in CSS pixels of the window.
    ///
    /// # Errors
    /// The element does not exist.
    pub async fn middle(&self, testid: &str) -> Result<(f64, f64), Error> {
        self.find(testid).await?;
        let place = self
            .script(&format!(
                "const box = document.querySelector('{}').getBoundingClientRect();
                return [box.left + box.width / 2, box.top + box.height / 2];",
                css(testid)
            ))
            .await?;
        Ok(serde_json::from_value(place)?)
    }

    /// Presses a mouse button or a finger at the first point, moves through the others, and releases it there. The browser
    /// makes the events, as from a device: nothing of the page is replaced.
    ///
    /// # Errors
    /// A point is outside the window.
    pub async fn drag(&self, hand: Hand, way: &[(f64, f64)]) -> Result<(), Error> {
        // Slow enough for several moves between two points.
        const BETWEEN: Duration = Duration::from_millis(80);
        let step = |idx: usize, (x, y): (f64, f64)| PointerAction::MoveTo {
            duration: Some(if idx == 0 { Duration::ZERO } else { BETWEEN }),
            x: x.round(),
            y: y.round(),
        };
        let mut actions = Vec::new();
        for (idx, point) in way.iter().enumerate() {
            actions.push(step(idx, *point));
            if idx == 0 {
                actions.push(PointerAction::Down {
                    button: MOUSE_BUTTON_LEFT,
                });
            }
        }
        actions.push(PointerAction::Up {
            button: MOUSE_BUTTON_LEFT,
        });
        match hand {
            Hand::Mouse => {
                let all = actions
                    .into_iter()
                    .fold(MouseActions::new("mouse".to_owned()), InputSource::then);
                self.client.perform_actions(all).await?;
            }
            Hand::Touch => {
                let all = actions
                    .into_iter()
                    .fold(TouchActions::new("finger".to_owned()), InputSource::then);
                self.client.perform_actions(all).await?;
            }
        }
        Ok(())
    }

    /// The same while Shift is pressed.
    ///
    /// # Errors
    /// A point is outside the window.
    pub async fn drag_shifted(&self, hand: Hand, way: &[(f64, f64)]) -> Result<(), Error> {
        let shift = |action: KeyAction| KeyActions::new("keys".to_owned()).then(action);
        let key = SHIFT;
        self.client
            .perform_actions(shift(KeyAction::Down { value: key }))
            .await?;
        self.drag(hand, way).await?;
        self.client
            .perform_actions(shift(KeyAction::Up { value: key }))
            .await?;
        Ok(())
    }

    /// Moves the mouse to a point of the window, without a press.
    ///
    /// # Errors
    /// The point is outside the window.
    pub async fn move_to(&self, (x, y): (f64, f64)) -> Result<(), Error> {
        let to = PointerAction::MoveTo {
            duration: Some(Duration::ZERO),
            x: x.round(),
            y: y.round(),
        };
        let all = MouseActions::new("mouse".to_owned()).then(to);
        Ok(self.client.perform_actions(all).await?)
    }

    /// Clicks with the mouse in the middle of an element.
    ///
    /// # Errors
    /// The element does not exist.
    pub async fn click_by_mouse(&self, testid: &str) -> Result<(), Error> {
        let at = self.middle(testid).await?;
        self.drag(Hand::Mouse, &[at]).await
    }

    /// Resizes the page: in Chromium also below the minimum size of a window.
    ///
    /// # Errors
    /// The browser does not answer, or its window cannot have this size.
    pub async fn resize(&self, width: u32, height: u32) -> Result<(), Error> {
        if self.engine() != Engine::Chromium {
            return self.resize_window(width, height).await;
        }
        let parameters =
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500 });
        self.dev_tools("Emulation.setDeviceMetricsOverride", parameters)
            .await
    }

    /// Resizes the window so that the page in it has this size.
    async fn resize_window(&self, width: u32, height: u32) -> Result<(), Error> {
        let start = Instant::now();
        // Bars and borders around the page, as far as known.
        let mut around = (0, 0);
        loop {
            self.client
                .set_window_size(width + around.0, height + around.1)
                .await?;
            let sizes = self
                .script("return [innerWidth, innerHeight, outerWidth, outerHeight];")
                .await?;
            let [inner_width, inner_height, outer_width, outer_height]: [u32; 4] =
                serde_json::from_value(sizes)?;
            if (inner_width, inner_height) == (width, height) {
                return Ok(());
            }
            if start.elapsed() > self.engine().patience() {
                return Err(format!(
                    "the page is {inner_width}x{inner_height} instead of {width}x{height}: the window has a minimum size"
                )
                .into());
            }
            around = (
                outer_width.saturating_sub(inner_width),
                outer_height.saturating_sub(inner_height),
            );
            // The window manager and the page take a moment.
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    }

    /// Sends a command of the DevTools protocol, which only Chromium has.
    ///
    /// # Errors
    /// The browser rejects the command.
    pub async fn dev_tools(&self, command: &'static str, parameters: Value) -> Result<(), Error> {
        self.client.issue_cmd(DevTools { command, parameters }).await?;
        Ok(())
    }

    /// Runs a script in every new page of Chromium, before the page's own scripts. [`Host::before_page`] does so in
    /// every engine.
    ///
    /// # Errors
    /// The browser does not answer.
    pub async fn before_page(&self, script: &str) -> Result<(), Error> {
        let command = DevTools {
            command: "Page.addScriptToEvaluateOnNewDocument",
            parameters: json!({ "source": script }),
        };
        self.client.issue_cmd(command).await?;
        Ok(())
    }

    /// Returns the result of a JavaScript function body.
    ///
    /// # Errors
    /// The function throws.
    pub async fn script(&self, body: &str) -> Result<Value, Error> {
        Ok(self.client.execute(body, Vec::new()).await?)
    }

    /// The violations that axe-core finds on the page, one line each. `WARPSCOPE_AXE` is the path of axe-core.
    ///
    /// # Errors
    /// axe-core is missing, or the browser does not answer.
    pub async fn violations(&self) -> Result<Vec<String>, Error> {
        if self.script("return typeof axe;").await? == "undefined" {
            let axe = std::fs::read_to_string(std::env::var("WARPSCOPE_AXE")?)?;
            self.script(&axe).await?;
        }
        let found = self.client.execute_async(VIOLATIONS, Vec::new()).await?;
        let lines = found.as_array().ok_or("axe-core says nothing")?;
        Ok(lines
            .iter()
            .filter_map(Value::as_str)
            .map(str::to_owned)
            .collect())
    }

    /// Closes the browser and its driver.
    ///
    /// # Errors
    /// The driver does not answer.
    pub async fn close(mut self) -> Result<(), Error> {
        self.client.clone().close().await?;
        self.driver.end().await
    }
}
