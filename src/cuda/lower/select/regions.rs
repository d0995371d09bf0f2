//! Control flow: constructs become blocks and branches, with the marks by which diverged lanes
//! meet again, or predicated instructions where bodies are short.

use std::collections::BTreeMap;

use super::super::machine::{COPY_LUT, Code, VReg};
use super::{
    BlockId, Class, FIRST_ARGUMENT, Generation, Loc, Op, Place, Select, Type, VInst, VPred, VSrc, Value, ir,
};
use crate::cuda::ir::{Block, End, If, Label, Loop, Node, Region};
use crate::isa::{BarrierReg, Token};

/// How diverged lanes meet at the end of a construct.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meeting {
    Barrier(u8),
    Token(Token),
}

/// A construct that code is being selected inside of.
#[derive(Clone, Debug)]
pub(super) struct Construct {
    label: Option<Label>,
    /// Where lanes meet at its end, where they can come at different times.
    meeting: Option<Meeting>,
    /// The same for the start of a loop's next turn, with the block where they meet.
    turn: Option<(Meeting, BlockId)>,
    exit: BlockId,
    head: Option<BlockId>,
    results: Vec<Loc>,
    params: Vec<Loc>,
}

/// Ways out of a region to constructs around it: whether lanes can take them at different times.
/// The key says whether the way is a `Continue`.
#[derive(Clone, Debug, Default)]
pub(super) struct Exits {
    ways: BTreeMap<(Label, bool), Way>,
    /// Whether a function's lanes return from inside.
    returns: Option<Way>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Way {
    divergent: bool,
    num: u32,
    /// Whether it leads out of a construct that has a meeting.
    crosses: bool,
}

impl Exits {
    fn add(&mut self, key: (Label, bool), way: Way) {
        let slot = self.ways.entry(key).or_default();
        slot.divergent |= way.divergent;
        slot.crosses |= way.crosses;
        slot.num += way.num;
    }

    fn add_return(&mut self, way: Way) {
        let slot = self.returns.get_or_insert_with(Way::default);
        slot.divergent |= way.divergent;
        slot.crosses |= way.crosses;
        slot.num += way.num;
    }

    fn merge(&mut self, other: Self, divergent: bool, crosses: bool) {
        let mark = |way: Way| Way {
            divergent: way.divergent || divergent,
            crosses: way.crosses || crosses,
            num: way.num,
        };
        for (key, way) in other.ways {
            self.add(key, mark(way));
        }
        if let Some(way) = other.returns {
            self.add_return(mark(way));
        }
    }

    fn any_divergent(&self) -> bool {
        self.ways.values().chain(&self.returns).any(|way| way.divergent)
    }
}

/// Whether a region's end is reached, so that what follows the construct runs.
fn comes_out(region: &Region) -> bool {
    matches!(region.end, End::Yield(_))
}

impl<'a> Select<'a> {
    fn diverges(&self, cond: Value) -> bool {
        !self.function.is_uniform(cond)
    }

    /// Ways out of a region, and whether some of its lanes may be missing at its end.
    fn exits(&self, region: &Region) -> (Exits, bool) {
        let mut exits = Exits::default();
        let mut thinned = false;
        for node in &region.nodes {
            let inner = match node {
                Node::Inst(_) => continue,
                Node::If(choice) => {
                    let divergent = self.diverges(choice.cond);
                    let (then, _) = self.exits(&choice.then);
                    let (els, _) = self.exits(&choice.els);
                    let meets = divergent && comes_out(&choice.then) && comes_out(&choice.els);
                    let mut both = Exits::default();
                    both.merge(then, divergent, meets);
                    both.merge(els, divergent, meets);
                    both
                }
                Node::Loop(repeat) => {
                    let (mut inner, thin) = self.exits(&repeat.body);
                    let divergent = self.loop_diverges(repeat, &inner, thin);
                    inner.ways.remove(&(repeat.label, false));
                    inner.ways.remove(&(repeat.label, true));
                    let mut outer = Exits::default();
                    outer.merge(inner, divergent, divergent);
                    outer
                }
                Node::Block(block) => {
                    let (mut inner, _) = self.exits(&block.body);
                    let divergent = self.block_diverges(block, &inner);
                    inner.ways.remove(&(block.label, false));
                    let mut outer = Exits::default();
                    outer.merge(inner, divergent, divergent);
                    outer
                }
            };
            let loses = inner.any_divergent();
            exits.merge(inner, thinned, false);
            thinned |= loses;
        }
        let way = Way {
            divergent: thinned,
            num: 1,
            crosses: false,
        };
        match &region.end {
            End::Break(label, _) => exits.add((*label, false), way),
            End::Continue(label, _) => exits.add((*label, true), way),
            End::Return(_) if !self.is_kernel => exits.add_return(way),
            _ => {}
        }
        (exits, thinned)
    }

