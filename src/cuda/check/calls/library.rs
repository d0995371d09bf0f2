//! Calls of built-in functions and of the functions of headers.

use super::*;

/// Functions of `<cmath>` with several parameters of one type.
const OF_ONE_TYPE: [&str; 11] = [
    "atan2",
    "copysign",
    "fdim",
    "fma",
    "fmax",
    "fmin",
    "fmod",
    "hypot",
    "nextafter",
    "pow",
    "remainder",
];

impl Checker {
    /// The arguments of such a function as `double`, if an integer or a `double` is among them, as C++11 and nvcc convert
    /// them. `None` if they stay as they are.
    pub(super) fn promoted_arguments<'e>(&self, name: &str, args: &[Arg<'e>]) -> Option<Vec<Arg<'e>>> {
        if self.body.in_prelude || !OF_ONE_TYPE.contains(&name) {
            return None;
        }
        let number = |arg: &Arg<'e>| match arg {
            Arg::Operand(_, value) if is_arithmetic(&value.ty) => Some(value.clone()),
            _ => None,
        };
        let values: Vec<Expr> = args.iter().map(number).collect::<Option<_>>()?;
        let is_small = |value: &Expr| matches!(value.ty, Type::F16 | Type::Bf16);
        if values.iter().any(is_small) || values.iter().all(|value| value.ty == Type::F32) {
            return None;
        }
        let double = if self.has_double() { Type::F64 } else { Type::F32 };
        let promoted = values.into_iter().map(|value| {
            let value = converted(value, &double);
            Arg::Operand(Operand::Value(value.clone()), value)
        });
        Some(promoted.collect())
    }

    /// Whether a builtin of this name takes the arguments with fewer conversions than a function of a header: `__hadd` works
    /// on `int` and, with `cuda_fp16.h`, on `half`.
    pub(super) fn builtin_fits_better(&self, name: &str, id: FuncId, args: &[Arg<'_>]) -> bool {
        if !self.functions[id.0 as usize].ast.is_library {
            return false;
        }
        let cost = |row: &builtins::Row| -> Option<u32> {
            let types = row.param_types(self.has_double());
            if types.len() != args.len() {
                return None;
            }
            let costs = args.iter().zip(&types).map(|(arg, ty)| match arg {
                Arg::Operand(_, value) => self.conversion_cost(value, ty),
                Arg::List(_) => None,
            });
            costs.sum()
        };
        let least = builtins::rows(name).iter().filter_map(cost).min();
        least.is_some_and(|least| self.cost(id, args).is_some_and(|own| least < own))
    }

    /// The library function that a call of `name` calls. A different function with `-use_fast_math`, and on 1.x,
    /// which has no fused multiply-add.
    pub(super) fn library_name<'n>(&self, name: &'n str) -> &'n str {
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

    /// Whether the source includes a half-precision header.
    pub(super) fn has_header(&self, header: &str) -> bool {
        self.lookup(if header == "cuda_fp16.h" {
            "__half"
        } else {
            "__nv_bfloat16"
        })
        .is_some()
    }

    /// Functions of the prelude with this name.
    pub(super) fn library(&mut self, name: &str) -> Vec<FuncId> {
        let Some(prelude) = self.prelude else {
            return self.by_name.get(name).cloned().unwrap_or_default();
        };
        if !self.prelude_by_name.contains_key(name) {
            // On a chip without double precision, double overloads duplicate the float overloads.
            let singles_only =
                !self.has_double() && !prelude.functions(name).all(|function| uses_double(function));
            for function in prelude.functions(name) {
                if !(singles_only && uses_double(function)) {
                    let _ = self.declare_function(function, true);
                }
            }
        }
        self.prelude_by_name.get(name).cloned().unwrap_or_default()
    }

    /// A call of a prelude function with converted arguments.
    pub(in crate::check) fn call_prelude(&mut self, name: &str, args: Vec<Expr>, span: Span) -> Checks<Expr> {
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

    /// A call of a function that the chip or the compiler provides; `None` if there is no such function.
    pub(super) fn builtin(
        &mut self,
        name: &str,
        args: &[Arg<'_>],
        name_span: Span,
        span: Span,
    ) -> Option<Checks<Expr>> {
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
            (Some((_, row)), _) => row.on(name, self.capability),
            (None, []) => return None,
            // The prelude can have an overload with other types.
            (None, _) if self.prelude.is_some() && builtins::is_in_library(name) => return None,
            (None, [first, ..]) => return Some(self.builtin_mismatch(name, first, &values, span)),
        };
        // Later chips compute these products in software, which is not modeled.
        if name.starts_with("__ws_mma_volta_") && self.capability >= 750 {
            let message = "The PTX instruction `mma` with this size and these types runs on 7.0 only.";
            return Some(self.error(name_span, message));
        }
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
        args.push(int(round, Type::I32, span));
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
