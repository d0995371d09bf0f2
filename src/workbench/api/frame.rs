//! One cycle of a run.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{Answer, line_or_null};
use crate::scene::inspect_warp;
use engine::ids::{Cycle, Pc, SlotIdx};
use engine::sim::WarpState;
use engine::trace::{Frame, Trace};

/// The states and reasons of all warps in a cycle of a trace, and the issued instructions.
///
/// # Errors
/// The run has no such cycle.
pub fn frame(trace: &Trace, cycle: u64) -> Answer {
    let num_cycles = trace.num_cycles();
    if cycle >= num_cycles {
        return Err(format!(
            "frame: the run has the cycles 0 to {}, not {cycle}",
            num_cycles.saturating_sub(1)
        ));
    }
    let frame = trace.frame(Cycle(cycle));
    let warps: Vec<Value> = (0..trace.num_slots() as u16)
        .filter_map(|slot| warp(&frame, SlotIdx(slot)))
        .collect();
    let mut lines = BTreeSet::new();
    let mut issued = Vec::new();
    for issue in trace.issues_at(Cycle(cycle)) {
        let (line, text) = instruction(&frame, issue.pc);
        if line > 0 {
            lines.insert(line);
        }
        issued.push(json!({
            "scheduler": issue.scheduler,
            "slot": issue.slot.0,
            "warp": frame.warp(issue.slot).map(|warp| warp.0),
            "pc": issue.pc.0,
            "line": line_or_null(line),
            "instruction": text,
            "activeMask": issue.active.0,
            "executedMask": issue.executed.0,
        }));
    }
    Ok(json!({ "cycle": cycle, "warps": warps, "issued": issued, "lines": lines }))
}

/// A slot's warp; `None` for an empty slot.
fn warp(frame: &Frame, slot: SlotIdx) -> Option<Value> {
    let run = frame.run(slot).filter(|run| run.state != WarpState::Empty)?;
    let (line, text) = instruction(frame, run.pc);
    Some(json!({
        "slot": slot.0,
        "scheduler": frame.scheduler(slot),
        "warp": frame.warp(slot).map(|warp| warp.0),
        "block": frame.block(slot).map(|block| block.0),
        "state": run.state.name(),
        "reason": inspect_warp(frame, slot).why_text(),
        "since": run.start.0,
        "until": run.end.0,
        "pc": run.pc.0,
        "line": line_or_null(line),
        "instruction": text,
        "activeMask": frame.lanes_of(slot).0,
    }))
}

/// Line and text of an instruction.
fn instruction(frame: &Frame, pc: Pc) -> (u32, String) {
    frame.instruction(pc).map_or((0, String::new()), |instruction| {
        (instruction.span.line, instruction.text(frame.arch().id))
    })
}
