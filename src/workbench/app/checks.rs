//! The Checks view: the findings of compute-sanitizer's tools for the launch. The checks use a separate run in the
//! simulator, which is requested while the view is on the stage, and in the page after each run.

mod background;

use std::borrow::Cow;
use std::sync::Arc;

use super::jobs::{JobKind, Report};
use super::run::Derived;
use super::side_runs::{SideEngine, SideRuns, SideState};
use super::start::loaded;
use super::{Effect, Session};
use crate::check::{self, Finding, Role, Severity, Site, Tool};
use crate::scene::{capital, counted, thousands};
use crate::share::{FindingId, View};
use engine::arch::architecture;
use engine::files;
use engine::ids::{SlotIdx, Span};

pub use background::CheckAlert;

/// Cycles between two reads of the clock.
const STRIDE_CYCLES: u64 = 256;

/// A choice in the view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CheckChoice {
    /// Shows a place of a finding.
    Show(FindingId),
    /// Stops the checks.
    Stop,
    /// Repeats the checks.
    Again,
    /// Closes the alert of the shown run.
    Dismiss,
}

/// The requested checks, and the selected finding.
#[derive(Debug, Default)]
pub(super) struct Checks {
    pub(super) runs: SideRuns<CheckEngine>,
    pub(super) chosen: Option<FindingId>,
    /// Whether each run is checked after its end, whatever view is on the stage.
    in_background: bool,
    /// The run whose alert the reader closed.
    dismissed: Option<Arc<str>>,
}

/// Checks in progress, on any thread.
#[derive(Debug)]
pub struct CheckEngine {
    run: Option<check::Run>,
    cycles: u64,
    busy_ms: f64,
}

impl SideEngine for CheckEngine {
    type Record = check::Report;
    const KIND: JobKind = JobKind::Check;

    /// Compiles a link's kernel and loads its launch.
    fn start(link: &str) -> Result<Self, String> {
        let (scenario, program, launch) = loaded(link)?;
        let run = check::Run::new(architecture(scenario.arch), &program, &launch, scenario.machine);
        Ok(Self {
            run: Some(run.map_err(|error| error.to_string())?),
            cycles: 0,
            busy_ms: 0.0,
        })
    }

    fn work(&mut self, slice_ms: f64, now_ms: impl Fn() -> f64) -> (Report, Option<check::Report>) {
        let start = now_ms();
        let mut has_ended = self.run.is_none();
        while let Some(run) = self.run.as_mut().filter(|_| !has_ended) {
            has_ended = run.advance(STRIDE_CYCLES);
            self.cycles = run.num_cycles();
            if now_ms() - start >= slice_ms {
                break;
            }
        }
        let report = has_ended
            .then(|| self.run.take())
            .flatten()
            .map(check::Run::finish);
        self.busy_ms += now_ms() - start;
        let progress = Report {
            cycles: self.cycles,
            busy_ms: self.busy_ms,
            finished: has_ended,
            ..Report::default()
        };
        (progress, report)
    }
}

/// An excerpt of the source: a line split around a marked part.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Excerpt {
    /// The line's number in the whole source; 0 without a line.
    pub line: u32,
    /// The line's name.
    pub place: String,
    /// The text before the marked part.
    pub before: String,
    /// The marked part.
    pub marked: String,
    /// The text after the marked part.
    pub after: String,
}

/// A place of a finding: a thread at an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckSite {
    /// The ID that a click selects.
    pub id: FindingId,
    /// Whether the place is selected.
    pub is_chosen: bool,
    /// The thread's action: `Write access`.
    pub what: &'static str,
    /// `thread (232,0,0) in block (3,0,0)`.
    pub thread: String,
    /// `warp 31, lane 8`.
    pub lane: String,
    /// `cycle 1,234`.
    pub cycle: String,
    /// The element or address, `out[3]`; empty without a memory access.
    pub place: String,
    /// The source excerpt.
    pub excerpt: Excerpt,
}

