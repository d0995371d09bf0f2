//! Scenarios: the keys of a link as an object.

use serde_json::{Map, Value, json};

use super::Answer;
use super::question::check_source;
use crate::share::{self, MAX_FILES, Scenario};
use engine::files;

/// A scenario from a link or from an object with the keys of a link, and warnings about invalid parts of the
/// link.
///
/// # Errors
/// The error about a key of the object.
pub(super) fn scenario_of(function: &str, value: &Value) -> Result<(Scenario, Vec<String>), String> {
    match value {
        Value::Null => Ok((Scenario::default(), Vec::new())),
        Value::String(link) => {
            let link = link
                .split_once('#')
                .map_or(link.as_str(), |(_, fragment)| fragment);
            let decoded = share::decode(link);
            let warnings = decoded.warnings.iter().map(ToString::to_string).collect();
            Ok((decoded.scenario, warnings))
        }
        Value::Object(fields) => from_fields(function, fields).map(|scenario| (scenario, Vec::new())),
        _ => Err(format!(
            "{function}: the scenario must be a link or an object with the keys of a link"
        )),
    }
}

fn from_fields(function: &str, fields: &Map<String, Value>) -> Result<Scenario, String> {
    let mut scenario = Scenario::default();
    let mut set = |key: &str, value: &Value| {
        let text = text_of(value).ok_or_else(|| {
            let key = share::shortened(key);
            format!("{function}: `{key}` must be a string, a number, a boolean, or an array of numbers")
        })?;
        share::apply(&mut scenario, key, &text).map_err(|warning| format!("{function}: {warning}"))
    };
    // The library's kernel comes first, because other keys override its values.
    if let Some(kernel) = fields.get("kernel").filter(|kernel| !kernel.is_null()) {
        set("kernel", kernel)?;
    }
    for (key, value) in fields {
        if !matches!(key.as_str(), "kernel" | "source") && !value.is_null() {
            set(key, value)?;
        }
    }
    match fields.get("source") {
        None | Some(Value::Null) => {}
        Some(Value::String(source)) => {
            check_source(function, source.len())?;
            if files::split(source).len() > MAX_FILES {
                return Err(format!("{function}: the source has at most {MAX_FILES} files"));
            }
            scenario.source = Some(source.clone());
            if fields.get("kernel").is_none_or(Value::is_null) {
                // Custom source has no library launch: the default is one warp without arguments.
                scenario.grid.get_or_insert([1, 1, 1]);
                scenario.block.get_or_insert([32, 1, 1]);
                scenario.dynamic_shared.get_or_insert(0);
                scenario.args.get_or_insert_default();
                scenario.symbols.get_or_insert_default();
            }
        }
        Some(_) => return Err(format!("{function}: `source` must be a string")),
    }
    Ok(scenario)
}

/// A value in the notation of links.
fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(on) => Some(if *on { "on" } else { "off" }.to_owned()),
        Value::Array(extents) => {
            let extents: Option<Vec<String>> = extents
                .iter()
                .map(|extent| extent.as_u64().map(|extent| extent.to_string()))
                .collect();
            extents.map(|extents| extents.join("x"))
        }
        Value::Null | Value::Object(_) => None,
    }
}

/// The link of a scenario, with its `#`.
///
/// # Errors
/// The scenario is invalid.
pub fn encode(scenario: &Value) -> Result<String, String> {
    let (scenario, _) = scenario_of("link.encode", scenario)?;
    Ok(share::encode(&scenario))
}

/// The scenario of a link: the keys that differ from the default, and warnings about invalid parts.
///
/// # Errors
/// The argument is not a string.
pub fn decode(link: &Value) -> Answer {
    if !link.is_string() {
        return Err("link.decode: the link must be a string".to_owned());
    }
    let (scenario, warnings) = scenario_of("link.decode", link)?;
    let canonical = share::encode(&scenario);
    let mut fields = Map::new();
    for pair in canonical.split(';').skip(1) {
        if let Some((key, value)) = pair.split_once('=') {
            fields.insert(key.to_owned(), json!(share::unescape(value)));
        }
    }
    if let Some(source) = &scenario.source {
        fields.insert("source".to_owned(), json!(source));
    }
    Ok(json!({ "scenario": fields, "link": canonical, "warnings": warnings }))
}
