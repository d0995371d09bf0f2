//! `printf` in kernels: formats, the layout of arguments in memory, and the output of a call.
//!
//! The source is the CUDA C++ Programming Guide, "Formatted Output". The conversions print what the host's C
//! library prints, as on a real GPU: the device stores the format and the arguments in a buffer, and the host
//! formats them after the kernel.

use crate::ids::{Cycle, Pc, WarpId};

/// The maximum number of arguments of a call other than the format: "at most 32 arguments in addition to the
/// format string. Additional ones will be ignored, and the format specifier output as-is" (CUDA C++
/// Programming Guide, "Limitations" of formatted output).
pub const MAX_ARGUMENTS: u32 = 32;

/// Bytes of the buffer between device and host: 1 MB, unless the host calls `cudaDeviceSetLimit` with
/// `cudaLimitPrintfFifoSize` (CUDA C++ Programming Guide, "Associated Host-Side API").
pub const BUFFER_BYTES: u64 = 1 << 20;

/// Bytes that a call takes in the buffer in addition to its arguments and strings. Assumption: the address of the
/// format and the length of the entry, 8 bytes each; no source describes the entry.
const HEADER_BYTES: u64 = 16;

/// The maximum length of a string that `%s` reads: the size of the buffer.
const MAX_STRING: usize = BUFFER_BYTES as usize;

/// The output of one call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Printed {
    /// The issue cycle of the call.
    pub cycle: Cycle,
    /// The call.
    pub pc: Pc,
    /// The warp.
    pub warp: WarpId,
    /// The lane of the warp.
    pub lane: u8,
    /// `blockIdx`.
    pub block: [u32; 3],
    /// `threadIdx`.
    pub thread: [u32; 3],
    /// The printed bytes.
    pub bytes: Vec<u8>,
    /// Bytes that the call takes in the buffer between device and host.
    pub buffer_bytes: u64,
}

impl Printed {
    /// The printed text; bytes that are not UTF-8 are replaced.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }
}

/// Returns the number of calls, from the first one, that the circular buffer has lost: "if more output is
/// produced during kernel execution than can fit in the buffer, older output is overwritten" (CUDA C++
/// Programming Guide).
pub fn num_overwritten(calls: &[Printed]) -> usize {
    let mut held = 0;
    for (idx, call) in calls.iter().enumerate().rev() {
        held += call.buffer_bytes;
        if held > BUFFER_BYTES {
            return idx + 1;
        }
    }
    0
}

/// The sentence for calls that the buffer has lost.
pub fn overwritten_text(num: usize) -> String {
    let calls = if num == 1 { "call" } else { "calls" };
    format!("The output of the first {num} printf {calls} is lost: the device's 1 MB buffer overflowed.")
}

/// Size modifiers of a conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// None, for `int`.
    Plain,
    /// `hh`.
    Char,
    /// `h`.
    Short,
    /// `l`.
    Long,
    /// `ll`, `j`.
    LongLong,
    /// `z`, `t`.
    Pointer,
}

/// A width or precision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Amount {
    /// Not given.
    None,
    /// A number in the format.
    Number(u32),
    /// `*`: an argument of type `int`.
    Argument,
}

/// The kind of argument that a conversion takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `%d`, `%i`.
    Signed,
    /// `%u`, `%o`, `%x`, `%X`.
    Unsigned,
    /// `%c`.
    Char,
    /// `%e`, `%f`, `%g`, `%a`, and their uppercase forms.
    Float,
    /// `%s`.
    String,
    /// `%p`.
    Pointer,
}

/// A conversion of a format, such as `%-8.3f`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conversion {
    /// The kind of its argument.
    pub kind: Kind,
    /// Its letter.
    pub letter: u8,
    /// Its size modifier.
    pub size: Size,
    /// The minimum number of characters.
    pub width: Amount,
    /// Precision.
    pub precision: Amount,
    minus: bool,
    plus: bool,
    space: bool,
    alternate: bool,
    zero: bool,
}

