//! Object lifetimes: copies and moves that are not bytewise, and destructors. Destructors run where control leaves
//! the scope of a variable, and at the end of the full expression for temporary objects.

use super::calls::Arg;
use super::names::{deref, load};
use super::ops::{assign, comma};
use super::{Checker, Checks, Lvalue, Operand, Reported};
use crate::ast::{self, CONSTRUCTOR, DESTRUCTOR, Name};
use crate::hir::{Expr, ExprKind, LocalId, Place, PlaceKind, Stmt, StmtKind, StructId, Type};
use engine::ids::Span;

/// Maximum number of elements of an array whose objects are copied or destroyed one by one.
const MAX_ELEMENTS: u32 = 256;

impl Checker {
    /// Whether a type has parts with a user-defined copy.
    pub(super) fn needs_copy(&self, ty: &Type) -> bool {
        self.has_copies && self.has_part(ty, &|class| class.has_copies)
    }

    /// Whether a type has parts with a destructor.
    pub(super) fn needs_destroy(&self, ty: &Type) -> bool {
        self.has_destructors && self.has_part(ty, &|class| class.has_destructor)
    }

    fn has_part(&self, ty: &Type, wanted: &impl Fn(&super::classes::Class) -> bool) -> bool {
        match ty {
            Type::Array(elem, _) => self.has_part(elem, wanted),
            Type::Struct(id) => {
                let of_class = |id: StructId| self.classes.get(&id.0).is_some_and(wanted);
                self.self_and_bases(*id).into_iter().any(of_class)
                    || (self.union_members(ty).is_none()
                        && self.structs[id.0 as usize]
                            .fields
                            .iter()
                            .any(|field| self.has_part(&field.ty, wanted)))
            }
            _ => false,
        }
    }

    /// The initial value from an object of the same type: an lvalue is copied or moved.
    pub(super) fn copied(&mut self, operand: &Operand, value: Expr) -> Checks<Expr> {
        if !self.needs_copy(&value.ty) {
            return Ok(value);
        }
        let span = value.span;
        let source = match self.designated(operand.clone()) {
            Operand::Place(lvalue) if lvalue.place.ty == value.ty => lvalue,
            _ => return Ok(value),
        };
        let kept = self.temporary(value.ty.clone(), span);
        let kept = self.local_place(kept, span);
        let copy = self.copy_into(kept.clone(), source, span)?;
        Ok(comma(copy, load(kept), span))
    }

    /// Copies an object into the object at a place.
    pub(super) fn copy_into(&mut self, target: Place, source: Lvalue, span: Span) -> Checks<Expr> {
        if !self.needs_copy(&target.ty) {
            return self.copy_bits(target, source, span);
        }
        if let Type::Array(_, len) = target.ty {
            let mut out = None;
            if len > MAX_ELEMENTS {
                return self.error(
                    span,
                    format!("An array of more than {MAX_ELEMENTS} objects cannot be copied."),
                );
            }
            for idx in 0..len {
                let to = self.element(target.clone(), idx, span)?;
                let from = Lvalue {
                    place: self.element(source.place.clone(), idx, span)?,
                    ..source.clone()
                };
                let copy = self.copy_into(to, from, span)?;
                out = Some(in_order(out, copy, span));
            }
            return out.ok_or(Reported);
        }
        let Type::Struct(id) = target.ty else {
            return Err(Reported);
        };
        if self.classes.get(&id.0).is_some_and(|class| class.has_copies) {
            let object = Operand::Place(Lvalue {
                place: target,
                is_const: false,
                constant: None,
                expires: false,
            });
            let value = load(source.place.clone());
            let args = [Arg::Operand(Operand::Place(source), value)];
            let call = self.call_method(object, id, CONSTRUCTOR, None, &args, span)?;
            return self.rvalue(call);
        }
        let mut out = None;
        let mut num_inherited = 0;
        for base in self.bases(id) {
            num_inherited += self.structs[base.0 as usize].fields.len();
            let (to, from) = (
                self.base_place(target.clone(), base, span),
                Lvalue {
                    place: self.base_place(source.place.clone(), base, span),
                    ..source.clone()
                },
            );
            let copy = self.copy_into(to, from, span)?;
            out = Some(in_order(out, copy, span));
        }
        let num_fields = self.structs[id.0 as usize].fields.len();
        for idx in num_inherited..num_fields {
            let to = Operand::Place(Lvalue {
                place: target.clone(),
                is_const: false,
                constant: None,
                expires: false,
            });
            let (to, from) = (
                self.field_at(to, idx, span),
                self.field_at(Operand::Place(source.clone()), idx, span),
            );
            let (Some(Operand::Place(to)), Some(Operand::Place(from))) = (to, from) else {
                continue;
            };
            let from = Lvalue {
                expires: source.expires,
                ..from
            };
            let copy = self.copy_into(to.place, from, span)?;
            out = Some(in_order(out, copy, span));
        }
        out.ok_or(Reported)
    }

