//! Where diverged lanes meet again.
//!
//! Lanes that a branch parts meet at the first block that all of them pass (the immediate
//! postdominator), and before it at the first block to which several of the ways lead: the lanes that
//! pass it by leave the meeting. Lanes that leave a loop at different turns meet behind it. A turn of a
//! loop is looked at by itself: who starts the next turn is at its last block, so no lane waits for one
//! that is still going round. All lanes that meet at one block do so by one *region*: from its start,
//! which dominates it, to the meeting.
//!
//! From Volta on a region has a convergence barrier (BSSY at the start, BSYNC at the meeting, BREAK where
//! lanes leave it), 16 of which there are: regions that overlap have different ones. Before, it has an
//! entry of the reconvergence stack, and a kind of token by which lanes find it: regions whose entries
//! can lie above it when lanes go to it have other kinds. Where barriers or kinds run out, meetings that
//! are not immediate postdominators are given up first: their lanes meet later.

use std::collections::BTreeMap;

use super::shape::Shaped;
use crate::cuda::flow::dominators::{Dominators, postorder_from};
use crate::cuda::flow::loops::LoopId;
use crate::cuda::ir::{BlockId, End};
use crate::isa::Token;

/// Convergence barriers of a warp (B0 to B15).
const NUM_BARRIERS: u8 = 16;

/// How diverged lanes meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meeting {
    Barrier(u8),
    Token(Token),
}

/// Lanes that are at the end of `start` together meet at the start of `meet`.
#[derive(Clone, Debug)]
pub(super) struct Region {
    pub(super) start: BlockId,
    pub(super) meet: BlockId,
    pub(super) meeting: Meeting,
    /// By block: whether it lies between.
    inside: Vec<bool>,
    /// Whether all lanes that part there meet there.
    is_whole: bool,
    /// Whether it is for lanes that leave a loop.
    is_exit: bool,
}

impl Region {
    /// Whether lanes at the end of a block are on their way to the meeting.
    pub(super) fn holds(&self, block: BlockId) -> bool {
        self.start == block || self.inside[block.idx()]
    }

    /// Whether a block lies between the start and the meeting.
    pub(super) fn lies_between(&self, block: BlockId) -> bool {
        self.inside[block.idx()]
    }
}

/// All regions of a function, and the order of its blocks.
#[derive(Clone, Debug, Default)]
pub(super) struct Plan {
    /// Those that start at one block: outer ones first.
    pub(super) regions: Vec<Region>,
    /// Each block after those that dominate it, and a loop's blocks in a row.
    pub(super) layout: Vec<BlockId>,
}

impl Plan {
    /// Barriers that lanes can hold while they run a block.
    pub(super) fn barriers_at(&self, block: BlockId) -> u16 {
        (self.regions.iter())
            .filter(|region| region.holds(block) || region.meet == block)
            .fold(0, |set, region| match region.meeting {
                Meeting::Barrier(number) => set | 1 << number,
                Meeting::Token(_) => set,
            })
    }
}

/// Places the meetings of a function.
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
    // Outer ones first: those that start earlier, and of those at one block the ones that end later.
    regions.sort_by_key(|region| {
        (
            position[region.start.idx()],
            std::cmp::Reverse(position[region.meet.idx()]),
        )
    });
    let regions = if has_barriers {
        with_barriers(regions)
    } else {
        with_tokens(regions, shaped)
    };
    Plan { regions, layout }
}

/// Gives regions that overlap different barriers.
fn with_barriers(regions: Vec<Region>) -> Vec<Region> {
    let mut kept: Vec<Region> = Vec::with_capacity(regions.len());
    let overlap = |a: &Region, b: &Region| {
        let touches = |a: &Region, b: &Region| a.holds(b.start) || a.inside[b.meet.idx()];
        touches(a, b) || touches(b, a) || a.inside.iter().zip(&b.inside).any(|(x, y)| *x && *y)
    };
    // Those that matter most choose first.
    let mut order: Vec<usize> = (0..regions.len()).collect();
    order.sort_by_key(|idx| !regions[*idx].is_whole);
    let mut numbers: Vec<Option<u8>> = vec![None; regions.len()];
    for idx in order {
        let mut taken = 0_u32;
        for other in 0..regions.len() {
            if let Some(number) = numbers[other]
                && overlap(&regions[idx], &regions[other])
            {
                taken |= 1 << number;
            }
        }
        let number = (!taken).trailing_zeros() as u8;
        // The last one is for meetings inside of an operation.
        numbers[idx] = (number < NUM_BARRIERS - 1).then_some(number);
    }
    for (mut region, number) in regions.into_iter().zip(numbers) {
        if let Some(number) = number {
            region.meeting = Meeting::Barrier(number);
            kept.push(region);
        }
    }
    kept
}

