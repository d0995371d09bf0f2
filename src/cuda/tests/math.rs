//! The math functions of the built-in library, compiled and run on each generation, compared with `libm`.

use engine::arch::ArchId;
use engine::isa::{CompileOptions, ElemType};
use engine::launch::{Argument, Fill, Launch, Pattern, Role};
use engine::sim::reference;

/// The sample points of a function: evenly spaced, or with evenly spaced exponents and both signs.
#[derive(Clone, Copy)]
enum Domain {
    Even(f64, f64),
    Wide(f64, f64),
}

const NUM: u32 = 512;

fn points(domain: Domain) -> Vec<f64> {
    let spread = |i: u32| f64::from(i) / f64::from(NUM - 1);
    (0..NUM)
        .map(|i| match domain {
            Domain::Even(low, high) => low + (high - low) * spread(i),
            Domain::Wide(low, high) => {
                let size = libm::exp(libm::log(low) + (libm::log(high) - libm::log(low)) * spread(i));
                if i % 2 == 0 { size } else { -size }
            }
        })
        .collect()
}

fn buffer(elem: ElemType, values: Vec<f64>, role: Role) -> Argument {
    Argument::Buffer {
        elem,
        len: NUM,
        fill: Fill::of(Pattern::List(values)),
        role,
        start: 0,
    }
}

/// Results of `expression` of x and y, computed by the reference interpreter.
fn results(expression: &str, elem: ElemType, x: &[f64], y: &[f64], arch: ArchId) -> Vec<f64> {
    results_with(expression, elem, x, y, arch, &CompileOptions::default())
}

fn results_with(
    expression: &str,
    elem: ElemType,
    x: &[f64],
    y: &[f64],
    arch: ArchId,
    options: &CompileOptions,
) -> Vec<f64> {
    let ty = if elem == ElemType::F32 { "float" } else { "double" };
    let source = format!(
        "__global__ void f(const {ty} *xs, const {ty} *ys, {ty} *out) {{
            int i = blockIdx.x * blockDim.x + threadIdx.x;
            {ty} x = xs[i], y = ys[i];
            out[i] = {expression};
        }}"
    );
    let compiled = cuda::compile(&source, None, arch, options).unwrap();
    let launch = Launch {
        grid: [NUM / 128, 1, 1],
        block: [128, 1, 1],
        dynamic_shared: 0,
        args: vec![
            buffer(elem, x.to_vec(), Role::In),
            buffer(elem, y.to_vec(), Role::In),
            buffer(elem, vec![0.0; NUM as usize], Role::Out),
        ],
        symbols: Vec::new(),
    };
    let outputs = reference::run(&compiled.program, &launch).unwrap();
    let bytes = outputs.argument(2).unwrap();
    match elem {
        ElemType::F32 => bytes
            .chunks_exact(4)
            .map(|b| f64::from(f32::from_le_bytes(b.try_into().unwrap())))
            .collect(),
        _ => bytes
            .chunks_exact(8)
            .map(|b| f64::from_le_bytes(b.try_into().unwrap()))
            .collect(),
    }
}

/// The distance between `got` and `want` in units in the last place of a number with this many bits.
fn ulps(got: f64, want: f64, elem: ElemType) -> f64 {
    let (bits, least) = if elem == ElemType::F32 {
        (24, -125)
    } else {
        (53, -1021)
    };
    let rounded = if elem == ElemType::F32 {
        f64::from(want as f32)
    } else {
        want
    };
    if got == rounded || (got.is_nan() && want.is_nan()) {
        return 0.0;
    }
    if !got.is_finite() || !rounded.is_finite() {
        return f64::INFINITY;
    }
    let (_, exponent) = libm::frexp(want);
    (got - want).abs() / libm::scalbn(1.0, exponent.max(least) - bits)
}

fn check(
    expression: &str,
    elem: ElemType,
    x: Domain,
    y: Domain,
    most: f64,
    want: fn(f64, f64) -> f64,
    arch: ArchId,
) {
    let narrow = |v: f64| {
        if elem == ElemType::F32 {
            f64::from(v as f32)
        } else {
            v
        }
    };
    let xs: Vec<f64> = points(x).into_iter().map(narrow).collect();
    // A different order from that of x.
    let ys: Vec<f64> = points(y).into_iter().map(narrow).collect();
    let ys: Vec<f64> = (0..ys.len()).map(|i| ys[i * 137 % ys.len()]).collect();
    let got = results(expression, elem, &xs, &ys, arch);
    for ((x, y), got) in xs.iter().zip(&ys).zip(got) {
        let want = want(*x, *y);
        let distance = ulps(got, want, elem);
        // Floats on 1.x have no subnormal numbers.
        let tiny = |v: f64| v != 0.0 && v.abs() < 1.2e-38;
        let vanished =
            arch <= ArchId::Gt200 && elem == ElemType::F32 && (tiny(*x) || (got == 0.0 && tiny(want)));
        assert!(
            distance <= most || vanished,
            "{expression} at x = {x:e}, y = {y:e} on {arch:?}: {got:e}, not {want:e}: {distance} ulp"
        );
    }
}

