//! Floating-point arithmetic of one lane in every rounding mode, with NVIDIA's NaN results.
//!
//! A single-precision NaN result is always 0x7fffffff. A double-precision NaN result is the first NaN operand
//! made quiet, or 0xfff8000000000000. A half-precision NaN result is 0x7fff. Results therefore do not depend
//! on the host CPU.

use super::half::{NAN_F16, narrow_f16, widen_f16};
use crate::isa::{Bf16Op, Cmp, NumType, Round, SlowPath};

/// The NaN of every single-precision result.
pub const NAN_F32: u32 = 0x7fff_ffff;
/// The smallest magnitude that overflows single precision.
const TWO_TO_128: f64 = f64::from_bits(0x47f0_0000_0000_0000);
/// The double-precision NaN of an invalid operation.
pub const NAN_F64: u64 = 0xfff8_0000_0000_0000;

/// The bits of a single-precision result.
#[inline(always)]
pub fn bits_f32(value: f32) -> u32 {
    if value.is_nan() { NAN_F32 } else { value.to_bits() }
}

/// The value, or zero with the sign of `bits` if it is subnormal.
#[inline(always)]
pub const fn flush_f32(bits: u32) -> u32 {
    if bits & 0x7f80_0000 == 0 {
        bits & 0x8000_0000
    } else {
        bits
    }
}

/// The value clamped to 0..1; zero for NaN.
#[inline(always)]
pub fn saturate_f32(bits: u32) -> u32 {
    let value = f32::from_bits(bits);
    if value.is_nan() || value <= 0.0 {
        0
    } else if value >= 1.0 {
        0x3f80_0000
    } else {
        bits
    }
}

/// Rounds to odd: `sum` is an inexact sum with remainder `rest`. The result is the neighbor whose last bit is
/// odd, so that a second rounding to fewer bits is exact.
#[inline]
fn odd(sum: f64, rest: f64) -> f64 {
    if rest == 0.0 || !sum.is_finite() || sum.to_bits() & 1 == 1 {
        return sum;
    }
    let toward_larger = (rest > 0.0) == (sum > 0.0);
    let bits = sum.to_bits();
    f64::from_bits(if toward_larger { bits + 1 } else { bits - 1 })
}

/// a + b rounded to odd. Both are exact products or sums of narrower numbers, so the sum never overflows.
#[inline]
pub fn add_odd(a: f64, b: f64) -> f64 {
    let sum = a + b;
    let b_part = sum - a;
    let a_part = sum - b_part;
    odd(sum, (a - a_part) + (b - b_part))
}

/// Converts a double to single precision in a rounding mode.
#[inline]
pub fn narrow_f64(value: f64, round: Round) -> f32 {
    let nearest = value as f32;
    let back = f64::from(nearest);
    if matches!(round, Round::Rn) || value.is_nan() || back == value {
        return nearest;
    }
    let magnitude_too_large = back.abs() > value.abs();
    let wants_larger = match round {
        Round::Rn | Round::Rz => false,
        Round::Rm => value < 0.0,
        Round::Rp => value > 0.0,
    };
    match (magnitude_too_large, wants_larger) {
        (true, false) => f32::from_bits(nearest.to_bits() - 1),
        (false, true) => {
            // A value rounded to zero keeps its sign: -0.0 for negative values.
            f32::from_bits(nearest.to_bits() + 1)
        }
        _ => nearest,
    }
}

fn exact_zero_sum_sign(a: f64, b: f64, round: Round, sum: f64) -> f64 {
    // x + -x is +0, or -0 when rounding down.
    if sum == 0.0
        && matches!(round, Round::Rm)
        && !(a == 0.0 && b == 0.0 && a.is_sign_positive() && b.is_sign_positive())
    {
        -0.0
    } else {
        sum
    }
}

/// Returns a + b.
#[inline]
pub fn add_f32(a: f32, b: f32, round: Round) -> f32 {
    if matches!(round, Round::Rn) {
        return a + b;
    }
    let (a, b) = (f64::from(a), f64::from(b));
    let sum = add_odd(a, b);
    narrow_f64(exact_zero_sum_sign(a, b, round, sum), round)
}

