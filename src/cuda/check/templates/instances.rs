//! Instances of function templates: explicit arguments, default arguments, and instantiation.

use super::*;
use crate::ast::InstanceOrigin;
use crate::hir::{Expr, ExprKind, GlobalId, PlaceKind};

/// Maximum number of elements in a function parameter pack.
const MAX_PARAMS: usize = 256;
/// Maximum number of pointer and array levels of a type argument of a function template.
const MAX_NESTING: usize = 48;

/// Number of pointer and array levels of a type.
fn nesting(ty: &Type) -> usize {
    let mut num = 0;
    let mut next = ty;
    loop {
        next = match next {
            Type::Pointer(pointer) => &pointer.pointee,
            Type::Array(elem, ..) => elem,
            _ => return num,
        };
        num += 1;
    }
}

/// The variable at file scope whose address a value is.
fn global_at(value: &Expr) -> Option<GlobalId> {
    match &value.kind {
        ExprKind::Convert(inner) | ExprKind::Bitcast(inner) => global_at(inner),
        ExprKind::AddressOf(place) => match place.kind {
            PlaceKind::Global(id) => Some(id),
            _ => None,
        },
        _ => None,
    }
}

/// Template arguments that name these values.
pub(super) fn known_arguments(values: &[TemplateValue], span: Span) -> Vec<TemplateArg> {
    let elements = values.iter().flat_map(TemplateValue::elements);
    elements
        .filter_map(|value| match value {
            TemplateValue::Type { ty, is_const, .. } => Some(TemplateArg::Type(TypeName {
                is_const: *is_const,
                ..TypeName::known(ty.clone(), span)
            })),
            TemplateValue::Value(Const::Int(value), _) => Some(TemplateArg::Value(ast::Expr {
                kind: ast::ExprKind::Number(crate::lex::Number::Int {
                    value: u64::try_from(*value).ok()?,
                    unsigned: false,
                    long: false,
                }),
                span,
            })),
            _ => None,
        })
        .collect()
}

impl Checker {
    /// Instantiates a template that the source names explicitly, or that the host launches.
    pub(in crate::check) fn named_instance(&mut self, instance: &ast::Instance) -> Checks<()> {
        let name = &instance.name;
        let is_wanted = instance.origin == InstanceOrigin::Wanted;
        let is_launch = !is_wanted && instance.origin != InstanceOrigin::Source;
        if instance.origin == InstanceOrigin::Launch
            && let Some(unknown) = self.undeclared_argument(&instance.args)
        {
            for idx in self.templates_of(&name.name) {
                self.templates[idx].is_refused = true;
            }
            let message = format!(
                "`{}` is not declared; a template argument of a launch is a type or a constant.",
                unknown.name
            );
            return self.error(unknown.span, message);
        }
        let mut is_unknown = false;
        let mut tried = Vec::new();
        self.refused.clear();
        for idx in self.templates_of(&name.name) {
            let template = &*self.templates[idx].ast.clone();
            let is_kernel = template.function.specifiers.global.is_some();
            if is_launch && !is_kernel {
                continue;
            }
            let (num_diagnostics, broken) = (self.diagnostics.len(), self.body.broken);
            self.takes_numbers = is_wanted || instance.origin == InstanceOrigin::Read;
            let namespace = self.templates[idx].namespace.clone();
            let values = self.explicit_values_in(&namespace, &template.params, is_kernel, &instance.args);
            self.takes_numbers = false;
            let values = match values {
                Ok(values) => values,
                Err(reported) if !is_launch => return Err(reported),
                Err(_) => {
                    // The host can name what only the host knows. Architecture errors are still reported.
                    let said = self.diagnostics.split_off(num_diagnostics);
                    let stays = said.into_iter().filter(|said| said.cause == Cause::Architecture);
                    self.diagnostics.extend(stays);
                    self.body.broken = broken;
                    self.templates[idx].is_launched = true;
                    is_unknown = true;
                    continue;
                }
            };
            let Some(values) = values else {
                let has_pack = template.params.iter().any(|param| param.is_pack);
                if has_pack || instance.args.len() <= template.params.len() {
                    is_unknown = true;
                    self.templates[idx].is_launched |= is_launch;
                } else {
                    tried.push(idx);
                }
                continue;
            };
            let Some(values) = self.completed_in(&namespace, &template.params, values) else {
                // The arguments of the launch determine the other parameters.
                self.templates[idx].is_launched |= is_launch;
                is_unknown = true;
                continue;
            };
            if let Some(id) = self.instantiate(idx, values, name.span)? {
                if is_wanted {
                    self.wanted = Some(id);
                }
                return Ok(());
            }
            tried.push(idx);
        }
        let is_certain = match instance.origin {
            InstanceOrigin::Source | InstanceOrigin::Wanted => {
                !matches!(self.lookup(&name.name), Some(Symbol::Host(_)))
            }
            InstanceOrigin::Launch => !tried.is_empty() && !is_unknown,
            InstanceOrigin::HostTemplate | InstanceOrigin::Read => false,
        };
        if !is_certain {
            for idx in tried {
                self.templates[idx].is_launched |= is_launch;
            }
            return Ok(());
        }
        for idx in tried {
            self.templates[idx].is_refused |= is_launch;
        }
        let message = format!(
            "No instance of function template `{}` matches these arguments.",
            name.name
        );
        let mut diagnostic = Diagnostic::error(name.span, message);
        if let Some(reason) = self.refused.first() {
            diagnostic = diagnostic.note_at(reason.span, reason.message.clone());
        }
        self.report(diagnostic)
    }

