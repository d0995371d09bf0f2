//! Machine code before register allocation: target instructions on virtual registers, in basic blocks in the
//! order of the final code.
//!
//! A virtual register of several units (a pair, a quad) takes consecutive registers. Each unit can be read,
//! written, live, or dead separately.

use engine::ids::Span;
use engine::isa::{self, BoolOp, Op, Operand, PredSrc, Reg};

/// A virtual register: an index into [`Code::vregs`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct VReg(pub(super) u32);

/// A unit of a virtual register: the first unit that an operand refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    pub(super) vreg: VReg,
    pub(super) unit: u8,
}
impl Place {
    pub(super) const fn at(self, idx: u8) -> Self {
        Self {
            vreg: self.vreg,
            unit: self.unit + idx,
        }
    }
}

/// A basic block: an index into [`Code::blocks`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct BlockId(pub(super) u32);

/// The register file of a virtual register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    /// General registers.
    General,
    /// Predicates.
    Predicate,
}

/// Facts about a virtual register.
#[derive(Clone, Copy, Debug)]
pub(super) struct VRegInfo {
    pub(super) class: Class,
    /// Number of units: 1, 2, or 4; also the alignment.
    pub(super) units: u8,
    /// The physical register that the calling convention requires.
    pub(super) fixed: Option<u8>,
    /// Whether the spiller created this register: spilling it again gains nothing.
    pub(super) short: bool,
}

/// The source of a virtual operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum VOperand {
    Zero,
    Reg(Place),
    Imm(u32),
    Const { bank: u8, offset: u16 },
}

/// A source operand with its modifiers, like [`isa::Src`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct VSrc {
    pub(super) operand: VOperand,
    pub(super) negate: bool,
    pub(super) absolute: bool,
}
impl VSrc {
    pub(super) const ZERO: Self = Self::of(VOperand::Zero);
    pub(super) const fn of(operand: VOperand) -> Self {
        Self {
            operand,
            negate: false,
            absolute: false,
        }
    }
    pub(super) const fn reg(place: Place) -> Self {
        Self::of(VOperand::Reg(place))
    }
    pub(super) const fn imm(bits: u32) -> Self {
        Self::of(if bits == 0 {
            VOperand::Zero
        } else {
            VOperand::Imm(bits)
        })
    }
    pub(super) const fn constant(bank: u8, offset: u16) -> Self {
        Self::of(VOperand::Const { bank, offset })
    }
    pub(super) const fn negated(self) -> Self {
        Self {
            negate: !self.negate,
            ..self
        }
    }
    pub(super) const fn absolute(self) -> Self {
        Self {
            negate: false,
            absolute: true,
            ..self
        }
    }
    /// Whether the operand needs no register.
    pub(super) const fn is_outside(self) -> bool {
        matches!(self.operand, VOperand::Imm(_) | VOperand::Const { .. })
    }
    pub(super) const fn is_register(self) -> bool {
        matches!(self.operand, VOperand::Reg(_) | VOperand::Zero)
    }
    pub(super) const fn place(self) -> Option<Place> {
        match self.operand {
            VOperand::Reg(place) => Some(place),
            _ => None,
        }
    }
}

/// A predicate source; PT if it has no register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct VPred {
    pub(super) vreg: Option<VReg>,
    pub(super) negate: bool,
}
impl VPred {
    pub(super) const TRUE: Self = Self {
        vreg: None,
        negate: false,
    };
    pub(super) const FALSE: Self = Self {
        vreg: None,
        negate: true,
    };
    pub(super) const fn of(vreg: VReg) -> Self {
        Self {
            vreg: Some(vreg),
            negate: false,
        }
    }
    pub(super) const fn inverted(self) -> Self {
        Self {
            vreg: self.vreg,
            negate: !self.negate,
        }
    }
}

