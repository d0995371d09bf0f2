//! The partitions of L2: where atomic operations take longer.

use super::Architecture;
use super::sourced::sourced_struct;

sourced_struct! {
    /// The two partitions of L2. An atomic operation executes in the partition of its address; loads take as long from both.
    pub struct L2Partitions {
        /// Cycles that an atomic operation takes longer in the partition that is far from the SM.
        far_cycles: u16, "cycles";
        /// The bits of an address that choose the partition: with an odd number of ones, the other one.
        address_bits: &'static [u16], "bits";
        /// The groups of SMs at the other partition than group 0.
        other_groups: &'static [u16], "groups";
        /// Whether an address without these bits is far from group 0.
        is_first_far: bool, "";
    }
}

impl Architecture {
    /// The partitions of L2, where they were measured.
    pub const fn l2_partitions(&self) -> Option<L2Partitions> {
        self.mechanisms.l2_partitions
    }

    /// Whether the partition of an address is far from an SM, by `%smid`.
    pub(crate) fn far_addresses(&self, sm: u16) -> Option<FarAddresses> {
        let partitions = self.l2_partitions()?;
        let bits = partitions.address_bits.value.iter();
        let group = self.port_of(sm).unwrap_or(0) as u16;
        let is_other = partitions.other_groups.value.contains(&group);
        Some(FarAddresses {
            mask: bits.fold(0, |mask, bit| mask | 1 << bit),
            parity: u32::from(partitions.is_first_far.value == is_other),
            cycles: u64::from(partitions.far_cycles.value),
        })
    }
}

/// The addresses whose partition of L2 is far from an SM.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct FarAddresses {
    mask: u64,
    parity: u32,
    cycles: u64,
}

impl FarAddresses {
    /// Cycles that an atomic operation on an address takes longer.
    pub(crate) const fn more_cycles(&self, address: u64) -> u64 {
        if (address & self.mask).count_ones() % 2 == self.parity {
            self.cycles
        } else {
            0
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::arch::{ArchId, architecture};

    /// Which SMs are far from which addresses, as measured. Where the memory is as a whole is unknown.
    #[test]
    fn addresses_are_far_from_sms_as_on_an_h100() {
        let arch = architecture(ArchId::Gh100);
        let mut far = [0, 0];
        for row in include_str!("../../../tests/golden/far_h100.csv").lines().skip(1) {
            let cells: Vec<u64> = row
                .split(',')
                .map(|cell| cell.parse().expect("a number"))
                .collect();
            let addresses = arch.far_addresses(cells[0] as u16).expect("partitions");
            let here = addresses.more_cycles(cells[1]) != 0;
            far[usize::from(here == (cells[2] > 490))] += 1;
        }
        assert!(far == [0, 756] || far == [756, 0], "{far:?}");
    }
}
