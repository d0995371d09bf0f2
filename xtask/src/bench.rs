//! Speed and size against the budgets, as one table.

use serde_json::Value;

use crate::page::{self, DOWNLOAD_BUDGET};
use crate::step::{announce, cargo, output, run as run_step};
use crate::suite::end_to_end;
use crate::tools::ensure_browser;

/// Which side of its budget a number should be on.
#[derive(Clone, Copy)]
enum Good {
    AtLeast,
    AtMost,
}

struct Measure {
    what: String,
    unit: String,
    measured: f64,
    budget: f64,
    good: Good,
}

/// Measures and prints; an error if something cannot be measured. A missed budget is shown, and is
/// no error: machines differ.
pub(crate) fn run() -> Result<(), String> {
    let mut measures = native()?;
    page::build_only()?;
    measures.push(Measure {
        what: "download, gzipped".to_owned(),
        unit: "KB".to_owned(),
        measured: page::report_size()? as f64 / 1024.0,
        budget: DOWNLOAD_BUDGET as f64 / 1024.0,
        good: Good::AtMost,
    });
    measures.extend(in_browser()?);
    print(&measures);
    Ok(())
}

/// Speed of the library, as the command line measures it.
fn native() -> Result<Vec<Measure>, String> {
    run_step(
        "building the command line (profile `release`)",
        &mut cargo(&["build", "--locked", "--release", "--bin", "warpscope"]),
    )?;
    announce("measuring the library");
    let text = output(&mut cargo(&[
        "run",
        "--locked",
        "--quiet",
        "--release",
        "--bin",
        "warpscope",
        "bench",
        "--json",
    ]))
    .ok_or("`warpscope bench` fails")?;
    let rows: Vec<Value> =
        serde_json::from_str(&text).map_err(|error| format!("`warpscope bench`: {error}"))?;
    rows.iter()
        .map(|row| {
            let text = |key: &str| row[key].as_str().map(str::to_owned);
            let number = |key: &str| row[key].as_f64();
            Some(Measure {
                what: text("what")?,
                unit: text("unit")?,
                measured: number("measured")?,
                budget: number("budget")?,
                good: if row["more_is_better"].as_bool()? {
                    Good::AtLeast
                } else {
                    Good::AtMost
                },
            })
        })
        .collect::<Option<_>>()
        .ok_or_else(|| "`warpscope bench` leaves out a number".to_owned())
}

/// Cold load and frames, in Chromium.
fn in_browser() -> Result<Vec<Measure>, String> {
    let browser = ensure_browser()?;
    announce("measuring the page in Chromium");
    let text = output(&mut end_to_end(
        &browser,
        &["run", "--quiet", "--bin", "page_bench"],
    ))
    .ok_or("measuring the page fails; `cargo xtask test` may say why")?;
    let times: Value = serde_json::from_str(&text).map_err(|error| format!("page_bench: {error}"))?;
    let milliseconds = |what: &str, measured: &Value, budget: f64| {
        Ok(Measure {
            what: what.to_owned(),
            unit: "ms".to_owned(),
            measured: measured
                .as_f64()
                .ok_or_else(|| format!("{what} was not measured"))?,
            budget,
            good: Good::AtMost,
        })
    };
    let mut measures = vec![milliseconds(
        "first picture, cold",
        &times["first_picture_ms"],
        1000.0,
    )];
    for (view, frames) in times["frames_ms"].as_object().into_iter().flatten() {
        measures.push(milliseconds(
            &format!("frame of {view} while playing, 95th percentile"),
            &frames["p95"],
            8.0,
        ));
    }
    measures.into_iter().collect()
}

fn print(measures: &[Measure]) {
    println!();
    println!(
        "{:<52} {:>12} {:>16} {:>7}",
        "what", "measured", "budget", "ratio"
    );
    for Measure {
        what,
        unit,
        measured,
        budget,
        good,
    } in measures
    {
        // Above 1 is better than the budget.
        let (sign, ratio) = match good {
            Good::AtLeast => (">=", measured / budget),
            Good::AtMost => ("<=", budget / measured),
        };
        let verdict = if ratio >= 1.0 { "" } else { "  missed" };
        let budget = format!("{sign} {budget:.3} {unit}");
        println!("{what:<52} {measured:>12.3} {budget:>16} {ratio:>7.2}{verdict}");
    }
}
