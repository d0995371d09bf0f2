//! Why a result that a warp needs is not ready, and why a warp drains its memory accesses.

use super::prose::{Link, code, cycle, listed, prose, request, unit};
use super::warp::{issue_rings, last_issue, next_pc, stall_question, until, warp_rings};
use super::{Chain, cache, request as requests, unit as units};
use crate::scene::{Target, awaited_copies, capital, cited, counted, request_name, thousands};
use engine::ids::{Cycle, Pc, SlotIdx};
use engine::sim::{WaitCause, WarpState};
use engine::trace::{AccessRow, Frame};

/// An instruction that a warp issued, and the cycle in which its result is ready.
type Pending = (Pc, Cycle, Option<Cycle>);

/// Explains a stall on a register or a predicate.
pub(super) fn explain(chain: &mut Chain, slot: SlotIdx, pending: Pending) {
    let frame = chain.frame;
    let (pc, issued, ready) = pending;
    let (what, for_second, is_earliest) = match frame.cause(slot) {
        WaitCause::Register {
            reg,
            for_second,
            is_earliest,
            ..
        } => (format!("R{reg}"), for_second, is_earliest),
        WaitCause::Predicate { pred, for_second, .. } => (format!("P{pred}"), for_second, false),
        WaitCause::Copies { left, .. } => return copies(chain, slot, left, pending),
        _ => return,
    };
    let name = frame.warp_name(slot);
    let at_least = if is_earliest { "at the earliest " } else { "" };
    let when = match ready {
        Some(at) => format!("is ready {at_least}{}", until(frame, at)),
        None => "is ready at a cycle that is not known yet".to_owned(),
    };
    let reader = if for_second {
        "the second instruction of its issue pair, after ~"
    } else {
        "its next instruction, ~"
    };
    let text =
        format!("{name} needs *{what}* for {reader}. {what} is the result of ~, issued at ~, and {when}.");
    let links = [code(frame, next_pc(frame, slot)), code(frame, pc), cycle(issued)];
    chain.answer(stall_question(&name), prose(&text, &links), warp_rings(slot));
    if !chain.goes_on() {
        return;
    }
    let end = ready.unwrap_or(frame.cycle());
    match request_of(frame, slot, pc, issued, end) {
        Some((idx, row)) if row.kind.is_shared() => shared(chain, &what, idx, &row),
        Some((idx, row)) => memory(chain, &what, idx, &row),
        None => computed(chain, slot, &what, pending),
    }
}

/// Explains a wait for copies to shared memory.
fn copies(chain: &mut Chain, slot: SlotIdx, left: u8, (pc, issued, ready): Pending) {
    let frame = chain.frame;
    let name = frame.warp_name(slot);
    let when = ready.map_or_else(String::new, |at| format!(", and lands {}", until(frame, at)));
    let what = awaited_copies(left);
    let text =
        format!("{name} waits at ~ for {what}. The last copy that it waits for is ~, issued at ~{when}.");
    let links = [code(frame, next_pc(frame, slot)), code(frame, pc), cycle(issued)];
    chain.answer(stall_question(&name), prose(&text, &links), warp_rings(slot));
    if !chain.goes_on() {
        return;
    }
    let end = ready.unwrap_or(frame.cycle());
    if let Some((idx, row)) = request_of(frame, slot, pc, issued, end) {
        memory(chain, &what, idx, &row);
    }
}

/// The memory request of an instruction that a warp issued at a cycle.
pub(super) fn request_of(
    frame: &Frame,
    slot: SlotIdx,
    pc: Pc,
    issued: Cycle,
    end: Cycle,
) -> Option<(u32, AccessRow)> {
    let record = frame.record();
    let first = record.first_access_at(issued);
    (first..)
        .map_while(|idx| Some((idx, record.access(idx)?)))
        .take_while(|(_, row)| row.accepted <= end.max(frame.cycle()))
        .find(|(_, row)| (row.slot, row.pc, row.issued) == (slot, pc, issued))
}

/// What pictures show of a request.
pub(super) fn request_rings(frame: &Frame, idx: u32, row: &AccessRow) -> Vec<Target> {
    let mut rings = vec![Target::Access(idx)];
    if row.kind.is_shared() {
        rings.push(units::pipe_target(
            frame,
            engine::arch::PipeKind::Lsu,
            frame.scheduler(row.slot),
        ));
    }
    rings.extend(issue_rings(frame, row.slot, row.pc, row.issued));
    rings
}

