//! Tensor cores: T23 and T46 to T61 of the Turing guide, V41 to V46 of the Volta guide. Products of small whole numbers
//! are exact in every format, so the expected values are sums of whole numbers.

use std::sync::Arc;

use cuda::compile;
use engine::arch::{ArchId, architecture};
use engine::isa::{CompileOptions, ElemType};
use engine::launch::{Argument, Fill, Launch, Pattern, Role};
use engine::sim::{MachineOptions, Outcome};
use engine::trace::{Trace, simulate};
use workbench::library;

use super::runs::{check_list, int, launch, run, try_run};

/// Claims that no run can verify, and the reasons: none.
const REASONS: &[(&str, &str)] = &[];

#[test]
fn every_claim_is_tested_or_has_a_reason() {
    check_list(
        include_str!("tensor.rs"),
        REASONS,
        &[('t', 23..=23), ('t', 46..=61), ('v', 41..=46)],
    );
}

/// Returns the elements of a matrix of whole numbers, row by row, as the launch fills them.
fn matrix(rows: usize, columns: usize, step: usize, modulo: usize, offset: i64) -> Vec<i64> {
    (0..rows * columns)
        .map(|idx| (idx * step % modulo) as i64 + offset)
        .collect()
}

fn buffer(elem: ElemType, values: &[i64], role: Role) -> Argument {
    Argument::Buffer {
        elem,
        len: values.len() as u32,
        fill: Fill::of(Pattern::List(values.iter().map(|value| *value as f64).collect())),
        role,
        start: 0,
    }
}

/// Returns the product of A (m x k, by rows) and B (k x n, by columns), plus C (m x n, by rows).
fn product([m, n, k]: [usize; 3], a: &[i64], b: &[i64], c: &[i64]) -> Vec<i64> {
    let element = |row: usize, column: usize| {
        let terms = (0..k).map(|depth| a[row * k + depth] * b[column * k + depth]);
        terms.sum::<i64>() + c[row * n + column]
    };
    (0..m * n).map(|idx| element(idx / n, idx % n)).collect()
}

/// Returns a kernel with one warp that computes D = A * B + C with fragments of this size.
fn kernel([m, n, k]: [usize; 3], factor: &str, sum: &str, fragment: &str) -> String {
    format!(
        "#include <mma.h>
        using namespace nvcuda;
        __global__ void f(const {factor} *a, const {factor} *b, const {sum} *c, {sum} *d) {{
            wmma::fragment<wmma::matrix_a, {m}, {n}, {k}, {fragment}, wmma::row_major> left;
            wmma::fragment<wmma::matrix_b, {m}, {n}, {k}, {fragment}, wmma::col_major> right;
            wmma::fragment<wmma::accumulator, {m}, {n}, {k}, {sum}> result;
            wmma::load_matrix_sync(left, a, {k});
            wmma::load_matrix_sync(right, b, {k});
            wmma::load_matrix_sync(result, c, {n}, wmma::mem_row_major);
            wmma::mma_sync(result, left, right, result);
            wmma::store_matrix_sync(d, result, {n}, wmma::mem_row_major);
        }}"
    )
}

/// Runs D = A * B + C in one warp and compares D with the product of whole numbers.
fn check(arch: ArchId, size: [usize; 3], factor: ElemType, sum: ElemType) {
    let [m, n, k] = size;
    let name = |elem| match elem {
        ElemType::F16 => "half",
        ElemType::F32 => "float",
        ElemType::I8 => "signed char",
        ElemType::U8 => "unsigned char",
        _ => "int",
    };
    // Products up to 6 times 4, so that sums stay exact in half precision.
    let (a, b) = (matrix(m, k, 5, 7, -2), matrix(n, k, 3, 5, 0));
    let (a, offset) = if factor == ElemType::U8 {
        (a.iter().map(|value| value + 2).collect(), 0)
    } else {
        (a, -3)
    };
    let c = matrix(m, n, 7, 11, offset);
    let args = vec![
        buffer(factor, &a, Role::In),
        buffer(factor, &b, Role::In),
        buffer(sum, &c, Role::In),
        buffer(sum, &vec![0; m * n], Role::Out),
    ];
    let source = kernel(size, name(factor), name(sum), name(factor));
    let trace = run(&source, arch, &launch(1, 32, 0, args), MachineOptions::default());
    let (_, bytes) = trace
        .outputs()
        .expect("the run has ended")
        .compared()
        .next()
        .expect("an output");
    let want = buffer(sum, &product(size, &a, &b, &c), Role::Out);
    let Argument::Buffer { elem, len, fill, .. } = want else {
        unreachable!("`buffer` returns buffers");
    };
    assert_eq!(
        bytes,
        fill.bytes(elem, len),
        "{arch}: {size:?}, {factor:?}, {sum:?}"
    );
}

