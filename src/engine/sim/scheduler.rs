//! Warp schedulers: select an eligible warp.

use super::SchedulerPolicy;
use super::codec::{Coded, Reader, Writer, coded};
use super::operands::Operands;
use crate::arch::POLICIES;
use crate::ids::{Pc, SlotIdx};

/// One scheduler. Warps are indexed within the scheduler: bit i is slot i * schedulers + the scheduler's
/// index.
#[derive(Clone, Debug, Default)]
pub(super) struct Scheduler {
    /// The next cycle in which it can issue.
    pub(super) port_free: u64,
    /// The operand reads of its part of the register file.
    pub(super) operands: Operands,
    /// The warp that issued last.
    pub(super) last: Option<u32>,
    /// Whether the scheduler stays with that warp, because the code says so (`sim::products`).
    pub(super) stays: bool,
    /// Two-level policy: the active set.
    active_set: u64,
    /// The cycle of its last issue.
    pub(super) issued_at: u64,
    pub(super) issued: Vec<(SlotIdx, Pc)>,
    /// The earliest cycle of its next YIELD.
    pub(super) yield_free: u64,
}

coded!(Scheduler {
    port_free,
    operands,
    last,
    stays,
    active_set,
    issued_at,
    issued,
    yield_free,
});

impl Scheduler {
    /// Selects a warp of `ready`, which is not empty.
    #[inline(always)]
    pub(super) fn pick(&mut self, policy: SchedulerPolicy, ready: u64, ages: &Ages) -> u32 {
        if self.stays
            && let Some(last) = self.last
            && ready >> last & 1 == 1
        {
            return last;
        }
        match policy {
            SchedulerPolicy::Gto | SchedulerPolicy::Chip => {
                // Computes both candidates, because the outcome is unpredictable.
                let oldest = ages.oldest(ready);
                let last = self.last.unwrap_or(63);
                if ready >> last & 1 == 1 { last } else { oldest }
            }
            other => self.pick_in_turn(other, ready, ages),
        }
    }

    #[inline(never)]
    fn pick_in_turn(&mut self, policy: SchedulerPolicy, ready: u64, ages: &Ages) -> u32 {
        match policy {
            SchedulerPolicy::TwoLevel => {
                // Stalled warps lose their place in the active set to the oldest eligible warps.
                let mut in_turn = self.active_set & ready;
                let mut rest = ready & !in_turn;
                while rest != 0 && in_turn.count_ones() < POLICIES.active_set_warps.value {
                    let next = ages.oldest(rest);
                    in_turn |= 1 << next;
                    rest &= !(1 << next);
                }
                self.active_set = in_turn;
                self.next_after_last(in_turn)
            }
            _ => self.next_after_last(ready),
        }
    }

    fn next_after_last(&self, ready: u64) -> u32 {
        let after = self.last.map_or(0, |last| last + 1);
        let later = if after >= 64 {
            0
        } else {
            ready & (u64::MAX << after)
        };
        if later != 0 {
            later.trailing_zeros()
        } else {
            ready.trailing_zeros()
        }
    }
}

/// Warps per table of [`Ages`].
const WARPS_PER_TABLE: usize = 4;

/// A scheduler's warps by age.
#[derive(Clone, Debug)]
pub(super) struct Ages {
    /// All warps, oldest first.
    order: Vec<u8>,
    /// For each group of four warps and each subset: the first position in `order` of a warp of the subset.
    first: Vec<[u8; 1 << WARPS_PER_TABLE]>,
}

impl Ages {
    pub(super) fn new(num_warps: usize) -> Self {
        Self::of((0..num_warps as u8).collect())
    }

    fn of(order: Vec<u8>) -> Self {
        let first = vec![[u8::MAX; 1 << WARPS_PER_TABLE]; order.len().div_ceil(WARPS_PER_TABLE)];
        let mut ages = Self { order, first };
        ages.fill();
        ages
    }

