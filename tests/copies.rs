//! Copies from global to shared memory without a register: values, instructions, counts, and times beside an H100
//! (`tests/golden/copies_h100.csv` and `copy_wavefronts_h100.csv`, from `tests/microbenchmarks/copies.cu`).
#![cfg(not(target_arch = "wasm32"))]

#[path = "common/block.rs"]
mod block;

use std::sync::Arc;

use block::{input, output, scalar, words};
use cuda::compile;
use engine::arch::{ArchId, architecture};
use engine::ids::Cycle;
use engine::isa::{CompileOptions, ElemType, Program};
use engine::launch::{Argument, Fill, Launch, Pattern, Role};
use engine::sim::{Machine, MachineOptions, RequestKind, WarpState, reference};
use engine::trace::{Trace, simulate};
use workbench::check::{self, Severity};

const TIMES: &str = include_str!("golden/copies_h100.csv");
const COUNTS: &str = include_str!("golden/copy_wavefronts_h100.csv");
const BENCHMARK: &str = include_str!("microbenchmarks/copies.cu");
/// The chips that have LDGSTS.
const CHIPS: [ArchId; 4] = [ArchId::Ga100, ArchId::Ga102, ArchId::Ad102, ArchId::Gh100];

fn program(source: &str, arch: ArchId) -> Arc<Program> {
    let compiled = compile(source, None, arch, &CompileOptions::default())
        .unwrap_or_else(|errors| panic!("{}\n{source}", errors[0].message));
    Arc::new(compiled.program)
}

fn launch_of(threads: u32, args: Vec<Argument>) -> Launch {
    Launch {
        grid: [1; 3],
        block: [threads, 1, 1],
        dynamic_shared: 0,
        args,
        symbols: Vec::new(),
    }
}

fn trace(arch: ArchId, program: &Arc<Program>, threads: u32, args: Vec<Argument>) -> Trace {
    let launch = launch_of(threads, args);
    let options = MachineOptions::default();
    simulate(architecture(arch), Arc::clone(program), &launch, options).expect("it starts")
}

/// A buffer of zeros that is no output.
fn zeros(elem: ElemType, len: u32) -> Argument {
    Argument::Buffer {
        elem,
        len,
        fill: Fill::of(Pattern::Zero),
        role: Role::In,
        start: 0,
    }
}

/// The rows of a table, without its comment and its header.
fn rows(text: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    text.lines().skip(2).map(|line| line.split(',').collect())
}

/// The names of the instructions about copies, in order.
fn listed(program: &Program) -> Vec<String> {
    let lines = program.listing();
    let text = |line: &str| {
        let text = line.split("*/ ").nth(1)?.trim_end_matches(" ;");
        let is_known = ["LDGSTS", "LDGDEPBAR", "DEPBAR"]
            .iter()
            .any(|name| text.contains(name));
        is_known.then(|| text.split('[').next().unwrap_or(text).trim().to_owned())
    };
    lines.lines().filter_map(text).collect()
}

/// Two stages: each thread copies 16 bytes ahead of what the block adds up.
fn two_stages(copy: &str, commit: &str, wait: &str) -> String {
    format!(
        "#include <cuda_pipeline.h>
__global__ void k(const uint4 *in, unsigned *out) {{
    __shared__ uint4 s[2][64];
    const int t = threadIdx.x;
    uint4 *to = &s[0][t];
    const uint4 *from = in + t;
    {copy}
    {commit}
    unsigned sum = 0;
    for (int i = 0; i < 8; i++) {{
        if (i + 1 < 8) {{
            to = &s[(i + 1) & 1][t];
            from = in + (i + 1) * 64 + t;
            {copy}
        }}
        {commit}
        {wait}
        __syncthreads();
        uint4 v = s[i & 1][t ^ 5];
        sum = sum * 31 + v.x + 3 * v.y + 5 * v.z + 7 * v.w;
        __syncthreads();
    }}
    out[t] = sum;
}}"
    )
}

