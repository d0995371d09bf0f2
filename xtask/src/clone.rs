//! What a newcomer does: clones the repository and serves the page, with nothing there but the tools. The page is built in the
//! folder of the tests, which is a fresh clone in CI.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::page;
use crate::step::{announce, command, root, run};
use crate::suite::end_to_end;
use crate::tools::Browser;

/// The clone's folder, in the folder for temporary files: paths with a space are where scripts break.
const FOLDER: &str = "warpscope clone";
/// The time limit of `serve` until the page is there. From nothing it takes a few minutes on two idle cores.
const PATIENCE: Duration = Duration::from_mins(30);

/// The commands in the clone, beside other steps: the longest part of a build, linking, uses one core.
pub(crate) struct CloneTest(JoinHandle<(Result<FreshClone, String>, Result<(), String>)>);

impl CloneTest {
    /// Clones HEAD, with changes that are not committed, runs `cargo xtask serve` there, and then `cargo xtask build` here.
    ///
    /// # Errors
    /// The program that opens the page does not compile.
    pub(crate) fn start(browser: &Browser) -> Result<Self, String> {
        // Before: once the page is there, Cargo would wait for the builds of the other steps.
        run(
            "building the program that opens the page of a clone",
            &mut end_to_end(browser, &["build", "--quiet", "--bin", "open"]),
        )?;
        announce("a fresh clone serves the page, and the page is built, beside the next steps");
        let browser = browser.clone();
        Ok(Self(std::thread::spawn(move || {
            let folder = std::env::temp_dir().join(format!("{FOLDER} {}", std::process::id()));
            match FreshClone::new(folder) {
                Ok(clone) => {
                    let outcome = clone.serve(&browser).and_then(|()| clone.build(&browser));
                    (Ok(clone), outcome)
                }
                Err(error) => (Err(error.clone()), Err(error)),
            }
        })))
    }

    /// Waits for the end, and prints the output. The clone stays until it is dropped.
    pub(crate) fn finish(self) -> (Option<FreshClone>, Result<(), String>) {
        announce("a fresh clone serves the page, and the page is built");
        let (clone, outcome) = self.0.join().unwrap_or_else(|_| {
            let message = "the test of a clone panicked".to_owned();
            (Err(message.clone()), Err(message))
        });
        let clone = clone.ok();
        if let Some(clone) = &clone {
            println!("{}", clone.log());
        }
        (clone, outcome.map_err(|error| format!("a fresh clone: {error}")))
    }
}

/// A clone with nothing in its build folder but the tools, deleted when it is dropped.
pub(crate) struct FreshClone {
    /// The folder of the clone, and of its log.
    outer: PathBuf,
    folder: PathBuf,
    log: PathBuf,
}

impl Drop for FreshClone {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.outer).ok();
    }
}

impl FreshClone {
    fn new(outer: PathBuf) -> Result<Self, String> {
        fs::remove_dir_all(&outer).ok();
        fs::create_dir_all(&outer).map_err(|error| format!("{}: {error}", outer.display()))?;
        let clone = Self {
            folder: outer.join("warpscope"),
            log: outer.join("log"),
            outer,
        };
        let source = root();
        checked(
            Command::new("git")
                .args(["clone", "--quiet"])
                .arg(&source)
                .arg(&clone.folder),
        )?;
        clone.add_changes(&source)?;
        fs::create_dir(clone.folder.join("target")).map_err(|error| format!("target: {error}"))?;
        std::os::unix::fs::symlink(source.join("target/tools"), clone.folder.join("target/tools"))
            .map_err(|error| format!("target/tools: {error}"))?;
        Ok(clone)
    }

    /// Adds what is not committed, so that the tests concern the sources of this folder.
    fn add_changes(&self, source: &Path) -> Result<(), String> {
        let git = |args: &[&str]| {
            let output = command("git", args)
                .output()
                .map_err(|error| format!("git: {error}"))?;
            Ok::<_, String>(output.stdout)
        };
        let changes = git(&["diff", "HEAD", "--binary"])?;
        let fail = |error: std::io::Error| format!("changes that are not committed: {error}");
        if !changes.is_empty() {
            announce("the clone also has the changes that are not committed");
            let mut apply = Command::new("git")
                .args(["apply", "-"])
                .current_dir(&self.folder)
                .stdin(Stdio::piped())
                .spawn()
                .map_err(fail)?;
            if let Some(mut input) = apply.stdin.take() {
                input.write_all(&changes).map_err(fail)?;
            }
            if !apply.wait().map_err(fail)?.success() {
                return Err("git cannot apply the changes that are not committed".to_owned());
            }
        }
        let new = git(&["ls-files", "--others", "--exclude-standard", "-z"])?;
        for path in String::from_utf8_lossy(&new).split_terminator('\0') {
            let copy = self.folder.join(path);
            fs::create_dir_all(copy.parent().unwrap_or(&copy)).map_err(fail)?;
            fs::copy(source.join(path), copy).map_err(fail)?;
        }
        Ok(())
    }

