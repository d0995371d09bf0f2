//! Class, alias, and variable templates, and their instances.

use super::*;

/// A class template or an alias template.
pub(in crate::check) struct TypeTemplate {
    pub(super) what: TypeTemplateKind,
    /// The namespace, as `a::b::`.
    pub(super) namespace: Name,
    /// The enclosing struct.
    class: Option<StructId>,
    /// The arguments of the enclosing templates.
    bindings: Bindings,
    /// Its specializations.
    specializations: Vec<Arc<ast::ClassTemplate>>,
    /// Member functions that are defined outside the class.
    pub(super) definitions: Vec<Arc<Template>>,
    /// Its deduction guides that are not declared yet.
    pub(super) guides: Vec<Arc<Template>>,
    /// The instances; `None` if the struct has an error. Includes whether the type is const, and its reference kind.
    pub(super) instances: Vec<(Vec<TemplateValue>, Option<Qualified>)>,
}

#[derive(Clone)]
pub(super) enum TypeTemplateKind {
    Struct(Arc<ast::ClassTemplate>),
    Alias(Arc<ast::AliasTemplate>),
}

impl TypeTemplate {
    /// The unqualified name.
    pub(super) fn name(&self) -> &str {
        match &self.what {
            TypeTemplateKind::Struct(template) => template.def.name.as_ref().map_or("", |name| &name.name),
            TypeTemplateKind::Alias(template) => &template.name.name,
        }
    }
}

impl TypeTemplateKind {
    fn params(&self) -> &[TemplateParam] {
        match self {
            Self::Struct(template) => &template.params,
            Self::Alias(template) => &template.params,
        }
    }

    fn is_forward(&self) -> bool {
        matches!(self, Self::Struct(template) if template.def.is_forward)
    }

    /// Adds the default arguments of an earlier declaration.
    fn with_defaults_of(self, earlier: &Self) -> Self {
        let Self::Struct(template) = self else { return self };
        let mut template = Arc::unwrap_or_clone(template);
        for (own, other) in template.params.iter_mut().zip(earlier.params()) {
            if matches!(
                own.kind,
                TemplateParamKind::Type(None) | TemplateParamKind::Value(_, None)
            ) {
                own.kind = other.kind.clone();
            }
        }
        Self::Struct(Arc::new(template))
    }
}

impl Checker {
    pub(in crate::check) fn declare_class_template(
        &mut self,
        template: &Arc<ast::ClassTemplate>,
    ) -> Checks<()> {
        let Some(name) = &template.def.name else {
            return Err(Reported);
        };
        // `template <> struct Name<>` is a specialization, too.
        if !template.args.is_empty() || template.params.is_empty() {
            let Some(idx) = self.type_template(&name.name) else {
                if template.def.is_of_host {
                    // A template of the host's libraries.
                    return Ok(());
                }
                return self.error(
                    name.span,
                    format!("There is no template `{}` for this specialization.", name.name),
                );
            };
            self.type_templates[idx].specializations.push(template.clone());
            return Ok(());
        }
        self.enter_type_template(&name.name, TypeTemplateKind::Struct(template.clone()));
        Ok(())
    }

    pub(in crate::check) fn declare_variable_template(&mut self, template: &Arc<ast::VariableTemplate>) {
        for declarator in &template.declaration.declarators {
            let whole = self.whole(&declarator.name.name);
            self.variable_templates.insert(
                whole,
                (
                    template.clone(),
                    self.namespace.clone(),
                    self.body.bindings.clone(),
                ),
            );
        }
    }

