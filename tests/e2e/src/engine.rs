//! Browser engines: their drivers, their settings, and their processes.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::{Map, Value, json};
use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};
use tokio::process::{Child, Command};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::{sleep, timeout};

use super::Error;
use super::processes::descendants;

/// The time limit for a driver to listen. A busy machine needs seconds.
const DRIVER_PATIENCE: Duration = Duration::from_mins(1);
/// The number of times that a driver is started, because its port can be taken in between.
const ATTEMPTS: u32 = 3;
/// The screen of browsers that need one, in pixels: larger than every window of the tests.
const SCREEN: (u32, u32) = (2000, 1500);
/// The most kept lines of a driver's and its browser's output. Later lines replace the oldest.
const MAX_LINES: usize = 10_000;

/// A browser engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// Chromium's Blink and V8, through chromedriver.
    Chromium,
    /// Gecko, in Firefox, through geckodriver.
    Firefox,
    /// WebKitGTK, in its MiniBrowser, through WebKitWebDriver. The window is on a virtual screen of Xvfb.
    WebKit,
}

impl Engine {
    /// All engines.
    pub const ALL: [Self; 3] = [Self::Chromium, Self::Firefox, Self::WebKit];

    /// The name in arguments and reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Chromium => "chromium",
            Self::Firefox => "firefox",
            Self::WebKit => "webkit",
        }
    }

    /// The engine with this name.
    ///
    /// # Errors
    /// No engine has the name.
    pub fn of_name(name: &str) -> Result<Self, Error> {
        let found = Self::ALL.into_iter().find(|engine| engine.name() == name);
        found.ok_or_else(|| {
            let names = Self::ALL.map(Self::name).join(", ");
            format!("`{name}` is no engine. The engines are {names}.").into()
        })
    }

    /// The engines that `WARPSCOPE_ENGINES` names, separated by commas, to work on one of them; without it, all.
    ///
    /// # Errors
    /// A name is not one of an engine.
    pub fn chosen() -> Result<Vec<Self>, Error> {
        match std::env::var("WARPSCOPE_ENGINES") {
            Ok(names) => names.split(',').map(Self::of_name).collect(),
            Err(_) => Ok(Self::ALL.to_vec()),
        }
    }

    /// The time limit of a wait: generous, because browsers are slow on a busy machine. WebKitGTK takes a minute to
    /// compile the module of a draft there.
    pub(crate) const fn patience(self) -> Duration {
        match self {
            Self::Chromium => Duration::from_mins(1),
            Self::Firefox | Self::WebKit => Duration::from_mins(3),
        }
    }

    /// The names that the engine's threads of dedicated workers have.
    pub(crate) const fn worker_thread(self) -> &'static str {
        match self {
            Self::Chromium => "DedicatedWorker",
            Self::Firefox => "DOM Worker",
            Self::WebKit => "WebCore: Worker",
        }
    }
}

/// A folder for the settings and downloads of one browser, removed when it is dropped.
pub(crate) struct Home(PathBuf);

impl Home {
    fn new() -> Result<Self, Error> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let home =
            Self(std::env::temp_dir().join(format!("warpscope-browser-{}-{count}", std::process::id())));
        std::fs::create_dir_all(home.downloads())?;
        std::fs::create_dir_all(home.path().join("config/gtk-3.0"))?;
        Ok(home)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// Where downloads are saved. MiniBrowser saves into its home if the user has no other folder.
    pub(crate) fn downloads(&self) -> PathBuf {
        self.0.join("home")
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        // A browser that still ends can write its last file: the folder is temporary in any case.
        std::fs::remove_dir_all(&self.0).ok();
    }
}

/// The lines that a driver and its browser print.
#[derive(Clone, Default)]
pub(crate) struct Lines(Arc<Mutex<Vec<String>>>);

impl Lines {
    fn push(&self, line: String) {
        let mut lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if lines.len() >= MAX_LINES {
            lines.remove(0);
        }
        lines.push(line);
    }

    /// Removes and returns all lines.
    pub(crate) fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// A driver that listens, with all that belongs to its browser.
pub(crate) struct Driver {
    pub(crate) engine: Engine,
    pub(crate) port: u16,
    pub(crate) lines: Lines,
    process: Child,
    /// The virtual screen.
    _screen: Option<Child>,
    pub(crate) home: Home,
}

impl Driver {
    /// Starts a driver on a free port.
    ///
    /// # Errors
    /// The driver or the virtual screen is missing or does not start.
    pub(crate) async fn start(engine: Engine, prefers_reduced_motion: bool) -> Result<Self, Error> {
        let mut attempt = 1;
        loop {
            match Self::try_start(engine, prefers_reduced_motion).await {
                Err(_) if attempt < ATTEMPTS => attempt += 1,
                outcome => return outcome,
            }
        }
    }

