//! Why a warp stalls at a barrier of its block, and why a slot holds no warp.

use super::Chain;
use super::prose::{Link, code, cycle, listed, occupancy, prose, warp};
use super::warp::{code_rings, first_answer, last_issue, next_pc, stall_question, until, warp_rings};
use crate::scene::{barrier_arrivals, counted, state_description};
use engine::ids::SlotIdx;
use engine::sim::{WaitCause, WarpState};
use engine::trace::Frame;

/// Missing warps that an answer names.
const NAMED: usize = 3;

/// Explains the stall at a barrier of the block.
pub(super) fn barrier(chain: &mut Chain, slot: SlotIdx, cause: WaitCause) {
    let frame = chain.frame;
    let name = frame.warp_name(slot);
    let pc = next_pc(frame, slot);
    let WaitCause::Barrier {
        id,
        arrived,
        expected,
    } = cause
    else {
        let resumes = match cause {
            WaitCause::Until(at) => format!(" The warp resumes {}.", until(frame, at)),
            _ => String::new(),
        };
        let text = format!("All warps of the block have arrived, and the barrier releases {name}.{resumes}");
        chain.answer(stall_question(&name), prose(&text, &[]), warp_rings(slot));
        return;
    };
    let (arrived, expected) = barrier_arrivals(frame, arrived, expected);
    let which = if id == 0 {
        "[__syncthreads()]".to_owned()
    } else {
        format!("barrier {id}")
    };
    let text = format!(
        "{name} stalls at {which}, in ~. *{arrived}* of the block's *{expected}* warps have arrived."
    );
    chain.answer(
        stall_question(&name),
        prose(&text, &[code(frame, pc)]),
        warp_rings(slot),
    );
    let missing = missing_warps(frame, slot);
    if missing.is_empty() || !chain.goes_on() {
        return;
    }
    let names: Vec<String> = missing
        .iter()
        .take(NAMED)
        .map(|missing| format!("~ {}", state_description(frame.state(*missing))))
        .collect();
    let links: Vec<Link> = missing
        .iter()
        .take(NAMED)
        .map(|slot| warp(frame, *slot))
        .collect();
    let more = match missing.len().saturating_sub(NAMED) {
        0 => String::new(),
        num => format!(
            " *{}* missing, too.",
            if num == 1 {
                "1 more warp is".to_owned()
            } else {
                format!("{num} more warps are")
            }
        ),
    };
    let text = format!("{}.{more}", listed(&names));
    let rings = warp_rings(missing[0]);
    chain.answer("Which warps are missing?", prose(&text, &links), rings);
    let late = missing[0];
    if chain.goes_on()
        && let Some(answer) = first_answer(frame, late)
    {
        let rings = code_rings(frame, next_pc(frame, late));
        chain.answer(answer.question, answer.text, rings);
    }
}

/// The warps of the block in a slot that have not arrived at its barrier, the one with the oldest issue first.
fn missing_warps(frame: &Frame, slot: SlotIdx) -> Vec<SlotIdx> {
    let blocks = &frame.snapshot().blocks;
    let Some(block) = blocks.iter().find(|block| block.slots.contains(&slot)) else {
        return Vec::new();
    };
    let is_missing = |other: &SlotIdx| {
        !matches!(
            frame.state(*other),
            WarpState::Barrier | WarpState::Empty | WarpState::Drain
        )
    };
    let mut missing: Vec<SlotIdx> = block.slots.iter().copied().filter(is_missing).collect();
    missing.sort_by_key(|slot| last_issue(frame, *slot).map(|issue| issue.cycle));
    missing
}

/// Explains when and why the block of a warp became resident.
pub(super) fn arrival(chain: &mut Chain, slot: SlotIdx) {
    let frame = chain.frame;
    let record = frame.record();
    let Some(block) = record.block_at(slot, frame.cycle()) else {
        return;
    };
    let Some(span) = record.blocks().iter().find(|span| span.block == block) else {
        return;
    };
    let ended = record
        .blocks()
        .iter()
        .filter(|other| other.finished.is_some_and(|finished| finished <= span.started))
        .max_by_key(|other| other.finished);
    let (text, links) = match ended.and_then(|ended| Some((ended.block, ended.finished?))) {
        Some((ended, finished)) => (
            format!(
                "Block {} finished at ~ and freed its resources. Block {} took them at ~.",
                ended.0, block.0
            ),
            vec![cycle(finished), cycle(span.started)],
        ),
        None => (
            format!("Block {} is among the first blocks of the launch, at ~.", block.0),
            vec![cycle(span.started)],
        ),
    };
    chain.answer("Why did the warp start then?", prose(&text, &links), Vec::new());
}

/// Explains why a slot holds no warp.
pub(super) fn empty_slot(chain: &mut Chain, slot: SlotIdx) {
    let frame = chain.frame;
    let record = frame.record();
    let (text, links) = match record.tenancy(slot, frame.cycle()) {
        Some(_) => {
            let name = frame.warp_name(slot);
            let end = frame.run(slot).map_or(frame.cycle(), |run| run.start);
            (
                format!("{name} of this slot finished at ~, and no warp has taken the slot since."),
                vec![cycle(engine::ids::Cycle(end.0.saturating_sub(1)))],
            )
        }
        None => (
            "No warp has been resident in this slot yet.".to_owned(),
            Vec::new(),
        ),
    };
    let question = format!("Why is slot {} empty?", slot.0);
    chain.answer(question, prose(&text, &links), warp_rings(slot));
    let Some(progress) = frame.snapshot().progress else {
        return;
    };
    if !chain.goes_on() {
        return;
    }
    let resident = frame.snapshot().blocks.len() as u64;
    if progress.started == progress.num_blocks {
        let text = format!(
            "All *{}* of the grid have started, and *{}* resident. No block is left for the slot.",
            counted(progress.num_blocks.into(), "block"),
            if resident == 1 {
                "1 is".to_owned()
            } else {
                format!("{resident} are")
            }
        );
        chain.answer("Why does no warp take it?", prose(&text, &[]), Vec::new());
        return;
    }
    let text = format!(
        "*{}* resident, and ~ allows at most *{}* blocks of this kernel.",
        if resident == 1 {
            "1 block is".to_owned()
        } else {
            format!("{resident} blocks are")
        },
        progress.resident_limit
    );
    chain.answer(
        "Why does no warp take it?",
        prose(&text, &[occupancy("the occupancy")]),
        Vec::new(),
    );
    let limits = limits(frame);
    if !limits.is_empty() && chain.goes_on() {
        let text = format!("The limit is {}.", listed(&limits));
        chain.answer("What limits the blocks?", prose(&text, &[]), Vec::new());
    }
}

/// The resources that limit the resident blocks.
fn limits(frame: &Frame) -> Vec<String> {
    let found = frame.trace().occupancy();
    let limits = [
        (
            Some(found.limit_warps),
            format!(
                "the warp slots, at {} a block",
                counted(found.warps_per_block.into(), "warp")
            ),
        ),
        (Some(found.limit_blocks), "the block slots of the SM".to_owned()),
        (
            found.limit_registers,
            format!(
                "the register file, at {} registers a block",
                crate::scene::thousands(found.allocated_registers_per_block.into())
            ),
        ),
        (
            found.limit_shared,
            format!(
                "shared memory, at {} bytes a block",
                crate::scene::thousands(found.allocated_shared_per_block.into())
            ),
        ),
    ];
    limits
        .into_iter()
        .filter(|(limit, _)| *limit == Some(found.blocks_per_sm))
        .map(|(_, text)| text)
        .collect()
}
