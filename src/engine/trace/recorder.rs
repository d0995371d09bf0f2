//! Records the events of a machine and packs them.

use super::accesses::AccessPacker;
use super::density::Density;
use super::issues::IssuePacker;
use super::run_packer::{BUFFER_BYTES, NUM_NOTES, Note, RunPacker};
use super::shared_runs::SharedRuns;
use super::tally::PcTally;
use super::wire::Parts;
use crate::ids::{BlockId, Cycle, LaneMask, Pc, SlotIdx};
use crate::printf::Printed;
use crate::sim::codec::coded;
use crate::sim::observer::Observer;
use crate::sim::{Access, Issue, Sink, WarpState};

/// The residency of a block on the SM.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockSpan {
    /// The block.
    pub block: BlockId,
    /// The slots of its warps, in order of the warps.
    pub slots: Vec<SlotIdx>,
    /// The cycle in which it became resident.
    pub started: Cycle,
    /// The cycle in which it finished, if it has.
    pub finished: Option<Cycle>,
}

/// The release of a block barrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BarrierRelease {
    /// The cycle.
    pub cycle: Cycle,
    /// The block.
    pub block: BlockId,
    /// Barrier index.
    pub barrier: u8,
}

/// A reconvergence of diverged lanes of a warp.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reconvergence {
    /// The cycle.
    pub cycle: Cycle,
    /// The warp's slot.
    pub slot: SlotIdx,
    /// The pc of the reconvergence.
    pub pc: Pc,
    /// The lanes that continue.
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
coded!(Printed {
    cycle,
    pc,
    warp,
    lane,
    block,
    thread,
    bytes,
    buffer_bytes
});
coded!(Reconvergence {
    cycle,
    slot,
    pc,
    active
});

/// The notes of a slot that are not yet packed.
#[derive(Clone, Debug)]
struct Notes {
    num: usize,
    list: [Note; NUM_NOTES],
}

/// A [`Sink`] that records the events of a machine, packs them into columns from time to time, and flushes
/// the columns. After a flush it keeps only sums. The querying side derives everything else from the columns.
#[derive(Clone, Debug)]
pub(crate) struct Recorder {
    notes: Vec<Notes>,
    runs: Vec<RunPacker>,
    buffer: Box<[u8; BUFFER_BYTES]>,
    groups: Vec<SharedRuns>,
    issues: IssuePacker,
    accesses: AccessPacker,
    blocks: Vec<BlockSpan>,
    num_blocks: u32,
    /// Resident blocks, with their index in the record.
    resident: Vec<(u32, BlockId)>,
    /// Blocks that finished after the flush in which they became resident.
    finished: Vec<(u32, Cycle)>,
    barriers: Vec<BarrierRelease>,
    reconvergences: Vec<Reconvergence>,
    printed: Vec<Printed>,
    printed_bytes: usize,
    num_points: usize,
    num_instructions: usize,
    /// The cycle up to which everything is packed.
    counted: Cycle,
}

impl Recorder {
    /// Creates a recorder for a machine with `num_slots` slots and a program with `num_instructions`
    /// instructions.
    pub(crate) fn new(num_slots: usize, num_instructions: usize) -> Self {
        debug_assert!(
            num_instructions < Note::MAX_INSTRUCTIONS,
            "a note can encode every instruction"
        );
        let notes = Notes {
            num: 0,
            list: [Note::NONE; NUM_NOTES],
        };
        Self {
            notes: vec![notes; num_slots],
            runs: vec![RunPacker::default(); num_slots],
            buffer: Box::new([0; BUFFER_BYTES]),
            groups: Vec::new(),
            issues: IssuePacker::default(),
            accesses: AccessPacker::default(),
            blocks: Vec::new(),
            num_blocks: 0,
            resident: Vec::new(),
            finished: Vec::new(),
            barriers: Vec::new(),
            reconvergences: Vec::new(),
            printed: Vec::new(),
            printed_bytes: 0,
            num_points: 0,
            num_instructions,
            counted: Cycle(0),
        }
    }

    /// The size in bytes of the trace so far on the querying side. It does not depend on earlier flushes, if
    /// everything up to the cycle is packed.
    pub(crate) fn num_bytes(&self) -> usize {
        self.runs.iter().map(RunPacker::num_bytes).sum::<usize>()
            + self.issues.num_bytes()
            + self.accesses.num_bytes()
            + self.num_blocks as usize * (size_of::<BlockSpan>() + 192)
            + self.num_points * size_of::<Reconvergence>()
            + self.printed_bytes
            + self.num_instructions * (size_of::<PcTally>() + size_of::<Option<(Cycle, Cycle)>>())
            + Density::num_bytes_at(self.counted)
    }

    /// The number of slots, and the number of the program's instructions.
    #[cfg(test)]
    pub(crate) fn size(&self) -> (usize, usize) {
        (self.runs.len(), self.num_instructions)
    }

    /// The number of instructions issued so far.
    pub(crate) const fn num_issues(&self) -> u64 {
        self.issues.num()
    }

    /// The cost of the simulation so far, apart from cycles: an instruction and a transaction cost about the
    /// same time.
    pub(crate) const fn work(&self) -> u64 {
        self.issues.num() + self.accesses.num_parts()
    }

    /// Packs all notes up to cycle `end`.
    pub(crate) fn count(&mut self, end: Cycle) {
        for (runs, notes) in self.runs.iter_mut().zip(&mut self.notes) {
            runs.pack(&notes.list[..notes.num], &mut self.groups, &mut self.buffer);
            runs.count(end.0 as u32, &mut self.groups, &mut self.buffer);
            notes.num = 0;
        }
        for runs in &mut self.groups {
            runs.forget();
        }
        self.issues.pack();
        self.counted = end;
    }

