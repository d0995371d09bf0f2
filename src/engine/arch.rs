//! Architectures as data: the units of an SM, the costs of instructions, and the source of every number. This module
//! does not depend on kernels or the simulation.

mod ada;
mod ampere;
mod atomic_units;
mod channels;
mod copies;
mod cost;
mod cuda_error;
mod curves;
mod exchange;
mod fermi;
mod hopper;
mod kepler;
mod launch_check;
mod limits;
mod maxwell;
mod memory;
mod occupancy;
mod pascal;
mod policies;
mod sourced;
mod sources;
mod swaps;
mod tesla;
#[cfg(test)]
mod tests;
mod turing;
mod volta;
mod write_port;
mod floor;
mod host;
mod l2_partitions;
mod yields;

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

pub use atomic_units::AtomicUnits;
pub use channels::Channels;
pub use copies::Copies;
pub use cost::{OpClass, OpCost, Pipe, PipeKind, PipeScope};
pub use cuda_error::CudaError;
pub use curves::{CurveQuantity, MEASURED_CURVES, MeasuredCurve};
pub use exchange::{Exchange, exchanged};
pub use floor::{Floor, MemoryStacks, places};
pub use host::{Host, NvLink, Sharing};
pub(crate) use l2_partitions::FarAddresses;
pub use l2_partitions::L2Partitions;
pub use launch_check::{LaunchRefusal, LimitedResource, ProgramResources, check_launch, check_opt_in};
pub use limits::{LaunchLimits, OccupancyRules, RegisterScope};
pub use memory::{
    Atomics, BankRule, BankSize, Banks, CoalescingRule, ConstantMemory, DeviceMemory, L1, L1Capacity, L2,
    Memory, Partitions, Queues, SetIndex, SharedMemory, TextureCache, TexturePath, UnitGate, WritePolicy,
    curve_at,
};
pub use occupancy::{GlobalCaching, LaunchResources, Limiter, Occupancy, occupancy, occupancy_rules};
pub use policies::{POLICIES, Policies};
pub use sourced::{Alternative, Quality, Sourced, ValueRow};
pub use sources::{Conflict, SOURCES, SourceTitle, source_title};
pub use swaps::Swaps;
pub use write_port::WritePort;
pub use yields::Yields;

use cost::{
    AS_REDUCTION, CostTable, REDUCTION_LATENCY, costs, curve, fixed, kib_list, per_scheduler, per_sm, rate,
    scoreboard,
};
use sourced::{ValueText, sourced_struct};

/// Lanes of a warp, on every architecture.
pub const WARP_SIZE: u32 = 32;

/// The architectures. Ids are used in links and are never reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs, reason = "chips are named by their own names")]
pub enum ArchId {
    G80,
    Gt200,
    Gf100,
    Gf104,
    Gk110,
    Gm204,
    Gp100,
    Gp104,
    Gv100,
    Tu102,
    Ga100,
    Ga102,
    Ad102,
    /// The chip on which this project's measurements were made.
    Gh100,
}

impl ArchId {
    /// All of them, oldest first.
    pub const ALL: [Self; 14] = [
        Self::G80,
        Self::Gt200,
        Self::Gf100,
        Self::Gf104,
        Self::Gk110,
        Self::Gm204,
        Self::Gp100,
        Self::Gp104,
        Self::Gv100,
        Self::Tu102,
        Self::Ga100,
        Self::Ga102,
        Self::Ad102,
        Self::Gh100,
    ];

    /// The chip of links and commands that name none.
    pub const DEFAULT: Self = Self::Tu102;

    /// Returns the ID that links and the command line use.
    pub const fn text(self) -> &'static str {
        match self {
            Self::G80 => "g80",
            Self::Gt200 => "gt200",
            Self::Gf100 => "gf100",
            Self::Gf104 => "gf104",
            Self::Gk110 => "gk110",
            Self::Gm204 => "gm204",
            Self::Gp100 => "gp100",
            Self::Gp104 => "gp104",
            Self::Gv100 => "gv100",
            Self::Tu102 => "tu102",
            Self::Ga100 => "ga100",
            Self::Ga102 => "ga102",
            Self::Ad102 => "ad102",
            Self::Gh100 => "gh100",
        }
    }
}

impl ArchId {
    /// The generation.
    pub fn generation(self) -> Generation {
        architecture(self).generation
    }

