//! The intermediate representation between the checked program and machine code: SSA values on a
//! control-flow graph of basic blocks.
//!
//! A function's [`Block`]s hold operations in order and an [`End`]. A block's parameters take their
//! values from the edges that lead to it, so there are no phi operations. Any control flow is legal;
//! where diverged lanes meet again is decided when machine code is made, from the graph.
//!
//! # Values
//!
//! Every value is defined once, and its definition dominates its uses ([`verify`] checks that).
//! Leaves (constants, parameters, addresses of variables: see [`Def`]) belong to no block and can be
//! used everywhere.
//!
//! Narrow integers live in 32 bits: a `char` or `short` value is kept extended to `I32` according
//! to its type. Pointers are plain integers of the target's pointer width (`I32` or `I64`);
//! addresses in shared, local and constant memory are `I32` offsets in their own space, and
//! [`Op::ToGeneric`] makes a generic address of one.

use std::collections::BTreeMap;

use engine::arch::ArchId;
use engine::ids::Span;
use engine::isa::{
    self, AtomOp, CacheOp, Cmp, CompileOptions, ImageAccess, ImageFormat, ImageShape, Mma, Mufu, NumType,
    Round, Special, Width,
};

pub mod print;
pub mod verify;
pub mod walk;

/// A value of a function: an index of [`Function::values`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Value(pub u32);

/// A basic block: an index of [`Function::blocks`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlockId(pub u32);

impl BlockId {
    /// Its index.
    pub const fn idx(self) -> usize {
        self.0 as usize
    }
}

/// A variable in local memory: an index of [`Function::slots`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Slot(pub u32);

/// A named variable of the module: an index of [`Module::symbols`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SymbolId(pub u32);

/// A function of the module: an index of [`Module::functions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FuncId(pub u32);

/// What a value holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Type {
    /// A truth value: a predicate register.
    I1,
    /// 32 bits: integers up to that width, and addresses on 32-bit targets.
    I32,
    /// 64 bits in a register pair.
    I64,
    /// A half-precision number in the low half of a register; the high half is unspecified.
    F16,
    /// Two half-precision numbers, the first in the low half.
    F16x2,
    /// Two numbers of `__nv_bfloat16`, the first in the low half. From 8.0 on; a single one is an `I32`, zero-extended.
    Bf16x2,
    /// Single precision.
    F32,
    /// Double precision in a register pair.
    F64,
}
impl Type {
    /// Bytes in memory (`I1` has none of its own: 1).
    pub const fn bytes(self) -> u32 {
        match self {
            Self::I1 => 1,
            Self::F16 => 2,
            Self::I32 | Self::F16x2 | Self::Bf16x2 | Self::F32 => 4,
            Self::I64 | Self::F64 => 8,
        }
    }
    /// Registers it takes (`I1` takes a predicate and no register).
    pub const fn registers(self) -> u32 {
        match self {
            Self::I1 => 0,
            Self::I64 | Self::F64 => 2,
            _ => 1,
        }
    }
    /// Whether it is a floating-point type.
    pub const fn is_float(self) -> bool {
        matches!(
            self,
            Self::F16 | Self::F16x2 | Self::Bf16x2 | Self::F32 | Self::F64
        )
    }
}

/// Where a value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Def {
    /// An operation's result, or a parameter of a block or a function.
    Node,
    /// A constant: its bits, in the low bits of the word (`I1`: 0 or 1).
    Const(u64),
    /// A word of constant bank 0 (a pair for 64-bit types) at this byte offset: a kernel parameter
    /// or a dimension of the launch.
    Bank0(u16),
    /// `I32`: address of a `__shared__` variable in shared memory (`Module::symbols[..].offset`).
    Shared(SymbolId),
    /// `I32`: address of a `__constant__` variable in constant bank 3.
    Constant(SymbolId),
    /// `I32`: address of a local variable in local memory.
    Slot(Slot),
    /// Any bits: what a variable holds before it is set.
    Undef,
}

