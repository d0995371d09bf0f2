//! Tests of the front end.

use std::path::{Path, PathBuf};

use super::diagnostic::Severity;
use super::{Parsed, parse};
use crate::arch::ArchId;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Files with an ending in a folder, by name.
fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut out: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == ending))
        .collect();
    out.sort();
    out
}

fn rendered(parsed: &Parsed, name: &str, text: &str) -> String {
    parsed.diagnostics.iter().map(|d| d.render(name, text)).collect()
}

#[test]
fn the_library_has_no_diagnostics() {
    let source = super::source::Source::new(super::prelude::SOURCE);
    let (toks, mut diagnostics) = super::preprocess::preprocess_prelude(&source);
    let (items, from_parser) = super::parse::parse(toks);
    diagnostics.extend(from_parser);
    diagnostics.extend(super::check::check_library(&items).diagnostics);
    let text: String = diagnostics
        .iter()
        .map(|d| d.render("library", super::prelude::SOURCE))
        .collect();
    assert_eq!(text, "");
}

#[test]
fn corpus_dump() {
    for path in files(&root().join("tests/corpus"), "cu") {
        let text = std::fs::read_to_string(&path).unwrap();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let parsed = parse(&text, ArchId::Tu102);
        let bad: Vec<_> = parsed
            .kernels
            .iter()
            .filter(|k| !k.compiles)
            .map(|k| k.name.clone())
            .collect();
        if !parsed.diagnostics.is_empty() || !bad.is_empty() {
            println!(
                "== {name} unit {} bad {bad:?}\n{}",
                parsed.unit.is_some(),
                rendered(&parsed, &name, &text)
            );
        }
        let _ = Severity::Error;
    }
}