#[test]
fn copies_leave_the_values_of_loads_and_stores() {
    let given: Vec<u32> = (0..2048_u32)
        .map(|word| word.wrapping_mul(2_654_435_761) >> 8)
        .collect();
    let plain = two_stages("*to = *from;", "", "");
    let forms = [
        (
            "__pipeline_memcpy_async(to, from, 16);",
            "__pipeline_commit();",
            "__pipeline_wait_prior(1);",
        ),
        (
            "for (int w = 0; w < 4; w++) __pipeline_memcpy_async((unsigned *)to + w, (const unsigned *)from + w, 4);",
            "__pipeline_commit();",
            "__pipeline_wait_prior(1);",
        ),
        (
            "asm volatile(\"cp.async.ca.shared.global [%0], [%1], 16;\" :: \"r\"((unsigned)__cvta_generic_to_shared(to)), \"l\"(from) : \"memory\");",
            "asm volatile(\"cp.async.commit_group;\" ::: \"memory\");",
            "asm volatile(\"cp.async.wait_group 1;\" ::: \"memory\");",
        ),
        (
            "for (int w = 0; w < 2; w++) asm volatile(\"cp.async.ca.shared.global [%0], [%1], 8;\" :: \"r\"((unsigned)__cvta_generic_to_shared(to) + 8 * w), \"l\"((const char *)from + 8 * w) : \"memory\");",
            "",
            "asm volatile(\"cp.async.wait_all;\" ::: \"memory\");",
        ),
    ];
    for arch in CHIPS {
        let args = || vec![input(&given), output(ElemType::U32, 64)];
        let expected = words(arch, &program(&plain, arch), 64, args());
        assert!(expected.iter().any(|word| *word != 0));
        for (copy, commit, wait) in forms {
            let copied = program(&two_stages(copy, commit, wait), arch);
            assert!(
                listed(&copied).iter().any(|text| text.contains("LDGSTS")),
                "{copy}"
            );
            assert_eq!(words(arch, &copied, 64, args()), expected, "{arch:?} {copy}");
            let outputs = reference::run(&copied, &launch_of(64, args())).expect("it runs");
            let bytes = outputs.argument(1).expect("an output");
            let found: Vec<u32> = bytes
                .as_chunks()
                .0
                .iter()
                .map(|word| u32::from_le_bytes(*word))
                .collect();
            assert_eq!(found, expected, "{arch:?} {copy}");
        }
    }
}

#[test]
fn before_8_0_primitives_are_loads_and_stores() {
    let source = two_stages(
        "__pipeline_memcpy_async(to, from, 16);",
        "__pipeline_commit();",
        "__pipeline_wait_prior(1);",
    );
    let given: Vec<u32> = (0..2048).collect();
    let args = || vec![input(&given), output(ElemType::U32, 64)];
    let copied = program(&source, ArchId::Tu102);
    assert_eq!(listed(&copied), Vec::<String>::new());
    let expected = words(ArchId::Ga100, &program(&source, ArchId::Ga100), 64, args());
    assert_eq!(words(ArchId::Tu102, &copied, 64, args()), expected);
}

