//! Arithmetic of single numbers: NaN results, and roundings other than to nearest.

use std::cmp::Ordering;

use super::code::Kind;
use crate::hir::{RoundedOp, Rounding};

/// NaN result of single-precision operations.
const NAN_F32: u32 = 0x7fff_ffff;
/// NaN result of half-precision operations.
const NAN_F16: u16 = 0x7fff;
/// NaN result of double-precision operations whose operands are not NaN.
const NAN_F64: u64 = 0xfff8_0000_0000_0000;

#[inline(always)]
pub(super) fn f32_of(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}

#[inline(always)]
pub(super) fn f64_of(bits: u64) -> f64 {
    f64::from_bits(bits)
}

/// The bits of an operation's result.
#[inline(always)]
pub(super) fn result32(value: f32) -> u64 {
    u64::from(if value.is_nan() { NAN_F32 } else { value.to_bits() })
}

/// The bits of an operation's result; the first NaN operand propagates.
#[inline(always)]
pub(super) fn result64(value: f64, operands: &[f64]) -> u64 {
    if !value.is_nan() {
        return value.to_bits();
    }
    operands
        .iter()
        .find(|operand| operand.is_nan())
        .map_or(NAN_F64, |operand| operand.to_bits() | 1 << 51)
}

/// Converts a floating-point number to a double.
pub(super) fn to_double(bits: u64, kind: Kind) -> f64 {
    match kind {
        Kind::F32 => f64::from(f32_of(bits)),
        Kind::F64 => f64_of(bits),
        Kind::Bf16 => f64::from(f32_of(bits << 16)),
        _ => half_to_double(bits as u16),
    }
}

fn half_to_double(bits: u16) -> f64 {
    let fraction = f64::from(bits & 0x3ff);
    let magnitude = match bits >> 10 & 0x1f {
        0 => libm::ldexp(fraction, -24),
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        exponent => libm::ldexp(fraction + 1024.0, i32::from(exponent) - 25),
    };
    if bits >> 15 == 0 { magnitude } else { -magnitude }
}

/// Rounds a double to the nearest number of a floating-point type.
pub(super) fn from_double(value: f64, kind: Kind) -> u64 {
    match kind {
        Kind::F32 => result32(value as f32),
        Kind::F64 => value.to_bits(),
        _ => half(value, kind, Rounding::Nearest),
    }
}

/// An integer's value.
#[inline(always)]
pub(super) fn extended(bits: u64, kind: Kind) -> i128 {
    if kind.is_signed() {
        let unused = 64 - kind.bits();
        i128::from((bits << unused) as i64 >> unused)
    } else {
        i128::from(bits)
    }
}

/// Truncates to the bits of a type.
#[inline(always)]
pub(super) const fn cut(bits: u64, kind: Kind) -> u64 {
    bits & u64::MAX >> (64 - kind.bits())
}

/// Converts a floating-point number to an integer: rounds, then saturates. NaN becomes 0; with 64-bit source or
/// destination, only the highest bit is set.
pub(super) fn to_integer(value: f64, from: Kind, kind: Kind, rounding: Rounding) -> u64 {
    if value.is_nan() {
        return match kind.bits() {
            64 => 1 << 63,
            32 if from == Kind::F64 => 1 << 31,
            _ => 0,
        };
    }
    let whole = match rounding {
        Rounding::Nearest => value.round_ties_even(),
        Rounding::Zero => value.trunc(),
        Rounding::Down => value.floor(),
        Rounding::Up => value.ceil(),
    };
    match kind {
        Kind::I8 => u64::from((whole as i8).cast_unsigned()),
        Kind::U8 => u64::from(whole as u8),
        Kind::I16 => u64::from((whole as i16).cast_unsigned()),
        Kind::U16 => u64::from(whole as u16),
        Kind::I32 => u64::from((whole as i32).cast_unsigned()),
        Kind::U32 => u64::from(whole as u32),
        Kind::I64 => (whole as i64).cast_unsigned(),
        _ => whole as u64,
    }
}

