//! Loads, stores, and transpositions of matrices by a warp: values, instructions, wavefronts, and times beside an H100
//! (`tests/golden/copies_h100.csv`, from `tests/microbenchmarks/copies.cu`).
#![cfg(not(target_arch = "wasm32"))]

#[path = "common/block.rs"]
mod block;

use std::sync::Arc;

use block::{input, output, words};
use cuda::compile;
use engine::arch::{ArchId, architecture};
use engine::isa::{CompileOptions, ElemType, Program};
use engine::launch::{Argument, Launch};
use engine::sim::{MachineOptions, RequestKind, reference};
use engine::trace::simulate;

const TIMES: &str = include_str!("golden/copies_h100.csv");

/// The same moves in plain CUDA: shuffles, and loads and stores of words and halves.
const PLAIN: &str = "
__device__ unsigned load(const unsigned short *row, int matrix) {
    const int lane = threadIdx.x % 32;
    const unsigned long long at = __shfl_sync(0xffffffffu, (unsigned long long)row, 8 * matrix + lane / 4);
    return *(const unsigned *)(at + 4 * (lane & 3));
}
__device__ unsigned load_transposed(const unsigned short *row, int matrix) {
    const int lane = threadIdx.x % 32, first = 8 * matrix + 2 * (lane & 3), column = lane / 4;
    const unsigned long long low = __shfl_sync(0xffffffffu, (unsigned long long)row, first);
    const unsigned long long high = __shfl_sync(0xffffffffu, (unsigned long long)row, first + 1);
    return ((const unsigned short *)low)[column] | (unsigned)((const unsigned short *)high)[column] << 16;
}
__device__ void store(unsigned short *row, int matrix, unsigned word) {
    const int lane = threadIdx.x % 32;
    const unsigned long long at = __shfl_sync(0xffffffffu, (unsigned long long)row, 8 * matrix + lane / 4);
    *(unsigned *)(at + 4 * (lane & 3)) = word;
}
__device__ void store_transposed(unsigned short *row, int matrix, unsigned word) {
    const int lane = threadIdx.x % 32, first = 8 * matrix + 2 * (lane & 3), column = lane / 4;
    const unsigned long long low = __shfl_sync(0xffffffffu, (unsigned long long)row, first);
    const unsigned long long high = __shfl_sync(0xffffffffu, (unsigned long long)row, first + 1);
    ((unsigned short *)low)[column] = (unsigned short)word;
    ((unsigned short *)high)[column] = (unsigned short)(word >> 16);
}
__device__ unsigned move(unsigned word) {
    const int lane = threadIdx.x % 32, column = lane / 4, row = 2 * (lane & 3);
    const unsigned low = __shfl_sync(0xffffffffu, word, 4 * row + column / 2);
    const unsigned high = __shfl_sync(0xffffffffu, word, 4 * row + 4 + column / 2);
    return __byte_perm(low, high, column & 1 ? 0x7632 : 0x5410);
}";

/// A kernel of one warp, whose lanes have the address `row` of a row of 16 bytes and of `to`, where they store, as `a` and
/// `b` for PTX.
fn kernel(body: &str) -> String {
    format!(
        "{PLAIN}
__global__ void k(const unsigned *in, unsigned *out) {{
    __shared__ __align__(16) unsigned short s[512], d[512];
    const int lane = threadIdx.x;
    for (int i = lane; i < 256; i += 32) ((unsigned *)s)[i] = in[i], ((unsigned *)d)[i] = 0;
    __syncwarp();
    unsigned short *row = s + 8 * ((lane * 5 + 3) % 64), *to = d + 8 * ((lane * 11 + 1) % 64);
    const unsigned a = (unsigned)__cvta_generic_to_shared(row), b = (unsigned)__cvta_generic_to_shared(to);
    unsigned r[4] = {{}};
    {body}
    __syncwarp();
    for (int i = 0; i < 4; i++) out[32 * i + lane] = r[i];
    for (int i = lane; i < 256; i += 32) out[128 + i] = ((unsigned *)d)[i];
}}"
    )
}

