//! Arrays in values: members of structs that are copied, constructed, passed, and returned.

use super::init::string_of;
use super::{Checker, Checks, expr, int};
use crate::ast::{self, Ident};
use crate::hir::{Expr, ExprKind, Type};
use engine::ids::Span;

/// Maximum number of scalars in a value that an expression creates.
const MAX_SCALARS: u64 = 65_536;

impl Checker {
    /// Reports a value that is too large for an expression.
    pub(super) fn check_num_scalars(&mut self, ty: &Type, span: Span) -> Checks<()> {
        let num = self.num_scalars(ty);
        if num <= MAX_SCALARS {
            return Ok(());
        }
        let text = self.text(ty);
        self.error(
            span,
            format!(
                "`{text}` has {num} scalars, and an expression can create at most {MAX_SCALARS}; assign the elements \
                 in a loop."
            ),
        )
    }

    fn num_scalars(&self, ty: &Type) -> u64 {
        match ty {
            Type::Array(elem, len) => self.num_scalars(elem).saturating_mul(u64::from(*len)),
            Type::Vector(_) | Type::Struct(_) => {
                let fields = self.fields(ty);
                let all = fields.iter().map(|(_, field, _)| self.num_scalars(field));
                all.fold(0, u64::saturating_add)
            }
            _ => 1,
        }
    }

    /// The value of an array member from its initializer: a list in braces or a string. Omitted elements are
    /// value-initialized.
    pub(super) fn array_value(&mut self, item: &ast::Expr, ty: &Type) -> Checks<Expr> {
        let Type::Array(elem, len) = ty else {
            return self.initial_value(item, ty, "in this list");
        };
        self.check_num_scalars(ty, item.span)?;
        if let Some(text) = string_of(item)
            && text.encoding.fits(elem)
        {
            if text.len() >= *len as usize {
                return self.error(item.span, "This string does not fit into its array.");
            }
            let letter = |value: u32| int(i128::from(value), (**elem).clone(), item.span);
            let given = text.elements().map(letter).collect();
            return self.array_of(given, ty, item.span);
        }
        let ast::ExprKind::List(items) = &item.kind else {
            return self.error(
                item.span,
                "The initializer of an array is a list in braces, such as `{1, 2, 3}`; `{}` sets all elements to 0.",
            );
        };
        let (value, num) = self.array_of_row(items, ty, item.span)?;
        if num < items.len() {
            let text = self.text(ty);
            let message = format!("`{text}` has {len} elements; the list has {}.", items.len());
            return self.error(item.span, message);
        }
        Ok(value)
    }

    /// An array initialized by the first of several items with elided braces, and the number of items that it
    /// consumes.
    pub(super) fn array_of_row(
        &mut self,
        items: &[(Option<Ident>, ast::Expr)],
        ty: &Type,
        span: Span,
    ) -> Checks<(Expr, usize)> {
        let Type::Array(elem, len) = ty else {
            let value = self.initial_value(&items[0].1, ty, "in this list")?;
            return Ok((value, 1));
        };
        let (mut given, mut num) = (Vec::new(), 0);
        while given.len() < *len as usize && num < items.len() {
            let item = &items[num].1;
            let stands_alone = matches!(item.kind, ast::ExprKind::List(_) | ast::ExprKind::Str(_));
            if matches!(**elem, Type::Array(..)) && !stands_alone {
                let (value, taken) = self.array_of_row(&items[num..], elem, span)?;
                given.push(value);
                num += taken;
            } else {
                given.push(self.array_value(item, elem)?);
                num += 1;
            }
        }
        Ok((self.array_of(given, ty, span)?, num))
    }

    /// An array from its first elements; the others are value-initialized.
    fn array_of(&mut self, mut given: Vec<Expr>, ty: &Type, span: Span) -> Checks<Expr> {
        if let Type::Array(elem, len) = ty
            && given.len() < *len as usize
        {
            let rest = self.empty_value(elem, span)?;
            given.resize(*len as usize, rest);
        }
        Ok(expr(ExprKind::Aggregate(given), ty.clone(), span))
    }

    /// The value-initialized value of a type: `T()`.
    pub(super) fn empty_value(&mut self, ty: &Type, span: Span) -> Checks<Expr> {
        match ty {
            Type::Array(..) => {
                self.check_num_scalars(ty, span)?;
                self.array_of(Vec::new(), ty, span)
            }
            _ if self.has_default(ty) => self.constructed(ty, &[], span),
            _ => Ok(self.zero(ty, span)),
        }
    }
}
