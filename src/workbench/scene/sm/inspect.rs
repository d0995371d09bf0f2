//! The inspector's facts about a scheduler, a pipe, or a block.

use super::super::inspector::{Facts, Inspection, bars, cited, cited_policy, phrases};
use super::super::{Mark, Part};
use crate::words::{capital, counted, thousands};
use engine::arch::{Pipe, PipeKind, PipeScope};
use engine::ids::{BlockId, SlotIdx};
use engine::sim::WarpState;
use engine::sim::view::{BlockView, InFlight};
use engine::trace::{BlockSpan, Frame};

/// Whether the SM has this part: a block has started by the cycle of the frame.
pub fn has_part(frame: &Frame, part: Part) -> bool {
    match part {
        Part::Scheduler(scheduler) => usize::from(scheduler) < frame.record().num_schedulers(),
        Part::Pipe(scheduler, pipe) => {
            let shared = scheduler == u8::MAX;
            frame.arch().pipes.get(usize::from(pipe)).is_some_and(|pipe| {
                (pipe.scope == PipeScope::Sm) == shared
                    && (shared || usize::from(scheduler) < frame.record().num_schedulers())
            })
        }
        Part::Block(block) => span(frame, block).is_some(),
    }
}

/// The inspector's facts about a part; `None` if the SM does not have it.
pub fn inspect_part(frame: &Frame, part: Part) -> Option<Inspection> {
    has_part(frame, part).then_some(())?;
    match part {
        Part::Scheduler(scheduler) => Some(inspect_scheduler(frame, scheduler)),
        Part::Pipe(scheduler, pipe) => {
            let pipe = frame.arch().pipes.get(usize::from(pipe))?;
            Some(inspect_pipe(frame, scheduler, pipe))
        }
        Part::Block(block) => inspect_block(frame, span(frame, block)?),
    }
}

/// The stay of a block on the SM, if it has started.
fn span<'f>(frame: &Frame<'f>, block: u32) -> Option<&'f BlockSpan> {
    let spans = frame.record().blocks().iter();
    spans
        .filter(|span| span.block == BlockId(block))
        .find(|span| span.started <= frame.cycle())
}

/// The number of these slots in each state.
fn states(frame: &Frame, slots: impl Iterator<Item = SlotIdx>) -> [u64; WarpState::ALL.len()] {
    let mut counts = [0; WarpState::ALL.len()];
    for slot in slots {
        counts[frame.state(slot) as usize] += 1;
    }
    counts
}

fn resident(counts: &[u64]) -> u64 {
    counts[1..].iter().sum()
}

fn inspect_scheduler(frame: &Frame, scheduler: u8) -> Inspection {
    let all = (0..frame.record().num_slots() as u16).map(SlotIdx);
    let own: Vec<SlotIdx> = all.filter(|slot| frame.scheduler(*slot) == scheduler).collect();
    let counts = states(frame, own.iter().copied());
    let num = resident(&counts);
    let issuing = own.iter().find(|slot| frame.state(**slot) == WarpState::Selected);
    let eligible = counts[WarpState::NotSelected as usize];
    let (mark, state, why) = match issuing {
        Some(slot) => (
            Mark::Issue,
            "Issues",
            format!(
                "It issues {} of {}; *{}* eligible beside it.",
                frame.opcode(*slot),
                frame.warp_name(*slot),
                match eligible {
                    1 => "1 warp is".to_owned(),
                    num => format!("{num} warps are"),
                }
            ),
        ),
        None if num == 0 => (
            Mark::Idle,
            "No warp",
            "No warp is resident on it in this cycle.".to_owned(),
        ),
        None if eligible > 0 => (
            Mark::Eligible,
            "Issue port busy",
            format!("*{}* eligible, but the issue port is busy.", are(eligible)),
        ),
        None => (
            Mark::Idle,
            "No eligible warp",
            format!(
                "All *{}* of it stall in this cycle.",
                counted(num, "resident warp")
            ),
        ),
    };
    let bits = frame.record().issue_bits(frame.cycle());
    let used = bits
        .get(usize::from(scheduler))
        .map_or(0, |bits| bits.count_ones());
    let views = &frame.snapshot().schedulers;
    let mut rows = vec![("Used issue slots".to_owned(), format!("{used} of the last 32"))];
    if let Some(view) = views.iter().find(|view| view.index == scheduler)
        && view.queue_capacity > 0
    {
        rows.push((
            "MIO queue".to_owned(),
            format!("{} of {} entries", view.queue.len(), view.queue_capacity),
        ));
    }
    let issue = &frame.arch().issue;
    Inspection {
        title: format!("Scheduler {scheduler}"),
        place: format!("{num} of {} resident", counted(own.len() as u64, "warp slot")),
        state: Some((mark, state.to_owned())),
        why: phrases(&why),
        bars_title: ("Its warps in this cycle".to_owned(), thousands(num)),
        bars: bars(&counts),
        facts: vec![Facts {
            title: "Issue".to_owned(),
            rows,
        }],
        sources: vec![
            cited_policy(&issue.order),
            cited(
                "Issue interval of a scheduler",
                &issue.issue_interval_cycles,
                "cycles",
            ),
        ],
        ..Inspection::default()
    }
}

