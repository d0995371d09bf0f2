//! A run of a kernel on one SM. A machine is built from a program and a launch, is stepped or run, can be
//! cloned as a checkpoint, and can be inspected.

use std::sync::Arc;

use thiserror::Error;

use super::block_scheduler::GridQueue;
use super::cache::Cache;
use super::decode::{Code, Illegal};
use super::device::Device;
use super::dram::FarMemory;
use super::image::{Image, ImageReader, ImageWriter, Section};
use super::intake::{Feed, Intake, Position, Received};
use super::livelock::{self, Polled, Searched};
use super::memory::{BufferPlace, DeviceMemory, InitialMemory, Outputs, Page, SetupError};
use super::observer::Observer;
use super::sm::{NEVER, Setup, Sm};
use super::view::{
    BlockView, CacheLineView, CacheView, GridProgress, LaneStatus, PassView, PipeView, RequestView,
    SchedulerView, WarpView,
};
use super::{
    Access, CacheKind, CacheTouch, Issue, LoadCaching, MachineOptions, Outcome, Removed, Sink, WaitCause,
    WarpState,
};
use crate::arch::{
    Architecture, GlobalCaching, LaunchRefusal, LaunchResources, Occupancy, PipeKind, PipeScope,
    ProgramResources, check_launch,
};
use crate::ids::{BlockId, Cycle, LaneMask, Pc, SlotIdx};
use crate::isa::{Program, RZ, Reg};
use crate::launch::Launch;
use crate::printf::Printed;

/// A reason why a kernel cannot be launched.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum LaunchError {
    /// The architecture rejects the launch.
    #[error(transparent)]
    Refused(#[from] LaunchRefusal),
    /// The arguments do not match the kernel.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// The program was compiled for another architecture.
    #[error("The program was compiled for {program}, not for {machine}. Compile it for {machine}.")]
    OtherArchitecture {
        /// The architecture of the program.
        program: &'static str,
        /// The architecture of the machine.
        machine: &'static str,
    },
    /// The program has an instruction that the architecture does not support.
    #[error("{arch} does not support instruction {pc}, {mnemonic}.")]
    Illegal {
        /// The architecture's name.
        arch: &'static str,
        /// The instruction's index.
        pc: usize,
        /// The instruction's name.
        mnemonic: String,
    },
    /// An SM cannot hold even one block.
    #[error("An SM of {0} cannot hold one block. Reduce the block's threads, registers, or shared memory.")]
    NoBlockFits(&'static str),
    /// The grid has more blocks than block numbers.
    #[error(
        "The grid has {0} blocks. The simulator numbers at most 4294967295; launch fewer blocks with a loop."
    )]
    TooManyBlocks(u64),
    /// The resident threads' local memory exceeds the limit.
    #[error(
        "Each thread has {bytes} bytes of local memory, so that {threads} resident threads take {} MB. The simulator has \
         at most {} MB of local memory; use smaller local arrays, fewer blocks, or the run on one SM.",
        (threads * u64::from(*bytes)).div_ceil(1 << 20), MAX_LOCAL_BYTES >> 20
    )]
    TooMuchLocal {
        /// Bytes of local memory per thread.
        bytes: u32,
        /// Resident threads of all simulated SMs.
        threads: u64,
    },
}

/// Limit of the local memory of all resident threads, in bytes. Assumption: twice the buffers of a launch; 64 warps with
/// the 512 KB that a thread may have take 1 GB on each SM of a device.
const MAX_LOCAL_BYTES: u64 = 512 << 20;

/// A machine in the middle of a run. A clone is cheap: it shares programs, constants, and all memory pages
/// that are not written later.
#[derive(Clone, Debug)]
pub struct Machine {
    setup: Arc<Setup>,
    buffers: Arc<[BufferPlace]>,
    occupancy: Occupancy,
    pub(super) sm: Sm,
    cycle: u64,
    /// No state changes before this cycle.
    quiet_until: u64,
    /// The next cycle in which the budget or the progress of the run is checked.
    pub(super) check_at: u64,
    outcome: Option<Outcome>,
    /// The device of an SM of many, without this SM; none if the SM is alone or repeats a recorded run.
    device: Option<Box<Device>>,
}

/// A launch that an architecture accepted: what one SM of it, or all, start with.
pub(super) struct Prepared {
    pub(super) setup: Setup,
    pub(super) occupancy: Occupancy,
    pub(super) memory: InitialMemory,
    /// The empty L1 of an SM.
    pub(super) l1: Option<Cache>,
}

