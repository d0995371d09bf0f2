//! Arithmetic of `__nv_bfloat16`, whose bits are the high half of a single. From 8.0 on it has instructions;
//! before that, CUDA's header computes in single precision, and so does this module.

use super::*;
use crate::ir::{Compare, Rounding};

impl Builder<'_> {
    fn has_bfloat16(&self) -> bool {
        self.module.arch.capability() >= 800
    }

    /// Converts a bfloat16 to a single, exactly.
    pub(super) fn single_of_bfloat16(&mut self, value: Value) -> Value {
        // Through a pair, because the bits above the number can be nonzero.
        let pair = self.op(Type::Bf16x2, Op::Bitcast, &[value]);
        let word = self.op(Type::I32, Op::Bitcast, &[pair]);
        let sixteen = self.i32(16);
        let bits = self.op(Type::I32, Op::Shl, &[word, sixteen]);
        self.op(Type::F32, Op::Bitcast, &[bits])
    }

    /// Converts a number to a single for a second rounding to fewer bits: if the single is inexact, its last
    /// bit is set (rounding to odd).
    pub(super) fn single_for_bfloat16(&mut self, value: Value, from: &hir::Type) -> Value {
        let is_exact = matches!(
            from,
            hir::Type::F32
                | hir::Type::F16
                | hir::Type::Bool
                | hir::Type::I8
                | hir::Type::U8
                | hir::Type::I16
                | hir::Type::U16
        );
        if is_exact {
            return self.convert(value, from, &hir::Type::F32);
        }
        let single = self.convert_number(
            value,
            self.num_of(from),
            self.num_of(&hir::Type::F32),
            Rounding::Rz,
        );
        let back = self.convert_number(
            single,
            self.num_of(&hir::Type::F32),
            self.num_of(from),
            Rounding::Rz,
        );
        let differs = if *from == hir::Type::F64 {
            self.op(Type::I1, Op::FCmp(Compare::Neu), &[back, value])
        } else {
            let op = Op::ICmp {
                cmp: Compare::Ne,
                signed: false,
            };
            self.op(Type::I1, op, &[back, value])
        };
        let last = self.truth(differs);
        let bits = self.op(Type::I32, Op::Bitcast, &[single]);
        let bits = self.op(Type::I32, Op::Or, &[bits, last]);
        self.op(Type::F32, Op::Bitcast, &[bits])
    }

    /// Rounds a single to the nearest bfloat16.
    pub(super) fn bfloat16_of_single(&mut self, single: Value) -> Value {
        let bits = if self.has_bfloat16() {
            let zero = self.function.constant(Type::F32, 0);
            self.op(Type::I32, Op::PackFloats { bfloat16: true }, &[single, zero])
        } else {
            self.rounded_bits(single)
        };
        self.op(Type::F16, Op::Bitcast, &[bits])
    }

    /// The high half of a single, rounded to nearest even with integer instructions. NaN becomes 0x7fff.
    fn rounded_bits(&mut self, single: Value) -> Value {
        let bits = self.op(Type::I32, Op::Bitcast, &[single]);
        let (sixteen, one) = (self.i32(16), self.i32(1));
        let shift = Op::Shr { signed: false };
        let high = self.op(Type::I32, shift, &[bits, sixteen]);
        let odd = self.op(Type::I32, Op::And, &[high, one]);
        let below_half = self.i32(0x7fff);
        let change = self.op(Type::I32, Op::Add, &[odd, below_half]);
        let sum = self.op(Type::I32, Op::Add, &[bits, change]);
        let rounded = self.op(Type::I32, shift, &[sum, sixteen]);
        let is_nan = self.op(Type::I1, Op::FCmp(Compare::Nan), &[single, single]);
        let nan = self.i32(0x7fff);
        self.op(Type::I32, Op::Select, &[is_nan, nan, rounded])
    }

    /// Packs two singles as a pair in one word.
    pub(super) fn pack_bfloat16s(&mut self, low: Value, high: Value) -> Value {
        if self.has_bfloat16() {
            return self.op(Type::I32, Op::PackFloats { bfloat16: true }, &[low, high]);
        }
        let halves = [low, high].map(|single| self.bfloat16_of_single(single));
        self.word_of(&halves)
    }

    /// An operation on scalars.
    pub(super) fn bfloat16(&mut self, op: hir::PairOp, v: &[Value]) -> Value {
        use hir::PairOp as P;
        if self.has_bfloat16() {
            let words: Vec<_> = v
                .iter()
                .map(|value| {
                    let pair = self.op(Type::Bf16x2, Op::Bitcast, &[*value]);
                    self.op(Type::I32, Op::Bitcast, &[pair])
                })
                .collect();
            let word = self.bfloat16_pair(op, &words);
            return self.op(Type::F16, Op::Bitcast, &[word]);
        }
        let round = Rounding::Rn;
        let singles: Vec<_> = v.iter().map(|value| self.single_of_bfloat16(*value)).collect();
        let op = match op {
            P::Add | P::AddAlone => Op::FAdd(round),
            P::Sub | P::SubAlone => Op::FSub(round),
            P::Mul | P::MulAlone => Op::FMul(round),
            P::Fma => Op::FFma {
                round,
                truncating: false,
            },
            P::Neg => Op::FNeg,
            P::Abs => Op::FAbs,
            P::Min => Op::FMin,
            P::Max => Op::FMax,
        };
        let result = self.op(Type::F32, op, &singles);
        self.bfloat16_of_single(result)
    }

    /// An operation on pairs packed in words.
    pub(super) fn bfloat16_pair(&mut self, op: hir::PairOp, v: &[Value]) -> Value {
        if self.has_bfloat16() {
            // From 9.0 on, products and sums fuse; before that, both operations are fused instructions already.
            use hir::PairOp as P;
            let fuses = self.module.arch.capability() >= 900;
            let op = match op {
                P::Add if !fuses => P::AddAlone,
                P::Sub if !fuses => P::SubAlone,
                P::Mul if !fuses => P::MulAlone,
                op => op,
            };
            return self.half_pair(Type::Bf16x2, op, v);
        }
        let pairs: Vec<[Value; 2]> = v.iter().map(|word| self.halves_of(*word)).collect();
        let halves = [0, 1].map(|half| {
            let operands: Vec<_> = pairs.iter().map(|pair| pair[half]).collect();
            self.bfloat16(op, &operands)
        });
        self.word_of(&halves)
    }
}
