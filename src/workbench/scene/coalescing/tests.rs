//! The view equals the machine: it draws what the run counted.

use std::sync::Arc;

use super::generations::rows;
use super::plan::Plan;
use super::wording::{Off, headline, off_lanes};
use super::{coalescing, shown};
use crate::library;
use crate::scene::tests::own_run;
use crate::scene::{Scene, Shape, Size, Target, ViewState, text_width};
use cuda::compile;
use engine::access::{CacheLevel, global};
use engine::arch::{ArchId, Architecture, architecture};
use engine::ids::Cycle;
use engine::isa::CompileOptions;
use engine::sim::{LoadCaching, MachineOptions, RequestKind};
use engine::trace::{AccessFamily, Trace, simulate};

const ARCHES: [ArchId; 9] = [
    ArchId::G80,
    ArchId::Gt200,
    ArchId::Gf100,
    ArchId::Gk110,
    ArchId::Gm204,
    ArchId::Gp104,
    ArchId::Gv100,
    ArchId::Tu102,
    ArchId::Gh100,
];
const SIZE: Size = Size {
    width: 832.0,
    height: 636.0,
};

fn library_run(id: &str, arch: ArchId, load_caching: LoadCaching) -> Trace {
    let kernel = library::kernel(id).unwrap();
    let options = CompileOptions::default();
    let compiled = compile(kernel.source, Some(kernel.entry), arch, &options).unwrap();
    let machine = MachineOptions {
        load_caching,
        ..MachineOptions::default()
    };
    let program = Arc::new(compiled.program);
    simulate(architecture(arch), program, &kernel.launch(), machine).unwrap()
}

/// A run of a source with one parameter, a buffer of 8,192 words.
fn wide_run(source: &str, arch: ArchId) -> Trace {
    own_run(source, arch, 8192, MachineOptions::default())
}

fn view(idx: u32) -> ViewState {
    ViewState {
        access: Some(idx),
        ..ViewState::default()
    }
}

fn targets(scene: &Scene, wanted: impl Fn(Target) -> bool) -> usize {
    let mut targets: Vec<Target> = scene.items.iter().filter_map(|item| item.target).collect();
    targets.retain(|target| wanted(*target));
    targets.sort_unstable();
    targets.dedup();
    targets.len()
}

