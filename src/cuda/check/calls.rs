//! Calls: overload resolution and argument conversion.

mod library;
mod mismatches;
mod overloads;

use super::items::{own_name, uses_double};
use super::names::deref;
use super::ops::{converted, is_arithmetic, operand_type};
use super::templates::Bindings;
use super::{
    Checker, Checks, Entry, Lvalue, Operand, ParamInfo, Progress, Reported, Symbol, builtins, constant, expr,
    fold, int,
};
use crate::ast::{self, Ident, TemplateArg};
use crate::diagnostic::Diagnostic;
use crate::hir::{Builtin, Const, Expr, ExprKind, FuncId, FunctionKind, RoundedOp, Rounding, StructId, Type};
use crate::prelude;
use crate::types::image_function;
use engine::ids::Span;

/// Maximum nesting depth of checked bodies. A call at a deeper level is compiled instead of evaluated. A class
/// template does not need more incomplete instances.
pub(super) const MAX_OPEN: u32 = 40;

/// An argument before overload resolution.
#[derive(Clone)]
#[expect(
    clippy::large_enum_variant,
    reason = "most values are of the large variant, and a box would be another allocation for each"
)]
pub(super) enum Arg<'e> {
    /// An operand, and its value as a function with by-value parameters receives it.
    Operand(Operand, Expr),
    /// A list in braces, which takes the parameter's type.
    List(&'e ast::Expr),
}

impl Arg<'_> {
    const fn span(&self) -> Span {
        match self {
            Self::Operand(_, value) => value.span,
            Self::List(list) => list.span,
        }
    }
}

impl Checker {
    /// `callee(args)`. Errors in templates of a header are reported at the call.
    pub(super) fn call(
        &mut self,
        callee: &Ident,
        template_args: Option<&[TemplateArg]>,
        args: &[ast::Expr],
        span: Span,
    ) -> Checks<Operand> {
        let num_diagnostics = self.diagnostics.len();
        let result = self.call_inner(callee, template_args, args, span);
        if self.diagnostics.len() > num_diagnostics {
            self.move_out_of_headers(num_diagnostics, callee.span);
        }
        result
    }

    fn call_inner(
        &mut self,
        callee: &Ident,
        template_args: Option<&[TemplateArg]>,
        args: &[ast::Expr],
        span: Span,
    ) -> Checks<Operand> {
        let name: &str = self.library_name(&callee.name);
        if let Some(rest) = name.strip_prefix("::") {
            // Lookup starts at file scope.
            let args = self.arguments(args)?;
            let namespace = std::mem::replace(&mut self.namespace, "".into());
            let class = self.class.take();
            let result = self.call_name(rest, template_args, &args, callee.span, span);
            self.namespace = namespace;
            self.class = class;
            return result;
        }
        if !self.body.in_prelude {
            let is_local = self.body.scopes.iter().any(|scope| scope.contains_key(name));
            let field = if is_local {
                None
            } else {
                self.own_field(name, callee.span)
            };
            let variable = self.lookup(name).cloned();
            let variable = variable
                .and_then(|symbol| self.variable(&symbol, callee.span))
                .map(Operand::Place);
            let mut object = field.or(variable);
            if let Some(pointer) = object.take_if(|object| self.is_function_pointer(operand_type(object))) {
                object = Some(self.arrow_target(pointer, callee.span)?);
            }
            if let Some(object) = object
                && let Type::Struct(id) = *operand_type(&object)
                && self.has_method(operand_type(&object), "operator()")
            {
                let args = self.arguments(args)?;
                return self.call_method(object, id, "operator()", template_args, &args, span);
            }
            // A function that is a template argument.
            if let Some(Symbol::Constant(Const::Int(address), ty)) = self.lookup(name)
                && self.is_function_pointer(ty)
            {
                let address = *address;
                let args = self.arguments(args)?;
                return self.call_address(address, &args, span);
            }
            match self.lookup(name) {
                Some(Symbol::Poison) => return Err(self.poisoned_name(name)),
                Some(
                    Symbol::Local { .. } | Symbol::Part(_) | Symbol::Global { .. } | Symbol::Constant(..),
                ) => {
                    let is_array = self
                        .lookup(name)
                        .cloned()
                        .and_then(|symbol| self.variable(&symbol, callee.span));
                    let is_array = is_array.is_some_and(|variable| {
                        matches!(variable.place.ty, Type::Pointer(_) | Type::Array(..))
                    });
                    let advice = if is_array {
                        format!("; write `{name}[…]` for an element")
                    } else {
                        String::new()
                    };
                    return self.error(
                        callee.span,
                        format!("`{name}` is a variable and cannot be called{advice}."),
                    );
                }
                _ => {}
            }
        }
        if !self.has_function(name)
            && !matches!(self.lookup(name), Some(Symbol::Host(_)))
            && let Some(message) = builtins::host_function(name)
        {
            return self.error(callee.span, message);
        }
        if template_args.is_none()
            && !self.has_function(name)
            && let Some(ty) = self.class_of_call(callee, args)?
        {
            return self.construct(&ty, args, span).map(Operand::Value);
        }
        if !self.has_function(name)
            && let Some(function) = image_function(name)
        {
            let call = self.image_call(name, function, template_args, args, callee.span, span);
            return call.map(Operand::Value);
        }
        if super::allocations::is_new(name) {
            return self.new_object(callee, template_args, args, span);
        }
        let args = self.arguments(args)?;
        if super::allocations::is_delete(name)
            && let [Arg::Operand(_, value)] = args.as_slice()
            && !matches!(value.ty, Type::Pointer(_))
        {
            let message = format!(
                "`delete` takes a pointer, not a value of type `{}`.",
                self.text(&value.ty)
            );
            return self.error(span, message);
        }
        self.call_name(name, template_args, &args, callee.span, span)
    }

