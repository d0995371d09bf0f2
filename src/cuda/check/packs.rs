//! Parameter packs. An instance of a template knows the length of its packs, so the checker expands its syntax tree:
//! the elements of `args` are `args#0`, `args#1`, …, and each pattern is repeated for each element.
#![expect(
    clippy::redundant_closure_for_method_calls,
    reason = "the path of the method does not type-check here"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::names::Symbol;
use super::{Checker, Checks};
use crate::ast::walk::{self, Visit};
use crate::ast::{
    self, Capture, CastStyle, Expr, ExprKind, FoldOp, Function, Ident, InfixOp, Lambda, Name, Param,
    TemplateArg, TemplateParam, TypeName,
};
use crate::hir::{LogicalOp, Type};
use crate::lex::Number;
use engine::ids::Span;

/// Maximum number of pack elements in a fold expression, whose operators are nested.
const MAX_FOLDED: usize = 256;
/// Maximum depth of an expanded fold expression.
const MAX_DEPTH: usize = 320;
/// Maximum number of expressions and types that the expansions of one function or struct can create.
const MAX_PARTS: usize = 100_000;

/// The name of a pack element.
pub(super) fn element_name(pack: &str, idx: usize) -> Name {
    format!("{pack}#{idx}").into()
}

impl Checker {
    /// The packs in scope and their lengths.
    fn packs(&self) -> BTreeMap<Name, usize> {
        let known = self
            .body
            .bindings
            .iter()
            .filter_map(|(name, symbol)| match symbol {
                Symbol::Pack(num) => Some((name.clone(), *num)),
                _ => None,
            });
        known.collect()
    }

    fn has_packs(&self) -> bool {
        let symbols = self.body.bindings.values();
        symbols
            .into_iter()
            .any(|symbol| matches!(symbol, Symbol::Pack(_)))
    }

    /// A syntax tree with expanded packs; `None` if there are none.
    fn with_expanded_packs<T: Clone>(
        &mut self,
        tree: &T,
        visit: impl FnOnce(&mut Expander, &mut T),
    ) -> Checks<Option<(T, BTreeMap<Name, usize>)>> {
        let mut tree = tree.clone();
        let mut expander = Expander {
            packs: self.packs(),
            open: BTreeSet::new(),
            num_parts: 0,
            error: None,
        };
        visit(&mut expander, &mut tree);
        match expander.error {
            Some((span, message)) => self.error(span, message),
            None => Ok(Some((tree, expander.packs))),
        }
    }

    /// The function of an instance with expanded packs.
    pub(super) fn expanded_function(&mut self, function: &Arc<Function>) -> Checks<Option<ExpandedFunction>> {
        if !self.has_packs() {
            return Ok(None);
        }
        let mut mistake = None;
        let expanded = self.with_expanded_packs(&**function, |expander, function| {
            let mut body = function.body.take();
            walk::walk_function(expander, function);
            if let Some(body) = &mut body
                && expander.error.is_none()
            {
                walk::walk_block(expander, body);
                // An error in the body does not prevent calls from selecting the function.
                mistake = expander.error.take();
                if mistake.is_some() {
                    body.stmts.clear();
                }
            }
            function.body = body;
        })?;
        Ok(expanded.map(|(function, packs)| ExpandedFunction {
            function: Arc::new(function),
            packs,
            mistake,
        }))
    }

    /// The struct of an instance with expanded packs.
    pub(super) fn expanded_struct(&mut self, def: &ast::StructDef) -> Checks<Option<ast::StructDef>> {
        if !self.has_packs() {
            return Ok(None);
        }
        let expanded = self.with_expanded_packs(def, walk::walk_struct_def)?;
        Ok(expanded.map(|(def, _)| def))
    }

    /// The type of an instance with expanded packs.
    pub(super) fn expanded_type(&mut self, ty: &TypeName) -> Checks<Option<TypeName>> {
        if !self.has_packs() {
            return Ok(None);
        }
        let expanded = self.with_expanded_packs(ty, |expander, ty| expander.type_name(ty))?;
        Ok(expanded.map(|(ty, _)| ty))
    }

