//! What moves between the levels of memory, step by step, for tests that carry data along.

/// A step. Addresses are those of sectors' first bytes, of L1's or L2's size; local memory is where
/// `route::local_addresses` puts it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(not(test), allow(dead_code, reason = "read by tests only"))]
pub(super) enum Move {
    /// L1 has what a load wants of a sector, or will have it at a time.
    L1Hit {
        sector: u64,
        arrives: u64,
    },
    /// L1 has not, and gets the sector: from the time at which the miss goes out to that at which it is back.
    L1Miss {
        sector: u64,
        out: u64,
        arrives: u64,
    },
    /// What a store has for a sector is put into L1, if the sector's line is there or comes by it.
    L1Write {
        sector: u64,
        is_dirty: bool,
        comes: bool,
    },
    /// A line of L1 becomes invalid.
    L1Drop {
        line: u64,
    },
    /// A line of L1 makes room for another.
    L1Out {
        line: u64,
        dirty_sectors: u8,
    },
    /// L2 has what a read wants of a sector, or will have it at a time.
    L2Hit {
        sector: u64,
        arrives: u64,
    },
    /// L2 has not, and gets the sector from device memory.
    L2Miss {
        sector: u64,
        arrives: u64,
    },
    /// A store, or what L1 wrote back (`is_back`), comes into L2.
    L2Write {
        sector: u64,
        is_back: bool,
    },
    /// Atomic operations change a sector in L2; `is_miss`: it comes from device memory first.
    L2Change {
        sector: u64,
        is_miss: bool,
    },
    /// A line of L2 makes room for another.
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
    /// A line of constants comes through the port.
    Constants {
        bytes: u32,
    },
    /// All steps of an access were taken.
    Accepted,
}

/// The steps so far; outside of tests nothing.
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