    pub(super) fn arguments<'e>(&mut self, args: &'e [ast::Expr]) -> Checks<Vec<Arg<'e>>> {
        let mut out = Vec::new();
        let mut failed = false;
        for arg in args {
            if matches!(arg.kind, ast::ExprKind::List(_)) {
                out.push(Arg::List(arg));
                continue;
            }
            match self.argument(arg) {
                Ok(arg) => out.push(arg),
                Err(Reported) => failed = true,
            }
        }
        if failed { Err(Reported) } else { Ok(out) }
    }

    fn argument<'e>(&mut self, arg: &ast::Expr) -> Checks<Arg<'e>> {
        let operand = self.operand(arg)?;
        self.operand_argument(operand)
    }

    fn operand_argument<'e>(&mut self, operand: Operand) -> Checks<Arg<'e>> {
        let value = self.rvalue(operand.clone())?;
        Ok(Arg::Operand(operand, value))
    }

    pub(super) fn call_name(
        &mut self,
        name: &str,
        template_args: Option<&[TemplateArg]>,
        args: &[Arg<'_>],
        name_span: Span,
        span: Span,
    ) -> Checks<Operand> {
        let mut own = Vec::new();
        if !self.body.in_prelude {
            if template_args.is_none() {
                own = self.functions_called(name, args);
            }
            // A function has priority over an equally good template.
            own.extend(self.template_candidates(name, template_args, args, name_span)?);
        }
        self.order_by_constness(&mut own);
        if let Some(id) = self.best_candidate(&own, args)
            && !self.builtin_fits_better(name, id, args)
        {
            self.check_unambiguous(id, &own, args, name_span)?;
            self.check_declared_before(name, &own, name_span)?;
            let id = if name.contains("::") {
                id
            } else {
                self.dispatcher(id)
            };
            return self.call_function(id, args, span);
        }
        if own.is_empty()
            && let Some((capability, what)) = prelude::needs(name)
        {
            self.require(capability, &what, name_span);
        }
        let promoted = self.promoted_arguments(name, args);
        let args = promoted.as_deref().unwrap_or(args);
        if let Some(result) = self.builtin(name, args, name_span, span) {
            return result.map(Operand::Value);
        }
        let library = self.library(name);
        if let Some(id) = self.best_candidate(&library, args) {
            return self.call_function(id, args, span);
        }
        let candidates = if own.is_empty() { library } else { own };
        match candidates.as_slice() {
            [] if self.is_template(name) => {
                return self.report_no_instance(name, template_args, args, span);
            }
            [] => {}
            _ => return self.report_no_candidate(&candidates, args, span),
        }
        if let Some(Symbol::Host(declared)) = self.lookup(name) {
            let declared = *declared;
            let message = format!(
                "Calling the host function `{name}` from device code is not allowed; declare the function `__device__`."
            );
            return self.report(Diagnostic::error(name_span, message).note_at(declared, "Defined here."));
        }
        if let Some(message) = builtins::host_function(name) {
            return self.error(name_span, message);
        }
        if let Some(what) = builtins::unsupported_function(name) {
            return self.unsupported(name_span, what);
        }
        if let Some(header) = builtins::half_header(name).filter(|header| !self.has_header(header)) {
            let message = format!("The function `{name}` is declared in a header that is not included.");
            let note = format!("Write `#include <{header}>` before its first use.");
            return self.report(Diagnostic::error(name_span, message).note(note));
        }
        Err(self.report_unknown(name, name_span, true))
    }

    /// Whether two spans are in one file, so that source order applies.
    fn is_one_file(&self, a: Span, b: Span) -> bool {
        let name = |span: Span| engine::files::place(&self.source, span.line).0;
        !engine::files::has_names(&self.source) || name(a) == name(b)
    }

    /// Reports a call of a function that is declared only later, outside templates and classes.
    fn check_declared_before(&mut self, name: &str, candidates: &[FuncId], call: Span) -> Checks<()> {
        let sees_all = self.source.is_empty()
            || self.body.in_prelude
            || self.class.is_some()
            || !self.body.bindings.is_empty()
            || self.body.first_call.is_some()
            || name.starts_with("operator");
        let first = candidates
            .iter()
            .map(|id| &self.functions[id.0 as usize])
            .filter(|entry| entry.class.is_none() && entry.bindings.is_empty())
            .map(|entry| entry.first_declared)
            .min_by_key(|span| span.start);
        match first {
            Some(first)
                if !sees_all
                    && first.start > call.end
                    && candidates.len() == 1
                    && self.is_one_file(first, call) =>
            {
                let message = format!(
                    "The function `{name}` is not declared before this line; move it up, or declare it above."
                );
                self.report(Diagnostic::error(call, message).note_at(first, "Defined here."))
            }
            _ => Ok(()),
        }
    }

    /// The address that a reference parameter receives.
    fn bind_parameter(&mut self, operand: Operand, param: &ParamInfo, span: Span) -> Checks<Expr> {
        let is_place = matches!(&operand, Operand::Place(lvalue) if lvalue.place.ty == param.ty);
        let operand = if param.takes_values && !is_place {
            let value = self.rvalue(operand)?;
            let value = self.implicit(value, &param.ty, "as an argument")?;
            Operand::Place(Lvalue {
                is_const: false,
                ..self.stored_in_temporary(value)
            })
        } else {
            operand
        };
        self.bind_reference(operand, &param.ty, param.is_const, span)
    }

    fn call_function(&mut self, id: FuncId, args: &[Arg<'_>], span: Span) -> Checks<Operand> {
        self.call_on(id, None, args, span)
    }

    /// A call of a function, or of a member function on the object at `this`.
    pub(super) fn call_on(
        &mut self,
        id: FuncId,
        this: Option<Expr>,
        args: &[Arg<'_>],
        span: Span,
    ) -> Checks<Operand> {
        self.check_callable(id, span)?;
        self.deduce_result(id, span)?;
        let entry = &self.functions[id.0 as usize];
        let (params, ret) = (entry.params.clone(), entry.ret.clone());
        let (defaults, is_constexpr) = (entry.defaults.clone(), entry.is_constexpr);
        let bindings = entry.bindings.clone();
        let (namespace, class) = (entry.namespace.clone(), entry.class);
        let name = entry.ast.name.name.clone();
        let mut values = Vec::new();
        values.extend(self.object_argument(id, this, span)?);
        for (idx, param) in params.iter().enumerate() {
            let value = match args.get(idx) {
                Some(Arg::Operand(operand, _)) if param.is_ref => {
                    self.bind_parameter(operand.clone(), param, span)?
                }
                Some(Arg::Operand(operand, value)) => {
                    let value = if value.ty == param.ty {
                        self.copied(operand, value.clone())?
                    } else {
                        value.clone()
                    };
                    self.implicit(value, &param.ty, &format!("in an argument of `{name}`"))?
                }
                Some(Arg::List(list)) => {
                    let value = self.initial_value(list, &param.ty, "as an argument")?;
                    if param.is_ref {
                        self.bind_parameter(Operand::Value(value), param, span)?
                    } else {
                        value
                    }
                }
                None => {
                    // The parameter names are those of the declaration.
                    let namespace = std::mem::replace(&mut self.namespace, namespace.clone());
                    let class = std::mem::replace(&mut self.class, class);
                    let value = self.default_argument(defaults[idx].as_ref(), bindings.clone(), param, span);
                    self.namespace = namespace;
                    self.class = class;
                    value?
                }
            };
            values.push(value);
        }
        self.body.calls.entry(id).or_insert(span);
        let entry = &mut self.functions[id.0 as usize];
        if entry.is_on_demand() && entry.first_call.is_none() {
            entry.first_call = Some(self.body.first_call.unwrap_or(span));
            self.called.push(id);
        }
        let all_known = values.iter().all(|value| fold::as_const(value).is_some());
        let kind = ExprKind::Call {
            function: id,
            args: values,
        };
        let call = expr(kind, ret.passed_type(), span);
        if ret.is_ref {
            let mut place = deref(call, false);
            place.span = span;
            return Ok(Operand::Place(Lvalue {
                place,
                is_const: ret.is_const,
                constant: None,
                expires: ret.takes_values,
            }));
        }
        let running = matches!(self.functions[id.0 as usize].progress, Progress::Running);
        if is_constexpr
            && all_known
            && !running
            && !self.is_deep()
            && is_arithmetic(call.ty.representation())
            && let Some(value) = self.evaluate(&call)
        {
            return Ok(Operand::Value(constant(value, call.ty, span)));
        }
        Ok(Operand::Value(call))
    }

    /// Reports a call of a function that device code cannot call.
    fn check_callable(&mut self, id: FuncId, span: Span) -> Checks<()> {
        let entry = &self.functions[id.0 as usize];
        let name = entry.ast.name.name.clone();
        if entry.hir.kind == FunctionKind::Kernel {
            let message = format!(
                "`{name}` is a kernel, which only the host can launch; declare the function `__device__` to call it."
            );
            return self.error(span, message);
        }
        if entry.ast.is_deleted {
            let declared = entry.ast.name.span;
            let shown = self.shown_name(id);
            let message = if is_constructor(&self.functions[id.0 as usize]) {
                format!("This constructor of `{shown}` cannot be referenced: it is a deleted function.")
            } else {
                format!("`{shown}` cannot be referenced with these arguments: it is a deleted function.")
            };
            return self.report(Diagnostic::error(span, message).note_at(declared, "Deleted here."));
        }
        if entry.ast.body.is_none() {
            if let Some(Symbol::Host(defined)) = self.scope.get(&name) {
                let defined = *defined;
                let message =
                    format!("`{name}` is defined without `__device__`; add `__device__` to the definition.");
                return self.report(Diagnostic::error(span, message).note_at(defined, "Defined here."));
            }
            return self.error(
                span,
                format!("Unresolved extern function `{name}`: this file declares the function but does not define it."),
            );
        }
        Ok(())
    }

    /// Checks the body of a function with an `auto` return type, so that a call knows the type.
    fn deduce_result(&mut self, id: FuncId, span: Span) -> Checks<()> {
        let entry = &self.functions[id.0 as usize];
        if !entry.is_auto {
            return Ok(());
        }
        if self.is_deep() || matches!(entry.progress, Progress::Running) {
            let name = &entry.ast.name.name;
            let message =
                format!("The return type of `{name}` is not known here; replace `auto` with the type.");
            return self.error(span, message);
        }
        if entry.is_on_demand() && entry.first_call.is_none() {
            self.functions[id.0 as usize].first_call = Some(self.body.first_call.unwrap_or(span));
        }
        self.check_body(id);
        if matches!(self.functions[id.0 as usize].progress, Progress::Broken) {
            // The return type is unknown because of an error that was already reported.
            self.body.broken = true;
            return Err(Reported);
        }
        Ok(())
    }

    /// The address of the object of a call: `this`, or the object of the enclosing member function; `None` for a
    /// function without an object.
    fn object_argument(&mut self, id: FuncId, this: Option<Expr>, span: Span) -> Checks<Option<Expr>> {
        let entry = &self.functions[id.0 as usize];
        let Some(class) = entry.class.filter(|_| entry.has_this) else {
            return Ok(None);
        };
        let is_const = entry.ast.is_const;
        let enclosing = self
            .body
            .this
            .filter(|own| self.self_and_bases(*own).contains(&class));
        let own = |this: &mut Self| {
            let enclosing = enclosing?;
            let address = this.this(span)?;
            Some(this.derived_to_base_address(address, &Type::Struct(enclosing), &Type::Struct(class)))
        };
        let Some(mut this) = this.or_else(|| own(self)) else {
            let name = &self.functions[id.0 as usize].ast.name.name;
            let message = format!("`{name}` is a member function; call it on an object.");
            return self.error(span, message);
        };
        this.ty = Self::this_type(class, is_const);
        Ok(Some(this))
    }

    /// A default argument, which is resolved at file scope.
    fn default_argument(
        &mut self,
        default: Option<&ast::Expr>,
        bindings: Bindings,
        info: &ParamInfo,
        span: Span,
    ) -> Checks<Expr> {
        let Some(default) = default else {
            return self.error(span, "An argument is missing.");
        };
        let scopes = std::mem::take(&mut self.body.scopes);
        let bindings = std::mem::replace(&mut self.body.bindings, bindings);
        let result = if info.is_ref {
            let operand = self.operand(default);
            operand.and_then(|operand| self.bind_reference(operand, &info.ty, info.is_const, span))
        } else {
            self.initial_value(default, &info.ty, "as a default argument")
        };
        (self.body.scopes, self.body.bindings) = (scopes, bindings);
        result.map(|mut value| {
            value.span = span;
            value
        })
    }
}

fn is_constructor(entry: &Entry) -> bool {
    &*own_name(&entry.ast.name.name) == ast::CONSTRUCTOR
}
