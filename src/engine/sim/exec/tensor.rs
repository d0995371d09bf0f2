//! Tensor cores: the results of HMMA, IMMA, BMMA, and DMMA.
//!
//! The PTX ISA documents the layout of elements in the lanes' registers ("Matrix Fragments for mma.m8n8k4",
//! and so on for each size). The code that ptxas 11.8 generates for mma.m8n8k4 shows that the steps of
//! HMMA.884 compute the parts of the sums in order. The rounding of sums is not documented. Fasi, Higham,
//! Mikaitis, and Pranesh ("Numerical behavior of NVIDIA tensor cores", `PeerJ` Computer Science 7:e330, 2021)
//! measured V100, T4, and A100. Products are exact. A group of products is added to the sum at a time: 4 on
//! V100 and T4, 8 on A100. The summands are aligned to the largest exponent, truncated to a few bits more
//! than single precision (none on V100), and added exactly. The result is truncated to single precision, or
//! rounded to nearest in half precision. On an H100, all 1024 results of the corpus case `wmma_32x32x48`
//! match 16 products at a time and 2 extra bits; with 1 extra bit, 685 results match. The corpus cases
//! `tensor_tf32` and `tensor_f64` hold its results for tf32 and double precision. Xie, Wang, Yang, and Yang ("MMA-Sim",
//! arXiv:2511.10909, 2025) compared the same bits with these chips and found no difference: none extra on V100, one on
//! Turing, Ampere, and Ada, two on Hopper. For 8-bit floats on Ada, they found 16 products at a time, 13 bits, and sums
//! of single precision with 13 bits.

mod sum;

use super::float::{narrow_f64, widen_bf16};
use super::half::{narrow_f16, widen_f16};
use super::{Context, Registers};
use crate::isa::{Instruction, Mma, MmaKind, Reg, Round, TensorUnit};

pub use sum::{Sum, factor_value, products_at_once, sum_of, sum_value};

/// Registers of an operand in each lane.
pub type Lanes<const N: usize> = [[u32; N]; 32];

/// How tensor cores add products in floating point.
struct Summation {
    /// Products that are added at a time.
    at_once: usize,
    /// Bits after the first one that aligned summands keep.
    kept_bits: i32,
    /// Bits after the first one of sums in single precision.
    sum_bits: i32,
    /// Sums are halves.
    half_sums: bool,
    /// The exponents of the smallest normal numbers of both factors. Subnormal numbers have the same exponent.
    least: [i32; 2],
}

/// The summation of an instruction; `None` for integers and doubles.
const fn sums(mma: Mma) -> Option<Summation> {
    let (half_sums, least, is_fp8) = match mma.kind {
        MmaKind::Quads { half_sums, .. } => (half_sums, [-14; 2], false),
        MmaKind::Halves {
            half_sums, bfloat16, ..
        } => (half_sums, [if bfloat16 { -126 } else { -14 }; 2], false),
        MmaKind::Tf32 => (false, [-126; 2], false),
        MmaKind::Fp8 {
            left_e5m2,
            right_e5m2,
            half_sums,
        } => {
            let least = [
                if left_e5m2 { -14 } else { -6 },
                if right_e5m2 { -14 } else { -6 },
            ];
            (half_sums, least, true)
        }
        _ => return None,
    };
    let (at_once, kept_bits) = match mma.unit {
        _ if is_fp8 => (16, 13),
        TensorUnit::Volta => (4, 23),
        TensorUnit::Turing => (4, 24),
        TensorUnit::Ampere => (8, 24),
        TensorUnit::Hopper => (16, 25),
    };
    Some(Summation {
        at_once,
        kept_bits,
        sum_bits: if is_fp8 { 13 } else { 23 },
        half_sums,
        least,
    })
}

/// One half of a register as a number.
fn half(word: u32, idx: usize, bfloat16: bool) -> f64 {
    let bits = (word >> (16 * idx)) as u16;
    if bfloat16 {
        widen_bf16(bits)
    } else {
        widen_f16(bits)
    }
}

/// A tf32 value: the low bits of the single-precision value are ignored.
fn tf32(word: u32) -> f64 {
    f64::from(f32::from_bits(word & 0xffff_e000))
}

/// One of the 8-bit floats in a register as a number. E4M3 has no infinity.
fn eighth(word: u32, idx: usize, e5m2: bool) -> f64 {
    widen_f16(super::float::widen_fp8((word >> (8 * idx)) as u8, e5m2))
}

/// Two registers as a double.
const fn double(words: &[u32]) -> f64 {
    f64::from_bits((words[1] as u64) << 32 | words[0] as u64)
}

