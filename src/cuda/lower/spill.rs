//! Spilling: a virtual register without a physical register is kept in local memory, and every instruction that
//! uses it loads or stores it. Constants are rematerialized instead, and predicates are kept in general
//! registers.

use std::collections::{BTreeMap, BTreeSet};

use super::allocate::{Frame, alive_at_ends};
use super::machine::{Class, Code, Place, VInst, VOperand, VPred, VReg, VSrc};
use engine::isa::{BoolOp, CacheOp, Cmp, Op, Space, Width};

/// Spill slots, and the bytes per lane that spill code moves.
pub(super) struct Spiller {
    base: VSrc,
    frame_bytes: u32,
    slots: BTreeMap<VReg, u32>,
    /// Offset and number of words of all slots.
    all: Vec<(u32, u32)>,
    first_slot: u32,
}

/// Maximum number of spill slots that share memory: the search for slots that can share is quadratic. Assumption: kernels
/// have some hundreds.
const MAX_SHARED: usize = 2000;

impl Spiller {
    pub(super) fn new(frame: Frame) -> Self {
        Self {
            base: frame
                .pointer
                .map_or(VSrc::ZERO, |vreg| VSrc::reg(Place { vreg, unit: 0 })),
            frame_bytes: frame.bytes,
            slots: BTreeMap::new(),
            all: Vec::new(),
            first_slot: frame.bytes,
        }
    }

    pub(super) const fn frame_bytes(&self) -> u32 {
        self.frame_bytes
    }

    /// Bytes of spill stores and spill loads in the code.
    pub(super) fn spill_bytes(&self, code: &Code) -> (u32, u32) {
        let mut bytes = (0, 0);
        for inst in code.blocks.iter().flat_map(|block| &block.insts) {
            let is_slot = inst.offset >= self.first_slot as i32;
            match inst.op {
                Op::St {
                    space: Space::Local,
                    width,
                    ..
                } if inst.spill && is_slot => bytes.0 += width.bytes(),
                Op::Ld {
                    space: Space::Local,
                    width,
                    ..
                } if inst.spill && is_slot => bytes.1 += width.bytes(),
                _ => {}
            }
        }
        bytes
    }

    /// The range of slot words that a spill load or store accesses, and whether it is a load.
    fn slot_words(&self, inst: &VInst) -> Option<(std::ops::Range<usize>, bool)> {
        let (width, is_load) = match inst.op {
            Op::Ld {
                space: Space::Local,
                width,
                ..
            } => (width, true),
            Op::St {
                space: Space::Local,
                width,
                ..
            } => (width, false),
            _ => return None,
        };
        let start = u32::try_from(inst.offset).ok()?.checked_sub(self.first_slot)?;
        let first = (start / 4) as usize;
        inst.spill
            .then(|| (first..first + width.bytes().div_ceil(4) as usize, is_load))
    }

