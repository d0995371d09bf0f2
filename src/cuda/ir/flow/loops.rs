//! The loop forest: natural loops and their nesting.

use std::collections::BTreeSet;

use crate::ir::{BlockId, End, Function};

use super::Flow;
use super::dominators::Dominators;

/// The id of a loop: an index of [`Loops::list`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LoopId(pub u32);

/// A natural loop: a header, and all blocks that can reach a back edge without passing through the header.
#[derive(Clone, Debug)]
pub struct Loop {
    /// The header, the only entry of the loop.
    pub header: BlockId,
    /// The blocks in reverse postorder, including nested loops; the header is the first.
    pub blocks: Vec<BlockId>,
    /// The sources of the back edges.
    pub latches: Vec<BlockId>,
    /// The parent loop.
    pub parent: Option<LoopId>,
    /// The nesting depth, including this loop.
    pub depth: u32,
}

impl Loop {
    /// Ensures that the loop has a preheader: a single entry block whose only successor is the header. Returns the
    /// new block, if one is created.
    pub fn make_preheader(&self, function: &mut Function, flow: &Flow) -> Option<BlockId> {
        let latches: BTreeSet<BlockId> = self.latches.iter().copied().collect();
        let outside: Vec<BlockId> = (flow.preds[self.header.idx()].iter().copied())
            .filter(|pred| !latches.contains(pred))
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
    /// The loops. Outer loops precede inner loops.
    pub list: Vec<Loop>,
    /// By block: the innermost loop that contains it.
    innermost: Vec<Option<LoopId>>,
    /// Retreating edges to a block that does not dominate their source. Their cycles are not natural loops.
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
                    // Both edges of a branch can lead to the header.
                    if latches[target.idx()].last() != Some(id) {
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
        // Headers of outer loops precede those of inner loops in reverse postorder.
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

    /// The loop with an id.
    pub fn get(&self, id: LoopId) -> &Loop {
        &self.list[id.0 as usize]
    }

    /// The innermost loop that contains a block.
    pub fn innermost(&self, block: BlockId) -> Option<LoopId> {
        self.innermost.get(block.idx()).copied().flatten()
    }

    /// The loop depth of a block.
    pub fn depth(&self, block: BlockId) -> u32 {
        self.innermost(block).map_or(0, |id| self.get(id).depth)
    }

    /// Whether a block is in a loop, including nested loops.
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
