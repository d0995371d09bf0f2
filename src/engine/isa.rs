//! The instruction set that the simulator runs: SASS's vocabulary, one set for all architectures.
//! This file lists the instructions. [`describe`] says what each one is and which chips have it,
//! `mnemonic` its name on each generation, `sim::exec` what it computes, and `arch` what it costs.
//! Nothing here knows CUDA C.
//!
//! Registers are 32 bits wide. A 64-bit value is a pair (R, R+1), low word first, R even. Memory
//! accesses of 96 and 128 bits use consecutive registers likewise.

pub mod describe;
mod fragment;
mod image;
pub mod info;
mod mma;
mod mnemonic;
pub mod print;

use serde::{Deserialize, Serialize};

pub use self::fragment::Holder;
pub use self::image::{Boundary, ImageAccess, ImageFormat, ImageShape, TexelChoice};
use crate::arch::{ArchId, architecture};
use crate::ids::{Pc, Span};

/// A register of a lane. 255 is RZ: reads return zero, and writes are dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Reg(pub u8);
/// The register that is always zero.
pub const RZ: Reg = Reg(255);

/// A predicate register of a lane, P0 to P6; 7 is PT, always true.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Pred(pub u8);
/// The predicate that is always true.
pub const PT: Pred = Pred(7);

/// A convergence barrier register of a warp, B0 to B15 (Volta on).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct BarrierReg(pub u8);

/// A predicate operand, optionally negated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct PredSrc {
    /// The register.
    pub pred: Pred,
    /// Whether the operand is the inverted value.
    pub negate: bool,
}
impl PredSrc {
    /// Always true.
    pub const TRUE: Self = Self {
        pred: PT,
        negate: false,
    };
    /// Always false.
    pub const FALSE: Self = Self {
        pred: PT,
        negate: true,
    };
}

/// Where a source operand comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Operand {
    /// A register, or the pair that starts there for a 64-bit operand.
    Reg(Reg),
    /// 32 immediate bits; for a 64-bit floating operand the high word over a zero low word, for a
    /// 64-bit integer operand sign-extended.
    Imm(u32),
    /// A word (or two, for a 64-bit operand) of a constant bank at a byte offset. Bank 0 holds the
    /// launch's dimensions and the parameters, bank 3 the program's `__constant__` variables.
    Const {
        /// 0 or 3.
        bank: u8,
        /// Byte offset.
        offset: u16,
    },
}

/// A source operand with its modifiers. `negate` on a floating operand flips the sign, on an
/// operand of an addition is two's complement, on an operand of LOP inverts the bits; `absolute`
/// comes before it and is for floating operands only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Src {
    /// Where it comes from.
    pub operand: Operand,
    /// Whether the value is negated.
    pub negate: bool,
    /// Whether the absolute value is taken first.
    pub absolute: bool,
}
impl Src {
    /// RZ, the operand of unused positions.
    pub const ZERO: Self = Self::reg(RZ);
    /// A register without modifiers.
    pub const fn reg(reg: Reg) -> Self {
        Self {
            operand: Operand::Reg(reg),
            negate: false,
            absolute: false,
        }
    }
    /// An immediate.
    pub const fn imm(bits: u32) -> Self {
        Self {
            operand: Operand::Imm(bits),
            negate: false,
            absolute: false,
        }
    }
    /// A constant.
    pub const fn constant(bank: u8, offset: u16) -> Self {
        Self {
            operand: Operand::Const { bank, offset },
            negate: false,
            absolute: false,
        }
    }
}

/// Rounding of a floating result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[allow(missing_docs, reason = "SASS's own names: nearest even, to zero, down, up")]
pub enum Round {
    #[default]
    Rn,
    Rz,
    Rm,
    Rp,
}

/// Comparisons. The `U` forms are also true when an operand is NaN; for integers only the first six.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[allow(missing_docs, reason = "SASS's own names")]
pub enum Cmp {
    Lt,
    Le,
    Gt,
    Ge,
    Eq,
    Ne,
    Ltu,
    Leu,
    Gtu,
    Geu,
    Equ,
    Neu,
    /// Both are numbers.
    Num,
    /// One is NaN.
    Nan,
}

/// How a comparison's result is combined with the predicate source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[allow(missing_docs, reason = "boolean operators")]
pub enum BoolOp {
    #[default]
    And,
    Or,
    Xor,
}

