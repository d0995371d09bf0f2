//! Arithmetic from 1.x to 2.0: F40 to F52 of the Fermi guide. The expected values are computed on the host: its single
//! precision follows IEEE 754-2008.

use std::sync::Arc;

use cuda::compile;
use engine::arch::{ArchId, architecture};
use engine::isa::{CompileOptions, ElemType, Program};
use engine::launch::{Argument, Fill, Launch, Pattern, Role};
use engine::sim::{MachineOptions, Outcome};
use engine::trace::{Trace, simulate};

use super::runs::{check_list, launch};

/// Claims that no run can verify, and the reasons.
const REASONS: &[(&str, &str)] = &[];

/// Architectures from Fermi on whose arithmetic the guide's claims describe.
const SINCE_FERMI: [ArchId; 4] = [ArchId::Gf100, ArchId::Gp104, ArchId::Gv100, ArchId::Tu102];

#[test]
fn every_claim_is_tested_or_has_a_reason() {
    check_list(include_str!("arithmetic.rs"), REASONS, &[('f', 40..=52)]);
}

fn program(source: &str, arch: ArchId, options: &CompileOptions) -> Program {
    compile(source, None, arch, options)
        .unwrap_or_else(|found| panic!("{arch}: {found:?}"))
        .program
}

/// Returns the number of instructions whose names start with a text.
fn count(program: &Program, name: &str) -> usize {
    let listing = program.listing();
    let instructions = listing.lines().filter_map(|line| line.split("*/ ").nth(1));
    instructions.filter(|text| text.starts_with(name)).count()
}

fn run(source: &str, arch: ArchId, launch: &Launch, options: &CompileOptions) -> Trace {
    let program = Arc::new(program(source, arch, options));
    let trace = simulate(architecture(arch), program, launch, MachineOptions::default())
        .unwrap_or_else(|error| panic!("{arch}: {error}"));
    assert_eq!(trace.outcome(), Some(&Outcome::Finished), "{arch}");
    trace
}

/// Returns a buffer of words; an output is zero-initialized.
fn words(values: &[u32], role: Role) -> Argument {
    Argument::Buffer {
        elem: ElemType::U32,
        len: values.len() as u32,
        fill: Fill::of(Pattern::List(
            values.iter().map(|bits| f64::from(*bits)).collect(),
        )),
        role,
        start: 0,
    }
}

/// Returns a word for each element, computed by an expression of the floats x, y, and z.
fn floats_of(expression: &str, arch: ArchId, options: &CompileOptions, inputs: &[[u32; 3]]) -> Vec<u32> {
    words_of(
        &format!(
            "float x = __uint_as_float(a[i]), y = __uint_as_float(b[i]), z = __uint_as_float(c[i]);
                  unsigned result = __float_as_uint({expression});"
        ),
        arch,
        options,
        inputs,
    )
    .1
}

/// Runs statements that compute `result` from the words a[i], b[i], and c[i]. Returns the run and the results.
fn words_of(
    statements: &str,
    arch: ArchId,
    options: &CompileOptions,
    inputs: &[[u32; 3]],
) -> (Trace, Vec<u32>) {
    let source = format!(
        "__global__ void f(const unsigned *a, const unsigned *b, const unsigned *c, unsigned *out) {{
            int i = blockIdx.x * blockDim.x + threadIdx.x;
            {statements}
            out[i] = result;
        }}"
    );
    let of = |k: usize| inputs.iter().map(|input| input[k]).collect::<Vec<_>>();
    let args = vec![
        words(&of(0), Role::In),
        words(&of(1), Role::In),
        words(&of(2), Role::In),
        words(&vec![0; inputs.len()], Role::Out),
    ];
    let trace = run(
        &source,
        arch,
        &launch(inputs.len() as u32 / 128, 128, 0, args),
        options,
    );
    let outputs = trace.outputs().expect("the run has ended");
    let (_, bytes) = outputs.compared().next().expect("a buffer is compared");
    let results = bytes
        .chunks_exact(4)
        .map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]))
        .collect();
    (trace, results)
}

/// Returns 1,024 random triples of words.
fn random() -> Vec<[u32; 3]> {
    let mut state = 1u32;
    let mut next = || {
        // xorshift32, Marsaglia 2003.
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state
    };
    (0..1024).map(|_| [next(), next(), next()]).collect()
}

/// Returns random floats between 1 and 2, and z close to minus the product of x and y.
fn near_cancellation() -> Vec<[u32; 3]> {
    let unit = |bits: u32| f32::from_bits(0x3f80_0000 | bits >> 9);
    random()
        .into_iter()
        .map(|[a, b, _]| {
            let (x, y) = (unit(a), unit(b));
            [x.to_bits(), y.to_bits(), (-(x * y)).to_bits()]
        })
        .collect()
}

