//! The run in Chrome's trace event format, which ui.perfetto.dev and <chrome://tracing> open.

use serde_json::{Value, json};

use crate::ids::{Cycle, SlotIdx};
use crate::sim::WarpState;
use crate::trace::Trace;

/// Events per piece: some hundred KB of text.
const EVENTS_PER_PIECE: usize = 2_000;

/// Writes a run piece by piece, so that a page stays responsive. The concatenated pieces are the file.
///
/// One cycle is one microsecond. Each scheduler is a process, and each warp slot is a thread of its
/// scheduler's process; runs of one state are slices ("X"). Memory is another process with asynchronous
/// slices ("b", "e"), because the accesses of a warp overlap.
#[derive(Clone, Debug, Default)]
pub struct ChromeTrace {
    stage: Stage,
    started: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Stage {
    #[default]
    Names,
    /// The states of a slot from a cycle on.
    States(u16, Cycle),
    /// The accesses from this index on.
    Accesses(u32),
    End,
    Over,
}

impl ChromeTrace {
    /// The next piece; `None` after the last one.
    pub fn piece(&mut self, trace: &Trace) -> Option<String> {
        let mut text = String::new();
        if !self.started {
            text += "{\"displayTimeUnit\":\"ns\",\"otherData\":";
            text += &json!({
                "kernel": trace.program().name,
                "architecture": trace.arch().name,
                "cycles": trace.num_cycles(),
                "microsecond": "one cycle",
            })
            .to_string();
            text += ",\"traceEvents\":[\n";
        }
        let mut events = Vec::new();
        let stage = match self.stage {
            Stage::Names => {
                names(trace, &mut events);
                Stage::States(0, Cycle(0))
            }
            Stage::States(slot, from) => states(trace, slot, from, &mut events),
            Stage::Accesses(first) => accesses(trace, first, &mut events),
            Stage::End => {
                self.stage = Stage::Over;
                return Some("\n]}\n".to_owned());
            }
            Stage::Over => return None,
        };
        self.stage = stage;
        for event in events {
            if self.started {
                text += ",\n";
            }
            self.started = true;
            text += &event.to_string();
        }
        Some(text)
    }
}

/// The process of memory, which follows those of the schedulers.
fn memory(trace: &Trace) -> usize {
    trace.num_schedulers().max(1)
}

fn names(trace: &Trace, events: &mut Vec<Value>) {
    let mut process = |pid: usize, name: String| {
        events.push(json!({"ph": "M", "name": "process_name", "pid": pid, "tid": 0, "args": {"name": name}}));
        events.push(
            json!({"ph": "M", "name": "process_sort_index", "pid": pid, "tid": 0,
            "args": {"sort_index": pid}}),
        );
    };
    for scheduler in 0..memory(trace) {
        process(scheduler, format!("Scheduler {scheduler}"));
    }
    process(memory(trace), "Memory".to_owned());
    for slot in 0..trace.num_slots() {
        let pid = slot % memory(trace);
        events.push(json!({"ph": "M", "name": "thread_name", "pid": pid, "tid": slot,
            "args": {"name": format!("slot {slot}")}}));
        events.push(
            json!({"ph": "M", "name": "thread_sort_index", "pid": pid, "tid": slot,
            "args": {"sort_index": slot}}),
        );
    }
}

fn states(trace: &Trace, slot: u16, from: Cycle, events: &mut Vec<Value>) -> Stage {
    if usize::from(slot) >= trace.num_slots() {
        return Stage::Accesses(0);
    }
    let idx = SlotIdx(slot);
    for run in trace.runs_from(idx, from) {
        if events.len() >= EVENTS_PER_PIECE {
            return Stage::States(slot, run.start);
        }
        if run.state == WarpState::Empty {
            continue;
        }
        let instruction = trace.program().code.get(run.pc.0 as usize);
        events.push(json!({
            "ph": "X",
            "cat": "state",
            "name": run.state.name(),
            "pid": usize::from(slot) % memory(trace),
            "tid": slot,
            "ts": run.start.0,
            "dur": run.cycles(),
            "args": {
                "warp": trace.warp_at(idx, run.start).map(|warp| warp.0),
                "pc": run.pc.0,
                "line": instruction.map(|instruction| instruction.span.line),
                "instruction": instruction.map(|instruction| instruction.text(trace.arch().id)),
            },
        }));
    }
    Stage::States(slot + 1, Cycle(0))
}

fn accesses(trace: &Trace, first: u32, events: &mut Vec<Value>) -> Stage {
    let num = trace.num_accesses() as u32;
    let last = num.min(first + EVENTS_PER_PIECE as u32 / 2);
    for idx in first..last {
        let Some(row) = trace.access(idx) else {
            continue;
        };
        let mut edge = |phase: &str, at: Cycle, args: Value| {
            events.push(json!({
                "ph": phase,
                "cat": "memory",
                "id": idx,
                "name": format!("{:?}", row.kind),
                "pid": memory(trace),
                "tid": row.slot.0,
                "ts": at.0,
                "args": args,
            }));
        };
        edge(
            "b",
            row.issued,
            json!({"warp": row.warp.0, "pc": row.pc.0, "wavefronts": row.wavefronts, "sectors": row.sectors,
                "transactions": row.transactions, "level": format!("{:?}", row.level)}),
        );
        edge("e", Cycle(row.done.0.max(row.issued.0)), json!({}));
    }
    if last < num {
        Stage::Accesses(last)
    } else {
        Stage::End
    }
}
