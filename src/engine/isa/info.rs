//! What an instruction touches and what kind it is: registers read and written, predicates, class
//! of cost, letter on the timeline.

use super::{
    AtomOp, BarMode, Bf16Op, Instruction, Mufu, NumType, Op, Operand, PT, Pred, RZ, Reg, SlowPath, Space, Src,
};
use crate::arch::OpClass;
use crate::ids::Pc;

impl Reg {
    /// The register of a value's word that comes so many after this one; RZ stays RZ.
    pub const fn word(self, word: u8) -> Self {
        if self.0 == RZ.0 { RZ } else { Self(self.0 + word) }
    }
}

/// Consecutive registers: the first, and how many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RegRange {
    /// First register, never RZ.
    pub first: Reg,
    /// 1, 2 or 4.
    pub num: u8,
}

impl RegRange {
    /// The registers, lowest first.
    pub fn regs(self) -> impl Iterator<Item = Reg> {
        (0..self.num).map(move |idx| Reg(self.first.0.saturating_add(idx)))
    }
}

impl NumType {
    /// Whether values take a register pair.
    pub const fn is_wide(self) -> bool {
        matches!(self, Self::U64 | Self::S64 | Self::F64)
    }
    /// Whether it is a floating type.
    pub const fn is_float(self) -> bool {
        matches!(self, Self::F16 | Self::F32 | Self::F64)
    }
    const fn num_regs(self) -> u8 {
        if self.is_wide() { 2 } else { 1 }
    }
}

const fn pair_if(wide: bool) -> u8 {
    if wide { 2 } else { 1 }
}

const fn width_regs(width: super::Width) -> u8 {
    match width {
        super::Width::B64 => 2,
        super::Width::B128 => 4,
        _ => 1,
    }
}

impl Op {
    /// Registers that each of the operands a, b, c takes; 0 for operands it has not.
    pub const fn source_widths(self) -> [u8; 3] {
        match self {
            Self::Fadd { .. } | Self::Fmul { .. } | Self::Fmnmx { .. } | Self::Fsetp { .. } | Self::Fchk => {
                [1, 1, 0]
            }
            Self::Ffma { .. } | Self::Fmad { .. } => [1, 1, 1],
            Self::Mufu { .. } => [1, 0, 0],
            Self::Slow { path } => match path {
                SlowPath::DivF32 => [1, 1, 0],
                SlowPath::SqrtF32 | SlowPath::RcpF32 => [1, 0, 0],
                SlowPath::DivF64 => [2, 2, 0],
                SlowPath::SqrtF64 | SlowPath::RcpF64 | SlowPath::RsqF64 => [2, 0, 0],
            },
            Self::Dadd { .. } | Self::Dmul { .. } | Self::Dmnmx { .. } | Self::Dsetp { .. } => [2, 2, 0],
            Self::Dfma { .. } => [2, 2, 2],
            Self::Hadd2 { .. } | Self::Hmul2 { .. } => [1, 1, 0],
            Self::Hfma2 { .. } => [1, 1, 1],
            Self::Bf16 { op: Bf16Op::Fma } => [1, 1, 1],
            Self::Mma { mma } => mma.kind.source_widths(),
            Self::Hmnmx2 { .. }
            | Self::Hsetp2 { .. }
            | Self::Hadd2F32 { .. }
            | Self::Bf16 { .. }
            | Self::F2fp { .. } => [1, 1, 0],
            Self::F2f { from, .. } | Self::F2i { from, .. } | Self::I2f { from, .. } => {
                [from.num_regs(), 0, 0]
            }
            Self::Frnd { ty, .. } => [ty.num_regs(), 0, 0],
            Self::I2i { .. } | Self::Iabs | Self::Popc | Self::Flo { .. } | Self::Brev | Self::Mov => {
                [1, 0, 0]
            }
            Self::Iadd3 { .. }
            | Self::Imad { .. }
            | Self::Imad24 { .. }
            | Self::Xmad { .. }
            | Self::Lop3 { .. }
            | Self::Shf { .. }
            | Self::Prmt
            | Self::Bfi
            | Self::Shfl { .. } => [1, 1, 1],
            Self::ImadWide { .. } => [1, 1, 2],
            Self::Imul { .. }
            | Self::Lea { .. }
            | Self::Lop { .. }
            | Self::Shl
            | Self::Shr { .. }
            | Self::Imnmx { .. }
            | Self::Isetp { .. }
            | Self::Bfe { .. }
            | Self::Sel => [1, 1, 0],
            Self::Match { wide, .. } => [pair_if(wide), 0, 0],
            Self::Ld { wide, .. } => [pair_if(wide), 0, 0],
            Self::St { wide, width, .. } => [pair_if(wide), width_regs(width), 0],
            Self::Atom { wide, op, ty, .. } | Self::Red { wide, op, ty, .. } => [
                pair_if(wide),
                ty.num_regs(),
                if matches!(op, AtomOp::Cas) {
                    ty.num_regs()
                } else {
                    0
                },
            ],
            Self::Tld { wide, .. } => [1, pair_if(wide), 0],
            Self::Tex {
                shape, choice, wide, ..
            } => [shape.num_coordinates(), pair_if(wide), choice.num_words()],
            Self::Suld { shape, wide, .. } => [shape.num_coordinates(), pair_if(wide), 0],
            Self::Sust {
                shape, width, wide, ..
            } => [shape.num_coordinates(), pair_if(wide), width_regs(width)],
            Self::Ldc { .. } | Self::Warpsync | Self::Nanosleep => [1, 0, 0],
            Self::Vprintf { wide } | Self::AssertFail { wide } => [pair_if(wide), pair_if(wide), 0],
            Self::S2r { .. }
            | Self::Plop3 { .. }
            | Self::Vote { .. }
            | Self::Membar { .. }
            | Self::Bra { .. }
            | Self::Exit
            | Self::Call { .. }
            | Self::Ret
            | Self::Nop
            | Self::Bar { .. }
            | Self::Push { .. }
            | Self::Pop { .. }
            | Self::Bssy { .. }
            | Self::Bsync { .. }
            | Self::Break { .. }
            | Self::Yield
            | Self::Trap => [0, 0, 0],
        }
    }

