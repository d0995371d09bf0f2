//! The explanations of large errors in `tests/validation/explained.toml`.

use serde::Deserialize;

use super::{Conditions, Published, Row};

const EXPLAINED: &str = include_str!("../../../tests/validation/explained.toml");

/// One explanation and the values to which it applies.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Explanation {
    /// Architecture IDs; empty: any.
    #[serde(default)]
    architectures: Vec<String>,
    /// Quantities, such as `latency ffma`.
    quantities: Vec<String>,
    /// The conditions that a value must have.
    #[serde(default)]
    conditions: String,
    /// The explanation.
    why: String,
}

#[derive(Deserialize)]
struct Explained {
    explained: Vec<Explanation>,
}

/// Returns the explanations in the order of the file.
///
/// # Errors
/// Returns an error if the file is malformed.
pub(super) fn explanations() -> Result<Vec<Explanation>, String> {
    toml::from_str::<Explained>(EXPLAINED)
        .map(|file| file.explained)
        .map_err(|error| format!("explained.toml: {error}"))
}

impl Explanation {
    /// Whether the explanation applies to this value.
    fn applies_to(&self, value: &Published) -> bool {
        let has = |(name, required): &(String, String)| value.conditions.get(name) == Some(required);
        (self.architectures.is_empty() || self.architectures.contains(&value.architecture))
            && self.quantities.contains(&value.quantity)
            && Conditions::read(&self.conditions).0.iter().all(has)
    }
}

/// Adds explanations to the rows with large errors, and returns the unused explanations.
pub(super) fn explain(rows: &mut [Row], explanations: &[Explanation]) -> Vec<String> {
    let mut is_used = vec![false; explanations.len()];
    for row in rows.iter_mut().filter(|row| row.is_unexplained()) {
        let found = explanations
            .iter()
            .position(|explanation| explanation.applies_to(&row.published));
        if let Some(idx) = found {
            row.note.clone_from(&explanations[idx].why);
            is_used[idx] = true;
        }
    }
    let unused = explanations.iter().zip(&is_used).filter(|(_, used)| !**used);
    unused.map(|(explanation, _)| explanation.why.clone()).collect()
}
