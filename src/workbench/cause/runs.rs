//! The runs that measure a cause, on any thread, in slices of time.

use std::sync::Arc;

use engine::arch::{ArchId, Architecture, Exchange, OpClass, architecture, exchanged};
use engine::ids::Cycle;
use engine::isa::Program;
use engine::launch::Launch;
use engine::sim::{Issue, Machine, MachineOptions, Outcome, Sink};

use super::{Record, Single};

/// Numbers are taken one after the other until they explain this share of what all numbers explain, in percent.
const ENOUGH: u64 = 80;
/// The most numbers that are taken one after the other.
const MAX_STEPS: usize = 5;
/// A further number must explain this share of the difference, in percent.
const MIN_STEP: u64 = 2;
/// A run with other numbers ends after this many times the cycles of the slow run: it explains nothing.
const MAX_TIMES: u64 = 8;
/// Cycles of the simulator between two reads of the clock.
const STRIDE: u64 = 512;

/// A compiled kernel with its launch.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The chip.
    pub arch: ArchId,
    /// The kernel.
    pub program: Arc<Program>,
    /// The launch.
    pub launch: Launch,
    /// The options of the machine.
    pub options: MachineOptions,
}

/// Counts issued instructions by class.
#[derive(Debug, Default)]
struct Counts {
    class_of_pc: Vec<OpClass>,
    classes: Vec<u64>,
    issues: u64,
}

impl Counts {
    fn of(program: &Program) -> Self {
        Self {
            class_of_pc: program.code.iter().map(engine::isa::Instruction::class).collect(),
            classes: vec![0; OpClass::COUNT],
            issues: 0,
        }
    }
}

impl Sink for Counts {
    fn issue(&mut self, _: Cycle, issue: &Issue) {
        self.issues += 1;
        if let Some(class) = self.class_of_pc.get(issue.pc.0 as usize) {
            self.classes[*class as usize] += 1;
        }
    }
}

/// The run in progress.
#[derive(Debug)]
struct Run {
    machine: Machine,
    counts: Counts,
}

/// The next run.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Stage {
    Slow,
    Fast,
    All,
    /// A number alone, by its index among the candidates.
    Single(usize),
    /// A further number on top of the steps.
    Step(usize),
    Done,
}

/// The measurement of a cause.
#[derive(Debug)]
pub struct CauseRuns {
    slow: Loaded,
    fast: Loaded,
    candidates: Vec<Exchange>,
    stage: Stage,
    run: Option<Run>,
    record: Record,
    /// The best number of the current step.
    best: Option<(Exchange, u64)>,
}

impl CauseRuns {
    /// Prepares the runs of two sides. Which of them is slow follows from their runs.
    pub fn new(one: Loaded, other: Loaded) -> Self {
        Self {
            record: Record {
                slow: one.arch,
                fast: other.arch,
                cycles: (0, 0),
                issues: (0, 0),
                singles: Vec::new(),
                all: None,
                steps: Vec::new(),
                classes: Vec::new(),
                num_runs: 0,
            },
            slow: one,
            fast: other,
            candidates: Vec::new(),
            stage: Stage::Slow,
            run: None,
            best: None,
        }
    }

    /// The number of runs that have ended.
    pub const fn num_runs(&self) -> u32 {
        self.record.num_runs
    }

    /// Simulates until `goes_on` returns false. Returns the record at the end.
    ///
    /// # Errors
    /// A sentence, if one of the two sides does not run to its end.
    pub fn work(&mut self, mut goes_on: impl FnMut() -> bool) -> Result<Option<Record>, String> {
        loop {
            if self.stage == Stage::Done {
                return Ok(Some(self.record.clone()));
            }
            if self.run.is_none() {
                self.run = self.start();
            }
            let Some(Run { machine, counts }) = &mut self.run else {
                self.end(None)?;
                continue;
            };
            let end = Cycle(machine.cycle().0 + STRIDE);
            if machine.run_until(end, counts) && machine.outcome().is_none() {
                if !goes_on() {
                    return Ok(None);
                }
                continue;
            }
            let finished = machine.outcome() == Some(&Outcome::Finished);
            let cycles = finished.then(|| machine.cycle().0);
            self.end(cycles)?;
            self.run = None;
            if !goes_on() {
                return Ok(None);
            }
        }
    }

