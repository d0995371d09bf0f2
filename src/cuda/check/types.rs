//! Resolution of written types to HIR types; their sizes and their text.

use super::ops::operand_type;
use super::{Checker, Checks, Operand, Symbol, nearest, pointer_bytes};
use crate::ast::{BaseType, Derived, EnumDef, Expr, ExprKind, Ident, TypeName};
use crate::diagnostic::Diagnostic;
use crate::hir::{Const, Pointer, ScopedEnum, StructId, Type, Unit};
use crate::limits::Limit;
use crate::parse::foreign;
use crate::types::header_of_type;
use crate::types::type_text;
use engine::ids::Span;
use engine::isa::{ElemType, Param, ParamType};

/// Maximum size of an array or struct in bytes.
pub(super) const MAX_BYTES: u64 = 1 << 31;

/// The reference kind of a type.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Reference {
    /// Not a reference.
    #[default]
    None,
    /// `T &`.
    Lvalue,
    /// `T &&`.
    Rvalue,
}

/// A type, whether it is const, and its reference kind.
pub(super) type Qualified = (Type, bool, Reference);

/// A type with the properties of the declared entity.
#[derive(Clone, Debug)]
pub(super) struct Resolved {
    pub(super) ty: Type,
    pub(super) is_const: bool,
    pub(super) is_volatile: bool,
    pub(super) is_ref: bool,
    /// Whether the reference also binds to rvalues.
    pub(super) takes_values: bool,
    /// Whether the size of the outermost array is omitted.
    pub(super) open_array: bool,
}

impl Resolved {
    /// Whether the type is a reference.
    pub(super) const fn reference(&self) -> Reference {
        match (self.is_ref, self.takes_values) {
            (false, _) => Reference::None,
            (true, false) => Reference::Lvalue,
            (true, true) => Reference::Rvalue,
        }
    }
}

impl Checker {
    /// Resolves a written type; `auto` resolves to `auto_ty`.
    pub(super) fn resolve(&mut self, name: &TypeName, auto_ty: Option<&Type>) -> Checks<Resolved> {
        let (base, is_const, reference) = self.base_type(name, auto_ty)?;
        self.derive(base, is_const, reference, name)
    }

    /// `size_t`: 32 bits with `-m32`, else 64.
    pub(super) const fn size_type(&self) -> Type {
        if self.options.pointers_32_bit {
            Type::U32
        } else {
            Type::U64
        }
    }

    /// The base of a written type.
    fn base_type(&mut self, name: &TypeName, auto_ty: Option<&Type>) -> Checks<Qualified> {
        let ty = match &name.base {
            BaseType::Known(ty) => self.demoted(ty.clone(), name.span),
            BaseType::Auto => match auto_ty {
                Some(ty) => strip(ty, &name.derived),
                None => {
                    return self.error(name.span, "An `auto` variable requires an initializer.");
                }
            },
            BaseType::Elaborated(ident) if self.lookup(&ident.name).is_none() => self.forward_struct(ident),
            BaseType::Named(ident) | BaseType::Elaborated(ident) => return self.named_type(ident),
            BaseType::Instance {
                name: template,
                args,
                member,
            } => {
                let instance = self.type_instance(template, args)?;
                return match member {
                    Some(member) => self.type_member(&instance.0, member),
                    None => Ok(instance),
                };
            }
            BaseType::TypeOf(value) => {
                let operand = self.operand(value)?;
                operand_type(&operand).clone()
            }
            BaseType::Decltype(value) => return self.decltype(value),
            BaseType::Nested { of, name, args } => {
                let enclosing = self.resolve(of, None)?.ty;
                let Type::Struct(id) = enclosing else {
                    return self.error(name.span, "Only structs have member types.");
                };
                if let Some(nested) = self.nested_type(id, name, args.as_deref())? {
                    return Ok(nested);
                }
                let text = self.text(&enclosing);
                return self.error(name.span, format!("`{text}` has no type `{}`.", name.name));
            }
            BaseType::Struct(def) => self.define_struct(def)?,
            BaseType::Enum(def) => self.define_enum(def)?,
            BaseType::Texture(_) => {
                return self.error(
                    name.span,
                    "A texture or surface reference is declared outside functions; pass a `cudaTextureObject_t` or a \
                     `cudaSurfaceObject_t` to a function.",
                );
            }
        };
        Ok((ty, false, Reference::None))
    }

