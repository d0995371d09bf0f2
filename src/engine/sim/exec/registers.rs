//! Registers and predicates of a warp, and operand reads.

use super::{Each, LANE_BITS, by_lane, float};
use crate::isa::{Instruction, NumType, Operand, Pred, PredSrc, RZ, Reg, Special, Src};
use crate::sim::memory::constant_word;

/// One register of all lanes.
pub type Row = [u32; 32];
/// One register pair of all lanes.
pub type WideRow = [u64; 32];

/// Storage for an operand that is not an unmodified register. `None` avoids the initialization with zeros.
pub(super) type OperandBuffer = Option<Row>;

/// Registers and predicates of a warp.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Registers {
    /// `rows[r][l]` is register r of lane l.
    pub rows: Vec<Row>,
    /// Predicates as lane masks; the last one is PT.
    pub preds: [u32; 8],
}

/// The values other than registers that an instruction reads.
#[derive(Clone, Copy, Debug)]
pub struct Context<'a> {
    /// Constant bank 0.
    pub bank0: &'a [u8],
    /// Constant bank 3.
    pub bank3: &'a [u8],
    /// Threads of a block in x, y, z.
    pub block_dim: [u32; 3],
    /// The block's coordinates.
    pub block_idx: [u32; 3],
    /// The warp's index in its block.
    pub warp_in_block: u32,
    /// Index of the SM on its device.
    pub sm: u32,
    /// Slot of the warp.
    pub slot: u32,
    /// Lanes that are active at this instruction.
    pub active: u32,
    /// The current cycle.
    pub cycle: u64,
}

/// Writes the lanes of `mask` without branches.
#[inline(never)]
fn merge(row: &mut Row, mask: u32, values: &Row) {
    for lane in 0..32 {
        let keep = if mask & LANE_BITS[lane] == 0 { u32::MAX } else { 0 };
        row[lane] = row[lane] & keep | values[lane] & !keep;
    }
}

impl Registers {
    /// Creates registers that are all zero.
    pub fn new(num_registers: usize) -> Self {
        Self {
            rows: vec![[0; 32]; num_registers],
            preds: [0, 0, 0, 0, 0, 0, 0, u32::MAX],
        }
    }

    /// Resets all registers to zero for another warp.
    pub(in crate::sim) fn restart(&mut self, num_registers: usize) {
        self.rows.clear();
        self.rows.resize(num_registers, [0; 32]);
        self.preds = [0, 0, 0, 0, 0, 0, 0, u32::MAX];
    }

    /// A register's row.
    #[inline(always)]
    pub fn row(&self, reg: Reg) -> Row {
        if reg == RZ {
            [0; 32]
        } else {
            self.rows[usize::from(reg.0)]
        }
    }

    /// Writes the lanes of `mask`.
    #[inline(always)]
    pub fn set_row(&mut self, reg: Reg, mask: u32, values: &Row) {
        if reg == RZ {
            return;
        }
        let row = &mut self.rows[usize::from(reg.0)];
        if mask == u32::MAX {
            *row = *values;
        } else {
            merge(row, mask, values);
        }
    }

    /// Writes a register pair.
    #[inline(always)]
    pub fn set_wide(&mut self, reg: Reg, mask: u32, values: &WideRow) {
        if reg == RZ {
            return;
        }
        self.set_row(reg, mask, &values.each(|value| value as u32));
        self.set_row(Reg(reg.0 + 1), mask, &values.each(|value| (value >> 32) as u32));
    }

    /// The lanes for which a predicate operand is true.
    #[inline(always)]
    pub fn holds(&self, src: PredSrc) -> u32 {
        let lanes = self.preds[usize::from(src.pred.0)];
        if src.negate { !lanes } else { lanes }
    }

    /// Writes the lanes of `mask`; a write to PT is dropped.
    #[inline(always)]
    pub fn set_pred(&mut self, pred: Pred, mask: u32, lanes: u32) {
        if pred.0 < 7 {
            let old = &mut self.preds[usize::from(pred.0)];
            *old = *old & !mask | lanes & mask;
        }
    }

