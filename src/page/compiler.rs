//! The compiler's workers: requests of the session, of the editor, and of the API, one at a time each, and their
//! responses.
//!
//! A worker cannot be interrupted, so an unwanted request ends with its worker. While a request takes long, a second
//! worker starts, which then takes over.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::{Rc, Weak};

use js_sys::{Object, Uint8Array};
use yew::Callback;

use super::timer::Timer;
use super::worker_module::{self, FromWorker};
use workbench::app::compiler::{Request, Response};
use workbench::message::{from_bytes, to_bytes};
use worker::message::{get, get_bytes, set};
use worker::threads::Thread;

/// Milliseconds between two looks at a request in progress. An unwanted request ends after two looks at most.
const LOOK_MS: i32 = 250;
/// Looks after which a second worker starts: most requests end sooner.
const SPARE_LOOKS: u32 = 2;
/// Looks after which a query of the editor ends while the session waits for the same worker.
const YIELD_LOOKS: u32 = 2;
/// Looks after which a query of the editor ends in any case: 5 s. Assumption: no reader waits longer for a completion.
const QUERY_LOOKS: u32 = 20;
/// Looks after which a compilation of the API ends: 60 s. The session's compilations have a button instead.
const API_LOOKS: u32 = 240;

/// Who made a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Caller {
    /// The session, with its number of the request.
    Session(u64),
    Editor,
    Api,
}

/// A request, and the receiver of its response.
struct Call {
    caller: Caller,
    request: Vec<u8>,
    respond: Callback<Response>,
}

/// The request in progress.
struct Current {
    call: Call,
    /// Whether somebody waits for the response.
    is_wanted: bool,
    /// How often it was looked at.
    looks: u32,
}

impl Current {
    /// Why the request ends now, as a sentence; `is_awaited`: the session waits for the same worker.
    fn end(&self, is_awaited: bool) -> Option<&'static str> {
        let yields = is_awaited && self.looks >= YIELD_LOOKS;
        match self.call.caller {
            Caller::Session(_) => (!self.is_wanted).then_some("The compilation was stopped."),
            Caller::Editor => (yields || self.looks >= QUERY_LOOKS)
                .then_some("The editor's query took too long, and was stopped."),
            Caller::Api => (self.looks >= API_LOOKS)
                .then_some("The compilation took longer than 60 s, and was stopped. Shorten the source."),
        }
    }
}

struct Member {
    id: u32,
    thread: Thread,
    is_ready: bool,
}

#[derive(Default)]
struct State {
    /// The worker that answers, and the one that takes over.
    members: Vec<Member>,
    next_id: u32,
    current: Option<Current>,
    waiting: VecDeque<Call>,
    /// The next look at the request in progress.
    look: Option<Timer>,
}

/// The compiler as a service for the page.
#[derive(Clone, Default)]
struct Compiler {
    state: Rc<RefCell<State>>,
}

thread_local! {
    /// For the session and the editor.
    static COMPILER: Compiler = Compiler::default();
    /// For the API, whose requests nobody on the page can stop.
    static API: Compiler = Compiler::default();
}

/// Starts the compiler's worker, unless it is running.
pub(crate) fn start() {
    COMPILER.with(Compiler::start);
}

/// Sends a request of the editor or of the API; `respond` receives the response, once.
pub(crate) fn call(request: &Request, respond: Callback<Response>) {
    if matches!(request, Request::Api { .. }) {
        API.with(|compiler| compiler.push(Caller::Api, request, respond));
    } else {
        COMPILER.with(|compiler| compiler.push(Caller::Editor, request, respond));
    }
}

/// Sends the session's new requests, drops queued requests that the session no longer makes, and ends the one in progress.
pub(crate) fn follow(requests: &[(u64, &Request)], respond: &Callback<(u64, Response)>) {
    COMPILER.with(|compiler| compiler.follow(requests, respond));
}

impl Compiler {
    fn start(&self) {
        if self.state.borrow().members.is_empty() {
            self.add_member();
        }
    }

    /// Starts a worker. Without any, waiting requests fail.
    fn add_member(&self) {
        let id = {
            let mut state = self.state.borrow_mut();
            state.next_id += 1;
            state.next_id
        };
        let weak = Rc::downgrade(&self.state);
        let thread = worker_module::start(move |message| receive(&weak, id, message));
        let mut state = self.state.borrow_mut();
        if let Some(thread) = thread {
            state.members.push(Member {
                id,
                thread,
                is_ready: false,
            });
            return;
        }
        let waiting = std::mem::take(&mut state.waiting);
        drop(state);
        for call in waiting {
            let why = "The compiler could not be started: the browser has no message channels.";
            call.respond.emit(Response::Failed(why.to_owned()));
        }
    }

