//! Throughput of tensor cores: chains of products over warps beside measurements of an H200 and an H100, and the code of
//! products.
#![cfg(not(target_arch = "wasm32"))]

use std::collections::BTreeMap;
use std::sync::Arc;

use cuda::compile;
use engine::arch::{ArchId, OpClass, architecture};
use engine::isa::{CompileOptions, ElemType, Instruction, Op, Operand, Program, Reg};

#[path = "common/block.rs"]
mod block;

use block::{input, output, scalar};

/// A kernel that was measured, with constant factors; the rows `hmma16816_ilp*` of `tests/golden/device_h200.csv` are of the
/// same kernel.
const CONSTANT: &str = include_str!("microbenchmarks/hmma.cu");
/// The same with factors that the kernel loads.
const LOADED: &str = include_str!("microbenchmarks/hmma_loaded.cu");
/// One chain, over the products of each round of the loop.
const ROUNDS: &str = include_str!("microbenchmarks/hmma_rounds.cu");
/// The loop of `LOADED` with four chains, written in three other ways.
const OTHER_FORMS: &str = include_str!("microbenchmarks/hmma_forms.cu");

fn program(text: &str, kernel: &str, arch: ArchId) -> Arc<Program> {
    let compiled = compile(text, Some(kernel), arch, &CompileOptions::default());
    Arc::new(compiled.unwrap_or_else(|found| panic!("{found:?}")).program)
}

/// Instructions per cycle of an SM, from the first warp's start to the last warp's end.
fn per_cycle(text: &str, kernel: &str, [chains, warps]: [u32; 2]) -> f64 {
    let mut args = vec![
        output(ElemType::U32, 2 * warps),
        output(ElemType::F32, 32 * warps),
    ];
    let mut text = text.to_owned();
    if text != CONSTANT {
        args.push(input(&vec![0; 6144]));
        // The measured runs found the factors in L2, where an earlier run left them.
        let name = kernel.split('<').next().unwrap_or(kernel);
        let at = text.find(&format!("void {name}(")).expect("the kernel");
        let body = at + text[at..].find('{').expect("its body") + 1;
        let load = "for (int w = 0; w < 6; w++) if (__ldcg(in + 1024 * w + threadIdx.x) == 1) out[0] = 1;";
        text.insert_str(body, load);
    }
    let program = program(&text, kernel, ArchId::Gh100);
    let times = block::words(ArchId::Gh100, &program, 32 * warps, args);
    let first = times.iter().step_by(2).min().expect("a warp");
    let last = times.iter().skip(1).step_by(2).max().expect("a warp");
    f64::from(256 * chains * warps) / f64::from(last - first)
}

/// Rows that are more than 5 % off, with the reason: form, chains, and numbers of warps. All others are within 5 %.
const MISSES: [(&str, u32, &[u32], &str); 4] = [
    ("constant", 1, &[12, 16, 20, 24, 32], COUNTER),
    ("constant", 2, &[12, 16, 20, 24, 32], COUNTER),
    ("loaded", 1, &[12, 16], ONE_CHAIN),
    ("bfloat16", 1, &[12, 16], ONE_CHAIN),
];
const COUNTER: &str = "nvcc has the loop counter and its comparison between products, where they delay the products of other warps more than before the branch";
const ONE_CHAIN: &str = "on the chip, a round of the loop takes about four cycles longer for each other warp of the partition, and products without a loop do not; half of this is unexplained";

