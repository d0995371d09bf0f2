//! Kernels of the corpora: the outputs of a GPU or, where the GPU fused multiplications with additions, those
//! of the program compiled without fusion.
//! those of the compiled program without.

use std::path::Path;

use super::OPTIONS;
use corpus::cases::{Case, load};
use corpus::compare::difference;
use cuda::hir::is_same_name;
use cuda::interpret::{Limits, Outcome, run};
use cuda::{compile, parse_with};
use engine::arch::ArchId;
use engine::launch::Argument;
use engine::sim::reference;

/// Substrings of the names of excluded cases: lanes that wait in a loop for lanes of their own block, and large
/// launches that add no coverage.
const LEFT_OUT: [&str; 5] = [
    // Their sums are rounded as on the measured chip, compute capability 9.0.
    "tensor_half_sums",
    "tensor_single_sums",
    "lock",
    "hand_over",
    "_large",
];

/// Cases whose outputs depend on the fusion of multiplications with additions.
const FUSED: [&str; 25] = [
    "bounds_256",
    "bounds_256_4",
    "bounds_none",
    "clamp_all",
    "complex_cubic",
    "convolve",
    "cross_and_dot",
    "determinant",
    "dot_float4",
    "expression_forms",
    "gemv_warp",
    "heat",
    "hypotenuse",
    "mandelbrot_64x48",
    "mandelbrot_odd",
    "matmul_naive_20",
    "matmul_naive_32",
    "matmul_tiled_20",
    "matmul_tiled_32",
    "poly_f32",
    "poly_f64",
    "saxpy_1000",
    "saxpy_4096",
    "sgemm_registers_64",
    "shared_products",
];

/// Runs `check` on all cases that the compiler supports; returns their number.
#[expect(clippy::disallowed_methods, reason = "the corpora are files")]
fn check_cases(
    is_wanted: impl Fn(&str) -> bool,
    check: impl Fn(&Case, &str, &Outcome) -> Result<(), String>,
) -> usize {
    let mut num = 0;
    let mut wrong = Vec::new();
    for folder in ["../../tests/corpus", "../../tests/corpus_more"] {
        let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        for case in load(&dir).unwrap() {
            if !is_wanted(&case.name) || LEFT_OUT.iter().any(|name| case.name.contains(name)) {
                continue;
            }
            let source = std::fs::read_to_string(dir.join(&case.file)).unwrap();
            let parsed = parse_with(&source, ArchId::Tu102, &OPTIONS);
            let kernel = parsed
                .kernels
                .iter()
                .find(|kernel| is_same_name(&kernel.name, &case.kernel));
            let (Some(unit), true) = (&parsed.unit, kernel.is_some_and(|kernel| kernel.compiles)) else {
                continue;
            };
            num += 1;
            let result = run(unit, &case.kernel, &case.launch, Limits::default())
                .map_err(|error| error.to_string())
                .and_then(|outcome| match outcome.undefined[..] {
                    [] => check(&case, &source, &outcome),
                    _ => Err(format!("{:?}", outcome.undefined)),
                });
            if let Err(text) = result {
                wrong.push(format!("{}: {text}", case.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    num
}

#[test]
fn corpus_outputs_equal_the_outputs_of_a_gpu() {
    let num = check_cases(
        |name| !FUSED.contains(&name),
        |case, _, outcome| {
            let mut expected = case.expected.as_deref().ok_or("no expected bytes")?;
            for (argument, bytes) in outcome.compared() {
                let Argument::Buffer { elem, .. } = &case.launch.args[argument] else {
                    continue;
                };
                let (now, rest) = expected.split_at(bytes.len());
                expected = rest;
                if let Some(difference) = difference(*elem, case.compare, now, bytes) {
                    return Err(format!("output {argument}: {difference:?}"));
                }
            }
            Ok(())
        },
    );
    assert!(num >= 100, "only {num} cases ran");
}

#[test]
fn sums_of_products_equal_the_program_without_fusion() {
    let num = check_cases(
        |name| FUSED.contains(&name),
        |case, source, outcome| {
            let compiled = compile(source, Some(&case.kernel), ArchId::Tu102, &OPTIONS);
            let program = compiled.map_err(|errors| format!("{errors:?}"))?.program;
            let outputs = reference::run(&program, &case.launch).map_err(|error| error.to_string())?;
            for ((argument, expected), (_, bytes)) in outputs.compared().zip(outcome.compared()) {
                if expected != bytes {
                    let num = expected.iter().zip(bytes).filter(|(a, b)| a != b).count();
                    return Err(format!("output {argument}: {num} bytes differ"));
                }
            }
            Ok(())
        },
    );
    assert_eq!(num, FUSED.len());
}

/// Bit-exact on the measured chip: products of all types round as its tensor cores do.
#[test]
#[expect(clippy::disallowed_methods, reason = "the corpora are files")]
fn tensor_cores_of_9_0_produce_the_measured_bits() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus_more");
    let mut num = 0;
    for case in load(&dir).unwrap() {
        if !case.name.starts_with("tensor_") {
            continue;
        }
        let source = std::fs::read_to_string(dir.join(&case.file)).unwrap();
        let program = compile(&source, Some(&case.kernel), ArchId::Gh100, &OPTIONS)
            .unwrap_or_else(|errors| panic!("{}: {errors:?}", case.name))
            .program;
        let outputs = reference::run(&program, &case.launch).unwrap();
        let bytes: Vec<u8> = outputs.compared().flat_map(|(_, bytes)| bytes.clone()).collect();
        assert!(Some(&bytes) == case.expected.as_ref(), "{}", case.name);
        num += 1;
    }
    assert_eq!(num, 9);
}
