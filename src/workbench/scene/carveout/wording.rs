//! The sentences of the Carveout view: headlines, remarks, tooltips, and the inspector's explanation.

use super::Plan;
use super::combinations::{
    Combination, CombinationRun, CombinationState, are_equal, best, cells, is_best, num_done,
};
use super::splits::{HitRate, Split};
use crate::scene::inspector::{phrases, source};
use crate::scene::occupancy::{bytes_text, limiter_name, limiters_allow};
use crate::scene::{Facts, Inspection, Source};
use crate::words::{capital, counted, fit_headline, thousands};
use engine::arch::{Architecture, L1Capacity, Quality, Sourced};
use engine::trace::Frame;

/// The note of an architecture parameter, as a sentence with its source.
fn note_sentence<T: Copy>(number: &Sourced<T>) -> Option<String> {
    let note = (!number.note.is_empty() && number.quality != Quality::Assumption).then_some(number.note)?;
    Some(format!("{} ({}).", capital(note), number.source))
}

/// Remarks that apply to all splits of the GPU.
pub(super) fn remarks(plan: &Plan) -> Vec<String> {
    let rules = &plan.arch.occupancy;
    let mut remarks = Vec::new();
    if rules.carveouts_kib.value.len() < 2 {
        remarks.push(match &plan.arch.memory.l1 {
            Some(l1) => format!(
                "Shared memory has {} KB ({}) and L1 has {} ({}): the split is fixed.",
                rules.shared_per_sm_kib.value,
                rules.carveouts_kib.source,
                match l1.capacity.value {
                    L1Capacity::Fixed(kib) | L1Capacity::Unified(kib) => format!("{kib} KB"),
                },
                l1.capacity.source
            ),
            None => format!(
                "The SM has {} KB of shared memory ({}) and no L1: there is no split.",
                rules.shared_per_sm_kib.value, rules.carveouts_kib.source
            ),
        });
    } else {
        remarks.extend(note_sentence(&rules.carveouts_kib));
    }
    let (fixed, opted) = (&rules.shared_static_kib, &rules.shared_optin_kib);
    remarks.push(if opted.value > fixed.value {
        format!(
            "A block can use up to {} KB ({}). \
             With cudaFuncAttributeMaxDynamicSharedMemorySize, it can use up to {} KB ({}).",
            fixed.value, fixed.source, opted.value, opted.source
        )
    } else {
        format!("A block can use up to {} KB ({}).", fixed.value, fixed.source)
    });
    remarks
}

/// Tooltip of a row of the combinations.
pub fn combination_tooltip(frame: &Frame, idx: u8, runs: &[CombinationRun]) -> Option<(String, String)> {
    combination_text(&Plan::of(frame, runs), idx.into())
}

/// Tooltip of a split.
pub fn carveout_tooltip(frame: &Frame, kib: u16, runs: &[CombinationRun]) -> Option<(String, String)> {
    let plan = Plan::of(frame, runs);
    let split = plan.splits.iter().find(|split| split.shared_kib == kib)?;
    let l1 = split
        .l1_kib
        .map_or_else(String::new, |l1| format!(", {l1} KB of L1"));
    let name = format!("{kib} KB shared{l1}");
    let mut reason = match (&split.occupancy, &split.refusal) {
        (Some(filled), _) => format!(
            "{} {}.",
            limiters_allow(filled),
            counted(filled.blocks_per_sm.into(), "block")
        ),
        (None, Some(refusal)) => format!("{}.", capital(refusal)),
        (None, None) => String::new(),
    };
    if plan.splits.len() > 1 {
        reason.push_str(&format!(" Requests: {}.", split.requests));
    }
    if let Some(run) = plan.run(split).filter(|_| split.occupancy.is_some()) {
        reason.push_str(&format!(" The run takes {}", counted(run.cycles, "cycle")));
        let hits = run.hits.map(HitRate::text);
        reason.push_str(&hits.map_or_else(|| ".".to_owned(), |hits| format!(", {hits} of loads hit L1.")));
    }
    Some((name, reason))
}

/// Explains the chosen split.
pub fn inspect_carveout(frame: &Frame, runs: &[CombinationRun]) -> Inspection {
    let plan = Plan::of(frame, runs);
    let filled = &plan.occupancy;
    let why = format!(
        "{}{} *{}*.",
        request_text(&plan),
        limiters_allow(filled),
        counted(filled.blocks_per_sm.into(), "block")
    );
    Inspection {
        title: "Carveout".to_owned(),
        place: format!("{} KB shared", filled.shared_kib),
        why: phrases(&why),
        facts: vec![
            Facts {
                title: "Shared memory of this launch".to_owned(),
                rows: launch_rows(&plan),
            },
            Facts {
                title: "Runs: cycles, L1 hit rate of loads".to_owned(),
                rows: run_rows(&plan),
            },
        ],
        sources: sources(&plan),
        ..Inspection::default()
    }
}

