//! Function templates: argument deduction, and instantiation. An instance is a function whose names are looked up
//! first among the template parameters.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::calls::{Arg, MAX_OPEN};
use super::classes::Class;
use super::items::own_name;
use super::names::Symbol;
use super::packs::{element_name, packs_of_arg, packs_of_type};
use super::types::Reference;
use super::{Body, Checker, Checks, Operand, Progress, Reported};
use crate::ast::{
    self, BaseType, Derived, Name, Template, TemplateArg, TemplateParam, TemplateParamKind, TypeName,
};
use crate::diagnostic::{Cause, Diagnostic, Severity};
use crate::hir::{Const, FuncId, FunctionKind, StructId, Type};
use engine::ids::Span;

/// Maximum number of instances in a source. Only infinite recursion exceeds it.
const MAX_INSTANCES: usize = 2000;
/// Maximum number of elements in a function parameter pack.
const MAX_PARAMS: usize = 256;
/// Maximum number of pointer and array levels of a type argument of a function template.
const MAX_NESTING: usize = 48;

/// Number of pointer and array levels of a type.
fn nesting(ty: &Type) -> usize {
    let mut num = 0;
    let mut next = ty;
    loop {
        next = match next {
            Type::Pointer(pointer) => &pointer.pointee,
            Type::Array(elem, ..) => elem,
            _ => return num,
        };
        num += 1;
    }
}

/// The value of a template parameter in an instance.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum TemplateValue {
    Type {
        ty: Type,
        is_const: bool,
        reference: Reference,
    },
    Value(Const, Type),
    /// A template template argument, by index.
    Template(usize),
    /// The elements of a parameter pack.
    Pack(Vec<Self>),
}

impl TemplateValue {
    /// The elements of a pack, or the single value.
    fn elements(&self) -> &[Self] {
        match self {
            Self::Pack(elements) => elements,
            single => std::slice::from_ref(single),
        }
    }
}

/// A function template and its instances.
pub(super) struct TemplateEntry {
    ast: Arc<Template>,
    /// The namespace, as `a::b::`.
    namespace: Name,
    /// The struct of a member template.
    class: Option<StructId>,
    /// The arguments of the enclosing templates.
    bindings: Bindings,
    /// `None` if the arguments do not match the function's parameters.
    instances: Vec<(Vec<TemplateValue>, Option<FuncId>)>,
}

/// The names in an instance of its template arguments.
pub(super) type Bindings = BTreeMap<Name, Symbol>;

impl Checker {
    /// Declares a template, or a specialization.
    pub(super) fn declare_template(&mut self, template: &Arc<Template>) -> Checks<()> {
        let name = &template.function.name;
        if template.params.is_empty()
            && template.function.template_args.is_empty()
            && !template.function.owner_args.is_empty()
        {
            return self.define_member_of_specialization(&template.function);
        }
        if let Some((owner, _)) = name.name.rsplit_once("::") {
            if !template.params.is_empty()
                && let Some(idx) = self.type_template(owner)
            {
                self.define_member_of_template(idx, template);
                return Ok(());
            }
            if let Some(id) = self.struct_before(&name.name) {
                return self.in_class(id, |this| this.declare_own_template(template));
            }
        }
        self.declare_own_template(template)
    }

    /// A member function of a class template that is defined outside the class.
    fn define_member_of_template(&mut self, idx: usize, template: &Arc<Template>) {
        self.type_templates[idx].definitions.push(template.clone());
        let known: Vec<_> = self.type_templates[idx].instances.clone();
        for (values, ty) in known {
            if let Some((Type::Struct(id), ..)) = ty {
                self.define_member_of_instance(id, &values, template);
            }
        }
    }

    /// `Name<int>::function`, an explicit specialization of a member function.
    pub(super) fn define_member_of_specialization(&mut self, function: &Arc<ast::Function>) -> Checks<()> {
        let name = &function.name;
        let Some((owner, own)) = name.name.rsplit_once("::") else {
            return Err(Reported);
        };
        let owner = ast::Ident {
            name: owner.into(),
            span: name.span,
        };
        let (ty, ..) = self.type_instance(&owner, &function.owner_args)?;
        let Type::Struct(id) = ty else {
            return self.error(name.span, "Only structs have members.");
        };
        if let Some(whole) = self.member_name(id, own) {
            let known = self.by_name.get(&whole).cloned().unwrap_or_default();
            for known in known {
                let entry = &mut self.functions[known.0 as usize];
                // The member of the primary template is not used.
                if entry.ast.params.len() == function.params.len()
                    && matches!(entry.progress, Progress::Declared)
                {
                    Arc::make_mut(&mut entry.ast).body = None;
                }
            }
            self.specialized_members.insert(whole);
        }
        self.in_class(id, |this| this.define_member(function))
    }

    fn define_member_of_instance(
        &mut self,
        id: StructId,
        values: &[TemplateValue],
        template: &Arc<Template>,
    ) {
        let filled: Vec<Option<TemplateValue>> = values.iter().cloned().map(Some).collect();
        let own = own_name(&template.function.name.name);
        let is_specialized = self
            .member_name(id, &own)
            .is_some_and(|whole| self.specialized_members.contains(&whole));
        if template.params.len() > filled.len() || is_specialized {
            return;
        }
        let own = bindings_of(&template.params, &filled[..template.params.len()]);
        self.in_class(id, |this| {
            this.body.bindings.extend(own);
            // The error is reported once, at the definition.
            let _ = this.define_member(&template.function);
        });
    }

