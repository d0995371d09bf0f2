//! Why a warp is in its state.

use super::prose::{Link, code, cycle, listed, prose, unit, warp};
use super::{Answer, Chain, block, result, unit as units};
use crate::scene::{Target, capital, counted, state_description};
use engine::ids::{Cycle, LaneMask, Pc, SlotIdx};
use engine::sim::view::LaneStatus;
use engine::sim::{SchedulerPolicy, WaitCause, WarpState};
use engine::trace::{Direction, Frame, IssueRow};

/// Explains the warp in a slot.
pub(super) fn explain(chain: &mut Chain, slot: SlotIdx) {
    let frame = chain.frame;
    let state = frame.state(slot);
    let name = frame.warp_name(slot);
    match (state, frame.cause(slot)) {
        (WarpState::Empty, _) => block::empty_slot(chain, slot),
        (WarpState::Selected, _) => selected(chain, slot),
        (WarpState::NotSelected, cause) => not_selected(chain, slot, cause),
        (
            _,
            WaitCause::Register {
                producer,
                issued,
                ready,
                ..
            }
            | WaitCause::Predicate {
                producer,
                issued,
                ready,
                ..
            }
            | WaitCause::Copies {
                producer,
                issued,
                ready,
                ..
            },
        ) => result::explain(chain, slot, (producer, issued, ready)),
        (WarpState::Wait, _) => delayed(chain, slot),
        (WarpState::MathPipeThrottle, WaitCause::Pipe { kind, free }) => {
            units::busy_pipe(chain, slot, kind, free);
        }
        (WarpState::MioThrottle, _) => units::full_mio(chain, slot),
        (WarpState::LgThrottle, _) => units::full_lg(chain, slot),
        (WarpState::TexThrottle, _) => units::full_tex(chain, slot),
        (WarpState::Barrier, cause) => block::barrier(chain, slot, cause),
        (WarpState::Membar | WarpState::Drain, cause) => result::drain(chain, slot, state, cause),
        (WarpState::BranchResolving, cause) => branch(chain, slot, cause),
        (WarpState::NoInstruction, cause) => no_instruction(chain, slot, cause),
        (WarpState::DispatchStall, _) => dispatch(chain, slot),
        (WarpState::Sleeping, cause) => sleeping(chain, slot, cause),
        _ => {
            let text = format!("{name} {}.", state_description(state));
            chain.answer(stall_question(&name), prose(&text, &[]), warp_rings(slot));
        }
    }
}

/// The first answer about the warp in a slot.
pub(super) fn first_answer(frame: &Frame, slot: SlotIdx) -> Option<Answer> {
    let explanation = super::explain(frame, super::Subject::Warp(slot), 1);
    explanation.answers.into_iter().next()
}

/// The question of a stall.
pub(super) fn stall_question(name: &str) -> String {
    format!("Why does {name} stall?")
}

/// What pictures show of the warp in a slot.
pub(super) fn warp_rings(slot: SlotIdx) -> Vec<Target> {
    vec![Target::Warp { slot: slot.0 }]
}

/// What pictures show of an instruction that a warp issued.
pub(super) fn issue_rings(frame: &Frame, slot: SlotIdx, pc: Pc, issued: Cycle) -> Vec<Target> {
    let mut rings = Vec::new();
    if let Some(run) = frame.record().run_at(slot, issued) {
        rings.push(Target::WarpAt {
            slot: slot.0,
            cycle: run.start.0,
        });
    }
    rings.extend(code_rings(frame, pc));
    rings
}

/// What pictures show of an instruction.
pub(super) fn code_rings(frame: &Frame, pc: Pc) -> Vec<Target> {
    let line = frame
        .instruction(pc)
        .map_or(0, |instruction| instruction.span.line);
    vec![Target::CodePc(pc.0), Target::CodeLine(line)]
}

/// The pc of the warp's next instruction, or of the one that it issues.
pub(super) fn next_pc(frame: &Frame, slot: SlotIdx) -> Pc {
    frame.run(slot).map_or(Pc(0), |run| run.pc)
}

