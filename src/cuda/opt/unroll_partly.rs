//! Unrolls short loops in part: loops whose trip count is known only at run time, when they start.
//!
//! The unrolled loop runs several iterations at a time while enough iterations remain. Shorter groups of
//! iterations, each half as long as the group before, then run at most once. The original loop runs the rest.
//! The unroll factors are those of nvcc 13 for bodies of the same size. Where the step is also known only at
//! run time, the rest runs before the unrolled loop.
//!
//! Invariant: the counter's step and the bound do not change in the loop. A group of iterations runs only
//! while at least that number of iterations remain.

use std::collections::{BTreeMap, BTreeSet};

use crate::ir::flow::Flow;
use crate::ir::flow::dominators::Dominators;
use crate::ir::flow::loops::{Loop, Loops};
use crate::ir::{BlockId, Compare, Edge, End, Function, Inst, Op, Type, Unroll, Value};
use engine::ids::Span;

use super::copies::{Copies, used_outside};
use super::effects;
use super::repair::{self, Variable};
use super::unroll::{Tail, size_of, tail};

/// Unroll factors by the maximum size of an iteration, for loops without a factor in the source. The first
/// factor is the loop's; groups of the further factors run once. Source: SASS of nvcc 13 for loops of
/// `a = a * b + c`. nvcc unrolls 1 to 4 of these statements by 16, up to 24 by 4, and up to 40 by 2.
const FACTORS: [(usize, &[u32]); 3] = [(4, &[16, 8, 4]), (26, &[4]), (44, &[2])];
/// Maximum accesses of an iteration that is unrolled by 16; the iteration may have about the same number of
/// other instructions. Source: the same as for `FACTORS`, and the measured corpus.
const WITH_ACCESSES: usize = 12;
/// Maximum step of the counter, so that the step times the unroll factor does not overflow.
const MAX_STEP: i64 = 1 << 20;
/// Maximum operations of an iteration on chips with few registers.
const FEW_SIZE: usize = 40;
/// Maximum operations of a function whose loops are unrolled in part.
const LONGEST: usize = 12_000;
/// Maximum operations of all unrolled iterations together, where the source sets the factor.
const PRAGMA_SIZE: usize = 4_000;

/// Unrolls innermost loops in part. `few` limits the factor to 4, for chips with few registers whose compilers
/// are no longer available (assumed).
pub(super) fn run(function: &mut Function, few: bool) {
    let flow = Flow::of(function);
    let dominators = Dominators::of(function, &flow);
    let loops = Loops::of(function, &flow, &dominators);
    for (idx, this) in loops.list.iter().enumerate() {
        let is_inner = loops
            .list
            .iter()
            .all(|other| other.parent.is_none_or(|id| id.0 as usize != idx));
        if is_inner && function.size() <= LONGEST {
            unroll(function, this, few);
        }
    }
}

