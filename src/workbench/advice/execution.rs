//! Findings about barriers, pipes, branches, and lanes.

use super::claims::Claims;
use super::memory::{mean_text, time_share};
use super::{Finding, LineCost, Rule, Verdict};
use crate::scene::{counted, percent, thousands};
use crate::share::View;
use engine::arch::PipeKind;
use engine::ids::Cycle;
use engine::isa::Op;
use engine::sim::WarpState;

/// Block barriers.
pub(super) fn barrier(claims: &mut Claims) -> Verdict {
    let is_barrier = |op: &Op| matches!(op, Op::Bar { .. });
    let issued: u64 = (claims.code().iter().zip(claims.trace.tallies()))
        .filter(|(instruction, _)| is_barrier(&instruction.op))
        .map(|(_, tally)| tally.issued)
        .sum();
    if issued == 0 {
        return Verdict::Absent;
    }
    let claimed = claims.claim(&[WarpState::Barrier], 1.0, |claims, pc, _| {
        // A warp that arrived waits with the instruction after the barrier as the next one.
        let before = pc.checked_sub(1).filter(|before| {
            claims
                .code()
                .get(*before)
                .is_some_and(|instruction| is_barrier(&instruction.op))
                && !claims
                    .code()
                    .get(pc)
                    .is_some_and(|instruction| is_barrier(&instruction.op))
        });
        Some(claims.line(before.unwrap_or(pc)))
    });
    let Some(claimed) = claimed else {
        return Verdict::Checked(format!("Barriers: {} waits, few stalls", thousands(issued)));
    };
    let line = claimed.line();
    Verdict::Finding(Box::new(Finding {
        cycles: claimed.cycles,
        weight: claimed.cycles as f64,
        title: format!(
            "Warps stall at the barrier in {}: {} of the time",
            claims.line_text(line),
            time_share(claims, claimed.cycles)
        ),
        reason: format!(
            "A warp waits {} cycles on average for the other warps of its block.",
            mean_text(claimed.cycles, issued)
        ),
        lines: claimed.lines,
        advice: "Give the warps of a block equal work before the barrier, or use smaller blocks.".to_owned(),
        view: View::Timeline,
        worst: worst_run(claims, WarpState::Barrier),
        ..Finding::new(Rule::Barrier)
    }))
}

/// The cycle and slot of the longest stall for a reason among the first stalls of each slot.
pub(super) fn worst_run(claims: &Claims, state: WarpState) -> Option<(u64, u16)> {
    let slots = 0..claims.trace.num_slots() as u16;
    let runs = slots.flat_map(|slot| {
        claims
            .trace
            .runs_from(engine::ids::SlotIdx(slot), Cycle(0))
            .filter(|run| run.state == state)
            .map(move |run| (run.end.0 - run.start.0, run.start.0, slot))
    });
    runs.max_by_key(|(length, start, _)| (*length, std::cmp::Reverse(*start)))
        .map(|(length, start, slot)| (start + length / 2, slot))
}

/// A saturated pipe.
pub(super) fn pipe(claims: &mut Claims) -> Verdict {
    let kinds = [
        PipeKind::Xu,
        PipeKind::Fp64,
        PipeKind::Tensor,
        PipeKind::Fp32,
        PipeKind::Int32,
        PipeKind::Fp16,
        PipeKind::Lsu,
        PipeKind::Adu,
        PipeKind::Branch,
    ];
    let stalled = |claims: &Claims, kind: PipeKind| -> u64 {
        (0..claims.code().len())
            .filter(|pc| claims.pipe(*pc) == Some(kind))
            .map(|pc| claims.trace.tallies()[pc].states[WarpState::MathPipeThrottle as usize])
            .sum()
    };
    let Some(kind) = kinds.into_iter().max_by_key(|kind| stalled(claims, *kind)) else {
        return Verdict::Absent;
    };
    let claimed = claims.claim(&[WarpState::MathPipeThrottle], 1.0, |claims, pc, _| {
        (claims.pipe(pc) == Some(kind)).then(|| claims.line(pc))
    });
    let Some(claimed) = claimed else {
        return Verdict::Checked("Pipes: no stalls on a busy pipe".to_owned());
    };
    let issued: u64 = (0..claims.code().len())
        .filter(|pc| claims.pipe(*pc) == Some(kind))
        .map(|pc| claims.trace.tallies()[pc].issued)
        .sum();
    let line = claimed.line();
    let advice = match kind {
        PipeKind::Fp64 => "Use float where its precision is enough, or mix in instructions of other pipes.",
        PipeKind::Xu => "Use fewer divisions, square roots, and special functions, or -use_fast_math.",
        PipeKind::Lsu => "Keep values in registers, and use shuffles instead of shared memory.",
        _ => "Mix in instructions of other pipes, or compute less per element.",
    };
    Verdict::Finding(Box::new(Finding {
        cycles: claimed.cycles,
        weight: claimed.cycles as f64,
        title: format!(
            "The {} pipe is busy at {}: warps stall on it {} of the time",
            kind.text(),
            claims.line_text(line),
            time_share(claims, claimed.cycles)
        ),
        lines: claimed.lines,
        reason: format!(
            "{} of {} warp instructions go to the {} pipe.",
            thousands(issued),
            thousands(claims.trace.num_issues()),
            kind.text()
        ),
        advice: advice.to_owned(),
        worst: worst_run(claims, WarpState::MathPipeThrottle),
        pipe: Some(kind),
        ..Finding::new(Rule::Pipe)
    }))
}

