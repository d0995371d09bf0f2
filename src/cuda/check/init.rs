//! Initializers: lists in braces, constructors, and the contents of variables at file scope.

use super::fold::bytes_of;
use super::names::load;
use super::ops::{assign, comma, operand_type};
use super::{Checker, Checks, Lvalue, Operand, Reported, constant, expr, fold, int};
use crate::ast::{self, Ident};
use crate::diagnostic::Diagnostic;
use crate::hir::{Const, Expr, ExprKind, Field, Global, GlobalId, GlobalSpace, Init, Place, PlaceKind, Type};
use crate::lex::Text;
use engine::ids::Span;

/// Prefix of the names of strings in device memory.
const STRING: &str = "$str";

/// Maximum number of parts in a list in braces.
const MAX_PARTS: usize = 65_536;

impl Checker {
    /// A value of a type from an expression or a list in braces.
    pub(super) fn initial_value(&mut self, e: &ast::Expr, ty: &Type, context: &str) -> Checks<Expr> {
        if matches!(ty, Type::Array(..)) {
            return self.array_value(e, ty);
        }
        let names_function = matches!(e.kind, ast::ExprKind::Instance { .. } | ast::ExprKind::Name(_));
        if names_function && self.is_function_pointer(ty) {
            let value = self.function_argument(e, ty)?;
            return self.implicit(value, ty, context);
        }
        let ast::ExprKind::List(items) = &e.kind else {
            let operand = self.operand(e)?;
            let mut value = self.rvalue(operand.clone())?;
            if value.ty == *ty {
                value = self.copied(&operand, value)?;
            }
            return self.implicit(value, ty, context);
        };
        if self.has_constructor(ty) {
            let args: Vec<ast::Expr> = items.iter().map(|(_, value)| value.clone()).collect();
            return self.constructed(ty, &args, e.span);
        }
        if ty.is_aggregate() {
            return self.aggregate(items, ty, e.span);
        }
        match items.as_slice() {
            [] => Ok(self.zero(ty, e.span)),
            // `Color{3}` for a scoped enum.
            [(None, only)] if ty.is_scoped_enum() && !matches!(only.kind, ast::ExprKind::List(_)) => {
                let value = self.value(only)?;
                if value.ty.is_integer() {
                    return self.cast(value, ty, only.span);
                }
                self.implicit(value, ty, context)
            }
            [(None, only)] => self.initial_value(only, ty, context),
            _ => {
                let text = self.text(ty);
                self.error(
                    e.span,
                    format!("`{text}` is a single value; the list has {}.", items.len()),
                )
            }
        }
    }

    /// A vector or struct from a list; omitted fields are zero.
    fn aggregate(&mut self, items: &[(Option<Ident>, ast::Expr)], ty: &Type, span: Span) -> Checks<Expr> {
        if let Some(members) = self.union_members(ty) {
            let first = match items {
                [(Some(name), _)] => members.iter().find(|member| *member.name == *name.name),
                _ => members.first(),
            };
            let first = first.cloned();
            return self.union_of(first, items, ty, span);
        }
        if let Some(made) = self.aggregate_of_bases(items, ty, span)? {
            return Ok(made);
        }
        let fields = self.fields(ty);
        if self.has_bit_fields(ty) {
            if let [(None, only)] = items
                && !matches!(only.kind, ast::ExprKind::List(_))
            {
                let value = self.value(only)?;
                if value.ty == *ty {
                    return Ok(value);
                }
            }
            return self.aggregate_of_bits(items, ty, span);
        }
        if let [(None, only)] = items
            && !matches!(only.kind, ast::ExprKind::List(_) | ast::ExprKind::Str(_))
        {
            // `T{other}` copies.
            let value = self.value(only)?;
            if value.ty == *ty {
                return Ok(value);
            }
            if !matches!(fields.first(), Some((_, Type::Array(..), _))) {
                return self.filled(vec![(None, Some(value))], &fields, ty, span);
            }
        }
        let mut values = Vec::new();
        let mut failed = false;
        // With elided braces, an array consumes several items.
        let (mut idx, mut next) = (0, 0);
        while let Some((name, item)) = items.get(next) {
            let position = match name {
                Some(name) => fields.iter().position(|(field, ..)| **field == *name.name),
                None => Some(idx),
            };
            let Some((_, field_ty, _)) = position.and_then(|position| fields.get(position)) else {
                let text = self.text(ty);
                let message = match name {
                    Some(name) => format!("`{text}` has no member `{}`.", name.name),
                    None => format!(
                        "`{text}` has {} members; the list has {}.",
                        fields.len(),
                        items.len()
                    ),
                };
                return self.error(item.span, message);
            };
            next += 1;
            idx += 1;
            let stands_alone = matches!(item.kind, ast::ExprKind::List(_) | ast::ExprKind::Str(_));
            if matches!(field_ty, Type::Array(..)) && name.is_none() && !stands_alone {
                let (value, num) = self.array_of_row(&items[next - 1..], field_ty, item.span)?;
                next += num - 1;
                values.push((position, Some(value)));
                continue;
            }
            let field_name = &fields[position.unwrap_or(0)].0;
            let value = if self.is_reference(ty, field_name) {
                self.referent_address(item, field_ty)
            } else {
                self.initial_value(item, field_ty, "in this list")
            };
            match value {
                Ok(value) => values.push((position, Some(value))),
                Err(Reported) => failed = true,
            }
        }
        if failed {
            return Err(Reported);
        }
        self.filled(values, &fields, ty, span)
    }

