//! Structs with member functions: declaration, calls, and construction. The first argument of a member function is
//! the address of its object.

mod arrays;
mod bases;
mod constructors;
mod conversions;
pub(super) mod declare;
mod layout;
mod methods;

use std::sync::Arc;

use super::bit_fields::BitField;
use super::calls::Arg;
use super::items::own_name;
use super::names::{Symbol, deref, load};
use super::ops::{assign, comma, operand_type};
use super::templates::{Bindings, TemplateValue};
use super::types::{MAX_BYTES, Reference, Resolved};
use super::{Checker, Checks, Lvalue, Operand, Reported, constant, int, nearest};
use crate::ast::{self, CONSTRUCTOR, CONVERSION, Declaration, Ident, Member, Name, StructDef, TemplateArg};
use crate::hir::{Expr, Field, FuncId, LocalId, Place, Pointer, Stmt, StmtKind, StructId, Type};
use crate::limits::Limit;
use engine::ids::Span;

/// The class information of a struct, beyond its fields.
pub(super) struct Class {
    /// The template, by its unqualified name, and the template arguments.
    instance: Option<(String, Vec<TemplateValue>)>,
    /// The prefix of the names of its members: `a::Name::`.
    scope: Name,
    /// The bases with their offsets.
    bases: Vec<(StructId, u32)>,
    /// Members of a union. The fields of the struct are words that cover the union, for its value as a whole.
    members: Vec<Field>,
    /// Names of its own fields that are references. They are stored as pointers and dereferenced at each use.
    references: Vec<String>,
    /// Names of the conversion functions.
    conversions: Vec<Name>,
    /// Initializers of its own fields.
    inits: Vec<(String, ast::Expr)>,
    has_constructor: bool,
    /// Whether it has a copy or move constructor that does more than copy each member.
    pub(super) has_copies: bool,
    /// Whether it has a non-trivial destructor.
    pub(super) has_destructor: bool,
    /// Its own bit-fields, which are stored in word fields of the struct.
    pub(super) bit_fields: Vec<BitField>,
    /// The last bit-fields that have no storage words yet.
    pub(super) bit_run: Option<super::bit_fields::Run>,
    /// Whether it has virtual functions.
    pub(super) is_polymorphic: bool,
    /// Whether it is the closure type of a lambda.
    is_closure: bool,
    /// Base functions that `using` adds to its own functions.
    used: Vec<Name>,
    /// The arguments of the enclosing templates.
    bindings: Bindings,
}

impl Class {
    /// A class whose members are not known yet.
    fn new(scope: Name, bindings: Bindings) -> Self {
        Self {
            instance: None,
            scope,
            bases: Vec::new(),
            members: Vec::new(),
            references: Vec::new(),
            conversions: Vec::new(),
            inits: Vec::new(),
            has_constructor: false,
            has_copies: false,
            has_destructor: false,
            bit_fields: Vec::new(),
            bit_run: None,
            is_polymorphic: false,
            is_closure: false,
            used: Vec::new(),
            bindings,
        }
    }

    pub(super) fn bases(&self) -> impl Iterator<Item = StructId> {
        self.bases.iter().map(|(id, _)| *id)
    }

    /// Number of members of a type such as `std::tuple`, whose members `get` returns.
    fn tuple_size(&self) -> Option<usize> {
        let (name, values) = self.instance.as_ref()?;
        let is_tuple = name == "tuple" && self.scope.contains("::tuple<");
        is_tuple.then_some(values.len())
    }

    pub(super) fn instance(&self) -> Option<(&str, &[TemplateValue])> {
        let (name, values) = self.instance.as_ref()?;
        Some((name, values))
    }
}