/// Functions of the special function unit. Results are the nearest f32 to the exact value (the
/// hardware's differ by its documented error); `Rcp64h` and `Rsq64h` work on the high word of a
/// double and give the high word of the estimate. SIN and COS take turns from 7.0 on. Earlier chips
/// take RRO's result (`…Reduced`), as they do for EX2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[allow(missing_docs, reason = "SASS's own names")]
pub enum Mufu {
    Rcp,
    Rsq,
    Sqrt,
    Ex2,
    Lg2,
    Sin,
    Cos,
    Tanh,
    Rcp64h,
    Rsq64h,
    SinReduced,
    CosReduced,
    Ex2Reduced,
}

/// Operations on two numbers of `__nv_bfloat16` in a register: HADD2, HMUL2, HFMA2, and HMNMX2 with .`BF16_V2`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[allow(missing_docs, reason = "named after what they compute")]
pub enum Bf16Op {
    Add,
    Mul,
    Fma,
    Min,
    Max,
}

/// A product of matrices by a warp, added to a third matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Mma {
    /// Sizes and types.
    pub kind: MmaKind,
    /// The generation of the tensor cores: generations round differently.
    pub unit: TensorUnit,
}

/// Sizes and types of matrix products: rows by columns, and the depth of the factors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum MmaKind {
    /// HMMA.884, for 7.0: one of the steps of four products of 8 rows by 8 columns, 4 deep, each by eight lanes.
    Quads {
        /// The part of the sums that the step computes: 0 to 3, of halves 0 and 1.
        step: u8,
        /// Each lane holds a column of the left factor instead of a row.
        left_columns: bool,
        /// Each lane holds a row of the right factor instead of a column.
        right_rows: bool,
        /// The sums are halves, two in a register, instead of singles.
        half_sums: bool,
    },
    /// HMMA.1688 and HMMA.16816: 16 by 8 of halves.
    Halves {
        /// The factors are 16 elements deep, not 8.
        k16: bool,
        /// The factors are of `__nv_bfloat16`.
        bfloat16: bool,
        /// The sums are halves, two in a register, not singles.
        half_sums: bool,
    },
    /// QMMA.16832, for 8.9: 16 by 8, 32 deep, of 8-bit floats, four in a register. Without it, 9.0 has conversions and HMMA
    /// in its place.
    Fp8 {
        /// The left factor is of E5M2, not E4M3.
        left_e5m2: bool,
        /// The right factor is of E5M2, not E4M3.
        right_e5m2: bool,
        /// The sums are halves, two in a register, not singles.
        half_sums: bool,
    },
    /// HMMA.1684: 16 by 8, 4 deep, of singles whose upper 10 bits of the fraction count.
    Tf32,
    /// DMMA.884: 8 by 8, 4 deep, of doubles.
    Doubles,
    /// IMMA.8816 and IMMA.16816: 8 or 16 by 8, 16 deep, of bytes, four in a register.
    Bytes {
        /// There are 16 rows, not 8.
        rows16: bool,
        /// The bytes have signs.
        signed: bool,
        /// Sums stay in the range of 32 bits; otherwise they wrap around.
        saturate: bool,
    },
    /// IMMA.8832: 8 by 8, 32 deep, of numbers of four bits, eight in a register.
    Nibbles {
        /// The numbers have signs.
        signed: bool,
        /// Sums stay in the range of 32 bits; otherwise they wrap around.
        saturate: bool,
    },
    /// BMMA.88128: 8 by 8, 128 deep, of bits. A product counts the bits that differ.
    Bits {
        /// A product counts the bits that both have.
        and: bool,
    },
}

/// Generations of tensor cores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[allow(missing_docs, reason = "named after the architectures")]
pub enum TensorUnit {
    Volta,
    Turing,
    Ampere,
    Hopper,
}

/// Types of numbers in conversions, comparisons and atomics.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[allow(missing_docs, reason = "SASS's own names")]
pub enum NumType {
    U8,
    S8,
    U16,
    S16,
    U32,
    S32,
    U64,
    S64,
    F16,
    /// Two in a word, for atomics.
    F16x2,
    F32,
    F64,
}

