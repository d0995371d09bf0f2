//! The channels of device memory, over which a hash spreads the addresses.

use super::Architecture;
use super::sourced::sourced_struct;

sourced_struct! {
    /// Queues of device memory that work at the same time. A hash selects the queue of an address, so that at any time some
    /// queues have more requests than others: loads take longer, the more of the bandwidth is in use.
    pub struct Channels {
        /// Queues of device memory.
        number: u16, "queues";
        /// Successive bytes in one queue.
        width_bytes: u16, "B";
    }
}

impl Channels {
    /// Returns the queue of an address, from 0. The hash mixes all bits of the address; the hash of the chip is not
    /// documented.
    #[inline]
    pub fn of(&self, address: u64) -> u64 {
        let mut hash = address / u64::from(self.width_bytes.value).max(1);
        hash = (hash ^ hash >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        hash = (hash ^ hash >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (hash ^ hash >> 31) % u64::from(self.number.value).max(1)
    }
}

impl Architecture {
    /// The channels of device memory, where measurements show how loads slow down under load. Elsewhere, all channels are
    /// one queue.
    pub fn channels(&self) -> Option<Channels> {
        let mut channels = self.mechanisms.channels_of_stack?;
        channels.number.value *= self.chip.dram_bits.value / 1024;
        Some(channels)
    }
}

#[cfg(test)]
mod tests {
    use crate::arch::{ArchId, architecture};

    /// Successive addresses, and addresses at a power of two apart, use all queues about equally.
    #[test]
    fn channels_share_regular_addresses_evenly() {
        let channels = architecture(ArchId::Gh100).channels().expect("known channels");
        for stride in [512_u64, 4096, 1 << 20] {
            let mut used = vec![0_u32; usize::from(channels.number.value)];
            for idx in 0..used.len() as u64 * 100 {
                used[channels.of(idx * stride) as usize] += 1;
            }
            assert!(
                used.iter().all(|num| (50..160).contains(num)),
                "{stride}: {used:?}"
            );
        }
    }
}
