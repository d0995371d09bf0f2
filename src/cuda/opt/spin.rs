//! Replaces additions of floating-point numbers in shared memory by the loops that nvcc emits: no chip adds them there in
//! one instruction. A loop reads the word, adds, and writes the sum if the word is still the same. Observed in nvcc's code
//! for 7.5 and 9.0, assumed equal from Maxwell on. Earlier chips lock the word instead, for every atomic operation.

use crate::ir::{
    Access, Atomic, Block, BlockId, Compare, Edge, End, Function, Inst, MemCache, MemWidth, Num, Op,
    Rounding, Space, Type, Unroll, Value,
};

/// Replaces the additions of a function.
pub(super) fn run(function: &mut Function) {
    let mut idx = 0;
    while idx < function.blocks.len() {
        let found = function.blocks[idx]
            .insts
            .iter()
            .position(|inst| is_addition(inst.op));
        if let Some(at) = found {
            expand(function, idx, at);
        }
        // The rest of a block that was split is a block at the end of the list.
        idx += 1;
    }
}

const fn is_addition(op: Op) -> bool {
    matches!(
        op,
        Op::Atom {
            space: Space::Shared,
            op: Atomic::Add,
            ty: Num::F32 | Num::F64,
            ..
        }
    )
}

/// Splits a block at an addition, and puts the loop in between.
fn expand(function: &mut Function, idx: usize, at: usize) {
    let block = &mut function.blocks[idx];
    let rest = block.insts.split_off(at + 1);
    let Some(atom) = block.insts.pop() else { return };
    let Op::Atom { ty, offset, .. } = atom.op else {
        return;
    };
    let [loops, after] = [0, 1].map(|more| BlockId((function.blocks.len() + more) as u32));
    let block = &mut function.blocks[idx];
    let span = atom.span;
    let end = std::mem::replace(&mut block.end, End::Jump(Edge::to(loops)));
    let old = atom.results.first().copied();
    let (insts, swapped) = attempt(function, &atom, ty, offset, old);
    function.blocks.push(Block {
        insts,
        end: End::Branch {
            cond: swapped,
            then: Edge::to(after),
            els: Edge::to(loops),
        },
        span,
        unroll: Unroll::Auto,
        params: Vec::new(),
    });
    let block_span = function.blocks[idx].span;
    function.blocks.push(Block {
        insts: rest,
        end,
        span: block_span,
        unroll: Unroll::Auto,
        params: Vec::new(),
    });
}

/// The body of the loop, and whether it succeeded.
fn attempt(
    function: &mut Function,
    atom: &Inst,
    ty: Num,
    offset: i32,
    old: Option<Value>,
) -> (Vec<Inst>, Value) {
    let (float, bits, width, number) = if matches!(ty, Num::F64) {
        (Type::F64, Type::I64, MemWidth::B64, Num::U64)
    } else {
        (Type::F32, Type::I32, MemWidth::B32, Num::U32)
    };
    let (address, addend) = (atom.args[0], atom.args[1]);
    let old = old.unwrap_or_else(|| function.value(float));
    let [sum, swapped] = [float, Type::I32].map(|ty| function.value(ty));
    let [old_bits, sum_bits] = [bits; 2].map(|ty| function.value(ty));
    let done = function.value(Type::I1);
    let one = function.i32(1);
    let inst = |op: Op, args: &[Value], result: Value| Inst {
        op,
        args: args.to_vec(),
        results: vec![result],
        span: atom.span,
    };
    let load = Access {
        space: Space::Shared,
        width,
        count: 1,
        volatile: false,
        cache: MemCache::Default,
        offset,
        invariant: false,
    };
    let swap = Op::Atom {
        space: Space::Shared,
        op: Atomic::Cast,
        ty: number,
        offset,
    };
    let equal = Op::ICmp {
        cmp: Compare::Eq,
        signed: false,
    };
    let insts = vec![
        inst(Op::Load(load), &[address], old),
        inst(Op::FAdd(Rounding::Rn), &[addend, old], sum),
        inst(Op::Bitcast, &[old], old_bits),
        inst(Op::Bitcast, &[sum], sum_bits),
        inst(swap, &[address, old_bits, sum_bits], swapped),
        inst(equal, &[swapped, one], done),
    ];
    (insts, done)
}
