//! What follows from a scenario, kept by its inputs: the program, the run, its trace.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::Session;
use super::code::LineNote;
use super::start::{Started, compile, start};
use crate::arch::Occupancy;
use crate::ids::{Cycle, SlotIdx, Span};
use crate::isa::Program;
use crate::launch::Launch;
use crate::scene::{Mark, TimelineScale};
use crate::share::{self, Scenario, View};
use crate::sim::{MachineOptions, WarpState};
use crate::trace::{Direction, Simulation, Trace};

/// Pixels of the longest line's bar in the editor.
const HEAT_PX: f32 = 34.0;
/// Marks of a line's bar, in order.
const HEAT: [Mark; 9] = [
    Mark::Issue,
    Mark::Long,
    Mark::Short,
    Mark::Barrier,
    Mark::Throttle,
    Mark::Eligible,
    Mark::Branch,
    Mark::Other,
    Mark::Wait,
];

/// The number of the next trace: runs of several sides are told from each other.
static RUNS: AtomicU64 = AtomicU64::new(1);

/// Something the user must mend: a sentence about a place in the source, or about the launch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Where in the source, if it is about the source.
    pub span: Option<Span>,
    /// The sentence.
    pub message: String,
    /// Whether it keeps the kernel from running.
    pub fatal: bool,
    /// What would set it right.
    pub fix: Option<Fix>,
}

/// Text that would set a problem right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What stands there now.
    pub was: String,
    /// What would stand there.
    pub text: String,
}

/// What a program was compiled from.
#[derive(Clone, Debug, PartialEq)]
struct Recipe {
    scenario: Scenario,
}

impl Recipe {
    /// Only what the compiler looks at.
    fn of(scenario: &Scenario) -> Self {
        Self {
            scenario: Scenario {
                source: Some(scenario.source().to_owned()),
                entry: scenario.entry().map(str::to_owned),
                arch: scenario.arch,
                compile: scenario.compile,
                ..Scenario::default()
            },
        }
    }
}

/// What a run was started with, beside the program.
#[derive(Clone, Debug, PartialEq)]
struct Setting {
    launch: Launch,
    machine: MachineOptions,
}

/// The program and the run of the scenario that was last followed.
#[derive(Debug, Default)]
pub struct Derived {
    recipe: Option<Recipe>,
    setting: Option<Setting>,
    program: Option<Arc<Program>>,
    compile_problems: Vec<Problem>,
    /// Names of the kernels, where the text has more than one.
    entries: Vec<String>,
    /// What is wrong with the source or the launch.
    pub problems: Vec<Problem>,
    occupancy: Option<Occupancy>,
    simulation: Option<Box<Simulation>>,
    trace: Option<Arc<Trace>>,
    heat: Vec<Vec<(Mark, f32)>>,
    /// The number of the trace.
    run: u64,
}

/// Reads a link: a scenario, and sentences about what of it could not be taken.
pub(super) fn read_link(link: &str) -> (Scenario, Vec<String>) {
    let decoded = share::decode(link);
    let warnings = decoded.warnings.iter().map(ToString::to_string).collect();
    (decoded.scenario, warnings)
}

impl Derived {
    /// Compiles and starts the run again, as far as the scenario asks for it. While the source has
    /// an error, the last run stays.
    pub fn follow(&mut self, scenario: &Scenario) {
        let recipe = Recipe::of(scenario);
        let setting = Setting {
            launch: scenario.launch(),
            machine: scenario.machine,
        };
        let compiles = self.recipe.as_ref() != Some(&recipe);
        if compiles {
            let compiled = compile(scenario);
            self.compile_problems = compiled.problems;
            self.entries = compiled.entries;
            self.recipe = Some(recipe);
            if compiled.program.is_some() {
                self.program = compiled.program;
            } else {
                self.problems.clone_from(&self.compile_problems);
                return;
            }
        }
        if !compiles && self.setting.as_ref() == Some(&setting) {
            return;
        }
        self.setting = Some(setting);
        self.problems.clone_from(&self.compile_problems);
        if self.problems.iter().any(|problem| problem.fatal) {
            return;
        }
        let Some(program) = &self.program else { return };
        let Started {
            simulation,
            occupancy,
            refusal,
            note,
        } = start(scenario, program);
        self.occupancy = occupancy;
        if let Some(message) = refusal {
            self.problems.push(Problem {
                span: None,
                message,
                fatal: true,
                fix: None,
            });
        }
        if let Some(message) = note {
            self.problems.push(Problem {
                span: None,
                message,
                fatal: false,
                fix: None,
            });
        }
        self.simulation = simulation.map(Box::new);
    }

