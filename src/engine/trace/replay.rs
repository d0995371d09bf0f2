//! Restores the full machine at any cycle, from the nearest earlier known machine.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Mutex, PoisonError};

use super::checkpoints::{Checkpoints, digest};
use super::record::Record;
use super::wire::Opened;
use crate::ids::Cycle;
use crate::sim::machine::Machine;
use crate::sim::{Access, Sink};

/// The number of cached accesses with addresses.
const MAX_ACCESSES: usize = 1024;
/// The number of machines kept before a cycle, so that steps backward are short.
const NUM_NEAR: u64 = 8;
/// Cycles between these machines.
const NEAR_CYCLES: u64 = 256;
/// Distances up to this many cycles are stepped instead of restored from a checkpoint.
const SHORT_CYCLES: u64 = 1024;

/// A machine that was replayed to a cycle, and what was cached meanwhile.
#[derive(Debug, Default)]
struct Cursor {
    machine: Option<Machine>,
    /// Some earlier machines, in order.
    near: VecDeque<Machine>,
    accesses: BTreeMap<u32, Access>,
}

/// Replays a run.
#[derive(Debug)]
pub(super) struct Replay {
    checkpoints: Checkpoints,
    cursor: Mutex<Cursor>,
}

/// Captures accesses by their index in the run.
struct Capture<'a> {
    record: &'a Record,
    cycle: Option<Cycle>,
    next: u32,
    accesses: &'a mut BTreeMap<u32, Access>,
}

impl<'a> Capture<'a> {
    const fn new(record: &'a Record, accesses: &'a mut BTreeMap<u32, Access>) -> Self {
        Self {
            record,
            cycle: None,
            next: 0,
            accesses,
        }
    }
}

impl Sink for Capture<'_> {
    // Group events save the machine the reports for each slot.
    const SUPPORTS_GROUPS: bool = true;

    fn access(&mut self, cycle: Cycle, access: &Access) {
        if self.cycle.replace(cycle) != Some(cycle) {
            self.next = self.record.first_access_at(cycle);
        }
        if self.accesses.len() >= MAX_ACCESSES {
            // Evicts the most distant access.
            let first = self.accesses.first_key_value().map_or(0, |(idx, _)| *idx);
            let last = self.accesses.last_key_value().map_or(0, |(idx, _)| *idx);
            if self.next.abs_diff(first) > self.next.abs_diff(last) {
                self.accesses.pop_first();
            } else {
                self.accesses.pop_last();
            }
        }
        self.accesses.insert(self.next, access.clone());
        self.next += 1;
    }
}

impl Replay {
    /// Creates a replay of a run that starts with a machine.
    pub(super) fn new(start: &Machine) -> Self {
        Self {
            checkpoints: Checkpoints::new(start),
            cursor: Mutex::default(),
        }
    }

    /// Appends the checkpoints of a segment.
    pub(super) fn append(&mut self, from: &mut Opened) {
        self.checkpoints.append(from);
    }

    /// The number of checkpoints without the start.
    pub(super) const fn num_checkpoints(&self) -> usize {
        self.checkpoints.num()
    }

    pub(super) fn num_bytes(&self) -> usize {
        self.checkpoints.num_bytes()
    }

    /// A checksum of a machine of this run.
    pub(super) fn digest(&self, machine: &Machine) -> u64 {
        digest(machine, self.checkpoints.start())
    }

    /// Calls `inspect` with the machine as of the end of `cycle`.
    pub(super) fn at<T>(&self, record: &Record, cycle: Cycle, inspect: impl FnOnce(&Machine) -> T) -> T {
        let mut cursor = self.cursor.lock().unwrap_or_else(PoisonError::into_inner);
        let machine = self.seek(&mut cursor, record, Cycle(cycle.0 + 1));
        let seen = inspect(&machine);
        cursor.machine = Some(machine);
        seen
    }

