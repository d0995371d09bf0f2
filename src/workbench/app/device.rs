//! The Device view: the launch on all SMs of the product. It is a run of its own in the simulator, which is requested
//! while the view is on the stage.

use std::ops::Range;
use std::sync::Arc;

use super::choice::control;
use super::jobs::{JobKind, Report};
use super::run::Derived;
use super::side_runs::{SideEngine, SideState};
use super::start::loaded;
use super::{Choice, Control, Effect, Session};
use crate::library;
use crate::message::{from_bytes, to_bytes};
use crate::scene::{percent, thousands};
use crate::share::View;
use engine::arch::architecture;
use engine::isa::{Op, Program};
use engine::launch::Launch;
use engine::sim::Outcome;
use engine::trace::Counter;
use engine::trace::device::{DeviceSimulation, DeviceTrace, PartSimulation};

/// Cycles between two reads of the clock.
const STRIDE_CYCLES: u64 = 16;
/// Estimated warp instructions of a launch that is worth more than one worker. An assumption from measurements: a vector
/// addition of 2^20 elements has 500,000 and takes longer with two workers; a product of 512 x 512 has millions.
const LARGE_LAUNCH: u64 = 1 << 20;
/// Assumed iterations of each loop.
const LOOP_ITERATIONS: u64 = 16;

/// An estimate of the warp instructions of a launch: all instructions of all warps, those of loops several times.
pub(super) fn estimated_instructions(program: &Program, launch: &Launch) -> u64 {
    let mut times = vec![1_u64; program.code.len()];
    for (pc, instruction) in program.code.iter().enumerate() {
        if let Op::Bra { target } = instruction.op
            && let Some(body) = times.get_mut(target.0 as usize..=pc)
        {
            for times in body {
                *times = times.saturating_mul(LOOP_ITERATIONS);
            }
        }
    }
    let of_warp = times.into_iter().fold(0, u64::saturating_add);
    let threads = launch.block.iter().copied().map(u64::from).product::<u64>();
    launch
        .num_blocks()
        .saturating_mul(threads.div_ceil(32))
        .saturating_mul(of_warp)
}

/// A device's run in progress, on any thread.
#[derive(Debug)]
pub struct DeviceEngine {
    simulation: DeviceSimulation,
    num_parts: usize,
    busy_ms: f64,
}

impl DeviceEngine {
    /// As [`SideEngine::start`], with the SMs of a large launch spread over up to this number of threads: this one and those
    /// of [`Self::parts_elsewhere`].
    ///
    /// # Errors
    /// A sentence, if the run cannot start.
    pub fn start_on(link: &str, num_threads: usize) -> Result<Self, String> {
        let (scenario, program, launch) = loaded(link)?;
        let arch = architecture(scenario.arch);
        let num_sms = arch.chip.num_sms.value;
        let is_large = estimated_instructions(&program, &launch) >= LARGE_LAUNCH;
        let num_parts = if is_large { num_threads } else { 1 };
        let simulation =
            DeviceSimulation::on_threads(arch, &program, &launch, scenario.machine, num_sms, num_parts);
        Ok(Self {
            simulation: simulation.map_err(|error| error.to_string())?,
            num_parts,
            busy_ms: 0.0,
        })
    }

    /// The parts of the run that other threads are to take ([`DevicePart`]), and the number of parts.
    pub fn parts_elsewhere(&self) -> (Range<usize>, usize) {
        (self.simulation.parts_elsewhere(), self.num_parts)
    }

    /// Orders for the parts on other threads, as bytes, with the numbers of the parts.
    pub fn orders(&mut self) -> Vec<(usize, Vec<u8>)> {
        let orders = self.simulation.orders().into_iter();
        orders.map(|(part, order)| (part, to_bytes(&order))).collect()
    }

    /// Whether the run can only go on with replies from other threads.
    pub fn is_waiting(&self) -> bool {
        self.simulation.is_waiting()
    }

    /// Takes a reply of another thread.
    ///
    /// # Errors
    /// A sentence, if the bytes are no reply.
    pub fn receive(&mut self, reply: &[u8]) -> Result<(), String> {
        self.simulation.receive(from_bytes(reply)?);
        Ok(())
    }

    /// Starts again on this thread, after another one failed.
    pub fn restart_alone(&mut self) {
        self.simulation.restart_alone();
    }
}

/// A part of a device's run on another thread.
#[derive(Debug)]
pub struct DevicePart(PartSimulation);