/// What is known of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValueInfo {
    /// Its type.
    pub ty: Type,
    /// Where it comes from.
    pub def: Def,
    /// Whether it is the same in all threads of a block that compute it together. Set by the
    /// uniformity analysis at the end of optimisation; `false` before.
    pub uniform: bool,
    /// What the language allows the optimiser: an integer result never overflows as a signed
    /// number; a floating product, sum or difference may be fused. Means nothing after optimisation.
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
    /// Constant bank 0, parameters read with an index; the address is `I32`, a byte offset in the
    /// bank. Loads only.
    Param,
    /// Decided by the address at run time; the address has pointer width. Not on 1.x.
    Generic,
}

/// A memory access. Its address is the first operand plus `offset`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Access {
    /// Where.
    pub space: Space,
    /// Width of each element: `U8` to `S16` are `I32` values (or `F16` with `U16`), `B32` is `I32`,
    /// `F32` or `F16x2`, `B64` is `I64` or `F64`. Never `B128`.
    pub width: MemWidth,
    /// Elements: 1, 2 or 4, at most 16 bytes together. One value each.
    pub count: u8,
    /// Whether it is volatile: never merged, moved or dropped.
    pub volatile: bool,
    /// How it treats the caches.
    pub cache: MemCache,
    /// Constant byte offset.
    pub offset: i32,
    /// For loads: nothing writes what is read during the kernel, so it may move and merge freely.
    pub invariant: bool,
}
impl Access {
    /// Bytes of the whole access.
    pub fn bytes(&self) -> u32 {
        self.width.bytes() * u32::from(self.count)
    }
}

/// Element widths of accesses; as [`Width`] without 128 bits, and ordered.
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
    /// Bytes of an element.
    pub const fn bytes(self) -> u32 {
        match self {
            Self::U8 | Self::S8 => 1,
            Self::U16 | Self::S16 => 2,
            Self::B32 => 4,
            Self::B64 => 8,
        }
    }
    /// The instruction set's name.
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
            /// The instruction set's name.
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
    /// [`Round`], ordered: nearest even, to zero, down, up.
    Rounding, Round, isa: Rn Rz Rm Rp);
ordered_mirror!(
    /// [`Cmp`], ordered.
    Compare, Cmp, isa: Lt Le Gt Ge Eq Ne Ltu Leu Gtu Geu Equ Neu Num Nan);
ordered_mirror!(
    /// [`Mufu`], ordered.
    Special1, Mufu, isa: Rcp Rsq Sqrt Ex2 Lg2 Sin Cos Tanh Rcp64h Rsq64h);
ordered_mirror!(
    /// [`NumType`], ordered.
    Num, NumType, isa: U8 S8 U16 S16 U32 S32 U64 S64 F16 F16x2 F32 F64);
ordered_mirror!(
    /// [`AtomOp`], ordered.
    Atomic, AtomOp, isa: Add Min Max Inc Dec And Or Xor Exch Cas);
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

/// What a vote answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Vote {
    /// `I1`: all are true.
    All,
    /// `I1`: one is true.
    Any,
    /// `I1`: all are equal.
    Uniform,
    /// `I32`: the lanes that are true.
    Ballot,
}