/// Returns a * b.
#[inline]
pub fn mul_f32(a: f32, b: f32, round: Round) -> f32 {
    if matches!(round, Round::Rn) {
        return a * b;
    }
    narrow_f64(f64::from(a) * f64::from(b), round)
}

/// Returns a * b + c, rounded once.
#[inline]
pub fn fma_f32(a: f32, b: f32, c: f32, round: Round) -> f32 {
    let product = f64::from(a) * f64::from(b);
    let addend = f64::from(c);
    let sum = product + addend;
    if matches!(round, Round::Rn) {
        // The double-precision sum rounds differently only at a halfway case or near the subnormals.
        let halfway = sum.to_bits() & 0x1fff_ffff == 0x1000_0000;
        if !halfway && sum.abs() >= f64::from(f32::MIN_POSITIVE) {
            return sum as f32;
        }
        return add_odd(product, addend) as f32;
    }
    let sum = add_odd(product, addend);
    narrow_f64(exact_zero_sum_sign(product, addend, round, sum), round)
}

/// Multiply-add of compute capability 1.x: the product is truncated to 24 significant bits, and the sum is
/// rounded to nearest. Subnormals are flushed to zero.
#[inline]
pub fn fmad(a: u32, b: u32, c: u32) -> u32 {
    let [a, b, c] = [a, b, c].map(|bits| f32::from_bits(flush_f32(bits)));
    let product = flush_f32(narrow_f64(f64::from(a) * f64::from(b), Round::Rz).to_bits());
    // An infinite product of finite numbers overflows; truncation does not prevent this.
    let exact = f64::from(a) * f64::from(b);
    let product = if exact.abs() >= TWO_TO_128 && exact.is_finite() {
        f32::INFINITY.copysign(f32::from_bits(product))
    } else {
        f32::from_bits(product)
    };
    flush_f32(bits_f32(product + c))
}

/// The minimum or maximum of two numbers. A number takes precedence over NaN, and -0 is less than +0.
#[inline(always)]
pub fn min_max_f32(a: u32, b: u32, max: bool) -> u32 {
    let (x, y) = (f32::from_bits(a), f32::from_bits(b));
    if x.is_nan() {
        return if y.is_nan() { NAN_F32 } else { b };
    }
    if y.is_nan() {
        return a;
    }
    let a_less = x < y || (x == y && a >> 31 > b >> 31);
    if a_less == max { b } else { a }
}

/// [`min_max_f32`] for doubles.
pub fn min_max_f64(a: u64, b: u64, max: bool) -> u64 {
    let (x, y) = (f64::from_bits(a), f64::from_bits(b));
    if x.is_nan() {
        return if y.is_nan() { NAN_F64 } else { b };
    }
    if y.is_nan() {
        return a;
    }
    let a_less = x < y || (x == y && a >> 63 > b >> 63);
    if a_less == max { b } else { a }
}

/// Whether a comparison of two floating-point numbers holds.
#[inline(always)]
pub fn compare<T: PartialOrd>(a: T, b: T, cmp: Cmp) -> bool {
    #[expect(clippy::eq_op, reason = "NaN is not equal to itself")]
    let unordered = a != a || b != b;
    match cmp {
        Cmp::Lt => a < b,
        Cmp::Le => a <= b,
        Cmp::Gt => a > b,
        Cmp::Ge => a >= b,
        Cmp::Eq => a == b,
        Cmp::Ne => a != b && !unordered,
        Cmp::Ltu => a < b || unordered,
        Cmp::Leu => a <= b || unordered,
        Cmp::Gtu => a > b || unordered,
        Cmp::Geu => a >= b || unordered,
        Cmp::Equ => a == b || unordered,
        Cmp::Neu => a != b,
        Cmp::Num => !unordered,
        Cmp::Nan => unordered,
    }
}

fn quiet(bits: u64) -> u64 {
    bits | 0x0008_0000_0000_0000
}