    /// The compute capability as one number, 750 for 7.5.
    pub fn capability(self) -> u16 {
        architecture(self).compute_capability.number()
    }

    /// Whether the chip is of this generation or a later one.
    pub fn is_from(self, generation: Generation) -> bool {
        self.generation() >= generation
    }
}

impl fmt::Display for ArchId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

/// An unknown architecture ID.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "no architecture is named `{0}`; use g80, gt200, gf100, gf104, gk110, gm204, gp100, gp104, gv100, tu102, ga100, ga102, ad102, or gh100"
)]
pub struct UnknownArchitecture(pub String);

impl FromStr for ArchId {
    type Err = UnknownArchitecture;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|id| id.text().eq_ignore_ascii_case(text))
            .ok_or_else(|| UnknownArchitecture(text.to_owned()))
    }
}

/// A CUDA compute capability.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct ComputeCapability {
    /// The major number: 7 in 7.5.
    pub major: u8,
    /// The minor number: 5 in 7.5.
    pub minor: u8,
}

impl ComputeCapability {
    /// As one number, 750 for 7.5.
    pub const fn number(self) -> u16 {
        self.major as u16 * 100 + self.minor as u16 * 10
    }

    /// Whether a chip of this compute capability runs binary code for another one: the same major number, and no later
    /// minor number (CUDA C++ Programming Guide, binary compatibility).
    pub const fn runs(self, code: Self) -> bool {
        self.major == code.major && self.minor >= code.minor
    }
}

impl fmt::Display for ComputeCapability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

/// The GPU generations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[allow(missing_docs, reason = "named by NVIDIA")]
pub enum Generation {
    Tesla,
    Fermi,
    Kepler,
    Maxwell,
    Pascal,
    Volta,
    Turing,
    Ampere,
    Ada,
    Hopper,
}

impl Generation {
    /// Returns the display name.
    pub const fn text(self) -> &'static str {
        match self {
            Self::Tesla => "Tesla",
            Self::Fermi => "Fermi",
            Self::Kepler => "Kepler",
            Self::Maxwell => "Maxwell",
            Self::Pascal => "Pascal",
            Self::Volta => "Volta",
            Self::Turing => "Turing",
            Self::Ampere => "Ampere",
            Self::Ada => "Ada",
            Self::Hopper => "Hopper",
        }
    }
}

/// How diverged lanes of a warp reconverge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum DivergenceModel {
    /// One program counter per warp and a stack of active masks (Tesla to Pascal).
    ReconvergenceStack,
    /// One program counter per lane and convergence barriers (Volta and later).
    ConvergenceBarriers,
}

/// Which eligible warp a scheduler selects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum IssueOrder {
    /// The warp that issued last while it is eligible, then the oldest eligible warp.
    GreedyThenOldest,
    /// The next eligible warp after the warp that issued last.
    RoundRobin,
}

impl IssueOrder {
    /// Returns the display text.
    pub const fn text(self) -> &'static str {
        match self {
            Self::GreedyThenOldest => "greedy, then oldest warp",
            Self::RoundRobin => "round robin",
        }
    }
}

/// What pairs two instructions of a warp for dual issue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Pairing {
    /// Nothing: a scheduler issues one instruction at a time.
    None,
    /// The scheduler, when it issues the first instruction.
    Scheduler,
    /// The compiler, which marks the first instruction of a pair in the code.
    Compiler,
}

impl ValueText for Pairing {
    fn value_text(&self) -> String {
        match self {
            Self::None => "none: one instruction per issue",
            Self::Scheduler => "by the scheduler, at issue",
            Self::Compiler => "by the compiler, in the code",
        }
        .to_owned()
    }
}

impl ValueText for IssueOrder {
    fn value_text(&self) -> String {
        self.text().to_owned()
    }
}

impl ValueText for DivergenceModel {
    fn value_text(&self) -> String {
        match self {
            Self::ReconvergenceStack => "one program counter per warp, reconvergence stack",
            Self::ConvergenceBarriers => "one program counter per lane, convergence barriers",
        }
        .to_owned()
    }
}

