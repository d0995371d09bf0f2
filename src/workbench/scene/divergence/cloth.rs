//! Where the lanes of a warp were, row by row: from the record of its issues, and at the present
//! cycle from the machine.
//!
//! A lane that does not issue is where it issues next. That tells all lanes but those that wait at a
//! barrier of their warp or block: they are at the barrier's instruction until it lets them go, which
//! the record has, too.

use std::collections::BTreeMap;

use crate::scene::controls::LaneRows;
use engine::ids::{Cycle, LaneMask, Pc, SlotIdx};
use engine::isa::Op;
use engine::sim::WarpState;
use engine::sim::view::{LaneStatus, WarpView};
use engine::trace::{Direction, Frame, IssueRow};

/// Issues of the warp behind the last row that are looked through for where lanes go on.
const AHEAD: usize = 192;
/// Cycles behind the last row that are looked through.
const AHEAD_CYCLES: u64 = 20_000;
/// Issues of the warp before the first row that are looked through for where lanes stopped.
const BEHIND: usize = 64;

/// What a lane does in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// It has exited, or was never there.
    Gone,
    /// It issues this instruction.
    Issues(Pc),
    /// It is in the running group, which waits for its next issue.
    Next(Pc),
    /// It is elsewhere and waits.
    Waits(Pc, LaneStatus),
}

impl Place {
    /// The instruction it is at.
    pub(super) const fn pc(self) -> Option<Pc> {
        match self {
            Self::Gone => None,
            Self::Issues(pc) | Self::Next(pc) | Self::Waits(pc, _) => Some(pc),
        }
    }
}

/// A row of the cloth: an issue of the warp, or a cycle.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) cycle: Cycle,
    /// The instruction that the running group issues, or is at.
    pub(super) pc: Pc,
    pub(super) lanes: [Place; 32],
    /// Whether it sent its lanes both ways.
    pub(super) diverged: bool,
    /// Lanes that came together by it.
    pub(super) joined: LaneMask,
}

impl Row {
    /// Lanes that issue, or will next.
    pub(super) fn active(&self) -> LaneMask {
        self.lanes_where(|place| matches!(place, Place::Issues(_) | Place::Next(_)))
    }

    /// Lanes that have not exited.
    pub(super) fn live(&self) -> LaneMask {
        self.lanes_where(|place| place != Place::Gone)
    }

    fn lanes_where(&self, wanted: impl Fn(Place) -> bool) -> LaneMask {
        let bits = self.lanes.iter().zip(0..).filter(|(place, _)| wanted(**place));
        LaneMask(bits.fold(0, |set, (_, lane)| set | 1 << lane))
    }

    /// Lanes by what they do, those that issue first, then by their lowest lane.
    pub(super) fn groups(&self) -> Vec<(Place, LaneMask)> {
        let mut groups: Vec<(Place, LaneMask)> = Vec::new();
        for (place, lane) in self.lanes.iter().zip(0..) {
            match groups.iter_mut().find(|(of, _)| of == place) {
                Some((_, lanes)) => lanes.0 |= 1 << lane,
                None => groups.push((*place, LaneMask(1 << lane))),
            }
        }
        groups.retain(|(place, _)| *place != Place::Gone);
        groups.sort_by_key(|(place, _)| matches!(place, Place::Waits(..)));
        groups
    }
}

/// Rows around a cycle.
#[derive(Clone, Debug, Default)]
pub(super) struct Cloth {
    pub(super) rows: Vec<Row>,
    /// The row of the present cycle, or the last one before it.
    pub(super) now: Option<usize>,
}

/// What is known of a warp around the rows.
struct History<'f> {
    frame: &'f Frame<'f>,
    slot: SlotIdx,
    /// Issues before the rows, in them and after them.
    issues: Vec<IssueRow>,
    /// The warp at the end of the present cycle; none where it has retired.
    exact: Option<&'f WarpView>,
    /// Lanes that came together, by cycle.
    joins: BTreeMap<u64, u32>,
    /// Cycles in which a barrier of the block opened.
    opened: Vec<u64>,
}

