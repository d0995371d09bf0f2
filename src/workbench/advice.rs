//! What limits a run, and what would make it faster: the findings of the Findings view.
//!
//! A finding owns warp cycles of the run: cells of (instruction, state), where a stall is charged to the instruction that is
//! waited for ([`crate::blame`]). No two findings own the same cell, so that their sum never exceeds the run. Rules follow
//! the rule sections of Nsight Compute: Kernel Profiling Guide, "Sets and Sections".
//!
//! Once the changes are measured, the findings are in the order of their gains, and those that gain nothing are last, as
//! what was tried ([`Advice::settle`]).
//!
//! A change of the kernel, of the launch, or of an option is a setup of its own. Its gain is measured by running it: this
//! module only proposes it. A hypothetical machine ([`engine::sim::Without`]) measures a cause that no change removes.

mod changes;
mod claims;
mod execution;
mod limits;
mod measure;
mod memory;
mod padding;
mod places;
mod settle;
#[cfg(all(test, not(target_arch = "wasm32")))]
mod planted_tests;
#[cfg(test)]
mod tests;
mod unrolling;

pub use measure::{
    ChangeState, Gain, Means, Measured, MeasuredChange, best, gain, gain_text, is_gain, measured, times_text,
    verdict as verdict_text,
};
pub(crate) use padding::with_padding;

use self::claims::Claims;
use crate::setup::Setup;
use crate::view::View;
use engine::arch::PipeKind;
use engine::sim::Outcome;
use engine::trace::Trace;

/// The least share of the warp cycles that a finding must explain, in percent.
pub const THRESHOLD_PERCENT: u64 = 5;

/// The weight of a cause in the kernel, as a multiple of that of a latency, before their gains are measured. Assumption: what a
/// cause delays waits in other states, too, about twice as long as in its own.
const NAMED: f64 = 3.0;

/// What a finding is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rule {
    /// Register spills and local arrays.
    Local,
    /// Shared-memory bank conflicts.
    Conflicts,
    /// Atomics on the same words.
    Atomics,
    /// Uncoalesced global accesses.
    Coalescing,
    /// Constant loads with several addresses.
    Constants,
    /// Constants and parameters that miss in the constant cache.
    ConstantMisses,
    /// Lines that are fetched into L1 more than once.
    Thrash,
    /// Block barriers.
    Barrier,
    /// Divergent branches.
    Divergence,
    /// Blocks that do not fill their last warp.
    PartialWarps,
    /// A saturated pipe.
    Pipe,
    /// Too few resident warps.
    FewWarps,
    /// A launch that does not fill an SM.
    FewBlocks,
    /// Latency of global memory.
    MemoryLatency,
    /// Latency of shared memory, the XU, and other units of the SM.
    UnitLatency,
    /// Fixed latencies between dependent instructions.
    Dependency,
    /// Branch targets and instruction fetches.
    Branches,
}

