//! Short loops whose number of turns is known when they start are written out in part: a loop of several
//! turns at a time, and the loop as it was for the turns that remain. nvcc takes four turns at a time where
//! the source does not say otherwise.
//!
//! Invariant: the loop is one block and counts by a constant to a bound that does not change; the new loop
//! runs only while at least as many turns remain as it does at a time.

use std::collections::BTreeMap;

use crate::cuda::flow::Flow;
use crate::cuda::flow::dominators::Dominators;
use crate::cuda::flow::loops::{Loop, Loops};
use crate::cuda::ir::{BlockId, Compare, Edge, End, Function, Inst, Op, Type, Unroll, Value};
use crate::ids::Span;

use super::copies::{Copies, used_outside};
use super::repair::{self, Variable};
use super::unroll::{Tail, size_of, tail};

/// Turns at a time where the source says nothing.
const TURNS: u32 = 4;
/// Operations that the turns may have together: where the source says nothing, and where it asks.
const AUTO_SIZE: usize = 160;
const ASKED_SIZE: usize = 4_000;

/// Writes loops out in part; whether there were any.
pub(super) fn run(function: &mut Function) -> bool {
    let flow = Flow::of(function);
    let dominators = Dominators::of(function, &flow);
    let loops = Loops::of(function, &flow, &dominators);
    let mut any = false;
    for this in &loops.list {
        any |= write_out(function, this);
    }
    any
}

/// How a loop counts.
struct Count {
    /// Which parameter of the header counts, and by how much.
    param: usize,
    step: i64,
    /// It goes on while the next number is less than this.
    bound: Value,
    signed: bool,
}

fn counts(function: &Function, this: &Loop, tail: &Tail) -> Option<Count> {
    let block = function.at(this.header);
    let maker = |value: Value| block.insts.iter().find(|inst| inst.results.contains(&value));
    let test = maker(tail.cond)?;
    let Op::ICmp {
        cmp: Compare::Lt,
        signed,
    } = test.op
    else {
        return None;
    };
    let (next, bound) = (test.args[0], test.args[1]);
    let is_inside = |value: Value| block.params.contains(&value) || maker(value).is_some();
    if !tail.again_if
        || is_inside(bound)
        || function.ty(bound) != Type::I32
        || function.const_bits(bound).is_some()
    {
        return None;
    }
    let sum = maker(next)?;
    let step = function.const_int(*sum.args.get(1)?)?;
    let param = block.params.iter().position(|param| *param == sum.args[0])?;
    // Without overflow the numbers up to the bound come one after the other.
    let counts_up = sum.op == Op::Add && (1..=64).contains(&step) && tail.back.args[param] == next;
    let no_overflow = step == 1 || (signed && function.values[next.0 as usize].relaxed);
    (counts_up && no_overflow).then_some(Count {
        param,
        step,
        bound,
        signed,
    })
}

/// Operations that must not run in other company than before.
fn is_plain(inst: &Inst) -> bool {
    !matches!(
        inst.op,
        Op::Barrier(_)
            | Op::Shfl(_)
            | Op::Vote(_)
            | Op::Match { .. }
            | Op::WarpSync
            | Op::Nanosleep
            | Op::Call(_)
            | Op::Atom { .. }
            | Op::Membar(_)
    )
}

fn write_out(function: &mut Function, this: &Loop) -> bool {
    let [only] = this.blocks[..] else { return false };
    let Some(tail) = tail(function, this) else {
        return false;
    };
    let size = size_of(function, this);
    let turns = match function.at(only).unroll {
        Unroll::By(0 | 1) => return false,
        Unroll::By(number) if size * number as usize <= ASKED_SIZE => number,
        Unroll::Auto | Unroll::Full if size * TURNS as usize <= AUTO_SIZE => TURNS,
        _ => return false,
    };
    let Some(count) = counts(function, this, &tail) else {
        return false;
    };
    let block = function.at(only);
    let loads_anything = block
        .insts
        .iter()
        .any(|inst| matches!(inst.op, Op::Load(_) | Op::Store(_)));
    if !block.insts.iter().all(is_plain) || !loads_anything && block.unroll == Unroll::Auto {
        return false;
    }
    in_turns(function, only, &tail, &count, turns);
    true
}

