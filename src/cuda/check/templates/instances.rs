//! Instances of function templates: explicit arguments, default arguments, and instantiation.

use super::*;

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

impl Checker {
    /// Instantiates a template that the source names explicitly.
    pub(in crate::check) fn named_instance(&mut self, instance: &ast::Instance) -> Checks<()> {
        let (num_diagnostics, broken) = (self.diagnostics.len(), self.body.broken);
        let result = self.try_named_instance(instance);
        if instance.is_launch && result.is_err() {
            // The host can name values that only the host knows. Architecture errors are still reported.
            let said = self.diagnostics.split_off(num_diagnostics);
            self.diagnostics.extend(
                said.into_iter()
                    .filter(|diagnostic| diagnostic.cause == Cause::Architecture),
            );
            self.body.broken = broken;
            return Ok(());
        }
        result
    }

    fn try_named_instance(&mut self, instance: &ast::Instance) -> Checks<()> {
        let name = &instance.name;
        let known = self.templates_of(&name.name);
        for idx in known {
            let template = &*self.templates[idx].ast.clone();
            let Some(values) = self.explicit_values(
                &template.params,
                template.function.specifiers.global.is_some(),
                &instance.args,
            )?
            else {
                continue;
            };
            if let Some(values) = self.completed(&template.params, values)
                && self.instantiate(idx, values, name.span)?.is_some()
            {
                return Ok(());
            }
        }
        if matches!(self.lookup(&name.name), Some(Symbol::Host(_))) {
            return Ok(());
        }
        self.error(
            name.span,
            format!(
                "No instance of function template `{}` matches these arguments.",
                name.name
            ),
        )
    }

    /// The values of explicit arguments, with `None` for the other parameters; `None` if they do not match the
    /// template.
    pub(super) fn explicit_values(
        &mut self,
        params: &[TemplateParam],
        is_kernel: bool,
        args: &[TemplateArg],
    ) -> Checks<Option<Vec<Option<TemplateValue>>>> {
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
                    let ty = self.with_bindings(bindings, |this| this.resolve(ty, None))?.ty;
                    let value = self.value(value)?;
                    let value = self.implicit(value, &ty, "as a template argument")?;
                    match self.evaluate(&value) {
                        Some(known) => TemplateValue::Value(known, ty),
                        None => {
                            return self
                                .error(arg.span(), "A template argument must be a constant expression.");
                        }
                    }
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
                    let ty = self.with_bindings(bindings, |this| this.resolve(ty, None))?.ty;
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
                let ty = this.resolve(expanded.as_ref().unwrap_or(ty), None).ok()?.ty;
                let expanded = this.expanded_value(value).ok()?;
                let value = this.value(expanded.as_ref().unwrap_or(value)).ok()?;
                let value = this.implicit(value, &ty, "as a template argument").ok()?;
                Some(TemplateValue::Value(this.evaluate(&value)?, ty))
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
            self.diagnostics.truncate(num_diagnostics);
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
            TemplateValue::Template(idx) => self.type_templates[*idx].name().to_string(),
            TemplateValue::Value(Const::Int(value), _) => value.to_string(),
            TemplateValue::Value(Const::Bool(value), _) => value.to_string(),
            TemplateValue::Value(Const::F32(value), _) => value.to_string(),
            TemplateValue::Value(Const::F64(value), _) => value.to_string(),
        }
    }
}
