//! Conversions: implicit, by cast, to conditions, and the usual arithmetic conversions.

use super::*;

/// Whether the type is a number or `bool`.
pub(in crate::check) const fn is_arithmetic(ty: &Type) -> bool {
    matches!(ty, Type::Bool) || ty.is_integer() || ty.is_float()
}

/// Integer promotion: small integers and `bool` become `int`.
pub(in crate::check) const fn promoted(ty: &Type) -> Type {
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
pub(in crate::check) fn common(a: &Type, b: &Type) -> Type {
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
pub(in crate::check) fn converted(value: Expr, to: &Type) -> Expr {
    if value.ty == *to {
        return value;
    }
    let span = value.span;
    fold(expr(ExprKind::Convert(Box::new(value)), to.clone(), span))
}

/// Whether a value is a null pointer constant: `nullptr`, or a zero integer.
pub(super) fn is_null(value: &Expr) -> bool {
    let can_be = match &value.ty {
        Type::Pointer(pointer) => pointer.pointee == Type::Void,
        ty => ty.is_integer(),
    };
    can_be && as_const(value) == Some(Const::Int(0))
}

impl Checker {
    /// An implicit conversion to another type. `context` is the end of the diagnostic: "as an argument of f".
    pub(in crate::check) fn implicit(&mut self, value: Expr, to: &Type, context: &str) -> Checks<Expr> {
        if self.is_address_of_function(&value.ty, to) {
            return self.function_address(&value, to);
        }
        // A copy of a base subobject has priority over conversion functions.
        if self.derives(&value.ty, to) {
            if matches!(to, Type::Struct(id) if self.is_polymorphic(*id)) {
                return self.unsupported(value.span, "Copies of a base of an object with virtual functions");
            }
            return Ok(self.base_of(value, to));
        }
        // The value of a base `float3`, in an initializer.
        if matches!(value.ty, Type::Vector(_))
            && let Type::Struct(id) = to
            && self.known_vector_base(&value.ty) == Some(*id)
        {
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
        if let Some(remedy) = scoped_enums::remedy(&value.ty) {
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
        load(deref(address, false))
    }

    /// The value reinterpreted as the other type, if that is allowed.
    pub(super) fn retyped(&self, mut value: Expr, to: &Type) -> Expr {
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
    pub(in crate::check) fn conversion_cost(&self, value: &Expr, to: &Type) -> Option<u32> {
        let from = &value.ty;
        if from == to {
            return Some(0);
        }
        if is_arithmetic(from) && is_arithmetic(to) {
            let promotion = promoted(from) == *to
                || (*from == Type::F32 && *to == Type::F64)
                || (matches!(from, Type::F16 | Type::Bf16) && *to == Type::F32);
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
            (Type::Struct(_), Type::Struct(_) | Type::Vector(_)) if self.derives(from, to) => Some(3),
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
    pub(in crate::check) fn is_constant_memory(&self, place: &Place) -> bool {
        match &place.kind {
            PlaceKind::Global(id) => self.constant_memory.contains(&id.0),
            PlaceKind::Field { base, .. } => self.is_constant_memory(base),
            PlaceKind::Deref(pointer) => self.may_lose_const(pointer),
            PlaceKind::Local(_) => false,
        }
    }

    /// Whether memory of one type can be accessed as another type, apart from pointer qualifiers.
    pub(super) fn same_type(a: &Type, b: &Type) -> bool {
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
    pub(in crate::check) fn condition(&mut self, cond: &ast::Expr) -> Checks<Expr> {
        let num_temporaries = self.body.temporaries.len();
        let operand = self.operand(cond)?;
        self.condition_of(operand, num_temporaries)
    }

    /// An operand as a condition. `num_temporaries` is the number of temporaries before it.
    pub(super) fn condition_of(&mut self, operand: Operand, num_temporaries: usize) -> Checks<Expr> {
        let value = self.rvalue(operand)?;
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
    pub(in crate::check) fn to_condition(&mut self, value: Expr) -> Checks<Expr> {
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
        self.report(match scoped_enums::remedy(&value.ty) {
            Some(_) => diagnostic.note("Compare the value with an enumerator."),
            None => diagnostic,
        })
    }

    /// An explicit conversion.
    pub(in crate::check) fn cast(&mut self, value: Expr, to: &Type, span: Span) -> Checks<Expr> {
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
}
