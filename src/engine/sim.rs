//! The machine: one SM, stepped a cycle at a time, that computes real values.
//!
//! `Machine::step` advances one SM clock and tells a [`Sink`] what happened. A machine can be
//! cloned: a clone is a checkpoint. Deterministic: same inputs, same events, bit for bit.
//! Knows nothing of clocks on the wall, of randomness or of drawing.

mod block_scheduler;
mod cache;
pub(crate) mod codec;
mod decode;
mod divergence;
mod dram;
pub mod exec;
mod gate;
pub mod image;
mod livelock;
mod lsu;
pub mod machine;
pub mod memory;
pub mod observer;
mod operands;
mod pairs;
mod order;
mod pipes;
pub mod reference;
mod route;
mod scheduler;
mod scoreboards;
mod sm;
pub mod space;
pub mod view;
#[cfg(test)]
mod tests;
mod traffic;
mod warp;

pub use machine::{LaunchError, Machine};
pub use route::{local_addresses, route};

use serde::{Deserialize, Serialize};

use crate::access::{AccessOp, GlobalCounts};
use crate::arch::{Architecture, BankSize, IssueOrder};
use crate::ids::{BlockId, Cycle, LaneMask, Pc, SlotIdx, WarpId};
use crate::isa::{Instruction, Space};
use crate::printf::Printed;

/// What a warp does in a cycle; every resident warp is in exactly one of these. Names are Nsight
/// Compute's stall reasons.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[repr(u8)]
pub enum WarpState {
    /// The slot holds no warp.
    #[default]
    Empty,
    /// Issues an instruction in this cycle.
    Selected,
    /// Could issue, but its scheduler took another warp (or its issue port is still busy).
    NotSelected,
    /// Waits a fixed time for the result of an earlier instruction.
    Wait,
    /// The pipe it needs is occupied.
    MathPipeThrottle,
    /// Waits for a result of shared memory, of the XU or of another variable-latency unit on the SM.
    ShortScoreboard,
    /// Waits for a result of global, local or texture memory.
    LongScoreboard,
    /// The queue to the memory input/output units is full.
    MioThrottle,
    /// The queue to the local and global memory unit is full.
    LgThrottle,
    /// The queue to the texture unit is full.
    TexThrottle,
    /// Waits at a block barrier.
    Barrier,
    /// Waits for its memory operations to be visible.
    Membar,
    /// Waits for a branch target to be known.
    BranchResolving,
    /// Waits for an instruction to be fetched.
    NoInstruction,
    /// Waits for a constant to be fetched.
    ImcMiss,
    /// The dispatch unit holds the instruction back.
    DispatchStall,
    /// All its lanes sleep or have yielded, or wait for other lanes at a convergence barrier.
    Sleeping,
    /// Has exited and waits for its stores to leave.
    Drain,
    /// A reason with no name of its own.
    Misc,
}

impl WarpState {
    /// All states, in the order of their numbers.
    pub const ALL: [Self; 19] = [
        Self::Empty,
        Self::Selected,
        Self::NotSelected,
        Self::Wait,
        Self::MathPipeThrottle,
        Self::ShortScoreboard,
        Self::LongScoreboard,
        Self::MioThrottle,
        Self::LgThrottle,
        Self::TexThrottle,
        Self::Barrier,
        Self::Membar,
        Self::BranchResolving,
        Self::NoInstruction,
        Self::ImcMiss,
        Self::DispatchStall,
        Self::Sleeping,
        Self::Drain,
        Self::Misc,
    ];

