//! A callback on every animation frame, until it is dropped.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::Window;

type Frame = Closure<dyn FnMut(f64)>;

/// Calls back on every animation frame with the milliseconds since the previous frame.
pub(crate) struct Ticker {
    window: Window,
    request: Rc<Cell<i32>>,
    frame: Rc<RefCell<Option<Frame>>>,
}

impl Ticker {
    /// Requests the first frame.
    pub(crate) fn start(window: Window, call: impl Fn(f64) + 'static) -> Self {
        let request = Rc::new(Cell::new(0));
        let frame: Rc<RefCell<Option<Frame>>> = Rc::default();
        let last = Cell::new(None::<f64>);
        let again = (window.clone(), Rc::clone(&request), Rc::clone(&frame));
        *frame.borrow_mut() = Some(Closure::new(move |now: f64| {
            let elapsed = last.replace(Some(now)).map_or(0.0, |last| now - last);
            let (window, request, frame) = &again;
            ask(window, request, frame);
            call(elapsed);
        }));
        ask(&window, &request, &frame);
        Self {
            window,
            request,
            frame,
        }
    }
}

fn ask(window: &Window, request: &Cell<i32>, frame: &RefCell<Option<Frame>>) {
    if let Ok(frame) = frame.try_borrow()
        && let Some(frame) = frame.as_ref()
        && let Ok(id) = window.request_animation_frame(frame.as_ref().unchecked_ref())
    {
        request.set(id);
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        // Canceling a request that has already run is not an error.
        let _ = self.window.cancel_animation_frame(self.request.get());
        // The closure that is running may own this ticker: free the closure after it returns.
        if let Some(frame) = self.frame.borrow_mut().take() {
            frame.forget_later();
        }
    }
}

trait ForgetLater {
    fn forget_later(self);
}

impl ForgetLater for Frame {
    fn forget_later(self) {
        wasm_bindgen_futures::spawn_local(async move { drop(self) });
    }
}