    /// The value of an instance with expanded packs.
    pub(super) fn expanded_value(&mut self, value: &Expr) -> Checks<Option<Expr>> {
        if !self.has_packs() {
            return Ok(None);
        }
        let expanded = self.with_expanded_packs(value, |expander, value| expander.expr(value))?;
        Ok(expanded.map(|(value, _)| value))
    }

    /// The declaration of an instance with expanded packs.
    pub(super) fn expanded_declaration(
        &mut self,
        declaration: &ast::Declaration,
    ) -> Checks<Option<ast::Declaration>> {
        if !self.has_packs() {
            return Ok(None);
        }
        let expanded = self.with_expanded_packs(declaration, |expander, declaration| {
            walk::walk_declaration(expander, declaration);
        })?;
        Ok(expanded.map(|(declaration, _)| declaration))
    }

    /// Template arguments with expanded packs.
    pub(super) fn expanded_args(&mut self, args: &[TemplateArg]) -> Checks<Option<Vec<TemplateArg>>> {
        if !args.iter().any(|arg| matches!(arg, TemplateArg::Expansion(_))) {
            return Ok(None);
        }
        let mut all = Vec::new();
        for arg in args {
            match integer_pack(arg) {
                Some(num) => all.extend(self.integers(num, arg.span())?),
                None => all.push(arg.clone()),
            }
        }
        let args = all;
        let expanded = self.with_expanded_packs(&args, |expander, args| expander.template_args(args))?;
        Ok(expanded.map(|(args, _)| args))
    }

    /// `__integer_pack(num)...`: the numbers 0 to num - 1.
    fn integers(&mut self, num: &Expr, span: Span) -> Checks<Vec<TemplateArg>> {
        let num_elements = self.constant_int(num, "The number of elements")?;
        match u64::try_from(num_elements) {
            Ok(num_elements @ 0..=MAX_INTEGERS) => {
                let numbers = (0..num_elements).map(|value| TemplateArg::Value(size(value, span)));
                Ok(numbers.collect())
            }
            _ => self.error(
                span,
                format!("A sequence of integers has 0 to {MAX_INTEGERS} elements; this one would have {num_elements}."),
            ),
        }
    }
}

/// A function with expanded packs.
pub(super) struct ExpandedFunction {
    pub(super) function: Arc<Function>,
    /// The packs in scope in the function, including those of its parameters.
    pub(super) packs: BTreeMap<Name, usize>,
    /// The error in its body.
    pub(super) mistake: Option<(Span, String)>,
}

/// The builtin that the library's `make_integer_sequence` calls.
const INTEGER_PACK: &str = "__integer_pack";
/// Maximum length of an integer sequence.
const MAX_INTEGERS: u64 = 1024;

/// The length of `__integer_pack(num)...`.
fn integer_pack(arg: &TemplateArg) -> Option<&Expr> {
    let TemplateArg::Expansion(pattern) = arg else {
        return None;
    };
    let TemplateArg::Value(value) = &**pattern else {
        return None;
    };
    let ExprKind::Call { callee, args, .. } = &value.kind else {
        return None;
    };
    match args.as_slice() {
        [num] if &*callee.name == INTEGER_PACK => Some(num),
        _ => None,
    }
}

/// A number of type `size_t`.
fn size(value: u64, span: Span) -> Expr {
    let number = Number::Int {
        value,
        unsigned: true,
        long: true,
    };
    Expr {
        kind: ExprKind::Number(number),
        span,
    }
}

/// Expands the packs of a syntax tree.
struct Expander {
    /// The packs in scope and their lengths.
    packs: BTreeMap<Name, usize>,
    /// The packs of nested templates, which their own instances expand.
    open: BTreeSet<Name>,
    /// Number of expressions and types that expansions have created.
    num_parts: usize,
    /// The first error.
    error: Option<(Span, String)>,
}

impl Expander {
    fn fail(&mut self, span: Span, message: impl Into<String>) {
        self.error.get_or_insert_with(|| (span, message.into()));
    }

