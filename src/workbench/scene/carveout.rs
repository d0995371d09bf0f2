//! Every split of an SM's on-chip memory between L1 and shared memory, what it does to the blocks
//! that are resident, and which splits a kernel cannot run with.

mod charts;
mod columns;
mod combinations;
mod explain;
mod splits;
#[cfg(test)]
mod tests;

pub use charts::carveout_charts;
pub use combinations::{
    Combination, CombinationResult, CombinationRun, CombinationState, combination_result, combinations,
    launch_needs,
};
pub use explain::{carveout_tooltip, combination_tooltip, inspect_carveout};
pub use splits::{SplitRun, legal_carveout};

use self::splits::{HitRate, Split};
use super::kit::{Sheet, table};
use super::words::{counted, headline};
use super::{Scene, Size, Table, ViewState};
use engine::arch::{Architecture, LaunchResources, Occupancy};
use engine::trace::{Frame, Trace};

/// What the view is drawn from.
pub(super) struct Plan<'f> {
    pub(super) frame: &'f Frame<'f>,
    pub(super) arch: &'static Architecture,
    pub(super) needs: LaunchResources,
    pub(super) occupancy: Occupancy,
    pub(super) splits: Vec<Split>,
    /// Runs with the splits, as far as they were made.
    pub(super) runs: Vec<SplitRun>,
    /// All combinations, where they are run.
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

    /// The split that is set.
    pub(super) fn chosen(&self) -> Option<&Split> {
        self.splits.iter().find(|split| split.chosen)
    }

    /// The run with a split.
    pub(super) fn run(&self, split: &Split) -> Option<&SplitRun> {
        self.runs.iter().find(|run| run.shared_kib == split.shared_kib)
    }
}

/// The runs that differ from a run in their split only, and that one.
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

/// Draws the view, with what is known of runs of other combinations.
pub fn carveout(frame: &Frame, _view: &ViewState, size: Size, runs: &[CombinationRun]) -> Scene {
    let plan = Plan::of(frame, runs);
    let mut sheet = Sheet::default();
    let bottom = columns::draw(&mut sheet, &plan, size);
    let bottom = combinations::draw(&mut sheet, &plan, size, bottom + 10.0);
    let size = Size {
        width: size.width,
        height: bottom + 8.0,
    };
    let says = combinations::sentence(&plan).map_or_else(|| sentence(&plan), headline);
    let scene = sheet.finish(size, says, words(&plan));
    let all = (!runs.is_empty()).then(|| ("All combinations".to_owned(), combinations::words(&plan)));
    Scene {
        also: all.into_iter().collect(),
        ..scene
    }
}

fn sentence(plan: &Plan) -> String {
    let Some(chosen) = plan.chosen() else {
        return "The SM's shared memory is set to a size that is not listed.".to_owned();
    };
    let shared = chosen.shared_kib;
    if plan.splits.len() < 2 {
        return headline(match chosen.l1_kib {
            Some(l1) => format!(
                "{} keeps {shared} KB of shared memory apart from {l1} KB of L1: no choice.",
                plan.arch.name
            ),
            None => format!(
                "{} has {shared} KB of shared memory and no L1: there is nothing to split.",
                plan.arch.name
            ),
        });
    }
    let blocks = |split: &Split| split.occupancy.map_or(0, |occupancy| occupancy.blocks_per_sm);
    let run = blocks(chosen);
    let most = plan.splits.iter().map(blocks).max().unwrap_or(0);
    let least = plan.splits.iter().find(|split| blocks(split) == most);
    let l1 = |split: &Split| {
        split
            .l1_kib
            .map_or_else(String::new, |kib| format!("{kib} KB of L1"))
    };
    let noun = |count: u32| counted(count.into(), "block");
    headline(match least {
        Some(other) if run < most => format!(
            "{} with {shared} KB of shared memory; {} KB would hold {most}.",
            match run {
                1 => "1 block runs".to_owned(),
                run => format!("{run} blocks run"),
            },
            other.shared_kib
        ),
        Some(other) if other.shared_kib < shared => format!(
            "{} KB of shared memory would hold the same {}, and leave {}.",
            other.shared_kib,
            noun(run),
            l1(other)
        ),
        _ => format!(
            "{shared} KB of shared memory hold {}, as many as any split, and leave {}.",
            noun(run),
            l1(chosen)
        ),
    })
}

/// The text twin: a row a split.
fn words(plan: &Plan) -> Table {
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
                split.asked.clone(),
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
            "Asked for",
            "Blocks",
            "Warps",
            "Limited by",
            "Set",
            "L1 hit rate",
            "Cycles",
            "Why not",
        ],
        rows,
    )
}