    /// Moves slots whose contents are never live at the same time to the same offset.
    pub(super) fn share_slots(&mut self, code: &mut Code) {
        if self.all.len() < 2 || self.all.len() > MAX_SHARED {
            return;
        }
        let mut slot_of = vec![usize::MAX; ((self.frame_bytes - self.first_slot) / 4) as usize];
        for (slot, (start, words)) in self.all.iter().enumerate() {
            let first = ((start - self.first_slot) / 4) as usize;
            slot_of[first..first + *words as usize].fill(slot);
        }
        let visit_words = |inst: &VInst, load: bool, visit: &mut dyn FnMut(usize)| {
            if let Some((words, is_load)) = self.slot_words(inst)
                && is_load == load
                && (is_load || inst.guard == VPred::TRUE)
            {
                words.for_each(visit);
            }
        };
        let ends = alive_at_ends(
            code,
            |inst, visit| visit_words(inst, true, visit),
            |inst, visit| visit_words(inst, false, visit),
        );
        let mut neighbors: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); self.all.len()];
        for id in &code.layout {
            let mut live = ends[id.0 as usize].clone();
            for inst in code.block(*id).insts.iter().rev() {
                let Some((words, is_load)) = self.slot_words(inst) else {
                    continue;
                };
                if is_load {
                    words.for_each(|word| live.insert(word));
                    continue;
                }
                let own = slot_of[words.start];
                for other in live
                    .iter()
                    .map(|word| slot_of[word])
                    .filter(|other| *other != own)
                {
                    neighbors[own].insert(other);
                    neighbors[other].insert(own);
                }
                if inst.guard == VPred::TRUE {
                    words.for_each(|word| live.remove(word));
                }
            }
        }
        // Wide slots first, because they must be aligned.
        let mut order: Vec<usize> = (0..self.all.len()).collect();
        order.sort_by_key(|slot| (std::cmp::Reverse(self.all[*slot].1), *slot));
        let mut places: Vec<Option<u32>> = vec![None; self.all.len()];
        let mut end = self.first_slot;
        for slot in order {
            let bytes = 4 * self.all[slot].1;
            let is_free = |start: u32| {
                neighbors[slot].iter().all(|other| match places[*other] {
                    Some(place) => place + 4 * self.all[*other].1 <= start || start + bytes <= place,
                    None => true,
                })
            };
            let mut start = self.first_slot.div_ceil(bytes) * bytes;
            while !is_free(start) {
                start += bytes;
            }
            places[slot] = Some(start);
            end = end.max(start + bytes);
        }
        for idx in 0..code.blocks.len() {
            for at in 0..code.blocks[idx].insts.len() {
                let inst = &code.blocks[idx].insts[at];
                if let Some((words, _)) = self.slot_words(inst) {
                    let slot = slot_of[words.start];
                    let moved = places[slot].map_or(0, |place| place as i32 - self.all[slot].0 as i32);
                    code.blocks[idx].insts[at].offset += moved;
                }
            }
        }
        self.frame_bytes = end;
    }

    /// Rewrites the code so that these virtual registers are in memory. Each comes with the group that shares a
    /// slot, and its unit in the group.
    pub(super) fn spill(&mut self, code: &mut Code, groups: &[(VReg, (VReg, u8))]) {
        let mut homes: BTreeMap<VReg, Home> = BTreeMap::new();
        for (vreg, (group, unit)) in groups {
            let info = code.info(*vreg);
            if info.class == Class::Predicate {
                // In a general register, which can itself be spilled later.
                let word = code.vreg(Class::General, 1);
                homes.insert(*vreg, Home::Word(word));
                continue;
            }
            if let Some(maker) = self.sole_constant(code, *vreg) {
                homes.insert(*vreg, Home::Again(maker));
                continue;
            }
            let units = u32::from(code.info(*group).units);
            let slot = *self.slots.entry(*group).or_insert_with(|| {
                let align = 4 * units;
                let start = self.frame_bytes.div_ceil(align) * align;
                self.frame_bytes = start + 4 * units;
                self.all.push((start, units));
                start
            });
            homes.insert(*vreg, Home::Slot(slot + 4 * u32::from(*unit)));
        }
        self.slots.clear();
        for idx in 0..code.blocks.len() {
            let insts = std::mem::take(&mut code.blocks[idx].insts);
            let mut out = Vec::with_capacity(insts.len());
            for inst in insts {
                self.rewrite(code, inst, &homes, &mut out);
            }
            code.blocks[idx].insts = out;
        }
    }

    /// The instruction that computes a constant, if nothing else writes the register.
    fn sole_constant(&self, code: &Code, vreg: VReg) -> Option<VInst> {
        let mut found = None;
        for inst in code.blocks.iter().flat_map(|block| &block.insts) {
            if inst.dst.is_some_and(|place| place.vreg == vreg) {
                if found.is_some() {
                    return None;
                }
                found = Some(*inst);
            }
        }
        let maker = found?;
        let constant = matches!(
            (maker.op, maker.srcs[0].operand),
            (
                Op::Mov,
                VOperand::Imm(_) | VOperand::Zero | VOperand::Const { .. }
            ) | (Op::Ldc { .. }, VOperand::Zero)
        ) && maker.guard == VPred::TRUE
            && u32::from(maker.destination_units()) == u32::from(code.info(vreg).units);
        constant.then_some(maker)
    }

    /// Appends an instruction to `out`, with the loads and stores of its spilled registers.
    fn rewrite(&self, code: &mut Code, mut inst: VInst, homes: &BTreeMap<VReg, Home>, out: &mut Vec<VInst>) {
        let spilled_dst = inst.dst.and_then(|place| Some((place, homes.get(&place.vreg)?)));
        if let Some((_, Home::Again(_))) = spilled_dst {
            return;
        }
        let mut loaded = self.reload_registers(code, &inst, homes, out);
        reload_predicates(code, &inst, homes, &mut loaded, out);
        read_copies(&mut inst, &loaded);
        let mut after = Vec::new();
        if let Some((place, Home::Slot(offset))) = spilled_dst {
            let info = code.info(place.vreg);
            let copy = match loaded.get(&place.vreg) {
                // The old value is loaded and updated in place.
                Some(copy) => *copy,
                None => short(code, info.class, info.units),
            };
            inst.dst = Some(Place {
                vreg: copy,
                unit: place.unit,
            });
            for unit in 0..inst.destination_units() {
                let at = place.unit + unit;
                let offset = *offset + 4 * u32::from(at);
                after.push(self.store(Place { vreg: copy, unit: at }, offset, inst));
            }
        }
        if let Some(vreg) = inst.pdst
            && let Some(Home::Word(word)) = homes.get(&vreg)
        {
            let copy = loaded
                .get(&vreg)
                .copied()
                .unwrap_or_else(|| short(code, Class::Predicate, 1));
            inst.pdst = Some(copy);
            after.push(saved_predicate(&inst, copy, *word));
        }
        out.push(inst);
        out.append(&mut after);
    }

    /// Copies of the spilled registers that an instruction reads; their loads are appended to `out`.
    fn reload_registers(
        &self,
        code: &mut Code,
        inst: &VInst,
        homes: &BTreeMap<VReg, Home>,
        out: &mut Vec<VInst>,
    ) -> BTreeMap<VReg, VReg> {
        let mut loaded: BTreeMap<VReg, VReg> = BTreeMap::new();
        let mut reads: Vec<(Place, u8)> = inst.read_places().collect();
        if inst.keeps
            && let Some(place) = inst.dst
        {
            reads.push((place, inst.destination_units()));
        }
        for (place, _) in reads {
            let Some(home) = homes.get(&place.vreg) else {
                continue;
            };
            if loaded.contains_key(&place.vreg) {
                continue;
            }
            let info = code.info(place.vreg);
            let copy = short(code, info.class, info.units);
            loaded.insert(place.vreg, copy);
            match home {
                Home::Slot(offset) => out.push(self.load(copy, info.units, *offset, *inst)),
                Home::Again(maker) => {
                    let mut again = *maker;
                    again.dst = Some(Place { vreg: copy, unit: 0 });
                    out.push(again);
                }
                Home::Word(_) => {}
            }
        }
        loaded
    }

    fn load(&self, copy: VReg, units: u8, offset: u32, near: VInst) -> VInst {
        let mut inst = VInst::new(Op::Ld {
            space: Space::Local,
            width: match units {
                1 => Width::B32,
                2 => Width::B64,
                _ => Width::B128,
            },
            cache: CacheOp::Default,
            wide: false,
        });
        inst.dst = Some(Place { vreg: copy, unit: 0 });
        inst.srcs[0] = self.base;
        inst.offset = offset as i32;
        inst.span = near.span;
        inst.spill = true;
        inst
    }

    fn store(&self, place: Place, offset: u32, near: VInst) -> VInst {
        let mut inst = VInst::new(Op::St {
            space: Space::Local,
            width: Width::B32,
            cache: CacheOp::Default,
            wide: false,
        });
        inst.srcs[0] = self.base;
        inst.srcs[1] = VSrc::reg(place);
        inst.offset = offset as i32;
        inst.span = near.span;
        inst.guard = near.guard;
        inst.spill = true;
        inst
    }
}