fn program(source: &str, arch: ArchId) -> Arc<Program> {
    let compiled = compile(source, None, arch, &CompileOptions::default())
        .unwrap_or_else(|errors| panic!("{}\n{source}", errors[0].message));
    Arc::new(compiled.program)
}

fn args() -> Vec<Argument> {
    let given: Vec<u32> = (0..256_u32)
        .map(|word| word.wrapping_mul(2_654_435_761))
        .collect();
    // Numbers of a launch are exact up to 53 bits.
    vec![input(&given), output(ElemType::U32, 384)]
}

fn launch_of(args: Vec<Argument>) -> Launch {
    Launch {
        grid: [1; 3],
        block: [32, 1, 1],
        dynamic_shared: 0,
        args,
        symbols: Vec::new(),
    }
}

fn registers(num: usize, first: usize) -> String {
    let names: Vec<String> = (0..num).map(|word| format!("%{}", word + first)).collect();
    names.join(", ")
}

fn load(num: usize, trans: &str) -> String {
    let outputs: Vec<String> = (0..num).map(|word| format!("\"=r\"(r[{word}])")).collect();
    format!(
        "asm volatile(\"ldmatrix.sync.aligned.m8n8.x{num}{trans}.shared.b16 {{{}}}, [%{num}];\" : {} : \"r\"(a) : \"memory\");",
        registers(num, 0),
        outputs.join(", ")
    )
}

fn store(num: usize, trans: &str) -> String {
    let inputs: Vec<String> = (0..num)
        .map(|word| format!("\"r\"(in[{} + lane])", 32 * word))
        .collect();
    format!(
        "asm volatile(\"stmatrix.sync.aligned.m8n8.x{num}{trans}.shared.b16 [%0], {{{}}};\" :: \"r\"(b), {} : \"memory\");",
        registers(num, 1),
        inputs.join(", ")
    )
}

#[test]
fn values_are_those_of_shuffles_loads_and_stores() {
    let mut forms = Vec::new();
    for num in [1, 2, 4] {
        for (trans, suffix) in [("", ""), (".trans", "_transposed")] {
            let plain = format!("for (int m = 0; m < {num}; m++) r[m] = load{suffix}(row, m);");
            forms.push((750, load(num, trans), plain, "LDSM.16"));
            let plain = format!("for (int m = 0; m < {num}; m++) store{suffix}(to, m, in[32 * m + lane]);");
            forms.push((900, store(num, trans), plain, "STSM.16"));
        }
    }
    forms.push((
        750,
        "asm volatile(\"movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;\" : \"=r\"(r[0]) : \"r\"(in[lane]));"
            .to_owned(),
        "r[0] = move(in[lane]);".to_owned(),
        "MOVM.16.MT88",
    ));
    for arch in [ArchId::Tu102, ArchId::Ga100, ArchId::Ad102, ArchId::Gh100] {
        for (since, moved, plain, name) in &forms {
            if architecture(arch).compute_capability.number() < *since {
                continue;
            }
            let moved = program(&kernel(moved), arch);
            let listing = moved.listing();
            assert!(listing.contains(name) && !listing.contains("SHFL"), "{listing}");
            let expected = words(arch, &program(&kernel(plain), arch), 32, args());
            assert!(expected.iter().filter(|word| **word != 0).count() >= 30);
            assert_eq!(words(arch, &moved, 32, args()), expected, "{arch:?} {plain}");
            let outputs = reference::run(&moved, &launch_of(args())).expect("it runs");
            let bytes = outputs.argument(1).expect("an output");
            let found: Vec<u32> = bytes
                .as_chunks()
                .0
                .iter()
                .map(|word| u32::from_le_bytes(*word))
                .collect();
            assert_eq!(found, expected, "{arch:?} {plain}");
        }
    }
}

