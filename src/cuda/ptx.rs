//! Inline PTX: parses the text of an `asm` statement and translates it to statements of CUDA C++.
//!
//! A PTX register becomes a variable, a predicate a `bool`, and an instruction the CUDA C++ expression with the
//! same operation. The source of every meaning is "PTX ISA", chapter "Instruction Set". The generated code is
//! therefore that of the C++ expression; nvcc similarly passes the instructions to ptxas, which optimizes them.
//! The carry flag exists only within one `asm` statement.

use std::collections::BTreeMap;
use std::fmt::Write as _;

mod halves;
mod instructions;
mod moves;
mod products;
mod text;
mod video;

use text::{Line, Operand as Word, parse};

/// An error in a PTX text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PtxError {
    /// Line in the text, from 1.
    pub(crate) line: u32,
    /// The message: one sentence.
    pub(crate) message: String,
}

/// Kinds of register contents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Unsigned,
    Signed,
    Bits,
    Float,
    Pred,
}

/// A PTX type, such as `.u32`, `.f64`, or `.pred`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Ty {
    kind: Kind,
    bits: u32,
}

const U16: Ty = Ty {
    kind: Kind::Unsigned,
    bits: 16,
};
const U32: Ty = Ty {
    kind: Kind::Unsigned,
    bits: 32,
};
const S32: Ty = Ty {
    kind: Kind::Signed,
    bits: 32,
};
const F32: Ty = Ty {
    kind: Kind::Float,
    bits: 32,
};
const F64: Ty = Ty {
    kind: Kind::Float,
    bits: 64,
};
const PRED: Ty = Ty {
    kind: Kind::Pred,
    bits: 1,
};

impl Ty {
    fn of(word: &str) -> Option<Self> {
        if word == "pred" {
            return Some(PRED);
        }
        let kind = match word.chars().next()? {
            'u' => Kind::Unsigned,
            's' => Kind::Signed,
            'b' => Kind::Bits,
            'f' => Kind::Float,
            _ => return None,
        };
        let bits: u32 = word.get(1..)?.parse().ok()?;
        let is_known = match kind {
            Kind::Float => matches!(bits, 32 | 64),
            _ => matches!(bits, 8 | 16 | 32 | 64),
        };
        is_known.then_some(Self { kind, bits })
    }

    /// The equivalent type in C++.
    fn c(self) -> &'static str {
        match (self.kind, self.bits) {
            (Kind::Pred, _) => "bool",
            (Kind::Float, 32) => "float",
            (Kind::Float, _) => "double",
            (Kind::Signed, 8) => "signed char",
            (Kind::Signed, 16) => "short",
            (Kind::Signed, 32) => "int",
            (Kind::Signed, _) => "long long",
            (_, 8) => "unsigned char",
            (_, 16) => "unsigned short",
            (_, 32) => "unsigned",
            _ => "unsigned long long",
        }
    }

    const fn signed(self) -> Self {
        Self {
            kind: Kind::Signed,
            ..self
        }
    }

    const fn unsigned(self) -> Self {
        Self {
            kind: Kind::Unsigned,
            ..self
        }
    }

    const fn twice(self) -> Self {
        Self {
            bits: self.bits * 2,
            ..self
        }
    }

    fn is_float(self) -> bool {
        self.kind == Kind::Float
    }
}

/// The constraint letter of an operand of the `asm` statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Constraint {
    /// `r`, `l`, `h`, `f`, `d`: a register, with its type in C++.
    Register(char),
    /// `n`: a compile-time constant.
    Number,
}

impl Constraint {
    /// The constraint of a letter.
    pub(crate) fn of(letter: char) -> Option<Self> {
        match letter {
            'h' | 'r' | 'l' | 'f' | 'd' => Some(Self::Register(letter)),
            'n' | 'i' => Some(Self::Number),
            _ => None,
        }
    }

    fn ty(self) -> Ty {
        let (kind, bits) = match self {
            Self::Register('h') => (Kind::Unsigned, 16),
            Self::Register('l') => (Kind::Unsigned, 64),
            Self::Register('f') => (Kind::Float, 32),
            Self::Register('d') => (Kind::Float, 64),
            Self::Register(_) => (Kind::Unsigned, 32),
            Self::Number => (Kind::Signed, 64),
        };
        Ty { kind, bits }
    }

    /// Size of the operand's value in bytes.
    pub(crate) fn bytes(self) -> u32 {
        self.ty().bits / 8
    }

    /// The C++ type of the operand's variable.
    pub(crate) fn c_type(self) -> &'static str {
        self.ty().c()
    }
}

/// The name of the variable of an operand.
pub(crate) fn operand_name(idx: usize) -> String {
    format!("__ws_ptx_{idx}")
}

