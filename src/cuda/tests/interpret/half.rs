//! Compares half precision with exactly computed numbers.

use cuda::interpret::{Limits, run};
use cuda::{compile, parse_with};
use engine::arch::ArchId;
use engine::isa::{CompileOptions, ElemType};
use engine::launch::{Argument, Fill, Launch, Pattern, Role};
use engine::sim::reference;

/// Architectures before 5.3 without half instructions, with them, with HADD2.F32, and with F2FP and HMNMX2.
const ARCHS: [ArchId; 5] = [
    ArchId::Gk110,
    ArchId::Gp100,
    ArchId::Tu102,
    ArchId::Ga100,
    ArchId::Gh100,
];

/// A function of one number.
type Function = fn(f64) -> f64;

/// What a kernel `k` with one thread for each of `num` elements leaves in its last argument, a buffer of `len`
/// 16-bit words: on each architecture, and in the interpreter.
fn outputs(source: &str, archs: &[ArchId], inputs: &[&[u16]], num: u32, len: u32) -> Vec<(String, Vec<u16>)> {
    let buffer = |values: Vec<f64>, role| Argument::Buffer {
        elem: ElemType::U16,
        len: values.len() as u32,
        fill: Fill::of(Pattern::List(values)),
        role,
        start: 0,
    };
    let mut args: Vec<_> = inputs
        .iter()
        .map(|input| buffer(input.iter().map(|bits| f64::from(*bits)).collect(), Role::In))
        .collect();
    args.push(Argument::Buffer {
        elem: ElemType::U16,
        len,
        fill: Fill::of(Pattern::Zero),
        role: Role::Out,
        start: 0,
    });
    let last = args.len() - 1;
    let launch = Launch {
        grid: [num / 128, 1, 1],
        block: [128, 1, 1],
        dynamic_shared: 0,
        args,
        symbols: Vec::new(),
    };
    let options = CompileOptions {
        fmad: false,
        ..CompileOptions::default()
    };
    let halves = |bytes: &[u8]| {
        let (pairs, _) = bytes.as_chunks::<2>();
        pairs
            .iter()
            .map(|pair| u16::from_le_bytes(*pair))
            .collect::<Vec<_>>()
    };
    let mut out = Vec::new();
    for arch in archs {
        let program = compile(source, Some("k"), *arch, &options).unwrap().program;
        let result = reference::run(&program, &launch).unwrap();
        out.push((format!("{arch:?}"), halves(&result.argument(last).unwrap())));
    }
    let parsed = parse_with(source, archs[archs.len() - 1], &options);
    let outcome = run(&parsed.unit.unwrap(), "k", &launch, Limits::default()).unwrap();
    out.push(("interpreted".to_owned(), halves(&outcome.buffers[last].bytes)));
    out
}

fn value(bits: u16) -> f64 {
    let fraction = f64::from(bits & 0x3ff);
    let magnitude = match bits >> 10 & 31 {
        0 => fraction * libm::exp2(-24.0),
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        exponent => (1024.0 + fraction) * libm::exp2(f64::from(i32::from(exponent) - 25)),
    };
    if bits >> 15 == 1 { -magnitude } else { magnitude }
}

/// The half nearest to `units` times 2^-48, found by trying the halves on both sides; ties go to even.
fn nearest(units: i128) -> u16 {
    let exact = |bits: u16| {
        let fraction = i128::from(bits & 0x3ff);
        match bits >> 10 & 31 {
            0 => fraction << 24,
            // Infinity takes the place of the next number.
            exponent => (1024 + fraction) << (23 + exponent),
        }
    };
    let magnitude = units.abs();
    let (mut low, mut high) = (0_u16, 0x7c00_u16);
    if magnitude >= exact(high) {
        low = high;
    }
    while high - low > 1 && low < high {
        let middle = u16::midpoint(low, high);
        if exact(middle) <= magnitude {
            low = middle;
        } else {
            high = middle;
        }
    }
    let (below, above) = (magnitude - exact(low), exact(high) - magnitude);
    let up = low != high && (above < below || (above == below && high % 2 == 0));
    let bits = if up { high } else { low };
    bits | if units < 0 { 0x8000 } else { 0 }
}

