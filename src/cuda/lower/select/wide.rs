//! Selects 64-bit integer operations, on register pairs.

use super::operands::ADD;
use super::{Generation, Inst, Op, Place, Select, Type, VInst, VOperand, VPred, VSrc, Value, ir};
use engine::isa::Cmp;

/// A byte offset as a scaled 32-bit number.
struct Scaled {
    index: Value,
    signed: bool,
    factor: u64,
}

impl<'a> Select<'a> {
    pub(super) fn wide(&mut self, inst: &'a Inst, result: Value) {
        use ir::Op as I;
        let args = &inst.args;
        let pair = match inst.op {
            I::PtrAdd => self.pointer_sum(args[0], args[1]),
            I::Add => {
                let (a, b) = (self.words(args[0]), self.words(args[1]));
                self.add_pairs(a, b)
            }
            I::Sub => {
                let (a, b) = (self.words(args[0]), self.words(args[1]));
                self.subtract_pairs(a, b)
            }
            I::Neg => {
                let a = self.words(args[0]);
                self.subtract_pairs([VSrc::ZERO; 2], a)
            }
            I::Mul => {
                let (a, b) = (self.words(args[0]), self.words(args[1]));
                self.multiply_pairs(a, b)
            }
            I::MulHigh { signed } => {
                let (a, b) = (self.words(args[0]), self.words(args[1]));
                self.multiply_high_pairs(a, b, signed)
            }
            I::MulWide { signed } => {
                let (a, b) = (self.src(args[0]), self.src(args[1]));
                self.multiply_wide(a, b, signed)
            }
            I::Div { .. } | I::Rem { .. } => {
                self.error("Internal error: a 64-bit division was not expanded.");
                self.fresh(2)
            }
            I::Abs => {
                let a = self.words(args[0]);
                let negative = self.subtract_pairs([VSrc::ZERO; 2], a);
                let below = self.compare_words(Cmp::Lt, true, a[1], VSrc::ZERO);
                self.select_pairs(below, words_of(negative), a)
            }
            I::Min { signed } | I::Max { signed } => {
                let (a, b) = (self.words(args[0]), self.words(args[1]));
                let cmp = if matches!(inst.op, I::Max { .. }) {
                    Cmp::Gt
                } else {
                    Cmp::Lt
                };
                let first = self.compare_pairs(cmp, signed, a, b);
                self.select_pairs(first, a, b)
            }
            I::And | I::Or | I::Xor if self.target.is_volta_on() => {
                let (low, high) = (self.logic_tree(inst, 0), self.logic_tree(inst, 1));
                self.pair_of(VSrc::reg(low), VSrc::reg(high))
            }
            I::And | I::Or | I::Xor => {
                let op = match inst.op {
                    I::And => engine::isa::BoolOp::And,
                    I::Or => engine::isa::BoolOp::Or,
                    _ => engine::isa::BoolOp::Xor,
                };
                let (a, b) = (self.words(args[0]), self.words(args[1]));
                let low = self.logic(op, a[0], b[0]);
                let high = self.logic(op, a[1], b[1]);
                self.pair_of(VSrc::reg(low), VSrc::reg(high))
            }
            I::Not => {
                let a = self.words(args[0]);
                let all = VSrc::imm(u32::MAX);
                let low = self.logic(engine::isa::BoolOp::Xor, a[0], all);
                let high = self.logic(engine::isa::BoolOp::Xor, a[1], all);
                self.pair_of(VSrc::reg(low), VSrc::reg(high))
            }
            I::Shl => {
                let (a, by) = (self.words(args[0]), self.src(args[1]));
                self.shift_pair(a, by, true, false)
            }
            I::Shr { signed } => {
                let (a, by) = (self.words(args[0]), self.src(args[1]));
                self.shift_pair(a, by, false, signed)
            }
            I::Brev => {
                let a = self.words(args[0]);
                let (low, high) = (self.to_register(a[0]), self.to_register(a[1]));
                let new_high = self.reverse(VSrc::reg(low));
                let new_low = self.reverse(VSrc::reg(high));
                self.pair_of(VSrc::reg(new_low), VSrc::reg(new_high))
            }
            I::SignExtend => {
                let low = self.src(args[0]);
                let low = self.to_register(low);
                let high = self.shr(VSrc::reg(low), 31, true);
                self.pair_of(VSrc::reg(low), VSrc::reg(high))
            }
            I::ZeroExtend => {
                let low = self.src(args[0]);
                self.pair_of(low, VSrc::ZERO)
            }
            I::Pair => {
                let (low, high) = (self.src(args[0]), self.src(args[1]));
                self.pair_of(low, high)
            }
            _ => self.fresh(2),
        };
        self.define(result, pair);
    }

