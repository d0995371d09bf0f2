//! Bit-fields: their layout in the struct, and how they are read and written. Storage words are fields of the struct.
//! A bit-field is a part of one word, or of two consecutive words.

use super::classes::Class;
use super::names::{Symbol, deref, load};
use super::ops::{assign, binary, comma, converted, promoted};
use super::scoped_enums::as_integer;
use super::{Checker, Checks, Lvalue, Operand, constant, expr, int};
use crate::ast;
use crate::hir::{BinaryOp, Const, Expr, ExprKind, Field, Place, PlaceKind, StructId, Type};
use engine::ids::Span;

/// Prefix of the names of storage words.
const WORD: &str = "bits ";

/// A bit-field of a struct.
#[derive(Clone, Debug)]
pub(super) struct BitField {
    pub(super) name: String,
    pub(super) ty: Type,
    pub(super) is_const: bool,
    is_signed: bool,
    /// The width in bits.
    width: u32,
    /// The first bit in the struct.
    start: u64,
    /// Its initializer.
    init: Option<ast::Expr>,
}

/// Consecutive bit-fields that have no storage words yet.
#[derive(Debug, Default)]
pub(super) struct Run {
    /// The first byte.
    start: u64,
    /// The bit after the last bit.
    end: u64,
}

/// A bit-field of an object.
#[derive(Clone, Debug)]
pub(super) struct Bits {
    whole: Operand,
    field: BitField,
    pub(super) is_const: bool,
    span: Span,
}

impl BitField {
    /// Whether the declaration has an initializer.
    pub(super) const fn has_default(&self) -> bool {
        // The word is zero before the first write, because a write preserves the other bits of the word.
        true
    }
}

impl Bits {
    pub(super) const fn ty(&self) -> &Type {
        &self.field.ty
    }

    pub(super) const fn span(&self) -> Span {
        self.span
    }
}

/// The part of a bit-field in one word.
struct Piece {
    /// The field of the struct.
    field: usize,
    ty: Type,
    /// The first bit in the word.
    low: u32,
    /// The first bit in the bit-field.
    at: u32,
    width: u32,
}

impl Checker {
    /// Places a bit-field after `offset` bytes, as the Itanium C++ ABI does: no bit-field crosses a boundary of its
    /// type.
    pub(super) fn place_bit_field(
        &mut self,
        id: StructId,
        declarator: &ast::Declarator,
        resolved: &super::types::Resolved,
        offset: &mut u64,
        align: &mut u32,
    ) -> Checks<()> {
        let (name, ty) = (&declarator.name, &resolved.ty);
        let Some(bits) = &declarator.bits else {
            return Ok(());
        };
        if (!ty.representation().is_integer() && *ty != Type::Bool) || resolved.is_ref {
            let text = self.text(ty);
            return self.error(
                bits.span,
                format!("A bit-field must have an integer type, not `{text}`."),
            );
        }
        let width = self.constant_int(bits, "The width of a bit-field")?;
        let (unit, unit_align) = (self.size_of(ty) * 8, u64::from(self.align_of(ty)) * 8);
        let most = if *ty == Type::Bool { 1 } else { unit };
        let width = match u64::try_from(width) {
            Ok(width) if width <= most => width,
            Ok(_) => {
                let message = format!("This bit-field has {width} bits, and its type has only {most}.");
                return self.error(bits.span, message);
            }
            Err(_) => return self.error(bits.span, "The width of a bit-field must not be negative."),
        };
        // An enum without a fixed underlying type is unsigned unless an enumerator is negative.
        let is_unsigned = match &declarator.ty.base {
            ast::BaseType::Named(ident) => match self.lookup(&ident.name) {
                Some(Symbol::Enum(values, _)) => {
                    let is_plain = values
                        .first()
                        .is_some_and(|(name, _)| matches!(self.lookup(name), Some(Symbol::Constant(..))));
                    is_plain && values.iter().all(|(_, value)| *value >= 0)
                }
                _ => false,
            },
            _ => false,
        };
        let is_signed = ty.representation().is_signed() && !is_unsigned;
        let Some(class) = self.classes.get_mut(&id.0) else {
            return Ok(());
        };
        let run = class.bit_run.get_or_insert_with(|| Run {
            start: *offset,
            end: *offset * 8,
        });
        if width == 0 {
            // The next member starts at a boundary of the type.
            run.end = run.end.next_multiple_of(unit_align);
            *offset = run.end / 8;
            return if name.name.is_empty() {
                Ok(())
            } else {
                self.error(bits.span, "A bit-field of width 0 must not have a name.")
            };
        }
        if run.end / unit != (run.end + width - 1) / unit {
            run.end = run.end.next_multiple_of(unit_align);
        }
        let start = run.end;
        run.end += width;
        *offset = run.end.div_ceil(8);
        if name.name.is_empty() {
            return Ok(());
        }
        *align = (*align).max(unit_align as u32 / 8);
        let init = match &declarator.init {
            Some(ast::Initializer::Value(value)) => Some(value.clone()),
            _ => None,
        };
        if class.bit_fields.iter().any(|field| *field.name == *name.name) {
            let message = format!(
                "The member `{}` is declared twice; rename one of them.",
                name.name
            );
            return self.error(name.span, message);
        }
        class.bit_fields.push(BitField {
            name: name.name.to_string(),
            ty: ty.clone(),
            is_const: resolved.is_const,
            is_signed,
            width: width as u32,
            start,
            init,
        });
        self.bit_field_names.insert(name.name.clone());
        Ok(())
    }

