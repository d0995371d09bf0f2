//! Video instructions: arithmetic on a byte or half of a word, and on all bytes or halves of a word. Source: PTX ISA,
//! "Video Instructions" and "SIMD Video Instructions".

use std::fmt::Write as _;

use super::instructions::Instruction;
use super::text::Operand;
use super::{Kind, S32, Translated, Translator, Ty, U32};

/// A part of a word: its width and its position, in bits.
#[derive(Clone, Copy)]
struct Part {
    width: u32,
    start: u32,
}

/// The bits of a word as a whole.
const WORD: Part = Part { width: 32, start: 0 };

/// Whether a name is that of a video instruction.
pub(super) fn is_video(name: &str) -> bool {
    let scalar = name.trim_end_matches(['2', '4']);
    let is_known = matches!(scalar, "vadd" | "vsub" | "vabsdiff" | "vmin" | "vmax" | "vset");
    is_known || (scalar == name && matches!(name, "vshl" | "vshr" | "vmad"))
}

/// An operand without its selector, and the selector: `%1.b0` is `%1` and `b0`.
fn split(operand: &Operand) -> (Operand, Option<&str>) {
    if let Operand::Name(name) = operand
        && let Some((register, selector)) = name.rsplit_once('.')
        && selector.starts_with(['b', 'h'])
    {
        return (Operand::Name(register.to_owned()), Some(selector));
    }
    (operand.clone(), None)
}

/// The part that `b0` to `b3`, `h0`, or `h1` selects.
fn part(selector: &str) -> Option<Part> {
    let (kind, digit) = selector.split_at_checked(1)?;
    let (width, num) = match kind {
        "b" => (8, 4),
        "h" => (16, 2),
        _ => return None,
    };
    let idx: u32 = digit.parse().ok()?;
    (idx < num).then_some(Part {
        width,
        start: idx * width,
    })
}

/// The digits of `b3210` or `h10`, from the lowest lane.
fn lanes(selector: &str, width: u32) -> Option<Vec<u32>> {
    let digits = selector.strip_prefix(if width == 8 { 'b' } else { 'h' })?;
    digits.chars().rev().map(|digit| digit.to_digit(8)).collect()
}

/// A part of a word as a 64-bit number.
fn extended(word: &str, part: Part, ty: Ty) -> String {
    let narrow = Ty {
        bits: part.width,
        ..ty
    };
    format!("(long long)({})({word} >> {})", narrow.c(), part.start)
}

/// A number within the range of a part.
fn saturated(value: &str, width: u32, ty: Ty) -> String {
    let (low, high) = match ty.kind {
        Kind::Signed => (-(1i64 << (width - 1)), (1i64 << (width - 1)) - 1),
        _ => (0, (1i64 << width) - 1),
    };
    format!("min(max({value}, {low}ll), {high}ll)")
}