/// What an instruction computes from its operands (a, b, c, ...). The type of the result is in the
/// function's value table; unless said otherwise operands have the result's type.
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
    /// a / b rounded to zero. Division by zero gives all ones.
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
    /// The lesser.
    Min {
        /// Signedness.
        signed: bool,
    },
    /// The greater.
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
    /// ~a; also on `I1`.
    Not,
    /// a << b; b is `I32`, unsigned; 0 from the type's width on.
    Shl,
    /// a >> b; b is `I32`, unsigned; 0 or the sign from the type's width on.
    Shr {
        /// Whether the sign is shifted in.
        signed: bool,
    },
    /// `I32`: funnel shift of the pair (low a, high b) by c: left gives the high word, right the low.
    Funnel {
        /// Direction.
        left: bool,
        /// The distance is taken modulo 32, else clamped to 32.
        wrap: bool,
    },
    /// `I32`: number of set bits of a (`I32` or `I64`).
    Popc,
    /// `I32`: number of zero bits above the highest set bit of a (`I32` or `I64`).
    Clz,
    /// Bits in reverse order.
    Brev,
    /// `I32`: bytes of (a, b) chosen by the nibbles of c.
    BytePerm,
    /// `I32`: the low bits of a as a narrow number (`U8`, `S8`, `U16`, `S16`), extended again.
    Narrow(Num),
    /// `I64` of an `I32`, sign-extended.
    SignExtend,
    /// `I64` of an `I32`, zero-extended.
    ZeroExtend,
    /// `I32`: low word of an `I64`.
    Low,
    /// `I32`: high word of an `I64`.
    High,
    /// `I64` of low word a and high word b.
    Pair,
    /// a + b where a is an address and b a byte distance, of pointer width (global and generic
    /// addresses; addresses in other spaces are added with `Add`).
    PtrAdd,
    /// `I1` of two integers (or two `I1`, `Eq` and `Ne` only).
    ICmp {
        /// The first six comparisons only.
        cmp: Compare,
        /// Signedness.
        signed: bool,
    },
    /// a ? b : c; a is `I1`, the others have the result's type.
    Select,

    // ---- floating point: F32, F64, F16, F16x2
    /// a + b.
    FAdd(Rounding),
    /// a - b.
    FSub(Rounding),
    /// a * b.
    FMul(Rounding),
    /// a * b + c rounded once (on 1.x for `F32`, where `truncating`: the product cut, then the sum
    /// rounded).
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
    /// The lesser; a number beats NaN.
    FMin,
    /// The greater; a number beats NaN.
    FMax,
    /// a clamped to 0..1; NaN to 0.
    FSaturate,
    /// a / b. `F32` with `Rn` is IEEE or approximate as `-prec-div` says.
    FDiv(Rounding),
    /// 1 / a, rounded correctly where `Rn` and `-prec-div`.
    FRcp(Rounding),
    /// The square root, rounded correctly unless `-prec-sqrt=false`.
    FSqrt(Rounding),
    /// 1 / sqrt(a) of an `F64`, as `rsqrt` gives it.
    FRsqrt,
    /// A function of the special function unit (`F32`; the 64h ones take and give the high word as
    /// `I32`).
    Mufu(Special1),
    /// `I1` of two floating numbers.
    FCmp(Compare),
    /// A conversion between number types, one of which is floating: float to float, float to
    /// integer (saturating, NaN to 0), integer to float.
    Convert {
        /// Type of the operand.
        from: Num,
        /// Type of the result.
        to: Num,
        /// How the result is rounded.
        round: Rounding,
    },
    /// a rounded to a whole number.
    FRound(Rounding),
    /// The same bits in another type of the same size (`I32`, `F32`, `F16x2`; `I64`, `F64`), or the
    /// low half of an `I32` as `F16`, or an `F16` as `I32` (zero-extended).
    Bitcast,
    /// `F16x2` of two `F16`.
    PackHalves,
    /// `I32`: two halves of two `F32`, rounded to nearest, the first in the low 16 bits.
    PackFloats {
        /// Whether they are of `__nv_bfloat16` (8.0 on).
        bfloat16: bool,
    },
    /// `F16`: the first of an `F16x2`.
    HalfLow,
    /// `F16`: the second of an `F16x2`.
    HalfHigh,

    /// A product of matrices by a warp: words of the left factor, of the right one, and sums; `F32` or, where they are
    /// halves, `I32`. Several results, the new sums.
    Mma(Mma),

    // ---- the machine
    /// `I32`: a special register. Clocks and the active mask differ from read to read.
    Special(SpecialReg),
    /// A generic address (pointer width) of an address in this space.
    ToGeneric(Space),
    /// The address in this space (`I32`) of a generic address that lies in it.
    FromGeneric(Space),
    /// `I1`: whether a generic address lies in this space.
    IsSpace(Space),

    // ---- memory
    /// `count` values at a.
    Load(Access),
    /// `count` values: element b (`I32`) of the texture at a, zero outside of it.
    Fetch {
        /// Of each value.
        width: MemWidth,
        /// 1, 2 or 4.
        count: u8,
    },
    /// An access to the texture or surface a at coordinates (as many words as the shape has), then words that choose
    /// the level, or the values to write. Results are the values read: words of textures, elements of surfaces (narrow
    /// elements side by side in words).
    Image {
        /// Dimensions.
        shape: ImageShape,
        /// What is done.
        access: ImageAccess,
        /// Elements in memory, as the source says.
        format: ImageFormat,
    },
    /// Memory at a = the values b, c, ... (`count` of them).
    Store(Access),
    /// Memory at a changes by b (for `Cas`: compared with b, set to c). One result, the old value,
    /// or none where nobody wants it. Width of the values is that of `ty`.
    Atom {
        /// Where: global, shared or generic.
        space: Space,
        /// What.
        op: Atomic,
        /// Type of the memory.
        ty: Num,
        /// Constant byte offset.
        offset: i32,
    },
    /// Memory order of the thread's accesses: 0 block, 1 device, 2 system.
    Membar(u8),
    /// The block's barrier; a is the number of the barrier as a constant. `RedPopc`: b is `I1`, the
    /// result `I32`; `RedAnd` and `RedOr`: b and the result are `I1`.
    Barrier(BarKind),

    // ---- warps
    /// b of another lane: the results are the value (type of a, 32 bits) and, optionally, `I1`
    /// whether the lane was in range. Operands: value, lane or distance, clamp word
    /// (segment mask << 8 | clamp), member mask.
    Shfl(Shuffle),
    /// Of the `I1` a over the members b (`I32`).
    Vote(Vote),
    /// One instruction in which the lanes of a warp exchange values. Operands: those of the instruction,
    /// then the member mask (`I32`). Results: a word (`I32`) and, where the instruction writes a
    /// predicate, optionally an `I1`.
    Warp(isa::Op),
    /// Wait for the members a.
    WarpSync,
    /// Sleep about a nanoseconds.
    Nanosleep,
    /// End with a fault.
    Trap,
    /// `I32`: the number of arguments that `vprintf` prints with the format at the generic address a and the
    /// arguments at the generic address b (0: none). Reads memory.
    Vprintf,
    /// Say that the assertion at the generic address b failed at the source's place at the generic address a, and
    /// end with a fault.
    AssertFail,

    /// A function that was not inlined; operands and results are its parameters and results.
    Call(FuncId),
}

