//! When the warps of a scheduler are looked at, and which one issues.
//!
//! A warp that only waits for its scheduler's pipe or queue, or for the scheduler to choose it, is not
//! looked at again: it is in a group with all others of the scheduler that wait for the same, and the
//! group is looked at as one.

use super::wheel::Wheel;
use super::{MAX_SCHEDULERS, MAX_SLOTS, NEVER, Setup, Sm, Verdict, lacks_no_lanes};
use crate::ids::{Cycle, Pc, SlotIdx};
use crate::sim::codec::coded;
use crate::sim::decode::stall_at;
use crate::sim::pipes::{GROUP_PLACES, NO_GROUP};
use crate::sim::scheduler::Ages;
use crate::sim::{Sink, WarpState};

/// When the warps of a scheduler are to be looked at. They are counted among its own, as the
/// scheduler does.
#[derive(Clone, Debug)]
pub(super) struct Watch {
    /// Those that are looked at one by one, each when it is due.
    pub(super) alone: Wheel,
    /// Prepared warps that wait as one, by kind of pipe and for the queue.
    groups: [Group; GROUP_PLACES],
    /// Groups that have members.
    kinds: u32,
    /// The warp that issued last, as a set, if what it waits for from the next cycle on is known already;
    /// and what that is. It is told then.
    foreseen: u32,
    foreseen_state: WarpState,
    /// The order of the places' warps.
    ages: Ages,
}

/// Warps that lack nothing but their scheduler's pipe or queue, or the scheduler's choice.
#[derive(Clone, Copy, Debug)]
struct Group {
    members: u64,
    state: WarpState,
    until: u64,
}

coded!(Watch {
    alone,
    groups,
    kinds,
    foreseen,
    foreseen_state,
    ages,
});
coded!(Group {
    members,
    state,
    until,
});

impl Watch {
    pub(super) fn new(num_places: usize) -> Self {
        Self {
            alone: Wheel::new(),
            groups: [Group {
                members: 0,
                state: WarpState::Empty,
                until: NEVER,
            }; GROUP_PLACES],
            kinds: 0,
            foreseen: 0,
            foreseen_state: WarpState::Empty,
            ages: Ages::new(num_places),
        }
    }

    /// A new warp takes a place.
    pub(super) fn make_youngest(&mut self, place: usize) {
        self.ages.make_youngest(place);
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
        self.wake[scheduler % MAX_SCHEDULERS] = NEVER;
        let mut wake = NEVER;
        let watch = &mut self.watches[scheduler % MAX_SCHEDULERS];
        let foreseen = std::mem::take(&mut watch.foreseen);
        if foreseen != 0 {
            let (place, state) = (foreseen.trailing_zeros() as usize, watch.foreseen_state);
            self.tell(sink, now, place * setup.num_schedulers + scheduler, state);
        }
        let (mut ready, free_kinds) = self.look_at_groups(setup, scheduler, now, &mut wake, sink);
        let mut alone = self.look_at_each(setup, scheduler, now, &mut wake, sink);
        if self.fault.is_some() {
            return;
        }
        ready |= alone;
        if ready != 0 {
            let port = self.schedulers[scheduler % MAX_SCHEDULERS].port_free;
            let mut next = port;
            if port <= now {
                next = now + setup.issue_interval;
                let watch = &mut self.watches[scheduler % MAX_SCHEDULERS];
                let picked =
                    self.schedulers[scheduler % MAX_SCHEDULERS].pick(setup.policy, ready, &watch.ages);
                self.leave_group(setup, scheduler, picked);
                alone &= !(1 << picked);
                self.issue_from(setup, scheduler, picked, now, sink);
                if self.fault.is_some() {
                    return;
                }
                if self.look_ahead(setup, scheduler, picked as usize, now) {
                    wake = now + 1;
                }
            }
            // The last instruction is held at dispatch, if not even one issues.
            let state = if port > now && setup.issue_interval == 1 {
                WarpState::DispatchStall
            } else {
                WarpState::NotSelected
            };
            self.hold_groups(setup, scheduler, free_kinds, state, next, now, &mut wake, sink);
            while alone != 0 {
                let place = alone.trailing_zeros();
                alone &= alone - 1;
                self.hold(
                    setup,
                    scheduler,
                    place as usize,
                    state,
                    next,
                    now,
                    &mut wake,
                    sink,
                );
            }
        }
        let wake = wake.min(self.watches[scheduler % MAX_SCHEDULERS].alone.wake());
        self.wake[scheduler % MAX_SCHEDULERS] = self.wake[scheduler % MAX_SCHEDULERS].min(wake);
    }