/// The requested size and the size that the driver sets, as a sentence with a space after it.
fn request_text(plan: &Plan) -> String {
    let (rules, filled) = (&plan.arch.occupancy, &plan.occupancy);
    let requested = plan.frame.trace().options().carveout_kib;
    match requested {
        _ if plan.splits.len() < 2 => String::new(),
        Some(kib) if kib == u32::from(filled.shared_kib) => {
            format!("*{kib} KB* of shared memory are requested. ")
        }
        Some(kib) => format!(
            "*{kib} KB* are requested; the driver sets *{} KB*. ",
            filled.shared_kib
        ),
        None if rules.carveout_by_need.value => format!(
            "No carveout is requested: the driver picks *{} KB*, \
             the smallest size with which shared memory does not limit the blocks ({}). ",
            filled.shared_kib, rules.carveout_by_need.source
        ),
        None => format!(
            "No carveout is requested: the driver sets *{} KB*. ",
            filled.shared_kib
        ),
    }
}

/// The launch's use of shared memory.
fn launch_rows(plan: &Plan) -> Vec<(String, String)> {
    let (rules, needs, filled) = (&plan.arch.occupancy, &plan.needs, &plan.occupancy);
    let per_block = u64::from(filled.allocated_shared_per_block);
    let used = per_block * u64::from(filled.blocks_per_sm);
    let capacity = u64::from(filled.shared_kib) * 1024;
    let limit = filled
        .limit_shared
        .map_or_else(|| "no limit".to_owned(), |limit| limit.to_string());
    let mut rows = vec![
        ("static".to_owned(), bytes_text(needs.static_shared.into())),
        ("dynamic".to_owned(), bytes_text(needs.dynamic_shared.into())),
        (
            "reserved by the system".to_owned(),
            bytes_text(rules.shared_reserved_bytes.value.into()),
        ),
        ("allocated per block".to_owned(), bytes_text(per_block)),
        (
            format!("blocks by {}", limiter_name(engine::arch::Limiter::Shared)),
            limit,
        ),
        ("allocated for all blocks".to_owned(), bytes_text(used)),
        ("unused".to_owned(), bytes_text(capacity.saturating_sub(used))),
    ];
    if let Some(l1) = plan.chosen().and_then(|split| split.l1_kib) {
        rows.push(("L1".to_owned(), format!("{l1} KB")));
    }
    rows
}

/// The runs with each split.
fn run_rows(plan: &Plan) -> Vec<(String, String)> {
    plan.splits
        .iter()
        .filter_map(|split| Some((split, plan.run(split).filter(|_| split.occupancy.is_some())?)))
        .map(|(split, run)| {
            let hits = run.hits.map_or_else(|| "–".to_owned(), HitRate::text);
            (
                format!("{} KB shared", split.shared_kib),
                format!("{}, {hits}", thousands(run.cycles)),
            )
        })
        .collect()
}

/// The architecture's parameters with their sources.
fn sources(plan: &Plan) -> Vec<Source> {
    let rules = &plan.arch.occupancy;
    let mut sources = vec![
        Source {
            name: "Shared memory sizes".to_owned(),
            value: rules
                .carveouts_kib
                .value
                .iter()
                .map(std::string::ToString::to_string)
                .collect::<Vec<_>>()
                .join(", ")
                + " KB",
            source: rules.carveouts_kib.source.to_owned(),
            assumed: rules.carveouts_kib.quality == Quality::Assumption,
        },
        source("Limit per block", &rules.shared_static_kib, "KB"),
        source("Limit per block, opted in", &rules.shared_optin_kib, "KB"),
        source("Allocation unit", &rules.shared_unit_bytes, "B"),
        source("Reserved per block", &rules.shared_reserved_bytes, "B"),
    ];
    if let Some(l1) = &plan.arch.memory.l1 {
        sources.push(source("L1", &l1.capacity, ""));
    }
    sources
}

