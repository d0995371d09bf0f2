//! The axis, the current cycle, the range, the bracket of a stall, and the key.

use super::wording::pending_result;
use super::{AXIS, TimelineScale};
use crate::scene::kit::{Face, Sheet, round_step};
use crate::scene::{Mark, Role, Target, TextSize, Texture, ViewState};
use crate::words;
use engine::ids::{Cycle, SlotIdx};
use engine::sim::WaitCause;
use engine::trace::Frame;

/// Left edge and width of the flag with the current cycle, kept within the timeline.
fn now_flag(frame: &Frame, scale: TimelineScale) -> (f32, f32) {
    let face = Face::mono(TextSize::Label, Role::InkInverse).strong();
    let width = face.width(&frame.cycle().0.to_string()) + 10.0;
    let x = scale.x(frame.cycle().0) - 1.0;
    (x.min(scale.x0 + scale.width() - width), width)
}

pub(super) fn draw_axis(
    sheet: &mut Sheet,
    frame: &Frame,
    view: &ViewState,
    scale: TimelineScale,
    bottom: f32,
) {
    let face = Face::mono(TextSize::Micro, Role::Ink3);
    let (flag_x, flag_width) = now_flag(frame, scale);
    let range = view.range.map(|(from, to)| range_flag(frame, scale, from, to));
    let right = scale.x0 + scale.width();
    let widest = face.width(&scale.end.to_string()) + 14.0;
    let step = axis_step(f64::from(widest / scale.px));
    let mut cycle = scale.start.div_ceil(step) * step;
    while cycle < scale.end {
        let (x, text) = (scale.x(cycle), cycle.to_string());
        let width = face.width(&text);
        let in_range = range.is_some_and(|(from, to)| x + width > from - 4.0 && x < to + 4.0);
        if !in_range
            && x + width <= right + 10.0
            && (x + width < flag_x - 4.0 || x > flag_x + flag_width + 4.0)
        {
            sheet.text(&text, x, AXIS - 16.0, face);
        }
        sheet.line((x - 0.5, AXIS - 8.0), (x - 0.5, bottom), 1.0, Role::Line1);
        cycle += step;
    }
}

/// Distance of the axis labels in cycles: ten times a power of two, smaller steps for wide cycles, and round steps
/// when zoomed out.
fn axis_step(least: f64) -> u64 {
    if let Some(step) = [1, 2, 5].into_iter().find(|step| *step as f64 >= least)
        && least < 2.5
    {
        return step;
    }
    let mut step = 10u64;
    while (step as f64) < least && step < 640 {
        step *= 2;
    }
    if step as f64 >= least {
        step
    } else {
        round_step(least)
    }
}

pub(super) fn draw_now(sheet: &mut Sheet, frame: &Frame, scale: TimelineScale, bottom: f32) {
    let now = frame.cycle().0;
    if now < scale.start || now >= scale.end {
        return;
    }
    let x = scale.x(now);
    sheet.fill(
        x - 1.0,
        AXIS - 8.0,
        scale.px.max(1.0),
        bottom - AXIS + 8.0,
        Role::Now,
        Texture::Fade(0.09),
    );
    sheet.rect(x - 1.5, AXIS - 8.0, 1.5, bottom - AXIS + 8.0, Role::Now);
    let face = Face::mono(TextSize::Label, Role::InkInverse).strong();
    sheet.flag(
        &now.to_string(),
        now_flag(frame, scale).0,
        AXIS - 24.0,
        16.0,
        face,
    );
}

/// Draws the selected range: a wash between two lines, with its number of cycles on the axis.
pub(super) fn draw_range(
    sheet: &mut Sheet,
    frame: &Frame,
    scale: TimelineScale,
    (from, to): (Cycle, Cycle),
    bottom: f32,
) {
    let (left, right) = (scale.x0, scale.x0 + scale.width());
    let (x0, x1) = (scale.x(from.0) - 0.5, scale.x(to.0) - 0.5);
    let (cut0, cut1) = (x0.max(left), x1.min(right));
    if cut1 <= cut0 {
        return;
    }
    let (top, height) = (AXIS - 8.0, bottom - AXIS + 8.0);
    sheet.fill(cut0, top, cut1 - cut0, height, Role::Ink1, Texture::Fade(0.08));
    for (x, cut) in [(x0, cut0), (x1, cut1)] {
        if x == cut {
            sheet.line((x, top - 4.0), (x, bottom), 1.5, Role::Ink1);
        }
    }
    sheet.line((cut0, top), (cut1, top), 2.0, Role::Ink1);
    let text = words::counted(to.0 - from.0, "cycle");
    let (x, _) = range_flag(frame, scale, from, to);
    sheet.flag(&text, x, AXIS - 24.0, 16.0, RANGE_FACE);
}

const RANGE_FACE: Face = Face::text(TextSize::Label, Role::InkInverse).strong();

