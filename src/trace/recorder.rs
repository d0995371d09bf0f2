//! Listens to a machine and packs what it hears.

use super::accesses::AccessColumn;
use super::density::{Density, DensityBuilder, SlotDensity};
use super::issues::{IssueColumn, IssueRow};
use super::runs::RunColumn;
use super::tally::PcTally;
use crate::ids::{BlockId, Cycle, LaneMask, Pc, SlotIdx, WarpId};
use crate::sim::{Access, Issue, Sink, WarpState};

/// A block's stay on the SM.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockSpan {
    /// The block.
    pub block: BlockId,
    /// Its warps' slots, in order of the warps.
    pub slots: Vec<SlotIdx>,
    /// When it became resident.
    pub started: Cycle,
    /// When it finished, if it did.
    pub finished: Option<Cycle>,
}

/// A barrier of a block opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BarrierRelease {
    /// When.
    pub cycle: Cycle,
    /// Of which block.
    pub block: BlockId,
    /// Barrier index.
    pub barrier: u8,
}

/// Diverged lanes of a warp came together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reconvergence {
    /// When.
    pub cycle: Cycle,
    /// The warp's slot.
    pub slot: SlotIdx,
    /// Where.
    pub pc: Pc,
    /// The lanes that go on.
    pub active: LaneMask,
}

/// The run of a slot that is not yet over.
#[derive(Clone, Copy, Debug, Default)]
struct Open {
    start: u32,
    state: WarpState,
    pc: u32,
    /// The cycle whose issue the pc belongs to, plus one; 0 for none.
    issued: u32,
}

/// The columns of a trace as they grow.
#[derive(Clone, Debug, Default)]
pub(crate) struct Columns {
    pub(crate) runs: Vec<RunColumn>,
    /// Warps by slot, with the cycle from which each is there.
    pub(crate) warps: Vec<Vec<(Cycle, WarpId)>>,
    pub(crate) issues: IssueColumn,
    pub(crate) accesses: AccessColumn,
    pub(crate) blocks: Vec<BlockSpan>,
    pub(crate) barriers: Vec<BarrierRelease>,
    pub(crate) reconvergences: Vec<Reconvergence>,
    pub(crate) tallies: Vec<PcTally>,
    /// First and last issue of each instruction.
    pub(crate) issue_spans: Vec<Option<(Cycle, Cycle)>>,
    /// Filled at the end.
    pub(crate) slot_density: Vec<SlotDensity>,
    /// Scheduler-cycles with an issue.
    pub(crate) issue_cycles: u64,
    pub(crate) warps_launched: u64,
}

impl Columns {
    pub(crate) fn num_bytes(&self) -> usize {
        self.runs.iter().map(RunColumn::num_bytes).sum::<usize>()
            + self.warps.iter().map(|warps| warps.len() * 16).sum::<usize>()
            + self.issues.num_bytes()
            + self.accesses.num_bytes()
            + self.blocks.len() * (size_of::<BlockSpan>() + 64)
            + self.barriers.len() * size_of::<BarrierRelease>()
            + self.reconvergences.len() * size_of::<Reconvergence>()
            + self.tallies.len() * (size_of::<PcTally>() + size_of::<Option<(Cycle, Cycle)>>())
            + self
                .slot_density
                .iter()
                .map(SlotDensity::num_bytes)
                .sum::<usize>()
    }
}

/// A [`Sink`] that packs the events of a machine into columns.
#[derive(Clone, Debug)]
pub(crate) struct Recorder {
    open: Vec<Open>,
    columns: Columns,
    density: DensityBuilder,
    slot_density: Vec<DensityBuilder>,
}

impl Recorder {
    /// A recorder for a machine with so many slots and a program with so many instructions.
    pub(crate) fn new(num_slots: usize, num_instructions: usize) -> Self {
        Self {
            open: vec![Open::default(); num_slots],
            columns: Columns {
                runs: vec![RunColumn::default(); num_slots],
                warps: vec![Vec::new(); num_slots],
                tallies: vec![PcTally::default(); num_instructions],
                issue_spans: vec![None; num_instructions],
                ..Columns::default()
            },
            density: DensityBuilder::default(),
            slot_density: vec![DensityBuilder::of_slot(); num_slots],
        }
    }

    /// Memory the trace takes so far, in bytes.
    pub(crate) fn num_bytes(&self) -> usize {
        self.columns.num_bytes()
            + self.density.num_bytes()
            + self
                .slot_density
                .iter()
                .map(DensityBuilder::num_bytes)
                .sum::<usize>()
    }

    /// How many instructions issued so far.
    pub(crate) const fn num_issues(&self) -> u64 {
        self.columns.issues.num()
    }

