//! The Banks view: one shared memory request, drawn on the memory that it accesses. A column is a bank, a
//! row is one word per bank, and the height of the tallest column is the number of wavefronts.

mod cells;
mod padding;
mod plan;
mod service;
#[cfg(test)]
mod tests;
mod typed;
mod wording;

use super::kit::{Face, Sheet, table};
use super::lanes::{Grid, LANES};
use super::request_line::with_request_line;
use super::{Role, Scene, Shape, Size, Target, TextSize, Texture, ViewState};
use crate::words::{capital, counted, fit_headline};
use cells::{Map, draw_labels, draw_memory, put_other};
use engine::trace::{AccessFamily, Frame};
use padding::draw_paddings;

use plan::{Plan, Progress, progress};
pub(super) use service::pass_in_service;
pub use service::{shown_access, shown_wavefront};
pub(super) use typed::{draw_typed, draw_typed_small};
pub(super) use wording::{bank_layout, bank_rows, conflict_free_reason, wavefronts_of_lane};
pub use wording::{banks_tooltip, wavefront_reason};
use wording::{group_name, headline, wavefronts_text};

/// Stages below this height have smaller gaps.
const LOW_STAGE: f32 = 560.0;

/// Draws the view.
pub fn banks(frame: &Frame, view: &ViewState, size: Size) -> Scene {
    with_request_line((frame, view), AccessFamily::Shared, size, |size| {
        draw_request(frame, view, size)
    })
}

fn draw_request(frame: &Frame, view: &ViewState, size: Size) -> Scene {
    let shown = shown_access(frame, view)
        .and_then(|idx| Some((frame.record().access(idx)?, frame.trace().access_detail(idx)?)));
    let grid = Grid::new(size.width);
    let Some((row, access)) = shown else {
        return empty(grid, size);
    };
    let plan = Plan::of(frame.banks(), &access);
    let current = shown_wavefront(frame, view, &row);
    let mut sheet = Sheet::default();
    let is_low = size.height < LOW_STAGE;
    let pick = |phone: f32, low: f32, else_: f32| match (grid.phone, is_low) {
        (true, _) => phone,
        (false, true) => low,
        (false, false) => else_,
    };
    let (top, lane_height) = (pick(26.0, 12.0, 20.0), pick(16.0, 20.0, 22.0));
    let map_y = top + lane_height + pick(74.0, 68.0, 80.0);
    let small = pick(132.0, 152.0, 210.0);
    let rows = plan.rows().len().max(8) as f32;
    let least = if view.is_whole { 4.0 } else { pick(7.0, 5.5, 7.0) };
    let row_height = (((size.height - map_y - small) / rows * 2.0).floor() / 2.0).clamp(least, 20.0);
    let map = Map { y: map_y, row_height };

    draw_lanes(&mut sheet, grid, &plan, current, view, (top, lane_height));
    draw_groups(&mut sheet, grid, &plan, top + lane_height);
    draw_links(&mut sheet, grid, &plan, current, (top + lane_height, map_y));
    let low = draw_memory(&mut sheet, grid, &plan, current, map);
    draw_labels(&mut sheet, grid, &plan, current, map);
    let bottom = draw_paddings(
        &mut sheet,
        frame,
        &access,
        (grid.margin, grid.right()),
        (low + 48.0, size.height),
    );

    let text = headline(&plan, &access);
    let rows = lane_rows(&plan);
    sheet.finish(
        Size {
            width: size.width,
            height: bottom.max(size.height),
        },
        fit_headline(text),
        table(["Lane", "Byte offset", "Word", "Bank", "Wavefront"], rows),
    )
}

fn empty(grid: Grid, size: Size) -> Scene {
    let mut sheet = Sheet::default();
    grid.empty_lanes(&mut sheet, 20.0, 22.0);
    let height = (size.height - 160.0).clamp(80.0, 400.0);
    sheet.fill(
        grid.x,
        122.0,
        grid.lane * 32.0 - 1.0,
        height,
        Role::Line2,
        Texture::Dotted,
    );
    let face = Face::text(TextSize::Body, Role::Ink2).center();
    sheet.text(
        wording::use_hint(grid.phone),
        size.width / 2.0,
        122.0 + height / 2.0,
        face,
    );
    sheet.finish(
        size,
        wording::UNUSED.to_owned(),
        table(["Lane", "Byte offset", "Word", "Bank", "Wavefront"], Vec::new()),
    )
}

