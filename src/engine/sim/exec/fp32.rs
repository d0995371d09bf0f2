//! Single-precision arithmetic of all lanes.

use super::registers::OperandBuffer;
use super::{Context, Each, Registers, Row, float, lanes_where, special, zip, zip3};
use crate::isa::{Cmp, Instruction, Op, Round};

/// The lanes for which a single-precision comparison holds.
pub(super) fn compare_fp32(x: &Row, y: &Row, cmp: Cmp) -> u32 {
    let singles = |lane: usize| (f32::from_bits(x[lane]), f32::from_bits(y[lane]));
    let compared = |cmp| {
        lanes_where(|lane| {
            let (x, y) = singles(lane);
            float::compare(x, y, cmp)
        })
    };
    // The common comparisons are constant in their loop over the lanes.
    match cmp {
        Cmp::Lt => compared(Cmp::Lt),
        Cmp::Gt => compared(Cmp::Gt),
        Cmp::Le => compared(Cmp::Le),
        Cmp::Ge => compared(Cmp::Ge),
        Cmp::Eq => compared(Cmp::Eq),
        Cmp::Neu => compared(Cmp::Neu),
        other => compared(other),
    }
}

/// FFMA of all lanes, rounded once to nearest.
///
/// The product of two single-precision values is exact in double precision. Rounding the sum to double and
/// then to single precision is wrong only for some sums that [`is_doubtful`] flags. A row with such a lane is
/// rare and is computed lane by lane.
fn fused_nearest(x: &Row, y: &Row, z: &Row) -> Row {
    let wide = |lane: usize| {
        let [x, y, z] = [x[lane], y[lane], z[lane]].map(|bits| f64::from(f32::from_bits(bits)));
        (x * y, z)
    };
    let mut result = [0; 32];
    let mut doubtful = 0;
    #[expect(
        clippy::needless_range_loop,
        reason = "this loop is hot, and another form could change its vector instructions"
    )]
    for lane in 0..32 {
        let (product, addend) = wide(lane);
        let sum = product + addend;
        result[lane] = float::bits_f32(sum as f32);
        doubtful |= is_doubtful(sum, result[lane]);
    }
    if doubtful == 0 {
        return result;
    }
    // A sum that is exact in double precision is rounded once, even at a halfway case.
    let mut wrong = 0;
    #[expect(
        clippy::needless_range_loop,
        reason = "this loop is hot, and another form could change its vector instructions"
    )]
    for lane in 0..32 {
        let (product, addend) = wide(lane);
        let sum = product + addend;
        let is_inexact = u32::from(sum - product != addend) | u32::from(sum - addend != product);
        wrong |= is_doubtful(sum, result[lane]) & is_inexact;
    }
    if wrong != 0 {
        result = zip3(x, y, z, |x, y, z| {
            let [x, y, z] = [x, y, z].map(f32::from_bits);
            float::bits_f32(float::fma_f32(x, y, z, Round::Rn))
        });
    }
    result
}

/// Returns 1 where the second rounding of a double can be wrong: halfway between two single-precision values,
/// and for a subnormal result, whose halfway points are at other bits. A result of zero is correct, because
/// so small a sum is exact: a nonzero addend is at least 2^-149, the product is nearly as large, and their
/// difference is exact.
///
/// The result is a number, because branches would prevent vectorization.
#[inline(always)]
fn is_doubtful(sum: f64, nearest: u32) -> u32 {
    let is_halfway = sum.to_bits() as u32 & 0x1fff_ffff == 0x1000_0000;
    let is_subnormal = (nearest & 0x7fff_ffff).wrapping_sub(1) < 0x0080_0000;
    u32::from(is_halfway) | u32::from(is_subnormal)
}

/// The first two operands, as references or in the given storage.
#[inline(always)]
fn pair<'a>(
    regs: &'a Registers,
    i: &Instruction,
    ctx: &Context<'_>,
    ftz: bool,
    room_a: &'a mut OperandBuffer,
    room_b: &'a mut OperandBuffer,
) -> (&'a Row, &'a Row) {
    let [a, b, _] = &i.srcs;
    (
        regs.single_in(a, ctx, ftz, room_a),
        regs.single_in(b, ctx, ftz, room_b),
    )
}

