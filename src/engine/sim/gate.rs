//! The load/store units of an SM where it was measured how its schedulers share them: they take turns at a
//! gate, and behind it the units make one pass a cycle, of the oldest access that can have one.
//!
//! So when an access is served depends on what other schedulers issue after it. It is told in advance when
//! that is the case at the earliest, and told anew when it is known: more than that many cycles before the
//! result can be used.

use std::collections::VecDeque;

use super::codec::{Coded, Reader, Writer, coded};
use super::pipes::Who;
use super::sm::{MAX_SCHEDULERS, MAX_SLOTS, NEVER};
use super::view::{InFlight, PassView, QueueEntry};
use crate::arch::{Architecture, PipeKind};
use crate::ids::{Cycle, SlotIdx};

/// An instruction on its way through the units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Passage {
    pub(super) who: Who,
    pub(super) scheduler: u8,
    pub(super) issued: u64,
    /// Its scheduler's queue has others before it until then.
    pub(super) earliest: u64,
    /// Passes that it has still to make.
    pub(super) left: u64,
    /// Cycles from its last pass to its result.
    pub(super) after: u64,
    /// Whose times depend on it.
    pub(super) settles: Settles,
    /// When its first pass is; the earliest cycle at which it can be while that is not known.
    pub(super) started: u64,
    pub(super) has_started: bool,
    /// When its result is there; the earliest cycle at which it can be while passes are left.
    pub(super) done: u64,
}

/// What is told of an instruction's passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Settles {
    /// Nothing: its times were estimated when it issued.
    Nothing,
    /// When its result is there.
    Result,
    /// The same, of the access of this number.
    Access(u32),
}

/// The units and the ways to them.
#[derive(Clone, Debug)]
pub(super) struct Gate {
    /// Those in front of the gate, by scheduler, the first first.
    waiting: [VecDeque<Passage>; MAX_SCHEDULERS],
    /// Those behind it, the oldest first.
    inside: Vec<Passage>,
    /// How many can be behind it.
    room: usize,
    /// Cycles between two instructions of a scheduler at the gate, and between two passes of a warp.
    interval: u64,
    /// When the way of each scheduler to the gate is free.
    ways: [u64; MAX_SCHEDULERS],
    /// Whose turn it is.
    turn: usize,
    /// When the next pass of the warp in each slot can be.
    passes: [u64; MAX_SLOTS],
    /// All cycles before this one are decided.
    now: u64,
    /// When the first of those passages is done that can be, as far as is told.
    first_done: u64,
    /// The one that made its last pass last, and when that was.
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
    /// The gate of an architecture of which it is known.
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

    /// Whether an instruction has passes left whose times are settled as they come.
    pub(super) fn is_open(&self, slot: SlotIdx, pc: u32, issued: u64) -> bool {
        self.all().any(|passage| {
            let who = (passage.who.slot, passage.who.pc.0, passage.issued);
            who == (slot, pc, issued) && passage.settles != Settles::Nothing
        })
    }

    pub(super) fn is_empty(&self) -> bool {
        self.inside.is_empty() && self.waiting.iter().all(VecDeque::is_empty)
    }

    /// When an instruction that a scheduler issues now can be at the gate at the earliest.
    pub(super) fn soonest(&self, scheduler: usize, now: u64) -> u64 {
        let before = self.waiting[scheduler % MAX_SCHEDULERS].len() as u64;
        now.max(self.ways[scheduler % MAX_SCHEDULERS]) + self.interval * before
    }

    /// When an instruction that a scheduler issues now has its first pass if nobody comes between.
    pub(super) fn in_order(&self, scheduler: usize, now: u64) -> u64 {
        let before: u64 = self.all().map(|passage| passage.left).sum();
        self.soonest(scheduler, now).max(now + before)
    }

    /// Cycles from the first of so many passes of an instruction to its last, if it has them at once.
    pub(super) const fn span(&self, passes: u64) -> u64 {
        self.interval * passes.saturating_sub(1)
    }

    /// An instruction joins the queue of its scheduler.
    pub(super) fn join(&mut self, passage: Passage) {
        if passage.settles != Settles::Nothing {
            self.first_done = self.first_done.min(passage.done);
        }
        self.waiting[usize::from(passage.scheduler) % MAX_SCHEDULERS].push_back(passage);
    }