/// One instruction on virtual registers. Branch targets in `op` are block numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct VInst {
    pub(super) op: Op,
    pub(super) guard: VPred,
    pub(super) dst: Option<Place>,
    pub(super) pdst: Option<VReg>,
    pub(super) srcs: [VSrc; 3],
    pub(super) psrcs: [VPred; 3],
    pub(super) offset: i32,
    pub(super) mask: VSrc,
    pub(super) span: Span,
    /// Number of units that a copy copies, from `srcs[0]` to `dst` (or `psrcs[0]` to `pdst`); 0 for other
    /// instructions.
    pub(super) copy: u8,
    /// Whether lanes with a false guard keep a value that is used later, so that the old value of the
    /// destination is an operand.
    pub(super) keeps: bool,
    /// Registers of the calling convention that the instruction reads and defines: indices into
    /// [`Code::live_outside`], counted from 1; 0 for none.
    pub(super) uses: u32,
    pub(super) defines: u32,
    /// Unread words of loads that stay reserved up to this instruction: an index into [`Code::held`], counted from 1;
    /// 0 for none.
    pub(super) holds: u32,
    /// Whether the instruction moves a spilled register to or from memory.
    pub(super) spill: bool,
}

/// Placeholder immediate for the size of the function's frame, which is known after allocation.
pub(super) const FRAME_SIZE: u32 = 0x7f5a_11ed;

impl VInst {
    pub(super) const fn new(op: Op) -> Self {
        Self {
            op,
            guard: VPred::TRUE,
            dst: None,
            pdst: None,
            srcs: [VSrc::ZERO; 3],
            psrcs: [VPred::TRUE; 3],
            offset: 0,
            mask: VSrc::imm(u32::MAX),
            span: Span {
                start: 0,
                end: 0,
                line: 0,
                column: 0,
            },
            copy: 0,
            keeps: false,
            uses: 0,
            defines: 0,
            holds: 0,
            spill: false,
        }
    }

    /// Number of units of each operand, with the member mask last.
    pub(super) fn widths(&self) -> [u8; 4] {
        let [a, b, c] = self.op.source_widths();
        let a = if self.copy > 0 && self.dst.is_some() {
            self.copy
        } else {
            a
        };
        [a, b, c, u8::from(self.op.has_member_mask())]
    }

    /// Number of units of the result.
    pub(super) fn destination_units(&self) -> u8 {
        match (self.dst, self.copy) {
            (None, _) => 0,
            (Some(_), 0) => self.op.destination_width(),
            (Some(_), units) => units,
        }
    }

    pub(super) fn operands(&self) -> impl Iterator<Item = (VSrc, u8)> {
        let widths = self.widths();
        [self.srcs[0], self.srcs[1], self.srcs[2], self.mask]
            .into_iter()
            .zip(widths)
            .filter(|(_, width)| *width > 0)
    }

    /// Units that are read, excluding guard and predicate operands.
    pub(super) fn read_places(&self) -> impl Iterator<Item = (Place, u8)> {
        self.operands()
            .filter_map(|(src, width)| src.place().map(|place| (place, width)))
    }

    /// Predicates that are read.
    pub(super) fn read_predicates(&self) -> impl Iterator<Item = VReg> {
        let num = self.op.num_predicate_sources();
        [
            (self.guard, true),
            (self.psrcs[0], num > 0),
            (self.psrcs[1], num > 1),
            (self.psrcs[2], num > 2),
        ]
        .into_iter()
        .filter_map(|(pred, used)| if used { pred.vreg } else { None })
    }

    /// Whether it does something beside writing its results.
    pub(super) const fn has_effect(&self) -> bool {
        self.op.describe().has_effect
    }
}

/// A basic block.
#[derive(Clone, Debug, Default)]
pub(super) struct Block {
    pub(super) insts: Vec<VInst>,
    /// Successors, except for falling through to the next block.
    pub(super) targets: Vec<BlockId>,
    /// Whether control can fall through to the next block.
    pub(super) falls: bool,
    /// Number of loops around the block.
    pub(super) depth: u32,
}

