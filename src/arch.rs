//! Architectures as data: what each SM has, what its instructions cost, and where every number
//! comes from. Knows nothing of kernels or of simulation.

use serde::{Deserialize, Serialize};

/// How far a number can be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Quality {
    /// A document or header of the vendor.
    Vendor,
    /// A published measurement paper.
    Paper,
    /// Measured by an open repository, or a simulator's configuration fitted to hardware.
    Repository,
    /// A forum, a web page, a quotation.
    Web,
    /// Derived here from cited numbers; the note says how.
    Derived,
    /// Measured on a real GH100 for this project.
    Measured,
    /// No source was found: an assumption, with its reason in the note.
    Assumption,
}

/// What another source says of the same number.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Alternative {
    /// The other value, as text.
    pub value: &'static str,
    /// Who says so.
    pub source: &'static str,
}

/// A number with its source.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Sourced<T> {
    /// The value that is simulated.
    pub value: T,
    /// Document and section.
    pub source: &'static str,
    /// How good the source is.
    pub quality: Quality,
    /// A remark, or empty; the reason where it is an assumption.
    pub note: &'static str,
    /// Other sources, disagreeing ones included.
    pub alternatives: &'static [Alternative],
}

/// The architectures. Ids are used in links and are never reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs, reason = "chips are named by their own names")]
pub enum ArchId {
    G80,
    Gt200,
    Gf100,
    Gf104,
    Gp100,
    Gp104,
    Gv100,
    Tu102,
}

/// How diverged lanes of a warp come together again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum DivergenceModel {
    /// One program counter a warp and a stack of masks (Tesla to Pascal).
    ReconvergenceStack,
    /// One program counter a lane and convergence barriers (Volta on).
    ConvergenceBarriers,
}

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
    /// Lanes of one unit.
    pub lanes: Sourced<u16>,
}

/// Classes of instructions that cost the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
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
    /// Conversions from or to 64-bit types.
    Convert64,
    /// S2R.
    SpecialRegister,
    /// SHFL.
    Shuffle,
    /// VOTE, MATCH.
    Vote,
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
    /// HMMA, IMMA.
    Tensor,
    /// A stand-in for the vendor's slow-path subroutines (division, square root of special operands).
    SlowPath,
}

/// What one class of instructions costs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct OpCost {
    /// The pipe it goes to.
    pub pipe: PipeKind,
    /// Cycles for which one warp instruction occupies its unit.
    pub occupancy_cycles: Sourced<u16>,
    /// Cycles from issue until a dependent instruction can issue. For memory classes: of the best
    /// case without conflict (shared memory) or of the address stage (global memory, whose levels
    /// add up as `Memory` says).
    pub latency_cycles: Sourced<u16>,
    /// Whether the result comes after a fixed time, so that a waiting warp is in `Wait` and not on
    /// a scoreboard.
    pub fixed_latency: bool,
}