impl Checker {
    pub(super) fn define_struct(&mut self, def: &StructDef) -> Checks<Type> {
        let declared = def.name.as_ref().and_then(|name| self.declared_struct(name));
        let id = declared.unwrap_or(StructId(self.structs.len() as u32));
        let name = def
            .name
            .as_ref()
            .map_or_else(String::new, |name| self.whole(&name.name).to_string());
        // Structs of functions can have the same name.
        let scope = if self.body.scopes.is_empty() && !name.is_empty() {
            format!("{name}::")
        } else {
            format!("{name}#{}::", id.0)
        };
        // The name is declared inside the struct for pointers to itself; the type is still incomplete.
        if declared.is_none() {
            self.structs.push(crate::hir::Struct {
                name,
                fields: Vec::new(),
                size: 0,
                align: 1,
                is_function: false,
            });
        }
        if def.unsupported {
            if let Some(name) = &def.name {
                self.defer(name, def.deferred.clone());
            }
            return Err(self.poisoned());
        }
        if let Some(name) = &def.name {
            let symbol = Symbol::Type {
                ty: Type::Struct(id),
                is_const: false,
                reference: Reference::None,
            };
            self.declare(name, symbol);
        }
        let num_diagnostics = self.diagnostics.len();
        let result = self.define_members(def, id, scope.into(), None);
        if let (Err(_), Some(name)) = (&result, &def.name) {
            // Errors inside the struct are not repeated at each use.
            self.declare(name, Symbol::Poison);
            if def.is_of_host && self.body.scopes.is_empty() {
                let deferred = self.diagnostics.split_off(num_diagnostics);
                self.defer(name, deferred);
            }
        }
        result.map(|()| Type::Struct(id))
    }

    /// `struct Name;`: pointers to the type are allowed from here on.
    pub(super) fn forward_struct(&mut self, name: &Ident) -> Type {
        let id = StructId(self.structs.len() as u32);
        self.structs.push(crate::hir::Struct {
            name: self.whole(&name.name).to_string(),
            fields: Vec::new(),
            size: 0,
            align: 1,
            is_function: false,
        });
        let ty = Type::Struct(id);
        let symbol = Symbol::Type {
            ty: ty.clone(),
            is_const: false,
            reference: Reference::None,
        };
        self.declare(name, symbol);
        ty
    }

    /// The forward-declared struct with this name in the current scope.
    fn declared_struct(&self, name: &Ident) -> Option<StructId> {
        let whole = self.whole(&name.name);
        let scope = self.body.scopes.last().unwrap_or(&self.scope);
        match scope.get(&whole) {
            Some(Symbol::Type {
                ty: Type::Struct(id), ..
            }) if self.structs[id.0 as usize].size == 0 && !self.classes.contains_key(&id.0) => Some(*id),
            _ => None,
        }
    }

    /// An instance of a class template. `known` registers the instance before its members are checked.
    pub(super) fn define_struct_named(
        &mut self,
        def: &StructDef,
        name: String,
        instance: Option<(String, Vec<TemplateValue>)>,
        known: impl FnOnce(&mut Self, Type),
    ) -> Checks<Type> {
        if def.unsupported {
            self.diagnostics.extend(def.deferred.iter().cloned());
            return Err(self.poisoned());
        }
        let id = StructId(self.structs.len() as u32);
        let scope = format!("{name}::");
        self.structs.push(crate::hir::Struct {
            name,
            fields: Vec::new(),
            size: 0,
            align: 1,
            is_function: false,
        });
        known(self, Type::Struct(id));
        if let Some(name) = &def.name {
            // Inside the struct, the template's name alone denotes this instance.
            let symbol = Symbol::Type {
                ty: Type::Struct(id),
                is_const: false,
                reference: Reference::None,
            };
            self.body.bindings.insert(name.name.clone(), symbol);
        }
        self.define_members(def, id, scope.into(), instance)?;
        Ok(Type::Struct(id))
    }

    fn define_members(
        &mut self,
        def: &StructDef,
        id: StructId,
        scope: Name,
        instance: Option<(String, Vec<TemplateValue>)>,
    ) -> Checks<()> {
        let expanded = self.expanded_struct(def)?;
        let def = expanded.as_ref().unwrap_or(def);
        if !def.private.is_empty() {
            self.private_members.insert(id.0, def.private.clone());
        }
        let mut bases = Vec::new();
        for base in &def.bases {
            let ast::TemplateArg::Type(base) = base else {
                return self.error(base.span(), "A base must be a struct or class.");
            };
            let resolved = self.resolve(base, None)?.ty;
            let found = match &resolved {
                Type::Struct(found) => *found,
                Type::Vector(_) => self.vector_base(&resolved),
                _ => return self.error(base.span, "A base must be a struct or class."),
            };
            if !self.is_complete(&resolved) {
                let text = self.text(&resolved);
                let message = format!(
                    "`{text}` is an incomplete type here; define it before the structs that inherit from it."
                );
                return self.error(base.span, message);
            }
            if bases.iter().any(|(known, _)| *known == found) {
                let text = self.text(&resolved);
                return self.error(
                    base.span,
                    format!("`{text}` is listed as a base twice; remove one of the two."),
                );
            }
            bases.push((found, 0));
            if bases.len() as u64 > Limit::Bases.most() {
                return self.stop(Limit::Bases.exceeded(base.span));
            }
        }
        let mut bindings = self.names_around();
        bindings.extend(self.constants_around(|_| true));
        let has_virtual_base = bases.iter().any(|(base, _)| self.is_polymorphic(*base));
        let class = Class {
            instance,
            bases,
            is_polymorphic: def.is_polymorphic || has_virtual_base,
            used: def.used.clone(),
            ..Class::new(scope.clone(), bindings.clone())
        };
        self.classes.insert(id.0, class);
        let namespace = std::mem::replace(&mut self.namespace, scope);
        let enclosing = self.class.replace(id);
        let outer = namespace.clone();
        let result = self.with_bindings(bindings, |this| {
            this.layout(def, id)?;
            this.declare_members(def, id, &outer);
            Ok(())
        });
        self.namespace = namespace;
        self.class = enclosing;
        result
    }

