//! One sentence on the largest difference between the compared runs, and its cause, computed from their counters.

use super::table::{counter_rows, number};
use super::{ComparedSide, Comparison};
use crate::words::thousands;
use engine::arch::architecture;
use engine::sim::WarpState;
use engine::trace::stall_metric;

/// Runs whose lengths differ by less than this factor count as equal.
const EQUAL: f64 = 1.05;
/// Share of the issue slots from which on schedulers limit a run.
const BUSY: f64 = 0.6;
/// Minimum factor of a counter that a cause names.
const NOTABLE: f64 = 1.25;

/// The slowest run beside the fastest one. The factors multiply to the ratio of their lengths.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Factors {
    /// Index of the slowest and of the fastest side.
    pub(super) slow: usize,
    pub(super) fast: usize,
    /// Time or cycles of the slowest over those of the fastest.
    pub(super) ratio: f64,
    /// Warp instructions of the slowest over those of the fastest.
    pub(super) instructions: f64,
    /// Instructions per cycle of the fastest over those of the slowest.
    pub(super) rate: f64,
    /// Clock rate of the fastest over that of the slowest; 1 if cycles are compared.
    pub(super) clock: f64,
}

fn counter(side: &ComparedSide, name: &str) -> Option<f64> {
    let found = side.counters.iter().find(|counter| counter.name == name);
    found.map(|counter| counter.value)
}

fn cycles(side: &ComparedSide) -> Option<f64> {
    counter(side, "sm__cycles_active.max").filter(|cycles| *cycles > 0.0)
}

fn instructions(side: &ComparedSide) -> Option<f64> {
    counter(side, "smsp__inst_executed.sum").filter(|issued| *issued > 0.0)
}

fn micros(side: &ComparedSide) -> Option<f64> {
    counter(side, "warpscope__time.us").filter(|time| *time > 0.0)
}

/// The factors, unless the runs take equally long or fewer than two were counted as a whole.
pub(super) fn factors(comparison: &Comparison) -> Option<Factors> {
    if !comparison.is_whole {
        return None;
    }
    let length = |side: &ComparedSide| {
        if comparison.is_timed {
            micros(side)
        } else {
            cycles(side)
        }
    };
    let lengths = comparison
        .sides
        .iter()
        .enumerate()
        .filter_map(|(idx, side)| Some((idx, length(side)?)));
    let fast = lengths.clone().min_by(|a, b| a.1.total_cmp(&b.1))?;
    let slow = lengths.max_by(|a, b| a.1.total_cmp(&b.1))?;
    let ratio = slow.1 / fast.1;
    if ratio < EQUAL {
        return None;
    }
    let (of_slow, of_fast) = (&comparison.sides[slow.0], &comparison.sides[fast.0]);
    let issued = (instructions(of_slow)?, instructions(of_fast)?);
    let cycles_ratio = cycles(of_slow)? / cycles(of_fast)?;
    Some(Factors {
        slow: slow.0,
        fast: fast.0,
        ratio,
        instructions: issued.0 / issued.1,
        rate: (issued.1 / cycles(of_fast)?) / (issued.0 / cycles(of_slow)?),
        clock: ratio / cycles_ratio,
    })
}

/// The sentence; empty if there is nothing to compare yet.
pub(super) fn sentence(comparison: &Comparison) -> String {
    match factors(comparison) {
        Some(factors) => {
            let name = |idx: usize| name_of(comparison, idx);
            let length = if comparison.is_timed {
                "as long"
            } else {
                "as many cycles"
            };
            format!(
                "{} takes {:.2} times {length} as {}: {}.",
                name(factors.slow),
                factors.ratio,
                name(factors.fast),
                cause(comparison, &factors)
            )
        }
        None => largest_counter(comparison),
    }
}

/// The name of a side, with its architecture.
fn name_of(comparison: &Comparison, idx: usize) -> String {
    let side = &comparison.sides[idx];
    match side.arch.map(|arch| architecture(arch).name) {
        Some(arch) if arch != side.name => format!("{arch} ({})", side.name),
        _ => side.name.clone(),
    }
}

