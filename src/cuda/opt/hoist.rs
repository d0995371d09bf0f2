//! What a loop computes anew in each turn from values that do not change moves in front of it.
//!
//! Invariant: only operations that can run early without harm move, to a block that dominates the loop.

use crate::cuda::flow::Flow;
use crate::cuda::flow::dominators::Dominators;
use crate::cuda::flow::loops::{Loop, LoopId, Loops};
use crate::cuda::ir::{BlockId, Def, Edge, End, Function, Op, Value};

use super::effects;

/// Moves loop-invariant operations out of the loops of a function, inner loops first.
pub(super) fn run(function: &mut Function) {
    let flow = Flow::of(function);
    let loops = Loops::of(function, &flow, &Dominators::of(function, &flow));
    for this in &loops.list {
        preheader(function, this, &flow);
    }
    let flow = Flow::of(function);
    let dominators = Dominators::of(function, &flow);
    let loops = Loops::of(function, &flow, &dominators);
    let mut place: Vec<Option<BlockId>> = vec![None; function.values.len()];
    for id in &flow.order {
        let block = function.at(*id);
        let results = block.insts.iter().flat_map(|inst| &inst.results);
        for value in block.params.iter().chain(results) {
            place[value.0 as usize] = Some(*id);
        }
    }
    for idx in (0..loops.list.len()).rev() {
        let this = LoopId(idx as u32);
        let Some(before) = dominators.parent(loops.get(this).header) else {
            continue;
        };
        for id in &loops.get(this).blocks {
            // Only what every turn runs: the rest would cost registers for what may never be used.
            if !runs_each_turn(&loops, this, *id, &dominators) {
                continue;
            }
            let insts = std::mem::take(&mut function.at_mut(*id).insts);
            for inst in insts {
                let outside = |value: &Value| {
                    function.def(*value) != Def::Node
                        || place[value.0 as usize].is_none_or(|block| !loops.contains(this, block))
                };
                if is_movable(inst.op) && inst.args.iter().all(outside) {
                    for result in &inst.results {
                        place[result.0 as usize] = Some(before);
                    }
                    function.at_mut(before).insts.push(inst);
                } else {
                    function.at_mut(*id).insts.push(inst);
                }
            }
        }
    }
}

/// Makes sure that a loop is entered from a block that leads nowhere else. It is tidied away if nothing
/// moves there.
fn preheader(function: &mut Function, this: &Loop, flow: &Flow) {
    let outside: Vec<BlockId> = (flow.preds[this.header.idx()].iter().copied())
        .filter(|pred| !this.latches.contains(pred))
        .collect();
    if let [pred] = outside[..]
        && matches!(function.at(pred).end, End::Jump(_))
    {
        return;
    }
    let before = function.block();
    let types: Vec<_> = (function.at(this.header).params.iter())
        .map(|param| function.ty(*param))
        .collect();
    let params: Vec<Value> = types.into_iter().map(|ty| function.value(ty)).collect();
    let block = function.at_mut(before);
    block.params.clone_from(&params);
    block.end = End::Jump(Edge {
        to: this.header,
        args: params,
    });
    for pred in outside {
        for edge in function.at_mut(pred).end.edges_mut() {
            if edge.to == this.header {
                edge.to = before;
            }
        }
    }
}

fn runs_each_turn(loops: &Loops, this: LoopId, id: BlockId, dominators: &Dominators) -> bool {
    let this = loops.get(this);
    (this.latches.iter()).all(|latch| dominators.dominates(id.0, latch.0))
}

fn is_movable(op: Op) -> bool {
    effects::pure(op) || (effects::mergeable(op) && matches!(op, Op::Load(_)))
}
