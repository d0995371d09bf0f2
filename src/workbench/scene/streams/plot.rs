//! The time axis of the Streams view: which part of the program's time it shows, and where.

use super::super::kit::{Face, Sheet, round_step};
use super::super::{Role, TextSize, Texture};
use super::StreamsData;
use super::wording::time_text;

/// The shortest time that the picture shows, in nanoseconds.
pub const MIN_STREAMS_NS: u64 = 1_000;

/// Space left and right of the picture.
const PAD: f32 = 20.0;

/// Space left and right of the picture, for a width.
pub(super) fn pad(width: f32) -> f32 {
    if width < 500.0 { PAD / 2.0 } else { PAD }
}

/// The left end of the time axis and its width in pixels, for a picture of this width.
pub fn streams_axis(width: f32) -> (f32, f32) {
    let left = if width < 500.0 { 84.0 } else { 148.0 };
    let inner = width - 2.0 * pad(width);
    (pad(width) + left, (inner - left - 8.0).max(80.0))
}

/// The place of the time axis.
#[derive(Clone, Copy)]
pub(super) struct Plot {
    pub(super) left: f32,
    pub(super) width: f32,
    /// The first and the last shown nanosecond.
    from_ns: u64,
    to_ns: u64,
    /// Pixels of a nanosecond.
    px: f32,
}

impl Plot {
    pub(super) fn new(data: &StreamsData, picture_width: f32) -> Self {
        let (left, width) = streams_axis(picture_width);
        let (from_ns, to_ns) = data.part().unwrap_or((0, data.end_ns()));
        Self {
            left: left - pad(picture_width),
            width,
            from_ns,
            to_ns,
            px: width / (to_ns - from_ns) as f32,
        }
    }

    /// The place of a time, which the axis shows or not.
    fn x(self, ns: u64) -> f32 {
        self.left + (ns as f64 - self.from_ns as f64) as f32 * self.px
    }

    /// The ends of the visible part of a stretch of time, if any is visible.
    pub(super) fn part(self, from: u64, to: u64) -> Option<(f32, f32)> {
        let is_visible = from <= self.to_ns && to >= self.from_ns;
        is_visible.then(|| (self.x(from.max(self.from_ns)), self.x(to.min(self.to_ns))))
    }

    /// The times of the marks of the axis.
    fn marks(self) -> impl Iterator<Item = u64> {
        let step = round_step(f64::from(64.0 / self.px));
        let to = self.to_ns;
        (0..)
            .map(move |idx| (self.from_ns.div_ceil(step) + idx) * step)
            .take_while(move |at| *at <= to)
    }

    pub(super) fn draw_axis(self, sheet: &mut Sheet, data: &StreamsData, y: f32) -> f32 {
        let face = Face::mono(TextSize::Label, Role::Ink3);
        let mut end_of_last = f32::MIN;
        for at in self.marks() {
            let text = mark_text(at, round_step(f64::from(64.0 / self.px)));
            let x = self.x(at);
            let w = face.width(&text);
            // A mark near an end is not centered.
            let left = (x - w / 2.0).clamp(self.left, self.left + self.width + 8.0 - w);
            if left > end_of_last && (left - (x - w / 2.0)).abs() < w / 2.0 + 1.0 {
                sheet.text(&text, left, y + 6.0, face);
                end_of_last = left + w + 6.0;
            }
        }
        if data.part().is_none() {
            return y + 18.0;
        }
        // Where the shown part is in the program.
        let whole = data.end_ns() as f32;
        let place = |ns: u64| self.width * ns as f32 / whole;
        let (from, to) = (place(self.from_ns), place(self.to_ns));
        sheet.fill(
            self.left,
            y + 16.5,
            self.width,
            1.0,
            Role::Ink3,
            Texture::Fade(0.5),
        );
        let from = from.min(self.width - 3.0);
        sheet.rect(
            self.left + from,
            y + 15.0,
            (to - from).max(3.0),
            4.0,
            Role::Selection,
        );
        y + 24.0
    }

    /// Thin lines at the marks of the axis, behind everything else.
    pub(super) fn draw_grid(self, sheet: &mut Sheet, (top, bottom): (f32, f32)) {
        let mut items = Sheet::default();
        for at in self.marks() {
            let x = self.x(at);
            items.line((x, top), (x, bottom), 1.0, Role::Line1);
        }
        items.items.append(&mut sheet.items);
        sheet.items = items.items;
    }
}

/// An end of a stretch of time, with digits for a hundredth of its length.
pub(super) fn exact_text(ns: u64, length: u64) -> String {
    let step = round_step(length as f64 / 200.0);
    mark_text((ns + step / 2) / step * step, step)
}

/// A time on the axis, with as many digits as the step between two marks needs: `1,234.5 µs`.
fn mark_text(at: u64, step: u64) -> String {
    if at == 0 {
        return time_text(0);
    }
    let (unit, name) = match at {
        0..1_000 => (1, "ns"),
        1_000..1_000_000 => (1_000, "µs"),
        _ => (1_000_000, "ms"),
    };
    let mut digits = 0;
    let mut rest = unit;
    while rest > 1 && !step.is_multiple_of(rest) {
        (digits, rest) = (digits + 1, rest / 10);
    }
    format!("{:.digits$} {name}", at as f64 / unit as f64)
}