    /// A struct from a list that begins with an object for each base; `None` if the list initializes the members of
    /// the bases instead.
    fn aggregate_of_bases(
        &mut self,
        items: &[(Option<Ident>, ast::Expr)],
        ty: &Type,
        span: Span,
    ) -> Checks<Option<Expr>> {
        let Type::Struct(id) = ty else { return Ok(None) };
        let bases = self.bases(*id);
        if bases.is_empty() || self.has_bit_fields(ty) || items.iter().any(|(name, _)| name.is_some()) {
            return Ok(None);
        }
        let mut before: Option<Expr> = None;
        let mut parts = Vec::new();
        for (idx, base) in bases.iter().enumerate() {
            let base_ty = Type::Struct(*base);
            let value = match items.get(idx) {
                None => self.empty_value(&base_ty, span)?,
                Some((_, item)) if matches!(item.kind, ast::ExprKind::List(_)) => {
                    self.initial_value(item, &base_ty, "in this list")?
                }
                Some((_, item)) => {
                    let operand = self.operand(item)?;
                    let value = self.rvalue(operand.clone())?;
                    if value.ty != base_ty && idx == 0 {
                        return Ok(None);
                    }
                    if value.ty == base_ty {
                        self.copied(&operand, value)?
                    } else {
                        self.implicit(value, &base_ty, "in this list")?
                    }
                }
            };
            let kept = self.temporary(base_ty.clone(), span);
            let kept = self.local_place(kept, span);
            let store = assign(kept.clone(), value, span);
            before = Some(match before {
                Some(before) => comma(before, store, span),
                None => store,
            });
            let members = self.fields(&base_ty);
            parts.extend(
                members
                    .into_iter()
                    .zip(0u32..)
                    .map(|((_, member, offset), field)| {
                        let kind = PlaceKind::Field {
                            base: Box::new(kept.clone()),
                            field,
                            offset,
                        };
                        load(Place {
                            kind,
                            ty: member,
                            is_volatile: false,
                            span,
                        })
                    }),
            );
        }
        let own: Vec<(String, Type, u32)> = self.fields(ty).split_off(parts.len());
        let rest = items.get(bases.len()..).unwrap_or_default();
        if rest.len() > own.len() {
            let (text, num) = (self.text(ty), bases.len() + own.len());
            let message = format!(
                "`{text}` has {num} bases and members; the list has {}.",
                items.len()
            );
            return self.error(span, message);
        }
        for (idx, (name, field_ty, _)) in own.iter().enumerate() {
            parts.push(match rest.get(idx) {
                Some((_, item)) if self.is_reference(ty, name) => self.referent_address(item, field_ty)?,
                Some((_, item)) => self.initial_value(item, field_ty, "in this list")?,
                None => self.omitted_field_value(ty, name, field_ty, span)?,
            });
        }
        let whole = expr(ExprKind::Aggregate(parts), ty.clone(), span);
        Ok(Some(match before {
            Some(before) => comma(before, whole, span),
            None => whole,
        }))
    }

