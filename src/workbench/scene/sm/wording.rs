//! The sentences of the floor plan: headline, short stall causes, and tooltips.

use super::super::Target;
use super::super::inspector::barrier_arrivals;
use super::pipes::{cycles_per_row, short_name};
use crate::words::{capital, count_word, counted, state_predicates, thousands};
use engine::arch::{OpClass, PipeKind};
use engine::ids::{Cycle, SlotIdx};
use engine::isa::{Op, Space};
use engine::sim::{WaitCause, WarpState};
use engine::trace::Frame;

/// The cause of a stall in a few characters: `R16 8` (register, cycles left), `6 of 8` (arrived warps), `FP32 busy`.
pub(super) fn short_cause(frame: &Frame, slot: SlotIdx) -> String {
    let now = frame.cycle().0;
    let left = |ready: Option<Cycle>, is_earliest| match ready {
        Some(ready) if is_earliest => format!(" {}+", ready.0.saturating_sub(now)),
        Some(ready) => format!(" {}", ready.0.saturating_sub(now)),
        None => " …".to_owned(),
    };
    let state = frame.state(slot);
    match frame.cause(slot) {
        WaitCause::Register {
            reg,
            ready,
            is_earliest,
            ..
        } => format!("R{reg}{}", left(ready, is_earliest)),
        WaitCause::Predicate { pred, ready, .. } => format!("P{pred}{}", left(ready, false)),
        WaitCause::Copies { ready, .. } => format!("copies{}", left(ready, false)),
        WaitCause::Pipe { kind, .. } => format!("{} busy", short_name(kind)),
        WaitCause::Queue { .. } => match state {
            WarpState::LgThrottle => "LG full",
            WarpState::TexThrottle => "TEX full",
            _ => "MIO full",
        }
        .to_owned(),
        WaitCause::Barrier {
            arrived, expected, ..
        } => {
            let (arrived, expected) = barrier_arrivals(frame, arrived, expected);
            format!("{arrived} of {expected}")
        }
        WaitCause::OtherWarp(_) => String::new(),
        WaitCause::Until(cycle) => cycle.0.saturating_sub(now).to_string(),
        WaitCause::Lanes(lanes) => counted(u64::from(lanes.count()), "lane"),
        WaitCause::None => String::new(),
    }
}

/// Whether a scheduler has issued in its current issue slot.
fn has_issued(frame: &Frame, scheduler: u8) -> bool {
    let start = (frame.cycle().0 + 1).saturating_sub(frame.record().issue_interval());
    frame
        .record()
        .issues_from(Cycle(start))
        .take_while(|row| row.cycle <= frame.cycle())
        .any(|row| row.scheduler == scheduler)
}

/// The states of a scheduler's warps with their number of warps, most frequent first.
fn state_counts(frame: &Frame, scheduler: u8) -> Vec<(WarpState, u64)> {
    let mut counts = [0u64; WarpState::ALL.len()];
    let schedulers = frame.record().num_schedulers().max(1);
    for slot in (usize::from(scheduler)..frame.record().num_slots()).step_by(schedulers) {
        counts[frame.state(SlotIdx(slot as u16)) as usize] += 1;
    }
    let mut states: Vec<(WarpState, u64)> = WarpState::ALL
        .into_iter()
        .skip(1)
        .map(|state| (state, counts[state as usize]))
        .filter(|(_, count)| *count > 0)
        .collect();
    states.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    states
}

/// What all of a scheduler's warps in a scoreboard state stall on, if that is the same for all of them.
fn common_producer(frame: &Frame, scheduler: u8, state: WarpState) -> Option<&'static str> {
    let schedulers = frame.record().num_schedulers().max(1);
    let is_on_xu = |class| {
        let cost = frame.arch().cost(class);
        cost.is_some_and(|cost| cost.pipe == PipeKind::Xu)
    };
    let mut common = None;
    for slot in (usize::from(scheduler)..frame.record().num_slots()).step_by(schedulers) {
        let slot = SlotIdx(slot as u16);
        if frame.state(slot) != state {
            continue;
        }
        let (WaitCause::Register { producer, .. }
        | WaitCause::Predicate { producer, .. }
        | WaitCause::Copies { producer, .. }) = frame.cause(slot)
        else {
            return None;
        };
        let instruction = frame.instruction(producer)?;
        let producer = match (instruction.class(), instruction.op) {
            (OpClass::Shared | OpClass::SharedAtomic, _) => "shared memory",
            (OpClass::Shuffle, _) => "shuffles",
            (OpClass::WarpReduce, _) => "warp reductions",
            (OpClass::SpecialRegister, _) => "S2R results",
            (OpClass::Constant, _) => "constant loads",
            (
                OpClass::Global,
                Op::Ld {
                    space: Space::Local, ..
                },
            ) => "local memory",
            (
                OpClass::Global,
                Op::Ld {
                    space: Space::Global, ..
                },
            ) => "global memory",
            (class, _) if is_on_xu(class) => "the XU",
            _ => return None,
        };
        if common.replace(producer).is_some_and(|before| before != producer) {
            return None;
        }
    }
    common
}