    /// The latest known machine at `next` or before: the cursor's own (taken out of the cursor if `takes`), a
    /// machine near it, or a checkpoint.
    fn nearest(&self, cursor: &mut Cursor, next: Cycle, takes: bool) -> Machine {
        let near = cursor.near.iter().rev().find(|machine| machine.cycle() <= next);
        let own = cursor.machine.as_ref().filter(|machine| machine.cycle() <= next);
        let known = near.map(Machine::cycle).max(own.map(Machine::cycle));
        let place = self.checkpoints.before(next);
        let checkpoint = self.checkpoints.cycle(place);
        if known.is_none_or(|known| known < checkpoint && known.0 + SHORT_CYCLES < next.0) {
            // Checkpoints are readable as written; a damaged one would be skipped.
            let readable = (0..=place)
                .rev()
                .find_map(|place| self.checkpoints.machine(place));
            return readable.unwrap_or_else(|| self.checkpoints.start().clone());
        }
        match (near, own) {
            (_, Some(own)) if Some(own.cycle()) == known && !takes => own.clone(),
            (Some(near), own) if own.map(Machine::cycle) < Some(near.cycle()) => near.clone(),
            _ => cursor
                .machine
                .take()
                .unwrap_or_else(|| self.checkpoints.start().clone()),
        }
    }

    /// The machine whose next cycle is `next`.
    fn seek(&self, cursor: &mut Cursor, record: &Record, next: Cycle) -> Machine {
        let far = next.0.saturating_sub(NUM_NEAR * NEAR_CYCLES);
        let mut machine = self.nearest(cursor, next, true);
        cursor
            .near
            .retain(|near| near.cycle() <= next && near.cycle().0 >= far);
        // Old accesses are rarely queried; another replay restores them.
        if machine.cycle().0 < far {
            machine.run_until(Cycle(far), &mut ());
        }
        let mut capture = Capture::new(record, &mut cursor.accesses);
        while machine.cycle() < next {
            let at = machine.cycle();
            let is_new = cursor.near.back().is_none_or(|newest| newest.cycle() < at);
            if is_new && at.0 >= far && at.0.is_multiple_of(NEAR_CYCLES) {
                cursor.near.push_back(machine.clone());
            }
            let stop = Cycle(((at.0 / NEAR_CYCLES + 1) * NEAR_CYCLES).min(next.0));
            if !machine.run_until(stop, &mut capture) && machine.outcome().is_some() {
                break;
            }
        }
        machine
    }

    /// The cycle of the last checkpoint before a cycle, or of the previous checkpoint if fewer than `issues`
    /// issues lie in between.
    pub(super) fn checkpoint_before(&self, record: &Record, cycle: Cycle, issues: u64) -> Cycle {
        let place = self.checkpoints.before(cycle);
        let start = self.checkpoints.cycle(place);
        let between = record.issues_before(cycle.0) - record.issues_before(start.0);
        if between >= issues {
            return start;
        }
        self.checkpoints.cycle(place.saturating_sub(1))
    }

    /// Takes over a machine of this run, unless a machine near its cycle is already known.
    pub(super) fn offer(&self, machine: &Machine) {
        let mut cursor = self.cursor.lock().unwrap_or_else(PoisonError::into_inner);
        let next = machine.cycle();
        let known = (cursor.machine.iter().chain(&cursor.near))
            .map(Machine::cycle)
            .filter(|known| *known <= next)
            .max();
        if known.is_none_or(|known| known.0 + SHORT_CYCLES < next.0) {
            cursor.machine = Some(machine.clone());
        }
    }

    /// A separate machine whose next cycle is `next`; the cursor stays where it is.
    pub(super) fn separate_machine(&self, next: Cycle) -> Machine {
        let place = self.checkpoints.before(next);
        let readable = (0..=place)
            .rev()
            .find_map(|place| self.checkpoints.machine(place));
        let mut machine = readable.unwrap_or_else(|| self.checkpoints.start().clone());
        machine.run_until(next, &mut ());
        machine
    }

    /// An access with its addresses.
    pub(super) fn access(&self, record: &Record, idx: u32) -> Option<Access> {
        let row = record.access(idx)?;
        let accepted = row.accepted;
        // The times of an access are not final when it issues.
        let settled = |access: &Access| Access {
            started: row.started,
            done: row.done,
            ..access.clone()
        };
        let mut cursor = self.cursor.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(access) = cursor.accesses.get(&idx) {
            return Some(settled(access));
        }
        // The cursor stays at the viewed frame; a separate machine replays the access.
        let mut machine = self.nearest(&mut cursor, accepted, false);
        let mut capture = Capture::new(record, &mut cursor.accesses);
        machine.run_until(Cycle(accepted.0 + 1), &mut capture);
        cursor.accesses.get(&idx).map(settled)
    }
}
