//! Warp-wide memory accesses as their units served them, without the lanes' addresses.

use std::collections::VecDeque;
use std::ops::Range;

use serde::Serialize;

use super::bytes::Stream;
use super::tally::count;
use crate::ids::{Cycle, LaneMask, Pc, SlotIdx, WarpId};
use crate::sim::codec::{Reader, Writer, coded};
use crate::sim::{Access, MemoryLevel, RequestKind};

/// A memory access of a warp. `Trace::access_detail` replays the run to get the addresses.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct AccessRow {
    /// The issue cycle.
    pub issued: Cycle,
    /// The cycle of its first wavefront in its unit.
    pub started: Cycle,
    /// The cycle in which the last lane's data arrives.
    pub done: Cycle,
    /// The cycle in which the unit accepted it, which is the cycle of the event.
    pub accepted: Cycle,
    /// The warp.
    pub warp: WarpId,
    /// Its slot.
    pub slot: SlotIdx,
    /// The instruction.
    pub pc: Pc,
    /// The kind of access.
    pub kind: RequestKind,
    /// The farthest level that served it.
    pub level: MemoryLevel,
    /// Bits per lane.
    pub width_bits: u16,
    /// Wavefronts through shared memory.
    pub wavefronts: u16,
    /// Wavefronts of a conflict-free access of this width and mask.
    pub ideal_wavefronts: u16,
    /// L1 requests.
    pub requests: u16,
    /// 32-byte sectors.
    pub sectors: u16,
    /// Transactions of the architecture's own size.
    pub transactions: u16,
    /// Bytes that the transactions move.
    pub bytes: u32,
    /// Lanes that took part.
    pub lanes: u8,
    /// Sectors (or lines) that hit in L1.
    pub l1_hits: u16,
    /// Sectors (or lines) that hit in L2.
    pub l2_hits: u16,
    /// The low 32 bits of the lowest lane's address or offset.
    #[serde(skip)]
    pub lowest: u32,
    /// Bytes from there to the end of the highest lane's access.
    #[serde(skip)]
    pub span: u32,
}

impl AccessRow {
    /// The row of an access that its unit accepted in a cycle.
    pub fn new(accepted: Cycle, access: &Access) -> Self {
        let (lowest, span) = extent(access);
        Self {
            issued: access.issued,
            started: access.started,
            done: access.done,
            accepted,
            warp: access.warp,
            slot: access.slot,
            pc: access.pc,
            kind: access.kind,
            level: access.level,
            width_bits: access.width_bits,
            wavefronts: access.wavefronts,
            ideal_wavefronts: access.ideal_wavefronts,
            requests: access.requests,
            sectors: access.sectors,
            transactions: access.transactions,
            bytes: access.bytes,
            lanes: count(access.mask) as u8,
            l1_hits: access.l1_hits,
            l2_hits: access.l2_hits,
            lowest,
            span,
        }
    }

    /// Whether a lane can access any of these bytes. If false, no lane does.
    pub fn may_touch(&self, bytes: &Range<u64>) -> bool {
        let beyond = (bytes.start as u32).wrapping_sub(self.lowest);
        let before = self.lowest.wrapping_sub(bytes.start as u32);
        beyond < self.span || u64::from(before) < bytes.end.saturating_sub(bytes.start)
    }
}

/// Accesses that a view shows together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccessFamily {
    /// Accesses through the banks of shared memory.
    Shared,
    /// All other accesses: global, local, and constant memory.
    Global,
}

impl AccessFamily {
    /// The family of a kind of access.
    pub const fn of(kind: RequestKind) -> Self {
        if kind.is_shared() {
            Self::Shared
        } else {
            Self::Global
        }
    }
}

