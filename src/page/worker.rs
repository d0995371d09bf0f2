//! Inside a worker: simulates one run after another, and sends what it has as it goes.
//!
//! Messages to it: `{ number, link, checks, secondPart? }` starts a run or the checks of one, `{ goesOn }` holds it or lets it go on. Messages
//! from it: `{ ready }` once; `{ number, cycles, issues, busyMs, finished, buffers? }` as a run goes,
//! the buffers moved and not copied; `{ number, found }` when checks are at their end, as JSON; `{ number, failed }`
//! if it cannot go on.

use std::cell::RefCell;
use std::rc::Rc;

use js_sys::{Array, Object, Reflect, Uint8Array};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{DedicatedWorkerGlobalScope, MessageChannel, MessageEvent, MessagePort};

use super::browser::now_ms;
use engine::trace::Segment;
use workbench::app::{CheckEngine, Engine, Report};

/// Where the second part of the program is, compiled, once it has come: see docs/architecture.md. It is
/// sent with every run, so that no worker loads or compiles it again.
pub(super) const SECOND_PART: &str = "secondPart";
/// Milliseconds of simulating between two looks at what has come.
const SLICE_MS: f64 = 15.0;
/// Milliseconds of checking between two words on how far it is.
const CHECK_MS: f64 = 100.0;

/// The worker, if this is one.
pub(super) fn scope() -> Option<DedicatedWorkerGlobalScope> {
    js_sys::global().dyn_into().ok()
}

/// What is made of a run.
enum Task {
    Trace(Box<Engine>),
    Check(Box<CheckEngine>),
}

impl Task {
    fn start(link: &str, checks: bool) -> Result<Self, String> {
        if checks {
            CheckEngine::start(link).map(|engine| Self::Check(Box::new(engine)))
        } else {
            Engine::start(link).map(|engine| Self::Trace(Box::new(engine)))
        }
    }
}

/// What the worker does.
struct Work {
    number: u64,
    engine: Task,
    goes_on: bool,
}

/// The worker's state and its ways out.
struct Desk {
    scope: DedicatedWorkerGlobalScope,
    work: RefCell<Option<Work>>,
    /// A message to itself is a turn for those of the page.
    turn: MessagePort,
}

/// Takes messages from now on.
pub(super) fn start(scope: &DedicatedWorkerGlobalScope) {
    let Ok(channel) = MessageChannel::new() else {
        return fail(scope, None, "The browser has no channel for a worker's messages");
    };
    let desk = Rc::new(Desk {
        scope: scope.clone(),
        work: RefCell::new(None),
        turn: channel.port2(),
    });
    std::panic::set_hook(Box::new(|info| {
        web_sys::console::error_1(&info.to_string().into());
        if let Some(scope) = self::scope() {
            fail(
                &scope,
                None,
                "The simulation has stopped because of an error of its own",
            );
        }
    }));
    let own = Rc::clone(&desk);
    let on_turn = Closure::<dyn FnMut()>::new(move || own.simulate());
    channel
        .port1()
        .set_onmessage(Some(on_turn.as_ref().unchecked_ref()));
    let on_message =
        Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| desk.take(&event.data()));
    scope.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
    // They live as long as the worker.
    on_turn.forget();
    on_message.forget();
    let ready = Object::new();
    put(&ready, "ready", true);
    // A worker can post to its page.
    let _ = scope.post_message(&ready);
}

impl Desk {
    fn take(&self, message: &JsValue) {
        if let Some(link) = get(message, "link").as_string() {
            let second = get(message, SECOND_PART);
            if !second.is_undefined() {
                // A global of the worker's own.
                let _ = Reflect::set(&self.scope, &SECOND_PART.into(), &second);
            }
            let number = get(message, "number").as_f64().unwrap_or_default() as u64;
            *self.work.borrow_mut() = None;
            match Task::start(&link, get(message, "checks").is_truthy()) {
                Ok(engine) => {
                    *self.work.borrow_mut() = Some(Work {
                        number,
                        engine,
                        goes_on: true,
                    });
                    self.ask_for_turn();
                }
                Err(why) => fail(&self.scope, Some(number), &why),
            }
        } else if let Some(goes_on) = get(message, "goesOn").as_bool() {
            self.hold(!goes_on);
        }
    }

    /// Holds the run, and sends what there is of it, or lets it go on.
    fn hold(&self, held: bool) {
        let mut work = self.work.borrow_mut();
        let Some(work) = work.as_mut() else { return };
        if work.goes_on == held {
            work.goes_on = !held;
            if held {
                if let Task::Trace(engine) = &mut work.engine {
                    let segment = engine.segment();
                    self.send(work.number, &engine.report(), Some(segment));
                }
            } else {
                self.ask_for_turn();
            }
        }
    }

    fn ask_for_turn(&self) {
        // An open port takes a message.
        let _ = self.turn.post_message(&JsValue::NULL);
    }

    /// Simulates for a slice.
    fn simulate(&self) {
        let mut place = self.work.borrow_mut();
        let Some(work) = place.as_mut().filter(|work| work.goes_on) else {
            return;
        };
        let report = match &mut work.engine {
            Task::Trace(engine) => {
                let (report, segment) = engine.work(SLICE_MS, now_ms);
                if segment.is_some() {
                    self.send(work.number, &report, segment);
                }
                report
            }
            Task::Check(engine) => {
                let (report, found) = engine.work(CHECK_MS, now_ms);
                match found.map(|found| serde_json::to_string(&found)) {
                    Some(Ok(found)) => {
                        let message = Object::new();
                        put(&message, "number", work.number as f64);
                        put(&message, "found", found);
                        // A worker can post to its page.
                        let _ = self.scope.post_message(&message);
                    }
                    Some(Err(error)) => fail(&self.scope, Some(work.number), &error.to_string()),
                    None => self.send(work.number, &report, None),
                }
                report
            }
        };
        if report.finished {
            *place = None;
        } else {
            self.ask_for_turn();
        }
    }

    fn send(&self, number: u64, report: &Report, segment: Option<Segment>) {
        let message = Object::new();
        put(&message, "number", number as f64);
        put(&message, "cycles", report.cycles as f64);
        put(&message, "issues", report.issues as f64);
        put(&message, "busyMs", report.busy_ms);
        put(&message, "finished", report.finished);
        let buffers = Array::new();
        for bytes in segment.iter().flat_map(|segment| &segment.buffers) {
            buffers.push(&Uint8Array::from(bytes.as_slice()).buffer());
        }
        if segment.is_some() {
            put(&message, "buffers", &buffers);
        }
        if self.scope.post_message_with_transfer(&message, &buffers).is_err() {
            fail(
                &self.scope,
                Some(number),
                "The browser has no memory for what was simulated",
            );
        }
    }
}

/// Says that it cannot go on.
fn fail(scope: &DedicatedWorkerGlobalScope, number: Option<u64>, why: &str) {
    let message = Object::new();
    if let Some(number) = number {
        put(&message, "number", number as f64);
    }
    put(&message, "failed", why);
    // A worker can post to its page.
    let _ = scope.post_message(&message);
}

/// Sets a property of a plain object, which takes any.
pub(super) fn put(object: &Object, name: &str, value: impl Into<JsValue>) {
    let _ = Reflect::set(object, &name.into(), &value.into());
}

/// A property; undefined if there is none.
pub(super) fn get(object: &JsValue, name: &str) -> JsValue {
    Reflect::get(object, &name.into()).unwrap_or(JsValue::UNDEFINED)
}
