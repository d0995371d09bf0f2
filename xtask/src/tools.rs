//! The tools that Cargo does not bring: the wasm target, wasm-bindgen, Trunk, Chromium, and its
//! driver. What is missing is installed, Rust's tools at pinned versions under `target/tools`.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::plan::{Plan, Step};
use crate::step::{announce, cargo, command, output, root, run};

/// The version in Cargo.lock; the three must agree.
const WASM_BINDGEN: &str = "0.2.108";
const TRUNK: &str = "0.21.14";
pub(crate) const WASM_TARGET: &str = "wasm32-unknown-unknown";

/// Folder of the installed tools.
fn bin() -> PathBuf {
    root().join("target/tools/bin")
}

/// PATH with the installed tools first.
pub(crate) fn path() -> OsString {
    let old = std::env::var_os("PATH").unwrap_or_default();
    let dirs = std::iter::once(bin()).chain(std::env::split_paths(&old));
    std::env::join_paths(dirs).unwrap_or(old)
}

/// Trunk, with its arguments, finding the pinned wasm-bindgen.
pub(crate) fn trunk(args: &[&str]) -> Command {
    let mut trunk = command(bin().join("trunk"), args);
    // `NO_COLOR=1`, as many terminals set it, is not a value that Trunk's own flag takes.
    trunk
        .env("PATH", path())
        .env_remove("NO_COLOR")
        .env("TRUNK_SKIP_VERSION_CHECK", "true")
        .env("CARGO_ENCODED_RUSTFLAGS", page_flags(&root()));
    trunk
}

/// Flags of the compiler for the page's module in a folder of the sources, in place of those in `.cargo/config.toml`: the
/// same vectors, and no path of this machine in the module.
pub(crate) fn page_flags(folder: &Path) -> String {
    let home = std::env::var_os("CARGO_HOME")
        .map(PathBuf::from)
        .or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cargo")));
    let sources = home.map(|home| format!("--remap-path-prefix={}=cargo", home.display()));
    let own = format!("--remap-path-prefix={}=.", folder.display());
    let flags = [Some("-Ctarget-feature=+simd128".to_owned()), sources, Some(own)];
    // The separator that Cargo documents for this variable.
    flags.into_iter().flatten().collect::<Vec<_>>().join("\u{1f}")
}

/// The runner that takes wasm tests into a browser.
pub(crate) fn wasm_test_runner() -> PathBuf {
    bin().join("wasm-bindgen-test-runner")
}

/// A tool from crates.io.
struct Tool {
    package: &'static str,
    binary: &'static str,
    version: &'static str,
    step: Step,
}

/// The tools that build the page.
const PAGE_TOOLS: [Tool; 2] = [
    Tool {
        package: "wasm-bindgen-cli",
        binary: "wasm-bindgen",
        version: WASM_BINDGEN,
        step: Step {
            what: "installing wasm-bindgen under target/tools, once",
            seconds: 60,
        },
    },
    Tool {
        package: "trunk",
        binary: "trunk",
        version: TRUNK,
        step: Step {
            what: "installing Trunk under target/tools, once",
            seconds: 150,
        },
    },
];

/// The driver of Firefox, which Debian does not have. Its library `webdriver` speaks the protocol; another way would be
/// Firefox's own protocols, which the tests would have to speak beside `WebDriver`.
const GECKODRIVER: Tool = Tool {
    package: "geckodriver",
    binary: "geckodriver",
    version: "0.37.1",
    step: Step {
        what: "installing geckodriver under target/tools, once",
        seconds: 65,
    },
};

/// What building the page needs.
pub(crate) fn ensure_page_tools() -> Result<(), String> {
    ensure_wasm_target()?;
    PAGE_TOOLS
        .iter()
        .filter(|tool| !tool.is_installed())
        .try_for_each(Tool::install)
}

/// The steps that install what is missing for building the page.
pub(crate) fn page_tool_steps() -> Vec<Step> {
    let missing = PAGE_TOOLS.iter().filter(|tool| !tool.is_installed());
    missing.map(|tool| tool.step).collect()
}

/// Installs what is missing for building the page, as the next steps of a plan.
pub(crate) fn ensure_page_tools_as(plan: &mut Plan) -> Result<(), String> {
    ensure_wasm_target()?;
    for tool in PAGE_TOOLS.iter().filter(|tool| !tool.is_installed()) {
        plan.begin_next();
        tool.install()?;
    }
    Ok(())
}

