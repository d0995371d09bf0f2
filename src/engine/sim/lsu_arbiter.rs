//! The arbiter of an SM's load/store units, where the sharing between schedulers was measured. Schedulers
//! take turns to send an instruction through the arbiter. Behind it, the units serve one wavefront per cycle:
//! the oldest access that can have one.
//!
//! The time of an access therefore depends on later issues of other schedulers. The arbiter reports the
//! earliest possible times first and updates them when they are known. The update always precedes the cycle
//! in which the result can be used.

use std::collections::VecDeque;

use super::codec::{Coded, Reader, Writer, coded};
use super::pipes::Origin;
use super::sm::{MAX_SCHEDULERS, MAX_SLOTS, NEVER};
use super::view::{InFlight, PassView, QueueEntry};
use crate::arch::{Architecture, PipeKind};
use crate::ids::{Cycle, SlotIdx};

/// An instruction in the load/store units or their queues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LsuSlot {
    pub(super) origin: Origin,
    pub(super) scheduler: u8,
    pub(super) issued: u64,
    /// The earliest arbitration cycle: other instructions of its scheduler's queue go first.
    pub(super) earliest: u64,
    /// Wavefronts that are left.
    pub(super) left: u64,
    /// Cycles from its last wavefront to its result.
    pub(super) after: u64,
    /// The reader of its times.
    pub(super) settles: Settles,
    /// The cycle of its first wavefront; the earliest possible one while it is not decided.
    pub(super) started: u64,
    pub(super) has_started: bool,
    /// The cycle in which its result is ready; the earliest possible one while wavefronts are left.
    pub(super) done: u64,
}

/// The information that depends on an instruction's wavefronts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Settles {
    /// Nothing: its times were estimated at issue.
    Nothing,
    /// The cycle in which its result is ready.
    Result,
    /// The cycle in which its result is ready, and the times of the access with this number.
    Access(u32),
}

/// The arbiter: the load/store units and the queues in front of them.
#[derive(Clone, Debug)]
pub(super) struct LsuArbiter {
    /// Instructions in front of the arbiter, by scheduler, oldest first.
    waiting: [VecDeque<LsuSlot>; MAX_SCHEDULERS],
    /// Instructions behind the arbiter, oldest first.
    inside: Vec<LsuSlot>,
    /// The capacity behind the arbiter.
    capacity: usize,
    /// Cycles between two instructions of a scheduler at the arbiter, and between two wavefronts of a warp.
    interval: u64,
    /// The cycle in which each scheduler can send its next instruction.
    port_free: [u64; MAX_SCHEDULERS],
    /// The scheduler whose turn it is.
    turn: usize,
    /// The earliest cycle of the next wavefront of each slot's warp.
    passes: [u64; MAX_SLOTS],
    /// All cycles before this one are decided.
    now: u64,
    /// The earliest completion of an instruction that has wavefronts left, as reported.
    first_done: u64,
    /// The instruction that served its last wavefront most recently, and the cycle.
    last_served: Option<(u64, LsuSlot)>,
}

impl Coded for Settles {
    fn encode(&self, to: &mut Writer) {
        let (is_told, number) = match self {
            Self::Nothing => (false, None),
            Self::Result => (true, None),
            Self::Access(number) => (true, Some(*number)),
        };
        to.put(&is_told);
        to.put(&number);
    }
    fn decode(from: &mut Reader) -> Self {
        match (from.get(), from.get()) {
            (false, _) => Self::Nothing,
            (true, None) => Self::Result,
            (true, Some(number)) => Self::Access(number),
        }
    }
}

coded!(LsuSlot {
    origin,
    scheduler,
    issued,
    earliest,
    left,
    after,
    settles,
    started,
    has_started,
    done,
});
coded!(LsuArbiter {
    waiting,
    inside,
    capacity,
    interval,
    port_free,
    turn,
    passes,
    now,
    first_done,
    last_served,
});

