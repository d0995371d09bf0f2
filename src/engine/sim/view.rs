//! Views of a machine's state as plain values, for pictures and explanations, as of the last stepped cycle.
//! They are computed on demand and not stored.

use super::{MemoryLevel, RequestKind, WaitCause, WarpState};
use crate::arch::PipeKind;
use crate::ids::{BlockId, Cycle, LaneMask, Pc, SlotIdx, WarpId};
use crate::isa::Token;

/// The warp in a slot.
#[derive(Clone, Debug, PartialEq)]
pub struct WarpView {
    /// Its slot.
    pub slot: SlotIdx,
    /// The warp.
    pub warp: WarpId,
    /// Its block.
    pub block: BlockId,
    /// Its index in the block.
    pub warp_in_block: u32,
    /// Its state.
    pub state: WarpState,
    /// The cause of its stall.
    pub cause: WaitCause,
    /// Its instruction: the next to issue, or the one that issues in this cycle.
    pub pc: Pc,
    /// Lanes at this instruction.
    pub active: LaneMask,
    /// Lanes that have exited, including lanes that hold no thread.
    pub exited: LaneMask,
    /// All live lanes, grouped by pc.
    pub groups: Vec<LaneGroup>,
    /// Pending results.
    pub scoreboard: Vec<ScoreboardEntry>,
    /// The reconvergence stack, bottom first (Tesla to Pascal).
    pub stack: Vec<StackEntry>,
    /// Convergence barriers in use (Volta and later).
    pub barriers: Vec<ConvergenceBarrier>,
    /// P0 to P6.
    pub predicates: [LaneMask; 7],
    /// Registers per thread that the machine holds; `Machine::register` returns their values.
    pub num_registers: usize,
}

/// Lanes of a warp at one instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LaneGroup {
    /// Their pc.
    pub pc: Pc,
    /// The lanes.
    pub lanes: LaneMask,
    /// Why they do not run, if they do not.
    pub status: LaneStatus,
}

/// The status of a lane.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LaneStatus {
    /// Runs when its group is selected.
    #[default]
    Running,
    /// Waits at a convergence barrier or at a token of the stack.
    Converging,
    /// Waits for the other lanes of a member mask.
    Syncing,
    /// Waits at the block's barrier.
    AtBarrier,
    /// Is on the stack: runs when the lanes above it have finished (Tesla to Pascal).
    OnStack,
}

/// A pending result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScoreboardEntry {
    /// The register or predicate that is written.
    pub target: ScoreboardTarget,
    /// The instruction that writes it.
    pub producer: Pc,
    /// The issue cycle of that instruction.
    pub issued: Cycle,
    /// The first cycle in which a dependent instruction can issue.
    pub ready: Cycle,
    /// Whether `ready` is only the earliest cycle: older instructions in the units can delay it.
    pub is_earliest: bool,
    /// The stall state of a warp that waits for it.
    pub state: WarpState,
}

/// A register or predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScoreboardTarget {
    /// R0 to R254.
    Register(u8),
    /// P0 to P6.
    Predicate(u8),
}

/// An entry of the reconvergence stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StackEntry {
    /// The kind of entry.
    pub kind: StackEntryKind,
    /// The pc at which its lanes continue.
    pub target: Pc,
    /// Its lanes.
    pub lanes: LaneMask,
}

/// The kind of a stack entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StackEntryKind {
    /// Lanes of a divergent branch that took the other side.
    Diverged,
    /// A token.
    Token(Token),
    /// A call.
    Call,
}

/// A convergence barrier register and its member lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConvergenceBarrier {
    /// B0 to B15.
    pub register: u8,
    /// The call depth at which it was set.
    pub depth: u16,
    /// Lanes that reconverge.
    pub members: LaneMask,
    /// Members that already wait.
    pub waiting: LaneMask,
}

/// A scheduler.
#[derive(Clone, Debug, PartialEq)]
pub struct SchedulerView {
    /// Its index.
    pub index: u8,
    /// The first cycle in which it can issue again.
    pub port_free: Cycle,
    /// The warps and instructions that it issued in this cycle, in order of dispatch.
    pub issued: Vec<(SlotIdx, Pc)>,
    /// Instructions that are queued for a memory or special-function unit (MIO queue), oldest first.
    pub queue: Vec<QueueEntry>,
    /// The capacity of that queue.
    pub queue_capacity: u16,
}

