//! The workers that simulate: one for each run that is wanted, up to the machine's cores; the rest wait.
//! A worker whose run is no longer wanted is ended, one whose run has ended takes the next.

use std::collections::VecDeque;

use js_sys::{Array, Object, Uint8Array};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Blob, BlobPropertyBag, MessageEvent, Url, Worker, WorkerOptions, WorkerType};
use yew::Callback;

use super::browser;
use super::worker::{SECOND_PART, get, put};
use engine::trace::Segment;
use workbench::app::{Job, JobKind, Report};
use workbench::check;

/// What a worker runs before the program is there.
const BOOT: &str = include_str!("worker.js");
/// What a lost worker is said to have died of, if it could not say.
const NO_MEMORY: &str = "The simulation was ended by the browser, which may be out of memory";
/// So many workers may end before they have begun; then the page simulates by itself.
const FALSE_STARTS: u32 = 2;

#[wasm_bindgen]
extern "C" {
    /// Where this program's JavaScript came from.
    #[wasm_bindgen(thread_local_v2, js_namespace = ["import", "meta"], js_name = url)]
    static GLUE: JsValue;
}

/// What a worker says.
pub(crate) enum FromWorker {
    /// It takes runs.
    Ready,
    /// It has simulated.
    Simulated(u64, Report, Option<Segment>),
    /// It has checked a run.
    Checked(u64, Box<check::Report>),
    /// It cannot go on.
    Failed(String),
}

/// What a worker did to the session's runs.
pub(crate) enum News {
    /// More of a run.
    More(u64, Report, Option<Segment>),
    /// What the checks of a run have found.
    Checked(u64, Box<check::Report>),
    /// A run is lost, and why.
    Lost(u64, String),
}

/// One worker.
struct Member {
    id: u32,
    worker: Worker,
    ready: bool,
    /// Its run, and whether that goes on.
    job: Option<(u64, bool)>,
    /// Its run has sent something and is not at its end.
    is_long: bool,
    _listeners: (
        Closure<dyn FnMut(MessageEvent)>,
        Closure<dyn FnMut(web_sys::Event)>,
    ),
}

impl Drop for Member {
    fn drop(&mut self) {
        self.worker.set_onmessage(None);
        self.worker.set_onerror(None);
        self.worker.terminate();
    }
}

/// The workers.
pub(crate) struct Workers {
    members: Vec<Member>,
    /// As many as the machine has cores.
    limit: usize,
    next_id: u32,
    false_starts: u32,
    /// The script they start with; none if the page has to do without them.
    script: Option<String>,
    tell: Callback<(u32, FromWorker)>,
}

impl Workers {
    /// Workers that say by `tell` what they do; the first of them comes with the first call of `follow`.
    pub(crate) fn new(tell: Callback<(u32, FromWorker)>) -> Self {
        Self {
            members: Vec::new(),
            limit: browser::cores(),
            next_id: 0,
            false_starts: 0,
            script: script(),
            tell,
        }
    }

    /// Whether runs are simulated here. If not, the page has to do it.
    pub(crate) const fn work(&self) -> bool {
        self.script.is_some()
    }

    /// Simulates these runs and no others.
    pub(crate) fn follow(&mut self, jobs: &[Job]) {
        if self.next_id == 0 {
            self.hire();
        }
        if !self.work() {
            return;
        }
        let wanted = |number: u64| jobs.iter().find(|job| job.number == number);
        self.members
            .retain(|member| member.job.is_none_or(|(number, _)| wanted(number).is_some()));
        for member in &mut self.members {
            let Some((number, goes_on)) = &mut member.job else {
                continue;
            };
            if let Some(job) = wanted(*number).filter(|job| job.goes_on != *goes_on) {
                *goes_on = job.goes_on;
                let message = Object::new();
                put(&message, "goesOn", job.goes_on);
                member.post(&message);
            }
        }
        let taken = |members: &[Member], number| {
            members
                .iter()
                .any(|member| member.job.is_some_and(|(taken, _)| taken == number))
        };
        let mut waiting: VecDeque<&Job> = jobs
            .iter()
            .filter(|job| job.goes_on && !taken(&self.members, job.number))
            .collect();
        while let Some(job) = waiting.front() {
            let held = |member: &&Member| member.job.is_some_and(|(_, goes_on)| !goes_on);
            let busy = self.members.iter().filter(|member| member.job.is_some()).count();
            if busy - self.members.iter().filter(held).count() >= self.limit {
                return;
            }
            // Those that are ready first; one on its way will be.
            let idle = |ready: bool| move |member: &Member| member.job.is_none() && member.ready == ready;
            let free = self
                .members
                .iter()
                .position(idle(true))
                .or_else(|| self.members.iter().position(idle(false)));
            let Some(free) = free else {
                if !self.hire() {
                    return;
                }
                continue;
            };
            let member = &mut self.members[free];
            member.job = Some((job.number, true));
            member.is_long = false;
            if member.ready {
                member.begin(job);
            }
            waiting.pop_front();
        }
        // One that waits for work is enough.
        let mut spare = 0;
        self.members.retain(|member| {
            spare += u32::from(member.job.is_none());
            member.job.is_some() || spare <= 1
        });
    }

