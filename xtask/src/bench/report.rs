//! The results on the terminal and in `docs/performance.md`.

use std::fmt::Write;
use std::fs;

use super::{Kernel, Measure, Results, machine, plot, short};
use crate::step::root;

/// The tables, on the terminal.
pub(super) fn print(results: &Results) {
    println!();
    for Kernel {
        id,
        is_compute,
        native,
        browser,
        ..
    } in &results.kernels
    {
        let mark = if *is_compute { "compute" } else { "" };
        let browser = browser.map_or_else(|| "-".to_owned(), |speed| format!("{speed:.2}"));
        println!("{id:<24} {mark:<8} {native:>8.2} native {browser:>8} in Chromium, M warp instr./s");
    }
    table(&results.measures);
}

/// Numbers beside their budgets.
pub(super) fn table(measures: &[Measure]) {
    println!(
        "\n{:<64} {:>10} {:>26} {:>7}",
        "what", "measured", "budget", "ratio"
    );
    for measure in measures {
        let verdict = if measure.is_met() { "" } else { "  missed" };
        println!(
            "{:<64} {:>10} {:>26} {:>7.2}{verdict}",
            measure.what,
            short(measure.measured),
            measure.budget_text(),
            measure.ratio()
        );
    }
}

/// Writes the document and its plots.
pub(super) fn write(results: &Results) -> Result<(), String> {
    let docs = root().join("docs");
    let put = |name: &str, text: &str| {
        fs::write(docs.join(name), text).map_err(|error| format!("docs/{name}: {error}"))
    };
    for scaling in &results.scalings {
        put(&plot_name(&scaling.of), &plot::svg(scaling))?;
    }
    put("performance.md", &document(results))?;
    println!("\nwritten to docs/performance.md");
    Ok(())
}

fn plot_name(of: &str) -> String {
    format!("time-over-{}.svg", of.replace(' ', "-"))
}

fn document(results: &Results) -> String {
    let mut out = "# Performance\n\n\
        `cargo xtask bench` measures and writes this file. Times apply to the machine below. Sizes and counts of\n\
        allocations apply to every machine; `cargo xtask test` checks them (`cargo xtask bench --short`).\n\n## The machine\n\n| | |\n| --- | --- |\n"
        .to_owned();
    for (name, value) in machine::describe(&results.browser) {
        let _ = writeln!(out, "| {name} | {value} |");
    }
    out += "\n## Budgets\n\n| what | measured | budget | |\n| --- | ---: | ---: | --- |\n";
    for measure in &results.measures {
        let verdict = if measure.is_met() { "met" } else { "**missed**" };
        let _ = writeln!(
            out,
            "| {} | {} {} | {} | {verdict} |",
            measure.what,
            short(measure.measured),
            measure.unit,
            measure.budget_text()
        );
    }
    out += "\nA frame includes the update, the scene, and the painting during playback. A seek includes the same, from a press on\n\
        the strip to the end of all work that follows. Chromium reports tasks from 50 ms on: 0 means that there was none.\n\
        Cold loads and links are opened in new browsers with an empty cache; the longest task of several starts counts.\n\n\
        STARTS\
        ## Simulation, kernel by kernel\n\n\
        Million warp instructions per second with the full trace, on launches that fill an SM of a GV100. Compute kernels\n\
        spend their time on issue and arithmetic; the budgets apply to their median. The browser simulates in a worker of\n\
        the built page.\n\n| kernel | | native | Chromium |\n| --- | --- | ---: | ---: |\n";
    let starts = super::startup::chapter(&results.starts);
    let devices = super::devices::chapter(&results.devices);
    let chapters = format!("{}{devices}\n", starts.trim_start());
    let mut out = out.replace("STARTS", &chapters);
    for Kernel {
        id,
        is_compute,
        native,
        browser,
        ..
    } in &results.kernels
    {
        let mark = if *is_compute { "compute" } else { "" };
        let browser = browser.map_or_else(String::new, |speed| format!("{speed:.2}"));
        let _ = writeln!(out, "| {id} | {mark} | {native:.2} | {browser} |");
    }
    out += "\n## How time grows\n\nA line of slope 1 is linear.\n\n";
    for scaling in &results.scalings {
        let _ = writeln!(
            out,
            "![Simulation time over {of}, slope {:.3}]({})\n",
            scaling.slope,
            plot_name(&scaling.of),
            of = scaling.of
        );
    }
    out.trim_end().to_owned() + "\n"
}
