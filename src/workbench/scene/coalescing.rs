//! The Coalescing view: one request to global, local, or constant memory. It shows the lanes, the lines that
//! they access, the fetched and the used bytes, and the same request on every generation.

mod bytes;
mod constants;
mod generations;
mod lines;
pub(in crate::scene) mod plan;
mod typed;
#[cfg(test)]
mod tests;
pub(in crate::scene) mod wording;

pub(in crate::scene) use typed::Typed;
pub(in crate::scene) use wording::constant_headline;

use super::kit::{Face, Sheet, table};
use super::lanes::{Grid, LANES};
use super::request_line::with_request_line;
use super::requests::shown_request;
use super::{Role, Scene, Shape, Size, Target, TextSize, Texture, ViewState};
use crate::words::fit_headline;
use engine::sim::{Access, RequestKind};
use engine::trace::{AccessFamily, AccessRow, Frame};
use lines::Measures;
use plan::Plan;

/// Columns of the table.
const COLUMNS: [&str; 5] = ["Lane", "Address", "Line", "Sector", "Bytes"];
/// Minimum and maximum height of a generation's row.
const ROW: (f32, f32) = (20.0, 34.0);
/// Stages below this height have smaller gaps.
const LOW_STAGE: f32 = 560.0;

/// The request that the view shows, with its addresses.
pub(super) fn shown(frame: &Frame, view: &ViewState) -> Option<(u32, AccessRow, Access)> {
    let idx = shown_request(frame, view, AccessFamily::Global)?;
    Some((
        idx,
        frame.record().access(idx)?,
        frame.trace().access_detail(idx)?,
    ))
}

/// The request to global, local, or constant memory that the view shows.
pub fn shown_global_access(frame: &Frame, view: &ViewState) -> Option<u32> {
    shown_request(frame, view, AccessFamily::Global)
}

/// Why a request to global or local memory has its transactions. Asterisks enclose the numbers to set bold. `None`
/// for other requests.
pub fn transaction_reason(frame: &Frame, idx: u32) -> Option<String> {
    let access = frame.trace().access_detail(idx)?;
    if access.kind == RequestKind::ConstantLoad {
        return None;
    }
    let plan = Plan::of(frame, &access)?;
    Some(wording::transaction_reason(frame, &plan))
}

/// Draws the view.
pub fn coalescing(frame: &Frame, view: &ViewState, size: Size) -> Scene {
    with_request_line((frame, view), AccessFamily::Global, size, |size| {
        draw_request(frame, view, size)
    })
}

fn draw_request(frame: &Frame, view: &ViewState, size: Size) -> Scene {
    let grid = Grid::new(size.width);
    let Some((_, row, access)) = shown(frame, view) else {
        return empty(grid, size);
    };
    if access.kind == RequestKind::ConstantLoad {
        return constants::draw(frame, view, size, &access);
    }
    let Some(plan) = Plan::of(frame, &access) else {
        return empty(grid, size);
    };
    let mut sheet = Sheet::default();
    let mut rows = generations::rows(frame.arch(), &plan.request).len();
    let top = if grid.phone {
        26.0
    } else if size.height < LOW_STAGE {
        12.0
    } else {
        20.0
    };
    let lane_height = if grid.phone { 16.0 } else { 22.0 };
    let low = top + lane_height;
    let is_low = size.height < LOW_STAGE;
    let lines_y = low
        + match (grid.phone, is_low) {
            (true, _) => 58.0,
            (false, true) => 52.0,
            (false, false) => 66.0,
        };
    let bytes_height = if grid.phone { 54.0 } else { 48.0 };
    let rest = bytes_height + generations::height(rows, ROW.0, grid.phone);
    let measures = Measures::new(grid, &plan, size.height - lines_y - rest);

    draw_lanes(&mut sheet, grid, &plan, view, (top, lane_height));
    let off = wording::off_lanes(frame, &row, plan.request.mask);
    lines::brackets(&mut sheet, &off, grid, &plan, low);
    lines::links(&mut sheet, grid, &plan, &measures, (low, lines_y));
    let name = |base: u64| wording::place_name(frame, &plan, base);
    let after = lines::draw(&mut sheet, &name, grid, &plan, view, &measures, lines_y);
    let after = bytes::draw(&mut sheet, grid, &plan, after + 10.0);
    let room = size.height - after - 10.0 - generations::height(0, 0.0, grid.phone);
    if view.is_whole && room < rows as f32 * ROW.0 {
        rows = 0;
    }
    let row_height = (room / rows.max(1) as f32).floor().clamp(ROW.0, ROW.1);
    let bottom = if rows > 0 {
        generations::draw(&mut sheet, frame, grid, &plan, after + 10.0, row_height)
    } else {
        after
    };

    sheet.finish(
        Size {
            width: size.width,
            height: bottom.max(size.height),
        },
        fit_headline(wording::headline(frame.arch(), &plan)),
        table(COLUMNS, wording::table_rows(frame, &plan)),
    )
}

