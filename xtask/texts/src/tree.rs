//! The files of the source tree that hold texts.

use std::fs;
use std::path::{Path, PathBuf};

use crate::piece::{Code, Kind, Lines, Piece};
use crate::{comments, lessons, markdown, rust};

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
/// Documents that a program writes from measured data; their sentences are string literals of that program.
const GENERATED: [&str; 3] = [
    "docs/code-quality.md",
    "docs/performance.md",
    "docs/validation.md",
];

/// The texts of a file by its path from the root of the tree. Comments are left out unless
/// `with_comments` is set.
///
/// # Errors
/// A file that is not Rust.
pub fn pieces(path: &str, text: &str, with_comments: bool, code: Code) -> Result<Vec<Piece>, String> {
    match Path::new(path)
        .extension()
        .and_then(|extension| extension.to_str())
    {
        Some("md") => {
            let lines = Lines::new(text);
            return Ok(markdown::pieces_with(text, Kind::Document, code, |at| {
                lines.place(at)
            }));
        }
        Some("toml") => return Ok(lessons::pieces(text, code)),
        Some("rs") => {}
        _ if with_comments => return Ok(comments::pieces(text)),
        _ => return Ok(Vec::new()),
    }
    let is_test = path.starts_with("tests/")
        || path.ends_with("tests.rs")
        || path.contains("/tests/")
        || path.starts_with("src/fuzz/");
    let wanted = rust::Wanted {
        literals: !is_test && READ_BY_USERS.iter().any(|folder| path.starts_with(folder)),
        comments: with_comments,
        code,
    };
    if !wanted.literals && !wanted.comments {
        return Ok(Vec::new());
    }
    rust::pieces(text, wanted).map_err(|error| format!("{path}: {error}"))
}

/// The files with texts, from the root of the project; the last one first.
///
/// # Errors
/// A folder that cannot be read.
pub fn files(root: &Path) -> Result<Vec<String>, String> {
    let mut found = Vec::new();
    for folder in FOLDERS {
        collect(&root.join(folder), "rs", &mut found)?;
    }
    for (folder, extension) in COMMENTED {
        collect(&root.join(folder), extension, &mut found)?;
    }
    collect(&root.join("docs"), "md", &mut found)?;
    collect(&root.join("www/lessons"), "toml", &mut found)?;
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
