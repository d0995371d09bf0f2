//! What an instruction computes in one lane: the definition, in Rust's own wide integers.
//!
//! The untimed interpreter evaluates every instruction here, the machine those without row code of
//! their own. `exec` and its other files compute the frequent instructions for 32 lanes at once; tests
//! run random programs on both and compare their memory.

use super::{float, half, special};
use crate::isa::describe::Reading;
use crate::isa::{BoolOp, Cmp, Instruction, NumType, Op, Round};

fn signed(bits: u64) -> i64 {
    i64::from(bits as u32 as i32)
}

fn integer(bits: u64, is_signed: bool) -> i64 {
    if is_signed {
        signed(bits)
    } else {
        i64::from(bits as u32)
    }
}

fn single(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}

/// A floating-point operand after its modifiers.
const fn float_bits(reading: Reading, bits: u64, negate: bool, absolute: bool) -> u64 {
    let sign = match reading {
        Reading::Halves => 0x8000_8000,
        Reading::Half => 0x8000,
        Reading::Double => 1 << 63,
        _ => 1 << 31,
    };
    let bits = if absolute { bits & !sign } else { bits };
    if negate { bits ^ sign } else { bits }
}

/// Returns what an instruction computes in one lane: the result and the predicate. `operands` are the bits
/// of a, b, and c before their modifiers, `p` the predicate operands after theirs.
#[expect(clippy::too_many_lines, reason = "one arm an instruction")]
pub fn evaluate(i: &Instruction, operands: [u64; 3], p: [bool; 3]) -> (u64, Option<bool>) {
    let op = i.op;
    let description = op.describe();
    let [a, b, c] = [0, 1, 2].map(|idx| {
        let (bits, src) = (operands[idx], &i.srcs[idx]);
        match description.reading[idx] {
            // Its carry depends on the operands before negation.
            _ if matches!(op, Op::Iadd3 { .. }) => bits,
            reading @ (Reading::Single | Reading::Double | Reading::Half | Reading::Halves) => {
                float_bits(reading, bits, src.negate, src.absolute)
            }
            Reading::Bits if src.negate => u64::from(!(bits as u32)),
            Reading::Integer if src.negate && description.sources[idx] == 2 => bits.wrapping_neg(),
            Reading::Integer if src.negate => u64::from((bits as u32).wrapping_neg()),
            Reading::Bits | Reading::Integer => bits,
        }
    });
    let flushed = |bits: u64, ftz: bool| {
        single(if ftz {
            u64::from(float::flush_f32(bits as u32))
        } else {
            bits
        })
    };
    let finish = |value: f32, ftz: bool, sat: bool| {
        let mut bits = float::bits_f32(value);
        if ftz {
            bits = float::flush_f32(bits);
        }
        u64::from(if sat { float::saturate_f32(bits) } else { bits })
    };
    let nearest = |round: Round| matches!(round, Round::Rn);
    let value = match op {
        Op::Fadd { ftz, sat, round } => {
            let (x, y) = (flushed(a, ftz), flushed(b, ftz));
            finish(
                if nearest(round) {
                    x + y
                } else {
                    float::add_f32(x, y, round)
                },
                ftz,
                sat,
            )
        }
        Op::Fmul { ftz, sat, round } => {
            let (x, y) = (flushed(a, ftz), flushed(b, ftz));
            finish(
                if nearest(round) {
                    x * y
                } else {
                    float::mul_f32(x, y, round)
                },
                ftz,
                sat,
            )
        }
        Op::Ffma { ftz, sat, round } => {
            let (x, y, z) = (flushed(a, ftz), flushed(b, ftz), flushed(c, ftz));
            finish(
                if nearest(round) {
                    libm::fmaf(x, y, z)
                } else {
                    float::fma_f32(x, y, z, round)
                },
                ftz,
                sat,
            )
        }
        Op::Fmad { sat } => {
            // The product's significand has at most 48 bits; it is truncated to the first 24.
            let (x, y, z) = (flushed(a, true), flushed(b, true), flushed(c, true));
            let exact = f64::from(x) * f64::from(y);
            let cut = f64::from_bits(if exact.is_finite() {
                exact.to_bits() & !0x1fff_ffff
            } else {
                exact.to_bits()
            });
            finish(
                (cut as f32 * if (cut as f32).is_subnormal() { 0.0 } else { 1.0 }) + z,
                true,
                sat,
            )
        }
        Op::Fmnmx { max, ftz } => {
            let (x, y) = (flushed(a, ftz), flushed(b, ftz));
            u64::from(float::min_max_f32(x.to_bits(), y.to_bits(), max))
        }
        Op::Fsetp { cmp, bool_op, ftz } => {
            return (
                0,
                Some(joined(
                    float::compare(flushed(a, ftz), flushed(b, ftz), cmp),
                    p[0],
                    bool_op,
                )),
            );
        }
        Op::Rro { ex2: true } => u64::from(special::reduced_exponent(a as u32)),
        Op::Rro { ex2: false } => u64::from(special::reduced_angle(a as u32)),
        Op::Mufu { func, ftz } => u64::from(special::special_function(func, a as u32, ftz)),
        Op::Fchk => return (0, Some(float::division_needs_slow_path(a as u32, b as u32))),
        Op::Slow { path } => float::slow_path(path, a, b),
        Op::Dadd { round } => float::add_f64(f64::from_bits(a), f64::from_bits(b), round).to_bits(),
        Op::Dmul { round } => float::mul_f64(f64::from_bits(a), f64::from_bits(b), round).to_bits(),
        Op::Dfma { round } => {
            float::fma_f64(f64::from_bits(a), f64::from_bits(b), f64::from_bits(c), round).to_bits()
        }
        Op::Dmnmx { max } => float::min_max_f64(a, b, max),
        Op::Dsetp { cmp, bool_op } => {
            let holds = float::compare(f64::from_bits(a), f64::from_bits(b), cmp);
            return (0, Some(joined(holds, p[0], bool_op)));
        }
        Op::Hadd2 { ftz } => in_halves([a, b, c], |[x, y, _]| float::add_f16(x, y, ftz)),
        Op::Hmul2 { ftz } => in_halves([a, b, c], |[x, y, _]| float::mul_f16(x, y, ftz)),
        Op::Hfma2 { ftz } => in_halves([a, b, c], |[x, y, z]| float::fma_f16(x, y, z, ftz)),
        Op::Hmnmx2 { max } => in_halves([a, b, c], |[x, y, _]| float::min_max_f16(x, y, max)),
        Op::Hsetp2 { cmp, bool_op } => {
            let [x, y] = [a, b].map(|bits| half::widen_f16(bits as u16));
            return (0, Some(joined(float::compare(x, y, cmp), p[0], bool_op)));
        }
        Op::Hadd2F32 { high } => u64::from(float::add_half_to_single(a as u32, b as u32, high)),
        Op::Bf16 { op } => in_halves([a, b, c], |[x, y, z]| float::bf16(op, x, y, z)),
        Op::F2fp { bfloat16 } => u64::from(float::pack_floats(a as u32, b as u32, bfloat16)),
        Op::F2fpFp8 { e5m2 } => {
            let [high, low] = [a, b].map(|bits| u64::from(float::narrow_fp8(bits as u32, e5m2)));
            high << 8 | low
        }
        Op::UnpackFp8 { e5m2, high } => {
            let pair = if high { a >> 16 } else { a };
            let [low, high] = [pair, pair >> 8].map(|bits| u64::from(float::widen_fp8(bits as u8, e5m2)));
            high << 16 | low
        }
        Op::F2f {
            from: NumType::F16,
            to: NumType::F32,
            ..
        } => u64::from(float::bits_f32(half::widen_f16(a as u16) as f32)),
        Op::F2f { from, to, round, ftz } => float::convert_float(from, to, a, round, ftz),
        Op::F2i { from, to, round, ftz } => float::float_to_integer(from, to, a, round, ftz),
        Op::I2f { from, to, round } => float::integer_to_float(from, to, a, round),
        Op::I2i { from } => match from {
            NumType::U8 => a & 0xff,
            NumType::S8 => i64::from(a as i8) as u64,
            NumType::U16 => a & 0xffff,
            NumType::S16 => i64::from(a as i16) as u64,
            _ => a,
        },
        Op::Frnd { ty, round, ftz } => float::round_to_whole(ty, a, round, ftz),
        Op::Iadd3 { carry_out, carry_in } => return add3(i, [a, b, c], p[0], carry_out, carry_in),
        Op::Imul {
            signed: is_signed,
            high,
        } => product(a, b, is_signed) >> if high { 32 } else { 0 },
        Op::Imad {
            signed: is_signed,
            high,
        } => {
            let product = product(a, b, is_signed) >> if high { 32 } else { 0 };
            product.wrapping_add(c)
        }
        Op::ImadWide { signed: is_signed } => product(a, b, is_signed).wrapping_add(c),
        Op::Imad24 { signed: is_signed } => {
            let cut = |bits: u64| {
                let low = (bits & 0xff_ffff) as i64;
                if is_signed && low >= 0x80_0000 {
                    low - 0x100_0000
                } else {
                    low
                }
            };
            cut(a).wrapping_mul(cut(b)).wrapping_add(c as i64) as u64
        }
        Op::Xmad {
            a_hi,
            b_hi,
            a_signed,
            b_signed,
            shift_left,
            merge,
        } => {
            let part = |bits: u64, high: bool, is_signed: bool| {
                let part = (bits >> if high { 16 } else { 0 }) as u16;
                if is_signed {
                    i64::from(part as i16)
                } else {
                    i64::from(part)
                }
            };
            let product = part(a, a_hi, a_signed) * part(b, b_hi, b_signed);
            let product = if shift_left { product << 16 } else { product };
            let sum = product.wrapping_add(c as i64) as u64;
            if merge { sum & 0xffff | b << 16 } else { sum }
        }
        Op::Lea { shift } => (a << u32::from(shift).min(63)).wrapping_add(b),
        Op::Lop { op } => match op {
            BoolOp::And => a & b,
            BoolOp::Or => a | b,
            BoolOp::Xor => a ^ b,
        },
        Op::Lop3 { lut } => (0..32).fold(0, |word, bit| {
            let entry = (a >> bit & 1) << 2 | (b >> bit & 1) << 1 | c >> bit & 1;
            word | u64::from(lut >> entry & 1) << bit
        }),
        Op::Shl => u64::from((a as u32).checked_shl(b as u32).unwrap_or(0)),
        Op::Shr { signed: true } => (signed(a) >> (b as u32).min(31)) as u64,
        Op::Shr { signed: false } => u64::from((a as u32).checked_shr(b as u32).unwrap_or(0)),
        Op::Shf {
            left,
            wrap,
            signed: is_signed,
        } => {
            let pair = i128::from(integer(c, is_signed)) << 32 | i128::from(a as u32);
            let by = if wrap { b as u32 & 31 } else { (b as u32).min(64) };
            if left {
                ((pair << by) >> 32) as u64
            } else {
                (pair >> by) as u64
            }
        }
        Op::Imnmx {
            signed: is_signed,
            max,
        } => {
            let (x, y) = (integer(a, is_signed), integer(b, is_signed));
            (if max { x.max(y) } else { x.min(y) }) as u64
        }
        Op::Isetp {
            cmp,
            signed: is_signed,
            bool_op,
            extended,
        } => {
            let (x, y) = (integer(a, is_signed), integer(b, is_signed));
            let holds = if extended && x == y {
                p[1]
            } else {
                ordered(x, y, cmp)
            };
            return (0, Some(joined(holds, p[0], bool_op)));
        }
        Op::Iabs => signed(a).unsigned_abs(),
        Op::Popc => (0..32).map(|bit| a >> bit & 1).sum(),
        Op::Flo { signed: is_signed } => {
            let sign = if is_signed { a >> 31 & 1 } else { 0 };
            (0..32)
                .rev()
                .find(|bit| a >> bit & 1 != sign)
                .map_or(u64::MAX, |bit| bit as u64)
        }
        Op::Brev => (0..32).fold(0, |word, bit| word | (a >> bit & 1) << (31 - bit)),
        Op::Prmt => {
            let bytes = (u64::from(c as u32) << 32 | u64::from(a as u32)).to_le_bytes();
            (0..4).fold(0, |word, position| {
                let nibble = b >> (4 * position) & 15;
                let byte = bytes[(nibble & 7) as usize];
                let byte = if nibble >= 8 {
                    if byte >= 0x80 { 0xff } else { 0 }
                } else {
                    byte
                };
                word | u64::from(byte) << (8 * position)
            })
        }
        Op::Bfe { signed: is_signed } => {
            let (start, len) = (b & 255, b >> 8 & 255);
            let value = i128::from(integer(a, is_signed));
            if len == 0 {
                0
            } else {
                let moved = value >> start.min(100);
                let kept = len.min(64) as u32;
                let cut = moved & ((1_i128 << kept) - 1);
                let negative = is_signed && cut >> (kept - 1) & 1 == 1;
                (if negative { cut - (1_i128 << kept) } else { cut }) as u64
            }
        }
        Op::Bfi => {
            let (start, len) = (b & 255, b >> 8 & 255);
            (0..32).fold(0, |word, bit| {
                let inside = bit >= start && bit < start + len;
                let source = if inside { a >> (bit - start) } else { c >> bit };
                word | (source & 1) << bit
            })
        }
        Op::Sel => {
            if p[0] {
                a
            } else {
                b
            }
        }
        Op::Mov => a,
        Op::Plop3 { lut } => {
            let entry = u8::from(p[0]) << 2 | u8::from(p[1]) << 1 | u8::from(p[2]);
            return (0, Some(lut >> entry & 1 == 1));
        }
        _ => 0,
    };
    (value, None)
}

