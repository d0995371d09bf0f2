//! Brute-force counts of accesses, for comparison.

use std::collections::{BTreeMap, BTreeSet};

use crate::access::{AccessOp, CacheLevel};
use crate::arch::{Architecture, BankSize};
use crate::ids::LaneMask;

/// Counts wavefronts bank by bank and lane by lane.
pub(super) fn brute_force_wavefronts(
    (arch, size): (&Architecture, BankSize),
    op: AccessOp,
    bits: u32,
    offsets: &[u32; 32],
    mask: LaneMask,
) -> u32 {
    let has_wide_words = arch.compute_capability.major == 3 && size == BankSize::EightByte;
    let words_of = |lane: usize| -> Vec<u32> {
        (0..bits.max(32) / 32)
            .map(|piece| (offsets[lane] + 4 * piece) / 4)
            .collect()
    };
    let worst_bank = |lanes: std::ops::Range<usize>| -> u32 {
        if has_wide_words {
            let active = lanes.filter(|lane| mask.contains(*lane as u32));
            // 64-bit words, each with a lane if every lane counts.
            let wanted: BTreeSet<(u32, usize)> = active
                .flat_map(|lane| words_of(lane).into_iter().map(move |word| (word / 2, lane)))
                .map(|(word, lane)| (word, if op == AccessOp::Atomic { lane } else { 0 }))
                .collect();
            let of_bank = |bank| wanted.iter().filter(|(word, _)| word % 32 == bank).count() as u32;
            return (0..32).map(of_bank).max().unwrap_or(0);
        }
        (0..32)
            .map(|bank| {
                let of_bank: Vec<u32> = lanes
                    .clone()
                    .filter(|lane| mask.contains(*lane as u32))
                    .flat_map(words_of)
                    .filter(|word| word % 32 == bank)
                    .collect();
                if op == AccessOp::Atomic {
                    of_bank.len() as u32
                } else if arch.compute_capability.major == 3 {
                    // Aligned segments of 64 words, two per bank.
                    of_bank
                        .iter()
                        .map(|word| word / 64)
                        .collect::<BTreeSet<_>>()
                        .len() as u32
                } else {
                    of_bank.into_iter().collect::<BTreeSet<_>>().len() as u32
                }
            })
            .max()
            .unwrap_or(0)
    };
    if arch.compute_capability.major == 1 {
        let mut steps = 0;
        for piece in 0..bits.max(32) / 32 {
            for half in [0..16, 16..32] {
                let mut waiting: Vec<u32> = half
                    .filter(|lane| mask.contains(*lane as u32))
                    .map(|lane| (offsets[lane] + 4 * piece) / 4)
                    .collect();
                while !waiting.is_empty() {
                    let mut demand = BTreeMap::new();
                    for word in &waiting {
                        *demand.entry(*word).or_insert(0_u32) += 1;
                    }
                    let most = demand.values().copied().max().unwrap_or(0);
                    let broadcast = demand
                        .iter()
                        .find(|(_, count)| **count == most)
                        .map(|(word, _)| *word);
                    let broadcast = broadcast.filter(|_| op != AccessOp::Atomic);
                    let mut busy: BTreeSet<u32> = broadcast.iter().map(|word| word % 16).collect();
                    waiting.retain(|word| Some(*word) != broadcast && !busy.insert(word % 16));
                    steps += 1;
                }
            }
        }
        return steps;
    }
    let full = |lanes: usize| -> u32 {
        (0..32 / lanes)
            .map(|group| worst_bank(group * lanes..(group + 1) * lanes))
            .sum()
    };
    let agrees = |distance: usize| {
        (0..32_usize).all(|lane| {
            let other = lane ^ distance;
            let both = mask.contains(lane as u32) && mask.contains(other as u32);
            !both || offsets[lane] == offsets[other]
        })
    };
    let merges = arch.compute_capability.major >= 7 && op == AccessOp::Load && (agrees(1) || agrees(2));
    match (bits, arch.compute_capability.major) {
        (..=32, _) => full(32),
        (128, 2) if mask.is_empty() => 0,
        (128, 2) => {
            1 + [0..8, 8..16, 16..24, 24..32]
                .map(worst_bank)
                .into_iter()
                .max()
                .unwrap_or(0)
        }
        (64, 3) => full(32),
        (_, 3) => full(16),
        (64, _) if merges => full(32),
        (64, _) => full(16),
        (_, _) if merges => full(16),
        (_, _) => full(8),
    }
}

