//! Findings about latency that no other warp hides, and what bounds the run.

use super::claims::{Claims, accesses};
use super::memory::{mean_text, time_share};
use super::{Finding, Rule, Verdict};
use crate::view::View;
use crate::words::percent;
use engine::arch::Limiter;
use engine::ids::Cycle;
use engine::isa::{Op, Space};
use engine::sim::WarpState;

/// Whether the grid has too few blocks to fill the warp slots, although more blocks would fit.
pub(super) fn lacks_blocks(claims: &Claims) -> bool {
    let occupancy = claims.trace.occupancy();
    let grid = claims.trace.launch().num_blocks();
    grid < u64::from(occupancy.blocks_per_sm)
}

/// How many warps are resident, and what keeps more from it.
pub(super) fn residency(claims: &Claims) -> String {
    let occupancy = claims.trace.occupancy();
    let grid = claims.trace.launch().num_blocks();
    let max = u64::from(occupancy.max_warps_per_sm);
    let resident = u64::from(occupancy.blocks_per_sm).min(grid) * u64::from(occupancy.warps_per_block);
    let so = format!("{resident} of {max} warp slots are used");
    if lacks_blocks(claims) {
        return format!("{so}: the grid has no more blocks.");
    }
    if resident >= max {
        return format!("All {max} warp slots are used.");
    }
    format!("{so}: {} no more blocks.", limiters_allow(claims))
}

/// `shared memory allows`, or `registers and the block slots allow`.
fn limiters_allow(claims: &Claims) -> String {
    let limiters: Vec<(&str, &str)> = claims
        .trace
        .occupancy()
        .limiters()
        .map(|limiter| match limiter {
            Limiter::Warps => ("the warp slots", "allow"),
            Limiter::Blocks => ("the block slots", "allow"),
            Limiter::Registers => ("registers", "allow"),
            Limiter::Shared => ("shared memory", "allows"),
        })
        .collect();
    let names: Vec<&str> = limiters.iter().map(|(name, _)| *name).collect();
    let verb = match limiters.as_slice() {
        [(_, verb)] => verb,
        _ => "allow",
    };
    format!("{} {verb}", names.join(" and "))
}

/// Too few resident warps, because a resource allows no more blocks.
pub(super) fn few_warps(claims: &mut Claims) -> Verdict {
    let occupancy = claims.trace.occupancy();
    let grid = claims.trace.launch().num_blocks();
    let is_limited = occupancy.blocks_per_sm < occupancy.limit_warps
        || occupancy.warps_per_sm() < occupancy.max_warps_per_sm;
    if !is_limited || grid <= u64::from(occupancy.blocks_per_sm) {
        return Verdict::Absent;
    }
    let by_shared = occupancy.limiters().any(|limiter| limiter == Limiter::Shared);
    let by_registers = occupancy.limiters().any(|limiter| limiter == Limiter::Registers);
    let place = if by_shared {
        super::places::largest_shared(claims).or_else(|| super::places::launch(claims))
    } else if by_registers {
        super::places::kernel(claims)
    } else {
        super::places::launch(claims)
    };
    let at = place.map_or_else(String::new, |line| format!(" ({})", claims.line_text(line)));
    let advice = if by_shared {
        "Use less shared memory per block, so that more blocks are resident."
    } else if by_registers {
        "Use fewer registers per thread, so that more blocks are resident."
    } else {
        "Use a block size that fills the warp slots, for example 256 threads."
    };
    let limit = residency(claims);
    Verdict::Finding(Box::new(Finding {
        title: format!("Too few resident warps: {}{at}", limit.trim_end_matches('.')),
        reason: format!(
            "No warp is eligible in {} of the issue slots: the resident warps do not hide the latencies.",
            unused(claims)
        ),
        place,
        advice: advice.to_owned(),
        view: View::Occupancy,
        ..Finding::new(Rule::FewWarps)
    }))
}