    /// The address of the referent of a reference; `ty` is the pointer type that represents the reference.
    pub(super) fn referent_address(&mut self, e: &ast::Expr, ty: &Type) -> Checks<Expr> {
        let Type::Pointer(pointer) = ty else {
            return Err(Reported);
        };
        let operand = self.operand(e)?;
        if *operand_type(&operand) != pointer.pointee
            && !self.derives(operand_type(&operand), &pointer.pointee)
        {
            let (have, want) = (self.text(operand_type(&operand)), self.text(&pointer.pointee));
            let message =
                format!("A reference to `{want}` cannot be initialized with a value of type `{have}`.");
            return self.error(e.span, message);
        }
        let lvalue = match self.designated(operand) {
            Operand::Place(lvalue) => lvalue,
            Operand::Value(value) | Operand::Computed { value, .. } => self.stored_in_temporary(value),
            Operand::Bits(_) => {
                return self.error(
                    e.span,
                    "A reference cannot be bound to a bit-field; copy the bit-field to a variable.",
                );
            }
        };
        if lvalue.is_const && !pointer.is_const {
            let message = "A non-const reference cannot be bound to a const object.";
            return self.error(e.span, message);
        }
        let mut address = self.address_of(lvalue, e.span);
        address.ty = ty.clone();
        Ok(address)
    }

    /// A union with an initialized first or designated member; without a value it is zero.
    fn union_of(
        &mut self,
        member: Option<Field>,
        items: &[(Option<Ident>, ast::Expr)],
        ty: &Type,
        span: Span,
    ) -> Checks<Expr> {
        let zero = self.zero(ty, span);
        let [(name, item)] = items else {
            if items.is_empty() {
                return Ok(zero);
            }
            let text = self.text(ty);
            let message = format!(
                "The union `{text}` takes one initializer; the list has {}.",
                items.len()
            );
            return self.error(span, message);
        };
        let Some(member) = member else {
            let text = self.text(ty);
            let name = name.as_ref().map_or("", |name| &name.name);
            return self.error(item.span, format!("`{text}` has no member `{name}`."));
        };
        if name.is_none() && !matches!(item.kind, ast::ExprKind::List(_)) {
            let value = self.value(item)?;
            if value.ty == *ty {
                return Ok(value);
            }
            let value = self.implicit(value, &member.ty, "in this list")?;
            return self.union_with(&member.ty, value, ty, span);
        }
        if self.has_array(&member.ty) {
            return self.unsupported(item.span, "Unions that are initialized with an array");
        }
        let value = self.initial_value(item, &member.ty, "in this list")?;
        self.union_with(&member.ty, value, ty, span)
    }

    fn union_with(&mut self, member: &Type, value: Expr, ty: &Type, span: Span) -> Checks<Expr> {
        let kept = self.temporary(ty.clone(), span);
        let kept = self.local_place(kept, span);
        let clear = assign(kept.clone(), self.zero(ty, span), span);
        let whole = Operand::Place(Lvalue {
            place: kept.clone(),
            is_const: false,
            constant: None,
            expires: false,
        });
        let Some(Operand::Place(target)) = self.union_member_view(whole, member, span) else {
            return Err(Reported);
        };
        let store = assign(target.place, value, span);
        Ok(comma(comma(clear, store, span), load(kept), span))
    }

    fn filled(
        &mut self,
        mut values: Vec<(Option<usize>, Option<Expr>)>,
        fields: &[(String, Type, u32)],
        ty: &Type,
        span: Span,
    ) -> Checks<Expr> {
        let mut parts = Vec::new();
        for (idx, (_, field_ty, _)) in fields.iter().enumerate() {
            let given = values
                .iter_mut()
                .rev()
                .find(|(position, _)| position.unwrap_or(0) == idx)
                .and_then(|(_, value)| value.take());
            let part = match given {
                Some(value) => self.implicit(value, field_ty, "in this list")?,
                None => self.omitted_field_value(ty, &fields[idx].0, field_ty, span)?,
            };
            parts.push(part);
        }
        Ok(expr(ExprKind::Aggregate(parts), ty.clone(), span))
    }

