//! Traversal of a function: its operations, uses of values, and edges.

use super::{Block, BlockId, Edge, End, Function, Inst, Value};

impl End {
    /// The outgoing edges, in order.
    pub fn edges(&self) -> impl DoubleEndedIterator<Item = &Edge> {
        let (first, second) = match self {
            Self::Jump(edge) => (Some(edge), None),
            Self::Branch { then, els, .. } => (Some(then), Some(els)),
            Self::Return(_) | Self::Unreachable => (None, None),
        };
        first.into_iter().chain(second)
    }
    /// The outgoing edges, in order.
    pub fn edges_mut(&mut self) -> impl DoubleEndedIterator<Item = &mut Edge> {
        let (first, second) = match self {
            Self::Jump(edge) => (Some(edge), None),
            Self::Branch { then, els, .. } => (Some(then), Some(els)),
            Self::Return(_) | Self::Unreachable => (None, None),
        };
        first.into_iter().chain(second)
    }
    /// The target blocks, in order; a block appears twice if both edges lead to it.
    pub fn targets(&self) -> impl DoubleEndedIterator<Item = BlockId> {
        self.edges().map(|edge| edge.to)
    }
    /// Calls `visit` for every value that this uses.
    pub fn uses(&self, visit: &mut impl FnMut(Value)) {
        match self {
            Self::Jump(edge) => edge.args.iter().copied().for_each(visit),
            Self::Branch { cond, then, els } => {
                visit(*cond);
                then.args.iter().chain(&els.args).copied().for_each(visit);
            }
            Self::Return(values) => values.iter().copied().for_each(visit),
            Self::Unreachable => {}
        }
    }
    /// Calls `visit` with a mutable reference to every value that this uses.
    pub fn uses_mut(&mut self, visit: &mut impl FnMut(&mut Value)) {
        match self {
            Self::Jump(edge) => edge.args.iter_mut().for_each(visit),
            Self::Branch { cond, then, els } => {
                visit(cond);
                then.args.iter_mut().chain(&mut els.args).for_each(visit);
            }
            Self::Return(values) => values.iter_mut().for_each(visit),
            Self::Unreachable => {}
        }
    }
}

impl Block {
    /// The values that the block defines: its parameters, then the results of its operations.
    pub fn defined(&self) -> impl Iterator<Item = Value> {
        let results = self.insts.iter().flat_map(|inst| &inst.results);
        self.params.iter().chain(results).copied()
    }
    /// Calls `visit` for every value that the block's operations and its end use.
    pub fn uses(&self, visit: &mut impl FnMut(Value)) {
        for inst in &self.insts {
            inst.args.iter().copied().for_each(&mut *visit);
        }
        self.end.uses(visit);
    }
    /// Calls `visit` with a mutable reference to every value that the block's operations and its end use.
    pub fn uses_mut(&mut self, visit: &mut impl FnMut(&mut Value)) {
        for inst in &mut self.insts {
            inst.args.iter_mut().for_each(&mut *visit);
        }
        self.end.uses_mut(visit);
    }
}

impl Function {
    /// The block with this id.
    pub fn at(&self, id: BlockId) -> &Block {
        &self.blocks[id.idx()]
    }
    /// The block with this id.
    pub fn at_mut(&mut self, id: BlockId) -> &mut Block {
        &mut self.blocks[id.idx()]
    }
    /// For each value, the block among these that defines it.
    pub fn definitions(&self, blocks: &[BlockId]) -> Vec<Option<BlockId>> {
        let mut found = vec![None; self.values.len()];
        for id in blocks {
            for value in self.at(*id).defined() {
                found[value.0 as usize] = Some(*id);
            }
        }
        found
    }
    /// Redirects the edges from these blocks to `to` through a new block, which has the same parameters and
    /// passes them on.
    pub fn redirect_through(&mut self, from: &[BlockId], to: BlockId) -> BlockId {
        let between = self.block();
        let types: Vec<_> = self.at(to).params.iter().map(|param| self.ty(*param)).collect();
        let params: Vec<Value> = types.into_iter().map(|ty| self.value(ty)).collect();
        let block = self.at_mut(between);
        block.params.clone_from(&params);
        block.end = End::Jump(Edge { to, args: params });
        for id in from {
            for edge in self.at_mut(*id).end.edges_mut() {
                if edge.to == to {
                    edge.to = between;
                }
            }
        }
        between
    }
    /// All operations, block by block.
    pub fn insts(&self) -> impl Iterator<Item = &Inst> {
        self.blocks.iter().flat_map(|block| &block.insts)
    }
    /// Calls `visit` for every use of a value.
    pub fn uses(&self, visit: &mut impl FnMut(Value)) {
        self.blocks.iter().for_each(|block| block.uses(visit));
    }
    /// Calls `visit` with a mutable reference to every use of a value.
    pub fn uses_mut(&mut self, visit: &mut impl FnMut(&mut Value)) {
        self.blocks.iter_mut().for_each(|block| block.uses_mut(visit));
    }
    /// Replaces uses of values by their entries in `renamed`, following chains.
    pub fn rename(&mut self, renamed: &[Value]) {
        self.uses_mut(&mut |value| *value = follow(renamed, *value));
    }
    /// The number of operations.
    pub fn size(&self) -> usize {
        self.blocks.iter().map(|block| block.insts.len()).sum()
    }
}

/// The final replacement of a value through chains of renamings; values beyond the table are unchanged.
pub fn follow(renamed: &[Value], mut value: Value) -> Value {
    while let Some(next) = renamed.get(value.0 as usize)
        && *next != value
    {
        value = *next;
    }
    value
}
