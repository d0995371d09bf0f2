//! The block scheduler: launches blocks in grid order, as many as fit, and the next block when one finishes.

use super::codec::coded;
use super::image::{ImageReader, ImageWriter, Section};
use crate::ids::{BlockId, SlotIdx};

/// Barriers of a block: PTX ISA, section on `bar`, numbers them 0 to 15.
pub(super) const NUM_BARRIERS: usize = 16;

/// The arrivals at a barrier.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Arrivals {
    /// Warps before Volta, threads from Volta on.
    pub(super) arrived: u32,
    /// Threads whose predicate is true, and threads that voted.
    pub(super) votes: u32,
    pub(super) voters: u32,
    /// The cycle in which the unit has processed the last arrival.
    pub(super) last: u64,
}

/// A resident block.
#[derive(Clone, Debug)]
pub(super) struct Block {
    pub(super) id: BlockId,
    pub(super) index: [u32; 3],
    pub(super) slots: Vec<SlotIdx>,
    pub(super) shared: Vec<u8>,
    /// Warps with a lane that has not exited.
    pub(super) live_warps: u32,
    pub(super) live_threads: u32,
    /// Warps that occupy their slot.
    pub(super) resident_warps: u32,
    pub(super) barriers: [Arrivals; NUM_BARRIERS],
}

/// The blocks of a grid, in grid order: those that wait, run, and have finished.
#[derive(Clone, Copy, Debug)]
pub(super) struct GridQueue {
    pub(super) num_blocks: u32,
    pub(super) started: u32,
    pub(super) finished: u32,
}

impl GridQueue {
    pub(super) const fn new(num_blocks: u32) -> Self {
        Self {
            num_blocks,
            started: 0,
            finished: 0,
        }
    }

    /// Whether all blocks have finished.
    pub(super) const fn is_done(&self) -> bool {
        self.finished == self.num_blocks
    }
}

/// The slots of an SM's resident blocks, and the grid whose blocks it takes.
#[derive(Clone, Debug)]
pub(super) struct BlockScheduler {
    pub(super) places: Vec<Option<Block>>,
    owner: Vec<Option<u16>>,
    /// The grid's queue. While another SM of a device is at work, it has this queue, and here is an empty one.
    pub(super) queue: GridQueue,
}

coded!(Arrivals {
    arrived,
    votes,
    voters,
    last,
});
coded!(Block {
    id,
    index,
    slots,
    live_warps,
    live_threads,
    resident_warps,
    barriers,
    shared,
});

impl BlockScheduler {
    /// Writes the state to an image, with one section per block.
    pub(super) fn write_state(&self, to: &mut ImageWriter) {
        let Self { places, owner, queue } = self;
        for (place, idx) in places.iter().zip(0..) {
            to.put(Section::Block, idx, place);
        }
        to.section(Section::Grid, 0, |to| {
            to.put(owner);
            to.put(&[queue.num_blocks, queue.started, queue.finished]);
        });
    }

    /// Restores what [`BlockScheduler::write_state`] wrote.
    pub(super) fn read_state(&mut self, from: &mut ImageReader) {
        for (place, idx) in self.places.iter_mut().zip(0..) {
            from.get(Section::Block, idx, place);
        }
        from.section(Section::Grid, 0, |from| {
            self.owner = from.get();
            [self.queue.num_blocks, self.queue.started, self.queue.finished] = from.get();
        });
    }
}

impl BlockScheduler {
    pub(super) fn new(num_blocks: u32, resident_limit: u32, num_slots: usize) -> Self {
        Self {
            places: (0..resident_limit).map(|_| None).collect(),
            owner: vec![None; num_slots],
            queue: GridQueue::new(num_blocks),
        }
    }

    /// A place and slots for the next block, if there is a next block and it fits.
    pub(super) fn next(&mut self, num_warps: u32) -> Option<(usize, BlockId, Vec<SlotIdx>)> {
        if self.queue.started >= self.queue.num_blocks {
            return None;
        }
        let place = self.places.iter().position(Option::is_none)?;
        let slots: Vec<SlotIdx> = (0..self.owner.len())
            .filter(|slot| self.owner[*slot].is_none())
            .take(num_warps as usize)
            .map(|slot| SlotIdx(slot as u16))
            .collect();
        if slots.len() < num_warps as usize {
            return None;
        }
        for slot in &slots {
            self.owner[usize::from(slot.0)] = Some(place as u16);
        }
        let block = BlockId(self.queue.started);
        self.queue.started += 1;
        Some((place, block, slots))
    }

    /// How many further blocks fit.
    pub(super) fn room(&self, num_warps: u32) -> u32 {
        let places = self.places.iter().filter(|place| place.is_none()).count() as u32;
        let slots = self.owner.iter().filter(|owner| owner.is_none()).count() as u32;
        places.min(slots / num_warps.max(1))
    }

    /// Frees the slots of a finished block.
    pub(super) fn release(&mut self, place: usize) -> Option<Block> {
        let block = self.places[place].take()?;
        for slot in &block.slots {
            self.owner[usize::from(slot.0)] = None;
        }
        self.queue.finished += 1;
        Some(block)
    }
}
