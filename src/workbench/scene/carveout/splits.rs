//! The splits that an SM can be set to, and what a launch makes of each.

use crate::scene::words::{percent, thousands};
use engine::arch::{Architecture, LaunchResources, Occupancy};
use engine::sim::RequestKind;
use engine::sim::machine::carveout_percent;
use engine::trace::Trace;

/// One size that shared memory can be set to.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::scene) struct Split {
    /// KiB of shared memory.
    pub(in crate::scene) shared_kib: u16,
    /// KiB of L1 that it leaves; `None` where there is no L1.
    pub(in crate::scene) l1_kib: Option<u16>,
    /// Which requests are rounded up to it, in words.
    pub(in crate::scene) asked: String,
    /// How the launch fills the SM with it; `None` where a block needs more.
    pub(in crate::scene) occupancy: Option<Occupancy>,
    /// Why the launch cannot run with it.
    pub(in crate::scene) refusal: Option<String>,
    /// Whether it is the one that is set.
    pub(in crate::scene) chosen: bool,
}

/// Sectors of loads that were found in L1, of all that were asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HitRate {
    /// Found.
    pub hits: u64,
    /// Asked for.
    pub sectors: u64,
}

impl HitRate {
    /// In words.
    pub fn text(self) -> String {
        percent(self.hits, self.sectors)
    }

    /// From 0 to 1.
    pub fn share(self) -> f64 {
        self.hits as f64 / self.sectors.max(1) as f64
    }
}

/// What a run with a split came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SplitRun {
    /// KiB of shared memory.
    pub shared_kib: u16,
    /// Cycles.
    pub cycles: u64,
    /// L1's hits in loads; `None` where no load went through an L1.
    pub hits: Option<HitRate>,
}

impl SplitRun {
    /// What a trace came to.
    pub fn of(trace: &Trace) -> Self {
        let total = trace.total();
        let loads = [RequestKind::GlobalLoad, RequestKind::LocalLoad].map(|kind| total.of_kind(kind));
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

/// All sizes of an architecture, smallest first.
pub(in crate::scene) fn splits(arch: &Architecture, needs: &LaunchResources, set: u16) -> Vec<Split> {
    let rules = &arch.occupancy;
    let sizes = rules.carveouts_kib.value;
    let l1 = arch.memory.l1.as_ref();
    let mut below = None;
    sizes
        .iter()
        .map(|kib| {
            let asked = asked(arch, below, *kib);
            below = Some(*kib);
            let filled = rules.resident_blocks(&LaunchResources {
                carveout_percent: Some(carveout_percent(arch, u32::from(*kib))),
                ..*needs
            });
            // The driver takes a larger size where a block needs it.
            let runs = filled.shared_kib == *kib && filled.blocks_per_sm > 0;
            let refusal = (!runs).then(|| {
                format!(
                    "a block takes {} B; the driver sets {} KB",
                    thousands(filled.allocated_shared_per_block.into()),
                    filled.shared_kib
                )
            });
            Split {
                shared_kib: *kib,
                l1_kib: l1.map(|l1| l1.capacity_kib(*kib)),
                asked,
                occupancy: runs.then_some(filled),
                refusal,
                chosen: *kib == set,
            }
        })
        .collect()
}

/// The requests that end at a size: all above the next smaller one.
fn asked(arch: &Architecture, below: Option<u16>, kib: u16) -> String {
    let sizes = arch.occupancy.carveouts_kib.value;
    if sizes.len() < 2 {
        return "no choice".to_owned();
    }
    // Fermi and Kepler are asked for a preference, not for a size.
    if arch.compute_capability.major < 5 {
        return match below {
            None => "prefer L1",
            Some(_) if sizes.last() == Some(&kib) => "prefer shared",
            Some(_) => "prefer both alike",
        }
        .to_owned();
    }
    match below {
        None if kib == 0 => "0 KB".to_owned(),
        None => format!("0 to {kib} KB"),
        Some(below) => format!("{} to {kib} KB", below + 1),
    }
}

/// The listed size that a request for `kib` gets.
pub fn legal_carveout(arch: &Architecture, kib: u32) -> u32 {
    let sizes = arch.occupancy.carveouts_kib.value;
    let listed = sizes.iter().copied().find(|size| u32::from(*size) >= kib);
    u32::from(listed.or(sizes.last().copied()).unwrap_or(0))
}
