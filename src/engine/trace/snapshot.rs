//! The machine at one cycle, as plain values.

use crate::ids::SlotIdx;
use crate::sim::machine::Machine;
use crate::sim::view::{
    BlockView, CacheView, GridProgress, PassView, PipeView, RequestView, SchedulerView, WarpView,
};

/// The state of the machine at the end of a cycle.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Snapshot {
    /// The warps in their slots.
    pub warps: Vec<WarpView>,
    /// Schedulers with their queues.
    pub schedulers: Vec<SchedulerView>,
    /// Pipes.
    pub pipes: Vec<PipeView>,
    /// Memory requests in flight.
    pub requests: Vec<RequestView>,
    /// Instructions with wavefronts left in the load/store units, where schedulers share an arbiter.
    pub passes: Vec<PassView>,
    /// The first-level cache, if there is one.
    pub l1: Option<CacheView>,
    /// Resident blocks.
    pub blocks: Vec<BlockView>,
    /// The progress of the grid.
    pub progress: Option<GridProgress>,
    /// The configured size of shared memory in KB.
    pub shared_kib: u32,
}

impl Snapshot {
    /// The state of a machine after its last stepped cycle.
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