/// The target, for lints too.
pub(crate) fn ensure_wasm_target() -> Result<(), String> {
    let installed = output(&mut command(
        "rustc",
        &["--print", "target-libdir", "--target", WASM_TARGET],
    ))
    .is_some_and(|dir| PathBuf::from(dir.trim()).is_dir());
    if installed {
        return Ok(());
    }
    run(
        &format!("installing the target {WASM_TARGET}"),
        &mut command("rustup", &["target", "add", WASM_TARGET]),
    )
}

impl Tool {
    fn is_installed(&self) -> bool {
        output(&mut command(bin().join(self.binary), &["--version"]))
            .is_some_and(|text| text.split_whitespace().any(|word| word == self.version))
    }

    fn install(&self) -> Result<(), String> {
        let Self { package, version, .. } = self;
        let mut install = cargo(&[
            "install",
            package,
            "--version",
            version,
            "--locked",
            "--debug",
            "--force",
        ]);
        install
            // The defaults are TLS libraries for downloads that these tools never make here: a third of the time.
            .arg("--no-default-features")
            .arg("--root")
            .arg(root().join("target/tools"))
            .arg("--target-dir")
            .arg(root().join("target/tools-build"))
            // Optimization would double the time that this takes on two cores.
            .env("CARGO_PROFILE_DEV_DEBUG", "0");
        run(
            &format!("installing {package} {version} under target/tools"),
            &mut install,
        )
    }
}

/// The rules of accessibility that the page is tested by; only a tool of the tests.
const AXE: &str = "4.10.3";

/// axe-core, from the npm registry.
pub(crate) fn ensure_axe() -> Result<PathBuf, String> {
    let folder = root().join("target/tools").join(format!("axe-core-{AXE}"));
    let script = folder.join("package/axe.min.js");
    if script.is_file() {
        return Ok(script);
    }
    std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let package = format!("axe-core-{AXE}.tgz");
    if find("npm").is_none() {
        announce("npm is missing; it fetches the accessibility tests' rules");
        if find("apt-get").is_none() {
            return Err(
                "The accessibility tests need npm to fetch axe-core. Install it (it comes with Node.js)."
                    .to_owned(),
            );
        }
        apt_install(&["npm"])?;
    }
    run(
        &format!("npm pack axe-core@{AXE}"),
        command("npm", &["pack", "--silent", &format!("axe-core@{AXE}")]).current_dir(&folder),
    )?;
    run(
        "unpacking axe-core",
        command("tar", &["-xzf", &package]).current_dir(&folder),
    )?;
    Ok(script)
}

/// g++, which random programs are compared with.
pub(crate) fn ensure_cxx() -> Result<(), String> {
    if find("g++").is_some() {
        return Ok(());
    }
    if find("apt-get").is_none() {
        return Err("g++ is missing. Install it.".to_owned());
    }
    apt_install(&["g++"])
}

/// A browser and its `WebDriver`.
#[derive(Clone)]
pub(crate) struct Browser {
    pub(crate) chrome: PathBuf,
    pub(crate) driver: PathBuf,
}

impl Browser {
    /// Arguments for tests: no window, nothing that talks to the network by itself.
    pub(crate) const ARGS: [&str; 9] = [
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--no-first-run",
        "--hide-scrollbars",
    ];

