//! The last step before instruction selection: brings the graph into the form that selection and the placement
//! of reconvergence points require.
//!
//! Afterward, an edge from a block with two successors leads to a block with one predecessor. Every loop has a
//! preheader with a single successor, and a single latch. A called function returns from one block. Branches
//! whose sides are predicated are removed from the graph.

use std::collections::BTreeMap;

use super::predicate;
use super::target::Target;
use crate::ir::flow::Flow;
use crate::ir::flow::divergence::Divergence;
use crate::ir::flow::dominators::Dominators;
use crate::ir::flow::loops::{Loop, Loops};
use crate::ir::{BlockId, Edge, End, Function, Inst, Value};
use crate::opt::pure;

/// A branch whose sides execute one after the other, each under its predicate.
#[derive(Clone, Debug)]
pub(super) struct Predicated {
    pub(super) cond: Value,
    pub(super) then: Vec<Inst>,
    pub(super) els: Vec<Inst>,
    /// The resulting values, and their values on either side.
    pub(super) results: Vec<Value>,
    pub(super) then_args: Vec<Value>,
    pub(super) els_args: Vec<Value>,
}

impl Predicated {
    /// Whether all threads of the block take the same side and select between uniform values.
    fn is_uniform(&self, function: &Function) -> bool {
        let mut values = self.then_args.iter().chain(&self.els_args).chain([&self.cond]);
        values.all(|value| function.is_uniform(*value))
    }
}

/// A shaped function, with the analyses that are valid for it.
#[derive(Clone, Debug)]
pub(super) struct Shaped {
    pub(super) function: Function,
    /// For each block, the predicated branch at its end.
    pub(super) predicated: BTreeMap<BlockId, Predicated>,
    pub(super) flow: Flow,
    pub(super) loops: Loops,
    pub(super) divergence: Divergence,
    pub(super) is_kernel: bool,
}

impl Shaped {
    /// Whether a block does nothing but end a kernel's thread.
    pub(super) fn only_exits(&self, id: BlockId) -> bool {
        let block = self.function.at(id);
        self.is_kernel && block.insts.is_empty() && matches!(block.end, End::Return(_))
    }
}

/// Shapes a function.
pub(super) fn shape(source: &Function, is_kernel: bool, target: &Target) -> Shaped {
    let mut function = source.clone();
    if !is_kernel {
        return_once(&mut function);
    }
    let predicated = predicate::run(&mut function, is_kernel, target);
    if is_kernel {
        exit_everywhere(&mut function);
    }
    split_edges(&mut function);
    let flow = Flow::of(&function);
    let loops = Loops::of(&function, &flow, &Dominators::of(&function, &flow));
    for this in &loops.list {
        let span = function.at(this.header).span;
        let made = [
            one_latch(&mut function, this),
            this.make_preheader(&mut function, &flow),
        ];
        for id in made.into_iter().flatten() {
            function.at_mut(id).span = span;
        }
    }
    let flow = Flow::of(&function);
    let loops = Loops::of(&function, &flow, &Dominators::of(&function, &flow));
    let varying = (predicated.values())
        .filter(|choice| !choice.is_uniform(&function))
        .flat_map(|choice| choice.results.iter().copied());
    let divergence = Divergence::of(&function, &flow, &loops, varying, pure);
    Shaped {
        function,
        predicated,
        flow,
        loops,
        divergence,
        is_kernel,
    }
}

/// Merges all returns of a called function into one.
fn return_once(function: &mut Function) {
    let returns: Vec<usize> = (0..function.blocks.len())
        .filter(|idx| matches!(function.blocks[*idx].end, End::Return(_)))
        .collect();
    if returns.len() < 2 {
        return;
    }
    let exit = function.block();
    let types = function.results.clone();
    let params: Vec<Value> = types.into_iter().map(|ty| function.value(ty)).collect();
    let block = function.at_mut(exit);
    block.params.clone_from(&params);
    block.end = End::Return(params);
    for idx in returns {
        let block = &mut function.blocks[idx];
        if let End::Return(args) = std::mem::replace(&mut block.end, End::Unreachable) {
            block.end = End::Jump(Edge { to: exit, args });
        }
    }
}

/// Replaces jumps to a kernel's empty end by exits.
fn exit_everywhere(function: &mut Function) {
    let ends: Vec<bool> = (function.blocks.iter())
        .map(|block| block.insts.is_empty() && matches!(block.end, End::Return(_)))
        .collect();
    for idx in 0..function.blocks.len() {
        if let End::Jump(edge) = &function.blocks[idx].end
            && ends[edge.to.idx()]
        {
            function.blocks[idx].end = End::Return(Vec::new());
        }
    }
}

/// Splits edges from a block with two successors to a block with several predecessors. If the target only ends
/// a kernel's thread, the new block is a copy of it.
fn split_edges(function: &mut Function) {
    let mut preds = vec![0_u32; function.blocks.len()];
    let flow = Flow::of(function);
    for id in &flow.order {
        function
            .at(*id)
            .end
            .targets()
            .for_each(|target| preds[target.idx()] += 1);
    }
    for id in flow.order {
        if !matches!(function.at(id).end, End::Branch { .. }) {
            continue;
        }
        for which in 0..2 {
            let span = function.at(id).span;
            let Some(edge) = function.at(id).end.edges().nth(which).cloned() else {
                continue;
            };
            if preds[edge.to.idx()] < 2 && edge.args.is_empty() {
                continue;
            }
            let between = function.block();
            let block = function.at_mut(between);
            block.span = span;
            block.end = End::Jump(edge);
            if let Some(edge) = function.at_mut(id).end.edges_mut().nth(which) {
                *edge = Edge::to(between);
            }
        }
    }
    exit_after_split(function);
}

/// Turns new blocks that lead to an empty end into ends.
fn exit_after_split(function: &mut Function) {
    for idx in 0..function.blocks.len() {
        let End::Jump(edge) = &function.blocks[idx].end else {
            continue;
        };
        let to = function.at(edge.to);
        if let (true, true, End::Return(values)) = (
            function.blocks[idx].insts.is_empty(),
            to.insts.is_empty(),
            &to.end,
        ) && values.is_empty()
            && to.params.is_empty()
            && function.results.is_empty()
        {
            function.blocks[idx].end = End::Return(Vec::new());
        }
    }
}

/// Gives a loop a single latch, which only jumps to the header. Returns the block that this adds, if any.
fn one_latch(function: &mut Function, this: &Loop) -> Option<BlockId> {
    let is_plain = |id: &BlockId| matches!(function.at(*id).end, End::Jump(_));
    if let [latch] = &this.latches[..]
        && is_plain(latch)
    {
        return None;
    }
    Some(function.redirect_through(&this.latches, this.header))
}
