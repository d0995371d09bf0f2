//! The Compare view of three and four runs: pictures that survive a small size. A run is a floor plan, its warps over
//! time, and its used issue slots; counters are bars.

use super::super::floorplan_thumbnail::floorplan_thumbnail;
use super::super::kit::{Face, Sheet};
use super::super::{Role, Scene, Size, Target, TextSize};
use super::{
    AXIS, CauseState, ComparedSide, Comparison, NARROW, bars, cause, difference, draw_axis, draw_band,
    draw_range, place, ticks,
};
use crate::words::thousands;
use engine::arch::architecture;

/// Width of the floor plans, and of the texts beside them.
const PLAN: f32 = 62.0;
const TEXTS: f32 = 126.0;
/// Least and largest height of a run.
const HEIGHT: (f32, f32) = (62.0, 112.0);
/// Height of the used issue slots under the warps.
const SLOTS: f32 = 15.0;
/// Height of the name above a run on a narrow stage.
const HEAD: f32 = 36.0;
/// Height of a line of the sentence.
const LINE: f32 = 17.0;

/// Draws the pictures, and returns the size of the scene.
pub(super) fn draw(sheet: &mut Sheet, comparison: &Comparison, size: Size) -> Size {
    let narrow = size.width < NARROW;
    let margin = if narrow { 12.0 } else { 20.0 };
    let left = if narrow {
        margin
    } else {
        margin + PLAN + 12.0 + TEXTS
    };
    let width = (size.width - left - margin).max(1.0);
    let num = comparison.sides.len() as f32;
    let high = (0.55 * size.height / num).clamp(HEIGHT.0, HEIGHT.1).floor();
    let unit = plan_unit(
        comparison,
        if narrow {
            (44.0, 28.0)
        } else {
            (PLAN, HEIGHT.0 - 8.0)
        },
    );
    let (top, mut y) = (12.0, 12.0);
    for (idx, side) in comparison.sides.iter().enumerate() {
        let picture = if narrow {
            draw_head(sheet, side, unit, (margin, y, size.width - 2.0 * margin));
            (left, y + HEAD, width, HEIGHT.0 - 10.0)
        } else {
            draw_texts(sheet, side, unit, (margin, y));
            (left, y, width, high - 10.0)
        };
        draw_run(sheet, comparison, side, picture);
        let bottom = picture.1 + picture.3;
        if idx == comparison.active {
            sheet.rect(margin - 8.0, y, 2.0, bottom - y, Role::Ink1);
        }
        sheet.area(
            margin,
            y,
            size.width - 2.0 * margin,
            bottom - y,
            Target::Side(idx as u8),
        );
        if narrow {
            mark_now(sheet, comparison, picture);
        }
        y = bottom + 10.0;
    }
    if narrow {
        ticks(sheet, comparison, (left, y + 2.0, width));
    } else {
        draw_axis(sheet, comparison, (left, y - 4.0, width), top);
    }
    y += AXIS + 12.0;
    let text = Face::text(TextSize::Body, Role::Ink1);
    // The measured cause takes the place of the sentence that follows from the counters.
    let is_measured = matches!(comparison.cause, CauseState::Known { .. });
    if !is_measured {
        for line in text.wrap(&difference::sentence(comparison), size.width - 2.0 * margin) {
            sheet.text(&line, margin, y, text);
            y += LINE;
        }
    }
    y = cause::draw(sheet, &comparison.cause, (margin, y, size.width - 2.0 * margin));
    let bottom = bars::draw(sheet, comparison, (margin, y + 10.0, size.width - 2.0 * margin));
    Size {
        width: size.width,
        height: size.height.max(bottom + 8.0),
    }
}

/// The sentence of the scene's note.
pub(super) fn note(comparison: &Comparison) -> String {
    difference::sentence(comparison)
}

/// Pixels per lane at which every floor plan fits into a box: all plans have one scale.
fn plan_unit(comparison: &Comparison, (width, height): (f32, f32)) -> f32 {
    let sizes = comparison.sides.iter().filter_map(|side| {
        let plan = floorplan_thumbnail(architecture(side.arch?), 1.0);
        Some((width / plan.size.width).min(height / plan.size.height))
    });
    sizes.fold(4.0, f32::min)
}