/// An instruction in a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueueEntry {
    /// Slot of its warp.
    pub slot: SlotIdx,
    /// Its warp.
    pub warp: WarpId,
    /// The instruction.
    pub pc: Pc,
    /// Its unit.
    pub pipe: PipeKind,
    /// The cycle in which it entered the queue.
    pub entered: Cycle,
    /// The cycle in which its unit takes it.
    pub leaves: Cycle,
}

/// A unit of a pipe.
#[derive(Clone, Debug, PartialEq)]
pub struct PipeView {
    /// The kind of pipe.
    pub kind: PipeKind,
    /// The scheduler that owns it; `None` if the SM's schedulers share it.
    pub scheduler: Option<u8>,
    /// Its index among the units of its kind there.
    pub unit: u8,
    /// The first cycle in which another instruction can enter.
    pub busy_until: Cycle,
    /// Instructions in flight, oldest first.
    pub in_flight: Vec<InFlight>,
}

/// An instruction in flight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InFlight {
    /// Slot of its warp.
    pub slot: SlotIdx,
    /// Its warp.
    pub warp: WarpId,
    /// The instruction.
    pub pc: Pc,
    /// The cycle in which it entered the unit.
    pub started: Cycle,
    /// The first cycle in which the unit accepts the next instruction.
    pub accepted: Cycle,
    /// The cycle in which its result is ready.
    pub done: Cycle,
}

/// An instruction with wavefronts in the load/store units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PassView {
    /// Slot of its warp.
    pub slot: SlotIdx,
    /// The instruction.
    pub pc: Pc,
    /// Its issue cycle.
    pub issued: Cycle,
    /// Wavefronts that are left after this cycle.
    pub left: u16,
    /// Whether it has a wavefront in this cycle.
    pub is_now: bool,
}

/// A memory request in flight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RequestView {
    /// Slot of its warp.
    pub slot: SlotIdx,
    /// Its warp.
    pub warp: WarpId,
    /// The instruction.
    pub pc: Pc,
    /// The kind of request.
    pub kind: RequestKind,
    /// The farthest level that serves it.
    pub level: MemoryLevel,
    /// Its issue cycle.
    pub issued: Cycle,
    /// The cycle in which its unit accepted it.
    pub started: Cycle,
    /// The cycle in which its unit finishes with it.
    pub served: Cycle,
    /// The cycle in which its data or acknowledgment arrives.
    pub done: Cycle,
    /// Wavefronts in its unit.
    pub passes: u16,
}

/// A line of a cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CacheLineView {
    /// The set.
    pub set: u32,
    /// The way.
    pub way: u32,
    /// The address of its first byte.
    pub address: u64,
    /// Sectors with valid data, one bit each.
    pub valid_sectors: u8,
    /// Sectors whose fill is in flight.
    pub pending_sectors: u8,
    /// Sectors with dirty data.
    pub dirty_sectors: u8,
    /// The cycle of its last use.
    pub last_use: Cycle,
}

/// A cache.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CacheView {
    /// Number of sets.
    pub sets: u32,
    /// Number of ways.
    pub ways: u32,
    /// Bytes per line.
    pub line_bytes: u32,
    /// Bytes per sector.
    pub sector_bytes: u32,
    /// Lines in use.
    pub lines: Vec<CacheLineView>,
}

/// A resident block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockView {
    /// The block.
    pub block: BlockId,
    /// Its coordinates in the grid.
    pub index: [u32; 3],
    /// Slots of its warps.
    pub slots: Vec<SlotIdx>,
    /// Bytes of its shared memory.
    pub shared_bytes: u32,
    /// Barriers with waiting warps: index, warps or threads that have arrived, and the number that is
    /// required.
    pub barriers: Vec<(u8, u32, u32)>,
}

/// The progress of the grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GridProgress {
    /// Blocks of the grid.
    pub num_blocks: u32,
    /// Blocks that have started.
    pub started: u32,
    /// Blocks that have finished.
    pub finished: u32,
    /// The maximum number of resident blocks on the SM.
    pub resident_limit: u32,
}
