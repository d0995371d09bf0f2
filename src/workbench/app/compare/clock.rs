//! The clock that all sides share, and the cycle of each side at a position of the clock.
//!
//! A position is a cycle; with alignment by time, a clock period of the fastest chip, while slower chips have fewer
//! cycles; with alignment by progress, a warp instruction of the side with the most instructions, while the other
//! sides have issued the same share of their instructions. A finished side stays at its last cycle, and the clock
//! runs to the end of the longest run.

use super::Session;

use crate::app::{Derived, Playback, SelectedRange};
use crate::scene::{Period, StripScale};
use crate::share::{Sync, View};
use engine::ids::Cycle;

/// The values that convert positions to a side's cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Pace {
    /// The last known cycle.
    last: u64,
    /// The chip's clock rate.
    mhz: u64,
    /// The run's warp instructions.
    issues: u64,
}

impl Session {
    fn pace(&self, idx: usize) -> Pace {
        let side = &self.sides[idx];
        let derived = &side.derived;
        let arch = derived.trace().map_or(side.arch(), |trace| trace.arch());
        Pace {
            last: side.last_cycle(),
            mhz: arch.chip.sm_clock_mhz.value.into(),
            issues: derived.trace().map_or(0, |trace| trace.num_issues()),
        }
    }

    /// Clock rate of the fastest chip among the sides, in MHz. A position in time is one period of this clock.
    pub fn clock_mhz(&self) -> u64 {
        let clocks = (0..self.num_sides()).map(|idx| self.pace(idx).mhz);
        clocks.max().unwrap_or(1)
    }

    /// Warp instructions of the side with the most instructions.
    fn most_issues(&self) -> u64 {
        let issues = (0..self.num_sides()).map(|idx| self.pace(idx).issues);
        issues.max().unwrap_or(0)
    }

    /// The position of the common clock; without a comparison, the current cycle.
    pub fn clock(&self) -> u64 {
        self.playback.position
    }

    /// The shown cycle of a side.
    pub fn cycle_on(&self, idx: usize) -> u64 {
        if self.is_comparing() {
            self.cycle_at(idx, self.clock())
        } else {
            self.clock()
        }
    }

    /// The end of the device's run, while its view is active: the transport then moves through that run. The device
    /// view of a comparison follows the common clock.
    pub(in crate::app) fn device_end(&self) -> Option<u64> {
        let is_active = !self.is_comparing() && self.active_view() == View::Device;
        let trace = self.device_trace(self.active_side()).filter(|_| is_active)?;
        Some(trace.num_cycles)
    }

    /// The last position at which any side changes.
    pub fn clock_end(&self) -> u64 {
        if !self.is_comparing() {
            return self.device_end().unwrap_or(self.last_cycle());
        }
        let ends = (0..self.num_sides()).map(|idx| self.end_of(idx));
        ends.max().unwrap_or(0)
    }

    /// The first position at which a side reaches its last cycle.
    pub fn end_of(&self, idx: usize) -> u64 {
        match self.ui.compare.sync {
            Sync::Progress => self.most_issues(),
            Sync::Cycle | Sync::Time => self.position_of(idx, self.pace(idx).last),
        }
    }

    /// The cycle of a side at a position.
    pub fn cycle_at(&self, idx: usize, position: u64) -> u64 {
        let pace = self.pace(idx);
        let cycle = match self.ui.compare.sync {
            Sync::Cycle => position,
            Sync::Time => scaled(position, pace.mhz, self.clock_mhz()),
            Sync::Progress => {
                let most = self.most_issues();
                if position >= most {
                    return pace.last;
                }
                let issued = scaled(position, pace.issues, most);
                let trace = self.sides[idx].derived.trace();
                // The n-th instruction issues in the cycle at which n instructions have been issued.
                let before = issued.checked_sub(1);
                let cycle = before.and_then(|nth| trace?.cycle_of_issue(nth));
                cycle.map_or(0, |cycle| cycle.0)
            }
        };
        cycle.min(pace.last)
    }

    /// The first position at which a side reaches a cycle.
    pub(in crate::app) fn position_of(&self, idx: usize, cycle: u64) -> u64 {
        let pace = self.pace(idx);
        match self.ui.compare.sync {
            Sync::Cycle => cycle,
            Sync::Time => scaled_up(cycle, self.clock_mhz(), pace.mhz),
            Sync::Progress => {
                let trace = self.sides[idx].derived.trace();
                let issued = trace.map_or(0, |trace| trace.issues_before(cycle + 1));
                scaled_up(issued, self.most_issues(), pace.issues)
            }
        }
    }

