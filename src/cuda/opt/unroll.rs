//! Loops whose number of turns is known are written out, turn by turn.

use std::collections::BTreeMap;

use crate::cuda::fold;
use crate::cuda::ir::{
    Access, Block, Def, End, Function, Inst, Label, Loop, Node, Op, Region, Space, Type, Unroll, Value,
};

use super::effects;

/// Turns that are tried out at most.
const MOST_TURNS: u32 = 4096;
/// Operations that a loop may grow to: where the source asks for it, and where it does not.
const ASKED_SIZE: usize = 24_000;
const AUTO_SIZE: usize = 640;
/// The same for loops that index local arrays, which become registers when written out.
const ARRAY_SIZE: usize = 6_000;

/// Unrolls the innermost loops that can be; whether any was.
pub(super) fn run(function: &mut Function) -> bool {
    let mut body = std::mem::replace(&mut function.body, Region::empty(Vec::new()));
    let any = region(function, &mut body);
    function.body = body;
    any
}

fn region(function: &mut Function, body: &mut Region) -> bool {
    let mut any = false;
    let mut out = Vec::with_capacity(body.nodes.len());
    for mut node in std::mem::take(&mut body.nodes) {
        let inner = match &mut node {
            Node::Inst(_) => false,
            Node::If(choice) => region(function, &mut choice.then) | region(function, &mut choice.els),
            Node::Loop(repeat) => region(function, &mut repeat.body),
            Node::Block(block) => region(function, &mut block.body),
        };
        any |= inner;
        match node {
            // What was unrolled inside is simplified first.
            Node::Loop(repeat) if !inner => match turns(function, &repeat) {
                Some(count) => {
                    any = true;
                    out.push(written_out(function, *repeat, count));
                }
                None => match known_turns(function, &repeat) {
                    // A long loop, in pieces.
                    Some(count) => match factor(&repeat, count) {
                        Some(factor) => {
                            any = true;
                            out.push(Node::Loop(Box::new(in_pieces(function, *repeat, factor))));
                        }
                        None => out.push(Node::Loop(repeat)),
                    },
                    None => out.push(Node::Loop(repeat)),
                },
            },
            node => out.push(node),
        }
    }
    body.nodes = out;
    any
}

/// In how many copies a long loop of a known number of turns is written out: as the source says, or
/// in fours where it is short.
fn factor(repeat: &Loop, turns: u32) -> Option<u32> {
    let size = repeat.body.size();
    let wanted = match repeat.unroll {
        Unroll::By(number) => number,
        Unroll::Auto | Unroll::Full if size * 4 <= AUTO_SIZE / 2 && !has_constructs(&repeat.body) => 4,
        Unroll::Auto | Unroll::Full => return None,
    };
    (wanted > 1 && wanted < turns && turns.is_multiple_of(wanted) && size * wanted as usize <= ASKED_SIZE)
        .then_some(wanted)
}

fn has_constructs(body: &Region) -> bool {
    let last = body.nodes.len().saturating_sub(1);
    body.nodes
        .iter()
        .take(last)
        .any(|node| !matches!(node, Node::Inst(_)))
}

/// The number of turns, if the loop shall be written out in full.
fn turns(function: &Function, repeat: &Loop) -> Option<u32> {
    if matches!(repeat.unroll, Unroll::By(1)) {
        return None;
    }
    let count = known_turns(function, repeat)?;
    if let Unroll::By(number) = repeat.unroll
        && count > number
    {
        return None;
    }
    let size = repeat.body.size().max(1);
    let limit = match repeat.unroll {
        Unroll::Full | Unroll::By(_) => ASKED_SIZE,
        Unroll::Auto if indexes_locals(function, &repeat.body) => ARRAY_SIZE,
        Unroll::Auto => AUTO_SIZE,
    };
    (size * count as usize <= limit).then_some(count)
}

/// Whether local memory is accessed at an address that the loop computes.
fn indexes_locals(function: &Function, body: &Region) -> bool {
    let mut found = false;
    body.insts(&mut |inst| {
        if let Op::Load(Access {
            space: Space::Local, ..
        })
        | Op::Store(Access {
            space: Space::Local, ..
        }) = inst.op
        {
            found |= function.def(inst.args[0]) == Def::Node;
        }
    });
    found
}

/// The last node of a loop's body where that decides on another turn: whether another turn comes
/// where the condition holds.
fn tail(repeat: &Loop) -> Option<(Value, bool)> {
    let Some(Node::If(choice)) = repeat.body.nodes.last() else {
        return None;
    };
    if !matches!(repeat.body.end, End::Yield(_)) || continues(&repeat.body, repeat.label) != 1 {
        return None;
    }
    let back = |region: &Region| matches!(&region.end, End::Continue(label, _) if *label == repeat.label);
    let ends = |region: &Region| matches!(&region.end, End::Yield(_));
    if back(&choice.then) && ends(&choice.els) {
        Some((choice.cond, true))
    } else if back(&choice.els) && ends(&choice.then) {
        Some((choice.cond, false))
    } else {
        None
    }
}

