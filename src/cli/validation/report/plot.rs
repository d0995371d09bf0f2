//! Draws curves as SVG: points are published values, lines are simulated.

use std::fmt::Write;

use super::words::{axis, short, tick};
use super::{Figure, Section};

pub(super) const WIDTH: f64 = 360.0;
const HEIGHT: f64 = 250.0;
/// Left, right, top, bottom.
const MARGIN: (f64, f64, f64, f64) = (44.0, 92.0, 12.0, 38.0);
/// The light colors of SVG files; the page defines its own colors.
const FILE_STYLE: &str = "text{fill:#64655d;font:11px system-ui,sans-serif}.title{fill:#171814;font-weight:600}\
    .grid{stroke:#e9e9e3}.axis{stroke:#84857b}.line{fill:none;stroke-width:1.5}.mark{fill:#fff;stroke-width:1.5}\
    .s0{stroke:#007544}.s1{stroke:#2a4cc0}.s2{stroke:#de6604}.s3{stroke:#9d1174}.s4{stroke:#1a91d3}.s5{stroke:#573f00}";

/// A logarithmic axis.
struct Scale {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

impl Scale {
    fn new(values: impl Iterator<Item = f64> + Clone, from: f64, to: f64) -> Self {
        let low = libm::log10(values.clone().fold(f64::INFINITY, f64::min));
        let high = libm::log10(values.fold(f64::NEG_INFINITY, f64::max));
        let room = 0.05 * (high - low).max(0.3);
        Self {
            low: low - room,
            high: high + room,
            from,
            to,
        }
    }

    fn place(&self, value: f64) -> f64 {
        let share = (libm::log10(value) - self.low) / (self.high - self.low);
        self.from + share * (self.to - self.from)
    }

    /// Returns ticks at 1, 2, and 5 times powers of ten; only powers of ten if the range is large.
    fn ticks(&self) -> Vec<f64> {
        let steps: &[f64] = if self.high - self.low > 1.8 {
            &[1.0]
        } else {
            &[1.0, 2.0, 5.0]
        };
        (self.low.floor() as i32..=self.high.ceil() as i32)
            .flat_map(|power| {
                steps
                    .iter()
                    .map(move |step| step * libm::pow(10.0, f64::from(power)))
            })
            .filter(|value| (self.low..=self.high).contains(&libm::log10(*value)))
            .collect()
    }
}

/// Returns an SVG with all figures of an architecture.
pub(super) fn sheet(section: &Section) -> String {
    const COLUMNS: usize = 3;
    const TITLE: f64 = 24.0;
    let columns = section.figures.len().min(COLUMNS);
    let width = columns as f64 * WIDTH;
    let height = section.figures.len().div_ceil(COLUMNS) as f64 * (HEIGHT + TITLE);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\">\n\
         <title>{}: published points, the simulator's lines</title>\n<style>{FILE_STYLE}</style>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
        section.name()
    );
    for (idx, figure) in section.figures.iter().enumerate() {
        let (column, row) = (idx % COLUMNS, idx / COLUMNS);
        let (x, y) = (column as f64 * WIDTH, row as f64 * (HEIGHT + TITLE));
        let _ = writeln!(
            out,
            "<g transform=\"translate({x} {y})\"><text class=\"title\" x=\"8\" y=\"16\">{}</text>\n\
             <g transform=\"translate(0 {TITLE})\">{}</g></g>",
            figure.title,
            body(figure)
        );
    }
    out + "</svg>\n"
}

/// Returns one figure, which takes its colors from the page.
pub(super) fn inline(figure: &Figure) -> String {
    format!(
        "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{}: points are published, lines are simulated\">{}</svg>",
        figure.title,
        body(figure)
    )
}