    /// An offset as a scaled 32-bit number, seen through its extension to 64 bits.
    fn scaled(&self, value: Value) -> Option<Scaled> {
        let inst = self.def(value)?;
        let args = &inst.args;
        match inst.op {
            ir::Op::SignExtend | ir::Op::ZeroExtend => Some(Scaled {
                index: args[0],
                signed: matches!(inst.op, ir::Op::SignExtend),
                factor: 1,
            }),
            ir::Op::MulWide { signed } => {
                let (index, factor) = match (self.immediate(args[0]), self.immediate(args[1])) {
                    (_, Some(factor)) => (args[0], factor),
                    (Some(factor), _) => (args[1], factor),
                    _ => return None,
                };
                Some(Scaled {
                    index,
                    signed,
                    factor: factor & 0xffff_ffff,
                })
            }
            ir::Op::Shl => {
                let by = self.immediate(args[1])?;
                let inner = self.scaled(args[0])?;
                (by < 16).then(|| Scaled {
                    factor: inner.factor << by,
                    ..inner
                })
            }
            ir::Op::Mul => {
                let (other, factor) = match (self.immediate(args[0]), self.immediate(args[1])) {
                    (_, Some(factor)) => (args[0], factor),
                    (Some(factor), _) => (args[1], factor),
                    _ => return None,
                };
                let inner = self.scaled(other)?;
                (factor < 1 << 16).then(|| Scaled {
                    factor: inner.factor * factor,
                    ..inner
                })
            }
            _ => None,
        }
        .filter(|scaled| (1..1 << 31).contains(&scaled.factor))
    }

    /// An address plus an offset.
    fn pointer_sum(&mut self, base: Value, distance: Value) -> Place {
        if let Some(scaled) = self.scaled(distance)
            && self.immediate(scaled.index).is_none()
        {
            let index = self.src(scaled.index);
            if self.target.is_volta_on() {
                let base = self.pair_src(base);
                return self.op(
                    Op::ImadWide {
                        signed: scaled.signed,
                    },
                    &[index, VSrc::imm(scaled.factor as u32), base],
                );
            }
            let base = self.words(base);
            let distance = if scaled.factor.is_power_of_two() {
                let shift = scaled.factor.trailing_zeros();
                let index = VSrc::reg(self.to_register(index));
                let low = if shift == 0 {
                    index
                } else {
                    VSrc::reg(self.shl(index, shift))
                };
                let high = match (shift, scaled.signed) {
                    (0, false) => VSrc::ZERO,
                    (0, true) => VSrc::reg(self.shr(index, 31, true)),
                    (shift, signed) => VSrc::reg(self.shr(index, 32 - shift, signed)),
                };
                [low, high]
            } else {
                words_of(self.multiply_wide(index, VSrc::imm(scaled.factor as u32), scaled.signed))
            };
            return self.add_pairs(distance, base);
        }
        let (a, b) = (self.words(base), self.words(distance));
        self.add_pairs(a, b)
    }

    pub(super) fn add_pairs(&mut self, a: [VSrc; 2], b: [VSrc; 2]) -> Place {
        let pair = self.fresh(2);
        self.carry_chain(pair, a, b);
        pair
    }

    fn subtract_pairs(&mut self, a: [VSrc; 2], b: [VSrc; 2]) -> Place {
        let pair = self.fresh(2);
        let high = match b[1].operand {
            VOperand::Imm(bits) => VSrc::imm(!bits),
            VOperand::Zero => VSrc::imm(u32::MAX),
            _ => b[1].negated(),
        };
        // The low word of 0 always carries: a + ~0 + 1.
        self.carry_chain(pair, a, [b[0].negated(), high]);
        pair
    }

