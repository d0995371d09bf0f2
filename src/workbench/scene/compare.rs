//! The Compare view: several runs on a common clock, with one band per run and the counters side by side.

mod bars;
mod cause;
mod difference;
mod many;
mod marks;
mod table;
#[cfg(test)]
mod tests;
mod warp_rows;
mod wording;

use std::ops::Range;
use std::rc::Rc;

use super::kit::{Face, Sheet, round_step, table as table_of};
use super::{Mark, Role, Scene, Shape, Size, Target, TextSize, Texture};
use crate::words::thousands;
pub use cause::{CauseState, cause_tooltip, inspect_cause};
use engine::arch::ArchId;
use engine::sim::WarpState;
use engine::trace::{Counter, DensityColumn};
pub use marks::{Marks, mark};
pub use table::{CounterOrder, CounterRow, counter_rows};
pub use warp_rows::WarpRows;

/// Maximum number of columns in a band.
pub const BAND_COLUMNS: usize = 400;
/// Height of a band, and of the axis under the bands.
const BAND: f32 = 46.0;
const AXIS: f32 = 22.0;
/// Width of the labels left of a band.
const LEFT: f32 = 228.0;
/// Width below which names are above their bands.
const NARROW: f32 = 480.0;
/// From this number of runs on, counters are bars and warps are state pixels: columns of numbers would be too narrow.
const MANY: usize = 3;

/// One of the compared runs.
#[derive(Clone, Debug, Default)]
pub struct ComparedSide {
    /// The architecture, such as `Turing TU102`; for several sides of one architecture, what distinguishes this one.
    pub name: String,
    /// The name in a narrow place, such as `TU102`.
    pub short: String,
    /// Whether the run has finished, wherever the clock is.
    pub ended: bool,
    /// The architecture's id; `None` without a run.
    pub arch: Option<ArchId>,
    /// Other differences from the first side, such as `16 KB shared`; can be empty.
    pub differs: String,
    /// State as text, such as `finished at cycle 812`.
    pub state: String,
    /// Current cycle, and number of cycles.
    pub cycle: (u64, u64),
    /// Warp instructions issued so far, and in the whole run.
    pub issued: (u64, u64),
    /// Position of the common clock at which the run finishes.
    pub end: u64,
    /// The shown part of the run, in buckets of cycles.
    pub density: Vec<DensityColumn>,
    /// Warp instructions issued before the shown part, and by its end.
    pub before: (u64, u64),
    /// Issue slots per cycle: schedulers over the issue interval.
    pub issue_slots: f64,
    /// The warps over the whole run; empty where the view does not show them.
    pub warps: Rc<WarpRows>,
    /// Counters of the counted cycles, including these cycles' time in microseconds. Empty without a run.
    pub counters: Rc<Vec<Counter>>,
    /// Prefixes of the counters that the architecture lacks, each with the reason.
    pub lacks: Vec<(&'static str, &'static str)>,
}

/// The compared runs at a position of the common clock.
#[derive(Clone, Debug, Default)]
pub struct Comparison {
    /// The runs.
    pub sides: Vec<ComparedSide>,
    /// Index of the side with keyboard focus.
    pub active: usize,
    /// Index of the reference side for ratios.
    pub reference: usize,
    /// Order of the counters.
    pub order: CounterOrder,
    /// Whether a position of the clock is a share of the work, so that buckets differ in width.
    pub by_work: bool,
    /// Whether a position of the clock is a time.
    pub is_timed: bool,
    /// Whether the counters cover the whole run.
    pub is_whole: bool,
    /// Position of the clock, and its last position.
    pub clock: (u64, u64),
    /// Positions that the bands show.
    pub part: Range<u64>,
    /// Position as text: `cycle 812`, `0.53 µs`, `42 %`.
    pub now: String,
    /// Axis labels: position of the clock, and text.
    pub ticks: Vec<(u64, String)>,
    /// Period of the counters, such as `Whole run`.
    pub of: String,
    /// First and last position of the selected range.
    pub range: Option<(u64, u64)>,
    /// Why the runs take different numbers of cycles.
    pub cause: CauseState,
}

impl ComparedSide {
    fn share(&self) -> f64 {
        self.issued.0 as f64 / self.issued.1.max(1) as f64
    }

    fn percent(&self) -> String {
        format!("{:.0} %", (100.0 * self.share()).floor())
    }

    fn is_finished(&self) -> bool {
        self.issued.1 > 0 && self.cycle.0 + 1 >= self.cycle.1
    }
}

