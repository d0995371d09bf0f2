//! `cargo xtask serve`: the page on this machine, built again after each change of its sources.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::{Duration, SystemTime};

use crate::native_files::{self, newest};
use crate::page;
use crate::plan::{Plan, Step};
use crate::step::{announce, cargo, copy_folder, root, run};
use crate::suite::END_TO_END;
use crate::tools::{WASM_TARGET, ensure_page_tools_as, ensure_wasm_target, page_flags, page_tool_steps};

/// The Cargo profile of the served page: a fast simulator, and a fifth of the time that the released page takes to build.
pub(crate) const PROFILE: &str = "serve";
/// What the page is made of.
const SOURCES: [&str; 5] = ["Cargo.lock", "Cargo.toml", "index.html", "src", "www"];
/// The time between two looks at the sources.
const PAUSE: Duration = Duration::from_millis(500);

/// Builds and serves the page until it is stopped, rebuilding on change.
///
/// # Errors
/// A tool cannot be installed, the page does not compile, or the port is taken.
pub(crate) fn serve(port: u16) -> Result<(), String> {
    let mut steps = page_tool_steps();
    let is_first = !steps.is_empty();
    steps.push(Step {
        what: "building the page",
        seconds: 90,
    });
    let mut plan = Plan::new(steps);
    ensure_wasm_target()?;
    // Both use all cores, but the last crates of each do not.
    let ahead = is_first.then(compile_ahead).transpose()?;
    ensure_page_tools_as(&mut plan)?;
    plan.begin_next();
    if let Some(mut ahead) = ahead {
        // Trunk compiles again what failed here, and reports it.
        ahead
            .wait()
            .map_err(|error| format!("compiling the page: {error}"))?;
    }
    let mut built = SystemTime::now();
    let site = Site::new();
    site.compile()?;
    site.publish()?;
    let _server = Server::start(&site.served, port)?;
    announce(&format!(
        "the page is at http://127.0.0.1:{port}/ ({:.0} s); Ctrl-C stops",
        plan.seconds()
    ));
    report(site.add_native_files());
    loop {
        std::thread::sleep(PAUSE);
        if SOURCES.iter().filter_map(|path| newest(&root().join(path))).max() > Some(built) {
            built = SystemTime::now();
            report(
                site.compile()
                    .and_then(|()| site.publish())
                    .and_then(|()| site.add_native_files()),
            );
        }
    }
}

/// Says what happened to the served page after a change.
fn report(outcome: Result<(), String>) {
    match outcome {
        Ok(()) => announce("the page is complete, and is built again after each change of its sources"),
        Err(message) => announce(&format!("{message}; the page stays as it was")),
    }
}

/// Starts compiling the page's module, at the same time as other steps.
fn compile_ahead() -> Result<Child, String> {
    let args = [
        "build",
        "--locked",
        "--quiet",
        "--profile",
        PROFILE,
        "--target",
        WASM_TARGET,
    ];
    cargo(&args)
        .args(["--package", "warpscope-entry"])
        .env("CARGO_ENCODED_RUSTFLAGS", page_flags(&root()))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| format!("compiling the page: {error}"))
}

/// The folders of the page, under `target/`, so that `dist/` always holds what `build` made.
struct Site {
    /// What Trunk builds.
    compiled: PathBuf,
    /// The complete page before it is served.
    next: PathBuf,
    served: PathBuf,
    /// What was served before.
    last: PathBuf,
}

impl Site {
    fn new() -> Self {
        let folder = |name| root().join("target/site").join(name);
        Self {
            compiled: folder("compiled"),
            next: folder("next"),
            served: folder("served"),
            last: folder("last"),
        }
    }

    fn compile(&self) -> Result<(), String> {
        fs::create_dir_all(&self.compiled)
            .map_err(|error| format!("{}: {error}", self.compiled.display()))?;
        page::compile(PROFILE, &self.compiled)
    }

    /// Completes the page beside the served one, and puts it in its place.
    fn publish(&self) -> Result<(), String> {
        let fail = |error: std::io::Error| format!("{}: {error}", self.served.display());
        remove(&self.next).map_err(fail)?;
        copy_folder(&self.compiled, &self.next).map_err(fail)?;
        page::complete(&self.next)?;
        remove(&self.last).map_err(fail)?;
        if self.served.is_dir() {
            fs::rename(&self.served, &self.last).map_err(fail)?;
        }
        fs::rename(&self.next, &self.served).map_err(fail)
    }

    /// Makes what is older than its sources of the first view, the lists of lessons and terms, and the page of validation.
    fn add_native_files(&self) -> Result<(), String> {
        if native_files::make()? {
            self.publish()
        } else {
            Ok(())
        }
    }
}

fn remove(folder: &Path) -> std::io::Result<()> {
    if folder.is_dir() {
        fs::remove_dir_all(folder)
    } else {
        Ok(())
    }
}

/// The server: a process that ends when its input does, so at the latest with this one.
struct Server(Child);

impl Server {
    fn start(folder: &Path, port: u16) -> Result<Self, String> {
        run(
            "building the server",
            cargo(&["build", "--locked", "--quiet", "--package", "warpscope-host"])
                .args(["--manifest-path", END_TO_END])
                .env("CARGO_TARGET_DIR", page::target()),
        )?;
        let program: PathBuf = page::target().join("debug/warpscope-host");
        let mut server = crate::step::command(program, &[])
            .arg(folder)
            .arg(port.to_string())
            .stdin(Stdio::piped())
            .spawn()
            .map_err(|error| format!("the server: {error}"))?;
        // A port that is taken ends it at once.
        std::thread::sleep(PAUSE);
        match server.try_wait() {
            Ok(None) => Ok(Self(server)),
            _ => Err(format!(
                "The server did not start. Choose another port: cargo xtask serve --port {}",
                port.wrapping_add(1)
            )),
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.0.kill().ok();
    }
}
