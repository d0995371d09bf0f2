//! Selects 32-bit integer operations, and dispatches to the 64-bit ones.

use super::operands::ADD;
use super::{Generation, Inst, Loc, Op, Place, Select, Type, VInst, VOperand, VPred, VSrc, Value, ir};
use engine::isa::{BoolOp, Cmp, NumType};

impl<'a> Select<'a> {
    pub(super) fn integer(&mut self, inst: &'a Inst) {
        use ir::Op as I;
        let Some(result) = inst.results.first().copied() else {
            return;
        };
        let args = &inst.args;
        match inst.op {
            I::Low => {
                let low = self.word(args[0], 0);
                return self.define_word(result, low);
            }
            I::High => {
                let high = self.word(args[0], 1);
                return self.define_word(result, high);
            }
            I::ICmp { cmp, signed } => return self.integer_compare(result, cmp.isa(), signed, args),
            I::Select => {
                let pred = self.pred(args[0]);
                return self.select_value(result, pred, args[1], args[2]);
            }
            I::Popc | I::Clz if self.ty(args[0]) == Type::I64 => return self.count_bits_64(inst, result),
            _ => {}
        }
        match self.ty(result) {
            Type::I1 => self.truth(inst, result),
            Type::I64 => self.wide(inst, result),
            _ => {
                let place = self.word_op(inst);
                self.define(result, place);
            }
        }
    }

    /// Defines a value as a word of another one.
    pub(super) fn define_word(&mut self, result: Value, src: VSrc) {
        let loc = match src.operand {
            VOperand::Reg(place) => Loc::Reg(place),
            VOperand::Const { bank, offset } => Loc::Const { bank, offset },
            _ => Loc::Reg(self.to_register(src)),
        };
        self.places[result.0 as usize] = Some(loc);
    }

    fn word_op(&mut self, inst: &'a Inst) -> Place {
        use ir::Op as I;
        let args = &inst.args;
        match inst.op {
            I::Add | I::PtrAdd => self.add_words(args[0], args[1]),
            I::Sub => {
                let (a, b) = (self.src(args[0]), self.src(args[1]));
                self.op(ADD, &[a, b.negated()])
            }
            I::Neg => {
                let a = self.src(args[0]);
                self.op(ADD, &[VSrc::ZERO, a.negated()])
            }
            I::Mul => {
                let (a, b) = (self.src(args[0]), self.src(args[1]));
                self.multiply(a, b, VSrc::ZERO)
            }
            I::MulHigh { signed } => {
                let (a, b) = (self.src(args[0]), self.src(args[1]));
                self.multiply_high(a, b, signed)
            }
            I::Mul24 { signed } => {
                let (a, b) = (self.src(args[0]), self.src(args[1]));
                self.multiply_24(a, b, VSrc::ZERO, signed)
            }
            I::Div { signed } => self.divide(args[0], args[1], signed, false),
            I::Rem { signed } => self.divide(args[0], args[1], signed, true),
            I::Abs => {
                let a = self.in_register(args[0]);
                self.absolute(VSrc::reg(a))
            }
            I::Min { signed } | I::Max { signed } => {
                let max = matches!(inst.op, I::Max { .. });
                let (a, b) = (self.src(args[0]), self.src(args[1]));
                self.op(Op::Imnmx { signed, max }, &[a, b])
            }
            I::And | I::Or | I::Xor if self.target.is_volta_on() => self.logic_tree(inst, 0),
            I::And | I::Or | I::Xor => {
                let (a, b) = (self.logic_src(args[0]), self.logic_src(args[1]));
                self.logic(bool_op(inst.op), a, b)
            }
            I::Not => {
                let a = self.in_register(args[0]);
                self.invert(VSrc::reg(a))
            }
            I::Shl => {
                let (a, b) = (self.src(args[0]), self.src(args[1]));
                self.op(Op::Shl, &[a, b])
            }
            I::Shr { signed } => {
                let (a, b) = (self.src(args[0]), self.src(args[1]));
                self.op(Op::Shr { signed }, &[a, b])
            }
            I::Funnel { left, wrap } => self.funnel(args, left, wrap),
            I::Popc => {
                let a = self.in_register(args[0]);
                self.population(VSrc::reg(a))
            }
            I::Clz => {
                let a = self.in_register(args[0]);
                self.leading_zeros(VSrc::reg(a))
            }
            I::Brev => {
                let a = self.in_register(args[0]);
                self.reverse(VSrc::reg(a))
            }
            I::BytePerm => self.byte_permute(args),
            I::Narrow(num) => {
                let a = self.in_register(args[0]);
                self.narrow(VSrc::reg(a), num.isa())
            }
            _ => self.fresh(1),
        }
    }

