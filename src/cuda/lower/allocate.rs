//! Register allocation: liveness, coalescing of copies, coloring, and spilling until everything fits.
//!
//! Liveness and interference are tracked for single units, so that the words of a pair or quad can die
//! separately. Two units interfere if one is written while the other is live; a copy does not make its source
//! and target interfere. Units are colored in the order of their first appearance, with the lowest free
//! register or, for a virtual register of several units, the lowest free consecutive registers. If operands of
//! one register-file bank are read one after the other, the third operand of a multiply-add gets a register of
//! another bank than the first two, provided that this does not reduce the number of resident warps.
//! Accumulators are then in one bank and factors in the other, as in nvcc's code.
//!
//! From Volta on, registers that an access reads are not overwritten soon, provided that this does not reduce
//! the number of resident warps, and stored values are in odd registers: observed in nvcc's code for 7.5 and
//! 9.0. The unread words of a vector load stay reserved until the load has arrived (`pending`), unless a register
//! would have to be spilled.

use std::collections::BTreeSet;

use thiserror::Error;

use super::machine::{Class, Code, Place, VInst, VPred, VReg};
use super::{pending, spill};

/// General predicates: P0 to P6.
const NUM_PREDICATES: u32 = 7;
/// Maximum rounds of spilling.
const MAX_ROUNDS: u32 = 64;

/// The function's local memory before allocation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub(super) bytes: u32,
    pub(super) pointer: Option<VReg>,
    /// The stack pointer's register, if it is reserved although nothing uses it.
    pub(super) reserved: Option<u8>,
}

/// The banks of the register file, each of which delivers one register per cycle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Banks {
    pub(super) num: u32,
    /// Maximum registers per thread that allow an SM's maximum number of warps.
    pub(super) free: u32,
    /// Number of instructions for which a register that an access has read is not overwritten; 0 for none.
    pub(super) hold: usize,
}

impl Banks {
    /// Banks without preferences among their registers.
    const fn without_wishes(self) -> Self {
        Self {
            num: 0,
            hold: 0,
            ..self
        }
    }
}

/// Preference among the free registers.
struct Wish<'a> {
    /// Whether an odd or an even register is preferred.
    odd: Option<bool>,
    banks: Banks,
    /// For each register, the position of the last access that reads its content.
    accessed: &'a [usize],
}

/// The registers of a function.
#[derive(Clone, Debug)]
pub(super) struct Allocated {
    /// First register of each virtual register (a predicate's number for predicates).
    pub(super) bases: Vec<u8>,
    pub(super) frame_bytes: u32,
    pub(super) spill_bytes: (u32, u32),
}

/// Why register allocation failed.
#[derive(Clone, Copy, Debug, Error)]
pub(super) enum AllocationError {
    #[error("the kernel cannot be compiled with {0} registers per thread")]
    TooFew(u32),
}

/// A set of units: the nonempty words of 64 units each, by their index.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Units(Vec<(u32, u64)>);

