//! Listens to a machine and packs what it hears.

use super::accesses::AccessPacker;
use super::density::DensityBuilder;
use super::issues::{IssueColumn, IssueRow};
use super::runs::RunColumn;
use super::tally::PcTally;
use super::wire::Parts;
use crate::ids::{BlockId, Cycle, LaneMask, Pc, SlotIdx};
use crate::sim::codec::coded;
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

coded!(BlockSpan {
    block,
    slots,
    started,
    finished
});
coded!(BarrierRelease {
    cycle,
    block,
    barrier
});
coded!(Reconvergence {
    cycle,
    slot,
    pc,
    active
});

/// The run of a slot that is not yet over.
#[derive(Clone, Copy, Debug, Default)]
struct Open {
    start: u32,
    state: WarpState,
    pc: u32,
    /// The cycle whose issue the pc belongs to, plus one; 0 for none.
    issued: u32,
    /// Its cycles before this one are in the sums.
    counted: u32,
}

/// A [`Sink`] that packs the events of a machine into columns, and hands them on from time to time.
/// Keeps nothing of what it has handed on but sums.
#[derive(Clone, Debug)]
pub(crate) struct Recorder {
    open: Vec<Open>,
    runs: Vec<RunColumn>,
    issues: IssueColumn,
    accesses: AccessPacker,
    blocks: Vec<BlockSpan>,
    num_blocks: u32,
    /// Blocks on the SM, with their index in the record.
    resident: Vec<(u32, BlockId)>,
    /// Blocks that were handed on as resident, and have finished.
    finished: Vec<(u32, Cycle)>,
    barriers: Vec<BarrierRelease>,
    reconvergences: Vec<Reconvergence>,
    num_points: usize,
    tallies: Vec<PcTally>,
    /// First and last issue of each instruction.
    issue_spans: Vec<Option<(Cycle, Cycle)>>,
    density: DensityBuilder,
    slot_density: Vec<DensityBuilder>,
    /// Scheduler-cycles with an issue.
    issue_cycles: u64,
}

impl Recorder {
    /// A recorder for a machine with so many slots and a program with so many instructions.
    pub(crate) fn new(num_slots: usize, num_instructions: usize) -> Self {
        Self {
            open: vec![Open::default(); num_slots],
            runs: vec![RunColumn::default(); num_slots],
            issues: IssueColumn::default(),
            accesses: AccessPacker::default(),
            blocks: Vec::new(),
            num_blocks: 0,
            resident: Vec::new(),
            finished: Vec::new(),
            barriers: Vec::new(),
            reconvergences: Vec::new(),
            num_points: 0,
            tallies: vec![PcTally::default(); num_instructions],
            issue_spans: vec![None; num_instructions],
            density: DensityBuilder::default(),
            slot_density: vec![DensityBuilder::of_slot(); num_slots],
            issue_cycles: 0,
        }
    }

    /// Memory the trace takes so far where it is asked for, in bytes. The same at a cycle whenever
    /// something was handed on before, if all is counted up to that cycle.
    pub(crate) fn num_bytes(&self) -> usize {
        self.runs.iter().map(RunColumn::num_bytes).sum::<usize>()
            + self.issues.num_bytes()
            + self.accesses.num_bytes()
            + self.num_blocks as usize * (size_of::<BlockSpan>() + 192)
            + self.num_points * size_of::<Reconvergence>()
            + self.tallies.len() * (size_of::<PcTally>() + size_of::<Option<(Cycle, Cycle)>>())
            + self.density.num_bytes()
            + self
                .slot_density
                .iter()
                .map(DensityBuilder::num_bytes)
                .sum::<usize>()
    }

    /// Slots, and instructions of the program.
    #[cfg(test)]
    pub(crate) fn size(&self) -> (usize, usize) {
        (self.open.len(), self.tallies.len())
    }

    /// How many instructions issued so far.
    pub(crate) const fn num_issues(&self) -> u64 {
        self.issues.num()
    }

