//! Why an instruction or a line costs its cycles, where a register's value is from, and what a range of cycles shows.

use super::Chain;
use super::prose::{code, cycle, listed, prose, warp_at};
use super::result::{memory, request_of};
use super::warp::{code_rings, issue_rings};
use crate::scene::{Target, capital, counted, percent, thousands};
use engine::ids::{Cycle, Pc, SlotIdx};
use engine::sim::WarpState;
use engine::trace::{Frame, StateCycles};

/// Explains the value of a register: the last instruction that wrote it.
pub(super) fn register(chain: &mut Chain, slot: SlotIdx, reg: u8) {
    let frame = chain.frame;
    let name = frame.warp_name(slot);
    let question = format!("Where is R{reg} of {name} from?");
    let rings = vec![Target::Register { slot: slot.0, reg }];
    let writers: Vec<Pc> = (0..frame.trace().program().code.len() as u32)
        .map(Pc)
        .filter(|pc| {
            frame
                .instruction(*pc)
                .and_then(engine::isa::Instruction::destination)
                .is_some_and(|range| range.regs().any(|of| of.0 == reg))
        })
        .collect();
    let since = frame
        .record()
        .tenancy(slot, frame.cycle())
        .map(|(since, _)| since);
    let last = frame
        .record()
        .issues_from(since.unwrap_or_default())
        .take_while(|issue| issue.cycle <= frame.cycle())
        .filter(|issue| issue.slot == slot && writers.contains(&issue.pc))
        .last();
    let Some(issue) = last.filter(|_| since.is_some()) else {
        let text = format!("No instruction of {name} has written *R{reg}* yet.");
        chain.answer(question, prose(&text, &[]), rings);
        return;
    };
    let view = frame.snapshot().warps.iter().find(|view| view.slot == slot);
    let pending = view.and_then(|view| {
        view.scoreboard
            .iter()
            .find(|entry| entry.producer == issue.pc && entry.issued == issue.cycle)
    });
    let state = match pending {
        Some(entry) => format!("The value is ready at cycle *{}*.", thousands(entry.ready.0)),
        None => "The value is ready.".to_owned(),
    };
    let text = format!(
        "~ wrote *R{reg}*, issued at ~ for *{}*. {state}",
        counted(issue.executed.count().into(), "lane")
    );
    let links = [code(frame, issue.pc), cycle(issue.cycle)];
    chain.answer(question, prose(&text, &links), rings);
    let request = request_of(frame, slot, issue.pc, issue.cycle, frame.cycle());
    if let Some((idx, row)) = request.filter(|(_, row)| !row.kind.is_shared()) {
        if chain.goes_on() {
            memory(chain, &format!("R{reg}"), idx, &row);
            if let Some(answer) = chain.found.answers.get_mut(1) {
                answer.question = format!("Which memory did R{reg} come from?");
            }
        }
        return;
    }
    let sources: Vec<String> = frame
        .instruction(issue.pc)
        .into_iter()
        .flat_map(engine::isa::Instruction::sources)
        .flat_map(|range| range.regs().map(|reg| format!("*R{}*", reg.0)))
        .collect();
    if !sources.is_empty() && chain.goes_on() {
        let text = format!("~ reads {}.", listed(&sources));
        let rings = issue_rings(frame, slot, issue.pc, issue.cycle);
        chain.answer(
            "What is it computed from?",
            prose(&text, &[code(frame, issue.pc)]),
            rings,
        );
    }
}

/// Explains the cost of an instruction over the whole run.
pub(super) fn instruction(chain: &mut Chain, pc: Pc) {
    let what = code(chain.frame, pc);
    let states = states_of(chain.frame, &[pc]);
    costs(chain, &what, (&[pc], states), code_rings(chain.frame, pc));
}

/// Explains the cost of a source line over the whole run.
pub(super) fn line(chain: &mut Chain, line: u32) {
    let frame = chain.frame;
    let code = &frame.trace().program().code;
    let pcs: Vec<Pc> = (0..code.len() as u32)
        .map(Pc)
        .filter(|pc| code[pc.0 as usize].span.line == line)
        .collect();
    let words = capital(&if line > 0 {
        frame.line_text(line)
    } else {
        "code without a line".to_owned()
    });
    let what = super::prose::line(words, pcs.first().copied());
    let states = states_of(frame, &pcs);
    costs(chain, &what, (&pcs, states), vec![Target::CodeLine(line)]);
}

/// Warp cycles of some instructions by state, over the run.
fn states_of(frame: &Frame, pcs: &[Pc]) -> StateCycles {
    let mut all = StateCycles::default();
    for tally in pcs.iter().filter_map(|pc| frame.record().tally(*pc)) {
        for (sum, cycles) in all.iter_mut().zip(&tally.states) {
            *sum += cycles;
        }
    }
    all
}

