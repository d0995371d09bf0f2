//! How the SMs of each product are grouped on the chip, and the order in which they take the first blocks of a grid.

use super::Architecture;
use super::sourced::{Sourced, assumed};

/// The groups of SMs of the product: GPCs, or TPCs where there is no larger group.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Floor {
    /// SMs of each group.
    pub groups: Sourced<&'static [u16]>,
    /// Whether the last group is of TPCs that belong to no group.
    pub has_singles: bool,
    /// Whether the groups are GPCs; otherwise they are TPCs.
    pub has_gpcs: bool,
    /// Whether the first blocks of a grid go to SMs in the order that was measured on an H200 and an H100.
    pub has_measured_order: bool,
    /// SMs of a TPC.
    pub sms_per_tpc: Sourced<u16>,
    /// Bytes per SM clock that a group gets from L2 and device memory together; `None` if unknown: then only the SMs'
    /// ports bound a group.
    pub port_bytes_per_cycle: Option<Sourced<u16>>,
}

/// The stacks of a device memory of HBM2.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MemoryStacks {
    /// Stacks around the chip.
    pub stacks: Sourced<u16>,
    /// Most memory dies of a stack.
    pub dies_per_stack: Sourced<u16>,
    /// Most memory, in GB.
    pub most_gb: Sourced<u16>,
}

/// The size of a TPC where there is none.
pub(super) const ONE_SM: Sourced<u16> =
    assumed(1, "the documents that were read name no level between GPC and SM");

impl Floor {
    /// Groups that are GPCs.
    pub(super) const fn of_gpcs(groups: Sourced<&'static [u16]>, sms_per_tpc: Sourced<u16>) -> Self {
        Self {
            groups,
            has_singles: false,
            has_gpcs: true,
            has_measured_order: false,
            sms_per_tpc,
            port_bytes_per_cycle: None,
        }
    }

    /// The groups without the single TPCs.
    fn num_full_groups(&self) -> usize {
        self.groups.value.len() - usize::from(self.has_singles)
    }
}

impl Architecture {
    /// How the SMs of the product are grouped.
    pub const fn floor(&self) -> Floor {
        self.floor
    }

    /// The stacks of the device memory, if a source states them for this chip.
    pub const fn memory_stacks(&self) -> Option<MemoryStacks> {
        self.memory_stacks
    }

    /// The group whose port an SM uses, by `%smid`, if ports are known. On an H100, the single TPCs use the ports of three
    /// groups: SMs 124 to 131 that of group 0, SMs 120 and 121 that of group 6, and SMs 122 and 123 that of group 7. The
    /// SMs that share a port got equal shares of its bandwidth, in grids of 16, 48, 96, and 132 blocks.
    pub fn port_of(&self, sm: u16) -> Option<usize> {
        let floor = self.floor();
        floor.port_bytes_per_cycle?;
        let (group, place) = *places(self).get(usize::from(sm))?;
        let group = usize::from(group);
        Some(match (group < floor.num_full_groups(), place) {
            (true, _) => group,
            (false, 0 | 1) => 6,
            (false, 2 | 3) => 7,
            (false, _) => 0,
        })
    }

    /// The SMs that take the first blocks of a grid, one block each, in the order of the blocks: as many as blocks, or all
    /// SMs.
    ///
    /// Measured on an H200 and an H100 of 132 SMs: the first blocks go to the single TPCs 124 to 131. The others are spread
    /// over the GPCs in turn, first one SM of each TPC. The numbers of the blocks go through one GPC after the other. Which
    /// GPC is first differs from launch to launch. Other chips, and other numbers of SMs: assumed to be the order of their
    /// numbers, which goes over the GPCs in turn.
    pub fn block_order(&self, num_sms: usize, num_blocks: usize) -> Vec<usize> {
        let places = places(self);
        let num_blocks = num_blocks.min(num_sms);
        if !self.floor.has_measured_order || num_sms != places.len() {
            return (0..num_blocks).collect();
        }
        let singles = 124..num_sms;
        let mut order: Vec<usize> = singles.clone().take(num_blocks).collect();
        // The SMs of each GPC in the order in which they take blocks: the first of each TPC, then the second.
        let mut waiting: Vec<Vec<usize>> = vec![Vec::new(); self.floor().num_full_groups()];
        for second in [false, true] {
            for sm in (0..singles.start).filter(|sm| (sm % 2 == 1) == second) {
                if let Some(list) = self.port_of(sm as u16).and_then(|gpc| waiting.get_mut(gpc)) {
                    list.push(sm);
                }
            }
        }
        let shares = shares(&waiting, num_blocks - order.len());
        // The GPC that came first in one of the measured launches, and the others in turn.
        for gpc in (0..waiting.len()).map(|idx| (idx + 6) % waiting.len()) {
            let mut taken = waiting[gpc][..shares[gpc]].to_vec();
            taken.sort_by_key(|sm| (places[*sm].0, *sm));
            order.extend(taken);
        }
        order
    }
}