    /// `T(a, b)`: a vector or struct from all fields, from no arguments, or from another object.
    pub(super) fn constructed(&mut self, ty: &Type, args: &[ast::Expr], span: Span) -> Checks<Expr> {
        let text = self.source_text(span);
        if let Type::Vector(vector) = ty
            && args.len() > 1
            && !matches!(vector.name, "dim3" | "half2" | "__nv_bfloat162")
            && text.starts_with(vector.name)
            && text.ends_with(')')
        {
            let message = format!("`{0}` has no constructor; write `make_{0}(…)`.", vector.name);
            return self.error(span, message);
        }
        if self.has_constructor(ty) {
            let args = self.arguments(args)?;
            // The base subobject of an object.
            if let [super::calls::Arg::Operand(_, only)] = args.as_slice()
                && self.derives(&only.ty, ty)
            {
                return self.implicit(only.clone(), ty, "here");
            }
            if let Some(made) = self.constructor_call(ty, &args, span) {
                return made;
            }
        }
        if !args.is_empty() {
            let items: Vec<(Option<Ident>, ast::Expr)> =
                args.iter().map(|value| (None, value.clone())).collect();
            if let Some(made) = self.aggregate_of_bases(&items, ty, span)? {
                return Ok(made);
            }
        }
        let fields = self.fields(ty);
        if let ([only], Type::Struct(_)) = (args, ty)
            && fields.len() == 1
            && !matches!(only.kind, ast::ExprKind::List(_))
        {
            // An argument of the same type is copied.
            let operand = self.operand(only)?;
            let value = self.rvalue(operand.clone())?;
            if value.ty == *ty {
                return self.copied(&operand, value);
            }
            if self.derives(&value.ty, ty) {
                return self.implicit(value, ty, "here");
            }
        }
        let is_dim3 = matches!(ty, Type::Vector(vector) if vector.name == "dim3");
        if let [only] = args
            && !is_dim3
            && fields.len() != 1
            && !matches!(only.kind, ast::ExprKind::List(_))
            && !(matches!(ty, Type::Struct(_)) && text.ends_with('}') && self.is_first_member(only, &fields))
        {
            if !matches!(ty, Type::Vector(_)) {
                return self.initial_value(only, ty, "here");
            }
            // `float2(object)` also calls explicit conversion functions.
            let value = self.value(only)?;
            return match value.ty {
                Type::Struct(_) => self.cast(value, ty, span),
                _ => self.implicit(value, ty, "here"),
            };
        }
        if self.union_members(ty).is_some() || self.has_bit_fields(ty) {
            let items: Vec<(Option<Ident>, ast::Expr)> =
                args.iter().map(|value| (None, value.clone())).collect();
            return self.aggregate(&items, ty, span);
        }
        if self.has_array(ty) {
            self.check_num_scalars(ty, span)?;
            let items: Vec<(Option<Ident>, ast::Expr)> =
                args.iter().map(|value| (None, value.clone())).collect();
            return self.aggregate(&items, ty, span);
        }
        let mut parts = Vec::new();
        for ((_, field_ty, _), idx) in fields.iter().zip(0usize..) {
            let part = match args.get(idx) {
                Some(arg) => self.initial_value(arg, field_ty, "here")?,
                // `dim3(x)` sets the omitted dimensions to 1.
                None if is_dim3 => int(1, Type::U32, span),
                None => self.omitted_field_value(ty, &fields[idx].0, field_ty, span)?,
            };
            parts.push(part);
        }
        if args.len() > fields.len() {
            let message = format!(
                "`{}` has {} members, not {}.",
                self.text(ty),
                fields.len(),
                args.len()
            );
            return self.error(span, message);
        }
        Ok(expr(ExprKind::Aggregate(parts), ty.clone(), span))
    }

    /// Whether a value has the type of the first field, or is a number that converts to it.
    fn is_first_member(&mut self, value: &ast::Expr, fields: &[(String, Type, u32)]) -> bool {
        let Some((_, first, _)) = fields.first() else {
            return false;
        };
        // The check of the value as its final type reports the error.
        let (num_diagnostics, broken) = (self.diagnostics.len(), self.body.broken);
        let found = self.value(value);
        self.diagnostics.truncate(num_diagnostics);
        self.body.broken = broken;
        found.is_ok_and(|value| {
            !matches!(value.ty, Type::Struct(_)) && self.conversion_cost(&value, first).is_some()
        })
    }

    /// The value of a field that a list omits.
    fn omitted_field_value(&mut self, ty: &Type, field: &str, field_ty: &Type, span: Span) -> Checks<Expr> {
        match self.field_default(ty, field, field_ty) {
            Some(value) => value,
            None => self.empty_value(field_ty, span),
        }
    }

