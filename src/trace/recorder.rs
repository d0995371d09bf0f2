//! Listens to a machine and packs what it hears.

use super::accesses::AccessPacker;
use super::density::DensityBuilder;
use super::issues::IssuePacker;
use super::run_packer::{RunPacker, SharedRuns};
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

/// Changes of a group after which its slots take them over, so that the list stays short.
const MAX_CHANGES: usize = 4096;

/// Slots that change their states together.
#[derive(Clone, Debug)]
struct Group {
    runs: SharedRuns,
    num_slots: u32,
}

/// What is recorded of a slot: its runs, and the state and instruction of the one that is not yet over.
#[derive(Clone, Debug)]
struct Slot {
    state: WarpState,
    /// The group it is in, or [`ALONE`].
    group: u8,
    pc: u32,
    /// The cycle whose issue the pc belongs to, plus one; 0 for none.
    issued: u32,
    /// The change of the group that began the open run.
    since: u32,
    runs: RunPacker,
}

/// No group.
const ALONE: u8 = u8::MAX;

impl Slot {
    /// Commits the open run, which ends before `end`.
    #[inline(always)]
    fn close(&mut self, end: u32, instructions: &mut [Instruction]) {
        let start = self.runs.end();
        if end > start {
            self.runs.push(self.state, self.pc, end);
            if let Some(cycles) = self.cycles(instructions) {
                *cycles += u64::from(end - start);
            }
        }
    }

    /// The sum of the cycles in its state at its instruction. There is none where it is empty.
    #[inline(always)]
    fn cycles<'a>(&self, instructions: &'a mut [Instruction]) -> Option<&'a mut u64> {
        let instruction = instructions.get_mut(self.pc as usize)?;
        (self.state != WarpState::Empty).then(|| &mut instruction.tally.states[self.state as usize])
    }
}

/// What is recorded of an instruction.
#[derive(Clone, Debug, Default)]
struct Instruction {
    tally: PcTally,
    /// First and last issue, if there was one.
    first: u32,
    last: u32,
}

/// A [`Sink`] that packs the events of a machine into columns, and hands them on from time to time.
/// Keeps nothing of what it has handed on but sums.
#[derive(Clone, Debug)]
pub(crate) struct Recorder {
    slots: Vec<Slot>,
    groups: Vec<Group>,
    issues: IssuePacker,
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
    instructions: Vec<Instruction>,
    density: DensityBuilder,
    /// Scheduler-cycles with an issue.
    issue_cycles: u64,
}

impl Recorder {
    /// A recorder for a machine with so many slots and a program with so many instructions.
    pub(crate) fn new(num_slots: usize, num_instructions: usize) -> Self {
        Self {
            slots: vec![
                Slot {
                    state: WarpState::Empty,
                    group: ALONE,
                    pc: 0,
                    issued: 0,
                    since: 0,
                    runs: RunPacker::default(),
                };
                num_slots
            ],
            groups: Vec::new(),
            issues: IssuePacker::default(),
            accesses: AccessPacker::default(),
            blocks: Vec::new(),
            num_blocks: 0,
            resident: Vec::new(),
            finished: Vec::new(),
            barriers: Vec::new(),
            reconvergences: Vec::new(),
            num_points: 0,
            instructions: vec![Instruction::default(); num_instructions],
            density: DensityBuilder::new(num_slots),
            issue_cycles: 0,
        }
    }

    /// Memory the trace takes so far where it is asked for, in bytes. The same at a cycle whenever
    /// something was handed on before, if all is counted up to that cycle.
    pub(crate) fn num_bytes(&self) -> usize {
        self.slots.iter().map(|slot| slot.runs.num_bytes()).sum::<usize>()
            + self.issues.num_bytes()
            + self.accesses.num_bytes()
            + self.num_blocks as usize * (size_of::<BlockSpan>() + 192)
            + self.num_points * size_of::<Reconvergence>()
            + self.instructions.len() * (size_of::<PcTally>() + size_of::<Option<(Cycle, Cycle)>>())
            + self.density.num_bytes()
    }