impl Conversion {
    /// Bytes of its argument: 4 or 8.
    pub const fn argument_bytes(&self, pointer_bytes: u32) -> u32 {
        match (self.kind, self.size) {
            (Kind::Float, _) | (Kind::Signed | Kind::Unsigned, Size::Long | Size::LongLong) => 8,
            (Kind::String | Kind::Pointer, _) | (Kind::Signed | Kind::Unsigned, Size::Pointer) => {
                pointer_bytes
            }
            _ => 4,
        }
    }
}

/// A part of a format, with its bytes in the format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part<'f> {
    /// Text that is printed unchanged.
    Text(&'f [u8]),
    /// A conversion that prints an argument.
    Conversion(Conversion, &'f [u8]),
    /// A `%` without a valid conversion; printed unchanged.
    Unknown(&'f [u8]),
}

/// Returns the parts of a format in order.
pub fn parts(format: &[u8]) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let mut rest = format;
    while !rest.is_empty() {
        let len = rest.iter().position(|byte| *byte == b'%').unwrap_or(rest.len());
        if len > 0 {
            parts.push(Part::Text(&rest[..len]));
            rest = &rest[len..];
            continue;
        }
        if rest.get(1) == Some(&b'%') {
            parts.push(Part::Text(&rest[..1]));
            rest = &rest[2..];
            continue;
        }
        let (conversion, len) = conversion(rest);
        let (text, behind) = rest.split_at(len.min(rest.len()));
        parts.push(match conversion {
            Some(conversion) => Part::Conversion(conversion, text),
            None => Part::Unknown(text),
        });
        rest = behind;
    }
    parts
}

/// The conversion at the start of a text, and the number of its bytes.
fn conversion(text: &[u8]) -> (Option<Conversion>, usize) {
    let mut at = 1;
    let mut found = Conversion {
        kind: Kind::Signed,
        letter: b'd',
        size: Size::Plain,
        width: Amount::None,
        precision: Amount::None,
        minus: false,
        plus: false,
        space: false,
        alternate: false,
        zero: false,
    };
    while let Some(byte) = text.get(at) {
        match byte {
            b'-' => found.minus = true,
            b'+' => found.plus = true,
            b' ' => found.space = true,
            b'#' => found.alternate = true,
            b'0' => found.zero = true,
            _ => break,
        }
        at += 1;
    }
    found.width = amount(text, &mut at);
    if text.get(at) == Some(&b'.') {
        at += 1;
        found.precision = match amount(text, &mut at) {
            Amount::None => Amount::Number(0),
            amount => amount,
        };
    }
    let (size, len) = match text.get(at..).unwrap_or_default() {
        [b'h', b'h', ..] => (Size::Char, 2),
        [b'h', ..] => (Size::Short, 1),
        [b'l', b'l', ..] => (Size::LongLong, 2),
        [b'l', ..] => (Size::Long, 1),
        [b'j', ..] => (Size::LongLong, 1),
        [b'z' | b't', ..] => (Size::Pointer, 1),
        _ => (Size::Plain, 0),
    };
    at += len;
    found.size = size;
    let Some(letter) = text.get(at) else {
        return (None, text.len());
    };
    found.letter = *letter;
    found.kind = match letter {
        b'd' | b'i' => Kind::Signed,
        b'u' | b'o' | b'x' | b'X' => Kind::Unsigned,
        b'c' => Kind::Char,
        b'e' | b'E' | b'f' | b'F' | b'g' | b'G' | b'a' | b'A' => Kind::Float,
        b's' => Kind::String,
        b'p' => Kind::Pointer,
        _ => return (None, at + 1),
    };
    (Some(found), at + 1)
}

fn amount(text: &[u8], at: &mut usize) -> Amount {
    if text.get(*at) == Some(&b'*') {
        *at += 1;
        return Amount::Argument;
    }
    let mut number = None;
    while let Some(digit) = text.get(*at).filter(|byte| byte.is_ascii_digit()) {
        number = Some(
            number
                .unwrap_or(0_u32)
                .saturating_mul(10)
                .saturating_add(u32::from(digit - b'0')),
        );
        *at += 1;
    }
    number.map_or(Amount::None, Amount::Number)
}

/// The memory of the thread that calls `printf`.
pub trait Memory {
    /// The reason why a byte cannot be read.
    type Error;
    /// The little-endian number of 4 or 8 bytes at an offset from the start of the arguments.
    ///
    /// # Errors
    /// Returns an error if the bytes cannot be read.
    fn argument(&mut self, offset: u32, bytes: u32) -> Result<u64, Self::Error>;
    /// The byte at a generic address.
    ///
    /// # Errors
    /// Returns an error if the byte cannot be read.
    fn byte(&mut self, address: u64) -> Result<u8, Self::Error>;
}

/// Returns the bytes of a C string.
///
/// # Errors
/// Returns an error if a byte of the string cannot be read.
pub fn string<M: Memory>(memory: &mut M, address: u64, most: usize) -> Result<Vec<u8>, M::Error> {
    let mut bytes = Vec::new();
    while bytes.len() < most {
        match memory.byte(address.wrapping_add(bytes.len() as u64))? {
            0 => break,
            byte => bytes.push(byte),
        }
    }
    Ok(bytes)
}

/// The effect of a call: the printed bytes, the returned value, and the bytes in the buffer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The printed bytes.
    pub bytes: Vec<u8>,
    /// The number of arguments; -1 for a null format. "CUDA's `printf()` returns the number of arguments parsed"
    /// (CUDA C++ Programming Guide).
    pub result: i32,
    /// Bytes in the buffer.
    pub buffer_bytes: u64,
}

