//! What each instruction is, one row an operation: operands, class of cost, who executes it, which
//! chips have it. The compiler, the machine, the interpreter, the printer, and the checks read
//! [`Op::describe`] and keep no lists of operations of their own.
//!
//! Two things have their own place: `mnemonic` names an operation as each generation's listings do,
//! and `sim::exec` computes it (`evaluate` for one lane, `exchange` for a warp).

use super::{
    AtomOp, BarMode, Bf16Op, CacheOp, Cmp, Instruction, Mufu, NumType, Op, Pc, SlowPath, Space, Special, Src,
    TensorUnit, Width,
};
use crate::access::AccessOp;
use crate::arch::OpClass;

/// What the rest of the program needs to know about an operation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Description {
    /// Registers that each of the operands a, b, and c takes; 0 for an operand that it does not have.
    pub sources: [u8; 3],
    /// How it reads the bits of each operand.
    pub reading: [Reading; 3],
    /// What each operand can be instead of a register.
    pub outside: [Outside; 3],
    /// Registers of the result; 0 without one.
    pub destination: u8,
    /// Whether it can write the predicate `pdst`.
    pub writes_predicate: bool,
    /// How many of `psrcs` it reads.
    pub predicate_sources: u8,
    /// Its class in the tables of `arch`, which give the pipe, the rate, and the latency.
    pub class: OpClass,
    /// Which part of the machine executes it.
    pub execution: Execution,
    /// Which lanes must execute it together.
    pub members: Members,
    /// Compute capabilities that have it, 750 for 7.5.
    pub capability: &'static [CapabilityRange],
    /// What it does with memory through the load/store or texture units.
    pub access: Option<AccessOp>,
    /// Whether it does more than write its results, so that no pass drops or reorders it.
    pub has_effect: bool,
    /// Its group in Nsight Compute's `smsp__sass_thread_inst_executed_op_*`.
    pub group: Group,
}

/// How an instruction reads the bits of an operand: what its modifiers and immediates mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// An integer: negation is two's complement. A 64-bit immediate is sign-extended.
    Integer,
    /// Bits: negation inverts.
    Bits,
    /// A single-precision number.
    Single,
    /// A double-precision number. An immediate is the high word over a zero low word.
    Double,
    /// A half-precision number in the low 16 bits.
    Half,
    /// Two half-precision or `__nv_bfloat16` numbers: modifiers apply to both.
    Halves,
}

impl Reading {
    /// Whether the operand is one floating-point number.
    pub const fn is_float(self) -> bool {
        matches!(self, Self::Single | Self::Double | Self::Half)
    }

    const fn of(ty: NumType) -> Self {
        match ty {
            NumType::F64 => Self::Double,
            NumType::F32 => Self::Single,
            NumType::F16 => Self::Half,
            _ => Self::Integer,
        }
    }
}

/// What an operand can be instead of a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outside {
    /// Registers only.
    Nothing,
    /// A word of a constant bank.
    Constant,
    /// An immediate.
    Immediate,
    /// A word of a constant bank or an immediate.
    Either,
}

/// The part of the machine that executes an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Execution {
    /// Each lane by itself.
    Lanes,
    /// The lanes of a warp exchange values: VOTE, SHFL, MATCH, REDUX.
    Exchange,
    /// The lanes of a warp multiply matrices on a tensor core.
    Matrix,
    /// LD, ST, ATOM, RED, LDGSTS.
    Memory,
    /// LDGDEPBAR, DEPBAR.
    CopyGroup,
    /// LDC.
    ConstantLoad,
    /// TLD.
    TextureFetch,
    /// TEX, SULD, SUST.
    Image,
    /// Branches, tokens, convergence.
    Control,
    /// BAR.
    Barrier,
    /// MEMBAR.
    Membar,
    /// A function of NVIDIA's library that is one instruction here.
    Library,
}

/// Which lanes must execute an instruction together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Members {
    /// Those that are active.
    Active,
    /// Those in `Instruction::member_mask`.
    Mask,
    /// Those in operand a.
    FirstOperand,
}

/// Compute capabilities from one to another, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CapabilityRange {
    /// The first, 750 for 7.5.
    pub first: u16,
    /// The last; `u16::MAX` where the newest chip has it.
    pub last: u16,
}

/// Groups of Nsight Compute's `smsp__sass_thread_inst_executed_op_*`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "Nsight Compute's own names")]
pub enum Group {
    Bit,
    Control,
    Conversion,
    Dadd,
    Dfma,
    Dmul,
    Fadd,
    Ffma,
    Fmul,
    Integer,
    InterThread,
    Memory,
    Misc,
}