/// The three sizes of fragments of halves and bytes.
const SIZES: [[usize; 3]; 3] = [[16, 16, 16], [32, 8, 16], [8, 32, 16]];

/// D = A * B + C from load, multiply-accumulate, and store. Factors are halves; sums are halves or floats.
#[test]
fn claim_t46_t48_t49_t51_t52_t54_v41_v42_v45_products_of_halves() {
    for arch in [ArchId::Gv100, ArchId::Tu102] {
        for size in SIZES {
            check(arch, size, ElemType::F16, ElemType::F32);
            check(arch, size, ElemType::F16, ElemType::F16);
        }
    }
    // Tensor cores are new on Volta.
    let source = kernel(SIZES[0], "half", "float", "half");
    let halves = |role| buffer(ElemType::F16, &[0; 256], role);
    let singles = |role| buffer(ElemType::F32, &[0; 256], role);
    let args = vec![
        halves(Role::In),
        halves(Role::In),
        singles(Role::In),
        singles(Role::Out),
    ];
    let launch = launch(1, 32, 0, args);
    let message = try_run(&source, ArchId::Gp100, &launch, MachineOptions::default(), None)
        .expect_err("compute capability 6.0 has no tensor cores");
    assert!(message.contains("7.0"), "{message}");
}

/// Integer factors of 8, 4, and 1 bits are new on Turing; their sums have 32 bits.
#[test]
fn claim_t47_t58_t59_products_of_bytes() {
    for size in SIZES {
        check(ArchId::Tu102, size, ElemType::I8, ElemType::I32);
        check(ArchId::Tu102, size, ElemType::U8, ElemType::I32);
    }
    // 16 products of 255 * 255 need more than 16 bits.
    let size = SIZES[0];
    let args = || {
        vec![
            buffer(ElemType::U8, &[255; 256], Role::In),
            buffer(ElemType::U8, &[255; 256], Role::In),
            buffer(ElemType::I32, &[1; 256], Role::In),
            buffer(ElemType::I32, &[0; 256], Role::Out),
        ]
    };
    let source = kernel(size, "unsigned char", "int", "unsigned char");
    let trace = run(
        &source,
        ArchId::Tu102,
        &launch(1, 32, 0, args()),
        MachineOptions::default(),
    );
    let (_, bytes) = trace
        .outputs()
        .expect("the run has ended")
        .compared()
        .next()
        .expect("an output");
    let want = (16 * 255 * 255 + 1i32).to_le_bytes();
    assert!(bytes.chunks_exact(4).all(|word| word == want));
    let message = try_run(
        &source,
        ArchId::Gv100,
        &launch(1, 32, 0, args()),
        MachineOptions::default(),
        None,
    )
    .expect_err("compute capability 7.0 multiplies halves only");
    assert!(message.contains("bytes"), "{message}");
}

/// Packs numbers into words, the first into the lowest bits.
fn packed(values: &[i64], bits: usize) -> Vec<i64> {
    let mask = (1i64 << bits) - 1;
    values
        .chunks(32 / bits)
        .map(|word| {
            word.iter()
                .enumerate()
                .map(|(idx, value)| (value & mask) << (idx * bits))
                .sum()
        })
        .collect()
}

