//! Translates PTX instructions to expressions and statements of CUDA C++.

use std::fmt::Write as _;

use super::text::Operand;
use super::{F32, Kind, PRED, S32, Translated, Translator, Ty, U16, U32, halves, read, video};

/// An instruction with its modifiers.
pub(super) struct Instruction<'i> {
    /// The instruction as written.
    pub(super) text: &'i str,
    pub(super) name: &'i str,
    pub(super) modifiers: Vec<&'i str>,
    pub(super) operands: &'i [Operand],
}

impl Instruction<'_> {
    pub(super) fn has(&self, modifier: &str) -> bool {
        self.modifiers.contains(&modifier)
    }

    /// The types in order.
    pub(super) fn types(&self) -> Vec<Ty> {
        self.modifiers.iter().filter_map(|word| Ty::of(word)).collect()
    }

    /// The suffix of CUDA's rounding intrinsics for the instruction's rounding, if it has one.
    pub(super) fn rounding(&self) -> Option<&'static str> {
        self.modifiers.iter().find_map(|word| {
            Some(match *word {
                "rn" | "rni" => "rn",
                "rz" | "rzi" => "rz",
                "rm" | "rmi" => "rd",
                "rp" | "rpi" => "ru",
                _ => return None,
            })
        })
    }
}