fn nan_of(operands: [f64; 3]) -> f64 {
    let first = operands.into_iter().find(|operand| operand.is_nan());
    f64::from_bits(first.map_or(NAN_F64, |operand| quiet(operand.to_bits())))
}

/// Returns a * b + c, rounded once.
pub fn fma_f64(a: f64, b: f64, c: f64, round: Round) -> f64 {
    let nearest = libm::fma(a, b, c);
    if nearest.is_nan() {
        return nan_of([a, b, c]);
    }
    if matches!(round, Round::Rn) || !(a.is_finite() && b.is_finite() && c.is_finite()) {
        return nearest;
    }
    fma_f64_directed(a, b, c, round)
}

/// Returns a + b.
pub fn add_f64(a: f64, b: f64, round: Round) -> f64 {
    let nearest = a + b;
    if nearest.is_nan() {
        nan_of([a, b, 0.0])
    } else if matches!(round, Round::Rn) || !(a.is_finite() && b.is_finite()) {
        nearest
    } else {
        fma_f64_directed(a, 1.0, b, round)
    }
}

/// Returns a * b.
pub fn mul_f64(a: f64, b: f64, round: Round) -> f64 {
    let nearest = a * b;
    if nearest.is_nan() {
        nan_of([a, b, 0.0])
    } else if matches!(round, Round::Rn) || !(a.is_finite() && b.is_finite()) || a == 0.0 || b == 0.0 {
        nearest
    } else {
        fma_f64_directed(a, b, 0.0_f64.copysign(nearest), round)
    }
}

/// The sign, the exponent of the last bit, and the significand.
fn parts(value: f64) -> (bool, i32, u64) {
    let bits = value.to_bits();
    let exponent = (bits >> 52 & 0x7ff) as i32;
    let fraction = bits & 0x000f_ffff_ffff_ffff;
    if exponent == 0 {
        (bits >> 63 == 1, -1074, fraction)
    } else {
        (bits >> 63 == 1, exponent - 1075, fraction | 1 << 52)
    }
}

/// Shifts right; the last bit of the result is sticky.
fn shift_right_sticky(value: u128, by: u32) -> u128 {
    if by == 0 {
        value
    } else if by >= 128 {
        u128::from(value != 0)
    } else {
        value >> by | u128::from(value << (128 - by) != 0)
    }
}

/// Directed rounding with integers: the exact sum with a sticky last bit, truncated to 53 bits.
fn fma_f64_directed(a: f64, b: f64, c: f64, round: Round) -> f64 {
    let ((sign_a, exp_a, sig_a), (sign_b, exp_b, sig_b), (sign_c, exp_c, sig_c)) =
        (parts(a), parts(b), parts(c));
    let sign_p = sign_a != sign_b;
    let product = u128::from(sig_a) * u128::from(sig_b);
    if product == 0 && sig_c == 0 {
        let negative = if sign_p == sign_c {
            sign_p
        } else {
            matches!(round, Round::Rm)
        };
        return if negative { -0.0 } else { 0.0 };
    }
    if product == 0 {
        return c;
    }
    // The larger operand is shifted to the top of 126 bits. Bits that the smaller operand loses are then far
    // below the 53 result bits.
    let normalize = |sig: u128, exp: i32| {
        let up = sig.leading_zeros().saturating_sub(2);
        (sig << up, exp - up as i32)
    };
    let (p_sig, p_exp) = normalize(product, exp_a + exp_b);
    let (c_sig, c_exp) = if sig_c == 0 {
        (0, p_exp)
    } else {
        normalize(u128::from(sig_c), exp_c)
    };
    let exp = if sig_c == 0 { p_exp } else { p_exp.max(c_exp) };
    let p_sig = shift_right_sticky(p_sig, (exp - p_exp) as u32);
    let c_sig = shift_right_sticky(c_sig, (exp - c_exp) as u32);
    let (negative, magnitude) = if sign_p == sign_c {
        (sign_p, p_sig + c_sig)
    } else if p_sig >= c_sig {
        (sign_p, p_sig - c_sig)
    } else {
        (sign_c, c_sig - p_sig)
    };
    if magnitude == 0 {
        return if matches!(round, Round::Rm) { -0.0 } else { 0.0 };
    }
    pack_f64(negative, magnitude, exp, round)
}