    /// Packs the notes of a slot whose buffer is full.
    #[cold]
    fn pack(&mut self, slot: usize) {
        let notes = &mut self.notes[slot];
        self.runs[slot].pack(&notes.list, &mut self.groups, &mut self.buffer);
        notes.num = 0;
    }

    /// Records what a slot does.
    #[inline(always)]
    fn note(&mut self, slot: SlotIdx, note: Note) {
        let slot = usize::from(slot.0);
        let Some(notes) = self.notes.get_mut(slot) else {
            return;
        };
        notes.list[notes.num % NUM_NOTES] = note;
        notes.num += 1;
        if notes.num == NUM_NOTES {
            self.pack(slot);
        }
    }

    /// Flushes the events before cycle `end` since the last flush. An unfinished run of a slot is flushed as
    /// it is so far.
    pub(crate) fn flush(&mut self, end: Cycle, to: &mut Parts) {
        self.count(end);
        let head = &mut to.head;
        let fresh = self.runs.iter().map(RunPacker::num_unflushed);
        to.runs.bytes.reserve_exact(fresh.sum());
        for runs in &mut self.runs {
            runs.flush(head, &mut to.runs);
        }
        self.issues.flush(head, &mut to.issues);
        self.accesses.flush(end.0 as u32, head, &mut to.accesses);
        head.put(&self.blocks);
        head.put(&self.finished);
        head.put(&self.barriers);
        head.put(&self.reconvergences);
        head.put(&self.printed);
        self.printed.clear();
        self.blocks.clear();
        self.finished.clear();
        self.barriers.clear();
        self.reconvergences.clear();
    }
}

/// A recorder combined with an optional observer.
pub(crate) struct ObservedRecorder<'a> {
    pub(crate) recorder: &'a mut Recorder,
    pub(crate) observer: Option<&'a mut dyn Observer>,
}

impl Sink for ObservedRecorder<'_> {
    const SUPPORTS_GROUPS: bool = Recorder::SUPPORTS_GROUPS;

    #[inline]
    fn join(&mut self, cycle: Cycle, slot: SlotIdx, group: u8, state: WarpState) {
        self.recorder.join(cycle, slot, group, state);
    }

    #[inline]
    fn group(&mut self, cycle: Cycle, group: u8, state: WarpState) {
        self.recorder.group(cycle, group, state);
    }

    #[inline]
    fn state(&mut self, cycle: Cycle, slot: SlotIdx, state: WarpState, pc: Pc) {
        self.recorder.state(cycle, slot, state, pc);
    }

    #[inline]
    fn issue(&mut self, cycle: Cycle, issue: &Issue) {
        self.recorder.issue(cycle, issue);
        if let Some(observer) = &mut self.observer {
            observer.issue(cycle, issue);
        }
    }

    #[inline]
    fn access(&mut self, cycle: Cycle, access: &Access) {
        self.recorder.access(cycle, access);
    }

    fn access_served(&mut self, number: u32, started: Cycle, done: Cycle) {
        self.recorder.access_served(number, started, done);
    }

    fn block_started(&mut self, cycle: Cycle, block: BlockId, slots: &[SlotIdx]) {
        self.recorder.block_started(cycle, block, slots);
    }

    fn block_finished(&mut self, cycle: Cycle, block: BlockId) {
        self.recorder.block_finished(cycle, block);
    }

    fn barrier_released(&mut self, cycle: Cycle, block: BlockId, barrier: u8) {
        self.recorder.barrier_released(cycle, block, barrier);
    }

    fn reconverged(&mut self, cycle: Cycle, slot: SlotIdx, pc: Pc, active: LaneMask) {
        self.recorder.reconverged(cycle, slot, pc, active);
    }

    fn printed(&mut self, printed: Printed) {
        self.recorder.printed(printed);
    }

    #[inline(always)]
    fn observer(&mut self) -> Option<&mut dyn Observer> {
        match &mut self.observer {
            Some(observer) => Some(&mut **observer),
            None => None,
        }
    }
}

impl Sink for Recorder {
    const SUPPORTS_GROUPS: bool = true;

    #[inline]
    fn join(&mut self, cycle: Cycle, slot: SlotIdx, group: u8, state: WarpState) {
        let (at, idx) = (cycle.0 as u32, usize::from(group));
        if self.groups.len() <= idx {
            self.groups.resize(idx + 1, SharedRuns::default());
        }
        let since = self.groups[idx].join(at, state);
        self.note(slot, Note::join(at, group, since));
    }

    #[inline]
    fn group(&mut self, cycle: Cycle, group: u8, state: WarpState) {
        if let Some(runs) = self.groups.get_mut(usize::from(group)) {
            runs.change(cycle.0 as u32, state);
        }
    }

    #[inline]
    fn state(&mut self, cycle: Cycle, slot: SlotIdx, state: WarpState, pc: Pc) {
        self.note(slot, Note::state(cycle.0 as u32, state, pc));
    }

    #[inline]
    fn issue(&mut self, cycle: Cycle, issue: &Issue) {
        self.issues.push(cycle.0 as u32, issue);
        // The second instruction of a pair shares the first one's run.
        if issue.dispatch == 0 {
            let note = Note::state(cycle.0 as u32, WarpState::Selected, issue.pc);
            self.note(issue.slot, note);
        }
    }

    fn access(&mut self, cycle: Cycle, access: &Access) {
        self.accesses.push(cycle.0 as u32, access);
    }

    fn access_served(&mut self, number: u32, started: Cycle, done: Cycle) {
        self.accesses
            .update_times(number, started.0 as u32, done.0 as u32);
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

    fn printed(&mut self, printed: Printed) {
        self.printed_bytes += size_of::<Printed>() + printed.bytes.len();
        self.printed.push(printed);
    }
}