    /// A template argument of a launch that is a name which the source declares nowhere, and which no header that is not
    /// here can declare.
    fn undeclared_argument(&self, args: &[TemplateArg]) -> Option<ast::Ident> {
        let is_here = |line: &str| {
            let rest = line.trim_start().strip_prefix('#').map(str::trim_start);
            let Some(rest) = rest.and_then(|rest| rest.strip_prefix("include")) else {
                return true;
            };
            let name = rest
                .trim()
                .trim_start_matches('<')
                .split('>')
                .next()
                .unwrap_or_default();
            rest.trim_start().starts_with('<') && (crate::preprocess::has_header(name) || !name.contains('.'))
        };
        let name = args.iter().find_map(|arg| match arg {
            TemplateArg::Type(TypeName {
                base: BaseType::Named(ident),
                ..
            }) => Some(ident.clone()),
            TemplateArg::Value(ast::Expr {
                kind: ast::ExprKind::Name(name),
                span,
            }) => Some(ast::Ident {
                name: name.clone(),
                span: *span,
            }),
            _ => None,
        });
        let ident = name.filter(|ident| !ident.name.contains("::") && !self.is_known_name(&ident.name))?;
        let name = &*ident.name;
        // Other places than `<name>`, `<name, …`, and `…, name>` can declare it.
        let declares = |at: usize| {
            let (before, after) = (&self.source[..at], &self.source[at + name.len()..]);
            let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
            let is_whole = !before.ends_with(is_part) && !after.starts_with(is_part);
            let is_argument =
                before.trim_end().ends_with(['<', ',']) && after.trim_start().starts_with(['>', ',']);
            is_whole && !is_argument
        };
        let is_nowhere =
            self.source.lines().all(is_here) && !self.source.match_indices(name).any(|(at, _)| declares(at));
        is_nowhere.then_some(ident)
    }

    /// Whether a name is that of a type, variable, or function.
    fn is_known_name(&self, name: &str) -> bool {
        self.lookup(name).is_some()
            || self.type_template(name).is_some()
            || self.has_function(name)
            || self.is_template(name)
            || crate::types::builtin_type(name).is_some()
            || crate::builtins::is_builtin_name(name)
            || crate::builtins::is_in_library(name)
    }