    /// Types and constants of the enclosing function, which are visible in its local structs.
    fn names_around(&self) -> Bindings {
        let mut bindings = self.body.bindings.clone();
        for enclosing in &self.body.scopes {
            let seen = enclosing.iter().filter(|(_, symbol)| {
                matches!(
                    symbol,
                    Symbol::Type { .. } | Symbol::Enum(..) | Symbol::Constant(..) | Symbol::Poison
                )
            });
            bindings.extend(seen.map(|(name, symbol)| (name.clone(), symbol.clone())));
        }
        bindings
    }

    /// Constants of the enclosing function that a lambda or a local struct reads without a capture.
    fn constants_around(&self, is_read: impl Fn(&Name) -> bool) -> Bindings {
        let mut bindings = Bindings::new();
        for (name, symbol) in self
            .body
            .scopes
            .iter()
            .flatten()
            .filter(|(name, _)| is_read(name))
        {
            bindings.remove(name);
            if let Symbol::Local {
                id,
                is_ref: false,
                is_const: true,
                constant: Some(value),
                ..
            } = symbol
            {
                let ty = self.body.locals[id.0 as usize].ty.clone();
                bindings.insert(name.clone(), Symbol::Constant(*value, ty));
            }
        }
        bindings
    }

    /// The `operator()` of a lambda, whose captures are the fields of a struct.
    pub(super) fn define_closure(
        &mut self,
        lambda: &ast::Lambda,
        id: StructId,
        name: &str,
        references: Vec<String>,
    ) -> Checks<()> {
        let scope: Name = format!("{}{name}::", self.namespace).into();
        let mut bindings = self.names_around();
        if lambda.others == ast::Captures::None {
            let captures = |name: &Name| lambda.captures.iter().any(|capture| capture.name.name == *name);
            bindings.extend(self.constants_around(|name| lambda.names.contains(name) && !captures(name)));
        }
        let class = Class {
            references,
            is_closure: true,
            ..Class::new(scope.clone(), bindings.clone())
        };
        self.classes.insert(id.0, class);
        let namespace = std::mem::replace(&mut self.namespace, scope);
        let enclosing = self.class.replace(id);
        let result = self.with_bindings(bindings, |this| {
            if lambda.params.is_empty() {
                return this.declare_function(&lambda.function, false).map(|_| ());
            }
            let template = ast::Template {
                params: lambda.params.clone(),
                function: lambda.function.clone(),
            };
            this.declare_template(&Arc::new(template))
        });
        self.namespace = namespace;
        self.class = enclosing;
        result
    }

    /// Whether a struct is the closure type of a lambda.
    pub(super) fn is_closure(&self, id: StructId) -> bool {
        self.classes.get(&id.0).is_some_and(|class| class.is_closure)
    }

    /// Reports access to a private member from outside its struct.
    pub(super) fn check_access(&mut self, ty: &Type, member: &Ident) -> Checks<()> {
        let Type::Struct(id) = *ty else { return Ok(()) };
        let is_private = |id: &StructId| {
            let private = self.private_members.get(&id.0);
            private.is_some_and(|names| names.contains(&member.name))
        };
        let Some(owner) = self.self_and_bases(id).into_iter().find(is_private) else {
            return Ok(());
        };
        let name_of = |id: StructId| self.structs[id.0 as usize].name.as_str();
        let owner_name = name_of(owner);
        // A nested struct, and a lambda in a member function, can access private members.
        let is_inside = self.class.is_some_and(|class| {
            self.self_and_bases(class).contains(&owner)
                || name_of(class).starts_with(&format!("{owner_name}::"))
                || owner_name.starts_with(&format!("{}::", name_of(class)))
                || name_of(class).split('<').next() == owner_name.split('<').next()
        });
        if is_inside || self.body.closure.is_some() || self.body.in_prelude || self.body.first_call.is_some()
        {
            return Ok(());
        }
        let message = format!(
            "`{}` is a private member of `{owner_name}`; use a public member, or declare it after `public:`.",
            member.name
        );
        self.error(member.span, message)
    }

