//! The sentences of the Timeline view.

use crate::words::{counted, fit_headline, percent, thousands};
use engine::ids::Cycle;
use engine::sim::WarpState;
use engine::trace::Frame;

/// The cycles that the Timeline shows, of all cycles of the run. `end` is the cycle after the last one shown.
pub(super) fn shown_cycles((start, end): (u64, u64), cycles: u64) -> String {
    let (first, last) = (thousands(start), thousands(end.saturating_sub(1)));
    match end - start {
        shown if shown >= cycles => format!("The Timeline shows all {}.", counted(cycles, "cycle")),
        1 => format!("The Timeline shows cycle {first} of {}.", thousands(cycles)),
        _ => format!(
            "The Timeline shows cycles {first} to {last} of {}.",
            thousands(cycles)
        ),
    }
}

/// A pending result, with its latency from issue: `R5 pending: 34 cycles`.
pub(super) fn pending_result(name: &str, latency: &str) -> String {
    format!("{name} pending: {latency}")
}

/// The headline: issue-slot utilization and the largest stall reason of the last cycles.
pub(super) fn headline(frame: &Frame) -> String {
    let record = frame.record();
    let end = frame.cycle().0 + 1;
    let start = end.saturating_sub(40);
    let states = record.states_between(None, Cycle(start), Cycle(end));
    let issues = record
        .issues_from(Cycle(start))
        .take_while(|row| row.cycle.0 < end)
        .filter(|row| row.dispatch == 0)
        .count() as u64;
    // A slot takes the cycles of an issue: a part of one counts as whole, because its issue is at its start.
    let slots = record.issue_slots((end - start).next_multiple_of(record.issue_interval().max(1)));
    let resident: u64 = states[1..].iter().sum();
    let cycles = match (end > 40, end - start) {
        (true, num) => format!("Last {}", counted(num, "cycle")),
        (false, 1) => "First cycle".to_owned(),
        (false, num) => format!("First {}", counted(num, "cycle")),
    };
    let mut text = format!("{cycles}: {} of issue slots used", percent(issues, slots.max(1)));
    let top = WarpState::ALL[3..]
        .iter()
        .max_by_key(|state| states[**state as usize]);
    match top {
        Some(state) if states[*state as usize] > 0 => {
            let share = percent(states[*state as usize], resident);
            text += &format!("; {} takes {share} of warp time.", state.name());
        }
        _ => text.push('.'),
    }
    fit_headline(text)
}
