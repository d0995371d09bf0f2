//! Workers: each runs this module, compiled once, on a thread of its own, or on the page where the browser has no
//! workers.

use wasm_bindgen::JsValue;

use super::timer::soon;
use worker::message::get;
use worker::threads::Thread;

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

/// Starts a worker that reports to `receive`; `on_page`: on the page's own thread.
pub(crate) fn start(on_page: bool, receive: impl Fn(FromWorker) + Clone + 'static) -> Option<Thread> {
    let own = receive.clone();
    let on_message = move |message| {
        own(if let Some(why) = get(&message, "failed").as_string() {
            FromWorker::Failed(why)
        } else if get(&message, "ready").is_truthy() {
            FromWorker::Ready
        } else {
            FromWorker::Message(message)
        });
    };
    if on_page {
        // In a separate task, as from a worker.
        Thread::here(on_message, |port| soon(move || serve(port)))
    } else {
        Thread::start(on_message, move || {
            receive(FromWorker::Failed(NO_MEMORY.to_owned()));
        })
    }
}

/// Lets this thread work for the page at the other end of a port. Natively there is no such thread.
#[cfg(target_arch = "wasm32")]
use worker::serve;
#[cfg(not(target_arch = "wasm32"))]
fn serve(_: web_sys::MessagePort) {}