    /// [`Self::explicit_values`] of a template in a namespace, in which the types of its parameters are looked up.
    pub(super) fn explicit_values_in(
        &mut self,
        namespace: &Name,
        params: &[TemplateParam],
        is_kernel: bool,
        args: &[TemplateArg],
    ) -> Checks<Option<Vec<Option<TemplateValue>>>> {
        self.parameter_namespace = Some(namespace.clone());
        self.explicit_values(params, is_kernel, args)
    }

    /// [`Self::completed`] of a template in a namespace, in which the default arguments are looked up.
    pub(super) fn completed_in(
        &mut self,
        namespace: &Name,
        params: &[TemplateParam],
        values: Vec<Option<TemplateValue>>,
    ) -> Option<Vec<TemplateValue>> {
        let outer = std::mem::replace(&mut self.namespace, namespace.clone());
        let values = self.completed(params, values);
        self.namespace = outer;
        values
    }

    /// The values of explicit arguments, with `None` for the other parameters; `None` if they do not match the
    /// template.
    pub(super) fn explicit_values(
        &mut self,
        params: &[TemplateParam],
        is_kernel: bool,
        args: &[TemplateArg],
    ) -> Checks<Option<Vec<Option<TemplateValue>>>> {
        // Arguments can name other instances.
        let namespace = self.parameter_namespace.take();
        let namespace = namespace.unwrap_or_else(|| self.namespace.clone());
        let expanded = self.expanded_args(args)?;
        let args = expanded.as_deref().unwrap_or(args);
        let has_pack = params.iter().any(|param| param.is_pack);
        if args.len() > params.len() && !has_pack {
            return Ok(None);
        }
        let mut values: Vec<Option<TemplateValue>> = Vec::new();
        // A pack consumes all remaining arguments.
        let mut pack: Option<Vec<TemplateValue>> = None;
        for (idx, arg) in args.iter().enumerate() {
            let Some(param) = params.get(if pack.is_some() { values.len() } else { idx }) else {
                return Ok(None);
            };
            if param.is_pack && pack.is_none() {
                pack = Some(Vec::new());
            }
            let value = match (arg, &param.kind) {
                (TemplateArg::Type(name), TemplateParamKind::Type(_)) => {
                    if is_kernel {
                        self.refuse_double(name)?;
                    }
                    let resolved = self.resolve(name, None)?;
                    TemplateValue::Type {
                        reference: resolved.reference(),
                        ty: resolved.ty,
                        is_const: resolved.is_const,
                    }
                }
                (TemplateArg::Value(value), TemplateParamKind::Value(ty, _)) => {
                    let bindings = bindings_of(params, &values);
                    self.value_argument(value, ty, &namespace, bindings)?
                }
                (TemplateArg::Type(name), TemplateParamKind::Template(_)) => {
                    let BaseType::Named(ident) = &name.base else {
                        return Ok(None);
                    };
                    match self.type_template(&ident.name) {
                        Some(idx) => TemplateValue::Template(idx),
                        None => return Ok(None),
                    }
                }
                // `Trait<T>::value`: only the parameter kind shows that this is a value.
                (TemplateArg::Type(name), TemplateParamKind::Value(ty, _)) => {
                    let Some((of, member)) = member_of(name) else {
                        return Ok(None);
                    };
                    let bindings = bindings_of(params, &values);
                    let ty = self.parameter_type(ty, &namespace, bindings.clone())?;
                    let Some(ty) = ty.filter(|ty| !self.is_function_pointer(ty)) else {
                        let kind = ast::ExprKind::StaticMember {
                            ty: Box::new(of),
                            member: member.clone(),
                            template_args: None,
                            args: None,
                        };
                        let span = arg.span();
                        let TemplateParamKind::Value(ty, _) = &param.kind else {
                            return Ok(None);
                        };
                        let value =
                            self.value_argument(&ast::Expr { kind, span }, ty, &namespace, bindings)?;
                        match &mut pack {
                            Some(pack) => pack.push(value),
                            None => values.push(Some(value)),
                        }
                        continue;
                    };
                    let value = self.static_member(&of, member, None, None, arg.span())?;
                    let value = self.rvalue(value)?;
                    let value = self.implicit(value, &ty, "as a template argument")?;
                    let Some(known) = self.evaluate(&value) else {
                        return self.error(arg.span(), "A template argument must be a constant expression.");
                    };
                    TemplateValue::Value(known, ty)
                }
                _ => return Ok(None),
            };
            match &mut pack {
                Some(pack) => pack.push(value),
                None => values.push(Some(value)),
            }
        }
        values.extend(pack.map(|pack| Some(TemplateValue::Pack(pack))));
        values.resize(params.len(), None);
        Ok(Some(values))
    }