/// Draws the view: bands over the counters.
pub fn compare(comparison: &Comparison, size: Size) -> Scene {
    let mut sheet = Sheet::default();
    let is_many = comparison.sides.len() >= MANY;
    let size = if is_many {
        many::draw(&mut sheet, comparison, size)
    } else {
        draw_pair(&mut sheet, comparison, size)
    };
    let mut scene = sheet.finish(size, wording::headline(comparison), table::text_twin(comparison));
    if is_many {
        scene.note = many::note(comparison);
    }
    scene.also.push(("Sides".to_owned(), sides_table(comparison)));
    if let CauseState::Known { account, .. } = &comparison.cause {
        scene.also.extend(cause::tables(account));
    }
    scene
}

/// Draws one or two runs: bands over a table of the counters. Returns the size of the scene.
fn draw_pair(sheet: &mut Sheet, comparison: &Comparison, size: Size) -> Size {
    let narrow = size.width < NARROW;
    let margin = if narrow { 12.0 } else { 20.0 };
    let left = if narrow { margin } else { margin + LEFT };
    let width = (size.width - left - margin).max(1.0);
    let mut y = 12.0;
    let top = y;
    for (idx, side) in comparison.sides.iter().enumerate() {
        if narrow {
            draw_name(sheet, side, (margin, y, size.width - 2.0 * margin), true);
            y += 34.0;
        } else {
            draw_name(sheet, side, (margin, y, LEFT - 16.0), false);
        }
        draw_band(sheet, comparison, side, (left, y, width, BAND - 8.0));
        if idx == comparison.active {
            let (x, h) = (margin - 8.0, if narrow { BAND + 26.0 } else { BAND - 8.0 });
            sheet.rect(x, if narrow { y - 34.0 } else { y }, 2.0, h, Role::Ink1);
        }
        let from = if narrow { y - 34.0 } else { y };
        let area = (size.width - 2.0 * margin, y + BAND - 8.0 - from);
        sheet.area(margin, from, area.0, area.1, Target::Side(idx as u8));
        y += BAND;
    }
    if narrow {
        // Names are above the bands, so that the line covers only the bands.
        let now = place(comparison.clock.0, &comparison.part, (left, width)).round();
        for idx in 0..comparison.sides.len() {
            let y = top + 34.0 + (BAND + 34.0) * idx as f32;
            let (range, part) = (comparison.range, &comparison.part);
            draw_range(sheet, range, part, (left, width), (y, BAND - 8.0));
            sheet.rect(now - 2.0, y, 5.0, BAND - 8.0, Role::Paper1);
            sheet.rect(now, y, 1.0, BAND - 8.0, Role::Now);
        }
        ticks(sheet, comparison, (left, y + 6.0, width));
    } else {
        draw_axis(sheet, comparison, (left, y - 4.0, width), top);
    }
    y += AXIS + 16.0;
    y = cause::draw(sheet, &comparison.cause, (margin, y, size.width - 2.0 * margin));
    let bottom = table::draw(sheet, comparison, (margin, y, size.width - 2.0 * margin));
    Size {
        width: size.width,
        height: size.height.max(bottom + 16.0),
    }
}

/// Draws only the bands, stacked, for the transport.
pub fn compare_strip(comparison: &Comparison, size: Size) -> Scene {
    let mut sheet = Sheet::default();
    let x0 = strip_left(size);
    let num = comparison.sides.len().max(1) as f32;
    let pitch = ((size.height - 27.0) / num).max(6.0);
    for (idx, side) in comparison.sides.iter().enumerate() {
        let y = (10.0 + pitch * idx as f32).round();
        let h = (pitch - 3.0).round();
        if x0 > 0.0 {
            let role = if idx == comparison.active {
                Role::Ink1
            } else {
                Role::Ink3
            };
            let size = if h < 11.0 {
                TextSize::Micro
            } else {
                TextSize::Label
            };
            let face = Face::mono(size, role);
            sheet.text(&face.fit(&side.short, x0 - 6.0), 0.0, y + h / 2.0, face);
        }
        draw_band(&mut sheet, comparison, side, (x0, y, size.width - x0, h));
    }
    ticks(&mut sheet, comparison, (x0, size.height - 9.0, size.width - x0));
    sheet.finish(size, wording::headline(comparison), sides_table(comparison))
}

/// Draws the marks over the bands of the transport: range and playhead.
pub fn compare_marks(
    (clock, part): (u64, Range<u64>),
    range: Option<(u64, u64)>,
    now: &str,
    size: Size,
) -> Scene {
    let mut sheet = Sheet::default();
    let x0 = strip_left(size);
    let area = (x0, size.width - x0);
    let x = place(clock, &part, area);
    draw_range(&mut sheet, range, &part, area, (8.0, size.height - 25.0));
    playhead(&mut sheet, now, x, (x0, size.width), (0.0, size.height - 17.0));
    sheet.finish(size, String::new(), table_of(["Now"], vec![[now.to_owned()]]))
}

