//! The closed list of operations that the chip or the compiler provides to CUDA C. The types of arguments and result
//! select the overload; each variant lists the exact types. T is the type of the expression.

use engine::isa::{ImageAccess, ImageFormat, ImageShape, Mma};

/// x, y or z.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "named after themselves")]
pub enum Axis {
    X,
    Y,
    Z,
}

/// Special registers that only PTX exposes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Register {
    /// `%warpid`.
    WarpId,
    /// `%smid`.
    SmId,
    /// `%lanemask_eq`.
    MaskEq,
    /// `%lanemask_lt`.
    MaskLt,
    /// `%lanemask_le`.
    MaskLe,
    /// `%lanemask_gt`.
    MaskGt,
    /// `%lanemask_ge`.
    MaskGe,
}

/// The rounding mode of a floating-point result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    /// To nearest, ties to even.
    Nearest,
    /// Toward zero.
    Zero,
    /// Down.
    Down,
    /// Up.
    Up,
}

/// The reduction of a block barrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BarrierKind {
    /// `__syncthreads()`: no arguments, `Void`.
    Sync,
    /// `__syncthreads_count(Bool) -> I32`.
    Count,
    /// `__syncthreads_and(Bool) -> I32`, 0 or 1.
    And,
    /// `__syncthreads_or(Bool) -> I32`, 0 or 1.
    Or,
}

/// The scope of a fence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "named after themselves")]
pub enum FenceScope {
    Block,
    Device,
    System,
}

/// Shuffle modes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "named after CUDA's functions")]
pub enum ShuffleMode {
    Idx,
    Up,
    Down,
    Xor,
}

/// Votes of a warp.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VoteKind {
    /// `I32`, 0 or 1.
    All,
    /// `I32`, 0 or 1.
    Any,
    /// `U32`.
    Ballot,
}

/// Read-modify-write operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "named after CUDA's functions")]
pub enum AtomicOp {
    Add,
    /// Two halves in a `U32`.
    AddHalves,
    /// Lowered as an addition of the negated value.
    Sub,
    Exch,
    Min,
    Max,
    Inc,
    Dec,
    /// Arguments: pointer, compare, value.
    Cas,
    And,
    Or,
    Xor,
}

/// The mode of rounding a floating-point number to an integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "named after C's functions")]
pub enum RoundTo {
    Floor,
    Ceil,
    Trunc,
    /// Ties to even.
    Nearest,
}

/// Arithmetic with a rounding mode in its name (`__fadd_rz`, `__dmul_ru`, …). It is never fused with other
/// operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoundedOp {
    /// (T, T) -> T.
    Add,
    /// (T, T) -> T.
    Sub,
    /// (T, T) -> T.
    Mul,
    /// (T, T, T) -> T, rounded once.
    Fma,
    /// (T, T) -> T. `fdividef` and `/` are separate.
    Div,
    /// (T) -> T.
    Rcp,
    /// (T) -> T.
    Sqrt,
    /// (T) -> T; `__frsqrt_rn`.
    Rsqrt,
}

/// Hardware approximations on `F32`: one MUFU and the instructions around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Approx {
    /// `__sinf`.
    Sin,
    /// `__cosf`.
    Cos,
    /// `__exp2f`-like: 2 to the x (`ex2.approx`).
    Exp2,
    /// `__log2f`: base 2 (`lg2.approx`).
    Log2,
    /// `rcp.approx`.
    Rcp,
    /// `rsqrtf`: `rsqrt.approx`.
    Rsqrt,
    /// `sqrt.approx`.
    Sqrt,
    /// `__fdividef(a, b)`: `div.approx`, (F32, F32).
    Div,
    /// `tanh.approx` (7.5 on).
    Tanh,
    /// MUFU.EX2 alone: subnormal operands and results are 0.
    MufuEx2,
    /// MUFU.RCP alone: subnormal operands and results are 0.
    MufuRcp,
    /// MUFU.SQRT alone, likewise.
    MufuSqrt,
    /// MUFU.RSQ alone, likewise.
    MufuRsqrt,
    /// MUFU.LG2 alone, likewise.
    MufuLg2,
}