    fn copy_bits(&mut self, target: Place, source: Lvalue, span: Span) -> Checks<Expr> {
        let Type::Array(_, len) = target.ty else {
            return Ok(assign(target, load(source.place), span));
        };
        let mut out = None;
        for idx in 0..len.min(4096) {
            let to = self.element(target.clone(), idx, span)?;
            let from = Lvalue {
                place: self.element(source.place.clone(), idx, span)?,
                ..source.clone()
            };
            let copy = self.copy_bits(to, from, span)?;
            out = Some(in_order(out, copy, span));
        }
        out.ok_or(Reported)
    }

    /// The base subobject of a struct.
    pub(super) fn base_place(&mut self, whole: Place, base: StructId, span: Span) -> Place {
        let is_volatile = whole.is_volatile;
        let from = whole.ty.clone();
        let address = self.address_of(
            Lvalue {
                place: whole,
                is_const: false,
                constant: None,
                expires: false,
            },
            span,
        );
        let address = self.derived_to_base_address(address, &from, &Type::Struct(base));
        deref(address, is_volatile)
    }

    /// Destroys the object at a place.
    pub(super) fn destroy(&mut self, place: Place, span: Span, out: &mut Vec<Stmt>) -> Checks<()> {
        let ty = place.ty.clone();
        if !self.needs_destroy(&ty) {
            return Ok(());
        }
        if let Type::Array(_, len) = ty {
            if len > MAX_ELEMENTS {
                let message = format!(
                    "An array of more than {MAX_ELEMENTS} objects with destructors is not supported."
                );
                return self.error(span, message);
            }
            for idx in (0..len).rev() {
                let element = self.element(place.clone(), idx, span)?;
                self.destroy(element, span, out)?;
            }
            return Ok(());
        }
        let Type::Struct(id) = ty else { return Ok(()) };
        if self.classes.get(&id.0).is_some_and(|class| class.has_destructor) {
            let whole = self.member_name(id, DESTRUCTOR);
            let known = whole.and_then(|whole| self.by_name.get(&whole)?.first().copied());
            let Some(function) = known else {
                return Err(Reported);
            };
            let object = Lvalue {
                place,
                is_const: false,
                constant: None,
                expires: false,
            };
            let this = self.address_of(object, span);
            let call = self.call_on(function, Some(this), &[], span)?;
            let call = self.rvalue(call)?;
            out.push(Stmt {
                kind: StmtKind::Expr(call),
                span,
            });
            return Ok(());
        }
        for part in self.parts_to_destroy(&place, id, span).into_iter().rev() {
            self.destroy(part, span, out)?;
        }
        Ok(())
    }

    /// The destructible parts of an object, in order of construction.
    pub(super) fn parts_to_destroy(&mut self, object: &Place, id: StructId, span: Span) -> Vec<Place> {
        let mut out = Vec::new();
        let mut num_inherited = 0;
        for base in self.bases(id) {
            num_inherited += self.structs[base.0 as usize].fields.len();
            if self.needs_destroy(&Type::Struct(base)) {
                out.push(self.base_place(object.clone(), base, span));
            }
        }
        let fields = self.structs[id.0 as usize].fields.clone();
        for (idx, field) in fields.iter().enumerate().skip(num_inherited) {
            if !self.needs_destroy(&field.ty) {
                continue;
            }
            let whole = Operand::Place(Lvalue {
                place: object.clone(),
                is_const: false,
                constant: None,
                expires: false,
            });
            if let Some(Operand::Place(part)) = self.field_at(whole, idx, span) {
                out.push(part.place);
            }
        }
        out
    }

    /// Registers an object that the innermost scope destroys.
    pub(super) fn ends_with_scope(&mut self, place: Place) {
        if self.needs_destroy(&place.ty)
            && let Some(scope) = self.body.cleanups.last_mut()
        {
            scope.push(place);
        }
    }

    /// Registers a temporary object, which the full expression destroys.
    pub(super) fn ends_with_expression(&mut self, value: &Expr, place: &Place) {
        let is_made = matches!(
            value.kind,
            ExprKind::Call { .. } | ExprKind::Comma { .. } | ExprKind::Aggregate(_)
        );
        if is_made && self.needs_destroy(&place.ty) {
            self.body.temporaries.push(place.clone());
        }
    }

    /// Destroys the temporary objects of an expression.
    pub(super) fn end_temporaries(&mut self, span: Span, out: &mut Vec<Stmt>) {
        for place in std::mem::take(&mut self.body.temporaries).into_iter().rev() {
            let _ = self.destroy(place, span, out);
        }
    }

