//! Prints expressions as CUDA C++.

use super::super::tree::{Arg, Binary, Builtin, Expr, Place, Ret, Ty, Unary, VarTy, whole};
use super::Printer;

impl Printer<'_> {
    pub(super) fn ty(&self, e: &Expr) -> Ty {
        e.ty(self.program, self.function)
    }

    /// Returns the expression as an operand, in parentheses if needed.
    fn atom(&self, e: &Expr) -> String {
        let text = self.expr(e);
        if is_atom(&text) { text } else { format!("({text})") }
    }

    /// Returns the expression as an operand of the given type, or of a type with a defined conversion to it.
    pub(super) fn operand(&self, e: &Expr, ty: Ty) -> String {
        let text = self.converted(e, ty);
        if is_atom(&text) { text } else { format!("({text})") }
    }

    /// Returns the value of a `switch` with signed labels.
    pub(super) fn selector(&self, e: &Expr) -> String {
        let text = self.integer(e);
        if matches!(whole(self.ty(e)), Ty::U32 | Ty::U64) {
            format!("(int){text}")
        } else {
            text
        }
    }

    /// Returns an integer operand, with conversion from floating point.
    fn integer(&self, e: &Expr) -> String {
        let ty = whole(self.ty(e));
        self.operand(e, ty)
    }

    /// Returns a value that converts to `ty` in an assignment.
    pub(super) fn converted(&self, e: &Expr, ty: Ty) -> String {
        let from = self.ty(e);
        let text = self.expr(e);
        self.convert_text(&text, from, ty, false)
    }

    pub(super) fn convert_text(&self, text: &str, from: Ty, to: Ty, small: bool) -> String {
        let text = if from.is_float() && !to.is_float() && to != Ty::Bool {
            format!("{}({text})", if from == Ty::F32 { "f2i" } else { "d2i" })
        } else {
            text.to_owned()
        };
        let is_in_range = from.is_narrow() || (from.is_float() && !to.is_float());
        if small && !is_in_range {
            format!("({text}) & 4095")
        } else {
            text
        }
    }

    /// Returns a value for `place`, reduced if the variable is tame.
    pub(super) fn value_for(&self, place: &Place, e: &Expr) -> String {
        let to = place.ty(self.program, self.function);
        if !place.is_small(self.function) {
            return self.converted(e, to);
        }
        let (least, greatest) = self.range(e);
        let fits = !self.ty(e).is_float() && least >= -(1 << 20) && greatest <= 1 << 20;
        self.convert_text(&self.expr(e), self.ty(e), to, !fits)
    }

    pub(super) fn place(&self, place: &Place) -> String {
        match place {
            Place::Var(id) => match self.function.vars[*id].ty {
                VarTy::Pointer(_) => format!("*{}", self.name(*id)),
                _ => self.name(*id),
            },
            Place::Member(id, field) => format!("{}.m{field}", self.name(*id)),
            Place::Elem(id, idx) => {
                let len = match self.function.vars[*id].ty {
                    VarTy::Array(_, len) => len,
                    _ => 1,
                };
                format!("{}[{}]", self.name(*id), self.index(idx, len))
            }
            Place::Deref(id) => format!("*{}", self.name(*id)),
            Place::Own(idx) => format!("o[{}]", self.index(idx, super::super::tree::NUM_OWN)),
        }
    }

    /// Returns an index below `len`, a power of two.
    fn index(&self, idx: &Expr, len: u32) -> String {
        if !self.ty(idx).is_float() {
            let (least, greatest) = self.range(idx);
            if least >= 0 && greatest < i64::from(len) {
                return self.expr(idx);
            }
        }
        format!("{} & {}", self.integer(idx), len - 1)
    }

    /// Returns an assignment expression.
    pub(super) fn assignment(&self, place: &Place, op: Option<Binary>, value: &Expr) -> String {
        let text = self.place(place);
        if let Place::Var(id) = place
            && matches!(self.function.vars[*id].ty, VarTy::Struct(_))
        {
            return format!("{text} = {}", self.expr(value));
        }
        let ty = place.ty(self.program, self.function);
        let Some(op) = op else {
            return format!("{text} = {}", self.value_for(place, value));
        };
        let is_plain = matches!(
            op,
            Binary::Add | Binary::Sub | Binary::And | Binary::Or | Binary::Xor
        );
        let is_additive = matches!(op, Binary::Add | Binary::Sub);
        let op_text = op.text();
        if place.is_small(self.function) && is_additive {
            let (least, greatest) = self.range(value);
            let fits = !self.ty(value).is_float() && least >= -256 && greatest <= 256;
            return if fits {
                format!("{text} {op_text}= {}", self.expr(value))
            } else {
                format!("{text} {op_text}= {} & 255", self.integer(value))
            };
        }
        if ty.is_float() && matches!(op, Binary::Add | Binary::Sub | Binary::Mul) {
            return format!("{text} {op_text}= ({})({})", ty.text(), self.expr(value));
        }
        let is_modular = matches!(ty, Ty::U8 | Ty::I8 | Ty::I16 | Ty::U16 | Ty::U32 | Ty::U64);
        if is_modular && is_plain {
            let value = self.operand(value, ty);
            return if is_additive {
                format!("{text} {op_text}= ({}){value}", ty.text())
            } else {
                format!("{text} {op_text}= {value}")
            };
        }
        let whole = Expr::Binary(op, Box::new(Expr::Place(place.clone())), Box::new(value.clone()));
        format!("{text} = {}", self.value_for(place, &whole))
    }

    pub(super) fn expr(&self, e: &Expr) -> String {
        match e {
            Expr::Const(ty, value) => constant(*ty, *value),
            Expr::Place(place) => self.place(place),
            Expr::Input(idx) => format!("a[{}]", self.index(idx, super::super::tree::NUM_INPUTS as u32)),
            Expr::Builtin(builtin) => match builtin {
                Builtin::Thread => "(int)threadIdx.x",
                Builtin::Lane => "((int)threadIdx.x & 31)",
                Builtin::Block => "(int)blockIdx.x",
                Builtin::N => "n",
                Builtin::M => "m",
            }
            .to_owned(),
            Expr::Unary(op, e) => self.unary(*op, e),
            Expr::Binary(op, l, r) => self.binary(*op, l, r),
            Expr::Compare(op, l, r) => format!("{} {op} {}", self.atom(l), self.atom(r)),
            Expr::Logical(op, l, r) => format!("{} {op} {}", self.atom(l), self.atom(r)),
            Expr::Cond(c, l, r) => format!("{} ? {} : {}", self.atom(c), self.atom(l), self.atom(r)),
            Expr::Comma(l, r) => format!("({}, {})", self.atom(l), self.atom(r)),
            Expr::Cast(ty, e) => {
                let from = self.ty(e);
                let text = self.convert_text(&self.expr(e), from, *ty, false);
                format!("({})({text})", ty.text())
            }
            Expr::Step {
                place,
                delta,
                postfix,
            } => self.step(place, *delta, *postfix),
            Expr::Assign(place, e) => format!("({})", self.assignment(place, None, e)),
            Expr::Call(callee, args) => self.call(*callee, args),
        }
    }

    fn unary(&self, op: Unary, e: &Expr) -> String {
        let ty = self.ty(e).promoted();
        match op {
            Unary::Not => format!("!{}", self.atom(e)),
            Unary::BitNot => format!("~{}", self.integer(e)),
            Unary::Neg if ty.overflows() && self.range(e).0 <= ty.range().0 => {
                let unsigned = ty.unsigned();
                format!("({})(0u - ({}){})", ty.text(), unsigned.text(), self.atom(e))
            }
            Unary::Neg => format!("-{}", self.atom(e)),
        }
    }

    fn binary(&self, op: Binary, l: &Expr, r: &Expr) -> String {
        let (l_ty, r_ty) = (self.ty(l), self.ty(r));
        let ty = l_ty.common(r_ty);
        let text = op.text();
        match op {
            Binary::Add | Binary::Sub | Binary::Mul => {
                if !ty.overflows() {
                    return format!("{} {text} {}", self.atom(l), self.atom(r));
                }
                let e = Expr::Binary(op, Box::new(l.clone()), Box::new(r.clone()));
                if self.range(&e) != ty.range() {
                    return format!("{} {text} {}", self.atom(l), self.atom(r));
                }
                let unsigned = ty.unsigned().text();
                format!(
                    "({})(({unsigned}){} {text} ({unsigned}){})",
                    ty.text(),
                    self.atom(l),
                    self.atom(r)
                )
            }
            Binary::Div | Binary::Rem => {
                let (l, divisor) = (self.integer(l), self.integer(r));
                match r {
                    Expr::Const(ty, value) if !ty.is_float() && !matches!(value, -1 | 0) => {
                        format!("{l} {text} {divisor}")
                    }
                    _ if whole(l_ty).common(whole(r_ty)).overflows() => {
                        format!("{l} {text} (({divisor} & 15) + 1)")
                    }
                    _ => format!("{l} {text} ({divisor} | 1)"),
                }
            }
            Binary::Shl | Binary::Shr => {
                let ty = whole(l_ty).promoted();
                let mask = if ty.is_wide() { 63 } else { 31 };
                let by = match r {
                    Expr::Const(by, value) if !by.is_float() && (0..=mask).contains(value) => self.atom(r),
                    _ => format!("({} & {mask})", self.integer(r)),
                };
                let l = self.integer(l);
                if op == Binary::Shl && ty.overflows() {
                    format!("({})(({}){l} << {by})", ty.text(), ty.unsigned().text())
                } else {
                    format!("{l} {text} {by}")
                }
            }
            Binary::And | Binary::Or | Binary::Xor => {
                format!("{} {text} {}", self.integer(l), self.integer(r))
            }
        }
    }

    fn step(&self, place: &Place, delta: i64, postfix: bool) -> String {
        let ty = place.ty(self.program, self.function);
        let text = self.place(place);
        if ty == Ty::Bool {
            return format!("({text} = !{text})");
        }
        if ty.overflows() && !place.is_small(self.function) {
            let (ty, unsigned) = (ty.text(), ty.unsigned().text());
            let op = if delta > 0 { "+" } else { "-" };
            return format!("({text} = ({ty})(({unsigned}){text} {op} 1u))");
        }
        let op = if delta > 0 { "++" } else { "--" };
        let text = if text.starts_with('*') {
            format!("({text})")
        } else {
            text
        };
        if postfix {
            format!("{text}{op}")
        } else {
            format!("{op}{text}")
        }
    }

    fn call(&self, callee: usize, args: &[Arg]) -> String {
        let function = &self.program.functions[callee];
        // The caller has the callee's context parameters under the same names.
        let mut texts: Vec<String> = super::CONTEXT
            .iter()
            .enumerate()
            .filter(|(need, _)| self.needs[callee].contains(need))
            .map(|(_, (_, name))| (*name).to_owned())
            .collect();
        let mut params = function.vars[..function.num_params].iter();
        for arg in args {
            let text = match arg {
                Arg::Depth(Some(depth)) => depth.to_string(),
                Arg::Depth(None) => "d - 1".to_owned(),
                Arg::Value(e) => match params.next().map(|param| (param.ty, param.small)) {
                    Some((VarTy::Scalar(ty), small)) => {
                        let (least, greatest) = if self.ty(e).is_float() {
                            (0, 0)
                        } else {
                            self.range(e)
                        };
                        let fits = least >= -(1 << 20) && greatest <= 1 << 20;
                        self.convert_text(&self.expr(e), self.ty(e), ty, small && !fits)
                    }
                    _ => self.expr(e),
                },
                Arg::Address(place) => {
                    params.next();
                    match place {
                        Place::Deref(id) => self.name(*id),
                        Place::Elem(..) | Place::Own(_) | Place::Var(_) | Place::Member(..) => {
                            format!("&{}", self.place(place))
                        }
                    }
                }
                Arg::Reference(place) => {
                    params.next();
                    self.place(place)
                }
                Arg::Struct(id) => {
                    params.next();
                    self.name(*id)
                }
            };
            texts.push(text);
        }
        debug_assert!(function.ret != Ret::Void || params.next().is_none());
        format!("f{callee}({})", texts.join(", "))
    }
}

