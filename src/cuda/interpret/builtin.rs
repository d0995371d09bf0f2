//! Built-in functions of one thread: integers, floating point, and conversions.

use super::arith::{map, map2};
use super::code::{Expr, Kind};
use super::fp8;
use super::machine::{Machine, Run};
use super::mask::Mask;
use super::number::{
    cut, extended, extreme, f32_of, f64_of, from_double, from_integer, fused_half, half, narrowed, result32,
    result64, rounded, to_double, to_integer,
};
use super::{InterpretError, UndefinedKind};
use crate::hir::{Approx, Builtin, PairOp, Register, RoundTo, RoundedOp, Rounding};

impl<'a, const W: usize> Machine<'a, W> {
    /// Executes a builtin whose arguments are already evaluated.
    pub(super) fn builtin(
        &mut self,
        builtin: Builtin,
        kind: Kind,
        kinds: &[Kind],
        args: &'a [Expr],
        expr: &'a Expr,
        mask: &Mask<W>,
    ) -> Run<()> {
        match builtin {
            Builtin::Trap => return Err(InterpretError::Trap(expr.span)),
            Builtin::Assert | Builtin::Assume => {
                let values = self.row(args[0].row);
                if let Some(thread) = mask.lanes().find(|lane| values[*lane] & 1 == 0) {
                    if builtin == Builtin::Assert {
                        return Err(InterpretError::Assertion(expr.span));
                    }
                    self.report(UndefinedKind::FalseAssumption, expr.span, thread);
                }
            }
            Builtin::Printf => self.printf(kinds, args, expr, mask),
            Builtin::Clock64 | Builtin::GlobalTimer => {
                self.reads_clock = true;
                self.clock += 100;
                let clock = self.clock;
                self.with_row(expr.row, |_, to| to.fill(clock));
            }
            Builtin::Register(register) => self.with_row(expr.row, |_, to| {
                for (thread, to) in to.iter_mut().enumerate() {
                    let lane = thread % 32;
                    let below = (1_u32 << lane) - 1;
                    let own = 1 << lane;
                    *to = u64::from(match register {
                        Register::WarpId => (thread / 32) as u32,
                        Register::SmId => 0,
                        Register::MaskEq => own,
                        Register::MaskLt => below,
                        Register::MaskLe => below | own,
                        Register::MaskGt => !(below | own),
                        Register::MaskGe => !below,
                    });
                }
            }),
            Builtin::SharedToGeneric => {
                let shared = self.memory.shared_start();
                let from = args[0].row;
                self.with_row(expr.row, |this, to| {
                    map(to, this.row(from), |a| shared | (a & 0x0fff_ffff));
                });
            }
            // Copies are done at once.
            Builtin::Threadfence(_) | Builtin::Nanosleep | Builtin::AsyncCommit | Builtin::AsyncWait => {}
            Builtin::Syncthreads(_)
            | Builtin::Syncwarp
            | Builtin::Shuffle { .. }
            | Builtin::Vote { .. }
            | Builtin::ActiveMask
            | Builtin::MatchAny
            | Builtin::MatchAll
            | Builtin::Warp(_)
            | Builtin::Mma(_)
            | Builtin::LoadMatrices { .. }
            | Builtin::StoreMatrices { .. }
            | Builtin::AsyncCopy { .. }
            | Builtin::Atomic { .. } => self.exchange(builtin, kind, kinds, args, expr, mask),
            _ => self.compute(builtin, kind, kinds, args, expr),
        }
        Ok(())
    }

