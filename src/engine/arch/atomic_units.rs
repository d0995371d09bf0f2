//! The units of L2 that update words.

use super::Architecture;
use super::sourced::sourced_struct;

sourced_struct! {
    /// The units of L2 that update words. A unit works on a sector at a time: one pass updates words of the sector that
    /// differ, so lanes on one word take as many passes. Times are in hundredths of a cycle of the SM.
    pub struct AtomicUnits {
        /// Units that work at the same time. A hash selects the unit of an address.
        number: u16, "units";
        /// Successive bytes of one unit.
        width_bytes: u16, "B";
        /// A pass that updates some words of a sector.
        pass_time: u16, "cycles / 100";
        /// A pass that updates all words of a sector.
        full_pass_time: u16, "cycles / 100";
        /// A pass that adds doubles.
        double_pass_time: u16, "cycles / 100";
        /// From one pass to the next on the same sector, in additions of float and double.
        float_interval: u16, "cycles / 100";
        /// A word, a header, or a sector from a port (of a group of SMs, or of one SM alone) to a unit.
        link_time: u16, "cycles / 100";
        /// The same from an SM to its port.
        sm_time: u16, "cycles / 100";
        /// Packets of an SM at most in flight to units, or not answered yet: a word, or a header or sector of
        /// several words. Two stored sectors count as one packet.
        in_flight: u16, "packets";
        /// From the pass of a unit to the answer that makes room for another packet.
        answer_time: u16, "cycles";
        /// From one old value to the next that return to one SM, where passes follow each other on one word.
        word_return_time: u16, "cycles / 100";
        /// The same where the passes have several words.
        words_return_time: u16, "cycles / 100";
    }
}

impl AtomicUnits {
    /// Returns the unit of an address, from 0. Measured: two lines of 128 bytes share a unit, 512 and 1,024 bytes have two
    /// units, 4 KB have eight, and 32 words that are 4 KB apart have a unit each. The hash itself is assumed.
    #[inline]
    pub fn of(&self, address: u64) -> usize {
        let width = u64::from(self.width_bytes.value).max(1);
        let pairs = (u64::from(self.number.value) / 2).max(1);
        let pair = address / (4 * width);
        let hash = pair ^ pair >> 5 ^ pair >> 10 ^ pair >> 15;
        (2 * (hash % pairs) + address / width % 2) as usize
    }
}

impl Architecture {
    /// The units of L2 that update words, where they were measured. Elsewhere, each sector has a unit of its own.
    pub const fn atomic_units(&self) -> Option<AtomicUnits> {
        self.mechanisms.atomic_units
    }
}

#[cfg(test)]
mod tests {
    use crate::arch::{ArchId, architecture};

    #[test]
    fn units_of_addresses_are_those_that_took_turns() {
        let units = architecture(ArchId::Gh100)
            .atomic_units()
            .expect("measured units");
        let num = |step: usize, end: usize| {
            let mut of: Vec<usize> = (0..end)
                .step_by(step)
                .map(|address| units.of(address as u64))
                .collect();
            of.sort_unstable();
            of.dedup();
            of.len()
        };
        assert_eq!(
            [num(4, 256), num(4, 512), num(4, 1024), num(4, 4096)],
            [1, 2, 2, 8]
        );
        assert_eq!(num(4096, 32 * 4096), 32);
        assert_eq!(num(4, 1 << 20), 64);
    }
}