    /// Whether lanes can leave a loop at different times.
    fn loop_diverges(&self, repeat: &Loop, inside: &Exits, thinned: bool) -> bool {
        let way = inside.ways.get(&(repeat.label, false));
        way.is_some_and(|way| way.divergent) || (comes_out(&repeat.body) && thinned)
    }

    /// Whether lanes can come to a block's end at different times.
    fn block_diverges(&self, block: &Block, inside: &Exits) -> bool {
        let way = inside.ways.get(&(block.label, false));
        way.is_some_and(|way| way.divergent)
    }

    pub(super) fn function_body(&mut self) {
        let body = &self.function.body;
        if self.is_kernel {
            self.region(body, true);
            if !self.is_closed() {
                self.exit();
            }
            return;
        }
        let mut next = FIRST_ARGUMENT;
        for param in &self.function.params {
            let ty = self.ty(*param);
            let fixed = self.argument(ty, &mut next);
            let own = self.result_loc(ty);
            self.copies(&[own], &[fixed], false);
            self.places[param.0 as usize] = Some(own);
        }
        let (exits, thinned) = self.exits(body);
        let divergent = exits.returns.is_some_and(|way| way.divergent) || (comes_out(body) && thinned);
        let results: Vec<Loc> = self
            .function
            .results
            .iter()
            .map(|ty| self.result_loc(*ty))
            .collect();
        let exit = self.new_block();
        let meeting = divergent.then(|| self.meeting(Token::Ret, &exits)).flatten();
        self.open(meeting, exit);
        self.constructs.push(Construct {
            label: None,
            meeting,
            turn: None,
            exit,
            head: None,
            results: results.clone(),
            params: Vec::new(),
        });
        self.region(body, false);
        self.constructs.pop();
        self.close(meeting, exit);
        let mut next = FIRST_ARGUMENT;
        let types = self.function.results.clone();
        let fixed: Vec<Loc> = types.iter().map(|ty| self.argument(*ty, &mut next)).collect();
        self.copies(&fixed, &results, false);
        // The results are read by the caller.
        let mut ret = VInst::new(Op::Ret);
        self.keep_alive(&mut ret, &fixed);
        self.push(ret);
        self.end_block(None);
    }

    /// A register (pair) of the calling convention.
    fn argument(&mut self, ty: Type, next: &mut u8) -> Loc {
        let units = ty.registers().max(1) as u8;
        *next = next.div_ceil(units) * units;
        let vreg = self.code.vreg(Class::General, units);
        self.code.vregs[vreg.0 as usize].fixed = Some(*next);
        *next += units;
        Loc::Reg(Place { vreg, unit: 0 })
    }

    /// Makes an instruction read these registers, which it needs for others' sake.
    fn keep_alive(&mut self, inst: &mut VInst, locs: &[Loc]) {
        inst.uses = self.convention(locs);
    }

    fn convention(&mut self, locs: &[Loc]) -> u32 {
        let vregs = locs.iter().filter_map(|loc| match loc {
            Loc::Reg(place) => Some(place.vreg),
            _ => None,
        });
        self.code.live_outside.push(vregs.collect());
        self.code.live_outside.len() as u32
    }

    pub(super) fn call(&mut self, inst: &'a ir::Inst, callee: ir::FuncId) {
        let Some(function) = self.module.functions.get(callee.0 as usize) else {
            return;
        };
        let mut next = FIRST_ARGUMENT;
        let params: Vec<Loc> = function
            .params
            .iter()
            .map(|param| self.argument(function.ty(*param), &mut next))
            .collect();
        let args: Vec<Loc> = inst.args.iter().map(|arg| self.loc(*arg)).collect();
        self.copies_of(&params, &inst.args, &args);
        let Some(pointer) = self.frame_pointer else { return };
        let pointer = Place {
            vreg: pointer,
            unit: 0,
        };
        // The frame's size is known after allocation: the emitter fills it in.
        self.op_to(
            pointer,
            Op::Iadd3 {
                carry_out: false,
                carry_in: false,
            },
            &[
                VSrc::reg(pointer),
                VSrc::of(super::VOperand::Imm(super::super::machine::FRAME_SIZE)),
            ],
        );
        let mut call = VInst::new(Op::Call {
            target: crate::ids::Pc(callee.0),
        });
        self.keep_alive(&mut call, &params);
        let mut next = FIRST_ARGUMENT;
        let fixed: Vec<Loc> = function
            .results
            .iter()
            .map(|ty| self.argument(*ty, &mut next))
            .collect();
        call.defines = self.convention(&fixed);
        self.push(call);
        self.op_to(
            pointer,
            Op::Iadd3 {
                carry_out: false,
                carry_in: false,
            },
            &[
                VSrc::reg(pointer),
                VSrc::of(super::VOperand::Imm(super::super::machine::FRAME_SIZE)).negated(),
            ],
        );
        for (result, fixed) in inst.results.iter().zip(&fixed) {
            let own = self.result_loc(self.ty(*result));
            self.copies(&[own], &[*fixed], false);
            self.places[result.0 as usize] = Some(own);
        }
    }