/// A finite half in units of 2^-24.
fn units(bits: u16) -> i128 {
    (value(bits) * libm::exp2(24.0)) as i128
}

fn random(num: usize, mut state: u64) -> Vec<u16> {
    let special = [
        0, 0x8000, 1, 0x8001, 0x3ff, 0x400, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00, 0x3c00, 0x3bff,
    ];
    (0..num)
        .map(|_| {
            state = state
                .wrapping_mul(0x5851_f42d_4c95_7f2d)
                .wrapping_add(0x1405_7b7e_f767_814f);
            let bits = (state >> 40) as u16;
            match state >> 60 {
                0 => special[usize::from(bits) % special.len()],
                // Similar magnitudes, so that sums cancel.
                1..=6 => bits & 0x83ff | 0x3800 | (bits >> 3 & 0x400),
                _ => bits,
            }
        })
        .collect()
}

/// The bits, with every NaN replaced by one NaN.
fn canonical(bits: u16) -> u16 {
    if value(bits).is_nan() { 0x7fff } else { bits }
}

#[test]
fn arithmetic_is_rounded_once() {
    let num = 8192_u32;
    let n = num as usize;
    let (x, y, z) = (random(n, 1), random(n, 2), random(n, 3));
    let source = "#include <cuda_fp16.h>
        __global__ void k(const half *x, const half *y, const half *z, half *o) {
            int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
            half a = x[i], b = y[i], c = z[i];
            half2 p(a, b), q(b, c);
            o[i] = a + b;
            o[n + i] = a - b;
            o[2 * n + i] = a * b;
            o[3 * n + i] = __hfma(a, b, c);
            o[4 * n + i] = __low2half(p + q);
            o[5 * n + i] = __high2half(__hfma2(q, p, p));
            o[6 * n + i] = __high2half(p * q);
            o[7 * n + i] = a / b;
            o[8 * n + i] = __hmax(a, b);
            half d = a;
            d += b;
            o[9 * n + i] = d;
            o[10 * n + i] = __float2half(__half2float(a) * 0.75f);
        }";
    let special = |value: f64| match value {
        value if value.is_nan() => Some(0x7fff),
        value if value.is_infinite() => Some(if value > 0.0 { 0x7c00 } else { 0xfc00 }),
        _ => None,
    };
    // A zero has the sign of the sum of doubles.
    let of_units = |units: i128, double: f64| match special(double) {
        Some(bits) => bits,
        None if units == 0 && double.is_sign_negative() => 0x8000,
        None => nearest(units),
    };
    let sum = |a: u16, b: u16| {
        of_units(
            if special(value(a) + value(b)).is_some() {
                0
            } else {
                (units(a) + units(b)) << 24
            },
            value(a) + value(b),
        )
    };
    // Before 5.3 the sum is first rounded to single precision, as in CUDA's header.
    let fused = |a: u16, b: u16, c: u16, has_halves: bool| {
        if !has_halves {
            let [a, b, c] = [a, b, c].map(|bits| value(bits) as f32);
            return cuda::ir::fold::half_from_f64(libm::fmaf(a, b, c).into(), cuda::ir::Rounding::Rn);
        }
        let double = libm::fma(value(a), value(b), value(c));
        of_units(
            if special(double).is_some() {
                0
            } else {
                units(a) * units(b) + (units(c) << 24)
            },
            double,
        )
    };
    for (name, got) in outputs(source, &ARCHS, &[&x, &y, &z], num, 11 * num) {
        for i in 0..n {
            let (a, b, c) = (x[i], y[i], z[i]);
            let product = |a: u16, b: u16| {
                let double = value(a) * value(b);
                of_units(
                    if special(double).is_some() {
                        0
                    } else {
                        units(a) * units(b)
                    },
                    double,
                )
            };
            let quotient = value(a) / value(b);
            let quotient = match special(quotient) {
                Some(bits) => bits,
                None => cuda::ir::fold::half_from_f64(quotient, cuda::ir::Rounding::Rn),
            };
            let max = match (value(a).is_nan(), value(b).is_nan()) {
                (true, true) => 0x7fff,
                (true, false) => b,
                (false, true) => a,
                _ if value(a) > value(b) || (value(a) == value(b) && a >> 15 == 0) => a,
                _ => b,
            };
            let scaled = (value(a) as f32) * 0.75;
            let expected = [
                sum(a, b),
                sum(a, b ^ 0x8000),
                product(a, b),
                fused(a, b, c, name != "Gk110"),
                sum(a, b),
                fused(c, b, b, name != "Gk110"),
                product(b, c),
                quotient,
                max,
                sum(a, b),
                cuda::ir::fold::half_from_f64(scaled.into(), cuda::ir::Rounding::Rn),
            ];
            for (idx, expected) in expected.into_iter().enumerate() {
                let got = got[idx * n + i];
                assert_eq!(
                    canonical(got),
                    canonical(expected),
                    "{name}, {idx}: {a:#x} {b:#x} {c:#x}"
                );
            }
        }
    }
}

