//! Constant folding: evaluates operations without side effects on known operands.

use super::{Compare, Num, Op, Rounding, Type};

/// The result's bits, or `None` if the operation depends on more than its operands or only the machine computes
/// it (approximations, directed rounding of arithmetic).
pub fn eval(op: Op, ty: Type, arg_types: &[Type], args: &[u64]) -> Option<u64> {
    let a = args.first().copied().unwrap_or(0);
    let b = args.get(1).copied().unwrap_or(0);
    let c = args.get(2).copied().unwrap_or(0);
    let arg_ty = arg_types.first().copied().unwrap_or(ty);
    if arg_ty.is_float() || ty.is_float() {
        return float(op, ty, arg_ty, a, b, c);
    }
    let wide = arg_ty == Type::I64;
    let width = if wide { 64 } else { 32 };
    let signed_of = |x: u64| {
        if wide {
            x as i64
        } else {
            i64::from(x as u32 as i32)
        }
    };
    let order = |signed: bool| {
        if signed {
            signed_of(a).cmp(&signed_of(b))
        } else {
            a.cmp(&b)
        }
    };
    let result = match op {
        Op::Add | Op::PtrAdd => a.wrapping_add(b),
        Op::Sub => a.wrapping_sub(b),
        Op::Mul => a.wrapping_mul(b),
        Op::MulHigh { signed: true } if wide => ((i128::from(a as i64) * i128::from(b as i64)) >> 64) as u64,
        Op::MulHigh { signed: false } if wide => ((u128::from(a) * u128::from(b)) >> 64) as u64,
        Op::MulHigh { signed: true } => ((signed_of(a) * signed_of(b)) >> 32) as u64,
        Op::MulHigh { signed: false } => (a * b) >> 32,
        Op::MulWide { signed: true } => (signed_of(a) * signed_of(b)) as u64,
        Op::MulWide { signed: false } => a * b,
        Op::Mul24 { signed: false } => (a & 0xff_ffff) * (b & 0xff_ffff),
        Op::Mul24 { signed: true } => {
            let cut = |x: u64| i64::from((x as u32 as i32) << 8 >> 8);
            (cut(a) * cut(b)) as u64
        }
        Op::Div { .. } | Op::Rem { .. } if b == 0 => {
            if matches!(op, Op::Div { .. }) {
                u64::MAX
            } else {
                a
            }
        }
        Op::Div { signed: true } => signed_of(a).wrapping_div(signed_of(b)) as u64,
        Op::Div { signed: false } => a / b,
        Op::Rem { signed: true } => signed_of(a).wrapping_rem(signed_of(b)) as u64,
        Op::Rem { signed: false } => a % b,
        Op::Neg => a.wrapping_neg(),
        Op::Abs => signed_of(a).wrapping_abs() as u64,
        Op::Min { signed } => {
            if order(signed).is_le() {
                a
            } else {
                b
            }
        }
        Op::Max { signed } => {
            if order(signed).is_ge() {
                a
            } else {
                b
            }
        }
        Op::And => a & b,
        Op::Or => a | b,
        Op::Xor => a ^ b,
        Op::Not => !a,
        Op::Shl => {
            if b >= width {
                0
            } else {
                a << b
            }
        }
        Op::Shr { signed: false } => {
            if b >= width {
                0
            } else {
                a >> b
            }
        }
        Op::Shr { signed: true } => (signed_of(a) >> b.min(width - 1)) as u64,
        Op::Funnel { left, wrap } => {
            let pair = b << 32 | a;
            let amount = if wrap { c & 31 } else { c.min(32) };
            if left {
                (u128::from(pair) << amount >> 32) as u64
            } else {
                pair >> amount
            }
        }
        Op::Popc => u64::from(a.count_ones()),
        Op::Clz => u64::from(a.leading_zeros()) - (64 - width),
        Op::Brev => a.reverse_bits() >> (64 - width),
        Op::BytePerm => {
            let bytes = b << 32 | a;
            (0..4).fold(0, |word, index| {
                let nibble = c >> (index * 4) & 0xf;
                let byte = bytes >> ((nibble & 7) * 8) & 0xff;
                let byte = if nibble & 8 == 0 { byte } else { (byte >> 7) * 0xff };
                word | byte << (index * 8)
            })
        }
        Op::Narrow(num) => match num {
            Num::U8 => a & 0xff,
            Num::S8 => a as i8 as u64,
            Num::U16 => a & 0xffff,
            Num::S16 => a as i16 as u64,
            _ => a,
        },
        Op::SignExtend => signed_of(a) as u64,
        Op::ZeroExtend | Op::Low | Op::Bitcast => a,
        Op::High => a >> 32,
        Op::Pair => b << 32 | a & 0xffff_ffff,
        Op::ICmp { cmp, signed } => u64::from(compare(cmp, Some(order(signed)))),
        Op::Select => {
            if a != 0 {
                b
            } else {
                c
            }
        }
        _ => return None,
    };
    Some(cut(result, ty))
}

