//! A whole device: all its SMs, the memory that they share, and the queue of the grid's blocks.
//!
//! The SMs run in lock-step. In each cycle, those with work are stepped in the order of their indices, so
//! requests reach L2 in order of cycle and SM, and two runs are equal bit for bit. A device of one SM behaves as
//! [`super::Machine`] does.
//!
//! An SM that a block leaves takes as many further blocks as fit after [`REFILL_CYCLES`].
//!
//! Not modeled: the time that the distributor takes for a grid's first blocks, and clocks that differ between parts of
//! the chip.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::block_scheduler::GridQueue;
use super::dram::{Common, FarMemory};
use super::livelock::{self, Polled, Searched};
use super::machine::{LaunchError, Prepared, deadlock, empty_l1};
use super::memory::{BufferPlace, DeviceMemory, Outputs, buffer_ranges};
use super::sm::{NEVER, Setup, Sm};
use super::{MachineOptions, Outcome, Sink};
use crate::arch::{Architecture, Occupancy};
use crate::ids::Cycle;
use crate::isa::Program;
use crate::launch::Launch;

/// Cycles from the end of a block to the start of the next ones on its SM. Derived from five grids of several waves on
/// an H200 (`tests/golden/device_h200.csv`): the median of the gaps between waves is 128 ns at 1,980 MHz. Gaps from 64
/// to 245 ns occur. Assumed to be equal on other architectures, which were not measured.
pub const REFILL_CYCLES: u64 = 253;

/// A device in the middle of a run.
#[derive(Clone, Debug)]
pub struct Device {
    pub(super) sms: Vec<Place>,
    /// The next cycle in which each SM has work.
    pub(super) next: Vec<u64>,
    pub(super) shared: Shared,
    pub(super) buffers: Vec<BufferPlace>,
    pub(super) occupancy: Occupancy,
    cycle: u64,
    max_cycles: u64,
    /// The next cycle in which the progress of the run is checked.
    check_at: u64,
    outcome: Option<Outcome>,
}

/// An SM of the device.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) setup: Arc<Setup>,
    pub(super) sm: Sm,
}

/// What the SMs share. The SM at work has it, and the others have empty parts.
#[derive(Clone, Debug)]
pub(super) struct Shared {
    far: Box<Common>,
    pub(super) memory: DeviceMemory,
    pub(super) queue: GridQueue,
}

impl Shared {
    /// Exchanges the shared parts with those of an SM: before it works, and after.
    fn exchange(&mut self, sm: &mut Sm) {
        std::mem::swap(&mut self.far, &mut sm.lsu.far.common);
        std::mem::swap(&mut self.memory, &mut sm.device);
        std::mem::swap(&mut self.queue, &mut sm.blocks.queue);
    }
}

/// Bytes since cycle 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Load {
    /// Between the SMs and L2; 0 without L2.
    pub l2_bytes: u64,
    /// To and from device memory.
    pub dram_bytes: u64,
}

impl Device {
    /// Creates a device at cycle 0 of a launch, with the blocks that fit placed. `num_sms`: the SMs that take
    /// blocks, at least 1. `sinks`: one for each SM.
    ///
    /// # Errors
    /// Returns an error if the architecture rejects the launch, or the arguments do not match the kernel.
    pub fn new<S: Sink>(
        arch: &'static Architecture,
        program: &Program,
        launch: &Launch,
        options: MachineOptions,
        num_sms: u16,
        sinks: &mut [S],
    ) -> Result<Self, LaunchError> {
        let mut device = Self::empty(arch, program, launch, options, num_sms)?;
        device.place_blocks(arch, sinks);
        Ok(device)
    }

    /// Creates a device whose SMs have no blocks yet.
    pub(super) fn empty(
        arch: &'static Architecture,
        program: &Program,
        launch: &Launch,
        options: MachineOptions,
        num_sms: u16,
    ) -> Result<Self, LaunchError> {
        let Prepared {
            setup,
            occupancy,
            memory,
            ..
        } = Prepared::new(arch, program, launch, options, num_sms)?;
        let queue = GridQueue::new(options.num_blocks(launch.grid));
        let device = Self::of(&setup, occupancy, memory.device, queue, num_sms);
        Ok(Self {
            buffers: memory.buffers,
            ..device
        })
    }

    /// Empty SMs with this memory, for the blocks of the grid that have not started.
    pub(super) fn of(
        setup: &Setup,
        occupancy: Occupancy,
        memory: DeviceMemory,
        queue: GridQueue,
        num_sms: u16,
    ) -> Self {
        let num_sms = num_sms.max(1);
        let l1 = empty_l1(setup.arch, &occupancy);
        let sms: Vec<Place> = (0..num_sms)
            .map(|sm| {
                let setup = Setup {
                    sm,
                    refill_cycles: if num_sms > 1 { REFILL_CYCLES } else { 0 },
                    ..setup.clone()
                };
                let sm = Sm::new(
                    &setup,
                    occupancy.blocks_per_sm,
                    0,
                    DeviceMemory::default(),
                    l1.clone(),
                    FarMemory::of_device(setup.arch, sm),
                );
                Place {
                    setup: Arc::new(setup),
                    sm,
                }
            })
            .collect();
        Self {
            next: vec![0; sms.len()],
            sms,
            shared: Shared {
                far: Box::new(Common::new(setup.arch, usize::from(num_sms))),
                memory,
                queue,
            },
            buffers: Vec::new(),
            occupancy,
            cycle: 0,
            max_cycles: setup.options.max_cycles,
            check_at: livelock::next_check(0),
            outcome: None,
        }
    }

