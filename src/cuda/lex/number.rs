//! Values of number and character literals.

use super::strings::literal_bytes;
use crate::hir::Type;

/// The value of a number literal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// An integer with the type that C assigns by value and suffix (`long` and `long long` are both 64 bits).
    Int {
        /// Its value.
        value: u64,
        /// Unsigned: a `u` suffix, or a value beyond the signed type.
        unsigned: bool,
        /// 64 bits.
        long: bool,
    },
    /// A floating-point number with suffix `f`, rounded once from the decimal text.
    F32(f32),
    /// A floating-point number without a suffix.
    F64(f64),
}

impl Number {
    /// The type.
    pub const fn ty(self) -> Type {
        match self {
            Self::Int {
                unsigned: false,
                long: false,
                ..
            } => Type::I32,
            Self::Int {
                unsigned: true,
                long: false,
                ..
            } => Type::U32,
            Self::Int {
                unsigned: false,
                long: true,
                ..
            } => Type::I64,
            Self::Int {
                unsigned: true,
                long: true,
                ..
            } => Type::U64,
            Self::F32(_) => Type::F32,
            Self::F64(_) => Type::F64,
        }
    }
}

/// Parses a number literal; with `has_short_long`, `long` has 32 bits (`-m32`).
///
/// # Errors
///
/// The message, if the text is not a number literal.
pub fn parse_number(text: &str, has_short_long: bool) -> Result<Number, String> {
    let digits: String = text.chars().filter(|c| *c != '\'').collect();
    let lower = digits.to_ascii_lowercase();
    let (radix, body) = match lower.as_bytes() {
        [b'0', b'x', ..] => (16, &lower[2..]),
        [b'0', b'b', ..] => (2, &lower[2..]),
        _ => (10, lower.as_str()),
    };
    let is_float = match radix {
        16 => body.contains(['.', 'p']),
        10 => body.contains(['.', 'e']),
        _ => false,
    };
    if is_float {
        return parse_float(text, body, radix == 16);
    }
    let end = body.find(|c: char| !c.is_digit(radix)).unwrap_or(body.len());
    let (body, suffix) = body.split_at(end);
    let radix = if radix == 10 && body.len() > 1 && body.starts_with('0') {
        8
    } else {
        radix
    };
    if radix == 10 && suffix == "f" {
        return Err(format!(
            "`{text}` is not a number: the suffix f needs a decimal point, as in `{body}.0f`."
        ));
    }
    let (suffix_unsigned, suffix_long) = match suffix {
        "" => (false, false),
        "u" => (true, false),
        "l" => (false, !has_short_long),
        "ll" => (false, true),
        "ul" | "lu" => (true, !has_short_long),
        "ull" | "llu" => (true, true),
        _ => return Err(format!("`{text}` is not a number.")),
    };
    let value = u64::from_str_radix(body, radix).map_err(|_| {
        if body.is_empty() || !body.chars().all(|c| c.is_digit(radix)) {
            format!("`{text}` is not a number.")
        } else {
            format!("The number `{text}` does not fit into 64 bits.")
        }
    })?;
    // Decimal literals without `u` stay signed; others take the first type that holds the value.
    let long = suffix_long
        || value > u64::from(u32::MAX)
        || (value > i32::MAX as u64 && !suffix_unsigned && radix == 10);
    let unsigned = suffix_unsigned
        || if long {
            value > i64::MAX as u64
        } else {
            value > i32::MAX as u64
        };
    Ok(Number::Int {
        value,
        unsigned,
        long,
    })
}

fn parse_float(text: &str, body: &str, hex: bool) -> Result<Number, String> {
    let wrong = || format!("`{text}` is not a number.");
    // In a hexadecimal literal, `f` is a digit before the exponent.
    let (body, single) = match body.strip_suffix('f') {
        Some(rest) if !hex || body.contains('p') => (rest, true),
        _ => (body.strip_suffix('l').unwrap_or(body), false),
    };
    if hex {
        let value = hex_float(body).ok_or_else(wrong)?;
        return Ok(if single {
            Number::F32(value as f32)
        } else {
            Number::F64(value)
        });
    }
    let well_formed = body
        .chars()
        .all(|c| c.is_ascii_digit() || matches!(c, '.' | 'e' | '+' | '-'))
        && body.chars().any(|c| c.is_ascii_digit());
    if !well_formed {
        return Err(wrong());
    }
    if single {
        body.parse().map(Number::F32).map_err(|_| wrong())
    } else {
        body.parse().map(Number::F64).map_err(|_| wrong())
    }
}

/// `1.8p3`, after `0x`. Exact for up to 53 significant bits.
fn hex_float(body: &str) -> Option<f64> {
    let (mantissa, exponent) = body.split_once('p')?;
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    if digits.is_empty() || digits.len() > 15 {
        return None;
    }
    let value = u64::from_str_radix(&digits, 16).ok()?;
    let exponent: i32 = exponent.parse().ok()?;
    let exponent = exponent.checked_sub(4 * i32::try_from(fraction.len()).ok()?)?;
    Some(libm::scalbn(value as f64, exponent))
}

/// The value of a character literal with its prefix and quotes.
///
/// # Errors
///
/// The message, if the text is not one character.
pub fn parse_char(text: &str) -> Result<Character, String> {
    let wrong = || format!("{text} is not a character.");
    let prefix = text.split('\'').next().unwrap_or_default();
    let inner = &text[prefix.len()..];
    let escaped = |inner: &str| match literal_bytes(inner).as_deref() {
        Ok([byte]) => Some(*byte),
        _ => None,
    };
    let most = match prefix {
        "" => {
            return escaped(inner)
                .map(|byte| Character::Narrow(byte as i8))
                .ok_or_else(wrong);
        }
        "u8" => 0x7f,
        "u" => 0xffff,
        _ => u32::MAX,
    };
    let mut chars = inner.trim_matches('\'').chars();
    let value = match (chars.next(), chars.next()) {
        (Some(only), None) if only != '\\' => u32::from(only),
        (Some('\\'), Some('x' | 'u' | 'U')) => {
            u32::from_str_radix(chars.as_str(), 16).map_err(|_| wrong())?
        }
        _ => escaped(inner).map(u32::from).ok_or_else(wrong)?,
    };
    match prefix {
        _ if value > most => Err(wrong()),
        "u8" => Ok(Character::Narrow(value as i8)),
        "u" => Ok(Character::Short(value as u16)),
        "L" => Ok(Character::Wide(value as i32)),
        _ => Ok(Character::Long(value)),
    }
}

/// A character literal, by the type that its prefix gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Character {
    /// `'x'` and `u8'x'`.
    Narrow(i8),
    /// `u'x'`.
    Short(u16),
    /// `L'x'`.
    Wide(i32),
    /// `U'x'`.
    Long(u32),
}

impl Character {
    /// The value.
    pub fn value(self) -> i64 {
        match self {
            Self::Narrow(value) => value.into(),
            Self::Short(value) => value.into(),
            Self::Wide(value) => value.into(),
            Self::Long(value) => value.into(),
        }
    }
}
