//! Validation: microbenchmarks on the simulator, beside what guides and papers say and what was
//! measured on a real GH100.
//!
//! The kernels are the CUDA sources in `tests/microbenchmarks`, and the values are in
//! `tests/validation/published.csv` and `tests/microbenchmarks/h200.csv`. A kernel measures as on
//! hardware, by `clock()` inside; nothing of the model is read but what the kernel writes.

mod bench;
mod cases;
pub mod corpus;
mod data;
mod explained;
mod recorded;
pub mod report;
mod summary;
#[cfg(test)]
mod tests;

use serde::Serialize;

use engine::arch::ArchId;

pub use data::{Conditions, Published, published};
pub use recorded::{PATH as RECORD, record, recorded, recorded_in};
pub use summary::{Summary, summaries};

/// Above this relative error a row must have a sentence that explains it.
pub const EXPLAIN_ABOVE: f64 = 0.15;
/// Rows up to this relative error count as close.
pub const CLOSE: f64 = 0.05;

/// A published value and what the simulator measures in its place.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// What is published.
    #[serde(flatten)]
    pub published: Published,
    /// What the kernel measures here, in the same unit; `None` where it cannot run.
    pub ours: Option<f64>,
    /// Ours over the published value, less 1.
    pub error: Option<f64>,
    /// Why it cannot run, or why the values differ; empty where there is nothing to say.
    pub note: String,
}

impl Row {
    /// Whether it counts in the summary: it is the value that the model is to meet, and it was measured.
    pub fn counts(&self) -> bool {
        self.published.is_compared && self.error.is_some()
    }

    /// Whether it is so far off that a sentence must explain it.
    pub fn is_far(&self) -> bool {
        self.error.is_some_and(|error| error.abs() > EXPLAIN_ABOVE)
    }

    /// Whether it counts, is far off, and nothing explains it.
    pub fn is_unexplained(&self) -> bool {
        self.published.is_compared
            && self.note.is_empty()
            && self.error.is_none_or(|error| error.abs() > EXPLAIN_ABOVE)
    }
}

/// The published values of architectures that are simulated.
///
/// # Errors
/// A file that is not as it should be.
pub fn simulated() -> Result<Vec<Published>, String> {
    let mut all = published()?;
    all.retain(|value| value.architecture.parse::<ArchId>().is_ok());
    Ok(all)
}

/// Measures one value on the simulator, in the unit of the published one.
///
/// # Errors
/// A sentence where no microbenchmark measures it, or where that does not run.
pub fn measure(published: &Published) -> Result<f64, String> {
    let arch: ArchId = published
        .architecture
        .parse()
        .map_err(|_| "This architecture is not simulated.".to_owned())?;
    cases::measure(arch, &published.quantity, &published.conditions)
}

/// Rows of published values and what was measured for each, with what explains the difference; beside
/// them the explanations that no row needs.
///
/// # Errors
/// A file of explanations that is not as it should be.
pub fn rows(
    published: &[Published],
    measured: &[Result<f64, String>],
) -> Result<(Vec<Row>, Vec<String>), String> {
    let row = |(published, measured): (&Published, &Result<f64, String>)| {
        let (ours, note) = match measured {
            Ok(ours) => (Some(*ours), published.note.clone()),
            Err(why) => (None, why.clone()),
        };
        Row {
            published: published.clone(),
            ours,
            error: ours.map(|ours| ours / published.value - 1.0),
            note,
        }
    };
    let mut rows: Vec<Row> = published.iter().zip(measured).map(row).collect();
    let unused = explained::explain(&mut rows, &explained::explanations()?);
    Ok((rows, unused))
}