    fn exit(&mut self) {
        self.push(VInst::new(Op::Exit));
        self.end_block(None);
    }

    /// Closes the current block with nothing after it but a branch, if one is named.
    fn end_block(&mut self, target: Option<BlockId>) {
        let current = self.current;
        if let Some(target) = target {
            self.push(VInst::new(Op::Bra {
                target: crate::ids::Pc(target.0),
            }));
            self.code.block_mut(current).targets.push(target);
        }
        self.code.block_mut(current).falls = false;
    }

    /// Lanes for which `pred` holds go to the block; the others on to a new one.
    fn branch(&mut self, pred: VPred, target: BlockId) {
        let mut inst = VInst::new(Op::Bra {
            target: crate::ids::Pc(target.0),
        });
        inst.guard = pred;
        let current = self.current;
        self.push(inst);
        self.code.block_mut(current).targets.push(target);
        let next = self.new_block();
        self.start(next);
    }

    /// A meeting of a construct from which these ways lead out. `natural` is the token that SASS
    /// uses for such constructs; another one is taken where a way out needs a token of that kind
    /// of a construct around.
    pub(super) fn meeting(&mut self, natural: Token, exits: &Exits) -> Option<Meeting> {
        if self.target.has_barriers() {
            if self.num_barriers == 16 {
                self.error("The control flow is nested deeper than 16 convergence barriers can follow.");
                return None;
            }
            self.num_barriers += 1;
            return Some(Meeting::Barrier(self.num_barriers - 1));
        }
        let mut taken = Vec::new();
        for construct in &self.constructs {
            let left = |again: bool| {
                construct
                    .label
                    .is_some_and(|label| exits.ways.contains_key(&(label, again)))
            };
            let returns = construct.label.is_none() && construct.head.is_none() && exits.returns.is_some();
            if (left(false) || returns)
                && let Some(Meeting::Token(token)) = construct.meeting
            {
                taken.push(token);
            }
            if left(true)
                && let Some((Meeting::Token(token), _)) = construct.turn
            {
                taken.push(token);
            }
        }
        let free = [natural, Token::Brk, Token::Cont, Token::Ret, Token::Ssy]
            .into_iter()
            .find(|token| !taken.contains(token));
        if free.is_none() {
            self.error("The control flow leaves more nested constructs at once than the reconvergence stack can tell apart.");
        }
        free.map(Meeting::Token)
    }

    /// Marks the start of a construct whose lanes will meet.
    pub(super) fn open(&mut self, meeting: Option<Meeting>, exit: BlockId) {
        let target = crate::ids::Pc(exit.0);
        match meeting {
            Some(Meeting::Barrier(idx)) => self.push(VInst::new(Op::Bssy {
                barrier: BarrierReg(idx),
                target,
            })),
            Some(Meeting::Token(token)) => self.push(VInst::new(Op::Push { token, target })),
            None => {}
        }
    }

    /// The lanes that came to the end of a construct go to where they meet.
    pub(super) fn arrive(&mut self, meeting: Option<Meeting>, exit: BlockId) {
        let current = self.current;
        match meeting {
            Some(Meeting::Token(token)) => {
                self.push(VInst::new(Op::Pop { token }));
                self.code.block_mut(current).targets.push(exit);
                self.end_block(None);
            }
            _ => self.end_block(Some(exit)),
        }
    }

    /// Lanes for which `pred` holds are at the end of a construct already.
    pub(super) fn arrive_if(&mut self, pred: VPred, meeting: Option<Meeting>, exit: BlockId) {
        let Some(Meeting::Token(token)) = meeting else {
            return self.branch(pred, exit);
        };
        let mut inst = VInst::new(Op::Pop { token });
        inst.guard = pred;
        self.push(inst);
        let current = self.current;
        self.code.block_mut(current).targets.push(exit);
        let next = self.new_block();
        self.start(next);
    }