/// What a scheduler's warps in a state do: `stall on S2R results`.
fn state_predicate(frame: &Frame, scheduler: u8, (state, count): (WarpState, u64)) -> String {
    let (several, one) = state_predicates(state);
    if matches!(state, WarpState::ShortScoreboard | WarpState::LongScoreboard)
        && let Some(producer) = common_producer(frame, scheduler, state)
    {
        let verb = if count == 1 { "stalls" } else { "stall" };
        return format!("{verb} on {producer}");
    }
    if count == 1 { one } else { several }.to_owned()
}

/// Why a scheduler does not issue, most frequent states first, from the longest text to the shortest:
/// `five warps stall on S2R results and one on a fixed latency`.
fn stall_texts(frame: &Frame, scheduler: u8, states: &[(WarpState, u64)]) -> Vec<String> {
    let text = |(state, count)| {
        let noun = if count == 1 { "warp" } else { "warps" };
        let predicate = state_predicate(frame, scheduler, (state, count));
        format!("{} {noun} {predicate}", count_word(count))
    };
    let Some(first) = states.first().map(|first| text(*first)) else {
        return Vec::new();
    };
    let both = states.get(1).map(|(state, count)| {
        let predicate = state_predicate(frame, scheduler, (*state, *count));
        // The verb of the first part holds for the second part, too.
        let rest = predicate
            .strip_prefix("stalls ")
            .or_else(|| predicate.strip_prefix("stall "))
            .filter(|_| first.contains(" stall"))
            .unwrap_or(&predicate);
        format!("{first} and {} {rest}", count_word(*count))
    });
    both.into_iter().chain([first]).collect()
}

/// The headline of the floor plan: the instructions that issue, or the idle schedulers and the stalls of the first.
pub(super) fn headline(frame: &Frame) -> String {
    let num = frame.record().num_schedulers().max(1) as u8;
    let idle: Vec<u8> = (0..num)
        .filter(|scheduler| !has_issued(frame, *scheduler))
        .collect();
    let Some(first) = idle.first().copied() else {
        return all_issue(frame, num);
    };
    if idle.len() == usize::from(num) && (0..num).all(|of| state_counts(frame, of).is_empty()) {
        return "No warp is resident on the SM.".to_owned();
    }
    let name = if num == 1 {
        "The scheduler".to_owned()
    } else {
        format!("Scheduler {first}")
    };
    let who = match idle.as_slice() {
        [_] => format!("{name} issues nothing"),
        all if all.len() == usize::from(num) => "No scheduler issues".to_owned(),
        [one, other] => format!("Schedulers {one} and {other} issue nothing"),
        [some @ .., last] => {
            let some: Vec<String> = some.iter().map(u8::to_string).collect();
            format!("Schedulers {}, and {last} issue nothing", some.join(", "))
        }
        [] => String::new(),
    };
    let stalls = stall_texts(frame, first, &state_counts(frame, first));
    if stalls.is_empty() {
        return if idle.len() == 1 {
            format!("{who}: it has no resident warp.")
        } else {
            format!("{who}. Scheduler {first} has no resident warp.")
        };
    }
    let short = format!(
        "{} schedulers issue nothing",
        capital(&count_word(idle.len() as u64))
    );
    let mut texts = Vec::new();
    for stall in &stalls {
        texts.push(if idle.len() == 1 {
            format!("{who}: {stall}.")
        } else {
            format!("{who}. On scheduler {first}, {stall}.")
        });
    }
    if let Some(stall) = stalls.last().filter(|_| idle.len() > 1) {
        texts.push(format!("{short}. On scheduler {first}, {stall}."));
        texts.push(format!("{short}; scheduler {first}: {stall}."));
    }
    let fits = |text: &&String| text.chars().count() <= 90;
    let best = texts.iter().find(fits).or(texts.last());
    best.cloned().unwrap_or_default()
}

