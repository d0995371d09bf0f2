//! `device`: simulate a launch on all SMs of a device.

use std::io::Write;

use clap::Args;
use serde_json::json;

use super::failed::FailedLaunch;
use super::scenario::ScenarioFlags;
use super::simulate::{compiled, refused};
use super::{CliResult, Verdict, estimated, outcome_of_launch};
use engine::arch::{ArchId, architecture};
use engine::sim::Outcome;
use engine::trace::device::{DeviceSimulation, DeviceTrace};
use workbench::app::host::ReadLaunch;
use workbench::check::Unknown;
use workbench::share::Scenario;

/// Simulate a launch on all SMs of a device, and print where its blocks ran, waves, and bandwidth
///
/// Exits with 1 if the kernel does not compile, an architecture refuses the launch, or the run faults, deadlocks, or
/// reaches its cycle limit.
#[derive(Args)]
pub(super) struct DeviceArgs {
    #[command(flatten)]
    scenario: ScenarioFlags,
    /// SMs that take blocks [default: all SMs of the product]
    #[arg(long)]
    sms: Option<u16>,
    /// Parts in which the SMs run, 0: in lock-step. The result does not depend on it
    #[arg(long, default_value_t = 1)]
    parts: usize,
    /// Print a JSON array with one record per architecture
    #[arg(long)]
    json: bool,
    /// Also print the counters of the device's run
    #[arg(long)]
    counters: bool,
}

pub(super) fn run(args: &DeviceArgs, out: &mut dyn Write) -> CliResult {
    let (scenario, archs, read) = args.scenario.scenario_and_launch()?;
    let unknown = read.as_ref().and_then(ReadLaunch::unknown);
    let file = args.scenario.file_name(&scenario);
    let mut verdict = Verdict::Good;
    let mut objects = Vec::new();
    for arch in archs {
        let result = match FailedLaunch::of(&scenario, arch, read.as_ref()) {
            Some(failed) => Err(failed.message()),
            None => simulate(&scenario, &file, arch, args.sms, args.parts),
        };
        if !matches!(&result, Ok(trace) if trace.outcome == Some(Outcome::Finished)) {
            verdict = Verdict::Bad;
        }
        match (args.json, result) {
            (true, Ok(trace)) => {
                let counters = trace.counters(architecture(arch), &scenario.launch()).into_iter();
                let counters: serde_json::Map<String, serde_json::Value> = counters
                    .map(|counter| (counter.name, json!(counter.value)))
                    .collect();
                let mut object = json!({ "arch": arch, "device": trace, "counters": counters });
                if let Some(unknown) = &unknown {
                    object["estimated"] = unknown.clause.clone().into();
                }
                objects.push(object);
            }
            (true, Err(message)) => objects.push(json!({ "arch": arch, "error": message })),
            (false, Ok(trace)) => {
                print(&trace, arch, unknown.as_ref(), out)?;
                if args.counters {
                    for counter in trace.counters(architecture(arch), &scenario.launch()) {
                        writeln!(out, "  {} = {} {}", counter.name, counter.value, counter.unit)?;
                    }
                    writeln!(out)?;
                }
            }
            (false, Err(message)) => writeln!(out, "{arch}: {}\n", message.trim_end())?,
        }
    }
    if args.json {
        serde_json::to_writer(&mut *out, &objects)?;
        writeln!(out)?;
    }
    Ok(estimated(verdict, unknown.as_ref()))
}

/// Compiles a scenario, and runs it on a device. The error is a message for the user.
pub(super) fn simulate(
    scenario: &Scenario,
    file: &str,
    arch: ArchId,
    sms: Option<u16>,
    parts: usize,
) -> Result<DeviceTrace, String> {
    let program = compiled(scenario, file, arch)?.program;
    let model = architecture(arch);
    let num_sms = model.chip.num_sms.value;
    let num_sms = sms.map_or(num_sms, |sms| sms.clamp(1, num_sms));
    let launch = scenario.launch();
    let mut simulation =
        DeviceSimulation::in_parts(model, &program, &launch, scenario.machine, num_sms, parts)
            .map_err(|error| refused(&error, &program, scenario, file))?;
    simulation.advance(u64::MAX);
    Ok(simulation.trace())
}

fn print(
    trace: &DeviceTrace,
    arch: ArchId,
    unknown: Option<&Unknown>,
    out: &mut dyn Write,
) -> std::io::Result<()> {
    let model = architecture(arch);
    let ghz = f64::from(model.chip.sm_clock_mhz.value) / 1000.0;
    let cycles = trace.num_cycles.max(1) as f64;
    let per_sm = trace.by_sm().into_iter().map(|spans| spans.len());
    let (most, fewest) = (per_sm.clone().max().unwrap_or(0), per_sm.min().unwrap_or(0));
    let (l2, dram) = (trace.requested.l2_bytes, trace.requested.dram_bytes);
    writeln!(out, "{} with {} SMs", model.name, trace.num_sms)?;
    let outcome = trace
        .outcome
        .as_ref()
        .map_or_else(String::new, |outcome| outcome_of_launch(outcome, unknown));
    writeln!(out, "  outcome        {outcome}")?;
    let is_cut = trace.outcome == Some(Outcome::CycleBudget);
    if is_cut && let Some(waits) = waiting_text(trace) {
        writeln!(out, "  waiting        {waits}")?;
    }
    writeln!(
        out,
        "  cycles         {} ({:.1} µs)",
        trace.num_cycles,
        cycles / ghz / 1000.0
    )?;
    writeln!(
        out,
        "  blocks         {}: {} fit an SM, {} the device; {:.2} waves; {fewest} to {most} ran on an SM",
        trace.num_blocks,
        trace.blocks_per_sm,
        trace.capacity(),
        trace.waves()
    )?;
    writeln!(
        out,
        "  tail           from cycle {}: {:.1} % of the run",
        trace.tail(),
        100.0 * (1.0 - trace.tail() as f64 / cycles)
    )?;
    writeln!(
        out,
        "  issued         {} warp instructions, {:.2} per cycle",
        trace.issued(),
        trace.issued() as f64 / cycles
    )?;
    writeln!(
        out,
        "  L2             {l2} bytes, {:.1} GB/s",
        l2 as f64 / cycles * ghz
    )?;
    writeln!(
        out,
        "  device memory  {dram} bytes, {:.1} GB/s\n",
        dram as f64 / cycles * ghz
    )
}

/// `block 160 has not started: 160 of 200 blocks fit, and none of them has finished`; `None` if every block has started, or a
/// block has finished.
fn waiting_text(trace: &DeviceTrace) -> Option<String> {
    let started = trace.blocks.len() as u64;
    let has_finished = trace.blocks.iter().any(|span| span.finished < trace.num_cycles);
    let waits = started < u64::from(trace.num_blocks) && !has_finished;
    waits.then(|| {
        let num_blocks = trace.num_blocks;
        format!(
            "block {started} has not started: {started} of {num_blocks} blocks fit, and none of them has finished"
        )
    })
}
