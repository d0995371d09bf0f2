//! Translates the built-in functions of the hardware and the compiler.

use engine::arch::Generation;
use engine::isa::{Mma, MmaKind, TensorUnit};

use super::emit::{num, rounding};
use super::*;
use crate::ir::{Atomic, BarKind, Compare, Num, Rounding, Shuffle, Special1, SpecialReg, Vote};

impl Builder<'_> {
    pub(super) fn builtin(&mut self, builtin: hir::Builtin, args: &[hir::Expr], ty: &hir::Type) -> Val {
        use hir::Builtin as B;
        match builtin {
            B::Atomic { op, .. } => return self.atomic(op, args, ty),
            B::LoadReadOnly | B::LoadCacheGlobal | B::LoadStreaming => {
                let pointer = self.expr(&args[0]);
                let mut mem = self.pointee(&pointer);
                (mem.cache, mem.invariant) = match builtin {
                    B::LoadReadOnly => (ir::MemCache::Ci, true),
                    B::LoadCacheGlobal => (ir::MemCache::Cg, false),
                    _ => (ir::MemCache::Cs, false),
                };
                if mem.space == Space::Generic {
                    mem.space = Space::Global;
                }
                return self.load(mem, ty);
            }
            B::TextureFetch => return self.fetch(args, ty),
            B::Image {
                shape,
                access,
                format,
            } => return self.image(shape, access, format, args, ty),
            B::GenericToShared => {
                let addr = match self.expr(&args[0]) {
                    Val::In(_, addr) => addr,
                    other => {
                        let pointer = self.one(&other);
                        self.op(Type::I32, Op::FromGeneric(Space::Shared), &[pointer])
                    }
                };
                return Val::One(self.op(Type::I64, Op::ZeroExtend, &[addr]));
            }
            B::SharedToGeneric => {
                let address = self.expr(&args[0]);
                let address = self.one(&address);
                return Val::In(Space::Shared, self.op(Type::I32, Op::Low, &[address]));
            }
            B::MatchAll => return self.match_all(args),
            B::Assert => {
                let cond = self.condition(&args[0]);
                let (holds, failed) = (self.block(), self.block());
                self.branch(cond, holds, failed);
                self.start(failed);
                let strings: Vec<_> = args[1..].iter().map(|arg| self.expr(arg)).collect();
                let strings: Vec<_> = strings.iter().map(|val| self.one(val)).collect();
                self.emit(Op::AssertFail, &strings, Vec::new());
                self.stop(End::Unreachable);
                self.start(holds);
                return Val::Nothing;
            }
            B::Assume => return Val::Nothing,
            B::Mma(mma) => {
                let mut values = Vec::new();
                for arg in args {
                    let val = self.expr(arg);
                    self.flatten(&val, &mut values);
                }
                let types = self.flat_types(ty);
                let results = if let (MmaKind::Fp8 { .. }, TensorUnit::Hopper) = (mma.kind, mma.unit) {
                    self.product_of_fp8(mma.kind, &values)
                } else {
                    let results: Vec<_> = types.iter().map(|ty| self.function.value(*ty)).collect();
                    self.emit(Op::Mma(mma), &values, results.clone());
                    results
                };
                return self.unflatten(ty, &mut results.into_iter());
            }
            B::LoadMatrices { num, transposed } => {
                let address = self.expr(&args[0]);
                let address = self.one(&address);
                let types = self.flat_types(ty);
                let results: Vec<_> = types.iter().map(|ty| self.function.value(*ty)).collect();
                self.emit(Op::LoadMatrices { num, transposed }, &[address], results.clone());
                return self.unflatten(ty, &mut results.into_iter());
            }
            B::Printf => return self.printf(args),
            _ => {}
        }
        let values: Vec<_> = args
            .iter()
            .map(|arg| {
                let val = self.expr(arg);
                self.one(&val)
            })
            .collect();
        match self.scalar_builtin(builtin, &values, args, ty) {
            Some(value) => Val::One(value),
            None => Val::Nothing,
        }
    }

    fn axis(&mut self, axis: hir::Axis, registers: [SpecialReg; 3]) -> Value {
        let register = registers[axis as usize];
        self.op(Type::I32, Op::Special(register), &[])
    }

    /// `printf`: the arguments go to the stack in order, with C's alignment, as nvcc does.
    fn printf(&mut self, args: &[hir::Expr]) -> Val {
        let vals: Vec<_> = args.iter().map(|arg| self.expr(arg)).collect();
        let format = self.one(&vals[0]);
        let pointer = self.function.ty(format);
        let mut size = 0_u32;
        let places: Vec<u32> = (args[1..].iter())
            .map(|arg| {
                let bytes = self.unit.size_of(&arg.ty) as u32;
                let at = size.next_multiple_of(bytes);
                size = at + bytes;
                at
            })
            .collect();
        let arguments = if places.is_empty() {
            self.function.constant(pointer, 0)
        } else {
            let slot = self.function.slot("", size, 8);
            let addr = self.function.leaf(Type::I32, Def::Slot(slot));
            for ((arg, val), at) in args[1..].iter().zip(vals.into_iter().skip(1)).zip(places) {
                let mem = self.mem(Space::Local, addr, at as i32);
                self.store(mem, &arg.ty, val);
            }
            self.op(pointer, Op::ToGeneric(Space::Local), &[addr])
        };
        Val::One(self.op(Type::I32, Op::Vprintf, &[format, arguments]))
    }

    /// `tex1Dfetch`.
    fn fetch(&mut self, args: &[hir::Expr], ty: &hir::Type) -> Val {
        let texture = self.expr(&args[0]);
        let texture = match texture {
            Val::In(_, addr) => addr,
            other => self.one(&other),
        };
        let element = self.expr(&args[1]);
        let element = self.one(&element);
        let types = self.flat_types(ty);
        let results: Vec<_> = types.iter().map(|ty| self.function.value(*ty)).collect();
        let op = Op::Fetch {
            width: ir::MemWidth::B32,
            count: results.len() as u8,
        };
        self.emit(op, &[texture, element], results.clone());
        self.unflatten(ty, &mut results.into_iter())
    }

    /// Builtins whose operands and result are scalars.
    fn scalar_builtin(
        &mut self,
        builtin: hir::Builtin,
        v: &[Value],
        args: &[hir::Expr],
        ty: &hir::Type,
    ) -> Option<Value> {
        use hir::Builtin as B;
        let (ir_ty, _) = self.scalar(ty);
        let signed = ty.is_signed();
        Some(match builtin {
            B::ThreadIdx(axis) => self.axis(axis, [SpecialReg::TidX, SpecialReg::TidY, SpecialReg::TidZ]),
            B::BlockIdx(axis) => {
                self.axis(axis, [SpecialReg::CtaidX, SpecialReg::CtaidY, SpecialReg::CtaidZ])
            }
            B::BlockDim(axis) => self
                .function
                .leaf(Type::I32, Def::Bank0(bank0::BLOCK_DIM + 4 * axis as u16)),
            B::GridDim(axis) => self
                .function
                .leaf(Type::I32, Def::Bank0(bank0::GRID_DIM + 4 * axis as u16)),
            B::Register(register) => {
                let register = match register {
                    hir::Register::WarpId => SpecialReg::WarpId,
                    hir::Register::SmId => SpecialReg::SmId,
                    hir::Register::MaskEq => SpecialReg::EqMask,
                    hir::Register::MaskLt => SpecialReg::LtMask,
                    hir::Register::MaskLe => SpecialReg::LeMask,
                    hir::Register::MaskGt => SpecialReg::GtMask,
                    hir::Register::MaskGe => SpecialReg::GeMask,
                };
                self.op(Type::I32, Op::Special(register), &[])
            }
            B::LaneId => self.op(Type::I32, Op::Special(SpecialReg::LaneId), &[]),
            B::Clock64 => self.wide_special(SpecialReg::ClockLo, SpecialReg::ClockHi),
            B::GlobalTimer => self.wide_special(SpecialReg::GlobalTimerLo, SpecialReg::GlobalTimerHi),
            B::ActiveMask => self.op(Type::I32, Op::Special(SpecialReg::ActiveMask), &[]),
            B::Syncthreads(kind) => return self.barrier(kind, v),
            B::Syncwarp => {
                self.emit(Op::WarpSync, v, Vec::new());
                return None;
            }
            B::Threadfence(scope) => {
                self.emit(Op::Membar(scope as u8), &[], Vec::new());
                return None;
            }
            B::Nanosleep => {
                self.emit(Op::Nanosleep, v, Vec::new());
                return None;
            }
            B::AsyncCopy { size, bypass } => {
                self.emit(Op::AsyncCopy { size, bypass }, v, Vec::new());
                return None;
            }
            B::StoreMatrices { num, transposed } => {
                self.emit(Op::StoreMatrices { num, transposed }, v, Vec::new());
                return None;
            }
            B::AsyncCommit => {
                self.emit(Op::AsyncCommit, &[], Vec::new());
                return None;
            }
            B::AsyncWait => {
                self.emit(Op::AsyncWait, v, Vec::new());
                return None;
            }
            B::Trap => {
                self.emit(Op::Trap, &[], Vec::new());
                self.stop(End::Unreachable);
                return None;
            }
            B::Shuffle { mode, .. } => self.shuffle(mode, v, ir_ty),
            B::Vote { kind, .. } => self.vote(kind, v),
            B::MatchAny => self.match_any(v),
            B::Warp(op) => self.op(ir_ty, Op::Warp(op), &[v[1], v[0]]),
            B::Min if *ty == hir::Type::Bf16 => self.bfloat16(hir::PairOp::Min, v),
            B::Max if *ty == hir::Type::Bf16 => self.bfloat16(hir::PairOp::Max, v),
            B::Abs if *ty == hir::Type::Bf16 => self.bfloat16(hir::PairOp::Abs, v),
            B::Fma if *ty == hir::Type::Bf16 => self.bfloat16(hir::PairOp::Fma, v),
            B::Min if ir_ty.is_float() => self.op(ir_ty, Op::FMin, v),
            B::Max if ir_ty.is_float() => self.op(ir_ty, Op::FMax, v),
            B::Abs if ir_ty.is_float() => self.op(ir_ty, Op::FAbs, v),
            B::Min => self.op(ir_ty, Op::Min { signed }, v),
            B::Max => self.op(ir_ty, Op::Max { signed }, v),
            B::Abs => self.op(ir_ty, Op::Abs, v),
            B::Mul24 => self.op(ir_ty, Op::Mul24 { signed }, v),
            B::MulHi => self.op(ir_ty, Op::MulHigh { signed }, v),
            B::Popc => self.op(Type::I32, Op::Popc, v),
            B::Clz => self.op(Type::I32, Op::Clz, v),
            B::Ffs => {
                let wide = self.function.ty(v[0]);
                let negative = self.op(wide, Op::Neg, v);
                let lowest = self.op(wide, Op::And, &[v[0], negative]);
                let zeros = self.op(Type::I32, Op::Clz, &[lowest]);
                let width = self.i32(wide.bytes() as i32 * 8);
                self.op(Type::I32, Op::Sub, &[width, zeros])
            }
            B::Brev => self.op(ir_ty, Op::Brev, v),
            B::BytePerm => self.op(Type::I32, Op::BytePerm, v),
            B::FunnelShift { left, clamp } => self.op(Type::I32, Op::Funnel { left, wrap: !clamp }, v),
            B::Sad => {
                let signed = args[0].ty.is_signed();
                let high = self.op(Type::I32, Op::Max { signed }, &v[..2]);
                let low = self.op(Type::I32, Op::Min { signed }, &v[..2]);
                let distance = self.op(Type::I32, Op::Sub, &[high, low]);
                self.op(Type::I32, Op::Add, &[distance, v[2]])
            }
            B::HalfAdd { round_up } => {
                // (a & b) + ((a ^ b) >> 1), and (a | b) - ((a ^ b) >> 1) rounding up.
                let differing = self.op(ir_ty, Op::Xor, v);
                let one = self.i32(1);
                let half = self.op(ir_ty, Op::Shr { signed }, &[differing, one]);
                let common = self.op(ir_ty, if round_up { Op::Or } else { Op::And }, v);
                self.op(ir_ty, if round_up { Op::Sub } else { Op::Add }, &[common, half])
            }
            B::HalfPair(op, true) => self.bfloat16_pair(op, v),
            B::HalfPair(op, false) => self.half_pair(Type::F16x2, op, v),
            B::PackFloats(true) => self.pack_bfloat16s(v[0], v[1]),
            B::PackFp8(e5m2) => self.op(Type::I32, Op::PackFp8 { e5m2 }, v),
            B::UnpackFp8(e5m2) => self.op(Type::I32, Op::UnpackFp8 { e5m2, high: false }, v),
            B::PackFloats(false) => self.op(Type::I32, Op::PackFloats { bfloat16: false }, v),
            B::Rounded(op, round) => self.rounded(op, rounding(round), v, ir_ty),
            B::Fma => self.op(
                ir_ty,
                Op::FFma {
                    round: Rounding::Rn,
                    truncating: false,
                },
                v,
            ),
            B::Sqrt if ir_ty == Type::F32 && self.module.options.fast_math => {
                self.approx(hir::Approx::Sqrt, v)
            }
            B::Sqrt => self.op(ir_ty, Op::FSqrt(Rounding::Rn), v),
            B::Approx(function) => self.approx(function, v),
            B::Rsqrt64 => self.op(ir_ty, Op::FRsqrt, v),
            B::Round(to) => {
                let round = match to {
                    hir::RoundTo::Floor => Rounding::Rm,
                    hir::RoundTo::Ceil => Rounding::Rp,
                    hir::RoundTo::Trunc => Rounding::Rz,
                    hir::RoundTo::Nearest => Rounding::Rn,
                };
                self.op(ir_ty, Op::FRound(round), v)
            }
            B::Saturate => self.op(ir_ty, Op::FSaturate, v),
            B::ConvertRounded(_) if args[0].ty == hir::Type::Bf16 || *ty == hir::Type::Bf16 => {
                self.convert(v[0], &args[0].ty, ty)
            }
            B::ConvertRounded(round) => {
                let result = self.convert_number(v[0], num(&args[0].ty), num(ty), rounding(round));
                self.narrow(result, ty)
            }
            B::MakeDouble => {
                let pair = self.op(Type::I64, Op::Pair, &[v[1], v[0]]);
                self.op(Type::F64, Op::Bitcast, &[pair])
            }
            B::DoubleHigh | B::DoubleLow => {
                let bits = self.op(Type::I64, Op::Bitcast, v);
                self.op(
                    Type::I32,
                    if builtin == B::DoubleHigh {
                        Op::High
                    } else {
                        Op::Low
                    },
                    &[bits],
                )
            }
            B::Atomic { .. }
            | B::Mma(_)
            | B::LoadMatrices { .. }
            | B::LoadReadOnly
            | B::TextureFetch
            | B::Image { .. }
            | B::LoadCacheGlobal
            | B::LoadStreaming
            | B::GenericToShared
            | B::SharedToGeneric
            | B::MatchAll
            | B::Assert
            | B::Printf
            | B::Assume => return None,
        })
    }

    fn wide_special(&mut self, low: SpecialReg, high: SpecialReg) -> Value {
        let low = self.op(Type::I32, Op::Special(low), &[]);
        let high = self.op(Type::I32, Op::Special(high), &[]);
        self.op(Type::I64, Op::Pair, &[low, high])
    }

    fn barrier(&mut self, kind: hir::BarrierKind, v: &[Value]) -> Option<Value> {
        let id = self.i32(0);
        let mut operands = vec![id];
        operands.extend(v);
        match kind {
            hir::BarrierKind::Sync => {
                self.emit(Op::Barrier(BarKind::Sync), &[id], Vec::new());
                None
            }
            hir::BarrierKind::Count => Some(self.op(Type::I32, Op::Barrier(BarKind::RedPopc), &operands)),
            hir::BarrierKind::And | hir::BarrierKind::Or => {
                let kind = if kind == hir::BarrierKind::And {
                    BarKind::RedAnd
                } else {
                    BarKind::RedOr
                };
                let truth = self.op(Type::I1, Op::Barrier(kind), &operands);
                Some(self.truth(truth))
            }
        }
    }

    /// A vote of the active lanes. If the member mask can exclude some of them, the result comes from a ballot,
    /// as in nvcc's code.
    fn vote(&mut self, kind: hir::VoteKind, v: &[Value]) -> Value {
        let operands = [v[1], v[0]];
        if !self.is_full_mask(v[0]) {
            let ballot = self.op(Type::I32, Op::Vote(Vote::Ballot), &operands);
            let members = match kind {
                hir::VoteKind::All => self.active_members(v[0]),
                hir::VoteKind::Any | hir::VoteKind::Ballot => v[0],
            };
            let votes = self.op(Type::I32, Op::And, &[ballot, members]);
            let (compare, to) = match kind {
                hir::VoteKind::Ballot => return votes,
                hir::VoteKind::All => (Compare::Eq, members),
                hir::VoteKind::Any => (Compare::Ne, self.i32(0)),
            };
            let truth = self.compared(compare, votes, to);
            return self.truth(truth);
        }
        let kind = match kind {
            hir::VoteKind::All => Vote::All,
            hir::VoteKind::Any => Vote::Any,
            hir::VoteKind::Ballot => return self.op(Type::I32, Op::Vote(Vote::Ballot), &operands),
        };
        let truth = self.op(Type::I1, Op::Vote(kind), &operands);
        self.truth(truth)
    }

    fn is_full_mask(&self, mask: Value) -> bool {
        self.function
            .const_bits(mask)
            .is_some_and(|mask| mask as u32 == u32::MAX)
    }

    /// The active lanes of a member mask.
    fn active_members(&mut self, mask: Value) -> Value {
        let active = self.op(Type::I32, Op::Special(SpecialReg::ActiveMask), &[]);
        self.op(Type::I32, Op::And, &[active, mask])
    }

    fn compared(&mut self, cmp: Compare, a: Value, b: Value) -> Value {
        self.op(Type::I1, Op::ICmp { cmp, signed: false }, &[a, b])
    }

    /// MATCH of a value of 32 or 64 bits.
    fn match_op(&self, all: bool, value: Value) -> Op {
        let wide = self.function.ty(value).bytes() == 8;
        Op::Warp(engine::isa::Op::Match { all, wide })
    }

    /// Operands: mask, value. The lanes of the mask that have the same value.
    fn match_any(&mut self, v: &[Value]) -> Value {
        let same = self.op(Type::I32, self.match_op(false, v[1]), &[v[1], v[0]]);
        if self.is_full_mask(v[0]) {
            same
        } else {
            self.op(Type::I32, Op::And, &[same, v[0]])
        }
    }

    /// A shuffle. Operands: mask, value, lane or distance, width.
    fn shuffle(&mut self, mode: hir::ShuffleMode, v: &[Value], ty: Type) -> Value {
        let (kind, clamp) = match mode {
            hir::ShuffleMode::Idx => (Shuffle::Idx, 0x1f),
            hir::ShuffleMode::Up => (Shuffle::Up, 0),
            hir::ShuffleMode::Down => (Shuffle::Down, 0x1f),
            hir::ShuffleMode::Xor => (Shuffle::Bfly, 0x1f),
        };
        let control = if let Some(width) = self.function.const_bits(v[3]) {
            self.i32((32_u32.wrapping_sub(width as u32) << 8 | clamp) as i32)
        } else {
            let all = self.i32(32);
            let rest = self.op(Type::I32, Op::Sub, &[all, v[3]]);
            let eight = self.i32(8);
            let segments = self.op(Type::I32, Op::Shl, &[rest, eight]);
            let clamp = self.i32(clamp as i32);
            self.op(Type::I32, Op::Or, &[segments, clamp])
        };
        let one = |this: &mut Self, value: Value| {
            let ty = this.function.ty(value);
            this.op(ty, Op::Shfl(kind), &[value, v[2], control, v[0]])
        };
        if ty.bytes() < 8 {
            return one(self, v[1]);
        }
        let bits = if ty == Type::F64 {
            self.op(Type::I64, Op::Bitcast, &[v[1]])
        } else {
            v[1]
        };
        let low = self.op(Type::I32, Op::Low, &[bits]);
        let high = self.op(Type::I32, Op::High, &[bits]);
        let (low, high) = (one(self, low), one(self, high));
        let pair = self.op(Type::I64, Op::Pair, &[low, high]);
        if ty == Type::F64 {
            self.op(Type::F64, Op::Bitcast, &[pair])
        } else {
            pair
        }
    }

    fn match_all(&mut self, args: &[hir::Expr]) -> Val {
        let vals: Vec<_> = args.iter().map(|arg| self.expr(arg)).collect();
        let (mask, value) = (self.one(&vals[0]), self.one(&vals[1]));
        let (members, all) = if self.is_full_mask(mask) {
            let members = self.function.value(Type::I32);
            let all = self.function.value(Type::I1);
            self.emit(self.match_op(true, value), &[value, mask], vec![members, all]);
            (members, all)
        } else {
            let active = self.active_members(mask);
            let same = self.op(Type::I32, self.match_op(false, value), &[value, mask]);
            let same = self.op(Type::I32, Op::And, &[same, active]);
            let all = self.compared(Compare::Eq, same, active);
            let zero = self.i32(0);
            (self.op(Type::I32, Op::Select, &[all, active, zero]), all)
        };
        let all = self.truth(all);
        let mem = self.pointee(&vals[2]);
        self.store(mem, &hir::Type::I32, Val::One(all));
        Val::One(members)
    }

    fn atomic(&mut self, op: hir::AtomicOp, args: &[hir::Expr], ty: &hir::Type) -> Val {
        let pointer = self.expr(&args[0]);
        let mut values: Vec<_> = args[1..]
            .iter()
            .map(|arg| {
                let val = self.expr(arg);
                self.one(&val)
            })
            .collect();
        let mem = self.pointee(&pointer);
        let (ir_ty, _) = self.scalar(ty);
        let of_halves = op == hir::AtomicOp::AddHalves;
        let atomic = match op {
            hir::AtomicOp::Add | hir::AtomicOp::AddHalves => Atomic::Add,
            hir::AtomicOp::Sub => {
                values[0] = self.op(
                    ir_ty,
                    if ir_ty.is_float() { Op::FNeg } else { Op::Neg },
                    &[values[0]],
                );
                Atomic::Add
            }
            hir::AtomicOp::Exch => Atomic::Exch,
            hir::AtomicOp::Min => Atomic::Min,
            hir::AtomicOp::Max => Atomic::Max,
            hir::AtomicOp::Inc => Atomic::Inc,
            hir::AtomicOp::Dec => Atomic::Dec,
            hir::AtomicOp::Cas => Atomic::Cas,
            hir::AtomicOp::And => Atomic::And,
            hir::AtomicOp::Or => Atomic::Or,
            hir::AtomicOp::Xor => Atomic::Xor,
        };
        let old = self.function.value(ir_ty);
        let mut operands = vec![mem.addr];
        operands.extend(values);
        let op = Op::Atom {
            space: mem.space,
            op: atomic,
            ty: if of_halves { Num::F16x2 } else { self.num_of(ty) },
            offset: mem.offset,
        };
        self.emit(op, &operands, vec![old]);
        Val::One(old)
    }

    fn rounded(&mut self, op: hir::RoundedOp, round: Rounding, v: &[Value], ty: Type) -> Value {
        let op = match op {
            hir::RoundedOp::Add => Op::FAdd(round),
            hir::RoundedOp::Sub => Op::FSub(round),
            hir::RoundedOp::Mul => Op::FMul(round),
            hir::RoundedOp::Fma => Op::FFma {
                round,
                truncating: false,
            },
            hir::RoundedOp::Div => Op::FDiv(round),
            hir::RoundedOp::Rcp => Op::FRcp(round),
            hir::RoundedOp::Sqrt => Op::FSqrt(round),
            // 1 / sqrt(x) in one rounding. In double precision, double rounding is accepted.
            hir::RoundedOp::Rsqrt => {
                let wide = self.op(Type::F64, convert(Num::F32, Num::F64), v);
                let root = self.op(Type::F64, Op::FSqrt(Rounding::Rn), &[wide]);
                let inverse = self.op(Type::F64, Op::FRcp(Rounding::Rn), &[root]);
                return self.op(Type::F32, convert(Num::F64, Num::F32), &[inverse]);
            }
        };
        self.op(ty, op, v)
    }

    /// Operations on two halves packed in a word.
    pub(super) fn half_pair(&mut self, ty: Type, op: hir::PairOp, v: &[Value]) -> Value {
        use hir::PairOp as P;
        let round = Rounding::Rn;
        let pairs: Vec<_> = v.iter().map(|word| self.op(ty, Op::Bitcast, &[*word])).collect();
        let (op, may_fuse) = match op {
            P::Add => (Op::FAdd(round), true),
            P::Sub => (Op::FSub(round), true),
            P::Mul => (Op::FMul(round), true),
            P::AddAlone => (Op::FAdd(round), false),
            P::SubAlone => (Op::FSub(round), false),
            P::MulAlone => (Op::FMul(round), false),
            P::Fma => (
                Op::FFma {
                    round,
                    truncating: false,
                },
                false,
            ),
            P::Neg => (Op::FNeg, false),
            P::Abs => (Op::FAbs, false),
            P::Min => (Op::FMin, false),
            P::Max => (Op::FMax, false),
        };
        let fuse = may_fuse && self.module.options.fmad;
        let result = self.relaxed(ty, op, &pairs, fuse);
        self.op(Type::I32, Op::Bitcast, &[result])
    }

    fn f32(&mut self, number: f32) -> Value {
        self.function.constant(Type::F32, u64::from(number.to_bits()))
    }

    fn f32_op(&mut self, op: Op, args: &[Value]) -> Value {
        self.op(Type::F32, op, args)
    }

    /// A hardware approximation, with the scaling that handles subnormal operands and results. If subnormals
    /// flush to zero anyway, the function alone.
    fn approx(&mut self, function: hir::Approx, v: &[Value]) -> Value {
        let mul = Op::FMul(Rounding::Rn);
        let flush = self.module.options.flushes() || self.module.arch.generation() == Generation::Tesla;
        let x = v[0];
        let (mufu, before, after) = match function {
            hir::Approx::Sin => return self.sine(x, false),
            hir::Approx::Cos => return self.sine(x, true),
            hir::Approx::Tanh => return self.f32_op(Op::Mufu(Special1::Tanh), &[x]),
            hir::Approx::Div => return self.divide_approx(x, v[1]),
            hir::Approx::MufuEx2 => return self.power_of_two(x),
            hir::Approx::MufuRcp => return self.f32_op(Op::Mufu(Special1::Rcp), &[x]),
            hir::Approx::MufuSqrt => return self.f32_op(Op::Mufu(Special1::Sqrt), &[x]),
            hir::Approx::MufuRsqrt => return self.f32_op(Op::Mufu(Special1::Rsq), &[x]),
            hir::Approx::MufuLg2 => return self.f32_op(Op::Mufu(Special1::Lg2), &[x]),
            hir::Approx::Rcp if flush => return self.f32_op(Op::Mufu(Special1::Rcp), &[x]),
            hir::Approx::Rsqrt if flush => return self.f32_op(Op::Mufu(Special1::Rsq), &[x]),
            hir::Approx::Sqrt if flush => return self.f32_op(Op::Mufu(Special1::Sqrt), &[x]),
            hir::Approx::Exp2 if flush => return self.power_of_two(x),
            hir::Approx::Log2 if flush => return self.f32_op(Op::Mufu(Special1::Lg2), &[x]),
            hir::Approx::Rcp => return self.reciprocal_approx(x),
            // Operands below 2^-126 are multiplied by 2^24, results by 2^12 or 2^-12.
            hir::Approx::Rsqrt => (Special1::Rsq, 16_777_216.0, 4096.0),
            hir::Approx::Sqrt => (Special1::Sqrt, 16_777_216.0, 1.0 / 4096.0),
            hir::Approx::Log2 => (Special1::Lg2, 16_777_216.0, -24.0),
            hir::Approx::Exp2 => {
                // Below -126: half the exponent, then the result squared.
                let limit = self.f32(-126.0);
                let small = self.op(Type::I1, Op::FCmp(Compare::Lt), &[x, limit]);
                let half = self.f32(0.5);
                let halved = self.f32_op(mul, &[x, half]);
                let operand = self.f32_op(Op::Select, &[small, halved, x]);
                let result = self.power_of_two(operand);
                let squared = self.f32_op(mul, &[result, result]);
                return self.f32_op(Op::Select, &[small, squared, result]);
            }
        };
        let magnitude = self.f32_op(Op::FAbs, &[x]);
        let limit = self.f32(f32::MIN_POSITIVE);
        let small = self.op(Type::I1, Op::FCmp(Compare::Lt), &[magnitude, limit]);
        let factor = self.f32(before);
        let scaled = self.f32_op(mul, &[x, factor]);
        let operand = self.f32_op(Op::Select, &[small, scaled, x]);
        let result = self.f32_op(Op::Mufu(mufu), &[operand]);
        let back = self.f32(after);
        let op = if mufu == Special1::Lg2 {
            Op::FAdd(Rounding::Rn)
        } else {
            mul
        };
        let scaled = self.f32_op(op, &[result, back]);
        self.f32_op(Op::Select, &[small, scaled, result])
    }

    /// The sine or cosine of radians, as the special-function unit approximates it.
    fn sine(&mut self, x: Value, cosine: bool) -> Value {
        let function = match (cosine, self.reduces_before_mufu()) {
            (false, false) => Special1::Sin,
            (true, false) => Special1::Cos,
            (false, true) => Special1::SinReduced,
            (true, true) => Special1::CosReduced,
        };
        let reduced = self.f32_op(Op::Reduce { ex2: false }, &[x]);
        self.f32_op(Op::Mufu(function), &[reduced])
    }

    /// 2 to the power of x, as the special-function unit approximates it.
    fn power_of_two(&mut self, x: Value) -> Value {
        if !self.reduces_before_mufu() {
            return self.f32_op(Op::Mufu(Special1::Ex2), &[x]);
        }
        let reduced = self.f32_op(Op::Reduce { ex2: true }, &[x]);
        self.f32_op(Op::Mufu(Special1::Ex2Reduced), &[reduced])
    }

    /// Whether RRO reduces the operands of the special-function unit.
    fn reduces_before_mufu(&self) -> bool {
        self.module.arch.capability() < 700
    }

    /// 1 / x that preserves results below 2^-126: for operands above 2^126, operand and result are divided by
    /// 4.
    fn reciprocal_approx(&mut self, x: Value) -> Value {
        let mul = Op::FMul(Rounding::Rn);
        let magnitude = self.f32_op(Op::FAbs, &[x]);
        let limit = self.f32(8.507_059e37);
        let large = self.op(Type::I1, Op::FCmp(Compare::Gt), &[magnitude, limit]);
        let quarter = self.f32(0.25);
        let scaled = self.f32_op(mul, &[x, quarter]);
        let operand = self.f32_op(Op::Select, &[large, scaled, x]);
        let result = self.f32_op(Op::Mufu(Special1::Rcp), &[operand]);
        let scaled = self.f32_op(mul, &[result, quarter]);
        self.f32_op(Op::Select, &[large, scaled, result])
    }

    /// A product of 8-bit floats on 9.0, which has no instruction for it: factors as halves, two HMMA whose factors are the
    /// first and the second two of each four elements, and a sum. nvcc 13.0 generates the same code.
    fn product_of_fp8(&mut self, kind: MmaKind, words: &[Value]) -> Vec<Value> {
        let MmaKind::Fp8 {
            left_e5m2,
            right_e5m2,
            half_sums,
        } = kind
        else {
            return Vec::new();
        };
        let (factors, sums) = words.split_at(6);
        let ty = if half_sums { Type::I32 } else { Type::F32 };
        let zero = if half_sums { self.i32(0) } else { self.f32(0.0) };
        let mma = Mma {
            kind: MmaKind::Halves {
                k16: true,
                bfloat16: false,
                half_sums,
            },
            unit: TensorUnit::Hopper,
        };
        let mut products = vec![zero; sums.len()];
        for high in [false, true] {
            let mut args: Vec<Value> = Vec::new();
            for (idx, word) in factors.iter().enumerate() {
                let e5m2 = if idx < 4 { left_e5m2 } else { right_e5m2 };
                args.push(self.op(Type::I32, Op::UnpackFp8 { e5m2, high }, &[*word]));
            }
            args.extend(&products);
            products = sums.iter().map(|_| self.function.value(ty)).collect();
            self.emit(Op::Mma(mma), &args, products.clone());
        }
        let pairs = sums.iter().zip(products);
        pairs
            .map(|(sum, product)| {
                if half_sums {
                    let [sum, product] =
                        [*sum, product].map(|word| self.op(Type::F16x2, Op::Bitcast, &[word]));
                    let total = self.op(Type::F16x2, Op::FAdd(Rounding::Rn), &[sum, product]);
                    self.op(Type::I32, Op::Bitcast, &[total])
                } else {
                    self.f32_op(Op::FAdd(Rounding::Rn), &[*sum, product])
                }
            })
            .collect()
    }

    /// `div.approx`: a times the reciprocal of b, with both divided by 4 if b is above 2^126.
    pub(super) fn divide_approx(&mut self, a: Value, b: Value) -> Value {
        let mul = Op::FMul(Rounding::Rn);
        if self.module.options.flushes() || self.module.arch.generation() == Generation::Tesla {
            let inverse = self.f32_op(Op::Mufu(Special1::Rcp), &[b]);
            return self.f32_op(mul, &[a, inverse]);
        }
        let magnitude = self.f32_op(Op::FAbs, &[b]);
        let limit = self.f32(8.507_059e37);
        let large = self.op(Type::I1, Op::FCmp(Compare::Gt), &[magnitude, limit]);
        let quarter = self.f32(0.25);
        let scaled = self.f32_op(mul, &[b, quarter]);
        let divisor = self.f32_op(Op::Select, &[large, scaled, b]);
        let inverse = self.f32_op(Op::Mufu(Special1::Rcp), &[divisor]);
        let scaled = self.f32_op(mul, &[a, quarter]);
        let dividend = self.f32_op(Op::Select, &[large, scaled, a]);
        self.f32_op(mul, &[dividend, inverse])
    }
}

const fn convert(from: Num, to: Num) -> Op {
    Op::Convert {
        from,
        to,
        round: Rounding::Rn,
    }
}
