//! Findings about memory accesses.

use std::collections::BTreeMap;

use super::claims::{Claims, accesses, is_atomic};
use super::{Finding, Rule, Verdict};
use crate::view::View;
use crate::words::{counted, percent, thousands};
use engine::access::constant_requests;
use engine::arch::{CoalescingRule, PipeKind};
use engine::ids::LaneMask;
use engine::isa::{Op, Space};
use engine::sim::{MemoryLevel, RequestKind, WarpState};
use engine::trace::{AccessFamily, AccessRow};

/// The least share of a cause in the requests of a kind, 0 to 1.
const MIN_SHARE: f64 = 0.2;

/// Sums over the requests of one line.
#[derive(Clone, Copy, Default)]
struct LineSum {
    /// Requests beyond what they need.
    bad: u64,
    requests: u64,
    /// What the bad requests need, in sectors or wavefronts.
    ideal: u64,
    /// What the bad requests take.
    taken: u64,
    width_bits: u16,
    is_load: bool,
}

/// Requests of a kind, summed by line, and the worst request.
#[derive(Default)]
struct Sums {
    lines: BTreeMap<u32, LineSum>,
    ideal: u64,
    taken: u64,
    worst: Option<(u64, u32, AccessRow)>,
}

impl Sums {
    fn add(&mut self, line: u32, idx: u32, row: AccessRow, ideal: u64, taken: u64) {
        let sum = self.lines.entry(line).or_default();
        sum.requests += 1;
        self.ideal += ideal.min(taken);
        self.taken += taken;
        if taken <= ideal {
            return;
        }
        sum.bad += 1;
        sum.ideal += ideal;
        sum.taken += taken;
        sum.width_bits = row.width_bits;
        sum.is_load = matches!(
            row.kind,
            RequestKind::SharedLoad | RequestKind::GlobalLoad | RequestKind::CopyLoad
        );
        let excess = taken - ideal;
        if self.worst.is_none_or(|(most, ..)| excess > most) {
            self.worst = Some((excess, idx, row));
        }
    }

    /// The share beyond what the requests need, 0 to 1.
    fn share(&self) -> f64 {
        (self.taken - self.ideal) as f64 / self.taken.max(1) as f64
    }

    /// The share beyond what they need in the requests of the lines that need less, 0 to 1.
    fn bad_share(&self) -> f64 {
        let bad = self.lines.values().filter(|sum| sum.bad > 0);
        let (taken, ideal) = bad.fold((0, 0), |(taken, ideal), sum| {
            (taken + sum.taken, ideal + sum.ideal)
        });
        (taken - ideal) as f64 / taken.max(1) as f64
    }

    /// The line with the largest excess.
    fn worst_line(&self) -> Option<(u32, LineSum)> {
        let excess = |sum: &LineSum| sum.taken - sum.ideal;
        let worst = self.lines.iter().rev().max_by_key(|(_, sum)| excess(sum));
        worst
            .map(|(line, sum)| (*line, *sum))
            .filter(|(_, sum)| sum.bad > 0)
    }

    fn is_bad(&self, line: u32) -> bool {
        self.lines.get(&line).is_some_and(|sum| sum.bad > 0)
    }
}

/// The share of the warps' time, `41 %`.
pub(super) fn time_share(claims: &Claims, cycles: u64) -> String {
    percent(cycles, claims.warp_cycles)
}

/// What widths of a request say about the advice: wide requests are never advised to be wider.
fn width_note(bits: u16) -> String {
    match bits {
        0..=32 => String::new(),
        bits => format!(" Each lane already accesses {bits} bits."),
    }
}

