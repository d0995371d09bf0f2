//! The explanation of what is selected, as plain data: who it is, what it does, why, what comes
//! next, what it did, and where the numbers come from.

mod coalescing;
mod range;
mod request;

use serde::Serialize;

pub use coalescing::inspect_coalescing;
pub use range::inspect_range;
pub use request::inspect_banks;

use super::kit::Sheet;
use super::registers::{on_the_way, register_facts};
use super::words::{capital, counted, cycles_until, percent, state_sentence, thousands};
use super::{Mark, Role, Scene, Shape, Size, Target, Texture};
use engine::arch::{OpClass, Quality, Sourced};
use engine::ids::{Cycle, LaneMask, Pc, SlotIdx};
use engine::sim::{WaitCause, WarpState};
use engine::trace::Frame;

/// A piece of a sentence; the numbers that matter are strong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Phrase {
    /// The words.
    pub text: String,
    /// Whether they are set bold.
    pub strong: bool,
}

/// An instruction with its place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Code {
    /// `Next instruction, line 15`.
    pub label: String,
    /// The instruction as SASS prints it.
    pub text: String,
    /// Where it is in the program.
    pub pc: u32,
    /// Its source line; 0 where it has none.
    pub line: u32,
}

/// A state's share of a warp's cycles.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Bar {
    /// How it is drawn.
    pub mark: Mark,
    /// Its name.
    pub name: String,
    /// How much of it.
    pub value: u64,
    /// In words: `24 %`.
    pub label: String,
    /// Length, the longest bar being 1.
    pub length: f32,
}

/// Facts under one heading.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Facts {
    /// The heading.
    pub title: String,
    /// Names and values.
    pub rows: Vec<(String, String)>,
}

/// A number of the architecture that the explanation uses.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Source {
    /// What it is.
    pub name: String,
    /// Its value with the unit.
    pub value: String,
    /// Who says so; of an assumption, why.
    pub source: String,
    /// Whether no source was found.
    pub assumed: bool,
}

/// A button under the explanation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Action {
    /// Its id on the page.
    pub id: &'static str,
    /// What it says.
    pub name: String,
    /// What a click on it means.
    pub target: Target,
}

/// The explanation.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Inspection {
    /// Who: `Warp 28`.
    pub title: String,
    /// Where: `block 3, scheduler 0, slot 7`.
    pub place: String,
    /// What it does, with its mark.
    pub state: Option<(Mark, String)>,
    /// Why, one or two sentences.
    pub why: Vec<Phrase>,
    /// The instruction it is at.
    pub code: Option<Code>,
    /// Lanes at it, with words: `32 active`.
    pub lanes: Option<(LaneMask, String)>,
    /// Where one can go from here.
    pub actions: Vec<Action>,
    /// Bands of the last cycles, with the first of them.
    pub past: Option<(Scene, Cycle)>,
    /// Heading and total of the bars.
    pub bars_title: (String, String),
    /// Where its cycles went, longest first.
    pub bars: Vec<Bar>,
    /// Facts.
    pub facts: Vec<Facts>,
    /// Where the numbers come from.
    pub sources: Vec<Source>,
}

impl Inspection {
    /// The reason as plain text.
    pub fn why_text(&self) -> String {
        self.why.iter().map(|phrase| phrase.text.as_str()).collect()
    }
}

/// Splits a sentence at asterisks: every second piece is strong.
pub(super) fn phrases(text: &str) -> Vec<Phrase> {
    text.split('*')
        .enumerate()
        .filter(|(_, piece)| !piece.is_empty())
        .map(|(idx, piece)| Phrase {
            text: piece.to_owned(),
            strong: idx % 2 == 1,
        })
        .collect()
}