/// Converts an integer to a floating-point number with this rounding.
pub(super) fn from_integer(value: i128, kind: Kind, rounding: Rounding) -> u64 {
    match kind {
        Kind::F32 => {
            let nearest = value as f32;
            let exact = value.cmp(&(nearest as i128));
            result32(directed32(nearest, exact, rounding))
        }
        Kind::F64 => {
            let nearest = value as f64;
            let exact = value.cmp(&(nearest as i128));
            directed64(nearest, exact, rounding).to_bits()
        }
        // For integers above 2^53, a double that is inexact is rounded to odd.
        _ => half(odd(value), kind, rounding),
    }
}

/// Rounds a double to single precision.
pub(super) fn narrowed(value: f64, rounding: Rounding) -> u64 {
    let nearest = value as f32;
    let exact = value.partial_cmp(&f64::from(nearest)).unwrap_or(Ordering::Equal);
    result32(directed32(nearest, exact, rounding))
}

/// The number in the given rounding, from the nearest number and the comparison of the exact result with it.
fn directed32(nearest: f32, exact: Ordering, rounding: Rounding) -> f32 {
    let down = match rounding {
        Rounding::Nearest => return nearest,
        Rounding::Zero => nearest > 0.0,
        Rounding::Down => true,
        Rounding::Up => false,
    };
    match exact {
        Ordering::Less if down => nearest.next_down(),
        Ordering::Greater if !down && (rounding == Rounding::Up || nearest < 0.0) => nearest.next_up(),
        _ => nearest,
    }
}

/// See [`directed32`].
fn directed64(nearest: f64, exact: Ordering, rounding: Rounding) -> f64 {
    let down = match rounding {
        Rounding::Nearest => return nearest,
        Rounding::Zero => nearest > 0.0,
        Rounding::Down => true,
        Rounding::Up => false,
    };
    match exact {
        Ordering::Less if down => nearest.next_down(),
        Ordering::Greater if !down && (rounding == Rounding::Up || nearest < 0.0) => nearest.next_up(),
        _ => nearest,
    }
}

/// A sum and its rounding error.
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let b_part = sum - a;
    let a_part = sum - b_part;
    (sum, (a - a_part) + (b - b_part))
}

/// Compares `high + low`, where `high` is the rounded sum, with a number.
fn compare_sum((high, low): (f64, f64), with: f64) -> Ordering {
    match high.partial_cmp(&with) {
        Some(Ordering::Equal) => low.partial_cmp(&0.0).unwrap_or(Ordering::Equal),
        Some(order) => order,
        None => Ordering::Equal,
    }
}

/// Arithmetic with an explicit rounding.
pub(super) fn rounded(op: RoundedOp, rounding: Rounding, kind: Kind, args: &[u64]) -> u64 {
    let arg = |idx: usize| args.get(idx).copied().unwrap_or(0);
    if matches!(kind, Kind::F16 | Kind::Bf16) {
        let half = |value, rounding| half(value, kind, rounding);
        let [a, b, c] = [0, 1, 2].map(|idx| to_double(arg(idx), kind));
        return match op {
            RoundedOp::Add => half(a + b, rounding),
            RoundedOp::Sub => half(a - b, rounding),
            RoundedOp::Mul => half(a * b, rounding),
            RoundedOp::Fma => fused_half(a, b, c, kind),
            RoundedOp::Div => half(a / b, rounding),
            RoundedOp::Rcp => half(1.0 / a, rounding),
            RoundedOp::Sqrt => half(a.sqrt(), rounding),
            RoundedOp::Rsqrt => half(1.0 / a.sqrt(), rounding),
        };
    }
    if kind == Kind::F32 {
        let [a, b, c] = [0, 1, 2].map(|idx| f64::from(f32_of(arg(idx))));
        rounded32(op, rounding, a, b, c)
    } else {
        let [a, b, c] = [0, 1, 2].map(|idx| f64_of(arg(idx)));
        rounded64(op, rounding, a, b, c)
    }
}

/// Rounds a double to a 16-bit type. Every NaN becomes the hardware's NaN.
pub(super) fn half(value: f64, kind: Kind, rounding: Rounding) -> u64 {
    let round = match rounding {
        Rounding::Nearest => crate::ir::Rounding::Rn,
        Rounding::Zero => crate::ir::Rounding::Rz,
        Rounding::Down => crate::ir::Rounding::Rm,
        Rounding::Up => crate::ir::Rounding::Rp,
    };
    u64::from(match kind {
        Kind::Bf16 => crate::ir::fold::bfloat16_from_f64(value, round),
        _ => crate::ir::fold::half_from_f64(value, round),
    })
}

