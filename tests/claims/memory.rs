//! Memory, the unified cache, and its carveout: T62 to T77 of the Turing guide, V47 to V63 of the Volta guide.

use engine::access::{AccessOp, CacheLevel, global};
use engine::arch::{ArchId, architecture};
use engine::ids::LaneMask;
use engine::launch::{Launch, Role};
use engine::sim::{LoadCaching, MachineOptions, RequestKind};
use engine::trace::Trace;
use workbench::app::host::{Lists, take_launch};
use workbench::app::{Event, Session, update};
use workbench::library;
use workbench::share::Scenario;

use super::runs::{
    caching, carveout, check_list, floats, launch, ring, ring_hits, run, run_library, try_run,
};

#[test]
fn every_claim_is_tested_or_has_a_reason() {
    check_list(include_str!("memory.rs"), &[], &[('t', 62..=77), ('v', 47..=63)]);
}

/// The inspector of the Device view states the stacks of GV100's memory. A stack of HBM2 has an interface of 1,024 bits,
/// so that four stacks have the 4,096 bits of the chip's bus (V100 white paper, Table 1).
#[test]
fn claim_v47_device_memory_is_four_stacks_of_at_most_eight_dies() {
    let arch = architecture(ArchId::Gv100);
    let memory = arch.memory_stacks().expect("the chip has HBM2");
    assert_eq!(arch.chip.dram_bits.value, 1024 * memory.stacks.value);
    let mut session = Session::new();
    let _ = update(
        &mut session,
        Event::Open("#v1;arch=gv100;kernel=vector-add;view=device".to_owned()),
    );
    while session.work(10_000) {}
    let sources = session.inspection().expect("the device is explained").sources;
    let value = |name: &str| {
        let source = sources.iter().find(|source| source.name == name);
        source.map(|source| (source.value.as_str(), source.source.as_str()))
    };
    let guide = "Volta Tuning Guide 4.3.1";
    assert_eq!(value("Stacks of HBM2"), Some(("4 stacks", guide)));
    assert_eq!(value("Dies of a stack, at most"), Some(("8 dies", guide)));
    assert_eq!(value("Device memory, at most"), Some(("32 GB", guide)));
}

/// A program that prefers a carveout in percent for its kernel. Returns the carveout of the scenario in KB.
fn preferred(arch: ArchId, percent: &str) -> Option<u32> {
    let source = format!(
        "__global__ void kernel(float *x) {{ x[threadIdx.x] += 1; }}
int main() {{
    float *x;
    cudaMalloc(&x, 128);
    cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, {percent});
    kernel<<<1, 32>>>(x);
}}"
    );
    let mut scenario = Scenario {
        arch,
        source: Some(source),
        ..Scenario::default()
    };
    let reading = cuda::host::read(scenario.source(), arch, cuda::host::Limits::PAGE);
    take_launch(&mut scenario, &reading, 0, Lists::Whole).expect("main() launches the kernel");
    scenario.machine.carveout_kib
}

/// The percentage is one of the largest shared memory, rounded up to the next size that the chip has: 50 % of 96 KB are
/// 48 KB, and GV100 has 64 KB (CUDA C++ Programming Guide, Compute Capability 7.x, Shared Memory).
#[test]
fn claim_t66_v55_a_call_of_the_host_prefers_a_carveout() {
    for (arch, percent, kib) in [
        (ArchId::Gv100, "50", Some(64)),
        (ArchId::Gv100, "cudaSharedmemCarveoutMaxShared", Some(96)),
        (ArchId::Gv100, "cudaSharedmemCarveoutMaxL1", Some(0)),
        (ArchId::Gv100, "cudaSharedmemCarveoutDefault", None),
        (ArchId::Tu102, "50", Some(32)),
        (ArchId::Tu102, "51", Some(64)),
        (ArchId::Ga100, "50", Some(100)),
        // One size: nothing to prefer.
        (ArchId::Gp104, "50", None),
    ] {
        assert_eq!(preferred(arch, percent), kib, "{arch}, {percent}");
    }
}

const NEW: [ArchId; 2] = [ArchId::Gv100, ArchId::Tu102];

fn plain() -> MachineOptions {
    MachineOptions::default()
}

