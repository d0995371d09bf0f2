//! Reconvergence of diverged lanes.
//!
//! Lanes that diverge at a branch reconverge at the first block that all of them execute (the immediate
//! postdominator), and before it at the first block that several of the paths reach: lanes that bypass this
//! block leave the group. Lanes that leave a loop in different iterations reconverge after the loop. One
//! iteration of a loop is analyzed by itself: a lane that starts the next iteration is at the loop's last
//! block, so no lane waits for another one that continues to iterate. All lanes that reconverge at one block do
//! so through one *region*: from its start, which dominates the block, to the reconvergence point.
//!
//! From Volta on, a region has one of 16 convergence barriers (BSSY at the start, BSYNC at the reconvergence
//! point, BREAK where lanes leave the region); overlapping regions have different barriers. Before Volta, a
//! region has an entry of the reconvergence stack and a kind of token by which lanes find the entry: regions
//! whose entries can be above it when lanes go to it have other kinds. If barriers or kinds are exhausted,
//! reconvergence points that are not immediate postdominators are dropped first: their lanes reconverge later.

use std::collections::BTreeMap;

use super::shape::Shaped;
use crate::ir::flow::dominators::{Dominators, reverse_postorder_from};
use crate::ir::flow::loops::LoopId;
use crate::ir::{BlockId, End};
use engine::isa::Token;

/// Convergence barriers of a warp (B0 to B15).
const NUM_BARRIERS: u8 = 16;

/// How diverged lanes reconverge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meeting {
    Barrier(u8),
    Token(Token),
}

/// Lanes that are at the end of `start` together reconverge at the start of `meet`.
#[derive(Clone, Debug)]
pub(super) struct Region {
    pub(super) start: BlockId,
    pub(super) meet: BlockId,
    pub(super) meeting: Meeting,
    /// The blocks in between, in ascending order.
    inside: Vec<BlockId>,
    /// Whether all lanes that diverge at the start reconverge there.
    is_whole: bool,
    /// Whether the region is for lanes that leave a loop.
    is_exit: bool,
}

impl Region {
    /// Whether lanes at the end of a block are inside the region.
    pub(super) fn holds(&self, block: BlockId) -> bool {
        self.start == block || self.lies_between(block)
    }

    /// Whether a block is between the start and the reconvergence point.
    pub(super) fn lies_between(&self, block: BlockId) -> bool {
        self.inside.binary_search(&block).is_ok()
    }
}

/// All regions of a function, and the order of its blocks.
#[derive(Clone, Debug, Default)]
pub(super) struct Plan {
    /// Regions that start at the same block are ordered from outer to inner.
    regions: Vec<Region>,
    /// For each block, the regions that start there, end there, or contain it.
    at: Vec<Vec<u32>>,
    /// The block order: each block after its dominators, and a loop's blocks consecutive.
    pub(super) layout: Vec<BlockId>,
}

impl Plan {
    fn new(regions: Vec<Region>, layout: Vec<BlockId>, num_blocks: usize) -> Self {
        let mut at: Vec<Vec<u32>> = vec![Vec::new(); num_blocks];
        for (idx, region) in regions.iter().enumerate() {
            for block in region.inside.iter().chain([&region.start, &region.meet]) {
                let list = &mut at[block.idx()];
                if list.last() != Some(&(idx as u32)) {
                    list.push(idx as u32);
                }
            }
        }
        Self { regions, at, layout }
    }

    /// The regions that start at a block, end there, or contain it, outer ones first.
    pub(super) fn regions_at(&self, block: BlockId) -> impl Iterator<Item = &Region> {
        self.at[block.idx()]
            .iter()
            .map(|idx| &self.regions[*idx as usize])
    }

    /// Barriers that lanes can hold while they execute a block.
    pub(super) fn barriers_at(&self, block: BlockId) -> u16 {
        self.regions_at(block)
            .fold(0, |set, region| match region.meeting {
                Meeting::Barrier(number) => set | 1 << number,
                Meeting::Token(_) => set,
            })
    }
}

