//! Which memory request a view shows, and how a reader goes from one to the next.

use super::{RequestStep, ViewState};
use engine::ids::Cycle;
use engine::trace::{AccessFamily, AccessRow, Frame, Record};

/// The request of a family that a view shows: the chosen one, else the one that started last, else
/// the next. Its index.
pub fn shown_request(frame: &Frame, view: &ViewState, family: AccessFamily) -> Option<u32> {
    let record = frame.record();
    let of_family = |idx: &u32| {
        record
            .access(*idx)
            .is_some_and(|row| AccessFamily::of(row.kind) == family)
    };
    view.access
        .filter(of_family)
        .or_else(|| record.access_before(family, frame.cycle()))
        .or_else(|| record.access_after(family, frame.cycle()))
}

/// Where a step from the shown request leads: a request, and the cycle in which its unit takes it.
pub fn step_request(
    frame: &Frame,
    view: &ViewState,
    family: AccessFamily,
    step: RequestStep,
) -> Option<(u32, Cycle)> {
    let record = frame.record();
    let shown = shown_request(frame, view, family)?;
    let row = record.access(shown)?;
    let order = record.accesses_of(family);
    let place = record.access_place(shown)?;
    // While the first request is still to come, it is the next one.
    let to_come = row.started > frame.cycle() && view.access.is_none();
    let found = match step {
        RequestStep::Previous => order[..place].last().copied(),
        RequestStep::Next if to_come => Some(shown),
        RequestStep::Next => order.get(place + 1).copied(),
        RequestStep::FirstOfWarp => first(record, order, |other| other.warp == row.warp),
        RequestStep::FirstOfLine => first(record, order, |other| line(frame, other) == line(frame, &row)),
    }?;
    Some((found, record.access(found)?.started))
}

fn first(record: &Record, order: &[u32], wanted: impl Fn(&AccessRow) -> bool) -> Option<u32> {
    order
        .iter()
        .copied()
        .find(|idx| record.access(*idx).is_some_and(|row| wanted(&row)))
}

/// Source line of a request; 0 where it has none.
pub(super) fn line(frame: &Frame, row: &AccessRow) -> u32 {
    frame
        .instruction(row.pc)
        .map_or(0, |instruction| instruction.span.line)
}

/// `12 of 384`: which of its family's requests one is, in order of start.
pub(super) fn ordinal(frame: &Frame, idx: u32) -> Option<String> {
    let record = frame.record();
    let row = record.access(idx)?;
    let num = record.accesses_of(AccessFamily::of(row.kind)).len() as u64;
    let place = record.access_place(idx)? as u64 + 1;
    Some(format!(
        "{} of {}",
        super::thousands(place),
        super::thousands(num)
    ))
}
