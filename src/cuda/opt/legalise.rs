//! Leaves of memory that machine code does not have: truth values in bytes, and stores of nothing.

use crate::cuda::ir::{Compare, Def, Function, Inst, Node, Op, Region, Type};

/// Rewrites the accesses of a function.
pub(super) fn run(function: &mut Function) {
    let mut body = std::mem::replace(&mut function.body, Region::empty(Vec::new()));
    region(function, &mut body);
    function.body = body;
}

fn region(function: &mut Function, body: &mut Region) {
    let mut out = Vec::with_capacity(body.nodes.len());
    for mut node in std::mem::take(&mut body.nodes) {
        match &mut node {
            Node::Inst(inst) => {
                access(function, inst, &mut out);
                if let Op::Store(store) = inst.op
                    && !store.volatile
                    && inst.args[1..]
                        .iter()
                        .all(|value| function.def(*value) == Def::Undef)
                {
                    continue;
                }
                let loaded = match inst.op {
                    Op::Load(_) => inst
                        .results
                        .first()
                        .copied()
                        .filter(|value| function.ty(*value) == Type::I1),
                    _ => None,
                };
                if let Some(truth) = loaded {
                    let byte = function.value(Type::I32);
                    inst.results[0] = byte;
                    let zero = function.i32(0);
                    let compare = Inst {
                        op: Op::ICmp {
                            cmp: Compare::Ne,
                            signed: false,
                        },
                        args: vec![byte, zero],
                        results: vec![truth],
                        span: inst.span,
                    };
                    out.push(node);
                    out.push(Node::Inst(compare));
                    continue;
                }
            }
            Node::If(choice) => {
                region(function, &mut choice.then);
                region(function, &mut choice.els);
            }
            Node::Loop(repeat) => region(function, &mut repeat.body),
            Node::Block(block) => region(function, &mut block.body),
        }
        out.push(node);
    }
    body.nodes = out;
}

/// Stored truth values become bytes.
fn access(function: &mut Function, inst: &mut Inst, out: &mut Vec<Node>) {
    if !matches!(inst.op, Op::Store(_)) {
        return;
    }
    for arg in &mut inst.args[1..] {
        if function.ty(*arg) == Type::I1 && function.def(*arg) != Def::Undef {
            let byte = function.value(Type::I32);
            let args = vec![*arg, function.i32(1), function.i32(0)];
            out.push(Node::Inst(Inst {
                op: Op::Select,
                args,
                results: vec![byte],
                span: inst.span,
            }));
            *arg = byte;
        }
    }
}