    /// The type with this name.
    fn named_type(&mut self, ident: &Ident) -> Checks<Qualified> {
        match self.lookup(&ident.name) {
            Some(Symbol::Type {
                ty,
                is_const,
                reference,
            }) => Ok((ty.clone(), *is_const, *reference)),
            Some(Symbol::Enum(_, ty)) => Ok((ty.clone(), false, Reference::None)),
            Some(Symbol::Poison) => Err(self.poisoned_name(&ident.name)),
            Some(Symbol::Pack(_)) => {
                let message = format!(
                    "`{}` is a parameter pack; put `...` after the pattern that contains it.",
                    ident.name
                );
                self.error(ident.span, message)
            }
            _ => self.report_unknown_type(ident),
        }
    }

    /// Reports a name that is not a type.
    fn report_unknown_type<T>(&mut self, ident: &Ident) -> Checks<T> {
        if let Some(header) = header_of_type(&ident.name) {
            let message = format!(
                "The type `{}` is declared in a header that is not included.",
                ident.name
            );
            let diagnostic = Diagnostic::error(ident.span, message);
            return self
                .report(diagnostic.note(format!("Write `#include <{header}>` before its first use.")));
        }
        let mut known: Vec<&str> = crate::types::SCALAR_WORDS.to_vec();
        known.extend([
            "float2", "float3", "float4", "int2", "int3", "int4", "uint2", "uint4", "dim3", "size_t",
        ]);
        known.extend(
            self.scope
                .iter()
                .filter(|(_, symbol)| matches!(symbol, Symbol::Type { .. }))
                .map(|(name, _)| &**name),
        );
        let inside = format!("::{}", ident.name);
        let qualified = known.iter().find(|known| known.ends_with(&inside)).copied();
        let near = qualified
            .or_else(|| foreign::type_meant(&ident.name))
            .or_else(|| nearest(&ident.name, known))
            .map(str::to_owned);
        if self.type_template(&ident.name).is_some() {
            let message = format!(
                "`{0}` is a template without its arguments; write `{0}<…>`.",
                ident.name
            );
            return self.error(ident.span, message);
        }
        let hint = near
            .as_ref()
            .map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
        let dot = if near.is_some() { "" } else { "." };
        let message = format!("The type `{}` is not declared{hint}{dot}", ident.name);
        let mut diagnostic = Diagnostic::error(ident.span, message);
        if let Some(near) = near {
            diagnostic = diagnostic.fix(near);
        }
        self.report(diagnostic)
    }

    /// The member type of a struct that its template gives: `Name<…>::member`.
    fn type_member(&mut self, ty: &Type, member: &Ident) -> Checks<Qualified> {
        let Type::Struct(id) = ty else {
            return self.error(member.span, "Only structs have member types.");
        };
        let members = self.self_and_bases(*id).into_iter();
        let found = members
            .filter_map(|id| self.member_name(id, &member.name))
            .find_map(|name| self.scope.get(&name).cloned());
        if let Some(Symbol::Type {
            ty,
            is_const,
            reference,
        }) = found
        {
            return Ok((ty, is_const, reference));
        }
        let text = self.text(ty);
        self.error(member.span, format!("`{text}` has no type `{}`.", member.name))
    }

    /// The type of `decltype(value)`.
    fn decltype(&mut self, value: &Expr) -> Checks<Qualified> {
        let operand = self.operand(value)?;
        let is_name = matches!(value.kind, ExprKind::Name(_) | ExprKind::Member { .. })
            && !self.source_text(value.span).starts_with('(');
        let (is_const, reference) = match &operand {
            Operand::Place(lvalue) => {
                let of_variable = match &value.kind {
                    ExprKind::Name(name) => match self.lookup(name) {
                        Some(Symbol::Local { is_ref: true, .. }) => Reference::Lvalue,
                        _ => Reference::None,
                    },
                    _ => Reference::None,
                };
                let reference = match (is_name, lvalue.expires) {
                    (true, _) => of_variable,
                    (false, true) => Reference::Rvalue,
                    (false, false) => Reference::Lvalue,
                };
                (lvalue.is_const, reference)
            }
            Operand::Computed { is_const, .. } => (*is_const, Reference::Lvalue),
            _ => (false, Reference::None),
        };
        Ok((operand_type(&operand).clone(), is_const, reference))
    }

