//! The numbers of the Source and Stalls views add up to the counters of the run.

use std::sync::Arc;

use super::account::{Account, tenths};
use crate::library;
use crate::scene::source::costs::{Costs, cycles, wavefronts};
use crate::scene::{
    Breakdown, CodePart, Counters, Period, Settings, Size, ViewState, inspect_code, inspect_stalls, source,
    stalls,
};
use cuda::compile;
use engine::arch::{ArchId, architecture};
use engine::ids::{Cycle, Pc, SlotIdx};
use engine::isa::CompileOptions;
use engine::sim::{MachineOptions, WarpState};
use engine::trace::{Direction, StateCycles, Trace, simulate};

const ARCHES: [ArchId; 5] = [
    ArchId::Gt200,
    ArchId::Gf100,
    ArchId::Gf104,
    ArchId::Gp104,
    ArchId::Tu102,
];
const KERNELS: [&str; 3] = ["matmul-tiled", "reduce-sum", "transpose-tiled"];
const SIZE: Size = Size {
    width: 832.0,
    height: 600.0,
};

fn run(arch: ArchId, kernel: &str) -> Trace {
    let kernel = library::kernel(kernel).unwrap();
    let program = compile(
        kernel.source,
        Some(kernel.entry),
        arch,
        &CompileOptions::default(),
    )
    .unwrap()
    .program;
    simulate(
        architecture(arch),
        Arc::new(program),
        &kernel.launch(),
        MachineOptions::default(),
    )
    .unwrap()
}

fn add(sum: &mut StateCycles, states: &StateCycles) {
    for (to, from) in sum.iter_mut().zip(states) {
        *to += from;
    }
}

fn sum<'a>(all: impl IntoIterator<Item = &'a StateCycles>) -> StateCycles {
    let mut total = StateCycles::default();
    for states in all {
        add(&mut total, states);
    }
    total[WarpState::Empty as usize] = 0;
    total
}

/// Calls a check with each run.
fn each_run(check: impl Fn(&Trace, &str)) {
    for arch in ARCHES {
        for kernel in KERNELS {
            check(&run(arch, kernel), &format!("{kernel} on {arch}"));
        }
    }
}

#[test]
fn lines_instructions_and_warps_add_up_to_the_counters() {
    each_run(|trace, name| {
        let frame = trace.frame(Cycle(trace.num_cycles() / 2));
        let costs = Costs::new(&frame, Some(SlotIdx(0)));
        let lines = &costs.lines;
        let of_lines = |of: fn(&engine::trace::PcTally) -> u64| lines.iter().map(of).sum::<u64>() as f64;
        let counter = |name: &str| trace.counter(name).unwrap();
        assert_eq!(
            of_lines(|tally| tally.issued),
            counter("smsp__inst_executed.sum"),
            "{name}"
        );
        assert_eq!(
            of_lines(|tally| tally.threads_active),
            counter("smsp__thread_inst_executed.sum"),
            "{name}"
        );
        let shared = |part: &str| -> f64 {
            let ops = ["ld", "st", "atom"].iter();
            ops.map(|op| counter(&format!("l1tex__data_{part}_mem_shared_op_{op}.sum")))
                .sum()
        };
        assert_eq!(
            of_lines(|tally| wavefronts(tally).1),
            shared("pipe_lsu_wavefronts"),
            "{name}"
        );
        assert_eq!(
            of_lines(|tally| wavefronts(tally).2),
            shared("bank_conflicts_pipe_lsu"),
            "{name}"
        );
        assert_eq!(costs.total, of_lines(cycles) as u64, "{name}");
        let account = Account::new(&frame, Period::Run, None);
        assert_eq!(account.resident, costs.total, "{name}");
        let active = trace.active_cycles() * trace.num_schedulers() as u64;
        assert_eq!(account.scheduler_cycles, active, "{name}");
    });
}