/// Adds copies of the spilled predicates that an instruction reads to `loaded`; their comparisons are appended to
/// `out`.
fn reload_predicates(
    code: &mut Code,
    inst: &VInst,
    homes: &BTreeMap<VReg, Home>,
    loaded: &mut BTreeMap<VReg, VReg>,
    out: &mut Vec<VInst>,
) {
    let mut predicates: Vec<VReg> = inst.read_predicates().collect();
    if inst.keeps {
        predicates.extend(inst.pdst);
    }
    for vreg in predicates {
        let Some(Home::Word(word)) = homes.get(&vreg) else {
            continue;
        };
        if loaded.contains_key(&vreg) {
            continue;
        }
        let copy = short(code, Class::Predicate, 1);
        loaded.insert(vreg, copy);
        let mut test = VInst::new(Op::Isetp {
            cmp: Cmp::Ne,
            signed: false,
            bool_op: BoolOp::And,
            extended: false,
        });
        test.pdst = Some(copy);
        test.srcs[0] = VSrc::reg(Place { vreg: *word, unit: 0 });
        test.span = inst.span;
        out.push(test);
    }
}

/// Replaces the registers and predicates that an instruction reads by their copies.
fn read_copies(inst: &mut VInst, loaded: &BTreeMap<VReg, VReg>) {
    for src in inst.srcs.iter_mut().chain([&mut inst.mask]) {
        if let VOperand::Reg(place) = &mut src.operand
            && let Some(copy) = loaded.get(&place.vreg)
        {
            place.vreg = *copy;
        }
    }
    for pred in inst.psrcs.iter_mut().chain([&mut inst.guard]) {
        if let Some(vreg) = pred.vreg
            && let Some(copy) = loaded.get(&vreg)
        {
            pred.vreg = Some(*copy);
        }
    }
}

/// The instruction that saves the predicate result of `inst` in a general register.
fn saved_predicate(inst: &VInst, pred: VReg, word: VReg) -> VInst {
    let mut save = VInst::new(Op::Sel);
    save.dst = Some(Place { vreg: word, unit: 0 });
    save.srcs[0] = VSrc::ZERO;
    save.srcs[1] = VSrc::imm(1);
    save.psrcs[0] = VPred::of(pred).inverted();
    save.guard = inst.guard;
    save.keeps = inst.keeps;
    save.span = inst.span;
    save
}

/// Location of a spilled register.
enum Home {
    /// In local memory.
    Slot(u32),
    /// None: this instruction recomputes the value.
    Again(VInst),
    /// A predicate in a general register.
    Word(VReg),
}

fn short(code: &mut Code, class: Class, units: u8) -> VReg {
    let vreg = code.vreg(class, units);
    code.vregs[vreg.0 as usize].short = true;
    vreg
}