    async fn try_start(engine: Engine, prefers_reduced_motion: bool) -> Result<Self, Error> {
        let home = Home::new()?;
        let lines = Lines::default();
        let (mut command, port, screen) = match engine {
            Engine::Chromium => (chromium_driver(), None, None),
            Engine::Firefox => (firefox_driver(), None, None),
            Engine::WebKit => {
                let (screen, display) = start_screen().await?;
                // The driver prints neither its port nor that it listens.
                let port = std::net::TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
                let command = webkit_driver(port, &display, &home, prefers_reduced_motion)?;
                (command, Some(port), Some(screen))
            }
        };
        let mut process = spawn(&mut command)?;
        let mut printed = forward(&mut process, &lines);
        let port = match port {
            Some(port) => {
                wait_for_port(port, &mut process).await?;
                port
            }
            None => timeout(DRIVER_PATIENCE, port_in(&mut printed))
                .await
                .map_err(|_| format!("the driver of {} prints no port", engine.name()))?
                .ok_or_else(|| {
                    let printed = lines.take().join("\n");
                    format!("the driver of {} ended at once: {printed}", engine.name())
                })?,
        };
        Ok(Self {
            engine,
            port,
            lines,
            process,
            _screen: screen,
            home,
        })
    }

    /// The identifier of the driver's process, unless the driver has ended.
    pub(crate) fn id(&self) -> Option<u32> {
        self.process.id()
    }

    /// Ends the driver.
    pub(crate) async fn end(&mut self) -> Result<(), Error> {
        Ok(self.process.kill().await?)
    }