/// Checks the view of a request against the record and the access analysis.
fn check(trace: &Trace, idx: u32, what: &str) {
    let row = trace.access(idx).unwrap();
    let frame = trace.frame(row.started);
    let (shown_idx, _, access) = shown(&frame, &view(idx)).unwrap();
    assert_eq!(shown_idx, idx, "{what}");
    let scene = coalescing(&frame, &view(idx), SIZE);
    assert!(scene.headline.chars().count() <= 90, "{what}: {}", scene.headline);
    assert!(!scene.headline.ends_with('…'), "{what}: {}", scene.headline);
    if row.kind == RequestKind::ConstantLoad {
        let drawn = targets(&scene, |target| matches!(target, Target::Fetch(_)));
        assert_eq!(drawn, usize::from(row.requests), "{what}");
        return;
    }
    let plan = Plan::of(&frame, &access).unwrap();
    let counts = &plan.access.counts;
    assert_eq!(counts.transactions, row.transactions, "{what}");
    assert_eq!(counts.sectors, row.sectors, "{what}");
    assert_eq!(counts.requests, row.requests, "{what}");
    assert_eq!(counts.bytes, row.bytes, "{what}");
    let sum = |of: fn(&super::plan::Fetch) -> u32| plan.fetches.iter().map(of).sum::<u32>();
    assert_eq!(sum(|fetch| fetch.moved), row.bytes, "{what}: moved");
    assert_eq!(sum(|fetch| fetch.times), u32::from(row.transactions), "{what}");
    assert_eq!(sum(|fetch| fetch.used), plan.used(), "{what}: used");
    assert_eq!(plan.used() + plan.wasted(), plan.moved(), "{what}");
    let spans = plan.fetches.iter().map(|fetch| fetch.span as u32).sum::<u32>();
    assert_eq!(spans + plan.untouched(), plan.lines.len() as u32 * 128, "{what}");
    for fetch in &plan.fetches {
        let drawn: u64 = plan
            .used_ranges(fetch.base, fetch.span, fetch.lanes)
            .iter()
            .map(|(from, to)| to - from)
            .sum();
        assert_eq!(drawn, u64::from(fetch.used), "{what}");
    }
    // Exactly one row is the run's, and every row equals the analysis on its GPUs.
    let rows = rows(trace.arch(), &plan.request);
    assert_eq!(rows.iter().filter(|row| row.current).count(), 1, "{what}");
    for other in &rows {
        if other.current {
            assert_eq!(&other.access, &plan.access, "{what}");
        }
        // The compute capabilities of a row are those of its generations.
        let is_named = |arch: &&Architecture| {
            other.machines.iter().any(|machine| {
                let rule = |arch: &Architecture| arch.memory.coalescing.value;
                (machine.generation, rule(machine)) == (arch.generation, rule(arch))
            })
        };
        let capabilities: Vec<String> = ArchId::ALL
            .map(architecture)
            .into_iter()
            .filter(is_named)
            .map(|arch| arch.compute_capability.to_string())
            .collect();
        let (first, last) = (&capabilities[0], &capabilities[capabilities.len() - 1]);
        let range = if first == last {
            first.clone()
        } else {
            format!("{first}–{last}")
        };
        let is_drawn = scene
            .items
            .iter()
            .any(|item| matches!(&item.shape, Shape::Text { text, .. } if *text == range));
        assert!(is_drawn, "{what}: {range}");
        for arch in &other.machines {
            let level = if other.name.ends_with("L1") {
                CacheLevel::L1
            } else if other.name.ends_with("L2 only") {
                CacheLevel::L2
            } else {
                plan.request.route(arch).1
            };
            let (op, bits) = (plan.request.route(arch).0, row.width_bits.into());
            let wanted = global(arch, level, op, bits, &plan.request.addresses, access.mask);
            assert_eq!(other.access, wanted, "{what} on {}", arch.name);
        }
    }
    // Every generation is in some row.
    let has_row = |arch: &&Architecture| {
        let mut all = rows.iter().flat_map(|row| &row.machines);
        all.any(|machine| machine.generation == arch.generation)
    };
    assert!(ArchId::ALL.map(architecture).iter().all(has_row), "{what}");
    // All fetches of the first lines are drawn; a low stage counts the rest as text.
    let drawn = targets(&scene, |target| matches!(target, Target::Fetch(_)));
    assert!(
        drawn == plan.fetches.len() || plan.lines.len() > 6,
        "{what}: {drawn}"
    );
    let lanes = scene
        .table
        .rows
        .iter()
        .take(32)
        .filter(|row| row[1] != "off")
        .count();
    assert_eq!(lanes as u32, access.mask.count(), "{what}");
}

/// Up to `num` requests of a run, spread over it.
fn some(trace: &Trace, num: usize) -> Vec<u32> {
    let order = trace.accesses_of(AccessFamily::Global);
    let step = (order.len() / num).max(1);
    order.iter().copied().step_by(step).collect()
}

#[test]
fn the_view_counts_what_the_run_counted() {
    let kernels = [
        "transpose-naive",
        "vector-add",
        "strided-copy",
        "histogram",
        "pointer-chase",
        "gather-random",
        "offset-copy-1",
        "points-aos",
        "points-float4",
        "constant-divergent",
        "pressure-local",
    ];
    let mut checked = 0;
    for arch in ARCHES {
        for id in kernels {
            // No atomics before 1.1.
            if (arch, id) == (ArchId::G80, "histogram") {
                continue;
            }
            for caching in [LoadCaching::Default, LoadCaching::Cg] {
                if caching == LoadCaching::Cg && arch != ArchId::Gf100 {
                    continue;
                }
                let trace = library_run(id, arch, caching);
                for idx in some(&trace, 12) {
                    check(
                        &trace,
                        idx,
                        &format!("{id} on {arch}, {caching:?}, request {idx}"),
                    );
                    checked += 1;
                }
            }
        }
    }
    assert!(checked > 300, "{checked}");
}

