//! Blocks on the SM: launch, barriers, and completion.

use std::ops::Range;

use super::{MAX_SCHEDULERS, MAX_SLOTS, NEVER, Setup, Sm};
use crate::ids::{BlockId, Cycle, LaneMask, WarpId};
use crate::isa::{BarMode, Op};
use crate::launch::UNWRITTEN_BYTE;
use crate::sim::block_scheduler::{Arrivals, Block, NUM_BARRIERS};
use crate::sim::decode::Decoded;
use crate::sim::intake::Repeated;
use crate::sim::warp::BlockPlace;
use crate::sim::{Sink, WarpState};

impl Sm {
    /// Updates the warp and its block after lanes have exited.
    pub(super) fn after_exit<S: Sink>(
        &mut self,
        setup: &Setup,
        slot: usize,
        exited: u32,
        now: u64,
        sink: &mut S,
    ) {
        let warp = &mut self.warps[slot];
        let gone = warp.lanes.live == 0;
        warp.exited = gone;
        if gone {
            warp.resume_at = now;
            // Loads without a reader must also return before the registers are freed.
            warp.drained = warp.drained.max(now + 1);
        }
        let place = warp.block_place;
        if let Some(block) = &mut self.blocks.places[place] {
            block.live_threads -= exited.count_ones();
            block.live_warps -= u32::from(gone);
        }
        self.release_barriers(setup, place, 0..NUM_BARRIERS, now, sink);
    }

    /// A warp, or its running lanes, arrive at a block barrier.
    #[expect(clippy::too_many_arguments, reason = "the parts of an issue")]
    pub(super) fn arrive<S: Sink>(
        &mut self,
        setup: &Setup,
        decoded: &Decoded,
        slot: usize,
        scheduler: usize,
        executed: u32,
        now: u64,
        sink: &mut S,
    ) {
        let Op::Bar { id, mode } = decoded.instruction.op else {
            return;
        };
        let start = self.dispatch(decoded, slot, scheduler, now, decoded.occupancy);
        let warp = &mut self.warps[slot];
        if executed == 0 {
            warp.lanes.advance();
            return;
        }
        let by = self.executor(slot, executed, now);
        let warp = &mut self.warps[slot];
        let place = warp.block_place;
        let votes = match mode {
            BarMode::Sync => 0,
            _ => (warp.regs.holds(decoded.instruction.psrcs[0]) & executed).count_ones(),
        };
        if setup.independent {
            warp.lanes.stop_at_barrier(id, executed);
        } else {
            warp.barrier = Some(id);
        }
        if let Some(observer) = sink.observer() {
            observer.barrier_arrived(&by, id);
        }
        if let Some(block) = &mut self.blocks.places[place] {
            let arrivals = &mut block.barriers[usize::from(id & 15)];
            arrivals.arrived += if setup.independent {
                executed.count_ones()
            } else {
                1
            };
            arrivals.votes += votes;
            arrivals.voters += executed.count_ones();
            arrivals.last = arrivals.last.max(start);
        }
        // Only this barrier has changed.
        let id = usize::from(id & 15);
        self.release_barriers(setup, place, id..id + 1, now, sink);
    }

    /// Releases the barriers of a block at which all live threads have arrived.
    fn release_barriers<S: Sink>(
        &mut self,
        setup: &Setup,
        place: usize,
        ids: Range<usize>,
        now: u64,
        sink: &mut S,
    ) {
        let Some(block) = &mut self.blocks.places[place] else {
            return;
        };
        let expected = if setup.independent {
            block.live_threads
        } else {
            block.live_warps
        };
        for id in ids {
            let Some(block) = &mut self.blocks.places[place] else {
                return;
            };
            let arrivals = block.barriers[id];
            if arrivals.arrived == 0 || arrivals.arrived < expected {
                continue;
            }
            block.barriers[id] = Arrivals::default();
            sink.barrier_released(Cycle(now), block.id, id as u8);
            if let Some(observer) = sink.observer() {
                observer.barrier_released(Cycle(now), block.id, id as u8);
            }
            for idx in 0..block.slots.len() {
                let Some(block) = &self.blocks.places[place] else {
                    return;
                };
                let slot = usize::from(block.slots[idx].0);
                self.pass_barrier(setup, slot, id as u8, arrivals, now);
            }
        }
    }

