//! The sentences of the Source view: headline, cost, and names of code without a source line.

use super::costs::{Costs, cycles, largest_wait};
use crate::scene::Counters;
use crate::words::{capital, count_word, percent, state_description};
use engine::ids::Pc;
use engine::trace::{Frame, PcTally};

/// The text of instructions without a source line.
pub(in crate::scene) const COMPILER_GENERATED: &str = "compiler-generated";

/// The row of instructions without a source line.
pub(super) const NO_LINE: &str = "no line: compiler-generated";

/// The headline: the issuing lines, and the most expensive line.
pub(super) fn headline(frame: &Frame, costs: &Costs, counters: Counters) -> String {
    let program = frame.trace().program();
    let issuing = costs.lines_issuing();
    let numbers: Vec<String> = issuing
        .iter()
        .filter(|line| **line > 0)
        .map(|line| program.line_name(*line))
        .collect();
    let now = match numbers.as_slice() {
        [] if issuing.is_empty() => "No line issues".to_owned(),
        [] => "Code without a source line issues".to_owned(),
        [_] => format!(
            "{} issues",
            capital(&program.line_text(issuing.iter().copied().max().unwrap_or(0)))
        ),
        [first @ .., last] if numbers.len() <= 3 => {
            let comma = if first.len() > 1 { "," } else { "" };
            format!("Lines {}{comma} and {last} issue", first.join(", "))
        }
        _ => format!("{} lines issue", capital(&count_word(numbers.len() as u64))),
    };
    if counters == Counters::None {
        return format!("{now}.");
    }
    let top = (0..costs.lines.len())
        .rev()
        .max_by_key(|line| cycles(&costs.lines[*line]));
    let Some(line) = top.filter(|line| cycles(&costs.lines[*line]) > 0) else {
        return format!("{now}; no warp has run yet.");
    };
    let tally = &costs.lines[line];
    let name = if line == 0 {
        "code without a source line".to_owned()
    } else {
        program.line_text(line as u32)
    };
    let part = percent(cycles(tally), costs.total);
    let text = format!("{now}; {name} takes {part} of warp cycles");
    let with_stall = largest_wait(&tally.states).map(|state| format!("{text}, top stall {}.", state.name()));
    with_stall
        .filter(|text| text.chars().count() <= 90)
        .unwrap_or_else(|| format!("{text}."))
}

/// Why this code costs its cycles. Asterisks enclose the numbers to set bold.
pub(super) fn cost_reason(costs: &Costs, tally: &PcTally, pcs: &[Pc]) -> String {
    if pcs.is_empty() {
        return "No instruction belongs to this line.".to_owned();
    }
    if tally.issued == 0 && cycles(tally) == 0 {
        return "No warp reaches this code in this run.".to_owned();
    }
    let all = cycles(tally);
    let main_state = largest_wait(&tally.states).map_or_else(String::new, |state| {
        let part = share(tally.states[state as usize], all);
        format!(
            " *{part}* of these cycles are in {}: a warp {}.",
            state.name(),
            state_description(state)
        )
    });
    format!(
        "Warps spend *{}* of their cycles with this code as the next instruction.{main_state}",
        share(all, costs.total),
    )
}

/// A share in percent with one decimal.
pub(super) fn share(part: u64, whole: u64) -> String {
    if part > 0 && part * 2000 < whole {
        return "< 0.1 %".to_owned();
    }
    format!("{:.1} %", 100.0 * part as f64 / whole.max(1) as f64)
}
