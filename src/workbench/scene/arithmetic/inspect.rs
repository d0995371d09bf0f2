//! The inspector and the tooltips of the Arithmetic view.

use super::wording::{hex, rate_text};
use super::{ArithmeticData, Shown};
use crate::arithmetic::{Evaluation, Kind, Type, error_ulp};
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
    let is_float = operation.operand_type() >= Type::Float;
    match operation.kind() {
        Kind::MultiplyAdd if is_float && any(&|found| found.truncates()) => {
            "FMAD of compute capability 1.x *truncates the product* before the addition. FFMA adds the exact product and *rounds once*.".to_owned()
        }
        Kind::MultiplyAdd if is_float => {
            "A fused multiply-add adds the exact product and *rounds once*. Two instructions round twice.".to_owned()
        }
        Kind::Multiply24 | Kind::Multiply24Add => {
            "The product uses the *low 24 bits* of both operands. 1.x multiplies 24 bits in one instruction; from 2.0 on, the operands are cut to 24 bits first.".to_owned()
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
    let is_float = operation.operand_type() >= Type::Float;
    let (value, source) = match operation.kind() {
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