impl LsuArbiter {
    /// The arbiter of an architecture, where its behavior is known.
    pub(super) fn of(arch: &Architecture) -> Option<Self> {
        let lsu_arbiter = arch.memory.unit_gate.as_ref()?;
        let capacity = usize::from(lsu_arbiter.entries.value);
        Some(Self {
            waiting: std::array::from_fn(|_| VecDeque::new()),
            inside: Vec::with_capacity(capacity),
            capacity,
            interval: u64::from(lsu_arbiter.interval_cycles.value).max(1),
            port_free: [0; MAX_SCHEDULERS],
            turn: 0,
            passes: [0; MAX_SLOTS],
            now: 0,
            first_done: NEVER,
            last_served: None,
        })
    }

    fn all(&self) -> impl Iterator<Item = &LsuSlot> {
        self.waiting.iter().flatten().chain(&self.inside)
    }

    /// Whether an instruction has wavefronts left and its times are updated as they are decided.
    pub(super) fn is_open(&self, slot: SlotIdx, pc: u32, issued: u64) -> bool {
        self.all().any(|lsu_slot| {
            let origin = (lsu_slot.origin.slot, lsu_slot.origin.pc.0, lsu_slot.issued);
            origin == (slot, pc, issued) && lsu_slot.settles != Settles::Nothing
        })
    }

    pub(super) fn is_empty(&self) -> bool {
        self.inside.is_empty() && self.waiting.iter().all(VecDeque::is_empty)
    }

    /// The earliest cycle in which an instruction that issues now can be arbitrated.
    pub(super) fn earliest_arbitration(&self, scheduler: usize, now: u64) -> u64 {
        let before = self.waiting[scheduler % MAX_SCHEDULERS].len() as u64;
        now.max(self.port_free[scheduler % MAX_SCHEDULERS]) + self.interval * before
    }

    /// The cycle of the first wavefront of an instruction that issues now, if no other instruction comes
    /// first.
    pub(super) fn in_order(&self, scheduler: usize, now: u64) -> u64 {
        let before: u64 = self.all().map(|lsu_slot| lsu_slot.left).sum();
        self.earliest_arbitration(scheduler, now).max(now + before)
    }

    /// Cycles from the first to the last of `passes` wavefronts, if they are served back to back.
    pub(super) const fn span(&self, passes: u64) -> u64 {
        self.interval * passes.saturating_sub(1)
    }

    /// Appends an instruction to the queue of its scheduler.
    pub(super) fn join(&mut self, lsu_slot: LsuSlot) {
        if lsu_slot.settles != Settles::Nothing {
            self.first_done = self.first_done.min(lsu_slot.done);
        }
        self.waiting[usize::from(lsu_slot.scheduler) % MAX_SCHEDULERS].push_back(lsu_slot);
    }

    /// The number of a scheduler's instructions in front of the arbiter.
    pub(super) fn num_waiting(&self, scheduler: usize) -> usize {
        self.waiting[scheduler % MAX_SCHEDULERS].len()
    }

    /// The earliest cycle in which the first queued instruction passes the arbiter.
    pub(super) fn next_leaves(&self, scheduler: usize) -> u64 {
        let Some(first) = self.waiting[scheduler % MAX_SCHEDULERS].front() else {
            return NEVER;
        };
        let least = self.inside.iter().map(|lsu_slot| lsu_slot.left).min();
        let full = self.inside.len() >= self.capacity;
        let wait = if full {
            self.span(least.unwrap_or(0)) + 1
        } else {
            0
        };
        let way = self.port_free[scheduler % MAX_SCHEDULERS].max(first.earliest);
        way.max(self.now + wait)
    }

    /// Decides all cycles before `to`, and reports each instruction whose times became known.
    pub(super) fn advance(&mut self, to: u64, mut report: impl FnMut(&LsuSlot)) {
        while self.now < to {
            if self.is_empty() {
                self.now = to;
                return;
            }
            self.open();
            self.pass(&mut report);
            self.now += 1;
        }
        if self.first_done <= to {
            self.postpone(to, report);
        }
    }

