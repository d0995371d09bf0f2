//! The intermediate representation between the checked program and machine code: SSA values on a control-flow
//! graph of basic blocks.
//!
//! A function's [`Block`]s contain operations in order and an [`End`]. A block's parameters take their values
//! from the incoming edges, so there are no phi operations. Any control flow is legal; the reconvergence points
//! of diverged lanes are determined from the graph when machine code is generated.
//!
//! # Values
//!
//! Every value is defined once, and its definition dominates its uses ([`verify`] checks this). Leaves
//! (constants, parameters, addresses of variables: see [`Def`]) belong to no block and can be used everywhere.
//!
//! Narrow integers use 32 bits: a `char` or `short` value is extended to `I32` according to its type. Pointers
//! are plain integers of the target's pointer width (`I32` or `I64`). Addresses in shared, local, and constant
//! memory are `I32` offsets in their own space, and [`Op::ToGeneric`] converts them to generic addresses.

use std::collections::BTreeMap;

use engine::arch::ArchId;
use engine::ids::Span;
use engine::isa::{
    self, AtomOp, CacheOp, Cmp, CompileOptions, ImageAccess, ImageFormat, ImageShape, Mma, Mufu, NumType,
    Round, Special, Width,
};

pub mod flow;
pub mod fold;
pub mod print;
pub mod verify;
pub mod walk;

/// A value of a function: an index into [`Function::values`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Value(pub u32);

/// A basic block: an index into [`Function::blocks`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlockId(pub u32);

impl BlockId {
    /// The block's index.
    pub const fn idx(self) -> usize {
        self.0 as usize
    }
}

/// A variable in local memory: an index into [`Function::slots`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Slot(pub u32);

/// A named variable of the module: an index into [`Module::symbols`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SymbolId(pub u32);

/// A function of the module: an index into [`Module::functions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FuncId(pub u32);

/// The type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Type {
    /// A predicate.
    I1,
    /// 32 bits: integers up to that width, and addresses on 32-bit targets.
    I32,
    /// 64 bits in a register pair.
    I64,
    /// A half-precision number in the low half of a register; the high half is unspecified.
    F16,
    /// Two half-precision numbers, the first in the low half.
    F16x2,
    /// Two `__nv_bfloat16` numbers, the first in the low half. From 8.0 on; a single number is a zero-extended
    /// `I32`.
    Bf16x2,
    /// Single precision.
    F32,
    /// Double precision in a register pair.
    F64,
}
impl Type {
    /// Size in memory in bytes (`I1`, which has no memory representation: 1).
    pub const fn bytes(self) -> u32 {
        match self {
            Self::I1 => 1,
            Self::F16 => 2,
            Self::I32 | Self::F16x2 | Self::Bf16x2 | Self::F32 => 4,
            Self::I64 | Self::F64 => 8,
        }
    }
    /// Number of registers (`I1` takes a predicate and no register).
    pub const fn registers(self) -> u32 {
        match self {
            Self::I1 => 0,
            Self::I64 | Self::F64 => 2,
            _ => 1,
        }
    }
    /// Whether this is a floating-point type.
    pub const fn is_float(self) -> bool {
        matches!(
            self,
            Self::F16 | Self::F16x2 | Self::Bf16x2 | Self::F32 | Self::F64
        )
    }
}

/// The definition of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Def {
    /// An operation's result, or a parameter of a block or a function.
    Node,
    /// A constant: its bits, in the low bits of the word (`I1`: 0 or 1).
    Const(u64),
    /// A word of constant bank 0 at this byte offset (a pair of words for 64-bit types): a kernel parameter or
    /// a dimension of the launch.
    Bank0(u16),
    /// `I32`: address of a `__shared__` variable in shared memory (`Module::symbols[..].offset`).
    Shared(SymbolId),
    /// `I32`: address of a `__constant__` variable in constant bank 3.
    Constant(SymbolId),
    /// `I32`: address of a local variable in local memory.
    Slot(Slot),
    /// An unspecified value: that of an uninitialized variable.
    Undef,
}

