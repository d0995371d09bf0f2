//! Signatures of functions: parameters, results, launch bounds, and redeclarations.

use super::*;

impl Checker {
    /// Declares a function and returns its id.
    pub(in crate::check) fn declare_function(
        &mut self,
        function: &Arc<ast::Function>,
        in_prelude: bool,
    ) -> Checks<FuncId> {
        let body = Body {
            in_prelude,
            bindings: self.body.bindings.clone(),
            ..Body::default()
        };
        let outer = std::mem::replace(&mut self.body, body);
        let result = self.declare_signature(function, in_prelude);
        let broken = self.body.broken;
        self.body = outer;
        if result.is_err() && broken && !in_prelude {
            let whole = self.whole(&function.name.name);
            self.scope.entry(whole).or_insert(Symbol::Poison);
            self.is_torn = true;
        }
        result
    }

    fn declare_signature(&mut self, function: &Arc<ast::Function>, in_prelude: bool) -> Checks<FuncId> {
        let entry = self.signature_of(function, in_prelude)?;
        self.enter(entry)
    }

    /// A function whose body is not checked yet.
    pub(in crate::check) fn signature_of(
        &mut self,
        function: &Arc<ast::Function>,
        in_prelude: bool,
    ) -> Checks<Entry> {
        let expanded = self.expanded_function(function)?;
        let function = expanded.as_ref().map_or(function, |expanded| &expanded.function);
        // The body can use the packs among the parameters.
        for (pack, num) in expanded.iter().flat_map(|expanded| &expanded.packs) {
            self.body
                .bindings
                .entry(pack.clone())
                .or_insert(Symbol::Pack(*num));
        }
        let name = &function.name;
        let is_kernel = function.specifiers.global.is_some();
        let is_auto = matches!(function.ret.base, ast::BaseType::Auto) && function.ret.derived.is_empty();
        let ret = if mentions_value(&function.ret) {
            self.result_of_parameters(function)?
        } else {
            self.resolve(&function.ret, is_auto.then_some(&Type::Void))?
        };
        let ret = ParamInfo {
            ty: ret.ty,
            is_ref: ret.is_ref,
            takes_values: ret.takes_values,
            is_const: ret.is_const,
            is_volatile: ret.is_volatile,
        };
        self.check_declaration(function, &ret)?;
        let mut params = Vec::new();
        for param in &function.params {
            params.push(self.param(param, is_kernel)?);
        }
        if is_kernel {
            self.check_param_bytes(&name.name, &params, name.span)?;
        }
        let launch_bounds = match &function.specifiers.launch_bounds {
            Some((threads, blocks)) => {
                Some(self.launch_bounds(threads, blocks.as_ref(), is_kernel, name.span)?)
            }
            None => None,
        };
        let has_this = self.class.is_some() && !in_prelude && !self.is_static_member(function);
        let end_span = function.body.as_ref().map_or(name.span, |body| body.end);
        let hir = Function {
            name: if in_prelude {
                name.name.to_string()
            } else {
                self.whole(&own_name(&name.name)).to_string()
            },
            kind: if is_kernel {
                FunctionKind::Kernel
            } else {
                FunctionKind::Device
            },
            num_params: params.len() as u32 + u32::from(has_this),
            ret: ret.passed_type(),
            locals: Vec::new(),
            body: Vec::new(),
            inlining: inlining_of(function),
            launch_bounds,
            prelude: in_prelude || function.is_library,
            span: name.span,
            end_span,
        };
        Ok(Entry {
            ast: function.clone(),
            bindings: self.body.bindings.clone(),
            namespace: if in_prelude {
                "".into()
            } else {
                self.namespace.clone()
            },
            class: self.class.filter(|_| !in_prelude),
            has_this,
            params,
            defaults: function
                .params
                .iter()
                .map(|param| param.default.clone())
                .collect(),
            ret,
            is_auto,
            is_constexpr: function.specifiers.is_constexpr,
            in_prelude,
            first_call: None,
            first_declared: function.name.span,
            mistake: expanded.as_ref().and_then(|expanded| expanded.mistake.clone()),
            progress: Progress::Declared,
            calls: BTreeMap::new(),
            hir,
        })
    }