/// The counter of a loop, and the bound that ends the loop.
struct Count {
    /// Index of the header's parameter that counts; `step` is its increment.
    param: usize,
    step: Step,
    /// The loop continues while the next number is less than this bound, or equal to the bound if `inclusive`.
    bound: Value,
    inclusive: bool,
    signed: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum Step {
    Number(i64),
    /// The same in all iterations, and known only at run time.
    Value(Value),
}

fn counts(function: &Function, this: &Loop, tail: &Tail) -> Option<Count> {
    let params = &function.at(this.header).params;
    let insts = || this.blocks.iter().flat_map(|id| &function.at(*id).insts);
    let maker = |value: Value| insts().find(|inst| inst.results.contains(&value));
    let test = maker(tail.cond)?;
    let Op::ICmp { cmp, signed } = test.op else {
        return None;
    };
    let inclusive = match (cmp, tail.continues_if) {
        (Compare::Lt, true) | (Compare::Ge, false) => false,
        (Compare::Le, true) | (Compare::Gt, false) => true,
        _ => return None,
    };
    let (next, bound) = (test.args[0], test.args[1]);
    let is_inside = |value: Value| {
        this.blocks
            .iter()
            .any(|id| function.at(*id).defined().any(|other| other == value))
    };
    if is_inside(bound) || function.const_bits(bound).is_some() {
        return None;
    }
    let sum = maker(next)?;
    if sum.op != Op::Add {
        return None;
    }
    let (first, second) = (sum.args[0], sum.args[1]);
    let place = |value: Value| params.iter().position(|param| *param == value);
    let (param, by) = match (place(first), place(second)) {
        (Some(param), _) => (param, second),
        (None, Some(param)) => (param, first),
        (None, None) => return None,
    };
    // Without overflow, the counter increases steadily up to the bound.
    let relaxed = signed && function.values[next.0 as usize].relaxed;
    let (step, no_overflow) = match function.const_int(by) {
        Some(number @ 1..=MAX_STEP) => (Step::Number(number), number == 1 || relaxed),
        Some(_) => return None,
        None => (Step::Value(by), relaxed && !is_inside(by)),
    };
    let plain = !inclusive && function.ty(bound) == Type::I32;
    let fits = plain || matches!(step, Step::Number(_));
    (tail.back.args[param] == next && no_overflow && fits).then_some(Count {
        param,
        step,
        bound,
        inclusive,
        signed,
    })
}

/// Returns whether an operation can execute with other active lanes than in the original loop.
fn is_plain(inst: &Inst) -> bool {
    !matches!(
        inst.op,
        Op::Barrier(_)
            | Op::Shfl(_)
            | Op::Mma(_)
            | Op::LoadMatrices { .. }
            | Op::StoreMatrices { .. }
            | Op::Vote(_)
            | Op::Warp(_)
            | Op::WarpSync
            | Op::Nanosleep
            | Op::Vprintf
            | Op::Call(_)
            | Op::Membar(_)
    )
}

/// The size of one iteration, by kind of instruction.
#[derive(Default)]
struct Iteration {
    /// Instructions that are not accesses. Excludes counters, and addresses that advance by the same distance
    /// in each iteration.
    arithmetic: usize,
    accesses: usize,
    /// Whether the iteration may store under a condition.
    may_store: bool,
}

impl Iteration {
    fn of(function: &Function, this: &Loop, tail: &Tail) -> Self {
        let home = function.definitions(&this.blocks);
        // Loop-invariant values move out of the loop later.
        let mut varies: Vec<bool> = home.iter().map(Option::is_some).collect();
        let insts = || this.blocks.iter().flat_map(|id| &function.at(*id).insts);
        let mut moves: BTreeSet<Value> = BTreeSet::new();
        for (param, back) in function.at(this.header).params.iter().zip(&tail.back.args) {
            let by_constant = insts().any(|inst| {
                matches!(inst.op, Op::Add | Op::PtrAdd)
                    && inst.results == [*back]
                    && inst.args.contains(param)
                    && inst
                        .args
                        .iter()
                        .all(|arg| arg == param || !varies[arg.0 as usize])
            });
            if by_constant {
                moves.insert(*param);
            }
        }
        let (mut iteration, mut products, mut sums, mut fused) = (Self::default(), 0, 0, 0);
        let mut counted: BTreeSet<Value> = BTreeSet::new();
        for inst in insts() {
            if effects::pure(inst.op) && !inst.args.iter().any(|arg| varies[arg.0 as usize]) {
                inst.results
                    .iter()
                    .for_each(|result| varies[result.0 as usize] = false);
                continue;
            }
            let linear = match inst.op {
                Op::Add | Op::Sub | Op::Mul | Op::Shl | Op::MulWide { .. } | Op::SignExtend | Op::PtrAdd => {
                    let mut args = inst.args.iter();
                    let wide = matches!(inst.op, Op::MulWide { .. } | Op::SignExtend);
                    let exact = function.values[inst.args[0].0 as usize].relaxed
                        || function.at(this.header).params.contains(&inst.args[0]);
                    (!wide || (exact && inst.op != Op::MulWide { signed: false }))
                        && args.clone().any(|arg| moves.contains(arg))
                        && args.all(|arg| moves.contains(arg) || !varies[arg.0 as usize])
                }
                _ => false,
            };
            if linear {
                moves.extend(&inst.results);
                continue;
            }
            if inst.results == [tail.cond] {
                continue;
            }
            match inst.op {
                Op::Load(_) | Op::Store(_) | Op::Atom { .. } => {
                    iteration.accesses += 1;
                    iteration.may_store |= this.blocks.len() > 1 && matches!(inst.op, Op::Store(_));
                    continue;
                }
                // Each iteration computes a number that may overflow, and the number's distance.
                Op::MulWide { .. } | Op::SignExtend | Op::ZeroExtend => {
                    iteration.arithmetic += usize::from(moves.contains(&inst.args[0])) * 2;
                    continue;
                }
                Op::FMul(_) => products += 1,
                Op::FAdd(_) | Op::FSub(_) => sums += 1,
                // nvcc unrolls longer loops where the source writes fused operations: 32 of them by 4, 64 by 2.
                Op::FFma { .. } => fused += 1,
                // These operations expand to sequences of instructions.
                Op::Div { .. } | Op::Rem { .. } | Op::FDiv(_) | Op::FSqrt(_) | Op::FRcp(_) => {
                    iteration.arithmetic += 8;
                }
                _ => {}
            }
            // Each iteration computes an advancing number that is also an operand of other instructions.
            counted.extend(inst.args.iter().filter(|arg| moves.contains(arg)));
            iteration.arithmetic += 1;
        }
        iteration.arithmetic += counted.len() + (this.blocks.len() - 1) / 2;
        iteration.arithmetic -= products.min(sums) + fused / 3;
        iteration
    }