/// Facts about a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValueInfo {
    /// The type.
    pub ty: Type,
    /// The definition.
    pub def: Def,
    /// Whether the value is the same in all threads of a block that compute it together. Set by the uniformity
    /// analysis at the end of optimization; `false` before.
    pub uniform: bool,
    /// Permission for the optimizer: an integer result never overflows as a signed number, and a floating-point
    /// product, sum, or difference can be fused. Has no meaning after optimization.
    pub relaxed: bool,
}

/// Address spaces of accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Space {
    /// Global memory; the address has pointer width.
    Global,
    /// Shared memory; the address is `I32`.
    Shared,
    /// Local memory; the address is `I32`.
    Local,
    /// Constant bank 3; the address is `I32`. Loads only.
    Const,
    /// Constant bank 0: parameters that are read with an index. The address is an `I32` byte offset in the
    /// bank. Loads only.
    Param,
    /// Determined by the address at run time; the address has pointer width. Not on 1.x.
    Generic,
}

/// A memory access. Its address is the first operand plus `offset`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Access {
    /// The address space.
    pub space: Space,
    /// Width of each element: `U8` to `S16` are `I32` values (or `F16` with `U16`); `B32` is `I32`, `F32`, or
    /// `F16x2`; `B64` is `I64` or `F64`. Never `B128`.
    pub width: MemWidth,
    /// Number of elements: 1, 2, or 4, at most 16 bytes in total. Each element is one value.
    pub count: u8,
    /// Whether the access is volatile: it is never merged, moved, or dropped.
    pub volatile: bool,
    /// The cache operation.
    pub cache: MemCache,
    /// Constant byte offset.
    pub offset: i32,
    /// For loads: whether nothing writes the memory during the kernel, so that the load can be moved and
    /// merged.
    pub invariant: bool,
}
impl Access {
    /// Size of the whole access in bytes.
    pub fn bytes(&self) -> u32 {
        self.width.bytes() * u32::from(self.count)
    }
}

/// Element widths of accesses: [`Width`] without 128 bits, ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs, reason = "SASS's own names")]
pub enum MemWidth {
    U8,
    S8,
    U16,
    S16,
    B32,
    B64,
}
impl MemWidth {
    /// Size of an element in bytes.
    pub const fn bytes(self) -> u32 {
        match self {
            Self::U8 | Self::S8 => 1,
            Self::U16 | Self::S16 => 2,
            Self::B32 => 4,
            Self::B64 => 8,
        }
    }
    /// The equivalent in the instruction set.
    pub const fn width(self) -> Width {
        match self {
            Self::U8 => Width::U8,
            Self::S8 => Width::S8,
            Self::U16 => Width::U16,
            Self::S16 => Width::S16,
            Self::B32 => Width::B32,
            Self::B64 => Width::B64,
        }
    }
}

macro_rules! ordered_mirror {
    ($(#[$doc:meta])* $name:ident, $isa:ty, $to:ident: $($variant:ident)*) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[allow(missing_docs, reason = "the instruction set's own names")]
        pub enum $name { $($variant),* }
        impl $name {
            /// The equivalent in the instruction set.
            pub const fn $to(self) -> $isa {
                match self { $(Self::$variant => <$isa>::$variant),* }
            }
        }
        impl From<$isa> for $name {
            fn from(other: $isa) -> Self {
                match other { $(<$isa>::$variant => Self::$variant),* }
            }
        }
    };
}
ordered_mirror!(
    /// [`CacheOp`], ordered.
    MemCache, CacheOp, isa: Default Ca Cg Cs Cv Ci Ldu);
ordered_mirror!(
    /// [`Round`], ordered: to nearest even, toward zero, down, up.
    Rounding, Round, isa: Rn Rz Rm Rp);
ordered_mirror!(
    /// [`Cmp`], ordered.
    Compare, Cmp, isa: Lt Le Gt Ge Eq Ne Ltu Leu Gtu Geu Equ Neu Num Nan);
ordered_mirror!(
    /// [`Mufu`], ordered.
    Special1, Mufu, isa: Rcp Rsq Sqrt Ex2 Lg2 Sin Cos Tanh Rcp64h Rsq64h SinReduced CosReduced Ex2Reduced);
ordered_mirror!(
    /// [`NumType`], ordered.
    Num, NumType, isa: U8 S8 U16 S16 U32 S32 U64 S64 F16 F16x2 F32 F64);
ordered_mirror!(
    /// [`AtomOp`], ordered.
    Atomic, AtomOp, isa: Add Min Max Inc Dec And Or Xor Exch Cas Cast);
ordered_mirror!(
    /// [`isa::ShflMode`], ordered.
    Shuffle, isa::ShflMode, isa: Idx Up Down Bfly);
ordered_mirror!(
    /// [`Special`], ordered.
    SpecialReg, Special, isa:
    TidX TidY TidZ CtaidX CtaidY CtaidZ LaneId WarpId SmId ActiveMask LtMask LeMask GtMask GeMask
    EqMask ClockLo ClockHi GlobalTimerLo GlobalTimerHi);
ordered_mirror!(
    /// [`isa::BarMode`], ordered.
    BarKind, isa::BarMode, isa: Sync RedPopc RedAnd RedOr);

/// The result of a vote.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Vote {
    /// `I1`: whether all are true.
    All,
    /// `I1`: whether any is true.
    Any,
    /// `I1`: whether all are equal.
    Uniform,
    /// `I32`: mask of the lanes whose predicate is true.
    Ballot,
}

