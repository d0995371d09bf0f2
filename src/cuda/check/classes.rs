//! Structs with member functions: declaration, calls, and construction. The first argument of a member function is
//! the address of its object.

use std::sync::Arc;

use super::calls::Arg;
use super::items::own_name;
use super::names::{Symbol, deref, load};
use super::ops::{assign, comma, operand_type};
use super::templates::{Bindings, TemplateValue};
use super::types::Reference;
use super::{Checker, Checks, Lvalue, Operand, Reported, int};
use crate::ast::{self, CONSTRUCTOR, CONVERSION, Declaration, Ident, Member, Name, StructDef, TemplateArg};
use crate::hir::{Expr, Field, FuncId, LocalId, Place, Pointer, Stmt, StmtKind, StructId, Type};
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
    pub(super) bit_fields: Vec<super::bit_fields::BitField>,
    /// The last bit-fields that have no storage words yet.
    pub(super) bit_run: Option<super::bit_fields::Run>,
    /// Whether it is the closure type of a lambda.
    is_closure: bool,
    /// Base functions that `using` adds to its own functions.
    used: Vec<Name>,
    /// The arguments of the enclosing templates.
    bindings: Bindings,
}

/// Maximum number of steps of a path such as `A::B::C` that are tried as bases.
const MAX_STEPS: usize = 8;
/// Maximum size of a union member in bytes. The value of a union is copied word by word.
const MAX_UNION: u64 = 1 << 16;

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
            let Type::Struct(found) = resolved else {
                return self.error(base.span, "A base must be a struct or class.");
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
        }
        let bindings = self.names_around();
        let class = Class {
            instance,
            bases,
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

    /// The `operator()` of a lambda, whose captures are the fields of a struct.
    pub(super) fn define_closure(
        &mut self,
        lambda: &ast::Lambda,
        id: StructId,
        name: &str,
        references: Vec<String>,
    ) -> Checks<()> {
        let scope: Name = format!("{}{name}::", self.namespace).into();
        let bindings = self.names_around();
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

    /// Lays out the fields.
    fn layout(&mut self, def: &StructDef, id: StructId) -> Checks<()> {
        let (mut offset, mut align) = (0u64, 1u32);
        let mut fields: Vec<Field> = Vec::new();
        for (idx, base) in self.bases(id).into_iter().enumerate() {
            let base = &self.structs[base.0 as usize];
            if base.fields.is_empty() {
                continue;
            }
            align = align.max(base.align);
            offset = offset.next_multiple_of(u64::from(base.align));
            let start = offset as u32;
            fields.extend(base.fields.iter().map(|field| Field {
                offset: field.offset + start,
                ..field.clone()
            }));
            offset += u64::from(base.size);
            if let Some(class) = self.classes.get_mut(&id.0) {
                class.bases[idx].1 = start;
            }
        }
        for member in &def.members {
            match member {
                Member::Declaration(declaration) => {
                    self.fields_of(
                        declaration,
                        (id, def.is_union),
                        &mut fields,
                        &mut offset,
                        &mut align,
                    )?;
                }
                Member::StaticAssert(assertion) => self.static_assert(assertion),
                Member::Item(item) => self.declare_items(std::slice::from_ref(item)),
                _ => {}
            }
        }
        if let Some(wanted) = &def.align {
            align = align.max(self.alignment(wanted)?);
        }
        self.close_bit_fields(id, offset.next_multiple_of(u64::from(align)), &mut fields);
        if def.is_union {
            for field in &mut fields {
                field.offset = 0;
            }
            offset = fields
                .iter()
                .map(|field| self.size_of(&field.ty))
                .max()
                .unwrap_or(0);
        }
        let size = offset.max(1).next_multiple_of(u64::from(align)) as u32;
        if def.is_union {
            let words = self.words_of(size, align, &fields);
            if let Some(class) = self.classes.get_mut(&id.0) {
                class.members = std::mem::replace(&mut fields, words);
            }
        }
        let entry = &mut self.structs[id.0 as usize];
        (entry.fields, entry.size, entry.align) = (fields, size, align);
        Ok(())
    }

    /// Words that cover a union when its value is copied: as wide as most of its members are in registers, and
    /// grouped in vectors as far as its alignment allows.
    fn words_of(&self, size: u32, align: u32, members: &[Field]) -> Vec<Field> {
        let mut leaves = [false; 9];
        for member in members {
            self.leaf_sizes(&member.ty, &mut leaves);
        }
        let unit = [4, 8, 2, 1]
            .into_iter()
            .find(|bytes| leaves[*bytes as usize] && *bytes <= align)
            .unwrap_or(1);
        let unit = if size.is_multiple_of(unit) { unit } else { 1 };
        let word = match unit {
            8 => Type::U64,
            4 => Type::U32,
            2 => Type::U16,
            _ => Type::U8,
        };
        let lanes = (align.min(16) / unit).clamp(1, 4);
        let (name, bytes) = match (unit, lanes) {
            (8, 2) => ("ulonglong2", 16),
            (4, 2) => ("uint2", 8),
            (4, 4) => ("uint4", 16),
            (2, 2) => ("ushort2", 4),
            (2, 4) => ("ushort4", 8),
            (1, 2) => ("uchar2", 2),
            (1, 4) => ("uchar4", 4),
            _ => ("", unit),
        };
        let ty = match crate::types::builtin_type(name) {
            Some(vector) => vector,
            None => word,
        };
        (0..size / bytes)
            .map(|idx| Field {
                name: format!("bytes {} to {}", idx * bytes, (idx + 1) * bytes - 1),
                ty: ty.clone(),
                offset: idx * bytes,
            })
            .collect()
    }

    /// Collects the sizes of the scalars in a type, in bytes.
    fn leaf_sizes(&self, ty: &Type, out: &mut [bool; 9]) {
        match ty {
            Type::Array(elem, _) => self.leaf_sizes(elem, out),
            Type::Struct(_) | Type::Vector(_) => {
                for (_, field, _) in self.fields(ty) {
                    self.leaf_sizes(&field, out);
                }
            }
            scalar => out[(self.size_of(scalar) as usize).min(8)] = true,
        }
    }

    /// The members of a union.
    pub(super) fn union_members(&self, ty: &Type) -> Option<&[Field]> {
        let Type::Struct(id) = ty else { return None };
        let members = &self.classes.get(&id.0)?.members;
        (!members.is_empty()).then_some(members)
    }

    /// Whether a field is a reference.
    pub(super) fn is_reference(&self, ty: &Type, field: &str) -> bool {
        let Type::Struct(id) = ty else { return false };
        self.self_and_bases(*id).into_iter().any(|owner| {
            let class = self.classes.get(&owner.0);
            class.is_some_and(|class| class.references.iter().any(|name| name == field))
        })
    }

    /// The same bytes as the type of a union member.
    pub(super) fn union_member_view(&mut self, whole: Operand, ty: &Type, span: Span) -> Option<Operand> {
        let lvalue = match whole {
            Operand::Value(value) => self.stored_in_temporary(value),
            other => match self.designated(other) {
                Operand::Place(lvalue) => lvalue,
                _ => return None,
            },
        };
        let is_const = lvalue.is_const;
        let mut address = self.address_of(lvalue, span);
        if let Type::Pointer(pointer) = &mut address.ty {
            pointer.pointee = ty.clone();
        }
        let mut place = deref(address, false);
        place.span = span;
        Some(Operand::Place(Lvalue {
            place,
            is_const,
            constant: None,
            expires: false,
        }))
    }

    /// A member of a union, a reference, or a member of an unnamed member.
    pub(super) fn special_field(&mut self, whole: &Operand, name: &str, span: Span) -> Option<Operand> {
        if let Some(bits) = self.bits_of(whole, name, span) {
            return Some(bits);
        }
        let ty = operand_type(whole).clone();
        if let Some(members) = self.union_members(&ty) {
            let direct = members.iter().find(|member| member.name == name).cloned();
            let unnamed: Vec<Type> = members
                .iter()
                .filter(|member| member.name.is_empty())
                .map(|member| member.ty.clone())
                .collect();
            if let Some(member) = direct {
                return self.union_member_view(whole.clone(), &member.ty, span);
            }
            let inner = unnamed.into_iter().find(|ty| self.has_field(ty, name))?;
            let inner = self.union_member_view(whole.clone(), &inner, span)?;
            return self.field(inner, name, span);
        }
        let fields = self.fields(&ty);
        let named = |own: &str| fields.iter().rposition(|(field, ..)| field == own);
        if named(name).is_some() {
            return None;
        }
        let at = fields
            .iter()
            .rposition(|(own, ty, _)| own.is_empty() && self.has_field(ty, name))?;
        let inner = self.field_at(whole.clone(), at, span)?;
        self.field(inner, name, span)
    }

    /// Whether a type has a field with this name, including fields of unnamed members.
    pub(super) fn has_field(&self, ty: &Type, name: &str) -> bool {
        if self.is_bit_field(ty, name) {
            return true;
        }
        let fields: Vec<(String, Type)> = match self.union_members(ty) {
            Some(members) => members
                .iter()
                .map(|member| (member.name.clone(), member.ty.clone()))
                .collect(),
            None => self
                .fields(ty)
                .into_iter()
                .map(|(name, ty, _)| (name, ty))
                .collect(),
        };
        fields
            .iter()
            .any(|(own, ty)| own == name || (own.is_empty() && self.has_field(ty, name)))
    }

    /// The source-level names of a type's fields.
    pub(super) fn field_names(&self, ty: &Type) -> Vec<String> {
        let fields: Vec<(String, Type, u32)> = match self.union_members(ty) {
            Some(members) => members
                .iter()
                .map(|member| (member.name.clone(), member.ty.clone(), 0))
                .collect(),
            None => self.fields(ty),
        };
        let inner = |(name, field, offset): (String, Type, u32)| {
            if name.is_empty() {
                return self.field_names(&field);
            }
            self.bit_fields_in(ty, &name, offset)
                .unwrap_or_else(|| vec![name])
        };
        fields.into_iter().flat_map(inner).collect()
    }

    fn fields_of(
        &mut self,
        declaration: &Declaration,
        (id, def_is_union): (StructId, bool),
        fields: &mut Vec<Field>,
        offset: &mut u64,
        align: &mut u32,
    ) -> Checks<()> {
        if declaration.declarators.is_empty() {
            let num_diagnostics = self.diagnostics.len();
            let result = self.resolve(&declaration.ty, None);
            // An error in a host type is reported where a kernel uses the type.
            let is_deferred = self.diagnostics.len() == num_diagnostics;
            let ty = match result {
                Ok(ty) => ty.ty,
                Err(Reported) => return if is_deferred { Ok(()) } else { Err(Reported) },
            };
            let is_unnamed = matches!(&declaration.ty.base, ast::BaseType::Struct(def) if def.name.is_none());
            if is_unnamed {
                // The members of an unnamed struct are members of the enclosing struct.
                let field_align = self.align_of(&ty);
                *offset = offset.next_multiple_of(u64::from(field_align));
                self.close_bit_fields(id, *offset, fields);
                *align = (*align).max(field_align);
                fields.push(Field {
                    name: String::new(),
                    offset: *offset as u32,
                    ty: ty.clone(),
                });
                *offset += self.size_of(&ty);
            }
            return Ok(());
        }
        for declarator in &declaration.declarators {
            let name = &declarator.name;
            let mut resolved = self.resolve(&declarator.ty, None)?;
            if declaration.specifiers.is_typedef {
                let symbol = Symbol::Type {
                    reference: resolved.reference(),
                    ty: resolved.ty,
                    is_const: resolved.is_const,
                };
                self.declare(name, symbol);
                continue;
            }
            if declaration.specifiers.is_static {
                let full_name = self.whole(&name.name).to_string();
                let num_diagnostics = self.diagnostics.len();
                let known = resolved.is_const
                    && self
                        .constant_variable(declaration, declarator, resolved, full_name)
                        .is_ok();
                if !known {
                    self.diagnostics.truncate(num_diagnostics);
                    self.declare(name, Symbol::Host(name.span));
                }
                continue;
            }
            if declarator.bits.is_some() {
                if def_is_union {
                    self.bit_field_of_union(declarator, &resolved, fields, align)?;
                } else {
                    self.place_bit_field(id, declarator, &resolved, offset, align)?;
                }
                continue;
            }
            if let Some(init) = &declarator.init {
                let value = match init {
                    ast::Initializer::Value(value) => value.clone(),
                    ast::Initializer::Constructor(_) => {
                        return self.unsupported(name.span, "Initializers of members in parentheses");
                    }
                };
                if let Some(class) = self.classes.get_mut(&id.0) {
                    class.inits.push((name.name.to_string(), value));
                }
            }
            if resolved.is_ref {
                if let Some(class) = self.classes.get_mut(&id.0) {
                    class.references.push(name.name.to_string());
                }
                resolved.ty = Type::Pointer(Box::new(Pointer {
                    pointee: resolved.ty,
                    is_const: resolved.is_const,
                    is_volatile: resolved.is_volatile,
                    restrict: false,
                }));
                resolved.is_ref = false;
            }
            if !self.is_complete(&resolved.ty) {
                let text = self.text(&resolved.ty);
                let message = format!(
                    "`{text}` is an incomplete type here, so a member cannot have it; use a pointer."
                );
                return self.error(name.span, message);
            }
            let num_inherited = self.num_inherited(id);
            if fields[num_inherited.min(fields.len())..]
                .iter()
                .any(|field| *field.name == *name.name)
            {
                let message = format!(
                    "The member `{}` is declared twice; rename one of them.",
                    name.name
                );
                return self.error(name.span, message);
            }
            if resolved.is_ref || resolved.open_array || resolved.ty == Type::Void {
                let message = format!("The type of the member `{}` is not allowed.", name.name);
                return self.error(name.span, message);
            }
            let bytes = self.size_of(&resolved.ty);
            if def_is_union && bytes > MAX_UNION {
                let message = format!(
                    "`{}` has {bytes} bytes; members of unions are supported up to {MAX_UNION} bytes.",
                    name.name
                );
                return self.error(name.span, message);
            }
            let mut field_align = self.align_of(&resolved.ty);
            if let Some(wanted) = &declaration.specifiers.align {
                field_align = field_align.max(self.alignment(wanted)?);
            }
            *offset = offset.next_multiple_of(u64::from(field_align));
            self.close_bit_fields(id, *offset, fields);
            *align = (*align).max(field_align);
            fields.push(Field {
                name: name.name.to_string(),
                offset: *offset as u32,
                ty: resolved.ty.clone(),
            });
            *offset += self.size_of(&resolved.ty);
            if *offset > super::types::MAX_BYTES {
                return self.error(name.span, "This struct is larger than 2 GB.");
            }
        }
        Ok(())
    }

    /// A bit-field of a union is the only member of an unnamed struct.
    fn bit_field_of_union(
        &mut self,
        declarator: &ast::Declarator,
        resolved: &super::types::Resolved,
        fields: &mut Vec<Field>,
        align: &mut u32,
    ) -> Checks<()> {
        let id = StructId(self.structs.len() as u32);
        let scope: Name = format!("{}#{}::", self.namespace, id.0).into();
        self.structs.push(crate::hir::Struct {
            name: String::new(),
            fields: Vec::new(),
            size: 0,
            align: 1,
            is_function: false,
        });
        let class = Class::new(scope, self.body.bindings.clone());
        self.classes.insert(id.0, class);
        let (mut end, mut own_align) = (0, 1);
        self.place_bit_field(id, declarator, resolved, &mut end, &mut own_align)?;
        let size = end.max(1).next_multiple_of(u64::from(own_align));
        let mut words = Vec::new();
        self.close_bit_fields(id, size, &mut words);
        let entry = &mut self.structs[id.0 as usize];
        (entry.fields, entry.size, entry.align) = (words, size as u32, own_align);
        *align = (*align).max(own_align);
        if !declarator.name.name.is_empty() {
            fields.push(Field {
                name: String::new(),
                ty: Type::Struct(id),
                offset: 0,
            });
        }
        Ok(())
    }

    /// Declares the member functions, after all fields are known.
    fn declare_members(&mut self, def: &StructDef, id: StructId, enclosing: &Name) {
        for member in &def.members {
            match member {
                Member::Function(function) if function.is_defaulted => {}
                Member::Function(function) => {
                    if let Some(class) = self.classes.get_mut(&id.0) {
                        if is_copy_constructor(function, def) {
                            if !function.is_deleted && is_plain_copy(function, def) {
                                // Implicit copies are memberwise.
                                continue;
                            }
                            class.has_copies = true;
                            self.has_copies = true;
                        }
                        if &*function.name.name == ast::DESTRUCTOR {
                            class.has_destructor = true;
                            self.has_destructors = true;
                        }
                        class.has_constructor |= &*function.name.name == CONSTRUCTOR;
                        if function.name.name.starts_with(CONVERSION) {
                            class.conversions.push(function.name.name.clone());
                        }
                    }
                    let _ = self.declare_function(function, false);
                }
                Member::Template(template) => {
                    if &*template.function.name.name == CONSTRUCTOR
                        && let Some(class) = self.classes.get_mut(&id.0)
                    {
                        class.has_constructor = true;
                    }
                    let _ = self.declare_template(template);
                }
                Member::Friend(function) => {
                    let scope = std::mem::replace(&mut self.namespace, enclosing.clone());
                    let class = self.class.take();
                    if let Ok(friend) = self.declare_function(function, false) {
                        self.functions[friend.0 as usize].namespace = scope.clone();
                    }
                    self.class = class;
                    self.namespace = scope;
                }
                Member::Host(name) => {
                    if self.lookup(&name.name).is_none() {
                        self.declare(name, Symbol::Host(name.span));
                    }
                }
                Member::Declaration(_) | Member::StaticAssert(_) | Member::Item(_) => {}
            }
        }
        let defaulted = def.members.iter().find_map(|member| match member {
            Member::Function(function) if is_defaulted_constructor(function) => Some(function),
            _ => None,
        });
        if let Some(function) = defaulted
            && self.has_constructor(&Type::Struct(id))
        {
            let function = self.value_constructor(function, id);
            let _ = self.declare_function(&function, false);
        }
    }

    /// `Name() = default` as a constructor that zeroes the fields without an initializer, as `Name()` guarantees.
    fn value_constructor(&self, function: &ast::Function, id: StructId) -> Arc<ast::Function> {
        let span = function.name.span;
        let own = self.classes.get(&id.0);
        let skip = self.num_inherited(id);
        let fields = self.structs[id.0 as usize].fields.iter().skip(skip);
        let bare = fields.filter(|field| {
            let has_init = own.is_some_and(|class| class.inits.iter().any(|(name, _)| *name == field.name));
            !has_init && !self.has_default(&field.ty)
        });
        let inits = bare
            .map(|field| {
                let name = Ident {
                    name: field.name.as_str().into(),
                    span,
                };
                let kind = ast::ExprKind::List(Vec::new());
                (name, ast::Expr { kind, span })
            })
            .collect();
        Arc::new(ast::Function {
            inits,
            is_defaulted: false,
            body: Some(ast::Block {
                stmts: Vec::new(),
                end: span,
            }),
            ..function.clone()
        })
    }

    /// Checks a member function that is defined outside its struct, in the scope of the struct.
    pub(super) fn define_member(&mut self, function: &Arc<ast::Function>) -> Checks<()> {
        let own = own_name(&function.name.name);
        let is_declared = self.by_name.contains_key(&self.whole(&own));
        if !is_declared {
            let text = self
                .class
                .map_or_else(String::new, |id| self.text(&Type::Struct(id)));
            let what = if &*own == CONSTRUCTOR {
                "constructor".to_owned()
            } else {
                format!("function `{own}`")
            };
            self.missing_methods
                .insert(format!("{text}::{}", own_name(&function.name.name)));
            let message = format!("`{text}` declares no {what}; declare it in the struct.");
            return self.error(function.name.span, message);
        }
        self.declare_function(function, false).map(|_| ())
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

    /// The conversion function to a type, or to a type that converts implicitly to it, with the cost of the second
    /// conversion.
    pub(super) fn conversion_function(
        &self,
        id: StructId,
        to: &Type,
        takes_explicit: bool,
    ) -> Option<(Name, u32)> {
        let mut best: Option<(Name, u32)> = None;
        for (name, ret) in self.conversions(id, takes_explicit) {
            let cost = match (&ret, to) {
                (Type::Struct(_), _) | (_, Type::Struct(_)) => (ret == *to).then_some(0),
                _ => self.conversion_cost(&int(1, ret, Span::default()), to),
            };
            if let Some(cost) = cost
                && best.as_ref().is_none_or(|(_, least)| cost < *least)
            {
                best = Some((name, cost));
            }
        }
        best
    }

    /// The conversion functions of a struct and of its bases, with their return types.
    fn conversions(&self, id: StructId, takes_explicit: bool) -> Vec<(Name, Type)> {
        let mut out = Vec::new();
        for owner in self.self_and_bases(id) {
            let names = self
                .classes
                .get(&owner.0)
                .map_or(&[][..], |class| &class.conversions);
            for name in names {
                let whole = self.member_name(owner, name);
                let known = whole
                    .and_then(|whole| self.by_name.get(&whole))
                    .and_then(|ids| ids.first());
                if let Some(function) = known {
                    let entry = &self.functions[function.0 as usize];
                    if takes_explicit || !entry.ast.specifiers.is_explicit {
                        out.push((name.clone(), entry.ret.ty.clone()));
                    }
                }
            }
        }
        out
    }

    /// An object converted by one of its conversion functions.
    pub(super) fn converted_by_function(
        &mut self,
        value: Expr,
        to: &Type,
        takes_explicit: bool,
    ) -> Option<Checks<Expr>> {
        let Type::Struct(id) = value.ty else { return None };
        let (name, _) = self.conversion_function(id, to, takes_explicit)?;
        let span = value.span;
        let call = self.call_method(Operand::Value(value), id, &name, None, &[], span);
        Some(call.and_then(|call| self.rvalue(call)))
    }

    /// An operand of a built-in operator. An object with one conversion function to a number or pointer is converted.
    pub(super) fn scalar_operand(&mut self, operand: Operand) -> Checks<Operand> {
        let Type::Struct(id) = *operand_type(&operand) else {
            return Ok(operand);
        };
        let mut targets = self.conversions(id, false);
        targets.retain(|(_, ret)| !ret.is_aggregate());
        let [(name, _)] = targets.as_slice() else {
            return Ok(operand);
        };
        let span = match &operand {
            Operand::Place(lvalue) => lvalue.place.span,
            Operand::Value(value) | Operand::Computed { value, .. } => value.span,
            Operand::Bits(bits) => bits.span(),
        };
        let name = name.clone();
        self.call_method(operand, id, &name, None, &[], span)
    }

    /// Whether one struct inherits from another.
    pub(super) fn derives(&self, from: &Type, base: &Type) -> bool {
        match (from, base) {
            (Type::Struct(from), Type::Struct(base)) => {
                from != base && self.self_and_bases(*from).contains(base)
            }
            _ => false,
        }
    }

    /// A struct and its bases, the struct first.
    pub(super) fn self_and_bases(&self, id: StructId) -> Vec<StructId> {
        let mut out = vec![id];
        let mut next = 0;
        while let Some(id) = out.get(next).copied() {
            next += 1;
            for base in self.bases(id) {
                if !out.contains(&base) {
                    out.push(base);
                }
            }
        }
        out
    }

    /// The direct bases of a struct.
    pub(super) fn bases(&self, id: StructId) -> Vec<StructId> {
        let class = self.classes.get(&id.0);
        class.map_or_else(Vec::new, |class| class.bases().collect())
    }

    /// Number of inherited fields of a struct. They precede its own fields.
    fn num_inherited(&self, id: StructId) -> usize {
        let bases = self.bases(id).into_iter();
        bases.map(|base| self.structs[base.0 as usize].fields.len()).sum()
    }

    /// The offset of a base in a struct, in bytes.
    pub(super) fn base_offset(&self, from: StructId, base: StructId) -> Option<u32> {
        if from == base {
            return Some(0);
        }
        let bases = &self.classes.get(&from.0)?.bases;
        bases
            .iter()
            .find_map(|(id, offset)| Some(self.base_offset(*id, base)? + offset))
    }

    /// The address of the base subobject of the object at an address.
    pub(super) fn derived_to_base_address(&self, mut address: Expr, from: &Type, base: &Type) -> Expr {
        let offset = match (from, base) {
            (Type::Struct(from), Type::Struct(base)) => self.base_offset(*from, *base).unwrap_or(0),
            _ => 0,
        };
        self.offset_pointer(&mut address, base, i128::from(offset));
        address
    }

    /// The address of the object whose base subobject is at an address.
    pub(super) fn base_to_derived_address(&self, mut address: Expr, base: &Type, to: &Type) -> Expr {
        let offset = match (to, base) {
            (Type::Struct(to), Type::Struct(base)) => self.base_offset(*to, *base).unwrap_or(0),
            _ => 0,
        };
        self.offset_pointer(&mut address, to, -i128::from(offset));
        address
    }

    fn offset_pointer(&self, address: &mut Expr, to: &Type, bytes: i128) {
        let span = address.span;
        let mut ty = address.ty.clone();
        if let Type::Pointer(pointer) = &mut ty {
            pointer.pointee = to.clone();
        }
        if bytes == 0 {
            address.ty = ty;
            return;
        }
        let ptr = Box::new(address.clone());
        let index = Box::new(int(bytes, Type::I64, span));
        let kind = crate::hir::ExprKind::PtrAdd {
            ptr,
            index,
            elem_size: 1,
        };
        *address = Expr { kind, ty, span };
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

    /// The qualifier of a member of an object: the struct or one of its bases, as unqualified name, as qualified
    /// name, or as `Derived::Base`.
    pub(super) fn find_base(&self, from: StructId, path: &str) -> Option<StructId> {
        self.base_named(from, path).or_else(|| {
            let inner = |(at, _)| self.find_base(self.base_named(from, &path[..at])?, &path[at + 2..]);
            path.match_indices("::").take(MAX_STEPS).find_map(inner)
        })
    }

    fn base_named(&self, from: StructId, path: &str) -> Option<StructId> {
        let named = match self.lookup(path) {
            Some(Symbol::Type {
                ty: Type::Struct(id), ..
            }) => Some(*id),
            _ => None,
        };
        let mut lineage = self.self_and_bases(from).into_iter();
        lineage.find(|id| named == Some(*id) || self.is_named(*id, path))
    }

    /// Whether a member function is static. Only the declaration in the struct says so.
    pub(super) fn is_static_member(&self, function: &ast::Function) -> bool {
        let Some((_, own)) = function.name.name.rsplit_once("::") else {
            return function.specifiers.is_static;
        };
        let known = self.by_name.get(&self.whole(&own.into()));
        known.into_iter().flatten().any(|id| {
            let entry = &self.functions[id.0 as usize];
            !entry.has_this && entry.ast.params.len() == function.params.len()
        })
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
            Some((_, field)) => (self.struct_before(name)?, field),
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

    /// Whether a struct, or one of its bases, has member functions with this name.
    pub(super) fn has_method(&self, ty: &Type, name: &str) -> bool {
        let Type::Struct(id) = ty else { return false };
        self.self_and_bases(*id).into_iter().any(|id| {
            self.member_name(id, name).is_some_and(|name| {
                self.by_name.contains_key(&name) || self.templates_by_name.contains_key(&name)
            })
        })
    }

    /// `base.method(args)`.
    pub(super) fn method_call(
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
        self.call_method(object, id, &method.name, template_args, &args, span)
    }

    /// `name<args>::member`, and a call of it.
    pub(super) fn static_member(
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
                    return Ok(Operand::Value(super::constant(value, ty, span)));
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
            return Err(super::Reported);
        }
        let prefix = format!("{text}::");
        let known = self.by_name.keys().filter_map(|name| name.strip_prefix(&*prefix));
        let near = super::nearest(&method.name, known.filter(|name| !name.contains(':'))).map(str::to_owned);
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
    pub(super) fn arrow_target(&mut self, pointer: Operand, span: Span) -> Checks<Operand> {
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
    pub(super) fn call_method(
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
                    let owner = self.functions[function.0 as usize].class.unwrap_or(owner);
                    let this = self.derived_to_base_address(this, &Type::Struct(id), &Type::Struct(owner));
                    self.call_on(function, Some(this), args, span)
                }
                None => self.report_no_candidate(&candidates, args, span),
            };
        }
        Err(Reported)
    }

    /// Whether a using-declaration in a struct adds the base functions with this name.
    pub(super) fn uses(&self, id: StructId, name: &str) -> bool {
        let class = self.classes.get(&id.0);
        class.is_some_and(|class| class.used.iter().any(|used| **used == *name))
    }

    /// Whether a member function hides a base function with the same parameters.
    pub(super) fn has_same_parameters(&self, a: FuncId, b: FuncId) -> bool {
        let (a, b) = (&self.functions[a.0 as usize], &self.functions[b.0 as usize]);
        let mut pairs = a.params.iter().zip(&b.params);
        a.class != b.class
            && a.ast.is_const == b.ast.is_const
            && a.params.len() == b.params.len()
            && pairs.all(|(a, b)| (&a.ty, a.is_ref, a.is_const) == (&b.ty, b.is_ref, b.is_const))
    }

    /// An object that a constructor creates; `None` if the struct has no constructor.
    pub(super) fn constructor_call(
        &mut self,
        ty: &Type,
        args: &[Arg<'_>],
        span: Span,
    ) -> Option<Checks<Expr>> {
        let Type::Struct(id) = ty else { return None };
        if let [Arg::Operand(operand, only)] = args
            && only.ty == *ty
        {
            let (operand, only) = (operand.clone(), only.clone());
            return Some(self.copied(&operand, only));
        }
        if !self.classes.get(&id.0)?.has_constructor {
            return None;
        }
        let kept = self.temporary(ty.clone(), span);
        let place = self.local_place(kept, span);
        let object = Operand::Place(Lvalue {
            place: place.clone(),
            is_const: false,
            constant: None,
            expires: false,
        });
        let call = match self.call_method(object, *id, CONSTRUCTOR, None, args, span) {
            Ok(call) => call,
            Err(reported) => return Some(Err(reported)),
        };
        let call = match self.rvalue(call) {
            Ok(call) => call,
            Err(reported) => return Some(Err(reported)),
        };
        Some(Ok(comma(call, load(place), span)))
    }

    /// Whether a converting constructor creates an object from a value of another type.
    pub(super) fn converts_by_constructor(&self, value: &Expr, to: &Type) -> bool {
        let Type::Struct(id) = to else { return false };
        let Some(name) = self.member_name(*id, CONSTRUCTOR) else {
            return false;
        };
        if value.ty != *to && self.template_constructor_takes(&name, value) {
            return true;
        }
        // An implicit conversion uses at most one user-defined function: a conversion function or a constructor.
        let is_object = matches!(value.ty, Type::Struct(id) if !self.conversions(id, false).is_empty());
        let known = self.by_name.get(&name).into_iter().flatten();
        known.copied().any(|id| {
            let entry = &self.functions[id.0 as usize];
            let fits = !entry.ast.specifiers.is_explicit
                && entry.params.first().is_some_and(|first| {
                    let is_other = !is_object && !matches!(first.ty, Type::Struct(_)) || first.ty == value.ty;
                    is_other
                        && (!first.is_ref || first.is_const)
                        && self.conversion_cost(value, &first.ty).is_some()
                });
            fits && entry.defaults[1..].iter().all(Option::is_some)
        })
    }

    /// Whether a struct has an explicit constructor.
    pub(super) fn has_explicit_constructor(&self, ty: &Type) -> bool {
        let Type::Struct(id) = ty else { return false };
        let known = self
            .member_name(*id, CONSTRUCTOR)
            .and_then(|name| self.by_name.get(&name));
        let mut known = known.into_iter().flatten();
        known.any(|id| self.functions[id.0 as usize].ast.specifiers.is_explicit)
    }

    /// Whether a struct has constructors of its own.
    pub(super) fn has_constructor(&self, ty: &Type) -> bool {
        let Type::Struct(id) = ty else { return false };
        self.classes.get(&id.0).is_some_and(|class| class.has_constructor)
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

    /// Whether default construction of an object has an effect.
    pub(super) fn has_default(&self, ty: &Type) -> bool {
        match ty {
            Type::Struct(id) => self.self_and_bases(*id).into_iter().any(|id| {
                let own = self.classes.get(&id.0);
                own.is_some_and(|class| {
                    class.has_constructor
                        || !class.inits.is_empty()
                        || class
                            .bit_fields
                            .iter()
                            .any(super::bit_fields::BitField::has_default)
                }) || self.structs[id.0 as usize]
                    .fields
                    .iter()
                    .any(|field| self.has_default(&field.ty))
            }),
            Type::Array(elem, _) => self.has_default(elem),
            _ => false,
        }
    }

    /// The default member initializer of a field, if there is one.
    pub(super) fn field_default(&mut self, ty: &Type, field: &str, field_ty: &Type) -> Option<Checks<Expr>> {
        if let Some(word) = self.default_of_word(ty, field) {
            return Some(word);
        }
        let Type::Struct(id) = ty else { return None };
        for owner in self.self_and_bases(*id) {
            let init = self
                .classes
                .get(&owner.0)
                .and_then(|class| class.inits.iter().find(|(name, _)| name == field))
                .map(|(_, init)| init.clone());
            if let Some(init) = init {
                let value = self.in_class(owner, |this| {
                    this.initial_value(&init, field_ty, "in the initializer of this member")
                });
                return Some(value);
            }
        }
        None
    }

    /// The stores of the default initialization of an object, part by part.
    pub(super) fn default_parts(
        &mut self,
        ty: &Type,
        offset: u32,
        span: Span,
        out: &mut Vec<(u32, Expr)>,
    ) -> Checks<()> {
        match ty {
            Type::Array(elem, len) if self.has_default(elem) => {
                let size = self.size_of(elem) as u32;
                for idx in 0..*len {
                    self.default_parts(elem, offset + idx * size, span, out)?;
                }
            }
            Type::Struct(_) if self.has_constructor(ty) => {
                let value = self.constructed(ty, &[], span)?;
                out.push((offset, value));
            }
            Type::Struct(_) => {
                for (name, field_ty, at) in self.fields(ty) {
                    match self.field_default(ty, &name, &field_ty) {
                        Some(value) => out.push((offset + at, value?)),
                        None => self.default_parts(&field_ty, offset + at, span, out)?,
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// The initialization that a constructor performs before its body: the base, then the fields in order.
    pub(super) fn constructor_prologue(&mut self, function: &ast::Function, id: StructId) -> Vec<Stmt> {
        let mut out = Vec::new();
        if let [(name, given)] = function.inits.as_slice()
            && let ast::ExprKind::List(args) = &given.kind
            && self.is_named(id, &name.name)
        {
            let args: Vec<ast::Expr> = args.iter().map(|(_, value)| value.clone()).collect();
            let _ = self.construct_base(id, &args, name.span, &mut out);
            return out;
        }
        let own: Vec<Field> = self.structs[id.0 as usize].fields[self.num_inherited(id)..].to_vec();
        let mut used = vec![false; function.inits.len()];
        for base in self.bases(id) {
            let text = self.structs[base.0 as usize].name.clone();
            let bare = text.split('<').next().unwrap_or(&text);
            let simple = bare.rsplit("::").next().unwrap_or(bare).to_owned();
            let given = function.inits.iter().position(|(name, _)| {
                *name.name == *simple || *name.name == *text || {
                    matches!(self.lookup(&name.name), Some(Symbol::Type { ty: Type::Struct(id), .. }) if *id == base)
                }
            });
            let given = given.filter(|at| !used[*at]);
            let args: &[(Option<Ident>, ast::Expr)] = match given.map(|at| (at, &function.inits[at].1.kind)) {
                Some((at, ast::ExprKind::List(args))) => {
                    used[at] = true;
                    args
                }
                _ => &[],
            };
            let args: Vec<ast::Expr> = args.iter().map(|(_, value)| value.clone()).collect();
            if given.is_some() || self.has_default(&Type::Struct(base)) {
                let span = function.name.span;
                let _ = self.construct_base(base, &args, span, &mut out);
            }
        }
        for field in own {
            let given = function
                .inits
                .iter()
                .position(|(name, _)| *name.name == *field.name);
            let span = given.map_or(function.name.span, |at| function.inits[at].0.span);
            if let Some(at) = given {
                used[at] = true;
            }
            let init = given.map(|at| function.inits[at].1.clone());
            let _ = self.initialize_field(id, &field, init.as_ref(), span, &mut out);
        }
        for (idx, (name, init)) in function.inits.iter().enumerate() {
            if used[idx] {
                continue;
            }
            if let Some(Operand::Bits(bits)) = self.own_field(&name.name, name.span) {
                if let ast::ExprKind::List(items) = &init.kind {
                    let value = match items.as_slice() {
                        [] => Ok(int(0, bits.ty().clone(), name.span)),
                        [(_, only)] => {
                            self.initial_value(only, bits.ty(), "in the initializer of this member")
                        }
                        _ => self.error(
                            name.span,
                            format!("`{}` is a single value; initialize it with one value.", name.name),
                        ),
                    };
                    let written = value.and_then(|value| self.write_bits(&bits, value, name.span));
                    out.extend(written.map(|written| Stmt {
                        kind: StmtKind::Expr(written),
                        span: name.span,
                    }));
                }
                continue;
            }
            // Members of unions, and of unnamed members.
            if self.has_field(&Type::Struct(id), &name.name)
                && let Some(place) = self.own_field_place(&name.name, name.span)
            {
                let field = Field {
                    name: name.name.to_string(),
                    ty: place.ty,
                    offset: 0,
                };
                let _ = self.initialize_field(id, &field, Some(init), name.span, &mut out);
            } else {
                let text = self.text(&Type::Struct(id));
                let _ = self.error::<()>(
                    name.span,
                    format!("`{text}` has no member or base `{}` to initialize.", name.name),
                );
            }
        }
        out
    }

    /// Whether an unqualified name is the name of a struct.
    fn is_named(&self, id: StructId, name: &str) -> bool {
        let text = &self.structs[id.0 as usize].name;
        let bare = text.split('<').next().unwrap_or(text);
        bare.rsplit("::").next() == Some(name)
    }

    /// Constructs the base at `this`, or delegates to another constructor.
    fn construct_base(
        &mut self,
        base: StructId,
        args: &[ast::Expr],
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Checks<()> {
        let Some(this) = self.this(span) else {
            return Ok(());
        };
        let enclosing = self.body.this.map_or(Type::Void, Type::Struct);
        let mut this = self.derived_to_base_address(this, &enclosing, &Type::Struct(base));
        this.ty = Self::this_type(base, false);
        let object = Lvalue {
            place: deref(this, false),
            is_const: false,
            constant: None,
            expires: false,
        };
        let ty = Type::Struct(base);
        if self.has_constructor(&ty) && self.needs_identity(&ty) {
            let args = self.arguments(args)?;
            let call = self.call_method(Operand::Place(object), base, CONSTRUCTOR, None, &args, span)?;
            let call = self.rvalue(call)?;
            out.push(Stmt {
                kind: StmtKind::Expr(call),
                span,
            });
            return Ok(());
        }
        let value = self.constructed(&ty, args, span)?;
        out.push(Stmt {
            kind: StmtKind::Expr(assign(object.place, value, span)),
            span,
        });
        Ok(())
    }

    /// Whether the object must be constructed in place, because its copies are not bytewise.
    fn needs_identity(&self, ty: &Type) -> bool {
        self.needs_copy(ty) || self.needs_destroy(ty)
    }

    fn initialize_field(
        &mut self,
        id: StructId,
        field: &Field,
        init: Option<&ast::Expr>,
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Checks<()> {
        if self.is_reference(&Type::Struct(id), &field.name) {
            let Some(ast::ExprKind::List(items)) = init.map(|init| &init.kind) else {
                let message = format!("The reference `{}` requires an initializer.", field.name);
                return self.error(span, message);
            };
            let [(_, only)] = items.as_slice() else {
                return self.error(
                    span,
                    format!("The reference `{}` takes one initializer.", field.name),
                );
            };
            let address = self.referent_address(only, &field.ty)?;
            let fields = self.structs[id.0 as usize].fields.clone();
            let at = fields.iter().rposition(|own| own.name == field.name);
            let object = self.this(span).map(|this| deref(this, false));
            if let (Some(at), Some(object)) = (at, object) {
                let whole = Operand::Place(Lvalue {
                    place: object,
                    is_const: false,
                    constant: None,
                    expires: false,
                });
                if let Some(Operand::Place(target)) = self.field_at(whole, at, span) {
                    out.push(Stmt {
                        kind: StmtKind::Expr(assign(target.place, address, span)),
                        span,
                    });
                }
            }
            return Ok(());
        }
        let value = match init {
            Some(init) => {
                let ast::ExprKind::List(items) = &init.kind else {
                    return Err(Reported);
                };
                let args: Vec<ast::Expr> = items.iter().map(|(_, value)| value.clone()).collect();
                match (&field.ty, args.as_slice()) {
                    (Type::Array(..), []) => None,
                    (Type::Array(..), _) => {
                        let Some(place) = self.own_field_place(&field.name, span) else {
                            return Ok(());
                        };
                        return self.fill_array(place, items, span, out);
                    }
                    (ty, args) if ty.is_aggregate() => Some(self.constructed(ty, args, span)?),
                    (ty, []) => Some(self.zero(ty, span)),
                    (ty, [only]) => {
                        Some(self.initial_value(only, ty, "in the initializer of this member")?)
                    }
                    (_, _) => {
                        return self.error(
                            span,
                            format!(
                                "`{}` is a single value; initialize it with one value.",
                                field.name
                            ),
                        );
                    }
                }
            }
            None => match self.field_default(&Type::Struct(id), &field.name, &field.ty) {
                Some(value) => Some(value?),
                None if self.has_default(&field.ty) && matches!(field.ty, Type::Array(..)) => {
                    if let Some(place) = self.own_field_place(&field.name, span) {
                        self.construct_array(place, span, out)?;
                    }
                    return Ok(());
                }
                None if self.has_default(&field.ty) => Some(self.constructed(&field.ty, &[], span)?),
                None => None,
            },
        };
        let Some(place) = self.own_field_place(&field.name, span) else {
            return Ok(());
        };
        match value {
            Some(value) => out.push(Stmt {
                kind: StmtKind::Expr(assign(place, value, span)),
                span,
            }),
            // `a()` value-initializes an array with zeros.
            None if init.is_some() => self.zero_array(place, span, out),
            None => {}
        }
        Ok(())
    }

    fn own_field_place(&mut self, name: &str, span: Span) -> Option<Place> {
        match self.own_field(name, span)? {
            Operand::Place(lvalue) => Some(lvalue.place),
            _ => None,
        }
    }

    /// Initializes the elements of an array from a list; elements beyond the list are zero.
    fn fill_array(
        &mut self,
        place: Place,
        items: &[(Option<Ident>, ast::Expr)],
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Checks<()> {
        let Type::Array(elem, len) = place.ty.clone() else {
            return Ok(());
        };
        if items.len() > len as usize {
            let text = self.text(&place.ty);
            let message = format!("`{text}` has {len} elements; the list has {}.", items.len());
            return self.error(span, message);
        }
        if items.len() < len as usize {
            self.zero_array(place.clone(), span, out);
        }
        for ((_, item), idx) in items.iter().zip(0..) {
            let element = self.element(place.clone(), idx, span)?;
            match &item.kind {
                ast::ExprKind::List(inner) if matches!(*elem, Type::Array(..)) => {
                    self.fill_array(element, inner, span, out)?;
                }
                _ => {
                    let value = self.initial_value(item, &elem, "in this list")?;
                    out.push(Stmt {
                        kind: StmtKind::Expr(assign(element, value, span)),
                        span,
                    });
                }
            }
        }
        Ok(())
    }

    /// Constructs the elements of an array of objects.
    fn construct_array(&mut self, place: Place, span: Span, out: &mut Vec<Stmt>) -> Checks<()> {
        let Type::Array(_, len) = place.ty else {
            let value = self.constructed(&place.ty.clone(), &[], span)?;
            out.push(Stmt {
                kind: StmtKind::Expr(assign(place, value, span)),
                span,
            });
            return Ok(());
        };
        for idx in 0..len {
            let element = self.element(place.clone(), idx, span)?;
            self.construct_array(element, span, out)?;
        }
        Ok(())
    }

    /// The element of an array at an index.
    pub(super) fn element(&mut self, array: Place, idx: u32, span: Span) -> Checks<Place> {
        let first = self.decayed(Lvalue {
            place: array,
            is_const: false,
            constant: None,
            expires: false,
        });
        let index = int(i128::from(idx), Type::I32, span);
        let pointer = self.pointer_add(first, index, span)?;
        Ok(deref(pointer, false))
    }

    fn zero_array(&mut self, place: Place, span: Span, out: &mut Vec<Stmt>) {
        let Type::Array(_, len) = place.ty else {
            let value = self.zero(&place.ty, span);
            out.push(Stmt {
                kind: StmtKind::Expr(assign(place, value, span)),
                span,
            });
            return;
        };
        for idx in 0..len {
            if let Ok(element) = self.element(place.clone(), idx, span) {
                self.zero_array(element, span, out);
            }
        }
    }
}

fn is_defaulted_constructor(function: &ast::Function) -> bool {
    function.is_defaulted && &*function.name.name == CONSTRUCTOR && function.params.is_empty()
}

/// Whether a constructor is a copy or move constructor.
fn is_copy_constructor(function: &ast::Function, def: &StructDef) -> bool {
    let (Some(name), [param]) = (&def.name, function.params.as_slice()) else {
        return false;
    };
    let takes_own = match &param.ty.base {
        ast::BaseType::Named(own) => own.name == name.name,
        ast::BaseType::Instance {
            name: own,
            member: None,
            ..
        } => own.name == name.name,
        _ => false,
    };
    let is_reference = matches!(
        param.ty.derived.as_slice(),
        [ast::Derived::Reference | ast::Derived::RvalueReference]
    );
    takes_own && is_reference && &*function.name.name == CONSTRUCTOR
}

/// Whether it is equivalent to the implicit copy: each field is copied, in any order.
fn is_plain_copy(function: &ast::Function, def: &StructDef) -> bool {
    let (Some(body), [param]) = (&function.body, function.params.as_slice()) else {
        return function.is_defaulted;
    };
    let fields: Vec<&str> = (def.members.iter())
        .filter_map(|member| match member {
            Member::Declaration(declaration)
                if !declaration.specifiers.is_static && !declaration.specifiers.is_typedef =>
            {
                Some(
                    declaration
                        .declarators
                        .iter()
                        .map(|declared| &*declared.name.name),
                )
            }
            _ => None,
        })
        .flatten()
        .collect();
    let Some(other) = &param.name else {
        return fields.is_empty() && body.stmts.is_empty();
    };
    let is_others = |value: &ast::Expr, field: &str| {
        matches!(&value.kind, ast::ExprKind::Member { base, field: own, .. }
            if *own.name == *field && matches!(&base.kind, ast::ExprKind::Name(name) if *name == other.name))
    };
    let mut copied: Vec<&str> = Vec::new();
    for (name, given) in &function.inits {
        match &given.kind {
            ast::ExprKind::List(args) if args.len() == 1 && is_others(&args[0].1, &name.name) => {
                copied.push(&name.name);
            }
            _ => return false,
        }
    }
    for stmt in &body.stmts {
        let ast::StmtKind::Expr(e) = &stmt.kind else {
            if matches!(stmt.kind, ast::StmtKind::Return(_) | ast::StmtKind::Empty) {
                continue;
            }
            return false;
        };
        let ast::ExprKind::Assign { op: None, lhs, rhs } = &e.kind else {
            return false;
        };
        let target = match &lhs.kind {
            ast::ExprKind::Name(name) => name,
            ast::ExprKind::Member { base, field, .. } if matches!(base.kind, ast::ExprKind::This) => {
                &field.name
            }
            _ => return false,
        };
        if !is_others(rhs, target) {
            return false;
        }
        copied.push(target);
    }
    def.bases.is_empty() && fields.iter().all(|field| copied.contains(field))
}