sourced_struct! {
    /// The chip and the board whose numbers are simulated.
    pub struct Chip {
        /// A product with this chip.
        example_part: &'static str, "";
        /// SMs of that product.
        num_sms: u16, "SMs";
        /// Clock frequency of an SM (the shader clock on Tesla and Fermi).
        sm_clock_mhz: u16, "MHz";
        /// Width of the memory bus.
        dram_bits: u16, "bits";
        /// Peak bandwidth of device memory.
        dram_gb_per_s: f64, "GB/s";
    }
}

sourced_struct! {
    /// How an SM issues instructions.
    pub struct Issue {
        /// Warp schedulers of an SM; a warp belongs to scheduler (warp slot mod schedulers).
        schedulers: u16, "schedulers";
        /// Independent instructions of one warp that a scheduler can issue together.
        dispatches: u16, "instructions";
        /// What pairs instructions for dual issue.
        pairing: Pairing, "";
        /// Minimum interval between two issues of a scheduler, in SM clocks.
        issue_interval_cycles: u16, "cycles";
        /// Extra latency when an integer instruction reads a single-precision result, or the reverse.
        lanes_change_cycles: u16, "cycles";
        /// Banks of the register file (register number modulo banks); each delivers one register of a warp per cycle
        /// to the arithmetic lanes. 0: register bank conflicts are not modeled.
        register_banks: u16, "banks";
        /// Scoreboards of a warp for load results; further loads share the last scoreboard. 0: each result has a
        /// separate scoreboard.
        scoreboards: u16, "scoreboards";
        /// Minimum cycles between two load/store instructions of one warp, as the compiler's stall counts enforce. 1:
        /// no extra delay.
        access_stall_cycles: u16, "cycles";
        /// Which eligible warp the scheduler selects.
        order: IssueOrder, "";
        /// How diverged lanes reconverge.
        divergence: DivergenceModel, "";
    }
}

/// For chips whose launch date is not known from a document.
const NO_LAUNCH_DATE: &str = "no document with the launch date was read";

/// For chips without dual issue.
const NO_PAIRS: Sourced<Pairing> =
    sourced::assumed(Pairing::None, "a scheduler issues one instruction at a time");

/// For chips without a measurement of the delay between single-precision and integer lanes.
const LANES_CHANGE: Sourced<u16> = sourced::assumed(
    0,
    "no source found; measured only on GH100, where the cost is one cycle",
);

/// For chips up to Pascal, where integers run on the single-precision lanes.
const SAME_LANES: Sourced<u16> = sourced::assumed(0, "they are the same lanes");

/// For chips without a measurement of register banks.
const REGISTER_BANKS: Sourced<u16> = sourced::assumed(
    0,
    "not modeled: measured only on GH100, where each further operand of one bank takes a cycle",
);

/// For chips without a measurement of scoreboards.
const SCOREBOARDS: Sourced<u16> = sourced::assumed(
    0,
    "not modeled: chips have six from Maxwell on, but which loads share a scoreboard is known only for GH100",
);

/// For chips without known stall counts between accesses.
const NO_ACCESS_STALL: Sourced<u16> = sourced::assumed(
    1,
    "not modeled: the compiler's stall counts were read only for GH100",
);

/// The register banks of Volta and Turing.
const WIDE_REGISTER_BANKS: Sourced<u16> = sourced::assumed(
    0,
    "not modeled: two banks of 64 bits, where only three operands in one bank cost a cycle (Jia et al. 2018), which compilers avoid",
);

/// For chips without a measurement of the scheduling policy.
const ORDER_ASSUMED: Sourced<IssueOrder> = sourced::assumed(
    IssueOrder::GreedyThenOldest,
    "no source found; measured only on GH100, which schedules warps round robin",
)
.also(sourced::alts![(
    "round robin",
    "GPGPU-Sim configuration SM7_QV100"
)]);

/// Mechanisms that were measured on one chip only. Where one is absent, the simpler rule of its method applies.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Mechanisms {
    /// The limits of stores.
    write_port: Option<WritePort>,
    /// The units of L2 that update words.
    atomic_units: Option<AtomicUnits>,
    /// Compare-and-swap on shared memory.
    swaps: Option<Swaps>,
    /// The partitions of L2.
    l2_partitions: Option<L2Partitions>,
    /// The channels of a stack of 1,024 bits of device memory.
    channels_of_stack: Option<Channels>,
    /// Copies without a register.
    copies: Option<Copies>,
    /// YIELD.
    yields: Option<Yields>,
}