    /// Returns the unroll factors: that of the loop, then those of the groups that run once.
    fn factors(&self) -> Option<&'static [u32]> {
        let all = self.arithmetic + self.accesses;
        if (1..=WITH_ACCESSES).contains(&self.accesses)
            && self.arithmetic <= self.accesses + 1
            && !self.may_store
        {
            return Some(FACTORS[0].1);
        }
        if self.accesses > 0 && all <= FACTORS[0].0 {
            return Some(FACTORS[1].1);
        }
        FACTORS
            .iter()
            .find(|(most, _)| all <= *most)
            .map(|(_, factors)| *factors)
    }
}

fn unroll(function: &mut Function, this: &Loop, few: bool) {
    let Some(tail) = tail(function, this) else {
        return;
    };
    let size = size_of(function, this);
    let by;
    let factors: &[u32] = match function.at(this.header).unroll {
        Unroll::By(0 | 1) => return,
        Unroll::By(number) if size * number as usize <= PRAGMA_SIZE => {
            by = [number];
            &by
        }
        Unroll::By(_) => return,
        Unroll::Auto | Unroll::Full if few && size > FEW_SIZE => return,
        Unroll::Auto | Unroll::Full => match Iteration::of(function, this, &tail).factors() {
            Some([_, .., last]) if few => &[*last][..],
            Some(factors) => factors,
            None => return,
        },
    };
    let Some(count) = counts(function, this, &tail) else {
        return;
    };
    let mut insts = this.blocks.iter().flat_map(|id| &function.at(*id).insts);
    let has_factor = matches!(function.at(this.header).unroll, Unroll::By(_));
    if !insts.all(is_plain) || (!has_factor && !has_one_exit(function, this, &tail)) {
        return;
    }
    match count.step {
        Step::Number(step) => unroll_constant_step(function, this, &tail, &count, step, factors),
        Step::Value(step) => {
            // nvcc 13 does not unroll the corpus's loops that have such a step and atomics.
            let mut insts = this.blocks.iter().flat_map(|id| &function.at(*id).insts);
            let atomics = insts.any(|inst| matches!(inst.op, Op::Atom { .. }));
            if atomics || !is_guarded(function, this, &tail, &count) {
                return;
            }
            unroll_variable_step(function, this, &tail, &count, step, factors[factors.len() - 1]);
        }
    }
}