    /// The type of a parameter that is a value: a function is passed by its address. `None` for `auto`.
    fn parameter_type(
        &mut self,
        ty: &TypeName,
        namespace: &Name,
        bindings: Bindings,
    ) -> Checks<Option<Type>> {
        if matches!(ty.base, BaseType::Auto) {
            return Ok(None);
        }
        let outer = std::mem::replace(&mut self.namespace, namespace.clone());
        let own = self.with_bindings(bindings, |this| this.resolve(ty, None));
        self.namespace = outer;
        let own = own?.ty;
        Ok(Some(if self.is_function_type(&own) {
            own.pointer_to()
        } else {
            own
        }))
    }

    /// The value of an argument for a parameter of this type.
    fn value_argument(
        &mut self,
        value: &ast::Expr,
        ty: &TypeName,
        namespace: &Name,
        bindings: Bindings,
    ) -> Checks<TemplateValue> {
        let own = self.parameter_type(ty, namespace, bindings.clone())?;
        if matches!(ty.derived.last(), Some(Derived::Reference))
            && let Some(own) = own.as_ref().filter(|own| !self.is_function_pointer(own))
            && let Operand::Place(lvalue) = self.operand(value)?
            && let PlaceKind::Global(id) = lvalue.place.kind
            && lvalue.place.ty == *own
        {
            return Ok(TemplateValue::Address(id, None));
        }
        let given = match own.as_ref().filter(|own| self.is_function_pointer(own)) {
            Some(to) => self.function_argument(value, to)?,
            None => self.value(value)?,
        };
        let own = match own {
            Some(own) => own,
            None => match self.pointer_to_function(&given) {
                Some(pointer) => pointer?,
                None => {
                    self.with_bindings(bindings, |this| this.resolve(ty, Some(&given.ty)))?
                        .ty
                }
            },
        };
        let is_enumerator = self.takes_numbers && matches!(own, Type::Enum(_)) && given.ty.is_integer();
        let given = if is_enumerator {
            given
        } else {
            self.implicit(given, &own, "as a template argument")?
        };
        match self.evaluate(&given) {
            Some(known) => Ok(TemplateValue::Value(known, own)),
            None => match global_at(&given) {
                Some(id) => Ok(TemplateValue::Address(id, Some(own))),
                None => self.error(value.span, "A template argument must be a constant expression."),
            },
        }
    }

