//! The factors of matrix products are in consecutive registers, which are filled once for all products of a block.
//!
//! Selection fills new registers for each product. Register allocation then removes the copies of words that are in one
//! factor. These words are before the loops in which they do not change. Words that are in another factor, or at another
//! place of it, are copied once in each block, as in nvcc's code. Constants are before small loops only
//! ([`Factors::size`]).

use std::collections::{BTreeMap, BTreeSet};

use super::machine::{BlockId, Code, VInst, VOperand, VPred, VReg};
use crate::ir::flow::dominators::{Dominators, reverse_postorder_from};
use engine::isa::Op;

/// Maximum size of a loop whose constants are before it.
const SMALL_LOOP: usize = 25;

/// A word of a factor, with the number of writes of its register so far in the block.
type Word = (VOperand, u32);

/// Fills the factors of matrix products once.
pub(super) fn share(code: &mut Code) {
    let insts = || code.blocks.iter().flat_map(|block| &block.insts);
    let calls = insts().any(|inst| matches!(inst.op, Op::Call { .. }));
    let Some(root) = code.layout.first().map(|id| id.0) else {
        return;
    };
    // A call may overwrite registers.
    if calls || !insts().any(|inst| matches!(inst.op, Op::Mma { .. })) {
        return;
    }
    let succs: Vec<Vec<u32>> = (code.successors().into_iter())
        .map(|list| list.into_iter().map(|to| to as u32).collect())
        .collect();
    let mut preds = vec![Vec::new(); succs.len()];
    for (from, list) in succs.iter().enumerate() {
        for to in list {
            preds[*to as usize].push(from as u32);
        }
    }
    let order = reverse_postorder_from(root, &succs);
    let tree = Dominators::new(succs.len(), &order, &preds);
    let mut factors = Factors {
        makers: makers(code),
        is_factor: factors(code),
        hoists_constants: false,
        code,
        tree: &tree,
        before_loops: BTreeMap::new(),
        users: BTreeMap::new(),
    };
    for node in &order {
        factors.block(BlockId(*node));
    }
}

/// For each register that one instruction writes, the instruction's block.
fn makers(code: &Code) -> Vec<Option<BlockId>> {
    let mut writes = vec![0_u32; code.vregs.len()];
    let mut makers = vec![None; code.vregs.len()];
    for (id, block) in (0..).map(BlockId).zip(&code.blocks) {
        for inst in &block.insts {
            if let Some(place) = inst.dst {
                writes[place.vreg.0 as usize] += 1;
                makers[place.vreg.0 as usize] = (!inst.keeps && inst.guard == VPred::TRUE).then_some(id);
            }
        }
    }
    for (maker, writes) in makers.iter_mut().zip(writes) {
        *maker = maker.filter(|_| writes == 1);
    }
    makers
}

/// For each register, whether it is a factor: products read it, and only moves write it.
fn factors(code: &Code) -> Vec<bool> {
    let mut factors = vec![false; code.vregs.len()];
    let mut others = vec![false; code.vregs.len()];
    for inst in code.blocks.iter().flat_map(|block| &block.insts) {
        let is_product = matches!(inst.op, Op::Mma { .. });
        for (idx, src) in inst.srcs.iter().enumerate() {
            if let Some(place) = src.place() {
                let list = if is_product && idx < 2 {
                    &mut factors
                } else {
                    &mut others
                };
                list[place.vreg.0 as usize] = true;
            }
        }
        if let Some(place) = inst.dst
            && !is_plain_move(inst)
        {
            others[place.vreg.0 as usize] = true;
        }
    }
    for (idx, factor) in factors.iter_mut().enumerate() {
        *factor &= !others[idx] && code.vregs[idx].fixed.is_none();
    }
    factors
}

fn is_plain_move(inst: &VInst) -> bool {
    let src = inst.srcs[0];
    inst.op == Op::Mov
        && inst.guard == VPred::TRUE
        && !inst.keeps
        && inst.copy <= 1
        && !src.negate
        && !src.absolute
}

struct Factors<'a> {
    code: &'a mut Code,
    tree: &'a Dominators,
    makers: Vec<Option<BlockId>>,
    is_factor: Vec<bool>,
    /// Whether the constants of the current block are before its loop.
    hoists_constants: bool,
    /// Factors that are filled before loops, by the block that fills them.
    before_loops: BTreeMap<(BlockId, Vec<Word>), VReg>,
    /// The factor that was first filled with a word, and the word's position in it.
    users: BTreeMap<VOperand, (VReg, usize)>,
}

