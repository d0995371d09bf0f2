//! The way of stores out of an SM.

use super::Architecture;
use super::sourced::sourced_struct;

sourced_struct! {
    /// What stores occupy on their way to L2, where it was measured.
    pub struct WritePort {
        /// What an SM stores.
        sm_bytes_per_cycle: u16, "B per cycle";
        /// What the port of a group of SMs carries from them. Loads and stores share the port.
        group_bytes_per_cycle: u16, "B per cycle";
    }
}

impl Architecture {
    /// The ports for stores, where they were measured. Elsewhere, stores share the ports of loads.
    pub const fn write_port(&self) -> Option<WritePort> {
        self.mechanisms.write_port
    }
}
