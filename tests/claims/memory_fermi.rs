//! Caches, coalescing, banks, and constant memory from 1.x to 2.0: F16 to F39 of the Fermi guide.

use engine::access::{AccessOp, CacheLevel, SharedAccess, global, shared};
use engine::arch::{ArchId, BankSize, architecture};
use engine::ids::LaneMask;
use engine::launch::{Launch, Role};
use engine::sim::{LoadCaching, MachineOptions, RequestKind};
use engine::trace::Trace;
use workbench::library;

use super::runs::{
    caching, carveout, check_list, floats, int, launch, ring, ring_hits, run, run_library, try_run,
};

/// Claims that no run can verify, and the reasons.
const REASONS: &[(&str, &str)] = &[];

#[test]
fn every_claim_is_tested_or_has_a_reason() {
    check_list(include_str!("memory_fermi.rs"), REASONS, &[('f', 16..=39)]);
}

fn plain() -> MachineOptions {
    MachineOptions::default()
}

fn words(trace: &Trace) -> Vec<u8> {
    let outputs = trace.outputs().expect("the run has ended");
    outputs.compared().next().expect("a buffer is compared").1
}

/// On 1.x, texture fetches are faster than poorly coalesced global loads: a copy with an offset of one word, and a
/// gather. On 2.0, L1 caches global loads with more bandwidth than the texture cache: the copy gains less than 1 %,
/// and the gather is slower. The texture units still compute the addresses.
#[test]
fn claim_f24_f25_f26_textures_help_1x_and_can_backfire_on_2_0() {
    for (by_global, by_texture, at_least) in [
        ("offset-copy-1", "offset-copy-texture", 0.99),
        ("gather-random", "gather-texture", 1.0),
    ] {
        let cycles = |id, arch| run_library(id, arch, plain()).num_cycles();
        let g80 = (cycles(by_global, ArchId::G80), cycles(by_texture, ArchId::G80));
        assert!(g80.1 < g80.0, "{by_texture}: {g80:?}");
        let gf100 = (
            cycles(by_global, ArchId::Gf100),
            cycles(by_texture, ArchId::Gf100),
        );
        let ratio = gf100.1 as f64 / gf100.0 as f64;
        assert!(ratio > at_least, "{by_texture}: {gf100:?}");
        let words_of = |id| words(&run_library(id, ArchId::Gf100, plain()));
        assert_eq!(words_of(by_global), words_of(by_texture));
        // The texture unit computes the address, which replaces the shift and the 64-bit addition.
        let issued = |id| {
            let trace = run_library(id, ArchId::Gf100, plain());
            let counters = trace.counters();
            let counter = counters
                .iter()
                .find(|counter| counter.name == "smsp__inst_executed.sum");
            counter.expect("the counter exists").value
        };
        assert!(issued(by_texture) < issued(by_global), "{by_texture}");
    }
}

/// On 2.0, the compiler reads const global memory at a uniform address through the constant cache (LDU). It does not if
/// the address depends on the thread or the memory is not const, nor on earlier and later chips.
#[test]
fn claim_f39_ldu_reads_uniform_const_data_through_the_constant_cache() {
    let source = |pointer: &str, index: &str| {
        format!(
            "__global__ void scale({pointer} k, float *out) {{
                float sum = 0;
                for (int i = 0; i < 16; i++) sum += k[i] * ({index});
                out[threadIdx.x] = sum;
            }}"
        )
    };
    let uniform = source("const float *", "threadIdx.x");
    let launch = launch(1, 64, 0, vec![floats(64, Role::In), floats(64, Role::Out)]);
    let of = |text: &str, arch| run(text, arch, &launch, plain());
    let num = |trace: &Trace, kind| trace.total().of_kind(kind).accesses;
    let fermi = of(&uniform, ArchId::Gf100);
    assert_eq!(num(&fermi, RequestKind::UniformLoad), 2 * 16);
    assert_eq!(num(&fermi, RequestKind::GlobalLoad), 0);
    let hits = fermi.total().of_kind(RequestKind::UniformLoad).l1_hits;
    assert!(hits >= 24, "{hits} of 32 loads hit in the constant cache");
    for other in [
        source("float *", "threadIdx.x"),
        source("const float *", "threadIdx.x").replace("k[i]", "k[threadIdx.x % 16 + i]"),
    ] {
        assert_eq!(
            num(&of(&other, ArchId::Gf100), RequestKind::UniformLoad),
            0,
            "{other}"
        );
    }
    for arch in [ArchId::G80, ArchId::Gk110, ArchId::Gv100] {
        let trace = of(&uniform, arch);
        assert_eq!(num(&trace, RequestKind::UniformLoad), 0, "{arch}");
        assert_eq!(words(&trace), words(&fermi), "{arch}");
    }
}

