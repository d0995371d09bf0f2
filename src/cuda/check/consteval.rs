//! Constant expressions that call `constexpr` functions: evaluates their HIR.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Checker, Checks, Progress, fold};
use crate::ast;
use crate::hir::{
    Builtin, Const, Expr, ExprKind, FuncId, Init, LocalId, Place, PlaceKind, Stmt, StmtKind, Type,
};
use engine::ids::Span;

/// Maximum number of statements and operations in one constant expression.
const MAX_STEPS: u32 = 200_000;
/// Maximum nesting depth of calls. Assumption: `constexpr` functions of programs recurse less.
const MAX_DEPTH: u32 = 48;
/// Maximum nesting depth of statements and expressions, through all calls. Each level is a call.
const MAX_LEVELS: u32 = 400;

impl Checker {
    /// An integer constant expression. `what` is the subject of the diagnostic.
    pub(super) fn constant_int(&mut self, expr: &ast::Expr, what: &str) -> Checks<i128> {
        let value = self.value(expr)?;
        if value.ty.is_scoped_enum() {
            let message = format!("{what} must be an integer, not `{}`.", self.text(&value.ty));
            let remedy = super::scoped_enums::remedy(&value.ty).unwrap_or_default();
            return self.report(crate::diagnostic::Diagnostic::error(expr.span, message).note(remedy));
        }
        self.known_integer(&value, what)
    }

    /// An integer or enum constant expression.
    pub(super) fn known_integer(&mut self, expr: &Expr, what: &str) -> Checks<i128> {
        match self.evaluate(expr) {
            Some(Const::Int(value)) => Ok(value),
            Some(Const::Bool(value)) => Ok(i128::from(value)),
            Some(_) => self.error(expr.span, format!("{what} must be an integer.")),
            None => {
                let mut diagnostic = crate::diagnostic::Diagnostic::error(
                    expr.span,
                    format!("{what} must be a constant expression."),
                );
                if what.contains("array") {
                    diagnostic = diagnostic.note(
                        "Use a literal, a `#define`, or a `constexpr` variable; for a size that the launch sets, use \
                         `extern __shared__`.",
                    );
                }
                self.report(diagnostic)
            }
        }
    }

    /// The value of an expression, if it is a constant expression.
    pub(super) fn evaluate(&mut self, expr: &Expr) -> Option<Const> {
        if let Some(value) = fold::as_const(expr) {
            return Some(value);
        }
        let mut run = Run {
            steps: 0,
            depth: 0,
            levels: 0,
            span: expr.span,
            checker: self,
        };
        run.expr(expr, &mut Frame::default())
    }
}

#[derive(Default)]
struct Frame {
    locals: BTreeMap<LocalId, Const>,
}

enum Flow {
    Next,
    Break,
    Continue,
    Return(Option<Const>),
}

struct Run<'r> {
    steps: u32,
    depth: u32,
    levels: u32,
    /// The span of the constant expression.
    span: Span,
    checker: &'r mut Checker,
}