/// The exponent of a finite nonzero number, as the cores compute it: a product's exponent is the sum of its
/// factors' exponents.
fn exponent(value: f64, least: i32) -> i32 {
    libm::ilogb(value).max(least)
}

/// The sum of finite products and a finite number before rounding; exact in a double.
fn aligned(how: &Summation, products: &[(f64, f64)], sum: f64) -> f64 {
    let [left, right] = how.least;
    let least_sum = if how.half_sums { -14 } else { -126 };
    let summands = products
        .iter()
        .filter(|(a, b)| *a != 0.0 && *b != 0.0)
        .map(|(a, b)| (a * b, exponent(*a, left) + exponent(*b, right)))
        .chain((sum != 0.0).then(|| (sum, exponent(sum, least_sum))));
    let Some(highest) = summands.clone().map(|(_, exponent)| exponent).max() else {
        // All summands are zero: the sum is negative if all of them are.
        return products
            .iter()
            .map(|(a, b)| a * b)
            .fold(sum, |sum, zero| sum + zero);
    };
    let last_bit = highest - how.kept_bits;
    let total: f64 = summands
        .map(|(value, _)| libm::trunc(libm::ldexp(value, -last_bit)))
        .sum();
    libm::ldexp(total, last_bit)
}

/// One step: adds products to a sum, whose bits are in single or half precision.
fn step(how: &Summation, products: &[(f64, f64)], bits: u32) -> u32 {
    let sum = if how.half_sums {
        widen_f16(bits as u16)
    } else {
        f64::from(f32::from_bits(bits))
    };
    let is_finite = sum.is_finite() && products.iter().all(|(a, b)| a.is_finite() && b.is_finite());
    let value = if is_finite {
        aligned(how, products, sum)
    } else {
        products.iter().map(|(a, b)| a * b).sum::<f64>() + sum
    };
    if how.half_sums {
        return u32::from(narrow_f16(value, Round::Rn));
    }
    let after = narrow_f64(value, Round::Rz).to_bits();
    if is_finite {
        after >> (23 - how.sum_bits) << (23 - how.sum_bits)
    } else {
        after
    }
}

/// Adds all products of a row and a column to a sum, in steps of the unit's size. Products of integers and doubles have
/// no steps, and leave the sum as it is.
fn dot(mma: Mma, products: &[(f64, f64)], sum: u32) -> u32 {
    let Some(how) = sums(mma) else {
        return sum;
    };
    products
        .chunks(how.at_once)
        .fold(sum, |sum, products| step(&how, products, sum))
}

/// The same for 8-bit floats on 9.0, as the compiler's code does: two HMMA, whose factors are the first and the second two of
/// each four, and an addition.
fn dot_of_halves(half_sums: bool, products: &[(f64, f64)], sum: u32) -> u32 {
    let mma = Mma {
        kind: MmaKind::Halves {
            k16: true,
            bfloat16: false,
            half_sums,
        },
        unit: TensorUnit::Hopper,
    };
    let [first, second] = [0, 2].map(|from| {
        let fours = products.chunks(4);
        fours
            .flat_map(|four| four[from..from + 2].to_vec())
            .collect::<Vec<_>>()
    });
    let product = dot(mma, &second, dot(mma, &first, 0));
    if half_sums {
        let total = widen_f16(sum as u16) + widen_f16(product as u16);
        u32::from(narrow_f16(total, Round::Rn))
    } else {
        super::float::bits_f32(f32::from_bits(sum) + f32::from_bits(product))
    }
}