/// The largest factor, in words.
fn cause(comparison: &Comparison, factors: &Factors) -> String {
    let (slow, fast) = (&comparison.sides[factors.slow], &comparison.sides[factors.fast]);
    let largest = factors.instructions.max(factors.rate).max(factors.clock);
    if largest == factors.instructions {
        let issued = instructions(slow).unwrap_or_default();
        return format!(
            "it executes {:.2} times as many warp instructions ({})",
            factors.instructions,
            thousands(issued as u64)
        );
    }
    if largest == factors.clock {
        return format!("its SM clock is slower by a factor of {:.2}", factors.clock);
    }
    let rate = |side: &ComparedSide| Some(instructions(side)? / cycles(side)?);
    let (own, other) = (rate(slow).unwrap_or_default(), rate(fast).unwrap_or_default());
    // Schedulers limit a run that uses most of their issue slots.
    if own / slow.issue_slots >= BUSY && fast.issue_slots > slow.issue_slots {
        return format!(
            "it executes {own:.2} instructions per cycle instead of {other:.2}, of at most {} that its schedulers issue",
            number(slow.issue_slots)
        );
    }
    let stall = largest_stall(slow, fast);
    format!("it executes {own:.2} instructions per cycle instead of {other:.2}{stall}")
}

/// The stall that grows most from the fast to the slow run, in warp cycles per issue, and the memory counter
/// behind it.
fn largest_stall(slow: &ComparedSide, fast: &ComparedSide) -> String {
    let cycles = |side: &ComparedSide, state: WarpState| counter(side, &stall_metric(state)).unwrap_or(0.0);
    let more = |state: &WarpState| cycles(slow, *state) - cycles(fast, *state);
    let stalls = WarpState::ALL.into_iter().filter(|state| {
        !matches!(
            state,
            WarpState::Empty | WarpState::Selected | WarpState::NotSelected
        )
    });
    let Some(state) = stalls
        .max_by(|a, b| more(a).total_cmp(&more(b)))
        .filter(|state| more(state) > 0.0)
    else {
        return String::new();
    };
    let behind = match state {
        WarpState::LongScoreboard | WarpState::LgThrottle | WarpState::Drain => Some((
            [
                "warpscope__transaction_bytes_mem_global_op_ld.sum",
                "warpscope__transaction_bytes_mem_global_op_st.sum",
            ],
            ("it moves", "bytes"),
        )),
        WarpState::ShortScoreboard | WarpState::MioThrottle => Some((
            [
                "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
                "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
            ],
            ("shared memory takes", "wavefronts"),
        )),
        _ => None,
    };
    let behind = behind.and_then(|(counters, (lead, what))| {
        let times = ratio(slow, fast, &counters)?;
        Some(format!("; {lead} {times:.2} times as many {what}"))
    });
    format!(
        ", and its warps stall {} cycles per issue on {} instead of {}{}",
        number(cycles(slow, state)),
        state.name(),
        number(cycles(fast, state)),
        behind.unwrap_or_default()
    )
}

/// The ratio of the sums of some counters, if it is notable.
fn ratio(slow: &ComparedSide, fast: &ComparedSide, names: &[&str]) -> Option<f64> {
    let sum = |side: &ComparedSide| -> f64 { names.iter().filter_map(|name| counter(side, name)).sum() };
    let (slow, fast) = (sum(slow), sum(fast));
    (fast > 0.0 && slow / fast >= NOTABLE).then_some(slow / fast)
}

/// The counter that differs most, where no difference in time explains the runs.
fn largest_counter(comparison: &Comparison) -> String {
    let rows = counter_rows(comparison);
    // In reverse, so that the first of equal ones is found.
    let finite = rows.iter().rev().filter(|row| row.spread() < f64::MAX);
    let Some(row) = finite.max_by(|a, b| a.spread().total_cmp(&b.spread())) else {
        return String::new();
    };
    let values = || {
        let values = row.values.iter().enumerate();
        values.filter_map(|(idx, value)| Some((idx, (*value).ok()?)))
    };
    let most = values().max_by(|a, b| a.1.total_cmp(&b.1));
    let least = values().min_by(|a, b| a.1.total_cmp(&b.1));
    match (most, least) {
        (Some(most), Some(least)) if most.1 > least.1 => format!(
            "{} differ most: {} on {}, {} on {}.",
            row.title(),
            number(most.1),
            name_of(comparison, most.0),
            number(least.1),
            name_of(comparison, least.0)
        ),
        _ => "All counters are equal.".to_owned(),
    }
}
