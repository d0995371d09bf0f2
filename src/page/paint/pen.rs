//! Canvas calls that run hundreds of times per frame: strings are created once and cached, and bindings omit error
//! handling that these calls do not need.

use std::cell::RefCell;
use std::collections::BTreeMap;

use js_sys::JsString;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::wasm_bindgen;
pub(super) use web_sys::CanvasRenderingContext2d as Context;

pub(super) use super::weave::draw as weave;

/// Capacity of the text cache. A full cache is cleared.
const MAX_TEXTS: usize = 4096;

#[wasm_bindgen]
extern "C" {
    /// A drawing context.
    #[wasm_bindgen(js_name = CanvasRenderingContext2D)]
    pub(super) type Pen;

    #[wasm_bindgen(method, setter, js_name = fillStyle)]
    pub(super) fn fill_with(this: &Pen, color: &JsString);

    #[wasm_bindgen(method, setter, js_name = strokeStyle)]
    pub(super) fn stroke_with(this: &Pen, color: &JsString);

    #[wasm_bindgen(method, setter, js_name = font)]
    pub(super) fn write_in(this: &Pen, font: &JsString);

    #[wasm_bindgen(method, js_name = fillText)]
    fn fill_text(this: &Pen, text: &JsString, x: f64, y: f64);
}

/// The context as a pen.
pub(super) fn pen(context: &Context) -> &Pen {
    context.unchecked_ref()
}

/// Dashes the lines to come; whole ones where there are no lengths.
pub(super) fn dash(context: &Context, lengths: &[f64]) {
    let list = js_sys::Array::new();
    for length in lengths {
        list.push(&(*length).into());
    }
    // A list of finite numbers is a valid dash.
    let _ = context.set_line_dash(&list);
}

thread_local! {
    /// The written texts as JavaScript strings.
    static TEXTS: RefCell<BTreeMap<Box<str>, JsString>> = const { RefCell::new(BTreeMap::new()) };
}

impl Pen {
    /// Draws a text.
    pub(super) fn write(&self, text: &str, x: f64, y: f64) {
        TEXTS.with_borrow_mut(|texts| {
            if let Some(kept) = texts.get(text) {
                return self.fill_text(kept, x, y);
            }
            if texts.len() >= MAX_TEXTS {
                texts.clear();
            }
            let made = JsString::from(text);
            self.fill_text(&made, x, y);
            texts.insert(text.into(), made);
        });
    }
}
