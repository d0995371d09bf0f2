//! Numbers: a type of CUDA C++, and the bits of a value.

use super::exact::{DOUBLE, Exact, Format, HALF, Rounding, SINGLE};
use engine::isa::ElemType;

/// The type of an operand or of a result, in the order of C's conversions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Type {
    /// `int`.
    Int,
    /// `unsigned`.
    Unsigned,
    /// `long long`.
    Long,
    /// `unsigned long long`.
    UnsignedLong,
    /// `half`.
    Half,
    /// `float`.
    Float,
    /// `double`.
    Double,
}

impl Type {
    /// All types.
    pub const ALL: [Self; 7] = [
        Self::Int,
        Self::Unsigned,
        Self::Long,
        Self::UnsignedLong,
        Self::Half,
        Self::Float,
        Self::Double,
    ];

    /// The name in CUDA C++.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Int => "int",
            Self::Unsigned => "unsigned",
            Self::Long => "long long",
            Self::UnsignedLong => "unsigned long long",
            Self::Half => "half",
            Self::Float => "float",
            Self::Double => "double",
        }
    }

    /// The binary format; `None`: a whole number.
    pub const fn format(self) -> Option<Format> {
        match self {
            Self::Int | Self::Unsigned | Self::Long | Self::UnsignedLong => None,
            Self::Half => Some(HALF),
            Self::Float => Some(SINGLE),
            Self::Double => Some(DOUBLE),
        }
    }

    /// Whether its numbers are floating-point numbers.
    pub const fn is_float(self) -> bool {
        self.format().is_some()
    }

    /// Whether its numbers have a sign.
    pub const fn is_signed(self) -> bool {
        !matches!(self, Self::Unsigned | Self::UnsignedLong)
    }

    /// Bits of a number.
    pub const fn bits(self) -> u32 {
        match self {
            Self::Half => 16,
            Self::Int | Self::Unsigned | Self::Float => 32,
            Self::Long | Self::UnsignedLong | Self::Double => 64,
        }
    }

    /// The type of a kernel's parameter or buffer.
    pub const fn elem(self) -> ElemType {
        match self {
            Self::Int => ElemType::I32,
            Self::Unsigned => ElemType::U32,
            Self::Long => ElemType::I64,
            Self::UnsignedLong => ElemType::U64,
            Self::Half => ElemType::F16,
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
    /// The bits; a number of fewer than 64 bits has zeros above them.
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

    /// The whole number; `None`: a floating-point number.
    pub(super) const fn whole(self) -> Option<i128> {
        Some(match self.ty {
            Type::Int => self.bits as u32 as i32 as i128,
            Type::Long => self.bits as i64 as i128,
            Type::Unsigned | Type::UnsignedLong => self.bits as i128,
            Type::Half | Type::Float | Type::Double => return None,
        })
    }

    /// The exact value; `None`: an infinity or NaN.
    pub fn exact(self) -> Option<Exact> {
        match (self.ty.format(), self.whole()) {
            (Some(format), _) => Exact::of(self.bits, format),
            (None, value) => value.map(|value| Exact::new(value < 0, value.unsigned_abs(), 0)),
        }
    }

    /// The value of a floating-point number as a double, which holds all of them.
    fn double(self) -> f64 {
        match self.ty {
            Type::Double => f64::from_bits(self.bits),
            Type::Float => f32::from_bits(self.bits as u32).into(),
            _ => self.exact().map_or_else(
                || {
                    let is_infinite = HALF.fraction(self.bits) == 0;
                    let special = if is_infinite { f64::INFINITY } else { f64::NAN };
                    if HALF.is_negative(self.bits) {
                        -special
                    } else {
                        special
                    }
                },
                |exact| f64::from_bits(exact.rounded(DOUBLE, Rounding::Nearest)),
            ),
        }
    }

    /// The value in decimal notation, as C writes it. A half has the suffix `h`, or is written as `0h3C00`.
    pub fn text(self) -> String {
        let is_finite = self.exact().is_some();
        match self.ty {
            Type::Int => (self.bits as u32 as i32).to_string(),
            Type::Unsigned => format!("{}u", self.bits),
            Type::Long => format!("{}ll", self.bits as i64),
            Type::UnsignedLong => format!("{}ull", self.bits),
            Type::Half if is_finite => format!("{:?}h", self.double() as f32),
            Type::Float if is_finite => format!("{:?}f", f32::from_bits(self.bits as u32)),
            Type::Double if is_finite => format!("{:?}", f64::from_bits(self.bits)),
            Type::Half => format!("0h{:04X}", self.bits),
            Type::Float => format!("0f{:08X}", self.bits),
            Type::Double => format!("0d{:016X}", self.bits),
        }
    }

    /// The value for reading: a decimal number, an infinity, or NaN.
    pub fn value(self) -> String {
        if let Some(whole) = self.whole() {
            return whole.to_string();
        }
        let value = self.double();
        if value.is_nan() {
            "NaN".to_owned()
        } else if value.is_infinite() {
            if value > 0.0 { "+∞" } else { "−∞" }.to_owned()
        } else if self.ty == Type::Double {
            format!("{value:?}").replace('-', "−")
        } else {
            format!("{:?}", value as f32).replace('-', "−")
        }
    }

    /// The opposite number.
    #[must_use]
    pub const fn negated(self) -> Self {
        let bits = match self.ty.format() {
            None => self.bits.wrapping_neg(),
            Some(format) => self.bits ^ 1 << (format.bits() - 1),
        };
        Self::of_word(self.ty, bits)
    }

    /// The number in the type of an operation's operands, as C converts it; never from a wider floating-point type or from
    /// one to a whole number.
    pub(super) fn as_operand(self, ty: Type) -> Self {
        if self.ty == ty {
            return self;
        }
        let bits = match (ty.format(), self.exact(), self.whole()) {
            (Some(format), Some(exact), _) => exact.rounded(format, Rounding::Nearest),
            // An infinity or NaN as a double.
            (Some(_), None, _) if ty == Type::Double => self.double().to_bits(),
            (None, _, Some(whole)) => whole as u64,
            _ => self.bits,
        };
        Self::of_word(ty, bits)
    }
}

/// The bits of a number of a type.
pub(super) const fn cut(bits: u64, ty: Type) -> u64 {
    bits & u64::MAX >> (64 - ty.bits())
}
