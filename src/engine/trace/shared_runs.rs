//! Runs that several slots have in common.

use super::bytes::Bytes;
use super::runs::{ONE_CYCLE_SHIFT, PC_SAME, PC_SHIFT};
use crate::sim::WarpState;

/// Numbers below this take a byte.
const ONE_BYTE: u32 = 0x80;
/// The most that a run takes at the pc of the one before.
const MOST_BYTES: usize = 6;
/// Bytes that can be copied at once, from wherever runs begin.
pub(super) const AT_ONCE: usize = 16;
/// Changes that are looked at one by one.
const FEW: usize = 8;
/// Where a change's state is.
const STATE_SHIFT: u32 = 32;

/// Runs of states that change for several slots at once.
#[derive(Clone, Debug, Default)]
pub(crate) struct SharedRuns {
    /// Begins of runs: the cycle in the low half, and the number of the state.
    changes: Vec<u64>,
    /// Where the runs lie that the changes began, as far as they are packed; one more than there are runs.
    offsets: Vec<u32>,
    /// The runs between the changes, as a column of a slot has them, and at least [`AT_ONCE`] others.
    bytes: Vec<u8>,
}

impl SharedRuns {
    /// A slot joins at a cycle, in a state: that of the others if there are any. Returns the change that
    /// began it.
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

    /// Another state begins.
    #[inline(always)]
    pub(crate) fn change(&mut self, cycle: u32, to: WarpState) {
        self.changes.push(u64::from(cycle) | (to as u64) << STATE_SHIFT);
    }

    /// Forgets all but the last change.
    pub(crate) fn forget(&mut self) {
        let last = self.last() as usize;
        self.changes.drain(..last);
        self.offsets.clear();
    }

    /// Index of the last change.
    pub(crate) const fn last(&self) -> u32 {
        self.changes.len().saturating_sub(1) as u32
    }

    /// The runs between two changes, packed, and more bytes than can be copied at once.
    #[inline(always)]
    pub(crate) fn packed(&mut self, from: u32, to: u32) -> (&[u8], usize) {
        if self.offsets.len() <= to as usize {
            self.pack();
        }
        let (start, end) = (self.offsets[from as usize], self.offsets[to as usize]);
        (&self.bytes[start as usize..], (end - start) as usize)
    }

    /// Packs all runs that are over.
    #[inline(never)]
    fn pack(&mut self) {
        if self.offsets.is_empty() {
            self.offsets.push(0);
        }
        let first = self.offsets.len() - 1;
        let mut offset = self.offsets[first] as usize;
        let changes = &self.changes[first..];
        let room = offset + changes.len() * MOST_BYTES + AT_ONCE + 32;
        if self.bytes.len() < room {
            self.bytes.resize(2 * room, 0);
        }
        let mut last = changes.first().copied().unwrap_or_default();
        let ends = changes.iter().skip(1).map(|change| {
            let head = (last >> STATE_SHIFT) as u8 | PC_SAME << PC_SHIFT;
            // Where all have left and others come it may be none. That one is nobody's.
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

    /// When a change was.
    #[inline(always)]
    pub(crate) fn cycle(&self, change: u32) -> u32 {
        self.changes[change as usize] as u32
    }

    /// The last change before a cycle, or `since` if none is later.
    #[inline(always)]
    pub(crate) fn last_before(&self, cycle: u32, since: u32) -> u32 {
        let later = self.changes.get(since as usize + 1..).unwrap_or(&[]);
        let is_before = |change: &u64| (*change as u32) < cycle;
        // Few in most cases.
        let mut num = 0;
        while let Some(change) = later.get(num)
            && is_before(change)
        {
            num += 1;
            if num == FEW {
                num += later[FEW..].partition_point(is_before);
                break;
            }
        }
        since + num as u32
    }

    /// The state that a change began, by its number.
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
