//! Changes that can remove a finding's cause: edits of the kernel, launches, options, and hypothetical machines.

use super::claims::Claims;
use super::padding::with_padding;
use super::places::BOUNDS;
use super::unrolling::with_unrolling;
use super::{Change, Finding, Rule};
use crate::setup::Setup;
use engine::arch::{Limiter, PipeKind, Quality};
use engine::isa::SymbolSpace;
use engine::sim::{LoadCaching, Removed, Without};

/// Adds the changes to measure to a finding.
pub(super) fn add(finding: &mut Finding, claims: &Claims) {
    let lacks = |cause| hypothetical(claims.setup, cause);
    let mut changes: Vec<Change> = Vec::new();
    match finding.rule {
        Rule::Conflicts => {
            changes.extend(paddings(finding, claims));
            changes.extend(banks_of_8_bytes(claims));
            changes.extend(lacks(Removed::Conflicts));
        }
        Rule::Coalescing => {
            changes.extend(caching(claims));
            changes.extend(lacks(Removed::Coalescing));
        }
        Rule::Atomics => changes.extend(lacks(Removed::Atomics)),
        Rule::Constants => changes.extend(lacks(Removed::Constants)),
        Rule::Thrash => {
            changes.extend(caching(claims));
            changes.extend(carveouts(claims, false));
            changes.extend(all_hits(claims));
        }
        Rule::Local => {
            changes.extend(more_registers(claims));
            changes.extend(without_bounds(claims));
            changes.extend(lacks(Removed::Local));
        }
        Rule::Barrier => changes.extend(blocks(claims, finding.rule)),
        Rule::PartialWarps => {
            changes.extend(blocks(claims, finding.rule));
            changes.extend(launches(claims));
        }
        Rule::FewWarps => {
            changes.extend(more_warps(claims));
            changes.extend(lacks(Removed::Residency));
        }
        Rule::FewBlocks => changes.extend(launches(claims)),
        Rule::MemoryLatency | Rule::UnitLatency | Rule::Dependency => {
            changes.extend(unrolled(finding, claims));
            if finding.rule == Rule::Dependency {
                changes.extend(lacks(Removed::Latencies));
            }
            if finding.rule == Rule::MemoryLatency {
                changes.extend(caching(claims));
                changes.extend(all_hits(claims));
            }
        }
        Rule::Branches => changes.extend(unrolled(finding, claims)),
        Rule::Pipe => changes.extend(fast_math(finding, claims)),
        Rule::Divergence => changes.extend(lacks(Removed::Divergence)),
        Rule::ConstantMisses => {}
    }
    finding.changes = changes;
}

/// The hypothetical machine without a cause, unless the run is on one already.
fn hypothetical(setup: &Setup, cause: Removed) -> Option<Change> {
    let without = setup.machine.without;
    let text = format!("A hypothetical machine without {}.", cause.name());
    (!without.lacks(cause)).then(|| Change {
        is_hypothetical: true,
        ..Change::real(setup, text, Without::one(cause).text(), |setup| {
            setup.machine.without = without.and(cause);
        })
    })
}

/// The machine whose loads all hit: a bound, because the first load of a line misses in every cache.
fn all_hits(claims: &Claims) -> Option<Change> {
    let in_l1 = claims.setup.machine.load_caching.in_l1(claims.trace.arch());
    let bound = in_l1
        .then(|| hypothetical(claims.setup, Removed::Misses))
        .flatten()?;
    Some(Change {
        text: "Bound: a hypothetical machine whose loads all hit in L1.".to_owned(),
        is_bound: true,
        ..bound
    })
}

