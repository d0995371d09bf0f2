//! The general memory advice of all three guides, verified on every simulated architecture: T08, T09 of the Turing
//! guide, V10, V11, V18, V19 of the Volta guide, F09 and F10 of the Fermi guide.

use engine::arch::ArchId;
use engine::launch::Role;
use engine::sim::{MachineOptions, RequestKind};
use engine::trace::Trace;

use super::runs::{floats, int, launch, run, run_library};

#[test]
fn every_claim_in_the_list_has_a_test() {
    let text = include_str!("memory_advice.rs");
    for id in ["t08", "t09", "v10", "v11", "v18", "v19", "f09", "f10"] {
        assert!(text.contains(&format!("_{id}_")), "{id}");
    }
}

/// Runs four blocks of 256 threads.
fn on(source: &str, arch: ArchId) -> Trace {
    let args = vec![floats(256 * 1024, Role::In), floats(1024, Role::Out)];
    run(source, arch, &launch(4, 256, 0, args), MachineOptions::default())
}

/// A warp whose lanes read neighboring words transfers exactly the bytes that it uses. A warp whose lanes read words
/// with a stride of 128 bytes transfers at least eight times as many bytes and takes longer.
#[test]
fn claim_t08_v10_f09_coalesced_accesses_move_fewer_bytes() {
    let source = |stride: u32| {
        format!(
            "__global__ void sum(const float *in, float *out) {{
                int i = blockIdx.x * blockDim.x + threadIdx.x;
                float sum = 0;
                for (int k = 0; k < 8; ++k)
                    sum += in[{stride} * (i + 1024 * k)];
                out[i] = sum;
            }}"
        )
    };
    for arch in ArchId::ALL {
        let (near, far) = (on(&source(1), arch), on(&source(32), arch));
        let bytes = |trace: &Trace| trace.total().of_kind(RequestKind::GlobalLoad).bytes;
        assert_eq!(bytes(&near), 32 * 1024, "{arch}");
        assert!(bytes(&far) >= 8 * bytes(&near), "{arch}: {}", bytes(&far));
        let (quick, slow) = (near.num_cycles(), far.num_cycles());
        assert!(slow * 10 > quick * 11, "{arch}: {quick} and {slow}");
    }
}

/// The same word is loaded once and kept, or loaded each time: `volatile` forces the repeated loads.
#[test]
fn claim_t09_v11_redundant_reads_cost() {
    let source = |qualifier: &str| {
        format!(
            "__global__ void again(const {qualifier} float *in, float *out) {{
                int i = blockIdx.x * blockDim.x + threadIdx.x;
                float sum = in[i];
                sum += in[i] * in[i];
                sum += in[i] * 0.5f;
                out[i] = sum;
            }}"
        )
    };
    for arch in ArchId::ALL {
        let (kept, again) = (on(&source(""), arch), on(&source("volatile"), arch));
        let loads = |trace: &Trace| trace.total().of_kind(RequestKind::GlobalLoad).accesses;
        assert_eq!((loads(&kept), loads(&again)), (32, 4 * 32), "{arch}");
        let (quick, slow) = (kept.num_cycles(), again.num_cycles());
        assert!(quick < slow, "{arch}: {quick} and {slow}");
    }
}

/// A matrix product with shared memory reads device memory a sixteenth as often and finishes earlier.
#[test]
fn claim_f10_shared_memory_replaces_global_accesses() {
    for arch in ArchId::ALL {
        let [direct, tiled] =
            ["matmul-naive", "matmul-tiled"].map(|id| run_library(id, arch, MachineOptions::default()));
        let loads = |trace: &Trace| trace.total().of_kind(RequestKind::GlobalLoad).accesses;
        assert_eq!(loads(&direct), 16 * loads(&tiled), "{arch}");
        let (slow, quick) = (direct.num_cycles(), tiled.num_cycles());
        assert!(quick < slow, "{arch}: {quick} and {slow}");
    }
}

/// Returns the loop iterations per cycle of all warps, with `warps` warps in one block. The difference of two runs
/// excludes start and end.
fn rate(source: &str, arch: ArchId, warps: u32) -> f64 {
    const ROUNDS: u32 = 32;
    let cycles = |rounds| {
        let args = vec![
            floats(8 * ROUNDS * 1024, Role::In),
            floats(1024, Role::Out),
            int(rounds),
        ];
        run(
            source,
            arch,
            &launch(1, 32 * warps, 0, args),
            MachineOptions::default(),
        )
        .num_cycles()
    };
    f64::from(ROUNDS * warps) / (cycles(2 * ROUNDS) - cycles(ROUNDS)) as f64
}

/// On GV100, four warps with four chains each hide the arithmetic latency: 32 warps are barely faster. Four independent
/// loads per warp hide only a part of the memory latency: 32 warps are several times as fast.
#[test]
fn claim_v18_v19_memory_needs_many_more_warps_than_arithmetic() {
    let math = "__global__ void math(const float *in, float *out, int n) {
        float a = threadIdx.x, b = a + 1, c = a + 2, d = a + 3;
        for (int k = 0; k < n; k += 16)
            for (int j = 0; j < 16; ++j) {
                a = a * 0.5f + 1.0f;
                b = b * 0.5f + 2.0f;
                c = c * 0.5f + 3.0f;
                d = d * 0.5f + 4.0f;
            }
        out[threadIdx.x] = (a + b) + (c + d);
    }";
    let memory = "__global__ void memory(const float *in, float *out, int n) {
        int t = threadIdx.x, m = blockDim.x;
        float sum = 0;
        #pragma unroll 1
        for (int k = 0; k < n; ++k) {
            int i = 4 * k * m + t;
            float a = in[i], b = in[i + m], c = in[i + 2 * m], d = in[i + 3 * m];
            sum += (a + b) + (c + d);
        }
        out[t] = sum;
    }";
    let gain = |source| rate(source, ArchId::Gv100, 32) / rate(source, ArchId::Gv100, 4);
    let (arithmetic, memory) = (gain(math), gain(memory));
    assert!(arithmetic < 1.2, "{arithmetic}");
    assert!(memory > 3.0, "{memory}");
}
