//! Calls of functions, methods, and lambdas that the source defines.

use std::rc::Rc;

use super::machine::*;
use super::memory::*;
use super::tree::*;
use super::types::strip;
use super::value::*;

impl Machine {
    pub(super) fn call_expr(&mut self, callee: &Expr, args: &[Expr], line: u32) -> Runs<Value> {
        match &callee.kind {
            ExprKind::Name {
                name,
                args: template_args,
                ..
            } => {
                if self.variable(*name).is_none() || self.functions.contains_key(name) {
                    if let Some(this) = self.frames.last().and_then(|frame| frame.this) {
                        let method = self.method(this.1, *name, args.len());
                        if let Some(method) = method {
                            return self.call_function(&method, &[], args, Some(this));
                        }
                    }
                    let template_args = template_args.as_deref().unwrap_or_default();
                    if let Some(function) = self.overload(*name, args)? {
                        if function.is_kernel {
                            return Ok(Value::unknown(self.not_evaluated("a call of a kernel")));
                        }
                        if function.body.is_some() {
                            return self.call_function(&function, template_args, args, None);
                        }
                    }
                    let text = self.text(*name).to_owned();
                    self.line = line;
                    return self.library_call(&text, template_args, args);
                }
                self.call_object(callee, args)
            }
            ExprKind::Member {
                object,
                name,
                is_arrow,
            } => {
                self.line = line;
                self.method_call(object, *name, *is_arrow, args)
            }
            _ => self.call_object(callee, args),
        }
    }

    /// Calls the function object in a variable.
    fn call_object(&mut self, callee: &Expr, args: &[Expr]) -> Runs<Value> {
        if let Some(at) = self.place(callee)? {
            match at.ty {
                Ty::Engine(_) => return Ok(self.engine_number(at)),
                Ty::Distribution(..) => return self.distribution_number(at, args),
                Ty::Struct(id) => {
                    if let Some(name) = self.id("operator()")
                        && let Some(method) = self.method(id, name, args.len())
                        && method.body.is_some()
                        && at.state == KNOWN
                    {
                        return self.call_function(&method, &[], args, Some((at.address, id)));
                    }
                }
                _ => {}
            }
            let value = self.load(at);
            return self.call_value(&value, args);
        }
        let value = self.eval(callee)?;
        if matches!(value.ty, Ty::Engine(_)) {
            // `std::random_device{}()`, and the first number of a temporary engine.
            let at = self.temporary(value);
            return Ok(self.engine_number(at));
        }
        self.call_value(&value, args)
    }

    pub(super) fn call_value(&mut self, value: &Value, args: &[Expr]) -> Runs<Value> {
        if value.ty == Ty::Function && value.is_known() {
            match self.callees.get(value.bits as usize).cloned() {
                Some(Callee::Named(name, template_args, _)) => {
                    if let Some(function) = self.overload(name, args)?
                        && function.body.is_some()
                    {
                        return self.call_function(&function, &template_args, args, None);
                    }
                }
                Some(Callee::Lambda(function, outer)) => {
                    let passed = self.passed(&function, args)?;
                    return self.call_lambda(&function, outer, passed);
                }
                None => {}
            }
        }
        if let Ty::Struct(_) = value.ty {
            let state = self.not_evaluated("a call of an object");
            self.forget_args(args, state)?;
            return Ok(Value::unknown(state));
        }
        let state = self.not_evaluated("a call");
        self.forget_args(args, state)?;
        Ok(Value::unknown(state))
    }

    /// Calls a function or lambda with values.
    pub(super) fn call_with_values(&mut self, callee: &Value, args: Vec<Value>) -> Runs<Option<Value>> {
        let args = args.into_iter().map(|value| (value, None)).collect();
        self.call_with_passed(callee, args)
    }

