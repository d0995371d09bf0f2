//! One sum of a matrix product, step by step.

use super::{Lanes, dot, double, eighth, half, sums, tf32};
use crate::isa::{Mma, MmaKind};
use crate::sim::exec::half::widen_f16;

/// The computation of one sum by an instruction.
#[derive(Clone, Debug, PartialEq)]
pub struct Sum {
    /// The element of the third matrix, to which the products are added.
    pub first: f64,
    /// The factors, in order of the depth.
    pub products: Vec<(f64, f64)>,
    /// The sum after each step.
    pub after: Vec<f64>,
}

/// The number of products that the tensor cores add to a sum at a time, in this model.
pub fn products_at_once(mma: Mma) -> usize {
    let depth = mma.kind.depth();
    match (sums(mma), mma.kind) {
        (Some(how), _) => how.at_once.min(depth),
        (None, MmaKind::Doubles) => 1,
        // Sums of integers do not depend on the order.
        _ => depth,
    }
}

/// An element of the left or `right` factor as a number, from its bits.
pub fn factor_value(kind: MmaKind, right: bool, bits: u64) -> f64 {
    let signed = |is_signed: bool, width: u32| {
        if is_signed {
            ((bits << (64 - width)) as i64 >> (64 - width)) as f64
        } else {
            bits as f64
        }
    };
    match kind {
        MmaKind::Quads { .. } => half(bits as u32, 0, false),
        MmaKind::Halves { bfloat16, .. } => half(bits as u32, 0, bfloat16),
        MmaKind::Fp8 {
            left_e5m2,
            right_e5m2,
            ..
        } => eighth(bits as u32, 0, if right { right_e5m2 } else { left_e5m2 }),
        MmaKind::Tf32 => tf32(bits as u32),
        MmaKind::Doubles => f64::from_bits(bits),
        MmaKind::Bytes {
            signed: is_signed, ..
        } => signed(is_signed, 8),
        MmaKind::Nibbles {
            signed: is_signed, ..
        } => signed(is_signed, 4),
        MmaKind::Bits { .. } => bits as f64,
    }
}

/// A sum as a number, from the bits of an element.
pub fn sum_value(kind: MmaKind, bits: u64) -> f64 {
    match kind {
        MmaKind::Quads { half_sums, .. }
        | MmaKind::Halves { half_sums, .. }
        | MmaKind::Fp8 { half_sums, .. }
            if half_sums =>
        {
            widen_f16(bits as u16)
        }
        MmaKind::Quads { .. } | MmaKind::Halves { .. } | MmaKind::Fp8 { .. } | MmaKind::Tf32 => {
            f64::from(f32::from_bits(bits as u32))
        }
        MmaKind::Doubles => double(&[bits as u32, (bits >> 32) as u32]),
        MmaKind::Bytes { .. } | MmaKind::Nibbles { .. } | MmaKind::Bits { .. } => {
            f64::from(bits as u32 as i32)
        }
    }
}

/// The sum of a row and a column of one of the instruction's products. Factors and sums are in the registers of the
/// instruction; a sum that another step of HMMA.884 computes is not meaningful.
pub fn sum_of(
    mma: Mma,
    (a, b, c): (&Lanes<4>, &Lanes<2>, &Lanes<4>),
    product: usize,
    row: usize,
    column: usize,
) -> Sum {
    let kind = mma.kind;
    let products: Vec<(f64, f64)> = (0..kind.depth())
        .map(|k| {
            let (left, right) = (
                kind.factor(false, product, row, k),
                kind.factor(true, product, column, k),
            );
            (
                factor_value(kind, false, left.bits_in(&a[usize::from(left.lane)])),
                factor_value(kind, true, right.bits_in(&b[usize::from(right.lane)])),
            )
        })
        .collect();
    let place = kind.sum(product, row, column);
    let bits = place.bits_in(&c[usize::from(place.lane)]);
    let steps = products.chunks(products_at_once(mma));
    let after = match kind {
        MmaKind::Quads { .. } | MmaKind::Halves { .. } | MmaKind::Fp8 { .. } | MmaKind::Tf32 => {
            running(steps, bits as u32, |sum, step| dot(mma, step, sum))
                .map(|bits| sum_value(kind, bits.into()))
                .collect()
        }
        MmaKind::Doubles => running(steps, f64::from_bits(bits), |sum, step| {
            step.iter().fold(sum, |sum, (a, b)| libm::fma(*a, *b, sum))
        })
        .collect(),
        MmaKind::Bytes { saturate, .. } | MmaKind::Nibbles { saturate, .. } => {
            let total: i64 = products.iter().map(|(a, b)| (a * b) as i64).sum();
            let total = total + i64::from(bits as u32 as i32);
            let limited = total.clamp(i32::MIN.into(), i32::MAX.into()) as i32;
            vec![f64::from(if saturate { limited } else { total as i32 })]
        }
        MmaKind::Bits { and } => {
            let counts = products
                .iter()
                .map(|(a, b)| if and { a * b } else { (a - b).abs() });
            let total = counts.sum::<f64>() as i64 + i64::from(bits as u32 as i32);
            vec![f64::from(total as i32)]
        }
    };
    Sum {
        first: sum_value(kind, bits),
        products,
        after,
    }
}