impl Prepared {
    /// Checks a launch.
    pub(super) fn new(
        arch: &'static Architecture,
        program: &Program,
        launch: &Launch,
        options: MachineOptions,
        num_sms: u16,
    ) -> Result<Self, LaunchError> {
        let code = crate::arch::architecture(program.arch).compute_capability;
        if program.arch != arch.id && !arch.compute_capability.runs(code) {
            let compiled_for = crate::arch::architecture(program.arch).name;
            return Err(LaunchError::OtherArchitecture {
                program: compiled_for,
                machine: arch.name,
            });
        }
        let resources = ProgramResources {
            registers_per_thread: u32::from(program.registers_per_thread),
            static_shared: program.static_shared_bytes,
            local_bytes_per_thread: program.local_bytes_per_thread,
            parameter_bytes: program.param_bytes,
        };
        check_launch(arch, launch.grid, launch.block, launch.dynamic_shared, &resources)?;
        let asked: u32 = launch.block.iter().product();
        if let Some((limit, _)) = program.launch_bounds
            && asked > limit
        {
            return Err(LaunchRefusal::LaunchBounds {
                requested: asked,
                limit,
            }
            .into());
        }
        let mut code = Code::new(program, arch).map_err(|Illegal { pc }| LaunchError::Illegal {
            arch: arch.name,
            pc,
            mnemonic: program.code[pc].op.mnemonic(arch.id),
        })?;
        if options.without.lacks(Removed::Latencies) {
            code.remove_latencies();
        }
        if options.without.lacks(Removed::Divergence) {
            code.wait_alone();
        }
        let needs = launch_resources(arch, program, launch, &options);
        let threads_per_block = needs.threads_per_block;
        let mut occupancy = arch.occupancy.resident_blocks(&needs);
        if occupancy.blocks_per_sm == 0 {
            return Err(LaunchError::NoBlockFits(arch.name));
        }
        if options.without.lacks(Removed::Residency) {
            occupancy.blocks_per_sm = occupancy.limit_warps.max(occupancy.blocks_per_sm);
        }
        if launch.num_blocks() > u64::from(u32::MAX) {
            return Err(LaunchError::TooManyBlocks(launch.num_blocks()));
        }
        let blocks = u64::from(occupancy.blocks_per_sm) * u64::from(num_sms.max(1));
        let warps = launch.num_blocks().min(blocks) * u64::from(occupancy.warps_per_block);
        let (threads, bytes) = (warps * 32, program.local_bytes_per_thread);
        if threads * u64::from(bytes) > MAX_LOCAL_BYTES {
            return Err(LaunchError::TooMuchLocal { bytes, threads });
        }
        let memory = InitialMemory::new(program, launch)?;
        let setup = Setup {
            arch,
            sm: 0,
            code: Arc::new(code),
            source: Arc::from(program.source.as_str()),
            options,
            policy: options.policy.on(arch),
            grid: launch.grid,
            block: launch.block,
            bank0: memory.bank0.as_slice().into(),
            bank3: memory.bank3.as_slice().into(),
            shared_bytes: program.static_shared_bytes + launch.dynamic_shared,
            local_bytes: program.local_bytes_per_thread,
            pointer_bits: program.pointer_bits,
            refill_cycles: 0,
            may_spin: livelock::may_spin(program),
            warps_per_block: threads_per_block.div_ceil(crate::arch::WARP_SIZE),
            independent: arch.has_independent_threads(),
            issue_interval: u64::from(arch.issue.issue_interval_cycles.value).max(1),
            num_schedulers: usize::from(arch.issue.schedulers.value).max(1),
            takes_turns: arch
                .pipe(PipeKind::Fp32)
                .is_some_and(|pipe| pipe.scope == PipeScope::Sm),
        };
        Ok(Self {
            l1: empty_l1(arch, &occupancy),
            setup,
            occupancy,
            memory,
        })
    }
}

/// The empty L1 of an SM with this occupancy, if the architecture has an L1.
pub(super) fn empty_l1(arch: &Architecture, occupancy: &Occupancy) -> Option<Cache> {
    let l1 = arch.memory.l1.as_ref()?;
    let (sets, ways) = l1.geometry(occupancy.shared_kib);
    let (line, sector) = (l1.line_bytes.value, l1.sector_bytes.value);
    Some(Cache::new(sets, ways, line.into(), sector.into()).indexed(l1.set_index.value))
}

