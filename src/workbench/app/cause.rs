//! Why the compared runs take different numbers of cycles: runs in the background while the Compare view is shown.

use std::cell::RefCell;
use std::sync::Arc;

use engine::arch::architecture;
use engine::sim::Outcome;
use engine::trace::Trace;

use super::Session;
use super::jobs::{JobKind, Report};
use super::run::Standing;
use super::side_runs::{SideEngine, SideState};
use super::start::loaded;
use crate::cause::{Account, CauseRuns, Loaded, Record, is_nearly_equal};
use crate::scene::{self, CauseState, Inspection, thousands};
use crate::share::View;

/// Work of a run, in warp instructions and fourths of cycles, up to which its cause is measured without a request.
/// Assumption: the about 30 to 120 runs of a cause then keep a worker busy for seconds, not for minutes.
const MAX_WORK: u64 = 60_000;

/// The measurement of a cause in progress, on any thread.
#[derive(Debug)]
pub struct CauseEngine(CauseRuns);

/// A measured cause, or why there is none.
pub type CauseRecord = Result<Record, String>;

impl SideEngine for CauseEngine {
    type Record = CauseRecord;
    const KIND: JobKind = JobKind::Cause;

    /// Compiles the kernels of two links, which a line feed separates.
    fn start(links: &str) -> Result<Self, String> {
        let (one, other) = links.split_once('\n').ok_or("a second run is missing")?;
        let side = |link: &str| {
            let (scenario, program, launch) = loaded(link)?;
            Ok::<Loaded, String>(Loaded {
                arch: scenario.arch,
                program,
                launch,
                options: scenario.machine,
            })
        };
        Ok(Self(CauseRuns::new(side(one)?, side(other)?)))
    }

    fn work(&mut self, slice_ms: f64, now_ms: impl Fn() -> f64) -> (Report, Option<CauseRecord>) {
        let start = now_ms();
        let record = self.0.work(|| now_ms() - start < slice_ms).transpose();
        let report = Report {
            // The progress of a cause is a number of runs.
            cycles: self.0.num_runs().into(),
            finished: record.is_some(),
            ..Report::default()
        };
        (report, record)
    }
}

/// The measurements of the Compare view.
#[derive(Debug, Default)]
pub(super) struct Causes {
    pub(super) runs: super::side_runs::SideRuns<CauseEngine>,
    /// The last shown cause in words, with its runs.
    account: RefCell<Option<(Arc<str>, Arc<Account>)>>,
    /// A long measurement that the user requested.
    requested: Option<Arc<str>>,
    /// The number whose sources are shown.
    pub(super) chosen: Option<u8>,
}

impl Causes {
    /// A record in words; kept while it is shown, because pictures of a playing run need it often.
    fn account(&self, links: &Arc<str>, record: &Record) -> Arc<Account> {
        let mut kept = self.account.borrow_mut();
        match kept.as_ref() {
            Some((of, account)) if of == links => Arc::clone(account),
            _ => {
                let account = Arc::new(Account::of(record.clone()));
                *kept = Some((Arc::clone(links), Arc::clone(&account)));
                account
            }
        }
    }
}

/// What can be measured of the compared runs.
#[derive(Debug)]
enum Question {
    /// These two runs, as links.
    Runs {
        links: Arc<str>,
        /// Whether the runs are long, so that the user decides.
        is_long: bool,
    },
    /// Nothing, for a reason in words; empty if there is nothing to say.
    Nothing(String),
}

impl Session {
    /// Measures the cause while the Compare view is on the stage and all runs have ended, and nothing else.
    pub(super) fn follow_cause(&mut self) {
        let links = match self.cause_question() {
            Question::Runs { links, is_long } => {
                let requested = self.causes.requested.as_ref() == Some(&links);
                (!is_long || requested || self.causes.runs.record(Some(&links)).is_some()).then_some(links)
            }
            Question::Nothing(_) => None,
        };
        let links: Vec<Arc<str>> = links.into_iter().collect();
        self.causes.runs.request_or_keep(&links);
    }

    /// The slowest and the fastest side, with their traces; `None` while a run is open or has not finished.
    fn extreme_sides(&self) -> Option<[(usize, &Arc<Trace>); 2]> {
        let mut traces = Vec::new();
        for (idx, derived) in self.derived_all().enumerate() {
            let Standing::Done(trace) = derived.standing() else {
                return None;
            };
            if trace.outcome() != Some(&Outcome::Finished) || !derived.shows_requested() {
                return None;
            }
            traces.push((idx, trace));
        }
        let slow = *traces.iter().rev().max_by_key(|(_, trace)| trace.num_cycles())?;
        let fast = *traces.iter().min_by_key(|(_, trace)| trace.num_cycles())?;
        Some([slow, fast])
    }

