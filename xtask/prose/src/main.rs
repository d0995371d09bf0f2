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

mod exceptions;
mod finding;
mod grammar;
mod memo;
mod rules;
mod spelling;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Mutex;

use exceptions::Exception;
use finding::Finding;
use grammar::{Grammar, Mistake};
use memo::Memo;
use spelling::Spelling;
use texts::piece::{Code, Kind, Piece, Place};
use texts::tree::{files, pieces as pieces_of};

/// Where exceptions are.
const EXCEPTIONS: &str = include_str!("../exceptions.txt");
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

/// All texts of a file, with nouns for code.
fn pieces(path: &str, text: &str) -> Result<Vec<Piece>, String> {
    pieces_of(path, text, true, Code::Noun)
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
