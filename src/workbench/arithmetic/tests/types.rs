//! Halves, whole numbers of 64 bits, and functions of the special function unit. The oracles are tables that GCC computed
//! with 128-bit floating-point arithmetic, and the processor's integers.

use super::*;

/// Chips with operations on halves: from 5.3 on.
const HALF_CHIPS: [ArchId; 4] = [ArchId::Gp100, ArchId::Gv100, ArchId::Tu102, ArchId::Gh100];

/// Rows of a table, as bits; an empty cell is 0.
fn table(text: &str) -> Vec<Vec<String>> {
    let rows = text.lines().filter(|line| !line.starts_with('#'));
    rows.map(|line| line.split(',').map(str::to_owned).collect())
        .collect()
}

fn bits(cell: &str) -> u64 {
    u64::from_str_radix(cell, 16).unwrap_or(0)
}

#[test]
fn operations_on_halves_round_once() {
    let rows = table(include_str!("../../../../tests/golden/halves.csv"));
    assert_eq!(rows.len(), 240);
    for (idx, row) in rows.iter().enumerate() {
        let cells: Vec<u64> = row.iter().map(|cell| bits(cell)).collect();
        let call = |name| Form::Call(function_named(name).unwrap());
        let forms = [
            (call("__hadd"), 2),
            (call("__hsub"), 2),
            (call("__hmul"), 2),
            (call("__hfma"), 3),
        ];
        for ((form, num), wanted) in forms.into_iter().zip(&cells[3..]) {
            let operation = operation(form, Type::Half, &cells[..num]);
            let text = operation.text();
            assert_eq!(Operation::read(&text).unwrap(), operation, "{text}");
            assert_eq!(operation.correct(), Some(*wanted), "{text}");
            let found = run_with(&operation, HALF_CHIPS[idx % 4], &CompileOptions::default());
            assert_eq!(found.result.bits, *wanted, "{text}: {}", found.sequence());
            let anatomy = Anatomy::of(&operation, &found);
            assert_eq!(anatomy.result, Some(*wanted), "{text}: {}", found.sequence());
        }
    }
    // Without HADD2, a sum is one of floats, whose result becomes a half.
    let sum = run("__hadd(1.5h, 2.25h)", ArchId::Gm204);
    assert_eq!(
        (sum.steps.len(), sum.result.text().as_str()),
        (4, "3.75h"),
        "{}",
        sum.sequence()
    );
}

#[test]
fn halves_convert_to_and_from_other_types() {
    for (text, bits) in [
        ("(half)0.1f", 0x2e66),
        ("(half)65520.0f", 0x7c00),
        ("(half)1e-7f", 0x0002),
        ("(float)0.1h", 0x3dcc_c000),
        ("(float)0h0001", 0x3380_0000),
        ("0h3C01 * 0h3C01", 0x3c02),
        ("-1.5h + 0x1.8p0h", 0),
    ] {
        for arch in HALF_CHIPS {
            let found = run(text, arch);
            assert_eq!(
                found.result.bits,
                bits,
                "{text} on {arch:?}: {}",
                found.sequence()
            );
        }
    }
}