    /// The length of an expanded pattern; `None` if it is not known yet.
    fn num_elements(&mut self, span: Span, collect: impl FnOnce(&mut Mentions<'_>)) -> Option<usize> {
        let mut mentions = Mentions {
            packs: &self.packs,
            open: &self.open,
            found: BTreeMap::new(),
            is_open: false,
        };
        collect(&mut mentions);
        let (found, is_open) = (mentions.found, mentions.is_open);
        if is_open {
            return None;
        }
        let mut counts = found.iter();
        let Some((first, num)) = counts.next() else {
            self.fail(span, "`...` expands a pattern that contains no parameter pack.");
            return None;
        };
        if let Some((other, other_num)) = counts.find(|(_, other)| *other != num) {
            let message = format!(
                "`{first}` has {num} elements and `{other}` has {other_num}; packs that are expanded together must \
                 have the same length."
            );
            self.fail(span, message);
            return None;
        }
        Some(*num)
    }

    /// The elements of an expansion; `None` if they are not known yet, or if there is an error.
    fn elements<T: Clone>(
        &mut self,
        pattern: &mut T,
        span: Span,
        visit: fn(&mut Walker<'_, '_>, &mut T),
    ) -> Option<Vec<T>> {
        visit(&mut Walker::Expander(self), pattern);
        let num = self.num_elements(span, |mentions| visit(&mut Walker::Mentions(mentions), pattern))?;
        let mut out = Vec::new();
        for idx in 0..num {
            let mut element = Element {
                packs: &self.packs,
                idx,
                num_parts: self.num_parts,
            };
            let mut own = pattern.clone();
            visit(&mut Walker::Element(&mut element), &mut own);
            self.num_parts = element.num_parts;
            if self.num_parts > MAX_PARTS || self.error.is_some() {
                self.fail(
                    span,
                    format!("This expands to more than {MAX_PARTS} expressions."),
                );
                return None;
            }
            out.push(own);
        }
        Some(out)
    }

    fn fold(&mut self, e: &mut Expr) {
        let span = e.span;
        let ExprKind::Fold { op, before, after } = &mut e.kind else {
            return;
        };
        for part in before.iter_mut().chain(after.iter_mut()) {
            self.expr(part);
        }
        let has_packs = |this: &Self, part: &mut Option<Box<Expr>>| {
            let mut mentions = Mentions {
                packs: &this.packs,
                open: &this.open,
                found: BTreeMap::new(),
                is_open: false,
            };
            if let Some(part) = part {
                mentions.expr(part);
            }
            (!mentions.found.is_empty(), mentions.is_open)
        };
        let ((is_right, open_before), (is_left, open_after)) =
            (has_packs(self, before), has_packs(self, after));
        if open_before || open_after {
            return;
        }
        if is_right == is_left {
            let message = if is_left {
                "Only one operand of a fold expression may contain parameter packs."
            } else {
                "This fold expression contains no parameter pack."
            };
            return self.fail(span, message);
        }
        let (pattern, init) = if is_right {
            (before, after)
        } else {
            (after, before)
        };
        let Some(mut pattern) = pattern.take() else { return };
        let init = init.take().map(|init| *init);
        let op = *op;
        let elements = self.elements(&mut *pattern, span, |walker, value| walker.expr(value));
        let Some(elements) = elements else { return };
        if elements.len() > MAX_FOLDED {
            let message = format!(
                "A fold expression has {MAX_FOLDED} elements at most; this one has {}.",
                elements.len()
            );
            return self.fail(span, message);
        }
        let folded = if is_right {
            let values = elements.into_iter().chain(init).rev();
            values.reduce(|rhs, lhs| combined(op, lhs, rhs, span))
        } else {
            let values = init.into_iter().chain(elements);
            values.reduce(|lhs, rhs| combined(op, lhs, rhs, span))
        };
        match folded.or_else(|| empty_fold_value(op, span)) {
            Some(value) => *e = Expr { span, ..value },
            None => self.fail(
                span,
                "This pack is empty, and a fold expression with this operator then requires an initial value: `(… + \
                 ... + 0)`.",
            ),
        }
        let mut depth = Depth { now: 0, most: 0 };
        depth.expr(e);
        if depth.most > MAX_DEPTH {
            self.fail(
                span,
                "This fold expression is nested too deeply; split it into several statements.",
            );
        }
    }

    /// The parameters that a function parameter pack expands to.
    fn param(&mut self, mut param: Param, out: &mut Vec<Param>) {
        if !param.is_pack {
            walk::walk_param(self, &mut param);
            out.push(param);
            return;
        }
        let span = param.ty.span;
        let elements = self.elements(&mut param.ty, span, |walker, ty| walker.type_name(ty));
        let Some(types) = elements else {
            // Its template is nested in the expanded tree.
            self.open
                .extend(param.name.as_ref().map(|name| name.name.clone()));
            out.push(param);
            return;
        };
        if let Some(name) = &param.name {
            self.packs.insert(name.name.clone(), types.len());
        }
        for (ty, idx) in types.into_iter().zip(0usize..) {
            let name = param.name.as_ref().map(|name| Ident {
                name: element_name(&name.name, idx),
                span: name.span,
            });
            out.push(Param {
                name,
                ty,
                default: None,
                is_pack: false,
            });
        }
    }
}

impl Visit for Expander {
    fn expr(&mut self, e: &mut Expr) {
        if self.error.is_some() {
            return;
        }
        match &mut e.kind {
            ExprKind::Fold { .. } => self.fold(e),
            ExprKind::SizeofPack(name) => {
                if let Some(num) = self.packs.get(&name.name) {
                    *e = size(*num as u64, e.span);
                } else if !self.open.contains(&name.name) {
                    let message = format!(
                        "`sizeof...` requires a parameter pack, and `{}` is not a pack.",
                        name.name
                    );
                    self.fail(name.span, message);
                }
            }
            _ => walk::walk_expr(self, e),
        }
    }

