//! Conversions and operators: the type of the operation, and the valid operands.

use super::calls::Arg;
use super::fold::{as_const, fold};
use super::names::{deref, load};
use super::{Checker, Checks, Lvalue, Operand, constant, expr, int, pointer_bytes};
use crate::ast;
use crate::hir::{BinaryOp, CompareOp, Const, Expr, ExprKind, LogicalOp, Place, PlaceKind, Type, UnaryOp};
use crate::source::join;
use engine::ids::Span;

/// The prelude function that divides halves.
const HALF_DIVISION: &str = "__ws_half_div";

/// Whether the type is a number or `bool`.
pub(super) const fn is_arithmetic(ty: &Type) -> bool {
    matches!(ty, Type::Bool) || ty.is_integer() || ty.is_float()
}

/// Integer promotion: small integers and `bool` become `int`.
pub(super) const fn promoted(ty: &Type) -> Type {
    match ty {
        Type::Bool | Type::I8 | Type::U8 | Type::I16 | Type::U16 => Type::I32,
        Type::U32 => Type::U32,
        Type::I64 => Type::I64,
        Type::U64 => Type::U64,
        Type::F16 => Type::F16,
        Type::Bf16 => Type::Bf16,
        Type::F32 => Type::F32,
        Type::F64 => Type::F64,
        _ => Type::I32,
    }
}

/// The common type of two numeric operands.
pub(super) fn common(a: &Type, b: &Type) -> Type {
    let (a, b) = (promoted(a), promoted(b));
    let order = [
        Type::F64,
        Type::F32,
        Type::F16,
        Type::Bf16,
        Type::U64,
        Type::I64,
        Type::U32,
        Type::I32,
    ];
    order
        .into_iter()
        .find(|ty| *ty == a || *ty == b)
        .unwrap_or(Type::I32)
}

/// An explicit conversion of a number to another type.
pub(super) fn converted(value: Expr, to: &Type) -> Expr {
    if value.ty == *to {
        return value;
    }
    let span = value.span;
    fold(expr(ExprKind::Convert(Box::new(value)), to.clone(), span))
}

/// Whether a value is a null pointer constant: `nullptr`, or a zero integer.
fn is_null(value: &Expr) -> bool {
    let can_be = match &value.ty {
        Type::Pointer(pointer) => pointer.pointee == Type::Void,
        ty => ty.is_integer(),
    };
    can_be && as_const(value) == Some(Const::Int(0))
}