#[test]
fn a_kernel_without_a_wait_reads_old_values() {
    let body = |wait: &str| {
        format!(
            "__global__ void k(const unsigned *in, unsigned *out) {{
    __shared__ unsigned s[32];
    s[threadIdx.x] = 7;
    asm volatile(\"cp.async.ca.shared.global [%0], [%1], 4;\" :: \"r\"((unsigned)__cvta_generic_to_shared(s + threadIdx.x)), \"l\"(in + threadIdx.x) : \"memory\");
    asm volatile(\"cp.async.commit_group;\" ::: \"memory\");
    {wait}
    out[threadIdx.x] = s[threadIdx.x];
}}"
        )
    };
    let given: Vec<u32> = (100..132).collect();
    let args = || vec![input(&given), output(ElemType::U32, 32)];
    for arch in CHIPS {
        let found = |wait: &str| words(arch, &program(&body(wait), arch), 32, args());
        assert_eq!(found(""), vec![7; 32]);
        // One group may be in flight.
        assert_eq!(
            found("asm volatile(\"cp.async.wait_group 1;\" ::: \"memory\");"),
            vec![7; 32]
        );
        assert_eq!(
            found("asm volatile(\"cp.async.wait_group 0;\" ::: \"memory\");"),
            given
        );
    }
    let findings = |wait: &str| {
        let program = program(&body(wait), ArchId::Ga100);
        let launch = launch_of(32, args());
        let options = MachineOptions::default();
        let report = check::run(architecture(ArchId::Ga100), &program, &launch, options).expect("it starts");
        report.findings
    };
    let without = findings("");
    assert_eq!(without.len(), 1, "{without:?}");
    assert_eq!(without[0].severity, Severity::Error);
    assert!(
        without[0].advice.contains("has not waited"),
        "{}",
        without[0].advice
    );
    assert_eq!(
        findings("asm volatile(\"cp.async.wait_group 1;\" ::: \"memory\");").len(),
        1
    );
    assert_eq!(
        findings("asm volatile(\"cp.async.wait_group 0;\" ::: \"memory\");"),
        Vec::new()
    );
}

#[test]
fn another_thread_needs_a_barrier_after_the_wait() {
    let body = |barrier: &str| {
        format!(
            "__global__ void k(const unsigned *in, unsigned *out) {{
    __shared__ unsigned s[64];
    asm volatile(\"cp.async.ca.shared.global [%0], [%1], 4;\" :: \"r\"((unsigned)__cvta_generic_to_shared(s + threadIdx.x)), \"l\"(in + threadIdx.x) : \"memory\");
    asm volatile(\"cp.async.wait_all;\" ::: \"memory\");
    {barrier}
    out[threadIdx.x] = s[threadIdx.x ^ 32];
}}"
        )
    };
    let given: Vec<u32> = (100..164).collect();
    let findings = |barrier: &str| {
        let program = program(&body(barrier), ArchId::Gh100);
        let launch = launch_of(64, vec![input(&given), output(ElemType::U32, 64)]);
        let options = MachineOptions::default();
        let report = check::run(architecture(ArchId::Gh100), &program, &launch, options).expect("it starts");
        report.findings
    };
    let without = findings("");
    assert_eq!(without.len(), 1, "{without:?}");
    assert!(
        without[0].advice.contains("__syncthreads()"),
        "{}",
        without[0].advice
    );
    assert_eq!(findings("__syncthreads();"), Vec::new());
}

