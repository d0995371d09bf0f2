//! The record of a run: compact columns of what every warp slot did in every cycle, and
//! checkpoints from which the machine's full state at any cycle is had again. Immutable once made.
//! Knows nothing of drawing.

mod accesses;
mod bytes;
mod counters;
mod density;
mod export;
mod frame;
mod issues;
mod levels;
mod pc_states;
mod range;
mod record;
mod recorder;
mod replay;
mod runs;
mod simulation;
mod snapshot;
mod tally;
#[cfg(test)]
mod replay_tests;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;

use std::ops::Deref;
use std::sync::Arc;

pub use accesses::{AccessFamily, AccessRow, is_shared};
pub use counters::{Counter, stall_metric};
pub use density::DensityColumn;
pub use export::ChromeTrace;
pub use frame::Frame;
pub use issues::IssueRow;
pub use range::RangeCounters;
pub use record::{Direction, Record};
pub use recorder::{BarrierRelease, BlockSpan, Reconvergence};
pub use runs::{Run, StateCycles};
pub use simulation::{Progress, Simulation, TraceOptions, simulate};
pub use snapshot::Snapshot;
pub use tally::{AccessTally, PcTally};

use replay::Replay;

use crate::arch::{Architecture, Occupancy};
use crate::ids::{Cycle, Pc};
use crate::isa::Program;
use crate::launch::Launch;
use crate::sim::machine::Machine;
use crate::sim::memory::Outputs;
use crate::sim::{Access, MachineOptions, Outcome};

/// A finished run. Shared by `Arc`; everything in it is asked for, nothing changes.
#[derive(Debug)]
pub struct Trace {
    record: Record,
    arch: &'static Architecture,
    program: Arc<Program>,
    launch: Launch,
    options: MachineOptions,
    outcome: Outcome,
    occupancy: Occupancy,
    outputs: Outputs,
    replay: Replay,
}

impl Deref for Trace {
    type Target = Record;

    fn deref(&self) -> &Record {
        &self.record
    }
}

impl Trace {
    /// The architecture that was simulated.
    pub const fn arch(&self) -> &'static Architecture {
        self.arch
    }

    /// The program that ran.
    pub const fn program(&self) -> &Arc<Program> {
        &self.program
    }

    /// How it was launched.
    pub const fn launch(&self) -> &Launch {
        &self.launch
    }

    /// The machine's options.
    pub const fn options(&self) -> &MachineOptions {
        &self.options
    }

    /// How the run ended.
    pub const fn outcome(&self) -> &Outcome {
        &self.outcome
    }

    /// The run at a cycle (cut to the last one).
    pub fn frame(&self, cycle: Cycle) -> Frame<'_> {
        Frame::new(self, Cycle(cycle.0.min(self.last_cycle().0)))
    }

    /// Calls `look` with the machine as it is after a cycle: registers of every lane, shared memory,
    /// scoreboards and queues can be asked of it.
    pub fn with_machine<T>(&self, cycle: Cycle, look: impl FnOnce(&Machine) -> T) -> T {
        let cycle = Cycle(cycle.0.min(self.last_cycle().0));
        self.replay.at(&self.record, cycle, look)
    }

    /// The machine at the end of a cycle, as plain values.
    pub fn snapshot(&self, cycle: Cycle) -> Snapshot {
        self.with_machine(cycle, Snapshot::of)
    }

    /// A memory access with the lanes' addresses, by replay.
    pub fn access_detail(&self, idx: u32) -> Option<Access> {
        self.replay.access(&self.record, idx)
    }

    /// How the launch fills the SM.
    pub const fn occupancy(&self) -> &Occupancy {
        &self.occupancy
    }

    /// Global memory at the end of the run, with the places of the arguments' buffers.
    pub const fn outputs(&self) -> &Outputs {
        &self.outputs
    }

    /// Memory that the trace takes, in bytes: columns and checkpoints.
    pub fn total_bytes(&self) -> usize {
        self.record.num_bytes() + self.replay.num_bytes()
    }

    /// Totals of a source line: of all instructions that come from it.
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
