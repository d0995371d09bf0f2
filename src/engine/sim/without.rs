//! Hypothetical machines: what a run would take if one cause of delay did not exist.
//!
//! A machine without a cause executes the same instructions and computes the same values. Only times and counts
//! change. No such hardware exists: the difference to the real machine measures the cause.

use serde::{Deserialize, Serialize};

use super::exec::WideRow;
use crate::access::{AccessOp, SharedCounts, shared_wavefronts};
use crate::arch::{BankRule, Banks};
use crate::ids::LaneMask;

/// A cause of delay that a hypothetical machine lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[repr(u8)]
pub enum Removed {
    /// Bank conflicts: a shared-memory access takes the wavefronts that its width and lanes need without conflicts.
    Conflicts,
    /// Uncoalesced global loads and stores: a request moves the sectors (lines, segments) that its bytes take if
    /// they are contiguous and aligned.
    Coalescing,
    /// Atomics that wait for each other: each lane updates a word as if no other lane did.
    Atomics,
    /// Constant loads with several addresses: a load takes one request.
    Constants,
    /// L1 misses: a global load that goes through L1 completes after L1's hit latency.
    Misses,
    /// Limits of resident blocks other than the warp slots: registers, shared memory, and block slots are plentiful.
    Residency,
    /// Divergence: arithmetic and branches with idle lanes cost what full warps with the same number of lanes would.
    Divergence,
    /// Fixed latencies of arithmetic: a result is ready in the cycle after its instruction starts.
    Latencies,
    /// Local memory: loads and stores of it take an issue slot and the latency of a move, as registers would.
    Local,
}

impl Removed {
    /// All causes, in the order of the link.
    pub const ALL: [Self; 9] = [
        Self::Conflicts,
        Self::Coalescing,
        Self::Atomics,
        Self::Constants,
        Self::Misses,
        Self::Residency,
        Self::Divergence,
        Self::Latencies,
        Self::Local,
    ];

    /// The ID in links.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Conflicts => "conflicts",
            Self::Coalescing => "coalescing",
            Self::Atomics => "atomics",
            Self::Constants => "constants",
            Self::Misses => "misses",
            Self::Residency => "residency",
            Self::Divergence => "divergence",
            Self::Latencies => "latencies",
            Self::Local => "local",
        }
    }

    /// What the machine lacks, after "without".
    pub const fn name(self) -> &'static str {
        match self {
            Self::Conflicts => "bank conflicts",
            Self::Coalescing => "uncoalesced accesses",
            Self::Atomics => "atomic contention",
            Self::Constants => "distinct constant addresses",
            Self::Misses => "L1 misses",
            Self::Residency => "limits of resident blocks",
            Self::Divergence => "idle lanes",
            Self::Latencies => "latencies of arithmetic",
            Self::Local => "local memory",
        }
    }
}

/// The causes that a machine lacks; empty for every real machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(from = "Vec<Removed>", into = "Vec<Removed>")]
pub struct Without(u16);

impl Without {
    /// A real machine.
    pub const NONE: Self = Self(0);

    /// A machine that lacks only this cause.
    pub const fn one(cause: Removed) -> Self {
        Self(1 << cause as u8)
    }

    /// The machine that also lacks this cause.
    #[must_use]
    pub const fn and(self, cause: Removed) -> Self {
        Self(self.0 | 1 << cause as u8)
    }

    /// Whether the machine lacks this cause.
    #[inline(always)]
    pub const fn lacks(self, cause: Removed) -> bool {
        self.0 >> cause as u8 & 1 == 1
    }

    /// Whether the machine is a real one.
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The causes that the machine lacks.
    pub fn iter(self) -> impl Iterator<Item = Removed> {
        Removed::ALL.into_iter().filter(move |cause| self.lacks(*cause))
    }

    /// `without bank conflicts and atomic contention`; empty for a real machine.
    pub fn text(self) -> String {
        let names: Vec<&str> = self.iter().map(Removed::name).collect();
        match names.as_slice() {
            [] => String::new(),
            [one] => format!("without {one}"),
            [first @ .., last] => format!("without {} and {last}", first.join(", ")),
        }
    }
}

impl From<Vec<Removed>> for Without {
    fn from(causes: Vec<Removed>) -> Self {
        causes.into_iter().fold(Self::NONE, Self::and)
    }
}

impl From<Without> for Vec<Removed> {
    fn from(without: Without) -> Self {
        without.iter().collect()
    }
}

/// The wavefronts of a shared-memory access on a machine without some causes.
///
/// Without conflicts, only lanes that update the same word follow each other. Without atomic contention, an atomic
/// merges lanes of one word as a load does.
pub(super) fn wavefronts(
    without: Without,
    banks: Banks,
    op: AccessOp,
    width_bits: u32,
    offsets: &[u32; 32],
    mask: LaneMask,
) -> SharedCounts {
    let merges = op != AccessOp::Atomic || without.lacks(Removed::Atomics);
    let op = if merges && op == AccessOp::Atomic {
        AccessOp::Store
    } else {
        op
    };
    let mut counts = shared_wavefronts(banks, op, width_bits, offsets, mask);
    if without.lacks(Removed::Conflicts) {
        counts.wavefronts = counts.ideal_wavefronts;
        if !merges {
            let halves = match banks.rule {
                BankRule::HalfWarpBroadcastWord => vec![mask.0 & 0xffff, mask.0 & 0xffff_0000],
                _ => vec![mask.0],
            };
            let rounds = halves.into_iter().map(|lanes| same_word_lanes(offsets, lanes));
            counts.wavefronts = counts.wavefronts.max(rounds.sum());
        }
    }
    counts
}

