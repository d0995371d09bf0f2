//! Instruction order inside basic blocks: a loads-first list schedule, so that several loads are in flight at
//! the same time, as far as the registers allow it.
//!
//! Accesses that can touch the same memory, and all instructions with side effects, keep their relative order.

use std::collections::VecDeque;

use super::allocate::registers_at_ends;
use super::machine::{BlockId, Class, Code, Place, VInst, VPred, VReg};
use engine::isa::{Op, Space};

/// Longer blocks are left unchanged: scheduling takes quadratic time.
const MAX_LENGTH: usize = 3000;
/// Maximum live predicates before loads stop moving up.
const MAX_PREDICATES: u32 = 6;
/// Words of shared memory that are loaded before an instruction reads them, at most: as many as hide the latency. Source:
/// SASS of nvcc 13 for tiled products on 7.5 to 9.0, which loads 16 words before the first multiply-add, and then as many as
/// it has consumed.
const SHARED_AHEAD: u32 = 16;

/// Reorders the instructions of each block. Loads move up while at most `room` registers are live.
pub(super) fn schedule(code: &mut Code, room: u32) {
    let ends = registers_at_ends(code);
    for (idx, ends) in ends.iter().enumerate() {
        let num = code.blocks[idx].insts.len();
        if !(3..=MAX_LENGTH).contains(&num) {
            continue;
        }
        let has_loads = code.blocks[idx].insts.iter().filter(|inst| is_load(inst)).count() > 1;
        // Live ranges of calling-convention registers must not overlap.
        let insts = &code.blocks[idx].insts;
        let calls = insts.iter().any(|inst| {
            let mut fixed = false;
            reads(inst, code, |vreg| fixed |= code.info(vreg).fixed.is_some());
            writes(inst, code, |vreg| fixed |= code.info(vreg).fixed.is_some());
            fixed
        });
        if !has_loads || calls {
            continue;
        }
        let order = order_of(code, BlockId(idx as u32), ends, room);
        let insts = std::mem::take(&mut code.blocks[idx].insts);
        code.blocks[idx].insts = order.into_iter().map(|at| insts[at]).collect();
    }
}

fn is_load(inst: &VInst) -> bool {
    matches!(
        inst.op,
        Op::Ld { .. } | Op::Ldsm { .. } | Op::Ldc { .. } | Op::Tld { .. } | Op::Tex { .. }
    )
}

/// The memory that an instruction can read or write.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Effect {
    None,
    Reads(Space),
    Writes(Space),
    /// Keeps its position relative to all other instructions with side effects.
    Fixed,
}

pub(super) fn effect(inst: &VInst) -> Effect {
    match inst.op {
        Op::Ld {
            cache: engine::isa::CacheOp::Cv,
            ..
        } => Effect::Fixed,
        // Read-only data: nothing writes it during the kernel.
        Op::Ld {
            cache: engine::isa::CacheOp::Ci | engine::isa::CacheOp::Ldu,
            ..
        } => Effect::None,
        Op::Ld { space, .. } => Effect::Reads(space),
        Op::Ldsm { .. } => Effect::Reads(Space::Shared),
        Op::Stsm { .. } => Effect::Writes(Space::Shared),
        Op::St {
            cache: engine::isa::CacheOp::Cv,
            ..
        } => Effect::Fixed,
        Op::St { space, .. } => Effect::Writes(space),
        _ if inst.has_effect() => Effect::Fixed,
        _ => Effect::None,
    }
}

/// The memory that an access touches, relative to the value of a register.
#[derive(Clone, Copy)]
struct Piece {
    base: Place,
    /// Number of earlier writes of the register.
    version: u32,
    offset: i64,
    bytes: i64,
}

impl Piece {
    fn of(inst: &VInst, version: impl Fn(VReg) -> u32) -> Option<Self> {
        let (Op::Ld { width, .. } | Op::St { width, .. }) = inst.op else {
            return None;
        };
        let base = inst.srcs[0].place()?;
        Some(Self {
            base,
            version: version(base.vreg),
            offset: inst.offset.into(),
            bytes: width.bytes().into(),
        })
    }

