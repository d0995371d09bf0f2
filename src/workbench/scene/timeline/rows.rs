//! The rows of the warps: names, bands, and the issue slots of their scheduler.

use super::TimelineScale;
use crate::scene::kit::{Face, Sheet};
use crate::scene::{Mark, Role, Shape, Target, TextSize, Texture, ViewState};
use engine::ids::{Cycle, SlotIdx};
use engine::trace::{Frame, Run};

/// Minimum row height at which every row has a name.
const NAMED_ROW: f32 = 9.0;
/// Minimum pixels per cycle for gaps between cycles.
const GAPS_PX: f32 = 3.0;
/// Minimum pixels per cycle for opcodes instead of letters.
const OPCODE_PX: f32 = 48.0;

pub(super) fn draw_group_head(
    sheet: &mut Sheet,
    frame: &Frame,
    scale: TimelineScale,
    scheduler: u8,
    (x, y): (f32, f32),
    phone: bool,
) {
    let record = frame.record();
    sheet.line(
        (x, y + 0.5),
        (scale.x0 + scale.width(), y + 0.5),
        1.0,
        Role::Line2,
    );
    let name = if phone {
        format!("S{scheduler}")
    } else {
        format!("Scheduler {scheduler}")
    };
    sheet.text(
        &name,
        x,
        y + 9.5,
        Face::text(TextSize::Label, Role::Ink1).strong(),
    );
    sheet.put(
        Shape::Rect {
            x: scale.x0,
            y: y + 9.5,
            w: scale.width(),
            h: 1.0,
        },
        Role::Line2,
        Texture::Solid,
        Some(Target::Scheduler(scheduler)),
    );
    if scale.px < 1.0 {
        return;
    }
    let mut issues: Vec<(u64, u64)> = Vec::new();
    for row in record
        .issues_from(Cycle(scale.start))
        .take_while(|row| row.cycle.0 < scale.end)
        .filter(|row| row.scheduler == scheduler)
    {
        let cycle = row.cycle.0;
        match issues.last_mut() {
            // The second issue of a pair; without gaps, adjacent issues merge.
            Some((_, end)) if *end == cycle + 1 => {}
            Some((_, end)) if *end == cycle && scale.px < GAPS_PX => *end += 1,
            _ => issues.push((cycle, cycle + 1)),
        }
    }
    let gap = if scale.px >= GAPS_PX { 1.0 } else { 0.0 };
    for (start, end) in issues {
        let width = (end - start) as f32 * scale.px - gap;
        sheet.rect(scale.x(start), y + 8.0, width, 4.0, Role::State(Mark::Issue));
    }
}

/// Whether a row has a name: in low rows, every second or third row and the selected row have one.
pub(super) fn is_named(idx: usize, chosen: Option<usize>, row: f32) -> bool {
    let step = (NAMED_ROW / row).ceil().max(1.0) as usize;
    match chosen {
        Some(chosen) if idx == chosen => true,
        Some(chosen) if idx.abs_diff(chosen) < step => false,
        _ => idx.is_multiple_of(step),
    }
}

pub(super) fn draw_label(
    sheet: &mut Sheet,
    frame: &Frame,
    view: &ViewState,
    slot: SlotIdx,
    (x, y): (f32, f32),
    (row, named): (f32, bool),
) {
    let chosen = view.slot == Some(slot);
    let size = if row < 12.0 {
        TextSize::Micro
    } else {
        TextSize::Label
    };
    let face = Face::mono(size, if chosen { Role::Ink1 } else { Role::Ink3 }).right();
    let face = if chosen { face.strong() } else { face };
    if named {
        sheet.text(&frame.warp_name(slot), x, y, face);
    }
    sheet.area(x - 40.0, y - row / 2.0, 46.0, row, Target::Warp { slot: slot.0 });
}

/// Top and height of the bands of a row.
pub(super) fn band_place(y: f32, row: f32) -> (f32, f32) {
    if row < 8.0 {
        (y.round(), (row - 1.0).floor().max(2.0))
    } else {
        ((y + 1.5).round(), (row - 3.0).floor())
    }
}

/// Draws the bands of a row, for wide cycles.
pub(super) fn draw_runs(
    sheet: &mut Sheet,
    frame: &Frame,
    view: &ViewState,
    scale: TimelineScale,
    slot: SlotIdx,
    place: (f32, f32),
) {
    for run in frame
        .record()
        .runs_from(slot, Cycle(scale.start))
        .take_while(|run| run.start.0 < scale.end)
    {
        draw_run(sheet, frame, view, scale, slot, &run, place);
    }
}

fn draw_run(
    sheet: &mut Sheet,
    frame: &Frame,
    view: &ViewState,
    scale: TimelineScale,
    slot: SlotIdx,
    run: &Run,
    (y, h): (f32, f32),
) {
    let mark = Mark::of(run.state);
    let (start, end) = (run.start.0.max(scale.start), run.end.0.min(scale.end));
    let (x, w) = (scale.x(start), (end - start) as f32 * scale.px);
    let faded = view.filter.is_some_and(|only| only != mark);
    sheet.put(
        Shape::Band {
            x,
            y,
            w,
            h,
            mark,
            cycle_px: scale.px,
        },
        Role::State(mark),
        if faded {
            Texture::Fade(0.15)
        } else {
            Texture::Solid
        },
        Some(Target::WarpAt {
            slot: slot.0,
            cycle: start,
        }),
    );
    if mark == Mark::Issue && scale.px >= 8.0 && h > 9.0 && !faded {
        let letter = if scale.px >= OPCODE_PX {
            frame.mnemonic(run.pc)
        } else {
            frame.letter(run.pc)
        };
        let face = Face::mono(TextSize::Micro, Role::OnIssue).strong().center();
        sheet.text(&letter, x + (scale.px - 1.0) / 2.0, y + h / 2.0, face);
    }
}