/// The comparison operator of `vset`.
fn comparison(i: &Instruction<'_>) -> Option<&'static str> {
    let known = [
        ("eq", "=="),
        ("ne", "!="),
        ("lt", "<"),
        ("le", "<="),
        ("gt", ">"),
        ("ge", ">="),
    ];
    known
        .into_iter()
        .find_map(|(word, operator)| i.has(word).then_some(operator))
}

impl Translator<'_> {
    pub(super) fn video(&mut self, i: &Instruction<'_>) -> Translated<()> {
        match i.name.chars().last() {
            Some('2') => self.packed_video(i, 16),
            Some('4') => self.packed_video(i, 8),
            _ => self.scalar_video(i),
        }
    }

    /// The types of the result and of both sources. `vset` has no type of the result.
    fn video_types(&self, i: &Instruction<'_>) -> Translated<[Ty; 3]> {
        let types = i.types();
        let types = match types[..] {
            [a, b] if i.name.starts_with("vset") => [U32, a, b],
            [d, a, b] if !i.name.starts_with("vset") => [d, a, b],
            _ => return self.wrong(i),
        };
        let is_word = |ty: &Ty| *ty == U32 || *ty == S32;
        if types.iter().all(is_word) {
            Ok(types)
        } else {
            self.wrong(i)
        }
    }

    /// The operation on two 64-bit numbers.
    fn video_value(&self, i: &Instruction<'_>, a: &str, b: &str) -> Translated<String> {
        Ok(match i.name.trim_end_matches(['2', '4']) {
            "vadd" => format!("({a} + {b})"),
            "vsub" => format!("({a} - {b})"),
            "vabsdiff" => format!("({a} < {b} ? {b} - {a} : {a} - {b})"),
            "vmin" => format!("min({a}, {b})"),
            "vmax" => format!("max({a}, {b})"),
            "vset" => match comparison(i) {
                Some(operator) => format!("(long long)({a} {operator} {b})"),
                None => return self.unsupported(i),
            },
            "vshl" | "vshr" => {
                // The amount of a shift is at most 32, or counts modulo 32.
                let amount = if i.has("wrap") {
                    format!("(int)({b} & 31)")
                } else if i.has("clamp") {
                    format!("(int)min((unsigned long long){b}, 32ull)")
                } else {
                    return self.unsupported(i);
                };
                let operator = if i.name == "vshl" { "<<" } else { ">>" };
                format!("({a} {operator} {amount})")
            }
            _ => format!("({a} * {b})"),
        })
    }

    /// A source with its selector in a variable of 64 bits. Returns the variable.
    fn video_source(&mut self, i: &Instruction<'_>, idx: usize, ty: Ty) -> Translated<String> {
        let Some(operand) = i.operands.get(idx) else {
            return self.wrong(i);
        };
        let (register, selector) = split(operand);
        let part = match selector.map(part) {
            None => WORD,
            Some(Some(part)) => part,
            Some(None) => return self.wrong(i),
        };
        let word = self.value(&register, U32)?;
        let name = format!("__ws_ptx_v{idx}");
        let _ = write!(
            self.out,
            "const long long {name} = {}; ",
            extended(&word, part, ty)
        );
        Ok(name)
    }

    fn scalar_video(&mut self, i: &Instruction<'_>) -> Translated<()> {
        let [result, of_a, of_b] = self.video_types(i)?;
        if i.has("po") {
            return self.unsupported(i);
        }
        let a = self.video_source(i, 1, of_a)?;
        let b = self.video_source(i, 2, of_b)?;
        let mut value = self.video_value(i, &a, &b)?;
        let Some(target) = i.operands.first() else {
            return self.wrong(i);
        };
        let (target, selector) = split(target);
        let part = match selector.map(part) {
            None => WORD,
            Some(Some(part)) => part,
            Some(None) => return self.wrong(i),
        };
        if i.name == "vmad" {
            let is_signed = of_a.kind == Kind::Signed || of_b.kind == Kind::Signed;
            let c = self.operand(i, 3, if is_signed { S32 } else { U32 })?;
            let scale = [("shr7", 7), ("shr15", 15)]
                .into_iter()
                .find(|(word, _)| i.has(word));
            value = format!(
                "(({value} + (long long){c}) >> {})",
                scale.map_or(0, |(_, scale)| scale)
            );
        }
        if i.has("sat") {
            value = saturated(&value, part.width, result);
        }
        if i.name == "vmad" || i.operands.len() == 3 {
            return self.assign(&target, U32, &format!("(unsigned)({value})"));
        }
        let c = self.operand(i, 3, U32)?;
        if selector.is_some() {
            let mask = (1u64 << part.width) - 1;
            let value = format!(
                "((unsigned)({value}) & {mask}u) << {0} | ({c} & ~({mask}u << {0}))",
                part.start
            );
            return self.assign(&target, U32, &value);
        }
        let value = format!("({})({value})", result.c());
        let other = format!("({})({c})", result.c());
        let value = if i.has("add") {
            format!("(unsigned)({value}) + {c}")
        } else if i.has("min") {
            format!("min({value}, {other})")
        } else if i.has("max") {
            format!("max({value}, {other})")
        } else {
            return self.wrong(i);
        };
        self.assign(&target, U32, &value)
    }

    /// An instruction on all lanes of `width` bits of a word.
    fn packed_video(&mut self, i: &Instruction<'_>, width: u32) -> Translated<()> {
        let [result, of_a, of_b] = self.video_types(i)?;
        let [target, a, b, c] = i.operands else {
            return self.wrong(i);
        };
        let num = 32 / width;
        let (target, mask) = split(target);
        let written = match mask.map(|mask| lanes(mask, width)) {
            None => (0..num).collect(),
            Some(Some(lanes)) if lanes.iter().all(|lane| *lane < num) => lanes,
            Some(_) => return self.wrong(i),
        };
        let (a, b) = (split(a), split(b));
        let chosen = |selector: Option<&str>, first: u32| match selector {
            None => Some((first..first + num).collect()),
            Some(selector) => lanes(selector, width)
                .filter(|lanes| lanes.len() == num as usize && lanes.iter().all(|lane| *lane < 2 * num)),
        };
        // Lanes from `num` on are those of `b`.
        let (Some(from_a), Some(from_b)) = (chosen(a.1, 0), chosen(b.1, num)) else {
            return self.wrong(i);
        };
        let [a, b] = [a.0, b.0].map(|register| self.value(&register, U32));
        let c = self.value(c, U32)?;
        let _ = write!(
            self.out,
            "const unsigned __ws_ptx_v1 = {}, __ws_ptx_v2 = {}, __ws_ptx_v3 = {c}; ",
            a?, b?
        );
        let source = |lanes: &[u32], lane: u32, ty: Ty| {
            let from = lanes[lane as usize];
            let word = if from < num { "__ws_ptx_v1" } else { "__ws_ptx_v2" };
            let part = Part {
                width,
                start: from % num * width,
            };
            extended(word, part, ty)
        };
        let (mut sum, mut kept) = ("__ws_ptx_v3".to_owned(), u32::MAX);
        let mut merged = String::new();
        let low = (1u32 << width) - 1;
        for lane in written {
            let _ = write!(
                self.out,
                "const long long __ws_ptx_a{lane} = {}, __ws_ptx_b{lane} = {}; ",
                source(&from_a, lane, of_a),
                source(&from_b, lane, of_b)
            );
            let (a, b) = (format!("__ws_ptx_a{lane}"), format!("__ws_ptx_b{lane}"));
            let mut value = self.video_value(i, &a, &b)?;
            if i.has("sat") {
                value = saturated(&value, width, result);
            }
            let _ = write!(sum, " + (unsigned)({value})");
            let _ = write!(merged, " | ((unsigned)({value}) & {low}u) << {}", lane * width);
            kept &= !(low << (lane * width));
        }
        if i.has("add") {
            return self.assign(&target, U32, &sum);
        }
        self.assign(&target, U32, &format!("(__ws_ptx_v3 & {kept}u){merged}"))
    }
}