    /// Zero of a type.
    pub(super) fn zero(&self, ty: &Type, span: Span) -> Expr {
        match ty {
            Type::Bool => constant(Const::Bool(false), ty.clone(), span),
            Type::F16 | Type::Bf16 | Type::F32 => constant(Const::F32(0.0), ty.clone(), span),
            Type::F64 => constant(Const::F64(0.0), ty.clone(), span),
            Type::Vector(_) | Type::Struct(_) => {
                let parts = self
                    .fields(ty)
                    .iter()
                    .map(|(_, field, _)| self.zero(field, span))
                    .collect();
                expr(ExprKind::Aggregate(parts), ty.clone(), span)
            }
            Type::Array(elem, len) => {
                let parts = vec![self.zero(elem, span); *len as usize];
                expr(ExprKind::Aggregate(parts), ty.clone(), span)
            }
            _ => int(0, ty.clone(), span),
        }
    }

    /// Whether a value of this type contains an array.
    fn has_array(&self, ty: &Type) -> bool {
        match ty {
            Type::Array(..) => true,
            Type::Struct(_) => self.fields(ty).iter().any(|(_, field, _)| self.has_array(field)),
            _ => false,
        }
    }

    /// The initializer of a local variable. The list determines the size of an array without a size.
    pub(super) fn variable_init(&mut self, ty: &mut Type, open: bool, e: &ast::Expr) -> Checks<Init> {
        if !self.has_array(ty) {
            return self
                .initial_value(e, ty, "in the initializer of this variable")
                .map(Init::Value);
        }
        if let (Type::Array(elem, len), Some(text)) = (&mut *ty, string_of(e))
            && text.encoding.fits(elem)
        {
            if open {
                *len = text.len() as u32 + 1;
            }
            let (elem, len) = ((**elem).clone(), *len);
            let parts = self.string_parts(text, &elem, len, 0, e.span)?;
            return Ok(Init::Parts {
                zero_rest: true,
                parts,
            });
        }
        let ast::ExprKind::List(items) = &e.kind else {
            if matches!(ty, Type::Struct(_)) {
                return self
                    .initial_value(e, ty, "in the initializer of this variable")
                    .map(Init::Value);
            }
            if let (Type::Array(elem, _), ast::ExprKind::Str(text)) = (&*ty, &e.kind) {
                let (elem, own) = (self.text(elem), self.text(&text.encoding.ty()));
                let message = format!(
                    "The characters of this string are `{own}`; they cannot initialize an array of `{elem}`."
                );
                return self.error(e.span, message);
            }
            return self.error(
                e.span,
                "The initializer of an array is a list in braces, such as `{1, 2, 3}`; `{}` \
                 sets all elements to 0.",
            );
        };
        if let (Type::Array(_, len), true) = (&mut *ty, open) {
            *len = items.len() as u32;
            if items.is_empty() {
                return self.error(e.span, "An array without a size needs at least one value.");
            }
        }
        let mut parts = Vec::new();
        self.parts(items, ty, 0, e.span, &mut parts)?;
        let covered: u64 = parts.iter().map(|(_, part)| self.size_of(&part.ty)).sum();
        Ok(Init::Parts {
            zero_rest: covered < self.size_of(ty),
            parts,
        })
    }

    /// The characters of a string as an array of `len` elements, padded with zeros.
    fn string_parts(
        &mut self,
        text: &Text,
        elem: &Type,
        len: u32,
        offset: u32,
        span: Span,
    ) -> Checks<Vec<(u32, Expr)>> {
        if text.len() >= len as usize {
            return self.error(span, "This string does not fit into its array.");
        }
        let width = text.encoding.bytes() as u32;
        let part =
            |(value, at): (u32, u32)| (offset + at * width, int(i128::from(value), elem.clone(), span));
        Ok(text.elements().zip(0u32..).map(part).collect())
    }

