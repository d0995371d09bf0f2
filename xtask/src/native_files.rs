//! Files of the page that native programs make: the first view, the lists of lessons and terms, and the page of validation.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::step::{announce, cargo, output, root, run};

/// A file under `target/`.
struct NativeFile {
    path: &'static str,
    /// What it is made of.
    sources: &'static [&'static str],
    /// The arguments of Cargo that run its program.
    args: &'static [&'static str],
    /// Whether the program prints the file, or writes it at `path`.
    is_printed: bool,
}

/// The first view, which becomes a part of `index.html`.
const FIRST_VIEW: NativeFile = NativeFile {
    path: "target/first-view.html",
    sources: &["src", "www/tokens.css"],
    args: &["--package", "warpscope-prerender"],
    is_printed: true,
};

/// Files that the page loads on request.
const ON_REQUEST: [NativeFile; 4] = [
    NativeFile {
        path: "target/lessons.json",
        sources: &["src/workbench/lesson.rs", "src/cli/lesson.rs", "www/lessons"],
        args: &["--", "lesson", "index", "www/lessons"],
        is_printed: true,
    },
    NativeFile {
        path: "target/claims.json",
        sources: &[
            "src/cli/coverage.rs",
            "src/cli/coverage",
            "src/workbench/glossary",
            "www/lessons",
            "tests/claims",
            "docs/guides.md",
        ],
        args: &["--", "coverage", "--json"],
        is_printed: true,
    },
    NativeFile {
        path: "target/glossary.json",
        sources: &[
            "src/workbench/glossary.rs",
            "src/workbench/glossary",
            "src/cli/glossary.rs",
        ],
        args: &["--", "glossary", "--json"],
        is_printed: true,
    },
    // Its numbers are recorded; `warpscope validate --write .` records them again.
    NativeFile {
        path: "target/validation.html",
        sources: &[
            "src/cli/validate.rs",
            "src/cli/validation.rs",
            "src/cli/validation",
            "src/engine/arch",
            "tests/validation",
            "tests/corpus/measured.csv",
            "tests/corpus/stalls.csv",
            "tests/microbenchmarks/h200.csv",
            "www/tokens.css",
        ],
        args: &["--", "validate", "--recorded", "--html", "target/validation.html"],
        is_printed: false,
    },
];

/// Makes the files that are missing or older than their sources. Returns whether there was one.
///
/// # Errors
/// If a program fails, or a file cannot be written.
pub(crate) fn make() -> Result<bool, String> {
    let mut is_new = false;
    for file in ON_REQUEST
        .iter()
        .chain([&FIRST_VIEW])
        .filter(|file| file.is_old())
    {
        file.make()?;
        is_new = true;
    }
    Ok(is_new)
}

/// Puts the files that exist into the page's folder, but for the first view.
///
/// # Errors
/// If a file cannot be copied.
pub(crate) fn put_in(folder: &Path) -> Result<(), String> {
    for file in ON_REQUEST.iter().filter(|file| file.full_path().is_file()) {
        let name = Path::new(file.path).file_name().unwrap_or_default();
        fs::copy(file.full_path(), folder.join(name)).map_err(|error| format!("{}: {error}", file.path))?;
    }
    Ok(())
}

/// The markup of the first view, if it exists.
pub(crate) fn first_view() -> Option<String> {
    fs::read_to_string(FIRST_VIEW.full_path()).ok()
}

impl NativeFile {
    fn full_path(&self) -> PathBuf {
        root().join(self.path)
    }

    /// Whether it is missing or older than one of its sources.
    fn is_old(&self) -> bool {
        let newest = self
            .sources
            .iter()
            .filter_map(|path| newest(&root().join(path)))
            .max();
        modified(&self.full_path()).is_none_or(|written| newest.is_some_and(|newest| newest > written))
    }

    fn make(&self) -> Result<(), String> {
        let mut program = cargo(&["run", "--locked", "--quiet"]);
        program.args(self.args);
        if !self.is_printed {
            return run(&format!("making {}", self.path), &mut program);
        }
        announce(&format!("making {}", self.path));
        let text =
            output(&mut program).ok_or_else(|| format!("`cargo run {}` fails", self.args.join(" ")))?;
        fs::write(self.full_path(), text).map_err(|error| format!("{}: {error}", self.path))
    }
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