impl Units {
    const fn place(idx: usize) -> (u32, u64) {
        ((idx / 64) as u32, 1 << (idx % 64))
    }
    fn find(&self, word: u32) -> Result<usize, usize> {
        // The last word is the most likely one.
        match self.0.last() {
            Some((last, _)) if *last < word => Err(self.0.len()),
            Some((last, _)) if *last == word => Ok(self.0.len() - 1),
            _ => self.0.binary_search_by_key(&word, |(word, _)| *word),
        }
    }
    pub(super) fn insert(&mut self, idx: usize) {
        let (word, bit) = Self::place(idx);
        match self.find(word) {
            Ok(at) => self.0[at].1 |= bit,
            Err(at) => self.0.insert(at, (word, bit)),
        }
    }
    pub(super) fn remove(&mut self, idx: usize) {
        let (word, bit) = Self::place(idx);
        if let Ok(at) = self.find(word) {
            self.0[at].1 &= !bit;
            if self.0[at].1 == 0 {
                self.0.remove(at);
            }
        }
    }
    pub(super) fn contains(&self, idx: usize) -> bool {
        let (word, bit) = Self::place(idx);
        self.find(word).is_ok_and(|at| self.0[at].1 & bit != 0)
    }
    /// Adds another set; returns whether this set grew.
    pub(super) fn add(&mut self, other: &Self) -> bool {
        self.add_without(other, &Self::default())
    }
    /// Adds the units of one set that are not in another; returns whether this set grew.
    fn add_without(&mut self, more: &Self, without: &Self) -> bool {
        let mut grew = false;
        for (word, bits) in &more.0 {
            let left_out = without.find(*word).map_or(0, |at| without.0[at].1);
            let bits = bits & !left_out;
            if bits == 0 {
                continue;
            }
            match self.find(*word) {
                Ok(at) => {
                    grew |= bits & !self.0[at].1 != 0;
                    self.0[at].1 |= bits;
                }
                Err(at) => {
                    grew = true;
                    self.0.insert(at, (*word, bits));
                }
            }
        }
        grew
    }
    fn len(&self) -> u32 {
        self.0.iter().map(|(_, bits)| bits.count_ones()).sum()
    }
    pub(super) fn iter(&self) -> impl Iterator<Item = usize> {
        self.0.iter().flat_map(|(word, bits)| {
            let mut bits = *bits;
            std::iter::from_fn(move || {
                if bits == 0 {
                    return None;
                }
                let at = bits.trailing_zeros() as usize;
                bits &= bits - 1;
                Some(*word as usize * 64 + at)
            })
        })
    }
}

/// Numbering of units.
struct Numbering {
    first: Vec<usize>,
    num: usize,
}

impl Numbering {
    fn new(code: &Code) -> Self {
        let mut first = Vec::with_capacity(code.vregs.len());
        let mut num = 0;
        for info in &code.vregs {
            first.push(num);
            num += usize::from(info.units);
        }
        Self { first, num }
    }
    fn of(&self, vreg: VReg) -> usize {
        self.first[vreg.0 as usize]
    }
    fn at(&self, place: Place) -> usize {
        self.of(place.vreg) + usize::from(place.unit)
    }
}

/// Calls `visit` with every unit that an instruction reads.
fn reads(code: &Code, numbering: &Numbering, inst: &VInst, mut visit: impl FnMut(usize)) {
    for (place, width) in inst.read_places() {
        (0..usize::from(width)).for_each(|idx| visit(numbering.at(place) + idx));
    }
    for vreg in inst.read_predicates() {
        visit(numbering.of(vreg));
    }
    if inst.keeps {
        writes(code, numbering, inst, &mut visit);
    }
    for vreg in code.convention_reads(inst) {
        let units = usize::from(code.info(*vreg).units);
        (0..units).for_each(|idx| visit(numbering.of(*vreg) + idx));
    }
    for place in code.held_words(inst) {
        visit(numbering.at(*place));
    }
}

/// Calls `visit` with every unit that an instruction writes.
fn writes(code: &Code, numbering: &Numbering, inst: &VInst, mut visit: impl FnMut(usize)) {
    if let Some(place) = inst.dst {
        (0..usize::from(inst.destination_units())).for_each(|idx| visit(numbering.at(place) + idx));
    }
    if let Some(vreg) = inst.pdst {
        visit(numbering.of(vreg));
    }
    for vreg in code.convention_writes(inst) {
        let units = usize::from(code.info(*vreg).units);
        (0..units).for_each(|idx| visit(numbering.of(*vreg) + idx));
    }
}

/// Units live at the end of every block, by block number.
fn live_at_ends(code: &Code, numbering: &Numbering) -> Vec<Units> {
    alive_at_ends(
        code,
        |inst, visit| reads(code, numbering, inst, visit),
        |inst, visit| writes(code, numbering, inst, visit),
    )
}

