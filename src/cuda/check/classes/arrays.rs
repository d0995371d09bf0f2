//! Arrays of class objects: construction of each element.

use super::*;

impl Checker {
    /// Initializes the elements of an array from a list; elements beyond the list are zero.
    pub(super) fn fill_array(
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
    pub(super) fn construct_array(&mut self, place: Place, span: Span, out: &mut Vec<Stmt>) -> Checks<()> {
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
    pub(in crate::check) fn element(&mut self, array: Place, idx: u32, span: Span) -> Checks<Place> {
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

    pub(super) fn zero_array(&mut self, place: Place, span: Span, out: &mut Vec<Stmt>) {
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