/// The headline about the chosen split.
pub(super) fn headline(plan: &Plan) -> String {
    let Some(chosen) = plan.chosen() else {
        return "The SM's shared memory size is not a listed split.".to_owned();
    };
    let shared = chosen.shared_kib;
    if plan.splits.len() < 2 {
        return fit_headline(match chosen.l1_kib {
            Some(l1) => format!(
                "{} has {shared} KB of shared memory and {l1} KB of L1: the split is fixed.",
                plan.arch.name
            ),
            None => format!(
                "{} has {shared} KB of shared memory and no L1: there is no split.",
                plan.arch.name
            ),
        });
    }
    let blocks = |split: &Split| split.occupancy.map_or(0, |occupancy| occupancy.blocks_per_sm);
    let run = blocks(chosen);
    let most = plan.splits.iter().map(blocks).max().unwrap_or(0);
    let least = plan.splits.iter().find(|split| blocks(split) == most);
    let l1 = |split: &Split| {
        split
            .l1_kib
            .map_or_else(String::new, |kib| format!("{kib} KB of L1"))
    };
    let noun = |count: u32| counted(count.into(), "block");
    fit_headline(match least {
        Some(other) if run < most => format!(
            "{shared} KB of shared memory fits {}; {} KB fits {most}.",
            noun(run),
            other.shared_kib
        ),
        Some(other) if other.shared_kib < shared => format!(
            "{} KB of shared memory fits the same {} and leaves {}.",
            other.shared_kib,
            noun(run),
            l1(other)
        ),
        _ => format!(
            "{shared} KB of shared memory fits {} and leaves {}; no split fits more.",
            noun(run),
            l1(chosen)
        ),
    })
}

/// The requests that the driver rounds up to a size: all above the next smaller size.
pub(super) fn rounded_requests(arch: &Architecture, below: Option<u16>, kib: u16) -> String {
    let sizes = arch.occupancy.carveouts_kib.value;
    if sizes.len() < 2 {
        return "fixed".to_owned();
    }
    // On Fermi and Kepler, a launch requests a preference, not a size.
    if arch.compute_capability.major < 5 {
        return match below {
            None => "prefer L1",
            Some(_) if sizes.last() == Some(&kib) => "prefer shared",
            Some(_) => "prefer equal",
        }
        .to_owned();
    }
    match below {
        None if kib == 0 => "0 KB".to_owned(),
        None => format!("0 to {kib} KB"),
        Some(below) => format!("{} to {kib} KB", below + 1),
    }
}

/// The headline about all combinations: the best one, or how many have run.
pub(super) fn combinations_headline(plan: &Plan) -> Option<String> {
    let runs = plan.combinations;
    if runs.is_empty() {
        return None;
    }
    let done = num_done(runs);
    if done < runs.len() {
        return Some(format!("{done} of {} combinations have run.", runs.len()));
    }
    if runs.len() > 1
        && are_equal(runs)
        && let Some(cycles) = best(runs)
    {
        return Some(format!(
            "All {} combinations take {} cycles.",
            runs.len(),
            thousands(cycles)
        ));
    }
    let run = runs.iter().find(|run| is_best(runs, run))?;
    let combination = &run.combination;
    Some(format!(
        "Best of {}: {} KB shared, loads {}, {}: {} cycles.",
        runs.len(),
        combination.shared_kib,
        way_text(combination.in_l1),
        match combination.max_registers {
            None => "no register limit".to_owned(),
            Some(limit) => format!("at most {limit} registers"),
        },
        run.result()
            .map_or_else(String::new, |result| thousands(result.run.cycles))
    ))
}

/// Tooltip of a row of the combinations.
fn combination_text(plan: &Plan, idx: usize) -> Option<(String, String)> {
    let run = plan.combinations.get(idx)?;
    let [
        shared,
        l1,
        way,
        limit,
        registers,
        spilled,
        warps,
        hits,
        cycles,
        mark,
    ] = cells(plan, run);
    let name = format!("{shared} shared, {l1} L1, {way}, {limit}");
    let reason = match &run.state {
        CombinationState::Done(result) => format!(
            "{cycles} cycles{}; {warps} warps, {registers} registers and {spilled} of spills per thread{}.{}",
            if mark.is_empty() {
                String::new()
            } else {
                format!(" ({mark})")
            },
            if result.run.hits.is_some() {
                format!("; {hits} of loads hit L1")
            } else {
                String::new()
            },
            if run.is_own {
                ""
            } else {
                " Click to run this combination here."
            }
        ),
        _ => format!("{cycles}."),
    };
    Some((name, reason))
}

/// A register limit: `at most 32`.
pub(super) fn limit_text(combination: Combination) -> String {
    combination
        .max_registers
        .map_or_else(|| "no limit".to_owned(), |limit| format!("at most {limit}"))
}

/// The path of global loads.
pub(super) const fn way_text(in_l1: bool) -> &'static str {
    if in_l1 { "through L1" } else { "bypass L1" }
}

/// Why a launch cannot run with a split.
pub(super) fn too_small(bytes_per_block: u32, driver_kib: u16) -> String {
    format!(
        "a block needs {} B; the driver sets {driver_kib} KB",
        thousands(bytes_per_block.into())
    )
}
