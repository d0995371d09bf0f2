//! A growing trace: at every length, queries return the results of the complete trace, and the final traces
//! are equal.

use proptest::prelude::*;

use super::testing::{transpose, transpose_launch};
use super::{Simulation, Trace, TraceOptions};
use crate::arch::{ArchId, architecture};
use crate::ids::{Cycle, Pc, SlotIdx};
use crate::sim::MachineOptions;

const ARCHES: [ArchId; 5] = [
    ArchId::G80,
    ArchId::Gf100,
    ArchId::Gp104,
    ArchId::Tu102,
    ArchId::Gh100,
];

fn begin(arch: ArchId, rounds: u32, limits: TraceOptions) -> (Simulation, Trace) {
    let (program, launch) = (transpose(arch, rounds), transpose_launch(5));
    let (arch, options) = (architecture(arch), MachineOptions::default());
    (
        Simulation::new(arch, program.clone(), &launch, options, limits).unwrap(),
        Trace::open(arch, program, &launch, options).unwrap(),
    )
}

/// Asserts that `part` and `whole` return equal results up to the last cycle of `part`.
fn assert_same(part: &Trace, whole: &Trace) {
    let end = part.num_cycles();
    let cycle = |num: u64| Cycle(end * num / 7);
    for num in 0..7 {
        let at = cycle(num);
        if at.0 >= end {
            continue;
        }
        for slot in (0..part.num_slots() as u16).step_by(5).map(SlotIdx) {
            let (some, all) = (part.run_at(slot, at).unwrap(), whole.run_at(slot, at).unwrap());
            assert_eq!((some.start, some.state, some.pc), (all.start, all.state, all.pc));
            assert_eq!(some.end, all.end.min(Cycle(end)));
            assert_eq!(part.warp_at(slot, at), whole.warp_at(slot, at));
            assert_eq!(
                part.states_between(Some(slot), at, cycle(num + 1)),
                whole.states_between(Some(slot), at, cycle(num + 1))
            );
            assert_eq!(part.block_at(slot, at), whole.block_at(slot, at));
        }
        assert_eq!(part.issue_bits(at), whole.issue_bits(at));
        assert_eq!(
            part.pc_states_between(at, cycle(num + 1)),
            whole.pc_states_between(at, cycle(num + 1))
        );
        assert!(part.issues_at(at).eq(whole.issues_at(at)));
        assert!(
            part.blocks_at(at)
                .map(|span| span.block)
                .eq(whole.blocks_at(at).map(|span| span.block))
        );
        assert_eq!(part.first_access_at(at), whole.first_access_at(at));
        assert_eq!(part.shared_access_before(at), whole.shared_access_before(at));
    }
    let states: u64 = part
        .density(Cycle(0), Cycle(end), 13)
        .iter()
        .flat_map(|column| column.states)
        .sum();
    assert_eq!(states, end * part.num_slots() as u64);
    assert_eq!(part.total().issued, part.num_issues());
    let of_tallies: u64 = part.total().states.iter().sum();
    let of_runs: u64 = part.states_between(None, Cycle(0), Cycle(end))[1..].iter().sum();
    assert_eq!(of_tallies, of_runs);
    for pc in (0..part.program().code.len() as u32).map(Pc) {
        if let Some((first, last)) = part.issue_span(pc) {
            assert_eq!(whole.issue_span(pc).unwrap().0, first);
            assert!(last.0 < end);
        }
    }
}

#[test]
fn a_partial_trace_returns_the_results_of_the_complete_one() {
    for arch in ARCHES {
        let (mut simulation, mut whole) = begin(arch, 9, TraceOptions::default());
        simulation.advance(u64::MAX);
        whole.append(simulation.segment()).unwrap();
        assert!(whole.is_whole());
        let (mut simulation, mut part) = begin(arch, 9, TraceOptions::default());
        let mut step = 1;
        while !part.is_whole() {
            assert_eq!((part.outcome(), part.outputs().is_none()), (None, true));
            simulation.advance(step);
            part.append(simulation.segment()).unwrap();
            assert_same(&part, &whole);
            step = step * 3 / 2 + 7;
        }
        assert_eq!(part.digest(), whole.digest(), "{arch}");
        assert_eq!(part.outcome(), whole.outcome());
    }
}

#[test]
fn a_trace_in_segments_of_one_cycle_is_the_same() {
    let (mut simulation, mut whole) = begin(ArchId::Gf104, 2, TraceOptions::default());
    simulation.advance(u64::MAX);
    whole.append(simulation.segment()).unwrap();
    let (mut simulation, mut part) = begin(ArchId::Gf104, 2, TraceOptions::default());
    while !part.is_whole() {
        simulation.advance(1);
        part.append(simulation.segment()).unwrap();
    }
    assert_eq!(part.digest(), whole.digest());
}

#[test]
fn the_memory_budget_ends_a_run_at_the_same_cycle() {
    let limits = TraceOptions {
        column_bytes: 700_000,
        ..TraceOptions::default()
    };
    let (mut simulation, mut whole) = begin(ArchId::Gp104, 400, limits);
    simulation.advance(u64::MAX);
    whole.append(simulation.segment()).unwrap();
    let (mut simulation, mut part) = begin(ArchId::Gp104, 400, limits);
    while !part.is_whole() {
        simulation.advance(97);
        part.append(simulation.segment()).unwrap();
    }
    assert_eq!(part.outcome(), Some(&crate::sim::Outcome::MemoryBudget));
    assert_eq!(part.num_cycles(), whole.num_cycles());
    assert_eq!(part.digest(), whole.digest());
}

#[test]
fn damaged_segments_are_rejected() {
    let (mut simulation, _) = begin(ArchId::Tu102, 3, TraceOptions::default());
    simulation.advance(500);
    let first = simulation.segment();
    simulation.advance(500);
    let second = simulation.segment();
    let open = || begin(ArchId::Tu102, 3, TraceOptions::default()).1;
    // A segment out of order, a repeated segment, a truncated segment, and a segment with a missing buffer.
    assert!(open().append(second.clone()).is_err());
    let mut trace = open();
    trace.append(first.clone()).unwrap();
    assert_eq!(trace.append(first.clone()).unwrap_err().number, 2);
    for buffer in 0..first.buffers.len() {
        let mut cut = first.clone();
        if cut.buffers[buffer].pop().is_none() {
            cut.buffers[buffer].push(0);
        }
        assert!(open().append(cut).is_err(), "{buffer}");
        let mut gone = first.clone();
        gone.buffers.remove(buffer);
        assert!(open().append(gone).is_err(), "{buffer}");
    }
    trace.append(second).unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn segments_of_any_size_make_the_same_trace(
        arch in prop::sample::select(&ARCHES[..]),
        sizes in prop::collection::vec((1u64..3000, 0usize..4), 1..40),
    ) {
        let (mut simulation, mut whole) = begin(arch, 6, TraceOptions::default());
        simulation.advance(u64::MAX);
        whole.append(simulation.segment()).unwrap();
        let (mut simulation, mut part) = begin(arch, 6, TraceOptions::default());
        for (cycles, slices) in sizes.into_iter().cycle() {
            for _ in 0..slices {
                simulation.advance(cycles / 3 + 1);
            }
            part.append(simulation.segment()).unwrap();
            if part.is_whole() {
                break;
            }
            simulation.advance(cycles);
        }
        prop_assert_eq!(part.digest(), whole.digest());
    }
}
