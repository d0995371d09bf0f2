//! Copies from global to shared memory without a register: LDGSTS.

use super::Architecture;
use super::sourced::{assumed, sourced_struct};

sourced_struct! {
    /// LDGSTS: the time from the cycle in which a load would have its data in a register until the data is in shared memory.
    pub struct Copies {
        /// Cycles without the wavefronts of the store.
        landing_cycles: u16, "cycles";
        /// Further cycles for each wavefront of the store to shared memory.
        wavefront_cycles: u16, "cycles";
        /// Wavefronts that add to the time of a copy that bypasses L1, at most: its sectors arrive one by one.
        bypass_wavefronts: u16, "wavefronts";
        /// Passes of the load/store units for the addresses, beside the wavefronts of the store.
        address_passes: u16, "passes";
    }
}

const LIKE_HOPPER: &str =
    "the time measured on GH100: no source has it for this chip, whose shared memory has the same banks";

/// Chips from 8.0 on without a measurement.
pub(super) const COPIES_LIKE_HOPPER: Copies = Copies {
    landing_cycles: assumed(12, LIKE_HOPPER),
    wavefront_cycles: assumed(2, LIKE_HOPPER),
    bypass_wavefronts: assumed(13, LIKE_HOPPER),
    address_passes: assumed(1, LIKE_HOPPER),
};

impl Architecture {
    /// Copies without a register, on chips that have them (8.0 on).
    pub const fn copies(&self) -> Option<Copies> {
        self.mechanisms.copies
    }
}