impl Mechanisms {
    const NONE: Self = Self {
        write_port: None,
        atomic_units: None,
        swaps: None,
        l2_partitions: None,
        channels_of_stack: None,
        copies: None,
        yields: None,
    };

    /// Those of chips from 8.0 on, which have copies without a register.
    const COPIES: Self = Self {
        copies: Some(copies::COPIES_LIKE_HOPPER),
        ..Self::NONE
    };
}

/// One architecture: a chip, its SM, and the source of every number.
#[derive(Clone, Debug, PartialEq)]
pub struct Architecture {
    /// The ID.
    pub id: ArchId,
    /// Mechanisms that were measured on one chip only.
    mechanisms: Mechanisms,
    /// The display name, such as `Turing TU102`.
    pub name: &'static str,
    /// The generation.
    pub generation: Generation,
    /// Compute capability.
    pub compute_capability: ComputeCapability,
    /// The year in which the first product with this chip was sold.
    pub year: Sourced<u16>,
    /// How the SMs of the product are grouped.
    floor: Floor,
    /// The stacks of the device memory, if a source states them.
    memory_stacks: Option<MemoryStacks>,
    /// The host's side.
    host: Host,
    /// Chip and board.
    pub chip: Chip,
    /// Schedulers and instruction issue.
    pub issue: Issue,
    /// Execution pipes.
    pub pipes: &'static [Pipe],
    /// Costs by instruction class.
    costs: CostTable,
    /// Memories.
    pub memory: Memory,
    /// The occupancy limits of an SM.
    pub occupancy: OccupancyRules,
    /// The limits of a launch configuration.
    pub limits: LaunchLimits,
}

/// Returns the architecture with this ID.
pub fn architecture(id: ArchId) -> &'static Architecture {
    match id {
        ArchId::G80 => &tesla::G80,
        ArchId::Gt200 => &tesla::GT200,
        ArchId::Gf100 => &fermi::GF100,
        ArchId::Gf104 => &fermi::GF104,
        ArchId::Gk110 => &kepler::GK110,
        ArchId::Gm204 => &maxwell::GM204,
        ArchId::Gp100 => &pascal::GP100,
        ArchId::Gp104 => &pascal::GP104,
        ArchId::Gv100 => &volta::GV100,
        ArchId::Tu102 => &turing::TU102,
        ArchId::Ga100 => &ampere::GA100,
        ArchId::Ga102 => &ampere::GA102,
        ArchId::Ad102 => &ada::AD102,
        ArchId::Gh100 => &hopper::GH100,
    }
}

impl Architecture {
    /// Returns the cost of an instruction class, or `None` if the chip has no such instruction.
    pub fn cost(&self, class: OpClass) -> Option<&OpCost> {
        match (self.costs[class as usize].as_ref(), class) {
            (None, OpClass::IntAddTwo) => self.costs[OpClass::IntAdd as usize].as_ref(),
            (None, OpClass::TensorStep | OpClass::TensorStepHalf) => {
                self.costs[OpClass::Tensor as usize].as_ref()
            }
            (cost, _) => cost,
        }
    }

    /// Replaces the cost of an instruction class, in an architecture that is made for a measurement.
    pub fn set_cost(&mut self, class: OpClass, cost: OpCost) {
        self.costs[class as usize] = Some(cost);
    }

    /// Returns the pipe of this kind.
    pub fn pipe(&self, kind: PipeKind) -> Option<&Pipe> {
        self.pipes.iter().find(|pipe| pipe.kind == kind)
    }

    /// Returns the number of units of a pipe in the whole SM.
    pub fn num_units(&self, kind: PipeKind) -> u32 {
        self.pipe(kind).map_or(0, |pipe| {
            u32::from(pipe.units)
                * match pipe.scope {
                    PipeScope::Scheduler => u32::from(self.issue.schedulers.value),
                    PipeScope::Sm => 1,
                }
        })
    }

    /// Returns the peak throughput of a class in results per clock per SM.
    pub fn results_per_cycle(&self, class: OpClass) -> Option<f64> {
        let cost = self.cost(class)?;
        let units = self.num_units(cost.pipe);
        let units = cost.units.map_or(units, |some| units.min(some.value.into()));
        Some(f64::from(WARP_SIZE * units) / f64::from(cost.occupancy_cycles.value))
    }

