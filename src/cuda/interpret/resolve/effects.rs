//! Determines which expressions write variables.

use crate::hir::{self, ExprKind, PlaceKind};

/// The variable that contains a place.
pub(super) fn root(place: &hir::Place) -> Option<u32> {
    match &place.kind {
        PlaceKind::Local(id) => Some(id.0),
        PlaceKind::Field { base, .. } => root(base),
        _ => None,
    }
}

/// Whether an expression writes variables of its function.
pub(super) fn writes(expr: &hir::Expr) -> bool {
    match &expr.kind {
        ExprKind::Assign { .. }
        | ExprKind::CompoundAssign { .. }
        | ExprKind::PtrAssign { .. }
        | ExprKind::IncDec { .. } => true,
        ExprKind::Const(_) => false,
        ExprKind::Load(place) | ExprKind::AddressOf(place) => place_writes(place),
        ExprKind::Unary { operand, .. } => writes(operand),
        ExprKind::Binary { lhs, rhs, .. }
        | ExprKind::Compare { lhs, rhs, .. }
        | ExprKind::Logical { lhs, rhs, .. }
        | ExprKind::PtrDiff { lhs, rhs, .. }
        | ExprKind::PtrAdd {
            ptr: lhs, index: rhs, ..
        }
        | ExprKind::Comma {
            first: lhs,
            second: rhs,
        } => writes(lhs) || writes(rhs),
        ExprKind::Conditional {
            cond,
            then,
            otherwise,
        } => writes(cond) || writes(then) || writes(otherwise),
        ExprKind::Convert(inner) | ExprKind::Bitcast(inner) | ExprKind::Extract { base: inner, .. } => {
            writes(inner)
        }
        ExprKind::Call { args, .. } | ExprKind::Builtin { args, .. } | ExprKind::Aggregate(args) => {
            args.iter().any(writes)
        }
    }
}

fn place_writes(place: &hir::Place) -> bool {
    match &place.kind {
        PlaceKind::Deref(pointer) => writes(pointer),
        PlaceKind::Field { base, .. } => place_writes(base),
        _ => false,
    }
}