pub(super) fn source<T: Copy + std::fmt::Display>(name: &str, number: &Sourced<T>, unit: &str) -> Source {
    let assumed = number.quality == Quality::Assumption;
    let source = match (assumed, number.note.is_empty()) {
        (true, true) => "assumption, no source found".to_owned(),
        (true, false) => format!("assumption: {}", number.note),
        _ => number.source.to_owned(),
    };
    let value = number.value.to_string();
    // "1 cycle", but "0.5 cycles".
    let unit = if value == "1" {
        unit.strip_suffix('s').unwrap_or(unit)
    } else {
        unit
    };
    Source {
        name: name.to_owned(),
        value: format!("{value} {unit}").trim().to_owned(),
        source,
        assumed,
    }
}

/// Explains the warp in the selected slot.
pub fn inspect_warp(frame: &Frame, slot: SlotIdx) -> Inspection {
    Inspection {
        facts: on_the_way(frame, slot).into_iter().collect(),
        ..warp_inspection(frame, slot)
    }
}

/// The same, with the selected register.
pub fn inspect_registers(frame: &Frame, view: &super::ViewState) -> Inspection {
    let slot = view.slot.unwrap_or(SlotIdx(0));
    Inspection {
        facts: register_facts(frame, slot, view),
        ..warp_inspection(frame, slot)
    }
}

fn warp_inspection(frame: &Frame, slot: SlotIdx) -> Inspection {
    let record = frame.record();
    let Some((since, warp)) = record.tenancy(slot, frame.cycle()) else {
        return Inspection {
            title: format!("Slot {}", slot.0),
            place: format!("scheduler {}", frame.scheduler(slot)),
            state: Some((Mark::Idle, "Empty".to_owned())),
            why: phrases("No warp has come to this slot yet."),
            ..Inspection::default()
        };
    };
    let run = frame.run(slot);
    let state = frame.state(slot);
    let resident = state != WarpState::Empty;
    let block = record.block_at(slot, frame.cycle());
    let place = format!(
        "{}scheduler {}, slot {}",
        block.map_or_else(String::new, |block| format!("block {}, ", block.0)),
        frame.scheduler(slot),
        slot.0
    );
    let cause = frame.cause(slot);
    let pc = run.map_or(Pc(0), |run| run.pc);
    let why = if resident {
        reason(frame, slot, state, &cause)
    } else {
        let end = run.map_or(0, |run| run.start.0);
        format!("It has finished in cycle *{}*.", thousands(end.saturating_sub(1)))
    };
    let states = record.states_between(Some(slot), since, Cycle(frame.cycle().0 + 1));
    let total: u64 = states[1..].iter().sum();
    Inspection {
        title: format!("Warp {}", warp.0),
        place,
        state: Some((
            Mark::of(state),
            if resident { state.name() } else { "Finished" }.to_owned(),
        )),
        why: phrases(&why),
        code: resident.then(|| code(frame, pc, state)).flatten(),
        lanes: resident.then(|| lanes(frame, slot)).flatten(),
        actions: Vec::new(),
        past: Some(past(frame, slot, 64)),
        bars_title: ("All its cycles up to now".to_owned(), thousands(total)),
        bars: bars(&states),
        facts: Vec::new(),
        sources: warp_sources(frame, pc, &cause),
    }
}

fn code(frame: &Frame, pc: Pc, state: WarpState) -> Option<Code> {
    let instruction = frame.instruction(pc)?;
    let when = if state == WarpState::Selected {
        "Instruction"
    } else {
        "Next instruction"
    };
    let line = instruction.span.line;
    Some(Code {
        label: if line > 0 {
            format!("{when}, {}", frame.line_text(line))
        } else {
            when.to_owned()
        },
        text: instruction.text(frame.arch().id),
        pc: pc.0,
        line,
    })
}

fn lanes(frame: &Frame, slot: SlotIdx) -> Option<(LaneMask, String)> {
    let active = frame.active_lanes(slot)?;
    Some((active, format!("{} active", active.count())))
}