/// An operation on operands (a, b, c, ...). The type of the result is in the function's value table; unless
/// stated otherwise, operands have the result's type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Op {
    // ---- integers: I32 or I64
    /// a + b.
    Add,
    /// a - b.
    Sub,
    /// Low half of a * b.
    Mul,
    /// High half of a * b.
    MulHigh {
        /// Signedness of the operands.
        signed: bool,
    },
    /// `I64` product of two `I32`.
    MulWide {
        /// Signedness of the operands.
        signed: bool,
    },
    /// `I32`: low 32 bits of the product of the low 24 bits.
    Mul24 {
        /// Signedness of the operands.
        signed: bool,
    },
    /// a / b rounded toward zero. Division by zero returns all ones.
    Div {
        /// Signedness.
        signed: bool,
    },
    /// a - (a / b) * b.
    Rem {
        /// Signedness.
        signed: bool,
    },
    /// -a.
    Neg,
    /// |a|.
    Abs,
    /// The minimum.
    Min {
        /// Signedness.
        signed: bool,
    },
    /// The maximum.
    Max {
        /// Signedness.
        signed: bool,
    },
    /// a & b; also on `I1`.
    And,
    /// a | b; also on `I1`.
    Or,
    /// a ^ b; also on `I1`.
    Xor,
    /// ~`a`; also on `I1`.
    Not,
    /// a << b; b is `I32`, unsigned; 0 if b is at least the type's width.
    Shl,
    /// a >> b; b is `I32`, unsigned; 0 or the sign if b is at least the type's width.
    Shr {
        /// Whether the sign is shifted in.
        signed: bool,
    },
    /// `I32`: funnel shift of the pair (low a, high b) by c. A left shift returns the high word, a right shift
    /// the low word.
    Funnel {
        /// Whether the shift is to the left.
        left: bool,
        /// Whether the distance is taken modulo 32; otherwise it is clamped to 32.
        wrap: bool,
    },
    /// `I32`: number of set bits of `a` (`I32` or `I64`).
    Popc,
    /// `I32`: number of zero bits above the highest set bit of `a` (`I32` or `I64`).
    Clz,
    /// Bits in reverse order.
    Brev,
    /// `I32`: bytes of (a, b) selected by the nibbles of c.
    BytePerm,
    /// `I32`: the low bits of `a` as a narrow number (`U8`, `S8`, `U16`, `S16`), extended to 32 bits.
    Narrow(Num),
    /// `I64` of an `I32`, sign-extended.
    SignExtend,
    /// `I64` of an `I32`, zero-extended.
    ZeroExtend,
    /// `I32`: low word of an `I64`.
    Low,
    /// `I32`: high word of an `I64`.
    High,
    /// `I64` of low word `a` and high word b.
    Pair,
    /// a + b for an address `a` and a byte offset b of pointer width (global and generic addresses; `Add` adds to
    /// addresses in other spaces).
    PtrAdd,
    /// `I1`: comparison of two integers (or of two `I1`, `Eq` and `Ne` only).
    ICmp {
        /// The first six comparisons only.
        cmp: Compare,
        /// Signedness.
        signed: bool,
    },
    /// a ? b : c; `a` is `I1`, the other operands have the result's type.
    Select,

    // ---- floating point: F32, F64, F16, F16x2
    /// a + b.
    FAdd(Rounding),
    /// a - b.
    FSub(Rounding),
    /// a * b.
    FMul(Rounding),
    /// a * b + c, rounded once. With `truncating` (`F32` on 1.x), the product is truncated, then the sum
    /// rounded.
    FFma {
        /// Rounding of the result.
        round: Rounding,
        /// FMAD of compute capability 1.x.
        truncating: bool,
    },
    /// -a.
    FNeg,
    /// |a|.
    FAbs,
    /// The minimum; a number wins over NaN.
    FMin,
    /// The maximum; a number wins over NaN.
    FMax,
    /// a clamped to 0..1; NaN becomes 0.
    FSaturate,
    /// a / b. `F32` with `Rn` is IEEE-compliant or approximate, depending on `-prec-div`.
    FDiv(Rounding),
    /// 1 / a, correctly rounded with `Rn` and `-prec-div`.
    FRcp(Rounding),
    /// The square root, correctly rounded unless `-prec-sqrt=false`.
    FSqrt(Rounding),
    /// `1 / sqrt(a)` of an `F64`, as computed by `rsqrt`.
    FRsqrt,
    /// A function of the special function unit (`F32`; the 64h functions take and return the high word as
    /// `I32`).
    Mufu(Special1),
    /// The operand of `Mufu` of a sine or cosine, from radians: RRO.SINCOS, from 7.0 on a product in turns. With `ex2`, the
    /// operand of `Ex2Reduced`: RRO.EX2, which chips from 7.0 on do not have.
    Reduce {
        /// Whether of an exponent.
        ex2: bool,
    },
    /// `I1`: comparison of two floating-point numbers.
    FCmp(Compare),
    /// A conversion between number types, at least one of them floating point: float to float, float to integer
    /// (saturating; NaN becomes 0), or integer to float.
    Convert {
        /// Type of the operand.
        from: Num,
        /// Type of the result.
        to: Num,
        /// How the result is rounded.
        round: Rounding,
    },
    /// a rounded to an integer.
    FRound(Rounding),
    /// The same bits as another type of the same size (`I32`, `F32`, `F16x2`; `I64`, `F64`), or the low half of
    /// an `I32` as `F16`, or an `F16` as `I32` (zero-extended).
    Bitcast,
    /// `F16x2`: a pair of two `F16`.
    PackHalves,
    /// `I32`: two `F32` rounded to nearest as halves, the first in the low 16 bits.
    PackFloats {
        /// Whether the halves are `__nv_bfloat16` (8.0 on).
        bfloat16: bool,
    },
    /// `I32`: two `F32` rounded to nearest as 8-bit floats, the first in the low byte (8.9 on).
    PackFp8 {
        /// The type is E5M2, not E4M3.
        e5m2: bool,
    },
    /// `I32`: halves with the values of the two 8-bit floats in the low, or `high`, half of an `I32` (8.9 on).
    UnpackFp8 {
        /// The type is E5M2, not E4M3.
        e5m2: bool,
        /// The upper half is read.
        high: bool,
    },
    /// `F16`: the first half of an `F16x2`.
    HalfLow,
    /// `F16`: the second half of an `F16x2`.
    HalfHigh,

    /// A warp-wide matrix product. The operands are words of the left factor, words of the right factor, and
    /// the sums, which are `F32` or, for halves, `I32`. The results are the new sums.
    Mma(Mma),

    // ---- the machine
    /// `I32`: a special register. Each read of a clock or of the active mask can return a different value.
    Special(SpecialReg),
    /// The generic address (pointer width) of an address in this space.
    ToGeneric(Space),
    /// The address in this space (`I32`) of a generic address that points to it.
    FromGeneric(Space),
    /// `I1`: whether a generic address points to this space.
    IsSpace(Space),

    // ---- memory
    /// Loads `count` values from address a.
    Load(Access),
    /// `count` values: element b (`I32`) of the texture at a; zero outside the texture.
    Fetch {
        /// Width of each value.
        width: MemWidth,
        /// Number of values: 1, 2, or 4.
        count: u8,
    },
    /// An access to the texture or surface `a` at coordinates (one word per dimension of the shape), followed by
    /// words that select the level, or by the values to write. The results are the values read: words of
    /// textures, or elements of surfaces (narrow elements packed in words).
    Image {
        /// The shape of the image.
        shape: ImageShape,
        /// The kind of access.
        access: ImageAccess,
        /// The format of elements in memory, as declared in the source.
        format: ImageFormat,
    },
    /// Stores `count` values b, c, ... to address a.
    Store(Access),
    /// Atomically updates memory at a with b (`Cas` compares with b and stores c). One result, the old value,
    /// or none if the old value is unused. `ty` gives the width of the values.
    Atom {
        /// The address space: global, shared, or generic.
        space: Space,
        /// The operation.
        op: Atomic,
        /// Type of the memory.
        ty: Num,
        /// Constant byte offset.
        offset: i32,
    },
    /// `num` results (`I32`): matrices of 8 by 8 halves in shared memory, whose rows are at the addresses `a` (`I32`) of the
    /// lanes.
    LoadMatrices {
        /// Matrices: 1, 2, or 4.
        num: u8,
        /// Whether rows and columns are exchanged.
        transposed: bool,
    },
    /// Stores such matrices: b and the operands after it (`I32`).
    StoreMatrices {
        /// Matrices: 1, 2, or 4.
        num: u8,
        /// Whether rows and columns are exchanged.
        transposed: bool,
    },
    /// Copies bytes of a thread from global memory, at the second operand (`I64`), to shared memory, at the first one (`I32`),
    /// without a register; the copy lands later. The third operand (`I32`) is the number of bytes that are read; the rest becomes
    /// zero, and the second operand is larger by their number.
    AsyncCopy {
        /// Bytes that are written: 4, 8, or 16.
        size: u8,
        /// Whether the copy bypasses L1.
        bypass: bool,
    },
    /// The thread's copies so far are a group.
    AsyncCommit,
    /// Waits until all groups of copies but the newest `a` (a constant `I32`) have landed.
    AsyncWait,
    /// A memory fence; scope 0: block, 1: device, 2: system.
    Membar(u8),
    /// The block's barrier; `a` is the barrier's number, a constant. `RedPopc`: b is `I1`, the result is `I32`.
    /// `RedAnd` and `RedOr`: b and the result are `I1`.
    Barrier(BarKind),

    // ---- warps
    /// b of another lane. The results are the value (type of a, 32 bits) and, optionally, an `I1`: whether the
    /// lane was in range. Operands: value, lane or distance, clamp word (segment mask << 8 | clamp), member
    /// mask.
    Shfl(Shuffle),
    /// A vote on the `I1` `a` over the members b (`I32`).
    Vote(Vote),
    /// One instruction in which the lanes of a warp exchange values. Operands: those of the instruction,
    /// then the member mask (`I32`). Results: a word (`I32`) and, where the instruction writes a
    /// predicate, optionally an `I1`.
    Warp(isa::Op),
    /// Wait for the members a.
    WarpSync,
    /// Sleeps for about a nanoseconds.
    Nanosleep,
    /// Ends the kernel with a fault.
    Trap,
    /// `I32`: the number of arguments that `vprintf` prints, with the format at generic address `a` and the
    /// arguments at generic address b (0: none). Reads memory.
    Vprintf,
    /// Reports that the assertion at generic address b failed at the source location at generic address a, and
    /// ends the kernel with a fault.
    AssertFail,

    /// A call of a function that was not inlined; operands and results are its parameters and results.
    Call(FuncId),
}