/// One access in packed form.
#[derive(Clone, Copy, Debug)]
struct Packed {
    issued: u32,
    started: u32,
    done: u32,
    accepted: u32,
    warp: u32,
    pc: u32,
    bytes: u32,
    lowest: u32,
    span: u32,
    slot: u16,
    width_bits: u16,
    wavefronts: u16,
    ideal_wavefronts: u16,
    requests: u16,
    sectors: u16,
    transactions: u16,
    l1_hits: u16,
    l2_hits: u16,
    lanes: u8,
    kind: RequestKind,
    level: MemoryLevel,
}
coded!(Packed {
    issued,
    started,
    done,
    accepted,
    warp,
    pc,
    bytes,
    lowest,
    span,
    slot,
    width_bits,
    wavefronts,
    ideal_wavefronts,
    requests,
    sectors,
    transactions,
    l1_hits,
    l2_hits,
    lanes,
    kind,
    level,
});

impl Packed {
    /// The bytes that [`Packed::encode`] writes, padded with zeros.
    #[inline(always)]
    fn words(&self) -> [u8; 64] {
        let pair = |low: u32, high: u32| u64::from(low) | u64::from(high) << 32;
        let four = |parts: [u16; 4]| {
            pair(
                u32::from(parts[0]) | u32::from(parts[1]) << 16,
                u32::from(parts[2]) | u32::from(parts[3]) << 16,
            )
        };
        let last = u16::from(self.lanes) | u16::from(self.kind as u8) << 8;
        let words = [
            pair(self.issued, self.started),
            pair(self.done, self.accepted),
            pair(self.warp, self.pc),
            pair(self.bytes, self.lowest),
            pair(self.span, u32::from(self.slot) | u32::from(self.width_bits) << 16),
            four([
                self.wavefronts,
                self.ideal_wavefronts,
                self.requests,
                self.sectors,
            ]),
            four([self.transactions, self.l1_hits, self.l2_hits, last]),
            u64::from(self.level as u8),
        ];
        let mut bytes = [0; 64];
        for (place, word) in bytes.as_chunks_mut().0.iter_mut().zip(words) {
            *place = word.to_le_bytes();
        }
        bytes
    }
}

/// Bytes of a [`Packed`].
const ROW_BYTES: usize = 9 * 4 + 9 * 2 + 3;
/// The offsets of some fields; `done` follows `started`.
const STARTED_AT: usize = 4;
const ACCEPTED_AT: usize = 12;

/// The maximum number of accesses whose updates interleave: those behind the LSU arbiter (16 on GH100), and a
/// reserve.
const MAX_OPEN: usize = 64;

/// Packs accesses in the order in which their units accepted them, and keeps them until the next flush.
#[derive(Clone, Debug, Default)]
pub(crate) struct AccessPacker {
    num: u32,
    /// Transactions and wavefronts of all accesses.
    num_parts: u64,
    rows: Stream<{ 1 << 16 }>,
    /// Start and end times that became known after packing: index, start, and end. The latest are in `open`,
    /// once per access. A later entry replaces an earlier one.
    served: Vec<(u32, (u32, u32))>,
    /// Accesses whose times can still change.
    open: VecDeque<(u32, (u32, u32))>,
    /// Start, index, and end of accesses whose position in the order by start is not flushed, by family.
    by_start: [Vec<(u32, u32, u32)>; 2],
}

impl AccessPacker {
    pub(crate) fn push(&mut self, accepted: u32, access: &Access) {
        let started = access.started.0 as u32;
        let done = access.done.0 as u32;
        self.by_start[AccessFamily::of(access.kind) as usize].push((started, self.num, done));
        self.num += 1;
        self.num_parts += u64::from(access.transactions.max(access.wavefronts));
        let (lowest, span) = extent(access);
        let row = Packed {
            issued: access.issued.0 as u32,
            started,
            done,
            accepted,
            warp: access.warp.0,
            pc: access.pc.0,
            bytes: access.bytes,
            lowest,
            span,
            slot: access.slot.0,
            width_bits: access.width_bits,
            wavefronts: access.wavefronts,
            ideal_wavefronts: access.ideal_wavefronts,
            requests: access.requests,
            sectors: access.sectors,
            transactions: access.transactions,
            l1_hits: access.l1_hits,
            l2_hits: access.l2_hits,
            lanes: count(access.mask) as u8,
            kind: access.kind,
            level: access.level,
        };
        self.rows.put(row.words(), ROW_BYTES);
    }

