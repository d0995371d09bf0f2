//! Generates random expressions. If the order of operands is unspecified, at most one operand has effects, and the
//! other operands read only constant data.

use super::super::tree::{Binary, Builtin, Expr, Place, Ret, Ty, Unary, Var, VarId, VarTy};
use super::Generator;

const COMPARISONS: [&str; 6] = ["==", "!=", "<", "<=", ">", ">="];

impl Generator {
    /// Returns a number for comparisons.
    pub(super) fn small_const(&mut self) -> Expr {
        let value = self.random.between(0, 7);
        Expr::int(value)
    }

    fn constant(&mut self) -> Expr {
        let ty = self.ty();
        let (first, last) = ty.range();
        let value = match self.random.below(10) {
            0..6 => self.random.between(0, 9),
            6 => self.random.between(-9, -1),
            7 => self.random.between(0, 1000),
            8 => {
                let shift = self.random.below(63);
                1_i64 << shift
            }
            _ => match self.random.below(3) {
                0 => first,
                1 => last,
                _ => self.random.step() as i64,
            },
        };
        if ty.is_float() {
            return Expr::Const(ty, value.clamp(-4000, 4000));
        }
        let value = match ty {
            Ty::Bool => value & 1,
            Ty::I8 => i64::from(value as i8),
            Ty::U8 => i64::from(value as u8),
            Ty::I16 => i64::from(value as i16),
            Ty::U16 => i64::from(value as u16),
            Ty::I32 => i64::from(value as i32),
            Ty::U32 => i64::from(value as u32),
            _ => value,
        };
        Expr::Const(ty, value)
    }

    /// Returns a branch key: a small number that depends on the thread or the data, or that is uniform.
    pub(super) fn key(&mut self) -> Expr {
        let keys = self.vars(|var| {
            var.small
                && matches!(
                    var.ty,
                    VarTy::Scalar(Ty::I32) | VarTy::Pointer(_) | VarTy::Reference(_)
                )
                || (var.fixed && var.ty == VarTy::Scalar(Ty::I32))
        });
        if !keys.is_empty() && self.random.percent(60) {
            let id = self.random.pick(&keys);
            return Expr::Place(self.part(id));
        }
        match self.random.below(10) {
            0..2 => Expr::Builtin(Builtin::Thread),
            2..4 => {
                let mask = self.random.pick(&[3, 7, 7, 15]);
                binary(Binary::And, Expr::Builtin(Builtin::Thread), Expr::int(mask))
            }
            4..7 => Expr::Input(Box::new(self.stable(1))),
            7 => Expr::Builtin(Builtin::N),
            8 => Expr::Builtin(Builtin::Block),
            _ => binary(
                Binary::And,
                Expr::Builtin(Builtin::M),
                Expr::int(self.random.pick(&[1, 3, 7])),
            ),
        }
    }

    /// Returns an expression that no code of the program changes.
    pub(super) fn stable(&mut self, depth: usize) -> Expr {
        let fixed = self.vars(|var| var.fixed && matches!(var.ty, VarTy::Scalar(_)));
        if !fixed.is_empty() && self.random.percent(45) {
            let id = self.random.pick(&fixed);
            return Expr::Place(Place::Var(id));
        }
        match self.random.below(10) {
            0..4 => self.constant(),
            4..6 => Expr::Builtin(self.builtin()),
            6..8 if depth > 0 => Expr::Input(Box::new(self.stable(depth - 1))),
            8..10 if depth > 0 => {
                let op = self
                    .random
                    .pick(&[Binary::Add, Binary::And, Binary::Xor, Binary::Mul]);
                binary(op, self.stable(depth - 1), self.stable(depth - 1))
            }
            _ => Expr::Builtin(Builtin::Thread),
        }
    }

    fn builtin(&mut self) -> Builtin {
        let builtins = [
            Builtin::Thread,
            Builtin::Thread,
            Builtin::Lane,
            Builtin::Block,
            Builtin::N,
            Builtin::M,
        ];
        self.random.pick(&builtins)
    }