fn draw_plan(sheet: &mut Sheet, side: &ComparedSide, unit: f32, (x, y): (f32, f32)) {
    let Some(arch) = side.arch else { return };
    let Scene { items, .. } = floorplan_thumbnail(architecture(arch), unit);
    for mut item in items {
        item.shape.move_by(x, y);
        sheet.items.push(item);
    }
}

/// Draws the floor plan, the name, the state, and the share of the work, left of a run.
fn draw_texts(sheet: &mut Sheet, side: &ComparedSide, unit: f32, (x, y): (f32, f32)) {
    draw_plan(sheet, side, unit, (x, y + 2.0));
    let (x, room) = (x + PLAN + 12.0, TEXTS - 12.0);
    let name = Face::text(TextSize::Body, Role::Ink1).strong();
    let note = Face::text(TextSize::Label, Role::Ink3);
    let figure = Face::mono(TextSize::Title, Role::Ink1).strong();
    sheet.text(&name.fit(&side.name, room), x, y + 7.0, name);
    sheet.text(&note.fit(&state(side), room), x, y + 23.0, note);
    if side.issued.1 > 0 {
        sheet.text(&side.percent(), x, y + 42.0, figure);
    }
}

/// The same above a run.
fn draw_head(sheet: &mut Sheet, side: &ComparedSide, unit: f32, (x, y, width): (f32, f32, f32)) {
    draw_plan(sheet, side, unit, (x, y));
    let name = Face::text(TextSize::Body, Role::Ink1).strong();
    let note = Face::text(TextSize::Label, Role::Ink3);
    let figure = Face::mono(TextSize::Title, Role::Ink1).strong().right();
    let room = width - 52.0 - figure.width("100 %") - 8.0;
    sheet.text(&name.fit(&side.name, room), x + 52.0, y + 8.0, name);
    sheet.text(&note.fit(&state(side), room), x + 52.0, y + 23.0, note);
    if side.issued.1 > 0 {
        sheet.text(&side.percent(), x + width, y + 14.0, figure);
    }
}

/// What distinguishes a run from the first one, and its cycle.
fn state(side: &ComparedSide) -> String {
    let state = if side.issued.1 == 0 || side.is_finished() {
        side.state.clone()
    } else {
        format!("{} of {}", thousands(side.cycle.0), thousands(side.cycle.1))
    };
    if side.differs.is_empty() {
        state
    } else {
        format!("{} · {state}", side.differs)
    }
}

/// Draws the warps of a run over the common clock, and under them its used issue slots.
fn draw_run(
    sheet: &mut Sheet,
    comparison: &Comparison,
    side: &ComparedSide,
    (x, y, width, height): (f32, f32, f32, f32),
) {
    let high = height - SLOTS - 3.0;
    let columns: Vec<(f32, f32, u64, u64)> = super::spans(comparison, side, (x, width))
        .map(|(column, from, to)| (from, to, column.start.0, column.end.0))
        .collect();
    let cycle_at = |at: f32| {
        let idx = columns.partition_point(|(_, to, ..)| *to <= at);
        let (from, to, start, end) = *columns.get(idx)?;
        let share = ((at - from) / (to - from).max(f32::EPSILON)).clamp(0.0, 1.0);
        (at >= from).then(|| start + ((end - start) as f32 * share) as u64)
    };
    side.warps.draw(sheet, (x, y, width, high), cycle_at);
    draw_band(sheet, comparison, side, (x, y + height - SLOTS, width, SLOTS));
}

/// Draws the selected range and the playhead over a run of a narrow stage.
fn mark_now(sheet: &mut Sheet, comparison: &Comparison, (x, y, width, height): (f32, f32, f32, f32)) {
    let now = place(comparison.clock.0, &comparison.part, (x, width)).round();
    draw_range(sheet, comparison.range, &comparison.part, (x, width), (y, height));
    sheet.rect(now - 2.0, y, 5.0, height, Role::Paper1);
    sheet.rect(now, y, 1.0, height, Role::Now);
}