    fn exprs(&mut self, exprs: &mut Vec<Expr>) {
        for mut e in std::mem::take(exprs) {
            if let ExprKind::Expansion(pattern) = &mut e.kind {
                let elements = self.elements(&mut **pattern, e.span, |walker, value| walker.expr(value));
                if let Some(elements) = elements {
                    exprs.extend(elements);
                    continue;
                }
            } else {
                self.expr(&mut e);
            }
            exprs.push(e);
        }
    }

    fn items(&mut self, items: &mut Vec<(Option<Ident>, Expr)>) {
        for (name, mut e) in std::mem::take(items) {
            if let ExprKind::Expansion(pattern) = &mut e.kind {
                let elements = self.elements(&mut **pattern, e.span, |walker, value| walker.expr(value));
                if let Some(elements) = elements {
                    items.extend(elements.into_iter().map(|element| (None, element)));
                    continue;
                }
            } else {
                self.expr(&mut e);
            }
            items.push((name, e));
        }
    }

    fn template_args(&mut self, args: &mut Vec<TemplateArg>) {
        for mut arg in std::mem::take(args) {
            let span = arg.span();
            if integer_pack(&arg).is_some() {
                walk::walk_template_arg(self, &mut arg);
            } else if let TemplateArg::Expansion(pattern) = &mut arg {
                let elements = self.elements(&mut **pattern, span, |walker, arg| walker.template_arg(arg));
                if let Some(elements) = elements {
                    args.extend(elements);
                    continue;
                }
            } else {
                self.template_arg(&mut arg);
            }
            args.push(arg);
        }
    }

    fn params(&mut self, params: &mut Vec<Param>) {
        for param in std::mem::take(params) {
            self.param(param, params);
        }
    }

