//! What a check sees of a run: accesses with the values that they store, and what orders them.
//!
//! An [`Observer`] belongs to a [`super::Sink`]. A sink without one costs a run nothing.

use super::exec::{Row, WideRow};
use super::memory::BadAccess;
use crate::ids::{BlockId, Cycle, LaneMask, Pc, SlotIdx, WarpId};
use crate::isa::Space;

/// Who executes an instruction, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Executor {
    /// When it issues.
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

/// What an access does with memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum AccessKind {
    /// A load.
    Read,
    /// A store.
    Write,
    /// An atomic operation, with or without a result.
    Atomic,
}

/// An access of a warp to one memory, before it changes anything.
#[derive(Clone, Copy, Debug)]
pub struct ObservedAccess<'a> {
    /// Who, and when; its lanes are those that access this memory.
    pub by: Executor,
    /// What it does.
    pub kind: AccessKind,
    /// Whether the source says `volatile`.
    pub is_volatile: bool,
    /// Global, shared, or local memory: generic addresses are resolved.
    pub space: Space,
    /// Bytes a lane.
    pub bytes: u32,
    /// Addresses of the lanes: offsets in shared and local memory.
    pub addresses: &'a WideRow,
    /// The 32-bit words that a store writes for each lane; empty for other accesses.
    pub words: &'a [Row],
}

/// Follows a run. Methods are called in the order of the run.
pub trait Observer {
    /// A block becomes resident; its warps' slots, in order of the warps.
    fn block_started(&mut self, _cycle: Cycle, _block: BlockId, _slots: &[SlotIdx]) {}
    /// A block has finished.
    fn block_finished(&mut self, _cycle: Cycle, _block: BlockId) {}
    /// An instruction issues.
    fn issue(&mut self, _cycle: Cycle, _issue: &super::Issue) {}
    /// An access inside the bounds of its memory.
    fn access(&mut self, _access: &ObservedAccess<'_>) {}
    /// An access that ends the run, and the lanes that are out of bounds or misaligned.
    fn bad_access(&mut self, _access: &ObservedAccess<'_>, _bad: &BadAccess) {}
    /// Lanes arrive at a barrier of their block.
    fn barrier_arrived(&mut self, _by: &Executor, _barrier: u8) {}
    /// All threads that a barrier of a block waits for have arrived.
    fn barrier_released(&mut self, _cycle: Cycle, _block: BlockId, _barrier: u8) {}
    /// Lanes execute an instruction with a member mask, given for each lane.
    fn lanes_synchronized(&mut self, _by: &Executor, _members: &Row) {}
    /// Lanes execute a memory fence: level 0 orders for the block, 1 for the device, 2 for the system.
    fn fence(&mut self, _by: &Executor, _level: u8) {}
}

/// A sink that passes a run on to an observer and records nothing.
pub struct Observed<'a>(pub &'a mut dyn Observer);

impl super::Sink for Observed<'_> {
    const KNOWS_GROUPS: bool = true;

    fn issue(&mut self, cycle: Cycle, issue: &super::Issue) {
        self.0.issue(cycle, issue);
    }

    fn observer(&mut self) -> Option<&mut dyn Observer> {
        Some(self.0)
    }
}
