//! Global and local memory: requests, transactions, sectors, and lines. [`CoalescingRule`] lists the rules.

use serde::Serialize;

use super::{AccessOp, lanes_from, lanes_of};
use crate::arch::{Architecture, CoalescingRule};
use crate::ids::LaneMask;

/// The first cache that an access goes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub enum CacheLevel {
    /// L1 (`-dlcm=ca`); no effect on chips without L1.
    L1,
    /// L2 only (`-dlcm=cg`).
    L2,
    /// The texture cache, if separate from L1: lines of 32 bytes for the whole warp.
    Texture,
}

/// A transaction of the counting functions: fixed size, without heap allocation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Segment {
    /// Address of the first byte.
    pub base: u64,
    /// Length in bytes: 32, 64, or 128.
    pub bytes: u16,
    /// Index of the transaction's request.
    pub request: u8,
    /// The number of repetitions: 1, or for atomics the maximum number of lanes on one word.
    pub repeats: u8,
    /// The lanes that the transaction serves.
    pub lanes: LaneMask,
}

/// The transactions of one access, at most one per lane.
#[derive(Clone, Copy, Debug, Default)]
pub struct Segments {
    items: [Segment; 32],
    len: u8,
    /// L1 requests (half-warps on 1.x) with an active lane.
    pub requests: u8,
}

impl Segments {
    /// Returns the transactions: in issue order up to 2.x, by address from 5.x on.
    pub fn as_slice(&self) -> &[Segment] {
        &self.items[..usize::from(self.len)]
    }

    /// Removes the repetitions of atomics on one word, and their counts.
    pub(crate) fn merge_repeats(&mut self, counts: &mut GlobalCounts) {
        for segment in &mut self.items[..usize::from(self.len)] {
            let repeats = u16::from(segment.repeats.max(1)) - 1;
            counts.transactions -= repeats;
            counts.bytes -= u32::from(segment.bytes) * u32::from(repeats);
            counts.sectors -= segment.bytes / 32 * repeats;
            segment.repeats = 1;
        }
    }

    fn push(&mut self, segment: Segment) {
        self.items[usize::from(self.len)] = segment;
        self.len += 1;
    }

    /// Adds lanes to the segment at `base` of the current request, or appends a new segment.
    fn add(&mut self, from: usize, base: u64, bytes: u16, lanes: u32) {
        let request = self.requests - 1;
        let known = self.items[from..usize::from(self.len)]
            .iter_mut()
            .rev()
            .find(|segment| segment.base == base);
        match known {
            Some(segment) => segment.lanes.0 |= lanes,
            None => self.push(Segment {
                base,
                bytes,
                request,
                repeats: 1,
                lanes: LaneMask(lanes),
            }),
        }
    }
}

/// Calls `found` for each run of neighboring active lanes in one granule of 2^`shift` bytes, in lane order.
///
/// The arguments are the address of the granule and the lanes.
#[inline(always)]
fn neighbors_in_granule(addresses: &[u64; 32], active: u32, shift: u32, mut found: impl FnMut(u64, u32)) {
    let mut rest = active;
    while rest != 0 {
        let granule = addresses[rest.trailing_zeros() as usize] >> shift;
        let mut lanes = 0;
        while rest != 0 && addresses[rest.trailing_zeros() as usize] >> shift == granule {
            lanes |= rest & rest.wrapping_neg();
            rest &= rest - 1;
        }
        found(granule << shift, lanes);
    }
}

/// The counts of one access.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct GlobalCounts {
    /// L1 requests (half-warps on 1.x).
    pub requests: u16,
    /// Transactions in the architecture's unit: segments, lines, or sectors.
    pub transactions: u16,
    /// Bytes that the transactions transfer.
    pub bytes: u32,
    /// 32-byte sectors of the transactions, including repetitions of atomics.
    pub sectors: u16,
    /// Distinct 128-byte lines, which is the number of tag lookups.
    pub lines: u16,
    /// Clocks of the tag lookups; 0 without L1.
    pub tag_cycles: u16,
}

