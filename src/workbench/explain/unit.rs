//! Why a pipe is busy, and why a queue is full.

use super::prose::{code, cycle, listed, prose, request, unit, warp};
use super::warp::{issue_rings, next_pc, stall_question, until, warp_rings};
use super::{Chain, request as requests};
use crate::scene::{Target, cited, counted, request_name};
use engine::arch::{PipeKind, PipeScope};
use engine::ids::{Cycle, SlotIdx};
use engine::sim::view::{InFlight, QueueEntry};
use engine::sim::{RequestKind, WaitCause};
use engine::trace::{AccessRow, Frame};

/// The target of a pipe in the SM view.
pub(super) fn pipe_target(frame: &Frame, kind: PipeKind, scheduler: u8) -> Target {
    let pipes = &frame.arch().pipes;
    let idx = pipes.iter().position(|pipe| pipe.kind == kind).unwrap_or(0);
    let shared = pipes.get(idx).is_some_and(|pipe| pipe.scope == PipeScope::Sm);
    Target::Pipe {
        scheduler: if shared { u8::MAX } else { scheduler },
        pipe: idx as u8,
    }
}

/// The instruction that holds a pipe the longest.
pub(super) fn holding(frame: &Frame, kind: PipeKind, scheduler: u8) -> Option<InFlight> {
    let now = frame.cycle();
    frame
        .snapshot()
        .pipes
        .iter()
        .filter(|pipe| pipe.kind == kind && pipe.scheduler.is_none_or(|of| of == scheduler))
        .flat_map(|pipe| pipe.in_flight.iter().copied())
        .filter(|flight| flight.started <= now && flight.accepted > now)
        .max_by_key(|flight| flight.accepted)
}

/// Explains a stall on a busy pipe.
pub(super) fn busy_pipe(chain: &mut Chain, slot: SlotIdx, kind: PipeKind, free: Cycle) {
    let frame = chain.frame;
    let (name, scheduler) = (frame.warp_name(slot), frame.scheduler(slot));
    let target = pipe_target(frame, kind, scheduler);
    let text = format!(
        "The next instruction of {name}, ~, needs ~. The pipe accepts its next instruction {}.",
        until(frame, free)
    );
    let pipe = unit(format!("the {} pipe", kind.text()), target);
    let links = [code(frame, next_pc(frame, slot)), pipe];
    chain.answer(stall_question(&name), prose(&text, &links), warp_rings(slot));
    if chain.goes_on() {
        holder(chain, kind, scheduler);
    }
}

/// Explains which instruction holds a pipe, and for how long.
pub(super) fn holder(chain: &mut Chain, kind: PipeKind, scheduler: u8) {
    let frame = chain.frame;
    let target = pipe_target(frame, kind, scheduler);
    let question = format!("Why is the {} busy?", pipe_name(kind));
    let Some(flight) = holding(frame, kind, scheduler) else {
        let text = format!(
            "No instruction occupies the {} in this cycle: it accepts the next instruction in its turn.",
            pipe_name(kind)
        );
        chain.answer(question, prose(&text, &[]), vec![target]);
        return;
    };
    let mut rings = vec![target];
    rings.extend(issue_rings(frame, flight.slot, flight.pc, flight.started));
    let text = format!(
        "~ of ~ entered it at ~ and occupies it for *{}*.",
        counted(flight.accepted.0 - flight.started.0, "cycle")
    );
    let links = [
        code(frame, flight.pc),
        warp(frame, flight.slot),
        cycle(flight.started),
    ];
    chain.answer(question, prose(&text, &links), rings);
    if chain.goes_on() {
        occupancy(chain, kind, &flight);
    }
}

/// `LSU`, but `FP32 pipe`.
pub(super) fn pipe_name(kind: PipeKind) -> String {
    match kind {
        PipeKind::Lsu | PipeKind::Xu | PipeKind::Adu | PipeKind::Branch => kind.text().to_owned(),
        _ => format!("{} pipe", kind.text()),
    }
}

