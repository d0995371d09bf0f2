//! The sentences of the Stalls view: the headline, and what each state means and how to reduce it. Meanings
//! and remedies follow the warp stall reasons in Nsight Compute's documentation, Kernel Profiling Guide.

use super::account::Account;
use crate::scene::source::costs::largest_wait;
use crate::scene::{Period, ViewState};
use crate::words::{counted, percent, state_predicates, thousands};
use engine::isa::Space;
use engine::sim::{RequestKind, WarpState};
use engine::trace::Frame;

/// The meaning of a state, as a sentence.
pub(super) const fn meaning(state: WarpState) -> &'static str {
    match state {
        WarpState::Empty => "The slot holds no warp.",
        WarpState::Selected => "The scheduler issued an instruction of the warp.",
        WarpState::NotSelected => "The warp was eligible, but its scheduler selected another warp.",
        WarpState::Wait => "The warp stalls on a fixed latency between two instructions.",
        WarpState::MathPipeThrottle => "The math pipe of the next instruction is busy.",
        WarpState::ShortScoreboard => "An MIO result, such as shared memory or the XU, is in flight.",
        WarpState::LongScoreboard => "A load from global or local memory is in flight.",
        WarpState::MioThrottle => "The MIO queue to shared memory and the XU is full.",
        WarpState::LgThrottle => "The LG queue to global and local memory is full.",
        WarpState::TexThrottle => "The TEX queue to the texture unit is full.",
        WarpState::Barrier => "Other warps of the block have not arrived at the barrier.",
        WarpState::Membar => "The warp's stores must be visible before it continues.",
        WarpState::BranchResolving => "The branch target is not resolved yet.",
        WarpState::NoInstruction => "The next instruction is not fetched yet.",
        WarpState::ImcMiss => "A constant missed in the constant cache.",
        WarpState::DispatchStall => {
            "The last instruction stalls at dispatch: its operands share a register bank."
        }
        WarpState::Sleeping => "All lanes of the warp sleep, have yielded, or wait for each other.",
        WarpState::Drain => "The warp has exited; its stores are still draining.",
        WarpState::Misc => "Another reason.",
    }
}

/// How to reduce a state in a run, as a sentence: accesses that are 128 bits wide are not advised to be wider.
pub(super) fn remedy_in(frame: &Frame, state: WarpState) -> &'static str {
    let space = match state {
        WarpState::MioThrottle => Space::Shared,
        WarpState::LgThrottle => Space::Global,
        _ => return remedy(state),
    };
    if space == Space::Shared && has_conflicts(frame) {
        return "Remove bank conflicts first: every wavefront of a conflict delays the queue.";
    }
    let mut widths = frame
        .trace()
        .program()
        .code
        .iter()
        .zip(frame.trace().tallies())
        .filter(|(instruction, tally)| instruction.op.space() == Some(space) && tally.issued > 0)
        .map(|(instruction, _)| instruction.op.access_bytes());
    if widths.clone().next().is_none() || widths.any(|bytes| bytes < 16) {
        return remedy(state);
    }
    match space {
        Space::Shared => {
            "The accesses are 128 bits wide already: use fewer of them, and keep values in registers."
        }
        _ => "The accesses are 128 bits wide already: put arithmetic between them, and reuse values.",
    }
}

/// Whether at least a fifth of the run's wavefronts of shared loads and stores are bank conflicts.
fn has_conflicts(frame: &Frame) -> bool {
    let total = frame.trace().total();
    let of = |kind| {
        let sums = total.of_kind(kind);
        (sums.wavefronts, sums.ideal_wavefronts)
    };
    let [load, store, copy] = [
        RequestKind::SharedLoad,
        RequestKind::SharedStore,
        RequestKind::CopyStore,
    ]
    .map(of);
    let (taken, ideal) = (load.0 + store.0 + copy.0, load.1 + store.1 + copy.1);
    taken > 0 && (taken - ideal.min(taken)) * 5 >= taken
}

