//! The clock that all sides share, and the cycle of each side at a moment of it.
//!
//! A position of the clock is a cycle; or, where sides are compared by time, a clock of the fastest
//! chip, of which a slower chip has fewer; or, by progress, a warp instruction of the side that has
//! the most: the others have issued the same share of theirs. A side that is through stays at its
//! last cycle, and the clock goes on to the end of the longest.

use super::Session;
use crate::app::{Derived, Playback};
use crate::arch::architecture;
use crate::share::Sync;

/// What a side's cycles are reckoned from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Pace {
    /// Its last cycle known.
    last: u64,
    /// Clock of its chip.
    mhz: u64,
    /// Its warp instructions.
    issues: u64,
}

impl Session {
    fn pace(&self, idx: usize) -> Pace {
        let derived = self.derived_of(idx);
        let arch = match derived.trace() {
            Some(trace) => trace.arch(),
            None => architecture(self.arch_of(idx)),
        };
        Pace {
            last: derived.num_cycles().saturating_sub(1),
            mhz: arch.chip.sm_clock_mhz.value.into(),
            issues: derived.trace().map_or(0, |trace| trace.num_issues()),
        }
    }

    /// Clock of the fastest chip among the sides, in MHz: a position in time is one period of it.
    pub fn clock_mhz(&self) -> u64 {
        let clocks = (0..self.num_sides()).map(|idx| self.pace(idx).mhz);
        clocks.max().unwrap_or(1)
    }

    /// Warp instructions of the side with the most.
    fn most_issues(&self) -> u64 {
        let issues = (0..self.num_sides()).map(|idx| self.pace(idx).issues);
        issues.max().unwrap_or(0)
    }

    /// The position of the common clock; without a comparison the present cycle.
    pub fn clock(&self) -> u64 {
        if self.is_comparing() {
            self.sides.position
        } else {
            self.playback.cycle
        }
    }

    /// The last position at which a side changes.
    pub fn clock_end(&self) -> u64 {
        if !self.is_comparing() {
            return self.last_cycle();
        }
        let ends = (0..self.num_sides()).map(|idx| self.end_of(idx));
        ends.max().unwrap_or(0)
    }

    /// The first position at which a side is at its last cycle.
    pub fn end_of(&self, idx: usize) -> u64 {
        match self.sides.sync {
            Sync::Progress => self.most_issues(),
            Sync::Cycle | Sync::Time => self.position_of(idx, self.pace(idx).last),
        }
    }

    /// The cycle of a side at a position of the clock.
    pub fn cycle_at(&self, idx: usize, position: u64) -> u64 {
        let pace = self.pace(idx);
        let cycle = match self.sides.sync {
            Sync::Cycle => position,
            Sync::Time => scaled(position, pace.mhz, self.clock_mhz()),
            Sync::Progress => {
                let most = self.most_issues();
                if position >= most {
                    return pace.last;
                }
                let issued = scaled(position, pace.issues, most);
                let trace = self.derived_of(idx).trace();
                // In the cycle of the n-th instruction n have been issued.
                let before = issued.checked_sub(1);
                let cycle = before.and_then(|nth| trace?.cycle_of_issue(nth));
                cycle.map_or(0, |cycle| cycle.0)
            }
        };
        cycle.min(pace.last)
    }

    /// The first position at which a side is at a cycle.
    pub(super) fn position_of(&self, idx: usize, cycle: u64) -> u64 {
        let pace = self.pace(idx);
        match self.sides.sync {
            Sync::Cycle => cycle,
            Sync::Time => scaled_up(cycle, self.clock_mhz(), pace.mhz),
            Sync::Progress => {
                let trace = self.derived_of(idx).trace();
                let issued = trace.map_or(0, |trace| trace.issues_before(cycle + 1));
                scaled_up(issued, self.most_issues(), pace.issues)
            }
        }
    }

    /// The active side's cycle at the present position.
    pub(super) fn own_cycle(&self) -> u64 {
        self.cycle_at(self.active_side(), self.sides.position)
    }

    /// Whether a run is under way on any side.
    pub fn is_running(&self) -> bool {
        self.derived_all().any(Derived::is_running)
    }

    /// Moves the clock: what moves a cycle of one run moves the position of a comparison. It gets the
    /// playback, the last position, and whether that is known for good.
    pub(in crate::app) fn on_clock<T>(&mut self, moves: impl FnOnce(&mut Playback, u64, bool) -> T) -> T {
        let (end, complete) = (self.clock_end(), !self.is_running());
        if !self.is_comparing() {
            return moves(&mut self.playback, end, complete);
        }
        self.playback.cycle = self.sides.position;
        let moved = moves(&mut self.playback, end, complete);
        self.sides.position = self.playback.cycle;
        self.playback.cycle = self.own_cycle();
        moved
    }

    /// Goes to a position of the clock, and stops.
    pub(in crate::app) fn seek_clock(&mut self, position: u64) {
        self.on_clock(|playback, end, _| playback.seek(position, end));
    }

    /// Sides have more cycles than before, or all that they will have.
    pub(in crate::app) fn follow_runs(&mut self) {
        if self.is_comparing() {
            if !self.is_running() {
                self.sides.position = self.sides.position.min(self.clock_end());
            }
            self.playback.cycle = self.own_cycle();
        } else if !self.derived.is_running() {
            self.playback.cycle = self.playback.cycle.min(self.last_cycle());
        }
    }

    /// After another scenario: sides whose runs were kept are at the clock's position.
    pub(in crate::app) fn follow_loaded(&mut self) {
        if self.is_comparing() && self.derived.trace().is_some() {
            self.playback.cycle = self.own_cycle();
        }
    }

    /// The clock follows where something has moved the active side's cycle, away from `before`.
    pub(in crate::app) fn follow_own_cycle(&mut self, before: u64) {
        if self.is_comparing() && self.playback.cycle != before && self.playback.cycle != self.own_cycle() {
            self.sides.position = self.position_of(self.active_side(), self.playback.cycle);
            self.playback.cycle = self.own_cycle();
        }
    }
}

/// `n · num / den`, rounded down.
fn scaled(n: u64, num: u64, den: u64) -> u64 {
    (u128::from(n) * u128::from(num) / u128::from(den.max(1))) as u64
}

/// `n · num / den`, rounded up.
fn scaled_up(n: u64, num: u64, den: u64) -> u64 {
    (u128::from(n) * u128::from(num)).div_ceil(u128::from(den.max(1))) as u64
}
