//! Divergence analysis: the values that are uniform across the threads of a block, and the branches at which threads
//! diverge.
//!
//! A value is divergent if one of these holds: an operand is divergent; the operation reads the thread's identity or
//! memory; paths that a divergent branch has split join at it; the value leaves a loop that threads exit in different
//! iterations.

use crate::ir::{BlockId, Def, End, Function, Inst, Op, Space, SpecialReg, Value};

use super::Flow;
use super::dominators::Dominators;
use super::loops::Loops;

/// The divergence between the threads of a block.
#[derive(Clone, Debug)]
pub struct Divergence {
    /// By value: whether all threads that compute it together get the same value.
    pub uniform: Vec<bool>,
    /// By block: whether its branch is divergent.
    pub divergent: Vec<bool>,
    /// By loop, in the order of [`Loops::list`]: whether threads exit it in different iterations.
    pub leaves_apart: Vec<bool>,
}

impl Divergence {
    /// Analyzes a function. `varying`: values without a defining operation that are divergent. `pure`: whether the
    /// result of an operation depends only on its operands.
    pub fn of(
        function: &Function,
        flow: &Flow,
        loops: &Loops,
        varying: impl IntoIterator<Item = Value>,
        pure: fn(Op) -> bool,
    ) -> Self {
        let post = Dominators::post(function, flow);
        let mut walk = Walk {
            function,
            flow,
            loops,
            post: &post,
            pure,
            uniform: vec![true; function.values.len()],
            divergent: vec![false; function.blocks.len()],
            leaves_apart: vec![false; loops.list.len()],
            home: function.definitions(&flow.order),
            changed: true,
        };
        for value in function.params.iter().copied().chain(varying) {
            walk.uniform[value.0 as usize] = false;
        }
        // Optimistic fixed point: start from "all values are uniform". Each round only removes uniform values.
        while std::mem::take(&mut walk.changed) {
            walk.round();
        }
        Self {
            uniform: walk.uniform,
            divergent: walk.divergent,
            leaves_apart: walk.leaves_apart,
        }
    }
}

struct Walk<'a> {
    function: &'a Function,
    flow: &'a Flow,
    loops: &'a Loops,
    post: &'a Dominators,
    pure: fn(Op) -> bool,
    uniform: Vec<bool>,
    divergent: Vec<bool>,
    /// By loop: whether threads exit it in different iterations or through different edges.
    leaves_apart: Vec<bool>,
    /// By value: the defining block.
    home: Vec<Option<BlockId>>,
    changed: bool,
}

impl Walk<'_> {
    /// Whether a value is uniform in all threads that use it in a block.
    fn is(&self, value: Value, at: BlockId) -> bool {
        match self.function.def(value) {
            Def::Node => self.uniform[value.0 as usize] && !self.leaves_divergent_loop(value, at),
            Def::Undef => false,
            _ => true,
        }
    }

    /// Whether a value leaves a loop that threads exit in different iterations.
    fn leaves_divergent_loop(&self, value: Value, at: BlockId) -> bool {
        let Some(home) = self.home[value.0 as usize] else {
            return false;
        };
        let mut inside = self.loops.innermost(home);
        while let Some(this) = inside {
            if self.loops.contains(this, at) {
                return false;
            }
            if self.leaves_apart[this.0 as usize] {
                return true;
            }
            inside = self.loops.get(this).parent;
        }
        false
    }

    fn mark_divergent(&mut self, value: Value) {
        if std::mem::replace(&mut self.uniform[value.0 as usize], false) {
            self.changed = true;
        }
    }

    fn round(&mut self) {
        for id in &self.flow.order {
            let block = self.function.at(*id);
            for inst in &block.insts {
                if !self.is_same(inst, *id) {
                    inst.results
                        .iter()
                        .for_each(|result| self.mark_divergent(*result));
                }
            }
            for edge in block.end.edges() {
                for (param, arg) in self.function.at(edge.to).params.iter().zip(&edge.args) {
                    if !self.is(*arg, *id) {
                        self.mark_divergent(*param);
                    }
                }
            }
            if let End::Branch { cond, then, els } = &block.end
                && !self.divergent[id.idx()]
                && then.to != els.to
                && !self.is(*cond, *id)
            {
                self.divergent[id.idx()] = true;
                self.changed = true;
                self.part(*id);
            }
            if let End::Branch { cond, then, els } = &block.end
                && then.to == els.to
                && !self.is(*cond, *id)
            {
                self.mark_params_divergent(then.to);
            }
        }
    }

    fn is_same(&self, inst: &Inst, at: BlockId) -> bool {
        match inst.op {
            Op::Special(register) => {
                matches!(
                    register,
                    SpecialReg::CtaidX | SpecialReg::CtaidY | SpecialReg::CtaidZ
                )
            }
            Op::Load(access) => {
                matches!(access.space, Space::Const | Space::Param) && self.is(inst.args[0], at)
            }
            // All threads of the block receive the same result.
            Op::Barrier(_) => true,
            op => (self.pure)(op) && inst.args.iter().all(|arg| self.is(*arg, at)),
        }
    }

    fn mark_params_divergent(&mut self, id: BlockId) {
        for param in &self.function.at(id).params {
            self.mark_divergent(*param);
        }
    }

    /// Propagates a divergent branch: values at join points diverge, up to the postdominator of the branch.
    fn part(&mut self, id: BlockId) {
        let end = self.post.idom(id.0);
        let mut seen = vec![false; self.function.blocks.len()];
        let mut work: Vec<BlockId> = self.function.at(id).end.targets().collect();
        let mut reached = Vec::new();
        while let Some(block) = work.pop() {
            if std::mem::replace(&mut seen[block.idx()], true) {
                continue;
            }
            reached.push(block);
            if Some(block.0) != end {
                work.extend(self.function.at(block).end.targets());
            }
        }
        for block in &reached {
            if self.flow.preds[block.idx()].len() > 1 {
                self.mark_params_divergent(*block);
            }
        }
        // Loops that some threads exit while others continue: those inside the innermost loop around all reached blocks.
        let mut inside = self.loops.innermost(id);
        let mut around = inside;
        for block in &reached {
            while let Some(this) = around
                && !self.loops.contains(this, *block)
            {
                around = self.loops.get(this).parent;
            }
        }
        while let Some(this) = inside.filter(|_| inside != around) {
            if !std::mem::replace(&mut self.leaves_apart[this.0 as usize], true) {
                self.changed = true;
            }
            inside = self.loops.get(this).parent;
        }
    }
}