impl Machine {
    /// Creates a machine at cycle 0 of a launch.
    ///
    /// # Errors
    /// Returns an error if the architecture rejects the launch, or the arguments do not match the kernel.
    pub fn new(
        arch: &'static Architecture,
        program: &Program,
        launch: &Launch,
        options: MachineOptions,
    ) -> Result<Self, LaunchError> {
        if let Some(sm) = options.sm {
            return Self::of_device(arch, program, launch, options, sm);
        }
        let Prepared {
            setup,
            occupancy,
            memory,
            l1,
        } = Prepared::new(arch, program, launch, options, 1)?;
        let num_blocks = options.num_blocks(launch.grid);
        let sm = Sm::new(
            &setup,
            occupancy.blocks_per_sm,
            num_blocks,
            memory.device,
            l1,
            FarMemory::new(arch),
        );
        Ok(Self {
            setup: Arc::new(setup),
            buffers: memory.buffers.into(),
            occupancy,
            sm,
            cycle: 0,
            quiet_until: 0,
            check_at: 0,
            outcome: None,
            device: None,
        }
        .with_next_check())
    }

    /// Creates a machine that is an SM of a device.
    fn of_device(
        arch: &'static Architecture,
        program: &Program,
        launch: &Launch,
        options: MachineOptions,
        sm: u16,
    ) -> Result<Self, LaunchError> {
        let mut device = Device::empty(arch, program, launch, options, arch.chip.num_sms.value)?;
        let last = device.sms.len() - 1;
        let place = &mut device.sms[usize::from(sm).min(last)];
        place.sm.lsu.far.feed = Feed::Recorded(Received::default(), Position::default());
        // The device searches for livelocks.
        let setup = Setup {
            may_spin: false,
            ..Setup::clone(&place.setup)
        };
        Ok(Self {
            setup: Arc::new(setup),
            buffers: device.buffers.as_slice().into(),
            occupancy: device.occupancy,
            sm: place.sm.clone(),
            cycle: 0,
            quiet_until: 0,
            check_at: 0,
            outcome: None,
            device: Some(Box::new(device)),
        }
        .with_next_check())
    }

    /// The machine before its first cycle, without the rest of its device: it repeats the run by what
    /// [`Machine::take_received`] recorded. The same machine if it is alone.
    pub(crate) fn alone(&self) -> Self {
        let Some(device) = &self.device else {
            return self.clone();
        };
        let mut sm = self.sm.clone();
        sm.device = device.shared.memory.clone();
        sm.blocks.queue = device.shared.queue;
        sm.lsu.far.feed = Feed::Replayed(Arc::default(), Position::default());
        Self {
            setup: Arc::clone(&self.setup),
            buffers: Arc::clone(&self.buffers),
            sm,
            device: None,
            outcome: self.outcome.clone(),
            ..*self
        }
    }

    /// The record by which the machine repeats its run, if it does.
    pub(crate) fn intake(&self) -> Option<&Arc<Intake>> {
        match &self.sm.lsu.far.feed {
            Feed::Replayed(intake, _) => Some(intake),
            Feed::Live | Feed::Recorded(..) => None,
        }
    }

    /// What the SM received from the rest of its device since the last call.
    pub(crate) fn take_received(&mut self) -> Received {
        self.sm.lsu.far.feed.flush()
    }

    /// Runs the whole device until `end` is the next cycle, and reports what this SM does.
    fn run_device<S: Sink>(&mut self, mut device: Box<Device>, end: u64, sink: &mut S) {
        let own = usize::from(self.setup.sm);
        let mut sinks: Vec<OneOf<S>> = device.sms.iter().map(|_| OneOf(None)).collect();
        if let Some(place) = sinks.get_mut(own) {
            place.0 = Some(sink);
        }
        if let Some(place) = device.sms.get_mut(own) {
            std::mem::swap(&mut place.sm, &mut self.sm);
        }
        if self.cycle == 0 && device.shared.queue.started == 0 {
            device.place_blocks(self.setup.arch, &mut sinks);
        }
        device.run_until(Cycle(end), &mut sinks);
        if let Some(place) = device.sms.get_mut(own) {
            std::mem::swap(&mut place.sm, &mut self.sm);
        }
        self.cycle = device.cycle().0;
        self.quiet_until = device.next.get(own).copied().unwrap_or(0);
        self.outcome = device.outcome().cloned();
        self.device = Some(device);
    }

    /// Limits the grid to its first `num` blocks, at least one: the share of one SM of many. Call this before
    /// the first step.
    pub fn limit_blocks(&mut self, num: u32) {
        let queue = &mut self.sm.blocks.queue;
        queue.num_blocks = queue.num_blocks.min(num.max(1));
    }

    /// Schedules the next check of the run's progress.
    fn with_next_check(mut self) -> Self {
        self.check_at = livelock::next_check(self.cycle).min(self.setup.options.max_cycles);
        self
    }

