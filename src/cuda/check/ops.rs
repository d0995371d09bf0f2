//! Conversions and operators: the type of the operation, and the valid operands.

mod assignment;
mod build;
mod conversions;
mod pointers;

use super::calls::Arg;
use super::fold::{as_const, fold};
use super::lvalues::has_place;
use super::names::{deref, load};
use super::{Checker, Checks, Lvalue, Operand, constant, expr, int, pointer_bytes, scoped_enums};
use crate::ast;
use crate::hir::{BinaryOp, CompareOp, Const, Expr, ExprKind, LogicalOp, Place, PlaceKind, Type, UnaryOp};
use crate::source::join;
use engine::ids::Span;

pub(super) use build::{assign, binary, comma, compare, return_if};
use build::{logical, not};
use conversions::is_null;
pub(super) use conversions::{common, converted, is_arithmetic, promoted};
use pointers::negated_index;

/// The prelude function that divides halves.
const HALF_DIVISION: &str = "__ws_half_div";

impl Checker {
    /// `lhs op rhs` on two operands. The operations of a chain such as `a + b + c` are nested on the left; a loop computes
    /// them without a call for each.
    pub(super) fn infix(
        &mut self,
        op: ast::InfixOp,
        lhs: &ast::Expr,
        rhs: &ast::Expr,
        span: Span,
    ) -> Checks<Operand> {
        let mut steps = vec![(op, rhs, span)];
        let mut first = lhs;
        while let ast::ExprKind::Infix { op, lhs, rhs } = &first.kind {
            steps.push((*op, rhs, first.span));
            first = lhs;
        }
        let num_temporaries = self.body.temporaries.len();
        let mut value = self.operand(first);
        for (op, rhs, span) in steps.into_iter().rev() {
            value = self.infix_after(op, value, num_temporaries, rhs, span);
        }
        value
    }

    /// `lhs op rhs`, where `lhs` is checked, and began with this number of temporaries.
    fn infix_after(
        &mut self,
        op: ast::InfixOp,
        lhs: Checks<Operand>,
        num_before: usize,
        rhs: &ast::Expr,
        span: Span,
    ) -> Checks<Operand> {
        if let ast::InfixOp::Logical(op) = op {
            let lhs = lhs.and_then(|lhs| self.condition_of(lhs, num_before));
            let num_temporaries = self.body.temporaries.len();
            let rhs = self.condition(rhs);
            self.check_temporaries(num_temporaries, span)?;
            return Ok(Operand::Value(logical(op, lhs?, rhs?, span)));
        }
        if op == ast::InfixOp::Comma {
            let rhs = self.operand(rhs);
            let (lhs, rhs) = (lhs?, rhs?);
            let Some(first) = dropped(lhs) else {
                return Ok(rhs);
            };
            let is_const = const_of_place(&rhs);
            let rhs = self.rvalue(rhs)?;
            return Ok(with_place(is_const, comma(first, rhs, span)));
        }
        let rhs = self.operand(rhs);
        let (mut lhs, mut rhs) = (lhs?, rhs?);
        if operand_type(&lhs).has_operators() || operand_type(&rhs).has_operators() {
            let text = infix_text(op);
            let own = self.try_overloaded(&format!("operator{text}"), vec![lhs.clone(), rhs.clone()], span);
            if let Some(result) = own {
                return result;
            }
            (lhs, rhs) = (self.scalar_operand(lhs)?, self.scalar_operand(rhs)?);
            if self.is_address_of_function(operand_type(&lhs), operand_type(&rhs)) {
                std::mem::swap(&mut lhs, &mut rhs);
            }
            let to = operand_type(&lhs).clone();
            if self.is_address_of_function(operand_type(&rhs), &to) {
                let value = self.rvalue(rhs)?;
                rhs = Operand::Value(self.function_address(&value, &to)?);
            }
            if operand_type(&lhs).is_aggregate() || operand_type(&rhs).is_aggregate() {
                return self.overloaded(text, vec![lhs, rhs], span);
            }
        }
        let (lhs, rhs) = (self.promoted_value(lhs)?, self.promoted_value(rhs)?);
        let value = match op {
            ast::InfixOp::Arithmetic(op) => self.arithmetic(op, lhs, rhs, span),
            ast::InfixOp::Compare(op) => self.comparison(op, lhs, rhs, span),
            _ => Ok(rhs),
        };
        value.map(Operand::Value)
    }

