//! Which values are the same in all threads of a block.

use crate::cuda::ir::{Def, End, Function, Label, Node, Op, Region, Space, SpecialReg, Value};

/// Sets `ValueInfo::uniform` of all values of a function.
pub(super) fn run(function: &mut Function) {
    let values = function.values.len();
    let mut walk = Walk {
        uniform: vec![true; values],
        function,
        open: Vec::new(),
        changed: true,
    };
    for param in &walk.function.params {
        walk.uniform[param.0 as usize] = false;
    }
    // Optimistic: from "all are uniform" down to what holds. Each round only takes away.
    while std::mem::take(&mut walk.changed) {
        walk.region(&walk.function.body, &[]);
        walk.open.clear();
    }
    let uniform = walk.uniform;
    for (info, uniform) in function.values.iter_mut().zip(uniform) {
        info.uniform = match info.def {
            Def::Node => uniform,
            Def::Undef => false,
            _ => true,
        };
    }
}

/// A construct around, for what its breaks and continues bring.
struct Open {
    label: Label,
    results: Vec<Value>,
    params: Vec<Value>,
}

struct Walk<'a> {
    function: &'a Function,
    uniform: Vec<bool>,
    open: Vec<Open>,
    changed: bool,
}

impl Walk<'_> {
    fn is(&self, value: Value) -> bool {
        match self.function.def(value) {
            Def::Node => self.uniform[value.0 as usize],
            Def::Undef => false,
            _ => true,
        }
    }

    fn vary(&mut self, values: &[Value]) {
        for value in values {
            if std::mem::replace(&mut self.uniform[value.0 as usize], false) {
                self.changed = true;
            }
        }
    }

    fn flow(&mut self, to: &[Value], from: &[Value]) {
        for (to, from) in to.iter().zip(from) {
            if !self.is(*from) {
                self.vary(&[*to]);
            }
        }
    }

    fn region(&mut self, region: &Region, results: &[Value]) {
        for node in &region.nodes {
            match node {
                Node::Inst(inst) => {
                    let same = match inst.op {
                        Op::Special(register) => {
                            matches!(
                                register,
                                SpecialReg::CtaidX | SpecialReg::CtaidY | SpecialReg::CtaidZ
                            )
                        }
                        Op::Load(access) => {
                            matches!(access.space, Space::Const | Space::Param) && self.is(inst.args[0])
                        }
                        // All threads of the block have the answer.
                        Op::Barrier(_) => true,
                        op => super::effects::pure(op) && inst.args.iter().all(|arg| self.is(*arg)),
                    };
                    if !same {
                        self.vary(&inst.results);
                    }
                }
                Node::If(choice) => {
                    let same = self.is(choice.cond);
                    if !same {
                        self.vary(&choice.results);
                        self.leaves(&choice.then);
                        self.leaves(&choice.els);
                    }
                    self.region(&choice.then, &choice.results);
                    self.region(&choice.els, &choice.results);
                }
                Node::Loop(repeat) => {
                    self.flow(&repeat.params, &repeat.init);
                    let open = Open {
                        label: repeat.label,
                        results: repeat.results.clone(),
                        params: repeat.params.clone(),
                    };
                    self.open.push(open);
                    self.region(&repeat.body, &repeat.results);
                    self.open.pop();
                }
                Node::Block(block) => {
                    let open = Open {
                        label: block.label,
                        results: block.results.clone(),
                        params: Vec::new(),
                    };
                    self.open.push(open);
                    self.region(&block.body, &block.results);
                    self.open.pop();
                }
            }
        }
        match &region.end {
            End::Yield(args) => self.flow(results, args),
            End::Break(label, args) | End::Continue(label, args) => {
                let again = matches!(region.end, End::Continue(..));
                let target = self.open.iter().rev().find(|open| open.label == *label);
                if let Some(to) = target.map(|open| {
                    if again {
                        open.params.clone()
                    } else {
                        open.results.clone()
                    }
                }) {
                    self.flow(&to, args);
                }
            }
            End::Return(_) | End::Unreachable => {}
        }
    }

    /// Threads leave a construct at different times from inside a choice that differs: what they
    /// bring differs, and in a loop everything that changes from turn to turn is not the same
    /// after it.
    fn leaves(&mut self, region: &Region) {
        for node in &region.nodes {
            for inner in node.regions() {
                self.leaves(inner);
            }
        }
        if let End::Break(label, _) | End::Continue(label, _) = &region.end
            && let Some(at) = self.open.iter().rposition(|open| open.label == *label)
        {
            // Everything between is left with it.
            for index in at..self.open.len() {
                let results = self.open[index].results.clone();
                self.vary(&results);
            }
        }
    }
}
