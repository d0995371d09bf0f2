//! Floating-point operations.

use super::{Generation, Inst, Loc, Op, Place, Select, Type, VInst, VOperand, VSrc, Value, ir};
use crate::ir::Rounding;
use engine::isa::{Bf16Op, BoolOp, Mma, Mufu, NumType, Round};

/// The turns of a radian.
const FRAC_1_TAU: f32 = 0.159_154_94;

impl<'a> Select<'a> {
    pub(super) fn float(&mut self, inst: &'a Inst) {
        use ir::Op as I;
        let Some(result) = inst.results.first().copied() else {
            return;
        };
        let args = &inst.args;
        match inst.op {
            I::FCmp(cmp) => {
                let pred = self.float_compare(cmp.isa(), args);
                return self.define_pred(result, pred);
            }
            I::Mma(mma) => return self.mma(inst, mma),
            I::Bitcast | I::HalfLow => return self.same_bits(result, args[0]),
            // HADD2.F32 reads the high half in place.
            I::HalfHigh
                if self.target.is_volta_on()
                    && self.widened[result.0 as usize] == self.uses[result.0 as usize] =>
            {
                return;
            }
            I::HalfHigh => {
                let a = self.src(args[0]);
                let place = self.shr(a, 16, false);
                return self.define(result, place);
            }
            I::PackHalves => {
                let (low, high) = (self.src(args[0]), self.src(args[1]));
                let place = self.pack(low, high);
                return self.define(result, place);
            }
            I::PackFp8 { e5m2 } => {
                let [low, high] = [args[0], args[1]].map(|value| {
                    let src = self.float_src(value);
                    self.plain_float(src)
                });
                let place = self.op(Op::F2fpFp8 { e5m2 }, &[VSrc::reg(high), VSrc::reg(low)]);
                return self.define(result, place);
            }
            I::UnpackFp8 { e5m2, high } => {
                let a = self.src(args[0]);
                let place = self.op(Op::UnpackFp8 { e5m2, high }, &[a]);
                return self.define(result, place);
            }
            I::PackFloats { bfloat16 } => {
                let place = self.pack_floats(args[0], args[1], bfloat16);
                return self.define(result, place);
            }
            I::Convert {
                from: ir::Num::F16,
                to: ir::Num::F32,
                ..
            } => {
                let place = self.half_to_single(args[0]);
                return self.define(result, place);
            }
            I::Convert {
                from: ir::Num::F32,
                to: ir::Num::F16,
                round: Rounding::Rn,
            } => {
                let a = self.float_src(args[0]);
                let a = self.plain_float(a);
                let place = self.single_to_half(a);
                return self.define(result, place);
            }
            I::Convert { from, to, round } => {
                let place = self.convert(args[0], from.isa(), to.isa(), round.isa());
                return self.define(result, place);
            }
            _ => {}
        }
        let place = match self.ty(result) {
            Type::F64 => self.double(inst),
            Type::F16 | Type::F16x2 => self.half(inst, result),
            Type::Bf16x2 => self.bfloat16s(inst),
            _ => self.single(inst),
        };
        self.define(result, place);
    }

    fn same_bits(&mut self, result: Value, arg: Value) {
        if self.ty(arg) == Type::F16 && self.ty(result) == Type::I32 {
            let a = self.src(arg);
            let place = self.and(a, VSrc::imm(0xffff));
            return self.define(result, place);
        }
        match self.loc(arg) {
            loc @ (Loc::Reg(_) | Loc::Const { .. }) if self.immediate(arg).is_none() => {
                self.places[result.0 as usize] = Some(loc);
            }
            _ => {
                let place = self.in_register(arg);
                self.define(result, place);
            }
        }
    }

    /// A register with `low` in its low half and `high` in its high half.
    pub(super) fn pack(&mut self, low: VSrc, high: VSrc) -> Place {
        if self.target.has_bit_instructions() {
            let (low, high) = (self.to_register(low), self.to_register(high));
            return self.op(Op::Prmt, &[VSrc::reg(low), VSrc::imm(0x5410), VSrc::reg(high)]);
        }
        let low = self.and(low, VSrc::imm(0xffff));
        let high = self.shl(high, 16);
        self.or(VSrc::reg(low), VSrc::reg(high))
    }