/// A function's code.
#[derive(Clone, Debug, Default)]
pub(super) struct Code {
    pub(super) vregs: Vec<VRegInfo>,
    pub(super) blocks: Vec<Block>,
    /// The blocks in the order of the final code.
    pub(super) layout: Vec<BlockId>,
    /// Registers that calls and returns read or define in addition to their operands.
    pub(super) live_outside: Vec<Vec<VReg>>,
    /// Words that no instruction reads, but which stay reserved until their load has arrived (`pending`).
    pub(super) held: Vec<Vec<Place>>,
    /// Whether the active lanes of a warp execute in lockstep and rely on it: before Volta, `__syncwarp` is not
    /// an instruction.
    pub(super) in_step: bool,
}

impl Code {
    pub(super) fn vreg(&mut self, class: Class, units: u8) -> VReg {
        self.vregs.push(VRegInfo {
            class,
            units,
            fixed: None,
            short: false,
        });
        VReg(self.vregs.len() as u32 - 1)
    }

    pub(super) fn info(&self, vreg: VReg) -> VRegInfo {
        self.vregs[vreg.0 as usize]
    }

    pub(super) fn block(&self, id: BlockId) -> &Block {
        &self.blocks[id.0 as usize]
    }

    pub(super) fn block_mut(&mut self, id: BlockId) -> &mut Block {
        &mut self.blocks[id.0 as usize]
    }

    /// Registers of the calling convention that an instruction reads.
    pub(super) fn convention_reads(&self, inst: &VInst) -> &[VReg] {
        inst.uses
            .checked_sub(1)
            .map_or(&[], |idx| &self.live_outside[idx as usize])
    }

    /// Registers of the calling convention that an instruction defines.
    pub(super) fn convention_writes(&self, inst: &VInst) -> &[VReg] {
        inst.defines
            .checked_sub(1)
            .map_or(&[], |idx| &self.live_outside[idx as usize])
    }

    /// Unread words of loads that stay reserved up to an instruction.
    pub(super) fn held_words(&self, inst: &VInst) -> &[Place] {
        inst.holds
            .checked_sub(1)
            .map_or(&[], |idx| &self.held[idx as usize])
    }

    /// Removes instructions whose results are not read, or only by the instruction itself.
    pub(super) fn drop_dead(&mut self) {
        let mut makers: Vec<Vec<(u32, u32)>> = vec![Vec::new(); self.vregs.len()];
        // The caller or callee reads the registers of the calling convention.
        let fixed = (0..self.vregs.len() as u32)
            .map(VReg)
            .filter(|vreg| self.info(*vreg).fixed.is_some());
        let mut work: Vec<VReg> = self.live_outside.iter().flatten().copied().chain(fixed).collect();
        for (block, insts) in self.blocks.iter().map(|block| &block.insts).enumerate() {
            for (at, inst) in insts.iter().enumerate() {
                for vreg in inst.dst.map(|place| place.vreg).into_iter().chain(inst.pdst) {
                    makers[vreg.0 as usize].push((block as u32, at as u32));
                }
                if inst.has_effect() {
                    work.extend(inst.read_places().map(|(place, _)| place.vreg));
                    work.extend(inst.read_predicates());
                }
            }
        }
        let mut reads = vec![false; self.vregs.len()];
        while let Some(vreg) = work.pop() {
            if std::mem::replace(&mut reads[vreg.0 as usize], true) {
                continue;
            }
            for (block, at) in &makers[vreg.0 as usize] {
                let inst = &self.blocks[*block as usize].insts[*at as usize];
                work.extend(inst.read_places().map(|(place, _)| place.vreg));
                work.extend(inst.read_predicates());
            }
        }
        let is_read = |vreg: VReg| reads[vreg.0 as usize];
        for block in &mut self.blocks {
            block.insts.retain(|inst| {
                inst.has_effect()
                    || inst.dst.is_some_and(|place| is_read(place.vreg))
                    || inst.pdst.is_some_and(is_read)
            });
        }
        // Exchanges with an unused result stay, but their results need no register.
        for block in &mut self.blocks {
            for inst in &mut block.insts {
                if inst.dst.is_some_and(|place| !is_read(place.vreg)) && inst.pdst.is_some() {
                    inst.dst = None;
                }
                if inst.pdst.is_some_and(|vreg| !is_read(vreg)) && inst.dst.is_some() {
                    inst.pdst = None;
                }
            }
        }
    }