/// A ring as large as L1 fits, and a ring that is 2 KB larger does not.
fn l1_holds(arch: ArchId, shared_kib: u16, l1_kib: u32) {
    let options = carveout(shared_kib);
    assert_eq!(
        ring(arch, 1, options).occupancy().shared_kib,
        shared_kib,
        "{arch}"
    );
    let (fits, larger) = (
        ring_hits(arch, l1_kib, options),
        ring_hits(arch, l1_kib + 2, options),
    );
    assert!(fits > 0.99, "{arch}, {shared_kib} shared: {fits}");
    assert!(larger < 0.9, "{arch}, {shared_kib} shared: {larger}");
}

/// On Volta, L1 and shared memory share 128 KB.
#[test]
fn claim_v54_v56_volta_has_six_splits_of_128_kib() {
    let sizes = [0, 8, 16, 32, 64, 96];
    assert_eq!(architecture(ArchId::Gv100).occupancy.carveouts_kib.value, sizes);
    for shared_kib in sizes {
        l1_holds(ArchId::Gv100, shared_kib, 128 - u32::from(shared_kib));
    }
}

/// On Turing, L1 and shared memory share 96 KB in one of two splits; any other preference is rounded up. The same
/// kernel runs with either split.
#[test]
fn claim_t62_t63_t64_t65_t67_turing_has_two_splits_of_96_kib() {
    for shared_kib in [32, 64] {
        l1_holds(ArchId::Tu102, shared_kib, 96 - u32::from(shared_kib));
    }
    let rules = &architecture(ArchId::Tu102).occupancy;
    for percent in 0..=100 {
        let kib = rules.carveout_kib(Some(percent), 0);
        assert_eq!(kib, if percent <= 50 { 32 } else { 64 }, "{percent}");
    }
}

const TAKES_SHARED: &str = "__global__ void takes(const float *in, float *out) {
    extern __shared__ float s[];
    int t = threadIdx.x;
    int last = N - 64;
    s[t + last] = in[t];
    s[t] = 1;
    __syncthreads();
    out[t] = s[t ^ 1] + s[(t ^ 1) + last];
}";

fn with_dynamic(arch: ArchId, bytes: u32) -> Result<Trace, String> {
    let source = TAKES_SHARED.replace('N', &(bytes / 4).to_string());
    let args = vec![floats(64, Role::In), floats(64, Role::Out)];
    try_run(&source, arch, &launch(1, 64, bytes, args), plain(), None)
}

fn with_static(arch: ArchId, words: u32) -> Result<Trace, String> {
    let source = TAKES_SHARED.replace('N', &words.to_string()).replace(
        "extern __shared__ float s[]",
        &format!("__shared__ float s[{words}]"),
    );
    let args = vec![floats(64, Role::In), floats(64, Role::Out)];
    try_run(&source, arch, &launch(1, 64, 0, args), plain(), None)
}

/// A block can use all shared memory of the SM as dynamic shared memory, and 48 KB as static; on Pascal the limit is
/// 48 KB for both.
#[test]
fn claim_t68_t69_t70_v57_v58_a_block_can_have_all_shared_memory() {
    for (arch, kib) in [(ArchId::Gv100, 96), (ArchId::Tu102, 64)] {
        let trace = with_dynamic(arch, kib * 1024).expect("it runs");
        let outputs = trace.outputs().expect("the run has ended");
        let (_, bytes) = outputs.compared().next().expect("a buffer is compared");
        assert_eq!(bytes[..4], 2.0_f32.to_le_bytes(), "{arch}");
        assert_eq!(u32::from(trace.occupancy().shared_kib), kib, "{arch}");
        let refused = with_dynamic(arch, kib * 1024 + 4).expect_err("the request exceeds the limit");
        assert!(refused.contains(&(kib * 1024).to_string()), "{refused}");
        assert!(with_static(arch, 12 * 1024).is_ok(), "{arch}");
        let refused = with_static(arch, 12 * 1024 + 1).expect_err("the request exceeds the limit");
        assert!(refused.contains("49152") || refused.contains("48 K"), "{refused}");
    }
    for arch in [ArchId::Gp100, ArchId::Gp104] {
        assert!(with_dynamic(arch, 48 * 1024).is_ok(), "{arch}");
        assert!(with_dynamic(arch, 48 * 1024 + 4).is_err(), "{arch}");
    }
}

