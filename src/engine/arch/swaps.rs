//! Compare-and-swap on shared memory.

use super::sourced::{measured, sourced_struct};
use super::{ArchId, Architecture};

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
    pub fn swaps(&self) -> Option<Swaps> {
        const LOCKS: &str = "H100, locks.cu";
        const SWAPS: &str = "H100, swaps.cu";
        (self.mechanisms.atomics == ArchId::Gh100).then_some(Swaps {
            latency_cycles: measured(31, SWAPS)
                .note("a chain of ATOMS.CAS and two additions takes 37 cycles"),
            extra_per_lane_cycles: measured(4, SWAPS).note("chains of 1 to 32 lanes of a warp on one word"),
            wavefronts: measured(2, SWAPS)
                .note("Nsight Compute counts 2 to 64 for 1 to 32 lanes on one word"),
            spin_latency_cycles: measured(48, LOCKS)
                .note("a loop of LDS, FADD, ATOMS.CAST.SPIN, and a branch takes 95 cycles"),
        })
    }
}