/// A finding as a row of the view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckRow {
    /// What a click chooses: its first place.
    pub id: FindingId,
    /// Whether any place of the finding is selected.
    pub is_chosen: bool,
    /// The severity.
    pub severity: Severity,
    /// The message.
    pub message: String,
    /// The advice.
    pub advice: String,
    /// The places.
    pub sites: Vec<CheckSite>,
}

/// The findings of a tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckGroup {
    /// The tool.
    pub tool: Tool,
    /// The number of findings: `2 errors`.
    pub count: String,
    /// The findings.
    pub rows: Vec<CheckRow>,
}

/// What a tool reports, and what it does not report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scope {
    /// The tool.
    pub tool: Tool,
    /// What it reports.
    pub reports: &'static str,
    /// What it does not.
    pub omits: &'static str,
}

/// The scopes of the tools.
pub const SCOPES: [Scope; 5] = [
    Scope {
        tool: Tool::Memcheck,
        reports: "Out-of-bounds and misaligned accesses, null and host pointers, and stack overflow. The first error ends the run.",
        omits: "Memory leaks. Errors of CUDA API calls are notes of the launch.",
    },
    Scope {
        tool: Tool::Initcheck,
        reports: "Reads of uninitialized variables, shared memory, local memory, and buffers.",
        omits: "Values computed from uninitialized values.",
    },
    Scope {
        tool: Tool::Racecheck,
        reports: "Unordered accesses of two threads to the same byte, at least one of them a write.",
        omits: "Ordering by a flag with a fence, and atomic operations that race with plain accesses to global memory.",
    },
    Scope {
        tool: Tool::Synccheck,
        reports: "Barriers that only a part of a warp or block reaches, and member masks that omit the calling lane.",
        omits: "Member masks below compute capability 7.0, where the hardware ignores them.",
    },
    Scope {
        tool: Tool::Warpscope,
        reports: "Integer division by zero, missing return values, failed assertions, and endless loops.",
        omits: "Floating-point division by zero, which has a defined result.",
    },
];

/// The contents of the view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChecksShown {
    /// The checks are in progress.
    Runs,
    /// The checks were stopped or failed.
    Ended,
    /// The kernel does not run, or has not started.
    Nothing,
    /// The findings of each tool that reports any.
    Done {
        /// Groups, in the tools' order.
        groups: Vec<CheckGroup>,
        /// A sentence if some checks covered only a part of the run.
        limit: Option<&'static str>,
    },
}

/// The sentence for runs of one SM of the device.
const ONE_SM: &str = "Blocks wait for each other, and one SM alone does not hold them. The checks saw the blocks of SM 0 of the \
                      device, and no races between blocks.";

/// The sentence for long runs, whose statements were only partly checked.
const LIMIT: &str = "Division by zero, uninitialized variables, and accesses outside their array were checked only in \
                     the first part of this long run.";

impl Session {
    /// Requests checks of each run while the view is on the stage; otherwise those of the runs that have ended.
    pub(super) fn follow_checks(&mut self) {
        let links: Vec<Arc<str>> = if self.shows(View::Checks) {
            self.derived_all().filter_map(Derived::run_link).collect()
        } else {
            self.background_links()
        };
        self.checks.runs.request(&links);
    }

    fn checks_state(&self, side: usize) -> Option<&SideState<check::Report>> {
        self.checks
            .runs
            .state(self.sides[side].derived.run_link().as_deref())
    }

    /// The sentence above the view, for a side of the comparison or the only run.
    pub fn checks_sentence(&self, side: usize) -> String {
        let Some(state) = self.checks_state(side) else {
            return "Fix the kernel or the launch configuration to see its checks.".to_owned();
        };
        match state {
            SideState::Runs(0) => "Checking the run".to_owned(),
            SideState::Runs(cycle) => format!("Checking the run, cycle {}", thousands(*cycle)),
            SideState::Stopped(cycle) => format!("Checks stopped in cycle {}.", thousands(*cycle)),
            SideState::Lost(why) => format!("The checks failed. {why}."),
            SideState::Done(report) if self.sides[side].setup.machine.sm.is_some() => {
                format!("The whole launch, on one SM alone: {}", done_sentence(report))
            }
            SideState::Done(report) => done_sentence(report),
        }
    }

