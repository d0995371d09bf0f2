//! Literals of C, and the bits of numbers as PTX writes them.

use super::exact::{DOUBLE, Exact, Format, HALF, Rounding, SINGLE};
use super::number::{Number, Type};

/// Whether a literal starts as PTX writes bits.
pub(super) fn is_bits(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next() == Some('0') && matches!(chars.next(), Some('h' | 'H' | 'f' | 'F' | 'd' | 'D'))
}

/// Reads a literal without a sign.
///
/// # Errors
/// What is wrong, and what to write.
pub(super) fn number(text: &str) -> Result<Number, String> {
    let text = text.replace('\'', "");
    match text.as_str() {
        "INFINITY" => return Ok(float(0x7f80_0000)),
        "NAN" => return Ok(float(0x7fff_ffff)),
        _ => {}
    }
    let lower = text.to_ascii_lowercase();
    for (prefix, digits, ty) in [
        ("0h", 4, Type::Half),
        ("0f", 8, Type::Float),
        ("0d", 16, Type::Double),
    ] {
        if let Some(hex) = lower.strip_prefix(prefix).filter(|hex| !hex.is_empty()) {
            let bits = u64::from_str_radix(hex, 16).ok().filter(|_| hex.len() == digits);
            return bits.map(|bits| Number { ty, bits }).ok_or_else(|| {
                format!(
                    "The bits of a {} are {prefix} and {digits} hexadecimal digits.",
                    ty.name()
                )
            });
        }
    }
    if let Some(hex) = lower.strip_prefix("0x") {
        if hex.contains(['.', 'p']) {
            return hex_float(hex);
        }
        return whole(hex, 16);
    }
    if lower.contains(['.', 'e']) || lower.ends_with(['f', 'h']) {
        return decimal_float(&lower);
    }
    whole(&lower, 10)
}

const fn float(bits: u64) -> Number {
    Number {
        ty: Type::Float,
        bits,
    }
}

/// A whole number, with `u` at its end if it is unsigned, and `ll` if it has 64 bits.
fn whole(text: &str, radix: u32) -> Result<Number, String> {
    let (digits, is_long) = match text.strip_suffix("ll") {
        Some(digits) => (digits, true),
        None => (text, false),
    };
    let (digits, is_unsigned) = match digits.strip_suffix('u') {
        Some(digits) => (digits, true),
        None => (digits, false),
    };
    let value = u64::from_str_radix(digits, radix).map_err(|_| {
        format!("`{text}` is no number. Write 3, 3u, 3ll, 1.5f, 1.5, 1.5h, 0x1.8p0f, or 0f3FC00000.")
    })?;
    if !is_long && value > u64::from(u32::MAX) {
        return Err("The whole number does not fit in 32 bits. Add ll for 64 bits.".to_owned());
    }
    let largest = if is_long { i64::MAX as u64 } else { i32::MAX as u64 };
    let is_large = value > largest;
    if is_large && !is_unsigned && radix == 10 {
        return Err(if is_long {
            "The number does not fit in long long. Write ull for unsigned.".to_owned()
        } else {
            "The number does not fit in int. Add u for unsigned, or ll for 64 bits.".to_owned()
        });
    }
    let ty = match (is_long, is_unsigned || is_large) {
        (false, false) => Type::Int,
        (false, true) => Type::Unsigned,
        (true, false) => Type::Long,
        (true, true) => Type::UnsignedLong,
    };
    Ok(Number { ty, bits: value })
}

fn decimal_float(text: &str) -> Result<Number, String> {
    let wrong = |_| format!("`{text}` is no number. Write 1.5f, 1.5, 1e-3f, or 0x1.8p0f.");
    if let Some(digits) = text.strip_suffix('f') {
        let value: f32 = digits.parse().map_err(wrong)?;
        if value.is_infinite() {
            return Err("The number is too large for a float.".to_owned());
        }
        return Ok(float(value.to_bits().into()));
    }
    let half = text.strip_suffix('h');
    let value: f64 = half.unwrap_or(text).parse().map_err(wrong)?;
    if value.is_infinite() {
        return Err("The number is too large for a double.".to_owned());
    }
    if half.is_some() {
        let exact = Exact::of(value.to_bits(), DOUBLE).unwrap_or_else(|| Exact::new(false, 0, 0));
        let bits = exact.rounded(HALF, Rounding::Nearest);
        if Exact::of(bits, HALF).is_none() {
            return Err("The number is too large for a half.".to_owned());
        }
        return Ok(Number { ty: Type::Half, bits });
    }
    Ok(Number {
        ty: Type::Double,
        bits: value.to_bits(),
    })
}

/// A hexadecimal floating-point number after its `0x`.
fn hex_float(text: &str) -> Result<Number, String> {
    let wrong = || format!("`0x{text}` is no number. Write 0x1.8p0f for 1.5f.");
    let (digits, exponent) = text.split_once('p').ok_or_else(|| {
        format!("`0x{text}` needs an exponent: write 0x{text}p0, or 0x{text}p0f for a float.")
    })?;
    let (exponent, format, ty): (&str, Format, Type) =
        match (exponent.strip_suffix('f'), exponent.strip_suffix('h')) {
            (Some(exponent), _) => (exponent, SINGLE, Type::Float),
            (None, Some(exponent)) => (exponent, HALF, Type::Half),
            (None, None) => (exponent, DOUBLE, Type::Double),
        };
    let exponent: i32 = exponent.parse().map_err(|_| wrong())?;
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let all = format!("{whole}{fraction}");
    if all.is_empty() || all.len() > 30 || exponent.abs() > 5000 {
        return Err(wrong());
    }
    let number = u128::from_str_radix(&all, 16).map_err(|_| wrong())?;
    let exact = Exact::new(false, number, exponent - 4 * fraction.len() as i32);
    let bits = exact.rounded(format, Rounding::Nearest);
    if Exact::of(bits, format).is_none() {
        return Err(format!("The number is too large for a {}.", ty.name()));
    }
    Ok(Number { ty, bits })
}