impl Cloth {
    /// Of the warp in a slot: so many rows, of which those up to the present come first.
    pub(super) fn of(frame: &Frame, slot: SlotIdx, by: LaneRows, num: usize) -> Self {
        let record = frame.record();
        let Some((since, _)) = record.tenancy(slot, frame.cycle()) else {
            return Self::default();
        };
        let now = frame.cycle();
        // The slot's next warp ends this one's rows.
        let until = record
            .runs_from(slot, now)
            .find(|run| run.state == WarpState::Empty)
            .map_or(Cycle(record.num_cycles()), |run| run.start);
        let past = num * 3 / 4;
        let (cycles, now_row) = match by {
            LaneRows::Issues => {
                let mut before = issues_before(frame, slot, Cycle(now.0 + 1), since, num);
                let mut after = issues_after(frame, slot, now, until, num);
                let keep = before.len().min(past.max(num.saturating_sub(after.len())));
                before.drain(..before.len() - keep);
                after.truncate(num - keep);
                let now_row = before.len().checked_sub(1);
                before.extend(after);
                (before, now_row)
            }
            LaneRows::Cycles => {
                let last = until.0.max(since.0 + 1) - 1;
                let shown = (num as u64).min(last + 1 - since.0);
                let at = now.0.min(last);
                let first = at.saturating_sub(past as u64 - 1).max(since.0);
                let first = first.min(last + 1 - shown);
                let cycles = (first..first + shown).map(|cycle| blank(slot, Cycle(cycle)));
                (cycles.collect(), Some((at - first) as usize))
            }
        };
        let (Some(first), Some(last)) = (cycles.first(), cycles.last()) else {
            return Self::default();
        };
        let history = History::new(frame, slot, (first.cycle, last.cycle), (since, until));
        let rows = cycles.iter().map(|at| match by {
            LaneRows::Issues => history.row(at.cycle, Some(at)),
            LaneRows::Cycles => {
                let issue = history.issues.iter().find(|issue| issue.cycle == at.cycle);
                history.row(at.cycle, issue)
            }
        });
        Self {
            rows: rows.collect(),
            now: now_row,
        }
    }

    /// The row of a cycle, or the last one before it.
    pub(super) fn row_at(&self, cycle: Cycle) -> Option<&Row> {
        self.rows.iter().rev().find(|row| row.cycle <= cycle)
    }
}

/// A cycle without an issue.
const fn blank(slot: SlotIdx, cycle: Cycle) -> IssueRow {
    IssueRow {
        cycle,
        slot,
        scheduler: 0,
        dispatch: 0,
        pc: Pc(0),
        active: LaneMask::EMPTY,
        executed: LaneMask::EMPTY,
        diverged: false,
    }
}

/// The last issues of a slot in `since..end`, in order of time: cycles with an issue are found by the
/// slot's own states, however much the others issue between.
fn issues_before(frame: &Frame, slot: SlotIdx, end: Cycle, since: Cycle, num: usize) -> Vec<IssueRow> {
    let record = frame.record();
    let mut issues = Vec::new();
    let mut end = end;
    while issues.len() < num && end > since {
        let Some(run) = record.state_start(slot, end, Direction::Backward, &[WarpState::Selected]) else {
            break;
        };
        if run.end.0 <= since.0 {
            break;
        }
        for cycle in (run.start.0.max(since.0)..run.end.0.min(end.0)).rev() {
            let mut here: Vec<IssueRow> = record
                .issues_at(Cycle(cycle))
                .filter(|row| row.slot == slot)
                .collect();
            here.reverse();
            issues.extend(here);
            if issues.len() >= num {
                break;
            }
        }
        end = run.start;
    }
    issues.truncate(num);
    issues.reverse();
    issues
}

