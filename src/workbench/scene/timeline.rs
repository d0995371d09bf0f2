//! The Timeline view: warps by cycles. Upright green marks are issues, and horizontal bands are stalls.

mod events;
mod marks;
mod rows;
#[cfg(test)]
mod tests;
mod state_pixels;
mod wording;

use super::ending::ending_headline;
use super::kit::{Sheet, table};
use super::{Role, Scene, Shape, Size, Target, Texture, ViewState};
use crate::words::thousands;
use engine::ids::{Cycle, SlotIdx};
use engine::sim::WarpState;
use engine::trace::Frame;
use events::{are_shown, draw_event_key, draw_events};
use marks::{draw_axis, draw_key, draw_now, draw_range, draw_stall_cause};
use rows::{band_place, draw_group_head, draw_label, draw_runs, is_named};
use state_pixels::{BANDS_PX, StatePixels};

/// Zoom limits in pixels per cycle; at the maximum, a cycle fills a wide stage.
pub const ZOOM: (f32, f32) = (0.000_000_1, 1_000.0);
/// Maximum pixels per cycle for a run that is shorter than the window.
const WIDEST_PX: f32 = 24.0;
/// Height of the key of event marks.
const EVENTS_KEY: f32 = 18.0;
/// Position of the current cycle while the timeline follows it, as a share of the width.
const NOW_AT: f32 = 0.62;
const AXIS: f32 = 30.0;
const GROUP_HEAD: f32 = 19.0;
/// Height of the axis, where a range is brushed.
pub const TIMELINE_AXIS: f32 = AXIS;
/// Number of cycles up to which issues are counted individually.
const COUNTED_CYCLES: u64 = 4096;

/// The scale of the timeline: converts x to a cycle, and back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimelineScale {
    /// x of the first cycle shown.
    pub x0: f32,
    /// Pixels per cycle.
    pub px: f32,
    /// First cycle shown.
    pub start: u64,
    /// Cycle after the last shown.
    pub end: u64,
}

impl TimelineScale {
    /// The scale of a timeline of this width.
    pub fn new(frame: &Frame, view: &ViewState, width: f32) -> Self {
        let phone = width < 520.0;
        let cycles = frame.record().num_cycles().max(1);
        let (x0, room) = Self::place(width);
        let px = view
            .cycle_px
            .unwrap_or(if phone { 6.0 } else { 9.0 })
            .clamp((room / cycles as f32).min(WIDEST_PX), ZOOM.1.min(room));
        // A window of a given number of cycles shows exactly this number, despite rounding.
        let shown = ((room / px + 0.001).floor() as u64).clamp(1, cycles);
        let start = view.timeline_start.map_or_else(
            || {
                frame
                    .cycle()
                    .0
                    .saturating_sub(((shown as f32 * NOW_AT).round() as u64).min(shown - 1))
            },
            |start| start.0,
        );
        let start = start.min(cycles - shown);
        Self {
            x0,
            px,
            start,
            end: start + shown,
        }
    }

    /// x of the first cycle, and the width for all cycles.
    pub fn place(width: f32) -> (f32, f32) {
        let phone = width < 520.0;
        let x0 = if phone { 46.0 } else { 102.0 };
        let margin = if phone { 12.0 } else { 20.0 };
        (x0, (width - x0 - margin).max(8.0))
    }

    /// x of a cycle's start, also outside the shown cycles.
    pub fn x(&self, cycle: u64) -> f32 {
        self.x0 + ((cycle as f64 - self.start as f64) * f64::from(self.px)) as f32
    }

    /// The cycle at x, within the shown cycles.
    pub fn cycle(&self, x: f32) -> Cycle {
        let offset = ((x - self.x0) / self.px).max(0.0) as u64;
        Cycle((self.start + offset).min(self.end.saturating_sub(1)))
    }

    fn width(&self) -> f32 {
        (self.end - self.start) as f32 * self.px
    }

    /// A sentence that names the shown cycles.
    pub fn shown_cycles(&self, frame: &Frame) -> String {
        wording::shown_cycles((self.start, self.end), frame.record().num_cycles())
    }
}

