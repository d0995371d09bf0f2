//! `new` and calls of destructors: objects that are constructed and destroyed at an address.

use super::calls::Arg;
use super::names::{deref, load};
use super::ops::{assign, comma};
use super::{Checker, Checks, Lvalue, Operand, Reported, int};
use crate::ast::{self, CONSTRUCTOR, Ident, TemplateArg};
use crate::hir::{Expr, Place, PlaceKind, StmtKind, Type};
use engine::ids::Span;

/// The functions that the parser calls for `new`: with initial values, without, and both at a given address.
const NEW: [&str; 4] = [
    "__ws_new",
    "__ws_new_default",
    "__ws_new_at",
    "__ws_new_default_at",
];

/// Whether the parser calls this function for a `new` of one object.
pub(super) fn is_new(name: &str) -> bool {
    NEW.contains(&name)
}

/// Whether the parser calls this function for a `delete`.
pub(super) fn is_delete(name: &str) -> bool {
    matches!(name, "__ws_delete" | "__ws_delete_array")
}

impl Checker {
    /// `new T(args)`: the address of the object.
    pub(super) fn new_object(
        &mut self,
        callee: &Ident,
        template_args: Option<&[TemplateArg]>,
        args: &[ast::Expr],
        span: Span,
    ) -> Checks<Operand> {
        let Some([TemplateArg::Type(ty)]) = template_args else {
            return Err(Reported);
        };
        let ty = self.resolve(ty, None)?.ty;
        if ty == Type::Void || !self.is_complete(&ty) {
            let text = self.text(&ty);
            return self.error(callee.span, format!("`{text}` is an incomplete type here."));
        }
        let is_default = callee.name.contains("_default");
        let (address, args) = match args.split_first() {
            Some((address, rest)) if callee.name.ends_with("_at") => (self.value(address)?, rest),
            _ => (self.heap_block(&ty, span)?, args),
        };
        let address = self.cast(address, &ty.clone().pointer_to(), span)?;
        let kept = self.temporary(address.ty.clone(), span);
        let kept = self.local_place(kept, span);
        let mut out = assign(kept.clone(), address, span);
        let object = deref(load(kept.clone()), false);
        if let Some(made) = self.construct_at(object, (!is_default).then_some(args), span)? {
            out = comma(out, made, span);
        }
        Ok(Operand::Value(comma(out, load(kept), span)))
    }

    /// A block of the heap for an object.
    fn heap_block(&mut self, ty: &Type, span: Span) -> Checks<Expr> {
        let size = int(i128::from(self.size_of(ty)), Type::U64, span);
        let args = [Arg::Operand(Operand::Value(size.clone()), size)];
        let block = self.call_name("malloc", None, &args, span, span)?;
        self.rvalue(block)
    }

    /// The initialization of the object at a place; `None` if it has none.
    fn construct_at(
        &mut self,
        object: Place,
        args: Option<&[ast::Expr]>,
        span: Span,
    ) -> Checks<Option<Expr>> {
        let ty = object.ty.clone();
        if let Type::Struct(id) = ty
            && self.has_constructor(&ty)
        {
            let args = self.arguments(args.unwrap_or_default())?;
            if let [Arg::Operand(operand, only)] = args.as_slice()
                && only.ty == ty
            {
                let copy = self.copied(operand, only.clone())?;
                return Ok(Some(assign(object, copy, span)));
            }
            let object = Operand::Place(Lvalue {
                place: object,
                is_const: false,
                constant: None,
                expires: false,
            });
            let call = self.call_method(object, id, CONSTRUCTOR, None, &args, span)?;
            return self.rvalue(call).map(Some);
        }
        let value = match args {
            None if !self.has_default(&ty) => return Ok(None),
            None => self.constructed(&ty, &[], span)?,
            Some(args) if ty.is_aggregate() => self.constructed(&ty, args, span)?,
            Some([]) => self.zero(&ty, span),
            Some([only]) => self.initial_value(only, &ty, "in the initializer of this object")?,
            Some(_) => {
                let text = self.text(&ty);
                return self.error(
                    span,
                    format!("An object of type `{text}` takes one initial value."),
                );
            }
        };
        Ok(Some(assign(object, value, span)))
    }

    /// `object.~Name()`. Objects without a destructor need nothing.
    pub(super) fn destructor_call(&mut self, object: Operand, span: Span) -> Checks<Operand> {
        let nothing = int(0, Type::I32, span);
        let Operand::Place(lvalue) = self.designated(object) else {
            return Ok(Operand::Value(nothing));
        };
        if let Type::Struct(id) = lvalue.place.ty
            && matches!(lvalue.place.kind, PlaceKind::Deref(_))
            && let Some(destructor) = self.virtual_destructor(id)
        {
            let this = self.address_of(lvalue, span);
            return self.call_on(destructor, Some(this), &[], span);
        }
        let mut stmts = Vec::new();
        self.destroy(lvalue.place, span, &mut stmts)?;
        let calls = stmts.into_iter().rev().filter_map(|stmt| match stmt.kind {
            StmtKind::Expr(call) => Some(call),
            _ => None,
        });
        let all = calls.fold(nothing, |all, call| comma(call, all, span));
        Ok(Operand::Value(all))
    }
}
