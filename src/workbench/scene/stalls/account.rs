//! The warp cycles of a period, summed for every breakdown of the view.

use crate::scene::{Period, ViewState};
use engine::ids::{Cycle, Pc, SlotIdx};
use engine::sim::WarpState;
use engine::trace::{Frame, Record, StateCycles};

/// Sums over a period of cycles.
#[derive(Clone, Debug)]
pub(super) struct Account {
    pub(super) from: Cycle,
    pub(super) to: Cycle,
    /// Slot cycles of all slots, by state.
    pub(super) states: StateCycles,
    /// Slot cycles with a resident warp.
    pub(super) resident: u64,
    /// Issue slots of all schedulers.
    pub(super) issue_slots: u64,
    /// Active cycles of all schedulers.
    pub(super) scheduler_cycles: u64,
}

/// A warp slot with its sums.
#[derive(Clone, Debug)]
pub(super) struct SlotSums {
    pub(super) slot: SlotIdx,
    /// `W07`, or the range of warps that the slot held.
    pub(super) name: String,
    pub(super) scheduler: u8,
    pub(super) states: StateCycles,
}

impl Period {
    /// The cycles of the period: the first, and the one after the last. `Range` without a selected range is the
    /// whole run.
    pub fn of(self, frame: &Frame, range: Option<(Cycle, Cycle)>) -> (Cycle, Cycle) {
        let (now, end) = (frame.cycle().0 + 1, frame.record().num_cycles());
        match self {
            Self::Run => (Cycle(0), Cycle(end)),
            Self::Now => (Cycle(0), Cycle(now)),
            Self::Last => (Cycle(now.saturating_sub(1000)), Cycle(now)),
            Self::Range => range.map_or((Cycle(0), Cycle(end)), |range| frame.record().clamp_range(range)),
        }
    }
}

impl Account {
    /// The account of the chosen period.
    pub(super) fn of(frame: &Frame, view: &ViewState) -> Self {
        Self::new(frame, view.period(), view.range)
    }

    pub(super) fn new(frame: &Frame, period: Period, range: Option<(Cycle, Cycle)>) -> Self {
        let (from, to) = period.of(frame, range);
        let record = frame.record();
        let states = record.states_between(None, from, to);
        let active = record.active_between(from, to);
        Self {
            from,
            to,
            states,
            resident: states[1..].iter().sum(),
            issue_slots: record.issue_slots(active),
            scheduler_cycles: active * record.num_schedulers() as u64,
        }
    }

    /// Scheduler cycles with an issue: in each, one warp of the scheduler is Selected.
    pub(super) fn issue_cycles(&self) -> u64 {
        self.states[WarpState::Selected as usize]
    }

    /// Warp cycles in which the warp issued or was eligible.
    pub(super) fn eligible(&self) -> u64 {
        self.issue_cycles() + self.states[WarpState::NotSelected as usize]
    }

    /// The sums of each slot that held a warp, by scheduler.
    pub(super) fn by_slot(&self, frame: &Frame) -> Vec<SlotSums> {
        let record = frame.record();
        let mut slots: Vec<SlotSums> = (0..record.num_slots() as u16)
            .map(SlotIdx)
            .map(|slot| SlotSums {
                slot,
                name: self.name(record, slot),
                scheduler: frame.scheduler(slot),
                states: record.states_between(Some(slot), self.from, self.to),
            })
            .filter(|sums| sums.states[1..].iter().any(|cycles| *cycles > 0))
            .collect();
        slots.sort_by_key(|sums| (sums.scheduler, sums.slot));
        slots
    }

    /// The warp or the range of warps that a slot held.
    fn name(&self, record: &Record, slot: SlotIdx) -> String {
        let last = Cycle(self.to.0.saturating_sub(1));
        let mut warps: Vec<u32> = Vec::new();
        let mut at = record.tenancy(slot, last);
        while let Some((since, warp)) = at {
            // A warp that finished before the period does not count.
            let left = record.states_between(Some(slot), since.max(self.from), self.to);
            if left[1..].iter().all(|cycles| *cycles == 0) {
                break;
            }
            warps.push(warp.0);
            if since <= self.from || since.0 == 0 || warps.len() > 99 {
                break;
            }
            at = record.tenancy(slot, Cycle(since.0 - 1));
        }
        match warps.as_slice() {
            [] => format!("slot {}", slot.0),
            [one] => format!("W{one:02}"),
            [last, .., first] => format!("W{first:02}…W{last:02}"),
        }
    }

    /// The sums of each instruction, by pc.
    pub(super) fn by_pc(&self, frame: &Frame) -> Vec<StateCycles> {
        frame.record().pc_states_between(self.from, self.to)
    }

    /// The sums of each source line, by number; index 0 is for instructions without a line.
    pub(super) fn by_line(&self, frame: &Frame) -> Vec<StateCycles> {
        let mut lines: Vec<StateCycles> = Vec::new();
        for (pc, states) in self.by_pc(frame).iter().enumerate() {
            let line = frame.instruction(Pc(pc as u32)).map_or(0, |of| of.span.line) as usize;
            if line >= lines.len() {
                lines.resize(line + 1, StateCycles::default());
            }
            for (sum, cycles) in lines[line].iter_mut().zip(states) {
                *sum += cycles;
            }
        }
        lines
    }
}

/// Shares of a whole in tenths of a percent that add up to exactly 100 %: the parts with the largest remainders
/// are rounded up.
pub(super) fn tenths(parts: &[u64]) -> Vec<u64> {
    if parts.iter().all(|part| *part == 0) {
        return vec![0; parts.len()];
    }
    crate::blame::shares(1000, parts)
}

/// Tenths of a percent as text; a nonzero part never reads as zero.
pub(super) fn tenths_text(tenths: u64, part: u64) -> String {
    if tenths == 0 && part > 0 {
        return "< 0.1 %".to_owned();
    }
    format!("{}.{} %", tenths / 10, tenths % 10)
}
