//! A request from the playground, which belongs to no run: lanes and lines without a current cycle.

use super::generations::Axis;
use super::lines::{self, Measures};
use super::plan::{Plan, Request};
use super::{draw_lanes, wording};
use crate::playground::{Lanes, Playground};
use crate::scene::ViewState;
use crate::scene::kit::Sheet;
use crate::scene::lanes::Grid;
use engine::access::GlobalAccess;
use engine::arch::Architecture;
use engine::ids::LaneMask;
use engine::sim::LoadCaching;

/// A typed request on one architecture, and the byte axis for the transactions of all architectures.
pub(in crate::scene) struct Typed {
    plan: Plan,
    /// Lanes that have a thread of the block.
    born: LaneMask,
}

impl Typed {
    pub(in crate::scene) fn new(
        playground: &Playground,
        lanes: &Lanes,
        arch: &Architecture,
        caching: LoadCaching,
    ) -> Self {
        let before = u64::from(playground.warp) * u64::from(engine::arch::WARP_SIZE);
        let threads = playground.threads().saturating_sub(before);
        Self {
            plan: Plan::new(Request::typed(playground, lanes, caching), arch),
            born: LaneMask::first(u32::try_from(threads).unwrap_or(u32::MAX)),
        }
    }

    /// Draws lanes and lines from `y` on, in about the given height, and returns the y below.
    pub(in crate::scene) fn draw(
        &self,
        sheet: &mut Sheet,
        view: &ViewState,
        width: f32,
        (y, room): (f32, f32),
    ) -> f32 {
        let (plan, grid) = (&self.plan, Grid::new(width));
        let top = y + if grid.phone { 14.0 } else { 0.0 };
        let lane_height = if grid.phone { 16.0 } else { 22.0 };
        let low = top + lane_height;
        let lines_y = low + if grid.phone { 58.0 } else { 52.0 };
        let measures = Measures::new(grid, plan, y + room - lines_y);
        let off: Vec<(u32, wording::Off)> = (0..32)
            .filter(|lane| !plan.request.mask.contains(*lane))
            .map(|lane| {
                let off = if self.born.contains(lane) {
                    wording::Off::Condition
                } else {
                    wording::Off::NoThread
                };
                (lane, off)
            })
            .collect();
        draw_lanes(sheet, grid, plan, view, (top, lane_height));
        lines::brackets(sheet, &off, grid, plan, low);
        lines::links(sheet, grid, plan, &measures, (low, lines_y));
        let name = |base: u64| format!("+0x{base:04x}");
        lines::draw(sheet, &name, grid, plan, view, &measures, lines_y)
    }

    /// Draws an architecture's transactions on the common byte axis.
    pub(in crate::scene) fn draw_transactions(
        &self,
        sheet: &mut Sheet,
        access: &GlobalAccess,
        (from, to): (f32, f32),
        (middle, height): (f32, f32),
    ) {
        Axis::new(&self.plan, from, to - from).draw(sheet, &self.plan, access, (middle, height));
    }

    /// Draws the byte labels under the axis.
    pub(in crate::scene) fn label_axis(&self, sheet: &mut Sheet, (from, to): (f32, f32), y: f32) {
        Axis::new(&self.plan, from, to - from).label(sheet, y);
    }
}
