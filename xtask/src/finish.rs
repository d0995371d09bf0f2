//! What Trunk's build lacks: scripts and styles as files, the first view, `embed.html`, the policies, and the headers.
//!
//! A page of `dist/` has no inline script, no style element, and no style attribute: its policy allows none.

use std::fs;
use std::path::Path;

use headers::{Kind, rules, text};

use crate::page::files;
use crate::prerender::{View, first_view};
use crate::step::{announce, root};

/// What `index.html` has in the place of the scripts that run before the page is shown.
const START_PLACE: &str = "<template id=\"start\"></template>";
/// What it has in the place of the poster of `embed.html`.
const POSTER_PLACE: &str = "<template id=\"poster\"></template>";
/// What it has in the place of the first view.
const VIEW_PLACE: &str = "<template id=\"first-view\"></template>";
/// The scripts that run before `index.html` is shown, as one file. Each is a block of its own.
const START: [&str; 4] = [
    "www/ahead.js",
    "www/trusted.js",
    "www/refused.js",
    "www/first_view.js",
];
/// The same for `embed.html`.
const EMBED_START: [&str; 4] = [
    "www/embed_policy.js",
    "www/ahead.js",
    "www/trusted.js",
    "www/refused.js",
];
/// What `www/embed_policy.js` has in the place of the directives.
const POLICY_PLACE: &str = "\"POLICY\"";
/// The script of the poster.
const POSTER: &str = "www/embed.js";
/// The script that workers start with.
const WORKER: &str = "src/worker/boot.js";
/// The script that shows how much of the module has arrived.
const LOADING: &str = "www/loading.js";
/// What Trunk writes to start the program, and what starts it when `www/embed.js` says so; at once in the workbench.
const RUN: &str = "const wasm = await __trunkInitializer(";
const RUN_LATER: &str = "await globalThis.warpscopeStart;\nconst wasm = await __trunkInitializer(";

/// Finishes the page that Trunk built in a folder. A finished folder cannot be finished again.
///
/// # Errors
/// If a file cannot be read or written, if Trunk's page is not as expected, or if the first view cannot be rendered.
pub(crate) fn finish(dist: &Path) -> Result<(), String> {
    let view = first_view()?;
    announce("scripts and styles as files, policies, and headers");
    let index = with_module(dist, &read(&dist.join("index.html"))?)?;
    let (index, sheets) = without_sheets(dist, &index)?;
    let page = Page { dist, index, sheets };
    page.write_workbench(&view)?;
    page.write_embed()?;
    for file in files(dist)? {
        let is_page = file.path.extension().is_some_and(|extension| extension == "html");
        let path = file.path.to_string_lossy().into_owned();
        if is_page && path != "index.html" && path != "embed.html" {
            let html = read(&dist.join(&path))?;
            write_page(dist, &path, &html)?;
        }
    }
    write_headers(dist)
}

/// Writes `_headers` for the files that the folder has now.
///
/// # Errors
/// If the folder cannot be read or written.
pub(crate) fn write_headers(dist: &Path) -> Result<(), String> {
    let files: Vec<String> = files(dist)?
        .iter()
        .map(|file| file.path.to_string_lossy().replace('\\', "/"))
        .collect();
    let rules = rules(
        files
            .iter()
            .map(String::as_str)
            .filter(|file| *file != "_headers"),
    );
    write(&dist.join("_headers"), &text(&rules))
}

/// Trunk's page with its scripts as files, without its style sheets, and with the places of the two pages made of it.
struct Page<'a> {
    dist: &'a Path,
    index: String,
    /// The style sheets as one text, and where they stood.
    sheets: Sheets,
}

struct Sheets {
    text: String,
    at: usize,
}

