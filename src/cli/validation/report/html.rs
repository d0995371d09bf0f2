//! `validation.html`: a page of its own in the look of the product, without a script but the theme.

use std::fmt::Write;

use super::plot;
use super::words::{axis, conditions, percent, quantity, short, source, tick};
use super::{Figure, Section, corpus, sections};
use crate::validation::corpus::CorpusRow;
use crate::validation::{CLOSE, EXPLAIN_ABOVE, Row, Summary, summaries};

const TOKENS: &str = include_str!("../../../../www/tokens.css");
const STYLE: &str = include_str!("page.css");

/// Returns the page.
pub fn page(rows: &[Row], in_corpus: &[CorpusRow]) -> String {
    let sections = sections(rows);
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>Validation of Warpscope</title>\n\
         <style>\n{TOKENS}\n{STYLE}</style>\n\
         <script>try {{ const theme = localStorage.getItem(\"theme\"); \
         if (theme) document.documentElement.dataset.theme = theme; }} catch {{}}</script>\n\
         </head>\n<body>\n<header><a href=\"index.html\">Warpscope</a><h1>Validation</h1></header>\n<main>\n"
    );
    introduction(&sections, rows, &mut out);
    for section in &sections {
        write_section(section, rows, &mut out);
    }
    corpus::write_html(in_corpus, &mut out);
    out + "</main>\n</body>\n</html>\n"
}

fn introduction(sections: &[Section], rows: &[Row], out: &mut String) {
    let summaries = summaries(rows);
    let Some(all) = summaries.last() else {
        return;
    };
    let far = all.explained + all.unexplained;
    let _ = write!(
        out,
        "<p class=\"headline\">{} values compared. The median error is {}; {} values are within 5\u{a0}%, {far} over 15\u{a0}%.</p>\n\
         <p>Microbenchmarks run on the simulator and measure as on hardware, with <code>clock()</code> inside the kernel. \
         The results are compared with guides, papers, and measurements of the same kernels on a GH100. No value is \
         tuned as a special case. Every error over 15 % has an explanation.</p>\n\
         <p class=\"legend\">{}within 5 % {}within 15 % {}over 15 %. In plots, marks are published values and lines are simulated. \
         Errors in parentheses belong to other sources and are not counted.</p>\n",
        all.compared,
        percent(all.median).trim_start_matches('+').replace(' ', "\u{a0}"),
        all.close,
        tile(0.0),
        tile(0.1),
        tile(1.0),
    );
    *out += "<div class=\"scroll\" tabindex=\"0\"><table class=\"summary\">\n<thead><tr><th>Architecture</th><th>Values</th><th>Median error</th>\
        <th>Mean error</th><th>Within 5 %</th><th>Over 15 %</th><th>Other sources</th><th>Not run</th></tr></thead>\n<tbody>\n";
    for section in sections {
        let name = format!("<a href=\"#{}\">{}</a>", section.id, section.name());
        summary_row(&name, &section.summary, out);
    }
    summary_row("All", all, out);
    *out += "</tbody></table></div>\n\
        <p class=\"more\"><a href=\"#corpus\">Kernels of the corpus</a>: instructions, occupancy, and stall reasons compared with hardware.</p>\n";
}

fn summary_row(name: &str, summary: &Summary, out: &mut String) {
    let _ = writeln!(
        out,
        "<tr><th>{name}</th><td>{}</td><td>{:.2} %</td><td>{:.2} %</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
        summary.compared,
        100.0 * summary.median,
        100.0 * summary.mean,
        summary.close,
        summary.explained + summary.unexplained,
        summary.beside,
        summary.not_run
    );
}

fn write_section(section: &Section, rows: &[Row], out: &mut String) {
    let _ = writeln!(
        out,
        "<section id=\"{}\">\n<h2>{}</h2>",
        section.id,
        section.name()
    );
    let reasons = section.reasons(rows);
    if !reasons.is_empty() {
        *out += "<h3>Errors over 15 %</h3>\n<ul class=\"reasons\">\n";
        for (values, why) in &reasons {
            let _ = writeln!(out, "<li><b>{values}</b> {}</li>", escaped(why));
        }
        *out += "</ul>\n";
    }
    if !section.figures.is_empty() {
        *out += "<h3>Curves</h3>\n<div class=\"figures\">\n";
        for figure in &section.figures {
            write_figure(figure, out);
        }
        *out += "</div>\n";
    }
    if !section.single.is_empty() {
        *out += "<h3>Values</h3>\n<div class=\"scroll\" tabindex=\"0\"><table class=\"values\">\n<thead><tr><th>Quantity</th><th>Published</th>\
            <th>Simulated</th><th>Error</th><th class=\"words\">Unit</th><th class=\"words\">Source</th></tr></thead>\n<tbody>\n";
        for row in &section.single {
            single(row, out);
        }
        *out += "</tbody></table></div>\n";
    }
    *out += "</section>\n";
}

fn single(row: &Row, out: &mut String) {
    let value = &row.published;
    let mut what = escaped(&quantity(&value.quantity));
    let under = conditions(value);
    if !under.is_empty() {
        let _ = write!(what, " <small>{}</small>", escaped(&under));
    }
    if row.ours.is_none() {
        let _ = write!(what, " <small>{}</small>", escaped(&row.note));
    }
    let from = escaped(&source(value));
    // Shown on narrow screens instead of the last two columns.
    let _ = write!(what, "<small class=\"narrow\">{}; {from}</small>", value.unit);
    let (ours, error) = match (row.ours, row.error) {
        (Some(ours), Some(error)) if value.is_compared => {
            (short(ours), format!("{}{}", tile(error), percent(error)))
        }
        (Some(ours), Some(error)) => (short(ours), format!("({})", percent(error))),
        _ => ("not run".to_owned(), String::new()),
    };
    let _ = writeln!(
        out,
        "<tr><th>{what}</th><td>{}</td><td>{ours}</td><td>{error}</td><td class=\"words\">{}</td><td class=\"words\">{from} <small>{}</small></td></tr>",
        short(value.value),
        value.unit,
        value.part
    );
}

fn write_figure(figure: &Figure, out: &mut String) {
    let rows = figure.series.iter().flat_map(|series| series.rows.iter());
    let errors: Vec<f64> = rows.filter_map(|row| row.error).map(f64::abs).collect();
    let num_far = errors.iter().filter(|error| **error > EXPLAIN_ABOVE).count();
    let most = errors.iter().copied().fold(0.0, f64::max);
    let _ = write!(
        out,
        "<figure>\n<figcaption><b>{}</b> <small>{}; {}</small></figcaption>\n{}\n<details><summary>{}{} values, {} over 15 %, \
         at most {}</summary>\n<div class=\"scroll\" tabindex=\"0\"><table>\n",
        escaped(&figure.title),
        figure.unit,
        escaped(&figure.sources()),
        plot::inline(figure),
        tile(most),
        errors.len(),
        if num_far == 0 {
            "none".to_owned()
        } else {
            num_far.to_string()
        },
        percent(most).trim_start_matches('+'),
    );
    for series in &figure.series {
        let name = if series.name.is_empty() {
            axis(figure.axis)
        } else {
            &series.name
        };
        let _ = write!(out, "<thead><tr><th>{name}</th>");
        for row in &series.rows {
            let _ = write!(out, "<th>{}</th>", tick(figure.axis, row.at(figure.axis)));
        }
        *out += "</tr></thead><tbody>\n";
        let mut line = |what: &str, cell: &dyn Fn(&Row) -> String| {
            let _ = write!(out, "<tr><th>{what}</th>");
            for row in &series.rows {
                let _ = write!(out, "<td>{}</td>", cell(row));
            }
            *out += "</tr>\n";
        };
        line("Published", &|row| short(row.published.value));
        line("Simulated", &|row| row.ours.map_or_else(String::new, short));
        line("Error", &|row| {
            row.error
                .map_or_else(String::new, |error| format!("{}{}", tile(error), percent(error)))
        });
        *out += "</tbody>\n";
    }
    *out += "</table></div></details>\n</figure>\n";
}

/// A tile whose shape shows the size of an error.
fn tile(error: f64) -> &'static str {
    match error.abs() {
        error if error <= CLOSE => "<i class=\"near\"></i>",
        error if error <= EXPLAIN_ABOVE => "<i class=\"mid\"></i>",
        _ => "<i class=\"far\"></i>",
    }
}

pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