    /// A value after its temporary objects are destroyed.
    pub(super) fn end_full_expression(&mut self, value: Expr) -> Expr {
        if self.body.temporaries.is_empty() {
            return value;
        }
        let span = value.span;
        let mut ends = Vec::new();
        self.end_temporaries(span, &mut ends);
        let ends = ends.into_iter().filter_map(|stmt| match stmt.kind {
            StmtKind::Expr(call) => Some(call),
            _ => None,
        });
        if value.ty == Type::Void {
            return ends.fold(value, |value, end| comma(value, end, span));
        }
        let kept = self.temporary(value.ty.clone(), span);
        let kept = self.local_place(kept, span);
        let first = assign(kept.clone(), value, span);
        let all = ends.fold(first, |first, end| comma(first, end, span));
        comma(all, load(kept), span)
    }

    /// Reports temporary objects in an operand that is not always evaluated.
    pub(super) fn check_temporaries(&mut self, num_before: usize, span: Span) -> Checks<()> {
        if self.body.temporaries.len() <= num_before {
            return Ok(());
        }
        self.body.temporaries.truncate(num_before);
        self.unsupported(
            span,
            "Temporary objects with destructors in operands that are not always evaluated",
        )
    }

    /// Destroys the objects of the scopes from a depth on, except a returned object.
    pub(super) fn end_scopes(
        &mut self,
        depth: usize,
        returned: Option<LocalId>,
        span: Span,
        out: &mut Vec<Stmt>,
    ) {
        let places: Vec<Place> = self.body.cleanups.iter().skip(depth).flatten().cloned().collect();
        for place in places.into_iter().rev() {
            if returned.is_none() || !matches!(place.kind, PlaceKind::Local(id) if Some(id) == returned) {
                let _ = self.destroy(place, span, out);
            }
        }
    }

    /// Whether leaving the scopes from a depth on destroys objects.
    pub(super) fn has_cleanups(&self, depth: usize) -> bool {
        self.body
            .cleanups
            .iter()
            .skip(depth)
            .any(|scope| !scope.is_empty())
    }

    /// A jump out of scopes, after the destructors of their objects.
    pub(super) fn leaving(&mut self, depth: usize, jump: StmtKind, span: Span) -> StmtKind {
        if !self.has_cleanups(depth) {
            return jump;
        }
        let mut out = Vec::new();
        self.end_scopes(depth, None, span, &mut out);
        out.push(Stmt { kind: jump, span });
        StmtKind::Block(out)
    }

    /// `return value;` in scopes with destructors: the value is computed first.
    pub(super) fn returning(
        &mut self,
        value: Option<Expr>,
        returned: Option<LocalId>,
        span: Span,
    ) -> StmtKind {
        if self.body.temporaries.is_empty() && !self.has_cleanups(0) {
            return StmtKind::Return(value);
        }
        let mut out = Vec::new();
        let value = value.map(|value| {
            let kept = self.temporary(value.ty.clone(), span);
            let kept = self.local_place(kept, span);
            out.push(Stmt {
                kind: StmtKind::Expr(assign(kept.clone(), value, span)),
                span,
            });
            load(kept)
        });
        self.end_temporaries(span, &mut out);
        self.end_scopes(0, returned, span, &mut out);
        out.push(Stmt {
            kind: StmtKind::Return(value),
            span,
        });
        StmtKind::Block(out)
    }

    /// Destroys the objects of the innermost scope, if control reaches its end.
    pub(super) fn end_scope(&mut self, span: Span, out: &mut Vec<Stmt>) {
        let depth = self.body.cleanups.len().saturating_sub(1);
        if self.has_cleanups(depth) && super::stmts::falls_through(out) {
            self.end_scopes(depth, None, span, out);
        }
    }
}

fn in_order(first: Option<Expr>, second: Expr, span: Span) -> Expr {
    match first {
        Some(first) => comma(first, second, span),
        None => second,
    }
}

/// The variable that every `return` of a function names, if it is always the same.
pub(super) fn returned_name(stmts: &[ast::Stmt]) -> Option<Name> {
    let mut found = None;
    stmts
        .iter()
        .all(|stmt| returns_only(stmt, &mut found))
        .then_some(found)?
}

fn returns_only(stmt: &ast::Stmt, found: &mut Option<Name>) -> bool {
    if let ast::StmtKind::Return(Some(value)) = &stmt.kind {
        return match &value.kind {
            ast::ExprKind::Name(name) => *found.get_or_insert_with(|| name.clone()) == *name,
            _ => false,
        };
    }
    let inner = match &stmt.kind {
        ast::StmtKind::Switch { body, .. } => Some(body.as_ref()),
        _ => None,
    };
    (inner.into_iter().chain(super::labels::parts(stmt))).all(|stmt| returns_only(stmt, found))
}
