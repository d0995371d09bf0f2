//! Execution pipes, instruction classes, and the cost of each class on its pipe.

use serde::Serialize;

use super::sourced::{derived, repository};
use super::{Sourced, WARP_SIZE};

/// A kind of execution pipe.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub enum PipeKind {
    /// Single-precision lanes; up to Pascal they also run integer instructions.
    Fp32,
    /// Separate integer lanes (Volta and later).
    Int32,
    /// Double-precision units.
    Fp64,
    /// Special function units, conversions, population counts (XU).
    Xu,
    /// Load/store units: addresses of shared, global, local accesses, shuffles.
    Lsu,
    /// Constant loads with an index (LDC) and other address-divergence work (ADU).
    Adu,
    /// Branches, barriers, votes of control flow (CBU).
    Branch,
    /// Tensor cores.
    Tensor,
    /// Separate packed half-precision units (6.1).
    ///
    /// On other chips the single-precision lanes or the tensor cores run these instructions.
    Fp16,
}

impl PipeKind {
    /// Returns the display name: Nsight Compute's name where one exists.
    pub const fn text(self) -> &'static str {
        match self {
            Self::Fp32 => "FP32",
            Self::Int32 => "INT32",
            Self::Fp64 => "FP64",
            Self::Xu => "XU",
            Self::Lsu => "LSU",
            Self::Adu => "ADU",
            Self::Branch => "CBU",
            Self::Tensor => "Tensor",
            Self::Fp16 => "FP16",
        }
    }
}

/// Whether a pipe belongs to one scheduler or to the whole SM.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum PipeScope {
    /// Each scheduler has its own pipe.
    Scheduler,
    /// The schedulers of the SM share the pipe.
    Sm,
}

/// A pipe of an SM.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Pipe {
    /// The kind of instructions that the pipe executes.
    pub kind: PipeKind,
    /// Whether the pipe belongs to a scheduler or to the SM.
    pub scope: PipeScope,
    /// The number of units per scheduler or per SM, by `scope`.
    pub units: u8,
    /// The number of the SM's units that belong to each scheduler; these units come first in order. The schedulers
    /// share the remaining units. `None`: the schedulers share all units.
    pub own: Option<Sourced<u8>>,
    /// Lanes of one unit; for tensor cores, the number of cores.
    pub lanes: Sourced<u16>,
}

/// Classes of instructions with equal cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[repr(u8)]
#[allow(missing_docs, reason = "each is named after the instructions in it")]
pub enum OpClass {
    /// FADD, FMUL, FFMA, FMAD.
    Fp32,
    /// FSETP, FMNMX, and similar instructions.
    Fp32Compare,
    Fp64,
    /// Packed half arithmetic.
    Fp16,
    /// IADD, IADD3, LEA without multiplication.
    IntAdd,
    /// IADD3 of two operands without carry, if the chip has another pipe for this addition (VIADD, IMAD.IADD).
    ///
    /// On other chips the class costs the same as `IntAdd`.
    IntAddTwo,
    /// LOP, LOP3.
    IntLogic,
    /// SHL, SHR, SHF.
    IntShift,
    /// ISETP, IMNMX.
    IntCompare,
    /// IMUL, IMAD at full width.
    IntMul,
    /// 24-bit multiplication on 1.x.
    Int24Mul,
    /// 16-bit pieces of a multiplication: XMAD on Pascal, IMAD.U16 on Tesla.
    Int16Mul,
    /// Bit-field extract and insert, PRMT.
    BitField,
    BitReverse,
    /// POPC, FLO.
    Popc,
    /// MOV, SEL, P2R.
    Move,
    /// MUFU.
    Mufu,
    /// RRO: the reduction of the operand of MUFU.SIN, MUFU.COS, and MUFU.EX2.
    RangeReduction,
    /// Conversions between 32-bit and narrower types.
    Convert,
    /// Conversions between 32-bit and narrower integers (I2I).
    ConvertNarrow,
    /// Conversions from or to 64-bit types.
    Convert64,
    /// S2R.
    SpecialRegister,
    /// SHFL.
    Shuffle,
    /// VOTE, MATCH.
    Vote,
    /// REDUX.
    WarpReduce,
    /// PSETP, PLOP3.
    PredicateLogic,
    /// BRA, CALL, RET, EXIT, SSY, BSSY, and similar instructions.
    Branch,
    /// BAR.
    Barrier,
    /// MEMBAR.
    Membar,
    /// LDS and STS.
    Shared,
    /// LDG, STG, LDL, STL, LD, ST.
    Global,
    /// LDC.
    Constant,
    /// ATOMS.
    SharedAtomic,
    /// ATOM, ATOMG, RED.
    GlobalAtomic,
    /// HMMA of halves and `__nv_bfloat16`.
    Tensor,
    /// HMMA of tf32.
    TensorTf32,
    /// DMMA.
    TensorFp64,
    /// IMMA and BMMA.
    TensorInt,
    /// A step of HMMA.884 with sums in single precision; where it has no cost of its own, that of HMMA.
    TensorStep,
    /// A step of HMMA.884 with sums of halves.
    TensorStepHalf,
    /// An approximation of NVIDIA's slow-path subroutines (division and square root of special operands).
    SlowPath,
}

impl OpClass {
    /// The number of classes.
    pub const COUNT: usize = Self::SlowPath as usize + 1;