/// The last issue of the warp in a slot before this cycle, if it belongs to the same warp.
pub(super) fn last_issue(frame: &Frame, slot: SlotIdx) -> Option<IssueRow> {
    let (since, _) = frame.record().tenancy(slot, frame.cycle())?;
    let issue = frame
        .record()
        .issue(frame.cycle(), Direction::Backward, Some(slot))?;
    (issue.cycle >= since).then_some(issue)
}

/// `in 3 cycles`, or `in this cycle`.
pub(super) fn until(frame: &Frame, at: Cycle) -> String {
    match at.0.saturating_sub(frame.cycle().0) {
        0 => "in this cycle".to_owned(),
        cycles => format!("in *{}*", counted(cycles, "cycle")),
    }
}

/// The slots of a scheduler in these states.
fn slots_in(frame: &Frame, scheduler: u8, states: &[WarpState]) -> Vec<SlotIdx> {
    (0..frame.record().num_slots() as u16)
        .map(SlotIdx)
        .filter(|slot| frame.scheduler(*slot) == scheduler && states.contains(&frame.state(*slot)))
        .collect()
}

/// The scheduler of a slot, as a link.
fn scheduler_link(scheduler: u8) -> Link {
    unit(format!("scheduler {scheduler}"), Target::Scheduler(scheduler))
}

fn selected(chain: &mut Chain, slot: SlotIdx) {
    let frame = chain.frame;
    let (name, scheduler) = (frame.warp_name(slot), frame.scheduler(slot));
    let pc = next_pc(frame, slot);
    let pipe = frame
        .instruction(pc)
        .and_then(|instruction| frame.arch().cost(instruction.class()))
        .map_or_else(String::new, |cost| {
            format!(", and the {} pipe accepts it", cost.pipe.text())
        });
    let eligible = slots_in(frame, scheduler, &[WarpState::NotSelected]);
    let text = format!(
        "The operands of ~ are ready{pipe}. ~ selects {name} in this cycle, with *{}* beside it.",
        match eligible.len() {
            0 => "no other eligible warp".to_owned(),
            num => counted(num as u64, "other eligible warp"),
        }
    );
    let by = scheduler_link(scheduler);
    let by = Link(capital(&by.0), by.1);
    let rings = warp_rings(slot);
    chain.answer(
        format!("Why does {name} issue?"),
        prose(&text, &[code(frame, pc), by]),
        rings,
    );
    if !chain.goes_on() {
        return;
    }
    if eligible.is_empty() {
        others_stall(chain, scheduler, slot);
    } else {
        policy(chain, slot, scheduler);
    }
}

fn not_selected(chain: &mut Chain, slot: SlotIdx, cause: WaitCause) {
    let frame = chain.frame;
    let (name, scheduler) = (frame.warp_name(slot), frame.scheduler(slot));
    let question = format!("Why is {name} not selected?");
    if let WaitCause::OtherWarp(other) = cause {
        let text =
            format!("{name} is eligible: its next instruction, ~, can issue. Its scheduler selected ~.");
        let links = [code(frame, next_pc(frame, slot)), warp(frame, other)];
        chain.answer(question, prose(&text, &links), warp_rings(slot));
        if chain.goes_on() {
            policy(chain, other, scheduler);
        }
        return;
    }
    let free = match cause {
        WaitCause::Until(cycle) => cycle,
        _ => frame.cycle(),
    };
    let text = format!(
        "{name} is eligible, but the issue port of ~ is busy. The port accepts an instruction {}.",
        until(frame, free)
    );
    chain.answer(
        question,
        prose(&text, &[scheduler_link(scheduler)]),
        warp_rings(slot),
    );
    let last = frame
        .record()
        .issue_bits(frame.cycle())
        .get(usize::from(scheduler))
        .is_some_and(|bits| *bits > 0);
    let interval = &frame.arch().issue.issue_interval_cycles;
    if last && interval.value > 1 && chain.goes_on() {
        chain.cite(crate::scene::cited(
            "Issue interval of a scheduler",
            interval,
            "cycles",
        ));
        let text = format!(
            "A scheduler of {} issues at most every *{}*. It issued an instruction less than that ago.",
            frame.arch().name,
            counted(interval.value.into(), "cycle")
        );
        chain.answer(
            "Why is the issue port busy?",
            prose(&text, &[]),
            vec![Target::Scheduler(scheduler)],
        );
    }
}

