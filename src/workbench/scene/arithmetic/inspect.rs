//! The inspector and the tooltips of the Arithmetic view.

use super::wording::{hex, rate_text};
use super::{ArithmeticData, Shown};
use crate::arithmetic::{Bound, Documented, Evaluation, Kind, Special, Type, documented_error, error_ulp};
use crate::scene::inspector::{cited, phrases};
use crate::scene::{Code, Facts, Inspection, Source, Target};
use engine::arch::{OpClass, architecture};

/// The tooltip of a chip: its instructions and its result.
pub fn arithmetic_tooltip(data: &ArithmeticData, target: Target) -> Option<(String, String)> {
    let Target::Arch(id) = target else { return None };
    let text = match data.study.on(id)? {
        Ok(found) => format!("{} gives {}.", found.sequence(), found.result.value()),
        Err(why) => why.clone(),
    };
    Some((architecture(id).name.to_owned(), text))
}

/// Explains the operation on both chips.
pub fn inspect_arithmetic(data: &ArithmeticData) -> Inspection {
    let shown = [Shown::new(data, data.own.id), Shown::new(data, data.beside)];
    let operation = &data.study.operation;
    let mut facts = Vec::new();
    for shown in &shown {
        let rows = match &shown.found {
            Ok((found, _)) => chip_facts(data, shown, found),
            Err(why) => vec![("reason".to_owned(), (*why).to_owned())],
        };
        facts.push(Facts {
            title: shown.arch.name.to_owned(),
            rows,
        });
    }
    let correct = operation.correct();
    if let Some(bits) = correct {
        let number = crate::arithmetic::Number {
            ty: operation.result_type(),
            bits,
        };
        facts.push(Facts {
            title: "Correctly rounded".to_owned(),
            rows: vec![
                ("bits".to_owned(), hex(number)),
                ("value".to_owned(), number.value()),
            ],
        });
    }
    facts.extend(documented(data).map(|documented| documented_facts(data, &documented)));
    Inspection {
        title: data.study.text.clone(),
        place: format!("{} and {}", shown[0].arch.name, shown[1].arch.name),
        why: phrases(&reason(data, &shown)),
        code: data.study.origin.as_ref().map(|origin| Code {
            label: format!("Instruction of {}, lane {}", origin.warp, origin.lane),
            text: origin.text.clone(),
            pc: origin.pc,
            line: origin.line,
        }),
        facts,
        sources: sources(data, &shown),
        ..Inspection::default()
    }
}

/// The documented maximum error of an approximated function; `None`: the operation is none.
fn documented(data: &ArithmeticData) -> Option<Documented> {
    let operation = &data.study.operation;
    let Kind::Special(function) = operation.kind() else {
        return None;
    };
    let operand = operation.operands.first()?;
    let x = f64::from(f32::from_bits(operand.bits as u32));
    Some(documented_error(function, x))
}

/// The documented rule, and what it allows for this operand.
fn documented_facts(data: &ArithmeticData, documented: &Documented) -> Facts {
    let operation = &data.study.operation;
    let mut rows = vec![("at most".to_owned(), documented.rule.to_owned())];
    let ulp = match documented.bound {
        Some(Bound::Ulp(ulp)) => Some(ulp),
        Some(Bound::Absolute(error)) => operation
            .exact()
            .zip(operation.result_type().format())
            .map(|(exact, format)| libm::ldexp(error, -exact.last_kept(format))),
        None => None,
    };
    let text = ulp.map_or_else(
        || "no number documented".to_owned(),
        |ulp| format!("{ulp:.1} ulp"),
    );
    rows.push(("for these operands".to_owned(), text));
    Facts {
        title: "Documented error of the hardware".to_owned(),
        rows,
    }
}

fn chip_facts(data: &ArithmeticData, shown: &Shown, found: &Evaluation) -> Vec<(String, String)> {
    let mut rows = vec![
        ("result".to_owned(), found.result.value()),
        ("bits".to_owned(), hex(found.result)),
    ];
    if let Some(error) = error_ulp(&data.study.operation, found.result) {
        rows.push(("error".to_owned(), format!("{error:.2} ulp")));
    }
    rows.push(("instructions".to_owned(), found.steps.len().to_string()));
    rows.push((
        "results per cycle and SM".to_owned(),
        rate_text(found, shown.arch),
    ));
    // A long sequence is in the table.
    for step in found.steps.iter().take(12) {
        rows.push((step.mnemonic.clone(), step.result_text()));
    }
    if found.steps.len() > 12 {
        rows.push((
            "more in the table".to_owned(),
            (found.steps.len() - 12).to_string(),
        ));
    }
    rows
}

