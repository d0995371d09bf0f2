//! `bench`: measures the speed of the library against its budgets.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use clap::Args;
use serde::Serialize;

use kernels::Timed;

use super::{CliError, CliResult, Verdict};
use cuda::{self, diagnostic::Diagnostic};
use engine::arch::{ArchId, architecture};
use engine::ids::Cycle;
use engine::isa::CompileOptions;
use engine::trace::{Simulation, Trace, TraceOptions};
use workbench::share::{self, Scenario};

mod clock;
mod kernels;
mod scaling;

/// The number of heap allocations so far, which the program's allocator counts.
pub static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);

fn allocations() -> u64 {
    ALLOCATIONS.load(Ordering::Relaxed)
}

/// Measure the speed of simulation, seeking, and compilation against budgets
///
/// Use a release build. Simulation speed is measured for every library kernel with a full trace, on a launch that
/// fills an SM. The budget applies to the median of the kernels that spend their time on issue and arithmetic.
#[derive(Args)]
pub(super) struct BenchArgs {
    /// Print a JSON array with one object per measurement
    #[arg(long)]
    json: bool,
    /// The simulated architecture
    #[arg(long, default_value = "gv100")]
    arch: ArchId,
    /// Measure only the simulation of kernels whose ID contains this text
    #[arg(long)]
    kernel: Option<String>,
    /// Number of runs per kernel; the fastest run counts
    #[arg(long, default_value_t = 5)]
    runs: u32,
    /// Count heap allocations in the second half of each run instead of time
    #[arg(long)]
    allocations: bool,
    /// Measure how time scales with warps, blocks, and instructions
    #[arg(long, conflicts_with = "allocations")]
    scaling: bool,
}

/// One measured number.
#[derive(Serialize)]
struct Measure {
    what: String,
    unit: &'static str,
    measured: f64,
    budget: f64,
    more_is_better: bool,
    /// Whether the kernel spends its time on issue and arithmetic; absent for other measurements.
    #[serde(skip_serializing_if = "Option::is_none")]
    compute: Option<bool>,
    /// The link to the same run on the page; absent for other measurements.
    #[serde(skip_serializing_if = "Option::is_none")]
    link: Option<String>,
}

/// The speed budget in million warp instructions per second.
const SPEED_BUDGET: f64 = 5.0;

/// The link of a run of about a million cycles.
const LONG: &str =
    "v1;kernel=pointer-chase;args=in:i32*1024:perm8,out:i32*32:zero,i32:24000;maxcycles=1000000";

pub(super) fn run(args: &BenchArgs, out: &mut dyn Write) -> CliResult {
    if args.scaling {
        return run_scaling(args, out);
    }
    if args.allocations {
        return run_allocations(args, out);
    }
    let mut measures = Vec::new();
    for kernel in kernels::chosen(args.kernel.as_deref(), args.arch) {
        let timed = kernels::time(kernel, args.arch, args.runs)?;
        let measure = speed(&timed);
        if !args.json {
            print(&measure, out)?;
            out.flush()?;
        }
        measures.push(measure);
    }
    let first_rest = measures.len();
    measures.extend(median(&measures));
    if args.kernel.is_none() {
        measures.extend(long_run()?);
        measures.push(compilation(300, 20.0)?);
        measures.push(compilation(5_000, 300.0)?);
    }
    if args.json {
        serde_json::to_writer_pretty(&mut *out, &measures)?;
        writeln!(out)?;
        return Ok(Verdict::Good);
    }
    for measure in &measures[first_rest..] {
        print(measure, out)?;
    }
    Ok(Verdict::Good)
}

fn print(measure: &Measure, out: &mut dyn Write) -> Result<(), CliError> {
    let Measure {
        what,
        unit,
        measured,
        budget,
        more_is_better,
        compute,
        ..
    } = measure;
    let sign = if *more_is_better { ">=" } else { "<=" };
    let mark = if *compute == Some(true) { "compute" } else { "" };
    writeln!(
        out,
        "{what:<52} {mark:<7} {measured:>10.3} {unit}  (budget {sign} {budget})"
    )?;
    Ok(())
}

fn speed(timed: &Timed) -> Measure {
    Measure {
        what: format!("simulation: {}", timed.kernel.id),
        unit: "M warp instr./s",
        measured: timed.speed(),
        budget: SPEED_BUDGET,
        more_is_better: true,
        compute: Some(timed.is_compute),
        link: Some(timed.link.clone()),
    }
}

/// Returns the median speed of the compute kernels.
fn median(measures: &[Measure]) -> Option<Measure> {
    let mut speeds: Vec<f64> = measures
        .iter()
        .filter(|measure| measure.compute == Some(true))
        .map(|measure| measure.measured)
        .collect();
    speeds.sort_by(f64::total_cmp);
    let middle = (speeds.get(speeds.len().checked_sub(1)? / 2)? + speeds.get(speeds.len() / 2)?) / 2.0;
    Some(Measure {
        what: format!("simulation: median of {} compute kernels", speeds.len()),
        unit: "M warp instr./s",
        measured: middle,
        budget: SPEED_BUDGET,
        more_is_better: true,
        compute: None,
        link: None,
    })
}

