//! The machine: one SM that executes a kernel cycle by cycle and computes real values.
//!
//! `Machine::step` advances the SM clock by one cycle and reports events to a [`Sink`]. A clone of a machine
//! is a checkpoint. The simulation is deterministic: the same inputs produce the same events, bit for bit. It
//! uses no wall clock, no randomness, and no drawing.

mod block_scheduler;
mod cache;
pub(crate) mod codec;
mod decode;
mod divergence;
pub mod device;
mod atomic_units;
mod dram;
pub mod exec;
mod lsu_arbiter;
pub mod image;
pub(crate) mod intake;
mod livelock;
mod lsu;
pub mod machine;
pub mod memory;
pub mod observer;
mod operands;
mod outbox;
mod pairs;
pub(crate) mod parts;
mod updates;
mod pipes;
mod products;
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
mod without;

pub use livelock::yields_of;
pub use machine::{LaunchError, Machine};
pub use route::{local_addresses, route};
pub use without::{Removed, Without};

use serde::{Deserialize, Serialize};

use crate::access::{AccessOp, GlobalCounts};
use crate::arch::{Architecture, BankSize, IssueOrder};
use crate::ids::{BlockId, Cycle, LaneMask, Pc, SlotIdx, WarpId};
use crate::isa::{Instruction, Space};
use crate::printf::Printed;

/// The state of a warp in one cycle. Every resident warp is in exactly one state. The names are Nsight
/// Compute's stall reasons.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[repr(u8)]
pub enum WarpState {
    /// The slot holds no warp.
    #[default]
    Empty,
    /// Issues an instruction in this cycle.
    Selected,
    /// Is eligible, but its scheduler selected another warp, or its issue port is still busy.
    NotSelected,
    /// Stalls on the fixed latency of an earlier instruction.
    Wait,
    /// Stalls because the pipe of its next instruction is busy.
    MathPipeThrottle,
    /// Stalls on a result of shared memory, the XU, or another variable-latency unit of the SM.
    ShortScoreboard,
    /// Stalls on a result of global, local, or texture memory.
    LongScoreboard,
    /// Stalls because the queue to the memory input/output (MIO) units is full.
    MioThrottle,
    /// Stalls because the queue to the local and global memory unit is full.
    LgThrottle,
    /// Stalls because the queue to the texture unit is full.
    TexThrottle,
    /// Stalls at a block barrier.
    Barrier,
    /// Stalls until its memory operations are visible.
    Membar,
    /// Stalls until a branch target is resolved.
    BranchResolving,
    /// Stalls on an instruction fetch.
    NoInstruction,
    /// Stalls on a constant cache miss.
    ImcMiss,
    /// Stalls because the dispatch unit holds the instruction back.
    DispatchStall,
    /// All its lanes sleep, have yielded, or wait for other lanes at a convergence barrier.
    Sleeping,
    /// Has exited; its stores are still draining.
    Drain,
    /// Stalls for a reason without a name of its own.
    Misc,
}

impl WarpState {
    /// All states, in numeric order.
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

    /// The name in Nsight Compute.
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

/// How a scheduler selects among its eligible warps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SchedulerPolicy {
    /// The architecture's own policy.
    #[default]
    Chip,
    /// Loose round-robin: the next eligible warp after the warp that issued last.
    Lrr,
    /// Greedy, then oldest: the same warp until it stalls, then the oldest eligible warp.
    Gto,
    /// A small active set of warps issues round-robin; a warp with a long stall is replaced by a parked warp.
    TwoLevel,
}

impl SchedulerPolicy {
    /// Resolves [`SchedulerPolicy::Chip`] to the policy of an architecture.
    #[must_use]
    pub fn on(self, arch: &Architecture) -> Self {
        match (self, arch.issue.order.value) {
            (Self::Chip, IssueOrder::RoundRobin) => Self::Lrr,
            (Self::Chip, IssueOrder::GreedyThenOldest) => Self::Gto,
            (chosen, _) => chosen,
        }
    }
}

/// The cache levels of global loads, as `-Xptxas -dlcm` sets them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LoadCaching {
    /// The architecture's default.
    #[default]
    Default,
    /// Global loads are cached in L1 and L2.
    Ca,
    /// Global loads are cached in L2 only.
    Cg,
}

impl LoadCaching {
    /// Whether ordinary global loads go through L1 on an architecture.
    pub fn in_l1(self, arch: &Architecture) -> bool {
        arch.memory.l1.as_ref().is_some_and(|l1| match self {
            Self::Default => l1.caches_globals_by_default.value,
            Self::Ca => l1.caches_globals_by_default.value || l1.globals_can_opt_in.value,
            Self::Cg => l1.caches_globals_by_default.value && !l1.globals_can_opt_out.value,
        })
    }
}

