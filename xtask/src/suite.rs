//! What a change must pass, as a list of steps whose tests are counted.

use std::path::Path;
use std::process::Command;

use serde_json::json;

use crate::clone::{CloneTest, FreshClone};
use crate::step::{announce, cargo, follow, root};
use crate::tools::{self, Browser, WASM_TARGET};
use crate::{bench, features, licences, page, serve};

/// The end-to-end tests, and the server that they share with `serve`, are a workspace of their own.
pub(crate) const END_TO_END: &str = "tests/e2e/Cargo.toml";
/// So is the checker of language.
const PROSE: &str = "xtask/prose/Cargo.toml";

/// How the names of the tests begin that compare the three engines.
const IN_EVERY_ENGINE: &str = "every_engine_";

/// End-to-end tests at the same time: on two cores, browsers wait half of the time.
const AT_ONCE: &str = "3";

/// Tests that passed and failed; a step without tests of its own counts as one.
#[derive(Default)]
struct Tally {
    passed: usize,
    failed: usize,
    failures: Vec<String>,
}

impl Tally {
    /// A step that is one test.
    fn check(&mut self, what: &str, outcome: Result<(), String>) {
        match outcome {
            Ok(()) => self.passed += 1,
            Err(message) => {
                self.failed += 1;
                eprintln!("{message}");
                self.failures.push(what.to_owned());
            }
        }
    }

    /// A step that is one test: it passes if the command succeeds.
    fn command(&mut self, what: &str, command: &mut Command) {
        let outcome = crate::step::run(what, command);
        self.check(what, outcome);
    }

    /// A step that prints `test result:` lines, which are added up.
    fn tests(&mut self, what: &str, command: &mut Command) {
        let (mut passed, mut failed) = (0, 0);
        let outcome = follow(what, command, |line| {
            if let Some((more_passed, more_failed)) = test_result(line) {
                passed += more_passed;
                failed += more_failed;
            }
        });
        self.passed += passed;
        self.failed += failed;
        match outcome {
            Ok(true) if passed > 0 => return,
            // It did not compile, crashed, or ran nothing: that is a failure no test reported.
            _ if failed == 0 => self.failed += 1,
            _ => {}
        }
        self.failures.push(what.to_owned());
        if let Err(message) = outcome {
            eprintln!("{message}");
        }
    }

    /// The closing line; an error if anything failed.
    fn finish(self) -> Result<(), String> {
        for what in &self.failures {
            println!("failed: {what}");
        }
        println!("{} passed, {} failed", self.passed, self.failed);
        if self.failed == 0 {
            Ok(())
        } else {
            Err(String::new())
        }
    }
}

/// The counts in a line such as `test result: ok. 3 passed; 0 failed; 0 ignored`.
fn test_result(line: &str) -> Option<(usize, usize)> {
    let (_, counts) = line.split_once("test result: ")?;
    let count = |name: &str| {
        let before = counts.split(name).next()?;
        before.split_whitespace().next_back()?.parse().ok()
    };
    Some((count(" passed")?, count(" failed")?))
}

/// Format, lints, native tests, and the language.
pub(crate) fn quick() -> Result<(), String> {
    let mut tally = Tally::default();
    native(&mut tally);
    tally.finish()
}

