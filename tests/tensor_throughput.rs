//! Throughput of tensor cores: chains of products over warps beside measurements of an H200 and an H100, and the code of
//! products.
#![cfg(not(target_arch = "wasm32"))]

use std::collections::BTreeMap;
use std::sync::Arc;

use cuda::compile;
use engine::arch::{ArchId, architecture};
use engine::isa::{CompileOptions, ElemType, Instruction, Op, Reg};
use engine::launch::{Argument, Fill, Launch, Pattern, Role};
use engine::sim::{MachineOptions, Outcome};
use engine::trace::simulate;

/// The kernel that was measured; the rows `hmma16816_ilp*` of `tests/golden/device_h200.csv` are of the same kernel.
const MEASURED: &str = include_str!("microbenchmarks/hmma.cu");

fn buffer(elem: ElemType, len: u32) -> Argument {
    Argument::Buffer {
        elem,
        len,
        fill: Fill::of(Pattern::Zero),
        role: Role::Out,
    }
}

fn scalar(value: u32) -> Argument {
    Argument::Scalar {
        ty: ElemType::U32,
        bits: value.into(),
    }
}

/// Instructions per cycle of an SM, from the first warp's start to the last warp's end.
fn per_cycle(chains: u32, warps: u32) -> f64 {
    let launch = Launch {
        grid: [1, 1, 1],
        block: [32 * warps, 1, 1],
        dynamic_shared: 0,
        args: vec![
            buffer(ElemType::U32, 2 * warps),
            buffer(ElemType::F32, 32 * warps),
        ],
        symbols: Vec::new(),
    };
    let kernel = format!("multiply<{chains}>");
    let compiled = compile(MEASURED, Some(&kernel), ArchId::Gh100, &CompileOptions::default())
        .unwrap_or_else(|found| panic!("{found:?}"));
    let program = Arc::new(compiled.program);
    let trace = simulate(
        architecture(ArchId::Gh100),
        program,
        &launch,
        MachineOptions::default(),
    )
    .expect("it starts");
    assert_eq!(trace.outcome(), Some(&Outcome::Finished));
    let outputs = trace.outputs().expect("the run has ended");
    let (_, bytes) = outputs.compared().next().expect("the times");
    let times: Vec<u32> = bytes
        .chunks_exact(4)
        .map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]))
        .collect();
    let first = times.iter().step_by(2).min().expect("a warp");
    let last = times.iter().skip(1).step_by(2).max().expect("a warp");
    f64::from(256 * chains * warps) / f64::from(last - first)
}

/// Rows that are more than 5 % off, with the reason: chains, and numbers of warps. All others are within 5 %.
const MISSES: [(u32, &[u32], &str); 7] = [
    (
        2,
        &[1, 2, 3, 4],
        "nvcc fills the factors again in each round and waits for the products before; here they are filled before the loop",
    ),
    (3, &[1, 2, 3, 4], "as with two chains"),
    (
        1,
        &[12, 16, 20],
        "on the chip, warps with one or two chains leave the tensor core idle for 0.4 of 7 cycles",
    ),
    (2, &[16, 20, 24, 32], "as with one chain"),
    (
        4,
        &[5, 6, 8],
        "the two warps of a partition reach the end of the loop in the same cycles, where no product starts",
    ),
    (6, &[5, 6, 8], "as with four chains"),
    (
        8,
        &[5, 6, 8, 12, 16, 20, 24, 32],
        "as with four chains; then 6.2 cycles for each product on the chip, where the model has 6 and 7 in turn",
    ),
];

