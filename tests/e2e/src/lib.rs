//! Support for the end-to-end tests: a host that serves the built page, and a browser to open the page.
//!
//! The environment configures the paths: `WARPSCOPE_DIST` (the built page), `CHROME`, `CHROMEDRIVER`, and
//! `CHROME_ARGS`. `cargo xtask test` sets them.

mod host;

pub use host::Host;

use std::process::Stdio;
use std::time::Duration;

use fantoccini::actions::{InputSource, KeyAction, KeyActions};
use fantoccini::elements::Element;
use fantoccini::wd::WebDriverCompatibleCommand;
use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

/// The time limit of a wait.
const PATIENCE: Duration = Duration::from_secs(20);

fn css(testid: &str) -> String {
    format!("[data-testid=\"{testid}\"]")
}

/// An error, as a sentence.
pub type Error = Box<dyn std::error::Error + Send + Sync>;

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

/// Starts chromedriver on a free port. Returns the process and the port.
async fn start_driver() -> Result<(Child, String), Error> {
    let driver = std::env::var("CHROMEDRIVER").unwrap_or_else(|_| "chromedriver".into());
    let mut driver = Command::new(driver)
        .arg("--port=0")
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()?;
    let stdout = driver.stdout.take().ok_or("chromedriver has no output")?;
    let mut lines = BufReader::new(stdout).lines();
    let port = loop {
        let line = lines
            .next_line()
            .await?
            .ok_or("chromedriver ended before it was ready")?;
        if let Some((_, port)) = line.split_once("successfully on port ") {
            break port.trim_end_matches('.').to_owned();
        }
    };
    // Unread output must not fill the pipe.
    tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
    Ok((driver, port))
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

/// A browser with a fresh profile, and its driver.
pub struct Browser {
    /// The WebDriver session.
    pub client: Client,
    driver: Child,
}

impl Browser {
    /// Starts the driver on a free port, and a browser with a new profile and a window of this size in
    /// pixels. The browser prefers reduced motion, so that a first visit does not play by itself.
    ///
    /// # Errors
    /// The driver or the browser does not start.
    pub async fn start(width: u32, height: u32) -> Result<Self, Error> {
        Self::with_arguments(width, height, &["--force-prefers-reduced-motion"]).await
    }

    /// The same without a preference for reduced motion.
    ///
    /// # Errors
    /// The driver or the browser does not start.
    pub async fn start_with_motion(width: u32, height: u32) -> Result<Self, Error> {
        Self::with_arguments(width, height, &[]).await
    }

    async fn with_arguments(width: u32, height: u32, further: &[&str]) -> Result<Self, Error> {
        let (driver, port) = match start_driver().await {
            Ok(started) => started,
            // Sometimes chromedriver ends at once.
            Err(_) => start_driver().await?,
        };

        let mut args: Vec<String> = std::env::var("CHROME_ARGS")
            .unwrap_or_else(|_| "--headless=new --no-sandbox".into())
            .split_whitespace()
            .map(str::to_owned)
            .collect();
        args.push(format!("--window-size={width},{height}"));
        args.extend(further.iter().map(|arg| (*arg).to_owned()));
        let mut options = json!({ "args": args });
        if let Ok(chrome) = std::env::var("CHROME") {
            options["binary"] = chrome.into();
        }
        let Value::Object(capabilities) = json!({
            "goog:chromeOptions": options,
            "goog:loggingPrefs": { "browser": "ALL" },
        }) else {
            return Err("capabilities are an object".into());
        };
        let client = ClientBuilder::new(HttpConnector::new())
            .capabilities(capabilities)
            .connect(&format!("http://127.0.0.1:{port}"))
            .await?;
        Ok(Self { client, driver })
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
            .at_most(PATIENCE)
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
            .at_most(PATIENCE)
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
            "const element = document.querySelector('{}'); return element.value ?? element.textContent;",
            css(testid)
        );
        Ok(self.script(&text).await?.as_str().unwrap_or_default().to_owned())
    }

    /// Waits until an element's text matches, and returns the text.
    ///
    /// # Errors
    /// The text does not match in time; the error contains the last text.
    pub async fn wait_for(&self, testid: &str, wanted: impl Fn(&str) -> bool) -> Result<String, Error> {
        let start = std::time::Instant::now();
        loop {
            let text = self.text(testid).await?;
            if wanted(&text) {
                return Ok(text);
            }
            if start.elapsed() > PATIENCE {
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
        let start = std::time::Instant::now();
        while self.script(body).await? != Value::Bool(true) {
            if start.elapsed() > PATIENCE {
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
        // The code point of Shift in the WebDriver standard, section Keyboard actions.
        const SHIFT: char = '\u{E008}';
        let keys = KeyActions::new("keys".to_owned())
            .then(KeyAction::Down { value: SHIFT })
            .then(KeyAction::Down { value: key })
            .then(KeyAction::Up { value: key })
            .then(KeyAction::Up { value: SHIFT });
        Ok(self.client.perform_actions(keys).await?)
    }

    /// Resizes the page, also below the minimum size of a window.
    ///
    /// # Errors
    /// The browser does not answer.
    pub async fn resize(&self, width: u32, height: u32) -> Result<(), Error> {
        let parameters =
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500 });
        self.dev_tools("Emulation.setDeviceMetricsOverride", parameters)
            .await
    }

    /// Sends a command of the DevTools protocol.
    ///
    /// # Errors
    /// The browser rejects the command.
    pub async fn dev_tools(&self, command: &'static str, parameters: Value) -> Result<(), Error> {
        self.client.issue_cmd(DevTools { command, parameters }).await?;
        Ok(())
    }

    /// Runs a script in every new page, before the page's own scripts.
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
        self.client.close().await?;
        self.driver.kill().await?;
        Ok(())
    }
}
