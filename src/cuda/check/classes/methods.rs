//! Calls of member functions, static members, and `->` operators.

use super::*;
use crate::hir::PlaceKind;

impl Checker {
    /// Whether a struct, or one of its bases, has member functions with this name.
    pub(in crate::check) fn has_method(&self, ty: &Type, name: &str) -> bool {
        let Type::Struct(id) = ty else { return false };
        self.self_and_bases(*id).into_iter().any(|id| {
            self.member_name(id, name).is_some_and(|name| {
                self.by_name.contains_key(&name) || self.templates_by_name.contains_key(&name)
            })
        })
    }

    /// `base.method(args)`.
    pub(in crate::check) fn method_call(
        &mut self,
        base: &ast::Expr,
        arrow: bool,
        method: &Ident,
        template_args: Option<&[TemplateArg]>,
        args: &[ast::Expr],
        span: Span,
    ) -> Checks<Operand> {
        let mut object = self.operand(base)?;
        if arrow {
            object = self.arrow_target(object, base.span)?;
        }
        if &*method.name == ast::DESTRUCTOR {
            return self.destructor_call(object, span);
        }
        let mut ty = operand_type(&object).clone();
        if &*method.name == "operator()" && self.is_function_pointer(&ty) {
            object = self.arrow_target(object, base.span)?;
            ty = operand_type(&object).clone();
        }
        let Type::Struct(id) = ty else {
            let text = self.text(&ty);
            let message = if &*method.name == "operator()" {
                "Only functions, and objects with `operator()`, can be called.".to_owned()
            } else {
                format!("A value of type `{text}` has no member functions.")
            };
            return self.error(method.span, message);
        };
        // `object.Base::function()`.
        let of_base =
            (method.name.rsplit_once("::")).and_then(|(path, own)| Some((self.find_base(id, path)?, own)));
        let is_qualified = of_base.is_some();
        let (id, method) = match of_base {
            Some((base, own)) => (
                base,
                &Ident {
                    name: own.into(),
                    span: method.span,
                },
            ),
            None => (id, method),
        };
        self.check_access(&Type::Struct(id), method)?;
        if !self.has_method(&Type::Struct(id), &method.name) {
            // A function object or a function pointer in a field.
            let mut member = self.field(object.clone(), &method.name, span);
            if let Some(pointer) = member.take_if(|member| self.is_function_pointer(operand_type(member))) {
                member = Some(self.arrow_target(pointer, span)?);
            }
            if let Some(object) = member
                && let Type::Struct(id) = *operand_type(&object)
                && self.has_method(&Type::Struct(id), "operator()")
            {
                let args = self.arguments(args)?;
                return self.call_method(object, id, "operator()", template_args, &args, span);
            }
            return self.report_no_method(id, method);
        }
        let args = self.arguments(args)?;
        let outer = std::mem::replace(&mut self.calls_directly, is_qualified);
        let result = self.call_method(object, id, &method.name, template_args, &args, span);
        self.calls_directly = outer;
        result
    }

    /// `name<args>::member`, and a call of it.
    pub(in crate::check) fn static_member(
        &mut self,
        ty: &ast::TypeName,
        member: &Ident,
        template_args: Option<&[TemplateArg]>,
        args: Option<&[ast::Expr]>,
        span: Span,
    ) -> Checks<Operand> {
        let ty = self.resolve(ty, None)?.ty;
        let Type::Struct(id) = ty else {
            return self.error(member.span, "Only structs have members.");
        };
        for owner in self.self_and_bases(id) {
            let Some(whole) = self.member_name(owner, &member.name) else {
                continue;
            };
            let symbol = self.scope.get(&whole).cloned();
            match (symbol, args) {
                (Some(Symbol::Constant(value, ty)), None) => {
                    return Ok(Operand::Value(constant(value, ty, span)));
                }
                (Some(Symbol::Type { ty, .. }), Some(args)) if ty.is_aggregate() => {
                    return self.constructed(&ty, args, span).map(Operand::Value);
                }
                (Some(Symbol::Type { ty, .. }), Some([only])) => {
                    let value = self.value(only)?;
                    return self.cast(value, &ty, span).map(Operand::Value);
                }
                (Some(Symbol::Host(declared)), None) => {
                    let text = self.text(&ty);
                    let message = format!(
                        "The value of `{text}::{}` is not a constant expression.",
                        member.name
                    );
                    return self.report(
                        crate::diagnostic::Diagnostic::error(member.span, message)
                            .note_at(declared, "Declared here."),
                    );
                }
                (_, Some(args)) => {
                    let known = self.by_name.get(&whole).cloned().unwrap_or_default();
                    if known.is_empty() && !self.templates_by_name.contains_key(&whole) {
                        continue;
                    }
                    let args = self.arguments(args)?;
                    let mut candidates = known;
                    candidates.extend(self.template_candidates(&whole, template_args, &args, span)?);
                    return match self.best_candidate(&candidates, &args) {
                        Some(function) => self.call_on(function, None, &args, span),
                        None => self.report_no_candidate(&candidates, &args, span),
                    };
                }
                (Some(symbol), None) => {
                    if let Some(lvalue) = self.variable(&symbol, span) {
                        return Ok(Operand::Place(lvalue));
                    }
                }
                (None, None) => {}
            }
        }
        let text = self.text(&ty);
        self.error(
            member.span,
            format!("`{text}` has no static member `{}`.", member.name),
        )
    }