/// Truncates to the bits of a type.
pub fn cut(bits: u64, ty: Type) -> u64 {
    match ty {
        Type::I1 => bits & 1,
        Type::F16 => bits & 0xffff,
        Type::I32 | Type::F32 | Type::F16x2 | Type::Bf16x2 => bits & 0xffff_ffff,
        Type::I64 | Type::F64 => bits,
    }
}

/// The result of a comparison; an order of `None` means that an operand is NaN.
pub fn compare(cmp: Compare, order: Option<std::cmp::Ordering>) -> bool {
    let Some(order) = order else {
        return matches!(
            cmp,
            Compare::Ltu
                | Compare::Leu
                | Compare::Gtu
                | Compare::Geu
                | Compare::Equ
                | Compare::Neu
                | Compare::Nan
        );
    };
    match cmp {
        Compare::Lt | Compare::Ltu => order.is_lt(),
        Compare::Le | Compare::Leu => order.is_le(),
        Compare::Gt | Compare::Gtu => order.is_gt(),
        Compare::Ge | Compare::Geu => order.is_ge(),
        Compare::Eq | Compare::Equ => order.is_eq(),
        Compare::Ne | Compare::Neu => order.is_ne(),
        Compare::Num => true,
        Compare::Nan => false,
    }
}

fn float(op: Op, ty: Type, arg_ty: Type, a: u64, b: u64, c: u64) -> Option<u64> {
    match op {
        Op::Select => return Some(if a != 0 { b } else { c }),
        Op::Bitcast => return Some(cut(a, ty)),
        Op::PackHalves => return Some(b << 16 | a),
        Op::PackFloats { bfloat16 } => {
            let round = if bfloat16 {
                bfloat16_from_f64
            } else {
                half_from_f64
            };
            let half = |bits| number(Type::F32, bits).map(|value| u64::from(round(value, Rounding::Rn)));
            return Some(half(b)? << 16 | half(a)?);
        }
        Op::PackFp8 { .. } | Op::UnpackFp8 { .. } => return None,
        Op::HalfLow => return Some(a & 0xffff),
        Op::HalfHigh => return Some(a >> 16),
        Op::Convert { from, to, round } => return convert(from, to, round, a),
        Op::FCmp(cmp) => {
            let order = number(arg_ty, a)?.partial_cmp(&number(arg_ty, b)?);
            return Some(u64::from(compare(cmp, order)));
        }
        Op::FNeg if matches!(ty, Type::F16x2 | Type::Bf16x2) => return Some(a ^ 0x8000_8000),
        Op::FNeg => return Some(a ^ sign(ty)),
        Op::FAbs if matches!(ty, Type::F16x2 | Type::Bf16x2) => return Some(a & !0x8000_8000),
        Op::FAbs => return Some(a & !sign(ty)),
        _ => {}
    }
    if ty == Type::F16x2 {
        let low = float(op, Type::F16, Type::F16, a & 0xffff, b & 0xffff, c & 0xffff)?;
        let high = float(op, Type::F16, Type::F16, a >> 16, b >> 16, c >> 16)?;
        return Some(high << 16 | low);
    }
    let (x, y, z) = (number(ty, a)?, number(ty, b)?, number(ty, c)?);
    let rn = Rounding::Rn;
    let result = match op {
        Op::FAdd(round) if round == rn => sum(ty, x, y),
        Op::FSub(round) if round == rn => sum(ty, x, -y),
        Op::FMul(round) if round == rn => match ty {
            Type::F32 => f64::from(x as f32 * y as f32),
            _ => x * y,
        },
        Op::FFma {
            round,
            truncating: false,
        } if round == rn => match ty {
            Type::F32 => f64::from(libm::fmaf(x as f32, y as f32, z as f32)),
            // The product of two halves is exact in double precision, and so is the sum, except for operands so
            // far apart that only the sticky bits are lost.
            _ => libm::fma(x, y, z),
        },
        Op::FFma { truncating: true, .. } => {
            let product = x * y;
            let bits = product.to_bits() & !0x1fff_ffff;
            let product = f64::from_bits(bits) as f32;
            f64::from(product + z as f32)
        }
        Op::FDiv(round) if round == rn => match ty {
            Type::F32 => f64::from(x as f32 / y as f32),
            _ => x / y,
        },
        Op::FRcp(round) if round == rn => match ty {
            Type::F32 => f64::from(1.0 / x as f32),
            _ => 1.0 / x,
        },
        Op::FSqrt(round) if round == rn => match ty {
            Type::F32 => f64::from((x as f32).sqrt()),
            _ => x.sqrt(),
        },
        Op::FMin => pick(x, y, x < y || (x == y && x.is_sign_negative())),
        Op::FMax => pick(x, y, x > y || (x == y && x.is_sign_positive())),
        Op::FSaturate => {
            if x.is_nan() {
                0.0
            } else {
                x.clamp(0.0, 1.0)
            }
        }
        Op::FRound(round) => round_to_integer(x, round),
        _ => return None,
    };
    Some(bits(ty, result))
}

