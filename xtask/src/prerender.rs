//! The first view of `index.html`: a true picture before the page's module is loaded.

use miniz_oxide::deflate::compress_to_vec;

use crate::step::{announce, cargo, output};

/// Gzipped bytes of the first view, at most.
const BUDGET: usize = 40 * 1024;

/// The first view.
pub(crate) struct View {
    /// Its own rules of style.
    pub(crate) style: String,
    /// Its elements, without a style attribute.
    pub(crate) markup: String,
}

/// Renders the page's first view natively.
///
/// # Errors
/// If it cannot be rendered, or is over its budget.
pub(crate) fn first_view() -> Result<View, String> {
    announce("rendering the first view");
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
    let (style, markup) = view
        .strip_prefix("<style>")
        .and_then(|view| view.split_once("</style>"))
        .ok_or("the first view has no rules of style before its elements")?;
    Ok(View {
        style: style.to_owned(),
        markup: markup.to_owned(),
    })
}