/// Places the reconvergence points of a function.
pub(super) fn plan(shaped: &Shaped, has_barriers: bool) -> Plan {
    let mut scopes = Scopes {
        shaped,
        found: BTreeMap::new(),
        layout: Vec::new(),
    };
    scopes.scope(None);
    let Scopes { found, layout, .. } = scopes;
    let mut position = vec![u32::MAX; shaped.function.blocks.len()];
    for (at, id) in layout.iter().enumerate() {
        position[id.idx()] = at as u32;
    }
    let mut regions: Vec<Region> = (found.into_iter())
        .map(|(meet, found)| Region {
            start: found.start,
            meet,
            meeting: Meeting::Barrier(0),
            inside: found.inside,
            is_whole: found.is_whole,
            is_exit: found.is_exit,
        })
        .collect();
    // Outer regions first: those that start earlier, and among those with the same start, those that end later.
    regions.sort_by_key(|region| {
        (
            position[region.start.idx()],
            std::cmp::Reverse(position[region.meet.idx()]),
        )
    });
    let regions = if has_barriers {
        with_barriers(regions, shaped.function.blocks.len())
    } else {
        with_tokens(regions, shaped)
    };
    Plan::new(regions, layout, shaped.function.blocks.len())
}

/// Assigns different barriers to overlapping regions.
fn with_barriers(regions: Vec<Region>, num_blocks: usize) -> Vec<Region> {
    let mut kept: Vec<Region> = Vec::with_capacity(regions.len());
    // The most important regions choose first.
    let mut order: Vec<usize> = (0..regions.len()).collect();
    order.sort_by_key(|idx| !regions[*idx].is_whole);
    let mut numbers: Vec<Option<u8>> = vec![None; regions.len()];
    // For each block: the barriers of regions that contain it, that start there, and that end there.
    let mut between = vec![0_u32; num_blocks];
    let mut starts = between.clone();
    let mut meets = between.clone();
    for idx in order {
        let region = &regions[idx];
        let (start, meet) = (region.start.idx(), region.meet.idx());
        let taken = region
            .inside
            .iter()
            .map(|block| between[block.idx()] | starts[block.idx()] | meets[block.idx()])
            .fold(between[start] | starts[start] | between[meet], |all, more| {
                all | more
            });
        let number = (!taken).trailing_zeros() as u8;
        // The last barrier is reserved for reconvergence inside an operation.
        if number < NUM_BARRIERS - 1 {
            numbers[idx] = Some(number);
            starts[start] |= 1 << number;
            meets[meet] |= 1 << number;
            for block in &region.inside {
                between[block.idx()] |= 1 << number;
            }
        }
    }
    for (mut region, number) in regions.into_iter().zip(numbers) {
        if let Some(number) = number {
            region.meeting = Meeting::Barrier(number);
            kept.push(region);
        }
    }
    kept
}

/// Assigns kinds of tokens to regions, so that lanes find the right stack entry.
fn with_tokens(regions: Vec<Region>, shaped: &Shaped) -> Vec<Region> {
    let mut regions = nested(regions);
    loop {
        match kinds(&regions, shaped) {
            Ok(tokens) => {
                for (region, token) in regions.iter_mut().zip(tokens) {
                    region.meeting = Meeting::Token(token);
                }
                return regions;
            }
            Err(given_up) => {
                regions.remove(given_up);
            }
        }
    }
}