    /// The instance of a function template that an argument of a pointer type selects: `f`, `f<int>`.
    pub(in crate::check) fn instance_with_parameters(
        &mut self,
        name: &str,
        args: Option<&[TemplateArg]>,
        params: &[Type],
        span: Span,
    ) -> Checks<Option<(FuncId, Vec<TemplateArg>)>> {
        for idx in self.templates_of(name) {
            let template = &*self.templates[idx].ast.clone();
            if template.function.params.len() != params.len() || template.function.specifiers.global.is_some()
            {
                continue;
            }
            let given = args.unwrap_or_default();
            let namespace = self.templates[idx].namespace.clone();
            let values = self.explicit_values_in(&namespace, &template.params, false, given)?;
            let Some(mut values) = values else {
                continue;
            };
            let fits = Deduction::of(&template.params, &self.classes, given, &mut values).call(
                &template.function.params,
                |_, idx| ArgumentType {
                    ty: Some(&params[idx]),
                    is_const: false,
                    is_lvalue: false,
                },
                params.len(),
            );
            if fits
                && let Some(values) = self.completed_in(&namespace, &template.params, values)
                && let Some(id) = self.instantiate(idx, values.clone(), span)?
            {
                // Arguments stay as written, since those that are functions have no other name.
                let has_pack = template.params.iter().any(|param| param.is_pack);
                let num = if has_pack { 0 } else { given.len() };
                let mut named = given[..num].to_vec();
                named.extend(known_arguments(&values[num..], span));
                return Ok(Some((id, named)));
            }
        }
        Ok(None)
    }

    pub(super) fn default_value(
        &mut self,
        param: &TemplateParam,
        bindings: Bindings,
    ) -> Option<TemplateValue> {
        let (num_diagnostics, broken) = (self.diagnostics.len(), self.body.broken);
        let value = self.with_bindings(bindings, |this| match &param.kind {
            _ if param.is_pack => Some(TemplateValue::Pack(Vec::new())),
            TemplateParamKind::Type(Some(name)) => {
                let expanded = this.expanded_type(name).ok()?;
                let name = expanded.as_ref().unwrap_or(name);
                let resolved = this.resolve(name, None).ok()?;
                Some(TemplateValue::Type {
                    reference: resolved.reference(),
                    ty: resolved.ty,
                    is_const: resolved.is_const,
                })
            }
            TemplateParamKind::Template(Some(TypeName {
                base: BaseType::Named(ident),
                ..
            })) => this.type_template(&ident.name).map(TemplateValue::Template),
            TemplateParamKind::Value(ty, Some(value)) => {
                let expanded = this.expanded_type(ty).ok()?;
                let ty = expanded.as_ref().unwrap_or(ty);
                let expanded = this.expanded_value(value).ok()?;
                let (namespace, bindings) = (this.namespace.clone(), this.body.bindings.clone());
                this.value_argument(expanded.as_ref().unwrap_or(value), ty, &namespace, bindings)
                    .ok()
            }
            _ => None,
        });
        if value.is_none() {
            self.diagnostics.truncate(num_diagnostics);
            self.body.broken = broken;
        }
        value
    }

    /// The values of all parameters; missing values come from default arguments.
    pub(super) fn completed(
        &mut self,
        params: &[TemplateParam],
        mut values: Vec<Option<TemplateValue>>,
    ) -> Option<Vec<TemplateValue>> {
        for (idx, param) in params.iter().enumerate() {
            if values[idx].is_none() {
                let bindings = bindings_of(params, &values);
                values[idx] = Some(self.default_value(param, bindings)?);
            }
        }
        values.into_iter().collect()
    }

