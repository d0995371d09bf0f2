//! The values that memory instructions move.

use super::{Part, lanes_of};
use crate::isa::{AtomOp, NumType, Op, Operand, RZ, Reg, Space, Width};
use crate::sim::decode::Decoded;
use crate::sim::exec::{Each, Row, WideRow, atomic};
use crate::sim::memory::DeviceMemory;
use crate::sim::outbox::{Data, Effect, Sent};
use crate::sim::sm::{Setup, Sm, context};

impl Sm {
    /// Loads to registers. `is_open`: the SM runs apart, and no result can be used in its quantum.
    pub(super) fn load(&mut self, slot: usize, dst: Reg, part: &Part, width: Width, is_open: bool) {
        if let Some(outbox) = &mut self.lsu.far.outbox
            && matches!(part.space, Space::Global | Space::Generic)
        {
            if is_open {
                outbox.send(Effect::Load(width), slot, dst, part.mask, part.at);
            } else {
                self.load_apart(slot, dst, part, width);
            }
            return;
        }
        for word in 0..(width.bytes() / 4).max(1) {
            let row = self.loaded_row(slot, part, width, word);
            self.warps[slot]
                .regs
                .set_row(dst.word(word as u8), part.mask, &row);
        }
    }

    /// Loads a result that can be used before the end of the SM's quantum: the value at its start, with the stores of the
    /// SM itself.
    fn load_apart(&mut self, slot: usize, dst: Reg, part: &Part, width: Width) {
        let Some(mut outbox) = self.lsu.far.outbox.take() else {
            return;
        };
        let is_stored = outbox.may_have_stored(part.mask, part.at);
        let mut rows = [[0; 32]; 4];
        let num = (width.bytes() / 4).max(1) as usize;
        for (row, word) in rows.iter_mut().zip(0..num as u32) {
            *row = if is_stored {
                let mut row = [0; 32];
                for lane in lanes_of(part.mask) {
                    let size = width.bytes().min(4) as usize;
                    let at = part.at[lane] + u64::from(word) * 4;
                    let mut bytes = [0; 4];
                    self.device.read(at, &mut bytes[..size]);
                    outbox.overlay(at, &mut bytes[..size]);
                    row[lane] = widened(width, bytes);
                }
                row
            } else {
                self.loaded_row(slot, part, width, word)
            };
        }
        outbox.send(Effect::Seen(width), slot, dst, part.mask, part.at);
        for (row, word) in rows.iter().zip(0..num as u8) {
            self.warps[slot].regs.set_row(dst.word(word), part.mask, row);
            outbox.send_row(part.mask, row);
        }
        self.lsu.far.outbox = Some(outbox);
    }