/// Compares floats by their bits; all NaNs are equal.
fn assert_floats(got: &[u32], want: impl Fn(f32, f32, f32) -> f32, inputs: &[[u32; 3]], what: &str) {
    for (got, input) in got.iter().zip(inputs) {
        let [x, y, z] = input.map(f32::from_bits);
        let want = want(x, y, z);
        let is_same = *got == want.to_bits() || f32::from_bits(*got).is_nan() && want.is_nan();
        assert!(
            is_same,
            "{what} of {x:e}, {y:e}, {z:e}: {:e}, not {want:e}",
            f32::from_bits(*got)
        );
    }
}

fn default_options() -> CompileOptions {
    CompileOptions::default()
}

/// A 32-bit product takes several instructions on GT200 and one on GF100. `__mul24` and `__umul24` are one instruction on
/// GT200 and several on GF100. All have the same values on both.
#[test]
fn claim_f40_f41_f42_f43_products_of_32_and_24_bits() {
    let kernel = |product: &str| {
        format!("__global__ void f(const int *in, int *out) {{ out[0] = {product}; }}")
            .replace('x', "in[0]")
            .replace('y', "in[1]")
    };
    let products = |arch, product: &str| {
        let program = program(&kernel(product), arch, &default_options());
        program.code.len()
    };
    for (arch, cheap, dear) in [
        (ArchId::Gt200, "__mul24(x, y)", "x * y"),
        (ArchId::Gf100, "x * y", "__mul24(x, y)"),
    ] {
        assert!(
            products(arch, dear) >= products(arch, cheap) + 2,
            "{arch}: {}, {}",
            products(arch, dear),
            products(arch, cheap)
        );
        // The same kernel without a product, and the native instruction.
        assert_eq!(products(arch, cheap), products(arch, "x + y"), "{arch}");
    }
    let tesla = program(&kernel("x * y"), ArchId::Gt200, &default_options());
    assert!(count(&tesla, "IMAD.U16") >= 3, "{}", tesla.listing());
    let fermi = program(&kernel("x * y"), ArchId::Gf100, &default_options());
    assert_eq!(count(&fermi, "IMUL"), 1, "{}", fermi.listing());

    let inputs = random();
    let sign_extended = |word: u32| (word << 8) as i32 >> 8;
    for arch in [ArchId::Gt200, ArchId::Gf100] {
        let results = |expression: &str| {
            words_of(
                &format!("unsigned result = {expression};"),
                arch,
                &default_options(),
                &inputs,
            )
            .1
        };
        for (((whole, signed), unsigned), [a, b, _]) in results("a[i] * b[i]")
            .into_iter()
            .zip(results("__mul24((int)a[i], (int)b[i])"))
            .zip(results("__umul24(a[i], b[i])"))
            .zip(&inputs)
        {
            assert_eq!(whole, a.wrapping_mul(*b), "{arch}");
            assert_eq!(
                signed as i32,
                sign_extended(*a).wrapping_mul(sign_extended(*b)),
                "{arch}"
            );
            assert_eq!(unsigned, (a & 0xff_ffff).wrapping_mul(b & 0xff_ffff), "{arch}");
        }
    }
}

/// FMAD of 1.x cuts the product to 24 bits and rounds the sum. FFMA rounds once. The results differ between GT200 and GF100.
#[test]
fn claim_f45_f46_f47_fmad_cuts_the_product_and_ffma_rounds_once() {
    let inputs = near_cancellation();
    let sums = |arch, options: &CompileOptions| floats_of("x * y + z", arch, options, &inputs);
    let (tesla, fermi) = (
        sums(ArchId::Gt200, &default_options()),
        sums(ArchId::Gf100, &default_options()),
    );
    // A product of two floats is exact in double precision.
    let cut = |x: f32, y: f32| {
        let exact = f64::from(x) * f64::from(y);
        f64::from_bits(exact.to_bits() & !((1 << 29) - 1))
    };
    // The terms nearly cancel, so that the sum of the cut product is exact in double precision, too.
    assert_floats(
        &tesla,
        |x, y, z| (cut(x, y) + f64::from(z)) as f32,
        &inputs,
        "FMAD",
    );
    assert_floats(&fermi, f32::mul_add, &inputs, "FFMA");
    let num_different = tesla.iter().zip(&fermi).filter(|(a, b)| a != b).count();
    assert!(num_different > 900, "{num_different}");
    // Two instructions round the product, and give the same result on both.
    let apart = CompileOptions {
        fmad: false,
        ..default_options()
    };
    for arch in [ArchId::Gf100, ArchId::Gt200] {
        assert_floats(&sums(arch, &apart), |x, y, z| x * y + z, &inputs, "FMUL and FADD");
    }
    let kernel = "__global__ void f(float *p, float x) { p[0] = p[1] * x + p[2]; }";
    assert_eq!(
        count(&program(kernel, ArchId::Gt200, &default_options()), "FMAD"),
        1
    );
    assert_eq!(
        count(&program(kernel, ArchId::Gf100, &default_options()), "FFMA"),
        1
    );
}