/// The options of the machine and of the run, apart from the launch configuration.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MachineOptions {
    /// Scheduling policy.
    pub policy: SchedulerPolicy,
    /// Shared memory of the SM in KB: one of the architecture's carveouts. `None`: the driver's choice.
    pub carveout_kib: Option<u32>,
    /// Cache levels of global loads (`-dlcm`).
    pub load_caching: LoadCaching,
    /// Size of shared memory banks, as the host sets it. No effect where the architecture has a fixed size.
    #[serde(default)]
    pub bank_size: BankSize,
    /// Worst-case interleaving of lanes (Volta and later): lanes of a warp diverge wherever no
    /// synchronization prevents it, and even lanes run ahead of odd lanes. This exposes code that relies on
    /// lockstep.
    pub adversarial: bool,
    /// The run ends with `Outcome::CycleBudget` after this many cycles.
    pub max_cycles: u64,
    /// The machine is this SM of a whole device, and gets those of the grid's blocks that the device's SMs leave to it.
    /// `None`: one SM alone, which runs all blocks.
    #[serde(default)]
    pub sm: Option<u16>,
    /// Only this many blocks of the grid run, the first ones; `None`: all. The grid has its size for the kernel.
    #[serde(default)]
    pub first_blocks: Option<u32>,
    /// The causes of delay that a hypothetical machine lacks; empty for every real machine.
    #[serde(default)]
    pub without: Without,
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
            sm: None,
            first_blocks: None,
            without: Without::NONE,
        }
    }
}

impl MachineOptions {
    /// The blocks of a grid that run.
    pub fn num_blocks(&self, grid: [u32; 3]) -> u32 {
        let all: u32 = grid.iter().product();
        self.first_blocks.map_or(all, |first| all.min(first.max(1)))
    }

    /// The options that affect memory accesses.
    pub const fn memory(&self) -> MemoryOptions {
        MemoryOptions {
            load_caching: self.load_caching,
            bank_size: self.bank_size,
        }
    }
}

/// The options that affect how an access travels through the memory hierarchy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MemoryOptions {
    /// Cache levels of global loads (`-dlcm`).
    pub load_caching: LoadCaching,
    /// Size of shared memory banks.
    pub bank_size: BankSize,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Outcome {
    /// All blocks finished.
    Finished,
    /// The cycle limit was reached.
    CycleBudget,
    /// The memory budget of the trace was used up.
    MemoryBudget,
    /// An instruction faulted.
    Fault(Fault),
    /// No warp can ever make progress: the listed warps wait for each other.
    Deadlock {
        /// One sentence: which warps wait, and for what.
        reason: String,
        /// The waiting warps, each with its pc and the waiting lanes.
        waiting: Vec<(WarpId, Pc, LaneMask)>,
    },
}

impl Outcome {
    /// Whether the run ended because resident blocks wait for blocks that do not fit on one SM alone: only a run of the
    /// device shows whether they end.
    pub fn needs_device(&self) -> bool {
        matches!(self, Self::Fault(fault) if fault.kind == FaultKind::NotAlone)
    }
}

/// A fault: what happened, and where.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fault {
    /// The kind of fault.
    pub kind: FaultKind,
    /// The cycle of the fault.
    pub cycle: Cycle,
    /// The faulting instruction.
    pub pc: Pc,
    /// The faulting warp.
    pub warp: WarpId,
    /// The faulting lanes.
    pub lanes: LaneMask,
    /// The address of the first faulting lane, for memory faults.
    pub address: u64,
    /// One sentence for the user.
    pub message: String,
}

/// Kinds of faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub enum FaultKind {
    OutOfBounds,
    Misaligned,
    IllegalInstruction,
    Trap,
    StackOverflow,
    /// Warps spin on a value that no warp will change.
    Livelock,
    /// Lanes spin on a value that lanes of the same warp would change. Up to Pascal, these run only after the loop.
    DivergentLivelock,
    /// Resident blocks wait for blocks that never start: the device does not hold the grid.
    NotResident,
    /// Resident blocks wait for blocks that do not fit on one SM alone. Only a run of the device shows whether it ends.
    NotAlone,
}

impl FaultKind {
    /// Whether the run would never end.
    pub const fn is_livelock(self) -> bool {
        matches!(
            self,
            Self::Livelock | Self::DivergentLivelock | Self::NotResident | Self::NotAlone
        )
    }
}

/// The message for a bad access.
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
                // The first byte after the allocation has distance 1, as compute-sanitizer counts.
                Some(offset) => (offset + 1 - size.min(offset + 1), "after"),
                None => (allocation.base - address, "before"),
            };
            let unit = if distance == 1 { "byte" } else { "bytes" };
            format!("{what}, {distance} {unit} {side} {name}, which has {size} bytes.")
        }
        None => format!("{what}, which is outside every allocation."),
    }
}