/// Returns whether control enters a loop only if the first number is less than the bound, and leaves it only
/// through the counter's test.
fn is_guarded(function: &Function, this: &Loop, tail: &Tail, count: &Count) -> bool {
    let holds = |cond: Value, then: bool, start: Value| {
        let mut insts = function.blocks.iter().flat_map(|block| &block.insts);
        insts.any(|inst| {
            let less = Op::ICmp {
                cmp: if then { Compare::Lt } else { Compare::Ge },
                signed: true,
            };
            inst.results == [cond] && inst.op == less && inst.args == [start, count.bound]
        })
    };
    let mut entries = 0;
    for (idx, block) in function.blocks.iter().enumerate() {
        if this.blocks.iter().any(|id| id.idx() == idx) {
            continue;
        }
        for edge in block.end.edges().filter(|edge| edge.to == this.header) {
            entries += 1;
            let start = edge.args[count.param];
            let guarded = match &block.end {
                End::Branch { cond, then, els } => {
                    then.to != els.to && holds(*cond, then.to == this.header, start)
                }
                _ => false,
            };
            if !guarded {
                return false;
            }
        }
    }
    entries == 1 && has_one_exit(function, this, tail)
}

/// Returns whether a loop's only exit is the test in its latch: nvcc does not unroll other loops in part.
fn has_one_exit(function: &Function, this: &Loop, tail: &Tail) -> bool {
    let inside = |edge: &Edge| this.blocks.contains(&edge.to);
    let mut others = this.blocks.iter().filter(|id| **id != tail.latch);
    others.all(|id| {
        let end = &function.at(*id).end;
        end.edges().all(inside) && !matches!(end, End::Return(_))
    })
}

/// Unrolls a loop whose step is known only at run time. A division computes the trip count. The iterations
/// beyond a multiple of the unroll factor run first, as in nvcc's code.
fn unroll_variable_step(
    function: &mut Function,
    this: &Loop,
    tail: &Tail,
    count: &Count,
    step: Value,
    factor: u32,
) {
    let Front {
        entry,
        first,
        outside,
    } = Front::of(function, this, tail);
    let span = function.at(this.header).span;
    let rest_iteration = Copies::of(function, &this.blocks);
    let group = Copied::of(function, this, tail, factor);
    let between = function.block();
    let left = function.value(Type::I32);
    let rest_header = rest_iteration.block(this.header);
    function.at_mut(rest_header).params.push(left);
    function.at_mut(rest_header).unroll = Unroll::By(1);
    let mut make = Make {
        function,
        block: entry,
        span,
    };
    make.function.at_mut(between).span = span;
    // `others` is the trip count minus 1.
    let one = make.function.i32(-1);
    let (factor, fewest) = (
        make.function.i32(factor as i32),
        make.function.i32(factor as i32 - 1),
    );
    let zero = make.function.i32(0);
    let distance = make.inst(Op::Sub, Type::I32, &[count.bound, first[count.param]]);
    let distance = make.inst(Op::Add, Type::I32, &[distance, one]);
    let others = make.inst(Op::Div { signed: false }, Type::I32, &[distance, step]);
    let plus = make.function.i32(1);
    let all = make.inst(Op::Add, Type::I32, &[others, plus]);
    let rest = make.inst(Op::Rem { signed: false }, Type::I32, &[all, factor]);
    let compare = |cmp: Compare| Op::ICmp { cmp, signed: false };
    let many = make.inst(compare(Compare::Ge), Type::I1, &[others, fewest]);
    let some = make.inst(compare(Compare::Ne), Type::I1, &[rest, zero]);
    let mut with_rest = first.clone();
    with_rest.push(rest);
    make.function.at_mut(entry).end = End::Branch {
        cond: some,
        then: to(rest_header, &with_rest),
        els: to(group.first(this), &first),
    };
    make.block = rest_iteration.block(tail.latch);
    let fewer = make.inst(Op::Add, Type::I32, &[left, one]);
    let again = make.inst(compare(Compare::Ne), Type::I1, &[fewer, zero]);
    let next = rest_iteration.values_of(&tail.back.args);
    let mut with_fewer = next.clone();
    with_fewer.push(fewer);
    let block = make.block;
    make.function.at_mut(block).end = End::Branch {
        cond: again,
        then: to(rest_header, &with_fewer),
        els: to(between, &[]),
    };
    make.function.at_mut(between).end = End::Branch {
        cond: many,
        then: to(group.first(this), &next),
        els: Edge {
            to: tail.exit.to,
            args: rest_iteration.values_of(&tail.exit.args),
        },
    };
    if let Some(last) = group.copies.last() {
        let back = to(group.first(this), &last.values_of(&tail.back.args));
        let exit = to(tail.exit.to, &last.values_of(&tail.exit.args));
        let (then, els) = if tail.continues_if {
            (back, exit)
        } else {
            (exit, back)
        };
        function.at_mut(last.block(tail.latch)).end = End::Branch {
            cond: last.value(tail.cond),
            then,
            els,
        };
    }
    repair_copies(
        function,
        &outside,
        std::iter::once(&rest_iteration).chain(&group.copies),
    );
}

