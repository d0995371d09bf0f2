//! How the built page starts: download, first picture, and first answer to a key, at four addresses.

use std::fmt::Write;

use serde_json::Value;

use crate::page;
use crate::step::{announce, output};
use crate::suite::end_to_end;
use crate::tools::ensure_browser;

/// An address as it was measured.
pub(super) struct Start {
    what: String,
    kilobytes: f64,
    shown_ms: f64,
    picture_ms: f64,
    answer_ms: f64,
    pub(super) longest_task_ms: f64,
}

/// The same of the version that split the module by a recorded profile (commit 654cc49): MB of download and
/// milliseconds to the first picture, where that version's own bench has them.
const BEFORE: [(f64, Option<f64>); 4] = [
    (0.41, Some(283.0)),
    (1.66, Some(1100.0)),
    (1.66, None),
    (1.66, None),
];

/// Opens each address in Chromium.
pub(super) fn measure() -> Result<Vec<Start>, String> {
    let browser = ensure_browser()?;
    announce("starting the page in Chromium");
    let text = output(&mut end_to_end(
        &browser,
        &["run", "--quiet", "--bin", "startup_bench"],
    ))
    .ok_or("measuring the start of the page fails")?;
    let rows: Vec<Value> = serde_json::from_str(&text).map_err(|error| format!("startup_bench: {error}"))?;
    let sizes = page::files(&page::dist())?;
    let weight = |name: &str| {
        let file = sizes
            .iter()
            .find(|file| name.ends_with(&*file.path.to_string_lossy()));
        file.map_or(0, |file| file.gzipped)
    };
    let start = |row: &Value| {
        let number = |name: &str| row[name].as_f64().unwrap_or(f64::NAN);
        let mut names: Vec<&str> = row["files"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        names.push("index.html");
        names.sort_unstable();
        names.dedup();
        Start {
            what: row["what"].as_str().unwrap_or_default().to_owned(),
            kilobytes: names.into_iter().map(weight).sum::<usize>() as f64 / 1024.0,
            shown_ms: number("shown_ms"),
            picture_ms: number("picture_ms"),
            answer_ms: number("answer_ms"),
            longest_task_ms: number("longest_task_ms"),
        }
    };
    Ok(rows.iter().map(start).collect())
}

/// The chapter of the document.
pub(super) fn chapter(starts: &[Start]) -> String {
    let mut out = "\n## Start\n\n\
        Each address is opened in new browsers with an empty cache, from a server on the same machine; the table has the median\n\
        of five starts. *Download* is the gzipped size of all files that the page requests. *First paint* is the picture made at\n\
        build time if the address is bare. *Run* is the first picture of the simulated run. *Key* is the first response to a\n\
        key. *Before* is the page that split its module by a recorded profile; its figures were not measured again.\n\n\
        | address | download before | download | first paint | run before | run | key | longest task after the first paint |\n\
        | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n"
        .to_owned();
    for (start, (megabytes, picture)) in starts.iter().zip(BEFORE) {
        let _ = writeln!(
            out,
            "| {} | {megabytes} MB | {:.0} KB | {:.0} ms | {} | {:.0} ms | {:.0} ms | {:.0} ms |",
            start.what,
            start.kilobytes,
            start.shown_ms,
            picture.map_or_else(String::new, |ms| format!("{ms:.0} ms")),
            start.picture_ms,
            start.answer_ms,
            start.longest_task_ms,
        );
    }
    out
}