/// The first issues of a slot in `after + 1..until`.
fn issues_after(frame: &Frame, slot: SlotIdx, after: Cycle, until: Cycle, num: usize) -> Vec<IssueRow> {
    let record = frame.record();
    let mut issues = Vec::new();
    for run in record
        .runs_from(slot, Cycle(after.0 + 1))
        .take_while(|run| run.start < until)
        .filter(|run| run.state == WarpState::Selected)
    {
        for cycle in run.start.0.max(after.0 + 1)..run.end.0.min(until.0) {
            issues.extend(record.issues_at(Cycle(cycle)).filter(|row| row.slot == slot));
            if issues.len() >= num {
                issues.truncate(num);
                return issues;
            }
        }
    }
    issues
}

impl<'f> History<'f> {
    fn new(
        frame: &'f Frame<'f>,
        slot: SlotIdx,
        (first, last): (Cycle, Cycle),
        (since, until): (Cycle, Cycle),
    ) -> Self {
        let record = frame.record();
        let mut issues = issues_before(frame, slot, first, since, BEHIND);
        let start = issues.first().map_or(first, |issue| issue.cycle);
        if first > since {
            issues.extend(issues_after(
                frame,
                slot,
                Cycle(first.0 - 1),
                Cycle(last.0 + 1),
                usize::MAX,
            ));
        } else {
            let at_start = record.issues_at(first).filter(|row| row.slot == slot);
            issues.extend(at_start);
            issues.extend(issues_after(frame, slot, first, Cycle(last.0 + 1), usize::MAX));
        }
        let end = until.min(Cycle(last.0 + AHEAD_CYCLES));
        issues.extend(issues_after(frame, slot, last, end, AHEAD));
        let all = record.reconvergences();
        let from = all.partition_point(|join| join.cycle < start);
        let mut joins = BTreeMap::new();
        for join in all[from..].iter().take_while(|join| join.cycle <= end) {
            if join.slot == slot {
                *joins.entry(join.cycle.0).or_default() |= join.active.0;
            }
        }
        let block = record.block_at(slot, first);
        let releases = record.barrier_releases();
        let from = releases.partition_point(|release| release.cycle < start);
        let opened = releases[from..]
            .iter()
            .take_while(|release| release.cycle <= end)
            .filter(|release| Some(release.block) == block)
            .map(|release| release.cycle.0)
            .collect();
        Self {
            frame,
            slot,
            issues,
            exact: frame.snapshot().warps.iter().find(|view| view.slot == slot),
            joins,
            opened,
        }
    }

    fn op(&self, pc: Pc) -> Option<Op> {
        Some(self.frame.instruction(pc)?.op)
    }

    /// Whether the lane exits by an issue.
    fn exits(&self, issue: &IssueRow, lane: u32) -> bool {
        issue.executed.contains(lane) && matches!(self.op(issue.pc), Some(Op::Exit))
    }

    fn row(&self, cycle: Cycle, issue: Option<&IssueRow>) -> Row {
        // Of two issues in a cycle the second comes after the first.
        let at = |other: &IssueRow| (other.cycle, other.dispatch);
        let key = issue.map_or((cycle, 0), at);
        let split = self.issues.partition_point(|other| at(other) < key);
        let (before, from) = self.issues.split_at(split);
        let next = from.first();
        let running = issue.or(next).map_or(0, |issue| issue.active.0);
        let exact = self.exact.filter(|_| issue.is_none() && next.is_none());
        let pc = issue
            .or(next)
            .map(|issue| issue.pc)
            .or(exact.map(|view| view.pc))
            .or_else(|| Some(self.frame.record().run_at(self.slot, cycle)?.pc))
            .unwrap_or_default();
        let lanes = std::array::from_fn(|lane| {
            let lane = lane as u32;
            if let Some(issue) = issue.filter(|issue| issue.active.contains(lane)) {
                return Place::Issues(issue.pc);
            }
            self.place(lane, cycle, before, from, running)
        });
        let joined = issue
            .and_then(|issue| self.joins.get(&issue.cycle.0))
            .map_or(LaneMask::EMPTY, |lanes| LaneMask(*lanes));
        Row {
            cycle,
            pc,
            lanes,
            diverged: issue.is_some_and(|issue| issue.diverged),
            joined,
        }
    }

