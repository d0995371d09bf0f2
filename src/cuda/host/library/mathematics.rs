//! Mathematical functions.

use crate::host::machine::*;
use crate::host::memory::*;
use crate::host::numbers::half_value;
use crate::host::tree::*;
use crate::host::value::*;

impl Machine {
    pub(in crate::host) fn math_call(&mut self, name: &str, args: &[Expr]) -> Runs<Option<Value>> {
        const ONE: &[&str] = &[
            "sqrt", "sin", "cos", "tan", "exp", "log", "log2", "log10", "floor", "ceil", "fabs", "round",
            "rint", "trunc", "asin", "acos", "atan", "exp2", "cbrt", "tanh", "sinh", "cosh", "log1p",
            "expm1", "erf", "rsqrt",
        ];
        const TWO: &[&str] = &[
            "pow", "fmod", "atan2", "hypot", "powf", "fmodf", "atan2f", "copysign", "ldexp",
        ];
        let plain = name.strip_suffix('f').filter(|plain| ONE.contains(plain));
        let (base, is_float) = match plain {
            Some(plain) => (plain, true),
            None => (name, false),
        };
        match args {
            [value] if name == "abs" || name == "labs" || name == "llabs" => {
                let value = self.eval(value)?;
                if !value.is_known() {
                    return Ok(Some(value));
                }
                Ok(Some(if Self::is_float(value.ty) {
                    let result = self.float_of(&value).abs();
                    Value::new(value.ty, Self::from_float(value.ty, result), value.state)
                } else {
                    Value::new(
                        value.ty,
                        Self::wrap(value.ty, value.bits.cast_signed().wrapping_abs() as u64),
                        value.state,
                    )
                }))
            }
            [value] if ONE.contains(&base) => {
                let value = self.eval(value)?;
                let ty = if is_float || value.ty == Ty::F32 {
                    Ty::F32
                } else {
                    Ty::F64
                };
                if !value.is_known() {
                    let state = if is_known(value.state) {
                        self.reason(format!("it comes from `{name}`"))
                    } else {
                        value.state
                    };
                    return Ok(Some(Value::new(ty, 0, state)));
                }
                let value = self.convert(value, ty);
                let x = self.float_of(&value);
                // The double result rounded once to float equals the result of an accurate float library.
                let result = match base {
                    "sqrt" => libm::sqrt(x),
                    "sin" => libm::sin(x),
                    "cos" => libm::cos(x),
                    "tan" => libm::tan(x),
                    "exp" => libm::exp(x),
                    "log" => libm::log(x),
                    "log2" => libm::log2(x),
                    "log10" => libm::log10(x),
                    "floor" => libm::floor(x),
                    "ceil" => libm::ceil(x),
                    "fabs" => x.abs(),
                    "round" => libm::round(x),
                    "rint" => libm::rint(x),
                    "trunc" => libm::trunc(x),
                    "asin" => libm::asin(x),
                    "acos" => libm::acos(x),
                    "atan" => libm::atan(x),
                    "exp2" => libm::exp2(x),
                    "cbrt" => libm::cbrt(x),
                    "tanh" => libm::tanh(x),
                    "sinh" => libm::sinh(x),
                    "cosh" => libm::cosh(x),
                    "log1p" => libm::log1p(x),
                    "expm1" => libm::expm1(x),
                    "erf" => libm::erf(x),
                    _ => 1.0 / libm::sqrt(x),
                };
                Ok(Some(Value::new(ty, Self::from_float(ty, result), value.state)))
            }
            [a, b] if TWO.contains(&name) => {
                let (a, b) = (self.eval(a)?, self.eval(b)?);
                let is_float = name.ends_with('f') || (a.ty == Ty::F32 && b.ty == Ty::F32);
                let ty = if is_float { Ty::F32 } else { Ty::F64 };
                let state = a.state.max(b.state);
                if !a.is_known() || !b.is_known() {
                    let state = if is_known(state) {
                        self.reason(format!("it comes from `{name}`"))
                    } else {
                        state
                    };
                    return Ok(Some(Value::new(ty, 0, state)));
                }
                let (x, y) = (self.float_of(&a), self.float_of(&b));
                let result = match name.trim_end_matches('f') {
                    "pow" => libm::pow(x, y),
                    "atan2" => libm::atan2(x, y),
                    "hypot" => libm::hypot(x, y),
                    "copysign" => x.copysign(y),
                    "ldexp" => libm::ldexp(x, y as i32),
                    _ => libm::fmod(x, y),
                };
                Ok(Some(Value::new(ty, Self::from_float(ty, result), state)))
            }
            [value] if matches!(name, "__float2half" | "__float2half_rn" | "__double2half") => {
                let value = self.eval(value)?;
                Ok(Some(self.convert(value, Ty::F16)))
            }
            [value] if name == "__half2float" => {
                let value = self.eval(value)?;
                let float = f64::from(half_value(value.bits as u16) as f32);
                Ok(Some(Value::new(
                    Ty::F32,
                    Self::from_float(Ty::F32, float),
                    value.state,
                )))
            }
            [value] if name == "__int_as_float" => {
                let value = self.eval(value)?;
                Ok(Some(Value::new(
                    Ty::F32,
                    u64::from(value.bits as u32),
                    value.state,
                )))
            }
            [value] if name == "__longlong_as_double" => {
                let value = self.eval(value)?;
                Ok(Some(Value::new(Ty::F64, value.bits, value.state)))
            }
            _ => Ok(None),
        }
    }
}
