//! Compare-and-swap on shared memory.

use super::Architecture;
use super::sourced::sourced_struct;

sourced_struct! {
    /// Compare-and-swap on shared memory: times that differ from those of other atomic operations.
    pub struct Swaps {
        /// ATOMS.CAS: cycles from issue until the old value can be used.
        latency_cycles: u16, "cycles";
        /// ATOMS.CAS: further cycles for each further lane on one word.
        extra_per_lane_cycles: u16, "cycles";
        /// Wavefronts of ATOMS.CAS for each lane of the word that most lanes are on, and of ATOMS.CAST.SPIN.
        wavefronts: u16, "wavefronts";
        /// ATOMS.CAST.SPIN, which returns whether it swapped: cycles from issue until the answer can be used, however many
        /// lanes are on one word.
        spin_latency_cycles: u16, "cycles";
    }
}

impl Architecture {
    /// Compare-and-swap on shared memory, where it was measured. Elsewhere, it takes the time of other atomic operations.
    pub const fn swaps(&self) -> Option<Swaps> {
        self.mechanisms.swaps
    }
}
