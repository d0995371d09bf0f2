//! Warp schedulers: which of the warps that could issue does.

use super::SchedulerPolicy;
use crate::ids::{Pc, SlotIdx};

/// Warps in turn under the two-level policy; the others wait until one of these stalls.
const ACTIVE_SET: u32 = 8;

/// One scheduler. Warps are counted among its own: bit i is slot i * schedulers + its index.
#[derive(Clone, Debug, Default)]
pub(super) struct Scheduler {
    /// When it can issue again.
    pub(super) port_free: u64,
    /// The warp that issued last.
    pub(super) last: Option<u32>,
    /// Two-level: the warps in turn.
    active_set: u64,
    /// What it issued last, and when.
    pub(super) issued_at: u64,
    pub(super) issued: Vec<(SlotIdx, Pc)>,
}

impl Scheduler {
    /// Picks among `ready` (not empty). `age` orders warps, the oldest least.
    #[inline]
    pub(super) fn pick(&mut self, policy: SchedulerPolicy, ready: u64, age: impl Fn(u32) -> u64) -> u32 {
        match policy {
            SchedulerPolicy::Lrr => self.next_after_last(ready),
            SchedulerPolicy::Gto => match self.last {
                Some(last) if ready >> last & 1 == 1 => last,
                _ => oldest(ready, age),
            },
            SchedulerPolicy::TwoLevel => {
                // Warps that cannot issue lose their place to the oldest that can.
                let mut in_turn = self.active_set & ready;
                let mut rest = ready & !in_turn;
                while rest != 0 && in_turn.count_ones() < ACTIVE_SET {
                    let next = oldest(rest, &age);
                    in_turn |= 1 << next;
                    rest &= !(1 << next);
                }
                self.active_set = in_turn;
                self.next_after_last(in_turn)
            }
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

fn oldest(ready: u64, age: impl Fn(u32) -> u64) -> u32 {
    let mut best = ready.trailing_zeros();
    let mut rest = ready & (ready - 1);
    while rest != 0 {
        let candidate = rest.trailing_zeros();
        if age(candidate) < age(best) {
            best = candidate;
        }
        rest &= rest - 1;
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_robin_goes_on_after_the_last() {
        let mut scheduler = Scheduler {
            last: Some(2),
            ..Scheduler::default()
        };
        assert_eq!(scheduler.pick(SchedulerPolicy::Lrr, 0b1111, u64::from), 3);
        scheduler.last = Some(3);
        assert_eq!(scheduler.pick(SchedulerPolicy::Lrr, 0b0111, u64::from), 0);
    }

    #[test]
    fn greedy_stays_then_takes_the_oldest() {
        let mut scheduler = Scheduler {
            last: Some(1),
            ..Scheduler::default()
        };
        let age = |warp: u32| u64::from(10 - warp);
        assert_eq!(scheduler.pick(SchedulerPolicy::Gto, 0b111, age), 1);
        assert_eq!(scheduler.pick(SchedulerPolicy::Gto, 0b101, age), 2);
    }

    #[test]
    fn two_levels_turn_among_few() {
        let mut scheduler = Scheduler::default();
        let mut seen = 0_u64;
        for _ in 0..32 {
            let warp = scheduler.pick(SchedulerPolicy::TwoLevel, u64::from(u32::MAX), u64::from);
            scheduler.last = Some(warp);
            seen |= 1 << warp;
        }
        assert_eq!(seen, 0xff);
    }
}
