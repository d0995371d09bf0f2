//! Files of the page that the command line writes: the page of validation, the list of lessons, and the glossary.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::step::{announce, cargo, output, root, run};

/// The page of validation.
const PAGE: &str = "target/validation.html";
/// What the page is made of. Its numbers are recorded; `warpscope validate --write .` records them again.
const SOURCES: [&str; 9] = [
    "src/cli/validate.rs",
    "src/cli/validation.rs",
    "src/cli/validation",
    "src/engine/arch",
    "tests/validation",
    "tests/corpus/measured.csv",
    "tests/corpus/stalls.csv",
    "tests/microbenchmarks/h200.csv",
    "www/tokens.css",
];

/// The list of lessons, and what it is made of.
const LESSONS: &str = "target/lessons.json";
const LESSON_SOURCES: [&str; 3] = ["src/workbench/lesson.rs", "src/cli/lesson.rs", "www/lessons"];
/// The glossary, and what it is made of.
const GLOSSARY: &str = "target/glossary.json";
const GLOSSARY_SOURCES: [&str; 3] = [
    "src/workbench/glossary.rs",
    "src/workbench/glossary",
    "src/cli/glossary.rs",
];

/// The files, by their paths in the workspace.
pub(crate) const FILES: [&str; 3] = [LESSONS, GLOSSARY, PAGE];

/// Puts the files that the page loads on request into its folder. Makes those that are missing or older than their
/// sources.
pub(crate) fn put_in(folder: &Path) -> Result<(), String> {
    write_printed(LESSONS, &LESSON_SOURCES, &["lesson", "index", "www/lessons"])?;
    write_printed(GLOSSARY, &GLOSSARY_SOURCES, &["glossary", "--json"])?;
    write_page()?;
    for path in FILES {
        let name = Path::new(path).file_name().unwrap_or_default();
        fs::copy(root().join(path), folder.join(name)).map_err(|error| format!("{path}: {error}"))?;
    }
    Ok(())
}

/// Whether a file is missing or older than one of its sources.
fn is_old(file: &Path, sources: &[&str]) -> bool {
    let newest = sources.iter().filter_map(|path| newest(&root().join(path))).max();
    modified(file).is_none_or(|written| newest.is_some_and(|newest| newest > written))
}

/// Writes a file that the command line prints.
fn write_printed(file: &str, sources: &[&str], args: &[&str]) -> Result<(), String> {
    let path = root().join(file);
    if !is_old(&path, sources) {
        return Ok(());
    }
    let command = args.join(" ");
    announce(&format!("writing {file} (warpscope {command})"));
    let all = [&["run", "--locked", "--quiet", "--"], args].concat();
    let text = output(&mut cargo(&all)).ok_or_else(|| format!("`cargo run -- {command}` fails"))?;
    fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))
}

/// Writes `target/validation.html`, which the page links to.
fn write_page() -> Result<(), String> {
    let page = root().join(PAGE);
    if !is_old(&page, &SOURCES) {
        return Ok(());
    }
    let folder = page.parent().unwrap_or(&page);
    fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    run(
        "writing the page of validation",
        &mut cargo(&[
            "run",
            "--locked",
            "--quiet",
            "--",
            "validate",
            "--recorded",
            "--html",
            PAGE,
        ]),
    )
}

fn modified(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).and_then(|metadata| metadata.modified()).ok()
}

/// When a file, or the newest file of a folder, was written.
pub(crate) fn newest(path: &Path) -> Option<SystemTime> {
    if !path.is_dir() {
        return modified(path);
    }
    let paths = fs::read_dir(path).ok()?.flatten().map(|entry| entry.path());
    paths.filter_map(|path: PathBuf| newest(&path)).max()
}