    /// Reports errors in a function's declaration: its specifiers, default arguments, and return type.
    fn check_declaration(&mut self, function: &ast::Function, ret: &ParamInfo) -> Checks<()> {
        let name = &function.name;
        let is_kernel = function.specifiers.global.is_some();
        if is_kernel && self.class.is_some() {
            let message = format!(
                "A kernel cannot be a member of a struct; declare `{}` outside.",
                name.name
            );
            return self.error(name.span, message);
        }
        if is_kernel && function.specifiers.device {
            let message = format!(
                "`{}` cannot be both `__global__` and `__device__`; remove one of them.",
                name.name
            );
            return self.error(name.span, message);
        }
        let is_gap = |pair: &[ast::Param]| pair[0].default.is_some() && pair[1].default.is_none();
        if let Some(pair) = function.params.windows(2).find(|pair| is_gap(pair))
            && !self.has_function(&name.name)
        {
            let message = "A parameter after one with a default argument needs a default argument, too.";
            return self.error(pair[1].ty.span, message);
        }
        if is_kernel && (ret.is_ref || ret.ty != Type::Void) {
            let message = format!(
                "A `__global__` function must have a void return type: declare `{}` as `__global__ void`.",
                name.name
            );
            return self.report(Diagnostic::error(function.ret.span, message).fix("void"));
        }
        Ok(())
    }

    /// A trailing return type, which can use the parameters.
    fn result_of_parameters(&mut self, function: &ast::Function) -> Checks<Resolved> {
        let num_locals = self.body.locals.len();
        let scopes = std::mem::replace(&mut self.body.scopes, vec![BTreeMap::new()]);
        let cleanups = std::mem::replace(&mut self.body.cleanups, vec![Vec::new()]);
        if let Some(id) = self.class
            && !self.is_static_member(function)
        {
            let ty = Self::this_type(id, function.is_const);
            self.body.this = Some(id);
            let this = self.temporary(ty, function.name.span);
            debug_assert!(this.0 == 0 || num_locals > 0, "the object is the first variable");
        }
        let mut result = Ok(());
        for param in &function.params {
            match self.param(param, false) {
                Ok(info) => self.enter_param(param, info),
                Err(reported) => result = Err(reported),
            }
        }
        let ret = match result {
            Ok(()) => self.resolve(&function.ret, None),
            Err(reported) => Err(reported),
        };
        self.body.this = None;
        self.body.scopes = scopes;
        self.body.cleanups = cleanups;
        self.body.locals.truncate(num_locals);
        ret
    }

    fn enter(&mut self, entry: Entry) -> Checks<FuncId> {
        let name = &entry.ast.name;
        let whole = if entry.in_prelude {
            name.name.clone()
        } else {
            self.whole(&own_name(&name.name))
        };
        let table = if entry.in_prelude {
            &self.prelude_by_name
        } else {
            &self.by_name
        };
        let same = table.get(&whole).and_then(|ids| {
            ids.iter().copied().find(|id| {
                let params = &self.functions[id.0 as usize].params;
                params.len() == entry.params.len()
                    && self.functions[id.0 as usize].ast.is_const == entry.ast.is_const
                    && params.iter().zip(&entry.params).all(|(a, b)| a.is_same(b))
            })
        });
        if let Some(id) = same {
            return self.merge(id, entry);
        }
        if let Some(Symbol::Local { .. } | Symbol::Global { .. } | Symbol::Constant(..) | Symbol::Type { .. }) =
            self.scope.get(&whole)
            && !entry.in_prelude
        {
            let message = format!("`{}` is declared twice; rename one of them.", name.name);
            self.scope.insert(whole, Symbol::Poison);
            return self.error(name.span, message);
        }
        let id = FuncId(self.functions.len() as u32);
        let table = if entry.in_prelude {
            &mut self.prelude_by_name
        } else {
            &mut self.by_name
        };
        let same = table.entry(whole).or_default();
        same.push(id);
        if same.len() as u64 > Limit::Overloads.most() {
            return self.stop(Limit::Overloads.exceeded(entry.ast.name.span));
        }
        self.functions.push(entry);
        Ok(id)
    }

