//! The release of the built page: its name, and the list of its files for the service worker `www/sw.js`.
//!
//! The end-to-end tests include this file to make a second release of the built page.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

/// The service worker's file.
const WORKER: &str = "sw.js";
/// The lines of the service worker that this step writes.
const RELEASE: &str = "const RELEASE = ";
const FILES: &str = "const FILES = ";
/// The attribute of `<html>` with the release's name.
const ATTRIBUTE: &str = " data-release=\"";
/// Hexadecimal digits of a release's name. Assumption: 64 bits, so that no two releases of a host share a name.
const NAME_DIGITS: usize = 16;
/// The kinds of files that the page requests. Others are for servers and developers: headers, types, notices.
const KINDS: [&str; 9] = [
    "css",
    "html",
    "js",
    "json",
    "png",
    "svg",
    "toml",
    "wasm",
    "webmanifest",
];

/// Writes the release's name into every HTML file of a built page, and the name and the list of files into the service
/// worker. The same files have the same name; a second call changes nothing. Returns the name.
///
/// # Errors
/// If a file cannot be read or written, or has no place for what is written into it.
pub(crate) fn put_in(dist: &Path) -> Result<String, String> {
    let worker_file = dist.join(WORKER);
    let worker = with_line(&text(&worker_file)?, RELEASE, "''")?;
    let worker = with_line(&worker, FILES, "{}")?;
    let mut digests = BTreeMap::new();
    let mut pages = Vec::new();
    for path in files(dist)? {
        let file = dist.join(&path);
        if is_page(&path) {
            let page = with_release(&text(&file)?, "").map_err(|why| format!("{path}: {why}"))?;
            digests.insert(path, digest(page.as_bytes()));
            pages.push((file, page));
        } else {
            let bytes = fs::read(&file).map_err(|error| format!("{path}: {error}"))?;
            digests.insert(path, digest(&bytes));
        }
    }
    let mut all = digest(worker.as_bytes());
    for (path, digest) in &digests {
        // Writing to a string does not fail.
        let _ = write!(all, "\n{path} {digest}");
    }
    let name = digest(all.as_bytes())[..NAME_DIGITS].to_owned();

    for (file, page) in pages {
        write_text(&file, &with_release(&page, &name)?)?;
    }
    let list: Vec<String> = digests
        .iter()
        .map(|(path, digest)| {
            let digest = if is_page(path) { "" } else { digest };
            format!("\"{path}\":\"{digest}\"")
        })
        .collect();
    let worker = with_line(&worker, RELEASE, &format!("'{name}'"))?;
    let worker = with_line(&worker, FILES, &format!("{{{}}}", list.join(",")))?;
    write_text(&worker_file, &worker)?;
    Ok(name)
}

