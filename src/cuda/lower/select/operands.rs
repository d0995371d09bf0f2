//! Operands: locations of values, the operands that instruction positions accept, and emission of instructions.

use super::{
    Class, Def, Loc, Op, OutsideKey, Place, Select, Type, VInst, VOperand, VPred, VSrc, Value, ir, isa,
};
use engine::isa::describe::{Execution, Outside, Reading};
use engine::isa::{Cmp, Round, Width};

impl Select<'_> {
    /// The location of a value.
    pub(super) fn loc(&mut self, value: Value) -> Loc {
        match self.function.def(value) {
            Def::Bank0(offset) => Loc::Const { bank: 0, offset },
            Def::Undef => match self.ty(value) {
                Type::I1 => Loc::Pred(VPred::FALSE),
                _ => Loc::Undef,
            },
            Def::Const(bits) if self.ty(value) == Type::I1 => {
                Loc::Pred(if bits != 0 { VPred::TRUE } else { VPred::FALSE })
            }
            _ => self.places[value.0 as usize].unwrap_or(Loc::Undef),
        }
    }

    /// The bits of a value that is known at compile time: constants and addresses of variables.
    pub(super) fn immediate(&self, value: Value) -> Option<u64> {
        match self.function.def(value) {
            Def::Slot(slot) if self.frame_pointer.is_none() => {
                Some(u64::from(self.slot_offsets[slot.0 as usize]))
            }
            Def::Undef => Some(0),
            _ => self.module.immediate(self.function, value),
        }
    }

    /// A 32-bit constant, sign-extended.
    pub(super) fn immediate_i32(&self, value: Value) -> Option<i32> {
        self.immediate(value).map(|bits| bits as u32 as i32)
    }

    /// One 32-bit word of a value as an operand.
    pub(super) fn word(&mut self, value: Value, idx: u8) -> VSrc {
        if self.ty(value) != Type::I1
            && let Some(bits) = self.immediate(value)
        {
            return VSrc::imm((bits >> (32 * u32::from(idx))) as u32);
        }
        if let Def::Slot(slot) = self.function.def(value)
            && let Some(pointer) = self.frame_pointer
        {
            let offset = self.slot_offsets[slot.0 as usize];
            let base = VSrc::reg(Place {
                vreg: pointer,
                unit: 0,
            });
            return VSrc::reg(self.add(base, VSrc::imm(offset)));
        }
        match self.loc(value) {
            Loc::Reg(place) => VSrc::reg(place.at(idx)),
            Loc::Const { bank, offset } => VSrc::constant(bank, offset + 4 * u16::from(idx)),
            Loc::Undef => VSrc::ZERO,
            Loc::Pred(pred) => VSrc::reg(self.select_words(pred, VSrc::imm(1), VSrc::ZERO)),
        }
    }

    /// Both words of a 64-bit value, low first.
    pub(super) fn words(&mut self, value: Value) -> [VSrc; 2] {
        [self.word(value, 0), self.word(value, 1)]
    }

    /// A value of one register as an operand.
    pub(super) fn src(&mut self, value: Value) -> VSrc {
        self.word(value, 0)
    }

    /// A 64-bit value as one operand of an instruction on pairs. Doubles whose low word is zero can be
    /// immediates.
    pub(super) fn pair_src(&mut self, value: Value) -> VSrc {
        if let Some(bits) = self.immediate(value) {
            if bits == 0 {
                return VSrc::ZERO;
            }
            if self.ty(value) == Type::F64 && bits as u32 == 0 {
                return VSrc::imm((bits >> 32) as u32);
            }
            return VSrc::reg(self.constant_pair(VSrc::imm(bits as u32), VSrc::imm((bits >> 32) as u32)));
        }
        match self.loc(value) {
            Loc::Reg(place) => VSrc::reg(place),
            Loc::Const { bank, offset } => VSrc::constant(bank, offset),
            _ => VSrc::ZERO,
        }
    }

    /// Creates a pair of these words.
    pub(super) fn pair_of(&mut self, low: VSrc, high: VSrc) -> Place {
        let pair = self.fresh(2);
        if let VOperand::Const { bank, offset } = low.operand
            && self.target.loads_constants()
            && high == VSrc::constant(bank, offset + 4)
            && offset % 8 == 0
        {
            let mut ldc = VInst::new(Op::Ldc {
                bank,
                width: Width::B64,
            });
            ldc.dst = Some(pair);
            ldc.offset = offset.into();
            self.push(ldc);
            return pair;
        }
        self.mov_to(pair, low);
        self.mov_to(pair.at(1), high);
        pair
    }

    /// A value in one or two registers.
    pub(super) fn in_register(&mut self, value: Value) -> Place {
        if self.ty(value).registers() == 2 {
            match self.loc(value) {
                Loc::Reg(place) if self.immediate(value).is_none() => place,
                _ => {
                    let [low, high] = self.words(value);
                    self.pair_of(low, high)
                }
            }
        } else {
            let src = self.src(value);
            self.to_register(src)
        }
    }

    /// An operand without modifiers in a register; copies it if necessary.
    #[expect(
        clippy::wrong_self_convention,
        reason = "the parameter is converted, which adds instructions"
    )]
    pub(super) fn to_register(&mut self, src: VSrc) -> Place {
        match src.operand {
            VOperand::Reg(place) if !src.negate && !src.absolute => place,
            _ => {
                let key = outside_key(src);
                if let Some(place) = key.and_then(|key| self.constants.get(&key)) {
                    return *place;
                }
                let place = self.fresh(1);
                self.mov_to(place, src);
                if let Some(key) = key {
                    self.constants.insert(key, place);
                }
                place
            }
        }
    }

    /// A predicate operand.
    pub(super) fn pred(&mut self, value: Value) -> VPred {
        match self.loc(value) {
            Loc::Pred(pred) => pred,
            _ => VPred::FALSE,
        }
    }

    /// A floating-point operand with negation and absolute value folded in.
    pub(super) fn float_src(&mut self, value: Value) -> VSrc {
        let wide = self.ty(value) == Type::F64;
        let mut at = value;
        let mut negate = false;
        let mut absolute = false;
        while let Some(inst) = self.def(at) {
            match inst.op {
                ir::Op::FNeg => {
                    negate ^= !absolute;
                    at = inst.args[0];
                }
                ir::Op::FAbs => {
                    absolute = true;
                    at = inst.args[0];
                }
                _ => break,
            }
        }
        let mut src = if wide { self.pair_src(at) } else { self.src(at) };
        if let VOperand::Imm(bits) = src.operand {
            let bits = if absolute { bits & 0x7fff_ffff } else { bits };
            return VSrc::of(VOperand::Imm(if negate { bits ^ 0x8000_0000 } else { bits }));
        }
        src.negate = negate;
        src.absolute = absolute;
        if src.operand == VOperand::Zero && negate {
            return VSrc::of(VOperand::Imm(0x8000_0000));
        }
        src
    }

    pub(super) fn fresh(&mut self, units: u8) -> Place {
        Place {
            vreg: self.code.vreg(Class::General, units),
            unit: 0,
        }
    }

    pub(super) fn mov_to(&mut self, dst: Place, src: VSrc) {
        let mut inst = VInst::new(Op::Mov);
        inst.dst = Some(dst);
        inst.srcs[0] = src;
        if src.place().is_some() && !src.negate {
            inst.copy = 1;
        }
        self.push(inst);
    }

    /// Emits an instruction with a new result of the operation's width.
    pub(super) fn op(&mut self, op: Op, srcs: &[VSrc]) -> Place {
        let dst = self.fresh(op.destination_width().max(1));
        self.op_to(dst, op, srcs);
        dst
    }

    pub(super) fn op_to(&mut self, dst: Place, op: Op, srcs: &[VSrc]) {
        let mut inst = VInst::new(op);
        inst.dst = Some(dst);
        for (slot, src) in inst.srcs.iter_mut().zip(srcs) {
            *slot = *src;
        }
        self.push(inst);
    }

    /// Emits an instruction whose result is a predicate.
    pub(super) fn op_pred(&mut self, op: Op, srcs: &[VSrc], psrcs: &[VPred]) -> VPred {
        let mut inst = VInst::new(op);
        let pdst = self.code.vreg(Class::Predicate, 1);
        inst.pdst = Some(pdst);
        for (slot, src) in inst.srcs.iter_mut().zip(srcs) {
            *slot = *src;
        }
        for (slot, psrc) in inst.psrcs.iter_mut().zip(psrcs) {
            *slot = *psrc;
        }
        self.push(inst);
        VPred::of(pdst)
    }

    /// Emits an instruction under the current guard, with legal operands.
    pub(super) fn push(&mut self, mut inst: VInst) {
        if inst.guard == VPred::TRUE {
            inst.guard = self.guard;
        }
        inst.span = self.span;
        self.legalise(&mut inst);
        let current = self.current;
        self.code.block_mut(current).insts.push(inst);
    }

    /// Moves operands into registers if the instruction cannot encode them: at most one operand can be outside
    /// registers, and not the first.
    fn legalise(&mut self, inst: &mut VInst) {
        if matches!(inst.op, Op::Iadd3 { carry_in: false, .. }) {
            for src in &mut inst.srcs {
                if let (VOperand::Imm(bits), true, false) = (
                    src.operand,
                    src.negate,
                    matches!(inst.op, Op::Iadd3 { carry_out: true, .. }),
                ) {
                    *src = VSrc::imm(bits.wrapping_neg());
                }
            }
        }
        for src in &mut inst.srcs {
            if src.operand == VOperand::Zero && src.negate && inst.op.is_plain_addition() {
                src.negate = false;
            }
        }
        if inst.srcs[0].is_outside() && !accepts(inst.op, 0, inst.srcs[0]) && inst.srcs[1].is_register() {
            swap_operands(inst);
        }
        let description = inst.op.describe();
        let widths = description.sources;
        // Constants that are loaded later are registers here.
        let loads_constants = self.target.loads_constants();
        let is_outside = |src: VSrc| {
            let loaded = loads_constants && matches!(src.operand, VOperand::Const { .. });
            src.is_outside() && !loaded
        };
        let both =
            is_outside(inst.srcs[1]) && is_outside(inst.srcs[2]) && !matches!(inst.op, Op::Shfl { .. });
        let forced = if both {
            // The immediate moves to a register: a constant bank can be read in place.
            Some(if matches!(inst.srcs[1].operand, VOperand::Imm(_)) {
                1
            } else {
                2
            })
        } else {
            None
        };
        #[expect(
            clippy::needless_range_loop,
            reason = "several arrays are read at the same index"
        )]
        for idx in 0..3 {
            let src = inst.srcs[idx];
            if widths[idx] == 0 || !is_outside(src) {
                continue;
            }
            if forced == Some(idx) || !accepts(inst.op, idx, src) {
                let place = self.outside_to_register(src, description.reading[idx], widths[idx]);
                inst.srcs[idx] = VSrc {
                    operand: VOperand::Reg(place),
                    ..src
                };
            }
        }
        if inst.op.describe().execution == Execution::Exchange
            && matches!(inst.mask.operand, VOperand::Const { .. })
        {
            let place = self.to_register(inst.mask);
            inst.mask = VSrc::reg(place);
        }
    }

    fn outside_to_register(&mut self, src: VSrc, reading: Reading, width: u8) -> Place {
        let plain = VSrc::of(src.operand);
        if width == 1 {
            return self.to_register(plain);
        }
        let [low, high] = match src.operand {
            VOperand::Const { bank, offset } => {
                [VSrc::constant(bank, offset), VSrc::constant(bank, offset + 4)]
            }
            VOperand::Imm(bits) if reading == Reading::Double => [VSrc::ZERO, VSrc::imm(bits)],
            VOperand::Imm(bits) => {
                let high = if bits >> 31 == 1 { u32::MAX } else { 0 };
                [VSrc::imm(bits), VSrc::imm(high)]
            }
            _ => [VSrc::ZERO, VSrc::ZERO],
        };
        self.constant_pair(low, high)
    }

    /// A pair of words from outside registers, created once per block.
    fn constant_pair(&mut self, low: VSrc, high: VSrc) -> Place {
        let key = outside_key(low).zip(outside_key(high));
        if let Some(pair) = key.and_then(|key| self.constant_pairs.get(&key)) {
            return *pair;
        }
        let pair = self.pair_of(low, high);
        if let Some(key) = key {
            self.constant_pairs.insert(key, pair);
        }
        pair
    }

    /// a + b of words.
    pub(super) fn add(&mut self, a: VSrc, b: VSrc) -> Place {
        for (x, y) in [(a, b), (b, a)] {
            if let (VSrc::ZERO, VOperand::Reg(place), false) = (x, y.operand, y.negate) {
                return place;
            }
        }
        self.op(ADD, &[a, b])
    }

    pub(super) fn shl(&mut self, a: VSrc, by: u32) -> Place {
        self.op(Op::Shl, &[a, VSrc::imm(by)])
    }

    pub(super) fn shr(&mut self, a: VSrc, by: u32, signed: bool) -> Place {
        self.op(Op::Shr { signed }, &[a, VSrc::imm(by)])
    }

    /// `a` op b, bitwise; `negate` of an operand inverts it.
    pub(super) fn logic(&mut self, op: isa::BoolOp, a: VSrc, b: VSrc) -> Place {
        if self.target.is_volta_on() {
            let table = |src: VSrc, table: u8| if src.negate { !table } else { table };
            let (ta, tb) = (table(a, 0xf0), table(b, 0xcc));
            let lut = match op {
                isa::BoolOp::And => ta & tb,
                isa::BoolOp::Or => ta | tb,
                isa::BoolOp::Xor => ta ^ tb,
            };
            let plain = |src: VSrc| VSrc::of(src.operand);
            return self.op(Op::Lop3 { lut }, &[plain(a), plain(b)]);
        }
        let fold = |src: VSrc| match (src.operand, src.negate) {
            (VOperand::Imm(bits), true) => VSrc::imm(!bits),
            (VOperand::Zero, true) => VSrc::imm(u32::MAX),
            _ => src,
        };
        self.op(Op::Lop { op }, &[fold(a), fold(b)])
    }

    pub(super) fn and(&mut self, a: VSrc, b: VSrc) -> Place {
        self.logic(isa::BoolOp::And, a, b)
    }

    pub(super) fn or(&mut self, a: VSrc, b: VSrc) -> Place {
        self.logic(isa::BoolOp::Or, a, b)
    }

    /// pred ? a : b.
    pub(super) fn select_words(&mut self, pred: VPred, a: VSrc, b: VSrc) -> Place {
        let mut inst = VInst::new(Op::Sel);
        let dst = self.fresh(1);
        inst.dst = Some(dst);
        inst.psrcs[0] = pred;
        inst.srcs = [a, b, VSrc::ZERO];
        if a.is_outside() && b.is_register() {
            inst.srcs = [b, a, VSrc::ZERO];
            inst.psrcs[0] = pred.inverted();
        }
        self.push(inst);
        dst
    }

    pub(super) fn compare_words(&mut self, cmp: Cmp, signed: bool, a: VSrc, b: VSrc) -> VPred {
        self.op_pred(
            Op::Isetp {
                cmp,
                signed,
                bool_op: isa::BoolOp::And,
                extended: false,
            },
            &[a, b],
            &[],
        )
    }

    /// A combination of two predicates.
    pub(super) fn combine(&mut self, op: isa::BoolOp, a: VPred, b: VPred) -> VPred {
        self.op_pred(
            Op::Plop3 {
                lut: super::super::machine::pair_lut(op),
            },
            &[],
            &[a, b],
        )
    }

    pub(super) fn fmul(&self) -> Op {
        Op::Fmul {
            ftz: self.target.ftz(),
            sat: false,
            round: Round::Rn,
        }
    }

    pub(super) fn fadd(&self) -> Op {
        Op::Fadd {
            ftz: self.target.ftz(),
            sat: false,
            round: Round::Rn,
        }
    }
}

/// a + b without carries.
pub(super) const ADD: Op = Op::Iadd3 {
    carry_out: false,
    carry_in: false,
};

/// A key that identifies a value from outside registers.
fn outside_key(src: VSrc) -> Option<OutsideKey> {
    match src.operand {
        VOperand::Zero => Some((0, 0)),
        VOperand::Imm(bits) => Some((0, bits)),
        VOperand::Const { bank, offset } => Some((1 + u32::from(bank), u32::from(offset))),
        VOperand::Reg(_) => None,
    }
}

/// Whether an operand outside of registers can stand in a position.
fn accepts(op: Op, idx: usize, src: VSrc) -> bool {
    match op.describe().outside[idx] {
        Outside::Nothing => false,
        Outside::Constant => matches!(src.operand, VOperand::Const { .. }),
        Outside::Immediate => !matches!(src.operand, VOperand::Const { .. }),
        Outside::Either => true,
    }
}

/// Exchanges the first two operands, where the instruction set can express that.
fn swap_operands(inst: &mut VInst) {
    if let Some(op) = inst.op.with_operands_exchanged() {
        inst.op = op;
        inst.srcs.swap(0, 1);
    }
}
