//! The split in words: what each size does, which requests get it, how much a block may have.

use super::Plan;
use super::combinations::{self, CombinationRun};
use super::splits::HitRate;
use crate::scene::inspector::{phrases, source};
use crate::scene::occupancy::{bytes_text, limiter_name, limiters_allow};
use crate::scene::words::{capital, counted, thousands};
use crate::scene::{Facts, Inspection, Source};
use engine::arch::{L1Capacity, Quality, Sourced};
use engine::trace::Frame;

/// A remark of the architecture, as a sentence.
fn noted<T: Copy>(number: &Sourced<T>) -> Option<String> {
    let note = (!number.note.is_empty() && number.quality != Quality::Assumption).then_some(number.note)?;
    Some(format!("{} ({}).", capital(note), number.source))
}

/// What holds for all splits of the machine.
pub(super) fn remarks(plan: &Plan) -> Vec<String> {
    let rules = &plan.arch.occupancy;
    let mut remarks = Vec::new();
    if rules.carveouts_kib.value.len() < 2 {
        remarks.push(match &plan.arch.memory.l1 {
            Some(l1) => format!(
                "Shared memory has {} KB of its own ({}); L1 has {} ({}). There is nothing to choose.",
                rules.shared_per_sm_kib.value,
                rules.carveouts_kib.source,
                match l1.capacity.value {
                    L1Capacity::Fixed(kib) | L1Capacity::Unified(kib) => format!("{kib} KB"),
                },
                l1.capacity.source
            ),
            None => format!(
                "The SM has {} KB of shared memory ({}) and no data cache, so there is nothing to choose.",
                rules.shared_per_sm_kib.value, rules.carveouts_kib.source
            ),
        });
    } else {
        remarks.extend(noted(&rules.carveouts_kib));
    }
    let (fixed, opted) = (&rules.shared_static_kib, &rules.shared_optin_kib);
    remarks.push(if opted.value > fixed.value {
        format!(
            "A block has {} KB at most ({}); with dynamic memory and cudaFuncAttributeMaxDynamicSharedMemorySize, {} KB ({}).",
            fixed.value, fixed.source, opted.value, opted.source
        )
    } else {
        format!("A block has {} KB at most ({}).", fixed.value, fixed.source)
    });
    remarks
}

/// What is said of a row of the table.
pub fn combination_tooltip(frame: &Frame, idx: u8, runs: &[CombinationRun]) -> Option<(String, String)> {
    combinations::tooltip(&Plan::of(frame, runs), idx.into())
}

/// What is said of a split under the pointer.
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
        reason.push_str(&format!(" Set by requests for {}.", split.asked));
    }
    if let Some(run) = plan.run(split).filter(|_| split.occupancy.is_some()) {
        reason.push_str(&format!(" Its run takes {}", counted(run.cycles, "cycle")));
        let hits = run.hits.map(HitRate::text);
        reason.push_str(&hits.map_or_else(|| ".".to_owned(), |hits| format!(", {hits} of loads hit L1.")));
    }
    Some((name, reason))
}

/// Explains the split that is set.
pub fn inspect_carveout(frame: &Frame, runs: &[CombinationRun]) -> Inspection {
    let plan = Plan::of(frame, runs);
    let (rules, needs, filled) = (&plan.arch.occupancy, &plan.needs, &plan.occupancy);
    let asked = plan.frame.trace().options().carveout_kib;
    let request = match asked {
        _ if plan.splits.len() < 2 => String::new(),
        Some(kib) if kib == u32::from(filled.shared_kib) => {
            format!("*{kib} KB* of shared memory are asked for. ")
        }
        Some(kib) => format!(
            "*{kib} KB* are asked for; the driver sets *{} KB*. ",
            filled.shared_kib
        ),
        None if rules.carveout_by_need.value => format!(
            "Nothing is asked for; the driver sets *{} KB*, the least with which shared memory does not limit the blocks ({}). ",
            filled.shared_kib, rules.carveout_by_need.source
        ),
        None => format!(
            "Nothing is asked for; the driver sets *{} KB*. ",
            filled.shared_kib
        ),
    };
    let why = format!(
        "{request}{} *{}*.",
        limiters_allow(filled),
        counted(filled.blocks_per_sm.into(), "block")
    );
    let a_block = u64::from(filled.allocated_shared_per_block);
    let used = a_block * u64::from(filled.blocks_per_sm);
    let capacity = u64::from(filled.shared_kib) * 1024;
    let limit = filled
        .limit_shared
        .map_or_else(|| "no limit".to_owned(), |limit| limit.to_string());
    let mut launch = vec![
        ("static".to_owned(), bytes_text(needs.static_shared.into())),
        ("dynamic".to_owned(), bytes_text(needs.dynamic_shared.into())),
        (
            "taken by the system".to_owned(),
            bytes_text(rules.shared_reserved_bytes.value.into()),
        ),
        ("a block is given".to_owned(), bytes_text(a_block)),
        (
            format!("blocks by {}", limiter_name(engine::arch::Limiter::Shared)),
            limit,
        ),
        ("resident blocks take".to_owned(), bytes_text(used)),
        ("left over".to_owned(), bytes_text(capacity.saturating_sub(used))),
    ];
    if let Some(l1) = plan.chosen().and_then(|split| split.l1_kib) {
        launch.push(("L1".to_owned(), format!("{l1} KB")));
    }
    let runs = plan
        .splits
        .iter()
        .filter_map(|split| Some((split, plan.run(split).filter(|_| split.occupancy.is_some())?)))
        .map(|(split, run)| {
            let hits = run.hits.map_or_else(|| "–".to_owned(), HitRate::text);
            (
                format!("{} KB shared", split.shared_kib),
                format!("{}, {hits}", thousands(run.cycles)),
            )
        })
        .collect();
    let mut sources = vec![
        Source {
            name: "Sizes of shared memory".to_owned(),
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
        source("A block without opting in", &rules.shared_static_kib, "KB"),
        source("A block that opted in", &rules.shared_optin_kib, "KB"),
        source("Given in units of", &rules.shared_unit_bytes, "B"),
        source(
            "The system's share of each block",
            &rules.shared_reserved_bytes,
            "B",
        ),
    ];
    if let Some(l1) = &plan.arch.memory.l1 {
        sources.push(source("L1", &l1.capacity, ""));
    }
    Inspection {
        title: "Carveout".to_owned(),
        place: format!("{} KB shared", filled.shared_kib),
        why: phrases(&why),
        facts: vec![
            Facts {
                title: "Shared memory of this launch".to_owned(),
                rows: launch,
            },
            Facts {
                title: "Runs: cycles, hits of loads in L1".to_owned(),
                rows: runs,
            },
        ],
        sources,
        ..Inspection::default()
    }
}