/// Stack entries are popped in reverse order, so of two overlapping regions, one must contain the other.
fn nested(regions: Vec<Region>) -> Vec<Region> {
    let mut holders: BTreeMap<BlockId, Vec<usize>> = BTreeMap::new();
    for (idx, region) in regions.iter().enumerate() {
        for block in region.inside.iter().chain([&region.start]) {
            holders.entry(*block).or_default().push(idx);
        }
    }
    let mut wrong: Vec<(usize, usize)> = Vec::new();
    for (inner_idx, inner) in regions.iter().enumerate() {
        let outer = holders.get(&inner.start).into_iter().flatten().copied();
        wrong.extend(
            outer
                .filter(|outer| *outer < inner_idx)
                .filter(|outer| {
                    let outer = &regions[*outer];
                    inner.meet != outer.meet && !outer.lies_between(inner.meet)
                })
                .map(|outer| (outer, inner_idx)),
        );
    }
    wrong.sort_unstable();
    let mut is_kept = vec![true; regions.len()];
    for (outer, inner) in wrong {
        if is_kept[outer] && is_kept[inner] {
            let given_up = if regions[inner].is_whole && !regions[outer].is_whole {
                outer
            } else {
                inner
            };
            is_kept[given_up] = false;
        }
    }
    (regions.into_iter().zip(is_kept))
        .filter_map(|(region, is_kept)| is_kept.then_some(region))
        .collect()
}

/// Returns a kind for each region, or the best region to drop.
fn kinds(regions: &[Region], shaped: &Shaped) -> Result<Vec<Token>, usize> {
    // For each region: earlier regions that must have another kind.
    let mut rivals: Vec<Vec<usize>> = vec![Vec::new(); regions.len()];
    for (idx, above) in open_above(regions, shaped).into_iter().enumerate() {
        for other in above {
            rivals[idx.max(other)].push(idx.min(other));
        }
    }
    let mut tokens: Vec<Token> = Vec::with_capacity(regions.len());
    for (idx, region) in regions.iter().enumerate() {
        let natural = if region.is_exit { Token::Brk } else { Token::Ssy };
        let found = [natural, Token::Ssy, Token::Cont, Token::Brk, Token::Ret]
            .into_iter()
            .find(|token| rivals[idx].iter().all(|other| tokens[*other] != *token));
        if let Some(token) = found {
            tokens.push(token);
        } else {
            let finer = rivals[idx]
                .iter()
                .copied()
                .filter(|other| !regions[*other].is_whole);
            return Err(finer.max().filter(|_| region.is_whole).unwrap_or(idx));
        }
    }
    Ok(tokens)
}

/// For each region: other regions whose entries can be above its own when lanes go to its end.
fn open_above(regions: &[Region], shaped: &Shaped) -> Vec<Vec<usize>> {
    let num = shaped.function.blocks.len();
    let words = regions.len().div_ceil(64);
    let bit = |idx: usize| 1_u64 << (idx % 64);
    let mut begin: Vec<Vec<usize>> = vec![Vec::new(); num];
    let mut end: Vec<Vec<usize>> = vec![Vec::new(); num];
    for (idx, region) in regions.iter().enumerate() {
        begin[region.start.idx()].push(idx);
        end[region.meet.idx()].push(idx);
    }
    // For each block, the regions whose entries can be on the stack at its end.
    let mut open: Vec<Vec<u64>> = vec![vec![0; words]; num];
    let mut set = vec![0; words];
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for id in &shaped.flow.order {
            set.fill(0);
            for pred in &shaped.flow.preds[id.idx()] {
                for (slot, more) in set.iter_mut().zip(&open[pred.idx()]) {
                    *slot |= more;
                }
            }
            for idx in &end[id.idx()] {
                set[idx / 64] &= !bit(*idx);
            }
            for idx in &begin[id.idx()] {
                set[idx / 64] |= bit(*idx);
            }
            if set != open[id.idx()] {
                open[id.idx()].clone_from(&set);
                changed = true;
            }
        }
    }
    let mut above = vec![Vec::new(); regions.len()];
    for (idx, region) in regions.iter().enumerate() {
        for pred in &shaped.flow.preds[region.meet.idx()] {
            if !region.holds(*pred) {
                continue;
            }
            for (at, word) in open[pred.idx()].iter().enumerate() {
                let mut bits = *word;
                while bits != 0 {
                    let other = 64 * at + bits.trailing_zeros() as usize;
                    bits &= bits - 1;
                    let inner = &regions[other];
                    let pushed_later =
                        region.lies_between(inner.start) || (inner.start == region.start && other > idx);
                    if other != idx && pushed_later && !above[idx].contains(&other) {
                        above[idx].push(other);
                    }
                }
            }
        }
    }
    above
}