    /// Simulates up to `cycles` more cycles. Returns whether there is more to do.
    pub fn advance(&mut self, cycles: u64) -> bool {
        let Some(simulation) = &mut self.simulation else {
            return false;
        };
        if !simulation.advance(cycles).finished {
            return true;
        }
        if let Some(simulation) = self.simulation.take() {
            self.take(Arc::new(simulation.finish()));
        }
        false
    }

    fn take(&mut self, trace: Arc<Trace>) {
        self.heat = heat(&trace);
        self.trace = Some(trace);
        self.run = RUNS.fetch_add(1, Ordering::Relaxed);
    }

    /// The trace of the last finished run.
    pub fn trace(&self) -> Option<&Arc<Trace>> {
        self.trace.as_ref()
    }

    /// The number of the trace, to tell one from another.
    pub fn run_number(&self) -> u64 {
        self.run
    }

    /// Names of the kernels, where the text has more than one.
    pub fn entries(&self) -> &[String] {
        &self.entries
    }

    /// Whether a run is under way.
    pub fn is_running(&self) -> bool {
        self.simulation.is_some()
    }

    /// Cycles of the run that is shown.
    pub fn num_cycles(&self) -> u64 {
        self.trace.as_ref().map_or(0, |trace| trace.num_cycles())
    }

    /// Cycles that the run under way has come to.
    pub fn simulated_cycles(&self) -> u64 {
        self.simulation
            .as_ref()
            .map_or_else(|| self.num_cycles(), |simulation| simulation.progress().cycles)
    }

    /// How the launch fills an SM.
    pub fn occupancy(&self) -> Option<Occupancy> {
        self.occupancy
    }

    /// Registers and shared memory of the program, in words.
    pub fn program(&self) -> Option<&Arc<Program>> {
        self.program.as_ref()
    }

    /// `W07`: the warp in a slot.
    pub fn warp_name(&self, slot: u16, cycle: u64) -> Option<String> {
        let trace = self.trace.as_ref()?;
        trace.tenancy(SlotIdx(slot), Cycle(cycle))?;
        Some(trace.frame(Cycle(cycle)).warp_name(SlotIdx(slot)))
    }

    /// Whether the kernel has an `extern __shared__` array.
    pub fn uses_dynamic_shared(&self) -> bool {
        self.program
            .as_ref()
            .is_some_and(|program| program.uses_dynamic_shared)
    }

    /// The slot `step` places after `slot`, in the order in which the views list them: scheduler by
    /// scheduler, those that ever hold a warp.
    pub fn slot_beside(&self, slot: u16, step: i32) -> u16 {
        let Some(trace) = &self.trace else { return slot };
        let schedulers = trace.num_schedulers().max(1);
        let mut slots: Vec<u16> = (0..trace.num_slots() as u16)
            .filter(|slot| trace.tenancy(SlotIdx(*slot), trace.last_cycle()).is_some())
            .collect();
        slots.sort_by_key(|slot| (usize::from(*slot) % schedulers, *slot));
        let Some(last) = slots.len().checked_sub(1) else {
            return slot;
        };
        let at = slots.iter().position(|other| *other == slot).unwrap_or(0) as i32;
        slots[(at + step).clamp(0, last as i32) as usize]
    }