    /// An operand without its modifiers: a reference to the register, or a value in `buffer`.
    #[inline(always)]
    fn raw_in<'a>(&'a self, src: &Src, ctx: &Context<'_>, buffer: &'a mut OperandBuffer) -> &'a Row {
        match src.operand {
            Operand::Reg(RZ) => &[0; 32],
            Operand::Reg(reg) => &self.rows[usize::from(reg.0)],
            Operand::Imm(bits) => buffer.insert([bits; 32]),
            Operand::Const { bank, offset } => buffer.insert([ctx.constant(bank, offset); 32]),
        }
    }

    /// An operand without its modifiers.
    #[inline(always)]
    pub fn raw(&self, src: &Src, ctx: &Context<'_>) -> Row {
        *self.raw_in(src, ctx, &mut None)
    }

    /// An integer operand; negation is two's complement.
    #[inline(always)]
    pub fn integer(&self, src: &Src, ctx: &Context<'_>) -> Row {
        *self.integer_in(src, ctx, &mut None)
    }

    /// [`Self::integer`] as a reference, without a copy where possible.
    #[inline(always)]
    pub(super) fn integer_in<'a>(
        &'a self,
        src: &Src,
        ctx: &Context<'_>,
        buffer: &'a mut OperandBuffer,
    ) -> &'a Row {
        if !src.negate {
            return self.raw_in(src, ctx, buffer);
        }
        let mut plain = None;
        let row = self.raw_in(src, ctx, &mut plain);
        buffer.insert(row.each(u32::wrapping_neg))
    }

    /// An operand of a logic operation; negation inverts the bits.
    #[inline(always)]
    pub(super) fn logic_in<'a>(
        &'a self,
        src: &Src,
        ctx: &Context<'_>,
        buffer: &'a mut OperandBuffer,
    ) -> &'a Row {
        if !src.negate {
            return self.raw_in(src, ctx, buffer);
        }
        let mut plain = None;
        let row = self.raw_in(src, ctx, &mut plain);
        buffer.insert(row.each(|value| !value))
    }

    /// A single-precision operand.
    #[inline(always)]
    pub(super) fn single(&self, src: &Src, ctx: &Context<'_>, ftz: bool) -> Row {
        *self.single_in(src, ctx, ftz, &mut None)
    }

    /// [`Self::single`] as a reference, without a copy where possible.
    #[inline(always)]
    pub(super) fn single_in<'a>(
        &'a self,
        src: &Src,
        ctx: &Context<'_>,
        ftz: bool,
        buffer: &'a mut OperandBuffer,
    ) -> &'a Row {
        if !src.absolute && !src.negate && !ftz {
            return self.raw_in(src, ctx, buffer);
        }
        let mut plain = None;
        let row = self.raw_in(src, ctx, &mut plain);
        let keep = if src.absolute { 0x7fff_ffff } else { u32::MAX };
        let flip = if src.negate { 0x8000_0000 } else { 0 };
        buffer.insert(if ftz {
            row.each(|bits| float::flush_f32(bits & keep ^ flip))
        } else {
            row.each(|bits| bits & keep ^ flip)
        })
    }

    /// `num` registers of an operand in each lane, padded with zeros.
    pub(super) fn words(&self, src: &Src, num: usize, ctx: &Context<'_>) -> [[u32; 4]; 32] {
        let mut out = [[0; 4]; 32];
        #[expect(clippy::needless_range_loop, reason = "the index is of the inner arrays")]
        for word in 0..num {
            let row = match src.operand {
                Operand::Reg(RZ) => [0; 32],
                Operand::Reg(reg) => self.rows[usize::from(reg.0) + word],
                _ => self.raw(src, ctx),
            };
            for (lane, value) in row.iter().enumerate() {
                out[lane][word] = *value;
            }
        }
        out
    }

    /// Two half-precision operands in one register.
    pub(super) fn halves(&self, src: &Src, ctx: &Context<'_>) -> Row {
        let mut row = self.raw(src, ctx);
        if src.absolute {
            row = row.each(|bits| bits & 0x7fff_7fff);
        }
        if src.negate {
            row = row.each(|bits| bits ^ 0x8000_8000);
        }
        row
    }

    /// A pair without its modifiers; `high_immediate` puts an immediate into the high word.
    pub(super) fn wide_raw(&self, src: &Src, ctx: &Context<'_>, high_immediate: bool) -> WideRow {
        match src.operand {
            Operand::Reg(RZ) => [0; 32],
            Operand::Reg(reg) => {
                let (low, high) = (&self.rows[usize::from(reg.0)], &self.rows[usize::from(reg.0) + 1]);
                by_lane(|lane| u64::from(high[lane]) << 32 | u64::from(low[lane]))
            }
            Operand::Imm(bits) if high_immediate => [u64::from(bits) << 32; 32],
            Operand::Imm(bits) => [i64::from(bits as i32) as u64; 32],
            Operand::Const { bank, offset } => {
                [u64::from(ctx.constant(bank, offset + 4)) << 32 | u64::from(ctx.constant(bank, offset)); 32]
            }
        }
    }

    /// A double-precision operand.
    pub(super) fn double(&self, src: &Src, ctx: &Context<'_>) -> [f64; 32] {
        self.wide_raw(src, ctx, true).each(|mut bits| {
            if src.absolute {
                bits &= !(1 << 63);
            }
            if src.negate {
                bits ^= 1 << 63;
            }
            f64::from_bits(bits)
        })
    }

    /// A 64-bit integer operand.
    pub fn wide_integer(&self, src: &Src, ctx: &Context<'_>) -> WideRow {
        let row = self.wide_raw(src, ctx, false);
        if src.negate {
            row.each(u64::wrapping_neg)
        } else {
            row
        }
    }

    /// An operand of a conversion, with its modifiers applied, in the low bits.
    pub(super) fn number(&self, src: &Src, ctx: &Context<'_>, ty: NumType) -> WideRow {
        match ty {
            NumType::F64 => self.double(src, ctx).each(f64::to_bits),
            NumType::U64 | NumType::S64 => self.wide_integer(src, ctx),
            NumType::F32 => self.single(src, ctx, false).each(u64::from),
            NumType::F16 => self.halves(src, ctx).each(u64::from),
            _ => self.integer(src, ctx).each(u64::from),
        }
    }

    pub(super) fn set_number(&mut self, reg: Reg, mask: u32, ty: NumType, values: &WideRow) {
        if ty.is_wide() {
            self.set_wide(reg, mask, values);
        } else {
            self.set_row(reg, mask, &values.each(|value| value as u32));
        }
    }

    /// The pointers of the lanes: 64-bit if `wide`.
    pub fn pointers(&self, operand: &Src, ctx: &Context<'_>, wide: bool) -> WideRow {
        if wide {
            self.wide_integer(operand, ctx)
        } else {
            self.integer(operand, ctx).each(u64::from)
        }
    }

    /// The addresses of a memory access: the first operand (a pair if `wide`) plus the offset.
    #[inline]
    pub fn addresses(&self, instruction: &Instruction, ctx: &Context<'_>, wide: bool) -> WideRow {
        let offset = i64::from(instruction.offset) as u64;
        if wide {
            self.wide_integer(&instruction.srcs[0], ctx)
                .each(|base| base.wrapping_add(offset))
        } else {
            self.integer(&instruction.srcs[0], ctx)
                .each(|base| u64::from(base.wrapping_add(offset as u32)))
        }
    }
}

