//! Conversions and arithmetic of numbers by C's rules.

use std::rc::Rc;

use super::machine::*;
use super::memory::*;
use super::tree::*;
use super::value::*;
use engine::launch::f16_bits;

impl Machine {
    /// The bits of an integer in a type, sign- or zero-extended.
    pub(super) fn wrap(ty: Ty, bits: u64) -> u64 {
        match ty {
            Ty::Bool => u64::from(bits != 0),
            Ty::I8 => bits as i8 as u64,
            Ty::U8 => u64::from(bits as u8),
            Ty::I16 => bits as i16 as u64,
            Ty::U16 | Ty::F16 => u64::from(bits as u16),
            Ty::I32 => bits as i32 as u64,
            Ty::U32 | Ty::F32 => u64::from(bits as u32),
            _ => bits,
        }
    }

    pub(super) fn float_of(&self, value: &Value) -> f64 {
        match value.ty {
            Ty::F16 => half_value(value.bits as u16),
            Ty::F32 => f64::from(f32::from_bits(value.bits as u32)),
            Ty::F64 => f64::from_bits(value.bits),
            Ty::U64 => value.bits as f64,
            _ => value.bits.cast_signed() as f64,
        }
    }

    pub(super) const fn is_float(ty: Ty) -> bool {
        matches!(ty, Ty::F16 | Ty::F32 | Ty::F64)
    }

    pub(super) const fn is_integer(ty: Ty) -> bool {
        matches!(
            ty,
            Ty::Bool | Ty::I8 | Ty::U8 | Ty::I16 | Ty::U16 | Ty::I32 | Ty::U32 | Ty::I64 | Ty::U64
        )
    }

    pub(super) fn from_float(ty: Ty, value: f64) -> u64 {
        match ty {
            Ty::F16 => f16_bits(value).into(),
            Ty::F32 => (value as f32).to_bits().into(),
            Ty::F64 => value.to_bits(),
            Ty::Bool => u64::from(value != 0.0),
            Ty::U64 => value as u64,
            _ => Self::wrap(ty, value as i64 as u64),
        }
    }

    /// A value converted to another type.
    pub(super) fn convert(&mut self, value: Value, ty: Ty) -> Value {
        if value.ty == ty || ty == Ty::Void {
            return value;
        }
        let scalar = |ty| Self::is_float(ty) || Self::is_integer(ty);
        match (value.ty, ty) {
            (from, to) if scalar(from) && scalar(to) => {
                if !is_known(value.state) {
                    return Value::new(ty, 0, value.state);
                }
                let bits = match (Self::is_float(from), Self::is_float(to)) {
                    (false, false) => Self::wrap(to, value.bits),
                    // Round once, without an intermediate double.
                    (false, true) if to == Ty::F32 => {
                        let bits = if from == Ty::U64 {
                            (value.bits as f32).to_bits()
                        } else {
                            (value.bits.cast_signed() as f32).to_bits()
                        };
                        u64::from(bits)
                    }
                    _ => Self::from_float(to, self.float_of(&value)),
                };
                Value::new(ty, bits, value.state)
            }
            (Ty::Opaque, _) if !is_known(value.state) => Value::new(ty, value.bits, value.state),
            (Ty::Function, Ty::Pointer(_)) => value,
            (Ty::Pointer(_) | Ty::Array(..), Ty::Pointer(_)) => Value { ty, ..value },
            (Ty::Pointer(_), to) if Self::is_integer(to) => {
                Value::new(ty, Self::wrap(to, value.bits), value.state)
            }
            (from, Ty::Pointer(_) | Ty::Function) if Self::is_integer(from) => {
                Value::new(ty, value.bits, value.state)
            }
            (from, Ty::Struct(id)) if Self::is_integer(from) && self.records[id as usize].name == "dim3" => {
                self.make_dim3(&[value])
            }
            (Ty::Struct(from), Ty::Struct(to))
                if self.records[from as usize].size == self.records[to as usize].size =>
            {
                Value { ty, ..value }
            }
            (_, Ty::Opaque) => value,
            (Ty::Pointer(_) | Ty::I8, to) if self.is_string(to) => match self.string_bytes(&value) {
                Ok(text) => self.new_string(&text),
                Err(state) => Value::new(ty, 0, state),
            },
            _ => {
                let state = if is_known(value.state) {
                    self.not_evaluated("a conversion")
                } else {
                    value.state
                };
                Value::new(ty, 0, state)
            }
        }
    }

    pub(super) fn make_dim3(&mut self, values: &[Value]) -> Value {
        let ty = self.builtin_record("dim3").unwrap_or(Ty::Opaque);
        let (mut data, mut state) = (Vec::new(), Vec::new());
        for idx in 0..3 {
            let value = values.get(idx).cloned().unwrap_or(Value::int(1));
            let value = self.convert(value, Ty::U32);
            data.extend((value.bits as u32).to_le_bytes());
            state.extend([value.state; 4]);
        }
        Value {
            ty,
            bits: 0,
            state: KNOWN,
            parts: Some(Rc::new((data, state))),
        }
    }

    pub(super) fn holds(&self, value: &Value) -> bool {
        if Self::is_float(value.ty) {
            self.float_of(value) != 0.0
        } else {
            value.bits != 0
        }
    }