#[test]
fn products_over_warps_and_chains_are_within_5_percent_of_an_h200_and_an_h100() {
    let h200 = include_str!("golden/device_h200.csv").lines().filter_map(|line| {
        let mut cells = line.split(',');
        let chains = cells
            .next()?
            .strip_prefix("hmma16816_ilp")?
            .strip_suffix("_per_cycle")?;
        let (warps, rate) = (cells.next()?, cells.next()?);
        Some((
            chains.parse().ok()?,
            warps.parse().ok()?,
            rate.parse::<f64>().ok()?,
        ))
    });
    let h100 = include_str!("microbenchmarks/hmma.csv")
        .lines()
        .filter_map(|line| {
            let cells: Vec<f64> = line.split(',').filter_map(|cell| cell.parse().ok()).collect();
            let [chains, warps, rate] = cells[..] else {
                return None;
            };
            Some((chains as u32, warps as u32, rate))
        });
    let rows: Vec<(u32, u32, f64)> = h200.chain(h100).collect();
    assert_eq!(rows.len(), 12 + 72);
    let mut simulated = BTreeMap::new();
    let mut faults = Vec::new();
    for (chains, warps, measured) in rows {
        let simulated = *simulated
            .entry((chains, warps))
            .or_insert_with(|| per_cycle(chains, warps));
        let off = 100.0 * (simulated / measured - 1.0);
        let is_miss = (MISSES.iter()).any(|(num, list, _)| *num == chains && list.contains(&warps));
        if if is_miss {
            off.abs() > 10.0
        } else {
            off.abs() > 5.0
        } {
            faults.push(format!(
                "{chains} chains, {warps} warps: {simulated:.4}, measured {measured:.4}, {off:+.1} %"
            ));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Products in the forms that programs have. In a loop, no instruction may move a factor.
const FORMS: &str = r#"
#include <mma.h>
#include <cuda_fp16.h>
using namespace nvcuda;
#define MULTIPLY(d0, d1, d2, d3, a0, a1, a2, a3, b0, b1) \
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};" \
        : "+f"(d0), "+f"(d1), "+f"(d2), "+f"(d3) : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1))
#define PRODUCT(d, a, b) MULTIPLY(d[0], d[1], d[2], d[3], a[0], a[1], a[2], a[3], b[0], b[1])

__global__ void arrays(float *out, unsigned one, int n) {
    float d[4][4] = {};
    unsigned a[4] = {threadIdx.x, one, 2 * one, 3}, b[2] = {4 * one, 5 * one};
    for (int i = 0; i < n; i++)
#pragma unroll
        for (int chain = 0; chain < 4; chain++) PRODUCT(d[chain], a, b);
    float sum = 0;
    for (int chain = 0; chain < 4; chain++) sum += d[chain][0] + d[chain][3];
    out[threadIdx.x] = sum;
}
__global__ void scalars(float *out, unsigned a0, unsigned a1, unsigned b0, unsigned b1, int n) {
    float d0 = 0, d1 = 0, d2 = 0, d3 = 0, e0 = 0, e1 = 0, e2 = 0, e3 = 0;
    unsigned a2 = a0 + 1, a3 = a1 + 1;
    for (int i = 0; i < n; i++) {
        MULTIPLY(d0, d1, d2, d3, a0, a1, a2, a3, b0, b1);
        MULTIPLY(e0, e1, e2, e3, a0, a1, a2, a3, b0, b1);
    }
    out[threadIdx.x] = d0 + d1 + d2 + d3 + e0 + e1 + e2 + e3;
}
__global__ void separate_sums(float *out, unsigned a0, unsigned a1, unsigned b0, int n) {
    float c0 = 0, c1 = 0, c2 = 0, c3 = 0;
    for (int i = 0; i < n; i++) {
        float d0, d1, d2, d3;
        asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%10,%11,%12,%13};"
            : "=f"(d0), "=f"(d1), "=f"(d2), "=f"(d3)
            : "r"(a0), "r"(a1), "r"(a0), "r"(a1), "r"(b0), "r"(b0), "f"(c0), "f"(c1), "f"(c2), "f"(c3));
        c0 = d0; c1 = d1; c2 = d2; c3 = d3;
    }
    out[threadIdx.x] = c0 + c1 + c2 + c3;
}
__global__ void tile(const unsigned *in, float *out, int n) {
    __shared__ unsigned left[2048], right[2048];
    float d[2][4][4] = {};
    for (int k = threadIdx.x; k < 2048; k += blockDim.x) left[k] = in[k], right[k] = in[k + 2048];
    __syncthreads();
    for (int i = 0; i < n; i++) {
        unsigned a[2][4], b[4][2];
#pragma unroll
        for (int m = 0; m < 2; m++)
#pragma unroll
            for (int w = 0; w < 4; w++) a[m][w] = left[(i % 8) * 256 + m * 128 + w * 32 + threadIdx.x % 32];
#pragma unroll
        for (int m = 0; m < 4; m++)
#pragma unroll
            for (int w = 0; w < 2; w++) b[m][w] = right[(i % 8) * 256 + m * 64 + w * 32 + threadIdx.x % 32];
#pragma unroll
        for (int m = 0; m < 2; m++)
#pragma unroll
            for (int k = 0; k < 4; k++) PRODUCT(d[m][k], a[m], b[k]);
    }
    float sum = 0;
    for (int m = 0; m < 2; m++) for (int k = 0; k < 4; k++) for (int w = 0; w < 4; w++) sum += d[m][k][w];
    out[threadIdx.x] = sum;
}
__global__ void halves(unsigned *out, unsigned one, int n) {
    unsigned d[2][2] = {}, a[4] = {threadIdx.x, one, 2 * one, 3 * one}, b[2] = {4 * one, 5 * one};
    for (int i = 0; i < n; i++)
#pragma unroll
        for (int k = 0; k < 2; k++)
            asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0,%1},{%2,%3,%4,%5},{%6,%7},{%0,%1};"
                : "+r"(d[k][0]), "+r"(d[k][1]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    out[threadIdx.x] = d[0][0] + d[0][1] + d[1][0] + d[1][1];
}
__global__ void fragments(const half *a, const half *b, float *out, int n) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> left[2];
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> right[2];
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> d[2][2];
    for (int i = 0; i < 2; i++) for (int j = 0; j < 2; j++) wmma::fill_fragment(d[i][j], 0.0f);
    for (int i = 0; i < 2; i++) wmma::load_matrix_sync(left[i], a + 256 * i, 16);
    for (int k = 0; k < n; k++) {
        for (int i = 0; i < 2; i++) wmma::load_matrix_sync(right[i], b + 512 * k + 256 * i, 16);
        for (int i = 0; i < 2; i++) for (int j = 0; j < 2; j++) wmma::mma_sync(d[i][j], left[i], right[j], d[i][j]);
    }
    for (int i = 0; i < 2; i++) for (int j = 0; j < 2; j++)
        wmma::store_matrix_sync(out + 512 * i + 16 * j, d[i][j], 32, wmma::mem_row_major);
}"#;