impl Context<'_> {
    /// A word of a constant bank.
    #[inline(always)]
    pub fn constant(&self, bank: u8, offset: u16) -> u32 {
        constant_word(
            if bank == 0 { self.bank0 } else { self.bank3 },
            usize::from(offset),
        )
    }

    pub(in crate::sim) fn special(&self, special: Special) -> Row {
        let thread = |lane: usize| self.warp_in_block * 32 + lane as u32;
        let [x, y, _] = self.block_dim.map(|extent| extent.max(1));
        match special {
            Special::TidX => by_lane(|lane| thread(lane) % x),
            Special::TidY => by_lane(|lane| thread(lane) / x % y),
            Special::TidZ => by_lane(|lane| thread(lane) / x / y),
            Special::CtaidX => [self.block_idx[0]; 32],
            Special::CtaidY => [self.block_idx[1]; 32],
            Special::CtaidZ => [self.block_idx[2]; 32],
            Special::LaneId => by_lane(|lane| lane as u32),
            Special::WarpId => [self.slot; 32],
            Special::SmId => [self.sm; 32],
            Special::ActiveMask => [self.active; 32],
            Special::LtMask => by_lane(|lane| (1 << lane) - 1),
            Special::LeMask => by_lane(|lane| (2_u64 << lane).wrapping_sub(1) as u32),
            Special::GtMask => by_lane(|lane| !((2_u64 << lane) - 1) as u32),
            Special::GeMask => by_lane(|lane| !((1_u32 << lane) - 1)),
            Special::EqMask => by_lane(|lane| 1 << lane),
            Special::ClockLo => [self.cycle as u32; 32],
            Special::ClockHi => [(self.cycle >> 32) as u32; 32],
            // The global timer counts SM clocks: the simulation has no other clock.
            Special::GlobalTimerLo => [self.cycle as u32; 32],
            Special::GlobalTimerHi => [(self.cycle >> 32) as u32; 32],
        }
    }
}
