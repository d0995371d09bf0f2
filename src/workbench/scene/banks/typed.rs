//! An access from the playground, which belongs to no run: the same drawing without a current cycle.

use super::cells::{Map, draw_labels, draw_memory};
use super::padding::draw_small;
use super::plan::Plan;
use super::{Grid, draw_groups, draw_lanes, draw_links};
use crate::playground::{Lanes, Playground};
use crate::scene::ViewState;
use crate::scene::kit::Sheet;
use engine::arch::Banks;

/// Minimum number of memory rows.
const MIN_ROWS: usize = 8;

fn plan(playground: &Playground, lanes: &Lanes, banks: Banks) -> Plan {
    Plan::new(
        banks,
        playground.op,
        u32::from(playground.elem) * 8,
        lanes.mask,
        &lanes.addresses,
    )
}

/// Draws an access from `y` on, in about the given height: all passes, or the chosen pass and those before
/// it. Returns the y below.
pub(in crate::scene) fn draw_typed(
    sheet: &mut Sheet,
    (playground, lanes, banks): (&Playground, &Lanes, Banks),
    view: &ViewState,
    width: f32,
    (y, room): (f32, f32),
) -> f32 {
    let grid = Grid::new(width);
    let plan = plan(playground, lanes, banks);
    let all = plan.passes.len() as u16;
    let current = view.wavefront.map_or(all, |pass| pass.min(all));
    let top = y + if grid.phone { 26.0 } else { 4.0 };
    let lane_height = if grid.phone { 16.0 } else { 22.0 };
    let map_y = top + lane_height + if grid.phone { 74.0 } else { 72.0 };
    let rows = plan.rows().len().max(MIN_ROWS) as f32;
    let row_height = (((y + room - map_y) / rows * 2.0).floor() / 2.0).clamp(5.0, 14.0);
    let map = Map { y: map_y, row_height };
    draw_lanes(sheet, grid, &plan, current, view, (top, lane_height));
    draw_groups(sheet, grid, &plan, top + lane_height);
    draw_links(sheet, grid, &plan, current, (top + lane_height, map_y));
    let low = draw_memory(sheet, grid, &plan, current, map);
    draw_labels(sheet, grid, &plan, current, map);
    low
}

/// Draws the words of an access in a square of 32 by 32 cells.
pub(in crate::scene) fn draw_typed_small(
    sheet: &mut Sheet,
    (playground, lanes, banks): (&Playground, &Lanes, Banks),
    at: (f32, f32),
    unit: f32,
) {
    draw_small(sheet, &plan(playground, lanes, banks), at, unit);
}