    fn logic_src(&mut self, value: Value) -> VSrc {
        if let Some(inst) = self.sole_def(value)
            && matches!(inst.op, ir::Op::Not)
            && self.immediate(inst.args[0]).is_none()
        {
            return self.src(inst.args[0]).negated();
        }
        self.src(value)
    }

    /// Emits logic on one word of up to three values as one LOP3. Operations whose results only this logic reads
    /// become part of its table.
    pub(super) fn logic_tree(&mut self, inst: &Inst, idx: u8) -> Place {
        /// The truth tables of the three operands themselves.
        const TABLES: [u8; 3] = [0xf0, 0xcc, 0xaa];
        let mut leaves: Vec<Value> = Vec::new();
        inst.args.iter().for_each(|arg| put(&mut leaves, *arg));
        let is_binary = |inst: &Inst| inst.op != ir::Op::Not;
        let mut rows = usize::from(is_binary(inst));
        // Expands one operand per step: as deep as possible, or else by one operation.
        while let Some((wider, binary)) = leaves.iter().enumerate().find_map(|(at, leaf)| {
            let inner = self.logic_def(*leaf)?;
            [true, false].into_iter().find_map(|deep| {
                let mut wider = leaves.clone();
                wider.remove(at);
                for arg in &inner.args {
                    self.logic_leaves(*arg, if deep { 6 } else { 0 }, &mut wider);
                }
                // A chain of operations on only two values stays a chain: the simplifier reduces such chains.
                let is_row = wider.len() < TABLES.len() && (deep || (is_binary(inner) && rows > 0));
                (wider.len() <= TABLES.len() && !is_row).then_some((wider, is_binary(inner)))
            })
        }) {
            leaves = wider;
            rows += usize::from(binary);
        }
        // The first operand is a register. A constant is the second operand, or the third.
        leaves.sort_by_key(|leaf| !matches!(self.word(*leaf, idx).operand, VOperand::Reg(_)));
        if let [first, middle, last] = leaves[..]
            && self.word(middle, idx).is_register()
        {
            leaves = vec![first, last, middle];
        }
        let lut = self.logic_table(inst, &leaves, TABLES);
        let srcs: Vec<VSrc> = leaves.iter().map(|leaf| self.word(*leaf, idx)).collect();
        self.op(Op::Lop3 { lut }, &srcs)
    }

    /// Adds the values that the logic behind a value reads, through up to `depth` operations. Negations are
    /// expanded at any depth.
    fn logic_leaves(&self, value: Value, depth: u32, leaves: &mut Vec<Value>) {
        match self.logic_def(value) {
            Some(inner) if depth > 0 || inner.op == ir::Op::Not => {
                let depth = depth.saturating_sub(1);
                inner
                    .args
                    .iter()
                    .for_each(|arg| self.logic_leaves(*arg, depth, leaves));
            }
            _ => put(leaves, value),
        }
    }

