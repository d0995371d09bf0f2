//! Pointers of 32 and 64 bits, and functions that compute capability 2.0 adds: F53 to F64 of the Fermi guide.

use std::sync::Arc;

use cuda::compile;
use engine::arch::{ArchId, architecture};
use engine::isa::{CompileOptions, ElemType};
use engine::launch::{Argument, Fill, Launch, Pattern, Role};
use engine::sim::{MachineOptions, Outcome};
use engine::trace::{Trace, simulate};
use workbench::app::host::{Lists, take_launch};
use workbench::library;
use workbench::share::Scenario;

use super::runs::{check_list, launch};

#[test]
fn every_claim_is_tested_or_has_a_reason() {
    check_list(include_str!("fermi_functions.rs"), &[], &[('f', 53..=64)]);
}

fn try_run(source: &str, arch: ArchId, launch: &Launch, options: &CompileOptions) -> Result<Trace, String> {
    let compiled = compile(source, None, arch, options).map_err(|found| format!("{found:?}"))?;
    let program = Arc::new(compiled.program);
    let trace = simulate(architecture(arch), program, launch, MachineOptions::default())
        .map_err(|error| error.to_string())?;
    assert_eq!(trace.outcome(), Some(&Outcome::Finished), "{arch}");
    Ok(trace)
}

/// Returns a launch of one block with the input 0, 1, 2, … and as many output words of this type.
fn of_block(threads: u32, elem: ElemType) -> Launch {
    let buffer = |pattern, role| Argument::Buffer {
        elem,
        len: threads,
        fill: Fill::of(pattern),
        role,
        start: 0,
    };
    launch(
        1,
        threads,
        0,
        vec![buffer(Pattern::Iota, Role::In), buffer(Pattern::Zero, Role::Out)],
    )
}

/// Runs a kernel with an input 0, 1, 2, … Returns its output words.
fn output(source: &str, arch: ArchId, threads: u32, options: &CompileOptions) -> Result<Vec<u32>, String> {
    let trace = try_run(source, arch, &of_block(threads, ElemType::U32), options)?;
    let outputs = trace.outputs().expect("the run has ended");
    let (_, bytes) = outputs.compared().next().expect("a buffer is compared");
    let words = bytes.chunks_exact(4);
    Ok(words
        .map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]))
        .collect())
}

fn default_options() -> CompileOptions {
    CompileOptions::default()
}

/// GT200 and GF100 refuse or run a kernel; GF100's output is as expected.
fn new_on_fermi(source: &str, threads: u32, want: &[u32]) {
    let message = output(source, ArchId::Gt200, threads, &default_options())
        .expect_err("compute capability 1.3 lacks the function");
    assert!(message.contains("2.0"), "{message}");
    for arch in [ArchId::Gf100, ArchId::Gp104] {
        let got = output(source, arch, threads, &default_options());
        assert_eq!(got.as_deref(), Ok(want), "{arch}");
    }
}

/// Classes with members, constructors, inheritance, and operators run. Exceptions are a restriction.
#[test]
fn claim_f53_classes_with_restrictions() {
    let source = "class Base {
    protected:
        unsigned sum;
    public:
        __device__ Base(unsigned first) : sum(first) {}
        __device__ Base &operator+=(unsigned more) { sum += more; return *this; }
    };
    class Sum : public Base {
    public:
        __device__ Sum() : Base(100) {}
        __device__ unsigned value() const { return sum; }
    };
    __global__ void f(const unsigned *in, unsigned *out) {
        Sum sum;
        sum += in[threadIdx.x];
        sum += 1;
        out[threadIdx.x] = sum.value();
    }";
    let want: Vec<u32> = (0..32).map(|lane| lane + 101).collect();
    assert_eq!(output(source, ArchId::Gf100, 32, &default_options()), Ok(want));
    let restricted = source.replace("sum += 1;", "throw 1;");
    assert!(output(&restricted, ArchId::Gf100, 32, &default_options()).is_err());
}

const GATHER: &str = "__global__ void gather(const int *index, const float *in, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[index[i]];
}";

fn gather() -> Launch {
    let buffer = |elem, pattern, role| Argument::Buffer {
        elem,
        len: 1024,
        fill: Fill::of(pattern),
        role,
        start: 0,
    };
    launch(
        4,
        256,
        0,
        vec![
            buffer(ElemType::I32, Pattern::Perm(1), Role::In),
            buffer(ElemType::F32, Pattern::Lcg(1), Role::In),
            buffer(ElemType::F32, Pattern::Zero, Role::Out),
        ],
    )
}

