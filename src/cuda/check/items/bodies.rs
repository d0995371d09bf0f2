//! Function bodies, in the order of the calls, and recursion.

use super::*;

impl Checker {
    /// Checks all functions. Functions of headers and instances of templates are checked only if they are called.
    pub(super) fn check_bodies(&mut self) {
        let mut idx = 0;
        loop {
            // The check of a body can add prelude functions and instances.
            while idx < self.functions.len() {
                if !self.functions[idx].is_on_demand() {
                    self.check_body(FuncId(idx as u32));
                }
                idx += 1;
            }
            let called = std::mem::take(&mut self.called);
            if called.is_empty() {
                return;
            }
            for id in called {
                self.check_body(id);
            }
        }
    }

    /// Checks the body of a function on the first request.
    pub(in crate::check) fn check_body(&mut self, id: FuncId) {
        if self.is_stopped() {
            return;
        }
        let entry = &mut self.functions[id.0 as usize];
        if !matches!(entry.progress, Progress::Declared) {
            return;
        }
        let function = entry.ast.clone();
        let Some(block) = &function.body else {
            // The error is reported at the call.
            entry.progress = Progress::Broken;
            return;
        };
        entry.progress = Progress::Running;
        self.num_open += 1;
        let body = self.initial_body(id, &function, block);
        let is_closure = body.closure.is_some();
        let entry = &self.functions[id.0 as usize];
        let params = entry.params.clone();
        let outer_namespace = std::mem::replace(&mut self.namespace, entry.namespace.clone());
        let outer_class = std::mem::replace(&mut self.class, entry.class);
        let outer = std::mem::replace(&mut self.body, body);
        let outer_unknown = std::mem::take(&mut self.unknown);
        self.enter_object(id);
        if let Some((span, message)) = self.functions[id.0 as usize].mistake.clone() {
            let _ = self.error::<()>(span, message);
        }
        // The body shares the scope of the parameters.
        for (param, info) in function.params.iter().zip(params) {
            self.enter_param(param, info);
        }
        let mut stmts = match self.body.this {
            Some(id) if !is_closure && &*own_name(&function.name.name) == ast::CONSTRUCTOR => {
                self.constructor_prologue(&function, id)
            }
            _ => Vec::new(),
        };
        if let Some(id) = self.body.this
            && &*own_name(&function.name.name) == ast::DESTRUCTOR
        {
            self.set_virtual_table(id, function.name.span, &mut stmts);
        }
        self.enter_destroyed_members(&function, block.end);
        stmts.extend(self.statements(&block.stmts));
        self.end_scope(block.end, &mut stmts);
        self.check_labels(&mut stmts);
        let ret = self
            .body
            .ret
            .clone()
            .filter(|_| self.functions[id.0 as usize].is_auto);
        if let Some(ret) = ret {
            let entry = &mut self.functions[id.0 as usize];
            entry.hir.ret = ret.passed_type();
            entry.ret = ret;
        }
        self.check_end(id, block.end, &stmts);
        let body = std::mem::replace(&mut self.body, outer);
        self.unknown = outer_unknown;
        self.num_open -= 1;
        self.namespace = outer_namespace;
        self.class = outer_class;
        self.store_body(id, body, stmts);
    }

    /// The state before the body of a function is checked.
    fn initial_body(&self, id: FuncId, function: &ast::Function, block: &ast::Block) -> Body {
        let entry = &self.functions[id.0 as usize];
        let closure = entry.class.filter(|id| self.is_closure(*id));
        Body {
            function: Some(id),
            scopes: vec![BTreeMap::new()],
            cleanups: vec![Vec::new()],
            bindings: entry.bindings.clone(),
            this: match closure {
                Some(id) => self.this_of_closure(id),
                None => entry.class.filter(|_| entry.has_this),
            },
            closure,
            ret: Some(entry.ret.clone()),
            result: returned_name(&block.stmts),
            num_params: entry.hir.num_params,
            is_auto: entry.is_auto,
            in_prelude: entry.in_prelude,
            first_call: entry.first_call.filter(|_| function.is_library),
            instance: (!entry.bindings.is_empty()).then(|| entry.hir.name.clone()),
            is_kernel: function.specifiers.global.is_some(),
            broken: function.is_broken,
            ..Body::default()
        }
    }

