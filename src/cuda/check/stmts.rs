//! Statements and local declarations.

use super::items::constant_condition;
use super::{Checker, Checks, Reported, Symbol, expr};
use crate::ast::{self, Declaration, Declarator, Initializer, UnrollPragma};
use crate::hir::{
    Arm, Const, Expr, ExprKind, Init, Local, LocalId, Pointer, Stmt, StmtKind, Storage, Type, Unroll,
};
use engine::ids::Span;

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
        self.statement_inner(stmt, out);
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
            ast::StmtKind::Case(_) | ast::StmtKind::Default => return self.inner_case(stmt, out),
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
        if let super::Operand::Value(value) = &operand
            && self.needs_destroy(&value.ty)
        {
            operand = super::Operand::Place(self.stored_in_temporary(value.clone()));
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
        let nothing = super::constant(Const::Bool(false), Type::Bool, e.span);
        let effect = super::ops::dropped(operand).unwrap_or(nothing);
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

    fn switch(&mut self, value: &ast::Expr, body: &ast::Stmt) -> Checks<StmtKind> {
        let checked = self.value(value);
        let value = checked.and_then(|checked| {
            let switched = checked.ty.clone();
            let checked = super::scoped_enums::as_integer(checked);
            if !checked.ty.is_integer() && checked.ty != Type::Bool {
                let text = self.text(&checked.ty);
                return self.error(
                    value.span,
                    format!(
                        "`switch` needs an integer, not `{text}`; compare with `if`, or convert the value."
                    ),
                );
            }
            let ty = super::ops::promoted(&checked.ty);
            let ty_of_cases = if switched.is_scoped_enum() {
                switched
            } else {
                ty.clone()
            };
            Ok((super::ops::converted(checked, &ty), ty_of_cases))
        });
        let stmts = match &body.kind {
            ast::StmtKind::Block(block) => block.stmts.as_slice(),
            _ => std::slice::from_ref(body),
        };
        let (value, ty) = match value {
            Ok((value, ty)) => (Ok(value), ty),
            Err(reported) => (Err(reported), Type::I32),
        };
        let outer = (self.body.break_label.take(), self.body.jumps.take());
        self.body.num_switches += 1;
        let depth = std::mem::replace(&mut self.body.break_depth, self.body.cleanups.len() + 1);
        self.open_scope();
        let kind = if super::labels::needs_jumps(stmts) {
            self.switch_of_jumps(value, &ty, stmts, body.span)
        } else {
            self.switch_of_arms(value, &ty, stmts, body.span)
        };
        if self.has_cleanups(self.body.break_depth - 1) {
            let _ = self.error::<()>(
                body.span,
                "An object with a destructor is declared between the cases of a `switch`; put it in a block of its \
                 own.",
            );
        }
        self.close_scope();
        self.body.break_depth = depth;
        self.body.num_switches -= 1;
        (self.body.break_label, self.body.jumps) = outer;
        kind
    }

    fn switch_of_arms(
        &mut self,
        value: Checks<Expr>,
        ty: &Type,
        stmts: &[ast::Stmt],
        span: Span,
    ) -> Checks<StmtKind> {
        let mut arms: Vec<Arm> = Vec::new();
        // Declarations before the first label.
        let mut before = Vec::new();
        let start = self.body.labels.alive();
        for stmt in stmts {
            match &stmt.kind {
                ast::StmtKind::Case(label) => {
                    let number = self.case_value(label, ty);
                    self.warn_skipped(start, stmt.span);
                    let arm = open_arm(&mut arms, stmt.span);
                    if let Ok(number) = number {
                        arm.values.push(super::scoped_enums::wrapped_case(number, ty));
                    }
                }
                ast::StmtKind::Default => {
                    self.check_default(&arms, stmt.span);
                    self.warn_skipped(start, stmt.span);
                    open_arm(&mut arms, stmt.span).is_default = true;
                }
                _ => {
                    let target = arms.last_mut().map_or(&mut before, |arm| &mut arm.body);
                    let mut stmts = std::mem::take(target);
                    self.statement(stmt, &mut stmts);
                    *arms.last_mut().map_or(&mut before, |arm| &mut arm.body) = stmts;
                }
            }
        }
        self.check_values(&arms, span)?;
        Ok(StmtKind::Switch { value: value?, arms })
    }

    /// Reports duplicate case values.
    pub(super) fn check_values(&mut self, arms: &[Arm], span: Span) -> Checks<()> {
        let mut seen: Vec<i128> = arms.iter().flat_map(|arm| arm.values.iter().copied()).collect();
        seen.sort_unstable();
        match seen.windows(2).find(|pair| pair[0] == pair[1]) {
            Some([twice, ..]) => {
                let message = format!(
                    "The case label value {twice} appears twice in this `switch`; remove one of the two."
                );
                self.error(span, message)
            }
            _ => Ok(()),
        }
    }

    /// Reports a duplicate `default` label.
    pub(super) fn check_default(&mut self, arms: &[Arm], span: Span) {
        if arms.iter().any(|arm| arm.is_default) {
            self.report_default(span);
        }
    }

    pub(super) fn report_default(&mut self, span: Span) {
        let _ = self.error::<()>(span, "A `default` label has already appeared in this `switch`.");
    }

    fn return_statement(&mut self, value: Option<&ast::Expr>, span: Span) -> Checks<StmtKind> {
        let Some(info) = self.body.ret.clone() else {
            return Err(Reported);
        };
        let ret = info.ty;
        if std::mem::take(&mut self.body.is_auto)
            && let Some(value) = value
        {
            let (value, returned) = self.returned_value(value, None)?;
            if let Some(info) = &mut self.body.ret {
                info.ty = value.ty.clone();
            }
            return Ok(if value.ty == Type::Void {
                self.return_after_call(value, span)
            } else {
                self.returning(Some(value), returned, span)
            });
        }
        match value {
            Some(value) if info.is_ref => {
                let operand = self.operand(value)?;
                let address = self.bind_reference(operand, &ret, info.is_const, value.span)?;
                self.warn_dangling(&address, value.span);
                Ok(self.returning(Some(address), None, span))
            }
            None if ret == Type::Void => Ok(self.returning(None, None, span)),
            None => {
                let message = format!("This function must return a value of type `{}`.", self.text(&ret));
                self.error(span, message)
            }
            Some(value) if ret == Type::Void => {
                let returned = self.operand(value)?;
                if *super::ops::operand_type(&returned) == Type::Void {
                    let call = self.rvalue(returned)?;
                    return Ok(self.return_after_call(call, span));
                }
                let message = if self.body.is_kernel {
                    "A kernel returns no value; store the result in memory that a parameter points to."
                } else {
                    "This function returns void; declare it with the type of this value."
                };
                self.error(value.span, message)
            }
            Some(value) => {
                let (value, returned) = self.returned_value(value, Some(&ret))?;
                Ok(self.returning(Some(value), returned, span))
            }
        }
    }

    /// The return value; with the variable that is returned without a copy.
    fn returned_value(&mut self, e: &ast::Expr, ret: Option<&Type>) -> Checks<(Expr, Option<LocalId>)> {
        const CONTEXT: &str = "as the result of this function";
        let local = match &e.kind {
            ast::ExprKind::Name(name) => {
                match self.body.scopes.iter().rev().find_map(|scope| scope.get(name)) {
                    Some(Symbol::Local {
                        id, is_ref: false, ..
                    }) => Some(*id),
                    _ => None,
                }
            }
            _ => None,
        };
        let moves = local.filter(|id| {
            let local = &self.body.locals[id.0 as usize];
            local.storage == Storage::Automatic
                && ret.is_none_or(|ret| local.ty == *ret)
                && (self.needs_copy(&local.ty) || self.needs_destroy(&local.ty))
        });
        if let Some(id) = moves {
            let mut operand = self.operand(e)?;
            let value = self.rvalue(operand.clone())?;
            let is_result =
                matches!(&e.kind, ast::ExprKind::Name(name) if self.body.result.as_ref() == Some(name));
            if id.0 >= self.body.num_params && is_result {
                return Ok((value, Some(id)));
            }
            if let super::Operand::Place(lvalue) = &mut operand {
                lvalue.expires = true;
            }
            return Ok((self.copied(&operand, value)?, None));
        }
        let value = if let Some(ret) = ret {
            self.initial_value(e, ret, CONTEXT)?
        } else {
            let operand = self.operand(e)?;
            let value = self.rvalue(operand.clone())?;
            self.copied(&operand, value)?
        };
        Ok((value, None))
    }

    /// `return f();` in a void function: the call, then the return.
    fn return_after_call(&mut self, call: Expr, span: Span) -> StmtKind {
        let call = self.end_full_expression(call);
        let kind = self.returning(None, None, span);
        let stmt = |kind| Stmt { kind, span };
        StmtKind::Block(vec![stmt(StmtKind::Expr(call)), stmt(kind)])
    }

    fn local_declaration(&mut self, declaration: &Declaration, out: &mut Vec<Stmt>) {
        if declaration.declarators.is_empty() {
            let _ = self.resolve(&declaration.ty, None);
            return;
        }
        for declarator in &declaration.declarators {
            if self.local_variable(declaration, declarator, out).is_err()
                && !self
                    .body
                    .scopes
                    .last()
                    .is_some_and(|scope| scope.contains_key(&declarator.name.name))
            {
                self.declare(&declarator.name, Symbol::Poison);
            }
        }
    }

    fn local_variable(
        &mut self,
        declaration: &Declaration,
        declarator: &Declarator,
        out: &mut Vec<Stmt>,
    ) -> Checks<()> {
        let specifiers = &declaration.specifiers;
        let name = &declarator.name;
        let auto_ty = self.auto_type(declarator)?;
        let is_auto_const = auto_ty.as_ref().is_some_and(|(_, is_const)| *is_const);
        let mut resolved = self.resolve(&declarator.ty, auto_ty.as_ref().map(|(ty, _)| ty))?;
        resolved.is_const |= is_auto_const;
        if specifiers.is_typedef {
            self.declare(
                name,
                Symbol::Type {
                    reference: resolved.reference(),
                    ty: resolved.ty,
                    is_const: resolved.is_const,
                },
            );
            return Ok(());
        }
        if resolved.ty == Type::Void {
            return self.error(name.span, "A variable cannot be void.");
        }
        if !self.is_complete(&resolved.ty) {
            let text = self.text(&resolved.ty);
            return self.error(name.span, format!("`{text}` is declared, but not defined here."));
        }
        if (specifiers.constant || specifiers.device) && !specifiers.is_static {
            return self.error(
                name.span,
                "`__constant__` and `__device__` variables are declared outside functions.",
            );
        }
        if specifiers.shared.is_some() {
            return self.shared_variable(specifiers, declarator, resolved);
        }
        let full_name = name.name.to_string();
        let is_known = matches!(resolved.ty, Type::Array(..)) || resolved.ty.is_aggregate();
        if resolved.is_const
            && (specifiers.is_static || (specifiers.is_constexpr && is_known))
            && !resolved.is_ref
        {
            return self.constant_variable(declaration, declarator, resolved, full_name);
        }
        if specifiers.is_static {
            return self
                .global(specifiers, declarator, resolved, full_name)
                .map(|_| ());
        }
        if specifiers.is_extern {
            return self.error(
                name.span,
                "`extern` in a kernel is only allowed for `__shared__` arrays.",
            );
        }
        self.automatic(specifiers, declarator, resolved, out)
    }

    /// The type that replaces `auto`, and whether a reference to const requires it to be const.
    fn auto_type(&mut self, declarator: &Declarator) -> Checks<Option<(Type, bool)>> {
        if !matches!(declarator.ty.base, ast::BaseType::Auto) {
            return Ok(None);
        }
        match &declarator.init {
            Some(Initializer::Value(value)) if !matches!(value.kind, ast::ExprKind::List(_)) => {
                let operand = self.operand(value)?;
                let is_ref = declarator
                    .ty
                    .derived
                    .iter()
                    .any(|step| matches!(step, ast::Derived::Reference | ast::Derived::RvalueReference));
                if is_ref {
                    let is_const = match &operand {
                        super::Operand::Place(lvalue) => {
                            lvalue.is_const && !self.is_constant_memory(&lvalue.place)
                        }
                        super::Operand::Computed { is_const, .. } => *is_const,
                        super::Operand::Bits(bits) => bits.is_const,
                        super::Operand::Value(_) => false,
                    };
                    return Ok(Some((super::ops::operand_type(&operand).clone(), is_const)));
                }
                let mut ty = self.rvalue(operand)?.ty;
                if let Type::Pointer(pointer) = &mut ty {
                    pointer.restrict = false;
                }
                Ok(Some((ty, false)))
            }
            _ => Ok(None),
        }
    }

    fn shared_variable(
        &mut self,
        specifiers: &ast::Specifiers,
        declarator: &Declarator,
        resolved: super::types::Resolved,
    ) -> Checks<()> {
        let name = &declarator.name;
        if resolved.is_ref {
            return self.error(name.span, "A `__shared__` variable cannot be a reference.");
        }
        if declarator.init.is_some() {
            let _ = self.shared_init::<()>(name.span);
        }
        if resolved.open_array && !specifiers.is_extern {
            return self.error(
                name.span,
                "This shared array needs a size; with `extern __shared__`, the launch sets the size.",
            );
        }
        let storage = if specifiers.is_extern {
            Storage::DynamicShared
        } else {
            Storage::Shared
        };
        let align = match &specifiers.align {
            Some(wanted) => self.alignment(wanted)?,
            None => 1,
        };
        let ty = resolved.ty;
        let id = LocalId(self.body.locals.len() as u32);
        self.body.locals.push(Local {
            name: name.name.to_string(),
            c_type: self.text(&ty),
            align: self.align_of(&ty).max(align),
            ty,
            storage,
            address_taken: false,
            is_volatile: resolved.is_volatile,
            span: name.span,
        });
        let symbol = Symbol::Local {
            id,
            is_ref: false,
            is_const: resolved.is_const,
            is_volatile: resolved.is_volatile,
            constant: None,
        };
        self.declare(name, symbol);
        Ok(())
    }

    fn automatic(
        &mut self,
        specifiers: &ast::Specifiers,
        declarator: &Declarator,
        resolved: super::types::Resolved,
        out: &mut Vec<Stmt>,
    ) -> Checks<()> {
        let name = &declarator.name;
        let mut ty = resolved.ty.clone();
        let is_written = !matches!(declarator.ty.base, ast::BaseType::Auto) && !resolved.is_ref;
        if is_written
            && !resolved.open_array
            && matches!(ty, Type::Pointer(_)) | super::ops::is_arithmetic(ty.representation())
            && let Some(value) = declarator.single_value()
            && mentions(value, &name.name)
        {
            return self.self_referential_variable(specifiers, declarator, resolved, &value.clone(), out);
        }
        if !resolved.is_ref && self.has_constructor(&ty) && is_made_in_place(declarator) {
            return self.construct_in_place(specifiers, declarator, resolved, out);
        }
        let init = self.automatic_init(declarator, &resolved, &mut ty);
        if resolved.is_ref {
            ty = Type::Pointer(Box::new(Pointer {
                pointee: ty,
                is_const: resolved.is_const,
                is_volatile: resolved.is_volatile,
                restrict: false,
            }));
        }
        // The variable is declared even if its initializer has an error, unless the initializer determines its type.
        let init = match init {
            Err(reported) if resolved.open_array || matches!(declarator.ty.base, ast::BaseType::Auto) => {
                return Err(reported);
            }
            Err(Reported) => None,
            Ok(init) => init,
        };
        let constant = match &init {
            Some(Init::Value(value)) if resolved.is_const && !resolved.is_volatile && !resolved.is_ref => {
                self.evaluate(value)
            }
            _ => None,
        };
        if specifiers.is_constexpr && constant.is_none() && init.is_some() && !self.body.in_prelude {
            return self.error(
                name.span,
                format!(
                    "The initializer of `{}` must be a constant expression.",
                    name.name
                ),
            );
        }
        let init = match (constant, init) {
            (Some(known), Some(Init::Value(value))) => Some(Init::Value(Expr {
                kind: ExprKind::Const(known),
                ..value
            })),
            (_, init) => init,
        };
        self.enter_variable(specifiers, declarator, &resolved, ty, constant, init, out)
    }

    /// A variable whose initializer mentions it: `T *p = (T *)find(sizeof(*p))`.
    fn self_referential_variable(
        &mut self,
        specifiers: &ast::Specifiers,
        declarator: &Declarator,
        resolved: super::types::Resolved,
        value: &ast::Expr,
        out: &mut Vec<Stmt>,
    ) -> Checks<()> {
        let span = declarator.name.span;
        let ty = resolved.ty.clone();
        let is_const = resolved.is_const;
        self.variable_without_value(specifiers, declarator, resolved, is_const, out)?;
        let Some(Symbol::Local { id, .. }) = self.lookup(&declarator.name.name).cloned() else {
            return Err(Reported);
        };
        let value = self.initial_value(value, &ty, "in the initializer of this variable")?;
        let place = self.local_place(id, span);
        out.push(Stmt {
            kind: StmtKind::Expr(super::ops::assign(place, value, span)),
            span,
        });
        Ok(())
    }

    /// Declares a variable after its initializer.
    fn variable_without_value(
        &mut self,
        specifiers: &ast::Specifiers,
        declarator: &Declarator,
        resolved: super::types::Resolved,
        is_const: bool,
        out: &mut Vec<Stmt>,
    ) -> Checks<()> {
        let ty = resolved.ty.clone();
        let resolved = super::types::Resolved { is_const, ..resolved };
        self.enter_variable(specifiers, declarator, &resolved, ty, None, None, out)
    }

    #[expect(clippy::too_many_arguments, reason = "what a variable has")]
    fn enter_variable(
        &mut self,
        specifiers: &ast::Specifiers,
        declarator: &Declarator,
        resolved: &super::types::Resolved,
        ty: Type,
        constant: Option<Const>,
        init: Option<Init>,
        out: &mut Vec<Stmt>,
    ) -> Checks<()> {
        let name = &declarator.name;
        let align = match &specifiers.align {
            Some(wanted) => self.alignment(wanted)?,
            None => 1,
        };
        let text = self.text(&resolved.ty);
        let id = LocalId(self.body.locals.len() as u32);
        self.body.locals.push(Local {
            name: name.name.to_string(),
            c_type: if resolved.is_ref {
                format!("{text} &")
            } else {
                text
            },
            align: self.align_of(&ty).max(align),
            ty,
            storage: Storage::Automatic,
            address_taken: false,
            is_volatile: resolved.is_volatile && !resolved.is_ref,
            span: name.span,
        });
        let symbol = Symbol::Local {
            id,
            is_ref: resolved.is_ref,
            is_const: resolved.is_const,
            is_volatile: resolved.is_volatile,
            constant,
        };
        self.declare(name, symbol);
        if init.is_some() {
            self.body.labels.initialize(id);
        }
        out.push(Stmt {
            kind: StmtKind::Declare { local: id, init },
            span: name.span,
        });
        if resolved.is_ref {
            // The reference extends the lifetime of the temporary object.
            for place in std::mem::take(&mut self.body.temporaries) {
                self.ends_with_scope(place);
            }
        } else {
            let place = self.local_place(id, name.span);
            self.ends_with_scope(place);
        }
        Ok(())
    }

    /// A variable that is constructed in place.
    fn construct_in_place(
        &mut self,
        specifiers: &ast::Specifiers,
        declarator: &Declarator,
        resolved: super::types::Resolved,
        out: &mut Vec<Stmt>,
    ) -> Checks<()> {
        let span = declarator.name.span;
        let args = match &declarator.init {
            Some(Initializer::Constructor(args)) => args.clone(),
            Some(Initializer::Value(ast::Expr {
                kind: ast::ExprKind::List(items),
                ..
            })) => items.iter().map(|(_, value)| value.clone()).collect(),
            _ => Vec::new(),
        };
        let args = self.arguments(&args);
        let is_const = resolved.is_const;
        let ty = resolved.ty.clone();
        // The variable is const only after construction.
        let open = super::types::Resolved {
            is_const: false,
            ..resolved
        };
        let bare = Declarator {
            init: None,
            ..declarator.clone()
        };
        self.variable_without_value(specifiers, &bare, open, is_const, out)?;
        let Some(Symbol::Local { id, .. }) = self.lookup(&declarator.name.name).cloned() else {
            return Err(Reported);
        };
        self.body.labels.initialize(id);
        let place = self.local_place(id, span);
        let object = super::Operand::Place(super::Lvalue {
            place: place.clone(),
            is_const: false,
            constant: None,
            expires: false,
        });
        let args = args?;
        if let [super::calls::Arg::Operand(operand, only)] = args.as_slice()
            && only.ty == ty
        {
            let is_place = matches!(
                operand,
                super::Operand::Place(_) | super::Operand::Computed { .. }
            );
            let source = self.designated(operand.clone());
            let made = match source {
                super::Operand::Place(source) if is_place && self.needs_copy(&ty) => {
                    self.copy_into(place, source, span)?
                }
                _ => super::ops::assign(place, only.clone(), span),
            };
            out.push(Stmt {
                kind: StmtKind::Expr(made),
                span,
            });
            return Ok(());
        }
        let crate::hir::Type::Struct(class) = ty else {
            return Err(Reported);
        };
        let call = self.call_method(object, class, ast::CONSTRUCTOR, None, &args, span)?;
        let call = self.rvalue(call)?;
        out.push(Stmt {
            kind: StmtKind::Expr(call),
            span,
        });
        Ok(())
    }

    /// The initializer of a variable in registers or local memory.
    fn automatic_init(
        &mut self,
        declarator: &Declarator,
        resolved: &super::types::Resolved,
        ty: &mut Type,
    ) -> Checks<Option<Init>> {
        let name = &declarator.name;
        if resolved.is_ref {
            return self.reference_init(declarator, resolved).map(Some);
        }
        let init = match &declarator.init {
            None if resolved.open_array => {
                return self.error(name.span, "This array needs a size or a list of values.");
            }
            None if self.has_default(ty) => {
                let mut parts = Vec::new();
                self.default_parts(ty, 0, name.span, &mut parts)?;
                Init::Parts {
                    zero_rest: false,
                    parts,
                }
            }
            None if resolved.is_const => {
                return self.error(
                    name.span,
                    format!("The const variable `{}` requires an initializer.", name.name),
                );
            }
            None if is_dim3(ty) => Init::Value(self.constructed(ty, &[], name.span)?),
            None => return Ok(None),
            Some(Initializer::Value(value)) => self.variable_init(ty, resolved.open_array, value)?,
            Some(Initializer::Constructor(args)) if ty.is_aggregate() => {
                Init::Value(self.constructed(ty, args, name.span)?)
            }
            Some(Initializer::Constructor(args)) => match args.as_slice() {
                [arg] => Init::Value(self.initial_value(arg, ty, "in the initializer of this variable")?),
                _ => {
                    return self.error(
                        name.span,
                        format!("`{}` is a single value; initialize it with one value.", name.name),
                    );
                }
            },
        };
        Ok(Some(init))
    }

    fn reference_init(&mut self, declarator: &Declarator, resolved: &super::types::Resolved) -> Checks<Init> {
        let name = &declarator.name;
        let value = match &declarator.init {
            Some(Initializer::Value(value)) => value,
            Some(Initializer::Constructor(args)) if args.len() == 1 => &args[0],
            _ => {
                return self.error(
                    name.span,
                    format!("The reference `{}` requires an initializer.", name.name),
                );
            }
        };
        let operand = self.operand(value)?;
        // `T &&` extends the lifetime of a temporary object.
        let takes_values = resolved.is_const || resolved.takes_values;
        self.bind_reference(operand, &resolved.ty, takes_values, value.span)
            .map(Init::Value)
    }

    /// The address that a reference receives from an operand.
    pub(super) fn bind_reference(
        &mut self,
        operand: super::Operand,
        ty: &Type,
        is_const: bool,
        span: Span,
    ) -> Checks<Expr> {
        let from = super::ops::operand_type(&operand).clone();
        let is_derived = self.derives(&from, ty);
        let operand = match operand {
            super::Operand::Value(value) if is_derived => {
                super::Operand::Place(self.stored_in_temporary(value))
            }
            other => other,
        };
        let mut operand = if is_derived || *super::ops::operand_type(&operand) == *ty {
            self.designated(operand)
        } else {
            operand
        };
        if let super::Operand::Place(lvalue) = &mut operand
            && is_derived
        {
            let is_volatile = lvalue.place.is_volatile;
            let address = self.address_of(lvalue.clone(), span);
            let mut address = self.derived_to_base_address(address, &from, ty);
            address.ty = ty.clone().pointer_to();
            lvalue.place = super::names::deref(address, is_volatile);
        }
        if let super::Operand::Place(lvalue) = &operand
            && lvalue.place.ty == *ty
            && lvalue.constant.is_none()
        {
            if lvalue.is_const && !is_const && !self.is_constant_memory(&lvalue.place) {
                return self.error(
                    span,
                    "A non-const reference cannot be bound to a const object; declare the reference const.",
                );
            }
            let lvalue = super::Lvalue {
                is_const,
                ..lvalue.clone()
            };
            return Ok(self.address_of(lvalue, span));
        }
        if !is_const {
            let from = super::ops::operand_type(&operand);
            let (text, from_text) = (self.text(ty), self.text(from));
            let message = match &operand {
                super::Operand::Bits(_) => {
                    "A non-const reference cannot be bound to a bit-field; copy the bit-field to a variable."
                        .to_owned()
                }
                super::Operand::Place(lvalue) if lvalue.place.ty == *ty && lvalue.is_const => {
                    "A non-const reference cannot be bound to a const object; declare the reference const."
                        .to_owned()
                }
                super::Operand::Place(lvalue) if lvalue.place.ty != *ty => {
                    format!(
                        "A reference to `{text}` must be initialized with an lvalue of this type, not of type \
                         `{from_text}`."
                    )
                }
                _ => format!(
                    "A reference to `{text}` must be initialized with an lvalue of this type, not a temporary value."
                ),
            };
            return self.error(span, message);
        }
        let value = self.rvalue(operand)?;
        let value = self.implicit(value, ty, "here")?;
        let kept = self.temporary(ty.clone(), span);
        let place = self.local_place(kept, span);
        self.ends_with_expression(&value, &place);
        let store = super::ops::assign(place.clone(), value, span);
        let lvalue = super::Lvalue {
            place,
            is_const: true,
            constant: None,
            expires: false,
        };
        let address = self.address_of(lvalue, span);
        let ty = address.ty.clone();
        let kind = ExprKind::Comma {
            first: Box::new(store),
            second: Box::new(address),
        };
        Ok(expr(kind, ty, span))
    }
}