    /// The variable `name<args>`, which is instantiated at its first use.
    pub(in crate::check) fn variable_instance(
        &mut self,
        name: &ast::Ident,
        args: &[TemplateArg],
        span: Span,
    ) -> Checks<Operand> {
        let known = self.meanings(&name.name);
        let known = known.iter().find_map(|name| self.variable_templates.get(name));
        let Some((template, namespace, mut enclosing)) = known.cloned() else {
            return self.error(
                name.span,
                format!(
                    "`{}` is a function; call it with `{}<…>(…)`.",
                    name.name, name.name
                ),
            );
        };
        let values = self.explicit_values(&template.params, false, args)?;
        let Some(values) = values.and_then(|values| self.completed(&template.params, values)) else {
            return self.error(
                name.span,
                format!("These template arguments do not match `{}`.", name.name),
            );
        };
        let text = self.values_text(&values);
        let filled: Vec<Option<TemplateValue>> = values.into_iter().map(Some).collect();
        enclosing.extend(bindings_of(&template.params, &filled));
        let bindings = enclosing;
        let expanded = self.with_bindings(bindings.clone(), |this| {
            this.expanded_declaration(&template.declaration)
        })?;
        let declaration = expanded.as_ref().unwrap_or(&template.declaration);
        let mut declarator = declaration.declarators[0].clone();
        let own = format!("{}<{text}>", declarator.name.name);
        let whole = format!("{namespace}{own}");
        declarator.name.name = own.into();
        if !self.scope.contains_key(&*whole) {
            let outer = std::mem::replace(&mut self.namespace, namespace);
            let class = self.class.take();
            let declared = self.with_bindings(bindings, |this| this.file_variable(declaration, &declarator));
            self.namespace = outer;
            self.class = class;
            declared?;
        }
        match self.scope.get(&*whole).cloned() {
            Some(Symbol::Constant(value, ty)) => Ok(Operand::Value(constant(value, ty, span))),
            Some(symbol) => self.variable(&symbol, span).map(Operand::Place).ok_or(Reported),
            None => Err(Reported),
        }
    }

    pub(in crate::check) fn declare_alias_template(&mut self, template: &Arc<ast::AliasTemplate>) {
        self.enter_type_template(&template.name.name, TypeTemplateKind::Alias(template.clone()));
    }

    fn enter_type_template(&mut self, name: &Name, what: TypeTemplateKind) {
        let whole = self.whole(name);
        if let Some(idx) = self.type_templates_by_name.get(&whole) {
            let known = &mut self.type_templates[*idx];
            // A definition replaces declarations.
            if known.what.is_forward() {
                known.what = what.with_defaults_of(&known.what);
                return;
            }
            if what.is_forward() {
                return;
            }
        }
        self.type_templates_by_name
            .insert(whole, self.type_templates.len());
        self.type_templates.push(TypeTemplate {
            what,
            namespace: self.namespace.clone(),
            class: self.class,
            bindings: self.body.bindings.clone(),
            specializations: Vec::new(),
            definitions: Vec::new(),
            guides: Vec::new(),
            instances: Vec::new(),
        });
    }

    pub(in crate::check) fn type_template(&self, name: &str) -> Option<usize> {
        if let Some(Symbol::Template(idx)) = self.body.bindings.get(name) {
            return Some(*idx);
        }
        self.meanings(name)
            .iter()
            .find_map(|name| self.type_templates_by_name.get(name))
            .copied()
    }

    /// A member type of a struct, or an instance of a member template; with whether it is const.
    pub(in crate::check) fn nested_type(
        &mut self,
        id: StructId,
        name: &ast::Ident,
        args: Option<&[TemplateArg]>,
    ) -> Checks<Option<Qualified>> {
        for owner in self.self_and_bases(id) {
            let Some(whole) = self.member_name(owner, &name.name) else {
                continue;
            };
            if let Some(args) = args {
                if self.type_templates_by_name.contains_key(&whole) {
                    let whole = ast::Ident {
                        name: whole,
                        span: name.span,
                    };
                    return self.type_instance(&whole, args).map(Some);
                }
            } else if let Some(Symbol::Type {
                ty,
                is_const,
                reference,
            }) = self.scope.get(&whole)
            {
                return Ok(Some((ty.clone(), *is_const, *reference)));
            }
        }
        Ok(None)
    }