/// Register spills and local arrays.
pub(super) fn local(claims: &mut Claims) -> Verdict {
    let program = claims.trace.program().clone();
    let is_local = |claims: &Claims, pc: usize| {
        claims.code().get(pc).is_some_and(|instruction| {
            matches!(
                instruction.op,
                Op::Ld {
                    space: Space::Local,
                    ..
                } | Op::St {
                    space: Space::Local,
                    ..
                }
            )
        })
    };
    if program.local_bytes_per_thread == 0 {
        return Verdict::Checked("Local memory: none, no spills".to_owned());
    }
    let states = [
        WarpState::LongScoreboard,
        WarpState::LgThrottle,
        WarpState::MioThrottle,
        WarpState::ShortScoreboard,
        WarpState::MathPipeThrottle,
    ];
    let claimed = claims.claim(&states, |claims, pc, _| is_local(claims, pc));
    if claimed.cycles == 0 {
        return Verdict::Checked(format!(
            "Local memory: {} bytes per thread, no stalls",
            thousands(program.local_bytes_per_thread.into())
        ));
    }
    let (stores, loads) = program.spill_bytes;
    let spills = stores + loads > 0;
    let reason = if spills {
        format!(
            "The compiler spills registers: {} bytes of stores and {} bytes of loads in the code. Each thread has {} registers.",
            thousands(stores.into()),
            thousands(loads.into()),
            program.registers_per_thread
        )
    } else {
        format!(
            "An array of {} bytes per thread is in local memory, because its index is not a constant.",
            thousands(program.local_bytes_per_thread.into())
        )
    };
    let (what, advice) = if spills {
        (
            "Register spills",
            "Raise the register limit, or keep fewer values alive at a time.",
        )
    } else {
        (
            "Local memory",
            "Index the array with constants: unroll the loop completely, or choose the element by comparisons.",
        )
    };
    let bounds = spills.then(|| super::places::launch_bounds(claims)).flatten();
    Verdict::Finding(Box::new(Finding {
        cycles: claimed.cycles,
        weight: claimed.cycles as f64,
        title: match bounds {
            Some(bounds) => format!(
                "{what} by the launch bounds in {}: {} of the warps' time, most at {}",
                claims.line_text(bounds),
                time_share(claims, claimed.cycles),
                claims.line_text(claimed.line())
            ),
            None => format!(
                "{what} at {}: {} of the warps' time",
                claims.line_text(claimed.line()),
                time_share(claims, claimed.cycles)
            ),
        },
        place: bounds,
        lines: claimed.lines,
        reason,
        advice: advice.to_owned(),
        ..Finding::new(Rule::Local)
    }))
}

/// `Each of 128 loads`, or `The only load`.
fn each_of(num: u64, is_load: bool) -> String {
    let what = if is_load { "load" } else { "store" };
    match num {
        1 => format!("The only such {what}"),
        num => format!("Each of {} {what}s", thousands(num)),
    }
}

/// Shared-memory bank conflicts.
pub(super) fn conflicts(claims: &mut Claims) -> Verdict {
    let mut sums = Sums::default();
    for (idx, row) in claims.accesses(AccessFamily::Shared) {
        if row.kind == RequestKind::SharedAtomic {
            continue;
        }
        let line = claims.line(row.pc.0 as usize);
        sums.add(line, idx, row, row.ideal_wavefronts.into(), row.wavefronts.into());
    }
    if sums.taken == 0 {
        return Verdict::Absent;
    }
    let Some((worst_line, worst_sum)) = sums.worst_line() else {
        return Verdict::Checked("Shared memory: no bank conflicts".to_owned());
    };
    let share = sums.share();
    let is_shared = |instruction: &engine::isa::Instruction| {
        accesses(instruction, Space::Shared) && !is_atomic(instruction)
    };
    let states = [
        WarpState::MioThrottle,
        WarpState::ShortScoreboard,
        WarpState::MathPipeThrottle,
        WarpState::LgThrottle,
    ];
    if share < MIN_SHARE {
        return Verdict::Checked(format!(
            "Bank conflicts: {} of {} wavefronts",
            thousands(sums.taken - sums.ideal),
            thousands(sums.taken)
        ));
    }
    let claimed = claims.claim(&states, |claims, pc, state| {
        let is_lsu = state != WarpState::MathPipeThrottle || claims.pipe(pc) == Some(PipeKind::Lsu);
        is_lsu && claims.code().get(pc).is_some_and(is_shared) && sums.is_bad(claims.line(pc))
    });
    let per = |sum: u64| mean_text(sum, worst_sum.bad);
    Verdict::Finding(Box::new(Finding {
        cycles: claimed.cycles,
        weight: claimed.cycles as f64 * share,
        title: format!(
            "Bank conflicts at {}: warps stall on shared memory {} of the time",
            claims.line_text(worst_line),
            time_share(claims, claimed.cycles)
        ),
        place: Some(worst_line),
        lines: claimed.lines,
        reason: format!(
            "{} takes {} wavefronts instead of {}. Of all wavefronts, {} are conflicts.{}",
            each_of(worst_sum.bad, worst_sum.is_load),
            per(worst_sum.taken),
            per(worst_sum.ideal),
            percent(sums.taken - sums.ideal, sums.taken),
            width_note(worst_sum.width_bits)
        ),
        advice: "Let the lanes of a warp access words in different banks: pad the rows of the array, or swizzle its columns."
            .to_owned(),
        view: View::Banks,
        access: sums.worst.map(|(_, idx, _)| idx),
        worst: sums.worst.map(|(_, _, row)| (row.started.0, row.slot.0)),
        ..Finding::new(Rule::Conflicts)
    }))
}