    /// The contents of the view, for a side of the comparison or the only run.
    pub fn checks(&self, side: usize) -> ChecksShown {
        let Some(state) = self.checks_state(side) else {
            return ChecksShown::Nothing;
        };
        let report = match state {
            SideState::Runs(_) => return ChecksShown::Runs,
            SideState::Stopped(_) | SideState::Lost(_) => return ChecksShown::Ended,
            SideState::Done(report) => report,
        };
        let program = self.sides[side].derived.program();
        let source = program.map_or("", |program| program.source.as_str());
        let findings = match self.unknown(side) {
            Some(unknown) => Cow::Owned(unknown.qualify(report.findings.clone())),
            None => Cow::Borrowed(&report.findings),
        };
        let ids = ids(&report.findings);
        let group = |tool: Tool| {
            let rows = findings.iter().zip(&ids);
            let rows: Vec<CheckRow> = rows
                .filter(|(finding, _)| finding.tool == tool)
                .map(|(finding, id)| row(finding, *id, self.checks.chosen, source))
                .collect();
            let count = count(rows.iter().map(|row| row.severity));
            (!rows.is_empty()).then_some(CheckGroup { tool, count, rows })
        };
        let is_cut = !report.coverage.is_whole && report.outcome == engine::sim::Outcome::Finished;
        ChecksShown::Done {
            groups: Tool::ALL.into_iter().filter_map(group).collect(),
            limit: if report.coverage.is_of_one_sm {
                Some(ONE_SM)
            } else {
                is_cut.then_some(LIMIT)
            },
        }
    }