    fn derive(
        &mut self,
        base: Type,
        is_const: bool,
        reference: Reference,
        name: &TypeName,
    ) -> Checks<Resolved> {
        let is_ref = reference != Reference::None;
        let mut out = Resolved {
            ty: base,
            // `const` before an alias of a reference has no effect.
            is_const: is_const || (name.is_const && !is_ref),
            is_volatile: name.is_volatile,
            takes_values: reference == Reference::Rvalue,
            is_ref,
            open_array: false,
        };
        for (idx, step) in name.derived.iter().enumerate() {
            if out.is_ref && !matches!(step, Derived::Reference | Derived::RvalueReference) {
                return self.error(
                    name.span,
                    "A pointer to a reference and an array of references are not allowed.",
                );
            }
            match step {
                Derived::Pointer {
                    is_const,
                    is_volatile,
                    restrict,
                } => {
                    out.ty = Type::Pointer(Box::new(Pointer {
                        pointee: out.ty,
                        is_const: out.is_const,
                        is_volatile: out.is_volatile,
                        restrict: *restrict,
                    }));
                    (out.is_const, out.is_volatile) = (*is_const, *is_volatile);
                }
                Derived::Function(params) => {
                    out.ty = self.function_type(name, idx, params)?;
                    (out.is_const, out.is_volatile) = (false, false);
                }
                Derived::Reference => (out.is_ref, out.takes_values) = (true, false),
                Derived::RvalueReference => {
                    // `T &&` of a reference collapses to that reference.
                    out.takes_values |= !out.is_ref;
                    out.is_ref = true;
                }
                Derived::Array(None) if idx + 1 == name.derived.len() => {
                    out.open_array = true;
                    out.ty = Type::Array(Box::new(out.ty), 0);
                }
                Derived::Array(None) => {
                    return self.error(name.span, "Only the first dimension of an array can be omitted.");
                }
                Derived::Array(Some(extent)) => {
                    let len = self.constant_int(extent, "The size of an array")?;
                    if len <= 0 {
                        let message =
                            format!("The size of an array must be greater than zero; this one is {len}.");
                        return self.error(extent.span, message);
                    }
                    let bytes = u128::from(self.size_of(&out.ty).max(1)) * len.unsigned_abs();
                    if bytes > u128::from(MAX_BYTES) {
                        return self.error(extent.span, "This array is larger than 2 GB.");
                    }
                    out.ty = Type::Array(Box::new(out.ty), len as u32);
                }
            }
        }
        if depth(&out.ty) > Limit::TypeDepth.most() {
            return self.stop(Limit::TypeDepth.exceeded(name.span));
        }
        Ok(out)
    }

    /// On a chip without double precision, `double` is `float`.
    fn demoted(&mut self, ty: Type, span: Span) -> Type {
        if ty != Type::F64 || self.has_double() {
            return ty;
        }
        self.warn_demoted(span);
        Type::F32
    }

    /// Warns once per function that `double` is demoted to `float`.
    pub(super) fn warn_demoted(&mut self, span: Span) {
        if !self.body.demoted {
            self.body.demoted = true;
            let message = self.capability_message(130, "Double precision");
            self.warn(span, format!("{message} Every double here is demoted to float."));
        }
    }

    pub(super) fn poisoned(&mut self) -> super::Reported {
        self.body.broken = true;
        super::Reported
    }

    /// The value of `__align__(n)`.
    pub(super) fn alignment(&mut self, wanted: &crate::ast::Expr) -> Checks<u32> {
        let value = self.constant_int(wanted, "An alignment")?;
        match u32::try_from(value) {
            Ok(value) if value.is_power_of_two() && value <= 128 => Ok(value),
            _ => self.error(wanted.span, "An alignment must be a power of two, at most 128."),
        }
    }

