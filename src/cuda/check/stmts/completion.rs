//! Whether control can reach the end of a statement.

use super::*;

/// Whether control can reach the end of these statements.
pub(in crate::check) fn falls_through(stmts: &[Stmt]) -> bool {
    completes_all(stmts, true)
}

/// Whether control can reach the end of statements, if `reached` says whether it reaches their start.
fn completes_all(stmts: &[Stmt], reached: bool) -> bool {
    stmts
        .iter()
        .fold(reached, |reached, stmt| completes(stmt, reached))
}

fn completes(stmt: &Stmt, reached: bool) -> bool {
    // A label is reachable even inside unreachable statements.
    if !reached && !has_label(stmt) {
        return false;
    }
    match &stmt.kind {
        StmtKind::Label(_) => true,
        StmtKind::Return(_) | StmtKind::Break | StmtKind::Continue | StmtKind::Goto(_) => false,
        StmtKind::Block(stmts) => completes_all(stmts, reached),
        StmtKind::If { then, otherwise, .. } => {
            let skipped = otherwise
                .as_ref()
                .map_or(reached, |otherwise| completes(otherwise, reached));
            completes(then, reached) || skipped
        }
        StmtKind::While { cond, body, .. } => constant_condition(cond) != Some(true) || breaks(body),
        StmtKind::DoWhile { cond, body, .. } => constant_condition(cond) != Some(true) || breaks(body),
        StmtKind::For { cond, body, .. } => {
            cond.as_ref()
                .is_some_and(|cond| constant_condition(cond) != Some(true))
                || breaks(body)
        }
        StmtKind::Switch { arms, .. } => {
            let has_default = arms.iter().any(|arm| arm.is_default);
            let last_completes = arms.last().is_none_or(|arm| falls_through(&arm.body));
            !has_default || last_completes || arms.iter().flat_map(|arm| &arm.body).any(breaks)
        }
        StmtKind::Expr(e) => !matches!(
            e.kind,
            ExprKind::Builtin {
                builtin: crate::hir::Builtin::Trap,
                ..
            }
        ),
        StmtKind::Declare { .. } => true,
    }
}

/// Whether a statement contains a label.
fn has_label(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Label(_) => true,
        StmtKind::Block(stmts) => stmts.iter().any(has_label),
        StmtKind::If { then, otherwise, .. } => {
            has_label(then) || otherwise.as_deref().is_some_and(has_label)
        }
        StmtKind::While { body, .. } | StmtKind::DoWhile { body, .. } | StmtKind::For { body, .. } => {
            has_label(body)
        }
        StmtKind::Switch { arms, .. } => arms.iter().flat_map(|arm| &arm.body).any(has_label),
        _ => false,
    }
}

/// Whether a statement contains a `break` that leaves the enclosing statement.
fn breaks(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Break => true,
        StmtKind::Block(stmts) => stmts.iter().any(breaks),
        StmtKind::If { then, otherwise, .. } => breaks(then) || otherwise.as_deref().is_some_and(breaks),
        _ => false,
    }
}
