//! The record of a run: compact columns of the state of every warp slot in every cycle, and checkpoints from
//! which replay restores the full machine at any cycle. A trace grows by the segments that a simulation
//! produces, and can be queried at any time. It contains no drawing.

mod accesses;
mod bytes;
mod caches;
mod checkpoints;
mod columns;
mod counters;
mod density;
pub mod device;
mod export;
pub mod find;
mod flight;
mod frame;
mod issues;
mod levels;
mod pc_states;
mod range;
mod record;
mod recorder;
mod replay;
mod run_packer;
mod runs;
mod shared_runs;
mod simulation;
mod snapshot;
mod tally;
mod wire;
mod work;
#[cfg(test)]
mod growth_tests;
#[cfg(test)]
mod device_tests;
#[cfg(test)]
mod replay_tests;
pub mod testing;
#[cfg(test)]
mod tests;

use std::ops::Deref;
use std::sync::Arc;

pub use accesses::{AccessFamily, AccessRow};
pub use caches::{CacheHistory, CacheLookup, CacheUse, Found, HitColumn, Hits, LineLife};
pub use counters::{Counter, stall_metric, stall_name};
pub use density::DensityColumn;
pub use export::ChromeTrace;
pub use flight::{Flight, FlightColumn, far_bytes};
pub use frame::Frame;
pub use issues::IssueRow;
pub use range::RangeCounters;
pub use record::{Direction, Record};
pub use recorder::{BarrierRelease, BlockSpan, Reconvergence};
pub use runs::{Run, StateCycles};
pub use simulation::{Progress, Simulation, TraceOptions, simulate};
pub use snapshot::Snapshot;
pub use tally::{AccessTally, PcTally};
pub use wire::{DamagedSegment, Segment};
pub use work::{TrafficLevel, Work, WorkColumn, WorkKind};

use caches::CacheHistories;
use flight::LastFlight;
use replay::Replay;
use wire::Opened;
use work::LastWork;

use crate::access::CacheLevel;
use crate::arch::{Architecture, Occupancy};
use crate::ids::{Cycle, Pc};
use crate::isa::{Program, Space};
use crate::launch::Launch;
use crate::sim::codec::Writer;
use crate::sim::intake::{Intake, Received};
use crate::sim::machine::{LaunchError, Machine};
use crate::sim::memory::{DeviceMemory, Outputs, PAGE_BYTES};
use crate::sim::{Access, CacheKind, MachineOptions, Outcome, RequestKind, route};

/// A run, complete or in progress. Queries up to the last simulated cycle already return the results of the
/// complete run.
#[derive(Debug)]
pub struct Trace {
    record: Record,
    arch: &'static Architecture,
    program: Arc<Program>,
    launch: Launch,
    options: MachineOptions,
    /// The outcome, and the final contents of memory.
    end: Option<(Outcome, Outputs)>,
    occupancy: Occupancy,
    start: Outputs,
    replay: Replay,
    /// What the SM received from the rest of its device, for the replay.
    intake: Option<Arc<Intake>>,
    caches: CacheHistories,
    flight: LastFlight,
    work: LastWork,
    segments: u32,
}

impl Deref for Trace {
    type Target = Record;

    fn deref(&self) -> &Record {
        &self.record
    }
}

impl Trace {
    /// Creates the trace of a run before its first cycle.
    ///
    /// # Errors
    ///
    /// Returns an error if the architecture rejects the launch.
    pub fn open(
        arch: &'static Architecture,
        program: Arc<Program>,
        launch: &Launch,
        options: MachineOptions,
    ) -> Result<Self, LaunchError> {
        let options = simulation::within_reach(options);
        let machine = Machine::new(arch, &program, launch, options)?.alone();
        Ok(Self::of(arch, program, launch.clone(), options, &machine))
    }

