//! Properties of messages, which are plain objects.

use js_sys::{Array, Object, Reflect, Uint8Array};
use wasm_bindgen::JsValue;

use engine::trace::Segment;

/// Sets a property of a plain object, which accepts any.
pub(crate) fn set(object: &Object, name: &str, value: impl Into<JsValue>) {
    let _ = Reflect::set(object, &name.into(), &value.into());
}

/// A property, or undefined if the object has no such property.
pub(crate) fn get(object: &JsValue, name: &str) -> JsValue {
    Reflect::get(object, &name.into()).unwrap_or(JsValue::UNDEFINED)
}

/// Bytes as a property of a message.
pub(crate) fn bytes(bytes: &[u8]) -> Uint8Array {
    Uint8Array::from(bytes)
}

/// The buffers of a segment, for transfer with a message.
pub(crate) fn buffers(segment: &Segment) -> Array {
    let buffers = Array::new();
    for bytes in &segment.buffers {
        buffers.push(&Uint8Array::from(bytes.as_slice()).buffer());
    }
    buffers
}