    /// Registers of the result; 0 where there is none. The result may still go to RZ.
    pub const fn destination_width(self) -> u8 {
        match self {
            Self::Dadd { .. }
            | Self::Dmul { .. }
            | Self::Dfma { .. }
            | Self::Dmnmx { .. }
            | Self::ImadWide { .. } => 2,
            Self::Slow { path } => match path {
                SlowPath::DivF32 | SlowPath::SqrtF32 | SlowPath::RcpF32 => 1,
                SlowPath::DivF64 | SlowPath::SqrtF64 | SlowPath::RcpF64 | SlowPath::RsqF64 => 2,
            },
            Self::F2f { to, .. } | Self::F2i { to, .. } | Self::I2f { to, .. } => to.num_regs(),
            Self::Frnd { ty, .. } => ty.num_regs(),
            Self::Mma { mma } => mma.kind.source_widths()[2],
            Self::Ld { width, .. }
            | Self::Ldc { width, .. }
            | Self::Tld { width, .. }
            | Self::Suld { width, .. } => width_regs(width),
            Self::Tex { count, .. } => count,
            Self::Atom { ty, .. } => ty.num_regs(),
            Self::Fsetp { .. }
            | Self::Fchk
            | Self::Dsetp { .. }
            | Self::Hsetp2 { .. }
            | Self::Isetp { .. }
            | Self::Plop3 { .. }
            | Self::St { .. }
            | Self::Sust { .. }
            | Self::Red { .. }
            | Self::Membar { .. }
            | Self::Bra { .. }
            | Self::Exit
            | Self::Call { .. }
            | Self::Ret
            | Self::Nop
            | Self::Push { .. }
            | Self::Pop { .. }
            | Self::Bssy { .. }
            | Self::Bsync { .. }
            | Self::Break { .. }
            | Self::Warpsync
            | Self::Yield
            | Self::Nanosleep
            | Self::AssertFail { .. }
            | Self::Trap => 0,
            _ => 1,
        }
    }

    /// Whether it can write the predicate `pdst`.
    pub const fn writes_predicate(self) -> bool {
        matches!(
            self,
            Self::Fsetp { .. }
                | Self::Fchk
                | Self::Dsetp { .. }
                | Self::Hsetp2 { .. }
                | Self::Isetp { .. }
                | Self::Plop3 { .. }
                | Self::Vote { .. }
                | Self::Shfl { .. }
                | Self::Match { .. }
                | Self::Iadd3 { carry_out: true, .. }
                | Self::Bar {
                    mode: BarMode::RedAnd | BarMode::RedOr,
                    ..
                }
        )
    }

    /// How many of `psrcs` it reads.
    pub const fn num_predicate_sources(self) -> usize {
        match self {
            Self::Fsetp { .. } | Self::Dsetp { .. } | Self::Hsetp2 { .. } | Self::Sel | Self::Vote { .. } => {
                1
            }
            Self::Isetp { extended, .. } => 1 + extended as usize,
            Self::Plop3 { .. } => 3,
            Self::Iadd3 { carry_in, .. } => carry_in as usize,
            Self::Bar { mode, .. } => !matches!(mode, BarMode::Sync) as usize,
            _ => 0,
        }
    }

