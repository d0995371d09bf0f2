//! If-conversion: replaces branches between cheap values by selections.
//!
//! Invariant: only pure operations execute speculatively, and the results are the same.

use crate::ir::flow::Flow;
use crate::ir::{Block, BlockId, Edge, End, Function, Inst, Op, Value};

use super::effects;

/// Maximum operations of a side that execute speculatively, and maximum selected values.
const MAX_OPERATIONS: usize = 4;
const MAX_VALUES: usize = 4;

/// Converts the branches of a function, inner ones first. Returns whether there were any.
pub(super) fn run(function: &mut Function) -> bool {
    let flow = Flow::of(function);
    let mut preds: Vec<u32> = flow.preds.iter().map(|list| list.len() as u32).collect();
    let mut any = false;
    for id in flow.order.iter().rev() {
        while convert(function, *id, &mut preds) {
            any = true;
        }
    }
    any
}

/// One side of a branch: the block in between, if there is one, and the edge to the common block.
fn side(function: &Function, edge: &Edge, preds: &[u32]) -> Option<(Option<BlockId>, Edge)> {
    let block = function.at(edge.to);
    match &block.end {
        End::Jump(on) if preds[edge.to.idx()] == 1 && block.params.is_empty() && is_cheap(block) => {
            Some((Some(edge.to), on.clone()))
        }
        _ => None,
    }
}

fn is_cheap(block: &Block) -> bool {
    block.insts.len() <= MAX_OPERATIONS
        && (block.insts.iter()).all(|inst| effects::pure(inst.op) && cost(inst.op) <= 1)
}

fn convert(function: &mut Function, id: BlockId, preds: &mut [u32]) -> bool {
    let End::Branch { cond, then, els } = &function.at(id).end else {
        return false;
    };
    let (cond, then, els) = (*cond, then.clone(), els.clone());
    let direct = |edge: &Edge| Some((None, edge.clone()));
    let sides = |edge: &Edge| [side(function, edge, preds), direct(edge)];
    let Some(((first, a), (second, b))) = sides(&then)
        .into_iter()
        .flatten()
        .flat_map(|a| sides(&els).into_iter().flatten().map(move |b| (a.clone(), b)))
        .find(|((_, a), (_, b))| a.to == b.to)
    else {
        return false;
    };
    if a.to == id || first == Some(id) || second == Some(id) {
        return false;
    }
    let differing = a.args.iter().zip(&b.args).filter(|(x, y)| x != y).count();
    let operations: usize = [first, second]
        .into_iter()
        .flatten()
        .map(|block| function.at(block).insts.len())
        .sum();
    if differing > MAX_VALUES || (differing == 0 && operations > 0) {
        return false;
    }
    for block in [first, second].into_iter().flatten() {
        let insts = std::mem::take(function.at_mut(block)).insts;
        // The operation can now execute where the program does not, and overflow there.
        for value in insts.iter().flat_map(|inst| &inst.results) {
            let info = &mut function.values[value.0 as usize];
            info.relaxed &= info.ty.is_float();
        }
        function.at_mut(id).insts.extend(insts);
        preds[block.idx()] = 0;
    }
    let span = function.at(id).span;
    let mut args: Vec<Value> = Vec::with_capacity(a.args.len());
    for (x, y) in a.args.iter().zip(&b.args) {
        if x == y {
            args.push(*x);
            continue;
        }
        let result = function.value(function.ty(*x));
        function.at_mut(id).insts.push(Inst {
            op: Op::Select,
            args: vec![cond, *x, *y],
            results: vec![result],
            span,
        });
        args.push(result);
    }
    preds[a.to.idx()] -= 1;
    function.at_mut(id).end = End::Jump(Edge { to: a.to, args });
    true
}

/// Rough cost in instructions, to decide which operations can execute speculatively.
const fn cost(op: Op) -> u32 {
    match op {
        Op::Div { .. }
        | Op::Rem { .. }
        | Op::FDiv(_)
        | Op::FRcp(_)
        | Op::FSqrt(_)
        | Op::FRsqrt
        | Op::Mufu(_) => 20,
        Op::Reduce { .. } => 2,
        Op::MulHigh { .. } | Op::Convert { .. } | Op::FRound(_) | Op::Popc | Op::Clz | Op::Brev => 4,
        _ => 1,
    }
}
