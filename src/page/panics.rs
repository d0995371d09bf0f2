//! Reports of panics.

use std::panic::PanicHookInfo;

use js_sys::{Array, Function, Object, Reflect};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::Event;

use super::browser;

/// The event that reports a panic to `www/refused.js`.
const PANIC: &str = "warpscope-panic";

/// Installs a panic hook that reports the panic: `www/refused.js` shows a banner with a way to recover, and refuses the
/// event where nobody is to hear of it. Yew replaces a hook that is not installed through it.
pub(crate) fn report() {
    yew::set_custom_panic_hook(Box::new(|info: &PanicHookInfo<'_>| {
        let text = JsValue::from_str(&info.to_string());
        let is_heard = dispatch(PANIC, &text).unwrap_or(true);
        if is_heard {
            web_sys::console::error_1(&text);
        }
    }));
}

/// Sends an event with a text to the window: whether the page's scripts let it pass.
fn dispatch(name: &str, text: &JsValue) -> Option<bool> {
    let window = browser::window()?;
    let options = Object::new();
    // Plain objects accept any property, and a window accepts every event.
    let _ = Reflect::set(&options, &"detail".into(), text);
    let _ = Reflect::set(&options, &"cancelable".into(), &JsValue::TRUE);
    let class = Reflect::get(&window, &"CustomEvent".into()).and_then(JsCast::dyn_into::<Function>);
    let event = class.and_then(|class| Reflect::construct(&class, &Array::of2(&name.into(), &options)));
    window.dispatch_event(event.ok()?.unchecked_ref::<Event>()).ok()
}