    /// The type `name<args>`, whether it is const, and its reference kind.
    pub(in crate::check) fn type_instance(
        &mut self,
        name: &ast::Ident,
        args: &[TemplateArg],
    ) -> Checks<Qualified> {
        let Some(idx) = self.type_template(&name.name) else {
            if matches!(self.lookup(&name.name), Some(Symbol::Poison)) {
                return Err(self.poisoned_name(&name.name));
            }
            return self.error(name.span, format!("There is no class template `{}`.", name.name));
        };
        let what = self.type_templates[idx].what.clone();
        let space = self.type_templates[idx].namespace.clone();
        let values = self.explicit_values_in(&space, what.params(), false, args)?;
        let values = values.and_then(|values| self.completed_in(&space, what.params(), values));
        let Some(values) = values else {
            return self.error(
                name.span,
                format!("These template arguments do not match `{}`.", name.name),
            );
        };
        let entry = &self.type_templates[idx];
        if let Some((_, known)) = entry.instances.iter().find(|(known, _)| *known == values) {
            let known = known.clone();
            self.report_instance_errors(idx, &values, name.span);
            return known.ok_or(Reported).inspect_err(|_| self.body.broken = true);
        }
        self.check_instance_limits(name)?;
        let entry = &self.type_templates[idx];
        let (namespace, definitions) = (entry.namespace.clone(), entry.definitions.clone());
        let (enclosing, mut outer_bindings) = (entry.class, entry.bindings.clone());
        let filled: Vec<Option<TemplateValue>> = values.iter().cloned().map(Some).collect();
        let special = self.specialization_for(idx, &values);
        let (special, bindings) = match special {
            Some((template, bindings)) => (Some(template.def.clone()), bindings),
            None => (None, bindings_of(what.params(), &filled)),
        };
        outer_bindings.extend(bindings);
        let bindings = outer_bindings;
        self.num_open += 1;
        let num_diagnostics = self.diagnostics.len();
        let text = self.values_text(&values);
        let outer = std::mem::replace(&mut self.namespace, namespace);
        let class = std::mem::replace(&mut self.class, enclosing);
        let result = self.with_bindings(bindings, |this| match &what {
            TypeTemplateKind::Struct(template) => {
                let def = special.as_ref().unwrap_or(&template.def);
                if def.is_forward {
                    let message = format!(
                        "`{}` is declared, but not defined for these arguments.",
                        name.name
                    );
                    return this.error(name.span, message);
                }
                let simple = def.name.as_ref().map_or("", |name| &*name.name);
                let whole = format!("{}{simple}<{text}>", this.namespace);
                let instance = Some((simple.to_owned(), values.clone()));
                this.define_struct_named(def, whole, instance, |this, ty| {
                    this.type_templates[idx]
                        .instances
                        .push((values.clone(), Some((ty, false, Reference::None))));
                })
                .map(|ty| (ty, false, Reference::None))
            }
            TypeTemplateKind::Alias(template) => {
                let expanded = this.expanded_type(&template.ty)?;
                let ty = expanded.as_ref().unwrap_or(&template.ty);
                this.resolve(ty, None)
                    .map(|resolved| (resolved.ty.clone(), resolved.is_const, resolved.reference()))
            }
        });
        self.num_open -= 1;
        self.namespace = outer;
        self.class = class;
        // Errors in a header's template are reported at the line that names it.
        let said = self.diagnostics.get(num_diagnostics..).unwrap_or_default();
        let errors = said.iter().filter(|said| said.severity == Severity::Error);
        let errors: Vec<Diagnostic> = errors.cloned().collect();
        self.move_out_of_headers(num_diagnostics, name.span);
        if !errors.is_empty() {
            self.wrong_instances.push((idx, values.clone(), errors));
        }
        if let (Ok((Type::Struct(id), ..)), None) = (&result, &special) {
            for template in definitions {
                self.define_member_of_instance(*id, &values, &template);
            }
        }
        let instances = &mut self.type_templates[idx].instances;
        instances.retain(|(known, _)| *known != values);
        instances.push((values, result.as_ref().ok().cloned()));
        result
    }