/// Size of one lane's access, and how a narrow load extends its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[allow(missing_docs, reason = "SASS's own names")]
pub enum Width {
    U8,
    S8,
    U16,
    S16,
    B32,
    B64,
    B128,
}
impl Width {
    /// Bytes a lane moves.
    pub const fn bytes(self) -> u32 {
        match self {
            Self::U8 | Self::S8 => 1,
            Self::U16 | Self::S16 => 2,
            Self::B32 => 4,
            Self::B64 => 8,
            Self::B128 => 16,
        }
    }
}

/// Address spaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[allow(missing_docs, reason = "CUDA's own names")]
pub enum Space {
    Global,
    Shared,
    Local,
    /// The address selects the space: windows of the generic space (2.0 on).
    Generic,
}

/// How a global load treats the caches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[allow(missing_docs, reason = "PTX's own names")]
pub enum CacheOp {
    /// As -dlcm and the architecture say.
    #[default]
    Default,
    Ca,
    Cg,
    /// Streaming.
    Cs,
    /// Volatile: bypasses L1.
    Cv,
    /// Read-only path (`__ldg`).
    Ci,
    /// LDU of 2.x: one address for all lanes, through the constant cache.
    Ldu,
}

/// Read-modify-write operations of atomics.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[allow(missing_docs, reason = "SASS's own names")]
pub enum AtomOp {
    Add,
    Min,
    Max,
    Inc,
    Dec,
    And,
    Or,
    Xor,
    Exch,
    /// Compare in `srcs[1]`, new value in `srcs[2]`.
    Cas,
    /// As `Cas`, but the result is 1 if the word changed, else 0. Shared memory only.
    Cast,
}

/// Lane exchange patterns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[allow(missing_docs, reason = "SASS's own names")]
pub enum ShflMode {
    Idx,
    Up,
    Down,
    Bfly,
}

/// Special registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[allow(missing_docs, reason = "SASS's own names")]
pub enum Special {
    TidX,
    TidY,
    TidZ,
    CtaidX,
    CtaidY,
    CtaidZ,
    LaneId,
    WarpId,
    SmId,
    ActiveMask,
    LtMask,
    LeMask,
    GtMask,
    GeMask,
    EqMask,
    ClockLo,
    ClockHi,
    GlobalTimerLo,
    GlobalTimerHi,
}

/// Kinds of entries on the reconvergence stack (Tesla to Pascal).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Token {
    /// SSY, popped by SYNC: the end of an `if`, or of a loop left only at its end.
    Ssy,
    /// PBK, popped by BRK: where `break` goes.
    Brk,
    /// PCNT, popped by CONT: where `continue` goes.
    Cont,
    /// PRET, popped by RET of an inlined function: where an early `return` goes.
    Ret,
}

/// What a block barrier computes from the predicates of its threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum BarMode {
    /// Nothing.
    Sync,
    /// The number of threads whose predicate operand is true; to dst.
    RedPopc,
    /// Whether all are true; to pdst.
    RedAnd,
    /// Whether any is true; to pdst.
    RedOr,
}

/// Subroutines of NVIDIA's math library that are one instruction here. They run only for operands
/// outside the range of the inline sequence and round correctly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[allow(missing_docs, reason = "named after what they compute")]
pub enum SlowPath {
    DivF32,
    SqrtF32,
    RcpF32,
    DivF64,
    SqrtF64,
    RcpF64,
    RsqF64,
}

