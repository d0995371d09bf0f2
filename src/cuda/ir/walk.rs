//! Ways through a function: its operations, its uses of values, its edges.

use super::{Block, BlockId, Edge, End, Function, Inst, Value};

impl End {
    /// The edges that lead on, in order.
    pub fn edges(&self) -> impl DoubleEndedIterator<Item = &Edge> {
        let (first, second) = match self {
            Self::Jump(edge) => (Some(edge), None),
            Self::Branch { then, els, .. } => (Some(then), Some(els)),
            Self::Return(_) | Self::Unreachable => (None, None),
        };
        first.into_iter().chain(second)
    }
    /// The edges that lead on, in order.
    pub fn edges_mut(&mut self) -> impl DoubleEndedIterator<Item = &mut Edge> {
        let (first, second) = match self {
            Self::Jump(edge) => (Some(edge), None),
            Self::Branch { then, els, .. } => (Some(then), Some(els)),
            Self::Return(_) | Self::Unreachable => (None, None),
        };
        first.into_iter().chain(second)
    }
    /// The blocks it leads to, in order; one twice where both edges lead there.
    pub fn targets(&self) -> impl DoubleEndedIterator<Item = BlockId> {
        self.edges().map(|edge| edge.to)
    }
    /// Calls `visit` for every value it uses.
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
    /// Calls `visit` with every value it uses, to change it.
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
    /// The values that it defines: its parameters, then the results of its operations.
    pub fn defined(&self) -> impl Iterator<Item = Value> {
        let results = self.insts.iter().flat_map(|inst| &inst.results);
        self.params.iter().chain(results).copied()
    }
    /// Calls `visit` for every value that its operations and its end use.
    pub fn uses(&self, visit: &mut impl FnMut(Value)) {
        for inst in &self.insts {
            inst.args.iter().copied().for_each(&mut *visit);
        }
        self.end.uses(visit);
    }
    /// Calls `visit` with every value that its operations and its end use, to change it.
    pub fn uses_mut(&mut self, visit: &mut impl FnMut(&mut Value)) {
        for inst in &mut self.insts {
            inst.args.iter_mut().for_each(&mut *visit);
        }
        self.end.uses_mut(visit);
    }
}

impl Function {
    /// A block.
    pub fn at(&self, id: BlockId) -> &Block {
        &self.blocks[id.idx()]
    }
    /// A block.
    pub fn at_mut(&mut self, id: BlockId) -> &mut Block {
        &mut self.blocks[id.idx()]
    }
    /// By value: the block among these that defines it.
    pub fn definitions(&self, blocks: &[BlockId]) -> Vec<Option<BlockId>> {
        let mut found = vec![None; self.values.len()];
        for id in blocks {
            for value in self.at(*id).defined() {
                found[value.0 as usize] = Some(*id);
            }
        }
        found
    }
    /// Leads the edges from these blocks to `to` through a new block, which takes the same values and
    /// passes them on.
    pub fn lead_through(&mut self, from: &[BlockId], to: BlockId) -> BlockId {
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
    /// Calls `visit` with every use of a value, to change it.
    pub fn uses_mut(&mut self, visit: &mut impl FnMut(&mut Value)) {
        self.blocks.iter_mut().for_each(|block| block.uses_mut(visit));
    }
    /// Replaces uses of values by what `renamed` has for them, through chains.
    pub fn rename(&mut self, renamed: &[Value]) {
        self.uses_mut(&mut |value| *value = follow(renamed, *value));
    }
    /// How many operations it has.
    pub fn size(&self) -> usize {
        self.blocks.iter().map(|block| block.insts.len()).sum()
    }
}

/// What a value has become, through chains of renamings; values beyond the table are themselves.
pub fn follow(renamed: &[Value], mut value: Value) -> Value {
    while let Some(next) = renamed.get(value.0 as usize)
        && *next != value
    {
        value = *next;
    }
    value
}