    fn define_enum(&mut self, def: &EnumDef) -> Checks<Type> {
        let fixed = match &def.underlying {
            Some(name) => {
                let ty = self.resolve(name, None)?.ty;
                if !ty.is_integer() {
                    return self.error(
                        name.span,
                        "The underlying type of an enum must be an integer type.",
                    );
                }
                Some(ty)
            }
            None => def.is_class.then_some(Type::I32),
        };
        let mut next = 0i128;
        let mut values = Vec::new();
        for (name, value) in &def.values {
            if let Some(value) = value {
                next = self.constant_int(value, "The value of an enumerator")?;
            }
            let ty = fixed.clone().unwrap_or_else(|| enumerator_type(next));
            next = super::fold::wrap(next, &ty);
            if !def.is_class {
                self.declare(name, Symbol::Constant(Const::Int(next), ty));
            }
            values.push((name.name.clone(), next));
            next += 1;
        }
        let all = || values.iter().map(|(_, value)| *value);
        let ty = fixed.unwrap_or_else(|| enum_type(all().min().unwrap_or(0), all().max().unwrap_or(0)));
        let ty = match (&def.name, def.is_class) {
            (Some(name), true) => {
                self.has_scoped_enums = true;
                Type::Enum(std::sync::Arc::new(ScopedEnum {
                    name: self.whole(&name.name).to_string(),
                    position: name.span.start,
                    underlying: ty,
                }))
            }
            _ => ty,
        };
        if !def.is_class {
            // After the closing brace, all enumerators have the type of the enum.
            let scope = self.body.scopes.last_mut().unwrap_or(&mut self.scope);
            for (name, value) in &values {
                scope.insert(name.clone(), Symbol::Constant(Const::Int(*value), ty.clone()));
            }
        }
        if let Some(name) = &def.name {
            self.declare(name, Symbol::Enum(values, ty.clone()));
        }
        Ok(ty)
    }

    pub(super) fn size_of(&self, ty: &Type) -> u64 {
        match ty {
            Type::Array(elem, len) => self.size_of(elem).saturating_mul(u64::from(*len)),
            Type::Struct(id) => u64::from(self.structs[id.0 as usize].size),
            Type::Pointer(_) => u64::from(pointer_bytes(self.capability, &self.options)),
            Type::Enum(scoped) => self.size_of(&scoped.underlying),
            other => bare_unit().size_of(other),
        }
    }

    pub(super) fn align_of(&self, ty: &Type) -> u32 {
        match ty {
            Type::Array(elem, _) => self.align_of(elem),
            Type::Struct(id) => self.structs[id.0 as usize].align,
            Type::Pointer(_) => pointer_bytes(self.capability, &self.options),
            Type::Enum(scoped) => self.align_of(&scoped.underlying),
            other => bare_unit().align_of(other),
        }
    }

    /// Fields of a vector or struct: name, type, offset.
    pub(super) fn fields(&self, ty: &Type) -> Vec<(String, Type, u32)> {
        match ty {
            Type::Vector(vector) => (0..u32::from(vector.lanes))
                .map(|lane| {
                    let name = crate::types::LANE_NAMES[lane as usize & 3];
                    (
                        name.to_owned(),
                        (*vector.elem).clone(),
                        lane * vector.elem_bytes(),
                    )
                })
                .collect(),
            Type::Struct(id) => self.structs[id.0 as usize]
                .fields
                .iter()
                .map(|field| (field.name.clone(), field.ty.clone(), field.offset))
                .collect(),
            _ => Vec::new(),
        }
    }

    /// A type in C syntax.
    pub(super) fn text(&self, ty: &Type) -> String {
        type_text(ty, &self.structs)
    }
}

/// Types without structs and pointers have sizes that do not depend on the unit.
const fn bare_unit() -> Unit {
    Unit {
        functions: Vec::new(),
        globals: Vec::new(),
        structs: Vec::new(),
        pointer_bytes: 8,
    }
}