/// A mean with at most one decimal.
pub(super) fn mean_text(sum: u64, num: u64) -> String {
    let tenths = (sum * 10 + num / 2) / num.max(1);
    if tenths.is_multiple_of(10) {
        thousands(tenths / 10)
    } else {
        format!("{}.{}", thousands(tenths / 10), tenths % 10)
    }
}

/// Atomics on the same words.
pub(super) fn atomics(claims: &mut Claims) -> Verdict {
    if !claims.code().iter().any(is_atomic) {
        return Verdict::Absent;
    }
    let mut rows: Vec<(u32, AccessRow)> = Vec::new();
    for family in [AccessFamily::Shared, AccessFamily::Global] {
        let of = claims.accesses(family).filter(|(_, row)| {
            matches!(
                row.kind,
                RequestKind::SharedAtomic | RequestKind::GlobalAtomic | RequestKind::GlobalReduction
            )
        });
        rows.extend(of);
    }
    let states = [
        WarpState::MioThrottle,
        WarpState::ShortScoreboard,
        WarpState::LongScoreboard,
        WarpState::LgThrottle,
        WarpState::MathPipeThrottle,
        WarpState::Drain,
    ];
    let claimed = claims.claim(&states, |claims, pc, _| {
        claims.code().get(pc).is_some_and(is_atomic)
    });
    if claimed.cycles == 0 || rows.is_empty() {
        return Verdict::Checked(format!(
            "Atomics: {}, no stalls",
            counted(rows.len() as u64, "request")
        ));
    }
    let longest = rows.iter().max_by_key(|(_, row)| row.done.0 - row.issued.0);
    let is_shared = longest.is_some_and(|(_, row)| row.kind.is_shared());
    let latency: u64 = rows.iter().map(|(_, row)| row.done.0 - row.issued.0).sum();
    let line = claimed.line();
    Verdict::Finding(Box::new(Finding {
        cycles: claimed.cycles,
        weight: claimed.cycles as f64,
        title: format!(
            "Atomics at {}: warps stall on them {} of the time",
            claims.line_text(line),
            time_share(claims, claimed.cycles)
        ),
        lines: claimed.lines,
        reason: format!(
            "{} take {} cycles each on average. Updates of one word follow each other.",
            counted(rows.len() as u64, "atomic request"),
            mean_text(latency, rows.len() as u64)
        ),
        advice: "Combine the values of a warp or a block first, and update each word once.".to_owned(),
        view: if is_shared { View::Banks } else { View::Coalescing },
        access: longest.map(|(idx, _)| *idx),
        worst: longest.map(|(_, row)| (row.started.0, row.slot.0)),
        ..Finding::new(Rule::Atomics)
    }))
}

/// The bytes that a global request moves at least, with the architecture's unit.
fn least_bytes(claims: &Claims, row: &AccessRow) -> u64 {
    let rule = claims.trace.arch().memory.coalescing.value;
    let unit = if rule == CoalescingRule::WarpLines && claims.loads_in_l1(row) {
        128
    } else {
        32
    };
    let asked = u64::from(row.lanes) * u64::from(row.width_bits) / 8;
    asked.div_ceil(unit) * unit
}