    fn float_compare(&mut self, cmp: engine::isa::Cmp, args: &[Value]) -> super::VPred {
        let ftz = self.target.ftz();
        match self.ty(args[0]) {
            Type::F64 => {
                let (a, b) = (self.float_src(args[0]), self.float_src(args[1]));
                self.op_pred(
                    Op::Dsetp {
                        cmp,
                        bool_op: BoolOp::And,
                    },
                    &[a, b],
                    &[],
                )
            }
            Type::F16 | Type::F16x2 if self.target.has_half_arithmetic() => {
                let (a, b) = (self.src(args[0]), self.src(args[1]));
                let a = VSrc::reg(self.to_register(a));
                self.op_pred(
                    Op::Hsetp2 {
                        cmp,
                        bool_op: BoolOp::And,
                    },
                    &[a, b],
                    &[],
                )
            }
            Type::F16 | Type::F16x2 => {
                let (a, b) = (self.half_to_single(args[0]), self.half_to_single(args[1]));
                self.op_pred(
                    Op::Fsetp {
                        cmp,
                        bool_op: BoolOp::And,
                        ftz: false,
                    },
                    &[VSrc::reg(a), VSrc::reg(b)],
                    &[],
                )
            }
            _ => {
                let (a, b) = (self.float_src(args[0]), self.float_src(args[1]));
                self.op_pred(
                    Op::Fsetp {
                        cmp,
                        bool_op: BoolOp::And,
                        ftz,
                    },
                    &[a, b],
                    &[],
                )
            }
        }
    }

    // ---- single precision

    fn single(&mut self, inst: &'a Inst) -> Place {
        use ir::Op as I;
        let args = &inst.args;
        let ftz = self.target.ftz();
        match inst.op {
            I::FAdd(round) | I::FSub(round) => {
                let (a, b) = (self.float_src(args[0]), self.float_src(args[1]));
                let b = if matches!(inst.op, I::FSub(_)) {
                    flipped(b)
                } else {
                    b
                };
                self.op(
                    Op::Fadd {
                        ftz,
                        sat: false,
                        round: round.isa(),
                    },
                    &[a, b],
                )
            }
            I::FMul(round) => {
                let (a, b) = (self.float_src(args[0]), self.float_src(args[1]));
                self.op(
                    Op::Fmul {
                        ftz,
                        sat: false,
                        round: round.isa(),
                    },
                    &[a, b],
                )
            }
            I::FFma { round, truncating } => {
                let srcs = [
                    self.float_src(args[0]),
                    self.float_src(args[1]),
                    self.float_src(args[2]),
                ];
                let op = if truncating {
                    Op::Fmad { sat: false }
                } else {
                    Op::Ffma {
                        ftz,
                        sat: false,
                        round: round.isa(),
                    }
                };
                self.op(op, &srcs)
            }
            I::FNeg | I::FAbs => {
                let a = self.float_src(args[0]);
                if let VOperand::Imm(bits) = a.operand {
                    let bits = if matches!(inst.op, I::FNeg) {
                        bits ^ 0x8000_0000
                    } else {
                        bits & 0x7fff_ffff
                    };
                    return self.to_register(VSrc::imm(bits));
                }
                // On bits, so that NaN and subnormal numbers are preserved.
                let a = self.src(args[0]);
                if matches!(inst.op, I::FNeg) {
                    self.logic(BoolOp::Xor, a, VSrc::imm(0x8000_0000))
                } else {
                    self.and(a, VSrc::imm(0x7fff_ffff))
                }
            }
            I::FMin | I::FMax => {
                let max = matches!(inst.op, I::FMax);
                let (a, b) = (self.float_src(args[0]), self.float_src(args[1]));
                self.op(Op::Fmnmx { max, ftz }, &[a, b])
            }
            I::FSaturate => {
                let a = self.float_src(args[0]);
                self.op(
                    Op::Fadd {
                        ftz,
                        sat: true,
                        round: Round::Rn,
                    },
                    &[a, VSrc::ZERO],
                )
            }
            I::FDiv(Rounding::Rn)
                if self.function.const_bits(args[0]) == Some(u64::from(1.0_f32.to_bits()))
                    && !self.target.is(Generation::Tesla) =>
            {
                let b = self.float_src(args[1]);
                let b = self.plain_float(b);
                self.reciprocal_single(b, Round::Rn)
            }
            I::FDiv(round) => {
                let (a, b) = (self.float_src(args[0]), self.float_src(args[1]));
                let (a, b) = (self.plain_float(a), self.plain_float(b));
                self.divide_single(a, b, round.isa())
            }
            I::FRcp(round) => {
                let a = self.float_src(args[0]);
                let a = self.plain_float(a);
                self.reciprocal_single(a, round.isa())
            }
            I::FSqrt(round) => {
                let a = self.float_src(args[0]);
                let a = self.plain_float(a);
                self.root_single(a, round.isa())
            }
            I::Mufu(func) => {
                let a = self.float_src(args[0]);
                let is_bits = matches!(
                    func.isa(),
                    Mufu::Rcp64h | Mufu::Rsq64h | Mufu::SinReduced | Mufu::CosReduced | Mufu::Ex2Reduced
                );
                let ftz = ftz && !is_bits;
                self.op(
                    Op::Mufu {
                        func: func.isa(),
                        ftz,
                    },
                    &[a],
                )
            }
            I::Reduce { ex2 } => {
                let a = self.float_src(args[0]);
                if ex2 || !self.target.is_volta_on() {
                    return self.op(Op::Rro { ex2 }, &[a]);
                }
                // nvcc 13.0 flushes neither operand nor result with -ftz=true.
                self.op(
                    Op::Fmul {
                        ftz: false,
                        sat: false,
                        round: Round::Rz,
                    },
                    &[a, VSrc::imm(FRAC_1_TAU.to_bits())],
                )
            }
            I::FRound(round) => {
                let a = self.float_src(args[0]);
                self.op(
                    Op::Frnd {
                        ty: NumType::F32,
                        round: round.isa(),
                        ftz,
                    },
                    &[a],
                )
            }
            _ => self.fresh(1),
        }
    }