    fn captures(&mut self, captures: &mut Vec<Capture>) {
        for mut capture in std::mem::take(captures) {
            if !capture.is_pack {
                walk::walk_capture(self, &mut capture);
                captures.push(capture);
                continue;
            }
            let (name, span) = (capture.name.name.clone(), capture.name.span);
            let values = match &mut capture.init {
                Some(init) => self.elements(init, span, |walker, value| walker.expr(value)),
                None => self.packs.get(&name).map(|num| {
                    let names = (0..*num).map(|idx| Expr {
                        kind: ExprKind::Name(element_name(&name, idx)),
                        span,
                    });
                    names.collect()
                }),
            };
            let Some(values) = values else {
                captures.push(capture);
                continue;
            };
            self.packs.insert(name.clone(), values.len());
            for (value, idx) in values.into_iter().zip(0usize..) {
                captures.push(Capture {
                    name: Ident {
                        name: element_name(&name, idx),
                        span,
                    },
                    is_pack: false,
                    init: capture.init.is_some().then_some(value),
                    ..capture.clone()
                });
            }
        }
    }

    fn lambda(&mut self, lambda: &mut Lambda) {
        let outer = (self.packs.clone(), self.open.clone());
        walk::walk_lambda(self, lambda);
        for (pack, num) in &self.packs {
            if lambda.names.contains(pack) {
                lambda.names.extend((0..*num).map(|idx| element_name(pack, idx)));
            }
        }
        (self.packs, self.open) = outer;
    }

    fn function(&mut self, function: &mut Function) {
        let outer = (self.packs.clone(), self.open.clone());
        walk::walk_function(self, function);
        (self.packs, self.open) = outer;
    }

    fn template(&mut self, params: &mut Vec<TemplateParam>, body: impl FnOnce(&mut Self)) {
        let outer = self.open.clone();
        let packs = params.iter().filter(|param| param.is_pack);
        self.open
            .extend(packs.filter_map(|param| Some(param.name.as_ref()?.name.clone())));
        walk::walk_template_params(self, params);
        body(self);
        self.open = outer;
    }
}

/// One pass over the pattern of an expansion.
enum Walker<'a, 'b> {
    Expander(&'a mut Expander),
    Mentions(&'a mut Mentions<'b>),
    Element(&'a mut Element<'b>),
}

impl Walker<'_, '_> {
    fn expr(&mut self, e: &mut Expr) {
        match self {
            Self::Expander(visit) => visit.expr(e),
            Self::Mentions(visit) => visit.expr(e),
            Self::Element(visit) => visit.expr(e),
        }
    }

    fn type_name(&mut self, ty: &mut TypeName) {
        match self {
            Self::Expander(visit) => visit.type_name(ty),
            Self::Mentions(visit) => visit.type_name(ty),
            Self::Element(visit) => visit.type_name(ty),
        }
    }

    fn template_arg(&mut self, arg: &mut TemplateArg) {
        match self {
            Self::Expander(visit) => visit.template_arg(arg),
            Self::Mentions(visit) => visit.template_arg(arg),
            Self::Element(visit) => visit.template_arg(arg),
        }
    }
}

/// Collects the packs that a pattern expands.
struct Mentions<'a> {
    packs: &'a BTreeMap<Name, usize>,
    open: &'a BTreeSet<Name>,
    found: BTreeMap<Name, usize>,
    is_open: bool,
}

impl Visit for Mentions<'_> {
    fn name(&mut self, name: &mut Name) {
        let first = first_component(name);
        if let Some((pack, num)) = self.packs.get_key_value(first) {
            self.found.insert(pack.clone(), *num);
        }
        self.is_open |= self.open.contains(first);
    }

    fn expr(&mut self, e: &mut Expr) {
        // A nested expansion has its own packs.
        if !matches!(
            e.kind,
            ExprKind::Expansion(_) | ExprKind::Fold { .. } | ExprKind::SizeofPack(_)
        ) {
            walk::walk_expr(self, e);
        }
    }

    fn template_arg(&mut self, arg: &mut TemplateArg) {
        if !matches!(arg, TemplateArg::Expansion(_)) {
            walk::walk_template_arg(self, arg);
        }
    }
}

