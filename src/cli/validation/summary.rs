//! How close the rows are, in a few numbers.

use serde::Serialize;

use super::{CLOSE, EXPLAIN_ABOVE, Row};

/// Rows of an architecture in a few numbers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// The architecture's id, or `all`.
    pub architecture: String,
    /// Values that the model is to meet and that were measured.
    pub compared: usize,
    /// Values shown beside, because another source's is compared.
    pub beside: usize,
    /// Values whose kernel does not run.
    pub not_run: usize,
    /// Median of the absolute relative errors.
    pub median: f64,
    /// Mean of them.
    pub mean: f64,
    /// Those within 5 %.
    pub close: usize,
    /// Those over 15 % that a sentence explains.
    pub explained: usize,
    /// Those over 15 % without one.
    pub unexplained: usize,
}

/// One summary for each architecture in order of the rows, and one for all of them at the end.
pub fn summaries(rows: &[Row]) -> Vec<Summary> {
    let mut names: Vec<&str> = Vec::new();
    for row in rows {
        if !names.contains(&row.published.architecture.as_str()) {
            names.push(&row.published.architecture);
        }
    }
    let of = |name: &str| {
        rows.iter()
            .filter(|row| row.published.architecture == name)
            .collect()
    };
    let mut out: Vec<Summary> = names.iter().map(|name| summary(name, of(name))).collect();
    out.push(summary("all", rows.iter().collect()));
    out
}

fn summary(architecture: &str, rows: Vec<&Row>) -> Summary {
    let counted: Vec<&Row> = rows.iter().copied().filter(|row| row.counts()).collect();
    let mut errors: Vec<f64> = counted.iter().filter_map(|row| row.error).map(f64::abs).collect();
    errors.sort_by(f64::total_cmp);
    let far = |row: &&&Row| row.error.is_some_and(|error| error.abs() > EXPLAIN_ABOVE);
    let is_without = |row: &&&Row| row.note.is_empty();
    let middle = errors.len() / 2;
    let median = match errors.len() {
        0 => 0.0,
        len if len % 2 == 0 => f64::midpoint(errors[middle - 1], errors[middle]),
        _ => errors[middle],
    };
    Summary {
        architecture: architecture.to_owned(),
        compared: counted.len(),
        beside: rows
            .iter()
            .filter(|row| !row.published.is_compared && row.ours.is_some())
            .count(),
        not_run: rows.iter().filter(|row| row.ours.is_none()).count(),
        median,
        mean: errors.iter().sum::<f64>() / errors.len().max(1) as f64,
        close: errors.iter().filter(|error| **error <= CLOSE).count(),
        explained: counted
            .iter()
            .filter(far)
            .filter(|row| !row.note.is_empty())
            .count(),
        unexplained: counted.iter().filter(far).filter(is_without).count(),
    }
}
