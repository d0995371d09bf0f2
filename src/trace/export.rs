//! A run as files: counters and stalls as CSV and JSON, and the events as a trace that Perfetto and
//! Chrome open.

use serde_json::{Value, json};

use super::Trace;
use crate::ids::{Cycle, SlotIdx};
use crate::sim::{Outcome, WarpState};

impl Trace {
    /// Counters as CSV: `name,value,unit`.
    pub fn counters_csv(&self) -> String {
        let mut text = String::from("name,value,unit\n");
        for counter in self.counters() {
            text += &format!("{},{},{}\n", counter.name, counter.value, counter.unit);
        }
        text
    }

    /// Cycles by state, a row a warp slot: `slot,Empty,Selected,…`.
    pub fn states_csv(&self) -> String {
        let mut text = String::from("slot");
        for state in WarpState::ALL {
            text.push(',');
            text += state.name();
        }
        text.push('\n');
        for slot in 0..self.num_slots() as u16 {
            text += &slot.to_string();
            let states = self.states_between(Some(SlotIdx(slot)), Cycle(0), Cycle(self.num_cycles()));
            for cycles in states {
                text.push(',');
                text += &cycles.to_string();
            }
            text.push('\n');
        }
        text
    }

    /// The run's summary as JSON: what ran, how it ended, counters, warp cycles by state.
    pub fn summary_json(&self) -> Value {
        let states = self.states_between(None, Cycle(0), Cycle(self.num_cycles()));
        let counters: serde_json::Map<String, Value> = self
            .counters()
            .into_iter()
            .map(|counter| (counter.name, json!(counter.value)))
            .collect();
        let stalls: serde_json::Map<String, Value> = WarpState::ALL
            .iter()
            .map(|state| (state.name().to_owned(), json!(states[*state as usize])))
            .collect();
        json!({
            "kernel": self.program().name,
            "arch": self.arch().id.text(),
            "grid": self.launch().grid,
            "block": self.launch().block,
            "cycles": self.num_cycles(),
            "outcome": outcome_json(self.outcome()),
            "counters": counters,
            "slot_cycles": stalls,
        })
    }

    /// The run in Chrome's trace event format, a microsecond a cycle: a process a scheduler, a
    /// thread a warp slot, a slice a run of one state, and a process for memory accesses.
    pub fn perfetto_json(&self) -> String {
        let mut text = String::from("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n");
        let mut first = true;
        let mut push = |event: Value| {
            if !std::mem::take(&mut first) {
                text.push_str(",\n");
            }
            text += &event.to_string();
        };
        let schedulers = self.num_schedulers().max(1);
        for scheduler in 0..schedulers {
            push(json!({"ph": "M", "name": "process_name", "pid": scheduler,
                "args": {"name": format!("Scheduler {scheduler}")}}));
        }
        push(json!({"ph": "M", "name": "process_name", "pid": schedulers, "args": {"name": "Memory"}}));
        for slot in 0..self.num_slots() {
            let pid = slot % schedulers;
            push(json!({"ph": "M", "name": "thread_name", "pid": pid, "tid": slot,
                "args": {"name": format!("slot {slot}")}}));
            for run in self.runs_from(SlotIdx(slot as u16), Cycle(0)) {
                if run.state == WarpState::Empty {
                    continue;
                }
                let warp = self.warp_at(SlotIdx(slot as u16), run.start).map(|warp| warp.0);
                let instruction = self.program().code.get(run.pc.0 as usize);
                push(
                    json!({"ph": "X", "name": run.state.name(), "pid": pid, "tid": slot,
                    "ts": run.start.0, "dur": run.cycles(),
                    "args": {"warp": warp, "pc": run.pc.0,
                        "line": instruction.map(|instruction| instruction.span.line),
                        "instruction": instruction.map(|instruction| instruction.text(self.arch().id))}}),
                );
            }
        }
        for idx in 0..self.num_accesses() as u32 {
            let Some(row) = self.access(idx) else {
                continue;
            };
            push(
                json!({"ph": "X", "name": format!("{:?}", row.kind), "pid": schedulers, "tid": row.slot.0,
                "ts": row.issued.0, "dur": row.done.0.saturating_sub(row.issued.0),
                "args": {"warp": row.warp.0, "pc": row.pc.0, "wavefronts": row.wavefronts,
                    "sectors": row.sectors, "transactions": row.transactions, "level": format!("{:?}", row.level)}}),
            );
        }
        text += "\n]}\n";
        text
    }
}

fn outcome_json(outcome: &Outcome) -> Value {
    match outcome {
        Outcome::Finished => json!({"kind": "finished"}),
        Outcome::CycleBudget => json!({"kind": "cycle budget"}),
        Outcome::MemoryBudget => json!({"kind": "memory budget"}),
        Outcome::Fault(fault) => json!({"kind": "fault", "message": fault.message, "cycle": fault.cycle.0,
            "pc": fault.pc.0, "warp": fault.warp.0}),
        Outcome::Deadlock { reason, .. } => json!({"kind": "deadlock", "message": reason}),
    }
}
