//! Livelock detection: warps that spin on values that no warp will change.
//!
//! The rule: at certain cycles, a copy of the machine is stepped ahead for at most [`WINDOW`] cycles. A
//! livelock is found if, within this window:
//! - no byte of global or shared memory differs at the end of any cycle,
//! - every resident warp either returns to exactly its initial state (lanes, stack or barriers, registers,
//!   predicates, local memory) after it has moved, or waits at a barrier all the time, and
//! - no moving warp arrives at a barrier of its block, and the program does not read a clock.
//!
//! Every warp then repeats the same steps for ever: its next step depends only on its state and on the memory
//! that it reads. Blocks that have not started wait for a resident block to finish, so they change nothing.
//! Loops that count, or that change memory and restore it, are not detected; they end at the cycle limit. If
//! all loops of a program count, there is no detection.

mod dependence;
mod loops;
mod yield_points;

pub(super) use self::loops::{may_spin, polls, waits_for_others};
pub(super) use self::yield_points::yield_points;
pub use self::yield_points::yields_of;
use super::codec::{Coded, Writer};
use super::machine::Machine;
use super::sm::Sm;
use super::warp::Warp;
use super::{Fault, FaultKind};
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

/// The livelock of a machine as a fault; `None` if the machine makes progress, or if progress cannot be
/// excluded.
pub(super) fn find(machine: &Machine) -> Option<Fault> {
    let start = &machine.sm;
    let mut seen = vec![WarpObservation::default(); start.warps.len()];
    let mut ahead = machine.clone();
    ahead.check_at = u64::MAX;
    // An empty slot is filled only by a new block, which the comparison of the blocks' memory detects.
    let slots: Vec<usize> = (0..start.warps.len())
        .filter(|slot| start.warps[*slot].resident)
        .collect();
    for _ in 0..WINDOW {
        if !ahead.step(&mut ()) || ahead.outcome().is_some() || is_memory_changed(start, &ahead.sm) {
            return None;
        }
        let mut all = true;
        for slot in slots.iter().copied() {
            let (then, now) = (&start.warps[slot], &ahead.sm.warps[slot]);
            if then.exited {
                // A draining warp frees its slot, and another block may start.
                if !now.resident || then.id != now.id {
                    return None;
                }
                continue;
            }
            let seen = &mut seen[slot];
            if !now.resident || now.exited || now.id != then.id {
                return None;
            }
            let is_unmoved = now.lanes.is_like(&then.lanes) && now.resume_at == then.resume_at;
            seen.moved |= !is_unmoved;
            seen.ran |= now.lanes.active;
            if seen.moved
                && (now.barrier != then.barrier || now.lanes.at_barrier() != then.lanes.at_barrier())
            {
                return None;
            }
            if seen.moved && !seen.returned {
                seen.returned = is_same(then, now);
            }
            all &= seen.returned || !seen.moved && waits_at_barrier(now);
        }
        if all && seen.iter().any(|seen| seen.returned) {
            return fault(machine, &seen);
        }
    }
    None
}

/// Whether a warp waits at a barrier with all its lanes.
fn waits_at_barrier(warp: &Warp) -> bool {
    warp.barrier.is_some() || warp.lanes.active == 0
}

fn is_memory_changed(start: &Sm, now: &Sm) -> bool {
    let places = start.blocks.places.iter().zip(&now.blocks.places);
    let shared = places.into_iter().any(|(then, now)| match (then, now) {
        (Some(then), Some(now)) => then.id != now.id || then.shared != now.shared,
        (None, None) => false,
        _ => true,
    });
    shared || now.device.pages_since(&start.device).next().is_some()
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

fn fault(machine: &Machine, seen: &[WarpObservation]) -> Option<Fault> {
    let warps = machine.sm.warps.iter().zip(seen);
    let spins = |seen: &WarpObservation| seen.returned;
    let holds = |warp: &Warp, seen: &WarpObservation| warp.lanes.live & !seen.ran;
    // Prefers a warp with waiting lanes.
    let found = warps
        .clone()
        .filter(|(_, seen)| spins(seen))
        .max_by_key(|(warp, seen)| (holds(warp, seen) != 0, std::cmp::Reverse(warp.id.0)));
    let cycle = Cycle(machine.cycle().0.saturating_sub(1));
    let (warp, of) = found?;
    let line = |pc: u32| {
        let line = machine.line_text(Pc(pc));
        line.map_or_else(String::new, |line| format!(" at {line}"))
    };
    let lanes = warp.lanes.live & of.ran;
    let held = holds(warp, of);
    let spin = format!(
        "Livelock: {} of warp {} spin{}{}: no value that is read there can change.",
        lane_names(lanes),
        warp.id.0,
        if lanes.is_power_of_two() { "s" } else { "" },
        line(warp.lanes.pc),
    );
    let groups = warp.lanes.groups();
    let place = groups.iter().find(|group| group.lanes.0 & held != 0);
    let why = match (held, machine.arch().has_independent_threads()) {
        (0, _) => "No running warp writes the value.".to_owned(),
        (held, independent) => {
            let (waits, runs) = match held.count_ones() {
                1 => ("waits", "runs"),
                _ => ("wait", "run"),
            };
            let at = place.map_or_else(String::new, |group| line(group.pc.0));
            let rest = if independent {
                "cannot continue until the spinning lanes arrive.".to_owned()
            } else {
                format!(
                    "{runs} only after the spinning lanes leave the loop: up to Pascal, a warp executes one side \
                     of a branch at a time. From Volta on, lanes run independently."
                )
            };
            let mut name = lane_names(held);
            name[..1].make_ascii_uppercase();
            format!("{name} {waits}{at} and {rest}")
        }
    };
    Some(Fault {
        kind: match held {
            0 => FaultKind::Livelock,
            _ if machine.arch().has_independent_threads() => FaultKind::Livelock,
            _ => FaultKind::DivergentLivelock,
        },
        cycle,
        pc: Pc(warp.lanes.pc),
        warp: warp.id,
        lanes: LaneMask(lanes),
        address: 0,
        message: format!("{spin} {why}"),
    })
}