/// On 1.x, every load goes to device memory. On 2.0, a small ring hits in L1, a larger ring hits in L2, and local
/// memory hits in L1.
#[test]
fn claim_f16_two_caches_for_global_and_local_memory() {
    for arch in [ArchId::G80, ArchId::Gt200] {
        let loads = ring(arch, 4, plain()).total().of_kind(RequestKind::GlobalLoad);
        assert_eq!((loads.l1_hits, loads.l2_hits), (0, 0), "{arch}");
        let local = run_library("pressure-local", arch, plain())
            .total()
            .of_kind(RequestKind::LocalLoad);
        assert!(local.accesses > 0, "{arch}");
        assert_eq!((local.l1_hits, local.l2_hits), (0, 0), "{arch}");
    }
    for arch in [ArchId::Gf100, ArchId::Gf104] {
        assert!(ring_hits(arch, 12, plain()) > 0.99, "{arch}");
        let loads = ring(arch, 96, plain()).total().of_kind(RequestKind::GlobalLoad);
        assert!(loads.l2_hits > loads.sectors / 2, "{arch}: {loads:?}");
        let local = run_library("pressure-local", arch, plain())
            .total()
            .of_kind(RequestKind::LocalLoad);
        assert!(local.l1_hits > 0, "{arch}");
    }
}

/// One compiled kernel runs with two splits: 16 or 48 KB of shared memory leave 48 or 16 KB of L1.
#[test]
fn claim_f17_l1_and_shared_memory_are_split_for_each_kernel() {
    for arch in [ArchId::Gf100, ArchId::Gf104] {
        for (shared_kib, l1_kib) in [(16, 48), (48, 16)] {
            let options = carveout(shared_kib);
            assert_eq!(
                ring(arch, 4, options).occupancy().shared_kib,
                shared_kib,
                "{arch}"
            );
            assert!(ring_hits(arch, l1_kib, options) > 0.99, "{arch}, {shared_kib}");
            assert!(ring_hits(arch, l1_kib + 4, options) < 0.9, "{arch}, {shared_kib}");
        }
        assert_eq!(architecture(arch).occupancy.carveouts_kib.value, [16, 48]);
    }
}

/// `-dlcm=cg` disables L1 caching of global loads; local memory stays cached.
#[test]
fn claim_f18_f19_globals_can_be_kept_out_of_l1_and_locals_cannot() {
    for arch in [ArchId::Gf100, ArchId::Gf104] {
        assert_eq!(ring_hits(arch, 12, caching(LoadCaching::Cg)), 0.0, "{arch}");
        let local = |load_caching| {
            let trace = run_library("pressure-local", arch, caching(load_caching));
            let total = trace.total();
            (
                total.of_kind(RequestKind::LocalLoad).l1_hits,
                total.of_kind(RequestKind::GlobalLoad).l1_hits,
            )
        };
        let (with, without) = (local(LoadCaching::Ca), local(LoadCaching::Cg));
        assert!(
            without.0 > 0 && without.0 >= with.0,
            "{arch}: {with:?}, {without:?}"
        );
        assert!(with.1 > 0 && without.1 == 0, "{arch}: {with:?}, {without:?}");
    }
}

/// An array with a runtime index is in local memory; an array with constant indices is in registers.
#[test]
fn claim_f20_arrays_with_runtime_indices_are_in_local_memory() {
    let local = |source: &str| {
        let args = vec![floats(256, Role::In), floats(32, Role::Out), int(5)];
        let trace = run(source, ArchId::Gf100, &launch(1, 32, 0, args), plain());
        let total = trace.total();
        total.of_kind(RequestKind::LocalLoad).accesses + total.of_kind(RequestKind::LocalStore).accesses
    };
    let with = |index: &str| {
        format!(
            "__global__ void f(const float *in, float *out, int n) {{
                float r[8];
                #pragma unroll
                for (int k = 0; k < 8; ++k) r[k] = in[threadIdx.x + 32 * k];
                out[threadIdx.x] = r[{index}] + r[2];
            }}"
        )
    };
    assert!(local(&with("(n + threadIdx.x) & 7")) >= 9);
    assert_eq!(local(&with("5")), 0);
}

