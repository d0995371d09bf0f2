//! Checks of a run, modeled on compute-sanitizer: which accesses of a kernel are wrong.
//!
//! A [`Checker`] observes a run of the machine. Whether it reports an access depends on what orders the
//! accesses, not on their timing in this run. It has no dependency on drawing.

mod copies;
mod estimate;
mod finding;
mod initcheck;
mod language;
mod memcheck;
mod names;
mod order;
mod racecheck;
mod refusal;
mod synccheck;
mod updates;

pub use estimate::Unknown;
pub use finding::{Finding, FindingKind, Memory, Place, Role, Severity, Site, Tool};
pub use refusal::{refusal, refusal_sentences};

use std::collections::BTreeMap;

use initcheck::Initcheck;
use language::Language;
use memcheck::Memcheck;
use names::Names;
use racecheck::Racecheck;
use synccheck::Synccheck;

use serde::{Deserialize, Serialize};

use engine::arch::Architecture;
use engine::ids::{BlockId, Cycle, SlotIdx, WarpId};
use engine::isa::{Op, Program};
use engine::launch::Launch;
use engine::sim::machine::LaunchError;
use engine::sim::memory::BadAccess;
use engine::sim::observer::{Executor, Observed, ObservedAccess, Observer};
use engine::sim::{Issue, Machine, MachineOptions, Outcome};

/// Result of the checks of one run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// The findings, sorted by source position.
    pub findings: Vec<Finding>,
    /// How much was checked.
    pub coverage: Coverage,
    /// How the run ended.
    pub outcome: Outcome,
    /// Cycles of the run.
    pub num_cycles: u64,
}

/// How much of a run was checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Coverage {
    /// Accesses of single threads to global, shared, and local memory.
    pub num_accesses: u64,
    /// Whether every statement was checked for undefined behavior of the language. For a long run, only a
    /// limited number of statements is checked.
    pub is_whole: bool,
    /// Whether only the blocks of one SM were checked, because the blocks of the grid wait for each other and one SM alone
    /// does not hold them.
    #[serde(default)]
    pub is_of_one_sm: bool,
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
    let mut run = Run::new(arch, program, launch, options)?;
    run.advance(u64::MAX);
    Ok(run.finish())
}

/// A run in progress, with all checks.
#[derive(Debug)]
pub struct Run {
    machine: Machine,
    checker: Checker,
    start: Start,
}

/// What a run starts with.
#[derive(Debug)]
struct Start {
    arch: &'static Architecture,
    program: Program,
    launch: Launch,
    options: MachineOptions,
}

impl Start {
    fn machine_and_checker(&self) -> Result<(Machine, Checker), LaunchError> {
        let Self {
            arch,
            program,
            launch,
            options,
        } = self;
        let machine = Machine::new(arch, program, launch, *options)?;
        let checker = Checker::new(program, launch, &machine);
        Ok((machine, checker))
    }
}

impl Run {
    /// Creates a run before its first cycle. Statements are checked here, which takes one or two seconds for
    /// long runs.
    ///
    /// # Errors
    /// When the architecture refuses the launch, or the arguments do not fit the kernel.
    pub fn new(
        arch: &'static Architecture,
        program: &Program,
        launch: &Launch,
        options: MachineOptions,
    ) -> Result<Self, LaunchError> {
        // The checks see all blocks of the grid, which run on one SM.
        let start = Start {
            arch,
            program: program.clone(),
            launch: launch.clone(),
            options: MachineOptions { sm: None, ..options },
        };
        let (machine, checker) = start.machine_and_checker()?;
        Ok(Self {
            machine,
            checker,
            start,
        })
    }

    /// Simulates up to `cycles` more cycles. Returns whether the run has ended. A run whose blocks wait for blocks that one
    /// SM does not hold starts again, as SM 0 of the device.
    pub fn advance(&mut self, cycles: u64) -> bool {
        let mut cycles = cycles;
        loop {
            let until = Cycle(self.machine.cycle().0.saturating_add(cycles));
            let goes_on = self.machine.run_until(until, &mut Observed(&mut self.checker));
            if goes_on || !self.machine.outcome().is_some_and(Outcome::needs_device) {
                return !goes_on;
            }
            self.start.options.sm = Some(0);
            // A launch that was accepted once is accepted again.
            let Ok((machine, checker)) = self.start.machine_and_checker() else {
                return true;
            };
            cycles = cycles.saturating_sub(self.machine.cycle().0);
            (self.machine, self.checker) = (machine, checker);
        }
    }