fn constant(ty: Ty, value: i64) -> String {
    match ty {
        Ty::Bool => (value != 0).to_string(),
        Ty::I8 | Ty::U8 | Ty::I16 | Ty::U16 => format!("({}){}", ty.text(), signed(value, "")),
        Ty::I32 => signed(value, ""),
        Ty::U32 => format!("{}u", value as u32),
        Ty::I64 => signed(value, "ll"),
        Ty::U64 => format!("{}ull", value as u64),
        Ty::F32 | Ty::F64 => {
            let suffix = if ty == Ty::F32 { "f" } else { "" };
            let text = format!("{:.2}{suffix}", value as f64 / 4.0);
            if value < 0 { format!("({text})") } else { text }
        }
    }
}

fn signed(value: i64, suffix: &str) -> String {
    if value == i64::from(i32::MIN) && suffix.is_empty() {
        "(-2147483647 - 1)".to_owned()
    } else if value == i64::MIN {
        "(-9223372036854775807ll - 1)".to_owned()
    } else if value < 0 {
        format!("({value}{suffix})")
    } else {
        format!("{value}{suffix}")
    }
}

/// Whether a text needs no parentheses as an operand: a name, a number, a call, or a parenthesized text.
fn is_atom(text: &str) -> bool {
    let is_word = |text: &str| {
        text.chars()
            .all(|c| c.is_ascii_alphanumeric() || "_.".contains(c))
    };
    if is_word(text) {
        return true;
    }
    // An optional word, then one group up to the end.
    let Some(open) = text.find(['(', '[']) else {
        return false;
    };
    if !is_word(&text[..open]) {
        return false;
    }
    let mut depth = 0;
    for (at, c) in text.char_indices().skip(open) {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at + 1 == text.len();
        }
    }
    false
}