#[test]
fn each_matrix_takes_the_wavefronts_of_its_rows() {
    // Nsight Compute on an H100 counts these wavefronts for rows that are so many bytes apart; by hand: a matrix is 8 rows
    // of 4 banks, and rows 32 bytes apart begin in 4 of 32 banks.
    for (num, stride, expected) in [
        (1, 16, 1),
        (1, 128, 8),
        (2, 16, 2),
        (2, 80, 2),
        (4, 16, 4),
        (4, 32, 8),
        (4, 64, 16),
        (4, 80, 4),
        (4, 128, 32),
    ] {
        let (load, store) = (load(num, ""), store(num, ""));
        let source = |body: &str| {
            format!(
                "__global__ void k(const unsigned *in, unsigned *out) {{
    __shared__ __align__(16) unsigned char s[4096];
    const int lane = threadIdx.x;
    const unsigned a = (unsigned)__cvta_generic_to_shared(s) + lane * {stride}, b = a;
    unsigned r[4] = {{}};
    {body}
    out[lane] = r[0] + r[1] + r[2] + r[3];
}}"
            )
        };
        for (arch, body, kind) in [
            (ArchId::Tu102, &load, RequestKind::SharedLoad),
            (ArchId::Ga100, &load, RequestKind::SharedLoad),
            (ArchId::Gh100, &load, RequestKind::SharedLoad),
            (ArchId::Gh100, &store, RequestKind::SharedStore),
        ] {
            let program = program(&source(body), arch);
            let options = MachineOptions::default();
            let trace =
                simulate(architecture(arch), program, &launch_of(args()), options).expect("it starts");
            let accesses = (0..).map_while(|idx| trace.access(idx));
            let found: Vec<_> = accesses.filter(|access| access.kind == kind).collect();
            assert_eq!(found.len(), 1);
            assert_eq!(
                (found[0].wavefronts, usize::from(found[0].ideal_wavefronts)),
                (expected, num),
                "{arch:?} {num} {stride}"
            );
        }
    }
}

/// Clocks of a link of a chain on GH100: each address, or operand of MOVM, is the result before.
fn link(num: usize, stride: u32) -> f64 {
    let clocks = |length: usize| {
        let one = if num == 0 {
            "asm volatile(\"movmatrix.sync.aligned.m8n8.trans.b16 %0, %0;\" : \"+r\"(a));".to_owned()
        } else {
            load(num, "") + " a = r[0];"
        };
        let source = format!(
            "__global__ void k(const unsigned *in, unsigned *out) {{
    __shared__ __align__(16) unsigned char s[4096];
    const int lane = threadIdx.x;
    const unsigned base = (unsigned)__cvta_generic_to_shared(s);
    *(unsigned *)(s + {stride} * (lane / 4) + 4 * (lane % 4)) = base + {stride} * lane;
    __syncthreads();
    unsigned a = base + {stride} * lane, r[4] = {{}};
    const unsigned start = clock();
    {}
    asm volatile(\"xor.b32 %0, %0, 1;\" : \"+r\"(a));
    const unsigned end = clock();
    out[0] = end - start;
    out[1 + lane] = a;
}}",
            one.repeat(length)
        );
        f64::from(words(ArchId::Gh100, &program(&source, ArchId::Gh100), 32, args())[0])
    };
    (clocks(24) - clocks(8)) / 16.0
}

#[test]
fn chains_take_the_time_that_an_h100_takes() {
    let mut report = String::new();
    let mut is_near = true;
    for line in TIMES.lines().skip(2) {
        let row: Vec<&str> = line.split(',').collect();
        let number = |place: usize| row[place].parse::<u32>().expect("a number");
        let num = match (row[0], row[1]) {
            ("chain", "1") => 1,
            ("chain", "2") => 2,
            ("chain", "4") => 4,
            ("chain", "40") => 0,
            _ => continue,
        };
        if row[4] != "1" {
            continue;
        }
        // Each row is of 64 links.
        let measured = f64::from(number(5)) / 64.0;
        let found = link(num, number(3));
        is_near &= (found / measured - 1.0).abs() < 0.05;
        report += &format!("x{num} stride {}: {found}, H100 {measured:.1}\n", row[3]);
    }
    assert!(is_near && report.lines().count() == 16, "{report}");
}
