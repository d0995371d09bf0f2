//! The columns of a trace on the querying side. They grow by the segments of a recorder.

use super::accesses::AccessColumn;
use super::density::Density;
use super::issues::IssueColumn;
use super::levels::SlotLevels;
use super::recorder::{BarrierRelease, BlockSpan, Reconvergence};
use super::runs::RunColumn;
use super::tally::PcTally;
use super::wire::Opened;
use crate::ids::{Cycle, WarpId};
use crate::printf::Printed;
use crate::sim::WarpState;
use crate::sim::codec::Writer;

/// The columns of a trace.
#[derive(Clone, Debug, Default)]
pub(crate) struct Columns {
    pub(crate) runs: Vec<RunColumn>,
    /// The warps of each slot, each with its first cycle.
    pub(crate) warps: Vec<Vec<(Cycle, WarpId)>>,
    pub(crate) issues: IssueColumn,
    pub(crate) accesses: AccessColumn,
    pub(crate) blocks: Vec<BlockSpan>,
    pub(crate) barriers: Vec<BarrierRelease>,
    pub(crate) reconvergences: Vec<Reconvergence>,
    pub(crate) printed: Vec<Printed>,
    pub(crate) tallies: Vec<PcTally>,
    /// The first and last issue of each instruction.
    pub(crate) issue_spans: Vec<Option<(Cycle, Cycle)>>,
    pub(crate) density: Density,
    /// Scheduler-cycles with an issue.
    pub(crate) issue_cycles: u64,
    pub(crate) warps_launched: u64,
    /// The cycle up to which everything is counted.
    end: u32,
}

impl Columns {
    /// Creates the columns of a run before its first cycle.
    pub(crate) fn new(num_slots: usize, num_instructions: usize) -> Self {
        Self {
            runs: vec![RunColumn::default(); num_slots],
            warps: vec![Vec::new(); num_slots],
            tallies: vec![PcTally::default(); num_instructions],
            issue_spans: vec![None; num_instructions],
            ..Self::default()
        }
    }

    /// The size in bytes.
    pub(crate) fn num_bytes(&self) -> usize {
        self.runs.iter().map(RunColumn::num_bytes).sum::<usize>()
            + self.warps.iter().map(|warps| warps.len() * 16).sum::<usize>()
            + self.issues.num_bytes()
            + self.accesses.num_bytes()
            + self.blocks.len() * (size_of::<BlockSpan>() + 64)
            + self.barriers.len() * size_of::<BarrierRelease>()
            + self.reconvergences.len() * size_of::<Reconvergence>()
            + (self.printed.iter())
                .map(|printed| size_of::<Printed>() + printed.bytes.len())
                .sum::<usize>()
            + self.tallies.len() * (size_of::<PcTally>() + size_of::<Option<(Cycle, Cycle)>>())
            + self.density.num_bytes()
    }

    /// Releases the unused capacity of the vectors.
    pub(crate) fn shrink(&mut self) {
        for column in &mut self.runs {
            column.shrink();
        }
        self.issues.shrink();
        self.accesses.shrink();
    }

    /// Writes all columns. Equal runs have equal bytes, however they were appended.
    pub(crate) fn write(&self, to: &mut Writer) {
        for column in &self.runs {
            column.write(to);
        }
        self.issues.write(to);
        self.accesses.write(to);
        self.density.write(to);
        to.put(&self.warps);
        to.put(&self.blocks);
        to.put(&self.barriers);
        to.put(&self.reconvergences);
        if !self.printed.is_empty() {
            to.put(&self.printed);
        }
        to.put(&self.tallies);
        to.put(&self.issue_spans);
        to.put(&self.issue_cycles);
        to.put(&self.warps_launched);
    }

    /// Appends what a recorder flushed at cycle `end`, and derives the counts and the states of each slot in
    /// `levels`.
    pub(crate) fn append(&mut self, end: Cycle, from: &mut Opened, levels: &mut [SlotLevels]) {
        let head = &mut from.head;
        let (since, end) = (self.end, end.0 as u32);
        self.end = end;
        let mut density = self.density.rows(end);
        for (column, levels) in self.runs.iter_mut().zip(levels) {
            let mut count = |start: u32, stop: u32, state: WarpState, pc: u32| {
                let start = start.max(since);
                if start >= stop || stop > end {
                    return;
                }
                levels.push(state, stop);
                density.add(start, stop, state);
                if state != WarpState::Empty
                    && let Some(tally) = self.tallies.get_mut(pc as usize)
                {
                    tally.states[state as usize] += u64::from(stop - start);
                }
            };
            column.append(head, &mut from.runs, &mut count);
            let (state, pc): (WarpState, u32) = head.get();
            count(column.end(), end, state, pc);
            column.push_provisional(state, pc, end);
        }
        self.issues.append(head, from.issues, |row| {
            if row.dispatch == 0 {
                self.issue_cycles += 1;
                density.add_issue(row.cycle.0 as u32);
            }
            if let Some(tally) = self.tallies.get_mut(row.pc.0 as usize) {
                tally.issue(row);
            }
            if let Some(span) = self.issue_spans.get_mut(row.pc.0 as usize) {
                *span = Some((span.map_or(row.cycle, |(first, _)| first), row.cycle));
            }
        });
        self.density.append(&density);
        self.accesses.append(head, from.accesses, |row| {
            if let Some(tally) = self.tallies.get_mut(row.pc.0 as usize) {
                tally.access(row);
            }
        });
        for _ in 0..head.num(16) {
            let span: BlockSpan = head.get();
            let warps = span.slots.len() as u32;
            for (idx, slot) in span.slots.iter().enumerate() {
                if let Some(held) = self.warps.get_mut(usize::from(slot.0)) {
                    held.push((span.started, WarpId(span.block.0 * warps + idx as u32)));
                }
            }
            self.warps_launched += u64::from(warps);
            self.blocks.push(span);
        }
        for _ in 0..head.num(12) {
            let (idx, finished): (u32, Cycle) = head.get();
            match self.blocks.get_mut(idx as usize) {
                Some(span) => span.finished = Some(finished),
                None => head.damage(),
            }
        }
        self.barriers.append(&mut head.get());
        self.reconvergences.append(&mut head.get());
        self.printed.append(&mut head.get());
    }
}
