//! Writes `docs/validation.md`.

use std::fmt::Write;

use super::words::{axis, conditions, percent, quantity, short, source, tick};
use super::{Figure, Section, corpus, peaks, plot_name, sections};
use crate::validation::corpus::CorpusRow;
use crate::validation::peaks::Peak;
use crate::validation::{Row, Summary, summaries};

/// Returns the document.
pub fn document(rows: &[Row], in_corpus: &[CorpusRow], of_peaks: &[(Peak, f64)]) -> String {
    let mut out = "# Validation\n\n\
        `warpscope validate` runs microbenchmarks (`tests/microbenchmarks`, CUDA C++) on the simulator and compares the\n\
        results with guides, papers, and measurements of the same kernels on a GH100. `warpscope validate --write .` writes\n\
        this file, and a test checks it against the simulator. As on hardware, a kernel measures with `clock()`, and the\n\
        difference of two run lengths cancels overhead.\n\n\
        No value is tuned as a special case. Every error over 15 % has an explanation. If sources disagree, one source is\n\
        compared; the others are listed and not counted.\n\n## Summary\n\n\
        | architecture | values | median error | mean error | within 5 % | over 15 %, explained | over 15 %, unexplained | other sources | not run |\n\
        | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n"
        .to_owned();
    let sections = sections(rows);
    for section in &sections {
        summary_row(section.name(), &section.summary, &mut out);
    }
    if let Some(all) = summaries(rows).last() {
        summary_row("all", all, &mut out);
    }
    for section in &sections {
        write_section(section, rows, &mut out);
    }
    peaks::write_markdown(of_peaks, &mut out);
    corpus::write_markdown(in_corpus, &mut out);
    out
}

fn summary_row(name: &str, summary: &Summary, out: &mut String) {
    let _ = writeln!(
        out,
        "| {name} | {} | {:.2} % | {:.2} % | {} | {} | {} | {} | {} |",
        summary.compared,
        100.0 * summary.median,
        100.0 * summary.mean,
        summary.close,
        summary.explained,
        summary.unexplained,
        summary.beside,
        summary.not_run
    );
}

fn write_section(section: &Section, rows: &[Row], out: &mut String) {
    let _ = writeln!(out, "\n## {}\n", section.name());
    let reasons = section.reasons(rows);
    if !reasons.is_empty() {
        *out += "Errors over 15 %:\n\n";
        for (values, why) in &reasons {
            let _ = writeln!(out, "- {values}: {why}");
        }
        out.push('\n');
    }
    if !section.figures.is_empty() {
        let _ = writeln!(
            out,
            "![Curves of {}: points are published, lines are simulated]({})\n",
            section.name(),
            plot_name(section)
        );
    }
    if !section.single.is_empty() {
        *out += "| quantity | conditions | published | unit | simulated | error | part | source |\n| --- | --- | ---: | --- | ---: | ---: | --- | --- |\n";
        for row in &section.single {
            single(row, out);
        }
    }
    for figure in &section.figures {
        write_figure(figure, out);
    }
}

fn single(row: &Row, out: &mut String) {
    let value = &row.published;
    let (ours, error) = match (row.ours, row.error) {
        (Some(ours), Some(error)) if value.is_compared => (short(ours), percent(error)),
        (Some(ours), Some(error)) => (short(ours), format!("({})", percent(error))),
        _ => ("not run".to_owned(), row.note.clone()),
    };
    let _ = writeln!(
        out,
        "| {} | {} | {} | {} | {ours} | {error} | {} | {} |",
        quantity(&value.quantity),
        conditions(value),
        short(value.value),
        value.unit,
        value.part,
        source(value)
    );
}

fn write_figure(figure: &Figure, out: &mut String) {
    let _ = writeln!(
        out,
        "\n### {}\n\n{}; {}.\n",
        figure.title,
        figure.unit,
        figure.sources()
    );
    for series in &figure.series {
        let _ = write!(out, "| {} |", axis(figure.axis));
        for row in &series.rows {
            let _ = write!(out, " {} |", tick(figure.axis, row.at(figure.axis)));
        }
        let _ = writeln!(out, "\n| --- |{}", " ---: |".repeat(series.rows.len()));
        let name = if series.name.is_empty() {
            String::new()
        } else {
            format!("{}, ", series.name)
        };
        let mut line = |what: &str, cell: &dyn Fn(&Row) -> String| {
            let cells: Vec<String> = series.rows.iter().map(|row| cell(row)).collect();
            let _ = writeln!(out, "| {name}{what} | {} |", cells.join(" | "));
        };
        line("published", &|row| short(row.published.value));
        line("simulated", &|row| row.ours.map_or_else(String::new, short));
        line("error", &|row| row.error.map_or_else(String::new, percent));
        out.push('\n');
    }
    while out.ends_with("\n\n") {
        out.pop();
    }
}
