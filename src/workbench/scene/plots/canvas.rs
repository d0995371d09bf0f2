//! Draws a plot: axes with linear or logarithmic scales, curves, and points. No two texts overlap: a name without a free
//! place moves to the list under the plot.

use super::super::kit::{Face, Sheet};
use super::super::{Role, Shape, Size, Target, TextSize, Texture};
use super::PlotPoint;
use super::number;

/// Height of a row of text.
const LINE: f32 = 15.0;
/// Side of the square of a point.
const DOT: f32 = 9.0;
/// Side of the area in which the pointer hits a point.
const HIT: f32 = 18.0;
/// Real fonts can be wider than the estimate of [`Face::width`]: texts keep this share of their width free.
const SLACK: f32 = 0.08;

/// Left, top, right, and bottom.
type Area = (f32, f32, f32, f32);

/// The scale of an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scale {
    Linear,
    Log,
}

/// An axis.
#[derive(Clone, Debug)]
pub(super) struct Axis {
    /// Quantity and unit.
    pub(super) name: String,
    pub(super) scale: Scale,
    /// Minimum and maximum; above zero on a logarithmic axis.
    pub(super) range: (f64, f64),
    /// Whether numbers have grouping commas: years have none.
    pub(super) grouped: bool,
}

/// How a curve is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Weight {
    /// The limit or the class that the view is about.
    Main,
    /// Another curve.
    Thin,
    /// A curve of another architecture, or of another condition.
    Dashed,
}

/// A curve.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub(super) name: String,
    pub(super) points: Vec<(f64, f64)>,
    pub(super) weight: Weight,
    /// What a click on the name selects.
    pub(super) point: Option<PlotPoint>,
}

/// How a point is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DotKind {
    /// The run.
    Run,
    /// A part of the run.
    Part,
    /// The part of the run at the current cycle.
    Current,
    /// A simulated microbenchmark, or an architecture.
    Plain,
    /// A point for comparison: an outline.
    Hollow,
}

/// A point.
#[derive(Clone, Debug)]
pub(super) struct Dot {
    pub(super) point: PlotPoint,
    pub(super) at: (f64, f64),
    /// Name beside the point, or empty.
    pub(super) name: String,
    pub(super) kind: DotKind,
}

/// A plot.
#[derive(Clone, Debug)]
pub(super) struct Plot {
    pub(super) x: Axis,
    pub(super) y: Axis,
    pub(super) lines: Vec<Line>,
    pub(super) dots: Vec<Dot>,
    /// Sentences under the plot.
    pub(super) notes: Vec<String>,
}

impl Axis {
    /// The position of a value on the axis, from 0 to 1; outside for values outside.
    fn share(&self, value: f64) -> f64 {
        let (least, most) = self.range;
        match self.scale {
            Scale::Linear => (value - least) / (most - least),
            Scale::Log => (libm::log10(value.max(1e-12)) - libm::log10(least)) / self.decades(),
        }
    }

    fn decades(&self) -> f64 {
        libm::log10(self.range.1 / self.range.0)
    }

    /// The labeled values; on a logarithmic axis the powers of ten, with 2 and 5 times them on a short one.
    fn ticks(&self, room: usize) -> Vec<f64> {
        let (least, most) = self.range;
        match self.scale {
            Scale::Linear => {
                let mut scale = 1.0;
                while (most - least) * scale < 20.0 {
                    scale *= 10.0;
                }
                let step =
                    super::super::kit::round_step((most - least) * scale / room.max(1) as f64) as f64 / scale;
                let (first, last) = ((least / step).ceil() as i64, (most / step + 1e-9).floor() as i64);
                (first..=last).map(|idx| idx as f64 * step).collect()
            }
            Scale::Log => {
                let factors: &[f64] = if self.decades() * 3.0 <= room as f64 {
                    &[1.0, 2.0, 5.0]
                } else {
                    &[1.0]
                };
                let first = libm::floor(libm::log10(least)) as i32;
                let last = libm::ceil(libm::log10(most)) as i32;
                let powers = (first..=last).map(power_of_ten);
                let ticks = powers.flat_map(|power| factors.iter().map(move |factor| factor * power));
                let inside = |tick: &f64| *tick >= least * (1.0 - 1e-9) && *tick <= most * (1.0 + 1e-9);
                ticks.filter(inside).collect()
            }
        }
    }

