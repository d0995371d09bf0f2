//! The Streams view: the host program of the source on a computer with one or more GPUs. The blocks of each launch are
//! timed by a run on the device; then the model of streams runs the calls. This is a job of its own, which is requested
//! while the view is on the stage.

mod controls;
mod counters;
mod program;
mod window;

use std::sync::Arc;

pub use counters::PREFIX as STREAMS_PREFIX;
use program::{HostProgram, Timed, host_program};
pub use window::StreamsMove;
pub(super) use window::move_window;

use super::Session;
use super::jobs::{JobKind, Report};
use super::run::Derived;
use super::side_runs::{SideEngine, SideState};
use crate::host_record::{ProcessCalls, StreamsRecord, TimedLaunch};
use crate::scene::thousands;
use crate::share::{Scenario, Sync, View, decode, stream_pairs};
use engine::arch::{Architecture, architecture};
use engine::sim::Outcome;
use engine::streams::{Demand, Options, PeerAccess, Process, Work, simulate};
use engine::trace::device::{DeviceSimulation, DeviceTrace};

/// Cycles between two reads of the clock.
const STRIDE_CYCLES: u64 = 16;

/// The work on a host program, on any thread.
#[derive(Debug)]
pub struct StreamsEngine {
    scenario: Scenario,
    options: Options,
    program: HostProgram,
    works: Vec<Work>,
    launches: Vec<TimedLaunch>,
    simulation: Option<Box<DeviceSimulation>>,
    issues: u64,
    cycles: u64,
    busy_ms: f64,
}

impl SideEngine for StreamsEngine {
    type Record = StreamsRecord;
    const KIND: JobKind = JobKind::Streams;

    /// Reads the host program of a link's source. A kernel that cannot run becomes a launch without time.
    fn start(link: &str) -> Result<Self, String> {
        let scenario = decode(link).scenario;
        let settings = scenario.look.settings.streams;
        let arch = architecture(scenario.arch);
        let options = settings.options_on(arch);
        let program = host_program(&scenario, options, settings.num_processes.max(1));
        Ok(Self {
            scenario,
            options,
            program,
            works: Vec::new(),
            launches: Vec::new(),
            simulation: None,
            issues: 0,
            cycles: 0,
            busy_ms: 0.0,
        })
    }

    fn work(&mut self, slice_ms: f64, now_ms: impl Fn() -> f64) -> (Report, Option<StreamsRecord>) {
        let start = now_ms();
        let mut record = None;
        loop {
            if self.works.len() == self.program.works.len() {
                record = Some(self.finish());
                break;
            }
            self.time_next(|| now_ms() - start < slice_ms);
            if now_ms() - start >= slice_ms {
                break;
            }
        }
        self.busy_ms += now_ms() - start;
        let progress = self.simulation.as_ref().map_or(0, |run| run.progress().0);
        let report = Report {
            cycles: self.cycles + progress,
            issues: self.issues + self.simulation.as_ref().map_or(0, |run| run.issued()),
            busy_ms: self.busy_ms,
            finished: record.is_some(),
        };
        (report, record)
    }
}