    /// Merges additions of 0 that only saturate into the operation before, if nothing else reads its result.
    pub(super) fn merge_saturation(&mut self) {
        let mut reads = vec![0_u32; self.vregs.len()];
        let mut writes = reads.clone();
        for inst in self.blocks.iter().flat_map(|block| &block.insts) {
            for (place, _) in inst.read_places() {
                reads[place.vreg.0 as usize] += 1;
            }
            if let Some(place) = inst.dst {
                writes[place.vreg.0 as usize] += 1;
            }
        }
        for block in &mut self.blocks {
            for at in 1..block.insts.len() {
                let inst = &block.insts[at];
                let (Op::Fadd { ftz, sat: true, .. }, Some(from)) = (inst.op, inst.srcs[0].place()) else {
                    continue;
                };
                let vreg = from.vreg.0 as usize;
                let plain = inst.srcs[0] == VSrc::reg(from) && inst.srcs[1] == VSrc::ZERO;
                if !plain || reads[vreg] != 1 || writes[vreg] != 1 || inst.guard != VPred::TRUE {
                    continue;
                }
                let Some(before) = block.insts[..at].iter().rposition(|inst| inst.dst == Some(from)) else {
                    continue;
                };
                let maker = &mut block.insts[before];
                let saturates = match &mut maker.op {
                    Op::Ffma { ftz: own, sat, .. }
                    | Op::Fadd { ftz: own, sat, .. }
                    | Op::Fmul { ftz: own, sat, .. }
                        if *own == ftz && maker.guard == VPred::TRUE =>
                    {
                        *sat = true;
                        true
                    }
                    _ => false,
                };
                if saturates {
                    let inst = &mut block.insts[at];
                    inst.op = Op::Mov;
                    inst.srcs = [VSrc::reg(from), VSrc::ZERO, VSrc::ZERO];
                    inst.copy = 1;
                }
            }
        }
    }

    /// Merges a block into the block before it, if that block only falls through to it and no branch targets
    /// it. Both blocks must have the same loop depth.
    pub(super) fn join_blocks(&mut self) {
        let mut is_target = vec![false; self.blocks.len()];
        for block in &self.blocks {
            for target in &block.targets {
                is_target[target.0 as usize] = true;
            }
            for inst in &block.insts {
                if let Op::Bra { target } | Op::Push { target, .. } | Op::Bssy { target, .. } = inst.op {
                    is_target[target.0 as usize] = true;
                }
            }
        }
        let mut layout: Vec<BlockId> = Vec::with_capacity(self.layout.len());
        for id in std::mem::take(&mut self.layout) {
            let joins = layout.last().copied().filter(|before| {
                let before = self.block(*before);
                let plain = !before.insts.last().is_some_and(|inst| inst.op.is_control());
                before.falls
                    && before.targets.is_empty()
                    && plain
                    && before.depth == self.block(id).depth
                    && !is_target[id.0 as usize]
            });
            let Some(before) = joins else {
                layout.push(id);
                continue;
            };
            let mut second = std::mem::take(self.block_mut(id));
            let first = self.block_mut(before);
            first.insts.append(&mut second.insts);
            first.targets = second.targets;
            first.falls = second.falls;
        }
        self.layout = layout;
    }