    fn text(&self, value: f64) -> String {
        if self.grouped {
            number(value)
        } else {
            format!("{value}")
        }
    }
}

/// The power of ten with this exponent, exact for the exponents of axes.
fn power_of_ten(exponent: i32) -> f64 {
    let mut power = 1.0;
    for _ in 0..exponent.unsigned_abs() {
        power *= 10.0;
    }
    if exponent < 0 { 1.0 / power } else { power }
}

/// A plot during layout.
struct Layout<'p> {
    plot: &'p Plot,
    /// The plotted area.
    frame: Area,
    /// Areas of texts and points.
    taken: Vec<Area>,
    /// Curves in pixels.
    curves: Vec<Vec<(f32, f32)>>,
    /// Names without a place.
    left_over: Vec<String>,
    small: Face,
}

/// Draws a plot below `top` and returns the y below it.
pub(super) fn draw(sheet: &mut Sheet, plot: &Plot, top: f32, size: Size, selected: Option<PlotPoint>) -> f32 {
    let phone = size.width < 520.0;
    let margin = if phone { 12.0 } else { 20.0 };
    let small = Face::text(TextSize::Label, Role::Ink3);
    let notes = plot.notes.len() as f32 * 2.0 * LINE;
    let height = (size.height - top - notes - 3.0 * LINE).clamp(220.0, 560.0);
    let y_ticks = plot.y.ticks((height / 44.0) as usize);
    let widest = y_ticks
        .iter()
        .map(|tick| small.width(&plot.y.text(*tick)))
        .fold(0.0, f32::max);
    let frame = (
        margin + widest * (1.0 + SLACK) + 6.0,
        top + 1.6 * LINE,
        size.width - margin - 8.0,
        top + height,
    );
    let mut layout = Layout {
        plot,
        frame,
        taken: Vec::new(),
        curves: Vec::new(),
        left_over: Vec::new(),
        small,
    };
    layout.axes(sheet, &y_ticks, margin);
    layout.lines(sheet);
    layout.dots(sheet, selected);
    layout.names_of_dots(sheet);
    layout.names_of_lines(sheet, selected);
    let mut y = frame.3 + 2.9 * LINE;
    let room = size.width - 2.0 * margin;
    let names = layout.left_over.join(" · ");
    let names = (!names.is_empty()).then(|| format!("Not named in the plot: {names}"));
    for note in names.iter().chain(&plot.notes) {
        for row in wrap(note, room, small) {
            sheet.text(&row, margin, y, small);
            y += LINE;
        }
    }
    y
}

/// The rows of a text in a width.
fn wrap(text: &str, room: f32, face: Face) -> Vec<String> {
    let mut rows: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match rows.last_mut() {
            Some(row) if face.width(&format!("{row} {word}")) * (1.0 + SLACK) <= room => {
                row.push(' ');
                row.push_str(word);
            }
            _ => rows.push(word.to_owned()),
        }
    }
    rows
}

fn overlaps(a: Area, b: Area) -> bool {
    a.0 < b.2 && b.0 < a.2 && a.1 < b.3 && b.1 < a.3
}

/// Whether the line between two points passes through an area.
fn passes(from: (f32, f32), to: (f32, f32), area: Area) -> bool {
    // Liang and Barsky: the part of the line inside each side.
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let (mut enter, mut leave) = (0.0_f32, 1.0_f32);
    for (step, room) in [
        (-dx, from.0 - area.0),
        (dx, area.2 - from.0),
        (-dy, from.1 - area.1),
        (dy, area.3 - from.1),
    ] {
        if step == 0.0 {
            if room < 0.0 {
                return false;
            }
        } else if step < 0.0 {
            enter = enter.max(room / step);
        } else {
            leave = leave.min(room / step);
        }
    }
    enter < leave
}