fn continues(region: &Region, label: Label) -> u32 {
    let own = u32::from(matches!(&region.end, End::Continue(to, _) if *to == label));
    own + region
        .nodes
        .iter()
        .flat_map(Node::regions)
        .map(|inner| continues(inner, label))
        .sum::<u32>()
}

/// The number of turns, found by trying them out on the variables that decide.
fn known_turns(function: &Function, repeat: &Loop) -> Option<u32> {
    let (cond, again_if) = tail(repeat)?;
    let Some(Node::If(choice)) = repeat.body.nodes.last() else {
        return None;
    };
    let back = if again_if { &choice.then } else { &choice.els };
    let End::Continue(_, next) = &back.end else {
        return None;
    };
    let mut defs = BTreeMap::new();
    for inst in repeat
        .body
        .nodes
        .iter()
        .chain(&back.nodes)
        .filter_map(|node| match node {
            Node::Inst(inst) => Some(inst),
            _ => None,
        })
    {
        if let [result] = inst.results[..]
            && effects::pure(inst.op)
        {
            defs.insert(result, inst);
        }
    }
    // The parameters that the condition comes from.
    let mut deciding = Vec::new();
    let mut order: Vec<&Inst> = Vec::new();
    let mut work = vec![cond];
    let mut seen = Vec::new();
    while let Some(value) = work.pop() {
        if seen.contains(&value) || function.const_bits(value).is_some() {
            continue;
        }
        seen.push(value);
        if seen.len() > 64 {
            return None;
        }
        if let Some(index) = repeat.params.iter().position(|param| *param == value) {
            function.const_bits(repeat.init[index])?;
            deciding.push(index);
            work.push(next[index]);
        } else {
            let inst = *defs.get(&value)?;
            order.push(inst);
            work.extend(&inst.args);
        }
    }
    // In the order of the body, so that operands come first.
    let place = |inst: &Inst| {
        let same = |node: &Node| matches!(node, Node::Inst(other) if other.results == inst.results);
        repeat.body.nodes.iter().position(same).unwrap_or(usize::MAX)
    };
    order.sort_by_key(|inst| place(inst));
    let mut known: BTreeMap<Value, u64> = BTreeMap::new();
    for index in &deciding {
        known.insert(repeat.params[*index], function.const_bits(repeat.init[*index])?);
    }
    let read = |known: &BTreeMap<Value, u64>, value: Value| {
        function.const_bits(value).or_else(|| known.get(&value).copied())
    };
    for turn in 1..=MOST_TURNS {
        for inst in &order {
            let args: Option<Vec<_>> = inst.args.iter().map(|arg| read(&known, *arg)).collect();
            let types: Vec<_> = inst.args.iter().map(|arg| function.ty(*arg)).collect();
            let result = inst.results[0];
            let bits = fold::eval(inst.op, function.ty(result), &types, &args?)?;
            known.insert(result, bits);
        }
        if (read(&known, cond)? != 0) != again_if {
            return Some(turn);
        }
        let moved: Option<Vec<_>> = deciding.iter().map(|index| read(&known, next[*index])).collect();
        for (index, bits) in deciding.iter().zip(moved?) {
            known.insert(repeat.params[*index], bits);
        }
    }
    None
}

/// All turns of a loop, one after the other.
fn written_out(function: &mut Function, repeat: Loop, count: u32) -> Node {
    let mut nodes = Vec::new();
    let mut args = repeat.init.clone();
    let mut end = End::Unreachable;
    for turn in 0..count {
        let last = turn + 1 == count;
        let (copied, outcome) = one_turn(function, &repeat, &args, last);
        nodes.extend(copied);
        match outcome {
            Outcome::Next(next) => args = next,
            Outcome::End(values) => end = End::Yield(values),
        }
    }
    Node::Block(Box::new(Block {
        label: repeat.label,
        body: Region { nodes, end },
        results: repeat.results,
        span: repeat.span,
    }))
}

enum Outcome {
    Next(Vec<Value>),
    End(Vec<Value>),
}

