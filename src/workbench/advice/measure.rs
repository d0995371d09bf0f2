//! The measured changes of a run, and the words for what they gain.

use super::{Advice, Change};
use crate::words::thousands;
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
    /// The result of a run that counts: one with the original outputs, or on a hypothetical machine, which executes the same
    /// program: its outputs can differ only if they depend on the order of the warps.
    pub fn result(&self) -> Option<&Measured> {
        match &self.state {
            ChangeState::Done(measured) if measured.same_outputs || self.change.is_hypothetical => {
                Some(measured)
            }
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

/// The best change of a finding among those that keep the outputs: a real one if it gains, unless a hypothetical one saves
/// more than `MAX_BEYOND_REAL` times as many cycles; its index in `runs`.
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
    let saved = |found: (usize, u64)| cycles.saturating_sub(found.1);
    let (real, hypothetical) = (of(false), of(true).filter(gains));
    let reaches = |found: &(usize, u64)| {
        hypothetical.is_none_or(|other| saved(other) <= MAX_BEYOND_REAL * saved(*found))
    };
    real.filter(gains)
        .filter(reaches)
        .or(hypothetical)
        .or(real)
        .or_else(|| of(true))
        .map(|(idx, _)| idx)
}

/// The number of cycles that a hypothetical machine saves at most, divided by those that a real change saves, if the real
/// change is to stand for the cause. Assumption: a change that removes less than half of a cause is not its remedy.
const MAX_BEYOND_REAL: u64 = 2;

/// How the gain of a finding is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Means {
    /// A change that a programmer can make was run.
    Change,
    /// A hypothetical machine was run.
    Machine,
    /// It is computed from the counters of the run.
    Estimate,
}

impl Means {
    /// The word for it, after "cycles".
    pub const fn word(self) -> &'static str {
        match self {
            Self::Change => "measured",
            Self::Machine => "hypothetical",
            Self::Estimate => "estimated",
        }
    }
}

/// What a run without the cause of a finding takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gain {
    /// Its cycles.
    pub cycles: u64,
    /// How they are known.
    pub means: Means,
}

/// What a run without the cause of a finding takes, by its best change or the counters; `None` if nothing gains.
pub fn gain(advice: &Advice, runs: &[MeasuredChange], finding: usize) -> Option<Gain> {
    let run = best(runs, finding, advice.cycles).map(|idx| &runs[idx]);
    let by_run = run.and_then(|run| {
        Some(Gain {
            cycles: run.result()?.cycles,
            means: if run.change.is_hypothetical {
                Means::Machine
            } else {
                Means::Change
            },
        })
    });
    let estimate = advice.findings.get(finding).and_then(|finding| finding.estimate);
    let estimate = estimate.map(|cycles| Gain {
        cycles,
        means: Means::Estimate,
    });
    let is_good = |gain: &Gain| is_gain(advice.cycles, gain.cycles);
    let (by_run, estimate) = (by_run.filter(is_good), estimate.filter(is_good));
    let saved = |gain: Gain| advice.cycles.saturating_sub(gain.cycles);
    match (by_run, estimate) {
        (Some(run), Some(other)) if saved(other) > MAX_BEYOND_REAL * saved(run) => Some(other),
        (run, other) => run.or(other),
    }
}

/// The least gain of a change that helps, in percent of the changed run: as the least share of a finding. Assumption: less is
/// within what clocks and caches of a GPU vary by from run to run.
pub(super) const MIN_GAIN_PERCENT: u64 = 5;

/// Whether a run is faster by at least `MIN_GAIN_PERCENT`.
pub const fn is_gain(before: u64, after: u64) -> bool {
    after * (100 + MIN_GAIN_PERCENT) <= before * 100
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
        ChangeState::Done(measured) if !measured.same_outputs && !run.change.is_hypothetical => {
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
            if !measured.same_outputs {
                format!("{gain}. The outputs depend on the order of the warps.")
            } else if run.change.rests_on_assumption {
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
    let Some(first) = advice.shown().first() else {
        return format!("The run takes {cycles} cycles. {}", advice.bound);
    };
    let best = best(runs, 0, advice.cycles).map(|idx| &runs[idx]);
    match gain(advice, runs, 0) {
        Some(gain) => {
            let how = match (gain.means, best) {
                (Means::Change | Means::Machine, Some(run)) => {
                    run.change.text.trim_end_matches('.').to_owned()
                }
                _ => "Estimated without this cause".to_owned(),
            };
            format!(
                "The run takes {cycles} cycles. {}. {how}: {} cycles, {} times faster.",
                first.title,
                thousands(gain.cycles),
                times_text(advice.cycles, gain.cycles)
            )
        }
        None => format!("The run takes {cycles} cycles. {}.", first.title),
    }
}
