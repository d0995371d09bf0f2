//! Runs a machine and records it, all at once or in slices. What was recorded is handed on in
//! segments, wherever it is looked at: in this thread or in another.

use std::sync::Arc;

use super::Trace;
use super::checkpoints::CheckpointMaker;
use super::recorder::{Recorder, Watched};
use super::wire::{Parts, Segment};
use crate::arch::Architecture;
use crate::ids::Cycle;
use crate::isa::Program;
use crate::launch::Launch;
use crate::sim::machine::{LaunchError, Machine};
use crate::sim::observer::Observer;
use crate::sim::{MachineOptions, Outcome};

/// Cycles between two looks at the memory budget; these cycles do not depend on the slices.
const LOOK_CYCLES: u64 = 1024;

/// How much a trace may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TraceOptions {
    /// Bytes of the columns; a run that needs more ends with `Outcome::MemoryBudget`.
    pub column_bytes: usize,
    /// Bytes of the checkpoints; with less, going to a cycle takes longer.
    pub checkpoint_bytes: usize,
    /// Cycles, issues and transactions between two checkpoints at first: what going to a cycle replays at
    /// most. It doubles whenever the checkpoints take too much.
    pub checkpoint_cost: u64,
}

impl Default for TraceOptions {
    fn default() -> Self {
        Self {
            column_bytes: 110 << 20,
            checkpoint_bytes: 40 << 20,
            // A browser replays half as fast, and draws in the same time.
            checkpoint_cost: if cfg!(target_arch = "wasm32") {
                1 << 16
            } else {
                1 << 18
            },
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
    checkpoints: CheckpointMaker,
    /// Cycles and work up to the last look.
    looked: u64,
    out_of_memory: bool,
    stopped: bool,
    segments: u32,
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
        let options = within_reach(options);
        let machine = Machine::new(arch, &program, launch, options)?;
        let num_slots = machine.num_slots();
        Ok(Self {
            recorder: Recorder::new(num_slots, program.code.len()),
            checkpoints: CheckpointMaker::new(&machine, &limits),
            arch,
            program,
            launch: launch.clone(),
            options,
            limits,
            machine,
            looked: 0,
            out_of_memory: false,
            stopped: false,
            segments: 0,
        })
    }

    /// Simulates `max_cycles` more cycles, or up to the end.
    pub fn advance(&mut self, max_cycles: u64) -> Progress {
        self.advance_observed(max_cycles, None)
    }

    /// Simulates `max_cycles` more cycles, or up to the end, and shows them to a check.
    pub fn advance_observed(&mut self, max_cycles: u64, mut observer: Option<&mut dyn Observer>) -> Progress {
        let target = Cycle(self.machine.cycle().0.saturating_add(max_cycles));
        while self.machine.cycle() < target && !self.is_finished() {
            let next_look = (self.machine.cycle().0 / LOOK_CYCLES + 1) * LOOK_CYCLES;
            let mut sink = Watched {
                recorder: &mut self.recorder,
                observer: match &mut observer {
                    Some(observer) => Some(&mut **observer),
                    None => None,
                },
            };
            self.machine.run_until(Cycle(next_look.min(target.0)), &mut sink);
            if self.machine.cycle().0 == next_look {
                self.look();
            }
        }
        self.progress()
    }

    /// Looks at the memory budget, and keeps a checkpoint if it is time.
    fn look(&mut self) {
        let cycle = self.machine.cycle();
        self.recorder.count(cycle);
        self.out_of_memory = self.recorder.num_bytes() > self.limits.column_bytes;
        let before = std::mem::replace(&mut self.looked, self.recorder.work() + cycle.0);
        if !self.is_finished() {
            self.checkpoints.offer(self.looked - before, &self.machine);
        }
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
        self.stopped || self.machine.outcome().is_some() || self.out_of_memory
    }

    /// The machine as it is.
    pub const fn machine(&self) -> &Machine {
        &self.machine
    }

    /// What was recorded since the segment before: to be appended to a trace that was opened with the
    /// same program, launch and options, in this order. The first one after the end of the run says
    /// how it ended; after that there is nothing more.
    pub fn segment(&mut self) -> Segment {
        let mut parts = Parts::new();
        let end = self.machine.cycle();
        parts.head.put(&self.segments);
        parts.head.put(&end);
        self.segments += 1;
        self.machine.tell_served(&mut self.recorder);
        self.recorder.hand_on(end, &mut parts);
        self.checkpoints.hand_on(&mut parts);
        let outcome = self.is_finished().then(|| match self.machine.outcome() {
            Some(outcome) => outcome.clone(),
            None if self.out_of_memory => Outcome::MemoryBudget,
            None => Outcome::CycleBudget,
        });
        parts.head.put(&outcome.is_some());
        if let Some(outcome) = &outcome {
            // A run has one, so its form need not be compact.
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

    /// Ends the run where it is: the next segment is the last one.
    pub const fn stop(&mut self) {
        self.stopped = true;
    }

    /// Ends the run where it is. For runs of which no segment was taken: the trace would lack it.
    pub fn finish(mut self) -> Trace {
        debug_assert_eq!(self.segments, 0, "its segments are elsewhere");
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
        debug_assert_eq!(appended, Ok(()), "segments are read as they are written");
        trace
    }
}

/// Options with a limit that fits: cycles are kept in 32 bits.
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