/// An operation.
#[derive(Clone, Debug, PartialEq)]
pub struct Inst {
    /// What it does.
    pub op: Op,
    /// Its operands.
    pub args: Vec<Value>,
    /// Its results.
    pub results: Vec<Value>,
    /// The user's source it comes from.
    pub span: Span,
}

/// What the source says of unrolling.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unroll {
    /// Nothing: the compiler decides.
    #[default]
    Auto,
    /// `#pragma unroll`.
    Full,
    /// `#pragma unroll N`; 1 forbids it.
    By(u32),
}

/// A way from the end of a block to another block.
#[derive(Clone, Debug, PartialEq)]
pub struct Edge {
    /// Where it leads.
    pub to: BlockId,
    /// Values of that block's parameters, in their order.
    pub args: Vec<Value>,
}

impl Edge {
    /// A way to a block without parameters.
    pub const fn to(to: BlockId) -> Self {
        Self { to, args: Vec::new() }
    }
}

/// How a block ends.
#[derive(Clone, Debug, PartialEq)]
pub enum End {
    /// On to a block.
    Jump(Edge),
    /// On to one of two blocks.
    Branch {
        /// `I1`.
        cond: Value,
        /// Where it holds.
        then: Edge,
        /// Where it does not.
        els: Edge,
    },
    /// The function ends with these results (a kernel's thread exits).
    Return(Vec<Value>),
    /// Nothing comes here.
    Unreachable,
}

