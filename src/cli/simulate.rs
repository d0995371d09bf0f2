//! `run` and `trace`: simulate a scenario.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use clap::{Args, ValueEnum};
use serde_json::json;

use super::check::{coverage_text, findings_text, located};
use super::failed::{FailedLaunch, error_json, print_errors};
use super::launches::guesses_json;
use super::outputs::OutputFlags;
use super::scenario::ScenarioFlags;
use super::{CliError, CliResult, Verdict, estimated, outcome_of_launch};
use cuda::Compiled;
use cuda::diagnostic::Diagnostic;
use engine::arch::{ArchId, Occupancy, architecture};
use engine::ids::Cycle;
use engine::isa::Program;
use engine::launch::Launch;
use engine::printf::{num_overwritten, overwritten_text};
use engine::sim::memory::Outputs;
use engine::sim::observer::Observer;
use engine::sim::{LaunchError, MachineOptions, Outcome, WarpState};
use engine::trace::{Simulation, Trace, TraceOptions};
use workbench::app::host::ReadLaunch;
use workbench::check::{Checker, Coverage, Finding, refusal};
use workbench::scene::thousands;
use workbench::share::Scenario;

/// Simulate a kernel and print cycles, occupancy, stall reasons, counters, and outputs
///
/// The command also prints compiler warnings and the findings of memcheck, initcheck, racecheck, and synccheck (see
/// `check --run`). Exits with 1 if the kernel does not compile, an architecture refuses the launch, or the run faults,
/// deadlocks, or reaches its cycle limit; with 3 if values of the launch in `main()` are not known, or if
/// they are chosen.
#[derive(Args)]
pub(super) struct RunArgs {
    #[command(flatten)]
    scenario: ScenarioFlags,
    /// Print a JSON array with one object per architecture
    #[arg(long)]
    json: bool,
    /// Also print the counters
    #[arg(long)]
    counters: bool,
    #[command(flatten)]
    outputs: OutputFlags,
    /// Does not check the accesses and barriers of the run, which takes time and memory
    #[arg(long)]
    no_checks: bool,
}

/// Export a run: counters and warp states, or events for Perfetto
#[derive(Args)]
pub(super) struct TraceArgs {
    #[command(flatten)]
    scenario: ScenarioFlags,
    /// The output format
    #[arg(long, value_enum)]
    format: Format,
    /// The output file [default: standard output]
    #[arg(long, short)]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// Outcome, counters, and cycles by warp state
    Json,
    /// Cycles of every warp slot by warp state
    Csv,
    /// Counters with name, value, and unit
    Counters,
    /// Events in Chrome's trace format for ui.perfetto.dev; one microsecond represents one cycle
    Perfetto,
}

