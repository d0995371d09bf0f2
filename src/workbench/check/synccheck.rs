//! Synccheck: barriers in divergent code, and invalid member masks.
//!
//! Before 7.0 a warp arrives at a barrier as a whole: a barrier that only part of its lanes reaches is an error
//! immediately. From 7.0 on, threads arrive individually: it is an error if lanes or warps arrive at different
//! barriers of the source, or never. Member masks are checked from 7.0 on, because earlier hardware ignores
//! them.

use std::collections::BTreeMap;

use super::finding::{Finding, FindingKind, Role, Severity};
use super::names::Names;
use engine::ids::{BlockId, Cycle, LaneMask, Pc, SlotIdx, WarpId};
use engine::isa::Op;
use engine::isa::describe::Members;
use engine::sim::observer::Executor;

/// The synccheck tool.
#[derive(Clone, Debug)]
pub(super) struct Synccheck {
    is_independent: bool,
    /// The executors waiting at each barrier of each block.
    waiting: BTreeMap<(BlockId, u8), Vec<Executor>>,
    findings: BTreeMap<(FindingKind, u32, u32), Finding>,
}

impl Synccheck {
    pub(super) fn new(is_independent: bool) -> Self {
        Self {
            is_independent,
            waiting: BTreeMap::new(),
            findings: BTreeMap::new(),
        }
    }

    pub(super) fn arrive(&mut self, by: &Executor, barrier: u8, names: &Names) {
        let missing = by.live.0 & !by.lanes.0;
        if !self.is_independent && missing != 0 {
            let reason = format!(
                "{} of the warp reach the barrier without {}",
                lane_names(by.lanes),
                lane_names(LaneMask(missing))
            );
            self.report(FindingKind::DivergentWarp, by, None, &reason, names);
        }
        self.waiting.entry((by.block, barrier)).or_default().push(*by);
    }

    pub(super) fn release(&mut self, block: BlockId, barrier: u8, names: &Names) {
        let Some(arrivals) = self.waiting.remove(&(block, barrier)) else {
            return;
        };
        let Some(first) = arrivals.first() else { return };
        let place = |by: &Executor| {
            let span = names.span(by.pc);
            (span.start, span.end)
        };
        for by in &arrivals {
            // Copies of one source barrier, such as those of an unrolled loop, count as the same barrier.
            let of_warp = arrivals
                .iter()
                .find(|other| other.warp == by.warp)
                .unwrap_or(first);
            let (kind, other) = if place(of_warp) != place(by) {
                (FindingKind::DivergentWarp, of_warp)
            } else if place(first) != place(by) {
                (FindingKind::DivergentBlock, first)
            } else {
                continue;
            };
            let line = names.span(other.pc).line;
            let who = match kind {
                FindingKind::DivergentWarp => "other lanes of the warp",
                _ => "other warps of the block",
            };
            let reason = format!("{who} wait at {}", names.line_text(line));
            self.report(kind, by, Some(other), &reason, names);
        }
        // The hardware continues without threads that have exited; the programming guide does not allow this.
        let lanes = |by: &Executor| if self.is_independent { by.lanes } else { by.live };
        let arrived: u32 = arrivals.iter().map(|by| lanes(by).count()).sum();
        let threads = names.threads_per_block();
        let span = names.span(first.pc);
        let key = (FindingKind::DivergentBlock, span.start, span.end);
        let is_known = [FindingKind::DivergentWarp, FindingKind::DivergentBlock]
            .into_iter()
            .any(|kind| self.findings.contains_key(&(kind, span.start, span.end)));
        if arrived < threads && !is_known {
            let by = *first;
            let missing = threads - arrived;
            let have = if missing == 1 { "has" } else { "have" };
            let reason = format!(
                "{missing} of the block's {threads} threads {have} exited without reaching the barrier"
            );
            self.report(FindingKind::DivergentBlock, &by, None, &reason, names);
            if let Some(finding) = self.findings.get_mut(&key) {
                finding.severity = Severity::Warning;
                "Let all threads of the block reach the barrier: put the condition around the work, not around the \
                 barrier or before a return."
                    .clone_into(&mut finding.advice);
            }
        }
    }