#[test]
fn functions_return_the_nearest_half_for_every_argument() {
    let source = "#include <cuda_fp16.h>
        __global__ void k(half *o) {
            int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
            half a = __ushort_as_half((unsigned short)i);
            o[i] = hexp(a);
            o[n + i] = hexp2(a);
            o[2 * n + i] = hexp10(a);
            o[3 * n + i] = hlog(a);
            o[4 * n + i] = hlog2(a);
            o[5 * n + i] = hlog10(a);
            o[6 * n + i] = hsqrt(a);
            o[7 * n + i] = hrsqrt(a);
            o[8 * n + i] = hrcp(a);
            o[9 * n + i] = hsin(a);
            o[10 * n + i] = hcos(a);
            o[11 * n + i] = htrunc(a);
            o[12 * n + i] = hceil(a);
            o[13 * n + i] = (half)(float)a;
            o[14 * n + i] = (half)((int)a / 2);
        }";
    let functions: [(&str, Function); 13] = [
        ("hexp", libm::exp),
        ("hexp2", libm::exp2),
        ("hexp10", libm::exp10),
        ("hlog", libm::log),
        ("hlog2", libm::log2),
        ("hlog10", libm::log10),
        ("hsqrt", f64::sqrt),
        ("hrsqrt", |x| 1.0 / x.sqrt()),
        ("hrcp", |x| 1.0 / x),
        ("hsin", libm::sin),
        ("hcos", libm::cos),
        ("htrunc", f64::trunc),
        ("hceil", f64::ceil),
    ];
    for (machine, got) in outputs(source, &[ArchId::Tu102, ArchId::Gh100], &[], 65_536, 15 * 65_536) {
        for (idx, (name, exact)) in functions.iter().enumerate() {
            let wrong: Vec<String> = (0..=u16::MAX)
                .filter_map(|bits| {
                    let exact = exact(value(bits));
                    let expected = cuda::ir::fold::half_from_f64(exact, cuda::ir::Rounding::Rn);
                    let got = got[idx * 65_536 + usize::from(bits)];
                    (canonical(got) != canonical(expected))
                        .then(|| format!("{bits:#x}: {got:#x}, not {expected:#x}"))
                })
                .collect();
            assert!(
                wrong.is_empty(),
                "{machine}: {} of {name}: {:?}",
                wrong.len(),
                &wrong[..wrong.len().min(12)]
            );
        }
        for bits in 0..=u16::MAX {
            let same = got[13 * 65_536 + usize::from(bits)];
            assert_eq!(
                canonical(same),
                canonical(bits),
                "{machine}: {bits:#x} by way of float"
            );
            let whole = f64::from(value(bits) as i32 / 2);
            let expected = cuda::ir::fold::half_from_f64(whole, cuda::ir::Rounding::Rn);
            let got = got[14 * 65_536 + usize::from(bits)];
            assert_eq!(got, expected, "{machine}: {bits:#x} by way of int");
        }
    }
}