    fn declare_own_template(&mut self, template: &Arc<Template>) -> Checks<()> {
        let name = &template.function.name;
        if template.params.is_empty() {
            return self.specialization(template);
        }
        let name = if self.class.is_some() {
            own_name(&name.name)
        } else {
            name.name.clone()
        };
        let known = self.templates_by_name.entry(self.whole(&name)).or_default();
        // A definition replaces its prototype.
        for idx in known.iter() {
            let entry = &mut self.templates[*idx];
            let old = &entry.ast.function;
            let is_same = entry.ast.params.len() == template.params.len()
                && old.params.len() == template.function.params.len()
                && (old.params.iter().zip(&template.function.params))
                    .all(|(a, b)| is_same_spelling(&a.ty, &b.ty));
            if is_same && (old.body.is_none() || template.function.body.is_none()) {
                if old.body.is_none() {
                    entry.ast = template.clone();
                }
                return Ok(());
            }
        }
        known.push(self.templates.len());
        self.templates.push(TemplateEntry {
            ast: template.clone(),
            namespace: self.namespace.clone(),
            class: self.class,
            bindings: self.body.bindings.clone(),
            instances: Vec::new(),
        });
        Ok(())
    }

    /// `template <> … f<int>(…) { … }`: an explicit specialization.
    fn specialization(&mut self, template: &Arc<Template>) -> Checks<()> {
        let function = &template.function;
        let name = &function.name;
        let known = self.templates_of(&name.name);
        for idx in known {
            let primary = &*self.templates[idx].ast.clone();
            let has_pack = primary.function.params.iter().any(|param| param.is_pack);
            if primary.function.params.len() != function.params.len() && !has_pack {
                continue;
            }
            let Some(mut values) = self.explicit_values(&primary.params, false, &function.template_args)?
            else {
                continue;
            };
            let mut types = Vec::new();
            for own in &function.params {
                let resolved = self.resolve(&own.ty, None)?;
                types.push((resolved.ty, resolved.is_const && resolved.is_ref));
            }
            let types: Vec<_> = types
                .iter()
                .map(|(ty, is_const)| ArgumentType {
                    ty: Some(ty),
                    is_const: *is_const,
                    is_lvalue: false,
                })
                .collect();
            Deduction::of(
                &primary.params,
                &self.classes,
                &function.template_args,
                &mut values,
            )
            .call(&primary.function.params, |_, idx| types[idx], types.len());
            let ret = self.resolve(&function.ret, None)?;
            Deduction::of(
                &primary.params,
                &self.classes,
                &function.template_args,
                &mut values,
            )
            .steps(
                &primary.function.ret,
                &primary.function.ret.derived,
                &ret.ty,
                ret.is_const && ret.is_ref,
            );
            let Some(values) = self.completed(&primary.params, values) else {
                continue;
            };
            let id = self.instance_of(function, &name.name, Bindings::new(), &values)?;
            let instances = &mut self.templates[idx].instances;
            instances.retain(|(other, _)| *other != values);
            instances.push((values, Some(id)));
            return Ok(());
        }
        self.is_torn = true;
        self.error(
            name.span,
            format!("There is no template `{}` for this specialization.", name.name),
        )
    }

    /// Instantiates a template that the source names explicitly.
    pub(super) fn named_instance(&mut self, instance: &ast::Instance) -> Checks<()> {
        let (num_diagnostics, broken) = (self.diagnostics.len(), self.body.broken);
        let result = self.try_named_instance(instance);
        if instance.is_launch && result.is_err() {
            // The host can name values that only the host knows. Architecture errors are still reported.
            let said = self.diagnostics.split_off(num_diagnostics);
            self.diagnostics.extend(
                said.into_iter()
                    .filter(|diagnostic| diagnostic.cause == Cause::Architecture),
            );
            self.body.broken = broken;
            return Ok(());
        }
        result
    }

    fn try_named_instance(&mut self, instance: &ast::Instance) -> Checks<()> {
        let name = &instance.name;
        let known = self.templates_of(&name.name);
        for idx in known {
            let template = &*self.templates[idx].ast.clone();
            let Some(values) = self.explicit_values(
                &template.params,
                template.function.specifiers.global.is_some(),
                &instance.args,
            )?
            else {
                continue;
            };
            if let Some(values) = self.completed(&template.params, values)
                && self.instantiate(idx, values, name.span)?.is_some()
            {
                return Ok(());
            }
        }
        if matches!(self.lookup(&name.name), Some(Symbol::Host(_))) {
            return Ok(());
        }
        self.error(
            name.span,
            format!(
                "No instance of function template `{}` matches these arguments.",
                name.name
            ),
        )
    }