    /// Returns the logic operation that computes a value, if the value has only one reader.
    fn logic_def(&self, value: Value) -> Option<&'_ Inst> {
        let inst = self.sole_def(value)?;
        let logic = matches!(inst.op, ir::Op::And | ir::Op::Or | ir::Op::Xor | ir::Op::Not);
        (logic && self.ty(value) != Type::I1 && self.immediate(value).is_none()).then_some(inst)
    }

    fn logic_table(&self, inst: &Inst, leaves: &[Value], tables: [u8; 3]) -> u8 {
        let of = |value: &Value| {
            if let Some(at) = leaves.iter().position(|leaf| leaf == value) {
                return tables[at];
            }
            (self.logic_def(*value)).map_or(0, |inner| self.logic_table(inner, leaves, tables))
        };
        let mut values = inst.args.iter().map(of);
        let (a, b) = (values.next().unwrap_or(0), values.next().unwrap_or(0));
        match inst.op {
            ir::Op::And => a & b,
            ir::Op::Or => a | b,
            ir::Op::Xor => a ^ b,
            _ => !a,
        }
    }

    fn invert(&mut self, a: VSrc) -> Place {
        if self.target.is_volta_on() {
            self.op(Op::Lop3 { lut: 0x0f }, &[a])
        } else {
            self.op(Op::Lop { op: BoolOp::Xor }, &[a, VSrc::imm(u32::MAX)])
        }
    }

    pub(super) fn absolute(&mut self, a: VSrc) -> Place {
        if self.target.is_volta_on() {
            return self.op(Op::Iabs, &[a]);
        }
        let negative = self.op(ADD, &[VSrc::ZERO, a.negated()]);
        self.op(
            Op::Imnmx {
                signed: true,
                max: true,
            },
            &[a, VSrc::reg(negative)],
        )
    }

    /// a + b; a product, a shifted value, or another sum as operand is merged into the same instruction.
    pub(super) fn add_words(&mut self, a: Value, b: Value) -> Place {
        for (x, y) in [(a, b), (b, a)] {
            let Some(inst) = self.sole_def(x) else { continue };
            if self.ty(x) != Type::I32 {
                continue;
            }
            match inst.op {
                ir::Op::Mul => {
                    let (p, q, r) = (self.src(inst.args[0]), self.src(inst.args[1]), self.src(y));
                    return self.multiply(p, q, r);
                }
                ir::Op::Mul24 { signed } if self.target.is(Generation::Tesla) => {
                    let (p, q, r) = (self.src(inst.args[0]), self.src(inst.args[1]), self.src(y));
                    return self.multiply_24(p, q, r, signed);
                }
                ir::Op::Shl if !self.target.is(Generation::Tesla) => {
                    if let Some(shift @ 1..=31) = self.immediate_i32(inst.args[1]) {
                        let (p, r) = (self.src(inst.args[0]), self.src(y));
                        return self.op(Op::Lea { shift: shift as u8 }, &[p, r]);
                    }
                }
                ir::Op::Add if self.target.generation >= Generation::Maxwell => {
                    let (p, q, r) = (self.src(inst.args[0]), self.src(inst.args[1]), self.src(y));
                    let num_outside = [p, q, r].iter().filter(|src| src.is_outside()).count();
                    if num_outside < 2 && ![p, q, r].contains(&VSrc::ZERO) {
                        return self.op(ADD, &[p, q, r]);
                    }
                }
                _ => {}
            }
        }
        let (a, b) = (self.src(a), self.src(b));
        self.add(a, b)
    }

    /// Low word of a * b + c.
    pub(super) fn multiply(&mut self, a: VSrc, b: VSrc, c: VSrc) -> Place {
        for (x, y) in [(a, b), (b, a)] {
            if let VOperand::Imm(bits) = y.operand
                && bits.is_power_of_two()
            {
                let shift = bits.trailing_zeros();
                if c == VSrc::ZERO {
                    return if shift == 0 {
                        self.to_register(x)
                    } else {
                        self.shl(x, shift)
                    };
                }
                if shift > 0 && !self.target.is(Generation::Tesla) {
                    return self.op(Op::Lea { shift: shift as u8 }, &[x, c]);
                }
                let shifted = if shift == 0 {
                    self.to_register(x)
                } else {
                    self.shl(x, shift)
                };
                return self.add(VSrc::reg(shifted), c);
            }
        }
        if self.target.multiplies_32_bits() {
            if c == VSrc::ZERO && !self.target.is_volta_on() {
                return self.op(
                    Op::Imul {
                        signed: true,
                        high: false,
                    },
                    &[a, b],
                );
            }
            return self.op(
                Op::Imad {
                    signed: true,
                    high: false,
                },
                &[a, b, c],
            );
        }
        // From 16-bit pieces: lo*lo + ((hi*lo + lo*hi) << 16).
        let (a, b) = match (a.operand, b.operand) {
            (VOperand::Imm(_), _) => (b, a),
            _ => (a, b),
        };
        if let VOperand::Imm(bits) = b.operand {
            let a = VSrc::reg(self.to_register(a));
            let low = self.xmad(a, b, c, false, false, false);
            let mut sum = VSrc::reg(low);
            if bits & 0xffff != 0 {
                sum = VSrc::reg(self.xmad(a, b, sum, true, false, true));
            }
            if bits >> 16 != 0 {
                sum = VSrc::reg(self.xmad(a, b, sum, false, true, true));
            }
            return self.to_register(sum);
        }
        let (a, b) = (VSrc::reg(self.to_register(a)), VSrc::reg(self.to_register(b)));
        if self.target.is(Generation::Tesla) {
            let cross = self.xmad(a, b, VSrc::ZERO, false, true, false);
            let cross = self.xmad(a, b, VSrc::reg(cross), true, false, false);
            let cross = self.shl(VSrc::reg(cross), 16);
            let low = self.xmad(a, b, VSrc::reg(cross), false, false, false);
            return if c == VSrc::ZERO {
                low
            } else {
                self.add(VSrc::reg(low), c)
            };
        }
        let low = self.xmad(a, b, c, false, false, false);
        let cross = self.xmad(a, b, VSrc::reg(low), true, false, true);
        self.xmad(a, b, VSrc::reg(cross), false, true, true)
    }

    fn xmad(&mut self, a: VSrc, b: VSrc, c: VSrc, a_hi: bool, b_hi: bool, shift_left: bool) -> Place {
        self.op(
            Op::Xmad {
                a_hi,
                b_hi,
                a_signed: false,
                b_signed: false,
                shift_left,
                merge: false,
            },
            &[a, b, c],
        )
    }

    /// High word of a * b.
    pub(super) fn multiply_high(&mut self, a: VSrc, b: VSrc, signed: bool) -> Place {
        match self.target.generation {
            Generation::Fermi | Generation::Kepler => {
                return self.op(Op::Imul { signed, high: true }, &[a, b]);
            }
            generation if generation >= Generation::Volta => {
                return self.op(Op::Imad { signed, high: true }, &[a, b]);
            }
            _ => {}
        }
        let (a, b) = (VSrc::reg(self.to_register(a)), VSrc::reg(self.to_register(b)));
        let low = self.xmad(a, b, VSrc::ZERO, false, false, false);
        let carry = self.shr(VSrc::reg(low), 16, false);
        let first = self.xmad(a, b, VSrc::reg(carry), true, false, false);
        let part = self.and(VSrc::reg(first), VSrc::imm(0xffff));
        let second = self.xmad(a, b, VSrc::reg(part), false, true, false);
        let first_high = self.shr(VSrc::reg(first), 16, false);
        let second_high = self.shr(VSrc::reg(second), 16, false);
        let high = self.xmad(a, b, VSrc::reg(first_high), true, true, false);
        let mut sum = self.add(VSrc::reg(high), VSrc::reg(second_high));
        if signed {
            for (x, y) in [(a, b), (b, a)] {
                let sign = self.shr(x, 31, true);
                let term = self.and(VSrc::reg(sign), y);
                sum = self.op(ADD, &[VSrc::reg(sum), VSrc::reg(term).negated()]);
            }
        }
        sum
    }

    /// Low word of the product of the low 24 bits, plus c.
    fn multiply_24(&mut self, a: VSrc, b: VSrc, c: VSrc, signed: bool) -> Place {
        if self.target.is(Generation::Tesla) {
            return self.op(Op::Imad24 { signed }, &[a, b, c]);
        }
        let (a, b) = (self.low_24(a, signed), self.low_24(b, signed));
        self.multiply(VSrc::reg(a), VSrc::reg(b), c)
    }

    fn low_24(&mut self, a: VSrc, signed: bool) -> Place {
        let a = VSrc::reg(self.to_register(a));
        if signed {
            let up = self.shl(a, 8);
            self.shr(VSrc::reg(up), 8, true)
        } else {
            self.and(a, VSrc::imm(0x00ff_ffff))
        }
    }

    fn funnel(&mut self, args: &[Value], left: bool, wrap: bool) -> Place {
        let low = VSrc::reg(self.in_register(args[0]));
        let high = VSrc::reg(self.in_register(args[1]));
        let by = self.src(args[2]);
        let by = match by.operand {
            VOperand::Imm(bits) => VSrc::imm(if wrap { bits & 31 } else { bits.min(32) }),
            _ if wrap => VSrc::reg(self.and(by, VSrc::imm(31))),
            _ => VSrc::reg(self.op(
                Op::Imnmx {
                    signed: false,
                    max: false,
                },
                &[by, VSrc::imm(32)],
            )),
        };
        if left {
            self.shift_left_high(low, high, by)
        } else {
            self.shift_right_low(low, high, by, false)
        }
    }

    pub(super) fn population(&mut self, a: VSrc) -> Place {
        if self.target.has_bit_instructions() {
            return self.op(Op::Popc, &[a]);
        }
        // Sums of adjacent fields of 1, 2, 4, 8, and 16 bits.
        let half = self.shr(a, 1, false);
        let pairs = self.and(VSrc::reg(half), VSrc::imm(0x5555_5555));
        let mut sum = self.op(ADD, &[a, VSrc::reg(pairs).negated()]);
        for (shift, mask) in [(2, 0x3333_3333), (4, 0x0f0f_0f0f), (8, 0x00ff_00ff), (16, 0xffff)] {
            let upper = self.shr(VSrc::reg(sum), shift, false);
            let upper = self.and(VSrc::reg(upper), VSrc::imm(mask));
            let lower = self.and(VSrc::reg(sum), VSrc::imm(mask));
            sum = self.add(VSrc::reg(lower), VSrc::reg(upper));
        }
        sum
    }

    pub(super) fn leading_zeros(&mut self, a: VSrc) -> Place {
        if self.target.has_bit_instructions() {
            let top = self.op(Op::Flo { signed: false }, &[a]);
            return self.op(ADD, &[VSrc::imm(31), VSrc::reg(top).negated()]);
        }
        // Sets all bits below the highest set bit, and counts them.
        let mut filled = a;
        for shift in [1, 2, 4, 8, 16] {
            let right = self.shr(filled, shift, false);
            filled = VSrc::reg(self.or(filled, VSrc::reg(right)));
        }
        let ones = self.population(filled);
        self.op(ADD, &[VSrc::imm(32), VSrc::reg(ones).negated()])
    }

    pub(super) fn reverse(&mut self, a: VSrc) -> Place {
        if self.target.has_bit_instructions() {
            return self.op(Op::Brev, &[a]);
        }
        let mut bits = a;
        for (shift, mask) in [
            (1, 0x5555_5555),
            (2, 0x3333_3333),
            (4, 0x0f0f_0f0f),
            (8, 0x00ff_00ff),
        ] {
            let right = self.shr(bits, shift, false);
            let right = self.and(VSrc::reg(right), VSrc::imm(mask));
            let left = self.and(bits, VSrc::imm(mask));
            let left = self.shl(VSrc::reg(left), shift);
            bits = VSrc::reg(self.or(VSrc::reg(left), VSrc::reg(right)));
        }
        let right = self.shr(bits, 16, false);
        let left = self.shl(bits, 16);
        self.or(VSrc::reg(left), VSrc::reg(right))
    }

    fn byte_permute(&mut self, args: &[Value]) -> Place {
        let (a, b) = (self.in_register(args[0]), self.in_register(args[1]));
        let selector = self.src(args[2]);
        if self.target.has_bit_instructions() {
            return self.op(Op::Prmt, &[VSrc::reg(a), selector, VSrc::reg(b)]);
        }
        let mut result = VSrc::ZERO;
        for byte in 0..4u32 {
            // Bits 0 to 2 of the nibble select the byte; bit 3 replicates its sign.
            let nibble = self.nibble(selector, byte);
            let index = self.and(nibble, VSrc::imm(3));
            let distance = self.shl(VSrc::reg(index), 3);
            let second = self.and(nibble, VSrc::imm(4));
            let from_b = self.compare_words(Cmp::Ne, false, VSrc::reg(second), VSrc::ZERO);
            let word = self.select_words(from_b, VSrc::reg(b), VSrc::reg(a));
            let value = self.op(Op::Shr { signed: false }, &[VSrc::reg(word), VSrc::reg(distance)]);
            let value = self.and(VSrc::reg(value), VSrc::imm(0xff));
            let spread = self.and(nibble, VSrc::imm(8));
            let signs = self.compare_words(Cmp::Ne, false, VSrc::reg(spread), VSrc::ZERO);
            let top = self.shl(VSrc::reg(value), 24);
            let top = self.shr(VSrc::reg(top), 31, true);
            let top = self.and(VSrc::reg(top), VSrc::imm(0xff));
            let value = self.select_words(signs, VSrc::reg(top), VSrc::reg(value));
            let placed = self.shl(VSrc::reg(value), 8 * byte);
            result = VSrc::reg(self.or(VSrc::reg(placed), result));
        }
        self.to_register(result)
    }

    fn nibble(&mut self, selector: VSrc, idx: u32) -> VSrc {
        if let VOperand::Imm(bits) = selector.operand {
            return VSrc::reg(self.to_register(VSrc::imm(bits >> (4 * idx) & 15)));
        }
        let at = self.shr(selector, 4 * idx, false);
        VSrc::reg(self.and(VSrc::reg(at), VSrc::imm(15)))
    }

    pub(super) fn narrow(&mut self, a: VSrc, num: NumType) -> Place {
        match num {
            NumType::U8 => self.and(a, VSrc::imm(0xff)),
            NumType::U16 => self.and(a, VSrc::imm(0xffff)),
            NumType::S8 | NumType::S16 => {
                let bits = if matches!(num, NumType::S8) { 8 } else { 16 };
                match self.target.generation {
                    generation if generation >= Generation::Volta => {
                        let selector = if bits == 8 { 0x8880 } else { 0x9910 };
                        self.op(Op::Prmt, &[a, VSrc::imm(selector), VSrc::ZERO])
                    }
                    Generation::Tesla => {
                        let up = self.shl(a, 32 - bits);
                        self.shr(VSrc::reg(up), 32 - bits, true)
                    }
                    _ => self.op(Op::Bfe { signed: true }, &[a, VSrc::imm(bits << 8)]),
                }
            }
            _ => self.to_register(a),
        }
    }

    // ---- predicates

    fn truth(&mut self, inst: &'a Inst, result: Value) {
        let args = &inst.args;
        let pred = match inst.op {
            ir::Op::Not => self.pred(args[0]).inverted(),
            ir::Op::And | ir::Op::Or | ir::Op::Xor => {
                let op = bool_op(inst.op);
                if let Some(pred) = self.merged_compare(op, args[0], args[1]) {
                    pred
                } else {
                    let (a, b) = (self.pred(args[0]), self.pred(args[1]));
                    self.combine(op, a, b)
                }
            }
            _ => VPred::FALSE,
        };
        self.define_pred(result, pred);
    }

    /// Merges `compare op other` into the comparison, if the comparison has no other use.
    fn merged_compare(&mut self, op: BoolOp, a: Value, b: Value) -> Option<VPred> {
        for (x, y) in [(b, a), (a, b)] {
            let Some(inst) = self.sole_def(x) else { continue };
            let other = self.pred(y);
            match inst.op {
                ir::Op::ICmp { cmp, signed } if self.ty(inst.args[0]).registers() == 1 => {
                    let (p, q) = (self.src(inst.args[0]), self.src(inst.args[1]));
                    return Some(self.op_pred(
                        Op::Isetp {
                            cmp: cmp.isa(),
                            signed,
                            bool_op: op,
                            extended: false,
                        },
                        &[p, q],
                        &[other],
                    ));
                }
                ir::Op::FCmp(cmp) if self.ty(inst.args[0]) == Type::F32 => {
                    let (p, q) = (self.float_src(inst.args[0]), self.float_src(inst.args[1]));
                    let ftz = self.target.ftz();
                    return Some(self.op_pred(
                        Op::Fsetp {
                            cmp: cmp.isa(),
                            bool_op: op,
                            ftz,
                        },
                        &[p, q],
                        &[other],
                    ));
                }
                _ => {}
            }
        }
        None
    }

    fn integer_compare(&mut self, result: Value, cmp: Cmp, signed: bool, args: &[Value]) {
        let pred = match self.ty(args[0]) {
            Type::I1 => {
                let (a, b) = (self.pred(args[0]), self.pred(args[1]));
                let same = self.combine(BoolOp::Xor, a, b);
                if matches!(cmp, Cmp::Eq) {
                    same.inverted()
                } else {
                    same
                }
            }
            Type::I64 => {
                let (a, b) = (self.words(args[0]), self.words(args[1]));
                self.compare_pairs(cmp, signed, a, b)
            }
            _ => {
                let (a, b) = (self.src(args[0]), self.src(args[1]));
                self.compare_words(cmp, signed, a, b)
            }
        };
        self.define_pred(result, pred);
    }

    pub(super) fn compare_pairs(&mut self, cmp: Cmp, signed: bool, a: [VSrc; 2], b: [VSrc; 2]) -> VPred {
        let low = self.compare_words(cmp, false, a[0], b[0]);
        let mut inst = VInst::new(Op::Isetp {
            cmp,
            signed,
            bool_op: BoolOp::And,
            extended: true,
        });
        let pdst = self.code.vreg(super::Class::Predicate, 1);
        inst.pdst = Some(pdst);
        inst.srcs = [a[1], b[1], VSrc::ZERO];
        inst.psrcs = [VPred::TRUE, low, VPred::TRUE];
        self.push(inst);
        VPred::of(pdst)
    }
}

const fn bool_op(op: ir::Op) -> BoolOp {
    match op {
        ir::Op::And => BoolOp::And,
        ir::Op::Or => BoolOp::Or,
        _ => BoolOp::Xor,
    }
}

fn put(list: &mut Vec<Value>, value: Value) {
    if !list.contains(&value) {
        list.push(value);
    }
}