/// The first part of both forms of an unrolled loop.
struct Front {
    /// The block that all edges into the loop now target. `first` holds its parameters, which match the header's.
    entry: BlockId,
    first: Vec<Value>,
    /// Values that the loop defines and other blocks use, with the blocks that define them. Includes the
    /// values on the loop's exit edge: the new block that replaces this exit uses them, too.
    outside: BTreeMap<Value, BlockId>,
}

impl Front {
    fn of(function: &mut Function, this: &Loop, tail: &Tail) -> Self {
        let defined: BTreeMap<Value, BlockId> = (this.blocks.iter())
            .flat_map(|id| function.at(*id).defined().map(|value| (value, *id)))
            .collect();
        let mut outside: BTreeMap<Value, BlockId> =
            used_outside(function, &this.blocks).into_iter().collect();
        let exits = tail.exit.args.iter();
        outside.extend(exits.filter_map(|value| Some((*value, *defined.get(value)?))));
        let preds: Vec<BlockId> = (0..function.blocks.len() as u32)
            .map(BlockId)
            .filter(|id| !this.blocks.contains(id))
            .collect();
        let (entry, first) = before_header(function, this, &preds);
        Self {
            entry,
            first,
            outside,
        }
    }
}

/// Adds a block with the header's parameters, and redirects the edges from `from` into the loop to this block.
fn before_header(function: &mut Function, this: &Loop, from: &[BlockId]) -> (BlockId, Vec<Value>) {
    let id = function.redirect_through(from, this.header);
    function.at_mut(id).span = function.at(this.header).span;
    (id, function.at(id).params.clone())
}

fn repair_copies<'a>(
    function: &mut Function,
    outside: &BTreeMap<Value, BlockId>,
    copies: impl Iterator<Item = &'a Copies> + Clone,
) {
    let variables: Vec<Variable> = (outside.iter())
        .map(|(value, block)| Variable {
            definitions: std::iter::once((*block, *value))
                .chain(
                    copies
                        .clone()
                        .map(|copy| (copy.block(*block), copy.value(*value))),
                )
                .collect(),
        })
        .collect();
    repair::run(function, &variables);
}

/// Consecutive copies of a loop's body, one per iteration.
struct Copied {
    copies: Vec<Copies>,
}

impl Copied {
    fn of(function: &mut Function, this: &Loop, tail: &Tail, factor: u32) -> Self {
        let copies: Vec<Copies> = (0..factor).map(|_| Copies::of(function, &this.blocks)).collect();
        for (idx, copy) in copies.iter().enumerate() {
            function.at_mut(copy.block(this.header)).unroll = Unroll::By(1);
            if let Some(following) = copies.get(idx + 1) {
                let next = copy.values_of(&tail.back.args);
                function.at_mut(copy.block(tail.latch)).end =
                    End::Jump(to(following.block(this.header), &next));
            }
        }
        Self { copies }
    }

