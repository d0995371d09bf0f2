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
