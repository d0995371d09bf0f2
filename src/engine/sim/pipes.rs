//! Execution pipes: units that an instruction occupies for a few clocks, and the queues in front of
//! the memory input/output units.

use std::collections::VecDeque;

use super::codec::{Coded, Reader, Writer, coded};
use super::sm::MAX_SCHEDULERS;
use super::sm::passage::GateAfter;
use super::view::{InFlight, PipeView, QueueEntry};
use crate::arch::{Architecture, OpClass, OpCost, PipeKind, PipeScope};
use crate::ids::{Cycle, Pc, SlotIdx, WarpId};

/// Kinds of pipes.
pub(super) const NUM_KINDS: usize = 9;
/// Groups of warps that wait as one: those for a kind of pipe, then those for the queue of the memory
/// input/output units, and some places more, as one in an array of so many needs no check.
pub(super) const GROUP_PLACES: usize = 16;
/// Number of the last group.
pub(super) const QUEUE_GROUP: u8 = NUM_KINDS as u8;
/// What is always free, among the pipes and the queue.
pub(super) const ALWAYS_FREE: u8 = QUEUE_GROUP + 1;
/// No group: nobody is a member of this one.
pub(super) const NO_GROUP: u8 = GROUP_PLACES as u8 - 1;
/// Behind them are kinds of pipes of which some instructions want certain units.
const FIRST_LIMITED: u8 = ALWAYS_FREE + 1;
/// Such pairs of a kind and a number of units that an architecture has at most.
const MAX_LIMITED: usize = (NO_GROUP - FIRST_LIMITED) as usize;
/// Units of one kind that one scheduler, or the SM, has at most.
const MAX_UNITS: usize = 8;

/// The units of one kind that one scheduler can use.
#[derive(Clone, Copy, Debug, Default)]
struct Units {
    /// When each is free; the first `num` count.
    free: [u64; MAX_UNITS],
    num: u8,
}

impl Units {
    #[inline(always)]
    fn free(&self) -> &[u64] {
        &self.free[..usize::from(self.num)]
    }
}

/// All units of the SM.
#[derive(Clone, Debug)]
pub(super) struct Pipes {
    /// By scheduler and kind; shared units are with the first scheduler.
    units: Vec<Units>,
    shared: [bool; NUM_KINDS],
    /// Units of a shared kind that are the schedulers' own, the same number for each.
    own: [u8; NUM_KINDS],
    /// Kinds of which some instructions want one of the first so many units.
    limited: [[u8; 2]; MAX_LIMITED],
    /// When a unit is free, by scheduler and kind: of shared units, too, for each scheduler. After the
    /// kinds, when its queue has room, and what is always free.
    first_free: [[u64; GROUP_PLACES]; MAX_SCHEDULERS],
    in_flight: Flights,
}

/// Instructions whose results have not arrived, for pictures, and some of which they have: these are
/// taken out when they are many, not one by one.
#[derive(Clone, Debug)]
struct Flights {
    list: Vec<Flight>,
    /// When the last one was added.
    now: u64,
}

impl Flights {
    /// So many are there before some are taken out.
    const MANY: usize = 128;

    #[inline(always)]
    fn push(&mut self, flight: Flight, now: u64) {
        if self.list.len() == self.list.capacity() {
            self.make_room(now);
        }
        self.now = now;
        self.list.push(flight);
    }

    #[cold]
    fn make_room(&mut self, now: u64) {
        self.list.retain(|flight| flight.view.done.0 > now);
        self.list.reserve(Self::MANY.max(self.list.len()));
    }

    fn after(&self, now: u64) -> impl Iterator<Item = &Flight> {
        self.list.iter().filter(move |flight| flight.view.done.0 > now)
    }
}