    /// Checks the budget and the progress of the run. Returns false if the run ends.
    #[cold]
    fn resumes(&mut self) -> bool {
        if self.cycle >= self.setup.options.max_cycles {
            self.outcome = Some(Outcome::CycleBudget);
            return false;
        }
        if self.setup.may_spin
            && let Some(fault) = livelock::find(self)
        {
            self.outcome = Some(Outcome::Fault(fault));
            return false;
        }
        self.check_at = livelock::next_check(self.cycle + 1).min(self.setup.options.max_cycles);
        true
    }

    /// The cycle that is stepped next.
    pub const fn cycle(&self) -> Cycle {
        Cycle(self.cycle)
    }

    /// The outcome of the run, if it has ended.
    pub const fn outcome(&self) -> Option<&Outcome> {
        self.outcome.as_ref()
    }

    /// Whether the machine is one SM of a device.
    pub fn is_of_device(&self) -> bool {
        self.setup.options.sm.is_some()
    }

    /// The architecture.
    pub fn arch(&self) -> &'static Architecture {
        self.setup.arch
    }

    /// The occupancy of the SM with this launch.
    pub const fn occupancy(&self) -> &Occupancy {
        &self.occupancy
    }

    /// Warp slots of the SM.
    pub fn num_slots(&self) -> usize {
        self.sm.warps.len()
    }

    /// Advances one cycle. Returns false, without a change, if the run is over.
    pub fn step<S: Sink>(&mut self, sink: &mut S) -> bool {
        if self.outcome.is_some() {
            return false;
        }
        if let Some(device) = self.device.take() {
            let end = self.cycle + 1;
            self.run_device(device, end, sink);
            return self.cycle == end;
        }
        if self.cycle >= self.check_at && !self.resumes() {
            return false;
        }
        let now = self.cycle;
        self.cycle += 1;
        if now < self.quiet_until {
            return true;
        }
        if now == 0 {
            self.sm.start_blocks(&self.setup, now, sink);
        }
        self.sm.tick(&self.setup, now, sink);
        self.quiet_until = self.sm.next_event();
        if let Some(fault) = &self.sm.fault {
            self.outcome = Some(Outcome::Fault(fault.clone()));
        } else if self.sm.lsu.far.feed.is_replayed() {
            // The record of the run has its end.
        } else if self.sm.blocks.queue.is_done() {
            // A grid is done when its last atomic updates are.
            let end = self.sm.lsu.far.common.updates_end();
            if end <= self.cycle {
                self.outcome = Some(Outcome::Finished);
            } else {
                self.quiet_until = end - 1;
            }
        } else if self.quiet_until == NEVER {
            self.outcome = Some(deadlock(std::iter::once(&self.sm)));
        }
        true
    }

    /// Runs to the end.
    pub fn run<S: Sink>(&mut self, sink: &mut S) -> &Outcome {
        self.run_until(Cycle(u64::MAX), sink);
        self.outcome.get_or_insert(Outcome::CycleBudget)
    }

    /// Runs until `end` is the next cycle, or to the end of the run. Cycles in which nothing changes are
    /// skipped. Returns false when the run is over.
    pub fn run_until<S: Sink>(&mut self, end: Cycle, sink: &mut S) -> bool {
        while self.cycle < end.0 && self.outcome.is_none() {
            if let Some(device) = self.device.take() {
                self.run_device(device, end.0, sink);
                continue;
            }
            if self.quiet_until > self.cycle {
                self.cycle = self.quiet_until.min(end.0).min(self.check_at.max(self.cycle));
                if self.cycle >= end.0 {
                    break;
                }
            }
            if !self.step(sink) {
                return false;
            }
        }
        self.outcome.is_none()
    }

    /// Reports times of accesses that have become known since their units accepted them.
    pub fn report_served<S: Sink>(&self, sink: &mut S) {
        self.sm.report_served(self.cycle, sink);
    }

    /// The current global memory.
    pub fn memory(&self) -> &DeviceMemory {
        match &self.device {
            Some(device) => &device.shared.memory,
            None => &self.sm.device,
        }
    }

    /// The current global memory, with the locations of the arguments' buffers.
    pub fn outputs(&self) -> Outputs {
        Outputs {
            device: self.memory().clone(),
            buffers: self.buffers.to_vec(),
        }
    }

    /// The last stepped cycle.
    const fn last(&self) -> u64 {
        self.cycle.saturating_sub(1)
    }

    /// The warp in a slot, as of the last stepped cycle; `None` for an empty slot.
    pub fn warp(&self, slot: SlotIdx) -> Option<WarpView> {
        let idx = usize::from(slot.0);
        let warp = self.sm.warps.get(idx)?;
        if !warp.resident {
            return None;
        }
        let (state, pc) = self.sm.last_reported(&self.setup, idx);
        let preds = &warp.regs.preds;
        Some(WarpView {
            slot,
            warp: warp.id,
            block: warp.block,
            warp_in_block: warp.place_in_block,
            state,
            cause: self.cause(slot),
            pc: Pc(pc),
            active: LaneMask(warp.lanes.active),
            exited: LaneMask(!warp.lanes.live),
            groups: warp.lanes.groups(),
            scoreboard: self.sm.results_after(idx, self.last()),
            stack: warp.lanes.stack(),
            barriers: warp.lanes.barriers(),
            predicates: std::array::from_fn(|pred| LaneMask(preds[pred])),
            num_registers: warp.num_registers(),
        })
    }

    /// A register of all lanes of the warp in a slot.
    pub fn register(&self, slot: SlotIdx, reg: Reg) -> Option<[u32; 32]> {
        let warp = self
            .sm
            .warps
            .get(usize::from(slot.0))
            .filter(|warp| warp.resident)?;
        if reg == RZ {
            Some([0; 32])
        } else {
            warp.regs.rows.get(usize::from(reg.0)).copied()
        }
    }

    /// Constant bank 3: the program's `__constant__` variables.
    pub fn constants(&self) -> &[u8] {
        &self.setup.bank3
    }

    /// Constant bank 0: launch dimensions and parameters, in the layout of `isa::bank0`.
    pub fn parameters(&self) -> &[u8] {
        &self.setup.bank0
    }

    /// The cause of a warp's stall, as of the last stepped cycle.
    pub fn cause(&self, slot: SlotIdx) -> WaitCause {
        let idx = usize::from(slot.0);
        let Some(warp) = self.sm.warps.get(idx).filter(|warp| warp.resident) else {
            return WaitCause::None;
        };
        let now = self.last();
        let (state, pc) = self.sm.last_reported(&self.setup, idx);
        let scheduler = idx % self.setup.num_schedulers;
        let decoded = self.setup.code.instructions.get(pc as usize);
        match state {
            WarpState::Wait | WarpState::ShortScoreboard | WarpState::LongScoreboard => decoded
                .and_then(|decoded| {
                    let (entry, pending) =
                        warp.hazard(decoded.reads(), decoded.overwrites(), decoded.latency, now)?;
                    let mut cause = warp.cause_of(decoded, entry, pending);
                    if let WaitCause::Register { is_earliest, .. } = &mut cause {
                        *is_earliest = self
                            .sm
                            .can_be_delayed(slot, pending.producer, pending.issued, now);
                    }
                    Some(cause)
                })
                .unwrap_or(WaitCause::None),
            WarpState::MathPipeThrottle => decoded.map_or(WaitCause::None, |decoded| WaitCause::Pipe {
                kind: decoded.pipe,
                free: Cycle(self.sm.pipes.free_at(scheduler, self.setup.code.need(pc).place)),
            }),
            WarpState::MioThrottle | WarpState::LgThrottle => {
                let (entries, queue) = if state == WarpState::MioThrottle {
                    let lsu_after = self.sm.lsu_after(now);
                    let entries = self.sm.queue_entries(lsu_after.as_ref(), scheduler, now);
                    (entries, &self.sm.mio[scheduler])
                } else {
                    (self.sm.lg.entries(now), &self.sm.lg)
                };
                WaitCause::Queue {
                    used: entries.len() as u16,
                    capacity: queue.capacity() as u16,
                }
            }
            WarpState::Barrier => self
                .barrier_cause(slot)
                .unwrap_or(WaitCause::Until(Cycle(warp.resume_at))),
            WarpState::NotSelected => {
                let state = &self.sm.schedulers[scheduler];
                match state.last {
                    Some(last) if state.issued_at == now => WaitCause::OtherWarp(SlotIdx(
                        (last as usize * self.setup.num_schedulers + scheduler) as u16,
                    )),
                    _ => WaitCause::Until(Cycle(state.port_free)),
                }
            }
            WarpState::Drain => WaitCause::Until(Cycle(warp.drained)),
            WarpState::BranchResolving | WarpState::Membar | WarpState::NoInstruction => {
                WaitCause::Until(Cycle(warp.resume_at))
            }
            WarpState::Sleeping if warp.resume_at > now => WaitCause::Until(Cycle(warp.resume_at)),
            WarpState::Sleeping => {
                let missing = warp
                    .lanes
                    .groups()
                    .iter()
                    .filter(|group| !matches!(group.status, LaneStatus::Converging | LaneStatus::Syncing))
                    .fold(0, |set, group| set | group.lanes.0);
                WaitCause::Lanes(LaneMask(missing))
            }
            _ => WaitCause::None,
        }
    }

    fn barrier_cause(&self, slot: SlotIdx) -> Option<WaitCause> {
        let warp = &self.sm.warps[usize::from(slot.0)];
        let block = self.sm.blocks.places.get(warp.block_place)?.as_ref()?;
        let id = match warp.barrier {
            Some(id) => id,
            None => (0..16).find(|id| warp.lanes.lanes_at_barrier(*id) != 0)?,
        };
        let arrived = block.barriers[usize::from(id & 15)].arrived;
        let expected = if self.setup.independent {
            block.live_threads
        } else {
            block.live_warps
        };
        Some(WaitCause::Barrier {
            id,
            arrived: arrived as u16,
            expected: expected as u16,
        })
    }

    /// The schedulers.
    pub fn schedulers(&self) -> Vec<SchedulerView> {
        let now = self.last();
        let lsu_after = self.sm.lsu_after(now);
        let schedulers = self.sm.schedulers.iter().zip(&self.sm.mio).enumerate();
        schedulers
            .take(self.setup.num_schedulers)
            .map(|(index, (scheduler, queue))| SchedulerView {
                index: index as u8,
                port_free: Cycle(scheduler.port_free),
                issued: if scheduler.issued_at == now {
                    scheduler.issued.clone()
                } else {
                    Vec::new()
                },
                queue: self.sm.queue_entries(lsu_after.as_ref(), index, now),
                queue_capacity: queue.capacity() as u16,
            })
            .collect()
    }

    /// The queue of local and global accesses (LG), and its capacity.
    pub fn lg_queue(&self) -> (Vec<super::view::QueueEntry>, u16) {
        (self.sm.lg.entries(self.last()), self.sm.lg.capacity() as u16)
    }

    /// All pipe units.
    pub fn pipes(&self) -> Vec<PipeView> {
        let lsu_after = self.sm.lsu_after(self.last());
        self.sm
            .pipes
            .views(self.setup.arch, lsu_after.as_ref(), self.last())
    }

    /// Instructions with wavefronts left in the load/store units, including the one that completes its last
    /// in this cycle. Empty where the arbitration between schedulers was not measured.
    pub fn passes(&self) -> Vec<PassView> {
        self.sm.passes_after(self.last())
    }

    /// Memory requests in flight, oldest first.
    pub fn requests(&self) -> Vec<RequestView> {
        self.sm.requests_after(self.last())
    }

    /// The L1 cache, if there is one.
    pub fn l1(&self) -> Option<CacheView> {
        self.cache(CacheKind::L1)
    }

    /// A cache of the SM, if there is one.
    pub fn cache(&self, kind: CacheKind) -> Option<CacheView> {
        let now = self.last();
        let cache = match kind {
            CacheKind::L1 => self.sm.lsu.l1.as_ref()?,
            CacheKind::Constant => &self.sm.lsu.constants.first,
            CacheKind::Texture => &self.sm.lsu.textures.as_ref()?.first,
        };
        Some(CacheView {
            sets: cache.sets() as u32,
            ways: cache.ways() as u32,
            line_bytes: cache.line_bytes(),
            sector_bytes: cache.sector_bytes(),
            lines: cache
                .lines()
                .map(|(set, way, address, line)| CacheLineView {
                    set: set as u32,
                    way: way as u32,
                    address,
                    valid_sectors: line.valid,
                    pending_sectors: line.pending(now),
                    dirty_sectors: line.dirty,
                    last_use: Cycle(line.last_use),
                })
                .collect(),
        })
    }

    /// The resident blocks.
    pub fn blocks(&self) -> Vec<BlockView> {
        let expected = |block: &super::block_scheduler::Block| {
            if self.setup.independent {
                block.live_threads
            } else {
                block.live_warps
            }
        };
        self.sm
            .blocks
            .places
            .iter()
            .flatten()
            .map(|block| BlockView {
                block: block.id,
                index: block.index,
                slots: block.slots.clone(),
                shared_bytes: block.shared.len() as u32,
                barriers: block
                    .barriers
                    .iter()
                    .enumerate()
                    .filter(|(_, arrivals)| arrivals.arrived > 0)
                    .map(|(id, arrivals)| (id as u8, arrivals.arrived, expected(block)))
                    .collect(),
            })
            .collect()
    }

    /// Shared memory of a resident block.
    pub fn shared_memory(&self, block: BlockId) -> Option<&[u8]> {
        self.sm
            .blocks
            .places
            .iter()
            .flatten()
            .find(|place| place.id == block)
            .map(|place| place.shared.as_slice())
    }

    /// The progress of the grid.
    pub fn progress(&self) -> GridProgress {
        let queue = match &self.device {
            Some(device) => &device.shared.queue,
            None => &self.sm.blocks.queue,
        };
        GridProgress {
            num_blocks: queue.num_blocks,
            started: queue.started,
            finished: queue.finished,
            resident_limit: self.occupancy.blocks_per_sm,
        }
    }
}