/// `All four schedulers issue: two FFMA, one LDS, one IADD3.`
fn all_issue(frame: &Frame, num: u8) -> String {
    let start = (frame.cycle().0 + 1).saturating_sub(frame.record().issue_interval());
    let mut names: Vec<(String, u64)> = Vec::new();
    for row in frame
        .record()
        .issues_from(Cycle(start))
        .take_while(|row| row.cycle <= frame.cycle())
    {
        let name = frame.mnemonic(row.pc);
        let name = name.split('.').next().unwrap_or("").to_owned();
        match names.iter_mut().find(|(of, _)| *of == name) {
            Some((_, count)) => *count += 1,
            None => names.push((name, 1)),
        }
    }
    names.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let list: Vec<String> = names
        .iter()
        .map(|(name, count)| format!("{} {name}", count_word(*count)))
        .collect();
    let who = match num {
        1 => "The scheduler issues".to_owned(),
        2 => "Both schedulers issue".to_owned(),
        num => format!("All {} schedulers issue", count_word(num.into())),
    };
    let text = format!("{who}: {}.", list.join(", "));
    if text.chars().count() <= 90 {
        text
    } else {
        format!("{who} in this cycle.")
    }
}

/// Tooltip of a part of the SM.
pub(in crate::scene) fn part_tooltip(frame: &Frame, target: Target) -> Option<(String, String)> {
    let arch = frame.arch();
    match target {
        Target::Scheduler(scheduler) => {
            let bits = frame
                .record()
                .issue_bits(frame.cycle())
                .get(usize::from(scheduler))
                .copied()?;
            Some((
                format!("Scheduler {scheduler}"),
                format!("used {} of the last 32 issue slots", bits.count_ones()),
            ))
        }
        Target::Pipe { pipe, .. } => {
            let pipe = arch.pipes.get(usize::from(pipe))?;
            let cycles = cycles_per_row(frame, pipe.kind);
            let rows = match pipe.kind {
                PipeKind::Fp32 | PipeKind::Int32 if cycles > 1 => {
                    format!("; each row spans {}", counted(cycles, "cycle"))
                }
                _ => String::new(),
            };
            let lanes = u64::from(pipe.lanes.value);
            let what = if pipe.kind == PipeKind::Tensor {
                "core"
            } else {
                "lane"
            };
            Some((
                pipe.kind.text().to_owned(),
                format!("{}{rows}", counted(lanes, what)),
            ))
        }
        Target::Queue { scheduler } => {
            let views = &frame.snapshot().schedulers;
            let view = views.iter().find(|view| view.index == scheduler)?;
            let full = view.queue.len() >= usize::from(view.queue_capacity);
            let more = if full {
                ": full, warps stall on MIO Throttle"
            } else {
                ""
            };
            Some((
                "MIO queue".to_owned(),
                format!(
                    "{} of {} entries in use{more}",
                    view.queue.len(),
                    view.queue_capacity
                ),
            ))
        }
        Target::Registers { .. } => {
            let per_thread = frame.trace().program().registers_per_thread;
            let file = arch.occupancy.registers_per_sm.value / frame.record().num_schedulers().max(1) as u32;
            Some((
                format!("Register file, {} KB", file * 4 / 1024),
                format!("{} per thread", counted(u64::from(per_thread), "register")),
            ))
        }
        Target::L1Line(line) => {
            let cache = frame.snapshot().l1.as_ref()?;
            Some((
                format!("L1 line {line} of {}", cache.sets * cache.ways),
                format!(
                    "{} lines hold data; blue: hit recently or being filled",
                    thousands(cache.lines.len() as u64)
                ),
            ))
        }
        Target::SharedBlock(block) => {
            let blocks = &frame.snapshot().blocks;
            let title = format!("Shared memory, {} KB", frame.snapshot().shared_kib);
            match blocks.iter().find(|of| of.block.0 == block) {
                Some(of) => Some((
                    title,
                    format!(
                        "block {block} holds {}",
                        counted(u64::from(of.shared_bytes), "byte")
                    ),
                )),
                None => Some((
                    title,
                    format!("{} resident", counted(blocks.len() as u64, "block")),
                )),
            }
        }
        Target::Wavefront(wavefront) => Some((format!("Wavefront {}", wavefront + 1), String::new())),
        Target::Padding(words) => Some((
            format!("Rows padded by {}", counted(words.into(), "word")),
            "click to edit the declaration".to_owned(),
        )),
        Target::Bank(bank) => Some((format!("Bank {bank}"), String::new())),
        _ => None,
    }
}

/// The number of loads in flight, as the title of their axis.
pub(super) fn loads_in_flight(num: usize) -> String {
    match num {
        0 => "no load in flight".to_owned(),
        1 => "1 load in flight, by cycles until completion".to_owned(),
        num => format!("{num} loads in flight, by cycles until completion"),
    }
}
