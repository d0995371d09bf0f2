//! The events of a run that a check observes: accesses with the stored values, and the events that order
//! them.
//!
//! An [`Observer`] belongs to a [`super::Sink`]. A sink without an observer has no overhead.

use super::exec::{Row, WideRow};
use super::memory::BadAccess;
use crate::ids::{BlockId, Cycle, LaneMask, Pc, SlotIdx, WarpId};
use crate::isa::Space;

/// The warp and lanes that execute an instruction, and the cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Executor {
    /// The issue cycle.
    pub cycle: Cycle,
    /// The instruction.
    pub pc: Pc,
    /// The warp's slot.
    pub slot: SlotIdx,
    /// The warp.
    pub warp: WarpId,
    /// The warp's block.
    pub block: BlockId,
    /// Index of the warp in its block.
    pub warp_in_block: u32,
    /// Lanes that execute the instruction.
    pub lanes: LaneMask,
    /// Lanes of the warp that have not exited.
    pub live: LaneMask,
}

/// The effect of an access on memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum AccessKind {
    /// A load.
    Read,
    /// A store.
    Write,
    /// An atomic operation, with or without a result.
    Atomic,
}

/// A warp's access to one memory, before it takes effect.
#[derive(Clone, Copy, Debug)]
pub struct ObservedAccess<'a> {
    /// The executing warp and the cycle; `lanes` are those that access this memory.
    pub by: Executor,
    /// The kind of access.
    pub kind: AccessKind,
    /// Whether the source declares it `volatile`.
    pub is_volatile: bool,
    /// Whether it is the store of a copy from global to shared memory, which takes effect later: after a wait of its warp.
    pub is_copy: bool,
    /// Global, shared, or local memory; generic addresses are resolved.
    pub space: Space,
    /// Bytes per lane.
    pub bytes: u32,
    /// The lanes' addresses: offsets for shared and local memory.
    pub addresses: &'a WideRow,
    /// The 32-bit words that a store writes for each lane; empty for other accesses.
    pub words: &'a [Row],
}

/// Observes a run. Methods are called in the order of events.
pub trait Observer {
    /// A block becomes resident; the slots of its warps, in order of the warps.
    fn block_started(&mut self, _cycle: Cycle, _block: BlockId, _slots: &[SlotIdx]) {}
    /// A block finishes.
    fn block_finished(&mut self, _cycle: Cycle, _block: BlockId) {}
    /// An instruction issues.
    fn issue(&mut self, _cycle: Cycle, _issue: &super::Issue) {}
    /// An access within the bounds of its memory.
    fn access(&mut self, _access: &ObservedAccess<'_>) {}
    /// An access that ends the run, and its out-of-bounds or misaligned lanes.
    fn bad_access(&mut self, _access: &ObservedAccess<'_>, _bad: &BadAccess) {}
    /// Lanes arrive at a barrier of their block.
    fn barrier_arrived(&mut self, _by: &Executor, _barrier: u8) {}
    /// All expected threads have arrived at a barrier of a block.
    fn barrier_released(&mut self, _cycle: Cycle, _block: BlockId, _barrier: u8) {}
    /// Lanes execute an instruction with a member mask, given per lane.
    fn lanes_synchronized(&mut self, _by: &Executor, _members: &Row) {}
    /// The copies of the warp since the last call become a group.
    fn copies_committed(&mut self, _by: &Executor) {}
    /// All groups of copies of the warp but the newest `left` have landed.
    fn copies_awaited(&mut self, _by: &Executor, _left: u8) {}
    /// Lanes execute a memory fence: level 0 orders for the block, 1 for the device, and 2 for the system.
    fn fence(&mut self, _by: &Executor, _level: u8) {}
}

/// A sink that forwards a run to an observer and records nothing.
pub struct Observed<'a>(pub &'a mut dyn Observer);

impl super::Sink for Observed<'_> {
    const SUPPORTS_GROUPS: bool = true;

    fn issue(&mut self, cycle: Cycle, issue: &super::Issue) {
        self.0.issue(cycle, issue);
    }

    fn observer(&mut self) -> Option<&mut dyn Observer> {
        Some(self.0)
    }
}
