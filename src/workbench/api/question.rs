//! Parsing of requests.

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::share::{MAX_SOURCE_BYTES as MAX_BYTES, cut};
use engine::arch::{ArchId, UnknownArchitecture};

/// Parses a request's fields; null fields count as missing.
///
/// # Errors
/// An error about a field, which begins with the function's name.
pub(super) fn question<T: DeserializeOwned>(function: &str, value: Value) -> Result<T, String> {
    let value = match value {
        Value::Null => Value::Object(serde_json::Map::new()),
        Value::Object(fields) => fields.into_iter().filter(|(_, value)| !value.is_null()).collect(),
        other => {
            let kind = kind(&other);
            return Err(format!("{function}: the argument must be an object, not {kind}"));
        }
    };
    // The message can quote a name of the argument.
    serde_json::from_value(value)
        .map_err(|error| format!("{function}: {}", cut(&error.to_string(), MAX_MESSAGE)))
}

/// The architecture with an ID; Turing TU102 without an ID.
pub(super) fn arch_of(function: &str, id: Option<&str>) -> Result<ArchId, String> {
    match id {
        None => Ok(ArchId::DEFAULT),
        Some(id) => id.parse().map_err(|error: UnknownArchitecture| {
            format!("{function}: {}", cut(&error.to_string(), MAX_MESSAGE))
        }),
    }
}

/// Length limit of a message, in characters.
const MAX_MESSAGE: usize = 1_000;

/// Limit of nesting in an argument. Assumption: requests need two levels; `serde_json` recurses up to 128.
const MAX_DEPTH: usize = 16;
/// Limit of values in an argument. Assumption: one hundred times the keys of a link and the offsets of a warp.
const MAX_VALUES: usize = 20_000;
/// Limit of all strings in an argument, in UTF-16 units. Assumption: 16 times the largest source, for a link with chapters.
const MAX_TEXT: usize = 4 << 20;

/// Which values an argument may contain, as a sentence.
pub const ARGUMENT_KINDS: &str =
    "The argument may contain only strings, numbers, booleans, arrays, and plain objects.";

/// The values and the text that an argument may still have. An object of another program can contain itself.
#[derive(Debug)]
pub struct ArgumentBudget {
    values: usize,
    text: usize,
}

impl Default for ArgumentBudget {
    fn default() -> Self {
        Self {
            values: MAX_VALUES,
            text: MAX_TEXT,
        }
    }
}

impl ArgumentBudget {
    /// Counts a value at a depth, 0 for the argument itself.
    ///
    /// # Errors
    /// The limit, as a sentence.
    pub fn count_value(&mut self, depth: usize) -> Result<(), String> {
        if depth > MAX_DEPTH {
            return Err(format!(
                "The argument is nested more than {MAX_DEPTH} levels deep, or contains itself."
            ));
        }
        self.values = self.values.checked_sub(1).ok_or_else(too_many)?;
        Ok(())
    }

    /// Checks the length of an array, or the number of an object's keys, before they are read.
    ///
    /// # Errors
    /// The limit, as a sentence.
    pub fn expect_values(&self, num: f64) -> Result<(), String> {
        if num <= self.values as f64 {
            Ok(())
        } else {
            Err(too_many())
        }
    }

    /// Counts the units of a string before it is copied.
    ///
    /// # Errors
    /// The limit, as a sentence.
    pub fn count_text(&mut self, units: usize) -> Result<(), String> {
        let left = self.text.checked_sub(units);
        self.text =
            left.ok_or_else(|| format!("The argument has more than {} MB of text.", MAX_TEXT >> 20))?;
        Ok(())
    }
}

fn too_many() -> String {
    format!("The argument has more than {MAX_VALUES} values.")
}

/// Checks the length of a source in bytes.
///
/// # Errors
/// The limit, as a sentence that begins with the function's name.
pub fn check_source(function: &str, bytes: usize) -> Result<(), String> {
    if bytes > MAX_BYTES {
        return Err(format!(
            "{function}: the source has at most {} KB",
            MAX_BYTES / 1024
        ));
    }
    Ok(())
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "nothing",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}