/// Left and right edge of the flag of a range.
fn range_flag(frame: &Frame, scale: TimelineScale, from: Cycle, to: Cycle) -> (f32, f32) {
    let (left, right) = (scale.x0, scale.x0 + scale.width());
    let width = RANGE_FACE.width(&words::counted(to.0 - from.0, "cycle")) + 10.0;
    let middle = f32::midpoint(scale.x(from.0).max(left), scale.x(to.0).min(right));
    let x = (middle - width / 2.0).clamp(left, (right - width).max(left));
    // The flag is beside the flag of the current cycle.
    let (now, now_width) = now_flag(frame, scale);
    let is_shown = (scale.start..scale.end).contains(&frame.cycle().0);
    let x = match is_shown && x < now + now_width + 4.0 && now < x + width + 4.0 {
        true if now - width - 4.0 >= left => now - width - 4.0,
        true => now + now_width + 4.0,
        false => x,
    };
    (x, x + width)
}

/// Draws the bracket of the selected warp's stall: from the issue of the producing instruction to its result.
pub(super) fn draw_stall_cause(
    sheet: &mut Sheet,
    frame: &Frame,
    scale: TimelineScale,
    slot: SlotIdx,
    (y, row): (f32, f32),
) {
    // The cause needs a replay, so it is computed only if the bracket fits.
    if scale.px < 2.0 {
        return;
    }
    let (name, issued, ready, is_earliest) = match frame.cause(slot) {
        WaitCause::Register {
            reg,
            issued,
            ready: Some(ready),
            is_earliest,
            ..
        } => (format!("R{reg}"), issued, ready, is_earliest),
        WaitCause::Predicate {
            pred,
            issued,
            ready: Some(ready),
            ..
        } => (format!("P{pred}"), issued, ready, false),
        WaitCause::Copies {
            issued,
            ready: Some(ready),
            ..
        } => ("copies".to_owned(), issued, ready, false),
        _ => return,
    };
    if ready <= issued {
        return;
    }
    let latency = words::cycles_until(ready.0 - issued.0, is_earliest);
    let text = pending_result(&name, &latency);
    let middle = scale.px / 2.0 - 0.5;
    let right = scale.x0 + scale.width();
    let from = scale.x(issued.0) + middle;
    let to = scale.x(ready.0) + middle;
    let (cut_from, cut_to) = (from.max(scale.x0), to.min(right));
    let rail = y - 7.0;
    let mut points = vec![(cut_from, rail), (cut_to, rail)];
    if from >= scale.x0 {
        points.insert(0, (from, y + 1.0));
    }
    if to <= right {
        points.push((to, y + row - 2.0));
        sheet.polygon(
            &[(to, y + 2.0), (to - 4.0, y - 5.0), (to + 4.0, y - 5.0)],
            Role::Ink1,
        );
    }
    sheet.polyline(&points, 1.5, Role::Ink1);
    let face = Face::text(TextSize::Label, Role::InkInverse).strong();
    let width = face.width(&text) + 10.0;
    let x = ((cut_from + cut_to - width) / 2.0).clamp(scale.x0, (right - width).max(scale.x0));
    sheet.flag(&text, x, y - 15.0, 16.0, face);
}

/// Least and largest gap between two marks of the key, and the height of its rows.
const KEY_GAP: (f32, f32) = (8.0, 18.0);
const KEY_ROW: f32 = 18.0;

/// The number of marks in a row of the key, in as few rows as fit.
fn per_row(widths: &[f32], room: f32) -> usize {
    let least = |row: &[f32]| row.iter().sum::<f32>() + KEY_GAP.0 * (row.len() - 1) as f32;
    (1..=widths.len())
        .map(|rows| widths.len().div_ceil(rows))
        .find(|num| widths.chunks(*num).all(|row| least(row) <= room))
        .unwrap_or(1)
}

pub(super) fn draw_key(sheet: &mut Sheet, view: &ViewState, (x0, y0): (f32, f32), room: f32) {
    let marks = &Mark::ALL[..9];
    let face = Face::text(TextSize::Label, Role::Ink2);
    let widths: Vec<f32> = marks.iter().map(|mark| 17.0 + face.width(mark.name())).collect();
    let per_row = per_row(&widths, room);
    let gap = |row: &[f32]| ((room - row.iter().sum::<f32>()) / (row.len() - 1).max(1) as f32).min(KEY_GAP.1);
    let gaps: Vec<f32> = widths.chunks(per_row).map(gap).collect();
    let (mut x, mut y) = (x0, y0);
    for (idx, (mark, width)) in marks.iter().zip(&widths).enumerate() {
        if idx > 0 && idx % per_row == 0 {
            (x, y) = (x0, y + KEY_ROW);
        }
        sheet.tile(x, y, 11.0, *mark);
        let chosen = view.filter == Some(*mark);
        let face = if chosen {
            face.strong().role(Role::Ink1)
        } else {
            face
        };
        sheet.text(mark.name(), x + 16.0, y + 5.5, face);
        sheet.area(x, y - 6.0, *width, 22.0, Target::Mark(*mark));
        x += width + gaps.get(idx / per_row).copied().unwrap_or(0.0);
    }
}
