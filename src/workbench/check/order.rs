//! The happens-before order of accesses: barriers, `__syncwarp`, fences with flags, and, before 7.0, the
//! lockstep of a warp.
//!
//! Time is counted in events: each access of a warp is one event. A thread knows an event if the event is
//! ordered before the thread's next access. Order between blocks is assumed wherever it is possible: a thread
//! that reads a flag which another thread set after a fence knows all events before that fence.

use std::collections::BTreeMap;

use engine::ids::{BlockId, Cycle, LaneMask, Pc, SlotIdx, WarpId};
use engine::sim::observer::Executor;

/// An access by one thread: its event and its lane. Event 0 means no access.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Mark {
    pub(super) event: u32,
    pub(super) lane: u8,
}

impl Mark {
    pub(super) const fn is_none(self) -> bool {
        self.event == 0
    }
}

/// One access of a warp.
#[derive(Clone, Copy, Debug)]
pub(super) struct Event {
    pub(super) cycle: Cycle,
    pub(super) pc: Pc,
    pub(super) warp: WarpId,
    pub(super) slot: SlotIdx,
}

/// The events that the threads of a warp know.
#[derive(Clone, Debug)]
struct WarpOrder {
    /// For each lane, the last event of each other lane that it knows.
    known: Box<[[u32; 32]; 32]>,
    /// For each lane, the last event before a fence that the lane executed or knows of.
    fenced: [u32; 32],
    /// For each lane, the last event of any thread that the lane knows through flags.
    acquired: [u32; 32],
}

impl WarpOrder {
    fn new() -> Self {
        Self {
            known: Box::new([[0; 32]; 32]),
            fenced: [0; 32],
            acquired: [0; 32],
        }
    }
}

/// The events that the threads of a block know.
#[derive(Clone, Debug)]
struct BlockOrder {
    /// The last event before the block's last barrier.
    barrier: u32,
    warps: Vec<WarpOrder>,
}

/// The order of the accesses of a run.
#[derive(Clone, Debug)]
pub(super) struct Order {
    /// Whether lanes of a warp can diverge without lockstep (7.0 on).
    is_independent: bool,
    warps_per_block: u32,
    /// All events; the first one is a placeholder.
    events: Vec<Event>,
    blocks: BTreeMap<BlockId, BlockOrder>,
}

impl Order {
    pub(super) fn new(is_independent: bool, warps_per_block: u32) -> Self {
        let none = Event {
            cycle: Cycle(0),
            pc: Pc(0),
            warp: WarpId(0),
            slot: SlotIdx(0),
        };
        Self {
            is_independent,
            warps_per_block,
            events: vec![none],
            blocks: BTreeMap::new(),
        }
    }

    /// The most recent event.
    fn now(&self) -> u32 {
        self.events.len() as u32 - 1
    }

    /// Adds an event.
    pub(super) fn record(&mut self, by: &Executor) -> u32 {
        self.events.push(Event {
            cycle: by.cycle,
            pc: by.pc,
            warp: by.warp,
            slot: by.slot,
        });
        self.now()
    }

    pub(super) fn event(&self, mark: Mark) -> Event {
        self.events[mark.event as usize]
    }

    pub(super) fn start_block(&mut self, block: BlockId) {
        let warps = (0..self.warps_per_block).map(|_| WarpOrder::new()).collect();
        self.blocks.insert(block, BlockOrder { barrier: 0, warps });
    }

    pub(super) fn finish_block(&mut self, block: BlockId) {
        self.blocks.remove(&block);
    }

    /// Merges the knowledge of all threads of a block.
    pub(super) fn pass_barrier(&mut self, block: BlockId) {
        let now = self.now();
        let Some(block) = self.blocks.get_mut(&block) else {
            return;
        };
        block.barrier = now;
        let most = |of: fn(&WarpOrder) -> &[u32; 32]| {
            let all = block.warps.iter().flat_map(|warp| of(warp).iter());
            all.copied().max().unwrap_or(0)
        };
        let (fenced, acquired) = (most(|warp| &warp.fenced), most(|warp| &warp.acquired));
        for warp in &mut block.warps {
            warp.fenced = [fenced; 32];
            warp.acquired = [acquired; 32];
        }
    }

    fn warp_mut(&mut self, by: &Executor) -> Option<&mut WarpOrder> {
        let block = self.blocks.get_mut(&by.block)?;
        block.warps.get_mut(by.warp_in_block as usize)
    }