/// Arithmetic on two 16-bit floating-point numbers per word, in one instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairOp {
    /// (U32, U32) -> U32; can be fused with a product, like `+`.
    Add,
    /// (U32, U32) -> U32; can be fused with a product, like `-`.
    Sub,
    /// (U32, U32) -> U32; can be fused with a sum, like `*`.
    Mul,
    /// (U32, U32, U32) -> U32, rounded once.
    Fma,
    /// (U32, U32) -> U32; never fused.
    AddAlone,
    /// (U32, U32) -> U32; never fused.
    SubAlone,
    /// (U32, U32) -> U32; never fused.
    MulAlone,
    /// (U32) -> U32.
    Neg,
    /// (U32) -> U32.
    Abs,
    /// (U32, U32) -> U32; if one operand is NaN, the result is the other.
    Min,
    /// (U32, U32) -> U32; if one operand is NaN, the result is the other.
    Max,
}

/// A builtin. Parentheses enclose the arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Builtin {
    // ---- thread position
    /// `U32`.
    ThreadIdx(Axis),
    /// `U32`.
    BlockIdx(Axis),
    /// `U32`.
    BlockDim(Axis),
    /// `U32`.
    GridDim(Axis),
    /// `U32`; `%laneid`, which has no CUDA C name, for the prelude.
    LaneId,
    /// `U32`; no CUDA C names, for inline PTX.
    Register(Register),
    /// `I64`; `clock64()`. `clock()` is its low half, converted.
    Clock64,
    /// `U64`, nanoseconds.
    GlobalTimer,

    // ---- synchronization
    /// See [`BarrierKind`].
    Syncthreads(BarrierKind),
    /// (mask U32) -> Void.
    Syncwarp,
    /// () -> Void.
    Threadfence(FenceScope),
    /// (nanoseconds U32) -> Void.
    Nanosleep,
    /// (shared address U32) -> U32, or a vector of two or four U32: ldmatrix of PTX.
    LoadMatrices {
        /// Matrices: 1, 2, or 4.
        num: u8,
        /// Whether rows and columns are exchanged.
        transposed: bool,
    },
    /// (shared address U32, U32 for each matrix) -> Void: stmatrix of PTX.
    StoreMatrices {
        /// Matrices: 1, 2, or 4.
        num: u8,
        /// Whether rows and columns are exchanged.
        transposed: bool,
    },
    /// (shared address U32, global address U64, bytes U32) -> Void: cp.async of PTX. The global address is larger by the
    /// number of bytes that become zero.
    AsyncCopy {
        /// Bytes per thread: 4, 8, or 16.
        size: u8,
        /// Whether the copy bypasses L1.
        bypass: bool,
    },
    /// () -> Void: the copies so far are a group.
    AsyncCommit,
    /// (number of newest groups that may be in flight U32, a constant) -> Void.
    AsyncWait,
    /// () -> Void: ends the kernel with a fault.
    Trap,
    /// (Bool, pointer to I8, pointer to I8) -> Void: ends the kernel with a fault if false. The strings are the
    /// source location and the assertion.
    Assert,
    /// (format: pointer to I8, any number of I32, U32, I64, U64, F64, and pointers) -> I32: `printf`.
    Printf,
    /// (Bool) -> Void: the compiler can assume that it is true.
    Assume,

    // ---- warp
    /// (mask U32, value T, lane or distance U32, width U32) -> T of 32 or 64 bits: I32, U32, I64, U64, F32, F64.
    /// `sync` is false for the functions before CUDA 9, whose mask is all ones.
    Shuffle {
        /// The mode.
        mode: ShuffleMode,
        /// Whether it is the `_sync` form.
        sync: bool,
    },
    /// (mask U32, Bool) -> see [`VoteKind`].
    Vote {
        /// The vote.
        kind: VoteKind,
        /// Whether it is the `_sync` form.
        sync: bool,
    },
    /// () -> U32.
    ActiveMask,
    /// (mask U32, value of 32 or 64 bits) -> U32.
    MatchAny,
    /// (mask U32, value T of 32 bits) -> T: one instruction of the warp with a member mask.
    Warp(engine::isa::Op),
    /// (mask U32, value of 32 or 64 bits, pointer to I32 that gets 0 or 1) -> U32.
    MatchAll,

    // ---- memory
    /// (pointer to T, T) -> T, for Cas (pointer, compare T, value T). T is I32, U32, U64, F32 (Add, Exch), or F64
    /// (Add); I64 for Min and Max. Returns the old value.
    Atomic {
        /// The operation.
        op: AtomicOp,
        /// The scope: `_block` and `_system` variants; `Device` otherwise.
        scope: FenceScope,
    },
    /// `__ldg`: (pointer to T) -> T through the read-only path; T may be a vector.
    LoadReadOnly,
    /// `tex1Dfetch`: (texture as pointer to T, I32) -> T, of 32 bits or a vector of two or four such.
    TextureFetch,
    /// `tex2D` and others: (texture as U64 or pointer, coordinates, level operands) -> T; `surf2Dread`: (surface,
    /// coordinates) -> T; `surf2Dwrite`: (surface, coordinates, T) -> `Void`. Coordinates of textures are F32, those
    /// of surfaces and layers I32. T is a number or vector.
    Image {
        /// Dimensions.
        shape: ImageShape,
        /// The operation.
        access: ImageAccess,
        /// The element format in memory, as declared.
        format: ImageFormat,
    },
    /// `__ldcg`: (pointer to T) -> T, bypassing L1.
    LoadCacheGlobal,
    /// `__ldcs`: (pointer to T) -> T, streaming.
    LoadStreaming,
    /// `__cvta_generic_to_shared`: (pointer) -> U64. Tests such as `__isShared` are not builtins.
    GenericToShared,
    /// `__cvta_shared_to_generic`: (U64) -> pointer to void.
    SharedToGeneric,

    // ---- integers: T of 32 or 64 bits
    /// (T, T) -> T, by the sign of T. For F32 and F64, if one operand is NaN, the result is the other.
    Min,
    /// (T, T) -> T, like `Min`.
    Max,
    /// (T) -> T: signed integers, F32, F64.
    Abs,
    /// (T, T) -> T of 32 bits: product of the low 24 bits, sign-extended for I32.
    Mul24,
    /// (T, T) -> T: high half of the product.
    MulHi,
    /// (U32 or U64) -> I32.
    Popc,
    /// (U32 or U64) -> I32: leading zeros; the width for 0.
    Clz,
    /// (U32 or U64) -> I32: 1 + index of the lowest set bit; 0 for 0.
    Ffs,
    /// (T) -> T: U32 or U64, bits reversed.
    Brev,
    /// (U32, U32, U32) -> U32: `__byte_perm(x, y, selector)`.
    BytePerm,
    /// (lo U32, hi U32, shift U32) -> U32: `__funnelshift_l/r/lc/rc`.
    FunnelShift {
        /// Left returns the high word, right the low word.
        left: bool,
        /// Shift clamped to 32 instead of taken modulo 32.
        clamp: bool,
    },
    /// (T, T, U32) -> U32: |a − b| + c, T is I32 or U32.
    Sad,
    /// (T, T) -> T: (a + b) >> 1 without overflow; with `round_up`, (a + b + 1) >> 1.
    HalfAdd {
        /// `__rhadd`.
        round_up: bool,
    },

    // ---- half precision
    /// (words of the left factor U32, words of the right factor U32, accumulators as `float4`, or as `uint2` for
    /// halves) -> the new accumulators.
    Mma(Mma),
    /// See [`PairOp`]: words with two halves, the first in the low 16 bits; whether they are `Bf16`.
    HalfPair(PairOp, bool),
    /// (F32, F32) -> U32: two halves, rounded to nearest, the first in the low 16 bits; whether they are `Bf16`.
    PackFloats(bool),
    /// (F32, F32) -> U32: two 8-bit floats, rounded to nearest, the first in the low byte; whether they are E5M2.
    PackFp8(bool),
    /// U32 -> U32: two halves from the 8-bit floats in the low 16 bits; whether they are E5M2.
    UnpackFp8(bool),

    // ---- floating-point numbers: T is F16, F32, or F64
    /// See [`RoundedOp`].
    Rounded(RoundedOp, Rounding),
    /// `fmaf`, `fma`: (T, T, T) -> T, rounded once.
    Fma,
    /// `sqrtf`, `sqrt`: (T) -> T. -prec-sqrt determines the accuracy for F32; F64 is correctly rounded.
    Sqrt,
    /// See [`Approx`]: on F32.
    Approx(Approx),
    /// `rsqrt` on F64: (F64) -> F64.
    Rsqrt64,
    /// (T) -> T.
    Round(RoundTo),
    /// `__saturatef`: (F32) -> F32 in 0 to 1, NaN to 0.
    Saturate,
    /// `__int2float_rz`, `__double2ll_ru`, …: (any number) -> T, any number, with this rounding mode.
    ConvertRounded(Rounding),
    /// `__hiloint2double`: (hi I32, lo I32) -> F64.
    MakeDouble,
    /// `__double2hiint`: (F64) -> I32.
    DoubleHigh,
    /// `__double2loint`: (F64) -> I32.
    DoubleLow,
}
