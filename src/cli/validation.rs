//! Validation: compares microbenchmarks on the simulator with guides, papers, and measurements on a GH100.
//!
//! The kernels are the CUDA sources in `tests/microbenchmarks`, and the values are in
//! `tests/validation/published.csv` and `tests/microbenchmarks/h200.csv`. As on hardware, a kernel measures with
//! `clock()`. The validation reads only the kernel's output and no internal state of the model.

mod bench;
mod cases;
pub mod corpus;
mod data;
mod explained;
pub mod peaks;
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

/// A row with a relative error above this limit needs an explanation.
pub const EXPLAIN_ABOVE: f64 = 0.15;
/// A row with a relative error up to this limit counts as close.
pub const CLOSE: f64 = 0.05;

/// A published value and the simulated value.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// The published value.
    #[serde(flatten)]
    pub published: Published,
    /// The simulated value in the same unit; `None` if the kernel does not run.
    pub ours: Option<f64>,
    /// The relative error: simulated value divided by published value, minus 1.
    pub error: Option<f64>,
    /// The reason why the kernel does not run or the values differ; empty if none applies.
    pub note: String,
}

impl Row {
    /// Whether the row counts in the summary: the model is compared with the value, and the value was simulated.
    pub fn counts(&self) -> bool {
        self.published.is_compared && self.error.is_some()
    }

    /// Whether the error needs an explanation.
    pub fn is_far(&self) -> bool {
        self.error.is_some_and(|error| error.abs() > EXPLAIN_ABOVE)
    }

    /// Whether the row counts and its error lacks an explanation.
    pub fn is_unexplained(&self) -> bool {
        self.published.is_compared
            && self.note.is_empty()
            && self.error.is_none_or(|error| error.abs() > EXPLAIN_ABOVE)
    }
}

/// Returns the published values of the simulated architectures.
///
/// # Errors
/// Returns an error if a file is malformed.
pub fn simulated() -> Result<Vec<Published>, String> {
    let mut all = published()?;
    all.retain(|value| value.architecture.parse::<ArchId>().is_ok());
    Ok(all)
}

/// Measures one value on the simulator, in the unit of the published value.
///
/// # Errors
/// Returns a sentence if no microbenchmark measures the quantity, or if the microbenchmark does not run.
pub fn measure(published: &Published) -> Result<f64, String> {
    let arch: ArchId = published
        .architecture
        .parse()
        .map_err(|_| "This architecture is not simulated.".to_owned())?;
    cases::measure(arch, &published.quantity, &published.conditions)
}

/// Measures a quantity on the simulator under conditions such as `ilp=2 warps=4`.
///
/// # Errors
/// Returns a sentence if no microbenchmark measures the quantity, or if the microbenchmark does not run.
pub fn measure_quantity(arch: ArchId, quantity: &str, conditions: &str) -> Result<f64, String> {
    cases::measure(arch, quantity, &Conditions::read(conditions))
}

/// Returns the rows of published and simulated values with explanations, and the explanations that no row needs.
///
/// # Errors
/// Returns an error if the file of explanations is malformed.
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