    /// Code goes on at the end of a construct.
    pub(super) fn close(&mut self, meeting: Option<Meeting>, exit: BlockId) {
        self.start(exit);
        if let Some(Meeting::Barrier(idx)) = meeting {
            self.push(VInst::new(Op::Bsync {
                barrier: BarrierReg(idx),
            }));
            self.num_barriers -= 1;
        }
    }

    /// The active lanes leave the constructs inside of the one at `outer`.
    fn leave_inner(&mut self, outer: usize) {
        let mut barriers = Vec::new();
        for construct in self.constructs[outer + 1..].iter().rev() {
            for meeting in [construct.turn.map(|(meeting, _)| meeting), construct.meeting] {
                if let Some(Meeting::Barrier(idx)) = meeting {
                    barriers.push(idx);
                }
            }
        }
        for idx in barriers {
            self.push(VInst::new(Op::Break {
                barrier: BarrierReg(idx),
            }));
        }
    }

    fn find(&self, label: Label) -> Option<usize> {
        self.constructs
            .iter()
            .rposition(|construct| construct.label == Some(label))
    }

    /// Ends a region: `own` tells where its own construct's results go.
    fn end(&mut self, end: &'a End) {
        match end {
            End::Yield(args) => {
                let Some(last) = self.constructs.len().checked_sub(1) else {
                    return self.exit();
                };
                let construct = self.constructs[last].clone();
                self.pass(&construct.results, args);
                if let Some((Meeting::Barrier(idx), _)) = construct.turn {
                    self.push(VInst::new(Op::Break {
                        barrier: BarrierReg(idx),
                    }));
                }
                self.arrive(construct.meeting, construct.exit);
            }
            End::Break(label, args) => {
                let Some(idx) = self.find(*label) else { return };
                let construct = self.constructs[idx].clone();
                self.pass(&construct.results, args);
                self.leave_inner(idx);
                if let Some((Meeting::Barrier(idx), _)) = construct.turn {
                    self.push(VInst::new(Op::Break {
                        barrier: BarrierReg(idx),
                    }));
                }
                self.arrive(construct.meeting, construct.exit);
            }
            End::Continue(label, args) => {
                let Some(idx) = self.find(*label) else { return };
                let construct = self.constructs[idx].clone();
                self.pass(&construct.params, args);
                self.leave_inner(idx);
                match (construct.turn, construct.head) {
                    (Some((meeting, block)), _) => self.arrive(Some(meeting), block),
                    (None, Some(head)) => self.end_block(Some(head)),
                    (None, None) => {}
                }
            }
            End::Return(_) if self.is_kernel => self.exit(),
            End::Return(args) => {
                let construct = self.constructs[0].clone();
                self.pass(&construct.results, args);
                self.leave_inner(0);
                self.arrive(construct.meeting, construct.exit);
            }
            End::Unreachable => {
                if !self.is_closed() {
                    self.end_block(None);
                }
            }
        }
    }

    fn pass(&mut self, to: &[Loc], args: &[Value]) {
        let from: Vec<Loc> = args.iter().map(|arg| self.loc(*arg)).collect();
        self.copies_of(to, args, &from);
    }

    /// Selects a region. With `last`, nothing comes after it but the end of the kernel.
    fn region(&mut self, region: &'a Region, last: bool) {
        let ends = matches!(&region.end, End::Return(_)) && self.is_kernel
            || matches!(&region.end, End::Yield(args) if last && args.is_empty());
        let num = region.nodes.len();
        for (idx, node) in region.nodes.iter().enumerate() {
            if self.is_closed() {
                return;
            }
            match node {
                Node::Inst(inst) => self.inst(inst),
                Node::If(choice) => self.choice(choice, ends && idx + 1 == num),
                Node::Loop(repeat) => self.repeat(repeat),
                Node::Block(block) => self.block(block),
            }
        }
        if self.is_closed() {
            return;
        }
        if ends {
            self.exit();
        } else {
            self.end(&region.end);
        }
    }

    /// A place for a result of a type.
    fn result_loc(&mut self, ty: Type) -> Loc {
        if ty == Type::I1 {
            Loc::Pred(VPred::of(self.code.vreg(Class::Predicate, 1)))
        } else {
            Loc::Reg(self.fresh(ty.registers() as u8))
        }
    }

    fn result_locs(&mut self, values: &[Value]) -> Vec<Loc> {
        values
            .iter()
            .map(|value| self.result_loc(self.ty(*value)))
            .collect()
    }

    fn settle(&mut self, values: &[Value], locs: &[Loc]) {
        for (value, loc) in values.iter().zip(locs) {
            self.places[value.0 as usize] = Some(*loc);
        }
    }