/// A region under construction.
struct Found {
    start: BlockId,
    /// In ascending order.
    inside: Vec<BlockId>,
    is_whole: bool,
    is_exit: bool,
}

/// A block, or a whole loop, in the graph of one iteration of the loop around it.
#[derive(Clone, Copy, PartialEq)]
enum Node {
    Block(BlockId),
    Loop(LoopId),
}

struct Scopes<'a> {
    shaped: &'a Shaped,
    found: BTreeMap<BlockId, Found>,
    layout: Vec<BlockId>,
}

/// One iteration of a loop, or the whole function, with the inner loops as nodes.
struct Scope {
    nodes: Vec<Node>,
    succs: Vec<Vec<u32>>,
    preds: Vec<Vec<u32>>,
    /// Nodes in topological order.
    order: Vec<u32>,
    /// The position of each node in that order.
    position: Vec<u32>,
    dominators: Dominators,
}

impl Scopes<'_> {
    /// Finds the reconvergence points of a loop iteration or of the function, and of the inner loops.
    fn scope(&mut self, this: Option<LoopId>) {
        let scope = self.graph(this);
        let sink = self.sink(this, &scope);
        let ends = postdominators(&scope, sink);
        for node in &scope.order {
            match scope.nodes[*node as usize] {
                Node::Block(id) => self.layout.push(id),
                Node::Loop(inner) => self.scope(Some(inner)),
            }
        }
        for node in &scope.order {
            self.meetings(&scope, *node, &ends);
        }
    }

    fn node_of(&self, this: Option<LoopId>, block: BlockId) -> Option<Node> {
        let loops = &self.shaped.loops;
        let mut at = loops.innermost(block);
        if at == this {
            return Some(Node::Block(block));
        }
        while let Some(inner) = at {
            let parent = loops.get(inner).parent;
            if parent == this {
                return Some(Node::Loop(inner));
            }
            at = parent;
        }
        None
    }

    fn graph(&self, this: Option<LoopId>) -> Scope {
        let (shaped, loops) = (self.shaped, &self.shaped.loops);
        let blocks: &[BlockId] = match this {
            Some(this) => &loops.get(this).blocks,
            None => &shaped.flow.order,
        };
        let header = blocks.first().copied();
        let mut nodes: Vec<Node> = Vec::new();
        let mut number_of_block: BTreeMap<BlockId, u32> = BTreeMap::new();
        let mut number_of_loop: BTreeMap<LoopId, u32> = BTreeMap::new();
        for id in blocks {
            match self.node_of(this, *id) {
                Some(Node::Loop(inner)) => {
                    number_of_loop.entry(inner).or_insert_with(|| {
                        nodes.push(Node::Loop(inner));
                        nodes.len() as u32 - 1
                    });
                    number_of_block.insert(*id, number_of_loop[&inner]);
                }
                Some(node) => {
                    number_of_block.insert(*id, nodes.len() as u32);
                    nodes.push(node);
                }
                None => {}
            }
        }
        let mut succs: Vec<Vec<u32>> = vec![Vec::new(); nodes.len()];
        let mut preds = succs.clone();
        for id in blocks {
            let Some(from) = number_of_block.get(id).copied() else {
                continue;
            };
            for target in shaped.function.at(*id).end.targets() {
                // The next iteration and the code outside are not part of this iteration.
                if this.is_some() && Some(target) == header {
                    continue;
                }
                let Some(to) = number_of_block.get(&target).copied() else {
                    continue;
                };
                if to != from && !succs[from as usize].contains(&to) {
                    succs[from as usize].push(to);
                    preds[to as usize].push(from);
                }
            }
        }
        let order = if nodes.is_empty() {
            Vec::new()
        } else {
            reverse_postorder_from(0, &succs)
        };
        let mut position = vec![u32::MAX; nodes.len()];
        for (at, node) in order.iter().enumerate() {
            position[*node as usize] = at as u32;
        }
        debug_assert!(
            (order.iter()).all(|node| {
                let later = |next: &u32| position[*next as usize] > position[*node as usize];
                succs[*node as usize].iter().all(later)
            }),
            "a cycle with several entries"
        );
        let dominators = Dominators::new(nodes.len(), &order, &preds);
        Scope {
            nodes,
            succs,
            preds,
            order,
            position,
            dominators,
        }
    }

    /// Where an iteration, or the function, ends unless it is left early.
    fn sink(&self, this: Option<LoopId>, scope: &Scope) -> Option<u32> {
        let function = &self.shaped.function;
        let is_end = |node: &Node| match (node, this) {
            (Node::Block(id), Some(this)) => self.shaped.loops.get(this).latches.contains(id),
            (Node::Block(id), None) => matches!(function.at(*id).end, End::Return(_)),
            (Node::Loop(_), _) => false,
        };
        scope
            .order
            .iter()
            .rev()
            .copied()
            .find(|node| is_end(&scope.nodes[*node as usize]))
    }

    /// The reconvergence points of the lanes that diverge at a node.
    fn meetings(&mut self, scope: &Scope, node: u32, ends: &Ends) {
        let divergence = &self.shaped.divergence;
        let (parts, is_exit) = match scope.nodes[node as usize] {
            Node::Block(id) => (divergence.divergent[id.idx()], false),
            Node::Loop(inner) => (divergence.leaves_apart[inner.0 as usize], true),
        };
        let ways = &scope.succs[node as usize];
        if !parts || ways.is_empty() {
            return;
        }
        let reaches = |node: &&u32| ends.reaches[**node as usize];
        let num_on = ways.iter().filter(reaches).count();
        let end = ends.nearest[node as usize].filter(|_| is_exit || num_on > 1);
        let first = if is_exit && (end.is_some() || ways.len() == 1) {
            (end.is_none() && ways.len() == 1).then(|| ways[0])
        } else {
            first_common(scope, ways, end)
        };
        if let Some(end) = end {
            self.region(scope, node, end, true, is_exit);
        }
        // Lanes that wait there for others that continue with the next iteration could wait forever.
        let waits = |first: &u32| ends.reaches[node as usize] && !ends.reaches[*first as usize];
        if let Some(first) = first.filter(|first| Some(*first) != end && !waits(first)) {
            self.region(scope, node, first, false, is_exit);
        }
    }

    /// Adds a region for lanes that diverge at one node and reconverge at another, or extends a region.
    fn region(&mut self, scope: &Scope, node: u32, meet: u32, is_whole: bool, is_exit: bool) {
        let meet_block = self.entry(scope, meet);
        // Lanes that exit there do not wait.
        if self.shaped.only_exits(meet_block) {
            return;
        }
        let node_block = self.entry(scope, node);
        let mut start = node;
        if let Some(found) = self.found.get_mut(&meet_block) {
            found.is_whole |= is_whole;
            if found.inside.binary_search(&node_block).is_ok() {
                return;
            }
            let Some(old) = scope
                .nodes
                .iter()
                .position(|node| *node == Node::Block(found.start))
            else {
                return;
            };
            start = common_dominator(scope, start, old as u32);
        }
        // The start must precede everything in between.
        let (start_block, inside) = loop {
            while let Node::Loop(_) = scope.nodes[start as usize] {
                match scope.dominators.idom(start) {
                    Some(above) => start = above,
                    // A loop at the very start of an iteration has no preceding block in this scope.
                    None => return,
                }
            }
            let between = between(scope, start, meet);
            let top = between
                .iter()
                .fold(start, |top, node| common_dominator(scope, top, *node));
            let top = common_dominator(scope, top, meet);
            if top == start || top == meet {
                let Node::Block(block) = scope.nodes[start as usize] else {
                    return;
                };
                break (block, between);
            }
            start = top;
        };
        let mut blocks: Vec<BlockId> = Vec::new();
        for node in inside {
            match scope.nodes[node as usize] {
                Node::Block(id) => blocks.push(id),
                Node::Loop(inner) => blocks.extend(&self.shaped.loops.get(inner).blocks),
            }
        }
        blocks.sort_unstable();
        let before = self.found.get(&meet_block);
        let found = Found {
            start: start_block,
            inside: blocks,
            is_whole: is_whole || before.is_some_and(|found| found.is_whole),
            is_exit: is_exit && before.is_none_or(|found| found.is_exit),
        };
        self.found.insert(meet_block, found);
    }

    /// The entry block of a node.
    fn entry(&self, scope: &Scope, node: u32) -> BlockId {
        match scope.nodes[node as usize] {
            Node::Block(id) => id,
            Node::Loop(inner) => self.shaped.loops.get(inner).header,
        }
    }
}