    fn report_no_method<T>(&mut self, id: StructId, method: &Ident) -> Checks<T> {
        let of_host = self.self_and_bases(id).into_iter().find_map(|id| {
            let name = self.member_name(id, &method.name)?;
            match self.scope.get(&name) {
                Some(Symbol::Host(span)) => Some(*span),
                _ => None,
            }
        });
        let text = self.text(&Type::Struct(id));
        if let Some(declared) = of_host {
            let message = format!(
                "Calling the host function `{text}::{}` from device code is not allowed; declare the function \
                 `__device__`.",
                method.name
            );
            return self.report(
                crate::diagnostic::Diagnostic::error(method.span, message)
                    .note_at(declared, "Declared here."),
            );
        }
        if self.missing_methods.contains(&format!("{text}::{}", method.name)) {
            self.body.broken = true;
            return Err(Reported);
        }
        let prefix = format!("{text}::");
        let known = self.by_name.keys().filter_map(|name| name.strip_prefix(&*prefix));
        let near = nearest(&method.name, known.filter(|name| !name.contains(':'))).map(str::to_owned);
        let message = format!("`{text}` has no member function `{}`", method.name);
        let diagnostic = match near {
            Some(near) => crate::diagnostic::Diagnostic::error(
                method.span,
                format!("{message}; did you mean `{near}`?"),
            )
            .fix(near),
            None => crate::diagnostic::Diagnostic::error(method.span, format!("{message}.")),
        };
        self.report(diagnostic)
    }

    /// The object that a pointer, or an object with `operator->`, points to.
    pub(in crate::check) fn arrow_target(&mut self, pointer: Operand, span: Span) -> Checks<Operand> {
        let ty = operand_type(&pointer).clone();
        if let Type::Struct(id) = ty
            && self.has_method(&ty, "operator->")
        {
            let inner = self.call_method(pointer, id, "operator->", None, &[], span)?;
            return self.arrow_target(inner, span);
        }
        let pointer = self.rvalue(pointer)?;
        Ok(Operand::Place(self.dereferenced(pointer, span)?))
    }

    /// A call of an existing member function.
    pub(in crate::check) fn call_method(
        &mut self,
        object: Operand,
        id: StructId,
        name: &str,
        template_args: Option<&[TemplateArg]>,
        args: &[Arg<'_>],
        span: Span,
    ) -> Checks<Operand> {
        let mut object = self.designated(object);
        if let Operand::Value(value) = object {
            let kept = self.stored_in_temporary(value);
            object = Operand::Place(Lvalue {
                // A temporary object is mutable.
                is_const: false,
                ..kept
            });
        }
        let Operand::Place(lvalue) = object else {
            return Err(Reported);
        };
        let is_const = lvalue.is_const;
        // The class of a variable is known.
        let is_direct =
            std::mem::take(&mut self.calls_directly) || !matches!(lvalue.place.kind, PlaceKind::Deref(_));
        let this = self.address_of(lvalue, span);
        for owner in self.self_and_bases(id) {
            let owners = if self.uses(owner, name) {
                self.self_and_bases(owner)
            } else {
                vec![owner]
            };
            let mut candidates: Vec<FuncId> = Vec::new();
            for owner in owners {
                let Some(whole) = self.member_name(owner, name) else {
                    continue;
                };
                let mut own = Vec::new();
                if template_args.is_none() {
                    own.extend(self.by_name.get(&whole).into_iter().flatten().copied());
                }
                if self.templates_by_name.contains_key(&whole) {
                    own.extend(self.template_candidates(&whole, template_args, args, span)?);
                }
                own.retain(|id| {
                    !candidates
                        .iter()
                        .any(|known| self.has_same_parameters(*known, *id))
                });
                candidates.extend(own);
            }
            if candidates.is_empty() {
                continue;
            }
            // On a non-const object, a non-const member function has priority.
            let changes = |id: &FuncId| {
                let entry = &self.functions[id.0 as usize];
                entry.has_this && !entry.ast.is_const
            };
            if is_const {
                let usable: Vec<FuncId> = candidates.iter().copied().filter(|id| !changes(id)).collect();
                if usable.is_empty() {
                    let text = self.text(&Type::Struct(id));
                    return self.error(
                        span,
                        format!(
                            "`{text}::{name}` is not a const member function, and its object is const here; declare \
                             the function const."
                        ),
                    );
                }
                candidates = usable;
            } else {
                candidates.sort_by_key(|id| !changes(id));
            }
            return match self.best_candidate(&candidates, args) {
                Some(function) => {
                    let function = if is_direct {
                        function
                    } else {
                        self.dispatcher(function)
                    };
                    let owner = self.functions[function.0 as usize].class.unwrap_or(owner);
                    let this = self.derived_to_base_address(this, &Type::Struct(id), &Type::Struct(owner));
                    self.call_on(function, Some(this), args, span)
                }
                None => self.report_no_candidate(&candidates, args, span),
            };
        }
        Err(Reported)
    }

    /// Whether a member function hides a base function with the same parameters.
    pub(in crate::check) fn has_same_parameters(&self, a: FuncId, b: FuncId) -> bool {
        let (a, b) = (&self.functions[a.0 as usize], &self.functions[b.0 as usize]);
        let mut pairs = a.params.iter().zip(&b.params);
        a.class != b.class
            && a.ast.is_const == b.ast.is_const
            && a.params.len() == b.params.len()
            && pairs.all(|(a, b)| (&a.ty, a.is_ref, a.is_const) == (&b.ty, b.is_ref, b.is_const))
    }
}
