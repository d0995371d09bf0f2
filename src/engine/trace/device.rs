//! The record of a device's run: which SM ran which block when, and how busy the SMs, L2, and device memory were.

mod apart;
mod counters;
mod sink;

pub use apart::{PartOrder, PartReply, PartSimulation};
pub use counters::PREFIX;

use serde::{Deserialize, Serialize};

use self::sink::{SmSink, issued, new_sinks};
use crate::arch::Architecture;
use crate::ids::Cycle;
use crate::isa::Program;
use crate::launch::Launch;
use crate::sim::device::{Device, Load};
use crate::sim::memory::Outputs;
use crate::sim::parts::{Apart, PartMaker};
use crate::sim::{LaunchError, MachineOptions, Outcome};

/// Cycles of a part at first.
const FIRST_PART: u64 = 16;
/// Parts of a record at most; then two parts become one.
const MAX_PARTS: usize = 1024;

/// A block on an SM.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockSpan {
    /// The block.
    pub block: u32,
    /// The SM.
    pub sm: u16,
    /// The cycle in which it started.
    pub started: u64,
    /// The cycle in which it finished, or the end of the run.
    pub finished: u64,
}

/// The record of a device's run. Counts are per part: equal stretches of the run, the last one shorter.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DeviceTrace {
    /// SMs that took blocks.
    pub num_sms: u16,
    /// Cycles of the run.
    pub num_cycles: u64,
    /// Blocks of the grid.
    pub num_blocks: u32,
    /// Blocks that an SM holds at once.
    pub blocks_per_sm: u32,
    /// The blocks, in the order of their starts.
    pub blocks: Vec<BlockSpan>,
    /// Cycles of a part.
    pub part_cycles: u64,
    /// Warp instructions that each SM issued in each part.
    pub issues: Vec<Vec<u32>>,
    /// What L2 and device memory moved in each part.
    pub loads: Vec<Load>,
    /// What the run requested of L2 and device memory. What still waits in a queue at its end is in no part.
    pub requested: Load,
    /// How the run ended; `None` while it runs.
    pub outcome: Option<Outcome>,
}

impl DeviceTrace {
    /// The cycle in which the last block finished. From there to the end of the run, L2 finishes atomic updates.
    pub fn blocks_end(&self) -> u64 {
        self.blocks
            .iter()
            .map(|span| span.finished)
            .max()
            .unwrap_or(self.num_cycles)
    }

    /// Warp instructions of the run.
    pub fn issued(&self) -> u64 {
        self.issues.iter().flatten().map(|num| u64::from(*num)).sum()
    }

    /// Warp instructions that an SM issued.
    pub fn issued_by(&self, sm: usize) -> u64 {
        self.issues
            .get(sm)
            .map_or(0, |parts| parts.iter().map(|num| u64::from(*num)).sum())
    }

    /// The blocks that an SM ran, in the order of their starts.
    pub fn blocks_of(&self, sm: u16) -> impl Iterator<Item = &BlockSpan> {
        self.blocks.iter().filter(move |span| span.sm == sm)
    }

    /// The blocks of each SM, in the order of their starts.
    pub fn by_sm(&self) -> Vec<Vec<&BlockSpan>> {
        let mut all = vec![Vec::new(); usize::from(self.num_sms)];
        for span in &self.blocks {
            if let Some(blocks) = all.get_mut(usize::from(span.sm)) {
                blocks.push(span);
            }
        }
        all
    }

    /// Blocks that fit on the device at once.
    pub fn capacity(&self) -> u64 {
        u64::from(self.num_sms) * u64::from(self.blocks_per_sm)
    }

    /// Waves: blocks over the blocks that fit at once.
    pub fn waves(&self) -> f64 {
        f64::from(self.num_blocks) / self.capacity().max(1) as f64
    }

    /// The part that holds a cycle.
    pub fn part_of(&self, cycle: u64) -> usize {
        let last = self.loads.len().saturating_sub(1);
        usize::try_from(cycle / self.part_cycles.max(1)).map_or(last, |part| part.min(last))
    }

    /// Cycles of a part; the last one is shorter.
    pub fn cycles_of(&self, part: usize) -> u64 {
        let from = part as u64 * self.part_cycles;
        self.part_cycles.min(self.num_cycles.saturating_sub(from)).max(1)
    }

    /// The tail: the cycle from which on an SM has no block any more, while others run; the end of the run if none.
    pub fn tail(&self) -> u64 {
        let mut last = vec![0; usize::from(self.num_sms)];
        for span in &self.blocks {
            if let Some(last) = last.get_mut(usize::from(span.sm)) {
                *last = span.finished.max(*last);
            }
        }
        let used = last.iter().copied().filter(|last| *last > 0);
        used.min().unwrap_or(self.num_cycles)
    }