    /// Instantiates kernel templates that the source does not launch, so that they can run: type parameters are
    /// `float` (or the first of three other types that compiles), and number parameters are 16.
    pub(super) fn guess_instances(&mut self) {
        for idx in 0..self.templates.len() {
            let entry = &self.templates[idx];
            let template = &*entry.ast.clone();
            let function = &template.function;
            if function.specifiers.global.is_none()
                || function.body.is_none()
                || entry.instances.iter().any(|(_, id)| id.is_some())
            {
                continue;
            }
            let num_diagnostics = self.diagnostics.len();
            let name = &function.name;
            let mut id = None;
            let mut works = false;
            let num_called = self.called.len();
            for guess in self.guesses(template) {
                self.diagnostics.truncate(num_diagnostics);
                self.called.truncate(num_called);
                if let Some(id) = id {
                    self.demote(id);
                }
                id = self.try_guess(idx, template, &guess);
                works = id.is_some_and(|id| self.is_error_free(id));
                if works {
                    break;
                }
            }
            if let Some(id) = id
                && works
            {
                let text = &self.functions[id.0 as usize].hir.name;
                let message = format!(
                    "`{}` is a template that this file does not launch; it is compiled as `{text}`.",
                    name.name
                );
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
            let message = format!(
                "`{}` is a template, and this file does not instantiate it.",
                name.name
            );
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

    /// The values of explicit arguments, with `None` for the other parameters; `None` if they do not match the
    /// template.
    fn explicit_values(
        &mut self,
        params: &[TemplateParam],
        is_kernel: bool,
        args: &[TemplateArg],
    ) -> Checks<Option<Vec<Option<TemplateValue>>>> {
        let expanded = self.expanded_args(args)?;
        let args = expanded.as_deref().unwrap_or(args);
        let has_pack = params.iter().any(|param| param.is_pack);
        if args.len() > params.len() && !has_pack {
            return Ok(None);
        }
        let mut values: Vec<Option<TemplateValue>> = Vec::new();
        // A pack consumes all remaining arguments.
        let mut pack: Option<Vec<TemplateValue>> = None;
        for (idx, arg) in args.iter().enumerate() {
            let Some(param) = params.get(if pack.is_some() { values.len() } else { idx }) else {
                return Ok(None);
            };
            if param.is_pack && pack.is_none() {
                pack = Some(Vec::new());
            }
            let value = match (arg, &param.kind) {
                (TemplateArg::Type(name), TemplateParamKind::Type(_)) => {
                    if is_kernel {
                        self.refuse_double(name)?;
                    }
                    let resolved = self.resolve(name, None)?;
                    TemplateValue::Type {
                        reference: resolved.reference(),
                        ty: resolved.ty,
                        is_const: resolved.is_const,
                    }
                }
                (TemplateArg::Value(value), TemplateParamKind::Value(ty, _)) => {
                    let bindings = bindings_of(params, &values);
                    let ty = self.with_bindings(bindings, |this| this.resolve(ty, None))?.ty;
                    let value = self.value(value)?;
                    let value = self.implicit(value, &ty, "as a template argument")?;
                    match self.evaluate(&value) {
                        Some(known) => TemplateValue::Value(known, ty),
                        None => {
                            return self
                                .error(arg.span(), "A template argument must be a constant expression.");
                        }
                    }
                }
                (TemplateArg::Type(name), TemplateParamKind::Template(_)) => {
                    let BaseType::Named(ident) = &name.base else {
                        return Ok(None);
                    };
                    match self.type_template(&ident.name) {
                        Some(idx) => TemplateValue::Template(idx),
                        None => return Ok(None),
                    }
                }
                // `Trait<T>::value`: only the parameter kind shows that this is a value.
                (TemplateArg::Type(name), TemplateParamKind::Value(ty, _)) => {
                    let Some((of, member)) = member_of(name) else {
                        return Ok(None);
                    };
                    let bindings = bindings_of(params, &values);
                    let ty = self.with_bindings(bindings, |this| this.resolve(ty, None))?.ty;
                    let value = self.static_member(&of, member, None, None, arg.span())?;
                    let value = self.rvalue(value)?;
                    let value = self.implicit(value, &ty, "as a template argument")?;
                    let Some(known) = self.evaluate(&value) else {
                        return self.error(arg.span(), "A template argument must be a constant expression.");
                    };
                    TemplateValue::Value(known, ty)
                }
                _ => return Ok(None),
            };
            match &mut pack {
                Some(pack) => pack.push(value),
                None => values.push(Some(value)),
            }
        }
        values.extend(pack.map(|pack| Some(TemplateValue::Pack(pack))));
        values.resize(params.len(), None);
        Ok(Some(values))
    }

    fn default_value(&mut self, param: &TemplateParam, bindings: Bindings) -> Option<TemplateValue> {
        let (num_diagnostics, broken) = (self.diagnostics.len(), self.body.broken);
        let value = self.with_bindings(bindings, |this| match &param.kind {
            _ if param.is_pack => Some(TemplateValue::Pack(Vec::new())),
            TemplateParamKind::Type(Some(name)) => {
                let expanded = this.expanded_type(name).ok()?;
                let name = expanded.as_ref().unwrap_or(name);
                let resolved = this.resolve(name, None).ok()?;
                Some(TemplateValue::Type {
                    reference: resolved.reference(),
                    ty: resolved.ty,
                    is_const: resolved.is_const,
                })
            }
            TemplateParamKind::Template(Some(TypeName {
                base: BaseType::Named(ident),
                ..
            })) => this.type_template(&ident.name).map(TemplateValue::Template),
            TemplateParamKind::Value(ty, Some(value)) => {
                let expanded = this.expanded_type(ty).ok()?;
                let ty = this.resolve(expanded.as_ref().unwrap_or(ty), None).ok()?.ty;
                let expanded = this.expanded_value(value).ok()?;
                let value = this.value(expanded.as_ref().unwrap_or(value)).ok()?;
                let value = this.implicit(value, &ty, "as a template argument").ok()?;
                Some(TemplateValue::Value(this.evaluate(&value)?, ty))
            }
            _ => None,
        });
        if value.is_none() {
            self.diagnostics.truncate(num_diagnostics);
            self.body.broken = broken;
        }
        value
    }

    /// The values of all parameters; missing values come from default arguments.
    fn completed(
        &mut self,
        params: &[TemplateParam],
        mut values: Vec<Option<TemplateValue>>,
    ) -> Option<Vec<TemplateValue>> {
        for (idx, param) in params.iter().enumerate() {
            if values[idx].is_none() {
                let bindings = bindings_of(params, &values);
                values[idx] = Some(self.default_value(param, bindings)?);
            }
        }
        values.into_iter().collect()
    }

    /// Runs `body` with names that have priority in lookup.
    pub(super) fn with_bindings<T>(&mut self, bindings: Bindings, body: impl FnOnce(&mut Self) -> T) -> T {
        let scopes = std::mem::take(&mut self.body.scopes);
        let bindings = std::mem::replace(&mut self.body.bindings, bindings);
        let result = body(self);
        (self.body.scopes, self.body.bindings) = (scopes, bindings);
        result
    }

    /// The instance of a template for these values; `None` if they do not match the function's parameters.
    fn instantiate(&mut self, idx: usize, values: Vec<TemplateValue>, span: Span) -> Checks<Option<FuncId>> {
        let entry = &self.templates[idx];
        if let Some((_, id)) = entry.instances.iter().find(|(known, _)| *known == values) {
            return Ok(*id);
        }
        let (template, namespace, class) = (entry.ast.clone(), entry.namespace.clone(), entry.class);
        let mut bindings = entry.bindings.clone();
        if (values.iter().flat_map(TemplateValue::elements))
            .any(|value| matches!(value, TemplateValue::Type { ty, .. } if nesting(ty) > MAX_NESTING))
        {
            let message = format!(
                "A type here is nested more than {MAX_NESTING} levels deep: excessive recursion at instantiation of \
                 `{}`.",
                template.function.name.name
            );
            return self.error(span, message);
        }
        let has_pack = template.function.params.iter().any(|param| param.is_pack);
        if has_pack && values.iter().any(|value| value.elements().len() > MAX_PARAMS) {
            let message = format!(
                "A parameter pack of `{}` would have more than {MAX_PARAMS} elements.",
                template.function.name.name
            );
            return self.error(span, message);
        }
        let num_instances: usize = self.templates.iter().map(|entry| entry.instances.len()).sum();
        if num_instances >= MAX_INSTANCES {
            let message = format!(
                "There are more than {MAX_INSTANCES} template instances: excessive recursion at instantiation of `{}`.",
                template.function.name.name
            );
            return self.error(span, message);
        }
        // A signature that depends on itself does not match.
        self.templates[idx].instances.push((values.clone(), None));
        let filled: Vec<Option<TemplateValue>> = values.iter().cloned().map(Some).collect();
        bindings.extend(bindings_of(&template.params, &filled));
        let num_diagnostics = self.diagnostics.len();
        let function = &template.function;
        let outer = std::mem::replace(&mut self.namespace, namespace);
        let outer_class = std::mem::replace(&mut self.class, class);
        let id = self
            .instance_of(function, &function.name.name, bindings, &values)
            .ok();
        self.namespace = outer;
        self.class = outer_class;
        if id.is_none() {
            self.diagnostics.truncate(num_diagnostics);
        }
        let instances = &mut self.templates[idx].instances;
        instances.retain(|(known, _)| *known != values);
        instances.push((values, id));
        Ok(id)
    }

    /// Declares an instance.
    fn instance_of(
        &mut self,
        function: &Arc<ast::Function>,
        name: &str,
        bindings: Bindings,
        values: &[TemplateValue],
    ) -> Checks<FuncId> {
        let text = self.values_text(values);
        let body = Body {
            bindings: bindings.clone(),
            ..Body::default()
        };
        let outer = std::mem::replace(&mut self.body, body);
        let entry = self.signature_of(function, false);
        self.body = outer;
        let mut entry = entry?;
        entry.hir.name = format!("{}{name}<{text}>", self.namespace);
        let id = FuncId(self.functions.len() as u32);
        self.functions.push(entry);
        Ok(id)
    }

    /// Template arguments as text.
    fn values_text(&self, values: &[TemplateValue]) -> String {
        let elements = values.iter().flat_map(TemplateValue::elements);
        let texts: Vec<String> = elements.map(|value| self.value_text(value)).collect();
        texts.join(", ")
    }

    fn value_text(&self, value: &TemplateValue) -> String {
        match value {
            TemplateValue::Pack(elements) => self.values_text(elements),
            TemplateValue::Type {
                ty,
                is_const,
                reference,
            } => {
                let reference = match reference {
                    Reference::None => "",
                    Reference::Lvalue => " &",
                    Reference::Rvalue => " &&",
                };
                format!(
                    "{}{}{reference}",
                    if *is_const { "const " } else { "" },
                    self.text(ty)
                )
            }
            TemplateValue::Template(idx) => self.type_templates[*idx].name().to_string(),
            TemplateValue::Value(Const::Int(value), _) => value.to_string(),
            TemplateValue::Value(Const::Bool(value), _) => value.to_string(),
            TemplateValue::Value(Const::F32(value), _) => value.to_string(),
            TemplateValue::Value(Const::F64(value), _) => value.to_string(),
        }
    }

    /// The template instances with this name that match a call, the most specialized template first.
    pub(super) fn template_candidates(
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
            let Some(mut values) = self.explicit_values(
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
            if let Some(values) = self.completed(&template.params, values)
                && let Some(id) = self.instantiate(idx, values, span)?
            {
                candidates.push(id);
            }
        }
        Ok(candidates)
    }

    /// Whether a constructor template of a struct converts a value of another type.
    pub(super) fn template_constructor_takes(&self, constructor: &str, value: &crate::hir::Expr) -> bool {
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

    /// Whether there are templates of a name.
    pub(super) fn is_template(&self, name: &str) -> bool {
        if self.templates.is_empty() {
            return false;
        }
        self.meanings(name)
            .iter()
            .any(|name| self.templates_by_name.contains_key(name))
    }

    /// The templates that a name can denote.
    fn templates_of(&self, name: &str) -> Vec<usize> {
        if self.templates.is_empty() {
            return Vec::new();
        }
        let known = self.meanings(name).into_iter();
        known
            .filter_map(|name| self.templates_by_name.get(&name))
            .flatten()
            .copied()
            .collect()
    }

    /// Reports why no template with this name matches a call.
    pub(super) fn report_no_instance<T>(
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

/// The type and the member of `name<args>::member`.
fn member_of(name: &TypeName) -> Option<(TypeName, &ast::Ident)> {
    let BaseType::Instance {
        name: of,
        args,
        member: Some(member),
    } = &name.base
    else {
        return None;
    };
    let base = BaseType::Instance {
        name: of.clone(),
        args: args.clone(),
        member: None,
    };
    let of = TypeName {
        base,
        derived: Vec::new(),
        ..name.clone()
    };
    name.derived.is_empty().then_some((of, member))
}

/// An argument for template argument deduction.
#[derive(Clone, Copy)]
struct ArgumentType<'t> {
    /// The type; `None` for a list in braces.
    ty: Option<&'t Type>,
    is_const: bool,
    /// Whether it is an lvalue.
    is_lvalue: bool,
}

fn argument_type<'t>(param: &ast::Param, arg: &'t Arg<'_>) -> ArgumentType<'t> {
    let Arg::Operand(operand, value) = arg else {
        return ArgumentType {
            ty: None,
            is_const: false,
            is_lvalue: false,
        };
    };
    let is_ref = matches!(
        param.ty.derived.last(),
        Some(Derived::Reference | Derived::RvalueReference)
    );
    let (ty, is_const) = match operand {
        Operand::Place(lvalue) if is_ref => (&lvalue.place.ty, lvalue.is_const),
        Operand::Computed { value, is_const } if is_ref => (&value.ty, *is_const),
        _ => (&value.ty, false),
    };
    ArgumentType {
        ty: Some(ty),
        is_const,
        is_lvalue: match operand {
            Operand::Place(lvalue) => !lvalue.expires,
            Operand::Computed { .. } | Operand::Bits(_) => true,
            Operand::Value(_) => false,
        },
    }
}

/// Deduces the values of template parameters from argument types.
struct Deduction<'d> {
    params: &'d [TemplateParam],
    classes: &'d BTreeMap<u32, Class>,
    /// Explicit arguments are fixed, and call arguments convert to them.
    num_explicit: usize,
    values: &'d mut [Option<TemplateValue>],
}

impl<'d> Deduction<'d> {
    const fn of(
        params: &'d [TemplateParam],
        classes: &'d BTreeMap<u32, Class>,
        explicit: &[TemplateArg],
        values: &'d mut [Option<TemplateValue>],
    ) -> Self {
        Self {
            params,
            classes,
            num_explicit: explicit.len(),
            values,
        }
    }

    /// Deduces values from the arguments of a call; `argument` returns their types. False if the type of an argument
    /// does not have the form of the parameter, or if a parameter would have two values.
    fn call<'t>(
        &mut self,
        params: &[ast::Param],
        argument: impl Fn(&ast::Param, usize) -> ArgumentType<'t>,
        num_args: usize,
    ) -> bool {
        let mut next = 0;
        for (idx, param) in params.iter().enumerate() {
            if param.is_pack {
                // Only the last pack can be deduced.
                let known = packs_of_type(self.params, &param.ty);
                let is_last = idx + 1 == params.len();
                let num = match known.first().and_then(|pack| self.values[*pack].as_ref()) {
                    Some(pack) if !is_last => pack.elements().len(),
                    None if !is_last => 0,
                    _ => num_args.saturating_sub(next),
                };
                let args: Vec<_> = (next..(next + num).min(num_args))
                    .map(|at| argument(param, at))
                    .collect();
                next += num;
                let fits = self.pack(&known, args.len(), |element, at| {
                    element.param(&param.ty, args[at])
                });
                if !fits {
                    return false;
                }
                continue;
            }
            if next >= num_args {
                break;
            }
            let found = argument(param, next);
            next += 1;
            if !self.param(&param.ty, found) {
                return false;
            }
        }
        true
    }

    /// Deduces the elements of packs one by one.
    fn pack(
        &mut self,
        packs: &[usize],
        num: usize,
        mut find: impl FnMut(&mut Deduction<'_>, usize) -> bool,
    ) -> bool {
        let known: Vec<Vec<TemplateValue>> = packs
            .iter()
            .map(|idx| {
                self.values[*idx]
                    .as_ref()
                    .map_or(Vec::new(), |known| known.elements().to_vec())
            })
            .collect();
        if packs.is_empty() || known.iter().any(|known| known.len() > num) {
            return false;
        }
        let mut found = vec![Vec::new(); packs.len()];
        for at in 0..num {
            let mut values = self.values.to_vec();
            let mut num_explicit = self.num_explicit;
            for (idx, known) in packs.iter().zip(&known) {
                values[*idx] = known.get(at).cloned();
                if values[*idx].is_none() {
                    num_explicit = num_explicit.min(*idx);
                }
            }
            let mut element = Deduction {
                params: self.params,
                classes: self.classes,
                num_explicit,
                values: &mut values,
            };
            if !find(&mut element, at) {
                return false;
            }
            for (own, idx) in found.iter_mut().zip(packs) {
                match values[*idx].take() {
                    Some(value) => own.push(value),
                    None => return false,
                }
            }
            for (idx, value) in values.into_iter().enumerate() {
                if !packs.contains(&idx) {
                    self.values[idx] = value;
                }
            }
        }
        for (own, idx) in found.into_iter().zip(packs) {
            self.values[*idx] = Some(TemplateValue::Pack(own));
        }
        true
    }

    fn param(&mut self, name: &TypeName, argument: ArgumentType<'_>) -> bool {
        let Some(ty) = argument.ty else { return true };
        // `T &&` of a template is a forwarding reference.
        if let BaseType::Named(ident) = &name.base
            && let [Derived::RvalueReference] = name.derived.as_slice()
            && !name.is_const
            && let Some(idx) = position(self.params, &ident.name)
        {
            let found = TemplateValue::Type {
                ty: ty.clone(),
                is_const: argument.is_const,
                reference: if argument.is_lvalue {
                    Reference::Lvalue
                } else {
                    Reference::None
                },
            };
            return self.bind(idx, found);
        }
        self.steps(name, &name.derived, ty, argument.is_const)
    }

    fn steps(&mut self, name: &TypeName, steps: &[Derived], ty: &Type, is_const: bool) -> bool {
        let base = match &name.base {
            BaseType::Named(ident) => position(self.params, &ident.name),
            _ => None,
        };
        if let (
            BaseType::Instance {
                name,
                args,
                member: None,
            },
            [],
        ) = (&name.base, steps)
        {
            return self.instance(&name.name, args, ty);
        }
        let Some((step, inner)) = steps.split_last() else {
            return base.is_none_or(|idx| {
                let found = TemplateValue::Type {
                    ty: ty.clone(),
                    is_const: is_const && !name.is_const,
                    reference: Reference::None,
                };
                self.bind(idx, found)
            });
        };
        match (step, ty) {
            (Derived::Reference | Derived::RvalueReference, _) => self.steps(name, inner, ty, is_const),
            (Derived::Pointer { .. } | Derived::Array(_), Type::Pointer(pointer)) => {
                self.steps(name, inner, &pointer.pointee, pointer.is_const)
            }
            (Derived::Array(extent), Type::Array(elem, len)) => {
                let extent = match extent.as_deref().map(|extent| &extent.kind) {
                    Some(ast::ExprKind::Name(extent)) => position(self.params, extent),
                    _ => None,
                };
                let len = TemplateValue::Value(Const::Int(i128::from(*len)), Type::I32);
                extent.is_none_or(|idx| self.bind(idx, len)) && self.steps(name, inner, elem, is_const)
            }
            _ => base.is_none(),
        }
    }

    /// Matches `Name<T, n>` with an instance of that template.
    fn instance(&mut self, name: &str, args: &[TemplateArg], ty: &Type) -> bool {
        if args.iter().all(|arg| self.is_non_deduced(arg)) {
            // A non-deduced argument can be converted.
            return true;
        }
        let Type::Struct(id) = ty else { return false };
        let last = |name: &str| name.rsplit("::").next().unwrap_or(name).to_owned();
        // An instance, or one of its bases.
        let mut next = vec![*id];
        while let Some(id) = next.pop() {
            let Some(class) = self.classes.get(&id.0) else {
                continue;
            };
            if let Some((own, values)) = class.instance()
                && last(own) == last(name)
            {
                let values = values.to_vec();
                return self.arguments(args, &values);
            }
            next.extend(class.bases());
        }
        false
    }

    /// Whether nothing in an argument can be deduced.
    fn is_non_deduced(&self, arg: &TemplateArg) -> bool {
        let is_known = |name: &str| position(self.params, name).is_none_or(|idx| idx < self.num_explicit);
        match arg {
            TemplateArg::Type(ty) => match &ty.base {
                BaseType::Named(name) => is_known(&name.name),
                BaseType::Known(_) => true,
                _ => false,
            },
            TemplateArg::Value(value) => match &value.kind {
                ast::ExprKind::Name(name) => is_known(name),
                ast::ExprKind::Number(_) => true,
                _ => false,
            },
            TemplateArg::Expansion(_) => false,
        }
    }

    /// Matches written template arguments with those of an instance.
    fn arguments(&mut self, args: &[TemplateArg], values: &[TemplateValue]) -> bool {
        let values: Vec<&TemplateValue> = values.iter().flat_map(TemplateValue::elements).collect();
        let mut rest = values.as_slice();
        for arg in args {
            if let TemplateArg::Expansion(pattern) = arg {
                let packs = packs_of_arg(self.params, pattern);
                let pattern = std::slice::from_ref(&**pattern);
                return self.pack(&packs, rest.len(), |element, at| {
                    element.arguments(pattern, std::slice::from_ref(rest[at]))
                });
            }
            let Some((value, others)) = rest.split_first() else {
                return false;
            };
            rest = others;
            if !self.argument(arg, value) {
                return false;
            }
        }
        true
    }

    /// Matches a written template argument with that of an instance.
    fn argument(&mut self, arg: &TemplateArg, value: &TemplateValue) -> bool {
        match (arg, value) {
            // Template parameters are never volatile here: `volatile T` selects another specialization.
            (TemplateArg::Type(name), TemplateValue::Type { .. })
                if name.is_volatile && name.derived.is_empty() =>
            {
                false
            }
            (
                TemplateArg::Type(name),
                found @ TemplateValue::Type {
                    ty,
                    is_const,
                    reference,
                },
            ) => {
                let (wanted, steps) = match name.derived.split_last() {
                    Some((Derived::Reference, steps)) => (Reference::Lvalue, steps),
                    Some((Derived::RvalueReference, steps)) => (Reference::Rvalue, steps),
                    _ => (Reference::None, name.derived.as_slice()),
                };
                if wanted != Reference::None || *reference == Reference::None {
                    return wanted == *reference && self.steps(name, steps, ty, *is_const);
                }
                // A bare parameter denotes the complete reference type.
                match &name.base {
                    BaseType::Named(ident) if steps.is_empty() && !name.is_const => {
                        position(self.params, &ident.name).is_none_or(|idx| self.bind(idx, found.clone()))
                    }
                    _ => false,
                }
            }
            (TemplateArg::Type(name), found @ TemplateValue::Template(_)) => match &name.base {
                BaseType::Named(ident) => {
                    position(self.params, &ident.name).is_none_or(|idx| self.bind(idx, found.clone()))
                }
                _ => false,
            },
            (TemplateArg::Value(value), found) => match &value.kind {
                ast::ExprKind::Name(name) => {
                    position(self.params, name).is_none_or(|idx| self.bind(idx, found.clone()))
                }
                _ => true,
            },
            _ => false,
        }
    }

    fn bind(&mut self, idx: usize, found: TemplateValue) -> bool {
        if idx < self.num_explicit {
            return true;
        }
        match (&self.values[idx], &found) {
            (Some(TemplateValue::Value(known, _)), TemplateValue::Value(found, _)) => known == found,
            (Some(known), _) => *known == found,
            (None, _) => {
                self.values[idx] = Some(found);
                true
            }
        }
    }
}

fn position(params: &[TemplateParam], name: &str) -> Option<usize> {
    params
        .iter()
        .position(|param| param.name.as_ref().is_some_and(|own| &*own.name == name))
}

fn bindings_of(params: &[TemplateParam], values: &[Option<TemplateValue>]) -> Bindings {
    let mut bindings = Bindings::new();
    for (param, value) in params.iter().zip(values) {
        if let (Some(name), Some(value)) = (&param.name, value) {
            if let TemplateValue::Pack(elements) = value {
                for (element, idx) in elements.iter().zip(0usize..) {
                    bindings.insert(element_name(&name.name, idx), symbol_of(element));
                }
            }
            bindings.insert(name.name.clone(), symbol_of(value));
        }
    }
    bindings
}

fn symbol_of(value: &TemplateValue) -> Symbol {
    match value.clone() {
        TemplateValue::Type {
            ty,
            is_const,
            reference,
        } => Symbol::Type {
            ty,
            is_const,
            reference,
        },
        TemplateValue::Value(value, ty) => Symbol::Constant(value, ty),
        TemplateValue::Template(idx) => Symbol::Template(idx),
        TemplateValue::Pack(elements) => Symbol::Pack(elements.len()),
    }
}

/// Whether one function template is more specialized than another.
fn is_more_specialized(a: &Template, b: &Template) -> bool {
    is_at_least_as_general(b, a) && !is_at_least_as_general(a, b)
}

/// Whether a template accepts everything that another template accepts.
fn is_at_least_as_general(general: &Template, special: &Template) -> bool {
    let mut bound = vec![None; general.params.len()];
    let spellings = |template: &Template| -> Vec<Spelling> {
        let of = |param: &ast::Param| Spelling {
            is_pack: param.is_pack,
            ..Spelling::of(&param.ty)
        };
        template.function.params.iter().map(of).collect()
    };
    takes_all(
        &spellings(general),
        &spellings(special),
        &general.params,
        &mut bound,
    )
}

/// Whether one list of written types matches everything that another list matches; a pack matches the rest.
fn takes_all(
    wide: &[Spelling],
    narrow: &[Spelling],
    params: &[TemplateParam],
    bound: &mut [Option<Spelling>],
) -> bool {
    for (idx, wide) in wide.iter().enumerate() {
        if wide.is_pack {
            return narrow[idx.min(narrow.len())..].iter().all(|narrow| {
                let narrow = Spelling {
                    is_pack: false,
                    ..narrow.clone()
                };
                wide.takes(&narrow, params, &mut bound.to_vec())
            });
        }
        let Some(narrow) = narrow.get(idx).filter(|narrow| !narrow.is_pack) else {
            return false;
        };
        if !wide.takes(narrow, params, bound) {
            return false;
        }
    }
    wide.len() == narrow.len()
}

/// A parameter type as written, without the reference.
#[derive(Clone, Debug, PartialEq)]
struct Spelling {
    base: String,
    is_const: bool,
    /// Whether it is a pack expansion.
    is_pack: bool,
    /// Whether each step is a pointer (true) or an array (false).
    steps: Vec<bool>,
    /// The template arguments, for an instance of a class template.
    args: Vec<Self>,
}

impl Spelling {
    fn of(ty: &TypeName) -> Self {
        let base = match &ty.base {
            BaseType::Named(ident) => ident.name.to_string(),
            BaseType::Known(ty) => format!("{ty:?}"),
            BaseType::Instance {
                name, member: None, ..
            } => format!("{}<>", name.name),
            _ => String::new(),
        };
        let args = match &ty.base {
            BaseType::Instance { args, .. } => patterns(args),
            _ => Vec::new(),
        };
        let steps = ty.derived.iter().filter_map(|step| match step {
            Derived::Pointer { .. } => Some(true),
            Derived::Array(_) => Some(false),
            Derived::Reference | Derived::RvalueReference | Derived::Function(_) => None,
        });
        Self {
            base,
            is_const: ty.is_const,
            is_pack: false,
            steps: steps.collect(),
            args,
        }
    }

    /// Whether one written type matches everything that another written type matches; `bound` holds the values of the
    /// template parameters.
    fn takes(&self, narrow: &Self, params: &[TemplateParam], bound: &mut [Option<Self>]) -> bool {
        let Some(steps) = narrow.steps.strip_suffix(self.steps.as_slice()) else {
            return false;
        };
        // An array of const elements is const.
        let is_same_level = steps.iter().all(|is_pointer| !is_pointer);
        if self.is_const && !(is_same_level && narrow.is_const) {
            return false;
        }
        let rest = Self {
            is_const: narrow.is_const && !self.is_const,
            steps: steps.to_vec(),
            ..narrow.clone()
        };
        if let Some(idx) = position(params, &self.base) {
            return *bound[idx].get_or_insert_with(|| rest.clone()) == rest;
        }
        rest.steps.is_empty()
            && rest.base == self.base
            && !rest.is_const
            && takes_all(&self.args, &rest.args, params, bound)
    }
}

/// Whether two types have the same spelling.
fn is_same_spelling(a: &TypeName, b: &TypeName) -> bool {
    let base = match (&a.base, &b.base) {
        (BaseType::Known(a), BaseType::Known(b)) => a == b,
        (BaseType::Named(a), BaseType::Named(b)) => a.name == b.name,
        _ => false,
    };
    base && a.is_const == b.is_const
        && a.derived.len() == b.derived.len()
        && (a.derived.iter().zip(&b.derived))
            .all(|(a, b)| std::mem::discriminant(a) == std::mem::discriminant(b))
}

/// The types that the type parameters of a guessed instance take in turn, and the value of integer parameters.
type Guess = (Vec<Type>, i128);

/// Maximum number of instances that are tried for a kernel template without instances.
const MAX_GUESSES: usize = 96;

/// A type, whether it is const, and its reference kind.
type Qualified = (Type, bool, Reference);

/// A class template or an alias template.
pub(super) struct TypeTemplate {
    what: TypeTemplateKind,
    /// The namespace, as `a::b::`.
    namespace: Name,
    /// The enclosing struct.
    class: Option<StructId>,
    /// The arguments of the enclosing templates.
    bindings: Bindings,
    /// Its specializations.
    specializations: Vec<Arc<ast::ClassTemplate>>,
    /// Member functions that are defined outside the class.
    definitions: Vec<Arc<Template>>,
    /// The instances; `None` if the struct has an error. Includes whether the type is const, and its reference kind.
    instances: Vec<(Vec<TemplateValue>, Option<Qualified>)>,
}

#[derive(Clone)]
enum TypeTemplateKind {
    Struct(Arc<ast::ClassTemplate>),
    Alias(Arc<ast::AliasTemplate>),
}

impl TypeTemplate {
    /// The unqualified name.
    fn name(&self) -> &str {
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
    pub(super) fn declare_class_template(&mut self, template: &Arc<ast::ClassTemplate>) -> Checks<()> {
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

    pub(super) fn declare_variable_template(&mut self, template: &Arc<ast::VariableTemplate>) {
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
    pub(super) fn variable_instance(
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
            Some(Symbol::Constant(value, ty)) => Ok(Operand::Value(super::constant(value, ty, span))),
            Some(symbol) => self.variable(&symbol, span).map(Operand::Place).ok_or(Reported),
            None => Err(Reported),
        }
    }

    pub(super) fn declare_alias_template(&mut self, template: &Arc<ast::AliasTemplate>) {
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
            instances: Vec::new(),
        });
    }

    pub(super) fn type_template(&self, name: &str) -> Option<usize> {
        if let Some(Symbol::Template(idx)) = self.body.bindings.get(name) {
            return Some(*idx);
        }
        self.meanings(name)
            .iter()
            .find_map(|name| self.type_templates_by_name.get(name))
            .copied()
    }

    /// A member type of a struct, or an instance of a member template; with whether it is const.
    pub(super) fn nested_type(
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
    pub(super) fn type_instance(&mut self, name: &ast::Ident, args: &[TemplateArg]) -> Checks<Qualified> {
        let Some(idx) = self.type_template(&name.name) else {
            if matches!(self.lookup(&name.name), Some(Symbol::Poison)) {
                return Err(self.poisoned_name(&name.name));
            }
            return self.error(name.span, format!("There is no class template `{}`.", name.name));
        };
        let what = self.type_templates[idx].what.clone();
        let values = self.explicit_values(what.params(), false, args)?;
        let Some(values) = values.and_then(|values| self.completed(what.params(), values)) else {
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
        if self.num_open >= MAX_OPEN {
            let message = format!(
                "More than {MAX_OPEN} template instances are incomplete: excessive recursion at instantiation of `{}`.",
                name.name
            );
            return self.error(name.span, message);
        }
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

/// Arguments of a specialization as written.
fn patterns(args: &[TemplateArg]) -> Vec<Spelling> {
    args.iter().map(pattern).collect()
}

fn pattern(arg: &TemplateArg) -> Spelling {
    match arg {
        TemplateArg::Type(ty) => Spelling::of(ty),
        TemplateArg::Value(value) => Spelling {
            base: match &value.kind {
                ast::ExprKind::Name(name) => name.to_string(),
                _ => String::new(),
            },
            is_const: false,
            is_pack: false,
            steps: Vec::new(),
            args: Vec::new(),
        },
        TemplateArg::Expansion(inner) => Spelling {
            is_pack: true,
            ..pattern(inner)
        },
    }
}