fn run_allocations(args: &BenchArgs, out: &mut dyn Write) -> CliResult {
    let mut rows = Vec::new();
    for kernel in kernels::chosen(args.kernel.as_deref(), args.arch) {
        let counted = kernels::allocated(kernel, args.arch)?;
        let per = |count: u64, of: u64, unit: f64| count as f64 * unit / of.max(1) as f64;
        let in_machine = per(counted.in_machine, counted.issues, 1.0);
        let with_trace = per(counted.with_trace, counted.cycles, 1e6);
        if args.json {
            rows.push(serde_json::json!({
                "kernel": counted.kernel.id,
                "instructions": counted.issues,
                "cycles": counted.cycles,
                "allocations_in_machine": counted.in_machine,
                "allocations_in_machine_per_instruction": in_machine,
                "allocations_with_trace": counted.with_trace,
                "allocations_with_trace_per_million_cycles": with_trace,
            }));
        } else {
            writeln!(
                out,
                "{:<24} {:>9} instr. {:>7} alloc. in the simulator ({in_machine:.5} per instr.) {:>7} with trace ({with_trace:.0} per M cycles)",
                counted.kernel.id, counted.issues, counted.in_machine, counted.with_trace
            )?;
            out.flush()?;
        }
    }
    if args.json {
        serde_json::to_writer_pretty(&mut *out, &rows)?;
        writeln!(out)?;
    }
    Ok(Verdict::Good)
}

fn run_scaling(args: &BenchArgs, out: &mut dyn Write) -> CliResult {
    let scalings = scaling::measure(args.arch)?;
    if args.json {
        serde_json::to_writer_pretty(&mut *out, &scalings)?;
        writeln!(out)?;
        return Ok(Verdict::Good);
    }
    for scaling in &scalings {
        writeln!(out, "time over {}: slope {:.3}", scaling.of, scaling.slope)?;
        for point in &scaling.points {
            writeln!(out, "  {:>9} {:>10.5} s", point.x, point.seconds)?;
        }
    }
    Ok(Verdict::Good)
}

/// Returns the first diagnostic of the compiler as an error.
fn compile_error(what: &str, diagnostics: &[Diagnostic]) -> CliError {
    let message = diagnostics
        .first()
        .map_or_else(String::new, |d| d.message.clone());
    CliError::Input(format!("{what}: {message}"))
}

fn scenario(link: &str) -> Scenario {
    share::decode(link).scenario
}

fn load(scenario: &Scenario) -> Result<Simulation, CliError> {
    let compiled = cuda::compile(
        scenario.source(),
        scenario.entry(),
        scenario.arch,
        &scenario.compile,
    )
    .map_err(|diagnostics| compile_error(&scenario.kernel, &diagnostics))?;
    Simulation::new(
        architecture(scenario.arch),
        Arc::new(compiled.program),
        &scenario.launch(),
        scenario.machine,
        TraceOptions::default(),
    )
    .map_err(|error| CliError::Input(error.to_string()))
}

/// Measures the time to seek to a cycle of a long run, and the size of its trace.
fn long_run() -> Result<[Measure; 2], CliError> {
    let mut simulation = load(&scenario(LONG))?;
    simulation.advance(u64::MAX);
    let trace: Trace = simulation.finish();
    let last = trace.last_cycle().0;
    let mut slowest = 0.0_f64;
    // Irregular steps avoid a bias toward checkpoint positions.
    for i in 0..50 {
        let cycle = Cycle(i * 618_033 % last.max(1));
        let start = Instant::now();
        let snapshot = trace.snapshot(cycle);
        slowest = slowest.max(start.elapsed().as_secs_f64());
        drop(snapshot);
    }
    let cycles = format!("{:.2} million cycles", last as f64 / 1e6);
    Ok([
        Measure {
            what: format!("any cycle of {cycles}, slowest of 50"),
            unit: "ms",
            measured: slowest * 1e3,
            budget: 50.0,
            more_is_better: false,
            compute: None,
            link: None,
        },
        Measure {
            what: format!("trace of {cycles}"),
            unit: "MB",
            measured: trace.total_bytes() as f64 / 1e6,
            budget: 150.0,
            more_is_better: false,
            compute: None,
            link: None,
        },
    ])
}

/// Measures the compile time of a kernel with `lines` lines in milliseconds: the best of three runs.
fn compilation(lines: usize, budget: f64) -> Result<Measure, CliError> {
    let mut source =
        "__global__ void long_kernel(float *x, int n)\n{\n    int i = threadIdx.x;\n    float a = x[i];\n"
            .to_owned();
    for line in 0..lines - 6 {
        source += &match line % 3 {
            0 => format!("    a = a * {line}.5f + x[(i + {line}) % n];\n"),
            1 => format!("    if (a > {line}.0f) a -= sqrtf(a);\n"),
            _ => format!("    i = (i * {line} + 1) % n;\n"),
        };
    }
    source += "    x[i] = a;\n}\n";
    let mut best = f64::MAX;
    for _ in 0..3 {
        let start = Instant::now();
        cuda::compile(&source, None, ArchId::Tu102, &CompileOptions::default())
            .map_err(|diagnostics| compile_error("the long kernel", &diagnostics))?;
        best = best.min(start.elapsed().as_secs_f64());
    }
    Ok(Measure {
        what: format!("compilation of {lines} lines"),
        unit: "ms",
        measured: best * 1e3,
        budget,
        more_is_better: false,
        compute: None,
        link: None,
    })
}
