//! Compound assignments, increments, and decrements.

use super::*;

impl Checker {
    /// `place op= value`.
    pub(in crate::check) fn compound(
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
    pub(in crate::check) fn inc_dec(
        &mut self,
        place: Place,
        delta: i64,
        postfix: bool,
        span: Span,
    ) -> Checks<Expr> {
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
}