    /// The variables by which the end-to-end tests find the browser.
    pub(crate) fn variables(&self) -> [(&'static str, OsString); 3] {
        [
            ("CHROME", self.chrome.clone().into()),
            ("CHROMEDRIVER", self.driver.clone().into()),
            ("CHROME_ARGS", Self::ARGS.join(" ").into()),
        ]
    }
}

/// The engines beside Chromium that the end-to-end tests drive.
pub(crate) struct Engines {
    firefox: PathBuf,
    webkit_driver: PathBuf,
}

impl Engines {
    /// The variables by which the end-to-end tests find the engines.
    pub(crate) fn variables(&self) -> [(&'static str, PathBuf); 3] {
        [
            ("FIREFOX", self.firefox.clone()),
            ("GECKODRIVER", bin().join(GECKODRIVER.binary)),
            ("WEBKIT_DRIVER", self.webkit_driver.clone()),
        ]
    }
}

/// Finds Firefox, `WebKitGTK`'s driver, and a virtual screen for its window, by `FIREFOX` and `WEBKIT_DRIVER`, on the path,
/// or from apt, and geckodriver under `target/tools` or from crates.io.
pub(crate) fn ensure_engines() -> Result<Engines, String> {
    if find_engines().is_none() {
        announce("Firefox, WebKitGTK's driver, or Xvfb is missing");
        if find("apt-get").is_none() {
            return Err("The browser tests need Firefox, WebKitGTK's driver, and Xvfb. Install them (packages are often \
                 called `firefox` or `firefox-esr`, `webkit2gtk-driver`, and `xvfb`), or set FIREFOX and WEBKIT_DRIVER to \
                 their paths."
                .to_owned());
        }
        apt_install(&["firefox-esr", "webkit2gtk-driver", "xvfb"])?;
    }
    let engines = find_engines().ok_or(
        "apt-get installed firefox-esr, webkit2gtk-driver, and xvfb, but they are not on the path; set FIREFOX and \
         WEBKIT_DRIVER",
    )?;
    if !GECKODRIVER.is_installed() {
        GECKODRIVER.install()?;
    }
    Ok(engines)
}

/// Firefox and `WebKitGTK`'s driver, if Xvfb is there, too.
pub(crate) fn find_engines() -> Option<Engines> {
    let given = |name: &str| std::env::var_os(name).map(PathBuf::from);
    find("Xvfb")?;
    Some(Engines {
        firefox: given("FIREFOX")
            .or_else(|| ["firefox-esr", "firefox"].iter().find_map(|name| find(name)))?,
        webkit_driver: given("WEBKIT_DRIVER").or_else(|| find("WebKitWebDriver"))?,
    })
}

/// Finds Chromium and chromedriver, by `CHROME` and `CHROMEDRIVER`, on the path, or from apt.
pub(crate) fn ensure_browser() -> Result<Browser, String> {
    if let Some(browser) = find_browser() {
        return Ok(browser);
    }
    announce("Chromium or chromedriver is missing");
    if find("apt-get").is_none() {
        return Err("The browser tests need Chromium and chromedriver. Install both (packages are often called \
             `chromium` and `chromium-driver` or `chromedriver`), or set CHROME and CHROMEDRIVER to their paths."
            .to_owned());
    }
    // Widths of texts depend on fonts: without this package, a wide substitute is used.
    apt_install(&["chromium", "chromium-driver", "fonts-liberation"])?;
    find_browser().ok_or_else(|| {
        "apt-get installed chromium and chromium-driver, but they are not on the path; set CHROME and CHROMEDRIVER"
            .to_owned()
    })
}

/// Installs Debian's packages, with `sudo` where that is needed.
fn apt_install(packages: &[&str]) -> Result<(), String> {
    let is_root = output(&mut command("id", &["-u"])).is_some_and(|id| id.trim() == "0");
    let apt = |args: &[&str]| {
        let mut apt = if is_root {
            command("apt-get", args)
        } else {
            command("sudo", &["apt-get"])
        };
        if !is_root {
            apt.args(args);
        }
        apt.env("DEBIAN_FRONTEND", "noninteractive");
        apt
    };
    run("apt-get update", &mut apt(&["-q", "update"]))?;
    let install = ["-q", "install", "-y", "--no-install-recommends"];
    run(
        &format!("apt-get install {}", packages.join(" ")),
        &mut apt(&[&install, packages].concat()),
    )
}

fn find_browser() -> Option<Browser> {
    let given = |name: &str| std::env::var_os(name).map(PathBuf::from);
    let chrome = given("CHROME").or_else(|| {
        [
            "chromium",
            "chromium-browser",
            "google-chrome",
            "google-chrome-stable",
        ]
        .iter()
        .find_map(|name| find(name))
    })?;
    let driver = given("CHROMEDRIVER").or_else(|| find("chromedriver"))?;
    Some(Browser { chrome, driver })
}

fn find(program: &str) -> Option<PathBuf> {
    std::env::split_paths(&std::env::var_os("PATH")?)
        .map(|dir| dir.join(program))
        .find(|path| path.is_file())
}
