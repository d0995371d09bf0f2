//! The warp cycles of a run by instruction and state, and who claims them.

use std::cell::OnceCell;

use crate::blame::Blame;
use crate::setup::Setup;
use engine::arch::PipeKind;
use engine::ids::{Cycle, Pc};
use engine::isa::{Instruction, Op, Space};
use engine::sim::WarpState;
use engine::trace::{AccessFamily, AccessRow, StateCycles, Trace};

use super::{LineCost, THRESHOLD_PERCENT};

/// The charged warp cycles of a run, without what earlier rules claimed.
pub(super) struct Claims<'t> {
    pub(super) trace: &'t Trace,
    pub(super) setup: &'t Setup,
    /// Warp cycles of the whole run.
    pub(super) warp_cycles: u64,
    /// Warp cycles by state of the whole run.
    pub(super) totals: StateCycles,
    /// Share of the issue slots that issued, 0 to 1.
    pub(super) issue_share: f64,
    /// Lanes that a warp has on average at launch.
    pub(super) launched_lanes: f64,
    /// The line of the launch, once a rule has looked for it: the search can read `main()`.
    pub(super) launch_line: OnceCell<Option<u32>>,
    left: Vec<StateCycles>,
}

/// Claimed warp cycles.
#[derive(Default)]
pub(super) struct Claimed {
    pub(super) cycles: u64,
    pub(super) lines: Vec<LineCost>,
}

impl Claimed {
    /// Adds the cycles of a line.
    pub(super) fn add(&mut self, line: u32, cycles: u64) {
        if cycles == 0 {
            return;
        }
        self.cycles += cycles;
        add_cost(&mut self.lines, LineCost { line, cycles });
    }

    /// The most expensive line; 0 if no instruction has a line.
    pub(super) fn line(&self) -> u32 {
        self.lines.first().map_or(0, |cost| cost.line)
    }

    /// Sorts the lines, the most expensive first.
    pub(super) fn sort(&mut self) {
        sort_costs(&mut self.lines);
    }
}

/// Adds the cost of a line.
pub(super) fn add_cost(lines: &mut Vec<LineCost>, cost: LineCost) {
    match lines.iter_mut().find(|known| known.line == cost.line) {
        Some(known) => known.cycles += cost.cycles,
        None => lines.push(cost),
    }
}

/// Sorts the costs of lines, the largest first.
pub(super) fn sort_costs(lines: &mut [LineCost]) {
    lines.sort_by_key(|cost| (std::cmp::Reverse(cost.cycles), cost.line));
}

impl<'t> Claims<'t> {
    pub(super) fn new(trace: &'t Trace, setup: &'t Setup) -> Self {
        let left = Blame::of(trace).by_pc().to_vec();
        let totals = trace.total().states;
        let active = trace.active_between(Cycle(0), Cycle(trace.num_cycles()));
        let launch = trace.launch();
        let threads = launch.threads_per_block();
        Self {
            trace,
            setup,
            warp_cycles: totals[1..].iter().sum(),
            totals,
            issue_share: trace.issue_cycles() as f64 / (trace.issue_slots(active).max(1)) as f64,
            launched_lanes: threads as f64 / threads.div_ceil(32).max(1) as f64,
            launch_line: OnceCell::new(),
            left,
        }
    }

    pub(super) fn code(&self) -> &'t [Instruction] {
        &self.trace.program().code
    }

    /// The source line of an instruction, from 1; 0 if it has none.
    pub(super) fn line(&self, pc: usize) -> u32 {
        self.code().get(pc).map_or(0, |instruction| instruction.span.line)
    }

    /// A line as text, `line 26`.
    pub(super) fn line_text(&self, line: u32) -> String {
        if line == 0 {
            "code without a source line".to_owned()
        } else {
            self.trace.program().line_text(line)
        }
    }

    /// Claims what is left of these cells of the instructions that satisfy a condition: cycles that they are charged for.
    pub(super) fn claim(
        &mut self,
        states: &[WarpState],
        is_charged: impl Fn(&Self, usize, WarpState) -> bool,
    ) -> Claimed {
        let mut claimed = Claimed::default();
        let mut cells = Vec::new();
        for pc in 0..self.left.len() {
            for state in states {
                let cycles = self.left[pc][*state as usize];
                if cycles > 0 && is_charged(self, pc, *state) {
                    claimed.add(self.line(pc), cycles);
                    cells.push((pc, *state as usize));
                }
            }
        }
        claimed.sort();
        for (pc, state) in cells {
            self.left[pc][state] = 0;
        }
        claimed
    }

    /// What is left of the cycles that an instruction is charged for.
    pub(super) fn left_of(&self, pc: usize) -> u64 {
        self.left.get(pc).map_or(0, |states| states[1..].iter().sum())
    }

    /// What is left of the cycles in a state that an instruction is charged for.
    pub(super) fn left_in(&self, pc: usize, state: WarpState) -> u64 {
        self.left.get(pc).map_or(0, |states| states[state as usize])
    }

    /// Whether these cycles times the share of a cause in them reach the least share of a finding.
    pub(super) fn is_much(&self, cycles: u64, share: f64) -> bool {
        cycles as f64 * share * 100.0 >= (self.warp_cycles * THRESHOLD_PERCENT) as f64
    }

    /// The pipe of an instruction.
    pub(super) fn pipe(&self, pc: usize) -> Option<PipeKind> {
        let class = self.code().get(pc)?.class();
        self.trace.arch().cost(class).map(|cost| cost.pipe)
    }

    /// The accesses of a family.
    pub(super) fn accesses(&self, family: AccessFamily) -> impl Iterator<Item = (u32, AccessRow)> + '_ {
        let rows = self.trace.accesses_of(family).iter();
        rows.filter_map(|idx| Some((*idx, self.trace.access(*idx)?)))
    }

    /// Whether global loads of an instruction go through L1.
    pub(super) fn loads_in_l1(&self, row: &AccessRow) -> bool {
        self.trace.loads_in_l1(Pc(row.pc.0), row.kind)
    }
}

/// Whether an instruction accesses a space, directly or through a generic address.
pub(super) const fn accesses(instruction: &Instruction, wanted: Space) -> bool {
    let space = match instruction.op {
        Op::Ldgsts { .. } => return matches!(wanted, Space::Global | Space::Shared),
        Op::Ld { space, .. } | Op::St { space, .. } | Op::Atom { space, .. } | Op::Red { space, .. } => space,
        Op::Tld { .. } | Op::Tex { .. } => Space::Global,
        _ => return false,
    };
    matches!(
        (space, wanted),
        (Space::Global | Space::Generic, Space::Global)
            | (Space::Shared | Space::Generic, Space::Shared)
            | (Space::Local | Space::Generic, Space::Local)
    )
}

/// Whether an instruction is an atomic or a reduction.
pub(super) const fn is_atomic(instruction: &Instruction) -> bool {
    matches!(instruction.op, Op::Atom { .. } | Op::Red { .. })
}
