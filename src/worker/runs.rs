//! Answers requests, and simulates one run at a time in slices, reading messages between slices.

use std::cell::RefCell;
use std::rc::Rc;

use js_sys::{Object, Uint8Array};
use serde::Serialize;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{MessageChannel, MessageEvent, MessagePort};

use super::api::ApiRun;
use super::clock::now_ms;
use super::message::{buffers, get, get_bytes, post_bytes, set};
use super::parts::{DeviceRun, FromPart};
use engine::trace::Segment;
use workbench::app::compiler::{Response, respond};
use workbench::app::{CauseEngine, CheckEngine, DevicePart, Engine, Report, SideEngine, StreamsEngine};
use workbench::message::{from_bytes, to_bytes};

/// Milliseconds of simulation between two reads of messages.
const SLICE_MS: f64 = 15.0;
/// Milliseconds of checking between two progress reports.
const CHECK_MS: f64 = 100.0;

thread_local! {
    /// The port to the page, for reports of a panic.
    static PORT: RefCell<Option<MessagePort>> = const { RefCell::new(None) };
}

/// The task for a run.
enum Task {
    Trace(Box<Engine>),
    Check(Box<CheckEngine>),
    Device(Box<DeviceRun>),
    Streams(Box<StreamsEngine>),
    Cause(Box<CauseEngine>),
    Api(Box<ApiRun>),
}

impl Task {
    /// Starts the task of a message; `None` if the message contains no run.
    fn of(message: &JsValue, server: &Rc<Server>) -> Option<Result<Self, String>> {
        let api = get(message, "api");
        if api.is_object() {
            return Some(ApiRun::start(&api).map(|run| Self::Api(Box::new(run))));
        }
        let link = get(message, "link").as_string()?;
        if get(message, "checks").is_truthy() {
            return Some(CheckEngine::start(&link).map(|engine| Self::Check(Box::new(engine))));
        }
        if get(message, "device").is_truthy() {
            let num_threads = get(message, "threads").as_f64().unwrap_or(1.0);
            let (server, number) = (Rc::clone(server), get(message, "number").as_f64());
            let receive = move |message| server.receive_part(number, message);
            let run = DeviceRun::start(&link, num_threads as usize, receive);
            return Some(run.map(|run| Self::Device(Box::new(run))));
        }
        if get(message, "streams").is_truthy() {
            return Some(StreamsEngine::start(&link).map(|engine| Self::Streams(Box::new(engine))));
        }
        if get(message, "cause").is_truthy() {
            return Some(CauseEngine::start(&link).map(|engine| Self::Cause(Box::new(engine))));
        }
        let program = get(message, "program").dyn_into::<Uint8Array>().ok();
        let program = program.map(|bytes| bytes.to_vec());
        Some(Engine::start(&link, program.as_deref()).map(|engine| Self::Trace(Box::new(engine))))
    }
}

/// The run in progress.
struct Work {
    number: f64,
    task: Task,
    goes_on: bool,
}

/// The worker's state and its ports.
struct Server {
    port: MessagePort,
    work: RefCell<Option<Work>>,
    /// The part of another worker's run.
    part: RefCell<Option<DevicePart>>,
    /// A message to this thread schedules the next slice after the page's messages.
    turn: MessagePort,
}

/// Reads messages from a port.
pub fn serve(port: MessagePort) {
    // The page, if it works without workers, has a hook of its own.
    if get(&js_sys::global(), "document").is_undefined() {
        PORT.set(Some(port.clone()));
        std::panic::set_hook(Box::new(|info| {
            web_sys::console::error_1(&info.to_string().into());
            if let Some(port) = PORT.take() {
                fail(&port, None, "The worker stopped because of an internal error");
            }
        }));
    }
    let Ok(channel) = MessageChannel::new() else {
        return fail(&port, None, "The browser does not support MessageChannel");
    };
    let server = Rc::new(Server {
        port: port.clone(),
        work: RefCell::new(None),
        part: RefCell::new(None),
        turn: channel.port2(),
    });
    let own = Rc::clone(&server);
    let on_turn = Closure::<dyn FnMut()>::new(move || own.work_on());
    channel
        .port1()
        .set_onmessage(Some(on_turn.as_ref().unchecked_ref()));
    let on_message =
        Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| server.receive(&event.data()));
    port.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
    // The closures live as long as the worker.
    on_turn.forget();
    on_message.forget();
    let ready = Object::new();
    set(&ready, "ready", true);
    post(&port, &ready);
}

impl Server {
    fn receive(self: &Rc<Self>, message: &JsValue) {
        let number = get(message, "number").as_f64().unwrap_or_default();
        if let Ok(request) = get(message, "request").dyn_into::<Uint8Array>() {
            let response = match from_bytes(&request.to_vec()) {
                Ok(request) => respond(&request),
                Err(error) => Response::Failed(error),
            };
            let answer = Object::new();
            set(&answer, "number", number);
            set(
                &answer,
                "response",
                Uint8Array::from(to_bytes(&response).as_slice()),
            );
            post(&self.port, &answer);
        } else if let Some(order) = get_bytes(message, "order") {
            self.obey(&order);
        } else if let Some(part) = get(message, "part").as_f64() {
            let link = get(message, "link").as_string().unwrap_or_default();
            let num_parts = get(message, "of").as_f64().unwrap_or_default();
            match DevicePart::start(&link, part as usize, num_parts as usize) {
                Ok(part) => *self.part.borrow_mut() = Some(part),
                Err(why) => fail(&self.port, None, &why),
            }
        } else if let Some(task) = Task::of(message, self) {
            *self.work.borrow_mut() = None;
            match task {
                Ok(task) => {
                    *self.work.borrow_mut() = Some(Work {
                        number,
                        task,
                        goes_on: true,
                    });
                    self.schedule();
                }
                Err(why) => fail(&self.port, Some(number), &why),
            }
        } else if let Some(goes_on) = get(message, "goesOn").as_bool() {
            self.hold(!goes_on);
        }
    }

