//! One operation with its operands: from text and to text, as a kernel, and its exact value.

use super::exact::{DOUBLE, Exact, Format, Rounding, SINGLE};
use engine::isa::ElemType;

/// The type of an operand or of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Type {
    /// `int`.
    Int,
    /// `unsigned`.
    Unsigned,
    /// `float`.
    Float,
    /// `double`.
    Double,
}

impl Type {
    /// The name in CUDA C++.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Int => "int",
            Self::Unsigned => "unsigned",
            Self::Float => "float",
            Self::Double => "double",
        }
    }

    /// The binary format; `None`: a whole number.
    pub const fn format(self) -> Option<Format> {
        match self {
            Self::Int | Self::Unsigned => None,
            Self::Float => Some(SINGLE),
            Self::Double => Some(DOUBLE),
        }
    }

    /// Bits of a number.
    pub const fn bits(self) -> u32 {
        match self {
            Self::Double => 64,
            _ => 32,
        }
    }

    /// The type of a kernel's parameter or buffer.
    pub const fn elem(self) -> ElemType {
        match self {
            Self::Int => ElemType::I32,
            Self::Unsigned => ElemType::U32,
            Self::Float => ElemType::F32,
            Self::Double => ElemType::F64,
        }
    }
}

/// A number: a type and its bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Number {
    /// The type.
    pub ty: Type,
    /// The bits; a number of 32 bits has zeros above them.
    pub bits: u64,
}

impl Number {
    /// A number from the bits of a register or of a register pair.
    pub const fn of_word(ty: Type, bits: u64) -> Self {
        Self {
            ty,
            bits: cut(bits, ty),
        }
    }

    /// The exact value; `None`: an infinity or NaN.
    pub fn exact(self) -> Option<Exact> {
        Some(match self.ty {
            Type::Int => {
                let value = self.bits as u32 as i32;
                Exact::new(value < 0, value.unsigned_abs().into(), 0)
            }
            Type::Unsigned => Exact::new(false, self.bits.into(), 0),
            Type::Float => return Exact::of(self.bits, SINGLE),
            Type::Double => return Exact::of(self.bits, DOUBLE),
        })
    }

    /// The value in decimal notation, as C writes it.
    pub fn text(self) -> String {
        match self.ty {
            Type::Int => (self.bits as u32 as i32).to_string(),
            Type::Unsigned => format!("{}u", self.bits),
            Type::Float => match f32::from_bits(self.bits as u32) {
                value if value.is_finite() => format!("{value:?}f"),
                _ => format!("0f{:08X}", self.bits),
            },
            Type::Double => match f64::from_bits(self.bits) {
                value if value.is_finite() => format!("{value:?}"),
                _ => format!("0d{:016X}", self.bits),
            },
        }
    }

    /// The value for reading: a decimal number, an infinity, or NaN.
    pub fn value(self) -> String {
        match self.ty {
            Type::Int => (self.bits as u32 as i32).to_string(),
            Type::Unsigned => self.bits.to_string(),
            Type::Float => number_text(f64::from(f32::from_bits(self.bits as u32)), || {
                format!("{:?}", f32::from_bits(self.bits as u32))
            }),
            Type::Double => number_text(f64::from_bits(self.bits), || {
                format!("{:?}", f64::from_bits(self.bits))
            }),
        }
    }

    /// The opposite number.
    #[must_use]
    pub const fn negated(self) -> Self {
        let bits = match self.ty {
            Type::Int | Type::Unsigned => (self.bits as u32).wrapping_neg() as u64,
            Type::Float => self.bits ^ 1 << 31,
            Type::Double => self.bits ^ 1 << 63,
        };
        Self { bits, ..self }
    }

    /// The number in the type of an operation's operands, as C converts it; never from `double` or to a whole number.
    pub(super) fn as_operand(self, ty: Type) -> Self {
        let bits = match (ty.format(), self.exact()) {
            (Some(format), Some(exact)) => exact.rounded(format, Rounding::Nearest),
            // An infinity or NaN of a float as a double.
            (Some(_), None) if self.ty == Type::Float && ty == Type::Double => {
                f64::from(f32::from_bits(self.bits as u32)).to_bits()
            }
            _ => self.bits,
        };
        Self { ty, bits }
    }
}

fn number_text(value: f64, finite: impl Fn() -> String) -> String {
    if value.is_nan() {
        "NaN".to_owned()
    } else if value.is_infinite() {
        if value > 0.0 { "+∞" } else { "−∞" }.to_owned()
    } else {
        finite().replace('-', "−")
    }
}

