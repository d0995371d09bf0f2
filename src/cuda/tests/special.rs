//! Code of the fast intrinsics beside that of the vendor's compilers: nvcc 13.0 for 7.5 and later, NVRTC and ptxas 11.8
//! for 5.2 to 7.0. Fermi and Kepler have the same instructions in Mesa's compiler (`OP_PRESIN`, `OP_PREEX2`), Tesla has in the times of
//! the Programming Guide 2.0, 5.1.1.

use super::*;

/// Instructions of the special-function unit, reductions, and products of a kernel, in order.
fn opcodes(value: &str, arch: ArchId, fast_math: bool) -> String {
    let source = format!("__global__ void k(float *p) {{ float x = p[1]; {value}; }}");
    let options = CompileOptions {
        fast_math,
        ftz: fast_math,
        ..CompileOptions::default()
    };
    let listing = compile(&source, None, arch, &options)
        .expect("a correct kernel")
        .program
        .listing();
    let found = listing.split_whitespace().filter(|word| {
        ["MUFU", "RRO", "FMUL", "FADD"]
            .iter()
            .any(|name| word.starts_with(name))
    });
    found.collect::<Vec<_>>().join(" ")
}

const RRO_CHIPS: [ArchId; 8] = [
    ArchId::G80,
    ArchId::Gt200,
    ArchId::Gf100,
    ArchId::Gf104,
    ArchId::Gk110,
    ArchId::Gm204,
    ArchId::Gp100,
    ArchId::Gp104,
];
const LATER_CHIPS: [ArchId; 6] = [
    ArchId::Gv100,
    ArchId::Tu102,
    ArchId::Ga100,
    ArchId::Ga102,
    ArchId::Ad102,
    ArchId::Gh100,
];

#[test]
fn fast_sines_have_the_instructions_of_nvcc() {
    let cases = [
        ("p[0] = __sinf(x)", "RRO.SINCOS MUFU.SIN", "FMUL.RZ MUFU.SIN"),
        ("p[0] = __cosf(x)", "RRO.SINCOS MUFU.COS", "FMUL.RZ MUFU.COS"),
        ("p[0] = __sinf(-x)", "RRO.SINCOS MUFU.SIN", "FMUL.RZ MUFU.SIN"),
        (
            "__sincosf(x, p, p + 4)",
            "RRO.SINCOS MUFU.SIN MUFU.COS",
            "FMUL.RZ MUFU.SIN MUFU.COS",
        ),
        (
            "p[0] = __sinf(x * 3.0f)",
            "FMUL RRO.SINCOS MUFU.SIN",
            "FMUL FMUL.RZ MUFU.SIN",
        ),
    ];
    for (value, early, late) in cases {
        for arch in RRO_CHIPS {
            assert_eq!(
                opcodes(value, arch, false).replace(".FTZ", ""),
                early,
                "{value} on {arch}"
            );
        }
        for arch in LATER_CHIPS {
            assert_eq!(opcodes(value, arch, false), late, "{value} on {arch}");
        }
    }
}

/// The product with 1/2π has no FTZ, whatever the options.
#[test]
fn fast_math_has_the_instructions_of_nvcc() {
    for (value, early, late) in [
        ("p[0] = sinf(x)", "RRO.SINCOS MUFU.SIN", "FMUL.RZ MUFU.SIN"),
        ("p[0] = exp2f(x)", "RRO.EX2 MUFU.EX2", "MUFU.EX2"),
        ("p[0] = __expf(x)", "FMUL RRO.EX2 MUFU.EX2", "FMUL MUFU.EX2"),
        (
            "p[0] = __tanf(x)",
            "RRO.SINCOS MUFU.SIN MUFU.COS MUFU.RCP FMUL",
            "FMUL.RZ MUFU.SIN MUFU.COS MUFU.RCP FMUL",
        ),
    ] {
        for arch in [ArchId::Gf100, ArchId::Gm204, ArchId::Gp100] {
            assert_eq!(
                opcodes(value, arch, true).replace(".FTZ", ""),
                early,
                "{value} on {arch}"
            );
        }
        for arch in LATER_CHIPS {
            assert_eq!(
                opcodes(value, arch, true).replace(".FTZ", ""),
                late,
                "{value} on {arch}"
            );
        }
        assert!(!opcodes(value, ArchId::Gh100, true).contains(".FTZ.RZ"));
    }
}

