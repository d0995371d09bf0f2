//! The findings of the active side's run, and the runs of the changes that they propose.
//!
//! The findings exist as soon as a run has finished. Their changes run only while the Findings view is shown, through the
//! same workers as every run.

use std::sync::Arc;

use super::choice::control;
use super::compiler::{CompiledData, Toolchain};
use super::jobs::{Job, Report};
use super::run::{Derived, Standing};
use super::start::{compiled_program, prepare};
use super::{Choice, Control, Effect, RunKey, Session};
use crate::advice::{Advice, Change, ChangeState, Finding, MeasuredChange, advice, measured};
use crate::scene::{FindingsData, StallCause};
use crate::share::{MAX_SIDES, View};
use engine::arch::architecture;
use engine::isa::Program;
use engine::trace::{AccessFamily, Segment, Simulation, Trace, TraceOptions};

#[cfg(test)]
mod tests;

/// Limit of concurrent runs.
const AT_ONCE: usize = 2;

/// A run with more accesses is analyzed when Findings or Stalls is shown, because this takes longer than a frame.
const MANY_ACCESSES: usize = 100_000;
/// The number of causes in the Stalls view.
const NUM_CAUSES: usize = 3;

/// A change, with its run while it is in progress.
#[derive(Debug)]
struct Run {
    measured: MeasuredChange,
    derived: Option<Box<Derived>>,
}

/// The findings of a run, and the runs of their changes.
#[derive(Debug, Default)]
pub(super) struct AdviceState {
    /// The run that the findings belong to.
    of: Option<RunKey>,
    advice: Option<Arc<Advice>>,
    /// Whether the changes are proposed.
    proposed: bool,
    /// Whether the findings are in the order of their measured gains.
    settled: bool,
    runs: Vec<Run>,
    held: bool,
    revision: u64,
    /// The chosen finding.
    pub(super) chosen: Option<usize>,
}

impl Run {
    /// Compiles the change and requests its run.
    fn start(&mut self, original: &Trace, toolchain: Option<Toolchain>) {
        let mut derived = Box::<Derived>::default();
        derived.follow(&self.measured.change.setup.alone(), toolchain);
        self.measured.state = ChangeState::Runs { cycles: 0 };
        self.derived = Some(derived);
        self.settle(original);
    }

    /// Updates the progress, and drops the run at its end.
    fn settle(&mut self, original: &Trace) {
        let Some(derived) = &self.derived else { return };
        self.measured.state = match derived.standing() {
            Standing::Runs(cycles) => {
                self.measured.state = ChangeState::Runs { cycles };
                return;
            }
            Standing::Refused(why) => ChangeState::Refused(why.to_owned()),
            Standing::Done(trace) => measured(original, trace),
        };
        self.derived = None;
    }
}

impl AdviceState {
    fn active(&mut self) -> impl Iterator<Item = &mut Run> {
        self.runs.iter_mut().filter(|run| run.derived.is_some())
    }

    /// Starts further runs within the limit.
    fn start_more(&mut self, room: usize, original: &Trace, toolchain: Option<Toolchain>) {
        let mut num = self.active().count();
        for run in &mut self.runs {
            if num >= room {
                break;
            }
            if run.measured.state == ChangeState::Waits {
                run.start(original, toolchain);
                self.revision += 1;
                num += usize::from(run.derived.is_some());
            }
        }
    }

    /// Stops the runs in progress; they start again from their first cycle.
    fn stop(&mut self) {
        for run in self.active() {
            run.derived = None;
            run.measured.state = ChangeState::Waits;
        }
    }
}

impl Session {
    /// A number that changes with every new result.
    pub fn advice_revision(&self) -> u64 {
        self.advice.revision
    }

    /// The findings of the active side's run; `None` until it has finished.
    pub fn advice(&self) -> Option<&Arc<Advice>> {
        self.advice.advice.as_ref()
    }

    /// The changes of all findings, with the progress of their runs; empty until the Findings view is shown.
    pub fn advice_runs(&self) -> Vec<MeasuredChange> {
        self.advice.runs.iter().map(|run| run.measured.clone()).collect()
    }

    /// Whether all changes of the active run are measured.
    pub(super) fn has_settled_advice(&self) -> bool {
        self.advice.settled
    }

    /// The trace of the active side's run, if it has ended.
    fn ended_trace(&self) -> Option<Arc<Trace>> {
        let derived = self.derived();
        let has_errors = derived.problems.iter().any(|problem| problem.fatal);
        if derived.is_running() || derived.is_compiling() || has_errors || !derived.shows_requested() {
            return None;
        }
        derived.trace().filter(|trace| trace.outcome().is_some()).cloned()
    }

