//! Runs a machine and records it, all at once or in slices. The record is passed on in segments, to the same
//! thread or to another one.

use std::sync::Arc;

use super::Trace;
use super::checkpoints::CheckpointMaker;
use super::recorder::{ObservedRecorder, Recorder};
use super::wire::{Parts, Segment};
use crate::arch::Architecture;
use crate::ids::Cycle;
use crate::isa::Program;
use crate::launch::Launch;
use crate::sim::machine::{LaunchError, Machine};
use crate::sim::observer::Observer;
use crate::sim::{MachineOptions, Outcome};

/// Cycles between two checks of the memory budget; they do not depend on the slices.
const CHECK_CYCLES: u64 = 1024;

/// The limits of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TraceOptions {
    /// The limit of the columns in bytes; a run that exceeds it ends with `Outcome::MemoryBudget`.
    pub column_bytes: usize,
    /// The limit of the checkpoints in bytes; a lower limit makes seeks slower.
    pub checkpoint_bytes: usize,
    /// The initial cost (cycles, issues, and transactions) between two checkpoints, which is the maximum that
    /// a seek replays. It doubles whenever the checkpoints exceed their limit.
    pub checkpoint_cost: u64,
}

impl Default for TraceOptions {
    fn default() -> Self {
        Self {
            column_bytes: 110 << 20,
            checkpoint_bytes: 40 << 20,
            // A browser replays half as fast, with the same time per frame.
            checkpoint_cost: if cfg!(target_arch = "wasm32") {
                1 << 16
            } else {
                1 << 18
            },
        }
    }
}

/// The progress of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Cycles simulated so far.
    pub cycles: u64,
    /// Instructions issued so far, for whole warps.
    pub issues: u64,
    /// Whether the run has ended.
    pub finished: bool,
}

/// A run in progress.
#[derive(Debug)]
pub struct Simulation {
    arch: &'static Architecture,
    program: Arc<Program>,
    launch: Launch,
    options: MachineOptions,
    limits: TraceOptions,
    machine: Machine,
    recorder: Recorder,
    checkpoints: CheckpointMaker,
    /// Cycles and work up to the last check.
    checked_cost: u64,
    out_of_memory: bool,
    stopped: bool,
    segments: u32,
}

impl Simulation {
    /// Loads the program into a machine.
    ///
    /// # Errors
    ///
    /// Returns an error if the architecture rejects the launch.
    pub fn new(
        arch: &'static Architecture,
        program: Arc<Program>,
        launch: &Launch,
        options: MachineOptions,
        limits: TraceOptions,
    ) -> Result<Self, LaunchError> {
        let options = within_reach(options);
        let machine = Machine::new(arch, &program, launch, options)?;
        let num_slots = machine.num_slots();
        Ok(Self {
            recorder: Recorder::new(num_slots, program.code.len()),
            checkpoints: CheckpointMaker::new(&machine.alone(), &limits),
            arch,
            program,
            launch: launch.clone(),
            options,
            limits,
            machine,
            checked_cost: 0,
            out_of_memory: false,
            stopped: false,
            segments: 0,
        })
    }

    /// Simulates at most `max_cycles` more cycles.
    pub fn advance(&mut self, max_cycles: u64) -> Progress {
        self.advance_observed(max_cycles, None)
    }

    /// Simulates at most `max_cycles` more cycles, reported to an observer.
    pub fn advance_observed(&mut self, max_cycles: u64, mut observer: Option<&mut dyn Observer>) -> Progress {
        let target = Cycle(self.machine.cycle().0.saturating_add(max_cycles));
        while self.machine.cycle() < target && !self.is_finished() {
            let next_check = (self.machine.cycle().0 / CHECK_CYCLES + 1) * CHECK_CYCLES;
            let mut sink = ObservedRecorder {
                recorder: &mut self.recorder,
                observer: match &mut observer {
                    Some(observer) => Some(&mut **observer),
                    None => None,
                },
            };
            self.machine.run_until(Cycle(next_check.min(target.0)), &mut sink);
            if self.machine.cycle().0 == next_check {
                self.check_limits();
            }
        }
        self.progress()
    }

    /// Checks the memory budget, and takes a checkpoint if one is due.
    fn check_limits(&mut self) {
        let cycle = self.machine.cycle();
        self.recorder.count(cycle);
        self.out_of_memory = self.recorder.num_bytes() > self.limits.column_bytes;
        let before = std::mem::replace(&mut self.checked_cost, self.recorder.work() + cycle.0);
        if !self.is_finished() {
            self.checkpoints.offer(self.checked_cost - before, &self.machine);
        }
    }

    /// The progress of the run.
    pub fn progress(&self) -> Progress {
        Progress {
            cycles: self.machine.cycle().0,
            issues: self.recorder.num_issues(),
            finished: self.is_finished(),
        }
    }

    fn is_finished(&self) -> bool {
        self.stopped || self.machine.outcome().is_some() || self.out_of_memory
    }

    /// The current machine.
    pub const fn machine(&self) -> &Machine {
        &self.machine
    }

    /// The record since the previous segment. Append the segments, one after the other, to a trace that was opened with
    /// the same program, launch, and options. The first segment after the end of the run contains the
    /// outcome; later segments are empty.
    pub fn segment(&mut self) -> Segment {
        let mut parts = Parts::new();
        let end = self.machine.cycle();
        parts.head.put(&self.segments);
        parts.head.put(&end);
        self.segments += 1;
        self.machine.report_served(&mut self.recorder);
        self.recorder.flush(end, &mut parts);
        self.checkpoints.flush(&mut parts);
        self.machine.take_received().write(&mut parts.machines);
        let outcome = self.is_finished().then(|| match self.machine.outcome() {
            Some(outcome) => outcome.clone(),
            None if self.out_of_memory => Outcome::MemoryBudget,
            None => Outcome::CycleBudget,
        });
        parts.head.put(&outcome.is_some());
        if let Some(outcome) = &outcome {
            // The outcome is written once per run, so its size does not matter.
            parts.head.put(&serde_json::to_vec(outcome).unwrap_or_default());
            let pages: Vec<_> = self
                .machine
                .memory()
                .pages_since(self.checkpoints.start().memory())
                .collect();
            parts.head.put(&(pages.len() as u32));
            for (allocation, page, bytes) in pages {
                parts.head.put(&allocation);
                parts.head.put(&page);
                parts.head.raw(bytes);
            }
        }
        parts.seal()
    }

    /// Stops the run at the current cycle: the next segment is the last one.
    pub const fn stop(&mut self) {
        self.stopped = true;
    }

    /// Stops the run at the current cycle and returns its trace. Only for runs without an earlier segment,
    /// which the trace would lack.
    pub fn finish(mut self) -> Trace {
        debug_assert_eq!(self.segments, 0, "earlier segments would be missing");
        self.stop();
        let segment = self.segment();
        let mut trace = Trace::of(
            self.arch,
            self.program,
            self.launch,
            self.options,
            self.checkpoints.start(),
        );
        let appended = trace.append(segment);
        debug_assert_eq!(appended, Ok(()), "a segment is readable as written");
        trace
    }
}

/// The options with a cycle limit that fits 32 bits.
pub(super) fn within_reach(options: MachineOptions) -> MachineOptions {
    MachineOptions {
        max_cycles: options.max_cycles.min(u64::from(u32::MAX) - 1),
        ..options
    }
}

/// Runs a program to its end and records it.
///
/// # Errors
///
/// Returns an error if the architecture rejects the launch.
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