    /// Evaluates a builtin without side effects.
    fn compute(&mut self, builtin: Builtin, kind: Kind, kinds: &[Kind], args: &[Expr], expr: &Expr) {
        // Only the prelude's 64-bit division uses a reciprocal directly, and it corrects the result.
        self.approximate |= match builtin {
            Builtin::Approx(function) => function != Approx::Rcp,
            builtin => builtin == Builtin::Rsqrt64,
        };
        let of = kinds.first().copied().unwrap_or(kind);
        self.with_row(expr.row, |this, to| {
            let row = |idx: usize| args.get(idx).map_or(&[][..], |arg| this.row(arg.row));
            let (a, b, c) = (row(0), row(1), row(2));
            let width = of.bits();
            match builtin {
                Builtin::Min | Builtin::Max => {
                    let is_max = builtin == Builtin::Max;
                    if kind.is_float() {
                        map2(to, a, b, |a, b| extreme(a, b, kind, is_max));
                    } else {
                        map2(to, a, b, |a, b| {
                            if (extended(a, kind) < extended(b, kind)) == is_max {
                                b
                            } else {
                                a
                            }
                        });
                    }
                }
                Builtin::Abs if kind.is_float() => map(to, a, |a| a & !(1 << (kind.bits() - 1))),
                Builtin::Abs => map(to, a, |a| cut(extended(a, kind).unsigned_abs() as u64, kind)),
                Builtin::Mul24 => map2(to, a, b, |a, b| {
                    let low = |bits: u64| {
                        let bits = bits as u32;
                        if kind == Kind::I32 {
                            i64::from((bits << 8).cast_signed() >> 8)
                        } else {
                            i64::from(bits & 0xff_ffff)
                        }
                    };
                    cut(low(a).wrapping_mul(low(b)).cast_unsigned(), kind)
                }),
                Builtin::MulHi => map2(to, a, b, |a, b| {
                    let bits = if kind.is_signed() {
                        (extended(a, kind) * extended(b, kind)).cast_unsigned()
                    } else {
                        u128::from(a) * u128::from(b)
                    };
                    cut((bits >> kind.bits()) as u64, kind)
                }),
                Builtin::Popc => map(to, a, |a| u64::from(a.count_ones())),
                Builtin::Clz => map(to, a, |a| u64::from(a.leading_zeros() + width - 64)),
                Builtin::Ffs => map(to, a, |a| {
                    if a == 0 {
                        0
                    } else {
                        u64::from(a.trailing_zeros()) + 1
                    }
                }),
                Builtin::Brev => map(to, a, |a| a.reverse_bits() >> (64 - width)),
                Builtin::BytePerm => map3(to, a, b, c, byte_perm),
                Builtin::FunnelShift { left, clamp } => map3(to, a, b, c, |low, high, amount| {
                    let amount = amount as u32;
                    let amount = if clamp { amount.min(32) } else { amount & 31 };
                    let pair = high << 32 | low;
                    let bits = if left {
                        (u128::from(pair) << amount >> 32) as u64
                    } else {
                        pair >> amount
                    };
                    bits & 0xffff_ffff
                }),
                Builtin::Sad => map3(to, a, b, c, |a, b, c| {
                    let distance = (extended(a, of) - extended(b, of)).unsigned_abs() as u64;
                    cut(distance.wrapping_add(c), Kind::U32)
                }),
                Builtin::HalfAdd { round_up } => map2(to, a, b, |a, b| {
                    let sum = extended(a, kind) + extended(b, kind) + i128::from(round_up);
                    cut((sum >> 1) as u64, kind)
                }),
                Builtin::Rounded(op, rounding) => {
                    nearest_or_directed(op, rounding, kind, to, [a, b, c], args.len());
                }
                Builtin::HalfPair(op, is_bfloat16) => map3(
                    to,
                    a,
                    if b.is_empty() { a } else { b },
                    if c.is_empty() { a } else { c },
                    |a, b, c| {
                        let kind = half_kind(is_bfloat16);
                        let low = pair_half(op, kind, a & 0xffff, b & 0xffff, c & 0xffff);
                        pair_half(op, kind, a >> 16, b >> 16, c >> 16) << 16 | low
                    },
                ),
                Builtin::PackFloats(is_bfloat16) => map2(to, a, b, |a, b| {
                    let kind = half_kind(is_bfloat16);
                    let [a, b] = [a, b].map(|bits| half(f64::from(f32_of(bits)), kind, Rounding::Nearest));
                    b << 16 | a
                }),
                Builtin::PackFp8(e5m2) => map2(to, a, b, |a, b| {
                    let [a, b] = [a, b].map(|bits| u64::from(fp8::from_single(bits as u32, e5m2)));
                    b << 8 | a
                }),
                Builtin::UnpackFp8(e5m2) => map(to, a, |pair| {
                    let [a, b] = [pair, pair >> 8].map(|bits| u64::from(fp8::to_half(bits as u8, e5m2)));
                    b << 16 | a
                }),
                Builtin::Fma if matches!(kind, Kind::F16 | Kind::Bf16) => map3(to, a, b, c, |a, b, c| {
                    fused_half(to_double(a, kind), to_double(b, kind), to_double(c, kind), kind)
                }),
                Builtin::Fma if kind == Kind::F32 => map3(to, a, b, c, |a, b, c| {
                    result32(libm::fmaf(f32_of(a), f32_of(b), f32_of(c)))
                }),
                Builtin::Fma => map3(to, a, b, c, |a, b, c| {
                    let (a, b, c) = (f64_of(a), f64_of(b), f64_of(c));
                    result64(libm::fma(a, b, c), &[a, b, c])
                }),
                Builtin::Sqrt if kind == Kind::F32 => map(to, a, |a| result32(f32_of(a).sqrt())),
                Builtin::Sqrt => map(to, a, |a| result64(f64_of(a).sqrt(), &[f64_of(a)])),
                Builtin::Rsqrt64 => map(to, a, |a| result64(1.0 / f64_of(a).sqrt(), &[f64_of(a)])),
                Builtin::Approx(function) => {
                    if function == Approx::Div {
                        map2(to, a, b, |a, b| {
                            result32((f64::from(f32_of(a)) / f64::from(f32_of(b))) as f32)
                        });
                    } else {
                        map(to, a, |a| {
                            result32(approximation(function, f64::from(f32_of(a))) as f32)
                        });
                    }
                }
                Builtin::Round(whole) => map(to, a, |a| {
                    let value = to_double(a, kind);
                    let value = match whole {
                        RoundTo::Floor => value.floor(),
                        RoundTo::Ceil => value.ceil(),
                        RoundTo::Trunc => value.trunc(),
                        RoundTo::Nearest => value.round_ties_even(),
                    };
                    from_double(f64_of(result64(value, &[value])), kind)
                }),
                Builtin::Saturate => map(to, a, |a| {
                    let value = f32_of(a);
                    let value = if value > 0.0 { value.min(1.0) } else { 0.0 };
                    u64::from(value.to_bits())
                }),
                Builtin::ConvertRounded(rounding) => map(to, a, |a| match (of.is_float(), kind.is_float()) {
                    (true, true) if kind == Kind::F32 => narrowed(to_double(a, of), rounding),
                    (true, true) if matches!(kind, Kind::F16 | Kind::Bf16) => {
                        half(to_double(a, of), kind, rounding)
                    }
                    (true, true) => from_double(to_double(a, of), kind),
                    (true, false) => to_integer(to_double(a, of), of, kind, rounding),
                    (false, true) => from_integer(extended(a, of), kind, rounding),
                    (false, false) => cut(extended(a, of) as u64, kind),
                }),
                Builtin::MakeDouble => map2(to, a, b, |high, low| high << 32 | low),
                Builtin::DoubleHigh => map(to, a, |a| a >> 32),
                Builtin::DoubleLow => map(to, a, |a| a & 0xffff_ffff),
                Builtin::GenericToShared => map(to, a, |a| a & 0x0fff_ffff),
                _ => to.fill(0),
            }
        });
    }
}