impl Searched for Machine {
    const IS_ALONE: bool = true;

    fn without_search(self) -> Self {
        Self {
            check_at: u64::MAX,
            ..self
        }
    }
    fn advance(&mut self, polled: &mut [Polled]) -> bool {
        let Some(polled) = polled.first_mut() else {
            return false;
        };
        self.step(polled) && self.outcome.is_none()
    }
    fn num_sms(&self) -> usize {
        1
    }
    fn sm(&self, _idx: usize) -> &Sm {
        &self.sm
    }
    fn next_event(&self, _idx: usize) -> u64 {
        self.quiet_until
    }
    fn now(&self) -> u64 {
        self.cycle
    }
    fn setup(&self) -> &Setup {
        &self.setup
    }
    fn memory(&self) -> &DeviceMemory {
        &self.sm.device
    }
    fn queue(&self) -> GridQueue {
        self.sm.blocks.queue
    }
    fn occupancy(&self) -> &Occupancy {
        &self.occupancy
    }
}

impl Machine {
    /// The state as an image. `start` is the machine before its first cycle.
    pub fn image(&self, start: &Self) -> Image {
        if self.setup.options.sm.is_some() {
            // The record has all data that the SM reads.
            return self.image_with(std::iter::empty());
        }
        self.image_with(self.sm.device.pages_written(&start.sm.device))
    }