/// Rows of a table whose last three columns are chains, warps, and instructions per cycle.
fn rows<'a>(
    form: &'static str,
    table: &'a str,
) -> impl Iterator<Item = (&'static str, [u32; 2], f64)> + use<'a> {
    table.lines().filter_map(move |line| {
        let mut cells = line.rsplit(',');
        let (rate, warps, chains) = (cells.next()?, cells.next()?, cells.next()?);
        let chains = chains.strip_prefix("hmma16816_ilp").unwrap_or(chains);
        let chains = chains.strip_suffix("_per_cycle").unwrap_or(chains);
        Some((
            form,
            [chains.parse().ok()?, warps.parse().ok()?],
            rate.parse().ok()?,
        ))
    })
}

/// The rows of one type.
fn of_type(ty: &str) -> String {
    let rows = include_str!("microbenchmarks/products.csv").lines();
    let of_type: Vec<&str> = rows.filter(|line| line.starts_with(ty)).collect();
    of_type.join("\n")
}

#[test]
fn products_over_warps_and_chains_are_within_5_percent_of_a_gh100() {
    let bfloat16s = LOADED.replace("f32.f16.f16.f32", "f32.bf16.bf16.f32");
    let measured: Vec<_> = rows("constant", include_str!("golden/device_h200.csv"))
        .chain(rows("constant", include_str!("microbenchmarks/hmma.csv")))
        .chain(rows("loaded", include_str!("microbenchmarks/hmma_loaded.csv")))
        .chain(rows("bfloat16", &of_type("bf16 m16n8k16")))
        .collect();
    assert_eq!(measured.len(), 12 + 72 + 72 + 28);
    // Every third: each form and number of chains is among them.
    let step = if corpus::takes_all_rows() { 1 } else { 3 };
    let mut simulated = BTreeMap::new();
    let mut faults = Vec::new();
    for (form, [chains, warps], measured) in measured.into_iter().step_by(step) {
        let text = match form {
            "constant" => CONSTANT,
            "loaded" => LOADED,
            _ => &bfloat16s,
        };
        let simulated = *simulated
            .entry((form, chains, warps))
            .or_insert_with(|| per_cycle(text, &format!("multiply<{chains}>"), [chains, warps]));
        let off = 100.0 * (simulated / measured - 1.0);
        let is_miss =
            (MISSES.iter()).any(|(of, num, list, _)| *of == form && *num == chains && list.contains(&warps));
        // A row that is a miss no longer has to leave the list.
        let (least, most) = if is_miss { (5.0, 20.0) } else { (0.0, 5.0) };
        if off.abs() > most || off.abs() < least {
            faults.push(format!(
                "{form}, {chains} chains, {warps} warps: {simulated:.4}, measured {measured:.4}, {off:+.1} %"
            ));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Rows of `ROUNDS` that are more than 5 % off, by products in a round of the loop, with the maximum in percent. In a round
/// of one product, the comparison and the branch take 30 cycles on the chip, longer than the product.
const MISSES_OF_ROUNDS: [(u32, &[u32], f64); 4] = [
    (1, &[1, 4, 8, 12, 16, 20, 32], 40.0),
    (1, &[24], 65.0),
    (2, &[12, 16, 20, 24, 32], 10.0),
    (8, &[16], 6.0),
];

#[test]
fn one_chain_over_the_products_of_a_round_is_within_5_percent_of_an_h100() {
    let mut faults = Vec::new();
    let mut num = 0;
    for (_, [products, warps], measured) in rows("rounds", include_str!("microbenchmarks/hmma_rounds.csv")) {
        num += 1;
        let simulated = per_cycle(ROUNDS, &format!("multiply<{products}>"), [1, warps]);
        let off = 100.0 * (simulated / measured - 1.0);
        let miss = (MISSES_OF_ROUNDS.iter()).find(|(of, list, _)| *of == products && list.contains(&warps));
        let (least, most) = miss.map_or((0.0, 5.0), |(_, _, most)| (5.0, *most));
        if off.abs() > most || off.abs() < least {
            faults.push(format!(
                "{products} products, {warps} warps: {simulated:.4}, measured {measured:.4}, {off:+.1} %"
            ));
        }
    }
    assert_eq!(num, 40);
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn the_rate_does_not_depend_on_how_the_loop_is_written() {
    for (_, [chains, warps], measured) in rows("loaded", include_str!("microbenchmarks/hmma_loaded.csv")) {
        if chains != 4 || ![1, 4, 8, 32].contains(&warps) {
            continue;
        }
        for kernel in ["structs", "scalars", "tiles"] {
            let simulated = per_cycle(OTHER_FORMS, kernel, [chains, warps]);
            let off = 100.0 * (simulated / measured - 1.0);
            assert!(
                off.abs() <= 5.0,
                "{kernel}, {warps} warps: {simulated:.4}, measured {measured:.4}, {off:+.1} %"
            );
        }
    }
}

#[test]
fn intervals_of_products_are_within_5_percent_of_an_h100() {
    for (ty, class) in [
        ("f16 m16n8k16", OpClass::Tensor),
        ("bf16 m16n8k16", OpClass::Tensor),
        ("f16 sums m16n8k16", OpClass::Tensor),
        ("tf32 m16n8k4", OpClass::TensorTf32),
        ("s8 m16n8k16", OpClass::TensorInt),
        ("f64 m8n8k4", OpClass::TensorFp64),
    ] {
        let cost = architecture(ArchId::Gh100).cost(class).expect("a cost");
        let table = of_type(ty);
        let (_, _, rate) = rows("", &table)
            .find(|(_, row, _)| *row == [8, 32])
            .expect("a row");
        let interval = 4.0 / rate;
        let off = f64::from(cost.occupancy_cycles.value) / interval - 1.0;
        assert!(off.abs() <= 0.05, "{ty}: {interval:.2} cycles");
    }
}

/// Products in the forms that programs have. In a loop, no instruction may move a factor, except for constants where
/// nvcc fills them in each round, as in `arrays`.
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
fn a_loop_of_products_moves_constants_only() {
    for kernel in [
        "arrays",
        "scalars",
        "separate_sums",
        "tile",
        "halves",
        "fragments",
    ] {
        for arch in [ArchId::Ga100, ArchId::Ad102, ArchId::Gh100] {
            let program = program(FORMS, kernel, arch);
            let code = &program.code;
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
                    let is_constant = kernel == "arrays" && inst.srcs[0].operand == Operand::Imm(3);
                    assert!(
                        !is_move || is_constant || !is_operand(inst.dst),
                        "{kernel} on {arch}: {inst:?}"
                    );
                }
            }
            assert_eq!(num_loops, 1, "{kernel} on {arch}");
        }
    }
}

/// Products with some constant words of the factors.
const CONSTANT_WORDS: &str = r#"
template <int CHAINS, int ROWS, int CONSTANTS> __global__ void products(float *out, const unsigned *in)
{
    float c[CHAINS][4] = {};
    unsigned a[4] = {threadIdx.x, 1, 2, 3}, b[2] = {4, 5};
    if (CONSTANTS < 5) b[1] = in[threadIdx.x];
    if (CONSTANTS < 4) b[0] = in[threadIdx.x + 32];
    if (CONSTANTS < 3) a[3] = in[threadIdx.x + 64];
    if (CONSTANTS < 2) a[2] = in[threadIdx.x + 96];
#pragma unroll 1
    for (int round = 0; round < 64; round++)
#pragma unroll
        for (int k = 0; k < ROWS; k++)
#pragma unroll
            for (int chain = 0; chain < CHAINS; chain++)
                asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"
                    : "+f"(c[chain][0]), "+f"(c[chain][1]), "+f"(c[chain][2]), "+f"(c[chain][3])
                    : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    float sum = 0;
    for (int chain = 0; chain < CHAINS; chain++) sum += c[chain][0] + c[chain][3];
    out[threadIdx.x] = sum;
}"#;

/// MOV, or IMAD.MOV, which nvcc uses for every second constant.
fn is_move(inst: &Instruction) -> bool {
    let zero = Operand::Reg(Reg(255));
    let adds_to_zero =
        matches!(inst.op, Op::Imad { .. }) && inst.srcs[..2].iter().all(|src| src.operand == zero);
    inst.op == Op::Mov || adds_to_zero
}

/// The code of nvcc 13.0 for 9.0: chains, products of each chain in a round, constants, and moves in a round.
const MOVES: [[usize; 4]; 16] = [
    [1, 12, 5, 0],
    [1, 13, 5, 5],
    [1, 14, 3, 0],
    [1, 15, 3, 3],
    [1, 16, 1, 0],
    [1, 17, 1, 1],
    [2, 2, 5, 0],
    [2, 3, 5, 5],
    [2, 3, 3, 0],
    [2, 4, 1, 0],
    [2, 4, 2, 2],
    [2, 5, 1, 1],
    [3, 1, 1, 1],
    [3, 1, 5, 5],
    [4, 1, 1, 1],
    [4, 4, 5, 5],
];

#[test]
fn constants_are_filled_in_each_round_where_nvcc_fills_them() {
    for [chains, rows, constants, moves] in MOVES {
        let kernel = format!("products<{chains}, {rows}, {constants}>");
        let program = program(CONSTANT_WORDS, &kernel, ArchId::Gh100);
        let code = &program.code;
        let back = code.iter().enumerate().find_map(|(pc, inst)| match inst.op {
            Op::Bra { target } if (target.0 as usize) < pc => Some(target.0 as usize..pc),
            _ => None,
        });
        let round = &code[back.expect("a loop")];
        let num = |is: fn(&Instruction) -> bool| round.iter().filter(|inst| is(inst)).count();
        assert_eq!(
            num(|inst| matches!(inst.op, Op::Mma { .. })),
            chains * rows,
            "{kernel}"
        );
        assert_eq!(num(is_move), moves, "{kernel}");
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
    for arch in [ArchId::Ga100, ArchId::Gh100] {
        let args = vec![
            input(&words),
            output(ElemType::F32, 512),
            scalar(four),
            scalar(ROUNDS as u32),
        ];
        let sums = block::words(arch, &program(MIXED, "mixed", arch), 32, args);
        for (at, bits) in sums.into_iter().enumerate() {
            let sum = f32::from_bits(bits);
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
        // All factors are one.
        let args = vec![
            input(&[0x3c00_3c00; 192]),
            output(ElemType::F32, 384),
            output(ElemType::U32, 1),
            scalar(3),
        ];
        let sums = block::words(arch, &program(BEFORE, "before", arch), 32, args);
        let sums: Vec<f32> = sums.into_iter().map(f32::from_bits).collect();
        let expected = [16.0_f32, 48.0, 16.0].map(|sum| [sum; 128]).concat();
        assert_eq!(sums, expected, "{arch}");
    }
}