    /// Like `call_with_values`, with the places of the arguments, for reference parameters.
    pub(super) fn call_with_passed(&mut self, callee: &Value, args: Vec<Passed>) -> Runs<Option<Value>> {
        if callee.ty != Ty::Function || !callee.is_known() {
            return Ok(None);
        }
        match self.callees.get(callee.bits as usize).cloned() {
            Some(Callee::Lambda(function, outer)) => Ok(Some(self.call_lambda(&function, outer, args)?)),
            Some(Callee::Named(name, ..)) => {
                let found = self
                    .functions
                    .get(&name)
                    .and_then(|list| list.iter().find(|f| f.body.is_some()).cloned());
                match found {
                    Some(function) => Ok(Some(self.call_with(&function, &[], args, None)?)),
                    None => Ok(None),
                }
            }
            None => Ok(None),
        }
    }

    pub(super) fn call_lambda(
        &mut self,
        function: &Rc<Function>,
        outer: usize,
        args: Vec<Passed>,
    ) -> Runs<Value> {
        if outer >= self.frames.len() {
            return Ok(Value::unknown(self.not_evaluated("a lambda")));
        }
        let this = self.frames[outer].this;
        self.enter(function, Vec::new(), args, this, Some(outer))
    }

    pub(super) fn method(&self, id: u32, name: Name, num_args: usize) -> Option<Rc<Function>> {
        self.records[id as usize]
            .methods
            .iter()
            .find(|method| {
                let required = method
                    .params
                    .iter()
                    .filter(|param| param.default.is_none())
                    .count();
                method.name == name && (required..=method.params.len()).contains(&num_args)
            })
            .cloned()
    }

    /// The overload that matches the arguments best.
    pub(super) fn overload(&mut self, name: Name, args: &[Expr]) -> Runs<Option<Rc<Function>>> {
        let Some(list) = self.functions.get(&name) else {
            return Ok(None);
        };
        let fitting: Vec<Rc<Function>> = list
            .iter()
            .filter(|function| {
                let required = function
                    .params
                    .iter()
                    .filter(|param| param.default.is_none())
                    .count();
                (required..=function.params.len()).contains(&args.len())
            })
            .cloned()
            .collect();
        let with_body: Vec<Rc<Function>> = fitting
            .iter()
            .filter(|function| function.body.is_some())
            .cloned()
            .collect();
        let fitting = if with_body.is_empty() { fitting } else { with_body };
        if fitting.len() < 2 {
            return Ok(fitting.into_iter().next());
        }
        let mut types = Vec::new();
        for arg in args {
            types.push(match self.place(arg)? {
                Some(at) => match at.ty {
                    Ty::Array(elem, _) => Ty::Pointer(elem),
                    ty => ty,
                },
                // Determining its type would evaluate it twice.
                None if has_effect(arg) => Ty::Opaque,
                None => self.eval(arg)?.ty,
            });
        }
        let mut best: Option<(i32, Rc<Function>)> = None;
        for function in fitting {
            let mut score = i32::from(function.templates.is_empty());
            for (param, ty) in function.params.iter().zip(&types) {
                if function.templates.is_empty() && self.resolve(&param.ty)? == *ty {
                    score += 4;
                } else if matches!(strip(&param.ty), TypeExpr::Pointer { .. }) == matches!(ty, Ty::Pointer(_))
                {
                    score += 1;
                }
            }
            if best.as_ref().is_none_or(|(other, _)| score > *other) {
                best = Some((score, function));
            }
        }
        Ok(best.map(|(_, function)| function))
    }

    pub(super) fn passed(&mut self, function: &Function, args: &[Expr]) -> Runs<Vec<Passed>> {
        let mut passed = Vec::new();
        // C++ does not define the order; g++ evaluates the last argument first.
        for (idx, arg) in args.iter().enumerate().rev() {
            let is_ref = function
                .params
                .get(idx)
                .is_some_and(|param| matches!(param.ty, TypeExpr::Reference(_)));
            let at = if is_ref { self.place(arg)? } else { None };
            let value = match at {
                Some(at) => self.load(at),
                None => self.eval(arg)?,
            };
            passed.push((value, at));
        }
        passed.reverse();
        Ok(passed)
    }

