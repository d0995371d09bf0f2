//! The SM's warp slots with their blocks, and the resident warps over the run.

use super::{MARGIN, Plan};
use crate::scene::kit::{Face, Sheet};
use crate::scene::{Role, Size, Target, TextSize, Texture, ViewState};
use crate::words::thousands;
use engine::ids::SlotIdx;

const SLOT: f32 = 22.0;
const HEAD: f32 = 22.0;
const RUN: f32 = 44.0;

/// Right and lower edge of the slots.
pub(super) struct Ends {
    pub(super) right: f32,
    pub(super) bottom: f32,
}

/// Draws one row per scheduler and one cell per slot.
pub(super) fn draw(sheet: &mut Sheet, plan: &Plan, view: &ViewState, size: Size, top: f32) -> Ends {
    let record = plan.frame.record();
    let schedulers = record.num_schedulers().max(1);
    let a_row = record.num_slots().div_ceil(schedulers).max(1);
    let narrow = size.width < 560.0;
    let left = if narrow { MARGIN + 26.0 } else { MARGIN + 104.0 };
    let cell = ((size.width - left - MARGIN) / a_row as f32).min(SLOT).floor();
    let title = Face::text(TextSize::Body, Role::Ink1);
    sheet.text("Warp slots", MARGIN, top + 8.0, title);
    let now = format!("{} of {} in use", plan.warps_now, plan.occupancy.max_warps_per_sm);
    let small = Face::text(TextSize::Label, Role::Ink3);
    let now_x = if narrow { MARGIN + 104.0 } else { left };
    sheet.text(&now, now_x, top + 8.0, small.role(Role::Ink2));
    let y0 = top + HEAD;
    let usable = plan.occupancy.warps_per_sm() as usize;
    for slot in 0..record.num_slots() {
        let (row, col) = (slot % schedulers, slot / schedulers);
        let (x, y) = (left + col as f32 * cell, y0 + row as f32 * SLOT);
        if col == 0 {
            let name = if narrow {
                row.to_string()
            } else {
                format!("Scheduler {row}")
            };
            sheet.text(&name, MARGIN, y + SLOT / 2.0 - 1.0, small);
        }
        let id = SlotIdx(slot as u16);
        let side = (cell - 2.0, SLOT - 3.0);
        let block = plan.frame.block(id);
        match block {
            Some(block) => {
                // Adjacent blocks differ in shade and number.
                let place = slot
                    .checked_div(plan.occupancy.warps_per_block as usize)
                    .unwrap_or(0);
                let fill = if place.is_multiple_of(2) {
                    Role::Line2
                } else {
                    Role::Paper4
                };
                sheet.rect(x, y, side.0, side.1, fill);
                let face = Face::mono(TextSize::Micro, Role::Ink1).center();
                let name = block.0.to_string();
                if face.width(&name) + 1.0 <= side.0 {
                    sheet.text(&name, x + side.0 / 2.0, y + side.1 / 2.0, face);
                }
            }
            None if slot < usable => sheet.frame(x, y, side.0, side.1, Role::Edge, 1.0),
            None => sheet.fill(x, y, side.0, side.1, Role::Line2, Texture::Dotted),
        }
        sheet.area(x, y, side.0, side.1, Target::Warp { slot: id.0 });
        if view.slot == Some(id) {
            sheet.selection(x - 1.0, y - 1.0, side.0 + 2.0, side.1 + 2.0);
        }
    }
    let (right, bottom) = (left + a_row as f32 * cell, y0 + schedulers as f32 * SLOT);
    // The key, as far as it fits.
    let parts = ["number = block", "outline = free", "dotted = beyond the limit"];
    let parts = if usable < record.num_slots() {
        &parts[..]
    } else {
        &parts[..2]
    };
    let room = (right - left)
        .max(size.width * 0.4)
        .min(size.width - left - MARGIN);
    let shown = (1..=parts.len()).rev().map(|num| parts[..num].join(", "));
    if let Some(key) = shown.into_iter().find(|key| small.width(key) <= room) {
        sheet.text(&key, left, bottom + 8.0, small);
    }
    Ends {
        right: right.max(left + room * 0.6),
        bottom: bottom + 16.0,
    }
}

/// Draws the resident warps over the run, with the limit of the launch, and returns the y below.
pub(super) fn draw_run(sheet: &mut Sheet, plan: &Plan, size: Size, left: f32, top: f32) -> f32 {
    let record = plan.frame.record();
    let narrow = size.width < 560.0;
    let width = size.width - left - MARGIN;
    let max = plan.occupancy.max_warps_per_sm;
    let title = Face::text(TextSize::Body, Role::Ink1);
    let small = Face::text(TextSize::Label, Role::Ink3);
    let beside = left > MARGIN + 104.0;
    let name_x = if beside { left } else { MARGIN };
    sheet.text("Over the run", name_x, top + 8.0, title);
    let share = |warps: f64| format!("{:.0} %", (100.0 * warps / f64::from(max)).round());
    let allowed = plan.occupancy.warps_per_sm();
    let mean = format!("mean {:.1} warps ({})", plan.warps_mean, share(plan.warps_mean));
    let allows = format!("allowed {allowed} ({})", share(allowed.into()));
    let text = if narrow { mean } else { format!("{mean}, {allows}") };
    sheet.text(
        &text,
        size.width - MARGIN,
        top + 8.0,
        small.role(Role::Ink2).right(),
    );
    let y0 = top + HEAD;
    let y = |warps: f64| y0 + RUN - (RUN * (warps / f64::from(max)) as f32).min(RUN);
    let cycles = record.num_cycles().max(1);
    let px = width / cycles as f32;
    let columns = record.density_of_run((width / 2.0) as usize);
    for column in columns.iter() {
        let resident: u64 = column.states[1..].iter().sum();
        let span = (column.end.0 - column.start.0).max(1);
        let warps = resident as f64 / span as f64;
        let (x, w) = (left + column.start.0 as f32 * px, span as f32 * px);
        let (w, high) = (w.min(left + width - x), y(warps));
        sheet.rect(x, high, w, y0 + RUN - high, Role::Line2);
        sheet.area(x, y0, w, RUN, Target::Cycle(column.start.0));
    }
    sheet.line((left, y0 + RUN), (left + width, y0 + RUN), 1.0, Role::Edge);
    let dashed = |sheet: &mut Sheet, warps: f64, texture, role| {
        let points = vec![(left, y(warps)), (left + width, y(warps))];
        let shape = crate::scene::Shape::Polyline { points, width: 1.0 };
        sheet.put(shape, role, texture, None);
    };
    dashed(sheet, allowed.into(), Texture::Dashes, Role::Ink1);
    dashed(sheet, plan.warps_mean, Texture::Dotted, Role::Ink1);
    let now = left + (plan.frame.cycle().0 as f32 + 0.5) * px;
    sheet.line((now, y0 - 3.0), (now, y0 + RUN + 1.0), 2.0, Role::Now);
    if !narrow {
        sheet.text(&max.to_string(), left - 6.0, y0, small.right());
        sheet.text("0", left - 6.0, y0 + RUN, small.right());
    }
    let line = y0 + RUN + 11.0;
    sheet.text("0", left, line, small);
    let end = format!("{} cycles", thousands(cycles));
    sheet.text(&end, left + width, line, small.right());
    line + 8.0
}
