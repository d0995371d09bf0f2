use proptest::prelude::*;

use super::query::{Name, Query, What};
use super::search::{Found, Search, hits_between};
use crate::arch::ArchId;
use crate::ids::{Cycle, Pc, SlotIdx};
use crate::sim::WarpState;
use crate::trace::testing::run;
use crate::trace::{Direction, Trace, TraceOptions};

fn parsed(text: &str) -> Query {
    Query::parse(text).unwrap_or_else(|why| panic!("{text}: {why}"))
}

/// A range of queries for a run.
fn queries() -> Vec<Query> {
    let texts = [
        "issue",
        "W03",
        "stall",
        "W02 stall",
        "W03 long scoreboard",
        "barrier",
        "bank conflict",
        "bank conflict >4",
        "cache miss",
        "L2 miss",
        "barrier release",
        "W09 barrier release",
        "divergence",
        "line 5",
        "w01 line 6",
        "BAR",
        "write R3",
        "W04 write R0",
        "reconvergence",
        "W01 reconvergence",
        "fault",
        "write R3 lane 7",
        "W04 write R0 lane 31",
    ];
    texts.map(parsed).into()
}

#[test]
fn queries_parse_their_own_text() {
    for query in queries() {
        assert_eq!(parsed(&query.to_string()), query);
    }
    assert_eq!(
        parsed("W03 long scoreboard"),
        Query {
            what: What::State(WarpState::LongScoreboard),
            warp: Some(3),
        }
    );
    assert_eq!(parsed("warp 12 ffma").to_string(), "W12 FFMA");
    assert_eq!(
        parsed("W03 write r12 lane 5"),
        Query {
            what: What::RegisterOfLane { reg: 12, lane: 5 },
            warp: Some(3),
        }
    );
    assert_eq!(parsed("write 0x1040").what, What::Address(0x1040));
    assert_eq!(parsed("ffma").what, What::Opcode(Name::new("FFMA").unwrap()));
    for wrong in [
        "",
        "line",
        "line x",
        "bank conflict 4",
        "write 12",
        "write R1 lane",
        "write R1 lane 32",
        "write R1 lane x",
        "two words",
        "+",
    ] {
        let why = Query::parse(wrong).unwrap_err();
        assert!(why.contains("Try: line 12"), "{why}");
    }
}

/// A search cycle by cycle, with queries of single cycles.
fn search_by_cycle(trace: &Trace, query: &Query) -> Vec<u64> {
    let mut cycles = Vec::new();
    for at in 0..trace.num_cycles() {
        let cycle = Cycle(at);
        let of_warp = |slot: SlotIdx| {
            query.warp.is_none_or(|warp| {
                let held = trace.tenancy(slot, cycle);
                held.is_some_and(|(_, held)| held.0 == warp)
            })
        };
        let line = |pc: Pc| trace.program().code[pc.0 as usize].span.line;
        let name = |pc: Pc| trace.program().code[pc.0 as usize].op.mnemonic(trace.arch().id);
        let writes = |pc: Pc, reg: u8| {
            let range = trace.program().code[pc.0 as usize].destination();
            range.is_some_and(|range| range.regs().any(|of| of.0 == reg))
        };
        let num = match query.what {
            What::Issue
            | What::Line(_)
            | What::Opcode(_)
            | What::Register(_)
            | What::RegisterOfLane { .. }
            | What::Divergence => trace
                .issues_at(cycle)
                .filter(|row| of_warp(row.slot))
                .filter(|row| match query.what {
                    What::Line(wanted) => line(row.pc) == wanted,
                    What::Opcode(wanted) => name(row.pc).starts_with(wanted.text()),
                    What::Register(reg) => writes(row.pc, reg) && row.executed.count() > 0,
                    What::RegisterOfLane { reg, lane } => {
                        writes(row.pc, reg) && row.executed.lanes().any(|of| of == u32::from(lane))
                    }
                    What::Divergence => row.diverged,
                    _ => true,
                })
                .count(),
            What::State(_) | What::Change => (0..trace.num_slots() as u16)
                .map(SlotIdx)
                .filter(|slot| of_warp(*slot))
                .filter_map(|slot| trace.run_at(slot, cycle))
                .filter(|run| run.start == cycle)
                .filter(|run| match query.what {
                    What::State(state) => run.state == state,
                    _ => at > 0 || run.state != WarpState::Empty,
                })
                .count(),
            _ => continue,
        };
        cycles.extend(std::iter::repeat_n(at, num));
    }
    cycles
}