    /// Returns a readable lvalue.
    fn readable(&mut self) -> Option<Place> {
        let id = {
            let ids = self.scope.clone();
            if ids.is_empty() {
                return None;
            }
            self.random.pick(&ids)
        };
        Some(self.part(id))
    }

    fn part(&mut self, id: VarId) -> Place {
        match self.function.vars[id].ty {
            VarTy::Scalar(_) | VarTy::Reference(_) => Place::Var(id),
            VarTy::Pointer(_) => Place::Deref(id),
            VarTy::Struct(of) => {
                let field = self.random.below(self.program.structs[of].len());
                Place::Member(id, field)
            }
            VarTy::Array(_, len) => {
                let idx = if self.random.percent(40) {
                    Expr::int(self.random.below(len as usize) as i64)
                } else {
                    self.stable(1)
                };
                Place::Elem(id, Box::new(idx))
            }
        }
    }

    /// Returns a writable lvalue. Its index has no effects and reads only constant data.
    pub(super) fn writable(&mut self) -> Place {
        let ids = self.vars(|var| !var.fixed);
        if ids.is_empty() || self.random.percent(10) {
            let idx = self.stable(1);
            return Place::Own(Box::new(idx));
        }
        let id = self.random.pick(&ids);
        self.part(id)
    }

    /// Returns an lvalue whose address has the given type.
    pub(super) fn place_of_type(&mut self, ty: Ty, small: bool) -> Option<Place> {
        let fits = |var: &Var| {
            !var.fixed
                && var.small == small
                && match var.ty {
                    VarTy::Scalar(other)
                    | VarTy::Array(other, _)
                    | VarTy::Pointer(other)
                    | VarTy::Reference(other) => other == ty,
                    VarTy::Struct(_) => false,
                }
        };
        let ids = self.vars(fits);
        if ids.is_empty() {
            if ty == Ty::U32 && !small {
                let idx = self.random.below(15) as i64;
                return Some(Place::Own(Box::new(Expr::int(idx))));
            }
            return None;
        }
        let id = self.random.pick(&ids);
        Some(self.part(id))
    }

    fn leaf(&mut self) -> Expr {
        match self.random.below(20) {
            0..4 => self.constant(),
            4..13 => match self.readable() {
                Some(place) => Expr::Place(place),
                None => self.constant(),
            },
            13..15 => Expr::Builtin(self.builtin()),
            15..18 => Expr::Input(Box::new(self.stable(0))),
            18 => Expr::Place(Place::Own(Box::new(self.stable(0)))),
            _ => self.key(),
        }
    }

    /// Returns an expression, possibly with effects if they are allowed.
    pub(super) fn expr(&mut self, depth: usize, effects: bool) -> Expr {
        if depth == 0 {
            return if effects && self.random.percent(25) {
                self.effect(0)
            } else {
                self.leaf()
            };
        }
        if effects && self.random.percent(30) {
            return self.effect(depth - 1);
        }
        match self.random.weighted(&[14, 40, 8, 10, 6, 10, 6, 4]) {
            1 => {
                let op = self.random.pick(&[
                    Binary::Add,
                    Binary::Add,
                    Binary::Add,
                    Binary::Sub,
                    Binary::Sub,
                    Binary::Mul,
                    Binary::Mul,
                    Binary::Div,
                    Binary::Rem,
                    Binary::And,
                    Binary::Or,
                    Binary::Xor,
                    Binary::Shl,
                    Binary::Shr,
                ]);
                if matches!(op, Binary::Div | Binary::Rem) && self.random.percent(50) {
                    let divisor = self.divisor();
                    return binary(op, self.expr(depth - 1, effects), divisor);
                }
                let (l, r) = self.operands(depth - 1, effects);
                binary(op, l, r)
            }
            2 => {
                let op = self.random.pick(&[Unary::Neg, Unary::BitNot, Unary::Not]);
                Expr::Unary(op, Box::new(self.expr(depth - 1, effects)))
            }
            3 => {
                let ty = self.ty();
                Expr::Cast(ty, Box::new(self.expr(depth - 1, effects)))
            }
            4 => self.cond(depth - 1, effects),
            5 => {
                let c = self.cond(depth - 1, effects);
                let l = self.expr(depth - 1, effects);
                let r = self.expr(depth - 1, effects);
                Expr::Cond(Box::new(c), Box::new(l), Box::new(r))
            }
            6 => Expr::Input(Box::new(self.expr(depth - 1, effects))),
            7 => {
                let ids = self.vars(|var| matches!(var.ty, VarTy::Array(..)));
                if ids.is_empty() {
                    self.leaf()
                } else {
                    let id = self.random.pick(&ids);
                    Expr::Place(Place::Elem(id, Box::new(self.expr(depth - 1, false))))
                }
            }
            _ => self.leaf(),
        }
    }