    /// Updates the start and end of a shared memory access.
    pub(crate) fn update_times(&mut self, idx: u32, started: u32, done: u32) {
        let times = (started, done);
        if let Some(open) = self.open.iter_mut().rev().find(|open| open.0 == idx) {
            open.1 = times;
        } else {
            if self.open.len() == MAX_OPEN {
                self.served.extend(self.open.pop_front());
            }
            self.open.push_back((idx, times));
        }
        // The access is among the last entries.
        let order = &mut self.by_start[AccessFamily::Shared as usize];
        if let Some(entry) = order.iter_mut().rev().find(|entry| entry.1 == idx) {
            *entry = (started, idx, done);
        }
    }

    /// Transactions and shared memory wavefronts of all accesses so far.
    pub(crate) const fn num_parts(&self) -> u64 {
        self.num_parts
    }

    /// The size in bytes of all accesses so far in the trace.
    pub(crate) const fn num_bytes(&self) -> usize {
        num_bytes(self.num as usize)
    }

    /// Flushes what was packed since the last flush, at cycle `end`.
    pub(crate) fn flush(&mut self, end: u32, to: &mut Writer, rows: &mut Writer) {
        rows.bytes.reserve_exact(self.rows.len());
        self.rows.flush(rows);
        self.served.extend(self.open.drain(..));
        to.put(&self.served);
        self.served.clear();
        for order in &mut self.by_start {
            order.sort_unstable();
            // Units start no access before they accept it. If the start of an accepted access is open, its
            // end is open too. These positions are therefore final.
            let open = order.iter().filter(|(_, _, done)| *done >= end);
            let until = open.map(|(started, ..)| *started).min().unwrap_or(end).min(end);
            let certain = order.partition_point(|(started, ..)| *started < until);
            to.put(&(certain as u32));
            to.put(&(order.len() as u32));
            for (_, idx, _) in &*order {
                to.put(idx);
            }
            order.drain(..certain);
        }
    }
}

/// The low 32 bits of the lowest lane's address, and the bytes from there to the end of the highest lane's
/// access.
fn extent(access: &Access) -> (u32, u32) {
    let all = access.addresses.iter().fold(0, |all, address| all | address);
    let (low, high) = if access.mask == LaneMask::FULL && all >> 62 == 0 {
        // Read as positive floating-point numbers, the bits keep their order, and every CPU has vector
        // instructions for the minimum and maximum of those.
        let (first, rest) = access.addresses.as_chunks::<4>().0.split_at(1);
        let first = first[0].map(f64::from_bits);
        let (mut least, mut most) = (first, first);
        for addresses in rest {
            for ((least, most), address) in least.iter_mut().zip(&mut most).zip(addresses) {
                let address = f64::from_bits(*address);
                *least = if address < *least { address } else { *least };
                *most = if address > *most { address } else { *most };
            }
        }
        let least = least.map(f64::to_bits).into_iter().fold(u64::MAX, u64::min);
        (least, most.map(f64::to_bits).into_iter().fold(0, u64::max))
    } else {
        let mut ends = (u64::MAX, 0);
        for (lane, address) in access.addresses.iter().enumerate() {
            if access.mask.0 >> lane & 1 == 1 {
                ends = (ends.0.min(*address), ends.1.max(*address));
            }
        }
        ends
    };
    let width = u32::from(access.width_bits / 8);
    (
        low as u32,
        (high.saturating_sub(low) as u32).saturating_add(width),
    )
}

/// Each access is also in the order of its slot and of its family.
const fn num_bytes(num: usize) -> usize {
    num * (ROW_BYTES + 8)
}

/// Rows of a piece of [`Rows`].
const ROWS_PER_PIECE: usize = 4096;

/// Packed rows, in pieces. One vector would move all its bytes as it grows, and a browser's memory would keep the holes.
#[derive(Clone, Debug, Default)]
struct Rows {
    pieces: Vec<Vec<u8>>,
    num: usize,
}

impl Rows {
    /// Appends whole rows.
    fn extend(&mut self, mut rows: &[u8]) {
        self.num += rows.len() / ROW_BYTES;
        while !rows.is_empty() {
            let room = |piece: &Vec<u8>| ROWS_PER_PIECE * ROW_BYTES - piece.len();
            if self.pieces.last().is_none_or(|piece| room(piece) == 0) {
                self.pieces.push(Vec::new());
            }
            let Some(piece) = self.pieces.last_mut() else {
                return;
            };
            let (now, later) = rows.split_at(rows.len().min(room(piece)));
            piece.extend_from_slice(now);
            rows = later;
        }
    }

