//! What can be seen in a machine: plain values for pictures and explanations, as of the cycle that
//! was stepped last. Made on demand; nothing here is kept.

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
    /// Its place in the block.
    pub warp_in_block: u32,
    /// What it does.
    pub state: WarpState,
    /// What it waits for.
    pub cause: WaitCause,
    /// The instruction it is at: the next to issue, or the one that issues in this cycle.
    pub pc: Pc,
    /// Lanes that are at it.
    pub active: LaneMask,
    /// Lanes that have exited; lanes that the block does not fill count as exited.
    pub exited: LaneMask,
    /// All lanes that live, by where they are.
    pub groups: Vec<LaneGroup>,
    /// Results that are under way.
    pub scoreboard: Vec<ScoreboardEntry>,
    /// The reconvergence stack, bottom first (Tesla to Pascal).
    pub stack: Vec<StackEntry>,
    /// Convergence barriers in use (Volta on).
    pub barriers: Vec<ConvergenceBarrier>,
    /// P0 to P6.
    pub predicates: [LaneMask; 7],
    /// Registers of a thread that the machine keeps; `Machine::register` has their values.
    pub num_registers: usize,
}

/// Lanes of a warp at one instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LaneGroup {
    /// Where they are.
    pub pc: Pc,
    /// Which.
    pub lanes: LaneMask,
    /// Why they do not run.
    pub status: LaneStatus,
}

/// What a lane does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LaneStatus {
    /// It runs when its turn comes.
    #[default]
    Running,
    /// Waits at a convergence barrier or a token of the stack.
    Converging,
    /// Waits for the lanes of a member mask.
    Syncing,
    /// Waits at the block's barrier.
    AtBarrier,
    /// On the stack: it runs when the lanes above it have ended (Tesla to Pascal).
    OnStack,
}

/// A result that has not arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScoreboardEntry {
    /// What is written.
    pub target: ScoreboardTarget,
    /// By which instruction.
    pub producer: Pc,
    /// When that issued.
    pub issued: Cycle,
    /// When a dependent instruction can issue.
    pub ready: Cycle,
    /// Whether that is only the earliest: instructions before it in the units may take longer.
    pub is_earliest: bool,
    /// The state in which a warp waits for it.
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
    /// What it stands for.
    pub kind: StackEntryKind,
    /// Where its lanes go on.
    pub target: Pc,
    /// Its lanes.
    pub lanes: LaneMask,
}

/// What an entry of the stack stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StackEntryKind {
    /// Lanes of a divergent branch that went the other way.
    Diverged,
    /// A token.
    Token(Token),
    /// A call.
    Call,
}

/// A convergence barrier register and the lanes it holds together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConvergenceBarrier {
    /// B0 to B15.
    pub register: u8,
    /// Depth of calls at which it was set.
    pub depth: u16,
    /// Lanes that will meet.
    pub members: LaneMask,
    /// Those of them that wait already.
    pub waiting: LaneMask,
}

/// A scheduler.
#[derive(Clone, Debug, PartialEq)]
pub struct SchedulerView {
    /// Its index.
    pub index: u8,
    /// From when on it can issue again.
    pub port_free: Cycle,
    /// Whom it issued from in this cycle, in order of dispatch.
    pub issued: Vec<(SlotIdx, Pc)>,
    /// Instructions that wait for a memory or special-function unit (MIO queue), oldest first.
    pub queue: Vec<QueueEntry>,
    /// Entries of that queue.
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
    /// The unit it goes to.
    pub pipe: PipeKind,
    /// When it came.
    pub entered: Cycle,
    /// When its unit takes it.
    pub leaves: Cycle,
}

/// A unit of a pipe.
#[derive(Clone, Debug, PartialEq)]
pub struct PipeView {
    /// What it runs.
    pub kind: PipeKind,
    /// The scheduler it belongs to; `None` if the SM's schedulers share it.
    pub scheduler: Option<u8>,
    /// Its index among those of its kind there.
    pub unit: u8,
    /// Until when no other instruction can enter.
    pub busy_until: Cycle,
    /// Instructions in it, oldest first.
    pub in_flight: Vec<InFlight>,
}

/// An instruction whose result has not arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InFlight {
    /// Slot of its warp.
    pub slot: SlotIdx,
    /// Its warp.
    pub warp: WarpId,
    /// The instruction.
    pub pc: Pc,
    /// When it entered the unit.
    pub started: Cycle,
    /// When it leaves room for the next.
    pub accepted: Cycle,
    /// When its result is there.
    pub done: Cycle,
}

/// An instruction that makes passes through the load/store units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PassView {
    /// Slot of its warp.
    pub slot: SlotIdx,
    /// The instruction.
    pub pc: Pc,
    /// When it issued.
    pub issued: Cycle,
    /// Passes that it has to make after this cycle.
    pub left: u16,
    /// Whether it makes one in this cycle.
    pub is_now: bool,
}

/// A memory request that is under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RequestView {
    /// Slot of its warp.
    pub slot: SlotIdx,
    /// Its warp.
    pub warp: WarpId,
    /// The instruction.
    pub pc: Pc,
    /// What it does.
    pub kind: RequestKind,
    /// The farthest level that answers it.
    pub level: MemoryLevel,
    /// When it issued.
    pub issued: Cycle,
    /// When its unit took it.
    pub started: Cycle,
    /// When its unit was or is through with it.
    pub served: Cycle,
    /// When its data or acknowledgement is there.
    pub done: Cycle,
    /// Passes in its unit.
    pub passes: u16,
}

/// A line of the L1 cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CacheLineView {
    /// Set.
    pub set: u32,
    /// Way.
    pub way: u32,
    /// Address of its first byte.
    pub address: u64,
    /// Sectors that hold data, one bit each.
    pub valid_sectors: u8,
    /// Sectors whose data is on its way.
    pub pending_sectors: u8,
    /// Sectors that were written and are only here.
    pub dirty_sectors: u8,
    /// When it was last used.
    pub last_use: Cycle,
}

/// The L1 cache.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CacheView {
    /// Sets.
    pub sets: u32,
    /// Ways.
    pub ways: u32,
    /// Bytes of a line.
    pub line_bytes: u32,
    /// Bytes of a sector.
    pub sector_bytes: u32,
    /// Lines that are in use.
    pub lines: Vec<CacheLineView>,
}

/// A resident block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockView {
    /// The block.
    pub block: BlockId,
    /// Its coordinates.
    pub index: [u32; 3],
    /// Slots of its warps.
    pub slots: Vec<SlotIdx>,
    /// Bytes of shared memory that it holds.
    pub shared_bytes: u32,
    /// Barriers at which somebody waits: index, warps or threads that have come, and how many must.
    pub barriers: Vec<(u8, u32, u32)>,
}

/// How far the grid is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GridProgress {
    /// Blocks of the grid.
    pub num_blocks: u32,
    /// Blocks that have started.
    pub started: u32,
    /// Blocks that have finished.
    pub finished: u32,
    /// Blocks that the SM can hold at once.
    pub resident_limit: u32,
}
