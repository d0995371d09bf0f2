//! Dead-code elimination: removes operations whose results are unused, and block parameters that are unused or
//! always the same.

use crate::ir::flow::Flow;
use crate::ir::walk::follow;
use crate::ir::{BlockId, End, Function, Value};

use super::{effects, tidy};

/// Maximum number of rounds. Assumption: kernels need ten. A round can make one branch useless, and so the next round
/// another one, as many as there are.
pub(super) const MAX_ROUNDS: usize = 32;

/// Iterates until the parameters are stable, then drops dead code and tidies the blocks.
pub(super) fn run(function: &mut Function) {
    tidy::run(function);
    for _ in 0..MAX_ROUNDS {
        unify(function);
        sweep(function);
        if !tidy::run(function) {
            break;
        }
    }
}

/// Replaces parameters that receive the same value from all edges by this value.
fn unify(function: &mut Function) {
    let flow = Flow::of(function);
    let mut renamed: Vec<Value> = (0..function.values.len() as u32).map(Value).collect();
    let mut found = false;
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for id in &flow.order {
            for (at, param) in function.at(*id).params.iter().enumerate() {
                if renamed[param.0 as usize] != *param {
                    continue;
                }
                let mut source = None;
                let mut several = false;
                for pred in &flow.preds[id.idx()] {
                    for edge in function.at(*pred).end.edges().filter(|edge| edge.to == *id) {
                        let arg = follow(&renamed, edge.args[at]);
                        if arg != *param && source.is_none_or(|source| source != arg) {
                            several |= source.is_some();
                            source = Some(arg);
                        }
                    }
                }
                if let (Some(source), false) = (source, several) {
                    renamed[param.0 as usize] = source;
                    changed = true;
                    found = true;
                }
            }
        }
    }
    if !found {
        return;
    }
    for id in &flow.order {
        let block = function.at(*id);
        let keep: Vec<bool> = (block.params.iter())
            .map(|param| renamed[param.0 as usize] == *param)
            .collect();
        keep_params(function, &flow, *id, &keep);
    }
    function.rename(&renamed);
}

/// Keeps only the marked parameters of a block, and the corresponding arguments of its edges.
fn keep_params(function: &mut Function, flow: &Flow, id: BlockId, keep: &[bool]) {
    if keep.iter().all(|keep| *keep) {
        return;
    }
    let filter = |list: &mut Vec<Value>| {
        let mut at = 0;
        list.retain(|_| {
            at += 1;
            keep[at - 1]
        });
    };
    filter(&mut function.at_mut(id).params);
    let mut done = Vec::new();
    for pred in &flow.preds[id.idx()] {
        if done.contains(pred) {
            continue;
        }
        done.push(*pred);
        for edge in function
            .at_mut(*pred)
            .end
            .edges_mut()
            .filter(|edge| edge.to == id)
        {
            filter(&mut edge.args);
        }
    }
}

/// Drops operations without side effects whose results are unused, and unused parameters.
fn sweep(function: &mut Function) {
    let flow = Flow::of(function);
    let num = function.values.len();
    let mut live = vec![false; num];
    // The operation that computes each value.
    let mut maker: Vec<Option<(u32, u32)>> = vec![None; num];
    // The block and index of the parameter that each value is.
    let mut param_of: Vec<Option<(u32, u32)>> = vec![None; num];
    let mut work: Vec<Value> = Vec::new();
    for id in &flow.order {
        let block = function.at(*id);
        for (at, param) in block.params.iter().enumerate() {
            param_of[param.0 as usize] = Some((id.0, at as u32));
        }
        for (at, inst) in block.insts.iter().enumerate() {
            for result in &inst.results {
                maker[result.0 as usize] = Some((id.0, at as u32));
            }
            if effects::needed(inst.op) {
                work.extend(&inst.args);
            }
        }
        match &block.end {
            End::Branch { cond, .. } => work.push(*cond),
            End::Return(values) => work.extend(values),
            _ => {}
        }
    }
    while let Some(value) = work.pop() {
        if std::mem::replace(&mut live[value.0 as usize], true) {
            continue;
        }
        if let Some((block, at)) = maker[value.0 as usize] {
            work.extend(&function.blocks[block as usize].insts[at as usize].args);
        }
        if let Some((block, at)) = param_of[value.0 as usize] {
            for pred in &flow.preds[block as usize] {
                for edge in function.at(*pred).end.edges().filter(|edge| edge.to.0 == block) {
                    work.push(edge.args[at as usize]);
                }
            }
        }
    }
    for id in &flow.order {
        let block = function.at_mut(*id);
        block.insts.retain(|inst| {
            effects::needed(inst.op) || inst.results.iter().any(|result| live[result.0 as usize])
        });
        let keep: Vec<bool> = block.params.iter().map(|param| live[param.0 as usize]).collect();
        keep_params(function, &flow, *id, &keep);
    }
}