    pub(super) fn call_function(
        &mut self,
        function: &Rc<Function>,
        template_args: &[TemplateArg],
        args: &[Expr],
        this: Option<(u64, u32)>,
    ) -> Runs<Value> {
        let passed = self.passed(function, args)?;
        self.call_with(function, template_args, passed, this)
    }

    pub(super) fn call_with(
        &mut self,
        function: &Rc<Function>,
        template_args: &[TemplateArg],
        args: Vec<Passed>,
        this: Option<(u64, u32)>,
    ) -> Runs<Value> {
        let mut bindings = match this {
            Some((_, id)) => self.records[id as usize].bindings.clone(),
            None => Vec::new(),
        };
        bindings.extend(self.deduce(function, template_args, &args)?);
        self.enter(function, bindings, args, this, None)
    }

    /// The template arguments of a function template.
    pub(super) fn deduce(
        &mut self,
        function: &Function,
        template_args: &[TemplateArg],
        args: &[Passed],
    ) -> Runs<Vec<(Name, Binding)>> {
        let mut bindings: Vec<(Name, Binding)> = Vec::new();
        for (idx, (param, arg)) in function.templates.iter().zip(template_args).enumerate() {
            let mut binding = self.bind(arg)?;
            if param.is_pack {
                // A pack takes all remaining arguments.
                let mut texts = Vec::new();
                for arg in &template_args[idx..] {
                    let binding = self.bind(arg)?;
                    texts.push(self.binding_text(&binding));
                }
                binding = Binding::Text(texts.join(", "));
            }
            // No name has this index.
            bindings.push((param.name.unwrap_or(Name::MAX), binding));
        }
        for param in function.templates.iter().skip(template_args.len()) {
            let Some(name) = param.name else {
                continue;
            };
            let mut found = None;
            for (parameter, (value, at)) in function.params.iter().zip(args) {
                let ty = match at {
                    Some(at) => at.ty,
                    None => value.ty,
                };
                found = self.deduced_binding(&parameter.ty, ty, name);
                if found.is_some() {
                    break;
                }
            }
            let binding = match (found, &param.default) {
                (Some(binding), _) => binding,
                (None, Some(default)) => {
                    self.frames.push(Frame {
                        bindings: bindings.clone(),
                        ..Frame::default()
                    });
                    let binding = self.bind(default);
                    self.frames.pop();
                    binding?
                }
                (None, None) => continue,
            };
            bindings.push((name, binding));
        }
        Ok(bindings)
    }

    /// Deduces a template argument by matching a type with a written type.
    pub(super) fn deduced_binding(&self, written: &TypeExpr, ty: Ty, wanted: Name) -> Option<Binding> {
        match (written, ty) {
            (TypeExpr::Named(name, args), _) if *name == wanted && args.is_empty() => {
                (!matches!(ty, Ty::Opaque | Ty::Void)).then_some(Binding::Type(ty))
            }
            (TypeExpr::Reference(to), _) => self.deduced_binding(to, ty, wanted),
            (TypeExpr::Pointer { to, .. }, Ty::Pointer(id) | Ty::Array(id, _)) => {
                self.deduced_binding(to, self.pointee(id), wanted)
            }
            (TypeExpr::Array(elem, len), Ty::Array(id, count)) => match len.as_deref() {
                Some(Expr {
                    kind: ExprKind::Name { name, .. },
                    ..
                }) if *name == wanted => Some(Binding::Value(Value::new(Ty::U64, count, KNOWN))),
                _ => self.deduced_binding(elem, self.pointee(id), wanted),
            },
            (TypeExpr::Named(_, args), Ty::Vector(id)) => match args.first() {
                Some(TemplateArg::Type(elem)) => self.deduced_binding(elem, self.pointee(id), wanted),
                _ => None,
            },
            (TypeExpr::Named(_, args), Ty::Struct(id)) => {
                let bindings = &self.records[id as usize].bindings;
                args.iter()
                    .zip(bindings)
                    .find_map(|(arg, (_, binding))| match (arg, binding) {
                        (TemplateArg::Type(written), Binding::Type(ty)) => {
                            self.deduced_binding(written, *ty, wanted)
                        }
                        (
                            TemplateArg::Value(Expr {
                                kind: ExprKind::Name { name, .. },
                                ..
                            }),
                            Binding::Value(_),
                        ) if *name == wanted => Some(binding.clone()),
                        _ => None,
                    })
            }
            _ => None,
        }
    }

