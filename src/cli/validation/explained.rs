//! Why values are far off, as `tests/validation/explained.toml` says.

use serde::Deserialize;

use super::{Conditions, Published, Row};

const EXPLAINED: &str = include_str!("../../../tests/validation/explained.toml");

/// One sentence and the values that it is about.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Explanation {
    /// Ids of architectures; none: any.
    #[serde(default)]
    architectures: Vec<String>,
    /// Quantities, such as `latency ffma`.
    quantities: Vec<String>,
    /// Conditions that the value must have.
    #[serde(default)]
    conditions: String,
    /// The sentence.
    why: String,
}

#[derive(Deserialize)]
struct Explained {
    explained: Vec<Explanation>,
}

/// The sentences, in the order of the file.
///
/// # Errors
/// A file that is not as it should be.
pub(super) fn explanations() -> Result<Vec<Explanation>, String> {
    toml::from_str::<Explained>(EXPLAINED)
        .map(|file| file.explained)
        .map_err(|error| format!("explained.toml: {error}"))
}

impl Explanation {
    /// Whether it is about this value.
    fn is_about(&self, value: &Published) -> bool {
        let has = |(name, wanted): &(String, String)| value.conditions.get(name) == Some(wanted);
        (self.architectures.is_empty() || self.architectures.contains(&value.architecture))
            && self.quantities.contains(&value.quantity)
            && Conditions::read(&self.conditions).0.iter().all(has)
    }
}

/// Writes the sentences to the rows that are far off; those that are of no use come back.
pub(super) fn explain(rows: &mut [Row], explanations: &[Explanation]) -> Vec<String> {
    let mut is_used = vec![false; explanations.len()];
    for row in rows.iter_mut().filter(|row| row.is_unexplained()) {
        let found = explanations
            .iter()
            .position(|explanation| explanation.is_about(&row.published));
        if let Some(idx) = found {
            row.note.clone_from(&explanations[idx].why);
            is_used[idx] = true;
        }
    }
    let unused = explanations.iter().zip(&is_used).filter(|(_, used)| !**used);
    unused.map(|(explanation, _)| explanation.why.clone()).collect()
}