/// Addresses below this limit are null pointers or near null pointers.
pub const NULL_BYTES: u64 = 1 << 16;

/// The level of the memory hierarchy that served a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub enum MemoryLevel {
    Shared,
    Constant,
    Texture,
    L1,
    L2,
    Dram,
}

/// The kind of memory instruction of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
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
    /// A load through texture units that are separate from L1.
    TextureLoad,
    /// LDU: a load through the constant cache.
    UniformLoad,
    /// The side of LDGSTS that reads global memory.
    CopyLoad,
    /// The side of LDGSTS that writes shared memory.
    CopyStore,
}

impl RequestKind {
    /// Whether the request uses the banks of shared memory.
    pub const fn is_shared(self) -> bool {
        matches!(
            self,
            Self::SharedLoad | Self::SharedStore | Self::SharedAtomic | Self::CopyStore
        )
    }
}

/// The issue of one instruction by a scheduler.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Issue {
    /// Slot of the warp.
    pub slot: SlotIdx,
    /// The warp.
    pub warp: WarpId,
    /// Scheduler index.
    pub scheduler: u8,
    /// Dispatch unit of the scheduler: 0, or 1 for the second instruction of a pair.
    pub dispatch: u8,
    /// The instruction.
    pub pc: Pc,
    /// Active lanes at this pc.
    pub active: LaneMask,
    /// Active lanes whose guard predicate is true.
    pub executed: LaneMask,
    /// Whether this is a conditional branch whose active lanes diverged.
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
    /// The cycle of its issue.
    pub issued: Cycle,
    /// The cycle of its first wavefront in the unit.
    pub started: Cycle,
    /// The cycle in which the last lane's data or acknowledgment arrives.
    pub done: Cycle,
    /// The kind of instruction.
    pub kind: RequestKind,
    /// Bits per lane.
    pub width_bits: u16,
    /// Lanes that take part.
    pub mask: LaneMask,
    /// The address of each lane (an offset for shared memory); 0 for lanes that take no part.
    pub addresses: [u64; 32],
    /// Wavefronts through shared memory; 0 for other spaces. Wavefronts beyond `ideal_wavefronts` are bank
    /// conflicts.
    pub wavefronts: u16,
    /// Wavefronts that a conflict-free access of this width and mask would take.
    pub ideal_wavefronts: u16,
    /// Requests to L1.
    pub requests: u16,
    /// 32-byte sectors accessed (Pascal and later), or the sectors that the architecture's transactions
    /// cover.
    pub sectors: u16,
    /// Transactions of the architecture's own size: segments, lines, or sectors.
    pub transactions: u16,
    /// Bytes that these transactions move.
    pub bytes: u32,
    /// Sectors (or lines) that hit in L1.
    pub l1_hits: u16,
    /// Sectors (or lines) that hit in L2.
    pub l2_hits: u16,
    /// The farthest level that served a part of the access.
    pub level: MemoryLevel,
}

impl Access {
    /// Stores the transaction counts of the access.
    pub(crate) const fn count(&mut self, counts: GlobalCounts) {
        self.requests = counts.requests;
        self.sectors = counts.sectors;
        self.transactions = counts.transactions;
        self.bytes = counts.bytes;
    }
}