impl Translator<'_> {
    pub(super) fn instruction(&mut self, text: &str, operands: &[Operand]) -> Translated<()> {
        let mut words = text.split('.');
        let i = Instruction {
            text,
            name: words.next().unwrap_or_default(),
            modifiers: words.collect(),
            operands,
        };
        if let Some(format) = halves::format(&i) {
            return self.half_instruction(&i, format);
        }
        match i.name {
            "mov" => self.mov(&i),
            "add" | "addc" | "sub" | "subc" => self.sum(&i),
            "mul" | "mul24" => self.product(&i),
            "mad" | "madc" | "mad24" => self.product_and_sum(&i),
            "fma" => self.fused(&i),
            "div" | "rem" | "min" | "max" | "and" | "or" | "xor" | "shl" | "shr" => self.binary(&i),
            "neg" | "abs" | "not" | "cnot" | "popc" | "clz" | "brev" | "bfind" | "rcp" | "sqrt" | "rsqrt"
            | "sin" | "cos" | "ex2" | "lg2" | "tanh" => self.unary(&i),
            "lop3" => self.lop3(&i),
            "prmt" | "shf" | "bfe" | "bfi" | "sad" | "dp4a" | "dp2a" => self.bits(&i),
            "setp" | "set" | "selp" | "slct" => self.comparison(&i),
            "cvt" => self.convert(&i),
            "cvta" => self.address_conversion(&i),
            "isspacep" => self.is_space(&i),
            "ld" | "ldu" | "st" => self.memory(&i),
            "atom" | "red" => self.atomic(&i),
            "membar" | "fence" => self.fence(&i),
            "bar" | "barrier" => self.barrier(&i),
            "vote" | "match" | "activemask" | "shfl" | "redux" => self.warp(&i),
            "mma" => self.matrix_product(&i),
            "cp" => self.async_copy(&i),
            "ldmatrix" | "stmatrix" | "movmatrix" => self.matrix_move(&i),
            "griddepcontrol" => self.grid_dependency(&i),
            "prefetch" | "prefetchu" | "discard" | "applypriority" => Ok(()),
            "bra" => {
                let [Operand::Name(label)] = operands else {
                    return self.wrong(&i);
                };
                let _ = write!(self.out, "goto {};", self.label(label));
                Ok(())
            }
            "trap" => self.plain("__trap();"),
            "brkpt" => self.plain("__brkpt();"),
            "nanosleep" => {
                let time = self.operand(&i, 0, U32)?;
                self.plain(&format!("__nanosleep({time});"))
            }
            name if video::is_video(name) => self.video(&i),
            _ => self.unsupported(&i),
        }
    }

    pub(super) fn unsupported<T>(&self, i: &Instruction<'_>) -> Translated<T> {
        self.error(format!("The PTX instruction `{}` is not supported.", i.text))
    }

    pub(super) fn wrong<T>(&self, i: &Instruction<'_>) -> Translated<T> {
        self.error(format!(
            "Arguments mismatch for the PTX instruction `{}`.",
            i.text
        ))
    }

    #[expect(
        clippy::unnecessary_wraps,
        reason = "every other translation of an instruction can fail"
    )]
    pub(super) fn plain(&mut self, text: &str) -> Translated<()> {
        self.out += text;
        Ok(())
    }

    pub(super) fn operand(&self, i: &Instruction<'_>, idx: usize, ty: Ty) -> Translated<String> {
        match i.operands.get(idx) {
            Some(operand) => self.value(operand, ty),
            None => self.wrong(i),
        }
    }

    /// Writes the first operand.
    pub(super) fn result(&mut self, i: &Instruction<'_>, ty: Ty, value: &str) -> Translated<()> {
        match i.operands.first() {
            Some(target) => self.assign(target, ty, value),
            None => self.wrong(i),
        }
    }

    /// The last type of the instruction.
    fn ty(&self, i: &Instruction<'_>) -> Translated<Ty> {
        match i.types().last() {
            Some(ty) => Ok(*ty),
            None => self.unsupported(i),
        }
    }

    /// An operand of floating-point arithmetic; `.ftz` flushes subnormals to zero.
    fn float_operand(&self, i: &Instruction<'_>, idx: usize, ty: Ty) -> Translated<String> {
        let value = self.operand(i, idx, ty)?;
        Ok(flushed(i, ty, value))
    }

    fn float_result(&mut self, i: &Instruction<'_>, ty: Ty, value: String) -> Translated<()> {
        let value = if i.has("sat") {
            format!("__saturatef({value})")
        } else {
            value
        };
        let value = flushed(i, ty, value);
        self.result(i, ty, &value)
    }

    fn mov(&mut self, i: &Instruction<'_>) -> Translated<()> {
        let ty = self.ty(i)?;
        let half = Ty {
            kind: Kind::Unsigned,
            bits: ty.bits / 2,
        };
        match i.operands {
            // A pair in one register.
            [target, Operand::Vector(parts)] => {
                let [low, high] = &parts[..] else {
                    return self.unsupported(i);
                };
                let (low, high) = (self.value(low, half)?, self.value(high, half)?);
                let whole = ty.unsigned().c();
                let value = format!("(({whole})({high}) << {}) | ({whole})({low})", half.bits);
                self.assign(target, ty.unsigned(), &value)
            }
            [Operand::Vector(parts), source] => {
                let [low, high] = &parts[..] else {
                    return self.unsupported(i);
                };
                let whole = self.value(source, ty.unsigned())?;
                let name = format!("__ws_ptx_w{}", self.num_registers);
                let _ = write!(self.out, "{} {name} = {whole}; ", ty.unsigned().c());
                self.assign(low, half, &name)?;
                self.assign(high, half, &format!("{name} >> {}", half.bits))
            }
            [_, source] => {
                let value = self.value(source, ty)?;
                self.result(i, ty, &value)
            }
            _ => self.wrong(i),
        }
    }

    /// add, addc, sub, subc.
    fn sum(&mut self, i: &Instruction<'_>) -> Translated<()> {
        let ty = self.ty(i)?;
        let subtracts = i.name.starts_with("sub");
        let operator = if subtracts { '-' } else { '+' };
        if ty.is_float() {
            let (a, b) = (self.float_operand(i, 1, ty)?, self.float_operand(i, 2, ty)?);
            let value = match i.rounding() {
                Some(rounding) => {
                    let letter = if ty.bits == 32 { 'f' } else { 'd' };
                    let name = if subtracts { "sub" } else { "add" };
                    format!("__{letter}{name}_{rounding}({a}, {b})")
                }
                None => format!("{a} {operator} {b}"),
            };
            return self.float_result(i, ty, value);
        }
        let (a, b) = (self.operand(i, 1, ty)?, self.operand(i, 2, ty)?);
        if i.has("sat") {
            let value = format!("min(max((long long)({a}) {operator} ({b}), -2147483648ll), 2147483647ll)");
            return self.result(i, ty, &value);
        }
        let takes = i.name.ends_with('c');
        if !takes && !i.has("cc") {
            let unsigned = ty.unsigned().c();
            return self.result(i, ty, &format!("({unsigned})({a}) {operator} ({unsigned})({b})"));
        }
        self.carried(i, ty, &a, &b, operator, takes)
    }

    /// A sum or difference with the carry flag, which holds the borrow of a difference.
    fn carried(
        &mut self,
        i: &Instruction<'_>,
        ty: Ty,
        a: &str,
        b: &str,
        operator: char,
        takes: bool,
    ) -> Translated<()> {
        if takes && !self.has_carry {
            return self.error(format!(
                "`{}` reads the carry flag, which no earlier instruction of this `asm` statement sets; put both in one statement.",
                i.text
            ));
        }
        self.uses_carry = true;
        let carry = if takes { "__ws_ptx_cc" } else { "0u" };
        let unsigned = ty.unsigned();
        let whole = unsigned.c();
        let (bits, id) = (ty.bits, self.num_registers);
        let _ = write!(self.out, "{whole} __ws_ptx_a{id} = {a}, __ws_ptx_b{id} = {b}; ");
        let (a, b) = (format!("__ws_ptx_a{id}"), format!("__ws_ptx_b{id}"));
        let sum = format!("__ws_ptx_s{id}");
        let flag = if bits == 32 {
            let _ = write!(
                self.out,
                "unsigned long long {sum} = (unsigned long long){a} {operator} {b} {operator} {carry}; "
            );
            format!("(unsigned)({sum} >> 32) & 1u")
        } else {
            let _ = write!(
                self.out,
                "{whole} {sum} = {a} {operator} {b} {operator} {carry}; "
            );
            if operator == '+' {
                format!("{sum} < {a} || ({carry} && {sum} == {a})")
            } else {
                format!("{a} < {b} || ({carry} && {a} == {b})")
            }
        };
        if i.has("cc") {
            let _ = write!(self.out, "unsigned __ws_ptx_f{id} = {flag}; ");
        }
        self.result(i, unsigned, &sum)?;
        if i.has("cc") {
            self.has_carry = true;
            let _ = write!(self.out, " __ws_ptx_cc = __ws_ptx_f{id};");
        }
        Ok(())
    }

    /// The product of operands 1 and 2, and its type.
    fn multiplied(&self, i: &Instruction<'_>, ty: Ty) -> Translated<(String, Ty)> {
        let (a, b) = (self.operand(i, 1, ty)?, self.operand(i, 2, ty)?);
        if i.name.ends_with("24") {
            if i.has("hi") {
                return self.unsupported(i);
            }
            let name = if ty.kind == Kind::Signed {
                "__mul24"
            } else {
                "__umul24"
            };
            return Ok((format!("{name}({a}, {b})"), ty));
        }
        if i.has("wide") {
            let wide = ty.twice();
            return Ok((format!("({0})({a}) * ({0})({b})", wide.c()), wide));
        }
        if i.has("hi") {
            let name = match (ty.kind, ty.bits) {
                (Kind::Signed, 32) => "__mulhi",
                (Kind::Signed, 64) => "__mul64hi",
                (_, 32) => "__umulhi",
                (_, 64) => "__umul64hi",
                _ => return self.unsupported(i),
            };
            return Ok((format!("{name}({a}, {b})"), ty));
        }
        let unsigned = ty.unsigned().c();
        Ok((format!("({unsigned})({a}) * ({unsigned})({b})"), ty))
    }

    fn product(&mut self, i: &Instruction<'_>) -> Translated<()> {
        let ty = self.ty(i)?;
        if ty.is_float() {
            let (a, b) = (self.float_operand(i, 1, ty)?, self.float_operand(i, 2, ty)?);
            let value = match i.rounding() {
                Some(rounding) => {
                    let letter = if ty.bits == 32 { 'f' } else { 'd' };
                    format!("__{letter}mul_{rounding}({a}, {b})")
                }
                None => format!("{a} * {b}"),
            };
            return self.float_result(i, ty, value);
        }
        let (value, ty) = self.multiplied(i, ty)?;
        self.result(i, ty, &value)
    }

    fn product_and_sum(&mut self, i: &Instruction<'_>) -> Translated<()> {
        let ty = self.ty(i)?;
        if ty.is_float() {
            return self.fused(i);
        }
        let (product, ty) = self.multiplied(i, ty)?;
        let c = self.operand(i, 3, ty)?;
        let takes = i.name == "madc";
        if takes || i.has("cc") {
            return self.carried(
                i,
                ty,
                &format!("({})({product})", ty.unsigned().c()),
                &c,
                '+',
                takes,
            );
        }
        let unsigned = ty.unsigned().c();
        self.result(i, ty, &format!("({unsigned})({product}) + ({unsigned})({c})"))
    }

    fn fused(&mut self, i: &Instruction<'_>) -> Translated<()> {
        let ty = self.ty(i)?;
        if !ty.is_float() {
            return self.unsupported(i);
        }
        let [a, b, c] = [1, 2, 3].map(|idx| self.float_operand(i, idx, ty));
        let name = if ty.bits == 32 { "__fmaf" } else { "__fma" };
        let rounding = i.rounding().unwrap_or("rn");
        let value = format!("{name}_{rounding}({}, {}, {})", a?, b?, c?);
        self.float_result(i, ty, value)
    }

    fn binary(&mut self, i: &Instruction<'_>) -> Translated<()> {
        let ty = self.ty(i)?;
        if ty.is_float() {
            let (a, b) = (self.float_operand(i, 1, ty)?, self.float_operand(i, 2, ty)?);
            let single = ty.bits == 32;
            let value = match i.name {
                "min" | "max" if i.has("NaN") || i.has("xorsign") => return self.unsupported(i),
                "min" => format!("fmin({a}, {b})"),
                "max" => format!("fmax({a}, {b})"),
                "div" if i.has("approx") || i.has("full") => format!("__fdividef({a}, {b})"),
                "div" => {
                    let letter = if single { 'f' } else { 'd' };
                    format!("__{letter}div_{}({a}, {b})", i.rounding().unwrap_or("rn"))
                }
                _ => return self.unsupported(i),
            };
            return self.float_result(i, ty, value);
        }
        let a = self.operand(i, 1, ty)?;
        if matches!(i.name, "shl" | "shr") {
            // A shift by the width or more returns 0, or the sign.
            let b = self.operand(i, 2, U32)?;
            let all = match (i.name, ty.kind) {
                ("shr", Kind::Signed) => format!("{a} >> {}", ty.bits - 1),
                _ => "0".to_owned(),
            };
            let operator = if i.name == "shl" { "<<" } else { ">>" };
            let left = if i.name == "shl" {
                format!("({})({a})", ty.unsigned().c())
            } else {
                a
            };
            let value = match b.parse::<u32>() {
                Ok(distance) if distance < ty.bits => format!("{left} {operator} {distance}"),
                _ => format!(
                    "{b} < {}u ? ({})({left} {operator} {b}) : ({})({all})",
                    ty.bits,
                    ty.c(),
                    ty.c()
                ),
            };
            return self.result(i, ty, &value);
        }
        let b = self.operand(i, 2, ty)?;
        let value = match i.name {
            "div" => format!("{a} / {b}"),
            "rem" => format!("{a} % {b}"),
            "and" => format!("{a} & {b}"),
            "or" => format!("{a} | {b}"),
            "xor" => format!("{a} ^ {b}"),
            name => format!("{name}({a}, {b})"),
        };
        self.result(i, ty, &value)
    }

    fn unary(&mut self, i: &Instruction<'_>) -> Translated<()> {
        let ty = self.ty(i)?;
        if ty.is_float() {
            let a = self.float_operand(i, 1, ty)?;
            let single = ty.bits == 32;
            let letter = if single { 'f' } else { 'd' };
            let rounding = i.rounding();
            let value = match i.name {
                "neg" => format!("-{a}"),
                "abs" => format!("fabs({a})"),
                "rcp" if i.has("approx") && i.has("ftz") && single => format!("__ws_mufu_rcp({a})"),
                "rcp" if i.has("approx") && single => format!("__ws_rcp({a})"),
                "sqrt" if i.has("approx") && single => format!("__ws_sqrt({a})"),
                "rcp" | "sqrt" if rounding.is_some() => {
                    format!("__{letter}{}_{}({a})", i.name, rounding.unwrap_or("rn"))
                }
                "rsqrt" if single => format!("rsqrtf({a})"),
                "rsqrt" if !i.has("ftz") => format!("rsqrt({a})"),
                "sin" if single => format!("__sinf({a})"),
                "cos" if single => format!("__cosf({a})"),
                "ex2" if i.has("ftz") && single => format!("__ws_mufu_ex2({a})"),
                "ex2" if single => format!("__ws_ex2({a})"),
                "lg2" if single => format!("__log2f({a})"),
                "tanh" if single => format!("__ws_tanh({a})"),
                _ => return self.unsupported(i),
            };
            return self.float_result(i, ty, value);
        }
        let a = self.operand(i, 1, ty)?;
        let wide = if ty.bits == 64 { "ll" } else { "" };
        let (value, to) = match i.name {
            "neg" => (format!("({})0 - {a}", ty.unsigned().c()), ty),
            "abs" => (
                format!("{a} < 0 ? ({0})0 - ({0}){a} : ({0}){a}", ty.unsigned().c()),
                ty,
            ),
            "not" if ty == PRED => (format!("!{a}"), ty),
            "not" => (format!("~{a}"), ty),
            "cnot" => (format!("{a} == 0"), ty),
            "popc" => (format!("__popc{wide}({a})"), U32),
            "clz" => (format!("__clz{wide}({a})"), U32),
            "brev" => (format!("__brev{wide}({a})"), ty),
            "bfind" => {
                let unsigned = ty.unsigned().c();
                let bits = if ty.kind == Kind::Signed {
                    format!("({unsigned})({a} ^ ({a} >> {}))", ty.bits - 1)
                } else {
                    a
                };
                let zeros = format!("__clz{wide}({bits})");
                let value = if i.has("shiftamt") {
                    format!("{bits} ? {zeros} : -1")
                } else {
                    format!("{} - {zeros}", ty.bits - 1)
                };
                (value, U32)
            }
            _ => return self.unsupported(i),
        };
        self.result(i, to, &value)
    }

    fn lop3(&mut self, i: &Instruction<'_>) -> Translated<()> {
        let [_, _, _, _, Operand::Number(table)] = i.operands else {
            return self.wrong(i);
        };
        let digits = table.trim_start_matches("0x");
        let table = if digits.len() < table.len() {
            u8::from_str_radix(digits, 16).ok()
        } else {
            table.parse().ok()
        };
        let Some(table) = table else {
            return self.wrong(i);
        };
        let [a, b, c] = [1, 2, 3].map(|idx| self.operand(i, idx, U32));
        let (a, b, c) = (a?, b?, c?);
        // The sum of the terms whose bits of the table are set: `a` is 0xf0, b is 0xcc, c is 0xaa.
        let terms: Vec<String> = (0..8)
            .filter(|term| table >> term & 1 == 1)
            .map(|term| {
                let not = |bit: u32| if term >> bit & 1 == 1 { "" } else { "~" };
                format!("({}{a} & {}{b} & {}{c})", not(2), not(1), not(0))
            })
            .collect();
        let value = match table {
            0xff => "0xffffffffu".to_owned(),
            0x96 => format!("{a} ^ {b} ^ {c}"),
            0x80 => format!("{a} & {b} & {c}"),
            0xfe => format!("{a} | {b} | {c}"),
            0xe8 => format!("({a} & {b}) | (({a} | {b}) & {c})"),
            0xca => format!("({a} & {b}) | (~{a} & {c})"),
            _ if terms.is_empty() => "0u".to_owned(),
            _ => terms.join(" | "),
        };
        self.result(i, U32, &value)
    }

    fn bits(&mut self, i: &Instruction<'_>) -> Translated<()> {
        let types = i.types();
        let ty = self.ty(i)?;
        match i.name {
            "prmt" => {
                if i.modifiers != ["b32"] {
                    return self.unsupported(i);
                }
                let [a, b, c] = [1, 2, 3].map(|idx| self.operand(i, idx, U32));
                let value = format!("__byte_perm({}, {}, {})", a?, b?, c?);
                self.result(i, U32, &value)
            }
            "shf" => {
                let side = if i.has("l") { 'l' } else { 'r' };
                let clamp = if i.has("clamp") { "c" } else { "" };
                let [a, b, c] = [1, 2, 3].map(|idx| self.operand(i, idx, U32));
                let value = format!("__funnelshift_{side}{clamp}({}, {}, {})", a?, b?, c?);
                self.result(i, U32, &value)
            }
            "sad" => {
                let name = if ty.kind == Kind::Signed {
                    "__sad"
                } else {
                    "__usad"
                };
                if ty.bits != 32 {
                    return self.unsupported(i);
                }
                let [a, b] = [1, 2].map(|idx| self.operand(i, idx, ty));
                let value = format!("{name}({}, {}, {})", a?, b?, self.operand(i, 3, U32)?);
                self.result(i, U32, &value)
            }
            "bfe" | "bfi" => {
                let first = usize::from(i.name == "bfi") + 1;
                let whole = ty.unsigned().c();
                let position = self.operand(i, first + 1, U32)?;
                let length = self.operand(i, first + 2, U32)?;
                let (function, signed) = match (i.name, ty.kind) {
                    ("bfe", Kind::Signed) => ("__ws_bfe_s", true),
                    ("bfe", _) => ("__ws_bfe_u", false),
                    _ => ("__ws_bfi", false),
                };
                let a = self.operand(i, 1, if signed { ty } else { ty.unsigned() })?;
                let value = if i.name == "bfe" {
                    format!("{function}{}({a}, {position}, {length})", ty.bits)
                } else {
                    let b = self.operand(i, 2, ty.unsigned())?;
                    format!("({whole}){function}{}({a}, {b}, {position}, {length})", ty.bits)
                };
                self.result(i, ty, &value)
            }
            _ => {
                // Types of both factors; the first one also determines the sum's type.
                let [of_a, of_b] = types[..] else {
                    return self.unsupported(i);
                };
                if of_a.kind != of_b.kind {
                    return self.unsupported(i);
                }
                let ty = Ty {
                    kind: of_a.kind,
                    bits: 32,
                };
                let suffix = match (i.name, i.has("lo")) {
                    ("dp4a", _) => "__dp4a",
                    (_, true) => "__dp2a_lo",
                    _ => "__dp2a_hi",
                };
                let [a, b, c] = [1, 2, 3].map(|idx| self.operand(i, idx, ty));
                let value = format!("{suffix}({}, {}, {})", a?, b?, c?);
                self.result(i, ty, &value)
            }
        }
    }

    /// setp, set, selp, slct.
    fn comparison(&mut self, i: &Instruction<'_>) -> Translated<()> {
        let ty = self.ty(i)?;
        match i.name {
            "selp" => {
                let [a, b] = [1, 2].map(|idx| self.operand(i, idx, ty));
                let chosen = self.operand(i, 3, PRED)?;
                return self.result(i, ty, &format!("{chosen} ? {} : {}", a?, b?));
            }
            "slct" => {
                let [to, of] = i.types()[..] else {
                    return self.wrong(i);
                };
                let [a, b] = [1, 2].map(|idx| self.operand(i, idx, to));
                let sign = self.operand(i, 3, of)?;
                return self.result(i, to, &format!("{sign} >= 0 ? {} : {}", a?, b?));
            }
            _ => {}
        }
        let compare = i.modifiers.first().copied().unwrap_or_default();
        // Bit types compare as unsigned numbers; `lo` and similar comparisons do so for any type.
        let ty = match compare {
            "lo" | "ls" | "hi" | "hs" => ty.unsigned(),
            _ => ty,
        };
        let (a, b) = if ty.is_float() {
            (self.float_operand(i, 1, ty)?, self.float_operand(i, 2, ty)?)
        } else {
            (self.operand(i, 1, ty)?, self.operand(i, 2, ty)?)
        };
        let truth = match compare {
            "eq" => format!("({a} == {b})"),
            // False if an operand is NaN, unlike in C.
            "ne" if ty.is_float() => format!("({a} < {b} || {a} > {b})"),
            "ne" => format!("({a} != {b})"),
            "lt" | "lo" => format!("({a} < {b})"),
            "le" | "ls" => format!("({a} <= {b})"),
            "gt" | "hi" => format!("({a} > {b})"),
            "ge" | "hs" => format!("({a} >= {b})"),
            "equ" => format!("(!({a} < {b}) && !({a} > {b}))"),
            "neu" => format!("({a} != {b})"),
            "ltu" => format!("(!({a} >= {b}))"),
            "leu" => format!("(!({a} > {b}))"),
            "gtu" => format!("(!({a} <= {b}))"),
            "geu" => format!("(!({a} < {b}))"),
            "num" => format!("({a} == {a} && {b} == {b})"),
            "nan" => format!("({a} != {a} || {b} != {b})"),
            _ => return self.unsupported(i),
        };
        let combine = |truth: &str, other: &str| -> Option<String> {
            Some(match i.modifiers.get(1).copied() {
                Some("and") => format!("{truth} && {other}"),
                Some("or") => format!("{truth} || {other}"),
                Some("xor") => format!("{truth} != {other}"),
                _ => return None,
            })
        };
        let other = match i.operands.get(3) {
            Some(operand) => Some(format!("({})", self.value(operand, PRED)?)),
            None => None,
        };
        let not = format!("(!{truth})");
        let both = match &other {
            Some(other) => combine(&truth, other).zip(combine(&not, other)),
            None => Some((truth.clone(), not)),
        };
        let Some((value, inverse)) = both else {
            return self.wrong(i);
        };
        if i.name == "set" {
            let Some(to) = i.types().first().copied().filter(|_| i.types().len() == 2) else {
                return self.wrong(i);
            };
            let (yes, no) = if to.is_float() {
                ("1.0f", "0.0f")
            } else {
                ("0xffffffffu", "0u")
            };
            return self.result(i, to, &format!("({value}) ? {yes} : {no}"));
        }
        match i.operands.first() {
            Some(Operand::Pair(first, second)) => {
                let name = format!("__ws_ptx_q{}", self.num_registers);
                let _ = write!(self.out, "bool {name} = {inverse}; ");
                self.assign(first, PRED, &value)?;
                self.assign(second, PRED, &name)
            }
            _ => self.result(i, PRED, &value),
        }
    }

    fn convert(&mut self, i: &Instruction<'_>) -> Translated<()> {
        // cvt.rn.satfinite.e4m3x2.f32 d, a, b: b in the low byte; and cvt.rn.f16x2.e4m3x2 d, a.
        match *i.modifiers {
            ["rn", "satfinite", pair @ ("e4m3x2" | "e5m2x2"), "f32"] => {
                let (high, low) = (self.float_operand(i, 1, F32)?, self.float_operand(i, 2, F32)?);
                let call = format!("__ws_pack_{}({low}, {high})", pair.trim_end_matches("x2"));
                return self.result(i, U16, &call);
            }
            ["rn", "f16x2", pair @ ("e4m3x2" | "e5m2x2")] => {
                let a = self.operand(i, 1, U16)?;
                let call = format!("__ws_unpack_{}({a})", pair.trim_end_matches("x2"));
                return self.result(i, U32, &call);
            }
            _ => {}
        }
        if i.has("pack") {
            return self.packed(i);
        }
        if *i.modifiers == ["rna", "tf32", "f32"] {
            // To the nearest number with 10 bits of mantissa, ties away from zero.
            let bits = self.operand(i, 1, U32)?;
            let value =
                format!("({bits} & 0x7f800000u) == 0x7f800000u ? {bits} : ({bits} + 0x1000u) & 0xffffe000u");
            self.plain("__ws_ptx_since_800(); ")?;
            return self.result(i, U32, &value);
        }
        let [to, from] = i.types()[..] else {
            return self.unsupported(i);
        };
        let a = if from.is_float() {
            self.float_operand(i, 1, from)?
        } else {
            self.operand(i, 1, from)?
        };
        let value = self.converted(i, a, from, to);
        if to.is_float() {
            return self.float_result(i, to, value);
        }
        self.result(i, to, &value)
    }

    /// `cvt.pack.sat.s8.s32.b32 d, a, b, c`: two saturated numbers, above them the lower half of `c`.
    fn packed(&mut self, i: &Instruction<'_>) -> Translated<()> {
        let [to, from, ..] = i.types()[..] else {
            return self.unsupported(i);
        };
        let with_rest = to.bits == 8;
        if !i.has("sat") || from != S32 || !matches!(to.bits, 8 | 16) || i.has("b32") != with_rest {
            return self.unsupported(i);
        }
        let mask = (1_u32 << to.bits) - 1;
        let [high, low] = [1, 2].map(|idx| {
            let value = self.operand(i, idx, from)?;
            Ok(format!(
                "((unsigned)({}) & {mask}u)",
                self.clamped(&value, from, to)
            ))
        });
        let mut value = format!("{} << {} | {}", high?, to.bits, low?);
        if with_rest {
            value = format!("({} << 16) | {value}", self.operand(i, 3, U32)?);
        }
        self.plain("__ws_ptx_since_720(); ")?;
        self.result(i, U32, &value)
    }

    /// A number of one type as a number of another.
    pub(super) fn converted(&self, i: &Instruction<'_>, a: String, from: Ty, to: Ty) -> String {
        let word = |ty: Ty| match (ty.kind, ty.bits) {
            (Kind::Float, 32) => "float",
            (Kind::Float, _) => "double",
            (Kind::Signed, 64) => "ll",
            (Kind::Signed, _) => "int",
            (_, 64) => "ull",
            _ => "uint",
        };
        let rounding = i.rounding();
        match (from.is_float(), to.is_float()) {
            (false, false) if i.has("sat") => self.clamped(&a, from, to),
            (false, false) => a,
            (true, false) => {
                // Saturates to 32 bits, then to the range of the narrow type.
                let narrow = to.bits < 32;
                let through = if narrow {
                    Ty {
                        kind: Kind::Signed,
                        bits: 32,
                    }
                } else {
                    to
                };
                let whole = format!(
                    "__{}2{}_{}({a})",
                    word(from),
                    word(through),
                    rounding.unwrap_or("rz")
                );
                if narrow {
                    self.clamped(&whole, through, to)
                } else {
                    whole
                }
            }
            (false, true) => {
                let wide = if from.bits < 32 { format!("(int)({a})") } else { a };
                let of = if from.bits < 32 { from.signed() } else { from };
                if to.bits == 64 && from.bits < 64 {
                    format!("(double)({wide})")
                } else {
                    format!("__{}2{}_{}({wide})", word(of), word(to), rounding.unwrap_or("rn"))
                }
            }
            (true, true) if from == to => {
                let function = match i.modifiers.first() {
                    Some(&"rni") => "rint",
                    Some(&"rzi") => "trunc",
                    Some(&"rmi") => "floor",
                    Some(&"rpi") => "ceil",
                    _ => "",
                };
                format!("{function}({a})")
            }
            (true, true) if to.bits == 64 => format!("(double)({a})"),
            (true, true) => format!("__double2float_{}({a})", rounding.unwrap_or("rn")),
        }
    }

    /// An integer clamped to the range of another type.
    pub(super) fn clamped(&self, value: &str, from: Ty, to: Ty) -> String {
        let signed_from = from.kind == Kind::Signed;
        let (low, high) = match (to.kind, to.bits) {
            (Kind::Signed, bits) => (-(1_i128 << (bits - 1)), (1_i128 << (bits - 1)) - 1),
            (_, bits) => (0, (1_i128 << bits) - 1),
        };
        if high > i128::from(i64::MAX) || (!signed_from && from.bits == 64) {
            // Only the lower bound can be exceeded, or the upper bound for an unsigned 64-bit number.
            return if signed_from {
                format!("max((long long)({value}), 0ll)")
            } else {
                format!("min((unsigned long long)({value}), {high}ull)")
            };
        }
        format!("min(max((long long)({value}), ({low}ll)), ({high}ll))")
    }

    /// The 64-bit number of an address operand.
    pub(super) fn address(&self, i: &Instruction<'_>, operand: Option<&Operand>) -> Translated<String> {
        let Some(Operand::Address(base, offset)) = operand else {
            return self.wrong(i);
        };
        let wide = Ty {
            kind: Kind::Unsigned,
            bits: 64,
        };
        let address = self.value(base, wide)?;
        Ok(match offset {
            0 => address,
            offset => format!("({address} + ({offset}ll))"),
        })
    }

    /// The pointer of an address operand to values of a type, in a state space.
    fn pointer(&self, i: &Instruction<'_>, operand: Option<&Operand>, c_type: &str) -> Translated<String> {
        let address = self.address(i, operand)?;
        if i.modifiers
            .iter()
            .any(|word| matches!(*word, "local" | "const" | "param"))
        {
            return self.unsupported(i);
        }
        let is_shared = i
            .modifiers
            .iter()
            .any(|word| *word == "shared" || word.starts_with("shared::"));
        Ok(if is_shared {
            format!("(({c_type} *)__cvta_shared_to_generic({address}))")
        } else {
            format!("(({c_type} *){address})")
        })
    }

    fn memory(&mut self, i: &Instruction<'_>) -> Translated<()> {
        let ty = self.ty(i)?;
        let ty = if ty.kind == Kind::Bits { ty.unsigned() } else { ty };
        let lanes: usize = if i.has("v4") {
            4
        } else if i.has("v2") {
            2
        } else {
            1
        };
        let is_store = i.name == "st";
        let (data, address) = match i.operands {
            [address, data] if is_store => (data, address),
            [data, address] if !is_store => (data, address),
            _ => return self.wrong(i),
        };
        let parts: Vec<&Operand> = match data {
            Operand::Vector(parts) => parts.iter().collect(),
            single => vec![single],
        };
        if parts.len() != lanes {
            return self.wrong(i);
        }
        let vector = match (ty.kind, ty.bits) {
            (Kind::Float, 32) => "float",
            (Kind::Float, _) => "double",
            (Kind::Signed, 8) => "char",
            (Kind::Signed, 16) => "short",
            (Kind::Signed, 32) => "int",
            (Kind::Signed, _) => "longlong",
            (_, 8) => "uchar",
            (_, 16) => "ushort",
            (_, 32) => "uint",
            _ => "ulonglong",
        };
        let c_type = if lanes == 1 {
            ty.c().to_owned()
        } else {
            format!("{vector}{lanes}")
        };
        let is_strong = ["volatile", "relaxed", "acquire", "release", "mmio"]
            .iter()
            .any(|word| i.has(word));
        if is_strong && lanes > 1 {
            // Element by element: a volatile vector has no operations in C++.
            return self.strong_parts(i, ty, &parts, address);
        }
        let pointer = self.pointer(i, Some(address), &c_type)?;
        let id = self.num_registers;
        if is_store {
            let values = parts
                .iter()
                .map(|part| self.value(part, ty))
                .collect::<Translated<Vec<String>>>()?;
            let value = match &values[..] {
                [single] => single.clone(),
                several => format!("make_{c_type}({})", several.join(", ")),
            };
            let store = if is_strong {
                if i.has("release") {
                    self.out += fence_of(i);
                }
                format!("*(volatile {c_type} *){pointer} = {value};")
            } else {
                format!("*{pointer} = {value};")
            };
            return self.plain(&store);
        }
        let load = if is_strong || i.has("cv") {
            format!("*(volatile {c_type} *){pointer}")
        } else if i.has("nc") {
            format!("__ldg({pointer})")
        } else if i.has("cg") {
            format!("__ldcg({pointer})")
        } else if i.has("cs") {
            format!("__ldcs({pointer})")
        } else {
            format!("*{pointer}")
        };
        let _ = write!(self.out, "{c_type} __ws_ptx_m{id} = {load}; ");
        for (part, field) in parts.into_iter().zip(["x", "y", "z", "w"]) {
            let value = if lanes == 1 {
                format!("__ws_ptx_m{id}")
            } else {
                format!("__ws_ptx_m{id}.{field}")
            };
            self.assign(part, ty, &value)?;
        }
        if i.has("acquire") {
            self.out += fence_of(i);
        }
        Ok(())
    }

    fn strong_parts(
        &mut self,
        i: &Instruction<'_>,
        ty: Ty,
        parts: &[&Operand],
        address: &Operand,
    ) -> Translated<()> {
        let pointer = self.pointer(i, Some(address), &format!("volatile {}", ty.c()))?;
        let id = self.num_registers;
        if i.has("release") {
            self.out += fence_of(i);
        }
        let _ = write!(self.out, "volatile {} *__ws_ptx_m{id} = {pointer}; ", ty.c());
        for (idx, part) in parts.iter().enumerate() {
            let element = format!("__ws_ptx_m{id}[{idx}]");
            if i.name == "st" {
                let value = self.value(part, ty)?;
                let _ = write!(self.out, "{element} = {value}; ");
            } else {
                self.assign(part, ty, &element)?;
            }
        }
        if i.has("acquire") {
            self.out += fence_of(i);
        }
        Ok(())
    }

    fn atomic(&mut self, i: &Instruction<'_>) -> Translated<()> {
        let ty = self.ty(i)?;
        let ty = match (ty.kind, ty.bits) {
            (Kind::Bits, _) => ty.unsigned(),
            // A wrapping sum is the same for signed and unsigned numbers.
            (Kind::Signed, 64) if i.has("add") => ty.unsigned(),
            _ => ty,
        };
        let operations = [
            ("add", "atomicAdd"),
            ("exch", "atomicExch"),
            ("cas", "atomicCAS"),
            ("min", "atomicMin"),
            ("max", "atomicMax"),
            ("inc", "atomicInc"),
            ("dec", "atomicDec"),
            ("and", "atomicAnd"),
            ("or", "atomicOr"),
            ("xor", "atomicXor"),
        ];
        let Some((operation, function)) = operations.into_iter().find(|(word, _)| i.has(word)) else {
            return self.unsupported(i);
        };
        let scope = if i.has("cta") {
            "_block"
        } else if i.has("sys") {
            "_system"
        } else {
            ""
        };
        let first = usize::from(i.name == "atom");
        let pointer = self.pointer(i, i.operands.get(first), ty.c())?;
        let mut values = vec![pointer, self.operand(i, first + 1, ty)?];
        if operation == "cas" {
            values.push(self.operand(i, first + 2, ty)?);
        }
        let fences = ["acquire", "release", "acq_rel"].iter().any(|word| i.has(word));
        if fences && !i.has("acquire") {
            self.out += fence_of(i);
        }
        let call = format!("{function}{scope}({})", values.join(", "));
        if i.name == "red" {
            let _ = write!(self.out, "{call};");
        } else {
            self.result(i, ty, &call)?;
        }
        if fences && !i.has("release") {
            self.out += fence_of(i);
        }
        Ok(())
    }

    fn fence(&mut self, i: &Instruction<'_>) -> Translated<()> {
        if i.modifiers
            .iter()
            .any(|word| matches!(*word, "proxy" | "mbarrier_init"))
        {
            return self.unsupported(i);
        }
        let fence = if i.has("gl") {
            "__threadfence();"
        } else {
            fence_of(i)
        };
        self.plain(fence)
    }

    fn barrier(&mut self, i: &Instruction<'_>) -> Translated<()> {
        let is_warp = i.has("warp");
        if is_warp {
            let mask = self.operand(i, 0, U32)?;
            return self.plain(&format!("__syncwarp({mask});"));
        }
        let is_first = match i.operands {
            [Operand::Number(number)] => number == "0",
            [] => true,
            _ => false,
        };
        if !i.has("sync") || !is_first {
            return self.error(format!(
                "`{}` is not supported: use barrier 0 for all threads of the block (`bar.sync 0`).",
                i.text
            ));
        }
        self.plain("__syncthreads();")
    }

    fn warp(&mut self, i: &Instruction<'_>) -> Translated<()> {
        match i.name {
            "activemask" => self.result(i, U32, "__activemask()"),
            "vote" => {
                let mode = ["all", "any", "uni", "ballot"]
                    .into_iter()
                    .find(|word| i.has(word));
                let Some(mode) = mode.filter(|_| i.has("sync")) else {
                    return self.unsupported(i);
                };
                let (pred, mask) = (self.operand(i, 1, PRED)?, self.operand(i, 2, U32)?);
                let (value, ty) = match mode {
                    "ballot" => (format!("__ballot_sync({mask}, {pred})"), U32),
                    "uni" => (
                        format!("__all_sync({mask}, {pred}) || !__any_sync({mask}, {pred})"),
                        PRED,
                    ),
                    mode => (format!("__{mode}_sync({mask}, {pred}) != 0"), PRED),
                };
                self.result(i, ty, &value)
            }
            "match" => {
                let ty = self.ty(i)?.unsigned();
                let (value, mask) = (self.operand(i, 1, ty)?, self.operand(i, 2, U32)?);
                if i.has("any") {
                    return self.result(i, U32, &format!("__match_any_sync({mask}, {value})"));
                }
                let id = self.num_registers;
                let _ = write!(
                    self.out,
                    "int __ws_ptx_p{id}; unsigned __ws_ptx_d{id} = __match_all_sync({mask}, {value}, &__ws_ptx_p{id}); "
                );
                match i.operands.first() {
                    Some(Operand::Pair(members, all)) => {
                        self.assign(members, U32, &format!("__ws_ptx_d{id}"))?;
                        self.assign(all, PRED, &format!("__ws_ptx_p{id} != 0"))
                    }
                    _ => self.result(i, U32, &format!("__ws_ptx_d{id}")),
                }
            }
            "redux" => {
                let ty = self.ty(i)?;
                let Some(operation) = ["add", "min", "max", "and", "or", "xor"]
                    .into_iter()
                    .find(|word| i.has(word))
                else {
                    return self.unsupported(i);
                };
                if ty.is_float() || ty.bits != 32 {
                    return self.unsupported(i);
                }
                let ty = if ty.kind == Kind::Bits { ty.unsigned() } else { ty };
                let (value, mask) = (self.operand(i, 1, ty)?, self.operand(i, 2, U32)?);
                self.result(i, ty, &format!("__reduce_{operation}_sync({mask}, {value})"))
            }
            _ => self.shuffle(i),
        }
    }

    /// `shfl.sync.mode.b32 d[|p], a, b, c, mask`: c contains the width in bits 8 to 12, and the clamp.
    fn shuffle(&mut self, i: &Instruction<'_>) -> Translated<()> {
        let modes = [("idx", ""), ("up", "_up"), ("down", "_down"), ("bfly", "_xor")];
        let mode = modes.into_iter().find(|(word, _)| i.has(word));
        let [target, _, _, Operand::Number(control), _] = i.operands else {
            return self.unsupported(i);
        };
        let digits = control.trim_start_matches("0x");
        let control = u32::from_str_radix(digits, if digits.len() < control.len() { 16 } else { 10 });
        let (Some((word, suffix)), Ok(control)) = (mode, control) else {
            return self.unsupported(i);
        };
        let clamp = if word == "up" { 0 } else { 31 };
        let width = 32 - (control >> 8 & 31);
        if control & 31 != clamp || !i.has("sync") || matches!(target, Operand::Pair(..)) {
            return self.unsupported(i);
        }
        let (value, lane, mask) = (
            self.operand(i, 1, U32)?,
            self.operand(i, 2, U32)?,
            self.operand(i, 4, U32)?,
        );
        let call = format!("__shfl{suffix}_sync({mask}, {value}, (int){lane}, {width})");
        self.result(i, U32, &call)
    }

    /// cvta: converts addresses of a state space to generic addresses, and back.
    fn address_conversion(&mut self, i: &Instruction<'_>) -> Translated<()> {
        let ty = self.ty(i)?;
        let address = self.operand(i, 1, ty)?;
        let is_shared = i.modifiers.iter().any(|word| word.starts_with("shared"));
        let value = match (is_shared, i.has("to"), i.has("global")) {
            (true, true, _) => format!("__cvta_generic_to_shared((void *)(unsigned long long){address})"),
            (true, false, _) => format!("(unsigned long long)__cvta_shared_to_generic({address})"),
            (_, _, true) => address,
            _ => return self.unsupported(i),
        };
        self.result(i, ty, &value)
    }

    fn is_space(&mut self, i: &Instruction<'_>) -> Translated<()> {
        let wide = Ty {
            kind: Kind::Unsigned,
            bits: 64,
        };
        let address = self.operand(i, 1, wide)?;
        let function = if i.has("global") {
            "__isGlobal"
        } else if i.has("local") {
            "__isLocal"
        } else {
            "__isShared"
        };
        self.result(i, PRED, &format!("{function}((const void *){address})"))
    }
}

/// The fence for an instruction's scope.
fn fence_of(i: &Instruction<'_>) -> &'static str {
    if i.has("cta") {
        " __threadfence_block();"
    } else if i.has("sys") {
        " __threadfence_system();"
    } else {
        " __threadfence();"
    }
}

/// Flushes subnormal singles to zero if the instruction has `.ftz`.
fn flushed(i: &Instruction<'_>, ty: Ty, value: String) -> String {
    // These functions flush subnormals themselves.
    let flushes = i.has("approx") && matches!(i.name, "ex2" | "rcp");
    if i.has("ftz") && ty.bits == 32 && !flushes {
        read(&format!("__ws_ftz({value})"), ty, ty)
    } else {
        value
    }
}