/// Without -ftz, the code of exponents below -126 squares the result of half the exponent.
#[test]
fn exponents_are_reduced_before_mufu_up_to_pascal() {
    for arch in [ArchId::Gf100, ArchId::Gk110, ArchId::Gm204, ArchId::Gp104] {
        assert_eq!(
            opcodes("p[0] = exp2f(x)", arch, false),
            "FMUL RRO.EX2 MUFU.EX2 FMUL",
            "{arch}"
        );
    }
    for arch in LATER_CHIPS {
        assert_eq!(
            opcodes("p[0] = exp2f(x)", arch, false),
            "FMUL MUFU.EX2 FMUL",
            "{arch}"
        );
    }
    // The scaling of small divisors is two products.
    let code = opcodes("p[0] = __tanf(x)", ArchId::Gh100, false);
    let mut words: Vec<&str> = code.split(' ').collect();
    words.sort_unstable();
    let expected = [
        "FMUL", "FMUL", "FMUL", "FMUL.RZ", "MUFU.COS", "MUFU.RCP", "MUFU.SIN",
    ];
    assert_eq!(words, expected);
}

/// The values are those of cuRAND 10.4 (CUDA 13.0), whose header g++ compiles for the host.
#[test]
fn normal_numbers_are_those_of_curand() {
    let source = "#include <curand_kernel.h>
__global__ void k(int *o) {
    unsigned v[32];
    unsigned long long w[64];
    v[0] = 1u << 31;
    w[0] = 1ull << 63;
    for (int i = 1; i < 32; i++) v[i] = v[i - 1] ^ v[i - 1] >> 1;
    for (int i = 1; i < 64; i++) w[i] = w[i - 1] ^ w[i - 1] >> 1;
    curandStateSobol32_t a;
    curand_init(v, 1005, &a);
    for (int i = 0; i < 3; i++) o[i] = curand_normal(&a) * 10000.0f;
    o[3] = curand_normal_double(&a) * 10000.0;
    curandStateScrambledSobol32_t b;
    curand_init(v, 0x12345678u, 7, &b);
    o[4] = curand_log_normal(&b, 0.5f, 0.25f) * 10000.0f;
    o[5] = curand_log_normal_double(&b, 0.5, 0.25) * 10000.0;
    curandStateSobol64_t c;
    curand_init(w, 77ull, &c);
    o[6] = curand_normal(&c) * 10000.0f;
    o[7] = curand_normal_double(&c) * 10000.0;
    curandStateScrambledSobol64_t d;
    curand_init(w, 0x9e3779b97f4a7c15ull, 5ull, &d);
    o[8] = curand_normal(&d) * 10000.0f;
    o[9] = curand_normal_double(&d) * 10000.0;
    curandState e;
    curand_init(99ULL, 3, 0, &e);
    o[10] = curand_normal(&e) * 10000.0f;
    o[11] = curand_log_normal(&e, 0.0f, 0.5f) * 10000.0f;
    o[12] = curand_log_normal(&e, 1.0f, 1.0f) * 10000.0f;
    float2 pair = curand_log_normal2(&e, 0.5f, 0.5f);
    o[13] = pair.x * 10000.0f;
    o[14] = pair.y * 10000.0f;
    o[15] = curand_normal(&e) * 10000.0f;
}";
    let bytes = super::overloads::written(source, ElemType::I32, 16);
    let numbers: Vec<i32> = bytes
        .chunks_exact(4)
        .map(|word| i32::from_le_bytes(word.try_into().unwrap()))
        .collect();
    let sobol = [19060, -7665, 5878, -8763, 18744, 14022, 9778, -13662, -174, 6527];
    let xorwow = [-3537, 17595, 14849, 11565, 18288, 5725];
    assert_eq!(numbers, [&sobol[..], &xorwow[..]].concat());
}