impl Layout<'_> {
    fn at(&self, (x, y): (f64, f64)) -> (f32, f32) {
        let (left, top, right, bottom) = self.frame;
        (
            left + (right - left) * self.plot.x.share(x) as f32,
            bottom - (bottom - top) * self.plot.y.share(y) as f32,
        )
    }

    /// The area of a text with its middle left at a point.
    fn area(face: Face, text: &str, x: f32, y: f32) -> Area {
        let width = face.width(text);
        let spare = width * SLACK / 2.0 + 1.0;
        (
            x - spare,
            y - LINE / 2.0 + 0.5,
            x + width + spare,
            y + LINE / 2.0 - 0.5,
        )
    }

    fn is_free(&self, area: Area) -> bool {
        !self.taken.iter().any(|other| overlaps(*other, area))
    }

    fn axes(&mut self, sheet: &mut Sheet, y_ticks: &[f64], margin: f32) {
        let (left, top, right, bottom) = self.frame;
        let small = self.small;
        sheet.text(
            &self.plot.y.name,
            margin,
            top - LINE * 0.9,
            small.role(Role::Ink2),
        );
        for tick in y_ticks {
            let y = self.at((self.plot.x.range.0, *tick)).1;
            sheet.rect(left, y.round(), right - left, 1.0, Role::Line1);
            let text = self.plot.y.text(*tick);
            let area = Self::area(small, &text, left - 6.0 - small.width(&text), y);
            if self.is_free(area) {
                sheet.text(&text, left - 6.0, y, small.right());
                self.taken.push(area);
            }
        }
        let room = ((right - left) / 64.0) as usize;
        for tick in self.plot.x.ticks(room) {
            let x = self.at((tick, self.plot.y.range.0)).0;
            sheet.rect(x.round(), top, 1.0, bottom - top, Role::Line1);
            let text = self.plot.x.text(tick);
            let half = small.width(&text) / 2.0;
            let middle = x.min(right + 8.0 - half).max(left - 4.0 + half);
            let area = Self::area(small, &text, middle - half, bottom + LINE * 0.75);
            if self.is_free(area) {
                sheet.text(&text, middle, bottom + LINE * 0.75, small.center());
                self.taken.push(area);
            }
        }
        sheet.rect(left, bottom, right - left, 1.0, Role::Edge);
        sheet.rect(left, top, 1.0, bottom - top, Role::Edge);
        let room = right - margin;
        let name = small.role(Role::Ink2).fit(&self.plot.x.name, room);
        sheet.text(&name, right, bottom + LINE * 1.75, small.role(Role::Ink2).right());
    }

    /// The part of a curve inside the plotted area, in pixels.
    fn clipped(&self, points: &[(f64, f64)]) -> Vec<(f32, f32)> {
        let (left, top, right, bottom) = self.frame;
        let px: Vec<(f32, f32)> = points.iter().map(|point| self.at(*point)).collect();
        let mut curve: Vec<(f32, f32)> = Vec::new();
        for pair in px.windows(2) {
            let (from, to) = (pair[0], pair[1]);
            let (dx, dy) = (to.0 - from.0, to.1 - from.1);
            let (mut enter, mut leave) = (0.0_f32, 1.0_f32);
            let mut outside = false;
            for (step, room) in [
                (-dx, from.0 - left),
                (dx, right - from.0),
                (-dy, from.1 - top),
                (dy, bottom - from.1),
            ] {
                if step == 0.0 {
                    outside |= room < 0.0;
                } else if step < 0.0 {
                    enter = enter.max(room / step);
                } else {
                    leave = leave.min(room / step);
                }
            }
            if outside || enter >= leave {
                continue;
            }
            let cut = |share: f32| (from.0 + dx * share, from.1 + dy * share);
            let (start, end) = (cut(enter), cut(leave));
            if curve.last().is_none_or(|last| *last != start) {
                curve.push(start);
            }
            curve.push(end);
        }
        curve
    }

    fn lines(&mut self, sheet: &mut Sheet) {
        for line in &self.plot.lines {
            let curve = self.clipped(&line.points);
            let (role, width, texture) = match line.weight {
                Weight::Main => (Role::Ink1, 2.0, Texture::Solid),
                Weight::Thin => (Role::Ink3, 1.25, Texture::Solid),
                Weight::Dashed => (Role::Ink3, 1.25, Texture::Dashes),
            };
            if curve.len() >= 2 {
                let points = curve.clone();
                sheet.put(Shape::Polyline { points, width }, role, texture, None);
            }
            self.curves.push(curve);
        }
    }

    fn dots(&mut self, sheet: &mut Sheet, selected: Option<PlotPoint>) {
        // The run is on top of its parts.
        let order = |dot: &&Dot| match dot.kind {
            DotKind::Hollow | DotKind::Plain => 0,
            DotKind::Part => 1,
            DotKind::Current => 2,
            DotKind::Run => 3,
        };
        let mut dots: Vec<&Dot> = self.plot.dots.iter().collect();
        dots.sort_by_key(order);
        for dot in dots {
            let (x, y) = self.at(dot.at);
            let side = if dot.kind == DotKind::Run { DOT + 2.0 } else { DOT };
            let (left, top) = ((x - side / 2.0).round(), (y - side / 2.0).round());
            sheet.rect(left - 1.5, top - 1.5, side + 3.0, side + 3.0, Role::Paper1);
            let (role, texture) = match dot.kind {
                DotKind::Run => (Role::Ink1, Texture::Solid),
                DotKind::Part => (Role::Hit, Texture::Solid),
                DotKind::Current => (Role::Now, Texture::Solid),
                DotKind::Plain => (Role::Used, Texture::Solid),
                DotKind::Hollow => (Role::Ink2, Texture::Outline(1.5)),
            };
            sheet.fill(left, top, side, side, role, texture);
            if selected == Some(dot.point) {
                sheet.selection(left - 4.0, top - 4.0, side + 8.0, side + 8.0);
            }
            let half = HIT / 2.0;
            sheet.area(x - half, y - half, HIT, HIT, Target::PlotPoint(dot.point));
            let half = side / 2.0 + 1.5;
            self.taken.push((x - half, y - half, x + half, y + half));
        }
    }

    /// Names beside points. Points at one place share a name.
    fn names_of_dots(&mut self, sheet: &mut Sheet) {
        let mut named: Vec<(f32, f32, Vec<&str>, DotKind)> = Vec::new();
        for dot in self.plot.dots.iter().filter(|dot| !dot.name.is_empty()) {
            let (x, y) = self.at(dot.at);
            let near = named.iter_mut().find(|(of_x, of_y, _, kind)| {
                (of_x - x).abs() < DOT
                    && (of_y - y).abs() < DOT
                    && *kind != DotKind::Run
                    && dot.kind != DotKind::Run
            });
            match near {
                Some((_, _, names, _)) => names.push(&dot.name),
                None => named.push((x, y, vec![&dot.name], dot.kind)),
            }
        }
        // The name of the run has the first choice.
        named.sort_by_key(|(_, _, _, kind)| *kind != DotKind::Run);
        for (x, y, names, kind) in named {
            let text = names.join(", ");
            let face = Face::text(TextSize::Label, Role::Ink1);
            let face = if kind == DotKind::Run { face.strong() } else { face };
            let width = face.width(&text);
            let away = DOT;
            let places = [
                (x + away, y),
                (x - width / 2.0, y - 14.0),
                (x - width / 2.0, y + 14.0),
                (x - away - width, y),
                (x + away - 3.0, y - 11.0),
                (x + away - 3.0, y + 11.0),
                (x - away + 3.0 - width, y - 11.0),
                (x - away + 3.0 - width, y + 11.0),
                (x - width / 2.0, y - 29.0),
                (x - width / 2.0, y + 29.0),
            ];
            if !self.place(sheet, &text, face, &places, None, true) {
                self.left_over.push(text);
            }
        }
    }

    /// Draws a text at the first free place. Returns whether there is one.
    fn place(
        &mut self,
        sheet: &mut Sheet,
        text: &str,
        face: Face,
        places: &[(f32, f32)],
        point: Option<PlotPoint>,
        may_cross: bool,
    ) -> bool {
        let (left, top, right, bottom) = self.frame;
        let fits = |area: Area| {
            area.0 >= left && area.1 >= top - LINE * 0.4 && area.2 <= right + 8.0 && area.3 <= bottom
        };
        let crossed = |area: Area| {
            let sides = self.curves.iter().flat_map(|curve| curve.windows(2));
            sides.into_iter().any(|side| passes(side[0], side[1], area))
        };
        let areas = places
            .iter()
            .map(|(x, y)| (*x, *y, Self::area(face, text, *x, *y)));
        let free: Vec<_> = areas
            .filter(|(_, _, area)| fits(*area) && self.is_free(*area))
            .collect();
        let clear = free.iter().find(|(_, _, area)| !crossed(*area));
        let found = clear.or(free.first().filter(|_| may_cross)).copied();
        let Some((x, y, area)) = found else { return false };
        if crossed(area) {
            sheet.rect(area.0, area.1, area.2 - area.0, area.3 - area.1, Role::Paper1);
        }
        sheet.text(text, x, y, face);
        if let Some(point) = point {
            sheet.area(
                area.0,
                area.1,
                area.2 - area.0,
                area.3 - area.1,
                Target::PlotPoint(point),
            );
        }
        self.taken.push(area);
        true
    }

    /// Names along curves: above or below, at several places from the right to the left.
    fn names_of_lines(&mut self, sheet: &mut Sheet, selected: Option<PlotPoint>) {
        // The main curves choose first.
        let mut order: Vec<usize> = (0..self.plot.lines.len()).collect();
        order.sort_by_key(|idx| self.plot.lines[*idx].weight != Weight::Main);
        for idx in order {
            let line = &self.plot.lines[idx];
            let curve = self.curves[idx].clone();
            if line.name.is_empty() {
                continue;
            }
            let strong = line.weight == Weight::Main || (line.point.is_some() && line.point == selected);
            let role = if strong { Role::Ink1 } else { Role::Ink2 };
            let face = Face::text(TextSize::Label, role);
            let face = if strong { face.strong() } else { face };
            let width = face.width(&line.name);
            let places = along(&curve, width);
            if curve.len() < 2 || !self.place(sheet, &line.name, face, &places, line.point, false) {
                let placed =
                    curve.len() >= 2 && self.place(sheet, &line.name, face, &places, line.point, true);
                if !placed {
                    self.left_over.push(line.name.clone());
                }
            }
        }
    }
}

/// Places of a text beside a curve: above a level part, and above left or below right of a rising one.
fn along(curve: &[(f32, f32)], width: f32) -> Vec<(f32, f32)> {
    let mut places = Vec::new();
    let half = LINE / 2.0 + 1.0;
    for side in curve.windows(2) {
        let ((x0, y0), (x1, y1)) = (side[0], side[1]);
        let rise = y0 - y1;
        for step in [9, 7, 5, 3, 1, 8, 6, 4, 2] {
            let share = step as f32 / 10.0;
            let (x, y) = (x0 + (x1 - x0) * share, y0 + (y1 - y0) * share);
            if rise.abs() < 2.0 {
                places.push((x - width / 2.0, y - half));
                places.push((x - width / 2.0, y + half));
            } else {
                // As far from the curve as its slope requires.
                let slope = (rise / (x1 - x0).max(1.0)).abs();
                let across = half / slope.max(0.2) + 4.0 + width * SLACK / 2.0;
                places.push((x - width - across, y));
                places.push((x + across, y));
            }
        }
    }
    places
}
