//! Livelock detection: warps that spin on values that no warp will change.
//!
//! The rule: at certain cycles, a copy of the machine or the device is stepped ahead for at most [`WINDOW`] cycles. A
//! livelock is found if, within this window:
//! - no byte of global or shared memory differs at the end of any cycle,
//! - every resident warp either returns to exactly its initial state (lanes, stack or barriers, registers,
//!   predicates, local memory) after it has moved, or waits at a barrier all the time, and
//! - no moving warp arrives at a barrier of its block, and the program does not read a clock.
//!
//! Every warp then repeats the same steps for ever: its next step depends only on its state and on the memory
//! that it reads. Blocks that have not started wait for a resident block to finish, so they change nothing; whether the
//! resident blocks wait for them is found by running them (`livelock/residency.rs`). Loops that count, or that change memory and restore it, are not detected; they end at the cycle limit. If
//! all loops of a program count, there is no detection.

mod dependence;
mod loops;
mod residency;
mod yield_points;

pub(super) use self::loops::{may_spin, polls, waits_for_others};
pub(super) use self::residency::Polled;
pub(super) use self::yield_points::yield_points;
pub use self::yield_points::yields_of;
use std::cmp::Reverse;

use super::block_scheduler::GridQueue;
use super::codec::{Coded, Writer};
use super::memory::DeviceMemory;
use super::sm::{NEVER, Setup, Sm};
use super::warp::Warp;
use super::{Fault, FaultKind};
use crate::arch::Occupancy;
use crate::ids::{Cycle, LaneMask, Pc};

/// The first cycle with a check; the next checks are at twice, four times this cycle, and so on.
const FIRST_CHECK: u64 = 1 << 14;
/// Cycles that a check steps ahead.
const WINDOW: u64 = 1 << 13;

/// The first cycle with a check at or after `cycle`.
pub(super) const fn next_check(cycle: u64) -> u64 {
    if cycle <= FIRST_CHECK {
        FIRST_CHECK
    } else {
        cycle.next_power_of_two()
    }
}

/// What a search looks at: a machine of one SM, or a device.
pub(super) trait Searched: Clone {
    /// Whether it is one SM without the others of its device.
    const IS_ALONE: bool;
    /// The same without a search of its own.
    fn without_search(self) -> Self;
    /// Steps up to the end of the next cycle with work. Returns false if the run ends. `polled`: one for each SM.
    fn advance(&mut self, polled: &mut [Polled]) -> bool;
    /// The number of SMs, at least 1.
    fn num_sms(&self) -> usize;
    /// An SM.
    fn sm(&self, idx: usize) -> &Sm;
    /// The next cycle in which an SM has work.
    fn next_event(&self, idx: usize) -> u64;
    /// The cycle that is stepped next.
    fn now(&self) -> u64;
    /// What does not change during the run.
    fn setup(&self) -> &Setup;
    /// Global memory.
    fn memory(&self) -> &DeviceMemory;
    /// The grid's blocks.
    fn queue(&self) -> GridQueue;
    /// The occupancy of an SM.
    fn occupancy(&self) -> &Occupancy;
}

/// The observations of a warp during the window.
#[derive(Clone, Copy, Default)]
struct WarpObservation {
    /// The warp has moved to another pc.
    moved: bool,
    /// The warp has returned to its initial state.
    returned: bool,
    /// Lanes that ran.
    ran: u32,
}

/// The observations of an SM during the window.
struct SmObservation {
    warps: Vec<WarpObservation>,
    /// Slots with a warp at the start. An empty slot is filled only by a new block, which the comparison of the blocks'
    /// memory detects.
    slots: Vec<usize>,
    /// Whether each warp has returned, or waits at a barrier.
    is_settled: bool,
}

impl SmObservation {
    fn new(start: &Sm) -> Self {
        let slots = (0..start.warps.len()).filter(|slot| start.warps[*slot].resident);
        let waits = |warp: &Warp| !warp.resident || warp.exited || waits_at_barrier(warp);
        Self {
            warps: vec![WarpObservation::default(); start.warps.len()],
            slots: slots.collect(),
            is_settled: start.warps.iter().all(waits),
        }
    }