/// Bars of the states with cycles, longest first.
pub(super) fn bars(states: &[u64; WarpState::ALL.len()]) -> Vec<Bar> {
    let total: u64 = states[1..].iter().sum();
    let mut bars: Vec<Bar> = WarpState::ALL[1..]
        .iter()
        .filter(|state| states[**state as usize] > 0)
        .map(|state| Bar {
            mark: Mark::of(*state),
            name: state.name().to_owned(),
            value: states[*state as usize],
            label: percent(states[*state as usize], total),
            length: 0.0,
        })
        .collect();
    bars.sort_by(|a, b| b.value.cmp(&a.value).then_with(|| a.name.cmp(&b.name)));
    let longest = bars.first().map_or(1, |bar| bar.value).max(1);
    for bar in &mut bars {
        bar.length = bar.value as f32 / longest as f32;
    }
    bars
}

/// Bands of the last cycles of a slot in a strip of 256 by 22 pixels.
fn past(frame: &Frame, slot: SlotIdx, cycles: u64) -> (Scene, Cycle) {
    const WIDTH: f32 = 256.0;
    const HEIGHT: f32 = 20.0;
    let end = frame.cycle().0 + 1;
    let start = end.saturating_sub(cycles);
    let px = WIDTH / cycles as f32;
    let mut sheet = Sheet::default();
    let x = |cycle: u64| WIDTH - (end - cycle) as f32 * px;
    for run in frame
        .record()
        .runs_from(slot, Cycle(start))
        .take_while(|run| run.start.0 < end)
    {
        let (from, to) = (run.start.0.max(start), run.end.0.min(end));
        let mark = Mark::of(run.state);
        sheet.put(
            Shape::Band {
                x: x(from),
                y: 0.0,
                w: (to - from) as f32 * px,
                h: HEIGHT,
                mark,
                cycle_px: px,
            },
            Role::State(mark),
            Texture::Solid,
            Some(Target::WarpAt {
                slot: slot.0,
                cycle: from,
            }),
        );
    }
    let size = Size {
        width: WIDTH,
        height: HEIGHT,
    };
    (
        sheet.finish(size, String::new(), super::Table::default()),
        Cycle(start),
    )
}

/// Why a warp is in its state, with the numbers that matter between asterisks.
fn reason(frame: &Frame, slot: SlotIdx, state: WarpState, cause: &WaitCause) -> String {
    let now = frame.cycle().0;
    let producer = |pc: Pc| match frame.instruction(pc) {
        Some(instruction) if instruction.span.line > 0 => {
            format!(
                "{} of {}",
                frame.mnemonic(pc),
                frame.line_text(instruction.span.line)
            )
        }
        _ => frame.mnemonic(pc),
    };
    let arrives = |issued: Cycle, ready: Option<Cycle>, is_earliest: bool| {
        let asked = counted(now.saturating_sub(issued.0), "cycle");
        match ready {
            Some(ready) if ready.0 > now => {
                format!(
                    "asked for *{asked}* ago. It arrives in *{}*.",
                    cycles_until(ready.0 - now, is_earliest)
                )
            }
            Some(_) => format!("asked for *{asked}* ago; it has arrived."),
            None => format!("asked for *{asked}* ago. When it arrives is not known yet."),
        }
    };
    let needs = |what: String, (pc, issued), (ready, is_earliest), for_second| {
        let who = if for_second {
            "The instruction that issues with it needs"
        } else {
            "Needs"
        };
        format!(
            "{who} *{what}* from {}, {}",
            producer(pc),
            arrives(issued, ready, is_earliest)
        )
    };
    match *cause {
        WaitCause::Register {
            reg,
            producer: pc,
            issued,
            ready,
            for_second,
            is_earliest,
        } => needs(format!("R{reg}"), (pc, issued), (ready, is_earliest), for_second),
        WaitCause::Predicate {
            pred,
            producer: pc,
            issued,
            ready,
            for_second,
        } => needs(format!("P{pred}"), (pc, issued), (ready, false), for_second),
        WaitCause::Pipe { kind, free } => format!(
            "The *{}* pipe takes its next instruction in *{}*.",
            kind.text(),
            counted(free.0.saturating_sub(now), "cycle")
        ),
        WaitCause::Queue { used, capacity } => {
            format!(
                "Its next instruction needs a queue that is full: *{used} of {capacity}* entries are taken."
            )
        }
        WaitCause::Barrier {
            id,
            arrived,
            expected,
        } => {
            let (arrived, expected) = in_warps(frame, arrived, expected);
            let which = if id == 0 {
                "__syncthreads()".to_owned()
            } else {
                format!("barrier {id}")
            };
            format!(
                "Waits at *{which}* for the rest of its block: *{arrived} of {expected}* warps have come."
            )
        }
        WaitCause::OtherWarp(other) => {
            format!(
                "Could issue, but its scheduler took *{}*.",
                frame.warp_name(other)
            )
        }
        WaitCause::Until(cycle) => format!(
            "{} for *{}* more.",
            capital(state_sentence(state)),
            counted(cycle.0.saturating_sub(now), "cycle")
        ),
        WaitCause::Lanes(lanes) => {
            format!(
                "Waits for *{}* of its own.",
                counted(u64::from(lanes.count()), "lane")
            )
        }
        WaitCause::None if state == WarpState::Selected => {
            let pc = frame.run(slot).map_or(Pc(0), |run| run.pc);
            let pipe = frame
                .instruction(pc)
                .and_then(|instruction| frame.arch().cost(instruction.class()))
                .map_or_else(String::new, |cost| {
                    format!(" goes to the {} pipe", cost.pipe.text())
                });
            format!("Its scheduler picked it: *{}*{pipe}.", frame.mnemonic(pc))
        }
        WaitCause::None => format!("{}.", capital(state_sentence(state))),
    }
}

