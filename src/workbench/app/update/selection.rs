//! Selections by clicks on the picture, and by keys.

use std::cmp::Reverse;

use super::layout::show;
use super::*;
use crate::playground::Swizzle;
use crate::scene::{CodePart, Part};
use engine::ids::{Cycle, SlotIdx};
use engine::trace::{AccessFamily, AccessRow};

/// Applies a click on a target of the picture.
pub(super) fn select(session: &mut Session, target: Target) -> Vec<Effect> {
    match target {
        Target::Warp { slot } => select_slot(session, SlotIdx(slot)),
        Target::WarpAt { slot, cycle } => {
            select_slot(session, SlotIdx(slot));
            session.hold_timeline();
            return update(session, Event::Seek(cycle));
        }
        Target::LaneAt { slot, lane, cycle } => {
            session.ui.state.slot = Some(SlotIdx(slot));
            return select_lane_at(session, lane, cycle);
        }
        Target::Cycle(cycle) => {
            session.hold_timeline();
            return update(session, Event::Seek(cycle));
        }
        Target::Register { reg, .. } => {
            session.ui.state.register = other_than(session.ui.state.register, reg);
        }
        Target::Value { reg, lane, .. } => {
            let both = (session.ui.state.register, session.ui.state.lane) == (Some(reg), Some(lane));
            session.ui.state.register = (!both).then_some(reg);
            session.ui.state.lane = (!both).then_some(lane);
        }
        Target::Predicate { lane, .. } => session.ui.state.lane = other_than(session.ui.state.lane, lane),
        Target::SharedWord { offset, .. } => {
            session.ui.state.word = other_than(session.ui.state.word, offset);
        }
        Target::Wavefront(pass) => session.ui.state.wavefront = Some(pass),
        Target::Lane(lane) => {
            session.ui.state.lane = other_than(session.ui.state.lane, lane);
        }
        Target::Access(access) => select_access(session, access),
        Target::Combination(idx) => return session.take_combination(idx.into()),
        Target::Finding(idx) => session.choose_advice(idx.into()),
        Target::OpenFinding(idx) => {
            session.point_at_advice(idx.into());
            return show(session, View::Findings);
        }
        Target::ShowFinding(idx) => return show_finding(session, idx.into()),
        Target::ApplyChange(idx) => return session.apply_change(idx.into()),
        Target::CacheLine { set, way } => {
            let settings = &mut session.ui.state.settings;
            settings.cache_line = other_than(settings.cache_line, (set, way));
        }
        Target::HitColumn(cycle) => {
            return update(session, Event::Seek(cycle));
        }
        Target::HostCall(op) => {
            let settings = &mut session.ui.state.settings.streams;
            settings.op = other_than(settings.op, op);
        }
        Target::DeviceSm(sm) => {
            let settings = &mut session.ui.state.settings;
            settings.sm = other_than(settings.sm, sm);
        }
        Target::TensorFactor { .. } => {
            let holder = session.shown().holder(target);
            if let Some(lane) = holder {
                session.ui.state.lane = other_than(session.ui.state.lane, lane);
            }
        }
        Target::TensorSum { row, column } => {
            let settings = &mut session.ui.state.settings;
            settings.sum = other_than(settings.sum, (row, column));
        }
        Target::PlotPoint(point) => {
            let plot = &mut session.ui.state.settings.plot;
            plot.point = other_than(plot.point, point);
        }
        Target::Mark(mark) => {
            session.ui.state.filter = other_than(session.ui.state.filter, mark);
        }
        Target::CodeLine(line) => {
            let again = session.ui.state.line == Some(line) && session.ui.state.pc.is_none();
            choose_code(session, (!again).then_some(line), None);
        }
        Target::CodePc(pc) => {
            let again = session.ui.state.pc == Some(pc);
            choose_code(session, None, (!again).then_some(pc));
        }
        Target::Line(line) => return session.focus_line(line),
        Target::Instruction(pc) => {
            let line = session.derived().line_of(pc);
            return line.map_or_else(Vec::new, |line| session.focus_line(line));
        }
        Target::Side(idx) => session.choose_side(idx.into()),
        // The chip of the run stays; the second chip is another one.
        Target::Arch(arch) if session.active_view() == View::Arithmetic => {
            if arch != session.arch().id {
                session.ui.state.settings.beside = Some(arch);
            }
        }
        Target::Arch(arch) => return update(session, Event::Arch(arch)),
        Target::Swizzle => return session.take_layout(0, Swizzle::Xor),
        Target::Padding(pad) if session.shown_playground().is_some() => {
            return session.take_layout(pad.into(), Swizzle::None);
        }
        Target::Padding(words) => return pad(session, words),
        // A GPU without a configurable carveout keeps its split.
        Target::Cause(idx) => session.choose_cause(idx),
        Target::MeasureCause => return update(session, Event::Choose(Choice::MeasureCause)),
        Target::Carveout(kib) if session.arch().occupancy.carveouts_kib.value.len() > 1 => {
            return session.change(|setup| setup.machine.carveout_kib = Some(kib.into()));
        }
        Target::Scheduler(_) | Target::Pipe { .. } | Target::SharedBlock(_) => {
            let settings = &mut session.ui.state.settings;
            if let Some(part) = Part::of(target) {
                settings.part = other_than(settings.part, part);
            }
        }
        Target::Queue { .. }
        | Target::Registers { .. }
        | Target::Bank(_)
        | Target::Word(_)
        | Target::Fetch(_)
        | Target::Generation(_)
        | Target::L1Line(_)
        | Target::Parameter(_)
        | Target::Carveout(_)
        | Target::Counter(_)
        | Target::MemoryLevel(_) => {}
    }
    vec![Effect::ReplaceLink]
}