/// Rows of the conflicting array, padded by one element and by the words of a wide access.
fn paddings(finding: &Finding, claims: &Claims) -> Vec<Change> {
    let Some(access) = finding.access.and_then(|idx| claims.trace.access_detail(idx)) else {
        return Vec::new();
    };
    let lowest = access
        .mask
        .lanes()
        .map(|lane| access.addresses[lane as usize])
        .min();
    let Some(lowest) = lowest else { return Vec::new() };
    let program = claims.trace.program();
    let array = program.symbols.iter().find(|symbol| {
        let start = u64::from(symbol.offset);
        symbol.space == SymbolSpace::Shared && (start..start + u64::from(symbol.size)).contains(&lowest)
    });
    let Some(array) = array else { return Vec::new() };
    // A wide access needs aligned rows.
    let words: &[u32] = if access.width_bits > 32 { &[1, 4] } else { &[1] };
    let source = claims.setup.source();
    words
        .iter()
        .filter_map(|words| {
            let padded = with_padding(source, &array.name, *words)?;
            let code = changed_line(source, &padded)?;
            let by = if *words == 1 {
                "one element".to_owned()
            } else {
                format!("{words} elements")
            };
            let text = format!("Pad the rows of {} by {by}.", array.name);
            let change = |setup: &mut Setup| setup.source = Some(padded);
            Some(Change::real(claims.setup, text, code, change))
        })
        .collect()
}

/// The first line in which two texts differ, from the second text.
fn changed_line(before: &str, after: &str) -> Option<String> {
    before
        .lines()
        .zip(after.lines())
        .find(|(one, other)| one != other)
        .map(|(_, line)| line.trim().to_owned())
}

/// Banks of 8 bytes, where the host can choose them.
fn banks_of_8_bytes(claims: &Claims) -> Option<Change> {
    use engine::arch::{BankRule, BankSize};
    let rule = claims.trace.arch().memory.shared.rule.value;
    let is_open = matches!(rule, BankRule::WarpMulticastRows | BankRule::WarpMulticastWide);
    (is_open && claims.setup.machine.bank_size == BankSize::FourByte).then(|| {
        Change::real(
            claims.setup,
            "Set the banks to 8 bytes.",
            BankSize::EightByte.cuda_name(),
            |setup| {
                setup.machine.bank_size = BankSize::EightByte;
            },
        )
    })
}

/// The other caching of global loads, where the compiler can choose it.
fn caching(claims: &Claims) -> Option<Change> {
    let arch = claims.trace.arch();
    let now = claims.setup.machine.load_caching.in_l1(arch);
    let other = [LoadCaching::Ca, LoadCaching::Cg]
        .into_iter()
        .find(|caching| caching.in_l1(arch) != now)?;
    let (text, code) = if other == LoadCaching::Ca {
        ("Cache global loads in L1.", "-Xptxas -dlcm=ca")
    } else {
        ("Cache global loads in L2 only.", "-Xptxas -dlcm=cg")
    };
    // An L1 that reads sectors takes no more from L2 than a run without it: what the run gains without it comes from the
    // limit of misses in flight. L1s that read whole lines, of Fermi and Kepler, do take more.
    let rests_on_assumption = arch.memory.l1.as_ref().is_some_and(|l1| {
        other == LoadCaching::Cg
            && l1.sector_bytes.value < l1.line_bytes.value
            && l1.miss_entries.quality == Quality::Assumption
    });
    Some(Change {
        rests_on_assumption,
        ..Change::real(claims.setup, text, code, |setup| {
            setup.machine.load_caching = other;
        })
    })
}

/// The carveouts next to the run's: the largest shared memory, or the largest L1.
fn carveouts(claims: &Claims, wants_shared: bool) -> Option<Change> {
    let sizes = claims.trace.arch().occupancy.carveouts_kib.value;
    let now = u32::from(claims.trace.occupancy().shared_kib);
    let wanted = if wants_shared {
        sizes.iter().max()
    } else {
        sizes.iter().min()
    };
    let wanted = u32::from(*wanted?);
    (sizes.len() > 1 && wanted != now).then(|| {
        Change::real(
            claims.setup,
            format!("Set the carveout to {wanted} KB of shared memory."),
            format!("carveout {wanted} KB"),
            |setup| setup.machine.carveout_kib = Some(wanted),
        )
    })
}

