//! The splits of an SM's memory, and how a launch runs with each.

use super::wording::{rounded_requests, too_small};
use crate::words::percent;
use engine::arch::{Architecture, LaunchResources, Occupancy};
use engine::sim::RequestKind;
use engine::sim::machine::carveout_percent;
use engine::trace::Trace;

/// A legal shared memory size.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::scene) struct Split {
    /// KB of shared memory.
    pub(in crate::scene) shared_kib: u16,
    /// KB of L1 that remain; `None` without an L1.
    pub(in crate::scene) l1_kib: Option<u16>,
    /// The requests that the driver rounds up to this size, as text.
    pub(in crate::scene) requests: String,
    /// Occupancy of the launch with this size; `None` if a block needs more.
    pub(in crate::scene) occupancy: Option<Occupancy>,
    /// Why the launch cannot run with this size.
    pub(in crate::scene) refusal: Option<String>,
    /// Whether this size is the chosen one.
    pub(in crate::scene) chosen: bool,
}

/// L1 hit rate of loads, in sectors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HitRate {
    /// Sectors that hit.
    pub hits: u64,
    /// Requested sectors.
    pub sectors: u64,
}

impl HitRate {
    /// The rate as text.
    pub fn text(self) -> String {
        percent(self.hits, self.sectors)
    }

    /// The rate from 0 to 1.
    pub fn share(self) -> f64 {
        self.hits as f64 / self.sectors.max(1) as f64
    }
}

/// The result of a run with a split.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SplitRun {
    /// KB of shared memory.
    pub shared_kib: u16,
    /// Cycles.
    pub cycles: u64,
    /// L1 hit rate of loads; `None` if no load used an L1.
    pub hits: Option<HitRate>,
}

impl SplitRun {
    /// The result of a trace.
    pub fn of(trace: &Trace) -> Self {
        let total = trace.total();
        let loads = [
            RequestKind::GlobalLoad,
            RequestKind::LocalLoad,
            RequestKind::CopyLoad,
        ]
        .map(|kind| total.of_kind(kind));
        let rate = HitRate {
            hits: loads.iter().map(|tally| tally.l1_hits).sum(),
            sectors: loads.iter().map(|tally| tally.sectors).sum(),
        };
        Self {
            shared_kib: trace.occupancy().shared_kib,
            cycles: trace.num_cycles(),
            hits: Some(rate).filter(|rate| rate.sectors > 0 && trace.arch().memory.l1.is_some()),
        }
    }
}

/// All splits of an architecture, smallest shared memory first.
pub(in crate::scene) fn splits(arch: &Architecture, needs: &LaunchResources, set: u16) -> Vec<Split> {
    let rules = &arch.occupancy;
    let sizes = rules.carveouts_kib.value;
    let l1 = arch.memory.l1.as_ref();
    let mut below = None;
    sizes
        .iter()
        .map(|kib| {
            let requests = rounded_requests(arch, below, *kib);
            below = Some(*kib);
            let filled = rules.resident_blocks(&LaunchResources {
                carveout_percent: Some(carveout_percent(arch, u32::from(*kib))),
                ..*needs
            });
            // The driver picks a larger size if a block needs it.
            let runs = filled.shared_kib == *kib && filled.blocks_per_sm > 0;
            let refusal = (!runs).then(|| too_small(filled.allocated_shared_per_block, filled.shared_kib));
            Split {
                shared_kib: *kib,
                l1_kib: l1.map(|l1| l1.capacity_kib(*kib)),
                requests,
                occupancy: runs.then_some(filled),
                refusal,
                chosen: *kib == set,
            }
        })
        .collect()
}

/// The legal size for a request of `kib`.
pub fn legal_carveout(arch: &Architecture, kib: u32) -> u32 {
    let sizes = arch.occupancy.carveouts_kib.value;
    let listed = sizes.iter().copied().find(|size| u32::from(*size) >= kib);
    u32::from(listed.or(sizes.last().copied()).unwrap_or(0))
}
