//! Simplifies in one walk over the dominator tree: renames, folds constants, applies algebra, merges equal
//! computations, and uses the outcomes of branches.
//!
//! Invariant: an operation is replaced by a value that is computed before it on all paths.

use std::collections::BTreeMap;

use crate::ir::flow::Flow;
use crate::ir::flow::dominators::Dominators;
use crate::ir::fold;
use crate::ir::{BlockId, End, Function, Inst, Op, Space, Type, Value};
use engine::ids::Span;

use super::effects;

mod floats;
mod integers;
mod memory;

/// Simplifies the blocks of a function.
pub(crate) fn run(function: &mut Function) {
    let flow = Flow::of(function);
    let dominators = Dominators::of(function, &flow);
    let count = function.values.len();
    let mut simplify = Simplify {
        function,
        renamed: (0..count as u32).map(Value).collect(),
        defs: vec![None; count],
        known: BTreeMap::new(),
        undo: Vec::new(),
        facts: Vec::new(),
        out: Vec::new(),
        span: Span::default(),
    };
    let mut open: Vec<(u32, usize, usize)> = Vec::new();
    for node in dominators.walk() {
        while let Some((above, known, facts)) = open.last().copied() {
            if dominators.dominates(above, *node) {
                break;
            }
            simplify.restore(known, facts);
            open.pop();
        }
        open.push((*node, simplify.undo.len(), simplify.facts.len()));
        simplify.block(BlockId(*node), &flow);
    }
}

/// The operation that defines a value, for pattern matching.
#[derive(Clone, Copy, Debug)]
struct DefOp {
    op: Op,
    args: [Value; 4],
}

type Key = (Op, Type, [Value; 4]);

struct Simplify<'a> {
    function: &'a mut Function,
    renamed: Vec<Value>,
    defs: Vec<Option<DefOp>>,
    /// Available computations.
    known: BTreeMap<Key, Value>,
    /// Keys to restore in `known` at the end of a scope, with their previous values.
    undo: Vec<(Key, Option<Value>)>,
    /// Conditions known to hold.
    facts: Vec<Value>,
    out: Vec<Inst>,
    span: Span,
}

