//! `bench`: how fast the library is, against its budgets.

use std::io::Write;
use std::sync::Arc;
use std::time::Instant;

use clap::Args;
use serde::Serialize;

use super::{CliError, CliResult, Verdict};
use crate::arch::{ArchId, architecture};
use crate::cuda;
use crate::ids::Cycle;
use crate::isa::CompileOptions;
use crate::share::{self, Scenario};
use crate::trace::{Simulation, Trace, TraceOptions};

/// Measures simulation, going to a cycle, and compilation, against their budgets
///
/// Means something only in a release build on a machine that does nothing else.
#[derive(Args)]
pub(super) struct BenchArgs {
    /// One JSON array with an object for each measure
    #[arg(long)]
    json: bool,
}

/// One measured number.
#[derive(Serialize)]
struct Measure {
    what: String,
    unit: &'static str,
    measured: f64,
    budget: f64,
    more_is_better: bool,
}

/// Launches that fill an SM for long enough to be timed.
const SIMULATED: [(&str, &str); 4] = [
    (
        "integers beside floats",
        "v1;kernel=mixed-math;grid=32;args=out:f32*8192:zero,out:i32*8192:zero,i32:200",
    ),
    (
        "tiled matrix product",
        "v1;kernel=matmul-tiled;grid=8x8;args=out:f32*16384:zero,in:f32*16384:lcg3,in:f32*16384:lcg4,i32:128",
    ),
    (
        "vector addition",
        "v1;kernel=vector-add;grid=512;args=in:f32*131072:lcg1,in:f32*131072:lcg2,out:f32*131072:zero,i32:131072",
    ),
    (
        "transpose with bank conflicts",
        "v1;grid=16x16;args=out:f32*262144:zero,in:f32*262144:lcg1,i32:512,i32:512",
    ),
];

/// A run of a little over a million cycles.
const LONG: &str =
    "v1;kernel=pointer-chase;args=in:i32*1024:perm8,out:i32*32:zero,i32:24000;maxcycles=1000000";

pub(super) fn run(args: &BenchArgs, out: &mut dyn Write) -> CliResult {
    let mut measures = Vec::new();
    for (what, link) in SIMULATED {
        measures.push(speed(what, link)?);
    }
    measures.extend(long_run()?);
    measures.push(compilation()?);
    if args.json {
        serde_json::to_writer_pretty(&mut *out, &measures)?;
        writeln!(out)?;
        return Ok(Verdict::Good);
    }
    for Measure {
        what,
        unit,
        measured,
        budget,
        more_is_better,
    } in &measures
    {
        let sign = if *more_is_better { ">=" } else { "<=" };
        writeln!(
            out,
            "{what:<52} {measured:>12.3} {unit}  (budget {sign} {budget})"
        )?;
    }
    Ok(Verdict::Good)
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
    .map_err(|diagnostics| {
        let message = diagnostics
            .first()
            .map_or_else(String::new, |d| d.message.clone());
        CliError::Input(format!("{}: {message}", scenario.kernel))
    })?;
    Simulation::new(
        architecture(scenario.arch),
        Arc::new(compiled.program),
        &scenario.launch(),
        scenario.machine,
        TraceOptions::default(),
    )
    .map_err(|error| CliError::Input(error.to_string()))
}

/// The best of three runs: what the machine can do when nothing else happens on it.
fn speed(what: &str, link: &str) -> Result<Measure, CliError> {
    let scenario = scenario(link);
    let mut best = 0.0_f64;
    for _ in 0..3 {
        let mut simulation = load(&scenario)?;
        let start = Instant::now();
        let progress = simulation.advance(u64::MAX);
        best = best.max(progress.issues as f64 / start.elapsed().as_secs_f64());
    }
    Ok(Measure {
        what: format!("simulation: {what}"),
        unit: "M warp instr./s",
        measured: best / 1e6,
        budget: 5.0,
        more_is_better: true,
    })
}

/// Going to any cycle of a long run, and what its trace takes.
fn long_run() -> Result<[Measure; 2], CliError> {
    let mut simulation = load(&scenario(LONG))?;
    simulation.advance(u64::MAX);
    let trace: Trace = simulation.finish();
    let last = trace.last_cycle().0;
    let mut slowest = 0.0_f64;
    // Odd steps, so that no place of the checkpoints is favoured.
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
        },
        Measure {
            what: format!("trace of {cycles}"),
            unit: "MB",
            measured: trace.total_bytes() as f64 / 1e6,
            budget: 150.0,
            more_is_better: false,
        },
    ])
}

/// A kernel of 300 lines.
fn compilation() -> Result<Measure, CliError> {
    let mut source =
        "__global__ void long_kernel(float *x, int n)\n{\n    int i = threadIdx.x;\n    float a = x[i];\n"
            .to_owned();
    for line in 0..294 {
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
        cuda::compile(&source, None, ArchId::Tu102, &CompileOptions::default()).map_err(|diagnostics| {
            let message = diagnostics
                .first()
                .map_or_else(String::new, |d| d.message.clone());
            CliError::Input(format!("the kernel of 300 lines: {message}"))
        })?;
        best = best.min(start.elapsed().as_secs_f64());
    }
    Ok(Measure {
        what: "compilation of 300 lines".to_owned(),
        unit: "ms",
        measured: best * 1e3,
        budget: 20.0,
        more_is_better: false,
    })
}
