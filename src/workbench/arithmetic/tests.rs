use super::*;
use engine::arch::{ArchId, architecture};
use engine::isa::CompileOptions;
use proptest::prelude::*;

fn run_with(operation: &Operation, arch: ArchId, options: &CompileOptions) -> Evaluation {
    let text = operation.text();
    let program = program(operation, arch, options).unwrap_or_else(|why| panic!("{text}: {why}"));
    evaluation(operation, &program).unwrap_or_else(|why| panic!("{text}: {why}"))
}

fn run(text: &str, arch: ArchId) -> Evaluation {
    run_with(&Operation::read(text).unwrap(), arch, &CompileOptions::default())
}

/// Chips of every way to multiply: FMAD and IMAD.U24, IMUL, XMAD, IMAD.
const CHIPS: [ArchId; 5] = [
    ArchId::G80,
    ArchId::Gf100,
    ArchId::Gm204,
    ArchId::Gv100,
    ArchId::Gh100,
];

fn bits() -> impl Strategy<Value = u32> {
    prop_oneof![
        any::<u32>(),
        0x3f7f_ff00_u32..0x3f80_0100,
        0_u32..0x0100_0000,
        any::<u32>().prop_map(|bits| bits & 0xffff_f000),
        (0x3e80_0000_u32..0x4180_0000),
    ]
}