/// The value of a `__nv_bfloat16` with these bits.
fn wide_value(bits: u16) -> f64 {
    f64::from(f32::from_bits(u32::from(bits) << 16))
}

/// The nearest `__nv_bfloat16`, found by its neighbors; ties go to even.
fn nearest_wide(number: f64) -> u16 {
    if number.is_nan() {
        return 0x7fff;
    }
    let magnitude = number.abs();
    let (mut low, mut high) = (0_u16, 0x7f80_u16);
    while high - low > 1 {
        let middle = u16::midpoint(low, high);
        if wide_value(middle) <= magnitude {
            low = middle;
        } else {
            high = middle;
        }
    }
    // Infinity takes the place of the next number.
    let above = if high == 0x7f80 {
        libm::exp2(128.0)
    } else {
        wide_value(high)
    };
    let (down, up) = (magnitude - wide_value(low), above - magnitude);
    let bits = if up < down || (up == down && high % 2 == 0) {
        high
    } else {
        low
    };
    bits | if number.is_sign_negative() { 0x8000 } else { 0 }
}

#[test]
fn bfloat16_arithmetic_is_rounded_once() {
    let num = 8192_u32;
    let n = num as usize;
    // Exponents near 0, so that doubles hold every result exactly; the first operands also have others.
    let near_one = |bits: u16| bits & 0x87ff | 0x3c00;
    let inputs = [4, 5, 6].map(|seed| random(n, seed).into_iter().map(near_one).collect::<Vec<_>>());
    let [x, y, z] = &inputs;
    let source = "#include <cuda_bf16.h>
        __global__ void k(const __nv_bfloat16 *x, const __nv_bfloat16 *y, const __nv_bfloat16 *z, __nv_bfloat16 *o) {
            int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
            __nv_bfloat16 a = x[i], b = y[i], c = z[i];
            __nv_bfloat162 p(a, b), q(b, c);
            o[i] = a + b;
            o[n + i] = a - b;
            o[2 * n + i] = a * b;
            o[3 * n + i] = __hfma(a, b, c);
            o[4 * n + i] = __low2bfloat16(p + q);
            o[5 * n + i] = __high2bfloat16(__hfma2(q, p, p));
            o[6 * n + i] = __hmax(a, b);
            o[7 * n + i] = -a;
            o[8 * n + i] = __float2bfloat16(__bfloat162float(a) * 0.7f);
            o[9 * n + i] = (double)a / 3;
            o[10 * n + i] = (int)(a * (__nv_bfloat16)100000.0f);
            o[11 * n + i] = a < b ? b : c;
            o[12 * n + i] = __high2bfloat16(__floats2bfloat162_rn(a, __bfloat162float(b) * 1.01f));
        }";
    for (name, got) in outputs(source, &ARCHS, &[x, y, z], num, 13 * num) {
        for i in 0..n {
            let bits = [x[i], y[i], z[i]];
            let [a, b, c] = bits.map(wide_value);
            // Before 8.0 the sum is first rounded to single precision, as in CUDA's header.
            let fused = |a: f64, b: f64, c: f64| match name.as_str() {
                "Gk110" | "Gp100" | "Tu102" => libm::fmaf(a as f32, b as f32, c as f32).into(),
                _ => a * b + c,
            };
            let expected = [
                a + b,
                a - b,
                a * b,
                fused(a, b, c),
                a + b,
                fused(c, b, b),
                a.max(b),
                -a,
                f64::from(a as f32 * 0.7),
                a / 3.0,
                f64::from(wide_value(nearest_wide(a * wide_value(nearest_wide(100_000.0)))) as i32),
                if a < b { b } else { c },
                f64::from(b as f32 * 1.01),
            ];
            for (idx, expected) in expected.into_iter().enumerate() {
                let got = got[idx * n + i];
                assert_eq!(got, nearest_wide(expected), "{name}, {idx}: {bits:x?}");
            }
        }
    }
}

