//! The headline at the cycle where a run stopped before the kernel finished.

use crate::words::{fit_headline, thousands};
use engine::ids::Cycle;
use engine::sim::{FaultKind, Outcome};
use engine::trace::{Frame, Trace};

/// The cycle where a run stopped before the kernel finished; `None` for a finished or a running kernel.
/// The strip flags this cycle.
pub fn ending_cycle(trace: &Trace) -> Option<Cycle> {
    match trace.outcome()? {
        Outcome::Finished => None,
        Outcome::Fault(fault) => Some(fault.cycle),
        Outcome::CycleBudget | Outcome::MemoryBudget | Outcome::Deadlock { .. } => Some(trace.last_cycle()),
    }
}

const fn fault_name(kind: FaultKind) -> &'static str {
    match kind {
        FaultKind::OutOfBounds => "out-of-bounds address",
        FaultKind::Misaligned => "misaligned address",
        FaultKind::IllegalInstruction => "illegal instruction",
        FaultKind::Trap => "trap",
        FaultKind::StackOverflow => "stack overflow",
        FaultKind::Livelock | FaultKind::DivergentLivelock => "livelock",
        FaultKind::NotResident | FaultKind::NotAlone => "blocks that wait for each other",
    }
}

/// The headline from the ending cycle on.
pub(super) fn ending_headline(frame: &Frame) -> Option<String> {
    if ending_cycle(frame.trace())? > frame.cycle() {
        return None;
    }
    let text = match frame.trace().outcome()? {
        Outcome::Finished => return None,
        Outcome::CycleBudget => {
            format!(
                "The run stops here: it reached its limit of {} cycles.",
                thousands(frame.record().num_cycles())
            )
        }
        Outcome::MemoryBudget => "The run stops here: its trace reached the memory limit.".to_owned(),
        Outcome::Deadlock { waiting, .. } => {
            let warps: std::collections::BTreeSet<u32> = waiting.iter().map(|(warp, ..)| warp.0).collect();
            let who = match warps.len() {
                1 => "1 warp waits".to_owned(),
                num => format!("{num} warps wait"),
            };
            format!("Deadlock: {who} for lanes that can never arrive.")
        }
        Outcome::Fault(fault) if matches!(fault.kind, FaultKind::NotResident | FaultKind::NotAlone) => {
            fault.message.clone()
        }
        Outcome::Fault(fault) if fault.kind.is_livelock() => {
            let line = frame
                .instruction(fault.pc)
                .map_or(0, |instruction| instruction.span.line);
            format!(
                "Livelock: {} of W{:02} spin at {} on a value that no lane changes.",
                crate::words::counted(fault.lanes.count().into(), "lane"),
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
                fault_name(fault.kind)
            )
        }
    };
    Some(fit_headline(text))
}