    /// The machine of the next run; `None` if the chip refuses it.
    fn start(&self) -> Option<Run> {
        let (slow, fast) = (self.slow.arch, self.fast.arch);
        let steps = || self.record.steps.iter().map(|(exchange, _)| *exchange);
        let (loaded, arch): (&Loaded, &'static Architecture) = match self.stage {
            Stage::Slow => (&self.slow, architecture(slow)),
            Stage::Fast => (&self.fast, architecture(fast)),
            Stage::All => (&self.slow, exchanged(slow, fast, &Exchange::ALL)),
            Stage::Single(idx) => (&self.slow, exchanged(slow, fast, &[*self.candidates.get(idx)?])),
            Stage::Step(idx) => {
                let taken: Vec<Exchange> = steps().chain([*self.candidates.get(idx)?]).collect();
                (&self.slow, exchanged(slow, fast, &taken))
            }
            Stage::Done => return None,
        };
        let mut options = loaded.options;
        if !matches!(self.stage, Stage::Slow | Stage::Fast) {
            options.max_cycles = options.max_cycles.min(MAX_TIMES * self.record.cycles.0);
        }
        let machine = Machine::new(arch, &loaded.program, &loaded.launch, options).ok()?;
        Some(Run {
            machine,
            counts: Counts::of(&loaded.program),
        })
    }

    /// Takes the result of the run in progress, and chooses the next one.
    fn end(&mut self, cycles: Option<u64>) -> Result<(), String> {
        self.record.num_runs += 1;
        let unfinished = |arch: ArchId| format!("The run on {} did not finish.", architecture(arch).name);
        match self.stage {
            Stage::Slow => {
                self.record.cycles.0 = cycles.ok_or_else(|| unfinished(self.slow.arch))?;
                self.keep_counts();
                self.stage = Stage::Fast;
            }
            Stage::Fast => {
                self.record.cycles.1 = cycles.ok_or_else(|| unfinished(self.fast.arch))?;
                self.record.issues.1 = self.run.as_ref().map_or(0, |run| run.counts.issues);
                if self.record.cycles.0 < self.record.cycles.1 {
                    self.turn_around();
                }
                self.choose_candidates();
                self.stage = if self.record.is_equal() {
                    Stage::Done
                } else {
                    Stage::All
                };
            }
            Stage::All => {
                self.record.all = cycles;
                self.stage = Stage::Single(0);
            }
            Stage::Single(idx) => {
                self.record.singles.push(Single {
                    exchange: self.candidates[idx],
                    cycles,
                });
                self.stage = Stage::Single(idx + 1);
            }
            Stage::Step(idx) => {
                if let Some(cycles) = cycles
                    && self.best.is_none_or(|(_, best)| cycles < best)
                {
                    self.best = Some((self.candidates[idx], cycles));
                }
                self.stage = Stage::Step(idx + 1);
            }
            Stage::Done => {}
        }
        self.skip();
        Ok(())
    }

    fn keep_counts(&mut self) {
        if let Some(Run { counts, .. }) = &self.run {
            self.record.issues.0 = counts.issues;
            self.record.classes.clone_from(&counts.classes);
        }
    }

    /// The second side is the slow one.
    fn turn_around(&mut self) {
        std::mem::swap(&mut self.slow, &mut self.fast);
        let record = &mut self.record;
        (record.slow, record.fast) = (record.fast, record.slow);
        record.cycles = (record.cycles.1, record.cycles.0);
        record.issues = (record.issues.1, record.issues.0);
        if let Some(Run { counts, .. }) = &self.run {
            record.classes.clone_from(&counts.classes);
        }
    }

