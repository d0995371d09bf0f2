//! Parses the grammar of a PTX text: blocks, register declarations, labels, and instructions with their
//! operands.

use std::fmt;

use super::PtxError;

/// An operand as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Operand {
    /// A register, an operand of the `asm` statement (`%0`), a special register, or a label.
    Name(String),
    /// A number.
    Number(String),
    /// `!p`.
    Not(Box<Self>),
    /// `{a, b}`.
    Vector(Vec<Self>),
    /// `[a+4]`.
    Address(Box<Self>, i64),
    /// `p|q`.
    Pair(Box<Self>, Box<Self>),
}

impl fmt::Display for Operand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(text) | Self::Number(text) => write!(f, "{text}"),
            Self::Not(inner) => write!(f, "!{inner}"),
            Self::Vector(list) => {
                let list: Vec<String> = list.iter().map(ToString::to_string).collect();
                write!(f, "{{{}}}", list.join(", "))
            }
            Self::Address(base, 0) => write!(f, "[{base}]"),
            Self::Address(base, offset) => write!(f, "[{base}+{offset}]"),
            Self::Pair(first, second) => write!(f, "{first}|{second}"),
        }
    }
}

/// A statement of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Line {
    Open,
    Close,
    Registers {
        line: u32,
        /// The type without its dot.
        ty: String,
        names: Vec<String>,
    },
    Label(String),
    Instruction {
        line: u32,
        /// The guard `@p`: whether it is negated (`@!p`), and the predicate.
        guard: Option<(bool, String)>,
        /// The name with its modifiers.
        name: String,
        operands: Vec<Operand>,
    },
}

struct Reader<'t> {
    rest: &'t str,
    line: u32,
    /// Whether `%%` denotes a percent sign.
    has_operands: bool,
}

type Read<T> = Result<T, PtxError>;

/// Parses a text. In a text with operands, `%%` denotes a percent sign.
pub(super) fn parse(text: &str, has_operands: bool) -> Read<Vec<Line>> {
    let mut reader = Reader {
        rest: text,
        line: 1,
        has_operands,
    };
    let mut lines = Vec::new();
    let mut depth = 0;
    loop {
        reader.skip();
        if reader.rest.is_empty() {
            return if depth == 0 {
                Ok(lines)
            } else {
                reader.error("A `{` of this PTX text has no `}`.")
            };
        }
        if reader.accept("{") {
            depth += 1;
            lines.push(Line::Open);
        } else if reader.accept("}") {
            if depth == 0 {
                return reader.error("A `}` of this PTX text has no `{`.");
            }
            depth -= 1;
            lines.push(Line::Close);
        } else if !reader.accept(";") {
            lines.push(reader.statement()?);
        }
    }
}

