//! Requested runs, and their simulation in slices. The page decides which thread simulates. This module does not
//! access workers or clocks.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::start::{compiled_program, prepare};
use crate::message::unpack;
use crate::share::{self, Scenario, Setup};
use engine::arch::architecture;
use engine::trace::{Segment, Simulation, TraceOptions};

#[cfg(test)]
mod tests;

/// The last assigned run number; numbers are unique.
static NUMBERS: AtomicU64 = AtomicU64::new(0);

/// A number for a new run.
pub(super) fn next_number() -> u64 {
    NUMBERS.fetch_add(1, Ordering::Relaxed) + 1
}

/// A requested run, until the session no longer lists it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// A number that changes with every input of the run.
    pub number: u64,
    /// All inputs of the run, as a link.
    pub link: Arc<str>,
    /// The program as bytes ([`crate::message::pack`]), if another thread compiled it: the run then needs no compiler.
    pub program: Option<Arc<[u8]>>,
    /// Whether the run continues now; otherwise it is paused.
    pub goes_on: bool,
    /// The purpose of the run.
    pub kind: JobKind,
}

/// The purpose of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobKind {
    /// The trace.
    Trace,
    /// The findings of the checks.
    Check,
    /// The record of the launch on a whole device.
    Device,
    /// The record of the host program.
    Streams,
    /// Why two runs differ.
    Cause,
}

/// The progress of a run, reported by its simulator.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Report {
    /// Simulated cycles so far.
    pub cycles: u64,
    /// Warp instructions issued so far.
    pub issues: u64,
    /// Milliseconds of simulation and of segment creation so far, without waiting.
    pub busy_ms: f64,
    /// Whether the run has ended.
    pub finished: bool,
}

/// The inputs of a scenario's run, as a link.
pub(super) fn link_of(scenario: &Scenario) -> Arc<str> {
    let scenario = Setup::of(scenario).within(&Scenario::default());
    share::encode(&scenario).into()
}

/// Milliseconds of simulation before the first segment.
const FIRST_MS: f64 = 20.0;
/// Longest time between two segments, in milliseconds.
const LAST_MS: f64 = 1_000.0;
/// Limits of issued instructions and of cycles between two segments, so that ingesting a segment takes only
/// milliseconds.
const MAX_ISSUES: u64 = 30_000;
const MAX_CYCLES: u64 = 15_000;

/// The schedule of segments: frequent at first, so that the page soon shows a picture, then less frequent to
/// reduce their cost.
#[derive(Clone, Copy, Debug)]
struct Pace {
    due_ms: f64,
    sent_issues: u64,
    sent_cycles: u64,
}

impl Pace {
    const NEW: Self = Self {
        due_ms: FIRST_MS,
        sent_issues: 0,
        sent_cycles: 0,
    };

    /// Whether a segment is due now. If so, schedules the next one.
    fn is_due(&mut self, report: &Report) -> bool {
        let due = report.finished
            || report.busy_ms >= self.due_ms
            || report.issues - self.sent_issues >= MAX_ISSUES
            || report.cycles - self.sent_cycles >= MAX_CYCLES;
        if due {
            self.due_ms = report.busy_ms + report.busy_ms.clamp(FIRST_MS, LAST_MS);
            self.sent_issues = report.issues;
            self.sent_cycles = report.cycles;
        }
        due
    }
}

/// Cycles between two reads of the clock: at first, at least, and at most.
const STRIDE: (u64, u64, u64) = (256, 16, 1 << 16);
/// Approximate milliseconds between two reads of the clock.
const LOOK_MS: f64 = 0.5;

/// A run during its simulation, on any thread.
#[derive(Debug)]
pub struct Engine {
    simulation: Simulation,
    pace: Pace,
    stride: u64,
    busy_ms: f64,
}

impl Engine {
    /// The engine for a run at its first cycle.
    pub fn new(simulation: Simulation) -> Self {
        Self {
            simulation,
            pace: Pace::NEW,
            stride: STRIDE.0,
            busy_ms: 0.0,
        }
    }

    /// Loads a link's launch. `program` is its compiled kernel, if it is known
    /// ([`crate::message::pack`]).
    ///
    /// # Errors
    ///
    /// A sentence, if the kernel does not compile or the architecture rejects the launch. The session checks both
    /// before it creates a job.
    pub fn start(link: &str, program: Option<&[u8]>) -> Result<Self, String> {
        let scenario = share::decode(link).scenario;
        let program = match program {
            Some(bytes) => Arc::new(unpack(bytes, scenario.source())?),
            None => compiled_program(&scenario)?,
        };
        let (launch, _) = prepare(&scenario, &program);
        Simulation::new(
            architecture(scenario.arch),
            program,
            &launch,
            scenario.machine,
            TraceOptions::default(),
        )
        .map(Self::new)
        .map_err(|error| error.to_string())
    }

    /// Simulates up to `cycles` more cycles.
    pub fn advance(&mut self, cycles: u64) -> Report {
        self.simulation.advance(cycles);
        self.report()
    }

    /// Simulates for a slice of time. Returns the progress, and the new segment if one is
    /// due.
    pub fn work(&mut self, slice_ms: f64, now_ms: impl Fn() -> f64) -> (Report, Option<Segment>) {
        let start = now_ms();
        let mut before = start;
        loop {
            let finished = self.simulation.advance(self.stride).finished;
            let now = now_ms();
            let took = now - before;
            if took < LOOK_MS / 2.0 {
                self.stride = (self.stride * 2).min(STRIDE.2);
            } else if took > LOOK_MS * 2.0 {
                self.stride = (self.stride / 2).max(STRIDE.1);
            }
            before = now;
            if finished || now - start >= slice_ms {
                break;
            }
        }
        self.busy_ms += before - start;
        let due = self.pace.is_due(&self.report());
        let segment = due.then(|| self.segment());
        self.busy_ms += now_ms() - before;
        (self.report(), segment)
    }

    /// The trace since the last segment.
    pub fn segment(&mut self) -> Segment {
        self.simulation.segment()
    }

    /// The progress.
    pub fn report(&self) -> Report {
        let progress = self.simulation.progress();
        Report {
            cycles: progress.cycles,
            issues: progress.issues,
            busy_ms: self.busy_ms,
            finished: progress.finished,
        }
    }
}