impl Checker {
    /// An implicit conversion to another type. `context` is the end of the diagnostic: "as an argument of f".
    pub(super) fn implicit(&mut self, value: Expr, to: &Type, context: &str) -> Checks<Expr> {
        if self.is_address_of_function(&value.ty, to) {
            return self.function_address(&value, to);
        }
        // A copy of a base subobject has priority over conversion functions.
        if self.derives(&value.ty, to) {
            return Ok(self.base_of(value, to));
        }
        if value.ty != *to && !self.converting.contains(to) && self.converts_by_constructor(&value, to) {
            let span = value.span;
            let args = [Arg::Operand(Operand::Value(value.clone()), value.clone())];
            self.converting.push(to.clone());
            let made = self.constructor_call(to, &args, span);
            self.converting.pop();
            if let Some(made) = made {
                return made;
            }
        }
        if value.ty != *to
            && let Some(converted) = self.converted_by_function(value.clone(), to, false)
        {
            let converted = converted?;
            return Ok(self.retyped(converted, to));
        }
        if value.ty == *to || self.conversion_cost(&value, to).is_some() {
            return Ok(self.retyped(value, to));
        }
        let (from_text, to_text) = (self.text(&value.ty), self.text(to));
        if value.ty == Type::Void {
            let message = format!(
                "This expression has no value (its type is `void`), but `{to_text}` is needed {context}."
            );
            return self.error(value.span, message);
        }
        let message = match from_text.strip_prefix("(function ") {
            Some(name) => {
                let name = name.trim_end_matches(')');
                format!("`{name}` is a function; call it with `{name}(…)`.")
            }
            None => format!("A value of type `{from_text}` cannot be used as `{to_text}` {context}."),
        };
        let mut diagnostic = crate::diagnostic::Diagnostic::error(value.span, message);
        if let Some(remedy) = super::scoped_enums::remedy(&value.ty) {
            diagnostic = diagnostic.note(remedy);
        } else if to.is_scoped_enum() && is_arithmetic(&value.ty) {
            diagnostic = diagnostic.note(format!("Write `static_cast<{to_text}>(…)`."));
        }
        if self.has_explicit_constructor(to) {
            diagnostic = diagnostic.note(format!("The constructor is explicit: write `{to_text}(…)`."));
        }
        if let (Type::Pointer(from), Type::Pointer(to)) = (&value.ty, to) {
            let drops_const = from.is_const && !to.is_const || from.is_volatile && !to.is_volatile;
            diagnostic = if drops_const && from.pointee == to.pointee {
                diagnostic
                    .note("This pointer points to const memory; declare the target as a pointer to const.")
            } else if from.pointee == Type::Pointer(to.clone()) {
                diagnostic.note("Dereference the outer pointer: write `*` before it.")
            } else if matches!(from.pointee, Type::Array(..)) || matches!(to.pointee, Type::Array(..)) {
                diagnostic.note(
                    "An array of arrays is not an array of pointers: declare the parameter with the same sizes, such as \
                     `float (*rows)[4]`.",
                )
            } else {
                diagnostic.note(format!(
                    "To read the same memory as another type, write `({to_text})` before it."
                ))
            };
        } else if let Type::Pointer(pointer) = &value.ty
            && pointer.pointee == *to
        {
            diagnostic = diagnostic.note("Dereference the pointer: write `*` before it.");
        } else if let Type::Pointer(pointer) = to
            && pointer.pointee == value.ty
        {
            diagnostic = match &value.kind {
                ExprKind::Load(_) => diagnostic.note("Write `&` before it to use its address."),
                _ => diagnostic.note(format!(
                    "To use a number as an address, write `({to_text})` before it."
                )),
            };
        } else if let (Type::Vector(vector), ast_scalar) = (to, &value.ty)
            && is_arithmetic(ast_scalar)
        {
            let lanes = &["x", "y", "z", "w"][..(vector.lanes as usize).min(4)];
            diagnostic = diagnostic.note(format!("Write `make_{}({})`.", vector.name, lanes.join(", ")));
        }
        self.report(diagnostic)
    }

    /// The base subobject of an object, which is at its start.
    fn base_of(&mut self, value: Expr, base: &Type) -> Expr {
        let from = value.ty.clone();
        let kept = self.stored_in_temporary(value);
        let span = kept.place.span;
        let address = self.address_of(kept, span);
        let mut address = self.derived_to_base_address(address, &from, base);
        address.ty = base.clone().pointer_to();
        load(super::names::deref(address, false))
    }

    /// The value reinterpreted as the other type, if that is allowed.
    fn retyped(&self, mut value: Expr, to: &Type) -> Expr {
        match (&value.ty, to) {
            (Type::Pointer(a), Type::Pointer(b)) if self.derives(&a.pointee, &b.pointee) => {
                let (from, base) = (a.pointee.clone(), b.pointee.clone());
                value = self.pointer_to_base(value, &from, &base);
                value.ty = to.clone();
                value
            }
            (Type::Pointer(a), Type::Pointer(b)) if self.derives(&b.pointee, &a.pointee) => {
                let (base, derived) = (a.pointee.clone(), b.pointee.clone());
                value = self.base_to_derived_address(value, &base, &derived);
                value.ty = to.clone();
                value
            }
            (Type::Pointer(_), Type::Pointer(_)) | (Type::Vector(_), Type::Vector(_)) => {
                value.ty = to.clone();
                value
            }
            _ => converted(value, to),
        }
    }

    /// A pointer to an object as a pointer to its base; null stays null.
    fn pointer_to_base(&self, pointer: Expr, from: &Type, base: &Type) -> Expr {
        let moved = self.derived_to_base_address(pointer.clone(), from, base);
        if matches!(moved.kind, ExprKind::PtrAdd { .. }) && !matches!(pointer.kind, ExprKind::AddressOf(_)) {
            let span = pointer.span;
            let null = constant(Const::Int(0), pointer.ty.clone(), span);
            let is_there = compare(CompareOp::Ne, pointer.clone(), null, span);
            let nothing = constant(Const::Int(0), moved.ty.clone(), span);
            let ty = moved.ty.clone();
            let kind = ExprKind::Conditional {
                cond: Box::new(is_there),
                then: Box::new(moved),
                otherwise: Box::new(nothing),
            };
            return expr(kind, ty, span);
        }
        moved
    }

