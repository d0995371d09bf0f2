//! Searches a run in steps of some cycles.

use super::query::{Query, What};
use crate::ids::{Cycle, LaneMask, Pc, SlotIdx};
use crate::sim::{MemoryLevel, Outcome, RequestKind, WarpState};
use crate::trace::{AccessFamily, AccessRow, Direction, Trace};

/// Cycles of the first step; each step is longer than the one before.
const FIRST_CYCLES: u64 = 256;
/// Cycles of the longest step: the work between two checks of the clock.
const MAX_CYCLES: u64 = 8192;
/// Cycles of the longest step if each access is replayed.
const MAX_SLOW_CYCLES: u64 = 128;
/// The maximum number of listed hits; further hits are only counted.
const MAX_LISTED: usize = 1000;

/// A hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Found {
    /// The cycle.
    pub cycle: Cycle,
    /// The slot; `None` for a barrier.
    pub slot: Option<SlotIdx>,
    /// The instruction.
    pub pc: Option<Pc>,
    /// The memory access.
    pub access: Option<u32>,
}

/// All hits of a query in the cycles from `from` to before `to`, in order of time.
pub fn hits_between(trace: &Trace, query: &Query, from: Cycle, to: Cycle) -> Vec<Found> {
    let to = Cycle(to.0.min(trace.num_cycles()));
    let mut found = Vec::new();
    if from >= to {
        return found;
    }
    match query.what {
        What::Issue
        | What::Divergence
        | What::Register(_)
        | What::RegisterOfLane { .. }
        | What::Line(_)
        | What::Opcode(_) => {
            issues(trace, query, (from, to), &mut found);
        }
        What::Change | What::State(_) => runs(trace, query, (from, to), &mut found),
        What::Stall => stalls(trace, query, (from, to), &mut found),
        What::Conflict(_) | What::Miss { .. } | What::Address(_) => {
            accesses(trace, query, (from, to), &mut found);
        }
        What::Release => releases(trace, query, (from, to), &mut found),
        What::Reconvergence => reconvergences(trace, query, (from, to), &mut found),
        What::Fault => faults(trace, query, (from, to), &mut found),
    }
    found.sort_unstable();
    found
}

/// Whether the warp in a slot matches the query.
fn is_of_warp(trace: &Trace, query: &Query, slot: SlotIdx, cycle: Cycle) -> bool {
    query
        .warp
        .is_none_or(|warp| trace.tenancy(slot, cycle).is_some_and(|(_, held)| held.0 == warp))
}

/// Whether an instruction matches the query.
fn is_wanted(trace: &Trace, what: What, pc: Pc) -> bool {
    let Some(instruction) = trace.program().code.get(pc.0 as usize) else {
        return false;
    };
    match what {
        // A plain number is a line of the main file; lines of other files have their file's name in front.
        What::Line(line) => trace.program().line_name(instruction.span.line) == line.to_string(),
        What::Opcode(name) => {
            let mnemonic = instruction.op.mnemonic(trace.arch().id);
            mnemonic.to_ascii_uppercase().starts_with(name.text())
        }
        What::Register(reg) | What::RegisterOfLane { reg, .. } => instruction
            .destination()
            .is_some_and(|range| range.regs().any(|of| of.0 == reg)),
        _ => true,
    }
}

fn issues(trace: &Trace, query: &Query, (from, to): (Cycle, Cycle), found: &mut Vec<Found>) {
    let wanted: Vec<bool> = (0..trace.program().code.len() as u32)
        .map(|pc| {
            let within = trace
                .issue_span(Pc(pc))
                .is_some_and(|(first, last)| first < to && last >= from);
            within && is_wanted(trace, query.what, Pc(pc))
        })
        .collect();
    if !wanted.contains(&true) {
        return;
    }
    for row in trace.issues_from(from).take_while(|row| row.cycle < to) {
        let takes_part = match query.what {
            What::Divergence => row.diverged,
            What::Register(_) => row.executed != LaneMask::EMPTY,
            What::RegisterOfLane { lane, .. } => row.executed.0 >> lane & 1 == 1,
            _ => true,
        };
        if takes_part
            && wanted.get(row.pc.0 as usize) == Some(&true)
            && is_of_warp(trace, query, row.slot, row.cycle)
        {
            found.push(Found {
                cycle: row.cycle,
                slot: Some(row.slot),
                pc: Some(row.pc),
                access: None,
            });
        }
    }
}

