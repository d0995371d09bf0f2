//! The memory request that a view shows, and steps from one request to another.

use super::{RequestStep, ViewState};
use engine::ids::Cycle;
use engine::sim::RequestKind;
use engine::trace::{AccessFamily, AccessRow, Frame, Record};

/// Index of the request that a view of this family shows: the chosen request, else the request that
/// started last, else the next request. Reads of one constant for all lanes, such as reads of parameters, have nothing
/// to show: other requests go first.
pub fn shown_request(frame: &Frame, view: &ViewState, family: AccessFamily) -> Option<u32> {
    let record = frame.record();
    let of_family = |idx: &u32| {
        record
            .access(*idx)
            .is_some_and(|row| AccessFamily::of(row.kind) == family)
    };
    view.access.filter(of_family).or_else(|| {
        let order = record.accesses_of(family);
        let latest = record.access_before(family, frame.cycle());
        let num_started = latest
            .and_then(|idx| record.access_place(idx))
            .map_or(0, |place| place + 1);
        let (started, ahead) = order.split_at_checked(num_started)?;
        let shows = |idx: &&u32| record.access(**idx).is_some_and(|row| !is_one_constant(&row));
        let of_run = || {
            started
                .iter()
                .rev()
                .find(shows)
                .or_else(|| ahead.iter().find(shows))
        };
        of_run()
            .or_else(|| started.last().or_else(|| ahead.first()))
            .copied()
    })
}

/// Whether a run has a request of this family that a view shows before others.
pub fn has_request(record: &Record, family: AccessFamily) -> bool {
    let shows = |idx: &u32| record.access(*idx).is_some_and(|row| !is_one_constant(&row));
    record.accesses_of(family).iter().any(shows)
}

/// Whether all lanes read the same constant.
fn is_one_constant(row: &AccessRow) -> bool {
    row.kind == RequestKind::ConstantLoad && row.requests <= 1
}

/// The target of a step from the shown request: a request's index, and the cycle in which its unit accepts
/// the request.
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
    // Before the first request starts, the shown request is also the next one.
    let is_ahead = row.started > frame.cycle() && view.access.is_none();
    let found = match step {
        RequestStep::Previous => order[..place].last().copied(),
        RequestStep::Next if is_ahead => Some(shown),
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

/// Source line of a request; 0 if it has none.
pub(super) fn line(frame: &Frame, row: &AccessRow) -> u32 {
    frame
        .instruction(row.pc)
        .map_or(0, |instruction| instruction.span.line)
}

/// `12 of 384`: the position of a request among the requests of its family, in order of start.
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
