//! Numbers of policies that belong to no single chip.

use super::sourced::{assumed, sourced_struct};

sourced_struct! {
    /// Numbers of policies, the same on every chip.
    pub struct Policies {
        /// Two-level scheduling: warps in the active set of a scheduler.
        active_set_warps: u32, "warps";
        /// From Volta on: backward branches of polling lanes until lanes that wait at a convergence barrier continue.
        polling_branches: u32, "branches";
    }
}

/// The policies of every chip.
pub const POLICIES: Policies = Policies {
    active_set_warps: assumed(
        8,
        "No chip is documented to have this policy. Narasiman et al. (MICRO 2011), who describe it, use groups of 8 warps.",
    ),
    polling_branches: assumed(
        64,
        "NVIDIA guarantees that the lanes continue, not when. A larger number makes locks between lanes slower.",
    ),
};
