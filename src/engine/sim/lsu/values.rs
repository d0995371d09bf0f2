//! The values that memory instructions move.

use super::{Part, lanes_of};
use crate::isa::{AtomOp, NumType, Op, Operand, RZ, Reg, Space, Width};
use crate::sim::decode::Decoded;
use crate::sim::exec::{Each, Row, WideRow, atomic};
use crate::sim::sm::{Setup, Sm, context};

impl Sm {
    pub(super) fn load(&mut self, slot: usize, dst: Reg, part: &Part, width: Width) {
        let words = (width.bytes() / 4).max(1);
        for word in 0..words {
            let mut row: Row = [0; 32];
            if width.bytes() >= 4 {
                self.read_words(slot, part, word, &mut row);
            } else {
                for lane in lanes_of(part.mask) {
                    let mut bytes = [0; 2];
                    self.read_lane(slot, part, lane, &mut bytes[..width.bytes() as usize]);
                    row[lane] = match width {
                        Width::S8 => i32::from(bytes[0] as i8) as u32,
                        Width::S16 => i32::from(i16::from_le_bytes(bytes)) as u32,
                        _ => u32::from(u16::from_le_bytes(bytes)),
                    };
                }
            }
            self.warps[slot]
                .regs
                .set_row(dst.word(word as u8), part.mask, &row);
        }
    }

    /// Reads the word of each lane that is `word` words past its address.
    #[inline]
    fn read_words(&mut self, slot: usize, part: &Part, word: u32, row: &mut Row) {
        let beyond = u64::from(word) * 4;
        let warp = &self.warps[slot];
        match part.space {
            Space::Shared => {
                let Some(block) = &self.blocks.places[warp.block_place] else {
                    return;
                };
                if let Some(first) = part.consecutive_words() {
                    let at = (first + beyond) as usize;
                    let words = block.shared[at..at + 128].as_chunks::<4>().0;
                    for (to, bytes) in row.iter_mut().zip(words) {
                        *to = u32::from_le_bytes(*bytes);
                    }
                    return;
                }
                // The value that an inactive lane reads is dropped.
                let words = block.shared.as_chunks::<4>().0;
                for (to, at) in row.iter_mut().zip(part.at) {
                    if let Some(bytes) = words.get((at.wrapping_add(beyond) / 4) as usize) {
                        *to = u32::from_le_bytes(*bytes);
                    }
                }
            }
            Space::Local => {
                for lane in lanes_of(part.mask) {
                    row[lane] = warp.local[(part.at[lane] + beyond) as usize / 4][lane];
                }
            }
            Space::Global | Space::Generic => {
                self.device
                    .read_words(&part.at.each(|at| at.wrapping_add(beyond)), part.mask, row);
                self.lsu.far.feed.pass_row(part.mask, row);
            }
        }
    }

    #[inline]
    fn write_words(&mut self, slot: usize, part: &Part, word: u32, row: &Row) {
        let beyond = u64::from(word) * 4;
        let warp = &mut self.warps[slot];
        match part.space {
            Space::Shared => {
                let Some(block) = &mut self.blocks.places[warp.block_place] else {
                    return;
                };
                if let Some(first) = part.consecutive_words() {
                    let at = (first + beyond) as usize;
                    let words = block.shared[at..at + 128].as_chunks_mut::<4>().0;
                    for (bytes, word) in words.iter_mut().zip(row) {
                        *bytes = word.to_le_bytes();
                    }
                    return;
                }
                for lane in lanes_of(part.mask) {
                    let at = (part.at[lane] + beyond) as usize;
                    block.shared[at..at + 4].copy_from_slice(&row[lane].to_le_bytes());
                }
            }
            Space::Local => {
                for lane in lanes_of(part.mask) {
                    warp.local[(part.at[lane] + beyond) as usize / 4][lane] = row[lane];
                }
            }
            Space::Global | Space::Generic => {
                self.device
                    .write_words(&part.at.each(|at| at.wrapping_add(beyond)), part.mask, row);
            }
        }
    }