/// An operation with its operands and results.
#[derive(Clone, Debug, PartialEq)]
pub struct Inst {
    /// The operation.
    pub op: Op,
    /// The operands.
    pub args: Vec<Value>,
    /// The results.
    pub results: Vec<Value>,
    /// The user's source of the operation.
    pub span: Span,
}

/// The unrolling that the source requests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unroll {
    /// None: the compiler decides.
    #[default]
    Auto,
    /// `#pragma unroll`.
    Full,
    /// `#pragma unroll N`; 1 disables unrolling.
    By(u32),
}

/// An edge from the end of a block to another block.
#[derive(Clone, Debug, PartialEq)]
pub struct Edge {
    /// The target block.
    pub to: BlockId,
    /// Values for the target's parameters, in order.
    pub args: Vec<Value>,
}

impl Edge {
    /// An edge to a block without parameters.
    pub const fn to(to: BlockId) -> Self {
        Self { to, args: Vec::new() }
    }
}

/// The end of a block.
#[derive(Clone, Debug, PartialEq)]
pub enum End {
    /// A jump to a block.
    Jump(Edge),
    /// A branch to one of two blocks.
    Branch {
        /// The condition, an `I1`.
        cond: Value,
        /// The edge if the condition is true.
        then: Edge,
        /// The edge if the condition is false.
        els: Edge,
    },
    /// Returns these results (a kernel's thread exits).
    Return(Vec<Value>),
    /// Unreachable.
    Unreachable,
}

