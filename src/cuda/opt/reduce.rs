//! Makes control flow reducible: a cycle with several entries, as `goto` can form, gets one entry, a block that
//! dispatches to the original entries. All other passes know only natural loops.
//!
//! Invariant: afterward every cycle has a header that dominates it.

use crate::ir::flow::Flow;
use crate::ir::flow::dominators::Dominators;
use crate::ir::flow::loops::Loops;
use crate::ir::{Block, BlockId, Compare, Edge, End, Function, Inst, Op, Type, Value};

use super::repair::{self, Variable};

/// Gives every cycle a single entry.
pub(super) fn run(function: &mut Function) {
    loop {
        let flow = Flow::of(function);
        let dominators = Dominators::of(function, &flow);
        let loops = Loops::of(function, &flow, &dominators);
        let Some((_, target)) = loops.irreducible.first() else {
            return;
        };
        let entries = entries_of_cycle(function, &flow, &loops, *target);
        if entries.len() < 2 {
            debug_assert!(false, "a cycle that has no header has several entries");
            return;
        }
        join_entries(function, &entries);
    }
}

/// The entries of the smallest cycle around a block. The cycle consists of the blocks that are strongly
/// connected with the block inside its innermost natural loop.
fn entries_of_cycle(function: &Function, flow: &Flow, loops: &Loops, target: BlockId) -> Vec<BlockId> {
    let mut around = loops.innermost(target);
    while let Some(this) = around.filter(|this| loops.get(*this).header == target) {
        around = loops.get(this).parent;
    }
    let allowed = |id: BlockId| match around {
        // Through the loop's header all blocks are connected, so it is excluded.
        Some(this) => loops.contains(this, id) && loops.get(this).header != id,
        None => true,
    };
    let reach = |next: &dyn Fn(BlockId) -> Vec<BlockId>| {
        let mut seen = vec![false; function.blocks.len()];
        let mut work = vec![target];
        while let Some(id) = work.pop() {
            for other in next(id) {
                if allowed(other) && !std::mem::replace(&mut seen[other.idx()], true) {
                    work.push(other);
                }
            }
        }
        seen
    };
    let ahead = reach(&|id| function.at(id).end.targets().collect());
    let behind = reach(&|id| flow.preds[id.idx()].clone());
    let inside = |id: BlockId| ahead[id.idx()] && behind[id.idx()];
    (flow.order.iter().copied())
        .filter(|id| inside(*id) && flow.preds[id.idx()].iter().any(|pred| !inside(*pred)))
        .collect()
}

/// Redirects all edges to these blocks through a new block, which dispatches by a number.
fn join_entries(function: &mut Function, entries: &[BlockId]) {
    let [first, rest @ ..] = entries else { return };
    let head = function.block();
    let number = function.value(Type::I32);
    function.at_mut(head).params.push(number);
    // The new block has the parameters of all entries; an edge to one entry leaves the others' undefined.
    let mut firsts = Vec::new();
    for entry in entries {
        firsts.push(function.at(head).params.len());
        let old = std::mem::take(&mut function.at_mut(*entry).params);
        function.at_mut(head).params.extend(old);
    }
    let params = function.at(head).params.clone();
    for idx in 0..function.blocks.len() {
        if idx == head.idx() {
            continue;
        }
        let mut end = std::mem::replace(&mut function.blocks[idx].end, End::Unreachable);
        for edge in end.edges_mut() {
            let Some(which) = entries.iter().position(|entry| *entry == edge.to) else {
                continue;
            };
            let brought = std::mem::take(&mut edge.args);
            let mut args = vec![function.i32(which as i32)];
            for (at, param) in params.iter().enumerate().skip(1) {
                let own = at.checked_sub(firsts[which]).and_then(|at| brought.get(at));
                let undef = crate::ir::Def::Undef;
                args.push(match own {
                    Some(value) => *value,
                    None => function.leaf(function.ty(*param), undef),
                });
            }
            *edge = Edge { to: head, args };
        }
        function.blocks[idx].end = end;
    }
    // The new block tests for one entry after the other.
    let mut at = head;
    for (which, entry) in rest.iter().enumerate() {
        let cond = function.value(Type::I1);
        let wanted = function.i32(which as i32 + 1);
        let next = if which + 1 == rest.len() {
            *first
        } else {
            function.block()
        };
        let span = function.span;
        let block: &mut Block = function.at_mut(at);
        block.span = span;
        block.insts.push(Inst {
            op: Op::ICmp {
                cmp: Compare::Eq,
                signed: false,
            },
            args: vec![number, wanted],
            results: vec![cond],
            span,
        });
        block.end = End::Branch {
            cond,
            then: Edge::to(*entry),
            els: Edge::to(next),
        };
        at = next;
    }
    make_dominated(function);
}

/// Definitions in an entry's blocks no longer dominate their uses in other blocks: turns each such value into a
/// variable.
fn make_dominated(function: &mut Function) {
    let flow = Flow::of(function);
    let dominators = Dominators::of(function, &flow);
    let place = function.definitions(&flow.order);
    let mut broken: Vec<Value> = Vec::new();
    for id in &flow.order {
        function.at(*id).uses(&mut |value| {
            if let Some(from) = place[value.0 as usize]
                && !dominators.dominates(from.0, id.0)
            {
                broken.push(value);
            }
        });
    }
    broken.sort_unstable();
    broken.dedup();
    let variables: Vec<Variable> = (broken.iter())
        .filter_map(|value| {
            let place = place[value.0 as usize]?;
            Some(Variable {
                definitions: std::iter::once((place, *value)).collect(),
            })
        })
        .collect();
    repair::run(function, &variables);
}