    /// Creates the trace of a machine before its first cycle.
    fn of(
        arch: &'static Architecture,
        program: Arc<Program>,
        launch: Launch,
        options: MachineOptions,
        machine: &Machine,
    ) -> Self {
        let issue = &arch.issue;
        Self {
            record: Record::new(
                machine.num_slots(),
                program.code.len(),
                usize::from(issue.schedulers.value),
                u64::from(issue.issue_interval_cycles.value),
            ),
            arch,
            program,
            launch,
            options,
            end: None,
            occupancy: *machine.occupancy(),
            start: machine.outputs(),
            replay: Replay::new(machine),
            intake: machine.intake().cloned(),
            caches: CacheHistories::default(),
            flight: LastFlight::default(),
            work: LastWork::default(),
            segments: 0,
        }
    }

    /// Appends the next segment of the run.
    ///
    /// # Errors
    ///
    /// Returns an error if it is not the next segment, or is damaged. The trace is then unusable.
    pub fn append(&mut self, segment: Segment) -> Result<(), DamagedSegment> {
        let damaged = DamagedSegment {
            number: self.segments + 1,
        };
        let mut opened = Opened::new(&segment).ok_or(damaged)?;
        if self.is_whole() || opened.head.get::<u32>() != self.segments {
            return Err(damaged);
        }
        self.segments += 1;
        let end = opened.head.get();
        self.record.append(end, &mut opened);
        self.replay.append(&mut opened);
        let received = Received::read(&mut opened.machines);
        if let Some(intake) = &self.intake {
            intake.append(received);
        }
        if opened.head.get() {
            let (outcome, outputs) = self.read_end(&mut opened).ok_or(damaged)?;
            self.end = Some((outcome, outputs));
            self.record.shrink();
        }
        if opened.is_good() { Ok(()) } else { Err(damaged) }
    }

    fn read_end(&self, from: &mut Opened) -> Option<(Outcome, Outputs)> {
        let outcome = serde_json::from_slice(&from.head.get::<Vec<u8>>()).ok()?;
        let mut outputs = self.start.clone();
        for _ in 0..from.head.num(PAGE_BYTES) {
            let (allocation, page): (u32, u32) = from.head.get();
            let bytes: &[u8; PAGE_BYTES] = from.head.take(PAGE_BYTES).first_chunk()?;
            if !outputs.device.set_page(allocation, page, Arc::new(*bytes)) {
                return None;
            }
        }
        Some((outcome, outputs))
    }

    /// Whether the run has ended: no further segment can be appended.
    pub const fn is_whole(&self) -> bool {
        self.end.is_some()
    }