    /// Puts the runs that are not over into the sums, up to cycle `end`.
    pub(crate) fn count(&mut self, end: Cycle) {
        for slot in 0..self.open.len() {
            self.count_slot(slot, end.0 as u32);
        }
    }

    fn count_slot(&mut self, slot: usize, end: u32) {
        let open = &mut self.open[slot];
        let (state, start) = (open.state, open.start.max(open.counted));
        if end <= start {
            return;
        }
        open.counted = end;
        self.density.add(state, start, end);
        self.slot_density[slot].add(state, start, end);
        if let Some(tally) = self.tallies.get_mut(open.pc as usize)
            && state != WarpState::Empty
        {
            tally.states[state as usize] += u64::from(end - start);
        }
    }

    /// Commits the open run of `slot`, which ends before `end`.
    fn close(&mut self, slot: usize, end: u32) {
        let open = self.open[slot];
        if end <= open.start {
            return;
        }
        self.runs[slot].push(open.state, open.pc, end);
        self.count_slot(slot, end);
    }

    /// Hands on what happened since the last time, before cycle `end`. A run of a slot that is not
    /// over goes along as it is so far.
    pub(crate) fn hand_on(&mut self, end: Cycle, to: &mut Parts) {
        self.count(end);
        let (head, end) = (&mut to.head, end.0 as u32);
        for (column, open) in self.runs.iter_mut().zip(&self.open) {
            column.hand_on(head, &mut to.runs);
            head.put(&open.state);
            head.put(&open.pc);
        }
        self.issues.hand_on(head, &mut to.issues);
        self.accesses.hand_on(end, head, &mut to.accesses);
        head.put(&self.blocks);
        head.put(&self.finished);
        head.put(&self.barriers);
        head.put(&self.reconvergences);
        self.blocks.clear();
        self.finished.clear();
        self.barriers.clear();
        self.reconvergences.clear();
        head.put(&self.tallies);
        head.put(&self.issue_spans);
        head.put(&self.issue_cycles);
        self.density.hand_on(end, head);
        for density in &mut self.slot_density {
            density.hand_on_slot(end, head);
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
            counted: 0,
        };
    }

    fn issue(&mut self, cycle: Cycle, issue: &Issue) {
        let (at, idx) = (cycle.0 as u32, usize::from(issue.slot.0));
        self.issues.push(&IssueRow {
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
            self.issue_cycles += 1;
            self.density.add_issue(at);
        }
        if let Some(tally) = self.tallies.get_mut(issue.pc.0 as usize) {
            tally.issue(issue);
        }
        if let Some(span) = self.issue_spans.get_mut(issue.pc.0 as usize) {
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
                counted: 0,
            };
        } else if open.issued != at + 1 {
            self.open[idx].pc = issue.pc.0;
            self.open[idx].issued = at + 1;
        }
    }

    fn access(&mut self, cycle: Cycle, access: &Access) {
        self.accesses.push(cycle.0 as u32, access);
        if let Some(tally) = self.tallies.get_mut(access.pc.0 as usize) {
            tally.access(access);
        }
    }

    fn block_started(&mut self, cycle: Cycle, block: BlockId, slots: &[SlotIdx]) {
        self.resident.push((self.num_blocks, block));
        self.num_blocks += 1;
        self.blocks.push(BlockSpan {
            block,
            slots: slots.to_vec(),
            started: cycle,
            finished: None,
        });
    }

    fn block_finished(&mut self, cycle: Cycle, block: BlockId) {
        let Some(place) = self.resident.iter().position(|(_, other)| *other == block) else {
            return;
        };
        let (idx, _) = self.resident.swap_remove(place);
        self.finished.push((idx, cycle));
    }

    fn barrier_released(&mut self, cycle: Cycle, block: BlockId, barrier: u8) {
        self.num_points += 1;
        self.barriers.push(BarrierRelease {
            cycle,
            block,
            barrier,
        });
    }

    fn reconverged(&mut self, cycle: Cycle, slot: SlotIdx, pc: Pc, active: LaneMask) {
        self.num_points += 1;
        self.reconvergences.push(Reconvergence {
            cycle,
            slot,
            pc,
            active,
        });
    }
}
