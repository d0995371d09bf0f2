//! Bit-exact algebra of floating-point numbers.

use super::*;
use crate::ir::{Compare, Num, Rounding};

impl Simplify<'_> {
    fn float_bits(ty: Type, number: f64) -> u64 {
        match ty {
            Type::F32 => u64::from((number as f32).to_bits()),
            Type::F16 => u64::from(fold::half_from_f64(number, Rounding::Rn)),
            _ => number.to_bits(),
        }
    }

    fn number(&self, value: Value) -> Option<f64> {
        fold::number(self.ty(value), self.bits(value)?)
    }

    pub(super) fn float_algebra(&mut self, op: Op, ty: Type, args: &[Value]) -> Option<Value> {
        let a = *args.first()?;
        let b = args.get(1).copied().unwrap_or(a);
        match op {
            Op::Select => {
                let c = *args.get(2)?;
                if b == c {
                    return Some(b);
                }
                if let Some(bits) = self.bits(a) {
                    return Some(if bits != 0 { b } else { c });
                }
                if let Some(inner) = self.is(a, Op::Not) {
                    return Some(self.make(Op::Select, ty, &[inner[0], c, b], false));
                }
            }
            Op::FNeg => {
                if let Some(inner) = self.is(a, Op::FNeg) {
                    return Some(inner[0]);
                }
            }
            Op::FAbs => {
                if self.is(a, Op::FAbs).is_some() {
                    return Some(a);
                }
                if let Some(inner) = self.is(a, Op::FNeg) {
                    return Some(self.make(Op::FAbs, ty, &inner[..1], false));
                }
            }
            Op::FMul(Rounding::Rn) => {
                let number = self.number(b);
                if number == Some(1.0) {
                    return Some(a);
                }
                if number == Some(-1.0) {
                    return Some(self.make(Op::FNeg, ty, &[a], false));
                }
            }
            Op::FAdd(round) if self.bits(b) == Some(Self::float_bits(ty, -0.0)) && round == Rounding::Rn => {
                return Some(a);
            }
            Op::FSub(Rounding::Rn) if self.bits(b) == Some(0) => {
                return Some(a);
            }
            Op::FDiv(Rounding::Rn) => {
                // A power of two has an exact reciprocal.
                let number = self.number(b)?;
                let (bits, exponent_mask, fraction) = match ty {
                    Type::F32 => (
                        u64::from((number as f32).to_bits()),
                        0xff_u64 << 23,
                        (1_u64 << 23) - 1,
                    ),
                    Type::F64 => (number.to_bits(), 0x7ff << 52, (1 << 52) - 1),
                    _ => return None,
                };
                let exponent = bits & exponent_mask;
                let inverse = 1.0 / number;
                let near_ends = exponent == 0 || exponent == exponent_mask;
                if bits & fraction != 0 || near_ends {
                    return None;
                }
                let inverse_bits = Self::float_bits(ty, inverse);
                if inverse_bits & exponent_mask == 0 {
                    return None;
                }
                let inverse = self.constant(ty, inverse_bits);
                return Some(self.make(Op::FMul(Rounding::Rn), ty, &[a, inverse], false));
            }
            Op::FMin | Op::FMax if a == b => return Some(a),
            Op::Bitcast => {
                if self.ty(a) == ty {
                    return Some(a);
                }
                if let Some(inner) = self.is(a, Op::Bitcast) {
                    let source = inner[0];
                    if self.ty(source) == ty {
                        return Some(source);
                    }
                    if self.ty(source).bytes() == ty.bytes() && self.ty(a).bytes() == ty.bytes() {
                        return Some(self.make(Op::Bitcast, ty, &[source], false));
                    }
                }
            }
            Op::HalfLow | Op::HalfHigh => {
                if let Some(inner) = self.is(a, Op::PackHalves) {
                    return Some(inner[usize::from(op == Op::HalfHigh)]);
                }
            }
            Op::PackHalves => {
                if let (Some(low), Some(high)) = (self.is(a, Op::HalfLow), self.is(b, Op::HalfHigh))
                    && low[0] == high[0]
                {
                    return Some(low[0]);
                }
            }
            Op::Convert { from, to, round } => return self.conversion(from, to, round, a),
            Op::FCmp(_) => {}
            _ => {}
        }
        None
    }

    fn conversion(&mut self, from: Num, to: Num, round: Rounding, a: Value) -> Option<Value> {
        let def = self.def(a)?;
        if (from, to) != (Num::F64, Num::F32) || round != Rounding::Rn {
            return None;
        }
        let widened = |this: &Self, value: Value| match this.def(value) {
            Some(DefOp {
                op:
                    Op::Convert {
                        from: Num::F32,
                        to: Num::F64,
                        ..
                    },
                args,
            }) => Some(args[0]),
            _ => None,
        };
        if let Some(source) = widened(self, a) {
            return Some(source);
        }
        // One double-precision operation on two singles, rounded to single precision, equals the
        // single-precision operation.
        let narrow = match def.op {
            Op::FAdd(Rounding::Rn)
            | Op::FSub(Rounding::Rn)
            | Op::FMul(Rounding::Rn)
            | Op::FDiv(Rounding::Rn) => {
                let operands = [def.args[0], def.args[1]].map(|arg| {
                    if let Some(source) = widened(self, arg) {
                        Some(source)
                    } else {
                        let number = f64::from_bits(self.bits(arg)?);
                        let single = number as f32;
                        (f64::from(single) == number)
                            .then(|| self.function.constant(Type::F32, u64::from(single.to_bits())))
                    }
                });
                [operands[0]?, operands[1]?]
            }
            _ => return None,
        };
        Some(self.make(def.op, Type::F32, &narrow, false))
    }

    /// The comparison that is true exactly if `cmp` is false.
    pub(super) const fn inverse(cmp: Compare, float: bool) -> Compare {
        match (cmp, float) {
            (Compare::Lt, false) => Compare::Ge,
            (Compare::Le, false) => Compare::Gt,
            (Compare::Gt, false) => Compare::Le,
            (Compare::Ge, false) => Compare::Lt,
            (Compare::Eq, false) => Compare::Ne,
            (Compare::Ne, false) => Compare::Eq,
            (Compare::Lt, true) => Compare::Geu,
            (Compare::Le, true) => Compare::Gtu,
            (Compare::Gt, true) => Compare::Leu,
            (Compare::Ge, true) => Compare::Ltu,
            (Compare::Eq, true) => Compare::Neu,
            (Compare::Ne, true) => Compare::Equ,
            (Compare::Ltu, _) => Compare::Ge,
            (Compare::Leu, _) => Compare::Gt,
            (Compare::Gtu, _) => Compare::Le,
            (Compare::Geu, _) => Compare::Lt,
            (Compare::Equ, _) => Compare::Ne,
            (Compare::Neu, _) => Compare::Eq,
            (Compare::Num, _) => Compare::Nan,
            (Compare::Nan, _) => Compare::Num,
        }
    }
}