    /// Creates the storage words of the last bit-fields; the next member starts `limit` bytes from the start.
    pub(super) fn close_bit_fields(&mut self, id: StructId, limit: u64, fields: &mut Vec<Field>) {
        let Some(run) = self.classes.get_mut(&id.0).and_then(|class| class.bit_run.take()) else {
            return;
        };
        let end = run.end.div_ceil(8);
        let mut at = run.start;
        while at < end {
            let bytes = [4, 2, 1]
                .into_iter()
                .find(|bytes| at % bytes == 0 && at + bytes <= limit.max(end));
            let bytes = bytes.unwrap_or(1);
            let ty = match bytes {
                4 => Type::U32,
                2 => Type::U16,
                _ => Type::U8,
            };
            fields.push(Field {
                name: format!("{WORD}{} to {}", at * 8, (at + bytes) * 8 - 1),
                ty,
                offset: at as u32,
            });
            at += bytes;
        }
    }

    /// The bit-field with a given name in a type, and the offset of its struct.
    fn bit_field_of(&self, ty: &Type, name: &str) -> Option<&BitField> {
        let Type::Struct(id) = ty else { return None };
        if !self.bit_field_names.contains(name) {
            return None;
        }
        self.self_and_bases(*id).into_iter().find_map(|owner| {
            let fields = &self.classes.get(&owner.0)?.bit_fields;
            fields.iter().find(|field| field.name == name)
        })
    }

    /// Whether a type has a bit-field with a given name.
    pub(super) fn is_bit_field(&self, ty: &Type, name: &str) -> bool {
        self.bit_field_of(ty, name).is_some()
    }

    /// The bit-field with a given name in an object.
    pub(super) fn bits_of(&mut self, whole: &Operand, name: &str, span: Span) -> Option<Operand> {
        let field = self.bit_field_of(super::ops::operand_type(whole), name)?.clone();
        let whole = match whole {
            Operand::Computed { .. } => self.designated(whole.clone()),
            other => other.clone(),
        };
        let is_const = field.is_const || !matches!(&whole, Operand::Place(lvalue) if !lvalue.is_const);
        Some(Operand::Bits(Box::new(Bits {
            whole,
            field,
            is_const,
            span,
        })))
    }

    /// The names of the bit-fields that begin in a storage word.
    pub(super) fn bit_fields_in(&self, ty: &Type, word: &str, offset: u32) -> Option<Vec<String>> {
        let Type::Struct(id) = ty else { return None };
        if !word.starts_with(WORD) {
            return None;
        }
        let bytes = self.word_bytes(ty, offset);
        let fields = self
            .self_and_bases(*id)
            .into_iter()
            .filter_map(|owner| self.classes.get(&owner.0));
        let all = fields.flat_map(|class: &Class| &class.bit_fields);
        let within = u64::from(offset) * 8..u64::from(offset + bytes) * 8;
        let names = all.filter(|field| within.contains(&field.start));
        Some(names.map(|field| field.name.clone()).collect())
    }

