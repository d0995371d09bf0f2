//! Validation: microbenchmarks on the simulator, beside what guides and papers say and what was
//! measured on a real GH100.
//!
//! The kernels are the CUDA sources in `tests/microbenchmarks`, and the values are in
//! `tests/validation/published.csv` and `tests/microbenchmarks/h200.csv`. A kernel measures as on
//! hardware, by `clock()` inside; nothing of the model is read but what the kernel writes.

mod bench;
mod cases;
mod data;
mod summary;

use serde::Serialize;

use crate::arch::ArchId;

pub use data::{Conditions, Published, published};
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

    /// Whether it counts, is far off, and nothing explains it.
    pub fn is_unexplained(&self) -> bool {
        self.published.is_compared
            && self.note.is_empty()
            && self.error.is_none_or(|error| error.abs() > EXPLAIN_ABOVE)
    }
}

/// Measures one value on the simulator.
pub fn measure(published: &Published) -> Row {
    let measured = match published.architecture.parse::<ArchId>() {
        Ok(arch) => cases::measure(arch, &published.quantity, &published.conditions),
        Err(_) => Err("This architecture is not simulated.".to_owned()),
    };
    let (ours, mut note) = match measured {
        Ok(ours) => (Some(ours), String::new()),
        Err(why) => (None, why),
    };
    let error = ours.map(|ours| ours / published.value - 1.0);
    if note.is_empty() {
        note.clone_from(&published.note);
    }
    Row {
        published: published.clone(),
        ours,
        error,
        note,
    }
}
