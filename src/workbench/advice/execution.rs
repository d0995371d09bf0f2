//! Findings about barriers, pipes, branches, and lanes.

use std::collections::BTreeMap;

use super::claims::Claims;
use super::memory::{mean_text, time_share};
use super::{Finding, Rule, Verdict};
use crate::view::View;
use crate::words::{counted, percent, thousands};
use engine::arch::PipeKind;
use engine::ids::{Cycle, SlotIdx};
use engine::isa::Op;
use engine::sim::WarpState;
use engine::trace::Trace;

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
    let claimed = claims.claim(&[WarpState::Barrier], |_, _, _| true);
    if !claims.is_much(claimed.cycles, 1.0) {
        return Verdict::Checked(format!("Barriers: {} waits, few stalls", thousands(issued)));
    }
    let line = claimed.line();
    let late = late(claims.trace);
    let uneven = claimed.cycles as f64 * (1.0 - late.common);
    let after = match late.line {
        Some(late) => format!(", most of it for warps at {}", claims.line_text(late)),
        None => String::new(),
    };
    Verdict::Finding(Box::new(Finding {
        cycles: claimed.cycles,
        weight: claimed.cycles as f64,
        title: format!(
            "Warps stall at the barrier in {}: {} of the time",
            claims.line_text(line),
            time_share(claims, claimed.cycles)
        ),
        reason: format!(
            "A warp waits {} cycles on average for the other warps of its block{after}.",
            mean_text(claimed.cycles, issued)
        ),
        place: late.line,
        estimate: Some(without_waits(claims, uneven)),
        lines: claimed.lines,
        advice: "Give the warps of a block equal work before the barrier, or use smaller blocks.".to_owned(),
        view: View::Timeline,
        worst: worst_run(claims, WarpState::Barrier),
        ..Finding::new(Rule::Barrier)
    }))
}

/// The cycles of the run without these warp cycles of waiting, if all warps share the rest evenly; at least those that the
/// busiest unit of the schedulers takes.
fn without_waits(claims: &Claims, warp_cycles: f64) -> u64 {
    let rest = 1.0 - warp_cycles / claims.warp_cycles.max(1) as f64;
    let cycles = (claims.trace.num_cycles() as f64 * rest).round() as u64;
    cycles.max(least_cycles(claims))
}

/// The cycles in which the schedulers' issue slots and pipes can execute the instructions of the run.
fn least_cycles(claims: &Claims) -> u64 {
    let arch = claims.trace.arch();
    let mut pipes: BTreeMap<PipeKind, u64> = BTreeMap::new();
    for (instruction, tally) in claims.code().iter().zip(claims.trace.tallies()) {
        if let Some(cost) = arch.cost(instruction.class()) {
            let busy = tally.issued * u64::from(cost.occupancy_cycles.value).max(1);
            *pipes.entry(cost.pipe).or_default() += busy;
        }
    }
    let most = pipes.into_values().max().unwrap_or(0);
    let num = u64::from(arch.issue.schedulers.value).max(1);
    most.max(claims.trace.num_issues()).div_ceil(num)
}

/// Limit of stall runs that are examined for the warps that come late to a barrier. All slots are examined up to the same
/// cycle. Assumption: the beginning represents the run; more take longer than a frame of the page.
const MAX_RUNS_FOR_LATE: usize = 200_000;

/// What the waits at barriers are for.
#[derive(Clone, Copy, Default)]
struct Late {
    /// The line at which the other warps of a block spend most cycles while some of it wait.
    line: Option<u32>,
    /// The share of the waits that the last warp at each barrier has, too: no balance removes it. 0 to 1.
    common: f64,
}

