//! Why a kernel takes more cycles on one chip than on another one: the slow chip runs again with one number of the fast
//! chip after the other.
//!
//! The kernel keeps the instructions that were compiled for the slow chip. What remains when the slow chip has all numbers
//! of the fast chip is therefore the effect of other instructions.

mod runs;
#[cfg(test)]
mod tests;
mod wording;

pub use runs::{CauseRuns, Loaded};
pub use wording::{CauseRow, NumberRow};

use wording::{cause_rows, headline, sentence};

use serde::{Deserialize, Serialize};

use engine::arch::{ArchId, Exchange, OpClass};

/// The least share of the difference that one number explains if it is named alone, in percent: half of it.
pub const MIN_SHARE: i64 = 50;
/// Runs whose cycles differ by less than this many percent count as equal. Assumption: as in the Compare view, less is within
/// what a GPU varies by from run to run.
const MIN_DIFFERENCE: u64 = 5;

/// Whether the slower of two runs takes nearly as many cycles as the faster one.
pub const fn is_nearly_equal(slow: u64, fast: u64) -> bool {
    slow * 100 < fast * (100 + MIN_DIFFERENCE)
}

/// The cycles of the slow chip with one number of the fast chip.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Single {
    /// The number, or the numbers that belong together.
    pub exchange: Exchange,
    /// The cycles; `None` if the run does not start or does not finish.
    pub cycles: Option<u64>,
}

/// What the runs measured.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// The chip of the slow run, and of the fast one.
    pub slow: ArchId,
    /// The chip of the fast run.
    pub fast: ArchId,
    /// Cycles of the slow run, and of the fast one.
    pub cycles: (u64, u64),
    /// Warp instructions of the slow run, and of the fast one.
    pub issues: (u64, u64),
    /// The slow chip with one number of the fast chip each, the largest gain first.
    pub singles: Vec<Single>,
    /// The slow chip with all numbers of the fast chip; `None` if this run does not finish.
    pub all: Option<u64>,
    /// Numbers that the slow chip takes one after the other, with its cycles after each. Empty if one number explains half of
    /// the difference, or if the numbers of the chip explain less.
    pub steps: Vec<(Exchange, u64)>,
    /// Warp instructions of the slow run, by class in the order of [`OpClass::ALL`].
    pub classes: Vec<u64>,
    /// The number of runs.
    pub num_runs: u32,
}

/// What explains the difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The runs take nearly equally many cycles.
    Equal,
    /// One number explains at least half.
    One(Exchange),
    /// Other instructions explain at least half, and no number does.
    Instructions,
    /// Several numbers together, with their shares in percent, the largest first. The shares of numbers that act only
    /// together have no exchange.
    Several(Vec<(Option<Exchange>, i64)>),
}

/// A record in words, computed once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    /// The runs.
    pub record: Record,
    /// The cause as a headline.
    pub headline: String,
    /// The cause in some sentences, with what the exchange changes.
    pub sentence: String,
    /// Each number alone, the largest share first, and what other instructions explain.
    pub rows: Vec<CauseRow>,
    /// The index of the row that the cause names.
    pub named: Option<usize>,
}

impl Account {
    /// Puts a record in words.
    pub fn of(record: Record) -> Self {
        let rows = cause_rows(&record);
        let exchange = match record.verdict() {
            Verdict::One(exchange) => Some(exchange),
            Verdict::Several(shares) => shares.iter().find_map(|(exchange, _)| *exchange),
            Verdict::Equal | Verdict::Instructions => None,
        };
        Self {
            headline: headline(&record),
            sentence: sentence(&record),
            named: rows
                .iter()
                .position(|row| exchange.is_some() && row.exchange == exchange),
            rows,
            record,
        }
    }
}

impl Record {
    /// A difference of cycles as a share of the whole difference, in percent; beyond 100, or negative, if the number changes
    /// more than the difference, or in the other direction.
    pub fn share(&self, cycles: i64) -> i64 {
        let whole = self.cycles.0 as i64 - self.cycles.1 as i64;
        if whole <= 0 {
            return 0;
        }
        (200 * cycles + whole).div_euclid(2 * whole)
    }

    /// The share that one number explains alone.
    pub fn share_of(&self, single: &Single) -> Option<i64> {
        Some(self.share(self.cycles.0 as i64 - single.cycles? as i64))
    }

    /// The share that other instructions explain.
    pub fn share_of_instructions(&self) -> Option<i64> {
        Some(self.share(self.all? as i64 - self.cycles.1 as i64))
    }

    /// Whether the runs take nearly equally many cycles.
    pub const fn is_equal(&self) -> bool {
        is_nearly_equal(self.cycles.0, self.cycles.1)
    }

    /// The number that explains most alone, if it explains at least half.
    pub fn largest(&self) -> Option<Exchange> {
        let first = self.singles.first()?;
        (self.share_of(first)? >= MIN_SHARE).then_some(first.exchange)
    }

    /// What explains the difference.
    pub fn verdict(&self) -> Verdict {
        if self.is_equal() {
            return Verdict::Equal;
        }
        if let Some(exchange) = self.largest() {
            return Verdict::One(exchange);
        }
        if self.steps.is_empty()
            && self
                .share_of_instructions()
                .is_some_and(|share| share >= MIN_SHARE)
        {
            return Verdict::Instructions;
        }
        let mut before = self.cycles.0;
        let mut shares: Vec<(Option<Exchange>, i64)> = Vec::new();
        for (exchange, cycles) in &self.steps {
            shares.push((Some(*exchange), self.share(before as i64 - *cycles as i64)));
            before = *cycles;
        }
        if let Some(all) = self.all {
            let rest = self.share(before as i64 - all as i64);
            if rest != 0 {
                shares.push((None, rest));
            }
        }
        Verdict::Several(shares)
    }

    /// Warp instructions of a class in the slow run.
    pub fn count(&self, class: OpClass) -> u64 {
        self.classes.get(class as usize).copied().unwrap_or(0)
    }
}
