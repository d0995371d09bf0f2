//! Any cycle's full machine, from the nearest one that is known before it.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Mutex, PoisonError};

use super::checkpoints::{Checkpoints, digest};
use super::record::Record;
use super::wire::Opened;
use crate::ids::Cycle;
use crate::sim::machine::Machine;
use crate::sim::{Access, Sink};

/// Accesses that are remembered with their addresses.
const MEMORY: usize = 1024;
/// Machines kept on the way to a cycle, so that steps back from it are short.
const NUM_NEAR: u64 = 8;
/// Cycles between these.
const NEAR_CYCLES: u64 = 256;
/// So many cycles are rather stepped than skipped by way of a checkpoint.
const SHORT_CYCLES: u64 = 1024;

/// A machine that has been replayed to some cycle, and what was seen on the way.
#[derive(Debug, Default)]
struct Cursor {
    machine: Option<Machine>,
    /// Some of the cycles before it, in order.
    near: VecDeque<Machine>,
    accesses: BTreeMap<u32, Access>,
}

/// Replays a run.
#[derive(Debug)]
pub(super) struct Replay {
    checkpoints: Checkpoints,
    cursor: Mutex<Cursor>,
}

/// Keeps accesses under their index in the run.
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
    // What it is not told of each slot is less to do for the machine.
    const KNOWS_GROUPS: bool = true;

    fn access(&mut self, cycle: Cycle, access: &Access) {
        if self.cycle.replace(cycle) != Some(cycle) {
            self.next = self.record.first_access_at(cycle);
        }
        if self.accesses.len() >= MEMORY {
            // The one that is farthest away goes.
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
    /// Of a run that begins with a machine.
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

    /// Checkpoints that there are, beside the start.
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

    /// Calls `look` with the machine as it is after `cycle`.
    pub(super) fn at<T>(&self, record: &Record, cycle: Cycle, look: impl FnOnce(&Machine) -> T) -> T {
        let mut cursor = self.cursor.lock().unwrap_or_else(PoisonError::into_inner);
        let machine = self.seek(&mut cursor, record, Cycle(cycle.0 + 1));
        let seen = look(&machine);
        cursor.machine = Some(machine);
        seen
    }

    /// The latest machine that is known at `next` or before: the cursor's own (taken out of it if
    /// `takes`), one near it, or a checkpoint's.
    fn nearest(&self, cursor: &mut Cursor, next: Cycle, takes: bool) -> Machine {
        let near = cursor.near.iter().rev().find(|machine| machine.cycle() <= next);
        let own = cursor.machine.as_ref().filter(|machine| machine.cycle() <= next);
        let known = near.map(Machine::cycle).max(own.map(Machine::cycle));
        let place = self.checkpoints.before(next);
        let checkpoint = self.checkpoints.cycle(place);
        if known.is_none_or(|known| known < checkpoint && known.0 + SHORT_CYCLES < next.0) {
            // Checkpoints are read as they were written; a damaged one would be passed over.
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
        // Accesses from long before are asked for rarely, and had by another replay then.
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

    /// The cycle of the last checkpoint before a cycle, or of the one before that where there are fewer
    /// issues in between than these.
    pub(super) fn checkpoint_before(&self, record: &Record, cycle: Cycle, issues: u64) -> Cycle {
        let place = self.checkpoints.before(cycle);
        let start = self.checkpoints.cycle(place);
        let between = record.issues_before(cycle.0) - record.issues_before(start.0);
        if between >= issues {
            return start;
        }
        self.checkpoints.cycle(place.saturating_sub(1))
    }

    /// Takes over a machine of this run, if none is known that is nearly as far.
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

    /// A machine of its own whose next cycle is `next`; the one that is looked at stays where it is.
    pub(super) fn fresh(&self, next: Cycle) -> Machine {
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
        // What was known of it when it issued may not be all.
        let settled = |access: &Access| Access {
            started: row.started,
            done: row.done,
            ..access.clone()
        };
        let mut cursor = self.cursor.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(access) = cursor.accesses.get(&idx) {
            return Some(settled(access));
        }
        // The frame that is looked at stays where it is: a machine of its own goes there.
        let mut machine = self.nearest(&mut cursor, accepted, false);
        let mut capture = Capture::new(record, &mut cursor.accesses);
        machine.run_until(Cycle(accepted.0 + 1), &mut capture);
        cursor.accesses.get(&idx).map(settled)
    }
}