/// The number of levels of `*` and `[]` of a type.
fn depth(ty: &Type) -> u64 {
    let (mut at, mut depth) = (ty, 0);
    loop {
        at = match at {
            Type::Pointer(pointer) => &pointer.pointee,
            Type::Array(elem, _) => elem,
            _ => return depth,
        };
        depth += 1;
    }
}

/// `auto *p = pointer` means the same as `auto p = pointer`.
fn strip(ty: &Type, derived: &[Derived]) -> Type {
    match (ty, derived) {
        (Type::Pointer(pointer), [Derived::Pointer { .. }, ..]) => pointer.pointee.clone(),
        _ => ty.clone(),
    }
}

/// The launch type of a scalar; `bool` is a byte.
pub(super) const fn elem_type(ty: &Type) -> Option<ElemType> {
    Some(match ty {
        Type::Bool | Type::U8 => ElemType::U8,
        Type::I8 => ElemType::I8,
        Type::I16 => ElemType::I16,
        // Launches have no type for it.
        Type::U16 | Type::Bf16 => ElemType::U16,
        Type::I32 => ElemType::I32,
        Type::U32 => ElemType::U32,
        Type::I64 => ElemType::I64,
        Type::U64 => ElemType::U64,
        Type::F16 => ElemType::F16,
        Type::F32 => ElemType::F32,
        Type::F64 => ElemType::F64,
        _ => return None,
    })
}

impl Unit {
    /// The launch parameters of a kernel, each at its natural alignment.
    pub fn params(&self, function: &crate::hir::Function) -> Vec<Param> {
        let mut offset = 0u32;
        let mut params = Vec::new();
        for local in function.params() {
            let size = u32::try_from(self.size_of(&local.ty)).unwrap_or(u32::MAX);
            offset = offset.next_multiple_of(self.align_of(&local.ty).max(1));
            params.push(Param {
                name: local.name.clone(),
                ty: self.param_type(&local.ty),
                c_type: local.c_type.clone(),
                offset,
                size,
            });
            offset = offset.saturating_add(size);
        }
        params
    }

    fn param_type(&self, ty: &Type) -> ParamType {
        if let Some(elem) = elem_type(ty) {
            return ParamType::Scalar(elem);
        }
        let Type::Pointer(pointer) = ty else {
            return ParamType::Bytes;
        };
        if matches!(&pointer.pointee, Type::Struct(id) if self.structure(*id).is_function) {
            // The index of the function.
            return ParamType::Scalar(if self.pointer_bytes == 8 {
                ElemType::U64
            } else {
                ElemType::U32
            });
        }
        let (elem, lanes) = match &pointer.pointee {
            Type::Vector(vector) => (elem_type(&vector.elem), vector.lanes),
            Type::Struct(id) => self.uniform_struct(*id),
            Type::Array(elem, _) => (elem_type(elem), 1),
            scalar => (elem_type(scalar), 1),
        };
        ParamType::Pointer {
            elem,
            lanes,
            read_only: pointer.is_const,
        }
    }

    /// A struct of scalars of one type counts as that number of scalars.
    fn uniform_struct(&self, id: StructId) -> (Option<ElemType>, u8) {
        let fields = &self.structure(id).fields;
        let first = fields.first().and_then(|field| elem_type(&field.ty));
        let uniform = fields.iter().all(|field| elem_type(&field.ty) == first);
        match (first, u8::try_from(fields.len())) {
            (Some(elem), Ok(lanes)) if uniform => (Some(elem), lanes),
            _ => (None, 1),
        }
    }
}

/// The type of an enumerator with this value in an enum without a fixed type: `int` if it holds the value.
fn enumerator_type(value: i128) -> Type {
    enum_type(value, value)
}

/// The first of `int`, `unsigned`, `long long`, and `unsigned long long` that holds both values.
fn enum_type(least: i128, greatest: i128) -> Type {
    let fits = |from: i128, to: i128| least >= from && greatest <= to;
    if fits(i32::MIN.into(), i32::MAX.into()) {
        Type::I32
    } else if fits(0, u32::MAX.into()) {
        Type::U32
    } else if fits(i64::MIN.into(), i64::MAX.into()) {
        Type::I64
    } else {
        Type::U64
    }
}