impl DevicePart {
    /// Loads a part of the run of a link.
    ///
    /// # Errors
    /// A sentence, if the part cannot start.
    pub fn start(link: &str, part: usize, num_parts: usize) -> Result<Self, String> {
        let (scenario, program, launch) = loaded(link)?;
        let arch = architecture(scenario.arch);
        let sms = (arch.chip.num_sms.value, num_parts);
        let part = PartSimulation::new(arch, &program, &launch, scenario.machine, sms, part);
        let part = part.map_err(|error| error.to_string())?;
        part.map(Self)
            .ok_or_else(|| "The run has no such part.".to_owned())
    }

    /// Does what an order says. Returns the reply.
    ///
    /// # Errors
    /// A sentence, if the bytes are no order.
    pub fn obey(&mut self, order: &[u8]) -> Result<Vec<u8>, String> {
        Ok(to_bytes(&self.0.obey(from_bytes(order)?)))
    }
}

impl SideEngine for DeviceEngine {
    type Record = DeviceTrace;
    const KIND: JobKind = JobKind::Device;

    /// Compiles a link's kernel, and loads its launch on all SMs.
    fn start(link: &str) -> Result<Self, String> {
        Self::start_on(link, 1)
    }

    fn work(&mut self, slice_ms: f64, now_ms: impl Fn() -> f64) -> (Report, Option<DeviceTrace>) {
        let start = now_ms();
        let mut goes_on = true;
        while goes_on && now_ms() - start < slice_ms {
            goes_on = self.simulation.advance(STRIDE_CYCLES);
            if self.simulation.is_waiting() {
                break;
            }
        }
        self.busy_ms += now_ms() - start;
        let report = Report {
            cycles: self.simulation.progress().0,
            issues: self.simulation.issued(),
            busy_ms: self.busy_ms,
            finished: !goes_on,
        };
        (report, (!goes_on).then(|| self.simulation.trace()))
    }
}

impl Session {
    /// Requests a run on the device for each run while the view is on the stage or the open lesson is about it, and no
    /// other.
    pub(super) fn follow_devices(&mut self) {
        let links: Vec<Arc<str>> = if self.shows(View::Device) || self.lesson_needs_device() {
            self.derived_all().filter_map(Derived::device_link).collect()
        } else {
            Vec::new()
        };
        self.devices.request_or_keep(&links);
    }

    /// The record of a side's run on the device, once it has ended.
    pub(super) fn device_trace(&self, side: usize) -> Option<&Arc<DeviceTrace>> {
        self.devices
            .record(self.sides[side].derived.device_link().as_deref())
    }

    /// The counters of a side's run on the device, once it has ended.
    pub(super) fn device_counters(&self, side: usize) -> Option<Vec<Counter>> {
        let trace = self.device_trace(side)?;
        let side = &self.sides[side];
        Some(trace.counters(side.arch(), &side.setup.launch()))
    }

    /// Why a side's run on the device failed, if it did.
    pub(super) fn device_failure(&self, side: usize) -> Option<&str> {
        self.devices
            .failure(self.sides[side].derived.device_link().as_deref())
    }

    /// The choice between the library's launch and one that fills the device, for kernels that have both; and whether
    /// the other views show the selected SM (SM 0 if none is), or one SM alone.
    pub(super) fn device_controls(&self) -> Vec<Control> {
        let setup = self.setup();
        let kernel = library::kernel_or_default(&setup.kernel);
        let mut controls = Vec::new();
        if let Some(full) = kernel.full_launch().filter(|_| setup.source.is_none()) {
            let launch = setup.launch();
            controls.push(control(
                "launch",
                "Launch",
                [
                    ("small", Choice::Full(false), launch == kernel.launch()),
                    ("fills the device", Choice::Full(true), launch == full),
                ],
            ));
        }
        let shown = setup.machine.sm;
        let sm = self.selected_sm().or(shown).unwrap_or(0);
        let mut others = control(
            "sm",
            "Other views",
            [
                ("one SM alone", Choice::Sm(None), shown.is_none()),
                ("SM", Choice::Sm(Some(sm)), shown == Some(sm)),
            ],
        );
        if let Some(option) = others.options.last_mut() {
            option.name = format!("SM {sm} of the device");
        }
        controls.push(others);
        controls
    }

    /// The selected SM of the Device view, if the architecture has it.
    fn selected_sm(&self) -> Option<u16> {
        let num_sms = self.arch().chip.num_sms.value;
        self.ui.state.settings.sm.filter(|sm| *sm < num_sms)
    }

