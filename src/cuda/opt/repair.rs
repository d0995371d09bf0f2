//! Restores single assignment after blocks are copied. If a variable has several definitions, every use gets
//! the definition that reaches it, through block parameters where paths meet. These blocks are the iterated
//! dominance frontier of the definitions (Cytron et al., "Efficiently Computing Static Single Assignment Form
//! and the Control Dependence Graph", 1991); only those on a path to a use get a parameter.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::ir::flow::Flow;
use crate::ir::flow::dominators::Dominators;
use crate::ir::{BlockId, Def, Function, Type, Value};

/// A variable with its definitions: at most one per block.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    /// The value that each block defines.
    pub(super) definitions: BTreeMap<BlockId, Value>,
}

/// Gives each use of a variable's values, outside the blocks that define them, the value that reaches it.
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
    let dominators = Dominators::of(function, &flow);
    let frontiers = dominators.frontiers(&flow.preds);
    let mut joins: BTreeMap<Vec<BlockId>, Rc<BTreeSet<BlockId>>> = BTreeMap::new();
    let joins = variables
        .iter()
        .map(|variable| {
            let blocks: Vec<BlockId> = variable.definitions.keys().copied().collect();
            let known = joins.entry(blocks);
            known
                .or_insert_with_key(|blocks| Rc::new(joins_of(blocks, &frontiers)))
                .clone()
        })
        .collect();
    let mut repair = Repair {
        function,
        flow: &flow,
        dominators: &dominators,
        variables,
        joins,
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

/// The blocks where paths from different definitions meet.
fn joins_of(definitions: &[BlockId], frontiers: &[Vec<u32>]) -> BTreeSet<BlockId> {
    let mut joins = BTreeSet::new();
    let mut open = definitions.to_vec();
    while let Some(id) = open.pop() {
        for join in &frontiers[id.idx()] {
            if joins.insert(BlockId(*join)) {
                open.push(BlockId(*join));
            }
        }
    }
    joins
}

struct Repair<'a> {
    function: &'a mut Function,
    flow: &'a Flow,
    dominators: &'a Dominators,
    variables: &'a [Variable],
    /// For each variable, the blocks that can need a parameter.
    joins: Vec<Rc<BTreeSet<BlockId>>>,
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
        // Up the dominator tree, without recursion.
        let mut row = Vec::new();
        let mut at = id;
        let value = loop {
            if let Some(value) = self.at_start.get(&(variable, at)) {
                break *value;
            }
            row.push(at);
            if self.joins[variable].contains(&at) {
                break self.parameter(variable, at, ty);
            }
            match self.dominators.parent(at) {
                None => break self.function.leaf(ty, Def::Undef),
                Some(above) => {
                    if let Some(value) = self.variables[variable].definitions.get(&above) {
                        break *value;
                    }
                    at = above;
                }
            }
        };
        for block in row {
            self.at_start.insert((variable, block), value);
        }
        value
    }

    /// Creates the parameter of a block for the reaching value.
    fn parameter(&mut self, variable: usize, id: BlockId, ty: Type) -> Value {
        let param = self.function.value(ty);
        self.function.at_mut(id).params.push(param);
        self.at_start.insert((variable, id), param);
        let mut done = Vec::new();
        for pred in self.flow.preds[id.idx()].clone() {
            if done.contains(&pred) {
                continue;
            }
            done.push(pred);
            let value = self.at_end(variable, pred, ty);
            for edge in self.function.at_mut(pred).end.edges_mut() {
                if edge.to == id {
                    edge.args.push(value);
                }
            }
        }
        param
    }
}
