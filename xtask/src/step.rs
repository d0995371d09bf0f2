//! Running other programs, with a line before and after each step.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// The folder of the workspace.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .map_or_else(|| PathBuf::from("."), Path::to_path_buf)
}

/// Prints a line that says what begins now.
pub(crate) fn announce(what: &str) {
    eprintln!("\n==> {what}");
}

/// A command in the workspace's folder.
pub(crate) fn command(program: impl AsRef<OsStr>, args: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(args).current_dir(root());
    command
}

/// `cargo` with these arguments, as it was called for this program.
pub(crate) fn cargo(args: &[&str]) -> Command {
    command(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()), args)
}

/// Runs it to the end; an error names what failed.
pub(crate) fn run(what: &str, command: &mut Command) -> Result<(), String> {
    announce(what);
    let start = Instant::now();
    let status = command.status().map_err(|error| {
        format!(
            "{what}: {} does not start: {error}",
            command.get_program().display()
        )
    })?;
    let seconds = start.elapsed().as_secs_f64();
    if status.success() {
        eprintln!("    {what}: done in {seconds:.1} s");
        Ok(())
    } else {
        Err(format!("{what}: failed ({status}) after {seconds:.1} s"))
    }
}

/// What a command prints, or `None` if it cannot be run or fails.
pub(crate) fn output(command: &mut Command) -> Option<String> {
    let output = command.stderr(Stdio::null()).output().ok()?;
    output
        .status
        .success()
        .then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Runs it to the end, passing on what it prints and handing each line to `see` too.
/// Whether it succeeded.
pub(crate) fn follow(what: &str, command: &mut Command, mut see: impl FnMut(&str)) -> Result<bool, String> {
    announce(what);
    let start = Instant::now();
    let mut child = command.stdout(Stdio::piped()).spawn().map_err(|error| {
        format!(
            "{what}: {} does not start: {error}",
            command.get_program().display()
        )
    })?;
    if let Some(stdout) = child.stdout.take() {
        let mut out = std::io::stdout();
        for line in BufReader::new(stdout).split(b'\n').map_while(Result::ok) {
            let line = String::from_utf8_lossy(&line);
            // A closed pipe on our side must not stop the tests.
            let _ = writeln!(out, "{line}");
            see(&line);
        }
    }
    let status = child.wait().map_err(|error| format!("{what}: {error}"))?;
    eprintln!(
        "    {what}: {status} after {:.1} s",
        start.elapsed().as_secs_f64()
    );
    Ok(status.success())
}

/// Copies a folder with all that is in it.
pub(crate) fn copy_folder(from: &Path, to: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let copy = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_folder(&entry.path(), &copy)?;
        } else {
            std::fs::copy(entry.path(), copy)?;
        }
    }
    Ok(())
}