fn body(figure: &Figure) -> String {
    let (left, right, top, bottom) = MARGIN;
    let rows = || figure.series.iter().flat_map(|series| series.rows.iter());
    let x = Scale::new(rows().map(|row| row.at(figure.axis)), left, WIDTH - right);
    let values = rows()
        .flat_map(|row| [Some(row.published.value), row.ours])
        .flatten();
    let y = Scale::new(values.clone().filter(|value| *value > 0.0), HEIGHT - bottom, top);
    let mut out = String::new();
    let line = |out: &mut String, (x1, y1): (f64, f64), (x2, y2): (f64, f64), class: &str| {
        let _ = write!(
            out,
            "<line class=\"{class}\" x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\"/>"
        );
    };
    let text = |out: &mut String, (x, y): (f64, f64), anchor: &str, words: &str| {
        let _ = write!(
            out,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{words}</text>"
        );
    };
    for value in y.ticks() {
        let at = y.place(value);
        line(&mut out, (left, at), (WIDTH - right, at), "grid");
        text(&mut out, (left - 5.0, at + 4.0), "end", &short(value));
    }
    // Tick labels at the measured values, if they fit.
    let mut marks: Vec<f64> = rows().map(|row| row.at(figure.axis)).collect();
    marks.sort_by(f64::total_cmp);
    marks.dedup();
    let mut free = 0.0;
    for value in marks {
        let at = x.place(value);
        let half = 3.4 * tick(figure.axis, value).len() as f64;
        if at - half < free {
            continue;
        }
        free = at + half + 4.0;
        line(
            &mut out,
            (at, HEIGHT - bottom),
            (at, HEIGHT - bottom + 4.0),
            "axis",
        );
        text(
            &mut out,
            (at, HEIGHT - bottom + 16.0),
            "middle",
            &tick(figure.axis, value),
        );
    }
    line(
        &mut out,
        (left, HEIGHT - bottom),
        (WIDTH - right, HEIGHT - bottom),
        "axis",
    );
    text(
        &mut out,
        ((left + WIDTH - right) / 2.0, HEIGHT - 6.0),
        "middle",
        axis(figure.axis),
    );
    for (idx, series) in figure.series.iter().enumerate() {
        let points: Vec<String> = (series.rows.iter())
            .filter_map(|row| Some((row.at(figure.axis), row.ours.filter(|ours| *ours > 0.0)?)))
            .map(|(at, ours)| format!("{:.1},{:.1}", x.place(at), y.place(ours)))
            .collect();
        let class = idx % 6;
        let _ = write!(
            out,
            "<polyline class=\"line s{class}\" points=\"{}\"/>",
            points.join(" ")
        );
        for row in &series.rows {
            out += &mark(class, x.place(row.at(figure.axis)), y.place(row.published.value));
        }
    }
    legend(figure, &mut out);
    out
}

/// Draws the legend to the right of the plot.
fn legend(figure: &Figure, out: &mut String) {
    let at = WIDTH - MARGIN.1 + 14.0;
    for (idx, series) in figure.series.iter().enumerate() {
        let y = MARGIN.2 + 8.0 + 16.0 * idx as f64;
        // The part of the name that distinguishes the curve, for example `4 chains`.
        let name = series.name.split(" per thread").next().unwrap_or_default();
        let name = name.split(" in flight").next().unwrap_or_default();
        let name = name.split(" on one word").next().unwrap_or_default();
        if !name.is_empty() {
            *out += &mark(idx % 6, at, y);
            let _ = write!(
                out,
                "<text x=\"{:.1}\" y=\"{:.1}\">{name}</text>",
                at + 9.0,
                y + 4.0
            );
        }
    }
}

/// Returns a mark whose shape depends on the curve.
fn mark(series: usize, x: f64, y: f64) -> String {
    let path = |path: String| format!("<path class=\"mark s{series}\" d=\"{path}\"/>");
    match series {
        0 => format!("<circle class=\"mark s0\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\"/>"),
        1 => path(format!("M{:.1} {:.1}h6v6h-6z", x - 3.0, y - 3.0)),
        2 => path(format!("M{x:.1} {:.1}l4 4-4 4-4-4z", y - 4.0)),
        3 => path(format!("M{x:.1} {:.1}l4 7h-8z", y - 4.0)),
        4 => path(format!("M{x:.1} {:.1}l-4-7h8z", y + 4.0)),
        _ => path(format!("M{:.1} {:.1}l6 6m0-6l-6 6", x - 3.0, y - 3.0)),
    }
}