    /// IADD3 without a carry in or out.
    pub const fn is_plain_addition(self) -> bool {
        matches!(
            self,
            Self::Iadd3 {
                carry_out: false,
                carry_in: false
            }
        )
    }

    /// Whether it reads or writes memory through the load/store units; LDC is not among them.
    pub const fn is_memory(self) -> bool {
        matches!(
            self,
            Self::Ld { .. }
                | Self::St { .. }
                | Self::Atom { .. }
                | Self::Red { .. }
                | Self::Tld { .. }
                | Self::Tex { .. }
                | Self::Suld { .. }
                | Self::Sust { .. }
        )
    }

    /// The address space of a memory access.
    pub const fn space(self) -> Option<Space> {
        match self {
            Self::Ld { space, .. }
            | Self::St { space, .. }
            | Self::Atom { space, .. }
            | Self::Red { space, .. } => Some(space),
            Self::Tld { .. } | Self::Tex { .. } | Self::Suld { .. } | Self::Sust { .. } => {
                Some(Space::Global)
            }
            _ => None,
        }
    }

    /// Bytes that a lane moves in a memory access (LDC included), 0 for others.
    pub const fn access_bytes(self) -> u32 {
        match self {
            Self::Ld { width, .. }
            | Self::St { width, .. }
            | Self::Ldc { width, .. }
            | Self::Tld { width, .. }
            | Self::Suld { width, .. }
            | Self::Sust { width, .. } => width.bytes(),
            Self::Tex { count, .. } => 4 * count as u32,
            Self::Atom { ty, .. } | Self::Red { ty, .. } => ty.num_regs() as u32 * 4,
            _ => 0,
        }
    }

    /// Whether control may go elsewhere than to the next instruction, or the set of lanes that run
    /// together may change.
    pub const fn is_control(self) -> bool {
        matches!(self.class(), OpClass::Branch)
    }

    /// Where it can lead.
    pub const fn target(mut self) -> Option<Pc> {
        match self.target_mut() {
            Some(target) => Some(*target),
            None => None,
        }
    }

    /// Where it can lead, to be changed.
    pub const fn target_mut(&mut self) -> Option<&mut Pc> {
        match self {
            Self::Bra { target }
            | Self::Call { target }
            | Self::Push { target, .. }
            | Self::Bssy { target, .. } => Some(target),
            _ => None,
        }
    }

    /// Its class of cost.
    pub const fn class(self) -> OpClass {
        match self {
            Self::Fadd { .. } | Self::Fmul { .. } | Self::Ffma { .. } | Self::Fmad { .. } => OpClass::Fp32,
            Self::Fmnmx { .. } | Self::Fsetp { .. } | Self::Fchk => OpClass::Fp32Compare,
            Self::Mufu { .. } => OpClass::Mufu,
            Self::Slow { .. } | Self::Vprintf { .. } => OpClass::SlowPath,
            Self::Dadd { .. }
            | Self::Dmul { .. }
            | Self::Dfma { .. }
            | Self::Dmnmx { .. }
            | Self::Dsetp { .. } => OpClass::Fp64,
            Self::Hadd2 { .. }
            | Self::Hmul2 { .. }
            | Self::Hfma2 { .. }
            | Self::Hmnmx2 { .. }
            | Self::Hsetp2 { .. }
            | Self::Bf16 { .. }
            | Self::Hadd2F32 { .. } => OpClass::Fp16,
            Self::F2fp { .. } => OpClass::Convert,
            Self::Mma { mma } => mma.kind.class(),
            Self::F2f { from, to, .. } | Self::F2i { from, to, .. } | Self::I2f { from, to, .. } => {
                if from.is_wide() || to.is_wide() {
                    OpClass::Convert64
                } else {
                    OpClass::Convert
                }
            }
            Self::Frnd { ty, .. } => {
                if ty.is_wide() {
                    OpClass::Convert64
                } else {
                    OpClass::Convert
                }
            }
            Self::I2i { .. } => OpClass::ConvertNarrow,
            Self::Iadd3 { .. } | Self::Lea { .. } | Self::Iabs => OpClass::IntAdd,
            Self::Imul { .. } | Self::Imad { .. } | Self::ImadWide { .. } => OpClass::IntMul,
            Self::Imad24 { .. } => OpClass::Int24Mul,
            Self::Xmad { .. } => OpClass::Int16Mul,
            Self::Lop { .. } | Self::Lop3 { .. } => OpClass::IntLogic,
            Self::Shl | Self::Shr { .. } | Self::Shf { .. } => OpClass::IntShift,
            Self::Imnmx { .. } | Self::Isetp { .. } => OpClass::IntCompare,
            Self::Popc | Self::Flo { .. } => OpClass::Popc,
            Self::Brev => OpClass::BitReverse,
            Self::Prmt | Self::Bfe { .. } | Self::Bfi => OpClass::BitField,
            Self::Sel | Self::Mov | Self::Nop => OpClass::Move,
            Self::S2r { .. } => OpClass::SpecialRegister,
            Self::Plop3 { .. } => OpClass::PredicateLogic,
            Self::Vote { .. } | Self::Match { .. } => OpClass::Vote,
            Self::Shfl { .. } => OpClass::Shuffle,
            Self::Ld { space, .. } | Self::St { space, .. } => match space {
                Space::Shared => OpClass::Shared,
                Space::Global | Space::Local | Space::Generic => OpClass::Global,
            },
            Self::Atom { space, .. } | Self::Red { space, .. } => match space {
                Space::Shared => OpClass::SharedAtomic,
                Space::Global | Space::Local | Space::Generic => OpClass::GlobalAtomic,
            },
            Self::Ldc { .. } => OpClass::Constant,
            Self::Tld { .. } | Self::Tex { .. } | Self::Suld { .. } | Self::Sust { .. } => OpClass::Global,
            Self::Membar { .. } => OpClass::Membar,
            Self::Bar { .. } => OpClass::Barrier,
            Self::Bra { .. }
            | Self::Exit
            | Self::Call { .. }
            | Self::Ret
            | Self::Push { .. }
            | Self::Pop { .. }
            | Self::Bssy { .. }
            | Self::Bsync { .. }
            | Self::Break { .. }
            | Self::Warpsync
            | Self::Yield
            | Self::Nanosleep
            | Self::AssertFail { .. }
            | Self::Trap => OpClass::Branch,
        }
    }