fn operation(form: Form, ty: Type, bits: &[u64]) -> Operation {
    Operation {
        form,
        operands: bits.iter().map(|bits| Number { ty, bits: *bits }).collect(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// The drawn bits give the result that the simulator computes with its own arithmetic.
    #[test]
    fn the_rows_give_the_result_of_the_chip(a in bits(), b in bits(), c in bits(), chip in 0..5_usize, ftz: bool, fmad: bool) {
        let arch = CHIPS[chip];
        let options = CompileOptions { ftz, fmad, ..CompileOptions::default() };
        let operands = [a, b, c].map(u64::from);
        let call = |name| Form::Call(function_named(name).unwrap());
        let forms = [
            (Form::Operators(Kind::MultiplyAdd), 3), (Form::Operators(Kind::Multiply), 2),
            (Form::Operators(Kind::Add), 2), (Form::Operators(Kind::Subtract), 2),
            (call("__fmul_rz"), 2),
        ];
        for (form, num) in forms {
            let operation = operation(form, Type::Float, &operands[..num]);
            let evaluation = run_with(&operation, arch, &options);
            let anatomy = Anatomy::of(&operation, &evaluation);
            if let Some(result) = anatomy.result {
                prop_assert_eq!(result, evaluation.result.bits, "{} on {:?}: {}", operation.text(), arch, evaluation.sequence());
            } else {
                let finite = operation.operands.iter().all(|number| number.exact().is_some());
                prop_assert!(!finite || evaluation.steps.len() > 1, "{}", operation.text());
            }
        }
        let forms = [
            (Form::Operators(Kind::MultiplyAdd), 3), (Form::Operators(Kind::Multiply), 2), (Form::Operators(Kind::Add), 2),
            (Form::Operators(Kind::Subtract), 2),
        ];
        for ty in [Type::Int, Type::Unsigned] {
            let (low, high) = if ty == Type::Int { ("__mul24", "__mulhi") } else { ("__umul24", "__umulhi") };
            let calls = [(call(low), 2), (call(high), 2), (Form::CallAdd(function_named(low).unwrap()), 3)];
            for (form, num) in forms.into_iter().chain(calls) {
                let operation = operation(form, ty, &operands[..num]);
                let evaluation = run_with(&operation, arch, &options);
                let anatomy = Anatomy::of(&operation, &evaluation);
                prop_assert_eq!(anatomy.result, Some(evaluation.result.bits), "{} on {:?}", operation.text(), arch);
            }
        }
    }

    #[test]
    fn the_rows_give_doubles_too(a: f64, b: f64, c: f64, chip in 1..5_usize) {
        let operands = [a, b, c].map(f64::to_bits);
        for (form, num) in [(Form::Operators(Kind::MultiplyAdd), 3), (Form::Operators(Kind::Multiply), 2), (Form::Operators(Kind::Add), 2)] {
            let operation = operation(form, Type::Double, &operands[..num]);
            let evaluation = run_with(&operation, CHIPS[chip], &CompileOptions::default());
            let anatomy = Anatomy::of(&operation, &evaluation);
            if let Some(result) = anatomy.result {
                prop_assert_eq!(result, evaluation.result.bits, "{}", operation.text());
            }
        }
    }
}

#[test]
fn fmad_truncates_and_ffma_rounds_once() {
    let text = "1.00001f * 1.00001f - 1";
    let (tesla, fermi) = (run(text, ArchId::Gt200), run(text, ArchId::Gf100));
    assert_eq!(tesla.sequence(), "FMAD");
    assert_eq!(fermi.sequence(), "FFMA");
    // (1 + 84·2⁻²³)² − 1 = 168·2⁻²³ + 7056·2⁻⁴⁶: the truncated product loses the second term.
    assert_eq!(
        f32::from_bits(tesla.result.bits as u32),
        168.0 * 2.0_f32.powi(-23)
    );
    assert_eq!(
        f32::from_bits(fermi.result.bits as u32),
        1.000_01_f32.mul_add(1.000_01, -1.0)
    );
    assert_ne!(tesla.result, fermi.result);
    let operation = Operation::read(text).unwrap();
    let names = |evaluation| -> Vec<&str> {
        Anatomy::of(&operation, evaluation)
            .rows
            .iter()
            .map(|row| row.name)
            .collect()
    };
    assert_eq!(
        names(&tesla),
        ["exact product", "product kept", "addend", "exact sum"]
    );
    assert_eq!(names(&fermi), ["exact product", "addend", "exact sum"]);
    let correct = operation.correct().unwrap();
    assert_eq!(fermi.result.bits, correct);
    assert!(error_ulp(&operation, tesla.result).unwrap() > 2.0);
}

/// Programming Guide 2.0, 5.1.1.1, and 4.2, 5.4.1: 24-bit multiplication is native on 1.x, 32-bit multiplication from 2.0
/// on.
#[test]
fn the_native_multiplication_changes_from_1_x_to_2_x() {
    for (text, tesla, fermi) in [("16777219 * 5", 4, 1), ("__umul24(16777219u, 5u)", 1, 3)] {
        assert_eq!(run(text, ArchId::G80).steps.len(), tesla, "{text}");
        assert_eq!(run(text, ArchId::Gf100).steps.len(), fermi, "{text}");
    }
    // Bit 24 is not used.
    assert_eq!(run("__umul24(16777219u, 5u)", ArchId::G80).result.bits, 15);
}

#[test]
fn division_with_prec_div_is_correct_and_costs_more() {
    let operation = Operation::read("1.0f / 3.0f").unwrap();
    let fast = CompileOptions {
        prec_div: false,
        ..CompileOptions::default()
    };
    let (precise, fast) = (
        run_with(&operation, ArchId::Gf100, &CompileOptions::default()),
        run_with(&operation, ArchId::Gf100, &fast),
    );
    assert_eq!(Some(precise.result.bits), operation.correct());
    assert!(
        precise.steps.len() > fast.steps.len(),
        "{} and {}",
        precise.sequence(),
        fast.sequence()
    );
    let arch = architecture(ArchId::Gf100);
    assert!(fast.rate(arch).unwrap() > 1.3 * precise.rate(arch).unwrap());
}

/// Fermi white paper: 16 double-precision results per cycle and SM. Programming Guide 4.2, Table 5-1: 1 on 1.3, 4 on 2.1.
#[test]
fn the_rate_of_double_precision_is_the_published_one() {
    for (arch, rate) in [
        (ArchId::Gt200, 1.0),
        (ArchId::Gf100, 16.0),
        (ArchId::Gf104, 4.0),
        (ArchId::Gk110, 64.0),
        (ArchId::Gv100, 32.0),
        (ArchId::Tu102, 2.0),
    ] {
        let found = run("1.5 * 3.0 + 4.0", arch);
        assert_eq!(found.sequence(), "DFMA");
        assert_eq!(found.rate(architecture(arch)), Some(rate), "{arch:?}");
    }
    let operation = Operation::read("1.5 * 3.0").unwrap();
    let why = program(&operation, ArchId::G80, &CompileOptions::default()).unwrap_err();
    assert!(why.contains("compute capability 1.3"), "{why}");
}

#[test]
fn subnormal_numbers_are_flushed_on_1_x_and_with_ftz() {
    let operation = Operation::read("1e-40f * 0.5f").unwrap();
    let ftz = CompileOptions {
        ftz: true,
        ..CompileOptions::default()
    };
    assert_eq!(run("1e-40f * 0.5f", ArchId::G80).result.bits, 0);
    assert_eq!(run_with(&operation, ArchId::Gf100, &ftz).result.bits, 0);
    assert_eq!(
        run("1e-40f * 0.5f", ArchId::Gf100).result.bits,
        u64::from((1e-40_f32 * 0.5).to_bits())
    );
}

/// The kernel of the view computes what the expression says in Rust.
#[test]
fn other_operations_compute_what_they_say() {
    for (text, bits) in [
        ("(int)-2.75f", u64::from((-2_i32).cast_unsigned())),
        ("(unsigned)3.99f", 3),
        ("(float)16777217", u64::from(16_777_216.0_f32.to_bits())),
        ("(double)1.1f", f64::from(1.1_f32).to_bits()),
        ("(float)1.1", u64::from((1.1_f64 as f32).to_bits())),
        ("sqrtf(2.0f)", u64::from(2.0_f32.sqrt().to_bits())),
        ("sqrt(2.0)", 2.0_f64.sqrt().to_bits()),
        ("__frcp_rn(3.0f)", u64::from((1.0_f32 / 3.0).to_bits())),
        ("7 / 2", 3),
        ("4000000000u / 3u", 1_333_333_333),
    ] {
        for arch in [ArchId::Gt200, ArchId::Gf100, ArchId::Tu102, ArchId::Gh100] {
            assert_eq!(run(text, arch).result.bits, bits, "{text} on {arch:?}");
        }
    }
}

mod types;