/// What an instruction does. Operands are `Instruction::srcs` (called a, b, c), results go to `dst`
/// and `pdst`, predicate operands are `psrcs`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[allow(missing_docs, reason = "modifiers are SASS's; each variant says its meaning")]
pub enum Op {
    // ---- fp32
    /// dst = a + b.
    Fadd {
        ftz: bool,
        sat: bool,
        round: Round,
    },
    /// dst = a * b.
    Fmul {
        ftz: bool,
        sat: bool,
        round: Round,
    },
    /// dst = a * b + c, rounded once.
    Ffma {
        ftz: bool,
        sat: bool,
        round: Round,
    },
    /// dst = trunc(a * b) + c on 1.x: the product is cut to 24 significant bits, the sum rounded;
    /// subnormals are zero.
    Fmad {
        sat: bool,
    },
    /// dst = the lesser (or greater) of `a` and b; a number beats NaN.
    Fmnmx {
        max: bool,
        ftz: bool,
    },
    /// pdst = (a cmp b) bool `psrcs[0]`.
    Fsetp {
        cmp: Cmp,
        bool_op: BoolOp,
        ftz: bool,
    },
    /// dst = func(a).
    Mufu {
        func: Mufu,
        ftz: bool,
    },
    /// The operand in the fixed-point format that MUFU.EX2 takes, or MUFU.SIN and MUFU.COS: RRO.EX2, RRO.SINCOS.
    Rro {
        ex2: bool,
    },
    /// pdst = a / b leaves the range of the inline division, that is unless both are normal numbers
    /// with the exponent of `a` at least -100, that of b at most 125, and their difference within
    /// -125 to 126.
    Fchk,
    /// See [`SlowPath`]; a, b.
    Slow {
        path: SlowPath,
    },
    // ---- fp64, on pairs
    Dadd {
        round: Round,
    },
    Dmul {
        round: Round,
    },
    Dfma {
        round: Round,
    },
    Dmnmx {
        max: bool,
    },
    Dsetp {
        cmp: Cmp,
        bool_op: BoolOp,
    },
    // ---- fp16, two in a register
    /// dst = a + b, a * b, a * b + c on two halves.
    Hadd2 {
        ftz: bool,
    },
    Hmul2 {
        ftz: bool,
    },
    Hfma2 {
        ftz: bool,
    },
    /// dst = the lesser (or greater) of `a` and b on two halves; a number beats NaN (8.0 on).
    Hmnmx2 {
        max: bool,
    },
    /// pdst = (a cmp b) bool `psrcs[0]`, of the low halves.
    Hsetp2 {
        cmp: Cmp,
        bool_op: BoolOp,
    },
    /// dst = the low (or `high`) half of b in single precision, added to a, which is minus zero.
    Hadd2F32 {
        high: bool,
    },
    /// The same on two numbers of `__nv_bfloat16` (8.0 on, sums and products by themselves 9.0 on).
    Bf16 {
        op: Bf16Op,
    },
    /// dst = halves, or numbers of `__nv_bfloat16`, of the singles b, in the low half, and a, in the high half, rounded
    /// to nearest (8.0 on).
    F2fp {
        bfloat16: bool,
    },
    /// dst = two 8-bit floats of the singles b, in the low byte, and a, in the second byte, rounded to nearest; a number
    /// beyond the largest becomes the largest (8.9 on).
    F2fpFp8 {
        e5m2: bool,
    },
    /// dst = halves with the values of the two 8-bit floats in the low, or `high`, half of operand a (8.9 on).
    UnpackFp8 {
        e5m2: bool,
        high: bool,
    },
    /// dst.. = product of the matrices a.. and b.., plus the matrix c.., which the warp's lanes hold together.
    Mma {
        mma: Mma,
    },
    // ---- conversions
    /// Floating to floating.
    F2f {
        from: NumType,
        to: NumType,
        round: Round,
        ftz: bool,
    },
    /// Floating to integer, saturating, NaN to 0 (to the most negative for 64 bits).
    F2i {
        from: NumType,
        to: NumType,
        round: Round,
        ftz: bool,
    },
    /// Integer to floating.
    I2f {
        from: NumType,
        to: NumType,
        round: Round,
    },
    /// Narrow integer to 32 bits.
    I2i {
        from: NumType,
    },
    /// Floating to a whole floating number: nearest even, trunc, floor, ceil.
    Frnd {
        ty: NumType,
        round: Round,
        ftz: bool,
    },
    // ---- integers
    /// dst = a + b + c; with `carry_out` the carry out of bit 31 goes to pdst, with `carry_in` psrc is
    /// added. In 64-bit sums c is zero, and the low word's subtraction a - b is a + ~b + 1 with the
    /// carry of that sum (true where a >= b, unsigned); with `carry_in` a negated operand is ~b, the
    /// 1 having come with the low word.
    Iadd3 {
        carry_out: bool,
        carry_in: bool,
    },
    /// dst = low (or `high`) 32 bits of a * b.
    Imul {
        signed: bool,
        high: bool,
    },
    /// dst = low (or `high`) 32 bits of a * b, plus c.
    Imad {
        signed: bool,
        high: bool,
    },
    /// Pair dst = a * b + pair c.
    ImadWide {
        signed: bool,
    },
    /// dst = low 32 bits of the product of the low 24 bits (by sign or zero extended), plus c (zero
    /// for a plain product).
    Imad24 {
        signed: bool,
    },
    /// dst = a.h * b.h (16-bit halves chosen by `a_hi`, `b_hi`, zero-extended), shifted left by 16
    /// if `shift_left`, plus c; with `merge`, the result is (sum & 0xffff) | b << 16 (XMAD.MRG).
    Xmad {
        a_hi: bool,
        b_hi: bool,
        a_signed: bool,
        b_signed: bool,
        shift_left: bool,
        merge: bool,
    },
    /// dst = (a << shift) + b; `high` forms are not used.
    Lea {
        shift: u8,
    },
    /// dst = `a` op b on bits (`negate` inverts an operand).
    Lop {
        op: BoolOp,
    },
    /// dst = lut of the bits of a (0xf0), b (0xcc), c (0xaa).
    Lop3 {
        lut: u8,
    },
    /// dst = a << b (0 from 32 on).
    Shl,
    /// dst = a >> b, by sign or zero (0 or the sign from 32 on).
    Shr {
        signed: bool,
    },
    /// Funnel shift: the 64-bit value with low word `a` and high word c is shifted by b; left gives the
    /// high word of the result, right the low word. The shift is taken mod 32 with `wrap`, else
    /// clamped to 64. A right shift fills with the sign of c if `signed`, else with zeros.
    Shf {
        left: bool,
        wrap: bool,
        signed: bool,
    },
    Imnmx {
        signed: bool,
        max: bool,
    },
    /// pdst = (a cmp b) bool `psrcs[0]`. With `extended`, `a` and b are the high words of 64-bit operands
    /// and `psrcs[1]` is the same comparison of the low words (unsigned): the comparison is then
    /// `psrcs[1]` where a = b, and that of the high words elsewhere.
    Isetp {
        cmp: Cmp,
        signed: bool,
        bool_op: BoolOp,
        extended: bool,
    },
    Iabs,
    Popc,
    /// Index of the highest set bit, or of the highest bit that differs from the sign; -1 if none.
    Flo {
        signed: bool,
    },
    Brev,
    /// dst = bytes of (a, c) chosen by the nibbles of b.
    Prmt,
    /// dst = a's field at (b & 255) of length (b >> 8 & 255).
    Bfe {
        signed: bool,
    },
    /// dst = c with a's low bits inserted at (b & 255) of length (b >> 8 & 255).
    Bfi,
    /// dst = `psrcs[0]` ? a : b.
    Sel,
    Mov,
    /// dst = special register.
    S2r {
        special: Special,
    },
    /// pdst = lut of three predicates: `psrcs[0]` (0xf0), `psrcs[1]` (0xcc), `psrcs[2]` (0xaa).
    Plop3 {
        lut: u8,
    },
    // ---- warp
    /// dst = ballot of `psrcs[0]` over the active lanes of `Instruction::member_mask`; pdst = all (or
    /// any, or whether all are equal). Without `sync` the mask is ignored.
    Vote {
        mode: VoteMode,
        sync: bool,
    },
    /// dst = `a` of another lane; b is the lane or distance, c is (segment mask << 8 | clamp) as SASS
    /// has it; pdst = in range. With `sync` the member mask is `Instruction::member_mask`.
    Shfl {
        mode: ShflMode,
        sync: bool,
    },
    /// dst = lanes of `Instruction::member_mask` with the same `a` (a pair if `wide`); with `all`, the
    /// mask if they are all equal, else 0, and pdst = whether they are.
    Match {
        all: bool,
        wide: bool,
    },
    /// dst = the values `a` of the active lanes in `Instruction::member_mask`, combined.
    Redux {
        op: ReduxOp,
        signed: bool,
    },
    /// MOVM: transposes the matrix of 8 by 8 halves in operand a.
    Movm,
    // ---- memory: address = `srcs[0]` (a pair if `wide`) + offset
    /// dst.. = memory.
    Ld {
        space: Space,
        width: Width,
        cache: CacheOp,
        wide: bool,
    },
    /// memory = `srcs[1]`..
    St {
        space: Space,
        width: Width,
        cache: CacheOp,
        wide: bool,
    },
    /// dst = old value; `srcs[1]` the operand (`srcs[2]` the new value of CAS).
    Atom {
        space: Space,
        op: AtomOp,
        ty: NumType,
        wide: bool,
    },
    /// As Atom without a result.
    Red {
        space: Space,
        op: AtomOp,
        ty: NumType,
        wide: bool,
    },
    /// dst.. = `constant bank[srcs[0] + offset]`; replays once per distinct address.
    Ldc {
        bank: u8,
        width: Width,
    },
    /// dst.. = element `srcs[0]` (signed) of the linear memory at `srcs[1]` (a pair if `wide`), fetched
    /// through the texture path; zero outside of the memory.
    Tld {
        width: Width,
        wide: bool,
    },
    /// dst.. = the first `count` channels of the texture with handle `srcs[1]` (a pair if `wide`) at the
    /// coordinates `srcs[0]`..: floats, and an integer for the layer.
    Tex {
        shape: ImageShape,
        choice: TexelChoice,
        count: u8,
        wide: bool,
    },
    /// dst.. = the element of the surface with handle `srcs[1]` (a pair if `wide`) at the coordinates `srcs[0]`..:
    /// integers; the first counts bytes.
    Suld {
        shape: ImageShape,
        width: Width,
        boundary: Boundary,
        wide: bool,
    },
    /// As Suld, from `srcs[2]`.. to the surface.
    Sust {
        shape: ImageShape,
        width: Width,
        boundary: Boundary,
        wide: bool,
    },
    /// LDGSTS: shared memory at `srcs[1]` + `srcs[2]` (an immediate) = global memory, without a register. The copy lands
    /// later. Where `psrcs[0]` is false, the lane writes zeros and reads nothing. With `zero_fill`, the low bits of the
    /// global address are the number of zero bytes at the end, and the rest comes from the aligned address. `bypass`: not
    /// through L1.
    Ldgsts {
        width: Width,
        bypass: bool,
        zero_fill: bool,
        wide: bool,
    },
    /// LDSM: dst.. = matrices of 8 by 8 halves in shared memory. Lane 8 m + r has the address of row r of matrix m.
    Ldsm {
        num: u8,
        transposed: bool,
    },
    /// STSM: shared memory = the matrices `srcs[1]`.., as LDSM loads them.
    Stsm {
        num: u8,
        transposed: bool,
    },
    /// LDGDEPBAR: the warp's copies since the last one become a group.
    Ldgdepbar,
    /// DEPBAR.LE: waits until all but the newest `left` groups of copies of the warp have landed.
    Depbar {
        left: u8,
    },
    /// Memory order: 0 block, 1 device, 2 system.
    Membar {
        level: u8,
    },
    // ---- control
    /// Lanes whose guard is true jump to the target.
    Bra {
        target: Pc,
    },
    Exit,
    /// Each active lane saves its return address and its convergence barriers, and jumps to the target.
    /// The callee has its own B0 to B15.
    Call {
        target: Pc,
    },
    /// Each active lane returns to its caller and restores its convergence barriers.
    Ret,
    Nop,
    /// Block barrier `id`.
    Bar {
        mode: BarMode,
        id: u8,
    },
    /// Push a token with a target (Tesla to Pascal).
    Push {
        token: Token,
        target: Pc,
    },
    /// Lanes whose guard is true jump to the target of the nearest token of that kind and drop the tokens
    /// above it. They wait there for the lanes that were active at the push and have neither exited nor
    /// popped a token below it.
    Pop {
        token: Token,
    },
    /// barrier = the active lanes, which reconverge at the target's BSYNC (Volta on). A barrier register
    /// belongs to the lanes that execute BSSY together: other lanes of the warp may use the same number
    /// for their own group.
    Bssy {
        barrier: BarrierReg,
        target: Pc,
    },
    /// Waits for the lanes in the barrier that have neither exited nor executed BREAK.
    Bsync {
        barrier: BarrierReg,
    },
    /// The active lanes leave the barrier.
    Break {
        barrier: BarrierReg,
    },
    /// Waits until all lanes in the mask `a` arrive.
    Warpsync,
    /// Lets other lanes of the warp run first.
    Yield,
    /// Sleeps for about a nanoseconds.
    Nanosleep,
    /// Ends the kernel with a fault: `__trap()`.
    Trap,
    // ---- functions of NVIDIA's library that are one instruction here
    /// dst = `vprintf(a, b)`: prints the format at the generic address a with the arguments at the generic
    /// address b (0: none), and returns the number of arguments (see [`crate::printf`]). nvcc calls a function
    /// here. Its instructions, its stores to the buffer between device and host, and the registers that it
    /// may change are not modeled.
    Vprintf {
        wide: bool,
    },
    /// `__assertfail`: prints that an assertion failed, and ends the kernel with a fault. The generic address a
    /// holds the place in the source, b the assertion.
    AssertFail {
        wide: bool,
    },
}

