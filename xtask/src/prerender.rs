//! The first view in `index.html`: a true picture before the page's module is loaded.

use std::fs;
use std::path::Path;

use miniz_oxide::deflate::compress_to_vec;

use crate::step::{announce, cargo, output};

/// What `index.html` has in the place of the first view.
const PLACE: &str = "<template id=\"first-view\"></template>";
/// What Trunk writes to start the program, and what starts it when `www/embed.js` says so; at once in the workbench.
const START: &str = "const wasm = await __trunkInitializer(";
const START_LATER: &str = "await globalThis.warpscopeStart;\nconst wasm = await __trunkInitializer(";
/// Gzipped bytes of the first view, at most.
const BUDGET: usize = 40 * 1024;

/// Renders the page's first view natively and puts it into `index.html`.
///
/// # Errors
/// If it cannot be rendered, has no place in the file, or is over its budget.
pub(crate) fn put_in(index: &Path) -> Result<(), String> {
    announce("rendering the first view");
    let fail = |error: std::io::Error| format!("{}: {error}", index.display());
    let html = fs::read_to_string(index).map_err(fail)?;
    if html.matches(PLACE).count() != 1 {
        return Err(format!("{}: no place for the first view", index.display()));
    }
    if html.matches(START).count() != 1 {
        return Err(format!(
            "{}: the start of the program is not where it was",
            index.display()
        ));
    }
    let html = html.replace(START, START_LATER);
    let command = &["run", "--quiet", "--locked", "--package", "warpscope-prerender"];
    let view = output(&mut cargo(command))
        .ok_or("the first view cannot be rendered; run `cargo run -p warpscope-prerender`")?;
    let gzipped = compress_to_vec(view.as_bytes(), 9).len();
    println!("the first view: {} bytes, {gzipped} gzipped", view.len());
    if gzipped > BUDGET {
        return Err(format!(
            "the first view has {gzipped} bytes gzipped, over its budget of {BUDGET}"
        ));
    }
    let view = format!("<div class=\"first-view\" inert aria-hidden=\"true\">{view}</div>");
    fs::write(index, html.replace(PLACE, &view)).map_err(fail)
}
