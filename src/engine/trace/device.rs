//! The record of a device's run: which SM ran which block when, and how busy the SMs, L2, and device memory were.

mod counters;

pub use counters::PREFIX;

use serde::{Deserialize, Serialize};

use crate::arch::Architecture;
use crate::ids::{BlockId, Cycle, SlotIdx};
use crate::isa::Program;
use crate::launch::Launch;
use crate::sim::device::{Device, Load};
use crate::sim::{Access, Issue, LaunchError, MachineOptions, Outcome, RequestKind, Sink};

/// Cycles of a part at first.
const FIRST_PART: u64 = 16;
/// Parts of a record at most; then two parts become one.
const MOST_PARTS: usize = 1024;

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

/// What one SM did.
#[derive(Debug, Default)]
struct SmSink {
    /// The SM's blocks, by their start; those that run have no end.
    blocks: Vec<(BlockId, u64, Option<u64>)>,
    /// Warp instructions in each part.
    issues: Vec<u32>,
    part_cycles: u64,
    /// Buffers whose bytes are counted: first address and the address after the last.
    counted: Vec<(u64, u64)>,
    /// Bytes of each counted buffer that missed L1: loaded and stored.
    bytes: Vec<[u64; 2]>,
}

impl Sink for SmSink {
    const SUPPORTS_GROUPS: bool = true;

    #[inline]
    fn issue(&mut self, cycle: Cycle, _issue: &Issue) {
        let part = (cycle.0 / self.part_cycles) as usize;
        if self.issues.len() <= part {
            self.issues.resize(part + 1, 0);
        }
        self.issues[part] += 1;
    }

    fn access(&mut self, _cycle: Cycle, access: &Access) {
        if self.counted.is_empty() || access.kind.is_shared() || access.mask.is_empty() {
            return;
        }
        let address = access.addresses[access.mask.0.trailing_zeros() as usize & 31];
        let found = self
            .counted
            .iter()
            .position(|(from, to)| (*from..*to).contains(&address));
        if let Some(idx) = found {
            let bytes = 32 * u64::from(access.sectors.saturating_sub(access.l1_hits));
            self.bytes[idx][usize::from(access.kind == RequestKind::GlobalStore)] += bytes;
        }
    }

    fn block_started(&mut self, cycle: Cycle, block: BlockId, _slots: &[SlotIdx]) {
        self.blocks.push((block, cycle.0, None));
    }

    fn block_finished(&mut self, cycle: Cycle, block: BlockId) {
        let runs = |(other, _, end): &&mut (BlockId, u64, Option<u64>)| *other == block && end.is_none();
        if let Some((_, _, end)) = self.blocks.iter_mut().rev().find(runs) {
            *end = Some(cycle.0);
        }
    }
}

/// A device's run in progress.
#[derive(Debug)]
pub struct DeviceSimulation {
    device: Device,
    sinks: Vec<SmSink>,
    part_cycles: u64,
    /// The load up to the end of each part.
    loads: Vec<Load>,
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
        let new_sink = |_| SmSink {
            part_cycles: FIRST_PART,
            ..SmSink::default()
        };
        let mut sinks: Vec<SmSink> = (0..num_sms.max(1)).map(new_sink).collect();
        let device = Device::new(arch, program, launch, options, num_sms, &mut sinks)?;
        Ok(Self {
            device,
            sinks,
            part_cycles: FIRST_PART,
            loads: Vec::new(),
        })
    }

    /// Counts the bytes that the kernel loads and stores through these arguments from now on, beyond L1. An access belongs to
    /// the buffer of its first lane.
    pub fn count_bytes_of(&mut self, arguments: &[usize]) {
        let ranges = self.device.buffer_ranges(arguments);
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

    /// Simulates at most `max_cycles` more cycles. Returns false when the run is over.
    pub fn advance(&mut self, max_cycles: u64) -> bool {
        let end = self.device.cycle().0.saturating_add(max_cycles);
        while self.device.outcome().is_none() && self.device.cycle().0 < end {
            let part = (self.device.cycle().0 / self.part_cycles + 1) * self.part_cycles;
            self.device.run_until(Cycle(part.min(end)), &mut self.sinks);
            if self.device.cycle().0 == part {
                self.loads.push(self.moved());
                if self.loads.len() == MOST_PARTS {
                    self.halve();
                }
            }
        }
        self.device.outcome().is_none()
    }

    /// What was moved so far. Requests that are queued for later can hide what was moved for a while, so the count stays.
    fn moved(&self) -> Load {
        let (now, before) = (
            self.device.moved(),
            self.loads.last().copied().unwrap_or_default(),
        );
        Load {
            l2_bytes: now.l2_bytes.max(before.l2_bytes),
            dram_bytes: now.dram_bytes.max(before.dram_bytes),
        }
    }

    /// Makes one part of each two.
    fn halve(&mut self) {
        self.part_cycles *= 2;
        self.loads = self.loads.chunks_exact(2).map(|pair| pair[1]).collect();
        for sink in &mut self.sinks {
            sink.part_cycles = self.part_cycles;
            sink.issues = sink.issues.chunks(2).map(|pair| pair.iter().sum()).collect();
        }
    }

    /// The next cycle, and the blocks of the grid: all, started, and finished.
    pub fn progress(&self) -> (u64, (u32, u32, u32)) {
        (self.device.cycle().0, self.device.progress())
    }

    /// Warp instructions issued so far.
    pub fn issued(&self) -> u64 {
        let issues = self.sinks.iter().flat_map(|sink| &sink.issues);
        issues.map(|num| u64::from(*num)).sum()
    }

    /// The record so far.
    pub fn trace(&self) -> DeviceTrace {
        let num_cycles = self.device.cycle().0;
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
        let num_parts = usize::try_from(num_cycles.div_ceil(self.part_cycles)).unwrap_or(MOST_PARTS);
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
        DeviceTrace {
            num_sms: self.sinks.len() as u16,
            num_cycles,
            num_blocks: self.device.progress().0,
            blocks_per_sm: self.device.occupancy().blocks_per_sm,
            blocks,
            part_cycles: self.part_cycles,
            issues: issues.collect(),
            loads,
            requested: self.device.requested(),
            outcome: self.device.outcome().cloned(),
        }
    }
}
