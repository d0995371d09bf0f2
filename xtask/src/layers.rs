//! Holds the library to its layers: modules use only those declared above them in `src/lib.rs`.

use std::fs;
use std::path::{Path, PathBuf};

use crate::step::root;

/// The modules that a file declares, in this order.
fn modules(file: &str) -> Vec<String> {
    let text = fs::read_to_string(root().join(file)).unwrap();
    text.lines()
        .filter_map(|line| {
            line.strip_prefix("pub mod ")?
                .strip_suffix(';')
                .map(str::to_owned)
        })
        .collect()
}

/// `src/NAME.rs` and all files under `src/NAME/`.
fn files(module: &str) -> Vec<PathBuf> {
    let mut found = vec![root().join(format!("src/{module}.rs"))];
    let mut folders = vec![root().join(format!("src/{module}"))];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(path);
            }
        }
    }
    found
}

/// Tests may look anywhere.
fn is_test(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    name.is_some_and(|name| name.ends_with("tests.rs"))
        || path.components().any(|part| part.as_os_str() == "tests")
}

/// The text before an in-file test module.
fn code(text: &str) -> &str {
    text.split("#[cfg(test)]\nmod tests {").next().unwrap_or(text)
}

/// What stands after each `crate::`, up to the module's end; braces give several.
fn uses(text: &str) -> impl Iterator<Item = &str> {
    let is_code = |line: &&str| !line.trim_start().starts_with("//");
    text.lines()
        .filter(is_code)
        .flat_map(|line| line.split("crate::").skip(1))
        .map(|rest| {
            rest.split(|c: char| !c.is_alphanumeric() && c != '_')
                .next()
                .unwrap_or(rest)
        })
}

#[test]
fn modules_use_only_those_above_them() {
    let engine = modules("src/engine.rs");
    let modules = modules("src/lib.rs");
    assert!(modules.len() > 10, "{modules:?}");
    assert_eq!(
        modules[..engine.len()],
        engine,
        "its own package has the first ones"
    );
    let mut wrong = Vec::new();
    for (i, module) in modules.iter().enumerate() {
        for path in files(module).into_iter().filter(|path| !is_test(path)) {
            let Ok(text) = fs::read_to_string(&path) else {
                continue;
            };
            for used in uses(code(&text)) {
                if modules[i + 1..].iter().any(|below| below == used) {
                    wrong.push(format!("{} uses {used}", path.display()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
