//! Reading what is asked.

use serde::de::DeserializeOwned;
use serde_json::Value;

use engine::arch::{ArchId, UnknownArchitecture};

/// A question's fields; those that are null count as absent.
///
/// # Errors
/// What is wrong with a field, in a sentence that begins with the function's name.
pub(super) fn question<T: DeserializeOwned>(function: &str, value: Value) -> Result<T, String> {
    let value = match value {
        Value::Null => Value::Object(serde_json::Map::new()),
        Value::Object(fields) => fields.into_iter().filter(|(_, value)| !value.is_null()).collect(),
        other => {
            let kind = kind(&other);
            return Err(format!("{function}: an object is needed, not {kind}"));
        }
    };
    serde_json::from_value(value).map_err(|error| format!("{function}: {error}"))
}

/// The architecture of an id; Turing TU102 where none is given.
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
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}
