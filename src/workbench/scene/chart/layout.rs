//! Layout of a plot at a size, as plain numbers, so that tests can check for overlaps without a browser.

use super::{Chart, Series, SeriesKind, number};
use crate::scene::kit::{round_step, text_width};
use crate::scene::{Align, Size, TextSize};

/// Space above the plot for the name of the vertical axis, in lines of text.
const HEAD: f32 = 1.6;
/// Minimum distance of two labels' middles, in lines of text.
const LINE: f32 = 1.15;
/// Maximum share of the width for names at the curves' ends.
const NAMES: f32 = 0.3;

/// A labeled place of an axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Tick {
    /// Position along the axis, in CSS pixels.
    pub at: f32,
    /// Label.
    pub text: String,
}

/// The kind of a label, for its font and color.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LabelKind {
    /// A number or the name of an axis.
    Axis,
    /// The name of the main curve.
    Main,
    /// The name of another curve.
    Name,
    /// A note.
    Note,
    /// The plot's title, in a saved image.
    Title,
}

/// One line of text; `y` is the middle of the line.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "standard names of geometry")]
pub struct Label {
    pub x: f32,
    pub y: f32,
    pub text: String,
    pub align: Align,
    pub kind: LabelKind,
}

impl Label {
    /// Left, top, right, and bottom of the label, in a font of `px`.
    pub fn area(&self, px: f32, measure: Measure) -> (f32, f32, f32, f32) {
        let width = measure(
            &self.text,
            matches!(self.kind, LabelKind::Title | LabelKind::Main),
        );
        let left = match self.align {
            Align::Left => self.x,
            Align::Center => self.x - width / 2.0,
            Align::Right => self.x - width,
        };
        (left, self.y - px / 2.0, left + width, self.y + px / 2.0)
    }
}

/// Layout of a plot.
#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    /// Size of the whole plot.
    pub size: Size,
    /// Left, top, right, and bottom of the plotted area.
    pub plot: (f32, f32, f32, f32),
    /// Ticks of the horizontal axis.
    pub x_ticks: Vec<Tick>,
    /// Ticks of the vertical axis.
    pub y_ticks: Vec<Tick>,
    /// All texts.
    pub labels: Vec<Label>,
    x_range: (f64, f64),
    y_range: (f64, f64),
}

/// Measures the width of a text in CSS pixels: text, font size, and whether it is strong.
pub type Measure<'m> = &'m dyn Fn(&str, bool) -> f32;

/// Estimated width of a text, where no measurement is available.
pub fn estimate(text: &str, px: f32, strong: bool) -> f32 {
    text_width(text, TextSize::Label, false, strong) * px / TextSize::Label.px()
}

/// A range of nonzero width.
fn spread((least, greatest): (f64, f64)) -> (f64, f64) {
    if greatest > least {
        (least, greatest)
    } else {
        (least, least + 1.0)
    }
}

impl Layout {
    /// Lays out a plot with a font of `px`. `captioned` includes the title and the source, as in a saved file.
    pub fn new(chart: &Chart, size: Size, px: f32, captioned: bool, measure: Measure) -> Self {
        let caption = if captioned { px * 2.2 } else { 0.0 };
        let y_places = places(&chart.y.ticks, chart.y.range, 5.0);
        let number_width = y_places
            .iter()
            .map(|place| measure(&number(*place), false))
            .fold(0.0, f32::max);
        let most = size.width * NAMES;
        let names_width = named(chart)
            .map(|series| measure(&series.name, true) + 6.0)
            .fold(8.0, f32::max)
            .min(most);
        let plot = (
            number_width + 7.0,
            caption + px * HEAD,
            (size.width - names_width).max(number_width + 60.0),
            (size.height - caption - px * 3.1).max(caption + px * HEAD + 40.0),
        );
        let mut layout = Self {
            size,
            plot,
            x_ticks: Vec::new(),
            y_ticks: Vec::new(),
            labels: Vec::new(),
            x_range: spread(chart.x.range),
            y_range: spread(chart.y.range),
        };
        layout.label_axes(chart, &y_places, px, measure);
        layout.label_ends(chart, px, measure);
        layout.label_notes(chart, px, measure);
        if captioned {
            let line = |y: f32, text: &str, kind| Label {
                x: 0.0,
                y,
                text: text.to_owned(),
                align: Align::Left,
                kind,
            };
            layout.labels.push(line(px, &chart.title, LabelKind::Title));
            let y = size.height - px;
            layout.labels.push(line(y, &chart.source, LabelKind::Axis));
        }
        layout
    }

