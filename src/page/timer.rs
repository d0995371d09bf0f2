//! A delayed call, which a drop cancels.

use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;

use super::browser;

/// A pending call.
pub(crate) struct Timer {
    id: i32,
    _closure: Closure<dyn FnMut()>,
}

impl Timer {
    /// Calls after this many milliseconds.
    pub(crate) fn after(ms: i32, call: impl FnMut() + 'static) -> Option<Self> {
        let closure: Closure<dyn FnMut()> = Closure::new(call);
        let id = browser::window()?
            .set_timeout_with_callback_and_timeout_and_arguments_0(closure.as_ref().unchecked_ref(), ms)
            .ok()?;
        Some(Self {
            id,
            _closure: closure,
        })
    }
}

/// Calls in a separate task, as soon as the browser is idle.
pub(crate) fn soon(call: impl FnOnce() + 'static) {
    let closure = Closure::once_into_js(call);
    if let Some(window) = browser::window() {
        // A function and a number: the call cannot fail.
        let _ = window.set_timeout_with_callback_and_timeout_and_arguments_0(closure.unchecked_ref(), 0);
    }
}

impl Drop for Timer {
    fn drop(&mut self) {
        if let Some(window) = browser::window() {
            window.clear_timeout_with_handle(self.id);
        }
    }
}
