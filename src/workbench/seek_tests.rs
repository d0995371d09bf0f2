//! A machine restored from its bytes equals the original, and a cycle is the same regardless of where the seek
//! starts.
#![expect(
    clippy::disallowed_types,
    reason = "one of them, which is asked for by name, takes times"
)]

use std::sync::Arc;

use proptest::prelude::*;

use crate::library;
use engine::arch::{ArchId, architecture};
use engine::ids::{Cycle, SlotIdx};
use engine::isa::CompileOptions;
use engine::sim::image::Part;
use engine::sim::machine::Machine;
use engine::sim::{Access, MachineOptions, SchedulerPolicy, Sink, WarpState};
use engine::trace::testing::Log;
use engine::trace::{AccessFamily, Simulation, Trace, TraceOptions};

/// Kernels that use all of a machine's state: shared memory, barriers, divergence, calls, local memory, atomics,
/// caches, and several successive blocks.
const KERNELS: [(&str, ArchId); 7] = [
    ("histogram", ArchId::Gp104),
    ("divergence", ArchId::Gv100),
    ("pressure-local", ArchId::Gf100),
    ("mixed-math", ArchId::Gt200),
    ("matmul-tiled", ArchId::Tu102),
    ("reduce-interleaved", ArchId::G80),
    ("transpose-tiled", ArchId::Gh100),
];

/// A small run of a library kernel, with close checkpoints and a small limit of kept checkpoints.
fn begin(kernel: &str, arch: ArchId) -> (Simulation, Trace, Machine) {
    let kernel = library::kernel(kernel).unwrap();
    let compiled = cuda::compile(
        kernel.source,
        Some(kernel.entry),
        arch,
        &CompileOptions::default(),
    )
    .unwrap();
    let (program, launch) = (Arc::new(compiled.program), kernel.launch());
    let options = MachineOptions {
        policy: if arch == ArchId::Gp104 {
            SchedulerPolicy::TwoLevel
        } else {
            SchedulerPolicy::Gto
        },
        max_cycles: 6000,
        ..MachineOptions::default()
    };
    let limits = TraceOptions {
        checkpoint_bytes: 600_000,
        checkpoint_cost: 1024,
        ..TraceOptions::default()
    };
    let arch = architecture(arch);
    (
        Simulation::new(arch, Arc::clone(&program), &launch, options, limits).unwrap(),
        Trace::open(arch, Arc::clone(&program), &launch, options).unwrap(),
        Machine::new(arch, &program, &launch, options).unwrap(),
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn a_restored_machine_continues_identically(which in 0..KERNELS.len(), cycles in 0u64..5000) {
        let (kernel, arch) = KERNELS[which];
        let (_, _, start) = begin(kernel, arch);
        let mut machine = start.clone();
        machine.run_until(Cycle(cycles), &mut ());
        let image = machine.image(&start);
        let mut other = start.restored(&image).unwrap();
        prop_assert_eq!(&other.image(&start), &image);
        for idx in 0..image.sections.len() {
            let mut damaged = image.clone();
            let bytes = damaged.sections[idx].1.bytes().into_owned();
            for cut in [0, bytes.len() / 2, bytes.len() - 1] {
                damaged.sections[idx].1 = Part::Bytes(bytes[..cut].into());
                prop_assert!(start.restored(&damaged).is_none());
            }
            // Bytes that do not belong to the machine.
            damaged.sections[idx].0 ^= 1 << 40;
            prop_assert!(start.restored(&damaged).is_none());
        }
        // Both machines continue identically to the end.
        let (mut first, mut second) = (Log::default(), Log::default());
        machine.run(&mut first);
        other.run(&mut second);
        prop_assert_eq!(first, second);
        prop_assert_eq!(machine.outcome(), other.outcome());
        prop_assert_eq!(machine.image(&start), other.image(&start));
    }
}

/// A hash of the machine and the frame at a cycle.
fn digest(trace: &Trace, cycle: u64) -> u64 {
    let cycle = Cycle(cycle);
    let frame = trace.frame(cycle);
    let mut sum = trace.machine_digest(cycle);
    for slot in 0..trace.num_slots() as u16 {
        let state = frame.state(SlotIdx(slot)) as u64;
        sum = (sum ^ state).wrapping_mul(0x0100_0000_01b3);
    }
    sum
}

#[test]
fn ten_thousand_seeks_equal_a_replay_from_zero() {
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = move || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        seed
    };
    for (kernel, arch) in KERNELS {
        let (mut simulation, mut trace, start) = begin(kernel, arch);
        // The trace grows as on a page.
        while !trace.is_whole() {
            simulation.advance(1 + random() % 1500);
            trace.append(simulation.segment()).unwrap();
        }
        let before = trace.digest();
        // From zero, step by step.
        let mut machine = start;
        let mut straight = Vec::new();
        while machine.step(&mut ()) {
            let mut sum = trace.digest_of(&machine);
            for slot in 0..trace.num_slots() as u16 {
                let state = machine
                    .warp(SlotIdx(slot))
                    .map_or(WarpState::Empty, |warp| warp.state);
                sum = (sum ^ state as u64).wrapping_mul(0x0100_0000_01b3);
            }
            straight.push(sum);
        }
        let num = trace.num_cycles();
        assert_eq!(straight.len() as u64, num, "{kernel} on {arch}");
        let mut at = 0;
        for idx in 0..=10_000 / KERNELS.len() {
            // To a random cycle, or onward in one direction as in playback.
            at = match (idx / 40 % 4, idx % 40) {
                (_, 0) | (0, _) => random() % num,
                (1, _) => (at + 1 + random() % 3).min(num - 1),
                (2, _) => at.saturating_sub(1 + random() % 3),
                _ => (at + random() % 200).saturating_sub(100).min(num - 1),
            };
            assert_eq!(
                digest(&trace, at),
                straight[at as usize],
                "{kernel} on {arch}, cycle {at}"
            );
        }
        assert_eq!(trace.digest(), before, "{kernel} on {arch}");
    }
}