/// Converts a magnitude times 2^exp, with a sticky last bit, to a double.
fn pack_f64(negative: bool, magnitude: u128, exp: i32, round: Round) -> f64 {
    let top = 127 - magnitude.leading_zeros() as i32;
    // The last result bit: 53 bits below the top, but not below the last bit of subnormals.
    let drop = (top - 52).max(-1074 - exp);
    let (kept, inexact) = if drop <= 0 {
        (magnitude << -drop, false)
    } else if drop >= 128 {
        (0, true)
    } else {
        (magnitude >> drop, magnitude << (128 - drop) != 0)
    };
    let away = inexact
        && match round {
            Round::Rn => {
                let half = if drop >= 128 {
                    0
                } else {
                    magnitude >> (drop - 1) & 1
                };
                // If one bit is dropped, it is the half bit, and no bit is below it.
                let below = if drop > 1 { magnitude << (129 - drop) } else { 0 };
                half == 1 && (below != 0 || kept & 1 == 1)
            }
            Round::Rz => false,
            Round::Rm => negative,
            Round::Rp => !negative,
        };
    let mut sig = kept as u64 + u64::from(away);
    let mut last = exp + drop;
    if sig >> 53 != 0 {
        sig >>= 1;
        last += 1;
    }
    let sign = u64::from(negative) << 63;
    if last > 971 {
        let to_infinity = match round {
            Round::Rn => true,
            Round::Rz => false,
            Round::Rm => negative,
            Round::Rp => !negative,
        };
        let magnitude = if to_infinity { f64::INFINITY } else { f64::MAX };
        return f64::from_bits(sign | magnitude.to_bits());
    }
    let bits = if sig >> 52 == 0 {
        sig
    } else {
        ((last + 1075) as u64) << 52 | sig & 0x000f_ffff_ffff_ffff
    };
    f64::from_bits(sign | bits)
}

/// Returns a * b + c in half precision, rounded once.
pub fn fma_f16(a: u16, b: u16, c: u16, ftz: bool) -> u16 {
    let [a, b, c] = [a, b, c].map(|half| widen_f16(if ftz { flush_f16(half) } else { half }));
    finish_f16(add_odd(a * b, c), ftz)
}

/// Returns a + b in half precision.
pub fn add_f16(a: u16, b: u16, ftz: bool) -> u16 {
    let [a, b] = [a, b].map(|half| widen_f16(if ftz { flush_f16(half) } else { half }));
    finish_f16(a + b, ftz)
}

/// Returns a * b in half precision.
pub fn mul_f16(a: u16, b: u16, ftz: bool) -> u16 {
    let [a, b] = [a, b].map(|half| widen_f16(if ftz { flush_f16(half) } else { half }));
    finish_f16(a * b, ftz)
}

/// The minimum or maximum of two FP16 values. A number takes precedence over NaN, and -0 is less than +0.
pub fn min_max_f16(a: u16, b: u16, max: bool) -> u16 {
    let (x, y) = (widen_f16(a), widen_f16(b));
    match (x.is_nan(), y.is_nan()) {
        (true, true) => NAN_F16,
        (true, false) => b,
        (false, true) => a,
        _ => {
            let first_is_less = x < y || (x == y && x.is_sign_negative());
            if first_is_less == max { b } else { a }
        }
    }
}

/// Converts a `__nv_bfloat16` to a double.
pub fn widen_bf16(bits: u16) -> f64 {
    f64::from(f32::from_bits(u32::from(bits) << 16))
}

