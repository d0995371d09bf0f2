//! Numbers of the launch form: from text to bits of a type and back, with error sentences.

use cuda::ir::fold::half_to_f64;
use engine::isa::ElemType;
use engine::launch::f16_bits;

/// A type in CUDA C++ notation.
pub const fn type_name(ty: ElemType) -> &'static str {
    match ty {
        ElemType::I8 => "char",
        ElemType::U8 => "unsigned char",
        ElemType::I16 => "short",
        ElemType::U16 => "unsigned short",
        ElemType::I32 => "int",
        ElemType::U32 => "unsigned",
        ElemType::I64 => "long long",
        ElemType::U64 => "unsigned long long",
        ElemType::F16 => "half",
        ElemType::F32 => "float",
        ElemType::F64 => "double",
    }
}

/// All element types.
pub const TYPES: [ElemType; 11] = [
    ElemType::F32,
    ElemType::I32,
    ElemType::U32,
    ElemType::F64,
    ElemType::F16,
    ElemType::I8,
    ElemType::U8,
    ElemType::I16,
    ElemType::U16,
    ElemType::I64,
    ElemType::U64,
];

/// Whether a type is a floating-point type.
pub const fn is_float(ty: ElemType) -> bool {
    matches!(ty, ElemType::F16 | ElemType::F32 | ElemType::F64)
}

/// Minimum and maximum of an integer type.
pub const fn range(ty: ElemType) -> (i128, i128) {
    let bits = ty.bytes() * 8;
    match ty {
        ElemType::I8 | ElemType::I16 | ElemType::I32 | ElemType::I64 => {
            (-(1 << (bits - 1)), (1 << (bits - 1)) - 1)
        }
        _ => (0, (1 << bits) - 1),
    }
}

/// A number truncated to the type's width.
fn cut(ty: ElemType, value: i128) -> u64 {
    let bits = value as u64;
    match ty.bytes() {
        8 => bits,
        bytes => bits & ((1 << (8 * bytes)) - 1),
    }
}

/// The value of a type's bits.
pub fn value_of(ty: ElemType, bits: u64) -> f64 {
    match ty {
        ElemType::F16 => half_to_f64(bits as u16),
        ElemType::F32 => f64::from(f32::from_bits(bits as u32)),
        ElemType::F64 => f64::from_bits(bits),
        _ => whole(ty, bits) as f64,
    }
}

/// The integer value of a type's bits.
pub const fn whole(ty: ElemType, bits: u64) -> i128 {
    match ty {
        ElemType::I8 => bits as i8 as i128,
        ElemType::I16 => bits as i16 as i128,
        ElemType::I32 => bits as i32 as i128,
        ElemType::I64 => bits as i64 as i128,
        _ => bits as i128,
    }
}

/// The bits of a value, truncated or rounded to the type.
pub fn bits_of(ty: ElemType, value: f64) -> u64 {
    match ty {
        ElemType::F16 => u64::from(f16_bits(value)),
        ElemType::F32 => u64::from((value as f32).to_bits()),
        ElemType::F64 => value.to_bits(),
        _ => cut(ty, (value as i128).clamp(range(ty).0, range(ty).1)),
    }
}

/// The bits of a type as a readable number.
pub fn text_of(ty: ElemType, bits: u64) -> String {
    match ty {
        ElemType::F32 => short(
            format!("{}", f32::from_bits(bits as u32)),
            format!("{:e}", f32::from_bits(bits as u32)),
        ),
        ElemType::F16 => {
            // The shortest decimal that rounds to the same half.
            let value = half_to_f64(bits as u16);
            (0..6)
                .map(|digits| format!("{value:.digits$}"))
                .find(|text| text.parse().ok().map(f16_bits) == Some(bits as u16))
                .unwrap_or_else(|| short(format!("{value}"), format!("{value:e}")))
        }
        ElemType::F64 => short(
            format!("{}", f64::from_bits(bits)),
            format!("{:e}", f64::from_bits(bits)),
        ),
        _ => whole(ty, bits).to_string(),
    }
}

/// The shorter of the two notations, if the plain one is long.
fn short(plain: String, scientific: String) -> String {
    if plain.len() > 12 && scientific.len() < plain.len() {
        scientific
    } else {
        plain
    }
}

/// The bits of a type in hexadecimal.
pub fn hex_of(ty: ElemType, bits: u64) -> String {
    let digits = 2 * ty.bytes() as usize;
    format!("0x{bits:0digits$x}")
}

