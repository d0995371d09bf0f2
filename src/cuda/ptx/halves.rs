//! PTX instructions on half precision: `.f16`, `.bf16`, and their pairs. A register holds the bits of the numbers.
//!
//! Source: "PTX ISA", chapter "Half Precision Floating Point Instructions", and `cvt`.

use super::instructions::Instruction;
use super::text::Operand;
use super::{F32, F64, Kind, PRED, Translated, Translator, Ty, U16, U32};

/// A format of half precision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Format {
    /// Whether it is `bf16`.
    is_brain: bool,
    /// Whether a register holds two numbers.
    is_pair: bool,
}

impl Format {
    fn of(word: &str) -> Option<Self> {
        let (is_brain, is_pair) = match word {
            "f16" => (false, false),
            "f16x2" => (false, true),
            "bf16" => (true, false),
            "bf16x2" => (true, true),
            _ => return None,
        };
        Some(Self { is_brain, is_pair })
    }

    const fn single(self) -> Self {
        Self {
            is_pair: false,
            ..self
        }
    }

    /// The type of a register.
    const fn register(self) -> Ty {
        if self.is_pair { U32 } else { U16 }
    }

    /// The middle of the names of built-in functions on one number.
    const fn word(self) -> &'static str {
        if self.is_brain { "bfloat16" } else { "half" }
    }

    /// The number that a 16-bit register holds.
    fn number(self, bits: &str) -> String {
        format!("__ws_bits_{}((unsigned short)({bits}))", self.word())
    }

    /// The number of a register as `float`, which is exact.
    fn float(self, bits: &str) -> String {
        format!("((float){})", self.number(bits))
    }

    /// The bits of a number.
    fn bits(self, number: &str) -> String {
        format!("__ws_{}_bits({number})", self.word())
    }

    /// The bits of the half that is nearest to a `float` or `double`.
    fn nearest(self, value: &str) -> String {
        self.bits(&format!("(__ws_{})({value})", self.word()))
    }
}

/// The format of an instruction on half precision that this file translates.
pub(super) fn format(i: &Instruction<'_>) -> Option<Format> {
    let is_known = matches!(
        i.name,
        "add" | "sub" | "mul" | "fma" | "min" | "max" | "neg" | "abs" | "tanh" | "ex2" | "setp" | "cvt"
    );
    // Two numbers of 8 bits become two halves: elsewhere.
    let is_eight_bit = i
        .modifiers
        .iter()
        .any(|word| word.ends_with("m3x2") || word.ends_with("m2x2"));
    let mut formats = i.modifiers.iter().filter_map(|word| Format::of(word));
    formats.next().filter(|_| is_known && !is_eight_bit)
}

