//! Plots as data: axes with units, curves with their source, the present point. The page draws them
//! with plotters; their text twin is a table.

use serde::Serialize;

use super::Table;

/// A plot.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Chart {
    /// Its id on the page and in names of files.
    pub id: String,
    /// What it shows, in a few words.
    pub title: String,
    /// Across.
    pub x: Axis,
    /// Up.
    pub y: Axis,
    /// Curves, the main one first.
    pub series: Vec<Series>,
    /// The present point, drawn as a ring.
    pub marker: Option<(f64, f64)>,
    /// Words at places of the plot, such as the limiter of a plateau.
    pub notes: Vec<Note>,
    /// Where the numbers come from, in one line.
    pub source: String,
}

/// An axis.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Axis {
    /// What is along it.
    pub label: String,
    /// In what, at the axis' end.
    pub unit: String,
    /// Least and greatest.
    pub range: (f64, f64),
}

/// A curve.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Series {
    /// Its name, written at its end.
    pub name: String,
    /// How it is drawn.
    pub kind: SeriesKind,
    /// Its points, by x.
    pub points: Vec<(f64, f64)>,
}

/// How a curve is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum SeriesKind {
    /// Straight from point to point.
    Line,
    /// Level until the next point.
    Step,
    /// Level until the next point, thin and dashed: something to compare with.
    FaintStep,
    /// Dots alone.
    Points,
}

/// Words at a place.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Note {
    /// Where, in the units of the axes.
    pub at: (f64, f64),
    /// What.
    pub text: String,
}

impl Chart {
    /// The plot in words: one row a point, one column a curve beside x.
    pub fn table(&self) -> Table {
        let mut columns = vec![format!("{} ({})", self.x.label, self.x.unit)];
        columns.extend(self.series.iter().map(|series| series.name.clone()));
        let mut xs: Vec<f64> = self
            .series
            .iter()
            .flat_map(|series| series.points.iter().map(|point| point.0))
            .collect();
        xs.sort_by(f64::total_cmp);
        xs.dedup();
        let cell = |series: &Series, x: f64| {
            let point = series.points.iter().find(|point| point.0 == x);
            point.map_or_else(String::new, |point| point.1.to_string())
        };
        let rows = xs
            .iter()
            .map(|x| {
                let mut row = vec![x.to_string()];
                row.extend(self.series.iter().map(|series| cell(series, *x)));
                row
            })
            .collect();
        Table { columns, rows }
    }
}
