//! The ready sets of a scheduler: when each warp is examined, and which warp issues.
//!
//! A prepared warp lacks only its scheduler's pipe or queue, or the selection by the scheduler. Prepared
//! warps are not examined again one by one. A group holds all prepared warps of a scheduler that wait for the
//! same unit, and the group is examined as a whole.

use super::wheel::Wheel;
use super::{MAX_SCHEDULERS, MAX_SLOTS, NEVER, Setup, Sm, Verdict, needs_no_members};
use crate::arch::PipeKind;
use crate::ids::{Cycle, Pc, SlotIdx};
use crate::sim::codec::coded;
use crate::sim::decode::stall_at;
use crate::sim::pipes::{GROUP_PLACES, NO_GROUP};
use crate::sim::scheduler::Ages;
use crate::sim::{Removed, Sink, WarpState};

/// The times at which a scheduler's warps are examined. Warps are indexed by their place within the
/// scheduler.
#[derive(Clone, Debug)]
pub(super) struct ReadySet {
    /// Warps that are examined individually, each when it is due.
    pub(super) alone: Wheel,
    /// Groups of prepared warps: one for each kind of pipe, and one for the queue.
    groups: [Group; GROUP_PLACES],
    /// Groups that have members, one bit each.
    kinds: u32,
    /// The warp that issued last, as a set, if its state in the next cycle is already known; and that state.
    /// It is reported in the next cycle.
    predicted: u32,
    predicted_state: WarpState,
    /// The warps of the places, by age.
    ages: Ages,
}

/// Prepared warps that wait for the same pipe or queue, or for the scheduler's selection.
#[derive(Clone, Copy, Debug)]
struct Group {
    members: u64,
    state: WarpState,
    /// When the group is examined next: its state holds at least until then.
    until: u64,
}

coded!(ReadySet {
    alone,
    groups,
    kinds,
    predicted,
    predicted_state,
    ages,
});
coded!(Group {
    members,
    state,
    until,
});

impl ReadySet {
    pub(super) fn new(num_places: usize) -> Self {
        Self {
            alone: Wheel::new(),
            groups: [Group {
                members: 0,
                state: WarpState::Empty,
                until: NEVER,
            }; GROUP_PLACES],
            kinds: 0,
            predicted: 0,
            predicted_state: WarpState::Empty,
            ages: Ages::new(num_places),
        }
    }

    /// Makes the warp in a place the youngest: a new warp has started there.
    pub(super) fn make_youngest(&mut self, place: usize) {
        self.ages.make_youngest(place);
    }
}

