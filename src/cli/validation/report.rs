//! The rows as a document: `docs/validation.md` with its plots, and as the web page that the build puts beside the
//! simulator's.

mod corpus;
mod html;
mod markdown;
mod peaks;
mod plot;
mod words;

use super::corpus::CorpusRow;
use super::peaks::Peak;
use super::{Row, Summary, summaries};
use engine::arch::{ArchId, architecture};

pub use html::page;
pub use markdown::document;

/// The values of one architecture.
struct Section<'a> {
    id: ArchId,
    summary: Summary,
    /// Values outside of figures.
    single: Vec<&'a Row>,
    /// Values along an axis, as figures.
    figures: Vec<Figure<'a>>,
}

/// A plot with the curves of one quantity.
struct Figure<'a> {
    title: String,
    /// The condition on the axis.
    axis: &'static str,
    unit: &'a str,
    series: Vec<Series<'a>>,
}

/// A curve of published and simulated values.
struct Series<'a> {
    /// The conditions other than the axis; empty if the figure has one curve.
    name: String,
    rows: Vec<&'a Row>,
}

/// A generated file.
pub struct File {
    /// The path from the root of the project.
    pub path: String,
    /// The contents.
    pub text: String,
}

/// Returns the document and its plots, made of the rows, of those of the corpus, and of the peak rates with the simulated
/// ones.
pub fn files(rows: &[Row], corpus: &[CorpusRow], peaks: &[(Peak, f64)]) -> Vec<File> {
    let sections = sections(rows);
    let mut files = vec![File {
        path: "docs/validation.md".to_owned(),
        text: document(rows, corpus, peaks),
    }];
    let with_plots = sections.iter().filter(|section| !section.figures.is_empty());
    files.extend(with_plots.map(|section| File {
        path: format!("docs/{}", plot_name(section)),
        text: plot::sheet(section),
    }));
    files
}

fn plot_name(section: &Section) -> String {
    format!("validation-{}.svg", section.id)
}

/// Returns the condition along which the values of a quantity form a curve.
fn axis(quantity: &str) -> Option<&'static str> {
    let (kind, _) = quantity.split_once(' ').unwrap_or((quantity, ""));
    match (kind, quantity) {
        ("issue" | "round" | "bandwidth", _) => Some("warps"),
        ("atomic", _) => Some("lanes"),
        (_, "chase") => Some("size"),
        (_, "latency shared") => Some("ways"),
        (_, "latency constant") => Some("addresses"),
        _ => None,
    }
}

impl Row {
    /// Returns the position of the row on an axis.
    fn at(&self, axis: &str) -> f64 {
        f64::from(self.published.conditions.number(axis).unwrap_or(0))
    }
}

fn sections(rows: &[Row]) -> Vec<Section<'_>> {
    let summaries = summaries(rows);
    ArchId::ALL
        .into_iter()
        .filter_map(|id| {
            let summary = summaries
                .iter()
                .find(|summary| summary.architecture == id.text())?;
            let rows: Vec<&Row> = (rows.iter())
                .filter(|row| row.published.architecture == id.text())
                .collect();
            Some(section(id, summary.clone(), &rows))
        })
        .collect()
}

fn section<'a>(id: ArchId, summary: Summary, rows: &[&'a Row]) -> Section<'a> {
    let mut single: Vec<&Row> = Vec::new();
    // Curves by figure, in the order of the rows. A figure combines a quantity and the conditions outside the curve
    // name.
    let mut curves: Vec<(String, String, Vec<&Row>)> = Vec::new();
    for row in rows {
        let Some(axis) = axis(&row.published.quantity).filter(|_| row.counts()) else {
            single.push(row);
            continue;
        };
        let (figure, curve) = words::curve(&row.published, axis);
        match curves.iter_mut().find(|(f, c, _)| *f == figure && *c == curve) {
            Some((_, _, rows)) => rows.push(row),
            None => curves.push((figure, curve, vec![row])),
        }
    }
    let mut figures: Vec<Figure> = Vec::new();
    for (title, name, mut rows) in curves {
        let first = rows[0];
        let Some(axis) = axis(&first.published.quantity).filter(|_| rows.len() > 2) else {
            single.extend(rows);
            continue;
        };
        rows.sort_by(|a, b| a.at(axis).total_cmp(&b.at(axis)));
        let series = Series { name, rows };
        match figures.iter_mut().find(|figure| figure.title == title) {
            Some(figure) => figure.series.push(series),
            None => figures.push(Figure {
                title,
                axis,
                unit: &first.published.unit,
                series: vec![series],
            }),
        }
    }
    Section {
        id,
        summary,
        single,
        figures,
    }
}

impl Figure<'_> {
    /// Returns the sources of the values.
    fn sources(&self) -> String {
        let mut sources: Vec<String> = Vec::new();
        for row in self.series.iter().flat_map(|series| &series.rows) {
            let source = words::source(&row.published);
            if !sources.contains(&source) {
                sources.push(source);
            }
        }
        sources.join("; ")
    }
}

impl Section<'_> {
    fn name(&self) -> &'static str {
        architecture(self.id).name
    }

    /// Returns the explanations of large errors, each with the number of values.
    fn reasons<'a>(&self, rows: &'a [Row]) -> Vec<(String, &'a str)> {
        let own = (rows.iter()).filter(|row| row.published.architecture == self.id.text());
        let counted = |(why, num): (&'a str, usize)| {
            let values = if num == 1 { "value" } else { "values" };
            (format!("{num} {values}"), why)
        };
        reasons(own).into_iter().map(counted).collect()
    }
}

/// Returns the explanations of large errors, each with the number of rows that it explains.
fn reasons<'a>(rows: impl Iterator<Item = &'a Row>) -> Vec<(&'a str, usize)> {
    let mut reasons: Vec<(&str, usize)> = Vec::new();
    for row in rows.filter(|row| row.counts() && row.is_far()) {
        match reasons.iter_mut().find(|(why, _)| *why == row.note) {
            Some((_, num)) => *num += 1,
            None => reasons.push((&row.note, 1)),
        }
    }
    reasons
}
