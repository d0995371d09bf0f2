//! Speed and size against the budgets: one table on the terminal, and `docs/performance.md` with the
//! machine that was measured, every kernel's figure and the plots of how time grows.

mod devices;
mod machine;
mod plot;
mod report;
mod startup;

use serde_json::Value;

use crate::page::{self, DOWNLOAD_BUDGET};
use crate::step::{announce, cargo, output, run as run_step};
use crate::suite::end_to_end;
use crate::tools::ensure_browser;

/// Million warp instructions a second in the browser.
const BROWSER_SPEED: f64 = 3.0;
/// How far the slope of time over work may be from 1.
const SLOPE: f64 = 0.1;
/// Allocations for an instruction in the cycle loop, once all queues have their size. A little over
/// what was measured, so that it does not grow: the aim is none.
const ALLOCATIONS: f64 = 0.01;
/// Allocations with the trace in a million cycles, likewise.
const TRACE_ALLOCATIONS: f64 = 150_000.0;

/// Which side of its budget a number should be on.
#[derive(Clone, Copy)]
enum Good {
    AtLeast,
    AtMost,
}

/// A number with its budget.
struct Measure {
    what: String,
    unit: String,
    measured: f64,
    budget: f64,
    good: Good,
}

impl Measure {
    fn at_most(what: impl Into<String>, measured: f64, budget: f64, unit: &str) -> Self {
        Self {
            what: what.into(),
            unit: unit.to_owned(),
            measured,
            budget,
            good: Good::AtMost,
        }
    }

    /// Above 1 is better than the budget.
    fn ratio(&self) -> f64 {
        match self.good {
            Good::AtLeast => self.measured / self.budget,
            Good::AtMost if self.measured == 0.0 => f64::INFINITY,
            Good::AtMost => self.budget / self.measured,
        }
    }

    fn is_met(&self) -> bool {
        self.ratio() >= 1.0
    }

    fn budget_text(&self) -> String {
        let sign = match self.good {
            Good::AtLeast => "≥",
            Good::AtMost => "≤",
        };
        format!("{sign} {} {}", short(self.budget), self.unit)
    }
}

/// A number with three digits.
fn short(number: f64) -> String {
    match number.abs() {
        0.0 => "0".to_owned(),
        ..1.0 => format!("{number:.3}"),
        ..100.0 => {
            let text = format!("{number:.2}");
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        }
        _ => format!("{number:.0}"),
    }
}

/// A library kernel and its speeds in million warp instructions a second.
struct Kernel {
    id: String,
    link: Option<String>,
    is_compute: bool,
    native: f64,
    browser: Option<f64>,
}

/// Time over one size.
struct Scaling {
    of: String,
    /// The size, and seconds.
    points: Vec<(f64, f64)>,
    slope: f64,
}

/// All that was measured.
struct Results {
    measures: Vec<Measure>,
    kernels: Vec<Kernel>,
    scalings: Vec<Scaling>,
    starts: Vec<startup::Start>,
    /// Launches that fill a device.
    devices: Vec<Value>,
    /// As it calls itself.
    browser: String,
}

/// Measures, prints, and writes; an error if something cannot be measured. A missed budget is shown,
/// and is no error: machines differ.
pub(crate) fn run() -> Result<(), String> {
    run_step(
        "building the command line (profile `release`)",
        &mut cargo(&["build", "--locked", "--release", "--bin", "warpscope"]),
    )?;
    announce("measuring the library");
    let (mut measures, mut kernels) = native()?;
    let scalings = scalings()?;
    for scaling in &scalings {
        let off = (scaling.slope - 1.0).abs();
        let what = format!("time over {}: slope {:.3}, off 1 by", scaling.of, scaling.slope);
        measures.push(Measure::at_most(what, off, SLOPE, ""));
    }
    page::build_only()?;
    let download = page::report_size()? as f64 / 1024.0;
    measures.push(Measure::at_most(
        "download, gzipped",
        download,
        DOWNLOAD_BUDGET as f64 / 1024.0,
        "KB",
    ));
    let starts = startup::measure()?;
    let devices = devices::measure()?;
    let browser = in_browser(&mut measures, &mut kernels)?;
    let results = Results {
        measures,
        kernels,
        scalings,
        starts,
        devices,
        browser,
    };
    report::print(&results);
    report::write(&results)
}

