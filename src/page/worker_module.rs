//! Workers: each runs this module, compiled once, on a thread of its own, or on the page where the browser has no
//! workers.

use js_sys::Object;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{MessageChannel, MessageEvent, MessagePort, Worker};

use super::timer::soon;
use worker::message::get;
use worker::threads;

/// The error for a worker that stops without a report.
const NO_MEMORY: &str = "The browser terminated the simulation; it may be out of memory";

/// A message from a worker.
pub(crate) enum FromWorker {
    /// The worker reads messages.
    Ready,
    /// A plain object; `src/worker/lib.rs` lists them.
    Message(JsValue),
    /// The worker cannot continue, with the reason.
    Failed(String),
}

/// A worker, or its work on the page where the browser has no workers. Ends when it is dropped.
pub(crate) struct WorkerHandle {
    port: MessagePort,
    worker: Option<Worker>,
    _on_message: Closure<dyn FnMut(MessageEvent)>,
    _on_error: Closure<dyn FnMut(web_sys::Event)>,
}

impl Drop for WorkerHandle {
    fn drop(&mut self) {
        self.port.set_onmessage(None);
        self.port.close();
        if let Some(worker) = &self.worker {
            worker.set_onerror(None);
            worker.terminate();
        }
    }
}

impl WorkerHandle {
    /// Starts a worker that reports to `receive`; `on_page`: on the page's own thread.
    pub(crate) fn start(on_page: bool, receive: impl Fn(FromWorker) + Clone + 'static) -> Option<Self> {
        let channel = MessageChannel::new().ok()?;
        let port = channel.port1();
        let own = receive.clone();
        let on_message = Closure::new(move |event: MessageEvent| {
            let message = event.data();
            own(if let Some(why) = get(&message, "failed").as_string() {
                FromWorker::Failed(why)
            } else if get(&message, "ready").is_truthy() {
                FromWorker::Ready
            } else {
                FromWorker::Message(message)
            });
        });
        port.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
        let own = receive.clone();
        let on_error = Closure::new(move |event: web_sys::Event| {
            // The page reports it; the console needs no second report.
            event.prevent_default();
            own(FromWorker::Failed(NO_MEMORY.to_owned()));
        });
        let other = channel.port2();
        let worker = if on_page {
            // In a separate task, as from a worker.
            soon(move || serve(other));
            None
        } else {
            let worker = threads::start(&other)?;
            worker.set_onerror(Some(on_error.as_ref().unchecked_ref()));
            Some(worker)
        };
        Some(Self {
            port,
            worker,
            _on_message: on_message,
            _on_error: on_error,
        })
    }

    /// Posts a plain object.
    pub(crate) fn post(&self, message: &Object) {
        // An open port accepts plain data.
        let _ = self.port.post_message(message);
    }
}

/// Lets this thread work for the page at the other end of a port. Natively there is no such thread.
#[cfg(target_arch = "wasm32")]
use worker::serve;
#[cfg(not(target_arch = "wasm32"))]
fn serve(_: MessagePort) {}