/// `a * b + c` of 16-bit numbers, rounded once. The product is exact in a double.
pub(super) fn fused_half(a: f64, b: f64, c: f64, kind: Kind) -> u64 {
    let (sum, lost) = two_sum(a * b, c);
    half(made_odd(sum, lost), kind, Rounding::Nearest)
}

/// Converts an integer to a double, rounded to odd; see [`made_odd`].
fn odd(value: i128) -> f64 {
    let near = value as f64;
    made_odd(near, (value - near as i128) as f64)
}

/// A sum rounded to odd: its last bit is set if the sum is inexact, so that a second rounding to fewer bits is
/// correct.
fn made_odd(sum: f64, lost: f64) -> f64 {
    if lost == 0.0 || !lost.is_finite() || sum.to_bits() & 1 == 1 {
        sum
    } else if (lost > 0.0) == (sum > 0.0) {
        f64::from_bits(sum.to_bits() + 1)
    } else {
        f64::from_bits(sum.to_bits() - 1)
    }
}

/// Whether a zero sum of numbers with opposite signs is negative: when rounding down.
fn zero_sum_is_negative(a: f64, b: f64, rounding: Rounding) -> bool {
    rounding == Rounding::Down && !(a == 0.0 && b == 0.0 && a.is_sign_positive() && b.is_sign_positive())
}

fn rounded32(op: RoundedOp, rounding: Rounding, a: f64, b: f64, c: f64) -> u64 {
    let of_sum = |a: f64, b: f64, nearest: f32| {
        let sum = two_sum(a, b);
        if sum.0 == 0.0 && sum.0.is_finite() && zero_sum_is_negative(a, b, rounding) {
            return -0.0;
        }
        if !sum.1.is_finite() {
            return nearest;
        }
        directed32(nearest, compare_sum(sum, f64::from(nearest)), rounding)
    };
    let of_quotient = |a: f64, b: f64| {
        let nearest = (a as f32) / (b as f32);
        if !a.is_finite() || !b.is_finite() || b == 0.0 || a == 0.0 {
            return nearest;
        }
        // The exact product behind an infinite result exceeds all operands.
        let order = a
            .partial_cmp(&(f64::from(nearest) * b))
            .unwrap_or(Ordering::Equal);
        let order = if b < 0.0 { order.reverse() } else { order };
        directed32(nearest, order, rounding)
    };
    result32(match op {
        RoundedOp::Add => of_sum(a, b, a as f32 + b as f32),
        RoundedOp::Sub => of_sum(a, -b, a as f32 - b as f32),
        RoundedOp::Mul => {
            return if is_exact_special(a, b) {
                result32(a as f32 * b as f32)
            } else {
                narrowed(a * b, rounding)
            };
        }
        RoundedOp::Fma => of_sum(a * b, c, libm::fmaf(a as f32, b as f32, c as f32)),
        RoundedOp::Div => of_quotient(a, b),
        RoundedOp::Rcp => of_quotient(1.0, a),
        RoundedOp::Sqrt => {
            let nearest = (a as f32).sqrt();
            let square = f64::from(nearest) * f64::from(nearest);
            let order = a.partial_cmp(&square).unwrap_or(Ordering::Equal);
            directed32(nearest, order, rounding)
        }
        RoundedOp::Rsqrt => (1.0 / a.sqrt()) as f32,
    })
}

fn is_exact_special(a: f64, b: f64) -> bool {
    !a.is_finite() || !b.is_finite()
}