    /// Observes the SM after a cycle. Returns false if a warp makes progress.
    fn observe(&mut self, start: &Sm, ahead: &Sm) -> bool {
        let mut all = true;
        for slot in self.slots.iter().copied() {
            let (then, now) = (&start.warps[slot], &ahead.warps[slot]);
            if then.exited {
                // A draining warp frees its slot, and another block may start.
                if !now.resident || then.id != now.id {
                    return false;
                }
                continue;
            }
            let seen = &mut self.warps[slot];
            if !now.resident || now.exited || now.id != then.id {
                return false;
            }
            let is_unmoved = now.lanes.is_like(&then.lanes) && now.resume_at == then.resume_at;
            seen.moved |= !is_unmoved;
            seen.ran |= now.lanes.active;
            if seen.moved
                && (now.barrier != then.barrier || now.lanes.at_barrier() != then.lanes.at_barrier())
            {
                return false;
            }
            if seen.moved && !seen.returned {
                seen.returned = is_same(then, now);
            }
            all &= seen.returned || !seen.moved && waits_at_barrier(now);
        }
        self.is_settled = all;
        true
    }
}

/// The livelock of a run as a fault; `None` if the run makes progress, or if progress cannot be excluded.
pub(super) fn find<W: Searched>(start: &W) -> Option<Fault> {
    let num_sms = start.num_sms();
    if (0..num_sms).any(|idx| is_block_expected(start, idx)) {
        return None;
    }
    let mut ahead = start.clone().without_search();
    let mut polled = vec![Polled::default(); num_sms];
    let mut seen: Vec<SmObservation> = (0..num_sms)
        .map(|idx| SmObservation::new(start.sm(idx)))
        .collect();
    let mut works = vec![true; num_sms];
    let end = start.now() + WINDOW;
    while ahead.now() < end {
        let next = ahead.now();
        let first = (0..num_sms).map(|idx| ahead.next_event(idx)).min().unwrap_or(0);
        for (idx, works) in works.iter_mut().enumerate() {
            *works = ahead.next_event(idx) <= first.max(next);
        }
        if !ahead.advance(&mut polled) {
            return None;
        }
        if ahead.memory().pages_since(start.memory()).next().is_some() {
            return None;
        }
        let worked = seen.iter_mut().enumerate().filter(|(idx, _)| works[*idx]);
        for (idx, seen) in worked {
            let (then, now) = (start.sm(idx), ahead.sm(idx));
            if is_shared_changed(then, now) || !seen.observe(then, now) {
                return None;
            }
        }
        let returned = |seen: &SmObservation| seen.warps.iter().any(|warp| warp.returned);
        if seen.iter().all(|seen| seen.is_settled) && seen.iter().any(returned) {
            return fault(start, &seen, &polled);
        }
    }
    None
}

/// Whether a block that waits will start on an SM: it has room, or a block of it is about to leave.
fn is_block_expected<W: Searched>(start: &W, idx: usize) -> bool {
    let (queue, sm) = (start.queue(), start.sm(idx));
    let leaves = || {
        sm.blocks
            .places
            .iter()
            .flatten()
            .any(|block| block.live_warps == 0)
    };
    queue.started < queue.num_blocks && (sm.refill_at != NEVER || leaves())
}

/// Whether a warp waits at a barrier with all its lanes.
fn waits_at_barrier(warp: &Warp) -> bool {
    warp.barrier.is_some() || warp.lanes.active == 0
}

fn is_shared_changed(start: &Sm, now: &Sm) -> bool {
    let places = start.blocks.places.iter().zip(&now.blocks.places);
    places.into_iter().any(|(then, now)| match (then, now) {
        (Some(then), Some(now)) => then.id != now.id || then.shared != now.shared,
        (None, None) => false,
        _ => true,
    })
}