    /// Where a lane is that does not issue, by its issues before and from here on.
    fn place(&self, lane: u32, cycle: Cycle, before: &[IssueRow], from: &[IssueRow], running: u32) -> Place {
        let last = before.iter().rev().find(|issue| issue.active.contains(lane));
        let next = from.iter().find(|issue| issue.active.contains(lane));
        if last.is_some_and(|last| self.exits(last, lane)) {
            return Place::Gone;
        }
        // If nobody has issued since and it is the next, no convergence barrier held it.
        let goes_on = running >> lane & 1 == 1 && last == before.last();
        let of_block = |issue: &&IssueRow| matches!(self.op(issue.pc), Some(Op::Bar { .. }));
        let waits_at = last
            .filter(|last| !goes_on || of_block(last))
            .and_then(|last| Some((last.pc, self.stopped(last, lane, cycle)?)));
        if let Some((pc, status)) = waits_at {
            return Place::Waits(pc, status);
        }
        if let (None, Some(next)) = (last, next)
            && let Some(held) = self.held_long(next.pc, lane, cycle)
        {
            return held;
        }
        if let Some(next) = next {
            return if running >> lane & 1 == 1 {
                Place::Next(next.pc)
            } else {
                Place::Waits(next.pc, self.idle())
            };
        }
        // It does not issue any more as far as is known: what the machine says of now holds unless it
        // has issued since.
        let now = self.frame.cycle();
        let since_now = last.is_some_and(|last| last.cycle > now);
        match self.exact {
            Some(view) if !since_now => {
                let group = view.groups.iter().find(|group| group.lanes.contains(lane));
                group.map_or(Place::Gone, |group| {
                    if view.active.contains(lane) && group.status == LaneStatus::Running {
                        Place::Next(group.pc)
                    } else if group.status == LaneStatus::Running {
                        Place::Waits(group.pc, self.idle())
                    } else {
                        Place::Waits(group.pc, group.status)
                    }
                })
            }
            _ => last.map_or(Place::Gone, |last| Place::Waits(Pc(last.pc.0 + 1), self.idle())),
        }
    }

    /// Of a lane that has not issued for long: whether it is at a barrier, behind which it goes on.
    fn held_long(&self, next: Pc, lane: u32, cycle: Cycle) -> Option<Place> {
        let before = Pc(next.0.checked_sub(1)?);
        let status = match self.op(before)? {
            Op::Bsync { .. } => LaneStatus::Converging,
            Op::Bar { .. } if self.frame.arch().has_independent_threads() => LaneStatus::AtBarrier,
            _ => return None,
        };
        let mut joins = self.joins.range(..cycle.0);
        let is_free = joins.any(|(_, lanes)| lanes >> lane & 1 == 1);
        (!is_free).then_some(Place::Waits(before, status))
    }

    /// How a lane that is in no group of its own waits: on the stack, or for its turn.
    fn idle(&self) -> LaneStatus {
        if self.frame.arch().has_independent_threads() {
            LaneStatus::Running
        } else {
            LaneStatus::OnStack
        }
    }

    /// Whether the last instruction that a lane issued holds it until `cycle`, and as what.
    fn stopped(&self, last: &IssueRow, lane: u32, cycle: Cycle) -> Option<LaneStatus> {
        if !last.executed.contains(lane) {
            return None;
        }
        match self.op(last.pc)? {
            Op::Bsync { .. } => {
                let joined = self.joins.range(last.cycle.0..cycle.0);
                let is_free = joined.into_iter().any(|(_, lanes)| lanes >> lane & 1 == 1);
                (!is_free).then_some(LaneStatus::Converging)
            }
            Op::Bar { .. } => {
                let is_free = self
                    .opened
                    .iter()
                    .any(|opened| (last.cycle.0..cycle.0).contains(opened));
                (!is_free).then_some(LaneStatus::AtBarrier)
            }
            _ => None,
        }
    }
}
