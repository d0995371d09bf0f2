//! The path of a global or local memory access, and the addresses of local memory. Views use this module to
//! count transactions as the machine does.

use super::LoadCaching;
use crate::access::{AccessOp, CacheLevel};
use crate::arch::Architecture;
use crate::ids::SlotIdx;
use crate::isa::{CacheOp, Op, Space};

/// The base of local memory in the caches' address space: above every allocation.
pub(super) const LOCAL_BASE: u64 = 1 << 44;

/// Whether an instruction reads, writes, or updates memory, and the first cache on its path. `space` is the
/// space of the lanes' addresses: a generic instruction can access several.
pub fn route(arch: &Architecture, caching: LoadCaching, op: Op, space: Space) -> (AccessOp, CacheLevel) {
    if arch.memory.texture.is_some() && is_fetch(op, space) {
        return (AccessOp::Load, CacheLevel::Texture);
    }
    let cache = match op {
        Op::Ld { cache, .. } => cache,
        Op::Ldgsts { bypass: true, .. } => CacheOp::Cg,
        Op::Ldgsts { bypass: false, .. } => CacheOp::Ca,
        Op::Tld { .. } | Op::Tex { .. } => CacheOp::Ci,
        // Surfaces are read through L1 where textures are.
        Op::Suld { .. } if arch.memory.texture.is_none() => CacheOp::Ci,
        Op::Suld { .. } => CacheOp::Cg,
        Op::St { .. } | Op::Sust { .. } => return (AccessOp::Store, CacheLevel::L2),
        _ => return (AccessOp::Atomic, CacheLevel::L2),
    };
    let Some(l1) = &arch.memory.l1 else {
        return (AccessOp::Load, CacheLevel::L2);
    };
    let default = caching.in_l1(arch);
    let in_l1 = match (space, cache) {
        (Space::Local, _) => l1.caches_locals.value,
        (_, CacheOp::Default | CacheOp::Cs) => default,
        (_, CacheOp::Ca) => LoadCaching::Ca.in_l1(arch),
        // The read-only path and textures, which use L1 from Maxwell on.
        (_, CacheOp::Ci) => true,
        // LDU uses the constant cache before L2.
        (_, CacheOp::Cg | CacheOp::Cv | CacheOp::Ldu) => false,
    };
    (
        AccessOp::Load,
        if in_l1 { CacheLevel::L1 } else { CacheLevel::L2 },
    )
}

/// Whether an access uses the texture units where these are separate from L1: fetches and, from compute
/// capability 3.5 on, loads through the read-only path.
pub(super) const fn is_fetch(op: Op, space: Space) -> bool {
    match op {
        Op::Tld { .. } | Op::Tex { .. } => true,
        Op::Ld {
            cache: CacheOp::Ci, ..
        } => matches!(space, Space::Global),
        _ => false,
    }
}

/// The cache addresses of local memory offsets of a slot's lanes: the same element of all lanes is
/// contiguous. `local_bytes` is the local memory of a thread, and `size` is the access size, both in bytes.
pub fn local_addresses(local_bytes: u32, slot: SlotIdx, offsets: &[u64; 32], size: u32) -> [u64; 32] {
    let stride = u64::from(local_bytes.next_multiple_of(16)) * 32;
    let base = LOCAL_BASE + u64::from(slot.0) * stride;
    // All access widths are powers of two.
    let unit = u64::from(size.max(4));
    let shift = unit.trailing_zeros();
    let mut addresses = [0; 32];
    for lane in 0..32 {
        let offset = offsets[lane];
        addresses[lane] =
            base + (offset >> shift << (shift + 5)) + lane as u64 * unit + (offset & (unit - 1));
    }
    addresses
}
