//! One operation with its operands: from text and to text, as a kernel, and its exact value.

use super::exact::{Exact, Rounding};
use super::function::{Function, Kind};
use super::number::{Number, Type};
use super::special;

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
            Form::Cast(ty) if !ty.is_float() => Rounding::Zero,
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
        let has_halves = [self.operand_type(), self.result_type()].contains(&Type::Half);
        let include = if has_halves {
            "#include <cuda_fp16.h>\n"
        } else {
            ""
        };
        format!(
            "{include}__global__ void operation({}) {{ *result = {}; }}",
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
        if let Kind::Special(function) = self.kind() {
            return special::value(function, at(0)?, at(1));
        }
        exact_value(self.kind(), [at(0), at(1), at(2)], self.rounding())
    }

    /// The correctly rounded result of an operation on floating-point numbers.
    pub fn correct(&self) -> Option<u64> {
        let format = self.result_type().format()?;
        Some(self.exact()?.rounded(format, self.rounding()))
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
        Kind::Special(_) | Kind::Convert | Kind::Multiply24 | Kind::Multiply24Add | Kind::MultiplyHigh => {
            return None;
        }
    })
}