    /// Whether a type is complete. A struct is complete after its closing brace.
    pub(super) fn is_complete(&self, ty: &Type) -> bool {
        match ty {
            Type::Array(elem, _) => self.is_complete(elem),
            Type::Struct(id) => self.structs[id.0 as usize].size > 0,
            _ => true,
        }
    }

    /// The qualified name of a member.
    pub(super) fn member_name(&self, id: StructId, name: &str) -> Option<Name> {
        let class = self.classes.get(&id.0)?;
        Some(format!("{}{name}", class.scope).into())
    }

    /// Runs `body` in the scope of a struct.
    pub(super) fn in_class<T>(&mut self, id: StructId, body: impl FnOnce(&mut Self) -> T) -> T {
        let (namespace, bindings) = match self.classes.get(&id.0) {
            Some(class) => (class.scope.clone(), class.bindings.clone()),
            None => return body(self),
        };
        let namespace = std::mem::replace(&mut self.namespace, namespace);
        let enclosing = self.class.replace(id);
        let result = self.with_bindings(bindings, body);
        self.namespace = namespace;
        self.class = enclosing;
        result
    }

    /// The struct in the qualified name of a function: `Name::function`.
    pub(super) fn struct_before(&self, name: &str) -> Option<StructId> {
        let (left, _) = name.rsplit_once("::")?;
        match self.lookup(left) {
            Some(Symbol::Type {
                ty: Type::Struct(id), ..
            }) => Some(*id),
            _ => None,
        }
    }

    /// The type of `this`.
    pub(super) fn this_type(id: StructId, is_const: bool) -> Type {
        Type::Pointer(Box::new(Pointer {
            pointee: Type::Struct(id),
            is_const,
            is_volatile: false,
            restrict: false,
        }))
    }

    /// The address of the object on which a member function is called.
    pub(super) fn this(&mut self, span: Span) -> Option<Expr> {
        self.body.this?;
        if let Some(id) = self.body.closure {
            return self.captured_this(id, span);
        }
        Some(load(self.local_place(LocalId(0), span)))
    }

    /// A field of `*this`, by its name.
    pub(super) fn own_field(&mut self, name: &str, span: Span) -> Option<Operand> {
        if let Some(variable) = self.captured_variable(name, span) {
            return Some(variable);
        }
        let id = self.body.this?;
        // `Base::field`.
        let (owner, name) = match name.rsplit_once("::") {
            Some((base, field)) => {
                let vector = || self.known_vector_base(&crate::types::builtin_type(base)?);
                (self.struct_before(name).or_else(vector)?, field)
            }
            None => (id, name),
        };
        let is_field = self.has_field(&Type::Struct(owner), name);
        if !is_field || !self.self_and_bases(id).contains(&owner) {
            return None;
        }
        let this = self.this(span)?;
        let this = self.derived_to_base_address(this, &Type::Struct(id), &Type::Struct(owner));
        let object = self.dereferenced(this, span).ok()?;
        self.field(Operand::Place(object), name, span)
    }

    /// Whether a using-declaration in a struct adds the base functions with this name.
    pub(super) fn uses(&self, id: StructId, name: &str) -> bool {
        let class = self.classes.get(&id.0);
        class.is_some_and(|class| class.used.iter().any(|used| **used == *name))
    }

    /// Number of members of a tuple that `get` returns.
    pub(super) fn tuple_size(&self, id: StructId) -> Option<usize> {
        let num = self.classes.get(&id.0)?.tuple_size()?;
        let (_, values) = self.classes.get(&id.0)?.instance()?;
        // The library's tuples have a placeholder type for absent members.
        let is_absent = |value: &TemplateValue| {
            matches!(value, TemplateValue::Type { ty: Type::Struct(id), .. }
                if self.structs[id.0 as usize].name.ends_with("::__none"))
        };
        Some(num - values.iter().filter(|value| is_absent(value)).count())
    }

    /// Whether any struct has member functions.
    pub(super) fn has_operators(&self) -> bool {
        !self.classes.is_empty()
    }
}