    /// Horizontal position of an x, in CSS pixels.
    pub fn x(&self, x: f64) -> f32 {
        let (left, _, right, _) = self.plot;
        let share = (x - self.x_range.0) / (self.x_range.1 - self.x_range.0);
        left + (right - left) * share as f32
    }

    /// Vertical position of a y, in CSS pixels.
    pub fn y(&self, y: f64) -> f32 {
        let (_, top, _, bottom) = self.plot;
        let share = (y - self.y_range.0) / (self.y_range.1 - self.y_range.0);
        bottom - (bottom - top) * share as f32
    }

    /// The x at a horizontal position.
    pub fn x_at(&self, px: f32) -> f64 {
        let (left, _, right, _) = self.plot;
        let share = f64::from(((px - left) / (right - left)).clamp(0.0, 1.0));
        self.x_range.0 + share * (self.x_range.1 - self.x_range.0)
    }

    /// Corners of a curve in the axes' units; a step has horizontal and vertical sides.
    pub fn corners(series: &Series) -> Vec<(f64, f64)> {
        let mut corners: Vec<(f64, f64)> = Vec::with_capacity(series.points.len() * 2);
        for point in &series.points {
            if let Some(last) = corners.last().copied()
                && series.kind.is_step()
                && last.1 != point.1
            {
                corners.push((point.0, last.1));
            }
            corners.push(*point);
        }
        corners
    }

    fn label_axes(&mut self, chart: &Chart, y_places: &[f64], px: f32, measure: Measure) {
        let (left, top, right, bottom) = self.plot;
        let axis = |x, y, text: String, align| Label {
            x,
            y,
            text,
            align,
            kind: LabelKind::Axis,
        };
        for place in y_places {
            let at = self.y(*place).round();
            let text = number(*place);
            self.labels.push(axis(left - 6.0, at, text.clone(), Align::Right));
            self.y_ticks.push(Tick { at, text });
        }
        self.labels
            .push(axis(0.0, top - px * (HEAD - 0.5), chart.y.text(), Align::Left));
        let y = bottom + px * 1.1;
        let mut reached = f32::MIN;
        for place in places(&chart.x.ticks, chart.x.range, 4.0) {
            let (at, text) = (self.x(place).round(), number(place));
            let half = measure(&text, false) / 2.0;
            // The first and the last label stay inside.
            let middle = at.clamp(half, (self.size.width - half).max(half));
            self.x_ticks.push(Tick {
                at,
                text: text.clone(),
            });
            if middle - half > reached {
                reached = middle + half + px * 0.6;
                self.labels.push(axis(middle, y, text, Align::Center));
            }
        }
        let text = Some(chart.x.text()).filter(|text| measure(text, false) <= self.size.width);
        let text = text.unwrap_or_else(|| chart.x.unit.clone());
        let end = right.max(measure(&text, false).min(self.size.width));
        self.labels.push(axis(end, bottom + px * 2.4, text, Align::Right));
    }

    /// Places names at the ends of the curves, with the minimum distance.
    fn label_ends(&mut self, chart: &Chart, px: f32, measure: Measure) {
        let mut ends: Vec<(f32, f32, Vec<&Series>)> = Vec::new();
        for series in named(chart) {
            let Some(last) = series.points.last() else {
                continue;
            };
            let (x, y) = (self.x(last.0), self.y(last.1));
            ends.push((x, y, vec![series]));
        }
        ends.sort_by(|a, b| a.1.total_cmp(&b.1));
        let (_, top, right, bottom) = self.plot;
        let step = px * LINE;
        let mut ys: Vec<f32> = ends.iter().map(|end| end.1).collect();
        // First from the top down, then from the bottom up.
        for idx in 0..ys.len() {
            let least = if idx == 0 { top } else { ys[idx - 1] + step };
            ys[idx] = ys[idx].max(least);
        }
        for idx in (0..ys.len()).rev() {
            let most = if idx + 1 == ys.len() {
                bottom
            } else {
                ys[idx + 1] - step
            };
            ys[idx] = ys[idx].min(most);
        }
        let is_main = |series: &Series| chart.series.first().is_some_and(|main| main.name == series.name);
        for ((_, _, series), y) in ends.iter().zip(ys) {
            let Some(series) = series.first() else { continue };
            if y < top - step {
                continue;
            }
            let room = self.size.width - right - 6.0;
            let mut text = short_name(&series.name, room, measure);
            while measure(&text, is_main(series)) > room && text.pop().is_some() {}
            self.labels.push(Label {
                x: right + 6.0,
                y,
                text,
                align: Align::Left,
                kind: if is_main(series) {
                    LabelKind::Main
                } else {
                    LabelKind::Name
                },
            });
        }
    }

