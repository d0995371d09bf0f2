//! Operators on rows: they compute all threads at once, active or not.

use super::code::Kind;
use super::number::{
    cut, extended, f32_of, f64_of, from_double, from_integer, narrowed, result32, result64, to_double,
    to_integer,
};
use crate::hir::{BinaryOp, CompareOp, Rounding, UnaryOp};

#[inline(always)]
pub(super) fn map(to: &mut [u64], a: &[u64], f: impl Fn(u64) -> u64) {
    for (to, a) in to.iter_mut().zip(a) {
        *to = f(*a);
    }
}

#[inline(always)]
pub(super) fn map2(to: &mut [u64], a: &[u64], b: &[u64], f: impl Fn(u64, u64) -> u64) {
    for ((to, a), b) in to.iter_mut().zip(a).zip(b) {
        *to = f(*a, *b);
    }
}

#[inline(always)]
fn map32(to: &mut [u64], a: &[u64], b: &[u64], f: impl Fn(u32, u32) -> u32) {
    map2(to, a, b, |a, b| u64::from(f(a as u32, b as u32)));
}

#[inline(always)]
fn signed(bits: u32) -> i32 {
    bits.cast_signed()
}

pub(super) fn binary(op: BinaryOp, kind: Kind, to: &mut [u64], a: &[u64], b: &[u64]) {
    match kind {
        Kind::I32 | Kind::U32 => binary32(op, kind == Kind::I32, to, a, b),
        Kind::I64 | Kind::U64 => map_64(op, kind, to, a, b),
        Kind::F32 => match op {
            BinaryOp::Add => map2(to, a, b, |a, b| result32(f32_of(a) + f32_of(b))),
            BinaryOp::Sub => map2(to, a, b, |a, b| result32(f32_of(a) - f32_of(b))),
            BinaryOp::Mul => map2(to, a, b, |a, b| result32(f32_of(a) * f32_of(b))),
            _ => map2(to, a, b, |a, b| result32(f32_of(a) / f32_of(b))),
        },
        Kind::F64 | Kind::F16 | Kind::Bf16 => map2(to, a, b, |a, b| {
            let (a, b) = (to_double(a, kind), to_double(b, kind));
            let value = match op {
                BinaryOp::Add => a + b,
                BinaryOp::Sub => a - b,
                BinaryOp::Mul => a * b,
                _ => a / b,
            };
            from_double(f64_of(result64(value, &[a, b])), kind)
        }),
        _ => map2(to, a, b, |a, b| {
            let (a, b) = (extended(a, kind) as u64, extended(b, kind) as u64);
            let is_shift = matches!(op, BinaryOp::Shl | BinaryOp::Shr);
            let b = if is_shift { b & 0xffff_ffff } else { b };
            cut(
                integer(op, if kind.is_signed() { Kind::I64 } else { Kind::U64 }, a, b),
                kind,
            )
        }),
    }
}

fn binary32(op: BinaryOp, is_signed: bool, to: &mut [u64], a: &[u64], b: &[u64]) {
    match op {
        BinaryOp::Add => map32(to, a, b, u32::wrapping_add),
        BinaryOp::Sub => map32(to, a, b, u32::wrapping_sub),
        BinaryOp::Mul => map32(to, a, b, u32::wrapping_mul),
        BinaryOp::And => map2(to, a, b, |a, b| a & b),
        BinaryOp::Or => map2(to, a, b, |a, b| a | b),
        BinaryOp::Xor => map2(to, a, b, |a, b| a ^ b),
        BinaryOp::Shl => map32(to, a, b, |a, b| a.checked_shl(b).unwrap_or(0)),
        BinaryOp::Shr if is_signed => map32(to, a, b, |a, b| (signed(a) >> b.min(31)).cast_unsigned()),
        BinaryOp::Shr => map32(to, a, b, |a, b| a.checked_shr(b).unwrap_or(0)),
        BinaryOp::Div => map32(to, a, b, |a, b| match b {
            0 => u32::MAX,
            _ if is_signed => signed(a).wrapping_div(signed(b)).cast_unsigned(),
            _ => a / b,
        }),
        BinaryOp::Rem => map32(to, a, b, |a, b| match b {
            0 => a,
            _ if is_signed => signed(a).wrapping_rem(signed(b)).cast_unsigned(),
            _ => a % b,
        }),
    }
}

fn map_64(op: BinaryOp, kind: Kind, to: &mut [u64], a: &[u64], b: &[u64]) {
    match op {
        BinaryOp::Add => map2(to, a, b, u64::wrapping_add),
        BinaryOp::Sub => map2(to, a, b, u64::wrapping_sub),
        BinaryOp::Mul => map2(to, a, b, u64::wrapping_mul),
        BinaryOp::And => map2(to, a, b, |a, b| a & b),
        BinaryOp::Or => map2(to, a, b, |a, b| a | b),
        BinaryOp::Xor => map2(to, a, b, |a, b| a ^ b),
        _ => map2(to, a, b, |a, b| integer(op, kind, a, b)),
    }
}