#[test]
fn every_width_and_kind_can_be_drawn() {
    let sources = [
        "__global__ void k(float *a) { char *c = (char *)a; c[threadIdx.x + 3] = c[threadIdx.x * 5]; }",
        "__global__ void k(float *a) { short *c = (short *)a; c[threadIdx.x + 9] = c[threadIdx.x * 3 + 1]; }",
        "__global__ void k(float *a) { float2 *c = (float2 *)a; c[threadIdx.x + 64] = c[threadIdx.x + 1]; }",
        "__global__ void k(float *a) { float4 *c = (float4 *)a; c[threadIdx.x + 64] = c[threadIdx.x * 2]; }",
        "__global__ void k(float *a) { a[threadIdx.x + 1] = a[threadIdx.x * 33 + 7]; }",
        "__global__ void k(float *a) { if (threadIdx.x < 27) a[threadIdx.x] = a[threadIdx.x * 3]; }",
        "__global__ void k(float *a) { int *c = (int *)a; atomicAdd(&c[threadIdx.x % 5], 1); }",
        "__global__ void k(float *a) { float t[8]; for (int i = 0; i < 8; i++) t[i * 3 % 8] = a[i]; \
         a[threadIdx.x] = t[(int)a[threadIdx.x] & 7]; }",
        "__constant__ float t[64]; __global__ void k(float *a) { a[threadIdx.x] = t[threadIdx.x % 5]; }",
    ];
    let mut kinds = std::collections::BTreeSet::new();
    for arch in ARCHES {
        for source in sources {
            if arch == ArchId::G80 && source.contains("atomicAdd") {
                continue;
            }
            let trace = wide_run(source, arch);
            for idx in some(&trace, 10) {
                kinds.insert(trace.access(idx).unwrap().kind);
                check(&trace, idx, &format!("{source} on {arch}, request {idx}"));
            }
        }
    }
    for kind in [
        RequestKind::GlobalLoad,
        RequestKind::GlobalStore,
        RequestKind::LocalLoad,
        RequestKind::ConstantLoad,
    ] {
        assert!(kinds.contains(&kind), "{kind:?} of {kinds:?}");
    }
    assert!(
        kinds.contains(&RequestKind::GlobalAtomic) || kinds.contains(&RequestKind::GlobalReduction),
        "{kinds:?}"
    );
}

/// The first load of a run, and its headline.
fn first_load(trace: &Trace) -> (u32, String) {
    let idx = *trace
        .accesses_of(AccessFamily::Global)
        .iter()
        .find(|idx| trace.access(**idx).unwrap().kind == RequestKind::GlobalLoad)
        .unwrap();
    let frame = trace.frame(Cycle(0));
    let (_, _, access) = shown(&frame, &view(idx)).unwrap();
    let plan = Plan::of(&frame, &access).unwrap();
    (idx, headline(trace.arch(), &plan))
}

#[test]
fn a_structure_of_three_floats_wastes_two_words_of_three() {
    let source =
        "__global__ void k(float *a) { if (threadIdx.x < 27) a[4096 + threadIdx.x] = a[threadIdx.x * 3]; }";
    for (arch, wanted) in [
        // The example of the design: ten sectors of three lines.
        (
            ArchId::Tu102,
            "The 27 lanes use 108 of the 320 bytes fetched in ten sectors: one byte in three.",
        ),
        (
            ArchId::Gp104,
            "The 27 lanes use 108 of the 320 bytes fetched in ten sectors: one byte in three.",
        ),
        (
            ArchId::Gf100,
            "The 27 lanes use 108 of the 384 bytes fetched in three lines: 28 %.",
        ),
        // Half-warps: 16 lanes from byte 0 to 184, then 11 from byte 192 to 316.
        (
            ArchId::Gt200,
            "The 27 lanes use 108 of the 320 bytes fetched in four segments: one byte in three.",
        ),
        (
            ArchId::G80,
            "The 27 lanes use 108 of the 864 bytes fetched in 27 segments: one byte in eight.",
        ),
    ] {
        assert_eq!(first_load(&wide_run(source, arch)).1, wanted, "{arch}");
    }
}

