//! What the floor plan says in words.

use super::super::Target;
use super::super::inspector::in_warps;
use super::super::words::{count_word, counted, state_verbs, thousands};
use super::pipes::{cycles_a_row, short_name};
use engine::arch::OpClass;
use engine::ids::{Cycle, SlotIdx};
use engine::sim::{WaitCause, WarpState};
use engine::trace::Frame;

/// What a warp lacks, short: `R16 8` (register, cycles to go), `6 of 8`, `FP32 busy`.
pub(super) fn lack(frame: &Frame, slot: SlotIdx) -> String {
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
            let (arrived, expected) = in_warps(frame, arrived, expected);
            format!("{arrived} of {expected}")
        }
        WaitCause::OtherWarp(_) => String::new(),
        WaitCause::Until(cycle) => cycle.0.saturating_sub(now).to_string(),
        WaitCause::Lanes(lanes) => counted(u64::from(lanes.count()), "lane"),
        WaitCause::None => String::new(),
    }
}

/// Whether a scheduler has issued in its present issue slot.
fn has_issued(frame: &Frame, scheduler: u8) -> bool {
    let start = (frame.cycle().0 + 1).saturating_sub(frame.record().issue_interval());
    frame
        .record()
        .issues_from(Cycle(start))
        .take_while(|row| row.cycle <= frame.cycle())
        .any(|row| row.scheduler == scheduler)
}

/// States of a scheduler's warps with their numbers, the most frequent first.
fn reasons(frame: &Frame, scheduler: u8) -> Vec<(WarpState, u64)> {
    let mut counts = [0u64; WarpState::ALL.len()];
    let schedulers = frame.record().num_schedulers().max(1);
    for slot in (usize::from(scheduler)..frame.record().num_slots()).step_by(schedulers) {
        counts[frame.state(SlotIdx(slot as u16)) as usize] += 1;
    }
    let mut reasons: Vec<(WarpState, u64)> = WarpState::ALL
        .into_iter()
        .skip(1)
        .map(|state| (state, counts[state as usize]))
        .filter(|(_, count)| *count > 0)
        .collect();
    reasons.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    reasons
}

/// The unit that all of a scheduler's warps in Short Scoreboard wait for, if it is one.
fn short_unit(frame: &Frame, scheduler: u8) -> Option<&'static str> {
    let schedulers = frame.record().num_schedulers().max(1);
    let mut unit = None;
    for slot in (usize::from(scheduler)..frame.record().num_slots()).step_by(schedulers) {
        let slot = SlotIdx(slot as u16);
        if frame.state(slot) != WarpState::ShortScoreboard {
            continue;
        }
        let (WaitCause::Register { producer, .. } | WaitCause::Predicate { producer, .. }) =
            frame.cause(slot)
        else {
            return None;
        };
        let of = match frame.instruction(producer)?.class() {
            OpClass::Shared | OpClass::SharedAtomic => "shared memory",
            OpClass::Shuffle => "a shuffle",
            OpClass::WarpReduce => "a warp reduction",
            OpClass::SpecialRegister => "a special register",
            OpClass::Constant => "a constant",
            _ => "the XU",
        };
        if unit.replace(of).is_some_and(|before| before != of) {
            return None;
        }
    }
    unit
}

fn reason_text(frame: &Frame, scheduler: u8, (state, count): (WarpState, u64)) -> String {
    let (many, one) = state_verbs(state);
    if state == WarpState::ShortScoreboard
        && let Some(unit) = short_unit(frame, scheduler)
    {
        let verb = if count == 1 { "waits" } else { "wait" };
        return format!("{} {verb} for {unit}", count_word(count));
    }
    format!("{} {}", count_word(count), if count == 1 { one } else { many })
}

/// The sentence above the floor plan: who issues, or why nobody does.
pub(super) fn sm_headline(frame: &Frame) -> String {
    let num = frame.record().num_schedulers().max(1) as u8;
    let idle: Vec<u8> = (0..num)
        .filter(|scheduler| !has_issued(frame, *scheduler))
        .collect();
    let Some(first) = idle.first().copied() else {
        return all_issue(frame, num);
    };
    let name = if num == 1 {
        "The scheduler".to_owned()
    } else {
        format!("Scheduler {first}")
    };
    let who = match idle.len() {
        1 => format!("{name} issues nothing"),
        len if len == usize::from(num) => "No scheduler issues".to_owned(),
        2 => format!("Schedulers {} and {} issue nothing", idle[0], idle[1]),
        _ => format!(
            "Schedulers {} and {} issue nothing",
            idle[..idle.len() - 1]
                .iter()
                .map(u8::to_string)
                .collect::<Vec<_>>()
                .join(", "),
            idle[idle.len() - 1]
        ),
    };
    let reasons = reasons(frame, first);
    let on = if idle.len() == 1 {
        String::new()
    } else {
        format!("on {first}, ")
    };
    if reasons.is_empty() {
        return if idle.len() == usize::from(num) && (0..num).all(|of| self::reasons(frame, of).is_empty()) {
            "No warp is on the SM.".to_owned()
        } else {
            format!("{who}: {on}no warp is there.")
        };
    }
    let one = format!("{who}: {on}{}", reason_text(frame, first, reasons[0]));
    if let Some(second) = reasons.get(1) {
        let both = format!("{one}, {}.", reason_text(frame, first, *second));
        if both.chars().count() <= 90 {
            return both;
        }
    }
    format!("{one}.")
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

/// Name and explanation of a part of the SM under the pointer.
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
                format!("used {} of its last 32 issue slots", bits.count_ones()),
            ))
        }
        Target::Pipe { pipe, .. } => {
            let pipe = arch.pipes.get(usize::from(pipe))?;
            let cycles = cycles_a_row(frame, pipe.kind);
            let rows = match pipe.kind {
                engine::arch::PipeKind::Fp32 | engine::arch::PipeKind::Int32 if cycles > 1 => {
                    format!("; a row stands for {}", counted(cycles, "cycle"))
                }
                _ => String::new(),
            };
            let lanes = u64::from(pipe.lanes.value);
            let what = if pipe.kind == engine::arch::PipeKind::Tensor {
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
                ", full: warps here see MIO Throttle"
            } else {
                ""
            };
            Some((
                "MIO queue".to_owned(),
                format!(
                    "{} of {} entries taken{more}",
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
                format!(
                    "a warp has {} a thread",
                    counted(u64::from(per_thread), "register")
                ),
            ))
        }
        Target::L1Line(line) => {
            let cache = frame.snapshot().l1.as_ref()?;
            Some((
                format!("L1 line {line} of {}", cache.sets * cache.ways),
                format!(
                    "{} hold data; blue was hit or is being filled",
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
            format!("Rows longer by {}", counted(words.into(), "word")),
            "click to edit the declaration".to_owned(),
        )),
        Target::Bank(bank) => Some((format!("Bank {bank}"), String::new())),
        _ => None,
    }
}
