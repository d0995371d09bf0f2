//! Translates expressions and calls.

use super::emit::num;
use super::stmt::is_speculatable;
use super::*;
use crate::ir::{Compare, Num, Rounding};

/// Maximum nesting depth of statements and expressions, through all inlined calls. Assumption: programs have 50 levels.
/// Each level is up to three calls, and the stack of a browser's worker has 1 MB.
pub(super) const MAX_LEVELS: u32 = 300;
pub(super) const TOO_DEEP: &str =
    "Calls and statements are nested too deeply here. Declare a function `__noinline__`.";

impl Builder<'_> {
    pub(super) fn expr(&mut self, expr: &hir::Expr) -> Val {
        let outer = self.span;
        self.at(expr.span);
        self.levels += 1;
        let val = if self.levels > MAX_LEVELS {
            self.error(TOO_DEEP);
            self.undef(&expr.ty)
        } else {
            self.expr_here(expr)
        };
        self.levels -= 1;
        self.span = outer;
        val
    }

    fn scalar_of(&mut self, expr: &hir::Expr) -> Value {
        let val = self.expr(expr);
        self.one(&val)
    }

    /// A chain of operations such as `a + b + c`, which are nested on the left: a loop without a call for each.
    fn chain(&mut self, expr: &hir::Expr) -> Val {
        let mut chain = Vec::new();
        let mut first = expr;
        while let hir::ExprKind::Binary { op, lhs, rhs } = &first.kind {
            chain.push((*op, rhs, first));
            first = lhs;
        }
        let mut left = self.scalar_of(first);
        for (op, rhs, whole) in chain.into_iter().rev() {
            self.at(whole.span);
            let right = self.scalar_of(rhs);
            left = self.binary(op, &whole.ty, left, right, &rhs.ty);
        }
        Val::One(left)
    }

    fn expr_here(&mut self, expr: &hir::Expr) -> Val {
        match &expr.kind {
            hir::ExprKind::Const(constant) => {
                let value = self.constant(*constant, &expr.ty);
                Val::One(value)
            }
            hir::ExprKind::Load(place) => self.load_place(place),
            hir::ExprKind::AddressOf(place) => match self.place(place) {
                place::Loc::Memory(mem) => self.address(mem),
                place::Loc::Value(val) => {
                    // Only a reference to const can need this address: a copy is sufficient.
                    let size = self.unit.size_of(&place.ty) as u32;
                    let slot = self.function.slot("", size, self.unit.align_of(&place.ty));
                    let addr = self.function.leaf(Type::I32, Def::Slot(slot));
                    let mem = self.mem(Space::Local, addr, 0);
                    self.store(mem, &place.ty, val);
                    self.address(mem)
                }
            },
            hir::ExprKind::Assign { .. } if self.is_large_copy(expr) => {
                let mem = self.source(expr);
                self.load(mem, &expr.ty)
            }
            hir::ExprKind::Assign { place, value } => {
                let val = self.expr(value);
                let mem = self.target(place);
                self.store(mem, &place.ty, val.clone());
                val
            }
            hir::ExprKind::CompoundAssign {
                place,
                op,
                compute,
                value,
            } => {
                let rhs = self.scalar_of(value);
                let mem = self.target(place);
                let old = self.load(mem, &place.ty);
                let old = self.one(&old);
                let lhs = self.convert(old, &place.ty, compute);
                let result = self.binary(*op, compute, lhs, rhs, &value.ty);
                let result = Val::One(self.convert(result, compute, &place.ty));
                self.store(mem, &place.ty, result.clone());
                result
            }
            hir::ExprKind::PtrAssign {
                place,
                index,
                elem_size,
            } => {
                let step = self.scalar_of(index);
                let mem = self.target(place);
                let old = self.load(mem, &place.ty);
                let new = self.advance(&old, step, index.ty.is_signed(), *elem_size);
                self.store(mem, &place.ty, new.clone());
                new
            }
            hir::ExprKind::IncDec {
                place,
                delta,
                postfix,
            } => {
                let mem = self.target(place);
                let old = self.load(mem, &place.ty);
                let new = self.step(&old, &place.ty, *delta);
                self.store(mem, &place.ty, new.clone());
                if *postfix { old } else { new }
            }
            hir::ExprKind::Unary { op, operand } => {
                let value = self.scalar_of(operand);
                let ty = self.function.ty(value);
                Val::One(match op {
                    hir::UnaryOp::Neg if expr.ty == hir::Type::Bf16 => {
                        self.bfloat16(hir::PairOp::Neg, &[value])
                    }
                    hir::UnaryOp::Neg if ty.is_float() => self.op(ty, Op::FNeg, &[value]),
                    hir::UnaryOp::Neg => {
                        let result = self.relaxed(ty, Op::Neg, &[value], expr.ty.is_signed());
                        self.narrow(result, &expr.ty)
                    }
                    hir::UnaryOp::BitNot => {
                        let result = self.op(ty, Op::Not, &[value]);
                        self.narrow(result, &expr.ty)
                    }
                    hir::UnaryOp::Not => self.op(Type::I1, Op::Not, &[value]),
                })
            }
            hir::ExprKind::Binary { .. } => self.chain(expr),
            hir::ExprKind::Compare { op, lhs, rhs } => {
                let left = self.expr(lhs);
                let right = self.expr(rhs);
                Val::One(self.compare(*op, &lhs.ty, &left, &right))
            }
            hir::ExprKind::Logical { op, lhs, rhs } => Val::One(self.logical(*op, lhs, rhs)),
            hir::ExprKind::Conditional {
                cond,
                then,
                otherwise,
            } => self.conditional(expr, cond, then, otherwise),
            hir::ExprKind::Comma { first, second } => {
                self.expr(first);
                self.expr(second)
            }
            hir::ExprKind::Convert(inner) => {
                let val = self.expr(inner);
                match (&inner.ty, &expr.ty, val) {
                    (_, hir::Type::Void, _) => Val::Nothing,
                    // A pointer cast keeps the address.
                    (hir::Type::Pointer(_), hir::Type::Pointer(_), val) => val,
                    (from, to, val) if !from.is_aggregate() => {
                        let value = self.one(&val);
                        Val::One(self.convert(value, from, to))
                    }
                    (_, _, val) => val,
                }
            }
            hir::ExprKind::Bitcast(inner) => {
                let val = self.expr(inner);
                self.bitcast(val, &inner.ty, &expr.ty)
            }
            hir::ExprKind::PtrAdd {
                ptr,
                index,
                elem_size,
            } => {
                let pointer = self.expr(ptr);
                let step = self.scalar_of(index);
                self.advance(&pointer, step, index.ty.is_signed(), *elem_size)
            }
            hir::ExprKind::PtrDiff { lhs, rhs, elem_size } => {
                let left = self.expr(lhs);
                let right = self.expr(rhs);
                let (mut left, mut right) = self.same_space(&left, &right);
                if self.function.ty(left) == Type::I32 {
                    left = self.op(Type::I64, Op::SignExtend, &[left]);
                    right = self.op(Type::I64, Op::SignExtend, &[right]);
                }
                let bytes = self.op(Type::I64, Op::Sub, &[left, right]);
                if *elem_size <= 1 {
                    return Val::One(bytes);
                }
                let size = self.function.constant(Type::I64, u64::from(*elem_size));
                if elem_size.is_power_of_two() {
                    let amount = self.i32(elem_size.trailing_zeros() as i32);
                    return Val::One(self.op(Type::I64, Op::Shr { signed: true }, &[bytes, amount]));
                }
                Val::One(self.op(Type::I64, Op::Div { signed: true }, &[bytes, size]))
            }
            hir::ExprKind::Call { function, args } => self.call(*function, args, &expr.ty),
            hir::ExprKind::Builtin { builtin, args } => self.builtin(*builtin, args, &expr.ty),
            hir::ExprKind::Aggregate(fields) => {
                Val::Parts(fields.iter().map(|field| self.expr(field)).collect())
            }
            hir::ExprKind::Extract { base, field } => match self.expr(base) {
                Val::Parts(mut parts) if (*field as usize) < parts.len() => {
                    parts.swap_remove(*field as usize)
                }
                _ => self.undef(&expr.ty),
            },
        }
    }

    pub(super) fn constant(&mut self, constant: hir::Const, ty: &hir::Type) -> Value {
        let (ir_ty, _) = self.scalar(ty);
        let bits = match constant {
            hir::Const::Bool(truth) => u64::from(truth),
            hir::Const::Int(number) => number as u64,
            hir::Const::F32(number) if *ty == hir::Type::Bf16 => u64::from(number.to_bits() >> 16),
            hir::Const::F32(number) if ir_ty == Type::F16 => u64::from(half_bits(number)),
            hir::Const::F32(number) => u64::from(number.to_bits()),
            hir::Const::F64(number) => number.to_bits(),
        };
        self.function.constant(ir_ty, bits)
    }

    /// The new value of a variable after `++` or `--`.
    fn step(&mut self, old: &Val, ty: &hir::Type, delta: i64) -> Val {
        if let (hir::Type::Pointer(_), Val::In(..)) = (ty, old) {
            let delta = self.i32(delta as i32);
            return self.advance(old, delta, true, 1);
        }
        let old = self.one(old);
        let (ir_ty, _) = self.scalar(ty);
        match ty {
            hir::Type::Pointer(_) => {
                let delta = self.function.constant(ir_ty, delta as u64);
                Val::One(self.op(ir_ty, Op::PtrAdd, &[old, delta]))
            }
            hir::Type::Bf16 => {
                let delta = u64::from((delta as f32).to_bits() >> 16);
                let delta = self.function.constant(ir_ty, delta);
                Val::One(self.bfloat16(hir::PairOp::Add, &[old, delta]))
            }
            hir::Type::F32 | hir::Type::F64 | hir::Type::F16 => {
                let bits = match ir_ty {
                    Type::F64 => (delta as f64).to_bits(),
                    Type::F16 => u64::from(half_bits(delta as f32)),
                    _ => u64::from((delta as f32).to_bits()),
                };
                let delta = self.function.constant(ir_ty, bits);
                let fuse = self.module.options.fmad;
                Val::One(self.relaxed(ir_ty, Op::FAdd(Rounding::Rn), &[old, delta], fuse))
            }
            _ => {
                let delta = self.function.constant(ir_ty, delta as u64);
                let signed = matches!(ty, hir::Type::I32 | hir::Type::I64);
                let sum = self.relaxed(ir_ty, Op::Add, &[old, delta], signed);
                Val::One(self.narrow(sum, ty))
            }
        }
    }

    pub(super) fn binary(
        &mut self,
        op: hir::BinaryOp,
        ty: &hir::Type,
        lhs: Value,
        rhs: Value,
        rhs_ty: &hir::Type,
    ) -> Value {
        let (ir_ty, _) = self.scalar(ty);
        let signed = ty.is_signed();
        if *ty == hir::Type::Bf16 {
            let op = match op {
                hir::BinaryOp::Add => hir::PairOp::Add,
                hir::BinaryOp::Sub => hir::PairOp::Sub,
                _ => hir::PairOp::Mul,
            };
            return self.bfloat16(op, &[lhs, rhs]);
        }
        if ir_ty.is_float() {
            let fuse = self.module.options.fmad;
            let round = Rounding::Rn;
            return match op {
                hir::BinaryOp::Add => self.relaxed(ir_ty, Op::FAdd(round), &[lhs, rhs], fuse),
                hir::BinaryOp::Sub => self.relaxed(ir_ty, Op::FSub(round), &[lhs, rhs], fuse),
                hir::BinaryOp::Mul => self.relaxed(ir_ty, Op::FMul(round), &[lhs, rhs], fuse),
                hir::BinaryOp::Div if ir_ty == Type::F32 && self.module.options.fast_math => {
                    self.divide_approx(lhs, rhs)
                }
                _ => self.op(ir_ty, Op::FDiv(round), &[lhs, rhs]),
            };
        }
        let (op, relaxed) = match op {
            hir::BinaryOp::Add => (Op::Add, signed),
            hir::BinaryOp::Sub => (Op::Sub, signed),
            hir::BinaryOp::Mul => (Op::Mul, signed),
            hir::BinaryOp::Div => (Op::Div { signed }, false),
            hir::BinaryOp::Rem => (Op::Rem { signed }, false),
            hir::BinaryOp::And => (Op::And, false),
            hir::BinaryOp::Or => (Op::Or, false),
            hir::BinaryOp::Xor => (Op::Xor, false),
            hir::BinaryOp::Shl | hir::BinaryOp::Shr => {
                let mut amount = rhs;
                if self.function.ty(rhs) == Type::I64 {
                    amount = self.op(Type::I32, Op::Low, &[rhs]);
                }
                let _ = rhs_ty;
                let shift = if op == hir::BinaryOp::Shl {
                    Op::Shl
                } else {
                    Op::Shr { signed }
                };
                let result = self.op(ir_ty, shift, &[lhs, amount]);
                return self.narrow(result, ty);
            }
        };
        let result = self.relaxed(ir_ty, op, &[lhs, rhs], relaxed);
        self.narrow(result, ty)
    }

    /// Converts two pointers to addresses of one space for comparison.
    fn same_space(&mut self, left: &Val, right: &Val) -> (Value, Value) {
        match (left, right) {
            (Val::In(a, left), Val::In(b, right)) if a == b => (*left, *right),
            _ => (self.one(left), self.one(right)),
        }
    }

    fn compare(&mut self, op: hir::CompareOp, ty: &hir::Type, left: &Val, right: &Val) -> Value {
        let (mut lhs, mut rhs) = self.same_space(left, right);
        if *ty == hir::Type::Bf16 {
            [lhs, rhs] = [lhs, rhs].map(|value| self.single_of_bfloat16(value));
        }
        let float = self.function.ty(lhs).is_float();
        let cmp = match op {
            hir::CompareOp::Lt => Compare::Lt,
            hir::CompareOp::Le => Compare::Le,
            hir::CompareOp::Gt => Compare::Gt,
            hir::CompareOp::Ge => Compare::Ge,
            hir::CompareOp::Eq => Compare::Eq,
            hir::CompareOp::Ne if float => Compare::Neu,
            hir::CompareOp::Ne => Compare::Ne,
        };
        let op = if float {
            Op::FCmp(cmp)
        } else {
            Op::ICmp {
                cmp,
                signed: ty.is_signed(),
            }
        };
        self.op(Type::I1, op, &[lhs, rhs])
    }

    fn logical(&mut self, op: hir::LogicalOp, lhs: &hir::Expr, rhs: &hir::Expr) -> Value {
        let left = self.scalar_of(lhs);
        let or = op == hir::LogicalOp::Or;
        if is_speculatable(rhs) {
            let right = self.scalar_of(rhs);
            return self.op(Type::I1, if or { Op::Or } else { Op::And }, &[left, right]);
        }
        let known = self.function.constant(Type::I1, u64::from(or));
        let (more, join) = (self.block(), self.block());
        let result = self.block_params(join, &[Type::I1])[0];
        let (more_edge, join_edge) = (
            Edge::to(more),
            Edge {
                to: join,
                args: vec![known],
            },
        );
        let (then, els) = if or {
            (join_edge, more_edge)
        } else {
            (more_edge, join_edge)
        };
        self.stop(End::Branch {
            cond: left,
            then,
            els,
        });
        self.start(more);
        let right = self.scalar_of(rhs);
        self.jump_with(join, vec![right]);
        self.start(join);
        result
    }

    fn conditional(
        &mut self,
        expr: &hir::Expr,
        cond: &hir::Expr,
        then: &hir::Expr,
        otherwise: &hir::Expr,
    ) -> Val {
        let (yes, no, join) = (self.block(), self.block(), self.block());
        self.condition_to(cond, yes, no);
        let types = self.flat_types(&expr.ty);
        let results = self.block_params(join, &types);
        for (block, value) in [(yes, then), (no, otherwise)] {
            self.start(block);
            let values = self.scalars(value);
            self.jump_with(join, values);
        }
        self.start(join);
        self.unflatten(&expr.ty, &mut results.into_iter())
    }

    /// The scalars of an expression's value.
    fn scalars(&mut self, expr: &hir::Expr) -> Vec<Value> {
        let val = self.expr(expr);
        let mut values = Vec::new();
        self.flatten(&val, &mut values);
        values
    }

    /// C's conversion of a scalar.
    pub(super) fn convert(&mut self, value: Value, from: &hir::Type, to: &hir::Type) -> Value {
        if from == to {
            return value;
        }
        if *from == hir::Type::Bf16 {
            let single = self.single_of_bfloat16(value);
            return self.convert(single, &hir::Type::F32, to);
        }
        if *to == hir::Type::Bf16 {
            let single = self.single_for_bfloat16(value, from);
            return self.bfloat16_of_single(single);
        }
        let (from_ty, from_width) = self.scalar(from);
        let (to_ty, to_width) = self.scalar(to);
        if *to == hir::Type::Bool {
            if from_ty.is_float() {
                let zero = self.function.constant(from_ty, 0);
                return self.op(Type::I1, Op::FCmp(Compare::Neu), &[value, zero]);
            }
            return self.not_zero(value);
        }
        let (value, from_ty, from) = if *from == hir::Type::Bool {
            (self.truth(value), Type::I32, &hir::Type::I32)
        } else {
            (value, from_ty, from)
        };
        match (from_ty.is_float(), to_ty.is_float()) {
            (false, false) => match (from_ty, to_ty) {
                (Type::I32, Type::I64) => self.op(
                    Type::I64,
                    if from.is_signed() {
                        Op::SignExtend
                    } else {
                        Op::ZeroExtend
                    },
                    &[value],
                ),
                (Type::I64, Type::I32) => {
                    let low = self.op(Type::I32, Op::Low, &[value]);
                    self.narrow(low, to)
                }
                (Type::I32, Type::I32) => {
                    let widens =
                        to_width.bytes() > from_width.bytes() && (to.is_signed() || !from.is_signed());
                    if to_width.bytes() == 4 || widens {
                        value
                    } else {
                        self.narrow(value, to)
                    }
                }
                _ => value,
            },
            (false | true, true) => self.convert_number(value, num(from), num(to), Rounding::Rn),
            (true, false) => {
                let result = self.convert_number(value, num(from), num(to), Rounding::Rz);
                self.narrow(result, to)
            }
        }
    }

    fn bitcast(&mut self, val: Val, from: &hir::Type, to: &hir::Type) -> Val {
        let from_types = self.flat_types(from);
        let to_types = self.flat_types(to);
        let mut values = Vec::new();
        self.flatten(&val, &mut values);
        match (&from_types[..], &to_types[..]) {
            ([a], [b]) if a == b => val,
            ([a], [b]) if a.bytes() == b.bytes() || (a.bytes() <= 4 && b.bytes() <= 4) => {
                let value = self.op(*b, Op::Bitcast, &[values[0]]);
                // A half has no other bits.
                if *a == Type::F16 {
                    return Val::One(value);
                }
                Val::One(self.narrow(value, to))
            }
            // A pair of halves and a word.
            ([Type::F16, Type::F16], [b]) => {
                let packed = self.op(Type::F16x2, Op::PackHalves, &values);
                Val::One(self.op(*b, Op::Bitcast, &[packed]))
            }
            ([_], [Type::F16, Type::F16]) => {
                let packed = self.op(Type::F16x2, Op::Bitcast, &values);
                let low = self.op(Type::F16, Op::HalfLow, &[packed]);
                let high = self.op(Type::F16, Op::HalfHigh, &[packed]);
                self.unflatten(to, &mut [low, high].into_iter())
            }
            _ => {
                // Through memory; promotion removes the accesses if possible.
                let size = self.unit.size_of(from).max(self.unit.size_of(to)) as u32;
                let align = self.unit.align_of(from).max(self.unit.align_of(to));
                let slot = self.function.slot("", size, align);
                let addr = self.function.leaf(Type::I32, Def::Slot(slot));
                let mem = self.mem(Space::Local, addr, 0);
                self.store(mem, from, val);
                self.load(mem, to)
            }
        }
    }

    fn call(&mut self, id: hir::FuncId, args: &[hir::Expr], ty: &hir::Type) -> Val {
        let is_called = self.facts.is_called(self.unit, id);
        let mut copies = Vec::new();
        let args: Vec<_> = (args.iter().enumerate())
            .map(|(index, arg)| {
                if is_called || !self.is_large_copy(arg) {
                    return self.expr(arg);
                }
                let from = self.source(arg);
                let own = self.own_memory(&arg.ty);
                self.copy(own, from, &arg.ty);
                copies.push((index, own));
                Val::Nothing
            })
            .collect();
        if self.current.is_none() {
            return self.undef(ty);
        }
        let unit = self.unit;
        let callee = unit.function(id);
        if is_called {
            let index = if let Some(index) = self.called.get(&id) {
                *index
            } else {
                let index = FuncId(self.module.functions.len() as u32);
                self.module.functions.push(Function::new(callee.name.clone()));
                self.called.insert(id, index);
                self.pending.push((id, index));
                index
            };
            let mut values = Vec::new();
            for arg in &args {
                self.call_values(arg, &mut values);
            }
            let types = self.passed_types(ty);
            let results: Vec<_> = types.iter().map(|ty| self.function.value(*ty)).collect();
            self.emit(Op::Call(index), &values, results.clone());
            let results = self.received_values(ty, results);
            return self.unflatten(ty, &mut results.into_iter());
        }
        if self.frames.len() > 64 {
            self.error("Calls are nested more than 64 levels deep.");
            return self.undef(ty);
        }
        let exit = self.block();
        self.frames.push(Frame {
            id,
            binds: vec![Bind::Unseen; callee.locals.len()],
            targets: Vec::new(),
            leave: Leave::To(exit),
            labels: BTreeMap::new(),
        });
        for (index, (local, arg)) in callee.params().iter().zip(args).enumerate() {
            let local_id = hir::LocalId(index as u32);
            if let Some((_, own)) = copies.iter().find(|(at, _)| *at == index) {
                self.frame().binds[index] = Bind::Memory(*own);
            } else if self.facts.is_set_once(id, local_id) {
                self.frame().binds[index] = Bind::Value(arg);
            } else {
                let mem = self.local_memory(local_id);
                self.store(mem, &local.ty, arg);
            }
        }
        let outer = (self.span, self.fixed_span);
        self.fixed_span |= callee.prelude;
        let val = self.inlined(&callee.body, exit, ty);
        (self.span, self.fixed_span) = outer;
        self.frames.pop();
        val
    }

    /// Emits the body of an inlined function. Every `return` jumps to `exit`, except one at the very end.
    fn inlined(&mut self, body: &[hir::Stmt], exit: BlockId, ty: &hir::Type) -> Val {
        if let [
            before @ ..,
            hir::Stmt {
                kind: hir::StmtKind::Return(Some(value)),
                span,
            },
        ] = body
            && before.iter().all(|stmt| !returns(stmt))
        {
            self.stmts(before);
            if self.current.is_none() {
                return self.undef(ty);
            }
            self.at(*span);
            return self.expr(value);
        }
        let types = self.flat_types(ty);
        let results = self.block_params(exit, &types);
        self.stmts(body);
        let undef = (types.iter())
            .map(|ty| self.function.leaf(*ty, Def::Undef))
            .collect();
        self.jump_with(exit, undef);
        self.start(exit);
        self.unflatten(ty, &mut results.into_iter())
    }

    /// The number type of an atomic or a conversion.
    pub(super) fn num_of(&self, ty: &hir::Type) -> Num {
        num(ty)
    }
}

/// Whether a statement contains a `return`.
fn returns(stmt: &hir::Stmt) -> bool {
    match &stmt.kind {
        hir::StmtKind::Return(_) => true,
        hir::StmtKind::Block(stmts) => stmts.iter().any(returns),
        hir::StmtKind::If { then, otherwise, .. } => {
            returns(then) || otherwise.as_ref().is_some_and(|stmt| returns(stmt))
        }
        hir::StmtKind::While { body, .. } | hir::StmtKind::DoWhile { body, .. } => returns(body),
        hir::StmtKind::For { init, body, .. } => init.iter().any(returns) || returns(body),
        hir::StmtKind::Switch { arms, .. } => arms.iter().any(|arm| arm.body.iter().any(returns)),
        _ => false,
    }
}

/// The half-precision bits of a number, rounded to nearest even.
fn half_bits(number: f32) -> u16 {
    crate::ir::fold::half_from_f64(f64::from(number), Rounding::Rn)
}