const fn since(first: u16) -> CapabilityRange {
    CapabilityRange {
        first,
        last: u16::MAX,
    }
}
const fn from_to(first: u16, last: u16) -> CapabilityRange {
    CapabilityRange { first, last }
}

/// Capabilities by instruction: "CUDA Binary Utilities, Instruction Set Reference" of the toolkits that
/// support each generation, and for 1.x the CUDA C Programming Guide's table of features.
mod has {
    use super::{CapabilityRange, from_to, since};

    pub(super) const ALL: &[CapabilityRange] = &[since(100)];
    pub(super) const ONLY_1: &[CapabilityRange] = &[from_to(100, 130)];
    pub(super) const FROM_1_1: &[CapabilityRange] = &[since(110)];
    pub(super) const FROM_1_2: &[CapabilityRange] = &[since(120)];
    pub(super) const FROM_1_3: &[CapabilityRange] = &[since(130)];
    pub(super) const FROM_2_0: &[CapabilityRange] = &[since(200)];
    pub(super) const FROM_3_0: &[CapabilityRange] = &[since(300)];
    pub(super) const FROM_3_2: &[CapabilityRange] = &[since(320)];
    pub(super) const FROM_5_0: &[CapabilityRange] = &[since(500)];
    pub(super) const FROM_5_3: &[CapabilityRange] = &[since(530)];
    pub(super) const FROM_7_0: &[CapabilityRange] = &[since(700)];
    pub(super) const FROM_7_5: &[CapabilityRange] = &[since(750)];
    pub(super) const FROM_8_0: &[CapabilityRange] = &[since(800)];
    pub(super) const FROM_8_9: &[CapabilityRange] = &[since(890)];
    pub(super) const FROM_9_0: &[CapabilityRange] = &[since(900)];
    /// Products of 8-bit floats of one warp.
    pub(super) const ONLY_8_9: &[CapabilityRange] = &[from_to(890, 890)];
    /// Reconvergence stack, two-operand logic, RRO.
    pub(super) const UNTIL_PASCAL: &[CapabilityRange] = &[from_to(100, 620)];
    /// Bit-field instructions.
    pub(super) const FERMI_TO_PASCAL: &[CapabilityRange] = &[from_to(200, 620)];
    /// 16-bit pieces of a product: IMAD.U16 of 1.x, XMAD of Maxwell and Pascal.
    pub(super) const PIECES: &[CapabilityRange] = &[from_to(100, 130), from_to(500, 620)];
    /// A 32-bit multiplier: Fermi and Kepler, and again from Volta on.
    pub(super) const MULTIPLIER: &[CapabilityRange] = &[from_to(200, 370), since(700)];
    pub(super) const FERMI_KEPLER: &[CapabilityRange] = &[from_to(200, 370)];
    /// Code of 7.0 runs on all chips of 7.x.
    pub(super) const VOLTA_CODE: &[CapabilityRange] = &[from_to(700, 750)];
}

/// Registers of a pointer.
const fn pointer(wide: bool) -> u8 {
    if wide { 2 } else { 1 }
}

const fn width_regs(width: Width) -> u8 {
    match width {
        Width::B64 => 2,
        Width::B128 => 4,
        _ => 1,
    }
}

const NOTHING: [Outside; 3] = [Outside::Nothing; 3];
const SECOND: [Outside; 3] = [Outside::Nothing, Outside::Either, Outside::Nothing];
const LAST_TWO: [Outside; 3] = [Outside::Nothing, Outside::Either, Outside::Either];

impl Description {
    /// An instruction without operands or results that each lane executes by itself, on every chip.
    const fn new(class: OpClass) -> Self {
        Self {
            sources: [0; 3],
            reading: [Reading::Integer; 3],
            outside: SECOND,
            destination: 0,
            writes_predicate: false,
            predicate_sources: 0,
            class,
            execution: Execution::Lanes,
            members: Members::Active,
            capability: has::ALL,
            access: None,
            has_effect: false,
            group: Group::Misc,
        }
    }

    /// Operands of so many registers each, and a result.
    const fn computes(class: OpClass, sources: [u8; 3], destination: u8) -> Self {
        Self {
            sources,
            destination,
            ..Self::new(class)
        }
    }

    /// A comparison: two operands and a predicate, result in a predicate.
    const fn compares(class: OpClass, registers: u8) -> Self {
        Self {
            sources: [registers, registers, 0],
            writes_predicate: true,
            predicate_sources: 1,
            ..Self::new(class)
        }
    }

    /// A branch or its like.
    const fn control() -> Self {
        Self {
            execution: Execution::Control,
            has_effect: true,
            group: Group::Control,
            ..Self::new(OpClass::Branch)
        }
    }

