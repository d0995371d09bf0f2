//! The clock of a worker.

use js_sys::Reflect;
use wasm_bindgen::JsCast;
use web_sys::Performance;

thread_local! {
    static CLOCK: Option<Performance> =
        Reflect::get(&js_sys::global(), &"performance".into()).ok().and_then(|clock| clock.dyn_into().ok());
}

/// Milliseconds of a monotonic clock.
pub(crate) fn now_ms() -> f64 {
    CLOCK.with(|clock| clock.as_ref().map_or(0.0, Performance::now))
}
