//! Findings about latency that no other warp hides, and what bounds the run.

use super::claims::{Claims, accesses};
use super::memory::{mean_text, time_share};
use super::{Finding, Rule, Verdict};
use crate::scene::{percent, thousands};
use crate::share::View;
use engine::arch::Limiter;
use engine::ids::Cycle;
use engine::isa::{Op, Space};
use engine::sim::WarpState;

/// Whether the grid has too few blocks to fill the warp slots, although more blocks would fit.
pub(super) fn lacks_blocks(claims: &Claims) -> bool {
    let occupancy = claims.trace.occupancy();
    let grid: u64 = claims.trace.launch().grid.iter().map(|dim| u64::from(*dim)).product();
    grid < u64::from(occupancy.blocks_per_sm)
}

/// How many warps are resident, and what keeps more from it.
pub(super) fn residency(claims: &Claims) -> String {
    let occupancy = claims.trace.occupancy();
    let grid: u64 = claims.trace.launch().grid.iter().map(|dim| u64::from(*dim)).product();
    let max = u64::from(occupancy.max_warps_per_sm);
    let resident = u64::from(occupancy.blocks_per_sm).min(grid) * u64::from(occupancy.warps_per_block);
    let so = format!("{resident} of {max} warp slots are used");
    if lacks_blocks(claims) {
        return format!("{so}: the grid has no more blocks.");
    }
    if resident >= max {
        return format!("All {max} warp slots are used.");
    }
    let limiters: Vec<&str> = occupancy
        .limiters()
        .map(|limiter| match limiter {
            Limiter::Warps => "the warp slots",
            Limiter::Blocks => "the block slots",
            Limiter::Registers => "registers",
            Limiter::Shared => "shared memory",
        })
        .collect();
    format!("{so}: {} allow no more blocks.", limiters.join(" and "))
}

/// Share of the scheduler cycles without an issue, as text.
fn unused(claims: &Claims) -> String {
    percent(((1.0 - claims.issue_share) * 1000.0) as u64, 1000)
}

/// Latency of global memory.
pub(super) fn memory_latency(claims: &mut Claims) -> Verdict {
    let states = [WarpState::LongScoreboard, WarpState::LgThrottle, WarpState::TexThrottle];
    let share = 1.0 - claims.issue_share;
    let is_global =
        |instruction: &engine::isa::Instruction| accesses(instruction, Space::Global);
    let claimed = claims.claim(&states, share, |claims, pc, _| {
        Some(claims.producer(pc, is_global).map_or(claims.line(pc), |source| claims.line(source)))
    });
    let Some(claimed) = claimed else { return Verdict::Absent };
    let line = claimed.lines.first().map_or(0, |cost| cost.line);
    let full: u64 = claims.totals[WarpState::LgThrottle as usize];
    let queue = if full * 2 > claimed.cycles {
        " The LG queue is full most of this time."
    } else {
        ""
    };
    Verdict::Finding(Box::new(Finding {
        rule: Rule::MemoryLatency,
        cycles: claimed.cycles,
        weight: claimed.cycles as f64 * share,
        title: format!(
            "Warps stall on global memory at {}: {} of the time",
            claims.line_text(line),
            time_share(claims, claimed.cycles)
        ),
        lines: claimed.lines,
        reason: format!(
            "No warp is eligible in {} of the issue slots. {}{queue}",
            unused(claims),
            residency(claims)
        ),
        advice: advice_for_latency(claims).to_owned(),
        changes: Vec::new(),
        view: View::Timeline,
        access: None,
        worst: super::execution::worst_run(claims, WarpState::LongScoreboard),
    }))
}

/// What hides latency, by what keeps the SM from more warps.
fn advice_for_latency(claims: &Claims) -> &'static str {
    if lacks_blocks(claims) {
        "Launch more blocks, or let each thread issue several independent loads before it uses the first value."
    } else {
        "Let each thread issue several independent loads before it uses the first value."
    }
}