    /// Gives every SM a block in turn, until the SMs are full or the grid has no more.
    pub(super) fn place_blocks<S: Sink>(&mut self, arch: &Architecture, sinks: &mut [S]) {
        let mut placed = true;
        while placed {
            placed = false;
            let queue = &self.shared.queue;
            let waiting = (queue.num_blocks - queue.started) as usize;
            for idx in &arch.block_order(self.sms.len(), waiting) {
                let (Some(place), Some(sink)) = (self.sms.get_mut(*idx), sinks.get_mut(*idx)) else {
                    continue;
                };
                self.shared.exchange(&mut place.sm);
                placed |= place.sm.start_block(&place.setup, 0, sink);
                self.shared.exchange(&mut place.sm);
            }
        }
    }

    /// The first address of the buffer of each of these arguments, and the address after its last; empty without a buffer.
    pub(crate) fn buffer_ranges(&self, arguments: &[usize]) -> Vec<(u64, u64)> {
        buffer_ranges(&self.shared.memory, &self.buffers, arguments)
    }

    /// The cycle that is stepped next.
    pub const fn cycle(&self) -> Cycle {
        Cycle(self.cycle)
    }

    /// The outcome of the run, if it has ended.
    pub const fn outcome(&self) -> Option<&Outcome> {
        self.outcome.as_ref()
    }

    /// The occupancy of an SM with this launch.
    pub const fn occupancy(&self) -> &Occupancy {
        &self.occupancy
    }

    /// Blocks of the grid: all, started, and finished.
    pub const fn progress(&self) -> (u32, u32, u32) {
        let queue = &self.shared.queue;
        (queue.num_blocks, queue.started, queue.finished)
    }

    /// What L2 and device memory have moved so far.
    pub fn moved(&self) -> Load {
        self.shared.far.moved(self.cycle)
    }

    /// What was requested of L2 and device memory so far, moved or not.
    pub fn requested(&self) -> Load {
        self.shared.far.requested()
    }

    /// The current global memory, with the locations of the arguments' buffers.
    pub fn outputs(&self) -> Outputs {
        Outputs {
            device: self.shared.memory.clone(),
            buffers: self.buffers.clone(),
        }
    }

    /// Runs until `end` is the next cycle, or to the end of the run. `sinks`: one for each SM. Returns false when
    /// the run is over.
    pub fn run_until<S: Sink>(&mut self, end: Cycle, sinks: &mut [S]) -> bool {
        while self.outcome.is_none() {
            if self.shared.queue.is_done() {
                // A grid is done when its last atomic updates are.
                let done = self.shared.far.updates_end().max(self.cycle);
                self.cycle = done.min(end.0).min(self.max_cycles).max(self.cycle);
                if self.cycle == done {
                    self.outcome = Some(Outcome::Finished);
                } else if self.cycle == self.max_cycles {
                    self.outcome = Some(Outcome::CycleBudget);
                }
                break;
            }
            let next = self.next.iter().copied().fold(NEVER, u64::min);
            let now = next.max(self.cycle);
            if next == NEVER {
                self.outcome = Some(deadlock(self.sms.iter().map(|place| &place.sm)));
                break;
            }
            if now >= end.0.min(self.max_cycles) {
                self.cycle = end.0.min(self.max_cycles).max(self.cycle);
                if self.cycle >= self.max_cycles {
                    self.outcome = Some(Outcome::CycleBudget);
                }
                break;
            }
            if now >= self.check_at && !self.resumes(now) {
                break;
            }
            self.step(now, sinks);
            self.cycle = now + 1;
        }
        self.outcome.is_none()
    }

    /// Checks the progress of the run in a cycle. Returns false if the run ends.
    #[cold]
    fn resumes(&mut self, now: u64) -> bool {
        self.cycle = now;
        self.check_at = livelock::next_check(now + 1);
        if self.sms.first().is_some_and(|place| place.setup.may_spin)
            && let Some(fault) = livelock::find(self)
        {
            self.outcome = Some(Outcome::Fault(fault));
        }
        self.outcome.is_none()
    }

    /// Steps the SMs that have work in a cycle.
    fn step<S: Sink>(&mut self, now: u64, sinks: &mut [S]) {
        for ((place, next), sink) in self.sms.iter_mut().zip(&mut self.next).zip(sinks) {
            if *next > now {
                continue;
            }
            let sm = &mut place.sm;
            self.shared.exchange(sm);
            sm.tick(&place.setup, now, sink);
            self.shared.exchange(sm);
            *next = sm.next_event();
            if let Some(fault) = &sm.fault {
                self.outcome = Some(Outcome::Fault(fault.clone()));
                return;
            }
        }
        if self.shared.queue.is_done() && self.shared.far.updates_end() <= now + 1 {
            self.outcome = Some(Outcome::Finished);
        }
    }
}

impl Searched for Device {
    const IS_ALONE: bool = false;

    fn without_search(self) -> Self {
        Self {
            check_at: NEVER,
            ..self
        }
    }
    fn advance(&mut self, polled: &mut [Polled]) -> bool {
        let next = self.next.iter().copied().fold(NEVER, u64::min).max(self.cycle);
        self.run_until(Cycle(next.saturating_add(1)), polled)
    }
    fn num_sms(&self) -> usize {
        self.sms.len()
    }
    fn sm(&self, idx: usize) -> &Sm {
        &self.sms[idx].sm
    }
    fn next_event(&self, idx: usize) -> u64 {
        self.next[idx]
    }
    fn now(&self) -> u64 {
        self.cycle
    }
    fn setup(&self) -> &Setup {
        // A device has at least one SM.
        &self.sms[0].setup
    }
    fn memory(&self) -> &DeviceMemory {
        &self.shared.memory
    }
    fn queue(&self) -> GridQueue {
        self.shared.queue
    }
    fn occupancy(&self) -> &Occupancy {
        &self.occupancy
    }
}
