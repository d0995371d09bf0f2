//! Workers: each runs this module, compiled once, on a thread of its own. Where workers do not start, the page does their
//! work on its own thread.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use wasm_bindgen::JsValue;
use yew::Callback;

use super::timer::{Timer, soon};
use worker::message::get;
use worker::threads::Thread;

/// The error for a worker that stops without a report.
const NO_MEMORY: &str = "The browser ended the worker, which may be out of memory";
/// Failed starts in a row after which the page works without workers. One start can fail for lack of memory.
const FAILED_STARTS: u32 = 2;
/// Milliseconds in which a worker reports that it reads messages. Assumption: a phone instantiates the compiled module
/// within 5 s, also while other pages load; a shorter time would take workers away from slow machines.
const START_MS: i32 = 15_000;

/// A message from a worker.
pub(crate) enum FromWorker {
    /// The worker reads messages.
    Ready,
    /// A plain object; `src/worker/lib.rs` lists them.
    Message(JsValue),
    /// The worker cannot continue, with the reason.
    Failed(String),
    /// The worker did not start. Another one can be started: after some attempts, [`start`] works on the page.
    NotStarted,
}

/// Why the page works without workers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fallback {
    /// The browser has none, or a policy forbids them.
    None,
    /// They do not answer.
    Silent,
}

thread_local! {
    /// Why the page works without workers, if it does.
    static FALLBACK: Cell<Option<Fallback>> = const { Cell::new(None) };
    /// Failed starts in a row.
    static FAILED: Cell<u32> = const { Cell::new(0) };
    /// Receives the fallback.
    static LISTENER: RefCell<Option<Callback<Fallback>>> = const { RefCell::new(None) };
}

/// Whether the page works without workers: everything on its own thread.
pub(crate) fn is_on_page() -> bool {
    FALLBACK.get().is_some()
}

/// Reports to `listener` why the page works without workers, now or once it does.
pub(crate) fn on_fallback(listener: Callback<Fallback>) {
    if let Some(why) = FALLBACK.get() {
        listener.emit(why);
    }
    LISTENER.set(Some(listener));
}

fn fall_back(why: Fallback) {
    if FALLBACK.get().is_none() {
        FALLBACK.set(Some(why));
        let listener = LISTENER.with_borrow(Clone::clone);
        if let Some(listener) = listener {
            listener.emit(why);
        }
    }
}

/// A worker until it reads messages.
#[derive(Default)]
struct Starting {
    is_over: Cell<bool>,
    /// Runs while the worker starts.
    timer: RefCell<Option<Timer>>,
}

impl Starting {
    /// Ends the start. Returns whether it was in progress.
    fn end(&self) -> bool {
        self.timer.take();
        !self.is_over.replace(true)
    }
}

/// Counts a failed start, and reports it.
fn fail(receive: &impl Fn(FromWorker)) {
    let failed = FAILED.get() + 1;
    FAILED.set(failed);
    if failed >= FAILED_STARTS {
        fall_back(Fallback::None);
    }
    receive(FromWorker::NotStarted);
}

/// Starts a worker that reports to `receive`; after failed starts, its work is on the page's own thread. `None`: the
/// browser has no message channels.
pub(crate) fn start(receive: impl Fn(FromWorker) + Clone + 'static) -> Option<Thread> {
    if is_on_page() {
        return start_on_page(receive);
    }
    let starting = Rc::new(Starting::default());
    let (own, from) = (Rc::clone(&starting), receive.clone());
    let on_message = move |message| match parse(message) {
        FromWorker::Ready => {
            own.end();
            FAILED.set(0);
            from(FromWorker::Ready);
        }
        FromWorker::Failed(_) if own.end() => fail(&from),
        message => from(message),
    };
    let (own, from) = (Rc::clone(&starting), receive.clone());
    let on_end = move || {
        if own.end() {
            fail(&from);
        } else {
            from(FromWorker::Failed(NO_MEMORY.to_owned()));
        }
    };
    let Some(thread) = Thread::start(on_message, on_end) else {
        fall_back(Fallback::None);
        return start_on_page(receive);
    };
    // The listeners own the timer: it ends with the thread.
    let own = Rc::downgrade(&starting);
    let timer = Timer::after(START_MS, move || {
        if own
            .upgrade()
            .is_some_and(|starting| !starting.is_over.replace(true))
        {
            fall_back(Fallback::Silent);
            receive(FromWorker::NotStarted);
        }
    });
    starting.timer.replace(timer);
    Some(thread)
}

/// Does a worker's work on the page's own thread, in tasks of its own, as from a worker.
fn start_on_page(receive: impl Fn(FromWorker) + 'static) -> Option<Thread> {
    let on_message = move |message| receive(parse(message));
    Thread::here(on_message, |port| soon(move || serve(port)))
}

fn parse(message: JsValue) -> FromWorker {
    if let Some(why) = get(&message, "failed").as_string() {
        FromWorker::Failed(why)
    } else if get(&message, "ready").is_truthy() {
        FromWorker::Ready
    } else {
        FromWorker::Message(message)
    }
}

/// Lets this thread work for the page at the other end of a port. Natively there is no such thread.
#[cfg(target_arch = "wasm32")]
use worker::serve;
#[cfg(not(target_arch = "wasm32"))]
fn serve(_: web_sys::MessagePort) {}
