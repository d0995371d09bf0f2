//! Literals of C, and the bits of numbers as PTX writes them.

use super::exact::{DOUBLE, Exact, Format, Rounding, SINGLE};
use super::operation::{Number, Type};

/// Whether a literal starts as PTX writes bits.
pub(super) fn is_bits(text: &str) -> bool {
    text.starts_with("0f") || text.starts_with("0F") || text.starts_with("0d") || text.starts_with("0D")
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
    for (prefix, digits, ty) in [("0f", 8, Type::Float), ("0d", 16, Type::Double)] {
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
    if lower.contains(['.', 'e']) || lower.ends_with('f') {
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

/// A whole number, with `u` at its end if it is unsigned.
fn whole(text: &str, radix: u32) -> Result<Number, String> {
    let (digits, is_unsigned) = match text.strip_suffix('u') {
        Some(digits) => (digits, true),
        None => (text, false),
    };
    let value = u64::from_str_radix(digits, radix)
        .map_err(|_| format!("`{text}` is no number. Write 3, 3u, 1.5f, 1.5, 0x1.8p0f, or 0f3FC00000."))?;
    if value > u64::from(u32::MAX) {
        return Err("The whole number does not fit in 32 bits.".to_owned());
    }
    let is_large = value > i32::MAX as u64;
    if is_large && !is_unsigned && radix == 10 {
        return Err("The number does not fit in int. Add u for unsigned.".to_owned());
    }
    Ok(Number {
        ty: if is_unsigned || is_large {
            Type::Unsigned
        } else {
            Type::Int
        },
        bits: value,
    })
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
    let value: f64 = text.parse().map_err(wrong)?;
    if value.is_infinite() {
        return Err("The number is too large for a double.".to_owned());
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
    let (exponent, format, ty): (&str, Format, Type) = match exponent.strip_suffix('f') {
        Some(exponent) => (exponent, SINGLE, Type::Float),
        None => (exponent, DOUBLE, Type::Double),
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