    /// Checks the member masks of an instruction.
    pub(super) fn synchronize_lanes(&mut self, by: &Executor, members: &[u32; 32], names: &Names) {
        let outside = by
            .lanes
            .lanes()
            .filter(|lane| members[*lane as usize] >> lane & 1 == 0)
            .fold(0, |set, lane| set | 1 << lane);
        if outside != 0 {
            let lane = u32::trailing_zeros(outside);
            let by = Executor {
                lanes: LaneMask(outside),
                ..*by
            };
            let reason = format!(
                "the mask {:#010x} does not include lane {lane}, which executes the instruction",
                members[lane as usize]
            );
            self.report(FindingKind::InvalidMask, &by, None, &reason, names);
        }
    }

    /// Reports the waiting threads of a deadlock and where they wait.
    pub(super) fn deadlock(
        &mut self,
        waiting: &[(WarpId, Pc, LaneMask)],
        slots: &BTreeMap<WarpId, SlotIdx>,
        names: &Names,
    ) {
        for arrivals in std::mem::take(&mut self.waiting).into_values() {
            for by in &arrivals {
                let same = arrivals.iter().filter(|other| other.warp == by.warp);
                let arrived = same.fold(0, |set, other| set | other.lanes.0);
                let elsewhere = waiting
                    .iter()
                    .filter(|(warp, pc, _)| {
                        *warp == by.warp && !matches!(names.op(*pc), Some(Op::Bar { .. }))
                    })
                    .fold(0, |set, (_, _, lanes)| set | lanes.0)
                    & !arrived;
                if elsewhere == 0 {
                    let reason = "other threads of the block never reach the barrier";
                    self.report(FindingKind::DivergentBlock, by, None, reason, names);
                } else {
                    let reason = format!(
                        "{} of the warp never reach the barrier",
                        lane_names(LaneMask(elsewhere))
                    );
                    self.report(FindingKind::DivergentWarp, by, None, &reason, names);
                }
            }
        }
        for (warp, pc, lanes) in waiting {
            let is_masked = names
                .op(*pc)
                .is_some_and(|op| op.describe().members != Members::Active);
            if is_masked {
                let slot = slots.get(warp).copied().unwrap_or_default();
                let by = Executor {
                    lanes: *lanes,
                    ..names.executor(*warp, slot, *pc, Cycle::default())
                };
                let reason = format!(
                    "{} wait for lanes in their mask that never arrive",
                    lane_names(*lanes)
                );
                self.report(FindingKind::DivergentWarp, &by, None, &reason, names);
            }
        }
    }

    fn report(
        &mut self,
        kind: FindingKind,
        by: &Executor,
        other: Option<&Executor>,
        reason: &str,
        names: &Names,
    ) {
        let span = names.span(by.pc);
        let known = self.findings.get_mut(&(kind, span.start, span.end));
        if let Some(finding) = known {
            finding.count += 1;
            return;
        }
        let site = |by: &Executor| names.site(by, by.lanes.0.trailing_zeros().min(31), Role::Barrier);
        let (what, advice) = match kind {
            FindingKind::InvalidMask => (
                "Invalid arguments",
                "Set the bit of every lane that executes the instruction in its mask.",
            ),
            FindingKind::DivergentWarp => (
                "Divergent thread(s) in warp",
                "Move the barrier to where all lanes that it waits for execute it.",
            ),
            _ => (
                "Divergent thread(s) in block",
                "Move the barrier to where all threads of the block execute it.",
            ),
        };
        let here = site(by);
        let message = format!(
            "Barrier error detected. {what}: {reason} ({})",
            here.thread_name()
        );
        let mut finding = Finding::error(kind, message, advice, here);
        finding.sites.extend(other.map(site));
        self.findings.insert((kind, span.start, span.end), finding);
    }

    /// Returns the findings.
    pub(super) fn findings(self) -> impl Iterator<Item = Finding> {
        self.findings.into_values()
    }
}

/// Lanes as a phrase, such as `lanes 0 to 15` or `lanes 0, 2, 4, and 13 more`.
fn lane_names(mask: LaneMask) -> String {
    const MAX_NAMED: usize = 3;
    let lanes: Vec<u32> = mask.lanes().collect();
    let (Some(first), Some(last)) = (lanes.first(), lanes.last()) else {
        return "no lanes".to_owned();
    };
    if lanes.len() == 1 {
        return format!("lane {first}");
    }
    if last - first == lanes.len() as u32 - 1 {
        return format!("lanes {first} to {last}");
    }
    let named: Vec<String> = lanes.iter().take(MAX_NAMED).map(u32::to_string).collect();
    match lanes.len().saturating_sub(MAX_NAMED) {
        0 => format!("lanes {}", named.join(", ")),
        rest => format!("lanes {}, and {rest} more", named.join(", ")),
    }
}