const ONE: Domain = Domain::Even(0.0, 1.0);

/// Products on 1.x are truncated instead of rounded, so the tolerance is slightly larger.
fn slack(arch: ArchId) -> f64 {
    if arch <= ArchId::Gt200 { 40.0 } else { 8.0 }
}

#[test]
fn float_functions_are_accurate() {
    use Domain::{Even, Wide};
    type Row = (&'static str, Domain, Domain, fn(f64, f64) -> f64);
    let rows: [Row; 27] = [
        ("sinf(x)", Even(-100.0, 100.0), ONE, |x, _| libm::sin(x)),
        ("cosf(x)", Even(-100.0, 100.0), ONE, |x, _| libm::cos(x)),
        ("sinf(x)", Wide(1e-6, 1e38), ONE, |x, _| libm::sin(x)),
        ("tanf(x)", Even(-20.0, 20.0), ONE, |x, _| libm::tan(x)),
        ("expf(x)", Even(-100.0, 88.0), ONE, |x, _| libm::exp(x)),
        ("exp2f(x)", Even(-140.0, 127.0), ONE, |x, _| libm::exp2(x)),
        ("exp10f(x)", Even(-44.0, 38.0), ONE, |x, _| libm::exp10(x)),
        ("expm1f(x)", Wide(1e-6, 80.0), ONE, |x, _| libm::expm1(x)),
        ("logf(x)", Wide(1e-44, 1e38), ONE, |x, _| libm::log(x)),
        ("logf(x)", Even(0.5, 2.0), ONE, |x, _| libm::log(x)),
        ("log2f(x)", Even(0.5, 20.0), ONE, |x, _| libm::log2(x)),
        ("log10f(x)", Even(0.5, 20.0), ONE, |x, _| libm::log10(x)),
        ("log1pf(x)", Wide(1e-6, 1e9), ONE, |x, _| libm::log1p(x)),
        ("powf(x, y)", Even(0.01, 50.0), Even(-20.0, 20.0), libm::pow),
        (
            "powf(x, truncf(y))",
            Even(-9.0, 9.0),
            Even(-20.0, 20.0),
            |x, y| libm::pow(x, libm::trunc(y)),
        ),
        ("cbrtf(x)", Wide(1e-40, 1e38), ONE, |x, _| libm::cbrt(x)),
        ("hypotf(x, y)", Wide(1e-20, 1e20), Wide(1e-20, 1e20), libm::hypot),
        ("atanf(x)", Wide(1e-6, 1e6), ONE, |x, _| libm::atan(x)),
        ("atan2f(x, y)", Even(-3.0, 3.0), Even(-3.0, 3.0), libm::atan2),
        ("asinf(x)", Even(-1.0, 1.0), ONE, |x, _| libm::asin(x)),
        ("acosf(x)", Even(-0.9, 1.0), ONE, |x, _| libm::acos(x)),
        ("tanhf(x)", Wide(1e-6, 30.0), ONE, |x, _| libm::tanh(x)),
        ("sinhf(x)", Wide(1e-6, 88.0), ONE, |x, _| libm::sinh(x)),
        ("coshf(x)", Even(-88.0, 88.0), ONE, |x, _| libm::cosh(x)),
        ("erff(x)", Wide(1e-6, 5.0), ONE, |x, _| libm::erf(x)),
        ("fmodf(x, y)", Wide(1e-3, 1e9), Wide(1e-3, 1e3), libm::fmod),
        ("roundf(x)", Even(-20.0, 20.0), ONE, |x, _| libm::round(x)),
    ];
    for arch in [ArchId::G80, ArchId::Gf100, ArchId::Tu102] {
        for (expression, x, y, want) in rows {
            check(expression, ElemType::F32, x, y, slack(arch), want, arch);
        }
    }
}

#[test]
fn double_functions_are_accurate() {
    use Domain::{Even, Wide};
    type Row = (&'static str, Domain, Domain, fn(f64, f64) -> f64);
    let rows: [Row; 20] = [
        ("sin(x)", Even(-100.0, 100.0), ONE, |x, _| libm::sin(x)),
        ("cos(x)", Wide(1e-6, 1e200), ONE, |x, _| libm::cos(x)),
        ("tan(x)", Even(-20.0, 20.0), ONE, |x, _| libm::tan(x)),
        ("exp(x)", Even(-740.0, 709.0), ONE, |x, _| libm::exp(x)),
        ("exp2(x)", Even(-1060.0, 1023.0), ONE, |x, _| libm::exp2(x)),
        ("log(x)", Wide(1e-310, 1e300), ONE, |x, _| libm::log(x)),
        ("log(x)", Even(0.5, 2.0), ONE, |x, _| libm::log(x)),
        ("log2(x)", Even(0.5, 20.0), ONE, |x, _| libm::log2(x)),
        ("log10(x)", Even(0.5, 20.0), ONE, |x, _| libm::log10(x)),
        ("pow(x, y)", Even(0.01, 50.0), Even(-20.0, 20.0), libm::pow),
        ("cbrt(x)", Wide(1e-200, 1e200), ONE, |x, _| libm::cbrt(x)),
        ("hypot(x, y)", Wide(1e-20, 1e20), Wide(1e-20, 1e20), libm::hypot),
        ("atan(x)", Wide(1e-6, 1e6), ONE, |x, _| libm::atan(x)),
        ("atan2(x, y)", Even(-3.0, 3.0), Even(-3.0, 3.0), libm::atan2),
        ("asin(x)", Even(-1.0, 1.0), ONE, |x, _| libm::asin(x)),
        ("tanh(x)", Wide(1e-6, 30.0), ONE, |x, _| libm::tanh(x)),
        ("sinh(x)", Wide(1e-6, 700.0), ONE, |x, _| libm::sinh(x)),
        ("erf(x)", Wide(1e-6, 5.0), ONE, |x, _| libm::erf(x)),
        ("fmod(x, y)", Wide(1e-3, 1e9), Wide(1e-3, 1e3), libm::fmod),
        ("fma(x, y, x)", Even(-3.0, 3.0), Even(-3.0, 3.0), |x, y| {
            libm::fma(x, y, x)
        }),
    ];
    for arch in [ArchId::Gt200, ArchId::Gv100] {
        for (expression, x, y, want) in rows {
            check(expression, ElemType::F64, x, y, 4.5, want, arch);
        }
    }
}

#[test]
fn special_functions_are_accurate() {
    use Domain::{Even, Wide};
    type Row = (&'static str, Domain, f64, fn(f64, f64) -> f64);
    // Near their zeros, Bessel functions and the logarithm of gamma are as accurate as numbers near 2.
    let rows: [Row; 13] = [
        ("tgamma(x)", Even(-5.3, 30.0), 16.0, |x, _| libm::tgamma(x)),
        ("2.0 + lgamma(x)", Even(0.1, 40.0), 16.0, |x, _| {
            2.0 + libm::lgamma(x)
        }),
        ("2.0 + j0(x)", Even(-30.0, 30.0), 24.0, |x, _| 2.0 + libm::j0(x)),
        ("2.0 + j1(x)", Even(-30.0, 30.0), 24.0, |x, _| 2.0 + libm::j1(x)),
        ("2.0 + jn(3, x)", Even(0.5, 30.0), 48.0, |x, _| {
            2.0 + libm::jn(3, x)
        }),
        ("4.0 + y0(x)", Even(0.1, 30.0), 24.0, |x, _| 4.0 + libm::y0(x)),
        ("8.0 + y1(x)", Even(0.1, 30.0), 24.0, |x, _| 8.0 + libm::y1(x)),
        ("8.0 + yn(2, x)", Even(0.8, 30.0), 48.0, |x, _| {
            8.0 + libm::yn(2, x)
        }),
        ("erf(erfinv(x))", Even(-0.999, 0.999), 16.0, |x, _| x),
        ("erfc(erfcinv(x))", Even(0.001, 1.999), 40.0, |x, _| x),
        ("normcdf(normcdfinv(x))", Even(0.001, 0.999), 60.0, |x, _| x),
        ("erfcx(x)", Even(0.0, 4.0), 64.0, |x, _| {
            libm::exp(x * x) * libm::erfc(x)
        }),
        ("nextafter(x, y)", Wide(1e-300, 1e300), 0.0, libm::nextafter),
    ];
    for arch in [ArchId::Gt200, ArchId::Gv100] {
        for (expression, x, most, want) in rows {
            check(expression, ElemType::F64, x, Even(-3.0, 3.0), most, want, arch);
        }
    }
    // The functions on float round those on double.
    let rows: [Row; 4] = [
        ("tgammaf(x)", Even(-5.3, 30.0), 4.0, |x, _| libm::tgamma(x)),
        ("2.0f + j0f(x)", Even(-30.0, 30.0), 4.0, |x, _| 2.0 + libm::j0(x)),
        ("erff(erfinvf(x))", Even(-0.99, 0.99), 64.0, |x, _| x),
        ("remquof(x, y, &q)", Even(-30.0, 30.0), 0.0, |x, y| {
            libm::remquo(x, y).0
        }),
    ];
    for (expression, x, most, want) in rows {
        let expression =
            expression.replace("remquof(x, y, &q)", "[&] { int q; return remquof(x, y, &q); }()");
        check(
            &expression,
            ElemType::F32,
            x,
            Even(0.5, 3.0),
            most,
            want,
            ArchId::Tu102,
        );
    }
}

#[test]
fn wide_integers_divide() {
    use Domain::Even;
    // Doubles serve as the common input and output type; all numbers are integers below 2^53.
    type Row = (&'static str, fn(f64, f64) -> f64);
    let rows: [Row; 4] = [
        ("(double)((long long)x / (long long)y)", |x, y| {
            libm::trunc(libm::trunc(x) / libm::trunc(y))
        }),
        ("(double)((long long)x % (long long)y)", |x, y| {
            libm::fmod(libm::trunc(x), libm::trunc(y))
        }),
        (
            "(double)((unsigned long long)fabs(x) / (unsigned long long)fabs(y))",
            |x, y| libm::trunc(libm::trunc(libm::fabs(x)) / libm::trunc(libm::fabs(y))),
        ),
        (
            "(double)((unsigned long long)fabs(x) % (unsigned long long)fabs(y))",
            |x, y| libm::fmod(libm::trunc(libm::fabs(x)), libm::trunc(libm::fabs(y))),
        ),
    ];
    for arch in [ArchId::Tu102, ArchId::Gp104, ArchId::Gt200] {
        for (expression, want) in rows {
            for divisor in [Even(-9e3, 9.1e3), Even(-9e11, 9.1e11)] {
                check(
                    expression,
                    ElemType::F64,
                    Even(-9e14, 9e14),
                    divisor,
                    0.0,
                    want,
                    arch,
                );
            }
        }
    }
}

/// Powers of -4 with and without `-use_fast_math`. Source: measured on an H200, nvcc 13.0.
#[test]
fn fast_powers_of_negative_numbers_are_those_of_a_gpu() {
    let nan = f64::NAN;
    let cases = [
        ("powf(x, 2.f)", 16.0, nan),
        ("powf(x, (int)y)", 16.0, nan),
        ("powf(x, y)", 16.0, nan),
        ("pow(x, 2)", 16.0, 16.0),
        ("pow(x, (int)y)", 16.0, 16.0),
        ("powf(x, 3.f)", -64.0, nan),
        ("__powf(x, 2.f)", nan, nan),
        ("pow(x, y)", 16.0, nan),
        ("powf(x, 2)", 16.0, nan),
        ("powf(x, .5f)", nan, nan),
        ("powf(x, -1.f)", -0.25, nan),
        ("powf(0 * x, y)", 0.0, 0.0),
        ("powf(x, 0 * y)", 1.0, nan),
        ("powf(x * 1e-39f, y)", 0.0, 0.0),
        ("__powf(x, y)", nan, nan),
        ("powf(x, y + 1)", -64.0, nan),
    ];
    let (x, y) = ([-4.0; NUM as usize], [2.0; NUM as usize]);
    for (expression, exact, fast) in cases {
        for (fast_math, want) in [(false, exact), (true, fast)] {
            let options = CompileOptions {
                fast_math,
                ..CompileOptions::default()
            };
            let got = results_with(expression, ElemType::F32, &x, &y, ArchId::Gh100, &options)[0];
            assert!(
                got == want || got.is_nan() && want.is_nan(),
                "{expression}, fast math {fast_math}: {got}, not {want}"
            );
        }
    }
}

#[test]
fn fast_math_flushes_subnormal_numbers() {
    // Halves of the least normal number, and twice a subnormal one.
    let x = vec![f64::from(f32::MIN_POSITIVE); NUM as usize];
    let expressions = [
        "x * 0.5f",
        "x / 2.0f",
        "x - x * 1.5f",
        "x * y",
        "sqrtf(x * y) * 1e19f",
    ];
    let y = vec![0.25; NUM as usize];
    for arch in [ArchId::Gf100, ArchId::Gm204, ArchId::Gv100, ArchId::Gh100] {
        for expression in expressions {
            for fast_math in [false, true] {
                let options = CompileOptions {
                    fast_math,
                    ..CompileOptions::default()
                };
                let got = results_with(expression, ElemType::F32, &x, &y, arch, &options)[0];
                assert_eq!(got == 0.0, fast_math, "{expression} on {arch}: {got}");
            }
        }
    }
}