    /// Arithmetic on two values.
    pub(super) fn arithmetic(&mut self, op: BinaryOp, a: &Value, b: &Value) -> Value {
        use BinaryOp::{Add, And, Div, Eq, Ge, Gt, Le, Lt, Mul, Ne, Or, Rem, Shl, Shr, Sub, Xor};
        let is_comparison = matches!(op, Eq | Ne | Lt | Le | Gt | Ge);
        match (a.ty, b.ty, op) {
            (Ty::Pointer(_), ty, Add | Sub) if Self::is_integer(ty) => return self.offset(a, b, op == Sub),
            (ty, Ty::Pointer(_), Add) if Self::is_integer(ty) => return self.offset(b, a, false),
            (Ty::Pointer(to), Ty::Pointer(_), Sub) => {
                let state = a.state.max(b.state);
                let width = self.size_of(self.pointee(to)).max(1) as i64;
                let bits = a.bits.wrapping_sub(b.bits).cast_signed() / width;
                return Value::new(Ty::I64, bits as u64, state);
            }
            _ => {}
        }
        if let Some(value) = self.string_operation(op, a, b) {
            return value;
        }
        let rank = |ty: Ty| match ty {
            Ty::F64 => 7,
            Ty::F32 => 6,
            Ty::F16 => 5,
            Ty::U64 | Ty::Pointer(_) | Ty::Function => 4,
            Ty::I64 => 3,
            Ty::U32 => 2,
            Ty::Opaque
            | Ty::Struct(_)
            | Ty::Vector(_)
            | Ty::Engine(_)
            | Ty::Distribution(..)
            | Ty::Void
            | Ty::Array(..) => 9,
            _ => 1,
        };
        let common = match rank(a.ty).max(rank(b.ty)) {
            7 => Ty::F64,
            6 => Ty::F32,
            5 => Ty::F16,
            4 => Ty::U64,
            3 => Ty::I64,
            2 => Ty::U32,
            1 => Ty::I32,
            _ => {
                let state = a.state.max(b.state);
                let state = self.unknown_state(state);
                return Value::new(if is_comparison { Ty::Bool } else { Ty::Opaque }, 0, state);
            }
        };
        let common = if matches!(op, Shl | Shr) {
            if rank(a.ty) == 1 { Ty::I32 } else { a.ty }
        } else {
            common
        };
        let state = a.state.max(b.state);
        if !is_known(state) {
            return Value::new(if is_comparison { Ty::Bool } else { common }, 0, state);
        }
        let convert = |this: &mut Self, value: &Value| {
            if matches!(value.ty, Ty::Pointer(_) | Ty::Function) {
                value.bits
            } else {
                this.convert(value.clone(), common).bits
            }
        };
        let (x, y) = (
            convert(self, a),
            if matches!(op, Shl | Shr) {
                b.bits
            } else {
                convert(self, b)
            },
        );
        if Self::is_float(common) {
            let (left, right) = (
                self.float_of(&Value::new(common, x, KNOWN)),
                self.float_of(&Value::new(common, y, KNOWN)),
            );
            let holds = match op {
                Eq => left == right,
                Ne => left != right,
                Lt => left < right,
                Le => left <= right,
                Gt => left > right,
                Ge => left >= right,
                _ => {
                    // The sum, difference, product, or quotient of two floats is correctly rounded if it is rounded
                    // to double and then to float.
                    let result = match op {
                        Add => left + right,
                        Sub => left - right,
                        Mul => left * right,
                        Div => left / right,
                        _ => f64::NAN,
                    };
                    return Value::new(common, Self::from_float(common, result), state);
                }
            };
            return Value::new(Ty::Bool, u64::from(holds), state);
        }
        let is_signed = matches!(common, Ty::I32 | Ty::I64);
        let (sx, sy) = (x.cast_signed(), y.cast_signed());
        // Shifts by the width or more are undefined; common processors use the lowest bits of the count.
        let count = (y as u32) & if self.size_of(common) == 8 { 63 } else { 31 };
        let holds = match op {
            Eq => x == y,
            Ne => x != y,
            Lt => {
                if is_signed {
                    sx < sy
                } else {
                    x < y
                }
            }
            Le => {
                if is_signed {
                    sx <= sy
                } else {
                    x <= y
                }
            }
            Gt => {
                if is_signed {
                    sx > sy
                } else {
                    x > y
                }
            }
            Ge => {
                if is_signed {
                    sx >= sy
                } else {
                    x >= y
                }
            }
            _ => {
                let bits = match op {
                    Add => x.wrapping_add(y),
                    Sub => x.wrapping_sub(y),
                    Mul => x.wrapping_mul(y),
                    Div | Rem if y == 0 => {
                        return Value::new(common, 0, self.not_evaluated("a division by zero"));
                    }
                    Div if is_signed => sx.wrapping_div(sy) as u64,
                    Div => x / y,
                    Rem if is_signed => sx.wrapping_rem(sy) as u64,
                    Rem => x % y,
                    And => x & y,
                    Or => x | y,
                    Xor => x ^ y,
                    Shl => x.wrapping_shl(count),
                    Shr if is_signed => sx.wrapping_shr(count) as u64,
                    _ => x.wrapping_shr(count),
                };
                return Value::new(common, Self::wrap(common, bits), state);
            }
        };
        Value::new(Ty::Bool, u64::from(holds), state)
    }
}

/// The value of a half-precision number.
pub(super) fn half_value(bits: u16) -> f64 {
    let sign = if bits & 0x8000 != 0 { -1.0 } else { 1.0 };
    let (exponent, fraction) = (i32::from(bits >> 10 & 31), f64::from(bits & 0x3ff));
    sign * match exponent {
        0 => libm::ldexp(fraction, -24),
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        _ => libm::ldexp(fraction + 1024.0, exponent - 25),
    }
}