/// Why a scheduler selected the warp in a slot among several eligible ones.
fn policy(chain: &mut Chain, slot: SlotIdx, scheduler: u8) {
    let frame = chain.frame;
    let name = frame.warp_name(slot);
    let record = frame.record();
    let before = record
        .issues_at(frame.cycle())
        .find(|issue| issue.slot == slot)
        .map_or(frame.cycle(), |issue| issue.cycle);
    // The scheduler's issue before this one, in the last 32 cycles.
    let from = Cycle(before.0.saturating_sub(32));
    let last = record
        .issues_from(from)
        .take_while(|issue| issue.cycle < before)
        .filter(|issue| issue.scheduler == scheduler)
        .last();
    let order = &frame.arch().issue.order;
    let chosen = frame.trace().options().policy;
    if chosen == SchedulerPolicy::Chip {
        chain.cite(crate::scene::cited_policy(order));
    }
    let rule = match chosen.on(frame.arch()) {
        SchedulerPolicy::Gto => {
            "The policy is greedy, then oldest: a scheduler keeps a warp until it stalls, then selects the oldest eligible warp."
        }
        SchedulerPolicy::TwoLevel => {
            "The policy is two-level: a small active set of warps issues round-robin, and a warp with a long stall leaves the set."
        }
        SchedulerPolicy::Lrr | SchedulerPolicy::Chip => {
            "The policy is loose round-robin: a scheduler selects the next eligible warp after the warp that issued last."
        }
    };
    let (history, links) = match last {
        Some(last) => (
            format!(
                " The last issue was *{}* before, {}.",
                counted(before.0 - last.cycle.0, "cycle"),
                if last.slot == slot { "of ~, too" } else { "of ~" }
            ),
            vec![super::prose::warp_at(
                &frame.warp_name(last.slot),
                last.slot,
                last.cycle,
            )],
        ),
        None => (
            " The scheduler issued nothing in the 32 cycles before.".to_owned(),
            Vec::new(),
        ),
    };
    chain.answer(
        format!("Why did scheduler {scheduler} select {name}?"),
        prose(&(rule.to_owned() + &history), &links),
        vec![Target::Scheduler(scheduler)],
    );
}

/// What keeps the other warps of a scheduler from being eligible.
fn others_stall(chain: &mut Chain, scheduler: u8, slot: SlotIdx) {
    let frame = chain.frame;
    let mut counts: Vec<(WarpState, usize)> = Vec::new();
    let others = (0..frame.record().num_slots() as u16).map(SlotIdx);
    for other in others.filter(|other| *other != slot && frame.scheduler(*other) == scheduler) {
        let state = frame.state(other);
        if state == WarpState::Empty {
            continue;
        }
        match counts.iter_mut().find(|(of, _)| *of == state) {
            Some((_, num)) => *num += 1,
            None => counts.push((state, 1)),
        }
    }
    counts.sort_by_key(|(state, num)| (std::cmp::Reverse(*num), *state));
    let names: Vec<String> = counts
        .iter()
        .map(|(state, num)| format!("*{num}* in [{}]", state.name()))
        .collect();
    let text = if names.is_empty() {
        "No other warp is resident on ~ in this cycle.".to_owned()
    } else {
        format!("~ has no other eligible warp: {}.", listed(&names))
    };
    let link = scheduler_link(scheduler);
    let link = if names.is_empty() {
        link
    } else {
        Link(capital(&link.0), link.1)
    };
    chain.answer(
        "Why is no other warp eligible?",
        prose(&text, &[link]),
        vec![Target::Scheduler(scheduler)],
    );
}

