//! How the SMs of each product are grouped on the chip, and the order in which they take the first blocks of a grid.

use super::sourced::{Sourced, assumed, derived, measured, paper, vendor, web};
use super::{ArchId, Architecture};

/// The groups of SMs of the product: GPCs, or TPCs where there is no larger group.
#[derive(Clone, Copy, Debug)]
pub struct Floor {
    /// SMs of each group.
    pub groups: Sourced<&'static [u16]>,
    /// Whether the last group is of TPCs that belong to no group.
    pub has_singles: bool,
    /// Whether the groups are GPCs; otherwise they are TPCs.
    pub has_gpcs: bool,
    /// SMs of a TPC.
    pub sms_per_tpc: Sourced<u16>,
    /// Bytes per SM clock that a group gets from L2 and device memory together; `None` if unknown: then only the SMs'
    /// ports bound a group.
    pub port_bytes_per_cycle: Option<Sourced<u16>>,
}

/// The stacks of a device memory of HBM2.
#[derive(Clone, Copy, Debug)]
pub struct MemoryStacks {
    /// Stacks around the chip.
    pub stacks: Sourced<u16>,
    /// Most memory dies of a stack.
    pub dies_per_stack: Sourced<u16>,
    /// Most memory, in GB.
    pub most_gb: Sourced<u16>,
}

impl Floor {
    /// The groups without the single TPCs.
    fn num_full_groups(&self) -> usize {
        self.groups.value.len() - usize::from(self.has_singles)
    }
}

impl Architecture {
    /// How the SMs of the product are grouped.
    pub fn floor(&self) -> Floor {
        floor(self.id)
    }

    /// The stacks of the device memory, if a source states them for this chip.
    pub fn memory_stacks(&self) -> Option<MemoryStacks> {
        (self.id == ArchId::Gv100).then(|| MemoryStacks {
            stacks: vendor(4, "Volta Tuning Guide 4.3.1"),
            dies_per_stack: vendor(8, "Volta Tuning Guide 4.3.1"),
            most_gb: vendor(32, "Volta Tuning Guide 4.3.1"),
        })
    }

    /// The group whose port an SM uses, by `%smid`, if the group has a known one. Single TPCs share none.
    pub fn port_of(&self, sm: u16) -> Option<usize> {
        let floor = self.floor();
        floor.port_bytes_per_cycle?;
        let group = usize::from(places(self.id).get(usize::from(sm))?.0);
        (group < floor.num_full_groups()).then_some(group)
    }

    /// The SMs in the order in which they take the first blocks of a grid.
    ///
    /// Measured on an H200 and an H100 of 132 SMs: the single TPCs 124 to 131, a whole group of 16 SMs, SMs 122 and 123,
    /// the group of 8 SMs, the other groups of 16 in turn, and SMs 120 and 121. Which group comes second differs from
    /// launch to launch on the H200. Other chips, and other numbers of SMs: assumed to be the order of their numbers,
    /// which goes over the GPCs in turn.
    pub fn block_order(&self, num_sms: usize) -> Vec<usize> {
        let places = places(self.id);
        if self.id != ArchId::Gh100 || num_sms != places.len() {
            return (0..num_sms).collect();
        }
        let mut order: Vec<usize> = (0..num_sms).collect();
        let singles = places.last().map_or(0, |(group, _)| *group);
        order.sort_by_key(|sm| match places[*sm] {
            (group, row) if group == singles && row >= 4 => (0, 0, *sm),
            // Then the group that came first in one of the measured launches, and the others.
            (6, row) => (1, row, *sm),
            (group, row) if group == singles => (if row >= 2 { 2 } else { 30 }, row, *sm),
            (group, row) => (3 + group, row, *sm),
        });
        order
    }
}

