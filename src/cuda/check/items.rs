//! Items at file scope. Signatures are checked before bodies, so that functions can call later functions.

mod bodies;
mod signatures;
mod variables;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::images::ReferenceInfo;
use super::lifetimes::returned_name;
use super::names::deref;
use super::ops::is_arithmetic;
use super::stmts::falls_through;
use super::types::Resolved;
use super::{Body, Checker, Checks, Entry, ParamInfo, Progress, Reported, Symbol, fold};
use crate::ast::{self, Declaration, Declarator, Initializer, Item, Name};
use crate::diagnostic::Diagnostic;
use crate::hir::{
    FuncId, Function, FunctionKind, Global, GlobalId, GlobalSpace, Init, Inlining, LaunchBounds, Local,
    LocalId, Stmt, Storage, Type,
};
use crate::limits::Limit;
use engine::ids::Span;

pub(super) use signatures::uses_double;

impl Checker {
    pub(super) fn items(&mut self, items: &[Item]) {
        self.declare_items(items);
        self.name_instances(items);
        self.check_bodies();
        self.guess_instances();
        self.check_bodies();
        self.check_calls_through_pointers();
        self.check_virtual_calls();
        self.check_recursion();
    }

    /// Declares an item with an error, which is reported where a kernel uses the item.
    pub(super) fn defer(&mut self, name: &ast::Ident, deferred: Vec<Diagnostic>) {
        let whole = self.whole(&name.name);
        if self.lookup(&whole).is_none() {
            self.declare(name, Symbol::Poison);
        }
        if !deferred.is_empty() {
            self.deferred.insert(whole, deferred);
        }
    }

    /// A use of an item with an error.
    pub(super) fn poisoned_name(&mut self, name: &str) -> Reported {
        for whole in self.meanings(name) {
            // The errors stay: the first use can itself be an item whose errors are deferred.
            for diagnostic in self.deferred.get(&whole).cloned().unwrap_or_default() {
                if !self.diagnostics.contains(&diagnostic) {
                    self.diagnostics.push(diagnostic);
                }
            }
        }
        self.poisoned()
    }

    fn name_instances(&mut self, items: &[Item]) {
        for item in items {
            if self.is_stopped() {
                return;
            }
            self.body.broken = false;
            match item {
                Item::Instance(instance) => {
                    let _ = self.named_instance(instance);
                }
                Item::Namespace(name, inner) => {
                    self.in_namespace(name, |this| this.name_instances(inner));
                }
                _ => {}
            }
        }
    }

    fn in_namespace(&mut self, name: &str, body: impl FnOnce(&mut Self)) {
        let inner = format!("{}{name}::", self.namespace).into();
        let outer = std::mem::replace(&mut self.namespace, inner);
        body(self);
        self.namespace = outer;
    }

    /// `using namespace name;`.
    pub(super) fn use_namespace(&mut self, name: &Name) {
        if !self.usings.contains(name) {
            self.usings.push(name.clone());
        }
        if self.usings.len() as u64 > Limit::Usings.most() {
            let _ = self.stop::<()>(Limit::Usings.exceeded(Span::default()));
        }
    }

    /// `using name::of;`.
    pub(super) fn use_name(&mut self, path: &Name) {
        if let Some((_, last)) = path.rsplit_once("::") {
            let short = self.whole(&last.into());
            for name in self.meanings(path) {
                if self.scope.contains_key(&name)
                    || self.by_name.contains_key(&name)
                    || self.templates_by_name.contains_key(&name)
                    || self.type_templates_by_name.contains_key(&name)
                {
                    self.aliases.insert(short, name);
                    return;
                }
            }
        }
    }

    pub(super) fn declare_items(&mut self, items: &[Item]) {
        for item in items {
            if self.is_stopped() {
                return;
            }
            // An error at file scope does not affect a function by itself.
            self.body.broken = false;
            match item {
                Item::Function(function) if !function.owner_args.is_empty() => {
                    let _ = self.define_member_of_specialization(function);
                }
                Item::Function(function) => {
                    let _ = match self.struct_before(&function.name.name) {
                        Some(id) => self.in_class(id, |this| this.define_member(function)),
                        None => self.declare_function(function, false).map(|_| ()),
                    };
                }
                Item::Template(template) => {
                    let _ = self.declare_template(template);
                }
                Item::ClassTemplate(template) => {
                    let _ = self.declare_class_template(template);
                }
                Item::Guide(guide) => self.declare_guide(guide),
                Item::VariableTemplate(template) => self.declare_variable_template(template),
                Item::AliasTemplate(template) => self.declare_alias_template(template),
                Item::Instance(_) => {}
                Item::Namespace(name, inner) => {
                    self.has_namespaces = true;
                    self.in_namespace(name, |this| this.declare_items(inner));
                }
                Item::NamespaceAlias(from, to) => {
                    self.aliases.insert(from.clone(), to.clone());
                }
                Item::UsingNamespace(name) => self.use_namespace(name),
                Item::UsingName(path) => self.use_name(&path.name),
                Item::UsingEnum(name) => self.use_enum(name),
                Item::Declaration(declaration) => self.file_declaration(declaration),
                Item::StaticAssert(assertion) => {
                    self.static_assert(assertion);
                    self.is_torn |= self.body.broken;
                }
                Item::Host(name) => {
                    if self.lookup(&name.name).is_none() {
                        self.declare(name, Symbol::Host(name.span));
                    }
                }
                Item::Unsupported(names, deferred) => {
                    for name in names {
                        // A missing overload or specialization would change which function a call selects.
                        let is_torn = deferred.is_empty()
                            && (self.has_function(&name.name) || self.is_template(&name.name));
                        self.is_torn |= is_torn;
                        self.defer(name, deferred.clone());
                    }
                }
            }
        }
    }
}

/// The unqualified name of a member that is defined outside its struct.
pub(super) fn own_name(name: &Name) -> Name {
    name.rsplit_once("::")
        .map_or_else(|| name.clone(), |(_, last)| last.into())
}

/// The value of a constant condition.
pub(super) fn constant_condition(cond: &crate::hir::Expr) -> Option<bool> {
    fold::as_const(cond).and_then(fold::truth)
}