/// What later instructions read, at the end of every block, by block number. `reads` and `writes` call their
/// last argument with what an instruction reads and what it overwrites.
pub(super) fn alive_at_ends(
    code: &Code,
    reads: impl Fn(&VInst, &mut dyn FnMut(usize)),
    writes: impl Fn(&VInst, &mut dyn FnMut(usize)),
) -> Vec<Units> {
    let num = code.blocks.len();
    let mut used = vec![Units::default(); num];
    let mut killed = vec![Units::default(); num];
    for (idx, block) in code.blocks.iter().enumerate() {
        let (used, killed) = (&mut used[idx], &mut killed[idx]);
        for inst in &block.insts {
            reads(inst, &mut |unit| {
                if !killed.contains(unit) {
                    used.insert(unit);
                }
            });
            writes(inst, &mut |unit| killed.insert(unit));
        }
    }
    let successors = code.successors();
    let mut ends = vec![Units::default(); num];
    let mut starts = used.clone();
    loop {
        let mut changed = false;
        for id in code.layout.iter().rev() {
            let idx = id.0 as usize;
            let mut end = std::mem::take(&mut ends[idx]);
            let mut grew = false;
            for successor in &successors[idx] {
                grew |= end.add(&starts[*successor]);
            }
            if grew {
                starts[idx].add_without(&end, &killed[idx]);
                changed = true;
            }
            ends[idx] = end;
        }
        if !changed {
            return ends;
        }
    }
}

/// The interference graph, with virtual registers merged if copies allow it.
struct Graph<'a> {
    code: &'a Code,
    numbering: Numbering,
    edges: Vec<Units>,
    /// The virtual register that contains each one, and the unit at which it starts.
    merged: Vec<(VReg, u8)>,
    /// Position of the first appearance.
    order: Vec<usize>,
    /// Number of uses, weighted by loop depth.
    weights: Vec<f64>,
    /// Position of the last access that reads the register, or 0.
    accessed: Vec<usize>,
    /// Whether the register is stored to memory.
    stored: Vec<bool>,
    /// Whether spilling the register frees registers: registers that spilling itself needs are never merged.
    can_spill: Vec<bool>,
}

impl<'a> Graph<'a> {
    fn new(code: &'a Code) -> Self {
        let numbering = Numbering::new(code);
        let ends = live_at_ends(code, &numbering);
        let mut graph = Self {
            edges: vec![Units::default(); numbering.num],
            merged: (0..code.vregs.len()).map(|idx| (VReg(idx as u32), 0)).collect(),
            order: vec![usize::MAX; code.vregs.len()],
            weights: vec![0.0; code.vregs.len()],
            accessed: vec![0; code.vregs.len()],
            stored: vec![false; code.vregs.len()],
            can_spill: code.vregs.iter().map(|info| !info.short).collect(),
            code,
            numbering,
        };
        let class_of = graph.classes();
        let mut position = 0;
        for id in &code.layout {
            let block = code.block(*id);
            let weight = f64::from(10_u32.pow(block.depth.min(6)));
            for inst in &block.insts {
                position += 1;
                let touched = inst
                    .read_places()
                    .map(|(place, _)| place.vreg)
                    .chain(inst.read_predicates())
                    .chain(inst.dst.map(|place| place.vreg))
                    .chain(inst.pdst)
                    .chain(code.convention_reads(inst).iter().copied())
                    .chain(code.convention_writes(inst).iter().copied());
                if inst.op.is_memory() {
                    for (place, _) in inst.read_places() {
                        graph.accessed[place.vreg.0 as usize] = position;
                    }
                }
                if let (engine::isa::Op::St { .. }, Some(place)) = (inst.op, inst.srcs[1].place()) {
                    graph.stored[place.vreg.0 as usize] = true;
                }
                for vreg in touched {
                    let order = &mut graph.order[vreg.0 as usize];
                    *order = (*order).min(position);
                    graph.weights[vreg.0 as usize] += weight;
                }
            }
            let mut live = ends[id.0 as usize].clone();
            for inst in block.insts.iter().rev() {
                graph.define(inst, &mut live, &class_of);
            }
        }
        graph
    }

    fn classes(&self) -> Vec<Class> {
        let mut classes = Vec::with_capacity(self.numbering.num);
        for info in &self.code.vregs {
            classes.extend(std::iter::repeat_n(info.class, usize::from(info.units)));
        }
        classes
    }

