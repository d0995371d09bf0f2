//! What one instruction reads and writes: registers, predicates, constants. `describe` says what its
//! operation is.

use super::{Instruction, NumType, Op, Operand, PT, Pred, RZ, Reg, Src};
use crate::arch::OpClass;

impl Reg {
    /// The register of a value whose first word is in this one, `word` places further; RZ stays RZ.
    #[must_use]
    pub const fn word(self, word: u8) -> Self {
        if self.0 == RZ.0 { RZ } else { Self(self.0 + word) }
    }
}

/// Consecutive registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RegRange {
    /// First register, never RZ.
    pub first: Reg,
    /// How many: 1 to 4.
    pub num: u8,
}

impl RegRange {
    /// The registers, lowest first.
    pub fn regs(self) -> impl Iterator<Item = Reg> {
        (0..self.num).map(move |idx| Reg(self.first.0.saturating_add(idx)))
    }
}

impl NumType {
    /// Whether a value takes a register pair.
    pub const fn is_wide(self) -> bool {
        matches!(self, Self::U64 | Self::S64 | Self::F64)
    }
    /// Whether it is a floating-point type.
    pub const fn is_float(self) -> bool {
        matches!(self, Self::F16 | Self::F32 | Self::F64)
    }
    /// Registers of a value.
    pub(super) const fn num_regs(self) -> u8 {
        if self.is_wide() { 2 } else { 1 }
    }
}

impl OpClass {
    /// Its letter on the timeline.
    pub const fn letter(self) -> char {
        match self {
            Self::Fp32 | Self::Fp32Compare => 'F',
            Self::Fp64 => 'D',
            Self::Fp16 => 'H',
            Self::IntAdd
            | Self::IntAddTwo
            | Self::IntLogic
            | Self::IntShift
            | Self::IntCompare
            | Self::IntMul
            | Self::Int24Mul
            | Self::Int16Mul
            | Self::BitField
            | Self::BitReverse
            | Self::Popc => 'I',
            Self::Move | Self::PredicateLogic | Self::SpecialRegister => 'V',
            Self::Mufu | Self::RangeReduction | Self::SlowPath => 'M',
            Self::Convert | Self::ConvertNarrow | Self::Convert64 => 'C',
            Self::Shuffle | Self::Vote | Self::WarpReduce => 'X',
            Self::Branch => 'J',
            Self::Barrier | Self::Membar => 'B',
            Self::Shared => 'S',
            Self::Global => 'L',
            Self::Constant => 'K',
            Self::SharedAtomic | Self::GlobalAtomic => 'A',
            Self::Tensor
            | Self::TensorTf32
            | Self::TensorFp64
            | Self::TensorInt
            | Self::TensorStep
            | Self::TensorStepHalf => 'T',
        }
    }
}

impl Instruction {
    /// An instruction without operands and results.
    pub const fn new(op: Op) -> Self {
        Self {
            op,
            guard: super::PredSrc::TRUE,
            dst: RZ,
            pdst: PT,
            srcs: [Src::ZERO; 3],
            psrcs: [super::PredSrc::TRUE; 3],
            offset: 0,
            member_mask: Src::imm(u32::MAX),
            span: crate::ids::Span {
                start: 0,
                end: 0,
                line: 0,
                column: 0,
            },
        }
    }

    /// Its class of cost.
    pub const fn class(&self) -> OpClass {
        if self.adds_two() {
            return OpClass::IntAddTwo;
        }
        self.op.class()
    }

    /// Whether it adds two operands without a carry in or out.
    const fn adds_two(&self) -> bool {
        self.op.is_plain_addition() && matches!(self.srcs[2].operand, Operand::Reg(RZ) | Operand::Imm(0))
    }

    /// Its letter on the timeline.
    pub const fn letter(&self) -> char {
        self.class().letter()
    }

    /// Whether it has a member mask.
    pub const fn has_member_mask(&self) -> bool {
        self.op.has_member_mask()
    }

    /// Registers read, except RZ: operands in order, then the member mask.
    pub fn sources(&self) -> impl Iterator<Item = RegRange> {
        let widths = self.op.source_widths();
        let mask = u8::from(self.has_member_mask());
        let all = [
            (self.srcs[0], widths[0]),
            (self.srcs[1], widths[1]),
            (self.srcs[2], widths[2]),
            (self.member_mask, mask),
        ];
        all.into_iter().filter_map(|(src, num)| match src.operand {
            Operand::Reg(first) if first != RZ && num > 0 => Some(RegRange { first, num }),
            _ => None,
        })
    }

    /// Registers written, if any.
    pub fn destination(&self) -> Option<RegRange> {
        let num = self.op.destination_width();
        (num > 0 && self.dst != RZ).then_some(RegRange { first: self.dst, num })
    }

    /// Predicates read, except PT: the guard, then the operands.
    pub fn predicate_sources(&self) -> impl Iterator<Item = Pred> {
        let num = self.op.num_predicate_sources();
        let all = [
            (self.guard, true),
            (self.psrcs[0], num > 0),
            (self.psrcs[1], num > 1),
            (self.psrcs[2], num > 2),
        ];
        all.into_iter()
            .filter(|(src, used)| *used && src.pred != PT)
            .map(|(src, _)| src.pred)
    }

    /// The predicate written, if any.
    pub fn predicate_destination(&self) -> Option<Pred> {
        (self.op.writes_predicate() && self.pdst != PT).then_some(self.pdst)
    }

    /// Whether it reads or writes memory through the load/store or texture units.
    pub const fn is_memory(&self) -> bool {
        self.op.is_memory()
    }
}
