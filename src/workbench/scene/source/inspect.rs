//! The explanation of a line or an instruction: its cost over the whole run, and its previous and next issue.

use super::costs::{Costs, cycles, largest_wait, mean, sectors, wavefronts};
use super::wording::{COMPILER_GENERATED, NO_LINE, cost_reason};
use crate::scene::inspector::{Action, Code, Inspection, Source, bars, phrases};
use crate::scene::{Facts, Mark, Target, ViewState};
use crate::words::{capital, counted, request_name, thousands};
use engine::ids::Pc;
use engine::isa::print::instruction_bytes;
use engine::sim::{RequestKind, WarpState};
use engine::trace::{Direction, Frame, PcTally};

/// Explains the selected instruction, else the selected line; `None` if neither is selected.
pub fn inspect_code(frame: &Frame, view: &ViewState) -> Option<Inspection> {
    let program = frame.trace().program();
    let costs = Costs::new(frame, view.slot);
    let selected = view.pc.filter(|pc| (*pc as usize) < program.code.len());
    let (tally, pcs, title, place, code) = if let Some(pc) = selected {
        let line = costs.line(pc);
        let place = if line == 0 {
            NO_LINE.to_owned()
        } else {
            program.line_text(line)
        };
        let code = Code {
            label: place.clone(),
            text: program.code[pc as usize].text(frame.arch().id),
            pc,
            line,
        };
        let title = format!("Instruction {:04x}", pc * instruction_bytes(frame.arch().id));
        (costs.pcs[pc as usize].clone(), vec![Pc(pc)], title, place, code)
    } else {
        let line = view.line?;
        let pcs = costs.pcs_of(line);
        let text = program
            .source
            .lines()
            .nth((line as usize).checked_sub(1).unwrap_or(usize::MAX));
        let (title, label) = if line == 0 {
            ("No line".to_owned(), COMPILER_GENERATED.to_owned())
        } else {
            (capital(&program.line_text(line)), "in the editor".to_owned())
        };
        let code = Code {
            label,
            text: text.unwrap_or_default().trim().to_owned(),
            pc: pcs.first().map_or(0, |pc| pc.0),
            line,
        };
        let place = counted(pcs.len() as u64, "instruction");
        (costs.of_line(line), pcs, title, place, code)
    };
    let wait = largest_wait(&tally.states);
    Some(Inspection {
        title,
        place,
        state: wait.map(|state| (Mark::of(state), state.name().to_owned())),
        why: phrases(&cost_reason(&costs, &tally, &pcs)),
        code: Some(code).filter(|code| !code.text.is_empty()),
        actions: jumps(frame, &pcs),
        bars_title: (
            "Warp cycles at this code, whole run".to_owned(),
            thousands(cycles(&tally)),
        ),
        bars: bars(&tally.states),
        facts: facts(&tally).into_iter().chain(charged(&costs, &pcs)).collect(),
        sources: counters(&tally),
        ..Inspection::default()
    })
}

/// Buttons to the previous and the next issue of the code.
fn jumps(frame: &Frame, pcs: &[Pc]) -> Vec<Action> {
    let jump = |direction: Direction, name: &str| {
        let row = frame.record().issue_of(frame.cycle(), direction, pcs)?;
        Some(Action {
            id: match direction {
                Direction::Forward => "next-issue-of-it",
                Direction::Backward => "last-issue-of-it",
            },
            name: format!("{name}: cycle {}", thousands(row.cycle.0)),
            target: Target::Cycle(row.cycle.0),
        })
    };
    let both = [
        jump(Direction::Backward, "Previous issue"),
        jump(Direction::Forward, "Next issue"),
    ];
    both.into_iter().flatten().collect()
}

fn facts(tally: &PcTally) -> Vec<Facts> {
    let mut rows = vec![
        ("issued".to_owned(), thousands(tally.issued)),
        (
            "active lanes, mean".to_owned(),
            mean(tally.threads_active, tally.issued),
        ),
        (
            "predicated-on lanes, mean".to_owned(),
            mean(tally.threads_executed, tally.issued),
        ),
    ];
    if tally.diverged > 0 {
        rows.push(("divergent branches".to_owned(), thousands(tally.diverged)));
    }
    let (accesses, all, extra) = wavefronts(tally);
    if accesses > 0 {
        rows.push(("wavefronts per access".to_owned(), mean(all, accesses)));
        rows.push(("bank conflicts".to_owned(), thousands(extra)));
    }
    let (requests, num_sectors, _) = sectors(tally);
    if requests > 0 {
        rows.push(("sectors per request".to_owned(), mean(num_sectors, requests)));
    }
    rows.retain(|(_, value)| !value.is_empty());
    vec![Facts {
        title: "Whole run".to_owned(),
        rows,
    }]
}