    /// Adds the edges of an instruction's results, and computes liveness before the instruction.
    fn define(&mut self, inst: &VInst, live: &mut Units, classes: &[Class]) {
        let mut written = Vec::new();
        writes(self.code, &self.numbering, inst, |unit| written.push(unit));
        let copied = inst.copy > 0;
        for (idx, unit) in written.iter().enumerate() {
            let source = match (copied, inst.dst, inst.srcs[0].place(), inst.psrcs[0].vreg) {
                (true, Some(_), Some(place), _) => Some(self.numbering.at(place) + idx),
                (true, None, _, Some(vreg)) => Some(self.numbering.of(vreg)),
                _ => None,
            };
            for other in live.iter() {
                if other != *unit && Some(other) != source && classes[other] == classes[*unit] {
                    self.edges[*unit].insert(other);
                    self.edges[other].insert(*unit);
                }
            }
            // Results of one instruction never share a register, used or not.
            for other in &written {
                if other != unit && classes[*other] == classes[*unit] {
                    self.edges[*unit].insert(*other);
                    self.edges[*other].insert(*unit);
                }
            }
        }
        for unit in &written {
            live.remove(*unit);
        }
        reads(self.code, &self.numbering, inst, |unit| live.insert(unit));
    }

    fn root(&self, vreg: VReg) -> (VReg, u8) {
        let mut at = vreg;
        let mut offset = 0;
        loop {
            let (next, by) = self.merged[at.0 as usize];
            if next == at {
                return (at, offset);
            }
            offset += by;
            at = next;
        }
    }

    /// Merges the source and target of every copy that allows it.
    fn coalesce(&mut self) {
        let copies: Vec<(Place, Place)> = {
            let mut list = Vec::new();
            for id in &self.code.layout {
                let block = self.code.block(*id);
                for inst in &block.insts {
                    if inst.copy == 0 {
                        continue;
                    }
                    match (inst.dst, inst.srcs[0].place(), inst.pdst, inst.psrcs[0]) {
                        (Some(to), Some(from), ..) => list.push((block.depth, to, from)),
                        (None, _, Some(to), VPred { vreg: Some(from), .. }) => list.push((
                            block.depth,
                            Place { vreg: to, unit: 0 },
                            Place { vreg: from, unit: 0 },
                        )),
                        _ => {}
                    }
                }
            }
            // Inner loops first.
            list.sort_by_key(|(depth, ..)| std::cmp::Reverse(*depth));
            list.into_iter().map(|(_, to, from)| (to, from)).collect()
        };
        for (to, from) in copies {
            self.merge(to, from);
        }
    }

    fn merge(&mut self, to: Place, from: Place) {
        let (a, a_offset) = self.root(to.vreg);
        let (b, b_offset) = self.root(from.vreg);
        if a == b {
            return;
        }
        let (info_a, info_b) = (self.code.info(a), self.code.info(b));
        if info_a.fixed.is_some() || info_b.fixed.is_some() || info_a.class != info_b.class {
            return;
        }
        // Unit x of `from` must coincide with unit y of `to`.
        let y = i32::from(to.unit + a_offset);
        let x = i32::from(from.unit + b_offset);
        let (big, small, at) = if info_a.units >= info_b.units {
            (a, b, y - x)
        } else {
            (b, a, x - y)
        };
        let (big_units, small_units) = (
            i32::from(self.code.info(big).units),
            i32::from(self.code.info(small).units),
        );
        if at < 0 || at + small_units > big_units || at % small_units != 0 {
            return;
        }
        let (big_first, small_first) = (self.numbering.of(big), self.numbering.of(small));
        let clash = (0..small_units as usize)
            .any(|idx| self.edges[small_first + idx].contains(big_first + at as usize + idx));
        if clash {
            return;
        }
        self.merged[small.0 as usize] = (big, at as u8);
        for idx in 0..small_units as usize {
            let target = big_first + at as usize + idx;
            let moved = self.edges[small_first + idx].clone();
            for other in moved.iter() {
                self.edges[other].insert(target);
            }
            self.edges[target].add(&moved);
        }
        let order = self.order[small.0 as usize];
        let slot = &mut self.order[big.0 as usize];
        *slot = (*slot).min(order);
        let weight = self.weights[small.0 as usize];
        self.weights[big.0 as usize] += weight;
        let accessed = self.accessed[small.0 as usize];
        let slot = &mut self.accessed[big.0 as usize];
        *slot = (*slot).max(accessed);
        let stored = self.stored[small.0 as usize];
        self.stored[big.0 as usize] |= stored;
        let can_spill = self.can_spill[small.0 as usize];
        self.can_spill[big.0 as usize] |= can_spill;
    }

