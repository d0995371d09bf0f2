//! `plots`: the simulated points of the Plots view, from the microbenchmarks of the validation.

use std::fmt::Write as _;
use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use super::plot_experiments;
use super::validation::measure_quantity;
use super::{CliError, CliResult, Verdict};
use engine::arch::{ArchId, architecture};
use workbench::scene::{
    EXPERIMENT_ROWS, ExperimentRow, SIMULATED, SimulatedRow, THROUGHPUT_CLASSES, ThroughputClass,
    experiments_text,
};

/// The file of the points, in the source tree.
const PATH: &str = "src/workbench/scene/plots/simulated.csv";
/// The file of the points of experiments, in the source tree.
const EXPERIMENTS_PATH: &str = "src/workbench/scene/plots/experiments.csv";
/// Warps of the microbenchmarks, in one block.
const WARPS: [u32; 8] = [1, 2, 4, 8, 12, 16, 24, 32];
/// Independent instructions of a thread.
const PARALLEL: [u32; 3] = [1, 2, 4];
/// Loads of a thread in flight.
const LOADS: [u32; 4] = [1, 2, 4, 8];

/// Simulate the microbenchmarks whose results are points in the Plots view
#[derive(Args)]
pub(super) struct PlotsArgs {
    /// Write the points to the source tree in this folder
    #[arg(long, value_name = "FOLDER")]
    write: Option<PathBuf>,
    /// Compare the points with those in the program; exit code 1 if they differ
    #[arg(long)]
    check: bool,
    /// Only this architecture
    #[arg(long)]
    arch: Option<ArchId>,
}

pub(super) fn run(args: &PlotsArgs, out: &mut dyn Write) -> CliResult {
    let is_wanted = |id: ArchId| args.arch.is_none_or(|only| only == id);
    let ids = || ArchId::ALL.into_iter().filter(|id| is_wanted(*id));
    let rows: Vec<SimulatedRow> = ids().flat_map(simulate).collect();
    let experiments: Vec<ExperimentRow> = ids().flat_map(plot_experiments::simulate).collect();
    let files = [
        (PATH, written(&rows)),
        (EXPERIMENTS_PATH, experiments_text(&experiments)),
    ];
    if let Some(folder) = &args.write {
        for (path, text) in &files {
            let path = folder.join(path);
            std::fs::write(&path, text).map_err(|source| CliError::WriteFile { path, source })?;
        }
    }
    if args.check {
        let kept: Vec<SimulatedRow> = SIMULATED
            .iter()
            .filter(|row| is_wanted(row.arch))
            .cloned()
            .collect();
        let kept_experiments = EXPERIMENT_ROWS.iter().filter(|row| is_wanted(row.arch));
        let kept_experiments: Vec<ExperimentRow> = kept_experiments.cloned().collect();
        if [written(&kept), experiments_text(&kept_experiments)] != files.map(|(_, text)| text) {
            writeln!(
                out,
                "the points of the Plots view differ from the simulator: run `warpscope plots --write .`"
            )?;
            return Ok(Verdict::Bad);
        }
        writeln!(out, "{} curves are up to date", rows.len() + experiments.len())?;
        return Ok(Verdict::Good);
    }
    if args.write.is_none() {
        for (_, text) in files {
            out.write_all(text.as_bytes())?;
        }
    }
    Ok(Verdict::Good)
}

/// The rows as text, one line each.
fn written(rows: &[SimulatedRow]) -> String {
    let mut text = String::from(
        "# Written by `warpscope plots --write .`: architecture, microbenchmark, independent instructions or loads of a thread, warps:rate per clock of one SM\n",
    );
    for row in rows {
        let _ = write!(text, "{},{},{}", row.arch.text(), row.what, row.parallel);
        for (warps, rate) in &row.rates {
            let _ = write!(text, ",{warps}:{rate}");
        }
        text.push('\n');
    }
    text
}