impl Rule {
    /// The ID on the command line.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Local => "local-memory",
            Self::Conflicts => "bank-conflicts",
            Self::Atomics => "atomics",
            Self::Coalescing => "coalescing",
            Self::Constants => "constant-addresses",
            Self::ConstantMisses => "constant-misses",
            Self::Thrash => "l1-thrash",
            Self::Barrier => "barrier",
            Self::Divergence => "divergence",
            Self::PartialWarps => "partial-warps",
            Self::Pipe => "pipe",
            Self::FewWarps => "few-warps",
            Self::FewBlocks => "few-blocks",
            Self::MemoryLatency => "memory-latency",
            Self::UnitLatency => "unit-latency",
            Self::Dependency => "dependency",
            Self::Branches => "branches",
        }
    }

    /// Whether it is a latency that nothing hides: no cause by itself.
    const fn is_latency(self) -> bool {
        matches!(
            self,
            Self::MemoryLatency | Self::UnitLatency | Self::Dependency | Self::Branches
        )
    }

    /// Whether it is about the number of warps, and owns the latencies that they do not hide once a run shows so.
    const fn is_about_warps(self) -> bool {
        matches!(self, Self::FewWarps | Self::FewBlocks | Self::PartialWarps)
    }

    /// Whether the rule names a cause in the kernel or the launch, rather than a latency that is not hidden.
    pub const fn is_named(self) -> bool {
        !matches!(
            self,
            Self::MemoryLatency | Self::UnitLatency | Self::Dependency | Self::Branches | Self::Barrier
        )
    }

    /// The mark whose form and color the bar has.
    pub const fn mark(self) -> crate::mark::Mark {
        use crate::mark::Mark;
        match self {
            Self::Conflicts | Self::Pipe => Mark::Throttle,
            Self::Coalescing
            | Self::Local
            | Self::Thrash
            | Self::MemoryLatency
            | Self::FewWarps
            | Self::FewBlocks => Mark::Long,
            Self::Atomics | Self::Constants | Self::ConstantMisses | Self::UnitLatency => Mark::Short,
            Self::Barrier => Mark::Barrier,
            Self::Divergence | Self::PartialWarps | Self::Branches => Mark::Branch,
            Self::Dependency => Mark::Wait,
        }
    }
}

/// A change whose run shows what it gains.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// What to do, as an imperative sentence.
    pub text: String,
    /// The changed code or option, in a few characters.
    pub code: String,
    /// The setup with the change.
    pub setup: Setup,
    /// Whether only a hypothetical machine has the change.
    pub is_hypothetical: bool,
    /// Whether its gain is only a bound that no change of the kernel reaches: it is never the advised change.
    pub is_bound: bool,
    /// Whether its gain can come from a number of the model that is assumed: it is never the advised change.
    pub rests_on_assumption: bool,
}

impl Change {
    /// A change that a programmer can make to a setup.
    fn real(
        setup: &Setup,
        text: impl Into<String>,
        code: impl Into<String>,
        change: impl FnOnce(&mut Setup),
    ) -> Self {
        let mut changed = setup.clone();
        change(&mut changed);
        Self {
            text: text.into(),
            code: code.into(),
            setup: changed,
            is_hypothetical: false,
            is_bound: false,
            rests_on_assumption: false,
        }
    }
}

/// The cost of a source line in a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineCost {
    /// The line, from 1; 0 for instructions without a line.
    pub line: u32,
    /// Warp cycles of the finding at instructions of this line, or of the requests that it issues.
    pub cycles: u64,
}

/// One limit of the run.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// What it is about.
    pub rule: Rule,
    /// Warp cycles that it owns.
    pub cycles: u64,
    /// The order of the findings: the owned warp cycles times the share of the cause in them, 0 to 1.
    pub weight: f64,
    /// Its lines, the most expensive first.
    pub lines: Vec<LineCost>,
    /// One sentence without a full stop: what it costs, and where.
    pub title: String,
    /// Why, in one or two sentences.
    pub reason: String,
    /// What to do if no change is proposed or none helps.
    pub advice: String,
    /// The pipe that it is about.
    pub pipe: Option<PipeKind>,
    /// The line of the cause, where it is not the line that is charged the most.
    pub place: Option<u32>,
    /// The cycles of the run without the cause, by the counters, where no machine without it can run.
    pub estimate: Option<u64>,
    /// The changes to measure: real ones first.
    pub changes: Vec<Change>,
    /// The view that shows it.
    pub view: View,
    /// The request that shows it best.
    pub access: Option<u32>,
    /// The cycle and the warp slot that show it best.
    pub worst: Option<(u64, u16)>,
}

impl Finding {
    /// A finding of a rule, without its words and places.
    const fn new(rule: Rule) -> Self {
        Self {
            rule,
            cycles: 0,
            weight: 0.0,
            lines: Vec::new(),
            title: String::new(),
            reason: String::new(),
            advice: String::new(),
            pipe: None,
            place: None,
            estimate: None,
            changes: Vec::new(),
            view: View::Source,
            access: None,
            worst: None,
        }
    }