/// The slots that hold a warp at any time in the run, by scheduler.
pub(super) fn used_slots(frame: &Frame) -> Vec<Vec<SlotIdx>> {
    let record = frame.record();
    let schedulers = record.num_schedulers().max(1);
    let mut groups = vec![Vec::new(); schedulers];
    for slot in 0..record.num_slots() as u16 {
        if record.tenancy(SlotIdx(slot), record.last_cycle()).is_some() {
            groups[usize::from(slot) % schedulers].push(SlotIdx(slot));
        }
    }
    groups
}

/// The rows of the timeline: their places and heights.
struct Layout {
    phone: bool,
    margin: f32,
    scale: TimelineScale,
    /// Slots by scheduler.
    groups: Vec<Vec<SlotIdx>>,
    /// Height of a row.
    row: f32,
    /// y below the rows.
    bottom: f32,
    /// Height of the key.
    key: f32,
    /// Whether events have marks.
    has_events: bool,
}

impl Layout {
    /// The layout of a timeline of this size.
    fn of(frame: &Frame, scale: TimelineScale, size: Size) -> Self {
        let phone = size.width < 520.0;
        let groups = used_slots(frame);
        let num: usize = groups.iter().map(Vec::len).sum();
        let key = match (phone, size.width < 760.0) {
            (true, _) => 0.0,
            (_, true) => 46.0,
            _ => 30.0,
        };
        let heads = groups.len() as f32 * GROUP_HEAD;
        let row_in = |key: f32| {
            let room = size.height - AXIS - key - heads - 2.0;
            ((room / num.max(1) as f32 * 4.0).floor() / 4.0).clamp(4.0, 24.0)
        };
        // One more line if events have marks.
        let events_key = if phone { 0.0 } else { EVENTS_KEY };
        let has_events = are_shown(scale, row_in(key + events_key));
        let key = if has_events { key + events_key } else { key };
        let row = row_in(key);
        Self {
            phone,
            margin: if phone { 12.0 } else { 20.0 },
            scale,
            groups,
            row,
            bottom: AXIS + heads + num as f32 * row + 2.0,
            key,
            has_events,
        }
    }

    /// Draws the heads of the schedulers and the labels of the slots. Returns the y of each slot.
    fn draw_labels(&self, sheet: &mut Sheet, frame: &Frame, view: &ViewState) -> Vec<(SlotIdx, f32)> {
        let (scale, row, margin) = (self.scale, self.row, self.margin);
        let mut y = AXIS;
        let mut rows_y = Vec::new();
        for (scheduler, slots) in self.groups.iter().enumerate() {
            draw_group_head(sheet, frame, scale, scheduler as u8, (margin, y), self.phone);
            y += GROUP_HEAD;
            let chosen = slots.iter().position(|slot| view.slot == Some(*slot));
            for (idx, slot) in slots.iter().enumerate() {
                if view.slot == Some(*slot) {
                    sheet.rect(
                        margin - 8.0,
                        y,
                        scale.x0 + scale.width() - margin + 16.0,
                        row,
                        Role::Paper3,
                    );
                }
                let place = (scale.x0 - 10.0, y + row / 2.0);
                let named = is_named(idx, chosen, row);
                draw_label(sheet, frame, view, *slot, place, (row, named));
                rows_y.push((*slot, y));
                y += row;
            }
        }
        rows_y
    }

    /// Draws the cause of the stall under the pointer, or else of the selected warp's stall.
    fn draw_cause(&self, sheet: &mut Sheet, frame: &Frame, view: &ViewState, rows: &[(SlotIdx, f32)]) {
        let (scale, row) = (self.scale, self.row);
        let y_of = |slot: SlotIdx| rows.iter().find(|(of, _)| *of == slot).map(|(_, y)| *y);
        if let Some((slot, cycle)) = view.probe {
            if let Some(y) = y_of(slot) {
                draw_stall_cause(sheet, &frame.trace().frame(cycle), scale, slot, (y, row));
            }
        } else if let Some((slot, y)) = view.slot.and_then(|slot| Some((slot, y_of(slot)?))) {
            draw_stall_cause(sheet, frame, scale, slot, (y, row));
        }
    }
}