    /// Bytes per cycle of a part: L2 and device memory.
    pub fn rates(&self, part: usize) -> (f64, f64) {
        let load = self.loads.get(part).copied().unwrap_or_default();
        let cycles = self.cycles_of(part) as f64;
        (load.l2_bytes as f64 / cycles, load.dram_bytes as f64 / cycles)
    }
}

/// The device of a run.
#[derive(Debug)]
enum Runner {
    /// Its SMs run in lock-step.
    LockStep(Box<Device>),
    /// They run apart.
    Apart(Box<Apart>),
}

/// What a run starts with.
#[derive(Debug)]
struct Start {
    arch: &'static Architecture,
    program: Program,
    launch: Launch,
    options: MachineOptions,
    num_sms: u16,
    /// Arguments whose bytes are counted.
    counted: Vec<usize>,
}

/// A device's run in progress.
#[derive(Debug)]
pub struct DeviceSimulation {
    start: Start,
    runner: Runner,
    sinks: Vec<SmSink>,
    part_cycles: u64,
    /// The load up to the end of each part.
    loads: Vec<Load>,
    /// Warp instructions that each part on another thread has issued so far.
    issued_apart: Vec<u64>,
}

impl Start {
    /// The device at cycle 0. `num_parts` and `num_local`: into how many parts its SMs are split, and how many of them are
    /// on this thread; no parts: in lock-step.
    fn runner(
        &self,
        num_parts: usize,
        num_local: usize,
        sinks: &mut [SmSink],
    ) -> Result<Runner, LaunchError> {
        let Self {
            arch,
            program,
            launch,
            options,
            num_sms,
            ..
        } = self;
        if num_parts > 0
            && let Some(maker) = PartMaker::new(arch, program, launch, *options, *num_sms, num_parts)?
        {
            let parts = Apart::new(maker, options.max_cycles, num_local, sinks);
            return Ok(Runner::Apart(Box::new(parts)));
        }
        let device = Device::new(arch, program, launch, *options, *num_sms, sinks)?;
        Ok(Runner::LockStep(Box::new(device)))
    }
}

impl DeviceSimulation {
    /// Loads a launch onto the first `num_sms` SMs of a device.
    ///
    /// # Errors
    /// Returns an error if the architecture rejects the launch.
    pub fn new(
        arch: &'static Architecture,
        program: &Program,
        launch: &Launch,
        options: MachineOptions,
        num_sms: u16,
    ) -> Result<Self, LaunchError> {
        Self::in_parts(arch, program, launch, options, num_sms, 1)
    }

    /// The same, with the SMs in parts, which share nothing within a quantum. The record does not depend on their number. 0:
    /// the SMs run in lock-step.
    ///
    /// # Errors
    /// Returns an error if the architecture rejects the launch.
    pub fn in_parts(
        arch: &'static Architecture,
        program: &Program,
        launch: &Launch,
        options: MachineOptions,
        num_sms: u16,
        num_parts: usize,
    ) -> Result<Self, LaunchError> {
        Self::start(arch, program, launch, options, num_sms, (num_parts, num_parts))
    }

    /// The same, with the first part on this thread, and the others as [`PartSimulation`] on other threads. The caller brings
    /// them the orders ([`Self::orders`]) and brings back their replies ([`Self::receive`]).
    ///
    /// # Errors
    /// Returns an error if the architecture rejects the launch.
    pub fn on_threads(
        arch: &'static Architecture,
        program: &Program,
        launch: &Launch,
        options: MachineOptions,
        num_sms: u16,
        num_parts: usize,
    ) -> Result<Self, LaunchError> {
        Self::start(arch, program, launch, options, num_sms, (num_parts.max(1), 1))
    }

    fn start(
        arch: &'static Architecture,
        program: &Program,
        launch: &Launch,
        options: MachineOptions,
        num_sms: u16,
        (num_parts, num_local): (usize, usize),
    ) -> Result<Self, LaunchError> {
        let start = Start {
            arch,
            program: program.clone(),
            launch: launch.clone(),
            options,
            num_sms: num_sms.max(1),
            counted: Vec::new(),
        };
        let mut sinks = new_sinks(start.num_sms.into());
        let runner = start.runner(num_parts, num_local, &mut sinks)?;
        Ok(Self {
            start,
            runner,
            sinks,
            part_cycles: FIRST_PART,
            loads: Vec::new(),
            issued_apart: vec![0; num_parts],
        })
    }