    /// The capabilities of a session: the binary, the settings, and the window.
    ///
    /// # Errors
    /// A browser is missing.
    pub(crate) fn capabilities(
        &self,
        (width, height): (u32, u32),
        prefers_reduced_motion: bool,
    ) -> Result<Map<String, Value>, Error> {
        let downloads = self.home.downloads();
        let capabilities = match self.engine {
            Engine::Chromium => {
                let mut args: Vec<String> = std::env::var("CHROME_ARGS")
                    .unwrap_or_else(|_| "--headless=new --no-sandbox".into())
                    .split_whitespace()
                    .map(str::to_owned)
                    .collect();
                args.push(format!("--window-size={width},{height}"));
                if prefers_reduced_motion {
                    args.push("--force-prefers-reduced-motion".into());
                }
                let mut options = json!({
                    "args": args,
                    "prefs": { "download.default_directory": downloads },
                });
                if let Ok(chrome) = std::env::var("CHROME") {
                    options["binary"] = chrome.into();
                }
                json!({ "goog:chromeOptions": options, "goog:loggingPrefs": { "browser": "ALL" } })
            }
            Engine::Firefox => json!({ "moz:firefoxOptions": {
                "binary": firefox()?,
                "args": ["-headless", "--width", width.to_string(), "--height", height.to_string()],
                "prefs": {
                    "ui.prefersReducedMotion": i32::from(prefers_reduced_motion),
                    // The console of pages and workers goes to the output, that of the browser does not.
                    "devtools.console.stdout.content": true,
                    "devtools.console.stdout.chrome": false,
                    "browser.download.dir": downloads,
                    // The folder of `browser.download.dir`.
                    "browser.download.folderList": 2,
                    "browser.download.alwaysOpenPanel": false,
                    // Without a network of its own: no recipes, no updates.
                    "app.normandy.enabled": false,
                    "datareporting.policy.dataSubmissionEnabled": false,
                },
            } }),
            Engine::WebKit => json!({}),
        };
        match capabilities {
            Value::Object(capabilities) => Ok(capabilities),
            _ => Err("capabilities are an object".into()),
        }
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        // A driver that is killed leaves its browser behind.
        let Some(id) = self.process.id() else { return };
        let mut kill = std::process::Command::new("kill");
        kill.arg("-KILL").arg(id.to_string());
        kill.args(descendants(id).iter().map(u32::to_string));
        kill.stderr(Stdio::null()).status().ok();
    }
}

fn chromium_driver() -> Command {
    let mut command = Command::new(std::env::var("CHROMEDRIVER").unwrap_or_else(|_| "chromedriver".into()));
    command.arg("--port=0");
    command
}

fn firefox_driver() -> Command {
    let mut command = Command::new(std::env::var("GECKODRIVER").unwrap_or_else(|_| "geckodriver".into()));
    // Free ports, so that several drivers run at once.
    command.args(["--port", "0", "--websocket-port", "0"]);
    // The screen of a headless Firefox.
    command.env("MOZ_HEADLESS_WIDTH", SCREEN.0.to_string());
    command.env("MOZ_HEADLESS_HEIGHT", SCREEN.1.to_string());
    command
}

fn webkit_driver(
    port: u16,
    display: &str,
    home: &Home,
    prefers_reduced_motion: bool,
) -> Result<Command, Error> {
    // GTK's setting decides on the preference.
    let settings = format!(
        "[Settings]\ngtk-enable-animations={}\n",
        i32::from(!prefers_reduced_motion)
    );
    std::fs::write(home.path().join("config/gtk-3.0/settings.ini"), settings)?;
    let mut command =
        Command::new(std::env::var("WEBKIT_DRIVER").unwrap_or_else(|_| "WebKitWebDriver".into()));
    command
        .arg(format!("--port={port}"))
        .env("DISPLAY", display)
        .env_remove("WAYLAND_DISPLAY")
        .env("GDK_BACKEND", "x11")
        // There is no accessibility bus to wait for.
        .env("NO_AT_BRIDGE", "1")
        .env("HOME", home.downloads())
        .env("XDG_CONFIG_HOME", home.path().join("config"))
        .env("XDG_CACHE_HOME", home.path().join("cache"))
        .env("XDG_DATA_HOME", home.path().join("data"));
    Ok(command)
}

/// Firefox's program: `FIREFOX`, or on the path.
fn firefox() -> Result<PathBuf, Error> {
    if let Some(firefox) = std::env::var_os("FIREFOX") {
        return Ok(firefox.into());
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path)
        .flat_map(|folder| ["firefox-esr", "firefox"].map(|name| folder.join(name)))
        .find(|program| program.is_file())
        .ok_or_else(|| "Firefox is not on the path. Install it, or set FIREFOX.".into())
}

fn spawn(command: &mut Command) -> Result<Child, Error> {
    let name = command.as_std().get_program().display().to_string();
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .map_err(|error| format!("{name} does not start: {error}").into())
}

/// Reads the output of a process until its end, so that the output does not fill its pipe. Returns the lines as
/// they arrive.
fn forward(process: &mut Child, lines: &Lines) -> UnboundedReceiver<String> {
    let (sender, receiver) = unbounded_channel();
    if let Some(stdout) = process.stdout.take() {
        read_lines(stdout, lines.clone(), sender.clone());
    }
    if let Some(stderr) = process.stderr.take() {
        read_lines(stderr, lines.clone(), sender);
    }
    receiver
}

fn read_lines(pipe: impl AsyncRead + Unpin + Send + 'static, lines: Lines, sender: UnboundedSender<String>) {
    tokio::spawn(async move {
        let mut pipe = BufReader::new(pipe);
        let mut line = Vec::new();
        while pipe.read_until(b'\n', &mut line).await.is_ok_and(|len| len > 0) {
            let text = String::from_utf8_lossy(&line).trim_end().to_owned();
            line.clear();
            lines.push(text.clone());
            // Nobody reads further lines once the port is known.
            sender.send(text).ok();
        }
    });
}

/// The port in the line that a driver prints when it listens.
async fn port_in(printed: &mut UnboundedReceiver<String>) -> Option<u16> {
    while let Some(line) = printed.recv().await {
        let port = ["successfully on port ", "Listening on 127.0.0.1:"]
            .into_iter()
            .find_map(|before| line.split_once(before));
        if let Some((_, port)) = port {
            return port.trim_end_matches('.').parse().ok();
        }
    }
    None
}

async fn wait_for_port(port: u16, process: &mut Child) -> Result<(), Error> {
    let listens = async {
        while tokio::net::TcpStream::connect(("127.0.0.1", port)).await.is_err() {
            if let Some(status) = process.try_wait()? {
                return Err(Error::from(format!("the driver ended at once ({status})")));
            }
            sleep(Duration::from_millis(50)).await;
        }
        Ok(())
    };
    timeout(DRIVER_PATIENCE, listens)
        .await
        .map_err(|_| format!("the driver does not listen on port {port}"))?
}

/// Starts a virtual screen. Returns its process and its name.
async fn start_screen() -> Result<(Child, String), Error> {
    let (width, height) = SCREEN;
    let mut command = Command::new("Xvfb");
    // Xvfb picks a free number and prints it to descriptor 1 when it is ready.
    command
        .args(["-displayfd", "1", "-nolisten", "tcp", "-screen", "0"])
        .arg(format!("{width}x{height}x24"));
    let mut process = spawn(&mut command)?;
    let lines = Lines::default();
    let mut printed = forward(&mut process, &lines);
    let number = async {
        while let Some(line) = printed.recv().await {
            if !line.is_empty() && line.chars().all(|digit| digit.is_ascii_digit()) {
                return Some(line);
            }
        }
        None
    };
    match timeout(DRIVER_PATIENCE, number).await {
        Ok(Some(number)) => Ok((process, format!(":{number}"))),
        _ => Err(format!("Xvfb does not start: {}", lines.take().join("\n")).into()),
    }
}
