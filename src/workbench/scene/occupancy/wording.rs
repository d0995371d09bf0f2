//! The sentences of the Occupancy view: headline, needs per block, and the inspector's explanation.

use super::Plan;
use super::bars::Amount;
use crate::scene::inspector::{phrases, source};
use crate::scene::{Facts, Inspection};
use crate::words::{capital, count_word, counted, fit_headline, percent, thousands};
use engine::arch::{Limiter, Occupancy, RegisterScope};
use engine::trace::Frame;

/// Explains the occupancy of the launch.
pub fn inspect_occupancy(frame: &Frame) -> Inspection {
    let plan = Plan::of(frame);
    let (needs, occupancy, rules) = (&plan.needs, &plan.occupancy, &plan.arch.occupancy);
    let blocks = u64::from(occupancy.blocks_per_sm);
    let max = f64::from(occupancy.max_warps_per_sm);
    let share = |warps: f64| format!("{warps:.1} of {max}, {:.0} %", (100.0 * warps / max).round());
    let why = match plan
        .amounts()
        .iter()
        .find(|amount| amount.limits && amount.left > 0)
    {
        Some(amount) => format!(
            "{} *{}*. Another block needs *{}*; *{}* are unused.",
            limiters_allow(occupancy),
            counted(blocks, "block"),
            amount.text(amount.per_block),
            amount.text(amount.left)
        ),
        None => format!(
            "{} *{}*; the limiting resource is fully used.",
            limiters_allow(occupancy),
            counted(blocks, "block")
        ),
    };
    let rows = |rows: &[(&str, String)]| {
        rows.iter()
            .map(|(name, value)| ((*name).to_owned(), value.clone()))
            .collect::<Vec<_>>()
    };
    let registers = u64::from(occupancy.allocated_registers_per_block);
    let launch = rows(&[
        ("threads per block", thousands(needs.threads_per_block.into())),
        ("warps per block", occupancy.warps_per_block.to_string()),
        ("registers per thread", needs.registers_per_thread.to_string()),
        ("registers allocated per block", thousands(registers)),
        ("static shared memory", bytes_text(needs.static_shared.into())),
        ("dynamic shared memory", bytes_text(needs.dynamic_shared.into())),
        (
            "shared memory allocated per block",
            bytes_text(occupancy.allocated_shared_per_block.into()),
        ),
        ("shared memory of the SM", format!("{} KB", occupancy.shared_kib)),
    ]);
    let limits = plan
        .amounts()
        .iter()
        .map(|amount| {
            let fit = amount.fit.clone().unwrap_or_else(|| "no limit".to_owned());
            (format!("blocks by {}", limiter_name(amount.limiter)), fit)
        })
        .collect();
    let run = rows(&[
        ("resident now", share(plan.warps_now.into())),
        ("mean of the run", share(plan.warps_mean)),
        ("allowed by the launch", share(occupancy.warps_per_sm().into())),
    ]);
    let facts = |title: &str, rows| Facts {
        title: title.to_owned(),
        rows,
    };
    Inspection {
        title: "Occupancy".to_owned(),
        place: format!(
            "{}, {} now",
            counted(blocks, "block"),
            counted(plan.warps_now.into(), "warp")
        ),
        why: phrases(&why),
        facts: vec![
            facts("Blocks by limit", limits),
            facts("This launch", launch),
            facts("Warps of this run", run),
        ],
        sources: vec![
            source("Warp slots", &rules.max_warps_per_sm, "warps"),
            source("Block slots", &rules.max_blocks_per_sm, "blocks"),
            source(
                "Maximum threads per block",
                &rules.max_threads_per_block,
                "threads",
            ),
            source("Registers of the SM", &rules.registers_per_sm, ""),
            source(
                "Maximum registers per thread",
                &rules.max_registers_per_thread,
                "",
            ),
            source("Register allocation unit", &rules.register_unit, ""),
            source("Register files", &rules.register_partitions, ""),
            source("Maximum shared memory of the SM", &rules.shared_per_sm_kib, "KB"),
            source("Shared memory allocation unit", &rules.shared_unit_bytes, "B"),
            source(
                "Reserved shared memory per block",
                &rules.shared_reserved_bytes,
                "B",
            ),
        ],
        ..Inspection::default()
    }
}

/// The long need of each resource.
#[cfg(test)]
pub(super) fn long_needs(frame: &Frame) -> Vec<String> {
    let plan = Plan::of(frame);
    let of = |amount: &super::Amount| need_texts(&plan, amount.limiter)[0].clone();
    plan.amounts().iter().map(of).collect()
}