    /// Reads up to eight bytes of one lane.
    fn read_lane(&mut self, slot: usize, part: &Part, lane: usize, out: &mut [u8]) {
        let at = part.at[lane];
        let warp = &self.warps[slot];
        match part.space {
            Space::Shared => {
                if let Some(block) = &self.blocks.places[warp.block_place] {
                    out.copy_from_slice(&block.shared[at as usize..at as usize + out.len()]);
                }
            }
            Space::Local => {
                for (idx, byte) in out.iter_mut().enumerate() {
                    let at = at as usize + idx;
                    *byte = warp.local[at / 4][lane].to_le_bytes()[at % 4];
                }
            }
            Space::Global | Space::Generic => {
                self.device.read(at, out);
                self.lsu.far.feed.pass_bytes(out);
            }
        }
    }

    fn write_lane(&mut self, slot: usize, part: &Part, lane: usize, bytes: &[u8]) {
        let at = part.at[lane];
        let warp = &mut self.warps[slot];
        match part.space {
            Space::Shared => {
                if let Some(block) = &mut self.blocks.places[warp.block_place] {
                    block.shared[at as usize..at as usize + bytes.len()].copy_from_slice(bytes);
                }
            }
            Space::Local => {
                for (idx, byte) in bytes.iter().enumerate() {
                    let at = at as usize + idx;
                    let word = &mut warp.local[at / 4][lane];
                    let mut parts = word.to_le_bytes();
                    parts[at % 4] = *byte;
                    *word = u32::from_le_bytes(parts);
                }
            }
            Space::Global | Space::Generic => self.device.write(at, bytes),
        }
    }

    /// The word `word` of the stored value, for each lane.
    #[inline(always)]
    pub(super) fn stored_word(
        &self,
        setup: &Setup,
        decoded: &Decoded,
        slot: usize,
        word: u32,
        now: u64,
    ) -> Row {
        let value = &decoded.instruction.srcs[1];
        let warp = &self.warps[slot];
        match value.operand {
            Operand::Reg(reg) if reg != RZ => warp.regs.row(Reg(reg.0 + word as u8)),
            _ if word == 0 => warp.regs.raw(value, &context(setup, warp, slot, now)),
            _ => warp
                .regs
                .wide_integer(value, &context(setup, warp, slot, now))
                .each(|value| (value >> 32) as u32),
        }
    }

    pub(super) fn store(
        &mut self,
        setup: &Setup,
        decoded: &Decoded,
        slot: usize,
        part: &Part,
        size: u32,
        now: u64,
    ) {
        if size >= 4 {
            for word in 0..size / 4 {
                let row = self.stored_word(setup, decoded, slot, word, now);
                self.write_words(slot, part, word, &row);
            }
        } else {
            let row = self.stored_word(setup, decoded, slot, 0, now);
            for lane in lanes_of(part.mask) {
                self.write_lane(slot, part, lane, &row[lane].to_le_bytes()[..size as usize]);
            }
        }
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of an access")]
    pub(super) fn modify(
        &mut self,
        setup: &Setup,
        decoded: &Decoded,
        slot: usize,
        part: &Part,
        op: AtomOp,
        ty: NumType,
        now: u64,
    ) {
        let i = &decoded.instruction;
        let warp = &self.warps[slot];
        let ctx = context(setup, warp, slot, now);
        let size = atomic::word_bytes(ty) as usize;
        let operand = |idx: usize| -> WideRow {
            if size == 8 {
                warp.regs.wide_integer(&i.srcs[idx], &ctx)
            } else {
                warp.regs.integer(&i.srcs[idx], &ctx).each(u64::from)
            }
        };
        let operands = operand(1);
        let swaps = if op == AtomOp::Cas { operand(2) } else { [0; 32] };
        // Atomic sums in shared memory keep subnormals; those in global memory flush them.
        let flush = part.space != Space::Shared;
        let mut old: WideRow = [0; 32];
        for lane in lanes_of(part.mask) {
            let mut bytes = [0; 8];
            self.read_lane(slot, part, lane, &mut bytes[..size]);
            old[lane] = u64::from_le_bytes(bytes);
            let new = atomic::apply(op, ty, old[lane], operands[lane], swaps[lane], flush);
            self.write_lane(slot, part, lane, &new.to_le_bytes()[..size]);
        }
        if matches!(i.op, Op::Atom { .. }) {
            let regs = &mut self.warps[slot].regs;
            if size == 8 {
                regs.set_wide(i.dst, part.mask, &old);
            } else {
                regs.set_row(i.dst, part.mask, &old.each(|value| value as u32));
            }
        }
    }
}
