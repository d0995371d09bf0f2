//! Unrolls loops whose trip count is known at compile time, in full or by a factor.
//!
//! Invariant: an unrolled loop has one back edge, from a block that starts another iteration or leaves the
//! loop. Other exits of the loop stay the same.

use std::collections::BTreeMap;

use crate::ir::flow::Flow;
use crate::ir::flow::dominators::Dominators;
use crate::ir::flow::loops::{Loop, LoopId, Loops};
use crate::ir::fold;
use crate::ir::{Access, BlockId, Def, Edge, End, Function, Inst, Op, Space, Unroll, Value};

use super::copies::{Copies, used_outside};
use super::effects;
use super::repair::{self, Variable};

/// Unroll factors of a long loop, and the maximum operations of all copies together. Source: SASS of nvcc 13 for
/// loops of 1024 to 100,000 iterations.
const PARTS: [u32; 4] = [32, 16, 8, 4];
const PART_SIZE: usize = 200;
/// Maximum iterations that are evaluated to find a trip count.
const MAX_TRIP_COUNT: u32 = 4096;
/// Maximum operations of an unrolled loop: with an unroll pragma in the source, and without a pragma.
const PRAGMA_SIZE: usize = 24_000;
const AUTO_SIZE: usize = 640;
/// The same without a pragma, for loops around other loops, whose trip counts are not known.
const NEST_SIZE: usize = 200;
/// The same without a pragma, for loops that index local arrays: unrolling turns these arrays into registers.
const ARRAY_SIZE: usize = 6_000;

/// Maximum operations and blocks of a function in which loops are unrolled, with those of unrolled loops. Assumption: twice
/// the longest of 744 public kernels.
const MAX_FUNCTION: usize = 120_000;
/// Maximum sum of the operations and blocks of a function over its unrolled loops. Assumption: 1000 loops in a kernel of
/// 10,000 operations.
const MAX_WORK: usize = 10_000_000;

/// Unrolls the innermost loops that can be unrolled, and returns whether there are any. `few` limits the factor
/// of long loops to 4.
pub(super) fn run(function: &mut Function, few: bool) -> bool {
    let mut flow = Flow::of(function);
    let dominators = Dominators::of(function, &flow);
    let loops = Loops::of(function, &flow, &dominators);
    // An unrolled inner loop is simplified before the loop around it is unrolled.
    let mut blocked = vec![false; loops.list.len()];
    let mut any = false;
    let mut has_loops = vec![false; loops.list.len()];
    for LoopId(parent) in loops.list.iter().filter_map(|this| this.parent) {
        has_loops[parent as usize] = true;
    }
    let mut work_left = MAX_WORK;
    for idx in (0..loops.list.len()).rev() {
        let this = &loops.list[idx];
        let done = !blocked[idx] && work_left > 0 && unroll(function, this, &flow, has_loops[idx], few);
        if done {
            flow = Flow::of(function);
            // Each copy of a loop visits the whole function.
            let size = function.insts().count() + function.blocks.len();
            work_left = if size > MAX_FUNCTION {
                0
            } else {
                work_left.saturating_sub(size)
            };
        }
        if done || blocked[idx] {
            any |= done;
            if let Some(LoopId(parent)) = this.parent {
                blocked[parent as usize] = true;
            }
        }
    }
    any
}

fn unroll(function: &mut Function, this: &Loop, flow: &Flow, has_loops: bool, few: bool) -> bool {
    let Some(tail) = tail(function, this) else {
        return false;
    };
    let unroll = function.at(this.header).unroll;
    if matches!(unroll, Unroll::By(1)) {
        return false;
    }
    let Some(count) = trip_count(function, this, &tail, flow) else {
        return false;
    };
    let size = size_of(function, this);
    if in_full(function, this, unroll, size, count, has_loops) {
        replicate(function, this, &tail, count, true);
        return true;
    }
    match factor(function, this, unroll, size, count, few) {
        Some(factor) => {
            replicate(function, this, &tail, factor, false);
            true
        }
        None => false,
    }
}

pub(super) fn size_of(function: &Function, this: &Loop) -> usize {
    let sizes = this.blocks.iter().map(|id| function.at(*id).insts.len());
    sizes.sum::<usize>().max(1)
}