/// Runs a product of packed factors of `bits` bits on TU102.
fn packed_product(size: [usize; 3], bits: usize, fragment: &str, a: &[i64], b: &[i64]) -> Vec<u8> {
    let [m, n, k] = size;
    let source = format!(
        "#include <mma.h>
        using namespace nvcuda;
        using namespace nvcuda::wmma::experimental;
        __global__ void f(const unsigned *a, const unsigned *b, int *d) {{
            wmma::fragment<wmma::matrix_a, {m}, {n}, {k}, {fragment}, wmma::row_major> left;
            wmma::fragment<wmma::matrix_b, {m}, {n}, {k}, {fragment}, wmma::col_major> right;
            wmma::fragment<wmma::accumulator, {m}, {n}, {k}, int> result;
            wmma::fill_fragment(result, 0);
            wmma::load_matrix_sync(left, a, {k});
            wmma::load_matrix_sync(right, b, {k});
            {}(result, left, right, result);
            wmma::store_matrix_sync(d, result, {n}, wmma::mem_row_major);
        }}",
        if bits == 1 {
            "wmma::bmma_sync"
        } else {
            "wmma::mma_sync"
        }
    );
    let args = vec![
        buffer(ElemType::U32, &packed(a, bits), Role::In),
        buffer(ElemType::U32, &packed(b, bits), Role::In),
        buffer(ElemType::I32, &vec![0; m * n], Role::Out),
    ];
    let trace = run(
        &source,
        ArchId::Tu102,
        &launch(1, 32, 0, args),
        MachineOptions::default(),
    );
    trace
        .outputs()
        .expect("the run has ended")
        .compared()
        .next()
        .expect("an output")
        .1
}

fn words(values: &[i64]) -> Vec<u8> {
    values
        .iter()
        .flat_map(|value| (*value as i32).to_le_bytes())
        .collect()
}

/// Numbers of four bits: 8 x 8 x 32. Bits: 8 x 8 x 128, where a product counts the bits that differ.
#[test]
fn claim_t58_t60_t61_products_of_four_bits_and_of_one_bit() {
    let size = [8, 8, 32];
    let (a, b) = (matrix(8, 32, 5, 16, -8), matrix(8, 32, 3, 13, -6));
    let got = packed_product(size, 4, "precision::s4", &a, &b);
    assert_eq!(got, words(&product(size, &a, &b, &[0; 64])));

    let size = [8, 8, 128];
    let (a, b) = (matrix(8, 128, 5, 7, 0), matrix(8, 128, 3, 11, 0));
    let bits = |values: &[i64]| values.iter().map(|value| value % 2).collect::<Vec<_>>();
    let (a, b) = (bits(&a), bits(&b));
    let got = packed_product(size, 1, "precision::b1", &a, &b);
    let differing = |row: usize, column: usize| {
        (0..128)
            .filter(|depth| a[row * 128 + depth] != b[column * 128 + depth])
            .count() as i64
    };
    let want: Vec<i64> = (0..64).map(|idx| differing(idx / 8, idx % 8)).collect();
    assert_eq!(got, words(&want));
}

/// 1 + 2^-10 squared is 1 + 2^-9 + 2^-20, which needs 21 bits. A float sum of one such product has all of them; a half has
/// 11 bits. Added to -1, the rest 2^-9 + 2^-20 remains.
#[test]
fn claim_t53_v43_products_are_exact_and_sums_are_floats() {
    let size = SIZES[0];
    let mut factors = vec![0.0; 256];
    for row in 0..16 {
        factors[row * 16] = 1.0 + 1.0 / 1024.0;
    }
    let list = |elem, values: &[f64], role| Argument::Buffer {
        elem,
        len: 256,
        fill: Fill::of(Pattern::List(values.to_vec())),
        role,
        start: 0,
    };
    for arch in [ArchId::Gv100, ArchId::Tu102] {
        for (first, want) in [
            (0.0, 1.0f32 + 1.0 / 512.0 + 1.0 / 1_048_576.0),
            (-1.0, 1.0f32 / 512.0 + 1.0 / 1_048_576.0),
        ] {
            let args = vec![
                list(ElemType::F16, &factors, Role::In),
                list(ElemType::F16, &factors, Role::In),
                list(ElemType::F32, &[first; 256], Role::In),
                list(ElemType::F32, &[0.0; 256], Role::Out),
            ];
            let source = kernel(size, "half", "float", "half");
            let trace = run(&source, arch, &launch(1, 32, 0, args), MachineOptions::default());
            let (_, bytes) = trace
                .outputs()
                .expect("the run has ended")
                .compared()
                .next()
                .expect("an output");
            assert!(
                bytes.chunks_exact(4).all(|word| word == want.to_le_bytes()),
                "{arch}: {first}"
            );
        }
    }
}

