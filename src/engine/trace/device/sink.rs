//! What one SM of a device did, as its run reports it.

use serde::{Deserialize, Serialize};

use super::FIRST_PART;
use crate::ids::{BlockId, Cycle, SlotIdx};
use crate::sim::{Access, Issue, RequestKind, Sink};

/// What one SM did.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct SmSink {
    /// The SM's blocks, by their start; those that run have no end.
    pub(super) blocks: Vec<(BlockId, u64, Option<u64>)>,
    /// Warp instructions in each part.
    pub(super) issues: Vec<u32>,
    pub(super) part_cycles: u64,
    /// Buffers whose bytes are counted: first address and the address after the last.
    pub(super) counted: Vec<(u64, u64)>,
    /// Bytes of each counted buffer that missed L1: loaded and stored.
    pub(super) bytes: Vec<[u64; 2]>,
}

impl Sink for SmSink {
    const SUPPORTS_GROUPS: bool = true;

    #[inline]
    fn issue(&mut self, cycle: Cycle, _issue: &Issue) {
        let part = (cycle.0 / self.part_cycles) as usize;
        if self.issues.len() <= part {
            self.issues.resize(part + 1, 0);
        }
        self.issues[part] += 1;
    }

    fn access(&mut self, _cycle: Cycle, access: &Access) {
        if self.counted.is_empty() || access.kind.is_shared() || access.mask.is_empty() {
            return;
        }
        let address = access.addresses[access.mask.0.trailing_zeros() as usize & 31];
        let found = self
            .counted
            .iter()
            .position(|(from, to)| (*from..*to).contains(&address));
        if let Some(idx) = found {
            let bytes = 32 * u64::from(access.sectors.saturating_sub(access.l1_hits));
            self.bytes[idx][usize::from(access.kind == RequestKind::GlobalStore)] += bytes;
        }
    }

    fn block_started(&mut self, cycle: Cycle, block: BlockId, _slots: &[SlotIdx]) {
        self.blocks.push((block, cycle.0, None));
    }

    fn block_finished(&mut self, cycle: Cycle, block: BlockId) {
        let runs = |(other, _, end): &&mut (BlockId, u64, Option<u64>)| *other == block && end.is_none();
        if let Some((_, _, end)) = self.blocks.iter_mut().rev().find(runs) {
            *end = Some(cycle.0);
        }
    }
}

impl SmSink {
    /// Makes parts of `part_cycles` cycles.
    pub(super) fn join_parts(&mut self, part_cycles: u64) {
        while self.part_cycles < part_cycles {
            self.part_cycles *= 2;
            self.issues = self.issues.chunks(2).map(|pair| pair.iter().sum()).collect();
        }
    }
}

/// Sinks of this number of SMs.
pub(super) fn new_sinks(num_sms: usize) -> Vec<SmSink> {
    let new_sink = |_| SmSink {
        part_cycles: FIRST_PART,
        ..SmSink::default()
    };
    (0..num_sms).map(new_sink).collect()
}

/// Warp instructions that SMs issued.
pub(super) fn issued(sinks: &[SmSink]) -> u64 {
    let issues = sinks.iter().flat_map(|sink| &sink.issues);
    issues.map(|num| u64::from(*num)).sum()
}