fn common_dominator(scope: &Scope, a: u32, b: u32) -> u32 {
    let mut at = a;
    while !scope.dominators.dominates(at, b) {
        match scope.dominators.idom(at) {
            Some(above) => at = above,
            None => break,
        }
    }
    at
}

/// The nodes on paths from one node to another, without both. A scope has no cycles, so all of them are between
/// the two in topological order.
fn between(scope: &Scope, start: u32, meet: u32) -> Vec<u32> {
    let place = |node: u32| scope.position[node as usize] as usize;
    let (first, last) = (place(start), place(meet));
    let Some(num) = last.checked_sub(first) else {
        return Vec::new();
    };
    let is_in = |marked: &[bool], node: &u32| {
        let at = place(*node).checked_sub(first);
        at.and_then(|at| marked.get(at)).is_some_and(|marked| *marked)
    };
    let mut ahead = vec![false; num + 1];
    ahead[0] = true;
    for at in 1..num {
        let preds = &scope.preds[scope.order[first + at] as usize];
        ahead[at] = preds.iter().any(|pred| is_in(&ahead, pred));
    }
    let mut behind = vec![false; num + 1];
    behind[num] = true;
    for at in (1..num).rev() {
        let succs = &scope.succs[scope.order[first + at] as usize];
        behind[at] = succs.iter().any(|succ| is_in(&behind, succ));
    }
    (1..num)
        .filter(|at| ahead[*at] && behind[*at])
        .map(|at| scope.order[first + at])
        .collect()
}

