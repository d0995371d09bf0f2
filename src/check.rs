//! Checks over a run, as compute-sanitizer makes them: what is wrong with the accesses of a kernel.
//!
//! A [`Checker`] follows a run on the machine as its observer. Which accesses are reported depends on
//! what orders them and not on when they happen in this run. Knows nothing of drawing.

mod finding;
mod initcheck;
mod memcheck;
mod names;
mod order;
mod racecheck;
mod synccheck;
#[cfg(test)]
mod tests;

pub use finding::{Finding, FindingKind, Memory, Place, Role, Severity, Site, Tool};

use std::collections::BTreeMap;

use initcheck::Initcheck;
use memcheck::Memcheck;
use names::Names;
use racecheck::Racecheck;
use synccheck::Synccheck;

use crate::arch::Architecture;
use crate::ids::{BlockId, Cycle, SlotIdx, WarpId};
use crate::isa::Program;
use crate::launch::Launch;
use crate::sim::machine::LaunchError;
use crate::sim::memory::BadAccess;
use crate::sim::observer::{Executor, Observed, ObservedAccess, Observer};
use crate::sim::{Machine, MachineOptions, Outcome};

/// What the checks say of a run.
#[derive(Clone, Debug)]
pub struct Report {
    /// The findings, by their place in the source.
    pub findings: Vec<Finding>,
    /// How the run ended.
    pub outcome: Outcome,
    /// Cycles of the run.
    pub num_cycles: u64,
}

/// Runs a kernel with all checks.
///
/// # Errors
/// When the architecture refuses the launch, or the arguments do not fit the kernel.
pub fn run(
    arch: &'static Architecture,
    program: &Program,
    launch: &Launch,
    options: MachineOptions,
) -> Result<Report, LaunchError> {
    let mut machine = Machine::new(arch, program, launch, options)?;
    let mut checker = Checker::new(program, launch, &machine);
    let outcome = machine.run(&mut Observed(&mut checker)).clone();
    Ok(Report {
        findings: checker.findings_of(Some(&outcome)),
        outcome,
        num_cycles: machine.cycle().0,
    })
}

/// All checks, side by side.
#[derive(Clone, Debug)]
pub struct Checker {
    names: Names,
    memory: Memcheck,
    initialization: Initcheck,
    races: Racecheck,
    barriers: Synccheck,
    /// Slots of the warps that were resident.
    slots: BTreeMap<WarpId, SlotIdx>,
}

impl Checker {
    /// Checks for a machine before its first cycle.
    pub fn new(program: &Program, launch: &Launch, machine: &Machine) -> Self {
        let names = Names::new(program, launch, machine);
        let is_independent = machine.arch().has_independent_threads();
        let shared_bytes = program.static_shared_bytes + launch.dynamic_shared;
        Self {
            memory: Memcheck::new(program, launch),
            initialization: Initcheck::new(launch, shared_bytes, machine),
            races: Racecheck::new(is_independent, names.warps_per_block),
            barriers: Synccheck::new(is_independent),
            names,
            slots: BTreeMap::new(),
        }
    }

    /// The run has ended.
    fn end(&mut self, outcome: &Outcome) {
        match outcome {
            Outcome::Fault(fault) => {
                let slot = self.slots.get(&fault.warp).copied().unwrap_or_default();
                self.memory.end(fault, slot, &self.names);
            }
            Outcome::Deadlock { waiting, .. } => {
                self.barriers.deadlock(waiting, &self.slots, &self.names);
            }
            _ => {}
        }
    }

    /// The findings of a run that ended so, by their place in the source.
    pub fn findings_of(mut self, outcome: Option<&Outcome>) -> Vec<Finding> {
        if let Some(outcome) = outcome {
            self.end(outcome);
        }
        self.findings()
    }

    fn findings(self) -> Vec<Finding> {
        let findings = self.memory.findings().chain(self.initialization.findings());
        let findings = findings.chain(self.races.findings());
        let mut findings: Vec<Finding> = findings.chain(self.barriers.findings()).collect();
        findings.sort_by_key(|finding| {
            let first = finding.sites.first();
            first.map(|site| (site.span.start, finding.severity, finding.kind, site.cycle))
        });
        findings
    }
}

impl Observer for Checker {
    fn block_started(&mut self, _cycle: Cycle, block: BlockId, slots: &[SlotIdx]) {
        let first = block.0 * self.names.warps_per_block;
        let warps = (first..).map(WarpId).zip(slots.iter().copied());
        self.slots.extend(warps);
        self.initialization.start_block(block, slots);
        self.races.start_block(block);
    }

    fn block_finished(&mut self, _cycle: Cycle, block: BlockId) {
        self.initialization.finish_block(block);
        self.races.finish_block(block);
    }

    fn access(&mut self, access: &ObservedAccess<'_>) {
        self.initialization.access(access, &self.names);
        self.races.access(access, &self.names);
    }

    fn bad_access(&mut self, access: &ObservedAccess<'_>, bad: &BadAccess) {
        self.memory.bad_access(access, bad, &self.names);
    }

    fn barrier_arrived(&mut self, by: &Executor, barrier: u8) {
        self.barriers.arrive(by, barrier, &self.names);
    }

    fn barrier_released(&mut self, _cycle: Cycle, block: BlockId, barrier: u8) {
        self.barriers.release(block, barrier, &self.names);
        self.races.pass_barrier(block);
    }

    fn lanes_synchronized(&mut self, by: &Executor, members: &[u32; 32]) {
        self.barriers.synchronize_lanes(by, members, &self.names);
        self.races.synchronize_lanes(by, members);
    }

    fn fence(&mut self, by: &Executor, _level: u8) {
        self.races.fence(by);
    }
}