#[inline(always)]
fn map3(to: &mut [u64], a: &[u64], b: &[u64], c: &[u64], f: impl Fn(u64, u64, u64) -> u64) {
    for (((to, a), b), c) in to.iter_mut().zip(a).zip(b).zip(c) {
        *to = f(*a, *b, *c);
    }
}

const fn half_kind(is_bfloat16: bool) -> Kind {
    if is_bfloat16 { Kind::Bf16 } else { Kind::F16 }
}

/// One half of an operation on packed pairs.
fn pair_half(op: PairOp, kind: Kind, a: u64, b: u64, c: u64) -> u64 {
    let [x, y, z] = [a, b, c].map(|bits| to_double(bits, kind));
    let rounded = |value| half(value, kind, Rounding::Nearest);
    match op {
        PairOp::Add | PairOp::AddAlone => rounded(x + y),
        PairOp::Sub | PairOp::SubAlone => rounded(x - y),
        PairOp::Mul | PairOp::MulAlone => rounded(x * y),
        PairOp::Fma => fused_half(x, y, z, kind),
        PairOp::Neg => rounded(-x),
        PairOp::Abs => rounded(x.abs()),
        PairOp::Min | PairOp::Max => extreme(a, b, kind, op == PairOp::Max),
    }
}

fn nearest_or_directed(
    op: RoundedOp,
    rounding: Rounding,
    kind: Kind,
    to: &mut [u64],
    rows: [&[u64]; 3],
    num_args: usize,
) {
    for (lane, to) in to.iter_mut().enumerate() {
        let args = rows.map(|row| row.get(lane).copied().unwrap_or(0));
        *to = rounded(op, rounding, kind, &args[..num_args.min(3)]);
    }
}

/// `prmt`: each nibble of the selector selects a byte of the pair; its high bit replicates that byte's sign
/// instead.
fn byte_perm(x: u64, y: u64, selector: u64) -> u64 {
    let pair = (y << 32 | x).to_le_bytes();
    let byte = |position: u32| {
        let nibble = selector >> (4 * position) & 15;
        let byte = pair[(nibble & 7) as usize];
        match (nibble & 8, byte >> 7) {
            (0, _) => byte,
            (_, 0) => 0,
            _ => 0xff,
        }
    };
    u64::from(u32::from_le_bytes([byte(0), byte(1), byte(2), byte(3)]))
}

fn approximation(function: Approx, x: f64) -> f64 {
    match function {
        Approx::Sin => libm::sin(x),
        Approx::Cos => libm::cos(x),
        Approx::Exp2 | Approx::MufuEx2 => libm::exp2(x),
        Approx::Log2 | Approx::MufuLg2 => libm::log2(x),
        Approx::Rsqrt | Approx::MufuRsqrt => 1.0 / x.sqrt(),
        Approx::Sqrt | Approx::MufuSqrt => x.sqrt(),
        Approx::Tanh => libm::tanh(x),
        Approx::Rcp | Approx::MufuRcp | Approx::Div => 1.0 / x,
    }
}