    /// A warp has issued. Mostly what it waits for in the next cycle depends on nobody else: then it is not
    /// looked at until that is over, and true comes back, as its state is to be told. Otherwise it is looked
    /// at in the next cycle.
    #[inline(always)]
    fn look_ahead(&mut self, setup: &Setup, scheduler: usize, place: usize, now: u64) -> bool {
        let slot = place * setup.num_schedulers + scheduler;
        let watch = &mut self.watches[scheduler % MAX_SCHEDULERS];
        let warp = &self.warps[slot];
        let next = setup.code.instructions.get(warp.lanes.pc as usize);
        // Other warps wake one that has come to a barrier, or of which no lane runs.
        let by_itself = !warp.exited && warp.barrier.is_none() && warp.lanes.active != 0;
        let (Some(next), true) = (next, by_itself) else {
            watch.alone.set(place, now + 1);
            return false;
        };
        let resumes = warp.resume_at.max(now + 1);
        let hazard = warp.hazard(next.reads(), next.overwrites(), next.latency, resumes);
        let pauses = resumes > now + 1;
        // Unless it has to tell that it waits for a result after its pause: when that is over, or when the
        // last result that it wants has come, it lacks nothing but a unit.
        if lacks_no_lanes(warp, next) && !(pauses && hazard.is_some()) {
            self.prepared[slot % MAX_SLOTS] = warp.lanes.pc + 1;
        }
        let (state, until) = match hazard {
            _ if pauses => (warp.resume_state, resumes),
            Some((_, pending)) => (pending.state, pending.ready),
            None => {
                watch.alone.set(place, now + 1);
                return false;
            }
        };
        if watch.alone.until(place) <= now {
            // It was taken.
            watch.alone.add(place, until);
        } else {
            watch.alone.set(place, until);
        }
        watch.foreseen = 1 << place;
        watch.foreseen_state = state;
        true
    }