    /// The instance of a template for these values; `None` if they do not match the function's parameters.
    pub(super) fn instantiate(
        &mut self,
        idx: usize,
        values: Vec<TemplateValue>,
        span: Span,
    ) -> Checks<Option<FuncId>> {
        let entry = &self.templates[idx];
        if let Some((_, id)) = entry.instances.iter().find(|(known, _)| *known == values) {
            return Ok(*id);
        }
        let (template, namespace, class) = (entry.ast.clone(), entry.namespace.clone(), entry.class);
        let mut bindings = entry.bindings.clone();
        if (values.iter().flat_map(TemplateValue::elements))
            .any(|value| matches!(value, TemplateValue::Type { ty, .. } if nesting(ty) > MAX_NESTING))
        {
            let message = format!(
                "A type here is nested more than {MAX_NESTING} levels deep: excessive recursion at instantiation of \
                 `{}`.",
                template.function.name.name
            );
            return self.error(span, message);
        }
        let has_pack = template.function.params.iter().any(|param| param.is_pack);
        if has_pack && values.iter().any(|value| value.elements().len() > MAX_PARAMS) {
            let message = format!(
                "A parameter pack of `{}` would have more than {MAX_PARAMS} elements.",
                template.function.name.name
            );
            return self.error(span, message);
        }
        let num_instances: usize = self.templates.iter().map(|entry| entry.instances.len()).sum();
        if num_instances >= MAX_INSTANCES {
            let message = format!(
                "There are more than {MAX_INSTANCES} template instances: excessive recursion at instantiation of `{}`.",
                template.function.name.name
            );
            return self.error(span, message);
        }
        // A signature that depends on itself does not match.
        self.templates[idx].instances.push((values.clone(), None));
        let filled: Vec<Option<TemplateValue>> = values.iter().cloned().map(Some).collect();
        bindings.extend(bindings_of(&template.params, &filled));
        let num_diagnostics = self.diagnostics.len();
        let function = &template.function;
        let outer = std::mem::replace(&mut self.namespace, namespace);
        let outer_class = std::mem::replace(&mut self.class, class);
        let id = self
            .instance_of(function, &function.name.name, bindings, &values)
            .ok();
        self.namespace = outer;
        self.class = outer_class;
        if id.is_none() {
            self.refused = self.diagnostics.split_off(num_diagnostics);
        }
        let instances = &mut self.templates[idx].instances;
        instances.retain(|(known, _)| *known != values);
        instances.push((values, id));
        Ok(id)
    }

    /// Declares an instance.
    pub(super) fn instance_of(
        &mut self,
        function: &Arc<ast::Function>,
        name: &str,
        bindings: Bindings,
        values: &[TemplateValue],
    ) -> Checks<FuncId> {
        let text = self.values_text(values);
        let body = Body {
            bindings: bindings.clone(),
            ..Body::default()
        };
        let outer = std::mem::replace(&mut self.body, body);
        let entry = self.signature_of(function, false);
        self.body = outer;
        let mut entry = entry?;
        entry.hir.name = format!("{}{name}<{text}>", self.namespace);
        let id = FuncId(self.functions.len() as u32);
        self.functions.push(entry);
        Ok(id)
    }

    /// Template arguments as text.
    pub(super) fn values_text(&self, values: &[TemplateValue]) -> String {
        let elements = values.iter().flat_map(TemplateValue::elements);
        let texts: Vec<String> = elements.map(|value| self.value_text(value)).collect();
        texts.join(", ")
    }

    pub(super) fn value_text(&self, value: &TemplateValue) -> String {
        match value {
            TemplateValue::Pack(elements) => self.values_text(elements),
            TemplateValue::Type {
                ty,
                is_const,
                reference,
            } => {
                let reference = match reference {
                    Reference::None => "",
                    Reference::Lvalue => " &",
                    Reference::Rvalue => " &&",
                };
                format!(
                    "{}{}{reference}",
                    if *is_const { "const " } else { "" },
                    self.text(ty)
                )
            }
            TemplateValue::Value(Const::Int(address), ty) if self.is_function_pointer(ty) => {
                self.function_name(*address)
            }
            TemplateValue::Address(id, ty) => {
                let address = if ty.is_some() { "&" } else { "" };
                format!("{address}{}", self.globals[id.0 as usize].name)
            }
            TemplateValue::Template(idx) => self.type_templates[*idx].name().to_string(),
            TemplateValue::Value(Const::Int(value), _) => value.to_string(),
            TemplateValue::Value(Const::Bool(value), _) => value.to_string(),
            TemplateValue::Value(Const::F32(value), _) => value.to_string(),
            TemplateValue::Value(Const::F64(value), _) => value.to_string(),
        }
    }
}