#[test]
fn every_period_adds_up_in_every_way() {
    each_run(|trace, name| {
        for cycle in [0, 1, 17, trace.num_cycles() / 3, trace.num_cycles() - 1] {
            let frame = trace.frame(Cycle(cycle));
            for period in Period::ALL {
                let range = (Cycle(cycle), Cycle(cycle + 23));
                let account = Account::new(&frame, period, Some(range));
                let slots: Vec<StateCycles> =
                    account.by_slot(&frame).iter().map(|slot| slot.states).collect();
                let all = sum([&account.states]);
                assert_eq!(sum(&slots), all, "{name}, {cycle}, {period:?}");
                assert_eq!(sum(&account.by_pc(&frame)), all, "{name}, {cycle}, {period:?}");
                assert_eq!(sum(&account.by_line(&frame)), all, "{name}, {cycle}, {period:?}");
                let whole = (account.to.0 - account.from.0) * trace.num_slots() as u64;
                assert_eq!(account.states.iter().sum::<u64>(), whole, "{name}");
            }
        }
    });
}

#[test]
fn an_issue_is_a_cycle_in_which_one_warp_of_a_scheduler_is_selected() {
    each_run(|trace, name| {
        let account = Account::new(&trace.frame(Cycle(0)), Period::Run, None);
        assert_eq!(account.issue_cycles(), trace.issue_cycles(), "{name}");
    });
}

#[test]
fn cycles_of_an_instruction_in_a_period_are_those_of_its_runs() {
    each_run(|trace, name| {
        let end = trace.num_cycles();
        for (from, to) in [(0, end), (5, 6), (end / 3, end / 2), (end / 2, end), (7, 7)] {
            let sums = trace.pc_states_between(Cycle(from), Cycle(to));
            let mut counted = vec![StateCycles::default(); sums.len()];
            for slot in 0..trace.num_slots() as u16 {
                for cycle in (from..to).step_by(1) {
                    let run = trace.run_at(SlotIdx(slot), Cycle(cycle)).unwrap();
                    if run.state != WarpState::Empty {
                        counted[run.pc.0 as usize][run.state as usize] += 1;
                    }
                }
                if to - from > 600 {
                    break;
                }
            }
            if to - from <= 600 {
                assert_eq!(sums, counted, "{name}, {from} to {to}");
            }
        }
    });
}

#[test]
fn each_issue_is_found_by_a_jump_to_its_line() {
    each_run(|trace, name| {
        let costs = Costs::new(&trace.frame(Cycle(0)), None);
        for row in trace
            .issues_from(Cycle(0))
            .take(400)
            .filter(|row| row.cycle.0 > 0)
        {
            let pcs = costs.pcs_of(costs.line(row.pc.0));
            let before = Cycle(row.cycle.0 - 1);
            let next = trace.issue_of(before, Direction::Forward, &pcs).unwrap();
            assert_eq!(next.cycle, row.cycle, "{name}");
            let after = Cycle(row.cycle.0 + 1);
            let last = trace.issue_of(after, Direction::Backward, &pcs).unwrap();
            assert_eq!(last.cycle, row.cycle, "{name}");
        }
        for pc in 0..trace.program().code.len() as u32 {
            let issued = trace.tally(Pc(pc)).unwrap().issued;
            assert_eq!(trace.issue_span(Pc(pc)).is_some(), issued > 0, "{name}");
        }
    });
}

#[test]
fn shares_add_up_to_a_hundred_percent() {
    for parts in [
        &[1, 1, 1][..],
        &[7, 0, 993, 3],
        &[1],
        &[2, 2, 2, 2, 2, 2, 1],
        &[0, 0],
    ] {
        let shares = tenths(parts);
        let whole = if parts.iter().any(|part| *part > 0) {
            1000
        } else {
            0
        };
        assert_eq!(shares.iter().sum::<u64>(), whole, "{parts:?}");
    }
}

#[test]
fn the_table_marks_issues_and_the_selected_warp() {
    each_run(|trace, name| {
        for cycle in [40, trace.num_cycles() / 2] {
            let frame = trace.frame(Cycle(cycle));
            let view = ViewState {
                slot: Some(SlotIdx(1)),
                ..ViewState::default()
            };
            let scene = source(&frame, &view, SIZE);
            let rows = scene.table.rows.iter().filter(|row| !row[1].is_empty());
            for (pc, row) in rows.enumerate() {
                let issues = trace
                    .issues_at(Cycle(cycle))
                    .any(|issue| issue.pc.0 as usize == pc);
                assert_eq!(row[9].starts_with("issues"), issues, "{name} {row:?}");
                let run = frame.run(SlotIdx(1)).unwrap();
                let here = run.state != WarpState::Empty && run.pc.0 as usize == pc;
                assert_eq!(row[9].ends_with("selected warp"), here, "{name} {row:?}");
            }
        }
    });
}

