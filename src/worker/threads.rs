//! Threads: each is a worker that runs this program's own module, which is loaded and compiled once for all of them,
//! and is reached through a port.

use js_sys::{Array, Object};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Event, MessageChannel, MessageEvent, MessagePort, Worker, WorkerOptions, WorkerType};

use crate::message::{get, post_bytes, set};

/// The global variable with the address of the script that workers start with (`boot.js`): a file beside the page. The
/// page's start sets it, and in a worker the script itself.
const BOOT_URL: &str = "warpscopeWorker";

/// Starts a worker that serves a port; `None` if the browser has no workers, or none within workers.
fn start(port: &MessagePort) -> Option<Worker> {
    let options = WorkerOptions::new();
    options.set_type(WorkerType::Module);
    options.set_name("warpscope");
    let global = js_sys::global();
    // A frame of a sandbox without an origin may not start a worker from the page's address. Some browsers say so late.
    if get(&global, "origin").as_string().as_deref() == Some("null") {
        return None;
    }
    let address = get(&global, BOOT_URL).as_string()?;
    let worker = Worker::new_with_options(&address, &options).ok()?;
    let message = Object::new();
    // This thread's own module, which is compiled already.
    set(&message, "module", wasm_bindgen::module());
    set(&message, "port", port);
    worker
        .post_message_with_transfer(&message, &Array::of1(port))
        .ok()?;
    Some(worker)
}

type ErrorListener = Closure<dyn FnMut(Event)>;

/// A worker, or its work on this thread, at the other end of a port. Ends when it is dropped.
pub struct Thread {
    port: MessagePort,
    /// The worker, and the listener to its errors.
    worker: Option<(Worker, ErrorListener)>,
    _on_message: Closure<dyn FnMut(MessageEvent)>,
}

impl Drop for Thread {
    fn drop(&mut self) {
        self.port.set_onmessage(None);
        self.port.close();
        if let Some((worker, _)) = &self.worker {
            worker.set_onerror(None);
            worker.terminate();
        }
    }
}

impl Thread {
    /// Starts a worker; its messages go to `on_message`, and its end without a report to `on_end`. `None` if the browser
    /// has no workers, or none within workers.
    pub fn start(on_message: impl Fn(JsValue) + 'static, on_end: impl Fn() + 'static) -> Option<Self> {
        let (mut thread, other) = Self::connected(on_message)?;
        let on_error = Closure::new(move |event: Event| {
            // The page reports it; the console needs no second report.
            event.prevent_default();
            on_end();
        });
        let worker = start(&other)?;
        worker.set_onerror(Some(on_error.as_ref().unchecked_ref()));
        thread.worker = Some((worker, on_error));
        Some(thread)
    }

    /// The same without a worker: `serve` gets the other end of the port. `None` if the browser has no channels.
    pub fn here(on_message: impl Fn(JsValue) + 'static, serve: impl FnOnce(MessagePort)) -> Option<Self> {
        let (thread, other) = Self::connected(on_message)?;
        serve(other);
        Some(thread)
    }

    /// This end of a channel, and the other end.
    fn connected(on_message: impl Fn(JsValue) + 'static) -> Option<(Self, MessagePort)> {
        let channel = MessageChannel::new().ok()?;
        let port = channel.port1();
        let on_message = Closure::new(move |event: MessageEvent| on_message(event.data()));
        port.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
        let thread = Self {
            port,
            worker: None,
            _on_message: on_message,
        };
        Some((thread, channel.port2()))
    }

    /// Posts a plain object.
    pub fn post(&self, message: &Object) {
        // An open port accepts plain data.
        let _ = self.port.post_message(message);
    }

    /// Posts an object with bytes, which are moved.
    pub fn post_bytes(&self, name: &str, bytes: &[u8]) {
        post_bytes(&self.port, name, bytes);
    }
}
