//! Exact counts of a range of cycles, from the cumulative sums of the trace.

use std::sync::{Arc, Mutex, PoisonError};

use super::{AccessTally, DensityColumn, Record, StateCycles};
use crate::ids::{Cycle, Pc};
use crate::sim::{RequestKind, WarpState};

/// Counters of the cycles from `from` to before `to`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RangeCounters {
    /// The first cycle.
    pub from: Cycle,
    /// The cycle after the last one.
    pub to: Cycle,
    /// Slot-cycles by state, over all warp slots.
    pub states: StateCycles,
    /// Warp instructions issued.
    pub instructions: u64,
    /// Issue slots of all schedulers.
    pub issue_slots: u64,
    /// Memory accesses that units accepted in these cycles, by kind.
    pub accesses: Vec<(RequestKind, AccessTally)>,
    /// Warp cycles of each instruction by state, for instructions with any; largest first.
    pub pcs: Vec<(Pc, StateCycles)>,
}

/// The last query, and the number of cycles of the run at that time.
#[derive(Debug, Default)]
pub(crate) struct LastRange {
    counters: Mutex<Option<(Cycle, Arc<RangeCounters>)>>,
    density: Mutex<Option<(Cycle, Arc<[DensityColumn]>)>>,
}

impl RangeCounters {
    /// Cycles of the range.
    pub const fn cycles(&self) -> u64 {
        self.to.0 - self.from.0
    }

    /// Issue slots with an instruction: one warp of a scheduler is Selected in each.
    pub const fn issue_cycles(&self) -> u64 {
        self.states[WarpState::Selected as usize]
    }

    /// Warp instructions per cycle.
    pub fn ipc(&self) -> f64 {
        self.instructions as f64 / self.cycles().max(1) as f64
    }

    /// Slot-cycles with a warp.
    pub fn resident(&self) -> u64 {
        self.states[1..].iter().sum()
    }
}

impl Record {
    /// A range of cycles, clamped to the run, with at least one cycle.
    pub fn clamp_range(&self, (from, to): (Cycle, Cycle)) -> (Cycle, Cycle) {
        let from = Cycle(from.0.min(self.last_cycle().0));
        let to = Cycle(
            to.0.min(self.num_cycles())
                .max(from.0 + 1)
                .min(self.num_cycles().max(from.0)),
        );
        (from, to)
    }

    /// The counters of a range of cycles. The last result is cached, because a page queries it in every
    /// frame.
    pub fn range_counters(&self, from: Cycle, to: Cycle) -> Arc<RangeCounters> {
        let (from, to) = self.clamp_range((from, to));
        let end = Cycle(self.num_cycles());
        let last = &self.last_range().counters;
        let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((of, counters)) = &*last
            && (*of, counters.from, counters.to) == (end, from, to)
        {
            return Arc::clone(counters);
        }
        let counters = Arc::new(self.count_range(from, to));
        *last = Some((end, Arc::clone(&counters)));
        counters
    }

    /// The use of the machine over the whole run so far, in `num` columns. The last result is cached, because
    /// views of the run query it in every frame.
    pub fn density_of_run(&self, num: usize) -> Arc<[DensityColumn]> {
        let end = Cycle(self.num_cycles());
        let last = &self.last_range().density;
        let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((of, columns)) = &*last
            && (*of, columns.len()) == (end, num)
        {
            return Arc::clone(columns);
        }
        let columns: Arc<[DensityColumn]> = self.density(Cycle(0), end, num).into();
        *last = Some((end, Arc::clone(&columns)));
        columns
    }

    /// Cycles with a resident block.
    pub fn active_cycles(&self) -> u64 {
        self.active_between(Cycle(0), Cycle(self.num_cycles()))
    }

    /// Cycles in `from..to` with a resident block.
    pub fn active_between(&self, from: Cycle, to: Cycle) -> u64 {
        let (mut active, mut reached) = (0, from.0);
        for span in self.blocks() {
            let end = span.finished.map_or(to.0, |cycle| cycle.0.min(to.0));
            active += end.saturating_sub(span.started.0.max(reached));
            reached = reached.max(end);
        }
        active
    }

    /// Warps that became resident in `from..to`.
    pub fn warps_between(&self, from: Cycle, to: Cycle) -> u64 {
        let before = |cycle: Cycle| {
            let slots = self.tenancies().iter();
            let each = slots.map(|warps| warps.partition_point(|(start, _)| *start < cycle));
            each.sum::<usize>() as u64
        };
        before(to) - before(from)
    }