/// The read-only path of textures hits lines that plain loads fetched.
#[test]
fn claim_t71_l1_and_texture_cache_are_one() {
    let source = "__global__ void twice(const float *in, float *out) {
        int t = threadIdx.x;
        out[t] = in[t];
        __syncthreads();
        out[t + 32] = __ldg(in + (t ^ 1));
    }";
    for arch in NEW {
        let args = vec![floats(32, Role::In), floats(64, Role::Out)];
        let trace = run(source, arch, &launch(1, 32, 0, args), plain());
        assert_eq!(
            trace.total().of_kind(RequestKind::GlobalLoad).l1_hits,
            4,
            "{arch}"
        );
    }
}

/// One request gathers the words of a warp, independent of the order in which lanes access them.
#[test]
fn claim_t72_v59_scattered_words_are_gathered_in_one_request() {
    for arch in NEW {
        for step in [1, 5, 7, 13, 31] {
            let addresses: [u64; 32] = std::array::from_fn(|lane| 0x10000 + 4 * (lane as u64 * step % 32));
            let access = global(
                architecture(arch),
                CacheLevel::L1,
                AccessOp::Load,
                32,
                &addresses,
                LaneMask::FULL,
            );
            assert_eq!(
                (access.counts.requests, access.counts.sectors),
                (1, 4),
                "{arch}, {step}"
            );
        }
        for kernel in ["gather-random", "gather-sorted", "strided-copy-32"] {
            let loads = run_library(kernel, arch, plain())
                .total()
                .of_kind(RequestKind::GlobalLoad);
            assert_eq!(loads.requests, loads.accesses, "{kernel} on {arch}");
        }
    }
}

/// Returns the cycles per step of a pointer chase that fits in L1.
fn chase_step(arch: ArchId, options: MachineOptions) -> u64 {
    let kernel = library::kernel("pointer-chase").expect("a kernel of the library");
    let cycles = |steps| {
        let mut launch = kernel.launch();
        launch.args[0] = engine::launch::Argument::Buffer {
            elem: engine::isa::ElemType::I32,
            len: 32,
            fill: engine::launch::Fill::of(engine::launch::Pattern::Iota),
            role: Role::In,
            start: 0,
        };
        launch.args[2] = super::runs::int(steps);
        run(kernel.source, arch, &launch, options).num_cycles()
    };
    (cycles(40) - cycles(8)) / 32
}

const READ_L1: &str = "__global__ void read(const float *in, float *out) {
    float sum = 0;
    int t = threadIdx.x;
    #pragma unroll 8
    for (int k = 0; k < 64; ++k) sum += in[(t + 32 * k) & 2047];
    out[t] = sum;
}";

/// Returns the bytes per cycle that L1 delivers when 32 warps load the same 8 KB repeatedly.
fn l1_rate(arch: ArchId, options: MachineOptions) -> f64 {
    let args = vec![floats(2048, Role::In), floats(1024, Role::Out)];
    let trace = run(READ_L1, arch, &launch(1, 1024, 0, args), options);
    trace.total().of_kind(RequestKind::GlobalLoad).asked_bytes as f64 / trace.num_cycles() as f64
}

/// L1's latency, bandwidth, and capacity, compared with Pascal's L1 with global loads cached.
#[test]
fn claim_t73_v61_l1_is_faster_wider_and_larger_than_before() {
    let ca = caching(LoadCaching::Ca);
    for arch in NEW {
        for before in [ArchId::Gm204, ArchId::Gp100, ArchId::Gp104] {
            let (step, step_before) = (chase_step(arch, plain()), chase_step(before, ca));
            assert!(step < step_before, "{arch}: {step}; {before}: {step_before}");
            let (rate, rate_before) = (l1_rate(arch, plain()), l1_rate(before, ca));
            assert!(rate > rate_before, "{arch}: {rate}; {before}: {rate_before}");
        }
        assert!(ring_hits(arch, 56, plain()) > 0.99, "{arch}");
    }
    assert!(ring_hits(ArchId::Gp100, 56, ca) < 0.9);
    assert!(ring_hits(ArchId::Gp104, 56, ca) < 0.9);
}