/// Converts a double to `__nv_bfloat16`, rounded to nearest.
pub fn narrow_bf16(value: f64) -> u16 {
    if value.is_nan() {
        return 0x7fff;
    }
    // The low bits of the truncated single-precision value decide the rounding.
    let mut single = value as f32;
    if f64::from(single).abs() > value.abs() {
        single = f32::from_bits(single.to_bits() - 1);
    }
    let is_inexact = f64::from(single) != value;
    let bits = single.to_bits() | u32::from(is_inexact);
    let tie = bits & 0xffff == 0x8000;
    let up = bits & 0x8000 != 0 && (!tie || bits >> 16 & 1 == 1);
    (bits >> 16) as u16 + u16::from(up)
}

/// An operation on `__nv_bfloat16` values, rounded once.
pub fn bf16(op: Bf16Op, a: u16, b: u16, c: u16) -> u16 {
    let [x, y, z] = [a, b, c].map(widen_bf16);
    match op {
        Bf16Op::Add => narrow_bf16(add_odd(x, y)),
        Bf16Op::Mul => narrow_bf16(x * y),
        Bf16Op::Fma => narrow_bf16(add_odd(x * y, z)),
        Bf16Op::Min | Bf16Op::Max => match (x.is_nan(), y.is_nan()) {
            (true, true) => 0x7fff,
            (true, false) => b,
            (false, true) => a,
            _ => {
                let first_is_less = x < y || (x == y && x.is_sign_negative());
                if first_is_less == (op == Bf16Op::Max) {
                    b
                } else {
                    a
                }
            }
        },
    }
}

/// Converts two single-precision values to FP16 or `__nv_bfloat16` and packs them: `high` into the high half.
pub fn pack_floats(high: u32, low: u32, bfloat16: bool) -> u32 {
    let [high, low] = [high, low].map(|bits| {
        let value = f64::from(f32::from_bits(bits));
        if bfloat16 {
            narrow_bf16(value)
        } else {
            narrow_f16(value, Round::Rn)
        }
    });
    u32::from(high) << 16 | u32::from(low)
}

/// An 8-bit float as a half, which represents every value: E5M2 is the upper byte of a half; E4M3 has a bias of 7, and no
/// infinity. OCP 8-bit Floating Point Specification, revision 1.0, section 5. NaN is 0x7fff, as on an H100.
pub fn widen_fp8(bits: u8, e5m2: bool) -> u16 {
    let (sign, magnitude) = (u16::from(bits & 0x80) << 8, bits & 0x7f);
    if e5m2 {
        return if magnitude > 0x7c {
            0x7fff
        } else {
            u16::from(bits) << 8
        };
    }
    let value = match (magnitude >> 3, f64::from(magnitude & 7)) {
        _ if magnitude == 0x7f => return 0x7fff,
        (0, fraction) => libm::ldexp(fraction, -9),
        (exponent, fraction) => libm::ldexp(8.0 + fraction, i32::from(exponent) - 10),
    };
    sign | narrow_f16(value, Round::Rn)
}

/// A single as an 8-bit float, rounded to nearest, ties to even. A number beyond the largest becomes the largest
/// (`cvt.rn.satfinite` in the PTX ISA); NaN is 0x7f.
pub fn narrow_fp8(bits: u32, e5m2: bool) -> u8 {
    let value = f64::from(f32::from_bits(bits));
    if value.is_nan() {
        return 0x7f;
    }
    let sign = (bits >> 24) as u8 & 0x80;
    let (fraction_bits, bias, largest) = if e5m2 { (2, 15, 0x7b) } else { (3, 7, 0x7e) };
    let magnitude = value.abs();
    if magnitude == 0.0 {
        return sign;
    }
    // Subnormal numbers have the exponent of the smallest normal one.
    let exponent = if magnitude.is_finite() {
        libm::ilogb(magnitude).clamp(1 - bias, 64)
    } else {
        64
    };
    let units = libm::rint(libm::ldexp(magnitude, fraction_bits - exponent).min(1024.0)) as i64;
    // The first bit of a normal significand adds one to the exponent.
    let code = (i64::from(exponent + bias - 1) << fraction_bits) + units;
    sign | code.min(largest) as u8
}

/// Adds an FP16 half of a word to a single-precision operand.
pub fn add_half_to_single(a: u32, b: u32, high: bool) -> u32 {
    let half = if high { b >> 16 } else { b };
    bits_f32(f32::from_bits(a) + widen_f16(half as u16) as f32)
}