fn pressure() -> (&'static str, Launch) {
    let kernel = library::kernel("pressure").expect("a kernel of the library");
    (kernel.source, kernel.launch())
}

/// `-maxrregcount` and `__launch_bounds__` both reduce registers and increase spills.
#[test]
fn claim_f21_launch_bounds_and_maxrregcount_control_spilling() {
    let (source, launch) = pressure();
    let spills = |trace: &Trace| trace.total().of_kind(RequestKind::LocalLoad).accesses;
    let registers = |trace: &Trace| {
        trace
            .counter("launch__registers_per_thread")
            .expect("the counter exists")
    };
    let mut last = 0;
    for most in [63_u16, 40, 24] {
        let trace = try_run(source, ArchId::Gf100, &launch, plain(), Some(most)).expect("it runs");
        assert!(registers(&trace) <= f64::from(most), "{most}");
        assert!(spills(&trace) > last, "{most}: {} after {last}", spills(&trace));
        last = spills(&trace);
    }
    // 16 blocks of 64 threads on an SM with 65,536 registers: 64 registers per thread.
    let free = run_library("pressure", ArchId::Gp100, plain());
    let bound = run_library("pressure-spilled", ArchId::Gp100, plain());
    assert!(registers(&free) > 64.0 && registers(&bound) <= 64.0);
    assert!(spills(&free) == 0 && spills(&bound) > 0);
}

/// A kernel spills about 40 KB, with 16 or 48 KB of L1, with or without global loads cached: all runs produce the
/// same result, and 48 KB are faster.
#[test]
fn claim_f22_f23_a_kernel_that_spills_gains_from_48_kib_of_l1() {
    let (source, launch) = pressure();
    for arch in [ArchId::Gf100, ArchId::Gf104] {
        let mut cycles = Vec::new();
        let mut result = None;
        for shared_kib in [48, 16] {
            for load_caching in [LoadCaching::Ca, LoadCaching::Cg] {
                let options = MachineOptions {
                    load_caching,
                    ..carveout(shared_kib)
                };
                let trace = try_run(source, arch, &launch, options, Some(48)).expect("it runs");
                let out = words(&trace);
                assert_eq!(result.get_or_insert(out.clone()), &out, "{arch}");
                cycles.push(trace.num_cycles());
            }
        }
        let [small_ca, small_cg, large_ca, large_cg] = cycles[..] else {
            panic!("four runs");
        };
        assert!(large_ca < small_ca && large_cg < small_cg, "{arch}: {cycles:?}");
        assert!(small_ca != small_cg, "{arch}: {cycles:?}");
    }
}

fn lanes(address: impl Fn(u64) -> u64) -> [u64; 32] {
    std::array::from_fn(|lane| address(lane as u64))
}

/// A warp's access is two requests on 1.x, one per half-warp, and one request on 2.0.
#[test]
fn claim_f27_half_warps_on_1x_and_warps_on_20() {
    for (arch, requests) in [
        (ArchId::G80, 2),
        (ArchId::Gt200, 2),
        (ArchId::Gf100, 1),
        (ArchId::Gf104, 1),
    ] {
        for op in [AccessOp::Load, AccessOp::Store] {
            let addresses = lanes(|lane| 0x10000 + 4 * lane);
            let access = global(
                architecture(arch),
                CacheLevel::L1,
                op,
                32,
                &addresses,
                LaneMask::FULL,
            );
            assert_eq!(access.requests.len(), requests, "{arch}");
            let each = 32 / requests as u32;
            assert!(
                access.requests.iter().all(|lanes| lanes.count() == each),
                "{arch}"
            );
        }
        let loads = run_library("stream", arch, plain())
            .total()
            .of_kind(RequestKind::GlobalLoad);
        assert_eq!(loads.requests, requests as u64 * loads.accesses, "{arch}");
    }
}

