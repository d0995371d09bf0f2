//! The inspector's explanation of the selection, as plain data: name, state, reason, next instruction,
//! recent states, and the sources of the numbers.

mod coalescing;
mod range;
mod request;
mod wording;

use serde::Serialize;

pub use coalescing::inspect_coalescing;
pub use range::inspect_range;
pub use request::inspect_banks;

pub(super) use self::cited as source;
use super::kit::Sheet;
use super::registers::{pending_registers, register_facts};
use super::{Mark, Role, Scene, Shape, Size, Target, Texture};
use crate::words::{percent, thousands};
use engine::arch::{IssueOrder, OpClass, Quality, Sourced};
use engine::ids::{Cycle, LaneMask, Pc, SlotIdx};
use engine::sim::{WaitCause, WarpState};
use engine::trace::Frame;
pub use wording::barrier_arrivals;

/// A piece of a sentence; the key numbers are strong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Phrase {
    /// The text.
    pub text: String,
    /// Whether the text is bold.
    pub strong: bool,
}

/// An instruction with its position in the program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Code {
    /// `Next instruction, line 15`.
    pub label: String,
    /// The instruction as SASS prints it.
    pub text: String,
    /// Program counter of the instruction.
    pub pc: u32,
    /// Source line; 0 if the instruction has none.
    pub line: u32,
}

/// A state's share of a warp's cycles.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Bar {
    /// The mark that the bar is drawn with.
    pub mark: Mark,
    /// Name of the state or part.
    pub name: String,
    /// Absolute value.
    pub value: u64,
    /// The value as text: `24 %`.
    pub label: String,
    /// Length relative to the longest bar, from 0 to 1.
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

/// An architecture parameter that the explanation uses.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Source {
    /// Name of the parameter.
    pub name: String,
    /// Value with its unit.
    pub value: String,
    /// Document and section; for an assumption, its rationale.
    pub source: String,
    /// Whether the value is an assumption.
    pub assumed: bool,
}

/// A button under the explanation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Action {
    /// Id of the button on the page.
    pub id: &'static str,
    /// Label.
    pub name: String,
    /// Target of a click.
    pub target: Target,
}

/// The explanation.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Inspection {
    /// Name: `Warp 28`.
    pub title: String,
    /// Place: `block 3, scheduler 0, slot 7`.
    pub place: String,
    /// State, with its mark.
    pub state: Option<(Mark, String)>,
    /// Reason, one or two sentences.
    pub why: Vec<Phrase>,
    /// Current or next instruction.
    pub code: Option<Code>,
    /// Active lanes, with a label: `32 active`.
    pub lanes: Option<(LaneMask, String)>,
    /// Buttons.
    pub actions: Vec<Action>,
    /// Bands of the most recent cycles, and the first of these cycles.
    pub past: Option<(Scene, Cycle)>,
    /// Heading and total of the bars.
    pub bars_title: (String, String),
    /// Bars, longest first.
    pub bars: Vec<Bar>,
    /// Groups of facts.
    pub facts: Vec<Facts>,
    /// Sources of the numbers.
    pub sources: Vec<Source>,
}

impl Inspection {
    /// The reason as plain text.
    pub fn why_text(&self) -> String {
        self.why.iter().map(|phrase| phrase.text.as_str()).collect()
    }
}

/// Splits a text at asterisks: every second piece is strong.
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

/// The name, value with unit, and source of an architecture parameter.
pub fn cited<T: Copy + std::fmt::Display>(name: &str, number: &Sourced<T>, unit: &str) -> Source {
    let value = number.value.to_string();
    // "1 cycle", but "0.5 cycles".
    let unit = if value == "1" {
        unit.strip_suffix('s').unwrap_or(unit)
    } else {
        unit
    };
    cited_text(name, format!("{value} {unit}").trim().to_owned(), number)
}

/// The source of an architecture's scheduling policy.
pub fn cited_policy(order: &Sourced<IssueOrder>) -> Source {
    let value = match order.value {
        IssueOrder::RoundRobin => "loose round-robin",
        IssueOrder::GreedyThenOldest => "greedy, then oldest",
    };
    cited_text("Scheduling policy", value.to_owned(), order)
}

fn cited_text<T: Copy>(name: &str, value: String, number: &Sourced<T>) -> Source {
    let assumed = number.quality == Quality::Assumption;
    let source = match (assumed, number.note.is_empty()) {
        (true, true) => "assumption, no source found".to_owned(),
        (true, false) => format!("assumption: {}", number.note),
        _ => number.source.to_owned(),
    };
    Source {
        name: name.to_owned(),
        value,
        source,
        assumed,
    }
}

/// Explains the warp in the selected slot.
pub fn inspect_warp(frame: &Frame, slot: SlotIdx) -> Inspection {
    Inspection {
        facts: pending_registers(frame, slot).into_iter().collect(),
        ..warp_inspection(frame, slot)
    }
}

/// Explains the warp in the selected slot, with the selected register.
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
            why: phrases(wording::NEVER_RESIDENT),
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
        wording::stall_reason(frame, slot, state, &cause)
    } else {
        let end = run.map_or(0, |run| run.start.0);
        wording::finished_at(Cycle(end.saturating_sub(1)))
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
        bars_title: ("Its cycles so far".to_owned(), thousands(total)),
        bars: bars(&states),
        facts: Vec::new(),
        sources: warp_sources(frame, pc, &cause),
    }
}

fn code(frame: &Frame, pc: Pc, state: WarpState) -> Option<Code> {
    let instruction = frame.instruction(pc)?;
    let line = instruction.span.line;
    let line_text = if line > 0 {
        frame.line_text(line)
    } else {
        String::new()
    };
    Some(Code {
        label: wording::instruction_label(state, &line_text),
        text: instruction.text(frame.arch().id),
        pc: pc.0,
        line,
    })
}

fn lanes(frame: &Frame, slot: SlotIdx) -> Option<(LaneMask, String)> {
    let active = frame.active_lanes(slot)?;
    Some((active, format!("{} active", active.count())))
}

/// One bar per state with cycles, longest first.
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

/// Bands of a slot's most recent cycles, in a strip of 256 by 20 pixels.
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
                &format!("{name} occupies the {} pipe for", cost.pipe.text()),
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
        WaitCause::Register { producer, .. }
        | WaitCause::Predicate { producer, .. }
        | WaitCause::Copies { producer, .. } => class_of(*producer),
        _ => class_of(pc),
    }
    if let WaitCause::Queue { .. } = cause {
        sources.push(source("MIO queue", &arch.memory.queues.mio_entries, "entries"));
        sources.push(source("LG queue", &arch.memory.queues.lg_entries, "entries"));
    }
    if arch.issue.issue_interval_cycles.value > 1 {
        sources.push(source(
            "Issue interval of a scheduler",
            &arch.issue.issue_interval_cycles,
            "cycles",
        ));
    }
    sources
}
