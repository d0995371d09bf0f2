//! Exports of a run: counters and stalls as CSV and JSON, and events as a trace for Perfetto and Chrome.

mod chrome;

use serde_json::{Value, json};

use super::Trace;
use crate::ids::{Cycle, SlotIdx};
use crate::printf::num_overwritten;
use crate::sim::memory::Outputs;
use crate::sim::{Outcome, WarpState};

pub use chrome::ChromeTrace;

impl Trace {
    /// Counters as CSV: `name,value,unit`.
    pub fn counters_csv(&self) -> String {
        let mut text = String::from("name,value,unit\n");
        for counter in self.counters() {
            text += &format!("{},{},{}\n", counter.name, counter.value, counter.unit);
        }
        text
    }

    /// Cycles by state, one row per warp slot: `slot,Empty,Selected,…`.
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

    /// The run's summary as JSON: program, launch, outcome, counters, and warp cycles by state.
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

    /// The summary with occupancy, registers, and a CRC-32 of each compared buffer.
    pub fn run_json(&self) -> Value {
        let mut object = self.summary_json();
        object["occupancy"] = json!(self.occupancy());
        object["registers_per_thread"] = json!(self.program().registers_per_thread);
        object["printed"] = self.printed_json();
        object["printed_overwritten"] = json!(num_overwritten(self.printed()));
        object["outputs"] = self
            .outputs()
            .into_iter()
            .flat_map(Outputs::compared)
            .map(|(argument, bytes)| {
                let param = self.program().params.get(argument);
                json!({
                    "argument": argument,
                    "name": param.map(|param| &param.name),
                    "crc32": format!("{:08x}", crc32(&bytes)),
                    "bytes": bytes.len(),
                })
            })
            .collect();
        object
    }

    /// The output of `printf` and failed assertions, as far as the device's buffer holds it: objects with
    /// `block`, `thread`, `warp`, `lane`, `cycle`, and `text`.
    pub fn printed_json(&self) -> Value {
        let calls = &self.printed()[num_overwritten(self.printed())..];
        calls
            .iter()
            .map(|call| {
                json!({
                    "block": call.block,
                    "thread": call.thread,
                    "warp": call.warp.0,
                    "lane": call.lane,
                    "cycle": call.cycle.0,
                    "text": call.text(),
                })
            })
            .collect()
    }

    /// The run in Chrome's trace event format, with one microsecond per cycle. See [`ChromeTrace`].
    pub fn perfetto_json(&self) -> String {
        let mut pieces = ChromeTrace::default();
        let mut text = String::new();
        while let Some(piece) = pieces.piece(self) {
            text += &piece;
        }
        text
    }
}

/// The CRC-32 checksum that zip and PNG use.
fn crc32(bytes: &[u8]) -> u32 {
    let step = |sum: u32, byte: &u8| {
        (0..8).fold(sum ^ u32::from(*byte), |sum, _| {
            (sum >> 1) ^ if sum & 1 == 1 { 0xedb8_8320 } else { 0 }
        })
    };
    !bytes.iter().fold(u32::MAX, step)
}

fn outcome_json(outcome: Option<&Outcome>) -> Value {
    let Some(outcome) = outcome else {
        return json!({"kind": "running"});
    };
    match outcome {
        Outcome::Finished => json!({"kind": "finished"}),
        Outcome::CycleBudget => json!({"kind": "cycle budget"}),
        Outcome::MemoryBudget => json!({"kind": "memory budget"}),
        Outcome::Fault(fault) => json!({"kind": "fault", "message": fault.message, "cycle": fault.cycle.0,
            "pc": fault.pc.0, "warp": fault.warp.0}),
        Outcome::Deadlock { reason, .. } => json!({"kind": "deadlock", "message": reason}),
    }
}

#[cfg(test)]
mod tests {
    use super::crc32;

    #[test]
    fn checksums_equal_those_of_zip() {
        for text in [
            "",
            "a",
            "123456789",
            "The quick brown fox jumps over the lazy dog",
        ] {
            assert_eq!(crc32(text.as_bytes()), crc32fast::hash(text.as_bytes()), "{text}");
        }
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
    }
}