    /// A floating-point operand in a register, with its sign applied.
    fn plain_float(&mut self, src: VSrc) -> Place {
        if src.negate || src.absolute {
            let mut place = self.to_register(VSrc::of(src.operand));
            if src.absolute {
                place = self.and(VSrc::reg(place), VSrc::imm(0x7fff_ffff));
            }
            if src.negate {
                place = self.logic(BoolOp::Xor, VSrc::reg(place), VSrc::imm(0x8000_0000));
            }
            return place;
        }
        self.to_register(src)
    }

    // ---- double precision

    fn double(&mut self, inst: &'a Inst) -> Place {
        use ir::Op as I;
        let args = &inst.args;
        if !self.target.has_doubles() {
            self.error("Compute capability 1.0 has no double precision.");
        }
        match inst.op {
            I::FAdd(round) | I::FSub(round) => {
                let (a, b) = (self.float_src(args[0]), self.float_src(args[1]));
                let b = if matches!(inst.op, I::FSub(_)) {
                    flipped(b)
                } else {
                    b
                };
                self.op(Op::Dadd { round: round.isa() }, &[a, b])
            }
            I::FMul(round) => {
                let (a, b) = (self.float_src(args[0]), self.float_src(args[1]));
                self.op(Op::Dmul { round: round.isa() }, &[a, b])
            }
            I::FFma { round, .. } => {
                let srcs = [
                    self.float_src(args[0]),
                    self.float_src(args[1]),
                    self.float_src(args[2]),
                ];
                self.op(Op::Dfma { round: round.isa() }, &srcs)
            }
            I::FNeg | I::FAbs => {
                let [low, high] = self.words(args[0]);
                let high = if matches!(inst.op, I::FNeg) {
                    self.logic(BoolOp::Xor, high, VSrc::imm(0x8000_0000))
                } else {
                    self.and(high, VSrc::imm(0x7fff_ffff))
                };
                self.pair_of(low, VSrc::reg(high))
            }
            I::FMin | I::FMax => {
                let max = matches!(inst.op, I::FMax);
                let (a, b) = (self.float_src(args[0]), self.float_src(args[1]));
                self.op(Op::Dmnmx { max }, &[a, b])
            }
            I::FSaturate => {
                let a = self.float_src(args[0]);
                let low = self.op(Op::Dmnmx { max: true }, &[a, VSrc::ZERO]);
                self.op(
                    Op::Dmnmx { max: false },
                    &[VSrc::reg(low), VSrc::imm(0x3ff0_0000)],
                )
            }
            I::FRound(round) => {
                let a = self.in_register(args[0]);
                self.op(
                    Op::Frnd {
                        ty: NumType::F64,
                        round: round.isa(),
                        ftz: false,
                    },
                    &[VSrc::reg(a)],
                )
            }
            I::FDiv(Rounding::Rn) if self.function.const_bits(args[0]) == Some(1.0_f64.to_bits()) => {
                let b = self.in_register(args[1]);
                self.reciprocal_double(b, Round::Rn)
            }
            I::FDiv(round) => {
                let (a, b) = (self.in_register(args[0]), self.in_register(args[1]));
                self.divide_double(a, b, round.isa())
            }
            I::FRcp(round) => {
                let a = self.in_register(args[0]);
                self.reciprocal_double(a, round.isa())
            }
            I::FSqrt(round) => {
                let a = self.in_register(args[0]);
                self.root_double(a, round.isa())
            }
            I::FRsqrt => {
                let a = self.in_register(args[0]);
                self.reciprocal_root_double(a)
            }
            _ => self.fresh(2),
        }
    }