    /// Arithmetic on two values, including pointers.
    pub(super) fn arithmetic(&mut self, op: BinaryOp, lhs: Expr, rhs: Expr, span: Span) -> Checks<Expr> {
        let pointers = (
            matches!(lhs.ty, Type::Pointer(_)),
            matches!(rhs.ty, Type::Pointer(_)),
        );
        match (op, pointers) {
            (BinaryOp::Add, (true, false)) if rhs.ty.is_integer() || rhs.ty == Type::Bool => {
                return self.pointer_add(lhs, rhs, span);
            }
            (BinaryOp::Add, (false, true)) if lhs.ty.is_integer() || lhs.ty == Type::Bool => {
                return self.pointer_add(rhs, lhs, span);
            }
            (BinaryOp::Sub, (true, false)) if rhs.ty.is_integer() || rhs.ty == Type::Bool => {
                let rhs = if rhs.ty == Type::Bool {
                    converted(rhs, &Type::I32)
                } else {
                    rhs
                };
                let index = negated_index(rhs);
                return self.pointer_add(lhs, index, span);
            }
            (BinaryOp::Sub, (true, true)) => return self.pointer_difference(lhs, rhs, span),
            _ => {}
        }
        let bits_only = matches!(
            op,
            BinaryOp::Rem | BinaryOp::And | BinaryOp::Or | BinaryOp::Xor | BinaryOp::Shl | BinaryOp::Shr
        );
        let fits = |ty: &Type| is_arithmetic(ty) && !(bits_only && ty.is_float());
        if !fits(&lhs.ty) || !fits(&rhs.ty) {
            let text = infix_text(ast::InfixOp::Arithmetic(op));
            let (a, b) = (self.text(&lhs.ty), self.text(&rhs.ty));
            let mut message = format!("No operator `{text}` matches the operand types `{a}` and `{b}`.");
            if op == BinaryOp::Rem && (lhs.ty.is_float() || rhs.ty.is_float()) {
                message.push_str(" Use `fmodf` for floating-point numbers.");
            } else if bits_only && (lhs.ty.is_float() || rhs.ty.is_float()) {
                message
                    .push_str(" Convert the operands to integers, or read their bits with `__float_as_int`.");
            }
            let mut diagnostic = crate::diagnostic::Diagnostic::error(span, message);
            if let Some(remedy) = scoped_enums::remedy(&lhs.ty).or_else(|| scoped_enums::remedy(&rhs.ty)) {
                diagnostic = diagnostic.note(remedy);
            }
            return self.report(diagnostic);
        }
        if matches!(op, BinaryOp::Shl | BinaryOp::Shr) {
            let ty = promoted(&lhs.ty);
            let amount_ty = promoted(&rhs.ty);
            let (lhs, rhs) = (converted(lhs, &ty), converted(rhs, &amount_ty));
            return Ok(binary(op, lhs, rhs, ty, span));
        }
        self.check_halves(infix_text(ast::InfixOp::Arithmetic(op)), &lhs, &rhs, span)?;
        let ty = common(&lhs.ty, &rhs.ty);
        let (lhs, rhs) = (converted(lhs, &ty), converted(rhs, &ty));
        self.checked_binary(op, lhs, rhs, ty, span)
    }

    /// Reports an ambiguous operator on a half and another number: either operand can be converted.
    fn check_halves(&mut self, text: &str, lhs: &Expr, rhs: &Expr, span: Span) -> Checks<()> {
        if lhs.ty == rhs.ty || !(lhs.ty.is_half() || rhs.ty.is_half()) {
            return Ok(());
        }
        let (a, b) = (self.text(&lhs.ty), self.text(&rhs.ty));
        let message = format!("More than one operator `{text}` matches the operand types `{a}` and `{b}`.");
        let diagnostic = crate::diagnostic::Diagnostic::error(span, message);
        self.report(diagnostic.note(
            "Convert one operand: `float(…)` to compute in single precision, or `half(…)` to compute in half \
             precision.",
        ))
    }