/// L1 reaches 128 KB. With GP100's 24 KB from the Programming Guide, that is five times GP100's L1, not seven times.
#[test]
fn claim_v60_l1_reaches_128_kib() {
    assert!(ring_hits(ArchId::Gv100, 128, plain()) > 0.99);
    let ca = caching(LoadCaching::Ca);
    assert!(ring_hits(ArchId::Gp100, 24, ca) > 0.99);
    assert!(ring_hits(ArchId::Gp100, 32, ca) < 0.9);
}

/// A load after a store hits in L1, and the store also goes to the next level.
#[test]
fn claim_t74_l1_caches_writes_and_writes_through() {
    let source = "__global__ void back(float *a, float *out) {
        int t = threadIdx.x;
        a[t] = t;
        __syncthreads();
        out[t] = a[t ^ 1];
    }";
    for (arch, hits) in [(ArchId::Gf100, 0), (ArchId::Gv100, 4), (ArchId::Tu102, 4)] {
        let args = vec![floats(32, Role::Out), floats(32, Role::Out)];
        let trace = run(source, arch, &launch(1, 32, 0, args), plain());
        let total = trace.total();
        assert_eq!(total.of_kind(RequestKind::GlobalLoad).l1_hits, hits, "{arch}");
        let stores = total.of_kind(RequestKind::GlobalStore);
        assert_eq!((stores.accesses, stores.bytes), (2, 256), "{arch}");
    }
}

/// Returns the ratio of two kernels' cycles.
fn ratio(arch: ArchId, direct: &str, through_shared: &str, options: MachineOptions) -> f64 {
    let cycles = |id| run_library(id, arch, options).num_cycles() as f64;
    cycles(direct) / cycles(through_shared)
}

/// The same task with and without shared memory: direct access loses less on Volta and Turing than on Maxwell and
/// Pascal, whose L1 is separate from shared memory.
#[test]
fn claim_t75_v62_the_gap_between_shared_and_direct_access_is_smaller() {
    for (direct, through_shared) in [
        ("stencil-global", "stencil-shared"),
        ("matmul-naive", "matmul-tiled"),
    ] {
        for before in [ArchId::Gm204, ArchId::Gp100, ArchId::Gp104] {
            let gap_before = ratio(before, direct, through_shared, plain());
            for arch in NEW {
                let gap = ratio(arch, direct, through_shared, plain());
                assert!(
                    gap < gap_before,
                    "{direct} on {arch}: {gap}; {before}: {gap_before}"
                );
            }
        }
    }
}

/// Returns the extra cycles per spill load or store of a kernel that keeps 72 values in `registers` registers, and
/// the L1 hit rate of these loads.
fn spill_cost(arch: ArchId, registers: u16) -> (f64, f64) {
    let kernel = library::kernel("pressure").expect("a kernel of the library");
    let run = |most| try_run(kernel.source, arch, &kernel.launch(), plain(), most).expect("it runs");
    let (free, spilled) = (run(None), run(Some(registers)));
    let total = spilled.total();
    let (loads, stores) = (
        total.of_kind(RequestKind::LocalLoad),
        total.of_kind(RequestKind::LocalStore),
    );
    assert_eq!(free.total().of_kind(RequestKind::LocalLoad).accesses, 0, "{arch}");
    let more = spilled.num_cycles() as f64 - free.num_cycles() as f64;
    (
        more / (loads.accesses + stores.accesses) as f64,
        loads.l1_hits as f64 / loads.sectors as f64,
    )
}

/// Spills cost fewer cycles than on Pascal because L1 is faster and holds all of them, which shifts the balance between
/// registers and occupancy. The comparison uses cycles: relative to a run without spills the cost is not lower, because
/// that run gains even more.
#[test]
fn claim_t76_t77_v63_spills_cost_less() {
    for registers in [64, 48] {
        for arch in NEW {
            let (now, hits) = spill_cost(arch, registers);
            assert_eq!(hits, 1.0, "{arch}");
            for before in [ArchId::Gp100, ArchId::Gp104] {
                let (then, hits) = spill_cost(before, registers);
                assert!(now < 0.8 * then, "{arch}: {now}; {before}: {then}");
                assert!(hits < 0.6, "{before}: {hits}");
            }
        }
    }
}