/// Selects a warp slot.
fn select_slot(session: &mut Session, slot: SlotIdx) {
    session.ui.state.slot = Some(slot);
    session.ui.state.settings.part = None;
    session.leave_range();
}

/// Selects or deselects a lane in the current cycle. In another cycle, selects the lane and shows that cycle.
fn select_lane_at(session: &mut Session, lane: u8, cycle: u64) -> Vec<Effect> {
    if cycle == session.cycle() {
        session.ui.state.lane = other_than(session.ui.state.lane, lane);
        return vec![Effect::ReplaceLink];
    }
    session.ui.state.lane = Some(lane);
    update(session, Event::Seek(cycle))
}

/// Selects a request; in the Timeline also its warp and its cycle.
fn select_access(session: &mut Session, access: u32) {
    let row = session.derived().trace().and_then(|trace| trace.access(access));
    if session.active_view() == View::Timeline
        && let Some(row) = row
    {
        select_slot(session, row.slot);
        session.hold_timeline();
        update(session, Event::Seek(row.issued.0));
    }
    session.ui.state.access = Some(access);
    session.ui.state.wavefront = None;
}

/// Shows the view that the note of the library's kernel names, at the request or the branch that shows it best.
pub(super) fn follow_note(session: &mut Session) -> Vec<Effect> {
    let Some(view) = session.note_view() else {
        return Vec::new();
    };
    let mut effects = show(session, view);
    let Some(trace) = session.derived().trace() else {
        return effects;
    };
    let worst = |family: AccessFamily, excess: fn(&AccessRow) -> u32| {
        let rows = trace.accesses_of(family).iter();
        let rows = rows.filter_map(|idx| Some((*idx, trace.access(*idx)?)));
        // The first of equal ones.
        rows.min_by_key(|(_, row)| Reverse(excess(row)))
    };
    let found = match view {
        View::Banks => worst(AccessFamily::Shared, |row| {
            u32::from(row.wavefronts.saturating_sub(row.ideal_wavefronts))
        }),
        View::Coalescing => worst(AccessFamily::Global, |row| u32::from(row.sectors)),
        _ => None,
    };
    let (cycle, slot) = match (view, found) {
        (_, Some((_, row))) => (row.started.0, row.slot),
        (View::Divergence, None) => {
            let Some(issue) = trace.issues_from(Cycle(0)).find(|issue| issue.diverged) else {
                return effects;
            };
            (issue.cycle.0, issue.slot)
        }
        _ => return effects,
    };
    let access = found.map(|(access, _)| access);
    select_slot(session, slot);
    effects.extend(session.show_cycle(cycle));
    session.ui.state.access = access;
    session.ui.state.wavefront = None;
    effects
}

