//! The rows equal the machine: at every cycle, each lane is at its place.

use super::lane_history::{LaneHistory, Place};
use super::{DIVERGENT_KERNELS, is_whole, lines};
use crate::scene::controls::LaneRows;
use crate::scene::tests::library_run;
use engine::arch::ArchId;
use engine::ids::{Cycle, SlotIdx};
use engine::sim::MachineOptions;
use engine::sim::view::LaneStatus;
use engine::trace::Trace;

fn run(id: &str, arch: ArchId, adversarial: bool) -> Trace {
    let options = MachineOptions {
        adversarial,
        max_cycles: 30_000,
        ..MachineOptions::default()
    };
    library_run(id, arch, options).unwrap()
}

/// The machine's places of a slot's lanes at the start of `cycle`, which is the end of the cycle before.
fn machine_places(trace: &Trace, slot: SlotIdx, cycle: u64) -> Option<[Option<(u32, LaneStatus)>; 32]> {
    let view = trace.with_machine(Cycle(cycle - 1), |machine| machine.warp(slot))?;
    Some(std::array::from_fn(|lane| {
        let group = view
            .groups
            .iter()
            .find(|group| group.lanes.contains(lane as u32))?;
        Some((group.pc.0, group.status))
    }))
}

#[test]
fn lane_places_equal_the_machines() {
    let runs = [
        ("divergence", ArchId::G80, false),
        ("divergence", ArchId::Gp104, false),
        ("divergence", ArchId::Gv100, false),
        ("divergence", ArchId::Tu102, true),
        ("lock-lanes", ArchId::Tu102, false),
        ("reduce-divergent", ArchId::Gf100, false),
        ("reduce-divergent", ArchId::Tu102, false),
        ("reduce-shuffle", ArchId::Gv100, false),
    ];
    for (kernel, arch, adversarial) in runs {
        let trace = run(kernel, arch, adversarial);
        let slot = SlotIdx(1.min(trace.num_slots() as u16 - 1));
        let slot = if trace.tenancy(slot, trace.last_cycle()).is_some() {
            slot
        } else {
            SlotIdx(0)
        };
        let mut seen = 0;
        for cycle in (2..trace.num_cycles()).step_by(7).take(300) {
            let Some(exact) = machine_places(&trace, slot, cycle) else {
                continue;
            };
            // The view is at an earlier cycle, at the same cycle, and at a later cycle.
            for now in [cycle.saturating_sub(5), cycle, cycle + 9] {
                let frame = trace.frame(Cycle(now.min(trace.num_cycles() - 1)));
                let history = LaneHistory::of(&frame, slot, LaneRows::Cycles, 40);
                let Some(row) = history.rows.iter().find(|row| row.cycle.0 == cycle) else {
                    continue;
                };
                seen += 1;
                for (lane, (place, exact)) in row.lanes.iter().zip(exact).enumerate() {
                    let context = format!(
                        "{kernel} on {arch}, cycle {cycle} at {now}, lane {lane}: {place:?}, {exact:?}"
                    );
                    match (place, exact) {
                        (Place::Gone, None) => {}
                        (Place::Issues(pc) | Place::Next(pc), Some((at, LaneStatus::Running))) => {
                            assert_eq!(pc.0, at, "{context}");
                        }
                        (Place::Waits(pc, status), Some((at, exactly))) => {
                            assert_eq!(pc.0, at, "{context}");
                            // The record does not distinguish lanes that wait for a mask from lanes that wait for their
                            // turn, nor tokens from other entries of the stack.
                            let alike = |status| match status {
                                // Up to Pascal the whole warp waits, not its lanes.
                                LaneStatus::AtBarrier if !trace.arch().has_independent_threads() => {
                                    LaneStatus::Running
                                }
                                LaneStatus::Syncing => LaneStatus::Running,
                                LaneStatus::Converging if !trace.arch().has_independent_threads() => {
                                    LaneStatus::OnStack
                                }
                                status => status,
                            };
                            assert_eq!(alike(*status), alike(exactly), "{context}");
                        }
                        _ => panic!("{context}"),
                    }
                }
            }
        }
        assert!(seen > 100, "{kernel} on {arch}: {seen}");
    }
}

#[test]
fn rows_by_issue_have_the_records_masks() {
    for arch in [ArchId::Gp104, ArchId::Tu102] {
        let trace = run("divergence", arch, false);
        let frame = trace.frame(Cycle(trace.num_cycles() / 2));
        let history = LaneHistory::of(&frame, SlotIdx(0), LaneRows::Issues, 60);
        assert_eq!(history.rows.len(), 60);
        let first = history.rows[0].cycle;
        let issues = trace.issues_from(first).filter(|row| row.slot == SlotIdx(0));
        for (row, issue) in history.rows.iter().zip(issues) {
            assert_eq!(
                (row.cycle, row.pc, row.active()),
                (issue.cycle, issue.pc, issue.active)
            );
        }
        assert!(history.rows.iter().any(|row| row.active().count() < 32), "{arch}");
        let now = &history.rows[history.now.unwrap()];
        assert!(now.cycle <= frame.cycle());
    }
}

#[test]
fn lines_add_up_to_the_counters() {
    for arch in [ArchId::Gf100, ArchId::Gv100] {
        let trace = run("divergence", arch, false);
        let frame = trace.frame(Cycle(0));
        let lines = lines::lines(&frame);
        let sum: u64 = lines.iter().map(|line| line.tally.threads_active).sum();
        let without: u64 = trace
            .program()
            .code
            .iter()
            .zip(trace.tallies())
            .filter(|(instruction, _)| instruction.span.line == 0)
            .map(|(_, tally)| tally.threads_active)
            .sum();
        assert_eq!(sum + without, trace.total().threads_active, "{arch}");
        let lost: Vec<u64> = lines
            .iter()
            .map(|line| line.lanes() - line.tally.threads_active)
            .collect();
        assert!(lost.is_sorted_by(|a, b| a >= b), "{lost:?}");
    }
}

#[test]
fn suggested_kernels_diverge() {
    for arch in [ArchId::Gf100, ArchId::Gp104, ArchId::Tu102] {
        for (kernel, _) in DIVERGENT_KERNELS {
            let trace = run(kernel, arch, false);
            assert!(!is_whole(&trace.frame(Cycle(0))), "{kernel} on {arch}");
        }
        let trace = run("vector-add", arch, false);
        assert!(is_whole(&trace.frame(Cycle(0))), "{arch}");
    }
}
