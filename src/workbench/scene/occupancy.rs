//! The Occupancy view: how a launch fills an SM, and what limits it. It shows four bars with one segment per block,
//! the warp slots with their blocks, and the resident warps over the run.

mod bars;
mod charts;
mod wording;
mod slots;
#[cfg(test)]
mod tests;

pub use charts::occupancy_charts;
pub use wording::inspect_occupancy;
pub(super) use wording::{bytes_text, limiter_name, limiters_allow};

use self::bars::Amount;
use super::kit::{Sheet, table};
use super::{Scene, Size, ViewState};
use crate::words::capital;
use engine::arch::{Architecture, LaunchResources, Occupancy};
use engine::ids::BlockId;
use engine::sim::machine::launch_resources;
use engine::trace::{Frame, Trace};

/// Left and right edge of all views.
pub(super) const MARGIN: f32 = 20.0;

/// The SM resources of a run's launch.
pub(super) fn needs_of(trace: &Trace) -> LaunchResources {
    launch_resources(trace.arch(), trace.program(), trace.launch(), trace.options())
}

/// The data of the view.
pub(super) struct Plan<'f> {
    pub(super) frame: &'f Frame<'f>,
    pub(super) arch: &'static Architecture,
    pub(super) occupancy: Occupancy,
    pub(super) needs: LaunchResources,
    /// The resident block in each block slot that the launch can use.
    pub(super) places: Vec<Option<BlockId>>,
    /// Resident warps at the cycle.
    pub(super) warps_now: u32,
    /// Resident warps, mean over the cycles with a resident block.
    pub(super) warps_mean: f64,
}

impl<'f> Plan<'f> {
    pub(super) fn of(frame: &'f Frame<'f>) -> Self {
        let trace = frame.trace();
        let occupancy = *trace.occupancy();
        let mut places = vec![None; occupancy.blocks_per_sm as usize];
        for span in frame.record().blocks_at(frame.cycle()) {
            // A block occupies one adjacent slot per warp.
            let first = span.slots.first().map_or(0, |slot| u32::from(slot.0));
            let place = first.checked_div(occupancy.warps_per_block).unwrap_or(0);
            if let Some(place) = places.get_mut(place as usize) {
                *place = Some(span.block);
            }
        }
        let slots = 0..frame.record().num_slots() as u16;
        let warps_now = slots
            .filter(|slot| frame.warp(engine::ids::SlotIdx(*slot)).is_some())
            .count() as u32;
        let resident: u64 = trace.total().states.iter().sum();
        Self {
            frame,
            arch: frame.arch(),
            occupancy,
            needs: needs_of(trace),
            places,
            warps_now,
            warps_mean: resident as f64 / trace.active_cycles().max(1) as f64,
        }
    }

    pub(super) fn blocks_now(&self) -> u32 {
        self.places.iter().flatten().count() as u32
    }

    pub(super) fn amounts(&self) -> [Amount; 4] {
        bars::amounts(self.arch, &self.occupancy)
    }
}

/// Draws the view.
pub fn occupancy(frame: &Frame, view: &ViewState, size: Size) -> Scene {
    let plan = Plan::of(frame);
    let mut sheet = Sheet::default();
    let mut y = bars::draw(&mut sheet, &plan, size);
    let slots = slots::draw(&mut sheet, &plan, view, size, y + 10.0);
    // The plot over the run is beside the slots if there is room.
    y = if size.width - slots.right > 380.0 {
        let run = slots::draw_run(&mut sheet, &plan, size, slots.right + 56.0, y + 10.0);
        run.max(slots.bottom)
    } else {
        let left = if size.width < bars::NARROW {
            MARGIN
        } else {
            MARGIN + 104.0
        };
        slots::draw_run(&mut sheet, &plan, size, left, slots.bottom + 14.0)
    };
    let size = Size {
        width: size.width,
        height: y + 8.0,
    };
    sheet.finish(size, wording::headline(&plan), text_twin(&plan))
}

/// The text twin: one row per resource, then the resident warps.
fn text_twin(plan: &Plan) -> super::Table {
    let blocks_now = u64::from(plan.blocks_now());
    let run = u64::from(plan.occupancy.blocks_per_sm);
    let mut rows: Vec<[String; 8]> = plan
        .amounts()
        .iter()
        .map(|amount| {
            [
                capital(limiter_name(amount.limiter)),
                wording::capacity_text(plan, amount),
                amount.text(amount.per_block),
                amount.fit.clone().unwrap_or_else(|| "no limit".to_owned()),
                run.to_string(),
                amount.text(amount.per_block * blocks_now),
                amount.text(amount.left),
                if amount.limits { "yes" } else { "no" }.to_owned(),
            ]
        })
        .collect();
    let max = plan.occupancy.max_warps_per_sm;
    let share = |warps: f64| format!("{warps:.1} ({:.0} %)", (100.0 * warps / f64::from(max)).round());
    for (name, value) in [
        ("Resident warps now", f64::from(plan.warps_now)),
        ("Resident warps, mean of the run", plan.warps_mean),
        (
            "Warps that the launch allows",
            f64::from(plan.occupancy.warps_per_sm()),
        ),
    ] {
        let empty = String::new;
        let mut row: [String; 8] = std::array::from_fn(|_| empty());
        name.clone_into(&mut row[0]);
        row[1] = max.to_string();
        row[5] = share(value);
        rows.push(row);
    }
    table(
        [
            "Resource",
            "SM total",
            "Per block",
            "Blocks that fit",
            "Resident blocks at most",
            "In use now",
            "Unused",
            "Limits",
        ],
        rows,
    )
}