/// Why an instruction occupies a pipe for some cycles.
fn occupancy(chain: &mut Chain, kind: PipeKind, flight: &InFlight) {
    let frame = chain.frame;
    let held = flight.accepted.0 - flight.started.0;
    let shared = frame
        .record()
        .shared_access_at(frame.cycle(), 1)
        .and_then(|idx| Some((idx, frame.record().access(idx)?)))
        .filter(|(_, row)| (row.slot, row.pc) == (flight.slot, flight.pc));
    if let (PipeKind::Lsu, Some((idx, row))) = (kind, shared) {
        requests::wavefronts(chain, idx, &row);
        return;
    }
    let cost = frame
        .instruction(flight.pc)
        .and_then(|instruction| frame.arch().cost(instruction.class()));
    let pipe = frame.arch().pipes.iter().find(|pipe| pipe.kind == kind);
    let (Some(cost), Some(pipe)) = (cost, pipe) else {
        return;
    };
    let mnemonic = frame.mnemonic(flight.pc);
    chain.cite(cited(
        &format!("{mnemonic} occupies the {} pipe for", kind.text()),
        &cost.occupancy_cycles,
        "cycles",
    ));
    let own = u64::from(cost.occupancy_cycles.value);
    let lanes = if pipe.kind == PipeKind::Tensor {
        counted(pipe.lanes.value.into(), "core")
    } else {
        counted(pipe.lanes.value.into(), "lane")
    };
    let text = if held == own && own * u64::from(pipe.lanes.value) != 32 {
        format!(
            "The {} executes {mnemonic} at a lower rate than its *{lanes}* allow: a warp occupies a unit for *{}*.",
            pipe_name(kind),
            counted(own, "cycle")
        )
    } else if held == own {
        format!(
            "A unit of the {} has *{lanes}*, and a warp has 32. {mnemonic} occupies it for *{}*.",
            pipe_name(kind),
            counted(own, "cycle")
        )
    } else {
        format!(
            "{mnemonic} occupies the {} for at least *{}*. This one takes *{}*, because of its addresses or of other instructions.",
            pipe_name(kind),
            counted(own, "cycle"),
            counted(held, "cycle")
        )
    };
    chain.answer(
        format!("Why {}?", counted(held, "cycle")),
        prose(&text, &[]),
        Vec::new(),
    );
}

/// Explains a stall on a full MIO queue.
pub(super) fn full_mio(chain: &mut Chain, slot: SlotIdx) {
    let frame = chain.frame;
    let (name, scheduler) = (frame.warp_name(slot), frame.scheduler(slot));
    let entries: Vec<QueueEntry> = frame
        .snapshot()
        .schedulers
        .iter()
        .find(|view| view.index == scheduler)
        .map(|view| view.queue.clone())
        .unwrap_or_default();
    let queue = Target::Queue { scheduler };
    first_of_queue(
        chain,
        slot,
        ("MIO queue", format!("of scheduler {scheduler}")),
        queue,
    );
    chain.cite(cited(
        "MIO queue",
        &frame.arch().memory.queues.mio_entries,
        "entries",
    ));
    let question = format!("Why does {name} stall?");
    debug_assert!(
        chain
            .found
            .answers
            .last()
            .is_some_and(|answer| answer.question == question)
    );
    let Some(first) = entries.first().copied() else {
        return;
    };
    if !chain.goes_on() {
        return;
    }
    if first.pipe == PipeKind::Lsu
        && let Some((idx, row)) = conflict_in_service(frame)
    {
        let text = format!(
            "Its oldest entry, ~ of ~, leaves for the [LSU] {}. The LSU serves ~ of ~ and needs *{}* for it.",
            until(frame, first.leaves),
            counted(row.wavefronts.into(), "wavefront")
        );
        let links = [
            code(frame, first.pc),
            warp(frame, first.slot),
            request(format!("the {}", request_name(row.kind).to_lowercase()), idx),
            warp(frame, row.slot),
        ];
        let rings = vec![queue, pipe_target(frame, PipeKind::Lsu, scheduler)];
        chain.answer("Why is the queue full?", prose(&text, &links), rings);
        if chain.goes_on() {
            requests::wavefronts(chain, idx, &row);
        }
        return;
    }
    let behind = kinds(frame, &entries[1..]);
    let text = format!(
        "Its oldest entry, ~ of ~, leaves for the {} {}.{behind}",
        first.pipe.text(),
        until(frame, first.leaves)
    );
    let links = [code(frame, first.pc), warp(frame, first.slot)];
    chain.answer("Why is the queue full?", prose(&text, &links), vec![queue]);
    if chain.goes_on() {
        holder(chain, first.pipe, scheduler);
    }
}

/// The shared-memory request in service, if its lanes conflict.
fn conflict_in_service(frame: &Frame) -> Option<(u32, AccessRow)> {
    let idx = frame.record().shared_access_at(frame.cycle(), 1)?;
    let row = frame.record().access(idx)?;
    (row.wavefronts > row.ideal_wavefronts).then_some((idx, row))
}