    /// The parts on other threads.
    pub fn parts_elsewhere(&self) -> std::ops::Range<usize> {
        match &self.runner {
            Runner::LockStep(_) => 0..0,
            Runner::Apart(parts) => parts.parts_elsewhere(),
        }
    }

    /// Orders for parts on other threads, and their numbers. Each part sends a reply.
    pub fn orders(&mut self) -> Vec<(usize, PartOrder)> {
        let Runner::Apart(parts) = &mut self.runner else {
            return Vec::new();
        };
        let part_cycles = self.part_cycles;
        let orders = parts.take_orders().into_iter();
        orders
            .map(|(part, order)| (part, PartOrder { order, part_cycles }))
            .collect()
    }

    /// Whether the run can only go on after other threads: they have orders to take, or replies to send.
    pub fn is_waiting(&self) -> bool {
        matches!(&self.runner, Runner::Apart(parts) if parts.is_waiting())
    }

    /// Takes a reply of a part on another thread.
    pub fn receive(&mut self, reply: PartReply) {
        let Runner::Apart(parts) = &mut self.runner else {
            return;
        };
        if let Some(issued) = self.issued_apart.get_mut(reply.reply.part()) {
            *issued = reply.issued;
        }
        if let Some((first, sinks)) = reply.sinks {
            for (own, mut sink) in self.sinks.iter_mut().skip(first).zip(sinks) {
                sink.join_parts(self.part_cycles);
                *own = sink;
            }
            self.issued_apart.fill(0);
        }
        parts.receive(reply.reply);
    }

    /// Starts again with all SMs on this thread.
    pub fn restart_alone(&mut self) {
        self.restart(1);
    }

    /// Counts the bytes that the kernel loads and stores through these arguments from now on, beyond L1. An access belongs to
    /// the buffer of its first lane. Parts on other threads count nothing.
    pub fn count_bytes_of(&mut self, arguments: &[usize]) {
        arguments.clone_into(&mut self.start.counted);
        let ranges = match &self.runner {
            Runner::LockStep(device) => device.buffer_ranges(arguments),
            Runner::Apart(parts) => parts.buffer_ranges(arguments),
        };
        for sink in &mut self.sinks {
            sink.bytes = vec![[0; 2]; ranges.len()];
            sink.counted.clone_from(&ranges);
        }
    }

    /// The bytes of each counted argument so far: loaded and stored.
    pub fn counted_bytes(&self) -> Vec<[u64; 2]> {
        let num = self.sinks.first().map_or(0, |sink| sink.bytes.len());
        let sum = |idx: usize, way: usize| self.sinks.iter().map(|sink| sink.bytes[idx][way]).sum();
        (0..num).map(|idx| [sum(idx, 0), sum(idx, 1)]).collect()
    }

    /// Whether the SMs run apart.
    pub const fn is_apart(&self) -> bool {
        matches!(self.runner, Runner::Apart(_))
    }

    fn cycle(&self) -> u64 {
        match &self.runner {
            Runner::LockStep(device) => device.cycle().0,
            Runner::Apart(parts) => parts.cycle(),
        }
    }

    fn outcome(&self) -> Option<&Outcome> {
        match &self.runner {
            Runner::LockStep(device) => device.outcome(),
            Runner::Apart(parts) => parts.outcome(),
        }
    }

    /// Simulates at most `cycles` more cycles or, if the SMs run apart, to the end of a quantum. Returns false when the run
    /// is over. A run whose SMs can no longer run apart starts again at cycle 0, in lock-step.
    pub fn advance(&mut self, cycles: u64) -> bool {
        let mut end = self.cycle().saturating_add(cycles);
        if let Runner::Apart(parts) = &mut self.runner {
            let (loads, part_cycles) = (&mut self.loads, &mut self.part_cycles);
            parts.run_until(Cycle(end), &mut self.sinks, |cycle, moved| {
                note_moved(loads, part_cycles, cycle, moved);
            });
            note_moved(loads, part_cycles, parts.cycle(), &|cycle| {
                parts.moved_before(cycle)
            });
            for sink in &mut self.sinks {
                sink.join_parts(self.part_cycles);
            }
            if !parts.is_lost() {
                return self.outcome().is_none();
            }
            self.restart(0);
            end = cycles;
        }
        while let Runner::LockStep(device) = &mut self.runner
            && device.outcome().is_none()
            && device.cycle().0 < end
        {
            let part = (device.cycle().0 / self.part_cycles + 1) * self.part_cycles;
            device.run_until(Cycle(part.min(end)), &mut self.sinks);
            note_moved(&mut self.loads, &mut self.part_cycles, device.cycle().0, &|_| {
                device.moved()
            });
            for sink in &mut self.sinks {
                sink.join_parts(self.part_cycles);
            }
        }
        self.outcome().is_none()
    }