/// The first node, before `end`, that several of the paths reach.
fn first_common(scope: &Scope, ways: &[u32], end: Option<u32>) -> Option<u32> {
    let limit = end.map_or(u32::MAX, |end| scope.position[end as usize]);
    // For each node, the path that reached it.
    let mut reached: Vec<Option<usize>> = vec![None; scope.nodes.len()];
    let mut best: Option<u32> = None;
    for (way, first) in ways.iter().enumerate() {
        let mut work = vec![*first];
        while let Some(node) = work.pop() {
            let position = scope.position[node as usize];
            if position >= limit || best.is_some_and(|best| position >= scope.position[best as usize]) {
                continue;
            }
            match reached[node as usize] {
                Some(other) if other == way => continue,
                Some(_) => {
                    best = Some(node);
                    continue;
                }
                None => reached[node as usize] = Some(way),
            }
            work.extend(&scope.succs[node as usize]);
        }
    }
    best
}

/// Paths to the end of an iteration.
struct Ends {
    /// For each node, whether a path leads to the sink.
    reaches: Vec<bool>,
    /// For each node, the nearest other node on all paths to the sink.
    nearest: Vec<Option<u32>>,
}

fn postdominators(scope: &Scope, sink: Option<u32>) -> Ends {
    let num = scope.nodes.len();
    let mut ends = Ends {
        reaches: vec![false; num],
        nearest: vec![None; num],
    };
    let Some(sink) = sink else {
        return ends;
    };
    let order = reverse_postorder_from(sink, &scope.preds);
    let tree = Dominators::new(num, &order, &scope.succs);
    for node in order {
        ends.reaches[node as usize] = true;
        ends.nearest[node as usize] = tree.idom(node);
    }
    ends
}