    fn choice(&mut self, choice: &'a If, last: bool) {
        if choice.span.line > 0 {
            self.span = choice.span;
        }
        let cond = self.pred(choice.cond);
        let divergent = self.diverges(choice.cond);
        if !last
            && choice.then.nodes.is_empty()
            && choice.els.nodes.is_empty()
            && let (End::Yield(then), End::Yield(els)) = (&choice.then.end, &choice.els.end)
        {
            for ((result, a), b) in choice.results.iter().zip(then).zip(els) {
                self.select_value(*result, cond, *a, *b);
            }
            return;
        }
        if cond.vreg.is_some() && self.can_be_predicated(choice, divergent, last) {
            return self.predicated(choice, cond);
        }
        if last {
            let els = self.new_block();
            self.branch(cond.inverted(), els);
            self.region(&choice.then, true);
            self.start(els);
            self.region(&choice.els, true);
            return;
        }
        let meets = comes_out(&choice.then) && comes_out(&choice.els);
        let meeting = if divergent && meets {
            let mut exits = self.exits(&choice.then).0;
            exits.merge(self.exits(&choice.els).0, false, false);
            self.meeting(Token::Ssy, &exits)
        } else {
            None
        };
        let results = self.result_locs(&choice.results);
        let (els, exit) = (self.new_block(), self.new_block());
        self.open(meeting, exit);
        self.constructs.push(Construct {
            label: None,
            meeting,
            turn: None,
            exit,
            // Tells it from a function's body, which has no label either.
            head: Some(exit),
            results: results.clone(),
            params: Vec::new(),
        });
        self.branch(cond.inverted(), els);
        self.region(&choice.then, false);
        self.start(els);
        self.region(&choice.els, false);
        self.constructs.pop();
        self.close(meeting, exit);
        if !comes_out(&choice.then) && !comes_out(&choice.els) {
            self.end_block(None);
        }
        self.settle(&choice.results, &results);
    }

    fn repeat(&mut self, repeat: &'a Loop) {
        if repeat.span.line > 0 {
            self.span = repeat.span;
        }
        let (inside, thinned) = self.exits(&repeat.body);
        let divergent = self.loop_diverges(repeat, &inside, thinned);
        let mut outward = inside.clone();
        outward.ways.remove(&(repeat.label, false));
        let again = outward.ways.remove(&(repeat.label, true));
        let meeting = divergent.then(|| self.meeting(Token::Brk, &outward)).flatten();
        let params = self.result_locs(&repeat.params);
        let results = self.result_locs(&repeat.results);
        self.pass(&params, &repeat.init);
        self.settle(&repeat.params, &params);
        let (head, exit) = (self.new_block(), self.new_block());
        self.open(meeting, exit);
        let construct = Construct {
            label: Some(repeat.label),
            meeting,
            turn: None,
            exit,
            head: Some(head),
            results: results.clone(),
            params,
        };
        self.constructs.push(construct);
        // Lanes that start the next turn at different places meet before it.
        let meets = again.is_some_and(|way| way.crosses || (way.divergent && way.num > 1));
        let turn = if meets {
            // Ways out of the loop itself must not find this token in place of the loop's.
            self.meeting(Token::Cont, &inside)
                .map(|meeting| (meeting, self.new_block()))
        } else {
            None
        };
        if let Some(top) = self.constructs.last_mut() {
            top.turn = turn;
        }
        self.depth += 1;
        self.start(head);
        if let Some((meeting, block)) = turn {
            self.open(Some(meeting), block);
        }
        self.region(&repeat.body, false);
        if let Some((meeting, block)) = turn {
            self.close(Some(meeting), block);
            self.end_block(Some(head));
        }
        self.depth -= 1;
        self.constructs.pop();
        self.close(meeting, exit);
        if !comes_out(&repeat.body) && !inside.ways.contains_key(&(repeat.label, false)) {
            self.end_block(None);
        }
        self.settle(&repeat.results, &results);
    }

    fn block(&mut self, block: &'a Block) {
        let (inside, _) = self.exits(&block.body);
        let divergent = self.block_diverges(block, &inside);
        let mut outward = inside.clone();
        outward.ways.remove(&(block.label, false));
        let meeting = divergent.then(|| self.meeting(Token::Brk, &outward)).flatten();
        let results = self.result_locs(&block.results);
        let exit = self.new_block();
        self.open(meeting, exit);
        self.constructs.push(Construct {
            label: Some(block.label),
            meeting,
            turn: None,
            exit,
            head: None,
            results: results.clone(),
            params: Vec::new(),
        });
        self.region(&block.body, false);
        self.constructs.pop();
        self.close(meeting, exit);
        if !comes_out(&block.body) && !inside.ways.contains_key(&(block.label, false)) {
            self.end_block(None);
        }
        self.settle(&block.results, &results);
    }