/// Counts transactions and bytes by iterating over memory instead of lanes.
pub(super) fn brute_force_transactions(
    arch: &Architecture,
    level: CacheLevel,
    op: AccessOp,
    bits: u32,
    addresses: &[u64; 32],
    mask: LaneMask,
) -> (u32, u32) {
    let size = u64::from(bits / 8);
    let groups = |lanes: usize| (0..32 / lanes).map(move |group| group * lanes..(group + 1) * lanes);
    let active = |lanes: std::ops::Range<usize>| -> Vec<(usize, u64)> {
        lanes
            .filter(|lane| mask.contains(*lane as u32))
            .map(|lane| (lane, addresses[lane]))
            .collect()
    };
    let touched = |lanes: std::ops::Range<usize>, granule: u64| -> BTreeSet<u64> {
        active(lanes)
            .iter()
            .flat_map(|(_, address)| (*address..address + size).map(|byte| byte / granule))
            .collect()
    };
    let major = arch.compute_capability.major;
    if op == AccessOp::Atomic {
        if major == 1 {
            return (mask.count(), 32 * mask.count());
        }
        let lanes = if matches!(major, 2 | 3) {
            [32, 16][usize::from(size == 8)]
        } else {
            32
        };
        let num = groups(lanes)
            .map(|group| {
                let mut words = BTreeMap::new();
                for (_, address) in active(group) {
                    *words.entry(address).or_insert(0_u32) += 1;
                }
                let mut sectors = BTreeMap::new();
                for (address, count) in words {
                    let most = sectors.entry(address / 32).or_insert(0);
                    *most = count.max(*most);
                }
                sectors.values().sum::<u32>()
            })
            .sum();
        return (num, 32 * num);
    }
    let mut result = (0, 0);
    let mut add = |num: usize, bytes: u32| {
        result.0 += num as u32;
        result.1 += num as u32 * bytes;
    };
    match (major, arch.compute_capability.minor) {
        (1, 0) => {
            for group in groups(16) {
                let lanes = active(group.clone());
                let width = 16 * size;
                // Every aligned window that could contain the half-warp.
                let align = if size == 4 { 64 } else { 128 };
                let fits = matches!(size, 4 | 8 | 16)
                    && lanes.first().is_some_and(|(_, address)| {
                        (0..=address / align).rev().take(4).any(|place| {
                            lanes.iter().all(|(lane, address)| {
                                *address == place * align + (lane - group.start) as u64 * size
                            })
                        })
                    });
                match (lanes.is_empty(), fits) {
                    (true, _) => {}
                    (false, false) => add(lanes.len(), 32),
                    (false, true) if size == 16 => add(2, 128),
                    (false, true) => add(1, width as u32),
                }
            }
        }
        (1, _) => {
            for group in groups(16) {
                let whole = (32 * size).min(128);
                for segment in touched(group.clone(), whole) {
                    let bytes: BTreeSet<u64> = active(group.clone())
                        .iter()
                        .filter(|(_, address)| address / whole == segment)
                        .flat_map(|(_, address)| *address..address + size)
                        .collect();
                    let smallest = [32, 64, 128].into_iter().find(|part| {
                        bytes
                            .iter()
                            .map(|byte| byte / part)
                            .collect::<BTreeSet<_>>()
                            .len()
                            == 1
                    });
                    add(1, smallest.unwrap_or(128) as u32);
                }
            }
        }
        (2 | 3, _) => {
            let granule = if level == CacheLevel::L1 { 128 } else { 32 };
            let lanes = [32, 32, 32, 16, 8][size.trailing_zeros() as usize];
            for group in groups(lanes) {
                add(touched(group, granule).len(), granule as u32);
            }
        }
        _ => add(touched(0..32, 32).len(), 32),
    }
    result
}
