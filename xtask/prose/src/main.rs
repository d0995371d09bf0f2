//! Checks the language of what Warpscope says: string literals, comments, and Markdown.
//!
//! It prints a line for each finding, `file:line:column: rule: message`, and fails if there is one that is no warning.
//! With `--areas`, it ends with the number of findings by area and rule. With `--texts`, it prints what it would check.
#![allow(
    clippy::print_stdout,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "a program that reads files and reports has an output and threads"
)]

mod comments;
mod exceptions;
mod finding;
mod grammar;
mod lessons;
mod markdown;
mod memo;
mod piece;
mod rules;
mod rust;
mod spelling;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;

use exceptions::Exception;
use finding::Finding;
use grammar::{Grammar, Mistake};
use memo::Memo;
use piece::{Kind, Lines, Piece, Place};
use spelling::Spelling;

/// Where exceptions are.
const EXCEPTIONS: &str = include_str!("../exceptions.txt");
/// Folders with Rust sources.
const FOLDERS: [&str; 3] = ["src", "xtask", "tests"];
/// Folders whose string literals a user reads. Those of the engine name its numbers' sources and its stall reasons.
const READ_BY_USERS: [&str; 5] = [
    "src/cli/",
    "src/cuda/",
    "src/engine/",
    "src/page/",
    "src/workbench/",
];
/// Folders whose files are code of others, or generated.
const LEFT_OUT: [&str; 1] = ["src/cuda/headers/"];
/// Folders and endings of other files whose comments are read.
const COMMENTED: [(&str, &str); 3] = [("src/workbench/library", "cu"), ("www", "js"), ("www", "ts")];
/// Documents that a program writes from data; their sentences are string literals of that program.
const GENERATED: [&str; 4] = [
    "docs/code-quality.md",
    "docs/coverage.md",
    "docs/performance.md",
    "docs/validation.md",
];