/// Whether an expression names a variable.
fn mentions(value: &ast::Expr, name: &ast::Name) -> bool {
    struct Finds<'a>(&'a ast::Name, bool);
    impl ast::walk::Visit for Finds<'_> {
        fn name(&mut self, name: &mut ast::Name) {
            self.1 |= *name == *self.0;
        }
    }
    let mut finds = Finds(name, false);
    ast::walk::Visit::expr(&mut finds, &mut value.clone());
    finds.1
}

/// Whether a constructor can run on the variable in place.
const fn is_made_in_place(declarator: &Declarator) -> bool {
    matches!(
        &declarator.init,
        None | Some(
            Initializer::Constructor(_)
                | Initializer::Value(ast::Expr {
                    kind: ast::ExprKind::List(_),
                    ..
                })
        )
    )
}

/// Whether the type is `dim3`, whose constructor sets omitted members to 1.
fn is_dim3(ty: &Type) -> bool {
    matches!(ty, Type::Vector(vector) if vector.name == "dim3")
}

/// The arm of a label. Adjacent labels share an arm.
fn open_arm(arms: &mut Vec<Arm>, span: Span) -> &mut Arm {
    let shares = arms.last().is_some_and(|arm| arm.body.is_empty());
    if !shares {
        arms.push(Arm {
            values: Vec::new(),
            is_default: false,
            body: Vec::new(),
            span,
        });
    }
    let last = arms.len() - 1;
    &mut arms[last]
}

/// Whether control can reach the end of these statements.
pub(super) fn falls_through(stmts: &[Stmt]) -> bool {
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