    /// All classes, in order.
    pub const ALL: [Self; Self::COUNT] = [
        Self::Fp32,
        Self::Fp32Compare,
        Self::Fp64,
        Self::Fp16,
        Self::IntAdd,
        Self::IntAddTwo,
        Self::IntLogic,
        Self::IntShift,
        Self::IntCompare,
        Self::IntMul,
        Self::Int24Mul,
        Self::Int16Mul,
        Self::BitField,
        Self::BitReverse,
        Self::Popc,
        Self::Move,
        Self::Mufu,
        Self::RangeReduction,
        Self::Convert,
        Self::ConvertNarrow,
        Self::Convert64,
        Self::SpecialRegister,
        Self::Shuffle,
        Self::Vote,
        Self::WarpReduce,
        Self::PredicateLogic,
        Self::Branch,
        Self::Barrier,
        Self::Membar,
        Self::Shared,
        Self::Global,
        Self::Constant,
        Self::SharedAtomic,
        Self::GlobalAtomic,
        Self::Tensor,
        Self::TensorTf32,
        Self::TensorFp64,
        Self::TensorInt,
        Self::TensorStep,
        Self::TensorStepHalf,
        Self::SlowPath,
    ];
}

/// The cost of one instruction class.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct OpCost {
    /// The pipe that executes the class.
    pub pipe: PipeKind,
    /// Cycles for which one warp instruction occupies a unit of the pipe.
    pub occupancy_cycles: Sourced<u16>,
    /// The number of units of the pipe that execute the class; `None`: all units.
    pub units: Option<Sourced<u8>>,
    /// Cycles from issue until a dependent instruction can issue.
    ///
    /// For memory classes, this is the best case: no conflict, and a hit in the first cache. `Architecture::memory` has
    /// the latencies of the other levels.
    pub latency_cycles: Sourced<u16>,
    /// Whether the latency is fixed: a dependent warp stalls in `Wait` instead of on a scoreboard.
    pub fixed_latency: bool,
}

/// Returns the cost of a fixed-latency class.
pub(super) const fn fixed(
    pipe: PipeKind,
    occupancy_cycles: Sourced<u16>,
    latency_cycles: Sourced<u16>,
) -> OpCost {
    OpCost {
        pipe,
        occupancy_cycles,
        units: None,
        latency_cycles,
        fixed_latency: true,
    }
}

/// Returns the cost of a variable-latency class, whose results a scoreboard tracks.
pub(super) const fn scoreboard(
    pipe: PipeKind,
    occupancy_cycles: Sourced<u16>,
    latency_cycles: Sourced<u16>,
) -> OpCost {
    OpCost {
        pipe,
        occupancy_cycles,
        units: None,
        latency_cycles,
        fixed_latency: false,
    }
}

/// Returns the occupancy that follows from a throughput table: `results` per clock per SM, `units` units in the SM.
pub(super) const fn rate(units: u16, results: u16, source: &'static str) -> Sourced<u16> {
    derived(
        WARP_SIZE as u16 * units / results,
        source,
        "32 results per warp instruction, divided by the table's results per clock per SM, multiplied by the units of the pipe",
    )
}

impl OpCost {
    /// Returns the cost of a class that only `units` units of the pipe execute.
    pub(super) const fn on(self, units: Sourced<u8>) -> Self {
        Self {
            units: Some(units),
            ..self
        }
    }
}

impl Pipe {
    /// Returns the pipe with `units` of the SM's units reserved for each scheduler.
    pub(super) const fn own(self, units: Sourced<u8>) -> Self {
        Self {
            own: Some(units),
            ..self
        }
    }
}

/// Why RRO has the rate of simple arithmetic.
pub(super) const AS_REDUCTION: &str = "no source lists RRO; assumed equal to simple arithmetic, because the guides list \
sine and exponential function, which take RRO and MUFU, at the rate of other special functions, and ptxas 11.8 issues RRO and \
MUFU as a pair on 5.2";
/// The latency of RRO on 5.x and 6.x.
pub(super) const REDUCTION_LATENCY: Sourced<u16> =
    repository(2, "maxas").note("its class rro; ptxas 11.8 also issues MUFU two cycles later");

/// Costs by instruction class.
pub(super) type CostTable = [Option<OpCost>; OpClass::COUNT];

/// Expands rows to a table. A class in no row does not exist on the architecture.
pub(super) const fn costs(rows: &[(&[OpClass], OpCost)]) -> CostTable {
    let mut table = [None; OpClass::COUNT];
    let mut row = 0;
    while row < rows.len() {
        let mut class = 0;
        while class < rows[row].0.len() {
            let idx = rows[row].0[class] as usize;
            assert!(table[idx].is_none(), "a class has two costs");
            table[idx] = Some(rows[row].1);
            class += 1;
        }
        row += 1;
    }
    table
}

/// States the type of a list of sizes, which type inference cannot derive through `Sourced`.
pub(super) const fn kib_list(list: &'static [u16]) -> &'static [u16] {
    list
}

/// States the type of a curve, which type inference cannot derive through `Sourced`.
pub(super) const fn curve(points: &'static [(u16, u16)]) -> &'static [(u16, u16)] {
    points
}

/// Returns a pipe with `units` units per scheduler.
pub(super) const fn per_scheduler(kind: PipeKind, units: u8, lanes: Sourced<u16>) -> Pipe {
    Pipe {
        kind,
        scope: PipeScope::Scheduler,
        units,
        own: None,
        lanes,
    }
}

/// Returns a pipe with `units` units per SM.
pub(super) const fn per_sm(kind: PipeKind, units: u8, lanes: Sourced<u16>) -> Pipe {
    Pipe {
        kind,
        scope: PipeScope::Sm,
        units,
        own: None,
        lanes,
    }
}