/// How REDUX combines values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[allow(missing_docs, reason = "SASS's own names")]
pub enum ReduxOp {
    Sum,
    Min,
    Max,
    And,
    Or,
    Xor,
}

/// The predicate that VOTE computes beside the ballot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[allow(missing_docs, reason = "SASS's own names")]
pub enum VoteMode {
    All,
    Any,
    Eq,
}

/// One instruction.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Instruction {
    /// The operation.
    pub op: Op,
    /// Lanes whose guard is false skip the instruction, which still takes its issue slot.
    pub guard: PredSrc,
    /// First result register, or RZ.
    pub dst: Reg,
    /// Predicate result, or PT.
    pub pdst: Pred,
    /// Operands a, b, c; unused ones are RZ.
    pub srcs: [Src; 3],
    /// Predicate operands; unused ones are PT.
    pub psrcs: [PredSrc; 3],
    /// Byte offset of a memory access.
    pub offset: i32,
    /// Member mask of the `_sync` forms: a register or an immediate; all lanes where unused.
    pub member_mask: Src,
    /// Its place in the source.
    pub span: Span,
}

/// A scalar type of a parameter or of a buffer's elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs, reason = "named after themselves")]
pub enum ElemType {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    F16,
    F32,
    F64,
}
impl ElemType {
    /// Size in bytes.
    pub const fn bytes(self) -> u32 {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 | Self::F16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::I64 | Self::U64 | Self::F64 => 8,
        }
    }
}

