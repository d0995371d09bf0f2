//! Values of string literals.

use crate::hir::Type;

/// The characters of a string: which type its prefix gives them. Source: C++17, "String literals"; `wchar_t` has 32 bits
/// on Linux.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// `char`, in UTF-8: without a prefix, and `u8`.
    Narrow,
    /// `char16_t`, in UTF-16: `u`.
    Short,
    /// `wchar_t`: `L`.
    Wide,
    /// `char32_t`: `U`.
    Long,
}

impl Encoding {
    /// The type of an element.
    pub const fn ty(self) -> Type {
        match self {
            Self::Narrow => Type::I8,
            Self::Short => Type::U16,
            Self::Wide => Type::I32,
            Self::Long => Type::U32,
        }
    }

    /// Bytes of an element.
    pub const fn bytes(self) -> usize {
        match self {
            Self::Narrow => 1,
            Self::Short => 2,
            Self::Wide | Self::Long => 4,
        }
    }

    /// Whether an array with elements of this type can be initialized by a string.
    pub fn fits(self, elem: &Type) -> bool {
        *elem == self.ty() || self == Self::Narrow && *elem == Type::U8
    }

    fn of_prefix(prefix: &str) -> Self {
        match prefix {
            "u" => Self::Short,
            "L" => Self::Wide,
            "U" => Self::Long,
            _ => Self::Narrow,
        }
    }
}

/// The value of a string literal, without the terminating zero.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// The type of its elements.
    pub encoding: Encoding,
    /// The elements in memory, least significant byte first.
    pub bytes: Vec<u8>,
}

impl Text {
    /// A string of `char`.
    pub fn narrow(text: &str) -> Self {
        Self {
            encoding: Encoding::Narrow,
            bytes: text.as_bytes().to_vec(),
        }
    }

    /// Number of elements.
    pub fn len(&self) -> usize {
        self.bytes.len() / self.encoding.bytes()
    }

    /// Whether it has no elements.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// The values of its elements.
    pub fn elements(&self) -> impl Iterator<Item = u32> {
        let value = |bytes: &[u8]| {
            bytes
                .iter()
                .rev()
                .fold(0, |value, byte| value << 8 | u32::from(*byte))
        };
        self.bytes.chunks_exact(self.encoding.bytes()).map(value)
    }
}

/// An element of a literal before its encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unit {
    Character(char),
    /// The value of a numeric escape sequence, which is not encoded.
    Code(u32),
}

/// Adjacent string literals, which are one string.
#[derive(Debug, Default)]
pub struct Strings {
    prefix: String,
    units: Vec<Unit>,
}

impl Strings {
    /// Appends a literal.
    ///
    /// # Errors
    ///
    /// The message: an invalid escape sequence, or two different prefixes.
    pub fn push(&mut self, text: &str) -> Result<(), String> {
        let (prefix, units) = units(text)?;
        if !prefix.is_empty() && !self.prefix.is_empty() && prefix != self.prefix {
            return Err(format!(
                "Adjacent strings have the prefixes `{}` and `{prefix}`; give both the same prefix.",
                self.prefix
            ));
        }
        if !prefix.is_empty() {
            prefix.clone_into(&mut self.prefix);
        }
        self.units.extend(units);
        Ok(())
    }

    /// The string.
    ///
    /// # Errors
    ///
    /// The message, if the value of an escape sequence does not fit into an element.
    pub fn text(&self) -> Result<Text, String> {
        let encoding = Encoding::of_prefix(&self.prefix);
        let bytes = encode(&self.units, encoding)?;
        Ok(Text { encoding, bytes })
    }
}