    /// The findings of the active run, with their IDs in links.
    fn findings_in_links(&self) -> Vec<(FindingId, &Finding)> {
        match self.checks_state(self.active_side()) {
            Some(SideState::Done(report)) => {
                ids(&report.findings).into_iter().zip(&report.findings).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Shows the cycle, the warp, the lane, and the line of a place.
    fn show_finding(&mut self, id: FindingId) -> Vec<Effect> {
        let found = self.findings_in_links();
        let finding = found.iter().find(|(other, _)| other.is_same_finding(id));
        let Some(site) = finding.and_then(|(_, finding)| finding.sites.get(usize::from(id.site))) else {
            return Vec::new();
        };
        let (cycle, slot, lane, line) = (site.cycle.0, site.slot, site.lane, site.span.line);
        let place = format!(
            "{}, {}. ",
            capital(&files::line_text(&self.side().text, line)),
            site.thread_name()
        );
        // The checks run all blocks on one SM alone, so their cycles are those of this run.
        let effects = match self.setup().machine.sm {
            Some(_) => self.show_sm(None),
            None => Vec::new(),
        };
        self.checks.chosen = Some(id);
        self.seek(cycle);
        self.ui.state.slot = Some(SlotIdx(slot.0));
        self.ui.state.lane = Some(lane);
        self.ui.state.line = (line > 0).then_some(line);
        self.ui.state.pc = None;
        self.follow_cycle();
        let said = format!("{place}{}", self.sentence_of_picture());
        effects
            .into_iter()
            .chain([Effect::ReplaceLink, Effect::Announce(said)])
            .collect()
    }

    /// Selects the finding this many rows below the selected one.
    pub(super) fn choose_finding_beside(&mut self, step: i32) -> Vec<Effect> {
        let found = self.findings_in_links();
        let mut order: Vec<FindingId> = Vec::new();
        for tool in Tool::ALL {
            let rows = found.iter().filter(|(_, finding)| finding.tool == tool);
            order.extend(rows.map(|(id, _)| *id));
        }
        let Some(last) = order.len().checked_sub(1) else {
            return Vec::new();
        };
        let chosen = self.checks.chosen;
        let at = order
            .iter()
            .position(|id| chosen.is_some_and(|chosen| id.is_same_finding(chosen)));
        let next = at.map_or(0, |at| (at as i32 + step).clamp(0, last as i32) as usize);
        self.show_finding(order[next])
    }
}

/// Applies a choice.
pub(super) fn choose(session: &mut Session, choice: CheckChoice) -> Vec<Effect> {
    match choice {
        CheckChoice::Show(id) => session.show_finding(id),
        CheckChoice::Stop => {
            session.checks.runs.stop();
            Vec::new()
        }
        CheckChoice::Again => {
            session.checks.runs.request(&[]);
            session.follow_checks();
            Vec::new()
        }
        CheckChoice::Dismiss => {
            session.dismiss_alert();
            Vec::new()
        }
    }
}

/// The IDs of findings in links: kind, line, and index.
fn ids(findings: &[Finding]) -> Vec<FindingId> {
    let mut ids: Vec<FindingId> = Vec::new();
    for finding in findings {
        let line = finding.sites.first().map_or(0, |site| site.span.line);
        let same = |id: &&FindingId| (id.kind, id.line) == (finding.kind, line);
        let nth = ids.iter().filter(same).count() as u16;
        ids.push(FindingId {
            kind: finding.kind,
            line,
            nth,
            site: 0,
        });
    }
    ids
}

/// `2 errors, 1 warning`.
fn count(severities: impl Iterator<Item = Severity>) -> String {
    let (mut errors, mut warnings) = (0, 0);
    for severity in severities {
        match severity {
            Severity::Error => errors += 1,
            Severity::Warning => warnings += 1,
        }
    }
    match (errors, warnings) {
        (errors, 0) => counted(errors, "error"),
        (0, warnings) => counted(warnings, "warning"),
        (errors, warnings) => format!("{}, {}", counted(errors, "error"), counted(warnings, "warning")),
    }
}

fn done_sentence(report: &check::Report) -> String {
    let accesses = counted(report.coverage.num_accesses, "access");
    if report.findings.is_empty() {
        return match report.coverage.num_accesses {
            0 => "No errors found: the run accesses no memory.".to_owned(),
            _ => format!("No errors found in {accesses}."),
        };
    }
    let count = count(report.findings.iter().map(|finding| finding.severity));
    format!("{count} found in {accesses}.")
}

fn row(finding: &Finding, id: FindingId, chosen: Option<FindingId>, source: &str) -> CheckRow {
    let chosen = chosen.filter(|chosen| chosen.is_same_finding(id));
    let site = |(idx, site): (u8, &Site)| {
        let id = FindingId { site: idx, ..id };
        CheckSite {
            id,
            is_chosen: chosen == Some(id),
            what: match site.role {
                Role::Read => "Read access",
                Role::Write => "Write access",
                Role::Atomic => "Atomic access",
                Role::Barrier => "Barrier",
                Role::Execution => "Execution",
            },
            thread: site.thread_name(),
            lane: format!("warp {}, lane {}", site.warp.0, site.lane),
            cycle: format!("cycle {}", thousands(site.cycle.0)),
            place: site.place.as_ref().map_or_else(String::new, check::Place::name),
            excerpt: excerpt(source, site.span),
        }
    };
    CheckRow {
        id,
        is_chosen: chosen.is_some(),
        severity: finding.severity,
        message: finding.message.clone(),
        advice: finding.advice.clone(),
        sites: (0..).zip(&finding.sites).map(site).collect(),
    }
}

/// The first line of a span, with the span marked.
fn excerpt(source: &str, span: Span) -> Excerpt {
    let (start, end) = (span.start as usize, span.end as usize);
    let pieces = || {
        let first = source.get(..start)?.rfind('\n').map_or(0, |at| at + 1);
        let last = source
            .get(start..)?
            .find('\n')
            .map_or(source.len(), |at| start + at);
        let end = end.clamp(start, last);
        Some((
            source.get(first..start)?,
            source.get(start..end)?,
            source.get(end..last)?,
        ))
    };
    let (before, marked, after) = pieces().filter(|_| span.line > 0).unwrap_or_default();
    Excerpt {
        line: span.line,
        place: files::line_text(source, span.line),
        before: before.trim_start().to_owned(),
        marked: marked.to_owned(),
        after: after.trim_end().to_owned(),
    }
}

#[cfg(test)]
mod tests;