/// A transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Transaction {
    /// Address of the first byte.
    pub base: u64,
    /// Length in bytes.
    pub bytes: u16,
    /// Index of the transaction's request.
    pub request: u8,
    /// The number of repetitions (atomics on one word).
    pub repeats: u8,
    /// The lanes that the transaction serves.
    pub lanes: LaneMask,
    /// Bytes that at least one lane uses.
    pub used_bytes: u16,
}

/// The transactions of a warp's access.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GlobalAccess {
    /// The lanes of each request, in order.
    pub requests: Vec<LaneMask>,
    /// The transactions: in issue order up to 2.x, by address from 5.x on.
    pub transactions: Vec<Transaction>,
    /// Addresses of the distinct 32-byte sectors that lanes access, in ascending order.
    pub sectors: Vec<u64>,
    /// Addresses of the distinct 128-byte lines that lanes access, in ascending order.
    pub lines: Vec<u64>,
    /// Number of distinct bytes that lanes use.
    pub used_bytes: u32,
    /// The counts.
    pub counts: GlobalCounts,
}

impl GlobalAccess {
    /// Returns the used bytes divided by the transferred bytes.
    pub fn efficiency(&self) -> f64 {
        if self.counts.bytes == 0 {
            return 1.0;
        }
        f64::from(self.used_bytes) / f64::from(self.counts.bytes)
    }
}

/// Returns the transactions of a warp's access with their lanes.
///
/// `width_bits` is the width per lane, 8 to 128. A misaligned address, which faults on hardware, is rounded down to a
/// multiple of the width.
pub fn global(
    arch: &Architecture,
    level: CacheLevel,
    op: AccessOp,
    width_bits: u32,
    addresses: &[u64; 32],
    mask: LaneMask,
) -> GlobalAccess {
    let size = u64::from(width_bits.div_ceil(8).max(1));
    let segments = global_segments(arch, level, op, width_bits, addresses, mask);
    let transactions = segments
        .as_slice()
        .iter()
        .map(|segment| {
            let mut used = 0_u128;
            for lane in lanes_of(segment.lanes.0) {
                let start = (addresses[lane] / size * size).saturating_sub(segment.base);
                used |= ((1 << size) - 1) << start;
            }
            Transaction {
                base: segment.base,
                bytes: segment.bytes,
                request: segment.request,
                repeats: segment.repeats,
                lanes: segment.lanes,
                used_bytes: used.count_ones() as u16,
            }
        })
        .collect();
    let distinct = |granule: u64| {
        let mut bases: Vec<u64> = mask
            .lanes()
            .map(|lane| addresses[lane as usize] / granule * granule)
            .collect();
        bases.sort_unstable();
        bases.dedup();
        bases
    };
    let lanes = request_lanes(rule(arch, level), size);
    GlobalAccess {
        requests: (0..32 / lanes)
            .map(|request| LaneMask(mask.0 & lanes_from(request * lanes, lanes)))
            .filter(|lanes| !lanes.is_empty())
            .collect(),
        transactions,
        sectors: distinct(32),
        lines: distinct(128),
        used_bytes: distinct(size).len() as u32 * size as u32,
        counts: counts_of(arch, level, addresses, mask, size, &segments),
    }
}

/// Returns the counts of a warp's access, equal to those of [`global`].
pub fn global_counts(
    arch: &Architecture,
    level: CacheLevel,
    op: AccessOp,
    width_bits: u32,
    addresses: &[u64; 32],
    mask: LaneMask,
) -> GlobalCounts {
    let size = u64::from(width_bits.div_ceil(8).max(1));
    let segments = global_segments(arch, level, op, width_bits, addresses, mask);
    counts_of(arch, level, addresses, mask, size, &segments)
}

/// Fills the empty `segments` with the transactions of one access, and returns the counts.
pub fn counted_segments(
    arch: &Architecture,
    level: CacheLevel,
    op: AccessOp,
    width_bits: u32,
    addresses: &[u64; 32],
    mask: LaneMask,
    segments: &mut Segments,
) -> GlobalCounts {
    let size = u64::from(width_bits.div_ceil(8).max(1));
    add_segments(arch, level, op, size, addresses, mask, segments);
    counts_of(arch, level, addresses, mask, size, segments)
}