/// Pointers have 8 bytes on GF100 by default and 4 with -m32. 64-bit code needs more registers, instructions, and
/// cycles for the same output. On 1.x, pointers have 4 bytes.
#[test]
fn claim_f54_f56_f57_pointers_of_64_bits_cost_registers() {
    let narrow = CompileOptions {
        pointers_32_bit: true,
        ..default_options()
    };
    let size = "__global__ void f(const unsigned *in, unsigned *out) { out[threadIdx.x] = sizeof(in); }";
    for (arch, options, bytes) in [
        (ArchId::Gf100, default_options(), 8),
        (ArchId::Gf100, narrow, 4),
        (ArchId::Gt200, default_options(), 4),
    ] {
        assert_eq!(output(size, arch, 32, &options), Ok(vec![bytes; 32]), "{arch}");
    }
    let of = |options: &CompileOptions| {
        let registers = compile(GATHER, None, ArchId::Gf100, options)
            .expect("the kernel compiles")
            .program
            .registers_per_thread;
        let trace = try_run(GATHER, ArchId::Gf100, &gather(), options).expect("the kernel runs");
        let (_, bytes) = trace
            .outputs()
            .expect("the run has ended")
            .compared()
            .next()
            .expect("an output");
        (registers, trace.total().issued, trace.num_cycles(), bytes)
    };
    let (wide, narrow) = (of(&default_options()), of(&narrow));
    assert!(wide.0 > narrow.0, "{}, {} registers", wide.0, narrow.0);
    assert!(wide.1 > narrow.1, "{}, {} instructions", wide.1, narrow.1);
    assert!(wide.2 > narrow.2, "{}, {} cycles", wide.2, narrow.2);
    assert_eq!(wide.3, narrow.3);
}

fn with_m32() -> CompileOptions {
    CompileOptions {
        pointers_32_bit: true,
        ..default_options()
    }
}

/// 64-bit pointers reach memory that is 8 GB away; 32-bit pointers wrap at 4 GB.
#[test]
fn claim_f55_pointers_of_64_bits_reach_more_than_4_gb() {
    let source = "__global__ void f(const unsigned *in, unsigned *out) {
        const char *start = (const char *)in, *far = start;
        for (unsigned i = 0; i < 8; ++i) far += 1u << 30;
        unsigned long long distance = (unsigned long long)far - (unsigned long long)start;
        out[threadIdx.x] = (unsigned)(distance >> 30);
    }";
    assert_eq!(
        output(source, ArchId::Gf100, 32, &default_options()),
        Ok(vec![8; 32])
    );
    assert_eq!(output(source, ArchId::Gf100, 32, &with_m32()), Ok(vec![0; 32]));
}

/// A program that launches a kernel with the runtime API needs host code of the kernel's size: with -m32, the sizes in
/// `main()`, which is read as 64-bit code, are reported as estimates.
#[test]
fn claim_f58_the_runtime_api_needs_one_size_of_pointers() {
    let source = "__global__ void kernel(float *x) { x[threadIdx.x] += 1; }
int main() {
    float *x;
    cudaMalloc(&x, 128);
    kernel<<<1, 32>>>(x);
}";
    let guesses = |arch: ArchId, pointers_32_bit: bool| {
        let mut scenario = Scenario {
            arch,
            source: Some(source.to_owned()),
            compile: CompileOptions {
                pointers_32_bit,
                ..default_options()
            },
            ..Scenario::default()
        };
        let reading = cuda::host::read(scenario.source(), arch, cuda::host::Limits::PAGE);
        let read = take_launch(&mut scenario, &reading, 0, Lists::Whole).expect("main() launches the kernel");
        read.reasons().join(" ")
    };
    assert!(guesses(ArchId::Gf100, true).contains("runtime API needs 32-bit host code"));
    assert!(!guesses(ArchId::Gf100, false).contains("runtime API"));
    // The pointers of 1.x have 32 bits with every host.
    assert!(!guesses(ArchId::Gt200, true).contains("runtime API"));
}

