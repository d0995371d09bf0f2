//! The bits between operands and result: products, addends, and sums as exact numbers, and which of their bits are kept.

use super::evaluation::Evaluation;
use super::exact::{Exact, Format, Rounding};
use super::function::Kind;
use super::number::{Number, Type, cut};
use super::operation::{Operation, exact_value};
use engine::isa::Op;

/// Lost bits that a row of an endless number has.
const ENDLESS_BITS: i32 = 12;

/// A row of bits by weight.
#[derive(Clone, Debug, PartialEq)]
pub struct BitRow {
    /// What it is: `exact product`.
    pub name: &'static str,
    /// The bits.
    pub value: Exact,
    /// The weights of the first and last bit, as powers of two.
    pub range: (i32, i32),
    /// The weights of the first and last bit that the next step uses; the others are lost.
    pub kept: (i32, i32),
    /// What happens to the bits, or empty.
    pub note: &'static str,
}

impl BitRow {
    /// The weights of its bits, from the first to the last.
    pub fn weights(&self) -> impl Iterator<Item = i32> + use<> {
        let (top, low) = self.range;
        (low..=top).rev()
    }

    /// Whether the next step uses the bit with a weight.
    pub fn keeps(&self, weight: i32) -> bool {
        (self.kept.1..=self.kept.0).contains(&weight)
    }

    /// Set bits that are lost.
    pub fn num_lost(&self) -> usize {
        self.weights()
            .filter(|weight| !self.keeps(*weight) && self.value.bit(*weight))
            .count()
    }

    /// The bits as text, with `|` where the kept bits end.
    pub fn text(&self) -> String {
        let mut text = if self.value.negative { "−" } else { "" }.to_owned();
        for weight in self.weights() {
            if weight == self.kept.1 - 1 || weight == self.kept.0 && weight != self.range.0 {
                text.push('|');
            }
            text.push(if self.value.bit(weight) { '1' } else { '0' });
            if weight == 0 && self.range.1 < 0 {
                text.push('.');
            }
        }
        if self.value.endless {
            text.push('…');
        }
        text
    }
}

/// The way from operands to the result.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Anatomy {
    /// The rows, in order.
    pub rows: Vec<BitRow>,
    /// The result that the rows give; `None`: they do not determine it, as for a sequence of instructions.
    pub result: Option<u64>,
}

impl Anatomy {
    /// The way that a chip takes. The rows come from exact numbers; the chip contributes only which instructions it runs.
    pub fn of(operation: &Operation, evaluation: &Evaluation) -> Self {
        match (operation.kind(), operation.operand_type().format()) {
            (Kind::Convert, None) if !operation.result_type().is_float() => Self::resize(operation),
            (Kind::Convert, _) => Self::conversion(operation, evaluation),
            (_, None) => Self::whole(operation),
            (_, Some(format)) => Self::floating(operation, evaluation, format),
        }
    }