fn lane_rows(plan: &Plan) -> Vec<[String; 5]> {
    plan.lanes
        .iter()
        .map(|lane| {
            [
                lane.lane.to_string(),
                format!("0x{:04x}", lane.address),
                (lane.address / 4).to_string(),
                plan.bank(lane.address / 4 * 4).to_string(),
                wavefronts_text(&lane.passes),
            ]
        })
        .collect()
}

fn draw_lanes(
    sheet: &mut Sheet,
    grid: Grid,
    plan: &Plan,
    current: u16,
    view: &ViewState,
    (y, h): (f32, f32),
) {
    grid.name_lanes(sheet, y, h);
    let mut now = Vec::new();
    for lane in 0..LANES {
        let (x, w) = (grid.left(lane), grid.lane - 1.0);
        let target = Some(Target::Lane(lane as u8));
        let shape = Shape::Rect { x, y, w, h };
        let Some(place) = plan.lane(lane) else {
            sheet.put(shape, Role::Line2, Texture::Dotted, target);
            if grid.has_number(lane) {
                let face = Face::mono(TextSize::Micro, Role::Ink3).center();
                sheet.text(&lane.to_string(), grid.middle(lane), y + h / 2.0, face);
            }
            continue;
        };
        let Some(role) = put_other(sheet, plan, &place.passes, current, (shape, target)) else {
            now.push((lane, target));
            continue;
        };
        if grid.has_number(lane) {
            let face = Face::mono(TextSize::Micro, role).center();
            sheet.text(&lane.to_string(), grid.middle(lane), y + h / 2.0, face);
        }
    }
    // Lanes in service stand out of their row; if most lanes are in service, the whole row is ink.
    let overlap = if now.len() > 8 { 0.0 } else { 2.0 };
    let numbered = !grid.phone || now.len() == 1;
    for (lane, target) in now {
        let (x, w) = (grid.left(lane), grid.lane - 1.0);
        if overlap > 0.0 {
            sheet.rect(x - 4.0, y - 6.0, w + 8.0, h + 12.0, Role::Paper1);
        }
        sheet.put(
            Shape::Rect {
                x: x - overlap,
                y: y - 2.0 * overlap,
                w: w + 2.0 * overlap,
                h: h + 4.0 * overlap,
            },
            Role::Ink1,
            Texture::Solid,
            target,
        );
        if numbered && (overlap > 0.0 || grid.has_number(lane)) {
            let face = Face::mono(TextSize::Micro, Role::InkInverse).strong().center();
            sheet.text(&lane.to_string(), grid.middle(lane), y + h / 2.0, face);
        }
    }
    if let Some(lane) = view.lane {
        sheet.selection(
            grid.left(u32::from(lane)) - 2.0,
            y - 2.0,
            grid.lane + 3.0,
            h + 4.0,
        );
    }
}

/// Brackets under the lane groups that access the banks together.
fn draw_groups(sheet: &mut Sheet, grid: Grid, plan: &Plan, y: f32) {
    if plan.groups.len() < 2 {
        return;
    }
    let name = capital(group_name(plan.groups.iter().map(|group| group.lanes)));
    for (idx, group) in plan.groups.iter().enumerate() {
        let (Some(first), Some(last)) = (group.lanes.lanes().min(), group.lanes.lanes().max()) else {
            continue;
        };
        let count = u64::from(group.passes);
        let full = format!("{name} {}: {}", idx + 1, counted(count, "wavefront"));
        grid.bracket(sheet, (first, last), y, &[&full, &count.to_string()]);
    }
}

fn draw_links(sheet: &mut Sheet, grid: Grid, plan: &Plan, current: u16, (from_y, to_y): (f32, f32)) {
    for wanted in [Progress::Pending, Progress::Served, Progress::Now] {
        for place in plan
            .lanes
            .iter()
            .filter(|place| progress(&place.passes, current) == wanted)
        {
            let column = plan.column_middle(place);
            let (xa, xb) = (grid.middle(place.lane), grid.x + column * grid.lane - 0.5);
            let (role, width, texture) = match wanted {
                Progress::Pending => (Role::Pass(plan.step(&place.passes)), 1.0, Texture::Fade(0.45)),
                Progress::Served => (Role::Pass(plan.step(&place.passes)), 1.25, Texture::Fade(0.9)),
                Progress::Now => (Role::Ink1, 2.0, Texture::Solid),
            };
            let start = from_y + if plan.groups.len() > 1 { 17.0 } else { 4.0 };
            let shape = Shape::Curve {
                from: (xa, start),
                c1: (xa, from_y + 38.0),
                c2: (xb, to_y - 54.0),
                to: (xb, to_y - 19.0),
                width,
            };
            sheet.put(shape, role, texture, None);
        }
    }
}
