//! The page: building it with Trunk, splitting its module, serving it, and what its download weighs.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use miniz_oxide::deflate::compress_to_vec;

use crate::split::glue;
use crate::split::probe;
use crate::split::profile::Profile;
use crate::split::{self, Parts};
use crate::step::{announce, root, run};
use crate::suite::end_to_end;
use crate::tools::{WASM_TARGET, ensure_browser, ensure_page_tools, trunk};
use crate::validation;

/// Gzipped bytes of all files the first view needs, at most; more is reported.
pub(crate) const DOWNLOAD_BUDGET: usize = 450 * 1024;
/// Files that the first view does not need: the module's second part, which the page fetches after
/// it, the module in one piece for addresses with a link, the example of the API and its types.
const BESIDE: [&str; 5] = [
    "_rest.wasm",
    "_whole.wasm",
    "example.html",
    "warpscope.d.ts",
    "validation.html",
];

/// What the first view runs, as it was measured.
const PROFILE: &str = "xtask/first_view.txt";

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
            "The page's download is {total} bytes gzipped, over its budget of {DOWNLOAD_BUDGET}. If code has changed a \
             lot since {PROFILE} was measured, `cargo xtask profile` measures it anew."
        );
    }
    println!("the page is in {}", dist().display());
    Ok(())
}

/// Builds the page into `dist/`.
pub(crate) fn build_only() -> Result<(), String> {
    bundle(&dist())?;
    announce("splitting the module");
    let profile = root().join(PROFILE);
    let profile = fs::read_to_string(&profile).map_err(|error| format!("{}: {error}", profile.display()))?;
    let bundle = Bundle::find(&dist())?;
    let linked = target().join(WASM_TARGET).join("page/page.wasm");
    let linked = fs::read(&linked).map_err(|error| format!("{}: {error}", linked.display()))?;
    let parts = split::split(&bundle.read("_bg.wasm")?, Some(&linked), &Profile::read(&profile))?;
    println!("{}", parts.report);
    let names = root().join("target/first_part.txt");
    fs::write(&names, &parts.names).map_err(|error| format!("{}: {error}", names.display()))?;
    bundle.put(&parts)
}

/// Measures what of the module the first view runs, in Chromium, for the builds that follow.
pub(crate) fn profile() -> Result<(), String> {
    let folder = root().join("target/profile");
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    bundle(&folder)?;
    let bundle = Bundle::find(&folder)?;
    let module = bundle.read("_bg.wasm")?;
    let script = String::from_utf8(bundle.read(".js")?).map_err(|error| error.to_string())?;
    bundle.write("_bg.wasm", &probe::with_probes(&module)?)?;
    bundle.write(".js", glue::with_probe(&script)?.as_bytes())?;
    bundle.rewrite_index(&bundle.stem)?;
    let browser = ensure_browser()?;
    announce("looking at the first view");
    let mut look = end_to_end(&browser, &["run", "--quiet", "--bin", "first_view"]);
    let look = look
        .env("WARPSCOPE_DIST", &folder)
        .stderr(Stdio::inherit())
        .output();
    let told = look.map_err(|error| format!("cargo does not start: {error}"))?;
    if !told.status.success() {
        return Err("the first view could not be looked at".to_owned());
    }
    let passed: BTreeSet<u32> =
        serde_json::from_slice(&told.stdout).map_err(|error| format!("points passed: {error}"))?;
    let profile = Profile::taken(&module, &passed)?;
    fs::write(root().join(PROFILE), profile.text()).map_err(|error| format!("{PROFILE}: {error}"))?;
    println!("{} points passed; they are in {PROFILE}", passed.len());
    Ok(())
}

/// Builds the page with Trunk, the module whole and with what the splitter needs: names that tell
/// instances of generic functions apart, and the linker's relocations.
fn bundle(folder: &Path) -> Result<(), String> {
    ensure_page_tools()?;
    validation::write_page()?;
    let folder = folder.display().to_string();
    let mut trunk = trunk(&["build", "--dist", &folder]);
    with_names(&mut trunk);
    run("building the page (trunk, profile `page`)", &mut trunk)
}

fn with_names(trunk: &mut Command) {
    let flags = "-Csymbol-mangling-version=v0 -Clink-arg=--emit-relocs";
    // Where RUSTFLAGS is set, Cargo looks at nothing else.
    let name = if std::env::var_os("RUSTFLAGS").is_some() {
        "RUSTFLAGS"
    } else {
        "CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS"
    };
    let own = std::env::var(name).unwrap_or_default();
    trunk
        .env(name, format!("{own} {flags}").trim_start())
        .env("CARGO_PROFILE_PAGE_STRIP", "debuginfo");
}

/// Cargo's folder.
pub(crate) fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// What Trunk made: a page, a script and a module, the latter two of one name.
struct Bundle {
    folder: PathBuf,
    /// The name of script and module, without their endings.
    stem: String,
}

impl Bundle {
    fn find(folder: &Path) -> Result<Self, String> {
        let files = files(folder)?;
        let stem = (files.iter())
            .find_map(|file| Some(file.path.to_str()?.strip_suffix("_bg.wasm")?.to_owned()))
            .ok_or_else(|| format!("there is no module in {}", folder.display()))?;
        Ok(Self {
            folder: folder.to_path_buf(),
            stem,
        })
    }

    fn path(&self, ending: &str) -> PathBuf {
        self.folder.join(format!("{}{ending}", self.stem))
    }

