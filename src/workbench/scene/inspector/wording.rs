//! The sentences of the inspector.

use crate::words::{awaited_copies, capital, counted, cycles_until, state_description, thousands};
use engine::ids::{Cycle, Pc, SlotIdx};
use engine::sim::{WaitCause, WarpState};
use engine::trace::Frame;

/// Why a slot that never held a warp has nothing to explain.
pub(super) const NEVER_RESIDENT: &str = "No warp has been resident in this slot yet.";

/// The last cycle of a warp that has left its slot.
pub(super) fn finished_at(last: Cycle) -> String {
    format!("The warp finished at cycle *{}*.", thousands(last.0))
}

/// The label of an instruction: `Next instruction, line 15`. `line` is empty for an instruction without a line.
pub(super) fn instruction_label(state: WarpState, line: &str) -> String {
    let name = if state == WarpState::Selected {
        "Instruction"
    } else {
        "Next instruction"
    };
    if line.is_empty() {
        name.to_owned()
    } else {
        format!("{name}, {line}")
    }
}

/// The share of issue slots that the schedulers use in a range of cycles.
pub(super) fn issue_utilization(share: &str) -> String {
    format!("The schedulers use *{share}* of their issue slots in this range.")
}

/// Why a warp is in its state. Asterisks enclose the numbers to set bold.
pub(super) fn stall_reason(frame: &Frame, slot: SlotIdx, state: WarpState, cause: &WaitCause) -> String {
    let now = frame.cycle().0;
    let producer = |pc: Pc| match frame.instruction(pc) {
        Some(instruction) if instruction.span.line > 0 => {
            format!(
                "{} at {}",
                frame.mnemonic(pc),
                frame.line_text(instruction.span.line)
            )
        }
        _ => frame.mnemonic(pc),
    };
    let progress = |issued: Cycle, ready: Option<Cycle>, is_earliest: bool| {
        let age = counted(now.saturating_sub(issued.0), "cycle");
        match ready {
            Some(ready) if ready.0 > now => {
                format!(
                    "issued *{age}* ago. The result is ready in *{}*.",
                    cycles_until(ready.0 - now, is_earliest)
                )
            }
            Some(_) => format!("issued *{age}* ago. The result is ready."),
            None => format!("issued *{age}* ago. The cycle of its result is not known yet."),
        }
    };
    let dependency = |what: String, (pc, issued), (ready, is_earliest), for_second| {
        let who = if for_second {
            "The second instruction of the issue pair stalls on"
        } else {
            "Stalls on"
        };
        format!(
            "{who} *{what}* from {}, {}",
            producer(pc),
            progress(issued, ready, is_earliest)
        )
    };
    match *cause {
        WaitCause::Register {
            reg,
            producer: pc,
            issued,
            ready,
            for_second,
            is_earliest,
        } => dependency(format!("R{reg}"), (pc, issued), (ready, is_earliest), for_second),
        WaitCause::Predicate {
            pred,
            producer: pc,
            issued,
            ready,
            for_second,
        } => dependency(format!("P{pred}"), (pc, issued), (ready, false), for_second),
        WaitCause::Copies {
            left,
            producer: pc,
            issued,
            ready,
        } => dependency(awaited_copies(left), (pc, issued), (ready, false), false),
        WaitCause::Pipe { kind, free } => format!(
            "The *{}* pipe accepts its next instruction in *{}*.",
            kind.text(),
            counted(free.0.saturating_sub(now), "cycle")
        ),
        WaitCause::Queue { used, capacity } => {
            let queue = match state {
                WarpState::LgThrottle => "LG",
                WarpState::TexThrottle => "TEX",
                _ => "MIO",
            };
            format!("The {queue} queue is full: *{used} of {capacity}* entries are in use.")
        }
        WaitCause::Barrier {
            id,
            arrived,
            expected,
        } => {
            let (arrived, expected) = barrier_arrivals(frame, arrived, expected);
            let which = if id == 0 {
                "__syncthreads()".to_owned()
            } else {
                format!("barrier {id}")
            };
            format!("Stalls at *{which}*: *{arrived}* of the block's *{expected}* warps have arrived.")
        }
        WaitCause::OtherWarp(other) => {
            format!(
                "Eligible, but its scheduler selected *{}*.",
                frame.warp_name(other)
            )
        }
        WaitCause::Until(cycle) if state == WarpState::NotSelected => format!(
            "Eligible, but the scheduler's issue port is busy for *{}*.",
            counted(cycle.0.saturating_sub(now), "cycle")
        ),
        WaitCause::Until(cycle) => format!(
            "{}: *{}* left.",
            capital(state_description(state)),
            counted(cycle.0.saturating_sub(now), "cycle")
        ),
        WaitCause::Lanes(lanes) => {
            format!(
                "Stalls until *{}* of the warp arrive{}.",
                counted(u64::from(lanes.count()), "more lane"),
                if lanes.count() == 1 { "s" } else { "" }
            )
        }
        WaitCause::None if state == WarpState::Selected => {
            let pc = frame.run(slot).map_or(Pc(0), |run| run.pc);
            let pipe = frame
                .instruction(pc)
                .and_then(|instruction| frame.arch().cost(instruction.class()))
                .map_or_else(String::new, |cost| format!(" to the {} pipe", cost.pipe.text()));
            format!("The scheduler issues *{}*{pipe}.", frame.mnemonic(pc))
        }
        WaitCause::None => format!("{}.", capital(state_description(state))),
    }
}

/// Barrier arrivals in warps: arrived, and expected. From Volta on, the machine counts threads.
pub fn barrier_arrivals(frame: &Frame, arrived: u16, expected: u16) -> (u16, u16) {
    if frame.arch().has_independent_threads() {
        (arrived / 32, expected.div_ceil(32))
    } else {
        (arrived, expected)
    }
}
