//! Reports the size of an element, now and after every change, until it is dropped.

use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{Element, ResizeObserver};
use yew::Callback;

/// Observes the size of one element.
pub(crate) struct SizeObserver {
    observer: ResizeObserver,
    _closure: Closure<dyn FnMut()>,
}

impl SizeObserver {
    /// Starts to observe, and reports the current size at once.
    pub(crate) fn watch(element: &Element, call: Callback<(f32, f32)>) -> Option<Self> {
        let watched = element.clone();
        let closure: Closure<dyn FnMut()> = Closure::new(move || {
            let (width, height) = (watched.client_width(), watched.client_height());
            if width > 0 && height > 0 {
                call.emit((width as f32, height as f32));
            }
        });
        let observer = ResizeObserver::new(closure.as_ref().unchecked_ref()).ok()?;
        observer.observe(element);
        Some(Self {
            observer,
            _closure: closure,
        })
    }
}

impl Drop for SizeObserver {
    fn drop(&mut self) {
        self.observer.disconnect();
    }
}