    fn word_bytes(&self, ty: &Type, offset: u32) -> u32 {
        let found = self.fields(ty).into_iter().find(|(_, _, at)| *at == offset);
        found.map_or(0, |(_, ty, _)| self.size_of(&ty) as u32)
    }

    /// Whether a type has bit-fields.
    pub(super) fn has_bit_fields(&self, ty: &Type) -> bool {
        let Type::Struct(id) = ty else { return false };
        !self.bit_field_names.is_empty()
            && self.self_and_bases(*id).into_iter().any(|owner| {
                let class = self.classes.get(&owner.0);
                class.is_some_and(|class| !class.bit_fields.is_empty())
            })
    }

    /// The initial value of a storage word from the initializers of its bit-fields, if there are any.
    pub(super) fn default_of_word(&mut self, ty: &Type, word: &str) -> Option<Checks<Expr>> {
        let Type::Struct(id) = ty else { return None };
        if !word.starts_with(WORD) {
            return None;
        }
        let (_, word_ty, offset) = self.fields(ty).into_iter().find(|(name, ..)| name == word)?;
        let mut found: Option<Expr> = None;
        for owner in self.self_and_bases(*id) {
            let fields = self.classes.get(&owner.0)?.bit_fields.clone();
            for field in fields {
                let Some(init) = field.init.clone() else { continue };
                let value = self.in_class(owner, |this| {
                    this.initial_value(&init, &field.ty, "in the initializer of this member")
                });
                let value = match value {
                    Ok(value) => value,
                    Err(reported) => return Some(Err(reported)),
                };
                found = self.word_with(found, &field, value, &word_ty, offset);
            }
        }
        Some(Ok(found.unwrap_or_else(|| int(0, word_ty, Span::default()))))
    }

    /// A struct with bit-fields from the values of its members, in order of declaration.
    pub(super) fn aggregate_of_bits(
        &mut self,
        items: &[(Option<ast::Ident>, ast::Expr)],
        ty: &Type,
        span: Span,
    ) -> Checks<Expr> {
        let names = self.field_names(ty);
        let fields = self.fields(ty);
        let mut given: Vec<Option<&ast::Expr>> = vec![None; names.len()];
        // Arrays with elided braces, by the positions of their members.
        let mut rows: Vec<(usize, Expr)> = Vec::new();
        let (mut member, mut next) = (0, 0);
        while let Some((name, item)) = items.get(next) {
            let at = match name {
                Some(name) => names.iter().position(|own| *own == *name.name),
                None => Some(member).filter(|idx| *idx < names.len()),
            };
            (member, next) = (member + 1, next + 1);
            let stands_alone = matches!(item.kind, ast::ExprKind::List(_) | ast::ExprKind::Str(_));
            if let Some(at) = at
                && name.is_none()
                && !stands_alone
                && let Some((_, array @ Type::Array(..), _)) =
                    fields.iter().find(|(own, ..)| *own == names[at])
            {
                let (row, num) = self.array_of_row(&items[next - 1..], array, item.span)?;
                rows.push((at, row));
                next += num - 1;
                continue;
            }
            let Some(at) = at else {
                let text = self.text(ty);
                let message = format!(
                    "`{text}` has {} members; the list has {}.",
                    names.len(),
                    items.len()
                );
                return self.error(item.span, message);
            };
            given[at] = Some(item);
        }
        let mut parts = Vec::new();
        for (own, field_ty, offset) in fields {
            let Some(inside) = self.bit_fields_in(ty, &own, offset) else {
                let at = names.iter().position(|name| *name == own);
                if let Some((_, row)) = rows.iter().find(|(position, _)| Some(*position) == at) {
                    parts.push(row.clone());
                    continue;
                }
                let part = match at.and_then(|at| given[at]) {
                    Some(item) => self.initial_value(item, &field_ty, "in this list")?,
                    None => match self.field_default(ty, &own, &field_ty) {
                        Some(value) => value?,
                        None => self.zero(&field_ty, span),
                    },
                };
                parts.push(part);
                continue;
            };
            let mut word = None;
            // A bit-field in two words contributes to both.
            let before = names
                .iter()
                .filter(|name| self.is_bit_field(ty, name))
                .cloned()
                .collect::<Vec<_>>();
            debug_assert!(inside.iter().all(|name| before.contains(name)));
            for name in before {
                let Some(field) = self.bit_field_of(ty, &name).cloned() else {
                    continue;
                };
                let item = names.iter().position(|own| *own == name).and_then(|at| given[at]);
                let Some(item) = item.cloned().or_else(|| field.init.clone()) else {
                    continue;
                };
                let bits = u64::from(offset) * 8..u64::from(offset) * 8 + self.size_of(&field_ty) * 8;
                if field.start >= bits.end || field.start + u64::from(field.width) <= bits.start {
                    continue;
                }
                let value = self.initial_value(&item, &field.ty, "in this list")?;
                word = self.word_with(word, &field, value, &field_ty, offset);
            }
            parts.push(word.unwrap_or_else(|| int(0, field_ty.clone(), span)));
        }
        Ok(expr(ExprKind::Aggregate(parts), ty.clone(), span))
    }

