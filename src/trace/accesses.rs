//! Warp-wide memory accesses as their units served them, without the lanes' addresses.

use serde::Serialize;

use crate::ids::{Cycle, Pc, SlotIdx, WarpId};
use crate::sim::{Access, MemoryLevel, RequestKind};

/// A memory access of a warp. Addresses are had by replay: `Trace::access_detail`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct AccessRow {
    /// When it was issued.
    pub issued: Cycle,
    /// When its first pass went through its unit.
    pub started: Cycle,
    /// When the last lane's data is there.
    pub done: Cycle,
    /// When the unit accepted it: the cycle of the event.
    pub accepted: Cycle,
    /// The warp.
    pub warp: WarpId,
    /// Its slot.
    pub slot: SlotIdx,
    /// The instruction.
    pub pc: Pc,
    /// What kind.
    pub kind: RequestKind,
    /// The farthest level that answered.
    pub level: MemoryLevel,
    /// Bits a lane.
    pub width_bits: u16,
    /// Passes through shared memory.
    pub wavefronts: u16,
    /// Passes that an access of this width and mask needs without conflict.
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
}

/// Accesses that a view shows together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccessFamily {
    /// Those that go through the banks of shared memory.
    Shared,
    /// All others: global, local and constant memory.
    Global,
}

impl AccessFamily {
    /// The family of a kind of access.
    pub const fn of(kind: RequestKind) -> Self {
        if is_shared(kind) {
            Self::Shared
        } else {
            Self::Global
        }
    }
}

/// Whether a kind of access goes through shared memory's banks.
pub const fn is_shared(kind: RequestKind) -> bool {
    matches!(
        kind,
        RequestKind::SharedLoad | RequestKind::SharedStore | RequestKind::SharedAtomic
    )
}

/// One access, 56 bytes.
#[derive(Clone, Copy, Debug)]
struct Packed {
    issued: u32,
    started: u32,
    done: u32,
    accepted: u32,
    warp: u32,
    pc: u32,
    bytes: u32,
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

/// Accesses in the order in which their units accepted them, with an order by start for each family.
#[derive(Clone, Debug, Default)]
pub(crate) struct AccessColumn {
    rows: Vec<Packed>,
    by_start: [Vec<u32>; 2],
    by_slot: Vec<Vec<u32>>,
}

impl AccessColumn {
    pub(crate) fn push(&mut self, accepted: u32, access: &Access) {
        let idx = self.rows.len() as u32;
        self.by_start[AccessFamily::of(access.kind) as usize].push(idx);
        let slot = usize::from(access.slot.0);
        if slot >= self.by_slot.len() {
            self.by_slot.resize(slot + 1, Vec::new());
        }
        self.by_slot[slot].push(idx);
        self.rows.push(Packed {
            issued: access.issued.0 as u32,
            started: access.started.0 as u32,
            done: access.done.0 as u32,
            accepted,
            warp: access.warp.0,
            pc: access.pc.0,
            bytes: access.bytes,
            slot: access.slot.0,
            width_bits: access.width_bits,
            wavefronts: access.wavefronts,
            ideal_wavefronts: access.ideal_wavefronts,
            requests: access.requests,
            sectors: access.sectors,
            transactions: access.transactions,
            l1_hits: access.l1_hits,
            l2_hits: access.l2_hits,
            lanes: access.mask.count() as u8,
            kind: access.kind,
            level: access.level,
        });
    }

    pub(crate) fn finish(&mut self) {
        let rows = &self.rows;
        for order in &mut self.by_start {
            order.sort_by_key(|idx| (rows[*idx as usize].started, *idx));
            order.shrink_to_fit();
        }
        self.rows.shrink_to_fit();
    }

    pub(crate) fn num_bytes(&self) -> usize {
        // Each is in the order of its slot and of its family.
        self.rows.len() * (size_of::<Packed>() + 8)
    }

    pub(crate) const fn len(&self) -> usize {
        self.rows.len()
    }

    pub(crate) fn row(&self, idx: u32) -> Option<AccessRow> {
        let row = self.rows.get(idx as usize)?;
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
        })
    }

    /// Index of the first access accepted at or after `cycle`.
    pub(crate) fn first_accepted(&self, cycle: Cycle) -> u32 {
        self.rows.partition_point(|row| u64::from(row.accepted) < cycle.0) as u32
    }

    /// A family's accesses in order of their start.
    pub(crate) fn by_start(&self, family: AccessFamily) -> &[u32] {
        &self.by_start[family as usize]
    }

    /// How many accesses of a family start at or before `cycle`.
    pub(crate) fn started(&self, family: AccessFamily, cycle: Cycle) -> usize {
        self.by_start(family)
            .partition_point(|idx| u64::from(self.rows[*idx as usize].started) <= cycle.0)
    }

    /// Where an access stands in its family's order by start.
    pub(crate) fn place(&self, idx: u32) -> Option<usize> {
        let row = self.rows.get(idx as usize)?;
        let key = (row.started, idx);
        self.by_start(AccessFamily::of(row.kind))
            .binary_search_by_key(&key, |idx| (self.rows[*idx as usize].started, *idx))
            .ok()
    }

    /// Accesses of a slot in order of acceptance.
    pub(crate) fn of_slot(&self, slot: SlotIdx) -> &[u32] {
        self.by_slot.get(usize::from(slot.0)).map_or(&[], Vec::as_slice)
    }
}