pub(super) fn run(args: &RunArgs, out: &mut dyn Write) -> CliResult {
    let (mut scenario, archs, mut read) = args.scenario.scenario_and_launch()?;
    let file = args.scenario.file_name(&scenario);
    let mut verdict = Verdict::Good;
    let mut objects = Vec::new();
    for (idx, arch) in archs.iter().copied().enumerate() {
        if idx > 0 && read.is_some() {
            // What `main()` does depends on the limits of the GPU.
            (scenario, read) = args.scenario.scenario_on(Some(arch))?;
        }
        if let Some(failed) = FailedLaunch::of(&scenario, arch, read.as_ref()) {
            verdict = Verdict::Bad;
            if args.json {
                objects.push(failed.json());
            } else {
                failed.print(&file, &args.outputs, out)?;
            }
            continue;
        }
        if let Some(why) = unread_texture(&scenario, arch, read.as_ref()) {
            verdict = estimated(verdict, read.as_ref().and_then(ReadLaunch::unknown).as_ref());
            if args.json {
                objects.push(json!({ "arch": arch, "error": why }));
            } else {
                writeln!(out, "{arch}: {why}\n")?;
            }
            continue;
        }
        let mut result = simulate(&scenario, &file, arch, !args.no_checks);
        let unknown = read.as_ref().and_then(ReadLaunch::unknown);
        match (&mut result, &unknown) {
            (Ok(run), Some(unknown)) => {
                run.findings = unknown.qualify(std::mem::take(&mut run.findings));
                verdict = estimated(verdict, Some(unknown));
            }
            (Ok(run), None) if run.trace.outcome() == Some(&Outcome::Finished) => {}
            _ => verdict = Verdict::Bad,
        }
        let saved = match &result {
            Ok(run) => args
                .outputs
                .save(&run.trace, &run.outputs, (archs.len() > 1).then_some(arch))?,
            Err(_) => Vec::new(),
        };
        match (args.json, result) {
            (true, Ok(run)) => {
                let mut object = run.trace.run_json();
                if !args.no_checks {
                    object["warnings"] = located(&run.warnings, scenario.source(), &file)?.into();
                    object["findings"] = serde_json::to_value(&run.findings)?;
                }
                if let Some(unknown) = &unknown {
                    object["estimated"] = unknown.clause.clone().into();
                }
                if let Some(sm) = run.trace.options().sm {
                    object["sm"] = sm.into();
                }
                if let Some(read) = read.as_ref().filter(|read| read.is_chosen) {
                    object["chosen"] = json!({
                        "kernel": read.kernel,
                        "line": read.line,
                        "values": guesses_json(read),
                    });
                } else if let Some(read) = &read {
                    object["read"] = json!({
                        "kernel": read.kernel,
                        "line": read.line,
                        "num_launches": read.num_launches,
                        "guessed": guesses_json(read),
                        "read_back": read.read_back,
                        "errors": read.unread_errors.iter().map(error_json).collect::<Vec<_>>(),
                    });
                }
                args.outputs.add_to(&mut object, &run.trace, &run.outputs, &saved);
                objects.push(object);
            }
            (true, Err(message)) => {
                let message = message + &args.scenario.unread(&scenario, arch, read.as_ref());
                objects.push(json!({ "arch": arch, "error": message }));
            }
            (false, Ok(run)) => print(&run, &scenario, args, (read.as_ref(), &saved), out)?,
            (false, Err(message)) => {
                let unread = args.scenario.unread(&scenario, arch, read.as_ref());
                writeln!(out, "{arch}: {}{unread}\n", message.trim_end())?;
            }
        }
    }
    if args.json {
        serde_json::to_writer_pretty(&mut *out, &objects)?;
        writeln!(out)?;
    }
    Ok(verdict)
}

pub(super) fn trace(args: &TraceArgs, out: &mut dyn Write) -> CliResult {
    let (scenario, archs, read) = args.scenario.scenario_and_launch()?;
    let unknown = read.as_ref().and_then(ReadLaunch::unknown);
    let [arch] = archs[..] else {
        return Err(CliError::Input("a trace is of one architecture".to_owned()));
    };
    if let Some(failed) = FailedLaunch::of(&scenario, arch, read.as_ref()) {
        return Err(CliError::Input(failed.message()));
    }
    let file = args.scenario.file_name(&scenario);
    let run = simulate(&scenario, &file, arch, false).map_err(CliError::Input)?;
    let text = match args.format {
        Format::Json => format!("{:#}\n", run.trace.summary_json()),
        Format::Csv => run.trace.states_csv(),
        Format::Counters => run.trace.counters_csv(),
        Format::Perfetto => run.trace.perfetto_json(),
    };
    match &args.output {
        Some(path) => std::fs::write(path, text)?,
        None => out.write_all(text.as_bytes())?,
    }
    let is_finished = run.trace.outcome() == Some(&Outcome::Finished);
    let verdict = if is_finished { Verdict::Good } else { Verdict::Bad };
    Ok(estimated(verdict, unknown.as_ref()))
}

/// A recorded run.
pub(super) struct Run {
    pub(super) trace: Trace,
    pub(super) outputs: Outputs,
    occupancy: Occupancy,
    /// Warnings of the compiler.
    warnings: Vec<Diagnostic>,
    coverage: Coverage,
    /// Findings of the checks.
    findings: Vec<Finding>,
}

/// Compiles a scenario's kernel. The error is a message for the user; `file` is the source's name in messages.
pub(super) fn compiled(scenario: &Scenario, file: &str, arch: ArchId) -> Result<Compiled, String> {
    let source = scenario.source();
    cuda::compile(source, scenario.entry(), arch, &scenario.compile).map_err(|diagnostics| {
        let text: String = diagnostics
            .iter()
            .map(|diagnostic| diagnostic.render(file, source))
            .collect();
        format!("the kernel does not compile\n{text}")
    })
}

