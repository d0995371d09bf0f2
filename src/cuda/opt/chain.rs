//! Computes an address at a known distance from an earlier address by one addition to that address. An example
//! is the addresses of neighboring matrix rows in unrolled loops.
//!
//! Invariant: all paths to the second address compute the first one. Their distance is the same number in exact
//! arithmetic as in the program's arithmetic. 32-bit sums are decomposed only where the language rules out
//! overflow.

use std::collections::BTreeMap;

use crate::ir::flow::Flow;
use crate::ir::flow::dominators::Dominators;
use crate::ir::{BlockId, Function, Inst, Op, Type, Value};

/// Maximum earlier addresses on one base that are candidates.
const RECENT: usize = 8;
/// Maximum depth of the operations that are followed for a distance, and maximum number of its terms.
const DEPTH: u32 = 8;
const TERMS: usize = 8;

/// Computes addresses of a function from earlier ones.
pub(super) fn run(function: &mut Function) {
    let flow = Flow::of(function);
    let dominators = Dominators::of(function, &flow);
    let mut makers: Vec<Option<(Op, [Value; 2])>> = vec![None; function.values.len()];
    let mut uses = vec![0_u32; function.values.len()];
    for inst in flow.order.iter().flat_map(|id| &function.at(*id).insts) {
        if let ([result], args @ ([_] | [_, _])) = (&inst.results[..], &inst.args[..]) {
            let pair = [args[0], args[args.len() - 1]];
            makers[result.0 as usize] = Some((inst.op, pair));
        }
    }
    function.uses(&mut |value| uses[value.0 as usize] += 1);
    let mut recent: BTreeMap<Value, Vec<Seen>> = BTreeMap::new();
    for node in dominators.walk() {
        let id = BlockId(*node);
        let insts = std::mem::take(&mut function.at_mut(id).insts);
        let mut out = Vec::with_capacity(insts.len());
        for mut inst in insts {
            if inst.op == Op::PtrAdd && function.ty(inst.args[0]) == Type::I64 {
                let forms = Forms {
                    function,
                    makers: &makers,
                };
                if let Some(sum) = forms.of(inst.args[1], DEPTH) {
                    let list = recent.entry(inst.args[0]).or_default();
                    list.retain(|seen| dominators.dominates(seen.block.0, *node));
                    let alone = uses[inst.args[1].0 as usize] == 1;
                    let step = list
                        .iter()
                        .rev()
                        .find_map(|seen| seen.step(&sum, function, alone));
                    list.push(Seen {
                        block: id,
                        address: inst.results[0],
                        sum,
                    });
                    if list.len() > RECENT {
                        list.remove(0);
                    }
                    if let Some((address, step)) = step {
                        let distance = step.make(function, &mut out, inst.span);
                        inst.args = vec![address, distance];
                    }
                }
            }
            out.push(inst);
        }
        function.at_mut(id).insts = out;
    }
}

/// A sum of products of values, each with a constant factor. The empty key holds the constant term.
type Sum = BTreeMap<Vec<Value>, i64>;

/// An address that the code has computed, as a sum relative to its base.
struct Seen {
    block: BlockId,
    address: Value,
    sum: Sum,
}

/// The distance between two addresses.
enum Step {
    Number(i64),
    Times(Value, i64),
}

impl Seen {
    /// Returns this address, and the step from this address to another one on the same base. `other` is the
    /// other address's distance from the base. `alone`: nothing else uses that distance, so that the code need
    /// not compute the distance.
    fn step(&self, other: &Sum, function: &Function, alone: bool) -> Option<(Value, Step)> {
        let difference = added(other, &self.sum, -1)?;
        let mut terms = difference.iter();
        let (Some((key, number)), None) = (terms.next(), terms.next()) else {
            return None;
        };
        let fits = i32::try_from(*number).is_ok();
        match key[..] {
            [] if fits => Some((self.address, Step::Number(*number))),
            // The step is one product, which costs no more than the other distance with its several terms.
            [value] if fits && alone && other.len() > 1 && function.ty(value) == Type::I32 => {
                Some((self.address, Step::Times(value, *number)))
            }
            _ => None,
        }
    }
}

impl Step {
    fn make(self, function: &mut Function, out: &mut Vec<Inst>, span: engine::ids::Span) -> Value {
        match self {
            Self::Number(number) => function.constant(Type::I64, number as u64),
            Self::Times(value, number) => {
                let factor = function.i32(number as i32);
                let result = function.value(Type::I64);
                out.push(Inst {
                    op: Op::MulWide { signed: true },
                    args: vec![value, factor],
                    results: vec![result],
                    span,
                });
                result
            }
        }
    }
}

struct Forms<'a> {
    function: &'a Function,
    makers: &'a [Option<(Op, [Value; 2])>],
}

impl Forms<'_> {
    /// Returns a value as a sum, if the sum has few terms.
    fn of(&self, value: Value, depth: u32) -> Option<Sum> {
        if let Some(number) = self.function.const_int(value) {
            return Some(number_alone(number));
        }
        let whole = || Some(Sum::from([(vec![value], 1)]));
        let maker = self.makers.get(value.0 as usize).copied().flatten();
        let Some((op, [a, b])) = maker.filter(|_| depth > 0) else {
            return whole();
        };
        let info = self.function.values[value.0 as usize];
        let taken_apart = info.ty == Type::I64 || (info.ty == Type::I32 && info.relaxed);
        let below = |value: Value| self.of(value, depth - 1);
        let found = match op {
            Op::Add if taken_apart => added(&below(a)?, &below(b)?, 1),
            Op::Sub if taken_apart => added(&below(a)?, &below(b)?, -1),
            Op::Mul if taken_apart => product(&below(a)?, &below(b)?),
            Op::MulWide { signed: true } => product(&below(a)?, &below(b)?),
            Op::SignExtend => below(a),
            Op::Shl if taken_apart => match self.function.const_int(b) {
                Some(by @ 0..=30) => product(&below(a)?, &number_alone(1 << by)),
                _ => None,
            },
            _ => None,
        };
        found.or_else(whole)
    }
}

fn number_alone(number: i64) -> Sum {
    if number == 0 {
        Sum::new()
    } else {
        Sum::from([(Vec::new(), number)])
    }
}

/// Returns `a + times * b`, or `None` on overflow or if the sum has more than `TERMS` terms.
fn added(a: &Sum, b: &Sum, times: i64) -> Option<Sum> {
    let mut sum = a.clone();
    for (key, number) in b {
        let entry = sum.entry(key.clone()).or_default();
        *entry = entry.checked_add(number.checked_mul(times)?)?;
    }
    sum.retain(|_, number| *number != 0);
    (sum.len() <= TERMS).then_some(sum)
}

fn product(a: &Sum, b: &Sum) -> Option<Sum> {
    let mut sum = Sum::new();
    for (x, m) in a {
        for (y, n) in b {
            let mut key = x.clone();
            key.extend(y);
            key.sort_unstable();
            if key.len() > 2 {
                return None;
            }
            let entry = sum.entry(key).or_default();
            *entry = entry.checked_add(m.checked_mul(*n)?)?;
        }
    }
    sum.retain(|_, number| *number != 0);
    (sum.len() <= TERMS).then_some(sum)
}