/// A wait without a pending result: the delay that the compiler encodes after a memory instruction.
fn delayed(chain: &mut Chain, slot: SlotIdx) {
    let frame = chain.frame;
    let name = frame.warp_name(slot);
    let stall = &frame.arch().issue.access_stall_cycles;
    let (text, links) = match last_issue(frame, slot) {
        Some(issue) => (
            format!("{name} issued ~ at ~. A fixed delay after it has not passed yet."),
            vec![code(frame, issue.pc), cycle(issue.cycle)],
        ),
        None => (format!("{name} stalls on a fixed latency."), Vec::new()),
    };
    chain.answer(stall_question(&name), prose(&text, &links), warp_rings(slot));
    let is_access = last_issue(frame, slot)
        .and_then(|issue| frame.instruction(issue.pc))
        .is_some_and(engine::isa::Instruction::is_memory);
    if stall.value > 1 && is_access && chain.goes_on() {
        chain.cite(crate::scene::cited(
            "Cycles between two load/store instructions",
            stall,
            "cycles",
        ));
        let text = format!(
            "Two load/store instructions of one warp issue at least *{}* apart. The compiler encodes this delay with the instruction.",
            counted(stall.value.into(), "cycle")
        );
        chain.answer("Why this delay?", prose(&text, &[]), Vec::new());
    }
}

fn branch(chain: &mut Chain, slot: SlotIdx, cause: WaitCause) {
    let frame = chain.frame;
    let name = frame.warp_name(slot);
    let Some(issue) = last_issue(frame, slot) else {
        return no_instruction(chain, slot, cause);
    };
    let resumes = match cause {
        WaitCause::Until(cycle) => format!(" The warp resumes {}.", until(frame, cycle)),
        _ => String::new(),
    };
    let text = format!("{name} issued ~ at ~, and its target is not resolved yet.{resumes}");
    let links = [code(frame, issue.pc), cycle(issue.cycle)];
    chain.answer(stall_question(&name), prose(&text, &links), warp_rings(slot));
    let cost = frame
        .instruction(issue.pc)
        .and_then(|instruction| frame.arch().cost(instruction.class()));
    let Some(cost) = cost else { return };
    if !chain.goes_on() {
        return;
    }
    let mnemonic = frame.mnemonic(issue.pc);
    chain.cite(crate::scene::cited(
        &format!("{mnemonic} latency"),
        &cost.latency_cycles,
        "cycles",
    ));
    let text = format!(
        "The {} pipe resolves {mnemonic} in *{}*. Until then, the warp has no next instruction.",
        cost.pipe.text(),
        counted(cost.latency_cycles.value.into(), "cycle")
    );
    let rings = issue_rings(frame, slot, issue.pc, issue.cycle);
    chain.answer("Why does the target take so long?", prose(&text, &[]), rings);
    if issue.diverged && chain.goes_on() {
        let text = format!(
            "The *{}* at the branch took different sides: the warp [diverges|divergence]. It executes the sides one after the other.",
            counted(issue.active.count().into(), "active lane")
        );
        chain.answer("Where do its lanes go?", prose(&text, &[]), Vec::new());
    }
}

fn no_instruction(chain: &mut Chain, slot: SlotIdx, cause: WaitCause) {
    let frame = chain.frame;
    let name = frame.warp_name(slot);
    let resumes = match cause {
        WaitCause::Until(cycle) => format!(" Its first instruction can issue {}.", until(frame, cycle)),
        _ => String::new(),
    };
    let fresh = frame.record().tenancy(slot, frame.cycle());
    let (text, links) = match (last_issue(frame, slot), fresh) {
        (None, Some((since, _))) => (
            format!("{name} became resident at ~, and its first instruction is being fetched.{resumes}"),
            vec![cycle(since)],
        ),
        _ => (
            format!("The next instruction of {name} is being fetched."),
            Vec::new(),
        ),
    };
    chain.answer(stall_question(&name), prose(&text, &links), warp_rings(slot));
    if fresh.is_some() && last_issue(frame, slot).is_none() && chain.goes_on() {
        block::arrival(chain, slot);
    }
}