/// Arrivals at a barrier in warps: from Volta on the machine counts threads.
pub(super) fn in_warps(frame: &Frame, arrived: u16, expected: u16) -> (u16, u16) {
    if frame.arch().has_independent_threads() {
        (arrived / 32, expected.div_ceil(32))
    } else {
        (arrived, expected)
    }
}

fn warp_sources(frame: &Frame, pc: Pc, cause: &WaitCause) -> Vec<Source> {
    let arch = frame.arch();
    let mut sources = Vec::new();
    let mut class_of = |pc: Pc| {
        let Some(instruction) = frame.instruction(pc) else {
            return;
        };
        let class = instruction.class();
        if let Some(cost) = arch.cost(class) {
            let name = frame.mnemonic(pc);
            sources.push(source(&format!("{name} latency"), &cost.latency_cycles, "cycles"));
            sources.push(source(
                &format!("{name} takes the {} pipe for", cost.pipe.text()),
                &cost.occupancy_cycles,
                "cycles",
            ));
        }
        if class == OpClass::Global {
            if let Some(l1) = &arch.memory.l1 {
                sources.push(source("L1 hit", &l1.hit_latency_cycles, "cycles"));
            }
            if let Some(l2) = &arch.memory.l2 {
                sources.push(source("L2 hit", &l2.hit_latency_cycles, "cycles"));
            }
            sources.push(source(
                "Device memory",
                &arch.memory.device.latency_cycles,
                "cycles",
            ));
        }
    };
    match cause {
        WaitCause::Register { producer, .. } | WaitCause::Predicate { producer, .. } => class_of(*producer),
        _ => class_of(pc),
    }
    if let WaitCause::Queue { .. } = cause {
        sources.push(source("MIO queue", &arch.memory.queues.mio_entries, "deep"));
        sources.push(source("LG queue", &arch.memory.queues.lg_entries, "deep"));
    }
    if arch.issue.issue_interval_cycles.value > 1 {
        sources.push(source(
            "A scheduler issues every",
            &arch.issue.issue_interval_cycles,
            "cycles",
        ));
    }
    sources
}