    /// An operation on two values of one type. Divisions without a hardware instruction become calls.
    pub(super) fn checked_binary(
        &mut self,
        op: BinaryOp,
        lhs: Expr,
        rhs: Expr,
        ty: Type,
        span: Span,
    ) -> Checks<Expr> {
        let divides = matches!(op, BinaryOp::Div | BinaryOp::Rem) && ty.is_integer();
        if divides && as_const(&rhs) == Some(Const::Int(0)) {
            self.warn(span, "Division by zero: the result is undefined.");
        }
        if divides
            && let Some(name) = self.wide_division(op, &ty, &rhs)
            && (as_const(&lhs).is_none() || as_const(&rhs).is_none())
        {
            return self.call_prelude(name, vec![lhs, rhs], span);
        }
        if ty.is_half() && op == BinaryOp::Div {
            return self.call_prelude(HALF_DIVISION, vec![lhs, rhs], span);
        }
        Ok(binary(op, lhs, rhs, ty, span))
    }

    /// The prelude function for a division of 64-bit integers, if one is needed.
    pub(super) fn wide_division(&self, op: BinaryOp, ty: &Type, divisor: &Expr) -> Option<&'static str> {
        let power_of_two =
            matches!(as_const(divisor), Some(Const::Int(value)) if value > 0 && value & (value - 1) == 0);
        if power_of_two {
            return None;
        }
        match (op, ty) {
            (BinaryOp::Div, Type::I64) => Some("__ws_div_s64"),
            (BinaryOp::Div, Type::U64) => Some("__ws_div_u64"),
            (BinaryOp::Rem, Type::I64) => Some("__ws_rem_s64"),
            (BinaryOp::Rem, Type::U64) => Some("__ws_rem_u64"),
            _ => None,
        }
    }

    fn comparison(&mut self, op: CompareOp, lhs: Expr, rhs: Expr, span: Span) -> Checks<Expr> {
        if is_arithmetic(&lhs.ty) && is_arithmetic(&rhs.ty) {
            self.check_halves(infix_text(ast::InfixOp::Compare(op)), &lhs, &rhs, span)?;
            let ty = common(&lhs.ty, &rhs.ty);
            return Ok(compare(op, converted(lhs, &ty), converted(rhs, &ty), span));
        }
        let (a, b) = (&lhs.ty, &rhs.ty);
        let pointers = match (a, b) {
            (Type::Pointer(p), Type::Pointer(q)) => {
                Self::same_type(&p.pointee, &q.pointee) || p.pointee == Type::Void || q.pointee == Type::Void
            }
            (Type::Pointer(_), _) => self.conversion_cost(&rhs, a).is_some(),
            (_, Type::Pointer(_)) => self.conversion_cost(&lhs, b).is_some(),
            _ => false,
        };
        if let Some(compared) = Self::compared_enums(op, &lhs, &rhs, span) {
            return Ok(compared);
        }
        if !pointers {
            let remedy = scoped_enums::remedy(a).or_else(|| scoped_enums::remedy(b));
            let text = infix_text(ast::InfixOp::Compare(op));
            let (a, b) = (self.text(a), self.text(b));
            let message = format!("`{text}` cannot compare `{a}` with `{b}`.");
            let diagnostic = crate::diagnostic::Diagnostic::error(span, message);
            return self.report(match remedy {
                Some(remedy) => diagnostic.note(remedy),
                None => diagnostic,
            });
        }
        let ty = if matches!(a, Type::Pointer(_)) {
            a.clone()
        } else {
            b.clone()
        };
        let (lhs, rhs) = (self.retyped(lhs, &ty), self.retyped(rhs, &ty));
        Ok(compare(op, lhs, rhs, span))
    }

    /// `-v`, `!v`, and similar operators.
    pub(super) fn prefix(&mut self, op: ast::PrefixOp, operand: &ast::Expr, span: Span) -> Checks<Operand> {
        use ast::PrefixOp;
        match op {
            PrefixOp::AddressOf => {
                if let Some(function) = self.named_function(operand) {
                    return Ok(function);
                }
                let lvalue = self.lvalue(
                    operand,
                    "The operand of `&` must be an lvalue: a variable or memory.",
                )?;
                return Ok(Operand::Value(self.address_of(lvalue, span)));
            }
            PrefixOp::Deref => {
                let inner = self.operand(operand)?;
                if operand_type(&inner).is_aggregate() && self.has_method(operand_type(&inner), "operator*") {
                    return self.overloaded("*", vec![inner], span);
                }
                let inner = self.scalar_operand(inner)?;
                let pointer = self.rvalue(inner)?;
                return self.dereferenced(pointer, span).map(Operand::Place);
            }
            PrefixOp::Not => {
                let inner = self.operand(operand)?;
                if operand_type(&inner).has_operators()
                    && let Some(result) = self.try_overloaded("operator!", vec![inner.clone()], span)
                {
                    return result;
                }
                let value = self.rvalue(inner)?;
                let cond = self.to_condition(value)?;
                return Ok(Operand::Value(not(cond, span)));
            }
            _ => {}
        }
        let mut inner = self.operand(operand)?;
        if operand_type(&inner).has_operators() {
            let text = match op {
                PrefixOp::Neg => "-",
                PrefixOp::BitNot => "~",
                _ => "+",
            };
            let own = self.try_overloaded(&format!("operator{text}"), vec![inner.clone()], span);
            if let Some(result) = own {
                return result;
            }
            if op == PrefixOp::Plus && self.is_function(operand_type(&inner)) {
                return Ok(inner);
            }
            inner = self.scalar_operand(inner)?;
            if operand_type(&inner).is_aggregate() {
                return self.overloaded(text, vec![inner], span);
            }
        }
        let value = self.promoted_value(inner)?;
        let fits = is_arithmetic(&value.ty) && !(op == PrefixOp::BitNot && value.ty.is_float());
        if !fits {
            let text = match op {
                PrefixOp::Neg => "-",
                PrefixOp::BitNot => "~",
                _ => "+",
            };
            let message = format!(
                "No operator `{text}` matches the operand type `{}`.",
                self.text(&value.ty)
            );
            return self.error(span, message);
        }
        let ty = promoted(&value.ty);
        let value = converted(value, &ty);
        let op = match op {
            PrefixOp::Neg => UnaryOp::Neg,
            PrefixOp::BitNot => UnaryOp::BitNot,
            _ => return Ok(Operand::Value(Expr { span, ..value })),
        };
        let kind = ExprKind::Unary {
            op,
            operand: Box::new(value),
        };
        Ok(Operand::Value(fold(expr(kind, ty, span))))
    }

    /// `cond ? then : otherwise`.
    pub(super) fn conditional(
        &mut self,
        cond: &ast::Expr,
        then: &ast::Expr,
        otherwise: &ast::Expr,
        span: Span,
    ) -> Checks<Operand> {
        let cond = self.condition(cond);
        let num_temporaries = self.body.temporaries.len();
        let (then, otherwise) = (self.operand(then), self.operand(otherwise));
        self.check_temporaries(num_temporaries, span)?;
        let (cond, then, otherwise) = (cond?, then?, otherwise?);
        let is_const = match (const_of_place(&then), const_of_place(&otherwise)) {
            (Some(a), Some(b)) if operand_type(&then) == operand_type(&otherwise) => Some(a || b),
            _ => None,
        };
        let (mut then, mut otherwise) = (self.promoted_value(then)?, self.promoted_value(otherwise)?);
        if then.ty != otherwise.ty && then.ty.is_aggregate() {
            let pointer = if self.is_address_of_function(&then.ty, &otherwise.ty) {
                Some(otherwise.ty.clone())
            } else {
                self.as_pointers(&then, &otherwise)
            };
            if let Some(to) = pointer {
                (then, otherwise) = (
                    self.implicit(then, &to, "here")?,
                    self.implicit(otherwise, &to, "here")?,
                );
            }
        } else if self.is_address_of_function(&otherwise.ty, &then.ty) {
            otherwise = self.implicit(otherwise, &then.ty.clone(), "here")?;
        }
        let ty = if then.ty == otherwise.ty {
            then.ty.clone()
        } else if is_arithmetic(&then.ty) && is_arithmetic(&otherwise.ty) {
            self.check_halves("?:", &then, &otherwise, span)?;
            common(&then.ty, &otherwise.ty)
        } else if !is_null(&then) && self.conversion_cost(&otherwise, &then.ty).is_some() {
            then.ty.clone()
        } else if self.conversion_cost(&then, &otherwise.ty).is_some() {
            otherwise.ty.clone()
        } else {
            let (a, b) = (self.text(&then.ty), self.text(&otherwise.ty));
            return self.error(
                span,
                format!("The operand types of `?:` are incompatible: `{a}` and `{b}`."),
            );
        };
        let (then, otherwise) = (self.retyped(then, &ty), self.retyped(otherwise, &ty));
        let kind = ExprKind::Conditional {
            cond: Box::new(cond),
            then: Box::new(then),
            otherwise: Box::new(otherwise),
        };
        Ok(with_place(is_const, fold(expr(kind, ty, span))))
    }
}