/// A copy of a loop's body without its last test: on to the next turn, or to the end.
fn one_turn(function: &mut Function, repeat: &Loop, args: &[Value], last: bool) -> (Vec<Node>, Outcome) {
    let mut copy = Copy {
        function,
        values: BTreeMap::new(),
        labels: BTreeMap::new(),
    };
    for (param, arg) in repeat.params.iter().zip(args) {
        copy.values.insert(*param, *arg);
    }
    let (before, tail) = repeat.body.nodes.split_at(repeat.body.nodes.len() - 1);
    let mut nodes: Vec<_> = before.iter().map(|node| copy.node(node)).collect();
    let Some(Node::If(choice)) = tail.first() else {
        return (nodes, Outcome::End(Vec::new()));
    };
    let back_is_then = matches!(&choice.then.end, End::Continue(label, _) if *label == repeat.label);
    let side = if back_is_then != last {
        &choice.then
    } else {
        &choice.els
    };
    nodes.extend(side.nodes.iter().map(|node| copy.node(node)));
    let passed = copy.values_of(side.end.args());
    if !last {
        return (nodes, Outcome::Next(passed));
    }
    for (result, value) in choice.results.iter().zip(passed) {
        copy.values.insert(*result, value);
    }
    let values = copy.values_of(repeat.body.end.args());
    (nodes, Outcome::End(values))
}

/// A loop whose body is `factor` turns; the number of turns is a multiple of it.
fn in_pieces(function: &mut Function, mut repeat: Loop, factor: u32) -> Loop {
    let mut nodes = Vec::new();
    let mut args = repeat.params.clone();
    for _ in 1..factor {
        let (copied, outcome) = one_turn(function, &repeat, &args, false);
        nodes.extend(copied);
        if let Outcome::Next(next) = outcome {
            args = next;
        }
    }
    let mut copy = Copy {
        function,
        values: BTreeMap::new(),
        labels: BTreeMap::new(),
    };
    for (param, arg) in repeat.params.iter().zip(&args) {
        copy.values.insert(*param, *arg);
    }
    let body = copy.region(&repeat.body);
    nodes.extend(body.nodes);
    repeat.body = Region { nodes, end: body.end };
    repeat.unroll = Unroll::By(1);
    repeat
}

/// Copies nodes with new values and labels for what they define.
struct Copy<'a> {
    function: &'a mut Function,
    values: BTreeMap<Value, Value>,
    labels: BTreeMap<Label, Label>,
}

impl Copy<'_> {
    fn value(&self, value: Value) -> Value {
        self.values.get(&value).copied().unwrap_or(value)
    }

    fn values_of(&self, values: &[Value]) -> Vec<Value> {
        values.iter().map(|value| self.value(*value)).collect()
    }

    fn define(&mut self, values: &[Value]) -> Vec<Value> {
        let mut fresh = Vec::with_capacity(values.len());
        for value in values {
            let ty: Type = self.function.ty(*value);
            let new = self.function.value(ty);
            self.function.values[new.0 as usize].relaxed = self.function.values[value.0 as usize].relaxed;
            self.values.insert(*value, new);
            fresh.push(new);
        }
        fresh
    }

    fn label(&mut self, label: Label) -> Label {
        let new = self.function.label();
        self.labels.insert(label, new);
        new
    }

    fn region(&mut self, region: &Region) -> Region {
        let nodes = region.nodes.iter().map(|node| self.node(node)).collect();
        let label = |this: &Self, label: &Label| this.labels.get(label).copied().unwrap_or(*label);
        let end = match &region.end {
            End::Yield(args) => End::Yield(self.values_of(args)),
            End::Break(to, args) => End::Break(label(self, to), self.values_of(args)),
            End::Continue(to, args) => End::Continue(label(self, to), self.values_of(args)),
            End::Return(args) => End::Return(self.values_of(args)),
            End::Unreachable => End::Unreachable,
        };
        Region { nodes, end }
    }

    fn node(&mut self, node: &Node) -> Node {
        match node {
            Node::Inst(inst) => {
                let args = self.values_of(&inst.args);
                let results = self.define(&inst.results);
                Node::Inst(Inst {
                    op: inst.op,
                    args,
                    results,
                    span: inst.span,
                })
            }
            Node::If(choice) => {
                let mut copy = (**choice).clone();
                copy.cond = self.value(choice.cond);
                copy.then = self.region(&choice.then);
                copy.els = self.region(&choice.els);
                copy.results = self.define(&choice.results);
                Node::If(Box::new(copy))
            }
            Node::Loop(repeat) => {
                let init = self.values_of(&repeat.init);
                let label = self.label(repeat.label);
                let params = self.define(&repeat.params);
                let body = self.region(&repeat.body);
                let results = self.define(&repeat.results);
                let (unroll, span) = (repeat.unroll, repeat.span);
                Node::Loop(Box::new(Loop {
                    label,
                    params,
                    init,
                    body,
                    results,
                    unroll,
                    span,
                }))
            }
            Node::Block(block) => {
                let label = self.label(block.label);
                let body = self.region(&block.body);
                let results = self.define(&block.results);
                Node::Block(Box::new(Block {
                    label,
                    body,
                    results,
                    span: block.span,
                }))
            }
        }
    }
}