    fn is_apart_from(self, other: Self) -> bool {
        self.base == other.base
            && self.version == other.version
            && (self.offset + self.bytes <= other.offset || other.offset + other.bytes <= self.offset)
    }
}

/// Whether two effects must keep their order.
fn conflicts(a: Effect, b: Effect) -> bool {
    let meet = |x: Space, y: Space| x == y || x == Space::Generic || y == Space::Generic;
    match (a, b) {
        (Effect::None, _) | (_, Effect::None) | (Effect::Reads(_), Effect::Reads(_)) => false,
        (Effect::Fixed, _) | (_, Effect::Fixed) => true,
        (Effect::Reads(x) | Effect::Writes(x), Effect::Reads(y) | Effect::Writes(y)) => meet(x, y),
    }
}

pub(super) fn reads(inst: &VInst, code: &Code, mut visit: impl FnMut(VReg)) {
    inst.read_places().for_each(|(place, _)| visit(place.vreg));
    inst.read_predicates().for_each(&mut visit);
    if inst.keeps {
        writes(inst, code, &mut visit);
    }
    code.convention_reads(inst).iter().copied().for_each(visit);
}

pub(super) fn writes(inst: &VInst, code: &Code, mut visit: impl FnMut(VReg)) {
    if let Some(place) = inst.dst {
        visit(place.vreg);
    }
    if let Some(vreg) = inst.pdst {
        visit(vreg);
    }
    code.convention_writes(inst).iter().copied().for_each(visit);
}

/// The registers that a sequence of instructions reads or writes, numbered from 0. Tables by these numbers have the size of
/// the sequence: tables of all registers, one for each block, would take quadratic time.
pub(super) struct Numbers(Vec<VReg>);

impl Numbers {
    pub(super) fn of(insts: &[VInst], code: &Code) -> Self {
        let mut all = Vec::new();
        for inst in insts {
            reads(inst, code, |vreg| all.push(vreg));
            writes(inst, code, |vreg| all.push(vreg));
        }
        all.sort_unstable();
        all.dedup();
        Self(all)
    }

    pub(super) const fn len(&self) -> usize {
        self.0.len()
    }

    /// The registers in ascending order, which is the order of their numbers.
    pub(super) fn all(&self) -> &[VReg] {
        &self.0
    }

    /// The number of one of these registers.
    pub(super) fn number(&self, vreg: VReg) -> usize {
        self.0
            .binary_search(&vreg)
            .unwrap_or_else(|at| at.min(self.0.len() - 1))
    }
}