/// Everything.
pub(crate) fn full() -> Result<(), String> {
    let mut tally = Tally::default();
    tally.check("tools that build the page", tools::ensure_page_tools());
    let browser = tools::ensure_browser();
    let clone = browser.as_ref().map_err(String::clone).and_then(CloneTest::start);
    native(&mut tally);
    tally.command(
        "kernels against what a GPU left and counted",
        &mut cargo(&[
            "run",
            "--locked",
            "--quiet",
            "--",
            "corpus",
            "tests/corpus",
            "--arch",
            "tu102",
            "--differences",
        ]),
    );
    tally.command(
        "kernels of the second corpus, on the interpreter",
        &mut cargo(&[
            "run",
            "--locked",
            "--quiet",
            "--",
            "corpus",
            "tests/corpus_more",
            "--arch",
            "tu102,gp104,gf100",
            "--reference",
            "--differences",
        ]),
    );
    random_programs(&mut tally);
    tally.command(
        "lints for wasm32",
        &mut cargo(&[
            "clippy",
            "--locked",
            "--quiet",
            // The packages below the page are the same natively.
            "--no-deps",
            "--target",
            WASM_TARGET,
            "--package",
            "warpscope-page",
            "--package",
            "warpscope-entry",
            "--package",
            "warpscope-worker",
            "--",
            "-D",
            "warnings",
        ]),
    );
    tally.command(
        "documentation",
        cargo(&[
            "doc",
            "--locked",
            "--quiet",
            "--no-deps",
            "--workspace",
            "--exclude",
            "xtask",
            "--lib",
        ])
        .env("RUSTDOCFLAGS", "-D warnings"),
    );
    announce("licences of dependencies");
    let outcome = licences::check("Cargo.toml", &[END_TO_END, PROSE])
        .map(|num| println!("{num} packages, all on the list"));
    tally.check("licences of dependencies", outcome);
    let (clone, is_built) = finish_clone(&mut tally, clone);
    tally.check("sizes and allocations", bench::short_run());
    match browser {
        Ok(browser) => {
            wasm_tests(&mut tally, &browser, clone);
            if is_built {
                tally.command(
                    "format of the end-to-end tests",
                    &mut cargo(&["fmt", "--all", "--manifest-path", END_TO_END, "--check"]),
                );
                tally.command(
                    "lints of the end-to-end tests",
                    &mut end_to_end(
                        &browser,
                        &[
                            "clippy",
                            "--quiet",
                            "--workspace",
                            "--all-targets",
                            "--",
                            "-D",
                            "warnings",
                        ],
                    ),
                );
                match tools::ensure_axe() {
                    Ok(axe) => tally.tests("end-to-end tests in Chromium", &mut in_chromium(&browser, &axe)),
                    Err(message) => tally.check("axe-core for the tests", Err(message)),
                }
                match tools::ensure_engines() {
                    Ok(_) => tally.tests(
                        "end-to-end tests in Chromium, Firefox, and WebKitGTK",
                        end_to_end(
                            &browser,
                            &["test", "--quiet", "--test", "end_to_end", "--no-fail-fast"],
                        )
                        .args(["--", IN_EVERY_ENGINE])
                        .env("WARPSCOPE", page::target().join("debug/warpscope")),
                    ),
                    Err(message) => tally.check("the engines for the tests", Err(message)),
                }
            }
        }
        Err(message) => tally.check("a browser for the tests", Err(message)),
    }
    tally.finish()
}

fn native(tally: &mut Tally) {
    tally.command("format", &mut cargo(&["fmt", "--all", "--check"]));
    tally.command(
        "lints, native",
        &mut cargo(&[
            "clippy",
            "--locked",
            "--quiet",
            "--workspace",
            "--all-targets",
            "--",
            "-D",
            "warnings",
        ]),
    );
    announce("features of dependencies");
    tally.check("features of dependencies", features::check());
    tally.check("a C++ compiler for the tests", tools::ensure_cxx());
    tally.tests(
        "native tests",
        &mut cargo(&["test", "--locked", "--quiet", "--workspace", "--no-fail-fast"]),
    );
    tally.command(
        "lessons, by their runs",
        &mut cargo(&[
            "run",
            "--locked",
            "--quiet",
            "--",
            "lesson",
            "check",
            "www/lessons",
        ]),
    );
    tally.command(
        "lectures, by their runs",
        &mut cargo(&[
            "run",
            "--locked",
            "--quiet",
            "--",
            "lecture",
            "check",
            "www/lectures",
        ]),
    );
    language(tally);
}

/// Spelling, grammar, and choice of words of all that Warpscope says, and the checker of these.
fn language(tally: &mut Tally) {
    tally.command(
        "format of the checker of language",
        &mut cargo(&["fmt", "--manifest-path", PROSE, "--check"]),
    );
    tally.tests(
        "tests of the checker of language",
        &mut prose(&["test", "--quiet"]),
    );
    tally.command(
        "language of docs and page",
        &mut prose(&["run", "--quiet", "--", "--areas"]),
    );
}

/// Only the language.
pub(crate) fn prose_only() -> Result<(), String> {
    let mut tally = Tally::default();
    language(&mut tally);
    tally.finish()
}

/// A cargo command on the checker of language.
fn prose(args: &[&str]) -> Command {
    let (verb, rest) = args.split_first().unwrap_or((&"run", &[]));
    let mut command = cargo(&[verb, "--locked", "--manifest-path", PROSE]);
    command.args(rest).env("CARGO_TARGET_DIR", page::target());
    command
}

/// Random programs that the interpreter runs, and fewer that g++ runs.
fn random_programs(tally: &mut Tally) {
    let fuzz = |args: &[&str]| {
        // Optimized more, they would run faster, but take longer to build than to run.
        let mut command = cargo(&["run", "--locked", "--quiet", "--package", "warpscope-fuzz"]);
        command.args(["--bin", "fuzz", "--", "--seed", "1"]);
        command.args(args);
        command
    };
    tally.command(
        "random programs against the interpreter",
        &mut fuzz(&["--programs", "1500", "--oracle", "interpreter"]),
    );
    match tools::ensure_cxx() {
        Ok(()) => tally.command(
            "random programs against g++",
            &mut fuzz(&["--programs", "200", "--oracle", "cxx"]),
        ),
        Err(message) => announce(&format!("random programs against g++ are left out: {message}")),
    }
}