fn in_turns(function: &mut Function, only: BlockId, tail: &Tail, count: &Count, turns: u32) {
    let span = function.at(only).span;
    let outside = used_outside(function, &[only]);
    // A block that decides between the loops, in front of both.
    let types: Vec<Type> = (function.at(only).params.iter())
        .map(|param| function.ty(*param))
        .collect();
    let entry = function.block();
    let first: Vec<Value> = types.iter().map(|ty| function.value(*ty)).collect();
    for idx in 0..function.blocks.len() {
        if idx == only.idx() {
            continue;
        }
        for edge in function.blocks[idx].end.edges_mut() {
            if edge.to == only {
                edge.to = entry;
            }
        }
    }
    let copies: Vec<Copies> = (0..turns).map(|_| Copies::of(function, &[only])).collect();
    let (Some(head), Some(last)) = (copies.first(), copies.last()) else {
        return;
    };
    let (head_block, last_block) = (head.block(only), last.block(only));
    // While `next < bound - (turns - 1) * step`, as many turns remain.
    let spare = i64::from(turns - 1) * count.step;
    let mut make = Make {
        function,
        block: entry,
        span,
    };
    let start = first[count.param];
    let (signed, lt) = (count.signed, Compare::Lt);
    let spare_value = make.function.i32(spare as i32);
    let more = make.inst(Op::ICmp { cmp: lt, signed }, Type::I1, &[start, count.bound]);
    let rest = make.inst(Op::Sub, Type::I32, &[count.bound, start]);
    let many = make.inst(
        Op::ICmp {
            cmp: Compare::Gt,
            signed,
        },
        Type::I1,
        &[rest, spare_value],
    );
    let enters = make.inst(Op::And, Type::I1, &[more, many]);
    let limit = make.inst(Op::Sub, Type::I32, &[count.bound, spare_value]);
    let to = |to: BlockId, args: &[Value]| Edge {
        to,
        args: args.to_vec(),
    };
    let block = make.function.at_mut(entry);
    block.params.clone_from(&first);
    block.span = span;
    block.end = End::Branch {
        cond: enters,
        then: to(head_block, &first),
        els: to(only, &first),
    };
    for (idx, copy) in copies.iter().enumerate() {
        let block = copy.block(only);
        let next = copy.values_of(&tail.back.args);
        make.function.at_mut(block).unroll = Unroll::By(1);
        if let Some(following) = copies.get(idx + 1) {
            make.function.at_mut(block).end = End::Jump(to(following.block(only), &next));
        }
    }
    // Behind the last turn: again, the turns that remain, or the end.
    let next = last.values_of(&tail.back.args);
    let check = make.function.block();
    make.block = last_block;
    let again = make.inst(
        Op::ICmp { cmp: lt, signed },
        Type::I1,
        &[next[count.param], limit],
    );
    make.function.at_mut(last_block).end = End::Branch {
        cond: again,
        then: to(head_block, &next),
        els: Edge::to(check),
    };
    make.block = check;
    let remains = make.inst(
        Op::ICmp { cmp: lt, signed },
        Type::I1,
        &[next[count.param], count.bound],
    );
    let block = make.function.at_mut(check);
    block.span = span;
    block.end = End::Branch {
        cond: remains,
        then: to(only, &next),
        els: to(tail.exit.to, &last.values_of(&tail.exit.args)),
    };
    function.at_mut(only).unroll = Unroll::By(1);
    let variables: Vec<Variable> = (outside.iter())
        .map(|(value, _)| Variable {
            definitions: BTreeMap::from([(only, *value), (last_block, last.value(*value))]),
        })
        .collect();
    repair::run(function, &variables);
}

/// Writes operations at the end of a block.
struct Make<'a> {
    function: &'a mut Function,
    block: BlockId,
    span: Span,
}

impl Make<'_> {
    fn inst(&mut self, op: Op, ty: Type, args: &[Value]) -> Value {
        let result = self.function.value(ty);
        self.function.at_mut(self.block).insts.push(Inst {
            op,
            args: args.to_vec(),
            results: vec![result],
            span: self.span,
        });
        result
    }
}
