//! The explanation of the view: the launch's numbers, the run's, and who says how they are counted.

use super::bars::bytes_text;
use super::{Plan, limiter_name, limiters_allow};
use crate::scene::inspector::{phrases, source};
use crate::scene::words::{counted, thousands};
use crate::scene::{Facts, Inspection};
use engine::trace::Frame;

/// Explains how the launch fills the SM.
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
            "{} *{}*. One more would need *{}*; *{}* are left.",
            limiters_allow(occupancy),
            counted(blocks, "block"),
            amount.text(amount.per_block),
            amount.text(amount.left)
        ),
        None => format!(
            "{} *{}*, and nothing of what limits is left over.",
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
        ("threads a block", thousands(needs.threads_per_block.into())),
        ("warps a block", occupancy.warps_per_block.to_string()),
        ("registers a thread", needs.registers_per_thread.to_string()),
        ("registers a block is given", thousands(registers)),
        ("static shared memory", bytes_text(needs.static_shared.into())),
        ("dynamic shared memory", bytes_text(needs.dynamic_shared.into())),
        (
            "shared memory a block is given",
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
            facts("Blocks that each limit allows", limits),
            facts("This launch", launch),
            facts("Warps of this run", run),
        ],
        sources: vec![
            source("Warp slots", &rules.max_warps_per_sm, "warps"),
            source("Block slots", &rules.max_blocks_per_sm, "blocks"),
            source(
                "Threads of a block at most",
                &rules.max_threads_per_block,
                "threads",
            ),
            source("Registers of the SM", &rules.registers_per_sm, ""),
            source(
                "Registers of a thread at most",
                &rules.max_registers_per_thread,
                "",
            ),
            source("Registers are given in units of", &rules.register_unit, ""),
            source("Register files", &rules.register_partitions, ""),
            source("Shared memory of the SM at most", &rules.shared_per_sm_kib, "KB"),
            source(
                "Shared memory is given in units of",
                &rules.shared_unit_bytes,
                "B",
            ),
            source(
                "The system's share of each block",
                &rules.shared_reserved_bytes,
                "B",
            ),
        ],
        ..Inspection::default()
    }
}

/// The reason of each resource, for tooltips and tests.
#[cfg(test)]
pub(super) fn reasons(frame: &Frame) -> Vec<String> {
    let plan = Plan::of(frame);
    let of = |amount: &super::Amount| super::bars::reason(&plan, amount.limiter)[0].clone();
    plan.amounts().iter().map(of).collect()
}
