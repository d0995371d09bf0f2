//! Translates statements.

use super::expr::{MAX_LEVELS, TOO_DEEP};
use super::*;
use crate::ir::{Compare, Unroll};

impl Builder<'_> {
    pub(super) fn stmts(&mut self, stmts: &[hir::Stmt]) {
        for stmt in stmts {
            if self.current.is_none() {
                if !has_label(stmt) {
                    continue;
                }
                // Only a `goto` can enter this code.
                let block = self.block();
                self.start(block);
            }
            self.stmt(stmt);
        }
    }

    /// Sets the span of emitted operations, except in prelude code.
    pub(super) fn at(&mut self, span: Span) {
        if !self.fixed_span {
            self.span = span;
        }
    }

    fn stmt(&mut self, stmt: &hir::Stmt) {
        self.at(stmt.span);
        self.levels += 1;
        if self.levels > MAX_LEVELS {
            self.error(TOO_DEEP);
        } else {
            self.stmt_here(stmt);
        }
        self.levels -= 1;
    }

    fn stmt_here(&mut self, stmt: &hir::Stmt) {
        match &stmt.kind {
            hir::StmtKind::Block(stmts) => self.stmts(stmts),
            hir::StmtKind::Expr(expr) if self.is_large_copy(expr) => {
                self.source(expr);
            }
            hir::StmtKind::Expr(expr) => {
                self.expr(expr);
            }
            hir::StmtKind::Declare { local, init } => self.declare(*local, init.as_ref()),
            hir::StmtKind::If {
                cond,
                then,
                otherwise,
            } => self.if_stmt(cond, then, otherwise.as_deref()),
            hir::StmtKind::While { cond, body, unroll } => {
                self.repeat(stmt.span, Some(cond), None, body, unroll_of(unroll.as_ref()));
            }
            hir::StmtKind::For {
                init,
                cond,
                step,
                body,
                unroll,
            } => {
                self.stmts(init);
                self.repeat(
                    stmt.span,
                    cond.as_ref(),
                    step.as_ref(),
                    body,
                    unroll_of(unroll.as_ref()),
                );
            }
            hir::StmtKind::DoWhile { body, cond, unroll } => {
                let cond = Some(cond);
                let exit = self.block();
                self.turns(stmt.span, cond, None, body, unroll_of(unroll.as_ref()), exit);
            }
            hir::StmtKind::Switch { value, arms } => self.switch(value, arms, stmt.span),
            hir::StmtKind::Break => {
                if let Some(target) = self.frame().targets.last() {
                    let exit = target.exit;
                    self.jump(exit);
                }
            }
            hir::StmtKind::Continue => {
                let again = self.frame().targets.iter().rev().find_map(|target| target.again);
                if let Some(again) = again {
                    self.jump(again);
                }
            }
            hir::StmtKind::Label(label) => {
                let block = self.label(*label);
                self.jump(block);
                self.start(block);
            }
            hir::StmtKind::Goto(label) => {
                let block = self.label(*label);
                self.jump(block);
            }
            hir::StmtKind::Return(value) => {
                let mut values = Vec::new();
                let leave = self.frame().leave;
                if let Some(value) = value {
                    let val = self.expr(value);
                    match leave {
                        Leave::Return => self.call_values(&val, &mut values),
                        Leave::To(_) => self.flatten(&val, &mut values),
                    }
                }
                self.at(stmt.span);
                match leave {
                    Leave::Return => self.stop(End::Return(values)),
                    Leave::To(exit) => self.jump_with(exit, values),
                }
            }
        }
    }

    fn declare(&mut self, id: hir::LocalId, init: Option<&hir::Init>) {
        let frame = self.frame().id;
        let unit = self.unit;
        let local = unit.function(frame).local(id);
        if local.storage != hir::Storage::Automatic {
            self.local_memory(id);
            return;
        }
        match init {
            Some(hir::Init::Value(value)) if self.is_large_copy(value) => {
                let from = self.source(value);
                let mem = self.local_memory(id);
                self.copy(mem, from, &local.ty);
            }
            Some(hir::Init::Value(value)) => {
                let val = self.expr(value);
                if self.facts.is_set_once(frame, id) {
                    self.frame().binds[id.0 as usize] = Bind::Value(val);
                } else {
                    let mem = self.local_memory(id);
                    self.store(mem, &local.ty, val);
                }
            }
            Some(hir::Init::Parts { zero_rest, parts }) => {
                let mem = self.local_memory(id);
                if *zero_rest {
                    let zero = self.zero(&local.ty);
                    self.store(mem, &local.ty, zero);
                }
                for (offset, value) in parts {
                    let val = self.expr(value);
                    self.store(
                        Mem {
                            offset: mem.offset + *offset as i32,
                            ..mem
                        },
                        &value.ty,
                        val,
                    );
                }
            }
            // In a loop, the variable must not appear to keep its value between iterations.
            None => {
                let mem = self.local_memory(id);
                if !local.is_volatile && unit.size_of(&local.ty) <= 256 {
                    let undef = self.undef(&local.ty);
                    self.store(mem, &local.ty, undef);
                }
            }
        }
    }

    /// The block of a label.
    fn label(&mut self, label: hir::LabelId) -> BlockId {
        if let Some(block) = self.frame().labels.get(&label) {
            return *block;
        }
        let block = self.block();
        self.frame().labels.insert(label, block);
        block
    }

    fn if_stmt(&mut self, cond: &hir::Expr, then: &hir::Stmt, otherwise: Option<&hir::Stmt>) {
        let span = self.span;
        let (yes, join) = (self.block(), self.block());
        let no = if otherwise.is_some() { self.block() } else { join };
        self.condition_to(cond, yes, no);
        self.start(yes);
        self.body(then);
        self.at(span);
        self.jump(join);
        if let Some(otherwise) = otherwise {
            self.start(no);
            self.body(otherwise);
            self.at(span);
            self.jump(join);
        }
        self.join_at(join);
    }

    /// Translates the body of an `if` or a loop.
    fn body(&mut self, stmt: &hir::Stmt) {
        self.stmts(std::slice::from_ref(stmt));
    }

    /// Continues in a block if the block has a predecessor.
    fn join_at(&mut self, block: BlockId) {
        self.current = self.reached.contains(&block).then_some(block);
    }

    /// Branches on a condition. An operand of `&&` or `||` that must not be evaluated early gets its own
    /// branch.
    pub(super) fn condition_to(&mut self, cond: &hir::Expr, then: BlockId, els: BlockId) {
        let span = self.span;
        match &cond.kind {
            hir::ExprKind::Logical { op, lhs, rhs } if !is_speculatable(rhs) => {
                let more = self.block();
                if *op == hir::LogicalOp::And {
                    self.condition_to(lhs, more, els);
                } else {
                    self.condition_to(lhs, then, more);
                }
                self.start(more);
                self.at(span);
                self.condition_to(rhs, then, els);
            }
            hir::ExprKind::Unary {
                op: hir::UnaryOp::Not,
                operand,
            } => self.condition_to(operand, els, then),
            _ => {
                let cond = self.condition(cond);
                self.at(span);
                self.branch(cond, then, els);
            }
        }
    }

    /// Evaluates a condition to a predicate.
    pub(super) fn condition(&mut self, cond: &hir::Expr) -> Value {
        let val = self.expr(cond);
        self.one(&val)
    }

    /// `while` and `for`: a test, then iterations with a test at their end.
    fn repeat(
        &mut self,
        span: Span,
        cond: Option<&hir::Expr>,
        step: Option<&hir::Expr>,
        body: &hir::Stmt,
        unroll: Unroll,
    ) {
        let Some(test) = cond else {
            let exit = self.block();
            return self.turns(span, None, step, body, unroll, exit);
        };
        // With nothing to do after the test, the first test is that of the first iteration, as in nvcc's code.
        if step.is_none() && is_empty(body) {
            let exit = self.block();
            return self.turns(span, cond, None, body, unroll, exit);
        }
        let (body_block, exit) = (self.block(), self.block());
        self.at(test.span);
        self.condition_to(test, body_block, exit);
        self.start(body_block);
        self.turns(span, cond, step, body, unroll, exit);
    }

    /// A loop that tests at the end of each iteration; `exit` is the block after the loop.
    fn turns(
        &mut self,
        span: Span,
        cond: Option<&hir::Expr>,
        step: Option<&hir::Expr>,
        body: &hir::Stmt,
        unroll: Unroll,
        exit: BlockId,
    ) {
        let (head, again) = (self.block(), self.block());
        self.at(span);
        self.jump(head);
        self.start(head);
        self.function.at_mut(head).unroll = unroll;
        self.frame().targets.push(Target {
            exit,
            again: Some(again),
        });
        self.body(body);
        self.frame().targets.pop();
        self.at(span);
        self.jump(again);
        self.join_at(again);
        if self.current.is_some() {
            if let Some(step) = step {
                self.at(step.span);
                self.expr(step);
            }
            match cond {
                Some(cond) => {
                    self.at(cond.span);
                    self.condition_to(cond, head, exit);
                }
                None => self.jump(head),
            }
        }
        self.at(span);
        self.join_at(exit);
    }

    fn switch(&mut self, value: &hir::Expr, arms: &[hir::Arm], span: Span) {
        let val = self.expr(value);
        let value = self.one(&val);
        let exit = self.block();
        let blocks: Vec<_> = arms.iter().map(|_| self.block()).collect();
        let default = arms.iter().position(|arm| arm.is_default);
        for (arm, block) in arms.iter().zip(&blocks) {
            if arm.values.is_empty() || arm.is_default {
                continue;
            }
            let cond = self.matches(value, arm);
            let next = self.block();
            self.branch(cond, *block, next);
            self.start(next);
        }
        self.jump(default.map_or(exit, |index| blocks[index]));
        self.frame().targets.push(Target { exit, again: None });
        for (arm, block) in arms.iter().zip(&blocks) {
            // Fall through from the previous arm, if its end is reachable.
            self.jump(*block);
            self.start(*block);
            self.stmts(&arm.body);
            self.at(span);
        }
        self.jump(exit);
        self.frame().targets.pop();
        self.join_at(exit);
    }

    fn matches(&mut self, value: Value, arm: &hir::Arm) -> Value {
        let ty = self.function.ty(value);
        let mut any = None;
        for case in &arm.values {
            let case = self.function.constant(ty, *case as u64);
            let equal = self.op(
                Type::I1,
                Op::ICmp {
                    cmp: Compare::Eq,
                    signed: false,
                },
                &[value, case],
            );
            any = Some(match any {
                Some(before) => self.op(Type::I1, Op::Or, &[before, equal]),
                None => equal,
            });
        }
        any.unwrap_or_else(|| self.function.constant(Type::I1, 0))
    }
}