#[test]
fn checkpoints_stay_within_their_budget() {
    let (mut simulation, mut trace, _) = begin("matmul-tiled", ArchId::Tu102);
    while !trace.is_whole() {
        simulation.advance(700);
        trace.append(simulation.segment()).unwrap();
        let (_, bytes) = trace.checkpoints();
        assert!(bytes < 620_000, "{bytes} bytes");
    }
    let (num, _) = trace.checkpoints();
    assert!(num >= 2, "{num}");
}

/// `cargo test --release -p warpscope-workbench -- --ignored --nocapture figures_of_long_runs` prints the cost of
/// long runs.
#[test]
#[ignore = "measures, and means something only in a release build"]
fn figures_of_long_runs() {
    use std::time::Instant;

    use engine::trace::find::{Query, Search, What};
    let links = [
        "v1;arch=gp104;kernel=mixed-math;grid=32;args=out:f32*8192:zero,out:i32*8192:zero,i32:60000;maxcycles=1000000",
        "v1;arch=gp104;kernel=matmul-tiled;grid=16x64;args=out:f32*262144:zero,in:f32*262144:lcg3,in:f32*262144:lcg4,i32:512;maxcycles=1000000",
        "v1;arch=gf100;kernel=histogram;maxcycles=1000000",
        "v1;arch=tu102;kernel=pointer-chase;args=in:i32*1024:perm8,out:i32*32:zero,i32:24000;maxcycles=1000000",
    ];
    for link in links {
        let scenario = crate::share::decode(link).scenario;
        let compiled = cuda::compile(
            scenario.source(),
            scenario.entry(),
            scenario.arch,
            &scenario.compile,
        )
        .unwrap();
        let (arch, program) = (architecture(scenario.arch), Arc::new(compiled.program));
        let (launch, options) = (scenario.launch(), scenario.machine);
        let mut simulation = Simulation::new(
            arch,
            Arc::clone(&program),
            &launch,
            options,
            TraceOptions::default(),
        )
        .unwrap();
        let mut trace = Trace::open(arch, program, &launch, options).unwrap();
        let (mut simulating, mut handing, mut appends) = (0.0, 0.0, Vec::new());
        while !trace.is_whole() {
            let start = Instant::now();
            simulation.advance(50_000);
            simulating += start.elapsed().as_secs_f64();
            let start = Instant::now();
            let segment = simulation.segment();
            handing += start.elapsed().as_secs_f64();
            let start = Instant::now();
            trace.append(segment).unwrap();
            appends.push(start.elapsed().as_secs_f64() * 1e3);
        }
        let mut seed = 88_172_645_463_325_252_u64;
        let mut seek = |trace: &Trace, num: usize| {
            let mut times: Vec<f64> = (0..num)
                .map(|_| {
                    seed ^= seed << 13;
                    seed ^= seed >> 7;
                    seed ^= seed << 17;
                    let cycle = Cycle(seed % trace.num_cycles());
                    let start = Instant::now();
                    trace.with_machine(cycle, |machine| assert_eq!(machine.cycle().0, cycle.0 + 1));
                    start.elapsed().as_secs_f64() * 1e3
                })
                .collect();
            times.sort_by(f64::total_cmp);
            times
        };
        let times = seek(&trace, 2000);
        let mut back = Vec::new();
        for cycle in (trace.num_cycles() / 2 - 3000..trace.num_cycles() / 2).rev() {
            let start = Instant::now();
            trace.with_machine(Cycle(cycle), |machine| assert_eq!(machine.cycle().0, cycle + 1));
            back.push(start.elapsed().as_secs_f64() * 1e3);
        }
        back.sort_by(f64::total_cmp);
        appends.sort_by(f64::total_cmp);
        println!(
            "{link}\n  {} cycles, {} issues; simulated in {simulating:.2} s, handed on in {handing:.3} s\n  \
             columns {:.1} MB, {} checkpoints {:.1} MB\n  append: median {:.2} ms, longest {:.2} ms of {}\n  \
             seek: median {:.2} ms, p99 {:.2} ms, longest {:.2} ms\n  \
             step back: median {:.3} ms, p99 {:.2} ms, longest {:.2} ms",
            trace.num_cycles(),
            trace.num_issues(),
            trace.num_bytes() as f64 / 1e6,
            trace.checkpoints().0,
            trace.checkpoints().1 as f64 / 1e6,
            appends[appends.len() / 2],
            appends[appends.len() - 1],
            appends.len(),
            times[times.len() / 2],
            times[times.len() * 99 / 100],
            times[times.len() - 1],
            back[back.len() / 2],
            back[back.len() * 99 / 100],
            back[back.len() - 1],
        );
        let address = trace.start_memory().allocations()[0].base + 4;
        for what in [
            What::Divergence,
            What::State(WarpState::Drain),
            What::Address(address),
        ] {
            let mut search = Search::all(Query { what, warp: None });
            let (mut steps, mut longest) = (0, 0.0_f64);
            let start = Instant::now();
            loop {
                let step = Instant::now();
                let more = search.step(&trace);
                longest = longest.max(step.elapsed().as_secs_f64() * 1e3);
                steps += 1;
                if !more {
                    break;
                }
            }
            let ms = start.elapsed().as_secs_f64() * 1e3;
            println!(
                "  find {what:?}: {} in {ms:.1} ms, {steps} steps, longest {longest:.1} ms",
                search.total
            );
        }
    }
}