    /// Returns a coloring, or the virtual registers to spill.
    fn color(&self, limit: u32, reserved: u32, banks: Banks) -> Result<Vec<u8>, Vec<VReg>> {
        let num = self.code.vregs.len();
        let bank_of = self.choose_banks(banks);
        let mut roots: Vec<VReg> = (0..num as u32)
            .map(VReg)
            .filter(|vreg| self.root(*vreg).0 == *vreg && self.order[vreg.0 as usize] != usize::MAX)
            .collect();
        roots.sort_by_key(|vreg| {
            let fixed = self.code.info(*vreg).fixed.is_none();
            (fixed, self.order[vreg.0 as usize], vreg.0)
        });
        let mut unit_colors: Vec<Option<u8>> = vec![None; self.numbering.num];
        let mut bases: Vec<u8> = vec![0; num];
        // For each register, the last access that reads its content.
        let mut accessed = vec![0_usize; 256];
        let mut spilled = BTreeSet::new();
        for vreg in roots {
            let info = self.code.info(vreg);
            let first = self.numbering.of(vreg);
            let units = usize::from(info.units);
            let limit = match info.class {
                Class::General => limit as usize,
                Class::Predicate => NUM_PREDICATES as usize,
            };
            loop {
                let odd = bank_of[vreg.0 as usize]
                    .or((banks.hold > 0 && self.stored[vreg.0 as usize]).then_some(true));
                let wish = Wish {
                    odd: odd.filter(|_| info.units == 1),
                    banks,
                    accessed: &accessed,
                };
                let Some(base) = self.free_base(vreg, &unit_colors, limit, reserved, &wish) else {
                    let victim = self.cheapest(vreg, &unit_colors, &spilled);
                    let mut victims = vec![victim];
                    if victim == vreg && !self.can_spill[vreg.0 as usize] {
                        victims = self.cheapest_room(vreg, &unit_colors, limit, reserved);
                    }
                    spilled.extend(&victims);
                    if victims == [vreg] {
                        break;
                    }
                    // The victims' registers are free for this one.
                    for victim in victims {
                        let start = self.numbering.of(victim);
                        let units = usize::from(self.code.info(victim).units);
                        unit_colors[start..start + units].fill(None);
                    }
                    continue;
                };
                bases[vreg.0 as usize] = base as u8;
                if info.class == Class::General {
                    for slot in &mut accessed[base..base + units] {
                        *slot = (*slot).max(self.accessed[vreg.0 as usize]);
                    }
                }
                for idx in 0..units {
                    unit_colors[first + idx] = Some((base + idx) as u8);
                }
                break;
            }
        }
        if !spilled.is_empty() {
            let mut all = Vec::new();
            for idx in 0..num as u32 {
                if spilled.contains(&self.root(VReg(idx)).0) {
                    all.push(VReg(idx));
                }
            }
            return Err(all);
        }
        for idx in 0..num {
            let (root, offset) = self.root(VReg(idx as u32));
            bases[idx] = bases[root.0 as usize] + offset;
        }
        Ok(bases)
    }

