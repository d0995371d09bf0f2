//! Control flow: blocks in order, edges as copies and branches, reconvergence of diverged lanes, and predicated
//! branches.

use super::super::converge::Meeting;
use super::super::machine::{COPY_LUT, Code, VReg};
use super::super::shape::Predicated;
use super::{BlockId, Class, FIRST_ARGUMENT, Loc, Op, Place, Select, Type, VInst, VPred, VSrc, Value, ir};
use crate::ir::{Edge, End};
use engine::isa::{BarrierReg, Token};

/// Where control goes at the end of a block.
#[derive(Clone, Copy, PartialEq)]
enum Way {
    To(BlockId),
    /// To a reconvergence point, by the token of its region.
    Meet(Token, BlockId),
}

impl<'a> Select<'a> {
    pub(super) fn function_body(&mut self) {
        if !self.is_kernel {
            let mut next = FIRST_ARGUMENT;
            for param in &self.function.params {
                let ty = self.ty(*param);
                let fixed = self.argument(ty, &mut next);
                let own = self.result_loc(ty);
                self.copies(&[own], &[fixed], false);
                self.places[param.0 as usize] = Some(own);
            }
        }
        for at in 0..self.plan.layout.len() {
            let id = self.plan.layout[at];
            let next = self.plan.layout.get(at + 1).copied();
            self.block(id, next);
        }
    }

    /// Locations of the parameters of a block.
    fn param_locs(&mut self, id: ir::BlockId) -> Vec<Loc> {
        let function = self.function;
        let params = &function.at(id).params;
        (params.iter())
            .map(|param| {
                if let Some(loc) = self.places[param.0 as usize] {
                    loc
                } else {
                    let loc = self.result_loc(self.ty(*param));
                    self.places[param.0 as usize] = Some(loc);
                    loc
                }
            })
            .collect()
    }

    fn block(&mut self, id: ir::BlockId, next: Option<ir::BlockId>) {
        let function = self.function;
        let block = function.at(id);
        self.depth = self.shaped.loops.depth(id);
        self.here = id;
        let machine = self.machine_block(id);
        self.start(machine);
        self.param_locs(id);
        // No lane may wait for a lane that waits here.
        self.leave_at_start(id);
        self.meet_here(id);
        for inst in &block.insts {
            self.inst(inst);
        }
        if let Some(predicated) = self.shaped.predicated.get(&id) {
            if block.span.line > 0 {
                self.span = block.span;
            }
            self.predicated(predicated);
        }
        if block.span.line > 0 {
            self.span = block.span;
        }
        match &block.end {
            End::Jump(edge) => {
                self.pass(edge);
                self.leave_at_end(id, edge.to);
                self.open_regions(id);
                let way = self.way(id, edge.to);
                self.go(way, next);
            }
            End::Branch { cond, then, els } => {
                let cond = self.pred(*cond);
                self.open_regions(id);
                let (then, els) = (self.way(id, then.to), self.way(id, els.to));
                self.choose(cond, then, els, next);
            }
            End::Return(_) if self.is_kernel => {
                self.push(VInst::new(Op::Exit));
                self.end_block();
            }
            End::Return(values) => {
                let mut fixed = Vec::new();
                let mut place = FIRST_ARGUMENT;
                for value in values {
                    let ty = self.ty(*value);
                    fixed.push(self.argument(ty, &mut place));
                }
                let from: Vec<Loc> = values.iter().map(|value| self.loc(*value)).collect();
                self.copies_keeping(&fixed, values, &from, false);
                // The caller reads the results.
                let mut ret = VInst::new(Op::Ret);
                self.keep_alive(&mut ret, &fixed);
                self.push(ret);
                self.end_block();
            }
            End::Unreachable => self.end_block(),
        }
    }

    /// Copies the values of an edge to the parameters of its block.
    fn pass(&mut self, edge: &Edge) {
        let to = self.param_locs(edge.to);
        let from: Vec<Loc> = edge.args.iter().map(|arg| self.loc(*arg)).collect();
        self.copies_keeping(&to, &edge.args, &from, false);
    }

    // ---- reconvergence

    /// Waits for the lanes of the region that ends here.
    fn meet_here(&mut self, id: ir::BlockId) {
        let meetings: Vec<Meeting> = (self.plan.regions_at(id))
            .filter(|region| region.meet == id)
            .map(|region| region.meeting)
            .collect();
        for meeting in meetings {
            if let Meeting::Barrier(number) = meeting {
                self.push(VInst::new(Op::Bsync {
                    barrier: BarrierReg(number),
                }));
            }
        }
    }

    fn open_regions(&mut self, id: ir::BlockId) {
        let opened: Vec<(Meeting, ir::BlockId)> = (self.plan.regions_at(id))
            .filter(|region| region.start == id)
            .map(|region| (region.meeting, region.meet))
            .collect();
        for (meeting, meet) in opened {
            let exit = self.machine_block(meet);
            self.open(Some(meeting), exit);
        }
    }