impl Coded for Flights {
    fn encode(&self, to: &mut Writer) {
        to.put(&self.now);
        to.put(&self.after(self.now).copied().collect::<Vec<_>>());
    }
    fn decode(from: &mut Reader) -> Self {
        let now = from.get();
        Self {
            list: from.get(),
            now,
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct Flight {
    unit: Unit,
    view: InFlight,
}

/// A unit that took an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Unit {
    scheduler: u8,
    kind: PipeKind,
    index: u8,
}

impl Unit {
    /// The only one of a kind that all schedulers share.
    pub(super) const fn of_sm(kind: PipeKind) -> Self {
        Self {
            scheduler: 0,
            kind,
            index: 0,
        }
    }
}

coded!(Units { free, num });
coded!(Unit {
    scheduler,
    kind,
    index
});
coded!(Flight { unit, view });
coded!(Pipes {
    units,
    shared,
    own,
    limited,
    first_free,
    in_flight,
});
coded!(Who { slot, warp, pc });
coded!(Queue { entries, capacity });

impl Pipes {
    pub(super) fn new(arch: &Architecture) -> Self {
        let schedulers = usize::from(arch.issue.schedulers.value);
        let mut pipes = Self {
            units: vec![Units::default(); schedulers * NUM_KINDS],
            shared: [false; NUM_KINDS],
            own: [0; NUM_KINDS],
            limited: limited(arch),
            first_free: [[0; GROUP_PLACES]; MAX_SCHEDULERS],
            in_flight: Flights {
                list: Vec::new(),
                now: 0,
            },
        };
        for pipe in arch.pipes {
            let units = Units {
                free: [0; MAX_UNITS],
                num: pipe.units.min(MAX_UNITS as u8),
            };
            match pipe.scope {
                PipeScope::Scheduler => {
                    for scheduler in 0..schedulers {
                        pipes.units[scheduler * NUM_KINDS + pipe.kind as usize] = units;
                    }
                }
                PipeScope::Sm => {
                    pipes.shared[pipe.kind as usize] = true;
                    pipes.own[pipe.kind as usize] = pipe.own.map_or(0, |own| own.value);
                    pipes.units[pipe.kind as usize] = units;
                }
            }
        }
        pipes
    }

    #[inline(always)]
    fn owner(&self, scheduler: usize, kind: PipeKind) -> usize {
        if self.shared[kind as usize] { 0 } else { scheduler }
    }

    /// When a unit of a kind, or the queue, or what is always free, is free for a scheduler.
    #[inline(always)]
    pub(super) fn free_at(&self, scheduler: usize, place: u8) -> u64 {
        self.first_free[scheduler % MAX_SCHEDULERS][usize::from(place) % GROUP_PLACES]
    }

    /// When a scheduler's queue has room again.
    #[inline(always)]
    pub(super) fn note_room(&mut self, scheduler: usize, until: u64) {
        self.first_free[scheduler % MAX_SCHEDULERS][usize::from(QUEUE_GROUP)] = until;
    }

    /// Until when a scheduler's queue is full, as was noted; 0 if it has room.
    pub(super) fn room_at(&self, scheduler: usize) -> u64 {
        self.first_free[scheduler % MAX_SCHEDULERS][usize::from(QUEUE_GROUP)]
    }

    /// Occupies the unit that is free first, from `at` or when it is free. Returns when it starts.
    #[inline(always)]
    pub(super) fn occupy(&mut self, scheduler: usize, kind: PipeKind, at: u64, cycles: u64) -> (u64, Unit) {
        let owner = self.owner(scheduler, kind);
        let units = &mut self.units[owner * NUM_KINDS + kind as usize];
        let num = usize::from(units.num);
        let units = &mut units.free[..num];
        let (mut best, mut start) = (0, at);
        if let [only] = units {
            start = at.max(*only);
            *only = start + cycles;
            self.note_free(owner, kind, start + cycles);
        } else if !units.is_empty() {
            for unit in 1..units.len() {
                if units[unit] < units[best] {
                    best = unit;
                }
            }
            start = at.max(units[best]);
            units[best] = start + cycles;
            let first = units.iter().copied().fold(u64::MAX, u64::min);
            self.note_free(owner, kind, first);
        }
        (
            start,
            Unit {
                scheduler: owner as u8,
                kind,
                index: best as u8,
            },
        )
    }

    /// Whether each scheduler has some of the SM's units of this kind for itself.
    #[inline(always)]
    pub(super) const fn has_own(&self, kind: PipeKind) -> bool {
        self.own[kind as usize] > 0
    }

    /// As [`Pipes::occupy`], among the scheduler's own units of a kind and those that it shares, of which only
    /// the first `most` are wanted: its own if it is free as soon as any.
    pub(super) fn occupy_own(
        &mut self,
        scheduler: usize,
        kind: PipeKind,
        most: u8,
        at: u64,
        cycles: u64,
    ) -> (u64, Unit) {
        let mut best = None;
        for unit in self.choice(scheduler, kind, most) {
            let start = at.max(self.units[kind as usize].free[unit]);
            if best.is_none_or(|(soonest, _)| start < soonest) {
                best = Some((start, unit));
            }
        }
        let (start, index) = best.unwrap_or((at, 0));
        self.units[kind as usize].free[index] = start + cycles;
        let places = std::iter::once([kind as u8, MAX_UNITS as u8]).chain(self.limited);
        for (number, [of_kind, most]) in places.enumerate() {
            if of_kind != kind as u8 {
                continue;
            }
            let place = if number == 0 {
                kind as usize
            } else {
                usize::from(FIRST_LIMITED) + number - 1
            };
            for scheduler in 0..MAX_SCHEDULERS {
                let units = self.choice(scheduler, kind, most);
                let first = units
                    .map(|unit| self.units[kind as usize].free[unit])
                    .fold(u64::MAX, u64::min);
                self.first_free[scheduler][place % GROUP_PLACES] = first;
            }
        }
        (
            start,
            Unit {
                scheduler: 0,
                kind,
                index: index as u8,
            },
        )
    }

    /// The units of a kind that a scheduler can use of the first `most`: its own, then those that the
    /// schedulers share, the last one first, as fewer instructions want it.
    fn choice(&self, scheduler: usize, kind: PipeKind, most: u8) -> impl Iterator<Item = usize> + use<> {
        let num = usize::from(self.units[kind as usize].num.min(most)).min(MAX_UNITS);
        let own = usize::from(self.own[kind as usize]);
        let schedulers = self.units.len() / NUM_KINDS;
        let mine = scheduler * own..((scheduler + 1) * own);
        mine.chain((schedulers * own..num).rev())
    }

    #[inline(always)]
    fn note_free(&mut self, owner: usize, kind: PipeKind, first: u64) {
        if self.shared[kind as usize] {
            for scheduler in &mut self.first_free {
                scheduler[kind as usize % GROUP_PLACES] = first;
            }
        } else {
            self.first_free[owner % MAX_SCHEDULERS][kind as usize % GROUP_PLACES] = first;
        }
    }

    /// Remembers an instruction for pictures.
    #[inline(always)]
    pub(super) fn note(&mut self, unit: Unit, view: InFlight, now: u64) {
        self.in_flight.push(Flight { unit, view }, now);
    }

    /// All units, as of cycle `now`.
    pub(super) fn views(&self, arch: &Architecture, gate: Option<&GateAfter>, now: u64) -> Vec<PipeView> {
        let mut views = Vec::new();
        for pipe in arch.pipes {
            let owners = match pipe.scope {
                PipeScope::Scheduler => usize::from(arch.issue.schedulers.value),
                PipeScope::Sm => 1,
            };
            for owner in 0..owners {
                let units = &self.units[owner * NUM_KINDS + pipe.kind as usize];
                for (index, free) in units.free().iter().enumerate() {
                    let unit = Unit {
                        scheduler: owner as u8,
                        kind: pipe.kind,
                        index: index as u8,
                    };
                    let gate = gate.filter(|_| unit == Unit::of_sm(PipeKind::Lsu));
                    let in_flight = self.in_flight.after(now).filter(|flight| flight.unit == unit);
                    let mut in_flight: Vec<InFlight> = in_flight.map(|flight| flight.view).collect();
                    if let Some(after) = gate {
                        in_flight.extend(after.gate.in_flight());
                        in_flight.extend(after.through.iter().filter(|flight| flight.done.0 > now));
                    }
                    in_flight.sort_by_key(|flight| flight.started);
                    views.push(PipeView {
                        kind: pipe.kind,
                        scheduler: (pipe.scope == PipeScope::Scheduler).then_some(owner as u8),
                        unit: index as u8,
                        busy_until: Cycle(gate.map_or(*free, |after| after.gate.busy_until())),
                        in_flight,
                    });
                }
            }
        }
        views
    }
}

/// Kinds of pipes and numbers of their units that some instructions want.
fn limited(arch: &Architecture) -> [[u8; 2]; MAX_LIMITED] {
    let mut all = [[u8::MAX; 2]; MAX_LIMITED];
    let mut num = 0;
    for cost in OpClass::ALL.iter().filter_map(|class| arch.cost(*class)) {
        let Some(units) = cost.units else { continue };
        let limit = [cost.pipe as u8, units.value];
        if num < MAX_LIMITED && !all.contains(&limit) {
            all[num] = limit;
            num += 1;
        }
    }
    all
}

/// Where [`Pipes::free_at`] tells when a unit is free for a class of instructions that goes to a pipe.
pub(super) fn place_of(arch: &Architecture, cost: &OpCost) -> u8 {
    let limit = cost.units.map(|units| [cost.pipe as u8, units.value]);
    (limited(arch).iter())
        .position(|other| Some(*other) == limit)
        .map_or(cost.pipe as u8, |number| FIRST_LIMITED + number as u8)
}

/// A queue whose entries know when they will leave.
#[derive(Clone, Debug)]
pub(super) struct Queue {
    entries: VecDeque<QueueEntry>,
    capacity: usize,
}

impl Queue {
    pub(super) fn new(capacity: u16) -> Self {
        Self {
            entries: VecDeque::with_capacity(usize::from(capacity)),
            capacity: usize::from(capacity).max(1),
        }
    }

    /// Until when it is full; `None` if there is room.
    #[inline(always)]
    pub(super) fn full_until(&mut self, now: u64) -> Option<u64> {
        while let Some(first) = self.entries.front() {
            if first.leaves.0 > now {
                break;
            }
            self.entries.pop_front();
        }
        if self.entries.len() < self.capacity {
            None
        } else {
            self.entries.front().map(|first| first.leaves.0)
        }
    }

    /// How many entries there are.
    pub(super) fn len_at(&mut self, now: u64) -> usize {
        self.full_until(now);
        self.entries.len()
    }

    /// When the first entry leaves.
    pub(super) fn next_leaves(&self) -> u64 {
        self.entries.front().map_or(u64::MAX, |first| first.leaves.0)
    }

    /// When the last entry leaves: nobody overtakes it.
    #[inline(always)]
    pub(super) fn last_leaves(&self) -> u64 {
        self.entries.back().map_or(0, |last| last.leaves.0)
    }

    /// As [`Queue::push`], and tells until when it is full then; 0 if there is room.
    #[inline]
    pub(super) fn push_and_tell(&mut self, entry: QueueEntry, now: u64) -> u64 {
        self.full_until(now);
        self.push(entry);
        match self.entries.len().checked_sub(self.capacity) {
            Some(beyond) => self.entries[beyond].leaves.0,
            None => 0,
        }
    }

    #[inline(always)]
    pub(super) fn push(&mut self, entry: QueueEntry) {
        self.entries.push_back(entry);
    }

    pub(super) const fn capacity(&self) -> usize {
        self.capacity
    }

    pub(super) fn entries(&self, now: u64) -> Vec<QueueEntry> {
        self.entries
            .iter()
            .filter(|entry| entry.leaves.0 > now)
            .copied()
            .collect()
    }
}

/// Who issues what: what the pictures need of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Who {
    pub(super) slot: SlotIdx,
    pub(super) warp: WarpId,
    pub(super) pc: Pc,
}
