//! Division and square root: sequences around the estimates of the special function unit.
//!
//! Floating-point sequences are Newton steps with fused multiply-adds; the last step adds the exact residual
//! and rounds. They are correct for operands in the middle of the range. Other operands take a branch to a
//! subroutine, which is a single instruction here ([`SlowPath`]).

use super::operands::ADD;
use super::{Generation, Op, Place, Select, VInst, VPred, VSrc, Value};
use engine::isa::{Cmp, Mufu, NumType, Round, SlowPath};

const ONE: u32 = 0x3f80_0000;
/// 1.0 as the high word of a double.
const ONE_64: u32 = 0x3ff0_0000;
const HALF_64: u32 = 0x3fe0_0000;

impl Select<'_> {
    // ---- integers

    /// a / b, or the remainder.
    ///
    /// The reciprocal of b in single precision, made slightly too small, times 2^32 is the first estimate. One
    /// Newton step in integers makes the quotient exact to within 2; two comparisons correct it.
    pub(super) fn divide(&mut self, a: Value, b: Value, signed: bool, remainder: bool) -> Place {
        let (a, b) = (VSrc::reg(self.in_register(a)), VSrc::reg(self.in_register(b)));
        if !signed {
            let (quotient, rest) = self.divide_unsigned(a, b);
            return if remainder {
                rest
            } else {
                let zero = self.compare_words(Cmp::Eq, false, b, VSrc::ZERO);
                let ones = VSrc::imm(u32::MAX);
                self.select_words(zero, ones, VSrc::reg(quotient))
            };
        }
        let abs_a = self.absolute(a);
        let known = b.place().and_then(|place| self.magnitudes.get(&place).copied());
        let abs_b = known.unwrap_or_else(|| self.absolute(b));
        if let Some(place) = b.place() {
            self.magnitudes.insert(place, abs_b);
        }
        let (quotient, rest) = self.divide_unsigned(VSrc::reg(abs_a), VSrc::reg(abs_b));
        if remainder {
            let below = self.compare_words(Cmp::Lt, true, a, VSrc::ZERO);
            let negative = self.op(ADD, &[VSrc::ZERO, VSrc::reg(rest).negated()]);
            return self.select_words(below, VSrc::reg(negative), VSrc::reg(rest));
        }
        let signs = self.logic(engine::isa::BoolOp::Xor, a, b);
        let below = self.compare_words(Cmp::Lt, true, VSrc::reg(signs), VSrc::ZERO);
        let negative = self.op(ADD, &[VSrc::ZERO, VSrc::reg(quotient).negated()]);
        let result = self.select_words(below, VSrc::reg(negative), VSrc::reg(quotient));
        let zero = self.compare_words(Cmp::Eq, false, b, VSrc::ZERO);
        self.select_words(zero, VSrc::imm(u32::MAX), VSrc::reg(result))
    }

    fn divide_unsigned(&mut self, a: VSrc, b: VSrc) -> (Place, Place) {
        let key = b.place();
        let known = key.and_then(|place| self.inverses.get(&place).copied());
        let (inverse, negative) = known.unwrap_or_else(|| self.integer_inverse(b));
        if let Some(place) = key {
            self.inverses.insert(place, (inverse, negative));
        }
        let quotient = self.multiply_high(VSrc::reg(inverse), a, false);
        let rest = self.multiply(VSrc::reg(negative), VSrc::reg(quotient), a);
        for _ in 0..2 {
            let over = self.compare_words(Cmp::Ge, false, VSrc::reg(rest), b);
            self.add_where(over, rest, b.negated());
            self.add_where(over, quotient, VSrc::imm(1));
        }
        (quotient, rest)
    }

    /// Approximately 2^32 / b, never larger, and -b.
    fn integer_inverse(&mut self, b: VSrc) -> (Place, Place) {
        let float = self.op(
            Op::I2f {
                from: NumType::U32,
                to: NumType::F32,
                round: Round::Rp,
            },
            &[b],
        );
        let estimate = self.op(
            Op::Mufu {
                func: Mufu::Rcp,
                ftz: false,
            },
            &[VSrc::reg(float)],
        );
        // Times 2^32, minus two units in the last place.
        let scaled = self.op(ADD, &[VSrc::reg(estimate), VSrc::imm(0x0fff_fffe)]);
        let inverse = self.op(
            Op::F2i {
                from: NumType::F32,
                to: NumType::U32,
                round: Round::Rz,
                ftz: false,
            },
            &[VSrc::reg(scaled)],
        );
        let negative = self.op(ADD, &[VSrc::ZERO, b.negated()]);
        let error = self.multiply(VSrc::reg(negative), VSrc::reg(inverse), VSrc::ZERO);
        let correction = self.multiply_high(VSrc::reg(inverse), VSrc::reg(error), false);
        let inverse = self.add(VSrc::reg(inverse), VSrc::reg(correction));
        (inverse, negative)
    }

    /// to += by in lanes for which `pred` holds.
    fn add_where(&mut self, pred: VPred, to: Place, by: VSrc) {
        let mut inst = VInst::new(ADD);
        inst.dst = Some(to);
        inst.srcs = [VSrc::reg(to), by, VSrc::ZERO];
        inst.guard = pred;
        inst.keeps = true;
        self.push(inst);
    }

    // ---- single precision

    fn estimate(&mut self, func: Mufu, a: Place) -> Place {
        let ftz = self.target.ftz();
        self.op(Op::Mufu { func, ftz }, &[VSrc::reg(a)])
    }

    /// Runs `slow` in lanes for which `special` holds, with a branch around it.
    fn branch_to_slow(&mut self, special: VPred, dst: Place, path: SlowPath, srcs: &[Place]) {
        let meeting = self.local_meeting();
        let exit = self.new_block();
        self.open(meeting, exit);
        self.arrive_if(special.inverted(), meeting, exit);
        self.guarded_slow(dst, path, srcs);
        self.arrive(meeting, exit);
        self.close(meeting, exit);
    }

    pub(super) fn divide_single(&mut self, a: Place, b: Place, round: Round) -> Place {
        let (sa, sb) = (VSrc::reg(a), VSrc::reg(b));
        let precise = self.target.options.prec_div || round != Round::Rn;
        if !precise {
            return self.divide_approximately(a, b);
        }
        if round != Round::Rn {
            return self.divide_directed(a, b, round);
        }
        let result = self.fresh(1);
        if self.target.is(Generation::Tesla) {
            // Without fused multiply-add there is no exact residual.
            self.guarded_slow(result, SlowPath::DivF32, &[a, b]);
            return result;
        }
        let ffma = Op::Ffma {
            ftz: false,
            sat: false,
            round: Round::Rn,
        };
        let inverse = self.op(
            Op::Mufu {
                func: Mufu::Rcp,
                ftz: false,
            },
            &[sb],
        );
        let special = self.op_pred(Op::Fchk, &[sa, sb], &[]);
        let error = self.op(ffma, &[VSrc::reg(inverse), sb.negated(), VSrc::imm(ONE)]);
        let inverse = self.op(ffma, &[VSrc::reg(inverse), VSrc::reg(error), VSrc::reg(inverse)]);
        let quotient = self.op(ffma, &[sa, VSrc::reg(inverse), VSrc::ZERO]);
        let rest = self.op(ffma, &[VSrc::reg(quotient), sb.negated(), sa]);
        let quotient = self.op(ffma, &[VSrc::reg(inverse), VSrc::reg(rest), VSrc::reg(quotient)]);
        let rest = self.op(ffma, &[VSrc::reg(quotient), sb.negated(), sa]);
        self.op_to(
            result,
            ffma,
            &[VSrc::reg(inverse), VSrc::reg(rest), VSrc::reg(quotient)],
        );
        self.branch_to_slow(special, result, SlowPath::DivF32, &[a, b]);
        if self.target.options.flushes() {
            return self.flush(result);
        }
        result
    }

    /// Flushes a subnormal result to zero.
    fn flush(&mut self, a: Place) -> Place {
        let add = self.fadd();
        self.op(add, &[VSrc::reg(a), VSrc::imm(0x8000_0000)])
    }

    /// a times the estimate of 1 / b. A divisor above 2^126, whose reciprocal would be subnormal, is scaled
    /// together with the dividend.
    fn divide_approximately(&mut self, a: Place, b: Place) -> Place {
        let fmul = self.fmul();
        let ftz = self.target.ftz();
        let large = self.op_pred(
            Op::Fsetp {
                cmp: Cmp::Gt,
                bool_op: engine::isa::BoolOp::And,
                ftz,
            },
            &[VSrc::reg(b).absolute(), VSrc::imm(0x7e80_0000)],
            &[],
        );
        let scale = self.select_words(large, VSrc::imm(0x3e80_0000), VSrc::imm(ONE));
        let b = self.op(fmul, &[VSrc::reg(b), VSrc::reg(scale)]);
        let a = self.op(fmul, &[VSrc::reg(a), VSrc::reg(scale)]);
        let inverse = self.estimate(Mufu::Rcp, b);
        self.op(fmul, &[VSrc::reg(a), VSrc::reg(inverse)])
    }

    fn divide_directed(&mut self, a: Place, b: Place, round: Round) -> Place {
        // In double precision the quotient of two singles, rounded a second time, is directed rightly:
        // unless it is a single itself, it differs from every single by more than its error.
        if !self.target.has_doubles() {
            self.error("Division with directed rounding needs double precision here, which compute capability 1.0 does not have.");
            return a;
        }
        let (wide_a, wide_b) = (self.widen(a), self.widen(b));
        let exact = self.fresh(2);
        self.guarded_slow(exact, SlowPath::DivF64, &[wide_a, wide_b]);
        self.op(
            Op::F2f {
                from: NumType::F64,
                to: NumType::F32,
                round,
                ftz: false,
            },
            &[VSrc::reg(exact)],
        )
    }

    fn widen(&mut self, a: Place) -> Place {
        self.op(
            Op::F2f {
                from: NumType::F32,
                to: NumType::F64,
                round: Round::Rn,
                ftz: false,
            },
            &[VSrc::reg(a)],
        )
    }

    pub(super) fn reciprocal_single(&mut self, a: Place, round: Round) -> Place {
        if round != Round::Rn {
            let one = self.to_register(VSrc::imm(ONE));
            return self.divide_directed(one, a, round);
        }
        if !self.target.options.prec_div {
            return self.estimate(Mufu::Rcp, a);
        }
        let result = self.fresh(1);
        if self.target.is(Generation::Tesla) {
            self.guarded_slow(result, SlowPath::RcpF32, &[a]);
            return result;
        }
        let ffma = Op::Ffma {
            ftz: false,
            sat: false,
            round: Round::Rn,
        };
        // Operand exponents from 2^-124 to 2^125 are safe.
        let shifted = self.add(VSrc::reg(a), VSrc::imm(0x0180_0000));
        let exponent = self.and(VSrc::reg(shifted), VSrc::imm(0x7f80_0000));
        let special = self.compare_words(Cmp::Le, false, VSrc::reg(exponent), VSrc::imm(0x01ff_ffff));
        let inverse = self.op(
            Op::Mufu {
                func: Mufu::Rcp,
                ftz: false,
            },
            &[VSrc::reg(a)],
        );
        let error = self.op(
            ffma,
            &[VSrc::reg(a).negated(), VSrc::reg(inverse), VSrc::imm(ONE)],
        );
        self.op_to(
            result,
            ffma,
            &[VSrc::reg(inverse), VSrc::reg(error), VSrc::reg(inverse)],
        );
        self.branch_to_slow(special, result, SlowPath::RcpF32, &[a]);
        if self.target.options.flushes() {
            return self.flush(result);
        }
        result
    }

    pub(super) fn root_single(&mut self, a: Place, round: Round) -> Place {
        if round != Round::Rn {
            if !self.target.has_doubles() {
                self.error("Square roots with directed rounding need double precision here, which compute capability 1.0 does not have.");
                return a;
            }
            let wide = self.widen(a);
            let root = self.fresh(2);
            self.guarded_slow(root, SlowPath::SqrtF64, &[wide]);
            return self.op(
                Op::F2f {
                    from: NumType::F64,
                    to: NumType::F32,
                    round,
                    ftz: false,
                },
                &[VSrc::reg(root)],
            );
        }
        if !self.target.options.prec_sqrt {
            if self.target.is_volta_on() {
                return self.estimate(Mufu::Sqrt, a);
            }
            let inverse = self.estimate(Mufu::Rsq, a);
            return self.estimate(Mufu::Rcp, inverse);
        }
        let result = self.fresh(1);
        if self.target.is(Generation::Tesla) {
            self.guarded_slow(result, SlowPath::SqrtF32, &[a]);
            return result;
        }
        let ffma = Op::Ffma {
            ftz: false,
            sat: false,
            round: Round::Rn,
        };
        let exact_mul = Op::Fmul {
            ftz: false,
            sat: false,
            round: Round::Rn,
        };
        // Normal positive numbers from 2^-101 on are safe.
        let inverse = self.op(
            Op::Mufu {
                func: Mufu::Rsq,
                ftz: false,
            },
            &[VSrc::reg(a)],
        );
        let shifted = self.add(VSrc::reg(a), VSrc::imm(0xf300_0000));
        let special = self.compare_words(Cmp::Gt, false, VSrc::reg(shifted), VSrc::imm(0x727f_ffff));
        let root = self.op(exact_mul, &[VSrc::reg(a), VSrc::reg(inverse)]);
        let half = self.op(exact_mul, &[VSrc::reg(inverse), VSrc::imm(0x3f00_0000)]);
        let rest = self.op(ffma, &[VSrc::reg(root).negated(), VSrc::reg(root), VSrc::reg(a)]);
        self.op_to(result, ffma, &[VSrc::reg(rest), VSrc::reg(half), VSrc::reg(root)]);
        self.branch_to_slow(special, result, SlowPath::SqrtF32, &[a]);
        if self.target.options.flushes() {
            return self.flush(result);
        }
        result
    }

    // ---- double precision

    fn dfma(&mut self, a: VSrc, b: VSrc, c: VSrc) -> Place {
        self.op(Op::Dfma { round: Round::Rn }, &[a, b, c])
    }

    pub(super) fn divide_double(&mut self, a: Place, b: Place, round: Round) -> Place {
        if round != Round::Rn {
            return self.divide_double_directed(a, b, round);
        }
        let result = self.fresh(2);
        let (sa, sb) = (VSrc::reg(a), VSrc::reg(b));
        let inverse = self.inverse_double(b);
        let quotient = self.op(Op::Dmul { round: Round::Rn }, &[sa, VSrc::reg(inverse)]);
        let rest = self.dfma(sb.negated(), VSrc::reg(quotient), sa);
        self.op_to(
            result,
            Op::Dfma { round: Round::Rn },
            &[VSrc::reg(inverse), VSrc::reg(rest), VSrc::reg(quotient)],
        );
        // The high words, read as singles, determine the range: the dividend is not too small, the divisor not
        // too large, and the quotient normal.
        let fsetp = |cmp| Op::Fsetp {
            cmp,
            bool_op: engine::isa::BoolOp::And,
            ftz: false,
        };
        let small = self.op_pred(
            fsetp(Cmp::Geu),
            &[VSrc::reg(a.at(1)).absolute(), VSrc::imm(0x0380_0000)],
            &[],
        );
        let probe = self.op(
            Op::Ffma {
                ftz: false,
                sat: false,
                round: Round::Rn,
            },
            &[VSrc::ZERO, VSrc::reg(b.at(1)), VSrc::reg(result.at(1))],
        );
        let fine = self.op_pred(
            fsetp(Cmp::Gt),
            &[VSrc::reg(probe).absolute(), VSrc::imm(0x0010_0000)],
            &[small],
        );
        self.branch_to_slow(fine.inverted(), result, SlowPath::DivF64, &[a, b]);
        result
    }

    /// 1 / b to nearly full precision.
    fn inverse_double(&mut self, b: Place) -> Place {
        let high = self.rcp64h(b);
        let first = self.double_of_high(high, 1);
        let (second, error) = self.refined_inverse(b, first);
        self.dfma(VSrc::reg(second), VSrc::reg(error), VSrc::reg(second))
    }

    fn divide_double_directed(&mut self, a: Place, b: Place, round: Round) -> Place {
        // The residual, with the sign of the divisor, is added in the directed rounding to the nearest
        // quotient: the sum of the quotient and a tiny number rounds to a neighbor or stays.
        let nearest = self.fresh(2);
        self.guarded_slow(nearest, SlowPath::DivF64, &[a, b]);
        let rest = self.dfma(VSrc::reg(b).negated(), VSrc::reg(nearest), VSrc::reg(a));
        let inverse = self.inverse_double(b);
        self.op(
            Op::Dfma { round },
            &[VSrc::reg(rest), VSrc::reg(inverse), VSrc::reg(nearest)],
        )
    }

    pub(super) fn reciprocal_double(&mut self, a: Place, round: Round) -> Place {
        if round != Round::Rn {
            let one = self.pair_of(VSrc::ZERO, VSrc::imm(ONE_64));
            return self.divide_double_directed(one, a, round);
        }
        let result = self.fresh(2);
        let high = self.rcp64h(a);
        // The low word of the estimate also shows whether the operand is in the range of this code: as a
        // single, it is subnormal for operands that are subnormal, infinite, or so large that the result is
        // subnormal.
        let low = self.add(VSrc::reg(a.at(1)), VSrc::imm(0x0030_0402));
        let fine = self.op_pred(
            Op::Fsetp {
                cmp: Cmp::Geu,
                bool_op: engine::isa::BoolOp::And,
                ftz: false,
            },
            &[VSrc::reg(low).absolute(), VSrc::imm(0x0040_0402)],
            &[],
        );
        let first = self.pair_of(VSrc::reg(low), VSrc::reg(high));
        let (second, error) = self.refined_inverse(a, first);
        self.op_to(
            result,
            Op::Dfma { round: Round::Rn },
            &[VSrc::reg(second), VSrc::reg(error), VSrc::reg(second)],
        );
        self.branch_to_slow(fine.inverted(), result, SlowPath::RcpF64, &[a]);
        result
    }

    fn rcp64h(&mut self, a: Place) -> Place {
        let op = Op::Mufu {
            func: Mufu::Rcp64h,
            ftz: false,
        };
        self.op(op, &[VSrc::reg(a.at(1))])
    }

    /// A refined estimate of 1 / b, and its relative error.
    fn refined_inverse(&mut self, b: Place, first: Place) -> (Place, Place) {
        let (sb, one) = (VSrc::reg(b), VSrc::imm(ONE_64));
        let error = self.dfma(sb.negated(), VSrc::reg(first), one);
        let twice = self.dfma(VSrc::reg(error), VSrc::reg(error), VSrc::reg(error));
        let second = self.dfma(VSrc::reg(first), VSrc::reg(twice), VSrc::reg(first));
        (second, self.dfma(sb.negated(), VSrc::reg(second), one))
    }

    pub(super) fn root_double(&mut self, a: Place, round: Round) -> Place {
        let result = self.fresh(2);
        if round != Round::Rn {
            let nearest = self.fresh(2);
            self.guarded_slow(nearest, SlowPath::SqrtF64, &[a]);
            let rest = self.dfma(VSrc::reg(nearest).negated(), VSrc::reg(nearest), VSrc::reg(a));
            let inverse = self.fresh(2);
            self.guarded_slow(inverse, SlowPath::RsqF64, &[a]);
            return self.op(
                Op::Dfma { round },
                &[VSrc::reg(rest), VSrc::reg(inverse), VSrc::reg(nearest)],
            );
        }
        let sa = VSrc::reg(a);
        let half = VSrc::imm(HALF_64);
        let high = self.op(
            Op::Mufu {
                func: Mufu::Rsq64h,
                ftz: false,
            },
            &[VSrc::reg(a.at(1))],
        );
        let inverse = self.double_of_high(high, 0);
        let dmul = Op::Dmul { round: Round::Rn };
        // y is 1 / sqrt(a): `y + y * e * (1/2 + 3/8 e)` with `e = 1 - a * y * y`.
        let square = self.op(dmul, &[VSrc::reg(inverse), VSrc::reg(inverse)]);
        let error = self.dfma(sa, VSrc::reg(square).negated(), VSrc::imm(ONE_64));
        let series = self.dfma(VSrc::reg(error), VSrc::imm(0x3fd8_0000), half);
        let step = self.op(dmul, &[VSrc::reg(error), VSrc::reg(inverse)]);
        let inverse = self.dfma(VSrc::reg(series), VSrc::reg(step), VSrc::reg(inverse));
        let root = self.op(dmul, &[sa, VSrc::reg(inverse)]);
        let half_inverse = self.op(dmul, &[VSrc::reg(inverse), half]);
        let rest = self.dfma(VSrc::reg(root).negated(), VSrc::reg(root), sa);
        self.op_to(
            result,
            Op::Dfma { round: Round::Rn },
            &[VSrc::reg(rest), VSrc::reg(half_inverse), VSrc::reg(root)],
        );
        // Positive numbers from 2^-970 to 2^1020.
        let shifted = self.add(VSrc::reg(a.at(1)), VSrc::imm(0x0350_0000u32.wrapping_neg()));
        let special = self.compare_words(Cmp::Gt, false, VSrc::reg(shifted), VSrc::imm(0x7c50_0000));
        self.branch_to_slow(special, result, SlowPath::SqrtF64, &[a]);
        result
    }

    pub(super) fn reciprocal_root_double(&mut self, a: Place) -> Place {
        let result = self.fresh(2);
        self.guarded_slow(result, SlowPath::RsqF64, &[a]);
        result
    }
}
