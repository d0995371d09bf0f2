//! The position of a warp's lanes, row by row: from the record of its issues, and at the current cycle from the
//! machine.
//!
//! A lane that does not issue is at its next issue. The exception is a lane at a barrier of its warp or block: it
//! is at the barrier's instruction until the barrier releases it, which the record contains, too.

use std::collections::BTreeMap;

use crate::scene::controls::LaneRows;
use engine::ids::{Cycle, LaneMask, Pc, SlotIdx};
use engine::isa::Op;
use engine::sim::WarpState;
use engine::sim::view::{LaneStatus, WarpView};
use engine::trace::{Direction, Frame, IssueRow};

/// Issues of the warp after the last row to search for the lanes' next positions.
const AHEAD: usize = 192;
/// Cycles after the last row to search.
const AHEAD_CYCLES: u64 = 20_000;
/// Issues of the warp before the first row to search for the lanes' last positions.
const BEHIND: usize = 64;

/// The place of a lane in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// Exited, or without a thread.
    Gone,
    /// Issues this instruction.
    Issues(Pc),
    /// In the running group, before its next issue.
    Next(Pc),
    /// Waits at another instruction.
    Waits(Pc, LaneStatus),
}

impl Place {
    /// The lane's instruction.
    pub(super) const fn pc(self) -> Option<Pc> {
        match self {
            Self::Gone => None,
            Self::Issues(pc) | Self::Next(pc) | Self::Waits(pc, _) => Some(pc),
        }
    }
}

/// A row of the lane history: an issue of the warp, or a cycle.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) cycle: Cycle,
    /// The instruction of the running group.
    pub(super) pc: Pc,
    pub(super) lanes: [Place; 32],
    /// Whether the instruction is a divergent branch.
    pub(super) diverged: bool,
    /// Lanes that reconverged at the instruction.
    pub(super) joined: LaneMask,
}

impl Row {
    /// Lanes of the running group.
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

    /// Lanes grouped by place: the running group first, then by lowest lane.
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

/// The rows of a lane history around a cycle.
#[derive(Clone, Debug, Default)]
pub(super) struct LaneHistory {
    pub(super) rows: Vec<Row>,
    /// Index of the row of the current cycle, or of the last row before it.
    pub(super) now: Option<usize>,
}

/// The warp's issues and events around the rows.
struct IssueWindow<'f> {
    frame: &'f Frame<'f>,
    slot: SlotIdx,
    /// Issues before, within, and after the rows.
    issues: Vec<IssueRow>,
    /// The warp at the end of the current cycle; `None` if it has retired.
    exact: Option<&'f WarpView>,
    /// Lanes that reconverged, by cycle.
    joins: BTreeMap<u64, u32>,
    /// Cycles in which a barrier of the block released its warps.
    opened: Vec<u64>,
}

impl LaneHistory {
    /// The history of the warp in a slot, with at most `num` rows; rows up to the current cycle have priority.
    pub(super) fn of(frame: &Frame, slot: SlotIdx, by: LaneRows, num: usize) -> Self {
        let record = frame.record();
        let Some((since, _)) = record.tenancy(slot, frame.cycle()) else {
            return Self::default();
        };
        let now = frame.cycle();
        // The rows end where the slot's next warp begins.
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
        let window = IssueWindow::new(frame, slot, (first.cycle, last.cycle), (since, until));
        let rows = cycles.iter().map(|at| match by {
            LaneRows::Issues => window.row(at.cycle, Some(at)),
            LaneRows::Cycles => {
                let issue = window.issues.iter().find(|issue| issue.cycle == at.cycle);
                window.row(at.cycle, issue)
            }
        });
        Self {
            rows: rows.collect(),
            now: now_row,
        }
    }

    /// The row of a cycle, or the last row before it.
    pub(super) fn row_at(&self, cycle: Cycle) -> Option<&Row> {
        self.rows.iter().rev().find(|row| row.cycle <= cycle)
    }
}

/// An issue row for a cycle without an issue.
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

/// The last issues of a slot in `since..end`, in order of time. The slot's states locate the cycles with an issue,
/// so that the cost does not depend on other slots.
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

impl<'f> IssueWindow<'f> {
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

    /// Whether an issue makes the lane exit.
    fn exits(&self, issue: &IssueRow, lane: u32) -> bool {
        issue.executed.contains(lane) && matches!(self.op(issue.pc), Some(Op::Exit))
    }

    fn row(&self, cycle: Cycle, issue: Option<&IssueRow>) -> Row {
        // A dual issue has two issues in a cycle; the second follows the first.
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

    /// The place of a lane that does not issue, from its earlier and later issues.
    fn place(&self, lane: u32, cycle: Cycle, before: &[IssueRow], from: &[IssueRow], running: u32) -> Place {
        let last = before.iter().rev().find(|issue| issue.active.contains(lane));
        let next = from.iter().find(|issue| issue.active.contains(lane));
        if last.is_some_and(|last| self.exits(last, lane)) {
            return Place::Gone;
        }
        // If no lane has issued since and this lane is next, no convergence barrier held it.
        let goes_on = running >> lane & 1 == 1 && last == before.last();
        let of_block = |issue: &&IssueRow| matches!(self.op(issue.pc), Some(Op::Bar { .. }));
        let waits_at = last
            .filter(|last| !goes_on || of_block(last))
            .and_then(|last| Some((last.pc, self.barrier_status(last, lane, cycle)?)));
        if let Some((pc, status)) = waits_at {
            return Place::Waits(pc, status);
        }
        if let (None, Some(next)) = (last, next)
            && let Some(held) = self.long_wait(next.pc, lane, cycle)
        {
            return held;
        }
        if let Some(next) = next {
            return if running >> lane & 1 == 1 {
                Place::Next(next.pc)
            } else {
                Place::Waits(next.pc, self.idle_status())
            };
        }
        // The record has no later issue of the lane: the machine's current state holds unless the lane
        // has issued since then.
        let now = self.frame.cycle();
        let since_now = last.is_some_and(|last| last.cycle > now);
        match self.exact {
            Some(view) if !since_now => {
                let group = view.groups.iter().find(|group| group.lanes.contains(lane));
                group.map_or(Place::Gone, |group| {
                    if view.active.contains(lane) && group.status == LaneStatus::Running {
                        Place::Next(group.pc)
                    } else if group.status == LaneStatus::Running {
                        Place::Waits(group.pc, self.idle_status())
                    } else {
                        Place::Waits(group.pc, group.status)
                    }
                })
            }
            _ => last.map_or(Place::Gone, |last| {
                Place::Waits(Pc(last.pc.0 + 1), self.idle_status())
            }),
        }
    }

    /// The place of a lane that has not issued for long, if it waits at a barrier before its next instruction.
    fn long_wait(&self, next: Pc, lane: u32, cycle: Cycle) -> Option<Place> {
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

    /// The status of a waiting lane without a group of its own: on the stack, or ready to run.
    fn idle_status(&self) -> LaneStatus {
        if self.frame.arch().has_independent_threads() {
            LaneStatus::Running
        } else {
            LaneStatus::OnStack
        }
    }

    /// The barrier status in which the lane's last instruction holds the lane until `cycle`, if it does.
    fn barrier_status(&self, last: &IssueRow, lane: u32, cycle: Cycle) -> Option<LaneStatus> {
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