impl Translator<'_> {
    pub(super) fn half_instruction(&mut self, i: &Instruction<'_>, format: Format) -> Translated<()> {
        let refused = ["ftz", "NaN", "xorsign", "oob"];
        // The only form of `ex2` on `bf16` names `.ftz`, which has no effect: the results have the exponents of `float`.
        let is_refused = |word: &&str| refused.contains(word) && i.name != "cvt" && i.name != "ex2";
        if i.modifiers.iter().any(is_refused) {
            return self.unsupported(i);
        }
        match i.name {
            "cvt" => return self.convert_half(i),
            "setp" => return self.compare_halves(i, format),
            _ => {}
        }
        self.gate(i, format)?;
        let ty = format.register();
        let num_operands = match i.name {
            "fma" => 3,
            "neg" | "abs" | "tanh" | "ex2" => 1,
            _ => 2,
        };
        if i.operands.len() != num_operands + 1 {
            return self.wrong(i);
        }
        let mut operands = Vec::new();
        for idx in 1..=num_operands {
            operands.push(self.operand(i, idx, ty)?);
        }
        let value = match i.name {
            "tanh" | "ex2" => approximated(i.name, format, &operands[0]),
            _ if format.is_pair => pair(i, format, &operands),
            _ => single(i, format, &operands),
        };
        let Some(value) = clipped(i, format, value) else {
            return self.unsupported(i);
        };
        self.result(i, ty, &value)
    }

    /// Calls an empty function that older chips do not have.
    fn gate(&mut self, i: &Instruction<'_>, format: Format) -> Translated<()> {
        let gate = match (i.name, format.is_brain) {
            ("tanh" | "ex2", false) => "__ws_ptx_since_750(); ",
            ("tanh" | "ex2", true) => "__ws_ptx_since_900(); ",
            ("add" | "sub" | "mul" | "setp", true) => "__ws_ptx_since_900(); ",
            ("min" | "max", _) | (_, true) => "__ws_ptx_since_800(); ",
            _ => "__ws_ptx_since_530(); ",
        };
        self.plain(gate)
    }

    /// `setp.lt.f16 p, a, b`. The comparison of the numbers as `float` has the same result.
    fn compare_halves(&mut self, i: &Instruction<'_>, format: Format) -> Translated<()> {
        let [Operand::Name(_), a, b] = i.operands else {
            return self.unsupported(i);
        };
        if format.is_pair {
            return self.unsupported(i);
        }
        self.gate(i, format)?;
        let (a, b) = (
            format.float(&self.value(a, U16)?),
            format.float(&self.value(b, U16)?),
        );
        let value = match i.modifiers[..] {
            ["eq", _] => format!("{a} == {b}"),
            // False if an operand is NaN, unlike in C.
            ["ne", _] => format!("{a} < {b} || {a} > {b}"),
            ["lt", _] => format!("{a} < {b}"),
            ["le", _] => format!("{a} <= {b}"),
            ["gt", _] => format!("{a} > {b}"),
            ["ge", _] => format!("{a} >= {b}"),
            ["equ", _] => format!("!({a} < {b}) && !({a} > {b})"),
            ["neu", _] => format!("{a} != {b}"),
            ["ltu", _] => format!("!({a} >= {b})"),
            ["leu", _] => format!("!({a} > {b})"),
            ["gtu", _] => format!("!({a} <= {b})"),
            ["geu", _] => format!("!({a} < {b})"),
            ["num", _] => format!("{a} == {a} && {b} == {b}"),
            ["nan", _] => format!("{a} != {a} || {b} != {b}"),
            _ => return self.unsupported(i),
        };
        self.result(i, PRED, &value)
    }

    /// Conversions to and from half precision.
    fn convert_half(&mut self, i: &Instruction<'_>) -> Translated<()> {
        let words: Vec<&str> = (i.modifiers.iter().copied())
            .filter(|word| Format::of(word).is_some() || Ty::of(word).is_some())
            .collect();
        let [to, from] = words[..] else {
            return self.unsupported(i);
        };
        match (Format::of(to), Format::of(from)) {
            (Some(to), None) if to.is_pair => self.pack_halves(i, to),
            (Some(to), None) => {
                let Some(from) = Ty::of(from) else {
                    return self.unsupported(i);
                };
                self.write_half(i, to, from)
            }
            (None, Some(from)) if !from.is_pair => {
                let Some(to) = Ty::of(to) else {
                    return self.unsupported(i);
                };
                if from.is_brain {
                    self.plain("__ws_ptx_since_800(); ")?;
                }
                let number = from.float(&self.operand(i, 1, U16)?);
                if to == F32 {
                    return self.half_result(i, to, &number);
                }
                if to == F64 {
                    return self.half_result(i, to, &format!("(double){number}"));
                }
                let value = self.converted(i, number, F32, to);
                self.result(i, to, &value)
            }
            (Some(to), Some(from)) if to == from && !to.is_pair && !to.is_brain => {
                let function = match i.modifiers.first() {
                    Some(&"rni") => "__ws_half_rint",
                    Some(&"rzi") => "__ws_half_trunc",
                    Some(&"rmi") => "__ws_half_floor",
                    Some(&"rpi") => "__ws_half_ceil",
                    _ => return self.unsupported(i),
                };
                let number = to.number(&self.operand(i, 1, U16)?);
                self.result(i, U16, &to.bits(&format!("{function}({number})")))
            }
            _ => self.unsupported(i),
        }
    }

    fn half_result(&mut self, i: &Instruction<'_>, to: Ty, value: &str) -> Translated<()> {
        if i.has("sat") {
            return self.result(i, to, &format!("__saturatef({value})"));
        }
        self.result(i, to, value)
    }

    /// `cvt.rn.f16x2.f32 d, a, b`: `b` in the lower half.
    fn pack_halves(&mut self, i: &Instruction<'_>, to: Format) -> Translated<()> {
        if i.operands.len() != 3
            || i.rounding()
                .is_none_or(|rounding| rounding != "rn" && rounding != "rz")
        {
            return self.unsupported(i);
        }
        self.plain("__ws_ptx_since_800(); ")?;
        let (high, low) = (self.operand(i, 1, F32)?, self.operand(i, 2, F32)?);
        let (high, low) = (positive(i, high), positive(i, low));
        let value = match (i.rounding(), to.is_brain) {
            (Some("rn"), false) => format!("__ws_pack_floats({low}, {high})"),
            (Some("rn"), true) => format!("__ws_pack_bfloat16s({low}, {high})"),
            (_, false) => {
                let half = |value: &str| to.bits(&format!("__ws_float2half_rz({value})"));
                format!("(unsigned){} << 16 | {}", half(&high), half(&low))
            }
            // Toward zero drops the low bits of a number; those of a NaN become its only one.
            (_, true) => {
                let half =
                    |value: &str| format!("({value} != {value} ? 0x7fffu : __float_as_uint({value}) >> 16)");
                format!("{} << 16 | {}", half(&high), half(&low))
            }
        };
        self.result(i, U32, &value)
    }

    /// A number as a half.
    fn write_half(&mut self, i: &Instruction<'_>, to: Format, from: Ty) -> Translated<()> {
        let value = self.operand(i, 1, from)?;
        let rounding = i.rounding().unwrap_or("rn");
        if to.is_brain {
            let is_nearest = from == F32 && rounding == "rn" && !i.has("sat");
            if !is_nearest {
                return self.unsupported(i);
            }
            self.plain("__ws_ptx_since_800(); ")?;
            return self.result(i, U16, &to.nearest(&positive(i, value)));
        }
        let value = match (from.kind, from.bits) {
            (Kind::Float, 32) => {
                let value = if i.has("sat") {
                    format!("__saturatef({value})")
                } else {
                    positive(i, value)
                };
                if rounding == "rn" {
                    return self.result(i, U16, &to.nearest(&value));
                }
                format!("__ws_float2half_{rounding}({value})")
            }
            (Kind::Float, _) if rounding == "rn" && !i.has("sat") => {
                return self.result(i, U16, &to.nearest(&value));
            }
            (Kind::Float | Kind::Bits | Kind::Pred, _) => return self.unsupported(i),
            _ if i.has("sat") => return self.unsupported(i),
            (Kind::Signed, 64) => format!("__ws_ll2half_{rounding}({value})"),
            (Kind::Unsigned, 64) => format!("__ws_ull2half_{rounding}({value})"),
            (Kind::Unsigned, 32) => format!("__ws_uint2half_{rounding}({value})"),
            _ => format!("__ws_int2half_{rounding}((int)({value}))"),
        };
        self.result(i, U16, &to.bits(&value))
    }
}