    /// Declares `this` in a function that is called on an object.
    fn enter_object(&mut self, id: FuncId) {
        let entry = &self.functions[id.0 as usize];
        let Some(class) = entry.class.filter(|_| entry.has_this) else {
            return;
        };
        let (is_const, span) = (entry.ast.is_const, entry.ast.name.span);
        let ty = Self::this_type(class, is_const);
        let this = self.own_local("this", ty, span);
        self.body.locals.push(this);
    }

    /// A local variable that the compiler adds to a function.
    pub(in crate::check) fn own_local(&self, name: &str, ty: Type, span: Span) -> Local {
        Local {
            name: name.to_owned(),
            c_type: self.text(&ty),
            align: self.align_of(&ty),
            ty,
            storage: Storage::Automatic,
            address_taken: false,
            is_volatile: false,
            span,
        }
    }

    /// Registers the members that a destructor destroys after its body.
    fn enter_destroyed_members(&mut self, function: &ast::Function, end: Span) {
        if let Some(id) = self.body.this
            && &*own_name(&function.name.name) == ast::DESTRUCTOR
            && let Some(this) = self.this(end)
        {
            let object = deref(this, false);
            let parts = self.parts_to_destroy(&object, id, end);
            if let Some(scope) = self.body.cleanups.first_mut() {
                scope.extend(parts);
            }
        }
    }

    /// Warns if control can reach the end of a function that returns a value.
    fn check_end(&mut self, id: FuncId, end: Span, stmts: &[Stmt]) {
        let returns = self.functions[id.0 as usize].hir.ret != Type::Void;
        if returns && !self.body.broken && falls_through(stmts) {
            let message = format!(
                "Missing return statement at end of non-void function `{}`.",
                self.functions[id.0 as usize].ast.name.name
            );
            self.warn(end, message);
        }
    }

    /// Stores the checked body of a function.
    fn store_body(&mut self, id: FuncId, body: Body, stmts: Vec<Stmt>) {
        let entry = &mut self.functions[id.0 as usize];
        entry.calls = body.calls;
        if body.broken {
            entry.progress = Progress::Broken;
            let params = entry.hir.num_params as usize;
            entry.hir.locals = body.locals.iter().take(params).cloned().collect();
            self.broken.push((entry.hir.name.clone(), body.locals));
        } else {
            entry.progress = Progress::Done;
            entry.hir.locals = body.locals;
            entry.hir.body = stmts;
        }
    }

    pub(super) fn enter_param(&mut self, param: &ast::Param, info: ParamInfo) {
        let id = LocalId(self.body.locals.len() as u32);
        let ty = info.passed_type();
        let text = self.text(&info.ty);
        let name = param.name.as_ref();
        self.body.locals.push(Local {
            name: name.map_or_else(String::new, |name| name.name.to_string()),
            c_type: if info.is_ref { format!("{text} &") } else { text },
            align: self.align_of(&ty),
            ty,
            storage: Storage::Automatic,
            address_taken: false,
            is_volatile: info.is_volatile && !info.is_ref,
            span: name.map_or(param.ty.span, |name| name.span),
        });
        if !info.is_ref {
            let place = self.local_place(id, param.ty.span);
            self.ends_with_scope(place);
        }
        if let Some(name) = name {
            let symbol = Symbol::Local {
                id,
                is_ref: info.is_ref,
                is_const: info.is_const,
                is_volatile: info.is_volatile,
                constant: None,
            };
            self.declare(name, symbol);
        }
    }

    /// Chips before 2.0 have no call stack, so they do not support recursion.
    pub(super) fn check_recursion(&mut self) {
        if self.capability >= 200 {
            return;
        }
        let callees: Vec<Vec<u32>> = (self.functions.iter())
            .map(|entry| entry.calls.keys().map(|id| id.0).collect())
            .collect();
        let on_cycles = crate::ir::flow::cycles::on_cycles(&callees);
        for (_, start) in on_cycles.iter().zip(0..).filter(|(on_cycle, _)| **on_cycle) {
            let start = FuncId(start);
            let mut reached: BTreeSet<FuncId> = BTreeSet::new();
            let mut next: Vec<(FuncId, Span)> = self.functions[start.0 as usize]
                .calls
                .iter()
                .map(|(id, span)| (*id, *span))
                .collect();
            while let Some((id, span)) = next.pop() {
                if id == start {
                    let message = self.capability_message(200, "Recursion");
                    self.functions[start.0 as usize].progress = Progress::Broken;
                    self.diagnostics.push(Diagnostic::architecture(span, message));
                    break;
                }
                if reached.insert(id) {
                    next.extend(self.functions[id.0 as usize].calls.keys().map(|id| (*id, span)));
                }
            }
        }
    }
}
