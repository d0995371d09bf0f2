//! The GPU's options and limits, for the launch form.

use super::*;
use crate::run_option;
use engine::arch::L1Capacity;

/// The split of the on-chip memory, on GPUs with a configurable carveout.
#[derive(Clone, Debug, PartialEq)]
pub struct Split {
    /// L1 and shared memory together, in KB.
    pub total_kib: f32,
    /// Selectable sizes of shared memory, smallest first.
    pub sizes: Vec<u16>,
    /// Index of the selected size.
    pub idx: usize,
    /// The selected size, in KB.
    pub shared_kib: u16,
    /// Shared memory allocated to resident blocks, in KB.
    pub used_kib: f32,
}

impl Session {
    /// Whether the host can choose the bank width of shared memory.
    pub fn has_bank_choice(&self) -> bool {
        run_option::has_bank_choice(self.setup().arch)
    }

    /// The carveout, if it is configurable.
    pub fn carveout(&self) -> Option<Split> {
        let arch = self.arch();
        let sizes = arch.occupancy.carveouts_kib.value;
        if sizes.len() < 2 {
            return None;
        }
        let occupancy = self.derived().occupancy();
        let set = self
            .setup()
            .machine
            .carveout_kib
            .and_then(|kib| u16::try_from(kib).ok());
        let wanted = occupancy.map(|occupancy| occupancy.shared_kib).or(set);
        let idx = sizes
            .iter()
            .position(|kib| Some(*kib) == wanted)
            .unwrap_or(sizes.len() - 1);
        let largest = sizes[sizes.len() - 1];
        let total = match arch.memory.l1.as_ref().map(|l1| l1.capacity.value) {
            Some(L1Capacity::Unified(total)) => total,
            Some(L1Capacity::Fixed(_)) | None => largest,
        };
        let used = occupancy.map_or(0, |occupancy| {
            occupancy.blocks_per_sm * occupancy.allocated_shared_per_block
        });
        Some(Split {
            total_kib: f32::from(total.max(largest)),
            sizes: sizes.to_vec(),
            idx,
            shared_kib: sizes[idx],
            used_kib: used as f32 / 1024.0,
        })
    }

    /// The number of warps that fit on an SM, and what limits them: resources, or the blocks of the grid.
    pub fn occupancy_text(&self) -> Option<(String, String)> {
        let occupancy = self.derived().occupancy()?;
        let warps = occupancy.warps_per_sm();
        let blocks = occupancy.blocks_per_sm;
        let in_grid = self.setup().launch().num_blocks();
        let rest = if in_grid < u64::from(blocks) {
            let resident = u64::from(occupancy.warps_per_block) * in_grid;
            format!(" warps fit, {resident} in the grid")
        } else if warps == occupancy.max_warps_per_sm {
            " warps fit".to_owned()
        } else {
            let limits: Vec<&str> = occupancy.limiters().map(engine::arch::Limiter::text).collect();
            format!(" warps fit, limited by {}", limits.join(" and "))
        };
        Some((format!("{warps} of {}", occupancy.max_warps_per_sm), rest))
    }
}