    /// Whether each lane of a warp has its own program counter.
    pub fn has_independent_threads(&self) -> bool {
        self.issue.divergence.value == DivergenceModel::ConvergenceBarriers
    }

    /// Whether multiply-add is FMAD with a truncated product (1.x) instead of FFMA.
    pub fn truncates_mad(&self) -> bool {
        self.generation == Generation::Tesla
    }

    /// Returns the peak bandwidth of device memory for the whole chip, in bytes per SM clock.
    pub fn dram_bytes_per_cycle(&self) -> f64 {
        self.chip.dram_gb_per_s.value * 1000.0 / f64::from(self.chip.sm_clock_mhz.value)
    }

    /// Returns one SM's equal share of the achievable bandwidth of device memory, in bytes per SM clock.
    pub fn dram_bytes_per_cycle_and_sm(&self) -> f64 {
        self.dram_bytes_per_cycle() * f64::from(self.memory.device.efficiency.value)
            / f64::from(self.chip.num_sms.value)
    }

    /// Returns the disagreements between sources on this architecture.
    pub fn conflicts(&self) -> impl Iterator<Item = &'static Conflict> {
        let id = self.id;
        sources::CONFLICTS
            .iter()
            .filter(move |conflict| conflict.architectures.contains(&id))
    }

    /// Returns the published curves measured on this architecture.
    pub fn measured_curves(&self) -> impl Iterator<Item = &'static MeasuredCurve> {
        let id = self.id;
        MEASURED_CURVES
            .iter()
            .filter(move |curve| curve.architecture == Some(id))
    }

    /// Returns every number with its source.
    pub fn values(&self) -> Vec<ValueRow> {
        let mut rows = Vec::new();
        self.chip.push_values("chip", &mut rows);
        self.issue.push_values("issue", &mut rows);
        for pipe in self.pipes {
            rows.push(ValueRow::new(
                format!("pipes.{}.lanes", pipe.kind.text()),
                match pipe.scope {
                    PipeScope::Scheduler => "Lanes of one unit; each scheduler has its own unit.",
                    PipeScope::Sm => "Lanes of one unit; the schedulers share the unit.",
                },
                "lanes",
                &pipe.lanes,
            ));
            if let Some(own) = &pipe.own {
                rows.push(ValueRow::new(
                    format!("pipes.{}.own", pipe.kind.text()),
                    "Units that belong to one scheduler; the schedulers share the remaining units.",
                    "units",
                    own,
                ));
            }
        }
        for class in OpClass::ALL {
            if let Some(cost) = &self.costs[class as usize] {
                rows.push(ValueRow::new(
                    format!("costs.{class:?}.occupancy_cycles"),
                    "Cycles for which one warp instruction occupies its unit.",
                    "cycles",
                    &cost.occupancy_cycles,
                ));
                if let Some(units) = &cost.units {
                    rows.push(ValueRow::new(
                        format!("costs.{class:?}.units"),
                        "Units of the pipe that execute this class.",
                        "units",
                        units,
                    ));
                }
                rows.push(ValueRow::new(
                    format!("costs.{class:?}.latency_cycles"),
                    "Cycles from issue until a dependent instruction can issue.",
                    "cycles",
                    &cost.latency_cycles,
                ));
            }
        }
        self.memory.push_values(&mut rows);
        if let Some(channels) = self.channels() {
            channels.push_values("memory.channels", &mut rows);
        }
        if let Some(port) = self.write_port() {
            port.push_values("memory.write_port", &mut rows);
        }
        if let Some(units) = self.atomic_units() {
            units.push_values("memory.atomic_units", &mut rows);
        }
        if let Some(copies) = self.copies() {
            copies.push_values("memory.copies", &mut rows);
        }
        if let Some(swaps) = self.swaps() {
            swaps.push_values("memory.swaps", &mut rows);
        }
        if let Some(partitions) = self.l2_partitions() {
            partitions.push_values("memory.l2_partitions", &mut rows);
        }
        if let Some(yields) = self.yields() {
            yields.push_values("yields", &mut rows);
        }
        self.occupancy.push_values("occupancy", &mut rows);
        self.limits.push_values("limits", &mut rows);
        POLICIES.push_values("policies", &mut rows);
        rows
    }
}
