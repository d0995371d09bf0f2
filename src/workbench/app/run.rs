//! The state derived from a scenario: the program, the run, and its trace, cached by their inputs.

use std::sync::Arc;

use super::Problem;
use super::Session;
use super::code::LineNote;
use super::compiler::{CompiledData, Request, Toolchain};
use super::jobs::{Engine, Job, JobKind, Report, link_of, next_number};
use super::start::{Compiled, Opened, open, refused_text, simulation};
use crate::message::unpack;
use crate::scene::{Mark, TimelineScale, thousands};
use crate::share::{self, Scenario, View};
use engine::arch::Occupancy;
use engine::ids::{Cycle, SlotIdx};
use engine::isa::Program;
use engine::launch::{Launch, MAX_LAUNCH_BYTES};
use engine::sim::{MachineOptions, WarpState};
use engine::trace::{Direction, Segment, Trace};

/// Length of the longest bar in the editor's margin, in pixels.
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

/// The problem of a kernel whose compilation the user stopped.
const STOPPED: &str = "The compilation was stopped. Change the kernel, or compile it again.";

/// The inputs of a compilation.
#[derive(Clone, Debug, PartialEq)]
struct Recipe {
    scenario: Scenario,
}

impl Recipe {
    /// The inputs that affect the compiler.
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

/// The inputs of a run other than the program.
#[derive(Clone, Debug, PartialEq)]
struct Setting {
    launch: Launch,
    machine: MachineOptions,
    /// Bytes of the buffers of all sides up to this one, if they exceed the limit.
    exceeds: Option<u64>,
}

/// A compilation on another thread.
#[derive(Debug)]
struct Compilation {
    number: u64,
    request: Request,
    /// The run to start after the compilation.
    scenario: Scenario,
}

/// The requested run.
#[derive(Debug)]
struct RequestedRun {
    number: u64,
    link: Arc<str>,
    /// The link of the run on the whole device, if this run is an SM of it.
    device_link: Option<Arc<str>>,
    /// The program as bytes, if another thread compiled it.
    packed: Option<Arc<[u8]>>,
    /// Blocks of the grid.
    blocks: u64,
    /// The trace, until its first segment arrives and it is shown.
    opened: Option<Trace>,
    report: Report,
    /// Whether the user lets the run continue.
    goes_on: bool,
    /// The reason if the run was lost.
    lost: Option<String>,
    /// The simulator, if this thread simulates the run.
    engine: Option<Box<Engine>>,
}

/// A key for pictures of a run: the run's number, and the number of its segments so far.
pub type RunKey = (u64, u64);

/// How far a requested run has come.
#[derive(Clone, Copy, Debug)]
pub(super) enum Standing<'a> {
    /// It does not compile, the launch is refused, or the run was lost: the reason.
    Refused(&'a str),
    /// In progress: cycles so far.
    Runs(u64),
    /// It has ended.
    Done(&'a Arc<Trace>),
}

/// The program and the run of the last followed scenario.
#[derive(Debug, Default)]
pub struct Derived {
    recipe: Option<Recipe>,
    setting: Option<Setting>,
    /// Bytes of the buffers of the sides before this one.
    reserved: u64,
    /// The compilation in progress. The previous program and run stay until it ends.
    compilation: Option<Compilation>,
    /// The scenario whose compilation the user stopped.
    stopped: Option<Box<Scenario>>,
    program: Option<Arc<Program>>,
    /// The program's bytes from the compiler's thread.
    packed: Option<Arc<[u8]>>,
    compile_problems: Vec<Problem>,
    /// Names of the kernels, if the source has more than one.
    entries: Vec<String>,
    /// The problems of the source or the launch.
    pub problems: Vec<Problem>,
    occupancy: Option<Occupancy>,
    requested: Option<RequestedRun>,
    /// The shown run: the requested run so far, or the previous run until the requested run starts.
    trace: Option<Arc<Trace>>,
    heat: Vec<Vec<(Mark, f32)>>,
    /// The error of the shown run that finished nevertheless.
    finding: Option<String>,
    shown: RunKey,
    /// Segments that arrived while the trace was borrowed.
    waiting: Vec<Segment>,
}

/// Parses a link into a scenario and warnings about its invalid parts.
pub(super) fn read_link(link: &str) -> (Scenario, Vec<String>) {
    let decoded = share::decode(link);
    let warnings = decoded.warnings.iter().map(ToString::to_string).collect();
    (decoded.scenario, warnings)
}

impl Derived {
    /// Sets the bytes of the buffers of the sides before this one, which count into the limit of all sides.
    pub(super) fn reserve(&mut self, bytes: u64) {
        self.reserved = bytes;
    }

    /// Compiles the scenario's kernel and requests its run, each only if its inputs changed. While the source or the
    /// launch has an error, the last run stays. Without a `toolchain` the compilation becomes a request.
    pub fn follow(&mut self, scenario: &Scenario, toolchain: Option<Toolchain>) {
        let recipe = Recipe::of(scenario);
        if self.recipe.as_ref() == Some(&recipe) {
            match (&mut self.compilation, &mut self.stopped) {
                (Some(compilation), _) => compilation.scenario = scenario.clone(),
                // Nothing compiles until the text changes, or the user compiles again.
                (None, Some(stopped)) => **stopped = scenario.clone(),
                (None, None) => self.follow_setting(scenario, false),
            }
            return;
        }
        (self.compilation, self.stopped) = (None, None);
        let link = share::encode(&recipe.scenario);
        self.recipe = Some(recipe);
        let compiled = refused_text(scenario.source())
            .or_else(|| toolchain.map(|toolchain| toolchain.compile(scenario)));
        if let Some(compiled) = compiled {
            self.take_compiled(scenario, compiled, None);
        } else {
            self.compilation = Some(Compilation {
                number: next_number(),
                request: Request::Compile { link },
                scenario: scenario.clone(),
            });
        }
    }

    /// The compilation to perform on another thread, with its number.
    pub(super) fn request(&self) -> Option<(u64, &Request)> {
        let compilation = self.compilation.as_ref()?;
        Some((compilation.number, &compilation.request))
    }

    /// Whether another thread is compiling.
    pub fn is_compiling(&self) -> bool {
        self.compilation.is_some()
    }

    /// The number of the compilation in progress.
    pub(super) fn compilation_number(&self) -> Option<u64> {
        self.compilation.as_ref().map(|compilation| compilation.number)
    }

    /// Whether the user stopped the compilation.
    pub(super) fn is_compilation_stopped(&self) -> bool {
        self.stopped.is_some()
    }

    /// Stops the compilation in progress: its request is no longer made. The last run stays.
    pub(super) fn stop_compilation(&mut self) {
        if let Some(compilation) = self.compilation.take() {
            self.stopped = Some(Box::new(compilation.scenario));
            self.problems = vec![Problem {
                span: None,
                message: STOPPED.to_owned(),
                fatal: true,
                fix: None,
            }];
        }
    }

    /// Compiles what the user stopped.
    pub(super) fn compile_again(&mut self, toolchain: Option<Toolchain>) {
        if let Some(scenario) = self.stopped.take() {
            (self.recipe, self.problems) = (None, Vec::new());
            self.follow(&scenario, toolchain);
        }
    }

    /// Handles the result of compilation `number`. Returns whether that compilation was pending.
    pub(super) fn compiled(&mut self, number: u64, data: Result<CompiledData, String>) -> bool {
        let Some(compilation) = self.compilation.take_if(|own| own.number == number) else {
            return false;
        };
        let scenario = compilation.scenario;
        let unpacked = data.and_then(|data| {
            let program = (data.program.as_deref())
                .map(|bytes| unpack(bytes, scenario.source()))
                .transpose()?;
            Ok((program, data))
        });
        match unpacked {
            Ok((program, data)) => {
                let compiled = Compiled {
                    program: program.map(Arc::new),
                    problems: data.problems,
                    entries: data.entries,
                };
                self.take_compiled(&scenario, compiled, data.program.map(Arc::from));
            }
            Err(message) => {
                // The next change compiles again.
                self.recipe = None;
                self.problems = vec![Problem {
                    span: None,
                    message,
                    fatal: true,
                    fix: None,
                }];
            }
        }
        true
    }

    fn take_compiled(&mut self, scenario: &Scenario, compiled: Compiled, packed: Option<Arc<[u8]>>) {
        self.compile_problems = compiled.problems;
        self.entries = compiled.entries;
        if compiled.program.is_some() {
            self.program = compiled.program;
            self.packed = packed;
            self.follow_setting(scenario, true);
        } else {
            self.problems.clone_from(&self.compile_problems);
        }
    }

    /// Requests the run of the program. `is_new` requests it even if the launch and the machine options are unchanged.
    fn follow_setting(&mut self, scenario: &Scenario, is_new: bool) {
        let launch = scenario.launch();
        let bytes = launch.stored_bytes().saturating_add(self.reserved);
        let exceeds = (self.reserved > 0 && bytes > MAX_LAUNCH_BYTES).then_some(bytes);
        let setting = Setting {
            launch,
            machine: scenario.machine,
            exceeds,
        };
        if !is_new && self.setting.as_ref() == Some(&setting) {
            return;
        }
        self.setting = Some(setting);
        self.problems.clone_from(&self.compile_problems);
        if self.problems.iter().any(|problem| problem.fatal) {
            return;
        }
        let Some(program) = &self.program else { return };
        let problem = |message: String, fatal: bool| Problem {
            span: None,
            message,
            fatal,
            fix: None,
        };
        if let Some(bytes) = exceeds {
            let message = format!(
                "The buffers of the sides up to this one take {} MB; all sides have at most {} MB in total. \
                 Make the buffers shorter, or remove a side.",
                thousands(bytes.div_ceil(1 << 20)),
                MAX_LAUNCH_BYTES >> 20
            );
            self.occupancy = None;
            self.problems.push(problem(message, true));
            return;
        }
        let Opened { trace, note } = open(scenario, program);
        self.problems.extend(note.map(|note| problem(note, false)));
        match trace {
            Ok(trace) => {
                let device_link = scenario.machine.sm.map(|_| {
                    let mut device = scenario.clone();
                    device.machine.sm = None;
                    link_of(&device)
                });
                self.request_run(trace, link_of(scenario), device_link);
            }
            Err(refusal) => {
                self.occupancy = None;
                self.problems.push(problem(refusal, true));
            }
        }
    }

    /// Requests a run in place of the previous one.
    fn request_run(&mut self, trace: Trace, link: Arc<str>, device_link: Option<Arc<str>>) {
        self.occupancy = Some(*trace.occupancy());
        self.waiting.clear();
        self.requested = Some(RequestedRun {
            number: next_number(),
            link,
            device_link,
            packed: self.packed.clone(),
            blocks: trace.launch().num_blocks(),
            opened: Some(trace),
            report: Report::default(),
            goes_on: true,
            lost: None,
            engine: None,
        });
    }

    /// The run to simulate, if it is unfinished.
    pub fn job(&self) -> Option<Job> {
        let requested = self.requested.as_ref()?;
        let open = requested.lost.is_none() && !requested.report.finished;
        open.then(|| Job {
            number: requested.number,
            link: Arc::clone(&requested.link),
            program: requested.packed.clone(),
            goes_on: requested.goes_on,
            kind: JobKind::Trace,
        })
    }

    /// All inputs of the requested run, as a link; `None` if the kernel or the launch has an error.
    pub(super) fn run_link(&self) -> Option<Arc<str>> {
        let requested = self.requested.as_ref()?;
        let has_error = self.problems.iter().any(|problem| problem.fatal);
        (!has_error).then(|| Arc::clone(&requested.link))
    }

    /// The same for the run on the whole device, which does not depend on the SM that other views show.
    pub(super) fn device_link(&self) -> Option<Arc<str>> {
        let link = self.run_link()?;
        let of_device = self.requested.as_ref().and_then(|run| run.device_link.clone());
        Some(of_device.unwrap_or(link))
    }

    /// Whether run `number` is the requested run.
    pub(super) fn is_requested(&self, number: u64) -> bool {
        self.requested_number() == Some(number)
    }

    /// The number of the requested run.
    fn requested_number(&self) -> Option<u64> {
        self.requested.as_ref().map(|requested| requested.number)
    }

    /// Handles a simulated part of run `number`, and ignores parts of outdated runs. Returns whether
    /// the part was accepted.
    pub fn receive(&mut self, number: u64, report: Report, segment: Option<Segment>) -> bool {
        let Some(requested) = self
            .requested
            .as_mut()
            .filter(|requested| requested.number == number)
        else {
            return false;
        };
        requested.report = report;
        if let Some(segment) = segment {
            self.waiting.push(segment);
            self.ingest();
        }
        true
    }

    /// Appends the waiting segments to the trace. Segments keep waiting while an export borrows the trace.
    pub(super) fn ingest(&mut self) {
        let Some(requested) = &mut self.requested else {
            self.waiting.clear();
            return;
        };
        if self.waiting.is_empty() {
            return;
        }
        if let Some(opened) = requested.opened.take() {
            self.trace = Some(Arc::new(opened));
            self.shown = (requested.number, 0);
        }
        let Some(trace) = self.trace.as_mut().and_then(Arc::get_mut) else {
            return;
        };
        for segment in self.waiting.drain(..) {
            if trace.append(segment).is_err() {
                requested.lost = Some("The trace of the run is damaged".to_owned());
                break;
            }
            self.shown.1 += 1;
        }
        self.waiting.clear();
        self.heat = heat(trace);
        self.finding = super::findings::finding(trace);
    }

    /// The error of the shown run that finished nevertheless, in one or two sentences.
    pub(super) fn finding(&self) -> Option<&str> {
        self.finding.as_deref()
    }

    /// Whether segments wait to be appended.
    pub(super) fn waits(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// Handles the loss of run `number`'s simulator, with the reason.
    pub fn lose(&mut self, number: u64, why: &str) -> bool {
        let Some(requested) = self
            .requested
            .as_mut()
            .filter(|requested| requested.number == number)
        else {
            return false;
        };
        requested.engine = None;
        requested.lost = Some(why.to_owned());
        true
    }

    /// Pauses the run or lets it continue; a lost run restarts.
    pub(super) fn let_go_on(&mut self, goes_on: bool) {
        let Some(requested) = &mut self.requested else {
            return;
        };
        requested.goes_on = goes_on;
        if !goes_on || requested.lost.is_none() {
            return;
        }
        let trace = requested.opened.as_ref().or(self.trace.as_deref());
        let again = trace.and_then(|trace| {
            Trace::open(
                trace.arch(),
                Arc::clone(trace.program()),
                trace.launch(),
                *trace.options(),
            )
            .ok()
        });
        let (link, device_link) = (Arc::clone(&requested.link), requested.device_link.clone());
        if let Some(again) = again {
            self.request_run(again, link, device_link);
        }
    }

    /// The engine of the requested run on this thread.
    fn engine(&mut self) -> Option<&mut Engine> {
        let requested = self.requested.as_mut()?;
        if requested.report.finished || requested.lost.is_some() || !requested.goes_on {
            return None;
        }
        if requested.engine.is_none() {
            // A run that a worker started cannot continue here.
            let simulation = requested.opened.as_ref().and_then(simulation);
            requested.engine = simulation.map(|simulation| Box::new(Engine::new(simulation)));
        }
        requested.engine.as_deref_mut()
    }

    /// Simulates up to `cycles` more cycles on this thread. Returns whether the run is unfinished.
    pub fn advance(&mut self, cycles: u64) -> bool {
        let Some(engine) = self.engine() else { return false };
        let report = engine.advance(cycles);
        let segment = engine.segment();
        self.took(report, Some(segment))
    }

    fn took(&mut self, report: Report, segment: Option<Segment>) -> bool {
        if let Some(number) = self.requested_number() {
            self.receive(number, report, segment);
        }
        if report.finished
            && let Some(requested) = &mut self.requested
        {
            requested.engine = None;
        }
        !report.finished
    }

    /// The number and the progress of the requested run.
    pub fn requested(&self) -> Option<(u64, Report)> {
        self.requested
            .as_ref()
            .map(|requested| (requested.number, requested.report))
    }

    /// Finished blocks of the requested run, and all its blocks.
    pub fn blocks_done(&self) -> (u64, u64) {
        let all = self.requested.as_ref().map_or(0, |requested| requested.blocks);
        match &self.trace {
            Some(trace) if self.shows_requested() => {
                let done = trace.blocks().iter().filter(|block| block.finished.is_some());
                (done.count() as u64, all)
            }
            _ => (0, all),
        }
    }

    /// The progress of the requested run.
    pub fn report(&self) -> Option<Report> {
        self.requested.as_ref().map(|requested| requested.report)
    }

    /// Whether the user paused the requested run before its end.
    pub fn is_held(&self) -> bool {
        let held = |requested: &RequestedRun| {
            !requested.goes_on && !requested.report.finished && requested.lost.is_none()
        };
        self.requested.as_ref().is_some_and(held)
    }

    /// Why the requested run was lost, if it was.
    pub fn loss(&self) -> Option<&str> {
        self.requested.as_ref()?.lost.as_deref()
    }

    /// How far the requested run has come, for runs beside the session's own.
    pub(super) fn standing(&self) -> Standing<'_> {
        let refusal = self.problems.iter().find(|problem| problem.fatal);
        let why = self.loss().or(refusal.map(|problem| problem.message.as_str()));
        if let Some(why) = why {
            return Standing::Refused(why);
        }
        let report = self.report().unwrap_or_default();
        match self.trace() {
            Some(trace) if trace.is_whole() && report.finished => Standing::Done(trace),
            _ => Standing::Runs(report.cycles),
        }
    }

    /// Whether the shown run is the requested run, or the last run if none is requested.
    pub fn shows_requested(&self) -> bool {
        self.requested_number()
            .is_none_or(|number| self.shown.0 == number)
    }

    /// The trace of the shown run so far.
    pub fn trace(&self) -> Option<&Arc<Trace>> {
        self.trace.as_ref()
    }

    /// The number of the shown run.
    pub fn run_number(&self) -> u64 {
        self.shown.0
    }

    /// The key for pictures of the shown run.
    pub fn run_key(&self) -> RunKey {
        self.shown
    }

    /// Names of the kernels, if the source has more than one.
    pub fn entries(&self) -> &[String] {
        &self.entries
    }

    /// Whether a run is in progress, so that more cycles will follow.
    pub fn is_running(&self) -> bool {
        let runs = |requested: &RequestedRun| {
            requested.goes_on && requested.lost.is_none() && !requested.report.finished
        };
        self.waits() || self.is_compiling() || self.requested.as_ref().is_some_and(runs)
    }

    /// Cycles of the shown run so far.
    pub fn num_cycles(&self) -> u64 {
        self.trace.as_ref().map_or(0, |trace| trace.num_cycles())
    }

    /// Simulated cycles of the run in progress.
    pub fn simulated_cycles(&self) -> u64 {
        self.report()
            .map_or_else(|| self.num_cycles(), |report| report.cycles)
    }

    /// The occupancy of the launch.
    pub fn occupancy(&self) -> Option<Occupancy> {
        self.occupancy
    }

    /// The compiled program.
    pub fn program(&self) -> Option<&Arc<Program>> {
        self.program.as_ref()
    }

    /// `W07`: the warp in a slot.
    pub fn warp_name(&self, slot: u16, cycle: u64) -> Option<String> {
        let trace = self.trace.as_ref()?;
        trace.tenancy(SlotIdx(slot), Cycle(cycle))?;
        Some(trace.frame(Cycle(cycle)).warp_name(SlotIdx(slot)))
    }

    /// Whether the kernel declares an `extern __shared__` array.
    pub fn uses_dynamic_shared(&self) -> bool {
        self.program
            .as_ref()
            .is_some_and(|program| program.uses_dynamic_shared)
    }

    /// The slot `step` places after `slot` in the order of the views: by scheduler, only slots that ever hold a
    /// warp.
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

    /// The scale of the Timeline, and the cycles of the run.
    pub fn timeline_scale(&self, session: &Session) -> Option<(TimelineScale, u64)> {
        let trace = self.trace.as_ref()?;
        let frame = trace.frame(Cycle(session.cycle()));
        Some((
            TimelineScale::new(&frame, &session.view_state(), session.width_of(View::Timeline)),
            trace.num_cycles(),
        ))
    }

    /// The next cycle after `cycle` in which any scheduler issues.
    pub fn next_issue(&self, cycle: u64) -> Option<u64> {
        let trace = self.trace.as_ref()?;
        trace
            .issue(Cycle(cycle), Direction::Forward, None)
            .map(|row| row.cycle.0)
    }

    /// The next cycle after `cycle` in which a scheduler stops issuing.
    pub fn next_stall(&self, cycle: u64) -> Option<u64> {
        self.trace
            .as_ref()?
            .stall(Cycle(cycle), Direction::Forward, None)
            .map(|cycle| cycle.0)
    }

    /// The next cycle after `cycle` in which a slot's state changes.
    pub fn next_of_warp(&self, cycle: u64, slot: u16) -> Option<u64> {
        let trace = self.trace.as_ref()?;
        trace
            .change(SlotIdx(slot), Cycle(cycle), Direction::Forward)
            .map(|run| run.start.0)
    }

    /// The run's notes on the source lines, from the first line.
    pub fn line_notes(&self, session: &Session) -> Vec<LineNote> {
        let Some(trace) = &self.trace else {
            return Vec::new();
        };
        let cycle = Cycle(session.cycle());
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
        // A lesson can name any line, also one that the source does not have.
        let num_lines = session.side().text.matches('\n').count() + 1;
        for line in session.ringed_lines() {
            let idx = line as usize - 1;
            if idx >= num_lines {
                continue;
            }
            if notes.len() <= idx {
                notes.resize(idx + 1, LineNote::default());
            }
            notes[idx].ringed = true;
        }
        notes
    }
}

/// Warp cycles of each line by mark, as bar lengths.
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
