//! Folds constant parts of addresses into the accesses.

use super::*;

impl Simplify<'_> {
    pub(super) fn fold_address(&mut self, inst: &mut Inst) {
        let (space, offset) = match &mut inst.op {
            Op::Load(access) | Op::Store(access) => (&mut access.space, &mut access.offset),
            Op::Atom { space, offset, .. } => (space, offset),
            _ => return,
        };
        for _ in 0..8 {
            let Some(def) = self.defs.get(inst.args[0].0 as usize).copied().flatten() else {
                return;
            };
            match def.op {
                Op::PtrAdd | Op::Add => {
                    let Some(step) = self.function.const_int(def.args[1]) else {
                        return;
                    };
                    let Some(sum) = i64::from(*offset).checked_add(step) else {
                        return;
                    };
                    // The offset field of an access has 24 bits.
                    if !(-(1 << 23)..1 << 23).contains(&sum) {
                        return;
                    }
                    *offset = sum as i32;
                    inst.args[0] = def.args[0];
                }
                // A generic address in a known space.
                Op::ToGeneric(known) if *space == Space::Generic => {
                    *space = known;
                    inst.args[0] = def.args[0];
                }
                _ => return,
            }
        }
    }
}
