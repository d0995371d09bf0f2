//! Event listeners.

use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::EventTarget;

/// An event listener that is removed on drop.
pub(super) struct Listener {
    target: EventTarget,
    name: &'static str,
    /// Whether it hears events of the elements inside that do not bubble.
    captures: bool,
    closure: Closure<dyn FnMut(web_sys::Event)>,
}

impl Listener {
    /// Adds a listener, which is removed on drop.
    pub(super) fn on(
        target: &EventTarget,
        name: &'static str,
        call: impl Fn(web_sys::Event) + 'static,
    ) -> Self {
        Self::added(target, name, false, call)
    }

    /// Adds a listener that also hears events inside the target that do not bubble.
    pub(super) fn capturing(
        target: &EventTarget,
        name: &'static str,
        call: impl Fn(web_sys::Event) + 'static,
    ) -> Self {
        Self::added(target, name, true, call)
    }

    fn added(
        target: &EventTarget,
        name: &'static str,
        captures: bool,
        call: impl Fn(web_sys::Event) + 'static,
    ) -> Self {
        let closure: Closure<dyn FnMut(web_sys::Event)> = Closure::new(call);
        let function = closure.as_ref().unchecked_ref();
        // Adding a function as a listener does not fail.
        let _ = target.add_event_listener_with_callback_and_bool(name, function, captures);
        Self {
            target: target.clone(),
            name,
            captures,
            closure,
        }
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        let function = self.closure.as_ref().unchecked_ref();
        let _ = self
            .target
            .remove_event_listener_with_callback_and_bool(self.name, function, self.captures);
    }
}
