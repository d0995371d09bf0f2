//! The Carveout view: every split of an SM's on-chip memory between L1 and shared memory. For each split, it shows
//! the resident blocks, the L1 hit rate, and whether the kernel can run.

mod charts;
mod columns;
mod combinations;
mod wording;
mod splits;
#[cfg(test)]
mod tests;

pub use charts::carveout_charts;
pub use combinations::{
    Combination, CombinationResult, CombinationRun, CombinationState, combination_result, combinations,
    launch_needs,
};
pub use splits::{SplitRun, legal_carveout};
pub use wording::{carveout_tooltip, combination_tooltip, inspect_carveout};

use self::splits::{HitRate, Split};
use self::wording::{combinations_headline, headline};
use super::kit::{Sheet, table};
use super::{Scene, Size, Table, ViewState};
use crate::words::fit_headline;
use engine::arch::{Architecture, LaunchResources, Occupancy};
use engine::trace::{Frame, Trace};

/// The data of the view.
pub(super) struct Plan<'f> {
    pub(super) frame: &'f Frame<'f>,
    pub(super) arch: &'static Architecture,
    pub(super) needs: LaunchResources,
    pub(super) occupancy: Occupancy,
    pub(super) splits: Vec<Split>,
    /// The runs with other splits that exist.
    pub(super) runs: Vec<SplitRun>,
    /// All combinations; empty if they are not run.
    pub(super) combinations: &'f [CombinationRun],
}

impl<'f> Plan<'f> {
    pub(super) fn of(frame: &'f Frame<'f>, combinations: &'f [CombinationRun]) -> Self {
        let trace = frame.trace();
        let needs = super::occupancy::needs_of(trace);
        Self {
            frame,
            arch: frame.arch(),
            needs,
            occupancy: *trace.occupancy(),
            splits: splits::splits(frame.arch(), &needs, trace.occupancy().shared_kib),
            runs: split_runs(trace, combinations),
            combinations,
        }
    }

    /// The chosen split.
    pub(super) fn chosen(&self) -> Option<&Split> {
        self.splits.iter().find(|split| split.chosen)
    }

    /// The run with a split, if any.
    pub(super) fn run(&self, split: &Split) -> Option<&SplitRun> {
        self.runs.iter().find(|run| run.shared_kib == split.shared_kib)
    }
}

/// The runs that differ from a run only in their split, and this run.
pub(super) fn split_runs(trace: &Trace, combinations: &[CombinationRun]) -> Vec<SplitRun> {
    let (arch, options) = (trace.arch(), trace.options());
    let limit = trace.program().options.max_registers;
    let in_l1 = options.load_caching.in_l1(arch);
    let like = combinations
        .iter()
        .filter(|run| (run.combination.in_l1, run.combination.max_registers) == (in_l1, limit));
    let own = SplitRun::of(trace);
    like.filter_map(CombinationRun::result)
        .filter(|result| result.finished)
        .map(|result| result.run)
        .filter(|run| run.shared_kib != own.shared_kib)
        .chain([own])
        .collect()
}

/// Draws the view, with the runs of other combinations.
pub fn carveout(frame: &Frame, _view: &ViewState, size: Size, runs: &[CombinationRun]) -> Scene {
    let plan = Plan::of(frame, runs);
    let mut sheet = Sheet::default();
    let bottom = columns::draw(&mut sheet, &plan, size);
    let bottom = combinations::draw(&mut sheet, &plan, size, bottom + 10.0);
    let size = Size {
        width: size.width,
        height: bottom + 8.0,
    };
    let text = combinations_headline(&plan).map_or_else(|| headline(&plan), fit_headline);
    let scene = sheet.finish(size, text, text_twin(&plan));
    let all = (!runs.is_empty()).then(|| ("All combinations".to_owned(), combinations::text_twin(&plan)));
    Scene {
        also: all.into_iter().collect(),
        ..scene
    }
}

/// The text twin: one row per split.
fn text_twin(plan: &Plan) -> Table {
    let rows = plan
        .splits
        .iter()
        .map(|split| {
            let run = plan.run(split);
            let filled = split.occupancy;
            let of = |text: fn(&Occupancy) -> String| filled.as_ref().map_or_else(String::new, text);
            [
                format!("{} KB", split.shared_kib),
                split
                    .l1_kib
                    .map_or_else(|| "none".to_owned(), |kib| format!("{kib} KB")),
                split.requests.clone(),
                of(|filled| filled.blocks_per_sm.to_string()),
                of(|filled| filled.warps_per_sm().to_string()),
                of(|filled| {
                    let names = filled.limiters().map(super::occupancy::limiter_name);
                    names.collect::<Vec<_>>().join(", ")
                }),
                if split.chosen { "yes" } else { "no" }.to_owned(),
                run.and_then(|run| run.hits)
                    .map_or_else(String::new, HitRate::text),
                run.map_or_else(String::new, |run| super::thousands(run.cycles)),
                split.refusal.clone().unwrap_or_default(),
            ]
        })
        .collect();
    table(
        [
            "Shared memory",
            "L1",
            "Requests",
            "Blocks",
            "Warps",
            "Limited by",
            "Chosen",
            "L1 hit rate",
            "Cycles",
            "Unavailable because",
        ],
        rows,
    )
}
