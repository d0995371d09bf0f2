//! The text of an operation: `fmaf(1.0000001f, 1.0000001f, -1)`, `0x1.fffffep0f * 3`, `(int)2.5f`.

use super::function::{Kind, function_named, functions};
use super::literal::{is_bits, number};
use super::number::{Number, Type};
use super::operation::{Form, Operation};

/// What is wrong with the text of an operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// First column, from 1.
    pub column: u32,
    /// Number of columns.
    pub length: u32,
    /// What is wrong, and what to do.
    pub message: String,
}

impl Mistake {
    /// The mistake with its place, as a sentence.
    pub fn sentence(&self) -> String {
        format!("Column {}: {}", self.column, self.message)
    }
}

/// Most characters of an operation's text.
pub const MAX_CHARS: usize = 120;

impl Operation {
    /// Reads the text of an operation. Literals are those of C, with `0f3F800000` and `0d3FF0000000000000` for the bits
    /// of a `float` and of a `double`, as in PTX, and `1.5h` and `0h3E00` for halves.
    ///
    /// # Errors
    /// The first mistake.
    pub fn read(text: &str) -> Result<Self, Mistake> {
        let chars: Vec<char> = text.chars().collect();
        let mut reader = Reader { chars, at: 0 };
        if reader.chars.len() > MAX_CHARS {
            return Err(reader.mistake(
                MAX_CHARS,
                1,
                format!("An operation has at most {MAX_CHARS} characters."),
            ));
        }
        let operation = reader.operation()?;
        reader.space();
        if reader.at < reader.chars.len() {
            return Err(reader.here(
                "The view shows one operation: write a + b, a - b, a * b, a / b, a * b + c, a call, or a conversion.",
            ));
        }
        Ok(operation)
    }
}

struct Reader {
    chars: Vec<char>,
    at: usize,
}

/// An operand with its columns.
#[derive(Clone, Copy)]
struct Read {
    number: Number,
    from: usize,
    to: usize,
}

impl Reader {
    fn mistake(&self, from: usize, length: usize, message: impl Into<String>) -> Mistake {
        Mistake {
            column: from as u32 + 1,
            length: length.max(1) as u32,
            message: message.into(),
        }
    }

    /// A mistake at the next character.
    fn here(&self, message: impl Into<String>) -> Mistake {
        self.mistake(self.at, 1, message)
    }

    fn at_operand(&self, read: Read, message: impl Into<String>) -> Mistake {
        self.mistake(read.from, read.to - read.from, message)
    }

    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn space(&mut self) {
        while self.peek().is_some_and(char::is_whitespace) {
            self.at += 1;
        }
    }

    fn take(&mut self, wanted: char) -> bool {
        self.space();
        // Typographic signs come from copied texts.
        let is = |c: char| c == wanted || matches!((c, wanted), ('−', '-') | ('·' | '×', '*') | ('÷', '/'));
        let found = self.peek().is_some_and(is);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, wanted: char) -> Result<(), Mistake> {
        if self.take(wanted) {
            return Ok(());
        }
        Err(self.here(format!("`{wanted}` is expected here.")))
    }

    /// The letters, digits, and underscores from here on.
    fn word(&self) -> String {
        let is_part = |c: &&char| c.is_alphanumeric() || **c == '_';
        self.chars[self.at..].iter().take_while(is_part).collect()
    }

    fn operation(&mut self) -> Result<Operation, Mistake> {
        self.space();
        let word = self.word();
        let starts_name = word.starts_with(|c: char| c.is_alphabetic() || c == '_');
        if starts_name && !matches!(word.as_str(), "INFINITY" | "NAN") {
            return self.call(&word);
        }
        if let Some(ty) = self.cast() {
            let operand = self.operand()?;
            return Ok(Operation {
                form: Form::Cast(ty),
                operands: vec![operand.number],
            });
        }
        self.infix()
    }

    /// A type in parentheses.
    fn cast(&mut self) -> Option<Type> {
        let start = self.at;
        if self.take('(') {
            let mut words: Vec<String> = Vec::new();
            loop {
                self.space();
                let word = self.word();
                if word.is_empty() {
                    break;
                }
                self.at += word.chars().count();
                words.push(word);
            }
            let name = words.join(" ");
            if let Some(ty) = Type::ALL.into_iter().find(|ty| ty.name() == name)
                && self.take(')')
            {
                return Some(ty);
            }
        }
        self.at = start;
        None
    }