    // ---- half precision

    fn pack_floats(&mut self, low: Value, high: Value, bfloat16: bool) -> Place {
        let [low, high] = [low, high].map(|value| {
            let src = self.float_src(value);
            self.plain_float(src)
        });
        if self.target.has_half_extremes() {
            return self.op(Op::F2fp { bfloat16 }, &[VSrc::reg(high), VSrc::reg(low)]);
        }
        let (low, high) = (self.single_to_half(low), self.single_to_half(high));
        self.pack(VSrc::reg(low), VSrc::reg(high))
    }

    fn half_to_single(&mut self, value: Value) -> Place {
        if let Some(inst) = self.def(value)
            && inst.op == ir::Op::HalfHigh
            && self.target.is_volta_on()
        {
            let pair = self.in_register(inst.args[0]);
            return self.widen_half(pair, true);
        }
        let a = self.in_register(value);
        self.half_word_to_single(a)
    }

    fn widen_half(&mut self, a: Place, high: bool) -> Place {
        self.op(Op::Hadd2F32 { high }, &[VSrc::ZERO.negated(), VSrc::reg(a)])
    }

    fn half_word_to_single(&mut self, a: Place) -> Place {
        if self.target.is_volta_on() {
            return self.widen_half(a, false);
        }
        self.op(
            Op::F2f {
                from: NumType::F16,
                to: NumType::F32,
                round: Round::Rn,
                ftz: false,
            },
            &[VSrc::reg(a)],
        )
    }

    fn single_to_half(&mut self, a: Place) -> Place {
        if self.target.has_half_extremes() {
            return self.op(Op::F2fp { bfloat16: false }, &[VSrc::ZERO, VSrc::reg(a)]);
        }
        self.op(
            Op::F2f {
                from: NumType::F32,
                to: NumType::F16,
                round: Round::Rn,
                ftz: false,
            },
            &[VSrc::reg(a)],
        )
    }

    /// A matrix product: its operands are in consecutive registers.
    fn mma(&mut self, inst: &'a Inst, mma: Mma) {
        let op = Op::Mma { mma };
        let widths = op.source_widths();
        let mut vinst = VInst::new(op);
        let mut args = inst.args.iter();
        for (idx, width) in widths.into_iter().enumerate() {
            let values: Vec<Value> = args.by_ref().take(usize::from(width)).copied().collect();
            if values
                .iter()
                .all(|value| self.function.const_bits(*value) == Some(0))
            {
                vinst.srcs[idx] = VSrc::ZERO;
                continue;
            }
            let place = self.fresh(width);
            for (word, value) in values.into_iter().enumerate() {
                let src = self.src(value);
                self.mov_to(place.at(word as u8), src);
            }
            vinst.srcs[idx] = VSrc::reg(place);
        }
        let place = self.fresh(op.destination_width());
        vinst.dst = Some(place);
        self.push(vinst);
        for (word, result) in inst.results.iter().enumerate() {
            self.define(*result, place.at(word as u8));
        }
    }

