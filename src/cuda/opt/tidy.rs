//! Tidies the control-flow graph: removes unreachable blocks, merges consecutive blocks, and redirects edges
//! past empty blocks.
//!
//! Invariant: every path through the function behaves as before; headers of loops that the source marks for
//! unrolling stay, and so do those of loops that begin with another loop.

use crate::ir::flow::Flow;
use crate::ir::flow::dominators::Dominators;
use crate::ir::flow::loops::Loops;
use crate::ir::walk::follow;
use crate::ir::{Block, BlockId, Edge, End, Function, Unroll, Value};

use super::prune::MAX_ROUNDS;

/// Tidies the blocks of a function. Returns whether anything changed.
pub(super) fn run(function: &mut Function) -> bool {
    let mut any = false;
    for _ in 0..MAX_ROUNDS {
        let mut changed = fold_ends(function);
        changed |= drop_unreachable(function);
        changed |= skip_empty(function);
        changed |= merge_rows(function);
        if !changed {
            break;
        }
        any = true;
    }
    any
}

/// Replaces branches with a single outcome by jumps.
fn fold_ends(function: &mut Function) -> bool {
    let mut changed = false;
    for idx in 0..function.blocks.len() {
        let End::Branch { cond, then, els } = &function.blocks[idx].end else {
            continue;
        };
        let taken = match function.const_bits(*cond) {
            Some(0) => els,
            Some(_) => then,
            None if then == els => then,
            None => continue,
        };
        function.blocks[idx].end = End::Jump(taken.clone());
        changed = true;
    }
    changed
}

/// Empties unreachable blocks.
fn drop_unreachable(function: &mut Function) -> bool {
    let flow = Flow::of(function);
    let mut changed = false;
    for (idx, block) in function.blocks.iter_mut().enumerate() {
        if !flow.is_reachable(BlockId(idx as u32)) && *block != Block::new() {
            *block = Block::new();
            changed = true;
        }
    }
    changed
}

/// Redirects edges past blocks that only jump.
fn skip_empty(function: &mut Function) -> bool {
    let mut uses = vec![0_u32; function.values.len()];
    function.uses(&mut |value| uses[value.0 as usize] += 1);
    let mut skipped: Vec<Option<(Vec<Value>, Edge)>> = vec![None; function.blocks.len()];
    let mut any = false;
    for (idx, block) in function.blocks.iter().enumerate().skip(1) {
        let End::Jump(on) = &block.end else { continue };
        // A parameter can be passed on, but nothing else can read it.
        let passed = |param: &Value| {
            let here = on.args.iter().filter(|arg| *arg == param).count() as u32;
            uses[param.0 as usize] == here
        };
        let is_empty = block.insts.is_empty() && block.unroll == Unroll::Auto && on.to.idx() != idx;
        if is_empty && block.params.iter().all(passed) {
            skipped[idx] = Some((block.params.clone(), on.clone()));
            any = true;
        }
    }
    if !any {
        return false;
    }
    keep_outer_headers(function, &mut skipped);
    let mut changed = false;
    let num = skipped.len();
    for (idx, block) in function.blocks.iter_mut().enumerate() {
        if skipped[idx].is_some() {
            continue;
        }
        for edge in block.end.edges_mut() {
            // Empty blocks can form a cycle.
            for _ in 0..num {
                let Some((params, on)) = &skipped[edge.to.idx()] else {
                    break;
                };
                let brought = std::mem::take(&mut edge.args);
                edge.to = on.to;
                edge.args = (on.args.iter())
                    .map(|arg| {
                        params
                            .iter()
                            .position(|param| param == arg)
                            .map_or(*arg, |at| brought[at])
                    })
                    .collect();
                changed = true;
            }
        }
    }
    changed
}

/// Keeps the headers of loops that begin with another loop: with one header for both, they would be one loop, whose lanes
/// wait for each other at other places.
fn keep_outer_headers(function: &Function, skipped: &mut [Option<(Vec<Value>, Edge)>]) {
    let flow = Flow::of(function);
    let loops = Loops::of(function, &flow, &Dominators::of(function, &flow));
    for outer in &loops.list {
        let skipped = &mut skipped[outer.header.idx()];
        let begins = |(_, on): &(Vec<Value>, Edge)| {
            let mut inner = loops.list.iter().filter(|inner| inner.header == on.to);
            inner.any(|_| outer.blocks.contains(&on.to))
        };
        if skipped.as_ref().is_some_and(begins) {
            *skipped = None;
        }
    }
}

/// Merges a block that has one successor with that successor, if the successor has one predecessor.
fn merge_rows(function: &mut Function) -> bool {
    let mut preds = vec![0_u32; function.blocks.len()];
    for block in &function.blocks {
        block.end.targets().for_each(|target| preds[target.idx()] += 1);
    }
    let mut renamed: Vec<Value> = Vec::new();
    let mut changed = false;
    for idx in 0..function.blocks.len() {
        while let End::Jump(edge) = &function.blocks[idx].end {
            let to = edge.to;
            if to.idx() == idx || to == Function::ENTRY || preds[to.idx()] != 1 {
                break;
            }
            let args = edge.args.clone();
            let next = std::mem::take(&mut function.blocks[to.idx()]);
            if !next.params.is_empty() && renamed.is_empty() {
                renamed = (0..function.values.len() as u32).map(Value).collect();
            }
            for (param, arg) in next.params.iter().zip(args) {
                renamed[param.0 as usize] = follow(&renamed, arg);
            }
            preds[to.idx()] = 0;
            let block = &mut function.blocks[idx];
            block.insts.extend(next.insts);
            block.end = next.end;
            block.span = next.span;
            changed = true;
        }
    }
    if !renamed.is_empty() {
        function.rename(&renamed);
    }
    changed
}