/// A fragment is spread over all 32 lanes: a lane holds 8 of the 256 sums. A product of 32 x 32 consists of four such tiles
/// with two steps each.
#[test]
fn claim_t50_v44_v46_larger_products_consist_of_fragments_of_a_warp() {
    let lanes = "#include <mma.h>
        using namespace nvcuda;
        __global__ void f(int *d) {
            wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
            wmma::fill_fragment(sum, (float)threadIdx.x);
            __shared__ float tile[256];
            wmma::store_matrix_sync(tile, sum, 16, wmma::mem_row_major);
            __syncwarp();
            int own = 0;
            for (int i = 0; i < 256; ++i) own += tile[i] == threadIdx.x;
            d[threadIdx.x] = own * 100 + sum.num_elements;
        }";
    let tiles = "#include <mma.h>
        using namespace nvcuda;
        __global__ void f(const half *a, const half *b, float *d) {
            const int row = 16 * (threadIdx.x / 64), column = 16 * (threadIdx.x / 32 % 2);
            wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> left;
            wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> right;
            wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
            wmma::fill_fragment(sum, 0.0f);
            for (int k = 0; k < 32; k += 16) {
                wmma::load_matrix_sync(left, a + row * 32 + k, 32);
                wmma::load_matrix_sync(right, b + column * 32 + k, 32);
                wmma::mma_sync(sum, left, right, sum);
            }
            wmma::store_matrix_sync(d + row * 32 + column, sum, 32, wmma::mem_row_major);
        }";
    for arch in [ArchId::Gv100, ArchId::Tu102] {
        let args = vec![buffer(ElemType::I32, &[0; 32], Role::Out)];
        let trace = run(lanes, arch, &launch(1, 32, 0, args), MachineOptions::default());
        let (_, bytes) = trace
            .outputs()
            .expect("the run has ended")
            .compared()
            .next()
            .expect("an output");
        assert_eq!(bytes, words(&[808; 32]), "{arch}");

        let (a, b) = (matrix(32, 32, 5, 7, -2), matrix(32, 32, 3, 5, 0));
        let args = vec![
            buffer(ElemType::F16, &a, Role::In),
            buffer(ElemType::F16, &b, Role::In),
            buffer(ElemType::F32, &[0; 1024], Role::Out),
        ];
        let trace = run(tiles, arch, &launch(1, 128, 0, args), MachineOptions::default());
        let (_, bytes) = trace
            .outputs()
            .expect("the run has ended")
            .compared()
            .next()
            .expect("an output");
        let want = product([32, 32, 32], &a, &b, &[0; 1024]);
        let want: Vec<u8> = want
            .iter()
            .flat_map(|value| (*value as f32).to_le_bytes())
            .collect();
        assert_eq!(bytes, want, "{arch}");
    }
}

/// Multiply-adds per cycle of an SM with 16 warps, from the difference of two lengths of a loop.
fn rate(arch: ArchId, elem: ElemType, sum: ElemType, compile: &CompileOptions) -> f64 {
    let (factor, name) = if elem == ElemType::F16 {
        ("half", "float")
    } else {
        ("signed char", "int")
    };
    let source = format!(
        "#include <mma.h>
        using namespace nvcuda;
        __global__ void f(const {factor} *a, {name} *d, int n) {{
            wmma::fragment<wmma::matrix_a, 16, 16, 16, {factor}, wmma::row_major> left;
            wmma::fragment<wmma::matrix_b, 16, 16, 16, {factor}, wmma::row_major> right;
            wmma::fragment<wmma::accumulator, 16, 16, 16, {name}> first, second;
            wmma::load_matrix_sync(left, a, 16);
            wmma::load_matrix_sync(right, a, 16);
            wmma::fill_fragment(first, ({name})0);
            wmma::fill_fragment(second, ({name})0);
            #pragma unroll 1
            for (int k = 0; k < n; ++k) {{
                #pragma unroll
                for (int j = 0; j < 8; ++j) {{
                    wmma::mma_sync(first, left, right, first);
                    wmma::mma_sync(second, left, right, second);
                }}
            }}
            const int warp = threadIdx.x / 32;
            wmma::store_matrix_sync(d + 512 * warp, first, 16, wmma::mem_row_major);
            wmma::store_matrix_sync(d + 512 * warp + 256, second, 16, wmma::mem_row_major);
        }}"
    );
    let cycles = |rounds| {
        let args = vec![
            buffer(elem, &[1; 256], Role::In),
            buffer(sum, &[0; 16 * 512], Role::Out),
            int(rounds),
        ];
        let launch = launch(1, 512, 0, args);
        run_compiled(&source, arch, &launch, compile).num_cycles()
    };
    let multiply_adds = 16.0 * 16.0 * f64::from(16 * 16 * 16) * 16.0;
    multiply_adds / (cycles(24) - cycles(8)) as f64
}

