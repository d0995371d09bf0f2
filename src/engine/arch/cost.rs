//! Execution pipes, classes of instructions, and what each class costs on its pipe.

use serde::Serialize;

use super::sourced::derived;
use super::{Sourced, WARP_SIZE};

/// A kind of execution pipe.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub enum PipeKind {
    /// Single-precision lanes; up to Pascal they run integers too.
    Fp32,
    /// Integer lanes of their own (Volta on).
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
    /// Packed half-precision units where they are neither the single-precision lanes nor the tensor
    /// cores (6.1).
    Fp16,
}

impl PipeKind {
    /// Its name, as Nsight Compute has it where it has one.
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

/// Whom a pipe belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum PipeScope {
    /// Each scheduler has its own.
    Scheduler,
    /// The schedulers of the SM share it.
    Sm,
}

/// A pipe of an SM.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Pipe {
    /// What it runs.
    pub kind: PipeKind,
    /// Whom it belongs to.
    pub scope: PipeScope,
    /// How many of them a scheduler, or the SM, has.
    pub units: u8,
    /// Of units that the SM has, how many each scheduler has for itself, which come first; the others are for
    /// all. `None`: all are for all.
    pub own: Option<Sourced<u8>>,
    /// Lanes of one unit; of tensor cores, how many cores it is made of.
    pub lanes: Sourced<u16>,
}

/// Classes of instructions that cost the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[repr(u8)]
#[allow(missing_docs, reason = "each is named after the instructions in it")]
pub enum OpClass {
    /// FADD, FMUL, FFMA, FMAD.
    Fp32,
    /// FSETP, FMNMX and the like.
    Fp32Compare,
    Fp64,
    /// Packed half arithmetic.
    Fp16,
    /// IADD, IADD3, LEA without multiplication.
    IntAdd,
    /// IADD3 of two operands without a carry where the chip has another pipe for it (VIADD, IMAD.IADD);
    /// elsewhere it costs what `IntAdd` does.
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
    /// Conversions between 32-bit and narrower types.
    Convert,
    /// Those between integers of 32 bits and narrower ones (I2I).
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
    /// BRA, CALL, RET, EXIT, SSY, BSSY and their like.
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
    /// A stand-in for the vendor's slow-path subroutines (division, square root of special operands).
    SlowPath,
}

impl OpClass {
    /// How many classes there are.
    pub const COUNT: usize = Self::SlowPath as usize + 1;

    /// All of them, in order.
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
        Self::SlowPath,
    ];
}

/// What one class of instructions costs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct OpCost {
    /// The pipe it goes to.
    pub pipe: PipeKind,
    /// Cycles for which one warp instruction occupies its unit of the pipe.
    pub occupancy_cycles: Sourced<u16>,
    /// How many units of the pipe have it; `None`: all.
    pub units: Option<Sourced<u8>>,
    /// Cycles from issue until a dependent instruction can issue. Of memory classes, the best case:
    /// no conflict, a hit in the first cache that sees it; `Architecture::memory` has the rest.
    pub latency_cycles: Sourced<u16>,
    /// Whether the result comes after a fixed time, so that a waiting warp is in `Wait` and not on
    /// a scoreboard.
    pub fixed_latency: bool,
}

/// The cost of a fixed-latency class.
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

/// The cost of a class whose results a scoreboard tells.
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

/// Occupancy from a throughput table: `results` a clock and SM over `units` units in all.
pub(super) const fn rate(units: u16, results: u16, source: &'static str) -> Sourced<u16> {
    derived(
        WARP_SIZE as u16 * units / results,
        source,
        "32 results a warp instruction, over the table's results a clock and SM, times the units of the pipe",
    )
}

impl OpCost {
    /// The same where so many units of the pipe have it.
    pub(super) const fn on(self, units: Sourced<u8>) -> Self {
        Self {
            units: Some(units),
            ..self
        }
    }
}

impl Pipe {
    /// The same where each scheduler has so many of the SM's units for itself.
    pub(super) const fn own(self, units: Sourced<u8>) -> Self {
        Self {
            own: Some(units),
            ..self
        }
    }
}

/// Costs by class, as rows list them.
pub(super) type CostTable = [Option<OpCost>; OpClass::COUNT];

/// Spreads rows over the table; classes in no row do not exist on the architecture.
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

/// Names the type of a list of sizes, which inference does not find through `Sourced`.
pub(super) const fn kib_list(list: &'static [u16]) -> &'static [u16] {
    list
}

/// Names the type of a curve likewise.
pub(super) const fn curve(points: &'static [(u16, u16)]) -> &'static [(u16, u16)] {
    points
}

/// A pipe that each scheduler has `units` times.
pub(super) const fn per_scheduler(kind: PipeKind, units: u8, lanes: Sourced<u16>) -> Pipe {
    Pipe {
        kind,
        scope: PipeScope::Scheduler,
        units,
        own: None,
        lanes,
    }
}

/// A pipe that the SM has `units` times.
pub(super) const fn per_sm(kind: PipeKind, units: u8, lanes: Sourced<u16>) -> Pipe {
    Pipe {
        kind,
        scope: PipeScope::Sm,
        units,
        own: None,
        lanes,
    }
}
