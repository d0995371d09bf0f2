//! Compares the cycles of one block on one SM with those of an H200.

use std::path::Path;

use super::code::{self, EXECUTED, MEASURED, Run, Sources};
use super::row::median;
use crate::CliError;
use crate::corpus::in_parallel;
use crate::table::Table;
use ::corpus::cases::Case;
use engine::isa::ElemType;
use engine::launch::{Argument, Fill, Launch, Pattern, Role};

/// Instruction ratios so close to 1 that the model causes a difference in cycles.
const SAME_CODE: std::ops::RangeInclusive<f64> = 0.9..=1.1;

/// Threads, and cycles of `__global__ void store(int *out) { out[threadIdx.x] = threadIdx.x; }` in one block on an
/// H200: with caches flushed before each launch, and in repeated launches. Source: `sm__cycles_active.max`, Nsight
/// Compute 2025, medians of five launches.
const STORE: [(u32, u64, u64); 2] = [(32, 384, 226), (1024, 537, 279)];

/// Cycles that the H200 counts and the simulator does not: the launch of the block, instruction fetch, and the end
/// of the block. The simulator starts with the first instruction and has no instruction caches.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Overhead {
    /// Cycles in a first launch.
    pub(super) cold: f64,
    /// Cycles in a repeated launch.
    pub(super) warm: f64,
}

impl Overhead {
    /// Measures a kernel that stores one word per thread: the H200's cycles minus the simulated cycles, the mean of
    /// two block sizes.
    ///
    /// # Errors
    /// Returns a sentence if the kernel does not run.
    pub(super) fn measure() -> Result<Self, String> {
        let source = "__global__ void store(int *out) { out[threadIdx.x] = threadIdx.x; }";
        let sources = Sources::from([("store.cu".to_owned(), Ok(source.to_owned()))]);
        let program = code::compile(&sources, "store.cu", "store", MEASURED)?;
        let mut overhead = Self::default();
        for (threads, cold, warm) in STORE {
            let ours = code::run(&program, &store_launch(threads))?.cycles as f64;
            overhead.cold += (cold as f64 - ours) / STORE.len() as f64;
            overhead.warm += (warm as f64 - ours) / STORE.len() as f64;
        }
        Ok(overhead)
    }
}

fn store_launch(threads: u32) -> Launch {
    Launch {
        grid: [1; 3],
        block: [threads, 1, 1],
        dynamic_shared: 0,
        args: vec![Argument::Buffer {
            elem: ElemType::I32,
            len: threads,
            fill: Fill::of(Pattern::Zero),
            role: Role::Out,
            start: 0,
        }],
        symbols: Vec::new(),
    }
}

/// What one block takes on the hardware.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Hardware {
    /// Median cycles of a launch with empty caches.
    pub(super) cold: u64,
    /// Median cycles of a repeated launch.
    pub(super) warm: u64,
    /// Executed warp instructions.
    pub(super) instructions: f64,
}

/// One block of a case, measured and simulated.
#[derive(Clone, Debug)]
pub(super) struct OneBlock {
    /// Path of the kernel file.
    pub(super) file: String,
    /// Name of the case.
    pub(super) case: String,
    /// The measurement on the hardware.
    pub(super) hardware: Hardware,
    /// The simulated run, or the reason why the case is excluded.
    pub(super) ours: Result<Run, String>,
}

impl OneBlock {
    /// Returns the measured cycles, cold or warm, that have the smaller relative error.
    pub(super) fn nearer(&self, overhead: Overhead) -> Option<u64> {
        let [cold, warm] = self.errors(overhead)?;
        Some(if cold.abs() < warm.abs() {
            self.hardware.cold
        } else {
            self.hardware.warm
        })
    }

    /// Returns the relative error: simulated cycles plus those of `overhead`, divided by the nearer measurement,
    /// minus 1.
    pub(super) fn error(&self, overhead: Overhead) -> Option<f64> {
        self.errors(overhead)?
            .into_iter()
            .min_by(|a, b| a.abs().total_cmp(&b.abs()))
    }

    fn errors(&self, overhead: Overhead) -> Option<[f64; 2]> {
        let ours = self.ours.as_ref().ok()?.cycles as f64;
        let Hardware { cold, warm, .. } = self.hardware;
        Some([
            (ours + overhead.cold) / cold as f64 - 1.0,
            (ours + overhead.warm) / warm as f64 - 1.0,
        ])
    }

    /// Returns the simulated instructions divided by the hardware's.
    pub(super) fn instruction_ratio(&self) -> Option<f64> {
        Some(self.ours.as_ref().ok()?.instructions as f64 / self.hardware.instructions)
    }

    /// Returns whether the simulator and the hardware execute about the same number of instructions.
    pub(super) fn has_same_code(&self) -> bool {
        self.instruction_ratio()
            .is_some_and(|ratio| SAME_CODE.contains(&ratio))
    }
}

/// Statistics of the errors of several blocks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct CycleSummary {
    /// Number of blocks that have an error.
    pub(super) num: usize,
    /// Median of the absolute errors.
    pub(super) median: f64,
    /// Mean of the absolute errors.
    pub(super) mean: f64,
    /// Share of absolute errors of at most a quarter.
    pub(super) within_quarter: f64,
    /// Median of the simulated cycles, with overhead, minus the cycles of a first launch.
    pub(super) less_cold: f64,
    /// Median of the simulated cycles, with overhead, minus the cycles of a repeated launch.
    pub(super) less_warm: f64,
}

