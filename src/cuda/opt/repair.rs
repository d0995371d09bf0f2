//! Single assignment is made whole again after blocks were copied: where a variable has several
//! definitions, every use gets the one that reaches it, through parameters where ways come together
//! (after Braun et al., "Simple and Efficient Construction of Static Single Assignment Form", 2013).

use std::collections::BTreeMap;

use crate::cuda::flow::Flow;
use crate::cuda::ir::{BlockId, Def, Function, Type, Value};

/// A variable with its definitions: one a block at most.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    /// By block, the value that the block defines.
    pub(super) definitions: BTreeMap<BlockId, Value>,
}

/// Gives each use of any of a variable's values, outside of the blocks that define them, the value
/// that reaches it.
pub(super) fn run(function: &mut Function, variables: &[Variable]) {
    if variables.is_empty() {
        return;
    }
    let flow = Flow::of(function);
    let mut of: BTreeMap<Value, usize> = BTreeMap::new();
    for (idx, variable) in variables.iter().enumerate() {
        for value in variable.definitions.values() {
            of.insert(*value, idx);
        }
    }
    let mut repair = Repair {
        function,
        flow: &flow,
        variables,
        at_start: BTreeMap::new(),
    };
    for id in &flow.order {
        let mut wanted = Vec::new();
        repair.function.at(*id).uses(&mut |value| {
            if let Some(variable) = of.get(&value)
                && !variables[*variable].definitions.contains_key(id)
            {
                wanted.push((value, *variable));
            }
        });
        let mut renamed: BTreeMap<Value, Value> = BTreeMap::new();
        for (value, variable) in wanted {
            let ty = repair.function.ty(value);
            let reaching = repair.at_start(variable, *id, ty);
            renamed.insert(value, reaching);
        }
        if !renamed.is_empty() {
            let block = repair.function.at_mut(*id);
            block.uses_mut(&mut |value| *value = renamed.get(value).copied().unwrap_or(*value));
        }
    }
}

struct Repair<'a> {
    function: &'a mut Function,
    flow: &'a Flow,
    variables: &'a [Variable],
    at_start: BTreeMap<(usize, BlockId), Value>,
}

impl Repair<'_> {
    fn at_end(&mut self, variable: usize, id: BlockId, ty: Type) -> Value {
        match self.variables[variable].definitions.get(&id) {
            Some(value) => *value,
            None => self.at_start(variable, id, ty),
        }
    }

    fn at_start(&mut self, variable: usize, id: BlockId, ty: Type) -> Value {
        if let Some(value) = self.at_start.get(&(variable, id)) {
            return *value;
        }
        // Up a row of blocks with one way in, without recursion.
        let mut row = vec![id];
        let value = loop {
            let top = row[row.len() - 1];
            let preds = &self.flow.preds[top.idx()];
            match preds[..] {
                [] => break self.function.leaf(ty, Def::Undef),
                [pred] => {
                    if let Some(value) = self.variables[variable].definitions.get(&pred) {
                        break *value;
                    }
                    if let Some(value) = self.at_start.get(&(variable, pred)) {
                        break *value;
                    }
                    row.push(pred);
                }
                _ => {
                    let param = self.function.value(ty);
                    self.function.at_mut(top).params.push(param);
                    self.at_start.insert((variable, top), param);
                    let mut done = Vec::new();
                    for pred in preds.clone() {
                        if done.contains(&pred) {
                            continue;
                        }
                        done.push(pred);
                        let value = self.at_end(variable, pred, ty);
                        for edge in self.function.at_mut(pred).end.edges_mut() {
                            if edge.to == top {
                                edge.args.push(value);
                            }
                        }
                    }
                    break param;
                }
            }
        };
        for block in row {
            self.at_start.insert((variable, block), value);
        }
        value
    }
}