    /// Sends an instruction of the next scheduler that has one through the arbiter.
    fn open(&mut self) {
        if self.inside.len() >= self.capacity {
            return;
        }
        for offset in 0..MAX_SCHEDULERS {
            let scheduler = (self.turn + offset) % MAX_SCHEDULERS;
            if self.port_free[scheduler] > self.now {
                continue;
            }
            let queue = &mut self.waiting[scheduler];
            if let Some(lsu_slot) = queue.pop_front_if(|first| first.earliest <= self.now) {
                self.inside.push(lsu_slot);
                self.port_free[scheduler] = self.now + self.interval;
                self.turn = scheduler + 1;
                return;
            }
        }
    }

    /// The index of the instruction that has a wavefront now: the oldest whose warp can have one.
    #[inline(always)]
    fn next_pass(&self) -> Option<usize> {
        let mut older = 0_u64;
        self.inside.iter().position(|lsu_slot| {
            let slot = usize::from(lsu_slot.origin.slot.0) % MAX_SLOTS;
            // The instructions of a warp are served in order.
            let waits = older >> slot & 1 == 1 || self.passes[slot] > self.now;
            older |= 1 << slot;
            !waits
        })
    }

    /// Serves one wavefront of an instruction behind the arbiter.
    fn pass(&mut self, report: &mut impl FnMut(&LsuSlot)) {
        let Some(place) = self.next_pass() else { return };
        let lsu_slot = &mut self.inside[place];
        self.passes[usize::from(lsu_slot.origin.slot.0) % MAX_SLOTS] = self.now + self.interval;
        lsu_slot.left = lsu_slot.left.saturating_sub(1);
        let is_first = !lsu_slot.has_started;
        if is_first {
            lsu_slot.has_started = true;
            lsu_slot.started = self.now;
        }
        let least = self.now + self.interval * lsu_slot.left + lsu_slot.after;
        let is_later = lsu_slot.done < least;
        lsu_slot.done = lsu_slot.done.max(least);
        if lsu_slot.settles != Settles::Nothing && (is_first || is_later || lsu_slot.left == 0) {
            report(lsu_slot);
        }
        if lsu_slot.left == 0 {
            let lsu_slot = self.inside.remove(place);
            self.last_served = Some((self.now, lsu_slot));
        }
    }

    /// Reports the earliest times of instructions that have not started: the times reported before can be
    /// past.
    pub(super) fn report_earliest(&self, mut report: impl FnMut(&LsuSlot)) {
        let mut report_at = |lsu_slot: &LsuSlot, at: u64| {
            if lsu_slot.settles == Settles::Nothing || lsu_slot.has_started || lsu_slot.started >= at {
                return;
            }
            let done = at + self.span(lsu_slot.left) + lsu_slot.after;
            report(&LsuSlot {
                started: at,
                done: lsu_slot.done.max(done),
                ..*lsu_slot
            });
        };
        for lsu_slot in &self.inside {
            report_at(lsu_slot, self.now);
        }
        for (queue, way) in self.waiting.iter().zip(self.port_free) {
            for (lsu_slot, before) in queue.iter().zip(0..) {
                report_at(lsu_slot, way.max(self.now) + self.interval * before);
            }
        }
    }

    /// The instructions in flight after a cycle, and the one that has a wavefront in that cycle.
    pub(super) fn passes_after(&self, cycle: u64) -> Vec<PassView> {
        let mut lsu_arbiter = self.clone();
        lsu_arbiter.advance(cycle + 1, |_| ());
        // A warp's wavefronts are in order: the wavefront belongs to the oldest instruction of the slot.
        let mut slot = lsu_arbiter
            .passes
            .iter()
            .position(|next| *next == cycle + lsu_arbiter.interval);
        let mut views = Vec::new();
        if let Some((_, last_served)) = lsu_arbiter.last_served.filter(|(at, _)| *at == cycle) {
            views.push(last_served.view(true));
            slot = None;
        }
        for lsu_slot in lsu_arbiter
            .inside
            .iter()
            .chain(lsu_arbiter.waiting.iter().flatten())
        {
            let is_now = slot == Some(usize::from(lsu_slot.origin.slot.0));
            if is_now {
                slot = None;
            }
            views.push(lsu_slot.view(is_now));
        }
        views
    }

