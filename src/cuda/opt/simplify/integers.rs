//! Algebra of integers, predicates, and addresses.

use super::*;
use crate::ir::{Compare, MemWidth, Num, SpecialReg};

/// Sums and products between an address of shared memory and a constant in it, at most: `((row * 4 + 1) * 8 + column) * 4` has
/// three.
const WRAPPING_DEPTH: u32 = 4;

impl Simplify<'_> {
    pub(super) fn integer_algebra(
        &mut self,
        op: Op,
        ty: Type,
        args: &[Value],
        relaxed: bool,
    ) -> Option<Value> {
        let a = args.first().copied()?;
        let b = args.get(1).copied().unwrap_or(a);
        let right = if args.len() > 1 { self.int(b) } else { None };
        match op {
            Op::Add => self.add(ty, a, b, right, relaxed),
            Op::PtrAdd => self.pointer_add(ty, a, b, right),
            Op::Sub => {
                if a == b {
                    return Some(self.constant(ty, 0));
                }
                if let Some(number) = right {
                    let minus = self.constant(ty, number.wrapping_neg() as u64);
                    // The minimum has no negative.
                    let relaxed = relaxed && self.int(minus) != Some(number);
                    return Some(self.make(Op::Add, ty, &[a, minus], relaxed));
                }
                // (x + c) - x and similar forms.
                if let Some(inner) = self.is(a, Op::Add)
                    && inner[0] == b
                {
                    return Some(inner[1]);
                }
                if self.int(a) == Some(0) {
                    return Some(self.make(Op::Neg, ty, &[b], relaxed));
                }
                None
            }
            Op::Mul => self.mul(ty, a, b, right?, relaxed),
            Op::MulWide { signed } => self.mul_wide(a, b, right, signed),
            Op::Shl => self.shl(ty, a, right?, relaxed),
            Op::Shr { .. } => match right? {
                0 => Some(a),
                amount => {
                    if let Some(inner) = self.is(a, op)
                        && let Some(before) = self.int(inner[1])
                    {
                        let most = i64::from(ty.bytes()) * 8;
                        let sum = self.function.i32((before + amount).min(most) as i32);
                        return Some(self.make(op, ty, &[inner[0], sum], false));
                    }
                    None
                }
            },
            Op::And | Op::Or | Op::Xor => self
                .logic(op, ty, a, b, right)
                .or_else(|| self.funnel(op, ty, a, b)),
            Op::Not => self.not(ty, a),
            Op::Neg => self.is(a, Op::Neg).map(|inner| inner[0]),
            Op::Min { .. } | Op::Max { .. } if a == b => Some(a),
            Op::Div { signed: true } if self.plainly_unsigned(ty, a, right?) => {
                Some(self.make(Op::Div { signed: false }, ty, &[a, b], false))
            }
            Op::Rem { signed: true } if self.plainly_unsigned(ty, a, right?) => {
                Some(self.make(Op::Rem { signed: false }, ty, &[a, b], false))
            }
            Op::Div { signed } => self.div(ty, a, right?, signed),
            Op::Rem { signed } => self.rem(ty, a, right?, signed),
            Op::Select => self.select_algebra(ty, a, b, *args.get(2)?),
            Op::ICmp { cmp, signed } => self.compare(cmp, signed, a, b, right),
            Op::Narrow(num) => self.narrow(num, a),
            Op::Low => self.low(a),
            Op::High => {
                if let Some(inner) = self.is(a, Op::Pair) {
                    return Some(inner[1]);
                }
                self.is(a, Op::ZeroExtend).map(|_| self.constant(Type::I32, 0))
            }
            Op::Pair => {
                let (low, high) = (self.is(a, Op::Low)?, self.is(b, Op::High)?);
                (low[0] == high[0]).then_some(low[0])
            }
            Op::SignExtend => {
                let inner = self.is(a, Op::Add)?;
                let number = self.int(inner[1])?;
                if !self.relaxed(a) {
                    return None;
                }
                let wide = self.make(Op::SignExtend, Type::I64, &inner[..1], false);
                let number = self.constant(Type::I64, number as u64);
                Some(self.make(Op::Add, Type::I64, &[wide, number], true))
            }
            Op::Bitcast if self.ty(a) == ty => Some(a),
            Op::FromGeneric(space) => {
                if let Some(inner) = self.is(a, Op::PtrAdd) {
                    let base = self.make(op, Type::I32, &inner[..1], false);
                    let step = match self.ty(inner[1]) {
                        Type::I64 => self.make(Op::Low, Type::I32, &inner[1..2], false),
                        _ => inner[1],
                    };
                    return Some(self.make(Op::Add, Type::I32, &[base, step], false));
                }
                self.is(a, Op::ToGeneric(space)).map(|inner| inner[0])
            }
            Op::Popc | Op::Clz => None,
            _ => None,
        }
    }

    fn add(&mut self, ty: Type, a: Value, b: Value, right: Option<i64>, relaxed: bool) -> Option<Value> {
        if right == Some(0) {
            return Some(a);
        }
        if let (Some(number), Some(inner)) = (right, self.is(a, Op::Add))
            && let Some(before) = self.int(inner[1])
        {
            let total = before.wrapping_add(number);
            let sum = self.constant(ty, total as u64);
            let exact = before.checked_add(number).is_some() && self.int(sum) == Some(total);
            let relaxed = relaxed && self.relaxed(a) && exact;
            return Some(self.make(Op::Add, ty, &[inner[0], sum], relaxed));
        }
        // Moves constants outward: (x + c) + y becomes (x + y) + c. The new sum can overflow where the old one
        // did not, so it is not relaxed.
        for (side, other) in [(a, b), (b, a)] {
            if right.is_none()
                && let Some(inner) = self.is(side, Op::Add)
                && self.bits(inner[1]).is_some()
                && !self.keeps_shape(ty, relaxed, side)
            {
                let sum = self.make(Op::Add, ty, &[inner[0], other], false);
                return Some(self.make(Op::Add, ty, &[sum, inner[1]], false));
            }
        }
        if let Some(inner) = self.is(b, Op::Neg) {
            return Some(self.merged_sub(ty, a, inner[0]));
        }
        if let Some(inner) = self.is(a, Op::Sub)
            && inner[1] == b
        {
            return Some(inner[0]);
        }
        None
    }

    /// Whether to leave a 32-bit sum or product unchanged: without overflow, it can be decomposed in 64 bits
    /// when it becomes an address.
    fn keeps_shape(&self, ty: Type, relaxed: bool, inner: Value) -> bool {
        ty == Type::I32 && relaxed && self.relaxed(inner)
    }

    fn merged_sub(&mut self, ty: Type, a: Value, b: Value) -> Value {
        self.make(Op::Sub, ty, &[a, b], false)
    }

    fn pointer_add(&mut self, ty: Type, a: Value, b: Value, right: Option<i64>) -> Option<Value> {
        if right == Some(0) {
            return Some(a);
        }
        if let Some(number) = right {
            let inner = self.is(a, Op::PtrAdd)?;
            let before = self.int(inner[1])?;
            let sum = self.constant(ty, before.wrapping_add(number) as u64);
            return Some(self.make(Op::PtrAdd, ty, &[inner[0], sum], false));
        }
        // p + (x + c) and (p + c) + x become (p + x) + c.
        if let Some(inner) = self.is(b, Op::Add)
            && self.bits(inner[1]).is_some()
        {
            let near = self.make(Op::PtrAdd, ty, &[a, inner[0]], false);
            return Some(self.make(Op::PtrAdd, ty, &[near, inner[1]], false));
        }
        if let Some(inner) = self.is(a, Op::PtrAdd)
            && self.bits(inner[1]).is_some()
        {
            let near = self.make(Op::PtrAdd, ty, &[inner[0], b], false);
            return Some(self.make(Op::PtrAdd, ty, &[near, inner[1]], false));
        }
        if let Some(DefOp {
            op: Op::ToGeneric(space),
            args,
        }) = self.def(a)
        {
            let step = if self.ty(b) == Type::I64 {
                self.make(Op::Low, Type::I32, &[b], false)
            } else {
                b
            };
            let addr = self.make(Op::Add, Type::I32, &[args[0], step], false);
            return Some(self.make(Op::ToGeneric(space), ty, &[addr], false));
        }
        None
    }

    fn mul(&mut self, ty: Type, a: Value, b: Value, number: i64, relaxed: bool) -> Option<Value> {
        if number == 0 {
            return Some(b);
        }
        if number == 1 {
            return Some(a);
        }
        if ty == Type::I64
            && let Some(wide) = self.wide_product(a, number)
        {
            return Some(wide);
        }
        if number > 0 && number.count_ones() == 1 {
            let amount = self.function.i32(number.trailing_zeros() as i32);
            return Some(self.make(Op::Shl, ty, &[a, amount], relaxed));
        }
        if let Some(inner) = self.is(a, Op::Add)
            && let Some(before) = self.int(inner[1])
            && !self.keeps_shape(ty, relaxed, a)
        {
            let product = self.make(Op::Mul, ty, &[inner[0], b], false);
            let sum = self.constant(ty, before.wrapping_mul(number) as u64);
            return Some(self.make(Op::Add, ty, &[product, sum], false));
        }
        if ty == Type::I32
            && !relaxed
            && let Some((rest, before)) = self.without_constant(a, WRAPPING_DEPTH)
        {
            let product = self.make(Op::Mul, ty, &[rest, b], false);
            let sum = self.constant(ty, before.wrapping_mul(number) as u64);
            return Some(self.make(Op::Add, ty, &[product, sum], false));
        }
        if let Some(inner) = self.is(a, Op::Mul)
            && let Some(before) = self.int(inner[1])
        {
            let factor = self.constant(ty, before.wrapping_mul(number) as u64);
            return Some(self.make(Op::Mul, ty, &[inner[0], factor], false));
        }
        None
    }

    /// The 64-bit product of an extended number and a constant, as a wide product.
    fn wide_product(&mut self, a: Value, number: i64) -> Option<Value> {
        let def = self.def(a)?;
        let signed = match def.op {
            Op::SignExtend if i32::try_from(number).is_ok() => true,
            Op::ZeroExtend if u32::try_from(number).is_ok() => false,
            _ => return None,
        };
        let factor = self.function.i32(number as i32);
        Some(self.make(Op::MulWide { signed }, Type::I64, &[def.args[0], factor], false))
    }

    fn mul_wide(&mut self, a: Value, b: Value, right: Option<i64>, signed: bool) -> Option<Value> {
        let number = right?;
        let extend = if signed { Op::SignExtend } else { Op::ZeroExtend };
        if number == 0 {
            return Some(self.constant(Type::I64, 0));
        }
        if number == 1 {
            return Some(self.make(extend, Type::I64, &[a], false));
        }
        if signed
            && self.relaxed(a)
            && let Some(inner) = self.is(a, Op::Add)
            && let Some(before) = self.int(inner[1])
        {
            let product = self.make(Op::MulWide { signed }, Type::I64, &[inner[0], b], false);
            let sum = self.constant(Type::I64, before.wrapping_mul(number) as u64);
            return Some(self.make(Op::Add, Type::I64, &[product, sum], true));
        }
        // (x << k) * n without overflow.
        if signed
            && self.relaxed(a)
            && let Some(inner) = self.is(a, Op::Shl)
            && let Some(amount) = self.int(inner[1])
            && let Ok(factor) = i32::try_from(number.checked_shl(amount as u32)?)
            && factor > 0
        {
            let factor = self.function.i32(factor);
            return Some(self.make(Op::MulWide { signed }, Type::I64, &[inner[0], factor], false));
        }
        None
    }

    fn shl(&mut self, ty: Type, a: Value, amount: i64, relaxed: bool) -> Option<Value> {
        if amount == 0 {
            return Some(a);
        }
        if amount < 0 || amount >= i64::from(ty.bytes()) * 8 {
            return Some(self.constant(ty, 0));
        }
        if ty == Type::I64
            && amount < 31
            && let Some(wide) = self.wide_product(a, 1 << amount)
        {
            return Some(wide);
        }
        if let Some(inner) = self.is(a, Op::Shl)
            && let Some(before) = self.int(inner[1])
        {
            let sum = self.function.i32((before + amount) as i32);
            return Some(self.make(Op::Shl, ty, &[inner[0], sum], relaxed && self.relaxed(a)));
        }
        if let Some(inner) = self.is(a, Op::Add)
            && let Some(before) = self.int(inner[1])
            && !self.keeps_shape(ty, relaxed, a)
        {
            let by = self.function.i32(amount as i32);
            let product = self.make(Op::Shl, ty, &[inner[0], by], false);
            let sum = self.constant(ty, before.wrapping_shl(amount as u32) as u64);
            return Some(self.make(Op::Add, ty, &[product, sum], false));
        }
        if ty == Type::I32
            && !relaxed
            && let Some((rest, number)) = self.without_constant(a, WRAPPING_DEPTH)
        {
            let by = self.function.i32(amount as i32);
            let product = self.make(Op::Shl, ty, &[rest, by], false);
            let sum = self.constant(ty, number.wrapping_shl(amount as u32) as u64);
            return Some(self.make(Op::Add, ty, &[product, sum], false));
        }
        None
    }

    /// A 32-bit number as another number and a constant, in arithmetic that wraps, as addresses of shared memory do: exact
    /// even where the number's own sums are known not to overflow. `None` without a constant.
    fn without_constant(&mut self, value: Value, depth: u32) -> Option<(Value, i64)> {
        let depth = depth.checked_sub(1)?;
        if let Some([left, right, ..]) = self.is(value, Op::Add) {
            if let Some(number) = self.int(right) {
                let inner = self.without_constant(left, depth);
                return Some(inner.map_or((left, number), |(rest, more)| (rest, more.wrapping_add(number))));
            }
            let inner = (
                self.without_constant(left, depth),
                self.without_constant(right, depth),
            );
            let ((left, more), (right, number)) = match inner {
                (None, None) => return None,
                (one, other) => (one.unwrap_or((left, 0)), other.unwrap_or((right, 0))),
            };
            let sum = self.make(Op::Add, Type::I32, &[left, right], false);
            return Some((sum, more.wrapping_add(number)));
        }
        for op in [Op::Shl, Op::Mul] {
            if let Some([inner, by, ..]) = self.is(value, op) {
                let factor = self.int(by)?;
                let (rest, number) = self.without_constant(inner, depth)?;
                let number = match op {
                    Op::Shl => number.wrapping_shl(factor as u32),
                    _ => number.wrapping_mul(factor),
                };
                return Some((self.make(op, Type::I32, &[rest, by], false), number));
            }
        }
        None
    }

    fn logic(&mut self, op: Op, ty: Type, a: Value, b: Value, right: Option<i64>) -> Option<Value> {
        let ones = if ty == Type::I1 { 1 } else { -1 };
        if a == b {
            return Some(if op == Op::Xor { self.constant(ty, 0) } else { a });
        }
        if let Some(number) = right {
            match (op, number) {
                (Op::And, 0) => return Some(b),
                (Op::Or | Op::Xor, 0) => return Some(a),
                (Op::And, number) if number == ones => return Some(a),
                (Op::Or, number) if number == ones => return Some(b),
                (Op::Xor, number) if number == ones => return Some(self.make(Op::Not, ty, &[a], false)),
                _ => {}
            }
            if let Some(inner) = self.is(a, op)
                && let Some(before) = self.int(inner[1])
            {
                let both = match op {
                    Op::And => before & number,
                    Op::Or => before | number,
                    _ => before ^ number,
                };
                let both = self.constant(ty, both as u64);
                return Some(self.make(op, ty, &[inner[0], both], false));
            }
        }
        None
    }

    /// Two halves of a number, shifted apart and combined, are a rotation or a funnel shift.
    fn funnel(&mut self, op: Op, ty: Type, a: Value, b: Value) -> Option<Value> {
        if !matches!(op, Op::Or | Op::Xor) {
            return None;
        }
        let (left, right) = match (self.is(a, Op::Shl), self.is(b, Op::Shl)) {
            (Some(left), None) => (left, self.is(b, Op::Shr { signed: false })?),
            (None, Some(left)) => (left, self.is(a, Op::Shr { signed: false })?),
            _ => return None,
        };
        let (up, down) = (self.int(left[1])?, self.int(right[1])?);
        let bits = i64::from(ty.bytes()) * 8;
        if up <= 0 || down <= 0 || up + down != bits {
            return None;
        }
        let funnel = Op::Funnel {
            left: true,
            wrap: true,
        };
        if ty == Type::I32 {
            let by = self.function.i32(up as i32);
            return Some(self.make(funnel, ty, &[right[0], left[0], by], false));
        }
        if left[0] != right[0] {
            return None;
        }
        let low = self.make(Op::Low, Type::I32, &left[..1], false);
        let high = self.make(Op::High, Type::I32, &left[..1], false);
        let (low, high) = if up >= 32 { (high, low) } else { (low, high) };
        if up == 32 {
            return Some(self.make(Op::Pair, ty, &[low, high], false));
        }
        let by = self.function.i32((up % 32) as i32);
        let upper = self.make(funnel, Type::I32, &[low, high, by], false);
        let lower = self.make(funnel, Type::I32, &[high, low, by], false);
        Some(self.make(Op::Pair, ty, &[lower, upper], false))
    }

    fn not(&mut self, ty: Type, a: Value) -> Option<Value> {
        let def = self.def(a)?;
        match def.op {
            Op::Not => Some(def.args[0]),
            Op::ICmp { cmp, signed } if ty == Type::I1 => {
                let op = Op::ICmp {
                    cmp: Self::inverse(cmp, false),
                    signed,
                };
                Some(self.make(op, Type::I1, &def.args[..2], false))
            }
            Op::FCmp(cmp) if ty == Type::I1 => Some(self.make(
                Op::FCmp(Self::inverse(cmp, true)),
                Type::I1,
                &def.args[..2],
                false,
            )),
            _ => None,
        }
    }

    fn select_algebra(&mut self, ty: Type, cond: Value, a: Value, b: Value) -> Option<Value> {
        if a == b {
            return Some(a);
        }
        if let Some(bits) = self.bits(cond) {
            return Some(if bits != 0 { a } else { b });
        }
        if let Some(inner) = self.is(cond, Op::Not) {
            return Some(self.make(Op::Select, ty, &[inner[0], b, a], false));
        }
        if ty == Type::I1 {
            return Some(match (self.bits(a), self.bits(b)) {
                (Some(1), Some(_)) => cond,
                (Some(_), Some(_)) => self.make(Op::Not, ty, &[cond], false),
                (_, Some(0)) => self.make(Op::And, ty, &[cond, a], false),
                (Some(1), _) => self.make(Op::Or, ty, &[cond, b], false),
                (Some(_), _) => {
                    let not = self.make(Op::Not, ty, &[cond], false);
                    self.make(Op::And, ty, &[not, b], false)
                }
                (_, Some(_)) => {
                    let not = self.make(Op::Not, ty, &[cond], false);
                    self.make(Op::Or, ty, &[not, a], false)
                }
                _ => return None,
            });
        }
        // The minimum or maximum of two values.
        if let Some(DefOp {
            op: Op::ICmp { cmp, signed },
            args,
        }) = self.def(cond)
            && ty == self.ty(args[0])
        {
            let (x, y) = (args[0], args[1]);
            let less = match cmp {
                Compare::Lt | Compare::Le => true,
                Compare::Gt | Compare::Ge => false,
                _ => return None,
            };
            let (min, max) = (Op::Min { signed }, Op::Max { signed });
            if (a, b) == (x, y) {
                return Some(self.make(if less { min } else { max }, ty, &[x, y], false));
            }
            if (a, b) == (y, x) {
                return Some(self.make(if less { max } else { min }, ty, &[x, y], false));
            }
        }
        None
    }

    fn compare(
        &mut self,
        cmp: Compare,
        signed: bool,
        a: Value,
        b: Value,
        right: Option<i64>,
    ) -> Option<Value> {
        if a == b {
            let equal = matches!(cmp, Compare::Le | Compare::Ge | Compare::Eq);
            return Some(self.constant(Type::I1, u64::from(equal)));
        }
        if self.ty(a) == Type::I1 {
            let number = right?;
            let same = (cmp == Compare::Eq) == (number != 0);
            return Some(if same {
                a
            } else {
                self.make(Op::Not, Type::I1, &[a], false)
            });
        }
        // Constants move to the right.
        if right.is_none() && self.bits(a).is_some() {
            let flipped = match cmp {
                Compare::Lt => Compare::Gt,
                Compare::Le => Compare::Ge,
                Compare::Gt => Compare::Lt,
                Compare::Ge => Compare::Le,
                other => other,
            };
            return Some(self.make(Op::ICmp { cmp: flipped, signed }, Type::I1, &[b, a], false));
        }
        let number = right?;
        let def = self.def(a)?;
        let op = Op::ICmp { cmp, signed };
        match def.op {
            Op::Select => {
                let sides = [self.bits(def.args[1])?, self.bits(def.args[2])?];
                let ty = self.ty(a);
                let answers = sides
                    .map(|side| fold::eval(op, Type::I1, &[ty, ty], &[side, fold::cut(number as u64, ty)]));
                let [then, els] =
                    [answers[0]?, answers[1]?].map(|bits| self.function.constant(Type::I1, bits));
                Some(self.make(Op::Select, Type::I1, &[def.args[0], then, els], false))
            }
            Op::Add if matches!(cmp, Compare::Eq | Compare::Ne) || (signed && self.relaxed(a)) => {
                let step = self.int(def.args[1])?;
                let ty = self.ty(a);
                let moved = if matches!(cmp, Compare::Eq | Compare::Ne) {
                    number.wrapping_sub(step)
                } else {
                    let moved = number.checked_sub(step)?;
                    if ty == Type::I32 && i32::try_from(moved).is_err() {
                        return None;
                    }
                    moved
                };
                let moved = self.constant(ty, moved as u64);
                Some(self.make(op, Type::I1, &[def.args[0], moved], false))
            }
            _ => None,
        }
    }

    fn narrow(&mut self, num: Num, a: Value) -> Option<Value> {
        let def = self.def(a)?;
        match def.op {
            Op::Narrow(inner) if inner == num => Some(a),
            Op::Narrow(Num::U8) if num == Num::U16 || num == Num::S16 => Some(a),
            Op::Narrow(Num::S8) if num == Num::S16 => Some(a),
            Op::Load(access) if access.count == 1 => {
                use crate::ir::MemWidth;
                let same = matches!(
                    (access.width, num),
                    (MemWidth::U8, Num::U8 | Num::U16 | Num::S16)
                        | (MemWidth::S8, Num::S8 | Num::S16)
                        | (MemWidth::U16, Num::U16)
                        | (MemWidth::S16, Num::S16)
                );
                same.then_some(a)
            }
            Op::And => {
                let mask = self.int(def.args[1])?;
                let fits = match num {
                    Num::U8 => (0..=0xff).contains(&mask),
                    Num::S8 => (0..=0x7f).contains(&mask),
                    Num::U16 => (0..=0xffff).contains(&mask),
                    Num::S16 => (0..=0x7fff).contains(&mask),
                    _ => false,
                };
                fits.then_some(a)
            }
            _ => None,
        }
    }

    /// The low word of a 64-bit value, computed in 32 bits if possible.
    fn low(&mut self, a: Value) -> Option<Value> {
        let key = self.key(Op::Low, Type::I32, &[a])?;
        // Visits a value once: its operands can share operands.
        if let Some(known) = self.known.get(&key) {
            return Some(*known);
        }
        let value = self.low_of(a)?;
        self.remember(key, value);
        Some(value)
    }

    fn low_of(&mut self, a: Value) -> Option<Value> {
        let def = self.def(a)?;
        let part = |this: &mut Self, value: Value| this.make(Op::Low, Type::I32, &[value], false);
        match def.op {
            Op::SignExtend | Op::ZeroExtend | Op::Pair => Some(def.args[0]),
            Op::MulWide { .. } => Some(self.make(Op::Mul, Type::I32, &def.args[..2], false)),
            Op::Add | Op::Sub | Op::Mul | Op::And | Op::Or | Op::Xor => {
                let (x, y) = (part(self, def.args[0]), part(self, def.args[1]));
                Some(self.make(def.op, Type::I32, &[x, y], false))
            }
            Op::Shl if self.int(def.args[1]).is_some_and(|amount| amount < 32) => {
                let x = part(self, def.args[0]);
                Some(self.make(Op::Shl, Type::I32, &[x, def.args[1]], false))
            }
            _ => None,
        }
    }

    fn div(&mut self, ty: Type, a: Value, number: i64, signed: bool) -> Option<Value> {
        let width = i64::from(ty.bytes()) * 8;
        if number == 1 {
            return Some(a);
        }
        if number == -1 && signed {
            return Some(self.make(Op::Neg, ty, &[a], false));
        }
        let magnitude = if signed {
            number.unsigned_abs()
        } else {
            fold::cut(number as u64, ty)
        };
        if magnitude.is_power_of_two() {
            let amount = magnitude.trailing_zeros() as i32;
            let by = self.function.i32(amount);
            if !signed {
                return Some(self.make(Op::Shr { signed: false }, ty, &[a, by], false));
            }
            // Rounds toward zero: adds divisor - 1 to a negative number first.
            let sign_by = self.function.i32(width as i32 - 1);
            let sign = self.make(Op::Shr { signed: true }, ty, &[a, sign_by], false);
            let rest_by = self.function.i32(width as i32 - amount);
            let bias = self.make(Op::Shr { signed: false }, ty, &[sign, rest_by], false);
            let sum = self.make(Op::Add, ty, &[a, bias], false);
            let quotient = self.make(Op::Shr { signed: true }, ty, &[sum, by], false);
            return Some(if number < 0 {
                self.make(Op::Neg, ty, &[quotient], false)
            } else {
                quotient
            });
        }
        if ty != Type::I32 || magnitude == 0 {
            return None;
        }
        Some(if signed {
            self.div_signed(a, number)
        } else {
            self.div_unsigned(a, magnitude as u32)
        })
    }

    /// Signed division by a constant: the high half of a product with a scaled reciprocal, shifted, plus one
    /// for negative numbers.
    fn div_signed(&mut self, a: Value, number: i64) -> Value {
        let divisor = number.unsigned_abs() as u32;
        // The smallest power p for which 2^p mod d is small enough: see the bounds of the quotient.
        let mut power = 32;
        let (multiplier, shift) = loop {
            let scaled = (1_u64 << power) / u64::from(divisor) + 1;
            let error = scaled * u64::from(divisor) - (1_u64 << power);
            if error <= 1 << (power - 31) || power == 62 {
                break (scaled, power - 32);
            }
            power += 1;
        };
        let factor = self.function.i32(multiplier as u32 as i32);
        let mut high = self.make(Op::MulHigh { signed: true }, Type::I32, &[a, factor], false);
        if multiplier > i32::MAX as u64 {
            high = self.make(Op::Add, Type::I32, &[high, a], false);
        }
        let by = self.function.i32(shift);
        let quotient = self.make(Op::Shr { signed: true }, Type::I32, &[high, by], false);
        let sign_by = self.function.i32(31);
        let sign = self.make(Op::Shr { signed: false }, Type::I32, &[a, sign_by], false);
        let result = self.make(Op::Add, Type::I32, &[quotient, sign], false);
        if number < 0 {
            self.make(Op::Neg, Type::I32, &[result], false)
        } else {
            result
        }
    }

    /// Unsigned division by a constant that is not a power of two.
    fn div_unsigned(&mut self, a: Value, divisor: u32) -> Value {
        // A divisor with factors of two can need a shift first to keep the multiplier in 32 bits.
        let bits = 32 - divisor.leading_zeros();
        let reciprocal = |power: u32| (1_u128 << power).div_ceil(u128::from(divisor));
        for extra in 0..=bits {
            let power = 32 + extra;
            let multiplier = reciprocal(power);
            let error = multiplier * u128::from(divisor) - (1_u128 << power);
            if multiplier < 1 << 32 && error <= 1 << extra {
                let factor = self.function.i32(multiplier as u32 as i32);
                let high = self.make(Op::MulHigh { signed: false }, Type::I32, &[a, factor], false);
                let by = self.function.i32(extra as i32);
                return self.make(Op::Shr { signed: false }, Type::I32, &[high, by], false);
            }
        }
        // A 33-bit multiplier: the mean of number and product keeps the sum from overflowing.
        let multiplier = reciprocal(32 + bits);
        let factor = self.function.i32((multiplier - (1 << 32)) as u32 as i32);
        let high = self.make(Op::MulHigh { signed: false }, Type::I32, &[a, factor], false);
        let rest = self.make(Op::Sub, Type::I32, &[a, high], false);
        let one = self.function.i32(1);
        let half = self.make(Op::Shr { signed: false }, Type::I32, &[rest, one], false);
        let sum = self.make(Op::Add, Type::I32, &[half, high], false);
        let by = self.function.i32(bits as i32 - 1);
        self.make(Op::Shr { signed: false }, Type::I32, &[sum, by], false)
    }

    /// Whether a signed division by this number equals the unsigned one, which is shorter.
    fn plainly_unsigned(&self, ty: Type, a: Value, divisor: i64) -> bool {
        ty == Type::I32 && divisor > 0 && (divisor as u64).is_power_of_two() && self.is_natural(a, 6)
    }

    /// Whether a 32-bit number is never negative; follows up to `depth` operations.
    fn is_natural(&self, value: Value, depth: u32) -> bool {
        if let Some(number) = self.int(value) {
            return number >= 0;
        }
        let Some(DefOp { op, args }) = self.def(value).filter(|_| depth > 0) else {
            return false;
        };
        let below = |idx: usize| self.is_natural(args[idx], depth - 1);
        match op {
            // A block has at most 1024 threads per dimension, a grid at most 2^31 - 1 blocks.
            Op::Special(
                SpecialReg::TidX
                | SpecialReg::TidY
                | SpecialReg::TidZ
                | SpecialReg::CtaidX
                | SpecialReg::CtaidY
                | SpecialReg::CtaidZ
                | SpecialReg::LaneId
                | SpecialReg::WarpId,
            )
            | Op::Popc
            | Op::Clz
            | Op::Narrow(Num::U8 | Num::U16) => true,
            Op::Load(access) => matches!(access.width, MemWidth::U8 | MemWidth::U16),
            Op::Shr { signed: false } => self.int(args[1]).is_some_and(|by| (1..32).contains(&by)),
            Op::Shr { signed: true } | Op::Rem { signed: true } => below(0),
            Op::Div { signed: true } | Op::Min { signed: true } => below(0) && below(1),
            Op::And => below(0) || below(1),
            Op::Or | Op::Xor => below(0) && below(1),
            Op::Max { signed: true } => below(0) || below(1),
            Op::Select => below(1) && below(2),
            Op::Add | Op::Mul => self.relaxed(value) && below(0) && below(1),
            _ => false,
        }
    }

    fn rem(&mut self, ty: Type, a: Value, number: i64, signed: bool) -> Option<Value> {
        let magnitude = if signed {
            number.unsigned_abs()
        } else {
            fold::cut(number as u64, ty)
        };
        if magnitude == 1 {
            return Some(self.constant(ty, 0));
        }
        if !signed && magnitude.is_power_of_two() {
            let mask = self.constant(ty, magnitude - 1);
            return Some(self.make(Op::And, ty, &[a, mask], false));
        }
        if magnitude == 0 || (ty == Type::I64 && !magnitude.is_power_of_two()) {
            return None;
        }
        let divisor = self.constant(ty, magnitude);
        let quotient = self.make(Op::Div { signed }, ty, &[a, divisor], false);
        let product = self.make(Op::Mul, ty, &[quotient, divisor], false);
        Some(self.make(Op::Sub, ty, &[a, product], false))
    }
}
