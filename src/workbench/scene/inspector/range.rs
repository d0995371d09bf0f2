//! The explanation of a range of cycles: the counters of these cycles only.

use super::{Facts, Inspection, bars, phrases};
use crate::words::{capital, counted, percent, request_name, thousands};
use engine::ids::Cycle;
use engine::sim::{RequestKind, WarpState};
use engine::trace::{AccessTally, Frame, RangeCounters};

/// Number of source lines to list.
const MOST: usize = 5;

/// Explains a range of cycles that was brushed in the timeline: counters of all warps.
pub fn inspect_range(frame: &Frame, from: Cycle, to: Cycle) -> Inspection {
    let counters = frame.record().range_counters(from, to);
    let (first, last) = (counters.from.0, counters.to.0.saturating_sub(1));
    let title = if first == last {
        format!("Cycle {}", thousands(first))
    } else {
        format!("Cycles {} to {}", thousands(first), thousands(last))
    };
    let mut facts = vec![issue_facts(&counters)];
    facts.extend(
        counters
            .accesses
            .iter()
            .map(|(kind, sum)| access_facts(*kind, sum)),
    );
    facts.extend(line_facts(frame, &counters));
    Inspection {
        title,
        place: counted(counters.cycles(), "cycle"),
        why: phrases(&super::wording::issue_utilization(&percent(
            counters.issue_cycles(),
            counters.issue_slots,
        ))),
        bars_title: (
            "All warps in these cycles".to_owned(),
            thousands(counters.resident()),
        ),
        bars: bars(&counters.states),
        facts,
        ..Inspection::default()
    }
}

fn fact(name: &str, value: String) -> (String, String) {
    (name.to_owned(), value)
}

fn issue_facts(counters: &RangeCounters) -> Facts {
    let stalled = counters.resident() - counters.issue_cycles();
    Facts {
        title: "In these cycles".to_owned(),
        rows: vec![
            fact("Warp instructions", thousands(counters.instructions)),
            fact("Instructions per cycle", format!("{:.2}", counters.ipc())),
            fact("Issue slots", thousands(counters.issue_slots)),
            fact("Issue slots used", thousands(counters.issue_cycles())),
            fact("Warp cycles without issue", thousands(stalled)),
            fact(
                "Warp cycles at a barrier",
                thousands(counters.states[WarpState::Barrier as usize]),
            ),
        ],
    }
}

/// The accesses of one kind: wavefronts for shared memory, else sectors and cache hits.
fn access_facts(kind: RequestKind, sum: &AccessTally) -> Facts {
    let mut rows = vec![fact("Warp-level accesses", thousands(sum.accesses))];
    if kind.is_shared() {
        rows.push(fact("Wavefronts", thousands(sum.wavefronts)));
        let conflicts = sum.wavefronts.saturating_sub(sum.ideal_wavefronts);
        rows.push(fact("Wavefronts of bank conflicts", thousands(conflicts)));
    } else {
        rows.push(fact("Sectors", thousands(sum.sectors)));
        rows.push(fact("Transactions", thousands(sum.transactions)));
        rows.push(fact("Bytes moved", thousands(sum.bytes)));
        if sum.l1_hits + sum.l2_hits > 0 {
            rows.push(fact("Hits in L1", thousands(sum.l1_hits)));
            rows.push(fact("Hits in L2", thousands(sum.l2_hits)));
        }
    }
    Facts {
        title: capital(request_name(kind)),
        rows,
    }
}

/// The source lines with the most warp cycles.
fn line_facts(frame: &Frame, counters: &RangeCounters) -> Option<Facts> {
    let mut lines: Vec<(u32, u64)> = Vec::new();
    for (pc, states) in &counters.pcs {
        let line = frame
            .instruction(*pc)
            .map_or(0, |instruction| instruction.span.line);
        let cycles = states.iter().sum::<u64>();
        match lines.iter_mut().find(|(of, _)| *of == line) {
            Some((_, sum)) => *sum += cycles,
            None => lines.push((line, cycles)),
        }
    }
    lines.sort_by_key(|(line, cycles)| (std::cmp::Reverse(*cycles), *line));
    let row = |(line, cycles): &(u32, u64)| {
        let name = match line {
            0 => "Code without a source line".to_owned(),
            line => capital(&frame.line_text(*line)),
        };
        (name, percent(*cycles, counters.resident()))
    };
    (!lines.is_empty()).then(|| Facts {
        title: "Most warp cycles at".to_owned(),
        rows: lines.iter().take(MOST).map(row).collect(),
    })
}
