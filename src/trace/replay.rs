//! Any cycle's full machine, from the nearest checkpoint before it.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Mutex, PoisonError};

use super::record::Record;
use crate::ids::{Cycle, SlotIdx};
use crate::sim::machine::Machine;
use crate::sim::{Access, Sink};

/// Accesses that are remembered with their addresses.
const MEMORY: usize = 1024;
/// Machines kept on the way to a cycle, so that steps back from it are short.
const NUM_NEAR: usize = 16;
/// Cycles between these.
const NEAR_CYCLES: u64 = 128;

/// Machines at some cycles of a run, the first at its start; at least one.
#[derive(Debug)]
pub(super) struct Checkpoints {
    machines: Vec<(Cycle, Machine)>,
    budget_bytes: usize,
    spacing: u64,
    since: u64,
    bytes: usize,
}

impl Checkpoints {
    /// Begins with the machine before its first cycle. All checkpoints together take about
    /// `budget_bytes` at most, as long as two do.
    pub(super) fn new(start: &Machine, budget_bytes: usize) -> Self {
        Self {
            bytes: machine_bytes(start),
            machines: vec![(Cycle(0), start.clone())],
            budget_bytes,
            spacing: 4096,
            since: 0,
        }
    }

    /// Tells what the last stretch cost (cycles and issues) and keeps the machine if it is time.
    pub(super) fn offer(&mut self, cost: u64, machine: &Machine) {
        self.since += cost;
        if self.since < self.spacing {
            return;
        }
        self.since = 0;
        self.bytes += machine_bytes(machine);
        self.machines.push((machine.cycle(), machine.clone()));
        while self.bytes > self.budget_bytes && self.machines.len() > 2 {
            self.thin();
        }
    }

    /// Drops every other checkpoint.
    fn thin(&mut self) {
        let mut idx = 0;
        self.machines.retain(|_| {
            idx += 1;
            idx % 2 == 1
        });
        self.spacing *= 2;
        self.bytes = self
            .machines
            .iter()
            .map(|(_, machine)| machine_bytes(machine))
            .sum();
    }

    pub(super) const fn num_bytes(&self) -> usize {
        self.bytes
    }

    /// The machine before its first cycle.
    pub(super) fn start(&self) -> &Machine {
        &self.machines[0].1
    }

    /// The last machine whose next cycle is `cycle` or earlier.
    fn before(&self, cycle: Cycle) -> &(Cycle, Machine) {
        let at = self.machines.partition_point(|(next, _)| *next <= cycle);
        &self.machines[at.saturating_sub(1)]
    }
}

/// A machine that has been replayed to some cycle, and what was seen on the way.
#[derive(Debug, Default)]
struct Cursor {
    machine: Option<Machine>,
    near: VecDeque<(Cycle, Machine)>,
    accesses: BTreeMap<u32, Access>,
}

/// About what a copy of a machine takes that nothing else shares: registers, shared memory, queues
/// and some of the pages and cache tags.
fn machine_bytes(machine: &Machine) -> usize {
    const REST: usize = 128 << 10;
    let shared: usize = machine
        .blocks()
        .iter()
        .map(|block| block.shared_bytes as usize)
        .sum();
    let registers: usize = (0..machine.num_slots())
        .filter_map(|slot| machine.warp(SlotIdx(slot as u16)))
        .map(|warp| warp.num_registers * 32 * 4)
        .sum();
    registers + shared + REST
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

impl Sink for Capture<'_> {
    fn access(&mut self, cycle: Cycle, access: &Access) {
        if self.cycle.replace(cycle) != Some(cycle) {
            self.next = self.record.first_access_at(cycle);
        }
        if self.accesses.len() >= MEMORY {
            self.accesses.pop_first();
        }
        self.accesses.insert(self.next, access.clone());
        self.next += 1;
    }
}

impl Replay {
    /// Of a run that begins with a machine.
    pub(super) fn new(start: &Machine) -> Self {
        Self {
            checkpoints: Checkpoints::new(start, usize::MAX),
            cursor: Mutex::default(),
        }
    }

    /// Takes over the checkpoints of the run.
    pub(super) fn take(&mut self, checkpoints: Checkpoints) {
        self.checkpoints = checkpoints;
    }

    pub(super) const fn num_bytes(&self) -> usize {
        self.checkpoints.num_bytes()
    }

    /// Calls `look` with the machine as it is after `cycle`.
    pub(super) fn at<T>(&self, record: &Record, cycle: Cycle, look: impl FnOnce(&Machine) -> T) -> T {
        let mut cursor = self.cursor.lock().unwrap_or_else(PoisonError::into_inner);
        let machine = self.seek(&mut cursor, record, Cycle(cycle.0 + 1));
        let seen = look(&machine);
        cursor.machine = Some(machine);
        seen
    }

    /// The machine whose next cycle is `next`, taken out of the cursor or replayed.
    fn seek(&self, cursor: &mut Cursor, record: &Record, next: Cycle) -> Machine {
        let checkpoint = self.checkpoints.before(next);
        let mut best = checkpoint;
        if let Some(near) = cursor.near.iter().rev().find(|(cycle, _)| *cycle <= next)
            && near.0 > best.0
        {
            best = near;
        }
        let mut machine = match cursor.machine.take() {
            Some(machine) if machine.cycle() <= next && machine.cycle() >= best.0 => machine,
            _ => best.1.clone(),
        };
        if next.0 < cursor.near.front().map_or(u64::MAX, |(cycle, _)| cycle.0) {
            cursor.near.clear();
        }
        let far = Cycle(next.0.saturating_sub(NUM_NEAR as u64 * NEAR_CYCLES));
        let mut capture = Capture {
            record,
            cycle: None,
            next: 0,
            accesses: &mut cursor.accesses,
        };
        while machine.cycle() < next {
            let at = machine.cycle();
            let newest = cursor.near.back().map(|(cycle, _)| *cycle);
            if at >= far && at.0.is_multiple_of(NEAR_CYCLES) && newest.is_none_or(|newest| newest < at) {
                if cursor.near.len() >= NUM_NEAR {
                    cursor.near.pop_front();
                }
                cursor.near.push_back((at, machine.clone()));
            }
            let stop = Cycle(((at.0 / NEAR_CYCLES + 1) * NEAR_CYCLES).min(next.0));
            if !machine.run_until(stop, &mut capture) && machine.outcome().is_some() {
                break;
            }
        }
        machine
    }

    /// An access with its addresses.
    pub(super) fn access(&self, record: &Record, idx: u32) -> Option<Access> {
        let accepted = record.access(idx)?.accepted;
        let mut cursor = self.cursor.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(access) = cursor.accesses.get(&idx) {
            return Some(access.clone());
        }
        // A cursor of its own: the frame that is looked at stays where it is.
        let mut other = Cursor::default();
        // To its cycle, then through it: a checkpoint may lie right behind.
        let mut machine = self.seek(&mut other, record, accepted);
        let mut capture = Capture {
            record,
            cycle: None,
            next: 0,
            accesses: &mut other.accesses,
        };
        machine.run_until(Cycle(accepted.0 + 1), &mut capture);
        let access = other.accesses.get(&idx).cloned();
        let room = MEMORY.saturating_sub(other.accesses.len());
        while cursor.accesses.len() > room {
            cursor.accesses.pop_first();
        }
        cursor.accesses.append(&mut other.accesses);
        access
    }
}