/// Formats a call. Arguments are laid out with C's alignment, as in a struct. Without arguments, conversions
/// are printed unchanged.
///
/// # Errors
/// Returns an error if the format or a string cannot be read.
pub fn call<M: Memory>(
    memory: &mut M,
    format: u64,
    has_arguments: bool,
    pointer_bytes: u32,
) -> Result<Call, M::Error> {
    if format == 0 {
        return Ok(Call {
            bytes: Vec::new(),
            result: -1,
            buffer_bytes: 0,
        });
    }
    let format = string(memory, format, MAX_STRING)?;
    let mut arguments = Arguments {
        memory,
        offset: 0,
        num: 0,
    };
    let mut out = Vec::new();
    let mut strings = 0;
    for part in parts(&format) {
        let (conversion, text) = match part {
            Part::Text(text) | Part::Unknown(text) => {
                out.extend(text);
                continue;
            }
            Part::Conversion(conversion, text) => (conversion, text),
        };
        let wanted = 1
            + u32::from(conversion.width == Amount::Argument)
            + u32::from(conversion.precision == Amount::Argument);
        if !has_arguments || arguments.num + wanted > MAX_ARGUMENTS {
            out.extend(text);
            continue;
        }
        let width = arguments.amount(conversion.width)?;
        let precision = arguments.amount(conversion.precision)?;
        let value = arguments.next(conversion.argument_bytes(pointer_bytes))?;
        let layout = Layout::new(&conversion, width, precision);
        let body = match conversion.kind {
            Kind::Signed => layout.signed(value, conversion.argument_bytes(pointer_bytes)),
            Kind::Unsigned => layout.unsigned(value, conversion.argument_bytes(pointer_bytes)),
            Kind::Char => layout.text(&[value as u8]),
            Kind::Float => layout.float(f64::from_bits(value)),
            Kind::Pointer if value == 0 => layout.text(b"(nil)"),
            Kind::Pointer => layout.pointer(value),
            // As in glibc: prints nothing if "(null)" exceeds the precision.
            Kind::String if value == 0 => match layout.precision {
                Some(precision) if precision < 6 => layout.text(b""),
                _ => layout.text(b"(null)"),
            },
            Kind::String => {
                let most = layout.precision.unwrap_or(MAX_STRING).min(MAX_STRING);
                let text = string(arguments.memory, value, most)?;
                strings += text.len() as u64 + 1;
                layout.text(&text)
            }
        };
        out.extend(body);
    }
    Ok(Call {
        bytes: out,
        result: arguments.num as i32,
        buffer_bytes: HEADER_BYTES + u64::from(arguments.offset.next_multiple_of(8)) + strings,
    })
}