/// The largest number of lanes on one word.
fn same_word_lanes(offsets: &[u32; 32], lanes: u32) -> u16 {
    let set = LaneMask(lanes);
    let on_word = |word: u32| {
        set.lanes()
            .filter(|lane| offsets[*lane as usize] / 4 == word)
            .count()
    };
    let most = set.lanes().map(|lane| on_word(offsets[lane as usize] / 4)).max();
    most.unwrap_or(0) as u16
}

/// The addresses of a global access whose lanes access contiguous, aligned elements instead.
///
/// Lanes with a constant stride of s elements: the array is assumed to be laid out again, so that element k of each
/// group of s elements of lane l is at k × 32 + l within the 32 × s elements of a warp. Every byte keeps exactly one
/// place, so that later accesses hit in caches as often as the bytes permit. Other patterns: the distinct addresses take
/// contiguous elements from the line of the first lane's address on, so that a random access still touches a random line.
/// `base` is the first byte of the allocation.
pub(super) fn coalesced(at: &WideRow, mask: u32, size: u32, base: u64) -> WideRow {
    let size = u64::from(size);
    let lanes: Vec<u32> = LaneMask(mask).lanes().collect();
    let (Some(first), Some(last)) = (lanes.first(), lanes.last()) else {
        return *at;
    };
    let mut moved = *at;
    let distance = u64::from(last - first);
    let (low, high) = (at[*first as usize], at[*last as usize]);
    let stride = high
        .checked_sub(low)
        .filter(|span| distance > 0 && *span > 0 && span % distance == 0)
        .map(|span| span / distance)
        .filter(|stride| *stride >= size && stride % size == 0)
        .filter(|stride| {
            let is_on_row = |lane: &u32| at[*lane as usize] == low + u64::from(lane - first) * stride;
            lanes.iter().all(is_on_row)
        });
    if let Some(stride) = stride {
        let offset = low
            .saturating_sub(base)
            .saturating_sub(u64::from(*first) * stride);
        let window = offset / (32 * stride) * (32 * stride);
        let start = base + window + offset % stride / size * 32 * size;
        for lane in lanes {
            moved[lane as usize] = start + u64::from(lane) * size;
        }
        return moved;
    }
    let mut distinct: Vec<u64> = Vec::new();
    let start = low / 128 * 128;
    for lane in lanes {
        let address = at[lane as usize];
        let rank = distinct
            .iter()
            .position(|known| *known == address)
            .unwrap_or_else(|| {
                distinct.push(address);
                distinct.len() - 1
            });
        moved[lane as usize] = start + rank as u64 * size;
    }
    moved
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn a_strided_array_is_laid_out_again_without_losing_a_byte() {
        // 64 threads read the three words of their 12-byte structures.
        let mut seen = BTreeSet::new();
        for warp in 0..2_u64 {
            for word in 0..3 {
                let at = std::array::from_fn(|lane| 256 + (warp * 32 + lane as u64) * 12 + word * 4);
                let moved = coalesced(&at, u32::MAX, 4, 256);
                assert_eq!(moved[0] % 128, 0);
                assert!((1..32).all(|lane| moved[lane] == moved[0] + 4 * lane as u64));
                seen.extend(moved);
            }
        }
        let all: BTreeSet<u64> = (256..256 + 64 * 12).step_by(4).collect();
        assert_eq!(seen, all);
    }

    #[test]
    fn a_contiguous_access_is_aligned_and_a_scattered_one_is_packed() {
        let at = std::array::from_fn(|lane| 256 + 4 * (lane as u64 + 5));
        assert_eq!(coalesced(&at, u32::MAX, 4, 256)[0], 256);
        let at = std::array::from_fn(|lane| 512 + 1000 * 4 * (lane as u64 * 7 % 5));
        let moved = coalesced(&at, u32::MAX, 4, 512);
        let words: BTreeSet<u64> = moved.into_iter().collect();
        assert_eq!(words, (512..532).step_by(4).collect());
        let one = coalesced(&at, 1 << 7, 4, 512);
        assert_eq!(one[7] / 128, at[7] / 128, "one lane stays in its line");
    }

    #[test]
    fn the_text_names_every_cause() {
        assert_eq!(Without::NONE.text(), "");
        let two = Without::one(Removed::Atomics).and(Removed::Conflicts);
        assert_eq!(two.text(), "without bank conflicts and atomic contention");
        assert_eq!(Vec::from(two), vec![Removed::Conflicts, Removed::Atomics]);
        assert_eq!(Without::from(Vec::from(two)), two);
    }
}