/// An operation in 64 bits.
fn integer(op: BinaryOp, kind: Kind, a: u64, b: u64) -> u64 {
    let is_signed = kind.is_signed();
    let (x, y) = (a.cast_signed(), b.cast_signed());
    match op {
        BinaryOp::Add => a.wrapping_add(b),
        BinaryOp::Sub => a.wrapping_sub(b),
        BinaryOp::Mul => a.wrapping_mul(b),
        BinaryOp::And => a & b,
        BinaryOp::Or => a | b,
        BinaryOp::Xor => a ^ b,
        // The shift amount is an unsigned 32-bit number.
        BinaryOp::Shl => a.checked_shl(b as u32).unwrap_or(0),
        BinaryOp::Shr if is_signed => (x >> (b as u32).min(63)).cast_unsigned(),
        BinaryOp::Shr => a.checked_shr(b as u32).unwrap_or(0),
        BinaryOp::Div if b == 0 => u64::MAX,
        BinaryOp::Rem if b == 0 => a,
        BinaryOp::Div if is_signed => x.wrapping_div(y).cast_unsigned(),
        BinaryOp::Rem if is_signed => x.wrapping_rem(y).cast_unsigned(),
        BinaryOp::Div => a / b,
        BinaryOp::Rem => a % b,
    }
}

/// Whether a signed operation's exact result is outside its type's range.
pub(super) fn overflows(op: BinaryOp, kind: Kind, a: u64, b: u64) -> bool {
    let (a, b) = (extended(a, kind), extended(b, kind));
    let value = match op {
        BinaryOp::Add => a + b,
        BinaryOp::Sub => a - b,
        BinaryOp::Mul => a * b,
        BinaryOp::Div | BinaryOp::Rem if b != 0 => a / b,
        _ => return false,
    };
    value != extended(cut(value as u64, kind), kind)
}

pub(super) fn compare(op: CompareOp, kind: Kind, to: &mut [u64], a: &[u64], b: &[u64]) {
    match kind {
        Kind::F32 => order(op, to, a, b, f32_of),
        Kind::F64 | Kind::F16 | Kind::Bf16 => order(op, to, a, b, |bits| to_double(bits, kind)),
        Kind::I32 => order(op, to, a, b, |bits| signed(bits as u32)),
        Kind::I64 => order(op, to, a, b, u64::cast_signed),
        Kind::I8 | Kind::I16 => order(op, to, a, b, |bits| extended(bits, kind)),
        _ => order(op, to, a, b, |bits| bits),
    }
}

#[inline(always)]
fn order<T: PartialOrd>(op: CompareOp, to: &mut [u64], a: &[u64], b: &[u64], value: impl Fn(u64) -> T) {
    match op {
        CompareOp::Lt => map2(to, a, b, |a, b| u64::from(value(a) < value(b))),
        CompareOp::Le => map2(to, a, b, |a, b| u64::from(value(a) <= value(b))),
        CompareOp::Gt => map2(to, a, b, |a, b| u64::from(value(a) > value(b))),
        CompareOp::Ge => map2(to, a, b, |a, b| u64::from(value(a) >= value(b))),
        CompareOp::Eq => map2(to, a, b, |a, b| u64::from(value(a) == value(b))),
        CompareOp::Ne => map2(to, a, b, |a, b| u64::from(value(a) != value(b))),
    }
}

pub(super) fn unary(op: UnaryOp, kind: Kind, to: &mut [u64], a: &[u64]) {
    let sign = 1 << (kind.bits() - 1);
    match op {
        UnaryOp::Not => map(to, a, |a| a ^ 1),
        UnaryOp::BitNot => map(to, a, |a| cut(!a, kind)),
        UnaryOp::Neg if kind.is_float() => map(to, a, |a| a ^ sign),
        UnaryOp::Neg => map(to, a, |a| cut(a.wrapping_neg(), kind)),
    }
}

/// Whether a conversion leaves the bits unchanged.
pub(super) const fn keeps_bits(from: Kind, to: Kind) -> bool {
    if from as u8 == to as u8 {
        return true;
    }
    if from.is_float() || to.is_float() || matches!(to, Kind::Bool) {
        return false;
    }
    to.bits() == from.bits() || (!from.is_signed() && to.bits() >= from.bits())
}

pub(super) fn convert(from: Kind, to_kind: Kind, to: &mut [u64], a: &[u64]) {
    match (from.is_float(), to_kind.is_float()) {
        _ if to_kind == Kind::Bool => match from {
            Kind::F16 | Kind::Bf16 | Kind::F32 | Kind::F64 => {
                map(to, a, |a| u64::from(to_double(a, from) != 0.0));
            }
            _ => map(to, a, |a| u64::from(a != 0)),
        },
        (false, false) => {
            let unused = 64 - from.bits();
            let mask = cut(u64::MAX, to_kind);
            if from.is_signed() {
                map(to, a, |a| {
                    ((a << unused).cast_signed() >> unused).cast_unsigned() & mask
                });
            } else {
                map(to, a, |a| a & mask);
            }
        }
        (false, true) => match (from, to_kind) {
            (Kind::I32, Kind::F32) => map(to, a, |a| result32(signed(a as u32) as f32)),
            _ => map(to, a, |a| {
                from_integer(extended(a, from), to_kind, Rounding::Nearest)
            }),
        },
        (true, false) => match (from, to_kind) {
            (Kind::F32, Kind::I32) => map(to, a, |a| u64::from((f32_of(a) as i32).cast_unsigned())),
            _ => map(to, a, |a| {
                to_integer(to_double(a, from), from, to_kind, Rounding::Zero)
            }),
        },
        (true, true) => map(to, a, |a| {
            let value = to_double(a, from);
            match to_kind {
                Kind::F32 => narrowed(value, Rounding::Nearest),
                _ => from_double(value, to_kind),
            }
        }),
    }
}