/// A higher register limit, where one is set.
fn more_registers(claims: &Claims) -> Vec<Change> {
    let Some(limit) = claims.setup.compile.max_registers else {
        return Vec::new();
    };
    let none = Change::real(
        claims.setup,
        "Remove the register limit.",
        "no -maxrregcount",
        |setup| setup.compile.max_registers = None,
    );
    let twice = limit.saturating_mul(2).min(128);
    let doubled = (twice > limit).then(|| {
        Change::real(
            claims.setup,
            format!("Raise the register limit to {twice}."),
            format!("-maxrregcount={twice}"),
            |setup| setup.compile.max_registers = Some(twice),
        )
    });
    std::iter::once(none).chain(doubled).collect()
}

/// Changes of what limits the resident blocks.
fn more_warps(claims: &Claims) -> Vec<Change> {
    let occupancy = claims.trace.occupancy();
    let grid = claims.trace.launch().num_blocks();
    let is_full = occupancy.warps_per_sm() >= occupancy.max_warps_per_sm;
    if is_full || grid <= u64::from(occupancy.blocks_per_sm) {
        return Vec::new();
    }
    let mut changes = Vec::new();
    for limiter in occupancy.limiters() {
        match limiter {
            Limiter::Shared => changes.extend(carveouts(claims, true)),
            Limiter::Registers => {
                let now = claims.trace.program().registers_per_thread;
                let fewer = now * 3 / 4 / 8 * 8;
                changes.extend((fewer >= 16 && fewer < now).then(|| {
                    Change::real(
                        claims.setup,
                        format!("Limit the registers to {fewer} per thread."),
                        format!("-maxrregcount={fewer}"),
                        |setup| setup.compile.max_registers = Some(fewer),
                    )
                }));
            }
            Limiter::Blocks | Limiter::Warps => changes.extend(other_blocks(claims)),
        }
    }
    changes
}

/// Block sizes that fill the warp slots of every architecture.
const FULL_BLOCKS: [u32; 2] = [128, 256];

/// The same threads in blocks of sizes that fill the warp slots, for launches of one dimension.
fn other_blocks(claims: &Claims) -> Vec<Change> {
    let launch = claims.trace.launch();
    let ([x, 1, 1], [threads, 1, 1]) = (launch.grid, launch.block) else {
        return Vec::new();
    };
    let all = u64::from(x) * u64::from(threads);
    FULL_BLOCKS
        .into_iter()
        .filter(|size| *size != threads)
        .filter_map(|size| relaunched(claims, u32::try_from(all.div_ceil(size.into())).ok()?, size))
        .collect()
}

/// A launch with another grid and block of one dimension.
fn relaunched(claims: &Claims, grid: u32, block: u32) -> Option<Change> {
    let launch = claims.trace.launch();
    (launch.grid != [grid, 1, 1] || launch.block != [block, 1, 1]).then(|| {
        Change::real(
            claims.setup,
            format!("Launch {grid} blocks of {block} threads."),
            format!("<<<{grid}, {block}>>>"),
            |setup| {
                setup.grid = Some([grid, 1, 1]);
                setup.block = Some([block, 1, 1]);
            },
        )
    })
}

/// Launches of one dimension that fill an SM: with the blocks of the run, and with other blocks. A kernel whose loop goes
/// by the number of threads keeps its outputs.
fn launches(claims: &Claims) -> Vec<Change> {
    let launch = claims.trace.launch();
    let occupancy = claims.trace.occupancy();
    let ([_, 1, 1], [threads, 1, 1]) = (launch.grid, launch.block) else {
        return Vec::new();
    };
    let full = |size: u32| relaunched(claims, occupancy.max_warps_per_sm * 32 / size.max(32), size);
    let mut changes = other_blocks(claims);
    changes.extend(
        (launch.num_blocks() < u64::from(occupancy.blocks_per_sm))
            .then(|| relaunched(claims, occupancy.blocks_per_sm, threads))
            .flatten(),
    );
    changes.extend(FULL_BLOCKS.into_iter().filter_map(full));
    let mut known: Vec<String> = Vec::new();
    changes.retain(|change| {
        let is_new = !known.contains(&change.code);
        known.push(change.code.clone());
        is_new
    });
    changes
}