/// Returns the counts of an access with these transactions.
fn counts_of(
    arch: &Architecture,
    level: CacheLevel,
    addresses: &[u64; 32],
    mask: LaneMask,
    size: u64,
    segments: &Segments,
) -> GlobalCounts {
    let mut counts = GlobalCounts {
        requests: segments.requests.into(),
        ..GlobalCounts::default()
    };
    for segment in segments.as_slice() {
        counts.transactions += u16::from(segment.repeats);
        counts.bytes += u32::from(segment.bytes) * u32::from(segment.repeats);
        counts.sectors += segment.bytes / 32 * u16::from(segment.repeats);
    }
    counts.lines = num_lines(addresses, mask.0);
    let Some(l1) = &arch.memory.l1 else {
        return counts;
    };
    let lanes = request_lanes(rule(arch, level), size);
    for request in 0..32 / lanes {
        let active = mask.0 & lanes_from(request * lanes, lanes);
        if active != 0 {
            let lines = if active == mask.0 {
                counts.lines
            } else {
                num_lines(addresses, active)
            };
            counts.tag_cycles += lines.div_ceil(l1.tags_per_cycle.value.max(1));
        }
    }
    counts
}

/// Returns the number of distinct 128-byte lines that these lanes access.
fn num_lines(addresses: &[u64; 32], lanes: u32) -> u16 {
    let mut seen = [0_u64; 32];
    let mut num = 0;
    neighbors_in_granule(addresses, lanes, 7, |line, _| {
        if !seen[..num].iter().rev().any(|known| *known == line) {
            seen[num % 32] = line;
            num += 1;
        }
    });
    num as u16
}

/// Returns the coalescing rule of an access for the first cache that it goes to.
const fn rule(arch: &Architecture, level: CacheLevel) -> CoalescingRule {
    match level {
        CacheLevel::Texture => CoalescingRule::Sectors,
        CacheLevel::L1 | CacheLevel::L2 => arch.memory.coalescing.value,
    }
}

/// Returns the number of lanes of one request.
const fn request_lanes(rule: CoalescingRule, size: u64) -> u32 {
    match rule {
        CoalescingRule::HalfWarpStrict | CoalescingRule::HalfWarpSegments => 16,
        CoalescingRule::WarpLines => match size {
            0..=4 => 32,
            5..=8 => 16,
            _ => 8,
        },
        CoalescingRule::SectorsByLaneGroup => match size {
            0..=4 => 8,
            5..=8 => 4,
            _ => 2,
        },
        CoalescingRule::Sectors => 32,
    }
}

/// Returns the transactions of a warp's access without heap allocation, for the simulator.
pub fn global_segments(
    arch: &Architecture,
    level: CacheLevel,
    op: AccessOp,
    width_bits: u32,
    addresses: &[u64; 32],
    mask: LaneMask,
) -> Segments {
    let size = u64::from(width_bits.div_ceil(8).max(1));
    let mut segments = Segments::default();
    add_segments(arch, level, op, size, addresses, mask, &mut segments);
    segments
}

fn add_segments(
    arch: &Architecture,
    level: CacheLevel,
    op: AccessOp,
    size: u64,
    addresses: &[u64; 32],
    mask: LaneMask,
    segments: &mut Segments,
) {
    let rule = rule(arch, level);
    let lanes = request_lanes(rule, size);
    let is_atomic = op == AccessOp::Atomic;
    for request in 0..32 / lanes {
        let active = mask.0 & lanes_from(request * lanes, lanes);
        if active == 0 {
            continue;
        }
        segments.requests += 1;
        let from = usize::from(segments.len);
        match rule {
            CoalescingRule::HalfWarpStrict | CoalescingRule::HalfWarpSegments if is_atomic => {
                one_per_lane(segments, addresses, active);
            }
            CoalescingRule::HalfWarpStrict => strict(segments, size, addresses, active),
            CoalescingRule::HalfWarpSegments => shrinking(segments, size, addresses, active),
            CoalescingRule::WarpLines => {
                let shift = if level == CacheLevel::L1 && !is_atomic {
                    7
                } else {
                    5
                };
                neighbors_in_granule(addresses, active, shift, |base, lanes| {
                    segments.add(from, base, 1 << shift, lanes);
                });
            }
            // Requests to L2 are merged across the whole instruction.
            CoalescingRule::SectorsByLaneGroup | CoalescingRule::Sectors => {
                neighbors_in_granule(addresses, active, 5, |base, lanes| {
                    segments.add(0, base, 32, lanes);
                });
            }
        }
    }
    if is_atomic
        && !matches!(
            rule,
            CoalescingRule::HalfWarpStrict | CoalescingRule::HalfWarpSegments
        )
    {
        for segment in &mut segments.items[..usize::from(segments.len)] {
            segment.repeats = max_lanes_on_one_word(addresses, segment.lanes.0);
        }
    }
    if matches!(rule, CoalescingRule::SectorsByLaneGroup | CoalescingRule::Sectors) {
        sort_by_base(&mut segments.items[..usize::from(segments.len)]);
    }
}