    /// Operations on two `__nv_bfloat16` numbers. Separate sums and products exist from 9.0 on; before that,
    /// they are fused operations.
    fn bfloat16s(&mut self, inst: &'a Inst) -> Place {
        use ir::Op as I;
        const ONES: VSrc = VSrc::imm(0x3f80_3f80);
        let fma = Op::Bf16 { op: Bf16Op::Fma };
        let has_sums = self.target.has_bfloat16_sums();
        let mut srcs: Vec<VSrc> = inst.args.iter().map(|arg| self.src(*arg)).collect();
        srcs[0] = VSrc::reg(self.to_register(srcs[0]));
        if matches!(inst.op, I::FSub(_)) {
            srcs[1] = VSrc::reg(self.to_register(srcs[1])).negated();
        }
        let minus_zero = VSrc::ZERO.negated();
        match inst.op {
            I::FAdd(_) | I::FSub(_) if has_sums => self.op(Op::Bf16 { op: Bf16Op::Add }, &srcs),
            I::FAdd(_) | I::FSub(_) => self.op(fma, &[srcs[0], ONES, srcs[1]]),
            I::FMul(_) if has_sums => self.op(Op::Bf16 { op: Bf16Op::Mul }, &srcs),
            I::FMul(_) => self.op(fma, &[srcs[0], srcs[1], minus_zero]),
            I::FFma { .. } => self.op(fma, &srcs),
            I::FNeg => self.op(fma, &[minus_zero, VSrc::ZERO, srcs[0].negated()]),
            I::FAbs => self.and(srcs[0], VSrc::imm(0x7fff_7fff)),
            I::FMin => self.op(Op::Bf16 { op: Bf16Op::Min }, &srcs),
            _ => self.op(Op::Bf16 { op: Bf16Op::Max }, &srcs),
        }
    }

    fn half(&mut self, inst: &'a Inst, result: Value) -> Place {
        use ir::Op as I;
        let args = &inst.args;
        match inst.op {
            // As nvcc: minus zero is added, so that NaN becomes the chip's own.
            I::FNeg | I::FAbs if self.target.has_half_arithmetic() => {
                let a = VSrc::reg(self.in_register(args[0]));
                let a = VSrc {
                    negate: matches!(inst.op, I::FNeg),
                    absolute: matches!(inst.op, I::FAbs),
                    ..a
                };
                return self.op(Op::Hadd2 { ftz: false }, &[a, VSrc::ZERO.negated()]);
            }
            I::FMin | I::FMax if self.target.has_half_extremes() => {
                let max = matches!(inst.op, I::FMax);
                let (a, b) = (self.src(args[0]), self.src(args[1]));
                let a = VSrc::reg(self.to_register(a));
                return self.op(Op::Hmnmx2 { max }, &[a, b]);
            }
            I::FNeg => {
                let a = self.src(args[0]);
                return self.logic(BoolOp::Xor, a, VSrc::imm(0x8000_8000));
            }
            I::FAbs => {
                let a = self.src(args[0]);
                return self.and(a, VSrc::imm(0x7fff_7fff));
            }
            _ => {}
        }
        if self.target.has_half_arithmetic() {
            let op = match inst.op {
                I::FAdd(_) | I::FSub(_) => Some(Op::Hadd2 { ftz: false }),
                I::FMul(_) => Some(Op::Hmul2 { ftz: false }),
                I::FFma { .. } => Some(Op::Hfma2 { ftz: false }),
                _ => None,
            };
            if let Some(op) = op {
                let mut srcs: Vec<VSrc> = args.iter().map(|arg| self.src(*arg)).collect();
                if matches!(inst.op, I::FSub(_)) {
                    srcs[1] = match srcs[1].operand {
                        VOperand::Imm(bits) => VSrc::imm(bits ^ 0x8000_8000),
                        VOperand::Zero => VSrc::imm(0x8000_8000),
                        _ => srcs[1].negated(),
                    };
                }
                return self.op(op, &srcs);
            }
        }
        // In single precision, which represents products of halves exactly.
        let both = self.ty(result) == Type::F16x2;
        let words: Vec<Place> = args.iter().map(|arg| self.in_register(*arg)).collect();
        let low: Vec<Place> = words.iter().map(|word| self.half_word_to_single(*word)).collect();
        let low = self.half_by_single(inst, &low);
        if !both {
            return low;
        }
        let high: Vec<Place> = words
            .iter()
            .map(|word| {
                let high = self.shr(VSrc::reg(*word), 16, false);
                self.half_word_to_single(high)
            })
            .collect();
        let high = self.half_by_single(inst, &high);
        self.pack(VSrc::reg(low), VSrc::reg(high))
    }

