//! Runs that are wanted, and how they are simulated: by whom, the page says, which has workers or
//! none. Knows nothing of workers or of clocks.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::compiler::unpack;
use super::start::{compiled_program, prepare};
use crate::share::{self, Scenario, Setup};
use engine::arch::architecture;
use engine::trace::{Segment, Simulation, TraceOptions};

#[cfg(test)]
mod tests;

/// The last number of a run: each is given once.
static NUMBERS: AtomicU64 = AtomicU64::new(0);

/// A number for another run.
pub(super) fn next_number() -> u64 {
    NUMBERS.fetch_add(1, Ordering::Relaxed) + 1
}

/// A run that is wanted, until the session no longer lists it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// Another one for every change of what the run depends on.
    pub number: u64,
    /// All that the run depends on, as a link.
    pub link: Arc<str>,
    /// The program as bytes ([`super::compiler::pack`]), if another thread compiled it: the run needs no compiler then.
    pub program: Option<Arc<[u8]>>,
    /// Whether it is to go on now; else it is held where it is.
    pub goes_on: bool,
    /// What is made of the run.
    pub kind: JobKind,
}

/// What is made of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobKind {
    /// Its trace.
    Trace,
    /// What the checks find.
    Check,
}

/// What whoever simulates says of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Report {
    /// Cycles simulated so far.
    pub cycles: u64,
    /// Instructions issued so far, for whole warps.
    pub issues: u64,
    /// Milliseconds of simulating and of making segments so far, without waiting.
    pub busy_ms: f64,
    /// Whether it is at its end.
    pub finished: bool,
}

/// What of a scenario a run depends on, as a link.
pub(super) fn link_of(scenario: &Scenario) -> Arc<str> {
    let scenario = Setup::of(scenario).within(&Scenario::default());
    share::encode(&scenario).into()
}

/// Milliseconds of simulating before the first segment.
const FIRST_MS: f64 = 20.0;
/// Between two segments at most.
const LAST_MS: f64 = 1_000.0;
/// Instructions issued between two segments at most, and cycles, so that taking one in is a matter of
/// milliseconds.
const MOST_ISSUES: u64 = 30_000;
const MOST_CYCLES: u64 = 15_000;

/// When the next segment is due: soon at first, so that there is something to see, then ever more
/// rarely, so that segments cost little.
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

    /// Whether a segment is due now. If so, says when the next one is.
    fn is_due(&mut self, report: &Report) -> bool {
        let due = report.finished
            || report.busy_ms >= self.due_ms
            || report.issues - self.sent_issues >= MOST_ISSUES
            || report.cycles - self.sent_cycles >= MOST_CYCLES;
        if due {
            self.due_ms = report.busy_ms + report.busy_ms.clamp(FIRST_MS, LAST_MS);
            self.sent_issues = report.issues;
            self.sent_cycles = report.cycles;
        }
        due
    }
}

/// Cycles between two looks at the clock, at first, at least and at most.
const STRIDE: (u64, u64, u64) = (256, 16, 1 << 16);
/// Milliseconds between two looks at the clock, about.
const LOOK_MS: f64 = 0.5;

/// A run that is being simulated, wherever that is.
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

    /// Loads what a link describes; `program`: its compiled kernel, where that is known
    /// ([`super::compiler::pack`]).
    ///
    /// # Errors
    ///
    /// A sentence, if it does not compile or the architecture refuses the launch. Whoever made the job has checked
    /// both.
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

    /// Simulates so many cycles more, or up to the end.
    pub fn advance(&mut self, cycles: u64) -> Report {
        self.simulation.advance(cycles);
        self.report()
    }

    /// Simulates for some milliseconds by that clock. Returns how far it is, and what was added since
    /// the last segment, if another is due.
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

    /// What was added since the last segment.
    pub fn segment(&mut self) -> Segment {
        self.simulation.segment()
    }

    /// How far it is.
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