    /// Closes all runs at the end of the run.
    pub(crate) fn finish(mut self, end: Cycle) -> (Columns, Density) {
        let end = end.0 as u32;
        for slot in 0..self.open.len() {
            self.close(slot, end);
            self.columns.runs[slot].shrink();
        }
        self.columns.issues.shrink();
        self.columns.accesses.finish();
        self.columns.slot_density = self
            .slot_density
            .into_iter()
            .map(DensityBuilder::finish_slot)
            .collect();
        (self.columns, self.density.finish())
    }

    /// Commits the open run of `slot`, which ends before `end`.
    fn close(&mut self, slot: usize, end: u32) {
        let open = self.open[slot];
        if end <= open.start {
            return;
        }
        self.columns.runs[slot].push(open.state, open.pc, end);
        self.density.add(open.state, open.start, end);
        self.slot_density[slot].add(open.state, open.start, end);
        if let Some(tally) = self.columns.tallies.get_mut(open.pc as usize)
            && open.state != WarpState::Empty
        {
            tally.states[open.state as usize] += u64::from(end - open.start);
        }
    }
}

impl Sink for Recorder {
    fn state(&mut self, cycle: Cycle, slot: SlotIdx, state: WarpState, pc: Pc) {
        let (at, idx) = (cycle.0 as u32, usize::from(slot.0));
        let Some(open) = self.open.get(idx).copied() else {
            return;
        };
        // The instruction of an issue in this cycle is known better from the issue.
        let issued_now = open.issued == at + 1;
        if open.state == state && (open.pc == pc.0 || issued_now && state == WarpState::Selected) {
            return;
        }
        self.close(idx, at);
        let pc = if issued_now && state == WarpState::Selected {
            open.pc
        } else {
            pc.0
        };
        self.open[idx] = Open {
            start: at,
            state,
            pc,
            issued: open.issued,
        };
    }

    fn issue(&mut self, cycle: Cycle, issue: &Issue) {
        let (at, idx) = (cycle.0 as u32, usize::from(issue.slot.0));
        self.columns.issues.push(&IssueRow {
            cycle,
            slot: issue.slot,
            scheduler: issue.scheduler,
            dispatch: issue.dispatch,
            pc: issue.pc,
            active: issue.active,
            executed: issue.executed,
            diverged: issue.diverged,
        });
        if issue.dispatch == 0 {
            self.columns.issue_cycles += 1;
            self.density.add_issue(at);
        }
        if let Some(tally) = self.columns.tallies.get_mut(issue.pc.0 as usize) {
            tally.issue(issue);
        }
        if let Some(span) = self.columns.issue_spans.get_mut(issue.pc.0 as usize) {
            *span = Some((span.map_or(cycle, |(first, _)| first), cycle));
        }
        let Some(open) = self.open.get(idx).copied() else {
            return;
        };
        // A run a issue: the second of a pair shares the first one's.
        if open.issued != at + 1 && (open.start < at || open.state != WarpState::Selected) {
            self.close(idx, at);
            self.open[idx] = Open {
                start: at,
                state: WarpState::Selected,
                pc: issue.pc.0,
                issued: at + 1,
            };
        } else if open.issued != at + 1 {
            self.open[idx].pc = issue.pc.0;
            self.open[idx].issued = at + 1;
        }
    }

    fn access(&mut self, cycle: Cycle, access: &Access) {
        self.columns.accesses.push(cycle.0 as u32, access);
        if let Some(tally) = self.columns.tallies.get_mut(access.pc.0 as usize) {
            tally.access(access);
        }
    }

    fn block_started(&mut self, cycle: Cycle, block: BlockId, slots: &[SlotIdx]) {
        let warps = slots.len() as u32;
        for (idx, slot) in slots.iter().enumerate() {
            if let Some(held) = self.columns.warps.get_mut(usize::from(slot.0)) {
                held.push((cycle, WarpId(block.0 * warps + idx as u32)));
            }
        }
        self.columns.warps_launched += u64::from(warps);
        self.columns.blocks.push(BlockSpan {
            block,
            slots: slots.to_vec(),
            started: cycle,
            finished: None,
        });
    }

    fn block_finished(&mut self, cycle: Cycle, block: BlockId) {
        if let Some(span) = self
            .columns
            .blocks
            .iter_mut()
            .rev()
            .find(|span| span.block == block && span.finished.is_none())
        {
            span.finished = Some(cycle);
        }
    }

    fn barrier_released(&mut self, cycle: Cycle, block: BlockId, barrier: u8) {
        self.columns.barriers.push(BarrierRelease {
            cycle,
            block,
            barrier,
        });
    }

    fn reconverged(&mut self, cycle: Cycle, slot: SlotIdx, pc: Pc, active: LaneMask) {
        self.columns.reconvergences.push(Reconvergence {
            cycle,
            slot,
            pc,
            active,
        });
    }
}
