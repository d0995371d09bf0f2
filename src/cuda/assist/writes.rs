//! The assignments to variables.

use crate::hir::{Expr, ExprKind, Function, Init, LocalId, Place, PlaceKind, Stmt, StmtKind};
use engine::ids::Span;

/// Records, for each value assigned to a variable of the function, the byte offset of the variable's name and the
/// span of the value.
pub(super) fn writes(function: &Function, out: &mut Vec<(usize, Span)>) {
    if function.prelude {
        return;
    }
    let mut walk = Walk { function, out };
    walk.stmts(&function.body);
}

struct Walk<'a> {
    function: &'a Function,
    out: &'a mut Vec<(usize, Span)>,
}

impl Walk<'_> {
    fn note(&mut self, local: LocalId, value: Span) {
        let start = self.function.local(local).span.start as usize;
        if value != Span::default() && !self.out.contains(&(start, value)) {
            self.out.push((start, value));
        }
    }

    fn note_place(&mut self, place: &Place, value: Span) {
        if let PlaceKind::Local(id) = place.kind {
            self.note(id, value);
        }
    }

    fn stmts(&mut self, stmts: &[Stmt]) {
        for stmt in stmts {
            self.stmt(stmt);
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Block(stmts) => self.stmts(stmts),
            StmtKind::Expr(expr) => self.expr(expr),
            StmtKind::Declare { local, init } => match init {
                Some(Init::Value(value)) => {
                    self.note(*local, value.span);
                    self.expr(value);
                }
                Some(Init::Parts { parts, .. }) => parts.iter().for_each(|(_, value)| self.expr(value)),
                None => {}
            },
            StmtKind::If {
                cond,
                then,
                otherwise,
            } => {
                self.expr(cond);
                self.stmt(then);
                if let Some(stmt) = otherwise {
                    self.stmt(stmt);
                }
            }
            StmtKind::While { cond, body, .. } | StmtKind::DoWhile { cond, body, .. } => {
                self.expr(cond);
                self.stmt(body);
            }
            StmtKind::For {
                init,
                cond,
                step,
                body,
                ..
            } => {
                self.stmts(init);
                cond.iter().chain(step).for_each(|expr| self.expr(expr));
                self.stmt(body);
            }
            StmtKind::Switch { value, arms } => {
                self.expr(value);
                for arm in arms {
                    self.stmts(&arm.body);
                }
            }
            StmtKind::Return(value) => value.iter().for_each(|value| self.expr(value)),
            StmtKind::Break | StmtKind::Continue | StmtKind::Label(_) | StmtKind::Goto(_) => {}
        }
    }

    fn place(&mut self, place: &Place) {
        match &place.kind {
            PlaceKind::Deref(pointer) => self.expr(pointer),
            PlaceKind::Field { base, .. } => self.place(base),
            PlaceKind::Local(_) | PlaceKind::Global(_) => {}
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Const(_) => {}
            ExprKind::Load(place) | ExprKind::AddressOf(place) => self.place(place),
            ExprKind::Assign { place, value } => {
                self.note_place(place, value.span);
                self.place(place);
                self.expr(value);
            }
            ExprKind::CompoundAssign { place, value, .. } => {
                self.note_place(place, expr.span);
                self.place(place);
                self.expr(value);
            }
            ExprKind::PtrAssign { place, index, .. } => {
                self.note_place(place, expr.span);
                self.place(place);
                self.expr(index);
            }
            ExprKind::IncDec { place, .. } => {
                self.note_place(place, expr.span);
                self.place(place);
            }
            ExprKind::Unary { operand, .. }
            | ExprKind::Convert(operand)
            | ExprKind::Bitcast(operand)
            | ExprKind::Extract { base: operand, .. } => self.expr(operand),
            ExprKind::Binary { lhs, rhs, .. }
            | ExprKind::Compare { lhs, rhs, .. }
            | ExprKind::Logical { lhs, rhs, .. }
            | ExprKind::PtrDiff { lhs, rhs, .. } => {
                self.expr(lhs);
                self.expr(rhs);
            }
            ExprKind::PtrAdd { ptr, index, .. } => {
                self.expr(ptr);
                self.expr(index);
            }
            ExprKind::Conditional {
                cond,
                then,
                otherwise,
            } => {
                self.expr(cond);
                self.expr(then);
                self.expr(otherwise);
            }
            ExprKind::Comma { first, second } => {
                self.expr(first);
                self.expr(second);
            }
            ExprKind::Call { args, .. } | ExprKind::Builtin { args, .. } | ExprKind::Aggregate(args) => {
                for arg in args {
                    self.expr(arg);
                }
            }
        }
    }
}