/// Whether a statement does nothing.
fn is_empty(stmt: &hir::Stmt) -> bool {
    matches!(&stmt.kind, hir::StmtKind::Block(stmts) if stmts.iter().all(is_empty))
}

/// Whether a statement contains a label.
fn has_label(stmt: &hir::Stmt) -> bool {
    match &stmt.kind {
        hir::StmtKind::Label(_) => true,
        hir::StmtKind::Block(stmts) => stmts.iter().any(has_label),
        hir::StmtKind::If { then, otherwise, .. } => {
            has_label(then) || otherwise.as_ref().is_some_and(|stmt| has_label(stmt))
        }
        hir::StmtKind::While { body, .. }
        | hir::StmtKind::DoWhile { body, .. }
        | hir::StmtKind::For { body, .. } => has_label(body),
        hir::StmtKind::Switch { arms, .. } => arms.iter().any(|arm| arm.body.iter().any(has_label)),
        _ => false,
    }
}

fn unroll_of(unroll: Option<&hir::Unroll>) -> Unroll {
    match unroll {
        None => Unroll::Auto,
        Some(hir::Unroll::Full) => Unroll::Full,
        Some(hir::Unroll::By(number)) => Unroll::By(*number),
    }
}

/// Whether an expression can be evaluated speculatively: it has no side effects, accesses no memory except
/// variables, and is cheap.
pub(super) fn is_speculatable(expr: &hir::Expr) -> bool {
    match &expr.kind {
        hir::ExprKind::Const(_) => true,
        hir::ExprKind::Load(place) => is_variable(place),
        hir::ExprKind::Unary { operand, .. } => is_speculatable(operand),
        hir::ExprKind::Binary { op, lhs, rhs } => {
            !matches!(op, hir::BinaryOp::Div | hir::BinaryOp::Rem)
                && is_speculatable(lhs)
                && is_speculatable(rhs)
        }
        hir::ExprKind::Compare { lhs, rhs, .. } | hir::ExprKind::Logical { lhs, rhs, .. } => {
            is_speculatable(lhs) && is_speculatable(rhs)
        }
        hir::ExprKind::Convert(inner) | hir::ExprKind::Bitcast(inner) => is_speculatable(inner),
        hir::ExprKind::Builtin { builtin, args } => {
            matches!(
                builtin,
                hir::Builtin::ThreadIdx(_)
                    | hir::Builtin::BlockIdx(_)
                    | hir::Builtin::BlockDim(_)
                    | hir::Builtin::GridDim(_)
                    | hir::Builtin::LaneId
                    | hir::Builtin::Min
                    | hir::Builtin::Max
                    | hir::Builtin::Abs
            ) && args.iter().all(is_speculatable)
        }
        hir::ExprKind::Extract { base, .. } => is_speculatable(base),
        _ => false,
    }
}

fn is_variable(place: &hir::Place) -> bool {
    match &place.kind {
        hir::PlaceKind::Local(_) => !place.is_volatile && !matches!(place.ty, hir::Type::Array(..)),
        hir::PlaceKind::Field { base, .. } => is_variable(base),
        hir::PlaceKind::Global(_) | hir::PlaceKind::Deref(_) => false,
    }
}