/// Only how the page in `dist/` starts.
pub(crate) fn startup() -> Result<(), String> {
    println!("{}", startup::chapter(&startup::measure()?));
    Ok(())
}

/// Only launches that fill a device, in the page in `dist/`.
pub(crate) fn devices() -> Result<(), String> {
    println!("{}", devices::chapter(&devices::measure()?));
    Ok(())
}

/// What the measure of the page's download is called.
const DOWNLOAD: &str = "download, gzipped";

/// What does not depend on the machine: sizes and counts of allocations.
pub(crate) fn short_run() -> Result<(), String> {
    let mut measures = allocations(&["--kernel", "matmul-tiled"])?;
    if page::dist().join("index.html").is_file() {
        let download = page::report_size()? as f64 / 1024.0;
        let budget = DOWNLOAD_BUDGET as f64 / 1024.0;
        measures.push(Measure::at_most(DOWNLOAD, download, budget, "KB"));
    }
    // The page's size is reported only, until it loads in another way.
    let missed: Vec<String> = measures
        .iter()
        .filter(|measure| !measure.is_met() && measure.what != DOWNLOAD)
        .map(|measure| {
            let Measure { what, measured, .. } = measure;
            format!("{what}: {measured:.4}, budget {}", measure.budget_text())
        })
        .collect();
    report::table(&measures);
    if missed.is_empty() {
        Ok(())
    } else {
        Err(missed.join("\n"))
    }
}

/// What `warpscope bench` says.
fn bench(release: bool, args: &[&str]) -> Result<Vec<Value>, String> {
    let mut all = vec!["run", "--locked", "--quiet"];
    if release {
        all.push("--release");
    }
    all.extend(["--bin", "warpscope", "bench", "--json"]);
    all.extend(args);
    let text = output(&mut cargo(&all)).ok_or("`warpscope bench` fails")?;
    serde_json::from_str(&text).map_err(|error| format!("`warpscope bench`: {error}"))
}

/// Speed of the library, as the command line measures it.
fn native() -> Result<(Vec<Measure>, Vec<Kernel>), String> {
    let missing = || "`warpscope bench` leaves out a number".to_owned();
    let (mut measures, mut kernels) = (Vec::new(), Vec::new());
    for row in bench(true, &[])? {
        let number = |key: &str| row[key].as_f64().ok_or_else(missing);
        let text = |key: &str| row[key].as_str().map(str::to_owned).ok_or_else(missing);
        if let Some(is_compute) = row["compute"].as_bool() {
            kernels.push(Kernel {
                id: text("what")?.trim_start_matches("simulation: ").to_owned(),
                link: row["link"].as_str().map(str::to_owned),
                is_compute,
                native: number("measured")?,
                browser: None,
            });
            continue;
        }
        let more = row["more_is_better"].as_bool().ok_or_else(missing)?;
        measures.push(Measure {
            what: format!("native: {}", text("what")?),
            unit: text("unit")?,
            measured: number("measured")?,
            budget: number("budget")?,
            good: if more { Good::AtLeast } else { Good::AtMost },
        });
    }
    Ok((measures, kernels))
}

/// How time grows with the work.
fn scalings() -> Result<Vec<Scaling>, String> {
    let point = |point: &Value| Some((point["x"].as_f64()?, point["seconds"].as_f64()?));
    let scaling = |row: &Value| {
        Some(Scaling {
            of: row["of"].as_str()?.to_owned(),
            points: row["points"]
                .as_array()?
                .iter()
                .map(point)
                .collect::<Option<_>>()?,
            slope: row["slope"].as_f64()?,
        })
    };
    bench(true, &["--scaling"])?
        .iter()
        .map(scaling)
        .collect::<Option<_>>()
        .ok_or_else(|| "`warpscope bench --scaling` leaves out a number".to_owned())
}