const PLANE: &str = "__global__ void plane(const float *in, float *out) {
    int i = threadIdx.y * 512 + threadIdx.x;
    out[i] = in[i];
}";

/// Rows of 16 threads suit 1.x, which coalesces half-warps, but a warp of 2.0 accesses two lines. With rows of 32, the
/// warp accesses one line.
#[test]
fn claim_f28_f29_blocks_with_rows_of_whole_warps() {
    let transactions = |arch, x, y| {
        let args = vec![floats(8192, Role::In), floats(8192, Role::Out)];
        let launch = Launch {
            block: [x, y, 1],
            ..launch(1, 1, 0, args)
        };
        let loads = run(PLANE, arch, &launch, plain())
            .total()
            .of_kind(RequestKind::GlobalLoad);
        loads.transactions as f64 / loads.accesses as f64
    };
    for arch in [ArchId::G80, ArchId::Gt200] {
        assert_eq!(transactions(arch, 16, 16), transactions(arch, 32, 8), "{arch}");
    }
    for arch in [ArchId::Gf100, ArchId::Gf104] {
        assert_eq!(transactions(arch, 16, 16), 2.0, "{arch}");
        assert_eq!(transactions(arch, 32, 8), 1.0, "{arch}");
    }
}

const TAKES_SHARED: &str = "__global__ void takes(const float *in, float *out) {
    extern __shared__ float s[];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    s[t] = in[i];
    __syncthreads();
    out[i] = s[t ^ 1];
}";

/// 48 KB on 2.0 are three times 16 KB: three times the blocks are resident, or a block uses three times as much.
#[test]
fn claim_f30_f31_48_kib_for_more_blocks_or_larger_ones() {
    let run = |arch, bytes| {
        let args = vec![floats(8 * 64, Role::In), floats(8 * 64, Role::Out)];
        try_run(TAKES_SHARED, arch, &launch(8, 64, bytes, args), plain(), None)
    };
    let blocks = |arch, bytes| run(arch, bytes).map(|trace| trace.occupancy().blocks_per_sm);
    assert_eq!(blocks(ArchId::Gt200, 8192), Ok(2));
    assert_eq!(blocks(ArchId::Gf100, 8192), Ok(6));
    assert_eq!(blocks(ArchId::Gf100, 48 * 1024), Ok(1));
    let refused = blocks(ArchId::Gt200, 48 * 1024).expect_err("the chip has 16 KB");
    assert!(refused.contains("16384"), "{refused}");
    // More resident blocks finish earlier.
    let cycles = |options| {
        let args = vec![floats(8 * 64, Role::In), floats(8 * 64, Role::Out)];
        super::runs::run(TAKES_SHARED, ArchId::Gf100, &launch(8, 64, 8192, args), options).num_cycles()
    };
    assert!(cycles(carveout(48)) < cycles(carveout(16)));
}

fn banks(arch: ArchId, bits: u32, offset: impl Fn(u32) -> u32) -> SharedAccess {
    let offsets: [u32; 32] = std::array::from_fn(|lane| offset(lane as u32));
    let banks = architecture(arch).memory.banks(BankSize::default());
    shared(banks, AccessOp::Load, bits, &offsets, LaneMask::FULL)
}

const ONE: [ArchId; 2] = [ArchId::G80, ArchId::Gt200];
const TWO: [ArchId; 2] = [ArchId::Gf100, ArchId::Gf104];

/// 1.x has 16 banks and serves half-warps; 2.0 has 32 banks and serves warps. A stride of 16 words accesses one of 16
/// banks, and two of 32 banks.
#[test]
fn claim_f32_f33_sixteen_banks_and_half_warps_or_32_and_warps() {
    for arch in ONE {
        let access = banks(arch, 32, |lane| 4 * lane);
        assert_eq!(
            (access.banks.num, access.requests.len(), access.wavefronts()),
            (16, 2, 2),
            "{arch}"
        );
        assert_eq!(banks(arch, 32, |lane| 64 * lane).wavefronts(), 32, "{arch}");
        assert_eq!(banks(arch, 32, |lane| 8 * lane).ways(), 2, "{arch}");
    }
    for arch in TWO {
        let access = banks(arch, 32, |lane| 4 * lane);
        assert_eq!(
            (access.banks.num, access.requests.len(), access.wavefronts()),
            (32, 1, 1),
            "{arch}"
        );
        assert_eq!(banks(arch, 32, |lane| 64 * lane).ways(), 16, "{arch}");
        assert_eq!(banks(arch, 32, |lane| 128 * lane).ways(), 32, "{arch}");
    }
}