    /// Slots, and instructions of the program.
    #[cfg(test)]
    pub(crate) fn size(&self) -> (usize, usize) {
        (self.slots.len(), self.instructions.len())
    }

    /// How many instructions issued so far.
    pub(crate) const fn num_issues(&self) -> u64 {
        self.issues.num()
    }

    /// What simulating took so far beside the cycles: about as much time for an instruction as for a
    /// transaction of its access.
    pub(crate) const fn work(&self) -> u64 {
        self.issues.num() + self.accesses.num_parts()
    }

    /// Counts up to cycle `end`: slots take over what their groups did.
    pub(crate) fn count(&mut self, end: Cycle) {
        for slot in 0..self.slots.len() {
            self.catch_up(slot, end.0 as u32);
        }
        self.density.count(end.0 as u32);
    }

    /// Takes over what a slot's group did before `end`, and leaves it in its group.
    fn catch_up(&mut self, slot: usize, end: u32) {
        let slot = &mut self.slots[slot];
        let Some(Group { runs, .. }) = self.groups.get(usize::from(slot.group)) else {
            return;
        };
        let since = slot.since as usize;
        let mut last = runs.last();
        if last > since && runs.cycle(last) >= end {
            last -= 1;
        }
        if last == since {
            return;
        }
        let (start, end) = (runs.cycle(since + 1), runs.cycle(last));
        slot.close(start, &mut self.instructions);
        if start < end {
            slot.runs.extend(runs, since + 1, last);
            let (states, in_first) = (runs.states(), runs.in_first_between(since + 1, last));
            if let Some(instruction) = self.instructions.get_mut(slot.pc as usize) {
                let tally = &mut instruction.tally;
                tally.states[states[0] as usize] += u64::from(in_first);
                tally.states[states[1] as usize] += u64::from(end - start - in_first);
            }
        }
        slot.state = runs.state_from(last);
        slot.since = last as u32;
    }

    /// A slot goes its own way from `cycle` on.
    fn leave(&mut self, slot: usize, cycle: u32) {
        self.catch_up(slot, cycle);
        let group = std::mem::replace(&mut self.slots[slot].group, ALONE);
        self.groups[usize::from(group)].num_slots -= 1;
    }

    /// Forgets what a group did, after all its slots took it over.
    #[cold]
    fn begin_anew(&mut self, group: u8, cycle: u32) {
        for slot in 0..self.slots.len() {
            if self.slots[slot].group == group {
                self.catch_up(slot, cycle);
                self.slots[slot].since = 0;
            }
        }
        let runs = &mut self.groups[usize::from(group)].runs;
        let last = runs.last();
        let (start, state) = (runs.cycle(last), runs.state_from(last));
        runs.begin(start, state);
    }

    /// Hands on what happened since the last time, before cycle `end`. A run of a slot that is not
    /// over goes along as it is so far.
    pub(crate) fn hand_on(&mut self, end: Cycle, to: &mut Parts) {
        self.count(end);
        let (head, end) = (&mut to.head, end.0 as u32);
        let fresh = self.slots.iter().map(|slot| slot.runs.num_fresh());
        to.runs.bytes.reserve_exact(fresh.sum());
        for slot in &mut self.slots {
            slot.runs.hand_on(head, &mut to.runs);
            head.put(&slot.state);
            head.put(&slot.pc);
            // The runs that are not over are in the sums as far as they are.
            if let Some(cycles) = slot.cycles(&mut self.instructions) {
                *cycles += u64::from(end.saturating_sub(slot.runs.end()));
            }
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
        head.list(self.instructions.iter().map(|instruction| &instruction.tally));
        for slot in &self.slots {
            if let Some(cycles) = slot.cycles(&mut self.instructions) {
                *cycles -= u64::from(end.saturating_sub(slot.runs.end()));
            }
        }
        let span = |instruction: &Instruction| {
            let span = (Cycle(instruction.first.into()), Cycle(instruction.last.into()));
            (instruction.tally.issued > 0).then_some(span)
        };
        head.put(&self.instructions.iter().map(span).collect::<Vec<_>>());
        head.put(&self.issue_cycles);
        self.density.hand_on(end, head);
    }
}

impl Sink for Recorder {
    const KNOWS_GROUPS: bool = true;

