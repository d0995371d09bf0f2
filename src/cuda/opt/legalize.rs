//! Replaces accesses that machine code does not have: predicates stored in bytes, and stores of undefined
//! values.

use crate::ir::{Compare, Def, Function, Inst, Op, Type};

/// Rewrites the accesses of a function.
pub(super) fn run(function: &mut Function) {
    for idx in 0..function.blocks.len() {
        let insts = std::mem::take(&mut function.blocks[idx].insts);
        let mut out = Vec::with_capacity(insts.len());
        for mut inst in insts {
            access(function, &mut inst, &mut out);
            let stores_nothing = matches!(inst.op, Op::Store(store) if !store.volatile)
                && (inst.args[1..].iter()).all(|value| function.def(*value) == Def::Undef);
            if stores_nothing {
                continue;
            }
            let truth = match (inst.op, inst.results.first()) {
                (Op::Load(_), Some(value)) if function.ty(*value) == Type::I1 => *value,
                _ => {
                    out.push(inst);
                    continue;
                }
            };
            let byte = function.value(Type::I32);
            let zero = function.i32(0);
            inst.results[0] = byte;
            let compare = Inst {
                op: Op::ICmp {
                    cmp: Compare::Ne,
                    signed: false,
                },
                args: vec![byte, zero],
                results: vec![truth],
                span: inst.span,
            };
            out.push(inst);
            out.push(compare);
        }
        function.blocks[idx].insts = out;
    }
}

/// Converts stored predicates to bytes.
fn access(function: &mut Function, inst: &mut Inst, out: &mut Vec<Inst>) {
    if !matches!(inst.op, Op::Store(_)) {
        return;
    }
    for arg in &mut inst.args[1..] {
        if function.ty(*arg) == Type::I1 && function.def(*arg) != Def::Undef {
            let byte = function.value(Type::I32);
            let args = vec![*arg, function.i32(1), function.i32(0)];
            out.push(Inst {
                op: Op::Select,
                args,
                results: vec![byte],
                span: inst.span,
            });
            *arg = byte;
        }
    }
}