/// A receiver of a machine's events. The recorder of `trace` is a sink; `()` drops every event.
pub trait Sink {
    /// Whether the sink supports groups of slots and infers [`WarpState::Selected`] from issues. A sink
    /// without group support receives each state change of each slot.
    const SUPPORTS_GROUPS: bool = false;
    /// A slot joins a group. From now on it changes its state whenever the group does, until another event
    /// reports its state. The slot's current state is already reported and equals the group's state.
    fn join(&mut self, _cycle: Cycle, _slot: SlotIdx, _group: u8, _state: WarpState) {}
    /// All slots of a group change their state: from Not Selected to the throttle state of their pipe or
    /// queue, or back.
    fn group(&mut self, _cycle: Cycle, _group: u8, _state: WarpState) {}
    /// A slot changes its state in this cycle (called for changes only). `pc` is the next instruction.
    fn state(&mut self, _cycle: Cycle, _slot: SlotIdx, _state: WarpState, _pc: Pc) {}
    /// An instruction issues.
    fn issue(&mut self, _cycle: Cycle, _issue: &Issue) {}
    /// A unit accepts a memory access. Its times are final, or, where they depend on later issues, the
    /// earliest possible ones.
    fn access(&mut self, _cycle: Cycle, _access: &Access) {}
    /// Updates the start and end of an access. `number` counts the accesses that were reported before it.
    fn access_served(&mut self, _number: u32, _started: Cycle, _done: Cycle) {}
    /// Whether the sink receives the cache lines that accesses touch.
    const RECORDS_CACHES: bool = false;
    /// An access touches a cache line. Called before [`Sink::access`] of the same access, only if the sink
    /// records caches.
    fn cache_touched(&mut self, _cycle: Cycle, _touch: &CacheTouch) {}
    /// A block becomes resident: its index and its slots.
    fn block_started(&mut self, _cycle: Cycle, _block: BlockId, _slots: &[SlotIdx]) {}
    /// A block finishes.
    fn block_finished(&mut self, _cycle: Cycle, _block: BlockId) {}
    /// A barrier of a block releases its warps.
    fn barrier_released(&mut self, _cycle: Cycle, _block: BlockId, _barrier: u8) {}
    /// A lane calls `printf` or fails an assertion.
    fn printed(&mut self, _printed: Printed) {}
    /// Diverged groups of a warp reconverge.
    fn reconverged(&mut self, _cycle: Cycle, _slot: SlotIdx, _pc: Pc, _active: LaneMask) {}
    /// The check that observes the run, if any.
    #[inline(always)]
    fn observer(&mut self) -> Option<&mut dyn observer::Observer> {
        None
    }
}

impl Sink for () {
    // Group events carry the same information earlier, and this sink drops all events.
    const SUPPORTS_GROUPS: bool = true;
}

/// A first-level cache of the SM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CacheKind {
    /// The first-level data cache.
    L1,
    /// The first-level constant cache.
    Constant,
    /// The texture cache, where it is separate from L1.
    Texture,
}

impl CacheKind {
    /// All kinds.
    pub const ALL: [Self; 3] = [Self::L1, Self::Constant, Self::Texture];

    /// The name on the page.
    pub const fn name(self) -> &'static str {
        match self {
            Self::L1 => "L1",
            Self::Constant => "constant cache",
            Self::Texture => "texture cache",
        }
    }
}

/// A sector that an access touches in a cache, and the state of its line afterward.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CacheTouch {
    /// The cache.
    pub cache: CacheKind,
    /// The first byte of the sector.
    pub address: u64,
    /// Bytes of the sector.
    pub bytes: u32,
    /// The set of the line.
    pub set: u32,
    /// The way that holds the line; `None` if the line is not in the cache.
    pub way: Option<u32>,
    /// The valid sectors of the line, one bit each.
    pub valid_sectors: u8,
}

/// The cause of a warp's stall.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum WaitCause {
    /// No stall.
    None,
    /// A register written by an earlier instruction.
    Register {
        /// The register.
        reg: u8,
        /// The instruction that writes it.
        producer: Pc,
        /// The issue cycle of that instruction.
        issued: Cycle,
        /// The cycle in which the value is ready, if known.
        ready: Option<Cycle>,
        /// Whether only the dual-issue partner of the next instruction reads it.
        for_second: bool,
        /// Whether this is only the earliest cycle: older instructions in the units can delay it.
        is_earliest: bool,
    },
    /// A predicate written by an earlier instruction.
    Predicate {
        /// The predicate.
        pred: u8,
        /// The instruction that writes it.
        producer: Pc,
        /// The issue cycle of that instruction.
        issued: Cycle,
        /// The cycle in which the value is ready.
        ready: Option<Cycle>,
        /// Whether only the dual-issue partner of the next instruction reads it.
        for_second: bool,
    },
    /// Copies from global to shared memory that have not landed.
    Copies {
        /// The number of newest groups that the warp does not wait for.
        left: u8,
        /// The copy that lands last.
        producer: Pc,
        /// The issue cycle of that copy.
        issued: Cycle,
        /// The cycle in which it lands, if known.
        ready: Option<Cycle>,
    },
    /// A pipe that is busy until a cycle.
    Pipe {
        /// The kind of pipe.
        kind: crate::arch::PipeKind,
        /// The cycle in which it is free.
        free: Cycle,
    },
    /// A full queue.
    Queue {
        /// Its number of entries.
        used: u16,
        /// Its capacity.
        capacity: u16,
    },
    /// A block barrier.
    Barrier {
        /// The barrier index.
        id: u8,
        /// Warps that have arrived; from Volta on, threads in units of warps.
        arrived: u16,
        /// Warps that must arrive.
        expected: u16,
    },
    /// The scheduler selected another warp.
    OtherWarp(SlotIdx),
    /// A fixed cycle.
    Until(Cycle),
    /// Other lanes of the warp, at a convergence barrier or on the reconvergence stack.
    Lanes(LaneMask),
}