impl StreamsEngine {
    fn arch(&self) -> &'static Architecture {
        architecture(self.scenario.arch)
    }

    /// Goes on with the run of the next launch.
    fn time_next(&mut self, has_time: impl Fn() -> bool) {
        let arch = self.arch();
        let timed = &self.program.works[self.works.len()];
        let program = match &timed.program {
            Ok(program) => Arc::clone(program),
            Err(why) => return self.add(refused(timed, why)),
        };
        let running = match self.simulation.take() {
            Some(simulation) => Ok(simulation),
            None => DeviceSimulation::new(
                arch,
                &program,
                &timed.launch,
                self.scenario.machine,
                arch.chip.num_sms.value,
            )
            .map(Box::new),
        };
        let mut simulation = match running {
            Ok(simulation) => simulation,
            Err(error) => return self.add(refused(timed, &crate::check::refusal_sentences(&error))),
        };
        let mut goes_on = true;
        if simulation.progress().0 == 0 && !timed.peers.is_empty() {
            let arguments: Vec<usize> = timed.peers.iter().map(|(argument, _)| *argument).collect();
            simulation.count_bytes_of(&arguments);
        }
        while goes_on && has_time() {
            goes_on = simulation.advance(STRIDE_CYCLES);
        }
        if goes_on {
            self.simulation = Some(simulation);
            return;
        }
        let trace = simulation.trace();
        self.cycles += trace.num_cycles;
        self.issues += simulation.issued();
        let ns_per_cycle = 1000.0 / f64::from(arch.chip.sm_clock_mhz.value);
        let mut blocks: Vec<(u32, u32)> = (trace.blocks.iter())
            .map(|span| {
                (
                    span.block,
                    ((span.finished - span.started) as f64 * ns_per_cycle).round() as u32,
                )
            })
            .collect();
        blocks.sort_unstable();
        let block_ns: Vec<u32> = blocks.into_iter().map(|(_, ns)| ns).collect();
        let problem = match &trace.outcome {
            Some(Outcome::Finished) => None,
            Some(Outcome::Fault(fault)) => Some(format!(
                "Alone, it faults in cycle {}: {}",
                thousands(fault.cycle.0),
                fault.message
            )),
            Some(Outcome::Deadlock { reason, .. }) => Some(format!("Alone, it deadlocks: {reason}")),
            Some(Outcome::CycleBudget | Outcome::MemoryBudget) => {
                Some("Alone, it reaches the limit of a run; its time is that until then.".to_owned())
            }
            None => None,
        };
        let mean = block_ns.iter().map(|ns| u64::from(*ns)).sum::<u64>() / block_ns.len().max(1) as u64;
        let peers = peer_bytes(timed, &simulation);
        let (demand, accesses) = demand(&trace, &block_ns, &peers);
        let launch = TimedLaunch {
            kernel: timed.kernel.clone(),
            num_blocks: trace.num_blocks,
            threads: timed.launch.threads_per_block() as u32,
            blocks_per_sm: trace.blocks_per_sm,
            block_ns: mean,
            num_guesses: timed.num_guesses as u32,
            peers: peers.clone(),
            problem: problem.clone(),
        };
        let work = Work {
            kernel: timed.kernel.clone(),
            num_blocks: trace.num_blocks,
            demand,
            peers: accesses,
            block_ns,
            limits: timed.limits(&self.scenario, &program),
            problem,
        };
        self.add((work, launch));
    }

    fn add(&mut self, (work, launch): (Work, TimedLaunch)) {
        self.works.push(work);
        self.launches.push(launch);
    }

    fn finish(&mut self) -> StreamsRecord {
        let processes: Vec<Process> = self.program.processes.iter().map(ProcessCalls::process).collect();
        StreamsRecord {
            trace: simulate(self.arch(), &processes, &self.works, self.options),
            processes: std::mem::take(&mut self.program.processes),
            launches: std::mem::take(&mut self.launches),
            notes: std::mem::take(&mut self.program.notes),
            has_main: self.program.has_main,
            options: self.options,
        }
    }
}

/// The bytes that a run loaded from and stored to the memory of each other GPU.
fn peer_bytes(timed: &Timed, simulation: &DeviceSimulation) -> Vec<(u8, [u64; 2])> {
    let mut all: Vec<(u8, [u64; 2])> = Vec::new();
    for ((_, gpu), bytes) in timed.peers.iter().zip(simulation.counted_bytes()) {
        match all.iter_mut().find(|(other, _)| other == gpu) {
            Some((_, sum)) => *sum = [sum[0] + bytes[0], sum[1] + bytes[1]],
            None => all.push((*gpu, bytes)),
        }
    }
    all
}

