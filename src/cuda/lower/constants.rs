//! LDC loads constants into registers, where instructions do not have them as operands.
//!
//! nvcc 13's code for 9.0 has almost no operands in constant banks. It loads pointers into register pairs, and
//! other constants into registers or uniform registers. Warpscope does not model uniform registers. What nvcc
//! has in a uniform register is in an ordinary register here, or is a constant-bank operand of floating-point
//! arithmetic.
//!
//! The load of a constant is at its first use, or before the loops around that use. Later uses nearby share the
//! register.

use std::collections::BTreeMap;

use super::machine::{BlockId, Class, Code, Place, VInst, VOperand, VPred, VReg, VSrc};
use crate::ir::flow::dominators::{Dominators, reverse_postorder_from};
use engine::ids::Span;
use engine::isa::{Op, Width};

/// Maximum registers for constants that are loaded before loops; the loads of further constants are inside.
const ROOM: u32 = 16;
/// Maximum steps up the dominator tree from a use to a load that the use can share. The second number is for
/// pairs, which are reloaded sooner.
const FAR: [u32; 2] = [8, 4];

/// Bank, byte offset, and words.
type Key = (u8, u16, u8);

/// Replaces the constant operands of instructions by registers that LDC loads.
pub(super) fn load(code: &mut Code) {
    let succs: Vec<Vec<u32>> = (code.successors().into_iter())
        .map(|list| list.into_iter().map(|to| to as u32).collect())
        .collect();
    let Some(root) = code.layout.first().map(|id| id.0) else {
        return;
    };
    let mut preds = vec![Vec::new(); succs.len()];
    for (from, list) in succs.iter().enumerate() {
        for to in list {
            preds[*to as usize].push(from as u32);
        }
    }
    let order = reverse_postorder_from(root, &succs);
    let tree = Dominators::new(succs.len(), &order, &preds);
    let insts = code.blocks.iter().flat_map(|block| &block.insts);
    let calls = insts.into_iter().any(|inst| matches!(inst.op, Op::Call { .. }));
    let mut loads = Loads {
        code,
        tree: &tree,
        calls,
        room: ROOM,
        there: BTreeMap::new(),
    };
    for node in &order {
        loads.block(BlockId(*node));
    }
}

struct Loads<'a> {
    code: &'a mut Code,
    tree: &'a Dominators,
    /// Whether the function calls other functions, which may overwrite registers.
    calls: bool,
    room: u32,
    /// The blocks that load each constant, and the registers that hold it.
    there: BTreeMap<Key, Vec<(BlockId, VReg)>>,
}

impl Loads<'_> {
    fn block(&mut self, id: BlockId) {
        if self.calls {
            self.there.clear();
        }
        let insts = std::mem::take(&mut self.code.block_mut(id).insts);
        let mut out = Vec::with_capacity(insts.len());
        for mut inst in insts {
            if let (Op::Mov, VOperand::Const { bank, offset }) = (inst.op, inst.srcs[0].operand) {
                inst.op = Op::Ldc {
                    bank,
                    width: Width::B32,
                };
                inst.srcs[0] = VSrc::ZERO;
                inst.offset = offset.into();
                out.push(inst);
                continue;
            }
            let widths = inst.widths();
            let at = inst.span;
            let constants = inst.srcs.iter().filter(|src| is_constant(src)).count();
            if is_float(inst.op) && constants == 1 {
                out.push(inst);
                continue;
            }
            let operands = inst.srcs.iter_mut().chain([&mut inst.mask]);
            for (src, width) in operands.zip(widths) {
                if let VOperand::Const { bank, offset } = src.operand
                    && width > 0
                {
                    let vreg = self.register((bank, offset, width), id, at, &mut out);
                    src.operand = VOperand::Reg(Place { vreg, unit: 0 });
                }
            }
            if matches!(inst.op, Op::Call { .. }) {
                self.there.clear();
            }
            out.push(inst);
        }
        self.code.block_mut(id).insts = out;
    }

    /// Returns a register that holds a constant in block `id`. `out` holds the block's instructions so far.
    fn register(&mut self, key: Key, id: BlockId, span: Span, out: &mut Vec<VInst>) -> VReg {
        if let Some(list) = self.there.get(&key) {
            let far = FAR[usize::from(key.2 > 1)];
            let near = list.iter().find(|(block, _)| self.is_near(*block, id, far));
            if let Some((_, vreg)) = near {
                return *vreg;
            }
        }
        let vreg = self.code.vreg(Class::General, key.2);
        let units = u32::from(key.2);
        let mut home = id;
        while !self.calls
            && self.room >= units
            && self.code.block(home).depth > 0
            && let Some(above) = self.tree.idom(home.0)
        {
            home = BlockId(above);
        }
        let insts = load_of(key, vreg, span);
        if home == id {
            out.extend(insts);
        } else {
            self.room -= units;
            let list = &mut self.code.block_mut(home).insts;
            let end = list.iter().rposition(|inst| !inst.op.is_control());
            let end = end.map_or(0, |last| last + 1);
            list.splice(end..end, insts);
        }
        self.there.entry(key).or_default().push((home, vreg));
        vreg
    }

    fn is_near(&self, from: BlockId, to: BlockId, far: u32) -> bool {
        if !self.tree.dominates(from.0, to.0) {
            return false;
        }
        // Loops between the load and the use do not count: the load is before them so that they can use it.
        let depth = self.code.block(from).depth;
        let (mut at, mut steps) = (to, 0);
        while at != from && steps <= far {
            match self.tree.idom(at.0) {
                Some(above) => at = BlockId(above),
                None => return false,
            }
            steps += u32::from(self.code.block(at).depth <= depth);
        }
        at == from
    }
}

fn is_constant(src: &VSrc) -> bool {
    matches!(src.operand, VOperand::Const { .. })
}

/// Returns whether an operation is arithmetic that has a uniform register as one operand in nvcc's code. A
/// uniform register uses no port of the register file; here the operand is the constant itself.
const fn is_float(op: Op) -> bool {
    matches!(
        op,
        Op::Ffma { .. }
            | Op::Fadd { .. }
            | Op::Fmul { .. }
            | Op::Dfma { .. }
            | Op::Dadd { .. }
            | Op::Dmul { .. }
    )
}

fn load_of((bank, offset, units): Key, vreg: VReg, span: Span) -> Vec<VInst> {
    let load = |unit: u8, width: Width| {
        let mut inst = VInst::new(Op::Ldc { bank, width });
        inst.dst = Some(Place { vreg, unit });
        inst.offset = i32::from(offset) + 4 * i32::from(unit);
        inst.guard = VPred::TRUE;
        inst.span = span;
        inst
    };
    match units {
        2 if offset % 8 == 0 => vec![load(0, Width::B64)],
        _ => (0..units).map(|unit| load(unit, Width::B32)).collect(),
    }
}