/// Left edge of the bands in the transport.
fn strip_left(size: Size) -> f32 {
    if size.width < NARROW { 0.0 } else { 64.0 }
}

/// Draws the name, the state, and the share of the work of a side.
fn draw_name(sheet: &mut Sheet, side: &ComparedSide, (x, y, width): (f32, f32, f32), narrow: bool) {
    let name = Face::text(TextSize::Body, Role::Ink1).strong();
    let note = Face::text(TextSize::Label, Role::Ink3);
    let figure = if narrow { TextSize::Title } else { TextSize::Figure };
    let percent = Face::mono(figure, Role::Ink1).strong().right();
    let figure_width = percent.width("100 %") + 8.0;
    let room = width - figure_width;
    sheet.text(&name.fit(&side.name, room), x, y + 8.0, name);
    // The share of the work is beside the state.
    let state = if side.issued.1 == 0 || side.is_finished() {
        side.state.clone()
    } else {
        format!("cycle {} of {}", thousands(side.cycle.0), thousands(side.cycle.1))
    };
    let own = if side.differs.is_empty() {
        state
    } else {
        format!("{} · {state}", side.differs)
    };
    sheet.text(&note.fit(&own, room), x, y + 24.0, note);
    if side.issued.1 > 0 {
        sheet.text(&side.percent(), x + width, y + 14.0, percent);
    }
}

/// x of a position of the clock, clamped to the shown positions.
fn place(position: u64, part: &Range<u64>, area: (f32, f32)) -> f32 {
    place_of(position as f64, part, area)
}

fn place_of(position: f64, part: &Range<u64>, (x, width): (f32, f32)) -> f32 {
    let (first, last) = (part.start as f64, part.end.saturating_sub(1) as f64);
    let share = (position - first) / (last - first).max(1.0);
    x + (share.clamp(0.0, 1.0) * f64::from(width)) as f32
}

/// Draws the selected range over the bands.
fn draw_range(
    sheet: &mut Sheet,
    range: Option<(u64, u64)>,
    part: &Range<u64>,
    area: (f32, f32),
    (y, h): (f32, f32),
) {
    let Some((first, last)) = range.filter(|(first, last)| *last >= part.start && *first < part.end) else {
        return;
    };
    let (x0, x1) = (place(first, part, area), place(last + 1, part, area));
    let width = (x1 - x0).max(2.0);
    sheet.fill(x0, y, width, h, Role::Ink1, Texture::Fade(0.16));
    sheet.rect(x0, y - 2.0, width, 2.0, Role::Ink1);
}

/// Draws a side's run over the common clock: issue-slot utilization from the bottom up, and below it the most
/// frequent stall mark.
fn draw_band(
    sheet: &mut Sheet,
    comparison: &Comparison,
    side: &ComparedSide,
    (x, y, width, h): (f32, f32, f32, f32),
) {
    let end = place(side.end, &comparison.part, (x, width));
    let end = if side.end > comparison.part.start {
        end.max(x + 1.0)
    } else {
        end
    };
    let foot = if h > 20.0 { 5.0 } else { 3.0 };
    let high = h - foot - 1.0;
    sheet.rect(x, y, end - x, high, Role::Paper3);
    for (column, left, right) in spans(comparison, side, (x, width)) {
        if right - left < 0.05 {
            continue;
        }
        let slots = (column.end.0 - column.start.0) as f64 * side.issue_slots;
        let used = (column.issue_cycles as f64 / slots.max(1e-9)).clamp(0.0, 1.0) as f32;
        let bar = (used * high).max(if column.issue_cycles > 0 { 1.0 } else { 0.0 });
        if bar > 0.0 {
            sheet.rect(left, y + high - bar, right - left, bar, Role::State(Mark::Issue));
        }
        if let Some(mark) = largest_stall(column) {
            let bar = Shape::Rect {
                x: left,
                y: y + high + 1.0,
                w: right - left,
                h: foot,
            };
            sheet.put(bar, Role::State(mark), Texture::Solid, None);
        }
    }
    if end < x + width - 1.0 {
        let dotted = Shape::Line {
            x1: end,
            y1: y + h - 1.0,
            x2: x + width,
            y2: y + h - 1.0,
            width: 1.0,
        };
        sheet.put(dotted, Role::Line2, Texture::Dotted, None);
        let face = Face::text(TextSize::Label, Role::Ink3);
        let text = wording::finished_after(side.cycle.1);
        if h > 20.0 && side.issued.1 > 0 && face.width(&text) + 12.0 < x + width - end {
            sheet.text(&text, end + 8.0, y + high / 2.0, face);
        }
    }
}