#[test]
fn a_misaligned_row_fetches_one_more_sector() {
    let source = "__global__ void k(float *a) { a[4096 + threadIdx.x] = a[threadIdx.x + 1]; }";
    assert_eq!(
        first_load(&wide_run(source, ArchId::Tu102)).1,
        "The 32 lanes use 128 of the 160 bytes fetched in five sectors: 80 %."
    );
    assert_eq!(
        first_load(&wide_run(source, ArchId::Gf100)).1,
        "The 32 lanes use 128 of the 256 bytes fetched in two lines: one byte in two."
    );
}

#[test]
fn inactive_lanes_have_a_reason() {
    let source =
        "__global__ void k(float *a) { if (threadIdx.x < 27) a[4096 + threadIdx.x] = a[threadIdx.x]; }";
    for arch in ARCHES {
        let trace = wide_run(source, arch);
        let (idx, _) = first_load(&trace);
        let row = trace.access(idx).unwrap();
        let frame = trace.frame(row.started);
        let (_, _, access) = shown(&frame, &view(idx)).unwrap();
        let off = off_lanes(&frame, &row, access.mask);
        assert_eq!(
            off.iter().map(|(lane, _)| *lane).collect::<Vec<_>>(),
            [27, 28, 29, 30, 31]
        );
        assert!(
            off.iter()
                .all(|(_, why)| matches!(why, Off::Exited | Off::Predicate | Off::Elsewhere)),
            "{arch} {off:?}"
        );
    }
}

#[test]
fn lanes_on_one_word_serialize() {
    let source = "__global__ void k(float *a) { int *c = (int *)a; atomicAdd(&c[threadIdx.x % 5], 1); }";
    for (arch, wanted) in [
        // One transaction per lane, whether lanes share words or not.
        (
            ArchId::Gt200,
            "Up to 7 lanes update the same word and serialize: 32 transactions of 32 bytes.",
        ),
        // One sector, once for each lane on its most accessed word.
        (
            ArchId::Tu102,
            "Up to 7 lanes update the same word and serialize: 7 transactions of 32 bytes.",
        ),
    ] {
        let trace = wide_run(source, arch);
        let idx = *trace
            .accesses_of(AccessFamily::Global)
            .iter()
            .find(|idx| {
                let kind = trace.access(**idx).unwrap().kind;
                matches!(kind, RequestKind::GlobalAtomic | RequestKind::GlobalReduction)
            })
            .unwrap();
        let scene = coalescing(&trace.frame(Cycle(0)), &view(idx), SIZE);
        assert_eq!(scene.headline, wanted, "{arch}");
    }
}

#[test]
fn the_headline_names_a_run_without_global_memory() {
    let trace = wide_run("__global__ void k(float *a) { }", ArchId::Tu102);
    for (width, height) in [(832.0, 636.0), (716.0, 464.0), (390.0, 560.0)] {
        let scene = coalescing(
            &trace.frame(Cycle(1)),
            &ViewState::default(),
            Size { width, height },
        );
        assert_eq!(scene.headline, "This run does not read or write global memory.");
        for item in &scene.items {
            if let Shape::Text {
                text,
                size,
                mono,
                strong,
                ..
            } = &item.shape
            {
                assert!(text_width(text, *size, *mono, *strong) < width - 24.0, "{text}");
            }
        }
    }
}

#[test]
fn reads_of_parameters_do_not_hide_the_loads_and_stores() {
    let trace = library_run("strided-copy", ArchId::Gh100, LoadCaching::Default);
    let order = trace.accesses_of(AccessFamily::Global);
    let is_constant = |idx: &u32| trace.access(*idx).unwrap().kind == RequestKind::ConstantLoad;
    assert!(
        order.iter().any(is_constant),
        "this chip loads parameters with LDC"
    );
    let frames = (0..trace.num_cycles())
        .step_by(7)
        .map(|cycle| trace.frame(Cycle(cycle)));
    for frame in frames {
        let (_, row, _) = shown(&frame, &ViewState::default()).unwrap();
        assert_ne!(row.kind, RequestKind::ConstantLoad, "cycle {}", frame.cycle().0);
    }
    let constants = library_run("constant-divergent", ArchId::Gh100, LoadCaching::Default);
    let end = constants.frame(constants.last_cycle());
    assert!(shown(&end, &ViewState::default()).is_some());
}
