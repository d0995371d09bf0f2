//! Runs that several slots share.

use super::bytes::Bytes;
use super::runs::{ONE_CYCLE_SHIFT, PC_SAME, PC_SHIFT};
use crate::sim::WarpState;

/// Numbers below this limit take one byte.
const ONE_BYTE: u32 = 0x80;
/// The maximum size in bytes of a run at the pc of the previous one.
const MAX_RUN_BYTES: usize = 6;
/// Bytes that are copied at once from the start of the runs.
pub(super) const COPY_BYTES: usize = 16;
/// The number of changes that are searched linearly.
const LINEAR_CHANGES: usize = 8;
/// The bit position of a change's state.
const STATE_SHIFT: u32 = 32;

/// Runs of states that change for several slots at once.
#[derive(Clone, Debug, Default)]
pub(crate) struct SharedRuns {
    /// The starts of runs: the cycle in the low half, the state's number in the high half.
    changes: Vec<u64>,
    /// The offset of each packed run; one more than there are runs.
    offsets: Vec<u32>,
    /// The runs between the changes, encoded as in a slot's column, followed by at least [`COPY_BYTES`] further
    /// bytes.
    bytes: Vec<u8>,
}

impl SharedRuns {
    /// Joins a slot at a cycle, in a state that equals the state of the other members. Returns the change
    /// that began the state.
    #[inline(always)]
    pub(crate) fn join(&mut self, cycle: u32, state: WarpState) -> u32 {
        if self
            .changes
            .last()
            .is_none_or(|last| last >> STATE_SHIFT != state as u64)
        {
            self.change(cycle, state);
        }
        self.changes.len() as u32 - 1
    }

    /// Starts another state.
    #[inline(always)]
    pub(crate) fn change(&mut self, cycle: u32, to: WarpState) {
        self.changes.push(u64::from(cycle) | (to as u64) << STATE_SHIFT);
    }

    /// Drops all but the last change.
    pub(crate) fn forget(&mut self) {
        let last = self.last() as usize;
        self.changes.drain(..last);
        self.offsets.clear();
    }

    /// Index of the last change.
    pub(crate) const fn last(&self) -> u32 {
        self.changes.len().saturating_sub(1) as u32
    }

    /// The packed runs between two changes, followed by enough bytes for a copy of fixed length.
    #[inline(always)]
    pub(crate) fn packed(&mut self, from: u32, to: u32) -> (&[u8], usize) {
        if self.offsets.len() <= to as usize {
            self.pack();
        }
        let (start, end) = (self.offsets[from as usize], self.offsets[to as usize]);
        (&self.bytes[start as usize..], (end - start) as usize)
    }

    /// Packs all finished runs.
    #[inline(never)]
    fn pack(&mut self) {
        if self.offsets.is_empty() {
            self.offsets.push(0);
        }
        let first = self.offsets.len() - 1;
        let mut offset = self.offsets[first] as usize;
        let changes = &self.changes[first..];
        let num_bytes = offset + changes.len() * MAX_RUN_BYTES + COPY_BYTES + 32;
        if self.bytes.len() < num_bytes {
            self.bytes.resize(2 * num_bytes, 0);
        }
        let mut last = changes.first().copied().unwrap_or_default();
        let ends = changes.iter().skip(1).map(|change| {
            let head = (last >> STATE_SHIFT) as u8 | PC_SAME << PC_SHIFT;
            // The length is zero if all members have left and others join in the same cycle; no slot uses
            // that run.
            let length = (*change as u32).wrapping_sub(last as u32);
            last = *change;
            if length < ONE_BYTE {
                let is_one = usize::from(length == 1);
                if let Some(place) = self.bytes[offset..].first_chunk_mut() {
                    *place = [head | (is_one as u8) << ONE_CYCLE_SHIFT, length as u8];
                }
                offset += 2 - is_one;
            } else {
                offset = pack_long(&mut self.bytes, offset, head, length);
            }
            offset as u32
        });
        self.offsets.extend(ends);
    }

    /// The cycle of a change.
    #[inline(always)]
    pub(crate) fn cycle(&self, change: u32) -> u32 {
        self.changes[change as usize] as u32
    }

    /// The last change before a cycle, or `since` if there is no later one.
    #[inline(always)]
    pub(crate) fn last_before(&self, cycle: u32, since: u32) -> u32 {
        let later = self.changes.get(since as usize + 1..).unwrap_or(&[]);
        let is_before = |change: &u64| (*change as u32) < cycle;
        // Usually there are few changes.
        let mut num = 0;
        while let Some(change) = later.get(num)
            && is_before(change)
        {
            num += 1;
            if num == LINEAR_CHANGES {
                num += later[LINEAR_CHANGES..].partition_point(is_before);
                break;
            }
        }
        since + num as u32
    }

    /// The number of the state that a change began.
    #[inline(always)]
    pub(crate) fn state_from(&self, change: u32) -> u8 {
        (self.changes[change as usize] >> STATE_SHIFT) as u8
    }
}

#[inline(never)]
fn pack_long(to: &mut [u8], offset: usize, head: u8, length: u32) -> usize {
    let mut bytes = Bytes::of(head);
    bytes.varint(u64::from(length));
    let (bytes, len) = bytes.padded();
    to[offset..offset + bytes.len()].copy_from_slice(&bytes);
    offset + len
}