    /// The first register from which a virtual register fits beside its neighbors.
    fn free_base(
        &self,
        vreg: VReg,
        unit_colors: &[Option<u8>],
        limit: usize,
        reserved: u32,
        wish: &Wish,
    ) -> Option<usize> {
        let info = self.code.info(vreg);
        if let Some(fixed) = info.fixed {
            return Some(usize::from(fixed));
        }
        let first = self.numbering.of(vreg);
        let units = usize::from(info.units);
        let mut taken = vec![false; limit + 4];
        for idx in 0..units {
            for other in self.edges[first + idx].iter() {
                if let Some(colour) = unit_colors[other] {
                    let Some(base) = usize::from(colour).checked_sub(idx) else {
                        continue;
                    };
                    if base < taken.len() {
                        taken[base] = true;
                    }
                }
            }
            if info.class == Class::General
                && reserved > 0
                && let Some(base) = (reserved as usize).checked_sub(idx)
            {
                taken[base] = true;
            }
        }
        let mut free = (0..limit.saturating_sub(units - 1))
            .step_by(units)
            .filter(|base| !taken[*base]);
        if info.class == Class::General {
            let now = self.order[vreg.0 as usize];
            let banks = wish.banks;
            // Only among the registers that do not reduce the number of warps.
            let costs_nothing = |base: &usize| ((*base + units) as u32) <= banks.free;
            let is_held = |base: &usize| {
                (wish.accessed[*base..*base + units].iter())
                    .any(|at| *at > 0 && *at < now && *at + banks.hold > now)
            };
            let is_wished = |base: &usize| {
                wish.odd
                    .is_none_or(|odd| base % banks.num.max(2) as usize == usize::from(odd))
            };
            let mut best = free
                .clone()
                .take_while(costs_nothing)
                .filter(|base| !is_held(base));
            if let Some(base) = best.clone().find(is_wished).or_else(|| best.next()) {
                return Some(base);
            }
            if let Some(base) = free.clone().take_while(costs_nothing).find(is_wished) {
                return Some(base);
            }
        }
        free.next()
    }

    /// For operands of multiply-adds, whether the odd bank is preferred: the third operand must be in another
    /// bank than the first two, or one of two operands in another bank than the other. Inner loops choose
    /// first.
    fn choose_banks(&self, banks: Banks) -> Vec<Option<bool>> {
        let num = self.code.vregs.len();
        let mut bank_of = vec![None; num];
        if banks.num < 2 {
            return bank_of;
        }
        let mut apart: Vec<(u32, VReg, VReg)> = Vec::new();
        for id in &self.code.layout {
            let block = self.code.block(*id);
            for inst in &block.insts {
                use engine::isa::Op;
                if !matches!(
                    inst.op,
                    Op::Ffma { .. }
                        | Op::Fadd { .. }
                        | Op::Fmul { .. }
                        | Op::Imad { .. }
                        | Op::Iadd3 { .. }
                        | Op::Lop3 { .. }
                ) {
                    continue;
                }
                let mut distinct: Vec<VReg> = Vec::new();
                for src in [inst.srcs[2], inst.srcs[0], inst.srcs[1]] {
                    if let Some(place) = src.place() {
                        let root = self.root(place.vreg).0;
                        if !distinct.contains(&root) {
                            distinct.push(root);
                        }
                    }
                }
                // Of three operands, the addend is separated from both factors; of two, one from the other.
                if let [first, others @ ..] = &distinct[..] {
                    apart.extend(others.iter().map(|other| (block.depth, *first, *other)));
                }
            }
        }
        apart.sort_by_key(|(depth, ..)| std::cmp::Reverse(*depth));
        // Connected registers get banks starting from one of them. In case of a conflict, the first one keeps
        // its bank.
        let mut neighbours = vec![Vec::new(); num];
        for (_, c, factor) in &apart {
            neighbours[c.0 as usize].push(*factor);
            neighbours[factor.0 as usize].push(*c);
        }
        for (_, c, _) in &apart {
            let mut open = vec![(*c, true)];
            while let Some((vreg, odd)) = open.pop() {
                let bank = &mut bank_of[vreg.0 as usize];
                if bank.is_none() && self.code.info(vreg).units == 1 {
                    *bank = Some(odd);
                    open.extend(neighbours[vreg.0 as usize].iter().map(|next| (*next, !odd)));
                }
            }
        }
        bank_of
    }

    /// Returns the cost of spilling a virtual register: infinite for one that spilling itself needs.
    fn cost(&self, vreg: VReg) -> f64 {
        let info = self.code.info(vreg);
        if !self.can_spill[vreg.0 as usize] || info.fixed.is_some() {
            return f64::INFINITY;
        }
        let first = self.numbering.of(vreg);
        let degree: u32 = (first..first + usize::from(info.units))
            .map(|unit| self.edges[unit].len())
            .sum();
        self.weights[vreg.0 as usize] / f64::from(degree.max(1))
    }