    /// The state as an image, without pages that were rewritten with the same contents. Equal states have
    /// equal images.
    pub(crate) fn exact_image(&self, start: &Self) -> Image {
        if self.setup.options.sm.is_some() {
            return self.image(start);
        }
        let device = &start.sm.device;
        let pages = self.sm.device.pages_written(device);
        self.image_with(pages.filter(|(allocation, page, now)| device.page(*allocation, *page) != Some(now)))
    }

    fn image_with<'a>(&'a self, pages: impl Iterator<Item = (u32, u32, &'a Page)>) -> Image {
        let Self {
            setup: _,
            buffers: _,
            occupancy: _,
            sm,
            cycle,
            quiet_until,
            check_at: _,
            outcome,
            device: _,
        } = self;
        let mut to = ImageWriter::default();
        sm.write_state(pages, &mut to);
        to.section(Section::Whole, 0, |to| {
            to.put(&[*cycle, *quiet_until]);
            if self.setup.options.sm.is_some() {
                let at = sm.lsu.far.feed.position();
                to.put(&[sm.refill_at, at.words, at.blocks]);
                let progress = self.progress();
                to.put(&[progress.num_blocks, progress.started, progress.finished]);
            }
            // The outcome is written once per run, so its size does not matter.
            let outcome = outcome.as_ref().map(serde_json::to_vec);
            to.put(&outcome.and_then(Result::ok).unwrap_or_default());
        });
        to.finish()
    }

