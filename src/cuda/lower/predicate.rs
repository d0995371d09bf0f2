//! Replaces branches with short sides by predicated instructions.

use std::collections::BTreeMap;

use super::shape::Predicated;
use super::target::Target;
use crate::ir::flow::Flow;
use crate::ir::{BlockId, Edge, End, Function, Inst, Op, Type, Value};
use engine::arch::Generation;

/// One side of a branch: its block, unless the edge leads directly to the common block.
struct Side {
    block: Option<BlockId>,
    on: Edge,
    cost: u32,
}

/// Removes branches with short sides from the graph; the branching block then continues where the sides meet.
pub(super) fn run(
    function: &mut Function,
    is_kernel: bool,
    target: &Target,
) -> BTreeMap<BlockId, Predicated> {
    let flow = Flow::of(function);
    let mut preds: Vec<usize> = flow.preds.iter().map(Vec::len).collect();
    let mut found = BTreeMap::new();
    for id in flow.order.iter().rev() {
        let End::Branch { cond, then, els } = &function.at(*id).end else {
            continue;
        };
        if function.const_bits(*cond).is_some() {
            continue;
        }
        let cond = *cond;
        let Some((then, els)) = sides(function, then, els, &preds, target, &found) else {
            continue;
        };
        let divergent = !function.is_uniform(cond) || !target.is(Generation::Tesla);
        if then.on.to == *id || !is_short(&then, &els, target.predication_limit(divergent)) {
            continue;
        }
        // At the end of a kernel, an early exit is equally short.
        let join = function.at(then.on.to);
        let ends = is_kernel && join.insts.is_empty() && matches!(join.end, End::Return(_));
        if ends && (then.cost == 0 || els.cost == 0) {
            continue;
        }
        let predicated = take_out(function, *id, cond, then, els, &mut preds);
        found.insert(*id, predicated);
    }
    found
}

fn sides(
    function: &Function,
    then: &Edge,
    els: &Edge,
    preds: &[usize],
    target: &Target,
    found: &BTreeMap<BlockId, Predicated>,
) -> Option<(Side, Side)> {
    let through = |edge: &Edge| -> Option<Side> {
        let block = function.at(edge.to);
        let End::Jump(on) = &block.end else { return None };
        if preds[edge.to.idx()] != 1 || !block.params.is_empty() || found.contains_key(&edge.to) {
            return None;
        }
        let mut sum = 0;
        for inst in &block.insts {
            sum += cost(function, inst, target)?;
        }
        Some(Side {
            block: Some(edge.to),
            on: on.clone(),
            cost: sum,
        })
    };
    let direct = |edge: &Edge| Side {
        block: None,
        on: edge.clone(),
        cost: 0,
    };
    for (a, b) in [
        (through(then), through(els)),
        (through(then), Some(direct(els))),
        (Some(direct(then)), through(els)),
        (Some(direct(then)), Some(direct(els))),
    ] {
        if let (Some(a), Some(b)) = (a, b)
            && a.on.to == b.on.to
        {
            return Some((a, b));
        }
    }
    None
}

fn is_short(then: &Side, els: &Side, limit: u32) -> bool {
    then.cost <= limit && els.cost <= limit && then.cost + els.cost <= limit + 4
}

fn take_out(
    function: &mut Function,
    id: BlockId,
    cond: Value,
    then: Side,
    els: Side,
    preds: &mut [usize],
) -> Predicated {
    let mut take = |side: &Side| {
        side.block.map_or_else(Vec::new, |block| {
            preds[block.idx()] = 0;
            std::mem::take(function.at_mut(block)).insts
        })
    };
    let (then_insts, els_insts) = (take(&then), take(&els));
    preds[then.on.to.idx()] -= 1;
    let mut predicated = Predicated {
        cond,
        then: then_insts,
        els: els_insts,
        results: Vec::new(),
        then_args: Vec::new(),
        els_args: Vec::new(),
    };
    let mut args = Vec::with_capacity(then.on.args.len());
    for (a, b) in then.on.args.iter().zip(&els.on.args) {
        if a == b {
            args.push(*a);
            continue;
        }
        let result = function.value(function.ty(*a));
        predicated.results.push(result);
        predicated.then_args.push(*a);
        predicated.els_args.push(*b);
        args.push(result);
    }
    function.at_mut(id).end = End::Jump(Edge { to: then.on.to, args });
    predicated
}

/// Approximate number of instructions of an operation; `None` if it must not be predicated.
fn cost(function: &Function, inst: &Inst, target: &Target) -> Option<u32> {
    use Op as I;
    let wide = inst
        .results
        .first()
        .or(inst.args.first())
        .is_some_and(|value| matches!(function.ty(*value), Type::I64));
    let pieces = !target.multiplies_32_bits();
    Some(match inst.op {
        I::Div { .. }
        | I::Rem { .. }
        | I::FDiv(_)
        | I::FRcp(_)
        | I::FSqrt(_)
        | I::FRsqrt
        | I::Barrier(_)
        | I::Shfl(_)
        | I::Mma(_)
        | I::Vote(_)
        | I::Warp(_)
        | I::WarpSync
        | I::Nanosleep
        | I::Trap
        | I::Vprintf
        | I::AssertFail
        | I::LoadMatrices { .. }
        | I::StoreMatrices { .. }
        | I::AsyncCommit
        | I::AsyncWait
        | I::Membar(_)
        | I::Call(_) => return None,
        I::FNeg | I::FAbs | I::Low | I::High | I::Bitcast | I::Pair => 0,
        // Part of the address's multiply-add.
        I::MulWide { .. } | I::SignExtend | I::ZeroExtend if target.is_volta_on() => 0,
        I::MulWide { .. } => 2,
        I::Mul | I::MulHigh { .. } => match (wide, pieces) {
            (true, true) => 12,
            (true, false) => 3,
            (false, true) => 3,
            (false, false) => 1,
        },
        I::PtrAdd if target.wide_pointers => 2,
        I::Popc | I::Clz | I::Brev | I::BytePerm if !target.has_bit_instructions() => 12,
        _ if wide => 2,
        _ => 1,
    })
}