    /// A string in an expression: a constant array in device memory, shared by equal strings.
    pub(super) fn string(&mut self, text: &Text, span: Span) -> Lvalue {
        let ty = Type::Array(Box::new(text.encoding.ty()), text.len() as u32 + 1);
        let width = text.encoding.bytes();
        let mut image = text.bytes.clone();
        image.resize(image.len() + width, 0);
        let is_same =
            |global: &Global| global.name.starts_with(STRING) && global.ty == ty && global.image == image;
        let known = self.globals.iter().position(is_same);
        let idx = known.unwrap_or_else(|| {
            self.globals.push(Global {
                name: format!("{STRING}{}", self.globals.len()),
                ty: ty.clone(),
                space: GlobalSpace::Device,
                align: width as u32,
                image: image.clone(),
                is_volatile: false,
                span,
            });
            self.const_arrays.insert(self.globals.len() as u32 - 1);
            self.globals.len() - 1
        });
        Lvalue {
            place: Place {
                kind: PlaceKind::Global(GlobalId(idx as u32)),
                ty,
                is_volatile: false,
                span,
            },
            is_const: true,
            constant: None,
            expires: false,
        }
    }

    /// Collects the stores of a list, part by part.
    fn parts(
        &mut self,
        items: &[(Option<Ident>, ast::Expr)],
        ty: &Type,
        offset: u32,
        span: Span,
        out: &mut Vec<(u32, Expr)>,
    ) -> Checks<()> {
        if matches!(ty, Type::Struct(_)) && (self.has_bit_fields(ty) || self.has_elided_braces(items, ty)) {
            self.check_num_scalars(ty, span)?;
            let value = self.aggregate(items, ty, span)?;
            out.push((offset, value));
            return Ok(());
        }
        let slots: Vec<(String, Type, u32)> = match ty {
            Type::Array(elem, len) => {
                let size = self.size_of(elem) as u32;
                (0..*len)
                    .take(items.len())
                    .map(|idx| (String::new(), (**elem).clone(), idx * size))
                    .collect()
            }
            _ => match self.union_members(ty) {
                Some(members) => members
                    .iter()
                    .take(1)
                    .map(|member| (member.name.clone(), member.ty.clone(), 0))
                    .collect(),
                None => self.fields(ty),
            },
        };
        let num_slots = match ty {
            Type::Array(_, len) => *len as usize,
            _ => slots.len(),
        };
        // `{1, 2, 3, 4}` for a nested array initializes its elements in order.
        let is_flat = items
            .iter()
            .all(|(_, item)| !matches!(item.kind, ast::ExprKind::List(_) | ast::ExprKind::Str(_)));
        if let Type::Array(elem, _) = ty
            && is_flat
            && matches!(**elem, Type::Array(..))
        {
            return self.flat_parts(items, ty, offset, span, out);
        }
        // The braces of an array that is the only member of a struct can be elided.
        if let (Type::Struct(_), [(_, inner @ Type::Array(..), at)]) = (ty, slots.as_slice())
            && is_flat
            && items.len() > 1
        {
            return self.parts(items, inner, offset + at, span, out);
        }
        if items.len() > num_slots {
            let text = self.text(ty);
            return self.error(
                span,
                format!("`{text}` has {num_slots} elements; the list has {}.", items.len()),
            );
        }
        for (idx, (name, item)) in items.iter().enumerate() {
            let slot = match name {
                Some(name) => slots.iter().find(|(field, ..)| **field == *name.name),
                None => slots.get(idx),
            };
            let Some((_, slot_ty, slot_offset)) = slot else {
                return self.error(item.span, "No member has this name.");
            };
            let at = offset + slot_offset;
            if let (Type::Array(elem, len), Some(text)) = (slot_ty, string_of(item))
                && text.encoding.fits(elem)
            {
                out.extend(self.string_parts(text, elem, *len, at, item.span)?);
                continue;
            }
            match &item.kind {
                ast::ExprKind::List(inner) if self.has_array(slot_ty) => {
                    self.parts(inner, slot_ty, at, item.span, out)?;
                }
                _ => {
                    let value = self.initial_value(item, slot_ty, "in this list")?;
                    out.push((at, value));
                }
            }
            if out.len() > MAX_PARTS {
                return self.error(span, "Too many initializer values.");
            }
        }
        Ok(())
    }

    /// Whether the list of a struct with several members has elided braces around the elements of an array.
    fn has_elided_braces(&self, items: &[(Option<Ident>, ast::Expr)], ty: &Type) -> bool {
        let fields = self.fields(ty);
        fields.len() > 1
            && self.union_members(ty).is_none()
            && items.iter().zip(&fields).any(|((name, item), (_, field, _))| {
                name.is_none()
                    && matches!(field, Type::Array(..))
                    && !matches!(item.kind, ast::ExprKind::List(_) | ast::ExprKind::Str(_))
            })
    }

