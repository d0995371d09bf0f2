//! The recorded simulated values, `tests/validation/ours.csv`, from which the documents are generated.

use std::collections::{BTreeMap, BTreeSet};

use super::Published;

/// The path of the record from the root of the project.
pub const PATH: &str = "tests/validation/ours.csv";
const RECORDED: &str = include_str!("../../../tests/validation/ours.csv");
/// The key of an entry: architecture, quantity, and conditions.
type Key = (String, String, String);

fn key(value: &Published) -> Key {
    (
        value.architecture.clone(),
        value.quantity.clone(),
        value.conditions.to_string(),
    )
}

/// Returns the record as text.
pub fn record(published: &[Published], measured: &[Result<f64, String>]) -> String {
    let mut out = "architecture,quantity,conditions,ours,note\n".to_owned();
    let mut seen: BTreeSet<Key> = BTreeSet::new();
    for (value, measured) in published.iter().zip(measured) {
        let key = key(value);
        if !seen.insert(key.clone()) {
            continue;
        }
        let (ours, note) = match measured {
            // Six digits are more than any source has.
            Ok(ours) => (rounded(*ours), String::new()),
            Err(why) => (String::new(), why.replace('"', "\"\"")),
        };
        out += &format!("{},{},{},{ours},\"{note}\"\n", key.0, key.1, key.2);
    }
    out
}

fn rounded(value: f64) -> String {
    let digits = (5 - libm::floor(libm::log10(value.abs().max(1e-6))) as i32).clamp(0, 9);
    format!("{value:.*}", digits as usize)
}

/// Returns the recorded result of each value.
///
/// # Errors
/// Returns an error if the file is malformed.
pub fn recorded(published: &[Published]) -> Result<Vec<Result<f64, String>>, String> {
    recorded_in(RECORDED, published)
}

/// Returns the result of each value from a record as text.
///
/// # Errors
/// Returns an error if the text is malformed.
pub fn recorded_in(text: &str, published: &[Published]) -> Result<Vec<Result<f64, String>>, String> {
    let mut found = BTreeMap::new();
    for line in csv::Reader::from_reader(text.as_bytes()).into_records() {
        let line = line.map_err(|error| format!("{PATH}: {error}"))?;
        let cell = |column: usize| line.get(column).unwrap_or_default().to_owned();
        let ours = match cell(3).as_str() {
            "" => Err(cell(4)),
            number => Ok(number
                .parse::<f64>()
                .map_err(|_| format!("{PATH}: `{number}` is not a number"))?),
        };
        found.insert((cell(0), cell(1), cell(2)), ours);
    }
    let of = |value: &Published| {
        found
            .get(&key(value))
            .cloned()
            .unwrap_or_else(|| Err("The value is not measured yet.".to_owned()))
    };
    Ok(published.iter().map(of).collect())
}
