//! The machine at one cycle, as plain values.

use crate::ids::SlotIdx;
use crate::sim::machine::Machine;
use crate::sim::view::{
    BlockView, CacheView, GridProgress, PassView, PipeView, RequestView, SchedulerView, WarpView,
};

/// What was in the machine at the end of a cycle.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Snapshot {
    /// The warps in their slots.
    pub warps: Vec<WarpView>,
    /// Schedulers with their queues.
    pub schedulers: Vec<SchedulerView>,
    /// Pipes.
    pub pipes: Vec<PipeView>,
    /// Memory requests under way.
    pub requests: Vec<RequestView>,
    /// Instructions with passes through load/store units, where schedulers take turns at these.
    pub passes: Vec<PassView>,
    /// The first-level cache, where there is one.
    pub l1: Option<CacheView>,
    /// Resident blocks.
    pub blocks: Vec<BlockView>,
    /// How far the grid is.
    pub progress: Option<GridProgress>,
    /// KiB to which shared memory is set.
    pub shared_kib: u32,
}

impl Snapshot {
    /// What is in a machine after the last cycle that it stepped.
    pub fn of(machine: &Machine) -> Self {
        Self {
            warps: (0..machine.num_slots())
                .filter_map(|slot| machine.warp(SlotIdx(slot as u16)))
                .collect(),
            schedulers: machine.schedulers(),
            pipes: machine.pipes(),
            requests: machine.requests(),
            passes: machine.passes(),
            l1: machine.l1(),
            blocks: machine.blocks(),
            progress: Some(machine.progress()),
            shared_kib: u32::from(machine.occupancy().shared_kib),
        }
    }
}