    /// Follows the active side's run: finds what limits it, and starts, continues, or stops the runs of the changes.
    pub(super) fn follow_advice(&mut self) {
        let Some(trace) = self.ended_trace() else {
            if self.advice.of.is_some() && self.derived().is_running() {
                self.forget_advice();
            }
            return;
        };
        let key = self.derived().run_key();
        let num: usize = [AccessFamily::Shared, AccessFamily::Global]
            .map(|family| trace.accesses_of(family).len())
            .iter()
            .sum();
        let waits = num > MANY_ACCESSES && !self.shows(View::Findings) && !self.shows(View::Stalls);
        if self.advice.of != Some(key) && waits {
            self.forget_advice();
            return;
        }
        if self.advice.of != Some(key) {
            self.forget_advice();
            self.advice.of = Some(key);
            self.advice.advice = advice(&trace, self.setup()).map(Arc::new);
        }
        if !self.shows(View::Findings) {
            self.advice.stop();
            return;
        }
        if !self.advice.proposed
            && let Some(advice) = &self.advice.advice
        {
            let mut advice = Advice::clone(advice);
            advice.propose(&trace, self.setup());
            let run = |measured| Run {
                measured,
                derived: None,
            };
            self.advice.runs = advice.runs().into_iter().map(run).collect();
            self.advice.advice = Some(Arc::new(advice));
            self.advice.proposed = true;
            self.advice.revision += 1;
        }
        if !self.advice.held {
            self.advice.start_more(AT_ONCE, &trace, self.toolchain);
        }
        self.settle_advice();
    }

    /// Orders the findings by their gains once all changes are measured. The selected finding stays selected.
    fn settle_advice(&mut self) {
        let is_open = |run: &Run| run.measured.is_open();
        if self.advice.settled || !self.advice.proposed || self.advice.runs.iter().any(is_open) {
            return;
        }
        self.advice.settled = true;
        let Some(advice) = &self.advice.advice else { return };
        let mut advice = Advice::clone(advice);
        let chosen = self.advice.chosen.and_then(|idx| advice.findings.get(idx));
        let chosen = chosen.map(|finding| finding.rule);
        let mut runs = self.advice_runs();
        advice.settle(&mut runs);
        for (run, measured) in self.advice.runs.iter_mut().zip(runs) {
            run.measured = measured;
        }
        if let Some(rule) = chosen {
            self.advice.chosen = advice.findings.iter().position(|finding| finding.rule == rule);
        }
        self.advice.advice = Some(Arc::new(advice));
        self.advice.revision += 1;
    }

    fn forget_advice(&mut self) {
        if self.advice.of.is_none() {
            return;
        }
        self.advice = AdviceState {
            revision: self.advice.revision + 1,
            chosen: self.advice.chosen,
            ..AdviceState::default()
        };
    }

    /// Buttons to stop and to resume the measurements.
    pub(super) fn advice_controls(&self) -> Vec<Control> {
        let is_open = |run: &Run| run.measured.is_open();
        if !self.advice.runs.iter().any(is_open) {
            return Vec::new();
        }
        let held = self.advice.held;
        vec![control(
            "measure",
            "Runs of the changes",
            [
                ("continue", Choice::HoldAdvice(false), !held),
                ("stop", Choice::HoldAdvice(true), held),
            ],
        )]
    }

    /// Pauses or resumes the measurements.
    pub(super) fn hold_advice(&mut self, held: bool) {
        self.advice.held = held;
        self.advice.revision += 1;
        for run in self.advice.active() {
            if let Some(derived) = &mut run.derived {
                derived.let_go_on(!held);
            }
        }
    }

    /// The requested runs of the changes.
    pub(super) fn advice_jobs(&self) -> impl Iterator<Item = Job> {
        let derived = self.advice.runs.iter().filter_map(|run| run.derived.as_ref());
        derived.filter_map(|derived| derived.job())
    }

    /// The derived state of the runs in progress.
    pub(super) fn advice_derived(&self) -> impl Iterator<Item = &Derived> {
        self.advice.runs.iter().filter_map(|run| run.derived.as_deref())
    }

    /// Updates the run that `takes` handles. Returns whether there is one.
    fn update_advice(&mut self, mut takes: impl FnMut(&mut Derived) -> bool) -> bool {
        let Some(original) = self.ended_trace() else {
            return false;
        };
        let run = self.advice.active().find_map(|run| {
            let derived = run.derived.as_mut()?;
            takes(derived).then_some(run)
        });
        let is_taken = run.map(|run| run.settle(&original)).is_some();
        self.advice.revision += u64::from(is_taken);
        if is_taken {
            self.settle_advice();
        }
        is_taken
    }

    /// Handles the result of compilation `number` if it belongs to a change. Returns whether it does.
    pub(super) fn advice_compiled(&mut self, number: u64, data: &Result<CompiledData, String>) -> bool {
        self.update_advice(|derived| derived.compiled(number, data.clone()))
    }

    /// Handles a simulated part of a change's run.
    pub(super) fn receive_advice(&mut self, number: u64, report: Report, segment: &mut Option<Segment>) {
        self.update_advice(|derived| {
            derived.is_requested(number) && {
                derived.receive(number, report, segment.take());
                true
            }
        });
    }

    /// Handles the loss of a change's run.
    pub(super) fn lose_advice(&mut self, number: u64, why: &str) {
        self.update_advice(|derived| derived.lose(number, why));
    }