/// The result of an instruction: the product of `a` and b, added to c. Registers that an operand does not have
/// are 0.
pub fn multiply(mma: Mma, a: &Lanes<4>, b: &Lanes<2>, c: &Lanes<4>) -> Lanes<4> {
    match mma.kind {
        MmaKind::Quads { .. } => quads(mma, a, b, c),
        MmaKind::Halves {
            k16,
            bfloat16,
            half_sums,
        } => {
            let depth = if k16 { 16 } else { 8 };
            let left = |row: usize, k: usize| {
                let lane = row % 8 * 4 + k % 8 / 2;
                half(a[lane][row / 8 + k / 8 * 2], k % 2, bfloat16)
            };
            let right = |k: usize, column: usize| half(b[column * 4 + k % 8 / 2][k / 8], k % 2, bfloat16);
            sums_of_16_rows(half_sums, c, |row, column, sum| {
                let products: Vec<(f64, f64)> =
                    (0..depth).map(|k| (left(row, k), right(k, column))).collect();
                dot(mma, &products, sum)
            })
        }
        MmaKind::Fp8 {
            left_e5m2,
            right_e5m2,
            half_sums,
        } => {
            let left = |row: usize, k: usize| {
                let word = a[row % 8 * 4 + k % 16 / 4][row / 8 + k / 16 * 2];
                eighth(word, k % 4, left_e5m2)
            };
            let right =
                |k: usize, column: usize| eighth(b[column * 4 + k % 16 / 4][k / 16], k % 4, right_e5m2);
            sums_of_16_rows(half_sums, c, |row, column, sum| {
                let products: Vec<(f64, f64)> = (0..32).map(|k| (left(row, k), right(k, column))).collect();
                if mma.unit == TensorUnit::Hopper {
                    dot_of_halves(half_sums, &products, sum)
                } else {
                    dot(mma, &products, sum)
                }
            })
        }
        MmaKind::Tf32 => {
            let left = |row: usize, k: usize| tf32(a[row % 8 * 4 + k][row / 8]);
            let right = |k: usize, column: usize| tf32(b[column * 4 + k][0]);
            sums_of_16_rows(false, c, |row, column, sum| {
                let products: [(f64, f64); 4] = std::array::from_fn(|k| (left(row, k), right(k, column)));
                dot(mma, &products, sum)
            })
        }
        MmaKind::Doubles => std::array::from_fn(|lane| {
            let (row, column) = (lane / 4, lane % 4 * 2);
            let sum = |odd: usize| {
                (0..4).fold(double(&c[lane][2 * odd..]), |sum, k| {
                    libm::fma(double(&a[row * 4 + k]), double(&b[(column + odd) * 4 + k]), sum)
                })
            };
            let (even, odd) = (sum(0).to_bits(), sum(1).to_bits());
            [even as u32, (even >> 32) as u32, odd as u32, (odd >> 32) as u32]
        }),
        MmaKind::Bytes {
            rows16,
            signed,
            saturate,
        } => integers(rows16, saturate, c, |row, column| {
            (0..16)
                .map(|k| {
                    let left = bits(a[row % 8 * 4 + k / 4][row / 8], 8, k % 4, signed);
                    left * bits(b[column * 4 + k / 4][0], 8, k % 4, signed)
                })
                .sum()
        }),
        MmaKind::Nibbles { signed, saturate } => integers(false, saturate, c, |row, column| {
            (0..32)
                .map(|k| {
                    let left = bits(a[row * 4 + k / 8][0], 4, k % 8, signed);
                    left * bits(b[column * 4 + k / 8][0], 4, k % 8, signed)
                })
                .sum()
        }),
        MmaKind::Bits { and } => integers(false, false, c, |row, column| {
            (0..4)
                .map(|word| {
                    let (left, right) = (a[row * 4 + word][0], b[column * 4 + word][0]);
                    let both = if and { left & right } else { left ^ right };
                    i64::from(both.count_ones())
                })
                .sum()
        }),
    }
}

/// A number of `width` bits in a register.
fn bits(word: u32, width: u32, idx: usize, signed: bool) -> i64 {
    let high = word << (32 - width * (idx as u32 + 1));
    if signed {
        i64::from(high as i32 >> (32 - width))
    } else {
        i64::from(high >> (32 - width))
    }
}

/// Updates sums of 16 rows and 8 columns in single or half precision.
fn sums_of_16_rows(half_sums: bool, c: &Lanes<4>, sum: impl Fn(usize, usize, u32) -> u32) -> Lanes<4> {
    let mut out = [[0; 4]; 32];
    for row in 0..16 {
        for column in 0..8 {
            let lane = row % 8 * 4 + column / 2;
            let (high_row, odd) = (row / 8, column % 2);
            let (register, shift) = if half_sums {
                (high_row, 16 * odd)
            } else {
                (2 * high_row + odd, 0)
            };
            let after = sum(row, column, c[lane][register] >> shift);
            let after = if half_sums { after & 0xffff } else { after };
            out[lane][register] |= after << shift;
        }
    }
    out
}

/// Updates integer sums of 8 or 16 rows and 8 columns.
fn integers(rows16: bool, saturate: bool, c: &Lanes<4>, product: impl Fn(usize, usize) -> i64) -> Lanes<4> {
    let num = if rows16 { 4 } else { 2 };
    std::array::from_fn(|lane| {
        std::array::from_fn(|register| {
            if register >= num {
                return 0;
            }
            let (row, column) = (lane / 4 + register / 2 * 8, lane % 4 * 2 + register % 2);
            let sum = i64::from(c[lane][register] as i32) + product(row, column);
            if saturate {
                sum.clamp(i32::MIN.into(), i32::MAX.into()) as u32
            } else {
                sum as u32
            }
        })
    })
}

