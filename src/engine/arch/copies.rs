//! Copies from global to shared memory without a register: LDGSTS.

use super::sourced::{assumed, measured, sourced_struct};
use super::{ArchId, Architecture};

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

impl Architecture {
    /// Copies without a register, on chips that have them (8.0 on).
    pub fn copies(&self) -> Option<Copies> {
        const COPIES: &str = "H100, copies.cu";
        const LIKE_HOPPER: &str = "the time measured on GH100: no source has it for this chip, whose shared memory has the same banks";
        if self.compute_capability.number() < 800 {
            return None;
        }
        if self.mechanisms.others != ArchId::Gh100 {
            return Some(Copies {
                landing_cycles: assumed(12, LIKE_HOPPER),
                wavefront_cycles: assumed(2, LIKE_HOPPER),
                bypass_wavefronts: assumed(13, LIKE_HOPPER),
                address_passes: assumed(1, LIKE_HOPPER),
            });
        }
        Some(Copies {
            landing_cycles: measured(12, COPIES).note(
                "from L1, LDGSTS and its wait take 58, 62, 70, 87, and 119 cycles for 1, 4, 8, 16, and 32 wavefronts, LDG takes 42",
            ),
            wavefront_cycles: measured(2, COPIES)
                .note("from L1, 54 cycles, and 2 for each wavefront, from the fourth wavefront on"),
            bypass_wavefronts: measured(13, COPIES)
                .note("from L2, 315, 328, 335, and 334 cycles for 4, 8, 16, and 32 wavefronts"),
            address_passes: measured(1, COPIES)
                .note("4 warps take 2.3, 3.3, 4.4, and 8.4 cycles for a copy of 1, 2, 4, and 8 wavefronts"),
        })
    }
}
