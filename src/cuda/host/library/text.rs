//! C strings: conversion to numbers, comparison, and search.

use crate::host::machine::*;
use crate::host::memory::*;
use crate::host::tree::*;
use crate::host::value::*;

/// Maximum length of a string.
const MAX_TEXT: u64 = 4096;

impl Machine {
    /// The bytes of a string up to its terminating zero; the state if they are unknown.
    pub(in crate::host) fn text_at(&mut self, pointer: &Value) -> Result<Vec<u8>, State> {
        if !pointer.is_known() || !matches!(pointer.ty, Ty::Pointer(_)) {
            return Err(pointer.state.max(REASONS));
        }
        let mut text = Vec::new();
        for at in 0..MAX_TEXT {
            match self.memory.load(pointer.bits + at, 1) {
                Some((0, state)) if is_known(state) => return Ok(text),
                Some((byte, state)) if is_known(state) => text.push(byte as u8),
                Some((_, state)) => return Err(state.max(REASONS)),
                None => break,
            }
        }
        Err(self.reason("a string has no terminating zero".to_owned()))
    }

    /// `atoi` and its family.
    pub(super) fn number_of_text(&mut self, name: &str, args: &[Expr]) -> Runs<Value> {
        let values = self.values(args)?;
        let ty = match name {
            "atof" | "strtod" | "stod" => Ty::F64,
            "strtof" | "stof" => Ty::F32,
            "atol" | "atoll" | "strtol" | "strtoll" | "stol" => Ty::I64,
            "strtoul" | "strtoull" | "stoul" | "stoull" => Ty::U64,
            _ => Ty::I32,
        };
        let text = match values.first() {
            Some(value) => self.text_at(value),
            None => Err(REASONS),
        };
        let text = match text {
            Ok(text) => text,
            Err(state) => {
                if let Some(end) = values
                    .get(1)
                    .and_then(|end| self.target(end))
                    .filter(|at| at.address != 0)
                {
                    self.store(end, Value::new(end.ty, 0, state));
                }
                return Ok(Value::new(ty, 0, state));
            }
        };
        let base = match (name.starts_with("strto") && !Self::is_float(ty), values.get(2)) {
            (true, Some(base)) if base.is_known() => base.bits as u32,
            _ => 10,
        };
        let (bits, len) = if Self::is_float(ty) {
            let (number, len) = leading_float(&text);
            (Self::from_float(ty, number), len)
        } else {
            let (number, len) = leading_integer(&text, base);
            (Self::wrap(ty, number as u64), len)
        };
        if name.starts_with("strto")
            && let Some(end) = values.get(1).filter(|end| end.bits != 0)
            && let Some(end) = self.target(end)
        {
            let behind = Value::new(values[0].ty, values[0].bits + len as u64, KNOWN);
            self.store(end, behind);
        }
        Ok(Value::new(ty, bits, KNOWN))
    }

    /// Comparisons and searches.
    pub(super) fn text_call(&mut self, name: &str, args: &[Expr]) -> Runs<Value> {
        let values = self.values(args)?;
        let is_search = matches!(name, "strchr" | "strrchr" | "strstr");
        let ty = match name {
            "strlen" => Ty::U64,
            _ if is_search => values.first().map_or(Ty::Opaque, |value| value.ty),
            _ => Ty::I32,
        };
        let Some(first) = values.first() else {
            return Ok(Value::unknown(REASONS));
        };
        let text = match self.text_at(first) {
            Ok(text) => text,
            Err(state) => return Ok(Value::new(ty, 0, state)),
        };
        if name == "strlen" {
            return Ok(Value::new(ty, text.len() as u64, KNOWN));
        }
        let Some(second) = values.get(1) else {
            return Ok(Value::new(ty, 0, REASONS));
        };
        let found = |at: Option<usize>| {
            let bits = at.map_or(0, |at| first.bits + at as u64);
            Ok(Value::new(ty, bits, KNOWN))
        };
        if matches!(name, "strchr" | "strrchr") {
            if !second.is_known() {
                return Ok(Value::new(ty, 0, second.state));
            }
            let byte = second.bits as u8;
            let is_it = |other: &u8| *other == byte;
            return found(match (byte, name) {
                (0, _) => Some(text.len()),
                (_, "strchr") => text.iter().position(is_it),
                _ => text.iter().rposition(is_it),
            });
        }
        let mut other = match self.text_at(second) {
            Ok(other) => other,
            Err(state) => return Ok(Value::new(ty, 0, state)),
        };
        let mut text = text;
        match (name, values.get(2)) {
            ("strstr", _) => {
                let at = (0..=text.len()).find(|at| text[*at..].starts_with(&other));
                return found(at);
            }
            ("strcasecmp", _) => {
                text.make_ascii_lowercase();
                other.make_ascii_lowercase();
            }
            ("strncmp", Some(count)) if count.is_known() => {
                text.truncate(count.bits as usize);
                other.truncate(count.bits as usize);
            }
            ("strncmp", _) => return Ok(Value::new(ty, 0, REASONS)),
            _ => {}
        }
        Ok(Value::int(text.cmp(&other) as i64))
    }
}

/// The integer at the start of a text, and its length in bytes.
fn leading_integer(text: &[u8], base: u32) -> (i64, usize) {
    let mut at = text.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    let is_negative = text.get(at) == Some(&b'-');
    at += usize::from(matches!(text.get(at), Some(b'-' | b'+')));
    let is_hex = text.get(at) == Some(&b'0') && matches!(text.get(at + 1), Some(b'x' | b'X'));
    let base = match base {
        0 | 16 if is_hex => {
            at += 2;
            16
        }
        0 if text.get(at) == Some(&b'0') => 8,
        0 => 10,
        base => base.clamp(2, 36),
    };
    let (mut number, start) = (0_i64, at);
    while let Some(digit) = text.get(at).and_then(|byte| char::from(*byte).to_digit(base)) {
        number = number
            .saturating_mul(i64::from(base))
            .saturating_add(i64::from(digit));
        at += 1;
    }
    let len = if at == start { 0 } else { at };
    (if is_negative { -number } else { number }, len)
}

/// The floating-point number at the start of a text, and its length in bytes.
fn leading_float(text: &[u8]) -> (f64, usize) {
    let start = text.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    let number = text[start..]
        .iter()
        .take_while(|byte| byte.is_ascii_digit() || b"+-.eE".contains(byte))
        .count();
    // The longest prefix that is a number.
    for len in (1..=number).rev() {
        let part = std::str::from_utf8(&text[start..start + len]).unwrap_or_default();
        if let Ok(number) = part.parse() {
            return (number, start + len);
        }
    }
    (0.0, 0)
}