fn are(num: u64) -> String {
    match num {
        1 => "1 warp is".to_owned(),
        num => format!("{num} warps are"),
    }
}

fn inspect_pipe(frame: &Frame, scheduler: u8, pipe: &'static Pipe) -> Inspection {
    let now = frame.cycle();
    let pipes = &frame.snapshot().pipes;
    let own = pipes
        .iter()
        .filter(|view| view.kind == pipe.kind && view.scheduler.is_none_or(|of| of == scheduler));
    let flights: Vec<InFlight> = own.flat_map(|view| view.in_flight.iter().copied()).collect();
    let busy = flights
        .iter()
        .any(|flight| flight.started <= now && flight.accepted > now);
    let unit = if pipe.kind == PipeKind::Tensor {
        "core"
    } else {
        "lane"
    };
    let lanes = counted(pipe.lanes.value.into(), unit);
    let (mark, state) = if busy {
        (Mark::Issue, "Busy")
    } else {
        (Mark::Idle, "Accepts an instruction")
    };
    let why = match flights.len() {
        0 => "No instruction is in flight.".to_owned(),
        num => format!(
            "*{}* in flight.",
            if num == 1 {
                "1 instruction is".to_owned()
            } else {
                format!("{num} instructions are")
            }
        ),
    };
    let rows = flights.iter().rev().take(8).map(|flight| {
        let text = format!(
            "entered at cycle {}, ready at {}",
            thousands(flight.started.0),
            thousands(flight.done.0)
        );
        (
            format!(
                "{} of {}",
                frame.mnemonic(flight.pc),
                frame.warp_name(flight.slot)
            ),
            text,
        )
    });
    let rows: Vec<_> = rows.collect();
    Inspection {
        title: match pipe.kind {
            PipeKind::Lsu | PipeKind::Xu | PipeKind::Adu | PipeKind::Branch => capital(pipe.kind.text()),
            kind => format!("{} pipe", kind.text()),
        },
        place: if scheduler == u8::MAX {
            "of all schedulers".to_owned()
        } else {
            format!("scheduler {scheduler}")
        },
        state: Some((mark, state.to_owned())),
        why: phrases(&why),
        facts: if rows.is_empty() {
            Vec::new()
        } else {
            vec![Facts {
                title: "Youngest instructions in flight".to_owned(),
                rows,
            }]
        },
        sources: vec![cited(
            &format!("Width of a unit, in {unit}s: {lanes}"),
            &pipe.lanes,
            "",
        )],
        ..Inspection::default()
    }
}

fn inspect_block(frame: &Frame, span: &BlockSpan) -> Option<Inspection> {
    let blocks = &frame.snapshot().blocks;
    let view = blocks.iter().find(|view| view.block == span.block);
    let counts = states(frame, span.slots.iter().copied().filter(|_| view.is_some()));
    let num = resident(&counts);
    let total = span.slots.len() as u64;
    let (mark, state, why) = if view.is_some() {
        (
            Mark::Eligible,
            "Resident",
            format!(
                "*{}* of its *{}* run. It started at cycle {}.",
                num,
                counted(total, "warp"),
                thousands(span.started.0)
            ),
        )
    } else {
        let end = span.finished?;
        (
            Mark::Idle,
            "Finished",
            format!(
                "It ran from cycle {} to cycle {}.",
                thousands(span.started.0),
                thousands(end.0)
            ),
        )
    };
    Some(Inspection {
        title: format!("Block {}", span.block.0),
        place: view.map_or_else(String::new, coordinates),
        state: Some((mark, state.to_owned())),
        why: phrases(&why),
        bars_title: ("Its warps in this cycle".to_owned(), thousands(num)),
        bars: bars(&counts),
        facts: view.map(|view| resources(frame, view)).into_iter().collect(),
        ..Inspection::default()
    })
}

fn coordinates(view: &BlockView) -> String {
    let [x, y, z] = view.index;
    format!("blockIdx ({x}, {y}, {z})")
}

fn resources(frame: &Frame, view: &BlockView) -> Facts {
    let found = frame.trace().occupancy();
    Facts {
        title: "Its resources".to_owned(),
        rows: vec![
            ("Warp slots".to_owned(), view.slots.len().to_string()),
            (
                "Registers".to_owned(),
                thousands(found.allocated_registers_per_block.into()),
            ),
            (
                "Shared memory".to_owned(),
                counted(u64::from(view.shared_bytes), "byte"),
            ),
        ],
    }
}