/// Parses a number of a type: decimal, hexadecimal after `0x` (the bits, for floating-point types), or a character
/// in single quotes. C suffixes are accepted.
///
/// # Errors
/// A sentence for the user.
pub fn parse(ty: ElemType, text: &str) -> Result<u64, String> {
    let word = text.trim().replace(['_', '\u{2009}'], "");
    let wrong = || Err(format!("“{}” is not {}.", shortened(text.trim()), expected(ty)));
    let (sign, digits) = match word.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, word.strip_prefix('+').unwrap_or(&word)),
    };
    let hex = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X"));
    if let Some(hex) = hex {
        let Ok(bits) = u64::from_str_radix(hex.trim_end_matches(['u', 'U', 'l', 'L']), 16) else {
            return wrong();
        };
        // All bits of the type are allowed, including the sign bit.
        if (ty.bytes() < 8 && bits >> (8 * ty.bytes()) != 0) || (sign < 0 && is_float(ty)) {
            return wrong();
        }
        return Ok(cut(ty, sign * i128::from(bits)));
    }
    if is_float(ty) {
        let number = digits.trim_end_matches(['f', 'F']);
        let number = if number.to_ascii_lowercase().starts_with("in") {
            digits
        } else {
            number
        };
        return match number.parse::<f64>() {
            Ok(value) if ty == ElemType::F32 => {
                // Rounded once, from the decimal digits.
                let single = number.parse::<f32>().unwrap_or(value as f32);
                Ok(u64::from((sign as f32 * single).to_bits()))
            }
            Ok(value) => Ok(bits_of(ty, sign as f64 * value)),
            Err(_) => wrong(),
        };
    }
    let mut letters = digits.chars();
    if let (Some('\''), Some(letter), Some('\''), None) =
        (letters.next(), letters.next(), letters.next(), letters.next())
        && letter.is_ascii()
    {
        return Ok(cut(ty, sign * i128::from(letter as u32)));
    }
    match digits.trim_end_matches(['u', 'U', 'l', 'L']).parse::<i128>() {
        Ok(value) if digits.starts_with(|c: char| c.is_ascii_digit()) => {
            let value = sign * value;
            let (least, most) = range(ty);
            if (least..=most).contains(&value) {
                Ok(cut(ty, value))
            } else {
                Err(format!("{value} is not {}.", expected(ty)))
            }
        }
        _ => wrong(),
    }
}

/// The values that a type accepts, as the end of a sentence.
fn expected(ty: ElemType) -> String {
    let name = type_name(ty);
    let article = if name.starts_with(['i', 'u']) { "an" } else { "a" };
    if is_float(ty) {
        return format!("{article} {name}: write a number such as 1.5 or 2e-3, or its bits after 0x");
    }
    let (least, most) = range(ty);
    format!(
        "{article} {name}: write a whole number from {} to {}, or its bits after 0x",
        grouped(least),
        grouped(most)
    )
}

/// A whole number with grouping commas.
pub fn grouped(value: i128) -> String {
    let digits = value.unsigned_abs().to_string();
    let mut text = String::from(if value < 0 { "−" } else { "" });
    for (idx, digit) in digits.chars().enumerate() {
        if idx > 0 && (digits.len() - idx).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// User text, shortened for a sentence.
pub(super) fn shortened(text: &str) -> String {
    const MOST: usize = 24;
    if text.chars().count() <= MOST {
        return text.to_owned();
    }
    text.chars().take(MOST).chain(std::iter::once('…')).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn numbers_are_read_as_c_writes_them() {
        for (ty, text, bits) in [
            (ElemType::I32, "64", 64),
            (ElemType::I32, " -1 ", 0xffff_ffff),
            (ElemType::I32, "0x40", 64),
            (ElemType::I32, "0xffffffff", 0xffff_ffff),
            (ElemType::U32, "4000000000u", 4_000_000_000),
            (ElemType::I8, "'A'", 65),
            (ElemType::I8, "-128", 0x80),
            (ElemType::I64, "-9223372036854775808", 1 << 63),
            (ElemType::U64, "18446744073709551615ULL", u64::MAX),
            (ElemType::F32, "1.5f", 0x3fc0_0000),
            (ElemType::F32, "-2e-3", 0xbb03_126f),
            (ElemType::F32, "0x3fc00000", 0x3fc0_0000),
            (ElemType::F32, "inf", 0x7f80_0000),
            (ElemType::F32, "-0", 0x8000_0000),
            (ElemType::F64, "0.1", 0.1f64.to_bits()),
            (ElemType::F16, "1.5", 0x3e00),
        ] {
            assert_eq!(parse(ty, text), Ok(bits), "{ty:?} {text}");
        }
    }

    #[test]
    fn invalid_numbers_are_rejected_with_the_limit() {
        for (ty, text, limit) in [
            (ElemType::I32, "2147483648", "2,147,483,647"),
            (ElemType::U8, "256", "255"),
            (ElemType::U32, "-1", "from 0"),
            (ElemType::I8, "0x100", "127"),
            (ElemType::I32, "1.5", "whole number"),
            (ElemType::I32, "", "whole number"),
            (ElemType::I32, "+-4", "whole number"),
            (ElemType::F32, "x", "1.5"),
            (ElemType::F64, "", "1.5"),
        ] {
            let why = parse(ty, text).unwrap_err();
            assert!(why.contains(limit) && why.ends_with('.'), "{why}");
        }
    }

    proptest! {
        #[test]
        fn written_numbers_parse_back(ty in prop::sample::select(TYPES.to_vec()), bits: u64) {
            let bits = cut(ty, i128::from(bits));
            if is_float(ty) && value_of(ty, bits).is_nan() {
                prop_assert!(parse(ty, &text_of(ty, bits)).is_ok());
            } else {
                prop_assert_eq!(parse(ty, &text_of(ty, bits)), Ok(bits));
            }
            prop_assert_eq!(parse(ty, &hex_of(ty, bits)), Ok(bits));
        }

        #[test]
        fn no_text_makes_it_panic(ty in prop::sample::select(TYPES.to_vec()), text: String) {
            if let Err(why) = parse(ty, &text) {
                prop_assert!(why.ends_with('.'));
            }
        }
    }
}