fn encode(units: &[Unit], encoding: Encoding) -> Result<Vec<u8>, String> {
    let width = encoding.bytes();
    let mut out = Vec::new();
    for unit in units {
        match (*unit, encoding) {
            (Unit::Character(c), Encoding::Narrow) => out.extend(c.encode_utf8(&mut [0; 4]).as_bytes()),
            (Unit::Character(c), Encoding::Short) => {
                for half in c.encode_utf16(&mut [0; 2]) {
                    out.extend(half.to_le_bytes());
                }
            }
            (Unit::Character(c), _) => out.extend(u32::from(c).to_le_bytes()),
            (Unit::Code(value), _) => {
                let bytes = value.to_le_bytes();
                if bytes[width..].iter().any(|byte| *byte != 0) {
                    return Err(format!(
                        "The escape sequence with the value {value} does not fit into a character of {} bits.",
                        8 * width
                    ));
                }
                out.extend(&bytes[..width]);
            }
        }
    }
    Ok(out)
}

/// The bytes of a quoted string or character literal, without the terminating zero.
///
/// # Errors
/// The invalid escape sequence, or a prefix of wide characters.
pub fn literal_bytes(text: &str) -> Result<Vec<u8>, String> {
    let (prefix, units) = units(text)?;
    match Encoding::of_prefix(prefix) {
        Encoding::Narrow => encode(&units, Encoding::Narrow),
        _ => Err(format!(
            "A string with the prefix `{prefix}` is not possible here."
        )),
    }
}

/// The prefix of a literal, without `R`, and its elements.
fn units(text: &str) -> Result<(&str, Vec<Unit>), String> {
    let (prefix, text) = text.split_at(text.find(['"', '\'']).unwrap_or(0));
    if let Some(prefix) = prefix.strip_suffix('R') {
        // `"delimiter(characters)delimiter"`.
        let len = text.find('(').unwrap_or(0);
        let inner = text.get(len + 1..text.len().saturating_sub(len + 1));
        let inner = inner.unwrap_or_default().replace("\r\n", "\n");
        return Ok((prefix, inner.chars().map(Unit::Character).collect()));
    }
    let mut rest = text.get(1..text.len().saturating_sub(1)).unwrap_or_default();
    let mut out = Vec::new();
    while let Some(at) = rest.find('\\') {
        out.extend(rest[..at].chars().map(Unit::Character));
        rest = &rest[at + 1..];
        // A backslash at the end of a line continues the literal in the next line.
        if let Some(next) = rest.strip_prefix('\n').or_else(|| rest.strip_prefix("\r\n")) {
            rest = next;
            continue;
        }
        let (unit, length) = escape(rest).ok_or_else(|| {
            format!(
                "Unrecognized character escape sequence `\\{}`.",
                rest.chars().next().unwrap_or(' ')
            )
        })?;
        out.push(unit);
        rest = &rest[length..];
    }
    out.extend(rest.chars().map(Unit::Character));
    Ok((prefix, out))
}

/// An escape sequence from behind its backslash, with its length.
fn escape(rest: &str) -> Option<(Unit, usize)> {
    let digits = |radix: u32, most: usize, text: &str| {
        let num = text.chars().take_while(|c| c.is_digit(radix)).take(most).count();
        let value = u32::from_str_radix(&text[..num], radix).ok()?;
        Some((value, num))
    };
    let character = |c: u8| Some((Unit::Character(c.into()), 1));
    // `\u` and `\U` name a character by all of their digits.
    let named = |num: usize| {
        let (value, found) = digits(16, num, &rest[1..])?;
        let named = char::from_u32(value).filter(|_| found == num)?;
        Some((Unit::Character(named), 1 + num))
    };
    match rest.bytes().next()? {
        b'n' => character(b'\n'),
        b't' => character(b'\t'),
        b'r' => character(b'\r'),
        b'a' => character(7),
        b'b' => character(8),
        b'f' => character(12),
        b'v' => character(11),
        c @ (b'\\' | b'\'' | b'"' | b'?') => character(c),
        b'x' => digits(16, usize::MAX, &rest[1..]).map(|(value, num)| (Unit::Code(value), 1 + num)),
        b'0'..=b'7' => digits(8, 3, rest).map(|(value, num)| (Unit::Code(value), num)),
        b'u' => named(4),
        b'U' => named(8),
        _ => None,
    }
}