    fn cause_question(&self) -> Question {
        let nothing = || Question::Nothing(String::new());
        if !self.is_comparing() || self.ui.view != View::Compare {
            return nothing();
        }
        let Some([(slow, trace), (fast, other)]) = self.extreme_sides() else {
            return nothing();
        };
        let (own, reference) = (&self.sides[slow].setup, &self.sides[fast].setup);
        if own.arch == reference.arch {
            return nothing();
        }
        let (cycles, least) = (trace.num_cycles(), other.num_cycles());
        if is_nearly_equal(cycles, least) {
            return Question::Nothing(format!(
                "{} and {} take nearly the same number of cycles: {} and {}.",
                architecture(own.arch).name,
                architecture(reference.arch).name,
                thousands(cycles),
                thousands(least)
            ));
        }
        if own.machine.sm.is_some() || reference.machine.sm.is_some() {
            return Question::Nothing(
                "The cause is measured for one SM alone, not for an SM of the device.".to_owned(),
            );
        }
        let links = [slow, fast].map(|idx| self.sides[idx].derived.run_link());
        let [Some(own), Some(other_link)] = links else {
            return nothing();
        };
        let work = |trace: &Trace| trace.num_issues() + trace.num_cycles() / 4;
        Question::Runs {
            links: format!("{own}\n{other_link}").into(),
            is_long: work(trace).max(work(other)) > MAX_WORK,
        }
    }

    /// What the Compare view says about the cause.
    pub(super) fn cause_state(&self) -> CauseState {
        let links = match self.cause_question() {
            Question::Nothing(text) if text.is_empty() => return CauseState::Absent,
            Question::Nothing(text) => return CauseState::Words(text),
            Question::Runs { links, .. } => links,
        };
        match self.causes.runs.state(Some(&links)) {
            None => CauseState::Offered(
                "These runs are long. The cause takes about 30 to 120 further runs.".to_owned(),
            ),
            Some(SideState::Runs(runs) | SideState::Stopped(runs)) => CauseState::Words(format!(
                "Measuring the cause: the slower chip runs with one number of the faster chip after the other, {runs} runs so far."
            )),
            Some(SideState::Lost(why)) => {
                CauseState::Words(format!("The cause could not be measured. {why}"))
            }
            Some(SideState::Done(record)) => match record.as_ref() {
                Ok(record) => CauseState::Known {
                    account: self.causes.account(&links, record),
                    chosen: self.causes.chosen,
                },
                Err(why) => CauseState::Words(format!("The cause could not be measured. {why}")),
            },
        }
    }

    /// The inspector's explanation of the selected number in the Compare view.
    pub(super) fn cause_inspection(&self) -> Option<Inspection> {
        match self.cause_state() {
            CauseState::Known {
                account,
                chosen: Some(idx),
            } => scene::inspect_cause(&account, idx.into()),
            _ => None,
        }
    }

    /// The tooltip of a number in the Compare view.
    pub(super) fn cause_tooltip(&self, idx: usize) -> Option<(String, String)> {
        match self.cause_state() {
            CauseState::Known { account, .. } => scene::cause_tooltip(&account, idx),
            _ => None,
        }
    }

    /// A number that changes with every new result.
    pub(super) fn cause_revision(&self) -> u64 {
        let chosen = self.causes.chosen.map_or(0, |idx| u64::from(idx) + 1);
        let jobs = self.causes.runs.jobs().count() as u64;
        (self.causes.runs.revision() << 12) | (chosen << 2) | jobs.min(3)
    }

    /// Measures the cause of long runs.
    pub(super) fn request_cause(&mut self) {
        if let Question::Runs { links, .. } = self.cause_question() {
            self.causes.requested = Some(links);
        }
    }

    /// Shows or hides the sources of a number.
    pub(super) fn choose_cause(&mut self, idx: u8) {
        let again = self.causes.chosen == Some(idx);
        self.causes.chosen = (!again).then_some(idx);
    }

    /// Handles a measured cause.
    pub fn cause_done(&mut self, number: u64, record: CauseRecord) {
        self.causes.runs.done(number, record);
    }
}

/// The measured cause of two links, on this thread.
///
/// # Errors
/// A sentence, if one of the runs does not run to its end.
pub fn measured_cause(one: &str, other: &str) -> CauseRecord {
    let mut engine = CauseEngine::start(&format!("{one}\n{other}"))?;
    engine
        .work(f64::INFINITY, || 0.0)
        .1
        .unwrap_or_else(|| Err(String::new()))
}

#[cfg(test)]
mod tests;
