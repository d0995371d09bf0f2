//! Pointer arithmetic, dereference, and addresses.

use super::*;

impl Checker {
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

    pub(in crate::check) fn pointer_add(&mut self, ptr: Expr, index: Expr, span: Span) -> Checks<Expr> {
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

    pub(super) fn pointer_difference(&mut self, lhs: Expr, rhs: Expr, span: Span) -> Checks<Expr> {
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
        // `ptrdiff_t` has 32 bits with -m32.
        let own = if self.options.pointers_32_bit {
            Type::I32
        } else {
            Type::I64
        };
        if elem_size.is_power_of_two() {
            return Ok(converted(difference(elem_size), &own));
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
        Ok(converted(count, &own))
    }

    /// The pointee of a pointer.
    pub(in crate::check) fn dereferenced(&mut self, pointer: Expr, span: Span) -> Checks<Lvalue> {
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
    pub(in crate::check) fn address_of(&mut self, lvalue: Lvalue, span: Span) -> Expr {
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
pub(super) fn negated_index(index: Expr) -> Expr {
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