impl Page<'_> {
    /// The page with one style sheet, which a browser requests once.
    fn with_sheet(&self, name: &str) -> String {
        let (before, after) = self.index.split_at(self.sheets.at);
        format!("{before}<link rel=\"stylesheet\" href=\"./{name}\">{after}")
    }

    /// Writes `index.html`.
    fn write_workbench(&self, view: &View) -> Result<(), String> {
        // The first view's few rules come with the others: no further request holds up the first paint.
        let sheet = format!("{}\n{}", self.sheets.text, view.style);
        let name = write_hashed(self.dist, "warpscope", "css", &sheet)?;
        let markup = if view.markup.is_empty() {
            String::new()
        } else {
            format!(
                "<div class=\"first-view\" inert aria-hidden=\"true\">{}<first-view-end hidden></first-view-end></div>",
                view.markup
            )
        };
        let html = with_start(self.dist, &self.with_sheet(&name), &START)?;
        let html = replaced(&html, POSTER_PLACE, "")?;
        let html = replaced(&html, VIEW_PLACE, &markup)?;
        write_page(self.dist, "index.html", &html)
    }

    /// Writes `embed.html`: the same program, and a poster in the place of the first view.
    fn write_embed(&self) -> Result<(), String> {
        let name = write_hashed(self.dist, "embed", "css", &self.sheets.text)?;
        let script = write_hashed(self.dist, "embed", "js", &read(&root().join(POSTER))?)?;
        let poster = format!("<div class=\"poster embed\" hidden></div><script src=\"./{script}\"></script>");
        let html = with_start(self.dist, &self.with_sheet(&name), &EMBED_START)?;
        let html = replaced(&html, "<html ", "<html data-embed=\"poster\" ")?;
        let html = replaced(&html, VIEW_PLACE, "")?;
        let html = replaced(&html, POSTER_PLACE, &poster)?;
        write_page(self.dist, "embed.html", &html)
    }
}

/// Puts the scripts that run before the page is shown into one file.
fn with_start(dist: &Path, html: &str, paths: &[&str]) -> Result<String, String> {
    let mut script = String::new();
    for path in paths {
        script += &read(&root().join(path))?;
    }
    // Policies quote with apostrophes only.
    let script = script.replace(POLICY_PLACE, &format!("\"{}\"", Kind::Embed.meta()));
    let name = write_hashed(dist, "start", "js", &script)?;
    replaced(html, START_PLACE, &format!("<script src=\"./{name}\"></script>"))
}

/// Puts Trunk's module script into a file, with the progress of loading, and writes the workers' script beside it.
fn with_module(dist: &Path, html: &str) -> Result<String, String> {
    let unexpected =
        |what: &str| format!("index.html: {what}; xtask/src/finish.rs expects what Trunk 0.21.14 writes");
    let script = element(html, "<script type=\"module\"", "</script>")
        .ok_or_else(|| unexpected("no module script"))?;
    let glue = between(script.text(), "import init, * as bindings from './", "'")
        .ok_or_else(|| unexpected("no import of the program's JavaScript"))?;
    let loading = between(script.text(), "import initializer from './", "'")
        .ok_or_else(|| unexpected("no import of the initializer"))?;
    let worker = replaced(&read(&root().join(WORKER))?, "\"GLUE\"", &format!("\"./{glue}\""))?;
    let worker = write_hashed(dist, "worker", "js", &worker)?;

    // One file in place of two, which a browser would request one after the other.
    let import = format!("import initializer from './{loading}';\n");
    let text = replaced(
        &read(&root().join(LOADING))?,
        "export default ",
        "const initializer = ",
    )?;
    let main = replaced(script.text(), &import, &text)?;
    // The program finds the workers' script by this address.
    let address = format!("globalThis.warpscopeWorker = new URL('./{worker}', import.meta.url).href;");
    let main = replaced(&main, RUN, &format!("{address}\n{RUN_LATER}"))?;
    let name = write_hashed(dist, "main", "js", main.trim_start())?;
    let loading = dist.join(loading);
    fs::remove_file(&loading).map_err(|error| format!("{}: {error}", loading.display()))?;
    Ok(format!(
        "{}<script type=\"module\" src=\"./{name}\"></script>{}",
        script.before, script.after
    ))
}