    /// A storage word with the value of a bit-field inserted.
    fn word_with(
        &mut self,
        word: Option<Expr>,
        field: &BitField,
        value: Expr,
        word_ty: &Type,
        offset: u32,
    ) -> Option<Expr> {
        let (first, num) = (u64::from(offset) * 8, self.size_of(word_ty) * 8);
        let (start, end) = (
            field.start.max(first),
            (field.start + u64::from(field.width)).min(first + num),
        );
        if start >= end {
            return word;
        }
        let span = value.span;
        let wide = wide_type(&field.ty);
        let value = converted(as_integer(value), &wide);
        let value = shifted(BinaryOp::Shr, value, (start - field.start) as u32, span);
        let value = masked(value, (end - start) as u32, span);
        let value = converted(value, &Type::U32);
        let value = shifted(BinaryOp::Shl, value, (start - first) as u32, span);
        let sum = match word {
            Some(word) => binary(BinaryOp::Or, converted(word, &Type::U32), value, Type::U32, span),
            None => value,
        };
        Some(converted(sum, word_ty))
    }

    fn pieces(&self, bits: &Bits) -> Vec<Piece> {
        let mut out = Vec::new();
        let (start, end) = (bits.field.start, bits.field.start + u64::from(bits.field.width));
        let fields = self.fields(super::ops::operand_type(&bits.whole));
        for (idx, (name, ty, offset)) in fields.into_iter().enumerate() {
            let first = u64::from(offset) * 8;
            let last = first + self.size_of(&ty) * 8;
            if !name.starts_with(WORD) || last <= start || first >= end {
                continue;
            }
            let (from, to) = (start.max(first), end.min(last));
            out.push(Piece {
                field: idx,
                ty,
                low: (from - first) as u32,
                at: (from - start) as u32,
                width: (to - from) as u32,
            });
        }
        out
    }

    /// The value of a bit-field.
    pub(super) fn read_bits(&mut self, bits: &Bits) -> Checks<Expr> {
        let span = bits.span;
        let pieces = self.pieces(bits);
        let wide = wide_type(&bits.field.ty);
        let mut whole = bits.whole.clone();
        let mut before = None;
        if pieces.len() > 1 {
            (before, whole) = self.with_stable_address(whole, span);
        }
        let mut value: Option<Expr> = None;
        let num = pieces.len();
        for piece in pieces {
            let Some(word) = self.field_at(whole.clone(), piece.field, span) else {
                continue;
            };
            let word = self.rvalue(word)?;
            if num == 1 {
                let word = converted(word, &wide);
                value = Some(extracted(word, piece.low, &bits.field, span));
                break;
            }
            let word = shifted(BinaryOp::Shr, converted(word, &Type::U32), piece.low, span);
            let part = converted(masked(word, piece.width, span), &wide);
            let part = shifted(BinaryOp::Shl, part, piece.at, span);
            value = Some(match value {
                Some(value) => binary(BinaryOp::Or, value, part, wide.clone(), span),
                None => part,
            });
        }
        let value = value.unwrap_or_else(|| int(0, wide.clone(), span));
        let value = if num == 1 {
            value
        } else {
            extracted(value, 0, &bits.field, span)
        };
        let value = of_field_type(value, &bits.field.ty);
        Ok(match before {
            Some(before) => comma(before, value, span),
            None => value,
        })
    }

