//! Ways through the region tree.

use super::{End, Inst, Node, Region, Value};

impl End {
    /// The values it passes on.
    pub fn args(&self) -> &[Value] {
        match self {
            Self::Yield(args) | Self::Break(_, args) | Self::Continue(_, args) | Self::Return(args) => args,
            Self::Unreachable => &[],
        }
    }
    /// The values it passes on.
    pub fn args_mut(&mut self) -> Option<&mut Vec<Value>> {
        match self {
            Self::Yield(args) | Self::Break(_, args) | Self::Continue(_, args) | Self::Return(args) => {
                Some(args)
            }
            Self::Unreachable => None,
        }
    }
}

impl Region {
    /// Calls `visit` for every operation, in order, nested regions included.
    pub fn insts(&self, visit: &mut impl FnMut(&Inst)) {
        for node in &self.nodes {
            match node {
                Node::Inst(inst) => visit(inst),
                _ => node.regions().for_each(|region| region.insts(visit)),
            }
        }
    }
    /// Calls `visit` for every operation, in order, nested regions included.
    pub fn insts_mut(&mut self, visit: &mut impl FnMut(&mut Inst)) {
        for node in &mut self.nodes {
            match node {
                Node::Inst(inst) => visit(inst),
                Node::If(choice) => {
                    choice.then.insts_mut(visit);
                    choice.els.insts_mut(visit);
                }
                Node::Loop(repeat) => repeat.body.insts_mut(visit),
                Node::Block(block) => block.body.insts_mut(visit),
            }
        }
    }
    /// Calls `visit` for every use of a value: operands, conditions, first values of loop
    /// parameters, arguments of ends.
    pub fn uses(&self, visit: &mut impl FnMut(Value)) {
        for node in &self.nodes {
            match node {
                Node::Inst(inst) => inst.args.iter().copied().for_each(&mut *visit),
                Node::If(choice) => visit(choice.cond),
                Node::Loop(repeat) => repeat.init.iter().copied().for_each(&mut *visit),
                Node::Block(_) => {}
            }
            node.regions().for_each(|region| region.uses(visit));
        }
        self.end.args().iter().copied().for_each(visit);
    }
    /// Calls `visit` with every use of a value, to change it.
    pub fn uses_mut(&mut self, visit: &mut impl FnMut(&mut Value)) {
        for node in &mut self.nodes {
            match node {
                Node::Inst(inst) => inst.args.iter_mut().for_each(&mut *visit),
                Node::If(choice) => {
                    visit(&mut choice.cond);
                    choice.then.uses_mut(visit);
                    choice.els.uses_mut(visit);
                }
                Node::Loop(repeat) => {
                    repeat.init.iter_mut().for_each(&mut *visit);
                    repeat.body.uses_mut(visit);
                }
                Node::Block(block) => block.body.uses_mut(visit),
            }
        }
        if let Some(args) = self.end.args_mut() {
            args.iter_mut().for_each(visit);
        }
    }
    /// How many operations it has, nested regions included.
    pub fn size(&self) -> usize {
        let mut size = 0;
        self.insts(&mut |_| size += 1);
        size
    }
}

impl Node {
    /// The regions directly inside.
    pub fn regions(&self) -> impl Iterator<Item = &Region> {
        let (first, second) = match self {
            Self::Inst(_) => (None, None),
            Self::If(choice) => (Some(&choice.then), Some(&choice.els)),
            Self::Loop(repeat) => (Some(&repeat.body), None),
            Self::Block(block) => (Some(&block.body), None),
        };
        first.into_iter().chain(second)
    }
    /// The values it defines for what follows.
    pub fn results(&self) -> &[Value] {
        match self {
            Self::Inst(inst) => &inst.results,
            Self::If(choice) => &choice.results,
            Self::Loop(repeat) => &repeat.results,
            Self::Block(block) => &block.results,
        }
    }
    /// The values it defines for what follows.
    pub fn results_mut(&mut self) -> &mut Vec<Value> {
        match self {
            Self::Inst(inst) => &mut inst.results,
            Self::If(choice) => &mut choice.results,
            Self::Loop(repeat) => &mut repeat.results,
            Self::Block(block) => &mut block.results,
        }
    }
}