    /// The machine of an image; `self` is the machine before its first cycle. `None` if the image is damaged.
    pub fn restored(&self, image: &Image) -> Option<Self> {
        let mut machine = self.clone();
        let mut from = ImageReader::new(image);
        machine.sm.read_state(&mut from);
        from.section(Section::Whole, 0, |from| {
            [machine.cycle, machine.quiet_until] = from.get();
            if machine.setup.options.sm.is_some() {
                let sm = &mut machine.sm;
                let [refill_at, words, blocks] = from.get();
                sm.refill_at = refill_at;
                sm.lsu.far.feed.seek(Position { words, blocks });
                let queue = &mut sm.blocks.queue;
                [queue.num_blocks, queue.started, queue.finished] = from.get();
            }
            let outcome: Vec<u8> = from.get();
            machine.outcome = serde_json::from_slice(&outcome).ok();
        });
        if let Some(Outcome::Fault(fault)) = &machine.outcome {
            machine.sm.fault = Some(fault.clone());
        }
        from.is_good().then(|| machine.with_next_check())
    }
}

/// The sink of an SM of a device: the machine's own, or none.
struct OneOf<'s, S>(Option<&'s mut S>);

impl<S: Sink> Sink for OneOf<'_, S> {
    const SUPPORTS_GROUPS: bool = S::SUPPORTS_GROUPS;
    const RECORDS_CACHES: bool = S::RECORDS_CACHES;

    fn join(&mut self, cycle: Cycle, slot: SlotIdx, group: u8, state: WarpState) {
        if let Some(sink) = &mut self.0 {
            sink.join(cycle, slot, group, state);
        }
    }
    fn group(&mut self, cycle: Cycle, group: u8, state: WarpState) {
        if let Some(sink) = &mut self.0 {
            sink.group(cycle, group, state);
        }
    }
    fn state(&mut self, cycle: Cycle, slot: SlotIdx, state: WarpState, pc: Pc) {
        if let Some(sink) = &mut self.0 {
            sink.state(cycle, slot, state, pc);
        }
    }
    fn issue(&mut self, cycle: Cycle, issue: &Issue) {
        if let Some(sink) = &mut self.0 {
            sink.issue(cycle, issue);
        }
    }
    fn access(&mut self, cycle: Cycle, access: &Access) {
        if let Some(sink) = &mut self.0 {
            sink.access(cycle, access);
        }
    }
    fn access_served(&mut self, number: u32, started: Cycle, done: Cycle) {
        if let Some(sink) = &mut self.0 {
            sink.access_served(number, started, done);
        }
    }
    fn cache_touched(&mut self, cycle: Cycle, touch: &CacheTouch) {
        if let Some(sink) = &mut self.0 {
            sink.cache_touched(cycle, touch);
        }
    }
    fn block_started(&mut self, cycle: Cycle, block: BlockId, slots: &[SlotIdx]) {
        if let Some(sink) = &mut self.0 {
            sink.block_started(cycle, block, slots);
        }
    }
    fn block_finished(&mut self, cycle: Cycle, block: BlockId) {
        if let Some(sink) = &mut self.0 {
            sink.block_finished(cycle, block);
        }
    }
    fn barrier_released(&mut self, cycle: Cycle, block: BlockId, barrier: u8) {
        if let Some(sink) = &mut self.0 {
            sink.barrier_released(cycle, block, barrier);
        }
    }
    fn printed(&mut self, printed: Printed) {
        if let Some(sink) = &mut self.0 {
            sink.printed(printed);
        }
    }
    fn reconverged(&mut self, cycle: Cycle, slot: SlotIdx, pc: Pc, active: LaneMask) {
        if let Some(sink) = &mut self.0 {
            sink.reconverged(cycle, slot, pc, active);
        }
    }
    fn observer(&mut self) -> Option<&mut dyn Observer> {
        self.0.as_mut()?.observer()
    }
}

