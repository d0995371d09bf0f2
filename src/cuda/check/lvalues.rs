//! Lvalues that operators return. `++i`, `a += b`, `a = b`, `c ? a : b`, and `(a, b)` are values for most uses. They
//! are lvalues where their address is taken or where they are modified.

use super::names::{deref, load};
use super::ops::{assign, comma};
use super::{Checker, Lvalue, Operand, expr};
use crate::hir::{Expr, ExprKind, Place, PlaceKind, Pointer, Storage, Type};
use engine::ids::Span;

impl Checker {
    /// An lvalue operand as its place.
    pub(super) fn designated(&mut self, operand: Operand) -> Operand {
        match operand {
            Operand::Computed { value, is_const } => Operand::Place(Lvalue {
                place: self.place_of(value, is_const),
                is_const,
                constant: None,
                expires: false,
            }),
            operand => operand,
        }
    }

    /// The place that a [`Operand::Computed`] value was loaded from, or stored to.
    fn place_of(&mut self, value: Expr, is_const: bool) -> Place {
        let span = value.span;
        match value.kind {
            ExprKind::Load(place) => *place,
            ExprKind::Extract { base, field } => {
                let base = self.place_of(*base, is_const);
                let offset = self
                    .fields(&base.ty)
                    .get(field as usize)
                    .map_or(0, |field| field.2);
                Place {
                    is_volatile: base.is_volatile,
                    kind: PlaceKind::Field {
                        base: Box::new(base),
                        field,
                        offset,
                    },
                    ty: value.ty,
                    span,
                }
            }
            ExprKind::Comma { first, second } => {
                let place = self.place_of(*second, is_const);
                let address = self.address(place, is_const, span);
                deref(comma(*first, address, span), false)
            }
            ExprKind::Conditional {
                cond,
                then,
                otherwise,
            } => {
                let (then, otherwise) = (
                    self.place_of(*then, is_const),
                    self.place_of(*otherwise, is_const),
                );
                let ty = Type::Pointer(Box::new(Pointer {
                    pointee: value.ty,
                    is_const,
                    is_volatile: then.is_volatile || otherwise.is_volatile,
                    restrict: false,
                }));
                let (mut then, mut otherwise) = (
                    self.address(then, is_const, span),
                    self.address(otherwise, is_const, span),
                );
                then.ty = ty.clone();
                otherwise.ty = ty.clone();
                let kind = ExprKind::Conditional {
                    cond,
                    then: Box::new(then),
                    otherwise: Box::new(otherwise),
                };
                deref(expr(kind, ty, span), false)
            }
            kind => self.changed_place(Expr { kind, ..value }),
        }
    }

    /// The modified place of an assignment, after the assignment.
    fn changed_place(&mut self, mut change: Expr) -> Place {
        let span = change.span;
        let (ExprKind::Assign { place, .. }
        | ExprKind::CompoundAssign { place, .. }
        | ExprKind::PtrAssign { place, .. }
        | ExprKind::IncDec { place, .. }) = &mut change.kind
        else {
            debug_assert!(false, "only an operator that changes a place gives one");
            let kept = self.temporary(change.ty.clone(), span);
            return self.local_place(kept, span);
        };
        if is_variable(place) {
            let place = (**place).clone();
            let address = self.address(place, false, span);
            return deref(comma(change, address, span), false);
        }
        // The address must not be computed twice, because its operands can change in between.
        let address = self.address((**place).clone(), false, span);
        let kept = self.temporary(address.ty.clone(), span);
        let kept = self.local_place(kept, span);
        **place = deref(load(kept.clone()), false);
        let keep = assign(kept.clone(), address, span);
        deref(comma(keep, comma(change, load(kept), span), span), false)
    }

    /// A temporary place that holds a value.
    pub(super) fn stored_in_temporary(&mut self, value: Expr) -> Lvalue {
        let span = value.span;
        let kept = self.temporary(value.ty.clone(), span);
        let kept = self.local_place(kept, span);
        self.ends_with_expression(&value, &kept);
        let keep = assign(kept.clone(), value, span);
        let address = self.address(kept, true, span);
        Lvalue {
            place: deref(comma(keep, address, span), false),
            is_const: true,
            constant: None,
            expires: false,
        }
    }

    fn address(&mut self, place: Place, is_const: bool, span: Span) -> Expr {
        let lvalue = Lvalue {
            place,
            is_const,
            constant: None,
            expires: false,
        };
        self.address_of(lvalue, span)
    }

    /// Warns about a function that returns a reference to its own variable.
    pub(super) fn warn_dangling(&mut self, address: &Expr, span: Span) {
        let mut place = match &address.kind {
            ExprKind::AddressOf(place) => place,
            ExprKind::Comma { second, .. } => return self.warn_dangling(second, span),
            _ => return,
        };
        while let PlaceKind::Field { base, .. } = &place.kind {
            place = base;
        }
        let PlaceKind::Local(id) = place.kind else {
            return;
        };
        let local = &self.body.locals[id.0 as usize];
        if local.storage != Storage::Automatic {
            return;
        }
        let what = match local.name.as_str() {
            "" => "a temporary value".to_owned(),
            name => format!("the local variable `{name}`"),
        };
        self.warn(
            span,
            format!("This return gives a reference to {what}, whose lifetime ends with the function; return a value."),
        );
    }
}

/// Whether [`Checker::designated`] can find the place of a value again.
pub(super) fn has_place(value: &Expr) -> bool {
    match &value.kind {
        ExprKind::Load(place) => place.ty == value.ty,
        ExprKind::Extract { base, .. } => has_place(base),
        ExprKind::Comma { second, .. } => second.ty == value.ty && has_place(second),
        ExprKind::Conditional { then, otherwise, .. } => has_place(then) && has_place(otherwise),
        ExprKind::Assign { place, .. }
        | ExprKind::CompoundAssign { place, .. }
        | ExprKind::PtrAssign { place, .. }
        | ExprKind::IncDec {
            place,
            postfix: false,
            ..
        } => place.ty == value.ty,
        _ => false,
    }
}

/// Whether a place is a variable or a part of a variable, whose address is constant.
fn is_variable(place: &Place) -> bool {
    match &place.kind {
        PlaceKind::Local(_) | PlaceKind::Global(_) => true,
        PlaceKind::Field { base, .. } => is_variable(base),
        PlaceKind::Deref(_) => false,
    }
}
