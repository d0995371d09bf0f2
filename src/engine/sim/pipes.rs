//! Execution pipes: units that an instruction occupies for some clocks, and the queues in front of the memory
//! input/output units.

use std::collections::VecDeque;

use super::codec::{Coded, Reader, Writer, coded};
use super::sm::MAX_SCHEDULERS;
use super::sm::lsu_slot::LsuAfter;
use super::view::{InFlight, PipeView, QueueEntry};
use crate::arch::{Architecture, OpClass, OpCost, PipeKind, PipeScope};
use crate::ids::{Cycle, Pc, SlotIdx, WarpId};

/// Kinds of pipes.
pub(super) const NUM_KINDS: usize = 9;
/// Entries for groups of warps that wait as one: the kinds of pipes, then the memory input/output queue.
/// Further entries pad the array, so that an index needs no bounds check.
pub(super) const GROUP_PLACES: usize = 16;
/// The index of the last group.
pub(super) const QUEUE_GROUP: u8 = NUM_KINDS as u8;
/// The entry of a resource that is always free.
pub(super) const ALWAYS_FREE: u8 = QUEUE_GROUP + 1;
/// The entry without a group: it has no members.
pub(super) const NO_GROUP: u8 = GROUP_PLACES as u8 - 1;
/// From here on: kinds of pipes where some instructions use only certain units.
const FIRST_LIMITED: u8 = ALWAYS_FREE + 1;
/// The maximum number of such pairs of a kind and a number of units, over all architectures.
const MAX_LIMITED: usize = (NO_GROUP - FIRST_LIMITED) as usize;
/// The maximum number of units of one kind per scheduler, or per SM.
const MAX_UNITS: usize = 8;

/// The units of one kind that one scheduler can use.
#[derive(Clone, Copy, Debug, Default)]
struct Units {
    /// The cycle in which each unit is free; the first `num` entries are valid.
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
    /// Units by scheduler and kind; the first scheduler holds shared units.
    units: Vec<Units>,
    shared: [bool; NUM_KINDS],
    /// Units of a shared kind that belong to one scheduler, the same number for each.
    own: [u8; NUM_KINDS],
    /// Kinds where some instructions use only the first units, with the number of these units.
    limited: [[u8; 2]; MAX_LIMITED],
    /// The first cycle in which a unit is free, by scheduler and kind; each scheduler has an entry for shared
    /// units. After the kinds: when its queue has room, and the resource that is always free.
    first_free: [[u64; GROUP_PLACES]; MAX_SCHEDULERS],
    in_flight: Flights,
}

/// Instructions in flight, for the views. Completed ones are removed in bulk, not one by one.
#[derive(Clone, Debug)]
struct Flights {
    list: Vec<Flight>,
    /// The cycle of the last addition.
    now: u64,
}

impl Flights {
    /// The number of entries that triggers a removal.
    const MAX_FLIGHTS: usize = 128;

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
        self.list.reserve(Self::MAX_FLIGHTS.max(self.list.len()));
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

/// A unit that accepted an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Unit {
    scheduler: u8,
    kind: PipeKind,
    index: u8,
}

impl Unit {
    /// The only unit of a kind that all schedulers share.
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
coded!(Origin { slot, warp, pc });
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

    /// The first cycle in which a scheduler can use a kind of pipe, its queue, or the resource that is always
    /// free.
    #[inline(always)]
    pub(super) fn free_at(&self, scheduler: usize, place: u8) -> u64 {
        self.first_free[scheduler % MAX_SCHEDULERS][usize::from(place) % GROUP_PLACES]
    }

    /// Records when a scheduler's queue has room again.
    #[inline(always)]
    pub(super) fn note_room(&mut self, scheduler: usize, until: u64) {
        self.first_free[scheduler % MAX_SCHEDULERS][usize::from(QUEUE_GROUP)] = until;
    }

    /// The cycle until which a scheduler's queue is full, as recorded; 0 if it has room.
    pub(super) fn queue_full_until(&self, scheduler: usize) -> u64 {
        self.first_free[scheduler % MAX_SCHEDULERS][usize::from(QUEUE_GROUP)]
    }

    /// Occupies the first free unit from `at` on. Returns the start cycle and the unit.
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

    /// Delays units of a kind that are not free yet, while dispatch holds an instruction. Returns when the first is free.
    #[cold]
    pub(super) fn delay(&mut self, scheduler: usize, kind: PipeKind, now: u64, held: u64) -> u64 {
        let owner = self.owner(scheduler, kind);
        let units = &mut self.units[owner * NUM_KINDS + kind as usize];
        let num = usize::from(units.num);
        let units = &mut units.free[..num];
        for free in units.iter_mut().filter(|free| **free > now) {
            *free += held;
        }
        let first = units.iter().copied().fold(u64::MAX, u64::min);
        self.note_free(owner, kind, first);
        first
    }