    /// result = pred ? a : b.
    pub(super) fn select_value(&mut self, result: Value, pred: VPred, a: Value, b: Value) {
        match self.ty(result) {
            Type::I1 => {
                let (a, b) = (self.pred(a), self.pred(b));
                let all = self.op_pred(Op::Plop3 { lut: 0xca }, &[], &[pred, a, b]);
                self.define_pred(result, all);
            }
            ty if ty.registers() == 2 => {
                let (a, b) = (self.words(a), self.words(b));
                let pair = self.fresh(2);
                for idx in 0..2 {
                    let word = self.select_words(pred, a[idx], b[idx]);
                    self.mov_to(pair.at(idx as u8), VSrc::reg(word));
                }
                self.define(result, pair);
            }
            _ => {
                let (a, b) = (self.src(a), self.src(b));
                let place = self.select_words(pred, a, b);
                self.define(result, place);
            }
        }
    }

    /// Whether both arms are short enough, and of such instructions, that predicates serve better
    /// than a branch.
    fn can_be_predicated(&self, choice: &If, divergent: bool, last: bool) -> bool {
        let yields = |region: &Region| comes_out(region);
        if !yields(&choice.then) || !yields(&choice.els) || self.guard != VPred::TRUE {
            return false;
        }
        let limit = self
            .target
            .predication_limit(divergent || !self.target.is(Generation::Tesla));
        let (Some(then), Some(els)) = (
            self.predicated_cost(&choice.then),
            self.predicated_cost(&choice.els),
        ) else {
            return false;
        };
        // At the end of a kernel an early exit is as short.
        if last && (els == 0 || then == 0) {
            return false;
        }
        then <= limit && els <= limit && then + els <= limit + 4
    }

    fn predicated_cost(&self, region: &Region) -> Option<u32> {
        let mut sum = 0;
        for node in &region.nodes {
            let Node::Inst(inst) = node else { return None };
            sum += self.cost(inst)?;
        }
        Some(sum)
    }

    /// Instructions that an operation becomes, about; `None` if it must not be predicated.
    fn cost(&self, inst: &ir::Inst) -> Option<u32> {
        use ir::Op as I;
        let wide = inst
            .results
            .first()
            .or(inst.args.first())
            .is_some_and(|value| matches!(self.ty(*value), Type::I64));
        let pieces = !self.target.multiplies_32_bits();
        Some(match inst.op {
            I::Div { .. }
            | I::Rem { .. }
            | I::FDiv(_)
            | I::FRcp(_)
            | I::FSqrt(_)
            | I::FRsqrt
            | I::Barrier(_)
            | I::Shfl(_)
            | I::Vote(_)
            | I::Match { .. }
            | I::WarpSync
            | I::Nanosleep
            | I::Trap
            | I::Membar(_)
            | I::Call(_) => return None,
            I::FNeg | I::FAbs | I::Low | I::High | I::Bitcast | I::Pair => 0,
            // Part of the address's multiply-add.
            I::MulWide { .. } | I::SignExtend | I::ZeroExtend if self.target.is(Generation::Volta) => 0,
            I::MulWide { .. } => 2,
            I::Mul | I::MulHigh { .. } => match (wide, pieces) {
                (true, true) => 12,
                (true, false) => 3,
                (false, true) => 3,
                (false, false) => 1,
            },
            I::PtrAdd if self.target.wide_pointers => 2,

            I::Popc | I::Clz | I::Brev | I::BytePerm if !self.target.has_bit_instructions() => 12,
            _ if wide => 2,
            _ => 1,
        })
    }

