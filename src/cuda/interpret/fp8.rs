//! 8-bit floats: OCP 8-bit Floating Point Specification, revision 1.0, section 5.

use super::code::Kind;
use super::number::half;
use crate::hir::Rounding;

/// The finite numbers of a type in order of their codes, from 0.
fn numbers(e5m2: bool) -> impl Iterator<Item = f64> {
    let (fraction_bits, bias, num) = if e5m2 { (2, 15, 0x7c) } else { (3, 7, 0x7f) };
    (0..num).map(move |code: i32| {
        let one = 1 << fraction_bits;
        let (exponent, fraction) = (code >> fraction_bits, code % one);
        if exponent == 0 {
            libm::ldexp(f64::from(fraction), 1 - bias - fraction_bits)
        } else {
            libm::ldexp(f64::from(one + fraction), exponent - bias - fraction_bits)
        }
    })
}

/// The half of an 8-bit float.
pub(super) fn to_half(code: u8, e5m2: bool) -> u16 {
    let sign = if code < 0x80 { 0 } else { 0x8000 };
    match (numbers(e5m2).nth(usize::from(code & 0x7f)), e5m2) {
        (Some(value), _) => sign | half(value, Kind::F16, Rounding::Nearest) as u16,
        (None, true) if code.is_multiple_of(4) => sign | 0x7c00,
        (None, _) => 0x7fff,
    }
}

/// The nearest 8-bit float of a single; of two, the one with an even code.
pub(super) fn from_single(bits: u32, e5m2: bool) -> u8 {
    let value = f32::from_bits(bits);
    if value.is_nan() {
        return 0x7f;
    }
    let magnitude = f64::from(value.abs());
    let largest = numbers(e5m2).count() as u8 - 1;
    let sign = if value.is_sign_negative() { 0x80 } else { 0 };
    if numbers(e5m2).all(|number| magnitude >= number) {
        return sign | largest;
    }
    let mut nearest = (f64::INFINITY, 0);
    for (code, number) in (0..).zip(numbers(e5m2)) {
        let distance = (number - magnitude).abs();
        if code == 0 || distance < nearest.0 || (distance == nearest.0 && code % 2 == 0) {
            nearest = (distance, code);
        }
    }
    sign | nearest.1
}