/// The rates of an architecture: results per clock for instructions, bytes per clock for memory.
pub(super) fn simulate(id: ArchId) -> Vec<SimulatedRow> {
    let arch = architecture(id);
    let most = u32::from(arch.occupancy.max_threads_per_block.value) / 32;
    let mut rows = Vec::new();
    for class in THROUGHPUT_CLASSES {
        if arch.cost(class.class).is_none() {
            continue;
        }
        for parallel in PARALLEL {
            let rate = |warps: u32| Some(32.0 / point(id, benchmark(id, &class), parallel, warps)?);
            rows.extend(row(id, class.id, parallel, most, rate));
        }
    }
    for level in ["l2", "device"] {
        if level == "l2" && arch.memory.l2.is_none() {
            continue;
        }
        let quantity = if level == "l2" {
            "bandwidth l2"
        } else {
            "bandwidth dram"
        };
        for loads in LOADS {
            let rate = |warps: u32| bandwidth(id, quantity, loads, warps);
            rows.extend(row(id, level, loads, most, rate));
        }
    }
    rows
}

fn row(
    arch: ArchId,
    what: &'static str,
    parallel: u32,
    most: u32,
    rate: impl Fn(u32) -> Option<f64>,
) -> Option<SimulatedRow> {
    let rates: Vec<(u8, f64)> = WARPS
        .into_iter()
        .filter(|warps| *warps <= most)
        .filter_map(|warps| Some((warps as u8, (rate(warps)? * 100.0).round() / 100.0)))
        .collect();
    (!rates.is_empty()).then(|| SimulatedRow {
        arch,
        what: what.to_owned(),
        parallel: parallel as u8,
        rates,
    })
}

/// The microbenchmark of a class: 1.x has no FFMA, and its FADD has the class of FFMA.
fn benchmark(arch: ArchId, class: &ThroughputClass) -> &'static str {
    if class.id == "ffma" && architecture(arch).truncates_mad() {
        "issue fadd"
    } else {
        class.benchmark
    }
}

/// Cycles of the SM per warp instruction; `None` if the microbenchmark does not run on the architecture.
fn point(arch: ArchId, benchmark: &str, parallel: u32, warps: u32) -> Option<f64> {
    let conditions = format!("ways=1 ilp={parallel} warps={warps}");
    measure_quantity(arch, benchmark, &conditions).ok()
}

/// Bytes per clock; `None` if the microbenchmark does not run on the architecture.
fn bandwidth(arch: ArchId, quantity: &str, loads: u32, warps: u32) -> Option<f64> {
    let conditions = format!("warps={warps} width=4 flight={loads}");
    measure_quantity(arch, quantity, &conditions).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A simulation of a part of the points on every architecture; `warpscope plots --check` simulates all.
    #[test]
    fn points_of_the_plots_are_those_of_the_simulator() {
        let mut num = 0;
        for (idx, row) in SIMULATED.iter().enumerate() {
            // Another place of each row, so that all warp counts occur.
            let Some((warps, rate)) = row.rates.get(idx % 4) else {
                continue;
            };
            let warps = u32::from(*warps);
            let found = match row.what.as_str() {
                "l2" => bandwidth(row.arch, "bandwidth l2", row.parallel.into(), warps),
                "device" => bandwidth(row.arch, "bandwidth dram", row.parallel.into(), warps),
                what => {
                    let class = THROUGHPUT_CLASSES.iter().find(|class| class.id == what).unwrap();
                    point(row.arch, benchmark(row.arch, class), row.parallel.into(), warps)
                        .map(|cycles| 32.0 / cycles)
                }
            };
            let found = (found.unwrap() * 100.0).round() / 100.0;
            assert_eq!(
                found, *rate,
                "{row:?} at {warps} warps: run `warpscope plots --write .`"
            );
            num += 1;
        }
        assert!(num > 150, "{num}");
    }

    /// Every experiment on every architecture, at one point each.
    #[test]
    fn points_of_the_experiments_are_those_of_the_simulator() {
        let mut num = 0;
        for (idx, row) in EXPERIMENT_ROWS.iter().enumerate() {
            // The device's runs are short with few blocks.
            let at = if row.what == "waves" {
                idx % 2
            } else {
                idx % row.points.len()
            };
            let (x, y) = row.points[at];
            let found = plot_experiments::measure(row.arch, &row.what, x).unwrap();
            assert_eq!(
                (found * 100.0).round() / 100.0,
                y,
                "{row:?} at {x}: run `warpscope plots --write .`"
            );
            num += 1;
        }
        // A block of 512 threads of the first experiment has too many registers for G80.
        assert_eq!(num, 14 * 4 - 1);
    }
}