/// A grid that does not fill the SM.
pub(super) fn few_blocks(claims: &mut Claims) -> Verdict {
    let occupancy = claims.trace.occupancy();
    let resident = claims.trace.launch().num_blocks() * u64::from(occupancy.warps_per_block);
    if resident >= u64::from(occupancy.max_warps_per_sm) || !lacks_blocks(claims) {
        return Verdict::Absent;
    }
    let place = super::places::launch(claims);
    let at = place.map_or_else(String::new, |line| format!(" at {}", claims.line_text(line)));
    Verdict::Finding(Box::new(Finding {
        title: format!(
            "The launch{at} is too small: {}",
            residency(claims).trim_end_matches('.')
        ),
        reason: format!(
            "No warp is eligible in {} of the issue slots: the resident warps do not hide the latencies.",
            unused(claims)
        ),
        place,
        advice: "Launch more threads, each with less work.".to_owned(),
        view: View::Occupancy,
        ..Finding::new(Rule::FewBlocks)
    }))
}

/// Share of the scheduler cycles without an issue, as text.
fn unused(claims: &Claims) -> String {
    percent(((1.0 - claims.issue_share) * 1000.0) as u64, 1000)
}

/// The bytes per cycle that device memory moves, and the most that it can move to one SM of this model: the chip's
/// bandwidth or the SM's port, whichever is less.
fn bandwidth(claims: &Claims) -> (f64, f64) {
    let arch = claims.trace.arch();
    let device = &arch.memory.device;
    let chip = arch.dram_bytes_per_cycle() * f64::from(device.efficiency.value);
    let most = chip.min(device.sm_port_bytes_per_cycle.value.into());
    let moved = claims.trace.flight().total.moved as f64;
    (moved / claims.trace.num_cycles().max(1) as f64, most)
}

/// Whether device memory is near its bandwidth.
fn is_bandwidth_bound(claims: &Claims) -> bool {
    let (moved, most) = bandwidth(claims);
    moved >= 0.6 * most
}

/// `12.3 of 32 bytes per cycle`.
fn bandwidth_text(claims: &Claims) -> String {
    let (moved, most) = bandwidth(claims);
    format!("{moved:.1} of at most {most:.1} bytes per cycle")
}

/// Latency of global memory.
pub(super) fn memory_latency(claims: &mut Claims) -> Verdict {
    let states = [
        WarpState::LongScoreboard,
        WarpState::LgThrottle,
        WarpState::TexThrottle,
    ];
    let share = 1.0 - claims.issue_share;
    let claimed = claims.claim(&states, |_, _, _| true);
    if claimed.cycles == 0 {
        return Verdict::Absent;
    }
    let line = claimed.line();
    let full: u64 = claims.totals[WarpState::LgThrottle as usize];
    let queue = if full * 2 > claimed.cycles {
        " The LG queue is full most of this time."
    } else {
        ""
    };
    Verdict::Finding(Box::new(Finding {
        cycles: claimed.cycles,
        weight: claimed.cycles as f64 * share,
        title: format!(
            "Warps stall on global memory at {}: {} of the time",
            claims.line_text(line),
            time_share(claims, claimed.cycles)
        ),
        lines: claimed.lines,
        reason: if is_bandwidth_bound(claims) {
            format!(
                "Device memory moves {}: more warps or loads in flight do not help.",
                bandwidth_text(claims)
            )
        } else {
            format!(
                "No warp is eligible in {} of the issue slots. {}{queue}",
                unused(claims),
                residency(claims)
            )
        },
        advice: advice_for_latency(claims).to_owned(),
        view: View::Timeline,
        worst: super::execution::worst_run(claims, WarpState::LongScoreboard),
        ..Finding::new(Rule::MemoryLatency)
    }))
}

/// What hides latency, by what keeps the SM from more warps.
fn advice_for_latency(claims: &Claims) -> &'static str {
    if is_bandwidth_bound(claims) {
        "Move fewer bytes: reuse values in registers, shared memory, or caches, or use smaller types."
    } else if lacks_blocks(claims) {
        "Launch more blocks, or let each thread issue several independent loads before it uses the first value."
    } else {
        "Let each thread issue several independent loads before it uses the first value."
    }
}

/// A unit of the SM whose results have a variable latency.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Unit {
    Shared,
    Shuffle,
    Xu,
    Special,
    Constant,
    Other,
}

impl Unit {
    const ALL: [Self; 6] = [
        Self::Shared,
        Self::Shuffle,
        Self::Xu,
        Self::Special,
        Self::Constant,
        Self::Other,
    ];