    fn first(&self, this: &Loop) -> BlockId {
        self.copies
            .first()
            .map_or(this.header, |copy| copy.block(this.header))
    }
}

fn to(to: BlockId, args: &[Value]) -> Edge {
    Edge {
        to,
        args: args.to_vec(),
    }
}

/// Unrolls a loop whose step is a constant. `factors`: the factor of the loop, then those of the groups that run
/// once.
fn unroll_constant_step(
    function: &mut Function,
    this: &Loop,
    tail: &Tail,
    count: &Count,
    step: i64,
    factors: &[u32],
) {
    let Front {
        entry,
        first,
        outside,
    } = Front::of(function, this, tail);
    let span = function.at(this.header).span;
    // Before each group of iterations, and before the original loop, a block tests whether enough remain.
    let checks: Vec<(BlockId, Vec<Value>)> = (0..=factors.len())
        .map(|_| before_header(function, this, &[]))
        .collect();
    let groups: Vec<Copied> = (factors.iter())
        .map(|number| Copied::of(function, this, tail, *number))
        .collect();
    let (signed, lt) = (count.signed, Compare::Lt);
    let gt = Compare::Gt;
    let mut make = Make {
        function,
        block: entry,
        span,
    };
    // The first iteration always runs: without a second one, control enters the original loop.
    let start = first[count.param];
    let ty = make.function.ty(start);
    let number = |function: &mut Function, number: i64| function.constant(ty, number as u64);
    let bound = if count.inclusive {
        // If the bound is the greatest number, the sum wraps to the least, and only the original loop runs.
        let one = number(make.function, 1);
        make.inst(Op::Add, ty, &[count.bound, one])
    } else {
        count.bound
    };
    let more = make.inst(Op::ICmp { cmp: lt, signed }, Type::I1, &[start, bound]);
    let spare = |factor: u32| i64::from(factor - 1) * step;
    let spare_value = number(make.function, spare(factors[0]));
    let limit = make.inst(Op::Sub, ty, &[bound, spare_value]);
    make.function.at_mut(entry).end = End::Branch {
        cond: more,
        then: to(checks[0].0, &first),
        els: to(this.header, &first),
    };
    for (idx, group) in groups.iter().enumerate() {
        let (block, params) = &checks[idx];
        let after = &checks[idx + 1];
        make.block = *block;
        let rest = make.inst(Op::Sub, ty, &[bound, params[count.param]]);
        let spare_value = number(make.function, spare(factors[idx]));
        let many = make.inst(Op::ICmp { cmp: gt, signed }, Type::I1, &[rest, spare_value]);
        make.function.at_mut(*block).end = End::Branch {
            cond: many,
            then: to(group.first(this), params),
            els: to(after.0, params),
        };
        let Some(last) = group.copies.last() else { continue };
        let latch = last.block(tail.latch);
        let next = last.values_of(&tail.back.args);
        if idx > 0 {
            make.function.at_mut(latch).end = End::Jump(to(after.0, &next));
            continue;
        }
        // While `next < bound - (factor - 1) * step`, at least `factor` iterations remain.
        make.block = latch;
        let again = make.inst(
            Op::ICmp { cmp: lt, signed },
            Type::I1,
            &[next[count.param], limit],
        );
        make.function.at_mut(latch).end = End::Branch {
            cond: again,
            then: to(group.first(this), &next),
            els: to(after.0, &next),
        };
    }
    let Some((block, params)) = checks.last() else {
        return;
    };
    make.block = *block;
    let remains = make.inst(
        Op::ICmp { cmp: lt, signed },
        Type::I1,
        &[params[count.param], bound],
    );
    function.at_mut(*block).end = End::Branch {
        cond: remains,
        then: to(this.header, params),
        els: tail.exit.clone(),
    };
    function.at_mut(this.header).unroll = Unroll::By(1);
    repair_copies(function, &outside, groups.iter().flat_map(|group| &group.copies));
}

/// Appends operations to a block.
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