impl Sm {
    /// Simulates one cycle of a scheduler.
    pub(super) fn tick_scheduler<S: Sink>(
        &mut self,
        setup: &Setup,
        scheduler: usize,
        now: u64,
        sink: &mut S,
    ) {
        // Other slots that wake a warp of this scheduler set the wake time again.
        self.wake[scheduler % MAX_SCHEDULERS] = NEVER;
        let mut wake = NEVER;
        let ready_set = &mut self.ready_sets[scheduler % MAX_SCHEDULERS];
        let predicted = std::mem::take(&mut ready_set.predicted);
        if predicted != 0 {
            let (place, state) = (predicted.trailing_zeros() as usize, ready_set.predicted_state);
            self.report(sink, now, place * setup.num_schedulers + scheduler, state);
        }
        let (mut ready, free_kinds) = self.examine_groups(setup, scheduler, now, &mut wake, sink);
        let mut alone = self.examine_each(setup, scheduler, now, &mut wake, sink);
        if self.fault.is_some() {
            return;
        }
        ready |= alone;
        if ready != 0 {
            let port = self.schedulers[scheduler % MAX_SCHEDULERS].port_free;
            let mut next = port;
            if port <= now {
                next = now + setup.issue_interval;
                let ready_set = &mut self.ready_sets[scheduler % MAX_SCHEDULERS];
                let picked =
                    self.schedulers[scheduler % MAX_SCHEDULERS].pick(setup.policy, ready, &ready_set.ages);
                self.leave_group(setup, scheduler, picked);
                alone &= !(1 << picked);
                self.issue_from(setup, scheduler, picked, now, sink);
                if self.fault.is_some() {
                    return;
                }
                if self.predict_state(setup, scheduler, picked as usize, now) {
                    wake = now + 1;
                }
            }
            // A scheduler that can issue in every cycle has a busy port only if dispatch holds the last instruction,
            // or if it stays with a warp.
            let stays = self.schedulers[scheduler % MAX_SCHEDULERS].stays;
            let state = if port > now && setup.issue_interval == 1 && !stays {
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
        let wake = wake.min(self.ready_sets[scheduler % MAX_SCHEDULERS].alone.wake());
        self.wake[scheduler % MAX_SCHEDULERS] = self.wake[scheduler % MAX_SCHEDULERS].min(wake);
    }

    /// Predicts the next state of a warp that has issued. Usually the state depends on no other warp: then
    /// the warp is not examined until its stall ends, and the result is true, because the state must be
    /// reported. Otherwise the warp is examined in the next cycle.
    #[inline(always)]
    fn predict_state(&mut self, setup: &Setup, scheduler: usize, place: usize, now: u64) -> bool {
        let slot = place * setup.num_schedulers + scheduler;
        let ready_set = &mut self.ready_sets[scheduler % MAX_SCHEDULERS];
        let warp = &self.warps[slot];
        let next = setup.code.instructions.get(warp.lanes.pc as usize);
        // Other warps wake a warp that is at a barrier or has no running lane.
        let depends_on_no_other = !warp.exited && warp.barrier.is_none() && warp.lanes.active != 0;
        let (Some(next), true) = (next, depends_on_no_other) else {
            ready_set.alone.set(place, now + 1);
            return false;
        };
        let resumes = warp.resume_at.max(now + 1);
        let hazard = warp.hazard(next.reads(), next.overwrites(), next.latency, resumes);
        let pauses = resumes > now + 1;
        // The warp lacks only a unit when its pause or its last pending operand is over. Exception: it must
        // report a stall on a result after its pause.
        if needs_no_members(warp, next) && !(pauses && hazard.is_some()) {
            self.prepared[slot % MAX_SLOTS] = warp.lanes.pc + 1;
        }
        let (state, until) = match hazard {
            _ if pauses => (warp.resume_state, resumes),
            Some((_, pending)) => (pending.state, pending.ready),
            None => {
                ready_set.alone.set(place, now + 1);
                return false;
            }
        };
        if ready_set.alone.until(place) <= now {
            // The place was taken from the wheel.
            ready_set.alone.add(place, until);
        } else {
            ready_set.alone.set(place, until);
        }
        ready_set.predicted = 1 << place;
        ready_set.predicted_state = state;
        true
    }

    /// Examines the groups that are due. Returns the warps of the groups whose pipe is free, and these pipes.
    #[inline(always)]
    #[expect(clippy::needless_bitwise_bool, reason = "mispredicted branches cost more")]
    fn examine_groups<S: Sink>(
        &mut self,
        setup: &Setup,
        scheduler: usize,
        now: u64,
        wake: &mut u64,
        sink: &mut S,
    ) -> (u64, u32) {
        let (mut ready, mut free_kinds) = (0, 0);
        let mut kinds = self.ready_sets[scheduler % MAX_SCHEDULERS].kinds;
        while kinds != 0 {
            let kind = kinds.trailing_zeros() as usize % GROUP_PLACES;
            kinds &= kinds - 1;
            let group = &mut self.ready_sets[scheduler % MAX_SCHEDULERS].groups[kind];
            let free = self.pipes.free_at(scheduler, kind as u8);
            // The outcome is unpredictable, so this code has no branches.
            let is_due = group.until <= now;
            let is_free = is_due & (free <= now);
            let until = if is_due { free } else { group.until };
            group.until = if is_free { group.until } else { until };
            ready |= if is_free { group.members } else { 0 };
            free_kinds |= u32::from(is_free) << kind;
            *wake = (*wake).min(if is_free { NEVER } else { until });
            let state = stall_at(kind as u8);
            if is_due & !is_free & (group.state != state) {
                self.report_group(setup, scheduler, kind, state, now, sink);
            }
        }
        (ready, free_kinds)
    }

    /// Examines the warps that are due, one by one. Returns the ready warps.
    #[inline(always)]
    fn examine_each<S: Sink>(
        &mut self,
        setup: &Setup,
        scheduler: usize,
        now: u64,
        wake: &mut u64,
        sink: &mut S,
    ) -> u64 {
        let mut ready = 0;
        let mut rest = self.ready_sets[scheduler % MAX_SCHEDULERS].alone.take(now);
        while rest != 0 {
            let place = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let slot = place * setup.num_schedulers + scheduler;
            // Without divergence, the next instruction may need no unit.
            let prepared = if setup.options.without.lacks(Removed::Divergence) {
                0
            } else {
                self.prepared[slot % MAX_SLOTS]
            };
            let verdict = match prepared {
                0 => self.examine(setup, slot, scheduler, now, sink),
                next => self.unit_for(setup.code.need(next - 1), scheduler, now),
            };
            let Verdict { state, until } = verdict;
            if state == Verdict::READY.state {
                ready |= 1 << place;
            } else if state == Verdict::GONE.state {
                // Another warp may have started in this place.
                let alone = &mut self.ready_sets[scheduler % MAX_SCHEDULERS].alone;
                if alone.until(place) <= now {
                    alone.set(place, NEVER);
                }
            } else {
                self.report(sink, now, slot, state);
                let warp = &self.warps[slot];
                let of_results = matches!(
                    state,
                    WarpState::Wait | WarpState::ShortScoreboard | WarpState::LongScoreboard
                );
                if of_results
                    && let Some(next) = setup.code.instructions.get(warp.lanes.pc as usize)
                    && needs_no_members(warp, next)
                {
                    // The warp lacks nothing else once its last pending operand arrives.
                    self.prepared[slot % MAX_SLOTS] = warp.lanes.pc + 1;
                }
                let may_join = matches!(state, WarpState::MathPipeThrottle | WarpState::MioThrottle);
                if may_join && self.join_group(setup, scheduler, place, state, until, now, sink) {
                    *wake = (*wake).min(until);
                } else {
                    self.ready_sets[scheduler % MAX_SCHEDULERS]
                        .alone
                        .add(place, until);
                }
            }
            if self.fault.is_some() {
                return 0;
            }
        }
        ready
    }

    /// Handles a ready warp that was not selected.
    #[inline(always)]
    #[expect(clippy::too_many_arguments, reason = "the state of a tick")]
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
        // Every ready warp is prepared.
        let pc = self.prepared[slot % MAX_SLOTS].wrapping_sub(1);
        self.report_at(sink, now, slot, state, pc);
        if self.join_group(setup, scheduler, place, state, until, now, sink) {
            *wake = (*wake).min(until);
        } else {
            self.ready_sets[scheduler % MAX_SCHEDULERS]
                .alone
                .add(place, until);
        }
    }

    /// Handles the groups with a free pipe that were not selected.
    #[inline(always)]
    #[expect(clippy::too_many_arguments, reason = "the state of a tick")]
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
        let mut kinds = free_kinds & self.ready_sets[scheduler % MAX_SCHEDULERS].kinds;
        while kinds != 0 {
            let kind = kinds.trailing_zeros() as usize % GROUP_PLACES;
            kinds &= kinds - 1;
            *wake = (*wake).min(until);
            let group = &mut self.ready_sets[scheduler % MAX_SCHEDULERS].groups[kind];
            group.until = until;
            if group.state != state {
                self.report_group(setup, scheduler, kind, state, now, sink);
            }
        }
    }

