//! What a view says at the cycle in which a run ended before its time.

use super::words::{headline, thousands};
use engine::ids::Cycle;
use engine::sim::{FaultKind, Outcome};
use engine::trace::{Frame, Trace};

/// The cycle at which a run ended before its time: where the strip has a flag. None while it goes on.
pub fn ending_cycle(trace: &Trace) -> Option<Cycle> {
    match trace.outcome()? {
        Outcome::Finished => None,
        Outcome::Fault(fault) => Some(fault.cycle),
        Outcome::CycleBudget | Outcome::MemoryBudget | Outcome::Deadlock { .. } => Some(trace.last_cycle()),
    }
}

const fn what(kind: FaultKind) -> &'static str {
    match kind {
        FaultKind::OutOfBounds => "an address out of bounds",
        FaultKind::Misaligned => "a misaligned address",
        FaultKind::IllegalInstruction => "an instruction that does not exist",
        FaultKind::Trap => "a trap",
        FaultKind::StackOverflow => "a stack that overflows",
        FaultKind::Livelock => "a livelock",
    }
}

/// The headline at that cycle.
pub(super) fn ending_headline(frame: &Frame) -> Option<String> {
    if ending_cycle(frame.trace())? > frame.cycle() {
        return None;
    }
    let text = match frame.trace().outcome()? {
        Outcome::Finished => return None,
        Outcome::CycleBudget => {
            format!(
                "The run stops here: all of its {} cycles are used up.",
                thousands(frame.record().num_cycles())
            )
        }
        Outcome::MemoryBudget => "The run stops here: the memory for its trace is used up.".to_owned(),
        Outcome::Deadlock { waiting, .. } => {
            let warps: std::collections::BTreeSet<u32> = waiting.iter().map(|(warp, ..)| warp.0).collect();
            let who = match warps.len() {
                1 => "One warp waits".to_owned(),
                num => format!("{num} warps wait"),
            };
            format!("Deadlock: nothing can happen any more. {who} for lanes that never come.")
        }
        Outcome::Fault(fault) if fault.kind == FaultKind::Livelock => {
            let line = frame
                .instruction(fault.pc)
                .map_or(0, |instruction| instruction.span.line);
            format!(
                "Livelock: {} of W{:02} spin at {} for what nobody will change.",
                super::words::counted(fault.lanes.count().into(), "lane"),
                fault.warp.0,
                frame.line_text(line)
            )
        }
        Outcome::Fault(fault) => {
            let line = frame
                .instruction(fault.pc)
                .map_or(0, |instruction| instruction.span.line);
            let place = if line > 0 {
                format!(" at {}", frame.line_text(line))
            } else {
                String::new()
            };
            let lanes = fault.lanes.count();
            let lanes = match lanes {
                1 => format!("lane {}", fault.lanes.lanes().next().unwrap_or(0)),
                num => format!("{num} lanes"),
            };
            format!(
                "W{:02} faults{place}: {} in {lanes}.",
                fault.warp.0,
                what(fault.kind)
            )
        }
    };
    Some(headline(text))
}