/// The paths of the files that the page requests, with slashes, sorted.
fn files(dist: &Path) -> Result<Vec<String>, String> {
    let fail = |error: std::io::Error| format!("{}: {error}", dist.display());
    let mut found = Vec::new();
    let mut folders = vec![PathBuf::new()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(dist.join(&folder)).map_err(fail)? {
            let entry = entry.map_err(fail)?;
            let path = folder.join(entry.file_name());
            if entry.file_type().map_err(fail)?.is_dir() {
                folders.push(path);
                continue;
            }
            let kind = path.extension().and_then(|kind| kind.to_str());
            let path = path.to_string_lossy().replace('\\', "/");
            if path != WORKER && kind.is_some_and(|kind| KINDS.contains(&kind)) {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

/// A page with the name of its release in `<html>`; without the attribute for an empty name.
fn with_release(page: &str, name: &str) -> Result<String, String> {
    let start = page.find("<html").ok_or("the page has no <html>")?;
    let end = start + page[start..].find('>').ok_or("<html> does not end")?;
    let mut tag = page[start..end].to_owned();
    if let Some((before, rest)) = tag.split_once(ATTRIBUTE) {
        let (_, after) = rest.split_once('"').ok_or("the release does not end")?;
        tag = format!("{before}{after}");
    }
    if !name.is_empty() {
        tag = format!("{tag}{ATTRIBUTE}{name}\"");
    }
    Ok(format!("{}{tag}{}", &page[..start], &page[end..]))
}

/// A text whose line that begins with `key` has this value.
fn with_line(text: &str, key: &str, value: &str) -> Result<String, String> {
    let mut found = 0;
    let lines = text.lines().map(|line| {
        if line.starts_with(key) {
            found += 1;
            format!("{key}{value};\n")
        } else {
            format!("{line}\n")
        }
    });
    let text = lines.collect();
    if found == 1 {
        Ok(text)
    } else {
        Err(format!("{WORKER} has {found} lines `{key}…`, not one"))
    }
}

/// The SHA-256 of bytes in hexadecimal digits.
fn digest(bytes: &[u8]) -> String {
    format!("{:x}", Sha256::digest(bytes))
}

fn text(file: &Path) -> Result<String, String> {
    fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))
}

fn write_text(file: &Path, text: &str) -> Result<(), String> {
    fs::write(file, text).map_err(|error| format!("{}: {error}", file.display()))
}

/// Whether a file is a page, which names its release and is requested again in each release.
fn is_page(path: &str) -> bool {
    Path::new(path)
        .extension()
        .is_some_and(|extension| extension == "html")
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::PathBuf;

    use super::{files, put_in};

    const SCRIPT: &str = "'use strict';\nconst RELEASE = '';\nconst FILES = {};\nconst OTHER = 1;\n";

    /// A small built page in a new folder.
    fn page(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("warpscope release {name} {}", std::process::id()));
        fs::create_dir_all(folder.join("lessons/a")).unwrap();
        for (path, text) in [
            (
                "index.html",
                "<!doctype html>\n<html lang=\"en\"><body>é</body></html>",
            ),
            ("page-1a2b3c4d5e6f7a8b.js", "run()"),
            ("lessons/a/b.toml", "title = \"b\""),
            ("warpscope.d.ts", "types"),
            ("_headers", "/*"),
            ("sw.js", SCRIPT),
        ] {
            fs::write(folder.join(path), text).unwrap();
        }
        folder
    }

    #[test]
    fn a_release_lists_what_the_page_requests_and_is_named_after_it() {
        let folder = page("list");
        assert_eq!(
            files(&folder).unwrap(),
            ["index.html", "lessons/a/b.toml", "page-1a2b3c4d5e6f7a8b.js"]
        );
        let name = put_in(&folder).unwrap();
        let read = |path: &str| fs::read_to_string(folder.join(path)).unwrap();
        assert_eq!(
            read("index.html"),
            format!("<!doctype html>\n<html lang=\"en\" data-release=\"{name}\"><body>é</body></html>")
        );
        let worker = read("sw.js");
        assert!(
            worker.contains(&format!("const RELEASE = '{name}';\n")),
            "{worker}"
        );
        // The digest of `run()`, as sha256sum prints it.
        let entry = "\"page-1a2b3c4d5e6f7a8b.js\":\"02fcae88bd120f599563734dc51f95daea3e96193a44c16bcad5a646de82ac94\"";
        assert!(worker.contains(entry), "{worker}");
        assert!(worker.contains("{\"index.html\":\"\",") && worker.ends_with("const OTHER = 1;\n"));

        // The same files are the same release, whatever was written before.
        assert_eq!(put_in(&folder).unwrap(), name);
        assert_eq!(read("sw.js"), worker);
        for (path, text) in [
            ("lessons/a/b.toml", "title = \"c\""),
            ("index.html", "<html><body></body></html>"),
            ("sw.js", &SCRIPT.replace('1', "2")),
        ] {
            let before = put_in(&folder).unwrap();
            fs::write(folder.join(path), text).unwrap();
            assert_ne!(put_in(&folder).unwrap(), before, "{path}");
        }
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_page_without_a_place_for_its_release_is_an_error() {
        let folder = page("place");
        fs::write(folder.join("sw.js"), "const RELEASE = '';\n").unwrap();
        assert!(put_in(&folder).unwrap_err().contains("const FILES"));
        fs::write(folder.join("sw.js"), SCRIPT).unwrap();
        fs::write(folder.join("index.html"), "text").unwrap();
        assert!(
            put_in(&folder)
                .unwrap_err()
                .contains("index.html: the page has no <html>")
        );
        fs::remove_dir_all(folder).unwrap();
    }
}