    fn fill(&mut self) {
        for (place, warp) in self.order.iter().enumerate() {
            let warp = usize::from(*warp);
            if let Some(table) = self.first.get_mut(warp / WARPS_PER_TABLE) {
                table[1 << (warp % WARPS_PER_TABLE)] = place as u8;
            }
        }
        for table in &mut self.first {
            for set in 1..table.len() {
                table[set] = table[set & (set - 1)].min(table[set & set.wrapping_neg()]);
            }
        }
    }

    /// Makes the warp in a place the youngest: a new warp has started there.
    pub(super) fn make_youngest(&mut self, warp: usize) {
        if let Some(at) = self.order.iter().position(|held| usize::from(*held) == warp) {
            self.order[at..].rotate_left(1);
            self.fill();
        }
    }

    /// The oldest of the given warps.
    #[inline(always)]
    fn oldest(&self, warps: u64) -> u32 {
        let (mut first, mut rest) = (u32::MAX, warps);
        for table in &self.first {
            first = first.min(table[rest as usize % (1 << WARPS_PER_TABLE)].into());
            rest >>= WARPS_PER_TABLE;
        }
        match self.order.get(first as usize) {
            Some(warp) => u32::from(*warp),
            None => warps.trailing_zeros(),
        }
    }
}

impl Coded for Ages {
    fn encode(&self, to: &mut Writer) {
        to.put(&self.order);
    }
    fn decode(from: &mut Reader) -> Self {
        Self::of(from.get())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_robin_continues_after_the_last_warp() {
        let mut scheduler = Scheduler {
            last: Some(2),
            ..Scheduler::default()
        };
        let by_age = Ages::new(4);
        assert_eq!(scheduler.pick(SchedulerPolicy::Lrr, 0b1111, &by_age), 3);
        scheduler.last = Some(3);
        assert_eq!(scheduler.pick(SchedulerPolicy::Lrr, 0b0111, &by_age), 0);
    }

    #[test]
    fn a_scheduler_stays_with_a_warp_while_the_code_says_so() {
        let mut scheduler = Scheduler {
            last: Some(2),
            stays: true,
            ..Scheduler::default()
        };
        let by_age = Ages::new(4);
        assert_eq!(scheduler.pick(SchedulerPolicy::Lrr, 0b1111, &by_age), 2);
        assert_eq!(scheduler.pick(SchedulerPolicy::Lrr, 0b1011, &by_age), 3);
    }

    #[test]
    fn greedy_stays_then_takes_the_oldest() {
        let mut scheduler = Scheduler {
            last: Some(1),
            ..Scheduler::default()
        };
        let by_age = Ages::of(vec![3, 2, 1, 0]);
        assert_eq!(scheduler.pick(SchedulerPolicy::Gto, 0b111, &by_age), 1);
        assert_eq!(scheduler.pick(SchedulerPolicy::Gto, 0b101, &by_age), 2);
    }

    #[test]
    fn the_oldest_is_first_in_the_order() {
        let mut ages = Ages::new(13);
        let mut order: Vec<u8> = (0..13).collect();
        for step in 0..400_u64 {
            let young = (step * 7 % 13) as u8;
            ages.make_youngest(young.into());
            order.retain(|warp| *warp != young);
            order.push(young);
            let set = ((step * 0x9e37) >> 3) & 0x1fff | 1;
            let expected = order.iter().find(|warp| set >> **warp & 1 == 1).copied();
            assert_eq!(Some(ages.oldest(set) as u8), expected);
        }
    }

    #[test]
    fn two_level_rotates_within_the_active_set() {
        let mut scheduler = Scheduler::default();
        let by_age = Ages::new(32);
        let mut seen = 0_u64;
        for _ in 0..32 {
            let warp = scheduler.pick(SchedulerPolicy::TwoLevel, u64::from(u32::MAX), &by_age);
            scheduler.last = Some(warp);
            seen |= 1 << warp;
        }
        assert_eq!(seen, 0xff);
    }
}