/// Uncoalesced global loads and stores.
pub(super) fn coalescing(claims: &mut Claims) -> Verdict {
    let mut sums = Sums::default();
    for (idx, row) in claims.accesses(AccessFamily::Global) {
        if matches!(
            row.kind,
            RequestKind::GlobalLoad | RequestKind::GlobalStore | RequestKind::CopyLoad
        ) {
            let line = claims.line(row.pc.0 as usize);
            sums.add(line, idx, row, least_bytes(claims, &row), row.bytes.into());
        }
    }
    if sums.taken == 0 {
        return Verdict::Absent;
    }
    let Some((worst_line, worst_sum)) = sums.worst_line() else {
        return Verdict::Checked("Coalescing: no request moves more than its bytes need".to_owned());
    };
    let share = sums.share();
    let states = [
        WarpState::LongScoreboard,
        WarpState::LgThrottle,
        WarpState::MathPipeThrottle,
        WarpState::MioThrottle,
        WarpState::Drain,
    ];
    if share < MIN_SHARE {
        return Verdict::Checked(format!(
            "Coalescing: {} of the moved bytes are beyond need",
            percent(sums.taken - sums.ideal, sums.taken)
        ));
    }
    let claimed = claims.claim(&states, |claims, pc, _| {
        let is_global = |instruction: &engine::isa::Instruction| {
            accesses(instruction, Space::Global) && !is_atomic(instruction)
        };
        claims.code().get(pc).is_some_and(is_global) && sums.is_bad(claims.line(pc))
    });
    let share = sums.bad_share();
    Verdict::Finding(Box::new(Finding {
        cycles: claimed.cycles,
        weight: claimed.cycles as f64 * share,
        title: format!(
            "Uncoalesced accesses at {}: warps stall on global memory {} of the time",
            claims.line_text(worst_line),
            time_share(claims, claimed.cycles)
        ),
        place: Some(worst_line),
        lines: claimed.lines,
        reason: format!(
            "{} moves {} bytes on average; {} would do if the bytes were contiguous and aligned. Of all moved bytes, {} are beyond need.{}",
            each_of(worst_sum.bad, worst_sum.is_load),
            mean_text(worst_sum.taken, worst_sum.bad),
            mean_text(worst_sum.ideal, worst_sum.bad),
            percent(sums.taken - sums.ideal, sums.taken),
            width_note(worst_sum.width_bits)
        ),
        advice: "Let neighboring lanes access neighboring elements: exchange the indices, store arrays instead of structures, or go through shared memory.".to_owned(),
        view: View::Coalescing,
        access: sums.worst.map(|(_, idx, _)| idx),
        worst: sums.worst.map(|(_, _, row)| (row.started.0, row.slot.0)),
        ..Finding::new(Rule::Coalescing)
    }))
}

/// The lowest lanes of a warp, this many.
const fn lowest_lanes(num: u8) -> LaneMask {
    LaneMask(if num >= 32 { u32::MAX } else { (1 << num) - 1 })
}

/// Constant loads with several addresses.
pub(super) fn constants(claims: &mut Claims) -> Verdict {
    let mut sums = Sums::default();
    for (idx, row) in claims.accesses(AccessFamily::Global) {
        if row.kind == RequestKind::ConstantLoad {
            let line = claims.line(row.pc.0 as usize);
            let one = constant_requests(claims.trace.arch(), &[0; 32], lowest_lanes(row.lanes));
            sums.add(line, idx, row, one.into(), row.requests.into());
        }
    }
    if sums.taken == 0 {
        return Verdict::Absent;
    }
    let Some((worst_line, worst_sum)) = sums.worst_line() else {
        return Verdict::Checked("Constants: one address per load".to_owned());
    };
    let is_ldc = |instruction: &engine::isa::Instruction| matches!(instruction.op, Op::Ldc { .. });
    let states = [
        WarpState::ShortScoreboard,
        WarpState::LongScoreboard,
        WarpState::ImcMiss,
        WarpState::MioThrottle,
        WarpState::MathPipeThrottle,
    ];
    let share = sums.share();
    let claimed = claims.claim(&states, |claims, pc, _| claims.code().get(pc).is_some_and(is_ldc));
    if claimed.cycles == 0 {
        return Verdict::Checked("Constants: no stalls on distinct addresses".to_owned());
    }
    Verdict::Finding(Box::new(Finding {
        cycles: claimed.cycles,
        weight: claimed.cycles as f64 * share,
        title: format!(
            "Distinct constant addresses at {}: {} of the warps' time",
            claims.line_text(worst_line),
            time_share(claims, claimed.cycles)
        ),
        lines: claimed.lines,
        reason: format!(
            "Each of {} loads has {} addresses on average. The constant cache serves one address at a time.",
            thousands(worst_sum.bad),
            mean_text(worst_sum.taken, worst_sum.bad)
        ),
        advice:
            "Let all lanes of a warp read the same constant, or keep the table in shared or global memory."
                .to_owned(),
        view: View::Coalescing,
        access: sums.worst.map(|(_, idx, _)| idx),
        worst: sums.worst.map(|(_, _, row)| (row.started.0, row.slot.0)),
        ..Finding::new(Rule::Constants)
    }))
}