/// A basic block: operations in order, and an end.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// Parameters, which the incoming edges pass. The entry has none.
    pub params: Vec<Value>,
    /// The operations.
    pub insts: Vec<Inst>,
    /// How the block ends.
    pub end: End,
    /// The source of the end: the branching statement.
    pub span: Span,
    /// The `#pragma unroll` of the loop whose header the block is.
    pub unroll: Unroll,
}

impl Block {
    /// An empty block with an unreachable end.
    pub const fn new() -> Self {
        Self {
            params: Vec::new(),
            insts: Vec::new(),
            end: End::Unreachable,
            span: Span {
                start: 0,
                end: 0,
                line: 0,
                column: 0,
            },
            unroll: Unroll::Auto,
        }
    }
}

impl Default for Block {
    fn default() -> Self {
        Self::new()
    }
}

/// A local variable that needs memory.
#[derive(Clone, Debug, PartialEq)]
pub struct SlotInfo {
    /// The name in the source, or empty.
    pub name: String,
    /// Size in bytes.
    pub size: u32,
    /// Alignment in bytes.
    pub align: u32,
}

/// A kernel, or a called function.
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    /// The name.
    pub name: String,
    /// The parameters (a kernel has none: it reads constant bank 0).
    pub params: Vec<Value>,
    /// Types of the results.
    pub results: Vec<Type>,
    /// All values.
    pub values: Vec<ValueInfo>,
    /// Local variables in memory. Unused ones have size 0.
    pub slots: Vec<SlotInfo>,
    /// The blocks; the first one is the entry, which has no incoming edge. Unreachable blocks are ignored.
    pub blocks: Vec<Block>,
    /// The source of the function's head.
    pub span: Span,
    leaves: BTreeMap<(Type, Def), Value>,
}

