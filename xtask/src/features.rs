//! Whether a package that is built alone enables the same features of its dependencies as the whole workspace does.
//! If not, Cargo builds the dependency, and all packages that use it, twice: `src/unify` prevents this.

use std::collections::{BTreeMap, BTreeSet};

use crate::step::{cargo, output};

/// Selections of packages that steps of the tests and developers build alone.
const ALONE: [&[&str]; 8] = [
    &["warpscope", "--edges", "normal,build"],
    &["warpscope-prerender", "--edges", "normal,build"],
    &["warpscope-fuzz", "--edges", "normal,build"],
    &["warpscope-engine"],
    &["warpscope-cuda"],
    &["warpscope-workbench"],
    &["warpscope-page"],
    &["warpscope-cli"],
];

/// The features of each package in a selection, by name and version.
type Features = BTreeMap<String, BTreeSet<String>>;

/// Compares each selection with the whole workspace.
///
/// # Errors
/// Lists the features that differ.
pub(crate) fn check() -> Result<(), String> {
    let whole = of(&["--workspace"])?;
    let mut differences = Vec::new();
    for selection in ALONE {
        let mut args = vec!["--package"];
        args.extend(selection);
        for (package, features) in of(&args)? {
            if let Some(all) = whole.get(&package).filter(|all| **all != features) {
                differences.push(format!(
                    "{package}: {} alone, {all:?} in the workspace ({features:?})",
                    selection[0]
                ));
            }
        }
    }
    if differences.is_empty() {
        return Ok(());
    }
    Err(format!(
        "Add the missing features to src/unify/Cargo.toml:\n  {}",
        differences.join("\n  ")
    ))
}

fn of(selection: &[&str]) -> Result<Features, String> {
    let mut args = vec!["tree", "--locked", "--prefix", "none", "--format", "{p}|{f}"];
    args.extend(selection);
    let text =
        output(&mut cargo(&args)).ok_or_else(|| format!("cargo tree {} fails", selection.join(" ")))?;
    let mut features = Features::new();
    for line in text.lines() {
        let line = line.trim_end_matches(" (*)");
        let Some((package, list)) = line.split_once('|') else {
            continue;
        };
        let package = package.split(" (").next().unwrap_or(package);
        features
            .entry(package.to_owned())
            .or_default()
            .insert(list.to_owned());
    }
    Ok(features)
}