    /// The architecture that was simulated.
    pub const fn arch(&self) -> &'static Architecture {
        self.arch
    }

    /// The program that ran.
    pub const fn program(&self) -> &Arc<Program> {
        &self.program
    }

    /// The launch of the program.
    pub const fn launch(&self) -> &Launch {
        &self.launch
    }

    /// The machine's options.
    pub const fn options(&self) -> &MachineOptions {
        &self.options
    }

    /// The outcome of the run; `None` while the run is in progress.
    pub fn outcome(&self) -> Option<&Outcome> {
        self.end.as_ref().map(|(outcome, _)| outcome)
    }

    /// The run at a cycle, clamped to the last cycle.
    pub fn frame(&self, cycle: Cycle) -> Frame<'_> {
        Frame::new(self, Cycle(cycle.0.min(self.last_cycle().0)))
    }

    /// Calls `inspect` with the machine as of the end of a cycle. The machine provides registers of every lane,
    /// shared memory, scoreboards, and queues.
    pub fn with_machine<T>(&self, cycle: Cycle, inspect: impl FnOnce(&Machine) -> T) -> T {
        let cycle = Cycle(cycle.0.min(self.last_cycle().0));
        self.replay.at(&self.record, cycle, inspect)
    }

    /// A checksum of the machine's whole state after a cycle, independent of the replay path.
    pub fn machine_digest(&self, cycle: Cycle) -> u64 {
        self.with_machine(cycle, |machine| self.replay.digest(machine))
    }

    /// The checksum of a machine of this run; it equals [`Trace::machine_digest`] at the machine's cycle.
    pub fn digest_of(&self, machine: &Machine) -> u64 {
        self.replay.digest(machine)
    }

    /// The number of checkpoints without the start, and their size in bytes.
    pub fn checkpoints(&self) -> (usize, usize) {
        (self.replay.num_checkpoints(), self.replay.num_bytes())
    }

    /// The machine at the end of a cycle, as plain values.
    pub fn snapshot(&self, cycle: Cycle) -> Snapshot {
        self.with_machine(cycle, Snapshot::of)
    }

    /// The history of a cache's lines up to a cycle.
    pub fn cache_history(&self, kind: CacheKind, cycle: Cycle) -> CacheHistory {
        self.caches.at(&self.replay, &self.record, kind, cycle)
    }

    /// Whether loads of an instruction access L1.
    pub fn loads_in_l1(&self, pc: Pc, kind: RequestKind) -> bool {
        let Some(instruction) = self.program.code.get(pc.0 as usize) else {
            return false;
        };
        let space = match kind {
            RequestKind::LocalLoad => Space::Local,
            _ => Space::Global,
        };
        route(self.arch, self.options.load_caching, instruction.op, space).1 == CacheLevel::L1
    }

    /// L1 hits over the run so far.
    pub fn l1_hits(&self) -> Hits {
        self.caches
            .hits(&self.record, |pc, kind| self.loads_in_l1(pc, kind))
    }

    /// Device memory traffic in flight over the run so far.
    pub fn flight(&self) -> Flight {
        self.flight.of(&self.record)
    }

    /// Arithmetic operations and bytes at each memory level over the run so far.
    pub fn work(&self) -> Arc<Work> {
        self.work.of(self)
    }

    /// Arithmetic operations and bytes of the cycles from `from` to before `to`, clamped to the run.
    pub fn work_between(&self, from: Cycle, to: Cycle) -> WorkColumn {
        work::between(self, from, to)
    }

    /// A memory access with the lanes' addresses, by replay.
    pub fn access_detail(&self, idx: u32) -> Option<Access> {
        self.replay.access(&self.record, idx)
    }

    /// A checksum of the whole record. Equal runs have equal checksums, independent of where they were
    /// simulated and how they were appended.
    pub fn digest(&self) -> u64 {
        let mut all = Writer::default();
        self.record.write(&mut all);
        if let Some((outcome, outputs)) = &self.end {
            all.put(&serde_json::to_vec(outcome).unwrap_or_default());
            for (allocation, page, bytes) in outputs.device.pages_since(&self.start.device) {
                all.put(&allocation);
                all.put(&page);
                all.raw(bytes);
            }
        }
        all.digest()
    }

    /// The occupancy of the SM with this launch.
    pub const fn occupancy(&self) -> &Occupancy {
        &self.occupancy
    }

    /// The final global memory, with the locations of the arguments' buffers; `None` while the run is in
    /// progress.
    pub fn outputs(&self) -> Option<&Outputs> {
        self.end.as_ref().map(|(_, outputs)| outputs)
    }

    /// The initial global memory. Its allocations do not change during the run.
    pub const fn start_memory(&self) -> &DeviceMemory {
        &self.start.device
    }

    /// The memory of the trace in bytes: columns and checkpoints.
    pub fn total_bytes(&self) -> usize {
        let intake = self.intake.as_ref().map_or(0, |intake| intake.num_bytes());
        self.record.num_bytes() + self.replay.num_bytes() + intake
    }

    /// The totals of a source line, over all its instructions.
    pub fn line_tally(&self, line: u32) -> PcTally {
        let mut sum = PcTally::default();
        for (pc, instruction) in self.program.code.iter().enumerate() {
            if instruction.span.line == line
                && let Some(tally) = self.tally(Pc(pc as u32))
            {
                sum.merge(tally);
            }
        }
        sum
    }
}
