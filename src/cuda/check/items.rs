//! Items at file scope. Signatures are checked before bodies, so that functions can call later functions.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::images::ReferenceInfo;
use super::{Body, Checker, Checks, Entry, ParamInfo, Progress, Symbol, fold};
use crate::ast::{self, Declaration, Declarator, Initializer, Item, Name};
use crate::diagnostic::Diagnostic;
use crate::hir::{
    FuncId, Function, FunctionKind, Global, GlobalId, GlobalSpace, Init, Inlining, LaunchBounds, Local,
    LocalId, Storage, Type,
};
use engine::ids::Span;

/// Maximum size of a variable with an initializer, in bytes.
const MAX_IMAGE_BYTES: u64 = 1 << 24;

impl Checker {
    pub(super) fn items(&mut self, items: &[Item]) {
        self.declare_items(items);
        self.name_instances(items);
        self.check_bodies();
        self.guess_instances();
        self.check_bodies();
        self.check_calls_through_pointers();
        self.check_recursion();
    }

    /// Checks all functions. Functions of headers and instances of templates are checked only if they are called.
    fn check_bodies(&mut self) {
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

    /// Declares an item with an error, which is reported where a kernel uses the item.
    pub(super) fn defer(&mut self, name: &ast::Ident, deferred: Vec<Diagnostic>) {
        let whole = self.whole(&name.name);
        if self.lookup(&whole).is_none() {
            self.declare(name, Symbol::Poison);
        }
        if !deferred.is_empty() {
            self.deferred.insert(whole, deferred);
        }
    }

    /// A use of an item with an error.
    pub(super) fn poisoned_name(&mut self, name: &str) -> super::Reported {
        for whole in self.meanings(name) {
            let deferred = self.deferred.remove(&whole);
            self.diagnostics.extend(deferred.into_iter().flatten());
        }
        self.poisoned()
    }

    fn name_instances(&mut self, items: &[Item]) {
        for item in items {
            self.body.broken = false;
            match item {
                Item::Instance(instance) => {
                    let _ = self.named_instance(instance);
                }
                Item::Namespace(name, inner) => {
                    self.in_namespace(name, |this| this.name_instances(inner));
                }
                _ => {}
            }
        }
    }

    fn in_namespace(&mut self, name: &str, body: impl FnOnce(&mut Self)) {
        let inner = format!("{}{name}::", self.namespace).into();
        let outer = std::mem::replace(&mut self.namespace, inner);
        body(self);
        self.namespace = outer;
    }

    /// `using namespace name;`.
    pub(super) fn use_namespace(&mut self, name: &Name) {
        if !self.usings.contains(name) {
            self.usings.push(name.clone());
        }
    }

    /// `using name::of;`.
    pub(super) fn use_name(&mut self, path: &Name) {
        if let Some((_, last)) = path.rsplit_once("::") {
            let short = self.whole(&last.into());
            for name in self.meanings(path) {
                if self.scope.contains_key(&name)
                    || self.by_name.contains_key(&name)
                    || self.templates_by_name.contains_key(&name)
                    || self.type_templates_by_name.contains_key(&name)
                {
                    self.aliases.insert(short, name);
                    return;
                }
            }
        }
    }

    pub(super) fn declare_items(&mut self, items: &[Item]) {
        for item in items {
            // An error at file scope does not affect a function by itself.
            self.body.broken = false;
            match item {
                Item::Function(function) if !function.owner_args.is_empty() => {
                    let _ = self.define_member_of_specialization(function);
                }
                Item::Function(function) => {
                    let _ = match self.struct_before(&function.name.name) {
                        Some(id) => self.in_class(id, |this| this.define_member(function)),
                        None => self.declare_function(function, false).map(|_| ()),
                    };
                }
                Item::Template(template) => {
                    let _ = self.declare_template(template);
                }
                Item::ClassTemplate(template) => {
                    let _ = self.declare_class_template(template);
                }
                Item::VariableTemplate(template) => self.declare_variable_template(template),
                Item::AliasTemplate(template) => self.declare_alias_template(template),
                Item::Instance(_) => {}
                Item::Namespace(name, inner) => {
                    self.has_namespaces = true;
                    self.in_namespace(name, |this| this.declare_items(inner));
                }
                Item::NamespaceAlias(from, to) => {
                    self.aliases.insert(from.clone(), to.clone());
                }
                Item::UsingNamespace(name) => self.use_namespace(name),
                Item::UsingName(path) => self.use_name(&path.name),
                Item::UsingEnum(name) => self.use_enum(name),
                Item::Declaration(declaration) => self.file_declaration(declaration),
                Item::StaticAssert(assertion) => {
                    self.static_assert(assertion);
                    self.is_torn |= self.body.broken;
                }
                Item::Host(name) => {
                    if self.lookup(&name.name).is_none() {
                        self.declare(name, Symbol::Host(name.span));
                    }
                }
                Item::Unsupported(names, deferred) => {
                    for name in names {
                        // A missing overload or specialization would change which function a call selects.
                        let is_torn = deferred.is_empty()
                            && (self.has_function(&name.name) || self.is_template(&name.name));
                        self.is_torn |= is_torn;
                        self.defer(name, deferred.clone());
                    }
                }
            }
        }
    }

    /// Declares a function and returns its id.
    pub(super) fn declare_function(
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
    pub(super) fn signature_of(&mut self, function: &Arc<ast::Function>, in_prelude: bool) -> Checks<Entry> {
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
        let inlining = match (function.specifiers.noinline, function.specifiers.forceinline) {
            (true, _) => Inlining::Never,
            (_, true) => Inlining::Always,
            _ if function.is_library => Inlining::Always,
            _ => Inlining::Auto,
        };
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
            inlining,
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

    /// A trailing return type, which can use the parameters.
    fn result_of_parameters(&mut self, function: &ast::Function) -> Checks<super::types::Resolved> {
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
        table.entry(whole).or_default().push(id);
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

    pub(super) fn param(&mut self, param: &ast::Param, is_kernel: bool) -> Checks<ParamInfo> {
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
    pub(super) fn refuse_double(&mut self, ty: &ast::TypeName) -> Checks<()> {
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
        let limit = max_param_bytes(self.capability);
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

    fn file_declaration(&mut self, declaration: &Declaration) {
        if declaration.declarators.is_empty() {
            let _ = self.resolve(&declaration.ty, None);
            return;
        }
        // `struct P { … } a, b;` defines the struct once.
        for declarator in &declaration.declarators {
            let num_diagnostics = self.diagnostics.len();
            let result = self.file_variable(declaration, declarator);
            let is_texture = matches!(declarator.ty.base, ast::BaseType::Texture(_));
            if result.is_err() && declaration.specifiers.is_typedef && !is_texture {
                // Most likely a type of a host library.
                let deferred = self.diagnostics.split_off(num_diagnostics);
                self.defer(&declarator.name, deferred);
            }
        }
    }

    pub(super) fn file_variable(&mut self, declaration: &Declaration, declarator: &Declarator) -> Checks<()> {
        let specifiers = &declaration.specifiers;
        let name = &declarator.name;
        if let ast::BaseType::Texture(reference) = &declarator.ty.base {
            return self.texture_reference(reference, specifiers, declarator);
        }
        let of_device =
            specifiers.device || specifiers.constant || specifiers.shared.is_some() || specifiers.managed;
        if !of_device && !specifiers.is_typedef {
            return self.host_constant(declaration, declarator);
        }
        let auto_ty = match &declarator.init {
            Some(Initializer::Value(value)) if !matches!(value.kind, ast::ExprKind::List(_)) => {
                matches!(declarator.ty.base, ast::BaseType::Auto).then(|| self.value(value).map(|v| v.ty))
            }
            _ => None,
        };
        let auto_ty = auto_ty.transpose()?;
        let resolved = match self.resolve(&declarator.ty, auto_ty.as_ref()) {
            Ok(resolved) => resolved,
            Err(reported) => {
                self.declare(name, Symbol::Poison);
                return Err(reported);
            }
        };
        if specifiers.is_typedef {
            let symbol = Symbol::Type {
                reference: resolved.reference(),
                ty: resolved.ty,
                is_const: resolved.is_const,
            };
            self.declare(name, symbol);
            return Ok(());
        }
        self.global(specifiers, declarator, resolved, name.name.to_string())
            .map(|_| ())
    }

    /// Declares a texture reference: a pointer to elements of this type, which the launch binds.
    fn texture_reference(
        &mut self,
        reference: &ast::ReferenceType,
        specifiers: &ast::Specifiers,
        declarator: &Declarator,
    ) -> Checks<()> {
        let name = &declarator.name;
        let elem = self.resolve(&reference.elem, None).and_then(|resolved| {
            self.image_format(
                &resolved.ty,
                reference.reads_fractions,
                reference.is_surface,
                reference.elem.span,
            )?;
            Ok(resolved.ty)
        });
        let elem = match elem {
            Ok(elem) => elem,
            Err(reported) => {
                self.declare(name, Symbol::Poison);
                return Err(reported);
            }
        };
        let wrong = if specifiers.is_typedef {
            Some(
                "A typedef of a texture reference type is not supported; write the type where the texture is declared.",
            )
        } else if !declarator.ty.derived.is_empty() {
            Some("A texture reference cannot be an array or a pointer.")
        } else if declarator.init.is_some() {
            Some("A texture reference has no initializer; the launch binds it to memory.")
        } else {
            None
        };
        if let Some(wrong) = wrong {
            self.declare(name, Symbol::Poison);
            return self.error(name.span, wrong);
        }
        let ty = crate::types::texture_of(elem);
        let id = GlobalId(self.globals.len() as u32);
        self.references.insert(
            id.0,
            ReferenceInfo {
                shape: reference.shape,
                reads_fractions: reference.reads_fractions,
                is_surface: reference.is_surface,
            },
        );
        self.globals.push(Global {
            name: name.name.to_string(),
            align: self.align_of(&ty),
            ty,
            space: GlobalSpace::Texture,
            image: Vec::new(),
            is_volatile: false,
            span: name.span,
        });
        self.declare(name, Symbol::Global { id, is_const: true });
        Ok(())
    }

    /// Declares a variable at file scope in the current scope.
    pub(super) fn global(
        &mut self,
        specifiers: &ast::Specifiers,
        declarator: &Declarator,
        resolved: super::types::Resolved,
        full_name: String,
    ) -> Checks<GlobalId> {
        let name = &declarator.name;
        let mut ty = resolved.ty;
        let dynamic = specifiers.shared.is_some() && specifiers.is_extern;
        let space = match (specifiers.constant, specifiers.shared, dynamic) {
            (_, _, true) => GlobalSpace::DynamicShared,
            (_, Some(_), _) => GlobalSpace::Shared,
            (true, ..) => GlobalSpace::Constant,
            _ => GlobalSpace::Device,
        };
        let result = self.global_image(
            space,
            declarator,
            &mut ty,
            resolved.open_array && !dynamic,
            resolved.is_ref,
        );
        let (image, failed) = match result {
            Ok(image) => (image, false),
            Err(_) => (Vec::new(), true),
        };
        let mut align = self.align_of(&ty);
        if let Some(wanted) = &specifiers.align {
            align = align.max(self.alignment(wanted)?);
        }
        let id = GlobalId(self.globals.len() as u32);
        self.globals.push(Global {
            name: full_name,
            ty,
            space,
            align,
            image,
            is_volatile: resolved.is_volatile,
            span: name.span,
        });
        let is_constant = space == GlobalSpace::Constant;
        if is_constant && !resolved.is_const {
            self.constant_memory.insert(id.0);
        }
        if failed {
            // Uses of the variable do not compile either.
            self.declare(name, Symbol::Poison);
            return Err(super::Reported);
        }
        let is_const = resolved.is_const || is_constant;
        self.declare(name, Symbol::Global { id, is_const });
        Ok(id)
    }

    fn global_image(
        &mut self,
        space: GlobalSpace,
        declarator: &Declarator,
        ty: &mut Type,
        open: bool,
        is_ref: bool,
    ) -> Checks<Vec<u8>> {
        let span = declarator.name.span;
        if *ty == Type::Void || is_ref {
            return self.error(span, "A variable in device memory cannot be void or a reference.");
        }
        let shared = matches!(space, GlobalSpace::Shared | GlobalSpace::DynamicShared);
        let init = match &declarator.init {
            None if open => return self.error(span, "This array needs a size."),
            None => return Ok(Vec::new()),
            Some(_) if shared => return self.shared_init(span),
            Some(Initializer::Value(value)) => self.variable_init(ty, open, value)?,
            Some(Initializer::Constructor(args)) => {
                let ty = ty.clone();
                Init::Value(self.constructed(&ty, args, span)?)
            }
        };
        if self.size_of(ty) > MAX_IMAGE_BYTES {
            return self.error(span, "A variable with an initializer can take at most 16 MB.");
        }
        self.image(&init, ty, span)
    }

    pub(super) fn shared_init<T>(&mut self, span: Span) -> Checks<T> {
        self.error(
            span,
            "An initializer is not allowed for a `__shared__` variable; let one thread store the value, then call \
             `__syncthreads()`.",
        )
    }

    /// A host constant, which kernels can use if its value is a constant expression. Other host variables only shadow
    /// the name.
    fn host_constant(&mut self, declaration: &Declaration, declarator: &Declarator) -> Checks<()> {
        let name = &declarator.name;
        let num_diagnostics = self.diagnostics.len();
        let known = self.try_constant(declaration, declarator);
        if known.is_err() {
            if declaration.specifiers.is_constexpr {
                self.declare(name, Symbol::Poison);
                return Err(super::Reported);
            }
            // Host code has no restrictions.
            self.diagnostics.truncate(num_diagnostics);
            self.declare(name, Symbol::Host(name.span));
        }
        Ok(())
    }

    fn try_constant(&mut self, declaration: &Declaration, declarator: &Declarator) -> Checks<()> {
        let name = &declarator.name;
        let Some(value) = declarator.single_value() else {
            return Err(super::Reported);
        };
        let auto_ty = if matches!(declarator.ty.base, ast::BaseType::Auto) {
            Some(self.value(value)?.ty)
        } else {
            None
        };
        let resolved = self.resolve(&declarator.ty, auto_ty.as_ref())?;
        if !resolved.is_const || resolved.is_ref {
            return Err(super::Reported);
        }
        self.constant_variable(declaration, declarator, resolved, name.name.to_string())
    }

    /// Declares a constant: a scalar as its value, an array or struct in constant memory.
    pub(super) fn constant_variable(
        &mut self,
        declaration: &Declaration,
        declarator: &Declarator,
        resolved: super::types::Resolved,
        full_name: String,
    ) -> Checks<()> {
        let name = &declarator.name;
        let Some(value) = declarator.single_value() else {
            return Err(super::Reported);
        };
        if super::ops::is_arithmetic(resolved.ty.representation()) {
            let value = self.initial_value(value, &resolved.ty, "in the initializer of this constant")?;
            return match self.evaluate(&value) {
                Some(known) => {
                    self.declare(name, Symbol::Constant(known, resolved.ty));
                    Ok(())
                }
                None => self.error(
                    value.span,
                    format!(
                        "The initializer of `{}` must be a constant expression.",
                        name.name
                    ),
                ),
            };
        }
        if matches!(resolved.ty, Type::Pointer(_)) {
            return Err(super::Reported);
        }
        let specifiers = ast::Specifiers {
            constant: true,
            align: declaration.specifiers.align.clone(),
            ..Default::default()
        };
        let id = self.global(&specifiers, declarator, resolved, full_name)?;
        self.const_arrays.insert(id.0);
        Ok(())
    }

    /// Checks the body of a function on the first request.
    pub(super) fn check_body(&mut self, id: FuncId) {
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
        let entry = &self.functions[id.0 as usize];
        let closure = entry.class.filter(|id| self.is_closure(*id));
        let object = entry.class.filter(|_| entry.has_this);
        let body = Body {
            scopes: vec![BTreeMap::new()],
            cleanups: vec![Vec::new()],
            bindings: entry.bindings.clone(),
            this: match closure {
                Some(id) => self.this_of_closure(id),
                None => entry.class.filter(|_| entry.has_this),
            },
            closure,
            ret: Some(entry.ret.clone()),
            result: super::lifetimes::returned_name(&block.stmts),
            num_params: entry.hir.num_params,
            is_auto: entry.is_auto,
            in_prelude: entry.in_prelude,
            first_call: entry.first_call.filter(|_| function.is_library),
            instance: (!entry.bindings.is_empty()).then(|| entry.hir.name.clone()),
            is_kernel: function.specifiers.global.is_some(),
            broken: function.is_broken,
            ..Body::default()
        };
        let params = entry.params.clone();
        let outer_namespace = std::mem::replace(&mut self.namespace, entry.namespace.clone());
        let outer_class = std::mem::replace(&mut self.class, entry.class);
        let outer = std::mem::replace(&mut self.body, body);
        let outer_unknown = std::mem::take(&mut self.unknown);
        if let Some(id) = object {
            let is_const = function.is_const;
            let ty = Self::this_type(id, is_const);
            self.body.locals.push(Local {
                name: "this".to_owned(),
                c_type: self.text(&ty),
                align: self.align_of(&ty),
                ty,
                storage: Storage::Automatic,
                address_taken: false,
                is_volatile: false,
                span: function.name.span,
            });
        }
        if let Some((span, message)) = self.functions[id.0 as usize].mistake.clone() {
            let _ = self.error::<()>(span, message);
        }
        // The body shares the scope of the parameters.
        for (param, info) in function.params.iter().zip(params) {
            self.enter_param(param, info);
        }
        let mut stmts = match self.body.this {
            Some(id) if closure.is_none() && &*own_name(&function.name.name) == ast::CONSTRUCTOR => {
                self.constructor_prologue(&function, id)
            }
            _ => Vec::new(),
        };
        if let Some(id) = self.body.this
            && &*own_name(&function.name.name) == ast::DESTRUCTOR
            && let Some(this) = self.this(block.end)
        {
            // Members are destroyed after the destructor of the object.
            let object = super::names::deref(this, false);
            let parts = self.parts_to_destroy(&object, id, block.end);
            if let Some(scope) = self.body.cleanups.first_mut() {
                scope.extend(parts);
            }
        }
        stmts.extend(self.statements(&block.stmts));
        self.end_scope(block.end, &mut stmts);
        self.check_labels();
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
        let returns = self.functions[id.0 as usize].hir.ret != Type::Void;
        if returns && !self.body.broken && super::stmts::falls_through(&stmts) {
            let message = format!(
                "Missing return statement at end of non-void function `{}`.",
                function.name.name
            );
            self.warn(block.end, message);
        }
        let body = std::mem::replace(&mut self.body, outer);
        self.unknown = outer_unknown;
        self.num_open -= 1;
        self.namespace = outer_namespace;
        self.class = outer_class;
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

    fn enter_param(&mut self, param: &ast::Param, info: ParamInfo) {
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
    fn check_recursion(&mut self) {
        if self.capability >= 200 {
            return;
        }
        for start in 0..self.functions.len() {
            let start = FuncId(start as u32);
            let mut reached: Vec<(FuncId, Span)> = Vec::new();
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
                if reached.iter().all(|(seen, _)| *seen != id) {
                    reached.push((id, span));
                    next.extend(self.functions[id.0 as usize].calls.keys().map(|id| (*id, span)));
                }
            }
        }
    }
}

/// The unqualified name of a member that is defined outside its struct.
pub(super) fn own_name(name: &Name) -> Name {
    name.rsplit_once("::")
        .map_or_else(|| name.clone(), |(_, last)| last.into())
}

/// Maximum size of kernel parameters in bytes: in shared memory on 1.x, in constant memory later. Source: CUDA C++
/// Programming Guide, `__global__` function parameters (the largest size since CUDA 12.1); ptxas reports the same
/// limits.
const fn max_param_bytes(capability: u32) -> u64 {
    match capability {
        ..200 => 256,
        200..700 => 4096,
        _ => 32_764,
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
pub(super) fn uses_double(function: &ast::Function) -> bool {
    mentions_double(&function.ret) || function.params.iter().any(|param| mentions_double(&param.ty))
}

fn mentions_double(ty: &ast::TypeName) -> bool {
    matches!(&ty.base, ast::BaseType::Known(Type::F64))
        || matches!(&ty.base, ast::BaseType::Known(Type::Vector(vector)) if *vector.elem == Type::F64)
}

/// The value of a constant condition.
pub(super) fn constant_condition(cond: &crate::hir::Expr) -> Option<bool> {
    fold::as_const(cond).and_then(fold::truth)
}