#[test]
fn the_instructions_are_those_of_nvcc() {
    // nvcc 13.0, -arch=sm_80, SASS by nvdisasm: these instructions in this order.
    let source = "__global__ void k(const char *in, unsigned *out, int p, int size) {
    __shared__ __align__(16) char s[4096];
    unsigned a = (unsigned)__cvta_generic_to_shared(s + threadIdx.x * 16);
    const char *g = in + threadIdx.x * 16;
    asm volatile(\"cp.async.ca.shared.global [%0], [%1], 4;\" :: \"r\"(a), \"l\"(g));
    asm volatile(\"cp.async.ca.shared.global [%0], [%1], 8;\" :: \"r\"(a + 8), \"l\"(g + 8));
    asm volatile(\"cp.async.ca.shared.global [%0], [%1], 16;\" :: \"r\"(a + 512), \"l\"(g + 512));
    asm volatile(\"cp.async.cg.shared.global [%0], [%1], 16;\" :: \"r\"(a + 1024), \"l\"(g + 1024));
    asm volatile(\"cp.async.cg.shared.global [%0], [%1], 16, 8;\" :: \"r\"(a + 1024), \"l\"(g + 1024));
    asm volatile(\"cp.async.ca.shared.global [%0], [%1], 8, 0;\" :: \"r\"(a + 1024), \"l\"(g + 1024));
    asm volatile(\"cp.async.cg.shared.global [%0], [%1], 16, %2;\" :: \"r\"(a + 1536), \"l\"(g + 1536), \"r\"(size));
    asm volatile(\"cp.async.commit_group;\");
    asm volatile(\"cp.async.wait_group 3;\");
    asm volatile(\"cp.async.wait_all;\");
    asm volatile(\"cp.async.commit_group;\");
    asm volatile(\"cp.async.wait_group 0;\");
    __syncthreads();
    out[threadIdx.x] = *(unsigned *)(s + threadIdx.x * 16);
}";
    let expected = [
        "LDGSTS.E",
        "LDGSTS.E.64",
        "LDGSTS.E.128",
        "LDGSTS.E.BYPASS.128",
        "LDGSTS.E.BYPASS.128.ZFILL",
        "LDGSTS.E.64",
        "LDGSTS.E.BYPASS.128.ZFILL",
        "LDGDEPBAR",
        "DEPBAR.LE SB0, 0x3",
        "LDGDEPBAR",
        "DEPBAR.LE SB0, 0x0",
        "LDGDEPBAR",
        "DEPBAR.LE SB0, 0x0",
    ];
    for arch in CHIPS {
        let program = program(source, arch);
        assert_eq!(listed(&program), expected, "{}", program.listing());
        // The offsets of both addresses are in the instruction.
        let listing = program.listing();
        assert!(listing.contains("+0x200], ["), "{listing}");
    }
}

#[test]
fn sectors_and_wavefronts_are_those_of_nsight_compute() {
    for row in rows(COUNTS) {
        let number = |place: usize| row[place].parse::<u32>().expect("a number");
        let (form, stride, far, swap) = (number(0), number(1), number(2), number(3));
        let (bytes, cache) = (form % 100, if form < 100 { "cg" } else { "ca" });
        let source = format!(
            "__global__ void k(const char *in, unsigned *out) {{
    __shared__ __align__(128) char s[4224];
    unsigned to = (unsigned)__cvta_generic_to_shared(s) + (threadIdx.x ^ {swap}) * {stride};
    asm volatile(\"cp.async.{cache}.shared.global [%0], [%1], {bytes};\" :: \"r\"(to), \"l\"(in + threadIdx.x * {far}) : \"memory\");
    asm volatile(\"cp.async.wait_all;\" ::: \"memory\");
    out[threadIdx.x] = *(unsigned *)(s + (threadIdx.x ^ {swap}) * {stride});
}}"
        );
        for arch in CHIPS {
            let program = program(&source, arch);
            let args = vec![zeros(ElemType::U32, 2048), output(ElemType::U32, 32)];
            let trace = trace(arch, &program, 32, args);
            let of = |kind: RequestKind| {
                let accesses = (0..).map_while(|idx| trace.access(idx));
                accesses.filter(|access| access.kind == kind).collect::<Vec<_>>()
            };
            let (loads, stores) = (of(RequestKind::CopyLoad), of(RequestKind::CopyStore));
            let found = (loads[0].sectors, stores[0].wavefronts);
            assert_eq!(
                (u32::from(found.0), u32::from(found.1)),
                (number(4), number(5)),
                "{arch:?} {row:?}"
            );
            assert_eq!(loads[0].pc, stores[0].pc);
        }
    }
}

/// The clocks of copies or loads and their wait by one warp on GH100. `level`: 0: the data is in L1, 1: in L2.
fn latency(form: u32, level: u32, stride: u32, is_copy: bool) -> u32 {
    let (bytes, cache) = (form % 100, if form < 100 { "cg" } else { "ca" });
    let (vector, results) = match bytes {
        4 => ("", "%0"),
        8 => (".v2", "{%0, %1}"),
        _ => (".v4", "{%0, %1, %2, %3}"),
    };
    let address = if bytes == 4 { 1 } else { bytes / 4 };
    let outputs: Vec<String> = (0..address).map(|word| format!("\"=r\"(v[{word}])")).collect();
    let (work, last) = if is_copy {
        (
            format!(
                "asm volatile(\"cp.async.{cache}.shared.global [%0], [%1], {bytes};\" :: \"r\"(to), \"l\"(from) : \"memory\");
        asm volatile(\"cp.async.commit_group;\" ::: \"memory\");"
            ),
            "asm volatile(\"cp.async.wait_group 0;\" ::: \"memory\");".to_owned(),
        )
    } else {
        (
            format!(
                "asm volatile(\"ld.global.{cache}{vector}.u32 {results}, [%{address}];\" : {} : \"l\"(from) : \"memory\");",
                outputs.join(", ")
            ),
            "asm volatile(\"xor.b32 %0, %0, %1;\" : \"+r\"(sum) : \"r\"(v[0] ^ v[1] ^ v[2] ^ v[3]) : \"memory\");"
                .to_owned(),
        )
    };
    let warm = if level == 0 {
        "sum += *(const volatile unsigned *)from; sum += *(const unsigned *)from;"
    } else {
        "sum += __ldcg((const unsigned *)from);"
    };
    let source = format!(
        "__global__ void k(const char *in, unsigned *out) {{
    __shared__ __align__(128) char s[4224];
    unsigned to = (unsigned)__cvta_generic_to_shared(s) + threadIdx.x * {stride}, sum = 0, v[4] = {{}};
    const char *from = in + threadIdx.x * {bytes};
    {warm}
    if (sum == 12345) out[2] = sum;
    __syncthreads();
    for (int i = 0; i < 1; i++) {{
        unsigned a = clock();
        {work}
        {last}
        unsigned b = clock();
        if (threadIdx.x == 0) out[0] = b - a;
    }}
    out[1] = sum;
}}"
    );
    let program = program(&source, ArchId::Gh100);
    let args = vec![zeros(ElemType::U32, 2048), output(ElemType::U32, 32)];
    words(ArchId::Gh100, &program, 32, args)[0]
}

#[test]
fn copies_take_the_time_that_an_h100_takes() {
    /// Reading the clock adds as much in nvcc's code, which reads it by S2UR: a load of a word in L1 takes 42 clocks there,
    /// and 34 in a chain of loads.
    const CLOCK: f64 = 8.0;
    let mut report = String::new();
    let mut is_near = true;
    for row in rows(TIMES).filter(|row| row[0] == "copy-latency" && row[2] != "2") {
        let number = |place: usize| row[place].parse::<u32>().expect("a number");
        let (form, level, stride, measured) = (number(1), number(2), number(3), f64::from(number(5)));
        let found = f64::from(latency(form, level, stride, true)) + CLOCK;
        is_near &= (found - measured).abs() <= (0.03 * measured).max(2.0);
        report += &format!("{form} level {level} stride {stride}: {found}, H100 {measured}\n");
    }
    assert!(is_near, "{report}");
    let load = f64::from(latency(104, 0, 4, false)) + CLOCK;
    let measured = rows(TIMES)
        .find(|row| row[..4] == ["load-latency", "104", "0", "4"])
        .expect("a row");
    assert_eq!(measured[5].parse(), Ok(load));
}

/// The clocks of `product` of the benchmark, with its tiles in L2.
fn product(arch: ArchId, stages: u32) -> u32 {
    const TEMPLATE: &str = "template <int STAGES> __global__ void __launch_bounds__(256) product";
    let between = |from: &str, to: &str| {
        let start = BENCHMARK.find(from).expect("a part");
        let end = BENCHMARK[start..].find(to).expect("its end");
        &BENCHMARK[start..start + end]
    };
    let kernel = between(TEMPLATE, "static char *buffer").replace(
        TEMPLATE,
        &format!("#define STAGES {stages}\n__global__ void __launch_bounds__(256) product"),
    );
    let warm = "for (int i = t; i < 64 * n; i += 256) sum[0][0] += __ldcg(a + i) + __ldcg(b + i);
    __syncthreads();
    unsigned start = now();";
    let kernel = kernel.replace("unsigned start = now();", warm);
    assert!(kernel.contains(warm));
    let source = format!(
        "{}\n{}",
        between(
            "#define WAIT0",
            "template <int FORM> __device__ __forceinline__ unsigned load"
        ),
        kernel
    );
    let program = program(&source, arch);
    let args = vec![
        zeros(ElemType::F32, 64 * 1024),
        zeros(ElemType::F32, 64 * 1024),
        zeros(ElemType::F32, 64 * 64),
        scalar(1024),
        output(ElemType::U32, 32),
    ];
    let out = words(arch, &program, 256, args);
    let ends = (0..8).map(|warp| out[warp * 3 + 2]).max().expect("a warp");
    let starts = (0..8).map(|warp| out[warp * 3]).min().expect("a warp");
    ends - starts
}

#[test]
fn two_stages_are_faster_than_one() {
    let of = |arch| [0, 1, 2].map(|stages| f64::from(product(arch, stages)));
    // An H100 takes 91,847 clocks with loads and stores, 93,368 with copies and one stage, and 70,358 with two. A stage
    // ahead saves 25 % there, and 12 % here: the code of the product itself takes 1,099 clocks a tile there, and 1,370 here.
    let [loads, one, two] = of(ArchId::Gh100);
    assert!(two < 0.9 * one && two < 0.95 * loads, "{loads} {one} {two}");
    assert!((0.9..1.1).contains(&(one / loads)), "{loads} {one} {two}");
    // L2 is nearer on GA100, and a stage ahead saves less.
    let [loads, one, two] = of(ArchId::Ga100);
    assert!(two < 0.95 * one && two < 0.95 * loads, "{loads} {one} {two}");
}

#[test]
fn a_wait_for_copies_is_a_long_scoreboard_stall() {
    // Nsight Compute on an H100: product<1> of copies.cu stalls 3.0 cycles an instruction on the long scoreboard, and only
    // copies are in flight.
    let source = two_stages(
        "__pipeline_memcpy_async(to, from, 16);",
        "__pipeline_commit();",
        "__pipeline_wait_prior(0);",
    );
    let program = program(&source, ArchId::Ga100);
    let args = vec![zeros(ElemType::U32, 2048), output(ElemType::U32, 64)];
    let trace = trace(ArchId::Ga100, &program, 64, args);
    let waits = program
        .code
        .iter()
        .position(|i| i.text(program.arch).starts_with("DEPBAR"))
        .expect("a wait");
    let tally = &trace.tallies()[waits];
    assert!(
        tally.states[WarpState::LongScoreboard as usize] > 200,
        "{tally:?}"
    );
}

#[test]
fn a_seek_restores_copies_in_flight() {
    let source = two_stages(
        "__pipeline_memcpy_async(to, from, 16);",
        "__pipeline_commit();",
        "__pipeline_wait_prior(1);",
    )
    .replace("const int t", "in += blockIdx.x % 4 * 512; const int t");
    let program = program(&source, ArchId::Gh100);
    let launch = Launch {
        grid: [48, 1, 1],
        ..launch_of(64, vec![zeros(ElemType::U32, 8192), output(ElemType::U32, 64)])
    };
    let (arch, options) = (architecture(ArchId::Gh100), MachineOptions::default());
    let start = Machine::new(arch, &program, &launch, options).expect("it starts");
    let mut whole = start.clone();
    whole.run(&mut ());
    for cycle in (100..1400).step_by(210) {
        let mut machine = start.clone();
        machine.run_until(Cycle(cycle), &mut ());
        let image = machine.image(&start);
        let mut other = start.restored(&image).expect("an image");
        assert_eq!(other.image(&start), image, "{cycle}");
        other.run(&mut ());
        assert_eq!(other.cycle(), whole.cycle(), "{cycle}");
        assert_eq!(other.image(&start), whole.image(&start), "{cycle}");
    }
}
