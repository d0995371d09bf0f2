//! What YIELD costs in loops that wait for other threads.

use super::sourced::{measured, sourced_struct};
use super::{ArchId, Architecture};

sourced_struct! {
    /// YIELD, which nvcc puts before the atomic operation or the volatile load of a loop that waits for other threads.
    pub struct Yields {
        /// Cycles that a warp waits whose lanes are all together.
        latency_cycles: u16, "cycles";
        /// The same if lanes of the warp are elsewhere, or were when the loop began again.
        diverged_latency_cycles: u16, "cycles";
        /// The same if other lanes of the warp go first.
        switch_latency_cycles: u16, "cycles";
        /// Cycles until the scheduler can begin another YIELD.
        interval_cycles: u16, "cycles";
        /// The same if lanes of the warp are elsewhere.
        diverged_interval_cycles: u16, "cycles";
    }
}

impl Architecture {
    /// YIELD, where it was measured. Elsewhere, loops that wait for others have none in the simulator.
    pub fn yields(&self) -> Option<Yields> {
        const SWAPS: &str = "H100, swaps.cu";
        (self.mechanisms.others == ArchId::Gh100).then_some(Yields {
            latency_cycles: measured(46, SWAPS).note(
                "a loop of LDS, IMAD, YIELD, ATOMS.CAS, and branches takes 146 cycles, and 100 with NOP for YIELD",
            ),
            diverged_latency_cycles: measured(97, SWAPS)
                .note("197 cycles if lanes of the warp wait behind the loop, and 100 with NOP for YIELD"),
            switch_latency_cycles: measured(10, SWAPS)
                .note("two lanes that change one word take 208 cycles each and one 197; in global memory 763 and 751"),
            interval_cycles: measured(22, SWAPS)
                .note("8 warps of a scheduler take 20 to 24 cycles each for a round, and 11 to 16 with NOP for YIELD"),
            diverged_interval_cycles: measured(36, SWAPS)
                .note("8 warps of a scheduler take 35 to 37 cycles each for a round, and 11 to 17 with NOP for YIELD"),
        })
    }
}
