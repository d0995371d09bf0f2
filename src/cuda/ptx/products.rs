//! `mma` of PTX: all sizes and types of 7.0 to 9.0, made of the products that the chips have.
//! Source: PTX ISA, "Warp-level matrix instructions: mma", with its figures of the fragments.

use std::fmt::Write as _;

use super::instructions::Instruction;
use super::text::Operand;
use super::{F32, F64, Translated, Translator, Ty, U32};

/// The numbers of registers of a lane: of the left factor, the right factor, and the sums.
type Widths = [usize; 3];

/// The words of an instruction after `mma.sync.aligned`.
struct Words<'w> {
    size: &'w str,
    layouts: [&'w str; 2],
    /// The types of the result, the factors, and the sums.
    types: [&'w str; 4],
    saturate: bool,
    /// `and` or `xor` for bits.
    operation: Option<&'w str>,
}

impl<'w> Words<'w> {
    fn of(modifiers: &[&'w str]) -> Option<Self> {
        let ["sync", "aligned", size, left, right, rest @ ..] = modifiers else {
            return None;
        };
        let (saturate, rest) = match rest {
            ["satfinite", rest @ ..] => (true, rest),
            rest => (false, rest),
        };
        let (types, operation) = match *rest {
            [d, a, b, c] => ([d, a, b, c], None),
            [d, a, b, c, operation @ ("and" | "xor"), "popc"] => ([d, a, b, c], Some(operation)),
            _ => return None,
        };
        Some(Self {
            size,
            layouts: [left, right],
            types,
            saturate,
            operation,
        })
    }
}

impl Translator<'_> {
    /// `mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {d}, {a}, {b}, {c}`, and the other sizes and types.
    pub(super) fn matrix_product(&mut self, i: &Instruction<'_>) -> Translated<()> {
        let Some(words) = Words::of(&i.modifiers) else {
            return self.unsupported(i);
        };
        if words.size == "m8n8k4" && words.types[1] == "f16" {
            return self.product_of_quads(i, &words);
        }
        if words.layouts != ["row", "col"] || words.types[0] != words.types[3] {
            return self.unsupported(i);
        }
        match words.types[0] {
            "f64" => self.product_of_doubles(i, words.size),
            "s32" => self.product_of_integers(i, &words),
            _ if words.saturate || words.operation.is_some() => self.unsupported(i),
            _ => self.product_of_floats(i, &words),
        }
    }

    /// The registers of the four operands, whose numbers must be these.
    fn fragments<'o>(&self, i: &Instruction<'o>, [a, b, c]: Widths) -> Translated<[Vec<&'o Operand>; 4]> {
        let [d_given, a_given, b_given, c_given] = i.operands else {
            return self.wrong(i);
        };
        let all = [d_given, a_given, b_given, c_given].map(|operand| match operand {
            Operand::Vector(list) => list.iter().collect::<Vec<_>>(),
            single => vec![single],
        });
        if all.each_ref().map(Vec::len) == [c, a, b, c] {
            Ok(all)
        } else {
            self.wrong(i)
        }
    }

    fn values(&self, operands: &[&Operand], ty: Ty) -> Translated<Vec<String>> {
        operands.iter().map(|operand| self.value(operand, ty)).collect()
    }

    /// A new variable of a vector type with these elements.
    fn vector(&mut self, ty: &str, elements: &[String]) -> String {
        self.num_registers += 1;
        let name = format!("__ws_ptx_m{}", self.num_registers);
        let _ = write!(self.out, "{ty} {name} = make_{ty}({}); ", elements.join(", "));
        name
    }

    /// Sums of single or half precision: one product, or one for each part of the depth.
    fn product_of_floats(&mut self, i: &Instruction<'_>, words: &Words<'_>) -> Translated<()> {
        let [d, a, b, _] = words.types;
        let of_fp8;
        let (kind, parts) = match (words.size, a, b, d) {
            ("m16n8k16", "f16", "f16", "f32") => ("f32", 1),
            ("m16n8k16", "f16", "f16", "f16") => ("f16", 1),
            ("m16n8k16", "bf16", "bf16", "f32") => ("bf16", 1),
            ("m16n8k8", "f16", "f16", "f32") => ("f32k8", 1),
            ("m16n8k8", "f16", "f16", "f16") => ("f16k8", 1),
            ("m16n8k8", "bf16", "bf16", "f32") => ("bf16k8", 1),
            ("m16n8k4", "tf32", "tf32", "f32") => ("tf32", 1),
            ("m16n8k8", "tf32", "tf32", "f32") => ("tf32", 2),
            ("m16n8k32" | "m16n8k16", "e4m3" | "e5m2", "e4m3" | "e5m2", "f32" | "f16") => {
                of_fp8 = format!("{a}_{b}_{d}");
                (of_fp8.as_str(), 1)
            }
            _ => return self.unsupported(i),
        };
        let is_fp8 = a.starts_with('e');
        let depth = usize::from(words.size == "m16n8k16" || words.size == "m16n8k32");
        let widths = match kind {
            "tf32" => [2 * parts, parts, 4],
            _ if is_fp8 && words.size == "m16n8k16" => [2, 1, 4],
            _ => [2 + 2 * depth, 1 + depth, 4],
        };
        let (ty, vector, num_sums) = if d == "f32" {
            (F32, "float4", 4)
        } else {
            (U32, "uint2", 2)
        };
        let [target, left, right, sums] = self.fragments(i, [widths[0], widths[1], num_sums])?;
        let (mut left, mut right) = (self.values(&left, U32)?, self.values(&right, U32)?);
        let sums = self.values(&sums, ty)?;
        if is_fp8 && left.len() == 2 {
            // Half the depth: the rest is zero.
            left.extend(["0u".to_owned(), "0u".to_owned()]);
            right.push("0u".to_owned());
        }
        let result = if parts == 1 {
            self.num_registers += 1;
            let result = format!("__ws_ptx_m{}", self.num_registers);
            let _ = write!(
                self.out,
                "const {vector} {result} = __ws_mma_ptx_{kind}({}, {}, make_{vector}({})); ",
                left.join(", "),
                right.join(", "),
                sums.join(", ")
            );
            result
        } else {
            let result = self.vector(vector, &sums);
            for part in 0..parts {
                let _ = write!(
                    self.out,
                    "{result} = __ws_mma_ptx_{kind}({}, {}, {}, {result}); ",
                    left[2 * part],
                    left[2 * part + 1],
                    right[part]
                );
            }
            result
        };
        for (target, part) in target.iter().zip(["x", "y", "z", "w"]) {
            self.assign(target, ty, &format!("{result}.{part}"))?;
        }
        Ok(())
    }

    /// m8n8k4 of halves, of 7.0: four products of eight lanes each, in steps.
    fn product_of_quads(&mut self, i: &Instruction<'_>, words: &Words<'_>) -> Translated<()> {
        let letter = |layout: &str| match layout {
            "row" => Some('r'),
            "col" => Some('c'),
            _ => None,
        };
        let (Some(left_layout), Some(right_layout)) = (letter(words.layouts[0]), letter(words.layouts[1]))
        else {
            return self.unsupported(i);
        };
        let [d, _, b, c] = words.types;
        if d != c || b != "f16" || words.saturate || words.operation.is_some() {
            return self.unsupported(i);
        }
        let (ty, vector, num) = match d {
            "f32" => (F32, "float2", 8),
            "f16" => (U32, "uint2", 4),
            _ => return self.unsupported(i),
        };
        let [target, left, right, sums] = self.fragments(i, [2, 2, num])?;
        let mut factors = self.values(&left, U32)?;
        factors.extend(self.values(&right, U32)?);
        let sums = self.values(&sums, ty)?;
        let mut results = Vec::new();
        for (step, pair) in sums.chunks(2).enumerate() {
            let result = self.vector(vector, pair);
            let _ = write!(
                self.out,
                "{result} = __ws_mma_volta_{d}_{left_layout}{right_layout}{step}({}, {result}); ",
                factors.join(", ")
            );
            results.push(result);
        }
        for (idx, target) in target.iter().enumerate() {
            let part = if idx % 2 == 0 { "x" } else { "y" };
            self.assign(target, ty, &format!("{}.{part}", results[idx / 2]))?;
        }
        Ok(())
    }

    /// Doubles: products of 8 rows with a depth of 4.
    fn product_of_doubles(&mut self, i: &Instruction<'_>, size: &str) -> Translated<()> {
        let (rows, parts) = match size {
            "m8n8k4" => (1, 1),
            "m16n8k4" => (2, 1),
            "m16n8k8" => (2, 2),
            "m16n8k16" => (2, 4),
            _ => return self.unsupported(i),
        };
        let [target, left, right, sums] = self.fragments(i, [rows * parts, parts, 2 * rows])?;
        let words =
            |value: &String| format!("(unsigned)__double2loint({value}), (unsigned)__double2hiint({value})");
        let left: Vec<String> = self.values(&left, F64)?.iter().map(words).collect();
        let right: Vec<String> = self.values(&right, F64)?.iter().map(words).collect();
        let sums: Vec<String> = self.values(&sums, F64)?.iter().map(words).collect();
        if rows == 2 {
            self.out += "__ws_product_since_900(); ";
        }
        let mut results = Vec::new();
        for (row, pair) in sums.chunks(2).enumerate() {
            let result = self.vector("uint4", pair);
            for part in 0..parts {
                let _ = write!(
                    self.out,
                    "{result} = __ws_mma_ptx_f64(make_uint2({}), make_uint2({}), {result}); ",
                    left[rows * part + row],
                    right[part]
                );
            }
            results.push(result);
        }
        for (idx, target) in target.iter().enumerate() {
            let (low, high) = if idx % 2 == 0 { ("x", "y") } else { ("z", "w") };
            let result = &results[idx / 2];
            let value = format!("__hiloint2double((int){result}.{high}, (int){result}.{low})");
            self.assign(target, F64, &value)?;
        }
        Ok(())
    }

    /// Bytes, numbers of four bits, and bits.
    fn product_of_integers(&mut self, i: &Instruction<'_>, words: &Words<'_>) -> Translated<()> {
        let [_, a, b, _] = words.types;
        let kind: String = match (a, b, words.operation) {
            ("b1", "b1", Some(operation)) if !words.saturate => operation.to_owned(),
            ("s8" | "u8", "s8" | "u8", None) => "8".to_owned(),
            ("s4" | "u4", "s4" | "u4", None) => "4".to_owned(),
            _ => return self.unsupported(i),
        };
        // Rows in multiples of 8, and depth in multiples of the smallest product's.
        let (rows, parts) = match (words.size, kind.as_str()) {
            ("m8n8k16", "8") | ("m8n8k32", "4") | ("m8n8k128", "and" | "xor") => (1, 1),
            ("m16n8k16", "8") | ("m16n8k32", "4") | ("m16n8k128", "and" | "xor") => (2, 1),
            ("m16n8k32", "8") | ("m16n8k64", "4") | ("m16n8k256", "and" | "xor") => (2, 2),
            _ => return self.unsupported(i),
        };
        let [target, left, right, sums] = self.fragments(i, [rows * parts, parts, 2 * rows])?;
        let (left, right) = (self.values(&left, U32)?, self.values(&right, U32)?);
        let sums = self.values(&sums, U32)?;
        if rows == 2 {
            self.out += "__ws_product_since_800(); ";
        }
        // One sign for both factors: an unsigned number is its lower bits, less those of its highest bit as a sign.
        let (low, high) = if kind == "8" {
            ("0x7f7f7f7fu", "0x80808080u")
        } else {
            ("0x77777777u", "0x88888888u")
        };
        let masked = |words: &[String], mask: &str| -> Vec<String> {
            words.iter().map(|word| format!("({word} & {mask})")).collect()
        };
        let is_signed = |ty: &str| ty.starts_with('s');
        let sign = if is_signed(a) || is_signed(b) { "s" } else { "u" };
        let function = match kind.as_str() {
            "8" => format!("{sign}8"),
            "4" => format!("{sign}4"),
            bits => bits.to_owned(),
        };
        let none = vec!["0u".to_owned(); sums.len()];
        let results = if is_signed(a) == is_signed(b) {
            if words.saturate {
                let product = self.integer_sums(&function, rows, parts, &left, &right, &none);
                saturated(&sums, &product, None)
            } else {
                self.integer_sums(&function, rows, parts, &left, &right, &sums)
            }
        } else {
            let first = if words.saturate { &none } else { &sums };
            let (plus, minus) = if is_signed(b) {
                (
                    self.integer_sums(&function, rows, parts, &masked(&left, low), &right, first),
                    self.integer_sums(&function, rows, parts, &masked(&left, high), &right, &none),
                )
            } else {
                (
                    self.integer_sums(&function, rows, parts, &left, &masked(&right, low), first),
                    self.integer_sums(&function, rows, parts, &left, &masked(&right, high), &none),
                )
            };
            if words.saturate {
                saturated(&sums, &plus, Some(&minus))
            } else {
                plus.iter()
                    .zip(&minus)
                    .map(|(plus, minus)| format!("{plus} - {minus}"))
                    .collect()
            }
        };
        for (target, result) in target.iter().zip(&results) {
            self.assign(target, U32, result)?;
        }
        Ok(())
    }

    /// Products of integers with one sign, added to sums.
    fn integer_sums(
        &mut self,
        function: &str,
        rows: usize,
        parts: usize,
        left: &[String],
        right: &[String],
        sums: &[String],
    ) -> Vec<String> {
        let mut results = Vec::new();
        if rows == 2 && matches!(function, "s8" | "u8") {
            let result = self.vector("uint4", sums);
            for part in 0..parts {
                let _ = write!(
                    self.out,
                    "{result} = __ws_mma_ptx_{function}x16({}, {}, {}, {result}); ",
                    left[2 * part],
                    left[2 * part + 1],
                    right[part]
                );
            }
            results.extend(["x", "y", "z", "w"].map(|part| format!("{result}.{part}")));
            return results;
        }
        let name = match function {
            "s8" => "__ws_mma_ptx_s8x8",
            "u8" => "__ws_mma_ptx_u8x8",
            "s4" => "__ws_product_s4",
            "u4" => "__ws_product_u4",
            "and" => "__ws_mma_ptx_and",
            _ => "__ws_product_xor",
        };
        for (row, pair) in sums.chunks(2).enumerate() {
            let result = self.vector("uint2", pair);
            for part in 0..parts {
                let _ = write!(
                    self.out,
                    "{result} = {name}({}, {}, {result}); ",
                    left[rows * part + row],
                    right[part]
                );
            }
            results.extend(["x", "y"].map(|part| format!("{result}.{part}")));
        }
        results
    }
}

/// Sums that stay in the range of 32 bits.
fn saturated(sums: &[String], plus: &[String], minus: Option<&Vec<String>>) -> Vec<String> {
    let wide = |text: &String| format!("(long long)(int){text}");
    (sums.iter().zip(plus).enumerate())
        .map(|(idx, (sum, plus))| {
            let minus = minus.map_or(String::new(), |minus| format!(" - {}", wide(&minus[idx])));
            format!(
                "min(max({} + {}{minus}, -2147483647ll - 1ll), 2147483647ll)",
                wide(sum),
                wide(plus)
            )
        })
        .collect()
}