/// Edges from each instruction to those that must follow it.
pub(super) fn dependences(insts: &[VInst], code: &Code) -> (Vec<Vec<usize>>, Vec<usize>) {
    let numbers = Numbers::of(insts, code);
    let num_vregs = numbers.len();
    let mut after: Vec<Vec<usize>> = vec![Vec::new(); insts.len()];
    let mut before = vec![0; insts.len()];
    let mut last_writes: Vec<Vec<usize>> = vec![Vec::new(); num_vregs];
    let mut readers: Vec<Vec<usize>> = vec![Vec::new(); num_vregs];
    let mut effects: Vec<(usize, Effect, Option<Piece>)> = Vec::new();
    // Number of writes of each register so far.
    let mut versions = vec![0_u32; num_vregs];
    let mut last_jump: Option<usize> = None;
    for (at, inst) in insts.iter().enumerate() {
        let mut sources = Vec::new();
        reads(inst, code, |vreg| sources.push(vreg));
        let mut targets = Vec::new();
        writes(inst, code, |vreg| targets.push(vreg));
        let mut wants: Vec<usize> = Vec::new();
        for vreg in &sources {
            wants.extend(&last_writes[numbers.number(*vreg)]);
        }
        for vreg in &targets {
            // Words of a pair are written separately and keep their order.
            wants.extend(&last_writes[numbers.number(*vreg)]);
            wants.extend(&readers[numbers.number(*vreg)]);
        }
        let own = effect(inst);
        // Volatile accesses keep their order, whatever their addresses.
        let version = |vreg| versions[numbers.number(vreg)];
        let piece = Piece::of(inst, version).filter(|_| !code.in_step && own != Effect::Fixed);
        if own != Effect::None {
            wants.extend(
                effects
                    .iter()
                    .filter(|(_, other, there)| {
                        conflicts(own, *other) && !piece.zip(*there).is_some_and(|(a, b)| a.is_apart_from(b))
                    })
                    .map(|(idx, ..)| *idx),
            );
        }
        if inst.op.is_control() {
            // Marks and jumps follow everything above them.
            wants.extend(last_jump.map_or(0, |jump| jump)..at);
        } else if let Some(jump) = last_jump {
            wants.push(jump);
        }
        wants.sort_unstable();
        wants.dedup();
        wants.retain(|idx| *idx != at);
        before[at] = wants.len();
        for want in wants {
            after[want].push(at);
        }
        for vreg in sources {
            readers[numbers.number(vreg)].push(at);
        }
        for vreg in targets {
            let slot = numbers.number(vreg);
            versions[slot] += 1;
            // A whole write hides earlier writes; partial writes and kept values accumulate.
            if is_whole_write(inst, code, vreg) {
                last_writes[slot].clear();
            }
            last_writes[slot].push(at);
            readers[slot].clear();
        }
        if own != Effect::None {
            effects.push((at, own, piece));
        }
        if inst.op.is_control() {
            last_jump = Some(at);
            effects.clear();
        }
    }
    (after, before)
}

/// How much an instruction gains from moving up.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Urgency {
    None,
    /// A load of shared memory, or what it depends on.
    Shared,
    /// Another load, or what it depends on.
    Far,
}

impl Urgency {
    fn of(inst: &VInst) -> Self {
        match inst.op {
            Op::Ldsm { .. }
            | Op::Ld {
                space: Space::Shared, ..
            } => Self::Shared,
            _ if is_load(inst) => Self::Far,
            _ => Self::None,
        }
    }
}

/// Whether an instruction writes a whole register in all lanes.
fn is_whole_write(inst: &VInst, code: &Code, vreg: VReg) -> bool {
    let is_whole = inst.dst.is_none_or(|place| {
        place.vreg != vreg || u32::from(inst.destination_units()) == u32::from(code.info(vreg).units)
    });
    is_whole && !inst.keeps && inst.guard == VPred::TRUE
}

/// What is live while the instructions of a block are placed one after the other.
struct Pressure<'a> {
    code: &'a Code,
    numbers: Numbers,
    /// How often each value of a register is still read, by the register's number: the present value first.
    uses: Vec<VecDeque<u32>>,
    alive: Vec<bool>,
    /// Whether a load from shared memory wrote the present value.
    is_shared: Vec<bool>,
    /// Live general registers, and those of them with words from shared memory.
    general: u32,
    shared: u32,
    predicates: u32,
}

impl<'a> Pressure<'a> {
    /// What is live at the start of a block. `ends`: the registers that are live at its end.
    fn new(code: &'a Code, insts: &[VInst], ends: &[VReg]) -> Self {
        let numbers = Numbers::of(insts, code);
        let num = numbers.len();
        let mut uses = vec![VecDeque::from([0]); num];
        let mut is_written = vec![false; num];
        let mut alive = vec![false; num];
        for inst in insts {
            reads(inst, code, |vreg| {
                let idx = numbers.number(vreg);
                alive[idx] |= !is_written[idx];
                if let Some(last) = uses[idx].back_mut() {
                    *last += 1;
                }
            });
            writes(inst, code, |vreg| {
                let idx = numbers.number(vreg);
                is_written[idx] = true;
                if is_whole_write(inst, code, vreg) && uses[idx].back().is_some_and(|last| *last > 0) {
                    uses[idx].push_back(0);
                }
            });
        }
        let (mut general, mut predicates) = (0, 0);
        let mut count = |vreg: VReg| {
            general += general_units(code, vreg);
            predicates += u32::from(code.info(vreg).class == Class::Predicate);
        };
        for vreg in ends {
            match numbers.all().binary_search(vreg) {
                // The value at the end has a reader that is never placed.
                Ok(idx) => {
                    if let Some(last) = uses[idx].back_mut() {
                        *last += 1;
                    }
                }
                Err(_) => count(*vreg),
            }
        }
        for (vreg, _) in numbers.all().iter().zip(&alive).filter(|(_, alive)| **alive) {
            count(*vreg);
        }
        Self {
            is_shared: vec![false; num],
            code,
            numbers,
            uses,
            alive,
            general,
            shared: 0,
            predicates,
        }
    }