    fn floating(operation: &Operation, evaluation: &Evaluation, format: Format) -> Self {
        let flushes = evaluation.flushes();
        let exact = |idx: usize| {
            let number: &Number = operation.operands.get(idx)?;
            let bits = if flushes {
                format.flushed(number.bits)
            } else {
                number.bits
            };
            Exact::of(bits, format)
        };
        let operands = [exact(0), exact(1), exact(2)];
        let rounding = operation.rounding();
        let ops: Vec<Op> = evaluation.steps.iter().map(|step| step.instruction.op).collect();
        let flushed = |bits: u64| if flushes { format.flushed(bits) } else { bits };
        let end = |value: Exact, name: &'static str, mut rows: Vec<BitRow>, is_known: bool| {
            let result = flushed(value.rounded(format, rounding));
            rows.push(rounded_row(name, value, format, rounding));
            Self {
                rows,
                result: is_known.then_some(result),
            }
        };
        let plain = ops.len() == 1;
        let done = || -> Option<Self> {
            let [a, b, c] = operands.clone();
            Some(match operation.kind() {
                Kind::MultiplyAdd => {
                    let (a, b, c) = (a?, b?, c?);
                    let product = a.times(&b);
                    let mut rows = Vec::new();
                    let addend = match ops[..] {
                        [Op::Fmad { .. }] => {
                            let kept = flushed_exact(product.truncated(product.last_kept(format)), format);
                            rows.push(cut_row("exact product", product, format, "truncated"));
                            rows.push(whole_row("product kept", kept.clone()));
                            kept
                        }
                        [Op::Fmul { .. }, Op::Fadd { .. }]
                        | [Op::Dmul { .. }, Op::Dadd { .. }]
                        | [Op::Hmul2 { .. }, Op::Hadd2 { .. }] => {
                            let bits = flushed(product.rounded(format, Rounding::Nearest));
                            let kept = Exact::of(bits, format)?;
                            rows.push(rounded_row("exact product", product, format, Rounding::Nearest));
                            rows.push(whole_row("product rounded", kept.clone()));
                            kept
                        }
                        _ => {
                            rows.push(whole_row("exact product", product.clone()));
                            product
                        }
                    };
                    let is_known = plain || rows.len() == 2;
                    rows.push(whole_row("addend", c.clone()));
                    end(addend.plus(&c, rounding), "exact sum", rows, is_known)
                }
                Kind::Add | Kind::Subtract => {
                    let (a, b) = (a?, b?);
                    let b = if operation.kind() == Kind::Subtract {
                        b.negated()
                    } else {
                        b
                    };
                    let rows = vec![whole_row("a", a.clone()), whole_row("b", b.clone())];
                    end(a.plus(&b, rounding), "exact sum", rows, plain)
                }
                Kind::Multiply => end(a?.times(&b?), "exact product", Vec::new(), plain),
                Kind::Divide | Kind::Reciprocal => end(
                    exact_value(operation.kind(), operands.clone(), rounding)?,
                    "exact quotient",
                    Vec::new(),
                    false,
                ),
                Kind::Root => end(a?.root()?, "exact root", Vec::new(), false),
                Kind::Special(_) => end(operation.exact()?, "exact value", Vec::new(), false),
                _ => return None,
            })
        };
        done().unwrap_or_default()
    }

    fn conversion(operation: &Operation, evaluation: &Evaluation) -> Self {
        let Some(value) = operation.exact() else {
            return Self::default();
        };
        let to = operation.result_type();
        if let Some(format) = to.format() {
            let result = value.rounded(format, operation.rounding());
            let is_known = evaluation.steps.len() <= 1;
            return Self {
                rows: vec![rounded_row("value", value, format, operation.rounding())],
                result: is_known.then_some(result),
            };
        }
        let range = (value.top().max(0), value.low().min(0));
        Self {
            rows: vec![BitRow {
                name: "value",
                kept: (range.0, 0),
                range,
                value,
                note: "the fraction is dropped",
            }],
            result: None,
        }
    }

    /// The conversion of a whole number to another width or sign.
    fn resize(operation: &Operation) -> Self {
        let Some(number) = operation.operands.first() else {
            return Self::default();
        };
        let to = operation.result_type();
        let (from, width) = (number.ty.bits() as i32, to.bits() as i32);
        let value = number.whole().unwrap_or(0);
        let note = if width < from {
            "the low 32 bits are kept"
        } else {
            ""
        };
        let row = BitRow {
            name: "value",
            value: Exact::new(false, number.bits.into(), 0),
            range: (from - 1, 0),
            kept: (from.min(width) - 1, 0),
            note,
        };
        Self {
            rows: vec![row],
            result: Some(cut(value as u64, to)),
        }
    }

    fn whole(operation: &Operation) -> Self {
        let ty = operation.operand_type();
        let number = |idx: usize| operation.operands.get(idx).copied();
        let bits = |idx: usize| number(idx).map_or(0, |number| number.bits);
        let whole = |idx: usize| number(idx).and_then(Number::whole).unwrap_or(0);
        let width = ty.bits() as i32;
        let is_wide = width == 64;
        let row = |name, bits: u128, top: i32, kept: (i32, i32), note| BitRow {
            name,
            value: Exact::new(false, bits, 0),
            range: (top, 0),
            kept,
            note,
        };
        let all = (width - 1, 0);
        let word =
            |name, idx: usize, kept: (i32, i32), note| row(name, bits(idx).into(), width - 1, kept, note);
        // Bits of a product, which has twice the width.
        let product = |exact: i128, kept: (i32, i32), note| {
            let bits = exact as u128 & u128::MAX >> (128 - 2 * width);
            row("exact product", bits, 2 * width - 1, kept, note)
        };
        let low = if is_wide {
            "the low 64 bits are kept"
        } else {
            "the low 32 bits are kept"
        };
        let high = if is_wide {
            "the high 64 bits are kept"
        } else {
            "the high 32 bits are kept"
        };
        let (rows, result) = match operation.kind() {
            Kind::Multiply | Kind::MultiplyAdd => {
                let exact = whole(0).wrapping_mul(whole(1));
                let mut rows = vec![
                    word("a", 0, all, ""),
                    word("b", 1, all, ""),
                    product(exact, all, low),
                ];
                if operation.kind() == Kind::MultiplyAdd {
                    rows.push(word("addend", 2, all, ""));
                }
                (rows, (exact as u64).wrapping_add(bits(2)))
            }
            Kind::Multiply24 | Kind::Multiply24Add => {
                let exact = cut24(bits(0), ty) * cut24(bits(1), ty);
                let note = "the low 24 bits are used";
                let mut rows = vec![
                    word("a", 0, (23, 0), note),
                    word("b", 1, (23, 0), note),
                    product(exact, all, low),
                ];
                if operation.kind() == Kind::Multiply24Add {
                    rows.push(word("addend", 2, all, ""));
                }
                (rows, (exact as u64).wrapping_add(bits(2)))
            }
            Kind::MultiplyHigh => {
                let exact = whole(0).wrapping_mul(whole(1));
                let rows = vec![
                    word("a", 0, all, ""),
                    word("b", 1, all, ""),
                    product(exact, (2 * width - 1, width), high),
                ];
                (rows, (exact >> width) as u64)
            }
            kind => {
                let rows = vec![word("a", 0, all, ""), word("b", 1, all, "")];
                match kind {
                    Kind::Add => (rows, bits(0).wrapping_add(bits(1))),
                    Kind::Subtract => (rows, bits(0).wrapping_sub(bits(1))),
                    _ => return Self { rows, result: None },
                }
            }
        };
        Self {
            rows,
            result: Some(cut(result, ty)),
        }
    }
}

