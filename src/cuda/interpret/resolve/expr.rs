//! Translates expressions.

use super::super::arith::keeps_bits;
use super::super::code::{Expr, Kind, Leaf, Op, POOL, Pooled, Row, leaves};
use super::effects::{root, writes};
use super::{Resolver, Target};
use crate::hir::{self, Axis, BinaryOp, Builtin, Const, ExprKind, LogicalOp, Type};
use engine::ids::Span;
use engine::launch::f16_bits;

impl Resolver<'_> {
    pub(super) fn kind_of(&self, ty: &Type) -> Kind {
        Kind::of(ty, self.unit.pointer_bytes)
    }

    fn leaves(&self, ty: &Type) -> Vec<Leaf> {
        leaves(self.unit, ty)
    }

    /// An operation with one result.
    fn op(&mut self, op: Op, span: Span) -> Expr {
        Expr {
            op,
            row: self.rows(1),
            len: 1,
            span,
        }
    }

    fn constant(&mut self, bits: u64, span: Span) -> Expr {
        self.pool_expr(Pooled::Const(bits), span)
    }

    pub(super) fn expr(&mut self, expr: &hir::Expr) -> Expr {
        self.scope.enter();
        let expr = self.expr_here(expr);
        self.scope.levels -= 1;
        expr
    }

    fn expr_here(&mut self, expr: &hir::Expr) -> Expr {
        let span = expr.span;
        let kind = self.kind_of(&expr.ty);
        match &expr.kind {
            ExprKind::Const(constant) => {
                let bits = match constant {
                    Const::Bool(truth) => u64::from(*truth),
                    Const::Int(number) => super::super::number::cut(*number as u64, kind),
                    Const::F32(number) if kind == Kind::F16 => u64::from(f16_bits(f64::from(*number))),
                    Const::F32(number) if kind == Kind::Bf16 => u64::from(number.to_bits() >> 16),
                    Const::F32(number) if kind == Kind::F64 => f64::from(*number).to_bits(),
                    Const::F32(number) => u64::from(number.to_bits()),
                    Const::F64(number) => number.to_bits(),
                };
                self.constant(bits, span)
            }
            ExprKind::Load(place) => {
                let target = self.place(place);
                self.read(target, &place.ty, span)
            }
            ExprKind::AddressOf(place) => match self.place(place) {
                Target::Memory { address, offset: 0 } => address,
                Target::Memory { address, offset } => self.op(Op::Displace(Box::new(address), offset), span),
                Target::Registers { .. } => {
                    if let Some(id) = root(place) {
                        self.scope.in_memory.insert(id);
                    }
                    self.constant(0, span)
                }
            },
            ExprKind::Assign { place, value } => self.assign(place, value, span),
            ExprKind::CompoundAssign {
                place,
                op,
                compute,
                value,
            } => {
                let place_kind = self.kind_of(&place.ty);
                let compute = self.kind_of(compute);
                let value_kind = self.kind_of(&value.ty);
                let value_expr = |this: &mut Self| this.expr(value);
                self.update(
                    place,
                    Some(&value_expr),
                    writes(value),
                    false,
                    span,
                    |this, old, value| {
                        let lhs = this.converted(old, place_kind, compute);
                        let result = this.binary((*op, compute), lhs, value, value_kind, span);
                        this.converted(result, compute, place_kind)
                    },
                )
            }
            ExprKind::PtrAssign {
                place,
                index,
                elem_size,
            } => {
                let index_kind = self.kind_of(&index.ty);
                let size = u64::from(*elem_size);
                let index_expr = |this: &mut Self| this.expr(index);
                self.update(
                    place,
                    Some(&index_expr),
                    writes(index),
                    false,
                    span,
                    |this, pointer, index| {
                        let op = Op::Advance {
                            pointer: Box::new(pointer),
                            index: Box::new(index),
                            index_kind,
                            size,
                        };
                        this.op(op, span)
                    },
                )
            }
            ExprKind::IncDec {
                place,
                delta,
                postfix,
            } => {
                let place_kind = self.kind_of(&place.ty);
                let bits = match place_kind {
                    Kind::F16 => u64::from(f16_bits(*delta as f64)),
                    Kind::Bf16 => u64::from((*delta as f32).to_bits() >> 16),
                    Kind::F32 => u64::from((*delta as f32).to_bits()),
                    Kind::F64 => (*delta as f64).to_bits(),
                    _ => super::super::number::cut(delta.cast_unsigned(), place_kind),
                };
                // Narrow integers are promoted first, so they do not overflow.
                let is_narrow = !place_kind.is_float() && place_kind.bits() < 32;
                self.update(place, None, false, *postfix, span, |this, old, _| {
                    let delta = this.constant(bits, span);
                    let kind = if is_narrow {
                        unsigned(place_kind)
                    } else {
                        place_kind
                    };
                    this.binary((BinaryOp::Add, kind), old, delta, kind, span)
                })
            }
            ExprKind::Unary { op, operand } => {
                let operand = Box::new(self.expr(operand));
                self.op(
                    Op::Unary {
                        op: *op,
                        kind,
                        operand,
                    },
                    span,
                )
            }
            ExprKind::Binary { op, lhs, rhs } => {
                let rhs_kind = self.kind_of(&rhs.ty);
                let (lhs, rhs) = self.operands(lhs, rhs);
                self.binary((*op, kind), lhs, rhs, rhs_kind, span)
            }
            ExprKind::Compare { op, lhs, rhs } => {
                let kind = self.kind_of(&lhs.ty);
                let (lhs, rhs) = self.operands(lhs, rhs);
                self.op(
                    Op::Compare {
                        op: *op,
                        kind,
                        lhs: Box::new(lhs),
                        rhs: Box::new(rhs),
                    },
                    span,
                )
            }
            ExprKind::Logical { op, lhs, rhs } => {
                let (lhs, rhs) = self.operands(lhs, rhs);
                self.op(
                    Op::Logical {
                        is_or: *op == LogicalOp::Or,
                        lhs: Box::new(lhs),
                        rhs: Box::new(rhs),
                    },
                    span,
                )
            }
            ExprKind::Conditional {
                cond,
                then,
                otherwise,
            } => {
                let cond = Box::new(self.expr(cond));
                let then = Box::new(self.expr(then));
                let otherwise = Box::new(self.expr(otherwise));
                let len = then.len.max(otherwise.len);
                Expr {
                    op: Op::Select {
                        cond,
                        then,
                        otherwise,
                    },
                    row: self.rows(len),
                    len,
                    span,
                }
            }
            ExprKind::Comma { first, second } => {
                let first = self.expr(first);
                let second = self.expr(second);
                sequence(vec![first, second], span)
            }
            ExprKind::Convert(inner) => {
                let operand = self.expr(inner);
                if expr.ty == Type::Void {
                    let mut dropped = sequence(vec![operand], span);
                    dropped.len = 0;
                    return dropped;
                }
                if inner.ty.is_aggregate() || inner.ty == Type::Void {
                    return operand;
                }
                let from = self.kind_of(&inner.ty);
                self.converted(operand, from, kind)
            }
            ExprKind::Bitcast(inner) => {
                let operand = self.expr(inner);
                let (from, to) = (self.leaves(&inner.ty), self.leaves(&expr.ty));
                if let ([a], [b]) = (&from[..], &to[..])
                    && a.kind.bits() == b.kind.bits()
                {
                    return operand;
                }
                let len = to.len() as u32;
                Expr {
                    op: Op::Reinterpret {
                        from,
                        to,
                        operand: Box::new(operand),
                    },
                    row: self.rows(len),
                    len,
                    span,
                }
            }
            ExprKind::PtrAdd {
                ptr,
                index,
                elem_size,
            } => {
                let index_kind = self.kind_of(&index.ty);
                let (pointer, index) = self.operands(ptr, index);
                let op = Op::Advance {
                    pointer: Box::new(pointer),
                    index: Box::new(index),
                    index_kind,
                    size: u64::from(*elem_size),
                };
                self.op(op, span)
            }
            ExprKind::PtrDiff { lhs, rhs, elem_size } => {
                let (lhs, rhs) = self.operands(lhs, rhs);
                let op = Op::Distance {
                    lhs: Box::new(lhs),
                    rhs: Box::new(rhs),
                    size: *elem_size,
                };
                self.op(op, span)
            }
            ExprKind::Call { function, args } => {
                let function = self.function(*function);
                let args = self.arguments(args);
                let len = self.leaves(&expr.ty).len() as u32;
                Expr {
                    op: Op::Call { function, args },
                    row: self.rows(len),
                    len,
                    span,
                }
            }
            ExprKind::Builtin { builtin, args } => self.builtin(*builtin, args, &expr.ty, span),
            ExprKind::Aggregate(fields) => {
                let parts = self.arguments(fields);
                let len = parts.iter().map(|part| part.len).sum();
                Expr {
                    op: Op::Gather(parts),
                    row: self.rows(len),
                    len,
                    span,
                }
            }
            ExprKind::Extract { base, field } => {
                let (before, len) = self.field_rows(&base.ty, *field);
                let base = self.expr(base);
                let op = match base.op {
                    Op::Read => Op::Read,
                    _ => Op::Seq(vec![base.clone()]),
                };
                Expr {
                    op,
                    row: base.row + before,
                    len,
                    span,
                }
            }
        }
    }

    fn builtin(&mut self, builtin: Builtin, args: &[hir::Expr], ty: &Type, span: Span) -> Expr {
        let pooled = match builtin {
            Builtin::ThreadIdx(axis) => Some(Pooled::ThreadIdx(axis_index(axis))),
            Builtin::BlockIdx(axis) => Some(Pooled::BlockIdx(axis_index(axis))),
            Builtin::BlockDim(axis) => Some(Pooled::BlockDim(axis_index(axis))),
            Builtin::GridDim(axis) => Some(Pooled::GridDim(axis_index(axis))),
            Builtin::LaneId => Some(Pooled::Lane),
            _ => None,
        };
        if let Some(pooled) = pooled {
            return self.pool_expr(pooled, span);
        }
        let leaves = self.leaves(ty);
        let kinds = args.iter().map(|arg| self.kind_of(&arg.ty)).collect();
        let args = self.arguments(args);
        let len = leaves.len() as u32;
        let is_load = matches!(
            builtin,
            Builtin::LoadReadOnly | Builtin::LoadCacheGlobal | Builtin::LoadStreaming
        );
        let op = if is_load && let [address] = &args[..] {
            Op::Load {
                address: Box::new(address.clone()),
                offset: 0,
                leaves,
            }
        } else if builtin == Builtin::TextureFetch
            && let [texture, index] = &args[..]
        {
            let size = self.unit.size_of(ty);
            let op = Op::Advance {
                pointer: Box::new(texture.clone()),
                index: Box::new(index.clone()),
                index_kind: Kind::I32,
                size,
            };
            Op::Load {
                address: Box::new(self.op(op, span)),
                offset: 0,
                leaves,
            }
        } else {
            Op::Builtin {
                builtin,
                kind: leaves.first().map_or(Kind::U32, |leaf| leaf.kind),
                kinds,
                args,
            }
        };
        Expr {
            op,
            row: self.rows(len),
            len,
            span,
        }
    }

    /// Evaluates values that are needed together, from left to right.
    fn arguments(&mut self, args: &[hir::Expr]) -> Vec<Expr> {
        let last_writer = args.iter().rposition(writes).unwrap_or(0);
        args.iter()
            .enumerate()
            .map(|(idx, arg)| {
                let value = self.expr(arg);
                if idx < last_writer {
                    self.kept(value)
                } else {
                    value
                }
            })
            .collect()
    }

    fn operands(&mut self, lhs: &hir::Expr, rhs: &hir::Expr) -> (Expr, Expr) {
        let left = self.expr(lhs);
        let left = if writes(rhs) { self.kept(left) } else { left };
        (left, self.expr(rhs))
    }

    /// A copy of a value that later writes to variables do not change.
    fn kept(&mut self, value: Expr) -> Expr {
        if value.row & POOL != 0 || value.row >= self.scope.first_temporary || value.len == 0 {
            return value;
        }
        let (len, span) = (value.len, value.span);
        Expr {
            op: Op::Copy(Box::new(value)),
            row: self.rows(len),
            len,
            span,
        }
    }

    fn binary(
        &mut self,
        (op, kind): (BinaryOp, Kind),
        lhs: Expr,
        rhs: Expr,
        rhs_kind: Kind,
        span: Span,
    ) -> Expr {
        let is_shift = matches!(op, BinaryOp::Shl | BinaryOp::Shr);
        let rhs = if is_shift && rhs_kind.bits() < 32 {
            self.converted(rhs, rhs_kind, Kind::I32)
        } else {
            rhs
        };
        let divides = matches!(op, BinaryOp::Div | BinaryOp::Rem) && !kind.is_float();
        let known = self.known(rhs.row);
        let checked = match known {
            Some(bits) if is_shift => bits & 0xffff_ffff >= u64::from(kind.bits()),
            Some(bits) => divides && bits == 0,
            None => divides || is_shift,
        };
        self.op(
            Op::Binary {
                op,
                kind,
                lhs: Box::new(lhs),
                rhs: Box::new(rhs),
                checked,
            },
            span,
        )
    }

    /// The bits of a constant row.
    fn known(&self, row: Row) -> Option<u64> {
        match self.code.pool.get((row & !POOL) as usize) {
            Some(Pooled::Const(bits)) if row & POOL != 0 => Some(*bits),
            _ => None,
        }
    }

    fn converted(&mut self, operand: Expr, from: Kind, to: Kind) -> Expr {
        if keeps_bits(from, to) {
            return operand;
        }
        let span = operand.span;
        let op = Op::Convert {
            from,
            to,
            operand: Box::new(operand),
        };
        self.op(op, span)
    }

    /// Reads a place.
    fn read(&mut self, target: Target, ty: &Type, span: Span) -> Expr {
        match target {
            Target::Registers { row, len } => Expr {
                op: Op::Read,
                row,
                len,
                span,
            },
            Target::Memory { address, offset } => {
                let leaves = self.leaves(ty);
                let len = leaves.len() as u32;
                let op = Op::Load {
                    address: Box::new(address),
                    offset,
                    leaves,
                };
                Expr {
                    op,
                    row: self.rows(len),
                    len,
                    span,
                }
            }
        }
    }

    /// Writes a value and returns it as the expression's value.
    pub(super) fn write(&mut self, target: Target, ty: &Type, value: Expr, span: Span) -> Expr {
        let (row, len) = (value.row, value.len);
        let value = Box::new(value);
        let op = match target {
            Target::Registers { row, .. } => Op::Set { to: row, value },
            Target::Memory { address, offset } => Op::Store {
                address: Box::new(address),
                offset,
                leaves: self.leaves(ty),
                value,
            },
        };
        Expr { op, row, len, span }
    }

    pub(super) fn assign(&mut self, place: &hir::Place, value: &hir::Expr, span: Span) -> Expr {
        let target = self.place(place);
        let target = if writes(value) {
            self.kept_target(target)
        } else {
            target
        };
        let value = self.expr(value);
        self.write(target, &place.ty, value, span)
    }

    fn kept_target(&mut self, target: Target) -> Target {
        match target {
            Target::Memory { address, offset } => Target::Memory {
                address: self.kept(address),
                offset,
            },
            registers @ Target::Registers { .. } => registers,
        }
    }

    /// Evaluates the place and the operand, reads the place, and writes the result of `change`.
    fn update(
        &mut self,
        place: &hir::Place,
        operand: Option<&dyn Fn(&mut Self) -> Expr>,
        operand_writes: bool,
        gives_old: bool,
        span: Span,
        change: impl FnOnce(&mut Self, Expr, Expr) -> Expr,
    ) -> Expr {
        let mut parts = Vec::new();
        let target = self.place(place);
        let target = if operand_writes {
            self.kept_target(target)
        } else {
            target
        };
        let (again, target) = match target {
            Target::Registers { row, len } => {
                (Target::Registers { row, len }, Target::Registers { row, len })
            }
            Target::Memory { address, offset } => {
                let ready = Expr {
                    op: Op::Ready,
                    ..address.clone()
                };
                parts.push(address);
                let target = |address| Target::Memory { address, offset };
                (target(ready.clone()), target(ready))
            }
        };
        let operand = match operand {
            Some(operand) => {
                let operand = operand(self);
                let ready = Expr {
                    op: Op::Ready,
                    ..operand.clone()
                };
                parts.push(operand);
                ready
            }
            None => self.constant(0, span),
        };
        let old = self.read(target, &place.ty, span);
        let old = if gives_old { self.kept(old) } else { old };
        let ready = Expr {
            op: Op::Ready,
            ..old.clone()
        };
        parts.push(old);
        let new = change(self, ready.clone(), operand);
        let mut store = self.write(again, &place.ty, new, span);
        if gives_old {
            (store.row, store.len) = (ready.row, ready.len);
        }
        parts.push(store);
        sequence(parts, span)
    }
}

/// A sequence of expressions with the value of the last one.
fn sequence(parts: Vec<Expr>, span: Span) -> Expr {
    let (row, len) = parts.last().map_or((0, 0), |last| (last.row, last.len));
    Expr {
        op: Op::Seq(parts),
        row,
        len,
        span,
    }
}

const fn unsigned(kind: Kind) -> Kind {
    match kind {
        Kind::I8 => Kind::U8,
        Kind::I16 => Kind::U16,
        other => other,
    }
}

const fn axis_index(axis: Axis) -> u8 {
    match axis {
        Axis::X => 0,
        Axis::Y => 1,
        Axis::Z => 2,
    }
}