    /// Starts again on this thread, in this number of parts; 0: in lock-step.
    fn restart(&mut self, num_parts: usize) {
        let mut sinks = new_sinks(self.start.num_sms.into());
        // A launch that was accepted once is accepted again.
        if let Ok(runner) = self.start.runner(num_parts, num_parts, &mut sinks) {
            self.runner = runner;
            self.sinks = sinks;
            self.part_cycles = FIRST_PART;
            self.loads.clear();
            self.issued_apart.clear();
            let counted = std::mem::take(&mut self.start.counted);
            if !counted.is_empty() {
                self.count_bytes_of(&counted);
            }
        }
    }

    /// What was moved so far.
    fn moved(&self) -> Load {
        let moved = match &self.runner {
            Runner::LockStep(device) => device.moved(),
            Runner::Apart(parts) => parts.moved_before(parts.cycle()),
        };
        no_less(moved, self.loads.last())
    }

    /// The next cycle, and the blocks of the grid: all, started, and finished.
    pub fn progress(&self) -> (u64, (u32, u32, u32)) {
        let blocks = match &self.runner {
            Runner::LockStep(device) => device.progress(),
            Runner::Apart(parts) => parts.progress(),
        };
        (self.cycle(), blocks)
    }

    /// Warp instructions issued so far.
    pub fn issued(&self) -> u64 {
        issued(&self.sinks) + self.issued_apart.iter().sum::<u64>()
    }

    /// The record so far.
    pub fn trace(&self) -> DeviceTrace {
        let num_cycles = self.cycle();
        let mut blocks = Vec::new();
        for (sm, sink) in (0..).zip(&self.sinks) {
            blocks.extend(sink.blocks.iter().map(|(block, started, end)| BlockSpan {
                block: block.0,
                sm,
                started: *started,
                finished: end.unwrap_or(num_cycles),
            }));
        }
        blocks.sort_by_key(|span| (span.started, span.block));
        let num_parts = usize::try_from(num_cycles.div_ceil(self.part_cycles)).unwrap_or(MAX_PARTS);
        let mut before = Load::default();
        let ends = self.loads.iter().copied().chain(std::iter::once(self.moved()));
        let loads = ends.take(num_parts).map(|now| {
            let part = Load {
                l2_bytes: now.l2_bytes - before.l2_bytes,
                dram_bytes: now.dram_bytes - before.dram_bytes,
            };
            before = now;
            part
        });
        let loads: Vec<Load> = loads.collect();
        let issues = self.sinks.iter().map(|sink| {
            let mut parts = sink.issues.clone();
            parts.resize(num_parts, 0);
            parts
        });
        let (blocks_per_sm, requested) = match &self.runner {
            Runner::LockStep(device) => (device.occupancy().blocks_per_sm, device.requested()),
            Runner::Apart(parts) => (parts.occupancy().blocks_per_sm, parts.requested()),
        };
        DeviceTrace {
            num_sms: self.sinks.len() as u16,
            num_cycles,
            num_blocks: self.progress().1.0,
            blocks_per_sm,
            blocks,
            part_cycles: self.part_cycles,
            issues: issues.collect(),
            loads,
            requested,
            outcome: self.outcome().cloned(),
        }
    }

    /// Global memory with the locations of the arguments' buffers: at the end of the run, what the kernel left.
    pub fn outputs(&self) -> Outputs {
        match &self.runner {
            Runner::LockStep(device) => device.outputs(),
            Runner::Apart(parts) => parts.outputs(),
        }
    }
}

/// What was moved, at least as much as before. Requests that are queued for later can hide what was moved for a while.
fn no_less(moved: Load, before: Option<&Load>) -> Load {
    let before = before.copied().unwrap_or_default();
    Load {
        l2_bytes: moved.l2_bytes.max(before.l2_bytes),
        dram_bytes: moved.dram_bytes.max(before.dram_bytes),
    }
}

/// Notes the load up to the end of each part that ends by `cycle`.
fn note_moved(loads: &mut Vec<Load>, part_cycles: &mut u64, cycle: u64, moved: &dyn Fn(u64) -> Load) {
    loop {
        let end = (loads.len() as u64 + 1) * *part_cycles;
        if end > cycle {
            return;
        }
        let load = no_less(moved(end), loads.last());
        loads.push(load);
        if loads.len() == MAX_PARTS {
            // One part of each two.
            *part_cycles *= 2;
            *loads = loads.chunks_exact(2).map(|pair| pair[1]).collect();
        }
    }
}