    /// Reports excessive recursion at the instantiation of a class template.
    fn check_instance_limits(&mut self, name: &ast::Ident) -> Checks<()> {
        let num_instances: usize = self
            .type_templates
            .iter()
            .map(|entry| entry.instances.len())
            .sum();
        if num_instances >= MAX_INSTANCES {
            let message = format!(
                "There are more than {MAX_INSTANCES} template instances: excessive recursion at instantiation of `{}`.",
                name.name
            );
            return self.error(name.span, message);
        }
        if self.is_deep() {
            let message = format!(
                "More than {MAX_OPEN} template instances are incomplete: excessive recursion at instantiation of `{}`.",
                name.name
            );
            return self.error(name.span, message);
        }
        Ok(())
    }

    /// Marks an instance with errors as an error in every function that uses it. Errors of a header's template, which
    /// belong to the line that names it, are reported once in each function.
    fn report_instance_errors(&mut self, idx: usize, values: &[TemplateValue], user: Span) {
        let is_this =
            |(template, known, _): &&(usize, Vec<TemplateValue>, _)| *template == idx && known == values;
        let Some((.., errors)) = self.wrong_instances.iter().find(is_this) else {
            return;
        };
        if self.body.broken || self.is_of_header(user) {
            self.body.broken = true;
            return;
        }
        let is_from_header = match &self.type_templates[idx].what {
            TypeTemplateKind::Struct(template) => {
                let name = template.def.name.as_ref();
                name.is_some_and(|name| self.is_of_header(name.span))
            }
            TypeTemplateKind::Alias(_) => false,
        };
        let errors = if is_from_header {
            errors.clone()
        } else {
            Vec::new()
        };
        self.body.broken = true;
        for error in errors {
            let _ = self.report::<()>(Diagnostic { span: user, ..error });
        }
    }

    /// The most specialized matching specialization of a class template, with the values of its parameters.
    fn specialization_for(
        &mut self,
        idx: usize,
        values: &[TemplateValue],
    ) -> Option<(Arc<ast::ClassTemplate>, Bindings)> {
        let params = self.type_templates[idx].what.params().to_vec();
        let namespace = self.type_templates[idx].namespace.clone();
        let mut best: Option<(Arc<ast::ClassTemplate>, Bindings)> = None;
        for template in self.type_templates[idx].specializations.clone() {
            let mut found = vec![None; template.params.len()];
            let fits = Deduction::of(&template.params, &self.classes, &[], &mut found)
                .arguments(&template.args, values);
            for (value, param) in found.iter_mut().zip(&template.params) {
                if param.is_pack && value.is_none() {
                    *value = Some(TemplateValue::Pack(Vec::new()));
                }
            }
            if !fits || found.iter().any(Option::is_none) {
                continue;
            }
            let bindings = bindings_of(&template.params, &found);
            let outer = std::mem::replace(&mut self.namespace, namespace.clone());
            let (num_diagnostics, broken) = (self.diagnostics.len(), self.body.broken);
            let mut enclosing = self.type_templates[idx].bindings.clone();
            enclosing.extend(bindings.clone());
            let again = self.with_bindings(enclosing, |this| {
                let written = this.explicit_values(&params, false, &template.args).ok()??;
                this.completed(&params, written)
            });
            self.diagnostics.truncate(num_diagnostics);
            self.body.broken = broken;
            self.namespace = outer;
            if again.as_deref() != Some(values) {
                continue;
            }
            let is_better = best.as_ref().is_none_or(|(other, _)| {
                let mut found = vec![None; other.params.len()];
                let own = patterns(&template.args);
                let wide = patterns(&other.args);
                takes_all(&wide, &own, &other.params, &mut found)
            });
            if is_better {
                best = Some((template, bindings));
            }
        }
        best
    }
}
