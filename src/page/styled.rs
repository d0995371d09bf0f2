//! Styles of single elements: widths, places, and other values that no class has.
//!
//! The page's policy blocks style attributes, which could come from a stranger's text, and allows styles that the program
//! sets. So no markup of the page has an attribute `style`: `styled` sets the property of that name.

use std::rc::Rc;

use yew::Html;
use yew::virtual_dom::{AttrValue, AttributeOrProperty, VNode};

/// An element with a style: declarations as in a style sheet, separated by semicolons. Anything but an element stays as
/// it is.
///
/// Without a browser the style is an attribute. `prerender` makes classes of these attributes.
pub(crate) fn styled(style: impl Into<String>, element: Html) -> Html {
    let VNode::VTag(tag) = element else {
        debug_assert!(false, "only elements have a style");
        return element;
    };
    let mut tag = Rc::unwrap_or_clone(tag);
    let style: String = style.into();
    if cfg!(target_arch = "wasm32") {
        tag.add_property("style", style);
    } else {
        tag.add_attribute("style", style);
        // yew 0.23 leaves literals out of markup as soon as an attribute is added to them.
        for value in tag.attributes.get_mut_index_map().values_mut() {
            if let AttributeOrProperty::Static(literal) = value {
                *value = AttributeOrProperty::Attribute(AttrValue::Static(literal));
            }
        }
    }
    VNode::VTag(Rc::new(tag))
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "a test of the sources reads files")]
mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};

    /// The Rust files of a folder and of the folders in it.
    fn sources(folder: &Path) -> Vec<PathBuf> {
        let entries = fs::read_dir(folder).expect("a folder of the sources");
        let paths = entries.map(|entry| entry.expect("an entry").path());
        paths
            .flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] })
            .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
            .collect()
    }

    #[test]
    fn no_markup_has_a_style_attribute() {
        let files = sources(Path::new(env!("CARGO_MANIFEST_DIR")));
        assert!(files.len() > 50, "the sources of the page are here");
        for path in files {
            let text = fs::read_to_string(&path).expect("a source");
            let text = text.split("#[cfg(test)]").next().unwrap_or_default();
            for (idx, line) in text.lines().enumerate() {
                let code = line.split("//").next().unwrap_or_default();
                let found = [" style={", " style=\"", "{style}", " style=\\\""]
                    .iter()
                    .any(|part| code.contains(part));
                // The pictures of the first view are text, whose attributes become classes.
                let is_picture = path.ends_with("prerender.rs");
                assert!(
                    !found || is_picture,
                    "{}:{}: the page's policy blocks style attributes; use `styled`",
                    path.display(),
                    idx + 1
                );
            }
        }
    }
}
