//! The density strip, the transport's scrubber: issue-slot utilization and stall reasons over the whole run.

use super::ending::ending_cycle;
use super::kit::{Face, Sheet, round_step, table};
use super::{Mark, Role, Scene, Shape, Size, Target, TextSize, Texture, ViewState};
use crate::words::{fit_headline, percent, thousands};
use engine::ids::Cycle;
use engine::sim::WarpState;
use engine::trace::{DensityColumn, Frame};

/// The marks below the middle line, from the line down.
const STACK: [Mark; 8] = [
    Mark::Long,
    Mark::Short,
    Mark::Barrier,
    Mark::Throttle,
    Mark::Branch,
    Mark::Other,
    Mark::Wait,
    Mark::Eligible,
];
/// Width of a column.
pub(super) const COLUMN: f32 = 2.0;
pub(super) const AXIS: f32 = 17.0;
pub(super) const TOP: f32 = 10.0;

/// The scale of the strip: converts x to a cycle, and back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StripScale {
    /// x of the first cycle shown.
    pub x0: f32,
    /// Width of the shown cycles.
    pub width: f32,
    /// First cycle shown.
    pub start: u64,
    /// Cycle after the last shown.
    pub end: u64,
}

impl StripScale {
    /// The scale of a strip of this width over a run. `part` is the first shown cycle and the number of shown
    /// cycles; the part moves to the current cycle if that is outside.
    pub fn of(cycles: u64, now: Cycle, part: Option<(Cycle, u64)>, width: f32) -> Self {
        let x0 = if width < 520.0 { 0.0 } else { 64.0 };
        let cycles = cycles.max(1);
        let (start, num) = match part {
            Some((start, num)) => {
                let num = num.clamp(1, cycles);
                let holds = (start.0..start.0.saturating_add(num)).contains(&now.0);
                let start = if holds {
                    start.0
                } else {
                    now.0.saturating_sub(num / 2)
                };
                (start.min(cycles - num), num)
            }
            None => (0, cycles),
        };
        Self {
            x0,
            width: (width - x0).max(1.0),
            start,
            end: start + num,
        }
    }

    /// x of a cycle's start, also for cycles outside the shown part.
    pub fn x(&self, cycle: Cycle) -> f32 {
        let offset = (cycle.0 as f64 - self.start as f64) / (self.end - self.start) as f64;
        self.x0 + (offset * f64::from(self.width)) as f32
    }

    /// The cycle at x, within the shown part.
    pub fn cycle(&self, x: f32) -> Cycle {
        let share = f64::from(((x - self.x0) / self.width).clamp(0.0, 1.0));
        let offset = (share * (self.end - self.start) as f64) as u64;
        Cycle((self.start + offset).min(self.end - 1))
    }
}

/// The part of the Timeline's window that a pointer drags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WindowPart {
    /// The whole window, which moves.
    Whole,
    /// The first cycle.
    Start,
    /// The last cycle.
    End,
}

/// Minimum width of the bar that moves the window.
const GRIP: f32 = 28.0;
/// Distance from an edge within which a pointer drags the edge, in pixels.
const EDGE: f32 = 4.0;
/// Distance from the bar within which a pointer drags an end of the window, in pixels.
const END: f32 = 8.0;
/// Minimum width of a frame whose edges are separate from its middle.
const WIDE: f32 = 24.0;

impl StripScale {
    /// Left and right edge of the window's frame, clipped to the strip.
    fn frame(&self, (start, end): (Cycle, Cycle)) -> Option<(f32, f32)> {
        let (left, right) = (self.x0, self.x0 + self.width);
        let (x0, x1) = (self.x(start).max(left), self.x(end).min(right));
        (x1 > x0).then_some((x0, x1.max(x0 + 4.0)))
    }

    /// Left and right end of the bar under the frame.
    fn grip(&self, window: (Cycle, Cycle)) -> Option<(f32, f32)> {
        let (x0, x1) = self.frame(window)?;
        let half = f32::midpoint(0.0, (x1 - x0).max(GRIP));
        let (left, right) = (self.x0 + half, self.x0 + self.width - half);
        let middle = f32::midpoint(x0, x1).clamp(left.min(right), right.max(left));
        Some((middle - half, middle + half))
    }

