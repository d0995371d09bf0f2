//! Functions of the special-function unit (MUFU) and the reduction of their operands (RRO).
//!
//! Operands of sine, cosine, and the exponential function are reduced to a word in fixed point: the sign in bit 31,
//! the quadrant or the whole part in bits 23 to 30, and 23 bits of fraction. Bit 30 marks NaN (SASS Math, models of
//! 5.x and 7.0 in C). Up to 6.x, RRO computes the word. From 7.0 on, MUFU does, from a number of turns. An H100 returns
//! the same zeros and differs by at most 2⁻²² elsewhere (`tests/golden/fast_sine_h100.csv`).

use super::float::{NAN_F64, bits_f32, flush_f32};
use crate::isa::Mufu;
use std::f64::consts::{FRAC_2_PI, FRAC_PI_2};

/// Bits of the fraction.
const FRACTION_BITS: u32 = 23;
const FRACTION: u32 = (1 << FRACTION_BITS) - 1;
/// The mark of a word whose function is NaN.
const NAN_MARK: u32 = 0x80 << FRACTION_BITS;
/// The mark of an exponent whose function overflows or underflows.
const INFINITE_MARK: u32 = 0x81 << FRACTION_BITS;

/// RRO.SINCOS: the angle in radians as a sign, a quadrant, and a fraction of it. The number of bits of 2 / π in the
/// hardware is unknown. The product is assumed to be exact to double precision.
pub(super) fn reduced_angle(bits: u32) -> u32 {
    reduced_quadrants(f64::from(f32::from_bits(bits)) * FRAC_2_PI)
}

/// A number of quadrants as a sign, a quadrant, and a truncated fraction.
fn reduced_quadrants(quadrants: f64) -> u32 {
    if !quadrants.is_finite() {
        return NAN_MARK;
    }
    let sign = u32::from(quadrants.is_sign_negative()) << 31;
    // Below 4, so that both parts fit.
    let angle = libm::fmod(libm::fabs(quadrants), 4.0);
    sign | libm::ldexp(angle, FRACTION_BITS as i32) as u32
}

/// RRO.EX2: the exponent as a sign, a whole part, and a truncated fraction.
pub(super) fn reduced_exponent(bits: u32) -> u32 {
    let x = f64::from(f32::from_bits(bits));
    let sign = bits & 0x8000_0000;
    if x.is_nan() {
        sign | NAN_MARK
    } else if libm::fabs(x) >= 128.0 {
        sign | INFINITE_MARK
    } else {
        sign | libm::ldexp(libm::fabs(x), FRACTION_BITS as i32) as u32
    }
}

/// The sine of a reduced angle, or its cosine. Odd quadrants of the sine complement the fraction.
fn sine(word: u32, cosine: bool) -> f64 {
    if word & NAN_MARK != 0 {
        return f64::NAN;
    }
    let quadrant = word >> FRACTION_BITS & 3;
    let complemented = (quadrant & 1 == 1) != cosine;
    let negative = if cosine {
        (quadrant + 1) & 2 != 0
    } else {
        (quadrant & 2 != 0) != (word >> 31 == 1)
    };
    let fraction = if complemented { !word } else { word } & FRACTION;
    let value = libm::sin(libm::ldexp(f64::from(fraction), -(FRACTION_BITS as i32)) * FRAC_PI_2);
    if negative { -value } else { value }
}

/// 2 to the power of a reduced exponent.
fn power_of_two(word: u32) -> f64 {
    let negative = word >> 31 == 1;
    match word & !(1 << 31) {
        marked if marked & NAN_MARK != 0 && marked < INFINITE_MARK => f64::NAN,
        marked if marked >= INFINITE_MARK => {
            if negative {
                0.0
            } else {
                f64::INFINITY
            }
        }
        magnitude => {
            let exponent = libm::ldexp(f64::from(magnitude), -(FRACTION_BITS as i32));
            libm::exp2(if negative { -exponent } else { exponent })
        }
    }
}

/// A function of the special-function unit: the f32 nearest to the exact value of the reduced operand, except for the two
/// functions on the high word of a double.
pub(super) fn special_function(func: Mufu, bits: u32, ftz: bool) -> u32 {
    match func {
        Mufu::Rcp64h => return (1.0 / f64::from_bits(u64::from(bits) << 32)).to_bits_canonical_high(),
        Mufu::Rsq64h => {
            return (1.0 / libm::sqrt(f64::from_bits(u64::from(bits) << 32))).to_bits_canonical_high();
        }
        _ => {}
    }
    let is_reduced = matches!(func, Mufu::SinReduced | Mufu::CosReduced | Mufu::Ex2Reduced);
    let bits = if ftz && !is_reduced { flush_f32(bits) } else { bits };
    let x = f64::from(f32::from_bits(bits));
    let value = match func {
        Mufu::Rcp => 1.0 / x,
        Mufu::Rsq => 1.0 / libm::sqrt(x),
        Mufu::Sqrt => libm::sqrt(x),
        Mufu::Ex2 => libm::exp2(x),
        Mufu::Lg2 => libm::log2(x),
        Mufu::Sin => sine(reduced_quadrants(4.0 * x), false),
        Mufu::Cos => sine(reduced_quadrants(4.0 * x), true),
        Mufu::SinReduced => sine(bits, false),
        Mufu::CosReduced => sine(bits, true),
        Mufu::Ex2Reduced => power_of_two(bits),
        Mufu::Tanh => libm::tanh(x),
        Mufu::Rcp64h | Mufu::Rsq64h => x,
    };
    let result = bits_f32(value as f32);
    if ftz { flush_f32(result) } else { result }
}