/// Summarizes errors; returns `None` if there are none.
pub(super) fn summary<'a>(
    blocks: impl Iterator<Item = &'a OneBlock>,
    overhead: Overhead,
) -> Option<CycleSummary> {
    let (mut errors, mut less_cold, mut less_warm) = (Vec::new(), Vec::new(), Vec::new());
    for block in blocks {
        if let (Some(error), Ok(ours)) = (block.error(overhead), &block.ours) {
            errors.push(error.abs());
            less_cold.push(ours.cycles as f64 + overhead.cold - block.hardware.cold as f64);
            less_warm.push(ours.cycles as f64 + overhead.warm - block.hardware.warm as f64);
        }
    }
    let num = errors.len();
    let near = errors.iter().filter(|error| **error <= 0.25).count();
    Some(CycleSummary {
        num,
        median: median(&errors)?,
        mean: errors.iter().sum::<f64>() / num as f64,
        within_quarter: near as f64 / num as f64,
        less_cold: median(&less_cold)?,
        less_warm: median(&less_warm)?,
    })
}

/// Returns the `num` blocks with the largest errors, in descending order.
pub(super) fn worst(blocks: &[OneBlock], overhead: Overhead, num: usize) -> Vec<&OneBlock> {
    let mut sorted: Vec<(f64, &OneBlock)> = blocks
        .iter()
        .filter_map(|block| Some((block.error(overhead)?.abs(), block)))
        .collect();
    sorted.sort_by(|a, b| b.0.total_cmp(&a.0));
    sorted.into_iter().take(num).map(|(_, block)| block).collect()
}

/// Runs the first block of each case with measured one-block cycles: the cases in `one_block.csv`, and those whose
/// launch has only one block.
///
/// # Errors
/// Fails if the file is missing or malformed.
pub(super) fn measure(dir: &Path, cases: &[Case], sources: &Sources) -> Result<Vec<OneBlock>, CliError> {
    let cut = read(&dir.join("one_block.csv"))?;
    let known: Vec<(&Case, Hardware)> = cases
        .iter()
        .filter_map(|case| {
            let row = cut.iter().find(|(name, _)| *name == case.name);
            Some((
                case,
                row.map_or_else(|| of_one_block(case), |(_, row)| Some(*row))?,
            ))
        })
        .collect();
    let ours = in_parallel(&known, |(case, _)| {
        if let Some(reason) = code::timing_dependence(case) {
            return Err(reason.to_owned());
        }
        let program = code::compile(sources, &case.file, &case.kernel, MEASURED)?;
        let mut launch = case.launch.clone();
        launch.grid = [1; 3];
        code::run(&program, &launch)
    });
    let block = |((case, hardware), ours): ((&Case, Hardware), _)| OneBlock {
        file: case.file.clone(),
        case: case.name.clone(),
        hardware,
        ours,
    };
    Ok(known.into_iter().zip(ours).map(block).collect())
}

/// Returns the measurement of a case whose launch has only one block.
fn of_one_block(case: &Case) -> Option<Hardware> {
    (case.launch.grid == [1; 3]).then_some(())?;
    Some(Hardware {
        cold: case.count("cold_cycles_median")?,
        warm: case.count("warm_cycles_median")?,
        instructions: case.count(EXECUTED)? as f64,
    })
}

/// Reads the rows of `one_block.csv`: the name and the measurement of each case.
fn read(path: &Path) -> Result<Vec<(String, Hardware)>, CliError> {
    let table = Table::read(path)?;
    let (case, instructions) = (table.column("case")?, table.column("instructions")?);
    let (cold, warm) = (
        table.column("cold_cycles_median")?,
        table.column("warm_cycles_median")?,
    );
    (0..table.rows.len())
        .map(|row| {
            let hardware = Hardware {
                cold: table.cell(row, cold)?,
                warm: table.cell(row, warm)?,
                instructions: table.cell(row, instructions)?,
            };
            Ok((table.rows[row][case].clone(), hardware))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_block_cycles_are_read_for_cases_of_the_corpus() {
        let dir = Path::new("../../tests/corpus");
        let rows = read(&dir.join("one_block.csv")).expect("the table is readable");
        let cases = ::corpus::cases::load(dir).expect("the corpus is readable");
        assert_eq!(rows.len(), 119);
        for (name, hardware) in &rows {
            let case = cases.iter().find(|case| case.name == *name).expect("a case");
            assert_ne!(case.launch.grid, [1; 3], "{name}");
            assert!(hardware.cold > 0 && hardware.warm > 0 && hardware.instructions > 0.0);
        }
    }

    #[test]
    fn the_error_is_against_the_nearer_measurement() {
        let block = |cycles| OneBlock {
            file: String::new(),
            case: String::new(),
            hardware: Hardware {
                cold: 2000,
                warm: 1000,
                instructions: 10.0,
            },
            ours: Ok(Run {
                cycles,
                instructions: 12,
            }),
        };
        let none = Overhead::default();
        assert_eq!(block(1100).nearer(none), Some(1000));
        assert_eq!(block(1900).nearer(none), Some(2000));
        assert!((block(1900).error(none).expect("a run") + 0.05).abs() < 1e-12);
        let overhead = Overhead {
            cold: 80.0,
            warm: 30.0,
        };
        assert!((block(1900).error(overhead).expect("a run") + 0.01).abs() < 1e-12);
        assert!(!block(1900).has_same_code());
        let found = summary([block(1100), block(1900)].iter(), none).expect("two errors");
        assert!((found.median - 0.075).abs() < 1e-12);
        assert_eq!((found.less_cold, found.less_warm), (-500.0, 500.0));
    }
}
