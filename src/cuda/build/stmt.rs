//! Statements.

use super::*;
use crate::cuda::ir::{Compare, Unroll};

impl Builder<'_> {
    pub(super) fn stmts(&mut self, stmts: &[hir::Stmt]) {
        for stmt in stmts {
            if self.end.is_some() {
                return;
            }
            self.stmt(stmt);
        }
    }

    /// Sets the span that emitted operations get, unless in the compiler's own library.
    pub(super) fn at(&mut self, span: Span) {
        if !self.fixed_span {
            self.span = span;
        }
    }

    fn stmt(&mut self, stmt: &hir::Stmt) {
        self.at(stmt.span);
        match &stmt.kind {
            hir::StmtKind::Block(stmts) => self.stmts(stmts),
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
                self.turns(stmt.span, cond, None, body, unroll_of(unroll.as_ref()));
            }
            hir::StmtKind::Switch { value, arms } => self.switch(value, arms, stmt.span),
            hir::StmtKind::Break => {
                if let Some(target) = self.frame().targets.last() {
                    let exit = target.exit;
                    self.stop(End::Break(exit, Vec::new()));
                }
            }
            hir::StmtKind::Continue => {
                let again = self.frame().targets.iter().rev().find_map(|target| target.again);
                if let Some(label) = again {
                    self.stop(End::Break(label, Vec::new()));
                }
            }
            hir::StmtKind::Label(_) | hir::StmtKind::Goto(_) => self.error("`goto` is not supported yet"),
            hir::StmtKind::Return(value) => {
                let mut values = Vec::new();
                if let Some(value) = value {
                    let val = self.expr(value);
                    self.flatten(&val, &mut values);
                }
                self.at(stmt.span);
                match self.frame().leave {
                    Leave::Return => self.stop(End::Return(values)),
                    Leave::Break(label) => self.stop(End::Break(label, values)),
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
            Some(hir::Init::Value(value)) => {
                let val = self.expr(value);
                if self.facts.once(frame, id) {
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
            // In a loop the variable must not seem to keep its value from turn to turn.
            None => {
                let mem = self.local_memory(id);
                if !local.is_volatile && unit.size_of(&local.ty) <= 256 {
                    let undef = self.undef(&local.ty);
                    self.store(mem, &local.ty, undef);
                }
            }
        }
    }

    fn if_stmt(&mut self, cond: &hir::Expr, then: &hir::Stmt, otherwise: Option<&hir::Stmt>) {
        let span = self.span;
        // `if (a && b)` without `else`, where b must not be evaluated early: one in the other.
        if let hir::ExprKind::Logical {
            op: hir::LogicalOp::And,
            lhs,
            rhs,
        } = &cond.kind
            && otherwise.is_none()
            && !is_simple(rhs)
        {
            let lhs = self.condition(lhs);
            self.at(span);
            let region = self.region(|this| {
                this.if_stmt(rhs, then, None);
                Vec::new()
            });
            self.at(span);
            self.choice(lhs, region, Region::empty(Vec::new()), Vec::new());
            return;
        }
        let cond = self.condition(cond);
        let then = self.region(|this| {
            this.stmt(then);
            Vec::new()
        });
        let els = match otherwise {
            Some(stmt) => self.region(|this| {
                this.stmt(stmt);
                Vec::new()
            }),
            None => Region::empty(Vec::new()),
        };
        self.at(span);
        self.choice(cond, then, els, Vec::new());
    }

    /// A condition as a truth value.
    pub(super) fn condition(&mut self, cond: &hir::Expr) -> Value {
        let val = self.expr(cond);
        self.one(&val)
    }

    /// `while` and `for`: a test, then turns with a test at their end.
    fn repeat(
        &mut self,
        span: Span,
        cond: Option<&hir::Expr>,
        step: Option<&hir::Expr>,
        body: &hir::Stmt,
        unroll: Unroll,
    ) {
        let Some(test) = cond else {
            self.turns(span, None, step, body, unroll);
            return;
        };
        self.at(test.span);
        let first = self.condition(test);
        let region = self.region(|this| {
            this.turns(span, cond, step, body, unroll);
            Vec::new()
        });
        self.at(span);
        // A loop that never ends by itself may still be jumped over.
        self.choice(first, region, Region::empty(Vec::new()), Vec::new());
    }

    /// A loop that tests at the end of each turn.
    fn turns(
        &mut self,
        span: Span,
        cond: Option<&hir::Expr>,
        step: Option<&hir::Expr>,
        body: &hir::Stmt,
        unroll: Unroll,
    ) {
        let label = self.function.label();
        let again = self.function.label();
        let mut leaves = false;
        let region = self.region(|this| {
            this.frame().targets.push(Target {
                exit: label,
                again: Some(again),
            });
            let inner = this.region(|this| {
                this.stmt(body);
                Vec::new()
            });
            this.frame().targets.pop();
            leaves = breaks_to(&inner, label);
            let comes = matches!(inner.end, End::Yield(_)) || breaks_to(&inner, again);
            this.at(span);
            let span = this.span;
            if breaks_to(&inner, again) {
                this.node(Node::Block(Box::new(ir::Block {
                    label: again,
                    body: inner,
                    results: Vec::new(),
                    span,
                })));
                if !comes {
                    this.stop(End::Unreachable);
                }
            } else {
                this.nodes.extend(inner.nodes);
                if !comes {
                    this.stop(inner.end);
                }
            }
            if this.end.is_some() {
                return Vec::new();
            }
            if let Some(step) = step {
                this.at(step.span);
                this.expr(step);
            }
            match cond {
                Some(cond) => {
                    this.at(cond.span);
                    leaves |= !matches!(cond.kind, hir::ExprKind::Const(hir::Const::Bool(true)));
                    let cond = this.condition(cond);
                    this.at(span);
                    let back = Region {
                        nodes: Vec::new(),
                        end: End::Continue(label, Vec::new()),
                    };
                    this.choice(cond, back, Region::empty(Vec::new()), Vec::new());
                }
                None => this.stop(End::Continue(label, Vec::new())),
            }
            Vec::new()
        });
        self.at(span);
        let falls = matches!(region.end, End::Yield(_)) || leaves;
        let span = self.span;
        self.node(Node::Loop(Box::new(ir::Loop {
            label,
            params: Vec::new(),
            init: Vec::new(),
            body: region,
            results: Vec::new(),
            unroll,
            span,
        })));
        if !falls {
            self.stop(End::Unreachable);
        }
    }

    fn switch(&mut self, value: &hir::Expr, arms: &[hir::Arm], span: Span) {
        let val = self.expr(value);
        let value = self.one(&val);
        let exit = self.function.label();
        self.frame().targets.push(Target { exit, again: None });
        // An arm that falls into the next needs nested blocks; otherwise a chain of tests will do.
        let labels: Vec<_> = arms.iter().map(|_| self.function.label()).collect();
        let body = self.region(|this| {
            let falls_through = arms.iter().rev().skip(1).any(|arm| {
                let probe = arm.body.last();
                !probe.is_some_and(ends) || arm.body.is_empty()
            });
            if falls_through {
                this.switch_blocks(value, arms, &labels, exit);
            } else {
                this.switch_chain(value, arms, 0);
            }
            Vec::new()
        });
        self.frame().targets.pop();
        self.at(span);
        let span = self.span;
        let falls = matches!(body.end, End::Yield(_)) || breaks_to(&body, exit);
        self.node(Node::Block(Box::new(ir::Block {
            label: exit,
            body,
            results: Vec::new(),
            span,
        })));
        if !falls {
            self.stop(End::Unreachable);
        }
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

    fn switch_chain(&mut self, value: Value, arms: &[hir::Arm], at: usize) {
        let Some(arm) = arms.get(at) else {
            if let Some(default) = arms.iter().find(|arm| arm.is_default) {
                self.stmts(&default.body);
            }
            return;
        };
        if arm.is_default {
            self.switch_chain(value, arms, at + 1);
            return;
        }
        let cond = self.matches(value, arm);
        let span = self.span;
        let then = self.region(|this| {
            this.stmts(&arm.body);
            Vec::new()
        });
        self.at(span);
        let els = self.region(|this| {
            this.switch_chain(value, arms, at + 1);
            Vec::new()
        });
        self.at(span);
        self.choice(cond, then, els, Vec::new());
    }

    fn switch_blocks(&mut self, value: Value, arms: &[hir::Arm], labels: &[Label], exit: Label) {
        // Innermost: the tests; around them, one block an arm, whose end is the arm's start.
        let mut region = self.region(|this| {
            for (arm, label) in arms.iter().zip(labels) {
                if arm.values.is_empty() {
                    continue;
                }
                let cond = this.matches(value, arm);
                let go = Region {
                    nodes: Vec::new(),
                    end: End::Break(*label, Vec::new()),
                };
                this.choice(cond, go, Region::empty(Vec::new()), Vec::new());
            }
            let default = arms.iter().position(|arm| arm.is_default);
            this.stop(End::Break(
                default.map_or(exit, |index| labels[index]),
                Vec::new(),
            ));
            Vec::new()
        });
        for (arm, label) in arms.iter().zip(labels) {
            let span = self.span;
            let inner = region;
            region = self.region(|this| {
                this.node(Node::Block(Box::new(ir::Block {
                    label: *label,
                    body: inner,
                    results: Vec::new(),
                    span,
                })));
                this.stmts(&arm.body);
                Vec::new()
            });
            self.at(span);
        }
        self.nodes.extend(region.nodes);
        self.end = match region.end {
            End::Yield(_) => None,
            end => Some(end),
        };
    }
}

/// Whether control never comes past a statement at the end of an arm.
fn ends(stmt: &hir::Stmt) -> bool {
    match &stmt.kind {
        hir::StmtKind::Break | hir::StmtKind::Continue | hir::StmtKind::Return(_) => true,
        hir::StmtKind::Block(stmts) => stmts.last().is_some_and(ends),
        hir::StmtKind::If {
            then,
            otherwise: Some(otherwise),
            ..
        } => ends(then) && ends(otherwise),
        _ => false,
    }
}

/// Whether a region is left by a break to `label`.
pub(super) fn breaks_to(region: &Region, label: Label) -> bool {
    matches!(&region.end, End::Break(to, _) if *to == label)
        || region
            .nodes
            .iter()
            .any(|node| node.regions().any(|inner| breaks_to(inner, label)))
}

fn unroll_of(unroll: Option<&hir::Unroll>) -> Unroll {
    match unroll {
        None => Unroll::Auto,
        Some(hir::Unroll::Full) => Unroll::Full,
        Some(hir::Unroll::By(number)) => Unroll::By(*number),
    }
}

/// Whether an expression can be evaluated early: it has no effect, touches no memory but variables,
/// and costs little.
pub(super) fn is_simple(expr: &hir::Expr) -> bool {
    match &expr.kind {
        hir::ExprKind::Const(_) => true,
        hir::ExprKind::Load(place) => is_variable(place),
        hir::ExprKind::Unary { operand, .. } => is_simple(operand),
        hir::ExprKind::Binary { op, lhs, rhs } => {
            !matches!(op, hir::BinaryOp::Div | hir::BinaryOp::Rem) && is_simple(lhs) && is_simple(rhs)
        }
        hir::ExprKind::Compare { lhs, rhs, .. } | hir::ExprKind::Logical { lhs, rhs, .. } => {
            is_simple(lhs) && is_simple(rhs)
        }
        hir::ExprKind::Convert(inner) | hir::ExprKind::Bitcast(inner) => is_simple(inner),
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
            ) && args.iter().all(is_simple)
        }
        hir::ExprKind::Extract { base, .. } => is_simple(base),
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
