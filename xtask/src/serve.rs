//! `cargo xtask serve`: the page on this machine, built again after each change of its sources.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::{Duration, SystemTime};

use crate::page;
use crate::plan::{Plan, Step};
use crate::step::{announce, cargo, root, run};
use crate::suite::END_TO_END;
use crate::tools::{WASM_TARGET, ensure_page_tools_as, ensure_wasm_target, page_flags, page_tool_steps};
use crate::validation::{self, newest};

/// The Cargo profile of the served page: a fast simulator, and a fifth of the time that the released page takes to build.
const PROFILE: &str = "serve";
/// What the page is made of.
const SOURCES: [&str; 5] = ["Cargo.lock", "Cargo.toml", "index.html", "src", "www"];
/// The time between two looks at the sources.
const PAUSE: Duration = Duration::from_millis(500);

/// Builds and serves the page until it is stopped, rebuilding on change.
///
/// # Errors
/// A tool cannot be installed, the page does not compile, or the port is taken.
pub(crate) fn serve(port: u16) -> Result<(), String> {
    // A folder of its own, so that dist/ always holds what `build` made.
    let folder = root().join("target/site");
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
    build_into(&folder)?;
    let _server = Server::start(&folder, port)?;
    announce(&format!(
        "the page is at http://127.0.0.1:{port}/ ({:.0} s); Ctrl-C stops",
        plan.seconds()
    ));
    report(complete(&folder));
    loop {
        std::thread::sleep(PAUSE);
        if SOURCES.iter().filter_map(|path| newest(&root().join(path))).max() > Some(built) {
            built = SystemTime::now();
            report(build_into(&folder).and_then(|()| complete(&folder)));
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
        .env("CARGO_ENCODED_RUSTFLAGS", page_flags())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| format!("compiling the page: {error}"))
}

/// Builds the page beside the served folder, and puts it in its place when it is complete.
fn build_into(folder: &Path) -> Result<(), String> {
    let fail = |error: std::io::Error| format!("{}: {error}", folder.display());
    let next = folder.with_extension("next");
    let last = folder.with_extension("last");
    page::compile(PROFILE, &next)?;
    for file in validation::FILES {
        // Until they are made again, the files of the last build are the best there is.
        let name = Path::new(file).file_name().unwrap_or_default();
        fs::copy(root().join(file), next.join(name)).ok();
    }
    remove(&last).map_err(fail)?;
    if folder.is_dir() {
        fs::rename(folder, &last).map_err(fail)?;
    }
    fs::rename(&next, folder).map_err(fail)?;
    remove(&last).map_err(fail)
}

fn remove(folder: &Path) -> std::io::Result<()> {
    if folder.is_dir() {
        fs::remove_dir_all(folder)
    } else {
        Ok(())
    }
}

/// Makes what a reader opens later: the lists of lessons and terms, and the page of validation.
fn complete(folder: &Path) -> Result<(), String> {
    announce("making the lists of lessons and terms, and the page of validation");
    validation::put_in(folder)
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
