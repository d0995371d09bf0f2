//! Messages are plain objects: their properties, and bytes and buffers among them.

use js_sys::{Array, Object, Reflect, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::MessagePort;

use engine::trace::Segment;

/// Sets a property of a plain object, which accepts any.
pub fn set(object: &Object, name: &str, value: impl Into<JsValue>) {
    let _ = Reflect::set(object, &name.into(), &value.into());
}

/// A property, or undefined if the object has no such property.
pub fn get(object: &JsValue, name: &str) -> JsValue {
    Reflect::get(object, &name.into()).unwrap_or(JsValue::UNDEFINED)
}

/// The bytes of a property, if it has bytes.
pub fn get_bytes(object: &JsValue, name: &str) -> Option<Vec<u8>> {
    Some(get(object, name).dyn_into::<Uint8Array>().ok()?.to_vec())
}

/// Posts bytes as a property of a message, and moves them: the browser keeps no second copy.
pub fn post_bytes(port: &MessagePort, name: &str, bytes: &[u8]) {
    let bytes = Uint8Array::from(bytes);
    let message = Object::new();
    set(&message, name, &bytes);
    // An open port accepts plain data.
    let _ = port.post_message_with_transferable(&message, &Array::of1(&bytes.buffer()));
}

/// The trace segment of a message, if any.
pub fn get_segment(message: &JsValue) -> Option<Segment> {
    let buffers = get(message, "buffers");
    Some(Segment {
        buffers: (buffers.dyn_ref::<Array>()?.iter())
            .map(|buffer| Uint8Array::new(&buffer).to_vec())
            .collect(),
    })
}

/// The buffers of a segment, for transfer with a message.
pub fn buffers(segment: &Segment) -> Array {
    let buffers = Array::new();
    for bytes in &segment.buffers {
        buffers.push(&Uint8Array::from(bytes.as_slice()).buffer());
    }
    buffers
}
