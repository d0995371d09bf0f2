//! Conversions between 64-bit integers and single precision on compute capability 1.0, whose conversion
//! instructions support only words. The sequences are our own (assumed): no compiler for this target is
//! available for comparison.

use super::Builder;
use crate::ir::{Compare, Num, Op, Rounding, Type, Value};

impl Builder<'_> {
    /// A conversion between number types, at least one of them floating point.
    pub(super) fn convert_number(&mut self, value: Value, from: Num, to: Num, round: Rounding) -> Value {
        let words_only = self.module.arch.capability() < 130;
        match (from, to) {
            (Num::U64, Num::F32) if words_only => self.float_of_unsigned(value, round),
            (Num::S64, Num::F32) if words_only => self.float_of_signed(value, round),
            (Num::F32, Num::U64) if words_only => self.unsigned_of_float(value, round),
            (Num::F32, Num::S64) if words_only => self.signed_of_float(value, round),
            _ => {
                let ty = match to {
                    Num::F64 => Type::F64,
                    Num::F32 => Type::F32,
                    Num::F16 => Type::F16,
                    Num::U64 | Num::S64 => Type::I64,
                    _ => Type::I32,
                };
                self.op(ty, Op::Convert { from, to, round }, &[value])
            }
        }
    }

    /// Converts the 32 bits from the highest set bit on, with the last bit set if lower bits are lost, so that
    /// the result rounds as all 64 bits do. Then corrects the exponent.
    fn float_of_unsigned(&mut self, value: Value, round: Rounding) -> Value {
        let high = self.op(Type::I32, Op::High, &[value]);
        let distance = self.op(Type::I32, Op::Clz, &[high]);
        let shifted = self.op(Type::I64, Op::Shl, &[value, distance]);
        let [top, rest] = [Op::High, Op::Low].map(|half| self.op(Type::I32, half, &[shifted]));
        let [zero, one, width, to_exponent] = [0, 1, 32, 23].map(|number| self.i32(number));
        let loses = self.compare_signed(Compare::Ne, rest, zero);
        let sticky = self.op(Type::I32, Op::Select, &[loses, one, zero]);
        let top = self.op(Type::I32, Op::Or, &[top, sticky]);
        let float = self.convert_number(top, Num::U32, Num::F32, round);
        let float = self.op(Type::I32, Op::Bitcast, &[float]);
        let power = self.op(Type::I32, Op::Sub, &[width, distance]);
        let power = self.op(Type::I32, Op::Shl, &[power, to_exponent]);
        let scaled = self.op(Type::I32, Op::Add, &[float, power]);
        self.op(Type::F32, Op::Bitcast, &[scaled])
    }

    fn float_of_signed(&mut self, value: Value, round: Rounding) -> Value {
        let high = self.op(Type::I32, Op::High, &[value]);
        let zero = self.i32(0);
        let negative = self.compare_signed(Compare::Lt, high, zero);
        let negated = self.op(Type::I64, Op::Neg, &[value]);
        let magnitude = self.op(Type::I64, Op::Select, &[negative, negated, value]);
        let above = self.float_of_unsigned(magnitude, round);
        let below = match round {
            Rounding::Rn | Rounding::Rz => above,
            Rounding::Rm => self.float_of_unsigned(magnitude, Rounding::Rp),
            Rounding::Rp => self.float_of_unsigned(magnitude, Rounding::Rm),
        };
        let below = self.op(Type::F32, Op::FNeg, &[below]);
        self.op(Type::F32, Op::Select, &[negative, below, above])
    }

    fn unsigned_of_float(&mut self, value: Value, round: Rounding) -> Value {
        let (bits, magnitude, exponent) = self.whole_magnitude(value, round);
        let [zero, greatest] = [0, 127 + 63].map(|number| self.i32(number));
        let [nothing, all] = [0, u64::MAX].map(|number| self.function.constant(Type::I64, number));
        let beyond = self.compare_signed(Compare::Gt, exponent, greatest);
        let clamped = self.op(Type::I64, Op::Select, &[beyond, all, magnitude]);
        let negative = self.compare_signed(Compare::Lt, bits, zero);
        let result = self.op(Type::I64, Op::Select, &[negative, nothing, clamped]);
        self.unless_nan(bits, result)
    }

    fn signed_of_float(&mut self, value: Value, round: Rounding) -> Value {
        let (bits, magnitude, exponent) = self.whole_magnitude(value, round);
        let [zero, greatest] = [0, 127 + 62].map(|number| self.i32(number));
        let [least, most] =
            [i64::MIN, i64::MAX].map(|number| self.function.constant(Type::I64, number as u64));
        let beyond = self.compare_signed(Compare::Gt, exponent, greatest);
        let negated = self.op(Type::I64, Op::Neg, &[magnitude]);
        let below = self.op(Type::I64, Op::Select, &[beyond, least, negated]);
        let above = self.op(Type::I64, Op::Select, &[beyond, most, magnitude]);
        let negative = self.compare_signed(Compare::Lt, bits, zero);
        let result = self.op(Type::I64, Op::Select, &[negative, below, above]);
        self.unless_nan(bits, result)
    }

    /// The bits of a float rounded to an integer, its magnitude as `I64` if that is below 2^64, and the
    /// exponent field.
    fn whole_magnitude(&mut self, value: Value, round: Rounding) -> (Value, Value, Value) {
        let value = match round {
            Rounding::Rz => value,
            round => self.op(Type::F32, Op::FRound(round), &[value]),
        };
        let bits = self.op(Type::I32, Op::Bitcast, &[value]);
        let [zero, fraction, leading, eight, to_exponent, field, most] =
            [0, 0x7f_ffff, 0x80_0000, 8, 23, 255, 127 + 63].map(|number| self.i32(number));
        let exponent = self.op(Type::I32, Op::Shr { signed: false }, &[bits, to_exponent]);
        let exponent = self.op(Type::I32, Op::And, &[exponent, field]);
        let digits = self.op(Type::I32, Op::And, &[bits, fraction]);
        let digits = self.op(Type::I32, Op::Or, &[digits, leading]);
        let top = self.op(Type::I32, Op::Shl, &[digits, eight]);
        let wide = self.op(Type::I64, Op::Pair, &[zero, top]);
        // A shift by 64 or more, or by a negative amount, yields 0.
        let distance = self.op(Type::I32, Op::Sub, &[most, exponent]);
        let magnitude = self.op(Type::I64, Op::Shr { signed: false }, &[wide, distance]);
        (bits, magnitude, exponent)
    }

    /// The hardware's 64-bit conversion result for NaN, or `result` for other values.
    fn unless_nan(&mut self, bits: Value, result: Value) -> Value {
        let [magnitude, infinity] = [0x7fff_ffff, 0x7f80_0000].map(|number| self.i32(number));
        let magnitude = self.op(Type::I32, Op::And, &[bits, magnitude]);
        let is_nan = self.compare_signed(Compare::Gt, magnitude, infinity);
        let nan = self.function.constant(Type::I64, 1 << 63);
        self.op(Type::I64, Op::Select, &[is_nan, nan, result])
    }

    /// Compares signed words.
    fn compare_signed(&mut self, cmp: Compare, a: Value, b: Value) -> Value {
        self.op(Type::I1, Op::ICmp { cmp, signed: true }, &[a, b])
    }
}
