//! Architectures as data: what each SM has, what its instructions cost, and where every number
//! comes from. Knows nothing of kernels or of simulation.

mod ada;
mod ampere;
mod cost;
mod curves;
mod fermi;
mod hopper;
mod kepler;
mod launch_check;
mod limits;
mod maxwell;
mod memory;
mod occupancy;
mod pascal;
mod sourced;
mod sources;
mod tesla;
#[cfg(test)]
mod tests;
mod turing;
mod volta;

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

pub use cost::{OpClass, OpCost, Pipe, PipeKind, PipeScope};
pub use curves::{CurveQuantity, MEASURED_CURVES, MeasuredCurve};
pub use launch_check::{LaunchRefusal, ProgramResources, check_launch};
pub use limits::{LaunchLimits, OccupancyRules, RegisterScope};
pub use memory::{
    Atomics, BankRule, BankSize, Banks, CoalescingRule, ConstantMemory, DeviceMemory, L1, L1Capacity, L2,
    Memory, Partitions, Queues, SetIndex, SharedMemory, TextureCache, TexturePath, UnitGate, WritePolicy,
    curve_at,
};
pub use occupancy::{GlobalCaching, LaunchResources, Limiter, Occupancy, occupancy, occupancy_rules};
pub use sourced::{Alternative, Quality, Sourced, ValueRow};
pub use sources::{Conflict, SOURCES, SourceTitle, source_title};

use cost::{CostTable, costs, curve, fixed, kib_list, per_scheduler, per_sm, rate, scoreboard};
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

    /// The id as links and the command line write it.
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

impl fmt::Display for ArchId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

/// No architecture has this id.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "no architecture is called `{0}`; there are g80, gt200, gf100, gf104, gk110, gm204, gp100, gp104, gv100, tu102, ga100, ga102, ad102 and gh100"
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

/// Compute capability: what a chip can do, as CUDA counts it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct ComputeCapability {
    /// 7 of 7.5.
    pub major: u8,
    /// 5 of 7.5.
    pub minor: u8,
}

impl ComputeCapability {
    /// As one number, 750 for 7.5.
    pub const fn number(self) -> u16 {
        self.major as u16 * 100 + self.minor as u16 * 10
    }
}

impl fmt::Display for ComputeCapability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

/// Families of chips.
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
    /// Its name.
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

/// How diverged lanes of a warp come together again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum DivergenceModel {
    /// One program counter a warp and a stack of masks (Tesla to Pascal).
    ReconvergenceStack,
    /// One program counter a lane and convergence barriers (Volta on).
    ConvergenceBarriers,
}

/// Which of the warps that could issue a scheduler takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum IssueOrder {
    /// The one that issued last as long as it can, then the oldest.
    GreedyThenOldest,
    /// The next one after the last that issued.
    RoundRobin,
}

impl IssueOrder {
    /// In words.
    pub const fn text(self) -> &'static str {
        match self {
            Self::GreedyThenOldest => "greedy, then the oldest warp",
            Self::RoundRobin => "warps in turn",
        }
    }
}

/// Who finds two instructions of a warp that a scheduler issues at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Pairing {
    /// Nobody: it issues one.
    None,
    /// The scheduler, when it issues the first.
    Scheduler,
    /// The compiler, whose code marks the first of two.
    Compiler,
}

impl ValueText for Pairing {
    fn value_text(&self) -> String {
        match self {
            Self::None => "one instruction at once",
            Self::Scheduler => "by the scheduler, as it issues",
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
            Self::ReconvergenceStack => "one program counter a warp, reconvergence stack",
            Self::ConvergenceBarriers => "one program counter a lane, convergence barriers",
        }
        .to_owned()
    }
}

sourced_struct! {
    /// The chip and the board whose numbers are taken.
    pub struct Chip {
        /// A product with it.
        example_part: &'static str, "";
        /// SMs of that product.
        num_sms: u16, "SMs";
        /// Clock of an SM (the shader clock on Tesla and Fermi).
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
        /// Independent instructions of one warp that a scheduler can issue at once.
        dispatches: u16, "instructions";
        /// Who finds those that go together.
        pairing: Pairing, "";
        /// A scheduler issues at most once in this many SM clocks.
        issue_interval_cycles: u16, "cycles";
        /// What a result of the single-precision or the integer lanes costs more when the other ones read it.
        lanes_change_cycles: u16, "cycles";
        /// Banks of the register file (a register's number modulo so many), each of which gives the arithmetic
        /// lanes one register of a warp a cycle. 0: how operands are read is not modelled.
        register_banks: u16, "banks";
        /// Scoreboards of a warp for results of loads: more loads than that share the last. 0: each result has
        /// its own.
        scoreboards: u16, "scoreboards";
        /// Cycles from one instruction for the load/store units to the next in the code of one warp, which the
        /// compiler sees to. 1: one may follow the other at once.
        access_stall_cycles: u16, "cycles";
        /// Which of the warps that could issue does.
        order: IssueOrder, "";
        /// How diverged lanes come together again.
        divergence: DivergenceModel, "";
    }
}

/// Where a scheduler issues one instruction at once.
const NO_PAIRS: Sourced<Pairing> = sourced::assumed(Pairing::None, "one instruction is issued at once");

/// Between single-precision and integer lanes where no measurement tells.
const LANES_CHANGE: Sourced<u16> = sourced::assumed(
    0,
    "no source tells; measured on GH100 alone, where it is one cycle",
);

/// Up to Pascal.
const SAME_LANES: Sourced<u16> = sourced::assumed(0, "they are the same lanes");

/// Where no measurement tells.
const REGISTER_BANKS: Sourced<u16> = sourced::assumed(
    0,
    "not modelled: measured on GH100 alone, where operands of one bank take a cycle each",
);