    /// The part of the window at a point of a strip of this height. `reach` is the height above the lower edge in
    /// which the bar reacts.
    pub fn window_part(
        &self,
        window: (Cycle, Cycle),
        (x, y): (f32, f32),
        height: f32,
        reach: f32,
    ) -> Option<WindowPart> {
        let (x0, x1) = self.frame(window)?;
        let (left, right) = self.grip(window)?;
        let foot = y >= height - AXIS - reach;
        let near = |edge: f32| (x - edge).abs() <= EDGE;
        let is_wide = x1 - x0 >= WIDE;
        if is_wide && near(x0) || foot && x >= left - END && x < left + EDGE {
            return Some(WindowPart::Start);
        }
        if is_wide && near(x1) || foot && x > right - EDGE && x <= right + END {
            return Some(WindowPart::End);
        }
        (foot && x >= left && x <= right).then_some(WindowPart::Whole)
    }

    /// Cycles from the first shown cycle to x, as a fraction, also outside the strip.
    pub fn offset(&self, x: f32) -> f64 {
        f64::from((x - self.x0) / self.width) * (self.end - self.start) as f64
    }
}

/// Slot cycles of the states with this mark.
pub(super) fn of_mark(column: &DensityColumn, mark: Mark) -> u64 {
    WarpState::ALL
        .iter()
        .filter(|state| Mark::of(**state) == mark)
        .map(|state| column.states[*state as usize])
        .sum()
}

/// Draws the strip: the run, and the marks over it.
pub fn strip(frame: &Frame, view: &ViewState, size: Size) -> Scene {
    let mut scene = strip_run(frame, view, size);
    scene.items.extend(strip_marks(frame, view, size).items);
    scene
}

/// Draws the run without the marks over it. The scene depends only on the run, the scale, and the size.
pub fn strip_run(frame: &Frame, view: &ViewState, size: Size) -> Scene {
    let record = frame.record();
    let cycles = record.num_cycles();
    let scale = StripScale::of(cycles, frame.cycle(), view.strip, size.width);
    let phone = size.width < 520.0;
    let mut sheet = Sheet::default();
    let height = (size.height - AXIS - TOP).max(8.0);
    let middle = TOP + (height * 0.46).round();
    let low = TOP + height;
    let num = ((scale.width / COLUMN) as usize).max(1);
    let shown = (scale.end - scale.start) as usize;
    let columns = record.density(Cycle(scale.start), Cycle(scale.end), num.min(shown));

    sheet.rect(scale.x0, TOP, scale.width, middle - TOP, Role::Paper3);
    draw_columns(&mut sheet, frame, &columns, scale, (TOP, middle, low));
    let label = Face::text(TextSize::Micro, Role::Ink3).right();
    if !phone {
        sheet.text("issue slots", scale.x0 - 8.0, middle - 10.0, label);
        sheet.text("stalled", scale.x0 - 8.0, middle + 12.0, label);
    }
    draw_axis(&mut sheet, scale, size);
    if let Some(cycle) = ending_cycle(frame.trace()).filter(|cycle| cycle.0 < scale.end) {
        let x = scale.x(cycle).min(size.width - 9.0);
        sheet.rect(x - 1.0, TOP - 4.0, 2.0, height + 4.0, Role::Ink1);
        sheet.rect(x - 1.0, TOP - 4.0, 9.0, 7.0, Role::Ink1);
    }
    let total = record.states_between(None, Cycle(0), Cycle(cycles));
    let resident: u64 = total[1..].iter().sum();
    let slots = record.issue_slots(cycles);
    let text = format!(
        "The schedulers use {} of the issue slots in {} cycles.",
        percent(record.issue_cycles(), slots),
        thousands(cycles)
    );
    let rows = WarpState::ALL[1..]
        .iter()
        .filter(|state| total[**state as usize] > 0)
        .map(|state| {
            let count = total[*state as usize];
            [
                state.name().to_owned(),
                thousands(count),
                percent(count, resident),
            ]
        })
        .collect();
    sheet.finish(
        size,
        fit_headline(text),
        table(
            ["State", "Warp cycles in the whole run", "Share of warp cycles"],
            rows,
        ),
    )
}

/// Draws the marks over the run: the Timeline's window, the brushed range, and the playhead.
pub fn strip_marks(frame: &Frame, view: &ViewState, size: Size) -> Scene {
    let scale = StripScale::of(frame.record().num_cycles(), frame.cycle(), view.strip, size.width);
    let mut sheet = Sheet::default();
    let height = (size.height - AXIS - TOP).max(8.0);
    let low = TOP + height;
    if let Some((x0, x1)) = view.range.and_then(|range| scale.frame(range)) {
        sheet.fill(x0, TOP, x1 - x0, height, Role::Ink1, Texture::Fade(0.16));
        sheet.rect(x0, TOP - 3.0, x1 - x0, 2.0, Role::Ink1);
    }
    if let Some(window) = view.window {
        draw_window(&mut sheet, scale, window, low);
    }
    draw_playhead(&mut sheet, scale.x(frame.cycle()), low);
    Scene {
        size,
        items: sheet.items,
        ..Scene::default()
    }
}