    /// Takes what worker `id` says; `jobs` are the runs that are wanted.
    pub(crate) fn take(&mut self, id: u32, said: FromWorker, jobs: &[Job]) -> Option<News> {
        let at = self.members.iter().position(|member| member.id == id)?;
        let member = &mut self.members[at];
        match said {
            FromWorker::Ready => {
                member.ready = true;
                self.false_starts = 0;
                let number = member.job.map(|(number, _)| number);
                if let Some(job) = jobs.iter().find(|job| Some(job.number) == number) {
                    member.begin(job);
                }
                None
            }
            FromWorker::Simulated(number, report, segment) => {
                if member.job.map(|(number, _)| number) != Some(number) {
                    return None;
                }
                if report.finished {
                    member.job = None;
                } else if !member.is_long {
                    member.is_long = true;
                    self.keep_spare();
                }
                Some(News::More(number, report, segment))
            }
            FromWorker::Checked(number, report) => {
                if member.job.map(|(number, _)| number) != Some(number) {
                    return None;
                }
                member.job = None;
                Some(News::Checked(number, report))
            }
            FromWorker::Failed(why) => {
                let member = self.members.remove(at);
                if !member.ready {
                    self.false_starts += 1;
                    if self.false_starts >= FALSE_STARTS {
                        self.script = None;
                        self.members.clear();
                    }
                    return None;
                }
                member.job.map(|(number, _)| News::Lost(number, why))
            }
        }
    }

    /// While a run takes long, another worker stands by: if the run is changed, the next one begins at once.
    fn keep_spare(&mut self) {
        if self.members.iter().all(|member| member.job.is_some()) {
            self.hire();
        }
    }

    /// Starts a worker. Returns whether that is possible.
    fn hire(&mut self) -> bool {
        let id = self.next_id;
        self.next_id += 1;
        let hired = self
            .script
            .as_ref()
            .and_then(|script| Member::start(id, script, &self.tell));
        match hired {
            Some(member) => self.members.push(member),
            None => self.script = None,
        }
        self.work()
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        if let Some(script) = &self.script {
            // An address that was made can be given back.
            let _ = Url::revoke_object_url(script);
        }
    }
}

/// An address of the script by which workers start, if this program knows where it came from.
fn script() -> Option<String> {
    let glue = GLUE.with(|url| url.as_string())?;
    let text = BOOT.replace(
        "\"GLUE\"",
        &js_sys::JSON::stringify(&glue.into()).ok()?.as_string()?,
    );
    let options = BlobPropertyBag::new();
    options.set_type("text/javascript");
    let blob = Blob::new_with_str_sequence_and_options(&Array::of1(&text.into()), &options).ok()?;
    Url::create_object_url_with_blob(&blob).ok()
}

impl Member {
    fn start(id: u32, script: &str, tell: &Callback<(u32, FromWorker)>) -> Option<Self> {
        let options = WorkerOptions::new();
        options.set_type(WorkerType::Module);
        options.set_name("warpscope");
        let worker = Worker::new_with_options(script, &options).ok()?;
        let own = tell.clone();
        let on_message = Closure::new(move |event: MessageEvent| {
            if let Some(said) = read(&event.data()) {
                own.emit((id, said));
            }
        });
        let own = tell.clone();
        let on_error = Closure::new(move |event: web_sys::Event| {
            // It is told on the page; the console needs no second word on it.
            event.prevent_default();
            own.emit((id, FromWorker::Failed(NO_MEMORY.to_owned())));
        });
        worker.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
        worker.set_onerror(Some(on_error.as_ref().unchecked_ref()));
        // The module is shared and not compiled again.
        worker.post_message(&wasm_bindgen::module()).ok()?;
        Some(Self {
            id,
            worker,
            ready: false,
            job: None,
            is_long: false,
            _listeners: (on_message, on_error),
        })
    }

    fn begin(&self, job: &Job) {
        let message = Object::new();
        put(&message, "number", job.number as f64);
        put(&message, "link", &*job.link);
        put(&message, "checks", job.kind == JobKind::Check);
        let second = get(&js_sys::global(), SECOND_PART);
        if !second.is_undefined() {
            put(&message, SECOND_PART, second);
        }
        self.post(&message);
    }

    fn post(&self, message: &Object) {
        // Plain data can be posted.
        let _ = self.worker.post_message(message);
    }
}

/// What a message from a worker says.
fn read(message: &JsValue) -> Option<FromWorker> {
    if let Some(why) = get(message, "failed").as_string() {
        return Some(FromWorker::Failed(why));
    }
    if get(message, "ready").is_truthy() {
        return Some(FromWorker::Ready);
    }
    let number = |name: &str| get(message, name).as_f64();
    if let Some(found) = get(message, "found").as_string() {
        let report = serde_json::from_str(&found).ok()?;
        return Some(FromWorker::Checked(number("number")? as u64, Box::new(report)));
    }
    let report = Report {
        cycles: number("cycles")? as u64,
        issues: number("issues")? as u64,
        busy_ms: number("busyMs")?,
        finished: get(message, "finished").is_truthy(),
    };
    let buffers = get(message, "buffers");
    let segment = buffers.dyn_ref::<Array>().map(|buffers| Segment {
        buffers: buffers
            .iter()
            .map(|buffer| Uint8Array::new(&buffer).to_vec())
            .collect(),
    });
    Some(FromWorker::Simulated(number("number")? as u64, report, segment))
}
