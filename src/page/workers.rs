//! The pool of simulation workers: one worker per requested run, up to the number of cores; other runs queue.
//! A worker whose run is no longer requested is terminated. A worker whose run has ended takes the next run.

use std::collections::VecDeque;

use js_sys::{Object, Uint8Array};
use wasm_bindgen::JsValue;
use yew::Callback;

use super::browser;
use super::worker_module::{self, FromWorker};
use engine::trace::Segment;
use engine::trace::device::DeviceTrace;
use workbench::app::{CauseRecord, Job, JobKind, Report};
use workbench::check;
use workbench::host_record::StreamsRecord;
use worker::message::{get, get_segment, set};
use worker::threads::Thread;

/// A device's run is spread over this number of workers at most: each has its copy of the kernel's memory.
const MAX_THREADS: usize = 4;

/// What a worker reported about the session's runs.
pub(crate) enum News {
    /// More of a run's trace.
    More(u64, Report, Option<Segment>),
    /// The findings of a run's checks.
    Checked(u64, Box<check::Report>),
    /// The record of a run on a device.
    Device(u64, Box<DeviceTrace>),
    /// The record of a host program.
    Streams(u64, Box<StreamsRecord>),
    /// Why two runs differ.
    Cause(u64, Box<CauseRecord>),
    /// The run failed, with the reason.
    Lost(u64, String),
}

/// One worker.
struct Member {
    id: u32,
    worker: Thread,
    ready: bool,
    /// The worker's run, and whether the run continues.
    job: Option<(u64, bool)>,
    /// Whether the run has reported something and has not finished.
    is_long: bool,
}

/// The pool of workers.
pub(crate) struct Workers {
    members: Vec<Member>,
    /// The limit of workers: the number of cores.
    limit: usize,
    next_id: u32,
    report: Callback<(u32, FromWorker)>,
}

impl Workers {
    /// A pool that reports to `report`. The first call of `follow` starts the first worker.
    pub(crate) fn new(report: Callback<(u32, FromWorker)>) -> Self {
        Self {
            members: Vec::new(),
            limit: browser::cores(),
            next_id: 0,
            report,
        }
    }