/// Draws the playhead alone.
pub fn playhead_marks(scale: StripScale, now: Cycle, size: Size) -> Scene {
    let mut sheet = Sheet::default();
    let low = TOP + (size.height - AXIS - TOP).max(8.0);
    draw_playhead(&mut sheet, scale.x(now), low);
    Scene {
        size,
        items: sheet.items,
        ..Scene::default()
    }
}

/// Draws the Timeline's window: a frame, and under it a bar that moves it and whose ends resize it.
fn draw_window(sheet: &mut Sheet, scale: StripScale, window: (Cycle, Cycle), low: f32) {
    let (Some((x0, x1)), Some((left, right))) = (scale.frame(window), scale.grip(window)) else {
        return;
    };
    sheet.frame(x0, TOP - 2.0, x1 - x0, low - TOP + 3.0, Role::Ink1, 1.5);
    sheet.rect(left, low + 1.0, right - left, 4.0, Role::Ink1);
    for x in [left, right - 3.0] {
        sheet.rect(x, low - 3.0, 3.0, 8.0, Role::Ink1);
    }
}

fn draw_columns(
    sheet: &mut Sheet,
    frame: &Frame,
    columns: &[DensityColumn],
    scale: StripScale,
    (top, middle, low): (f32, f32, f32),
) {
    let schedulers = frame.record().num_schedulers() as f32 / frame.record().issue_interval() as f32;
    let num = columns.len().max(1) as f32;
    let step = scale.width / num;
    for (idx, column) in columns.iter().enumerate() {
        let (x, next) = (
            (scale.x0 + idx as f32 * step).round(),
            (scale.x0 + (idx + 1) as f32 * step).round(),
        );
        let width = (next - x).max(1.0);
        let span = (column.end.0 - column.start.0).max(1) as f32;
        let used = (column.issue_cycles as f32 / (span * schedulers)).min(1.0);
        let target = Some(Target::Cycle(column.start.0));
        sheet.put(
            Shape::Rect {
                x,
                y: top,
                w: width,
                h: low - top,
            },
            Role::Paper1,
            Texture::Fade(0.0),
            target,
        );
        let height = used * (middle - top);
        if height > 0.1 {
            sheet.rect(x, middle - height, width, height, Role::State(Mark::Issue));
        }
        let slots: u64 = column.states.iter().sum();
        let room = low - middle - 2.0;
        let mut y = middle + 2.0;
        for mark in STACK {
            let height = of_mark(column, mark) as f32 / slots.max(1) as f32 * room;
            if height > 0.05 {
                sheet.rect(x, y, width, height, Role::State(mark));
            }
            y += height;
        }
    }
}

pub(super) fn draw_axis(sheet: &mut Sheet, scale: StripScale, size: Size) {
    let face = Face::mono(TextSize::Micro, Role::Ink3);
    let y = size.height - 8.0;
    let end = scale.end.to_string();
    let right = scale.x0 + scale.width;
    sheet.text(&end, right, y, face.right());
    let free = right - face.width(&end) - 10.0;
    let step = round_step((scale.end - scale.start) as f64 / f64::from(scale.width) * 100.0);
    let mut cycle = scale.start.div_ceil(step) * step;
    while cycle < scale.end {
        let text = cycle.to_string();
        let (x, half) = (scale.x(Cycle(cycle)), face.width(&text) / 2.0);
        let at_left = x - half < scale.x0;
        let reach = if at_left { x + 2.0 * half } else { x + half };
        if reach < free {
            sheet.text(&text, x, y, if at_left { face } else { face.center() });
        }
        cycle += step;
    }
}

fn draw_playhead(sheet: &mut Sheet, x: f32, low: f32) {
    sheet.rect(x - 3.0, TOP - 4.0, 6.0, low - TOP + 6.0, Role::Paper2);
    sheet.rect(x - 1.0, TOP - 6.0, 2.0, low - TOP + 8.0, Role::Now);
    sheet.polygon(
        &[
            (x - 6.0, TOP - 10.0),
            (x + 6.0, TOP - 10.0),
            (x + 6.0, TOP - 4.0),
            (x, TOP + 2.0),
            (x - 6.0, TOP - 4.0),
        ],
        Role::Now,
    );
}