    /// Barriers of the regions that lanes leave when they go from one block to another, other than to the
    /// reconvergence point. Lanes that exit need not leave: a barrier does not wait for them.
    fn left_by(&self, from: ir::BlockId, to: ir::BlockId) -> Vec<u8> {
        if self.shaped.only_exits(to) {
            return Vec::new();
        }
        let regions = self.plan.regions_at(from);
        let left = regions.filter_map(|region| match region.meeting {
            Meeting::Barrier(number)
                if region.holds(from) && !region.lies_between(to) && region.meet != to =>
            {
                Some(number)
            }
            _ => None,
        });
        left.collect()
    }

    /// If the previous block has several successors, this block has no other predecessor.
    fn leave_at_start(&mut self, id: ir::BlockId) {
        if let [pred] = self.shaped.flow.preds[id.idx()][..]
            && matches!(self.function.at(pred).end, End::Branch { .. })
        {
            self.leave(self.left_by(pred, id));
        }
    }

    fn leave_at_end(&mut self, id: ir::BlockId, to: ir::BlockId) {
        self.leave(self.left_by(id, to));
    }

    fn leave(&mut self, barriers: Vec<u8>) {
        for number in barriers {
            self.push(VInst::new(Op::Break {
                barrier: BarrierReg(number),
            }));
        }
    }

    /// How control goes from one block to another.
    fn way(&mut self, from: ir::BlockId, to: ir::BlockId) -> Way {
        let machine = self.machine_block(to);
        let region = (self.plan.regions_at(from)).find(|region| region.meet == to && region.holds(from));
        match region.map(|region| region.meeting) {
            Some(Meeting::Token(token)) => Way::Meet(token, machine),
            _ => Way::To(machine),
        }
    }

    // ---- branches

    fn machine_block(&mut self, id: ir::BlockId) -> BlockId {
        if let Some(block) = self.machine_blocks[id.idx()] {
            return block;
        }
        let block = self.new_block();
        self.machine_blocks[id.idx()] = Some(block);
        block
    }

    /// Ends the current block without fall-through.
    fn end_block(&mut self) {
        let current = self.current;
        self.code.block_mut(current).falls = false;
    }

    /// Sends lanes for which `guard` holds along a way; the block continues for the others.
    fn go_where(&mut self, guard: VPred, way: Way) {
        let (op, to) = match way {
            Way::To(to) => (
                Op::Bra {
                    target: engine::ids::Pc(to.0),
                },
                to,
            ),
            Way::Meet(token, to) => (Op::Pop { token }, to),
        };
        let mut inst = VInst::new(op);
        inst.guard = guard;
        self.push(inst);
        let current = self.current;
        self.code.block_mut(current).targets.push(to);
    }

    fn go(&mut self, way: Way, next: Option<ir::BlockId>) {
        let falls = matches!(way, Way::To(to) if self.comes_next(to, next));
        if !falls {
            self.go_where(VPred::TRUE, way);
            self.end_block();
        }
    }

    fn comes_next(&self, to: BlockId, next: Option<ir::BlockId>) -> bool {
        next.is_some_and(|next| self.machine_blocks[next.idx()] == Some(to))
    }

    fn choose(&mut self, cond: VPred, then: Way, els: Way, next: Option<ir::BlockId>) {
        if then == els {
            return self.go(then, next);
        }
        let falls = |this: &Self, way: Way| matches!(way, Way::To(to) if this.comes_next(to, next));
        if falls(self, els) {
            self.go_where(cond, then);
        } else {
            self.go_where(cond.inverted(), els);
            self.go(then, next);
        }
    }

    // ---- reconvergence inside an operation

    /// A reconvergence point for lanes that diverge inside one block.
    pub(super) fn local_meeting(&self) -> Option<Meeting> {
        if !self.target.has_barriers() {
            return Some(Meeting::Token(Token::Ssy));
        }
        let taken = self.plan.barriers_at(self.here);
        let free = (!taken).trailing_zeros() as u8;
        (free < 16).then_some(Meeting::Barrier(free))
    }

    /// Marks the start of a region whose lanes reconverge.
    pub(super) fn open(&mut self, meeting: Option<Meeting>, exit: BlockId) {
        let target = engine::ids::Pc(exit.0);
        match meeting {
            Some(Meeting::Barrier(idx)) => self.push(VInst::new(Op::Bssy {
                barrier: BarrierReg(idx),
                target,
            })),
            Some(Meeting::Token(token)) => self.push(VInst::new(Op::Push { token, target })),
            None => {}
        }
    }

    fn way_out(meeting: Option<Meeting>, exit: BlockId) -> Way {
        match meeting {
            Some(Meeting::Token(token)) => Way::Meet(token, exit),
            _ => Way::To(exit),
        }
    }

    /// Sends the lanes at the end of a region to the reconvergence point.
    pub(super) fn arrive(&mut self, meeting: Option<Meeting>, exit: BlockId) {
        self.go_where(VPred::TRUE, Self::way_out(meeting, exit));
        self.end_block();
    }