/// A struct with a pointer has 16 bytes in 64-bit host code and 8 in device code that is built with -m32. The launch
/// refuses an argument of the wrong length.
#[test]
fn claim_f59_a_pointer_of_the_wrong_length_is_refused() {
    let source = "struct Span { float *data; unsigned num; };
__global__ void f(Span span, unsigned *out) { out[threadIdx.x] = sizeof(span) + span.num; }";
    let launch_with = |bytes: usize| {
        let out = Argument::Buffer {
            elem: ElemType::U32,
            len: 32,
            fill: Fill::of(Pattern::Zero),
            role: Role::Out,
            start: 0,
        };
        launch(1, 32, 0, vec![Argument::Bytes(vec![0; bytes]), out])
    };
    for (options, right, wrong) in [(default_options(), 16, 8), (with_m32(), 8, 16)] {
        let trace = try_run(source, ArchId::Gf100, &launch_with(right), &options);
        assert!(trace.is_ok(), "{:?}", trace.err());
        let refused = try_run(source, ArchId::Gf100, &launch_with(wrong), &options).err();
        let refused = refused.expect("the length is wrong");
        assert!(refused.contains(&format!("{right}")), "{refused}");
    }
}

/// `__threadfence_system()` is MEMBAR.SYS on GF100.
#[test]
fn claim_f60_threadfence_system_is_new() {
    let source = "__global__ void f(const unsigned *in, unsigned *out) {
        out[threadIdx.x] = in[threadIdx.x] + 1;
        __threadfence_system();
    }";
    new_on_fermi(source, 32, &(1..=32).collect::<Vec<_>>());
    let listing = |source: &str| {
        let compiled = compile(source, None, ArchId::Gf100, &default_options()).expect("the kernel compiles");
        compiled.program.listing()
    };
    assert!(listing(source).contains("MEMBAR.SYS"), "{}", listing(source));
    let of_device = listing(&source.replace("__threadfence_system", "__threadfence"));
    assert!(
        of_device.contains("MEMBAR") && !of_device.contains("MEMBAR.SYS"),
        "{of_device}"
    );
}

/// The three barriers combine the predicates of all threads of the block, of several warps.
#[test]
fn claim_f61_barriers_count_and_combine() {
    for (limit, count) in [(0, 0), (1, 1), (77, 77), (96, 96), (200, 96)] {
        let source = format!(
            "__global__ void f(const unsigned *in, unsigned *out) {{
                int below = in[threadIdx.x] < {limit};
                int num = __syncthreads_count(below);
                int all = __syncthreads_and(below) != 0;
                int any = __syncthreads_or(below) != 0;
                out[threadIdx.x] = num * 4 + all * 2 + any;
            }}"
        );
        let want = count * 4 + u32::from(count == 96) * 2 + u32::from(count > 0);
        new_on_fermi(&source, 96, &[want; 96]);
    }
}

/// Atomic additions of floats to shared and global memory leave the sum.
#[test]
fn claim_f62_atomic_additions_of_floats() {
    let source = "__global__ void f(const unsigned *in, unsigned *out) {
        __shared__ float sum;
        if (threadIdx.x == 0) sum = 0.5f;
        __syncthreads();
        atomicAdd(&sum, (float)in[threadIdx.x]);
        atomicAdd((float *)out, 2.0f);
        __syncthreads();
        if (threadIdx.x == 1) out[1] = __float_as_uint(sum);
    }";
    // 0 + 1 + … + 127 = 8,128, and 128 additions of 2.
    let mut want = vec![0; 128];
    want[0] = 256.0f32.to_bits();
    want[1] = 8128.5f32.to_bits();
    new_on_fermi(source, 128, &want);
}

/// `__ballot` returns the votes of a warp, one bit per lane.
#[test]
fn claim_f63_ballot_returns_the_votes_of_a_warp() {
    let source = "__global__ void f(const unsigned *in, unsigned *out) {
        out[threadIdx.x] = __ballot(in[threadIdx.x] % 3 == 0);
    }";
    let votes = |warp: u32| {
        (0..32u32)
            .filter(|lane| {
                let thread: u32 = 32 * warp + lane;
                thread.is_multiple_of(3)
            })
            .fold(0u32, |word, lane| word | 1 << lane)
    };
    let want: Vec<u32> = (0..64).map(|thread| votes(thread / 32)).collect();
    new_on_fermi(source, 64, &want);
}

/// Atomic operations in global memory take fewer cycles on GF100 than on GT200, with words that differ and with equal
/// words.
#[test]
fn claim_f64_atomic_operations_are_faster() {
    let kernel = library::kernel("histogram-global").expect("a kernel of the library");
    let cycles = |arch| {
        try_run(kernel.source, arch, &kernel.launch(), &default_options())
            .expect("the kernel runs")
            .num_cycles()
    };
    let (tesla, fermi) = (cycles(ArchId::Gt200), cycles(ArchId::Gf100));
    assert!(tesla as f64 > 1.5 * fermi as f64, "{tesla}, {fermi}");
}