/// Blocks that do not fill their last warp.
pub(super) fn partial_warps(claims: &mut Claims) -> Verdict {
    let threads = claims.trace.launch().threads_per_block();
    if threads.is_multiple_of(32) {
        return Verdict::Absent;
    }
    let slots = threads.div_ceil(32) * 32;
    let idle = 1.0 - threads as f64 / slots as f64;
    // Nothing is claimed but the issues themselves, which the full warps need, too.
    let issued = claims.totals[WarpState::Selected as usize];
    let Some(claimed) = claims.claim(&[WarpState::Selected], idle, |claims, pc, _| {
        Some(claims.line(pc))
    }) else {
        return Verdict::Checked(format!(
            "Block: {threads} threads leave {} lanes of the last warp idle",
            slots - threads
        ));
    };
    Verdict::Finding(Box::new(Finding {
        cycles: claimed.cycles,
        weight: claimed.cycles as f64 * idle,
        title: format!("Blocks of {} leave lanes idle", counted(threads, "thread")),
        lines: claimed.lines,
        reason: format!(
            "{} of each block's {slots} lanes hold no thread, in {} issue slots. Estimated at most: {} of the issue slots.",
            slots - threads,
            thousands(issued),
            percent((idle * 1000.0) as u64, 1000)
        ),
        advice: "Use a multiple of 32 threads per block.".to_owned(),
        view: View::Divergence,
        ..Finding::new(Rule::PartialWarps)
    }))
}

/// Divergent branches and predicates: lanes that idle while other lanes of their warp execute.
pub(super) fn divergence(claims: &mut Claims) -> Verdict {
    let diverged: u64 = claims.trace.tallies().iter().map(|tally| tally.diverged).sum();
    let full = claims.launched_lanes;
    let wanted = |claims: &Claims, pc: usize| full * claims.trace.tallies()[pc].issued as f64;
    let idle_of = |claims: &Claims, pc: usize| {
        let tally = &claims.trace.tallies()[pc];
        // The guard of a branch selects where its lanes go: lanes with a false guard are not idle.
        let busy = if claims.code()[pc].op.is_control() {
            tally.threads_active
        } else {
            tally.threads_executed
        };
        (wanted(claims, pc) - busy as f64).max(0.0)
    };
    let (mut idle, mut issued) = (0.0, 0.0);
    let mut by_line: std::collections::BTreeMap<u32, f64> = std::collections::BTreeMap::new();
    for pc in 0..claims.code().len() {
        let lanes = idle_of(claims, pc);
        if lanes > 0.0 {
            idle += lanes;
            issued += wanted(claims, pc);
            *by_line.entry(claims.line(pc)).or_default() += lanes;
        }
    }
    let whole = full * claims.trace.num_issues() as f64;
    let text = percent((idle / f64::max(whole, 1.0) * 1000.0) as u64, 1000);
    if idle == 0.0 {
        return Verdict::Checked("Divergence: all lanes are active in every instruction".to_owned());
    }
    let share = idle / f64::max(issued, 1.0);
    let states: Vec<WarpState> = WarpState::ALL[1..].to_vec();
    let claimed = claims.claim(&states, share, |claims, pc, _| {
        // Half of the lanes idle at least.
        (idle_of(claims, pc) >= 0.5 * wanted(claims, pc) && wanted(claims, pc) > 0.0).then(|| claims.line(pc))
    });
    let Some(claimed) = claimed else {
        return Verdict::Checked(format!("Divergence: {text} of the lanes' issue slots are idle"));
    };
    let most = by_line.iter().rev().max_by(|one, other| one.1.total_cmp(other.1));
    let line = most.map_or(0, |(line, _)| *line);
    let mut lines: Vec<LineCost> = claimed.lines;
    lines.sort_by_key(|cost| std::cmp::Reverse(by_line.get(&cost.line).copied().unwrap_or(0.0) as u64));
    let first = claims
        .trace
        .issues_from(Cycle(0))
        .find(|issue| issue.diverged || issue.executed.count() < issue.active.count())
        .map(|issue| (issue.cycle.0, issue.slot.0));
    let branches = match diverged {
        0 => "No branch diverges, but predicates switch lanes off.".to_owned(),
        1 => "1 branch diverges.".to_owned(),
        num => format!("{} branches diverge.", thousands(num)),
    };
    Verdict::Finding(Box::new(Finding {
        cycles: claimed.cycles,
        weight: claimed.cycles as f64 * share,
        title: format!(
            "Lanes idle at {}: {} of the warps' time is in code with idle lanes",
            claims.line_text(line),
            time_share(claims, claimed.cycles)
        ),
        lines,
        reason: format!("{branches} Estimated at most: {text} of the lanes' issue slots are idle."),
        advice: "Let whole warps take the same path: branch on the warp or on ranges of 32 threads."
            .to_owned(),
        view: View::Divergence,
        worst: first,
        ..Finding::new(Rule::Divergence)
    }))
}