/// Returns the unroll factor of a long loop with a known trip count: that of the source, or that of nvcc 13
/// for short bodies.
fn factor(
    function: &Function,
    this: &Loop,
    unroll: Unroll,
    size: usize,
    trip_count: u32,
    few: bool,
) -> Option<u32> {
    let wanted = match unroll {
        Unroll::By(number) => number,
        Unroll::Auto | Unroll::Full if this.blocks.len() == 1 => {
            // Address arithmetic folds into the accesses' offsets, and one counter update serves all copies.
            let small = |inst: &&Inst| {
                !matches!(
                    inst.op,
                    Op::MulWide { .. } | Op::PtrAdd | Op::SignExtend | Op::ZeroExtend
                )
            };
            let insts = this.blocks.iter().flat_map(|id| &function.at(*id).insts);
            let each = insts.filter(small).count().saturating_sub(1).max(1);
            let most = PARTS
                .into_iter()
                .filter(|parts| !few || *parts == 4)
                .find(|parts| each * *parts as usize <= PART_SIZE && trip_count.is_multiple_of(*parts));
            most.filter(|_| size * 4 <= AUTO_SIZE / 2)?
        }
        Unroll::Auto | Unroll::Full => return None,
    };
    (wanted > 1
        && wanted < trip_count
        && trip_count.is_multiple_of(wanted)
        && size * wanted as usize <= PRAGMA_SIZE)
        .then_some(wanted)
}

/// Returns whether to unroll the loop in full.
fn in_full(
    function: &Function,
    this: &Loop,
    unroll: Unroll,
    size: usize,
    count: u32,
    has_loops: bool,
) -> bool {
    if let Unroll::By(number) = unroll
        && count > number
    {
        return false;
    }
    let limit = match unroll {
        Unroll::Full | Unroll::By(_) => PRAGMA_SIZE,
        Unroll::Auto if has_loops => NEST_SIZE,
        Unroll::Auto if indexes_locals(function, this) => ARRAY_SIZE,
        Unroll::Auto => AUTO_SIZE,
    };
    size * count as usize <= limit
}

/// Returns whether the loop accesses local memory at a computed address.
fn indexes_locals(function: &Function, this: &Loop) -> bool {
    let insts = this.blocks.iter().flat_map(|id| &function.at(*id).insts);
    insts.into_iter().any(|inst| {
        matches!(
            inst.op,
            Op::Load(Access {
                space: Space::Local,
                ..
            }) | Op::Store(Access {
                space: Space::Local,
                ..
            })
        ) && function.def(inst.args[0]) == Def::Node
    })
}

/// The loop's only latch, which starts another iteration or leaves the loop.
pub(super) struct Tail {
    pub(super) latch: BlockId,
    pub(super) cond: Value,
    /// The value of the condition that starts another iteration.
    pub(super) continues_if: bool,
    pub(super) back: Edge,
    pub(super) exit: Edge,
}

pub(super) fn tail(function: &Function, this: &Loop) -> Option<Tail> {
    let [latch] = this.latches[..] else {
        return None;
    };
    let End::Branch { cond, then, els } = &function.at(latch).end else {
        return None;
    };
    let inside = |edge: &Edge| this.blocks.contains(&edge.to);
    let continues_if = then.to == this.header;
    let (back, exit) = if continues_if { (then, els) } else { (els, then) };
    (back.to == this.header && !inside(exit)).then(|| Tail {
        latch,
        cond: *cond,
        continues_if,
        back: back.clone(),
        exit: exit.clone(),
    })
}

/// Returns the initial constants of the header's parameters, where all paths into the loop agree.
fn first_values(function: &Function, this: &Loop, flow: &Flow) -> Vec<Option<u64>> {
    let mut first: Vec<Option<Option<u64>>> = vec![None; function.at(this.header).params.len()];
    for pred in &flow.preds[this.header.idx()] {
        if this.latches.contains(pred) {
            continue;
        }
        for edge in function
            .at(*pred)
            .end
            .edges()
            .filter(|edge| edge.to == this.header)
        {
            for (first, arg) in first.iter_mut().zip(&edge.args) {
                let bits = function.const_bits(*arg);
                *first = match *first {
                    None => Some(bits),
                    Some(before) if before == bits => Some(bits),
                    Some(_) => Some(None),
                };
            }
        }
    }
    first.into_iter().map(Option::flatten).collect()
}