/// Records accesses with their addresses.
#[derive(Default)]
struct Accesses(Vec<Access>);

impl Sink for Accesses {
    fn access(&mut self, _cycle: Cycle, access: &Access) {
        self.0.push(access.clone());
    }
    fn access_served(&mut self, number: u32, started: Cycle, done: Cycle) {
        let access = &mut self.0[number as usize];
        (access.started, access.done) = (started, done);
    }
}

/// On GH100 service times of accesses are known with a delay: the trace is correct at every time.
#[test]
fn delayed_service_times_are_in_the_trace() {
    let (mut simulation, mut trace, mut machine) = begin("transpose-tiled", ArchId::Gh100);
    let mut log = Accesses::default();
    machine.run(&mut log);
    let mut told_again = 0;
    let mut idx = 0;
    while trace.outcome().is_none() {
        simulation.advance(7);
        trace.append(simulation.segment()).unwrap();
        let end = trace.num_cycles();
        for (idx, access) in log.0.iter().enumerate() {
            let Some(row) = trace.access(idx as u32) else {
                break;
            };
            // Accesses that have not started or finished are not reported as such.
            if access.started.0 < end {
                assert_eq!(row.started, access.started, "{idx} at {end}");
            } else {
                assert!(row.started.0 >= end, "{idx} at {end}");
            }
            if access.done.0 < end {
                assert_eq!(
                    (row.started, row.done),
                    (access.started, access.done),
                    "{idx} at {end}"
                );
            } else {
                assert!(row.done.0 >= end, "{idx} at {end}");
                told_again += u32::from(row.done != access.done);
            }
        }
        while let Some(row) = trace.access(idx).filter(|row| row.done.0 < end) {
            let detail = trace.access_detail(idx).unwrap();
            assert_eq!((detail.started, detail.done), (row.started, row.done));
            idx += 1;
        }
    }
    assert!(told_again > 20, "{told_again} times were not known at first");
    let mut starts: Vec<u64> = log
        .0
        .iter()
        .filter(|access| access.kind.is_shared())
        .map(|access| access.started.0)
        .collect();
    starts.sort_unstable();
    let found = trace.accesses_of(AccessFamily::Shared).iter();
    let found: Vec<u64> = found.map(|idx| trace.access(*idx).unwrap().started.0).collect();
    assert_eq!(found, starts);
}