/// The low 24 bits, with the sign of bit 23 for signed numbers.
const fn cut24(bits: u64, ty: Type) -> i128 {
    let low = (bits & 0xff_ffff) as i128;
    if ty.is_signed() && low >> 23 == 1 {
        low - (1 << 24)
    } else {
        low
    }
}

/// A subnormal value replaced by zero.
fn flushed_exact(value: Exact, format: Format) -> Exact {
    let bits = value.rounded(format, Rounding::Zero);
    if format.is_subnormal(bits) {
        return Exact::new(value.negative, 0, 0);
    }
    value
}

/// A row whose bits all count.
fn whole_row(name: &'static str, value: Exact) -> BitRow {
    let range = (value.top(), value.low());
    BitRow {
        name,
        value,
        range,
        kept: range,
        note: "",
    }
}

/// A row whose bits after a format's significand are lost.
fn cut_row(name: &'static str, value: Exact, format: Format, note: &'static str) -> BitRow {
    let mut range = (value.top(), value.low());
    let last = value.last_kept(format).min(range.0);
    // Some bits of a quotient or a root that does not end are enough.
    if value.endless {
        range.1 = range.1.max(last - ENDLESS_BITS);
    }
    BitRow {
        name,
        value,
        range,
        kept: (range.0, last.max(range.1)),
        note: if last > range.1 { note } else { "" },
    }
}

fn rounded_row(name: &'static str, value: Exact, format: Format, rounding: Rounding) -> BitRow {
    let note = match rounding {
        Rounding::Nearest => "rounded to nearest",
        Rounding::Zero => "rounded toward zero",
        Rounding::Up => "rounded up",
        Rounding::Down => "rounded down",
    };
    let is_exact = value.is_zero() || !value.endless && value.low() >= value.last_kept(format);
    cut_row(name, value, format, if is_exact { "" } else { note })
}