    /// Whether each scheduler owns some of the SM's units of this kind.
    #[inline(always)]
    pub(super) const fn has_own(&self, kind: PipeKind) -> bool {
        self.own[kind as usize] > 0
    }

    /// [`Pipes::occupy`] among the first `most` units of a kind that a scheduler owns or shares. It prefers
    /// the scheduler's own unit if that is free as early as any.
    pub(super) fn occupy_own(
        &mut self,
        scheduler: usize,
        kind: PipeKind,
        most: u8,
        at: u64,
        cycles: u64,
    ) -> (u64, Unit) {
        let mut best = None;
        for unit in self.usable_units(scheduler, kind, most) {
            let start = at.max(self.units[kind as usize].free[unit]);
            if best.is_none_or(|(earliest_start, _)| start < earliest_start) {
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
                let units = self.usable_units(scheduler, kind, most);
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

    /// The first `most` units of a kind that a scheduler can use: its own, then the shared ones in reverse
    /// order, because fewer instructions can use the last ones.
    fn usable_units(
        &self,
        scheduler: usize,
        kind: PipeKind,
        most: u8,
    ) -> impl Iterator<Item = usize> + use<> {
        let num = usize::from(self.units[kind as usize].num.min(most)).min(MAX_UNITS);
        let own = usize::from(self.own[kind as usize]);
        let schedulers = self.units.len() / NUM_KINDS;
        let own_units = scheduler * own..((scheduler + 1) * own);
        own_units.chain((schedulers * own..num).rev())
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

    /// Records an instruction for the views.
    #[inline(always)]
    pub(super) fn note(&mut self, unit: Unit, view: InFlight, now: u64) {
        self.in_flight.push(Flight { unit, view }, now);
    }

    /// All units, as of cycle `now`.
    pub(super) fn views(&self, arch: &Architecture, lsu_after: Option<&LsuAfter>, now: u64) -> Vec<PipeView> {
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
                    let lsu_after = lsu_after.filter(|_| unit == Unit::of_sm(PipeKind::Lsu));
                    let in_flight = self.in_flight.after(now).filter(|flight| flight.unit == unit);
                    let mut in_flight: Vec<InFlight> = in_flight.map(|flight| flight.view).collect();
                    if let Some(after) = lsu_after {
                        in_flight.extend(after.lsu_arbiter.in_flight());
                        in_flight.extend(after.completed.iter().filter(|flight| flight.done.0 > now));
                    }
                    in_flight.sort_by_key(|flight| flight.started);
                    views.push(PipeView {
                        kind: pipe.kind,
                        scheduler: (pipe.scope == PipeScope::Scheduler).then_some(owner as u8),
                        unit: index as u8,
                        busy_until: Cycle(lsu_after.map_or(*free, |after| after.lsu_arbiter.busy_until())),
                        in_flight,
                    });
                }
            }
        }
        views
    }
}

/// Kinds of pipes where some instructions use only the first units, with the number of these units.
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

/// The index for [`Pipes::free_at`] of a class of instructions.
pub(super) fn place_of(arch: &Architecture, cost: &OpCost) -> u8 {
    let limit = cost.units.map(|units| [cost.pipe as u8, units.value]);
    (limited(arch).iter())
        .position(|other| Some(*other) == limit)
        .map_or(cost.pipe as u8, |number| FIRST_LIMITED + number as u8)
}

/// A queue whose entries have known departure times.
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

    /// The cycle until which it is full; `None` if there is room.
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

    /// The number of entries.
    pub(super) fn len_at(&mut self, now: u64) -> usize {
        self.full_until(now);
        self.entries.len()
    }

    /// The departure of the first entry.
    pub(super) fn next_leaves(&self) -> u64 {
        self.entries.front().map_or(u64::MAX, |first| first.leaves.0)
    }

    /// The departure of the last entry; entries leave in order.
    #[inline(always)]
    pub(super) fn last_leaves(&self) -> u64 {
        self.entries.back().map_or(0, |last| last.leaves.0)
    }

    /// [`Queue::push`] that also returns the cycle until which the queue is full; 0 if there is room.
    #[inline]
    pub(super) fn push_and_check(&mut self, entry: QueueEntry, now: u64) -> u64 {
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

/// The warp, instruction, and scheduler of an issue, for the views.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Origin {
    pub(super) slot: SlotIdx,
    pub(super) warp: WarpId,
    pub(super) pc: Pc,
}
