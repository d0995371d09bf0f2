//! Diagnostics for calls that match no function.

use super::*;

impl Checker {
    /// Reports why no candidate matches a call.
    pub(in crate::check) fn report_no_candidate(
        &mut self,
        candidates: &[FuncId],
        args: &[Arg<'_>],
        span: Span,
    ) -> Checks<Operand> {
        match candidates {
            [only] => self.report_mismatch(*only, args, span),
            [] => self.error(span, "No function of this name matches the argument list."),
            several => {
                let name = self.shown_name(several[0]);
                let types: Vec<String> = args
                    .iter()
                    .map(|arg| match arg {
                        Arg::Operand(_, value) => self.text(&value.ty),
                        Arg::List(_) => "{…}".to_owned(),
                    })
                    .collect();
                let mut diagnostic = Diagnostic::error(
                    span,
                    format!(
                        "No instance of overloaded function `{name}` matches the argument list; the argument types \
                         are ({}).",
                        types.join(", ")
                    ),
                );
                for id in several {
                    diagnostic = diagnostic.note(self.signature(*id));
                }
                self.report(diagnostic)
            }
        }
    }

    /// Whether a member function with this name takes these arguments.
    pub(super) fn method_fits(&mut self, id: StructId, name: &str, args: &[Arg<'_>]) -> bool {
        self.self_and_bases(id).into_iter().any(|owner| {
            let Some(whole) = self.member_name(owner, name) else {
                return false;
            };
            let own = self.by_name.get(&whole).cloned().unwrap_or_default();
            self.best_candidate(&own, args).is_some() || self.templates_by_name.contains_key(&whole)
        })
    }

    /// Reports why the only candidate does not match.
    fn report_mismatch(&mut self, id: FuncId, args: &[Arg<'_>], span: Span) -> Checks<Operand> {
        let entry = &self.functions[id.0 as usize];
        let declared = entry.ast.name.span;
        let name = self.shown_name(id);
        let num = entry.params.len();
        let num_defaults = entry.defaults.iter().flatten().count();
        if args.len() > num || args.len() + num_defaults < num {
            let arguments = if num == 1 { "argument" } else { "arguments" };
            let message = format!("`{name}` takes {num} {arguments}, not {}.", args.len());
            let diagnostic = Diagnostic::error(span, message).note(self.signature(id));
            return self.report(diagnostic);
        }
        let params = entry.params.clone();
        for (arg, param) in args.iter().zip(params) {
            if self.arg_cost(arg, &param).is_some() {
                continue;
            }
            match arg {
                Arg::Operand(Operand::Place(lvalue), _)
                    if param.takes_values
                        && !param.is_const
                        && !lvalue.expires
                        && lvalue.place.ty == param.ty =>
                {
                    let text = self.text(&param.ty);
                    let message = format!(
                        "`{text} &&` of `{name}` cannot be bound to an lvalue; write `std::move(…)`, or declare the \
                         parameter `{text} &`."
                    );
                    let diagnostic = Diagnostic::error(arg.span(), message);
                    return self.report(diagnostic.note_at(declared, "Declared here."));
                }
                Arg::Operand(operand, _) if param.is_ref => {
                    self.bind_parameter(operand.clone(), &param, arg.span())?;
                }
                Arg::Operand(_, value) => {
                    let context = format!("in an argument of `{name}`");
                    let converted = self.implicit(value.clone(), &param.ty, &context);
                    let signature = self.signature(id);
                    if let (Err(_), Some(diagnostic)) = (&converted, self.diagnostics.last_mut()) {
                        diagnostic.notes.push((None, signature));
                    }
                    converted?;
                }
                Arg::List(_) => {
                    let text = self.text(&param.ty);
                    return self.error(
                        arg.span(),
                        format!("A list in braces cannot initialize a `{text}`."),
                    );
                }
            }
        }
        self.report(
            Diagnostic::error(span, format!("These arguments do not match `{name}`."))
                .note_at(declared, "Declared here."),
        )
    }

    /// The declaration of a function as a sentence for a note.
    pub(super) fn signature(&self, id: FuncId) -> String {
        let entry = &self.functions[id.0 as usize];
        let params: Vec<String> = entry
            .params
            .iter()
            .zip(&entry.ast.params)
            .map(|(info, param)| {
                let reference = if info.is_ref { " &" } else { "" };
                let name = param
                    .name
                    .as_ref()
                    .map_or_else(String::new, |name| format!(" {}", name.name));
                format!("{}{reference}{name}", self.text(&info.ty))
            })
            .collect();
        let ret = if is_constructor(entry) {
            String::new()
        } else if entry.is_auto {
            "auto ".to_owned()
        } else {
            self.text(&entry.ret.ty) + if entry.ret.is_ref { " & " } else { " " }
        };
        let name = self.shown_name(id);
        format!("The declaration is {ret}{name}({}).", params.join(", "))
    }

    /// The name of a function in diagnostics: a constructor has the name of its struct.
    pub(super) fn shown_name(&self, id: FuncId) -> String {
        let entry = &self.functions[id.0 as usize];
        match entry.class {
            Some(class) if is_constructor(entry) => self.text(&Type::Struct(class)),
            _ => entry.ast.name.name.to_string(),
        }
    }
}