/// Substitutes one element of each pack for the pack's name.
struct Element<'a> {
    packs: &'a BTreeMap<Name, usize>,
    idx: usize,
    num_parts: usize,
}

impl Visit for Element<'_> {
    fn name(&mut self, name: &mut Name) {
        let first = first_component(name);
        if self.packs.contains_key(first) {
            let rest = &name[first.len()..];
            *name = format!("{first}#{}{rest}", self.idx).into();
        }
    }

    fn expr(&mut self, e: &mut Expr) {
        self.num_parts += 1;
        let is_inner = matches!(
            e.kind,
            ExprKind::Expansion(_) | ExprKind::Fold { .. } | ExprKind::SizeofPack(_)
        );
        if self.num_parts <= MAX_PARTS && !is_inner {
            walk::walk_expr(self, e);
        }
    }

    fn type_name(&mut self, ty: &mut TypeName) {
        self.num_parts += 1;
        if self.num_parts <= MAX_PARTS {
            walk::walk_type_name(self, ty);
        }
    }

    fn template_arg(&mut self, arg: &mut TemplateArg) {
        if !matches!(arg, TemplateArg::Expansion(_)) {
            walk::walk_template_arg(self, arg);
        }
    }

    fn lambda(&mut self, lambda: &mut Lambda) {
        walk::walk_lambda(self, lambda);
        for pack in self.packs.keys() {
            if lambda.names.contains(pack) {
                lambda.names.insert(element_name(pack, self.idx));
            }
        }
    }
}

/// The depth of an expression.
struct Depth {
    now: usize,
    most: usize,
}

impl Visit for Depth {
    fn expr(&mut self, e: &mut Expr) {
        self.now += 1;
        self.most = self.most.max(self.now);
        walk::walk_expr(self, e);
        self.now -= 1;
    }
}

/// The first component of a path.
fn first_component(name: &str) -> &str {
    name.split("::").next().unwrap_or(name)
}

/// The template packs that a type mentions, by position.
pub(super) fn packs_of_type(params: &[TemplateParam], ty: &TypeName) -> Vec<usize> {
    packs_in(params, |mentions| mentions.type_name(&mut ty.clone()))
}

/// The template packs that a template argument mentions, by position.
pub(super) fn packs_of_arg(params: &[TemplateParam], arg: &TemplateArg) -> Vec<usize> {
    packs_in(params, |mentions| mentions.template_arg(&mut arg.clone()))
}

fn packs_in(params: &[TemplateParam], visit: impl FnOnce(&mut Mentions<'_>)) -> Vec<usize> {
    let named = |idx: usize| Some((params[idx].name.as_ref()?.name.clone(), idx));
    let packs: BTreeMap<Name, usize> = (0..params.len())
        .filter(|idx| params[*idx].is_pack)
        .filter_map(named)
        .collect();
    let mut mentions = Mentions {
        packs: &packs,
        open: &BTreeSet::new(),
        found: BTreeMap::new(),
        is_open: false,
    };
    visit(&mut mentions);
    mentions.found.into_values().collect()
}

fn combined(op: FoldOp, lhs: Expr, rhs: Expr, span: Span) -> Expr {
    let (lhs, rhs) = (Box::new(lhs), Box::new(rhs));
    let kind = match op {
        FoldOp::Infix(op) => ExprKind::Infix { op, lhs, rhs },
        FoldOp::Assign(op) => ExprKind::Assign { op, lhs, rhs },
    };
    Expr { kind, span }
}

/// The value of a fold expression over an empty pack.
fn empty_fold_value(op: FoldOp, span: Span) -> Option<Expr> {
    let kind = match op {
        FoldOp::Infix(InfixOp::Logical(op)) => ExprKind::Bool(op == LogicalOp::And),
        FoldOp::Infix(InfixOp::Comma) => ExprKind::Cast {
            style: CastStyle::C,
            ty: Box::new(TypeName::known(Type::Void, span)),
            operand: Box::new(Expr {
                kind: ExprKind::Bool(false),
                span,
            }),
        },
        _ => return None,
    };
    Some(Expr { kind, span })
}
