//! Occupancy: T37 to T41 of the Turing guide, V32 to V37 of the Volta guide.

use engine::arch::{ArchId, LaunchResources, Occupancy, architecture, occupancy};
use engine::ids::Cycle;
use engine::launch::Role;
use engine::sim::{MachineOptions, Outcome};
use engine::trace::Trace;
use workbench::library;

use super::runs::{check_list, floats, launch, run, try_run};

#[test]
fn every_claim_is_tested_or_has_a_reason() {
    check_list(
        include_str!("occupancy.rs"),
        &[],
        &[('t', 37..=41), ('v', 32..=37)],
    );
}

fn fit(arch: ArchId, resources: LaunchResources) -> Result<Occupancy, String> {
    occupancy(architecture(arch), &resources).map_err(|refusal| refusal.to_string())
}

/// Each thread runs a long chain of dependent instructions.
pub(super) const LONG: &str = "__global__ void longer(const float *in, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = in[i];
    for (int k = 0; k < 200; ++k) x = x * 0.5f + 1;
    out[i] = x;
}";

/// Runs many blocks, each of which runs longer than the launch of the others takes.
fn filled(arch: ArchId, blocks: u32, threads: u32) -> Trace {
    let len = blocks * threads;
    let args = vec![floats(len, Role::In), floats(len, Role::Out)];
    run(
        LONG,
        arch,
        &launch(blocks, threads, 0, args),
        MachineOptions::default(),
    )
}

/// Returns the maximum number of resident blocks.
fn resident(trace: &Trace) -> usize {
    let at = |cycle| trace.blocks_at(Cycle(cycle)).count();
    (0..trace.num_cycles()).step_by(16).map(at).max().unwrap_or(0)
}

/// Volta holds 64 resident warps, as Pascal does.
#[test]
fn claim_v32_64_warps_are_resident() {
    for arch in [ArchId::Gp100, ArchId::Gp104, ArchId::Gv100] {
        let trace = filled(arch, 12, 256);
        assert_eq!(resident(&trace), 8, "{arch}");
        assert_eq!(trace.occupancy().warps_per_sm(), 64, "{arch}");
    }
}

/// An SM has 65,536 registers: threads times registers fill the register file, and one more block does not fit.
#[test]
fn claim_t37_v33_an_sm_has_64_k_registers() {
    for arch in [ArchId::Gv100, ArchId::Tu102] {
        for (threads, registers, blocks) in [
            (1024, 64, 1),
            (256, 128, 2),
            (128, 128, 4),
            (64, 128, 8),
            (128, 136, 3),
        ] {
            let resources = LaunchResources {
                threads_per_block: threads,
                registers_per_thread: registers,
                ..LaunchResources::default()
            };
            let fit = fit(arch, resources).expect("it fits");
            assert_eq!(
                fit.limit_registers,
                Some(blocks),
                "{arch}, {threads} threads of {registers}"
            );
        }
        let too_many = LaunchResources {
            threads_per_block: 1024,
            registers_per_thread: 65,
            ..LaunchResources::default()
        };
        let refusal = fit(arch, too_many).expect_err("the block does not fit");
        assert!(refusal.contains("65536"), "{refusal}");
    }
}

/// A thread has at most 255 registers: the compiler respects the limit, and a launch with more is refused.
#[test]
fn claim_t38_v34_a_thread_has_at_most_255_registers() {
    let source = "__global__ void many(const float *in, float *out) {
        float r[320];
        #pragma unroll
        for (int k = 0; k < 320; ++k) r[k] = in[threadIdx.x + 32 * k];
        float sum = 0;
        #pragma unroll
        for (int k = 0; k < 320; ++k) sum += r[k] * r[(k + 7) % 320];
        out[threadIdx.x] = sum;
    }";
    let args = vec![floats(32 * 321, Role::In), floats(32, Role::Out)];
    let launch = launch(1, 32, 0, args);
    for arch in [ArchId::Gv100, ArchId::Tu102] {
        let trace = run(source, arch, &launch, MachineOptions::default());
        let registers = trace
            .counter("launch__registers_per_thread")
            .expect("the counter exists");
        assert!(registers <= 255.0, "{arch}: {registers}");
        let spilled = trace.total().of_kind(engine::sim::RequestKind::LocalLoad);
        assert!(spilled.accesses > 0, "{arch}");
        let resources = |registers_per_thread| LaunchResources {
            threads_per_block: 32,
            registers_per_thread,
            ..LaunchResources::default()
        };
        assert!(fit(arch, resources(255)).is_ok());
        let refusal = fit(arch, resources(256)).expect_err("the launch exceeds the limit");
        assert!(refusal.contains("255"), "{refusal}");
    }
}