    /// Merges two declarations of a function; one of them can have the body.
    fn merge(&mut self, id: FuncId, mut entry: Entry) -> Checks<FuncId> {
        let old = &self.functions[id.0 as usize];
        let (name, span, first) = (&entry.ast.name.name, entry.ast.name.span, old.ast.name.span);
        let wrong = if old.ast.body.is_some() && entry.ast.body.is_some() {
            Some((
                format!("The function `{name}` has already been defined."),
                "First defined here.",
            ))
        } else if old.hir.kind != entry.hir.kind {
            Some((
                format!("`{name}` is both a kernel (`__global__`) and a `__device__` function."),
                "First declared here.",
            ))
        } else if !old.ret.is_same(&entry.ret) {
            Some((
                format!("The declarations of `{name}` differ by return type alone, which is not allowed."),
                "First declared here.",
            ))
        } else {
            None
        };
        if let Some((message, note)) = wrong {
            return self.report(Diagnostic::error(span, message).note_at(first, note));
        }
        for (idx, default) in entry.defaults.iter_mut().enumerate() {
            match (&default, old.defaults[idx].clone()) {
                (Some(again), Some(first)) => {
                    let (again, first) = (again.span, first.span);
                    let message = "Redefinition of this parameter's default argument; remove one of the two.";
                    return self
                        .report(Diagnostic::error(again, message).note_at(first, "First specified here."));
                }
                (None, Some(first)) => *default = Some(first),
                _ => {}
            }
        }
        let old = &mut self.functions[id.0 as usize];
        entry.first_declared = old.first_declared;
        let launch_bounds = entry.hir.launch_bounds.or(old.hir.launch_bounds);
        let inlining = match entry.hir.inlining {
            Inlining::Auto => old.hir.inlining,
            said => said,
        };
        if entry.ast.body.is_some() {
            entry.is_constexpr |= old.is_constexpr;
            *old = entry;
        } else {
            old.defaults = entry.defaults;
        }
        old.hir.launch_bounds = launch_bounds;
        old.hir.inlining = inlining;
        Ok(id)
    }

    pub(in crate::check) fn param(&mut self, param: &ast::Param, is_kernel: bool) -> Checks<ParamInfo> {
        if is_kernel {
            self.refuse_double(&param.ty)?;
        }
        let resolved = self.resolve(&param.ty, None)?;
        if resolved.ty == Type::Void {
            return self.error(param.ty.span, "A parameter cannot be void.");
        }
        if is_kernel && resolved.is_ref {
            self.warn(
                param.ty.span,
                "A reference parameter of a kernel must refer to managed memory: device code cannot access host \
                 variables. Here the launch passes an address.",
            );
        }
        let ty = match resolved.ty {
            Type::Array(elem, _) if !resolved.is_ref => Type::Pointer(Box::new(crate::hir::Pointer {
                pointee: *elem,
                is_const: resolved.is_const,
                is_volatile: resolved.is_volatile,
                restrict: false,
            })),
            ty if self.is_function_type(&ty) => ty.pointer_to(),
            ty => ty,
        };
        Ok(ParamInfo {
            ty,
            is_ref: resolved.is_ref,
            takes_values: resolved.takes_values,
            is_const: resolved.is_const,
            is_volatile: resolved.is_volatile,
        })
    }

