//! Parsing of requests.

use serde::de::DeserializeOwned;
use serde_json::Value;

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
    serde_json::from_value(value).map_err(|error| format!("{function}: {error}"))
}

/// The architecture with an ID; Turing TU102 without an ID.
pub(super) fn arch_of(function: &str, id: Option<&str>) -> Result<ArchId, String> {
    match id {
        None => Ok(ArchId::Tu102),
        Some(id) => id
            .parse()
            .map_err(|error: UnknownArchitecture| format!("{function}: {error}")),
    }
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