    /// The value of an operand. A bit-field promotes to `int` if `int` holds all its values, whatever its type.
    pub(super) fn promoted_value(&mut self, operand: Operand) -> Checks<Expr> {
        let Operand::Bits(bits) = &operand else {
            return self.rvalue(operand);
        };
        let value = self.read_bits(bits)?;
        if value.ty.is_scoped_enum() {
            return Ok(value);
        }
        let fits = bits.field.width < 32 || bits.field.width == 32 && bits.field.is_signed;
        let ty = if fits { Type::I32 } else { promoted(&value.ty) };
        Ok(converted(value, &ty))
    }

    /// Writes a bit-field. The result is the new value of the bit-field.
    pub(super) fn write_bits(&mut self, bits: &Bits, value: Expr, span: Span) -> Checks<Expr> {
        if bits.is_const {
            return self.error(span, "This bit-field is const and cannot be modified.");
        }
        let (before, whole) = self.with_stable_address(bits.whole.clone(), span);
        let written = self.write_words(bits, &whole, value, span)?;
        Ok(match before {
            Some(before) => comma(before, written, span),
            None => written,
        })
    }

    fn write_words(&mut self, bits: &Bits, whole: &Operand, value: Expr, span: Span) -> Checks<Expr> {
        let value = self.implicit(value, &bits.field.ty, "in this assignment")?;
        let wide = wide_type(&bits.field.ty);
        let value = converted(as_integer(value), &wide);
        let (keep, value) = if matches!(value.kind, ExprKind::Const(_)) {
            (None, value)
        } else {
            let kept = self.temporary(wide.clone(), span);
            let kept = self.local_place(kept, span);
            (Some(assign(kept.clone(), value, span)), load(kept))
        };
        let mut out = keep;
        for piece in self.pieces(bits) {
            let Some(Operand::Place(word)) = self.field_at(whole.clone(), piece.field, span) else {
                return self.error(
                    span,
                    "A temporary value cannot be modified; copy it to a variable.",
                );
            };
            let part = shifted(BinaryOp::Shr, value.clone(), piece.at, span);
            let part = converted(masked(part, piece.width, span), &Type::U32);
            let part = shifted(BinaryOp::Shl, part, piece.low, span);
            let keeps = !(mask(piece.width) << piece.low) & mask(self.size_of(&piece.ty) as u32 * 8);
            let part = if keeps == 0 {
                part
            } else {
                let old = converted(load(word.place.clone()), &Type::U32);
                let keeps = int(i128::from(keeps), Type::U32, span);
                let old = binary(BinaryOp::And, old, keeps, Type::U32, span);
                binary(BinaryOp::Or, old, part, Type::U32, span)
            };
            let store = assign(word.place, converted(part, &piece.ty), span);
            out = Some(match out {
                Some(before) => comma(before, store, span),
                None => store,
            });
        }
        let result = of_field_type(extracted(value, 0, &bits.field, span), &bits.field.ty);
        Ok(match out {
            Some(out) => comma(out, result, span),
            None => result,
        })
    }

    /// `bits op= value`, and `++bits` as `bits += 1`. The result is the old value for `bits++`.
    pub(super) fn change_bits(
        &mut self,
        op: BinaryOp,
        bits: &Bits,
        value: Expr,
        gives_old: bool,
        span: Span,
    ) -> Checks<Expr> {
        let (before, whole) = self.with_stable_address(bits.whole.clone(), span);
        let bits = Bits {
            whole,
            ..bits.clone()
        };
        let old = self.promoted_value(Operand::Bits(Box::new(bits.clone())))?;
        let kept = self.temporary(old.ty.clone(), span);
        let kept = self.local_place(kept, span);
        let keep = assign(kept.clone(), old, span);
        let new = self.arithmetic(op, load(kept.clone()), value, span)?;
        let new = converted(new, &bits.field.ty);
        let mut out = self.write_bits(&bits, new, span)?;
        if gives_old {
            out = comma(out, converted(load(kept), &bits.field.ty), span);
        }
        out = comma(keep, out, span);
        Ok(match before {
            Some(before) => comma(before, out, span),
            None => out,
        })
    }