    /// Postpones the reported completion of unfinished instructions whose reported time is near.
    #[cold]
    fn postpone(&mut self, now: u64, mut report: impl FnMut(&LsuSlot)) {
        let interval = self.interval;
        self.first_done = NEVER;
        let mut report_at = |lsu_slot: &mut LsuSlot, at: u64| {
            if lsu_slot.settles == Settles::Nothing {
                return;
            }
            if lsu_slot.done <= now {
                if !lsu_slot.has_started {
                    lsu_slot.started = lsu_slot.started.max(at);
                }
                lsu_slot.done = at + interval * lsu_slot.left.saturating_sub(1) + lsu_slot.after;
                report(lsu_slot);
            }
            self.first_done = self.first_done.min(lsu_slot.done);
        };
        for lsu_slot in &mut self.inside {
            report_at(lsu_slot, now);
        }
        for (queue, way) in self.waiting.iter_mut().zip(self.port_free) {
            for (lsu_slot, before) in queue.iter_mut().zip(0..) {
                report_at(lsu_slot, way.max(now) + interval * before);
            }
        }
    }

    /// Instructions that the units have started and whose times are not reported with those of other pipes.
    pub(super) fn in_flight(&self) -> impl Iterator<Item = InFlight> {
        let started = self.inside.iter().filter(|lsu_slot| lsu_slot.has_started);
        started
            .filter(|lsu_slot| lsu_slot.settles != Settles::Nothing)
            .map(|lsu_slot| lsu_slot.flight(self.now + self.span(lsu_slot.left)))
    }

    /// The end of the current work if no instruction follows.
    pub(super) fn busy_until(&self) -> u64 {
        self.now + self.inside.iter().map(|lsu_slot| lsu_slot.left).sum::<u64>()
    }

    /// The instructions of a scheduler in front of the arbiter.
    pub(super) fn entries(&self, scheduler: usize) -> impl Iterator<Item = QueueEntry> {
        let earliest_arbitration = self.now.max(self.port_free[scheduler % MAX_SCHEDULERS]);
        let queue = self.waiting[scheduler % MAX_SCHEDULERS].iter().zip(0..);
        queue.map(move |(lsu_slot, before)| QueueEntry {
            slot: lsu_slot.origin.slot,
            warp: lsu_slot.origin.warp,
            pc: lsu_slot.origin.pc,
            pipe: PipeKind::Lsu,
            entered: Cycle(lsu_slot.issued),
            leaves: Cycle(earliest_arbitration + self.interval * before),
        })
    }
}

impl LsuSlot {
    /// The data of a view.
    const fn view(&self, is_now: bool) -> PassView {
        PassView {
            slot: self.origin.slot,
            pc: self.origin.pc,
            issued: Cycle(self.issued),
            left: self.left as u16,
            is_now,
        }
    }

    /// The cycle of its last wavefront, as reported.
    pub(super) const fn last(&self) -> u64 {
        self.done.saturating_sub(self.after)
    }

