//! Overload resolution: the cost of each candidate, and the best candidate.

use super::*;

/// The vectors for which `helper_math.h` defines operators.
const HELPER_VECTORS: [&str; 9] = [
    "float2", "float3", "float4", "int2", "int3", "int4", "uint2", "uint3", "uint4",
];

impl Checker {
    /// For an implicit call on `this`, non-const member functions have priority if the object is mutable. Otherwise
    /// they are not viable.
    pub(super) fn order_by_constness(&self, candidates: &mut Vec<FuncId>) {
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

    /// A user-defined operator on vectors or structs.
    pub(in crate::check) fn overloaded(
        &mut self,
        op: &str,
        operands: Vec<Operand>,
        span: Span,
    ) -> Checks<Operand> {
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

    pub(in crate::check) fn try_overloaded(
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
    pub(in crate::check) fn best_candidate(&self, candidates: &[FuncId], args: &[Arg<'_>]) -> Option<FuncId> {
        let mut best = None;
        for id in candidates {
            let Some(cost) = self.cost(*id, args) else {
                continue;
            };
            let keeps =
                |(least, known): (u32, FuncId)| cost >= least || self.ranks_above(known, *id, cost, args);
            if !best.is_some_and(keeps) {
                best = Some((cost, *id));
            }
        }
        best.map(|(_, id)| id)
    }

    /// Whether a function is a match as good as that of a template, whose cost is lower only because it takes values
    /// where the function takes references to const: then the function is called.
    fn ranks_above(&self, known: FuncId, other: FuncId, cost: u32, args: &[Arg<'_>]) -> bool {
        let (known, other) = (
            &self.functions[known.0 as usize],
            &self.functions[other.0 as usize],
        );
        if !known.bindings.is_empty() || other.bindings.is_empty() {
            return false;
        }
        let costs = args
            .iter()
            .zip(known.params.iter().zip(&other.params))
            .map(|(arg, (own, value))| {
                let is_value =
                    own.is_ref && own.is_const && !own.takes_values && !value.is_ref && own.ty == value.ty;
                let own = self.arg_cost(arg, own)?;
                Some(if is_value { own.saturating_sub(1) } else { own })
            });
        costs.sum::<Option<u32>>().is_some_and(|own| own <= cost)
    }

    /// Reports a second function that matches numeric arguments as well as the best match.
    pub(super) fn check_unambiguous(
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

    pub(super) fn cost(&self, id: FuncId, args: &[Arg<'_>]) -> Option<u32> {
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

    pub(super) fn arg_cost(&self, arg: &Arg<'_>, param: &ParamInfo) -> Option<u32> {
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
}
