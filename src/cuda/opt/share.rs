//! Computes once, before the branches, what several conditional blocks have in common. An example is the address
//! of neighboring elements, if a separate test guards the load of each element.
//!
//! Invariant: only cheap operations that can run early move. Their new block dominates all blocks that computed
//! them, and is in the same loops.

use std::collections::BTreeMap;

use crate::ir::flow::Flow;
use crate::ir::flow::dominators::Dominators;
use crate::ir::flow::loops::Loops;
use crate::ir::{BlockId, Def, Function, Inst, Op, Type, Value};

use super::effects;

/// Maximum shared values that one block computes: each value occupies a register for longer.
const MAX_IN_BLOCK: usize = 12;
/// Maximum steps up the dominator tree from a computation to the block that computes the shared value.
const MAX_STEPS: usize = 12;
/// Maximum passes: each pass may make operands of further operations equal.
const PASSES: usize = 4;

/// Shares equal computations among the blocks of a function.
pub(super) fn run(function: &mut Function) {
    for _ in 0..PASSES {
        if !pass(function) {
            break;
        }
    }
}

/// Returns whether an operation is at most one instruction, so that executing it without need costs little.
const fn is_cheap(op: Op) -> bool {
    matches!(
        op,
        Op::Add
            | Op::Sub
            | Op::Mul
            | Op::MulWide { .. }
            | Op::And
            | Op::Or
            | Op::Xor
            | Op::Shl
            | Op::Shr { .. }
            | Op::SignExtend
            | Op::ZeroExtend
            | Op::PtrAdd
    )
}

type Key<'a> = (Op, Type, &'a [Value]);

fn pass(function: &mut Function) -> bool {
    let flow = Flow::of(function);
    let dominators = Dominators::of(function, &flow);
    let loops = Loops::of(function, &flow, &dominators);
    let place = function.definitions(&flow.order);
    let mut found: BTreeMap<Key<'_>, Vec<(BlockId, Value)>> = BTreeMap::new();
    for id in &flow.order {
        for inst in &function.at(*id).insts {
            if let [result] = inst.results[..]
                && is_cheap(inst.op)
                && effects::pure(inst.op)
            {
                let key = (inst.op, function.ty(result), &inst.args[..]);
                found.entry(key).or_default().push((*id, result));
            }
        }
    }
    let mut moves: Vec<(BlockId, Vec<Value>)> = Vec::new();
    let mut load: BTreeMap<BlockId, usize> = BTreeMap::new();
    for ((_, _, args), places) in &found {
        if places.len() < 2 {
            continue;
        }
        let Some(above) = common(&dominators, places.iter().map(|(id, _)| *id)) else {
            continue;
        };
        let is_there = |arg: &Value| {
            function.def(*arg) != Def::Node
                || place[arg.0 as usize].is_some_and(|block| dominators.dominates(block.0, above.0))
        };
        let same_loops = places
            .iter()
            .all(|(id, _)| loops.innermost(*id) == loops.innermost(above));
        let room = load.entry(above).or_default();
        if !same_loops || *room >= MAX_IN_BLOCK || !args.iter().all(is_there) {
            continue;
        }
        *room += 1;
        moves.push((above, places.iter().map(|(_, value)| *value).collect()));
    }
    if moves.is_empty() {
        return false;
    }
    let mut renamed: BTreeMap<Value, Value> = BTreeMap::new();
    let mut target: BTreeMap<Value, BlockId> = BTreeMap::new();
    for (above, values) in &moves {
        let [kept, others @ ..] = &values[..] else {
            continue;
        };
        // The operation may now execute on paths where the program does not compute it, and overflow there.
        function.values[kept.0 as usize].relaxed = false;
        target.insert(*kept, *above);
        renamed.extend(others.iter().map(|other| (*other, *kept)));
    }
    let mut moved: Vec<(BlockId, Inst)> = Vec::new();
    for id in &flow.order {
        function.at_mut(*id).insts.retain(|inst| {
            let Some(result) = inst.results.first() else {
                return true;
            };
            if let Some(above) = target.get(result)
                && *above != *id
            {
                moved.push((*above, inst.clone()));
                return false;
            }
            !renamed.contains_key(result)
        });
    }
    for (above, inst) in moved {
        function.at_mut(above).insts.push(inst);
    }
    function.uses_mut(&mut |value| *value = renamed.get(value).copied().unwrap_or(*value));
    true
}

/// Returns the nearest block that dominates all of these blocks, if it is within `MAX_STEPS` of the first.
fn common(dominators: &Dominators, blocks: impl Iterator<Item = BlockId> + Clone) -> Option<BlockId> {
    let mut at = blocks.clone().next()?;
    for _ in 0..MAX_STEPS {
        if blocks.clone().all(|block| dominators.dominates(at.0, block.0)) {
            return Some(at);
        }
        at = dominators.parent(at)?;
    }
    None
}