    /// Both arms one after the other, each under its predicate.
    fn predicated(&mut self, choice: &'a If, cond: VPred) {
        let (End::Yield(then_args), End::Yield(els_args)) = (&choice.then.end, &choice.els.end) else {
            return;
        };
        let results = self.result_locs(&choice.results);
        // An arm without instructions: its values are there beforehand, and the other arm works on
        // them in place.
        let (body, body_args, other_args, guard) = if choice.els.nodes.is_empty() {
            (&choice.then, then_args, Some(els_args), cond)
        } else if choice.then.nodes.is_empty() {
            (&choice.els, els_args, Some(then_args), cond.inverted())
        } else {
            (&choice.then, then_args, None, cond)
        };
        let mut renamed: Vec<(Value, Option<Loc>)> = Vec::new();
        if let Some(args) = other_args {
            self.pass(&results, args);
            for (arg, result) in args.iter().zip(&results) {
                let is_own = matches!(self.function.def(*arg), ir::Def::Node);
                if is_own && !renamed.iter().any(|(value, _)| value == arg) {
                    renamed.push((*arg, self.places[arg.0 as usize]));
                    self.places[arg.0 as usize] = Some(*result);
                }
            }
        }
        self.arm(body, guard);
        let from: Vec<Loc> = body_args.iter().map(|arg| self.loc(*arg)).collect();
        let old = self.set_guard(guard);
        self.copies_keeping(&results, body_args, &from, other_args.is_some());
        self.set_guard(old);
        for (value, loc) in renamed {
            self.places[value.0 as usize] = loc;
        }
        if other_args.is_none() {
            self.arm(&choice.els, guard.inverted());
            let from: Vec<Loc> = els_args.iter().map(|arg| self.loc(*arg)).collect();
            let old = self.set_guard(guard.inverted());
            self.copies_keeping(&results, els_args, &from, true);
            self.set_guard(old);
        }
        self.settle(&choice.results, &results);
    }

    fn arm(&mut self, region: &'a Region, guard: VPred) {
        let old = self.set_guard(guard);
        for node in &region.nodes {
            if let Node::Inst(inst) = node {
                self.inst(inst);
            }
        }
        self.set_guard(old);
    }

    fn copies(&mut self, to: &[Loc], from: &[Loc], keeps: bool) {
        let mut moves = Vec::new();
        for (to, from) in to.iter().zip(from) {
            if let (Loc::Reg(to), Loc::Reg(from)) = (to, from) {
                let units = self.code.info(to.vreg).units;
                moves.push(Move::Words(*to, VSrc::reg(*from), units));
            } else {
                moves.extend(piecewise(*to, *from));
            }
        }
        self.parallel(moves, keeps);
    }

    fn copies_of(&mut self, to: &[Loc], args: &[Value], from: &[Loc]) {
        self.copies_keeping(to, args, from, false);
    }

    fn copies_keeping(&mut self, to: &[Loc], args: &[Value], from: &[Loc], keeps: bool) {
        let mut moves = Vec::new();
        for ((to, arg), from) in to.iter().zip(args).zip(from) {
            match (to, from) {
                (Loc::Reg(place), _) if !matches!(self.function.def(*arg), ir::Def::Undef) => {
                    let units = self.ty(*arg).registers() as u8;
                    if let (Loc::Reg(source), None) = (from, self.immediate(*arg)) {
                        moves.push(Move::Words(*place, VSrc::reg(*source), units));
                    } else {
                        for idx in 0..units {
                            let src = self.word(*arg, idx);
                            moves.push(Move::Words(place.at(idx), src, 1));
                        }
                    }
                }
                (to, from) => moves.extend(piecewise(*to, *from)),
            }
        }
        self.parallel(moves, keeps);
    }

    /// Copies that happen at once, one after the other in an order that gives the same.
    fn parallel(&mut self, mut moves: Vec<Move>, keeps: bool) {
        moves.retain(|step| !step.is_idle());
        while !moves.is_empty() {
            let free = moves.iter().enumerate().position(|(idx, step)| {
                !moves
                    .iter()
                    .enumerate()
                    .any(|(other, reader)| other != idx && reader.reads(step))
            });
            if let Some(idx) = free {
                let step = moves.remove(idx);
                self.one_move(step, keeps);
                continue;
            }
            // A cycle: the first one's target is saved, and its readers read the copy.
            let saved = match moves[0] {
                Move::Words(place, _, _) => {
                    let whole = Place {
                        vreg: place.vreg,
                        unit: 0,
                    };
                    let units = self.code.info(place.vreg).units;
                    let copy = self.fresh(units);
                    self.one_move(Move::Words(copy, VSrc::reg(whole), units), false);
                    Loc::Reg(copy)
                }
                Move::Pred(vreg, _) => {
                    let copy = self.code.vreg(Class::Predicate, 1);
                    self.one_move(Move::Pred(copy, VPred::of(vreg)), false);
                    Loc::Pred(VPred::of(copy))
                }
            };
            let target = moves[0];
            for step in &mut moves {
                match (step, target, saved) {
                    (Move::Words(_, src, _), Move::Words(place, _, _), Loc::Reg(copy)) => {
                        if let Some(read) = src.place()
                            && read.vreg == place.vreg
                        {
                            src.operand = super::VOperand::Reg(copy.at(read.unit));
                        }
                    }
                    (Move::Pred(_, src), Move::Pred(vreg, _), Loc::Pred(copy)) => {
                        if src.vreg == Some(vreg) {
                            src.vreg = copy.vreg;
                        }
                    }
                    _ => {}
                }
            }
        }
    }