/// How many SMs of each GPC take a block, if the blocks go to the GPCs in turn: first to TPCs without a block, then to the
/// rest.
fn shares(waiting: &[Vec<usize>], num_blocks: usize) -> Vec<usize> {
    let mut shares = vec![0; waiting.len()];
    let mut left = num_blocks;
    for half in [true, false] {
        let limit = |gpc: usize| {
            let num = waiting[gpc].len();
            if half { num / 2 } else { num }
        };
        while left > 0 && (0..waiting.len()).any(|gpc| shares[gpc] < limit(gpc)) {
            for (gpc, share) in shares.iter_mut().enumerate() {
                if left > 0 && *share < limit(gpc) {
                    *share += 1;
                    left -= 1;
                }
            }
        }
    }
    shares
}

/// The group of each SM, and its place in the group, by `%smid`: numbers go row by row over the groups, a TPC of each
/// at a time. Assumed where it was not measured; on the H200, the single TPCs come last.
pub fn places(arch: &Architecture) -> Vec<(u16, u16)> {
    let floor = arch.floor;
    let groups = floor.groups.value;
    let singles = floor.num_full_groups();
    let (grouped, single) = groups.split_at(singles);
    let rows = grouped
        .iter()
        .max()
        .map_or(0, |most| most.div_ceil(floor.sms_per_tpc.value));
    let mut places = Vec::new();
    for row in 0..rows {
        for (group, size) in (0..).zip(grouped) {
            let first = row * floor.sms_per_tpc.value;
            let tpc = first..(first + floor.sms_per_tpc.value).min(*size);
            places.extend(tpc.map(|place| (group, place)));
        }
    }
    for (group, size) in (singles as u16..).zip(single) {
        places.extend((0..*size).map(|place| (group, place)));
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arch::{ArchId, architecture};

    /// The measured numbers of one group of an H200: `tests/golden/device_h200.csv`.
    #[test]
    fn the_order_on_an_h200_is_as_measured() {
        let order = architecture(ArchId::Gh100).block_order(132, 132);
        let measured = [
            124, 125, 126, 127, 128, 129, 130, 131, 12, 13, 28, 29, 44, 45, 60, 61, 74, 75, 88, 89, 102, 103,
            116, 117,
        ];
        assert_eq!(order[..24], measured);
    }

    /// The SMs of grids of 8 to 132 blocks on an H100: `tests/golden/blocks_h100.csv`. Which GPC comes first is left open.
    #[test]
    fn grids_smaller_than_the_device_spread_over_gpcs_as_on_an_h100() {
        let text = include_str!("../../../tests/golden/blocks_h100.csv");
        let mut num_rows = 0;
        for line in text.lines().skip(1) {
            let (blocks, sms) = line.split_once(',').expect("two columns");
            let blocks = blocks.parse().expect("a number");
            let mut measured: Vec<usize> = sms.split(' ').filter_map(|sm| sm.parse().ok()).collect();
            let mut order = architecture(ArchId::Gh100).block_order(132, blocks);
            assert_eq!(order.len(), blocks);
            measured.sort_unstable();
            order.sort_unstable();
            assert_eq!(order, measured, "{blocks} blocks");
            num_rows += 1;
        }
        assert_eq!(num_rows, 4);
    }

    #[test]
    fn the_groups_hold_all_sms() {
        for id in ArchId::ALL {
            let floor = architecture(id).floor();
            let sum: u16 = floor.groups.value.iter().sum();
            assert_eq!(sum, architecture(id).chip.num_sms.value, "{id}");
            assert_eq!(places(architecture(id)).len(), usize::from(sum), "{id}");
        }
    }
}