/// What a kernel parameter is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ParamType {
    /// A number.
    Scalar(ElemType),
    /// A pointer; vector elements count as their scalars.
    Pointer {
        /// Scalar type of the pointee; `None` for `void`.
        elem: Option<ElemType>,
        /// Scalars per element (4 for `float4`).
        lanes: u8,
        /// Whether the pointee is const.
        read_only: bool,
    },
    /// A struct or vector by value, in bytes.
    Bytes,
    /// A texture or surface: an object or a reference.
    Texture {
        /// Its elements, as the first access of the kernel reads them.
        format: ImageFormat,
        /// Its dimensions.
        shape: ImageShape,
        /// Whether it is a surface.
        is_surface: bool,
    },
}

/// A parameter of a kernel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Param {
    /// Its name in the source.
    pub name: String,
    /// Its type.
    pub ty: ParamType,
    /// Its type as C text, for the launch form.
    pub c_type: String,
    /// Byte offset from the start of the parameters.
    pub offset: u32,
    /// Size in bytes.
    pub size: u32,
}

/// Where a named variable lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SymbolSpace {
    /// `__constant__`: constant bank 3.
    Constant,
    /// `__device__`: global memory.
    Global,
    /// `__shared__`.
    Shared,
}

/// A named variable of the program outside its registers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Symbol {
    /// Its name.
    pub name: String,
    /// Where it lives.
    pub space: SymbolSpace,
    /// Byte offset in the constant bank, in the program's global segment, or in a block's shared memory.
    pub offset: u32,
    /// Size in bytes (0 for `extern __shared__` arrays).
    pub size: u32,
    /// Element type, where it is an array of scalars.
    pub elem: Option<ElemType>,
    /// Array extents, outermost first.
    pub dims: Vec<u32>,
}