fn costs(
    chain: &mut Chain,
    what: &super::prose::Link,
    (pcs, states): (&[Pc], StateCycles),
    rings: Vec<Target>,
) {
    let frame = chain.frame;
    let total: u64 = states[1..].iter().sum();
    let all: u64 = frame.record().total().states[1..].iter().sum();
    let question = format!("Why does {} cost its cycles?", what.words());
    if total == 0 {
        let text = "Up to the end of this run, no warp spends a cycle at ~.";
        chain.answer(question, prose(text, std::slice::from_ref(what)), rings);
        return;
    }
    let issued = states[WarpState::Selected as usize];
    let worst = WarpState::ALL[2..]
        .iter()
        .copied()
        .max_by_key(|state| states[*state as usize])
        .filter(|state| states[*state as usize] > 0);
    let stall = worst.map_or_else(
        || "They are all issues.".to_owned(),
        |state| {
            format!(
                "The largest part, *{}*, is [{}].",
                percent(states[state as usize], total),
                state.name()
            )
        },
    );
    let text = format!(
        "Warps spend *{}* at ~, {} of all, and {} of them issue. {stall}",
        counted(total, "cycle"),
        percent(total, all),
        thousands(issued)
    );
    chain.answer(question, prose(&text, std::slice::from_ref(what)), rings);
    let Some(state) = worst else { return };
    // The longest single stall in this state, among the warps of the run.
    let Some((slot, from, to, pc)) = longest(frame, pcs, state) else {
        return;
    };
    if !chain.goes_on() {
        return;
    }
    let name = frame
        .record()
        .warp_at(slot, from)
        .map_or_else(String::new, |warp| format!("W{:02}", warp.0));
    let text = format!(
        "The longest is of ~: *{}*, until ~.",
        counted(to.0 - from.0, "cycle")
    );
    let links = [warp_at(&name, slot, from), cycle(to)];
    let mut rings = vec![Target::WarpAt {
        slot: slot.0,
        cycle: from.0,
    }];
    rings.extend(code_rings(frame, pc));
    let question = format!("Where is its longest {} stall?", state.name());
    chain.answer(question, prose(&text, &links), rings);
    if chain.goes_on() {
        let at = frame.trace().frame(Cycle(from.0));
        if let Some(answer) = super::warp::first_answer(&at, slot) {
            chain.answer(answer.question, answer.text, answer.rings);
        }
    }
}

/// The longest run of a state at some instructions: slot, first cycle, the cycle after the last, instruction.
fn longest(frame: &Frame, pcs: &[Pc], state: WarpState) -> Option<(SlotIdx, Cycle, Cycle, Pc)> {
    let record = frame.record();
    let mut best: Option<(u64, SlotIdx, Cycle, Cycle, Pc)> = None;
    for slot in (0..record.num_slots() as u16).map(SlotIdx) {
        for run in record.runs_from(slot, Cycle(0)) {
            if run.state == state
                && pcs.contains(&run.pc)
                && best.is_none_or(|(most, ..)| run.cycles() > most)
            {
                best = Some((run.cycles(), slot, run.start, run.end, run.pc));
            }
        }
    }
    best.map(|(_, slot, from, to, pc)| (slot, from, to, pc))
}

/// Explains a range of cycles: the share of used issue slots, the largest stall, and its line.
pub(super) fn range(chain: &mut Chain, from: u64, to: u64) {
    let frame = chain.frame;
    let record = frame.record();
    let (from, to) = record.clamp_range((Cycle(from), Cycle(to)));
    let counters = record.range_counters(from, to);
    let stalled = counters.resident() - counters.issue_cycles();
    let question = format!(
        "Why are {} of the issue slots unused?",
        percent(
            counters.issue_slots.saturating_sub(counters.issue_cycles()),
            counters.issue_slots
        )
    );
    let worst = WarpState::ALL[2..]
        .iter()
        .copied()
        .max_by_key(|state| counters.states[*state as usize])
        .filter(|state| counters.states[*state as usize] > 0);
    let Some(state) = worst else {
        chain.answer(question, prose("No warp stalls in this range.", &[]), Vec::new());
        return;
    };
    let text = format!(
        "From ~ to ~, warps stall for *{}*. *{}* of them are [{}].",
        counted(stalled, "warp cycle"),
        percent(counters.states[state as usize], stalled),
        state.name()
    );
    let last = Cycle(to.0.saturating_sub(1));
    chain.answer(question, prose(&text, &[cycle(from), cycle(last)]), Vec::new());
    let most = counters
        .pcs
        .iter()
        .max_by_key(|(_, states)| states[state as usize])
        .map(|(pc, states)| (*pc, states[state as usize]));
    let Some((pc, cycles)) = most.filter(|(_, cycles)| *cycles > 0) else {
        return;
    };
    if chain.goes_on() {
        let text = format!(
            "Most are at ~: *{}* of the [{}] cycles.",
            percent(cycles, counters.states[state as usize]),
            state.name()
        );
        chain.answer(
            "Which instruction stalls?",
            prose(&text, &[code(frame, pc)]),
            code_rings(frame, pc),
        );
    }
    let found = (0..record.num_slots() as u16).map(SlotIdx).find_map(|slot| {
        record
            .runs_from(slot, from)
            .take_while(|run| run.start < to)
            .find(|run| run.state == state && run.pc == pc)
            .map(|run| (slot, run.start.max(from)))
    });
    if let Some((slot, at)) = found
        && chain.goes_on()
    {
        let at = frame.trace().frame(at);
        if let Some(answer) = super::warp::first_answer(&at, slot) {
            chain.answer(answer.question, answer.text, answer.rings);
        }
    }
}