    /// The line of the cause: the place, or the line with the largest cost; `None` if it has no line.
    pub fn line(&self) -> Option<u32> {
        let charged = || self.lines.first().map(|cost| cost.line);
        self.place.or_else(charged).filter(|line| *line > 0)
    }
}

/// The findings of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Advice {
    /// Cycles of the run.
    pub cycles: u64,
    /// Warp cycles: resident warps summed over cycles.
    pub warp_cycles: u64,
    /// The findings: first those to show, the largest first, then those that were tried and gain nothing.
    pub findings: Vec<Finding>,
    /// The number of findings to show.
    pub shown: usize,
    /// What bounds the run, as a sentence.
    pub bound: String,
    /// What was checked without a finding, with its value.
    pub checked: Vec<String>,
}

/// The findings of a finished run of a setup; `None` if the run did not finish or no warp ran.
pub fn advice(trace: &Trace, setup: &Setup) -> Option<Advice> {
    if trace.outcome() != Some(&Outcome::Finished) {
        return None;
    }
    let mut claims = Claims::new(trace, setup);
    if claims.warp_cycles == 0 {
        return None;
    }
    let mut findings: Vec<Finding> = Vec::new();
    let mut checked = Vec::new();
    for rule in [
        memory::local,
        memory::conflicts,
        memory::atomics,
        memory::constants,
        memory::coalescing,
        memory::thrash,
        memory::constant_misses,
        execution::barrier,
        execution::pipe,
        execution::partial_warps,
        execution::divergence,
        limits::few_warps,
        limits::few_blocks,
        limits::memory_latency,
        limits::unit_latency,
        limits::dependency,
        limits::branches,
    ] {
        match rule(&mut claims) {
            Verdict::Finding(finding) => findings.push(*finding),
            Verdict::Checked(text) => checked.push(text),
            Verdict::Absent => {}
        }
    }
    let least = claims.warp_cycles as f64 * THRESHOLD_PERCENT as f64 / 100.0;
    // A cause below the threshold is worth a run: what it delays can wait elsewhere, for example at a barrier.
    findings.retain(|finding| finding.weight >= least || !finding.rule.is_latency());
    let rank = |finding: &Finding| finding.weight * if finding.rule.is_named() { NAMED } else { 1.0 };
    findings.sort_by(|a, b| {
        let is_small = |finding: &Finding| finding.weight < least;
        is_small(a).cmp(&is_small(b)).then(rank(b).total_cmp(&rank(a)))
    });
    Some(Advice {
        cycles: trace.num_cycles(),
        warp_cycles: claims.warp_cycles,
        shown: findings
            .iter()
            .take_while(|finding| finding.weight >= least)
            .count(),
        findings,
        bound: limits::bound(&claims),
        checked,
    })
}

impl Advice {
    /// The findings to show, without those that were tried and gain nothing.
    pub fn shown(&self) -> &[Finding] {
        &self.findings[..self.shown.min(self.findings.len())]
    }

    /// The findings that were tried and gain nothing.
    pub fn tried(&self) -> &[Finding] {
        &self.findings[self.shown.min(self.findings.len())..]
    }

    /// Adds the changes to measure to each finding. This replays a part of the run.
    pub fn propose(&mut self, trace: &Trace, setup: &Setup) {
        let claims = Claims::new(trace, setup);
        for finding in &mut self.findings {
            changes::add(finding, &claims);
        }
    }

    /// The changes of all findings, not run yet.
    pub fn runs(&self) -> Vec<MeasuredChange> {
        let all = self.findings.iter().enumerate();
        all.flat_map(|(finding, of)| {
            of.changes.iter().map(move |change| MeasuredChange {
                finding,
                change: change.clone(),
                state: ChangeState::Waits,
            })
        })
        .collect()
    }
}

/// The result of a rule.
enum Verdict {
    Finding(Box<Finding>),
    /// The rule applies, and its value is good.
    Checked(String),
    /// The kernel has nothing that the rule is about.
    Absent,
}
