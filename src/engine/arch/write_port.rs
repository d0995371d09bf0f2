//! The way of stores out of an SM.

use super::sourced::{derived, measured, sourced_struct};
use super::{ArchId, Architecture};

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
    pub fn write_port(&self) -> Option<WritePort> {
        const STRIDES: &str = "H100, strides.cu";
        (self.mechanisms.stores == ArchId::Gh100).then_some(WritePort {
            sm_bytes_per_cycle: measured(32, STRIDES)
                .note("31.3 to 31.7 bytes per cycle by one SM, to L2 and to device memory"),
            group_bytes_per_cycle: derived(
                321,
                STRIDES,
                "copies by the eight SMs of one port load and store 195 bytes per cycle each, and loads alone 495; 13 SMs \
                 of one port store 342",
            ),
        })
    }
}
