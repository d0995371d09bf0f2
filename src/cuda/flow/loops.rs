//! The forest of natural loops.

use crate::ir::{BlockId, End, Function};

use super::Flow;
use super::dominators::Dominators;

/// A loop of the function: an index of [`Loops::list`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LoopId(pub u32);

/// A natural loop: a header, and all blocks that come back to it without passing it.
#[derive(Clone, Debug)]
pub struct Loop {
    /// The block through which alone it is entered.
    pub header: BlockId,
    /// Its blocks in reverse postorder, those of loops inside among them; the header is the first.
    pub blocks: Vec<BlockId>,
    /// The blocks that lead back to the header.
    pub latches: Vec<BlockId>,
    /// The loop around it.
    pub parent: Option<LoopId>,
    /// Loops around it, itself among them.
    pub depth: u32,
}

impl Loop {
    /// Makes sure that the loop is entered from a block that leads nowhere else: the block that was made
    /// for it, if one was needed.
    pub fn make_preheader(&self, function: &mut Function, flow: &Flow) -> Option<BlockId> {
        let outside: Vec<BlockId> = (flow.preds[self.header.idx()].iter().copied())
            .filter(|pred| !self.latches.contains(pred))
            .collect();
        if let [pred] = outside[..]
            && matches!(function.at(pred).end, End::Jump(_))
        {
            return None;
        }
        Some(function.redirect_through(&outside, self.header))
    }
}

/// All loops of a function.
#[derive(Clone, Debug)]
pub struct Loops {
    /// Outer loops before those inside.
    pub list: Vec<Loop>,
    /// By block: the innermost loop that it is in.
    innermost: Vec<Option<LoopId>>,
    /// Edges that go back to a block that does not dominate where they start, so that their cycle is
    /// no natural loop.
    pub irreducible: Vec<(BlockId, BlockId)>,
}

impl Loops {
    /// The loops of a function.
    pub fn of(function: &Function, flow: &Flow, dominators: &Dominators) -> Self {
        let mut latches: Vec<Vec<BlockId>> = vec![Vec::new(); function.blocks.len()];
        let mut irreducible = Vec::new();
        for id in &flow.order {
            for target in function.at(*id).end.targets() {
                if flow.position[target.idx()] > flow.position[id.idx()] {
                    continue;
                }
                if dominators.dominates(target.0, id.0) {
                    if !latches[target.idx()].contains(id) {
                        latches[target.idx()].push(*id);
                    }
                } else {
                    irreducible.push((*id, target));
                }
            }
        }
        let mut loops = Self {
            list: Vec::new(),
            innermost: vec![None; function.blocks.len()],
            irreducible,
        };
        // Headers of outer loops come first in reverse postorder.
        for header in &flow.order {
            if latches[header.idx()].is_empty() {
                continue;
            }
            let id = LoopId(loops.list.len() as u32);
            let parent = loops.innermost[header.idx()];
            let mut blocks = vec![*header];
            let mut work = latches[header.idx()].clone();
            let mut seen = vec![false; function.blocks.len()];
            seen[header.idx()] = true;
            while let Some(block) = work.pop() {
                if std::mem::replace(&mut seen[block.idx()], true) {
                    continue;
                }
                blocks.push(block);
                work.extend(&flow.preds[block.idx()]);
            }
            blocks.sort_by_key(|block| flow.position[block.idx()]);
            for block in &blocks {
                loops.innermost[block.idx()] = Some(id);
            }
            let depth = parent.map_or(0, |parent: LoopId| loops.list[parent.0 as usize].depth) + 1;
            loops.list.push(Loop {
                header: *header,
                blocks,
                latches: std::mem::take(&mut latches[header.idx()]),
                parent,
                depth,
            });
        }
        loops
    }

    /// The loop of that id.
    pub fn get(&self, id: LoopId) -> &Loop {
        &self.list[id.0 as usize]
    }

    /// The innermost loop that a block is in.
    pub fn innermost(&self, block: BlockId) -> Option<LoopId> {
        self.innermost.get(block.idx()).copied().flatten()
    }

    /// How many loops are around a block.
    pub fn depth(&self, block: BlockId) -> u32 {
        self.innermost(block).map_or(0, |id| self.get(id).depth)
    }

    /// Whether a block is in a loop, or in one inside of it.
    pub fn contains(&self, id: LoopId, block: BlockId) -> bool {
        let mut at = self.innermost(block);
        while let Some(inner) = at {
            if inner == id {
                return true;
            }
            at = self.get(inner).parent;
        }
        false
    }
}
