//! The cost of one warp-wide memory access: passes through shared memory, transactions of global memory, requests of
//! constant memory, and the lanes in each.
//!
//! All functions are pure functions of the architecture, the width, the lanes' addresses, and the mask. They do not
//! model time. Addresses must be aligned to the width of the access, as the hardware requires. Lanes outside the mask
//! are ignored.

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

/// The kind of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum AccessOp {
    /// A load.
    Load,
    /// A store.
    Store,
    /// An atomic read-modify-write. Lanes on one word are serialized.
    ///
    /// Only GH100 sums increments by a constant 1 in shared memory (ATOMS.POPC.INC), which take the passes of a load.
    Atomic,
}

/// Returns lanes `first` to `first + num - 1`.
const fn lanes_from(first: u32, num: u32) -> u32 {
    let all = if num >= 32 { u32::MAX } else { (1 << num) - 1 };
    all << first
}

/// Returns the lanes of a mask in ascending order. Faster than a test of all 32 lanes.
pub(crate) fn lanes_of(mut mask: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (mask != 0).then(|| {
            let lane = mask.trailing_zeros();
            mask &= mask - 1;
            lane as usize
        })
    })
}