    /// An access to memory.
    const fn accesses(class: OpClass, access: AccessOp, sources: [u8; 3], destination: u8) -> Self {
        Self {
            outside: NOTHING,
            execution: Execution::Memory,
            access: Some(access),
            has_effect: !matches!(access, AccessOp::Load),
            group: Group::Memory,
            ..Self::computes(class, sources, destination)
        }
    }

    /// An exchange between the lanes of a warp, which a program may count on to wait for its members.
    const fn exchanges(class: OpClass, sources: [u8; 3], sync: bool) -> Self {
        Self {
            execution: Execution::Exchange,
            members: if sync { Members::Mask } else { Members::Active },
            has_effect: true,
            group: Group::InterThread,
            ..Self::computes(class, sources, 1)
        }
    }

    const fn reads(self, reading: Reading) -> Self {
        Self {
            reading: [reading; 3],
            ..self
        }
    }

    const fn on(self, capability: &'static [CapabilityRange]) -> Self {
        Self { capability, ..self }
    }

    const fn group(self, group: Group) -> Self {
        Self { group, ..self }
    }

    const fn outside(self, outside: [Outside; 3]) -> Self {
        Self { outside, ..self }
    }

    const fn predicates(self, predicate_sources: u8, writes_predicate: bool) -> Self {
        Self {
            writes_predicate,
            predicate_sources,
            ..self
        }
    }

    const fn executed_by(self, execution: Execution) -> Self {
        Self { execution, ..self }
    }

    /// Whether a chip of this compute capability (750 for 7.5) has the instruction.
    pub const fn is_on(&self, capability: u16) -> bool {
        let mut idx = 0;
        while idx < self.capability.len() {
            let range = self.capability[idx];
            if range.first <= capability && capability <= range.last {
                return true;
            }
            idx += 1;
        }
        false
    }
}