/// Why an architecture refuses a launch, as a message for the user.
pub(super) fn refused(error: &LaunchError, program: &Program, scenario: &Scenario, file: &str) -> String {
    let refusal = refusal(error, program);
    format!(
        "the launch is refused\n{}",
        refusal.render(file, scenario.source())
    )
}

/// Compiles and runs a scenario. The error is a message for the user; `file` is the source's name in messages.
pub(super) fn simulate(
    scenario: &Scenario,
    file: &str,
    arch: ArchId,
    with_checks: bool,
) -> Result<Run, String> {
    let compiled = compiled(scenario, file, arch)?;
    let (program, launch) = (Arc::new(compiled.program), scenario.launch());
    let run = recorded(scenario, file, (&program, &launch), scenario.machine, with_checks)?;
    let run = if run.trace.outcome().is_some_and(Outcome::needs_device) {
        // Only a run of the device shows whether the blocks end.
        let options = MachineOptions {
            sm: Some(0),
            ..scenario.machine
        };
        recorded(scenario, file, (&program, &launch), options, with_checks)?
    } else {
        run
    };
    Ok(Run {
        warnings: compiled.diagnostics,
        ..run
    })
}

/// Runs a compiled kernel. The error is a message for the user.
fn recorded(
    scenario: &Scenario,
    file: &str,
    (program, launch): (&Arc<Program>, &Launch),
    options: MachineOptions,
    with_checks: bool,
) -> Result<Run, String> {
    let mut simulation = Simulation::new(
        architecture(program.arch),
        Arc::clone(program),
        launch,
        options,
        TraceOptions::default(),
    )
    .map_err(|error| refused(&error, program, scenario, file))?;
    let mut checker = with_checks.then(|| Checker::new(program, launch, simulation.machine()));
    simulation.advance_observed(
        u64::MAX,
        checker.as_mut().map(|checker| checker as &mut dyn Observer),
    );
    let outcome = simulation.machine().outcome();
    let coverage = checker.as_ref().map_or_else(Coverage::default, Checker::coverage);
    Ok(Run {
        coverage,
        warnings: Vec::new(),
        findings: checker.map_or_else(Vec::new, |checker| checker.findings_of(outcome)),
        outputs: simulation.machine().outputs(),
        occupancy: *simulation.machine().occupancy(),
        trace: simulation.finish(),
    })
}

/// Why a launch whose textures are not read does not run.
fn unread_texture(scenario: &Scenario, arch: ArchId, read: Option<&ReadLaunch>) -> Option<String> {
    // Without a texture, the names are not needed.
    let read = read.filter(|read| read.unread_texture(&[]).is_some())?;
    let compiled = cuda::compile(scenario.source(), scenario.entry(), arch, &scenario.compile).ok()?;
    let names: Vec<String> = (compiled.program.params.iter())
        .map(|param| param.name.clone())
        .collect();
    read.unread_texture(&names)
}

/// How many blocks run, if not all do.
fn first_blocks(scenario: &Scenario, launch: &Launch) -> String {
    match scenario.machine.first_blocks {
        Some(first) if u64::from(first) < launch.num_blocks() => format!(
            "; the first {} run (--blocks {} runs all)",
            thousands(first.into()),
            launch.num_blocks()
        ),
        _ => String::new(),
    }
}