    /// Shows an SM of the device's run in the other views, or one SM that runs all blocks alone.
    pub(super) fn show_sm(&mut self, sm: Option<u16>) -> Vec<Effect> {
        let num_sms = self.arch().chip.num_sms.value;
        let sentence = match sm {
            Some(sm) => format!("The other views show SM {sm} of {num_sms} in the device's run."),
            None => "The other views show one SM that runs all blocks alone.".to_owned(),
        };
        let effects = self.change(|setup| setup.machine.sm = sm);
        self.say(sentence);
        effects
    }

    /// Shows SM 0 of the device if the active run ended because its blocks wait for blocks that one SM does not hold. This is
    /// no step to undo: the run of one SM says nothing of the grid. Returns whether there is a new run.
    pub(super) fn follow_waiting_blocks(&mut self) -> bool {
        let derived = self.derived();
        if self.setup().machine.sm.is_some() || derived.is_running() || !derived.shows_requested() {
            return false;
        }
        let outcome = derived.trace().and_then(|trace| trace.outcome());
        if !outcome.is_some_and(Outcome::needs_device) {
            return false;
        }
        let num_sms = self.arch().chip.num_sms.value;
        self.change_setup(|setup| setup.machine.sm = Some(0));
        self.say(format!(
            "Blocks wait for each other, and one SM alone does not hold them. The views show SM 0 of {num_sms} in the device's run."
        ));
        true
    }

    /// Shows the selected SM in the other views, or one SM alone if they show it already.
    pub(super) fn show_selected_sm(&mut self) -> Vec<Effect> {
        match (self.setup().machine.sm, self.selected_sm()) {
            (Some(shown), selected) if selected.is_none_or(|sm| sm == shown) => self.show_sm(None),
            (_, Some(sm)) => self.show_sm(Some(sm)),
            (_, None) => {
                self.say("Select an SM in the Device view first.");
                Vec::new()
            }
        }
    }

    /// Launches the library's kernel at a size that fills a device, or as the library does. A launch of this size is
    /// not one for a single SM: the other views and the transport show an SM of the device.
    pub(super) fn fill_device(&mut self, full: bool) -> Vec<Effect> {
        let kernel = library::kernel_or_default(&self.setup().kernel);
        let launch = if full { kernel.full_launch() } else { None };
        let shown = self.selected_sm().or(self.setup().machine.sm).unwrap_or(0);
        let sm = launch.is_some().then_some(shown);
        let sentence = match &launch {
            Some(launch) => format!(
                "The launch has {} blocks now. The other views show SM {shown}.",
                thousands(launch.num_blocks())
            ),
            None => "The launch is the library's.".to_owned(),
        };
        let effects = self.change(|setup| {
            setup.machine.sm = sm;
            setup.grid = launch.as_ref().map(|launch| launch.grid);
            setup.block = launch.as_ref().map(|launch| launch.block);
            setup.args = launch.map(|launch| launch.args);
        });
        self.say(sentence);
        effects
    }

    /// The progress of a side's run on the device at a cycle, once the run has ended.
    pub(super) fn device_state(&self, side: usize, cycle: u64) -> Option<String> {
        let trace = self.device_trace(side)?;
        let cycles = thousands(trace.num_cycles);
        if cycle >= trace.num_cycles {
            return Some(match trace.outcome {
                Some(Outcome::Finished) => format!("finished at cycle {cycles}"),
                _ => format!("ended at cycle {cycles}"),
            });
        }
        let finished = trace.blocks.iter().filter(|span| span.finished <= cycle).count();
        let finished = percent(finished as u64, trace.num_blocks.into());
        Some(format!("{finished} of blocks done, {cycles} cycles"))
    }

    /// The sentence in place of a missing picture.
    pub(super) fn device_sentence(&self, side: usize) -> String {
        let num_sms = self.sides[side].arch().chip.num_sms.value;
        match self
            .devices
            .state(self.sides[side].derived.device_link().as_deref())
        {
            Some(SideState::Runs(cycle)) => {
                format!("Simulating all {num_sms} SMs, cycle {}", thousands(*cycle))
            }
            Some(SideState::Lost(why)) => format!("The device's run failed. {why}"),
            Some(SideState::Done(_) | SideState::Stopped(_)) => String::new(),
            None => "Fix the kernel or the launch configuration to see the device.".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests;
