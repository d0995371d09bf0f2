//! Runs a machine and records it, all at once or in slices.

use std::sync::Arc;

use super::Trace;
use super::record::Record;
use super::recorder::Recorder;
use super::replay::{Checkpoints, Replay};
use crate::arch::Architecture;
use crate::ids::Cycle;
use crate::isa::Program;
use crate::launch::Launch;
use crate::sim::machine::{LaunchError, Machine};
use crate::sim::{MachineOptions, Outcome};

/// Cycles between two looks at the memory budget.
const LOOK_CYCLES: u64 = 1024;

/// How much a trace may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TraceOptions {
    /// Bytes of the columns; a run that needs more ends with `Outcome::MemoryBudget`.
    pub column_bytes: usize,
    /// Bytes of the checkpoints; with less, going to a cycle takes longer.
    pub checkpoint_bytes: usize,
}

impl Default for TraceOptions {
    fn default() -> Self {
        Self {
            column_bytes: 110 << 20,
            checkpoint_bytes: 40 << 20,
        }
    }
}

/// How far a run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Cycles simulated so far.
    pub cycles: u64,
    /// Instructions issued so far, for whole warps.
    pub issues: u64,
    /// Whether it is at its end.
    pub finished: bool,
}

/// A run under way.
#[derive(Debug)]
pub struct Simulation {
    arch: &'static Architecture,
    program: Arc<Program>,
    launch: Launch,
    options: MachineOptions,
    limits: TraceOptions,
    machine: Machine,
    recorder: Recorder,
    checkpoints: Checkpoints,
    out_of_memory: bool,
}

impl Simulation {
    /// Loads the program into a machine.
    ///
    /// # Errors
    ///
    /// When the architecture refuses the launch.
    pub fn new(
        arch: &'static Architecture,
        program: Arc<Program>,
        launch: &Launch,
        options: MachineOptions,
        limits: TraceOptions,
    ) -> Result<Self, LaunchError> {
        // Cycles are kept in 32 bits.
        let options = MachineOptions {
            max_cycles: options.max_cycles.min(u64::from(u32::MAX) - 1),
            ..options
        };
        let machine = Machine::new(arch, &program, launch, options)?;
        let num_slots = machine.num_slots();
        Ok(Self {
            recorder: Recorder::new(num_slots, program.code.len()),
            checkpoints: Checkpoints::new(&machine, limits.checkpoint_bytes),
            arch,
            program,
            launch: launch.clone(),
            options,
            limits,
            machine,
            out_of_memory: false,
        })
    }

    /// Simulates `max_cycles` more cycles, or up to the end.
    pub fn advance(&mut self, max_cycles: u64) -> Progress {
        let target = Cycle(self.machine.cycle().0.saturating_add(max_cycles));
        while self.machine.cycle() < target && !self.is_finished() {
            let (start, issues) = (self.machine.cycle(), self.recorder.num_issues());
            let stop = Cycle((start.0 + LOOK_CYCLES).min(target.0));
            self.machine.run_until(stop, &mut self.recorder);
            let cost = self.machine.cycle().0 - start.0 + self.recorder.num_issues() - issues;
            self.out_of_memory = self.recorder.num_bytes() > self.limits.column_bytes;
            if !self.is_finished() {
                self.checkpoints.offer(cost, &self.machine);
            }
        }
        self.progress()
    }

    /// How far it is.
    pub fn progress(&self) -> Progress {
        Progress {
            cycles: self.machine.cycle().0,
            issues: self.recorder.num_issues(),
            finished: self.is_finished(),
        }
    }

    fn is_finished(&self) -> bool {
        self.machine.outcome().is_some() || self.out_of_memory
    }

    /// The machine as it is.
    pub const fn machine(&self) -> &Machine {
        &self.machine
    }

    /// Ends the recording where the run is.
    pub fn finish(self) -> Trace {
        let outcome = match self.machine.outcome() {
            Some(outcome) => outcome.clone(),
            None if self.out_of_memory => Outcome::MemoryBudget,
            None => Outcome::CycleBudget,
        };
        let issue = &self.arch.issue;
        Trace {
            record: Record::new(
                self.recorder,
                self.machine.cycle(),
                usize::from(issue.schedulers.value),
                u64::from(issue.issue_interval_cycles.value),
            ),
            arch: self.arch,
            program: self.program,
            launch: self.launch,
            options: self.options,
            outcome,
            occupancy: *self.machine.occupancy(),
            outputs: self.machine.outputs(),
            replay: Replay::new(self.checkpoints),
        }
    }
}

/// Runs a program to its end and records it.
///
/// # Errors
///
/// When the architecture refuses the launch.
pub fn simulate(
    arch: &'static Architecture,
    program: Arc<Program>,
    launch: &Launch,
    options: MachineOptions,
) -> Result<Trace, LaunchError> {
    let mut simulation = Simulation::new(arch, program, launch, options, TraceOptions::default())?;
    simulation.advance(u64::MAX);
    Ok(simulation.finish())
}