impl Factors<'_> {
    fn block(&mut self, id: BlockId) {
        let insts = std::mem::take(&mut self.code.block_mut(id).insts);
        self.hoists_constants = self.size(&insts) <= SMALL_LOOP;
        let mut out: Vec<VInst> = Vec::with_capacity(insts.len());
        let mut writes: BTreeMap<VReg, u32> = BTreeMap::new();
        // The moves of factors that no product has read, and the factors of this block.
        let mut moves: BTreeMap<VReg, Vec<(VInst, Word)>> = BTreeMap::new();
        let mut here: BTreeMap<Vec<Word>, VReg> = BTreeMap::new();
        for mut inst in insts {
            let filled = inst.dst.filter(|place| self.is_factor[place.vreg.0 as usize]);
            if let Some(place) = filled {
                let operand = inst.srcs[0].operand;
                let version = inst.srcs[0]
                    .place()
                    .map_or(0, |place| writes.get(&place.vreg).copied().unwrap_or(0));
                moves
                    .entry(place.vreg)
                    .or_default()
                    .push((inst, (operand, version)));
                continue;
            }
            if matches!(inst.op, Op::Mma { .. }) {
                for src in &mut inst.srcs[..2] {
                    let Some(place) = src.place() else { continue };
                    let Some(list) = moves.remove(&place.vreg) else {
                        continue;
                    };
                    let vreg = self.fill(place.vreg, list, id, &mut here, &mut out);
                    src.operand = VOperand::Reg(super::machine::Place { vreg, ..place });
                }
            }
            if let Some(place) = inst.dst {
                *writes.entry(place.vreg).or_default() += 1;
            }
            out.push(inst);
        }
        out.extend(moves.into_values().flatten().map(|(inst, _)| inst));
        self.code.block_mut(id).insts = out;
    }

    /// The size of a block for the decision about its constants: its products, their constant words, and twice the
    /// registers of the sums that come from outside the block. nvcc 13 fills constants in each round of a loop from 26 on,
    /// for 8.0 and 9.0: from 13 products with 5 constants in one chain, 5 products in two chains, or 3 in three.
    fn size(&self, insts: &[VInst]) -> usize {
        let mut size = 0;
        let mut constants = BTreeSet::new();
        let mut results = BTreeSet::new();
        for inst in insts {
            if let Some(place) = inst.dst
                && self.is_factor[place.vreg.0 as usize]
                && matches!(inst.srcs[0].operand, VOperand::Imm(_))
            {
                constants.insert(inst.srcs[0].operand);
            }
            if let Op::Mma { mma } = inst.op {
                size += 1;
                if let Some(place) = inst.srcs[2].place()
                    && !results.contains(&place.vreg)
                {
                    size += 2 * usize::from(mma.kind.source_widths()[2]);
                }
                results.extend(inst.dst.map(|place| place.vreg));
            } else if inst.op == Op::Mov
                && let (Some(from), Some(to)) = (inst.srcs[0].place(), inst.dst)
                && results.contains(&from.vreg)
            {
                results.insert(to.vreg);
            }
        }
        size + constants.len()
    }

    /// Fills a factor, except if another one has the same words. Returns the factor's register.
    fn fill(
        &mut self,
        vreg: VReg,
        mut moves: Vec<(VInst, Word)>,
        id: BlockId,
        here: &mut BTreeMap<Vec<Word>, VReg>,
        out: &mut Vec<VInst>,
    ) -> VReg {
        moves.sort_by_key(|(inst, _)| inst.dst.map(|place| place.unit));
        let words: Vec<Word> = moves.iter().map(|(_, word)| *word).collect();
        if let Some(vreg) = here.get(&words) {
            return *vreg;
        }
        let home = self.home(&words, id);
        if let Some(vreg) = self.before_loops.get(&(home, words.clone())) {
            return *vreg;
        }
        for (idx, (operand, _)) in words.iter().enumerate() {
            self.users.entry(*operand).or_insert((vreg, idx));
        }
        let mut early = Vec::new();
        for (idx, (inst, (operand, _))) in moves.into_iter().enumerate() {
            let is_early = home != id
                && match operand {
                    VOperand::Reg(_) => self.users.get(&operand) == Some(&(vreg, idx)),
                    VOperand::Imm(_) => self.hoists_constants,
                    _ => true,
                };
            if !is_early {
                out.push(inst);
                continue;
            }
            early.push(inst);
        }
        if early.len() == words.len() {
            self.before_loops.insert((home, words), vreg);
        } else {
            here.insert(words, vreg);
        }
        let list = &mut self.code.block_mut(home).insts;
        if home != id {
            let end = list.iter().rposition(|inst| !inst.op.is_control());
            let end = end.map_or(0, |last| last + 1);
            list.splice(end..end, early);
        }
        vreg
    }

    /// The block before the loops around `id` in which the words do not change.
    fn home(&self, words: &[Word], id: BlockId) -> BlockId {
        let is_known = |at: BlockId| {
            words.iter().all(|(operand, _)| match operand {
                VOperand::Reg(place) => self.makers[place.vreg.0 as usize]
                    .is_some_and(|maker| maker == at || self.tree.dominates(maker.0, at.0)),
                _ => true,
            })
        };
        let mut home = id;
        let mut at = id;
        while self.code.block(at).depth > 0
            && let Some(above) = self.tree.idom(at.0)
        {
            at = BlockId(above);
            if !is_known(at) {
                break;
            }
            if self.code.block(at).depth < self.code.block(home).depth {
                home = at;
            }
        }
        home
    }
}
