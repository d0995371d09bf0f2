//! Control-flow analyses for the passes: block order, dominators, loops, and divergent branches.
//!
//! An analysis is computed from a function and is invalid after a change of its blocks or edges.

pub(crate) mod cycles;
pub mod divergence;
pub mod dominators;
pub mod loops;

use super::{BlockId, Function};

/// The reachable blocks in reverse postorder, and their predecessors.
#[derive(Clone, Debug)]
pub struct Flow {
    /// The reachable blocks. Each precedes its successors, except along back edges.
    pub order: Vec<BlockId>,
    /// By block: its position in `order`, or `u32::MAX` if the block is unreachable.
    pub position: Vec<u32>,
    /// By block: the reachable predecessors, with a duplicate if both edges of a branch lead to the block.
    pub preds: Vec<Vec<BlockId>>,
}

impl Flow {
    /// The control flow of a function.
    pub fn of(function: &Function) -> Self {
        let num = function.blocks.len();
        let mut seen = vec![false; num];
        let mut order = Vec::with_capacity(num);
        // The stack of open blocks, each with its unvisited successors, the last one next.
        let mut open: Vec<(BlockId, Vec<BlockId>)> = Vec::new();
        let enter = |id: BlockId, seen: &mut Vec<bool>, open: &mut Vec<(BlockId, Vec<BlockId>)>| {
            if !std::mem::replace(&mut seen[id.idx()], true) {
                open.push((id, function.at(id).end.targets().collect()));
            }
        };
        enter(Function::ENTRY, &mut seen, &mut open);
        while let Some((id, targets)) = open.last_mut() {
            if let Some(next) = targets.pop() {
                enter(next, &mut seen, &mut open);
            } else {
                order.push(*id);
                open.pop();
            }
        }
        order.reverse();
        let mut position = vec![u32::MAX; num];
        let mut preds = vec![Vec::new(); num];
        for (at, id) in order.iter().enumerate() {
            position[id.idx()] = at as u32;
            for target in function.at(*id).end.targets() {
                preds[target.idx()].push(*id);
            }
        }
        Self {
            order,
            position,
            preds,
        }
    }

    /// Whether a block is reachable.
    pub fn is_reachable(&self, id: BlockId) -> bool {
        self.position[id.idx()] != u32::MAX
    }
}