    fn call(&mut self, name: &str) -> Result<Operation, Mistake> {
        let start = self.at;
        let Some(function) = function_named(name) else {
            let names: Vec<&str> = functions().map(|function| function.name).collect();
            let near = cuda::nearest(name, names.iter().copied());
            let hint = near.map_or_else(
                || {
                    "Known functions are fmaf, sqrtf, __fmul_rz, __umulhi, __hfma, __sinf, and others."
                        .to_owned()
                },
                |near| format!("Did you mean `{near}`?"),
            );
            return Err(self.mistake(
                start,
                name.chars().count(),
                format!("The view has no function `{name}`. {hint}"),
            ));
        };
        self.at += name.chars().count();
        self.expect('(')?;
        let mut operands = Vec::new();
        for idx in 0..function.num {
            if idx > 0 {
                self.expect(',')?;
            }
            operands.push(self.operand()?);
        }
        self.expect(')')?;
        let mut form = Form::Call(function);
        if function.kind == Kind::Multiply24 && self.take('+') {
            operands.push(self.operand()?);
            form = Form::CallAdd(function);
        }
        let own = operands.iter().map(|read| read.number.ty).max();
        let ty = function.ty.or(own).unwrap_or(Type::Float);
        // Overloads are for floating-point numbers.
        let ty = if function.ty.is_none() {
            ty.max(Type::Float)
        } else {
            ty
        };
        self.finish(form, &operands, ty)
    }

    /// Operands with operators between them.
    fn infix(&mut self) -> Result<Operation, Mistake> {
        let a = self.operand()?;
        let (kind, operands) = if self.take('*') {
            let b = self.operand()?;
            if self.take('+') {
                let c = self.operand()?;
                (Kind::MultiplyAdd, vec![a, b, c])
            } else if self.take('-') {
                let mut c = self.operand()?;
                c.number = c.number.negated();
                (Kind::MultiplyAdd, vec![a, b, c])
            } else {
                (Kind::Multiply, vec![a, b])
            }
        } else if self.take('/') {
            (Kind::Divide, vec![a, self.operand()?])
        } else if self.take('+') {
            let b = self.operand()?;
            if self.take('*') {
                let c = self.operand()?;
                (Kind::MultiplyAdd, vec![b, c, a])
            } else {
                (Kind::Add, vec![a, b])
            }
        } else if self.take('-') {
            let mut b = self.operand()?;
            if self.take('*') {
                b.number = b.number.negated();
                let c = self.operand()?;
                (Kind::MultiplyAdd, vec![b, c, a])
            } else {
                (Kind::Subtract, vec![a, b])
            }
        } else {
            return Err(self.here("An operator is expected here: +, -, *, or /."));
        };
        let common = |reads: &[Read]| reads.iter().map(|read| read.number.ty).max();
        let ty = common(&operands).unwrap_or(Type::Float);
        if kind == Kind::MultiplyAdd && common(&operands[..2]) != Some(ty) {
            let message = format!(
                "The product is {}, and this operand {}: write all operands in one type.",
                common(&operands[..2]).unwrap_or(ty).name(),
                ty.name()
            );
            return Err(self.at_operand(operands[2], message));
        }
        self.finish(Form::Operators(kind), &operands, ty)
    }

    fn finish(&self, form: Form, operands: &[Read], ty: Type) -> Result<Operation, Mistake> {
        for read in operands {
            let from = read.number.ty;
            let loses = from == Type::Double && ty != Type::Double || from.is_float() && !ty.is_float();
            // CUDA C++ has no operation on a half and another type.
            let mixes = (from == Type::Half) != (ty == Type::Half);
            if loses || mixes {
                let hint = match ty {
                    Type::Half => "1.5h",
                    Type::Float => "1.5f",
                    Type::Double => "1.5",
                    _ => "15",
                };
                let message = format!(
                    "The operation takes {}, and this literal is {}: write it like {hint}.",
                    ty.name(),
                    from.name()
                );
                return Err(self.at_operand(*read, message));
            }
        }
        Ok(Operation {
            form,
            operands: operands.iter().map(|read| read.number.as_operand(ty)).collect(),
        })
    }

    /// A literal with its sign, optionally in parentheses.
    fn operand(&mut self) -> Result<Read, Mistake> {
        self.space();
        let from = self.at;
        if self.take('(') {
            let inner = self.operand()?;
            self.expect(')')?;
            return Ok(Read {
                from,
                to: self.at,
                ..inner
            });
        }
        if self.take('-') {
            let inner = self.operand()?;
            return Ok(Read {
                number: inner.number.negated(),
                from,
                to: self.at,
            });
        }
        self.take('+');
        self.space();
        let start = self.at;
        let number = self.literal()?;
        debug_assert!(self.at > start);
        Ok(Read {
            number,
            from,
            to: self.at,
        })
    }

