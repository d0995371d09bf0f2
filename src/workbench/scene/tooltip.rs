//! What is said of the thing under the pointer: its name and state first, the reason second.

use super::inspector::inspect_warp;
use super::words::{counted, percent, request_name, thousands};
use super::{Mark, Target, ViewState, inspect_code};
use engine::ids::{Cycle, Pc, SlotIdx};
use engine::sim::WarpState;
use engine::trace::Frame;

/// Name and explanation of what a target stands for.
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
        Target::Mark(mark) => Some((mark.name().to_owned(), mark_sentence(mark).to_owned())),
        Target::Cycle(cycle) => Some((format!("Cycle {}", thousands(cycle)), use_around(frame, cycle))),
        Target::Lane(lane) => Some((format!("Lane {lane}"), String::new())),
        Target::Word(offset) => Some((
            format!("Word at byte 0x{offset:04x}"),
            format!("bank {}", frame.banks().bank(offset)),
        )),
        Target::Fetch(idx) => Some((format!("Fetch {idx}"), "bytes that move together".to_owned())),
        Target::Generation(_) => Some(("The same request".to_owned(), "on another generation".to_owned())),
        Target::Instruction(pc) => {
            let instruction = frame.instruction(Pc(pc))?;
            Some((
                instruction.text(frame.arch().id),
                frame.line_text(instruction.span.line),
            ))
        }
        Target::CodeLine(line) => Some(code_tip(frame, Some(line), None)),
        Target::CodePc(pc) => Some(code_tip(frame, None, Some(pc))),
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
            let back = match left {
                0 => "all of it has arrived".to_owned(),
                left => format!("back in {}", counted(left, "cycle")),
            };
            Some((
                format!("{} of W{:02}", request_name(row.kind), row.warp.0),
                format!("{size}; {back}"),
            ))
        }
        Target::Register { .. }
        | Target::Value { .. }
        | Target::Predicate { .. }
        | Target::SharedWord { .. }
        | Target::Parameter(_) => super::registers::value_tip(frame, target),
        _ => super::sm::part_tooltip(frame, target),
    }
}

/// Name and cost of a line or an instruction.
fn code_tip(frame: &Frame, line: Option<u32>, pc: Option<u32>) -> (String, String) {
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

/// What the states under a mark have in common.
const fn mark_sentence(mark: Mark) -> &'static str {
    match mark {
        Mark::Issue => "issues an instruction in this cycle",
        Mark::Eligible => "could issue, but the scheduler chose another warp",
        Mark::Wait => "a fixed number of cycles must pass",
        Mark::Short => "waits for shared memory or the special function unit",
        Mark::Long => "waits for global or local memory",
        Mark::Throttle => "the queue or pipe it needs is full",
        Mark::Barrier => "waits for the other warps of its block, or at a fence",
        Mark::Branch => "the target of a branch is not known yet",
        Mark::Other => "no instruction, asleep, or draining",
        Mark::Idle => "no warp in this slot",
    }
}

/// Use of the machine around a cycle, as the strip shows it.
fn use_around(frame: &Frame, cycle: u64) -> String {
    match use_at(frame, cycle) {
        None => String::new(),
        Some((used, None)) => format!("{used} of issue slots used"),
        Some((used, Some(state))) => format!("{used} of issue slots used; most others: {}", state.name()),
    }
}

/// The share of the issue slots that is used around a cycle, as a pixel of a strip shows it, and the
/// state in which most of the other warps are.
pub fn use_at(frame: &Frame, cycle: u64) -> Option<(String, Option<WarpState>)> {
    let record = frame.record();
    let width = (record.num_cycles() / 700).max(1);
    let columns = record.density(Cycle(cycle), Cycle(cycle + width), 1);
    let column = columns.first().copied()?;
    let slots = record.issue_slots(column.end.0 - column.start.0).max(1);
    let used = percent(column.issue_cycles.min(slots), slots);
    let waits = WarpState::ALL[2..]
        .iter()
        .max_by_key(|state| column.states[**state as usize]);
    let waits = waits.filter(|state| column.states[**state as usize] > 0);
    Some((used, waits.copied()))
}