    /// Nsight Compute's name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Empty => "Empty",
            Self::Selected => "Selected",
            Self::NotSelected => "Not Selected",
            Self::Wait => "Wait",
            Self::MathPipeThrottle => "Math Pipe Throttle",
            Self::ShortScoreboard => "Short Scoreboard",
            Self::LongScoreboard => "Long Scoreboard",
            Self::MioThrottle => "MIO Throttle",
            Self::LgThrottle => "LG Throttle",
            Self::TexThrottle => "TEX Throttle",
            Self::Barrier => "Barrier",
            Self::Membar => "Membar",
            Self::BranchResolving => "Branch Resolving",
            Self::NoInstruction => "No Instruction",
            Self::ImcMiss => "IMC Miss",
            Self::DispatchStall => "Dispatch Stall",
            Self::Sleeping => "Sleeping",
            Self::Drain => "Drain",
            Self::Misc => "Misc",
        }
    }
}

/// How a scheduler picks among its eligible warps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SchedulerPolicy {
    /// The architecture's own.
    #[default]
    Chip,
    /// The next eligible one after the last that issued.
    Lrr,
    /// Stay with a warp until it stalls, then the oldest.
    Gto,
    /// Two groups: an active set of few warps in turn, others take the place of those that wait long.
    TwoLevel,
}

impl SchedulerPolicy {
    /// What it is on an architecture.
    #[must_use]
    pub fn on(self, arch: &Architecture) -> Self {
        match (self, arch.issue.order.value) {
            (Self::Chip, IssueOrder::RoundRobin) => Self::Lrr,
            (Self::Chip, IssueOrder::GreedyThenOldest) => Self::Gto,
            (chosen, _) => chosen,
        }
    }
}

/// `-Xptxas -dlcm`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LoadCaching {
    /// As the architecture does by default.
    #[default]
    Default,
    /// Global loads in L1 and L2.
    Ca,
    /// Global loads in L2 only.
    Cg,
}

impl LoadCaching {
    /// Whether ordinary global loads go through an architecture's L1.
    pub fn in_l1(self, arch: &Architecture) -> bool {
        arch.memory.l1.as_ref().is_some_and(|l1| match self {
            Self::Default => l1.caches_globals_by_default.value,
            Self::Ca => l1.caches_globals_by_default.value || l1.globals_can_opt_in.value,
            Self::Cg => l1.caches_globals_by_default.value && !l1.globals_can_opt_out.value,
        })
    }
}

/// What can be chosen about the machine and the run, beside the launch.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MachineOptions {
    /// Scheduling policy.
    pub policy: SchedulerPolicy,
    /// Shared memory of the SM in KiB (one of the architecture's carveouts); `None`: the driver's choice.
    pub carveout_kib: Option<u32>,
    /// `-dlcm`.
    pub load_caching: LoadCaching,
    /// Size of the banks of shared memory, as the host sets it; without effect where the architecture has no
    /// choice.
    #[serde(default)]
    pub bank_size: BankSize,
    /// Volta on: lanes of a warp run apart wherever nothing holds them together, even lanes ahead of odd
    /// ones, to show what lockstep habits break.
    pub adversarial: bool,
    /// The run ends with `Outcome::CycleBudget` after this many cycles.
    pub max_cycles: u64,
}

impl Default for MachineOptions {
    fn default() -> Self {
        Self {
            policy: SchedulerPolicy::Chip,
            carveout_kib: None,
            load_caching: LoadCaching::Default,
            bank_size: BankSize::FourByte,
            adversarial: false,
            max_cycles: 20_000_000,
        }
    }
}

impl MachineOptions {
    /// What of them an access follows.
    pub const fn memory(&self) -> MemoryOptions {
        MemoryOptions {
            load_caching: self.load_caching,
            bank_size: self.bank_size,
        }
    }
}

/// What can be chosen about the way of an access through the memories.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MemoryOptions {
    /// `-dlcm`.
    pub load_caching: LoadCaching,
    /// Size of the banks of shared memory.
    pub bank_size: BankSize,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Outcome {
    /// All blocks finished.
    Finished,
    /// The cycle budget was used up.
    CycleBudget,
    /// The memory budget for the trace was used up.
    MemoryBudget,
    /// An instruction did what it must not.
    Fault(Fault),
    /// Nothing can ever happen again: the warps named wait for each other.
    Deadlock {
        /// One sentence: who waits for what.
        reason: String,
        /// Warps that wait, with the pc at which they do and the lanes that wait there.
        waiting: Vec<(WarpId, Pc, LaneMask)>,
    },
}

