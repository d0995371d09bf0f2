//! What one warp-wide memory access costs: passes through shared memory, transactions of global
//! memory, requests of constant memory, and which lanes went in which. Pure functions of the
//! architecture, the width, the lanes' addresses and the mask. Knows nothing of time.
//!
//! Addresses are taken to be aligned to the width of the access, as the hardware demands; lanes
//! outside the mask are ignored.

mod constant;
mod global;
mod shared;
#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

pub use constant::{ConstantAccess, ConstantRequest, constant, constant_requests};
pub use global::{
    CacheLevel, GlobalAccess, GlobalCounts, Segment, Segments, Transaction, counted_segments, global,
    global_counts, global_segments,
};
pub use shared::{
    DeliveredWord, SharedAccess, SharedCounts, SharedPass, SharedRequest, shared, shared_wavefronts,
};

/// What an access does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum AccessOp {
    /// Reads.
    Load,
    /// Writes.
    Store,
    /// Reads and writes as one. Lanes on one word take turns; GH100 alone adds up increments by a
    /// constant 1 in shared memory (ATOMS.POPC.INC), whose passes are those of a load.
    Atomic,
}

/// Lanes `first` to `first + num - 1`.
const fn lanes_from(first: u32, num: u32) -> u32 {
    let all = if num >= 32 { u32::MAX } else { (1 << num) - 1 };
    all << first
}

/// The lanes of a mask, lowest first; cheaper than asking each of 32.
fn lanes_of(mut mask: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (mask != 0).then(|| {
            let lane = mask.trailing_zeros();
            mask &= mask - 1;
            lane as usize
        })
    })
}
