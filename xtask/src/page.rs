//! The page: building it with Trunk, serving it, and what its download weighs.

use std::fs;
use std::path::{Path, PathBuf};

use miniz_oxide::deflate::compress_to_vec;

use crate::finish::finish;
use crate::native_files;
use crate::notices;
use crate::offline;
use crate::step::{root, run};
use crate::tools::{ensure_page_tools, trunk};

/// Gzipped bytes of the files that a visit needs, at most; the build reports more.
pub(crate) const DOWNLOAD_BUDGET: usize = 750 * 1024;
/// Files that a visit does not load by itself: the page for frames, the examples, the API's types, the table of validation,
/// the lessons, the glossary, the notices, the list of headers, the manifest, and the service worker. Files that belong to a page have its name and a hash.
const BESIDE: [&str; 11] = [
    "_headers",
    "embed",
    "embed-example",
    "example",
    "glossary",
    "lessons",
    "licenses",
    "manifest",
    "sw",
    "validation",
    "warpscope.d",
];
/// The folders of files that are loaded one at a time.
const FOLDERS: [&str; 3] = ["icons", "lessons", "lectures"];
/// One file of the built page.
pub(crate) struct PageFile {
    pub(crate) path: PathBuf,
    pub(crate) bytes: usize,
    pub(crate) gzipped: usize,
}

/// Folder of the built page.
pub(crate) fn dist() -> PathBuf {
    root().join("dist")
}

/// Builds the page into `dist/` and reports its size against the budget.
pub(crate) fn build() -> Result<(), String> {
    build_only()?;
    let total = report_size()?;
    if total > DOWNLOAD_BUDGET {
        println!(
            "The page's download is {total} bytes gzipped, over its budget of {DOWNLOAD_BUDGET}; \
             docs/architecture.md lists the weight of each part."
        );
    }
    println!("the page is in {}", dist().display());
    Ok(())
}

/// Builds the page into `dist/`.
pub(crate) fn build_only() -> Result<(), String> {
    build_as("page")
}

/// Builds the page into `dist/` in a hurry: large and slow, to look at while working on it.
pub(crate) fn build_draft() -> Result<(), String> {
    build_as("draft")
}

fn build_as(profile: &str) -> Result<(), String> {
    ensure_page_tools()?;
    compile(profile, &dist())?;
    native_files::make()?;
    complete(&dist())?;
    // Last: a release covers what the other steps write. Under `serve`, each change would be one.
    let release = offline::put_in(&dist())?;
    println!("release {release}");
    Ok(())
}

/// Completes a page that Trunk built, with the files of native programs that exist.
pub(crate) fn complete(folder: &Path) -> Result<(), String> {
    native_files::put_in(folder)?;
    let num_packages = notices::put_in(folder)?;
    println!("{}: notices of {num_packages} packages", notices::FILE);
    finish(folder)
}

/// Compiles the page into a folder, without the parts that native programs make.
pub(crate) fn compile(profile: &str, folder: &Path) -> Result<(), String> {
    let folder = folder.display().to_string();
    run(
        &format!("building the page (trunk, profile `{profile}`)"),
        &mut trunk(&["build", "--cargo-profile", profile, "--dist", &folder]),
    )
}

/// Cargo's folder.
pub(crate) fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// Prints the size of every file of the built page; the gzipped total.
pub(crate) fn report_size() -> Result<usize, String> {
    let files = files(&dist())?;
    println!("{:>10}  {:>10}  file", "bytes", "gzipped");
    for file in files.iter().filter(|file| !is_in_folder(&file.path)) {
        let later = if is_beside(&file.path) {
            " (loaded on request)"
        } else {
            ""
        };
        println!(
            "{:>10}  {:>10}  {}{later}",
            file.bytes,
            file.gzipped,
            file.path.display()
        );
    }
    let total = files
        .iter()
        .filter(|file| !is_beside(&file.path))
        .map(|file| file.gzipped)
        .sum();
    let percent = total as f64 / DOWNLOAD_BUDGET as f64 * 100.0;
    println!(
        "{:>10}  {total:>10}  for a visit: {percent:.0} % of the budget of {DOWNLOAD_BUDGET}",
        ""
    );
    Ok(total)
}

/// Whether a file lies in a folder of files that are loaded one at a time.
fn is_in_folder(path: &Path) -> bool {
    FOLDERS.iter().any(|folder| path.starts_with(folder))
}

/// Whether a file lies beside the page and is loaded only on request.
fn is_beside(path: &Path) -> bool {
    if is_in_folder(path) {
        return true;
    }
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let name = match stem.rsplit_once('-') {
        Some((name, hash)) if hash.len() == headers::HASH_DIGITS => name,
        _ => &stem,
    };
    BESIDE.contains(&name)
}

/// The files under a folder, by path.
pub(crate) fn files(folder: &Path) -> Result<Vec<PageFile>, String> {
    let fail = |error: std::io::Error| format!("{}: {error}", folder.display());
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(&next).map_err(fail)? {
            let path = entry.map_err(fail)?.path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let bytes = fs::read(&path).map_err(fail)?;
            // A gzip file is a deflate stream with 18 bytes around it.
            let gzipped = compress_to_vec(&bytes, 9).len() + 18;
            let path = path.strip_prefix(folder).unwrap_or(&path).to_path_buf();
            found.push(PageFile {
                path,
                bytes: bytes.len(),
                gzipped,
            });
        }
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(found)
}
