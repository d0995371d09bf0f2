//! The tooltip of the object under the pointer: name and state first, then the reason.

use super::inspector::inspect_warp;
use super::{Mark, Target, ViewState, inspect_code};
use crate::words::{counted, percent, request_name, thousands};
use engine::ids::{Cycle, Pc, SlotIdx};
use engine::sim::WarpState;
use engine::trace::Frame;

/// Name and explanation of a target.
pub fn tooltip(frame: &Frame, target: Target) -> Option<(String, String)> {
    match target {
        Target::Warp { slot } => {
            let slot = SlotIdx(slot);
            let seen = inspect_warp(frame, slot);
            let state = seen.state.as_ref().map_or("", |(_, name)| name.as_str());
            Some((format!("{}  {state}", frame.warp_name(slot)), seen.why_text()))
        }
        Target::WarpAt { slot, cycle } => {
            let slot = SlotIdx(slot);
            let run = frame.record().run_at(slot, Cycle(cycle))?;
            let at = frame.trace().frame(Cycle(cycle));
            let name = at.warp_name(slot);
            let span = if run.cycles() == 1 {
                format!("cycle {}", thousands(run.start.0))
            } else {
                format!(
                    "cycles {} to {}",
                    thousands(run.start.0),
                    thousands(run.end.0 - 1)
                )
            };
            Some((
                format!("{name}  {}", run.state.name()),
                format!("{span}, {}", frame.mnemonic(run.pc)),
            ))
        }
        Target::Mark(mark) => Some((mark.name().to_owned(), mark_meaning(mark).to_owned())),
        Target::Cycle(cycle) => Some((
            format!("Cycle {}", thousands(cycle)),
            utilization_around(frame, cycle),
        )),
        Target::Lane(lane) => Some((format!("Lane {lane}"), String::new())),
        Target::Word(offset) => Some((
            format!("Word at byte 0x{offset:04x}"),
            format!("bank {}", frame.banks().bank(offset)),
        )),
        Target::Fetch(idx) => Some((format!("Fetch {idx}"), "bytes of one transaction".to_owned())),
        Target::Generation(_) => Some(("Same request".to_owned(), "on another generation".to_owned())),
        Target::Instruction(pc) => {
            let instruction = frame.instruction(Pc(pc))?;
            Some((
                instruction.text(frame.arch().id),
                frame.line_text(instruction.span.line),
            ))
        }
        Target::CodeLine(line) => Some(code_tooltip(frame, Some(line), None)),
        Target::CodePc(pc) => Some(code_tooltip(frame, None, Some(pc))),
        Target::Carveout(kib) => super::carveout_tooltip(frame, kib, &[]),
        Target::CacheLine { .. } | Target::HitColumn(_) => {
            super::caches_tooltip(frame, &ViewState::default(), target)
        }
        Target::LaneAt { .. } => super::divergence::divergence_tooltip(frame, target),
        Target::Access(idx) => {
            let row = frame.record().access(idx)?;
            let left = row.done.0.saturating_sub(frame.cycle().0);
            let size = if row.kind.is_shared() {
                counted(row.wavefronts.into(), "wavefront")
            } else {
                counted(row.sectors.into(), "sector")
            };
            let completion = match left {
                0 => "complete".to_owned(),
                left => format!("complete in {}", counted(left, "cycle")),
            };
            Some((
                format!("{} of W{:02}", request_name(row.kind), row.warp.0),
                format!("{size}; {completion}"),
            ))
        }
        Target::Register { .. }
        | Target::Value { .. }
        | Target::Predicate { .. }
        | Target::SharedWord { .. }
        | Target::Parameter(_) => super::registers::value_tooltip(frame, target),
        _ => super::sm::part_tooltip(frame, target),
    }
}

/// Name and cost of a line or an instruction.
fn code_tooltip(frame: &Frame, line: Option<u32>, pc: Option<u32>) -> (String, String) {
    let view = ViewState {
        line,
        pc,
        ..ViewState::default()
    };
    inspect_code(frame, &view).map_or_else(Default::default, |seen| {
        let name = match &seen.code {
            Some(code) if pc.is_some() => format!("{}  {}", code.text, seen.place),
            _ => format!("{}  {}", seen.title, seen.place),
        };
        (name, seen.why_text())
    })
}

/// What the warp states of a mark have in common.
const fn mark_meaning(mark: Mark) -> &'static str {
    match mark {
        Mark::Issue => "the warp issues an instruction in this cycle",
        Mark::Eligible => "the warp is eligible, but the scheduler selected another warp",
        Mark::Wait => "the warp stalls on a fixed latency",
        Mark::Short => "the warp stalls on an MIO result, such as shared memory or the XU",
        Mark::Long => "the warp stalls on global or local memory",
        Mark::Throttle => "the pipe or queue that the warp needs is busy or full",
        Mark::Barrier => "the warp stalls at a barrier or at a memory fence",
        Mark::Branch => "the warp stalls until its branch target is resolved",
        Mark::Other => "no instruction, constant miss, asleep, draining, or another reason",
        Mark::Idle => "the slot holds no warp",
    }
}

/// Issue-slot utilization around a cycle, as the strip shows it.
fn utilization_around(frame: &Frame, cycle: u64) -> String {
    match use_at(frame, cycle) {
        None => String::new(),
        Some((used, None)) => format!("{used} of issue slots used"),
        Some((used, Some(state))) => format!("{used} of issue slots used; top stall: {}", state.name()),
    }
}

/// Share of issue slots used around a cycle, over the cycles of one strip pixel, and the most frequent
/// state of the warps that do not issue.
pub fn use_at(frame: &Frame, cycle: u64) -> Option<(String, Option<WarpState>)> {
    let record = frame.record();
    let width = (record.num_cycles() / 700).max(1);
    let columns = record.density(Cycle(cycle), Cycle(cycle + width), 1);
    let column = columns.first().copied()?;
    let slots = record.issue_slots(column.end.0 - column.start.0).max(1);
    let used = percent(column.issue_cycles.min(slots), slots);
    let largest = WarpState::ALL[2..]
        .iter()
        .max_by_key(|state| column.states[**state as usize]);
    let largest = largest.filter(|state| column.states[**state as usize] > 0);
    Some((used, largest.copied()))
}
