//! Every combination of a split, of global loads through or around L1, and of a register limit: the results of
//! their runs as one table.

use super::Plan;
use super::splits::{HitRate, SplitRun, splits};
use super::wording::{limit_text, way_text};
use crate::scene::kit::{Face, Sheet, table as table_of};
use crate::scene::{Role, Size, Table, Target, TextSize, Texture};
use crate::words::{counted, thousands};
use engine::arch::{Architecture, LaunchResources};
use engine::sim::LoadCaching;
use engine::trace::Trace;

const MARGIN: f32 = 20.0;
const NARROW: f32 = 560.0;
const ROW: f32 = 24.0;

/// A way to run a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Combination {
    /// KB of shared memory.
    pub shared_kib: u16,
    /// Whether global loads go through L1.
    pub in_l1: bool,
    /// `-maxrregcount`.
    pub max_registers: Option<u16>,
}

/// The result of a run with a combination.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CombinationResult {
    /// Cycles and L1 hit rate.
    pub run: SplitRun,
    /// Resident warps.
    pub warps: u32,
    /// Registers per thread.
    pub registers: u32,
    /// Bytes of local memory per thread, including spills.
    pub local_bytes: u32,
    /// Bytes of spills that a thread stores, and that it loads.
    pub spilled: (u32, u32),
    /// Whether the kernel finished.
    pub finished: bool,
}

/// The progress of a combination's run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CombinationState {
    /// Not started.
    Waits,
    /// Running.
    Runs {
        /// Cycles so far.
        cycles: u64,
    },
    /// Ended.
    Done(CombinationResult),
    /// Impossible, with the reason.
    Refused(String),
}

/// A row of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CombinationRun {
    /// The combination.
    pub combination: Combination,
    /// Progress.
    pub state: CombinationState,
    /// Whether the session's own run uses this combination.
    pub is_own: bool,
}

impl CombinationRun {
    /// The result, if the run has ended.
    pub fn result(&self) -> Option<&CombinationResult> {
        match &self.state {
            CombinationState::Done(result) => Some(result),
            _ => None,
        }
    }
}

/// The result of a whole run.
pub fn combination_result(trace: &Trace) -> CombinationResult {
    CombinationResult {
        run: SplitRun::of(trace),
        warps: trace.occupancy().warps_per_sm(),
        registers: u32::from(trace.program().registers_per_thread),
        local_bytes: trace.program().local_bytes_per_thread,
        spilled: trace.program().spill_bytes,
        finished: matches!(trace.outcome(), Some(engine::sim::Outcome::Finished)),
    }
}

/// The SM resources of a launch.
pub fn launch_needs(trace: &Trace) -> LaunchResources {
    crate::scene::occupancy::needs_of(trace)
}

/// All combinations for a launch with these needs. Without a limit, a thread has `natural` registers. The limits
/// are three quarters and half of that, in steps of 8, and `own`.
pub fn combinations(
    arch: &Architecture,
    needs: &LaunchResources,
    natural: u32,
    own: Option<u16>,
    caching: LoadCaching,
) -> Vec<Combination> {
    let mut limits: Vec<u16> = [natural * 3 / 4, natural / 2]
        .into_iter()
        .map(|registers| (registers / 8 * 8) as u16)
        .filter(|registers| *registers >= 16 && u32::from(*registers) < natural)
        .chain(own)
        .collect();
    limits.sort_unstable_by(|one, other| other.cmp(one));
    limits.dedup();
    let both = LoadCaching::Ca.in_l1(arch) != LoadCaching::Cg.in_l1(arch);
    let ways: Vec<bool> = if both {
        vec![true, false]
    } else {
        vec![caching.in_l1(arch)]
    };
    let mut all = Vec::new();
    for split in splits(arch, needs, 0)
        .iter()
        .filter(|split| split.refusal.is_none())
    {
        for in_l1 in &ways {
            for max_registers in std::iter::once(None).chain(limits.iter().copied().map(Some)) {
                all.push(Combination {
                    shared_kib: split.shared_kib,
                    in_l1: *in_l1,
                    max_registers,
                });
            }
        }
    }
    all
}

/// The fewest cycles among the finished runs.
pub(super) fn best(runs: &[CombinationRun]) -> Option<u64> {
    let finished = runs
        .iter()
        .filter_map(CombinationRun::result)
        .filter(|result| result.finished);
    finished.map(|result| result.run.cycles).min()
}

/// Whether a run is finished and has the fewest cycles, and another run has more.
pub(super) fn is_best(runs: &[CombinationRun], run: &CombinationRun) -> bool {
    run.result()
        .is_some_and(|result| result.finished && Some(result.run.cycles) == best(runs) && !are_equal(runs))
}

/// Whether all finished runs take the same number of cycles.
pub(super) fn are_equal(runs: &[CombinationRun]) -> bool {
    let results = runs.iter().filter_map(CombinationRun::result);
    let mut cycles = results
        .filter(|result| result.finished)
        .map(|result| result.run.cycles);
    let first = cycles.next();
    cycles.all(|cycles| Some(cycles) == first)
}

/// The number of ended runs.
pub(super) fn num_done(runs: &[CombinationRun]) -> usize {
    let open =
        |run: &&CombinationRun| !matches!(run.state, CombinationState::Waits | CombinationState::Runs { .. });
    runs.iter().filter(open).count()
}