/// Why a load from shared memory takes so long.
fn shared(chain: &mut Chain, what: &str, idx: u32, row: &AccessRow) {
    let frame = chain.frame;
    let earliest =
        if row.done > frame.cycle() && frame.snapshot().passes.iter().any(|pass| pass.slot == row.slot) {
            " at the earliest"
        } else {
            ""
        };
    let text = format!(
        "~ takes *{}* in the [LSU]: the first at ~, the last result{earliest} at ~.",
        counted(row.wavefronts.into(), "wavefront"),
    );
    let links = [
        request(format!("The {}", request_name(row.kind).to_lowercase()), idx),
        cycle(row.started),
        cycle(row.done),
    ];
    let rings = request_rings(frame, idx, row);
    chain.answer(format!("Why is {what} not ready?"), prose(&text, &links), rings);
    if chain.goes_on() {
        requests::wavefronts(chain, idx, row);
    }
}

/// Why a load from global, local, constant, or texture memory takes so long.
pub(super) fn memory(chain: &mut Chain, what: &str, idx: u32, row: &AccessRow) {
    let frame = chain.frame;
    let total = row.done.0.saturating_sub(row.issued.0);
    let (served, latency) = requests::served(chain, row);
    let text = format!(
        "~ {served}. {latency}; this request takes *{}*.",
        counted(total, "cycle")
    );
    let name = format!("The {}", request_name(row.kind).to_lowercase());
    let rings = request_rings(frame, idx, row);
    chain.answer(
        format!("Why is {what} not ready?"),
        prose(&text, &[request(name, idx)]),
        rings,
    );
    cache::miss(chain, idx, row);
}

/// Why a result that is not from memory takes so long.
fn computed(chain: &mut Chain, slot: SlotIdx, what: &str, (pc, issued, ready): Pending) {
    let frame = chain.frame;
    let Some(instruction) = frame.instruction(pc) else {
        return;
    };
    let mnemonic = frame.mnemonic(pc);
    let rings = issue_rings(frame, slot, pc, issued);
    let question = format!("Why is {what} not ready?");
    let queues = &frame.snapshot().schedulers;
    let queued = queues
        .iter()
        .flat_map(|scheduler| scheduler.queue.iter().map(move |entry| (scheduler.index, entry)))
        .find(|(_, entry)| (entry.slot, entry.pc) == (slot, pc));
    if let Some((scheduler, entry)) = queued {
        let text = format!(
            "{mnemonic} is in the ~ since ~. The {} takes it {}.",
            entry.pipe.text(),
            until(frame, entry.leaves)
        );
        let links = [
            unit(
                format!("MIO queue of scheduler {scheduler}"),
                Target::Queue { scheduler },
            ),
            cycle(entry.entered),
        ];
        chain.answer(question, prose(&text, &links), vec![Target::Queue { scheduler }]);
        if chain.goes_on() {
            units::holder(chain, entry.pipe, scheduler);
        }
        return;
    }
    let Some(cost) = frame.arch().cost(instruction.class()) else {
        return;
    };
    let (pipe, latency) = (cost.pipe, u64::from(cost.latency_cycles.value));
    chain.cite(cited(
        &format!("{mnemonic} latency"),
        &cost.latency_cycles,
        "cycles",
    ));
    let total = ready.map(|ready| ready.0.saturating_sub(issued.0));
    let kind = if cost.fixed_latency {
        "fixed latency"
    } else {
        "least latency"
    };
    let own = match total {
        Some(total) if total != latency => format!(" This result takes *{}*.", counted(total, "cycle")),
        _ => String::new(),
    };
    let text = format!(
        "~ executes {mnemonic} with a {kind} of *{}*.{own}",
        counted(latency, "cycle")
    );
    let target = units::pipe_target(frame, pipe, frame.scheduler(slot));
    let link = unit(format!("The {} pipe", pipe.text()), target);
    let mut all = vec![target];
    all.extend(rings);
    chain.answer(question, prose(&text, &[link]), all);
    if cost.fixed_latency {
        independent(chain, slot, (pc, issued));
    }
}

