//! The page of validation, which the command line writes from recorded measurements.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::step::{cargo, root, run};

/// Where Trunk finds it: `index.html` names this path.
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

/// Writes `target/validation.html`, which the page links to, where it is missing or older than its sources.
pub(crate) fn write_page() -> Result<(), String> {
    let page = root().join(PAGE);
    let newest = SOURCES.iter().filter_map(|path| newest(&root().join(path))).max();
    if modified(&page).is_some_and(|written| newest.is_none_or(|newest| newest <= written)) {
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
fn newest(path: &Path) -> Option<SystemTime> {
    if !path.is_dir() {
        return modified(path);
    }
    let paths = fs::read_dir(path).ok()?.flatten().map(|entry| entry.path());
    paths.filter_map(|path: PathBuf| newest(&path)).max()
}