/// The values of a sum after each step.
fn running<'a, T: Copy + 'a>(
    steps: impl Iterator<Item = &'a [(f64, f64)]> + 'a,
    first: T,
    add: impl Fn(T, &[(f64, f64)]) -> T + 'a,
) -> impl Iterator<Item = T> + 'a {
    steps.scan(first, move |sum, step| {
        *sum = add(*sum, step);
        Some(*sum)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isa::TensorUnit;
    use crate::sim::exec::tensor::multiply;

    /// Words of a linear congruential sequence. Half-precision, tf32, and double-precision numbers stay finite.
    fn words<const N: usize>(seed: &mut u32, keep: u32) -> Lanes<N> {
        std::array::from_fn(|_| {
            std::array::from_fn(|_| {
                *seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                *seed & keep
            })
        })
    }

    #[test]
    fn every_sum_is_the_one_that_the_instruction_computes() {
        let mut kinds = Vec::new();
        for half_sums in [false, true] {
            for k16 in [false, true] {
                kinds.push(MmaKind::Halves {
                    k16,
                    bfloat16: false,
                    half_sums,
                });
            }
            for (left_columns, right_rows) in [(false, false), (true, false), (false, true), (true, true)] {
                for step in 0..if half_sums { 2 } else { 4 } {
                    kinds.push(MmaKind::Quads {
                        step,
                        left_columns,
                        right_rows,
                        half_sums,
                    });
                }
            }
        }
        for on in [false, true] {
            kinds.push(MmaKind::Bytes {
                rows16: on,
                signed: true,
                saturate: on,
            });
            kinds.push(MmaKind::Bytes {
                rows16: on,
                signed: false,
                saturate: on,
            });
            kinds.push(MmaKind::Nibbles {
                signed: on,
                saturate: on,
            });
            kinds.push(MmaKind::Bits { and: on });
        }
        kinds.push(MmaKind::Halves {
            k16: true,
            bfloat16: true,
            half_sums: false,
        });
        for [left_e5m2, right_e5m2, half_sums] in [[false; 3], [true, false, true], [false, true, false]] {
            kinds.push(MmaKind::Fp8 {
                left_e5m2,
                right_e5m2,
                half_sums,
            });
        }
        kinds.extend([MmaKind::Tf32, MmaKind::Doubles]);
        let mut seed = 7;
        let mut compared = 0;
        for kind in kinds {
            // No exponent of all ones: no infinity and no NaN.
            let keep = match kind {
                MmaKind::Quads { .. } | MmaKind::Halves { .. } => 0xbbff_bbff,
                MmaKind::Fp8 { .. } => 0xbbbb_bbbb,
                MmaKind::Tf32 | MmaKind::Doubles => 0xbf7f_ffff,
                _ => u32::MAX,
            };
            let (a, b, c) = (
                words(&mut seed, keep),
                words(&mut seed, keep),
                words(&mut seed, keep),
            );
            for unit in [
                TensorUnit::Volta,
                TensorUnit::Turing,
                TensorUnit::Ampere,
                TensorUnit::Hopper,
            ] {
                if matches!((kind, unit), (MmaKind::Fp8 { .. }, TensorUnit::Hopper)) {
                    // Two HMMA and an addition, not one instruction.
                    continue;
                }
                let mma = Mma { kind, unit };
                let result = multiply(mma, &a, &b, &c);
                for product in 0..kind.num_products() {
                    for (row, column) in
                        (0..kind.rows()).flat_map(|row| (0..8).map(move |column| (row, column)))
                    {
                        if !kind.computes(row, column) {
                            continue;
                        }
                        let place = kind.sum(product, row, column);
                        let want = sum_value(kind, place.bits_in(&result[usize::from(place.lane)]));
                        let sum = sum_of(mma, (&a, &b, &c), product, row, column);
                        assert_eq!(
                            sum.after.last().map(|sum| sum.to_bits()),
                            Some(want.to_bits()),
                            "{mma:?}"
                        );
                        assert_eq!(sum.after.len(), kind.depth() / products_at_once(mma));
                        compared += 1;
                    }
                }
            }
        }
        assert!(compared > 4000, "{compared}");
    }

    /// Every element has a place of its own, and together they fill the registers that the instruction reads: 16 words of a
    /// lane for HMMA.884 hold each element of a factor once.
    #[test]
    fn elements_fill_the_registers_once() {
        let kinds = [
            MmaKind::Quads {
                step: 0,
                left_columns: false,
                right_rows: false,
                half_sums: false,
            },
            MmaKind::Quads {
                step: 0,
                left_columns: true,
                right_rows: true,
                half_sums: false,
            },
            MmaKind::Halves {
                k16: true,
                bfloat16: false,
                half_sums: false,
            },
            MmaKind::Halves {
                k16: false,
                bfloat16: false,
                half_sums: false,
            },
            MmaKind::Tf32,
            MmaKind::Doubles,
            MmaKind::Bytes {
                rows16: true,
                signed: true,
                saturate: false,
            },
            MmaKind::Nibbles {
                signed: true,
                saturate: false,
            },
            MmaKind::Bits { and: false },
        ];
        for kind in kinds {
            for right in [false, true] {
                let lines = if right { kind.columns() } else { kind.rows() };
                let mut bits = std::collections::BTreeSet::new();
                for product in 0..kind.num_products() {
                    for (line, k) in (0..lines).flat_map(|line| (0..kind.depth()).map(move |k| (line, k))) {
                        let place = kind.factor(right, product, line, k);
                        for bit in 0..u32::from(place.bits) {
                            let bit = 32 * u32::from(place.register) + u32::from(place.first_bit) + bit;
                            assert!(bits.insert((place.lane, bit)), "{kind:?}: {place:?}");
                        }
                    }
                }
                let words = usize::from(kind.source_widths()[usize::from(right)]);
                assert_eq!(bits.len(), 32 * 32 * words, "{kind:?}");
            }
        }
    }
}
