//! The element that an event is about, and the pointers that it holds.
//!
//! Yew listens on the page's root element, so `Event::current_target` is that element in every callback: a pointer captured
//! for it, and a place measured in it, belong to the whole page. Callbacks look here instead.

use wasm_bindgen::JsCast;
use web_sys::Element;
use yew::PointerEvent;

/// The closest element around an event's target that a selector matches.
pub(crate) fn element_at(event: &web_sys::Event, selector: &str) -> Option<Element> {
    let target: Element = event.target()?.dyn_into().ok()?;
    target.closest(selector).ok()?
}

/// Captures a pointer for the closest element around its target that a selector matches: the element then receives the
/// pointer's moves and its release, wherever the pointer is. Returns the element.
pub(crate) fn hold(event: &PointerEvent, selector: &str) -> Option<Element> {
    let element = element_at(event, selector)?;
    // Capturing a pointer that is already released fails harmlessly.
    let _ = element.set_pointer_capture(event.pointer_id());
    Some(element)
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "a test of the sources reads files")]
mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};

    fn sources(folder: &Path, into: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).expect("a folder of the sources") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                sources(&path, into);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                into.push(path);
            }
        }
    }

    #[test]
    fn no_callback_asks_for_the_element_that_listens() {
        let mut files = Vec::new();
        sources(Path::new(env!("CARGO_MANIFEST_DIR")), &mut files);
        assert!(files.len() > 50, "the sources of the page are here");
        let (listening, capture) = (".current_target", ".set_pointer_capture");
        for path in files.iter().filter(|path| !path.ends_with("held.rs")) {
            let text = fs::read_to_string(path).expect("a source");
            for (idx, line) in text.lines().enumerate() {
                let found = line.contains(&format!("{listening}()")) || line.contains(&format!("{capture}("));
                assert!(
                    !found,
                    "{}:{}: with Yew this is the root element, not the callback's; use `held`",
                    path.display(),
                    idx + 1
                );
            }
        }
    }
}
