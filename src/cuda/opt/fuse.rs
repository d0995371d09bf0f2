//! Fuses products and sums, by the rules of nvcc.
//!
//! A product is fused if only sums and differences use it. In a difference of two products, the left product is
//! fused. In a sum, the product whose operands are available first is fused; the left one if both are available
//! at the same time. If a product has several uses, all of them must be in its own basic block.

use crate::ir::flow::Flow;
use crate::ir::flow::dominators::Dominators;
use crate::ir::flow::loops::Loops;
use crate::ir::{Def, Function, Inst, Op, Rounding, Type, Value};

/// Fuses products and sums. `truncating`: single precision uses 1.x's FMAD.
pub(super) fn run(function: &mut Function, truncating: bool) {
    let flow = Flow::of(function);
    let dominators = Dominators::of(function, &flow);
    let loops = Loops::of(function, &flow, &dominators);
    let mut scan = Scan {
        function,
        infos: vec![Info::default(); function.values.len()],
        block: 0,
        loop_number: 0,
        time: 1,
        any: false,
    };
    for id in &flow.order {
        let block = function.at(*id);
        scan.block = id.0;
        scan.loop_number = loops.innermost(*id).map_or(0, |this| this.0 + 1);
        scan.arrive(&block.params);
        block.insts.iter().for_each(|inst| scan.inst(inst));
        block.end.uses(&mut |value| scan.other(value));
    }
    if !scan.any {
        return;
    }
    let infos = scan.infos;
    let mut fuse = Fuse {
        function,
        infos,
        truncating,
    };
    for id in &flow.order {
        let insts = std::mem::take(&mut fuse.function.at_mut(*id).insts);
        let mut out = Vec::with_capacity(insts.len());
        for mut inst in insts {
            fuse.inst(&mut inst, &mut out);
            out.push(inst);
        }
        fuse.function.at_mut(*id).insts = out;
    }
}

/// Facts about a value.
#[derive(Clone, Debug, Default)]
struct Info {
    def: Option<(Op, [Value; 2])>,
    relaxed: bool,
    block: u32,
    /// The innermost loop that computes the value.
    loop_number: u32,
    /// When the value is available.
    time: u64,
    /// Uses as an operand of a sum or difference, with their blocks and loops; other uses.
    sums: Vec<(u32, u32)>,
    others: u32,
    /// Negations of the value.
    negations: Vec<Value>,
}

struct Scan<'a> {
    function: &'a Function,
    infos: Vec<Info>,
    block: u32,
    loop_number: u32,
    time: u64,
    any: bool,
}

/// Time steps between two loads: more than any chain of operations has.
const STEP: u64 = 1 << 20;

impl Scan<'_> {
    fn other(&mut self, value: Value) {
        self.infos[value.0 as usize].others += 1;
    }

    fn arrive(&mut self, values: &[Value]) {
        self.time += STEP;
        for value in values {
            self.infos[value.0 as usize].time = self.time;
        }
    }

    fn inst(&mut self, inst: &Inst) {
        let relaxed = |value: Value| self.function.values[value.0 as usize].relaxed;
        let sum =
            matches!(inst.op, Op::FAdd(Rounding::Rn) | Op::FSub(Rounding::Rn)) && relaxed(inst.results[0]);
        for arg in &inst.args {
            let (block, loop_number) = (self.block, self.loop_number);
            let info = &mut self.infos[arg.0 as usize];
            if sum {
                info.sums.push((block, loop_number));
            } else if inst.op == Op::FNeg {
                info.negations.push(inst.results[0]);
            } else {
                info.others += 1;
            }
        }
        if !super::effects::pure(inst.op) || inst.args.is_empty() {
            self.arrive(&inst.results);
            return;
        }
        let time = inst
            .args
            .iter()
            .map(|arg| self.infos[arg.0 as usize].time)
            .max()
            .unwrap_or(0)
            + 1;
        if let [result] = inst.results[..] {
            let relaxed = relaxed(result);
            let info = &mut self.infos[result.0 as usize];
            info.time = time;
            info.block = self.block;
            info.loop_number = self.loop_number;
            info.relaxed = relaxed;
            if let [a, ..] = inst.args[..] {
                info.def = Some((inst.op, [a, inst.args.get(1).copied().unwrap_or(a)]));
            }
            self.any |= inst.op == Op::FMul(Rounding::Rn) && relaxed;
        }
    }
}