    pub(super) fn enter(
        &mut self,
        function: &Rc<Function>,
        bindings: Vec<(Name, Binding)>,
        args: Vec<Passed>,
        this: Option<(u64, u32)>,
        outer: Option<usize>,
    ) -> Runs<Value> {
        if self.frames.len() > MAX_CALLS {
            let state = self.reason(format!("calls are nested more than {MAX_CALLS} deep"));
            for (value, at) in &args {
                self.forget_value(&value.clone(), state);
                if let Some(at) = at {
                    let size = self.size_of(at.ty);
                    self.memory.forget_range(at.address, size, state, self.step);
                }
            }
            return Ok(Value::unknown(state));
        }
        let (top, line, depth) = (self.memory.top, self.line, self.frames.len());
        let outer_loops = (self.left_loop.take(), self.left_round.take());
        self.frames.push(Frame {
            bindings,
            this,
            outer,
            ..Frame::default()
        });
        let result = self.enter_within(function, args);
        let frame = self.frames.drain(depth..).next().unwrap_or_default();
        self.memory.top = top;
        self.line = line;
        (self.left_loop, self.left_round) = outer_loops;
        let mut value = result?;
        if let Some((since, state, others)) = frame.left {
            self.memory.forget_since(since, state, self.step);
            let same = |other: &Value| {
                other.ty == value.ty && other.bits == value.bits && other.is_known() && other.parts.is_none()
            };
            if !(value.is_known() && others.iter().all(same)) {
                value = Value::new(value.ty, value.bits, state);
            }
        }
        Ok(value)
    }

    pub(super) fn enter_within(&mut self, function: &Rc<Function>, args: Vec<Passed>) -> Runs<Value> {
        let mut args = args.into_iter();
        for param in &function.params {
            let (value, at) = match args.next() {
                Some(passed) => passed,
                None => match &param.default {
                    Some(default) => (self.eval(default)?, None),
                    None => (Value::unknown(self.not_evaluated("an argument")), None),
                },
            };
            let Some(name) = param.name else {
                continue;
            };
            let is_ref = matches!(param.ty, TypeExpr::Reference(_));
            let at = if let Some(at) = at.filter(|_| is_ref) {
                at
            } else {
                let mut ty = self.resolve(&param.ty)?;
                if ty == Ty::Opaque || (is_ref && matches!(value.ty, Ty::Struct(_) | Ty::Vector(_))) {
                    ty = value.ty;
                }
                let value = if is_ref { value } else { self.copied(value) };
                let is_record = matches!(ty, Ty::Struct(_));
                let at = self.allocate_variable(name, ty);
                if is_record && value.ty != ty && value.parts.is_none() && is_known(value.state) {
                    self.construct_from(at, vec![value])?;
                } else {
                    self.store(at, value);
                }
                at
            };
            self.name_allocation(at, name);
            self.declare(name, at);
        }
        if let Some((address, id)) = self.frames.last().and_then(|frame| frame.this) {
            for (name, values) in &function.inits {
                if *name == function.name {
                    // A delegating constructor.
                    self.construct(Location::known(address, Ty::Struct(id)), values, false)?;
                    continue;
                }
                let field = self.records[id as usize]
                    .fields
                    .iter()
                    .find(|field| field.name == *name)
                    .cloned();
                if let Some(field) = field {
                    let at = Location::known(address + field.offset, field.ty);
                    self.construct(at, values, true)?;
                }
            }
        }
        let Some(body) = &function.body else {
            return Ok(Value::unknown(self.not_evaluated("a function")));
        };
        let flow = self.exec(body)?;
        let result = self.frames.last_mut().and_then(|frame| frame.result.take());
        let ret = self.resolve(&function.ret)?;
        Ok(match (flow, result) {
            (Flow::Return, Some(value)) if ret != Ty::Opaque && ret != Ty::Void => self.convert(value, ret),
            (Flow::Return, Some(value)) => value,
            _ => Value::void(),
        })
    }

