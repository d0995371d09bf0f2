//! Copies of blocks, for passes that duplicate code.

use std::collections::BTreeMap;

use crate::ir::{BlockId, Function, Type, Value};

/// Values that these blocks define and other blocks use, with the defining blocks.
pub(super) fn used_outside(function: &Function, blocks: &[BlockId]) -> Vec<(Value, BlockId)> {
    let place = function.definitions(blocks);
    let mut found: BTreeMap<Value, BlockId> = BTreeMap::new();
    let mut inside = vec![false; function.blocks.len()];
    for id in blocks {
        inside[id.idx()] = true;
    }
    for (block, inside) in function.blocks.iter().zip(inside) {
        if inside {
            continue;
        }
        block.uses(&mut |value| {
            if let Some(block) = place[value.0 as usize] {
                found.insert(value, block);
            }
        });
    }
    found.into_iter().collect()
}

/// Copies of blocks, with new values for their definitions.
#[derive(Clone, Debug, Default)]
pub(super) struct Copies {
    values: BTreeMap<Value, Value>,
    blocks: BTreeMap<BlockId, BlockId>,
}

impl Copies {
    /// Copies these blocks; edges between them are redirected to the copies.
    pub(super) fn of(function: &mut Function, blocks: &[BlockId]) -> Self {
        let mut copy = Self::default();
        for id in blocks {
            let new = function.block();
            copy.blocks.insert(*id, new);
            let block = function.at(*id);
            let defined: Vec<Value> = block.defined().collect();
            for value in defined {
                let ty: Type = function.ty(value);
                let fresh = function.value(ty);
                function.values[fresh.0 as usize].relaxed = function.values[value.0 as usize].relaxed;
                copy.values.insert(value, fresh);
            }
        }
        for id in blocks {
            let mut block = function.at(*id).clone();
            block.uses_mut(&mut |value| *value = copy.value(*value));
            for param in &mut block.params {
                *param = copy.value(*param);
            }
            for inst in &mut block.insts {
                for result in &mut inst.results {
                    *result = copy.value(*result);
                }
            }
            for edge in block.end.edges_mut() {
                edge.to = copy.block(edge.to);
            }
            *function.at_mut(copy.block(*id)) = block;
        }
        copy
    }

    /// The value in the copy that corresponds to a value.
    pub(super) fn value(&self, value: Value) -> Value {
        self.values.get(&value).copied().unwrap_or(value)
    }

    /// The values in the copy that correspond to values.
    pub(super) fn values_of(&self, values: &[Value]) -> Vec<Value> {
        values.iter().map(|value| self.value(*value)).collect()
    }

    /// The copy of a block, or the block itself if it was not copied.
    pub(super) fn block(&self, id: BlockId) -> BlockId {
        self.blocks.get(&id).copied().unwrap_or(id)
    }
}
