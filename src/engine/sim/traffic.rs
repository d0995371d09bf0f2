//! Data movements between the levels of memory, step by step, for tests that track the data.

/// A data movement. An address is that of a sector's first byte, in sectors of L1 or L2. Local memory is at
/// the addresses of `route::local_addresses`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(not(test), allow(dead_code, reason = "read by tests only"))]
pub(super) enum Move {
    /// L1 holds the accessed bytes of a load's sector, or a fill is in flight.
    L1Hit {
        sector: u64,
        arrives: u64,
    },
    /// An L1 miss: the sector is fetched, from the departure of the miss to its return.
    L1Miss {
        sector: u64,
        out: u64,
        arrives: u64,
    },
    /// A store writes to L1, if the sector's line is present or is allocated.
    L1Write {
        sector: u64,
        is_dirty: bool,
        allocates: bool,
    },
    /// A line of L1 is invalidated.
    L1Drop {
        line: u64,
    },
    /// A line of L1 is evicted.
    L1Out {
        line: u64,
        dirty_sectors: u8,
    },
    /// L2 holds the accessed bytes of a sector, or a fill is in flight.
    L2Hit {
        sector: u64,
        arrives: u64,
    },
    /// An L2 miss: the sector is fetched from device memory.
    L2Miss {
        sector: u64,
        arrives: u64,
    },
    /// A store, or a write-back of L1 (`is_back`), writes to L2.
    L2Write {
        sector: u64,
        is_back: bool,
    },
    /// Atomic operations update a sector in L2; `is_miss`: the sector is first fetched from device memory.
    L2Change {
        sector: u64,
        is_miss: bool,
    },
    /// A line of L2 is evicted.
    L2Out {
        line: u64,
        dirty_sectors: u8,
    },
    /// Device memory is read or written without L2.
    Read {
        address: u64,
        bytes: u32,
    },
    Write {
        address: u64,
        bytes: u32,
    },
    /// A line of constants passes the port.
    Constants {
        bytes: u32,
    },
    /// An access has completed all its steps.
    Accepted,
}

/// The data movements so far; empty outside tests.
#[derive(Clone, Debug, Default)]
pub(super) struct Traffic {
    #[cfg(test)]
    pub(super) moves: Vec<Move>,
}

impl Traffic {
    #[cfg(test)]
    pub(super) fn note(&mut self, moved: Move) {
        self.moves.push(moved);
    }

    #[cfg(not(test))]
    #[inline(always)]
    pub(super) const fn note(&mut self, _: Move) {}
}
