//! A timing wheel: finds the warps of a scheduler that are due in a cycle without examining each warp.

use super::NEVER;
use crate::sim::codec::coded;

/// Places of a scheduler: the maximum over all architectures (compute capability 1.2 and 1.3: 32 warps, one
/// scheduler).
pub(super) const MAX_PLACES: usize = 32;
/// Cycles that the wheel covers ahead.
const REACH: usize = 64;

/// The due times of places. Each place has at most one.
#[derive(Clone, Debug)]
pub(super) struct Wheel {
    until: [u64; MAX_PLACES],
    /// The first cycle that was not yet taken.
    next: u64,
    /// Places that are due within the wheel, by the low bits of the cycle. The other due places are in `far`.
    soon: [u32; REACH],
    /// The non-empty entries of `soon`, one bit each.
    filled: u64,
    far: u32,
    /// The due time of the first far place.
    far_wake: u64,
}

coded!(Wheel {
    until,
    next,
    soon,
    filled,
    far,
    far_wake,
});

impl Wheel {
    pub(super) const fn new() -> Self {
        Self {
            until: [NEVER; MAX_PLACES],
            next: 0,
            soon: [0; REACH],
            filled: 0,
            far: 0,
            far_wake: NEVER,
        }
    }

    /// The due time of a place.
    #[inline(always)]
    pub(super) const fn until(&self, place: usize) -> u64 {
        self.until[place % MAX_PLACES]
    }

    /// The due time of the next place.
    #[inline(always)]
    pub(super) fn wake(&self) -> u64 {
        if self.filled == 0 {
            return self.far_wake;
        }
        let ahead = self.filled.rotate_right(self.next as u32 % 64).trailing_zeros();
        self.far_wake.min(self.next + u64::from(ahead))
    }

    /// Replaces the due time of a place by `at`, or by the first cycle that can still be taken.
    #[inline(always)]
    pub(super) fn set(&mut self, place: usize, at: u64) {
        self.remove(place % MAX_PLACES);
        self.add(place, at.max(self.next));
    }

    /// [`Wheel::set`] for a place that has no due time, and a cycle that can still be taken.
    #[inline(always)]
    pub(super) fn add(&mut self, place: usize, at: u64) {
        debug_assert!(at >= self.next, "the cycle was already taken");
        let place = place % MAX_PLACES;
        let bit = 1 << place;
        self.until[place] = at;
        if at - self.next < REACH as u64 {
            self.soon[at as usize % REACH] |= bit;
            self.filled |= 1 << (at % REACH as u64);
        } else if at != NEVER {
            self.far |= bit;
            self.far_wake = self.far_wake.min(at);
        }
    }

    fn remove(&mut self, place: usize) {
        let bit = 1 << place;
        let until = self.until[place];
        if self.far & bit != 0 {
            self.far &= !bit;
            if until == self.far_wake {
                self.far_wake = self.first_of_far();
            }
        } else if until != NEVER {
            // A place that was already taken has no bit here.
            let soon = &mut self.soon[until as usize % REACH];
            *soon &= !bit;
            if *soon == 0 {
                self.filled &= !(1 << (until % REACH as u64));
            }
        }
    }

    fn first_of_far(&self) -> u64 {
        let mut first = NEVER;
        let mut rest = self.far;
        while rest != 0 {
            first = first.min(self.until[rest.trailing_zeros() as usize % MAX_PLACES]);
            rest &= rest - 1;
        }
        first
    }

    /// Takes the places that are due at `now` or before, as a set. Later calls must not pass an earlier
    /// cycle.
    #[inline(always)]
    pub(super) fn take(&mut self, now: u64) -> u32 {
        let mut due = 0;
        let skipped = now.saturating_sub(self.next);
        let before = if skipped < REACH as u64 {
            (1 << skipped) - 1
        } else {
            u64::MAX
        };
        // Usually every cycle with a due place is taken.
        if self.filled.rotate_right(self.next as u32 % 64) & before != 0 {
            due = self.take_before(skipped);
        }
        if self.next <= now {
            let at = now as usize % REACH;
            due |= std::mem::take(&mut self.soon[at]);
            self.filled &= !(1 << at);
            self.next = now + 1;
        }
        if self.far_wake <= now {
            due |= self.take_far(now);
        }
        due
    }

    /// Takes the places that are due in the next `cycles` cycles, which can exceed the wheel's range.
    #[cold]
    fn take_before(&mut self, cycles: u64) -> u32 {
        let mut due = 0;
        for at in self.next..self.next + cycles.min(REACH as u64) {
            let at = at as usize % REACH;
            due |= std::mem::take(&mut self.soon[at]);
            self.filled &= !(1 << at);
        }
        due
    }

    #[cold]
    fn take_far(&mut self, now: u64) -> u32 {
        let mut due = 0;
        let mut rest = std::mem::take(&mut self.far);
        self.far_wake = NEVER;
        while rest != 0 {
            let place = rest.trailing_zeros() as usize % MAX_PLACES;
            rest &= rest - 1;
            let until = self.until[place];
            if until <= now {
                due |= 1 << place;
            } else {
                self.add(place, until);
            }
        }
        due
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn takes_the_same_places_as_a_linear_scan(
            steps in prop::collection::vec((1_u64..90, prop::collection::vec((0..MAX_PLACES, 0_u64..300), 0..5)), 0..60),
        ) {
            let mut wheel = Wheel::new();
            let mut until = [NEVER; MAX_PLACES];
            let mut now = 0;
            for (cycles, sets) in steps {
                for (place, ahead) in sets {
                    let at = if ahead > 250 { NEVER } else { now + ahead };
                    wheel.set(place, at);
                    until[place] = at;
                    prop_assert_eq!(wheel.until(place), at);
                }
                prop_assert_eq!(wheel.wake(), until.iter().copied().min().unwrap());
                let due = (0..MAX_PLACES).filter(|place| until[*place] < now + cycles);
                let due = due.fold(0, |set, place| set | 1 << place);
                prop_assert_eq!(wheel.take(now + cycles - 1), due);
                for (place, at) in until.iter_mut().enumerate() {
                    *at = if due >> place & 1 == 1 { NEVER } else { *at };
                }
                now += cycles;
            }
        }
    }
}