/// What went wrong, where.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fault {
    /// What it was.
    pub kind: FaultKind,
    /// When.
    pub cycle: Cycle,
    /// Which instruction.
    pub pc: Pc,
    /// Which warp.
    pub warp: WarpId,
    /// Which lanes.
    pub lanes: LaneMask,
    /// The first lane's address, for memory faults.
    pub address: u64,
    /// One sentence for the user.
    pub message: String,
}

/// Kinds of faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "named after what they are")]
pub enum FaultKind {
    OutOfBounds,
    Misaligned,
    IllegalInstruction,
    Trap,
    StackOverflow,
    /// Warps that spin for what nobody will change.
    Livelock,
}

/// The sentence for a bad access.
fn fault_message(
    instruction: &Instruction,
    error: &memory::BadAccess,
    space: Space,
    device: &memory::DeviceMemory,
) -> String {
    let bytes = instruction.op.access_bytes();
    let verb = match instruction.op.describe().access {
        Some(AccessOp::Load) => "reads",
        Some(AccessOp::Store) => "writes",
        _ => "changes",
    };
    let memory = match space {
        Space::Global => "global memory",
        Space::Shared => "shared memory",
        Space::Local => "local memory",
        Space::Generic => "memory",
    };
    let lane = error.lanes.0.trailing_zeros();
    let address = error.address;
    let what = format!("Lane {lane} {verb} {bytes} bytes of {memory} at {address:#x}");
    if error.kind == FaultKind::Misaligned {
        return format!("{what}, which is not a multiple of {bytes}.");
    }
    let nearest = match space {
        Space::Global | Space::Generic => device.nearest(address),
        Space::Shared | Space::Local => None,
    };
    match nearest {
        Some(_) if address == 0 => format!("{what}, which is a null pointer."),
        Some(_) if address < NULL_BYTES => {
            format!("{what}, which is {address} bytes after a null pointer.")
        }
        Some(allocation) => {
            let (name, size) = (&allocation.name, allocation.size);
            let (distance, side) = match address.checked_sub(allocation.base) {
                // The byte after the last one is at a distance of 1, as compute-sanitizer counts.
                Some(offset) => (offset + 1 - size.min(offset + 1), "after"),
                None => (allocation.base - address, "before"),
            };
            let unit = if distance == 1 { "byte" } else { "bytes" };
            format!("{what}, {distance} {unit} {side} {name}, which has {size} bytes.")
        }
        None => format!("{what}, which is outside every allocation."),
    }
}

/// Addresses below are those of null pointers and of what is at a small distance from them.
pub const NULL_BYTES: u64 = 1 << 16;

/// Which part of memory answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[allow(missing_docs, reason = "named after themselves")]
pub enum MemoryLevel {
    Shared,
    Constant,
    Texture,
    L1,
    L2,
    Dram,
}

/// What kind of memory instruction a request is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[allow(missing_docs, reason = "named after themselves")]
pub enum RequestKind {
    SharedLoad,
    SharedStore,
    SharedAtomic,
    GlobalLoad,
    GlobalStore,
    GlobalAtomic,
    GlobalReduction,
    LocalLoad,
    LocalStore,
    ConstantLoad,
    /// Through texture units that are apart from L1.
    TextureLoad,
    /// LDU: through the constant cache.
    UniformLoad,
}

impl RequestKind {
    /// Whether it goes through shared memory's banks.
    pub const fn is_shared(self) -> bool {
        matches!(self, Self::SharedLoad | Self::SharedStore | Self::SharedAtomic)
    }
}

