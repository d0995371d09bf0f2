//! Statements and local declarations.

mod completion;
mod locals;
mod returns;
mod switch;

use super::calls::Arg;
use super::items::constant_condition;
use super::names::deref;
use super::types::Resolved;
use super::{Checker, Checks, Lvalue, Operand, Reported, Symbol, constant, expr, labels, ops, scoped_enums};
use crate::ast::{self, Declaration, Declarator, Initializer, UnrollPragma};
use crate::hir::{
    Arm, Const, Expr, ExprKind, Init, Local, LocalId, Pointer, Stmt, StmtKind, Storage, Type, Unroll,
};
use crate::limits::Limit;
use engine::ids::Span;

pub(super) use completion::falls_through;

impl Checker {
    /// Statements in their own scope.
    pub(super) fn block(&mut self, stmts: &[ast::Stmt]) -> Vec<Stmt> {
        self.open_scope();
        let mut out = self.statements(stmts);
        let end = stmts.last().map_or_else(Span::default, |stmt| stmt.span);
        self.end_scope(end, &mut out);
        self.close_scope();
        out
    }

    /// Statements in an open scope.
    pub(super) fn statements(&mut self, stmts: &[ast::Stmt]) -> Vec<Stmt> {
        let mut out = Vec::new();
        for stmt in stmts {
            if self.is_stopped() {
                break;
            }
            self.statement(stmt, &mut out);
        }
        out
    }

    /// A single statement, such as the body of a loop.
    fn single_statement(&mut self, stmt: &ast::Stmt) -> Box<Stmt> {
        self.open_scope();
        let mut out = Vec::new();
        self.statement(stmt, &mut out);
        self.end_scope(stmt.span, &mut out);
        self.close_scope();
        let only = if out.len() == 1 { out.pop() } else { None };
        Box::new(only.unwrap_or(Stmt {
            kind: StmtKind::Block(out),
            span: stmt.span,
        }))
    }

    pub(super) fn statement(&mut self, stmt: &ast::Stmt, out: &mut Vec<Stmt>) {
        self.levels += 1;
        if self.levels > Limit::CheckLevels.most() {
            let _ = self.stop::<()>(Limit::CheckLevels.exceeded(stmt.span));
        } else {
            self.statement_inner(stmt, out);
        }
        self.levels -= 1;
        self.end_temporaries(stmt.span, out);
    }

    fn statement_inner(&mut self, stmt: &ast::Stmt, out: &mut Vec<Stmt>) {
        let span = stmt.span;
        let kind = match &stmt.kind {
            ast::StmtKind::Declaration(declaration) => {
                self.local_declaration(declaration, out);
                return;
            }
            ast::StmtKind::Empty => return,
            ast::StmtKind::StaticAssert(assertion) => {
                self.static_assert(assertion);
                return;
            }
            ast::StmtKind::Error(names) => {
                self.body.broken = true;
                for name in names {
                    self.declare(name, Symbol::Poison);
                }
                return;
            }
            ast::StmtKind::Block(block) => Ok(StmtKind::Block(self.block(&block.stmts))),
            ast::StmtKind::Expr(e) => self.effect(e).map(StmtKind::Expr),
            ast::StmtKind::If {
                cond,
                then,
                otherwise,
                is_constexpr,
            } => self.if_statement(cond, then, otherwise.as_deref(), *is_constexpr),
            ast::StmtKind::While { cond, body, unroll } => {
                let cond = self.condition(cond);
                let unroll = self.unroll(unroll.as_ref());
                let body = self.loop_body(body);
                cond.map(|cond| StmtKind::While { cond, body, unroll })
            }
            ast::StmtKind::DoWhile { body, cond, unroll } => {
                let unroll = self.unroll(unroll.as_ref());
                let body = self.loop_body(body);
                let cond = self.condition(cond);
                cond.map(|cond| StmtKind::DoWhile { body, cond, unroll })
            }
            ast::StmtKind::For { .. } => self.for_statement(&stmt.kind),
            ast::StmtKind::RangeFor { .. } => self.range_for(stmt),
            ast::StmtKind::Bindings(bindings) => {
                if self.bindings(bindings, out).is_err() {
                    self.body.broken = true;
                    for name in &bindings.names {
                        self.declare(name, Symbol::Poison);
                    }
                }
                return;
            }
            ast::StmtKind::Switch { value, body } => self.switch(value, body),
            ast::StmtKind::Case(..) | ast::StmtKind::Default => return self.inner_case(stmt, out),
            ast::StmtKind::Label(name) => self.label(name),
            ast::StmtKind::Goto(name) => Ok(self.goto(name, span)),
            ast::StmtKind::NamespaceAlias(from, to) => {
                self.aliases.insert(from.clone(), to.clone());
                Ok(StmtKind::Block(Vec::new()))
            }
            ast::StmtKind::UsingNamespace(name) => {
                self.use_namespace(name);
                Ok(StmtKind::Block(Vec::new()))
            }
            ast::StmtKind::UsingEnum(name) => {
                self.use_enum(name);
                Ok(StmtKind::Block(Vec::new()))
            }
            ast::StmtKind::UsingName(path) => {
                self.use_name(&path.name);
                Ok(StmtKind::Block(Vec::new()))
            }
            ast::StmtKind::Break if self.body.break_label.is_some() => {
                let jump = self.jump_out(span);
                Ok(self.leaving(self.body.break_depth, jump, span))
            }
            ast::StmtKind::Break if self.body.num_loops + self.body.num_switches > 0 => {
                Ok(self.leaving(self.body.break_depth, StmtKind::Break, span))
            }
            ast::StmtKind::Break => self.error(
                span,
                "A `break` statement may only be used within a loop or `switch`; use `return` to leave the function.",
            ),
            ast::StmtKind::Continue if self.body.num_loops > 0 => {
                Ok(self.leaving(self.body.continue_depth, StmtKind::Continue, span))
            }
            ast::StmtKind::Continue => self.error(
                span,
                "A `continue` statement may only be used within a loop; use `return` to leave the function.",
            ),
            ast::StmtKind::Return(value) => self.return_statement(value.as_ref(), span),
        };
        if let Ok(kind) = kind {
            out.push(Stmt { kind, span });
        }
    }