/// Returns the line that a failed assertion prints, in the wording of `__assertfail`.
///
/// # Errors
/// Returns an error if one of the strings cannot be read.
pub fn failed_assertion<M: Memory>(
    memory: &mut M,
    place: u64,
    assertion: u64,
    block: [u32; 3],
    thread: [u32; 3],
) -> Result<Call, M::Error> {
    let [place, assertion] = [
        string(memory, place, MAX_STRING)?,
        string(memory, assertion, MAX_STRING)?,
    ]
    .map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let [block, thread] = [block, thread].map(|[x, y, z]| format!("[{x},{y},{z}]"));
    let line = format!("{place}: block: {block}, thread: {thread} Assertion `{assertion}` failed.\n");
    Ok(Call {
        buffer_bytes: HEADER_BYTES + line.len() as u64,
        bytes: line.into_bytes(),
        result: 0,
    })
}

/// The message for a string that cannot be read.
pub fn unreadable(lane: usize, address: u64) -> String {
    format!("Lane {lane} prints a string at {address:#x}, which is outside every allocation.")
}

struct Arguments<'m, M> {
    memory: &'m mut M,
    offset: u32,
    num: u32,
}

impl<M: Memory> Arguments<'_, M> {
    fn next(&mut self, bytes: u32) -> Result<u64, M::Error> {
        let at = self.offset.next_multiple_of(bytes);
        self.offset = at + bytes;
        self.num += 1;
        self.memory.argument(at, bytes)
    }

    fn amount(&mut self, amount: Amount) -> Result<Option<i64>, M::Error> {
        Ok(match amount {
            Amount::None => None,
            Amount::Number(number) => Some(i64::from(number)),
            Amount::Argument => Some(i64::from(self.next(4)? as u32 as i32)),
        })
    }
}

/// The maximum number of characters of a width or precision: the size of the buffer.
const MAX_CHARACTERS: i64 = 1 << 20;

/// The layout of a value.
struct Layout<'c> {
    conversion: &'c Conversion,
    width: usize,
    precision: Option<usize>,
    left: bool,
}

impl<'c> Layout<'c> {
    fn new(conversion: &'c Conversion, width: Option<i64>, precision: Option<i64>) -> Self {
        let width = width.unwrap_or(0);
        Self {
            conversion,
            // A negative width argument sets the flag `-`; a negative precision counts as omitted.
            width: width.abs().min(MAX_CHARACTERS) as usize,
            precision: precision
                .filter(|number| *number >= 0)
                .map(|number| number.min(MAX_CHARACTERS) as usize),
            left: conversion.minus || width < 0,
        }
    }

    /// Pads a text to the width; zeros go between the prefix and the digits.
    fn padded(&self, prefix: &str, digits: &str, zeros: bool) -> Vec<u8> {
        let missing = self.width.saturating_sub(prefix.len() + digits.len());
        let (before, between, after) = match (self.left, zeros) {
            (true, _) => (0, 0, missing),
            (false, true) => (0, missing, 0),
            (false, false) => (missing, 0, 0),
        };
        let mut out = vec![b' '; before];
        out.extend(prefix.bytes());
        out.extend(std::iter::repeat_n(b'0', between));
        out.extend(digits.bytes());
        out.extend(std::iter::repeat_n(b' ', after));
        out
    }

    fn text(&self, text: &[u8]) -> Vec<u8> {
        let missing = vec![b' '; self.width.saturating_sub(text.len())];
        if self.left {
            [text, &missing].concat()
        } else {
            [&missing, text].concat()
        }
    }