    /// General registers that an instruction's results add.
    fn added(&self, inst: &VInst) -> u32 {
        let dst = inst
            .dst
            .filter(|place| !self.alive[self.numbers.number(place.vreg)]);
        dst.map_or(0, |place| general_units(self.code, place.vreg))
    }

    fn count(&mut self, vreg: VReg, idx: usize, is_alive: bool) {
        let units = general_units(self.code, vreg);
        let predicates = u32::from(self.code.info(vreg).class == Class::Predicate);
        let shared = if self.is_shared[idx] { units } else { 0 };
        self.alive[idx] = is_alive;
        if is_alive {
            self.general += units;
            self.predicates += predicates;
            self.shared += shared;
        } else {
            self.general = self.general.saturating_sub(units);
            self.predicates = self.predicates.saturating_sub(predicates);
            self.shared = self.shared.saturating_sub(shared);
        }
    }

    /// Places an instruction.
    fn place(&mut self, inst: &VInst) {
        let code = self.code;
        reads(inst, code, |vreg| {
            let idx = self.numbers.number(vreg);
            if let Some(left) = self.uses[idx].front_mut() {
                *left = left.saturating_sub(1);
                if *left == 0 && self.alive[idx] {
                    self.count(vreg, idx, false);
                }
            }
        });
        let is_shared = Urgency::of(inst) == Urgency::Shared;
        writes(inst, code, |vreg| {
            let idx = self.numbers.number(vreg);
            let uses = &mut self.uses[idx];
            if uses.len() > 1 && uses.front() == Some(&0) {
                uses.pop_front();
            }
            let is_read = uses.front().is_some_and(|left| *left > 0);
            if is_read && !self.alive[idx] {
                self.is_shared[idx] = is_shared;
                self.count(vreg, idx, true);
            }
        });
    }
}

/// The new order of a block. Each step takes a ready load, or a ready instruction that a load depends on, if
/// the registers allow it; otherwise the first ready instruction in program order. `ends`: the registers that are live at the
/// end of the block.
fn order_of(code: &Code, id: BlockId, ends: &[VReg], room: u32) -> Vec<usize> {
    let insts = &code.block(id).insts;
    let (after, mut before) = dependences(insts, code);
    // Instructions that loads depend on are as urgent as the loads.
    let mut urgency = vec![Urgency::None; insts.len()];
    for at in (0..insts.len()).rev() {
        urgency[at] = (after[at].iter())
            .filter(|next| feeds(insts, at, **next))
            .map(|next| urgency[*next])
            .fold(Urgency::of(&insts[at]), Ord::max);
    }
    let mut pressure = Pressure::new(code, insts, ends);
    let mut ready: Vec<usize> = (0..insts.len()).filter(|at| before[*at] == 0).collect();
    let mut order = Vec::with_capacity(insts.len());
    while !ready.is_empty() {
        let hurries = |at: usize| {
            let gains = match urgency[at] {
                Urgency::None => false,
                Urgency::Shared => pressure.shared < SHARED_AHEAD,
                Urgency::Far => true,
            };
            gains
                && pressure.general + pressure.added(&insts[at]) <= room
                && pressure.predicates < MAX_PREDICATES
        };
        let pick = ready
            .iter()
            .enumerate()
            .min_by_key(|(_, at)| (!hurries(**at), **at))
            .map_or(0, |(slot, _)| slot);
        let at = ready.swap_remove(pick);
        order.push(at);
        pressure.place(&insts[at]);
        for next in &after[at] {
            before[*next] -= 1;
            if before[*next] == 0 {
                ready.push(*next);
            }
        }
    }
    order
}