/// The group of each SM, and its place in the group, by `%smid`: numbers go row by row over the groups, a TPC of each
/// at a time. Assumed where it was not measured; on the H200, the single TPCs come last.
pub fn places(id: ArchId) -> Vec<(u16, u16)> {
    let floor = floor(id);
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

fn floor(id: ArchId) -> Floor {
    const CPG: &str = "Programming Guide 4.2, F.3.1";
    let one = assumed(1, "the documents that were read name no level between GPC and SM");
    let gpcs = |groups: Sourced<&'static [u16]>, tpc: Sourced<u16>| Floor {
        groups,
        has_singles: false,
        has_gpcs: true,
        sms_per_tpc: tpc,
        port_bytes_per_cycle: None,
    };
    match id {
        ArchId::G80 => Floor {
            groups: vendor(&[2, 2, 2, 2, 2, 2, 2, 2], CPG),
            has_singles: false,
            has_gpcs: false,
            sms_per_tpc: vendor(2, CPG),
            port_bytes_per_cycle: None,
        },
        ArchId::Gt200 => Floor {
            groups: paper(&[3, 3, 3, 3, 3, 3, 3, 3, 3, 3], "Wong et al. 2010, Table I"),
            has_singles: false,
            has_gpcs: false,
            sms_per_tpc: vendor(3, CPG),
            port_bytes_per_cycle: None,
        },
        ArchId::Gf100 => gpcs(
            derived(
                &[4, 4, 4, 3],
                "Tom's Hardware, GeForce GTX 480, page 2",
                "four GPCs of four SMs, one SM disabled; which one differs from card to card",
            ),
            one,
        ),
        ArchId::Gf104 => gpcs(
            derived(
                &[4, 3],
                "Tom's Hardware, GeForce GTX 460, page 2",
                "two GPCs of four SMs, one SM disabled; which one differs from card to card",
            ),
            one,
        ),
        ArchId::Gk110 => gpcs(
            assumed(
                &[3, 3, 3, 3, 3],
                "five GPCs of three SMs: a forum's table, no document of NVIDIA was read",
            ),
            one,
        ),
        ArchId::Gm204 => gpcs(vendor(&[4, 4, 4, 4], "GeForce GTX 980 white paper, pages 6 and 7"), one),
        ArchId::Gp100 => gpcs(
            assumed(
                &[10, 10, 10, 10, 8, 8],
                "56 of 60 SMs in six GPCs of ten (P100 white paper); which GPCs have fewer is not published",
            ),
            vendor(2, "P100 white paper"),
        ),
        ArchId::Gp104 => gpcs(
            web(&[5, 5, 5, 5], "TechPowerUp, GeForce GTX 1080, page 2"),
            web(1, "AnandTech, GeForce GTX 1080, page 4"),
        ),
        ArchId::Gv100 => gpcs(
            assumed(
                &[14, 14, 14, 14, 12, 12],
                "80 of 84 SMs in six GPCs of 14 (V100 white paper); which GPCs have fewer is not published",
            ),
            vendor(2, "V100 white paper"),
        ),
        ArchId::Tu102 => gpcs(
            assumed(
                &[12, 12, 12, 12, 10, 10],
                "68 of 72 SMs in six GPCs of 12 (Turing Architecture In-Depth, Table 1); which GPCs have fewer is not \
                 published",
            ),
            vendor(2, "Turing Architecture In-Depth"),
        ),
        ArchId::Ga100 => gpcs(
            derived(
                &[16, 16, 16, 16, 16, 14, 14],
                "A100 white paper, page 19",
                "seven GPCs of seven or eight TPCs, 108 SMs; their order is assumed",
            ),
            vendor(2, "A100 white paper"),
        ),
        ArchId::Ga102 => gpcs(
            derived(
                &[12, 12, 12, 12, 12, 12, 10],
                "igor'sLAB, RTX 3000 technical details",
                "seven GPCs of 12 SMs, 82 SMs; which GPC has fewer is assumed",
            ),
            web(2, "igor'sLAB, RTX 3000 technical details"),
        ),
        ArchId::Ad102 => gpcs(
            assumed(
                &[12, 12, 12, 12, 12, 12, 12, 12, 12, 10, 10],
                "128 SMs in 11 of 12 GPCs (The FPS Review, RTX 4090); which GPCs have fewer is not published",
            ),
            assumed(2, "as in GA102"),
        ),
        ArchId::Gh100 => Floor {
            has_singles: true,
 port_bytes_per_cycle: Some(measured(551, "H100, spread.cu").note("1,091 GB/s at 1,980 MHz, by 6 to 16 SMs of a group")),
 ..gpcs(
            measured::<&[u16]>(
                &[8, 16, 16, 16, 16, 16, 16, 16, 12],
                "H200, device.cu",
            )
            .note(
                "groups of the block distributor, from the order in which SMs took blocks; the last group is the six \
                 single TPCs. The physical GPCs are probably six of 16 and two of 18 SMs",
            ),
            vendor(2, "H100 white paper"),
        )},
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arch::architecture;

    /// The measured numbers of one group of an H200: `tests/golden/device_h200.csv`.
    #[test]
    fn the_order_on_an_h200_is_as_measured() {
        let order = architecture(ArchId::Gh100).block_order(132);
        let measured = [
            124, 125, 126, 127, 128, 129, 130, 131, 12, 13, 28, 29, 44, 45, 60, 61, 74, 75, 88, 89, 102, 103,
            116, 117,
        ];
        assert_eq!(order[..24], measured);
    }

    #[test]
    fn the_groups_hold_all_sms() {
        for id in ArchId::ALL {
            let floor = floor(id);
            let sum: u16 = floor.groups.value.iter().sum();
            assert_eq!(sum, architecture(id).chip.num_sms.value, "{id}");
            assert_eq!(places(id).len(), usize::from(sum), "{id}");
        }
    }
}
