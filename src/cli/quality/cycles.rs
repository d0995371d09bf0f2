//! Cycles of one block on one SM beside those of an H200.

use std::path::Path;

use super::code::{self, EXECUTED, MEASURED, Run, Sources};
use super::row::median;
use crate::cli::CliError;
use crate::cli::corpus::cases::Case;
use crate::cli::corpus::in_parallel;
use crate::cli::table::Table;

/// Instruction ratios that are so near to 1 that a difference of cycles is the model's.
const SAME_CODE: std::ops::RangeInclusive<f64> = 0.9..=1.1;

/// What the hardware needs for one block.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Hardware {
    /// Cycles of a launch with empty caches: the median.
    pub(super) cold: u64,
    /// Cycles of a repeated launch: the median.
    pub(super) warm: u64,
    /// Warp instructions.
    pub(super) instructions: f64,
}

/// One block of a case.
#[derive(Clone, Debug)]
pub(super) struct OneBlock {
    /// The kernel file.
    pub(super) file: String,
    /// The case.
    pub(super) case: String,
    /// On the hardware.
    pub(super) hardware: Hardware,
    /// On the machine, or the reason for which the case is left out.
    pub(super) ours: Result<Run, String>,
}

impl OneBlock {
    /// The measured cycles that are nearer to ours in proportion.
    pub(super) fn nearer(&self) -> Option<u64> {
        let ours = self.ours.as_ref().ok()?.cycles as f64;
        let Hardware { cold, warm, .. } = self.hardware;
        let error = |measured: u64| (ours / measured as f64 - 1.0).abs();
        Some(if error(cold) < error(warm) { cold } else { warm })
    }

    /// Ours over the nearer of the two, less 1.
    pub(super) fn error(&self) -> Option<f64> {
        Some(self.ours.as_ref().ok()?.cycles as f64 / self.nearer()? as f64 - 1.0)
    }

    /// Instructions, ours over the hardware's.
    pub(super) fn instruction_ratio(&self) -> Option<f64> {
        Some(self.ours.as_ref().ok()?.instructions as f64 / self.hardware.instructions)
    }

    /// Whether both execute about as many instructions.
    pub(super) fn has_same_code(&self) -> bool {
        self.instruction_ratio()
            .is_some_and(|ratio| SAME_CODE.contains(&ratio))
    }
}

/// The errors of some blocks in a few numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct CycleSummary {
    /// Blocks that have an error.
    pub(super) num: usize,
    /// The median of the errors' sizes.
    pub(super) median: f64,
    /// The mean of the errors' sizes.
    pub(super) mean: f64,
    /// The share of errors of at most a quarter.
    pub(super) within_quarter: f64,
    /// Ours less the cycles of a first launch: the median.
    pub(super) less_cold: f64,
    /// Ours less the cycles of a repeated launch: the median.
    pub(super) less_warm: f64,
}

/// Summarizes errors; `None` where there are none.
pub(super) fn summary<'a>(blocks: impl Iterator<Item = &'a OneBlock>) -> Option<CycleSummary> {
    let (mut errors, mut less_cold, mut less_warm) = (Vec::new(), Vec::new(), Vec::new());
    for block in blocks {
        if let (Some(error), Ok(ours)) = (block.error(), &block.ours) {
            errors.push(error.abs());
            less_cold.push(ours.cycles as f64 - block.hardware.cold as f64);
            less_warm.push(ours.cycles as f64 - block.hardware.warm as f64);
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

/// The blocks with the greatest errors, the greatest first.
pub(super) fn worst(blocks: &[OneBlock], num: usize) -> Vec<&OneBlock> {
    let mut sorted: Vec<(f64, &OneBlock)> = blocks
        .iter()
        .filter_map(|block| Some((block.error()?.abs(), block)))
        .collect();
    sorted.sort_by(|a, b| b.0.total_cmp(&a.0));
    sorted.into_iter().take(num).map(|(_, block)| block).collect()
}

/// Runs the first block of each case whose one-block cycles are known: of those in `one_block.csv`, and of those
/// that are launched as one block anyway.
///
/// # Errors
/// If the file is missing or not in its format.
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
        if let Some(reason) = code::unsteady(case) {
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

/// A case that is launched as one block.
fn of_one_block(case: &Case) -> Option<Hardware> {
    (case.launch.grid == [1; 3]).then_some(())?;
    Some(Hardware {
        cold: case.count("cold_cycles_median")?,
        warm: case.count("warm_cycles_median")?,
        instructions: case.count(EXECUTED)? as f64,
    })
}

/// Rows of `one_block.csv` by case.
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
    use crate::cli::corpus;

    #[test]
    fn one_block_cycles_are_read_for_cases_of_the_corpus() {
        let dir = Path::new("tests/corpus");
        let rows = read(&dir.join("one_block.csv")).expect("the table is readable");
        let cases = corpus::cases::load(dir).expect("the corpus is readable");
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
        assert_eq!(block(1100).nearer(), Some(1000));
        assert_eq!(block(1900).nearer(), Some(2000));
        assert!((block(1900).error().expect("a run") + 0.05).abs() < 1e-12);
        assert!(!block(1900).has_same_code());
        let found = summary([block(1100), block(1900)].iter()).expect("two errors");
        assert!((found.median - 0.075).abs() < 1e-12);
        assert_eq!((found.less_cold, found.less_warm), (-500.0, 500.0));
    }
}