    /// Returns the neighbors to spill so that adjacent registers are free for `vreg`, which itself cannot be
    /// spilled; `vreg` alone where no choice of neighbors frees enough.
    fn cheapest_room(&self, vreg: VReg, colors: &[Option<u8>], limit: usize, reserved: u32) -> Vec<VReg> {
        let info = self.code.info(vreg);
        let first = self.numbering.of(vreg);
        let units = usize::from(info.units);
        let roots: Vec<VReg> = (0..self.code.vregs.len() as u32)
            .map(VReg)
            .filter(|other| self.root(*other).0 == *other && colors[self.numbering.of(*other)].is_some())
            .collect();
        let in_the_way = |base: usize, other: VReg| {
            let start = self.numbering.of(other);
            (start..start + usize::from(self.code.info(other).units)).any(|unit| {
                let place = colors[unit].and_then(|colour| usize::from(colour).checked_sub(base));
                place.is_some_and(|idx| idx < units && self.edges[first + idx].contains(unit))
            })
        };
        let is_reserved = |base: usize| {
            let reserved = reserved as usize;
            info.class == Class::General && reserved > 0 && (base..base + units).contains(&reserved)
        };
        (0..limit.saturating_sub(units - 1))
            .step_by(units)
            .filter(|base| !is_reserved(*base))
            .map(|base| -> Vec<VReg> {
                let all = roots.iter().copied();
                all.filter(|other| in_the_way(base, *other)).collect()
            })
            .map(|room| (room.iter().map(|other| self.cost(*other)).sum::<f64>(), room))
            .filter(|(cost, _)| cost.is_finite())
            .min_by(|(a, _), (b, _)| a.total_cmp(b))
            .map_or_else(|| vec![vreg], |(_, room)| room)
    }

    /// The cheapest register to spill to make room for `vreg`: itself or a neighbor that has registers.
    fn cheapest(&self, vreg: VReg, colors: &[Option<u8>], spilled: &BTreeSet<VReg>) -> VReg {
        let class = self.code.info(vreg).class;
        let first = self.numbering.of(vreg);
        let units = usize::from(self.code.info(vreg).units);
        let mut best = (self.cost(vreg), vreg);
        for idx in 0..self.code.vregs.len() as u32 {
            let candidate = VReg(idx);
            let info = self.code.info(candidate);
            let start = self.numbering.of(candidate);
            if info.class != class
                || info.units < self.code.info(vreg).units
                || self.root(candidate).0 != candidate
                || colors[start].is_none()
                || spilled.contains(&candidate)
            {
                continue;
            }
            let is_near = || {
                (first..first + units).any(|unit| {
                    (start..start + usize::from(info.units)).any(|own| self.edges[unit].contains(own))
                })
            };
            if self.cost(candidate) < best.0 && is_near() {
                best = (self.cost(candidate), candidate);
            }
        }
        best.1
    }

    /// Groups of registers that share a slot in memory: those merged with each other.
    fn group_of(&self, vreg: VReg) -> (VReg, u8) {
        self.root(vreg)
    }
}

/// Virtual registers that are live across a call.
fn across_calls(code: &Code) -> Vec<VReg> {
    let numbering = Numbering::new(code);
    let ends = live_at_ends(code, &numbering);
    let mut alive = Units::default();
    for id in &code.layout {
        let mut live = ends[id.0 as usize].clone();
        for inst in code.block(*id).insts.iter().rev() {
            writes(code, &numbering, inst, |unit| live.remove(unit));
            if matches!(inst.op, engine::isa::Op::Call { .. }) {
                alive.add(&live);
            }
            reads(code, &numbering, inst, |unit| live.insert(unit));
        }
    }
    (0..code.vregs.len() as u32)
        .map(VReg)
        .filter(|vreg| {
            let info = code.info(*vreg);
            let first = numbering.of(*vreg);
            info.fixed.is_none() && (first..first + usize::from(info.units)).any(|unit| alive.contains(unit))
        })
        .collect()
}