fn finish_f16(value: f64, ftz: bool) -> u16 {
    let half = narrow_f16(value, Round::Rn);
    if ftz { flush_f16(half) } else { half }
}

const fn flush_f16(half: u16) -> u16 {
    if half & 0x7c00 == 0 { half & 0x8000 } else { half }
}

/// Whether a / b is outside the range of the inline division.
pub fn division_needs_slow_path(a: u32, b: u32) -> bool {
    let exponent = |bits: u32| (bits >> 23 & 0xff) as i32;
    let normal = |bits: u32| !matches!(exponent(bits), 0 | 0xff);
    let (exp_a, exp_b) = (exponent(a) - 127, exponent(b) - 127);
    !(normal(a) && normal(b) && exp_a >= -100 && exp_b <= 125 && (-125..=126).contains(&(exp_a - exp_b)))
}

/// The result of a slow-path subroutine. Operands and result have 32 or 64 bits, depending on the path.
pub fn slow_path(path: SlowPath, a: u64, b: u64) -> u64 {
    let single = |bits: u64| f32::from_bits(bits as u32);
    let double = f64::from_bits;
    let nan64 = |value: f64, operands: [f64; 2]| {
        if value.is_nan() {
            nan_of([operands[0], operands[1], 0.0]).to_bits()
        } else {
            value.to_bits()
        }
    };
    match path {
        SlowPath::DivF32 => u64::from(bits_f32(single(a) / single(b))),
        SlowPath::SqrtF32 => u64::from(bits_f32(libm::sqrtf(single(a)))),
        SlowPath::RcpF32 => u64::from(bits_f32(1.0 / single(a))),
        SlowPath::DivF64 => nan64(double(a) / double(b), [double(a), double(b)]),
        SlowPath::SqrtF64 => nan64(libm::sqrt(double(a)), [double(a), 0.0]),
        SlowPath::RcpF64 => nan64(1.0 / double(a), [double(a), 0.0]),
        SlowPath::RsqF64 => nan64(1.0 / libm::sqrt(double(a)), [double(a), 0.0]),
    }
}

/// Converts the bits of a floating-point type to a double; `ftz` flushes subnormals (f32 only).
fn widen(from: NumType, bits: u64, ftz: bool) -> f64 {
    match from {
        NumType::F16 => widen_f16(bits as u16),
        NumType::F64 => f64::from_bits(bits),
        _ => {
            let bits = bits as u32;
            f64::from(f32::from_bits(if ftz { flush_f32(bits) } else { bits }))
        }
    }
}

/// Converts a double to the bits of a floating-point type.
fn narrow(to: NumType, value: f64, round: Round, ftz: bool) -> u64 {
    match to {
        NumType::F16 => u64::from(narrow_f16(value, round)),
        NumType::F64 => value.to_bits(),
        _ => {
            let bits = bits_f32(narrow_f64(value, round));
            u64::from(if ftz { flush_f32(bits) } else { bits })
        }
    }
}

/// Converts between floating-point types.
pub fn convert_float(from: NumType, to: NumType, bits: u64, round: Round, ftz: bool) -> u64 {
    let value = widen(from, bits, ftz);
    if value.is_nan() && matches!(to, NumType::F64) {
        let payload = match from {
            NumType::F64 => quiet(bits),
            NumType::F32 => quiet((bits >> 31) << 63 | 0x7ff << 52 | (bits & 0x7f_ffff) << 29),
            _ => NAN_F64,
        };
        return payload;
    }
    narrow(to, value, round, ftz)
}

/// Rounds to an integral value: to nearest even, toward zero, down, or up.
pub fn whole(value: f64, round: Round) -> f64 {
    match round {
        Round::Rn => libm::rint(value),
        Round::Rz => libm::trunc(value),
        Round::Rm => libm::floor(value),
        Round::Rp => libm::ceil(value),
    }
}