/// The columns of a side's density, each with its left and right edge on the common clock.
fn spans<'c>(
    comparison: &'c Comparison,
    side: &'c ComparedSide,
    area: (f32, f32),
) -> impl Iterator<Item = (&'c DensityColumn, f32, f32)> {
    let whole: u64 = side.density.iter().map(|column| column.issue_cycles).sum();
    let share = |part: u64, of: u64| part as f64 / of.max(1) as f64;
    let mut before = 0;
    side.density.iter().map(move |column| {
        let (from, to) = if comparison.by_work {
            // The shown instructions, in proportion to the issue slots used in each bucket.
            let issued = (side.before.1 - side.before.0) as f64;
            let done = |slots: u64| {
                (side.before.0 as f64 + share(slots, whole) * issued) / side.issued.1.max(1) as f64
            };
            (done(before), done(before + column.issue_cycles))
        } else {
            (
                share(column.start.0, side.cycle.1),
                share(column.end.0, side.cycle.1),
            )
        };
        before += column.issue_cycles;
        let at = |share: f64| place_of(share * side.end as f64, &comparison.part, area);
        (column, at(from), at(to))
    })
}

/// The most frequent mark of the warps that did not issue.
fn largest_stall(column: &DensityColumn) -> Option<Mark> {
    let mut marks = [0u64; 10];
    for state in WarpState::ALL {
        if !matches!(state, WarpState::Empty | WarpState::Selected) {
            marks[Mark::of(state) as usize] += column.states[state as usize];
        }
    }
    let waits = WarpState::ALL.into_iter().map(Mark::of);
    let best = waits.max_by_key(|mark| marks[*mark as usize])?;
    (marks[best as usize] > 0).then_some(best)
}

fn draw_axis(sheet: &mut Sheet, comparison: &Comparison, (x, y, width): (f32, f32, f32), top: f32) {
    ticks(sheet, comparison, (x, y + 10.0, width));
    let now = place(comparison.clock.0, &comparison.part, (x, width));
    draw_range(
        sheet,
        comparison.range,
        &comparison.part,
        (x, width),
        (top, y - 4.0 - top),
    );
    playhead(
        sheet,
        &comparison.now,
        now,
        (x, x + width),
        (top - 12.0, y - top + 12.0),
    );
}

fn ticks(sheet: &mut Sheet, comparison: &Comparison, (x, y, width): (f32, f32, f32)) {
    let face = Face::mono(TextSize::Micro, Role::Ink3);
    let mut free = x;
    for (position, text) in &comparison.ticks {
        let at = place(*position, &comparison.part, (x, width));
        let wide = face.width(text);
        let left = (at - wide / 2.0).clamp(x, (x + width - wide).max(x));
        if left >= free {
            sheet.text(text, left, y, face);
            free = left + wide + 12.0;
        }
    }
}

/// Draws the current position: an ink line with two pixels of paper on both sides, and a flag at the top.
fn playhead(sheet: &mut Sheet, text: &str, x: f32, (left, right): (f32, f32), (y, h): (f32, f32)) {
    let at = x.round();
    sheet.rect(at - 2.0, y, 5.0, h, Role::Paper1);
    sheet.rect(at, y, 1.0, h, Role::Now);
    let face = Face::mono(TextSize::Micro, Role::InkInverse);
    let wide = face.width(text) + 10.0;
    sheet.flag(
        text,
        (at - wide / 2.0).clamp(left, (right - wide).max(left)),
        y,
        14.0,
        face,
    );
}

/// About six ticks of the clock at round numbers, with their labels.
pub fn clock_ticks(part: &Range<u64>, unit: f64, text: impl Fn(f64) -> String) -> Vec<(u64, String)> {
    let end = part.end.saturating_sub(1);
    let first = part.start as f64 * unit;
    let whole = (end - part.start) as f64 * unit;
    if whole <= 0.0 {
        return vec![(part.start, text(first))];
    }
    // Steps of 1, 2 or 5 in the unit, also below 1.
    let mut scale = 1.0;
    while whole / scale < 60.0 {
        scale /= 1000.0;
    }
    let step = round_step(whole / scale / 6.0) as f64 * scale;
    let mut ticks = Vec::new();
    let mut nth = (first / step).ceil();
    while nth * step <= (first + whole) * 1.000_001 {
        let at = nth * step;
        ticks.push((((at / unit).round() as u64).min(end), text(at)));
        nth += 1.0;
    }
    ticks
}

fn sides_table(comparison: &Comparison) -> super::Table {
    let row = |side: &ComparedSide| {
        let (cycle, cycles) = side.cycle;
        [
            side.name.clone(),
            side.differs.clone(),
            side.state.clone(),
            thousands(cycle),
            thousands(cycles),
            side.percent(),
        ]
    };
    table_of(
        ["Side", "Differs", "State", "Cycle", "Of cycles", "Work done"],
        comparison.sides.iter().map(row).collect(),
    )
}