fn dispatch(chain: &mut Chain, slot: SlotIdx) {
    let frame = chain.frame;
    let name = frame.warp_name(slot);
    let pc = next_pc(frame, slot);
    let text = format!(
        "{name} is eligible, but the dispatch unit of ~ holds an instruction back. In such a cycle the scheduler issues nothing."
    );
    let scheduler = frame.scheduler(slot);
    chain.answer(
        stall_question(&name),
        prose(&text, &[scheduler_link(scheduler)]),
        warp_rings(slot),
    );
    let banks = &frame.arch().issue.register_banks;
    if banks.value == 0 || !chain.goes_on() {
        return;
    }
    chain.cite(crate::scene::cited(
        "Register banks of a scheduler",
        banks,
        "banks",
    ));
    let last = frame
        .record()
        .issues_from(Cycle(frame.cycle().0.saturating_sub(32)))
        .take_while(|issue| issue.cycle < frame.cycle())
        .filter(|issue| issue.scheduler == scheduler)
        .last();
    let (text, links) = match last {
        Some(issue) => (
            format!(
                "The operands of ~, issued at ~, keep a register bank busy. A scheduler has *{}*, and each delivers one register of a warp per cycle.",
                counted(banks.value.into(), "register bank")
            ),
            vec![code(frame, issue.pc), cycle(issue.cycle)],
        ),
        None => (
            format!(
                "Operands come from *{}*, and a bank delivers one register of a warp per cycle. The next instruction is ~.",
                counted(banks.value.into(), "register bank")
            ),
            vec![code(frame, pc)],
        ),
    };
    chain.answer(
        "Why is the instruction held?",
        prose(&text, &links),
        vec![Target::Registers { scheduler }, Target::Scheduler(scheduler)],
    );
}

fn sleeping(chain: &mut Chain, slot: SlotIdx, cause: WaitCause) {
    let frame = chain.frame;
    let name = frame.warp_name(slot);
    if let WaitCause::Until(at) = cause {
        let (text, links) = match last_issue(frame, slot) {
            Some(issue) => (
                format!("{name} issued ~ at ~. It sleeps until {}.", plain_cycle(at)),
                vec![code(frame, issue.pc), cycle(issue.cycle)],
            ),
            None => (format!("{name} sleeps until {}.", plain_cycle(at)), Vec::new()),
        };
        chain.answer(
            format!("Why does {name} sleep?"),
            prose(&text, &links),
            warp_rings(slot),
        );
        return;
    }
    let missing = match cause {
        WaitCause::Lanes(lanes) => lanes,
        _ => LaneMask::EMPTY,
    };
    let pc = next_pc(frame, slot);
    let text = format!(
        "Lanes of {name} have arrived at ~, which needs all its lanes. *{}* missing.",
        match missing.count() {
            1 => "1 lane is".to_owned(),
            num => format!("{num} lanes are"),
        }
    );
    chain.answer(
        stall_question(&name),
        prose(&text, &[code(frame, pc)]),
        warp_rings(slot),
    );
    let view = frame.snapshot().warps.iter().find(|view| view.slot == slot);
    let groups: Vec<_> = view
        .map(|view| view.groups.as_slice())
        .unwrap_or_default()
        .iter()
        .filter(|group| !matches!(group.status, LaneStatus::Converging | LaneStatus::Syncing))
        .take(3)
        .collect();
    if groups.is_empty() || !chain.goes_on() {
        return;
    }
    let names: Vec<String> = groups
        .iter()
        .map(|group| {
            format!(
                "*{}* {} ~",
                counted(group.lanes.count().into(), "lane"),
                status(group.status)
            )
        })
        .collect();
    let links: Vec<Link> = groups.iter().map(|group| code(frame, group.pc)).collect();
    let text = format!("{}.", capital(&listed(&names)));
    chain.answer(
        "Where are the missing lanes?",
        prose(&text, &links),
        code_rings(frame, groups[0].pc),
    );
}

/// What lanes with a status do at an instruction.
const fn status(status: LaneStatus) -> &'static str {
    match status {
        LaneStatus::Running => "run at",
        LaneStatus::Converging => "wait at the convergence barrier of",
        LaneStatus::Syncing => "wait for other lanes at",
        LaneStatus::AtBarrier => "wait at the block's barrier,",
        LaneStatus::OnStack => "are on the reconvergence stack for",
    }
}

/// A cycle without a link.
fn plain_cycle(at: Cycle) -> String {
    format!("cycle *{}*", crate::scene::thousands(at.0))
}
