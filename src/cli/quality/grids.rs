//! Compares the cycles of grids on all SMs of a device with those of an H200.

use std::fmt::Write;

use super::code::{self, EXECUTED, MEASURED, Run, Sources};
use super::cycles::{self, Hardware, OneBlock, Overhead};
use super::row::median;
use crate::corpus::in_parallel;
use ::corpus::cases::Case;
use engine::arch::architecture;
use engine::isa::Program;
use engine::launch::Launch;
use engine::sim::{MachineOptions, Outcome};
use engine::trace::device::DeviceSimulation;

/// A case of several blocks.
pub(super) struct Grid {
    /// The case, on all SMs.
    pub(super) run: OneBlock,
    /// Blocks of the grid.
    num_blocks: u32,
    /// The least `sm__cycles_elapsed.max` of repeated launches.
    elapsed: u64,
}

/// The cases of several blocks, and the cycles of launching.
pub(super) struct Grids {
    grids: Vec<Grid>,
    /// Cycles that the H200 counts as elapsed but not as active: the median over the cases of one block.
    launch: f64,
}

impl Grid {
    /// The relative error against the elapsed cycles of a repeated launch.
    fn elapsed_error(&self, overhead: Overhead, launch: f64) -> Option<f64> {
        let ours = self.run.ours.as_ref().ok()?.cycles as f64;
        Some((ours + overhead.warm + launch) / self.elapsed as f64 - 1.0)
    }
}

/// Runs the cases of several blocks on all SMs.
pub(super) fn measure(cases: &[Case], sources: &Sources) -> Grids {
    let between: Vec<f64> = cases
        .iter()
        .filter(|case| case.launch.grid == [1; 3])
        .filter_map(|case| Some((case.count("warm_elapsed_min")?, case.count("warm_cycles_min")?)))
        .map(|(elapsed, active)| elapsed as f64 - active as f64)
        .collect();
    let known: Vec<(&Case, Hardware, u64)> = cases
        .iter()
        .filter(|case| case.launch.grid != [1; 3])
        .filter_map(|case| {
            let hardware = Hardware {
                cold: case.count("cold_cycles_median")?,
                warm: case.count("warm_cycles_median")?,
                instructions: case.count(EXECUTED)? as f64,
            };
            Some((case, hardware, case.count("warm_elapsed_min")?))
        })
        .collect();
    let ours = in_parallel(&known, |(case, ..)| {
        if let Some(reason) = code::timing_dependence(case) {
            return Err(reason.to_owned());
        }
        let program = code::compile(sources, &case.file, &case.kernel, MEASURED)?;
        run(&program, &case.launch)
    });
    let grid = |((case, hardware, elapsed), ours): ((&Case, Hardware, u64), _)| Grid {
        run: OneBlock {
            file: case.file.clone(),
            case: case.name.clone(),
            hardware,
            ours,
        },
        num_blocks: case.launch.grid.iter().product(),
        elapsed,
    };
    Grids {
        grids: known.into_iter().zip(ours).map(grid).collect(),
        launch: median(&between).unwrap_or(0.0),
    }
}

/// Runs a launch on all SMs.
fn run(program: &Program, launch: &Launch) -> Result<Run, String> {
    let model = architecture(program.arch);
    let options = MachineOptions {
        max_cycles: u64::from(u32::MAX),
        ..MachineOptions::default()
    };
    let num_sms = model.chip.num_sms.value;
    let mut simulation =
        DeviceSimulation::new(model, program, launch, options, num_sms).map_err(|error| error.to_string())?;
    simulation.advance(u64::MAX);
    let trace = simulation.trace();
    match &trace.outcome {
        Some(Outcome::Finished) => Ok(Run {
            cycles: trace.num_cycles,
            instructions: trace.issued(),
        }),
        outcome => Err(format!("{outcome:?}")),
    }
}

/// Writes the medians and the table.
pub(super) fn section(out: &mut String, grids: &Grids, blocks: &[OneBlock], overhead: Overhead) {
    let _ = write!(
        out,
        "## Cycles of grids on all SMs\n\n\
         All cases of several blocks, on a device of 132 SMs, with empty caches. H200: `sm__cycles_active.max` of first and of\n\
         repeated launches, and the least `sm__cycles_elapsed.max` of repeated launches. The error is against the nearer of first\n\
         and repeated launches, as for one block, with the overhead around a kernel. The last column compares with the elapsed\n\
         cycles, to which the launch contributes {:.0} cycles (the median of elapsed minus active cycles of the cases of one block).\n\
         In repeated launches, the H200 has the data in L2; the simulator loads them from device memory.\n\n",
        grids.launch
    );
    let of = |error: Vec<f64>| {
        let absolute: Vec<f64> = error.iter().map(|error| error.abs()).collect();
        median(&absolute).unwrap_or(0.0) * 100.0
    };
    let one = of(blocks.iter().filter_map(|block| block.error(overhead)).collect());
    let many = of(grids
        .grids
        .iter()
        .filter_map(|grid| grid.run.error(overhead))
        .collect());
    let elapsed = |grid: &Grid| grid.elapsed_error(overhead, grids.launch);
    let against_elapsed = of(grids.grids.iter().filter_map(elapsed).collect());
    let _ = write!(
        out,
        "| cases | number | median error |\n| --- | ---: | ---: |\n| one block | {} | {one:.1} % |\n\
         | several blocks | {} | {many:.1} % |\n| several blocks, elapsed cycles | {} | {against_elapsed:.1} % |\n\n\
         | case | file | blocks | simulated | first | repeated | elapsed | error | error, elapsed |\n\
         | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n",
        cycles::summary(blocks.iter(), overhead).map_or(0, |summary| summary.num),
        grids.grids.iter().filter(|grid| grid.run.ours.is_ok()).count(),
        grids.grids.iter().filter(|grid| grid.run.ours.is_ok()).count(),
    );
    for grid in &grids.grids {
        let (Ok(ours), Some(error), Some(of_elapsed)) =
            (&grid.run.ours, grid.run.error(overhead), elapsed(grid))
        else {
            continue;
        };
        let _ = writeln!(
            out,
            "| `{}` | {} | {} | {} | {} | {} | {} | {:+.0} % | {:+.0} % |",
            grid.run.case,
            grid.run.file,
            grid.num_blocks,
            ours.cycles,
            grid.run.hardware.cold,
            grid.run.hardware.warm,
            grid.elapsed,
            100.0 * error,
            100.0 * of_elapsed
        );
    }
    out.push('\n');
}