/// Runs a kernel that is compiled with some options.
fn run_compiled(source: &str, arch: ArchId, launch: &Launch, options: &CompileOptions) -> Trace {
    let compiled = compile(source, None, arch, options).unwrap_or_else(|found| panic!("{arch}: {found:?}"));
    let program = Arc::new(compiled.program);
    let trace = simulate(architecture(arch), program, launch, MachineOptions::default())
        .unwrap_or_else(|error| panic!("{arch}: {error}"));
    assert_eq!(trace.outcome(), Some(&Outcome::Finished), "{arch}");
    trace
}

/// Eight tensor cores with 64 multiply-adds per cycle each: 512 per cycle and SM. Turing's integers of 8 bits are twice as
/// fast.
#[test]
fn claim_t23_eight_tensor_cores_of_64_multiply_adds() {
    for (arch, elem, sum, want) in [
        (ArchId::Gv100, ElemType::F16, ElemType::F32, 512.0),
        (ArchId::Tu102, ElemType::F16, ElemType::F32, 512.0),
        (ArchId::Tu102, ElemType::I8, ElemType::I32, 1024.0),
    ] {
        let rate = rate(arch, elem, sum, &CompileOptions::default());
        assert!(
            rate > 0.9 * want && rate <= 1.001 * want,
            "{arch}, {elem:?}: {rate}"
        );
    }
}

/// Compiled for 7.0.
const VOLTA_CODE: CompileOptions = CompileOptions {
    fmad: true,
    ftz: false,
    prec_div: true,
    prec_sqrt: true,
    fast_math: false,
    max_registers: None,
    pointers_32_bit: false,
    capability: Some(700),
};

/// Every kernel of the library, compiled for 7.0, computes the same on TU102 as on GV100. Code for 7.5 does not run on
/// 7.0, nor code for 6.1 on 7.5.
#[test]
fn claim_t55_a_volta_binary_runs_on_turing() {
    let kernels: Vec<_> = library::kernels()
        .filter(|kernel| !library::HAZARDS.contains(&kernel.id))
        .collect();
    assert!(kernels.len() > 50);
    for kernel in kernels {
        let launch = kernel.launch();
        let [volta, turing] = [ArchId::Gv100, ArchId::Tu102]
            .map(|arch| run_compiled(kernel.source, arch, &launch, &VOLTA_CODE));
        assert_eq!(turing.program().arch, ArchId::Gv100, "{}", kernel.id);
        assert_eq!(turing.program().code, volta.program().code, "{}", kernel.id);
        let outputs = |trace: &Trace| -> Vec<Vec<u8>> {
            let outputs = trace.outputs().expect("the run has ended");
            outputs.compared().map(|(_, bytes)| bytes).collect()
        };
        assert_eq!(outputs(&turing), outputs(&volta), "{}", kernel.id);
    }
    let source = "__global__ void f(int *d) { d[threadIdx.x] = threadIdx.x; }";
    let refused = |code, on| {
        let program = compile(source, None, code, &CompileOptions::default())
            .expect("it compiles")
            .program;
        let args = vec![buffer(ElemType::I32, &[0; 32], Role::Out)];
        let launch = launch(1, 32, 0, args);
        simulate(
            architecture(on),
            Arc::new(program),
            &launch,
            MachineOptions::default(),
        )
        .is_err()
    };
    assert!(refused(ArchId::Tu102, ArchId::Gv100));
    assert!(refused(ArchId::Gp104, ArchId::Tu102));
    assert!(!refused(ArchId::Gv100, ArchId::Tu102));
}

/// HMMA.884 of code for 7.0 reaches half of the 512 multiply-adds per cycle; code for 7.5 reaches all.
#[test]
fn claim_t56_t57_volta_code_has_half_of_the_tensor_peak_until_it_is_recompiled() {
    let rate = |compile| rate(ArchId::Tu102, ElemType::F16, ElemType::F32, compile);
    let (volta, turing) = (rate(&VOLTA_CODE), rate(&CompileOptions::default()));
    assert!(volta > 0.95 * 256.0 && volta <= 256.3, "{volta}");
    assert!(turing > 0.95 * 512.0 && turing <= 512.5, "{turing}");
}
