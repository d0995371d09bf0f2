//! What a loop computes anew in each turn from values that do not change moves in front of it.

use crate::cuda::ir::{Def, Function, Node, Op, Region, Value};

use super::effects;

/// Moves loop-invariant operations out of the loops of a function, inner loops first.
pub(super) fn run(function: &mut Function) {
    let mut depth = vec![0; function.values.len()];
    let mut body = std::mem::replace(&mut function.body, Region::empty(Vec::new()));
    let params = function.params.clone();
    params.iter().for_each(|param| depth[param.0 as usize] = 0);
    region(function, &mut body, 0, &mut depth);
    function.body = body;
}

/// `depth`: by value, the number of loops around its definition.
fn region(function: &Function, body: &mut Region, level: u32, depth: &mut Vec<u32>) {
    let mut out = Vec::with_capacity(body.nodes.len());
    for mut node in std::mem::take(&mut body.nodes) {
        let mark = |values: &[Value], depth: &mut Vec<u32>| {
            values.iter().for_each(|value| depth[value.0 as usize] = level);
        };
        match &mut node {
            Node::Inst(_) => {}
            Node::If(choice) => {
                region(function, &mut choice.then, level, depth);
                region(function, &mut choice.els, level, depth);
            }
            Node::Block(block) => region(function, &mut block.body, level, depth),
            Node::Loop(repeat) => {
                repeat
                    .params
                    .iter()
                    .for_each(|value| depth[value.0 as usize] = level + 1);
                region(function, &mut repeat.body, level + 1, depth);
                let inner = std::mem::take(&mut repeat.body.nodes);
                for node in inner {
                    let movable = match &node {
                        Node::Inst(inst) => {
                            movable(inst.op)
                                && inst.args.iter().all(|arg| {
                                    function.def(*arg) != Def::Node || depth[arg.0 as usize] <= level
                                })
                        }
                        _ => false,
                    };
                    if movable {
                        mark(node.results(), depth);
                        out.push(node);
                    } else {
                        repeat.body.nodes.push(node);
                    }
                }
            }
        }
        mark(node.results(), depth);
        out.push(node);
    }
    body.nodes = out;
}

fn movable(op: Op) -> bool {
    effects::pure(op) || (effects::mergeable(op) && matches!(op, Op::Load(_)))
}