    /// Returns a constant divisor.
    fn divisor(&mut self) -> Expr {
        let ty = self.random.pick(&[Ty::I32, Ty::I32, Ty::U32, Ty::I64, Ty::U64]);
        let value = match self.random.below(4) {
            0 => 1 << self.random.between(1, 12),
            1 => self.random.between(2, 12),
            2 => self.random.between(2, 5000),
            _ if matches!(ty, Ty::I32 | Ty::I64) => -(1 << self.random.between(1, 9)),
            _ => self.random.between(3, 1 << 30),
        };
        Expr::Const(ty, value)
    }

    /// Returns operands that are evaluated in unspecified order.
    fn operands(&mut self, depth: usize, effects: bool) -> (Expr, Expr) {
        if !effects {
            return (self.expr(depth, false), self.expr(depth, false));
        }
        let with_effects = self.expr(depth, true);
        let stable = self.stable(depth);
        if self.random.percent(50) {
            (with_effects, stable)
        } else {
            (stable, with_effects)
        }
    }

    /// Returns an expression with effects.
    pub(super) fn effect(&mut self, depth: usize) -> Expr {
        match self.random.below(10) {
            0..4 => {
                return Expr::Step {
                    place: self.writable(),
                    delta: self.random.pick(&[1, 1, -1]),
                    postfix: self.random.percent(60),
                };
            }
            4..8 => {
                if let Some(call) = self.call(|ret| matches!(ret, Ret::Scalar(_))) {
                    return call;
                }
            }
            8 => {
                let place = self.writable();
                return Expr::Assign(place, Box::new(self.expr(depth, false)));
            }
            _ => {
                let l = self.effect(0);
                let r = self.expr(depth, true);
                return Expr::Comma(Box::new(l), Box::new(r));
            }
        }
        self.leaf()
    }

    /// Returns a condition.
    pub(super) fn cond(&mut self, depth: usize, effects: bool) -> Expr {
        let compare = |op, l, r| Expr::Compare(op, Box::new(l), Box::new(r));
        match self.random.weighted(&[50, 18, 16, 4, 12]) {
            1 if depth > 0 => {
                let op = self.random.pick(&["&&", "||"]);
                let l = self.cond(depth - 1, effects);
                let r = self.cond(depth - 1, effects);
                Expr::Logical(op, Box::new(l), Box::new(r))
            }
            2 => {
                let op = self.random.pick(&COMPARISONS);
                let (l, r) = self.operands(depth.saturating_sub(1), effects);
                compare(op, l, r)
            }
            3 => Expr::Unary(Unary::Not, Box::new(self.expr(depth.saturating_sub(1), effects))),
            4 if effects => {
                let op = self.random.pick(&COMPARISONS);
                let l = self.effect(depth.saturating_sub(1));
                compare(op, l, self_const(self.random.between(0, 7)))
            }
            _ => {
                let key = self.key();
                self.test(key)
            }
        }
    }

    /// Returns a comparison of a key with a small number or another key.
    pub(super) fn test(&mut self, key: Expr) -> Expr {
        let op = self
            .random
            .pick(&["==", "==", "==", "!=", "<", ">", ">", "<=", ">="]);
        let other = if self.random.percent(15) {
            self.key()
        } else {
            self.small_const()
        };
        Expr::Compare(op, Box::new(key), Box::new(other))
    }
}

const fn self_const(value: i64) -> Expr {
    Expr::Const(Ty::I32, value)
}

pub(super) fn binary(op: Binary, l: Expr, r: Expr) -> Expr {
    Expr::Binary(op, Box::new(l), Box::new(r))
}
