//! Execution pipes: units that an instruction occupies for a few clocks, and the queues in front of
//! the memory input/output units.

use std::collections::VecDeque;

use super::codec::coded;
use super::sm::MAX_SCHEDULERS;
use super::view::{InFlight, PipeView, QueueEntry};
use crate::arch::{Architecture, PipeKind, PipeScope};
use crate::ids::{Cycle, Pc, SlotIdx, WarpId};

/// Kinds of pipes.
pub(super) const NUM_KINDS: usize = 9;
/// Groups of warps that wait as one: those for a kind of pipe, then those for the queue of the memory
/// input/output units, and some places more, as one in an array of so many needs no check.
pub(super) const GROUP_PLACES: usize = 16;
/// Number of the last group.
pub(super) const QUEUE_GROUP: u8 = NUM_KINDS as u8;
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
    /// When a unit is free, by scheduler and kind: of shared units, too, for each scheduler.
    first_free: [[u64; GROUP_PLACES]; MAX_SCHEDULERS],
    /// Instructions whose results have not arrived, for pictures.
    in_flight: VecDeque<Flight>,
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
    first_free,
    in_flight
});
coded!(Queue { entries, capacity });

impl Pipes {
    pub(super) fn new(arch: &Architecture) -> Self {
        let schedulers = usize::from(arch.issue.schedulers.value);
        let mut pipes = Self {
            units: vec![Units::default(); schedulers * NUM_KINDS],
            shared: [false; NUM_KINDS],
            first_free: [[0; GROUP_PLACES]; MAX_SCHEDULERS],
            in_flight: VecDeque::new(),
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

    /// When a unit of this kind is free for a scheduler.
    #[inline(always)]
    pub(super) fn free_at(&self, scheduler: usize, kind: PipeKind) -> u64 {
        self.first_free[scheduler % MAX_SCHEDULERS][kind as usize % GROUP_PLACES]
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
    #[inline]
    pub(super) fn note(&mut self, unit: Unit, view: InFlight, now: u64) {
        while let Some(first) = self.in_flight.front() {
            if first.view.done.0 > now {
                break;
            }
            self.in_flight.pop_front();
        }
        self.in_flight.push_back(Flight { unit, view });
    }

    /// All units, as of cycle `now`.
    pub(super) fn views(&self, arch: &Architecture, now: u64) -> Vec<PipeView> {
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
                    let in_flight = self
                        .in_flight
                        .iter()
                        .filter(|flight| flight.unit == unit && flight.view.done.0 > now);
                    views.push(PipeView {
                        kind: pipe.kind,
                        scheduler: (pipe.scope == PipeScope::Scheduler).then_some(owner as u8),
                        unit: index as u8,
                        busy_until: Cycle(*free),
                        in_flight: in_flight.map(|flight| flight.view).collect(),
                    });
                }
            }
        }
        views
    }
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

    /// When the last entry leaves: nobody overtakes it.
    #[inline(always)]
    pub(super) fn last_leaves(&self) -> u64 {
        self.entries.back().map_or(0, |last| last.leaves.0)
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
#[derive(Clone, Copy, Debug)]
pub(super) struct Who {
    pub(super) slot: SlotIdx,
    pub(super) warp: WarpId,
    pub(super) pc: Pc,
}
