//! When the warps of a scheduler are looked at, and which one issues.
//!
//! A warp that only waits for its scheduler's pipe, or for the scheduler to choose it, is not looked
//! at again: it is in a group with all others of the scheduler that wait for the same pipe, and the
//! group is looked at as one.

use super::{NEVER, Setup, Sm, Verdict};
use crate::arch::PipeKind;
use crate::ids::{Cycle, Pc, SlotIdx};
use crate::sim::codec::coded;
use crate::sim::pipes::NUM_KINDS;
use crate::sim::{Sink, WarpState};

/// Places of a scheduler: the most that an architecture has (1.2 and 1.3: 32 warps, one scheduler).
const MAX_PLACES: usize = 32;

/// When the warps of a scheduler are to be looked at. They are counted among its own, as the
/// scheduler does.
#[derive(Clone, Debug)]
pub(super) struct Watch {
    /// Those that are looked at one by one, each when it is due.
    alone: u64,
    pub(super) until: [u64; MAX_PLACES],
    /// None of them is due before.
    alone_wake: u64,
    /// Prepared warps that wait as one, by kind of pipe.
    groups: [Group; NUM_KINDS],
    /// Kinds whose group has members.
    kinds: u32,
    /// All places, that of the oldest warp first.
    by_age: Vec<u8>,
}

/// Warps that lack nothing but their scheduler's pipe, or the scheduler's choice.
#[derive(Clone, Copy, Debug)]
struct Group {
    pipe: PipeKind,
    members: u64,
    state: WarpState,
    until: u64,
}

coded!(Watch {
    alone,
    until,
    alone_wake,
    groups,
    kinds,
    by_age,
});
coded!(Group {
    pipe,
    members,
    state,
    until,
});

impl Watch {
    pub(super) fn new(num_places: usize) -> Self {
        Self {
            alone: 0,
            until: [NEVER; MAX_PLACES],
            alone_wake: 0,
            groups: [Group {
                pipe: PipeKind::Fp32,
                members: 0,
                state: WarpState::Empty,
                until: NEVER,
            }; NUM_KINDS],
            kinds: 0,
            by_age: (0..num_places as u8).collect(),
        }
    }

    /// Those looked at one by one that are due, and when the next of the others is.
    #[inline(always)]
    fn due(&self, now: u64) -> (u64, u64) {
        let (mut due, mut least) = (0, NEVER);
        let mut rest = self.alone;
        while rest != 0 {
            let place = rest.trailing_zeros() as usize % MAX_PLACES;
            rest &= rest - 1;
            let until = self.until[place];
            if until <= now {
                due |= 1 << place;
            } else {
                least = least.min(until);
            }
        }
        (due, least)
    }

    /// A new warp takes a place.
    pub(super) fn make_youngest(&mut self, place: usize) {
        if let Some(at) = self.by_age.iter().position(|held| usize::from(*held) == place) {
            self.by_age[at..].rotate_left(1);
        }
    }
}

impl Sm {
    /// One cycle of a scheduler.
    pub(super) fn tick_scheduler<S: Sink>(
        &mut self,
        setup: &Setup,
        scheduler: usize,
        now: u64,
        sink: &mut S,
    ) {
        // Whoever is woken by another slot meanwhile sets this.
        self.wake[scheduler] = NEVER;
        let mut wake = NEVER;
        let (mut ready, free_kinds) = self.look_at_groups(scheduler, now, &mut wake, sink);
        let mut alone = 0;
        if self.watches[scheduler].alone_wake <= now {
            alone = self.look_at_each(setup, scheduler, now, &mut wake, sink);
            if self.fault.is_some() {
                return;
            }
            ready |= alone;
        }
        if ready != 0 {
            let port = self.schedulers[scheduler].port_free;
            let mut next = port;
            if port <= now {
                next = now + setup.issue_interval;
                let watch = &mut self.watches[scheduler];
                let picked = self.schedulers[scheduler].pick(setup.options.policy, ready, &watch.by_age);
                let bit = 1 << picked;
                if alone & bit == 0 {
                    self.leave_group(setup, scheduler, picked);
                }
                alone &= !bit;
                self.issue_from(setup, scheduler, picked, now, sink);
                let watch = &mut self.watches[scheduler];
                watch.until[picked as usize] = now + 1;
                watch.alone_wake = watch.alone_wake.min(now + 1);
                if self.fault.is_some() {
                    return;
                }
            }
            self.hold_groups(setup, scheduler, free_kinds, now, &mut wake, sink);
            while alone != 0 {
                let place = alone.trailing_zeros();
                alone &= alone - 1;
                self.hold(setup, scheduler, place as usize, next, now, &mut wake, sink);
            }
        }
        let wake = wake.min(self.watches[scheduler].alone_wake);
        self.wake[scheduler] = self.wake[scheduler].min(wake);
    }

