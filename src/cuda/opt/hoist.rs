//! Moves loop-invariant computations in front of the loop.
//!
//! Invariant: only operations that can execute speculatively move, to a block that dominates the loop.

use crate::ir::flow::Flow;
use crate::ir::flow::dominators::Dominators;
use crate::ir::flow::loops::{LoopId, Loops};
use crate::ir::{BlockId, Def, Function, Op, Value};

use super::effects;

/// Moves loop-invariant operations out of the loops of a function, inner loops first.
pub(super) fn run(function: &mut Function) {
    let flow = Flow::of(function);
    let loops = Loops::of(function, &flow, &Dominators::of(function, &flow));
    for this in &loops.list {
        // The preheader is removed later if nothing moves there.
        this.make_preheader(function, &flow);
    }
    let flow = Flow::of(function);
    let dominators = Dominators::of(function, &flow);
    let loops = Loops::of(function, &flow, &dominators);
    let mut place = function.definitions(&flow.order);
    for idx in (0..loops.list.len()).rev() {
        let this = LoopId(idx as u32);
        let Some(before) = dominators.parent(loops.get(this).header) else {
            continue;
        };
        for id in &loops.get(this).blocks {
            // Only operations of every iteration: others would occupy registers without need.
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

fn runs_each_turn(loops: &Loops, this: LoopId, id: BlockId, dominators: &Dominators) -> bool {
    let this = loops.get(this);
    (this.latches.iter()).all(|latch| dominators.dominates(id.0, latch.0))
}

fn is_movable(op: Op) -> bool {
    effects::pure(op) || (effects::mergeable(op) && matches!(op, Op::Load(_)))
}
