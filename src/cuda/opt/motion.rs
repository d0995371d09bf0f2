//! Merges code that both sides of a branch have in common: computations and loads move before the branch,
//! stores after it.
//!
//! Invariant: the branch is the only predecessor of both sides, so the moved code executes equally often.

use std::collections::BTreeMap;

use crate::ir::flow::Flow;
use crate::ir::{BlockId, Def, Edge, End, Function, Inst, Op, Type, Value};

use super::effects;

/// Merges the common code of a function's branches, inner branches first.
pub(super) fn run(function: &mut Function) {
    let flow = Flow::of(function);
    for id in flow.order.iter().rev() {
        let End::Branch { then, els, .. } = &function.at(*id).end else {
            continue;
        };
        let is_side = |edge: &Edge| flow.preds[edge.to.idx()].len() == 1 && edge.to != *id;
        let (then_side, els_side) = (is_side(then).then_some(then.to), is_side(els).then_some(els.to));
        let (then_to, els_to) = (then.to, els.to);
        let (mut sides, mut ends) = (Vec::new(), Vec::new());
        for (side, to) in [(then_side, then_to), (els_side, els_to)] {
            match side.map(|side| (side, &function.at(side).end)) {
                Some((side, End::Jump(on))) => {
                    sides.push(side);
                    ends.push(on.to);
                }
                Some((side, _)) => {
                    sides.push(side);
                    ends.push(to);
                }
                None => ends.push(to),
            }
        }
        let join =
            (ends[0] == ends[1] && flow.preds[ends[0].idx()].len() == 2 && ends[0] != *id).then_some(ends[0]);
        if let Some(join) = join
            && !sides.contains(&join)
        {
            anticipate(function, *id, &sides, join);
        }
        if let ([first, second], Some(_)) = (&sides[..], then_side.and(els_side)) {
            hoist(function, *id, *first, *second);
            if let Some(join) = join.filter(|join| !sides.contains(join)) {
                while sink(function, *first, *second, join) {}
            }
        }
    }
}

/// The values that a block defines, in ascending order.
fn defined_in(function: &Function, id: BlockId) -> Vec<Value> {
    let mut values: Vec<Value> = function.at(id).defined().collect();
    values.sort_unstable();
    values
}

fn result_types(function: &Function, inst: &Inst) -> Vec<Type> {
    inst.results.iter().map(|value| function.ty(*value)).collect()
}

/// Moves pure operations that both sides compute before the branch.
fn hoist(function: &mut Function, before: BlockId, first: BlockId, second: BlockId) {
    if function.at(first).insts.is_empty() || function.at(second).insts.is_empty() {
        return;
    }
    let mut inside = [defined_in(function, first), defined_in(function, second)];
    let mut from = Vec::new();
    loop {
        let movable = |inst: &Inst, inside: &[Value]| {
            effects::pure(inst.op)
                && (inst.args.iter())
                    .all(|arg| function.def(*arg) != Def::Node || inside.binary_search(arg).is_err())
        };
        let mut seen: BTreeMap<(Op, &[Value]), usize> = BTreeMap::new();
        for (index, inst) in function.at(first).insts.iter().enumerate() {
            if movable(inst, &inside[0]) {
                seen.insert((inst.op, &inst.args[..]), index);
            }
        }
        let pair = (function.at(second).insts.iter().enumerate()).find_map(|(index, inst)| {
            let other = movable(inst, &inside[1])
                .then(|| seen.get(&(inst.op, &inst.args[..])).copied())
                .flatten()?;
            let same =
                result_types(function, &function.at(first).insts[other]) == result_types(function, inst);
            same.then_some((other, index))
        });
        let Some((kept_at, dropped_at)) = pair else { break };
        let kept = function.at_mut(first).insts.remove(kept_at);
        let dropped = function.at_mut(second).insts.remove(dropped_at);
        for (old, new) in dropped.results.iter().zip(&kept.results) {
            from.push((*old, *new));
            let block = function.at_mut(second);
            block.uses_mut(&mut |value| {
                if value == old {
                    *value = *new;
                }
            });
        }
        inside[0].retain(|value| !kept.results.contains(value));
        inside[1].retain(|value| !dropped.results.contains(value));
        function.at_mut(before).insts.push(kept);
    }
    if !from.is_empty() {
        // The second side can continue to blocks of its own.
        let table: BTreeMap<Value, Value> = from.into_iter().collect();
        function.uses_mut(&mut |value| *value = table.get(value).copied().unwrap_or(*value));
    }
}

/// If the last operation of both sides is a store to one address, moves the store after the branch, with the
/// side's value as its operand. Returns whether it did.
fn sink(function: &mut Function, first: BlockId, second: BlockId, join: BlockId) -> bool {
    let (Some(then), Some(els)) = (
        function.at(first).insts.last().cloned(),
        function.at(second).insts.last().cloned(),
    ) else {
        return false;
    };
    let Op::Store(access) = then.op else { return false };
    let types = |inst: &Inst| inst.args.iter().map(|arg| function.ty(*arg)).collect::<Vec<_>>();
    if access.volatile || els.op != then.op || els.args[0] != then.args[0] || types(&then) != types(&els) {
        return false;
    }
    let mut args = vec![then.args[0]];
    for (a, b) in then.args[1..].iter().zip(&els.args[1..]) {
        if a == b {
            args.push(*a);
            continue;
        }
        let param = function.value(function.ty(*a));
        function.at_mut(join).params.push(param);
        for (side, value) in [(first, *a), (second, *b)] {
            if let End::Jump(edge) = &mut function.at_mut(side).end {
                edge.args.push(value);
            }
        }
        args.push(param);
    }
    function.at_mut(first).insts.pop();
    function.at_mut(second).insts.pop();
    let store = Inst {
        op: then.op,
        args,
        results: Vec::new(),
        span: then.span,
    };
    function.at_mut(join).insts.insert(0, store);
    true
}

/// Moves a load that always follows the branch, and that one side also performs, before the branch.
fn anticipate(function: &mut Function, before: BlockId, sides: &[BlockId], join: BlockId) {
    // Neither side can change memory.
    let quiet = |id: &BlockId| {
        function
            .at(*id)
            .insts
            .iter()
            .all(|inst| !effects::clobbers(inst.op))
    };
    if !sides.iter().all(quiet) {
        return;
    }
    let mut at = 0;
    let mut defined: Vec<Value> = function.at(join).params.clone();
    while let Some(inst) = function.at(join).insts.get(at) {
        if effects::clobbers(inst.op) {
            return;
        }
        let same = |other: &Inst| {
            other.op == inst.op
                && other.args == inst.args
                && result_types(function, other) == result_types(function, inst)
        };
        let early = matches!(inst.op, Op::Load(access) if !access.volatile)
            && !inst.args.iter().any(|arg| defined.contains(arg))
            && inst.results.len() == 1;
        let place = early
            .then(|| {
                sides.iter().find_map(|side| {
                    let position = function.at(*side).insts.iter().position(same)?;
                    Some((*side, position))
                })
            })
            .flatten();
        let Some((side, position)) = place else {
            defined.extend(&inst.results);
            at += 1;
            continue;
        };
        let dropped = function.at_mut(side).insts.remove(position);
        let moved = function.at_mut(join).insts.remove(at);
        let (old, new) = (dropped.results[0], moved.results[0]);
        function.uses_mut(&mut |value| {
            if *value == old {
                *value = new;
            }
        });
        function.at_mut(before).insts.push(moved);
    }
}
