//! Reports the size of an element, now and after every change, until it is dropped.

use std::cell::Cell;
use std::rc::Rc;

use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{Element, ResizeObserver};
use yew::Callback;

/// Observes the size of one element.
pub(crate) struct SizeObserver {
    observer: ResizeObserver,
    state: Rc<State>,
    _changed: Closure<dyn FnMut()>,
    _frame: Rc<Closure<dyn FnMut()>>,
}

/// What has been reported, and what is about to be.
struct State {
    element: Element,
    call: Callback<(f32, f32)>,
    reported: Cell<(i32, i32)>,
    /// The animation frame that reports the latest size.
    frame: Cell<Option<i32>>,
}

impl State {
    /// Reports the size if it is new. An element without a size is hidden, and keeps the last one.
    fn report(&self) {
        let (width, height) = (self.element.client_width(), self.element.client_height());
        if width > 0 && height > 0 && self.reported.replace((width, height)) != (width, height) {
            self.call.emit((width as f32, height as f32));
        }
    }
}

impl SizeObserver {
    /// Starts to observe, and reports the current size at once.
    ///
    /// Later sizes are reported in the next animation frame. The page then changes, perhaps with the sizes of other
    /// observed elements. Within the call of a `ResizeObserver`, that is an error in browsers: a loop with
    /// undelivered notifications.
    pub(crate) fn watch(element: &Element, call: Callback<(f32, f32)>) -> Option<Self> {
        let state = Rc::new(State {
            element: element.clone(),
            call,
            reported: Cell::default(),
            frame: Cell::default(),
        });
        state.report();
        let frame = {
            let state = state.clone();
            Rc::new(Closure::<dyn FnMut()>::new(move || {
                state.frame.set(None);
                state.report();
            }))
        };
        let changed = {
            let (state, frame) = (state.clone(), frame.clone());
            Closure::<dyn FnMut()>::new(move || {
                if state.frame.get().is_none()
                    && let Some(window) = web_sys::window()
                {
                    let id = window.request_animation_frame((*frame).as_ref().unchecked_ref());
                    state.frame.set(id.ok());
                }
            })
        };
        let observer = ResizeObserver::new(changed.as_ref().unchecked_ref()).ok()?;
        observer.observe(element);
        Some(Self {
            observer,
            state,
            _changed: changed,
            _frame: frame,
        })
    }
}

impl Drop for SizeObserver {
    fn drop(&mut self) {
        self.observer.disconnect();
        if let Some((window, id)) = web_sys::window().zip(self.state.frame.take()) {
            // Without this call, the browser would call a closure that no longer exists.
            let _ = window.cancel_animation_frame(id);
        }
    }
}
