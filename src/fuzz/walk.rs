//! Visitors of the parts of a program.

use super::tree::{Arg, Expr, Function, Place, Stmt};

/// Visits the expressions in an lvalue.
fn place_exprs(place: &mut Place, visit: &mut dyn FnMut(&mut Expr)) {
    if let Place::Elem(_, e) | Place::Own(e) = place {
        each_expr(e, visit);
    }
}

/// Visits an expression, then the parts of the possibly changed expression.
pub(crate) fn each_expr(expr: &mut Expr, visit: &mut dyn FnMut(&mut Expr)) {
    visit(expr);
    match expr {
        Expr::Const(..) | Expr::Builtin(_) => {}
        Expr::Place(place) | Expr::Step { place, .. } => place_exprs(place, visit),
        Expr::Input(e) | Expr::Unary(_, e) | Expr::Cast(_, e) => each_expr(e, visit),
        Expr::Binary(_, l, r) | Expr::Compare(_, l, r) | Expr::Logical(_, l, r) | Expr::Comma(l, r) => {
            each_expr(l, visit);
            each_expr(r, visit);
        }
        Expr::Cond(c, l, r) => {
            each_expr(c, visit);
            each_expr(l, visit);
            each_expr(r, visit);
        }
        Expr::Assign(place, e) => {
            place_exprs(place, visit);
            each_expr(e, visit);
        }
        Expr::Call(_, args) => {
            for arg in args {
                match arg {
                    Arg::Value(e) => each_expr(e, visit),
                    Arg::Address(place) | Arg::Reference(place) => place_exprs(place, visit),
                    Arg::Struct(_) | Arg::Depth(_) => {}
                }
            }
        }
    }
}

/// Visits the lists of statements directly in a statement.
pub(crate) fn lists_of(stmt: &mut Stmt, visit: &mut dyn FnMut(&mut Vec<Stmt>)) {
    match stmt {
        Stmt::If(_, then, otherwise) => {
            visit(then);
            if let Some(otherwise) = otherwise {
                visit(otherwise);
            }
        }
        Stmt::Switch(_, arms) => arms.iter_mut().for_each(|(_, body)| visit(body)),
        Stmt::Loop { body, .. }
        | Stmt::Block(body)
        | Stmt::Once(body)
        | Stmt::Leave(_, body)
        | Stmt::Again { body, .. }
        | Stmt::Counters { body, .. } => visit(body),
        Stmt::Exchange {
            before: first,
            after: second,
            ..
        }
        | Stmt::Enter { first, second, .. } => {
            visit(first);
            visit(second);
        }
        _ => {}
    }
}

/// Visits a list of statements, then the lists in the possibly changed list.
pub(crate) fn each_list(stmts: &mut Vec<Stmt>, visit: &mut dyn FnMut(&mut Vec<Stmt>)) {
    visit(stmts);
    for stmt in stmts {
        lists_of(stmt, &mut |list| each_list(list, visit));
    }
}

/// Visits every statement.
pub(crate) fn each_stmt(stmts: &mut Vec<Stmt>, visit: &mut dyn FnMut(&mut Stmt)) {
    each_list(stmts, &mut |list| list.iter_mut().for_each(&mut *visit));
}

/// Visits the expressions directly in a statement, and their parts.
pub(crate) fn exprs_of(stmt: &mut Stmt, visit: &mut dyn FnMut(&mut Expr)) {
    match stmt {
        Stmt::Declare(_, Some(e)) | Stmt::Expr(e) | Stmt::If(e, ..) | Stmt::Return(Some(e)) => {
            each_expr(e, visit);
        }
        Stmt::Assign(place, _, e) => {
            place_exprs(place, visit);
            each_expr(e, visit);
        }
        Stmt::Loop { cond, .. } => each_expr(cond, visit),
        Stmt::Enter { entry, cond, .. } => {
            each_expr(entry, visit);
            each_expr(cond, visit);
        }
        Stmt::Switch(e, _) => each_expr(e, visit),
        Stmt::Atomic(_, l, r) | Stmt::SharedAtomic(_, l, r) => {
            each_expr(l, visit);
            each_expr(r, visit);
        }
        Stmt::Exchange {
            value, place, from, ..
        } => {
            each_expr(value, visit);
            place_exprs(place, visit);
            each_expr(from, visit);
        }
        Stmt::Counters { place, from, .. } => {
            place_exprs(place, visit);
            each_expr(from, visit);
        }
        Stmt::Warp {
            place, value, lane, ..
        } => {
            place_exprs(place, visit);
            each_expr(value, visit);
            each_expr(lane, visit);
        }
        _ => {}
    }
}

/// Returns the lvalue that a statement assigns directly.
pub(crate) const fn place_of(stmt: &Stmt) -> Option<&Place> {
    match stmt {
        Stmt::Assign(place, ..)
        | Stmt::Exchange { place, .. }
        | Stmt::Counters { place, .. }
        | Stmt::Warp { place, .. } => Some(place),
        _ => None,
    }
}

/// Visits every expression of a function.
pub(crate) fn all_exprs(function: &mut Function, visit: &mut dyn FnMut(&mut Expr)) {
    each_stmt(&mut function.body, &mut |stmt| exprs_of(stmt, visit));
    if let Some(result) = &mut function.result {
        each_expr(result, visit);
    }
}