    /// Does what an order to the part says, and replies.
    fn obey(&self, order: &[u8]) {
        let mut part = self.part.borrow_mut();
        let reply = part.as_mut().map(|part| part.obey(order));
        match reply {
            Some(Ok(bytes)) => post_bytes(&self.port, "reply", &bytes),
            Some(Err(why)) => fail(&self.port, None, &why),
            // The part could not start, and said so.
            None => {}
        }
    }

    /// Takes what a part of the run `number` on another thread sent.
    fn receive_part(&self, number: Option<f64>, message: FromPart) {
        let mut goes_on = false;
        if let Some(Work {
            number: own,
            task: Task::Device(run),
            ..
        }) = self.work.borrow_mut().as_mut()
            && Some(*own) == number
        {
            run.receive(message);
            goes_on = !run.engine.is_waiting();
        }
        if goes_on {
            self.work_on();
        }
    }

    /// Pauses the run and sends its trace so far, or resumes the run.
    fn hold(&self, held: bool) {
        let mut work = self.work.borrow_mut();
        let Some(work) = work.as_mut() else { return };
        if work.goes_on == held {
            work.goes_on = !held;
            if held {
                if let Task::Trace(engine) = &mut work.task {
                    let segment = engine.segment();
                    self.report(work.number, &engine.report(), Some(&segment));
                }
            } else {
                self.schedule();
            }
        }
    }

    fn schedule(&self) {
        post(&self.turn, &Object::new());
    }

    /// Works on the run for one slice of time.
    fn work_on(&self) {
        let mut place = self.work.borrow_mut();
        let Some(work) = place.as_mut().filter(|work| work.goes_on) else {
            return;
        };
        let number = work.number;
        let finished = match &mut work.task {
            Task::Trace(engine) => {
                let (report, segment) = engine.work(SLICE_MS, now_ms);
                if segment.is_some() {
                    self.report(number, &report, segment.as_ref());
                }
                report.finished
            }
            Task::Check(engine) => self.work_beside(number, engine.as_mut(), "found"),
            Task::Device(run) => {
                run.send_orders();
                loop {
                    let (report, record) = run.engine.work(CHECK_MS, now_ms);
                    if report.finished || run.is_due(now_ms(), CHECK_MS) {
                        self.report_beside(number, &report, record.as_ref(), "device");
                    }
                    if report.finished {
                        break true;
                    }
                    if !run.send_orders() {
                        if run.engine.is_waiting() {
                            return;
                        }
                        break false;
                    }
                }
            }
            Task::Streams(engine) => self.work_beside(number, engine.as_mut(), "streams"),
            Task::Cause(engine) => self.work_beside(number, engine.as_mut(), "cause"),
            Task::Api(run) => {
                let report = run.work(SLICE_MS);
                self.report(number, &report, None);
                for segment in run.segments() {
                    self.report(number, &report, Some(&segment));
                }
                report.finished
            }
        };
        if !finished {
            return self.schedule();
        }
        if let Some(Work {
            task: Task::Api(run), ..
        }) = place.take()
        {
            let (report, segments, results) = run.finish(number);
            for segment in segments {
                self.report(number, &report, Some(&segment));
            }
            post(&self.port, &results);
        }
    }

    /// Works on a run beside the trace for one slice of time. Posts its record as JSON, or its progress while there is
    /// none. Returns whether the run has ended.
    fn work_beside<E: SideEngine>(&self, number: f64, engine: &mut E, name: &str) -> bool {
        let (report, record) = engine.work(CHECK_MS, now_ms);
        self.report_beside(number, &report, record.as_ref(), name);
        report.finished
    }

    /// Posts the record of a run beside the trace as JSON, or its progress while there is none.
    fn report_beside(&self, number: f64, report: &Report, record: Option<&impl Serialize>, name: &str) {
        match record.map(serde_json::to_string) {
            Some(Ok(result)) => {
                let message = Object::new();
                set(&message, "number", number);
                set(&message, name, result);
                post(&self.port, &message);
            }
            Some(Err(error)) => fail(&self.port, Some(number), &error.to_string()),
            None => self.report(number, report, None),
        }
    }

    fn report(&self, number: f64, report: &Report, segment: Option<&Segment>) {
        let message = Object::new();
        set(&message, "number", number);
        set(&message, "cycles", report.cycles as f64);
        set(&message, "issues", report.issues as f64);
        set(&message, "busyMs", report.busy_ms);
        set(&message, "finished", report.finished);
        let buffers = segment.map(buffers).unwrap_or_default();
        if segment.is_some() {
            set(&message, "buffers", &buffers);
        }
        if self
            .port
            .post_message_with_transferable(&message, &buffers)
            .is_err()
        {
            fail(
                &self.port,
                Some(number),
                "The browser has no memory left for the run's trace",
            );
        }
    }
}

/// Reports that the worker cannot continue.
fn fail(port: &MessagePort, number: Option<f64>, why: &str) {
    let message = Object::new();
    if let Some(number) = number {
        set(&message, "number", number);
    }
    set(&message, "failed", why);
    post(port, &message);
}

/// Posts plain data, which an open port accepts.
fn post(port: &MessagePort, message: &Object) {
    let _ = port.post_message(message);
}