    fn half_by_single(&mut self, inst: &'a Inst, args: &[Place]) -> Place {
        use ir::Op as I;
        let srcs: Vec<VSrc> = args.iter().map(|place| VSrc::reg(*place)).collect();
        let exact = Op::Fadd {
            ftz: false,
            sat: false,
            round: Round::Rn,
        };
        let result = match inst.op {
            I::FAdd(_) => self.op(exact, &srcs),
            I::FSub(_) => self.op(exact, &[srcs[0], srcs[1].negated()]),
            I::FMul(_) => self.op(
                Op::Fmul {
                    ftz: false,
                    sat: false,
                    round: Round::Rn,
                },
                &srcs,
            ),
            I::FFma { .. } => {
                if self.target.is(Generation::Tesla) {
                    let product = self.fmul();
                    let product = self.op(product, &srcs[..2]);
                    self.op(exact, &[VSrc::reg(product), srcs[2]])
                } else {
                    self.op(
                        Op::Ffma {
                            ftz: false,
                            sat: false,
                            round: Round::Rn,
                        },
                        &srcs,
                    )
                }
            }
            I::FMin | I::FMax => self.op(
                Op::Fmnmx {
                    max: matches!(inst.op, I::FMax),
                    ftz: false,
                },
                &srcs,
            ),
            I::FSaturate => self.op(
                Op::Fadd {
                    ftz: false,
                    sat: true,
                    round: Round::Rn,
                },
                &[srcs[0], VSrc::ZERO],
            ),
            I::FDiv(_) => self.divide_single(args[0], args[1], Round::Rn),
            I::FRcp(_) => self.reciprocal_single(args[0], Round::Rn),
            I::FSqrt(_) => self.root_single(args[0], Round::Rn),
            I::FRound(round) => self.op(
                Op::Frnd {
                    ty: NumType::F32,
                    round: round.isa(),
                    ftz: false,
                },
                &srcs,
            ),
            I::Mufu(func) => self.op(
                Op::Mufu {
                    func: func.isa(),
                    ftz: false,
                },
                &srcs,
            ),
            _ => args[0],
        };
        self.single_to_half(result)
    }

    // ---- conversions

    fn convert(&mut self, arg: Value, from: NumType, to: NumType, round: Round) -> Place {
        let ftz = self.target.ftz() && (matches!(from, NumType::F32) || matches!(to, NumType::F32));
        let source = self.convertible(arg, from);
        match (from.is_float(), to.is_float()) {
            (true, true) => self.op(Op::F2f { from, to, round, ftz }, &[source]),
            (true, false) => {
                let (wide, narrow) = match to {
                    NumType::S8 | NumType::S16 => (NumType::S32, Some(to)),
                    NumType::U8 | NumType::U16 => (NumType::U32, Some(to)),
                    other => (other, None),
                };
                let place = self.op(
                    Op::F2i {
                        from,
                        to: wide,
                        round,
                        ftz: ftz && matches!(from, NumType::F32),
                    },
                    &[source],
                );
                match narrow {
                    Some(narrow) => self.narrow(VSrc::reg(place), narrow),
                    None => place,
                }
            }
            _ => {
                let from = match from {
                    NumType::U8 | NumType::U16 => NumType::U32,
                    NumType::S8 | NumType::S16 => NumType::S32,
                    other => other,
                };
                self.op(Op::I2f { from, to, round }, &[source])
            }
        }
    }

    fn convertible(&mut self, arg: Value, from: NumType) -> VSrc {
        if from.is_wide() {
            let pair = self.pair_src(arg);
            match pair.operand {
                VOperand::Reg(_) | VOperand::Const { .. } => pair,
                _ => VSrc::reg(self.in_register(arg)),
            }
        } else if matches!(from, NumType::F32) {
            let src = self.float_src(arg);
            match src.operand {
                VOperand::Imm(_) | VOperand::Zero => VSrc::reg(self.to_register(src)),
                _ => src,
            }
        } else {
            let src = self.src(arg);
            match src.operand {
                VOperand::Imm(_) | VOperand::Zero => VSrc::reg(self.to_register(src)),
                _ => src,
            }
        }
    }

    /// An instruction that forms a pair from single words, for estimates of doubles.
    pub(super) fn double_of_high(&mut self, high: Place, low: u32) -> Place {
        self.pair_of(VSrc::imm(low), VSrc::reg(high))
    }

    pub(super) fn guarded_slow(&mut self, dst: Place, path: engine::isa::SlowPath, srcs: &[Place]) {
        let mut inst = VInst::new(Op::Slow { path });
        inst.dst = Some(dst);
        for (slot, place) in inst.srcs.iter_mut().zip(srcs) {
            *slot = VSrc::reg(*place);
        }
        self.push(inst);
    }
}

/// A floating-point operand with inverted sign.
pub(super) fn flipped(src: VSrc) -> VSrc {
    match src.operand {
        VOperand::Imm(bits) => VSrc::of(VOperand::Imm(bits ^ 0x8000_0000)),
        VOperand::Zero => VSrc::of(VOperand::Imm(0x8000_0000)),
        _ => src.negated(),
    }
}