/// Operations in order, and an end.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// Values that the edges to it bring. The entry has none.
    pub params: Vec<Value>,
    /// The steps.
    pub insts: Vec<Inst>,
    /// The end.
    pub end: End,
    /// The source of the end: of the statement that branches.
    pub span: Span,
    /// `#pragma unroll` of the loop whose header it is.
    pub unroll: Unroll,
}

impl Block {
    /// A block that nothing comes out of.
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
    /// Its name in the source, or empty.
    pub name: String,
    /// Bytes.
    pub size: u32,
    /// Alignment in bytes.
    pub align: u32,
}

/// A kernel, or a function that is called.
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// Its parameters (a kernel has none: it reads constant bank 0).
    pub params: Vec<Value>,
    /// Types of its results.
    pub results: Vec<Type>,
    /// All values.
    pub values: Vec<ValueInfo>,
    /// Local variables in memory. Those that are not used any more have size 0.
    pub slots: Vec<SlotInfo>,
    /// The blocks; the first is the entry, to which no edge leads. Those that nothing leads to mean nothing.
    pub blocks: Vec<Block>,
    /// The source of its head.
    pub span: Span,
    leaves: BTreeMap<(Type, Def), Value>,
}

impl Function {
    /// A function without parameters that does nothing.
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
    /// A new value that an operation or a block will define.
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
    /// The leaf of this type and definition; the same value each time.
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
    /// A constant of any type by its bits, which are cut to the type's width.
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
        self.constant(Type::I32, number as u32 as u64)
    }
    /// A new block.
    pub fn block(&mut self) -> BlockId {
        self.blocks.push(Block::new());
        BlockId(self.blocks.len() as u32 - 1)
    }
    /// The first block.
    pub const ENTRY: BlockId = BlockId(0);
    /// A new variable in local memory.
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
    /// Where a value comes from.
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
    /// Whether a value is the same in all threads of the block (after optimisation).
    pub fn is_uniform(&self, value: Value) -> bool {
        self.values[value.0 as usize].uniform
    }
}

/// What the optimiser may assume of a kernel parameter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ParamTraits {
    /// Whether it is a pointer.
    pub pointer: bool,
    /// `__restrict__`.
    pub restrict: bool,
    /// Whether the pointee is const.
    pub read_only: bool,
}

/// A kernel with the functions it calls and the variables it names.
#[derive(Clone, Debug, PartialEq)]
pub struct Module {
    /// The kernel is the first.
    pub functions: Vec<Function>,
    /// The kernel's parameters.
    pub params: Vec<isa::Param>,
    /// What may be assumed of each.
    pub param_traits: Vec<ParamTraits>,
    /// Bytes of parameters.
    pub param_bytes: u32,
    /// Named variables with their places.
    pub symbols: Vec<isa::Symbol>,
    /// First contents of constant bank 3.
    pub constant_image: Vec<u8>,
    /// First contents of the global segment.
    pub global_image: Vec<u8>,
    /// Static shared memory in bytes.
    pub static_shared_bytes: u32,
    /// Whether it has an `extern __shared__` array.
    pub uses_dynamic_shared: bool,
    /// `__launch_bounds__(threads, blocks)`.
    pub launch_bounds: Option<(u32, u32)>,
    /// 32 or 64.
    pub pointer_bits: u32,
    /// For whom it is compiled.
    pub arch: ArchId,
    /// How.
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
    /// The bits of a value that is a constant once variables have their places: constants, and
    /// addresses of shared and constant variables.
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