/// Whether `next` reads a result of `at`.
pub(super) fn feeds(insts: &[VInst], at: usize, next: usize) -> bool {
    let writes =
        |vreg: VReg| insts[at].dst.is_some_and(|place| place.vreg == vreg) || insts[at].pdst == Some(vreg);
    let reader = &insts[next];
    // An instruction that keeps a value in lanes with a false guard reads it.
    let kept = reader.dst.map(|place| place.vreg).into_iter().chain(reader.pdst);
    reader.read_places().any(|(place, _)| writes(place.vreg))
        || reader.read_predicates().any(writes)
        || (reader.keeps && kept.into_iter().any(writes))
}

pub(super) fn general_units(code: &Code, vreg: VReg) -> u32 {
    let info = code.info(vreg);
    match info.class {
        Class::General => u32::from(info.units),
        Class::Predicate => 0,
    }
}

/// Moves the computation of a loop variable's next value below the last reader of its current value, so that
/// both can share a register.
pub(super) fn sink_updates(code: &mut Code) {
    // The copy target of each virtual register.
    let mut copied_to: Vec<Option<VReg>> = vec![None; code.vregs.len()];
    for inst in code.blocks.iter().flat_map(|block| &block.insts) {
        if inst.copy > 0
            && inst.guard == VPred::TRUE
            && let (Some(to), Some(from)) = (inst.dst, inst.srcs[0].place())
        {
            copied_to[from.vreg.0 as usize] = Some(to.vreg);
        }
    }
    for idx in 0..code.blocks.len() {
        let mut insts = std::mem::take(&mut code.blocks[idx].insts);
        let mut at = 0;
        // Two updates that read each other's old values would swap forever.
        let mut moves_left = insts.len();
        while at < insts.len() {
            let maker = insts[at];
            let target = maker.dst.and_then(|place| copied_to[place.vreg.0 as usize]);
            let movable = maker.copy == 0
                && maker.guard == VPred::TRUE
                && maker.pdst.is_none()
                && !maker.has_effect()
                && !is_load(&maker);
            if let (Some(target), Some(own), true) = (target, maker.dst, movable && moves_left > 0)
                && let Some(last) = last_reader(code, &insts, at, target, own.vreg)
            {
                moves_left -= 1;
                insts.remove(at);
                insts.insert(last, maker);
                // Next, visits the instruction that moved up to this position.
                continue;
            }
            at += 1;
        }
        code.blocks[idx].insts = insts;
    }
}

/// The last instruction after a position that reads a register, if the instruction at the position, which writes `own`, can
/// move below it.
fn last_reader(code: &Code, insts: &[VInst], at: usize, vreg: VReg, own: VReg) -> Option<usize> {
    let is_reader = |inst: &VInst| inst.copy == 0 && inst.read_places().any(|(place, _)| place.vreg == vreg);
    let maker = &insts[at];
    let rest = &insts[at + 1..];
    let stop = rest
        .iter()
        .position(|other| !is_independent(code, maker, other, own));
    let (movable, fixed) = rest.split_at(stop.unwrap_or(rest.len()));
    let last = movable.iter().rposition(is_reader)?;
    // A reader further below would stay above the instruction.
    (!fixed.iter().any(is_reader)).then_some(at + 1 + last)
}

/// Whether `other` can run before `maker`, which writes `own`.
fn is_independent(code: &Code, maker: &VInst, other: &VInst, own: VReg) -> bool {
    let mut free = !other.op.is_control();
    reads(other, code, |vreg| free &= vreg != own);
    writes(other, code, |vreg| {
        free &= vreg != own;
        reads(maker, code, |source| free &= source != vreg);
    });
    free
}