#[test]
fn a_loop_of_products_moves_no_factor() {
    for kernel in [
        "arrays",
        "scalars",
        "separate_sums",
        "tile",
        "halves",
        "fragments",
    ] {
        for arch in [ArchId::Ga100, ArchId::Ad102, ArchId::Gh100] {
            let compiled = compile(FORMS, Some(kernel), arch, &CompileOptions::default())
                .unwrap_or_else(|found| panic!("{found:?}"));
            let code = &compiled.program.code;
            let is_product = |inst: &Instruction| matches!(inst.op, Op::Mma { .. });
            let mut num_loops = 0;
            for (end, inst) in code.iter().enumerate() {
                let Op::Bra { target } = inst.op else { continue };
                let start = target.0 as usize;
                if start >= end || !code[start..end].iter().any(is_product) {
                    continue;
                }
                num_loops += 1;
                let products = || code[start..end].iter().filter(|inst| is_product(inst));
                for inst in &code[start..end] {
                    let is_move = matches!(inst.op, Op::Mov | Op::Ldc { .. });
                    let is_operand = |dst: Reg| {
                        let mut read = products().flat_map(Instruction::sources);
                        read.any(|range| range.regs().any(|reg| reg == dst))
                    };
                    assert!(!is_move || !is_operand(inst.dst), "{kernel} on {arch}: {inst:?}");
                }
            }
            assert_eq!(num_loops, 1, "{kernel} on {arch}");
        }
    }
}