/// The outcome of a run in which nothing can happen any more.
pub(super) fn deadlock<'a>(sms: impl Iterator<Item = &'a Sm>) -> Outcome {
    let mut waiting = Vec::new();
    let mut at_barrier = 0;
    let warps = sms.flat_map(|sm| &sm.warps);
    for warp in warps.filter(|warp| warp.resident && !warp.exited) {
        at_barrier += u32::from(warp.barrier.is_some() || warp.lanes.at_barrier() != 0);
        for group in warp.lanes.groups() {
            waiting.push((warp.id, group.pc, group.lanes));
        }
    }
    let reason = match (at_barrier, waiting.len()) {
        (0, _) => "Lanes wait at a convergence point for lanes of their warp that never arrive.".to_owned(),
        (warps, _) => {
            format!("{warps} warps wait at a barrier of their block that the other threads never reach.")
        }
    };
    Outcome::Deadlock { reason, waiting }
}

/// The resources that a block of a launch needs, and the requested configuration of the SM.
pub fn launch_resources(
    arch: &Architecture,
    program: &Program,
    launch: &Launch,
    options: &MachineOptions,
) -> LaunchResources {
    LaunchResources {
        threads_per_block: launch.block.iter().product(),
        registers_per_thread: u32::from(program.registers_per_thread),
        static_shared: program.static_shared_bytes,
        dynamic_shared: launch.dynamic_shared,
        carveout_percent: options.carveout_kib.map(|kib| carveout_percent(arch, kib)),
        global_caching: match options.load_caching {
            LoadCaching::Ca => GlobalCaching::InL1,
            _ => GlobalCaching::Default,
        },
    }
}

/// The preference in percent that selects a carveout.
pub fn carveout_percent(arch: &Architecture, kib: u32) -> u32 {
    kib * 100 / u32::from(arch.occupancy.shared_per_sm_kib.value).max(1)
}