/// The virtual registers that are live at the end of every block, by block number, in ascending order.
pub(super) fn registers_at_ends(code: &Code) -> Vec<Vec<VReg>> {
    let numbering = Numbering::new(code);
    let units = (0..).map(VReg).zip(&code.vregs);
    let owners: Vec<VReg> = units
        .flat_map(|(vreg, info)| std::iter::repeat_n(vreg, usize::from(info.units)))
        .collect();
    let ends = live_at_ends(code, &numbering).into_iter();
    ends.map(|units| {
        let mut all: Vec<VReg> = units.iter().map(|unit| owners[unit]).collect();
        all.dedup();
        all
    })
    .collect()
}

/// The most general registers that are live at once in the order of the code.
pub(super) fn most_alive(code: &Code) -> u32 {
    let numbering = Numbering::new(code);
    let is_general: Vec<bool> = (code.vregs.iter())
        .flat_map(|info| std::iter::repeat_n(info.class == Class::General, usize::from(info.units)))
        .collect();
    let ends = live_at_ends(code, &numbering);
    let mut most = 0;
    for id in &code.layout {
        let mut live = ends[id.0 as usize].clone();
        let mut num = live.iter().filter(|unit| is_general[*unit]).count();
        most = most.max(num);
        for inst in code.block(*id).insts.iter().rev() {
            let mut written = 0;
            writes(code, &numbering, inst, |unit| {
                // A result takes its register even if nothing reads it.
                if live.contains(unit) {
                    num -= usize::from(is_general[unit]);
                } else {
                    written += usize::from(is_general[unit]);
                }
                live.remove(unit);
            });
            most = most.max(num + written);
            reads(code, &numbering, inst, |unit| {
                num += usize::from(is_general[unit] && !live.contains(unit));
                live.insert(unit);
            });
            most = most.max(num);
        }
    }
    most as u32
}

/// How registers are assigned.
#[derive(Clone, Copy, Debug)]
pub(super) struct Room {
    /// The most registers.
    pub(super) limit: u32,
    /// Whether values move to memory if there are not enough registers.
    pub(super) may_spill: bool,
}

/// Assigns a register to every virtual register.
///
/// # Errors
/// Returns an error if the code does not fit: even with spilling, or without if the values may not spill.
pub(super) fn allocate(
    code: &mut Code,
    Room { limit, may_spill }: Room,
    frame: Frame,
    banks: Banks,
) -> Result<Allocated, AllocationError> {
    let mut spiller = spill::Spiller::new(frame);
    let reserved = frame
        .pointer
        .map_or(frame.reserved.map_or(0, u32::from), |pointer| {
            code.info(pointer).fixed.map_or(0, u32::from)
        });
    // The caller saves values that it needs after a call in its frame.
    loop {
        let across = across_calls(code);
        if across.is_empty() {
            break;
        }
        let groups: Vec<(VReg, (VReg, u8))> = across.iter().map(|vreg| (*vreg, (*vreg, 0))).collect();
        spiller.spill(code, &groups);
    }
    pending::hold_unread_words(code);
    for _ in 0..MAX_ROUNDS {
        let mut graph = Graph::new(code);
        graph.coalesce();
        // Preferred banks can leave no adjacent registers free.
        let colored = graph
            .color(limit, reserved, banks)
            .or_else(|_| graph.color(limit, reserved, banks.without_wishes()));
        let groups = match colored {
            Ok(bases) => {
                spiller.share_slots(code);
                return Ok(Allocated {
                    bases,
                    frame_bytes: spiller.frame_bytes(),
                    spill_bytes: spiller.spill_bytes(code),
                });
            }
            Err(_) if !code.held.is_empty() => {
                pending::release(code);
                continue;
            }
            Err(spilled) => {
                if !may_spill || spilled.iter().all(|vreg| code.info(*vreg).short) {
                    return Err(AllocationError::TooFew(limit));
                }
                spilled
                    .iter()
                    .map(|vreg| (*vreg, graph.group_of(*vreg)))
                    .collect::<Vec<_>>()
            }
        };
        spiller.spill(code, &groups);
    }
    Err(AllocationError::TooFew(limit))
}