    /// `cargo xtask serve` until the page answers and a browser shows its run.
    fn serve(&self, browser: &Browser) -> Result<(), String> {
        let port = free_port()?;
        let start = Instant::now();
        let mut server = Running(self.xtask(&self.folder, &["serve", "--port", &port.to_string()])?);
        server.wait_for(port, "/", start)?;
        self.note(&format!(
            "the page answers after {:.0} s",
            start.elapsed().as_secs_f64()
        ))?;
        // What `serve` makes after this, `build` makes, too.
        self.open(browser, &["--address", &format!("http://127.0.0.1:{port}/")])
    }

    /// The folder of the clone, where the page's module is compiled as `serve` does it.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// `cargo xtask build`, and its result on a plain host, in a folder that is not the root.
    fn build(&self, browser: &Browser) -> Result<(), String> {
        let start = Instant::now();
        let status = self
            .xtask(&root(), &["build"])?
            .wait()
            .map_err(|error| error.to_string())?;
        if !status.success() {
            return Err(format!("cargo xtask build: {status}"));
        }
        self.note(&format!(
            "cargo xtask build: {:.0} s",
            start.elapsed().as_secs_f64()
        ))?;
        self.open(browser, &["--plain", &page::dist().display().to_string()])
    }

    /// A command in a folder of the sources, whose output goes to the log. All its processes are in one group.
    fn xtask(&self, folder: &Path, args: &[&str]) -> Result<Child, String> {
        let fail = |error: std::io::Error| format!("cargo xtask {}: {error}", args.join(" "));
        let log = self.log_file().map_err(fail)?;
        let errors = log.try_clone().map_err(fail)?;
        let mut command = Command::new("cargo");
        if folder == self.folder {
            command.env_remove("CARGO_TARGET_DIR");
        }
        command
            .arg("xtask")
            .args(args)
            .current_dir(folder)
            // The folder's own packages, not those that run this.
            .env_remove("CARGO_MANIFEST_DIR")
            .stdin(Stdio::null())
            .stdout(log)
            .stderr(errors)
            .process_group(0)
            .spawn()
            .map_err(fail)
    }

    /// Opens a page in a browser and waits for its run.
    fn open(&self, browser: &Browser, args: &[&str]) -> Result<(), String> {
        let fail = |error: std::io::Error| format!("the browser: {error}");
        let log = self.log_file().map_err(fail)?;
        let errors = log.try_clone().map_err(fail)?;
        let status = command(page::target().join("debug/open"), args)
            .envs(browser.variables())
            .stdout(log)
            .stderr(errors)
            .status()
            .map_err(fail)?;
        if status.success() {
            Ok(())
        } else {
            Err(format!("the browser does not show the run of {}", args.join(" ")))
        }
    }

    fn log_file(&self) -> std::io::Result<File> {
        File::options().create(true).append(true).open(&self.log)
    }

    fn note(&self, line: &str) -> Result<(), String> {
        let written = self.log_file().and_then(|mut log| writeln!(log, "    {line}"));
        written.map_err(|error| format!("{}: {error}", self.log.display()))
    }

    fn log(&self) -> String {
        fs::read_to_string(&self.log).unwrap_or_default()
    }
}

/// A command that runs until it is dropped, with all that it started.
struct Running(Child);

impl Running {
    /// Waits until a path of the page on this port answers.
    fn wait_for(&mut self, port: u16, path: &str, start: Instant) -> Result<(), String> {
        while !answers(port, path) {
            if let Ok(Some(status)) = self.0.try_wait() {
                return Err(format!("cargo xtask serve ended ({status})"));
            }
            if start.elapsed() > PATIENCE {
                return Err(format!("cargo xtask serve does not serve {path}"));
            }
            std::thread::sleep(Duration::from_millis(500));
        }
        Ok(())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let group = format!("-{}", self.0.id());
        command("kill", &["-TERM", "--", &group]).status().ok();
        self.0.wait().ok();
    }
}

/// Whether a path on a port of this machine answers with a file.
fn answers(port: u16, path: &str) -> bool {
    let get = || {
        let mut stream = TcpStream::connect(("127.0.0.1", port))?;
        write!(
            stream,
            "GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n"
        )?;
        let mut status = [0; 12];
        stream.read_exact(&mut status)?;
        Ok::<_, std::io::Error>(status)
    };
    get().is_ok_and(|status| status == *b"HTTP/1.1 200")
}

fn free_port() -> Result<u16, String> {
    let listener = TcpListener::bind("127.0.0.1:0").map_err(|error| format!("no free port: {error}"))?;
    Ok(listener.local_addr().map_err(|error| error.to_string())?.port())
}

fn checked(command: &mut Command) -> Result<(), String> {
    let what = format!("{command:?}");
    let status = command.status().map_err(|error| format!("{what}: {error}"))?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("{what}: {status}"))
    }
}