/// Draws the timeline.
pub fn timeline(frame: &Frame, view: &ViewState, size: Size) -> Scene {
    let scale = TimelineScale::new(frame, view, size.width);
    let layout = Layout::of(frame, scale, size);
    let Layout {
        margin,
        row,
        bottom,
        key,
        has_events,
        ..
    } = layout;
    let height = (bottom + key).max(size.height.min(bottom + key + 1.0));

    let mut sheet = Sheet::default();
    draw_axis(&mut sheet, frame, view, scale, bottom);
    let rows_y = layout.draw_labels(&mut sheet, frame, view);
    draw_bands(&mut sheet, frame, view, scale, &rows_y, row);
    let events = has_events.then(|| draw_events(&mut sheet, frame, scale, &rows_y));
    draw_now(&mut sheet, frame, scale, bottom);
    layout.draw_cause(&mut sheet, frame, view, &rows_y);
    if let Some(range) = view.range {
        draw_range(&mut sheet, frame, scale, range, bottom);
    }
    if !layout.phone {
        draw_key(
            &mut sheet,
            view,
            (margin, bottom + 8.0),
            size.width - 2.0 * margin,
        );
        if has_events {
            draw_event_key(&mut sheet, (margin, bottom + key - EVENTS_KEY));
        }
    }
    let rows = table_rows(frame, scale, &layout.groups);
    let scene = sheet.finish(
        Size {
            width: size.width,
            height,
        },
        ending_headline(frame).unwrap_or_else(|| wording::headline(frame)),
        table(
            [
                "Slot",
                "Warp",
                "State now",
                "For cycles",
                "Instruction",
                "Issues in the window",
            ],
            rows,
        ),
    );
    let events = events.flatten().map(|table| ("Events".to_owned(), table));
    Scene {
        note: scale.shown_cycles(frame),
        also: events.into_iter().collect(),
        ..scene
    }
}

/// Draws the warp states: bands, or pixels if cycles are narrow.
fn draw_bands(
    sheet: &mut Sheet,
    frame: &Frame,
    view: &ViewState,
    scale: TimelineScale,
    rows: &[(SlotIdx, f32)],
    row: f32,
) {
    if scale.px >= BANDS_PX {
        for (slot, y) in rows {
            draw_runs(sheet, frame, view, scale, *slot, band_place(*y, row));
        }
        return;
    }
    let Some((_, last)) = rows.last() else { return };
    let mut pixels = StatePixels::new(scale, AXIS, last + row + 1.0);
    for (slot, y) in rows {
        pixels.row(frame, scale, *slot, band_place(*y, row));
        let track = Shape::Track {
            x: scale.x0,
            y: *y,
            w: scale.width(),
            h: row,
            first: scale.start,
            cycle_px: scale.px,
        };
        let target = Target::WarpAt {
            slot: slot.0,
            cycle: scale.start,
        };
        sheet.put(track, Role::Paper1, Texture::Fade(0.0), Some(target));
    }
    sheet.put(pixels.finish(view), Role::Ink1, Texture::Solid, None);
}

fn table_rows(frame: &Frame, scale: TimelineScale, groups: &[Vec<SlotIdx>]) -> Vec<[String; 6]> {
    let record = frame.record();
    let mut issues = vec![0u64; record.num_slots()];
    if scale.end - scale.start <= COUNTED_CYCLES {
        for row in record
            .issues_from(Cycle(scale.start))
            .take_while(|row| row.cycle.0 < scale.end)
        {
            issues[usize::from(row.slot.0)] += 1;
        }
    } else {
        for (slot, count) in issues.iter_mut().enumerate() {
            let states =
                record.states_between(Some(SlotIdx(slot as u16)), Cycle(scale.start), Cycle(scale.end));
            *count = states[WarpState::Selected as usize];
        }
    }
    groups
        .iter()
        .flatten()
        .filter_map(|slot| {
            let run = frame.run(*slot)?;
            Some([
                slot.0.to_string(),
                frame.warp_name(*slot),
                run.state.name().to_owned(),
                thousands(frame.cycle().0 + 1 - run.start.0),
                frame.opcode(*slot),
                thousands(issues[usize::from(slot.0)]),
            ])
        })
        .collect()
}
