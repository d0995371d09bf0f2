//! Calls: overload resolution and argument conversion.

use super::items::own_name;
use super::ops::{converted, is_arithmetic, operand_type};
use super::templates::Bindings;
use super::{
    Checker, Checks, Entry, Lvalue, Operand, ParamInfo, Progress, Reported, Symbol, builtins, expr, fold,
};
use crate::ast::{self, Ident, TemplateArg};
use crate::diagnostic::Diagnostic;
use crate::hir::{Builtin, Expr, ExprKind, FuncId, FunctionKind, RoundedOp, Rounding, StructId, Type};
use crate::prelude;
use crate::types::image_function;
use engine::ids::Span;

/// Maximum nesting depth of checked bodies. A call at a deeper level is compiled instead of evaluated. A class
/// template does not need more incomplete instances.
pub(super) const MAX_OPEN: u32 = 40;

/// The vectors for which `helper_math.h` defines operators.
const HELPER_VECTORS: [&str; 9] = [
    "float2", "float3", "float4", "int2", "int3", "int4", "uint2", "uint3", "uint4",
];

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
        if !self.has_function(name)
            && let Some(function) = image_function(name)
        {
            let call = self.image_call(name, function, template_args, args, callee.span, span);
            return call.map(Operand::Value);
        }
        let args = self.arguments(args)?;
        self.call_name(name, template_args, &args, callee.span, span)
    }

    /// The library function that a call of `name` calls. A different function with `-use_fast_math`, and on 1.x,
    /// which has no fused multiply-add.
    fn library_name<'n>(&self, name: &'n str) -> &'n str {
        if self.has_function(name) {
            return name;
        }
        if !self.options.fast_math {
            return match name {
                "expf" if self.capability < 200 => "__ws_expf_1",
                "tanhf" if self.capability < 200 => "__ws_tanhf_1",
                other => other,
            };
        }
        match name {
            "sinf" => "__sinf",
            "cosf" => "__cosf",
            "tanf" => "__tanf",
            "expf" => "__expf",
            "exp10f" => "__exp10f",
            "logf" => "__logf",
            "log2f" => "__log2f",
            "log10f" => "__log10f",
            "powf" => "__powf",
            "sincosf" => "__sincosf",
            "fdividef" => "__fdividef",
            "tanhf" if self.capability >= 750 => "__ws_tanh",
            "tanhf" if self.capability < 200 => "__ws_tanhf_1",
            other => other,
        }
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

    /// Whether the source includes a half-precision header.
    fn has_header(&self, header: &str) -> bool {
        self.lookup(if header == "cuda_fp16.h" {
            "__half"
        } else {
            "__nv_bfloat16"
        })
        .is_some()
    }

    fn call_name(
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
        if let Some(id) = self.best_candidate(&own, args) {
            self.check_unambiguous(id, &own, args, name_span)?;
            self.check_declared_before(name, &own, name_span)?;
            return self.call_function(id, args, span);
        }
        if own.is_empty() && name.starts_with("__dp") && prelude::has(name) {
            self.require(610, &format!("`{name}`"), name_span);
        }
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

    /// For an implicit call on `this`, non-const member functions have priority if the object is mutable. Otherwise
    /// they are not viable.
    fn order_by_constness(&self, candidates: &mut Vec<FuncId>) {
        if self.body.this.is_none() {
            return;
        }
        let is_const = matches!(&self.body.locals[0].ty, Type::Pointer(object) if object.is_const);
        let changes = |id: &FuncId| {
            let entry = &self.functions[id.0 as usize];
            entry.has_this && !entry.ast.is_const
        };
        if is_const && !candidates.iter().all(changes) {
            candidates.retain(|id| !changes(id));
        } else {
            candidates.sort_by_key(|id| !changes(id));
        }
    }

    /// Reports why no candidate matches a call.
    pub(super) fn report_no_candidate(
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
    fn method_fits(&mut self, id: StructId, name: &str, args: &[Arg<'_>]) -> bool {
        self.self_and_bases(id).into_iter().any(|owner| {
            let Some(whole) = self.member_name(owner, name) else {
                return false;
            };
            let own = self.by_name.get(&whole).cloned().unwrap_or_default();
            self.best_candidate(&own, args).is_some() || self.templates_by_name.contains_key(&whole)
        })
    }

    /// Functions of the prelude with this name.
    fn library(&mut self, name: &str) -> Vec<FuncId> {
        let Some(prelude) = self.prelude else {
            return self.by_name.get(name).cloned().unwrap_or_default();
        };
        if !self.prelude_by_name.contains_key(name) {
            // On a chip without double precision, double overloads duplicate the float overloads.
            let singles_only = !self.has_double()
                && !prelude
                    .functions(name)
                    .all(|function| super::items::uses_double(function));
            for function in prelude.functions(name) {
                if !(singles_only && super::items::uses_double(function)) {
                    let _ = self.declare_function(function, true);
                }
            }
        }
        self.prelude_by_name.get(name).cloned().unwrap_or_default()
    }

    /// A call of a prelude function with converted arguments.
    pub(super) fn call_prelude(&mut self, name: &str, args: Vec<Expr>, span: Span) -> Checks<Expr> {
        let args: Vec<Arg<'_>> = args
            .into_iter()
            .map(|arg| Arg::Operand(Operand::Value(arg.clone()), arg))
            .collect();
        let candidates = self.library(name);
        match self.best_candidate(&candidates, &args) {
            Some(id) => {
                let result = self.call_function(id, &args, span)?;
                self.rvalue(result)
            }
            None => self.error(span, format!("`{name}` has no overload for these types.")),
        }
    }

    /// A user-defined operator on vectors or structs.
    pub(super) fn overloaded(&mut self, op: &str, operands: Vec<Operand>, span: Span) -> Checks<Operand> {
        let types: Vec<String> = operands
            .iter()
            .map(|operand| self.text(operand_type(operand)))
            .collect();
        if let Some(result) = self.try_overloaded(&format!("operator{op}"), operands, span) {
            result
        } else {
            let declared = match self.lookup(&format!("operator{op}")) {
                Some(Symbol::Host(declared)) => Some(*declared),
                _ => None,
            };
            let types_text = types.join("` and `");
            let message = match declared {
                Some(_) => {
                    format!("`operator{op}` for `{types_text}` is a host function; declare it `__device__`.")
                }
                None => format!(
                    "No operator `{op}` matches the operand types `{types_text}`; work on the members one by \
                     one, or define `operator{op}`."
                ),
            };
            let mut diagnostic = Diagnostic::error(span, message);
            if let Some(declared) = declared {
                diagnostic = diagnostic.note_at(declared, "Declared here.");
            } else if matches!(op, "+" | "-" | "*" | "/")
                && types.iter().any(|ty| HELPER_VECTORS.contains(&ty.as_str()))
                && !self.has_header("helper_math.h")
            {
                diagnostic = diagnostic.note(
                    "The header helper_math.h of the CUDA samples defines this operator: write `#include \
                     \"helper_math.h\"`.",
                );
            }
            self.report(diagnostic)
        }
    }

    pub(super) fn try_overloaded(
        &mut self,
        name: &str,
        operands: Vec<Operand>,
        span: Span,
    ) -> Option<Checks<Operand>> {
        let object = operands.first().cloned();
        let args = operands.into_iter().map(|operand| self.operand_argument(operand));
        let args = match args.collect::<Checks<Vec<_>>>() {
            Ok(args) => args,
            Err(reported) => return Some(Err(reported)),
        };
        if let Some(object) = object
            && let Type::Struct(id) = *operand_type(&object)
            && self.has_method(operand_type(&object), name)
            && self.method_fits(id, name, &args[1..])
        {
            return Some(self.call_method(object, id, name, None, &args[1..], span));
        }
        let candidates = self.functions_called(name, &args);
        let associated = self.argument_dependent_functions(name, &args);
        let is_template = self.is_template(name)
            || associated
                .iter()
                .any(|name| self.templates_by_name.contains_key(name));
        if candidates.is_empty() && !is_template {
            if matches!(self.lookup(name), Some(Symbol::Poison)) {
                return Some(Err(self.poisoned_name(name)));
            }
            return None;
        }
        let mut candidates = candidates;
        match self.template_candidates(name, None, &args, span) {
            Ok(instances) => candidates.extend(instances),
            Err(reported) => return Some(Err(reported)),
        }
        let id = self.best_candidate(&candidates, &args)?;
        Some(self.call_function(id, &args, span))
    }

    /// The best match for the arguments; the first among equals.
    pub(super) fn best_candidate(&self, candidates: &[FuncId], args: &[Arg<'_>]) -> Option<FuncId> {
        let mut best = None;
        for id in candidates {
            let Some(cost) = self.cost(*id, args) else {
                continue;
            };
            if best.is_none_or(|(least, _)| cost < least) {
                best = Some((cost, *id));
            }
        }
        best.map(|(_, id)| id)
    }

    /// Reports a second function that matches numeric arguments as well as the best match.
    fn check_unambiguous(
        &mut self,
        id: FuncId,
        candidates: &[FuncId],
        args: &[Arg<'_>],
        span: Span,
    ) -> Checks<()> {
        let is_number = |arg: &Arg<'_>| matches!(arg, Arg::Operand(_, value) if is_arithmetic(&value.ty));
        let of_numbers = |id: FuncId| {
            let entry = &self.functions[id.0 as usize];
            !entry.ast.is_library
                && !entry.in_prelude
                && entry.bindings.is_empty()
                && entry.class.is_none()
                && entry.params.len() == args.len()
                && entry
                    .params
                    .iter()
                    .all(|param| !param.is_ref && is_arithmetic(&param.ty))
        };
        if candidates.len() < 2 || !args.iter().all(is_number) || !of_numbers(id) || self.body.in_prelude {
            return Ok(());
        }
        let costs = |id: FuncId| -> Vec<Option<u32>> {
            let params = &self.functions[id.0 as usize].params;
            args.iter()
                .zip(params)
                .map(|(arg, param)| self.arg_cost(arg, param))
                .collect()
        };
        let best = costs(id);
        let other = candidates.iter().copied().find(|other| {
            *other != id && of_numbers(*other) && {
                let costs = costs(*other);
                let is_worse = costs.iter().zip(&best).all(|(own, best)| own >= best);
                costs.iter().all(Option::is_some) && (costs == best || !is_worse)
            }
        });
        let Some(other) = other.filter(|_| best.iter().any(|cost| *cost != Some(0))) else {
            return Ok(());
        };
        let name = self.shown_name(id);
        let (first, second) = (self.signature(id), self.signature(other));
        let message =
            format!("More than one instance of `{name}` matches the argument list; convert an argument.");
        self.report(Diagnostic::error(span, message).note(first).note(second))
    }

    fn cost(&self, id: FuncId, args: &[Arg<'_>]) -> Option<u32> {
        let entry = &self.functions[id.0 as usize];
        let has_default = |idx: usize| entry.defaults[idx].is_some();
        let fits = args.len() <= entry.params.len() && (args.len()..entry.params.len()).all(has_default);
        if !fits {
            return None;
        }
        args.iter()
            .zip(&entry.params)
            .map(|(arg, param)| self.arg_cost(arg, param))
            .sum()
    }

    fn arg_cost(&self, arg: &Arg<'_>, param: &ParamInfo) -> Option<u32> {
        let (operand, value) = match arg {
            Arg::Operand(operand, value) => (operand, value),
            Arg::List(_) => return param.ty.is_aggregate().then_some(3),
        };
        if !param.is_ref {
            return self.conversion_cost(value, &param.ty);
        }
        let expires = matches!(operand, Operand::Place(lvalue) if lvalue.expires);
        let place = match operand {
            Operand::Place(lvalue) => {
                let may_write = !lvalue.is_const || self.is_constant_memory(&lvalue.place);
                Some((&lvalue.place.ty, lvalue.is_const, may_write))
            }
            Operand::Computed { value, is_const } => Some((&value.ty, *is_const, !is_const)),
            Operand::Value(_) | Operand::Bits(_) => None,
        };
        match place {
            // `T &&` binds to rvalues, `T &` to lvalues.
            Some((ty, ..))
                if (*ty == param.ty || self.derives(ty, &param.ty))
                    && !param.is_const
                    && expires != param.takes_values =>
            {
                None
            }
            Some((ty, is_const, may_write)) if *ty == param.ty => {
                if param.is_const && !param.takes_values {
                    Some(u32::from(!is_const) + u32::from(expires))
                } else if param.is_const {
                    Some(u32::from(!is_const))
                } else {
                    may_write.then_some(0)
                }
            }
            Some((ty, _, may_write)) if self.derives(ty, &param.ty) && (param.is_const || may_write) => {
                Some(3)
            }
            _ if param.is_const => self.conversion_cost(value, &param.ty).map(|cost| cost + 1),
            _ if param.takes_values => self.conversion_cost(value, &param.ty),
            _ => None,
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
    fn signature(&self, id: FuncId) -> String {
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
    fn shown_name(&self, id: FuncId) -> String {
        let entry = &self.functions[id.0 as usize];
        match entry.class {
            Some(class) if is_constructor(entry) => self.text(&Type::Struct(class)),
            _ => entry.ast.name.name.to_string(),
        }
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
        if entry.is_auto {
            if self.num_open >= MAX_OPEN || matches!(entry.progress, Progress::Running) {
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
        }
        let entry = &self.functions[id.0 as usize];
        let (params, ret) = (entry.params.clone(), entry.ret.clone());
        let (defaults, is_constexpr) = (entry.defaults.clone(), entry.is_constexpr);
        let bindings = entry.bindings.clone();
        let (namespace, class) = (entry.namespace.clone(), entry.class);
        let mut values = Vec::new();
        let entry = &self.functions[id.0 as usize];
        if let Some(class) = entry.class.filter(|_| entry.has_this) {
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
                let message = format!("`{name}` is a member function; call it on an object.");
                return self.error(span, message);
            };
            this.ty = Self::this_type(class, is_const);
            values.push(this);
        }
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
            let mut place = super::names::deref(call, false);
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
            && self.num_open < MAX_OPEN
            && is_arithmetic(call.ty.representation())
            && let Some(value) = self.evaluate(&call)
        {
            return Ok(Operand::Value(super::constant(value, call.ty, span)));
        }
        Ok(Operand::Value(call))
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

    /// A call of a function that the chip or the compiler provides; `None` if there is no such function.
    fn builtin(&mut self, name: &str, args: &[Arg<'_>], name_span: Span, span: Span) -> Option<Checks<Expr>> {
        if !builtins::is_known(name) {
            return None;
        }
        let mut values = Vec::new();
        for arg in args {
            match arg {
                Arg::Operand(_, value) => values.push(value.clone()),
                Arg::List(list) => {
                    return Some(self.error(
                        list.span,
                        format!("A list in braces cannot be an argument of `{name}`."),
                    ));
                }
            }
        }
        if let Some(result) = self.special_call(name, &values, name_span, span) {
            return Some(result);
        }
        let rows = builtins::rows(name);
        let mut best: Option<(u32, builtins::Row)> = None;
        for row in rows {
            let types = row.param_types(self.has_double());
            if types.len() != values.len() {
                continue;
            }
            let cost: Option<u32> = values
                .iter()
                .zip(&types)
                .map(|(value, ty)| self.conversion_cost(value, ty))
                .sum();
            if let Some(cost) = cost
                && best.as_ref().is_none_or(|(least, _)| cost < *least)
            {
                best = Some((cost, row));
            }
        }
        let rows = builtins::rows(name);
        let row = match (best, rows.as_slice()) {
            (Some((_, row)), _) => row,
            (None, []) => return None,
            // The prelude can have an overload with other types.
            (None, _) if self.prelude.is_some() && prelude::has(name) => return None,
            (None, [first, ..]) => return Some(self.builtin_mismatch(name, first, &values, span)),
        };
        if let Some((capability, what)) = row.needs() {
            self.require(capability, &what, name_span);
        }
        let types = row.param_types(self.has_double());
        let args = values
            .into_iter()
            .zip(&types)
            .map(|(value, ty)| match ty {
                Type::Bool if !is_arithmetic(&value.ty) => self.to_condition(value),
                Type::Vector(_) => Ok(value),
                _ => Ok(converted(value, ty)),
            })
            .collect::<Checks<Vec<Expr>>>();
        Some(args.and_then(|args| self.builtin_expression(&row, args, span)))
    }

    /// A call of a builtin function. Before 2.0, `fmaf` is a library function.
    fn builtin_expression(&mut self, row: &builtins::Row, args: Vec<Expr>, span: Span) -> Checks<Expr> {
        let call = row.expression(args, self.has_double(), span);
        let round = match &call.kind {
            _ if self.capability >= 200 || call.ty != Type::F32 => return Ok(call),
            ExprKind::Builtin {
                builtin: Builtin::Fma,
                ..
            } => Rounding::Nearest,
            ExprKind::Builtin {
                builtin: Builtin::Rounded(RoundedOp::Fma, round),
                ..
            } => *round,
            _ => return Ok(call),
        };
        let ExprKind::Builtin { mut args, .. } = call.kind else {
            return Ok(call);
        };
        let round = match round {
            Rounding::Nearest => 0,
            Rounding::Zero => 1,
            Rounding::Up => 2,
            Rounding::Down => 3,
        };
        args.push(super::int(round, Type::I32, span));
        self.call_prelude("__ws_fmaf_1", args, span)
    }

    fn builtin_mismatch(
        &mut self,
        name: &str,
        row: &builtins::Row,
        values: &[Expr],
        span: Span,
    ) -> Checks<Expr> {
        let types = row.param_types(self.has_double());
        if types.len() != values.len() {
            let arguments = if types.len() == 1 { "argument" } else { "arguments" };
            let message = format!(
                "`{name}` takes {} {arguments}, not {}.",
                types.len(),
                values.len()
            );
            return self.error(span, message);
        }
        for (value, ty) in values.iter().zip(&types) {
            self.implicit(value.clone(), ty, &format!("in an argument of `{name}`"))?;
        }
        self.error(span, format!("These arguments do not match `{name}`."))
    }
}

fn is_constructor(entry: &Entry) -> bool {
    &*own_name(&entry.ast.name.name) == ast::CONSTRUCTOR
}