/// Whether a warp's state is unchanged, apart from times.
fn is_same(then: &Warp, now: &Warp) -> bool {
    let bytes = |warp: &Warp| {
        let mut to = Writer::default();
        warp.lanes.encode(&mut to);
        to.bytes
    };
    now.lanes.is_like(&then.lanes)
        && then.regs.preds == now.regs.preds
        && then.regs.rows == now.regs.rows
        && then.local == now.local
        && bytes(then) == bytes(now)
}

/// `lane 3`, `lanes 1 to 31`, `8 lanes`.
fn lane_names(lanes: u32) -> String {
    let (first, num) = (lanes.trailing_zeros(), lanes.count_ones());
    let is_run = (u64::from(lanes) >> first) + 1 == 1 << num;
    match num {
        1 => format!("lane {first}"),
        num if is_run => format!("lanes {first} to {}", first + num - 1),
        num => format!("{num} lanes"),
    }
}

fn fault<W: Searched>(world: &W, seen: &[SmObservation], polled: &[Polled]) -> Option<Fault> {
    let sms = seen.iter().enumerate();
    let warps = sms.flat_map(|(idx, of)| world.sm(idx).warps.iter().zip(&of.warps));
    let holds = |warp: &Warp, seen: &WarpObservation| warp.lanes.live & !seen.ran;
    // Prefers a warp with waiting lanes.
    let (warp, of) = warps
        .filter(|(_, seen)| seen.returned)
        .max_by_key(|(warp, seen)| (holds(warp, seen) != 0, Reverse(warp.id.0)))?;
    let line = |pc: u32| {
        let line = world.setup().line_text(Pc(pc));
        line.map_or_else(String::new, |line| format!(" at {line}"))
    };
    let lanes = warp.lanes.live & of.ran;
    let held = holds(warp, of);
    let spin = format!(
        "{} of warp {} spin{}{}",
        lane_names(lanes),
        warp.id.0,
        if lanes.is_power_of_two() { "s" } else { "" },
        line(warp.lanes.pc),
    );
    let (kind, message) = if let Some((kind, why)) = residency::of_waiting_grid(world, polled) {
        (kind, format!("Livelock: {why} {}.", capitalized(&spin)))
    } else {
        let groups = warp.lanes.groups();
        let place = groups.iter().find(|group| group.lanes.0 & held != 0);
        let place = place.map_or_else(String::new, |group| line(group.pc.0));
        let is_independent = world.setup().independent;
        let kind = match held {
            0 => FaultKind::Livelock,
            _ if is_independent => FaultKind::Livelock,
            _ => FaultKind::DivergentLivelock,
        };
        let why = held_lanes(held, &place, is_independent);
        let waiting = residency::blocks_not_started(world);
        let message = format!("Livelock: {spin}: no value that is read there can change. {why}{waiting}");
        (kind, message)
    };
    Some(Fault {
        kind,
        cycle: Cycle(world.now().saturating_sub(1)),
        pc: Pc(warp.lanes.pc),
        warp: warp.id,
        lanes: LaneMask(lanes),
        address: 0,
        message,
    })
}

/// Why no value can change that spinning lanes read: what the other lanes of the warp do. `place`: ` at line 13`.
fn held_lanes(held: u32, place: &str, is_independent: bool) -> String {
    if held == 0 {
        return "No running warp writes the value.".to_owned();
    }
    let (waits, runs) = match held.count_ones() {
        1 => ("waits", "runs"),
        _ => ("wait", "run"),
    };
    let rest = if is_independent {
        "cannot continue until the spinning lanes arrive.".to_owned()
    } else {
        format!(
            "{runs} only after the spinning lanes leave the loop: up to Pascal, a warp executes one side of a branch at a \
             time. From Volta on, lanes run independently."
        )
    };
    format!("{} {waits}{place} and {rest}", capitalized(&lane_names(held)))
}

fn capitalized(text: &str) -> String {
    let mut text = text.to_owned();
    if let Some(first) = text.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    text
}