/// HMMA.884: lanes 4 q to 4 q + 3 and 4 q + 16 to 4 q + 19 compute one of four products of 8 rows and 8
/// columns.
fn quads(mma: Mma, a: &Lanes<4>, b: &Lanes<2>, c: &Lanes<4>) -> Lanes<4> {
    let MmaKind::Quads {
        step,
        left_columns,
        right_rows,
        half_sums,
    } = mma.kind
    else {
        return [[0; 4]; 32];
    };
    // Element `minor` of the four elements that lane `major` of eight lanes holds along rows or columns. With
    // `across`, the roles are swapped, and each half of the lanes holds four of the eight.
    let factor = |words: &dyn Fn(usize) -> [u32; 2], quad: usize, line: usize, k: usize, across: bool| {
        let (lane, idx) = if across {
            (k + line / 4 * 16, line % 4)
        } else {
            (line % 4 + line / 4 * 16, k)
        };
        half(words(quad * 4 + lane)[idx / 2], idx % 2, false)
    };
    let left_words = |lane: usize| [a[lane][0], a[lane][1]];
    let right_words = |lane: usize| b[lane];
    let sum = |quad: usize, row: usize, column: usize, before: u32| {
        let products: [(f64, f64); 4] = std::array::from_fn(|k| {
            let left = factor(&left_words, quad, row, k, left_columns);
            (left, factor(&right_words, quad, column, k, right_rows))
        });
        dot(mma, &products, before)
    };
    let step = usize::from(step);
    std::array::from_fn(|lane| {
        let (quad, lower, own) = (lane / 4 % 4, lane / 16 * 4, lane % 4);
        let register = |register: usize| {
            let before = c[lane][register];
            if half_sums {
                let column = step * 4 + 2 * register;
                let low = sum(quad, lower + own, column, before & 0xffff);
                let high = sum(quad, lower + own, column + 1, before >> 16);
                low & 0xffff | high << 16
            } else {
                let row = lower + own % 2 + step % 2 * 2;
                sum(quad, row, step / 2 * 4 + own / 2 * 2 + register, before)
            }
        };
        [register(0), register(1), 0, 0]
    })
}

/// Executes a matrix product for the lanes of `mask`.
pub fn execute(regs: &mut Registers, i: &Instruction, mma: Mma, mask: u32, ctx: &Context<'_>) {
    let operand = |idx: usize| regs.words(&i.srcs[idx], usize::from(i.op.source_widths()[idx]), ctx);
    let (a, b, c) = (operand(0), operand(1), operand(2));
    let b: Lanes<2> = b.map(|[first, second, ..]| [first, second]);
    let result = multiply(mma, &a, &b, &c);
    for word in 0..i.op.destination_width() {
        let row = std::array::from_fn(|lane| result[lane][usize::from(word)]);
        let reg = Reg(i.dst.0.saturating_add(word));
        regs.set_row(if i.dst == crate::isa::RZ { i.dst } else { reg }, mask, &row);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sums_of(unit: TensorUnit, bfloat16: bool, half_sums: bool) -> Summation {
        let kind = MmaKind::Halves {
            k16: true,
            bfloat16,
            half_sums,
        };
        sums(Mma { kind, unit }).expect("a floating-point type")
    }

    #[test]
    fn small_summands_are_truncated_before_the_addition() {
        // 2^-25 and 2^-26 are the two bits below single precision of 1 that H100 keeps.
        let one = 1.0_f32.to_bits();
        let tiny = |exponent: i32| (libm::ldexp(1.0, exponent), 1.0);
        let sum =
            |unit, products: &[(f64, f64)]| f32::from_bits(step(&sums_of(unit, true, false), products, one));
        let four = [tiny(-25); 4];
        assert_eq!(sum(TensorUnit::Hopper, &four), 1.0 + libm::exp2f(-23.0));
        assert_eq!(sum(TensorUnit::Hopper, &[tiny(-26); 4]), 1.0);
        assert_eq!(sum(TensorUnit::Ampere, &four), 1.0);
        assert_eq!(sum(TensorUnit::Ampere, &[tiny(-24); 2]), 1.0 + libm::exp2f(-23.0));
        assert_eq!(sum(TensorUnit::Volta, &[tiny(-24); 2]), 1.0);
    }

    #[test]
    fn results_are_truncated_to_single_precision_and_rounded_to_half() {
        let tiny = (-libm::ldexp(1.0, -24), 1.0);
        let cut = step(
            &sums_of(TensorUnit::Hopper, true, false),
            &[tiny],
            (-1.0_f32).to_bits(),
        );
        assert_eq!(f32::from_bits(cut), -1.0);
        let half = |product| step(&sums_of(TensorUnit::Hopper, false, true), &[product], 0x3c00);
        assert_eq!(half((libm::ldexp(3.0, -12), 1.0)), 0x3c01);
        assert_eq!(half((f64::INFINITY, 0.0)), 0x7fff);
    }
}