    fn count_range(&self, from: Cycle, to: Cycle) -> RangeCounters {
        let mut accesses: Vec<(RequestKind, AccessTally)> = Vec::new();
        for idx in self.first_access_at(from)..self.first_access_at(to) {
            let Some(row) = self.access(idx) else { break };
            let at = if let Some(at) = accesses.iter().position(|(kind, _)| *kind == row.kind) {
                at
            } else {
                accesses.push((row.kind, AccessTally::default()));
                accesses.len() - 1
            };
            let sum = &mut accesses[at].1;
            sum.accesses += 1;
            sum.wavefronts += u64::from(row.wavefronts);
            sum.ideal_wavefronts += u64::from(row.ideal_wavefronts);
            sum.requests += u64::from(row.requests);
            sum.sectors += u64::from(row.sectors);
            sum.transactions += u64::from(row.transactions);
            sum.bytes += u64::from(row.bytes);
            sum.asked_bytes += u64::from(row.lanes) * u64::from(row.width_bits) / 8;
            sum.l1_hits += u64::from(row.l1_hits);
            sum.l2_hits += u64::from(row.l2_hits);
        }
        accesses.sort_by_key(|(kind, _)| *kind as usize);
        RangeCounters {
            from,
            to,
            states: self.states_between(None, from, to),
            instructions: self.issues_before(to.0) - self.issues_before(from.0),
            issue_slots: self.issue_slots(to.0 - from.0),
            accesses,
            pcs: self.top_pcs(from, to),
        }
    }

    /// The instructions with the most warp cycles in a range, largest first, by state.
    fn top_pcs(&self, from: Cycle, to: Cycle) -> Vec<(Pc, StateCycles)> {
        let mut pcs: Vec<(Pc, StateCycles)> = self
            .pc_states_between(from, to)
            .into_iter()
            .enumerate()
            .map(|(pc, states)| (Pc(pc as u32), states))
            .filter(|(_, states)| states.iter().any(|cycles| *cycles > 0))
            .collect();
        pcs.sort_by_key(|(pc, states)| (std::cmp::Reverse(states.iter().sum::<u64>()), *pc));
        pcs
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arch::ArchId;
    use crate::ids::SlotIdx;
    use crate::trace::TraceOptions;
    use crate::trace::testing::run;

    #[test]
    fn counters_of_a_range_equal_the_sums_over_its_cycles() {
        for arch in [ArchId::Gt200, ArchId::Gf104, ArchId::Gp104, ArchId::Tu102] {
            let trace = run(arch, 4, 6, TraceOptions::default());
            let end = trace.num_cycles();
            for (from, to) in [
                (0, end),
                (0, 1),
                (end - 1, end),
                (end / 3, end / 3 + 97),
                (end / 2, end - 5),
            ] {
                let counters = trace.range_counters(Cycle(from), Cycle(to));
                assert_eq!((counters.from, counters.to), (Cycle(from), Cycle(to)));
                let mut states = StateCycles::default();
                let mut by_pc = vec![0; trace.program().code.len()];
                let mut instructions = 0;
                for cycle in (from..to).map(Cycle) {
                    for slot in 0..trace.num_slots() as u16 {
                        let run = trace.run_at(SlotIdx(slot), cycle).unwrap();
                        states[run.state as usize] += 1;
                        if run.state != WarpState::Empty {
                            by_pc[run.pc.0 as usize] += 1;
                        }
                    }
                    instructions += trace.issues_at(cycle).count() as u64;
                }
                assert_eq!(counters.states, states, "{arch}");
                assert_eq!(counters.instructions, instructions, "{arch} {from} {to}");
                for (pc, states) in &counters.pcs {
                    assert_eq!(states.iter().sum::<u64>(), by_pc[pc.0 as usize], "{arch} {pc:?}");
                }
                let rows: Vec<_> = (0..trace.num_accesses() as u32)
                    .filter_map(|idx| trace.access(idx))
                    .filter(|row| (from..to).contains(&row.accepted.0))
                    .collect();
                let of_all = |value: fn(&AccessTally) -> u64| -> u64 {
                    counters.accesses.iter().map(|(_, sum)| value(sum)).sum()
                };
                assert_eq!(of_all(|sum| sum.accesses), rows.len() as u64);
                let wavefronts: u64 = rows.iter().map(|row| u64::from(row.wavefronts)).sum();
                assert_eq!(of_all(|sum| sum.wavefronts), wavefronts);
            }
            // The counters of the whole run equal the program's totals.
            let whole = trace.range_counters(Cycle(0), Cycle(end));
            let total = trace.total();
            assert_eq!(whole.instructions, total.issued);
            for (kind, sum) in &whole.accesses {
                assert_eq!(*sum, total.of_kind(*kind), "{arch} {kind:?}");
            }
        }
    }

    #[test]
    fn counting_ahead_changes_no_result() {
        let options = TraceOptions::default();
        let (ahead, asked) = (
            run(ArchId::Tu102, 8, 48, options),
            run(ArchId::Tu102, 8, 48, options),
        );
        let mut num = 0;
        while ahead.count_ahead() {
            num += 1;
        }
        let end = ahead.num_cycles();
        assert!(num >= 5 && num == end / 4096, "{num} {end}");
        for (from, to) in [(1, end), (0, end - 1), (end / 5, end - end / 7)] {
            let of = |trace: &crate::trace::Trace| trace.pc_states_between(Cycle(from), Cycle(to));
            assert_eq!(of(&ahead), of(&asked), "{from} {to}");
        }
    }

    #[test]
    fn a_range_beyond_the_run_is_clamped() {
        let trace = run(ArchId::Tu102, 4, 6, TraceOptions::default());
        let last = trace.last_cycle();
        let counters = trace.range_counters(Cycle(1 << 40), Cycle(1 << 41));
        assert_eq!((counters.from, counters.cycles()), (last, 1));
    }
}