    /// Reports a `double` kernel parameter on an architecture without double precision.
    pub(in crate::check) fn refuse_double(&mut self, ty: &ast::TypeName) -> Checks<()> {
        if self.has_double() || !mentions_double(ty) {
            return Ok(());
        }
        let message = format!(
            "{} Host doubles cannot be passed to this kernel; use float.",
            self.capability_message(130, "Double precision")
        );
        self.report(Diagnostic::architecture(ty.span, message))
    }

    /// Reports kernel parameters that exceed the parameter space of the architecture.
    fn check_param_bytes(&mut self, name: &str, params: &[ParamInfo], span: Span) -> Checks<()> {
        let limit = u64::from(
            engine::arch::architecture(self.arch)
                .limits
                .max_parameter_bytes
                .value,
        );
        let mut bytes = 0u64;
        for param in params {
            bytes = bytes.next_multiple_of(u64::from(self.align_of(&param.ty).max(1)));
            bytes = bytes.saturating_add(self.size_of(&param.ty));
        }
        if bytes <= limit {
            return Ok(());
        }
        let chip = engine::arch::architecture(self.arch).name;
        let message = format!(
            "Formal parameter space overflowed: the parameters of `{name}` take {bytes} bytes, and kernels on {chip} \
             take at most {limit} bytes."
        );
        self.report(Diagnostic::architecture(span, message).note("Pass a pointer to memory that holds them."))
    }

    fn launch_bounds(
        &mut self,
        threads: &ast::Expr,
        blocks: Option<&ast::Expr>,
        is_kernel: bool,
        span: Span,
    ) -> Checks<LaunchBounds> {
        if !is_kernel {
            return self.error(
                span,
                "`__launch_bounds__` only applies to `__global__` functions.",
            );
        }
        let max_threads = self.constant_int(threads, "The number of threads in `__launch_bounds__`")?;
        let min_blocks = match blocks {
            Some(blocks) => self.constant_int(blocks, "The number of blocks in `__launch_bounds__`")?,
            None => 0,
        };
        match (u32::try_from(max_threads), u32::try_from(min_blocks)) {
            (Ok(max_threads @ 1..=1024), Ok(min_blocks @ 0..=64)) => Ok(LaunchBounds {
                max_threads,
                min_blocks,
            }),
            _ => self.error(
                threads.span,
                "`__launch_bounds__` takes 1 to 1024 threads and 0 to 64 blocks.",
            ),
        }
    }
}

/// When calls of a function are inlined.
const fn inlining_of(function: &ast::Function) -> Inlining {
    match (function.specifiers.noinline, function.specifiers.forceinline) {
        (true, _) => Inlining::Never,
        (_, true) => Inlining::Always,
        _ if function.is_library => Inlining::Always,
        _ => Inlining::Auto,
    }
}

/// Whether a type mentions a value, which can be a parameter: `decltype(a + b)`.
fn mentions_value(ty: &ast::TypeName) -> bool {
    let in_arg = |arg: &ast::TemplateArg| match arg {
        ast::TemplateArg::Type(ty) => mentions_value(ty),
        _ => false,
    };
    match &ty.base {
        ast::BaseType::Decltype(_) | ast::BaseType::TypeOf(_) => true,
        ast::BaseType::Instance { args, .. } => args.iter().any(in_arg),
        ast::BaseType::Nested { of, args, .. } => mentions_value(of) || args.iter().flatten().any(in_arg),
        _ => false,
    }
}

/// Whether a function has a double parameter or returns double.
pub(in crate::check) fn uses_double(function: &ast::Function) -> bool {
    mentions_double(&function.ret) || function.params.iter().any(|param| mentions_double(&param.ty))
}

fn mentions_double(ty: &ast::TypeName) -> bool {
    matches!(&ty.base, ast::BaseType::Known(Type::F64))
        || matches!(&ty.base, ast::BaseType::Known(Type::Vector(vector)) if *vector.elem == Type::F64)
}