fn sum(ty: Type, x: f64, y: f64) -> f64 {
    match ty {
        Type::F32 => f64::from(x as f32 + y as f32),
        _ => x + y,
    }
}

fn pick(x: f64, y: f64, first: bool) -> f64 {
    if x.is_nan() || (!y.is_nan() && !first) {
        y
    } else {
        x
    }
}

fn round_to_integer(x: f64, round: Rounding) -> f64 {
    match round {
        Rounding::Rn => libm::rint(x),
        Rounding::Rz => libm::trunc(x),
        Rounding::Rm => libm::floor(x),
        Rounding::Rp => libm::ceil(x),
    }
}

const fn sign(ty: Type) -> u64 {
    match ty {
        Type::F64 => 1 << 63,
        Type::F16 => 1 << 15,
        _ => 1 << 31,
    }
}

/// The value of the bits of a floating-point type.
pub fn number(ty: Type, bits: u64) -> Option<f64> {
    Some(match ty {
        Type::F32 => f64::from(f32::from_bits(bits as u32)),
        Type::F64 => f64::from_bits(bits),
        Type::F16 => half_to_f64(bits as u16),
        _ => return None,
    })
}

fn bits(ty: Type, number: f64) -> u64 {
    match ty {
        Type::F32 => u64::from((number as f32).to_bits()),
        Type::F16 => u64::from(half_from_f64(number, Rounding::Rn)),
        _ => number.to_bits(),
    }
}

/// Converts between number types.
pub fn convert(from: Num, to: Num, round: Rounding, a: u64) -> Option<u64> {
    let source = match from {
        Num::F16 => Source::Float(half_to_f64(a as u16)),
        Num::F16x2 => return None,
        Num::F32 => Source::Float(f64::from(f32::from_bits(a as u32))),
        Num::F64 => Source::Float(f64::from_bits(a)),
        Num::S8 | Num::S16 | Num::S32 => Source::Int(i128::from(a as u32 as i32)),
        Num::U8 | Num::U16 | Num::U32 => Source::Int(i128::from(a as u32)),
        Num::S64 => Source::Int(i128::from(a as i64)),
        Num::U64 => Source::Int(i128::from(a)),
    };
    match (source, to) {
        (Source::Float(x), Num::F64) => Some(x.to_bits()),
        (Source::Float(x), Num::F32) => Some(u64::from(single(x, round).to_bits())),
        (Source::Float(x), Num::F16) => Some(u64::from(half_from_f64(x, round))),
        (Source::Float(x), _) => {
            let (low, high) = range(to);
            let value = if x.is_nan() {
                // As the hardware does.
                match (from, to) {
                    (_, Num::S64 | Num::U64) => 1_u64 << 63,
                    (Num::F64, _) => 1 << 31,
                    _ => 0,
                }
            } else {
                (round_to_integer(x, round) as i128).clamp(low, high) as u64
            };
            let wide = matches!(to, Num::S64 | Num::U64);
            Some(if wide { value } else { value & 0xffff_ffff })
        }
        (Source::Int(x), Num::F64) if round == Rounding::Rn || x.unsigned_abs() < 1 << 53 => {
            Some((x as f64).to_bits())
        }
        (Source::Int(x), Num::F32) if round == Rounding::Rn => Some(u64::from((x as f32).to_bits())),
        (Source::Int(x), Num::F32) if x.unsigned_abs() < 1 << 53 => {
            Some(u64::from(single(x as f64, round).to_bits()))
        }
        (Source::Int(x), Num::F16) => {
            // Beyond 2^53 a half is infinite in any case.
            Some(u64::from(half_from_f64(x as f64, round)))
        }
        _ => None,
    }
}