/// The cells of a row, in the columns of the text twin.
pub(super) fn cells(plan: &Plan, run: &CombinationRun) -> [String; 10] {
    let combination = &run.combination;
    let none = || "–".to_owned();
    let l1 = plan.arch.memory.l1.as_ref();
    let result = run.result();
    let cycles = match &run.state {
        CombinationState::Waits => "queued".to_owned(),
        CombinationState::Runs { cycles } => format!("running, cycle {}", thousands(*cycles)),
        CombinationState::Refused(why) => why.clone(),
        CombinationState::Done(result) if !result.finished => {
            format!("stopped at {}", thousands(result.run.cycles))
        }
        CombinationState::Done(result) => thousands(result.run.cycles),
    };
    let mark = match (is_best(plan.combinations, run), run.is_own) {
        (true, true) => "best, current",
        (true, false) => "best",
        (false, true) => "current",
        (false, false) => "",
    };
    [
        format!("{} KB", combination.shared_kib),
        l1.map_or_else(none, |l1| {
            format!("{} KB", l1.capacity_kib(combination.shared_kib))
        }),
        way_text(combination.in_l1).to_owned(),
        limit_text(*combination),
        result.map_or_else(none, |result| result.registers.to_string()),
        result.map_or_else(none, |result| {
            format!("{} B", thousands((result.spilled.0 + result.spilled.1).into()))
        }),
        result.map_or_else(none, |result| result.warps.to_string()),
        result
            .and_then(|result| result.run.hits)
            .map_or_else(none, HitRate::text),
        cycles,
        mark.to_owned(),
    ]
}

/// The text twin of the combinations.
pub(super) fn text_twin(plan: &Plan) -> Table {
    let columns = [
        "Shared",
        "L1",
        "Global loads",
        "Limit",
        "Registers",
        "Spills per thread",
        "Warps",
        "L1 hits",
        "Cycles",
        "Mark",
    ];
    let rows = plan.combinations.iter().map(|run| cells(plan, run));
    table_of(columns, rows.collect())
}

/// Draws the table under the columns, and returns the y below.
pub(super) fn draw(sheet: &mut Sheet, plan: &Plan, size: Size, top: f32) -> f32 {
    let runs = plan.combinations;
    if runs.is_empty() {
        return top;
    }
    let narrow = size.width < NARROW;
    let left = if narrow { 12.0 } else { MARGIN };
    let room = size.width - 2.0 * left;
    // The cells to draw: index, head, and left edge as a share of the width.
    let columns: &[(usize, &str, f32)] = if narrow {
        &[
            (0, "Shared", 0.0),
            (2, "Loads", 0.17),
            (3, "Registers", 0.39),
            (7, "Hits", 0.62),
            (8, "Cycles", 0.76),
        ]
    } else {
        &[
            (0, "Shared", 0.0),
            (1, "L1", 0.09),
            (2, "Global loads", 0.18),
            (3, "Registers", 0.30),
            (5, "Spilled", 0.42),
            (6, "Warps", 0.50),
            (7, "L1 hits", 0.57),
            (8, "Cycles", 0.66),
        ]
    };
    let head = Face::text(TextSize::Body, Role::Ink1).strong();
    let done = num_done(runs);
    let title = if done == runs.len() {
        format!("All {}", counted(runs.len() as u64, "combination"))
    } else {
        format!("{done} of {} have run", counted(runs.len() as u64, "combination"))
    };
    sheet.text(&title, left, top + 8.0, head);
    let small = Face::text(TextSize::Label, Role::Ink3);
    let mut y = top + 22.0;
    for (_, name, share) in columns {
        sheet.text(name, left + share * room, y + 8.0, small);
    }
    y += 18.0;
    let cycles = |run: &CombinationRun| run.result().map_or(0, |result| result.run.cycles);
    let most = runs.iter().map(cycles).max().unwrap_or(0).max(1);
    for (idx, run) in runs.iter().enumerate() {
        let is_best = is_best(runs, run);
        sheet.line((left, y), (left + room, y), 1.0, Role::Line1);
        let size = if narrow { TextSize::Micro } else { TextSize::Label };
        let face = Face::mono(
            size,
            if run.result().is_some() {
                Role::Ink1
            } else {
                Role::Ink3
            },
        );
        let face = if is_best { face.strong() } else { face };
        let texts = cells(plan, run);
        let middle = y + ROW / 2.0;
        for (place, (cell, _, share)) in columns.iter().enumerate() {
            let x = left + share * room;
            let end = columns.get(place + 1).map_or(1.0, |next| next.2);
            let width = (end - share) * room - 4.0;
            let text = if narrow {
                texts[*cell].replace("at most ", "≤ ")
            } else {
                texts[*cell].clone()
            };
            sheet.text(&face.fit(&text, width), x, middle, face);
        }
        let bar_x = left + 0.77 * room;
        if let Some(result) = run.result().filter(|_| !narrow) {
            let mark = &texts[9];
            let label = Face::text(TextSize::Label, Role::Ink1);
            let kept = if mark.is_empty() { 0.0 } else { 84.0 };
            let width = (left + room - bar_x - kept).max(8.0) * result.run.cycles as f32 / most as f32;
            if is_best {
                sheet.rect(bar_x, middle - 5.0, width, 10.0, Role::Ink1);
            } else {
                sheet.fill(bar_x, middle - 5.0, width, 10.0, Role::Edge, Texture::Solid);
            }
            sheet.text(mark, left + room, middle, label.right());
        }
        let target = Target::Combination(idx as u8);
        sheet.area(left, y, room, ROW, target);
        if run.is_own {
            sheet.selection(left - 4.0, y + 1.0, room + 8.0, ROW - 2.0);
        }
        if narrow && is_best {
            sheet.rect(left - 6.0, y + 4.0, 3.0, ROW - 8.0, Role::Ink1);
        }
        y += ROW;
    }
    y + 8.0
}