/// An instruction leaves a scheduler.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Issue {
    /// Slot of the warp.
    pub slot: SlotIdx,
    /// The warp.
    pub warp: WarpId,
    /// Scheduler index.
    pub scheduler: u8,
    /// Dispatch unit of the scheduler: 0, or 1 for the second of a pair.
    pub dispatch: u8,
    /// The instruction.
    pub pc: Pc,
    /// Lanes that are active at this pc.
    pub active: LaneMask,
    /// Those of them whose guard is true.
    pub executed: LaneMask,
    /// Conditional branch that sent active lanes both ways.
    pub diverged: bool,
}

/// A warp-wide memory access as its unit served it.
#[derive(Clone, Debug, PartialEq)]
pub struct Access {
    /// Slot of the warp.
    pub slot: SlotIdx,
    /// The warp.
    pub warp: WarpId,
    /// The instruction.
    pub pc: Pc,
    /// When it was issued.
    pub issued: Cycle,
    /// When its first pass went through the unit.
    pub started: Cycle,
    /// When the last lane's data (or acknowledgement) is there.
    pub done: Cycle,
    /// What kind.
    pub kind: RequestKind,
    /// Bits a lane.
    pub width_bits: u16,
    /// Lanes that took part.
    pub mask: LaneMask,
    /// Addresses of the lanes (offsets in shared memory for shared accesses); 0 for others.
    pub addresses: [u64; 32],
    /// Passes through shared memory (wavefronts); 0 for other spaces. Conflicts are those beyond the
    /// number that the width needs.
    pub wavefronts: u16,
    /// Wavefronts that a conflict-free access of this width and mask would take.
    pub ideal_wavefronts: u16,
    /// L1 requests.
    pub requests: u16,
    /// 32-byte sectors touched (Pascal on), or those that the architecture's transactions cover.
    pub sectors: u16,
    /// Transactions of the architecture's own size (segments, lines, sectors).
    pub transactions: u16,
    /// Bytes those transactions move.
    pub bytes: u32,
    /// Sectors (or lines) that hit in L1.
    pub l1_hits: u16,
    /// Sectors (or lines) that hit in L2.
    pub l2_hits: u16,
    /// The farthest level that answered.
    pub level: MemoryLevel,
}

impl Access {
    /// Notes what its transactions are.
    pub(crate) const fn count(&mut self, counts: GlobalCounts) {
        self.requests = counts.requests;
        self.sectors = counts.sectors;
        self.transactions = counts.transactions;
        self.bytes = counts.bytes;
    }
}

/// Receives what happens in a machine. The recorder of `trace` is one; `()` drops everything.
pub trait Sink {
    /// Whether it knows of groups, and that whoever issues is selected. To one that does not, each change
    /// of each slot is told.
    const KNOWS_GROUPS: bool = false;
    /// A slot changes its state from now on whenever a group does, until something else is told of it.
    /// Its state was told, and is that of the group.
    fn join(&mut self, _cycle: Cycle, _slot: SlotIdx, _group: u8, _state: WarpState) {}
    /// The slots of a group change their state: from Not Selected to the throttle of what they wait for, or
    /// back.
    fn group(&mut self, _cycle: Cycle, _group: u8, _state: WarpState) {}
    /// A slot changes its state at this cycle (called only for changes). `pc` is the next instruction.
    fn state(&mut self, _cycle: Cycle, _slot: SlotIdx, _state: WarpState, _pc: Pc) {}
    /// An instruction issues.
    fn issue(&mut self, _cycle: Cycle, _issue: &Issue) {}
    /// A memory access was accepted by its unit. Its times are known, or, where they depend on what issues
    /// later, are the earliest at which it can be.
    fn access(&mut self, _cycle: Cycle, _access: &Access) {}
    /// More is known of when an access starts and when it is done, whose number is how many were told of
    /// before it.
    fn access_served(&mut self, _number: u32, _started: Cycle, _done: Cycle) {}
    /// Whether it is told which lines of caches an access came to.
    const SEES_CACHES: bool = false;
    /// An access came to a line of a cache: before [`Sink::access`] tells of the access. Only to those that see caches.
    fn cache_touched(&mut self, _cycle: Cycle, _touch: &CacheTouch) {}
    /// A block becomes resident: its index and first slot.
    fn block_started(&mut self, _cycle: Cycle, _block: BlockId, _slots: &[SlotIdx]) {}
    /// A block has finished.
    fn block_finished(&mut self, _cycle: Cycle, _block: BlockId) {}
    /// A barrier of a block opened.
    fn barrier_released(&mut self, _cycle: Cycle, _block: BlockId, _barrier: u8) {}
    /// A lane calls `printf`, or fails an assertion.
    fn printed(&mut self, _printed: Printed) {}
    /// Diverged groups of a warp came together.
    fn reconverged(&mut self, _cycle: Cycle, _slot: SlotIdx, _pc: Pc, _active: LaneMask) {}
    /// The check that follows the run, if there is one.
    #[inline(always)]
    fn observer(&mut self) -> Option<&mut dyn observer::Observer> {
        None
    }
}