    /// The numbers that differ, without those of units that the kernel does not use.
    fn choose_candidates(&mut self) {
        let (own, other) = (architecture(self.slow.arch), architecture(self.fast.arch));
        let record = &self.record;
        let uses = |classes: &[OpClass]| classes.iter().any(|class| record.count(*class) > 0);
        let is_used = |exchange: Exchange| {
            use OpClass as C;
            match exchange {
                Exchange::SpecialUnits | Exchange::SpecialLatency => {
                    uses(&[C::Mufu, C::Convert, C::ConvertNarrow, C::Popc, C::BitReverse])
                }
                Exchange::SpecialRegisters => uses(&[C::SpecialRegister]),
                Exchange::DoubleUnits | Exchange::DoubleLatency => uses(&[C::Fp64, C::Convert64]),
                Exchange::TensorUnits | Exchange::TensorLatency => uses(&[
                    C::Tensor,
                    C::TensorTf32,
                    C::TensorFp64,
                    C::TensorInt,
                    C::TensorStep,
                    C::TensorStepHalf,
                ]),
                Exchange::ShuffleLatency => uses(&[C::Shuffle, C::WarpReduce]),
                Exchange::Barriers => uses(&[C::Barrier, C::Membar]),
                Exchange::SharedLatency | Exchange::ConflictLatency => uses(&[C::Shared, C::SharedAtomic]),
                Exchange::Atomics => uses(&[C::SharedAtomic, C::GlobalAtomic]),
                _ => true,
            }
        };
        self.candidates = Exchange::ALL
            .into_iter()
            .filter(|exchange| is_used(*exchange) && exchange.differs(own, other))
            .collect();
    }

    /// Goes to the next stage at the end of a row of runs, and skips numbers that are taken or refused.
    fn skip(&mut self) {
        match self.stage {
            Stage::Single(idx) if idx >= self.candidates.len() => {
                // A stable sort: of equal gains, the first in the list is first.
                self.record
                    .singles
                    .sort_by_key(|single| single.cycles.unwrap_or(u64::MAX));
                let record = &self.record;
                let numbers_do = record
                    .share_of_instructions()
                    .is_none_or(|share| share < super::MIN_SHARE);
                self.stage = if record.largest().is_none() && numbers_do {
                    self.take_step(
                        self.record
                            .singles
                            .first()
                            .and_then(|single| Some((single.exchange, single.cycles?))),
                    )
                } else {
                    Stage::Done
                };
                self.skip();
            }
            Stage::Step(idx) if idx >= self.candidates.len() => {
                let best = self.best.take();
                self.stage = self.take_step(best);
                self.skip();
            }
            Stage::Step(idx) => {
                let exchange = self.candidates[idx];
                let taken = self.record.steps.iter().any(|(other, _)| *other == exchange);
                let refused = self
                    .record
                    .singles
                    .iter()
                    .any(|single| single.exchange == exchange && single.cycles.is_none());
                if taken || refused {
                    self.stage = Stage::Step(idx + 1);
                    self.skip();
                }
            }
            _ => {}
        }
    }

    /// Takes the best number of a step if it gains enough. Returns the next stage.
    fn take_step(&mut self, best: Option<(Exchange, u64)>) -> Stage {
        let record = &mut self.record;
        let (slow, fast) = record.cycles;
        let now = record.steps.last().map_or(slow, |(_, cycles)| *cycles);
        let Some((exchange, cycles)) = best.filter(|(_, cycles)| *cycles < now) else {
            return Stage::Done;
        };
        if (now - cycles) * 100 < MIN_STEP * (slow - fast) {
            return Stage::Done;
        }
        record.steps.push((exchange, cycles));
        let goal = slow.saturating_sub(record.all.unwrap_or(fast));
        if (slow.saturating_sub(cycles)) * 100 >= ENOUGH * goal || record.steps.len() >= MAX_STEPS {
            return Stage::Done;
        }
        Stage::Step(0)
    }
}