/// Constants and parameters that miss in the constant cache.
pub(super) fn constant_misses(claims: &mut Claims) -> Verdict {
    let claimed = claims.claim(&[WarpState::ImcMiss], |_, _, _| true);
    if !claims.is_much(claimed.cycles, 1.0) {
        return Verdict::Absent;
    }
    Verdict::Finding(Box::new(Finding {
        cycles: claimed.cycles,
        weight: claimed.cycles as f64,
        title: format!(
            "Constant cache misses: {} of the warps' time",
            time_share(claims, claimed.cycles)
        ),
        lines: claimed.lines,
        reason:
            "Instructions read parameters or constants whose line is not in the first-level constant cache."
                .to_owned(),
        advice: "Give each thread more work, or launch more blocks: the first read of a line is the expensive one."
            .to_owned(),
        view: View::Caches,
        ..Finding::new(Rule::ConstantMisses)
    }))
}

/// The number of sectors in the union of these ranges: the first sector, and the one after the last.
fn covered_sectors(mut spans: Vec<(u32, u64)>) -> u64 {
    spans.sort_unstable();
    let mut end = 0;
    spans.into_iter().fold(0, |sum, (from, to)| {
        let from = u64::from(from).max(end);
        end = end.max(to);
        sum + to.saturating_sub(from)
    })
}

/// Lines that are fetched into L1 more than once.
pub(super) fn thrash(claims: &mut Claims) -> Verdict {
    let mut in_l1 = false;
    let mut missed: u64 = 0;
    let mut hits: u64 = 0;
    let mut worst: Option<(u32, AccessRow)> = None;
    let mut spans = Vec::new();
    for (idx, row) in claims.accesses(AccessFamily::Global) {
        if !matches!(row.kind, RequestKind::GlobalLoad | RequestKind::CopyLoad) || !claims.loads_in_l1(&row) {
            continue;
        }
        in_l1 = true;
        spans.push((
            row.lowest / 32,
            (u64::from(row.lowest) + u64::from(row.span)).div_ceil(32),
        ));
        let own = u64::from(row.sectors).saturating_sub(row.l1_hits.into());
        missed += own;
        hits += u64::from(row.l1_hits);
        if own > 0 && row.level >= MemoryLevel::L2 {
            worst = Some((idx, row));
        }
    }
    if !in_l1 || missed == 0 {
        return Verdict::Absent;
    }
    // The sectors between the first and the last byte of each request are an upper bound of the sectors that it needs.
    let refetched = missed.saturating_sub(covered_sectors(spans));
    let share = refetched as f64 / missed as f64;
    let is_global = |instruction: &engine::isa::Instruction| {
        accesses(instruction, Space::Global) && !is_atomic(instruction)
    };
    let hit = Verdict::Checked(format!("L1: {} of sectors hit", percent(hits, hits + missed)));
    if share < MIN_SHARE {
        return hit;
    }
    let claimed = claims.claim(&[WarpState::LongScoreboard], |claims, pc, _| {
        claims.code().get(pc).is_some_and(is_global)
    });
    if claimed.cycles == 0 {
        return hit;
    }
    let line = claimed.line();
    Verdict::Finding(Box::new(Finding {
        cycles: claimed.cycles,
        weight: claimed.cycles as f64 * share.min(1.0),
        title: format!(
            "Lines leave L1 before they are used again at {}: {} of the warps' time",
            claims.line_text(line),
            time_share(claims, claimed.cycles)
        ),
        lines: claimed.lines,
        reason: format!(
            "At least {} sectors that had been in L1 are fetched again; {} of sectors hit.",
            thousands(refetched),
            percent(hits, hits + missed)
        ),
        advice: "Give L1 a larger share of the on-chip memory, or let fewer warps share it.".to_owned(),
        view: View::Caches,
        access: worst.map(|(idx, _)| idx),
        worst: worst.map(|(_, row)| (row.started.0, row.slot.0)),
        ..Finding::new(Rule::Thrash)
    }))
}