    fn flat_parts(
        &mut self,
        items: &[(Option<Ident>, ast::Expr)],
        ty: &Type,
        offset: u32,
        span: Span,
        out: &mut Vec<(u32, Expr)>,
    ) -> Checks<()> {
        let mut elem = ty;
        while let Type::Array(inner, _) = elem {
            elem = inner;
        }
        let size = self.size_of(elem).max(1);
        let num = self.size_of(ty) / size;
        if items.len() as u64 > num {
            let text = self.text(ty);
            return self.error(
                span,
                format!("`{text}` has {num} elements; the list has {}.", items.len()),
            );
        }
        for ((_, item), idx) in items.iter().zip(0u32..) {
            let value = self.initial_value(item, elem, "in this list")?;
            out.push((offset + idx * size as u32, value));
        }
        Ok(())
    }

    /// The contents of a variable at file scope, which must be a constant expression.
    pub(super) fn image(&mut self, init: &Init, ty: &Type, span: Span) -> Checks<Vec<u8>> {
        let mut image = vec![0u8; usize::try_from(self.size_of(ty)).unwrap_or(0)];
        let complete = match init {
            Init::Value(value) => self.write_constant(value, 0, &mut image),
            Init::Parts { parts, .. } => parts
                .iter()
                .all(|(offset, part)| self.write_constant(part, *offset as usize, &mut image)),
        };
        if complete {
            return Ok(image);
        }
        self.error(
            span,
            "The initializer of a variable outside functions must be a constant expression.",
        )
    }

    fn write_constant(&mut self, value: &Expr, offset: usize, image: &mut [u8]) -> bool {
        if let (ExprKind::Aggregate(parts), Type::Array(elem, _)) = (&value.kind, &value.ty) {
            let size = self.size_of(elem) as usize;
            return parts
                .iter()
                .enumerate()
                .all(|(idx, part)| self.write_constant(part, offset + idx * size, image));
        }
        if let ExprKind::Aggregate(parts) = &value.kind {
            let fields = self.fields(&value.ty);
            return parts
                .iter()
                .zip(&fields)
                .all(|(part, (_, _, at))| self.write_constant(part, offset + *at as usize, image));
        }
        let size = self.size_of(&value.ty) as usize;
        let Some(known) = self.evaluate(value) else {
            return false;
        };
        let known = match (known, &value.ty) {
            (Const::F32(number), Type::F16) => Const::Int(i128::from(crate::ir::fold::half_from_f64(
                number.into(),
                crate::ir::Rounding::Rn,
            ))),
            (Const::F32(number), Type::Bf16) => Const::Int(i128::from(number.to_bits() >> 16)),
            (known, _) => known,
        };
        let bytes = bytes_of(known, size);
        match image.get_mut(offset..offset + bytes.len()) {
            Some(target) => {
                target.copy_from_slice(&bytes);
                true
            }
            None => false,
        }
    }

    /// A condition that must be constant and true.
    pub(super) fn static_assert(&mut self, assertion: &ast::StaticAssert) {
        let Ok(cond) = self.condition(&assertion.cond) else {
            return;
        };
        let span = assertion.cond.span;
        match self.evaluate(&cond).and_then(fold::truth) {
            Some(true) => {}
            Some(false) if self.is_of_header(span) => {
                let text = assertion.message.as_deref().unwrap_or_default();
                let message = format!("{text}.");
                let _ = self.report::<()>(if text.contains("compute capability") {
                    Diagnostic::architecture(span, message)
                } else {
                    Diagnostic::error(span, message)
                });
            }
            Some(false) => {
                let message = match &assertion.message {
                    Some(text) => format!("static_assert failed: {text}"),
                    None => "static_assert failed.".to_owned(),
                };
                let _ = self.error::<()>(span, message);
            }
            None => {
                let _ = self.error::<()>(
                    span,
                    "The condition of `static_assert` must be a constant expression.",
                );
            }
        }
    }
}

/// The string literal of an initializer, optionally in braces.
pub(super) fn string_of(e: &ast::Expr) -> Option<&Text> {
    match &e.kind {
        ast::ExprKind::Str(text) => Some(text),
        ast::ExprKind::List(items) => match items.as_slice() {
            [(None, only)] if matches!(only.kind, ast::ExprKind::Str(_)) => string_of(only),
            _ => None,
        },
        _ => None,
    }
}