/// Factors whose words are constants, change in one of two loops, and are at several places.
const MIXED: &str = r#"
#define PRODUCT(d, a0, a1, a2, a3, b0, b1) \
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};" \
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1))
__global__ void mixed(const unsigned *in, float *out, unsigned four, int n) {
    const unsigned lane = threadIdx.x, *words = in + lane;
    float d[4][4] = {};
    unsigned a[4] = {words[0], words[32], 0x3c004000u, words[64]}, last = words[96];
    for (int i = 0; i < n; i++) {
        PRODUCT(d[0], a[0], a[1], a[2], a[3], last, four);
        PRODUCT(d[1], a[1], a[0], a[2], a[3], last, four);
        for (int j = 0; j < 3; j++) {
            PRODUCT(d[2], a[0], a[1], a[2], a[3], last, four);
            PRODUCT(d[3], a[0], 0x3c004000u, a[2], four, a[1], four);
            if (j == 1) last = words[128];
            PRODUCT(d[2], a[0], a[1], a[2], a[3], last, four);
        }
        a[1] = words[32 * (i + 4)];
    }
    for (int k = 0; k < 4; k++)
        for (int w = 0; w < 4; w++) out[(4 * k + w) * 32 + lane] = d[k][w];
}"#;

/// d += a * b as in the PTX ISA, "Matrix Fragments for mma.m16n8k16": words and sums by lane.
fn product(d: &mut [[f32; 4]; 32], a: [&dyn Fn(usize) -> u32; 4], b: [&dyn Fn(usize) -> u32; 2]) {
    // Small whole numbers.
    let half = |word: u32, high: usize| {
        let bits = word >> (16 * high) & 0xffff;
        if bits == 0 {
            0.0
        } else {
            f32::from_bits(((bits >> 10) + 112) << 23 | (bits & 0x3ff) << 13)
        }
    };
    for (lane, sums) in d.iter_mut().enumerate() {
        for (at, sum) in sums.iter_mut().enumerate() {
            let (row, column) = (lane / 4 + 8 * (at / 2), 2 * (lane % 4) + at % 2);
            for k in 0..16 {
                let (of_row, of_column) = (4 * (row % 8) + k % 8 / 2, 4 * column + k % 8 / 2);
                let left = a[row / 8 + 2 * (k / 8)](of_row);
                let right = b[k / 8](of_column);
                *sum += half(left, k % 2) * half(right, k % 2);
            }
        }
    }
}

#[test]
fn factors_have_the_words_that_the_program_gives() {
    const ROUNDS: usize = 3;
    // Pairs of 0, 1, 2, 3.
    let halves = [0_u32, 0x3c00, 0x4000, 0x4200];
    let words: Vec<u32> = (0..256_usize)
        .map(|at| halves[at * 7 % 5 % 4] | halves[(at * 5 + at / 32) % 7 % 4] << 16)
        .collect();
    let four = 0x4400_3c00_u32;
    let mut expected = [[[0.0_f32; 4]; 32]; 4];
    let word = |at: usize| {
        let words = &words;
        move |lane: usize| words[32 * at + lane]
    };
    let (constant, fours) = (|_: usize| 0x3c00_4000_u32, |_: usize| four);
    let mut last_at = 3;
    for i in 0..ROUNDS {
        let (a0, a3) = (word(0), word(2));
        let a1 = word(if i == 0 { 1 } else { i + 3 });
        let first = word(last_at);
        product(&mut expected[0], [&a0, &a1, &constant, &a3], [&first, &fours]);
        product(&mut expected[1], [&a1, &a0, &constant, &a3], [&first, &fours]);
        for j in 0..3 {
            let before = word(last_at);
            product(&mut expected[2], [&a0, &a1, &constant, &a3], [&before, &fours]);
            product(
                &mut expected[3],
                [&a0, &constant, &constant, &fours],
                [&a1, &fours],
            );
            if j == 1 {
                last_at = 4;
            }
            let after = word(last_at);
            product(&mut expected[2], [&a0, &a1, &constant, &a3], [&after, &fours]);
        }
    }
    let launch = Launch {
        grid: [1; 3],
        block: [32, 1, 1],
        dynamic_shared: 0,
        args: vec![
            Argument::Buffer {
                elem: ElemType::U32,
                len: 256,
                fill: Fill::of(Pattern::List(words.iter().map(|word| f64::from(*word)).collect())),
                role: Role::In,
            },
            buffer(ElemType::F32, 512),
            scalar(four),
            scalar(ROUNDS as u32),
        ],
        symbols: Vec::new(),
    };
    for arch in [ArchId::Ga100, ArchId::Gh100] {
        let compiled = compile(MIXED, None, arch, &CompileOptions::default())
            .unwrap_or_else(|found| panic!("{found:?}"));
        let trace = simulate(
            architecture(arch),
            Arc::new(compiled.program),
            &launch,
            MachineOptions::default(),
        )
        .expect("it starts");
        let outputs = trace.outputs().expect("the run has ended");
        let (_, bytes) = outputs.compared().next().expect("the sums");
        for (at, bytes) in bytes.chunks_exact(4).enumerate() {
            let sum = f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
            assert_eq!(sum, expected[at / 128][at % 32][at / 32 % 4], "{arch}: word {at}");
        }
    }
}