/// Whether the place of an operand is const; `None` for an rvalue.
const fn const_of_place(operand: &Operand) -> Option<bool> {
    match operand {
        Operand::Value(_) | Operand::Bits(_) => None,
        Operand::Place(lvalue) => Some(lvalue.is_const),
        Operand::Computed { is_const, .. } => Some(*is_const),
    }
}

/// The operand that an lvalue operator returns; `is_const` is `None` if it returns an rvalue.
fn with_place(is_const: Option<bool>, value: Expr) -> Operand {
    match is_const {
        Some(is_const) if has_place(&value) => Operand::Computed { value, is_const },
        _ => Operand::Value(value),
    }
}

/// The side effects of an operand whose value is discarded.
pub(super) fn dropped(operand: Operand) -> Option<Expr> {
    match operand {
        Operand::Value(value) | Operand::Computed { value, .. } => Some(value),
        Operand::Bits(_) => None,
        Operand::Place(lvalue) if lvalue.place.is_volatile => Some(load(lvalue.place)),
        Operand::Place(lvalue) => {
            let mut place = lvalue.place;
            loop {
                match place.kind {
                    PlaceKind::Deref(pointer) => return Some(*pointer),
                    PlaceKind::Field { base, .. } => place = *base,
                    PlaceKind::Local(_) | PlaceKind::Global(_) => return None,
                }
            }
        }
    }
}