    /// A word of what a load reads now, for each lane.
    #[inline(always)]
    pub(super) fn loaded_row(&mut self, slot: usize, part: &Part, width: Width, word: u32) -> Row {
        let mut row: Row = [0; 32];
        if width.bytes() >= 4 {
            self.read_words(slot, part, word, &mut row);
        } else {
            for lane in lanes_of(part.mask) {
                let mut bytes = [0; 4];
                self.read_lane(slot, part, lane, &mut bytes[..width.bytes() as usize]);
                row[lane] = widened(width, bytes);
            }
        }
        row
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
    pub(super) fn write_words(&mut self, slot: usize, part: &Part, word: u32, row: &Row) {
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
        if self.lsu.far.outbox.is_some() && matches!(part.space, Space::Global | Space::Generic) {
            let rows: [Row; 4] = std::array::from_fn(|word| {
                if word < size.div_ceil(4) as usize {
                    self.stored_word(setup, decoded, slot, word as u32, now)
                } else {
                    [0; 32]
                }
            });
            if let Some(outbox) = &mut self.lsu.far.outbox {
                outbox.send(Effect::Store(size), slot, RZ, part.mask, part.at);
                for row in &rows[..size.div_ceil(4) as usize] {
                    outbox.send_row(part.mask, row);
                }
            }
        } else if size >= 4 {
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
        let swaps = if matches!(op, AtomOp::Cas | AtomOp::Cast) {
            operand(2)
        } else {
            [0; 32]
        };
        if let Some(outbox) = &mut self.lsu.far.outbox
            && matches!(part.space, Space::Global | Space::Generic)
        {
            let returns = matches!(i.op, Op::Atom { .. });
            let effect = Effect::Modify { op, ty, returns };
            outbox.send(effect, slot, i.dst, part.mask, part.at);
            outbox.send_wide_row(part.mask, &operands);
            outbox.send_wide_row(part.mask, &swaps);
            return;
        }
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
            self.return_old(slot, (i.dst, part.mask), (op, size), &old, &operands);
        }
    }

    /// Writes what an atomic returns: the old words, of `size` bytes, or whether they were swapped.
    fn return_old(
        &mut self,
        slot: usize,
        (dst, mask): (Reg, u32),
        (op, size): (AtomOp, usize),
        old: &WideRow,
        operands: &WideRow,
    ) {
        let regs = &mut self.warps[slot].regs;
        if op == AtomOp::Cast {
            let swapped: Row = std::array::from_fn(|lane| u32::from(old[lane] == operands[lane]));
            regs.set_row(dst, mask, &swapped);
        } else if size == 8 {
            regs.set_wide(dst, mask, old);
        } else {
            regs.set_row(dst, mask, &old.each(|value| value as u32));
        }
    }

    /// Moves the data of an access that the SM sent while it ran apart: from or to `memory`. Returns false if the SM had
    /// used other values.
    pub(in crate::sim) fn move_sent(&mut self, sent: &Sent, data: &Data, memory: &mut DeviceMemory) -> bool {
        let slot = usize::from(data.slot);
        let mask = data.mask;
        match data.effect {
            Effect::Load(width) => {
                let (at, _) = sent.addresses(data);
                for word in 0..(width.bytes() / 4).max(1) {
                    let row = memory_row(memory, width, &at, mask, word);
                    self.warps[slot]
                        .regs
                        .set_row(data.dst.word(word as u8), mask, &row);
                }
            }
            Effect::Seen(width) => {
                let (at, mut from) = sent.addresses(data);
                for word in 0..(width.bytes() / 4).max(1) {
                    if memory_row(memory, width, &at, mask, word) != sent.row(mask, &mut from) {
                        return false;
                    }
                }
            }
            Effect::Store(_) => change(memory, sent, data),
            Effect::Modify { op, ty, returns } => {
                let (old, operands) = modify_in(memory, sent, data, op, ty);
                if returns {
                    let size = atomic::word_bytes(ty) as usize;
                    self.return_old(slot, (data.dst, mask), (op, size), &old, &operands);
                }
            }
        }
        true
    }
}

/// Stores or updates what an SM sent.
pub(in crate::sim) fn change(memory: &mut DeviceMemory, sent: &Sent, data: &Data) {
    match data.effect {
        Effect::Load(_) | Effect::Seen(_) => {}
        Effect::Store(size) => {
            let (at, mut from) = sent.addresses(data);
            for word in 0..size.div_ceil(4) {
                let row = sent.row(data.mask, &mut from);
                if size >= 4 {
                    let at = at.each(|at| at.wrapping_add(u64::from(word) * 4));
                    memory.write_words(&at, data.mask, &row);
                } else {
                    for lane in lanes_of(data.mask) {
                        memory.write(at[lane], &row[lane].to_le_bytes()[..size as usize]);
                    }
                }
            }
        }
        Effect::Modify { op, ty, .. } => {
            modify_in(memory, sent, data, op, ty);
        }
    }
}

/// Updates words of global memory. Returns the old words and the operands.
fn modify_in(
    memory: &mut DeviceMemory,
    sent: &Sent,
    data: &Data,
    op: AtomOp,
    ty: NumType,
) -> (WideRow, WideRow) {
    let (at, mut from) = sent.addresses(data);
    let operands = sent.wide_row(data.mask, &mut from);
    let swaps = sent.wide_row(data.mask, &mut from);
    let size = atomic::word_bytes(ty) as usize;
    let mut old: WideRow = [0; 32];
    for lane in lanes_of(data.mask) {
        let mut bytes = [0; 8];
        memory.read(at[lane], &mut bytes[..size]);
        old[lane] = u64::from_le_bytes(bytes);
        let new = atomic::apply(op, ty, old[lane], operands[lane], swaps[lane], true);
        memory.write(at[lane], &new.to_le_bytes()[..size]);
    }
    (old, operands)
}

/// A word of what a load reads from global memory, for each lane.
fn memory_row(memory: &DeviceMemory, width: Width, at: &WideRow, mask: u32, word: u32) -> Row {
    let mut row: Row = [0; 32];
    if width.bytes() >= 4 {
        let at = at.each(|at| at.wrapping_add(u64::from(word) * 4));
        memory.read_words(&at, mask, &mut row);
    } else {
        for lane in lanes_of(mask) {
            let mut bytes = [0; 4];
            memory.read(at[lane], &mut bytes[..width.bytes() as usize]);
            row[lane] = widened(width, bytes);
        }
    }
    row
}

/// A loaded value of at most 32 bits.
fn widened(width: Width, bytes: [u8; 4]) -> u32 {
    match width {
        Width::S8 => i32::from(bytes[0] as i8) as u32,
        Width::S16 => i32::from(i16::from_le_bytes([bytes[0], bytes[1]])) as u32,
        _ => u32::from_le_bytes(bytes),
    }
}
