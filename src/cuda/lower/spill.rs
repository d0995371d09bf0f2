//! Spilling: a virtual register that finds no register lives in local memory, and every instruction
//! that needs it loads or stores it. Constants are made anew instead, and predicates go through
//! general registers.

use std::collections::BTreeMap;

use super::allocate::Frame;
use super::machine::{Class, Code, Place, VInst, VOperand, VPred, VReg, VSrc};
use crate::isa::{BoolOp, CacheOp, Cmp, Op, Space, Width};

/// Bytes a lane that go to and come from spill slots in the code, and where the slots are.
pub(super) struct Spiller {
    base: VSrc,
    frame_bytes: u32,
    slots: BTreeMap<VReg, u32>,
    first_slot: u32,
}

impl Spiller {
    pub(super) fn new(frame: Frame) -> Self {
        Self {
            base: frame
                .pointer
                .map_or(VSrc::ZERO, |vreg| VSrc::reg(Place { vreg, unit: 0 })),
            frame_bytes: frame.bytes,
            slots: BTreeMap::new(),
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

    /// Rewrites the code so that these virtual registers are in memory. Each comes with the group
    /// that shares a slot, and its unit in the group.
    pub(super) fn spill(&mut self, code: &mut Code, groups: &[(VReg, (VReg, u8))]) {
        let mut homes: BTreeMap<VReg, Home> = BTreeMap::new();
        for (vreg, (group, unit)) in groups {
            let info = code.info(*vreg);
            if info.class == Class::Predicate {
                // In a general register, which may be spilled later itself.
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

    /// The instruction that makes a constant, where nothing else writes the register.
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

    fn rewrite(&self, code: &mut Code, mut inst: VInst, homes: &BTreeMap<VReg, Home>, out: &mut Vec<VInst>) {
        let spilled_dst = inst.dst.and_then(|place| Some((place, homes.get(&place.vreg)?)));
        if let Some((_, Home::Again(_))) = spilled_dst {
            return;
        }
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
                Home::Slot(offset) => out.push(self.load(copy, info.units, *offset, inst)),
                Home::Again(maker) => {
                    let mut again = *maker;
                    again.dst = Some(Place { vreg: copy, unit: 0 });
                    out.push(again);
                }
                Home::Word(_) => {}
            }
        }
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
        let mut after = Vec::new();
        if let Some((place, Home::Slot(offset))) = spilled_dst {
            let info = code.info(place.vreg);
            let copy = match loaded.get(&place.vreg) {
                // The old value was loaded: it is changed in place.
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
            let mut save = VInst::new(Op::Sel);
            save.dst = Some(Place { vreg: *word, unit: 0 });
            save.srcs[0] = VSrc::ZERO;
            save.srcs[1] = VSrc::imm(1);
            save.psrcs[0] = VPred::of(copy).inverted();
            save.guard = inst.guard;
            save.keeps = inst.keeps;
            save.span = inst.span;
            after.push(save);
        }
        out.push(inst);
        out.append(&mut after);
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

/// Where a spilled register lives.
enum Home {
    /// In local memory.
    Slot(u32),
    /// Nowhere: this instruction makes it again.
    Again(VInst),
    /// A predicate in a general register.
    Word(VReg),
}

fn short(code: &mut Code, class: Class, units: u8) -> VReg {
    let vreg = code.vreg(class, units);
    code.vregs[vreg.0 as usize].short = true;
    vreg
}