fn print(
    run: &Run,
    scenario: &Scenario,
    args: &RunArgs,
    (read, saved): (Option<&ReadLaunch>, &[PathBuf]),
    out: &mut dyn Write,
) -> Result<(), CliError> {
    let trace = &run.trace;
    let (arch, program, occupancy) = (trace.arch(), trace.program(), &run.occupancy);
    let launch = trace.launch();
    let extent = |extent: [u32; 3]| extent.map(|n| n.to_string()).join(" x ");
    let unknown = read.and_then(ReadLaunch::unknown);
    let estimated = if read.is_some_and(|read| read.is_chosen) {
        ", chosen launch"
    } else if unknown.is_some() {
        ", estimated launch"
    } else {
        ""
    };
    writeln!(
        out,
        "{} on {} (compute capability {}){estimated}",
        program.name, arch.name, arch.compute_capability
    )?;
    writeln!(
        out,
        "  launch      {} blocks of {} threads{}",
        extent(launch.grid),
        extent(launch.block),
        first_blocks(scenario, launch)
    )?;
    if let Some(read) = read {
        let name = if read.is_chosen { "chosen" } else { "read  " };
        writeln!(out, "  {name}      {}", read.sentence())?;
        for reason in read.reasons() {
            writeln!(out, "              {reason}")?;
        }
        if read.num_launches > 1 {
            writeln!(
                out,
                "              This is launch {} of {}; --launch N takes another.",
                read.idx + 1,
                read.num_launches
            )?;
        }
    }
    if let (Some(sm), None) = (trace.options().sm, scenario.machine.sm) {
        writeln!(
            out,
            "  device      The blocks wait for each other, and one SM alone does not hold them: this is SM {sm} of the device."
        )?;
    }
    writeln!(
        out,
        "  occupancy   {} blocks, {} of {} warps, {} registers a thread",
        occupancy.blocks_per_sm,
        occupancy.warps_per_sm(),
        occupancy.max_warps_per_sm,
        program.registers_per_thread
    )?;
    writeln!(
        out,
        "  outcome     {}",
        trace
            .outcome()
            .map_or_else(String::new, |outcome| outcome_of_launch(
                outcome,
                unknown.as_ref()
            ))
    )?;
    let num_issues = trace.num_issues();
    writeln!(
        out,
        "  cycles      {}, {num_issues} warp instructions, {:.3} a cycle",
        trace.num_cycles(),
        num_issues as f64 / trace.num_cycles().max(1) as f64
    )?;
    let states = trace.states_between(None, Cycle(0), Cycle(trace.num_cycles()));
    let resident: u64 = states[1..].iter().sum();
    for state in &WarpState::ALL[1..] {
        let cycles = states[*state as usize];
        if cycles > 0 {
            let percent = 100.0 * cycles as f64 / resident as f64;
            writeln!(out, "  {percent:>6.2} %    {}", state.name())?;
        }
    }
    for place in run.outputs.compared_places() {
        let argument = place.argument;
        // Memory that only addresses lead to has no parameter.
        let what = if argument < trace.program().params.len() {
            format!("argument {argument}")
        } else {
            engine::sim::memory::argument_name(trace.program(), launch, argument)
        };
        let (memory, mut crc32) = (&run.outputs.device, crc32fast::Hasher::new());
        place.each_chunk(memory, &mut |chunk| {
            crc32.update(chunk);
            true
        });
        let first = args.outputs.text(launch, place, memory);
        writeln!(out, "  {what}  crc32 {:08x}: {first}", crc32.finalize())?;
    }
    for path in saved {
        writeln!(out, "  saved       {}", path.display())?;
    }
    print_printed(trace, out)?;
    if args.counters {
        for counter in trace.counters() {
            writeln!(out, "  {} = {} {}", counter.name, counter.value, counter.unit)?;
        }
    }
    let (file, source) = (args.scenario.file_name(scenario), scenario.source());
    if !args.no_checks {
        let findings = findings_text(run.findings.len());
        let coverage = coverage_text(run.coverage, trace.outcome());
        writeln!(out, "  checks      {findings}{coverage}")?;
    }
    let findings = run.findings.iter().map(Finding::diagnostic);
    for diagnostic in run.warnings.iter().cloned().chain(findings) {
        write!(out, "{}", diagnostic.render(&file, source))?;
    }
    if let Some(read) = read {
        print_errors(read, &file, source, out)?;
    }
    writeln!(out)?;
    Ok(())
}

/// Prints the kernel's printf output, with block and thread in front of each line.
fn print_printed(trace: &Trace, out: &mut dyn Write) -> Result<(), CliError> {
    let calls = trace.printed();
    if calls.is_empty() {
        return Ok(());
    }
    writeln!(out, "  printed     block, thread: text")?;
    let num_lost = num_overwritten(calls);
    if num_lost > 0 {
        writeln!(out, "    {}", overwritten_text(num_lost))?;
    }
    let index = |index: [u32; 3]| index.map(|n| n.to_string()).join(",");
    for call in &calls[num_lost..] {
        let text = call.text();
        for line in text.strip_suffix('\n').unwrap_or(&text).split('\n') {
            writeln!(
                out,
                "    [{}] [{}]: {line}",
                index(call.block),
                index(call.thread)
            )?;
        }
    }
    Ok(())
}
