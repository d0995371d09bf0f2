//! What both sides of a choice do alike is done once: computations and loads before it, stores
//! after it.

use std::collections::BTreeMap;

use crate::cuda::ir::{Def, End, Function, If, Inst, Node, Op, Region, Value};

use super::effects;

/// Moves common work out of the choices of a function.
pub(super) fn run(function: &mut Function) {
    let mut body = std::mem::replace(&mut function.body, Region::empty(Vec::new()));
    let mut inside = vec![false; function.values.len()];
    region(function, &mut body, &mut inside);
    function.body = body;
}

fn region(function: &mut Function, body: &mut Region, inside: &mut Vec<bool>) {
    let nodes = std::mem::take(&mut body.nodes);
    let mut out: Vec<Node> = Vec::with_capacity(nodes.len());
    let mut rest = nodes.into_iter().collect::<std::collections::VecDeque<_>>();
    while let Some(mut node) = rest.pop_front() {
        let mut after = Vec::new();
        match &mut node {
            Node::Inst(_) => {}
            Node::If(choice) => {
                region(function, &mut choice.then, inside);
                region(function, &mut choice.els, inside);
                anticipate(function, choice, &mut rest, &mut out);
                hoist(function, choice, &mut out, inside);
                while let Some(store) = sink(function, choice) {
                    after.insert(0, Node::Inst(store));
                }
            }
            Node::Loop(repeat) => region(function, &mut repeat.body, inside),
            Node::Block(block) => region(function, &mut block.body, inside),
        }
        out.push(node);
        out.extend(after);
    }
    body.nodes = out;
}

/// Marks what a region defines.
fn mark(body: &Region, inside: &mut Vec<bool>, defined: bool) {
    for node in &body.nodes {
        for result in node.results() {
            if inside.len() <= result.0 as usize {
                inside.resize(result.0 as usize + 1, false);
            }
            inside[result.0 as usize] = defined;
        }
        if let Node::Loop(repeat) = node {
            for param in &repeat.params {
                if inside.len() <= param.0 as usize {
                    inside.resize(param.0 as usize + 1, false);
                }
                inside[param.0 as usize] = defined;
            }
        }
        node.regions().for_each(|inner| mark(inner, inside, defined));
    }
}

fn rename(body: &mut Region, from: &[Value], to: &[Value]) {
    body.uses_mut(&mut |value| {
        if let Some(index) = from.iter().position(|old| old == value) {
            *value = to[index];
        }
    });
}

/// Pure operations that stand in both sides move in front of the choice.
fn hoist(function: &Function, choice: &mut If, out: &mut Vec<Node>, inside: &mut Vec<bool>) {
    if choice.then.nodes.is_empty() || choice.els.nodes.is_empty() {
        return;
    }
    mark(&choice.then, inside, true);
    mark(&choice.els, inside, true);
    loop {
        let mut seen: BTreeMap<(Op, &[Value]), usize> = BTreeMap::new();
        let movable = |inst: &Inst| {
            effects::pure(inst.op)
                && inst.args.iter().all(|arg| {
                    function.def(*arg) != Def::Node || !inside.get(arg.0 as usize).copied().unwrap_or(false)
                })
        };
        for (index, node) in choice.then.nodes.iter().enumerate() {
            if let Node::Inst(inst) = node
                && movable(inst)
            {
                seen.insert((inst.op, &inst.args[..]), index);
            }
        }
        let pair = choice
            .els
            .nodes
            .iter()
            .enumerate()
            .find_map(|(index, node)| match node {
                Node::Inst(inst) if movable(inst) => {
                    let other = *seen.get(&(inst.op, &inst.args[..]))?;
                    let Node::Inst(first) = &choice.then.nodes[other] else {
                        return None;
                    };
                    let types = |inst: &Inst| {
                        inst.results
                            .iter()
                            .map(|value| function.ty(*value))
                            .collect::<Vec<_>>()
                    };
                    (types(first) == types(inst)).then_some((other, index))
                }
                _ => None,
            });
        let Some((first, second)) = pair else { break };
        let kept = choice.then.nodes.remove(first);
        let dropped = choice.els.nodes.remove(second);
        for result in kept.results() {
            inside[result.0 as usize] = false;
        }
        let (from, to) = (dropped.results().to_vec(), kept.results().to_vec());
        rename(&mut choice.els, &from, &to);
        out.push(kept);
    }
    mark(&choice.then, inside, false);
    mark(&choice.els, inside, false);
}