impl Op {
    /// What the operation is.
    #[expect(clippy::too_many_lines, reason = "one row an operation")]
    pub const fn describe(self) -> Description {
        use Description as D;
        use Reading::{Bits, Double, Halves, Integer, Single};
        match self {
            // ---- single precision
            Self::Fadd { .. } => D::computes(OpClass::Fp32, [1, 1, 0], 1)
                .reads(Single)
                .group(Group::Fadd),
            Self::Fmul { .. } => D::computes(OpClass::Fp32, [1, 1, 0], 1)
                .reads(Single)
                .group(Group::Fmul),
            Self::Ffma { .. } => D::computes(OpClass::Fp32, [1, 1, 1], 1)
                .reads(Single)
                .outside(LAST_TWO)
                .on(has::FROM_2_0)
                .group(Group::Ffma),
            Self::Fmad { .. } => D::computes(OpClass::Fp32, [1, 1, 1], 1)
                .reads(Single)
                .outside(LAST_TWO)
                .on(has::ONLY_1)
                .group(Group::Ffma),
            Self::Fmnmx { .. } => D::computes(OpClass::Fp32Compare, [1, 1, 0], 1).reads(Single),
            Self::Fsetp { .. } => D::compares(OpClass::Fp32Compare, 1).reads(Single),
            Self::Fchk => D::compares(OpClass::Fp32Compare, 1)
                .predicates(0, true)
                .reads(Single)
                .on(has::FROM_2_0),
            Self::Mufu { func, .. } => D::computes(OpClass::Mufu, [1, 0, 0], 1)
                .reads(Single)
                .outside([Outside::Constant; 3])
                .on(match func {
                    Mufu::Tanh => has::FROM_7_5,
                    Mufu::Sin | Mufu::Cos | Mufu::Ex2 => has::FROM_7_0,
                    Mufu::SinReduced | Mufu::CosReduced | Mufu::Ex2Reduced => has::UNTIL_PASCAL,
                    _ => has::ALL,
                }),
            Self::Rro { .. } => D::computes(OpClass::RangeReduction, [1, 0, 0], 1)
                .reads(Single)
                .outside([Outside::Constant; 3])
                .on(has::UNTIL_PASCAL),
            Self::Slow { path } => {
                let (sources, reading) = match path {
                    SlowPath::DivF32 => ([1, 1, 0], Single),
                    SlowPath::SqrtF32 | SlowPath::RcpF32 => ([1, 0, 0], Single),
                    SlowPath::DivF64 => ([2, 2, 0], Double),
                    SlowPath::SqrtF64 | SlowPath::RcpF64 | SlowPath::RsqF64 => ([2, 0, 0], Double),
                };
                D::computes(OpClass::SlowPath, sources, sources[0])
                    .reads(reading)
                    .outside(NOTHING)
            }

            // ---- double precision
            Self::Dadd { .. } => D::computes(OpClass::Fp64, [2, 2, 0], 2)
                .reads(Double)
                .on(has::FROM_1_3)
                .group(Group::Dadd),
            Self::Dmul { .. } => D::computes(OpClass::Fp64, [2, 2, 0], 2)
                .reads(Double)
                .on(has::FROM_1_3)
                .group(Group::Dmul),
            Self::Dfma { .. } => D::computes(OpClass::Fp64, [2, 2, 2], 2)
                .reads(Double)
                .outside(LAST_TWO)
                .on(has::FROM_1_3)
                .group(Group::Dfma),
            Self::Dmnmx { .. } => D::computes(OpClass::Fp64, [2, 2, 0], 2)
                .reads(Double)
                .on(has::FROM_1_3),
            Self::Dsetp { .. } => D::compares(OpClass::Fp64, 2).reads(Double).on(has::FROM_1_3),

            // ---- half precision
            Self::Hadd2 { .. } | Self::Hmul2 { .. } => D::computes(OpClass::Fp16, [1, 1, 0], 1)
                .reads(Halves)
                .on(has::FROM_5_3),
            Self::Hfma2 { .. } => D::computes(OpClass::Fp16, [1, 1, 1], 1)
                .reads(Halves)
                .outside(LAST_TWO)
                .on(has::FROM_5_3),
            Self::Hmnmx2 { .. } => D::computes(OpClass::Fp16, [1, 1, 0], 1)
                .reads(Halves)
                .on(has::FROM_8_0),
            Self::Hsetp2 { .. } => D::compares(OpClass::Fp16, 1).reads(Halves).on(has::FROM_5_3),
            Self::Hadd2F32 { .. } => D {
                reading: [Single, Halves, Integer],
                ..D::computes(OpClass::Fp16, [1, 1, 0], 1).on(has::FROM_5_3)
            },
            Self::Bf16 { op: Bf16Op::Fma } => D::computes(OpClass::Fp16, [1, 1, 1], 1)
                .reads(Halves)
                .outside(LAST_TWO)
                .on(has::FROM_8_0),
            Self::Bf16 { op } => D::computes(OpClass::Fp16, [1, 1, 0], 1)
                .reads(Halves)
                .on(match op {
                    Bf16Op::Add | Bf16Op::Mul => has::FROM_9_0,
                    Bf16Op::Fma | Bf16Op::Min | Bf16Op::Max => has::FROM_8_0,
                }),
            Self::F2fp { .. } => D::computes(OpClass::Convert, [1, 1, 0], 1)
                .reads(Single)
                .on(has::FROM_8_0),
            Self::F2fpFp8 { .. } => D::computes(OpClass::Convert, [1, 1, 0], 1)
                .reads(Single)
                .on(has::FROM_8_9),
            Self::UnpackFp8 { .. } => D::computes(OpClass::Convert, [1, 0, 0], 1).on(has::FROM_8_9),
            Self::Mma { mma } => {
                let sources = mma.kind.source_widths();
                D {
                    outside: NOTHING,
                    members: Members::Mask,
                    has_effect: true,
                    ..D::computes(mma.kind.class(), sources, sources[2])
                        .executed_by(Execution::Matrix)
                        .on(match mma.unit {
                            _ if matches!(mma.kind, super::MmaKind::Fp8 { .. }) => has::ONLY_8_9,
                            TensorUnit::Volta => has::VOLTA_CODE,
                            TensorUnit::Turing => has::FROM_7_5,
                            TensorUnit::Ampere => has::FROM_8_0,
                            TensorUnit::Hopper => has::FROM_9_0,
                        })
                }
            }

            // ---- conversions
            Self::F2f { from, to, .. } | Self::F2i { from, to, .. } | Self::I2f { from, to, .. } => {
                D::converts(from, to)
            }
            Self::Frnd { ty, .. } => D::converts(ty, ty),
            Self::I2i { .. } => D {
                class: OpClass::ConvertNarrow,
                ..D::converts(NumType::S32, NumType::S32)
            },

            // ---- integers
            Self::Iadd3 { carry_out, carry_in } => D::computes(OpClass::IntAdd, [1, 1, 1], 1)
                .predicates(carry_in as u8, carry_out)
                .reads(if carry_in { Bits } else { Integer })
                .outside(LAST_TWO)
                .group(Group::Integer),
            Self::Imul { .. } => D::computes(OpClass::IntMul, [1, 1, 0], 1)
                .on(has::FERMI_KEPLER)
                .group(Group::Integer),
            Self::Imad { .. } => D::computes(OpClass::IntMul, [1, 1, 1], 1)
                .outside(LAST_TWO)
                .on(has::MULTIPLIER)
                .group(Group::Integer),
            Self::ImadWide { .. } => D::computes(OpClass::IntMul, [1, 1, 2], 2)
                .outside([Outside::Nothing, Outside::Either, Outside::Constant])
                .on(has::FROM_7_0)
                .group(Group::Integer),
            Self::Imad24 { .. } => D::computes(OpClass::Int24Mul, [1, 1, 1], 1)
                .outside(LAST_TWO)
                .on(has::ONLY_1)
                .group(Group::Integer),
            Self::Xmad { .. } => D::computes(OpClass::Int16Mul, [1, 1, 1], 1)
                .outside(LAST_TWO)
                .on(has::PIECES)
                .group(Group::Integer),
            Self::Lea { .. } => D::computes(OpClass::IntAdd, [1, 1, 0], 1)
                .on(has::FROM_2_0)
                .group(Group::Integer),
            Self::Lop { .. } => D::computes(OpClass::IntLogic, [1, 1, 0], 1)
                .reads(Bits)
                .on(has::UNTIL_PASCAL)
                .group(Group::Integer),
            Self::Lop3 { .. } => D::computes(OpClass::IntLogic, [1, 1, 1], 1)
                .reads(Bits)
                .outside(LAST_TWO)
                .on(has::FROM_5_0)
                .group(Group::Integer),
            Self::Shl | Self::Shr { .. } => {
                D::computes(OpClass::IntShift, [1, 1, 0], 1).group(Group::Integer)
            }
            Self::Shf { .. } => D::computes(OpClass::IntShift, [1, 1, 1], 1)
                .on(has::FROM_3_2)
                .group(Group::Integer),
            Self::Imnmx { .. } => D::computes(OpClass::IntCompare, [1, 1, 0], 1).group(Group::Integer),
            Self::Isetp { extended, .. } => D::compares(OpClass::IntCompare, 1)
                .predicates(1 + extended as u8, true)
                .group(Group::Integer),
            Self::Iabs => D::computes(OpClass::IntAdd, [1, 0, 0], 1)
                .outside([Outside::Constant; 3])
                .on(has::FROM_7_0)
                .group(Group::Integer),
            Self::Popc => D::computes(OpClass::Popc, [1, 0, 0], 1)
                .outside([Outside::Constant; 3])
                .on(has::FROM_2_0)
                .group(Group::Integer),
            Self::Flo { .. } => D::computes(OpClass::Popc, [1, 0, 0], 1)
                .outside([Outside::Constant; 3])
                .on(has::FROM_2_0)
                .group(Group::Bit),
            Self::Brev => D::computes(OpClass::BitReverse, [1, 0, 0], 1)
                .outside([Outside::Constant; 3])
                .on(has::FROM_2_0)
                .group(Group::Bit),
            Self::Prmt => D::computes(OpClass::BitField, [1, 1, 1], 1)
                .on(has::FROM_2_0)
                .group(Group::Bit),
            Self::Bfe { .. } => D::computes(OpClass::BitField, [1, 1, 0], 1)
                .on(has::FERMI_TO_PASCAL)
                .group(Group::Bit),
            Self::Bfi => D::computes(OpClass::BitField, [1, 1, 1], 1)
                .on(has::FERMI_TO_PASCAL)
                .group(Group::Bit),
            Self::Sel => D::computes(OpClass::Move, [1, 1, 0], 1).predicates(1, false),
            Self::Mov => D::computes(OpClass::Move, [1, 0, 0], 1).outside([Outside::Either; 3]),
            Self::S2r { special } => D {
                has_effect: special.is_clock(),
                ..D::computes(OpClass::SpecialRegister, [0; 3], 1)
            },
            Self::Plop3 { .. } => D::new(OpClass::PredicateLogic).predicates(3, true),

            // ---- exchange between the lanes of a warp
            Self::Vote { sync, .. } => D::exchanges(OpClass::Vote, [0; 3], sync)
                .predicates(1, true)
                .on(if sync { has::FROM_7_0 } else { has::FROM_1_2 }),
            Self::Shfl { sync, .. } => D::exchanges(OpClass::Shuffle, [1, 1, 1], sync)
                .predicates(0, true)
                .outside([Outside::Nothing, Outside::Immediate, Outside::Immediate])
                .on(if sync { has::FROM_7_0 } else { has::FROM_3_0 }),
            Self::Match { wide, .. } => D::exchanges(OpClass::Vote, [pointer(wide), 0, 0], true)
                .predicates(0, true)
                .outside(NOTHING)
                .on(has::FROM_7_0),
            Self::Redux { .. } => D::exchanges(OpClass::WarpReduce, [1, 0, 0], true)
                .outside(NOTHING)
                .on(has::FROM_8_0),

            // A chain takes 24 cycles a link on an H100, and 32 warps issue one per cycle: as with shuffles (copies.cu).
            Self::Movm => D::exchanges(OpClass::Shuffle, [1, 0, 0], true)
                .outside(NOTHING)
                .on(has::FROM_7_5),

            // ---- memory
            Self::Ldsm { num, .. } => {
                D::accesses(OpClass::Shared, AccessOp::Load, [1, 0, 0], num).on(has::FROM_7_5)
            }
            Self::Stsm { num, .. } => {
                D::accesses(OpClass::Shared, AccessOp::Store, [1, num, 0], 0).on(has::FROM_9_0)
            }
            Self::Ld {
                space,
                width,
                cache,
                wide,
            } => D {
                has_effect: matches!(cache, CacheOp::Cv),
                ..D::accesses(
                    class_of(space, OpClass::Shared, OpClass::Global),
                    AccessOp::Load,
                    [pointer(wide), 0, 0],
                    width_regs(width),
                )
                .on(generic(space, has::ALL))
            },
            Self::St {
                space, width, wide, ..
            } => D::accesses(
                class_of(space, OpClass::Shared, OpClass::Global),
                AccessOp::Store,
                [pointer(wide), width_regs(width), 0],
                0,
            )
            .on(generic(space, has::ALL)),
            Self::Atom {
                space,
                op: op @ AtomOp::Cast,
                ty,
                wide,
            } => D::modifies(space, op, ty, wide, 1),
            Self::Atom { space, op, ty, wide } => D::modifies(space, op, ty, wide, ty.num_regs()),
            Self::Red { space, op, ty, wide } => D::modifies(space, op, ty, wide, 0),
            Self::Ldgsts { wide, .. } => D {
                predicate_sources: 1,
                has_effect: true,
                ..D::accesses(OpClass::Global, AccessOp::Load, [pointer(wide), 1, 0], 0).on(has::FROM_8_0)
            },
            // Assumption: both issue as a move does, because no source has their cost.
            Self::Ldgdepbar | Self::Depbar { .. } => D {
                has_effect: true,
                ..D::computes(OpClass::Move, [0; 3], 0)
                    .executed_by(Execution::CopyGroup)
                    .on(has::FROM_8_0)
            },
            Self::Ldc { width, .. } => D::computes(OpClass::Constant, [1, 0, 0], width_regs(width))
                .executed_by(Execution::ConstantLoad)
                .outside(NOTHING)
                .group(Group::Memory),
            Self::Tld { width, wide } => D::accesses(
                OpClass::Global,
                AccessOp::Load,
                [1, pointer(wide), 0],
                width_regs(width),
            )
            .executed_by(Execution::TextureFetch),
            Self::Tex {
                shape,
                choice,
                count,
                wide,
            } => D::accesses(
                OpClass::Global,
                AccessOp::Load,
                [shape.num_coordinates(), pointer(wide), choice.num_words()],
                count,
            )
            .executed_by(Execution::Image),
            Self::Suld {
                shape, width, wide, ..
            } => D {
                has_effect: true,
                ..D::accesses(
                    OpClass::Global,
                    AccessOp::Load,
                    [shape.num_coordinates(), pointer(wide), 0],
                    width_regs(width),
                )
                .executed_by(Execution::Image)
                .on(has::FROM_2_0)
            },
            Self::Sust {
                shape, width, wide, ..
            } => D::accesses(
                OpClass::Global,
                AccessOp::Store,
                [shape.num_coordinates(), pointer(wide), width_regs(width)],
                0,
            )
            .executed_by(Execution::Image)
            .on(has::FROM_2_0),
            Self::Membar { .. } => D {
                has_effect: true,
                ..D::new(OpClass::Membar)
                    .executed_by(Execution::Membar)
                    .group(Group::Memory)
            },

            // ---- control
            Self::Bra { .. } | Self::Exit | Self::Call { .. } | Self::Ret | Self::Trap => D::control(),
            Self::Nop => D::computes(OpClass::Move, [0; 3], 0),
            Self::Bar { mode, .. } => D {
                destination: matches!(mode, BarMode::RedPopc) as u8,
                writes_predicate: matches!(mode, BarMode::RedAnd | BarMode::RedOr),
                predicate_sources: !matches!(mode, BarMode::Sync) as u8,
                has_effect: true,
                ..D::new(OpClass::Barrier)
                    .executed_by(Execution::Barrier)
                    .on(match mode {
                        BarMode::Sync => has::ALL,
                        _ => has::FROM_2_0,
                    })
            },
            Self::Push { .. } | Self::Pop { .. } => D::control().on(has::UNTIL_PASCAL),
            Self::Bssy { .. } | Self::Bsync { .. } | Self::Break { .. } | Self::Yield => {
                D::control().on(has::FROM_7_0)
            }
            Self::Warpsync => D {
                sources: [1, 0, 0],
                members: Members::FirstOperand,
                ..D::control().outside([Outside::Immediate; 3]).on(has::FROM_7_0)
            },
            Self::Nanosleep => D {
                sources: [1, 0, 0],
                ..D::control().outside([Outside::Immediate; 3]).on(has::FROM_7_0)
            },

            // ---- functions of NVIDIA's library
            Self::Vprintf { wide } => D {
                has_effect: true,
                ..D::computes(OpClass::SlowPath, [pointer(wide), pointer(wide), 0], 1)
                    .executed_by(Execution::Library)
                    .outside(NOTHING)
                    .on(has::FROM_2_0)
            },
            Self::AssertFail { wide } => D {
                sources: [pointer(wide), pointer(wide), 0],
                ..D::control()
                    .executed_by(Execution::Library)
                    .outside(NOTHING)
                    .on(has::FROM_2_0)
            },
        }
    }
}