impl Function {
    /// Creates a function without parameters and with an empty entry.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            params: Vec::new(),
            results: Vec::new(),
            values: Vec::new(),
            slots: Vec::new(),
            blocks: vec![Block::new()],
            span: Span::default(),
            leaves: BTreeMap::new(),
        }
    }
    /// Creates a value that an operation or a block will define.
    pub fn value(&mut self, ty: Type) -> Value {
        let value = Value(self.values.len() as u32);
        self.values.push(ValueInfo {
            ty,
            def: Def::Node,
            uniform: false,
            relaxed: false,
        });
        value
    }
    /// The leaf of this type and definition; returns the same value each time.
    pub fn leaf(&mut self, ty: Type, def: Def) -> Value {
        if let Some(value) = self.leaves.get(&(ty, def)) {
            return *value;
        }
        let value = Value(self.values.len() as u32);
        self.values.push(ValueInfo {
            ty,
            def,
            uniform: !matches!(def, Def::Undef),
            relaxed: false,
        });
        self.leaves.insert((ty, def), value);
        value
    }
    /// A constant of any type by its bits, truncated to the type's width.
    pub fn constant(&mut self, ty: Type, bits: u64) -> Value {
        let bits = match ty {
            Type::I1 => bits & 1,
            Type::F16 => bits & 0xffff,
            Type::I32 | Type::F32 | Type::F16x2 | Type::Bf16x2 => bits & 0xffff_ffff,
            Type::I64 | Type::F64 => bits,
        };
        self.leaf(ty, Def::Const(bits))
    }
    /// An `I32` constant.
    pub fn i32(&mut self, number: i32) -> Value {
        self.constant(Type::I32, u64::from(number as u32))
    }
    /// Creates a block.
    pub fn block(&mut self) -> BlockId {
        self.blocks.push(Block::new());
        BlockId(self.blocks.len() as u32 - 1)
    }
    /// The entry block.
    pub const ENTRY: BlockId = BlockId(0);
    /// Creates a variable in local memory.
    pub fn slot(&mut self, name: impl Into<String>, size: u32, align: u32) -> Slot {
        self.slots.push(SlotInfo {
            name: name.into(),
            size,
            align,
        });
        Slot(self.slots.len() as u32 - 1)
    }
    /// The type of a value.
    pub fn ty(&self, value: Value) -> Type {
        self.values[value.0 as usize].ty
    }
    /// The definition of a value.
    pub fn def(&self, value: Value) -> Def {
        self.values[value.0 as usize].def
    }
    /// The bits of a constant.
    pub fn const_bits(&self, value: Value) -> Option<u64> {
        match self.def(value) {
            Def::Const(bits) => Some(bits),
            _ => None,
        }
    }
    /// An integer constant, sign-extended from its type's width.
    pub fn const_int(&self, value: Value) -> Option<i64> {
        let bits = self.const_bits(value)?;
        Some(match self.ty(value) {
            Type::I64 | Type::F64 => bits as i64,
            Type::I1 => bits as i64,
            _ => i64::from(bits as u32 as i32),
        })
    }
    /// Whether a value is the same in all threads of the block (after optimization).
    pub fn is_uniform(&self, value: Value) -> bool {
        self.values[value.0 as usize].uniform
    }
}