    /// Places notes above or below their points, where they touch neither a label nor the main curve.
    fn label_notes(&mut self, chart: &Chart, px: f32, measure: Measure) {
        let (left, top, right, bottom) = self.plot;
        let main: Vec<(f32, f32)> = chart.series.first().map_or_else(Vec::new, |series| {
            let corners = Self::corners(series);
            corners.into_iter().map(|(x, y)| (self.x(x), self.y(y))).collect()
        });
        let ring = chart.marker.map(|(x, y)| (self.x(x), self.y(y)));
        for note in &chart.notes {
            let half = measure(&note.text, false) / 2.0;
            let (at, line) = (self.x(note.at.0), self.y(note.at.1));
            if half * 2.0 > right - left {
                continue;
            }
            let x = at.clamp(left + half + 2.0, right - half);
            let candidates = [
                line - px * 0.85,
                line + px * 0.95,
                line - px * 2.0,
                line + px * 2.1,
            ];
            let free = candidates.into_iter().find(|y| {
                let area = (x - half, y - px / 2.0, x + half, y + px / 2.0);
                area.1 >= top - px * 0.4
                    && area.3 <= bottom
                    && !main.windows(2).any(|side| crosses(side, area))
                    && !ring.is_some_and(|ring| {
                        ring.0 > area.0 - 7.0
                            && ring.0 < area.2 + 7.0
                            && ring.1 > area.1 - 7.0
                            && ring.1 < area.3 + 7.0
                    })
                    && !self
                        .labels
                        .iter()
                        .any(|label| overlaps(label.area(px, measure), area))
            });
            if let Some(y) = free {
                self.labels.push(Label {
                    x,
                    y,
                    text: note.text.clone(),
                    align: Align::Center,
                    kind: LabelKind::Note,
                });
            }
        }
    }
}

/// The curves with drawn names: all, if there is more than one.
fn named(chart: &Chart) -> impl Iterator<Item = &Series> {
    let several = chart.series.len() > 1;
    chart
        .series
        .iter()
        .filter(move |series| several && series.kind != SeriesKind::Points && !series.points.is_empty())
}

/// `GP104, GV100`, or `GP104 +1` if that is too wide.
fn short_name(name: &str, room: f32, measure: Measure) -> String {
    let parts: Vec<&str> = name.split(", ").collect();
    match parts.as_slice() {
        [first, rest @ ..] if !rest.is_empty() && measure(name, false) > room => {
            format!("{first} +{}", rest.len())
        }
        _ => name.to_owned(),
    }
}

/// The labeled places of an axis.
fn places(ticks: &[f64], range: (f64, f64), num: f64) -> Vec<f64> {
    let (least, greatest) = spread(range);
    if !ticks.is_empty() {
        let inside = |tick: &&f64| **tick >= least && **tick <= greatest;
        return ticks.iter().filter(inside).copied().collect();
    }
    // A step of 1, 2, or 5 times a power of ten; below one, in thousandths of the range's power of ten.
    let span = greatest - least;
    let mut scale = 1.0;
    while span * scale < num * 2.0 && scale < 1e12 {
        scale *= 10.0;
    }
    let step = round_step(span * scale / num) as f64 / scale;
    let first = (least / step).ceil() as i64;
    let last = (greatest / step + 1e-9).floor() as i64;
    (first..=last).map(|idx| idx as f64 * step).collect()
}

fn overlaps(a: (f32, f32, f32, f32), b: (f32, f32, f32, f32)) -> bool {
    a.0 < b.2 && b.0 < a.2 && a.1 < b.3 && b.1 < a.3
}

/// Whether a side of a curve crosses an area; a slanted side counts by its bounding box.
fn crosses(side: &[(f32, f32)], area: (f32, f32, f32, f32)) -> bool {
    let (a, b) = (side[0], side[1]);
    let bounds = (a.0.min(b.0), a.1.min(b.1) - 1.0, a.0.max(b.0), a.1.max(b.1) + 1.0);
    overlaps((bounds.0 - 1.0, bounds.1, bounds.2 + 1.0, bounds.3), area)
}