/// Takes Trunk's style sheets out of the page and out of the folder.
fn without_sheets(dist: &Path, html: &str) -> Result<(String, Sheets), String> {
    let mut html = html.to_owned();
    let mut sheets = Sheets {
        text: String::new(),
        at: 0,
    };
    while let Some(link) = element(&html, "<link rel=\"stylesheet\"", ">") {
        let name =
            between(link.content, "href=\"./", "\"").ok_or("index.html: a style sheet without an address")?;
        let path = dist.join(name);
        sheets.text += &read(&path)?;
        fs::remove_file(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        if sheets.at == 0 {
            sheets.at = link.before.len();
        }
        html = format!("{}{}", link.before, link.after);
    }
    if sheets.text.is_empty() {
        return Err("index.html: no style sheet".to_owned());
    }
    Ok((html, sheets))
}

/// Writes a page of the folder: its inline scripts and style elements become files, and it gets its policy.
fn write_page(dist: &Path, path: &str, html: &str) -> Result<(), String> {
    let name = Path::new(path)
        .file_stem()
        .map_or("page".into(), |stem| stem.to_string_lossy());
    let mut html = html.to_owned();
    while let Some(style) = element(&html, "<style", "</style>") {
        let file = write_hashed(dist, &name, "css", style.text())?;
        html = format!(
            "{}<link rel=\"stylesheet\" href=\"./{file}\">{}",
            style.before, style.after
        );
    }
    while let Some(script) = element(&html, "<script>", "</script>") {
        let file = write_hashed(dist, &name, "js", script.text())?;
        html = format!(
            "{}<script src=\"./{file}\"></script>{}",
            script.before, script.after
        );
    }
    if html.contains(" style=\"") {
        return Err(format!(
            "{path}: a style attribute, which the page's policy does not allow"
        ));
    }
    let kind = Kind::of(path).ok_or_else(|| format!("{path}: no policy"))?;
    if kind != Kind::Embed {
        let meta = format!(
            "<meta charset=\"utf-8\">\n    <meta http-equiv=\"Content-Security-Policy\" content=\"{}\">",
            kind.meta()
        );
        html = replaced(&html, "<meta charset=\"utf-8\">", &meta)?;
    }
    write(&dist.join(path), &html)
}

/// A part of a text that starts and ends with given texts.
struct Element<'a> {
    before: &'a str,
    /// With the start, without the end.
    content: &'a str,
    after: &'a str,
}

impl<'a> Element<'a> {
    /// What stands between the tags.
    fn text(&self) -> &'a str {
        self.content.split_once('>').map_or("", |(_, text)| text)
    }
}

/// The first part that starts with `start` and ends with `end`.
fn element<'a>(html: &'a str, start: &str, end: &str) -> Option<Element<'a>> {
    let from = html.find(start)?;
    let length = html[from..].find(end)?;
    Some(Element {
        before: &html[..from],
        content: &html[from..from + length],
        after: &html[from + length + end.len()..],
    })
}

/// The text between the first `start` and the next `end`.
fn between<'a>(text: &'a str, start: &str, end: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(start)?;
    rest.split_once(end).map(|(found, _)| found)
}

/// A text with another one in the place of a part that it has exactly once.
fn replaced(text: &str, part: &str, by: &str) -> Result<String, String> {
    match text.matches(part).count() {
        1 => Ok(text.replacen(part, by, 1)),
        count => Err(format!("`{part}` is in the page {count} times, instead of once")),
    }
}

/// Writes a file whose name has the hash of its content. Returns the name.
fn write_hashed(dist: &Path, name: &str, extension: &str, content: &str) -> Result<String, String> {
    let file = format!("{name}-{:016x}.{extension}", hash(content.as_bytes()));
    write(&dist.join(&file), content)?;
    Ok(file)
}

/// The 64-bit FNV-1a hash (Fowler, Noll, and Vo): it distinguishes versions of a file, and protects nothing.
fn hash(bytes: &[u8]) -> u64 {
    const BASIS: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0000_0100_0000_01b3;
    bytes
        .iter()
        .fold(BASIS, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(PRIME))
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

fn write(path: &Path, content: &str) -> Result<(), String> {
    fs::write(path, content).map_err(|error| format!("{}: {error}", path.display()))
}
