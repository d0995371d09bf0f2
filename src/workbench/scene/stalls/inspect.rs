//! The explanation of the selection in the Stalls view.

use super::account::Account;
use super::wording::{meaning, remedy_in};
use crate::scene::inspector::{Facts, Inspection, Source, bars, phrases};
use crate::scene::{Breakdown, Mark, ViewState, inspect_code};
use crate::words::{counted, percent, thousands};
use engine::sim::WarpState;
use engine::trace::{Frame, StateCycles, stall_metric};

/// Number of source lines to list.
const MOST: usize = 6;

/// Explains the selected mark, line, or instruction; `None` if a warp is selected.
pub fn inspect_stalls(frame: &Frame, view: &ViewState) -> Option<Inspection> {
    match view.settings.breakdown {
        Breakdown::Line | Breakdown::Instruction => inspect_code(frame, view),
        Breakdown::Warp => None,
        Breakdown::Reason => view.filter.map(|mark| of_mark(frame, view, mark)),
    }
}

fn of_mark(frame: &Frame, view: &ViewState, mark: Mark) -> Inspection {
    let account = Account::of(frame, view);
    let states: Vec<WarpState> = WarpState::ALL[1..]
        .iter()
        .filter(|state| Mark::of(**state) == mark)
        .copied()
        .collect();
    let of = |cycles: &StateCycles| -> u64 { states.iter().map(|state| cycles[*state as usize]).sum() };
    let all = of(&account.states);
    let mut only = StateCycles::default();
    for state in &states {
        only[*state as usize] = account.states[*state as usize];
    }
    let largest = states.iter().rev().max_by_key(|state| only[**state as usize]);
    let why = largest.map_or_else(String::new, |state| {
        format!(" {} {}", meaning(*state), remedy_in(frame, *state))
    });
    let part = percent(all, account.resident);
    let mut lines: Vec<(usize, u64)> = account.by_line(frame).iter().map(of).enumerate().collect();
    lines.retain(|(_, cycles)| *cycles > 0);
    lines.sort_by_key(|(_, cycles)| std::cmp::Reverse(*cycles));
    let row = |(line, cycles): &(usize, u64)| {
        let name = if *line == 0 {
            "no source line".to_owned()
        } else {
            frame.line_text(*line as u32)
        };
        (name, percent(*cycles, all))
    };
    let metric = |state: &WarpState| Source {
        name: state.name().to_owned(),
        value: format!(
            "{:.2}",
            account.states[*state as usize] as f64 / account.issue_cycles().max(1) as f64
        ),
        source: format!("Nsight Compute: {}", stall_metric(*state)),
        assumed: false,
    };
    Inspection {
        title: mark.name().to_owned(),
        place: counted(account.to.0 - account.from.0, "cycle"),
        state: Some((mark, format!("{part} of warp cycles"))),
        why: phrases(why.trim()),
        bars_title: ("Warp cycles in this state".to_owned(), thousands(all)),
        bars: bars(&only),
        facts: vec![Facts {
            title: "Most cycles at".to_owned(),
            rows: lines.iter().take(MOST).map(row).collect(),
        }],
        sources: states.iter().map(metric).collect(),
        ..Inspection::default()
    }
}
