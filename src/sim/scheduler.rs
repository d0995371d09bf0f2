//! Warp schedulers: which of the warps that could issue does.

use super::SchedulerPolicy;
use super::codec::coded;
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

coded!(Scheduler {
    port_free,
    last,
    active_set,
    issued_at,
    issued,
});

impl Scheduler {
    /// Picks among `ready` (not empty). `by_age` is all warps, the oldest first.
    #[inline]
    pub(super) fn pick(&mut self, policy: SchedulerPolicy, ready: u64, by_age: &[u8]) -> u32 {
        match policy {
            SchedulerPolicy::Lrr => self.next_after_last(ready),
            SchedulerPolicy::Gto | SchedulerPolicy::Chip => match self.last {
                Some(last) if ready >> last & 1 == 1 => last,
                _ => oldest(ready, by_age),
            },
            SchedulerPolicy::TwoLevel => {
                // Warps that cannot issue lose their place to the oldest that can.
                let mut in_turn = self.active_set & ready;
                let mut rest = ready & !in_turn;
                while rest != 0 && in_turn.count_ones() < ACTIVE_SET {
                    let next = oldest(rest, by_age);
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

#[inline(always)]
fn oldest(ready: u64, by_age: &[u8]) -> u32 {
    if ready.is_power_of_two() {
        return ready.trailing_zeros();
    }
    by_age
        .iter()
        .map(|warp| u32::from(*warp))
        .find(|warp| ready >> warp & 1 == 1)
        .unwrap_or_else(|| ready.trailing_zeros())
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
        let by_age = [0, 1, 2, 3];
        assert_eq!(scheduler.pick(SchedulerPolicy::Lrr, 0b1111, &by_age), 3);
        scheduler.last = Some(3);
        assert_eq!(scheduler.pick(SchedulerPolicy::Lrr, 0b0111, &by_age), 0);
    }

    #[test]
    fn greedy_stays_then_takes_the_oldest() {
        let mut scheduler = Scheduler {
            last: Some(1),
            ..Scheduler::default()
        };
        let by_age = [3, 2, 1, 0];
        assert_eq!(scheduler.pick(SchedulerPolicy::Gto, 0b111, &by_age), 1);
        assert_eq!(scheduler.pick(SchedulerPolicy::Gto, 0b101, &by_age), 2);
    }

    #[test]
    fn two_levels_turn_among_few() {
        let mut scheduler = Scheduler::default();
        let by_age: Vec<u8> = (0..32).collect();
        let mut seen = 0_u64;
        for _ in 0..32 {
            let warp = scheduler.pick(SchedulerPolicy::TwoLevel, u64::from(u32::MAX), &by_age);
            scheduler.last = Some(warp);
            seen |= 1 << warp;
        }
        assert_eq!(seen, 0xff);
    }
}
