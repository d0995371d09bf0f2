//! Runs: start, advance in slices, finish, and read frames and files.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Value, json};

use super::question::{arch_of, question};
use super::scenario::scenario_of;
use super::{Answer, frame};
use crate::check::{Checker, Finding};
use crate::message::unpack;
use crate::share;
use engine::arch::architecture;
use engine::files;
use engine::ids::Cycle;
use engine::isa::ElemType;
use engine::launch::Role;
use engine::printf::num_overwritten;
use engine::sim::WarpState;
use engine::sim::observer::Observer;
use engine::trace::{Progress, Segment, Simulation, Trace, TraceOptions};

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
struct RunOptions {
    arch: Option<String>,
    max_cycles: Option<u64>,
    /// Whether compute-sanitizer's checks apply to the run.
    check: bool,
}

/// Cycles after which the trace ingests new segments, so that no ingestion takes long.
const TAKEN_CYCLES: u64 = 1 << 13;

/// A run in progress.
#[derive(Debug)]
pub struct Job {
    simulation: Simulation,
    /// The trace of the ingested segments.
    trace: Trace,
    link: String,
    warnings: Vec<String>,
    checker: Option<Checker>,
    /// Segments since the last [`Job::take_segments`].
    segments: Vec<Segment>,
}

impl Job {
    /// Compiles and loads a scenario: a link, or an object with the keys of a link.
    ///
    /// # Errors
    /// The request is invalid, the kernel does not compile, or the architecture rejects the launch.
    pub fn start(scenario: &Value, options: Value) -> Result<Self, String> {
        let options: RunOptions = question("run", options)?;
        let (mut scenario, warnings) = scenario_of("run", scenario)?;
        if options.arch.is_some() {
            scenario.arch = arch_of("run", options.arch.as_deref())?;
        }
        if let Some(cycles) = options.max_cycles {
            share::apply(&mut scenario, "maxcycles", &cycles.to_string())
                .map_err(|warning| format!("run: {warning}"))?;
        }
        let compiled = cuda::compile(
            scenario.source(),
            scenario.entry(),
            scenario.arch,
            &scenario.compile,
        )
        .map_err(|diagnostics| {
            let lines: Vec<String> = diagnostics
                .iter()
                .map(|d| format!("{}: {}", files::line_text(scenario.source(), d.line()), d.message))
                .collect();
            format!("run: the kernel does not compile: {}", lines.join(" "))
        })?;
        let (arch, program) = (architecture(scenario.arch), Arc::new(compiled.program));
        let (launch, machine) = (scenario.launch(), scenario.machine);
        let trace = Trace::open(arch, Arc::clone(&program), &launch, machine)
            .map_err(|error| format!("run: {error}"))?;
        let simulation = Simulation::new(
            arch,
            Arc::clone(&program),
            &launch,
            machine,
            TraceOptions::default(),
        )
        .map_err(|error| format!("run: {error}"))?;
        let checker = options
            .check
            .then(|| Checker::new(&program, &launch, simulation.machine()));
        let warnings = warnings
            .into_iter()
            .chain(compiled.diagnostics.iter().map(|d| d.message.clone()))
            .collect();
        Ok(Self {
            simulation,
            trace,
            link: share::encode(&scenario),
            warnings,
            checker,
            segments: Vec::new(),
        })
    }

    /// Simulates up to `cycles` more cycles.
    pub fn advance(&mut self, cycles: u64) -> Progress {
        let checker = self.checker.as_mut().map(|checker| checker as &mut dyn Observer);
        let progress = self.simulation.advance_observed(cycles, checker);
        if progress.finished || progress.cycles - self.trace.num_cycles() >= TAKEN_CYCLES {
            self.ingest();
        }
        progress
    }

    /// Appends new segments to the trace.
    fn ingest(&mut self) {
        if !self.trace.is_whole() {
            let segment = self.simulation.segment();
            self.segments.push(segment.clone());
            let appended = self.trace.append(segment);
            debug_assert_eq!(appended, Ok(()), "segments are read as they are written");
        }
    }

    /// The segments since the last call, for building the same trace elsewhere.
    pub fn take_segments(&mut self) -> Vec<Segment> {
        std::mem::take(&mut self.segments)
    }

