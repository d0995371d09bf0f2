//! Value ranges of expressions. Signed arithmetic that cannot overflow is printed without protection.

use super::super::tree::{Binary, Builtin, Expr, Place, Ty, VarTy};
use super::Printer;

/// The range of tame variables.
pub(super) const SMALL: i64 = 1 << 26;

impl Printer<'_> {
    /// Returns the minimum and maximum of a printed integer expression.
    pub(super) fn range(&self, e: &Expr) -> (i64, i64) {
        let ty = self.ty(e);
        let all = ty.range();
        match e {
            Expr::Const(ty, value) if !ty.is_float() => (*value, *value),
            Expr::Input(_) => (-100, 100),
            Expr::Builtin(Builtin::Thread) => (0, 1023),
            Expr::Builtin(Builtin::Lane) => (0, 31),
            Expr::Builtin(Builtin::Block) => (0, 63),
            Expr::Builtin(Builtin::N) => (-20, 20),
            Expr::Place(place) | Expr::Assign(place, _) | Expr::Step { place, .. } => {
                if place.is_small(self.function) {
                    return (-SMALL, SMALL);
                }
                if let Place::Var(id) = place
                    && *id >= self.function.num_params
                    && self.function.vars[*id].fixed
                    && !self.function.vars[*id].far
                    && self.function.vars[*id].ty == VarTy::Scalar(Ty::I32)
                {
                    return (-4096, 4096);
                }
                all
            }
            Expr::Binary(op, l, r) if !ty.is_float() => {
                let (a, b) = (self.range(l), self.range(r));
                let exact = match op {
                    Binary::Add => between(&[
                        i128::from(a.0) + i128::from(b.0),
                        i128::from(a.1) + i128::from(b.1),
                    ]),
                    Binary::Sub => between(&[
                        i128::from(a.0) - i128::from(b.1),
                        i128::from(a.1) - i128::from(b.0),
                    ]),
                    Binary::Mul => {
                        let product = |x: i64, y: i64| i128::from(x) * i128::from(y);
                        between(&[
                            product(a.0, b.0),
                            product(a.0, b.1),
                            product(a.1, b.0),
                            product(a.1, b.1),
                        ])
                    }
                    Binary::And if b.0 >= 0 => Some((0, b.1)),
                    Binary::And if a.0 >= 0 => Some((0, a.1)),
                    _ => None,
                };
                match exact {
                    Some(range) if range.0 >= all.0 && range.1 <= all.1 => range,
                    _ => all,
                }
            }
            Expr::Cond(_, l, r) if self.ty(l) == self.ty(r) && !ty.is_float() => {
                let (a, b) = (self.range(l), self.range(r));
                (a.0.min(b.0), a.1.max(b.1))
            }
            Expr::Comma(_, r) => self.range(r),
            Expr::Cast(ty, e) if !ty.is_float() && !self.ty(e).is_float() => {
                let range = self.range(e);
                if range.0 >= all.0 && range.1 <= all.1 {
                    range
                } else {
                    all
                }
            }
            _ => all,
        }
    }
}

fn between(values: &[i128]) -> Option<(i64, i64)> {
    let least = values.iter().min()?;
    let greatest = values.iter().max()?;
    Some((i64::try_from(*least).ok()?, i64::try_from(*greatest).ok()?))
}
