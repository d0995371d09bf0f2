//! Dominators of any rooted graph by the semi-NCA algorithm. Source: Georgiadis, "Linear-Time Algorithms for
//! Dominators and Related Problems" (2005). The users are: the dominators of the blocks of a function, its
//! postdominators (with reversed edges), and the graphs of the placement of reconvergence.

use crate::ir::{BlockId, End, Function};

use super::Flow;

/// A node outside the tree, which is unreachable from the root.
const NONE: u32 = u32::MAX;

/// A dominator tree.
#[derive(Clone, Debug)]
pub struct Dominators {
    /// By node: the immediate dominator; the root's is itself.
    idom: Vec<u32>,
    /// By node: the entry and exit times in a depth-first walk of the tree.
    enter: Vec<u32>,
    leave: Vec<u32>,
    /// Nodes in preorder of the tree, so that each follows its dominators.
    walk: Vec<u32>,
}

/// The immediate dominators, as positions in `order`, by position. The root's is itself; an unreachable node has
/// [`NONE`].
fn immediate(order: &[u32], position: &[u32], preds: &[Vec<u32>]) -> Vec<u32> {
    let num = order.len();
    let preds: Vec<Vec<u32>> = (order.iter())
        .map(|node| {
            let places = preds[*node as usize].iter().map(|pred| position[*pred as usize]);
            places.filter(|pred| *pred != NONE).collect()
        })
        .collect();
    let mut succs: Vec<Vec<u32>> = vec![Vec::new(); num];
    for (at, list) in preds.iter().enumerate() {
        for pred in list {
            succs[*pred as usize].push(at as u32);
        }
    }
    // Depth-first order with the search tree; from here on, numbers are indices into `found`.
    let mut found: Vec<u32> = Vec::with_capacity(num);
    let mut parent: Vec<u32> = Vec::with_capacity(num);
    let mut number = vec![NONE; num];
    let mut open: Vec<(u32, u32)> = if num == 0 { Vec::new() } else { vec![(0, 0)] };
    while let Some((at, from)) = open.pop() {
        if number[at as usize] != NONE {
            continue;
        }
        let own = found.len() as u32;
        number[at as usize] = own;
        found.push(at);
        parent.push(from);
        open.extend(succs[at as usize].iter().rev().map(|next| (*next, own)));
    }
    // Semidominators: the smallest number from which a path through greater numbers leads here.
    let mut semi: Vec<u32> = (0..found.len() as u32).collect();
    let mut forest = Forest::new(&semi, parent.clone());
    for own in (1..found.len()).rev() {
        let mut least = parent[own];
        for pred in &preds[found[own] as usize] {
            let pred = number[*pred as usize];
            if pred != NONE {
                least = least.min(forest.least(pred, own as u32));
            }
        }
        semi[own] = least;
        forest.label[own] = least;
    }
    // The nearest ancestor in the dominator tree whose number does not exceed the semidominator.
    let mut idom = parent;
    for own in 1..found.len() {
        while idom[own] > semi[own] {
            idom[own] = idom[idom[own] as usize];
        }
    }
    let mut out = vec![NONE; num];
    for (own, at) in found.iter().enumerate() {
        out[*at as usize] = found[idom[own] as usize];
    }
    out
}

/// The part of the search tree with known semidominators, with path compression.
struct Forest {
    ancestor: Vec<u32>,
    /// By node: the minimum semidominator on the compressed path, excluding the end of the path.
    label: Vec<u32>,
    path: Vec<u32>,
}

impl Forest {
    fn new(label: &[u32], parent: Vec<u32>) -> Self {
        Self {
            ancestor: parent,
            label: label.to_vec(),
            path: Vec::new(),
        }
    }

    /// The minimum semidominator from a node up to, but excluding, the first ancestor without a known semidominator,
    /// that is, with a number of at most `last`. Returns the node's own number if the node is such an ancestor.
    fn least(&mut self, node: u32, last: u32) -> u32 {
        if node <= last {
            return node;
        }
        let mut at = node;
        while self.ancestor[at as usize] > last {
            self.path.push(at);
            at = self.ancestor[at as usize];
        }
        while let Some(below) = self.path.pop() {
            let above = self.ancestor[below as usize] as usize;
            self.label[below as usize] = self.label[below as usize].min(self.label[above]);
            self.ancestor[below as usize] = self.ancestor[above];
        }
        self.label[node as usize]
    }
}

