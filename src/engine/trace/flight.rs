//! Bytes in flight to and from device memory over the run.

use std::sync::{Mutex, PoisonError};

use super::record::Record;
use crate::sim::RequestKind;

/// The maximum number of columns.
const MAX_COLUMNS: usize = 512;
/// The unit in which cache hits are counted, in bytes.
const SECTOR: u64 = 32;

/// The traffic in flight over some cycles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FlightColumn {
    /// Bytes in flight to and from device memory, summed over cycles.
    pub byte_cycles: u64,
    /// Bytes that device memory moved, by arrival cycle.
    pub moved: u64,
}

/// Device memory requests over the run, in columns of equal width.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Flight {
    /// Cycles per column.
    pub cycles: u64,
    /// The columns, from cycle 0.
    pub columns: Vec<FlightColumn>,
    /// The sum of all columns.
    pub total: FlightColumn,
    /// Global memory loads that reached device memory.
    pub loads: u64,
    /// The sum of the bits per lane of these loads.
    pub load_bits: u64,
    /// The number of counted accesses.
    num: u32,
}

/// Bytes of device memory that an access moves: the sectors that missed in both caches.
pub fn far_bytes(row: &super::AccessRow) -> u64 {
    let global = matches!(
        row.kind,
        RequestKind::GlobalLoad
            | RequestKind::CopyLoad
            | RequestKind::GlobalStore
            | RequestKind::LocalLoad
            | RequestKind::LocalStore
            | RequestKind::GlobalAtomic
            | RequestKind::GlobalReduction
    );
    if !global || row.level != crate::sim::MemoryLevel::Dram {
        return 0;
    }
    let near = SECTOR * (u64::from(row.l1_hits) + u64::from(row.l2_hits));
    u64::from(row.bytes).saturating_sub(near)
}

impl Flight {
    fn place(&mut self, cycle: u64) -> usize {
        while (cycle / self.cycles) as usize >= MAX_COLUMNS {
            self.widen();
        }
        let place = (cycle / self.cycles) as usize;
        if place >= self.columns.len() {
            self.columns.resize(place + 1, FlightColumn::default());
        }
        place
    }

    /// Merges pairs of columns.
    fn widen(&mut self) {
        let pairs = self.columns.chunks(2).map(|pair| FlightColumn {
            byte_cycles: pair.iter().map(|column| column.byte_cycles).sum(),
            moved: pair.iter().map(|column| column.moved).sum(),
        });
        self.columns = pairs.collect();
        self.cycles *= 2;
    }

    /// Adds the accesses that the record has gained since.
    fn extend(&mut self, record: &Record) {
        self.cycles = self.cycles.max(1);
        while let Some(row) = record.access(self.num) {
            self.num += 1;
            let bytes = far_bytes(&row);
            if bytes == 0 {
                continue;
            }
            if matches!(row.kind, RequestKind::GlobalLoad | RequestKind::CopyLoad) {
                self.loads += 1;
                self.load_bits += u64::from(row.width_bits);
            }
            let (from, to) = (row.started.0, row.done.0.max(row.started.0 + 1));
            self.total.byte_cycles += bytes * (to - from);
            self.total.moved += bytes;
            let last = self.place(to - 1);
            self.columns[last].moved += bytes;
            let first = self.place(from);
            for place in first..=self.place(to - 1) {
                let start = (place as u64 * self.cycles).max(from);
                let end = ((place as u64 + 1) * self.cycles).min(to);
                self.columns[place].byte_cycles += bytes * (end - start);
            }
        }
    }
}

/// The result of the last query.
#[derive(Debug, Default)]
pub(super) struct LastFlight(Mutex<Flight>);

impl LastFlight {
    /// The traffic of the run so far.
    pub(super) fn of(&self, record: &Record) -> Flight {
        let mut flight = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        flight.extend(record);
        flight.clone()
    }
}