/// Gives regions kinds of tokens, so that lanes find the entry they mean.
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

/// Entries of a stack go in the order in which they came, the other way round: of regions that overlap
/// one must lie in the other.
fn nested(mut regions: Vec<Region>) -> Vec<Region> {
    loop {
        let mut wrong = None;
        'pairs: for a in 0..regions.len() {
            for b in a + 1..regions.len() {
                let (outer, inner) = (&regions[a], &regions[b]);
                if !outer.holds(inner.start) {
                    continue;
                }
                let lies_inside = outer.inside[inner.meet.idx()] || inner.meet == outer.meet;
                if !lies_inside {
                    wrong = Some(if inner.is_whole && !outer.is_whole { a } else { b });
                    break 'pairs;
                }
            }
        }
        match wrong {
            Some(idx) => {
                regions.remove(idx);
            }
            None => return regions,
        }
    }
}

/// A kind for each region, or the region that is best given up.
fn kinds(regions: &[Region], shaped: &Shaped) -> Result<Vec<Token>, usize> {
    let above = open_above(regions, shaped);
    let mut tokens: Vec<Token> = Vec::with_capacity(regions.len());
    for (idx, region) in regions.iter().enumerate() {
        let natural = if region.is_exit { Token::Brk } else { Token::Ssy };
        let clashes = |token: Token| {
            tokens.iter().enumerate().any(|(other, taken)| {
                *taken == token && (above[idx].contains(&other) || above[other].contains(&idx))
            })
        };
        let found = [natural, Token::Ssy, Token::Cont, Token::Brk, Token::Ret]
            .into_iter()
            .find(|token| !clashes(*token));
        match found {
            Some(token) => tokens.push(token),
            None => {
                let rivals = |other: &usize| above[idx].contains(other) || above[*other].contains(&idx);
                let finer = (0..idx)
                    .rev()
                    .find(|other| rivals(other) && !regions[*other].is_whole);
                return Err(finer.filter(|_| region.is_whole).unwrap_or(idx));
            }
        }
    }
    Ok(tokens)
}

/// By region: the others whose entries can lie above its own where lanes go to its meeting.
fn open_above(regions: &[Region], shaped: &Shaped) -> Vec<Vec<usize>> {
    let function = &shaped.function;
    let num = function.blocks.len();
    // By block, the regions whose entries can be on the stack at its end.
    let mut open: Vec<Vec<bool>> = vec![vec![false; regions.len()]; num];
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for id in &shaped.flow.order {
            let mut set = vec![false; regions.len()];
            for pred in &shaped.flow.preds[id.idx()] {
                for (slot, is_open) in set.iter_mut().zip(&open[pred.idx()]) {
                    *slot |= *is_open;
                }
            }
            for (idx, region) in regions.iter().enumerate() {
                if region.meet == *id {
                    set[idx] = false;
                }
                if region.start == *id {
                    set[idx] = true;
                }
            }
            if set != open[id.idx()] {
                open[id.idx()] = set;
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
            for (other, is_open) in open[pred.idx()].iter().enumerate() {
                let inner = &regions[other];
                let pushed_later =
                    region.inside[inner.start.idx()] || (inner.start == region.start && other > idx);
                if *is_open && other != idx && pushed_later && !above[idx].contains(&other) {
                    above[idx].push(other);
                }
            }
        }
    }
    above
}

/// A region that is being found.
struct Found {
    start: BlockId,
    inside: Vec<bool>,
    is_whole: bool,
    is_exit: bool,
}

/// A block, or a loop as a whole, in the graph of one turn of the loop around it.
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

/// One turn of a loop, or the whole function, with the loops inside as nodes.
struct Scope {
    nodes: Vec<Node>,
    succs: Vec<Vec<u32>>,
    preds: Vec<Vec<u32>>,
    /// Nodes in topological order.
    order: Vec<u32>,
    /// By node: its place in that order.
    position: Vec<u32>,
    dominators: Dominators,
}

