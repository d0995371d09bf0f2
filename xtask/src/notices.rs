//! The notices of all packages in the page's module, as their licences require: `licenses.txt` beside the page.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::step::{cargo, output, root};
use crate::tools::WASM_TARGET;

/// The file in the page's folder.
pub(crate) const FILE: &str = "licenses.txt";
/// The package whose program the module is.
const ENTRY: &str = "warpscope-entry";
/// Beginnings of the names of files that a notice consists of.
const NAMES: [&str; 5] = ["LICENSE", "LICENCE", "COPYING", "COPYRIGHT", "NOTICE"];
/// The standard text for packages without such a file.
const APACHE: &str = "LICENSE-APACHE";
const RULE: &str = "--------------------------------------------------------------------------------";

/// Writes the notices into the page's folder. Returns the number of packages.
///
/// # Errors
/// Cargo does not list the packages, or a file cannot be read or written.
pub(crate) fn put_in(folder: &Path) -> Result<usize, String> {
    let args = [
        "metadata",
        "--format-version",
        "1",
        "--locked",
        "--filter-platform",
        WASM_TARGET,
    ];
    let text = output(&mut cargo(&args)).ok_or("cargo metadata fails")?;
    let metadata: Value = serde_json::from_str(&text).map_err(|error| format!("cargo metadata: {error}"))?;
    let packages = packages_of_module(&metadata)?;
    let fail = |error: std::io::Error| format!("{FILE}: {error}");
    let own = |name: &str| fs::read_to_string(root().join(name)).map_err(fail);
    let mut text = format!(
        "Warpscope is licensed under either of the Apache License, Version 2.0, or the MIT license, at your option.\n\n{}\n\
         {RULE}\n\nThe page's program contains the following {} packages.\n",
        own("LICENSE-MIT")?,
        packages.len(),
    );
    for package in &packages {
        let part = |key: &str| package[key].as_str().unwrap_or_default();
        text += &format!(
            "\n{RULE}\n{} {}: {}\n",
            part("name"),
            part("version"),
            part("license")
        );
        if !part("repository").is_empty() {
            text += &format!("{}\n", part("repository"));
        }
        let manifest = Path::new(part("manifest_path"));
        let notices = notices(manifest.parent().unwrap_or(manifest)).map_err(fail)?;
        if notices.is_empty() {
            let authors: Vec<&str> = package["authors"]
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(Value::as_str)
                .collect();
            text += &format!("\nCopyright: the authors of {}", part("name"));
            if !authors.is_empty() {
                text += &format!(" ({})", authors.join(", "));
            }
            text += ". The package has no file with its license. The Apache License is at the end of this file.\n";
        }
        for notice in notices {
            text += &format!("\n{}\n", notice.trim_end());
        }
    }
    text += &format!("\n{RULE}\n{}", own(APACHE)?);
    fs::write(folder.join(FILE), text).map_err(fail)?;
    Ok(packages.len())
}

/// The packages of others in the module, by name: what its program depends on when it runs.
fn packages_of_module(metadata: &Value) -> Result<Vec<&Value>, String> {
    let id = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let list = |value: &'_ Value| value.as_array().cloned().unwrap_or_default();
    let nodes: BTreeMap<String, Vec<Value>> = list(&metadata["resolve"]["nodes"])
        .iter()
        .map(|node| (id(&node["id"]), list(&node["deps"])))
        .collect();
    let packages: BTreeMap<String, &Value> = (metadata["packages"].as_array().into_iter().flatten())
        .map(|package| (id(&package["id"]), package))
        .collect();
    let entry = packages.iter().find(|(_, package)| package["name"] == ENTRY);
    let mut open = vec![
        entry
            .ok_or("cargo metadata does not list the page's program")?
            .0
            .clone(),
    ];
    let mut seen = BTreeSet::new();
    while let Some(next) = open.pop() {
        if packages.get(&next).is_none_or(|package| is_macro(package)) || !seen.insert(next.clone()) {
            continue;
        }
        let needed = (nodes.get(&next).into_iter().flatten()).filter(|dependency| {
            list(&dependency["dep_kinds"])
                .iter()
                .any(|kind| kind["kind"].is_null())
        });
        open.extend(needed.map(|dependency| id(&dependency["pkg"])));
    }
    let mut found: Vec<&Value> = seen.iter().filter_map(|id| packages.get(id).copied()).collect();
    found.retain(|package| package["source"].is_string());
    found.sort_by_key(|package| package["name"].to_string());
    Ok(found)
}

/// Whether a package runs in the compiler, so that the module does not contain it.
fn is_macro(package: &Value) -> bool {
    let targets = package["targets"].as_array().into_iter().flatten();
    targets
        .flat_map(|target| target["kind"].as_array().into_iter().flatten())
        .any(|kind| kind == "proc-macro")
}

/// The texts of a package's notices, each once.
fn notices(folder: &Path) -> std::io::Result<Vec<String>> {
    let mut paths: Vec<_> = fs::read_dir(folder)?
        .collect::<Result<Vec<_>, _>>()?
        .iter()
        .map(fs::DirEntry::path)
        .collect();
    paths.sort();
    paths.retain(|path| {
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .to_uppercase();
        path.is_file() && NAMES.iter().any(|beginning| name.starts_with(beginning))
    });
    let mut texts = Vec::new();
    for path in paths {
        let text = fs::read_to_string(path)?;
        if !texts.contains(&text) {
            texts.push(text);
        }
    }
    Ok(texts)
}