/// Rounds to an integral value of the same floating-point type.
pub fn round_to_whole(ty: NumType, bits: u64, round: Round, ftz: bool) -> u64 {
    let value = widen(ty, bits, ftz);
    if value.is_nan() {
        return match ty {
            NumType::F16 => u64::from(NAN_F16),
            NumType::F64 => quiet(bits),
            _ => u64::from(NAN_F32),
        };
    }
    narrow(ty, whole(value, round), Round::Rn, ftz)
}

/// The minimum and maximum of an integer type.
const fn integer_range(ty: NumType) -> (i128, i128) {
    match ty {
        NumType::U8 => (0, u8::MAX as i128),
        NumType::S8 => (i8::MIN as i128, i8::MAX as i128),
        NumType::U16 => (0, u16::MAX as i128),
        NumType::S16 => (i16::MIN as i128, i16::MAX as i128),
        NumType::U32 => (0, u32::MAX as i128),
        NumType::U64 => (0, u64::MAX as i128),
        NumType::S64 => (i64::MIN as i128, i64::MAX as i128),
        _ => (i32::MIN as i128, i32::MAX as i128),
    }
}

/// Converts a floating-point value to an integer, with saturation. NaN converts to 0 or, if either type has
/// 64 bits, to the bit pattern with only the highest bit set.
pub fn float_to_integer(from: NumType, to: NumType, bits: u64, round: Round, ftz: bool) -> u64 {
    let value = widen(from, bits, ftz);
    let wide = matches!(to, NumType::U64 | NumType::S64);
    if value.is_nan() {
        return match (matches!(from, NumType::F64), wide) {
            (_, true) => 1 << 63,
            (true, false) => 1 << 31,
            (false, false) => 0,
        };
    }
    let (least, greatest) = integer_range(to);
    // `as` saturates, and 128 bits hold both limits.
    let integer = (whole(value, round) as i128).clamp(least, greatest);
    if wide {
        integer as u64
    } else {
        u64::from(integer as u32)
    }
}

/// The value of an integer type in the low bits.
pub const fn integer_value(from: NumType, bits: u64) -> i128 {
    match from {
        NumType::U8 => bits as u8 as i128,
        NumType::S8 => bits as i8 as i128,
        NumType::U16 => bits as u16 as i128,
        NumType::S16 => bits as i16 as i128,
        NumType::U64 => bits as i128,
        NumType::S64 => bits as i64 as i128,
        NumType::U32 => bits as u32 as i128,
        _ => bits as i32 as i128,
    }
}