    /// Looks at the groups that are due. Returns the warps of those whose pipe is free, and which
    /// pipes these are.
    #[inline(always)]
    fn look_at_groups<S: Sink>(
        &mut self,
        scheduler: usize,
        now: u64,
        wake: &mut u64,
        sink: &mut S,
    ) -> (u64, u32) {
        let (mut ready, mut free_kinds) = (0, 0);
        let mut kinds = self.watches[scheduler].kinds;
        while kinds != 0 {
            let kind = kinds.trailing_zeros() as usize;
            kinds &= kinds - 1;
            let group = &mut self.watches[scheduler].groups[kind];
            if group.until <= now {
                let free = self.pipes.free_at(scheduler, group.pipe);
                if free <= now {
                    ready |= group.members;
                    free_kinds |= 1 << kind;
                    continue;
                }
                group.until = free;
                self.tell_group(scheduler, kind, WarpState::MathPipeThrottle, now, sink);
            }
            *wake = (*wake).min(self.watches[scheduler].groups[kind].until);
        }
        (ready, free_kinds)
    }

    /// Looks at the warps that are due, each by itself. Returns those that are ready.
    #[inline(always)]
    fn look_at_each<S: Sink>(
        &mut self,
        setup: &Setup,
        scheduler: usize,
        now: u64,
        wake: &mut u64,
        sink: &mut S,
    ) -> u64 {
        let mut ready = 0;
        let watch = &mut self.watches[scheduler];
        let (mut rest, mut least) = watch.due(now);
        // Whoever is woken by another slot meanwhile sets this.
        watch.alone_wake = NEVER;
        while rest != 0 {
            let place = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let slot = place * setup.num_schedulers + scheduler;
            let verdict = match self.prepared[slot] {
                0 => self.examine(setup, slot, scheduler, now, sink),
                next => self.unit_for(&setup.code.instructions[next as usize - 1], scheduler, now),
            };
            match verdict {
                Verdict::Ready => ready |= 1 << place,
                Verdict::Stalled { state, until } => {
                    self.tell(sink, now, slot, state);
                    if state == WarpState::MathPipeThrottle
                        && self.join_group(setup, scheduler, place, state, until, now, sink)
                    {
                        *wake = (*wake).min(until);
                        continue;
                    }
                    self.watches[scheduler].until[place] = until;
                    least = least.min(until);
                }
                Verdict::Gone => {
                    let watch = &mut self.watches[scheduler];
                    if watch.until[place] <= now {
                        watch.until[place] = NEVER;
                    }
                    if watch.until[place] == NEVER {
                        watch.alone &= !(1 << place);
                    }
                    least = least.min(watch.until[place]);
                }
            }
            if self.fault.is_some() {
                return 0;
            }
        }
        let watch = &mut self.watches[scheduler];
        watch.alone_wake = watch.alone_wake.min(least);
        ready
    }

    /// Another warp was picked than one that was ready, too.
    #[inline(always)]
    #[allow(clippy::too_many_arguments, reason = "a tick's state")]
    fn hold<S: Sink>(
        &mut self,
        setup: &Setup,
        scheduler: usize,
        place: usize,
        until: u64,
        now: u64,
        wake: &mut u64,
        sink: &mut S,
    ) {
        let slot = place * setup.num_schedulers + scheduler;
        // Whoever is ready is prepared.
        let pc = self.prepared[slot].wrapping_sub(1);
        self.tell_at(sink, now, slot, WarpState::NotSelected, pc);
        if self.join_group(setup, scheduler, place, WarpState::NotSelected, until, now, sink) {
            *wake = (*wake).min(until);
        } else {
            let watch = &mut self.watches[scheduler];
            watch.until[place] = until;
            watch.alone_wake = watch.alone_wake.min(until);
        }
    }