fn product(a: u64, b: u64, is_signed: bool) -> u64 {
    integer(a, is_signed).wrapping_mul(integer(b, is_signed)) as u64
}

fn add3(
    i: &Instruction,
    operands: [u64; 3],
    carry: bool,
    carry_out: bool,
    carry_in: bool,
) -> (u64, Option<bool>) {
    let mut sum = u64::from(carry_in && carry);
    for (bits, src) in operands.into_iter().zip(&i.srcs) {
        let word = bits as u32;
        sum += match (src.negate, carry_in) {
            (false, _) => u64::from(word),
            (true, true) => u64::from(!word),
            (true, false) => 0x1_0000_0000 - u64::from(word),
        };
    }
    (sum & 0xffff_ffff, carry_out.then_some(sum > 0xffff_ffff))
}

fn ordered(x: i64, y: i64, cmp: Cmp) -> bool {
    match cmp {
        Cmp::Lt | Cmp::Ltu => x < y,
        Cmp::Le | Cmp::Leu => x <= y,
        Cmp::Gt | Cmp::Gtu => x > y,
        Cmp::Ge | Cmp::Geu => x >= y,
        Cmp::Eq | Cmp::Equ => x == y,
        Cmp::Ne | Cmp::Neu => x != y,
        Cmp::Num => true,
        Cmp::Nan => false,
    }
}

const fn joined(a: bool, b: bool, op: BoolOp) -> bool {
    match op {
        BoolOp::And => a && b,
        BoolOp::Or => a || b,
        BoolOp::Xor => a != b,
    }
}

fn in_halves(words: [u64; 3], f: impl Fn([u16; 3]) -> u16) -> u64 {
    let low = f(words.map(|word| word as u16));
    let high = f(words.map(|word| (word >> 16) as u16));
    u64::from(high) << 16 | u64::from(low)
}
