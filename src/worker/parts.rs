//! The parts of a device's run on other threads: the thread that has the run starts them, sends them orders, and receives
//! their replies.

use js_sys::Object;

use super::message::{get, get_bytes, set};
use super::threads::Thread;
use workbench::app::DeviceEngine;

/// What a thread sends.
pub(crate) enum FromPart {
    /// A reply, as bytes.
    Reply(Vec<u8>),
    /// The thread cannot continue.
    Lost,
}

/// Starts a thread for a part.
fn start_thread(receive: impl Fn(FromPart) + Clone + 'static) -> Option<Thread> {
    let own = receive.clone();
    let on_message = move |message| {
        if let Some(reply) = get_bytes(&message, "reply") {
            own(FromPart::Reply(reply));
        } else if get(&message, "failed").is_string() {
            own(FromPart::Lost);
        }
    };
    Thread::start(on_message, move || receive(FromPart::Lost))
}

/// A device's run; parts of it may be on other threads.
pub(crate) struct DeviceRun {
    pub(crate) engine: DeviceEngine,
    threads: Vec<Thread>,
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
            let Some(thread) = start_thread(receive.clone()) else {
                run.go_on_alone();
                break;
            };
            let message = Object::new();
            set(&message, "link", link);
            set(&message, "part", part as f64);
            set(&message, "of", num_parts as f64);
            thread.post(&message);
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
                thread.post_bytes("order", order);
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