    /// Whether it computes in the 64-bit words of its operands, so that an estimate of a double's
    /// reciprocal is counted with doubles.
    pub const fn is_double_estimate(self) -> bool {
        matches!(
            self,
            Self::Mufu {
                func: Mufu::Rcp64h | Mufu::Rsq64h,
                ..
            }
        )
    }
}

impl OpClass {
    /// The letter that stands for it on the timeline.
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
            Self::Mufu | Self::SlowPath => 'M',
            Self::Convert | Self::ConvertNarrow | Self::Convert64 => 'C',
            Self::Shuffle | Self::Vote => 'X',
            Self::Branch => 'J',
            Self::Barrier | Self::Membar => 'B',
            Self::Shared => 'S',
            Self::Global => 'L',
            Self::Constant => 'K',
            Self::SharedAtomic | Self::GlobalAtomic => 'A',
            Self::Tensor | Self::TensorTf32 | Self::TensorFp64 | Self::TensorInt => 'T',
        }
    }

    /// What the letter stands for.
    pub const fn letter_meaning(self) -> &'static str {
        match self.letter() {
            'F' => "single-precision arithmetic",
            'D' => "double-precision arithmetic",
            'H' => "half-precision arithmetic",
            'I' => "integer arithmetic",
            'V' => "move, select, special register",
            'M' => "special function",
            'C' => "conversion",
            'X' => "exchange between lanes",
            'J' => "branch and convergence",
            'B' => "barrier or fence",
            'S' => "shared memory",
            'L' => "global or local memory",
            'K' => "constant load",
            'A' => "atomic",
            _ => "tensor core",
        }
    }
}

impl Instruction {
    /// An instruction with nothing but its operation.
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

    /// Whether it adds two operands, and no carry comes in or goes out.
    const fn adds_two(&self) -> bool {
        self.op.is_plain_addition() && matches!(self.srcs[2].operand, Operand::Reg(RZ) | Operand::Imm(0))
    }

    /// The letter that stands for it on the timeline.
    pub const fn letter(&self) -> char {
        self.class().letter()
    }

    /// Whether it has a member mask.
    pub const fn has_member_mask(&self) -> bool {
        matches!(
            self.op,
            Op::Vote { sync: true, .. } | Op::Shfl { sync: true, .. } | Op::Match { .. } | Op::Mma { .. }
        )
    }

    /// Registers read, RZ left out: operands in order, then the member mask.
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

    /// Predicates read, PT left out: the guard, then the operands.
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

    /// Whether it reads a word of a constant bank as an operand.
    pub fn constant_operand(&self) -> Option<(u8, u16)> {
        let widths = self.op.source_widths();
        (0..3).find_map(|idx| match self.srcs[idx].operand {
            Operand::Const { bank, offset } if widths[idx] > 0 => Some((bank, offset)),
            _ => None,
        })
    }

    /// Whether it reads or writes memory through the load/store units.
    pub const fn is_memory(&self) -> bool {
        self.op.is_memory()
    }
}
