//! Conditions of `#if` and `#elif`.

use std::sync::Arc;

use super::{Kind, Preprocessor, Tok};
use crate::lex::{Number, parse_char, parse_number};

impl Preprocessor<'_> {
    /// Whether the condition after `#if` or `#elif` is true.
    pub(super) fn condition(&mut self, directive: &Tok, line: &[Tok]) -> bool {
        let replaced = self.without_defined(line);
        self.in_condition = true;
        let toks = self.expand(replaced, 0);
        self.in_condition = false;
        let mut reader = Reader {
            toks: &toks,
            pos: 0,
            depth: 0,
        };
        match reader.conditional() {
            Some(value) if reader.pos == toks.len() => value != 0,
            _ => {
                let span = toks.get(reader.pos).map_or(directive.span, |tok| tok.span);
                let message = format!(
                    "The condition of `#{}` must be an integer expression of numbers, macros, and `defined`.",
                    directive.text
                );
                self.error(span, message);
                false
            }
        }
    }

    /// Replaces `defined NAME` and `defined(NAME)` by 1 or 0.
    fn without_defined(&self, line: &[Tok]) -> Vec<Tok> {
        let mut out = Vec::new();
        let mut idx = 0;
        while let Some(tok) = line.get(idx) {
            idx += 1;
            if HAS_WORDS.contains(&&*tok.text) && line.get(idx).is_some_and(|next| next.is("(")) {
                let mut depth = 0_u32;
                let len = line[idx..].iter().position(|tok| {
                    depth += u32::from(tok.is("("));
                    depth = depth.saturating_sub(u32::from(tok.is(")")));
                    depth == 0
                });
                if let Some(len) = len {
                    let operand: String = line[idx + 1..idx + len].iter().map(|tok| &*tok.text).collect();
                    let value = if self.has(&tok.text, &operand) { "1" } else { "0" };
                    out.push(Tok::new(Kind::Number, Arc::from(value), tok.span));
                    idx += len + 1;
                    continue;
                }
            }
            if !tok.is_word("defined") {
                out.push(tok.clone());
                continue;
            }
            let parenthesized = line.get(idx).is_some_and(|next| next.is("("));
            let name = line.get(idx + usize::from(parenthesized));
            let Some(name) = name.filter(|name| name.kind == Kind::Ident) else {
                out.push(tok.clone());
                continue;
            };
            if parenthesized && !line.get(idx + 2).is_some_and(|next| next.is(")")) {
                // Without its `)`, `defined` is left unchanged, so the condition is invalid.
                out.push(tok.clone());
                continue;
            }
            idx += if parenthesized { 3 } else { 1 };
            let value = if self.is_defined(&name.text) { "1" } else { "0" };
            out.push(Tok::new(Kind::Number, Arc::from(value), tok.span));
        }
        out
    }

    /// Whether `#ifdef` holds for a name.
    pub(super) fn is_defined(&self, name: &str) -> bool {
        self.macros.contains_key(name) || HAS_WORDS.contains(&name)
    }

    /// Whether `__has_include(<name>)` and the words like it hold.
    fn has(&self, word: &str, operand: &str) -> bool {
        match word {
            "__has_include" | "__has_include_next" => {
                let name = operand.trim_matches(['<', '>', '"']);
                let is_standard = operand.starts_with('<')
                    && (STANDARD_HEADERS.contains(&name)
                        || !name.is_empty() && name.chars().all(|c| c.is_ascii_lowercase() || c == '_'));
                self.has_file(name) || super::has_header(name) || is_standard
            }
            "__has_builtin" => crate::builtins::is_builtin_name(operand),
            // Attributes are accepted and skipped.
            _ => true,
        }
    }
}

/// Words about what the compiler has: C++, "Conditional inclusion", and the documents of GNU and Clang.
const HAS_WORDS: [&str; 5] = [
    "__has_include",
    "__has_include_next",
    "__has_cpp_attribute",
    "__has_attribute",
    "__has_builtin",
];