/// Why the latency of a result shows: how many instructions are between it and its use.
fn independent(chain: &mut Chain, slot: SlotIdx, (pc, issued): (Pc, Cycle)) {
    let frame = chain.frame;
    let next = next_pc(frame, slot);
    if next <= pc || !chain.goes_on() {
        return;
    }
    let between = frame
        .record()
        .issues_from(issued)
        .take_while(|issue| issue.cycle < frame.cycle())
        .filter(|issue| issue.slot == slot && issue.cycle > issued)
        .count();
    let text = format!(
        "{} issued *{}* between ~ and its use. More independent instructions between them, or more warps, hide the latency.",
        frame.warp_name(slot),
        match between {
            0 => "no instruction".to_owned(),
            num => counted(num as u64, "instruction"),
        }
    );
    let rings = super::warp::code_rings(frame, next);
    chain.answer(
        "Why does the latency show?",
        prose(&text, &[code(frame, pc)]),
        rings,
    );
}

/// Explains a warp that waits until its memory accesses are done: at a fence, or after its exit.
pub(super) fn drain(chain: &mut Chain, slot: SlotIdx, state: WarpState, cause: WaitCause) {
    let frame = chain.frame;
    let name = frame.warp_name(slot);
    let done = match cause {
        WaitCause::Until(at) => format!(" The last of them is done {}.", until(frame, at)),
        _ => String::new(),
    };
    let (text, links) = match (state, last_issue(frame, slot)) {
        (WarpState::Membar, Some(issue)) => (
            format!("{name} issued ~ at ~, a fence that waits for its memory accesses.{done}"),
            vec![code(frame, issue.pc), cycle(issue.cycle)],
        ),
        (_, Some(issue)) => (
            format!("{name} issued ~ at ~, and keeps its slot until its stores are done.{done}"),
            vec![code(frame, issue.pc), cycle(issue.cycle)],
        ),
        (_, None) => (format!("{name} waits for its memory accesses.{done}"), Vec::new()),
    };
    let question = if state == WarpState::Membar {
        stall_question(&name)
    } else {
        format!("Why does {name} keep its slot?")
    };
    chain.answer(question, prose(&text, &links), warp_rings(slot));
    let mut open: Vec<(u32, AccessRow)> = open_requests(frame, slot);
    open.sort_by_key(|(_, row)| std::cmp::Reverse(row.done));
    let Some((last, row)) = open.first().copied() else {
        return;
    };
    if !chain.goes_on() {
        return;
    }
    let names: Vec<String> = open.iter().take(3).map(|_| "~, done at ~".to_owned()).collect();
    let links: Vec<Link> = open
        .iter()
        .take(3)
        .flat_map(|(_, row)| [code(frame, row.pc), cycle(row.done)])
        .collect();
    let more = match open.len().saturating_sub(3) {
        0 => String::new(),
        num => format!(
            " *{}* in flight, too.",
            if num == 1 {
                "1 earlier request is".to_owned()
            } else {
                format!("{num} earlier requests are")
            }
        ),
    };
    let text = format!("{}.{more}", listed(&names));
    let rings = request_rings(frame, last, &row);
    chain.answer("Which accesses are in flight?", prose(&text, &links), rings);
    if chain.goes_on() {
        let total = row.done.0.saturating_sub(row.issued.0);
        let (served, latency) = requests::served(chain, &row);
        let text = format!(
            "~ {served}. {latency}; this request takes *{}*.",
            counted(total, "cycle")
        );
        let name = capital(&format!("the {}", request_name(row.kind).to_lowercase()));
        chain.answer(
            format!("Why is it done only at cycle {}?", thousands(row.done.0)),
            prose(&text, &[request(name, last)]),
            Vec::new(),
        );
    }
}

/// The requests of a warp that are not done.
fn open_requests(frame: &Frame, slot: SlotIdx) -> Vec<(u32, AccessRow)> {
    let record = frame.record();
    let now = frame.cycle();
    let since = record.tenancy(slot, now).map_or(Cycle(0), |(since, _)| since);
    let first = record.first_access_at(since);
    (first..)
        .map_while(|idx| Some((idx, record.access(idx)?)))
        .take_while(|(_, row)| row.accepted <= now || row.issued <= now)
        .filter(|(_, row)| row.slot == slot && row.issued <= now && row.done > now)
        .collect()
}