fn cycles(found: &[Found]) -> Vec<u64> {
    found.iter().map(|found| found.cycle.0).collect()
}

#[test]
fn hits_equal_those_of_single_cycles_and_of_any_steps() {
    for arch in [ArchId::Gt200, ArchId::Gf104, ArchId::Tu102] {
        let trace = run(arch, 4, 6, TraceOptions::default());
        let end = trace.num_cycles();
        for query in queries() {
            let all = hits_between(&trace, &query, Cycle(0), Cycle(end));
            let expected = search_by_cycle(&trace, &query);
            if !expected.is_empty() {
                assert_eq!(cycles(&all), expected, "{arch} {query}");
            }
            let pieces = [0, 1, end / 3, end / 3 + 1, end / 2, end];
            let pieced: Vec<Found> = pieces
                .windows(2)
                .flat_map(|ends| hits_between(&trace, &query, Cycle(ends[0]), Cycle(ends[1])))
                .collect();
            assert_eq!(pieced, all, "{arch} {query}");
        }
        for must in ["bank conflict", "cache miss", "barrier release", "stall"] {
            let all = hits_between(&trace, &parsed(must), Cycle(0), Cycle(end));
            let none = arch == ArchId::Gt200 && must == "cache miss";
            assert_eq!(all.is_empty(), none, "{arch}: {must}");
        }
    }
}

#[test]
fn a_store_is_found_by_each_address_that_it_writes() {
    let trace = run(ArchId::Tu102, 4, 6, TraceOptions::default());
    let stores = |row: &crate::trace::AccessRow| {
        matches!(
            row.kind,
            crate::sim::RequestKind::SharedStore | crate::sim::RequestKind::GlobalStore
        )
    };
    let idx = (0..trace.num_accesses() as u32)
        .rfind(|idx| trace.access(*idx).is_some_and(|row| stores(&row)))
        .unwrap();
    let (row, detail) = (trace.access(idx).unwrap(), trace.access_detail(idx).unwrap());
    for address in [detail.addresses[0], detail.addresses[0] + 3] {
        let query = parsed(&format!("write 0x{address:x}"));
        let (from, to) = (row.started, Cycle(row.started.0 + 1));
        let found = hits_between(&trace, &query, from, to);
        assert!(found.iter().any(|found| found.access == Some(idx)), "{query}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn the_nearest_hit_is_found_in_both_directions(which in 0..23_usize, place in 0.0_f64..1.0) {
        static TRACE: std::sync::OnceLock<Trace> = std::sync::OnceLock::new();
        let trace = TRACE.get_or_init(|| run(ArchId::Gp104, 6, 6, TraceOptions::default()));
        let from = Cycle((place * trace.num_cycles() as f64) as u64);
        let query = queries()[which];
        let all = cycles(&hits_between(trace, &query, Cycle(0), Cycle(trace.num_cycles())));
        let nearest = |direction| {
            let mut search = Search::nearest(query, from, direction);
            while search.step(trace) {}
            search.found.first().map(|found| found.cycle.0)
        };
        let after = all.iter().copied().find(|cycle| *cycle > from.0);
        let before = all.iter().copied().rfind(|cycle| *cycle < from.0);
        prop_assert_eq!(nearest(Direction::Forward), after);
        prop_assert_eq!(nearest(Direction::Backward), before);
        let mut list = Search::all(query);
        while list.step(trace) {}
        prop_assert_eq!(list.total, all.len() as u64);
        prop_assert_eq!(list.progress(trace), (trace.num_cycles(), trace.num_cycles()));
    }
}