    /// Looks at the groups that are due. Returns the warps of those whose pipe is free, and which
    /// pipes these are.
    #[inline(always)]
    #[allow(
        clippy::needless_bitwise_bool,
        reason = "branches that cannot be foreseen cost more"
    )]
    fn look_at_groups<S: Sink>(
        &mut self,
        setup: &Setup,
        scheduler: usize,
        now: u64,
        wake: &mut u64,
        sink: &mut S,
    ) -> (u64, u32) {
        let (mut ready, mut free_kinds) = (0, 0);
        let mut kinds = self.watches[scheduler % MAX_SCHEDULERS].kinds;
        while kinds != 0 {
            let kind = kinds.trailing_zeros() as usize % GROUP_PLACES;
            kinds &= kinds - 1;
            let group = &mut self.watches[scheduler % MAX_SCHEDULERS].groups[kind];
            let free = self.pipes.free_at(scheduler, kind as u8);
            // Which of these it is cannot be foreseen, so there are no branches.
            let is_due = group.until <= now;
            let is_free = is_due & (free <= now);
            let until = if is_due { free } else { group.until };
            group.until = if is_free { group.until } else { until };
            ready |= if is_free { group.members } else { 0 };
            free_kinds |= u32::from(is_free) << kind;
            *wake = (*wake).min(if is_free { NEVER } else { until });
            let state = stall_at(kind as u8);
            if is_due & !is_free & (group.state != state) {
                self.tell_group(setup, scheduler, kind, state, now, sink);
            }
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
        let mut rest = self.watches[scheduler % MAX_SCHEDULERS].alone.take(now);
        while rest != 0 {
            let place = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let slot = place * setup.num_schedulers + scheduler;
            let verdict = match self.prepared[slot % MAX_SLOTS] {
                0 => self.examine(setup, slot, scheduler, now, sink),
                next => self.unit_for(setup.code.need(next - 1), scheduler, now),
            };
            let Verdict { state, until } = verdict;
            if state == Verdict::READY.state {
                ready |= 1 << place;
            } else if state == Verdict::GONE.state {
                // Unless another warp came into its place.
                let alone = &mut self.watches[scheduler % MAX_SCHEDULERS].alone;
                if alone.until(place) <= now {
                    alone.set(place, NEVER);
                }
            } else {
                self.tell(sink, now, slot, state);
                let warp = &self.warps[slot];
                let of_results = matches!(
                    state,
                    WarpState::Wait | WarpState::ShortScoreboard | WarpState::LongScoreboard
                );
                if of_results
                    && let Some(next) = setup.code.instructions.get(warp.lanes.pc as usize)
                    && lacks_no_lanes(warp, next)
                {
                    // When the last result that it wants has come, it lacks nothing else.
                    self.prepared[slot % MAX_SLOTS] = warp.lanes.pc + 1;
                }
                let may_join = matches!(state, WarpState::MathPipeThrottle | WarpState::MioThrottle);
                if may_join && self.join_group(setup, scheduler, place, state, until, now, sink) {
                    *wake = (*wake).min(until);
                } else {
                    self.watches[scheduler % MAX_SCHEDULERS].alone.add(place, until);
                }
            }
            if self.fault.is_some() {
                return 0;
            }
        }
        ready
    }

    /// Another warp was picked than one that was ready, too, or none.
    #[inline(always)]
    #[allow(clippy::too_many_arguments, reason = "a tick's state")]
    fn hold<S: Sink>(
        &mut self,
        setup: &Setup,
        scheduler: usize,
        place: usize,
        state: WarpState,
        until: u64,
        now: u64,
        wake: &mut u64,
        sink: &mut S,
    ) {
        let slot = place * setup.num_schedulers + scheduler;
        // Whoever is ready is prepared.
        let pc = self.prepared[slot % MAX_SLOTS].wrapping_sub(1);
        self.tell_at(sink, now, slot, state, pc);
        if self.join_group(setup, scheduler, place, state, until, now, sink) {
            *wake = (*wake).min(until);
        } else {
            self.watches[scheduler % MAX_SCHEDULERS].alone.add(place, until);
        }
    }

    /// Another warp was picked than those of groups whose pipe is free, or none.
    #[inline(always)]
    #[allow(clippy::too_many_arguments, reason = "a tick's state")]
    fn hold_groups<S: Sink>(
        &mut self,
        setup: &Setup,
        scheduler: usize,
        free_kinds: u32,
        state: WarpState,
        until: u64,
        now: u64,
        wake: &mut u64,
        sink: &mut S,
    ) {
        let mut kinds = free_kinds & self.watches[scheduler % MAX_SCHEDULERS].kinds;
        while kinds != 0 {
            let kind = kinds.trailing_zeros() as usize % GROUP_PLACES;
            kinds &= kinds - 1;
            *wake = (*wake).min(until);
            let group = &mut self.watches[scheduler % MAX_SCHEDULERS].groups[kind];
            group.until = until;
            if group.state != state {
                self.tell_group(setup, scheduler, kind, state, now, sink);
            }
        }
    }

    /// Tells the state of a group, which is news.
    fn tell_group<S: Sink>(
        &mut self,
        setup: &Setup,
        scheduler: usize,
        kind: usize,
        state: WarpState,
        now: u64,
        sink: &mut S,
    ) {
        let group = &mut self.watches[scheduler % MAX_SCHEDULERS].groups[kind % GROUP_PLACES];
        group.state = state;
        if S::KNOWS_GROUPS {
            sink.group(Cycle(now), (scheduler * GROUP_PLACES + kind) as u8, state);
            return;
        }
        let mut members = group.members;
        while members != 0 {
            let slot = members.trailing_zeros() as usize * setup.num_schedulers + scheduler;
            members &= members - 1;
            sink.state(
                Cycle(now),
                SlotIdx(slot as u16),
                state,
                Pc(self.told[slot % MAX_SLOTS].1),
            );
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
        let group = setup.code.need(self.prepared[slot % MAX_SLOTS] - 1).group;
        if group == NO_GROUP {
            return false;
        }
        let kind = usize::from(group) % GROUP_PLACES;
        let watch = &mut self.watches[scheduler % MAX_SCHEDULERS];
        let group = &mut watch.groups[kind];
        if group.members == 0 {
            group.state = state;
            group.until = until;
            watch.kinds |= 1 << kind;
        }
        debug_assert_eq!(
            (group.state, group.until),
            (state, until),
            "a group is of one state"
        );
        group.members |= 1 << place;
        if S::KNOWS_GROUPS {
            let number = (scheduler * GROUP_PLACES + kind) as u8;
            sink.join(Cycle(now), SlotIdx(slot as u16), number, state);
        }
        true
    }

    /// A warp is picked, out of its group if it is in one. Its state is told next.
    #[inline(always)]
    fn leave_group(&mut self, setup: &Setup, scheduler: usize, place: u32) {
        let slot = place as usize * setup.num_schedulers + scheduler;
        let kind = usize::from(setup.code.need(self.prepared[slot % MAX_SLOTS] - 1).group) % GROUP_PLACES;
        let watch = &mut self.watches[scheduler % MAX_SCHEDULERS];
        let group = &mut watch.groups[kind];
        group.members &= !(1 << place);
        watch.kinds &= !(u32::from(group.members == 0) << kind);
    }

    /// What was last told of a slot.
    pub(in crate::sim) fn told(&self, setup: &Setup, slot: usize) -> (WarpState, u32) {
        let (state, pc) = self.told[slot % MAX_SLOTS];
        let step = setup.num_schedulers;
        let groups = &self.watches[slot % step % MAX_SCHEDULERS].groups;
        let group = groups
            .iter()
            .find(|group| group.members >> (slot / step) & 1 == 1);
        (group.map_or(state, |group| group.state), pc)
    }

    /// The instruction that a slot issues is held at dispatch for some cycles: whatever of fixed latency other
    /// warps of the scheduler wait for comes later by so many.
    #[cold]
    pub(super) fn hold_waiting(&mut self, setup: &Setup, scheduler: usize, slot: usize, now: u64, held: u64) {
        let num_slots = self.warps.len();
        let step = setup.num_schedulers;
        for (place, other) in (scheduler..num_slots).step_by(step).enumerate() {
            let alone = &mut self.watches[scheduler % MAX_SCHEDULERS].alone;
            let until = alone.until(place);
            let (state, pc) = self.told[other % MAX_SLOTS];
            if other == slot || state != WarpState::Wait || until <= now || until == NEVER {
                continue;
            }
            alone.set(place, until + held);
            if let Some(next) = setup.code.instructions.get(pc as usize) {
                self.warps[other].delay(next.reads().as_flattened(), now, held);
            }
        }
    }

    /// Has a slot looked at again at `at`.
    pub(super) fn wake_slot(&mut self, setup: &Setup, slot: usize, at: u64) {
        let (scheduler, place) = (slot % setup.num_schedulers, slot / setup.num_schedulers);
        let watch = &mut self.watches[scheduler % MAX_SCHEDULERS];
        // Earlier if it is due anyway: it must tell what it does in that cycle.
        let at = at.min(watch.alone.until(place));
        watch.alone.set(place, at);
        let wake = &mut self.wake[scheduler % MAX_SCHEDULERS];
        *wake = (*wake).min(at);
    }
}
