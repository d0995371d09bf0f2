//! The functions of CUDA C++ that the view knows.

use super::exact::Rounding;
use super::number::Type;

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
    /// A function that the special function unit approximates.
    Special(Special),
    /// The number `a` in another type.
    Convert,
}

/// A function that the special function unit approximates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Special {
    /// The reciprocal of the square root.
    ReciprocalRoot,
    /// The sine of radians.
    Sine,
    /// The cosine of radians.
    Cosine,
    /// e to a power.
    Exponential,
    /// 10 to a power.
    Exponential10,
    /// The natural logarithm.
    Logarithm,
    /// The logarithm to base 2.
    Logarithm2,
    /// The logarithm to base 10.
    Logarithm10,
    /// `a` to the power of `b`.
    Power,
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
const PLAIN: [Function; 24] = [
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
    function("__mul64hi", 2, Type::Long, Kind::MultiplyHigh, Rounding::Nearest),
    function(
        "__umul64hi",
        2,
        Type::UnsignedLong,
        Kind::MultiplyHigh,
        Rounding::Nearest,
    ),
    function("__hadd", 2, Type::Half, Kind::Add, Rounding::Nearest),
    function("__hsub", 2, Type::Half, Kind::Subtract, Rounding::Nearest),
    function("__hmul", 2, Type::Half, Kind::Multiply, Rounding::Nearest),
    function("__hfma", 3, Type::Half, Kind::MultiplyAdd, Rounding::Nearest),
    function(
        "rsqrtf",
        1,
        Type::Float,
        Kind::Special(Special::ReciprocalRoot),
        Rounding::Nearest,
    ),
    function(
        "__sinf",
        1,
        Type::Float,
        Kind::Special(Special::Sine),
        Rounding::Nearest,
    ),
    function(
        "__cosf",
        1,
        Type::Float,
        Kind::Special(Special::Cosine),
        Rounding::Nearest,
    ),
    function(
        "__expf",
        1,
        Type::Float,
        Kind::Special(Special::Exponential),
        Rounding::Nearest,
    ),
    function(
        "__exp10f",
        1,
        Type::Float,
        Kind::Special(Special::Exponential10),
        Rounding::Nearest,
    ),
    function(
        "__logf",
        1,
        Type::Float,
        Kind::Special(Special::Logarithm),
        Rounding::Nearest,
    ),
    function(
        "__log2f",
        1,
        Type::Float,
        Kind::Special(Special::Logarithm2),
        Rounding::Nearest,
    ),
    function(
        "__log10f",
        1,
        Type::Float,
        Kind::Special(Special::Logarithm10),
        Rounding::Nearest,
    ),
    function(
        "__powf",
        2,
        Type::Float,
        Kind::Special(Special::Power),
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