    /// Cycles simulated so far.
    pub const fn num_cycles(&self) -> u64 {
        self.machine.cycle().0
    }

    /// Returns the report of the run so far.
    pub fn finish(self) -> Report {
        let outcome = self.machine.outcome().cloned();
        Report {
            coverage: self.checker.coverage(),
            findings: self.checker.findings_of(outcome.as_ref()),
            outcome: outcome.unwrap_or(Outcome::CycleBudget),
            num_cycles: self.machine.cycle().0,
        }
    }
}

/// All checks of one run.
#[derive(Clone, Debug)]
pub struct Checker {
    names: Names,
    memory: Memcheck,
    initialization: Initcheck,
    races: Racecheck,
    barriers: Synccheck,
    language: Language,
    num_accesses: u64,
    is_of_one_sm: bool,
    /// The last instruction that issued.
    last: Option<(Cycle, Issue)>,
    /// Slots of the warps that were resident.
    slots: BTreeMap<WarpId, SlotIdx>,
}

impl Checker {
    /// Creates the checks for a machine before its first cycle.
    pub fn new(program: &Program, launch: &Launch, machine: &Machine) -> Self {
        let names = Names::new(program, launch, machine);
        let is_independent = machine.arch().has_independent_threads();
        let shared_bytes = program.static_shared_bytes + launch.dynamic_shared;
        let is_of_one_sm = machine.is_of_device();
        Self {
            memory: Memcheck::new(program, launch),
            initialization: Initcheck::new(launch, shared_bytes, machine),
            races: Racecheck::new(is_independent, is_of_one_sm, names.warps_per_block, &program.code),
            barriers: Synccheck::new(is_independent),
            language: Language::new(program, launch),
            num_accesses: 0,
            is_of_one_sm,
            last: None,
            names,
            slots: BTreeMap::new(),
        }
    }

    /// Records how the run ended.
    fn end(&mut self, outcome: &Outcome) {
        match outcome {
            Outcome::Fault(fault) => {
                let slot = self.slots.get(&fault.warp).copied().unwrap_or_default();
                self.memory.end(fault, slot, &self.names);
            }
            Outcome::CycleBudget => {
                if let Some((cycle, issue)) = &self.last {
                    self.memory.out_of_cycles(*cycle, issue, &self.names);
                }
            }
            Outcome::Deadlock { waiting, .. } => {
                self.barriers.deadlock(waiting, &self.slots, &self.names);
            }
            _ => {}
        }
    }

    /// Returns the findings of a run with this outcome, sorted by source position.
    pub fn findings_of(mut self, outcome: Option<&Outcome>) -> Vec<Finding> {
        if let Some(outcome) = outcome {
            self.end(outcome);
        }
        self.findings()
    }

    /// Returns how much has been checked.
    pub const fn coverage(&self) -> Coverage {
        Coverage {
            num_accesses: self.num_accesses,
            is_whole: self.language.is_whole(),
            is_of_one_sm: self.is_of_one_sm,
        }
    }

    fn findings(self) -> Vec<Finding> {
        let findings = self.memory.findings().chain(self.initialization.findings());
        let findings = findings.chain(self.races.findings(&self.names));
        let mut findings: Vec<Finding> = findings.chain(self.barriers.findings()).collect();
        self.language.findings(&self.names, &mut findings);
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

    fn issue(&mut self, cycle: Cycle, issue: &Issue) {
        self.language.issue(cycle, issue, self.names.warps_per_block);
        self.last = Some((cycle, *issue));
    }

    fn access(&mut self, access: &ObservedAccess<'_>) {
        self.num_accesses += u64::from(access.by.lanes.count());
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
        // Shuffles, votes, matches, and reductions exchange values, but order no access to memory: the Programming Guide says
        // so, and compute-sanitizer on GH100 warns of accesses that only they separate.
        if self.names.op(by.pc) == Some(Op::Warpsync) {
            self.races.synchronize_lanes(by, members);
        }
    }

    fn copies_committed(&mut self, by: &Executor) {
        self.races.commit_copies(by);
    }

    fn copies_awaited(&mut self, by: &Executor, left: u8) {
        self.races.wait_for_copies(by, left);
    }

    fn fence(&mut self, by: &Executor, _level: u8) {
        self.races.fence(by);
    }
}
