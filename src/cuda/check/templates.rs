//! Function templates: argument deduction, and instantiation. An instance is a function whose names are looked up
//! first among the template parameters.

mod candidates;
mod class_deduction;
mod class_templates;
mod deduction;
mod guesses;
mod instances;
mod partial_order;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::calls::{Arg, MAX_OPEN};
use super::classes::Class;
use super::items::own_name;
use super::names::Symbol;
use super::packs::{element_name, packs_of_arg, packs_of_type};
use super::types::{Qualified, Reference};
use super::{Body, Checker, Checks, Operand, Progress, Reported, constant};
use crate::ast::{
    self, BaseType, Derived, Name, Template, TemplateArg, TemplateParam, TemplateParamKind, TypeName,
};
use crate::diagnostic::{Cause, Diagnostic, Severity};
use crate::hir::{Const, FuncId, FunctionKind, GlobalId, StructId, Type};
use engine::ids::Span;

pub(super) use class_templates::TypeTemplate;
use deduction::{ArgumentType, Deduction, argument_type, member_of};
use partial_order::{is_more_specialized, is_same_spelling, patterns, takes_all};

/// Maximum number of instances in a source. Only infinite recursion exceeds it.
const MAX_INSTANCES: usize = 2000;

/// The value of a template parameter in an instance.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum TemplateValue {
    Type {
        ty: Type,
        is_const: bool,
        reference: Reference,
    },
    Value(Const, Type),
    /// The address of a variable at file scope, as this pointer type; a reference to the variable without a type.
    Address(GlobalId, Option<Type>),
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
    /// Whether the host launches it with arguments that are not known here.
    is_launched: bool,
    /// Whether an instance that the file names does not match, which is a reported error.
    is_refused: bool,
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
            is_launched: false,
            is_refused: false,
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

    /// Runs `body` with names that have priority in lookup.
    pub(super) fn with_bindings<T>(&mut self, bindings: Bindings, body: impl FnOnce(&mut Self) -> T) -> T {
        let scopes = std::mem::take(&mut self.body.scopes);
        let bindings = std::mem::replace(&mut self.body.bindings, bindings);
        let result = body(self);
        (self.body.scopes, self.body.bindings) = (scopes, bindings);
        result
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
        TemplateValue::Address(id, Some(ty)) => Symbol::Address(id, ty),
        TemplateValue::Address(id, None) => Symbol::Global { id, is_const: false },
        TemplateValue::Template(idx) => Symbol::Template(idx),
        TemplateValue::Pack(elements) => Symbol::Pack(elements.len()),
    }
}