/// Translates the text of an `asm` statement to statements of CUDA C++, which use the variables that
/// [`operand_name`] names. `unique` makes the labels unique within the function.
///
/// # Errors
/// Returns the part of the text that is invalid or not supported.
pub(crate) fn translate(
    text: &str,
    operands: &[Constraint],
    has_operands: bool,
    unique: u32,
) -> Result<String, PtxError> {
    let lines = parse(text, has_operands)?;
    let mut translator = Translator {
        operands,
        scopes: vec![BTreeMap::new()],
        num_registers: 0,
        unique,
        uses_carry: false,
        has_carry: false,
        out: String::new(),
        line: 1,
    };
    for line in &lines {
        translator.line(line)?;
    }
    let carry = if translator.uses_carry {
        "unsigned __ws_ptx_cc = 0;\n"
    } else {
        ""
    };
    Ok(format!("{carry}{}", translator.out))
}

struct Translator<'a> {
    operands: &'a [Constraint],
    /// Registers by name: the variable and its type.
    scopes: Vec<BTreeMap<String, (String, Ty)>>,
    num_registers: u32,
    unique: u32,
    uses_carry: bool,
    /// Whether an earlier instruction has set the carry flag.
    has_carry: bool,
    out: String,
    line: u32,
}

type Translated<T> = Result<T, PtxError>;

impl Translator<'_> {
    fn error<T>(&self, message: impl Into<String>) -> Translated<T> {
        Err(PtxError {
            line: self.line,
            message: message.into(),
        })
    }

    fn line(&mut self, line: &Line) -> Translated<()> {
        match line {
            Line::Open => {
                self.scopes.push(BTreeMap::new());
                self.out += "{\n";
            }
            Line::Close => {
                if self.scopes.len() > 1 {
                    self.scopes.pop();
                }
                self.out += "}\n";
            }
            Line::Registers { line, ty, names } => {
                self.line = *line;
                let Some(ty) = Ty::of(ty) else {
                    return self.error(format!(
                        "Registers of type `.{ty}` are not supported in inline PTX."
                    ));
                };
                for name in names {
                    self.num_registers += 1;
                    let variable = format!("__ws_ptx_r{}", self.num_registers);
                    let _ = writeln!(self.out, "{} {variable} = 0;", ty.c());
                    if let Some(scope) = self.scopes.last_mut() {
                        scope.insert(name.clone(), (variable, ty));
                    }
                }
            }
            Line::Label(name) => {
                let _ = writeln!(self.out, "{}: ;", self.label(name));
            }
            Line::Instruction {
                line,
                guard,
                name,
                operands,
            } => {
                self.line = *line;
                if let Some((negated, pred)) = guard {
                    let value = self.value(&Word::Name(pred.clone()), PRED)?;
                    let not = if *negated { "!" } else { "" };
                    let _ = write!(self.out, "if ({not}{value}) ");
                }
                self.out += "{ ";
                let had_carry = self.has_carry;
                self.instruction(name, operands)?;
                self.has_carry |= had_carry;
                self.out += " }\n";
            }
        }
        Ok(())
    }

    fn label(&self, name: &str) -> String {
        let name = name.replace(['$', '%'], "_");
        format!("__ws_ptx_{}_{name}", self.unique)
    }

    fn register(&self, name: &str) -> Option<(String, Ty)> {
        if let Some(idx) = name.strip_prefix('%').and_then(|rest| rest.parse::<usize>().ok()) {
            return self
                .operands
                .get(idx)
                .map(|constraint| (operand_name(idx), constraint.ty()));
        }
        self.scopes
            .iter()
            .rev()
            .find_map(|scope| scope.get(name))
            .cloned()
    }

    /// The value of an operand, converted to a type.
    fn value(&self, operand: &Word, ty: Ty) -> Translated<String> {
        match operand {
            Word::Not(inner) => Ok(format!("!{}", self.value(inner, ty)?)),
            Word::Number(text) => self.number(text, ty),
            Word::Name(name) => {
                if let Some((variable, own)) = self.register(name) {
                    return Ok(read(&variable, own, ty));
                }
                match special(name) {
                    Some((value, own)) => Ok(read(&value, own, ty)),
                    None => self.error(format!(
                        "`{name}` is neither a register declared in this text nor an operand."
                    )),
                }
            }
            other => self.error(format!("`{other}` is neither a register nor a number.")),
        }
    }

    fn number(&self, text: &str, ty: Ty) -> Translated<String> {
        let (negative, digits) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let lower = digits.to_ascii_lowercase();
        let hex = |digits: &str| u64::from_str_radix(digits, 16).ok();
        let sign = if negative { "-" } else { "" };
        if let Some(bits) = lower
            .strip_prefix("0f")
            .filter(|rest| rest.len() == 8)
            .and_then(hex)
        {
            return Ok(read(
                &format!("{sign}__uint_as_float({bits}u)"),
                Ty {
                    kind: Kind::Float,
                    bits: 32,
                },
                ty,
            ));
        }
        if let Some(bits) = lower
            .strip_prefix("0d")
            .filter(|rest| rest.len() == 16)
            .and_then(hex)
        {
            let value = format!("{sign}__longlong_as_double((long long){bits}ull)");
            return Ok(read(
                &value,
                Ty {
                    kind: Kind::Float,
                    bits: 64,
                },
                ty,
            ));
        }
        if ty.is_float() && digits.contains('.') {
            return Ok(format!("(({}){sign}{digits})", ty.c()));
        }
        let digits = lower.trim_end_matches('u');
        let value = match (digits.strip_prefix("0x"), digits.strip_prefix("0b")) {
            (Some(rest), _) => hex(rest),
            (_, Some(rest)) => u64::from_str_radix(rest, 2).ok(),
            _ if digits.len() > 1 && digits.starts_with('0') => u64::from_str_radix(digits, 8).ok(),
            _ => digits.parse().ok(),
        };
        let Some(value) = value else {
            return self.error(format!("`{text}` is not a number."));
        };
        let value = if negative { value.wrapping_neg() } else { value };
        if ty.is_float() {
            return Ok(match ty.bits {
                32 => format!("__uint_as_float({}u)", value as u32),
                _ => format!("__longlong_as_double((long long){value}ull)"),
            });
        }
        if ty == PRED {
            return Ok((value != 0).to_string());
        }
        Ok(format!("(({}){value}ull)", ty.c()))
    }

    /// Assigns a value of a type to a register.
    fn assign(&mut self, target: &Word, ty: Ty, value: &str) -> Translated<()> {
        let Word::Name(name) = target else {
            return self.error(format!("`{target}` cannot be written."));
        };
        if name == "_" {
            return Ok(());
        }
        let Some((variable, own)) = self.register(name) else {
            return self.error(format!(
                "`{name}` is neither a register declared in this text nor an operand."
            ));
        };
        let value = if ty.is_float() {
            value.to_owned()
        } else {
            format!("({})({value})", ty.c())
        };
        let _ = write!(self.out, "{variable} = {};", read(&value, ty, own));
        Ok(())
    }
}

