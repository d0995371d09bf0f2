//! The arbiter of an SM's load/store units, where the sharing between schedulers was measured. Schedulers
//! take turns to send an instruction through the arbiter. Behind it, the units serve one wavefront per cycle:
//! the oldest access that can have one.
//!
//! The time of an access therefore depends on later issues of other schedulers. The arbiter reports the
//! earliest possible times first and updates them when they are known. The update always precedes the cycle
//! in which the result can be used.

use std::collections::VecDeque;

use super::codec::{Coded, Reader, Writer, coded};
use super::pipes::Who;
use super::sm::{MAX_SCHEDULERS, MAX_SLOTS, NEVER};
use super::view::{InFlight, PassView, QueueEntry};
use crate::arch::{Architecture, PipeKind};
use crate::ids::{Cycle, SlotIdx};

/// An instruction in the load/store units or their queues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Passage {
    pub(super) who: Who,
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
pub(super) struct Gate {
    /// Instructions in front of the arbiter, by scheduler, oldest first.
    waiting: [VecDeque<Passage>; MAX_SCHEDULERS],
    /// Instructions behind the arbiter, oldest first.
    inside: Vec<Passage>,
    /// The capacity behind the arbiter.
    room: usize,
    /// Cycles between two instructions of a scheduler at the arbiter, and between two wavefronts of a warp.
    interval: u64,
    /// The cycle in which each scheduler can send its next instruction.
    ways: [u64; MAX_SCHEDULERS],
    /// The scheduler whose turn it is.
    turn: usize,
    /// The earliest cycle of the next wavefront of each slot's warp.
    passes: [u64; MAX_SLOTS],
    /// All cycles before this one are decided.
    now: u64,
    /// The earliest completion of an instruction that has wavefronts left, as reported.
    first_done: u64,
    /// The instruction that served its last wavefront most recently, and the cycle.
    through: Option<(u64, Passage)>,
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

coded!(Passage {
    who,
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
coded!(Gate {
    waiting,
    inside,
    room,
    interval,
    ways,
    turn,
    passes,
    now,
    first_done,
    through,
});

impl Gate {
    /// The arbiter of an architecture, where its behavior is known.
    pub(super) fn of(arch: &Architecture) -> Option<Self> {
        let gate = arch.memory.unit_gate.as_ref()?;
        let room = usize::from(gate.entries.value);
        Some(Self {
            waiting: std::array::from_fn(|_| VecDeque::new()),
            inside: Vec::with_capacity(room),
            room,
            interval: u64::from(gate.interval_cycles.value).max(1),
            ways: [0; MAX_SCHEDULERS],
            turn: 0,
            passes: [0; MAX_SLOTS],
            now: 0,
            first_done: NEVER,
            through: None,
        })
    }

    fn all(&self) -> impl Iterator<Item = &Passage> {
        self.waiting.iter().flatten().chain(&self.inside)
    }

    /// Whether an instruction has wavefronts left and its times are updated as they are decided.
    pub(super) fn is_open(&self, slot: SlotIdx, pc: u32, issued: u64) -> bool {
        self.all().any(|passage| {
            let who = (passage.who.slot, passage.who.pc.0, passage.issued);
            who == (slot, pc, issued) && passage.settles != Settles::Nothing
        })
    }

    pub(super) fn is_empty(&self) -> bool {
        self.inside.is_empty() && self.waiting.iter().all(VecDeque::is_empty)
    }

    /// The earliest cycle in which an instruction that issues now can be arbitrated.
    pub(super) fn soonest(&self, scheduler: usize, now: u64) -> u64 {
        let before = self.waiting[scheduler % MAX_SCHEDULERS].len() as u64;
        now.max(self.ways[scheduler % MAX_SCHEDULERS]) + self.interval * before
    }

    /// The cycle of the first wavefront of an instruction that issues now, if no other instruction comes
    /// first.
    pub(super) fn in_order(&self, scheduler: usize, now: u64) -> u64 {
        let before: u64 = self.all().map(|passage| passage.left).sum();
        self.soonest(scheduler, now).max(now + before)
    }

    /// Cycles from the first to the last of `passes` wavefronts, if they are served back to back.
    pub(super) const fn span(&self, passes: u64) -> u64 {
        self.interval * passes.saturating_sub(1)
    }

    /// Appends an instruction to the queue of its scheduler.
    pub(super) fn join(&mut self, passage: Passage) {
        if passage.settles != Settles::Nothing {
            self.first_done = self.first_done.min(passage.done);
        }
        self.waiting[usize::from(passage.scheduler) % MAX_SCHEDULERS].push_back(passage);
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
        let least = self.inside.iter().map(|passage| passage.left).min();
        let full = self.inside.len() >= self.room;
        let room = if full {
            self.span(least.unwrap_or(0)) + 1
        } else {
            0
        };
        let way = self.ways[scheduler % MAX_SCHEDULERS].max(first.earliest);
        way.max(self.now + room)
    }

    /// Decides all cycles before `to`, and reports each instruction whose times became known.
    pub(super) fn advance(&mut self, to: u64, mut tell: impl FnMut(&Passage)) {
        while self.now < to {
            if self.is_empty() {
                self.now = to;
                return;
            }
            self.open();
            self.pass(&mut tell);
            self.now += 1;
        }
        if self.first_done <= to {
            self.put_off(to, tell);
        }
    }

    /// Sends an instruction of the next scheduler that has one through the arbiter.
    fn open(&mut self) {
        if self.inside.len() >= self.room {
            return;
        }
        for offset in 0..MAX_SCHEDULERS {
            let scheduler = (self.turn + offset) % MAX_SCHEDULERS;
            if self.ways[scheduler] > self.now {
                continue;
            }
            let queue = &mut self.waiting[scheduler];
            if let Some(passage) = queue.pop_front_if(|first| first.earliest <= self.now) {
                self.inside.push(passage);
                self.ways[scheduler] = self.now + self.interval;
                self.turn = scheduler + 1;
                return;
            }
        }
    }

    /// The index of the instruction that has a wavefront now: the oldest whose warp can have one.
    #[inline(always)]
    fn next_pass(&self) -> Option<usize> {
        let mut older = 0_u64;
        self.inside.iter().position(|passage| {
            let slot = usize::from(passage.who.slot.0) % MAX_SLOTS;
            // The instructions of a warp are served in order.
            let waits = older >> slot & 1 == 1 || self.passes[slot] > self.now;
            older |= 1 << slot;
            !waits
        })
    }

    /// Serves one wavefront of an instruction behind the arbiter.
    fn pass(&mut self, tell: &mut impl FnMut(&Passage)) {
        let Some(place) = self.next_pass() else { return };
        let passage = &mut self.inside[place];
        self.passes[usize::from(passage.who.slot.0) % MAX_SLOTS] = self.now + self.interval;
        passage.left = passage.left.saturating_sub(1);
        let is_first = !passage.has_started;
        if is_first {
            passage.has_started = true;
            passage.started = self.now;
        }
        let least = self.now + self.interval * passage.left + passage.after;
        let is_later = passage.done < least;
        passage.done = passage.done.max(least);
        if passage.settles != Settles::Nothing && (is_first || is_later || passage.left == 0) {
            tell(passage);
        }
        if passage.left == 0 {
            let passage = self.inside.remove(place);
            self.through = Some((self.now, passage));
        }
    }

    /// Reports the earliest times of instructions that have not started: the times reported before can be
    /// past.
    pub(super) fn tell_earliest(&self, mut tell: impl FnMut(&Passage)) {
        let mut look = |passage: &Passage, at: u64| {
            if passage.settles == Settles::Nothing || passage.has_started || passage.started >= at {
                return;
            }
            let done = at + self.span(passage.left) + passage.after;
            tell(&Passage {
                started: at,
                done: passage.done.max(done),
                ..*passage
            });
        };
        for passage in &self.inside {
            look(passage, self.now);
        }
        for (queue, way) in self.waiting.iter().zip(self.ways) {
            for (passage, before) in queue.iter().zip(0..) {
                look(passage, way.max(self.now) + self.interval * before);
            }
        }
    }

    /// The instructions in flight after a cycle, and the one that has a wavefront in that cycle.
    pub(super) fn passes_after(&self, cycle: u64) -> Vec<PassView> {
        let mut gate = self.clone();
        gate.advance(cycle + 1, |_| ());
        // A warp's wavefronts are in order: the wavefront belongs to the oldest instruction of the slot.
        let mut slot = gate.passes.iter().position(|next| *next == cycle + gate.interval);
        let mut views = Vec::new();
        if let Some((_, through)) = gate.through.filter(|(at, _)| *at == cycle) {
            views.push(through.view(true));
            slot = None;
        }
        for passage in gate.inside.iter().chain(gate.waiting.iter().flatten()) {
            let is_now = slot == Some(usize::from(passage.who.slot.0));
            if is_now {
                slot = None;
            }
            views.push(passage.view(is_now));
        }
        views
    }

    /// Postpones the reported completion of unfinished instructions whose reported time is near.
    #[cold]
    fn put_off(&mut self, now: u64, mut tell: impl FnMut(&Passage)) {
        let interval = self.interval;
        self.first_done = NEVER;
        let mut look = |passage: &mut Passage, at: u64| {
            if passage.settles == Settles::Nothing {
                return;
            }
            if passage.done <= now {
                if !passage.has_started {
                    passage.started = passage.started.max(at);
                }
                passage.done = at + interval * passage.left.saturating_sub(1) + passage.after;
                tell(passage);
            }
            self.first_done = self.first_done.min(passage.done);
        };
        for passage in &mut self.inside {
            look(passage, now);
        }
        for (queue, way) in self.waiting.iter_mut().zip(self.ways) {
            for (passage, before) in queue.iter_mut().zip(0..) {
                look(passage, way.max(now) + interval * before);
            }
        }
    }

    /// Instructions that the units have started and whose times are not reported with those of other pipes.
    pub(super) fn in_flight(&self) -> impl Iterator<Item = InFlight> {
        let begun = self.inside.iter().filter(|passage| passage.has_started);
        begun
            .filter(|passage| passage.settles != Settles::Nothing)
            .map(|passage| passage.flight(self.now + self.span(passage.left)))
    }

    /// The end of the current work if no instruction follows.
    pub(super) fn busy_until(&self) -> u64 {
        self.now + self.inside.iter().map(|passage| passage.left).sum::<u64>()
    }

    /// The instructions of a scheduler in front of the arbiter.
    pub(super) fn entries(&self, scheduler: usize) -> impl Iterator<Item = QueueEntry> {
        let soonest = self.now.max(self.ways[scheduler % MAX_SCHEDULERS]);
        let queue = self.waiting[scheduler % MAX_SCHEDULERS].iter().zip(0..);
        queue.map(move |(passage, before)| QueueEntry {
            slot: passage.who.slot,
            warp: passage.who.warp,
            pc: passage.who.pc,
            pipe: PipeKind::Lsu,
            entered: Cycle(passage.issued),
            leaves: Cycle(soonest + self.interval * before),
        })
    }
}

impl Passage {
    /// The data of a view.
    const fn view(&self, is_now: bool) -> PassView {
        PassView {
            slot: self.who.slot,
            pc: self.who.pc,
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
            slot: self.who.slot,
            warp: self.who.warp,
            pc: self.who.pc,
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
        let mut gate = Gate::of(architecture(ArchId::Gh100)).unwrap();
        let mut times = vec![(0, 0); issues.len()];
        let mut told = vec![0; issues.len()];
        let mut tell = |passage: &Passage| {
            let number = passage.who.pc.0 as usize;
            assert!(
                passage.done >= told[number],
                "reported times are the earliest possible"
            );
            told[number] = passage.done;
            if passage.left == 0 {
                assert_eq!(times[number], (0, 0), "each finishes once");
                times[number] = (passage.started, passage.done);
            }
        };
        let mut now = 0;
        for (number, (cycles, slot, passes)) in issues.iter().enumerate() {
            if !together {
                for before in now..now + cycles {
                    gate.advance(before, &mut tell);
                }
            }
            now += cycles;
            gate.advance(now, &mut tell);
            let scheduler = usize::from(*slot) % 4;
            let started = gate.soonest(scheduler, now);
            gate.join(Passage {
                who: Who {
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
                done: started + gate.span(*passes) + 23,
            });
        }
        gate.advance(now + 100_000, &mut tell);
        assert!(gate.is_empty());
        times
    }

    proptest! {
        #[test]
        fn all_are_served_in_order_and_never_sooner_than_told(
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
    fn one_warp_has_every_second_pass() {
        assert_eq!(end(0, &[0], 4, 8) - 4, 2 * (4 * 8 - 1));
        for two in [[0, 4], [0, 1]] {
            let both = end(0, &two, 4, 8).max(end(two[1], &two, 4, 8)) - 4;
            assert!((2 * 4 * 8 - 1..2 * 4 * 8 + 3).contains(&both), "{two:?}: {both}");
        }
    }
}