/// A product before a loop with the same factors, in a block that does not load them.
const BEFORE: &str = r#"
#define PRODUCT(d) \
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};" \
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]))
__global__ void before(const unsigned *in, float *out, unsigned *hits, int n) {
    const unsigned lane = threadIdx.x, *words = in + lane;
    float d[4] = {}, e[4] = {}, f[4] = {};
    unsigned a[4] = {words[0], words[32], words[64], words[96]}, b[2] = {words[128], words[160]};
    if (n > 100) atomicAdd(hits, 1u);
    __syncthreads();
    PRODUCT(d);
    for (int i = 0; i < n; i++) PRODUCT(e);
    if (n > 200) atomicAdd(hits, 1u);
    PRODUCT(f);
    for (int w = 0; w < 4; w++) {
        out[w * 32 + lane] = d[w];
        out[(4 + w) * 32 + lane] = e[w];
        out[(8 + w) * 32 + lane] = f[w];
    }
}"#;

#[test]
fn a_product_before_a_loop_reads_filled_factors() {
    for arch in [ArchId::Ga100, ArchId::Ad102, ArchId::Gh100] {
        let compiled = compile(BEFORE, Some("before"), arch, &CompileOptions::default())
            .unwrap_or_else(|found| panic!("{found:?}"));
        // All factors are one.
        let ones = Fill {
            offset: Some(f64::from(0x3c00_3c00)),
            ..Fill::of(Pattern::Zero)
        };
        let mut input = buffer(ElemType::U32, 192);
        if let Argument::Buffer { fill, role, .. } = &mut input {
            (*fill, *role) = (ones, Role::In);
        }
        let launch = Launch {
            grid: [1, 1, 1],
            block: [32, 1, 1],
            dynamic_shared: 0,
            args: vec![
                input,
                buffer(ElemType::F32, 384),
                buffer(ElemType::U32, 1),
                scalar(3),
            ],
            symbols: Vec::new(),
        };
        let program = Arc::new(compiled.program);
        let trace =
            simulate(architecture(arch), program, &launch, MachineOptions::default()).expect("it starts");
        assert_eq!(trace.outcome(), Some(&Outcome::Finished));
        let outputs = trace.outputs().expect("the run has ended");
        let (_, bytes) = outputs.compared().next().expect("the sums");
        let sums: Vec<f32> = (bytes.as_chunks().0.iter())
            .map(|word| f32::from_le_bytes(*word))
            .collect();
        let expected = [16.0_f32, 48.0, 16.0].map(|sum| [sum; 128]).concat();
        assert_eq!(sums, expected, "{arch}");
    }
}