    fn of(instruction: &engine::isa::Instruction) -> Option<Self> {
        Some(match instruction.op {
            _ if accesses(instruction, Space::Shared) => Self::Shared,
            Op::Shfl { .. } => Self::Shuffle,
            Op::Mufu { .. } => Self::Xu,
            Op::S2r { .. } => Self::Special,
            Op::Ldc { .. } => Self::Constant,
            _ => return None,
        })
    }

    const fn results(self) -> &'static str {
        match self {
            Self::Shared => "shared-memory loads",
            Self::Shuffle => "shuffles",
            Self::Xu => "the XU",
            Self::Special => "S2R, which reads special registers such as threadIdx",
            Self::Constant => "indexed constant loads",
            Self::Other => "MIO instructions",
        }
    }

    const fn advice(self) -> &'static str {
        match self {
            Self::Shared => "Load several values before the first use, or keep them in registers.",
            Self::Shuffle => "Let each thread shuffle several independent values.",
            Self::Xu => "Let each thread compute several independent values.",
            Self::Special => {
                "Give each thread more work: a warp reads its special registers only at the start."
            }
            Self::Constant => "Load several constants before the first use.",
            Self::Other => "Issue several of these instructions before the first use of a result.",
        }
    }
}

/// Latency of shared memory, the XU, and other units of the SM.
pub(super) fn unit_latency(claims: &mut Claims) -> Verdict {
    let states = [WarpState::ShortScoreboard, WarpState::MioThrottle];
    let share = 1.0 - claims.issue_share;
    let cells = std::cell::RefCell::new([0_u64; Unit::ALL.len()]);
    let claimed = claims.claim(&states, |claims, pc, state| {
        let unit = claims.code().get(pc).and_then(Unit::of).unwrap_or(Unit::Other);
        cells.borrow_mut()[unit as usize] += claims.left_in(pc, state);
        true
    });
    if claimed.cycles == 0 {
        return Verdict::Absent;
    }
    let cells = cells.into_inner();
    let unit = Unit::ALL
        .into_iter()
        .rev()
        .max_by_key(|unit| cells[*unit as usize]);
    let unit = unit.unwrap_or(Unit::Other);
    let line = claimed.line();
    Verdict::Finding(Box::new(Finding {
        cycles: claimed.cycles,
        weight: claimed.cycles as f64 * share,
        title: format!(
            "Warps stall on MIO results at {}: {} of the time",
            claims.line_text(line),
            time_share(claims, claimed.cycles)
        ),
        lines: claimed.lines,
        reason: format!(
            "Most of it waits for results of {}. No warp is eligible in {} of the issue slots. {}",
            unit.results(),
            unused(claims),
            residency(claims)
        ),
        advice: unit.advice().to_owned(),
        view: View::Timeline,
        worst: super::execution::worst_run(claims, WarpState::ShortScoreboard),
        ..Finding::new(Rule::UnitLatency)
    }))
}

/// Fixed latencies between dependent instructions.
pub(super) fn dependency(claims: &mut Claims) -> Verdict {
    let share = 1.0 - claims.issue_share;
    let claimed = claims.claim(&[WarpState::Wait, WarpState::DispatchStall], |_, _, _| true);
    if claimed.cycles == 0 {
        return Verdict::Absent;
    }
    let line = claimed.line();
    let active = claims
        .trace
        .active_between(Cycle(0), Cycle(claims.trace.num_cycles()));
    let schedulers = claims.trace.num_schedulers() as u64 * active;
    Verdict::Finding(Box::new(Finding {
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
        advice: "Give each thread several independent chains of instructions, or launch more warps."
            .to_owned(),
        worst: super::execution::worst_run(claims, WarpState::Wait),
        ..Finding::new(Rule::Dependency)
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
    let claimed = claims.claim(&states, |_, _, _| true);
    if claimed.cycles == 0 {
        return Verdict::Absent;
    }
    let line = claimed.line();
    Verdict::Finding(Box::new(Finding {
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
        worst: super::execution::worst_run(claims, WarpState::BranchResolving),
        ..Finding::new(Rule::Branches)
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
    if is_bandwidth_bound(claims) {
        return format!(
            "Bandwidth bounds the run: device memory moves {}.",
            bandwidth_text(claims)
        );
    }
    format!(
        "Latency bounds the run: {busy} of the issue slots issue. {}",
        residency(claims)
    )
}