    /// How many of a scheduler's instructions are in front of the gate.
    pub(super) fn num_waiting(&self, scheduler: usize) -> usize {
        self.waiting[scheduler % MAX_SCHEDULERS].len()
    }

    /// When the first of them goes through the gate, at the earliest.
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

    /// Decides all cycles before `to`, and tells what is known of passages thereby.
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

    /// The next scheduler that has an instruction for the units sends it through the gate.
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

    /// The place of the one that has a pass now: the oldest of those whose warp can have one.
    #[inline(always)]
    fn next_pass(&self) -> Option<usize> {
        let mut older = 0_u64;
        self.inside.iter().position(|passage| {
            let slot = usize::from(passage.who.slot.0) % MAX_SLOTS;
            // Those of a warp come in order.
            let waits = older >> slot & 1 == 1 || self.passes[slot] > self.now;
            older |= 1 << slot;
            !waits
        })
    }

    /// One of those behind the gate has a pass.
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

    /// Tells of those that have not begun when they can at the earliest: what was told before can be over.
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

    /// What is under way after a cycle, and whose pass that has.
    pub(super) fn passes_after(&self, cycle: u64) -> Vec<PassView> {
        let mut gate = self.clone();
        gate.advance(cycle + 1, |_| ());
        // A warp's passes are in order: it is the oldest of the slot that could have had one then.
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

    /// What is not through yet is done later than was told, if that was to be soon.
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

    /// Instructions that their units have begun with and whose times are not told with those of other pipes.
    pub(super) fn in_flight(&self) -> impl Iterator<Item = InFlight> {
        let begun = self.inside.iter().filter(|passage| passage.has_started);
        begun
            .filter(|passage| passage.settles != Settles::Nothing)
            .map(|passage| passage.flight(self.now + self.span(passage.left)))
    }

    /// Until when the units have passes to make, if nothing comes.
    pub(super) fn busy_until(&self) -> u64 {
        self.now + self.inside.iter().map(|passage| passage.left).sum::<u64>()
    }

    /// What a scheduler has in front of the gate.
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
    /// As pictures show it.
    const fn view(&self, is_now: bool) -> PassView {
        PassView {
            slot: self.who.slot,
            pc: self.who.pc,
            issued: Cycle(self.issued),
            left: self.left as u16,
            is_now,
        }
    }

    /// When its last pass is, as far as is told.
    pub(super) const fn last(&self) -> u64 {
        self.done.saturating_sub(self.after)
    }

    /// As pictures show it, of which the last pass is at `last`.
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

    /// When each of these is started and done, by the order in which they issue: cycles since the one before,
    /// slot, and passes. Cycles without an issue are decided one by one, or together.
    fn times(issues: &[(u64, u16, u64)], together: bool) -> Vec<(u64, u64)> {
        let mut gate = Gate::of(architecture(ArchId::Gh100)).unwrap();
        let mut times = vec![(0, 0); issues.len()];
        let mut told = vec![0; issues.len()];
        let mut tell = |passage: &Passage| {
            let number = passage.who.pc.0 as usize;
            assert!(
                passage.done >= told[number],
                "what was told is the earliest there can be"
            );
            told[number] = passage.done;
            if passage.left == 0 {
                assert_eq!(times[number], (0, 0), "each is through once");
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
            prop_assert_eq!(&times, &self::times(&issues, true), "in whichever steps");
            let mut now = 0;
            let mut last = [0; 12];
            for ((cycles, slot, passes), (started, done)) in issues.iter().zip(&times) {
                now += cycles;
                prop_assert!(*started >= now);
                prop_assert!(*done >= started + 2 * (passes - 1) + 23);
                let slot = usize::from(*slot);
                prop_assert!(last[slot] == 0 || *started >= last[slot] + 2, "a warp's come in order");
                last[slot] = done - 23;
            }
            // One pass a cycle.
            let num: u64 = issues.iter().map(|issue| issue.2).sum();
            let end = times.iter().map(|(_, done)| done - 23).max().unwrap();
            let first = times.iter().map(|(started, _)| *started).min().unwrap();
            prop_assert!(end + 1 - first >= num);
        }
    }

    /// When the last pass is of so many instructions of a slot that all issue as soon as they can, with others.
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
        // Two warps of the first scheduler, one of each other. One of four cycles is the first scheduler's, until
        // the others have done theirs.
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
