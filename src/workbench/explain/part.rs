//! Why a scheduler issues or does not, why a pipe is busy, and why a block is still resident.

use super::prose::{Link, code, cycle, listed, prose, unit, warp};
use super::warp::{last_issue, next_pc};
use super::{Chain, block, unit as units, warp as warps};
use crate::scene::{Part, Target, counted};
use engine::arch::PipeKind;
use engine::ids::{BlockId, SlotIdx};
use engine::sim::WarpState;
use engine::trace::Frame;

/// Explains a part of the SM.
pub(super) fn explain(chain: &mut Chain, part: Part) {
    match part {
        Part::Scheduler(of) => scheduler(chain, of),
        Part::Pipe(of, pipe) => {
            let pipes = &chain.frame.arch().pipes;
            if let Some(kind) = pipes.get(usize::from(pipe)).map(|pipe| pipe.kind) {
                self::pipe(chain, of, kind);
            }
        }
        Part::Block(of) => resident(chain, BlockId(of)),
    }
}

/// The slots of a scheduler that hold a warp.
fn slots_of(frame: &Frame, scheduler: u8) -> Vec<SlotIdx> {
    (0..frame.record().num_slots() as u16)
        .map(SlotIdx)
        .filter(|slot| frame.scheduler(*slot) == scheduler && frame.state(*slot) != WarpState::Empty)
        .collect()
}

/// States with the number of these warps in them, the most frequent first.
fn counts(frame: &Frame, slots: &[SlotIdx]) -> Vec<(WarpState, usize)> {
    let mut counts: Vec<(WarpState, usize)> = Vec::new();
    for slot in slots {
        let state = frame.state(*slot);
        match counts.iter_mut().find(|(of, _)| *of == state) {
            Some((_, num)) => *num += 1,
            None => counts.push((state, 1)),
        }
    }
    counts.sort_by_key(|(state, num)| (std::cmp::Reverse(*num), *state));
    counts
}

/// The warp that waits longest since its last issue.
fn longest(frame: &Frame, slots: &[SlotIdx]) -> Option<SlotIdx> {
    let since = |slot: &SlotIdx| last_issue(frame, *slot).map(|issue| issue.cycle);
    slots.iter().copied().min_by_key(since)
}

fn scheduler(chain: &mut Chain, scheduler: u8) {
    let frame = chain.frame;
    let rings = vec![Target::Scheduler(scheduler)];
    let slots = slots_of(frame, scheduler);
    let issuing = slots
        .iter()
        .copied()
        .find(|slot| frame.state(*slot) == WarpState::Selected);
    if let Some(slot) = issuing {
        let links = [warp(frame, slot), code(frame, next_pc(frame, slot))];
        chain.answer(
            format!("Why does scheduler {scheduler} issue?"),
            prose("~ is eligible with ~, and the scheduler selects it.", &links),
            rings,
        );
        if chain.goes_on() {
            warps::explain(chain, slot);
        }
        return;
    }
    let question = format!("Why does scheduler {scheduler} issue nothing?");
    if slots.is_empty() {
        let text = format!("No warp is resident on scheduler {scheduler} in this cycle.");
        chain.answer(question, prose(&text, &[]), rings);
        if chain.goes_on()
            && let Some(slot) = first_slot(frame, scheduler)
        {
            block::empty_slot(chain, slot);
        }
        return;
    }
    let found = counts(frame, &slots);
    let eligible = found.iter().find(|(state, _)| *state == WarpState::NotSelected);
    let names: Vec<String> = found
        .iter()
        .map(|(state, num)| format!("*{num}* in [{}]", state.name()))
        .collect();
    let text = if eligible.is_some() {
        format!("Its issue port is busy. Its warps: {}.", listed(&names))
    } else {
        format!(
            "None of its *{}* is eligible: {}.",
            counted(slots.len() as u64, "warp"),
            listed(&names)
        )
    };
    chain.answer(question, prose(&text, &[]), rings);
    // The state that most of the warps share, and the warp that waits longest in it.
    let state = eligible.map_or(found[0].0, |(state, _)| *state);
    let of: Vec<SlotIdx> = slots
        .into_iter()
        .filter(|slot| frame.state(*slot) == state)
        .collect();
    if chain.goes_on()
        && let Some(slot) = longest(frame, &of)
    {
        warps::explain(chain, slot);
    }
}

/// The first slot of a scheduler.
fn first_slot(frame: &Frame, scheduler: u8) -> Option<SlotIdx> {
    (0..frame.record().num_slots() as u16)
        .map(SlotIdx)
        .find(|slot| frame.scheduler(*slot) == scheduler)
}

fn pipe(chain: &mut Chain, scheduler: u8, kind: PipeKind) {
    let frame = chain.frame;
    if units::holding(frame, kind, scheduler).is_some() {
        units::holder(chain, kind, scheduler);
        return;
    }
    let name = units::pipe_name(kind);
    let target = units::pipe_target(frame, kind, scheduler);
    let (text, links) = if scheduler == u8::MAX {
        (
            "No instruction enters it in this cycle, and no scheduler issues one to it.",
            Vec::new(),
        )
    } else {
        let link = unit(format!("scheduler {scheduler}"), Target::Scheduler(scheduler));
        (
            "No instruction enters it in this cycle, and ~ issues none to it.",
            vec![link],
        )
    };
    chain.answer(
        format!("Why is the {name} idle?"),
        prose(text, &links),
        vec![target],
    );
    if scheduler != u8::MAX && chain.goes_on() {
        self::scheduler(chain, scheduler);
    }
}

fn resident(chain: &mut Chain, of: BlockId) {
    let frame = chain.frame;
    let record = frame.record();
    let spans = record.blocks().iter();
    let Some(span) = spans
        .filter(|span| span.block == of)
        .find(|span| span.started <= frame.cycle())
    else {
        return;
    };
    let rings = vec![Target::SharedBlock(of.0)];
    if let Some(end) = span.finished.filter(|end| *end <= frame.cycle()) {
        let text = format!("All warps of block {} have exited: it finished at ~.", of.0);
        let question = format!("Why is block {} not resident?", of.0);
        chain.answer(question, prose(&text, &[cycle(end)]), rings);
        return;
    }
    let running: Vec<SlotIdx> = span
        .slots
        .iter()
        .copied()
        .filter(|slot| frame.state(*slot) != WarpState::Empty)
        .collect();
    let names: Vec<String> = counts(frame, &running)
        .iter()
        .map(|(state, num)| format!("*{num}* in [{}]", state.name()))
        .collect();
    let text = format!(
        "*{} of {}* have not exited: {}.",
        running.len(),
        counted(span.slots.len() as u64, "warp"),
        listed(&names)
    );
    let question = format!("Why is block {} still resident?", of.0);
    chain.answer(question, prose(&text, &[]), rings);
    let Some(slot) = longest(frame, &running) else {
        return;
    };
    if chain.goes_on() {
        let links: Vec<Link> = match last_issue(frame, slot) {
            Some(issue) => vec![warp(frame, slot), code(frame, issue.pc), cycle(issue.cycle)],
            None => vec![warp(frame, slot)],
        };
        let text = if links.len() == 1 {
            "~ has not issued an instruction yet."
        } else {
            "~, which issued ~ at ~. No other warp of the block waits longer since its last issue."
        };
        chain.answer(
            "Which warp waits longest?",
            prose(text, &links),
            warps::warp_rings(slot),
        );
    }
    if chain.goes_on() {
        warps::explain(chain, slot);
    }
}