    /// Source line of an instruction.
    pub fn line_of(&self, pc: u32) -> Option<u32> {
        let line = self.trace.as_ref()?.program().code.get(pc as usize)?.span.line;
        (line > 0).then_some(line)
    }

    /// Where cycles lie in the Timeline, and the cycles of the run.
    pub fn timeline_scale(&self, session: &Session) -> Option<(TimelineScale, u64)> {
        let trace = self.trace.as_ref()?;
        let frame = trace.frame(Cycle(session.playback.cycle));
        Some((
            TimelineScale::new(&frame, &session.view, session.width_of(View::Timeline)),
            trace.num_cycles(),
        ))
    }

    /// The next cycle after `cycle` in which something issues.
    pub fn next_issue(&self, cycle: u64) -> Option<u64> {
        let trace = self.trace.as_ref()?;
        trace
            .issue(Cycle(cycle), Direction::Forward, None)
            .map(|row| row.cycle.0)
    }

    /// The next cycle after `cycle` in which a scheduler that issued no longer does.
    pub fn next_stall(&self, cycle: u64) -> Option<u64> {
        self.trace
            .as_ref()?
            .stall(Cycle(cycle), Direction::Forward, None)
            .map(|cycle| cycle.0)
    }

    /// The next cycle after `cycle` in which a slot changes.
    pub fn next_of_warp(&self, cycle: u64, slot: u16) -> Option<u64> {
        let trace = self.trace.as_ref()?;
        trace
            .change(SlotIdx(slot), Cycle(cycle), Direction::Forward)
            .map(|run| run.start.0)
    }

    /// What the run says of the source's lines, from the first.
    pub fn line_notes(&self, session: &Session) -> Vec<LineNote> {
        let Some(trace) = &self.trace else {
            return Vec::new();
        };
        let cycle = Cycle(session.playback.cycle);
        let mut notes: Vec<LineNote> = self
            .heat
            .iter()
            .map(|heat| LineNote {
                heat: heat.clone(),
                ..LineNote::default()
            })
            .collect();
        let line = |pc: u32| self.line_of(pc).map_or(usize::MAX, |line| line as usize - 1);
        for row in trace.issues_at(cycle) {
            if let Some(note) = notes.get_mut(line(row.pc.0)) {
                note.live = true;
            }
        }
        if let Some(run) = trace.run_at(SlotIdx(session.slot()), cycle)
            && run.state != WarpState::Empty
            && let Some(note) = notes.get_mut(line(run.pc.0))
        {
            note.current = true;
        }
        notes
    }
}

/// Warp cycles of each line by mark, as widths.
fn heat(trace: &Trace) -> Vec<Vec<(Mark, f32)>> {
    let code = &trace.program().code;
    let num = code
        .iter()
        .map(|instruction| instruction.span.line as usize)
        .max()
        .unwrap_or(0);
    let mut cycles = vec![[0u64; HEAT.len()]; num];
    for (instruction, tally) in code.iter().zip(trace.tallies()) {
        let Some(line) = (instruction.span.line as usize).checked_sub(1) else {
            continue;
        };
        for state in &WarpState::ALL[1..] {
            if let Some(idx) = HEAT.iter().position(|mark| *mark == Mark::of(*state)) {
                cycles[line][idx] += tally.states[*state as usize];
            }
        }
    }
    let longest = cycles
        .iter()
        .map(|line| line.iter().sum::<u64>())
        .max()
        .unwrap_or(0)
        .max(1);
    let widths = |line: &[u64; HEAT.len()]| {
        HEAT.into_iter()
            .zip(line)
            .filter(|(_, cycles)| **cycles > 0)
            .map(|(mark, cycles)| (mark, HEAT_PX * *cycles as f32 / longest as f32))
            .collect()
    };
    cycles.iter().map(widths).collect()
}