impl Run<'_> {
    fn step(&mut self) -> Option<()> {
        self.steps += 1;
        if let Err(limit) = self.checker.constant_steps.charge(1) {
            let span = self.span;
            let _ = self.checker.stop::<()>(limit.exceeded(span));
        }
        (self.steps < MAX_STEPS && self.checker.fatal.is_none()).then_some(())
    }

    fn call(&mut self, function: FuncId, args: Vec<Const>) -> Option<Const> {
        let entry = self.checker.functions.get(function.0 as usize)?;
        if !entry.is_constexpr || self.depth >= MAX_DEPTH {
            return None;
        }
        if matches!(entry.progress, Progress::Declared) {
            self.checker.check_body(function);
        }
        let entry = self.checker.functions.get(function.0 as usize)?;
        if !matches!(entry.progress, Progress::Done) {
            return None;
        }
        let bodies = &mut self.checker.constant_bodies;
        let body = bodies
            .entry(function)
            .or_insert_with(|| Arc::new(entry.hir.body.clone()))
            .clone();
        let mut frame = Frame::default();
        for (value, idx) in args.into_iter().zip(0..) {
            frame.locals.insert(LocalId(idx), value);
        }
        self.depth += 1;
        let flow = self.stmts(&body, &mut frame);
        self.depth -= 1;
        match flow? {
            Flow::Return(value) => value,
            _ => None,
        }
    }

    fn stmts(&mut self, stmts: &[Stmt], frame: &mut Frame) -> Option<Flow> {
        for stmt in stmts {
            match self.stmt(stmt, frame)? {
                Flow::Next => {}
                other => return Some(other),
            }
        }
        Some(Flow::Next)
    }

    fn stmt(&mut self, stmt: &Stmt, frame: &mut Frame) -> Option<Flow> {
        self.levels += 1;
        let flow = if self.levels < MAX_LEVELS {
            self.stmt_here(stmt, frame)
        } else {
            None
        };
        self.levels -= 1;
        flow
    }

    fn stmt_here(&mut self, stmt: &Stmt, frame: &mut Frame) -> Option<Flow> {
        self.step()?;
        match &stmt.kind {
            StmtKind::Block(stmts) => return self.stmts(stmts, frame),
            StmtKind::Expr(expr) => {
                self.effect(expr, frame)?;
            }
            StmtKind::Declare { local, init } => match init {
                None => {
                    frame.locals.remove(local);
                }
                Some(Init::Value(value)) => {
                    let value = self.expr(value, frame)?;
                    frame.locals.insert(*local, value);
                }
                Some(Init::Parts { .. }) => return None,
            },
            StmtKind::If {
                cond,
                then,
                otherwise,
            } => {
                if self.holds(cond, frame)? {
                    return self.stmt(then, frame);
                }
                if let Some(otherwise) = otherwise {
                    return self.stmt(otherwise, frame);
                }
            }
            StmtKind::While { cond, body, .. } => {
                while self.holds(cond, frame)? {
                    match self.stmt(body, frame)? {
                        Flow::Break => break,
                        Flow::Return(value) => return Some(Flow::Return(value)),
                        Flow::Next | Flow::Continue => {}
                    }
                }
            }
            StmtKind::DoWhile { body, cond, .. } => loop {
                match self.stmt(body, frame)? {
                    Flow::Break => break,
                    Flow::Return(value) => return Some(Flow::Return(value)),
                    Flow::Next | Flow::Continue => {}
                }
                if !self.holds(cond, frame)? {
                    break;
                }
            },
            StmtKind::For {
                init,
                cond,
                step,
                body,
                ..
            } => {
                self.stmts(init, frame)?;
                loop {
                    if let Some(cond) = cond
                        && !self.holds(cond, frame)?
                    {
                        break;
                    }
                    match self.stmt(body, frame)? {
                        Flow::Break => break,
                        Flow::Return(value) => return Some(Flow::Return(value)),
                        Flow::Next | Flow::Continue => {}
                    }
                    if let Some(step) = step {
                        self.effect(step, frame)?;
                    }
                    self.step()?;
                }
            }
            StmtKind::Switch { value, arms } => {
                let Const::Int(value) = self.expr(value, frame)? else {
                    return None;
                };
                let start = arms
                    .iter()
                    .position(|arm| arm.values.contains(&value))
                    .or_else(|| arms.iter().position(|arm| arm.is_default));
                for arm in arms.iter().skip(start.unwrap_or(arms.len())) {
                    match self.stmts(&arm.body, frame)? {
                        Flow::Next => {}
                        Flow::Break => break,
                        other => return Some(other),
                    }
                }
            }
            StmtKind::Break => return Some(Flow::Break),
            StmtKind::Continue => return Some(Flow::Continue),
            StmtKind::Label(_) => {}
            StmtKind::Goto(_) => return None,
            StmtKind::Return(None) => return Some(Flow::Return(None)),
            StmtKind::Return(Some(value)) => return Some(Flow::Return(Some(self.expr(value, frame)?))),
        }
        Some(Flow::Next)
    }

    fn holds(&mut self, cond: &Expr, frame: &mut Frame) -> Option<bool> {
        self.step()?;
        fold::truth(self.expr(cond, frame)?)
    }

    /// An expression whose value is discarded.
    fn effect(&mut self, expr: &Expr, frame: &mut Frame) -> Option<()> {
        match &expr.kind {
            ExprKind::Convert(inner) if expr.ty == Type::Void => self.effect(inner, frame),
            _ => self.expr(expr, frame).map(|_| ()),
        }
    }

    fn expr(&mut self, expr: &Expr, frame: &mut Frame) -> Option<Const> {
        self.levels += 1;
        let value = if self.levels < MAX_LEVELS {
            self.expr_here(expr, frame)
        } else {
            None
        };
        self.levels -= 1;
        value
    }

    fn expr_here(&mut self, expr: &Expr, frame: &mut Frame) -> Option<Const> {
        self.step()?;
        let mut part = |this: &mut Self, inner: &Expr| {
            let value = this.expr(inner, frame)?;
            Some(Box::new(super::constant(value, inner.ty.clone(), inner.span)))
        };
        let kind = match &expr.kind {
            ExprKind::Const(value) => return Some(*value),
            ExprKind::Load(place) => return frame.locals.get(&local(place)?).copied(),
            ExprKind::Convert(operand) => ExprKind::Convert(part(self, operand)?),
            ExprKind::Bitcast(operand) => ExprKind::Bitcast(part(self, operand)?),
            ExprKind::Unary { op, operand } => ExprKind::Unary {
                op: *op,
                operand: part(self, operand)?,
            },
            ExprKind::Binary { op, lhs, rhs } => ExprKind::Binary {
                op: *op,
                lhs: part(self, lhs)?,
                rhs: part(self, rhs)?,
            },
            ExprKind::Compare { op, lhs, rhs } => ExprKind::Compare {
                op: *op,
                lhs: part(self, lhs)?,
                rhs: part(self, rhs)?,
            },
            ExprKind::Logical { op, lhs, rhs } => {
                let left = fold::truth(self.expr(lhs, frame)?)?;
                return match (op, left) {
                    (crate::hir::LogicalOp::And, false) => Some(Const::Bool(false)),
                    (crate::hir::LogicalOp::Or, true) => Some(Const::Bool(true)),
                    _ => self.expr(rhs, frame),
                };
            }
            ExprKind::Conditional {
                cond,
                then,
                otherwise,
            } => {
                let taken = if self.holds(cond, frame)? { then } else { otherwise };
                return self.expr(taken, frame);
            }
            ExprKind::Comma { first, second } => {
                self.effect(first, frame)?;
                return self.expr(second, frame);
            }
            // Only variables of the call itself: outer variables are written when the kernel runs.
            ExprKind::Assign { place, value } if self.depth > 0 => {
                let value = self.expr(value, frame)?;
                frame.locals.insert(local(place)?, value);
                return Some(value);
            }
            ExprKind::CompoundAssign {
                place,
                op,
                compute,
                value,
            } => {
                let id = local(place)?;
                let value = self.expr(value, frame)?;
                let old = fold::convert(*frame.locals.get(&id)?, &place.ty, compute)?;
                let new = fold::binary(*op, old, value, compute)?;
                let new = fold::convert(new, compute, &place.ty)?;
                frame.locals.insert(id, new);
                return Some(new);
            }
            ExprKind::IncDec {
                place,
                delta,
                postfix,
            } => {
                let id = local(place)?;
                let old = *frame.locals.get(&id)?;
                let one = fold::convert(Const::Int(i128::from(*delta)), &Type::I64, &place.ty)?;
                let new = fold::binary(crate::hir::BinaryOp::Add, old, one, &place.ty)?;
                frame.locals.insert(id, new);
                return Some(if *postfix { old } else { new });
            }
            ExprKind::Call { function, args } => {
                let args: Option<Vec<Const>> = args.iter().map(|arg| self.expr(arg, frame)).collect();
                return self.call(*function, args?);
            }
            ExprKind::Builtin { builtin, args } => {
                let values: Option<Vec<Const>> = args.iter().map(|arg| self.expr(arg, frame)).collect();
                return min_max(*builtin, &values?);
            }
            _ => return None,
        };
        let folded = fold::fold(Expr {
            kind,
            ty: expr.ty.clone(),
            span: expr.span,
        });
        fold::as_const(&folded)
    }
}

fn min_max(builtin: Builtin, args: &[Const]) -> Option<Const> {
    match (builtin, args) {
        (Builtin::Min, [Const::Int(a), Const::Int(b)]) => Some(Const::Int(*a.min(b))),
        (Builtin::Max, [Const::Int(a), Const::Int(b)]) => Some(Const::Int(*a.max(b))),
        (Builtin::Abs, [Const::Int(a)]) => Some(Const::Int(a.abs())),
        _ => None,
    }
}

/// The variable that a place denotes as a whole.
const fn local(place: &Place) -> Option<LocalId> {
    match place.kind {
        PlaceKind::Local(id) => Some(id),
        _ => None,
    }
}