fn main() -> ExitCode {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let with_areas = std::env::args().any(|arg| arg == "--areas");
    if std::env::args().any(|arg| arg == "--texts") {
        return print_texts(&root);
    }
    match check(&root) {
        Ok(findings) => {
            for (path, finding) in &findings {
                print(path, finding);
            }
            if with_areas {
                print_areas(&findings);
            }
            let num_errors = findings.iter().filter(|(_, finding)| !finding.is_warning).count();
            println!("{num_errors} findings, {} warnings", findings.len() - num_errors);
            if num_errors == 0 {
                ExitCode::SUCCESS
            } else {
                ExitCode::FAILURE
            }
        }
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

/// Prints every text with its place.
fn print_texts(root: &Path) -> ExitCode {
    let texts = files(root).and_then(|paths| {
        let mut texts = Vec::new();
        for path in paths.into_iter().rev() {
            let text = fs::read_to_string(root.join(&path)).map_err(|error| format!("{path}: {error}"))?;
            for piece in pieces(&path, &text)? {
                let Place { line, column } = piece.place(0);
                texts.push(format!("{path}:{line}:{column}: {}", piece.slice(0, usize::MAX)));
            }
        }
        Ok(texts)
    });
    match texts {
        Ok(texts) => {
            println!("{}", texts.join("\n"));
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

/// Checks all files of the project. Returns findings with their paths, in order.
fn check(root: &Path) -> Result<Vec<(String, Finding)>, String> {
    let mut exceptions =
        exceptions::read(EXCEPTIONS).map_err(|error| format!("xtask/prose/exceptions.txt: {error}"))?;
    let files = Mutex::new(files(root)?);
    let spelling = Spelling::new();
    let num_threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let memo = Memo::open();
    let checked = Mutex::new(BTreeMap::new());
    let work = || {
        // Made when it is needed first, as it takes a second.
        let mut grammar: Option<Grammar> = None;
        let mut all = Vec::new();
        loop {
            let next = files.lock().ok().and_then(|mut files| files.pop());
            let Some(path) = next else {
                return Ok(all);
            };
            let text = fs::read_to_string(root.join(&path)).map_err(|error| format!("{path}: {error}"))?;
            let pieces = pieces(&path, &text)?;
            let mut findings = Vec::new();
            for piece in &pieces {
                spelling.check(piece, &mut findings);
                let mistakes = match memo.get(&piece.text) {
                    Some(known) => known.clone(),
                    None => grammar.get_or_insert_with(Grammar::new).check(&piece.text),
                };
                let found = |mistake: &Mistake| {
                    Finding::new(&mistake.rule, piece, mistake.start, mistake.message.clone())
                };
                findings.extend(mistakes.iter().map(found));
                if let Ok(mut checked) = checked.lock() {
                    checked.insert(memo::hash(&piece.text), mistakes);
                }
                rules::check(piece, &mut findings);
            }
            all.extend(findings.into_iter().map(|finding| (path.clone(), finding)));
        }
    };
    let results: Vec<Result<Vec<(String, Finding)>, String>> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..num_threads).map(|_| scope.spawn(work)).collect();
        let joined = threads.into_iter().map(std::thread::ScopedJoinHandle::join);
        joined
            .map(|result| result.unwrap_or_else(|_| Err("a thread of the checker panicked".to_owned())))
            .collect()
    });
    let mut findings = Vec::new();
    for result in results {
        findings.extend(result?);
    }
    if let Ok(checked) = checked.lock() {
        memo.keep(&checked);
    }
    findings.retain(|(path, finding)| !is_excepted(&mut exceptions, path, finding));
    findings.sort_by(|(a, x), (b, y)| (a, x.place, &x.rule).cmp(&(b, y.place, &y.rule)));
    match exceptions.iter().find(|exception| !exception.is_used) {
        Some(exception) => Err(exception.unused()),
        None => Ok(findings),
    }
}

fn is_excepted(exceptions: &mut [Exception], path: &str, finding: &Finding) -> bool {
    match exceptions
        .iter_mut()
        .find(|exception| exception.covers(path, finding))
    {
        Some(exception) => {
            exception.is_used = true;
            true
        }
        None => false,
    }
}

fn pieces(path: &str, text: &str) -> Result<Vec<Piece>, String> {
    match Path::new(path)
        .extension()
        .and_then(|extension| extension.to_str())
    {
        Some("md") => {
            let lines = Lines::new(text);
            return Ok(markdown::pieces(text, Kind::Document, |at| lines.place(at)));
        }
        Some("toml") => return Ok(lessons::pieces(text)),
        Some("rs") => {}
        _ => return Ok(comments::pieces(text)),
    }
    let is_test = path.starts_with("tests/")
        || path.ends_with("tests.rs")
        || path.contains("/tests/")
        || path.starts_with("src/fuzz/");
    let literals = !is_test && READ_BY_USERS.iter().any(|folder| path.starts_with(folder));
    let wanted = rust::Wanted {
        literals,
        comments: true,
    };
    rust::pieces(text, wanted).map_err(|error| format!("{path}: {error}"))
}

/// The files to check, from the root of the project; the last one first.
fn files(root: &Path) -> Result<Vec<String>, String> {
    let mut found = Vec::new();
    for folder in FOLDERS {
        collect(&root.join(folder), "rs", &mut found)?;
    }
    for (folder, extension) in COMMENTED {
        collect(&root.join(folder), extension, &mut found)?;
    }
    collect(&root.join("docs"), "md", &mut found)?;
    collect(&root.join("www/lessons"), "toml", &mut found)?;
    collect(&root.join("www/lectures"), "toml", &mut found)?;
    found.push(root.join("www/tour.toml"));
    let entries = fs::read_dir(root).map_err(|error| format!("{}: {error}", root.display()))?;
    let is_document = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "md");
    found.extend(entries.flatten().map(|entry| entry.path()).filter(is_document));
    let relative = |path: PathBuf| {
        let path = path
            .strip_prefix(root)
            .unwrap_or(&path)
            .to_string_lossy()
            .replace('\\', "/");
        let is_left_out =
            GENERATED.contains(&path.as_str()) || LEFT_OUT.iter().any(|folder| path.starts_with(folder));
        (!is_left_out).then_some(path)
    };
    let mut paths: Vec<String> = found.into_iter().filter_map(relative).collect();
    paths.sort();
    paths.reverse();
    Ok(paths)
}

fn collect(folder: &Path, extension: &str, found: &mut Vec<PathBuf>) -> Result<(), String> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            if path.file_name().is_none_or(|name| name != "target") {
                collect(&path, extension, found)?;
            }
        } else if path.extension().is_some_and(|found| found == extension) {
            found.push(path);
        }
    }
    Ok(())
}

fn print(path: &str, finding: &Finding) {
    let warning = if finding.is_warning { "warning: " } else { "" };
    println!(
        "{path}:{}:{}: {warning}{}: {}",
        finding.place.line, finding.place.column, finding.rule, finding.message
    );
}

/// Prints how many findings each area has by rule.
fn print_areas(findings: &[(String, Finding)]) {
    let mut areas: BTreeMap<(String, &str), BTreeMap<&str, usize>> = BTreeMap::new();
    for (path, finding) in findings {
        let parts: Vec<&str> = path.split('/').collect();
        let area = match parts[..] {
            ["src", package, ..] => format!("src/{package}"),
            [folder, _, ..] => folder.to_owned(),
            _ => "root".to_owned(),
        };
        let kind = match finding.kind {
            Kind::Interface => "strings",
            Kind::Comment => "comments",
            Kind::Document => "documents",
        };
        *areas
            .entry((area, kind))
            .or_default()
            .entry(&finding.rule)
            .or_default() += 1;
    }
    println!();
    for ((area, kind), rules) in areas {
        let total: usize = rules.values().sum();
        let mut rules: Vec<(&str, usize)> = rules.into_iter().collect();
        rules.sort_by_key(|(_, num)| std::cmp::Reverse(*num));
        let rules: Vec<String> = rules.iter().map(|(rule, num)| format!("{rule} {num}")).collect();
        println!("{area:<14} {kind:<10} {total:>5}  {}", rules.join(", "));
    }
}