    /// Simulates exactly these runs.
    pub(crate) fn follow(&mut self, jobs: &[Job]) {
        if self.next_id == 0 {
            self.start_worker();
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
                set(&message, "goesOn", job.goes_on);
                member.worker.post(&message);
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
        let threads = threads_per_device(self.limit, jobs);
        while let Some(job) = waiting.front() {
            let held = |member: &&Member| member.job.is_some_and(|(_, goes_on)| !goes_on);
            let busy = self.members.iter().filter(|member| member.job.is_some()).count();
            if busy - self.members.iter().filter(held).count() >= self.limit {
                return;
            }
            // Prefer workers that are ready to workers that are still starting.
            let idle = |ready: bool| move |member: &Member| member.job.is_none() && member.ready == ready;
            let free = self
                .members
                .iter()
                .position(idle(true))
                .or_else(|| self.members.iter().position(idle(false)));
            let Some(free) = free else {
                if !self.start_worker() {
                    return;
                }
                continue;
            };
            let member = &mut self.members[free];
            member.job = Some((job.number, true));
            member.is_long = false;
            if member.ready {
                member.begin(job, threads);
            }
            waiting.pop_front();
        }
        // One idle worker is enough.
        let mut spare = 0;
        self.members.retain(|member| {
            spare += u32::from(member.job.is_none());
            member.job.is_some() || spare <= 1
        });
    }

    /// Handles a message of worker `id`; `jobs` are the requested runs.
    pub(crate) fn take(&mut self, id: u32, message: FromWorker, jobs: &[Job]) -> Option<News> {
        let at = self.members.iter().position(|member| member.id == id)?;
        let member = &mut self.members[at];
        let message = match message {
            FromWorker::Ready => {
                member.ready = true;
                let number = member.job.map(|(number, _)| number);
                if let Some(job) = jobs.iter().find(|job| Some(job.number) == number) {
                    member.begin(job, threads_per_device(self.limit, jobs));
                }
                return None;
            }
            FromWorker::Message(message) => message,
            FromWorker::Failed(why) => {
                let member = self.members.remove(at);
                let number = member.job.map(|(number, _)| number);
                return Some(News::Lost(number?, why));
            }
            FromWorker::NotStarted => {
                // The next call of `follow` starts another one for its run.
                self.members.remove(at);
                return None;
            }
        };
        let number = get(&message, "number").as_f64()? as u64;
        if member.job.map(|(number, _)| number) != Some(number) {
            return None;
        }
        if let Some(found) = get(&message, "found").as_string() {
            member.job = None;
            let report = serde_json::from_str(&found).ok()?;
            return Some(News::Checked(number, Box::new(report)));
        }
        if let Some(trace) = get(&message, "device").as_string() {
            member.job = None;
            let trace = serde_json::from_str(&trace).ok()?;
            return Some(News::Device(number, Box::new(trace)));
        }
        if let Some(record) = get(&message, "streams").as_string() {
            member.job = None;
            let record = serde_json::from_str(&record).ok()?;
            return Some(News::Streams(number, Box::new(record)));
        }
        if let Some(record) = get(&message, "cause").as_string() {
            member.job = None;
            let record = serde_json::from_str(&record).ok()?;
            return Some(News::Cause(number, Box::new(record)));
        }
        let report = report(&message)?;
        if report.finished {
            member.job = None;
        } else if !member.is_long {
            member.is_long = true;
            self.keep_spare();
        }
        Some(News::More(number, report, get_segment(&message)))
    }

    /// Keeps a spare worker ready during a long run, so that a changed run starts at once.
    fn keep_spare(&mut self) {
        if self.members.iter().all(|member| member.job.is_some()) {
            self.start_worker();
        }
    }

    /// Starts a worker. Returns whether a worker could start.
    fn start_worker(&mut self) -> bool {
        let is_held = |member: &Member| member.job.is_some_and(|(_, goes_on)| !goes_on);
        if worker_module::is_on_page() && !self.members.iter().all(is_held) {
            // On the page's thread a second simulator would only slow down the first. A held run keeps its own.
            return false;
        }
        let id = self.next_id;
        self.next_id += 1;
        let own = self.report.clone();
        let Some(worker) = worker_module::start(move |message| own.emit((id, message))) else {
            return false;
        };
        self.members.push(Member {
            id,
            worker,
            ready: false,
            job: None,
            is_long: false,
        });
        true
    }
}

/// The workers of each run on a device, with this number of cores; one where the page's thread does their work.
fn threads_per_device(cores: usize, jobs: &[Job]) -> usize {
    if worker_module::is_on_page() {
        return 1;
    }
    let num = jobs.iter().filter(|job| job.kind == JobKind::Device).count();
    (cores / num.max(1)).clamp(1, MAX_THREADS)
}

impl Member {
    fn begin(&self, job: &Job, threads: usize) {
        let message = Object::new();
        set(&message, "number", job.number as f64);
        set(&message, "link", &*job.link);
        set(&message, "checks", job.kind == JobKind::Check);
        set(&message, "device", job.kind == JobKind::Device);
        set(&message, "streams", job.kind == JobKind::Streams);
        set(&message, "cause", job.kind == JobKind::Cause);
        if job.kind == JobKind::Device {
            set(&message, "threads", threads as f64);
        }
        if let Some(program) = &job.program {
            set(&message, "program", Uint8Array::from(&**program));
        }
        self.worker.post(&message);
    }
}

/// The report in a message, if the message holds one.
fn report(message: &JsValue) -> Option<Report> {
    let number = |name: &str| get(message, name).as_f64();
    Some(Report {
        cycles: number("cycles")? as u64,
        issues: number("issues")? as u64,
        busy_ms: number("busyMs")?,
        finished: get(message, "finished").is_truthy(),
    })
}