    fn carry_chain(&mut self, pair: Place, a: [VSrc; 2], b: [VSrc; 2]) {
        let carry = self.code.vreg(super::Class::Predicate, 1);
        let mut low = VInst::new(Op::Iadd3 {
            carry_out: true,
            carry_in: false,
        });
        low.dst = Some(pair);
        low.pdst = Some(carry);
        low.srcs = [a[0], b[0], VSrc::ZERO];
        self.push(low);
        let mut high = VInst::new(Op::Iadd3 {
            carry_out: false,
            carry_in: true,
        });
        high.dst = Some(pair.at(1));
        high.psrcs[0] = VPred::of(carry);
        high.srcs = [a[1], b[1], VSrc::ZERO];
        self.push(high);
    }

    fn select_pairs(&mut self, pred: VPred, a: [VSrc; 2], b: [VSrc; 2]) -> Place {
        let low = self.select_words(pred, a[0], b[0]);
        let high = self.select_words(pred, a[1], b[1]);
        self.pair_of(VSrc::reg(low), VSrc::reg(high))
    }

    /// The 64-bit product of two words.
    pub(super) fn multiply_wide(&mut self, a: VSrc, b: VSrc, signed: bool) -> Place {
        if self.target.is_volta_on() {
            return self.op(Op::ImadWide { signed }, &[a, b, VSrc::ZERO]);
        }
        let low = self.multiply(a, b, VSrc::ZERO);
        let high = self.multiply_high(a, b, signed);
        self.pair_of(VSrc::reg(low), VSrc::reg(high))
    }

    fn multiply_pairs(&mut self, a: [VSrc; 2], b: [VSrc; 2]) -> Place {
        let product = self.multiply_wide(a[0], b[0], false);
        let mut high = product.at(1);
        for (x, y) in [(a[0], b[1]), (a[1], b[0])] {
            if x != VSrc::ZERO && y != VSrc::ZERO {
                high = self.multiply(x, y, VSrc::reg(high));
            }
        }
        self.pair_of(VSrc::reg(product), VSrc::reg(high))
    }

    fn multiply_high_pairs(&mut self, a: [VSrc; 2], b: [VSrc; 2], signed: bool) -> Place {
        let zero_high = |place: Place| [VSrc::reg(place.at(1)), VSrc::ZERO];
        let low_low = self.multiply_wide(a[0], b[0], false);
        let cross = self.multiply_wide(a[0], b[1], false);
        let first = self.add_pairs(words_of(cross), zero_high(low_low));
        let cross = self.multiply_wide(a[1], b[0], false);
        let second = self.add_pairs(words_of(cross), [VSrc::reg(first), VSrc::ZERO]);
        let top = self.multiply_wide(a[1], b[1], false);
        let sum = self.add_pairs(words_of(top), zero_high(first));
        let mut sum = self.add_pairs(words_of(sum), zero_high(second));
        if signed {
            for (x, y) in [(a, b), (b, a)] {
                let sign = self.shr(x[1], 31, true);
                let low = self.and(VSrc::reg(sign), y[0]);
                let high = self.and(VSrc::reg(sign), y[1]);
                sum = self.subtract_pairs(words_of(sum), [VSrc::reg(low), VSrc::reg(high)]);
            }
        }
        sum
    }

    fn shift_pair(&mut self, a: [VSrc; 2], by: VSrc, left: bool, signed: bool) -> Place {
        let constant = match by.operand {
            VOperand::Imm(bits) => Some(bits),
            VOperand::Zero => Some(0),
            _ => None,
        };
        let fill = |select: &mut Self| {
            if signed {
                VSrc::reg(select.shr(a[1], 31, true))
            } else {
                VSrc::ZERO
            }
        };
        match (constant, left) {
            (Some(0), _) => return self.pair_of(a[0], a[1]),
            (Some(64..), true) => return self.pair_of(VSrc::ZERO, VSrc::ZERO),
            (Some(64..), false) => {
                let fill = fill(self);
                return self.pair_of(fill, fill);
            }
            (Some(by @ 32..), true) => {
                let high = if by == 32 {
                    a[0]
                } else {
                    VSrc::reg(self.shl(a[0], by - 32))
                };
                return self.pair_of(VSrc::ZERO, high);
            }
            (Some(by @ 32..), false) => {
                let low = if by == 32 {
                    a[1]
                } else {
                    VSrc::reg(self.shr(a[1], by - 32, signed))
                };
                let high = fill(self);
                return self.pair_of(low, high);
            }
            _ => {}
        }
        let (low, high) = (
            VSrc::reg(self.to_register(a[0])),
            VSrc::reg(self.to_register(a[1])),
        );
        if left {
            let new_low = self.op(Op::Shl, &[low, by]);
            let new_high = self.shift_left_high(low, high, by);
            self.pair_of(VSrc::reg(new_low), VSrc::reg(new_high))
        } else {
            let new_low = self.shift_right_low(low, high, by, signed);
            let new_high = self.op(Op::Shr { signed }, &[high, by]);
            self.pair_of(VSrc::reg(new_low), VSrc::reg(new_high))
        }
    }