/// Only the random programs.
pub(crate) fn fuzz() -> Result<(), String> {
    let mut tally = Tally::default();
    random_programs(&mut tally);
    tally.finish()
}

/// Waits for the test of a clone. Returns the clone, and whether the page is built.
fn finish_clone(tally: &mut Tally, clone: Result<CloneTest, String>) -> (Option<FreshClone>, bool) {
    let (clone, outcome) = clone.map_or_else(|error| (None, Err(error)), CloneTest::finish);
    let is_built = outcome.is_ok();
    tally.check("a fresh clone serves the page, and the page is built", outcome);
    (clone, is_built)
}

/// Only what concerns a clone: the page that it serves, the page that is built, and the wasm tests.
pub(crate) fn clone() -> Result<(), String> {
    let mut tally = Tally::default();
    tools::ensure_page_tools()?;
    let browser = tools::ensure_browser()?;
    let (clone, _) = finish_clone(&mut tally, CloneTest::start(&browser));
    wasm_tests(&mut tally, &browser, clone);
    tally.finish()
}

/// `wasm-bindgen-test` in headless Chromium: in a clone, where `serve` has compiled nearly all that they need, or here.
fn wasm_tests(tally: &mut Tally, browser: &Browser, clone: Option<FreshClone>) {
    let (folder, target) = clone.as_ref().map_or_else(
        || (root(), page::target()),
        |clone| (clone.folder().to_owned(), clone.folder().join("target")),
    );
    // The runner reads this file from the folder it runs in.
    let capabilities = json!({
        "goog:chromeOptions": { "binary": browser.chrome, "args": Browser::ARGS }
    });
    if let Err(error) = std::fs::write(folder.join("webdriver.json"), capabilities.to_string()) {
        return tally.check("wasm tests", Err(format!("webdriver.json: {error}")));
    }
    // A list, because Cargo splits a text at spaces, which a folder's name can have.
    let runner = format!(
        "target.{WASM_TARGET}.runner = [{}]",
        json!(tools::wasm_test_runner())
    );
    tally.tests(
        "wasm tests in Chromium",
        cargo(&["test", "--locked", "--profile", serve::PROFILE])
            .args(["--target", WASM_TARGET, "--test", "browser", "--config", &runner])
            .current_dir(&folder)
            // The folder's own packages, not those that run this.
            .env_remove("CARGO_MANIFEST_DIR")
            .env("CARGO_TARGET_DIR", target)
            .env("CARGO_ENCODED_RUSTFLAGS", tools::page_flags(&folder))
            .env("CHROMEDRIVER", &browser.driver)
            .env("WASM_BINDGEN_TEST_TIMEOUT", "120"),
    );
}

/// All end-to-end tests but those that compare the engines.
pub(crate) fn in_chromium(browser: &Browser, axe: &Path) -> Command {
    let mut tests = end_to_end(browser, &["test", "--quiet", "--workspace", "--no-fail-fast"]);
    tests
        .args(["--", "--skip", IN_EVERY_ENGINE, "--test-threads", AT_ONCE])
        .env("WARPSCOPE_AXE", axe)
        .env("WARPSCOPE_ENGINES", "chromium")
        .env("WARPSCOPE", page::target().join("debug/warpscope"));
    tests
}

/// A cargo command on the end-to-end tests, which drive the page in `dist/`.
pub(crate) fn end_to_end(browser: &Browser, args: &[&str]) -> Command {
    let (verb, rest) = args.split_first().unwrap_or((&"test", &[]));
    let mut command = cargo(&[verb, "--locked", "--manifest-path", END_TO_END]);
    // One folder for all that is built, so that nothing is built twice.
    command
        .args(rest)
        .env("CARGO_TARGET_DIR", page::target())
        .envs(browser.variables())
        .env("WARPSCOPE_DIST", page::dist());
    // Tests and soaks of further engines need them; whoever runs these calls `ensure_engines` before.
    if let Some(engines) = tools::find_engines() {
        command.envs(engines.variables());
    }
    command
}

#[cfg(test)]
mod tests {
    use super::test_result;

    #[test]
    fn counts_are_read_from_the_result_line() {
        let line = "test result: FAILED. 12 passed; 3 failed; 0 ignored; 0 measured; 4 filtered out";
        assert_eq!(test_result(line), Some((12, 3)));
        assert_eq!(test_result("running 3 tests"), None);
    }
}
