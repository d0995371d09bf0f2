//! Instances of the kernel templates that no launch names, with guessed arguments.

use super::*;

impl Checker {
    /// Instantiates kernel templates that the source does not launch, so that they can run: type parameters are
    /// `float` (or the first of three other types that compiles), and number parameters are 16.
    pub(in crate::check) fn guess_instances(&mut self) {
        for idx in 0..self.templates.len() {
            let entry = &self.templates[idx];
            let template = &*entry.ast.clone();
            let function = &template.function;
            if function.specifiers.global.is_none()
                || function.body.is_none()
                || entry.is_refused
                || entry.instances.iter().any(|(_, id)| id.is_some())
            {
                continue;
            }
            self.has_guesses = true;
            let num_diagnostics = self.diagnostics.len();
            let name = &function.name;
            let mut id = None;
            let mut works = false;
            let mut fits = false;
            let num_called = self.called.len();
            let mut refusals: Vec<(Span, String)> = Vec::new();
            for guess in self.guesses(template) {
                self.diagnostics.truncate(num_diagnostics);
                self.called.truncate(num_called);
                if let Some(id) = id {
                    self.demote(id);
                }
                self.refused.clear();
                id = self.try_guess(idx, template, &guess);
                fits |= id.is_some();
                let refused = self.refused.first().filter(|_| id.is_none());
                refusals.extend(refused.map(|refused| (refused.span, refused.message.clone())));
                works = id.is_some_and(|id| self.is_error_free(id));
                if works {
                    break;
                }
            }
            if let Some(id) = id
                && works
            {
                let text = &self.functions[id.0 as usize].hir.name;
                let message = if self.templates[idx].is_launched {
                    format!(
                        "The template arguments of the launches of `{}` are not known here; it is compiled as `{text}`.",
                        name.name
                    )
                } else {
                    format!(
                        "`{}` is a template that this file does not launch; it is compiled as `{text}`.",
                        name.name
                    )
                };
                self.diagnostics
                    .push(Diagnostic::warning(name.span, message).note(
                        "Choose other arguments with `template __global__ void name<…>(…);` after it.",
                    ));
                continue;
            }
            self.diagnostics.truncate(num_diagnostics);
            self.called.truncate(num_called);
            if let Some(id) = id {
                self.demote(id);
            }
            // An unknown type in the signature depends on no argument.
            if !fits
                && let [first, rest @ ..] = refusals.as_slice()
                && first.1.starts_with("The type `")
                && first.1.contains("is not declared")
                && rest.iter().all(|other| other == first)
            {
                self.diagnostics.push(Diagnostic::error(first.0, first.1.clone()));
                continue;
            }
            let message = if self.templates[idx].is_launched {
                format!(
                    "The template arguments of the launches of `{}` are not known here, and it compiles with none of \
                     those that were tried.",
                    name.name
                )
            } else {
                format!(
                    "`{}` is a template, and this file does not instantiate it.",
                    name.name
                )
            };
            self.diagnostics
                .push(Diagnostic::warning(name.span, message).note(
                    "Instantiate it with `template __global__ void name<…>(…);` after its definition.",
                ));
        }
    }

    /// Removes an instance that does not compile from the kernels.
    fn demote(&mut self, id: FuncId) {
        self.functions[id.0 as usize].hir.kind = FunctionKind::Device;
    }

    /// Whether a function and all its callees are free of errors.
    fn is_error_free(&mut self, id: FuncId) -> bool {
        let mut reached = BTreeSet::from([id]);
        let mut next = vec![id];
        while let Some(id) = next.pop() {
            self.check_body(id);
            let entry = &self.functions[id.0 as usize];
            if !matches!(entry.progress, Progress::Done) {
                return false;
            }
            next.extend(entry.calls.keys().filter(|callee| reached.insert(**callee)));
        }
        true
    }

    /// Arguments to try for a kernel template without instances: common types and numbers, then the structs of the
    /// file; at most [`MAX_GUESSES`].
    fn guesses(&self, template: &Template) -> Vec<Guess> {
        let mut types = vec![Type::F32, Type::I32, Type::U32, Type::F64];
        let vectors = ["float2", "double2", "float4", "uint4"];
        let vectors = vectors.into_iter().filter_map(crate::types::builtin_type);
        let structs = (0..self.structs.len() as u32)
            .filter(|id| {
                let entry = &self.structs[*id as usize];
                entry.size > 0 && !entry.name.is_empty() && !self.is_closure(StructId(*id))
            })
            .map(|id| Type::Struct(StructId(id)));
        let more: Vec<Type> = vectors.chain(structs).take(24).collect();
        let num_types = (template.params.iter())
            .filter(|param| matches!(param.kind, TemplateParamKind::Type(None)))
            .count();
        let has_value =
            (template.params.iter()).any(|param| matches!(param.kind, TemplateParamKind::Value(_, None)));
        let numbers: &[i128] = if has_value { &[16, 4, 1, 32, 256] } else { &[16] };
        let mut out = Vec::new();
        for number in numbers {
            for ty in &types {
                out.push((vec![ty.clone()], *number));
            }
        }
        if num_types > 0 {
            out.extend(more.iter().map(|ty| (vec![ty.clone()], 16)));
        }
        if num_types > 1 {
            // Two different types in alternation: `<float, Payoff>`, `<Payoff, float>`.
            types.truncate(2);
            types.extend(more);
            for first in &types {
                for second in &types {
                    if first != second {
                        out.push((vec![first.clone(), second.clone()], 16));
                    }
                }
            }
        }
        out.truncate(MAX_GUESSES);
        out
    }

    fn try_guess(&mut self, idx: usize, template: &Template, (types, number): &Guess) -> Option<FuncId> {
        let mut values: Vec<Option<TemplateValue>> = Vec::new();
        let mut num_types = 0;
        for param in &template.params {
            let bindings = bindings_of(&template.params, &values);
            let guess = match &param.kind {
                TemplateParamKind::Type(None) => {
                    num_types += 1;
                    Some(TemplateValue::Type {
                        ty: types[(num_types - 1) % types.len()].clone(),
                        is_const: false,
                        reference: Reference::None,
                    })
                }
                TemplateParamKind::Value(ty, None) => {
                    let ty = self
                        .with_bindings(bindings, |this| this.resolve(ty, None))
                        .ok()?
                        .ty;
                    match ty {
                        Type::Bool => Some(TemplateValue::Value(Const::Bool(true), ty)),
                        ty if ty.is_integer() => Some(TemplateValue::Value(Const::Int(*number), ty)),
                        _ => return None,
                    }
                }
                _ => self.default_value(param, bindings),
            };
            let guess = guess?;
            values.push(Some(if param.is_pack {
                TemplateValue::Pack(vec![guess])
            } else {
                guess
            }));
        }
        let values = values.into_iter().flatten().collect();
        self.instantiate(idx, values, template.function.name.span).ok()?
    }
}

/// The types that the type parameters of a guessed instance take in turn, and the value of integer parameters.
type Guess = (Vec<Type>, i128);

/// Maximum number of instances that are tried for a kernel template without instances.
const MAX_GUESSES: usize = 96;