    /// The cost of an implicit conversion: 0 for identity, higher for worse; `None` if there is no conversion.
    pub(super) fn conversion_cost(&self, value: &Expr, to: &Type) -> Option<u32> {
        let from = &value.ty;
        if from == to {
            return Some(0);
        }
        if is_arithmetic(from) && is_arithmetic(to) {
            let promotion = promoted(from) == *to || (*from == Type::F32 && *to == Type::F64);
            return Some(if promotion { 2 } else { 4 });
        }
        match (from, to) {
            (_, Type::Pointer(_)) if is_null(value) => Some(4),
            (Type::Pointer(a), Type::Pointer(b)) => {
                let may_write = !a.is_const || self.may_lose_const(value);
                let keeps = (b.is_const || may_write) && (b.is_volatile || !a.is_volatile);
                let derived = self.derives(&a.pointee, &b.pointee);
                if derived && keeps {
                    return Some(3);
                }
                let same = Self::same_type(&a.pointee, &b.pointee);
                match (keeps, same, &b.pointee) {
                    (true, true, _) => Some(u32::from(
                        a.is_const != b.is_const || a.is_volatile != b.is_volatile,
                    )),
                    (true, false, Type::Void) => Some(5),
                    _ => None,
                }
            }
            (Type::Pointer(_), Type::Bool) => Some(6),
            (Type::Struct(_), Type::Pointer(_)) if self.is_address_of_function(from, to) => Some(1),
            (_, Type::Struct(_)) if self.converts_by_constructor(value, to) => Some(8),
            // A derived object is sliced to its base.
            (Type::Struct(_), Type::Struct(_)) if self.derives(from, to) => Some(3),
            (Type::Struct(id), _) => self.conversion_function(*id, to, false).map(|(_, cost)| 8 + cost),
            // `dim3` and `uint3` convert to each other.
            (Type::Vector(a), Type::Vector(b)) if a.elem == b.elem && a.lanes == b.lanes => Some(1),
            _ => None,
        }
    }

    /// Whether a pointer points to a `__constant__` variable that is not declared const. The type of the variable is
    /// not const, although kernels cannot write it.
    fn may_lose_const(&self, pointer: &Expr) -> bool {
        match &pointer.kind {
            ExprKind::AddressOf(place) => self.is_constant_memory(place),
            ExprKind::PtrAdd { ptr, .. } => self.may_lose_const(ptr),
            ExprKind::Conditional { then, otherwise, .. } => {
                self.may_lose_const(then) && self.may_lose_const(otherwise)
            }
            _ => false,
        }
    }

    /// Whether a place is part of a `__constant__` variable that is not declared const.
    pub(super) fn is_constant_memory(&self, place: &Place) -> bool {
        match &place.kind {
            PlaceKind::Global(id) => self.constant_memory.contains(&id.0),
            PlaceKind::Field { base, .. } => self.is_constant_memory(base),
            PlaceKind::Deref(pointer) => self.may_lose_const(pointer),
            PlaceKind::Local(_) => false,
        }
    }

    /// Whether memory of one type can be accessed as another type, apart from pointer qualifiers.
    fn same_type(a: &Type, b: &Type) -> bool {
        match (a, b) {
            (Type::Pointer(a), Type::Pointer(b)) => {
                a.is_const == b.is_const
                    && a.is_volatile == b.is_volatile
                    && Self::same_type(&a.pointee, &b.pointee)
            }
            (Type::Vector(a), Type::Vector(b)) => a.elem == b.elem && a.lanes == b.lanes,
            _ => a == b,
        }
    }

    /// A value converted to a condition.
    pub(super) fn condition(&mut self, cond: &ast::Expr) -> Checks<Expr> {
        let num_temporaries = self.body.temporaries.len();
        let value = self.value(cond)?;
        let value = self.to_condition(value)?;
        // Temporary objects in an operand of `&&` live until the end of the full expression.
        Ok(if num_temporaries == 0 {
            self.end_full_expression(value)
        } else {
            value
        })
    }

