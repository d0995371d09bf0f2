//! Summary statistics of the rows.

use serde::Serialize;

use super::{CLOSE, EXPLAIN_ABOVE, Row};

/// Summary statistics of an architecture's rows.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// The architecture ID, or `all`.
    pub architecture: String,
    /// The number of compared values.
    pub compared: usize,
    /// The number of values that are only listed, because another source is compared.
    pub beside: usize,
    /// The number of values whose kernel does not run.
    pub not_run: usize,
    /// The median of the absolute relative errors.
    pub median: f64,
    /// The mean of the absolute relative errors.
    pub mean: f64,
    /// The number of errors within 5 %.
    pub close: usize,
    /// The number of errors over 15 % with an explanation.
    pub explained: usize,
    /// The number of errors over 15 % without an explanation.
    pub unexplained: usize,
}

/// Returns one summary per architecture in the order of the rows, and a summary of all rows at the end.
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
