//! The lines equal the machine's, and the sums equal the record's.

use super::super::tests::library_run;
use super::super::{Scene, Size, Target, ViewState};
use super::caches;
use engine::arch::{ArchId, architecture};
use engine::ids::Cycle;
use engine::sim::{CacheKind, LoadCaching, MachineOptions};
use engine::trace::Trace;

const SIZE: Size = Size {
    width: 832.0,
    height: 636.0,
};

fn run(id: &str, arch: ArchId, load_caching: LoadCaching) -> Trace {
    let options = MachineOptions {
        load_caching,
        max_cycles: 20_000,
        ..MachineOptions::default()
    };
    library_run(id, arch, options).unwrap()
}

/// Cycles of a run: forwards, backwards, and to its end.
fn cycles(trace: &Trace) -> Vec<Cycle> {
    let last = trace.last_cycle().0;
    [
        40,
        41,
        42,
        300,
        301,
        200,
        last / 3,
        last / 2,
        last / 2 + 1,
        90,
        last,
    ]
    .into_iter()
    .map(|cycle| Cycle(cycle.min(last)))
    .collect()
}

#[test]
fn the_story_has_the_machines_lines() {
    for arch in [
        ArchId::Gf100,
        ArchId::Gp104,
        ArchId::Gv100,
        ArchId::Tu102,
        ArchId::Gt200,
    ] {
        for kernel in [
            "transpose-naive",
            "matmul-tiled",
            "constant-divergent",
            "pressure-spilled",
        ] {
            let trace = run(kernel, arch, LoadCaching::Ca);
            for kind in CacheKind::ALL {
                for cycle in cycles(&trace) {
                    let story = trace.cache_history(kind, cycle);
                    let lines = trace.with_machine(cycle, |machine| machine.cache(kind));
                    let lines = lines.map_or_else(Vec::new, |cache| cache.lines);
                    assert_eq!(
                        story.lines.len(),
                        lines.len(),
                        "{arch} {kernel} {kind:?} {}",
                        cycle.0
                    );
                    for line in lines {
                        let life = story.lines.get(&(line.set, line.way)).unwrap();
                        assert_eq!(life.address, line.address, "{arch} {kernel} {}", cycle.0);
                        assert_eq!(
                            life.valid_sectors, line.valid_sectors,
                            "{arch} {kernel} {}",
                            cycle.0
                        );
                        assert!(life.brought.is_some_and(|by| by.cycle <= cycle));
                    }
                }
            }
        }
    }
}

#[test]
fn hits_add_up_to_the_record() {
    for arch in [ArchId::Gf100, ArchId::Gv100, ArchId::Tu102] {
        let trace = run("matmul-tiled", arch, LoadCaching::Ca);
        let line = if arch == ArchId::Gf100 { 4 } else { 1 };
        for cycle in cycles(&trace) {
            let rows = (0..trace.first_access_at(Cycle(cycle.0 + 1))).filter_map(|idx| trace.access(idx));
            let (mut wanted, mut hits) = (0, 0);
            for row in rows {
                if row.kind == engine::sim::RequestKind::GlobalLoad {
                    wanted += u64::from(row.sectors);
                    hits += u64::from(row.l1_hits);
                }
            }
            let story = trace.cache_history(CacheKind::L1, cycle);
            assert_eq!(story.hits * line, hits, "{arch} {}", cycle.0);
            if cycle == trace.last_cycle() {
                let columns = trace.l1_hits().columns;
                assert_eq!(
                    columns.iter().map(|column| column.hits).sum::<u64>(),
                    hits,
                    "{arch}"
                );
                assert_eq!(
                    columns.iter().map(|column| column.wanted).sum::<u64>(),
                    wanted,
                    "{arch}"
                );
                if arch != ArchId::Gf100 {
                    assert_eq!(story.hits + story.misses, wanted, "{arch}");
                }
            }
        }
    }
}

fn drawn(trace: &Trace, cycle: u64) -> Scene {
    caches(&trace.frame(Cycle(cycle)), &ViewState::default(), SIZE)
}

#[test]
fn every_line_of_the_cache_is_a_target() {
    let trace = run("transpose-naive", ArchId::Tu102, LoadCaching::Default);
    let cycle = trace.last_cycle().0 / 2;
    let scene = drawn(&trace, cycle);
    let lines = trace.snapshot(Cycle(cycle)).l1.unwrap().lines.len();
    let stops = scene.stops();
    let places = stops
        .iter()
        .filter(|stop| matches!(stop.target, Target::CacheLine { .. }));
    assert_eq!(places.count(), lines);
    assert_eq!(scene.table.rows.len(), lines);
}

#[test]
fn an_empty_cache_gives_the_reason() {
    let says = |kernel: &str, arch, caching| drawn(&run(kernel, arch, caching), 60).headline;
    assert!(says("vector-add", ArchId::G80, LoadCaching::Default).contains("has no L1 cache"));
    assert!(says("transpose-naive", ArchId::Gp104, LoadCaching::Cg).contains("bypass"));
}

#[test]
fn bytes_in_flight_follow_littles_law() {
    // 900 GB/s at the clock, over 80 SMs, for the latency: some KB an SM (Volta); GDDR5X needs less.
    use super::flight::Need;
    for id in ArchId::ALL {
        let arch = architecture(id);
        let need = Need::of(arch);
        let chip = arch.chip.dram_gb_per_s.value
            * 1e9
            * f64::from(arch.memory.device.efficiency.value)
            * f64::from(arch.memory.device.latency_cycles.value)
            / (f64::from(arch.chip.sm_clock_mhz.value) * 1e6);
        assert!(
            (need.chip - chip).abs() < chip * 1e-6,
            "{id}: {} {chip}",
            need.chip
        );
    }
}

#[test]
fn every_copied_byte_is_in_flight_once() {
    for arch in [ArchId::Gt200, ArchId::Gf100, ArchId::Gp100, ArchId::Tu102] {
        let mut most = Vec::new();
        for id in ["stream", "stream-4", "stream-float4", "stream-few"] {
            let trace = run(id, arch, LoadCaching::Default);
            let flight = trace.flight();
            let sum =
                |of: fn(&engine::trace::FlightColumn) -> u64| flight.columns.iter().map(of).sum::<u64>();
            assert_eq!(sum(|column| column.moved), flight.total.moved, "{arch} {id}");
            assert_eq!(
                sum(|column| column.byte_cycles),
                flight.total.byte_cycles,
                "{arch} {id}"
            );
            // Each byte is loaded at least once; stored bytes may stay in L2.
            let bytes = if id == "stream-few" { 4096 } else { 65536 };
            assert!(
                (bytes..=3 * bytes).contains(&flight.total.moved),
                "{arch} {id}: {}",
                flight.total.moved
            );
            let average = flight.total.byte_cycles as f64 / trace.num_cycles() as f64;
            most.push((average, id));
        }
        let few = most[3].0;
        assert!(
            most[..3].iter().all(|(average, _)| *average > 4.0 * few),
            "{arch} {most:?}"
        );
    }
}
