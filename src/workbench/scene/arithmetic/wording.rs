//! Sentences and tables of the Arithmetic view.

use super::{ArithmeticData, Shown};
use crate::arithmetic::{Evaluation, Number, error_ulp};
use crate::scene::Table;
use crate::scene::kit::table;
use crate::words::counted;
use engine::arch::{Architecture, architecture};

/// The bits in hexadecimal.
pub(super) fn hex(number: Number) -> String {
    format!(
        "0x{:0width$X}",
        number.bits,
        width = number.ty.bits() as usize / 4
    )
}

/// Up to three significant digits.
fn digits(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    if (100.0..1e6).contains(&value) {
        return format!("{value:.0}");
    }
    if value >= 1e6 {
        return format!("{value:.1e}");
    }
    let text = if value >= 10.0 {
        format!("{value:.1}")
    } else {
        format!("{value:.2}")
    };
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

/// The error of a result; a dash where none is defined.
pub(super) fn error_text(data: &ArithmeticData, result: Number) -> String {
    error_ulp(&data.study.operation, result).map_or_else(|| "–".to_owned(), digits)
}

/// The rate of an operation on a chip.
pub(super) fn rate_text(found: &Evaluation, arch: &Architecture) -> String {
    found.rate(arch).map_or_else(|| "–".to_owned(), digits)
}

/// What a chip runs: `FMAD: 1 instruction, at most 8 results per cycle and SM`.
pub(super) fn chip_line(shown: &Shown) -> String {
    match &shown.found {
        Err(why) => (*why).to_owned(),
        Ok((found, _)) => {
            let num = counted(found.steps.len() as u64, "instruction");
            let rate = found.rate(shown.arch).map_or_else(String::new, |rate| {
                format!(", at most {} results per cycle and SM", digits(rate))
            });
            let flushes = if found.flushes() {
                ", subnormal numbers are zero"
            } else {
                ""
            };
            format!("{}: {num}{rate}{flushes}", short_sequence(found))
        }
    }
}

/// The instructions, or the start of a long sequence.
fn short_sequence(found: &Evaluation) -> String {
    let sequence = found.sequence();
    if sequence.chars().count() <= 160 {
        return sequence;
    }
    let kept: String = sequence.chars().take(140).collect();
    let whole = kept.rfind(", ").map_or(kept.as_str(), |end| &kept[..end]);
    format!("{whole}, …")
}

/// The result's value, bits, and error.
pub(super) fn result_line(data: &ArithmeticData, found: &Evaluation) -> String {
    let text = format!("{} = {}", found.result.value(), hex(found.result));
    match error_ulp(&data.study.operation, found.result) {
        Some(error) if error > 0.5 => format!("{text}, {} ulp off", digits(error)),
        _ => text,
    }
}

/// One sentence about both chips.
pub(super) fn headline(data: &ArithmeticData, shown: &[Shown; 2]) -> String {
    let [own, other] = shown;
    let (a, b) = (own.arch.name, other.arch.name);
    match (&own.found, &other.found) {
        (Ok((mine, _)), Ok((its, _))) if mine.result != its.result => {
            let differing = (mine.result.bits ^ its.result.bits).count_ones();
            let bits = counted(differing.into(), "bit");
            let differ = if differing == 1 { "differs" } else { "differ" };
            let (x, y) = (mine.result.value(), its.result.value());
            let long = format!("{bits} {differ}: {x} on {a}, {y} on {b}.");
            if long.chars().count() <= 90 {
                return long;
            }
            format!("{bits} of the result {differ} between {a} and {b}.")
        }
        (Ok((mine, _)), Ok((its, _))) => {
            let (n, m) = (mine.steps.len() as u64, its.steps.len() as u64);
            if mine.sequence() == its.sequence() {
                let num = counted(n, "instruction");
                return format!("{a} and {b} give the same bits with the same {num}.");
            }
            if n == m && n <= 2 {
                return format!(
                    "The same bits: {} on {a}, {} on {b}.",
                    mine.sequence(),
                    its.sequence()
                );
            }
            format!("The same bits: {} on {a}, {m} on {b}.", counted(n, "instruction"))
        }
        (Ok((mine, _)), Err(_)) => format!("{} on {a}; {b} does not compute it.", mine.result.value()),
        (Err(_), Ok((its, _))) => format!("{} on {b}; {a} does not compute it.", its.result.value()),
        (Err(_), Err(_)) => format!("Neither {a} nor {b} computes {}.", data.study.text),
    }
}

/// Where the operation comes from.
pub(super) fn note(data: &ArithmeticData) -> String {
    match &data.study.origin {
        Some(origin) => format!(
            "{} of {}, lane {}, issued in cycle {}. The second chip computes the same expression with the same operands.",
            origin.text, origin.warp, origin.lane, origin.cycle
        ),
        None => {
            "One thread of a kernel of one line, compiled for each chip with the options of the scenario."
                .to_owned()
        }
    }
}

/// The table of all chips.
pub(super) fn chips_table(data: &ArithmeticData) -> Table {
    let rows = data.study.all.iter().map(|(id, found)| {
        let arch = architecture(*id);
        match found {
            Ok(found) => [
                arch.name.to_owned(),
                hex(found.result),
                found.result.value(),
                error_text(data, found.result),
                found.steps.len().to_string(),
                found.sequence(),
                rate_text(found, arch),
            ],
            Err(why) => [
                arch.name.to_owned(),
                "–".to_owned(),
                "–".to_owned(),
                "–".to_owned(),
                "–".to_owned(),
                why.clone(),
                "–".to_owned(),
            ],
        }
    });
    table(
        [
            "Architecture",
            "Bits",
            "Value",
            "Error in ulp",
            "Instructions",
            "Sequence",
            "Results per cycle and SM, at most",
        ],
        rows.collect(),
    )
}

/// Operands, the bits of both chips, and their instructions.
pub(super) fn tables(data: &ArithmeticData, shown: &[Shown; 2]) -> Vec<(String, Table)> {
    let operands = data.study.operation.operands.iter().zip(["a", "b", "c"]);
    let operands = operands.map(|(number, name)| {
        [
            name.to_owned(),
            number.ty.name().to_owned(),
            number.value(),
            hex(*number),
            field_text(*number),
        ]
    });
    let mut tables = vec![(
        "Operands".to_owned(),
        table(
            ["Operand", "Type", "Value", "Hexadecimal", "Bits"],
            operands.collect(),
        ),
    )];
    for shown in shown {
        let Ok((found, anatomy)) = &shown.found else {
            continue;
        };
        let mut rows: Vec<[String; 4]> = anatomy
            .rows
            .iter()
            .map(|row| {
                let weights = format!("2^{} to 2^{}", row.range.0, row.range.1);
                [row.name.to_owned(), row.text(), weights, row.note.to_owned()]
            })
            .collect();
        let result = field_text(found.result);
        rows.push([
            "result".to_owned(),
            result,
            String::new(),
            result_line(data, found),
        ]);
        tables.push((
            format!("Bits on {}; | ends the kept bits", shown.arch.name),
            table(["Row", "Bits", "Weights", "Note"], rows),
        ));
        let rows = found
            .steps
            .iter()
            .enumerate()
            .map(|(idx, step)| [(idx + 1).to_string(), step.text.clone(), step.result_text()]);
        tables.push((
            format!("Instructions on {}", shown.arch.name),
            table(["Issue", "Instruction", "Result"], rows.collect()),
        ));
    }
    tables
}

/// The bits of a number, its fields apart.
fn field_text(number: Number) -> String {
    let bits = format!("{:0width$b}", number.bits, width = number.ty.bits() as usize);
    match number.ty.format() {
        None => bits,
        Some(format) => {
            let (sign, rest) = bits.split_at(1);
            let (exponent, fraction) = rest.split_at(format.exponent_bits as usize);
            format!("{sign} {exponent} {fraction}")
        }
    }
}