    fn get(&self, idx: usize) -> Option<&[u8]> {
        let at = idx % ROWS_PER_PIECE * ROW_BYTES;
        self.pieces.get(idx / ROWS_PER_PIECE)?.get(at..at + ROW_BYTES)
    }

    fn get_mut(&mut self, idx: usize) -> Option<&mut [u8]> {
        let at = idx % ROWS_PER_PIECE * ROW_BYTES;
        let piece = self.pieces.get_mut(idx / ROWS_PER_PIECE)?;
        piece.get_mut(at..at + ROW_BYTES)
    }
}

/// Accesses in the order in which their units accepted them, with an order by start for each family.
#[derive(Clone, Debug, Default)]
pub(crate) struct AccessColumn {
    rows: Rows,
    by_start: [Vec<u32>; 2],
    /// The number of final entries in each order.
    certain: [usize; 2],
    by_slot: Vec<Vec<u32>>,
}

impl AccessColumn {
    /// Appends what [`AccessPacker::flush`] wrote, and reports each access.
    pub(crate) fn append(&mut self, from: &mut Reader, rows: &[u8], mut report: impl FnMut(&AccessRow)) {
        if !rows.len().is_multiple_of(ROW_BYTES) {
            from.damage();
            return;
        }
        let first = self.len() as u32;
        self.rows.extend(rows);
        for _ in 0..from.num(12) {
            let (idx, (started, done)): (u32, (u32, u32)) = from.get();
            if let Some(row) = self.rows.get_mut(idx as usize) {
                let both = u64::from(started) | u64::from(done) << 32;
                row[STARTED_AT..STARTED_AT + 8].copy_from_slice(&both.to_le_bytes());
            } else {
                from.damage();
                return;
            }
        }
        for idx in first..self.len() as u32 {
            let Some(row) = self.row(idx) else { break };
            let slot = usize::from(row.slot.0);
            if slot >= self.by_slot.len() {
                self.by_slot.resize(slot + 1, Vec::new());
            }
            self.by_slot[slot].push(idx);
            report(&row);
        }
        let num = self.len() as u32;
        for (order, certain) in self.by_start.iter_mut().zip(&mut self.certain) {
            order.truncate(*certain);
            *certain += from.get::<u32>() as usize;
            for _ in 0..from.num(4) {
                let idx: u32 = from.get();
                if idx >= num {
                    from.damage();
                    return;
                }
                order.push(idx);
            }
        }
    }

    /// Releases the unused capacity of the vectors.
    pub(crate) fn shrink(&mut self) {
        if let Some(piece) = self.rows.pieces.last_mut() {
            piece.shrink_to_fit();
        }
        for order in &mut self.by_start {
            order.shrink_to_fit();
        }
    }

    /// Writes the whole column.
    pub(crate) fn write(&self, to: &mut Writer) {
        for piece in &self.rows.pieces {
            to.raw(piece);
        }
        to.put(&self.by_start);
        to.put(&self.by_slot);
    }

    /// Four bytes of a row.
    fn word(&self, idx: usize, at: usize) -> u32 {
        let word = self.rows.get(idx).and_then(|row| row[at..].first_chunk());
        word.map_or(0, |word| u32::from_le_bytes(*word))
    }

    pub(crate) const fn num_bytes(&self) -> usize {
        num_bytes(self.len())
    }

    pub(crate) const fn len(&self) -> usize {
        self.rows.num
    }

