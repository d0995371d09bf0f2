//! Emission of operations, types of values, and decomposition of values.

use super::*;
use crate::ir::{Compare, Inst, Num, Rounding};

impl Builder<'_> {
    /// Emits an operation with one result.
    pub(super) fn op(&mut self, ty: Type, op: Op, args: &[Value]) -> Value {
        let result = self.function.value(ty);
        self.emit(op, args, vec![result]);
        result
    }

    /// Emits an operation.
    pub(super) fn emit(&mut self, op: Op, args: &[Value], results: Vec<Value>) {
        let span = self.span;
        if let Some(current) = self.current {
            self.function.at_mut(current).insts.push(Inst {
                op,
                args: args.to_vec(),
                results,
                span,
            });
        }
    }

    /// Emits an operation that permits relaxed optimization (see `ValueInfo::relaxed`).
    pub(super) fn relaxed(&mut self, ty: Type, op: Op, args: &[Value], relaxed: bool) -> Value {
        let result = self.op(ty, op, args);
        self.function.values[result.0 as usize].relaxed = relaxed;
        result
    }

    /// Creates a block.
    pub(super) fn block(&mut self) -> BlockId {
        self.function.block()
    }

    /// Makes a block the open one.
    pub(super) fn start(&mut self, block: BlockId) {
        self.current = Some(block);
    }

    /// Ends the open block, if there is one: the following code is unreachable until a block starts.
    pub(super) fn stop(&mut self, end: End) {
        let span = self.span;
        if let Some(current) = self.current.take() {
            self.reached.extend(end.targets());
            let block = self.function.at_mut(current);
            block.end = end;
            block.span = span;
        }
    }

    /// Ends the open block with a jump.
    pub(super) fn jump(&mut self, to: BlockId) {
        self.stop(End::Jump(Edge::to(to)));
    }

    /// Ends the open block with a jump that passes these values.
    pub(super) fn jump_with(&mut self, to: BlockId, args: Vec<Value>) {
        self.stop(End::Jump(Edge { to, args }));
    }

    /// Ends the open block with a branch.
    pub(super) fn branch(&mut self, cond: Value, then: BlockId, els: BlockId) {
        self.stop(End::Branch {
            cond,
            then: Edge::to(then),
            els: Edge::to(els),
        });
    }

    /// Adds parameters to a block.
    pub(super) fn block_params(&mut self, block: BlockId, types: &[Type]) -> Vec<Value> {
        let params: Vec<_> = types.iter().map(|ty| self.function.value(*ty)).collect();
        self.function.at_mut(block).params.extend(&params);
        params
    }

    pub(super) fn i32(&mut self, number: i32) -> Value {
        self.function.i32(number)
    }

    /// The type of a scalar value and its width in memory.
    pub(super) fn scalar(&self, ty: &hir::Type) -> (Type, MemWidth) {
        match ty {
            hir::Type::Bool => (Type::I1, MemWidth::U8),
            hir::Type::I8 => (Type::I32, MemWidth::S8),
            hir::Type::U8 => (Type::I32, MemWidth::U8),
            hir::Type::I16 => (Type::I32, MemWidth::S16),
            hir::Type::U16 => (Type::I32, MemWidth::U16),
            hir::Type::I64 | hir::Type::U64 => (Type::I64, MemWidth::B64),
            // A `__nv_bfloat16` is stored like a half; the operations know the difference.
            hir::Type::F16 | hir::Type::Bf16 => (Type::F16, MemWidth::U16),
            hir::Type::F32 => (Type::F32, MemWidth::B32),
            hir::Type::F64 => (Type::F64, MemWidth::B64),
            hir::Type::Pointer(_) if self.unit.pointer_bytes == 8 => (Type::I64, MemWidth::B64),
            _ => (Type::I32, MemWidth::B32),
        }
    }

    /// Types of the scalars of a value of type `ty`.
    pub(super) fn flat_types(&self, ty: &hir::Type) -> Vec<Type> {
        let mut types = Vec::new();
        self.leaves(ty, 0, &mut |_, leaf| types.push(self.scalar(leaf).0));
        types
    }

    /// The number of scalars of a type, and their bytes, without visiting each.
    pub(super) fn extent(&self, ty: &hir::Type) -> (u64, u64) {
        match ty {
            hir::Type::Void => (0, 0),
            hir::Type::Array(elem, len) => {
                let (num, bytes) = self.extent(elem);
                (
                    num.saturating_mul(u64::from(*len)),
                    bytes.saturating_mul(u64::from(*len)),
                )
            }
            hir::Type::Struct(id) => {
                let known = self.extents.borrow().get(id).copied();
                if let Some(known) = known {
                    return known;
                }
                let fields = self.unit.fields(ty);
                let all = fields.iter().map(|(field, _)| self.extent(field));
                let sum = all.fold((0_u64, 0_u64), |sum, one| {
                    (sum.0.saturating_add(one.0), sum.1.saturating_add(one.1))
                });
                self.extents.borrow_mut().insert(*id, sum);
                sum
            }
            hir::Type::Vector(vector) => (u64::from(vector.lanes), {
                let bytes = self.unit.size_of(&vector.elem);
                bytes * u64::from(vector.lanes)
            }),
            scalar => (1, self.unit.size_of(scalar)),
        }
    }

    /// Types of the scalars in which a value of type `ty` is passed to or returned from a called function:
    /// predicates are passed as words.
    pub(super) fn passed_types(&self, ty: &hir::Type) -> Vec<Type> {
        let as_word = |ty| if ty == Type::I1 { Type::I32 } else { ty };
        self.flat_types(ty).into_iter().map(as_word).collect()
    }

    /// The scalars of a value as they are passed to or returned from a called function.
    pub(super) fn call_values(&mut self, val: &Val, values: &mut Vec<Value>) {
        let mut own = Vec::new();
        self.flatten(val, &mut own);
        for value in own {
            values.push(match self.function.ty(value) {
                Type::I1 => self.truth(value),
                _ => value,
            });
        }
    }

    /// Converts the scalars of a value of type `ty` that a called function returned or its caller passed.
    pub(super) fn received_values(&mut self, ty: &hir::Type, values: Vec<Value>) -> Vec<Value> {
        let types = self.flat_types(ty);
        let take = |(ty, value)| {
            if ty == Type::I1 {
                self.not_zero(value)
            } else {
                value
            }
        };
        types.into_iter().zip(values).map(take).collect()
    }

    /// Calls `visit` with the offset and type of every scalar in a type.
    pub(super) fn leaves(&self, ty: &hir::Type, offset: u32, visit: &mut impl FnMut(u32, &hir::Type)) {
        match ty {
            hir::Type::Void => {}
            hir::Type::Vector(_) | hir::Type::Struct(_) => {
                for (field, at) in self.unit.fields(ty) {
                    self.leaves(&field, offset + at, visit);
                }
            }
            hir::Type::Array(elem, len) => {
                let size = self.unit.size_of(elem) as u32;
                for index in 0..*len {
                    self.leaves(elem, offset + index * size, visit);
                }
            }
            scalar => visit(offset, scalar),
        }
    }

    /// The scalars of a value, with pointers as generic addresses.
    pub(super) fn flatten(&mut self, val: &Val, values: &mut Vec<Value>) {
        match val {
            Val::Nothing => {}
            Val::One(value) => values.push(*value),
            Val::In(space, value) => {
                let value = self.generic(*space, *value);
                values.push(value);
            }
            Val::Parts(parts) => parts.iter().for_each(|part| self.flatten(part, values)),
        }
    }

    /// Builds a value of type `ty` from its scalars.
    pub(super) fn unflatten(&mut self, ty: &hir::Type, values: &mut impl Iterator<Item = Value>) -> Val {
        match ty {
            hir::Type::Void => Val::Nothing,
            hir::Type::Vector(_) | hir::Type::Struct(_) => {
                let fields = self.unit.fields(ty);
                Val::Parts(
                    fields
                        .iter()
                        .map(|(field, _)| self.unflatten(field, values))
                        .collect(),
                )
            }
            hir::Type::Array(elem, len) => {
                Val::Parts((0..*len).map(|_| self.unflatten(elem, values)).collect())
            }
            scalar => match values.next() {
                Some(value) => Val::One(value),
                None => self.undef(scalar),
            },
        }
    }

    /// An undefined value.
    pub(super) fn undef(&mut self, ty: &hir::Type) -> Val {
        let types = self.flat_types(ty);
        let values: Vec<_> = types
            .iter()
            .map(|ty| self.function.leaf(*ty, Def::Undef))
            .collect();
        match ty {
            hir::Type::Vector(_) | hir::Type::Struct(_) | hir::Type::Array(..) => {
                self.unflatten(ty, &mut values.into_iter())
            }
            _ => values.first().map_or(Val::Nothing, |value| Val::One(*value)),
        }
    }

    /// A value with all bits zero.
    pub(super) fn zero(&mut self, ty: &hir::Type) -> Val {
        let types = self.flat_types(ty);
        let values: Vec<_> = types.iter().map(|ty| self.function.constant(*ty, 0)).collect();
        self.unflatten(ty, &mut values.into_iter())
    }

    /// Converts an address to a generic address.
    pub(super) fn generic(&mut self, space: Space, addr: Value) -> Value {
        let ty = self.module.pointer_type();
        self.op(ty, Op::ToGeneric(space), &[addr])
    }

    /// The scalar of a scalar value.
    pub(super) fn one(&mut self, val: &Val) -> Value {
        match val {
            Val::One(value) => *value,
            Val::In(space, value) => self.generic(*space, *value),
            Val::Nothing | Val::Parts(_) => self.function.leaf(Type::I32, Def::Undef),
        }
    }

    /// Truncates an `I32` to a narrow type.
    pub(super) fn narrow(&mut self, value: Value, ty: &hir::Type) -> Value {
        let num = match ty {
            hir::Type::I8 => Num::S8,
            hir::Type::U8 => Num::U8,
            hir::Type::I16 => Num::S16,
            hir::Type::U16 => Num::U16,
            _ => return value,
        };
        self.op(Type::I32, Op::Narrow(num), &[value])
    }

    /// The narrow scalar at bit `shift` of a word.
    pub(super) fn narrow_field(&mut self, word: Value, shift: u32, ty: &hir::Type) -> Value {
        let mut value = word;
        if shift > 0 {
            let amount = self.i32(shift as i32);
            value = self.op(Type::I32, Op::Shr { signed: false }, &[word, amount]);
        }
        match ty {
            hir::Type::Bool => {
                let byte = self.narrow(value, &hir::Type::U8);
                self.not_zero(byte)
            }
            hir::Type::F16 | hir::Type::Bf16 => self.op(Type::F16, Op::Bitcast, &[value]),
            _ => self.narrow(value, ty),
        }
    }

    /// A narrow scalar in the low bits of a word; for integers the other bits are unspecified.
    pub(super) fn as_word(&mut self, value: Value) -> Value {
        match self.function.ty(value) {
            Type::I1 => self.truth(value),
            Type::F16 => self.op(Type::I32, Op::Bitcast, &[value]),
            _ => value,
        }
    }

    /// Whether an integer is nonzero.
    pub(super) fn not_zero(&mut self, value: Value) -> Value {
        let zero = self.function.constant(self.function.ty(value), 0);
        self.op(
            Type::I1,
            Op::ICmp {
                cmp: Compare::Ne,
                signed: false,
            },
            &[value, zero],
        )
    }

    /// Converts a predicate to 1 or 0.
    pub(super) fn truth(&mut self, value: Value) -> Value {
        let (one, zero) = (self.i32(1), self.i32(0));
        self.op(Type::I32, Op::Select, &[value, one, zero])
    }

    /// `value * factor` for an address of type `ty`.
    pub(super) fn scaled(&mut self, ty: Type, value: Value, factor: u32) -> Value {
        if factor == 1 {
            return value;
        }
        let factor = self.function.constant(ty, u64::from(factor));
        self.op(ty, Op::Mul, &[value, factor])
    }

    /// A byte offset of pointer width: `index` elements of `size` bytes.
    pub(super) fn distance(&mut self, index: Value, signed: bool, size: u32) -> Value {
        let pointer = self.module.pointer_type();
        match (self.function.ty(index), pointer) {
            (Type::I32, Type::I64) if size == 1 => self.op(
                Type::I64,
                if signed { Op::SignExtend } else { Op::ZeroExtend },
                &[index],
            ),
            (Type::I32, Type::I64) => {
                let size = self.i32(size as i32);
                self.op(Type::I64, Op::MulWide { signed }, &[index, size])
            }
            (Type::I64, Type::I32) => {
                let low = self.op(Type::I32, Op::Low, &[index]);
                self.scaled(Type::I32, low, size)
            }
            _ => self.scaled(pointer, index, size),
        }
    }

    /// `pointer + index * size`.
    pub(super) fn advance(&mut self, pointer: &Val, index: Value, signed: bool, size: u32) -> Val {
        if let Val::In(space, addr) = pointer {
            let index = match self.function.ty(index) {
                Type::I64 => self.op(Type::I32, Op::Low, &[index]),
                _ => index,
            };
            let bytes = self.scaled(Type::I32, index, size);
            Val::In(*space, self.op(Type::I32, Op::Add, &[*addr, bytes]))
        } else {
            let base = self.one(pointer);
            let bytes = self.distance(index, signed, size);
            Val::One(self.op(self.module.pointer_type(), Op::PtrAdd, &[base, bytes]))
        }
    }
}

/// The IR's number type for a scalar type.
pub(super) const fn num(ty: &hir::Type) -> Num {
    match ty {
        hir::Type::I64 => Num::S64,
        hir::Type::U64 | hir::Type::Pointer(_) => Num::U64,
        hir::Type::F16 => Num::F16,
        hir::Type::F32 => Num::F32,
        hir::Type::F64 => Num::F64,
        hir::Type::I8 | hir::Type::I16 | hir::Type::I32 => Num::S32,
        _ => Num::U32,
    }
}

pub(super) const fn rounding(round: hir::Rounding) -> Rounding {
    match round {
        hir::Rounding::Nearest => Rounding::Rn,
        hir::Rounding::Zero => Rounding::Rz,
        hir::Rounding::Down => Rounding::Rm,
        hir::Rounding::Up => Rounding::Rp,
    }
}
