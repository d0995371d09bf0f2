//! How a launch fills an SM, and what limits it: four bars with one segment a block, the warp slots
//! with the blocks in them, and the warps that were there over the run.

mod bars;
mod charts;
mod explain;
mod slots;
#[cfg(test)]
mod tests;

pub(super) use bars::bytes_text;
pub use charts::occupancy_charts;
pub use explain::inspect_occupancy;

use self::bars::Amount;
use super::kit::{Sheet, table};
use super::words::{capital, headline, percent};
use super::{Scene, Size, ViewState};
use engine::arch::{Architecture, LaunchResources, Limiter, Occupancy};
use engine::ids::BlockId;
use engine::sim::machine::launch_resources;
use engine::trace::{Frame, Trace};

/// Left and right edge of all views.
pub(super) const MARGIN: f32 = 20.0;

/// What a run's launch needs of its SM.
pub(super) fn needs_of(trace: &Trace) -> LaunchResources {
    launch_resources(trace.arch(), trace.program(), trace.launch(), trace.options())
}

/// What the view is drawn from.
pub(super) struct Plan<'f> {
    pub(super) frame: &'f Frame<'f>,
    pub(super) arch: &'static Architecture,
    pub(super) occupancy: Occupancy,
    pub(super) needs: LaunchResources,
    /// The resident block in each place that the SM has for one.
    pub(super) places: Vec<Option<BlockId>>,
    /// Warps in their slots now.
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
            // A block takes as many neighbouring slots as it has warps.
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
    // The run stands beside the slots where there is room.
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
    sheet.finish(size, sentence(&plan), words(&plan))
}

/// What limits the blocks, as the subject of a sentence.
pub(super) const fn limiter_name(limiter: Limiter) -> &'static str {
    match limiter {
        Limiter::Warps => "warp slots",
        Limiter::Blocks => "block slots",
        Limiter::Registers => "registers",
        Limiter::Shared => "shared memory",
    }
}

/// `Registers and shared memory allow`.
pub(super) fn limiters_allow(occupancy: &Occupancy) -> String {
    let names: Vec<&str> = occupancy.limiters().map(limiter_name).collect();
    let verb = if names == ["shared memory"] {
        "allows"
    } else {
        "allow"
    };
    let names = match names.as_slice() {
        [one] => (*one).to_owned(),
        [one, other] => format!("{one} and {other}"),
        all => format!("{} limits", super::count_word(all.len() as u64)),
    };
    format!("{} {verb}", capital(&names))
}

fn sentence(plan: &Plan) -> String {
    let occupancy = &plan.occupancy;
    let (blocks, warps) = (occupancy.blocks_per_sm, occupancy.warps_per_sm());
    let noun = if blocks == 1 { "block" } else { "blocks" };
    headline(format!(
        "{} {blocks} {noun}, {warps} of {} warps ({}); {} now.",
        limiters_allow(occupancy),
        occupancy.max_warps_per_sm,
        percent(warps.into(), occupancy.max_warps_per_sm.into()),
        match plan.blocks_now() {
            1 => "1 is resident".to_owned(),
            blocks => format!("{blocks} are resident"),
        }
    ))
}

/// The text twin: a row a resource, and the warps themselves.
fn words(plan: &Plan) -> super::Table {
    let blocks_now = u64::from(plan.blocks_now());
    let run = u64::from(plan.occupancy.blocks_per_sm);
    let mut rows: Vec<[String; 8]> = plan
        .amounts()
        .iter()
        .map(|amount| {
            [
                capital(limiter_name(amount.limiter)),
                amount.text(amount.capacity),
                amount.text(amount.per_block),
                amount.fit.clone().unwrap_or_else(|| "none needed".to_owned()),
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
        ("Warps in their slots now", f64::from(plan.warps_now)),
        ("Warps, mean of the run", plan.warps_mean),
        (
            "Warps, as the launch allows",
            f64::from(plan.occupancy.warps_per_sm()),
        ),
    ] {
        let empty = String::new;
        let mut row: [String; 8] = std::array::from_fn(|_| empty());
        row[0] = name.to_owned();
        row[1] = max.to_string();
        row[5] = share(value);
        rows.push(row);
    }
    table(
        [
            "Resource",
            "Of the SM",
            "A block takes",
            "Blocks that fit",
            "Blocks that run",
            "In use now",
            "Left over",
            "Limits",
        ],
        rows,
    )
}
