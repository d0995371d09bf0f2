//! The wrong rewrites. Each visits its candidate places and changes the selected one.

use cuda::ir::flow::Flow;
use cuda::ir::flow::dominators::Dominators;
use cuda::ir::flow::loops::{LoopId, Loops};
use cuda::ir::{BlockId, Compare, Edge, End, Function, Inst, Num, Op, Type, Value};

use super::super::check::Stage;
use super::{Mutant, Sites};

const fn built(name: &'static str, rewrite: fn(&mut Function, &mut Sites)) -> Mutant {
    Mutant {
        name,
        stage: Stage::Built,
        rewrite,
    }
}

const fn optimized(name: &'static str, rewrite: fn(&mut Function, &mut Sites)) -> Mutant {
    Mutant {
        name,
        stage: Stage::Optimized,
        rewrite,
    }
}

pub(super) const ALL: &[Mutant] = &[
    optimized("swaps the sides of a branch", swap_branch),
    optimized("drops the update of a loop variable", drop_update),
    optimized("replaces < with <=", include_equal),
    optimized("drops a store before a join", drop_store),
    optimized("moves a load above a store", hoist_load),
    optimized("flips the signedness of an operation", flip_sign),
    built("divides by a power of two with only a shift", divide_by_shift),
    optimized("omits the narrowing of a number", drop_narrow),
    optimized("continues a loop at its break", break_to_latch),
    optimized("runs one more iteration", |function, sites| {
        change_turns(function, sites, 1);
    }),
    optimized("runs one iteration fewer", |function, sites| {
        change_turns(function, sites, -1);
    }),
    optimized("stores on only one side of a branch", sink_store),
    optimized("drops a barrier", drop_barrier),
    optimized("swaps the values of an edge", swap_values),
    optimized("swaps the values of a select", swap_selection),
];

fn block_ids(function: &Function) -> impl Iterator<Item = BlockId> + use<> {
    let flow = Flow::of(function);
    flow.order.into_iter()
}

fn loops_of(function: &Function) -> (Flow, Loops) {
    let flow = Flow::of(function);
    let dominators = Dominators::of(function, &flow);
    let loops = Loops::of(function, &flow, &dominators);
    (flow, loops)
}

/// Replaces an operation for which `change` returns another operation.
fn change_op(function: &mut Function, sites: &mut Sites, change: impl Fn(&Inst) -> Option<Op>) {
    for id in block_ids(function) {
        for inst in &mut function.at_mut(id).insts {
            if let Some(op) = change(inst)
                && sites.is_chosen()
            {
                inst.op = op;
            }
        }
    }
}

fn swap_branch(function: &mut Function, sites: &mut Sites) {
    let (_, loops) = loops_of(function);
    for id in block_ids(function) {
        // Only branches whose sides rejoin, not exits of a loop.
        if let End::Branch { then, els, .. } = &mut function.at_mut(id).end
            && then != els
            && loops.innermost(then.to) == loops.innermost(els.to)
            && sites.is_chosen()
        {
            std::mem::swap(then, els);
        }
    }
}

fn drop_update(function: &mut Function, sites: &mut Sites) {
    let (_, loops) = loops_of(function);
    for of in &loops.list {
        let params = function.at(of.header).params.clone();
        for latch in &of.latches {
            for edge in function.at_mut(*latch).end.edges_mut() {
                if edge.to != of.header {
                    continue;
                }
                for (arg, param) in edge.args.iter_mut().zip(&params) {
                    if arg != param && sites.is_chosen() {
                        *arg = *param;
                    }
                }
            }
        }
    }
}

fn include_equal(function: &mut Function, sites: &mut Sites) {
    change_op(function, sites, |inst| match inst.op {
        Op::ICmp {
            cmp: Compare::Lt,
            signed,
        } => Some(Op::ICmp {
            cmp: Compare::Le,
            signed,
        }),
        Op::ICmp {
            cmp: Compare::Gt,
            signed,
        } => Some(Op::ICmp {
            cmp: Compare::Ge,
            signed,
        }),
        _ => None,
    });
}

const fn is_store(inst: &Inst) -> bool {
    matches!(inst.op, Op::Store(_))
}

fn drop_store(function: &mut Function, sites: &mut Sites) {
    let flow = Flow::of(function);
    for id in block_ids(function) {
        let End::Jump(edge) = &function.at(id).end else {
            continue;
        };
        let joins = flow.preds[edge.to.idx()].len() > 1;
        let insts = &mut function.at_mut(id).insts;
        if let Some(at) = insts.iter().rposition(is_store)
            && joins
            && sites.is_chosen()
        {
            insts.remove(at);
        }
    }
}

fn hoist_load(function: &mut Function, sites: &mut Sites) {
    for id in block_ids(function) {
        let insts = &mut function.at_mut(id).insts;
        for at in 0..insts.len() {
            let Op::Load(load) = insts[at].op else {
                continue;
            };
            let is_store_there =
                |inst: &Inst| matches!(inst.op, Op::Store(store) if store.space == load.space);
            let Some(store) = insts[..at].iter().rposition(is_store_there) else {
                continue;
            };
            let defines = |inst: &Inst| inst.results.iter().any(|result| insts[at].args.contains(result));
            if !insts[store..at].iter().any(defines) && sites.is_chosen() {
                let load = insts.remove(at);
                insts.insert(store, load);
                return;
            }
        }
    }
}

