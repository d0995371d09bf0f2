//! Seeking equals a straight run, and the trace's counts equal the events.

use proptest::prelude::*;

use super::testing::{Log, run, transpose, transpose_launch};
use super::{Snapshot, Trace, TraceOptions};
use crate::arch::{ArchId, architecture};
use crate::ids::{Cycle, SlotIdx};
use crate::isa::Reg;
use crate::sim::machine::Machine;
use crate::sim::{MachineOptions, Outcome, RequestKind, WarpState};

const ARCHES: [ArchId; 5] = [
    ArchId::G80,
    ArchId::Gf100,
    ArchId::Gp104,
    ArchId::Tu102,
    ArchId::Gh100,
];

fn machine(arch: ArchId, blocks: u32, rounds: u32) -> Machine {
    let program = transpose(arch, rounds);
    Machine::new(
        architecture(arch),
        &program,
        &transpose_launch(blocks),
        MachineOptions::default(),
    )
    .unwrap()
}

fn log(arch: ArchId, blocks: u32, rounds: u32) -> (Machine, Log) {
    let mut machine = machine(arch, blocks, rounds);
    let mut log = Log::default();
    machine.run(&mut log);
    (machine, log.settled())
}

/// Tight limits: both thinning of checkpoints and replay are exercised.
const TIGHT: TraceOptions = TraceOptions {
    column_bytes: 64 << 20,
    checkpoint_bytes: 200_000,
    checkpoint_cost: 2048,
};

fn registers(machine: &Machine) -> Vec<Option<[u32; 32]>> {
    (0..machine.num_slots() as u16)
        .flat_map(|slot| (0..12).map(move |reg| (slot, reg)))
        .map(|(slot, reg)| machine.register(SlotIdx(slot), Reg(reg)))
        .collect()
}

#[test]
fn a_run_ends_and_its_trace_covers_it() {
    for arch in ARCHES {
        let trace = run(arch, 3, 2, TIGHT);
        assert_eq!(trace.outcome(), Some(&Outcome::Finished), "{arch}");
        let (machine, log) = log(arch, 3, 2);
        assert_eq!(trace.num_cycles(), machine.cycle().0, "{arch}");
        assert_eq!(trace.num_issues(), log.issues.len() as u64, "{arch}");
        assert_eq!(trace.barrier_releases().len(), log.releases.len(), "{arch}");
        assert_eq!(trace.blocks().len(), 3, "{arch}");
        assert!(
            trace.blocks().iter().all(|span| span.finished.is_some()),
            "{arch}"
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6))]

    #[test]
    fn seeking_to_any_cycle_equals_a_straight_run(
        arch in prop::sample::select(ARCHES.to_vec()),
        blocks in 1u32..7,
        seeks in prop::collection::vec(any::<u64>(), 12),
    ) {
        let rounds = 40;
        let trace = run(arch, blocks, rounds, TIGHT);
        for seek in seeks {
            let cycle = Cycle(seek % trace.num_cycles());
            let mut straight = machine(arch, blocks, rounds);
            straight.run_until(Cycle(cycle.0 + 1), &mut ());
            let snapshot = trace.snapshot(cycle);
            prop_assert_eq!(&snapshot, &Snapshot::of(&straight));
            prop_assert_eq!(trace.with_machine(cycle, registers), registers(&straight));
            for block in &snapshot.blocks {
                let bytes = trace.with_machine(cycle, |machine| machine.shared_memory(block.block).map(<[u8]>::to_vec));
                prop_assert_eq!(bytes.as_deref(), straight.shared_memory(block.block));
            }
            // The columns and the machine agree on every warp.
            for warp in &snapshot.warps {
                prop_assert_eq!(trace.run_at(warp.slot, cycle).unwrap().state, warp.state);
                prop_assert_eq!(trace.warp_at(warp.slot, cycle), Some(warp.warp));
            }
        }
    }

    #[test]
    fn replay_restores_addresses(
        arch in prop::sample::select(ARCHES.to_vec()),
        picks in prop::collection::vec(any::<u32>(), 20),
    ) {
        let trace = run(arch, 2, 30, TIGHT);
        let (_, log) = log(arch, 2, 30);
        prop_assert_eq!(trace.num_accesses(), log.accesses.len());
        for pick in picks {
            let idx = pick % log.accesses.len() as u32;
            prop_assert_eq!(&trace.access_detail(idx).unwrap(), &log.accesses[idx as usize]);
        }
    }
}

#[test]
fn replay_restores_every_address_at_any_checkpoint_distance() {
    for arch in ARCHES {
        let trace = run(arch, 2, 30, TIGHT);
        let (_, log) = log(arch, 2, 30);
        for (idx, access) in log.accesses.iter().enumerate().rev().step_by(3) {
            assert_eq!(trace.access_detail(idx as u32).as_ref(), Some(access), "{arch}");
        }
    }
}