/// Reinterprets a value as another type: the bits of floating-point numbers; integers truncated or extended.
fn read(value: &str, from: Ty, to: Ty) -> String {
    match (from.kind, to.kind) {
        _ if from == to => value.to_owned(),
        (Kind::Float, Kind::Float) => format!("(({})({value}))", to.c()),
        (Kind::Float, _) if from.bits == 32 => format!("(({})__float_as_uint({value}))", to.c()),
        (Kind::Float, _) => format!("(({})__double_as_longlong({value}))", to.c()),
        (_, Kind::Float) if to.bits == 32 => format!("__uint_as_float((unsigned)({value}))"),
        (_, Kind::Float) => format!("__longlong_as_double((long long)({value}))"),
        _ => format!("(({})({value}))", to.c()),
    }
}

/// The value and type of a special register.
fn special(name: &str) -> Option<(String, Ty)> {
    let name = name.strip_prefix('%')?;
    let axes = [
        ("tid.", "threadIdx"),
        ("ntid.", "blockDim"),
        ("ctaid.", "blockIdx"),
        ("nctaid.", "gridDim"),
    ];
    for (register, variable) in axes {
        if let Some(axis @ ("x" | "y" | "z")) = name.strip_prefix(register) {
            return Some((format!("{variable}.{axis}"), U32));
        }
    }
    let wide = Ty {
        kind: Kind::Unsigned,
        bits: 64,
    };
    Some(match name {
        "laneid" => ("__ws_lane_id()".to_owned(), U32),
        "warpid" => ("__ws_warp_id()".to_owned(), U32),
        "smid" => ("__ws_sm_id()".to_owned(), U32),
        "clock" | "clock_lo" => ("(unsigned)clock64()".to_owned(), U32),
        "clock_hi" => ("(unsigned)(clock64() >> 32)".to_owned(), U32),
        "clock64" => ("(unsigned long long)clock64()".to_owned(), wide),
        "globaltimer" => ("__ws_globaltimer()".to_owned(), wide),
        "globaltimer_lo" => ("(unsigned)__ws_globaltimer()".to_owned(), U32),
        "globaltimer_hi" => ("(unsigned)(__ws_globaltimer() >> 32)".to_owned(), U32),
        "lanemask_eq" | "lanemask_lt" | "lanemask_le" | "lanemask_gt" | "lanemask_ge" => {
            (format!("__ws_{name}()"), U32)
        }
        _ => return None,
    })
}
