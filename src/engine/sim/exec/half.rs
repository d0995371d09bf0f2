//! Conversions between half precision and double precision.

use crate::isa::Round;

/// The NaN of every half-precision result.
pub const NAN_F16: u16 = 0x7fff;

/// Converts FP16 to a double, exactly.
#[inline]
pub fn widen_f16(half: u16) -> f64 {
    let sign = u64::from(half >> 15) << 63;
    let exponent = u64::from(half >> 10 & 0x1f);
    let fraction = u64::from(half & 0x3ff);
    match exponent {
        0 => {
            let magnitude = fraction as f64 * (1.0 / 16_777_216.0);
            f64::from_bits(sign | magnitude.to_bits())
        }
        0x1f if fraction == 0 => f64::from_bits(sign | f64::INFINITY.to_bits()),
        0x1f => f64::NAN,
        _ => f64::from_bits(sign | (exponent + 1008) << 52 | fraction << 42),
    }
}

/// Converts a double to FP16 in a rounding mode.
pub fn narrow_f16(value: f64, round: Round) -> u16 {
    if value.is_nan() {
        return NAN_F16;
    }
    let sign = u16::from(value.is_sign_negative()) << 15;
    let magnitude = value.abs();
    if magnitude == f64::INFINITY {
        return sign | 0x7c00;
    }
    if magnitude == 0.0 {
        return sign;
    }
    let exponent = ((magnitude.to_bits() >> 52) as i32 - 1023).max(-14);
    // The magnitude in units of the last place. The product is exact: one factor is a power of two.
    let scaled = magnitude * f64::from_bits(((1023 - (exponent - 10)) as u64) << 52);
    let down = libm::floor(scaled);
    let rest = scaled - down;
    let up = match round {
        Round::Rn => rest > 0.5 || (rest == 0.5 && down as u64 & 1 == 1),
        Round::Rz => false,
        Round::Rm => rest > 0.0 && sign != 0,
        Round::Rp => rest > 0.0 && sign == 0,
    };
    if exponent > 15 {
        let to_infinity = match round {
            Round::Rn => true,
            Round::Rz => false,
            Round::Rm => sign != 0,
            Round::Rp => sign == 0,
        };
        return sign | if to_infinity { 0x7c00 } else { 0x7bff };
    }
    let units = down as u64 + u64::from(up);
    // A carry out of the significand increments the exponent, as the format intends.
    let bits = ((exponent + 14) as u64 * 1024 + units).min(0x7c00) as u16;
    match (bits, up, round) {
        (0x7c00, true, Round::Rz) => sign | 0x7bff,
        _ => sign | bits,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_survive_conversion_to_doubles() {
        for half in 0..=u16::MAX {
            let value = widen_f16(half);
            if !value.is_nan() {
                for round in [Round::Rn, Round::Rz, Round::Rm, Round::Rp] {
                    assert_eq!(narrow_f16(value, round), half);
                }
            }
        }
        assert_eq!(narrow_f16(65_520.0, Round::Rn), 0x7c00);
        assert_eq!(narrow_f16(65_519.0, Round::Rn), 0x7bff);
        assert_eq!(narrow_f16(65_536.0, Round::Rz), 0x7bff);
        assert_eq!(narrow_f16(2.0_f64.powi(-25), Round::Rn), 0);
        assert_eq!(narrow_f16(2.0_f64.powi(-25), Round::Rp), 1);
    }
}