/// Shows a finding of the run in its view, where it is worst.
fn show_finding(session: &mut Session, idx: usize) -> Vec<Effect> {
    let Some(finding) = session.advice().and_then(|advice| advice.findings.get(idx)) else {
        return Vec::new();
    };
    let (view, access, worst, line) = (finding.view, finding.access, finding.worst, finding.line());
    session.point_at_advice(idx);
    let mut effects = show(session, view);
    if let Some((cycle, slot)) = worst {
        select_slot(session, SlotIdx(slot));
        effects.extend(session.show_cycle(cycle));
    }
    if view == View::Source {
        choose_code(session, line, None);
    }
    session.ui.state.access = access;
    session.ui.state.wavefront = None;
    effects
}

/// Selects the neighbor of what the active view selects: a finding, a line of code, or a warp.
pub(super) fn select_beside(session: &mut Session, step: i32) -> Vec<Effect> {
    match session.active_view() {
        View::Checks => session.choose_finding_beside(step),
        View::Findings => {
            session.choose_advice_beside(step);
            vec![Effect::ReplaceLink]
        }
        View::Source => {
            choose_beside(session, step);
            vec![Effect::ReplaceLink]
        }
        _ => {
            let slot = session.derived().slot_beside(session.slot(), step);
            select(session, Target::Warp { slot })
        }
    }
}

/// The selection after a click: a second click on the same item deselects it.
fn other_than<T: PartialEq>(selected: Option<T>, clicked: T) -> Option<T> {
    (selected.as_ref() != Some(&clicked)).then_some(clicked)
}

/// Selects a line or an instruction; any other pane with code scrolls to the selection.
fn choose_code(session: &mut Session, line: Option<u32>, pc: Option<u32>) {
    let view = &mut session.ui.state;
    (view.line, view.pc) = (line, pc);
    view.follows_warp = false;
    if line.is_some() {
        view.top_pc = None;
    }
    if pc.is_some() {
        view.top_line = None;
    }
}

/// Selects the line or the instruction this many rows below the selected one.
fn choose_beside(session: &mut Session, step: i32) {
    let Some(trace) = session.derived().trace() else {
        return;
    };
    let code = &trace.program().code;
    let slot = SlotIdx(session.slot());
    let current = trace.run_at(slot, Cycle(session.cycle())).map(|run| run.pc.0);
    let last = code.len().saturating_sub(1) as u32;
    let view = &session.view_state();
    let instructions = view.settings.code == CodePart::Instructions;
    let (mut line, mut pc) = (None, None);
    if view.pc.is_some() || instructions {
        let now = view.pc.or(current);
        pc = Some(now.map_or(0, |now| now.saturating_add_signed(step).min(last)));
    } else {
        // Lines with code, followed by the code without a line.
        let mut lines: Vec<u32> = code.iter().map(|instruction| instruction.span.line).collect();
        lines.sort_by_key(|line| line.wrapping_sub(1));
        lines.dedup();
        let at_current = current.and_then(|pc| Some(code.get(pc as usize)?.span.line));
        let now = view.line.or(at_current).unwrap_or(1).wrapping_sub(1);
        let at = lines.partition_point(|line| line.wrapping_sub(1) < now);
        let exact = lines.get(at).is_some_and(|line| line.wrapping_sub(1) == now);
        let at = at as i32 + if step > 0 && !exact { step - 1 } else { step };
        line = lines
            .get(at.clamp(0, lines.len().saturating_sub(1) as i32) as usize)
            .copied();
    }
    (session.ui.state.top_line, session.ui.state.top_pc) = (None, None);
    choose_code(session, line, pc);
}

/// Pads the rows of the shared-memory tile that the Banks view shows.
fn pad(session: &mut Session, words: u8) -> Vec<Effect> {
    if let Some(text) = session.padded(words) {
        session.side_mut().text = text;
        text::compile(session)
    } else {
        session.say("This array has no rows to pad.");
        Vec::new()
    }
}
