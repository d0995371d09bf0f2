//! What the end-to-end tests stand on: a host for the built page, and a browser to open it in.
//!
//! The environment says where things are: `WARPSCOPE_DIST` (the built page), `CHROME`,
//! `CHROMEDRIVER`, and `CHROME_ARGS`. `cargo xtask test` sets them.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use fantoccini::actions::{InputSource, KeyAction, KeyActions};
use fantoccini::elements::Element;
use fantoccini::wd::WebDriverCompatibleCommand;
use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};
use tiny_http::{Header, Response, Server};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

/// For so long a test waits for something to come.
const PATIENCE: Duration = Duration::from_secs(20);

fn css(testid: &str) -> String {
    format!("[data-testid=\"{testid}\"]")
}

/// What went wrong, as a sentence.
pub type Error = Box<dyn std::error::Error + Send + Sync>;

/// The folder of the host under which the page lies: not the root, as on most static hosts.
const FOLDER: &str = "/a/folder/";

/// Serves the built page until it is dropped.
pub struct Host {
    server: Arc<Server>,
    thread: Option<JoinHandle<()>>,
}

impl Host {
    /// Serves the page on a free port.
    ///
    /// # Errors
    /// If there is no built page, or no free port.
    pub fn start() -> Result<Self, Error> {
        let dist = PathBuf::from(std::env::var("WARPSCOPE_DIST")?);
        if !dist.join("index.html").is_file() {
            return Err(format!("{} holds no built page", dist.display()).into());
        }
        let server = Arc::new(Server::http("127.0.0.1:0")?);
        let answering = Arc::clone(&server);
        let thread = std::thread::spawn(move || {
            for request in answering.incoming_requests() {
                // A browser that goes away in the middle of an answer is no failure.
                let _ = match read(&dist, request.url()) {
                    Some((bytes, content_type)) => {
                        request.respond(Response::from_data(bytes).with_header(content_type))
                    }
                    None => request.respond(Response::from_string("not found").with_status_code(404)),
                };
            }
        });
        Ok(Self {
            server,
            thread: Some(thread),
        })
    }

    /// The address of the page, with a link's text after the `#` if it is not empty.
    pub fn address(&self, fragment: &str) -> String {
        let at = self.server.server_addr().to_string();
        let hash = if fragment.is_empty() { "" } else { "#" };
        format!("http://{at}{FOLDER}{hash}{}", fragment.trim_start_matches('#'))
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        self.server.unblock();
        if let Some(thread) = self.thread.take() {
            // It has nothing to report.
            let _ = thread.join();
        }
    }
}

/// The file at a request's path, with its type.
fn read(dist: &Path, url: &str) -> Option<(Vec<u8>, Header)> {
    let path = url.split(['?', '#']).next()?.strip_prefix(FOLDER)?;
    let path = if path.is_empty() { "index.html" } else { path };
    if path.split('/').any(|part| part == "..") {
        return None;
    }
    let content_type = match Path::new(path).extension()?.to_str()? {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css",
        "js" => "text/javascript",
        "wasm" => "application/wasm",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        _ => "application/octet-stream",
    };
    let header = Header::from_bytes("Content-Type", content_type).ok()?;
    Some((std::fs::read(dist.join(path)).ok()?, header))
}

/// A command of the browser's own protocol, which chromedriver passes on.
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

/// A browser with a fresh profile, and its driver.
pub struct Browser {
    /// The WebDriver session.
    pub client: Client,
    driver: Child,
}