/// Options of compilation, as nvcc has them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct CompileOptions {
    /// `-fmad`: fuse multiplications and additions.
    pub fmad: bool,
    /// `-ftz`: subnormal single-precision numbers are zero.
    pub ftz: bool,
    /// `-prec-div`: correctly rounded single-precision division.
    pub prec_div: bool,
    /// `-prec-sqrt`: correctly rounded single-precision square root.
    pub prec_sqrt: bool,
    /// `-use_fast_math`: intrinsics in place of functions too.
    pub fast_math: bool,
    /// `-maxrregcount`.
    pub max_registers: Option<u16>,
    /// 32-bit device pointers where the chip has a choice (`-m32`).
    pub pointers_32_bit: bool,
    /// The compute capability to compile for, 700 for 7.0, if it is not the chip's own. A chip runs code for an earlier
    /// capability with the same major number; another one has no effect.
    #[serde(default)]
    pub capability: Option<u16>,
}

impl CompileOptions {
    /// The architecture whose code a chip runs with these options.
    pub fn target(&self, arch: ArchId) -> ArchId {
        let runs = |id: &ArchId| {
            let code = architecture(*id).compute_capability;
            Some(code.number()) == self.capability && architecture(arch).compute_capability.runs(code)
        };
        ArchId::ALL.into_iter().find(runs).unwrap_or(arch)
    }