    fn join(&mut self, cycle: Cycle, slot: SlotIdx, group: u8, state: WarpState) {
        let idx = usize::from(group);
        while self.groups.len() <= idx {
            self.groups.push(Group {
                runs: SharedRuns::new(),
                num_slots: 0,
            });
        }
        let Group { runs, num_slots } = &mut self.groups[idx];
        if *num_slots == 0 {
            runs.begin(cycle.0 as u32, state);
        }
        *num_slots += 1;
        if let Some(slot) = self.slots.get_mut(usize::from(slot.0)) {
            slot.group = group;
            slot.since = runs.last() as u32;
        }
    }

    fn group(&mut self, cycle: Cycle, group: u8, state: WarpState) {
        let at = cycle.0 as u32;
        if self.groups[usize::from(group)].runs.last() >= MAX_CHANGES {
            self.begin_anew(group, at);
        }
        let Group { runs, num_slots } = &mut self.groups[usize::from(group)];
        let before = runs.state_from(runs.last());
        runs.change(at, state);
        self.density.change(at, before, state, *num_slots);
    }

    fn state(&mut self, cycle: Cycle, slot: SlotIdx, state: WarpState, pc: Pc) {
        let (at, idx) = (cycle.0 as u32, usize::from(slot.0));
        if self.slots.get(idx).is_some_and(|slot| slot.group != ALONE) {
            self.leave(idx, at);
        }
        let Some(slot) = self.slots.get_mut(idx) else {
            return;
        };
        // The instruction of an issue in this cycle is known better from the issue.
        let pc = if slot.issued == at + 1 && state == WarpState::Selected {
            slot.pc
        } else {
            pc.0
        };
        if slot.state == state && slot.pc == pc {
            return;
        }
        slot.close(at, &mut self.instructions);
        if slot.state != state {
            self.density.change(at, slot.state, state, 1);
        }
        slot.state = state;
        slot.pc = pc;
    }

    fn issue(&mut self, cycle: Cycle, issue: &Issue) {
        let (at, idx) = (cycle.0 as u32, usize::from(issue.slot.0));
        self.issues.push(at, issue);
        if issue.dispatch == 0 {
            self.issue_cycles += 1;
            self.density.add_issue(at);
        }
        if let Some(instruction) = self.instructions.get_mut(issue.pc.0 as usize) {
            if instruction.tally.issued == 0 {
                instruction.first = at;
            }
            instruction.last = at;
            instruction.tally.issue(issue);
        }
        if self.slots.get(idx).is_some_and(|slot| slot.group != ALONE) {
            self.leave(idx, at);
        }
        let Some(slot) = self.slots.get_mut(idx) else {
            return;
        };
        // A run a issue: the second of a pair shares the first one's.
        if slot.issued == at + 1 {
            return;
        }
        slot.close(at, &mut self.instructions);
        if slot.state != WarpState::Selected {
            self.density.change(at, slot.state, WarpState::Selected, 1);
        }
        slot.state = WarpState::Selected;
        slot.pc = issue.pc.0;
        slot.issued = at + 1;
    }

    fn access(&mut self, cycle: Cycle, access: &Access) {
        self.accesses.push(cycle.0 as u32, access);
        if let Some(instruction) = self.instructions.get_mut(access.pc.0 as usize) {
            instruction.tally.access(access);
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