    /// The bit-field that an expression writes, if its name can be a bit-field.
    pub(super) fn bits_to_write(&mut self, e: &ast::Expr) -> Checks<Option<Bits>> {
        let name = match &e.kind {
            ast::ExprKind::Name(name) => name,
            ast::ExprKind::Member { field, .. } => &field.name,
            _ => return Ok(None),
        };
        let own = super::items::own_name(name);
        if !self.bit_field_names.contains(&own) {
            return Ok(None);
        }
        match self.operand(e)? {
            Operand::Bits(bits) if bits.is_const => {
                self.error(e.span, format!("`{own}` is const here and cannot be modified."))
            }
            Operand::Bits(bits) => Ok(Some(*bits)),
            _ => Ok(None),
        }
    }

    /// An object whose address is computed once, and the expression that computes the address.
    fn with_stable_address(&mut self, whole: Operand, span: Span) -> (Option<Expr>, Operand) {
        match whole {
            Operand::Place(lvalue) if !is_pure_place(&lvalue.place) => {
                let is_const = lvalue.is_const;
                let address = self.address_of(lvalue, span);
                let kept = self.temporary(address.ty.clone(), span);
                let kept = self.local_place(kept, span);
                let keep = assign(kept.clone(), address, span);
                let place = deref(load(kept), false);
                (
                    Some(keep),
                    Operand::Place(Lvalue {
                        place,
                        is_const,
                        constant: None,
                        expires: false,
                    }),
                )
            }
            Operand::Value(value) => {
                let ty = value.ty.clone();
                let kept = self.temporary(ty, span);
                let place = self.local_place(kept, span);
                let keep = assign(place.clone(), value, span);
                (
                    Some(keep),
                    Operand::Place(Lvalue {
                        place,
                        is_const: false,
                        constant: None,
                        expires: false,
                    }),
                )
            }
            other => (None, other),
        }
    }
}

/// Whether repeated evaluation of a place yields the same place without side effects.
fn is_pure_place(place: &Place) -> bool {
    match &place.kind {
        PlaceKind::Local(_) | PlaceKind::Global(_) => true,
        PlaceKind::Field { base, .. } => is_pure_place(base),
        PlaceKind::Deref(pointer) => is_pure(pointer),
    }
}

fn is_pure(value: &Expr) -> bool {
    match &value.kind {
        ExprKind::Const(_) => true,
        ExprKind::Load(place) => !place.is_volatile && matches!(place.kind, PlaceKind::Local(_)),
        ExprKind::AddressOf(place) => is_pure_place(place),
        ExprKind::PtrAdd { ptr, index, .. } => is_pure(ptr) && is_pure(index),
        ExprKind::Convert(inner) => is_pure(inner),
        _ => false,
    }
}

/// The bits of a bit-field as a value of its type.
fn of_field_type(value: Expr, ty: &Type) -> Expr {
    Expr {
        ty: ty.clone(),
        ..converted(value, ty.representation())
    }
}

/// The unsigned type in which a bit-field is computed.
fn wide_type(ty: &Type) -> Type {
    match ty.representation() {
        Type::I64 | Type::U64 => Type::U64,
        _ => Type::U32,
    }
}

const fn mask(width: u32) -> u32 {
    if width >= 32 { u32::MAX } else { (1 << width) - 1 }
}

fn bits_of_type(ty: &Type) -> u32 {
    if *ty == Type::U64 || *ty == Type::I64 {
        64
    } else {
        32
    }
}

fn shifted(op: BinaryOp, value: Expr, by: u32, span: Span) -> Expr {
    if by == 0 {
        return value;
    }
    let ty = value.ty.clone();
    binary(op, value, int(by.into(), Type::I32, span), ty, span)
}

/// The lowest bits of an unsigned number.
fn masked(value: Expr, width: u32, span: Span) -> Expr {
    if width >= bits_of_type(&value.ty) {
        return value;
    }
    let ty = value.ty.clone();
    let mask = constant(Const::Int((1i128 << width) - 1), ty.clone(), span);
    binary(BinaryOp::And, value, mask, ty, span)
}

/// The bits of a bit-field in an unsigned number, sign-extended if the type is signed.
fn extracted(value: Expr, low: u32, field: &BitField, span: Span) -> Expr {
    let num = bits_of_type(&value.ty);
    if !field.is_signed {
        return masked(shifted(BinaryOp::Shr, value, low, span), field.width, span);
    }
    let signed = if num == 64 { Type::I64 } else { Type::I32 };
    let top = shifted(BinaryOp::Shl, value, num - low - field.width, span);
    shifted(BinaryOp::Shr, converted(top, &signed), num - field.width, span)
}
