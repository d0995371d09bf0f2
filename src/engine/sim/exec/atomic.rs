//! The effect of an atomic on the word in memory.

use super::float;
use super::half::{narrow_f16, widen_f16};
use crate::isa::{AtomOp, NumType, Round};

/// Bytes of the word that an atomic of a type updates.
pub const fn word_bytes(ty: NumType) -> u32 {
    match ty {
        NumType::U64 | NumType::S64 | NumType::F64 => 8,
        NumType::F16 | NumType::U16 | NumType::S16 => 2,
        _ => 4,
    }
}

/// The new word, from the old word, the operand, and the new value of a compare-and-swap. Single-precision
/// sums in global memory flush subnormals; sums in shared memory keep them.
pub fn apply(op: AtomOp, ty: NumType, old: u64, operand: u64, swap: u64, flush: bool) -> u64 {
    let signed = matches!(ty, NumType::S32 | NumType::S64 | NumType::S16 | NumType::S8);
    let order = |bits: u64| match ty {
        NumType::S64 => i128::from(bits as i64),
        _ if signed => i128::from(bits as u32 as i32),
        NumType::U64 => i128::from(bits),
        _ => i128::from(bits as u32),
    };
    let cut = |bits: u64| {
        if word_bytes(ty) == 8 {
            bits
        } else {
            u64::from(bits as u32)
        }
    };
    let result = match op {
        AtomOp::Add => add(ty, old, operand, flush),
        AtomOp::Min | AtomOp::Max => {
            let max = matches!(op, AtomOp::Max);
            match ty {
                NumType::F32 => u64::from(float::min_max_f32(old as u32, operand as u32, max)),
                NumType::F64 => float::min_max_f64(old, operand, max),
                _ if (order(operand) < order(old)) != max => operand,
                _ => old,
            }
        }
        AtomOp::Inc => {
            if order(old) >= order(operand) {
                0
            } else {
                old.wrapping_add(1)
            }
        }
        AtomOp::Dec => {
            if order(old) == 0 || order(old) > order(operand) {
                operand
            } else {
                old.wrapping_sub(1)
            }
        }
        AtomOp::And => old & operand,
        AtomOp::Or => old | operand,
        AtomOp::Xor => old ^ operand,
        AtomOp::Exch => operand,
        AtomOp::Cas | AtomOp::Cast => {
            if cut(old) == cut(operand) {
                swap
            } else {
                old
            }
        }
    };
    cut(result)
}

fn add(ty: NumType, old: u64, operand: u64, flush: bool) -> u64 {
    match ty {
        NumType::F32 => {
            let [a, b] = [old, operand].map(|bits| {
                f32::from_bits(if flush {
                    float::flush_f32(bits as u32)
                } else {
                    bits as u32
                })
            });
            let sum = float::bits_f32(a + b);
            u64::from(if flush { float::flush_f32(sum) } else { sum })
        }
        NumType::F64 => float::add_f64(f64::from_bits(old), f64::from_bits(operand), Round::Rn).to_bits(),
        NumType::F16x2 => {
            let half = |shift: u32| {
                let sum = float::add_f16((old >> shift) as u16, (operand >> shift) as u16, false);
                u64::from(sum) << shift
            };
            half(16) | half(0)
        }
        NumType::F16 => u64::from(narrow_f16(
            widen_f16(old as u16) + widen_f16(operand as u16),
            Round::Rn,
        )),
        _ => old.wrapping_add(operand),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_wrap_at_their_bound() {
        assert_eq!(apply(AtomOp::Inc, NumType::U32, 3, 3, 0, false), 0);
        assert_eq!(apply(AtomOp::Inc, NumType::U32, 2, 3, 0, false), 3);
        assert_eq!(apply(AtomOp::Dec, NumType::U32, 0, 3, 0, false), 3);
        assert_eq!(apply(AtomOp::Dec, NumType::U32, 9, 3, 0, false), 3);
        assert_eq!(apply(AtomOp::Dec, NumType::U32, 2, 3, 0, false), 1);
    }

    #[test]
    fn extremes_obey_the_sign() {
        let minus_one = u64::from(u32::MAX);
        assert_eq!(
            apply(AtomOp::Min, NumType::S32, 5, minus_one, 0, false),
            minus_one
        );
        assert_eq!(apply(AtomOp::Min, NumType::U32, 5, minus_one, 0, false), 5);
        assert_eq!(apply(AtomOp::Max, NumType::S32, 5, minus_one, 0, false), 5);
        assert_eq!(
            apply(AtomOp::Max, NumType::U32, 5, minus_one, 0, false),
            minus_one
        );
    }
}
