//! How the focus came to its element: by a pointer or by keys. After a click, the space bar plays; on an element that Tab or
//! an arrow key reached, it presses the element.

use std::cell::Cell;

use wasm_bindgen::JsCast;
use web_sys::{EventTarget, KeyboardEvent};

use super::listener::Listener;

thread_local! {
    /// Whether the last key before a change of the focus moves the focus.
    static IS_MOVED_BY_KEY: Cell<bool> = const { Cell::new(false) };
    /// Whether a pointer was pressed after the focus last moved by a key.
    static IS_BY_POINTER: Cell<bool> = const { Cell::new(false) };
    /// Whether the page took the space bar that is down.
    static HAS_SPACE: Cell<bool> = const { Cell::new(false) };
}

/// Whether a key moves the focus: from control to control, or within a list of controls.
fn moves_focus(key: &str) -> bool {
    key == "Tab" || key.starts_with("Arrow") || matches!(key, "Home" | "End")
}

/// Whether the space bar plays although a control has the focus: a pointer was used last, and no key moved the focus since.
pub(crate) fn is_by_pointer() -> bool {
    IS_BY_POINTER.get()
}

/// Notes that the page took the space bar. Some browsers press a button at the key's release, which is then taken, too.
pub(crate) fn take_space() {
    HAS_SPACE.set(true);
}

/// The listeners of a window that follow its pointer, its keys, and its focus.
pub(crate) fn listeners(window: &EventTarget) -> Vec<Listener> {
    let key_of = |event: &web_sys::Event| event.dyn_ref::<KeyboardEvent>().map(KeyboardEvent::key);
    vec![
        Listener::capturing(window, "pointerdown", |_| {
            IS_MOVED_BY_KEY.set(false);
            IS_BY_POINTER.set(true);
        }),
        Listener::capturing(window, "keydown", move |event| {
            IS_MOVED_BY_KEY.set(key_of(&event).is_some_and(|key| moves_focus(&key)));
        }),
        Listener::capturing(window, "focusin", |_| {
            if IS_MOVED_BY_KEY.get() {
                IS_BY_POINTER.set(false);
            }
        }),
        Listener::capturing(window, "keyup", move |event| {
            if key_of(&event).as_deref() == Some(" ") && HAS_SPACE.take() {
                event.prevent_default();
            }
        }),
    ]
}