    fn warp(&self, by: &Executor) -> Option<&WarpOrder> {
        let block = self.blocks.get(&by.block)?;
        block.warps.get(by.warp_in_block as usize)
    }

    /// Merges the knowledge of the executing lanes whose masks include each other.
    pub(super) fn synchronize_lanes(&mut self, by: &Executor, members: &[u32; 32]) {
        let now = self.now();
        let Some(warp) = self.warp_mut(by) else {
            return;
        };
        let mut rest = by.lanes.0;
        while rest != 0 {
            let mask = members[rest.trailing_zeros() as usize];
            let same = LaneMask(rest)
                .lanes()
                .filter(|lane| members[*lane as usize] == mask);
            let same = same.fold(0, |set, lane| set | 1_u32 << lane);
            rest &= !same;
            // Lanes of the mask that execute the instruction at another address have already arrived there.
            let group: Vec<usize> = LaneMask(mask | same).lanes().map(|lane| lane as usize).collect();
            let mut known = [0; 32];
            let (mut fenced, mut acquired) = (0, 0);
            for lane in &group {
                for (most, one) in known.iter_mut().zip(&warp.known[*lane]) {
                    *most = (*most).max(*one);
                }
                fenced = fenced.max(warp.fenced[*lane]);
                acquired = acquired.max(warp.acquired[*lane]);
            }
            for lane in &group {
                known[*lane] = now;
            }
            for lane in LaneMask(same).lanes().map(|lane| lane as usize) {
                warp.known[lane] = known;
                warp.fenced[lane] = fenced;
                warp.acquired[lane] = acquired;
            }
        }
    }

    /// Records a fence of the executing lanes.
    pub(super) fn fence(&mut self, by: &Executor) {
        let now = self.now();
        if let Some(warp) = self.warp_mut(by) {
            for lane in by.lanes.lanes() {
                warp.fenced[lane as usize] = now;
            }
        }
    }

    /// The last event before the lane's last fence; 0 without a fence.
    pub(super) fn fenced(&self, by: &Executor, lane: u32) -> u32 {
        self.warp(by).map_or(0, |warp| warp.fenced[lane as usize])
    }

    /// Records that the lane has read a flag that was set after a fence.
    pub(super) fn acquire(&mut self, by: &Executor, lane: u32, fenced: u32) {
        if let Some(warp) = self.warp_mut(by) {
            let acquired = &mut warp.acquired[lane as usize];
            *acquired = (*acquired).max(fenced);
        }
    }

    /// The events that the threads of the executing warp know. `None` after their block has finished.
    pub(super) fn knowledge<'a>(&'a self, by: &Executor) -> Option<Knowledge<'a>> {
        let block = self.blocks.get(&by.block)?;
        Some(Knowledge {
            order: self,
            block: by.block,
            barrier: block.barrier,
            warp: by.warp,
            of_warp: block.warps.get(by.warp_in_block as usize)?,
            now: self.now(),
        })
    }
}

/// The events that the threads of a warp know at an access.
#[derive(Clone, Copy, Debug)]
pub(super) struct Knowledge<'a> {
    order: &'a Order,
    block: BlockId,
    barrier: u32,
    warp: WarpId,
    of_warp: &'a WarpOrder,
    now: u32,
}

impl Knowledge<'_> {
    /// Whether an earlier access is ordered before the current access of a lane.
    pub(super) fn is_before(&self, mark: Mark, lane: u32) -> bool {
        if mark.is_none() {
            return true;
        }
        let event = &self.order.events[mark.event as usize];
        let is_same_warp = event.warp == self.warp;
        if is_same_warp {
            if u32::from(mark.lane) == lane {
                return true;
            }
            if !self.order.is_independent {
                // Instructions are ordered; the lanes of one instruction are not.
                return mark.event != self.now;
            }
            if mark.event <= self.of_warp.known[lane as usize][usize::from(mark.lane)] {
                return true;
            }
        }
        let is_same_block = is_same_warp || event.warp.0 / self.order.warps_per_block == self.block.0;
        is_same_block && mark.event <= self.barrier || mark.event <= self.of_warp.acquired[lane as usize]
    }

    /// The last event before the lane's last fence; 0 without a fence.
    pub(super) const fn fenced(&self, lane: u32) -> u32 {
        self.of_warp.fenced[lane as usize]
    }
}