/// What an operation computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// `a + b`.
    Add,
    /// `a - b`.
    Subtract,
    /// `a * b`.
    Multiply,
    /// `a * b + c`.
    MultiplyAdd,
    /// `a / b`.
    Divide,
    /// `1 / a`.
    Reciprocal,
    /// The square root of `a`.
    Root,
    /// The product of the low 24 bits of `a` and `b`.
    Multiply24,
    /// The product of the low 24 bits of `a` and `b`, plus `c`.
    Multiply24Add,
    /// The high 32 bits of `a * b`.
    MultiplyHigh,
    /// The number `a` in another type.
    Convert,
}

/// A function of CUDA C++ that the view knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Function {
    /// The name.
    pub name: &'static str,
    /// The number of parameters.
    pub num: usize,
    /// The type of its parameters and of its result; `None`: that of the operands.
    pub ty: Option<Type>,
    /// What it computes.
    pub kind: Kind,
    /// How it rounds.
    pub rounding: Rounding,
}

const fn function(name: &'static str, num: usize, ty: Type, kind: Kind, rounding: Rounding) -> Function {
    Function {
        name,
        num,
        ty: Some(ty),
        kind,
        rounding,
    }
}

/// The four rounded variants of a function.
macro_rules! rounded {
    ($stem:literal, $num:literal, $ty:ident, $kind:ident) => {
        [
            function(
                concat!($stem, "_rn"),
                $num,
                Type::$ty,
                Kind::$kind,
                Rounding::Nearest,
            ),
            function(
                concat!($stem, "_rz"),
                $num,
                Type::$ty,
                Kind::$kind,
                Rounding::Zero,
            ),
            function(concat!($stem, "_ru"), $num, Type::$ty, Kind::$kind, Rounding::Up),
            function(
                concat!($stem, "_rd"),
                $num,
                Type::$ty,
                Kind::$kind,
                Rounding::Down,
            ),
        ]
    };
}

/// Functions with rounded variants, in groups of four.
const ROUNDED: [[Function; 4]; 9] = [
    rounded!("__fadd", 2, Float, Add),
    rounded!("__fmul", 2, Float, Multiply),
    rounded!("__fmaf", 3, Float, MultiplyAdd),
    rounded!("__fdiv", 2, Float, Divide),
    rounded!("__fsqrt", 1, Float, Root),
    rounded!("__frcp", 1, Float, Reciprocal),
    rounded!("__dadd", 2, Double, Add),
    rounded!("__dmul", 2, Double, Multiply),
    rounded!("__fma", 3, Double, MultiplyAdd),
];

/// Functions without rounded variants.
const PLAIN: [Function; 9] = [
    function("fmaf", 3, Type::Float, Kind::MultiplyAdd, Rounding::Nearest),
    Function {
        ty: None,
        ..function("fma", 3, Type::Float, Kind::MultiplyAdd, Rounding::Nearest)
    },
    function("sqrtf", 1, Type::Float, Kind::Root, Rounding::Nearest),
    Function {
        ty: None,
        ..function("sqrt", 1, Type::Float, Kind::Root, Rounding::Nearest)
    },
    function("__fdividef", 2, Type::Float, Kind::Divide, Rounding::Nearest),
    function("__mul24", 2, Type::Int, Kind::Multiply24, Rounding::Nearest),
    function("__umul24", 2, Type::Unsigned, Kind::Multiply24, Rounding::Nearest),
    function("__mulhi", 2, Type::Int, Kind::MultiplyHigh, Rounding::Nearest),
    function(
        "__umulhi",
        2,
        Type::Unsigned,
        Kind::MultiplyHigh,
        Rounding::Nearest,
    ),
];

/// The functions that the view knows.
pub fn functions() -> impl Iterator<Item = &'static Function> {
    PLAIN.iter().chain(ROUNDED.iter().flatten())
}

/// The function with a name.
pub fn function_named(name: &str) -> Option<&'static Function> {
    functions().find(|function| function.name == name)
}

/// How an operation is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Form {
    /// With operators.
    Operators(Kind),
    /// As a call.
    Call(&'static Function),
    /// A call of a 24-bit multiplication, plus an operand.
    CallAdd(&'static Function),
    /// As a conversion to a type.
    Cast(Type),
}

/// An operation with its operands, all of one type.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Operation {
    /// How it is written.
    pub form: Form,
    /// One to three operands.
    pub operands: Vec<Number>,
}