/// Volta holds 32 resident blocks.
#[test]
fn claim_v35_32_blocks_are_resident() {
    let trace = filled(ArchId::Gv100, 40, 32);
    assert_eq!(resident(&trace), 32);
    assert_eq!(trace.occupancy().limit_blocks, 32);
}

/// For Turing, the guide states 32 blocks and all other sources state 16. The simulator uses 16 and lists the guide's
/// number as an alternative.
#[test]
fn claim_t39_16_blocks_are_resident_and_the_guides_32_are_listed() {
    let trace = filled(ArchId::Tu102, 40, 32);
    assert_eq!(resident(&trace), 16);
    let limit = architecture(ArchId::Tu102).occupancy.max_blocks_per_sm;
    let guide = limit
        .alternatives
        .iter()
        .find(|other| other.source.contains("Turing Tuning Guide"));
    assert_eq!(guide.expect("the guide is listed").value, "32");
}

const TAKES_SHARED: &str = "__global__ void takes(const float *in, float *out) {
    extern __shared__ float s[];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    s[t] = in[i];
    __syncthreads();
    float x = s[t ^ 1];
    for (int k = 0; k < 200; ++k) x = x * 0.5f + 1;
    out[i] = x;
}";

/// Returns the number of resident blocks with `kib` KB of shared memory each.
fn resident_with_shared(arch: ArchId, kib: u32) -> usize {
    let args = vec![floats(12 * 64, Role::In), floats(12 * 64, Role::Out)];
    resident(&run(
        TAKES_SHARED,
        arch,
        &launch(12, 64, kib * 1024, args),
        MachineOptions::default(),
    ))
}

/// 64 KB of shared memory on Turing; 96 KB on Volta, as on GP104, and half as much again as on GP100.
#[test]
fn claim_t40_v36_shared_memory_limits_resident_blocks() {
    for (arch, of_32, of_16) in [
        (ArchId::Gp100, 2, 4),
        (ArchId::Gp104, 3, 6),
        (ArchId::Gv100, 3, 6),
        (ArchId::Tu102, 2, 4),
    ] {
        assert_eq!(resident_with_shared(arch, 32), of_32, "{arch}");
        assert_eq!(resident_with_shared(arch, 16), of_16, "{arch}");
    }
}

/// With unchanged library kernels, Volta and Turing reach at least Pascal's occupancy, except for two kernels that need
/// more registers. In warps, Turing reaches at least half, because it has 32 warp slots.
#[test]
fn claim_t41_v37_occupancy_is_like_pascals_without_changes() {
    // Kernels with other code for each architecture do not run unchanged.
    let unchanged = library::kernels().filter(|kernel| !kernel.source.contains("__CUDA_ARCH__"));
    for kernel in unchanged {
        let fraction = |arch| {
            let options = MachineOptions {
                max_cycles: 1,
                ..MachineOptions::default()
            };
            let trace = try_run(kernel.source, arch, &kernel.launch(), options, None).ok()?;
            assert!(!matches!(trace.outcome(), Some(Outcome::Fault(_))));
            Some((trace.occupancy().fraction(), trace.occupancy().max_warps_per_sm))
        };
        let Some((pascal, slots)) = fraction(ArchId::Gp100) else {
            continue;
        };
        assert_eq!(slots, 64);
        for (arch, slots) in [(ArchId::Gv100, 64), (ArchId::Tu102, 32)] {
            let Some((now, has)) = fraction(arch) else {
                continue;
            };
            assert_eq!(has, slots);
            let needs_more = ["matmul-float4", "product-ffma"].contains(&kernel.id);
            let least = if needs_more { 0.8 } else { 1.0 };
            assert!(
                now >= least * pascal,
                "{} on {arch}: {now} after {pascal}",
                kernel.id
            );
        }
    }
}