#[test]
fn a_long_kernel_shows_few_rows_and_keeps_the_warp_visible() {
    let mut text = String::from("__global__ void k(int *a) {\n  int x = a[threadIdx.x];\n");
    for line in 0..300 {
        text += &format!(
            "  x = x * {} + (x >> {}); // {line}\n",
            line % 7 + 2,
            line % 5 + 1
        );
    }
    text += "  a[threadIdx.x] = x;\n}\n";
    let kernel = library::kernel("vector-add").unwrap();
    let arch = ArchId::Tu102;
    let program = compile(&text, None, arch, &CompileOptions::default())
        .unwrap()
        .program;
    let mut launch = kernel.launch();
    launch.args.truncate(1);
    let trace = simulate(
        architecture(arch),
        Arc::new(program),
        &launch,
        MachineOptions::default(),
    )
    .unwrap();
    let mut view = ViewState {
        slot: Some(SlotIdx(0)),
        follows_warp: true,
        ..ViewState::default()
    };
    for counters in Counters::ALL {
        view.settings.counters = counters;
        for part in CodePart::ALL {
            view.settings.code = part;
            for cycle in (0..trace.num_cycles()).step_by(trace.num_cycles() as usize / 7) {
                let frame = trace.frame(Cycle(cycle));
                let scene = source(&frame, &view, SIZE);
                assert!(scene.items.len() < 2000, "{} items", scene.items.len());
                assert_eq!(scene.size, SIZE);
                let Some(run) = frame.run(SlotIdx(0)).filter(|run| run.state != WarpState::Empty) else {
                    continue;
                };
                for pane in &scene.panes {
                    let row = match pane.rows {
                        crate::scene::PaneRows::Lines => frame.instruction(run.pc).unwrap().span.line - 1,
                        crate::scene::PaneRows::Instructions => run.pc.0,
                    };
                    let shown = (pane.area.3 / pane.row_px) as u32;
                    assert!(
                        (pane.top..pane.top + shown).contains(&row),
                        "{pane:?} without {row}"
                    );
                }
            }
        }
    }
}

#[test]
fn the_explanation_uses_the_numbers_of_the_run() {
    each_run(|trace, name| {
        let frame = trace.frame(Cycle(trace.num_cycles() / 2));
        let costs = Costs::new(&frame, None);
        for line in 0..costs.lines.len() as u32 {
            let view = ViewState {
                line: Some(line),
                ..ViewState::default()
            };
            let seen = inspect_code(&frame, &view).unwrap();
            let bars: u64 = seen.bars.iter().map(|bar| bar.value).sum();
            assert_eq!(bars, cycles(&costs.of_line(line)), "{name}, line {line}");
            assert!(seen.why_text().ends_with('.'), "{name}: {}", seen.why_text());
        }
        for mark in crate::scene::Mark::ALL {
            let view = ViewState {
                filter: Some(mark),
                ..ViewState::default()
            };
            let seen = inspect_stalls(&frame, &view).unwrap();
            let account = Account::new(&frame, Period::Run, None);
            let states = WarpState::ALL[1..].iter();
            let of = states.filter(|state| crate::scene::Mark::of(**state) == mark);
            let all: u64 = of.map(|state| account.states[*state as usize]).sum();
            assert_eq!(seen.bars.iter().map(|bar| bar.value).sum::<u64>(), all, "{name}");
        }
    });
}

#[test]
fn every_breakdown_s_table_adds_up() {
    each_run(|trace, name| {
        let frame = trace.frame(Cycle(trace.num_cycles() / 2));
        for breakdown in Breakdown::ALL {
            for period in Period::ALL {
                let view = ViewState {
                    settings: Settings {
                        breakdown,
                        period,
                        ..Settings::default()
                    },
                    ..ViewState::default()
                };
                let scene = stalls(&frame, &view, SIZE);
                let (column, last) = match breakdown {
                    Breakdown::Reason => (1, WarpState::ALL.len() - 1),
                    _ => (2, scene.table.rows.len()),
                };
                let cells = scene.table.rows[..last]
                    .iter()
                    .map(|row| row[column].replace(',', ""));
                let all: u64 = cells.map(|cell| cell.parse::<u64>().unwrap()).sum();
                let account = Account::new(&frame, period, None);
                assert_eq!(all, account.resident, "{name} {breakdown:?} {period:?}");
            }
        }
    });
}
