//! Where lessons, tests, and documents name claims.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::{LessonRef, TestRef};
use crate::{CliError, lesson};

/// Whether a text is the ID of a claim: the letter of a guide and two digits.
pub(super) fn is_id(text: &str) -> bool {
    let digits = text.strip_prefix(['T', 'V', 'F']);
    digits.is_some_and(|digits| digits.len() == 2 && digits.bytes().all(|byte| byte.is_ascii_digit()))
}

pub(super) fn read(path: &Path) -> Result<String, CliError> {
    std::fs::read_to_string(path).map_err(|source| CliError::Read {
        path: path.to_owned(),
        source,
    })
}

/// Returns the lessons of each claim, in the order of the courses.
pub(super) fn lessons(folder: &Path) -> Result<BTreeMap<String, Vec<LessonRef>>, CliError> {
    let mut found: BTreeMap<String, Vec<LessonRef>> = BTreeMap::new();
    for course in lesson::index(folder)? {
        for entry in course.lessons {
            for claim in entry.claims {
                found.entry(claim).or_default().push(LessonRef {
                    id: format!("{}/{}", course.id, entry.id),
                    title: entry.title.clone(),
                });
            }
        }
    }
    Ok(found)
}

/// Returns the tests of each claim, by the names of functions in `tests` and `src`.
pub(super) fn tests(root: &Path) -> Result<BTreeMap<String, Vec<TestRef>>, CliError> {
    let mut found: BTreeMap<String, Vec<TestRef>> = BTreeMap::new();
    for folder in ["tests", "src"] {
        for path in rust_files(&root.join(folder))? {
            let relative = path.strip_prefix(root).unwrap_or(&path);
            let file = relative.to_string_lossy().replace('\\', "/");
            for (name, claims) in named_tests(&read(&path)?) {
                for claim in claims {
                    found.entry(claim).or_default().push(TestRef {
                        file: file.clone(),
                        name: name.clone(),
                    });
                }
            }
        }
    }
    Ok(found)
}

/// Returns the tests of a Rust file whose names start with claims, and these claims.
pub(super) fn named_tests(text: &str) -> Vec<(String, Vec<String>)> {
    let mut found = Vec::new();
    let mut is_test = false;
    for line in text.lines().map(str::trim_start) {
        if line.starts_with("#[test]") {
            is_test = true;
        } else if let Some(rest) = line.strip_prefix("fn ") {
            let name = rest.split('(').next().unwrap_or_default();
            if let Some(ids) = name.strip_prefix("claim_").filter(|_| is_test) {
                let ids = ids.split('_').map(str::to_uppercase);
                found.push((name.to_owned(), ids.take_while(|id| is_id(id)).collect()));
            }
            is_test = false;
        }
    }
    found
}

/// Returns the claims that a document names.
pub(super) fn statements(text: &str) -> BTreeSet<String> {
    let words = text.split(|letter: char| !letter.is_ascii_alphanumeric());
    words.filter(|word| is_id(word)).map(str::to_owned).collect()
}

/// Returns the Rust files below a folder, sorted.
fn rust_files(folder: &Path) -> Result<Vec<PathBuf>, CliError> {
    let fail = |source| CliError::Read {
        path: folder.to_owned(),
        source,
    };
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(fail)? {
        let path = entry.map_err(fail)?.path();
        if path.is_dir() {
            // The end-to-end tests are a workspace with a folder for builds.
            if path.file_name().is_some_and(|name| name != "target") {
                files.extend(rust_files(&path)?);
            }
        } else if path.extension().is_some_and(|end| end == "rs") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}