/// The most that any of the chosen kernels allocates.
fn allocations(chosen: &[&str]) -> Result<Vec<Measure>, String> {
    announce("counting allocations");
    let args: Vec<&str> = std::iter::once("--allocations")
        .chain(chosen.iter().copied())
        .collect();
    let rows = bench(false, &args)?;
    if rows.is_empty() {
        return Err("`warpscope bench --allocations` counts nothing".to_owned());
    }
    let most = |key: &str| {
        rows.iter()
            .map(|row| row[key].as_f64().unwrap_or(f64::INFINITY))
            .fold(0.0, f64::max)
    };
    Ok(vec![
        Measure::at_most(
            "allocations of the machine, most of a kernel",
            most("allocations_in_machine_per_instruction"),
            ALLOCATIONS,
            "an instruction",
        ),
        Measure::at_most(
            "allocations with the trace, most of a kernel",
            most("allocations_with_trace_per_million_cycles"),
            TRACE_ALLOCATIONS,
            "a million cycles",
        ),
    ])
}

/// Cold load, frames, simulation, seeks, and memory, in Chromium. Returns what it calls itself.
fn in_browser(measures: &mut Vec<Measure>, kernels: &mut [Kernel]) -> Result<String, String> {
    let browser = ensure_browser()?;
    announce("measuring the page in Chromium");
    let list: Value = kernels
        .iter()
        .filter_map(|kernel| {
            let link = kernel.link.as_ref()?;
            Some(serde_json::json!({ "id": kernel.id, "link": link }))
        })
        .collect();
    let text = output(
        end_to_end(&browser, &["run", "--quiet", "--bin", "page_bench"])
            .env("WARPSCOPE_KERNELS", list.to_string()),
    )
    .ok_or("measuring the page fails; `cargo xtask test` may say why")?;
    let page: Value = serde_json::from_str(&text).map_err(|error| format!("page_bench: {error}"))?;
    for kernel in kernels.iter_mut() {
        kernel.browser = page["kernels"][&kernel.id].as_f64();
    }
    let mut speeds: Vec<f64> = kernels
        .iter()
        .filter(|kernel| kernel.is_compute)
        .filter_map(|kernel| kernel.browser)
        .collect();
    speeds.sort_by(f64::total_cmp);
    if let Some(middle) = median(&speeds) {
        measures.push(Measure {
            what: format!("Chromium: simulation, median of {} compute kernels", speeds.len()),
            unit: "M warp instr./s".to_owned(),
            measured: middle,
            budget: BROWSER_SPEED,
            good: Good::AtLeast,
        });
    }
    let mut push = |what: String, measured: &Value, unit: &str, scale: f64, budget: f64| {
        let measured = measured
            .as_f64()
            .ok_or_else(|| format!("{what} was not measured"))?;
        measures.push(Measure::at_most(what, measured / scale, budget, unit));
        Ok::<(), String>(())
    };
    let views = |of: &Value| -> Vec<(String, Value)> {
        let views = of.as_object().into_iter().flatten();
        views.map(|(view, times)| (view.clone(), times.clone())).collect()
    };
    for (view, times) in views(&page["frames_ms"]) {
        let what = format!("frame of {view} while 64 warps play, 95th percentile");
        push(what, &times["p95"], "ms", 1.0, 8.0)?;
    }
    let long = &page["long_run"];
    let millions = long["cycles"].as_f64().unwrap_or(0.0) / 1e6;
    for (view, times) in views(&long["seeks_ms"]) {
        let num = &times["num"];
        let what = format!("any of {millions:.2} million cycles in {view}, slowest of {num}");
        push(what, &times["most"], "ms", 1.0, 50.0)?;
    }
    let what = format!("trace of {millions:.2} million cycles of 64 warps in the page");
    push(what, &long["traceBytes"], "MB", 1e6, 150.0)?;
    for (what, longest) in views(&page["longest_task_ms"]) {
        // Browsers report tasks from 50 ms on: 0 is less than that.
        push(format!("longest task of {what}"), &longest, "ms", 1.0, 50.0)?;
    }
    let memory = long["memory_bytes"].as_f64().unwrap_or(0.0) / 1e6;
    let name = page["browser"].as_str().unwrap_or("Chromium").to_owned();
    eprintln!("    the page's memory with that trace: {memory:.0} MB");
    Ok(name)
}

fn median(sorted: &[f64]) -> Option<f64> {
    let middle = sorted.len().checked_sub(1)? / 2;
    Some(f64::midpoint(sorted[middle], sorted[sorted.len() / 2]))
}
