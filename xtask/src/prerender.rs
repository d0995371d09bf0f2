//! The first view of `index.html`: a true picture before the page's module is loaded.

use miniz_oxide::deflate::compress_to_vec;

use crate::native_files;

/// Gzipped bytes of the first view, at most.
const BUDGET: usize = 40 * 1024;

/// The first view.
#[derive(Default)]
pub(crate) struct View {
    /// Its own rules of style.
    pub(crate) style: String,
    /// Its elements, without a style attribute.
    pub(crate) markup: String,
}

/// The page's first view, which a native program rendered; an empty one before it has.
///
/// # Errors
/// If it is over its budget, or not as expected.
pub(crate) fn first_view() -> Result<View, String> {
    let Some(view) = native_files::first_view() else {
        return Ok(View::default());
    };
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
