//! Plots as data: axes with units, curves with their source, and the current point. The page draws plots with
//! plotters; the text twin is a table.

mod layout;
#[cfg(test)]
mod tests;

use serde::Serialize;

pub use layout::{Label, LabelKind, Layout, Measure, Tick, estimate};

use super::Table;
use crate::csv;

/// Maximum number of rows of a table with one row per place of the x axis.
const MAX_STOPS: f64 = 40.0;

/// A plot.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Chart {
    /// Id on the page and in file names.
    pub id: String,
    /// Title.
    pub title: String,
    /// Horizontal axis.
    pub x: Axis,
    /// Vertical axis.
    pub y: Axis,
    /// Curves, the main one first.
    pub series: Vec<Series>,
    /// The current point, drawn as a ring.
    pub marker: Option<(f64, f64)>,
    /// Text in the plot, such as the limiter of a plateau.
    pub notes: Vec<Note>,
    /// Ranges of x that are not allowed, with the reason; the axis is dotted there.
    pub illegal: Vec<Stretch>,
    /// The setting that a click changes.
    pub sets: Sets,
    /// Source of the numbers, in one line.
    pub source: String,
}

/// An axis.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Axis {
    /// Quantity of the axis.
    pub label: String,
    /// Unit.
    pub unit: String,
    /// Minimum and maximum.
    pub range: (f64, f64),
    /// Labeled places; empty: at round numbers.
    pub ticks: Vec<f64>,
    /// Distance of selectable places; 0: only the points of the curves.
    pub step: f64,
}

impl Axis {
    /// An axis with labels at round numbers.
    pub fn new(label: impl Into<String>, unit: impl Into<String>, range: (f64, f64)) -> Self {
        Self {
            label: label.into(),
            unit: unit.into(),
            range,
            ticks: Vec::new(),
            step: 0.0,
        }
    }

    /// `Block size (threads)`, or the label alone if it equals the unit.
    pub fn text(&self) -> String {
        if self.label.to_lowercase().ends_with(&self.unit.to_lowercase()) {
            self.label.clone()
        } else {
            format!("{} ({})", self.label, self.unit)
        }
    }
}

/// A curve.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Series {
    /// Name, drawn at the end of the curve.
    pub name: String,
    /// Drawing style.
    pub kind: SeriesKind,
    /// Points, by x.
    pub points: Vec<(f64, f64)>,
}

/// How a curve is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum SeriesKind {
    /// Straight from point to point.
    Line,
    /// Level until the next point.
    Step,
    /// Level until the next point, thin and dashed, for comparison.
    FaintStep,
    /// Only dots.
    Points,
}

/// A text at a place of the plot.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Note {
    /// Position in the units of the axes.
    pub at: (f64, f64),
    /// Text.
    pub text: String,
}

/// A range of x that is not allowed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Stretch {
    /// First x.
    pub from: f64,
    /// Last x.
    pub to: f64,
    /// Reason, in a few words.
    pub reason: String,
}

/// The setting that a click on a plot changes to the x of its place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub enum Sets {
    /// None: the plot is not interactive.
    #[default]
    Nothing,
    /// Threads of a block.
    BlockThreads,
    /// Shared memory of a block in KB: the dynamic part beside the static part.
    SharedKib,
    /// Shared memory of the SM in KB.
    Carveout,
}

impl SeriesKind {
    /// Whether the curve is level between its points.
    pub const fn is_step(self) -> bool {
        matches!(self, Self::Step | Self::FaintStep)
    }
}

impl Series {
    /// The value at a place: the last point's for a step, else the value of a point at this place.
    pub fn value(&self, x: f64) -> Option<f64> {
        let end = self.points.partition_point(|point| point.0 <= x);
        let (at, value) = *self.points.get(end.checked_sub(1)?)?;
        let reaches = self.points.last().is_some_and(|last| x <= last.0);
        (at == x || (self.kind.is_step() && reaches)).then_some(value)
    }
}

impl Chart {
    /// The text twin: one row per place, and one column per curve beside x.
    pub fn table(&self) -> Table {
        let mut columns = vec![self.x.text()];
        columns.extend(self.series.iter().map(|series| series.name.clone()));
        let rows = self
            .stops()
            .into_iter()
            .map(|x| {
                let cell = |series: &Series| series.value(x).map_or_else(String::new, number);
                let mut row = vec![number(x)];
                row.extend(self.series.iter().map(cell));
                row
            })
            .collect();
        Table { columns, rows }
    }