/// What the waits at barriers are for.
fn late(trace: &Trace) -> Late {
    let per_block = trace.launch().threads_per_block().div_ceil(32).max(1);
    // Waits by block and end: the first start, the shortest wait, their number, and their sum.
    let mut waits: BTreeMap<(u64, u64), (u64, u64, u64, u64)> = BTreeMap::new();
    let slots = || 0..trace.num_slots() as u16;
    let most = MAX_RUNS_FOR_LATE / trace.num_slots().max(1);
    let ends = slots().filter_map(|slot| trace.runs_from(SlotIdx(slot), Cycle(0)).nth(most));
    let end = ends.map(|run| run.start).min().unwrap_or(Cycle(u64::MAX));
    let runs_of = |slot: u16| {
        let runs = trace.runs_from(SlotIdx(slot), Cycle(0));
        runs.take_while(move |run| run.start < end)
    };
    let block_at = |slot: u16, cycle: Cycle| {
        let (_, warp) = trace.tenancy(SlotIdx(slot), cycle)?;
        Some(u64::from(warp.0) / per_block)
    };
    for slot in slots() {
        for run in runs_of(slot).filter(|run| run.state == WarpState::Barrier) {
            let Some(block) = block_at(slot, run.start) else {
                continue;
            };
            let wait = waits
                .entry((block, run.end.0))
                .or_insert((run.start.0, u64::MAX, 0, 0));
            wait.0 = wait.0.min(run.start.0);
            wait.1 = wait.1.min(run.cycles());
            wait.2 += 1;
            wait.3 += run.cycles();
        }
    }
    let (mut least, mut all) = (0, 0);
    for (_, shortest, num, sum) in waits.values() {
        // A block whose last warp does not wait at all has no common wait.
        least += if *num < per_block { 0 } else { shortest * num };
        all += sum;
    }
    // What every warp of a block does while others of it wait.
    let mut by_block: BTreeMap<u64, Vec<(u64, u64)>> = BTreeMap::new();
    for ((block, end), (first, ..)) in waits {
        by_block.entry(block).or_default().push((first, end));
    }
    let mut lines: BTreeMap<u32, u64> = BTreeMap::new();
    let code = &trace.program().code;
    for slot in slots() {
        for run in runs_of(slot) {
            if matches!(
                run.state,
                WarpState::Barrier | WarpState::Empty | WarpState::Drain
            ) {
                continue;
            }
            let spans = block_at(slot, run.start).and_then(|block| by_block.get(&block));
            let Some(spans) = spans else { continue };
            let from = spans.partition_point(|(_, end)| *end <= run.start.0);
            let Some((first, end)) = spans.get(from) else {
                continue;
            };
            let cycles = run.end.0.min(*end).saturating_sub(run.start.0.max(*first));
            let line = code.get(run.pc.0 as usize).map_or(0, |next| next.span.line);
            if line > 0 && cycles > 0 {
                *lines.entry(line).or_default() += cycles;
            }
        }
    }
    let most = lines.into_iter().rev().max_by_key(|(_, cycles)| *cycles);
    Late {
        line: most.map(|(line, _)| line),
        common: least as f64 / all.max(1) as f64,
    }
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
    let claimed = claims.claim(&[WarpState::MathPipeThrottle], |claims, pc, _| {
        claims.pipe(pc) == Some(kind)
    });
    if !claims.is_much(claimed.cycles, 1.0) {
        return Verdict::Checked("Pipes: few stalls on a busy pipe".to_owned());
    }
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
    let claimed = claims.claim(&[WarpState::Selected], |_, _, _| true);
    Verdict::Finding(Box::new(Finding {
        cycles: claimed.cycles,
        weight: claimed.cycles as f64 * idle,
        title: match super::places::launch(claims) {
            Some(line) => format!(
                "Blocks of {} at {} leave lanes idle",
                counted(threads, "thread"),
                claims.line_text(line)
            ),
            None => format!("Blocks of {} leave lanes idle", counted(threads, "thread")),
        },
        place: super::places::launch(claims),
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
    let mut by_line: BTreeMap<u32, f64> = BTreeMap::new();
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
    let is_half_idle = |claims: &Claims, pc: usize| {
        wanted(claims, pc) > 0.0 && idle_of(claims, pc) >= 0.5 * wanted(claims, pc)
    };
    let charged: u64 = (0..claims.code().len())
        .filter(|pc| is_half_idle(claims, *pc))
        .map(|pc| claims.left_of(pc))
        .sum();
    if !claims.is_much(charged, share) {
        return Verdict::Checked(format!("Divergence: {text} of the lanes' issue slots are idle"));
    }
    // Half of the lanes idle at least.
    let claimed = claims.claim(&states, |claims, pc, _| is_half_idle(claims, pc));
    let most = by_line.iter().rev().max_by(|one, other| one.1.total_cmp(other.1));
    let line = most.map_or(0, |(line, _)| *line);
    let branch = branch_line(claims, |pc| idle_of(claims, pc));
    let line = branch.unwrap_or(line);
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
        place: Some(line),
        lines: claimed.lines,
        reason: format!("{branches} Estimated at most: {text} of the lanes' issue slots are idle."),
        advice: "Let whole warps take the same path: branch on the warp or on ranges of 32 threads."
            .to_owned(),
        view: View::Divergence,
        worst: first,
        ..Finding::new(Rule::Divergence)
    }))
}

/// The line of the divergent branch that the most idle lanes are behind; `None` if no branch diverges. A branch back is
/// charged for its loop, another one for what follows it, up to the next one.
fn branch_line(claims: &Claims, idle_of: impl Fn(usize) -> f64) -> Option<u32> {
    let code = claims.code();
    let diverges = |pc: usize| claims.trace.tallies()[pc].diverged > 0;
    let loops: Vec<(usize, usize)> = (0..code.len())
        .filter_map(|pc| match code[pc].op {
            Op::Bra { target } if (target.0 as usize) <= pc && diverges(pc) => Some((target.0 as usize, pc)),
            _ => None,
        })
        .collect();
    let mut sums: BTreeMap<u32, f64> = BTreeMap::new();
    let mut last = None;
    for (pc, instruction) in code.iter().enumerate() {
        let around = loops.iter().filter(|(head, back)| (*head..=*back).contains(&pc));
        let around = around.max_by_key(|(head, _)| *head);
        let by = match (around, last) {
            (Some((head, _)), Some(before)) if before >= *head => Some(before),
            (Some((_, back)), _) => Some(*back),
            (None, before) => before,
        };
        let lanes = idle_of(pc);
        if let Some(by) = by
            && lanes > 0.0
        {
            *sums.entry(claims.line(by)).or_default() += lanes;
        }
        let is_ahead = matches!(instruction.op, Op::Bra { target } if target.0 as usize > pc);
        if is_ahead && diverges(pc) {
            last = Some(pc);
        }
    }
    sums.into_iter()
        .filter(|(line, _)| *line > 0)
        .max_by(|one, other| one.1.total_cmp(&other.1))
        .map(|(line, _)| line)
}