    fn pass_barrier(&mut self, setup: &Setup, slot: usize, id: u8, arrivals: Arrivals, now: u64) {
        let warp = &mut self.warps[slot];
        if !warp.resident || warp.exited {
            return;
        }
        let mut waiting = if setup.independent {
            warp.lanes.lanes_at_barrier(id)
        } else if warp.barrier == Some(id) {
            warp.lanes.active
        } else {
            return;
        };
        if waiting == 0 {
            return;
        }
        let mut latency = 1;
        while waiting != 0 {
            let (pc, lanes) = warp.lanes.first_waiting(waiting);
            waiting &= !lanes;
            let decoded = &setup.code.instructions[pc as usize];
            latency = decoded.latency;
            let i = &decoded.instruction;
            if let Op::Bar { mode, .. } = i.op {
                let all = |holds: bool| if holds { u32::MAX } else { 0 };
                match mode {
                    BarMode::Sync => {}
                    BarMode::RedPopc => warp.regs.set_row(i.dst, lanes, &[arrivals.votes; 32]),
                    BarMode::RedAnd => {
                        warp.regs
                            .set_pred(i.pdst, lanes, all(arrivals.votes == arrivals.voters));
                    }
                    BarMode::RedOr => warp.regs.set_pred(i.pdst, lanes, all(arrivals.votes > 0)),
                }
            }
        }
        let was_blocked = warp.barrier.is_some() || warp.lanes.active == 0;
        if setup.independent {
            warp.lanes.pass_barrier(id);
        } else {
            warp.barrier = None;
            warp.lanes.advance();
        }
        if was_blocked {
            warp.resume_at = arrivals.last.max(now) + latency;
            warp.resume_state = WarpState::Barrier;
            self.wake_slot(setup, slot, now + 1);
        }
    }

    /// Frees the slot of a warp.
    pub(super) fn retire<S: Sink>(&mut self, setup: &Setup, slot: usize, now: u64, sink: &mut S) {
        let warp = &mut self.warps[slot];
        warp.resident = false;
        let place = warp.block_place;
        let ready_set = &mut self.ready_sets[slot % setup.num_schedulers % MAX_SCHEDULERS];
        ready_set.alone.set(slot / setup.num_schedulers, NEVER);
        self.report(sink, now, slot, WarpState::Empty);
        let Some(block) = &mut self.blocks.places[place] else {
            return;
        };
        block.resident_warps -= 1;
        if block.resident_warps == 0 {
            if let Some(block) = self.blocks.release(place) {
                sink.block_finished(Cycle(now), block.id);
                if let Some(observer) = sink.observer() {
                    observer.block_finished(Cycle(now), block.id);
                }
            }
            if setup.refill_cycles == 0 {
                self.start_blocks(setup, now, sink);
            } else {
                self.refill_at = self.refill_at.min(now + setup.refill_cycles);
            }
        }
    }

    /// Launches blocks until the SM is full.
    pub(in crate::sim) fn start_blocks<S: Sink>(&mut self, setup: &Setup, now: u64, sink: &mut S) {
        while self.start_block(setup, now, sink) {}
    }

    /// Launches the grid's next block. Returns false if there is none, or it does not fit.
    pub(in crate::sim) fn start_block<S: Sink>(&mut self, setup: &Setup, now: u64, sink: &mut S) -> bool {
        match self.lsu.far.feed.block(now) {
            Some(Repeated::Block(BlockId(next))) => self.blocks.queue.started = next,
            Some(Repeated::Nothing) => return false,
            None => {}
        }
        let Some((place, id, slots)) = self.blocks.next(setup.warps_per_block) else {
            return false;
        };
        self.lsu.far.feed.note_block(now, id);
        sink.block_started(Cycle(now), id, &slots);
        if let Some(observer) = sink.observer() {
            observer.block_started(Cycle(now), id, &slots);
        }
        let index = block_index(id, setup.grid);
        let num_threads = setup.block.iter().product::<u32>();
        for (warp_in_block, slot) in slots.iter().enumerate() {
            let slot = usize::from(slot.0);
            let warp_in_block = warp_in_block as u32;
            let valid = LaneMask::first(num_threads - warp_in_block * 32).0;
            let warp = WarpId(id.0 * setup.warps_per_block + warp_in_block);
            self.ready_sets[slot % setup.num_schedulers % MAX_SCHEDULERS]
                .make_youngest(slot / setup.num_schedulers);
            self.prepared[slot % MAX_SLOTS] = 0;
            let place = BlockPlace {
                block: id,
                place,
                index,
            };
            self.warps[slot].start(setup, warp, place, warp_in_block, valid);
            // A new warp issues from the next cycle on; at cycle 0, warps issue immediately.
            let first = if now == 0 { 0 } else { now + 1 };
            self.warps[slot].resume_at = first;
            self.warps[slot].resume_state = WarpState::NoInstruction;
            self.wake_slot(setup, slot, first);
            if now > 0 {
                self.report(sink, now, slot, WarpState::NoInstruction);
            }
        }
        self.blocks.places[place] = Some(Block {
            id,
            index,
            shared: vec![UNWRITTEN_BYTE; setup.shared_bytes as usize],
            live_warps: slots.len() as u32,
            live_threads: num_threads,
            resident_warps: slots.len() as u32,
            slots,
            barriers: Default::default(),
        });
        true
    }
}

/// Coordinates of a block in the grid.
const fn block_index(block: BlockId, grid: [u32; 3]) -> [u32; 3] {
    [
        block.0 % grid[0],
        block.0 / grid[0] % grid[1],
        block.0 / grid[0] / grid[1],
    ]
}