/// `.relu`: a negative number becomes 0, and NaN stays.
fn positive(i: &Instruction<'_>, value: String) -> String {
    if i.has("relu") {
        format!("({value} < 0.0f ? 0.0f : {value})")
    } else {
        value
    }
}

/// `.sat` and `.relu` of a result.
fn clipped(i: &Instruction<'_>, format: Format, value: String) -> Option<String> {
    let each = |one: &str| {
        let number = format.float(one);
        if i.has("sat") {
            format.nearest(&format!("__saturatef({number})"))
        } else {
            format!("({number} < 0.0f ? (unsigned short)0 : (unsigned short)({one}))")
        }
    };
    if !i.has("sat") && !i.has("relu") {
        return Some(value);
    }
    if format.is_brain && i.has("sat") {
        return None;
    }
    Some(if format.is_pair {
        format!(
            "(unsigned){} << 16 | {}",
            each(&format!("({value}) >> 16")),
            each(&value)
        )
    } else {
        each(&value)
    })
}

/// Arithmetic on one number.
fn single(i: &Instruction<'_>, format: Format, operands: &[String]) -> String {
    let numbers: Vec<String> = operands.iter().map(|bits| format.number(bits)).collect();
    let word = format.word();
    let value = match (i.name, &numbers[..]) {
        ("fma", [a, b, c]) => format!("__ws_{word}_fma({a}, {b}, {c})"),
        ("min" | "max", [a, b]) => format!("__ws_{word}_{}({a}, {b})", i.name),
        ("add" | "sub" | "mul", [a, b]) if i.rounding().is_some() && !format.is_brain => {
            format!("__ws_half_{}_rn({a}, {b})", i.name)
        }
        ("add", [a, b]) => format!("{a} + {b}"),
        ("sub", [a, b]) => format!("{a} - {b}"),
        ("mul", [a, b]) => format!("{a} * {b}"),
        // Sign bits change also those of NaN.
        ("neg", _) => return format!("{} ^ 0x8000u", operands[0]),
        _ => return format!("{} & 0x7fffu", operands[0]),
    };
    format.bits(&value)
}

/// Arithmetic on two numbers.
fn pair(i: &Instruction<'_>, format: Format, operands: &[String]) -> String {
    let prefix = if format.is_brain {
        "__ws_bfloat16s"
    } else {
        "__ws_pair"
    };
    let alone = match i.name {
        "add" | "sub" | "mul" if i.rounding().is_some() => "_rn",
        _ => "",
    };
    format!("{prefix}_{}{alone}({})", i.name, operands.join(", "))
}

/// `tanh.approx` and `ex2.approx`, computed in single precision.
fn approximated(name: &str, format: Format, bits: &str) -> String {
    let function = if name == "tanh" {
        "__ws_tanh"
    } else {
        "__ws_mufu_ex2"
    };
    let each = |bits: &str| format.nearest(&format!("{function}({})", format.single().float(bits)));
    if format.is_pair {
        format!(
            "(unsigned){} << 16 | {}",
            each(&format!("{bits} >> 16")),
            each(bits)
        )
    } else {
        each(bits)
    }
}
