//! Operations and assignments as expressions of HIR.

use super::*;
use crate::hir::{Stmt, StmtKind};

pub(in crate::check) fn comma(first: Expr, second: Expr, span: Span) -> Expr {
    let ty = second.ty.clone();
    let kind = ExprKind::Comma {
        first: Box::new(first),
        second: Box::new(second),
    };
    expr(kind, ty, span)
}

pub(in crate::check) fn assign(place: crate::hir::Place, value: Expr, span: Span) -> Expr {
    let ty = place.ty.clone();
    let kind = ExprKind::Assign {
        place: Box::new(place),
        value: Box::new(value),
    };
    expr(kind, ty, span)
}

pub(in crate::check) fn binary(op: BinaryOp, lhs: Expr, rhs: Expr, ty: Type, span: Span) -> Expr {
    let kind = ExprKind::Binary {
        op,
        lhs: Box::new(lhs),
        rhs: Box::new(rhs),
    };
    fold(expr(kind, ty, span))
}

pub(in crate::check) fn compare(op: CompareOp, lhs: Expr, rhs: Expr, span: Span) -> Expr {
    let kind = ExprKind::Compare {
        op,
        lhs: Box::new(lhs),
        rhs: Box::new(rhs),
    };
    fold(expr(kind, Type::Bool, span))
}

pub(super) fn logical(op: LogicalOp, lhs: Expr, rhs: Expr, span: Span) -> Expr {
    let kind = ExprKind::Logical {
        op,
        lhs: Box::new(lhs),
        rhs: Box::new(rhs),
    };
    fold(expr(kind, Type::Bool, span))
}

pub(super) fn not(cond: Expr, span: Span) -> Expr {
    let kind = ExprKind::Unary {
        op: UnaryOp::Not,
        operand: Box::new(cond),
    };
    fold(expr(kind, Type::Bool, span))
}

/// `if (cond) return call;`
pub(in crate::check) fn return_if(cond: Expr, call: Expr, ret: &Type, span: Span) -> Stmt {
    let stmt = |kind| Stmt { kind, span };
    let then = if *ret == Type::Void {
        let call = stmt(StmtKind::Expr(call));
        stmt(StmtKind::Block(vec![call, stmt(StmtKind::Return(None))]))
    } else {
        stmt(StmtKind::Return(Some(call)))
    };
    stmt(StmtKind::If {
        cond,
        then: Box::new(then),
        otherwise: None,
    })
}