    #[expect(
        clippy::wrong_self_convention,
        reason = "the parameter is converted, not the checker"
    )]
    pub(super) fn to_condition(&mut self, value: Expr) -> Checks<Expr> {
        if is_arithmetic(&value.ty) {
            return Ok(converted(value, &Type::Bool));
        }
        if matches!(value.ty, Type::Pointer(_)) {
            let (ty, span) = (value.ty.clone(), value.span);
            let null = constant(Const::Int(0), ty, span);
            return Ok(compare(CompareOp::Ne, value, null, span));
        }
        if let Some(converted) = self.converted_by_function(value.clone(), &Type::Bool, true) {
            let converted = converted?;
            return self.to_condition(converted);
        }
        let message = format!(
            "A value of type `{}` cannot be converted to `bool` for a condition.",
            self.text(&value.ty)
        );
        let diagnostic = crate::diagnostic::Diagnostic::error(value.span, message);
        self.report(match super::scoped_enums::remedy(&value.ty) {
            Some(_) => diagnostic.note("Compare the value with an enumerator."),
            None => diagnostic,
        })
    }

    /// An explicit conversion.
    pub(super) fn cast(&mut self, value: Expr, to: &Type, span: Span) -> Checks<Expr> {
        if *to == Type::Void {
            return Ok(expr(ExprKind::Convert(Box::new(value)), Type::Void, span));
        }
        if let Some(value) = self.cast_of_scoped_enum(&value, to) {
            return Ok(Expr { span, ..value });
        }
        let has_way =
            value.ty == *to || self.derives(&value.ty, to) || self.conversion_cost(&value, to).is_some();
        if !has_way && self.has_constructor(to) {
            // A cast also calls explicit constructors.
            let args = [Arg::Operand(Operand::Value(value.clone()), value.clone())];
            if let Some(made) = self.constructor_call(to, &args, span) {
                return made;
            }
        }
        if !has_way && let Some(converted) = self.converted_by_function(value.clone(), to, true) {
            let converted = converted?;
            return Ok(self.retyped(converted, to));
        }
        if value.ty.is_aggregate() && value.ty != *to && !matches!(value.ty, Type::Vector(_)) {
            return self.implicit(value, to, "here");
        }
        let numbers = is_arithmetic(&value.ty) && is_arithmetic(to);
        let allowed = numbers
            || match (&value.ty, to) {
                (Type::Pointer(_), Type::Pointer(_) | Type::Bool) => true,
                (Type::Pointer(_), _) => to.is_integer(),
                (_, Type::Pointer(_)) => value.ty.is_integer(),
                (a, b) => a == b || self.conversion_cost(&value, b).is_some(),
            };
        if !allowed {
            let message = format!(
                "A value of type `{}` cannot be converted to `{}`.",
                self.text(&value.ty),
                self.text(to)
            );
            return self.error(span, message);
        }
        if matches!(value.ty, Type::Pointer(_)) && *to == Type::Bool {
            return self.to_condition(value);
        }
        let mut out = self.retyped(value, to);
        out.span = span;
        Ok(out)
    }

    /// `lhs op rhs` on two operands.
    pub(super) fn infix(
        &mut self,
        op: ast::InfixOp,
        lhs: &ast::Expr,
        rhs: &ast::Expr,
        span: Span,
    ) -> Checks<Operand> {
        if let ast::InfixOp::Logical(op) = op {
            let lhs = self.condition(lhs);
            let num_temporaries = self.body.temporaries.len();
            let rhs = self.condition(rhs);
            self.check_temporaries(num_temporaries, span)?;
            return Ok(Operand::Value(logical(op, lhs?, rhs?, span)));
        }
        if op == ast::InfixOp::Comma {
            let (lhs, rhs) = (self.operand(lhs), self.operand(rhs));
            let (lhs, rhs) = (lhs?, rhs?);
            let Some(first) = dropped(lhs) else {
                return Ok(rhs);
            };
            let is_const = const_of_place(&rhs);
            let rhs = self.rvalue(rhs)?;
            return Ok(with_place(is_const, comma(first, rhs, span)));
        }
        let (lhs, rhs) = (self.operand(lhs), self.operand(rhs));
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
            if let Some(remedy) =
                super::scoped_enums::remedy(&lhs.ty).or_else(|| super::scoped_enums::remedy(&rhs.ty))
            {
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

    /// The size of the pointee in bytes, for pointer arithmetic.
    pub(super) fn element_size(&mut self, pointer: &Expr) -> Checks<u32> {
        let Type::Pointer(ty) = &pointer.ty else {
            return Ok(1);
        };
        match self.size_of(&ty.pointee) {
            0 => self.error(
                pointer.span,
                "This expression must be a pointer to a complete object type, not to `void` or an incomplete type.",
            ),
            size => Ok(u32::try_from(size).unwrap_or(u32::MAX)),
        }
    }

    pub(super) fn pointer_add(&mut self, ptr: Expr, index: Expr, span: Span) -> Checks<Expr> {
        let elem_size = self.element_size(&ptr)?;
        let index_ty = promoted(&index.ty);
        let index = converted(index, &index_ty);
        let ty = ptr.ty.clone();
        if as_const(&index) == Some(Const::Int(0)) {
            return Ok(Expr { span, ..ptr });
        }
        Ok(expr(
            ExprKind::PtrAdd {
                ptr: Box::new(ptr),
                index: Box::new(index),
                elem_size,
            },
            ty,
            span,
        ))
    }

    fn pointer_difference(&mut self, lhs: Expr, rhs: Expr, span: Span) -> Checks<Expr> {
        let same = match (&lhs.ty, &rhs.ty) {
            (Type::Pointer(a), Type::Pointer(b)) => Self::same_type(&a.pointee, &b.pointee),
            _ => false,
        };
        if !same {
            let (a, b) = (self.text(&lhs.ty), self.text(&rhs.ty));
            return self.error(
                span,
                format!("Pointers of different types cannot be subtracted: `{a}` and `{b}`."),
            );
        }
        let elem_size = self.element_size(&lhs)?;
        let difference = |elem_size| {
            let (lhs, rhs) = (Box::new(lhs), Box::new(rhs));
            let kind = ExprKind::PtrDiff { lhs, rhs, elem_size };
            expr(kind, Type::I64, span)
        };
        if elem_size.is_power_of_two() {
            return Ok(difference(elem_size));
        }
        // The distance is a multiple of the size. A shift by the even part of the size, and a product with the
        // inverse of its odd part (modulo the word size), divide the distance exactly.
        let ty = match pointer_bytes(self.capability, &self.options) {
            4 => Type::I32,
            _ => Type::I64,
        };
        let shift = elem_size.trailing_zeros();
        let inverse = inverse_of_odd(elem_size >> shift);
        let bytes = converted(difference(1), &ty);
        let shifted = match shift {
            0 => bytes,
            _ => binary(
                BinaryOp::Shr,
                bytes,
                int(shift.into(), Type::I32, span),
                ty.clone(),
                span,
            ),
        };
        let count = binary(
            BinaryOp::Mul,
            shifted,
            int(inverse.into(), ty.clone(), span),
            ty,
            span,
        );
        Ok(converted(count, &Type::I64))
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
            let remedy = super::scoped_enums::remedy(a).or_else(|| super::scoped_enums::remedy(b));
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

    /// The pointee of a pointer.
    pub(super) fn dereferenced(&mut self, pointer: Expr, span: Span) -> Checks<Lvalue> {
        let Type::Pointer(ty) = &pointer.ty else {
            let (ty, text) = (self.text(&pointer.ty), self.source_text(span));
            let rest = self.source.get(span.end as usize..).unwrap_or_default();
            let message = if rest.trim_start().starts_with("->") && !text.starts_with('*') {
                format!("`->` needs a pointer, and this is a `{ty}`; write `.`.")
            } else {
                format!("`*` needs a pointer; this is `{ty}`.")
            };
            return self.error(span, message);
        };
        if ty.pointee == Type::Void {
            let message = "A `void *` cannot be dereferenced; convert it first, as in `*(int *)p`.";
            return self.error(span, message);
        }
        let is_const = ty.is_const;
        let mut place = deref(pointer, false);
        place.span = span;
        Ok(Lvalue {
            place,
            is_const,
            constant: None,
            expires: false,
        })
    }

    /// The address of a place.
    pub(super) fn address_of(&mut self, lvalue: Lvalue, span: Span) -> Expr {
        self.take_address(&lvalue.place);
        let ty = Type::Pointer(Box::new(crate::hir::Pointer {
            pointee: lvalue.place.ty.clone(),
            is_const: lvalue.is_const,
            is_volatile: lvalue.place.is_volatile,
            restrict: false,
        }));
        // `&*p` is `p`.
        if let crate::hir::PlaceKind::Deref(pointer) = lvalue.place.kind {
            return Expr { ty, span, ..*pointer };
        }
        expr(ExprKind::AddressOf(Box::new(lvalue.place)), ty, span)
    }

    /// `place op= value`.
    pub(super) fn compound(
        &mut self,
        op: BinaryOp,
        lhs: &ast::Expr,
        rhs: &ast::Expr,
        span: Span,
    ) -> Checks<Operand> {
        if let Some(bits) = self.bits_to_write(lhs)? {
            let value = self.operand(rhs)?;
            let value = self.scalar_operand(value)?;
            let value = self.promoted_value(value)?;
            return self
                .change_bits(op, &bits, value, false, span)
                .map(Operand::Value);
        }
        let (place, value) = (self.lvalue_to_write(lhs), self.operand(rhs));
        let (place, value) = (place?, value?);
        if place.ty.has_operators() {
            let text = infix_text(ast::InfixOp::Arithmetic(op));
            let target = Lvalue {
                place: place.clone(),
                is_const: false,
                constant: None,
                expires: false,
            };
            if let Some(result) = self.try_overloaded(
                &format!("operator{text}="),
                vec![Operand::Place(target.clone()), value.clone()],
                span,
            ) {
                return result;
            }
            // Without a user-defined operator: place = place op value.
            let result = self.overloaded(text, vec![Operand::Place(target), value], span)?;
            let result = self.rvalue(result)?;
            let result = self.implicit(result, &place.ty, "here")?;
            return Ok(with_place(Some(false), assign(place, result, span)));
        }
        let value = self.scalar_operand(value)?;
        let value = self.promoted_value(value)?;
        let changed = self.compound_value(op, place, value, span)?;
        Ok(with_place(Some(false), changed))
    }

    fn compound_value(&mut self, op: BinaryOp, place: Place, value: Expr, span: Span) -> Checks<Expr> {
        if let Type::Pointer(_) = place.ty {
            let counts = matches!(op, BinaryOp::Add | BinaryOp::Sub) && value.ty.is_integer();
            if !counts {
                let message = format!(
                    "A pointer can only be offset by an integer, not by `{}`.",
                    self.text(&value.ty)
                );
                return self.error(span, message);
            }
            let elem_size = self.element_size(&load(place.clone()))?;
            let ty = promoted(&value.ty);
            let value = converted(value, &ty);
            let index = if op == BinaryOp::Sub {
                negated_index(value)
            } else {
                value
            };
            let ty = place.ty.clone();
            let kind = ExprKind::PtrAssign {
                place: Box::new(place),
                index: Box::new(index),
                elem_size,
            };
            return Ok(expr(kind, ty, span));
        }
        // The other operand is converted to half.
        let value = match place.ty {
            ref half if half.is_half() && is_arithmetic(&value.ty) => converted(value, half),
            _ => value,
        };
        // Checks the types, as `place op value` does.
        let probe = self.arithmetic(op, load(place.clone()), value.clone(), span)?;
        let compute = probe.ty;
        let of_halves = compute.is_half() && op == BinaryOp::Div;
        let division = self.wide_division(op, &compute, &value);
        if let Some(name) = division.or(of_halves.then_some(HALF_DIVISION)) {
            return self.compound_division(name, place, value, &compute, span);
        }
        let value = match op {
            BinaryOp::Shl | BinaryOp::Shr => {
                let ty = promoted(&value.ty);
                converted(value, &ty)
            }
            _ => converted(value, &compute),
        };
        let ty = place.ty.clone();
        let kind = ExprKind::CompoundAssign {
            place: Box::new(place),
            op,
            compute,
            value: Box::new(value),
        };
        Ok(expr(kind, ty, span))
    }

    /// `place /= value` on 64 bits: the address of the place is kept while the quotient is computed.
    fn compound_division(
        &mut self,
        name: &'static str,
        place: crate::hir::Place,
        value: Expr,
        compute: &Type,
        span: Span,
    ) -> Checks<Expr> {
        let value = converted(value, compute);
        let is_variable = matches!(place.kind, crate::hir::PlaceKind::Local(_));
        if is_variable {
            let old = converted(load(place.clone()), compute);
            let quotient = self.call_prelude(name, vec![old, value], span)?;
            let quotient = converted(quotient, &place.ty);
            return Ok(assign(place, quotient, span));
        }
        let lvalue = Lvalue {
            place,
            is_const: false,
            constant: None,
            expires: false,
        };
        let address = self.address_of(lvalue, span);
        let kept = self.temporary(address.ty.clone(), span);
        let keep = assign(self.local_place(kept, span), address, span);
        let target = deref(load(self.local_place(kept, span)), false);
        let old = converted(load(target.clone()), compute);
        let quotient = self.call_prelude(name, vec![old, value], span)?;
        let quotient = converted(quotient, &target.ty);
        let store = assign(target, quotient, span);
        let ty = store.ty.clone();
        let kind = ExprKind::Comma {
            first: Box::new(keep),
            second: Box::new(store),
        };
        Ok(expr(kind, ty, span))
    }

    /// `++` and `--`.
    pub(super) fn inc_dec(&mut self, place: Place, delta: i64, postfix: bool, span: Span) -> Checks<Expr> {
        let ty = place.ty.clone();
        let delta = match &ty {
            Type::Pointer(_) => delta * i64::from(self.element_size(&load(place.clone()))?),
            _ if ty.is_integer() || ty.is_float() => delta,
            _ => {
                let message = format!(
                    "No operator `++` or `--` matches the operand type `{}`.",
                    self.text(&ty)
                );
                return self.error(span, message);
            }
        };
        let kind = ExprKind::IncDec {
            place: Box::new(place),
            delta,
            postfix,
        };
        Ok(expr(kind, ty, span))
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
        Some(is_const) if super::lvalues::has_place(&value) => Operand::Computed { value, is_const },
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

pub(super) fn comma(first: Expr, second: Expr, span: Span) -> Expr {
    let ty = second.ty.clone();
    let kind = ExprKind::Comma {
        first: Box::new(first),
        second: Box::new(second),
    };
    expr(kind, ty, span)
}

/// The type of an operand.
pub(super) const fn operand_type(operand: &Operand) -> &Type {
    match operand {
        Operand::Value(value) | Operand::Computed { value, .. } => &value.ty,
        Operand::Bits(bits) => bits.ty(),
        Operand::Place(lvalue) => &lvalue.place.ty,
    }
}

pub(super) fn assign(place: crate::hir::Place, value: Expr, span: Span) -> Expr {
    let ty = place.ty.clone();
    let kind = ExprKind::Assign {
        place: Box::new(place),
        value: Box::new(value),
    };
    expr(kind, ty, span)
}

pub(super) fn binary(op: BinaryOp, lhs: Expr, rhs: Expr, ty: Type, span: Span) -> Expr {
    let kind = ExprKind::Binary {
        op,
        lhs: Box::new(lhs),
        rhs: Box::new(rhs),
    };
    fold(expr(kind, ty, span))
}

pub(super) fn compare(op: CompareOp, lhs: Expr, rhs: Expr, span: Span) -> Expr {
    let kind = ExprKind::Compare {
        op,
        lhs: Box::new(lhs),
        rhs: Box::new(rhs),
    };
    fold(expr(kind, Type::Bool, span))
}

fn logical(op: LogicalOp, lhs: Expr, rhs: Expr, span: Span) -> Expr {
    let kind = ExprKind::Logical {
        op,
        lhs: Box::new(lhs),
        rhs: Box::new(rhs),
    };
    fold(expr(kind, Type::Bool, span))
}

fn not(cond: Expr, span: Span) -> Expr {
    let kind = ExprKind::Unary {
        op: UnaryOp::Not,
        operand: Box::new(cond),
    };
    fold(expr(kind, Type::Bool, span))
}

/// The multiplicative inverse of an odd number modulo 2^64.
fn inverse_of_odd(odd: u32) -> u64 {
    let odd = u64::from(odd);
    // Correct in 3 bits; each step doubles the number of correct bits.
    (0..5).fold(odd, |inverse, _| {
        inverse.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(inverse)))
    })
}

/// A negated index; unsigned indices are widened first so that they do not wrap.
fn negated_index(index: Expr) -> Expr {
    let ty = match promoted(&index.ty) {
        Type::I32 => Type::I32,
        _ => Type::I64,
    };
    let span = join(index.span, index.span);
    let index = converted(index, &ty);
    if let Some(Const::Int(value)) = as_const(&index) {
        return int(-value, ty, span);
    }
    let kind = ExprKind::Unary {
        op: UnaryOp::Neg,
        operand: Box::new(index),
    };
    expr(kind, ty, span)
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