    const fn sign(&self, negative: bool) -> &'static str {
        if negative {
            "-"
        } else if self.conversion.plus {
            "+"
        } else if self.conversion.space {
            " "
        } else {
            ""
        }
    }

    /// Pads digits to the precision; zero with precision 0 has no digits.
    fn digits(&self, digits: String) -> String {
        match self.precision {
            Some(0) if digits == "0" => String::new(),
            Some(precision) => format!("{digits:0>precision$}"),
            None => digits,
        }
    }

    fn signed(&self, value: u64, bytes: u32) -> Vec<u8> {
        let value = match (self.conversion.size, bytes) {
            (Size::Char, _) => i64::from(value as i8),
            (Size::Short, _) => i64::from(value as i16),
            (_, 4) => i64::from(value as i32),
            _ => value as i64,
        };
        let digits = self.digits(value.unsigned_abs().to_string());
        let zeros = self.conversion.zero && self.precision.is_none();
        self.padded(self.sign(value < 0), &digits, zeros)
    }

    fn unsigned(&self, value: u64, bytes: u32) -> Vec<u8> {
        let value = match (self.conversion.size, bytes) {
            (Size::Char, _) => u64::from(value as u8),
            (Size::Short, _) => u64::from(value as u16),
            (_, 4) => u64::from(value as u32),
            _ => value,
        };
        let alternate = self.conversion.alternate;
        let (digits, prefix) = match self.conversion.letter {
            b'o' => (format!("{value:o}"), ""),
            b'x' => (
                format!("{value:x}"),
                if alternate && value != 0 { "0x" } else { "" },
            ),
            b'X' => (
                format!("{value:X}"),
                if alternate && value != 0 { "0X" } else { "" },
            ),
            _ => (value.to_string(), ""),
        };
        let mut digits = self.digits(digits);
        if self.conversion.letter == b'o' && alternate && !digits.starts_with('0') {
            digits.insert(0, '0');
        }
        let zeros = self.conversion.zero && self.precision.is_none();
        self.padded(prefix, &digits, zeros)
    }

    fn pointer(&self, value: u64) -> Vec<u8> {
        let digits = self.digits(format!("{value:x}"));
        let zeros = self.conversion.zero && self.precision.is_none();
        let sign = self.sign(false);
        self.padded(&format!("{sign}0x"), &digits, zeros)
    }

    fn float(&self, value: f64) -> Vec<u8> {
        let sign = self.sign(value.is_sign_negative());
        let letter = self.conversion.letter;
        let magnitude = value.abs();
        if !magnitude.is_finite() {
            let text = if magnitude.is_nan() { "nan" } else { "inf" };
            let text = self.cased(text.to_owned());
            return self.padded(sign, &text, false);
        }
        let alternate = self.conversion.alternate;
        let text = match letter.to_ascii_lowercase() {
            b'f' => fixed(magnitude, self.precision.unwrap_or(6), alternate),
            b'e' => scientific(magnitude, self.precision.unwrap_or(6), alternate),
            b'g' => general(magnitude, self.precision.unwrap_or(6), alternate),
            _ => {
                let text = self.cased(hexadecimal(magnitude, self.precision, alternate));
                let prefix = format!("{sign}{}", &text[..2]);
                return self.padded(&prefix, &text[2..], self.conversion.zero);
            }
        };
        let text = self.cased(text);
        self.padded(sign, &text, self.conversion.zero)
    }

    fn cased(&self, text: String) -> String {
        if self.conversion.letter.is_ascii_uppercase() {
            text.to_ascii_uppercase()
        } else {
            text
        }
    }
}

fn fixed(value: f64, precision: usize, point: bool) -> String {
    let mut text = format!("{value:.precision$}");
    if precision == 0 && point {
        text.push('.');
    }
    text
}

/// The digits with a point after the first, and the exponent.
fn digits_and_exponent(value: f64, precision: usize) -> (String, i32) {
    let text = format!("{value:.precision$e}");
    match text.split_once('e') {
        Some((digits, exponent)) => (digits.to_owned(), exponent.parse().unwrap_or(0)),
        None => (text, 0),
    }
}