    /// Stops the run. Returns the segments since [`Job::take_segments`], and the results.
    pub fn finish(mut self) -> (Vec<Segment>, Finished) {
        self.simulation.stop();
        self.ingest();
        let outcome = self.simulation.machine().outcome();
        let finished = Finished {
            findings: self.checker.map(|checker| checker.findings_of(outcome)),
            trace: Arc::new(self.trace),
            link: self.link,
            warnings: self.warnings,
        };
        (self.segments, finished)
    }
}

/// A finished run.
#[derive(Clone, Debug)]
pub struct Finished {
    trace: Arc<Trace>,
    link: String,
    warnings: Vec<String>,
    /// `None` if the run was not checked.
    findings: Option<Vec<Finding>>,
}

/// The contents of an output buffer after a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// Index of the argument.
    pub argument: usize,
    /// The parameter's name.
    pub name: String,
    /// Type of the elements.
    pub elem: ElemType,
    /// The bytes, little-endian.
    pub bytes: Vec<u8>,
}

impl Output {
    /// Name of the element type in the notation of links: `f32`.
    pub fn type_name(&self) -> String {
        format!("{:?}", self.elem).to_lowercase()
    }
}

impl Finished {
    /// The trace.
    pub const fn trace(&self) -> &Arc<Trace> {
        &self.trace
    }

    /// The link of the run.
    pub fn link(&self) -> &str {
        &self.link
    }

    /// Cycles, outcome, counters, warp cycles by state, and occupancy.
    pub fn summary(&self) -> Value {
        let trace = &self.trace;
        let summary = trace.summary_json();
        let states = trace.states_between(None, Cycle(0), Cycle(trace.num_cycles()));
        let stalls: serde_json::Map<String, Value> = WarpState::ALL
            .iter()
            .filter(|state| **state != WarpState::Empty)
            .map(|state| (state.name().to_owned(), json!(states[*state as usize])))
            .collect();
        let occupancy = trace.occupancy();
        json!({
            "kernel": summary["kernel"],
            "arch": summary["arch"],
            "grid": summary["grid"],
            "block": summary["block"],
            "link": self.link,
            "warnings": self.warnings,
            "findings": self.findings,
            "cycles": summary["cycles"],
            "outcome": summary["outcome"],
            "printed": trace.printed_json(),
            "printedOverwritten": num_overwritten(trace.printed()),
            "counters": summary["counters"],
            "stalls": stalls,
            "registersPerThread": trace.program().registers_per_thread,
            "blocksPerSm": occupancy.blocks_per_sm,
            "warpsPerSm": occupancy.warps_per_sm(),
            "maxWarpsPerSm": occupancy.max_warps_per_sm,
        })
    }

    /// The kernel's output buffers.
    pub fn outputs(&self) -> Vec<Output> {
        let (program, launch) = (self.trace.program(), self.trace.launch());
        let Some(outputs) = self.trace.outputs() else {
            return Vec::new();
        };
        outputs
            .buffers
            .iter()
            .filter(|place| !matches!(place.role, Role::In))
            .filter_map(|place| {
                Some(Output {
                    argument: place.argument,
                    name: engine::sim::memory::argument_name(program, launch, place.argument),
                    elem: launch.args.get(place.argument)?.elem()?,
                    bytes: outputs.argument(place.argument)?,
                })
            })
            .collect()
    }

    /// The states and reasons of all warps in a cycle, and the issued instructions.
    ///
    /// # Errors
    /// The run has no such cycle.
    pub fn frame(&self, cycle: u64) -> Answer {
        frame::frame(&self.trace, cycle)
    }
}

/// The trace of a run on another thread.
///
/// # Errors
/// The parts do not belong together.
pub fn rebuilt(link: &str, program: &[u8], segments: Vec<Segment>) -> Result<Trace, String> {
    let scenario = share::decode(link).scenario;
    let program = Arc::new(unpack(program, scenario.source())?);
    let arch = architecture(scenario.arch);
    let mut trace = Trace::open(arch, program, &scenario.launch(), scenario.machine)
        .map_err(|error| format!("run: {error}"))?;
    for segment in segments {
        (trace.append(segment)).map_err(|_| "run: the trace of the run is damaged".to_owned())?;
    }
    Ok(trace)
}
