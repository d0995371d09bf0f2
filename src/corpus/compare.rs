//! Compares output buffers with expected bytes by the comparison rule of a case.

use std::fmt::{Display, LowerExp};

use crate::cases::Compare;
use engine::isa::ElemType;

/// The differences of one buffer.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The number of differing elements.
    pub num_wrong: usize,
    /// The index of the first differing element.
    pub first_idx: usize,
    /// The expected value of the first differing element, as text.
    pub expected: String,
    /// The actual value of the first differing element, as text.
    pub got: String,
}

/// Returns the differences between two buffers of equal length, or `None` if they match by the rule.
pub fn difference(elem: ElemType, rule: Compare, expected: &[u8], got: &[u8]) -> Option<Difference> {
    let size = elem.bytes() as usize;
    let pairs = expected
        .chunks_exact(size)
        .zip(got.chunks_exact(size))
        .enumerate();
    let mut wrong = pairs.filter(|(_, (e, g))| !same(elem, rule, e, g));
    let (first_idx, (e, g)) = wrong.next()?;
    Some(Difference {
        first_idx,
        expected: text(elem, e),
        got: text(elem, g),
        num_wrong: 1 + wrong.count(),
    })
}

fn same(elem: ElemType, rule: Compare, expected: &[u8], got: &[u8]) -> bool {
    let float = matches!(elem, ElemType::F16 | ElemType::F32 | ElemType::F64);
    match rule {
        _ if expected == got => true,
        Compare::Ulp(max) if float => {
            ordinal(elem, expected).abs_diff(ordinal(elem, got)) <= max && !value(elem, got).is_nan()
        }
        Compare::Rel { atol, rtol } if float => {
            let (e, g) = (value(elem, expected), value(elem, got));
            (g - e).abs() <= atol + rtol * e.abs()
        }
        _ => false,
    }
}

fn bits(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .rev()
        .fold(0, |word, byte| word << 8 | u64::from(*byte))
}

/// Returns the rank of a floating-point number in its type; adjacent numbers differ by one.
fn ordinal(elem: ElemType, bytes: &[u8]) -> i64 {
    let bits = bits(bytes).cast_signed();
    let sign = 1_i64 << (elem.bytes() * 8 - 1);
    let magnitude = bits & (sign.wrapping_sub(1));
    if bits & sign == 0 { magnitude } else { -magnitude }
}

/// Returns an element as decimal text, with as many digits as it needs to read back as the same value. Very large and very
/// small floating-point numbers have an exponent.
pub fn value_text(elem: ElemType, bytes: &[u8]) -> String {
    match elem {
        ElemType::U64 => bits(bytes).to_string(),
        ElemType::I64 => bits(bytes).cast_signed().to_string(),
        ElemType::F32 => float_text(&f32::from_bits(bits(bytes) as u32)),
        _ => float_text(&value(elem, bytes)),
    }
}

/// A number in the shorter notation, if the plain one is long.
fn float_text<T: Display + LowerExp>(number: &T) -> String {
    let (plain, scientific) = (format!("{number}"), format!("{number:e}"));
    if plain.len() > 12 && scientific.len() < plain.len() {
        scientific
    } else {
        plain
    }
}

/// Returns an element as a double.
fn value(elem: ElemType, bytes: &[u8]) -> f64 {
    let bits = bits(bytes);
    match elem {
        ElemType::F64 => f64::from_bits(bits),
        ElemType::F32 => f64::from(f32::from_bits(bits as u32)),
        ElemType::F16 => {
            let magnitude = match (bits >> 10 & 31, bits & 1023) {
                (0, fraction) => libm::ldexp(fraction as f64, -24),
                (31, 0) => f64::INFINITY,
                (31, _) => f64::NAN,
                (exponent, fraction) => libm::ldexp((1024 + fraction) as f64, exponent as i32 - 25),
            };
            if bits & 0x8000 == 0 { magnitude } else { -magnitude }
        }
        ElemType::U8 | ElemType::U16 | ElemType::U32 | ElemType::U64 => bits as f64,
        ElemType::I8 | ElemType::I16 | ElemType::I32 | ElemType::I64 => {
            let shift = 64 - elem.bytes() * 8;
            (bits.cast_signed() << shift >> shift) as f64
        }
    }
}

fn text(elem: ElemType, bytes: &[u8]) -> String {
    format!(
        "{} (0x{:0width$x})",
        value_text(elem, bytes),
        bits(bytes),
        width = bytes.len() * 2
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_an_exponent_where_digits_would_be_zeros() {
        let double = |value: f64| value_text(ElemType::F64, &value.to_le_bytes());
        let float = |value: f32| value_text(ElemType::F32, &value.to_le_bytes());
        for (text, wanted) in [
            (double(5e-324), "5e-324"),
            (double(1.5e300), "1.5e300"),
            (double(-2.5e-9), "-2.5e-9"),
            (double(1e15), "1e15"),
            (double(1.0 / 3.0), "0.3333333333333333"),
            (double(123_456_789.0), "123456789"),
            (double(0.000_1), "0.0001"),
            (double(-0.0), "-0"),
            (double(f64::INFINITY), "inf"),
            (float(f32::MAX), "3.4028235e38"),
            (float(1e-45), "1e-45"),
            (float(0.1), "0.1"),
            (
                value_text(ElemType::U64, &u64::MAX.to_le_bytes()),
                "18446744073709551615",
            ),
        ] {
            assert_eq!(text, wanted);
        }
    }

    #[test]
    fn a_rule_decides_what_is_equal() {
        let one = 1.0_f32.to_le_bytes();
        let next = 1.0_f32.next_up().to_le_bytes();
        assert_eq!(difference(ElemType::F32, Compare::Exact, &one, &one), None);
        assert_eq!(difference(ElemType::F32, Compare::Ulp(1), &one, &next), None);
        assert_eq!(
            difference(
                ElemType::F32,
                Compare::Rel {
                    atol: 0.0,
                    rtol: 1e-6
                },
                &one,
                &next
            ),
            None
        );
        assert!(difference(ElemType::F32, Compare::Exact, &one, &next).is_some());
        // Every rule compares integers exactly.
        assert!(difference(ElemType::I32, Compare::Ulp(9), &one, &next).is_some());
    }

    #[test]
    fn ulps_are_counted_across_zero() {
        let (below, above) = (
            (-f32::from_bits(1)).to_le_bytes(),
            f32::from_bits(1).to_le_bytes(),
        );
        assert_eq!(difference(ElemType::F32, Compare::Ulp(2), &below, &above), None);
        assert!(difference(ElemType::F32, Compare::Ulp(1), &below, &above).is_some());
    }

    #[test]
    fn a_difference_names_the_first_and_counts_all() {
        let got = difference(
            ElemType::I16,
            Compare::Exact,
            &[1, 0, 2, 0, 3, 0],
            &[1, 0, 0xff, 0xff, 4, 0],
        );
        let got = got.expect("they differ");
        assert_eq!((got.num_wrong, got.first_idx), (2, 1));
        assert_eq!(
            (got.expected.as_str(), got.got.as_str()),
            ("2 (0x0002)", "-1 (0xffff)")
        );
    }
}