/// On 2.0, the halves of a warp can conflict. A tile with rows of 17 words, padded for 16 banks and read by columns,
/// has conflicts on 32 banks; a tile with rows of 33 words has none.
#[test]
fn claim_f34_f35_half_warps_conflict_and_padding_changes() {
    let halves = |lane: u32| {
        if lane < 16 {
            4 * lane
        } else {
            4 * (lane - 16) + 128
        }
    };
    let columns_of_17 = |lane: u32| 4 * (17 * (lane % 16) + lane / 16);
    for arch in ONE {
        assert_eq!(banks(arch, 32, halves).conflicts(), 0, "{arch}");
        assert_eq!(banks(arch, 32, columns_of_17).conflicts(), 0, "{arch}");
    }
    for arch in TWO {
        assert_eq!(banks(arch, 32, halves).conflicts(), 1, "{arch}");
        assert_eq!(banks(arch, 32, columns_of_17).conflicts(), 1, "{arch}");
        assert_eq!(banks(arch, 32, |lane| 4 * 33 * lane).conflicts(), 0, "{arch}");
    }
    let wavefronts = |stride: u32| {
        let kernel = library::kernel("shared-stride").expect("a kernel of the library");
        let mut launch = kernel.launch();
        launch.args[1] = int(stride);
        let loads = run(kernel.source, ArchId::Gf100, &launch, plain())
            .total()
            .of_kind(RequestKind::SharedLoad);
        loads.wavefronts / loads.accesses
    };
    assert_eq!(
        (wavefronts(16), wavefronts(17), wavefronts(32), wavefronts(33)),
        (16, 1, 32, 1)
    );
}

/// Several words are each read by several lanes: 2.0 broadcasts all of them in one pass, 1.x one word per step.
#[test]
fn claim_f36_several_words_are_broadcast_on_20() {
    let four_words = |lane: u32| 4 * (lane % 16 / 4);
    for arch in ONE {
        assert_eq!(banks(arch, 32, |_| 0).wavefronts(), 2, "{arch}");
        let access = banks(arch, 32, four_words);
        assert!(access.conflicts() >= 4, "{arch}: {}", access.conflicts());
    }
    for arch in TWO {
        let access = banks(arch, 32, four_words);
        assert_eq!(access.wavefronts(), 1, "{arch}");
        assert_eq!(access.requests[0].passes[0].words.len(), 4, "{arch}");
        assert!(
            access.requests[0].passes[0]
                .words
                .iter()
                .all(|word| word.lanes.count() == 8),
            "{arch}"
        );
    }
}

/// Neighboring lanes access neighboring elements of 8, 16, 64, or 128 bits.
#[test]
fn claim_f37_fewer_conflicts_for_other_widths() {
    for bits in [8, 16, 64, 128] {
        let bytes = bits / 8;
        for (one, two) in ONE.into_iter().zip(TWO) {
            let (before, now) = (
                banks(one, bits, |lane| bytes * lane),
                banks(two, bits, |lane| bytes * lane),
            );
            assert!(
                now.conflicts() < before.conflicts(),
                "{bits} bits: {} and {}",
                before.conflicts(),
                now.conflicts()
            );
            if bits < 128 {
                assert_eq!(now.conflicts(), 0, "{bits} bits");
            }
        }
    }
}

/// Every chip reads `__constant__` variables with the same result.
#[test]
fn claim_f38_every_chip_has_constant_memory() {
    let mut result = None;
    for arch in ArchId::ALL {
        let trace = run_library("constant-four", arch, plain());
        let loads = trace.total().of_kind(RequestKind::ConstantLoad);
        assert!(loads.accesses > 0, "{arch}");
        assert!(
            architecture(arch).memory.constant.capacity_kib.value == 64,
            "{arch}"
        );
        let out = words(&trace);
        assert_eq!(result.get_or_insert(out.clone()), &out, "{arch}");
    }
}