fn runs(trace: &Trace, query: &Query, (from, to): (Cycle, Cycle), found: &mut Vec<Found>) {
    for slot in (0..trace.num_slots() as u16).map(SlotIdx) {
        let starts = trace
            .runs_from(slot, from)
            .take_while(|run| run.start < to)
            .filter(|run| run.start >= from);
        for run in starts {
            let wanted = match query.what {
                What::State(state) => run.state == state,
                // An empty slot at the start of the run is not an event.
                _ => run.start.0 > 0 || run.state != WarpState::Empty,
            };
            if wanted && is_of_warp(trace, query, slot, run.start) {
                found.push(Found {
                    cycle: run.start,
                    slot: Some(slot),
                    pc: (run.state != WarpState::Empty).then_some(run.pc),
                    access: None,
                });
            }
        }
    }
}

/// Stalls; for a warp, stalls of its scheduler.
fn stalls(trace: &Trace, query: &Query, (from, to): (Cycle, Cycle), found: &mut Vec<Found>) {
    let slot = query
        .warp
        .and_then(|warp| trace.slot_of(crate::ids::WarpId(warp)));
    let scheduler = match (query.warp, slot) {
        (None, _) => None,
        (Some(_), Some((slot, _))) => Some((usize::from(slot.0) % trace.num_schedulers().max(1)) as u8),
        (Some(_), None) => return,
    };
    let mut at = from;
    if let Some(before) = from.0.checked_sub(1) {
        at = Cycle(before);
    }
    while let Some(cycle) = trace.stall(at, Direction::Forward, scheduler) {
        if cycle >= to {
            break;
        }
        found.push(Found {
            cycle,
            slot: slot.map(|(slot, _)| slot),
            pc: None,
            access: None,
        });
        at = cycle;
    }
}

fn accesses(trace: &Trace, query: &Query, (from, to): (Cycle, Cycle), found: &mut Vec<Found>) {
    for family in [AccessFamily::Shared, AccessFamily::Global] {
        let order = trace.accesses_of(family);
        let started = |idx: &u32| trace.access(*idx).map_or(Cycle(0), |row| row.started);
        let first = order.partition_point(|idx| started(idx) < from);
        let after = order.partition_point(|idx| started(idx) < to);
        // Starts with the last access: the replay to it passes the earlier ones.
        for idx in order[first..after].iter().rev() {
            let Some(row) = trace.access(*idx) else { continue };
            if is_access(trace, query.what, *idx, &row) && query.warp.is_none_or(|warp| row.warp.0 == warp) {
                found.push(Found {
                    cycle: row.started,
                    slot: Some(row.slot),
                    pc: Some(row.pc),
                    access: Some(*idx),
                });
            }
        }
    }
}

fn is_access(trace: &Trace, what: What, idx: u32, row: &AccessRow) -> bool {
    match what {
        What::Conflict(more) => {
            row.kind.is_shared() && row.wavefronts > more && row.wavefronts > row.ideal_wavefronts
        }
        What::Miss { of_l2 } => {
            let loads = matches!(
                row.kind,
                RequestKind::GlobalLoad
                    | RequestKind::CopyLoad
                    | RequestKind::LocalLoad
                    | RequestKind::ConstantLoad
                    | RequestKind::TextureLoad
                    | RequestKind::UniformLoad
            );
            let memory = &trace.arch().memory;
            // Architectures without a cache for global memory have no misses.
            let has_cache =
                memory.l1.is_some() || memory.l2.is_some() || row.kind == RequestKind::TextureLoad;
            has_cache && loads && (row.level == MemoryLevel::Dram || !of_l2 && row.level == MemoryLevel::L2)
        }
        What::Address(address) => {
            let stores = !matches!(
                row.kind,
                RequestKind::SharedLoad
                    | RequestKind::GlobalLoad
                    | RequestKind::CopyLoad
                    | RequestKind::LocalLoad
                    | RequestKind::ConstantLoad
                    | RequestKind::TextureLoad
                    | RequestKind::UniformLoad
            );
            // The bounds rule out most accesses.
            stores
                && row.may_touch(&(address..address + 1))
                && trace.access_detail(idx).is_some_and(|access| {
                    let bytes = u64::from(access.width_bits) / 8;
                    access.mask.lanes().any(|lane| {
                        let first = access.addresses[lane as usize];
                        (first..first + bytes).contains(&address)
                    })
                })
        }
        _ => false,
    }
}