fn flip_sign(function: &mut Function, sites: &mut Sites) {
    change_op(function, sites, |inst| {
        Some(match inst.op {
            Op::Shr { signed } => Op::Shr { signed: !signed },
            Op::Div { signed } => Op::Div { signed: !signed },
            Op::Rem { signed } => Op::Rem { signed: !signed },
            Op::Min { signed } => Op::Min { signed: !signed },
            Op::Max { signed } => Op::Max { signed: !signed },
            Op::ICmp { cmp, signed } if !matches!(cmp, Compare::Eq | Compare::Ne) => {
                Op::ICmp { cmp, signed: !signed }
            }
            Op::SignExtend => Op::ZeroExtend,
            Op::ZeroExtend => Op::SignExtend,
            Op::Narrow(num) => Op::Narrow(match num {
                Num::U8 => Num::S8,
                Num::S8 => Num::U8,
                Num::U16 => Num::S16,
                _ => Num::U16,
            }),
            _ => return None,
        })
    });
}

fn divide_by_shift(function: &mut Function, sites: &mut Sites) {
    for id in block_ids(function) {
        for at in 0..function.at(id).insts.len() {
            let inst = &function.at(id).insts[at];
            let Op::Div { signed: true } = inst.op else {
                continue;
            };
            let Some(divisor) = function.const_int(inst.args[1]) else {
                continue;
            };
            if divisor > 1 && divisor.count_ones() == 1 && sites.is_chosen() {
                let distance = function.i32(divisor.trailing_zeros() as i32);
                let inst = &mut function.at_mut(id).insts[at];
                inst.op = Op::Shr { signed: true };
                inst.args[1] = distance;
            }
        }
    }
}

fn drop_narrow(function: &mut Function, sites: &mut Sites) {
    let mut dropped: Option<(Value, Value)> = None;
    for id in block_ids(function) {
        function.at_mut(id).insts.retain(|inst| {
            if !matches!(inst.op, Op::Narrow(_)) || !sites.is_chosen() {
                return true;
            }
            dropped = Some((inst.results[0], inst.args[0]));
            false
        });
    }
    if let Some((narrow, wide)) = dropped {
        function.uses_mut(&mut |value| {
            if *value == narrow {
                *value = wide;
            }
        });
    }
}

fn break_to_latch(function: &mut Function, sites: &mut Sites) {
    let (_, loops) = loops_of(function);
    for (idx, of) in loops.list.iter().enumerate() {
        let Some(latch) = of.latches.first() else {
            continue;
        };
        let again: Option<Edge> = function
            .at(*latch)
            .end
            .edges()
            .find(|edge| edge.to == of.header)
            .cloned();
        for id in of.blocks.iter().filter(|id| *id != latch) {
            let End::Branch { then, els, .. } = &mut function.at_mut(*id).end else {
                continue;
            };
            let stays = |edge: &Edge| loops.contains(LoopId(idx as u32), edge.to);
            let exit = match (stays(then), stays(els)) {
                (true, false) => els,
                (false, true) => then,
                _ => continue,
            };
            if let Some(again) = &again
                && sites.is_chosen()
            {
                *exit = again.clone();
            }
        }
    }
}

/// Changes the bound in the comparison at the end of a loop.
fn change_turns(function: &mut Function, sites: &mut Sites, by: i64) {
    let (_, loops) = loops_of(function);
    let latches: Vec<BlockId> = loops.list.iter().flat_map(|of| of.latches.clone()).collect();
    for latch in latches {
        let End::Branch { cond, .. } = function.at(latch).end else {
            continue;
        };
        for id in block_ids(function) {
            let is_test = |inst: &Inst| inst.results.contains(&cond) && matches!(inst.op, Op::ICmp { .. });
            let Some(at) = function.at(id).insts.iter().position(is_test) else {
                continue;
            };
            for arg in 0..2 {
                let value = function.at(id).insts[at].args[arg];
                let ty = function.ty(value);
                let Some(bits) = function.const_bits(value).filter(|_| ty != Type::I1) else {
                    continue;
                };
                if sites.is_chosen() {
                    let changed = function.constant(ty, bits.wrapping_add_signed(by));
                    function.at_mut(id).insts[at].args[arg] = changed;
                }
            }
        }
    }
}

fn sink_store(function: &mut Function, sites: &mut Sites) {
    let flow = Flow::of(function);
    for id in block_ids(function) {
        let End::Branch { then, .. } = &function.at(id).end else {
            continue;
        };
        let target = then.to;
        let insts = &function.at(id).insts;
        let Some(at) = insts.iter().rposition(is_store) else {
            continue;
        };
        let is_last = !insts[at + 1..].iter().any(|inst| {
            matches!(
                inst.op,
                Op::Load(_) | Op::Atom { .. } | Op::Barrier(_) | Op::Call(_)
            )
        });
        if is_last && flow.preds[target.idx()].len() == 1 && sites.is_chosen() {
            let store = function.at_mut(id).insts.remove(at);
            function.at_mut(target).insts.insert(0, store);
        }
    }
}

fn drop_barrier(function: &mut Function, sites: &mut Sites) {
    for id in block_ids(function) {
        function
            .at_mut(id)
            .insts
            .retain(|inst| !matches!(inst.op, Op::Barrier(_)) || !sites.is_chosen());
    }
}

fn swap_values(function: &mut Function, sites: &mut Sites) {
    let types: Vec<Type> = function.values.iter().map(|value| value.ty).collect();
    let ty = |value: Value| types[value.0 as usize];
    for id in block_ids(function) {
        for edge in function.at_mut(id).end.edges_mut() {
            for second in 1..edge.args.len() {
                let (a, b) = (edge.args[second - 1], edge.args[second]);
                if a != b && ty(a) == ty(b) && sites.is_chosen() {
                    edge.args.swap(second - 1, second);
                    return;
                }
            }
        }
    }
}

fn swap_selection(function: &mut Function, sites: &mut Sites) {
    for id in block_ids(function) {
        for inst in &mut function.at_mut(id).insts {
            if inst.op == Op::Select && sites.is_chosen() {
                inst.args.swap(1, 2);
            }
        }
    }
}