impl Operation {
    /// What it computes.
    pub const fn kind(&self) -> Kind {
        match self.form {
            Form::Operators(kind) => kind,
            Form::Call(function) => function.kind,
            Form::CallAdd(_) => Kind::Multiply24Add,
            Form::Cast(_) => Kind::Convert,
        }
    }

    /// How it rounds.
    pub const fn rounding(&self) -> Rounding {
        match self.form {
            Form::Call(function) => function.rounding,
            // A conversion to a whole number drops the fraction.
            Form::Cast(Type::Int | Type::Unsigned) => Rounding::Zero,
            _ => Rounding::Nearest,
        }
    }

    /// The type of its operands.
    pub fn operand_type(&self) -> Type {
        self.operands.first().map_or(Type::Float, |operand| operand.ty)
    }

    /// The type of its result.
    pub fn result_type(&self) -> Type {
        match self.form {
            Form::Cast(ty) => ty,
            _ => self.operand_type(),
        }
    }

    /// The expression in CUDA C++ with texts in place of the operands.
    fn expression(&self, texts: &[String]) -> String {
        let text = |idx: usize| texts.get(idx).map_or("", String::as_str);
        let (a, b, c) = (text(0), text(1), text(2));
        match self.form {
            Form::Operators(Kind::Add) => format!("{a} + {b}"),
            Form::Operators(Kind::Subtract) => format!("{a} - {b}"),
            Form::Operators(Kind::Divide) => format!("{a} / {b}"),
            Form::Operators(Kind::MultiplyAdd) => format!("{a} * {b} + {c}"),
            Form::Operators(_) => format!("{a} * {b}"),
            Form::Call(function) => format!("{}({})", function.name, texts.join(", ")),
            Form::CallAdd(function) => format!("{}({a}, {b}) + {c}", function.name),
            Form::Cast(ty) => format!("({}){a}", ty.name()),
        }
    }

    /// The operation as text that [`Operation::read`] reads.
    pub fn text(&self) -> String {
        let texts: Vec<String> = self.operands.iter().map(|operand| operand.text()).collect();
        self.expression(&texts)
    }

    /// A kernel that performs the operation on its parameters.
    pub fn kernel(&self) -> String {
        let names = &["a".to_owned(), "b".to_owned(), "c".to_owned()][..self.operands.len()];
        let mut parameters = vec![format!("{} *result", self.result_type().name())];
        for (operand, name) in self.operands.iter().zip(names) {
            parameters.push(format!("{} {name}", operand.ty.name()));
        }
        format!(
            "__global__ void operation({}) {{ *result = {}; }}",
            parameters.join(", "),
            self.expression(names)
        )
    }

    /// The exact value of an operation on floating-point numbers; `None`: an operand or the value is not finite, or the
    /// operation is not one on floating-point numbers.
    pub fn exact(&self) -> Option<Exact> {
        let at = |idx: usize| self.operands.get(idx)?.exact();
        if self.kind() == Kind::Convert {
            return at(0);
        }
        self.operand_type().format()?;
        exact_value(self.kind(), [at(0), at(1), at(2)], self.rounding())
    }

    /// The correctly rounded result of an operation on floating-point numbers.
    pub fn correct(&self) -> Option<u64> {
        let format = self.result_type().format()?;
        Some(self.exact()?.rounded(format, self.rounding()))
    }
}

/// The bits of a number of a type.
pub(super) const fn cut(bits: u64, ty: Type) -> u64 {
    match ty {
        Type::Double => bits,
        _ => bits & 0xffff_ffff,
    }
}

/// The exact value of an operation on finite numbers.
pub(super) fn exact_value(kind: Kind, [a, b, c]: [Option<Exact>; 3], rounding: Rounding) -> Option<Exact> {
    Some(match kind {
        Kind::Add => a?.plus(&b?, rounding),
        Kind::Subtract => a?.plus(&b?.negated(), rounding),
        Kind::Multiply => a?.times(&b?),
        Kind::MultiplyAdd => a?.times(&b?).plus(&c?, rounding),
        Kind::Divide => a?.over(&b?)?,
        Kind::Reciprocal => Exact::new(false, 1, 0).over(&a?)?,
        Kind::Root => a?.root()?,
        Kind::Convert | Kind::Multiply24 | Kind::Multiply24Add | Kind::MultiplyHigh => return None,
    })
}