#[test]
fn bfloat16_conversions_preserve_every_number() {
    let source = "#include <cuda_bf16.h>
        __global__ void k(unsigned short *o) {
            int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
            __nv_bfloat16 a = __ushort_as_bfloat16((unsigned short)i);
            o[i] = __bfloat16_as_ushort(__float2bfloat16(__bfloat162float(a)));
            o[n + i] = __bfloat16_as_ushort(__float2bfloat16(__int_as_float(i << 16 | 0x8000)));
            o[2 * n + i] = __bfloat16_as_ushort(__float2bfloat16_rz(__int_as_float(i << 16 | 0x8000)));
        }";
    for (name, got) in outputs(source, &ARCHS, &[], 65_536, 3 * 65_536) {
        for bits in 0..=u16::MAX {
            let idx = usize::from(bits);
            let same = if wide_value(bits).is_nan() { 0x7fff } else { bits };
            assert_eq!(got[idx], same, "{name}: {bits:#x}");
            let tie = f64::from(f32::from_bits(u32::from(bits) << 16 | 0x8000));
            assert_eq!(
                got[65_536 + idx],
                nearest_wide(tie),
                "{name}: a tie above {bits:#x}"
            );
            let cut = if tie.is_nan() { 0x7fff } else { bits };
            assert_eq!(got[2 * 65_536 + idx], cut, "{name}: {bits:#x} toward zero");
        }
    }
}

/// Products of integers, which every order of additions computes exactly, in all layouts and shapes.
#[test]
fn tensor_cores_multiply_matrices() {
    let source = |shape: [usize; 3], layouts: [&str; 2], factor: &str, sum: &str, to: &str| {
        let [m, n, k] = shape;
        format!(
            "#include <mma.h>
            using namespace nvcuda;
            __global__ void k(const {factor} *a, const {factor} *b, const unsigned short *c, unsigned short *o) {{
                __shared__ {sum} sums[{m} * {n}], more[{m} * {n}];
                if (threadIdx.x >= 32) return;
                for (int i = threadIdx.x; i < {m} * {n}; i += 32) more[i] = (float)c[i];
                __syncwarp();
                wmma::fragment<wmma::matrix_a, {m}, {n}, {k}, {factor}, wmma::{}> left;
                wmma::fragment<wmma::matrix_b, {m}, {n}, {k}, {factor}, wmma::{}> right;
                wmma::fragment<wmma::accumulator, {m}, {n}, {k}, {sum}> zero, product;
                wmma::load_matrix_sync(left, a, {});
                wmma::load_matrix_sync(right, b, {});
                wmma::load_matrix_sync(zero, more, {n}, wmma::mem_row_major);
                wmma::fill_fragment(product, {sum}(1.0f));
                for (int i = 0; i < 2; i++) wmma::mma_sync(product, left, right, product);
                for (int i = 0; i < product.num_elements; i++) product.x[i] += zero.x[i];
                wmma::store_matrix_sync(sums, product, {}, wmma::{to});
                __syncwarp();
                for (int i = threadIdx.x; i < {m} * {n}; i += 32) o[i] = (unsigned short)(int)(float)sums[i];
            }}",
            layouts[0],
            layouts[1],
            if layouts[0] == "row_major" { k } else { m },
            if layouts[1] == "row_major" { n } else { k },
            if to == "mem_row_major" { n } else { m },
        )
    };
    let k = 16;
    for (shape, layouts, factor, sum, to) in [
        (
            [16, 16, k],
            ["row_major", "col_major"],
            "half",
            "float",
            "mem_row_major",
        ),
        (
            [16, 16, k],
            ["col_major", "row_major"],
            "half",
            "half",
            "mem_col_major",
        ),
        (
            [32, 8, k],
            ["row_major", "row_major"],
            "half",
            "float",
            "mem_row_major",
        ),
        (
            [32, 8, k],
            ["col_major", "col_major"],
            "half",
            "float",
            "mem_col_major",
        ),
        (
            [8, 32, k],
            ["row_major", "col_major"],
            "half",
            "half",
            "mem_row_major",
        ),
        (
            [8, 32, k],
            ["col_major", "row_major"],
            "half",
            "float",
            "mem_col_major",
        ),
        (
            [16, 16, k],
            ["row_major", "col_major"],
            "__nv_bfloat16",
            "float",
            "mem_row_major",
        ),
    ] {
        let [m, n, _] = shape;
        let is_bfloat16 = factor != "half";
        let number = |value: usize| {
            if is_bfloat16 {
                ((value as f32).to_bits() >> 16) as u16
            } else {
                cuda::ir::fold::half_from_f64(value as f64, cuda::ir::Rounding::Rn)
            }
        };
        let left = |row: usize, depth: usize| (row * 3 + depth * 5) % 7;
        let right = |depth: usize, column: usize| (depth * 2 + column * 3) % 5;
        let mut a = vec![0; m * k];
        let mut b = vec![0; k * n];
        let c: Vec<u16> = (0..m * n).map(|idx| (idx % 11) as u16).collect();
        for depth in 0..k {
            for row in 0..m {
                let at = if layouts[0] == "row_major" {
                    row * k + depth
                } else {
                    depth * m + row
                };
                a[at] = number(left(row, depth));
            }
            for column in 0..n {
                let at = if layouts[1] == "row_major" {
                    depth * n + column
                } else {
                    column * k + depth
                };
                b[at] = number(right(depth, column));
            }
        }
        let archs: &[ArchId] = if is_bfloat16 {
            &[ArchId::Ga102, ArchId::Gh100]
        } else {
            &[ArchId::Gv100, ArchId::Tu102, ArchId::Ga100, ArchId::Gh100]
        };
        let source = source(shape, layouts, factor, sum, to);
        for (name, got) in outputs(&source, archs, &[&a, &b, &c], 128, (m * n) as u32) {
            for row in 0..m {
                for column in 0..n {
                    let product: usize = (0..k).map(|depth| left(row, depth) * right(depth, column)).sum();
                    let expected = 1 + 2 * product + (row * n + column) % 11;
                    let at = if to == "mem_row_major" {
                        row * n + column
                    } else {
                        column * m + row
                    };
                    let what = format!("{name}, {shape:?} {layouts:?} {factor} {sum}: {row}, {column}");
                    assert_eq!(usize::from(got[at]), expected, "{what}");
                }
            }
        }
    }
}