/// What a mean block of a run demands, from the totals of the run and the time of its blocks: of its own GPU, and of
/// others.
fn demand(trace: &DeviceTrace, block_ns: &[u32], peers: &[(u8, [u64; 2])]) -> (Demand, Vec<PeerAccess>) {
    let ns = block_ns.iter().map(|ns| f64::from(*ns)).sum::<f64>().max(1.0);
    // The run has all data in the memory of one GPU.
    let far: u64 = peers.iter().flat_map(|(_, bytes)| bytes).sum();
    let own = |bytes: u64| bytes.saturating_sub(far) as f64 / ns;
    let demand = Demand {
        dram_bytes: own(trace.requested.dram_bytes),
        l2_bytes: own(trace.requested.l2_bytes),
        issues: trace.issued() as f64 / ns,
    };
    let access = |(gpu, [loaded, stored]): &(u8, [u64; 2])| PeerAccess {
        gpu: *gpu,
        loaded_bytes: *loaded as f64 / ns,
        stored_bytes: *stored as f64 / ns,
    };
    (demand, peers.iter().map(access).collect())
}

/// A launch that cannot run: it takes no time.
fn refused(timed: &Timed, why: &str) -> (Work, TimedLaunch) {
    let work = Work {
        kernel: timed.kernel.clone(),
        block_ns: Vec::new(),
        demand: Demand::default(),
        peers: Vec::new(),
        num_blocks: 0,
        limits: [None; 4],
        problem: Some(why.to_owned()),
    };
    let launch = TimedLaunch {
        kernel: timed.kernel.clone(),
        num_blocks: timed.launch.num_blocks() as u32,
        threads: timed.launch.threads_per_block() as u32,
        blocks_per_sm: 0,
        block_ns: 0,
        num_guesses: timed.num_guesses as u32,
        peers: Vec::new(),
        problem: Some(why.to_owned()),
    };
    (work, launch)
}

impl Session {
    /// All inputs of a side's host program, as a link.
    fn streams_link(&self, derived: &Derived) -> Option<Arc<str>> {
        let link = derived.run_link()?;
        let inputs = stream_pairs(&self.ui.state.settings.streams);
        Some(if inputs.is_empty() {
            link
        } else {
            format!("{link}{inputs}").into()
        })
    }

    /// Requests a job for each side while the view is on the stage or the open lesson is about it.
    pub(super) fn follow_streams(&mut self) {
        let links: Vec<Arc<str>> = if self.shows(View::Streams) || self.lesson_needs_streams() {
            self.derived_all()
                .filter_map(|derived| self.streams_link(derived))
                .collect()
        } else {
            Vec::new()
        };
        self.streams.request_or_keep(&links);
    }

    fn streams_state(&self, side: usize) -> Option<&SideState<StreamsRecord>> {
        self.streams
            .state(self.streams_link(&self.sides[side].derived).as_deref())
    }

    /// The record of a side's host program, once the job has ended.
    pub fn streams_record(&self, side: usize) -> Option<&Arc<StreamsRecord>> {
        self.streams
            .record(self.streams_link(&self.sides[side].derived).as_deref())
    }

    /// The time of the program, while its view is active: the clock of that view. The run is one kernel of it.
    pub(super) fn streams_time(&self) -> Option<String> {
        let is_active = self.active_view() == View::Streams;
        let record = self.streams_record(self.active_side()).filter(|_| is_active)?;
        Some(crate::scene::time_text(record.trace.end_ns))
    }

    /// The end of the time axis of a side's picture in nanoseconds: beside other sides, that of the longest program, so that
    /// all have one scale; by progress, its own.
    pub(super) fn streams_end_ns(&self, side: usize) -> u64 {
        let end = |side: usize| self.streams_record(side).map_or(0, |record| record.trace.end_ns);
        if self.ui.compare.sync == Sync::Progress {
            return end(side);
        }
        (0..self.sides.len()).map(end).max().unwrap_or(0)
    }

    /// Whether a side's job failed.
    pub(super) fn streams_failed(&self, side: usize) -> bool {
        matches!(self.streams_state(side), Some(SideState::Lost(_)))
    }

    /// The sentence in place of a missing picture.
    pub(super) fn streams_sentence(&self, side: usize) -> String {
        match self.streams_state(side) {
            Some(SideState::Runs(cycle)) => {
                format!(
                    "Timing the kernels of the program on all SMs, cycle {}",
                    thousands(*cycle)
                )
            }
            Some(SideState::Lost(why)) => format!("The host program failed. {why}"),
            Some(SideState::Done(_) | SideState::Stopped(_)) => String::new(),
            None => "Fix the kernel or the launch configuration to see the program.".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests;