#[test]
fn writers_of_an_address_are_found() {
    use engine::trace::find::{Query, Search, What};
    for (kernel, arch) in [
        ("histogram", ArchId::Gf100),
        ("transpose-tiled", ArchId::Tu102),
        ("transpose-tiled", ArchId::Gh100),
    ] {
        let (mut simulation, mut trace, mut machine) = begin(kernel, arch);
        simulation.advance(u64::MAX);
        trace.append(simulation.segment()).unwrap();
        let mut log = Accesses::default();
        machine.run(&mut log);
        let mut num = 0;
        let places = trace.start_memory().allocations().iter();
        let addresses = places.flat_map(|place| [place.base, place.base + 37, place.base + place.size - 4]);
        for address in addresses.chain([0, 64, 67]) {
            let mut expected: Vec<u64> = log
                .0
                .iter()
                .filter(|access| !format!("{:?}", access.kind).ends_with("Load"))
                .filter(|access| {
                    access.mask.lanes().any(|lane| {
                        let at = access.addresses[lane as usize];
                        (at..at + u64::from(access.width_bits / 8)).contains(&address)
                    })
                })
                .map(|access| access.started.0)
                .filter(|started| *started < trace.num_cycles())
                .collect();
            expected.sort_unstable();
            let mut search = Search::all(Query {
                what: What::Address(address),
                warp: None,
            });
            while search.step(&trace) {}
            let found: Vec<u64> = search.found.iter().map(|found| found.cycle.0).collect();
            assert_eq!(found, expected, "{kernel}: {address:#x}");
            num += found.len();
        }
        assert!(num > 3, "{kernel}");
    }
}

#[test]
fn reconvergences_and_lane_writes_match_the_machine_s_events() {
    use engine::trace::find::{Query, Search};
    for (kernel, arch) in [("divergence", ArchId::Gv100), ("divergence", ArchId::Gf100)] {
        let (mut simulation, mut trace, mut machine) = begin(kernel, arch);
        simulation.advance(u64::MAX);
        trace.append(simulation.segment()).unwrap();
        let mut log = Log::default();
        machine.run(&mut log);
        let cycles = |text: &str| -> Vec<u64> {
            let mut search = Search::all(Query::parse(text).unwrap());
            while search.step(&trace) {}
            assert_eq!(search.total, search.found.len() as u64, "{text}: all are listed");
            search.found.iter().map(|found| found.cycle.0).collect()
        };
        let mut joins: Vec<u64> = log.joins.iter().map(|(cycle, ..)| cycle.0).collect();
        joins.sort_unstable();
        assert!(joins.len() > 3, "{kernel} on {arch}");
        assert_eq!(cycles("reconvergence"), joins, "{kernel} on {arch}");
        let mut parts = 0;
        for (reg, lane) in (0..12).flat_map(|reg| [(reg, 0), (reg, 9), (reg, 31)]) {
            let all = cycles(&format!("W01 write R{reg}")).len();
            let hits = cycles(&format!("W01 write R{reg} lane {lane}"));
            let told = log.issues.iter().filter(|(cycle, issue)| {
                let instruction = &trace.program().code[issue.pc.0 as usize];
                let range = instruction.destination();
                let writes = range.is_some_and(|range| range.regs().any(|of| of.0 == reg));
                let held = trace.tenancy(issue.slot, *cycle);
                writes && issue.executed.contains(lane) && held.is_some_and(|(_, warp)| warp.0 == 1)
            });
            let mut told: Vec<u64> = told.map(|(cycle, _)| cycle.0).collect();
            told.sort_unstable();
            assert_eq!(hits, told, "R{reg} in lane {lane} of {kernel} on {arch}");
            parts += usize::from(!hits.is_empty() && hits.len() < all);
        }
        assert!(parts > 0, "lanes that branch away write less often");
    }
}
