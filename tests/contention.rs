//! Lanes that change one word of shared memory, and lanes that take a lock in turn, beside an H100
//! (`tests/golden/locks_h100.csv`, from `tests/microbenchmarks/locks.cu`).
#![cfg(not(target_arch = "wasm32"))]

use cuda::compile;
use engine::arch::{ArchId, architecture};
use engine::isa::{CompileOptions, ElemType};
use engine::launch::{Argument, Fill, Launch, Pattern, Role};
use engine::sim::{Machine, MachineOptions, Outcome};

/// As in `locks.cu`, with the clocks of all threads as output.
const KERNELS: &str = r"
__global__ void fadd(int lanes, int words, int rounds, float *out, long long *t) {
    __shared__ float w[64];
    if (threadIdx.x < 64) w[threadIdx.x] = 0;
    __syncthreads();
    float *mine = w + threadIdx.x % words, x = threadIdx.x + 1;
    long long start = clock64();
    if (threadIdx.x % 32 < lanes)
        for (int r = 0; r < rounds; r++) atomicAdd(mine, x);
    long long end = clock64();
    t[2 * threadIdx.x] = start;
    t[2 * threadIdx.x + 1] = end;
    __syncthreads();
    if (threadIdx.x < 64) out[threadIdx.x] = w[threadIdx.x];
}
__device__ void lock(int *mutex) { while (atomicCAS(mutex, 0, 1) != 0); __threadfence(); }
__device__ void unlock(int *mutex) { __threadfence(); atomicExch(mutex, 0); }
__global__ void locked(int *mutex, volatile int *total, const int *in, long long *t) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    long long start = clock64();
    lock(mutex);
    *total = *total + in[i];
    unlock(mutex);
    long long end = clock64();
    t[2 * i] = start;
    t[2 * i + 1] = end;
}
__global__ void flag(int *mutex, volatile int *total, const int *in, long long *t) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    long long start = clock64();
    bool done = false;
    while (!done) {
        if (atomicCAS(mutex, 0, 1) == 0) {
            *total = *total + in[i];
            __threadfence();
            atomicExch(mutex, 0);
            done = true;
        }
    }
    long long end = clock64();
    t[2 * i] = start;
    t[2 * i + 1] = end;
}";

fn buffer(elem: ElemType, len: u32, role: Role) -> Argument {
    let fill = Fill::of(Pattern::Zero);
    Argument::Buffer {
        elem,
        len,
        fill,
        role,
    }
}

fn int(value: u32) -> Argument {
    Argument::Scalar {
        ty: ElemType::I32,
        bits: value.into(),
    }
}

/// Cycles from the first clock to the last. The clocks are the last argument.
fn span(kernel: &str, threads: u32, mut args: Vec<Argument>) -> f64 {
    let program = compile(KERNELS, Some(kernel), ArchId::Gh100, &CompileOptions::default())
        .expect("a correct kernel")
        .program;
    args.push(buffer(ElemType::I64, 2 * threads, Role::Out));
    let clocks = args.len() - 1;
    let launch = Launch {
        grid: [1; 3],
        block: [threads, 1, 1],
        dynamic_shared: 0,
        args,
        symbols: Vec::new(),
    };
    let options = MachineOptions::default();
    let mut machine =
        Machine::new(architecture(ArchId::Gh100), &program, &launch, options).expect("a legal launch");
    assert_eq!(machine.run(&mut ()), &Outcome::Finished, "{kernel}");
    let outputs = machine.outputs();
    let bytes = outputs.argument(clocks).expect("the clocks");
    let times: Vec<u64> = bytes
        .chunks_exact(8)
        .map(|word| word.iter().rev().fold(0, |sum, byte| sum << 8 | u64::from(*byte)))
        .collect();
    let start = times.iter().step_by(2).min().expect("a thread");
    let end = times.iter().skip(1).step_by(2).max().expect("a thread");
    (end - start) as f64
}

fn measured(row: &str) -> f64 {
    let found = include_str!("golden/locks_h100.csv")
        .lines()
        .find_map(|line| line.strip_prefix(row)?.strip_prefix(','));
    found
        .and_then(|cycles| cycles.parse().ok())
        .expect("a measured row")
}

/// A further addition of `float` to shared memory by 1 to 32 lanes of 1 to 32 warps takes as long as on an H100, within a
/// fifth.
#[test]
fn float_additions_to_a_word_of_shared_memory_take_turns_as_on_an_h100() {
    for (warps, lanes, words) in [
        (1, 1, 1),
        (1, 4, 1),
        (1, 32, 1),
        (1, 32, 8),
        (1, 32, 32),
        (4, 1, 1),
        (4, 32, 1),
        (4, 32, 8),
        (32, 1, 1),
        (32, 4, 1),
        (32, 32, 8),
        (32, 32, 32),
    ] {
        let ours = |rounds: u32| {
            let out = buffer(ElemType::F32, 64, Role::Out);
            span("fadd", 32 * warps, vec![int(lanes), int(words), int(rounds), out])
        };
        let theirs = |rounds: u32| measured(&format!("fadd,{warps},{lanes},{words},{rounds}"));
        let (ours, theirs) = (ours(9) - ours(1), theirs(9) - theirs(1));
        let error = ours / theirs - 1.0;
        assert!(
            error.abs() < 0.2,
            "{warps} warps, {lanes} lanes, {words} words: {:.0} cycles, measured {:.0}",
            ours / 8.0,
            theirs / 8.0
        );
    }
}

/// The lanes of a warp take a lock in turn, in the time of as many locks as lanes, within a fifth of an H100's time.
#[test]
fn lanes_of_a_warp_take_a_lock_in_turn_as_on_an_h100() {
    for kernel in ["locked", "flag"] {
        let ours = |lanes: u32| {
            let args = vec![
                buffer(ElemType::I32, 1, Role::InOut),
                buffer(ElemType::I32, 1, Role::InOut),
                buffer(ElemType::I32, 64, Role::In),
            ];
            span(kernel, lanes, args)
        };
        let theirs = |lanes: u32| measured(&format!("{kernel},1,{lanes},1,1"));
        // The first lock also waits for memory.
        let (first, theirs_first) = (ours(1), theirs(1));
        for lanes in [8, 32] {
            let (ours, theirs) = (ours(lanes) - first, theirs(lanes) - theirs_first);
            let error = ours / theirs - 1.0;
            assert!(
                error.abs() < 0.2,
                "{kernel}: {lanes} lanes take {ours} cycles more than one, measured {theirs}"
            );
        }
    }
}