impl Dominators {
    /// Builds the tree of a graph. `order`: its reachable nodes in reverse postorder, the root first.
    pub fn new(num: usize, order: &[u32], preds: &[Vec<u32>]) -> Self {
        let mut position = vec![NONE; num];
        for (at, node) in order.iter().enumerate() {
            position[*node as usize] = at as u32;
        }
        let idom = immediate(order, &position, preds);
        let mut tree = Self {
            idom: vec![NONE; num],
            enter: vec![NONE; num],
            leave: vec![0; num],
            walk: Vec::with_capacity(order.len()),
        };
        let mut children: Vec<Vec<u32>> = vec![Vec::new(); order.len()];
        for (at, node) in order.iter().enumerate() {
            let parent = idom[at];
            tree.idom[*node as usize] = if parent == NONE {
                NONE
            } else {
                order[parent as usize]
            };
            if at > 0 && parent != NONE {
                children[parent as usize].push(at as u32);
            }
        }
        let mut clock = 0;
        let mut open = vec![(0_u32, 0_usize)];
        if order.is_empty() {
            open.clear();
        }
        while let Some((at, next)) = open.last_mut() {
            let node = order[*at as usize] as usize;
            if *next == 0 {
                tree.enter[node] = clock;
                tree.walk.push(node as u32);
                clock += 1;
            }
            if let Some(child) = children[*at as usize].get(*next) {
                *next += 1;
                open.push((*child, 0));
            } else {
                tree.leave[node] = clock;
                clock += 1;
                open.pop();
            }
        }
        tree
    }

    /// The dominators of a function's blocks.
    pub fn of(function: &Function, flow: &Flow) -> Self {
        let order: Vec<u32> = flow.order.iter().map(|id| id.0).collect();
        let preds: Vec<Vec<u32>> = (flow.preds.iter())
            .map(|list| list.iter().map(|id| id.0).collect())
            .collect();
        Self::new(function.blocks.len(), &order, &preds)
    }

    /// The postdominators of a function's blocks. An additional node after the last block represents the end of the
    /// function. If a part of the graph never reaches the end, one of its blocks is connected to the end.
    pub fn post(function: &Function, flow: &Flow) -> Self {
        let num = function.blocks.len();
        let end = num as u32;
        let mut succs: Vec<Vec<u32>> = vec![Vec::new(); num + 1];
        for id in &flow.order {
            let block = function.at(*id);
            succs[id.idx()] = block.end.targets().map(|target| target.0).collect();
            if matches!(block.end, End::Return(_) | End::Unreachable) {
                succs[id.idx()].push(end);
            }
        }
        loop {
            let mut preds: Vec<Vec<u32>> = vec![Vec::new(); num + 1];
            for (node, list) in succs.iter().enumerate() {
                for to in list {
                    preds[*to as usize].push(node as u32);
                }
            }
            let order = reverse_postorder_from(end, &preds);
            let mut reaches = vec![false; num + 1];
            for node in &order {
                reaches[*node as usize] = true;
            }
            match flow.order.iter().rev().find(|id| !reaches[id.idx()]) {
                Some(id) => succs[id.idx()].push(end),
                None => return Self::new(num + 1, &order, &succs),
            }
        }
    }

    /// The immediate dominator; `None` for the root and for unreachable nodes.
    pub fn idom(&self, node: u32) -> Option<u32> {
        let idom = self.idom[node as usize];
        (idom != NONE && idom != node).then_some(idom)
    }

    /// The immediate dominator of a block.
    pub fn parent(&self, id: BlockId) -> Option<BlockId> {
        self.idom(id.0).map(BlockId)
    }

    /// Whether `a` dominates `b`; true if they are the same.
    pub fn dominates(&self, a: u32, b: u32) -> bool {
        let (a, b) = (a as usize, b as usize);
        self.enter[a] != NONE
            && self.enter[b] != NONE
            && self.enter[a] <= self.enter[b]
            && self.leave[b] <= self.leave[a]
    }

    /// Nodes in an order in which each follows its dominators.
    pub fn walk(&self) -> &[u32] {
        &self.walk
    }

    /// By node: the dominance frontier. It consists of the successors of dominated nodes that the node does not
    /// strictly dominate.
    pub fn frontiers(&self, preds: &[Vec<BlockId>]) -> Vec<Vec<u32>> {
        let mut frontiers: Vec<Vec<u32>> = vec![Vec::new(); self.idom.len()];
        for (node, list) in preds.iter().enumerate() {
            if self.enter[node] == NONE || list.len() < 2 {
                continue;
            }
            for pred in list {
                let mut at = pred.0;
                while at != self.idom[node] {
                    let frontier = &mut frontiers[at as usize];
                    if frontier.last() != Some(&(node as u32)) {
                        frontier.push(node as u32);
                    }
                    if self.idom[at as usize] == at {
                        break;
                    }
                    at = self.idom[at as usize];
                }
            }
        }
        frontiers
    }
}

/// Reachable nodes, in reverse postorder.
pub fn reverse_postorder_from(root: u32, succs: &[Vec<u32>]) -> Vec<u32> {
    let mut seen = vec![false; succs.len()];
    let mut order = Vec::new();
    let mut open: Vec<(u32, usize)> = vec![(root, 0)];
    seen[root as usize] = true;
    while let Some((node, next)) = open.last_mut() {
        let list = &succs[*node as usize];
        // Push in reverse, so that the first successor comes first in the result.
        if let Some(to) = list.iter().rev().nth(*next) {
            *next += 1;
            let to = *to;
            if !std::mem::replace(&mut seen[to as usize], true) {
                open.push((to, 0));
            }
        } else {
            order.push(*node);
            open.pop();
        }
    }
    order.reverse();
    order
}