    /// The data of a view, with the last wavefront at `last`.
    pub(super) fn flight(&self, last: u64) -> InFlight {
        InFlight {
            slot: self.origin.slot,
            warp: self.origin.warp,
            pc: self.origin.pc,
            started: Cycle(self.started),
            accepted: Cycle(last + 1),
            done: Cycle(self.done),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::arch::{ArchId, architecture};
    use crate::ids::{Pc, SlotIdx, WarpId};

    /// The start and end of each instruction, in issue order. An issue is the cycles since the one before,
    /// the slot, and the wavefronts. Cycles without an issue are decided one by one, or together.
    fn times(issues: &[(u64, u16, u64)], together: bool) -> Vec<(u64, u64)> {
        let mut lsu_arbiter = LsuArbiter::of(architecture(ArchId::Gh100)).unwrap();
        let mut times = vec![(0, 0); issues.len()];
        let mut last_done = vec![0; issues.len()];
        let mut report = |lsu_slot: &LsuSlot| {
            let number = lsu_slot.origin.pc.0 as usize;
            assert!(
                lsu_slot.done >= last_done[number],
                "reported times are the earliest possible"
            );
            last_done[number] = lsu_slot.done;
            if lsu_slot.left == 0 {
                assert_eq!(times[number], (0, 0), "each finishes once");
                times[number] = (lsu_slot.started, lsu_slot.done);
            }
        };
        let mut now = 0;
        for (number, (cycles, slot, passes)) in issues.iter().enumerate() {
            if !together {
                for before in now..now + cycles {
                    lsu_arbiter.advance(before, &mut report);
                }
            }
            now += cycles;
            lsu_arbiter.advance(now, &mut report);
            let scheduler = usize::from(*slot) % 4;
            let started = lsu_arbiter.earliest_arbitration(scheduler, now);
            lsu_arbiter.join(LsuSlot {
                origin: Origin {
                    slot: SlotIdx(*slot),
                    warp: WarpId(0),
                    pc: Pc(number as u32),
                },
                scheduler: scheduler as u8,
                issued: now,
                earliest: 0,
                left: *passes,
                after: 23,
                settles: Settles::Result,
                started,
                has_started: false,
                done: started + lsu_arbiter.span(*passes) + 23,
            });
        }
        lsu_arbiter.advance(now + 100_000, &mut report);
        assert!(lsu_arbiter.is_empty());
        times
    }

    proptest! {
        #[test]
        fn instructions_are_served_in_order_and_never_before_their_reported_time(
            issues in prop::collection::vec((0_u64..9, 0_u16..12, 1_u64..33), 1..60),
        ) {
            let times = times(&issues, false);
            prop_assert_eq!(&times, &self::times(&issues, true), "the step size has no effect");
            let mut now = 0;
            let mut last = [0; 12];
            for ((cycles, slot, passes), (started, done)) in issues.iter().zip(&times) {
                now += cycles;
                prop_assert!(*started >= now);
                prop_assert!(*done >= started + 2 * (passes - 1) + 23);
                let slot = usize::from(*slot);
                prop_assert!(last[slot] == 0 || *started >= last[slot] + 2, "a warp's wavefronts are in order");
                last[slot] = done - 23;
            }
            // One wavefront per cycle.
            let num: u64 = issues.iter().map(|issue| issue.2).sum();
            let end = times.iter().map(|(_, done)| done - 23).max().unwrap();
            let first = times.iter().map(|(started, _)| *started).min().unwrap();
            prop_assert!(end + 1 - first >= num);
        }
    }

    /// The cycle of the last wavefront of a slot's instructions, if all slots issue as soon as they can.
    fn end(slot: u16, slots: &[u16], rounds: usize, passes: u64) -> u64 {
        let round = slots.iter().zip(0..);
        let round: Vec<_> = round
            .map(|(slot, nth)| (4 * u64::from(nth == 0), *slot, passes))
            .collect();
        let issues = round.repeat(rounds);
        let times = times(&issues, true);
        let own = issues.iter().zip(times).filter(|(issue, _)| issue.1 == slot);
        own.map(|(_, (_, done))| done - 23).max().unwrap()
    }

    #[test]
    fn schedulers_take_turns() {
        // Two warps of the first scheduler, one of each other. The first scheduler has one of four turns
        // until the others are done.
        let slots = [0, 4, 1, 2, 3];
        assert!(
            (64..70).contains(&end(1, &slots, 16, 1)),
            "{}",
            end(1, &slots, 16, 1)
        );
        assert!(
            (92..=100).contains(&end(4, &slots, 16, 1)),
            "{}",
            end(4, &slots, 16, 1)
        );
    }

    #[test]
    fn one_warp_gets_every_second_wavefront() {
        assert_eq!(end(0, &[0], 4, 8) - 4, 2 * (4 * 8 - 1));
        for two in [[0, 4], [0, 1]] {
            let both = end(0, &two, 4, 8).max(end(two[1], &two, 4, 8)) - 4;
            assert!((2 * 4 * 8 - 1..2 * 4 * 8 + 3).contains(&both), "{two:?}: {both}");
        }
    }
}
