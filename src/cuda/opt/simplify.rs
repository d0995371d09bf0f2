//! One forward walk that renames, folds constants, applies algebra, merges equal computations and
//! resolves constructs whose way is known.

use std::collections::BTreeMap;

use crate::cuda::fold;
use crate::cuda::ir::{End, Function, If, Inst, Label, Node, Op, Region, Space, Type, Value};
use crate::ids::Span;

use super::effects;

mod floats;
mod integers;
mod memory;

/// Simplifies a function's body.
pub(super) fn run(function: &mut Function) {
    let mut labels = Labels {
        breaks: vec![0; function.labels as usize],
        continues: vec![0; function.labels as usize],
    };
    labels.count(&function.body);
    let body = std::mem::replace(&mut function.body, Region::empty(Vec::new()));
    let count = function.values.len();
    let mut simplify = Simplify {
        function,
        labels,
        renamed: (0..count as u32).map(Value).collect(),
        defs: vec![None; count],
        known: BTreeMap::new(),
        undo: Vec::new(),
        out: Vec::new(),
        span: Span::default(),
    };
    let body = simplify.region(body);
    simplify.function.body = body;
}

/// How often each label is gone to.
struct Labels {
    breaks: Vec<u32>,
    continues: Vec<u32>,
}

impl Labels {
    fn count(&mut self, region: &Region) {
        for node in &region.nodes {
            node.regions().for_each(|inner| self.count(inner));
        }
        match &region.end {
            End::Break(label, _) => self.breaks[label.0 as usize] += 1,
            End::Continue(label, _) => self.continues[label.0 as usize] += 1,
            _ => {}
        }
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
    labels: Labels,
    renamed: Vec<Value>,
    defs: Vec<Option<DefOp>>,
    /// Computations that are available here.
    known: BTreeMap<Key, Value>,
    /// Keys to take out of `known` at the end of a scope, with what was there.
    undo: Vec<(Key, Option<Value>)>,
    out: Vec<Node>,
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

    /// A pure operation on simplified operands: an existing value where there is one.
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
        self.out.push(Node::Inst(Inst {
            op,
            args,
            results: vec![result],
            span: self.span,
        }));
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

    /// Simplifies a region in a scope of its own.
    fn region(&mut self, region: Region) -> Region {
        let mark = self.undo.len();
        let outer = std::mem::take(&mut self.out);
        let end = self.nodes(region);
        let nodes = std::mem::replace(&mut self.out, outer);
        while self.undo.len() > mark {
            if let Some((key, before)) = self.undo.pop() {
                match before {
                    Some(value) => self.known.insert(key, value),
                    None => self.known.remove(&key),
                };
            }
        }
        Region { nodes, end }
    }

    /// Simplifies a region's nodes into the open one; its renamed end.
    fn nodes(&mut self, region: Region) -> End {
        for node in region.nodes {
            let stop = match node {
                Node::Inst(inst) => {
                    let trap = inst.op == Op::Trap;
                    self.inst(inst);
                    trap.then_some(End::Unreachable)
                }
                Node::If(choice) => self.choice(*choice),
                Node::Loop(mut repeat) => {
                    self.rename_all(&mut repeat.init);
                    if self.labels.continues[repeat.label.0 as usize] == 0 {
                        // One turn only.
                        for (param, init) in repeat.params.iter().zip(&repeat.init) {
                            self.set(*param, *init);
                        }
                        self.block(repeat.label, repeat.body, repeat.results, repeat.span)
                    } else {
                        repeat.body = self.region(repeat.body);
                        self.out.push(Node::Loop(repeat));
                        None
                    }
                }
                Node::Block(block) => self.block(block.label, block.body, block.results, block.span),
            };
            if let Some(end) = stop {
                return end;
            }
        }
        let mut end = region.end;
        if let Some(args) = end.args_mut() {
            let mut values = std::mem::take(args);
            self.rename_all(&mut values);
            *args = values;
        }
        end
    }

    fn block(&mut self, label: Label, body: Region, results: Vec<Value>, span: Span) -> Option<End> {
        let body = if self.labels.breaks[label.0 as usize] == 0 {
            body
        } else {
            match super::structure::unbreak(self.function, label, body) {
                Ok(body) => body,
                Err(body) => {
                    let body = self.region(body);
                    self.out.push(Node::Block(Box::new(crate::cuda::ir::Block {
                        label,
                        body,
                        results,
                        span,
                    })));
                    return None;
                }
            }
        };
        match self.nodes(body) {
            End::Yield(args) => {
                for (result, arg) in results.iter().zip(args) {
                    self.set(*result, arg);
                }
                None
            }
            end => Some(end),
        }
    }

    fn choice(&mut self, mut choice: If) -> Option<End> {
        choice.cond = self.rename(choice.cond);
        if let Some(arguments) = self.is(choice.cond, Op::Not) {
            choice.cond = arguments[0];
            std::mem::swap(&mut choice.then, &mut choice.els);
        }
        if let Some(bits) = self.bits(choice.cond) {
            let taken = if bits != 0 { choice.then } else { choice.els };
            return match self.nodes(taken) {
                End::Yield(args) => {
                    for (result, arg) in choice.results.iter().zip(args) {
                        self.set(*result, arg);
                    }
                    None
                }
                end => Some(end),
            };
        }
        let cond = choice.cond;
        let (yes, no) = (self.constant(Type::I1, 1), self.constant(Type::I1, 0));
        self.set(cond, yes);
        choice.then = self.region(choice.then);
        self.set(cond, no);
        choice.els = self.region(choice.els);
        self.set(cond, cond);
        self.span = choice.span;
        let falls = [&choice.then, &choice.els].map(|region| matches!(region.end, End::Yield(_)));
        if falls == [true, true] && self.select(&choice) {
            return None;
        }
        let nothing = |region: &Region| region.nodes.is_empty() && region.end == End::Unreachable;
        // A side that is never taken.
        for (dead, other) in [(&choice.then, &choice.els), (&choice.els, &choice.then)] {
            if nothing(dead) {
                let other = other.clone();
                self.out.extend(other.nodes);
                return match other.end {
                    End::Yield(args) => {
                        for (result, arg) in choice.results.iter().zip(args) {
                            self.set(*result, arg);
                        }
                        None
                    }
                    end => Some(end),
                };
            }
        }
        let stop = falls == [false, false];
        self.out.push(Node::If(Box::new(choice)));
        stop.then_some(End::Unreachable)
    }

    /// Replaces a choice between cheap values by selections; whether it did.
    fn select(&mut self, choice: &If) -> bool {
        let cheap = |region: &Region| {
            region.nodes.len() <= 4
                && region.nodes.iter().all(|node| match node {
                    Node::Inst(inst) => effects::pure(inst.op) && cost(inst.op) <= 1,
                    _ => false,
                })
        };
        let nodes = choice.then.nodes.len() + choice.els.nodes.len();
        if !cheap(&choice.then)
            || !cheap(&choice.els)
            || choice.results.len() > 4
            || (choice.results.is_empty() && nodes > 0)
        {
            return false;
        }
        for region in [&choice.then, &choice.els] {
            for node in &region.nodes {
                if let Node::Inst(inst) = node {
                    self.inst(inst.clone());
                }
            }
        }
        let pairs: Vec<_> = choice
            .then
            .end
            .args()
            .iter()
            .copied()
            .zip(choice.els.end.args().iter().copied())
            .collect();
        for (result, (then, els)) in choice.results.iter().zip(pairs) {
            let ty = self.ty(*result);
            let (then, els) = (self.rename(then), self.rename(els));
            let value = self.make(Op::Select, ty, &[choice.cond, then, els], false);
            self.set(*result, value);
        }
        true
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
            // A load of what nobody writes: equal ones are one, result by result.
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
        self.out.push(Node::Inst(inst));
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

/// Rough cost in instructions, for deciding what may run early.
const fn cost(op: Op) -> u32 {
    match op {
        Op::Div { .. }
        | Op::Rem { .. }
        | Op::FDiv(_)
        | Op::FRcp(_)
        | Op::FSqrt(_)
        | Op::FRsqrt
        | Op::Mufu(_) => 20,
        Op::MulHigh { .. } | Op::Convert { .. } | Op::FRound(_) | Op::Popc | Op::Clz | Op::Brev => 4,
        _ => 1,
    }
}