fn exponent_text(exponent: i32) -> String {
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("e{sign}{:02}", exponent.unsigned_abs())
}

fn scientific(value: f64, precision: usize, point: bool) -> String {
    let (mut digits, exponent) = digits_and_exponent(value, precision);
    if precision == 0 && point {
        digits.push('.');
    }
    digits + &exponent_text(exponent)
}

fn general(value: f64, precision: usize, keeps_zeros: bool) -> String {
    let precision = precision.max(1);
    let (digits, exponent) = digits_and_exponent(value, precision - 1);
    let is_scientific = exponent < -4 || exponent >= precision as i32;
    let mut text = if is_scientific {
        digits
    } else {
        fixed(value, (precision as i32 - 1 - exponent) as usize, false)
    };
    if keeps_zeros {
        if !text.contains('.') {
            text.push('.');
        }
    } else if text.contains('.') {
        text.truncate(text.trim_end_matches('0').trim_end_matches('.').len());
    }
    if is_scientific {
        text += &exponent_text(exponent);
    }
    text
}

fn hexadecimal(value: f64, precision: Option<usize>, point: bool) -> String {
    let bits = value.to_bits();
    let (field, fraction) = ((bits >> 52) as i32, bits & ((1 << 52) - 1));
    let (mut lead, mut exponent) = if field == 0 { (0, -1022) } else { (1, field - 1023) };
    if value == 0.0 {
        exponent = 0;
    }
    let mut digits = format!("{fraction:013x}");
    match precision {
        None => digits.truncate(digits.trim_end_matches('0').len()),
        Some(precision) if precision < 13 => {
            let whole = (lead << 52) | fraction;
            let cut = 4 * (13 - precision as u32);
            let (kept, rest, half) = (whole >> cut, whole & ((1 << cut) - 1), 1_u64 << (cut - 1));
            let up = rest > half || (rest == half && kept & 1 == 1);
            let rounded = kept + u64::from(up);
            let fraction_bits = 52 - cut;
            lead = rounded >> fraction_bits;
            let fraction = rounded & ((1_u64 << fraction_bits) - 1);
            digits = if precision == 0 {
                String::new()
            } else {
                format!("{fraction:0precision$x}")
            };
        }
        Some(precision) => digits = format!("{digits:0<precision$}"),
    }
    let dot = if digits.is_empty() && !point { "" } else { "." };
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("0x{lead}{dot}{digits}p{sign}{}", exponent.unsigned_abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Plain(Vec<u8>, Vec<u8>);

    impl Memory for Plain {
        type Error = ();
        fn argument(&mut self, offset: u32, bytes: u32) -> Result<u64, ()> {
            let mut word = [0; 8];
            let from = self.1.get(offset as usize..(offset + bytes) as usize).ok_or(())?;
            word[..bytes as usize].copy_from_slice(from);
            Ok(u64::from_le_bytes(word))
        }
        fn byte(&mut self, address: u64) -> Result<u8, ()> {
            self.0.get(address as usize).copied().ok_or(())
        }
    }

    fn printed(format: &str, arguments: &[u8]) -> (String, i32) {
        let memory = [&[0xff][..], format.as_bytes(), &[0]].concat();
        let mut memory = Plain(memory, arguments.to_vec());
        let call = call(&mut memory, 1, !arguments.is_empty(), 8).expect("the format is in memory");
        (String::from_utf8(call.bytes).expect("ASCII"), call.result)
    }

    /// Formats of integers, each with its value.
    const INTEGERS: [(&str, i32); 14] = [
        ("%d", -7),
        ("%5d|%%", 42),
        ("%-5d|", 42),
        ("%05d", -42),
        ("%+d", 5),
        ("% d", 5),
        ("%.3d", 7),
        ("%8.3d", -7),
        ("%.0d", 0),
        ("%x", 255),
        ("%#X", 255),
        ("%#o", 8),
        ("%hhd", 300),
        ("%hu", 70000),
    ];
    const DOUBLES: [&str; 16] = [
        "%f", "%.0f", "%#.0f", "%10.3f", "%-10.2f|", "%010.1f", "%e", "%.0e", "%E", "%g", "%.3g", "%#g",
        "%G", "%a", "%.2a", "%+.10A",
    ];
    const VALUES: [f64; 16] = [
        0.0,
        -0.0,
        1.0,
        -1.5,
        0.1,
        123_456.789,
        1e-5,
        9.5,
        0.5,
        2.5,
        1e300,
        5e-324,
        999_999.5,
        1e5,
        f64::INFINITY,
        f64::NAN,
    ];

    #[test]
    fn conversions_print_what_the_c_library_prints() {
        let mut source = String::from("#include <cstdio>\n#include <cmath>\nint main() {\n");
        let mut own = String::new();
        for (format, value) in INTEGERS {
            source += &format!("printf(\"{format}\\n\", {value});\n");
            own += &format!("{}\n", printed(format, &value.to_le_bytes()).0);
        }
        for format in DOUBLES {
            for value in VALUES {
                // C libraries before glibc 2.38 omit the zeros of a `%#g` that rounds up to a power of ten.
                if format == "%#g" && value == 999_999.5 {
                    continue;
                }
                let text = match value {
                    value if value.is_nan() => "NAN".to_owned(),
                    value if value.is_infinite() => "INFINITY".to_owned(),
                    value => format!("{value:e}"),
                };
                source += &format!("printf(\"{format}\\n\", {text});\n");
                own += &format!("{}\n", printed(format, &value.to_le_bytes()).0);
            }
        }
        source += "}\n";
        let dir = std::env::temp_dir().join(format!("warpscope-printf-{}", std::process::id()));
        std::fs::create_dir_all(&dir).expect("a directory for the oracle");
        let (file, program) = (dir.join("oracle.cc"), dir.join("oracle"));
        std::fs::write(&file, source).expect("the oracle's source");
        let built = std::process::Command::new("g++")
            .arg("-w")
            .arg(&file)
            .arg("-o")
            .arg(&program)
            .status();
        assert!(built.expect("g++ runs").success());
        let output = std::process::Command::new(&program)
            .output()
            .expect("the oracle runs");
        std::fs::remove_dir_all(&dir).expect("the directory is removed");
        let theirs = String::from_utf8(output.stdout).expect("ASCII");
        for (own, theirs) in own.lines().zip(theirs.lines()) {
            assert_eq!(own, theirs);
        }
        assert_eq!(own.lines().count(), theirs.lines().count());
    }

    #[test]
    fn the_result_is_the_number_of_arguments() {
        assert_eq!(printed("none\n", &[]), ("none\n".to_owned(), 0));
        assert_eq!(printed("%d", &[]), ("%d".to_owned(), 0));
        let two = [&5_i32.to_le_bytes()[..], &7_i32.to_le_bytes()].concat();
        assert_eq!(printed("%*d", &two), ("    7".to_owned(), 2));
        assert_eq!(printed("100%% %q %d", &two), ("100% %q 5".to_owned(), 1));
    }

    #[test]
    fn the_thirty_third_conversion_is_printed_unchanged() {
        let arguments: Vec<u8> = (0..33_i32).flat_map(i32::to_le_bytes).collect();
        let (text, result) = printed(&"%d ".repeat(33), &arguments);
        assert!(text.ends_with("31 %d "), "{text}");
        assert_eq!(result, 32);
    }

    #[test]
    fn the_oldest_output_is_lost_when_the_buffer_is_full() {
        let call = |bytes: u64| Printed {
            cycle: Cycle(0),
            pc: Pc(0),
            warp: WarpId(0),
            lane: 0,
            block: [0; 3],
            thread: [0; 3],
            bytes: Vec::new(),
            buffer_bytes: bytes,
        };
        assert_eq!(num_overwritten(&[call(16), call(BUFFER_BYTES - 16)]), 0);
        assert_eq!(num_overwritten(&[call(16), call(BUFFER_BYTES - 8)]), 1);
    }
}