    /// Removes writes that no later instruction reads, for registers that are live in only one block. An
    /// example is the last step of a quotient, if the program uses only the remainder.
    pub(super) fn drop_last_updates(&mut self) {
        #[derive(Clone, Copy, PartialEq)]
        enum Home {
            Nowhere,
            In(u32),
            Around,
        }
        let mut homes = vec![Home::Nowhere; self.vregs.len()];
        let outputs = |inst: &VInst| inst.dst.map(|place| place.vreg).into_iter().chain(inst.pdst);
        let inputs = |inst: &VInst| {
            let kept = outputs(inst).filter(|_| inst.keeps).collect::<Vec<_>>();
            (inst.read_places().map(|(place, _)| place.vreg))
                .chain(inst.read_predicates())
                .chain(kept)
                .collect::<Vec<_>>()
        };
        for (block, insts) in (0_u32..).zip(self.blocks.iter().map(|block| &block.insts)) {
            for inst in insts {
                let reads = inputs(inst);
                let first_written = |vreg: &VReg| inst.guard == VPred::TRUE && !reads.contains(vreg);
                for vreg in reads.iter().copied().chain(outputs(inst)) {
                    let fixed = self.info(vreg).fixed.is_some();
                    let home = &mut homes[vreg.0 as usize];
                    *home = match *home {
                        _ if fixed => Home::Around,
                        Home::Nowhere if first_written(&vreg) => Home::In(block),
                        Home::In(other) if other == block => Home::In(block),
                        _ => Home::Around,
                    };
                }
            }
        }
        let mut alive = vec![false; self.vregs.len()];
        for block in 0..self.blocks.len() {
            let insts = std::mem::take(&mut self.blocks[block].insts);
            let mut out = Vec::with_capacity(insts.len());
            for inst in insts.into_iter().rev() {
                let is_local = |vreg: VReg| homes[vreg.0 as usize] == Home::In(block as u32);
                let dead = outputs(&inst).all(|vreg| is_local(vreg) && !alive[vreg.0 as usize])
                    && outputs(&inst).next().is_some();
                if dead && !inst.has_effect() {
                    continue;
                }
                for vreg in outputs(&inst) {
                    let whole = inst.dst.is_none_or(|place| {
                        place.vreg != vreg || inst.destination_units() == self.info(vreg).units
                    });
                    if whole && inst.guard == VPred::TRUE && !inst.keeps {
                        alive[vreg.0 as usize] = false;
                    }
                }
                for vreg in inputs(&inst) {
                    alive[vreg.0 as usize] = true;
                }
                out.push(inst);
            }
            out.reverse();
            self.blocks[block].insts = out;
        }
    }

    /// Successors of every block, by block number.
    pub(super) fn successors(&self) -> Vec<Vec<usize>> {
        let mut list = vec![Vec::new(); self.blocks.len()];
        for (position, id) in self.layout.iter().enumerate() {
            let block = self.block(*id);
            let slot = &mut list[id.0 as usize];
            slot.extend(block.targets.iter().map(|target| target.0 as usize));
            if block.falls
                && let Some(next) = self.layout.get(position + 1)
            {
                slot.push(next.0 as usize);
            }
        }
        list
    }
}

/// Lookup table of a predicate copy: PLOP3 with the table of its first operand.
pub(super) const COPY_LUT: u8 = 0xf0;

/// Lookup table of an operation on the first two predicate operands.
pub(super) const fn pair_lut(op: BoolOp) -> u8 {
    match op {
        BoolOp::And => 0xf0 & 0xcc,
        BoolOp::Or => 0xf0 | 0xcc,
        BoolOp::Xor => 0xf0 ^ 0xcc,
    }
}

/// A virtual operand in its physical register.
pub(super) fn physical_src(src: VSrc, reg: impl Fn(Place) -> Reg) -> isa::Src {
    isa::Src {
        operand: match src.operand {
            VOperand::Zero => Operand::Reg(isa::RZ),
            VOperand::Reg(place) => Operand::Reg(reg(place)),
            VOperand::Imm(bits) => Operand::Imm(bits),
            VOperand::Const { bank, offset } => Operand::Const { bank, offset },
        },
        negate: src.negate,
        absolute: src.absolute,
    }
}

/// A virtual predicate in its physical register.
pub(super) fn physical_pred(pred: VPred, reg: impl Fn(VReg) -> isa::Pred) -> PredSrc {
    PredSrc {
        pred: pred.vreg.map_or(isa::PT, reg),
        negate: pred.negate,
    }
}