    fn one_move(&mut self, step: Move, keeps: bool) {
        let mut inst = match step {
            Move::Words(place, src, units) => {
                let mut inst = VInst::new(Op::Mov);
                inst.dst = Some(place);
                inst.srcs[0] = src;
                if src.place().is_some() {
                    inst.copy = units;
                }
                inst
            }
            Move::Pred(vreg, src) => {
                let mut inst = VInst::new(Op::Plop3 { lut: COPY_LUT });
                inst.pdst = Some(vreg);
                inst.psrcs[0] = src;
                if src.vreg.is_some() && !src.negate {
                    inst.copy = 1;
                }
                inst
            }
        };
        inst.keeps = keeps;
        self.push(inst);
    }
}

/// One of several copies that happen at once.
#[derive(Clone, Copy, Debug)]
enum Move {
    Words(Place, VSrc, u8),
    Pred(VReg, VPred),
}

impl Move {
    fn is_idle(&self) -> bool {
        match self {
            Self::Words(place, src, _) => src.place() == Some(*place),
            Self::Pred(vreg, src) => *src == VPred::of(*vreg),
        }
    }

    /// Whether it reads what `other` writes.
    fn reads(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Words(_, src, units), Self::Words(place, _, width)) => src.place().is_some_and(|read| {
                read.vreg == place.vreg && read.unit < place.unit + width && place.unit < read.unit + units
            }),
            (Self::Pred(_, src), Self::Pred(vreg, _)) => src.vreg == Some(*vreg),
            _ => false,
        }
    }
}

fn piecewise(to: Loc, from: Loc) -> Vec<Move> {
    match (to, from) {
        (Loc::Pred(to), Loc::Pred(from)) => to.vreg.map(|vreg| Move::Pred(vreg, from)).into_iter().collect(),
        _ => Vec::new(),
    }
}

/// Lets the instruction that computes a value for a predicated copy write the copy's target itself.
pub(in crate::cuda::lower) fn sink_copies(code: &mut Code) {
    let mut reads = vec![0u32; code.vregs.len()];
    let mut writes = vec![0u32; code.vregs.len()];
    for inst in code.blocks.iter().flat_map(|block| &block.insts) {
        for vreg in inst
            .read_places()
            .map(|(place, _)| place.vreg)
            .chain(inst.read_predicates())
        {
            reads[vreg.0 as usize] += 1;
        }
        for vreg in inst.dst.map(|place| place.vreg).into_iter().chain(inst.pdst) {
            writes[vreg.0 as usize] += 1;
        }
    }
    let infos = code.vregs.clone();
    for block in &mut code.blocks {
        for idx in 0..block.insts.len() {
            let copy = block.insts[idx];
            if copy.copy == 0 || copy.guard == VPred::TRUE {
                continue;
            }
            let (Some(target), Some(source)) = (copy.dst, copy.srcs[0].place()) else {
                continue;
            };
            let units = infos[source.vreg.0 as usize].units;
            let whole = source.unit == 0 && units == copy.copy;
            if !whole || reads[source.vreg.0 as usize] != 1 || writes[source.vreg.0 as usize] != 1 {
                continue;
            }
            let Some(at) = block.insts[..idx]
                .iter()
                .rposition(|inst| inst.dst.is_some_and(|place| place.vreg == source.vreg))
            else {
                continue;
            };
            let touches = block.insts[at + 1..idx].iter().any(|inst| {
                inst.read_places().any(|(place, _)| place.vreg == target.vreg)
                    || inst.dst.is_some_and(|place| place.vreg == target.vreg)
            });
            let maker = &block.insts[at];
            let aligned = infos[target.vreg.0 as usize].units == units && target.unit == 0;
            if touches || maker.guard != copy.guard || !aligned || maker.pdst.is_some() {
                continue;
            }
            // The guard's predicate must not change in between.
            let changes = block.insts[at..idx]
                .iter()
                .any(|inst| inst.pdst == copy.guard.vreg);
            if changes {
                continue;
            }
            block.insts[at].dst = Some(target);
            block.insts[at].keeps |= copy.keeps;
            block.insts[idx].op = Op::Nop;
            block.insts[idx].dst = None;
            block.insts[idx].copy = 0;
            block.insts[idx].srcs = [VSrc::ZERO; 3];
        }
        block.insts.retain(|inst| inst.op != Op::Nop);
    }
}