    fn follow(&self, requests: &[(u64, &Request)], respond: &Callback<(u64, Response)>) {
        let is_wanted = |call: &Call| match call.caller {
            Caller::Session(number) => requests.iter().any(|(wanted, _)| *wanted == number),
            Caller::Editor | Caller::Api => true,
        };
        let known: Vec<Caller> = {
            let mut state = self.state.borrow_mut();
            state.waiting.retain(is_wanted);
            if let Some(current) = &mut state.current {
                current.is_wanted = is_wanted(&current.call);
            }
            let current = state.current.iter().map(|current| &current.call);
            current.chain(&state.waiting).map(|call| call.caller).collect()
        };
        for (number, request) in requests {
            let caller = Caller::Session(*number);
            if !known.contains(&caller) {
                let (number, respond) = (*number, respond.clone());
                let respond = Callback::from(move |response| respond.emit((number, response)));
                self.push(caller, request, respond);
            }
        }
    }

    fn push(&self, caller: Caller, request: &Request, respond: Callback<Response>) {
        self.state.borrow_mut().waiting.push_back(Call {
            caller,
            request: to_bytes(request),
            respond,
        });
        self.start();
        self.send();
    }

    /// Sends the next request, if the worker is free.
    fn send(&self) {
        let mut state = self.state.borrow_mut();
        let is_free = state.current.is_none() && state.members.first().is_some_and(|member| member.is_ready);
        if !is_free {
            return;
        }
        let Some(call) = state.waiting.pop_front() else {
            state.look = None;
            return;
        };
        let message = Object::new();
        set(&message, "request", Uint8Array::from(call.request.as_slice()));
        state.members[0].thread.post(&message);
        state.current = Some(Current {
            call,
            is_wanted: true,
            looks: 0,
        });
        drop(state);
        self.look_later();
    }

    /// Looks at the request in progress after a while. On the page's thread there is nothing to end.
    fn look_later(&self) {
        let weak = Rc::downgrade(&self.state);
        let timer = (!worker_module::is_on_page()).then(|| {
            Timer::after(LOOK_MS, move || {
                if let Some(state) = weak.upgrade() {
                    Self { state }.look();
                }
            })
        });
        self.state.borrow_mut().look = timer.flatten();
    }

    fn look(&self) {
        let mut state = self.state.borrow_mut();
        let is_awaited = (state.waiting.iter()).any(|call| matches!(call.caller, Caller::Session(_)));
        let needs_spare = state.members.len() < 2;
        let Some(current) = &mut state.current else {
            return;
        };
        current.looks += 1;
        let (end, needs_spare) = (
            current.end(is_awaited),
            needs_spare && current.looks >= SPARE_LOOKS,
        );
        let ended = end.and_then(|why| Some((state.current.take()?, why)));
        if ended.is_some() && !state.members.is_empty() {
            state.members.remove(0);
        }
        let is_empty = state.members.is_empty();
        drop(state);
        if is_empty || (needs_spare && ended.is_none()) {
            self.add_member();
        }
        match ended {
            Some((current, why)) => {
                if current.is_wanted {
                    current.call.respond.emit(Response::Failed(why.to_owned()));
                }
                self.send();
            }
            None => self.look_later(),
        }
    }
}

/// Handles a message of worker `id`.
fn receive(state: &Weak<RefCell<State>>, id: u32, message: FromWorker) {
    let Some(state) = state.upgrade() else { return };
    let done = {
        let mut state = state.borrow_mut();
        let Some(at) = state.members.iter().position(|member| member.id == id) else {
            return;
        };
        let response = match message {
            FromWorker::Ready => {
                state.members[at].is_ready = true;
                None
            }
            FromWorker::Message(message) => {
                // The one that would have taken over.
                state.members.truncate(1);
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
            FromWorker::NotStarted => {
                state.members.remove(at);
                None
            }
            FromWorker::Failed(reason) => {
                state.members.remove(at);
                let reason = format!("{reason}. Shorten the source, or close other tabs.");
                // The one that would take over has nothing to answer.
                (at == 0).then_some(Response::Failed(reason))
            }
        };
        response.and_then(|response| {
            let current = state.current.take().map(|current| current.call);
            Some((current.or_else(|| state.waiting.pop_front())?, response))
        })
    };
    if let Some((call, response)) = done {
        call.respond.emit(response);
    }
    let compiler = Compiler { state };
    if !compiler.state.borrow().waiting.is_empty() {
        compiler.start();
    }
    compiler.send();
}