    /// Whether subnormal single-precision numbers are zero by option: `-use_fast_math` implies `-ftz`. Source: NVIDIA CUDA
    /// Compiler Driver NVCC, 4.2.7 "Options for Steering GPU Code Generation".
    pub const fn flushes(&self) -> bool {
        self.ftz || self.fast_math
    }
}

impl Default for CompileOptions {
    fn default() -> Self {
        Self {
            fmad: true,
            ftz: false,
            prec_div: true,
            prec_sqrt: true,
            fast_math: false,
            max_registers: None,
            pointers_32_bit: false,
            capability: None,
        }
    }
}

/// A compiled kernel for one architecture.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Program {
    /// The kernel's name, with template arguments where it has them.
    pub name: String,
    /// The architecture that it was compiled for.
    pub arch: ArchId,
    /// The instructions; execution starts at 0. Functions that are called follow the kernel.
    pub code: Vec<Instruction>,
    /// Names of called functions by their first instruction.
    pub functions: Vec<(Pc, String)>,
    /// Registers per thread, as `-Xptxas -v` reports them.
    pub registers_per_thread: u16,
    /// Static shared memory in bytes.
    pub static_shared_bytes: u32,
    /// Local memory per thread in bytes: arrays, spills, and call frames.
    pub local_bytes_per_thread: u32,
    /// Bytes of spill stores and spill loads in the code.
    pub spill_bytes: (u32, u32),
    /// Whether it has an `extern __shared__` array.
    pub uses_dynamic_shared: bool,
    /// Parameters in order.
    pub params: Vec<Param>,
    /// Bytes of parameters.
    pub param_bytes: u32,
    /// Named variables.
    pub symbols: Vec<Symbol>,
    /// Initial contents of constant bank 3.
    pub constant_image: Vec<u8>,
    /// Initial contents of the program's global segment (`__device__` variables).
    pub global_image: Vec<u8>,
    /// `__launch_bounds__(threads, blocks)`.
    pub launch_bounds: Option<(u32, u32)>,
    /// Pointer size in bits: 32 or 64.
    pub pointer_bits: u32,
    /// Compiler options.
    pub options: CompileOptions,
    /// The source text that the instructions' lines refer to; empty for a program that was not compiled
    /// from text.
    #[serde(skip)]
    pub source: String,
}

/// Constant bank 0: dimensions of the launch, then parameters. The offsets are this simulator's own.
pub mod bank0 {
    /// `blockDim.x`; y and z follow.
    pub const BLOCK_DIM: u16 = 0x0;
    /// `gridDim.x`; y and z follow.
    pub const GRID_DIM: u16 = 0xc;
    /// Address of the program's global segment (`__device__` variables), 8 bytes.
    pub const GLOBAL_SEGMENT: u16 = 0x18;
    /// Bytes of dynamic shared memory of the launch.
    pub const DYNAMIC_SHARED: u16 = 0x20;
    /// First address of the stack in local memory: 0.
    pub const STACK_POINTER: u16 = 0x28;
    /// First parameter.
    pub const PARAMS: u16 = 0x160;
}

/// Windows of the generic address space, for `Space::Generic` accesses (2.0 on): an address in a
/// window accesses that space at its distance from the window's start.
pub mod window {
    /// Start of the shared-memory window.
    pub const SHARED: u64 = 0x7f00_0000_0000;
    /// Start of the local-memory window.
    pub const LOCAL: u64 = 0x7e00_0000_0000;
    /// Bytes of each.
    pub const SIZE: u64 = 0x0100_0000;
    /// The same with 32-bit pointers.
    pub const SHARED_32: u64 = 0xff00_0000;
    /// The same with 32-bit pointers.
    pub const LOCAL_32: u64 = 0xfe00_0000;
}
