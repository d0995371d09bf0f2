//! `new` and `delete`, as calls of functions that the checker and the header `new` define, and the names of
//! destructors in calls.

use super::*;
use crate::ast::{DESTRUCTOR, Derived, Expr, ExprKind, Ident, TemplateArg};

impl Parser {
    /// `new T`, `new T(args)`, `new T[num]`, and the same with an address: `new (address) T`.
    pub(super) fn new_expression(&mut self) -> Parsed<Expr> {
        let start = self.next().span;
        let address = if self.at("(") && !self.type_at(1) {
            self.next();
            Some(self.arguments()?)
        } else {
            None
        };
        let mut given = match address {
            Some(args) if args.len() == 1 => args,
            Some(_) => return self.unsupported(start, "Allocation functions with several arguments"),
            None => Vec::new(),
        };
        let is_placed = !given.is_empty();
        let is_enclosed = self.accept("(");
        let mut ty = self.head()?.ty;
        while self.accept("*") {
            ty.derived.push(Derived::Pointer {
                is_const: false,
                is_volatile: false,
                restrict: false,
            });
        }
        if is_enclosed {
            self.expect(")", "after the type")?;
        }
        let num = if self.accept("[") {
            let num = self.outside_angles(Self::expression)?;
            self.expect("]", "after the number of elements")?;
            Some(num)
        } else {
            None
        };
        if num.is_some() && self.at("[") {
            return self.unsupported(start, "Allocations of arrays of arrays");
        }
        let args = if self.accept("(") {
            Some(self.arguments()?)
        } else if self.at("{") {
            Some(self.braced_arguments()?)
        } else {
            None
        };
        let name = match (&num, &args) {
            (Some(_), Some(args)) if !args.is_empty() => {
                return self.unsupported(start, "Initial values of an array that is allocated");
            }
            (Some(_), Some(_)) => "__ws_new_values",
            (Some(_), None) => "__ws_new_array",
            (None, Some(_)) => "__ws_new",
            (None, None) => "__ws_new_default",
        };
        given.extend(num);
        given.extend(args.into_iter().flatten());
        let name = if is_placed {
            format!("{name}_at")
        } else {
            name.to_owned()
        };
        Ok(self.allocation_call(&name, Some(TemplateArg::Type(ty)), given, start))
    }

    /// `delete pointer` and `delete[] pointer`.
    pub(super) fn delete_expression(&mut self) -> Parsed<Expr> {
        let start = self.next().span;
        let is_array = self.at("[") && self.peek_at(1).is("]");
        if is_array {
            self.next();
            self.next();
        }
        let pointer = self.nested_unary()?;
        let name = if is_array {
            "__ws_delete_array"
        } else {
            "__ws_delete"
        };
        Ok(self.allocation_call(name, None, vec![pointer], start))
    }

    fn allocation_call(
        &self,
        name: &str,
        ty: Option<TemplateArg>,
        args: Vec<Expr>,
        start: engine::ids::Span,
    ) -> Expr {
        Expr {
            span: self.span_from(start),
            kind: ExprKind::Call {
                callee: Ident {
                    name: name.into(),
                    span: start,
                },
                template_args: ty.map(|ty| vec![ty]),
                args,
            },
        }
    }

    /// `~Name` after `.` or `->`. The type of the object decides what is destroyed.
    pub(super) fn destructor_name(&mut self) -> Parsed<Ident> {
        let start = self.next().span;
        self.head()?;
        Ok(Ident {
            name: DESTRUCTOR.into(),
            span: self.span_from(start),
        })
    }
}
