//! The candidates of a call: the instances of function templates whose arguments are explicit or deduced.

use super::*;

impl Checker {
    /// The template instances with this name that match a call, the most specialized template first.
    pub(in crate::check) fn template_candidates(
        &mut self,
        name: &str,
        explicit: Option<&[TemplateArg]>,
        args: &[Arg<'_>],
        span: Span,
    ) -> Checks<Vec<FuncId>> {
        let mut known = self.templates_of(name);
        for whole in self.argument_dependent_functions(name, args) {
            for idx in self.templates_by_name.get(&whole).into_iter().flatten() {
                if !known.contains(idx) {
                    known.push(*idx);
                }
            }
        }
        // Among equally specialized templates, the first is called.
        let mut sorted: Vec<usize> = Vec::new();
        for idx in known.drain(..) {
            let own = &self.templates[idx].ast;
            let at = sorted
                .iter()
                .position(|other| is_more_specialized(own, &self.templates[*other].ast));
            sorted.insert(at.unwrap_or(sorted.len()), idx);
        }
        let mut candidates = Vec::new();
        for idx in sorted {
            let template = &*self.templates[idx].ast.clone();
            let namespace = self.templates[idx].namespace.clone();
            let Some(mut values) = self.explicit_values_in(
                &namespace,
                &template.params,
                template.function.specifiers.global.is_some(),
                explicit.unwrap_or_default(),
            )?
            else {
                continue;
            };
            let params = &template.function.params;
            let has_pack = params.iter().any(|param| param.is_pack);
            let fits = (args.len() <= params.len() || has_pack)
                && Deduction::of(
                    &template.params,
                    &self.classes,
                    explicit.unwrap_or_default(),
                    &mut values,
                )
                .call(params, |param, idx| argument_type(param, &args[idx]), args.len());
            if !fits {
                continue;
            }
            if let Some(values) = self.completed_in(&namespace, &template.params, values)
                && let Some(id) = self.instantiate(idx, values, span)?
            {
                candidates.push(id);
            }
        }
        Ok(candidates)
    }

    /// Whether a constructor template of a struct converts a value of another type.
    pub(in crate::check) fn template_constructor_takes(
        &self,
        constructor: &str,
        value: &crate::hir::Expr,
    ) -> bool {
        let known = self.templates_by_name.get(constructor).into_iter().flatten();
        known.copied().any(|idx| {
            let template = &self.templates[idx].ast;
            let [first, rest @ ..] = template.function.params.as_slice() else {
                return false;
            };
            let mut values = vec![None; template.params.len()];
            rest.iter().all(|param| param.default.is_some())
                && Deduction::of(&template.params, &self.classes, &[], &mut values).steps(
                    &first.ty,
                    &first.ty.derived,
                    &value.ty,
                    false,
                )
                && values.iter().any(Option::is_some)
        })
    }

    /// Reports why no template with this name matches a call.
    pub(in crate::check) fn report_no_instance<T>(
        &mut self,
        name: &str,
        explicit: Option<&[TemplateArg]>,
        args: &[Arg<'_>],
        span: Span,
    ) -> Checks<T> {
        let known = self.templates_of(name);
        let mut message = format!("No instance of function template `{name}` matches the argument list.");
        if let [only] = known.as_slice() {
            let template = &*self.templates[*only].ast.clone();
            if let Some(reason) = self.mismatch_reason(name, template, explicit.unwrap_or_default(), args)? {
                message = reason;
            }
        }
        let mut diagnostic = Diagnostic::error(span, message);
        for idx in known {
            let declared = self.templates[idx].ast.function.name.span;
            diagnostic = diagnostic.note_at(declared, "Declared here.");
        }
        self.report(diagnostic)
    }

    /// The reason why a template does not match a call, as a sentence.
    fn mismatch_reason(
        &mut self,
        name: &str,
        template: &Template,
        explicit: &[TemplateArg],
        args: &[Arg<'_>],
    ) -> Checks<Option<String>> {
        let num = template.function.params.len();
        let has_pack = template.function.params.iter().any(|param| param.is_pack);
        if args.len() > num && !has_pack {
            let arguments = if num == 1 { "argument" } else { "arguments" };
            return Ok(Some(format!(
                "`{name}` takes {num} {arguments}, not {}.",
                args.len()
            )));
        }
        let Some(mut values) = self.explicit_values(
            &template.params,
            template.function.specifiers.global.is_some(),
            explicit,
        )?
        else {
            return Ok(Some(format!("The template arguments do not match `{name}`.")));
        };
        for (param, arg) in template.function.params.iter().zip(args) {
            if param.is_pack {
                break;
            }
            let before = values.clone();
            let argument = argument_type(param, arg);
            if Deduction::of(&template.params, &self.classes, explicit, &mut values)
                .param(&param.ty, argument)
            {
                continue;
            }
            let mut alone = vec![None; values.len()];
            Deduction::of(&template.params, &self.classes, &[], &mut alone).param(&param.ty, argument);
            let two = (template.params.iter().zip(&before).zip(&alone))
                .find_map(|((param, a), b)| Some((param.name.as_ref()?, a.as_ref()?, b.as_ref()?)));
            return Ok(two.map(|(param, a, b)| {
                let (a, b) = (self.value_text(a), self.value_text(b));
                format!(
                    "`{}` of the template `{name}` is deduced as both `{a}` and `{b}`; convert one of the arguments.",
                    param.name
                )
            }));
        }
        if self.completed(&template.params, values.clone()).is_some() {
            return Ok(None);
        }
        let unknown = (template.params.iter().zip(&values)).find_map(|(param, value)| {
            if value.is_none() {
                param.name.as_ref()
            } else {
                None
            }
        });
        Ok(unknown.map(|param| {
            format!(
                "`{}` of the template `{name}` cannot be deduced from the arguments; write `{name}<…>(…)`.",
                param.name
            )
        }))
    }
}
