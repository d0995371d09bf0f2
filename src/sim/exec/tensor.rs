//! Tensor cores: what HMMA computes.
//!
//! How elements lie in the lanes' registers is told by the PTX ISA ("Matrix Fragments for mma.m16n8k8" and
//! "mma.m16n8k16"). How sums are rounded is not documented. Fasi, Higham, Mikaitis, and Pranesh ("Numerical behavior of
//! NVIDIA tensor cores", PeerJ Computer Science 7:e330, 2021) found for V100, T4, and A100: products are exact; some of
//! them are added to the sum at a time, 4 on T4 and 8 on A100; they are aligned to the largest exponent, cut to a few bits
//! more than single precision has, and added exactly; the result is cut to single precision, or rounded to nearest
//! in half precision. On an H100 all 1024 results of the corpus case `wmma_32x32x48` are those of 16 products
//! at a time and 2 bits more; with 1 bit more 685 of them are.

use super::float::{narrow_f64, widen_bf16};
use super::half::{narrow_f16, widen_f16};
use super::{Context, Registers};
use crate::isa::{Instruction, Mma, Reg, Round, TensorUnit};

/// Registers of an operand in each lane.
pub type Lanes<const N: usize> = [[u32; N]; 32];

/// How a generation of tensor cores adds.
struct Sums {
    /// Products that are added at a time.
    at_once: usize,
    /// Bits beyond single precision that aligned summands keep.
    extra_bits: i32,
}

const fn sums(unit: TensorUnit) -> Sums {
    match unit {
        // The extra bit is an assumption on Turing and Ampere: the least that the paper's description allows.
        TensorUnit::Turing => Sums {
            at_once: 4,
            extra_bits: 1,
        },
        TensorUnit::Ampere => Sums {
            at_once: 8,
            extra_bits: 1,
        },
        TensorUnit::Hopper => Sums {
            at_once: 16,
            extra_bits: 2,
        },
    }
}

/// One half of a register as a number.
fn element(mma: Mma, word: u32, idx: usize) -> f64 {
    let bits = (word >> (16 * idx)) as u16;
    if mma.bfloat16 {
        widen_bf16(bits)
    } else {
        widen_f16(bits)
    }
}

/// The exponent of a number that is finite and not 0, as the cores have it: a product's is the sum of its factors'.
fn exponent(value: f64) -> i32 {
    libm::ilogb(value)
}

/// A sum of finite products and a finite number, before it is rounded; exact in a double.
fn aligned(products: &[(f64, f64)], sum: f64, extra_bits: i32) -> f64 {
    let summands = products
        .iter()
        .filter(|(a, b)| *a != 0.0 && *b != 0.0)
        .map(|(a, b)| (a * b, exponent(*a) + exponent(*b)))
        .chain((sum != 0.0).then(|| (sum, exponent(sum))));
    let Some(highest) = summands.clone().map(|(_, exponent)| exponent).max() else {
        // Only zeros: negative if all are.
        return products
            .iter()
            .map(|(a, b)| a * b)
            .fold(sum, |sum, zero| sum + zero);
    };
    let last_bit = highest - 23 - extra_bits;
    let total: f64 = summands
        .map(|(value, _)| libm::trunc(libm::ldexp(value, -last_bit)))
        .sum();
    libm::ldexp(total, last_bit)
}

/// One step: products added to a sum, whose bits are of single or half precision.
fn step(mma: Mma, products: &[(f64, f64)], bits: u32) -> u32 {
    let sum = if mma.half_sums {
        widen_f16(bits as u16)
    } else {
        f64::from(f32::from_bits(bits))
    };
    let is_finite = sum.is_finite() && products.iter().all(|(a, b)| a.is_finite() && b.is_finite());
    let value = if is_finite {
        aligned(products, sum, sums(mma.unit).extra_bits)
    } else {
        products.iter().map(|(a, b)| a * b).sum::<f64>() + sum
    };
    if mma.half_sums {
        u32::from(narrow_f16(value, Round::Rn))
    } else {
        narrow_f64(value, Round::Rz).to_bits()
    }
}

/// What HMMA computes: a product of 16 rows and 8 columns, added to c. Registers that an operand has not are 0.
pub fn multiply(mma: Mma, a: &Lanes<4>, b: &Lanes<2>, c: &Lanes<4>) -> Lanes<4> {
    let depth = if mma.k16 { 16 } else { 8 };
    let at_once = sums(mma.unit).at_once;
    let row_of_a = |row: usize, k: usize| {
        let lane = row % 8 * 4 + k % 8 / 2;
        element(mma, a[lane][row / 8 + k / 8 * 2], k % 2)
    };
    let column_of_b = |k: usize, column: usize| {
        let lane = column * 4 + k % 8 / 2;
        element(mma, b[lane][k / 8], k % 2)
    };
    let mut out = [[0; 4]; 32];
    for row in 0..16 {
        for column in 0..8 {
            let lane = row % 8 * 4 + column / 2;
            let (high_row, odd) = (row / 8, column % 2);
            let (register, shift) = if mma.half_sums {
                (high_row, 16 * odd)
            } else {
                (2 * high_row + odd, 0)
            };
            let products: Vec<(f64, f64)> = (0..depth)
                .map(|k| (row_of_a(row, k), column_of_b(k, column)))
                .collect();
            let before = c[lane][register] >> shift;
            let after = products
                .chunks(at_once)
                .fold(before, |sum, products| step(mma, products, sum));
            let after = if mma.half_sums { after & 0xffff } else { after };
            out[lane][register] |= after << shift;
        }
    }
    out
}

/// Executes HMMA for the lanes of `mask`.
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

    const HOPPER: Mma = Mma {
        k16: true,
        bfloat16: false,
        half_sums: false,
        unit: TensorUnit::Hopper,
    };

    #[test]
    fn small_summands_are_cut_before_they_are_added() {
        // 2^-25 and 2^-26 are the two bits that H100 keeps below single precision of 1.
        let one = 1.0_f32.to_bits();
        let tiny = |exponent: i32| (libm::ldexp(1.0, exponent), 1.0);
        let sum = |mma, products: &[(f64, f64)]| f32::from_bits(step(mma, products, one));
        let four = [tiny(-25); 4];
        assert_eq!(sum(HOPPER, &four), 1.0 + libm::exp2f(-23.0));
        assert_eq!(sum(HOPPER, &[tiny(-26); 4]), 1.0);
        let ampere = Mma {
            unit: TensorUnit::Ampere,
            ..HOPPER
        };
        assert_eq!(sum(ampere, &four), 1.0);
        assert_eq!(sum(ampere, &[tiny(-24); 2]), 1.0 + libm::exp2f(-23.0));
    }

    #[test]
    fn results_are_cut_to_single_precision_and_rounded_to_half() {
        let cut = f32::from_bits(step(
            HOPPER,
            &[(-libm::ldexp(1.0, -24), 1.0)],
            (-1.0_f32).to_bits(),
        ));
        assert_eq!(cut, -1.0);
        let half = Mma {
            half_sums: true,
            ..HOPPER
        };
        assert_eq!(step(half, &[(libm::ldexp(3.0, -12), 1.0)], 0x3c00), 0x3c01);
        assert_eq!(step(half, &[(f64::INFINITY, 0.0)], 0x3c00), 0x7fff);
    }
}