impl Description {
    /// A conversion between number types.
    const fn converts(from: NumType, to: NumType) -> Self {
        let class = if from.is_wide() || to.is_wide() {
            OpClass::Convert64
        } else {
            OpClass::Convert
        };
        Self::computes(class, [from.num_regs(), 0, 0], to.num_regs())
            .reads(Reading::of(from))
            .outside([Outside::Constant; 3])
            .group(Group::Conversion)
    }

    /// An atomic operation.
    const fn modifies(space: Space, op: AtomOp, ty: NumType, wide: bool, destination: u8) -> Self {
        let words = ty.num_regs();
        let swap = if matches!(op, AtomOp::Cas | AtomOp::Cast) {
            words
        } else {
            0
        };
        Self::accesses(
            class_of(space, OpClass::SharedAtomic, OpClass::GlobalAtomic),
            AccessOp::Atomic,
            [pointer(wide), words, swap],
            destination,
        )
        .on(generic(
            space,
            if matches!(space, Space::Shared) {
                has::FROM_1_2
            } else {
                has::FROM_1_1
            },
        ))
    }
}

const fn class_of(space: Space, shared: OpClass, other: OpClass) -> OpClass {
    if matches!(space, Space::Shared) {
        shared
    } else {
        other
    }
}

/// Generic addresses exist from 2.0 on.
const fn generic(space: Space, other: &'static [CapabilityRange]) -> &'static [CapabilityRange] {
    if matches!(space, Space::Generic) {
        has::FROM_2_0
    } else {
        other
    }
}

impl Special {
    /// Whether the register counts time, so that two reads differ.
    pub const fn is_clock(self) -> bool {
        matches!(
            self,
            Self::ClockLo | Self::ClockHi | Self::GlobalTimerLo | Self::GlobalTimerHi
        )
    }
}

impl Cmp {
    /// The comparison with its operands exchanged.
    const fn swapped(self) -> Self {
        match self {
            Self::Lt => Self::Gt,
            Self::Le => Self::Ge,
            Self::Gt => Self::Lt,
            Self::Ge => Self::Le,
            Self::Ltu => Self::Gtu,
            Self::Leu => Self::Geu,
            Self::Gtu => Self::Ltu,
            Self::Geu => Self::Leu,
            other => other,
        }
    }
}

/// Single properties of an operation, for those who need no more.
impl Op {
    /// Registers that each of the operands a, b, and c takes; 0 for an operand that it does not have.
    pub const fn source_widths(self) -> [u8; 3] {
        self.describe().sources
    }

    /// Registers of the result; 0 without one. The result may still go to RZ.
    pub const fn destination_width(self) -> u8 {
        self.describe().destination
    }

    /// Whether it can write the predicate `pdst`.
    pub const fn writes_predicate(self) -> bool {
        self.describe().writes_predicate
    }

    /// How many of `psrcs` it reads.
    pub const fn num_predicate_sources(self) -> usize {
        self.describe().predicate_sources as usize
    }

    /// Its class of cost.
    pub const fn class(self) -> OpClass {
        self.describe().class
    }

    /// Whether it reads or writes memory through the load/store or texture units; LDC does not.
    pub const fn is_memory(self) -> bool {
        self.describe().access.is_some()
    }

    /// Whether control may go elsewhere than to the next instruction, or the set of lanes that run
    /// together may change.
    pub const fn is_control(self) -> bool {
        matches!(self.class(), OpClass::Branch)
    }

    /// Whether its lanes name the lanes that execute it with them in `Instruction::member_mask`.
    pub const fn has_member_mask(self) -> bool {
        matches!(self.describe().members, Members::Mask)
    }

    /// Whether it adds three operands without a carry in or out.
    pub const fn is_plain_addition(self) -> bool {
        matches!(
            self,
            Self::Iadd3 {
                carry_out: false,
                carry_in: false
            }
        )
    }

    /// The address space of a memory access.
    pub const fn space(self) -> Option<Space> {
        match self {
            Self::Ld { space, .. }
            | Self::St { space, .. }
            | Self::Atom { space, .. }
            | Self::Red { space, .. } => Some(space),
            Self::Ldsm { .. } | Self::Stsm { .. } => Some(Space::Shared),
            Self::Ldgsts { .. }
            | Self::Tld { .. }
            | Self::Tex { .. }
            | Self::Suld { .. }
            | Self::Sust { .. } => Some(Space::Global),
            _ => None,
        }
    }

    /// Whether a load or store bypasses the caches, as `volatile` requires.
    pub const fn is_volatile(self) -> bool {
        matches!(
            self,
            Self::Ld {
                cache: CacheOp::Cv,
                ..
            } | Self::St {
                cache: CacheOp::Cv,
                ..
            }
        )
    }

    /// Bytes that a lane moves in a memory access, LDC included; 0 for others.
    pub const fn access_bytes(self) -> u32 {
        match self {
            Self::Ld { width, .. }
            | Self::St { width, .. }
            | Self::Ldc { width, .. }
            | Self::Ldgsts { width, .. }
            | Self::Tld { width, .. }
            | Self::Suld { width, .. }
            | Self::Sust { width, .. } => width.bytes(),
            Self::Ldsm { .. } | Self::Stsm { .. } => 16,
            Self::Tex { count, .. } => 4 * count as u32,
            Self::Atom { ty, .. } | Self::Red { ty, .. } => ty.num_regs() as u32 * 4,
            _ => 0,
        }
    }

    /// Where it can lead.
    pub const fn target(mut self) -> Option<Pc> {
        match self.target_mut() {
            Some(target) => Some(*target),
            None => None,
        }
    }

    /// Where it can lead, for a change.
    pub const fn target_mut(&mut self) -> Option<&mut Pc> {
        match self {
            Self::Bra { target }
            | Self::Call { target }
            | Self::Push { target, .. }
            | Self::Bssy { target, .. } => Some(target),
            _ => None,
        }
    }

    /// The operation that computes the same with operands `a` and b exchanged, if there is one.
    pub const fn with_operands_exchanged(mut self) -> Option<Self> {
        match &mut self {
            Self::Fsetp { cmp, .. }
            | Self::Dsetp { cmp, .. }
            | Self::Hsetp2 { cmp, .. }
            | Self::Isetp { cmp, .. } => *cmp = cmp.swapped(),
            Self::Xmad {
                a_hi,
                b_hi,
                a_signed,
                b_signed,
                merge: false,
                ..
            } => {
                (*a_hi, *b_hi) = (*b_hi, *a_hi);
                (*a_signed, *b_signed) = (*b_signed, *a_signed);
            }
            // Entries of the table whose first two index bits differ change places.
            Self::Lop3 { lut } => {
                *lut = (*lut & 0b1100_0011) | (*lut & 0b0011_0000) >> 2 | (*lut & 0b0000_1100) << 2;
            }
            Self::Fadd { .. }
            | Self::Fmul { .. }
            | Self::Ffma { .. }
            | Self::Fmad { .. }
            | Self::Fmnmx { .. }
            | Self::Dadd { .. }
            | Self::Dmul { .. }
            | Self::Dfma { .. }
            | Self::Dmnmx { .. }
            | Self::Hadd2 { .. }
            | Self::Hmul2 { .. }
            | Self::Hfma2 { .. }
            | Self::Hmnmx2 { .. }
            | Self::Bf16 { .. }
            | Self::Iadd3 { .. }
            | Self::Imul { .. }
            | Self::Imad { .. }
            | Self::ImadWide { .. }
            | Self::Imad24 { .. }
            | Self::Lop { .. }
            | Self::Imnmx { .. } => {}
            _ => return None,
        }
        Some(self)
    }
}

impl Instruction {
    /// The operand that names the lanes that must execute the instruction together.
    pub const fn member_operand(&self) -> Option<&Src> {
        match self.op.describe().members {
            Members::Active => None,
            Members::Mask => Some(&self.member_mask),
            Members::FirstOperand => Some(&self.srcs[0]),
        }
    }
}