/// `Behind it are 4 LDS and 3 STS.`
fn kinds(frame: &Frame, entries: &[QueueEntry]) -> String {
    let mut counts: Vec<(String, usize)> = Vec::new();
    for entry in entries {
        let name = frame.mnemonic(entry.pc);
        match counts.iter_mut().find(|(of, _)| *of == name) {
            Some((_, num)) => *num += 1,
            None => counts.push((name, 1)),
        }
    }
    if counts.is_empty() {
        return String::new();
    }
    counts.sort_by_key(|(name, num)| (std::cmp::Reverse(*num), name.clone()));
    let names: Vec<String> = counts
        .iter()
        .map(|(name, num)| format!("*{num}* {name}"))
        .collect();
    let is = if entries.len() == 1 { "is" } else { "are" };
    format!(" Behind it {is} {}.", listed(&names))
}

/// The first answer of a stall on a full queue.
fn first_of_queue(chain: &mut Chain, slot: SlotIdx, (queue, whose): (&str, String), target: Target) {
    let frame = chain.frame;
    let name = frame.warp_name(slot);
    let full = match frame.cause(slot) {
        WaitCause::Queue { used, capacity } => {
            format!("The queue is full: *{used} of {capacity}* entries are in use.")
        }
        _ => "The queue accepts no further instruction.".to_owned(),
    };
    let text = format!("The next instruction of {name}, ~, enters the [{queue}] ~. {full}");
    let links = [code(frame, next_pc(frame, slot)), unit(whose, target)];
    chain.answer(stall_question(&name), prose(&text, &links), warp_rings(slot));
}

/// Explains a stall on a full LG queue.
pub(super) fn full_lg(chain: &mut Chain, slot: SlotIdx) {
    let frame = chain.frame;
    let target = pipe_target(frame, PipeKind::Lsu, frame.scheduler(slot));
    first_of_queue(chain, slot, ("LG queue", "of the SM".to_owned()), target);
    chain.cite(cited(
        "LG queue",
        &frame.arch().memory.queues.lg_entries,
        "entries",
    ));
    let (entries, _) = frame
        .trace()
        .with_machine(frame.cycle(), engine::sim::Machine::lg_queue);
    let Some(first) = entries.first().copied() else {
        return;
    };
    if !chain.goes_on() {
        return;
    }
    let behind = kinds(frame, &entries[1..]);
    let text = format!(
        "Its oldest entry, ~ of ~, entered at ~ and leaves {}.{behind}",
        until(frame, first.leaves)
    );
    let links = [
        code(frame, first.pc),
        warp(frame, first.slot),
        cycle(first.entered),
    ];
    chain.answer("Why is the queue full?", prose(&text, &links), vec![target]);
    // The request that keeps the units busy is the oldest one with data still to send.
    let now = frame.cycle();
    let busy = frame
        .record()
        .accesses_in_flight(now, 4096)
        .filter(|(_, row)| !row.kind.is_shared() && row.started <= now)
        .max_by_key(|(_, row)| (row.started, row.transactions));
    if let Some((idx, row)) = busy
        && chain.goes_on()
    {
        let text = format!(
            "The units began ~ of ~ at ~. It has *{}* in *{}*.",
            counted(row.transactions.into(), "transaction"),
            counted(row.requests.into(), "request")
        );
        let links = [
            request(format!("the {}", request_name(row.kind).to_lowercase()), idx),
            warp(frame, row.slot),
            cycle(row.started),
        ];
        let rings = super::result::request_rings(frame, idx, &row);
        chain.answer("What do the units serve?", prose(&text, &links), rings);
    }
}

/// Explains a stall on a full texture queue.
pub(super) fn full_tex(chain: &mut Chain, slot: SlotIdx) {
    let frame = chain.frame;
    let target = pipe_target(frame, PipeKind::Lsu, frame.scheduler(slot));
    first_of_queue(
        chain,
        slot,
        ("TEX queue", "of the texture units".to_owned()),
        target,
    );
    let now = frame.cycle();
    let open: Vec<_> = frame
        .record()
        .accesses_in_flight(now, 4096)
        .filter(|(_, row)| row.kind == RequestKind::TextureLoad)
        .collect();
    if let Some((idx, row)) = open.iter().min_by_key(|(_, row)| row.done)
        && chain.goes_on()
    {
        let text = format!(
            "*{}* in flight. The first to complete is ~ of ~, at ~.",
            match open.len() {
                1 => "1 texture fetch is".to_owned(),
                num => format!("{num} texture fetches are"),
            }
        );
        let links = [request("the fetch", *idx), warp(frame, row.slot), cycle(row.done)];
        let rings = super::result::request_rings(frame, *idx, row);
        chain.answer("Why is the queue full?", prose(&text, &links), rings);
    }
}