    /// Reports a changed state of a group.
    fn report_group<S: Sink>(
        &mut self,
        setup: &Setup,
        scheduler: usize,
        kind: usize,
        state: WarpState,
        now: u64,
        sink: &mut S,
    ) {
        let group = &mut self.ready_sets[scheduler % MAX_SCHEDULERS].groups[kind % GROUP_PLACES];
        group.state = state;
        if S::SUPPORTS_GROUPS {
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
                Pc(self.last_reported[slot % MAX_SLOTS].1),
            );
        }
    }

    /// Adds a prepared warp to the group of its pipe, if the pipe has a group. The warp's state is already
    /// reported.
    #[inline(always)]
    #[expect(clippy::too_many_arguments, reason = "the state of a tick")]
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
        let ready_set = &mut self.ready_sets[scheduler % MAX_SCHEDULERS];
        let group = &mut ready_set.groups[kind];
        if group.members == 0 {
            group.state = state;
            group.until = until;
            ready_set.kinds |= 1 << kind;
        }
        // A barrier occupies its pipe without waiting for it (up to Pascal the pipe of branches), so the pipe can be free
        // later than the group knows. The group finds that out when it is due.
        debug_assert!(
            group.state == state && group.until <= until,
            "all members of a group have one state: {:?} until {}, {state:?} until {until}",
            group.state,
            group.until
        );
        group.members |= 1 << place;
        if S::SUPPORTS_GROUPS {
            let number = (scheduler * GROUP_PLACES + kind) as u8;
            sink.join(Cycle(now), SlotIdx(slot as u16), number, state);
        }
        true
    }

    /// Removes the selected warp from its group, if it is in one. Its state is reported next.
    #[inline(always)]
    fn leave_group(&mut self, setup: &Setup, scheduler: usize, place: u32) {
        let slot = place as usize * setup.num_schedulers + scheduler;
        let kind = usize::from(setup.code.need(self.prepared[slot % MAX_SLOTS] - 1).group) % GROUP_PLACES;
        let ready_set = &mut self.ready_sets[scheduler % MAX_SCHEDULERS];
        let group = &mut ready_set.groups[kind];
        group.members &= !(1 << place);
        ready_set.kinds &= !(u32::from(group.members == 0) << kind);
    }

    /// The state and pc that were last reported for a slot.
    pub(in crate::sim) fn last_reported(&self, setup: &Setup, slot: usize) -> (WarpState, u32) {
        let (state, pc) = self.last_reported[slot % MAX_SLOTS];
        let step = setup.num_schedulers;
        let groups = &self.ready_sets[slot % step % MAX_SCHEDULERS].groups;
        let group = groups
            .iter()
            .find(|group| group.members >> (slot / step) & 1 == 1);
        (group.map_or(state, |group| group.state), pc)
    }

    /// Delays pending fixed-latency results: dispatch holds the instruction of `slot` for `held` cycles, so
    /// results of the scheduler's other warps arrive that much later, and its tensor core is free that much later.
    #[cold]
    pub(super) fn delay_pending(
        &mut self,
        setup: &Setup,
        scheduler: usize,
        slot: usize,
        now: u64,
        held: u64,
    ) {
        if setup.code.has_fixed_products() {
            let free = self.pipes.delay(scheduler, PipeKind::Tensor, now, held);
            let group = &mut self.ready_sets[scheduler % MAX_SCHEDULERS].groups[PipeKind::Tensor as usize];
            if group.members != 0 && group.state == WarpState::MathPipeThrottle && group.until > now {
                group.until = free;
            }
        }
        let num_slots = self.warps.len();
        let step = setup.num_schedulers;
        for (place, other) in (scheduler..num_slots).step_by(step).enumerate() {
            let alone = &mut self.ready_sets[scheduler % MAX_SCHEDULERS].alone;
            let until = alone.until(place);
            let (state, pc) = self.last_reported[other % MAX_SLOTS];
            if other == slot || state != WarpState::Wait || until <= now || until == NEVER {
                continue;
            }
            alone.set(place, until + held);
            if let Some(next) = setup.code.instructions.get(pc as usize) {
                self.warps[other].delay(next.reads().as_flattened(), now, held);
            }
        }
    }

    /// Schedules an examination of a slot at `at`.
    pub(super) fn wake_slot(&mut self, setup: &Setup, slot: usize, at: u64) {
        let (scheduler, place) = (slot % setup.num_schedulers, slot / setup.num_schedulers);
        let ready_set = &mut self.ready_sets[scheduler % MAX_SCHEDULERS];
        // Keeps an earlier due time: the warp must report its state in that cycle.
        let at = at.min(ready_set.alone.until(place));
        ready_set.alone.set(place, at);
        let wake = &mut self.wake[scheduler % MAX_SCHEDULERS];
        *wake = (*wake).min(at);
    }
}
