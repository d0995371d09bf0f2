//! What passes ask of a function's control flow: order of blocks, dominators, loops, and which
//! branches let the threads of a warp go different ways.
//!
//! An analysis is made from a function and is of no use once its blocks or edges have changed.

pub mod divergence;
pub mod dominators;
pub mod loops;

use super::ir::{BlockId, Function};

/// The reachable blocks in reverse postorder, and who leads to whom.
#[derive(Clone, Debug)]
pub struct Flow {
    /// Reachable blocks; each comes before those it leads to, but for the edges that close loops.
    pub order: Vec<BlockId>,
    /// By block: its position in `order`, or `u32::MAX` where nothing leads to it.
    pub position: Vec<u32>,
    /// By block: the reachable blocks that lead to it, one twice if both of its edges do.
    pub preds: Vec<Vec<BlockId>>,
}

impl Flow {
    /// The control flow of a function.
    pub fn of(function: &Function) -> Self {
        let num = function.blocks.len();
        let mut seen = vec![false; num];
        let mut order = Vec::with_capacity(num);
        // Blocks that are open, with the targets that are still to be gone to, the last of which is next.
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

    /// Whether something leads to a block.
    pub fn is_reachable(&self, id: BlockId) -> bool {
        self.position[id.idx()] != u32::MAX
    }
}
