//! Condenses the API's answers about a run to one line, which is equal on every platform. Tests of three packages
//! share this file: native tests, tests in a browser, and end-to-end tests.

use std::fmt::Write;

use serde_json::Value;

/// The scenarios, including kernels that depend on floats, divergence, and atomics.
pub(crate) const LINKS: [&str; 4] = [
    "#v1;kernel=transpose-padded",
    "#v1;arch=gf100;kernel=saxpy;dlcm=cg",
    "#v1;arch=gp104;kernel=histogram",
    "#v1;arch=gv100;kernel=ladder-4",
];

/// Returns link, cycles, and checksums of the summary, a frame, and the buffers.
pub(crate) fn line(link: &str, summary: &Value, frame: &Value, outputs: &[Vec<u8>]) -> String {
    let text = |value: &Value| {
        let mut text = String::new();
        plain(value, &mut text);
        checksum(text.as_bytes())
    };
    format!(
        "{link} {} {:016x} {:016x} {:016x}\n",
        summary["cycles"],
        text(summary),
        text(frame),
        checksum(&outputs.concat())
    )
}

/// Writes JSON as text, with whole numbers always without a decimal point.
fn plain(value: &Value, text: &mut String) {
    match value {
        // Writing to a text does not fail.
        Value::Number(number) => drop(write!(text, "{:?}", number.as_f64())),
        Value::Array(items) => {
            text.push('[');
            for item in items {
                plain(item, text);
            }
            text.push(']');
        }
        Value::Object(fields) => {
            text.push('{');
            let mut names: Vec<&String> = fields.keys().collect();
            names.sort();
            for name in names {
                *text += name;
                plain(&fields[name], text);
            }
            text.push('}');
        }
        other => *text += &other.to_string(),
    }
}

fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |sum: u64, byte| {
        (sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