impl Simplify<'_> {
    fn rename(&self, value: Value) -> Value {
        let mut value = value;
        while let Some(next) = self.renamed.get(value.0 as usize)
            && *next != value
        {
            value = *next;
        }
        value
    }

    fn rename_all(&self, values: &mut [Value]) {
        for value in values {
            *value = self.rename(*value);
        }
    }

    fn set(&mut self, from: Value, to: Value) {
        let index = from.0 as usize;
        while self.renamed.len() <= index {
            self.renamed.push(Value(self.renamed.len() as u32));
        }
        self.renamed[index] = to;
    }

    fn ty(&self, value: Value) -> Type {
        self.function.ty(value)
    }

    fn def(&self, value: Value) -> Option<DefOp> {
        self.defs.get(value.0 as usize).copied().flatten()
    }

    /// The operands of `value` if it is a result of `op`.
    fn is(&self, value: Value, op: Op) -> Option<[Value; 4]> {
        self.def(value).filter(|def| def.op == op).map(|def| def.args)
    }

    fn int(&self, value: Value) -> Option<i64> {
        self.function.const_int(value)
    }

    fn bits(&self, value: Value) -> Option<u64> {
        self.function.const_bits(value)
    }

    fn constant(&mut self, ty: Type, bits: u64) -> Value {
        self.function.constant(ty, bits)
    }

    fn relaxed(&self, value: Value) -> bool {
        self.function.values[value.0 as usize].relaxed
    }

    /// Adds a pure operation on simplified operands, or returns an existing value.
    fn make(&mut self, op: Op, ty: Type, args: &[Value], relaxed: bool) -> Value {
        let mut operands = args.to_vec();
        if commutes(op) && operands.len() >= 2 {
            let first = self.bits(operands[0]).is_some();
            let second = self.bits(operands[1]).is_some();
            if first && !second {
                operands.swap(0, 1);
            }
        }
        let constants: Option<Vec<_>> = operands.iter().map(|value| self.bits(*value)).collect();
        if let Some(bits) = constants
            && !operands.is_empty()
        {
            let types: Vec<_> = operands.iter().map(|value| self.ty(*value)).collect();
            if let Some(result) = fold::eval(op, ty, &types, &bits) {
                return self.constant(ty, result);
            }
        }
        if let Some(value) = self.algebra(op, ty, &operands, relaxed) {
            return value;
        }
        self.merged(op, ty, operands, relaxed)
    }

    fn algebra(&mut self, op: Op, ty: Type, args: &[Value], relaxed: bool) -> Option<Value> {
        if ty.is_float() || args.first().is_some_and(|arg| self.ty(*arg).is_float()) {
            self.float_algebra(op, ty, args)
        } else {
            self.integer_algebra(op, ty, args, relaxed)
        }
    }

    fn key(&self, op: Op, ty: Type, args: &[Value]) -> Option<Key> {
        if args.len() > 4 {
            return None;
        }
        let mut key = [Value(u32::MAX); 4];
        key[..args.len()].copy_from_slice(args);
        if commutes(op) && args.len() >= 2 && key[0] > key[1] {
            key.swap(0, 1);
        }
        Some((op, ty, key))
    }

    fn remember(&mut self, key: Key, value: Value) {
        let before = self.known.insert(key, value);
        self.undo.push((key, before));
    }

    fn merged(&mut self, op: Op, ty: Type, args: Vec<Value>, relaxed: bool) -> Value {
        let key = self.key(op, ty, &args);
        if let Some(key) = key
            && let Some(value) = self.known.get(&key)
        {
            let value = *value;
            self.function.values[value.0 as usize].relaxed &= relaxed;
            return value;
        }
        let result = self.function.value(ty);
        self.function.values[result.0 as usize].relaxed = relaxed;
        self.define(result, op, &args);
        if let Some(key) = key {
            self.remember(key, result);
        }
        self.out.push(Inst {
            op,
            args,
            results: vec![result],
            span: self.span,
        });
        result
    }

    fn define(&mut self, value: Value, op: Op, args: &[Value]) {
        let index = value.0 as usize;
        if self.defs.len() <= index {
            self.defs.resize(index + 1, None);
        }
        if args.len() <= 4 {
            let mut operands = [Value(u32::MAX); 4];
            operands[..args.len()].copy_from_slice(args);
            self.defs[index] = Some(DefOp { op, args: operands });
        }
    }

    /// Restores the state of an earlier point.
    fn restore(&mut self, known: usize, facts: usize) {
        while self.undo.len() > known {
            if let Some((key, before)) = self.undo.pop() {
                match before {
                    Some(value) => self.known.insert(key, value),
                    None => self.known.remove(&key),
                };
            }
        }
        while self.facts.len() > facts {
            if let Some(cond) = self.facts.pop() {
                self.set(cond, cond);
            }
        }
    }

    fn block(&mut self, id: BlockId, flow: &Flow) {
        if let [pred] = flow.preds[id.idx()][..]
            && let End::Branch { cond, then, .. } = &self.function.at(pred).end
        {
            let (cond, holds) = (*cond, then.to == id);
            self.learn(cond, holds, 0);
        }
        let insts = std::mem::take(&mut self.function.at_mut(id).insts);
        self.out = Vec::with_capacity(insts.len());
        let mut traps = false;
        for inst in insts {
            traps = inst.op == Op::Trap;
            self.inst(inst);
            if traps {
                break;
            }
        }
        let mut end = std::mem::replace(&mut self.function.at_mut(id).end, End::Unreachable);
        if traps {
            end = End::Unreachable;
        }
        end.uses_mut(&mut |value| *value = self.rename(*value));
        if let End::Branch { cond, then, els } = &mut end
            && let Some(arguments) = self.is(*cond, Op::Not)
        {
            *cond = arguments[0];
            std::mem::swap(then, els);
        }
        if let End::Branch { cond, then, els } = &end
            && let Some(bits) = self.bits(*cond)
        {
            let taken = if bits != 0 { then } else { els };
            end = End::Jump(taken.clone());
        }
        let block = self.function.at_mut(id);
        block.insts = std::mem::take(&mut self.out);
        block.end = end;
    }

    /// Records that a condition has this value in the blocks that the current one dominates.
    fn learn(&mut self, cond: Value, holds: bool, depth: u32) {
        let cond = self.rename(cond);
        if self.bits(cond).is_some() || depth > 4 {
            return;
        }
        let known = self.constant(Type::I1, u64::from(holds));
        self.set(cond, known);
        self.facts.push(cond);
        match self.def(cond) {
            Some(DefOp { op: Op::And, args }) if holds => {
                self.learn(args[0], true, depth + 1);
                self.learn(args[1], true, depth + 1);
            }
            Some(DefOp { op: Op::Or, args }) if !holds => {
                self.learn(args[0], false, depth + 1);
                self.learn(args[1], false, depth + 1);
            }
            Some(DefOp { op: Op::Not, args }) => self.learn(args[0], !holds, depth + 1),
            _ => {}
        }
    }

    fn inst(&mut self, mut inst: Inst) {
        self.rename_all(&mut inst.args);
        self.span = inst.span;
        if effects::pure(inst.op) && inst.results.len() == 1 {
            let result = inst.results[0];
            let relaxed = self.relaxed(result);
            let value = self.make(inst.op, self.ty(result), &inst.args, relaxed);
            self.set(result, value);
            return;
        }
        self.fold_address(&mut inst);
        if effects::mergeable(inst.op) {
            // Equal loads of memory that nothing writes are merged, result by result.
            let keys: Option<Vec<_>> = inst
                .results
                .iter()
                .enumerate()
                .map(|(index, result)| {
                    let mut args = inst.args.clone();
                    args.push(Value(u32::MAX - 1 - index as u32));
                    self.key(inst.op, self.ty(*result), &args)
                })
                .collect();
            if let Some(keys) = keys {
                let known: Option<Vec<_>> = keys.iter().map(|key| self.known.get(key).copied()).collect();
                if let Some(known) = known {
                    for (result, value) in inst.results.iter().zip(known) {
                        self.set(*result, value);
                    }
                    return;
                }
                for (key, result) in keys.into_iter().zip(&inst.results) {
                    self.remember(key, *result);
                }
            }
        }
        if let [result] = inst.results[..] {
            self.define(result, inst.op, &inst.args);
        }
        self.out.push(inst);
    }
}

const fn commutes(op: Op) -> bool {
    matches!(
        op,
        Op::Add
            | Op::Mul
            | Op::MulHigh { .. }
            | Op::MulWide { .. }
            | Op::Mul24 { .. }
            | Op::Min { .. }
            | Op::Max { .. }
            | Op::And
            | Op::Or
            | Op::Xor
            | Op::FAdd(_)
            | Op::FMul(_)
            | Op::FMin
            | Op::FMax
    )
}
