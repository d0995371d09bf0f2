//! The measured changes of a run, and the words for what they gain.

use super::{Advice, Change};
use crate::scene::thousands;
use engine::sim::Outcome;
use engine::trace::Trace;

/// The result of a change's run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Measured {
    /// Cycles of the changed run.
    pub cycles: u64,
    /// Whether its outputs equal those of the original run, bit by bit.
    pub same_outputs: bool,
}

/// The progress of a change's run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChangeState {
    /// Not started.
    Waits,
    /// Running.
    Runs {
        /// Cycles so far.
        cycles: u64,
    },
    /// Finished.
    Done(Measured),
    /// It does not compile, does not finish, or the launch is refused: the reason.
    Refused(String),
}

/// A change with the progress of its run.
#[derive(Clone, Debug, PartialEq)]
pub struct MeasuredChange {
    /// The finding, by its index.
    pub finding: usize,
    /// The change.
    pub change: Change,
    /// Progress.
    pub state: ChangeState,
}

impl MeasuredChange {
    /// The result of a run with the original outputs.
    pub fn result(&self) -> Option<&Measured> {
        match &self.state {
            ChangeState::Done(measured) if measured.same_outputs => Some(measured),
            _ => None,
        }
    }

    /// Whether the run has not ended.
    pub const fn is_open(&self) -> bool {
        matches!(self.state, ChangeState::Waits | ChangeState::Runs { .. })
    }
}

/// The result of a change's run: cycles, and whether the outputs equal the original ones.
pub fn measured(original: &Trace, changed: &Trace) -> ChangeState {
    match changed.outcome() {
        Some(Outcome::Finished) => {}
        Some(Outcome::Fault(_)) => return ChangeState::Refused("The changed kernel faults.".to_owned()),
        _ => return ChangeState::Refused("The changed kernel does not finish.".to_owned()),
    }
    let same_outputs = match (original.outputs(), changed.outputs()) {
        (Some(one), Some(other)) => one.compared().eq(other.compared()),
        _ => false,
    };
    ChangeState::Done(Measured {
        cycles: changed.num_cycles(),
        same_outputs,
    })
}

/// The best change of a finding among those that keep the outputs: a real one if any gains, otherwise the hypothetical one;
/// its index in `runs`.
pub fn best(runs: &[MeasuredChange], finding: usize, cycles: u64) -> Option<usize> {
    let of = |hypothetical: bool| {
        runs.iter()
            .enumerate()
            .filter(move |(_, run)| run.finding == finding && run.change.is_hypothetical == hypothetical)
            .filter(|(_, run)| !run.change.is_bound && !run.change.rests_on_assumption)
            .filter_map(|(idx, run)| Some((idx, run.result()?.cycles)))
            .min_by_key(|(_, cycles)| *cycles)
    };
    let gains = |found: &(usize, u64)| is_gain(cycles, found.1);
    let real = of(false);
    real.filter(gains)
        .or_else(|| of(true).filter(gains))
        .or(real)
        .or_else(|| of(true))
        .map(|(idx, _)| idx)
}

/// Whether a run is faster by at least one percent.
pub const fn is_gain(before: u64, after: u64) -> bool {
    after * 101 <= before * 100
}

/// `2.2`, `1.09`, or `12`: the factor by which a run with `after` cycles is faster.
pub fn times_text(before: u64, after: u64) -> String {
    let ratio = before as f64 / after.max(1) as f64;
    if ratio >= 9.95 {
        format!("{ratio:.0}")
    } else if ratio >= 1.195 {
        format!("{ratio:.1}")
    } else {
        format!("{ratio:.2}")
    }
}

/// What a change gains, as a sentence.
pub fn gain_text(before: u64, run: &MeasuredChange) -> String {
    match &run.state {
        ChangeState::Waits => "Not measured yet.".to_owned(),
        ChangeState::Runs { cycles } => format!("Running, cycle {}.", thousands(*cycles)),
        ChangeState::Refused(why) => format!("Not possible: {why}"),
        ChangeState::Done(measured) if !measured.same_outputs => {
            format!(
                "{} to {} cycles, but the outputs differ.",
                thousands(before),
                thousands(measured.cycles)
            )
        }
        ChangeState::Done(measured) if is_gain(before, measured.cycles) => {
            let gain = format!(
                "{} to {} cycles: {} times faster",
                thousands(before),
                thousands(measured.cycles),
                times_text(before, measured.cycles)
            );
            if run.change.rests_on_assumption {
                format!("{gain}, if an L1 has as few misses in flight as assumed.")
            } else {
                format!("{gain}.")
            }
        }
        ChangeState::Done(measured) => format!(
            "Does not help: {} to {} cycles.",
            thousands(before),
            thousands(measured.cycles)
        ),
    }
}

/// The verdict of a run in one or two sentences: its cycles, what limits it, and, once measured, what helps.
pub fn verdict(advice: &Advice, runs: &[MeasuredChange]) -> String {
    let cycles = thousands(advice.cycles);
    let Some(first) = advice.findings.first() else {
        return format!("The run takes {cycles} cycles. {}", advice.bound);
    };
    let gain = best(runs, 0, advice.cycles).map(|idx| &runs[idx]);
    let gain = gain.filter(|run| {
        run.result()
            .is_some_and(|measured| is_gain(advice.cycles, measured.cycles))
    });
    match gain {
        Some(run) => {
            let after = run.result().map_or(0, |measured| measured.cycles);
            format!(
                "The run takes {cycles} cycles. {}. {}: {} cycles, {} times faster.",
                first.title,
                run.change.text.trim_end_matches('.'),
                thousands(after),
                times_text(advice.cycles, after)
            )
        }
        None => format!("The run takes {cycles} cycles. {}.", first.title),
    }
}
