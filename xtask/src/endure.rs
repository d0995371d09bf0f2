//! `cargo xtask endure`: what takes hours. `cargo xtask test` has a short version of each part.

use std::process::Command;

use crate::gallery::{build_command_line, lesson_walk, needs_page};
use crate::page;
use crate::step::{announce, cargo, root, run};
use crate::suite::{end_to_end, in_chromium};
use crate::tools::{ensure_axe, ensure_browser, ensure_engines};

/// The engines of the end-to-end tests.
const ENGINES: [&str; 3] = ["chromium", "firefox", "webkit"];
/// The targets of `fuzz/`: everything that a stranger can hand to the page.
const TARGETS: [&str; 4] = ["link", "lesson", "zip", "api"];

/// How long each part lasts.
#[derive(Clone, Copy)]
pub(crate) struct Length {
    /// Random actions in each engine.
    pub(crate) num_actions: u32,
    /// Minutes of play in each engine.
    pub(crate) play_minutes: u32,
    /// Minutes for each fuzz target.
    pub(crate) fuzz_minutes: u32,
    /// Whether the parts without a length run, too: every row of the measured tables, every lesson in every way, and every
    /// state of the page at every size.
    pub(crate) is_whole: bool,
}

impl Length {
    /// A release is tried this long.
    pub(crate) const FULL: Self = Self {
        num_actions: 20_000,
        play_minutes: 60,
        fuzz_minutes: 30,
        is_whole: true,
    };
    /// To try the command itself.
    pub(crate) const SHORT: Self = Self {
        num_actions: 300,
        play_minutes: 1,
        fuzz_minutes: 1,
        is_whole: false,
    };
}

/// Runs all parts to their end, and names those that failed.
///
/// # Errors
/// There is no built page, a browser is missing, or a part failed.
pub(crate) fn endure(length: Length) -> Result<(), String> {
    needs_page()?;
    let browser = ensure_browser()?;
    ensure_engines()?;
    build_command_line()?;
    let mut failures = Vec::new();
    let mut part = |what: String, command: &mut Command| {
        if let Err(message) = run(&what, command) {
            announce(&message);
            failures.push(what);
        }
    };
    let mut jobs = end_to_end(&browser, &["test", "--quiet", "--no-fail-fast"]);
    jobs.args([
        "--test",
        "end_to_end",
        "--",
        "harness::",
        "engines::",
        "offline::",
        "soak::",
    ])
    .env("WARPSCOPE", page::target().join("debug/warpscope"));
    part("jobs of a person in three engines".to_owned(), &mut jobs);
    if length.is_whole {
        part("every lesson in every way".to_owned(), &mut lesson_walk(&browser));
        let mut states = in_chromium(&browser, &ensure_axe()?);
        states.env("WARPSCOPE_ALL_ROWS", "1");
        part(
            "end-to-end tests, with every state at every size".to_owned(),
            &mut states,
        );
        let mut rows = cargo(&[
            "test",
            "--locked",
            "--quiet",
            "--profile",
            "fuzz",
            "--workspace",
            "--no-fail-fast",
        ]);
        rows.env("WARPSCOPE_ALL_ROWS", "1");
        part(
            "native tests, with every row of the measured tables".to_owned(),
            &mut rows,
        );
    }
    for engine in ENGINES {
        let mut soak = end_to_end(&browser, &["run", "--quiet", "--bin", "soak", "--"]);
        soak.args(["--engine", engine])
            .args(["--actions", &length.num_actions.to_string()])
            .args(["--play-minutes", &length.play_minutes.to_string()]);
        part(format!("random actions and play in {engine}"), &mut soak);
    }
    for target in TARGETS {
        let mut target_run = fuzz(target);
        target_run
            .args(["--", &format!("corpus/{target}")])
            .arg(format!("-max_total_time={}", 60 * length.fuzz_minutes));
        part(format!("hostile inputs: {target}"), &mut target_run);
    }
    if failures.is_empty() {
        return Ok(());
    }
    Err(format!("failed: {}", failures.join(", ")))
}

/// A program of `fuzz/`, which has compiler flags of its own, so it runs in its folder.
fn fuzz(program: &str) -> Command {
    let mut command = cargo(&["run", "--locked", "--release", "--quiet", "--bin", program]);
    command
        .current_dir(root().join("fuzz"))
        .env("CARGO_TARGET_DIR", page::target().join("fuzz"));
    command
}