impl Sink for () {
    // Nothing is told sooner of a group than of each of its slots.
    const KNOWS_GROUPS: bool = true;
}

/// A cache of the SM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CacheKind {
    /// The first-level data cache.
    L1,
    /// The first-level constant cache.
    Constant,
    /// The texture cache, where it is apart from L1.
    Texture,
}

impl CacheKind {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::L1, Self::Constant, Self::Texture];

    /// As pages call it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::L1 => "L1",
            Self::Constant => "constant cache",
            Self::Texture => "texture cache",
        }
    }
}

/// A sector that an access wanted of a cache, and its line just after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CacheTouch {
    /// Which cache.
    pub cache: CacheKind,
    /// Its first byte.
    pub address: u64,
    /// Bytes of it.
    pub bytes: u32,
    /// The set of its line.
    pub set: u32,
    /// The way in which its line is; none where it is not there.
    pub way: Option<u32>,
    /// Sectors of the line that are valid, one bit each.
    pub valid_sectors: u8,
}

/// What a warp waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum WaitCause {
    /// Nothing.
    None,
    /// A register written by an earlier instruction.
    Register {
        /** The register. */
        reg: u8,
        /** Who writes it. */
        producer: Pc,
        /** When that issued. */
        issued: Cycle,
        /** When it arrives, if known. */
        ready: Option<Cycle>,
        /** Whether only the instruction needs it that issues with the warp's next one. */
        for_second: bool,
        /** Whether that is only the earliest: instructions before it in the units may take longer. */
        is_earliest: bool,
    },
    /// A predicate written by an earlier instruction.
    Predicate {
        /** The predicate. */
        pred: u8,
        /** Who writes it. */
        producer: Pc,
        /** When that issued. */
        issued: Cycle,
        /** When it arrives. */
        ready: Option<Cycle>,
        /** Whether only the instruction needs it that issues with the warp's next one. */
        for_second: bool,
    },
    /// A pipe until a cycle.
    Pipe {
        /** Which. */
        kind: crate::arch::PipeKind,
        /** Free at. */
        free: Cycle,
    },
    /// A queue that is full.
    Queue {
        /** Entries in it. */
        used: u16,
        /** Entries it holds. */
        capacity: u16,
    },
    /// A block barrier.
    Barrier {
        /** Its id. */
        id: u8,
        /** Warps (threads from Volta on, in warps) that have come. */
        arrived: u16,
        /** Of so many. */
        expected: u16,
    },
    /// Another warp was taken.
    OtherWarp(SlotIdx),
    /// A cycle.
    Until(Cycle),
    /// Other lanes of the warp at a convergence barrier or on the stack.
    Lanes(LaneMask),
}