/// What the optimizer can assume about a kernel parameter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ParamTraits {
    /// Whether the parameter is a pointer.
    pub pointer: bool,
    /// Whether the pointer is `__restrict__`.
    pub restrict: bool,
    /// Whether the pointee is const.
    pub read_only: bool,
}

/// A kernel with the functions that it calls and the variables that it names.
#[derive(Clone, Debug, PartialEq)]
pub struct Module {
    /// The functions; the kernel is the first.
    pub functions: Vec<Function>,
    /// The kernel's parameters.
    pub params: Vec<isa::Param>,
    /// What the optimizer can assume about each parameter.
    pub param_traits: Vec<ParamTraits>,
    /// Size of the parameters in bytes.
    pub param_bytes: u32,
    /// Named variables with their locations.
    pub symbols: Vec<isa::Symbol>,
    /// Initial contents of constant bank 3.
    pub constant_image: Vec<u8>,
    /// Initial contents of the global segment.
    pub global_image: Vec<u8>,
    /// Static shared memory in bytes.
    pub static_shared_bytes: u32,
    /// Whether the kernel has an `extern __shared__` array.
    pub uses_dynamic_shared: bool,
    /// `__launch_bounds__(threads, blocks)`.
    pub launch_bounds: Option<(u32, u32)>,
    /// Width of pointers in bits: 32 or 64.
    pub pointer_bits: u32,
    /// The target architecture.
    pub arch: ArchId,
    /// The compile options.
    pub options: CompileOptions,
}

impl Module {
    /// The type of global and generic addresses.
    pub const fn pointer_type(&self) -> Type {
        if self.pointer_bits == 64 {
            Type::I64
        } else {
            Type::I32
        }
    }
    /// The bits of a value that is constant once variables have their locations: constants, and addresses of
    /// shared and constant variables.
    pub fn immediate(&self, function: &Function, value: Value) -> Option<u64> {
        match function.def(value) {
            Def::Const(bits) => Some(bits),
            Def::Shared(symbol) | Def::Constant(symbol) => {
                Some(u64::from(self.symbols[symbol.0 as usize].offset))
            }
            _ => None,
        }
    }
}