/// By default, additions, products, quotients, roots, and fused operations of all bit patterns are those of IEEE
/// 754-2008 from Fermi on, with subnormal numbers. GT200 flushes subnormal operands and results.
#[test]
fn claim_f44_f48_arithmetic_is_compliant_by_default() {
    let mut inputs = random();
    // Operands of similar size, and subnormal ones.
    inputs.extend(near_cancellation());
    inputs.extend(
        random()
            .into_iter()
            .map(|words| words.map(|word| word & 0x80ff_ffff)),
    );
    for arch in SINCE_FERMI {
        let check = |expression: &str, want: fn(f32, f32, f32) -> f32| {
            let got = floats_of(expression, arch, &default_options(), &inputs);
            assert_floats(&got, want, &inputs, &format!("{arch}: {expression}"));
        };
        check("x + y", |x, y, _| x + y);
        check("x * y", |x, y, _| x * y);
        check("x / y", |x, y, _| x / y);
        check("sqrtf(x)", |x, _, _| x.sqrt());
        check("fmaf(x, y, z)", f32::mul_add);
    }
    let flushed = |x: f32| if x.is_subnormal() { 0.0f32.copysign(x) } else { x };
    let got = floats_of("x + y", ArchId::Gt200, &default_options(), &inputs);
    let num_compliant = got
        .iter()
        .zip(&inputs)
        .filter(|(got, [x, y, _])| {
            let want = f32::from_bits(*x) + f32::from_bits(*y);
            **got == want.to_bits() || want.is_nan()
        })
        .count();
    assert!(num_compliant < inputs.len() - 500, "{num_compliant}");
    assert_floats(
        &got,
        |x, y, _| flushed(flushed(x) + flushed(y)),
        &inputs,
        "GT200: x + y",
    );
}

/// With -ftz=true, subnormal operands and results of single precision are 0. Double precision keeps them.
#[test]
fn claim_f49_ftz_flushes_subnormals() {
    let options = CompileOptions {
        ftz: true,
        ..default_options()
    };
    let small: Vec<_> = random()
        .into_iter()
        .map(|words| words.map(|word| word & 0x81ff_ffff))
        .collect();
    let flushed = |x: f32| if x.is_subnormal() { 0.0f32.copysign(x) } else { x };
    for arch in SINCE_FERMI {
        let got = floats_of("x + y", arch, &options, &small);
        assert_floats(
            &got,
            |x, y, _| flushed(flushed(x) + flushed(y)),
            &small,
            "with -ftz=true",
        );
        let kept = floats_of("x + y", arch, &default_options(), &small);
        assert_floats(&kept, |x, y, _| x + y, &small, "by default");
        assert_ne!(got, kept, "{arch}");
        // The sum of a subnormal double and itself has twice its bits.
        let double = words_of(
            "long long bits = a[i] | 1; double tiny = __longlong_as_double(bits);
             unsigned result = __double_as_longlong(tiny + tiny) == 2 * bits;",
            arch,
            &options,
            &small,
        );
        assert!(double.1.iter().all(|is_equal| *is_equal == 1), "{arch}");
    }
}

/// Returns the distance of two floats in units in the last place.
fn distance(got: u32, want: f32) -> u32 {
    got.abs_diff(want.to_bits())
}

/// With -prec-div=false and -prec-sqrt=false, errors are up to 2 and 3 units in the last place (CUDA C++ Programming
/// Guide, Mathematical Functions), and the code is shorter and faster.
#[test]
fn claim_f50_f51_f52_less_precise_division_and_roots_cost_less() {
    let fast = CompileOptions {
        ftz: true,
        prec_div: false,
        prec_sqrt: false,
        ..default_options()
    };
    let inputs = near_cancellation();
    for arch in SINCE_FERMI {
        for (expression, most, want) in [
            ("x / y", 2, (|x: f32, y: f32| x / y) as fn(f32, f32) -> f32),
            ("sqrtf(x)", 3, (|x: f32, _: f32| x.sqrt()) as fn(f32, f32) -> f32),
        ] {
            let statements = format!(
                "float x = __uint_as_float(a[i]), y = __uint_as_float(b[i]);
                 unsigned result = __float_as_uint({expression});"
            );
            let (precise, _) = words_of(&statements, arch, &default_options(), &inputs);
            let (fast, got) = words_of(&statements, arch, &fast, &inputs);
            let errors: Vec<u32> = got
                .iter()
                .zip(&inputs)
                .map(|(got, [x, y, _])| distance(*got, want(f32::from_bits(*x), f32::from_bits(*y))))
                .collect();
            let largest = errors.iter().max().copied().unwrap_or_default();
            // No source has the errors of each estimate; on Fermi, the model's are not 0.
            let least = u32::from(arch == ArchId::Gf100);
            assert!(
                (least..=most).contains(&largest),
                "{arch}: {expression}: {largest}"
            );
            let (precise, fast) = (precise.total().issued, fast.total().issued);
            assert!(fast < precise, "{arch}: {expression}: {fast}, {precise}");
        }
    }
}
