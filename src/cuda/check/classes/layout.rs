//! The layout of structs and unions: fields, sizes, alignments, and the members of a union.

use super::*;
use crate::check::virtuals::VIRTUAL_TABLE;

/// Maximum size of a union member in bytes. The value of a union is copied word by word.
const MAX_UNION: u64 = 1 << 16;

/// The span of the first declaration in a struct.
fn first_span(def: &StructDef) -> Span {
    let declarations = def.members.iter().filter_map(|member| match member {
        Member::Declaration(declaration) => Some(declaration.span),
        _ => None,
    });
    declarations.into_iter().next().unwrap_or_default()
}

/// The fields that are laid out so far.
struct Members {
    fields: Vec<Field>,
    /// The end of the last field in bytes.
    offset: u64,
    /// The alignment of the struct in bytes.
    align: u32,
}

impl Checker {
    /// Lays out the fields.
    pub(super) fn layout(&mut self, def: &StructDef, id: StructId) -> Checks<()> {
        let mut members = self.inherited_members(id);
        if def.is_polymorphic && !members.fields.iter().any(|field| field.name == VIRTUAL_TABLE) {
            let offset = members.offset.next_multiple_of(8);
            members.fields.push(Field {
                name: VIRTUAL_TABLE.to_owned(),
                ty: Type::U64,
                offset: offset as u32,
            });
            members.offset = offset + 8;
            members.align = members.align.max(8);
        }
        for member in &def.members {
            match member {
                Member::Declaration(declaration) => {
                    self.fields_of(declaration, (id, def.is_union), &mut members)?;
                }
                Member::StaticAssert(assertion) => self.static_assert(assertion),
                Member::Item(item) => self.declare_items(std::slice::from_ref(item)),
                _ => {}
            }
        }
        let Members {
            mut fields,
            mut offset,
            mut align,
        } = members;
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
        self.check_extent(def, id, &fields)?;
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

    /// Ends the check if structs contain each other too deeply, or have too many members.
    fn check_extent(&mut self, def: &StructDef, id: StructId, fields: &[Field]) -> Checks<()> {
        let span = def
            .name
            .as_ref()
            .map_or_else(|| first_span(def), |name| name.span);
        let depth_of = |id: &StructId| self.struct_depths.get(&id.0).copied().unwrap_or(1);
        let inner = fields.iter().filter_map(|field| {
            let mut ty = &field.ty;
            while let Type::Array(elem, _) = ty {
                ty = elem;
            }
            match ty {
                Type::Struct(id) => Some(depth_of(id)),
                _ => None,
            }
        });
        let bases = self
            .classes
            .get(&id.0)
            .into_iter()
            .flat_map(|class| class.bases.iter());
        let outer = bases.map(|(id, _)| depth_of(id));
        let depth = 1 + inner.chain(outer).max().unwrap_or(0);
        if depth > Limit::StructDepth.most() {
            return self.stop(Limit::StructDepth.exceeded(span));
        }
        self.struct_depths.insert(id.0, depth);
        let scalars = fields.iter().map(|field| self.known_scalars(&field.ty));
        let num_scalars = scalars.fold(0, u64::saturating_add);
        if num_scalars > Limit::Scalars.most() {
            return self.stop(Limit::Scalars.exceeded(span));
        }
        self.struct_scalars.insert(id.0, num_scalars);
        if let Err(limit) = self.members.charge(fields.len() as u64 + 1) {
            return self.stop(limit.exceeded(span));
        }
        if self.self_and_bases(id).len() as u64 > Limit::Bases.most() {
            return self.stop(Limit::Bases.exceeded(span));
        }
        Ok(())
    }

    /// The number of scalars of a type; of a vector, one.
    fn known_scalars(&self, ty: &Type) -> u64 {
        match ty {
            Type::Array(elem, len) => self.known_scalars(elem).saturating_mul(u64::from(*len)),
            Type::Struct(id) => self.struct_scalars.get(&id.0).copied().unwrap_or(1),
            _ => 1,
        }
    }

    /// The members that a struct inherits from its bases.
    fn inherited_members(&mut self, id: StructId) -> Members {
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
        Members {
            fields,
            offset,
            align,
        }
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
    pub(in crate::check) fn union_members(&self, ty: &Type) -> Option<&[Field]> {
        let Type::Struct(id) = ty else { return None };
        let members = &self.classes.get(&id.0)?.members;
        (!members.is_empty()).then_some(members)
    }

    /// Whether a field is a reference.
    pub(in crate::check) fn is_reference(&self, ty: &Type, field: &str) -> bool {
        let Type::Struct(id) = ty else { return false };
        self.self_and_bases(*id).into_iter().any(|owner| {
            let class = self.classes.get(&owner.0);
            class.is_some_and(|class| class.references.iter().any(|name| name == field))
        })
    }

    /// The same bytes as the type of a union member.
    pub(in crate::check) fn union_member_view(
        &mut self,
        whole: Operand,
        ty: &Type,
        span: Span,
    ) -> Option<Operand> {
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
    pub(in crate::check) fn special_field(
        &mut self,
        whole: &Operand,
        name: &str,
        span: Span,
    ) -> Option<Operand> {
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
    pub(in crate::check) fn has_field(&self, ty: &Type, name: &str) -> bool {
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
    pub(in crate::check) fn field_names(&self, ty: &Type) -> Vec<String> {
        let fields: Vec<(String, Type, u32)> = match self.union_members(ty) {
            Some(members) => members
                .iter()
                .map(|member| (member.name.clone(), member.ty.clone(), 0))
                .collect(),
            None => self.fields(ty),
        };
        let inner = |(name, field, offset): (String, Type, u32)| {
            if name == VIRTUAL_TABLE {
                return Vec::new();
            }
            if name.is_empty() {
                return self.field_names(&field);
            }
            self.bit_fields_in(ty, &name, offset)
                .unwrap_or_else(|| vec![name])
        };
        fields.into_iter().flat_map(inner).collect()
    }

    /// Adds the fields of a declaration to the members of a struct or union.
    fn fields_of(
        &mut self,
        declaration: &Declaration,
        (id, is_union): (StructId, bool),
        members: &mut Members,
    ) -> Checks<()> {
        if declaration.declarators.is_empty() {
            return self.unnamed_field(declaration, id, members);
        }
        for declarator in &declaration.declarators {
            let name = &declarator.name;
            let auto_ty = match &declarator.init {
                Some(ast::Initializer::Value(value))
                    if declaration.specifiers.is_static
                        && matches!(declarator.ty.base, ast::BaseType::Auto)
                        && !matches!(value.kind, ast::ExprKind::List(_)) =>
                {
                    Some(self.value(value)?.ty)
                }
                _ => None,
            };
            let resolved = self.resolve(&declarator.ty, auto_ty.as_ref())?;
            if declaration.specifiers.is_typedef {
                let symbol = Symbol::Type {
                    reference: resolved.reference(),
                    ty: resolved.ty,
                    is_const: resolved.is_const,
                };
                self.declare(name, symbol);
            } else if declaration.specifiers.is_static {
                self.declare_static_field(declaration, declarator, resolved);
            } else if declarator.bits.is_none() {
                self.named_field(declaration, declarator, resolved, (id, is_union), members)?;
            } else if is_union {
                self.bit_field_of_union(declarator, &resolved, members)?;
            } else {
                self.place_bit_field(id, declarator, &resolved, &mut members.offset, &mut members.align)?;
            }
        }
        Ok(())
    }

    /// Adds the field of a declaration without a name: the members of an unnamed struct are members of the
    /// enclosing struct.
    fn unnamed_field(
        &mut self,
        declaration: &Declaration,
        id: StructId,
        members: &mut Members,
    ) -> Checks<()> {
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
            let align = self.align_of(&ty);
            self.place_field(id, String::new(), ty, align, members);
        }
        Ok(())
    }

    /// Declares a static data member. Only constants are available in device code.
    fn declare_static_field(
        &mut self,
        declaration: &Declaration,
        declarator: &ast::Declarator,
        resolved: Resolved,
    ) {
        let name = &declarator.name;
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
    }

    /// Adds a field that is not a bit-field.
    fn named_field(
        &mut self,
        declaration: &Declaration,
        declarator: &ast::Declarator,
        mut resolved: Resolved,
        (id, is_union): (StructId, bool),
        members: &mut Members,
    ) -> Checks<()> {
        let name = &declarator.name;
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
        self.check_field(name, &resolved, (id, is_union), &members.fields)?;
        let mut align = self.align_of(&resolved.ty);
        if let Some(wanted) = &declaration.specifiers.align {
            align = align.max(self.alignment(wanted)?);
        }
        self.place_field(id, name.name.to_string(), resolved.ty, align, members);
        if members.offset > MAX_BYTES {
            return self.error(name.span, "This struct is larger than 2 GB.");
        }
        Ok(())
    }

    /// Reports a field that is not allowed after `fields`.
    fn check_field(
        &mut self,
        name: &Ident,
        resolved: &Resolved,
        (id, is_union): (StructId, bool),
        fields: &[Field],
    ) -> Checks<()> {
        if !self.is_complete(&resolved.ty) {
            let text = self.text(&resolved.ty);
            let message =
                format!("`{text}` is an incomplete type here, so a member cannot have it; use a pointer.");
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
        if is_union && bytes > MAX_UNION {
            let message = format!(
                "`{}` has {bytes} bytes; members of unions are supported up to {MAX_UNION} bytes.",
                name.name
            );
            return self.error(name.span, message);
        }
        Ok(())
    }

    /// Places a field at the next offset with its alignment.
    fn place_field(&mut self, id: StructId, name: String, ty: Type, align: u32, members: &mut Members) {
        let offset = members.offset.next_multiple_of(u64::from(align));
        self.close_bit_fields(id, offset, &mut members.fields);
        members.align = members.align.max(align);
        members.offset = offset + self.size_of(&ty);
        members.fields.push(Field {
            name,
            offset: offset as u32,
            ty,
        });
    }

    /// A bit-field of a union is the only member of an unnamed struct.
    fn bit_field_of_union(
        &mut self,
        declarator: &ast::Declarator,
        resolved: &Resolved,
        members: &mut Members,
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
        let (mut end, mut align) = (0, 1);
        self.place_bit_field(id, declarator, resolved, &mut end, &mut align)?;
        let size = end.max(1).next_multiple_of(u64::from(align));
        let mut words = Vec::new();
        self.close_bit_fields(id, size, &mut words);
        let entry = &mut self.structs[id.0 as usize];
        (entry.fields, entry.size, entry.align) = (words, size as u32, align);
        members.align = members.align.max(align);
        if !declarator.name.name.is_empty() {
            members.fields.push(Field {
                name: String::new(),
                ty: Type::Struct(id),
                offset: 0,
            });
        }
        Ok(())
    }
}
