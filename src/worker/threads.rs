//! Threads: each is a worker that runs this program's own module, which is loaded and compiled once for all of them.

use std::cell::RefCell;

use js_sys::{Array, JSON, Object};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use web_sys::{Blob, BlobPropertyBag, MessagePort, Url, Worker, WorkerOptions, WorkerType};

use crate::message::set;

/// The script that a worker starts with.
const BOOT: &str = include_str!("boot.js");

#[wasm_bindgen]
extern "C" {
    /// The address of this program's JavaScript.
    #[wasm_bindgen(thread_local_v2, js_namespace = ["import", "meta"], js_name = url)]
    static GLUE: JsValue;
}

thread_local! {
    static BOOT_URL: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// The address of the script that workers start with.
fn boot_url() -> Option<String> {
    BOOT_URL.with_borrow_mut(|kept| {
        if kept.is_none() {
            let glue = GLUE.with(JsValue::clone);
            let text = BOOT.replace("\"GLUE\"", &JSON::stringify(&glue).ok()?.as_string()?);
            let options = BlobPropertyBag::new();
            options.set_type("text/javascript");
            let blob = Blob::new_with_str_sequence_and_options(&Array::of1(&text.into()), &options).ok()?;
            *kept = Url::create_object_url_with_blob(&blob).ok();
        }
        kept.clone()
    })
}

/// Starts a worker that serves a port; `None` if the browser has no workers, or none within workers.
pub fn start(port: &MessagePort) -> Option<Worker> {
    let options = WorkerOptions::new();
    options.set_type(WorkerType::Module);
    options.set_name("warpscope");
    let worker = Worker::new_with_options(&boot_url()?, &options).ok()?;
    let message = Object::new();
    // This thread's own module, which is compiled already.
    set(&message, "module", wasm_bindgen::module());
    set(&message, "port", port);
    worker
        .post_message_with_transfer(&message, &Array::of1(port))
        .ok()?;
    Some(worker)
}