/// How to reduce a state, as a sentence.
const fn remedy(state: WarpState) -> &'static str {
    match state {
        WarpState::Empty => {
            "Use more or smaller blocks, fewer registers, or less shared memory: see Occupancy."
        }
        WarpState::Selected => "This is useful work: only fewer instructions reduce it.",
        WarpState::NotSelected => {
            "No action needed: the scheduler has more eligible warps than it can issue."
        }
        WarpState::Wait => "Add warps, or independent instructions between a result and its use.",
        WarpState::MathPipeThrottle => {
            "Use other pipes, too, or add warps whose next instruction needs another pipe."
        }
        WarpState::ShortScoreboard => {
            "Remove bank conflicts, keep values in registers, and load earlier than you use."
        }
        WarpState::LongScoreboard => {
            "Add warps, issue loads earlier, coalesce accesses, and keep data in shared memory."
        }
        WarpState::MioThrottle => {
            "Use fewer, wider shared accesses: one of 128 bits takes one entry, four of 32 bits take four."
        }
        WarpState::LgThrottle => "Use fewer, wider global accesses, with arithmetic between them.",
        WarpState::TexThrottle => {
            "Issue fewer texture fetches in a row, or use plain loads for some of them."
        }
        WarpState::Barrier => {
            "Balance the work of a block's warps before __syncthreads(), or use smaller blocks."
        }
        WarpState::Membar => "Use fewer fences, with the smallest scope that is correct.",
        WarpState::BranchResolving => {
            "Use fewer branches: unroll short loops, and replace short branches by predicates."
        }
        WarpState::NoInstruction => "Shorten the code, use fewer jumps, or add warps.",
        WarpState::ImcMiss => {
            "Read the same constant in all lanes of a warp, and reuse it while it is cached."
        }
        WarpState::DispatchStall => {
            "The compiler assigns registers; adjacent instructions with a common operand read it once."
        }
        WarpState::Sleeping => "Keep the lanes of a warp on the same path, or synchronize them later.",
        WarpState::Drain => "Store less at the end of the kernel, and coalesce the stores.",
        WarpState::Misc => "Address the other stall reasons first.",
    }
}

/// The headline: the largest stall reason, and its source line.
pub(super) fn headline(frame: &Frame, account: &Account, view: &ViewState) -> String {
    let who = match view.period() {
        Period::Run => "Warps",
        Period::Now => "So far, warps",
        Period::Last => "Recently, warps",
        Period::Range => "In this range, warps",
    };
    if account.resident == 0 {
        return "No warp is resident on the SM in these cycles.".to_owned();
    }
    let Some(state) = largest_wait(&account.states) else {
        return format!("{who} issue in every cycle.");
    };
    let cycles = account.states[state as usize];
    let part = percent(cycles, account.resident);
    let predicate = state_predicates(state).0;
    let lines = account.by_line(frame);
    let top = (0..lines.len())
        .rev()
        .max_by_key(|line| lines[*line][state as usize]);
    let place = top.map_or_else(String::new, |line| {
        let at_line = lines[line][state as usize];
        let amount = if at_line == cycles {
            "all of it"
        } else if at_line * 2 > cycles {
            "most of it"
        } else {
            "much of it"
        };
        let name = if line == 0 {
            "in code without a source line".to_owned()
        } else {
            format!("at {}", frame.line_text(line as u32))
        };
        // A part below a quarter is not named.
        if at_line * 4 < cycles {
            String::new()
        } else {
            format!(", {amount} {name}")
        }
    });
    format!("{who} {predicate} {part} of the time{place}.")
}

/// The states without cycles.
/// The states that the picture has no room for.
pub(super) fn more_states(num: usize, share: &str) -> String {
    format!(
        "Not shown: {}, {share} of the warp cycles.",
        counted(num as u64, "state")
    )
}

pub(super) fn absent_states(names: &[&str]) -> String {
    format!("Did not occur: {}.", names.join(", "))
}

/// The warp cycles, and the share of slot cycles without a warp.
pub(super) fn slot_usage(warp_cycles: u64, empty_share: &str, slots: u64, cycles: u64) -> String {
    format!(
        "Warp cycles: {}. Slots without a warp: {empty_share} of {} in {}.",
        thousands(warp_cycles),
        counted(slots, "slot"),
        counted(cycles, "cycle")
    )
}