/// Where no measurement tells.
const SCOREBOARDS: Sourced<u16> = sourced::assumed(
    0,
    "not modelled: from Maxwell on there are six, but which loads compilers had share them is known of GH100 alone",
);

/// Where no measurement tells.
const NO_ACCESS_STALL: Sourced<u16> = sourced::assumed(
    1,
    "not modelled: compilers' stall counts were read on GH100 alone",
);

/// Volta and Turing.
const WIDE_REGISTER_BANKS: Sourced<u16> = sourced::assumed(
    0,
    "not modelled: two banks of 64 bits, of which only three operands in one cost a cycle (Jia et al. 2018), \
     as compilers avoid",
);

/// Where no measurement tells.
const ORDER_ASSUMED: Sourced<IssueOrder> = sourced::assumed(
    IssueOrder::GreedyThenOldest,
    "no document tells, and it was measured on GH100 alone, which takes warps in turn",
)
.also(sourced::alts![(
    "warps in turn",
    "GPGPU-Sim configuration SM7_QV100"
)]);

/// One architecture: a chip, its SM, and where every number comes from.
#[derive(Clone, Debug, PartialEq)]
pub struct Architecture {
    /// Its id.
    pub id: ArchId,
    /// Its name, such as `Turing TU102`.
    pub name: &'static str,
    /// The family.
    pub generation: Generation,
    /// Compute capability.
    pub compute_capability: ComputeCapability,
    /// The year in which the first product with it was sold.
    pub year: u16,
    /// Chip and board.
    pub chip: Chip,
    /// Issue.
    pub issue: Issue,
    /// Execution pipes.
    pub pipes: &'static [Pipe],
    /// Costs by class.
    costs: CostTable,
    /// Memories.
    pub memory: Memory,
    /// What an SM holds.
    pub occupancy: OccupancyRules,
    /// What a launch may ask for.
    pub limits: LaunchLimits,
}

/// The architecture with this id.
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
    /// What a class of instructions costs; `None` where the chip has no such instruction.
    pub fn cost(&self, class: OpClass) -> Option<&OpCost> {
        match (self.costs[class as usize].as_ref(), class) {
            (None, OpClass::IntAddTwo) => self.costs[OpClass::IntAdd as usize].as_ref(),
            (cost, _) => cost,
        }
    }

    /// The pipe of this kind.
    pub fn pipe(&self, kind: PipeKind) -> Option<&Pipe> {
        self.pipes.iter().find(|pipe| pipe.kind == kind)
    }

    /// Units of a pipe in the whole SM.
    pub fn num_units(&self, kind: PipeKind) -> u32 {
        self.pipe(kind).map_or(0, |pipe| {
            u32::from(pipe.units)
                * match pipe.scope {
                    PipeScope::Scheduler => u32::from(self.issue.schedulers.value),
                    PipeScope::Sm => 1,
                }
        })
    }

    /// Results a clock and SM that a class can reach.
    pub fn results_per_cycle(&self, class: OpClass) -> Option<f64> {
        let cost = self.cost(class)?;
        let units = self.num_units(cost.pipe);
        let units = cost.units.map_or(units, |some| units.min(some.value.into()));
        Some(f64::from(WARP_SIZE * units) / f64::from(cost.occupancy_cycles.value))
    }

    /// Whether lanes of a warp have program counters of their own.
    pub fn has_independent_threads(&self) -> bool {
        self.issue.divergence.value == DivergenceModel::ConvergenceBarriers
    }

    /// Whether FMAD truncates its product (1.x) in place of FFMA.
    pub fn truncates_mad(&self) -> bool {
        self.generation == Generation::Tesla
    }

    /// Bytes that device memory delivers to the whole chip in one SM clock, at its peak.
    pub fn dram_bytes_per_cycle(&self) -> f64 {
        self.chip.dram_gb_per_s.value * 1000.0 / f64::from(self.chip.sm_clock_mhz.value)
    }

    /// One SM's equal share of it, after the efficiency that can be had.
    pub fn dram_bytes_per_cycle_and_sm(&self) -> f64 {
        self.dram_bytes_per_cycle() * f64::from(self.memory.device.efficiency.value)
            / f64::from(self.chip.num_sms.value)
    }

    /// Where sources disagree on this architecture.
    pub fn conflicts(&self) -> impl Iterator<Item = &'static Conflict> {
        let id = self.id;
        sources::CONFLICTS
            .iter()
            .filter(move |conflict| conflict.architectures.contains(&id))
    }

    /// Curves that were measured on it.
    pub fn measured_curves(&self) -> impl Iterator<Item = &'static MeasuredCurve> {
        let id = self.id;
        MEASURED_CURVES
            .iter()
            .filter(move |curve| curve.architecture == Some(id))
    }

    /// Every number with its source.
    pub fn values(&self) -> Vec<ValueRow> {
        let mut rows = Vec::new();
        self.chip.push_values("chip", &mut rows);
        self.issue.push_values("issue", &mut rows);
        for pipe in self.pipes {
            rows.push(ValueRow::new(
                format!("pipes.{}.lanes", pipe.kind.text()),
                match pipe.scope {
                    PipeScope::Scheduler => "Lanes of one unit; each scheduler has its own.",
                    PipeScope::Sm => "Lanes of one unit; the schedulers share it.",
                },
                "lanes",
                &pipe.lanes,
            ));
            if let Some(own) = &pipe.own {
                rows.push(ValueRow::new(
                    format!("pipes.{}.own", pipe.kind.text()),
                    "Units that each scheduler has for itself; the schedulers share the others.",
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
                        "Units of the pipe that have it.",
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
        self.occupancy.push_values("occupancy", &mut rows);
        self.limits.push_values("limits", &mut rows);
        rows
    }
}