/// The rule that decides about the last bits or about the instructions.
fn reason(data: &ArithmeticData, shown: &[Shown; 2]) -> String {
    let found = |idx: usize| shown[idx].found.as_ref().ok().map(|(found, _)| *found);
    let (mine, its) = (found(0), found(1));
    let both: Vec<&Evaluation> = [mine, its].into_iter().flatten().collect();
    let any = |holds: &dyn Fn(&Evaluation) -> bool| both.iter().any(|found| holds(found));
    let operation = &data.study.operation;
    let is_float = operation.operand_type().is_float();
    match operation.kind() {
        _ if operation.operand_type() == Type::Half || operation.result_type() == Type::Half => {
            "A half has *11 bits* of precision. HADD2, HMUL2, and HFMA2 compute two halves in one instruction, and each rounds the exact result once. Before 5.3, the operands become floats, and the result a half.".to_owned()
        }
        Kind::MultiplyAdd if is_float && any(&|found| found.truncates()) => {
            "FMAD of compute capability 1.x *truncates the product* before the addition. FFMA adds the exact product and *rounds once*.".to_owned()
        }
        Kind::MultiplyAdd if is_float => {
            "A fused multiply-add adds the exact product and *rounds once*. Two instructions round twice.".to_owned()
        }
        Kind::Multiply24 | Kind::Multiply24Add => {
            "The product uses the *low 24 bits* of both operands. 1.x multiplies 24 bits in one instruction; from 2.0 on, the operands are cut to 24 bits first.".to_owned()
        }
        Kind::Special(Special::Sine | Special::Cosine) => {
            "MUFU of the special function unit *approximates*. The model takes the float nearest to the exact value; the hardware can miss it by the *documented error*. nvcc scales the angle first, which takes one instruction more than here.".to_owned()
        }
        Kind::Special(_) => {
            "MUFU of the special function unit *approximates*. The model takes the float nearest to the exact value for each MUFU; the hardware can miss it by the *documented error*.".to_owned()
        }
        _ if !is_float && operation.operand_type().bits() == 64 && operation.kind() != Kind::Convert => {
            "Registers have 32 bits. Sums of 64 bits are *two additions with a carry*, and products are *several 32-bit products*.".to_owned()
        }
        Kind::Multiply | Kind::MultiplyAdd | Kind::MultiplyHigh if !is_float => {
            "2.x and 3.x, and chips from 7.0 on, multiply 32 bits in *one instruction*. 1.x, 5.x, and 6.x build the product from *16-bit pieces*.".to_owned()
        }
        Kind::Divide | Kind::Root | Kind::Reciprocal if is_float => {
            "The result comes from an approximation and from *refinements* of it. -prec-div=false and -prec-sqrt=false leave refinements out: fewer instructions, and a result that can miss the last bits.".to_owned()
        }
        _ if operation.operand_type() == Type::Double || operation.result_type() == Type::Double => {
            "Chips have between *no* and *64* double-precision results per cycle and SM: the rate, not the result, differs.".to_owned()
        }
        _ if any(&|found| found.flushes()) => {
            "Subnormal operands and results are *zero* on 1.x and with -ftz=true.".to_owned()
        }
        Kind::Convert => "A conversion to a whole number drops the fraction; one to a narrower format rounds to nearest.".to_owned(),
        _ => "One instruction rounds the exact result once, to nearest unless the function says otherwise.".to_owned(),
    }
}

/// The guide's section of the rule, and the rates of the classes of both chips.
fn sources(data: &ArithmeticData, shown: &[Shown; 2]) -> Vec<Source> {
    let operation = &data.study.operation;
    let is_float = operation.operand_type().is_float();
    let documented = documented(data);
    let (value, source) = match operation.kind() {
        Kind::Special(_) => (
            "maximum error",
            documented.map_or("Programming Guide 4.2, Table C-4", |documented| documented.source),
        ),
        _ if [operation.operand_type(), operation.result_type()].contains(&Type::Half) => {
            ("half precision", "Programming Guide 10.1, Table 13 and Table 2")
        }
        _ if !is_float && operation.operand_type().bits() == 64 => {
            ("32-bit instructions", "Programming Guide 4.2, Table 5-1")
        }
        _ if !is_float => (
            "24-bit and 32-bit multiplication",
            "Programming Guide 2.0, 5.1.1.1; Programming Guide 4.2, 5.4.1",
        ),
        Kind::MultiplyAdd => (
            "FMAD and FFMA",
            "Fermi Tuning Guide, IEEE 754-2008 Compliance; Programming Guide 4.2, F.2",
        ),
        Kind::Divide | Kind::Root | Kind::Reciprocal => (
            "-prec-div, -prec-sqrt",
            "Fermi Tuning Guide, IEEE 754-2008 Compliance; Programming Guide 4.2, 5.4.1",
        ),
        Kind::Convert => ("conversions", "Programming Guide 4.2, Table 5-1"),
        _ => ("-ftz", "Fermi Tuning Guide, IEEE 754-2008 Compliance"),
    };
    let mut sources = vec![Source {
        name: "Rule".to_owned(),
        value: value.to_owned(),
        source: source.to_owned(),
        assumed: false,
    }];
    for shown in shown {
        let Ok((found, _)) = &shown.found else { continue };
        let mut classes: Vec<OpClass> = Vec::new();
        for step in &found.steps {
            let class = step.instruction.op.describe().class;
            if !classes.contains(&class) {
                classes.push(class);
            }
        }
        for class in classes {
            let Some(cost) = shown.arch.cost(class) else {
                continue;
            };
            let name = found
                .steps
                .iter()
                .find(|step| step.instruction.op.describe().class == class);
            let name = name.map_or("", |step| step.mnemonic.as_str());
            sources.push(cited(
                &format!("{} on {}: cycles of a unit", name, shown.arch.name),
                &cost.occupancy_cycles,
                "cycles",
            ));
        }
    }
    sources
}