#[test]
fn counters_equal_sums_of_events() {
    for arch in ARCHES {
        let trace = run(arch, 4, 3, TraceOptions::default());
        let (machine, log) = log(arch, 4, 3);
        let get = |name: &str| trace.counter(name).unwrap_or_else(|| panic!("{name} on {arch}"));
        assert_eq!(get("smsp__inst_executed.sum"), log.issues.len() as f64);
        let active: u32 = log.issues.iter().map(|(_, issue)| issue.active.count()).sum();
        assert_eq!(get("smsp__thread_inst_executed.sum"), f64::from(active));
        let on: u32 = log.issues.iter().map(|(_, issue)| issue.executed.count()).sum();
        assert_eq!(get("smsp__thread_inst_executed_pred_on.sum"), f64::from(on));
        let shared: u32 = log
            .accesses
            .iter()
            .filter(|access| access.kind == RequestKind::SharedLoad)
            .map(|access| u32::from(access.wavefronts))
            .sum();
        assert_eq!(
            get("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"),
            f64::from(shared)
        );
        // 4 blocks of 8 warps load 4 columns 3 times.
        assert_eq!(get("smsp__inst_executed_op_shared_ld.sum"), 4.0 * 8.0 * 4.0 * 3.0);
        assert_eq!(get("smsp__warps_launched.sum"), 32.0);
        let shares: f64 = trace
            .counters()
            .iter()
            .filter(|counter| counter.name.starts_with("warpscope__slots_"))
            .map(|counter| counter.value)
            .sum();
        assert!((shares - 100.0).abs() < 1e-9, "{shares} on {arch}");
        let slot_cycles: u64 = trace
            .states_between(None, Cycle(0), Cycle(trace.num_cycles()))
            .iter()
            .sum();
        assert_eq!(slot_cycles, trace.num_cycles() * machine.num_slots() as u64);
    }
}

#[test]
fn every_issue_is_a_selected_cycle() {
    for arch in ARCHES {
        let trace = run(arch, 4, 3, TraceOptions::default());
        for row in trace.issues_from(Cycle(0)) {
            let run = trace.run_at(row.slot, row.cycle).unwrap();
            assert_eq!(run.state, WarpState::Selected, "{arch} {row:?}");
            assert!(run.pc == row.pc || row.dispatch > 0, "{arch} {row:?} {run:?}");
        }
        let selected =
            trace.states_between(None, Cycle(0), Cycle(trace.num_cycles()))[WarpState::Selected as usize];
        let first: u64 = trace
            .issues_from(Cycle(0))
            .filter(|row| row.dispatch == 0)
            .count() as u64;
        assert_eq!(selected, first, "{arch}");
    }
}

#[test]
fn a_run_out_of_memory_keeps_its_record() {
    let limits = TraceOptions {
        column_bytes: 400_000,
        checkpoint_bytes: 1 << 20,
        ..TraceOptions::default()
    };
    let trace: Trace = run(ArchId::Tu102, 16, 4000, limits);
    assert_eq!(trace.outcome(), Some(&Outcome::MemoryBudget));
    assert!(trace.num_cycles() > 1000);
    assert_eq!(trace.snapshot(trace.last_cycle()).warps.len(), 32);
}

#[test]
fn exports_are_well_formed() {
    let trace = run(ArchId::Gf100, 2, 1, TraceOptions::default());
    let perfetto: serde_json::Value = serde_json::from_str(&trace.perfetto_json()).unwrap();
    let events = perfetto["traceEvents"].as_array().unwrap();
    let selected = events.iter().filter(|event| event["name"] == "Selected").count() as u64;
    assert_eq!(
        selected,
        trace
            .issues_from(Cycle(0))
            .filter(|row| row.dispatch == 0)
            .count() as u64
    );
    chrome_events_are_valid(&perfetto);
    let summary = trace.summary_json();
    assert_eq!(summary["cycles"], trace.num_cycles());
    assert_eq!(summary["outcome"]["kind"], "finished");
    let rows: Vec<String> = trace.counters_csv().lines().map(str::to_owned).collect();
    assert_eq!(rows.len(), trace.counters().len() + 1);
    assert!(rows.iter().all(|row| row.split(',').count() == 3));
    assert_eq!(trace.states_csv().lines().count(), trace.num_slots() + 1);
}

/// Checks the rules of the Trace Event Format document: every event has a phase, a name, a process, and a
/// thread; slices of a thread do not overlap; asynchronous events begin and end in pairs.
fn chrome_events_are_valid(trace: &serde_json::Value) {
    assert!(["ms", "ns"].contains(&trace["displayTimeUnit"].as_str().unwrap()));
    let mut ends = std::collections::BTreeMap::new();
    let mut open = std::collections::BTreeMap::new();
    let mut named = std::collections::BTreeSet::new();
    for event in trace["traceEvents"].as_array().unwrap() {
        let number = |key: &str| event[key].as_u64().unwrap_or_else(|| panic!("{key} of {event}"));
        assert!(event["name"].is_string() && event["args"].is_object(), "{event}");
        let thread = (number("pid"), number("tid"));
        match event["ph"].as_str().unwrap() {
            "M" => {
                if event["name"] == "thread_name" {
                    named.insert(thread);
                }
            }
            "X" => {
                assert!(named.contains(&thread), "{event}");
                assert!(
                    ends.get(&thread).is_none_or(|end| *end <= number("ts")),
                    "{event}"
                );
                ends.insert(thread, number("ts") + number("dur"));
            }
            "b" => assert!(open.insert(number("id"), number("ts")).is_none(), "{event}"),
            "e" => assert!(open.remove(&number("id")).unwrap() <= number("ts"), "{event}"),
            other => panic!("phase {other}"),
        }
    }
    assert!(open.is_empty() && !ends.is_empty());
}

#[test]
fn chrome_traces_are_written_in_pieces() {
    let trace = run(ArchId::Gf100, 8, 40, TraceOptions::default());
    let mut pieces = super::ChromeTrace::default();
    let mut text = String::new();
    let mut num = 0;
    while let Some(piece) = pieces.piece(&trace) {
        assert!(piece.len() < 1 << 20, "{}", piece.len());
        text += &piece;
        num += 1;
    }
    assert!(num > 3);
    assert_eq!(text, trace.perfetto_json());
    assert_eq!(pieces.piece(&trace), None);
}