    /// The table as comma-separated values.
    pub fn csv(&self) -> String {
        let table = self.table();
        let plain = |row: &Vec<String>| csv::row(row.iter().map(|cell| cell.replace(',', "")));
        let rows: String = table.rows.iter().map(plain).collect();
        format!("{}{rows}# {}\n", csv::row(&table.columns), self.source)
    }

    /// The places of the x axis in a table: all selectable places if they are few, else the points of the curves.
    fn stops(&self) -> Vec<f64> {
        let (least, greatest) = self.x.range;
        let steps = (greatest / self.x.step).floor();
        if self.x.step > 0.0 && steps <= MAX_STOPS {
            let all = (0..=steps as u32).map(|idx| f64::from(idx) * self.x.step);
            let known = |x: &f64| self.series.iter().any(|series| series.value(*x).is_some());
            return all.filter(|x| *x >= least && known(x)).collect();
        }
        let points = self.series.iter().flat_map(|series| &series.points);
        let mut stops: Vec<f64> = points.map(|point| point.0).collect();
        stops.sort_by(f64::total_cmp);
        stops.dedup();
        stops
    }

    /// The selectable place nearest to `x`.
    pub fn place(&self, x: f64) -> Option<f64> {
        let (least, greatest) = self.x.range;
        if self.x.step > 0.0 {
            let steps = ((x.clamp(least, greatest)) / self.x.step).round();
            let most = (greatest / self.x.step).floor();
            return Some((steps.min(most) * self.x.step).max(least));
        }
        let nearer = |a: &f64, b: &f64| (a - x).abs().total_cmp(&(b - x).abs());
        self.stops().into_iter().min_by(nearer)
    }

    /// The next place of the table after or before `x`, or the current point.
    pub fn beside(&self, x: Option<f64>, forward: bool) -> Option<f64> {
        let mut stops = self.stops();
        stops.extend(self.marker.map(|marker| marker.0));
        stops.sort_by(f64::total_cmp);
        let x = x.or(self.marker.map(|marker| marker.0));
        let Some(x) = x else {
            return stops.first().copied();
        };
        if forward {
            stops
                .iter()
                .copied()
                .find(|stop| *stop > x)
                .or(stops.last().copied())
        } else {
            let before = stops.iter().rev().copied().find(|stop| *stop < x);
            before.or(stops.first().copied())
        }
    }

    /// The reading at a place: the main value, and the values of the other curves.
    pub fn reading(&self, x: f64) -> (String, String) {
        let unit = |axis: &Axis| {
            if axis.unit.is_empty() {
                axis.label.to_lowercase()
            } else {
                axis.unit.clone()
            }
        };
        let value = |series: &Series| series.value(x).map(number);
        let place = format!("{} {}", number(x), unit(&self.x));
        let reason = self
            .illegal
            .iter()
            .find(|stretch| stretch.from <= x && x <= stretch.to);
        let main = self.series.first();
        let first = match (reason, main.and_then(value)) {
            (Some(stretch), None) => format!("{place}: {}", stretch.reason),
            (_, Some(value)) => format!("{place}: {value} {}", unit(&self.y)),
            (None, None) => place,
        };
        let others = self.series.iter().skip(1);
        let named = |series: &Series| value(series).map(|value| format!("{} {value}", series.name));
        (first, others.filter_map(named).collect::<Vec<_>>().join(" · "))
    }
}

/// A number in axes and tables: whole numbers with grouping commas, others with four digits.
pub(super) fn number(value: f64) -> String {
    if value.fract() == 0.0 && value.abs() < 9e15 {
        let sign = if value < 0.0 { "−" } else { "" };
        return format!("{sign}{}", super::thousands(value.abs() as u64));
    }
    if !value.is_finite() {
        return value.to_string();
    }
    if value.abs() >= 1e6 || value.abs() < 1e-3 {
        return format!("{value:.3e}");
    }
    let digits = match value.abs() {
        least if least >= 1000.0 => 0,
        least if least >= 100.0 => 1,
        least if least >= 10.0 => 2,
        _ => 3,
    };
    let text = format!("{value:.digits$}");
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}