impl Browser {
    /// Starts the driver on a free port, and through it a browser with a profile of its own and a
    /// window of that many pixels.
    ///
    /// # Errors
    /// If either does not start.
    pub async fn start(width: u32, height: u32) -> Result<Self, Error> {
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
        // Its later output must not fill the pipe.
        tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });

        let mut args: Vec<String> = std::env::var("CHROME_ARGS")
            .unwrap_or_else(|_| "--headless=new --no-sandbox".into())
            .split_whitespace()
            .map(str::to_owned)
            .collect();
        args.push(format!("--window-size={width},{height}"));
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

    /// Opens an address and waits until the run is complete and shown, and all of the page is there.
    ///
    /// # Errors
    /// If that takes too long.
    pub async fn open(&self, address: &str) -> Result<(), Error> {
        self.client.goto(address).await?;
        self.wait_for("cycle-of", |text| text.starts_with("of ")).await?;
        self.find("stage-canvas").await?;
        self.client
            .wait()
            .at_most(PATIENCE)
            .for_element(Locator::Css("html[data-complete]"))
            .await
            .map_err(|error| format!("parts of the page are missing: {error}"))?;
        Ok(())
    }

    /// The element with that `data-testid`, waiting for it.
    ///
    /// # Errors
    /// If it does not come in time.
    pub async fn find(&self, testid: &str) -> Result<Element, Error> {
        let css = css(testid);
        self.client
            .wait()
            .at_most(PATIENCE)
            .for_element(Locator::Css(&css))
            .await
            .map_err(|error| format!("no element {css}: {error}").into())
    }

    /// Whether there is an element with that `data-testid` now.
    ///
    /// # Errors
    /// If the browser does not answer.
    pub async fn has(&self, testid: &str) -> Result<bool, Error> {
        Ok(!self.client.find_all(Locator::Css(&css(testid))).await?.is_empty())
    }

    /// The text of an element.
    ///
    /// # Errors
    /// If there is no such element.
    pub async fn text(&self, testid: &str) -> Result<String, Error> {
        self.find(testid).await?;
        // Whole, as the page wrote it: WebDriver leaves out what is scrolled away or clipped.
        let text = format!(
            "const element = document.querySelector('{}'); return element.value ?? element.textContent;",
            css(testid)
        );
        Ok(self.script(&text).await?.as_str().unwrap_or_default().to_owned())
    }

    /// Waits until an element's text is as wanted, and returns it.
    ///
    /// # Errors
    /// If it does not become so in time; the error says what it was.
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
    /// If it does not in time.
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
    /// If there is no such element, or something lies over it.
    pub async fn click(&self, testid: &str) -> Result<(), Error> {
        Ok(self.find(testid).await?.click().await?)
    }

    /// Presses and releases a key, wherever the focus is.
    ///
    /// # Errors
    /// If the browser does not answer.
    pub async fn press(&self, key: char) -> Result<(), Error> {
        let keys = KeyActions::new("keys".to_owned())
            .then(KeyAction::Down { value: key })
            .then(KeyAction::Up { value: key });
        Ok(self.client.perform_actions(keys).await?)
    }

    /// Gives the page a size, which may be smaller than a window can be.
    ///
    /// # Errors
    /// If the browser does not answer.
    pub async fn resize(&self, width: u32, height: u32) -> Result<(), Error> {
        let parameters =
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500 });
        self.dev_tools("Emulation.setDeviceMetricsOverride", parameters)
            .await
    }

    /// Gives a command of the browser's own protocol.
    ///
    /// # Errors
    /// If the browser does not take it.
    pub async fn dev_tools(&self, command: &'static str, parameters: Value) -> Result<(), Error> {
        self.client.issue_cmd(DevTools { command, parameters }).await?;
        Ok(())
    }

    /// Runs a script in every page to come, before its own.
    ///
    /// # Errors
    /// If the browser does not answer.
    pub async fn before_page(&self, script: &str) -> Result<(), Error> {
        let command = DevTools {
            command: "Page.addScriptToEvaluateOnNewDocument",
            parameters: json!({ "source": script }),
        };
        self.client.issue_cmd(command).await?;
        Ok(())
    }

    /// What a JavaScript function body returns.
    ///
    /// # Errors
    /// If it throws.
    pub async fn script(&self, body: &str) -> Result<Value, Error> {
        Ok(self.client.execute(body, Vec::new()).await?)
    }

    /// Ends the browser and its driver.
    ///
    /// # Errors
    /// If the driver does not answer.
    pub async fn close(mut self) -> Result<(), Error> {
        self.client.close().await?;
        self.driver.kill().await?;
        Ok(())
    }
}
