//! What YIELD costs in loops that wait for other threads.

use super::Architecture;
use super::sourced::sourced_struct;

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
    pub const fn yields(&self) -> Option<Yields> {
        self.mechanisms.yields
    }
}