/// Sorts segments by address. Most inputs are already sorted.
fn sort_by_base(segments: &mut [Segment]) {
    if !segments.is_sorted_by_key(|segment| segment.base) {
        segments.sort_unstable_by_key(|segment| segment.base);
    }
}

/// Returns the maximum number of lanes with the same address.
fn max_lanes_on_one_word(addresses: &[u64; 32], lanes: u32) -> u8 {
    let mut left = lanes;
    let mut most = 0;
    while left != 0 {
        let address = addresses[left.trailing_zeros() as usize];
        let mut num = 0;
        for lane in lanes_of(left) {
            if addresses[lane] == address {
                left &= !(1 << lane);
                num += 1;
            }
        }
        most = most.max(num);
    }
    most
}

/// Adds a 32-byte transaction for each lane.
fn one_per_lane(segments: &mut Segments, addresses: &[u64; 32], active: u32) {
    let request = segments.requests - 1;
    for lane in lanes_of(active) {
        segments.push(Segment {
            base: addresses[lane] / 32 * 32,
            bytes: 32,
            request,
            repeats: 1,
            lanes: LaneMask(1 << lane),
        });
    }
}

/// Adds the transactions of 1.0 and 1.1: one if lane k is at word k of an aligned window, otherwise one per lane.
fn strict(segments: &mut Segments, size: u64, addresses: &[u64; 32], active: u32) {
    let request = segments.requests - 1;
    let half = active.trailing_zeros() as usize / 16 * 16;
    let first = active.trailing_zeros() as usize;
    let window = match size {
        4 => 64,
        8 | 16 => 128,
        _ => 0,
    };
    let start = addresses[first].checked_sub((first - half) as u64 * size);
    let start = start.filter(|start| {
        window != 0
            && start % window == 0
            && lanes_of(active).all(|lane| addresses[lane] == start + (lane - half) as u64 * size)
    });
    let Some(start) = start else {
        return one_per_lane(segments, addresses, active);
    };
    let parts = if size == 16 { 2 } else { 1 };
    for part in 0..parts {
        let lanes = active & lanes_from(half as u32 + part * 16 / parts, 16 / parts);
        segments.push(Segment {
            base: start + u64::from(part) * window,
            bytes: window as u16,
            request,
            repeats: 1,
            lanes: LaneMask(lanes),
        });
    }
}

/// Adds the transactions of 1.2 and 1.3: repeatedly the segment of the lowest remaining lane, reduced to its used half.
fn shrinking(segments: &mut Segments, size: u64, addresses: &[u64; 32], active: u32) {
    let request = segments.requests - 1;
    let whole = match size {
        1 => 32,
        2 => 64,
        _ => 128,
    };
    let mut left = active;
    while left != 0 {
        let mut bytes = whole;
        let mut base = addresses[left.trailing_zeros() as usize] / whole * whole;
        let (mut lanes, mut low, mut high) = (0, u64::MAX, 0);
        for lane in lanes_of(left) {
            let address = addresses[lane] / size * size;
            if address / whole * whole == base {
                lanes |= 1 << lane;
                low = low.min(address);
                high = high.max(address + size - 1);
            }
        }
        left &= !lanes;
        while bytes > 32 {
            let middle = base + bytes / 2;
            if low >= middle {
                base = middle;
            } else if high >= middle {
                break;
            }
            bytes /= 2;
        }
        segments.push(Segment {
            base,
            bytes: bytes as u16,
            request,
            repeats: 1,
            lanes: LaneMask(lanes),
        });
    }
}