/// Tooltip of a target in the view.
pub fn coalescing_tooltip(frame: &Frame, view: &ViewState, target: Target) -> Option<(String, String)> {
    let (_, row, access) = shown(frame, view)?;
    if access.kind == RequestKind::ConstantLoad {
        return wording::constant_tooltip(frame, &access, target);
    }
    let plan = Plan::of(frame, &access)?;
    match target {
        Target::Lane(lane) => Some(wording::lane_tooltip(frame, &plan, &row, lane.into())),
        Target::Fetch(idx) => {
            let fetch = plan.fetches.get(usize::from(idx))?;
            Some(wording::fetch_tooltip(frame, &plan, fetch))
        }
        Target::Generation(idx) => wording::generation_tooltip(frame, &plan, idx),
        _ => None,
    }
}

fn empty(grid: Grid, size: Size) -> Scene {
    let mut sheet = Sheet::default();
    grid.empty_lanes(&mut sheet, 20.0, 22.0);
    let height = if grid.phone { 26.0 } else { 36.0 };
    for line in 0..3 {
        let y = 108.0 + line as f32 * (height + 26.0);
        for sector in 0..4 {
            let (x, w) = (grid.left(sector * 8), grid.lane * 8.0 - 1.0);
            sheet.fill(x, y, w, height, Role::Line2, Texture::Dotted);
        }
    }
    let face = Face::text(TextSize::Body, Role::Ink2).center();
    let y = 108.0 + 3.0 * (height + 26.0) + 10.0;
    sheet.text(wording::use_hint(grid.phone), size.width / 2.0, y, face);
    sheet.finish(size, wording::UNUSED.to_owned(), table(COLUMNS, Vec::new()))
}

/// The lanes: green if active, dotted if not.
fn draw_lanes(sheet: &mut Sheet, grid: Grid, plan: &Plan, view: &ViewState, at: (f32, f32)) {
    lane_row(sheet, grid, view, at, |lane| plan.request.mask.contains(lane));
}

/// A row of 32 lanes.
fn lane_row(
    sheet: &mut Sheet,
    grid: Grid,
    view: &ViewState,
    (y, h): (f32, f32),
    active: impl Fn(u32) -> bool,
) {
    grid.name_lanes(sheet, y, h);
    for lane in 0..LANES {
        let (x, w) = (grid.left(lane), grid.lane - 1.0);
        let (role, texture, ink) = if active(lane) {
            (Role::Used, Texture::Solid, Role::OnIssue)
        } else {
            (Role::Line2, Texture::Dotted, Role::Ink3)
        };
        let target = Some(Target::Lane(lane as u8));
        sheet.put(Shape::Rect { x, y, w, h }, role, texture, target);
        if grid.has_number(lane) {
            let face = Face::mono(TextSize::Micro, ink).center();
            sheet.text(&lane.to_string(), grid.middle(lane), y + h / 2.0, face);
        }
    }
    if let Some(lane) = view.lane {
        let x = grid.left(u32::from(lane)) - 2.0;
        sheet.selection(x, y - 2.0, grid.lane + 3.0, h + 4.0);
    }
}