/// Executes single-precision arithmetic.
pub(super) fn execute_fp32(regs: &mut Registers, i: &Instruction, mask: u32, ctx: &Context<'_>) {
    let (mut room_a, mut room_b, mut room_c) = (None, None, None);
    let (mut flushes, mut saturates) = (false, false);
    let single = f32::from_bits;
    let mut row = match i.op {
        Op::Fadd { ftz, sat, round } => {
            let (x, y) = pair(regs, i, ctx, ftz, &mut room_a, &mut room_b);
            (flushes, saturates) = (ftz, sat);
            if matches!(round, Round::Rn) {
                zip(x, y, |x, y| float::bits_f32(single(x) + single(y)))
            } else {
                zip(x, y, |x, y| {
                    float::bits_f32(float::add_f32(single(x), single(y), round))
                })
            }
        }
        Op::Fmul { ftz, sat, round } => {
            let (x, y) = pair(regs, i, ctx, ftz, &mut room_a, &mut room_b);
            (flushes, saturates) = (ftz, sat);
            if matches!(round, Round::Rn) {
                zip(x, y, |x, y| float::bits_f32(single(x) * single(y)))
            } else {
                zip(x, y, |x, y| {
                    float::bits_f32(float::mul_f32(single(x), single(y), round))
                })
            }
        }
        Op::Ffma { ftz, sat, round } => {
            let (x, y) = pair(regs, i, ctx, ftz, &mut room_a, &mut room_b);
            let z = regs.single_in(&i.srcs[2], ctx, ftz, &mut room_c);
            (flushes, saturates) = (ftz, sat);
            if matches!(round, Round::Rn) {
                fused_nearest(x, y, z)
            } else {
                zip3(x, y, z, |x, y, z| {
                    float::bits_f32(float::fma_f32(single(x), single(y), single(z), round))
                })
            }
        }
        Op::Fmad { sat } => {
            let (x, y) = pair(regs, i, ctx, true, &mut room_a, &mut room_b);
            let z = regs.single_in(&i.srcs[2], ctx, true, &mut room_c);
            saturates = sat;
            zip3(x, y, z, float::fmad)
        }
        Op::Fmnmx { max, ftz } => {
            let (x, y) = pair(regs, i, ctx, ftz, &mut room_a, &mut room_b);
            zip(x, y, |x, y| float::min_max_f32(x, y, max))
        }
        Op::Mufu { func, ftz } => {
            let x = regs.single(&i.srcs[0], ctx, false);
            let mut row = [0; 32];
            for lane in 0..32 {
                if mask >> lane & 1 == 1 {
                    row[lane] = special::special_function(func, x[lane], ftz);
                }
            }
            row
        }
        _ => return,
    };
    if flushes {
        row = row.each(float::flush_f32);
    }
    if saturates {
        row = row.each(float::saturate_f32);
    }
    regs.set_row(i.dst, mask, &row);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::exec::by_lane;

    use proptest::prelude::*;

    /// Single-precision values of every kind; values near one, subnormals, and special values are as frequent
    /// as all others.
    fn single() -> impl Strategy<Value = u32> {
        prop_oneof![
            any::<u32>(),
            (0_u32..0x100, any::<bool>()).prop_map(|(low, high)| 0x3f80_0000 | low | u32::from(high) << 23),
            (0_u32..0x200_0000, any::<bool>()).prop_map(|(bits, minus)| bits | u32::from(minus) << 31),
            // Half of the significant bits, so that products end in zeros and sums are halfway cases.
            any::<u32>().prop_map(|bits| bits & 0xffff_f000),
            (0x2f80_0000_u32..0x3480_0000).prop_map(|bits| bits & 0xff80_0001),
            prop::sample::select(vec![
                0,
                0x8000_0000,
                1,
                0x8000_0001,
                0x007f_ffff,
                0x0080_0000,
                0x7f7f_ffff,
                0x7f80_0000,
                0xff80_0000,
                0x7fc0_0000,
                0x7f80_0001,
                0xffff_ffff,
                0x3f80_0000,
                0x3f80_0001,
                0x3f7f_ffff,
            ]),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]
        #[test]
        fn fused_rows_equal_the_library(
            lanes in prop::collection::vec((single(), single(), single()), 32),
        ) {
            let (x, y, z) = (by_lane(|i| lanes[i].0), by_lane(|i| lanes[i].1), by_lane(|i| lanes[i].2));
            let expected = zip3(&x, &y, &z, |x, y, z| {
                let [x, y, z] = [x, y, z].map(f32::from_bits);
                float::bits_f32(libm::fmaf(x, y, z))
            });
            prop_assert_eq!(fused_nearest(&x, &y, &z), expected);
            // One lane at a time, so that another doubtful lane cannot hide an undetected one.
            for lane in 0..32 {
                let alone = fused_nearest(&[x[lane]; 32], &[y[lane]; 32], &[z[lane]; 32]);
                prop_assert_eq!(alone, [expected[lane]; 32], "{:x} {:x} {:x}", x[lane], y[lane], z[lane]);
            }
        }
    }

    /// In double precision these sums round to halfway cases, although they are slightly more or less; also
    /// for subnormals.
    #[test]
    fn sums_near_halfway_cases_are_rounded_once() {
        let power = |exponent: i32| 2.0_f64.powi(exponent) as f32;
        let last = power(-23);
        let (up, down) = (1.0 + last, 1.0 - last);
        let mut twice = 0;
        for exponent in -149..=100 {
            let addend = power(exponent) + power(exponent.max(-126) - 5);
            for addend in [addend, addend.next_up(), addend.next_down()] {
                let half = f64::from(addend.next_up() - addend) / 2.0;
                let exponent = (half.to_bits() >> 52) as i32 - 1023;
                for (x, y) in [(up, up), (up, down), (down, down), (1.0, up), (1.0, 1.0)] {
                    let x = x * power(exponent / 2);
                    let y = y * power(exponent - exponent / 2);
                    for (x, z) in [(x, addend), (-x, addend), (x, -addend), (-x, -addend)] {
                        let expected = libm::fmaf(x, y, z);
                        let sum = f64::from(x) * f64::from(y) + f64::from(z);
                        twice += u32::from(sum as f32 != expected);
                        let [x, y, z] = [x, y, z].map(|value| [value.to_bits(); 32]);
                        assert_eq!(fused_nearest(&x, &y, &z), [expected.to_bits(); 32]);
                    }
                }
            }
        }
        assert!(twice > 100, "only {twice} sums would be rounded twice");
    }
}