    /// Sends lanes for which `pred` holds to the end of a region.
    pub(super) fn arrive_if(&mut self, pred: VPred, meeting: Option<Meeting>, exit: BlockId) {
        self.go_where(pred, Self::way_out(meeting, exit));
        let next = self.new_block();
        self.start(next);
    }

    /// Continues at the end of a region.
    pub(super) fn close(&mut self, meeting: Option<Meeting>, exit: BlockId) {
        self.start(exit);
        if let Some(Meeting::Barrier(idx)) = meeting {
            self.push(VInst::new(Op::Bsync {
                barrier: BarrierReg(idx),
            }));
        }
    }

    // ---- calls

    /// A register or register pair of the calling convention.
    fn argument(&mut self, ty: Type, next: &mut u8) -> Loc {
        let units = ty.registers().max(1) as u8;
        *next = next.div_ceil(units) * units;
        let vreg = self.code.vreg(Class::General, units);
        self.code.vregs[vreg.0 as usize].fixed = Some(*next);
        *next += units;
        Loc::Reg(Place { vreg, unit: 0 })
    }

    /// Makes an instruction read these registers, which its caller or callee needs.
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
        self.copies_keeping(&params, &inst.args, &args, false);
        let Some(pointer) = self.frame_pointer else { return };
        let pointer = Place {
            vreg: pointer,
            unit: 0,
        };
        // The frame's size is known after allocation: `emit` fills it in.
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
            target: engine::ids::Pc(callee.0),
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

    // ---- selection without branches

    /// A location for a result of a type.
    fn result_loc(&mut self, ty: Type) -> Loc {
        if ty == Type::I1 {
            Loc::Pred(VPred::of(self.code.vreg(Class::Predicate, 1)))
        } else {
            Loc::Reg(self.fresh(ty.registers() as u8))
        }
    }

    fn settle(&mut self, values: &[Value], locs: &[Loc]) {
        for (value, loc) in values.iter().zip(locs) {
            self.places[value.0 as usize] = Some(*loc);
        }
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

    /// Emits both sides of a branch one after the other, each under its predicate.
    fn predicated(&mut self, choice: &'a Predicated) {
        let cond = self.pred(choice.cond);
        if choice.then.is_empty() && choice.els.is_empty() {
            for ((result, a), b) in choice.results.iter().zip(&choice.then_args).zip(&choice.els_args) {
                self.select_value(*result, cond, *a, *b);
            }
            return;
        }
        let results: Vec<Loc> = (choice.results.iter())
            .map(|value| self.result_loc(self.ty(*value)))
            .collect();
        // A side without instructions: its values are copied first, and the other side updates them in place.
        let (body, body_args, other_args, guard) = if choice.els.is_empty() {
            (&choice.then, &choice.then_args, Some(&choice.els_args), cond)
        } else if choice.then.is_empty() {
            (
                &choice.els,
                &choice.els_args,
                Some(&choice.then_args),
                cond.inverted(),
            )
        } else {
            (&choice.then, &choice.then_args, None, cond)
        };
        let mut renamed: Vec<(Value, Option<Loc>)> = Vec::new();
        if let Some(args) = other_args {
            let from: Vec<Loc> = args.iter().map(|arg| self.loc(*arg)).collect();
            self.copies_keeping(&results, args, &from, false);
            for (arg, result) in args.iter().zip(&results) {
                let is_own = matches!(self.function.def(*arg), ir::Def::Node);
                if is_own && !renamed.iter().any(|(value, _)| value == arg) {
                    renamed.push((*arg, self.places[arg.0 as usize]));
                    self.places[arg.0 as usize] = Some(*result);
                }
            }
        }
        self.side(body, guard);
        let from: Vec<Loc> = body_args.iter().map(|arg| self.loc(*arg)).collect();
        let old = self.set_guard(guard);
        self.copies_keeping(&results, body_args, &from, other_args.is_some());
        self.set_guard(old);
        for (value, loc) in renamed {
            self.places[value.0 as usize] = loc;
        }
        if other_args.is_none() {
            self.side(&choice.els, guard.inverted());
            let from: Vec<Loc> = choice.els_args.iter().map(|arg| self.loc(*arg)).collect();
            let old = self.set_guard(guard.inverted());
            self.copies_keeping(&results, &choice.els_args, &from, true);
            self.set_guard(old);
        }
        self.settle(&choice.results, &results);
    }

    fn side(&mut self, insts: &'a [ir::Inst], guard: VPred) {
        let old = self.set_guard(guard);
        for inst in insts {
            self.inst(inst);
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

    /// Emits parallel copies in a sequential order with the same effect.
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
            // A cycle: saves the first target, and its readers read the saved copy.
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
                    (Move::Pred(_, src), Move::Pred(vreg, _), Loc::Pred(copy)) if src.vreg == Some(vreg) => {
                        src.vreg = copy.vreg;
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

/// One of several parallel copies.
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

    /// Whether this copy reads what `other` writes.
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

/// Lets the instruction that computes a value for a predicated copy write the copy's target directly.
pub(in crate::lower) fn sink_copies(code: &mut Code) {
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
