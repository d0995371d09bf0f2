//! The format in which a trace grows: the events of some cycles, packed into a few flat buffers. The
//! simulating thread passes them to the querying thread without unpacking.

use thiserror::Error;

use crate::sim::codec::{Reader, Writer};

/// The record since the previous segment. The buffers can be moved as they are, for example as transferable
/// `ArrayBuffer`s of a web worker. Their order and number must not change.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Segment {
    /// Flat bytes.
    pub buffers: Vec<Vec<u8>>,
}

impl Segment {
    /// Bytes of all buffers together.
    pub fn num_bytes(&self) -> usize {
        self.buffers.iter().map(Vec::len).sum()
    }
}

/// The error for a segment that is out of order or damaged.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("Part {number} of the run's record is damaged or missing. Start the run again.")]
pub struct DamagedSegment {
    /// The number of the expected segment, from 1.
    pub number: u32,
}

/// A segment that is being written.
#[derive(Debug)]
pub(crate) struct Parts {
    /// Counts, marks, sums, and other small values.
    pub(crate) head: Writer,
    /// Packed runs of all slots, one slot after the other.
    pub(crate) runs: Writer,
    pub(crate) issues: Writer,
    pub(crate) accesses: Writer,
    /// Checkpoints.
    pub(crate) machines: Writer,
}

/// The number of buffers after the head.
const NUM_BULK: usize = 4;

impl Parts {
    pub(crate) fn new() -> Self {
        let mut head = Writer::default();
        // Placeholders for the lengths of the other buffers.
        head.put(&[0_u32; NUM_BULK]);
        Self {
            head,
            runs: Writer::default(),
            issues: Writer::default(),
            accesses: Writer::default(),
            machines: Writer::default(),
        }
    }

    pub(crate) fn seal(mut self) -> Segment {
        let bulk = [self.runs, self.issues, self.accesses, self.machines].map(|part| part.bytes);
        for (place, part) in self.head.bytes.chunks_mut(4).zip(&bulk) {
            place.copy_from_slice(&(part.len() as u32).to_le_bytes());
        }
        Segment {
            buffers: std::iter::once(self.head.bytes).chain(bulk).collect(),
        }
    }
}

/// A segment that is being read.
#[derive(Debug)]
pub(crate) struct Opened<'a> {
    pub(crate) head: Reader<'a>,
    pub(crate) runs: Reader<'a>,
    pub(crate) issues: &'a [u8],
    pub(crate) accesses: &'a [u8],
    pub(crate) machines: Reader<'a>,
}

impl<'a> Opened<'a> {
    pub(crate) fn new(segment: &'a Segment) -> Option<Self> {
        let [head, runs, issues, accesses, machines] = &segment.buffers[..] else {
            return None;
        };
        let mut head = Reader::new(head);
        let lens: [u32; NUM_BULK] = head.get();
        if lens != [runs, issues, accesses, machines].map(|part| part.len() as u32) {
            return None;
        }
        Some(Self {
            head,
            runs: Reader::new(runs),
            issues,
            accesses,
            machines: Reader::new(machines),
        })
    }

    /// Whether all bytes were present and read.
    pub(crate) const fn is_good(&self) -> bool {
        self.head.is_good() && self.runs.is_good() && self.machines.is_good()
    }
}
