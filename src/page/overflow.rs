//! Marks on the page's scrolling parts: `data-more` names the edges beyond which a part has more content, so that the
//! style sheet shows that there is more.

use std::cell::RefCell;
use std::rc::Rc;

use wasm_bindgen::JsCast;
use web_sys::{Element, EventTarget};

use super::browser;
use super::listener::Listener;
use super::timer::Timer;

/// Everything that scrolls, except the editor, which has its own scroll bar and line numbers.
const SCROLLING: &str =
    ".canvas, .twin, .tabs, .file-tabs, .choices, .insp, .setup, .sides, .lesson-body, .found, dialog";
/// Milliseconds between a change and the new marks. Reading sizes lays out the page, so that several changes share
/// one reading.
const DELAY_MS: i32 = 120;

/// Updates the marks after a while.
#[derive(Clone, Default)]
pub(crate) struct Edges {
    due: Rc<RefCell<Option<Timer>>>,
}

impl Edges {
    /// Schedules an update, unless one is pending.
    pub(crate) fn change(&self) {
        if self.due.borrow().is_some() {
            return;
        }
        let due = Rc::clone(&self.due);
        *self.due.borrow_mut() = Timer::after(DELAY_MS, move || {
            // No longer pending before the sizes are read: a change in between schedules the next update.
            let fired = due.borrow_mut().take();
            mark();
            // A timer must not be dropped within its own call.
            super::timer::soon(move || drop(fired));
        });
    }

    /// Listens to every scroll of the page.
    pub(crate) fn listener(&self) -> Option<Listener> {
        let edges = self.clone();
        let document = browser::window()?.document()?;
        let target: &EventTarget = document.as_ref();
        Some(Listener::capturing(target, "scroll", move |_| edges.change()))
    }
}

/// Marks all parts.
fn mark() {
    let parts = browser::window()
        .and_then(|window| window.document())
        .and_then(|document| document.query_selector_all(SCROLLING).ok());
    let Some(parts) = parts else { return };
    for idx in 0..parts.length() {
        if let Some(part) = parts.get(idx).and_then(|part| part.dyn_into::<Element>().ok()) {
            let more = edges_of(&part);
            let now = part.get_attribute("data-more").unwrap_or_default();
            if more != now {
                // The attribute's name is valid.
                let _ = if more.is_empty() {
                    part.remove_attribute("data-more")
                } else {
                    part.set_attribute("data-more", &more)
                };
            }
        }
    }
}

/// The edges of a part beyond which it has more: `above below`.
fn edges_of(part: &Element) -> String {
    let (top, height) = (part.scroll_top(), part.client_height());
    let (left, width) = (part.scroll_left(), part.client_width());
    let edges = [
        ("above", top > 1),
        ("below", top + height < part.scroll_height() - 1),
        ("left", left > 1),
        ("right", left + width < part.scroll_width() - 1),
    ];
    let names: Vec<&str> = edges
        .into_iter()
        .filter_map(|(name, more)| more.then_some(name))
        .collect();
    names.join(" ")
}