/// Returns the chip's achievable memory bandwidth in GB/s. The single simulated SM cannot saturate it.
fn bandwidth(arch: ArchId) -> f64 {
    let arch = architecture(arch);
    arch.chip.dram_gb_per_s.value * f64::from(arch.memory.device.efficiency.value)
}

/// Returns the latency of a load from device memory in nanoseconds, in a chain of such loads.
fn latency_ns(arch: ArchId) -> f64 {
    let cycles = |steps| {
        let kernel = library::kernel("pointer-chase-far").expect("a kernel of the library");
        let mut launch = kernel.launch();
        launch.args[2] = super::runs::int(steps);
        run(kernel.source, arch, &launch, caching(LoadCaching::Cg)).num_cycles() as f64
    };
    (cycles(12) - cycles(4)) / 8.0 * 1000.0 / f64::from(architecture(arch).chip.sm_clock_mhz.value)
}

/// GV100's achievable bandwidth is 1.5 times GP100's. The share of the peak is the measured 83 %; the guide's 95 % is
/// listed as an alternative.
#[test]
fn claim_v48_v49_v50_hbm2_has_one_and_a_half_times_the_bandwidth() {
    let chip = |arch| &architecture(arch).chip.dram_gb_per_s;
    assert_eq!(
        (chip(ArchId::Gv100).value, chip(ArchId::Gp100).value),
        (900.0, 732.0)
    );
    let (now, then) = (bandwidth(ArchId::Gv100), bandwidth(ArchId::Gp100));
    assert!((1.4..1.6).contains(&(now / then)), "{now} and {then} GB/s");
    assert!(now < 0.95 * 900.0, "{now} GB/s");
    let efficiency = architecture(ArchId::Gv100).memory.device.efficiency;
    let guide = efficiency
        .alternatives
        .iter()
        .find(|other| other.source.contains("Volta Tuning Guide"));
    assert_eq!(guide.expect("the guide is listed").value, "over 0.95");
}

/// Returns the average bytes in flight to and from memory during a copy.
fn in_flight(id: &str) -> f64 {
    let trace = run_library(id, ArchId::Gv100, plain());
    trace.flight().total.byte_cycles as f64 / trace.num_cycles() as f64
}

/// Bytes in flight that saturate memory, latency times bandwidth: more on GV100 than on chips with GDDR5, but not more
/// per SM. An SM full of warps reaches this number; an SM with two warps does not.
#[test]
fn claim_v51_v52_more_bytes_in_flight_from_more_sms() {
    let needed = |arch| latency_ns(arch) * bandwidth(arch);
    let per_sm = |arch| needed(arch) / f64::from(architecture(arch).chip.num_sms.value);
    for gddr5 in [ArchId::Gm204, ArchId::Gk110] {
        let (hbm2, before) = (needed(ArchId::Gv100), needed(gddr5));
        assert!(hbm2 > 1.2 * before, "{hbm2}; {gddr5}: {before}");
        assert!(per_sm(ArchId::Gv100) < per_sm(gddr5), "{gddr5}");
    }
    let needed = per_sm(ArchId::Gv100);
    let (full, few) = (in_flight("stream"), in_flight("stream-few"));
    assert!(full > needed && few < needed, "{full}, {few} of {needed}");
}

/// With one block on the SM, four loads per thread transfer more bytes per cycle than one load.
#[test]
fn claim_v53_at_low_occupancy_more_loads_per_thread_help() {
    let rate = |id, blocks| {
        let kernel = library::kernel(id).expect("a kernel of the library");
        let launch = Launch {
            dynamic_shared: 96 * 1024,
            ..launch(
                blocks,
                64,
                0,
                vec![floats(4096, Role::In), floats(4096, Role::Out)],
            )
        };
        let trace = run(kernel.source, ArchId::Gv100, &launch, plain());
        assert_eq!(trace.occupancy().blocks_per_sm, 1);
        8.0 * 4096.0 / trace.num_cycles() as f64
    };
    let (one, four) = (rate("stream", 64), rate("stream-4", 16));
    assert!(four > 2.0 * one, "{one} and {four} bytes per cycle");
}