/// The type of an operand.
pub(super) const fn operand_type(operand: &Operand) -> &Type {
    match operand {
        Operand::Value(value) | Operand::Computed { value, .. } => &value.ty,
        Operand::Bits(bits) => bits.ty(),
        Operand::Place(lvalue) => &lvalue.place.ty,
    }
}

/// An operator as text.
pub(super) const fn infix_text(op: ast::InfixOp) -> &'static str {
    match op {
        ast::InfixOp::Arithmetic(op) => match op {
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::Mul => "*",
            BinaryOp::Div => "/",
            BinaryOp::Rem => "%",
            BinaryOp::And => "&",
            BinaryOp::Or => "|",
            BinaryOp::Xor => "^",
            BinaryOp::Shl => "<<",
            BinaryOp::Shr => ">>",
        },
        ast::InfixOp::Compare(op) => match op {
            CompareOp::Lt => "<",
            CompareOp::Le => "<=",
            CompareOp::Gt => ">",
            CompareOp::Ge => ">=",
            CompareOp::Eq => "==",
            CompareOp::Ne => "!=",
        },
        ast::InfixOp::Logical(LogicalOp::And) => "&&",
        ast::InfixOp::Logical(LogicalOp::Or) => "||",
        ast::InfixOp::Comma => ",",
    }
}