/// Converts an integer to a floating-point value.
pub fn integer_to_float(from: NumType, to: NumType, bits: u64, round: Round) -> u64 {
    let integer = integer_value(from, bits);
    // After rounding to odd at 53 bits, a second rounding to 24 or 11 bits is exact.
    let negative = integer < 0;
    let magnitude = integer.unsigned_abs();
    if magnitude == 0 {
        return 0;
    }
    if matches!(to, NumType::F64) {
        return pack_f64(negative, magnitude, 0, round).to_bits();
    }
    let cut = pack_f64(negative, magnitude, 0, Round::Rz);
    let inexact = cut.abs() as u128 != magnitude;
    let cut = if inexact {
        f64::from_bits(cut.to_bits() | 1)
    } else {
        cut
    };
    narrow(to, cut, round, false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directed_sums_bracket_the_exact_one() {
        let (a, b) = (1.0_f32, 2.0_f32.powi(-30));
        assert_eq!(add_f32(a, b, Round::Rz), 1.0);
        assert_eq!(add_f32(a, b, Round::Rp), f32::from_bits(0x3f80_0001));
        assert_eq!(add_f32(a, -b, Round::Rz), f32::from_bits(0x3f7f_ffff));
        assert_eq!(add_f32(a, -a, Round::Rm).to_bits(), (-0.0_f32).to_bits());
    }

    #[test]
    fn fused_multiply_add_equals_the_library() {
        let mut x = 12345_u32;
        let mut next = || {
            x = x.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let y = x >> 16;
            x = x.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            y << 16 | x >> 16
        };
        for i in 0..400_000 {
            let (mut a, mut b, mut c) = (next(), next(), next());
            if i % 2 == 0 {
                // Values near one, where halfway cases and cancellation are frequent.
                a = a & 0x807f_f000 | 0x3f80_0000;
                b = b & 0x807f_f000 | 0x3f80_0000;
                c = c & 0x80ff_ffff | (0x3380_0000 + ((i % 25) << 23));
            }
            let [a, b, c] = [a, b, c].map(f32::from_bits);
            let expected = bits_f32(libm::fmaf(a, b, c));
            assert_eq!(
                bits_f32(fma_f32(a, b, c, Round::Rn)),
                expected,
                "{a:e} {b:e} {c:e}"
            );
        }
    }

    #[test]
    fn integer_doubles_equal_the_library_when_rounding_to_nearest() {
        let mut x = 7_u64;
        let mut next = || {
            x = x
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            x.rotate_left(29)
        };
        for i in 0..200_000 {
            let [mut a, mut b, mut c] = [next(), next(), next()];
            if i % 2 == 0 {
                [a, b, c] = [a, b, c].map(|bits| bits & 0x803f_ffff_ffff_ffff | 0x3fe0_0000_0000_0000);
            }
            let [a, b, c] = [a, b, c].map(f64::from_bits);
            if !(a.is_finite() && b.is_finite() && c.is_finite()) {
                continue;
            }
            let expected = libm::fma(a, b, c);
            assert_eq!(
                fma_f64_directed(a, b, c, Round::Rn).to_bits(),
                expected.to_bits(),
                "{a:e} {b:e} {c:e}"
            );
            let (down, up) = (fma_f64(a, b, c, Round::Rm), fma_f64(a, b, c, Round::Rp));
            assert!(down <= expected && expected <= up);
            assert!(down == up || down.next_up() == up);
        }
    }

    #[test]
    fn conversions_to_integers_saturate() {
        let f32_bits = |value: f32| u64::from(value.to_bits());
        let to = |value, ty, round| float_to_integer(NumType::F32, ty, f32_bits(value), round, false);
        assert_eq!(to(3.0e9, NumType::S32, Round::Rz), 0x7fff_ffff);
        assert_eq!(to(-1.0, NumType::U32, Round::Rz), 0);
        assert_eq!(to(2.5, NumType::S32, Round::Rn), 2);
        assert_eq!(to(-2.5, NumType::S32, Round::Rm), u64::from((-3_i32) as u32));
        assert_eq!(to(f32::NAN, NumType::S32, Round::Rz), 0);
        assert_eq!(to(f32::NAN, NumType::S64, Round::Rz), 1 << 63);
    }

    #[test]
    fn integers_round_once_when_converted_to_single_precision() {
        let single =
            |bits: u64, ty, round| f32::from_bits(integer_to_float(ty, NumType::F32, bits, round) as u32);
        assert_eq!(single(16_777_217, NumType::U32, Round::Rn), 16_777_216.0);
        assert_eq!(single(16_777_217, NumType::U32, Round::Rp), 16_777_218.0);
        let near_half = (1_u64 << 60) + (1 << 36) + 1;
        assert_eq!(single(near_half, NumType::S64, Round::Rn), near_half as f32);
        for i in 0..1000_u64 {
            let bits = i.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            assert_eq!(single(bits, NumType::S64, Round::Rn), bits as i64 as f32);
            assert_eq!(
                integer_to_float(NumType::U64, NumType::F64, bits, Round::Rn),
                (bits as f64).to_bits()
            );
        }
    }

    #[test]
    fn tesla_multiply_add_truncates_the_product() {
        let third = f32::from_bits(0x3eaa_aaab);
        let cut = f32::from_bits(fmad(third.to_bits(), third.to_bits(), 0));
        let exact = f64::from(third) * f64::from(third);
        assert!(f64::from(cut) <= exact && exact - f64::from(cut) < exact * 2.0_f64.powi(-23));
        assert_eq!(fmad(0x0000_0001, 0x3f80_0000, 0), 0);
    }
}