impl Scopes<'_> {
    /// Finds the meetings of a loop's turn, or of the function, and of the loops inside.
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
                // The next turn, and what is outside, are no part of this one.
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
            postorder_from(0, &succs)
        };
        let mut position = vec![u32::MAX; nodes.len()];
        for (at, node) in order.iter().enumerate() {
            position[*node as usize] = at as u32;
        }
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

    /// Where a turn, or the function, ends if nothing leaves it early.
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

    /// The meetings of the lanes that part at a node.
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
        // Lanes that wait there for others that go on to the next turn could wait for ever.
        let waits = |first: &u32| ends.reaches[node as usize] && !ends.reaches[*first as usize];
        if let Some(first) = first.filter(|first| Some(*first) != end && !waits(first)) {
            self.region(scope, node, first, false, is_exit);
        }
    }

    /// Lanes that part at a node meet at another: a new region, or a larger one.
    fn region(&mut self, scope: &Scope, node: u32, meet: u32, is_whole: bool, is_exit: bool) {
        let meet_block = self.entry(scope, meet);
        // Who ends there waits for nobody.
        if self.shaped.only_exits(meet_block) {
            return;
        }
        let node_idx = self.entry(scope, node).idx();
        let mut start = node;
        if let Some(found) = self.found.get_mut(&meet_block) {
            found.is_whole |= is_whole;
            if found.inside[node_idx] {
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
        // The start comes before all that lies between.
        let (start_block, inside) = loop {
            while let Node::Loop(_) = scope.nodes[start as usize] {
                match scope.dominators.idom(start) {
                    Some(above) => start = above,
                    // A loop at the very start of a turn has no block before it in this scope.
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
        let mut blocks = vec![false; self.shaped.function.blocks.len()];
        for node in inside {
            match scope.nodes[node as usize] {
                Node::Block(id) => blocks[id.idx()] = true,
                Node::Loop(inner) => {
                    for id in &self.shaped.loops.get(inner).blocks {
                        blocks[id.idx()] = true;
                    }
                }
            }
        }
        let before = self.found.get(&meet_block);
        let found = Found {
            start: start_block,
            inside: blocks,
            is_whole: is_whole || before.is_some_and(|found| found.is_whole),
            is_exit: is_exit && before.is_none_or(|found| found.is_exit),
        };
        self.found.insert(meet_block, found);
    }

    /// The block that a node is entered at.
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

/// The nodes on ways from one node to another, both left out.
fn between(scope: &Scope, start: u32, meet: u32) -> Vec<u32> {
    let num = scope.nodes.len();
    let mut ahead = vec![false; num];
    let mut work = vec![start];
    while let Some(node) = work.pop() {
        for next in &scope.succs[node as usize] {
            if *next != meet && !std::mem::replace(&mut ahead[*next as usize], true) {
                work.push(*next);
            }
        }
    }
    let mut behind = vec![false; num];
    let mut work = vec![meet];
    while let Some(node) = work.pop() {
        for before in &scope.preds[node as usize] {
            if *before != start && !std::mem::replace(&mut behind[*before as usize], true) {
                work.push(*before);
            }
        }
    }
    (0..num as u32)
        .filter(|node| ahead[*node as usize] && behind[*node as usize])
        .collect()
}

/// The first node, before `end`, to which several of the ways lead.
fn first_common(scope: &Scope, ways: &[u32], end: Option<u32>) -> Option<u32> {
    let limit = end.map_or(u32::MAX, |end| scope.position[end as usize]);
    let mut reached: BTreeMap<u32, usize> = BTreeMap::new();
    let mut best: Option<u32> = None;
    for (way, first) in ways.iter().enumerate() {
        let mut work = vec![*first];
        while let Some(node) = work.pop() {
            let position = scope.position[node as usize];
            if position >= limit || best.is_some_and(|best| position >= scope.position[best as usize]) {
                continue;
            }
            match reached.get(&node) {
                Some(other) if *other == way => continue,
                Some(_) => {
                    best = Some(node);
                    continue;
                }
                None => {
                    reached.insert(node, way);
                }
            }
            work.extend(&scope.succs[node as usize]);
        }
    }
    best
}

/// The way to the end of a turn.
struct Ends {
    /// By node: whether a way leads on to the sink.
    reaches: Vec<bool>,
    /// By node: the nearest other node that all ways pass which lead to the sink.
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
    let order = postorder_from(sink, &scope.preds);
    let tree = Dominators::new(num, &order, &scope.succs);
    for node in order {
        ends.reaches[node as usize] = true;
        ends.nearest[node as usize] = tree.idom(node);
    }
    ends
}
