//! Launches that fill a device, in the built page: time, pauses, and memory.

use std::fmt::Write;

use serde_json::Value;

use crate::step::{announce, output};
use crate::suite::end_to_end;
use crate::tools::ensure_browser;

/// Opens each launch in Chromium. Returns its rows.
pub(super) fn measure() -> Result<Vec<Value>, String> {
    let browser = ensure_browser()?;
    announce("running launches that fill a device in Chromium");
    let command = &mut end_to_end(&browser, &["run", "--quiet", "--bin", "device_bench"]);
    let text = output(command).ok_or("measuring full launches fails")?;
    serde_json::from_str(&text).map_err(|error| format!("device_bench: {error}"))
}

/// The chapter of the document.
pub(super) fn chapter(rows: &[Value]) -> String {
    let mut out = "\n## Launches that fill a device\n\n\
        A link to the Device view is opened in a new browser with an empty cache; *time* is from the request of the page to the\n\
        complete view, the median of three runs. The page spreads the run over as many workers as it sees cores, up to four; the\n\
        columns give it 1, 2, and 4, on the machine above. Beside it, a worker simulates one SM for the other views. *Pause* is\n\
        the longest time in which the page's thread handled no message. *Memory* is the most of the process with the page and its\n\
        workers: all resident pages, and those that are its own. The browser's program, which is shared, is about 130 MB of the\n\
        first.\n\n\
        | launch | architecture | workers | time | pause | memory | own |\n\
        | --- | --- | ---: | ---: | ---: | ---: | ---: |\n"
        .to_owned();
    for row in rows {
        let text = |name: &str| row[name].as_str().unwrap_or_default();
        let megabytes = |name: &str| {
            let number = row[name].as_f64();
            number.map_or_else(|| "unknown".to_owned(), |number| format!("{number:.0} MB"))
        };
        let _ = writeln!(
            out,
            "| {} | {} | {} | {:.1} s | {:.0} ms | {} | {} |",
            text("what"),
            text("arch").to_uppercase(),
            row["cores"],
            row["seconds"].as_f64().unwrap_or(f64::NAN),
            row["pause_ms"].as_f64().unwrap_or(f64::NAN),
            megabytes("memory_mb"),
            megabytes("own_mb"),
        );
    }
    out
}