    /// Another warp was picked than those of groups whose pipe is free.
    #[inline(always)]
    fn hold_groups<S: Sink>(
        &mut self,
        setup: &Setup,
        scheduler: usize,
        free_kinds: u32,
        now: u64,
        wake: &mut u64,
        sink: &mut S,
    ) {
        let mut kinds = free_kinds & self.watches[scheduler].kinds;
        while kinds != 0 {
            let kind = kinds.trailing_zeros() as usize;
            kinds &= kinds - 1;
            self.tell_group(scheduler, kind, WarpState::NotSelected, now, sink);
            let until = now + setup.issue_interval;
            self.watches[scheduler].groups[kind].until = until;
            *wake = (*wake).min(until);
        }
    }

    /// Tells the state of a group if it is news.
    #[inline(always)]
    fn tell_group<S: Sink>(
        &mut self,
        scheduler: usize,
        kind: usize,
        state: WarpState,
        now: u64,
        sink: &mut S,
    ) {
        let group = &mut self.watches[scheduler].groups[kind];
        if group.state == state {
            return;
        }
        group.state = state;
        if S::KNOWS_GROUPS {
            sink.group(Cycle(now), (scheduler * NUM_KINDS + kind) as u8, state);
            return;
        }
        let mut members = group.members;
        while members != 0 {
            let slot = members.trailing_zeros() as usize * self.schedulers.len() + scheduler;
            members &= members - 1;
            sink.state(Cycle(now), SlotIdx(slot as u16), state, Pc(self.told[slot].1));
        }
    }

    /// A prepared warp waits as one with others for its pipe, if its pipe is such. Its state was told.
    #[inline(always)]
    #[allow(clippy::too_many_arguments, reason = "a tick's state")]
    fn join_group<S: Sink>(
        &mut self,
        setup: &Setup,
        scheduler: usize,
        place: usize,
        state: WarpState,
        until: u64,
        now: u64,
        sink: &mut S,
    ) -> bool {
        let slot = place * setup.num_schedulers + scheduler;
        let decoded = &setup.code.instructions[self.prepared[slot] as usize - 1];
        if !decoded.in_step {
            return false;
        }
        let kind = decoded.pipe as usize;
        let watch = &mut self.watches[scheduler];
        let group = &mut watch.groups[kind];
        if group.members == 0 {
            group.pipe = decoded.pipe;
            group.state = state;
            group.until = until;
            watch.kinds |= 1 << kind;
        }
        debug_assert_eq!(group.state, state, "a group is of one state");
        group.members |= 1 << place;
        watch.alone &= !(1 << place);
        if S::KNOWS_GROUPS {
            let number = (scheduler * NUM_KINDS + kind) as u8;
            sink.join(Cycle(now), SlotIdx(slot as u16), number, state);
        }
        true
    }

    /// A warp is picked out of its group.
    #[inline(always)]
    fn leave_group(&mut self, setup: &Setup, scheduler: usize, place: u32) {
        let slot = place as usize * setup.num_schedulers + scheduler;
        let decoded = &setup.code.instructions[self.prepared[slot] as usize - 1];
        let kind = decoded.pipe as usize;
        let watch = &mut self.watches[scheduler];
        let group = &mut watch.groups[kind];
        group.members &= !(1 << place);
        if group.members == 0 {
            watch.kinds &= !(1 << kind);
        }
        watch.alone |= 1 << place;
        self.told[slot].0 = group.state;
    }

    /// What was last told of a slot.
    pub(in crate::sim) fn told(&self, slot: usize) -> (WarpState, u32) {
        let (state, pc) = self.told[slot];
        let step = self.schedulers.len();
        let groups = &self.watches[slot % step].groups;
        let group = groups
            .iter()
            .find(|group| group.members >> (slot / step) & 1 == 1);
        (group.map_or(state, |group| group.state), pc)
    }

    /// Has a slot looked at again at `at`.
    pub(super) fn wake_slot(&mut self, setup: &Setup, slot: usize, at: u64) {
        let (scheduler, place) = (slot % setup.num_schedulers, slot / setup.num_schedulers);
        let watch = &mut self.watches[scheduler];
        // Earlier if it is due anyway: it must tell what it does in that cycle.
        let at = at.min(watch.until[place]);
        watch.until[place] = at;
        watch.alone |= 1 << place;
        watch.alone_wake = watch.alone_wake.min(at);
        let wake = &mut self.wake[scheduler];
        *wake = (*wake).min(at);
    }
}