    /// A literal without a sign.
    fn literal(&mut self) -> Result<Number, Mistake> {
        let start = self.at;
        let mut text = String::new();
        while let Some(c) = self.peek() {
            let is_exponent = text.ends_with(['p', 'P'])
                || !text.starts_with("0x")
                    && !text.starts_with("0X")
                    && text.ends_with(['e', 'E'])
                    && !is_bits(&text);
            if c.is_ascii_alphanumeric() || c == '.' || c == '\'' || is_exponent && (c == '+' || c == '-') {
                text.push(c);
                self.at += 1;
            } else {
                break;
            }
        }
        if text.is_empty() {
            return Err(match self.peek() {
                Some(c) => self.here(format!("A number is expected here, not `{c}`.")),
                None => self.here("A number is expected here: the operation ends too early."),
            });
        }
        number(&text).map_err(|message| self.mistake(start, text.chars().count(), message))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn operands(text: &str) -> Vec<(Type, u64)> {
        let operation = Operation::read(text).unwrap_or_else(|mistake| panic!("{text}: {mistake:?}"));
        operation
            .operands
            .iter()
            .map(|number| (number.ty, number.bits))
            .collect()
    }

    #[test]
    fn literals_are_those_of_c_and_of_ptx() {
        let single = |x: f32| (Type::Float, u64::from(x.to_bits()));
        assert_eq!(
            operands("fmaf(1.0000001f, 1.0000001f, -1)"),
            [single(1.000_000_1), single(1.000_000_1), single(-1.0)]
        );
        assert_eq!(
            operands("0x1.fffffep0f * 3"),
            [single(f32::from_bits(0x3fff_ffff)), single(3.0)]
        );
        assert_eq!(
            operands("0x1.fffffep0 * 3"),
            [
                (Type::Double, 1.999_999_880_790_710_4_f64.to_bits()),
                (Type::Double, 3.0_f64.to_bits())
            ]
        );
        assert_eq!(
            operands("0f3F800001 + 1e-40f"),
            [single(f32::from_bits(0x3f80_0001)), single(1e-40)]
        );
        assert_eq!(
            operands("__umul24(0x1000003, 5u)"),
            [(Type::Unsigned, 0x0100_0003), (Type::Unsigned, 5)]
        );
        assert_eq!(
            operands("-3 * 0x80000000"),
            [(Type::Unsigned, 0xffff_fffd), (Type::Unsigned, 0x8000_0000)]
        );
        assert_eq!(operands("(int)-2.5f"), [single(-2.5)]);
        assert_eq!(operands("1.0f − 2.0f"), [single(1.0), single(2.0)]);
        assert_eq!(operands("sqrt(2.0)"), [(Type::Double, 2.0_f64.to_bits())]);
        // C's order: the addend comes first, the product is subtracted.
        assert_eq!(
            operands("1.0f - 2.0f * 3.0f"),
            [single(-2.0), single(3.0), single(1.0)]
        );
    }

    #[test]
    fn a_mistake_has_its_column_and_says_what_to_write() {
        for (text, column, part) in [
            ("", 1, "A number is expected"),
            ("1.0f", 5, "An operator is expected"),
            ("1.0f *", 7, "ends too early"),
            ("1.0f * x", 8, "is no number"),
            ("fmaf(1.0f, 2.0f)", 16, "`,` is expected"),
            ("fmaf(1.0, 2.0f, 3.0f)", 6, "takes float"),
            ("fmf(1f, 2f, 3f)", 1, "Did you mean `fma"),
            ("1.0f + 2.0f + 3.0f", 13, "one operation"),
            ("4294967296 * 2", 1, "32 bits"),
            ("3000000000 * 2", 1, "Add u"),
            ("0x1.8 * 2", 1, "needs an exponent"),
            ("0f3F80 * 2", 1, "8 hexadecimal digits"),
            ("2 * 3 + 1.0f", 9, "in one type"),
            ("1e99f + 1.0f", 1, "too large"),
            ("1.5h * 2.0f", 1, "write it like 1.5f"),
            ("__hadd(1.5h, 2)", 14, "write it like 1.5h"),
            ("99999h + 1h", 1, "too large for a half"),
            ("9223372036854775808ll + 1ll", 1, "ull"),
            ("ü + 1", 1, "no function `ü`"),
            ("1.0f @ 2.0f", 6, "An operator"),
        ] {
            let mistake = Operation::read(text).expect_err(text);
            assert_eq!(mistake.column, column, "{text}: {mistake:?}");
            assert!(mistake.message.contains(part), "{text}: {mistake:?}");
        }
        let long = "1".repeat(500);
        assert!(Operation::read(&long).is_err());
    }

    #[test]
    fn an_operation_is_read_from_its_own_text() {
        for text in [
            "fmaf(1.0000001f, 1.0000001f, -1.0f)",
            "1.5f * -2.25f + 1e-40f",
            "__umul24(16777219u, 5u) + 7u",
            "(unsigned)3.75f",
            "1.0 / 3.0",
            "0f7F800000 - 0fFFC00000",
            "5000000000ll * -3ll + 7ll",
            "__umul64hi(18446744073709551615ull, 3ull)",
            "(long long)3.75f",
            "(unsigned long long)5",
            "__hfma(0.099975586h, 0h7C00, -1.5h)",
            "(half)0.1f",
            "__powf(2.5f, 3.5f)",
        ] {
            let read = Operation::read(text).unwrap();
            assert_eq!(read.text(), text);
            assert_eq!(Operation::read(&read.text()).unwrap(), read);
        }
    }
}