/// Returns the trip count, found by evaluating each iteration on the variables that the condition depends on.
fn trip_count(function: &Function, this: &Loop, tail: &Tail, flow: &Flow) -> Option<u32> {
    let params = &function.at(this.header).params;
    let first = first_values(function, this, flow);
    let mut defs: BTreeMap<Value, (usize, &Inst)> = BTreeMap::new();
    let insts = this.blocks.iter().flat_map(|id| &function.at(*id).insts);
    for (place, inst) in insts.enumerate() {
        if let [result] = inst.results[..]
            && effects::pure(inst.op)
        {
            defs.insert(result, (place, inst));
        }
    }
    // The parameters that the condition depends on.
    let mut deciding = Vec::new();
    let mut order: Vec<(usize, &Inst)> = Vec::new();
    let mut work = vec![tail.cond];
    let mut seen = Vec::new();
    while let Some(value) = work.pop() {
        if seen.contains(&value) || function.const_bits(value).is_some() {
            continue;
        }
        seen.push(value);
        if seen.len() > 64 {
            return None;
        }
        if let Some(index) = params.iter().position(|param| *param == value) {
            first[index]?;
            deciding.push(index);
            work.push(tail.back.args[index]);
        } else {
            let (place, inst) = *defs.get(&value)?;
            order.push((place, inst));
            work.extend(&inst.args);
        }
    }
    // In reverse postorder, operands precede their readers.
    order.sort_by_key(|(place, _)| *place);
    let mut known: BTreeMap<Value, u64> = BTreeMap::new();
    for index in &deciding {
        known.insert(params[*index], first[*index]?);
    }
    let read = |known: &BTreeMap<Value, u64>, value: Value| {
        function.const_bits(value).or_else(|| known.get(&value).copied())
    };
    for iteration in 1..=MAX_TRIP_COUNT {
        for (_, inst) in &order {
            let args: Option<Vec<_>> = inst.args.iter().map(|arg| read(&known, *arg)).collect();
            let types: Vec<_> = inst.args.iter().map(|arg| function.ty(*arg)).collect();
            let result = inst.results[0];
            let bits = fold::eval(inst.op, function.ty(result), &types, &args?)?;
            known.insert(result, bits);
        }
        if (read(&known, tail.cond)? != 0) != tail.continues_if {
            return Some(iteration);
        }
        let moved: Option<Vec<_>> = deciding
            .iter()
            .map(|index| read(&known, tail.back.args[*index]))
            .collect();
        for (index, bits) in deciding.iter().zip(moved?) {
            known.insert(params[*index], bits);
        }
    }
    None
}

/// Unrolls a loop to `copies` consecutive copies of its blocks, the original among them. With `whole`, the copies
/// are all iterations. Otherwise the trip count is a multiple of `copies`, and the last copy tests the loop's
/// condition.
fn replicate(function: &mut Function, this: &Loop, tail: &Tail, copies: u32, whole: bool) {
    let outside = used_outside(function, &this.blocks);
    let mut variables: Vec<Variable> = (outside.iter())
        .map(|(value, block)| Variable {
            definitions: BTreeMap::from([(*block, *value)]),
        })
        .collect();
    let mut made: Vec<Copies> = Vec::new();
    for _ in 1..copies {
        let copy = Copies::of(function, &this.blocks);
        for (variable, (value, block)) in variables.iter_mut().zip(&outside) {
            variable
                .definitions
                .insert(copy.block(*block), copy.value(*value));
        }
        made.push(copy);
    }
    let original = Copies::default();
    for idx in 0..copies as usize {
        let copy = if idx == 0 { &original } else { &made[idx - 1] };
        let latch = copy.block(tail.latch);
        let end = match made.get(idx) {
            Some(next) => End::Jump(Edge {
                to: next.block(this.header),
                args: copy.values_of(&tail.back.args),
            }),
            None if whole => End::Jump(Edge {
                to: tail.exit.to,
                args: copy.values_of(&tail.exit.args),
            }),
            None => {
                let back = Edge {
                    to: this.header,
                    args: copy.values_of(&tail.back.args),
                };
                let exit = Edge {
                    to: tail.exit.to,
                    args: copy.values_of(&tail.exit.args),
                };
                let cond = copy.value(tail.cond);
                let (then, els) = if tail.continues_if {
                    (back, exit)
                } else {
                    (exit, back)
                };
                End::Branch { cond, then, els }
            }
        };
        function.at_mut(latch).end = end;
    }
    function.at_mut(this.header).unroll = if whole { Unroll::Auto } else { Unroll::By(1) };
    for copy in &made {
        function.at_mut(copy.block(this.header)).unroll = Unroll::Auto;
    }
    repair::run(function, &variables);
}