/// Barrier releases; for a warp, releases of its block.
fn releases(trace: &Trace, query: &Query, (from, to): (Cycle, Cycle), found: &mut Vec<Found>) {
    let all = trace.barrier_releases();
    let first = all.partition_point(|release| release.cycle < from);
    let threads: u32 = trace.launch().block.iter().product();
    let warps = threads.div_ceil(32).max(1);
    for release in all[first..].iter().take_while(|release| release.cycle < to) {
        if query.warp.is_none_or(|warp| warp / warps == release.block.0) {
            found.push(Found {
                cycle: release.cycle,
                slot: None,
                pc: None,
                access: None,
            });
        }
    }
}

fn reconvergences(trace: &Trace, query: &Query, (from, to): (Cycle, Cycle), found: &mut Vec<Found>) {
    let all = trace.reconvergences();
    let first = all.partition_point(|join| join.cycle < from);
    for join in all[first..].iter().take_while(|join| join.cycle < to) {
        if is_of_warp(trace, query, join.slot, join.cycle) {
            found.push(Found {
                cycle: join.cycle,
                slot: Some(join.slot),
                pc: Some(join.pc),
                access: None,
            });
        }
    }
}

/// The fault that ended the run, if any.
fn faults(trace: &Trace, query: &Query, (from, to): (Cycle, Cycle), found: &mut Vec<Found>) {
    let Some(Outcome::Fault(fault)) = trace.outcome() else {
        return;
    };
    let cycle = fault.cycle.min(trace.last_cycle());
    let within = from <= cycle && cycle < to;
    if within && query.warp.is_none_or(|warp| fault.warp.0 == warp) {
        found.push(Found {
            cycle,
            slot: trace.slot_of(fault.warp).map(|(slot, _)| slot),
            pc: Some(fault.pc),
            access: None,
        });
    }
}

/// A search for the hit nearest to a cycle, or for all hits. The cycle itself is never a hit.
#[derive(Clone, Debug, PartialEq)]
pub struct Search {
    /// The query.
    pub query: Query,
    direction: Direction,
    /// The end (forward) or start (backward) of the searched cycles.
    at: u64,
    from: u64,
    cycles: u64,
    /// Whether the search continues after the first hit.
    all: bool,
    /// The hits, at most a thousand.
    pub found: Vec<Found>,
    /// The number of hits.
    pub total: u64,
    done: bool,
}

impl Search {
    /// Creates a search for the nearest hit after or before a cycle.
    pub fn nearest(query: Query, from: Cycle, direction: Direction) -> Self {
        let at = match direction {
            Direction::Forward => from.0 + 1,
            Direction::Backward => from.0,
        };
        Self {
            query,
            direction,
            at,
            from: at,
            cycles: FIRST_CYCLES,
            all: false,
            found: Vec::new(),
            total: 0,
            done: false,
        }
    }

    /// Creates a search for all hits of the run.
    pub fn all(query: Query) -> Self {
        Self {
            at: 0,
            from: 0,
            all: true,
            ..Self::nearest(query, Cycle(0), Direction::Forward)
        }
    }

    /// The direction of the search.
    pub const fn direction(&self) -> Direction {
        self.direction
    }

    /// Whether the search is complete.
    pub const fn is_done(&self) -> bool {
        self.done
    }

    /// The number of searched cycles, and of all cycles.
    pub fn progress(&self, trace: &Trace) -> (u64, u64) {
        match self.direction {
            Direction::Forward => (self.at - self.from, trace.num_cycles().saturating_sub(self.from)),
            Direction::Backward => (self.from - self.at, self.from),
        }
    }

    /// Searches the next step. Returns whether there are cycles left.
    pub fn step(&mut self, trace: &Trace) -> bool {
        if self.done {
            return false;
        }
        let most = if self.query.is_slow() {
            MAX_SLOW_CYCLES
        } else {
            MAX_CYCLES
        };
        let cycles = self.cycles.min(most);
        self.cycles = (2 * self.cycles).min(MAX_CYCLES);
        let (from, to) = match self.direction {
            Direction::Forward => (self.at, (self.at + cycles).min(trace.num_cycles())),
            Direction::Backward => (self.at.saturating_sub(cycles), self.at),
        };
        let hits = hits_between(trace, &self.query, Cycle(from), Cycle(to));
        self.total += hits.len() as u64;
        if self.all {
            let room = MAX_LISTED - self.found.len();
            self.found.extend(hits.into_iter().take(room));
        } else {
            self.found.extend(match self.direction {
                Direction::Forward => hits.first(),
                Direction::Backward => hits.last(),
            });
        }
        let at_end = match self.direction {
            Direction::Forward => {
                self.at = to.max(self.at);
                to >= trace.num_cycles()
            }
            Direction::Backward => {
                self.at = from;
                from == 0
            }
        };
        self.done = at_end || !self.all && !self.found.is_empty();
        !self.done
    }
}