/// The last operation of both sides where it is a store to one place: it is done once, after the
/// choice, with the value that the side gives.
fn sink(function: &mut Function, choice: &mut If) -> Option<Inst> {
    let last = |region: &Region| match (region.nodes.last(), &region.end) {
        (Some(Node::Inst(inst)), End::Yield(_)) => Some(inst.clone()),
        _ => None,
    };
    let (then, els) = (last(&choice.then)?, last(&choice.els)?);
    let Op::Store(access) = then.op else { return None };
    let types =
        |inst: &Inst, function: &Function| inst.args.iter().map(|arg| function.ty(*arg)).collect::<Vec<_>>();
    if access.volatile
        || els.op != then.op
        || els.args[0] != then.args[0]
        || types(&then, function) != types(&els, function)
    {
        return None;
    }
    choice.then.nodes.pop();
    choice.els.nodes.pop();
    let mut args = vec![then.args[0]];
    for (a, b) in then.args[1..].iter().zip(&els.args[1..]) {
        if a == b {
            args.push(*a);
            continue;
        }
        let result = function.value(function.ty(*a));
        if let (End::Yield(yes), End::Yield(no)) = (&mut choice.then.end, &mut choice.els.end) {
            yes.push(*a);
            no.push(*b);
        }
        choice.results.push(result);
        args.push(result);
    }
    // The choice as a whole stands for it.
    Some(Inst {
        op: then.op,
        args,
        results: Vec::new(),
        span: choice.span,
    })
}

/// A load that follows the choice in any case, and that one side makes too, moves in front of it.
fn anticipate(
    function: &Function,
    choice: &mut If,
    rest: &mut std::collections::VecDeque<Node>,
    out: &mut Vec<Node>,
) {
    let falls = |region: &Region| matches!(region.end, End::Yield(_));
    if !falls(&choice.then) || !falls(&choice.els) {
        return;
    }
    // Neither side may change memory.
    let mut quiet = true;
    let mut check = |inst: &Inst| quiet &= !effects::clobbers(inst.op);
    choice.then.insts(&mut check);
    choice.els.insts(&mut check);
    if !quiet {
        return;
    }
    let mut at = 0;
    let mut defined = choice.results.clone();
    while let Some(Node::Inst(inst)) = rest.get(at) {
        if effects::clobbers(inst.op) {
            return;
        }
        let same =
            |node: &Node| matches!(node, Node::Inst(other) if other.op == inst.op && other.args == inst.args);
        let early = matches!(inst.op, Op::Load(access) if !access.volatile)
            && !inst.args.iter().any(|arg| defined.contains(arg))
            && inst.results.len() == 1;
        let side = early
            .then(|| {
                [&choice.then, &choice.els]
                    .iter()
                    .position(|side| side.nodes.iter().any(same))
            })
            .flatten();
        let Some(side) = side else {
            defined.extend(&inst.results);
            at += 1;
            continue;
        };
        let side = if side == 0 {
            &mut choice.then
        } else {
            &mut choice.els
        };
        let Some(position) = side.nodes.iter().position(same) else {
            return;
        };
        let dropped = side.nodes.remove(position);
        let Some(moved) = rest.remove(at) else { return };
        let types = |node: &Node| {
            node.results()
                .iter()
                .map(|value| function.ty(*value))
                .collect::<Vec<_>>()
        };
        if types(&dropped) == types(&moved) {
            let (from, to) = (dropped.results().to_vec(), moved.results().to_vec());
            rename(side, &from, &to);
            out.push(moved);
        } else {
            side.nodes.insert(position, dropped);
            rest.insert(at, moved);
            return;
        }
    }
}