enum Source {
    Float(f64),
    Int(i128),
}

const fn range(ty: Num) -> (i128, i128) {
    match ty {
        Num::U8 => (0, 0xff),
        Num::S8 => (-0x80, 0x7f),
        Num::U16 => (0, 0xffff),
        Num::S16 => (-0x8000, 0x7fff),
        Num::U32 => (0, u32::MAX as i128),
        Num::U64 => (0, u64::MAX as i128),
        Num::S64 => (i64::MIN as i128, i64::MAX as i128),
        _ => (i32::MIN as i128, i32::MAX as i128),
    }
}

fn single(x: f64, round: Rounding) -> f32 {
    let near = x as f32;
    let back = f64::from(near);
    if back == x || x.is_nan() || x.is_infinite() {
        return near;
    }
    let down = if back > x { near.next_down() } else { near };
    let up = if back < x { near.next_up() } else { near };
    match round {
        Rounding::Rn => near,
        Rounding::Rz => {
            if x > 0.0 {
                down
            } else {
                up
            }
        }
        Rounding::Rm => down,
        Rounding::Rp => up,
    }
}

/// The value of half-precision bits.
pub fn half_to_f64(bits: u16) -> f64 {
    let sign = if bits & 0x8000 == 0 { 1.0 } else { -1.0 };
    let fraction = f64::from(bits & 0x3ff);
    match bits >> 10 & 0x1f {
        0 => sign * fraction / 16_777_216.0,
        31 if fraction == 0.0 => sign * f64::INFINITY,
        31 => f64::NAN,
        exponent => {
            let scale = f64::from_bits((u64::from(exponent) + 1023 - 15) << 52);
            sign * (1.0 + fraction / 1024.0) * scale
        }
    }
}

/// Rounds a number to the high half of a single.
pub fn bfloat16_from_f64(x: f64, round: Rounding) -> u16 {
    if x.is_nan() {
        return 0x7fff;
    }
    let negative = x.is_sign_negative();
    let sign = u16::from(negative) << 15;
    let magnitude = x.abs();
    let away = match round {
        Rounding::Rn => None,
        Rounding::Rz => Some(false),
        Rounding::Rm => Some(negative),
        Rounding::Rp => Some(!negative),
    };
    if magnitude.is_infinite() {
        return sign | 0x7f80;
    }
    // In units of the last place at this exponent.
    let exponent = ((magnitude.to_bits() >> 52) as i32 - 1023).max(-126);
    let unit = f64::from_bits(((exponent - 7 + 1023) as u64) << 52);
    let count = magnitude / unit;
    let rounded = match away {
        None => libm::rint(count),
        Some(true) => libm::ceil(count),
        Some(false) => libm::floor(count),
    };
    let value = rounded * unit;
    // Beyond the largest finite number, which is less than 2^128.
    if value >= 340_282_366_920_938_463_463_374_607_431_768_211_456.0 {
        return sign | if away == Some(false) { 0x7f7f } else { 0x7f80 };
    }
    sign | ((value as f32).to_bits() >> 16) as u16
}

/// Rounds a number to half precision.
pub fn half_from_f64(x: f64, round: Rounding) -> u16 {
    if x.is_nan() {
        return 0x7fff;
    }
    let negative = x.is_sign_negative();
    let sign = u16::from(negative) << 15;
    let magnitude = x.abs();
    let away = match round {
        Rounding::Rn => None,
        Rounding::Rz => Some(false),
        Rounding::Rm => Some(negative),
        Rounding::Rp => Some(!negative),
    };
    if magnitude.is_infinite() {
        return sign | 0x7c00;
    }
    // In units of the last place at this exponent.
    let exponent = ((magnitude.to_bits() >> 52) as i32 - 1023).max(-14);
    let unit = f64::from_bits(((exponent - 10 + 1023) as u64) << 52);
    let count = magnitude / unit;
    let rounded = match away {
        None => libm::rint(count),
        Some(true) => libm::ceil(count),
        Some(false) => libm::floor(count),
    };
    let value = rounded * unit;
    if value >= 65536.0 {
        return sign | if away == Some(false) { 0x7bff } else { 0x7c00 };
    }
    if value < 1.0 / 16384.0 {
        return sign | (value * 16_777_216.0) as u16;
    }
    let bits = value.to_bits();
    let exponent = (bits >> 52) as i32 - 1023 + 15;
    sign | (exponent as u16) << 10 | (bits >> 42 & 0x3ff) as u16
}