struct Fuse<'a> {
    function: &'a mut Function,
    infos: Vec<Info>,
    truncating: bool,
}

/// A product that can be fused.
#[derive(Clone, Copy)]
struct Product {
    factors: [Value; 2],
    negated: bool,
    time: u64,
}

impl Fuse<'_> {
    fn info(&self, value: Value) -> Option<&Info> {
        self.infos.get(value.0 as usize)
    }

    fn product(&self, value: Value) -> Option<Product> {
        let info = self.info(value)?;
        let (op, args) = info.def?;
        if op == Op::FNeg && info.others == 0 && info.negations.is_empty() && info.sums.len() == 1 {
            let inner = self.product(args[0])?;
            return Some(Product {
                negated: !inner.negated,
                ..inner
            });
        }
        if op != Op::FMul(Rounding::Rn) || !info.relaxed || info.others > 0 {
            return None;
        }
        let mut uses = info.sums.clone();
        for negation in &info.negations {
            let negation = self.info(*negation)?;
            if negation.others > 0 || !negation.negations.is_empty() {
                return None;
            }
            uses.extend(&negation.sums);
        }
        let fits = match uses[..] {
            [] => false,
            [(_, loop_number)] => loop_number == info.loop_number,
            _ => uses.iter().all(|(block, _)| *block == info.block),
        };
        let time = args
            .iter()
            .map(|arg| self.infos[arg.0 as usize].time)
            .max()
            .unwrap_or(0);
        fits.then_some(Product {
            factors: args,
            negated: false,
            time,
        })
    }

    fn inst(&mut self, inst: &mut Inst, out: &mut Vec<Inst>) {
        let subtract = match inst.op {
            Op::FAdd(Rounding::Rn) => false,
            Op::FSub(Rounding::Rn) => true,
            _ => return,
        };
        if !self.function.values[inst.results[0].0 as usize].relaxed {
            return;
        }
        let (a, b) = (inst.args[0], inst.args[1]);
        let (left, right) = (self.product(a), self.product(b));
        let take_left = match (&left, &right) {
            (None, None) => return,
            (Some(_), None) => true,
            (None, Some(_)) => false,
            (Some(left), Some(right)) => subtract || left.time <= right.time,
        };
        let (product, addend, negate_product, negate_addend) = match (take_left, left, right) {
            (true, Some(left), _) => (left, b, left.negated, subtract),
            (_, _, Some(right)) => (right, a, right.negated != subtract, false),
            _ => return,
        };
        let [mut x, y] = product.factors;
        let mut addend = addend;
        if negate_product {
            x = self.negated(x, inst, out);
        }
        if negate_addend {
            addend = self.negated(addend, inst, out);
        }
        let ty = self.function.ty(inst.results[0]);
        inst.op = Op::FFma {
            round: Rounding::Rn,
            truncating: self.truncating && ty == Type::F32,
        };
        inst.args = vec![x, y, addend];
    }

    fn negated(&mut self, value: Value, inst: &Inst, out: &mut Vec<Inst>) -> Value {
        let ty = self.function.ty(value);
        if let Def::Const(bits) = self.function.def(value)
            && let Some(bits) = crate::ir::fold::eval(Op::FNeg, ty, &[ty], &[bits])
        {
            return self.function.constant(ty, bits);
        }
        if let Some((Op::FNeg, [inner, _])) = self.info(value).and_then(|info| info.def) {
            return inner;
        }
        let result = self.function.value(ty);
        out.push(Inst {
            op: Op::FNeg,
            args: vec![value],
            results: vec![result],
            span: inst.span,
        });
        result
    }
}