/// The kernel without the number of resident blocks in its launch bounds.
fn without_bounds(claims: &Claims) -> Option<Change> {
    let line = super::places::launch_bounds(claims)? as usize;
    let source = claims.setup.source();
    let from: usize = source.split_inclusive('\n').take(line - 1).map(str::len).sum();
    let start = from + source[from..].find(BOUNDS)? + BOUNDS.len();
    let open = start + source[start..].find('(')?;
    let mut depth = 0_i32;
    let mut comma = None;
    let close = source[open..].char_indices().find_map(|(at, letter)| {
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            ',' if depth == 1 && comma.is_none() => comma = Some(open + at),
            _ => {}
        }
        (depth == 0).then_some(open + at)
    })?;
    let text = format!("{}{}", &source[..comma?], &source[close..]);
    let code = changed_line(source, &text)?;
    Some(Change::real(
        claims.setup,
        "Leave the resident blocks out of the launch bounds.",
        code,
        |setup| setup.source = Some(text),
    ))
}

/// The same threads in other blocks: half or twice as many per block; for partial warps, the next multiple of 32.
fn blocks(claims: &Claims, rule: Rule) -> Option<Change> {
    let launch = claims.trace.launch();
    let (mut grid, mut block) = (launch.grid, launch.block);
    let axis = usize::from(block[1] > 1);
    let size = match rule {
        Rule::PartialWarps => block[axis].next_multiple_of(32),
        Rule::Barrier => block[axis] / 2,
        _ => block[axis] * 2,
    };
    let threads = block[axis] * grid[axis];
    let divides = size > 0 && threads.is_multiple_of(size);
    if size == 0 || size == block[axis] || rule != Rule::PartialWarps && !divides {
        return None;
    }
    block[axis] = size;
    grid[axis] = threads.div_ceil(size);
    let text = |dims: [u32; 3]| match dims {
        [x, 1, 1] => x.to_string(),
        [x, y, 1] => format!("{x} × {y}"),
        [x, y, z] => format!("{x} × {y} × {z}"),
    };
    let (what, code) = (
        format!("Use blocks of {} threads.", text(block)),
        format!("<<<{}, {}>>>", text(grid), text(block)),
    );
    Some(Change::real(claims.setup, what, code, |setup| {
        setup.grid = Some(grid);
        setup.block = Some(block);
    }))
}

/// The loop around the finding's line, unrolled.
fn unrolled(finding: &Finding, claims: &Claims) -> Option<Change> {
    let source = claims.setup.source();
    let (text, line) = finding
        .lines
        .iter()
        .take(3)
        .find_map(|cost| with_unrolling(source, cost.line, 4))?;
    Some(Change::real(
        claims.setup,
        format!("Unroll the loop in {}.", claims.line_text(line)),
        "#pragma unroll 4",
        |setup| setup.source = Some(text),
    ))
}

/// Fast math, if the busy pipe is the XU or the FP32 pipe.
fn fast_math(finding: &Finding, claims: &Claims) -> Option<Change> {
    let is_busy = matches!(finding.pipe, Some(PipeKind::Xu | PipeKind::Fp32));
    (is_busy && !claims.setup.compile.fast_math).then(|| {
        Change::real(
            claims.setup,
            "Use the fast versions of division, square root, and special functions.",
            "-use_fast_math",
            |setup| setup.compile.fast_math = true,
        )
    })
}