/// Latency of shared memory, the XU, and other units of the SM.
pub(super) fn unit_latency(claims: &mut Claims) -> Verdict {
    let states = [WarpState::ShortScoreboard, WarpState::MioThrottle];
    let share = 1.0 - claims.issue_share;
    let is_variable = |instruction: &engine::isa::Instruction| {
        accesses(instruction, Space::Shared)
            || matches!(
                instruction.op,
                Op::Mufu { .. } | Op::S2r { .. } | Op::Shfl { .. } | Op::Ldc { .. }
            )
    };
    let claimed = claims.claim(&states, share, |claims, pc, _| {
        Some(claims.producer(pc, is_variable).map_or(claims.line(pc), |source| claims.line(source)))
    });
    let Some(claimed) = claimed else { return Verdict::Absent };
    let line = claimed.lines.first().map_or(0, |cost| cost.line);
    Verdict::Finding(Box::new(Finding {
        rule: Rule::UnitLatency,
        cycles: claimed.cycles,
        weight: claimed.cycles as f64 * share,
        title: format!(
            "Warps stall on MIO results at {}: {} of the time",
            claims.line_text(line),
            time_share(claims, claimed.cycles)
        ),
        lines: claimed.lines,
        reason: format!(
            "Results of shared memory, shuffles, special registers, or the XU are in flight, and no warp is eligible in {} of the issue slots. {}",
            unused(claims),
            residency(claims)
        ),
        advice: "Load several values before the first use, or keep them in registers.".to_owned(),
        changes: Vec::new(),
        view: View::Timeline,
        access: None,
        worst: super::execution::worst_run(claims, WarpState::ShortScoreboard),
    }))
}

/// Fixed latencies between dependent instructions.
pub(super) fn dependency(claims: &mut Claims) -> Verdict {
    let share = 1.0 - claims.issue_share;
    let claimed = claims.claim(&[WarpState::Wait, WarpState::DispatchStall], share, |claims, pc, _| {
        Some(claims.line(pc))
    });
    let Some(claimed) = claimed else { return Verdict::Absent };
    let line = claimed.lines.first().map_or(0, |cost| cost.line);
    let active = claims
        .trace
        .active_between(Cycle(0), Cycle(claims.trace.num_cycles()));
    let schedulers = claims.trace.num_schedulers() as u64 * active;
    Verdict::Finding(Box::new(Finding {
        rule: Rule::Dependency,
        cycles: claimed.cycles,
        weight: claimed.cycles as f64 * share,
        title: format!(
            "Dependent instructions at {}: warps stall on fixed latencies {} of the time",
            claims.line_text(line),
            time_share(claims, claimed.cycles)
        ),
        lines: claimed.lines,
        reason: format!(
            "A scheduler has {} warps on average, too few to hide these latencies: {} of the issue slots are unused. {}",
            mean_text(claims.warp_cycles, schedulers),
            unused(claims),
            residency(claims)
        ),
        advice: "Give each thread several independent chains of instructions, or launch more warps.".to_owned(),
        changes: Vec::new(),
        view: View::Source,
        access: None,
        worst: super::execution::worst_run(claims, WarpState::Wait),
    }))
}

/// Branch targets and instruction fetches.
pub(super) fn branches(claims: &mut Claims) -> Verdict {
    let share = 1.0 - claims.issue_share;
    let states = [
        WarpState::BranchResolving,
        WarpState::NoInstruction,
        WarpState::Sleeping,
    ];
    let claimed = claims.claim(&states, share, |claims, pc, _| Some(claims.line(pc)));
    let Some(claimed) = claimed else { return Verdict::Absent };
    let line = claimed.lines.first().map_or(0, |cost| cost.line);
    Verdict::Finding(Box::new(Finding {
        rule: Rule::Branches,
        cycles: claimed.cycles,
        weight: claimed.cycles as f64 * share,
        title: format!(
            "Warps stall on branches at {}: {} of the time",
            claims.line_text(line),
            time_share(claims, claimed.cycles)
        ),
        lines: claimed.lines,
        reason: format!(
            "A warp cannot issue while its branch target is resolved or its next instruction is fetched. No warp is eligible in {} of the issue slots.",
            unused(claims)
        ),
        advice: "Unroll short loops, and replace short branches by predicates.".to_owned(),
        changes: Vec::new(),
        view: View::Source,
        access: None,
        worst: super::execution::worst_run(claims, WarpState::BranchResolving),
    }))
}

/// What bounds the run, as a sentence.
pub(super) fn bound(claims: &Claims) -> String {
    let busy = percent((claims.issue_share * 1000.0) as u64, 1000);
    if claims.issue_share >= 0.6 {
        return format!(
            "The issue slots bound the run: {busy} of them issue. Only fewer instructions make it faster."
        );
    }
    let cycles = claims.trace.num_cycles().max(1);
    let moved = claims.trace.flight().total.moved;
    let of_sm = claims.trace.arch().dram_bytes_per_cycle_and_sm();
    if of_sm > 0.0 && moved as f64 / cycles as f64 >= 0.6 * of_sm {
        return format!(
            "Device memory bounds the run: it moves {} bytes in {} cycles, {} of the SM's share.",
            thousands(moved),
            thousands(cycles),
            percent((moved as f64 / cycles as f64 / of_sm * 1000.0) as u64, 1000)
        );
    }
    format!(
        "Latency bounds the run: {busy} of the issue slots issue. {}",
        residency(claims)
    )
}