#[test]
fn tensor_core_types_depend_on_the_architecture() {
    let source = "#include <mma.h>
        using namespace nvcuda;
        __global__ void k(float *o) {
            wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
            wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> b;
            wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;
            wmma::fill_fragment(a, half(1));
            wmma::fill_fragment(b, half(1));
            wmma::fill_fragment(c, 0.0f);
            wmma::mma_sync(c, a, b, c);
            wmma::store_matrix_sync(o, c, 16, wmma::mem_row_major);
        }";
    let options = CompileOptions::default();
    let double = source
        .replace("16, 16, 16, half", "8, 8, 4, double")
        .replace("16, 16, 16, float", "8, 8, 4, double")
        .replace("half(1)", "1.0");
    let double = double.replace("float *o", "double *o");
    for (source, arch, expected) in [
        (
            source,
            ArchId::Gp100,
            "Tensor cores multiply halves from compute capability 7.0 on",
        ),
        (
            &*double,
            ArchId::Tu102,
            "__nv_bfloat16, tf32, and double from 8.0 on",
        ),
    ] {
        let parsed = parse_with(source, arch, &options);
        let messages: Vec<&str> = parsed
            .diagnostics
            .iter()
            .map(|found| found.message.as_str())
            .collect();
        assert!(
            messages.iter().any(|message| message.contains(expected)),
            "{arch:?}: {messages:?}"
        );
    }
    assert!(compile(source, Some("k"), ArchId::Gv100, &options).is_ok());
    assert!(compile(&double, Some("k"), ArchId::Ga100, &options).is_ok());
}
