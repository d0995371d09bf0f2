//! The parts of a device's run on other threads: the thread that has the run starts them, sends them orders, and receives
//! their replies.

use js_sys::Object;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{MessageChannel, MessageEvent, MessagePort, Worker};

use super::message::{get, get_bytes, post_bytes, set};
use super::threads;
use workbench::app::DeviceEngine;

/// What a thread sends.
pub(crate) enum FromPart {
    /// A reply, as bytes.
    Reply(Vec<u8>),
    /// The thread cannot continue.
    Lost,
}

/// A part on another thread, which ends when it is dropped.
struct PartThread {
    port: MessagePort,
    worker: Worker,
    _on_message: Closure<dyn FnMut(MessageEvent)>,
    _on_error: Closure<dyn FnMut(web_sys::Event)>,
}

impl Drop for PartThread {
    fn drop(&mut self) {
        self.port.set_onmessage(None);
        self.port.close();
        self.worker.set_onerror(None);
        self.worker.terminate();
    }
}

impl PartThread {
    fn start(receive: impl Fn(FromPart) + Clone + 'static) -> Option<Self> {
        let channel = MessageChannel::new().ok()?;
        let port = channel.port1();
        let own = receive.clone();
        let on_message = Closure::new(move |event: MessageEvent| {
            let message = event.data();
            if let Some(reply) = get_bytes(&message, "reply") {
                own(FromPart::Reply(reply));
            } else if get(&message, "failed").is_string() {
                own(FromPart::Lost);
            }
        });
        let on_error = Closure::new(move |event: web_sys::Event| {
            event.prevent_default();
            receive(FromPart::Lost);
        });
        port.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
        let worker = threads::start(&channel.port2())?;
        worker.set_onerror(Some(on_error.as_ref().unchecked_ref()));
        Some(Self {
            port,
            worker,
            _on_message: on_message,
            _on_error: on_error,
        })
    }
}

/// A device's run; parts of it may be on other threads.
pub(crate) struct DeviceRun {
    pub(crate) engine: DeviceEngine,
    threads: Vec<PartThread>,
    /// When progress was last reported.
    reported_ms: f64,
}

impl DeviceRun {
    /// Loads the run of a link on up to this number of threads. What the other ones send goes to `receive`.
    pub(crate) fn start(
        link: &str,
        num_threads: usize,
        receive: impl Fn(FromPart) + Clone + 'static,
    ) -> Result<Self, String> {
        let engine = DeviceEngine::start_on(link, num_threads)?;
        let mut run = Self {
            engine,
            threads: Vec::new(),
            reported_ms: f64::NEG_INFINITY,
        };
        let (parts, num_parts) = run.engine.parts_elsewhere();
        for part in parts {
            let Some(thread) = PartThread::start(receive.clone()) else {
                run.go_on_alone();
                break;
            };
            let message = Object::new();
            set(&message, "link", link);
            set(&message, "part", part as f64);
            set(&message, "of", num_parts as f64);
            // An open port accepts plain data.
            let _ = thread.port.post_message(&message);
            run.threads.push(thread);
        }
        Ok(run)
    }

    /// Sends the other threads their orders. Returns whether there were any.
    pub(crate) fn send_orders(&mut self) -> bool {
        if self.engine.parts_elsewhere().0.is_empty() {
            // The run goes on in lock-step.
            self.threads.clear();
        }
        let orders = self.engine.orders();
        for (part, order) in &orders {
            if let Some(thread) = self.threads.get(part.saturating_sub(1)) {
                post_bytes(&thread.port, "order", order);
            }
        }
        !orders.is_empty()
    }

    /// Takes what another thread sent.
    pub(crate) fn receive(&mut self, message: FromPart) {
        let taken = match message {
            FromPart::Reply(_) if self.threads.is_empty() => return,
            FromPart::Reply(reply) => self.engine.receive(&reply).is_ok(),
            FromPart::Lost => false,
        };
        if !taken && !self.threads.is_empty() {
            self.go_on_alone();
        }
    }

    fn go_on_alone(&mut self) {
        self.threads.clear();
        self.engine.restart_alone();
    }

    /// Whether progress is due for a report.
    pub(crate) fn is_due(&mut self, now_ms: f64, pause_ms: f64) -> bool {
        let due = now_ms - self.reported_ms >= pause_ms;
        if due {
            self.reported_ms = now_ms;
        }
        due
    }
}