impl Reader<'_> {
    fn error<T>(&self, message: impl Into<String>) -> Read<T> {
        Err(PtxError {
            line: self.line,
            message: message.into(),
        })
    }

    /// Skips white space and comments.
    fn skip(&mut self) {
        loop {
            let trimmed = self.rest.trim_start();
            let skipped = &self.rest[..self.rest.len() - trimmed.len()];
            self.line += skipped.matches('\n').count() as u32;
            self.rest = trimmed;
            let end = if self.rest.starts_with("//") {
                self.rest.find('\n').unwrap_or(self.rest.len())
            } else if self.rest.starts_with("/*") {
                self.rest.find("*/").map_or(self.rest.len(), |at| at + 2)
            } else {
                return;
            };
            self.line += self.rest[..end].matches('\n').count() as u32;
            self.rest = &self.rest[end..];
        }
    }

    fn accept(&mut self, punct: &str) -> bool {
        self.skip();
        match self.rest.strip_prefix(punct) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn expect(&mut self, punct: &str, after: &str) -> Read<()> {
        if self.accept(punct) {
            return Ok(());
        }
        let found: String = self.rest.chars().take(12).collect();
        let found = found.split_whitespace().next().unwrap_or("the end").to_owned();
        self.error(format!(
            "Expected `{punct}` {after} in this PTX text, not `{found}`."
        ))
    }

    /// A name with its dots, percent sign, or number.
    fn word(&mut self) -> Read<String> {
        self.skip();
        let mut word = String::new();
        if let Some(rest) = self.rest.strip_prefix('%') {
            self.rest = rest
                .strip_prefix('%')
                .filter(|_| self.has_operands)
                .unwrap_or(rest);
            word.push('%');
        }
        let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '.');
        // `.L2::128B` and similar modifiers are part of a name.
        let mut len = 0;
        while let Some(c) = self.rest[len..].chars().next() {
            if is_part(c) {
                len += c.len_utf8();
            } else if self.rest[len..].starts_with("::") {
                len += 2;
            } else {
                break;
            }
        }
        word += &self.rest[..len];
        self.rest = &self.rest[len..];
        if word.is_empty() || word == "%" {
            let found: String = self.rest.chars().take(1).collect();
            return self.error(format!("Expected a name in this PTX text, not `{found}`."));
        }
        Ok(word)
    }

    fn statement(&mut self) -> Read<Line> {
        let guard = if self.accept("@") {
            let negated = self.accept("!");
            Some((negated, self.word()?))
        } else {
            None
        };
        let name = self.word()?;
        let line = self.line;
        if guard.is_none() && self.accept(":") {
            return Ok(Line::Label(name));
        }
        if name == ".reg" {
            let ty = self.word()?;
            let mut names = Vec::new();
            loop {
                let name = self.word()?;
                if self.accept("<") {
                    let count = self.word()?;
                    let Ok(count @ ..=4096) = count.parse::<u32>() else {
                        return self.error(format!("`{count}` is not a number of registers."));
                    };
                    self.expect(">", "after the number of registers")?;
                    names.extend((0..count).map(|idx| format!("{name}{idx}")));
                } else {
                    names.push(name);
                }
                if !self.accept(",") {
                    break;
                }
            }
            self.expect(";", "after the registers")?;
            return Ok(Line::Registers {
                line,
                ty: ty.trim_start_matches('.').to_owned(),
                names,
            });
        }
        if name.starts_with('.') {
            return self.error(format!("The PTX directive `{name}` is not supported in `asm`."));
        }
        let mut operands = Vec::new();
        if !self.accept(";") {
            loop {
                operands.push(self.operand()?);
                if !self.accept(",") {
                    break;
                }
            }
            self.skip();
            if !self.rest.is_empty() && !self.rest.starts_with('}') {
                self.expect(";", &format!("after the operands of `{name}`"))?;
            }
        }
        Ok(Line::Instruction {
            line,
            guard,
            name,
            operands,
        })
    }

    fn operand(&mut self) -> Read<Operand> {
        let first = self.single()?;
        if self.accept("|") {
            let second = self.single()?;
            return Ok(Operand::Pair(Box::new(first), Box::new(second)));
        }
        Ok(first)
    }

    fn single(&mut self) -> Read<Operand> {
        if self.accept("!") {
            return Ok(Operand::Not(Box::new(self.single()?)));
        }
        if self.accept("{") {
            let mut list = vec![self.single()?];
            while self.accept(",") {
                list.push(self.single()?);
            }
            self.expect("}", "after the parts of a vector")?;
            return Ok(Operand::Vector(list));
        }
        if self.accept("[") {
            let base = self.single()?;
            let mut offset = 0;
            loop {
                let sign = if self.accept("+") {
                    1
                } else if self.accept("-") {
                    -1
                } else {
                    break;
                };
                let number = self.word()?;
                let value = match number.strip_prefix("0x") {
                    Some(hex) => i64::from_str_radix(hex, 16).ok(),
                    None => number.parse().ok(),
                };
                match value {
                    Some(value) => offset += sign * value,
                    None => {
                        return self.error(format!("The offset `{number}` of an address is not a number."));
                    }
                }
            }
            self.expect("]", "after an address")?;
            return Ok(Operand::Address(Box::new(base), offset));
        }
        if self.accept("-") {
            return Ok(Operand::Number(format!("-{}", self.word()?)));
        }
        let word = self.word()?;
        Ok(if word.starts_with(|c: char| c.is_ascii_digit()) {
            Operand::Number(word)
        } else {
            Operand::Name(word)
        })
    }
}