    pub(crate) fn row(&self, idx: u32) -> Option<AccessRow> {
        let row: Packed = Reader::new(self.rows.get(idx as usize)?).get();
        Some(AccessRow {
            issued: Cycle(row.issued.into()),
            started: Cycle(row.started.into()),
            done: Cycle(row.done.into()),
            accepted: Cycle(row.accepted.into()),
            warp: WarpId(row.warp),
            slot: SlotIdx(row.slot),
            pc: Pc(row.pc),
            kind: row.kind,
            level: row.level,
            width_bits: row.width_bits,
            wavefronts: row.wavefronts,
            ideal_wavefronts: row.ideal_wavefronts,
            requests: row.requests,
            sectors: row.sectors,
            transactions: row.transactions,
            bytes: row.bytes,
            lanes: row.lanes,
            l1_hits: row.l1_hits,
            l2_hits: row.l2_hits,
            lowest: row.lowest,
            span: row.span,
        })
    }

    /// Index of the first access accepted at or after `cycle`.
    pub(crate) fn first_accepted(&self, cycle: Cycle) -> u32 {
        let (mut first, mut after) = (0, self.len());
        while first < after {
            let middle = usize::midpoint(first, after);
            if u64::from(self.word(middle, ACCEPTED_AT)) < cycle.0 {
                first = middle + 1;
            } else {
                after = middle;
            }
        }
        first as u32
    }

    /// A family's accesses in order of their start.
    pub(crate) fn by_start(&self, family: AccessFamily) -> &[u32] {
        &self.by_start[family as usize]
    }

    /// The number of accesses of a family that start at or before `cycle`.
    pub(crate) fn started(&self, family: AccessFamily, cycle: Cycle) -> usize {
        self.by_start(family)
            .partition_point(|idx| u64::from(self.word(*idx as usize, STARTED_AT)) <= cycle.0)
    }

    /// The position of an access in its family's order by start.
    pub(crate) fn place(&self, idx: u32) -> Option<usize> {
        let row = self.row(idx)?;
        let key = (row.started.0 as u32, idx);
        self.by_start(AccessFamily::of(row.kind))
            .binary_search_by_key(&key, |idx| (self.word(*idx as usize, STARTED_AT), *idx))
            .ok()
    }

    /// Accesses of a slot in order of acceptance.
    pub(crate) fn of_slot(&self, slot: SlotIdx) -> &[u32] {
        self.by_slot.get(usize::from(slot.0)).map_or(&[], Vec::as_slice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_the_same_however_they_arrive() {
        let num = 2 * ROWS_PER_PIECE + 5;
        let bytes: Vec<u8> = (0..num * ROW_BYTES).map(|idx| (idx % 251) as u8).collect();
        for step in [1, 7, ROWS_PER_PIECE, num] {
            let mut rows = Rows::default();
            for some in bytes.chunks(step * ROW_BYTES) {
                rows.extend(some);
            }
            assert_eq!(rows.num, num);
            let all: Vec<u8> = (0..num).flat_map(|idx| rows.get(idx).unwrap().to_vec()).collect();
            assert!(all == bytes, "{step}");
            assert_eq!(rows.get(num), None);
            assert_eq!(rows.get_mut(num), None);
            rows.get_mut(num - 1).unwrap()[0] = 252;
            assert_eq!(rows.get(num - 1).unwrap()[0], 252);
        }
    }

    #[test]
    fn a_row_is_appended_as_it_is_encoded() {
        let row = Packed {
            issued: 0x0102_0304,
            started: 0x0506_0708,
            done: 0x090a_0b0c,
            accepted: 0x0d0e_0f10,
            warp: 0x1112_1314,
            pc: 0x1516_1718,
            bytes: 0x191a_1b1c,
            lowest: 0x1d1e_1f20,
            span: 0x2122_2324,
            slot: 0x2526,
            width_bits: 0x2728,
            wavefronts: 0x292a,
            ideal_wavefronts: 0x2b2c,
            requests: 0x2d2e,
            sectors: 0x2f30,
            transactions: 0x3132,
            l1_hits: 0x3334,
            l2_hits: 0x3536,
            lanes: 0x37,
            kind: RequestKind::LocalStore,
            level: MemoryLevel::L2,
        };
        let mut encoded = Writer::default();
        encoded.put(&row);
        assert_eq!(encoded.bytes.len(), ROW_BYTES);
        assert_eq!(row.words()[..ROW_BYTES], encoded.bytes);
        assert_eq!(row.words()[ROW_BYTES..], [0; 64 - ROW_BYTES]);
    }
}
