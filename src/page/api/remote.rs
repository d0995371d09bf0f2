//! Compilation and runs of the API in workers, or on the page's thread where workers do not start.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use js_sys::{Array, Function, Object, Promise};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use yew::Callback;

use super::{Answer, Backend, FinishedRun, Task};
use crate::compiler;
use crate::worker_module::{self, FromWorker};
use engine::isa::ElemType;
use workbench::api::{Output, rebuilt};
use workbench::app::compiler::{Request, Response};
use worker::message::{get, get_bytes, get_segment, set};
use worker::threads::Thread;

/// The backend with the compiler's worker, and a separate worker for each run.
pub(super) struct Workers;

impl Backend for Workers {
    fn compile(&self, source: String, options: String) -> Task<Answer> {
        Box::pin(async move {
            let (promise, resolve) = promise();
            let response = Rc::new(RefCell::new(None));
            let own = Rc::clone(&response);
            let respond = Callback::from(move |response| {
                own.replace(Some(response));
                settle(&resolve);
            });
            compiler::call(&Request::Api { source, options }, respond);
            wait(promise).await;
            match response.take() {
                Some(Response::Api(answer)) => {
                    serde_json::from_str(&answer?).map_err(|error| format!("compile: {error}"))
                }
                Some(Response::Failed(reason)) => Err(format!("compile: {reason}")),
                _ => Err("compile: the compiler sent no answer".to_owned()),
            }
        })
    }

    fn run(
        &self,
        scenario: String,
        options: String,
        progress: Box<dyn Fn(f64, f64)>,
    ) -> Task<Result<FinishedRun, String>> {
        Box::pin(async move {
            let (api, progress) = (Rc::new((scenario, options)), Rc::new(progress));
            loop {
                let (promise, resolve) = promise();
                let state = Rc::new(RefCell::new(State::default()));
                let own = Rc::clone(&state);
                let (api, progress) = (Rc::clone(&api), Rc::clone(&progress));
                let receive = move |message: FromWorker| {
                    let (scenario, options) = &*api;
                    let is_done = own.borrow_mut().receive(message, scenario, options, &*progress);
                    if is_done {
                        settle(&resolve);
                    }
                };
                let worker = worker_module::start(receive);
                state.borrow_mut().worker = Some(worker.ok_or("run: the simulator could not be started")?);
                wait(promise).await;
                let mut state = state.borrow_mut();
                state.worker = None;
                if state.is_unstarted {
                    // Another worker, or in the end the page's own thread.
                    continue;
                }
                return match (state.failure.take(), state.results.take()) {
                    (Some(reason), _) => Err(reason),
                    (None, Some(results)) => finished(&results, std::mem::take(&mut state.segments)),
                    (None, None) => Err("run: the simulator sent no results".to_owned()),
                };
            }
        })
    }
}

/// A run in a worker.
#[derive(Default)]
struct State {
    worker: Option<Thread>,
    segments: Vec<engine::trace::Segment>,
    results: Option<JsValue>,
    failure: Option<String>,
    /// Whether the worker did not start.
    is_unstarted: bool,
}

impl State {
    /// Handles a message. Returns whether the run has ended.
    fn receive(
        &mut self,
        message: FromWorker,
        scenario: &str,
        options: &str,
        progress: &dyn Fn(f64, f64),
    ) -> bool {
        match message {
            FromWorker::Ready => {
                let api = Object::new();
                set(&api, "scenario", scenario);
                set(&api, "options", options);
                let start = Object::new();
                set(&start, "number", 0);
                set(&start, "api", &api);
                if let Some(worker) = &self.worker {
                    worker.post(&start);
                }
                false
            }
            FromWorker::Failed(reason) => {
                self.failure = Some(reason);
                true
            }
            FromWorker::NotStarted => {
                self.is_unstarted = true;
                true
            }
            FromWorker::Message(message) if get(&message, "summary").is_string() => {
                self.results = Some(message);
                true
            }
            FromWorker::Message(message) => {
                if let Some(segment) = get_segment(&message) {
                    self.segments.push(segment);
                } else {
                    let number = |name: &str| get(&message, name).as_f64().unwrap_or_default();
                    progress(number("cycles"), number("issues"));
                }
                false
            }
        }
    }
}

/// The finished run from a worker's results and trace.
fn finished(results: &JsValue, segments: Vec<engine::trace::Segment>) -> Result<FinishedRun, String> {
    let text = |object: &JsValue, name: &str| get(object, name).as_string().unwrap_or_default();
    let damaged = |error: serde_json::Error| format!("run: the results are damaged ({error})");
    let program = get_bytes(results, "program").unwrap_or_default();
    let output = |object: JsValue| -> Result<Output, String> {
        let elem: ElemType = serde_json::from_value(text(&object, "type").into()).map_err(damaged)?;
        Ok(Output {
            argument: get(&object, "argument").as_f64().unwrap_or_default() as usize,
            name: text(&object, "name"),
            elem,
            bytes: get_bytes(&object, "bytes").unwrap_or_default(),
        })
    };
    let outputs = get(results, "outputs").dyn_into::<Array>().unwrap_or_default();
    Ok(FinishedRun {
        summary: serde_json::from_str(&text(results, "summary")).map_err(damaged)?,
        outputs: outputs.iter().map(output).collect::<Result<_, _>>()?,
        trace: Arc::new(rebuilt(&text(results, "link"), &program, segments)?),
    })
}

/// A promise, and the function that resolves it.
fn promise() -> (Promise, Rc<RefCell<Option<Function>>>) {
    let kept = Rc::new(RefCell::new(None));
    let own = Rc::clone(&kept);
    let promise = Promise::new(&mut |resolve, _| {
        own.replace(Some(resolve));
    });
    (promise, kept)
}

/// Resolves a promise, once.
fn settle(resolve: &RefCell<Option<Function>>) {
    if let Some(resolve) = resolve.take() {
        // The resolving function of a promise does not throw.
        let _ = resolve.call0(&JsValue::NULL);
    }
}

async fn wait(promise: Promise) {
    // The promise is never rejected.
    let _ = JsFuture::from(promise).await;
}