/// Headers of C that every toolkit has, and those of CUDA's runtime. Those of C++ have no dot.
const STANDARD_HEADERS: [&str; 18] = [
    "assert.h",
    "ctype.h",
    "cuda_runtime.h",
    "cuda_runtime_api.h",
    "device_functions.h",
    "errno.h",
    "float.h",
    "inttypes.h",
    "limits.h",
    "math.h",
    "stdarg.h",
    "stdbool.h",
    "stddef.h",
    "stdint.h",
    "stdio.h",
    "stdlib.h",
    "string.h",
    "time.h",
];

/// An evaluator of integer expressions; every method returns `None` for an invalid expression.
struct Reader<'a> {
    toks: &'a [Tok],
    pos: usize,
    depth: u32,
}

/// Binary operators in order of precedence, lowest first.
const LEVELS: [&[&str]; 10] = [
    &["||"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<", ">", "<=", ">="],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "%"],
];

impl Reader<'_> {
    fn accept(&mut self, puncts: &[&str]) -> Option<&'static str> {
        match self.toks.get(self.pos)?.kind {
            Kind::Punct(punct) if puncts.contains(&punct) => {
                self.pos += 1;
                Some(punct)
            }
            _ => None,
        }
    }

    fn conditional(&mut self) -> Option<i64> {
        self.depth += 1;
        if self.depth > 100 {
            return None;
        }
        let cond = self.binary(0)?;
        let value = if self.accept(&["?"]).is_some() {
            let then = self.conditional()?;
            self.accept(&[":"])?;
            let otherwise = self.conditional()?;
            if cond != 0 { then } else { otherwise }
        } else {
            cond
        };
        self.depth -= 1;
        Some(value)
    }

    fn binary(&mut self, level: usize) -> Option<i64> {
        let Some(ops) = LEVELS.get(level) else {
            return self.unary();
        };
        let mut left = self.binary(level + 1)?;
        while let Some(op) = self.accept(ops) {
            let right = self.binary(level + 1)?;
            left = match op {
                "||" => i64::from(left != 0 || right != 0),
                "&&" => i64::from(left != 0 && right != 0),
                "|" => left | right,
                "^" => left ^ right,
                "&" => left & right,
                "==" => i64::from(left == right),
                "!=" => i64::from(left != right),
                "<" => i64::from(left < right),
                ">" => i64::from(left > right),
                "<=" => i64::from(left <= right),
                ">=" => i64::from(left >= right),
                "<<" => left.wrapping_shl(right as u32),
                ">>" => left.wrapping_shr(right as u32),
                "+" => left.wrapping_add(right),
                "-" => left.wrapping_sub(right),
                "*" => left.wrapping_mul(right),
                // A division by zero evaluates to false, like in an unevaluated part.
                "/" => left.checked_div(right).unwrap_or(0),
                _ => left.checked_rem(right).unwrap_or(0),
            };
        }
        Some(left)
    }

    fn unary(&mut self) -> Option<i64> {
        self.depth += 1;
        if self.depth > 100 {
            return None;
        }
        let value = match self.accept(&["!", "-", "+", "~", "("]) {
            Some("!") => i64::from(self.unary()? == 0),
            Some("-") => self.unary()?.wrapping_neg(),
            Some("+") => self.unary()?,
            Some("~") => !self.unary()?,
            Some(_) => {
                let value = self.conditional()?;
                self.accept(&[")"])?;
                value
            }
            None => {
                let tok = self.toks.get(self.pos)?;
                self.pos += 1;
                match tok.kind {
                    Kind::Number => match parse_number(&tok.text, false).ok()? {
                        Number::Int { value, .. } => value as i64,
                        _ => return None,
                    },
                    Kind::Char => parse_char(&tok.text).ok()?.value(),
                    Kind::Ident if &*tok.text == "true" => 1,
                    // Names that are not macros evaluate to 0.
                    Kind::Ident => 0,
                    _ => return None,
                }
            }
        };
        self.depth -= 1;
        Some(value)
    }
}