    /// An expression statement.
    fn effect(&mut self, e: &ast::Expr) -> Checks<Expr> {
        let does_nothing = match &e.kind {
            ast::ExprKind::Infix { op, .. } => {
                *op != ast::InfixOp::Comma && !matches!(op, ast::InfixOp::Logical(_))
            }
            ast::ExprKind::Name(_) | ast::ExprKind::Number(_) => true,
            _ => false,
        };
        let mut operand = self.operand(e)?;
        if let Operand::Value(value) = &operand
            && self.needs_destroy(&value.ty)
        {
            operand = Operand::Place(self.stored_in_temporary(value.clone()));
        }
        if does_nothing {
            let hint = match &e.kind {
                ast::ExprKind::Infix {
                    op: ast::InfixOp::Compare(crate::hir::CompareOp::Eq),
                    ..
                } => " Did you mean `=`?",
                _ => "",
            };
            self.warn(
                e.span,
                format!("This expression has no effect: its value is not used.{hint}"),
            );
        }
        let nothing = constant(Const::Bool(false), Type::Bool, e.span);
        let effect = ops::dropped(operand).unwrap_or(nothing);
        Ok(self.end_full_expression(effect))
    }

    fn if_statement(
        &mut self,
        cond: &ast::Expr,
        then: &ast::Stmt,
        otherwise: Option<&ast::Stmt>,
        is_constexpr: bool,
    ) -> Checks<StmtKind> {
        let cond = self.condition(cond);
        if is_constexpr && let Ok(cond) = &cond {
            return match (constant_condition(cond), otherwise) {
                (Some(true), _) => Ok(StmtKind::Block(vec![*self.single_statement(then)])),
                (Some(false), Some(otherwise)) => {
                    Ok(StmtKind::Block(vec![*self.single_statement(otherwise)]))
                }
                (Some(false), None) => Ok(StmtKind::Block(Vec::new())),
                (None, _) => self.error(
                    cond.span,
                    "The condition of `if constexpr` must be a constant expression.",
                ),
            };
        }
        let then = self.single_statement(then);
        let otherwise = otherwise.map(|otherwise| self.single_statement(otherwise));
        Ok(StmtKind::If {
            cond: cond?,
            then,
            otherwise,
        })
    }

    fn loop_body(&mut self, body: &ast::Stmt) -> Box<Stmt> {
        self.body.num_loops += 1;
        let outer = self.body.break_label.take();
        let depth = self.body.cleanups.len();
        let depths = (self.body.break_depth, self.body.continue_depth);
        (self.body.break_depth, self.body.continue_depth) = (depth, depth);
        let body = self.single_statement(body);
        (self.body.break_depth, self.body.continue_depth) = depths;
        self.body.break_label = outer;
        self.body.num_loops -= 1;
        body
    }

    fn for_statement(&mut self, kind: &ast::StmtKind) -> Checks<StmtKind> {
        let ast::StmtKind::For {
            init,
            cond,
            step,
            body,
            unroll,
        } = kind
        else {
            return Err(Reported);
        };
        self.open_scope();
        let mut init_stmts = Vec::new();
        if let Some(init) = init {
            self.statement(init, &mut init_stmts);
        }
        let cond = cond.as_ref().map(|cond| self.condition(cond)).transpose();
        let step = step.as_ref().map(|step| self.effect(step)).transpose();
        let unroll = self.unroll(unroll.as_ref());
        let body = self.loop_body(body);
        let mut ends = Vec::new();
        self.end_scope(body.span, &mut ends);
        self.close_scope();
        let span = body.span;
        let kind = StmtKind::For {
            init: init_stmts,
            cond: cond?,
            step: step?,
            body,
            unroll,
        };
        if ends.is_empty() {
            return Ok(kind);
        }
        ends.insert(0, Stmt { kind, span });
        Ok(StmtKind::Block(ends))
    }

    fn unroll(&mut self, pragma: Option<&UnrollPragma>) -> Option<Unroll> {
        match pragma? {
            UnrollPragma::Known(unroll) => Some(*unroll),
            UnrollPragma::By(count) => {
                let value = self.constant_int(count, "The number of `#pragma unroll`").ok()?;
                if let Ok(count @ 1..) = u32::try_from(value) {
                    Some(Unroll::By(count))
                } else {
                    self.warn(
                        count.span,
                        "`#pragma unroll` needs a number of at least 1; it is ignored.",
                    );
                    None
                }
            }
        }
    }
}