/// The cycles that the code is charged for, because warps wait for it: those that findings count.
fn charged(costs: &Costs, pcs: &[Pc]) -> Option<Facts> {
    let states = costs.charged(pcs.iter().map(|pc| pc.0));
    let stalls = WarpState::ALL[2..]
        .iter()
        .filter(|state| states[**state as usize] > 0);
    let mut rows: Vec<(String, u64)> = stalls
        .map(|state| (state.name().to_owned(), states[*state as usize]))
        .collect();
    rows.sort_by_key(|(_, cycles)| std::cmp::Reverse(*cycles));
    (!rows.is_empty()).then(|| Facts {
        title: "Stalls charged to this code, as in Findings".to_owned(),
        rows: rows
            .into_iter()
            .map(|(name, cycles)| (name, thousands(cycles)))
            .collect(),
    })
}

/// The suffix of counter names for an access kind: `shared_op_ld`.
const fn counter_suffix(kind: RequestKind) -> &'static str {
    match kind {
        RequestKind::SharedLoad => "shared_op_ld",
        RequestKind::SharedStore => "shared_op_st",
        RequestKind::SharedAtomic => "shared_op_atom",
        RequestKind::GlobalLoad => "global_op_ld",
        RequestKind::GlobalStore => "global_op_st",
        RequestKind::GlobalAtomic => "global_op_atom",
        RequestKind::GlobalReduction => "global_op_red",
        RequestKind::LocalLoad => "local_op_ld",
        RequestKind::LocalStore => "local_op_st",
        RequestKind::ConstantLoad => "constant",
        RequestKind::TextureLoad => "tex",
        RequestKind::UniformLoad => "global_op_ldu",
        RequestKind::CopyLoad => "global_op_ldgsts",
        RequestKind::CopyStore => "shared_op_ldgsts",
    }
}

/// The counters of this code, with Nsight Compute's names.
fn counters(tally: &PcTally) -> Vec<Source> {
    let counter = |name: String, value: u64, metric: String| Source {
        name: capital(&name),
        value: thousands(value),
        source: format!("Nsight Compute: {metric}"),
        assumed: false,
    };
    let mut list = vec![
        counter(
            "Warp instructions".to_owned(),
            tally.issued,
            "smsp__inst_executed.sum".to_owned(),
        ),
        counter(
            "Thread instructions".to_owned(),
            tally.threads_active,
            "smsp__thread_inst_executed.sum".to_owned(),
        ),
        counter(
            "Thread instructions, predicate on".to_owned(),
            tally.threads_executed,
            "smsp__thread_inst_executed_pred_on.sum".to_owned(),
        ),
    ];
    for (kind, access) in &tally.accesses {
        let (what, name) = (request_name(*kind), counter_suffix(*kind));
        if kind.is_shared() {
            list.push(counter(
                format!("{what}: wavefronts"),
                access.wavefronts,
                format!("l1tex__data_pipe_lsu_wavefronts_mem_{name}.sum"),
            ));
            list.push(counter(
                format!("{what}: bank conflicts"),
                access.wavefronts.saturating_sub(access.ideal_wavefronts),
                format!("l1tex__data_bank_conflicts_pipe_lsu_mem_{name}.sum"),
            ));
        } else if *kind == RequestKind::ConstantLoad {
            list.push(counter(
                format!("{what}: requests"),
                access.requests,
                "idc__requests.sum".to_owned(),
            ));
        } else if *kind == RequestKind::TextureLoad {
            for (part, value) in [("requests", access.requests), ("sectors", access.sectors)] {
                list.push(counter(
                    format!("{what}: {part}"),
                    value,
                    format!("l1tex__t_{part}_pipe_{name}.sum"),
                ));
            }
        } else {
            list.push(counter(
                format!("{what}: requests"),
                access.requests,
                format!("l1tex__t_requests_pipe_lsu_mem_{name}.sum"),
            ));
            list.push(counter(
                format!("{what}: sectors"),
                access.sectors,
                format!("l1tex__t_sectors_pipe_lsu_mem_{name}.sum"),
            ));
        }
    }
    list
}