    /// Simulates the runs of the changes on this thread. Returns whether any is unfinished.
    pub(super) fn work_advice(&mut self, work: impl Fn(&mut Derived) -> bool) -> bool {
        self.follow_advice();
        let Some(original) = self.ended_trace() else {
            return false;
        };
        if self.advice.held || !self.shows(View::Findings) {
            return false;
        }
        if let Some(run) = self.advice.active().next() {
            if let Some(derived) = &mut run.derived {
                work(derived);
            }
            run.settle(&original);
        }
        self.advice.revision += 1;
        self.advice.start_more(AT_ONCE, &original, self.toolchain);
        self.settle_advice();
        self.advice.runs.iter().any(|run| run.measured.is_open())
    }
}

/// What the Findings view shows of a side.
#[derive(Debug)]
pub(super) struct OwnFindings {
    advice: Arc<Advice>,
    runs: Vec<MeasuredChange>,
    chosen: Option<usize>,
    hypothetical: String,
    program: Arc<Program>,
    is_whole: bool,
}

impl OwnFindings {
    pub(super) fn data(&self) -> FindingsData<'_> {
        FindingsData {
            advice: &self.advice,
            runs: &self.runs,
            chosen: self.chosen,
            hypothetical: &self.hypothetical,
            line_text: &*self.program,
            is_whole: self.is_whole,
        }
    }
}

impl Session {
    /// What the Findings view shows of a side; `None` if the side is not the active one, or its run has not finished.
    pub(super) fn findings_data(&self, side: usize) -> Option<OwnFindings> {
        if side != self.active_side() {
            return None;
        }
        let without = self.setup().machine.without;
        let hypothetical = if without.is_empty() {
            String::new()
        } else {
            format!("Hypothetical machine: {}.", without.text())
        };
        Some(OwnFindings {
            advice: Arc::clone(self.advice()?),
            runs: self.advice_runs(),
            chosen: self.advice.chosen,
            hypothetical,
            program: Arc::clone(self.derived().program()?),
            is_whole: self.is_presented(),
        })
    }

    /// The sentence in place of missing findings.
    pub(super) fn findings_sentence(&self, side: usize) -> String {
        if side != self.active_side() {
            return "Select this pane to see the findings of its run.".to_owned();
        }
        "No findings: the run did not finish.".to_owned()
    }

    /// Selects a finding, or deselects it.
    pub(super) fn choose_advice(&mut self, idx: usize) {
        let again = self.advice.chosen == Some(idx);
        self.advice.chosen = (!again).then_some(idx);
        self.advice.revision += 1;
    }

    /// Selects a finding.
    pub(super) fn point_at_advice(&mut self, idx: usize) {
        self.advice.chosen = Some(idx);
        self.advice.revision += 1;
    }

    /// The causes of a side's stalls, the largest first: its first findings.
    pub(super) fn stall_causes(&self, side: usize) -> Vec<StallCause> {
        let of = |(finding, of): (usize, &Finding)| StallCause {
            text: of.title.clone(),
            cycles: of.cycles,
            finding,
            is_named: of.rule.is_named(),
        };
        let advice = self.advice().filter(|_| side == self.active_side());
        let findings = advice.iter().flat_map(|advice| advice.shown().iter().enumerate());
        findings.take(NUM_CAUSES).map(of).collect()
    }

    /// Selects the next or the previous finding.
    pub(super) fn choose_advice_beside(&mut self, step: i32) {
        let num = self.advice().map_or(0, |advice| advice.shown().len());
        let Some(last) = num.checked_sub(1) else { return };
        let next = match self.advice.chosen {
            None if step > 0 => 0,
            None => last,
            Some(now) => now.saturating_add_signed(step as isize).min(last),
        };
        self.advice.chosen = Some(next);
        self.advice.revision += 1;
    }

    /// Opens a measured change as a second side of a comparison.
    pub(super) fn apply_change(&mut self, idx: usize) -> Vec<Effect> {
        let Some(run) = self.advice.runs.get(idx) else {
            return Vec::new();
        };
        let setup = run.measured.change.setup.clone();
        let text = run.measured.change.text.clone();
        if self.num_sides() >= MAX_SIDES {
            self.say("The limit is four panes. Remove a pane first.");
            return Vec::new();
        }
        let effects = self.add_side(setup);
        self.say(format!("New pane: {text}"));
        effects
    }
}

/// Runs a change on this thread.
pub fn measure(original: &Trace, change: &Change) -> ChangeState {
    let scenario = change.setup.alone();
    let program = match compiled_program(&scenario) {
        Ok(program) => program,
        Err(why) => return ChangeState::Refused(why),
    };
    let (launch, _) = prepare(&scenario, &program);
    let simulation = Simulation::new(
        architecture(scenario.arch),
        program,
        &launch,
        scenario.machine,
        TraceOptions::default(),
    );
    match simulation {
        Ok(mut simulation) => {
            simulation.advance(u64::MAX);
            measured(original, &simulation.finish())
        }
        Err(error) => ChangeState::Refused(error.to_string()),
    }
}