trait HighWord {
    fn to_bits_canonical_high(self) -> u32;
}
impl HighWord for f64 {
    fn to_bits_canonical_high(self) -> u32 {
        let bits = if self.is_nan() { NAN_F64 } else { self.to_bits() };
        (bits >> 32) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::super::float::mul_f32;
    use super::*;
    use crate::isa::Round;

    /// Operands, sines, and cosines as bits.
    fn measured() -> Vec<[u32; 3]> {
        let rows = include_str!("../../../../tests/golden/fast_sine_h100.csv")
            .lines()
            .skip(1);
        rows.map(|row| {
            let fields: Vec<u32> = row
                .split(',')
                .map(|bits| u32::from_str_radix(bits, 16).unwrap())
                .collect();
            [fields[0], fields[1], fields[2]]
        })
        .collect()
    }

    /// The difference of two results, which are both NaN or both numbers.
    fn difference(a: u32, b: u32) -> f64 {
        let (a, b) = (f32::from_bits(a), f32::from_bits(b));
        assert_eq!(a.is_nan(), b.is_nan(), "{a} {b}");
        if a.is_nan() { 0.0 } else { f64::from(a - b).abs() }
    }

    #[test]
    fn sine_and_cosine_of_turns_are_near_those_of_an_h100() {
        let rows = measured();
        assert_eq!(rows.len(), 257);
        let limit = libm::exp2(-22.0);
        for [x, sine, cosine] in rows {
            let turns = mul_f32(f32::from_bits(x), f32::from_bits(0x3e22_f983), Round::Rz).to_bits();
            let found = [Mufu::Sin, Mufu::Cos].map(|func| special_function(func, turns, false));
            for (found, measured) in found.into_iter().zip([sine, cosine]) {
                let x = f32::from_bits(x);
                assert!(difference(found, measured) < limit, "{x}: {found:x} {measured:x}");
                // The same operands have a result of zero with the same sign.
                if found << 1 == 0 || measured << 1 == 0 {
                    assert_eq!(found, measured, "{x}");
                }
            }
        }
    }

    /// "For x in [-π, π], the maximum absolute error is 2^-21.41" (sine), "2^-21.19" (cosine): Programming Guide.
    #[test]
    fn the_reduced_sine_has_the_documented_error() {
        for step in -20_000..=20_000 {
            let x = std::f32::consts::PI * step as f32 / 20_000.0;
            let word = reduced_angle(x.to_bits());
            let sine = f32::from_bits(special_function(Mufu::SinReduced, word, false));
            let cosine = f32::from_bits(special_function(Mufu::CosReduced, word, false));
            assert!(
                (f64::from(sine) - libm::sin(f64::from(x))).abs() < libm::exp2(-21.41),
                "{x}"
            );
            assert!(
                (f64::from(cosine) - libm::cos(f64::from(x))).abs() < libm::exp2(-21.19),
                "{x}"
            );
        }
    }

    #[test]
    fn reduced_words_have_the_published_format() {
        // A quadrant is π / 2: 2.0 is 1.2732 quadrants, -4.0 is -2.5465.
        assert_eq!(reduced_angle(2.0f32.to_bits()) >> 23, 1);
        assert_eq!(reduced_angle((-4.0f32).to_bits()) >> 23, 0x102);
        assert_eq!(reduced_angle(f32::INFINITY.to_bits()), 0x4000_0000);
        assert_eq!(reduced_exponent(3.5f32.to_bits()), 3 << 23 | 1 << 22);
        assert_eq!(reduced_exponent((-0.25f32).to_bits()), 1 << 31 | 1 << 21);
        assert_eq!(reduced_exponent(200.0f32.to_bits()), 0x4080_0000);
        let power = |x: f32| {
            f32::from_bits(special_function(
                Mufu::Ex2Reduced,
                reduced_exponent(x.to_bits()),
                false,
            ))
        };
        assert_eq!([3.0, -2.0, 0.0, 0.5].map(power), [8.0, 0.25, 1.0, 2.0f32.sqrt()]);
        assert_eq!([200.0, -200.0].map(power), [f32::INFINITY, 0.0]);
        assert!(power(f32::NAN).is_nan());
        for [x, ..] in measured() {
            let wanted = libm::exp2(f64::from(f32::from_bits(x)));
            let found = f64::from(power(f32::from_bits(x)));
            // The fraction is truncated at 2^-23, and the result is rounded.
            let near = (found / wanted - 1.0).abs() <= libm::exp2(-22.5);
            assert!(
                near || found == f64::from(wanted as f32)
                    || (found.is_nan() && wanted.is_nan())
                    || wanted < 1e-37,
                "{x:x}"
            );
        }
    }
}