fn longs() -> impl Strategy<Value = u64> {
    prop_oneof![
        any::<u64>(),
        any::<i32>().prop_map(|x| i64::from(x) as u64),
        0_u64..100
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn whole_numbers_of_64_bits_are_those_of_the_processor(a in longs(), b in longs(), c in longs(), chip in 0..5_usize) {
        let high = (i128::from(a as i64) * i128::from(b as i64)) >> 64;
        let unsigned_high = (u128::from(a) * u128::from(b)) >> 64;
        let call = |name| Form::Call(function_named(name).unwrap());
        let forms = [
            (Form::Operators(Kind::Add), Type::Long, a.wrapping_add(b)),
            (Form::Operators(Kind::Subtract), Type::UnsignedLong, a.wrapping_sub(b)),
            (Form::Operators(Kind::Multiply), Type::Long, a.wrapping_mul(b)),
            (Form::Operators(Kind::Multiply), Type::UnsignedLong, a.wrapping_mul(b)),
            (Form::Operators(Kind::MultiplyAdd), Type::Long, a.wrapping_mul(b).wrapping_add(c)),
            (call("__mul64hi"), Type::Long, high as u64),
            (call("__umul64hi"), Type::UnsignedLong, unsigned_high as u64),
        ];
        for (form, ty, wanted) in forms {
            let num = if form == Form::Operators(Kind::MultiplyAdd) { 3 } else { 2 };
            let operation = operation(form, ty, &[a, b, c][..num]);
            let text = operation.text();
            prop_assert_eq!(Operation::read(&text).unwrap(), operation.clone());
            let found = run_with(&operation, CHIPS[chip], &CompileOptions::default());
            prop_assert_eq!(found.result.bits, wanted, "{} on {:?}: {}", text, CHIPS[chip], found.sequence());
            prop_assert_eq!(Anatomy::of(&operation, &found).result, Some(wanted), "{}", text);
        }
        // Conversions between widths.
        let long = Number { ty: Type::Long, bits: a };
        for (ty, wanted) in [(Type::Int, a & 0xffff_ffff), (Type::UnsignedLong, a), (Type::Float, u64::from((a as i64 as f32).to_bits()))] {
            let operation = Operation { form: Form::Cast(ty), operands: vec![long] };
            let found = run_with(&operation, CHIPS[1 + chip % 4], &CompileOptions::default());
            prop_assert_eq!(found.result.bits, wanted, "{}: {}", operation.text(), found.sequence());
        }
        let int = Number::of_word(Type::Int, a);
        let operation = Operation { form: Form::Cast(Type::Long), operands: vec![int] };
        let found = run_with(&operation, CHIPS[chip], &CompileOptions::default());
        prop_assert_eq!(found.result.bits, i64::from(a as u32 as i32) as u64);
        prop_assert_eq!(Anatomy::of(&operation, &found).result, Some(found.result.bits));
    }
}

/// A sum of 64 bits is two instructions with a carry; a product is a chain of 32-bit products.
#[test]
fn whole_numbers_of_64_bits_take_several_instructions() {
    for arch in [ArchId::Gf100, ArchId::Gm204, ArchId::Tu102, ArchId::Gh100] {
        assert_eq!(
            run("5000000000ll + 7000000000ll", arch).steps.len(),
            2,
            "{arch:?}"
        );
        let sum = run("5 + 7", arch).steps.len();
        let product = run("5000000000ll * 3ll", arch).steps.len();
        assert!(product > 2 * sum, "{arch:?}: {product}");
    }
}

#[test]
fn special_functions_have_the_documented_error_at_most() {
    let rows = table(include_str!("../../../../tests/golden/special_functions.csv"));
    assert_eq!(rows.len(), 360);
    for row in rows {
        let function = function_named(&row[0]).unwrap();
        let operands = [bits(&row[1]), bits(&row[2])];
        let operation = operation(Form::Call(function), Type::Float, &operands[..function.num]);
        let (text, wanted) = (operation.text(), bits(&row[3]));
        assert_eq!(Operation::read(&text).unwrap(), operation);
        assert_eq!(operation.correct(), Some(wanted), "{text}");
        let Kind::Special(special) = function.kind else {
            panic!("{text}")
        };
        let x = f64::from(f32::from_bits(operands[0] as u32));
        let wanted = f64::from(f32::from_bits(wanted as u32));
        for arch in [ArchId::Gf100, ArchId::Gm204, ArchId::Tu102, ArchId::Gh100] {
            let found = run_with(&operation, arch, &CompileOptions::default());
            let got = f64::from(f32::from_bits(found.result.bits as u32));
            let why = format!("{text} on {arch:?}: {}", found.sequence());
            assert!(found.sequence().contains("MUFU"), "{why}");
            match documented_error(special, x).bound {
                // Half a unit in the last place is the error of `wanted` itself.
                Some(Bound::Ulp(most)) => {
                    assert!(error_ulp(&operation, found.result).unwrap() <= most, "{why}");
                }
                Some(Bound::Absolute(most)) => {
                    assert!(
                        (got - wanted).abs() <= most + libm::ldexp(wanted.abs(), -25),
                        "{why}"
                    );
                }
                None => assert!((got / wanted - 1.0).abs() < 1e-4, "{why}"),
            }
        }
    }
}

#[test]
fn bounds_depend_on_the_operand() {
    let bound = |function, x| documented_error(function, x).bound;
    assert_eq!(bound(Special::Exponential, -10.0), Some(Bound::Ulp(13.0)));
    assert_eq!(bound(Special::Exponential10, 1.0), Some(Bound::Ulp(4.0)));
    assert_eq!(bound(Special::Sine, 4.0), None);
    assert_eq!(bound(Special::Logarithm, 3.0), Some(Bound::Ulp(3.0)));
    assert_eq!(
        bound(Special::Logarithm2, 0.75),
        Some(Bound::Absolute(libm::ldexp(1.0, -22)))
    );
    assert_eq!(bound(Special::Power, 2.0), None);
}