    /// High word of a 64-bit left shift.
    pub(super) fn shift_left_high(&mut self, low: VSrc, high: VSrc, by: VSrc) -> Place {
        if self.target.generation >= Generation::Kepler {
            return self.op(
                Op::Shf {
                    left: true,
                    wrap: false,
                    signed: false,
                },
                &[low, by, high],
            );
        }
        // Shifts by 32 or more return 0, so only the applicable parts remain.
        let (up, down) = self.opposite_shifts(by);
        let own = self.op(Op::Shl, &[high, by]);
        let carried = self.op(Op::Shr { signed: false }, &[low, up]);
        let mut sum = self.or(VSrc::reg(own), VSrc::reg(carried));
        if let Some(down) = down {
            let far = self.op(Op::Shl, &[low, down]);
            sum = self.or(VSrc::reg(sum), VSrc::reg(far));
        }
        sum
    }

    /// Low word of a 64-bit right shift.
    pub(super) fn shift_right_low(&mut self, low: VSrc, high: VSrc, by: VSrc, signed: bool) -> Place {
        if self.target.generation >= Generation::Kepler {
            return self.op(
                Op::Shf {
                    left: false,
                    wrap: false,
                    signed,
                },
                &[low, by, high],
            );
        }
        let (up, down) = self.opposite_shifts(by);
        let own = self.op(Op::Shr { signed: false }, &[low, by]);
        let carried = self.op(Op::Shl, &[high, up]);
        let near = self.or(VSrc::reg(own), VSrc::reg(carried));
        let Some(down) = down else { return near };
        let far = self.op(Op::Shr { signed }, &[high, down]);
        if !signed {
            return self.or(VSrc::reg(near), VSrc::reg(far));
        }
        // The sign must not be shifted in if the distance is less than 32.
        let is_far = self.compare_words(Cmp::Ge, false, by, VSrc::imm(32));
        self.select_words(is_far, VSrc::reg(far), VSrc::reg(near))
    }

    /// 32 - by and, unless `by` is known to be below 32, by - 32.
    fn opposite_shifts(&mut self, by: VSrc) -> (VSrc, Option<VSrc>) {
        match by.operand {
            VOperand::Imm(bits) if bits <= 32 => (VSrc::imm(32 - bits), None),
            VOperand::Zero => (VSrc::imm(32), None),
            _ => {
                let up = self.op(ADD, &[VSrc::imm(32), by.negated()]);
                let down = self.add(by, VSrc::imm(32u32.wrapping_neg()));
                (VSrc::reg(up), Some(VSrc::reg(down)))
            }
        }
    }

    pub(super) fn count_bits_64(&mut self, inst: &'a Inst, result: Value) {
        let [low, high] = self.words(inst.args[0]);
        let (low, high) = (
            VSrc::reg(self.to_register(low)),
            VSrc::reg(self.to_register(high)),
        );
        let place = if matches!(inst.op, ir::Op::Popc) {
            let (a, b) = (self.population(low), self.population(high));
            self.add(VSrc::reg(a), VSrc::reg(b))
        } else {
            let (a, b) = (self.leading_zeros(low), self.leading_zeros(high));
            let beyond = self.add(VSrc::reg(a), VSrc::imm(32));
            let empty = self.compare_words(Cmp::Eq, false, high, VSrc::ZERO);
            self.select_words(empty, VSrc::reg(beyond), VSrc::reg(b))
        };
        debug_assert_eq!(self.ty(result), Type::I32);
        self.define(result, place);
    }
}

pub(super) const fn words_of(pair: Place) -> [VSrc; 2] {
    [VSrc::reg(pair), VSrc::reg(pair.at(1))]
}