    fn read(&self, ending: &str) -> Result<Vec<u8>, String> {
        let path = self.path(ending);
        fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))
    }

    fn write(&self, ending: &str, bytes: &[u8]) -> Result<(), String> {
        let path = self.path(ending);
        fs::write(&path, bytes).map_err(|error| format!("{}: {error}", path.display()))
    }

    /// Puts the two parts in the module's place, under a name that tells this page from any other.
    fn put(&self, parts: &Parts) -> Result<(), String> {
        let script = String::from_utf8(self.read(".js")?).map_err(|error| error.to_string())?;
        let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
        let script = glue::with_rest(
            &script,
            &format!("{}_rest.wasm", self.stem),
            &format!("{}_whole.wasm", self.stem),
        )?;
        for byte in parts.first.iter().chain(&parts.second).chain(script.as_bytes()) {
            hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
        let named = Self {
            folder: self.folder.clone(),
            stem: format!("page-{hash:016x}"),
        };
        for ending in ["_bg.wasm", ".js"] {
            let path = self.path(ending);
            fs::remove_file(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        }
        named.write("_bg.wasm", &parts.first)?;
        named.write("_rest.wasm", &parts.second)?;
        named.write("_whole.wasm", &parts.whole)?;
        let script = script.replace(&self.stem, &named.stem);
        named.write(".js", squeezed(&script, |line| line.starts_with("//")).as_bytes())?;
        self.squeeze_styles()?;
        self.rewrite_index(&named.stem)?;
        let index = self.folder.join("index.html");
        let fail = |error: std::io::Error| format!("{}: {error}", index.display());
        let html = fs::read_to_string(&index).map_err(fail)?;
        fs::write(&index, glue::with_choice(&html, &named.stem)?).map_err(fail)
    }

    /// Takes comments and indents out of the style sheets.
    fn squeeze_styles(&self) -> Result<(), String> {
        for file in files(&self.folder)? {
            let path = self.folder.join(&file.path);
            if path.extension().is_some_and(|extension| extension == "css") {
                let fail = |error: std::io::Error| format!("{}: {error}", path.display());
                let text = fs::read_to_string(&path).map_err(fail)?;
                let mut plain = String::with_capacity(text.len());
                let mut rest = text.as_str();
                while let Some((before, after)) = rest.split_once("/*") {
                    plain.push_str(before);
                    rest = after.split_once("*/").map_or("", |(_, after)| after);
                }
                plain.push_str(rest);
                fs::write(&path, squeezed(&plain, |_| false)).map_err(fail)?;
            }
        }
        Ok(())
    }

    /// Lets the page load files of another name, and all without the hashes of what these were.
    fn rewrite_index(&self, stem: &str) -> Result<(), String> {
        let path = self.folder.join("index.html");
        let fail = |error: std::io::Error| format!("{}: {error}", path.display());
        let html = fs::read_to_string(&path).map_err(fail)?;
        let html: String = (html.split_inclusive('>'))
            .map(|tag| match tag.split_once(" integrity=\"") {
                Some((before, after)) => match after.split_once('"') {
                    Some((_, after)) => format!("{before}{after}"),
                    None => tag.to_owned(),
                },
                None => tag.to_owned(),
            })
            .collect();
        fs::write(&path, html.replace(&self.stem, stem)).map_err(fail)
    }
}

/// Builds and serves the page until it is stopped, rebuilding on change.
///
/// The module is served whole, not in two parts as `build` makes it. Trunk serves what it has written
/// itself and knows no step between the two but a hook, and a hook in `Trunk.toml` would run in every
/// build, those of `build` and of drafts among them. A module that is whole behaves alike: the parts
/// only change in which order its functions arrive, which tests of `build`'s page hold.
pub(crate) fn serve(port: u16) -> Result<(), String> {
    ensure_page_tools()?;
    validation::write_page()?;
    announce(&format!(
        "the page will be at http://127.0.0.1:{port}/ when the first build is done; Ctrl-C stops"
    ));
    // A folder of its own, so that dist/ always holds what `build` made.
    fs::create_dir_all(root().join("target/serve")).map_err(|error| format!("target/serve: {error}"))?;
    let port = port.to_string();
    run(
        "serving",
        &mut trunk(&[
            "serve",
            "--dist",
            "target/serve",
            "--address",
            "127.0.0.1",
            "--port",
            &port,
        ]),
    )
}

/// A text without indents, empty lines, and lines that are left out.
fn squeezed(text: &str, is_left_out: impl Fn(&str) -> bool) -> String {
    (text.lines().map(str::trim))
        .filter(|line| !line.is_empty() && !is_left_out(line))
        .flat_map(|line| [line, "\n"])
        .collect()
}

/// Prints the size of every file of the built page; the gzipped total.
pub(crate) fn report_size() -> Result<usize, String> {
    let files = files(&dist())?;
    println!("{:>10}  {:>10}  file", "bytes", "gzipped");
    for file in &files {
        let later = if is_beside(&file.path) {
            " (not for the first view)"
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
        "{:>10}  {total:>10}  for the first view: {percent:.0} % of the budget of {DOWNLOAD_BUDGET}",
        ""
    );
    Ok(total)
}

/// Whether a file lies beside the page and is loaded only by who asks for it.
fn is_beside(path: &Path) -> bool {
    let path = path.to_string_lossy();
    BESIDE.iter().any(|name| path.ends_with(name))
}

/// The files under a folder, by path.
fn files(folder: &Path) -> Result<Vec<PageFile>, String> {
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