/// The headline about the occupancy of the launch.
pub(super) fn headline(plan: &Plan) -> String {
    let occupancy = &plan.occupancy;
    let (blocks, warps) = (occupancy.blocks_per_sm, occupancy.warps_per_sm());
    let noun = if blocks == 1 { "block" } else { "blocks" };
    fit_headline(format!(
        "{} {blocks} {noun}, {warps} of {} warps ({}); {} now.",
        limiters_allow(occupancy),
        occupancy.max_warps_per_sm,
        percent(warps.into(), occupancy.max_warps_per_sm.into()),
        match plan.blocks_now() {
            1 => "1 is resident".to_owned(),
            blocks => format!("{blocks} are resident"),
        }
    ))
}

/// The name of a limiter.
pub(in crate::scene) const fn limiter_name(limiter: Limiter) -> &'static str {
    match limiter {
        Limiter::Warps => "warp slots",
        Limiter::Blocks => "block slots",
        Limiter::Registers => "registers",
        Limiter::Shared => "shared memory",
    }
}

/// The limiters, as the start of a sentence: `Registers and shared memory allow`.
pub(in crate::scene) fn limiters_allow(occupancy: &Occupancy) -> String {
    let names: Vec<&str> = occupancy.limiters().map(limiter_name).collect();
    let verb = if names == ["shared memory"] {
        "allows"
    } else {
        "allow"
    };
    let names = match names.as_slice() {
        [one] => (*one).to_owned(),
        [one, other] => format!("{one} and {other}"),
        all => format!("{} limits", count_word(all.len() as u64)),
    };
    format!("{} {verb}", capital(&names))
}

/// How much of a resource a block needs and why, as a long and a short text.
pub(super) fn need_texts(plan: &Plan, limiter: Limiter) -> [String; 2] {
    let (rules, needs, occupancy) = (&plan.arch.occupancy, &plan.needs, &plan.occupancy);
    match limiter {
        Limiter::Warps => {
            let text = format!(
                "{} per block: {}",
                counted(needs.threads_per_block.into(), "thread"),
                counted(occupancy.warps_per_block.into(), "warp")
            );
            [text.clone(), text]
        }
        Limiter::Blocks => {
            let text = format!(
                "{} per SM",
                counted(rules.max_blocks_per_sm.value.into(), "block slot")
            );
            [text.clone(), text]
        }
        Limiter::Registers => {
            let unit = thousands(rules.register_unit.value.into());
            let scope = match rules.register_scope.value {
                RegisterScope::Block => "per block",
                RegisterScope::Warp | RegisterScope::WarpOfPartition => "per warp",
            };
            let files = rules.register_partitions.value;
            let files = if files > 1 {
                format!(", from {files} register files")
            } else {
                String::new()
            };
            let per_block = thousands(occupancy.allocated_registers_per_block.into());
            let short = format!("{} per thread: {per_block} per block", needs.registers_per_thread);
            [format!("{short}, in units of {unit} {scope}{files}"), short]
        }
        Limiter::Shared => {
            let reserved = rules.shared_reserved_bytes.value;
            let mut parts = vec![format!("{} static", thousands(needs.static_shared.into()))];
            parts.push(format!("{} dynamic", thousands(needs.dynamic_shared.into())));
            if reserved > 0 {
                parts.push(format!("{} reserved", thousands(reserved.into())));
            }
            let per_block = thousands(occupancy.allocated_shared_per_block.into());
            let short = format!("{}: {per_block} B per block", parts.join(" + "));
            let unit = rules.shared_unit_bytes.value;
            [format!("{short}, in units of {unit} B"), short]
        }
    }
}

/// The capacity of a resource. The blocks that fit count the largest carveout; the run can have a smaller one, which the
/// driver selects because it does not limit the blocks.
pub(super) fn capacity_text(plan: &Plan, amount: &Amount) -> String {
    let now = amount.text(amount.capacity);
    let limit = plan.occupancy.limit(amount.limiter).map_or(0, u64::from);
    let most = plan.arch.occupancy.carveouts_kib.value.iter().max();
    match most {
        Some(most) if amount.limiter == Limiter::Shared && limit * amount.per_block > amount.capacity => {
            format!("{now}, up to {most} KB")
        }
        _ => now,
    }
}

/// A size in KB if it is a whole number of KB, else in bytes.
pub(in crate::scene) fn bytes_text(bytes: u64) -> String {
    if bytes >= 1024 && bytes.is_multiple_of(1024) {
        format!("{} KB", bytes / 1024)
    } else {
        format!("{} B", thousands(bytes))
    }
}