    /// The positions of the first and the last cycle of the selected range.
    pub fn range_positions(&self) -> Option<(u64, u64)> {
        let SelectedRange {
            side,
            cycles: (from, to),
        } = self.ui.range?;
        let at = |cycle: u64| self.position_of(side, cycle.min(self.pace(side).last));
        Some((at(from.0), at(to.0.saturating_sub(1).max(from.0))))
    }

    /// The selected range in a side's cycles, from the range's first position to its last.
    pub fn range_of(&self, idx: usize) -> Option<(Cycle, Cycle)> {
        let SelectedRange { side, cycles } = self.ui.range?;
        if side == idx {
            return Some(cycles);
        }
        let (first, last) = self.range_positions()?;
        let (from, to) = (self.cycle_at(idx, first), self.cycle_at(idx, last) + 1);
        Some((Cycle(from), Cycle(to.max(from + 1))))
    }

    /// The counted cycles of a side; `None`: all cycles. `Err`: the side finished before the range.
    pub(super) fn period_of(&self, idx: usize) -> Result<Option<(Cycle, Cycle)>, &'static str> {
        let (period, range) = (self.view_state_on(idx).period(), self.range_positions());
        let Some(trace) = self.sides[idx].derived.trace().filter(|_| period != Period::Run) else {
            return Ok(None);
        };
        match range {
            Some((first, _)) if period == Period::Range && first > self.end_of(idx) => {
                Err("finished earlier")
            }
            _ => {
                let frame = trace.frame(Cycle(self.cycle_at(idx, self.clock())));
                Ok(Some(period.of(&frame, self.range_of(idx))))
            }
        }
    }

    /// The counted period as text.
    pub(super) fn period_words(&self) -> String {
        match (self.view_state().period(), self.range_positions()) {
            (Period::Range, Some((first, last))) => {
                let (from, to) = (self.position_text(first), self.position_text(last));
                match self.ui.compare.sync {
                    Sync::Cycle => format!("Cycles {from} to {to}"),
                    Sync::Time | Sync::Progress => format!("{from} to {to}"),
                }
            }
            (period, _) => period.name().to_owned(),
        }
    }

    /// The number of positions on the strip, and the current position.
    pub fn strip_clock(&self) -> (u64, u64) {
        match self.device_end() {
            Some(end) => (end + 1, self.clock().min(end)),
            None if self.is_comparing() => (self.clock_end() + 1, self.clock()),
            None => (self.derived().num_cycles(), self.cycle()),
        }
    }

    /// The positions that the strip shows: the first, and the position after the last.
    pub(in crate::app) fn strip_part(&self, width: f32) -> StripScale {
        let (num, now) = self.strip_clock();
        StripScale::of(num, Cycle(now), self.ui.state.strip, width)
    }

    /// Selects a range of positions.
    pub(in crate::app) fn select_range(&mut self, one: u64, other: u64) {
        let (first, last) = (one.min(other), one.max(other));
        let own = |position: u64| {
            if self.is_comparing() {
                self.cycle_at(self.active_side(), position)
            } else {
                position.min(self.last_cycle())
            }
        };
        let (from, to) = (own(first), own(last) + 1);
        self.set_range(Some((Cycle(from), Cycle(to))));
    }

    /// Whether any side's run is in progress.
    pub fn is_running(&self) -> bool {
        self.derived_all().any(Derived::is_running)
    }

    /// Moves the clock: a comparison moves its position as a single run moves its cycle. The function receives the
    /// playback, the last position, and whether that position is final.
    pub(in crate::app) fn on_clock<T>(&mut self, moves: impl FnOnce(&mut Playback, u64, bool) -> T) -> T {
        let (end, complete) = (self.clock_end(), !self.is_running());
        moves(&mut self.playback, end, complete)
    }

    /// Moves to a position of the clock, and pauses.
    pub(in crate::app) fn seek_clock(&mut self, position: u64) {
        self.on_clock(|playback, end, _| playback.seek(position, end));
    }

    /// Updates the clock after runs have grown or ended.
    pub(in crate::app) fn follow_runs(&mut self) {
        if !self.is_running() {
            // A shorter run of the device leaves the other views where they are.
            let of_run = if self.is_comparing() { 0 } else { self.last_cycle() };
            self.playback.position = self.playback.position.min(self.clock_end().max(of_run));
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