    pub(super) fn method_call(
        &mut self,
        object: &Expr,
        name: Name,
        is_arrow: bool,
        args: &[Expr],
    ) -> Runs<Value> {
        let at = if is_arrow {
            let pointer = self.eval(object)?;
            self.target(&pointer)
        } else if let Some(at) = self.place(object)? {
            Some(at)
        } else {
            let value = self.eval(object)?;
            Some(self.temporary(value))
        };
        let Some(at) = at else {
            let state = self.not_evaluated("a call");
            self.forget_args(args, state)?;
            return Ok(Value::unknown(state));
        };
        if let Ty::Struct(id) = at.ty {
            if let Some(method) = self
                .method(id, name, args.len())
                .filter(|method| method.body.is_some() && at.state == KNOWN)
            {
                return self.call_function(&method, &[], args, Some((at.address, id)));
            }
            // A function pointer in a member.
            let field = self.records[id as usize]
                .fields
                .iter()
                .find(|field| field.name == name)
                .cloned();
            if let Some(field) = field {
                let value = self.load(Location {
                    address: at.address + field.offset,
                    ty: field.ty,
                    state: at.state,
                });
                return self.call_value(&value, args);
            }
        }
        let text = self.text(name).to_owned();
        self.library_method(at, &text, args)
    }

    /// Makes unknown what an unsupported function could modify through its arguments.
    pub(super) fn forget_args(&mut self, args: &[Expr], state: State) -> Runs<()> {
        for arg in args {
            let at = match arg.kind {
                ExprKind::Name { .. } | ExprKind::Index(..) | ExprKind::Member { .. } => self.place(arg)?,
                _ => None,
            };
            let value = match at {
                Some(at) => self.load(at),
                None => self.eval(arg)?,
            };
            self.step += 1;
            self.forget_value(&value, state);
            if let Some(at) = at.filter(|at| !matches!(at.ty, Ty::Pointer(_) | Ty::Array(..))) {
                let size = self.size_of(at.ty);
                self.memory.forget_range(at.address, size, state, self.step);
            }
        }
        Ok(())
    }

    pub(super) fn random(&mut self) -> Value {
        self.rand_step = self.step;
        if let Some(rand) = &mut self.rand {
            Value::new(Ty::I32, rand.step().into(), KNOWN)
        } else {
            let state = self.reason("the number of random numbers drawn before is unknown".to_owned());
            Value::new(Ty::I32, 0, state)
        }
    }
}

/// Whether an expression can have side effects.
fn has_effect(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Unary(op, operand) => {
            matches!(
                op,
                UnaryOp::PreIncrement
                    | UnaryOp::PreDecrement
                    | UnaryOp::PostIncrement
                    | UnaryOp::PostDecrement
            ) || has_effect(operand)
        }
        ExprKind::Binary(_, a, b) | ExprKind::Index(a, b) => has_effect(a) || has_effect(b),
        ExprKind::Conditional(a, b, c) => has_effect(a) || has_effect(b) || has_effect(c),
        ExprKind::Cast(_, operand) => has_effect(operand),
        ExprKind::Member { object, .. } => has_effect(object),
        ExprKind::Construct(_, items) | ExprKind::List(items) => items.iter().any(has_effect),
        ExprKind::Call(..) | ExprKind::Assign(..) | ExprKind::New { .. } | ExprKind::Launch { .. } => true,
        _ => false,
    }
}
