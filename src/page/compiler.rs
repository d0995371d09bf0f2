//! The compiler's worker: requests of the session and of the editor, one at a time, and their responses.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::{Rc, Weak};

use js_sys::{Object, Uint8Array};
use yew::Callback;

use super::worker_module::{self, FromWorker};
use workbench::app::compiler::{Request, Response, from_bytes, to_bytes};
use worker::message::{get, get_bytes, set};
use worker::threads::Thread;

/// After this many failed starts in a row the module starts on the page.
const FAILED_STARTS: u32 = 2;

/// A request, and the receiver of its response.
struct Call {
    /// The session's number of the request.
    number: Option<u64>,
    request: Vec<u8>,
    respond: Callback<Response>,
}

#[derive(Default)]
struct State {
    worker: Option<Thread>,
    is_ready: bool,
    failed_starts: u32,
    /// The call in progress.
    current: Option<Call>,
    waiting: VecDeque<Call>,
}

/// The compiler as a service for the page.
#[derive(Clone, Default)]
struct Compiler {
    state: Rc<RefCell<State>>,
}

thread_local! {
    static COMPILER: Compiler = Compiler::default();
}

/// Starts the compiler's worker, unless it is running.
pub(crate) fn start() {
    COMPILER.with(Compiler::start);
}

/// Sends a request; `respond` receives the response, once.
pub(crate) fn call(request: &Request, respond: Callback<Response>) {
    COMPILER.with(|compiler| compiler.push(None, request, respond));
}

/// Sends the session's new requests, and drops queued requests that the session no longer makes.
pub(crate) fn follow(requests: &[(u64, &Request)], respond: &Callback<(u64, Response)>) {
    COMPILER.with(|compiler| compiler.follow(requests, respond));
}

impl Compiler {
    fn start(&self) {
        let weak = Rc::downgrade(&self.state);
        let mut state = self.state.borrow_mut();
        if state.worker.is_none() {
            let on_page = state.failed_starts >= FAILED_STARTS;
            state.is_ready = false;
            state.worker = worker_module::start(on_page, move |message| receive(&weak, message));
            if state.worker.is_none() && !on_page {
                state.failed_starts = FAILED_STARTS;
                drop(state);
                self.start();
            }
        }
    }

    fn follow(&self, requests: &[(u64, &Request)], respond: &Callback<(u64, Response)>) {
        let is_wanted = |call: &Call| {
            (call.number).is_none_or(|number| requests.iter().any(|(wanted, _)| *wanted == number))
        };
        self.state.borrow_mut().waiting.retain(is_wanted);
        for (number, request) in requests {
            let state = self.state.borrow();
            let mut known = state.waiting.iter().chain(&state.current);
            if !known.any(|call| call.number == Some(*number)) {
                drop(known);
                drop(state);
                let (number, respond) = (*number, respond.clone());
                let respond = Callback::from(move |response| respond.emit((number, response)));
                self.push(Some(number), request, respond);
            }
        }
    }

    fn push(&self, number: Option<u64>, request: &Request, respond: Callback<Response>) {
        self.state.borrow_mut().waiting.push_back(Call {
            number,
            request: to_bytes(request),
            respond,
        });
        self.start();
        self.state.borrow_mut().send();
    }
}

impl State {
    /// Sends the next call, if the worker is free.
    fn send(&mut self) {
        let Some(worker) = self
            .worker
            .as_ref()
            .filter(|_| self.is_ready && self.current.is_none())
        else {
            return;
        };
        if let Some(call) = self.waiting.pop_front() {
            let message = Object::new();
            set(&message, "request", Uint8Array::from(call.request.as_slice()));
            worker.post(&message);
            self.current = Some(call);
        }
    }
}

fn receive(state: &Weak<RefCell<State>>, message: FromWorker) {
    let Some(state) = state.upgrade() else { return };
    let done = {
        let mut state = state.borrow_mut();
        let done = match message {
            FromWorker::Ready => {
                state.is_ready = true;
                state.failed_starts = 0;
                None
            }
            FromWorker::Message(message) => {
                let response = get_bytes(&message, "response").map_or_else(
                    || Err("The compiler sent no response.".to_owned()),
                    |bytes| from_bytes(&bytes),
                );
                debug_assert!(
                    get(&message, "failed").is_undefined(),
                    "failures have a case of their own"
                );
                Some(response.unwrap_or_else(Response::Failed))
            }
            FromWorker::Failed(reason) => {
                let was_ready = std::mem::take(&mut state.is_ready);
                let was_on_page = state.failed_starts >= FAILED_STARTS;
                state.worker = None;
                if was_ready || was_on_page {
                    let first = state.current.take().or_else(|| state.waiting.pop_front());
                    state.current = first;
                    Some(Response::Failed(format!("{reason}.")))
                } else {
                    state.failed_starts += 1;
                    None
                }
            }
        };
        done.and_then(|response| Some((state.current.take()?, response)))
    };
    if let Some((call, response)) = done {
        call.respond.emit(response);
    }
    let compiler = Compiler { state };
    if !compiler.state.borrow().waiting.is_empty() {
        compiler.start();
        compiler.state.borrow_mut().send();
    }
}