fn rounded64(op: RoundedOp, rounding: Rounding, a: f64, b: f64, c: f64) -> u64 {
    let of_sum = |a: f64, b: f64| {
        let (sum, rest) = two_sum(a, b);
        if sum == 0.0 && zero_sum_is_negative(a, b, rounding) {
            return -0.0;
        }
        if !a.is_finite() || !b.is_finite() {
            return sum;
        }
        if sum.is_infinite() {
            return directed64(sum, compare_with_infinity(sum), rounding);
        }
        directed64(sum, rest.partial_cmp(&0.0).unwrap_or(Ordering::Equal), rounding)
    };
    let quotient = |a: f64, b: f64| {
        let nearest = a / b;
        if !a.is_finite() || !b.is_finite() || a == 0.0 || b == 0.0 {
            return nearest;
        }
        if nearest.is_infinite() {
            return directed64(nearest, compare_with_infinity(nearest), rounding);
        }
        let order = compare_product_sum(-nearest, b, a, 0.0);
        directed64(nearest, if b < 0.0 { order.reverse() } else { order }, rounding)
    };
    let product_sum = |a: f64, b: f64, c: f64, nearest: f64| {
        if !a.is_finite() || !b.is_finite() || !c.is_finite() {
            return nearest;
        }
        if nearest.is_infinite() {
            return directed64(nearest, compare_with_infinity(nearest), rounding);
        }
        directed64(nearest, compare_product_sum(a, b, c, nearest), rounding)
    };
    match op {
        RoundedOp::Add => result64(of_sum(a, b), &[a, b]),
        RoundedOp::Sub => result64(of_sum(a, -b), &[a, b]),
        RoundedOp::Mul => result64(product_sum(a, b, 0.0, a * b), &[a, b]),
        RoundedOp::Fma => {
            let value = product_sum(a, b, c, libm::fma(a, b, c));
            let is_zero = value == 0.0 && compare_product_sum(a, b, c, 0.0).is_eq();
            let value = if is_zero && zero_sum_is_negative(a * b, c, rounding) {
                -0.0
            } else {
                value
            };
            result64(value, &[a, b, c])
        }
        RoundedOp::Div => result64(quotient(a, b), &[a, b]),
        RoundedOp::Rcp => result64(quotient(1.0, a), &[a]),
        RoundedOp::Sqrt => {
            let nearest = a.sqrt();
            let order = if nearest.is_finite() && nearest > 0.0 {
                compare_product_sum(-nearest, nearest, a, 0.0)
            } else {
                Ordering::Equal
            };
            result64(directed64(nearest, order, rounding), &[a])
        }
        RoundedOp::Rsqrt => result64(1.0 / a.sqrt(), &[a]),
    }
}

/// Compares the exact `a * b + c` of finite numbers with a nearby number.
fn compare_product_sum(a: f64, b: f64, c: f64, with: f64) -> Ordering {
    let product = a * b;
    let sign = if a == 0.0 || b == 0.0 {
        0.0
    } else {
        a.signum() * b.signum()
    };
    let of_sign = sign.partial_cmp(&0.0).unwrap_or(Ordering::Equal);
    if product.is_infinite() {
        let (a, b) = if a.abs() > b.abs() { (a, b) } else { (b, a) };
        let down = libm::ldexp(1.0, -200);
        return compare_product_sum(a * down, b, c * down, with * down);
    }
    // The rounding error of a small product would be subnormal: scale everything up.
    if product.abs() < 1e-270 && sign != 0.0 {
        if c.abs() >= 1e-250 {
            return of_sign;
        }
        let (small, large) = if a.abs() < b.abs() { (a, b) } else { (b, a) };
        let up = libm::ldexp(1.0, 1000);
        if (small * up * large).abs() < 1e-270 {
            return match c.partial_cmp(&with) {
                Some(Ordering::Equal) | None => of_sign,
                Some(order) => order,
            };
        }
        return compare_product_sum(small * up, large, c * up, with * up);
    }
    let lost = libm::fma(a, b, -product);
    let (sum, rest) = two_sum(product, c);
    let (close, closer) = two_sum(sum - with, rest);
    compare_sum(two_sum(close, closer + lost), 0.0)
}

/// Compares a finite number with the infinity that it rounds to.
fn compare_with_infinity(infinity: f64) -> Ordering {
    if infinity < 0.0 {
        Ordering::Greater
    } else {
        Ordering::Less
    }
}

/// The minimum or maximum of two floating-point numbers: a number wins over NaN, and -0 is less than 0.
#[inline]
pub(super) fn extreme(a: u64, b: u64, kind: Kind, is_max: bool) -> u64 {
    let (x, y) = (to_double(a, kind), to_double(b, kind));
    match (x.is_nan(), y.is_nan()) {
        (true, true) if kind == Kind::F32 => u64::from(NAN_F32),
        (true, true) if matches!(kind, Kind::F16 | Kind::Bf16) => u64::from(NAN_F16),
        (true, true) => NAN_F64,
        (true, false) => b,
        (false, true) => a,
        _ => {
            let first_is_less = x < y || (x == y && x.is_sign_negative());
            if first_is_less == is_max { b } else { a }
        }
    }
}
