//! What instructions compute in the 32 lanes of a warp: registers are rows of 32 lanes, and the
//! operation is chosen once, outside of the loop over them.
//!
//! `evaluate` defines each instruction for one lane, `exchange` those of a warp, `atomic` what atomics
//! do to memory. The row code here is as fast as frequent instructions need; an instruction without row
//! code is evaluated lane by lane.

pub mod atomic;
mod direct;
mod evaluate;
pub mod exchange;
pub mod float;
pub mod half;
mod special;
pub mod matrices;
pub mod tensor;
pub mod int;
mod registers;
mod fp32;

pub use direct::{Run, run_of};
pub use evaluate::evaluate;
use fp32::{compare_fp32, execute_fp32};
pub use registers::{Context, Registers, Row, WideRow};

use super::memory::constant_word;
use crate::isa::describe::Execution;
use crate::isa::{BoolOp, Cmp, Instruction, NumType, Op, Operand, RZ, Round, Src, Width};

/// Maps a function over all lanes in a loop that the compiler vectorizes; the `map` of arrays is not
/// vectorized.
pub(super) trait Each<A> {
    /// The function's value for each lane.
    fn each<B: Copy + Default>(&self, f: impl FnMut(A) -> B) -> [B; 32];
}
impl<A: Copy> Each<A> for [A; 32] {
    #[inline(always)]
    fn each<B: Copy + Default>(&self, mut f: impl FnMut(A) -> B) -> [B; 32] {
        let mut result = [B::default(); 32];
        for lane in 0..32 {
            result[lane] = f(self[lane]);
        }
        result
    }
}

/// Builds a row lane by lane.
#[inline(always)]
pub(super) fn by_lane<B: Copy + Default>(mut f: impl FnMut(usize) -> B) -> [B; 32] {
    let mut result = [B::default(); 32];
    for (lane, value) in result.iter_mut().enumerate() {
        *value = f(lane);
    }
    result
}

#[inline(always)]
fn zip(a: &Row, b: &Row, f: impl Fn(u32, u32) -> u32) -> Row {
    let mut result = [0; 32];
    for lane in 0..32 {
        result[lane] = f(a[lane], b[lane]);
    }
    result
}

#[inline(always)]
fn zip3(a: &Row, b: &Row, c: &Row, f: impl Fn(u32, u32, u32) -> u32) -> Row {
    let mut result = [0; 32];
    for lane in 0..32 {
        result[lane] = f(a[lane], b[lane], c[lane]);
    }
    result
}

/// The mask bit of each lane.
pub(super) const LANE_BITS: Row = {
    let mut bits = [0; 32];
    let mut lane = 0;
    while lane < 32 {
        bits[lane] = 1 << lane;
        lane += 1;
    }
    bits
};

/// The lanes for which `holds` is true.
#[inline(always)]
pub(super) fn lanes_where(holds: impl Fn(usize) -> bool) -> u32 {
    let mut lanes = 0;
    for (lane, bit) in LANE_BITS.iter().enumerate() {
        lanes |= if holds(lane) { *bit } else { 0 };
    }
    lanes
}

/// The lanes for which an integer comparison holds. The comparison is selected once for all lanes.
#[inline(always)]
fn compare_integers(x: &Row, y: &Row, cmp: Cmp, signed: bool) -> u32 {
    // Flipping the sign bit converts between signed and unsigned order. Vector instructions compare signed.
    let flip = if signed { 0 } else { 0x8000_0000 };
    let order = |lane: usize| ((x[lane] ^ flip) as i32, (y[lane] ^ flip) as i32);
    match cmp {
        Cmp::Lt | Cmp::Ltu => lanes_where(|lane| order(lane).0 < order(lane).1),
        Cmp::Ge | Cmp::Geu => !lanes_where(|lane| order(lane).0 < order(lane).1),
        Cmp::Gt | Cmp::Gtu => lanes_where(|lane| order(lane).0 > order(lane).1),
        Cmp::Le | Cmp::Leu => !lanes_where(|lane| order(lane).0 > order(lane).1),
        Cmp::Eq | Cmp::Equ => lanes_where(|lane| x[lane] == y[lane]),
        Cmp::Ne | Cmp::Neu => !lanes_where(|lane| x[lane] == y[lane]),
        Cmp::Num => u32::MAX,
        Cmp::Nan => 0,
    }
}

/// Executes an instruction that neither accesses memory (except LDC) nor controls flow, for the lanes of
/// `mask`. Returns whether it is such an instruction.
pub fn execute(regs: &mut Registers, instruction: &Instruction, mask: u32, ctx: &Context<'_>) -> bool {
    let i = instruction;
    let [a, b, c] = &i.srcs;
    match i.op {
        Op::Fadd { .. }
        | Op::Fmul { .. }
        | Op::Ffma { .. }
        | Op::Fmad { .. }
        | Op::Fmnmx { .. }
        | Op::Mufu { .. } => {
            execute_fp32(regs, i, mask, ctx);
        }
        Op::Fsetp { cmp, bool_op, ftz } => {
            let (x, y) = (regs.single(a, ctx, ftz), regs.single(b, ctx, ftz));
            let result = compare_fp32(&x, &y, cmp);
            regs.set_pred(
                i.pdst,
                mask,
                int::combine(result, regs.holds(i.psrcs[0]), bool_op),
            );
        }
        Op::Fchk => {
            let (x, y) = (regs.single(a, ctx, false), regs.single(b, ctx, false));
            let result = lanes_where(|lane| float::division_needs_slow_path(x[lane], y[lane]));
            regs.set_pred(i.pdst, mask, result);
        }
        Op::Dadd { .. }
        | Op::Dmul { .. }
        | Op::Dfma { .. }
        | Op::Dmnmx { .. }
        | Op::Dsetp { .. }
        | Op::Hadd2 { .. }
        | Op::Hmul2 { .. }
        | Op::Hfma2 { .. }
        | Op::Hadd2F32 { .. }
        | Op::Bf16 { .. }
        | Op::F2fp { .. }
        | Op::F2f { .. }
        | Op::F2i { .. }
        | Op::I2f { .. }
        | Op::Frnd { .. } => execute_wide(regs, i, mask, ctx),
        Op::Iadd3 { carry_out, carry_in } => execute_add3(regs, i, mask, ctx, carry_out, carry_in),
        Op::Isetp {
            cmp,
            signed,
            bool_op,
            extended,
        } => {
            let (mut room_a, mut room_b) = (None, None);
            let (x, y) = (
                regs.integer_in(a, ctx, &mut room_a),
                regs.integer_in(b, ctx, &mut room_b),
            );
            let mut result = compare_integers(x, y, cmp, signed);
            if extended {
                let equal = lanes_where(|lane| x[lane] == y[lane]);
                result = result & !equal | regs.holds(i.psrcs[1]) & equal;
            }
            regs.set_pred(
                i.pdst,
                mask,
                int::combine(result, regs.holds(i.psrcs[0]), bool_op),
            );
        }
        Op::Plop3 { lut } => {
            let [p, q, r] = i.psrcs.map(|src| regs.holds(src));
            regs.set_pred(i.pdst, mask, int::lookup3(p, q, r, lut));
        }
        Op::ImadWide { signed } => {
            let (x, y, z) = (
                regs.integer(a, ctx),
                regs.integer(b, ctx),
                regs.wide_integer(c, ctx),
            );
            let sum: WideRow = by_lane(|lane| int::mul_wide(x[lane], y[lane], signed).wrapping_add(z[lane]));
            regs.set_wide(i.dst, mask, &sum);
        }
        Op::Imul { .. }
        | Op::Imad { .. }
        | Op::Imad24 { .. }
        | Op::Xmad { .. }
        | Op::Lea { .. }
        | Op::Lop { .. }
        | Op::Lop3 { .. }
        | Op::Shl
        | Op::Shr { .. }
        | Op::Shf { .. }
        | Op::Imnmx { .. }
        | Op::Iabs
        | Op::Popc
        | Op::Flo { .. }
        | Op::Brev
        | Op::Prmt
        | Op::Bfe { .. } => execute_integer(regs, i, mask, ctx),
        Op::Sel => {
            let (x, y, chosen) = (regs.integer(a, ctx), regs.integer(b, ctx), regs.holds(i.psrcs[0]));
            let row = by_lane(|lane| {
                if chosen & LANE_BITS[lane] != 0 {
                    x[lane]
                } else {
                    y[lane]
                }
            });
            regs.set_row(i.dst, mask, &row);
        }
        Op::Mov => {
            let row = regs.integer(a, ctx);
            regs.set_row(i.dst, mask, &row);
        }
        Op::S2r { special } => regs.set_row(i.dst, mask, &ctx.special(special)),
        Op::Mma { mma } => tensor::execute(regs, i, mma, mask, ctx),
        Op::Ldc { bank, width } => load_constant(regs, i, mask, ctx, bank, width),
        Op::Nop => {}
        op => match op.describe().execution {
            Execution::Exchange => exchange::execute(regs, i, mask, ctx),
            Execution::Lanes => execute_by_lane(regs, i, mask, ctx),
            _ => return false,
        },
    }
    true
}

/// Executes an instruction without row code: [`evaluate`] for each lane of `mask`.
fn execute_by_lane(regs: &mut Registers, i: &Instruction, mask: u32, ctx: &Context<'_>) {
    let description = i.op.describe();
    let operands: [WideRow; 3] = std::array::from_fn(|idx| match description.sources[idx] {
        0 => [0; 32],
        1 => regs.raw(&i.srcs[idx], ctx).each(u64::from),
        _ => regs.wide_raw(&i.srcs[idx], ctx, description.reading[idx].is_float()),
    });
    let predicates = i.psrcs.map(|src| regs.holds(src));
    let (mut row, mut holds) = ([0; 32], 0);
    for lane in (0..32).filter(|lane| mask & LANE_BITS[*lane] != 0) {
        let predicates = predicates.map(|lanes| lanes & LANE_BITS[lane] != 0);
        let (value, predicate) = evaluate(i, operands.map(|row| row[lane]), predicates);
        row[lane] = value;
        holds |= if predicate == Some(true) {
            LANE_BITS[lane]
        } else {
            0
        };
    }
    match description.destination {
        0 => {}
        1 => regs.set_row(i.dst, mask, &row.each(|value| value as u32)),
        _ => regs.set_wide(i.dst, mask, &row),
    }
    if description.writes_predicate {
        regs.set_pred(i.pdst, mask, holds);
    }
}

fn execute_wide(regs: &mut Registers, i: &Instruction, mask: u32, ctx: &Context<'_>) {
    let [a, b, c] = &i.srcs;
    match i.op {
        Op::Dadd { round } => {
            let (x, y) = (regs.double(a, ctx), regs.double(b, ctx));
            let row = by_lane(|lane| float::add_f64(x[lane], y[lane], round).to_bits());
            regs.set_wide(i.dst, mask, &row);
        }
        Op::Dmul { round } => {
            let (x, y) = (regs.double(a, ctx), regs.double(b, ctx));
            let row = by_lane(|lane| float::mul_f64(x[lane], y[lane], round).to_bits());
            regs.set_wide(i.dst, mask, &row);
        }
        Op::Dfma { round } => {
            let (x, y, z) = (regs.double(a, ctx), regs.double(b, ctx), regs.double(c, ctx));
            let row = by_lane(|lane| float::fma_f64(x[lane], y[lane], z[lane], round).to_bits());
            regs.set_wide(i.dst, mask, &row);
        }
        Op::Dmnmx { max } => {
            let (x, y) = (regs.double(a, ctx), regs.double(b, ctx));
            let row = by_lane(|lane| float::min_max_f64(x[lane].to_bits(), y[lane].to_bits(), max));
            regs.set_wide(i.dst, mask, &row);
        }
        Op::Dsetp { cmp, bool_op } => {
            let (x, y) = (regs.double(a, ctx), regs.double(b, ctx));
            let result = lanes_where(|lane| float::compare(x[lane], y[lane], cmp));
            regs.set_pred(
                i.pdst,
                mask,
                int::combine(result, regs.holds(i.psrcs[0]), bool_op),
            );
        }
        Op::Hadd2 { ftz } => {
            let (x, y) = (regs.halves(a, ctx), regs.halves(b, ctx));
            let row = zip(&x, &y, |x, y| {
                on_halves([x, y, 0], |[x, y, _]| float::add_f16(x, y, ftz))
            });
            regs.set_row(i.dst, mask, &row);
        }
        Op::Hmul2 { ftz } => {
            let (x, y) = (regs.halves(a, ctx), regs.halves(b, ctx));
            let row = zip(&x, &y, |x, y| {
                on_halves([x, y, 0], |[x, y, _]| float::mul_f16(x, y, ftz))
            });
            regs.set_row(i.dst, mask, &row);
        }
        Op::Hfma2 { ftz } => {
            let (x, y, z) = (regs.halves(a, ctx), regs.halves(b, ctx), regs.halves(c, ctx));
            let row = zip3(&x, &y, &z, |x, y, z| {
                on_halves([x, y, z], |[x, y, z]| float::fma_f16(x, y, z, ftz))
            });
            regs.set_row(i.dst, mask, &row);
        }
        Op::Hadd2F32 { high } => {
            let (x, y) = (regs.single(a, ctx, false), regs.halves(b, ctx));
            let row = by_lane(|lane| float::add_half_to_single(x[lane], y[lane], high));
            regs.set_row(i.dst, mask, &row);
        }
        Op::Bf16 { op } => {
            let (x, y, z) = (regs.halves(a, ctx), regs.halves(b, ctx), regs.halves(c, ctx));
            let row = zip3(&x, &y, &z, |x, y, z| {
                on_halves([x, y, z], |[x, y, z]| float::bf16(op, x, y, z))
            });
            regs.set_row(i.dst, mask, &row);
        }
        Op::F2fp { bfloat16 } => {
            let (x, y) = (regs.single(a, ctx, false), regs.single(b, ctx, false));
            let row = by_lane(|lane| float::pack_floats(x[lane], y[lane], bfloat16));
            regs.set_row(i.dst, mask, &row);
        }
        Op::F2f { from, to, round, ftz } => {
            let row = regs
                .number(a, ctx, from)
                .each(|bits| float::convert_float(from, to, bits, round, ftz));
            regs.set_number(i.dst, mask, to, &row);
        }
        // Rust's conversions truncate, saturate, and convert NaN to zero, as the hardware does.
        Op::F2i {
            from: NumType::F32,
            to: NumType::S32,
            round: Round::Rz,
            ..
        } => {
            let row = regs
                .single(a, ctx, false)
                .each(|bits| f32::from_bits(bits) as i32 as u32);
            regs.set_row(i.dst, mask, &row);
        }
        Op::F2i {
            from: NumType::F32,
            to: NumType::U32,
            round: Round::Rz,
            ..
        } => {
            let row = regs
                .single(a, ctx, false)
                .each(|bits| f32::from_bits(bits) as u32);
            regs.set_row(i.dst, mask, &row);
        }
        Op::F2i { from, to, round, ftz } => {
            let row = regs
                .number(a, ctx, from)
                .each(|bits| float::float_to_integer(from, to, bits, round, ftz));
            regs.set_number(i.dst, mask, to, &row);
        }
        // A double represents every 32-bit integer, so there is a single rounding.
        Op::I2f {
            from: NumType::S32,
            to: NumType::F32,
            round,
        } => {
            let row = regs.integer(a, ctx);
            let row = row.each(|bits| float::narrow_f64(f64::from(bits as i32), round).to_bits());
            regs.set_row(i.dst, mask, &row);
        }
        Op::I2f {
            from: NumType::U32,
            to: NumType::F32,
            round,
        } => {
            let row = regs.integer(a, ctx);
            let row = row.each(|bits| float::narrow_f64(f64::from(bits), round).to_bits());
            regs.set_row(i.dst, mask, &row);
        }
        Op::I2f { from, to, round } => {
            let row = regs
                .number(a, ctx, from)
                .each(|bits| float::integer_to_float(from, to, bits, round));
            regs.set_number(i.dst, mask, to, &row);
        }
        Op::Frnd { ty, round, ftz } => {
            let row = regs
                .number(a, ctx, ty)
                .each(|bits| float::round_to_whole(ty, bits, round, ftz));
            regs.set_number(i.dst, mask, ty, &row);
        }
        _ => {}
    }
}

fn on_halves(words: [u32; 3], f: impl Fn([u16; 3]) -> u16) -> u32 {
    let low = f(words.map(|word| word as u16));
    let high = f(words.map(|word| (word >> 16) as u16));
    u32::from(high) << 16 | u32::from(low)
}

fn execute_add3(
    regs: &mut Registers,
    i: &Instruction,
    mask: u32,
    ctx: &Context<'_>,
    carry_out: bool,
    carry_in: bool,
) {
    let [a, b, c] = &i.srcs;
    if !carry_in && !carry_out {
        let (mut room_a, mut room_b, mut room_c) = (None, None, None);
        let (x, y) = (
            regs.integer_in(a, ctx, &mut room_a),
            regs.integer_in(b, ctx, &mut room_b),
        );
        let row = if c.operand == Operand::Reg(RZ) {
            zip(x, y, u32::wrapping_add)
        } else {
            let z = regs.integer_in(c, ctx, &mut room_c);
            zip3(x, y, z, |x, y, z| x.wrapping_add(y).wrapping_add(z))
        };
        regs.set_row(i.dst, mask, &row);
        return;
    }
    let (x, y, z) = (regs.raw(a, ctx), regs.raw(b, ctx), regs.raw(c, ctx));
    let carries = regs.holds(i.psrcs[0]);
    let mut row = [0; 32];
    let mut out = 0;
    for lane in 0..32 {
        let operands = [(x[lane], a.negate), (y[lane], b.negate), (z[lane], c.negate)];
        let carry = carry_in.then_some(carries >> lane & 1 == 1);
        let (sum, carry) = int::add3(operands, carry);
        row[lane] = sum;
        out |= u32::from(carry) << lane;
    }
    regs.set_row(i.dst, mask, &row);
    if carry_out {
        regs.set_pred(i.pdst, mask, out);
    }
}

fn execute_integer(regs: &mut Registers, i: &Instruction, mask: u32, ctx: &Context<'_>) {
    let [a, b, c] = &i.srcs;
    let (mut room_a, mut room_b, mut room_c) = (None, None, None);
    let is_logic = matches!(i.op, Op::Lop { .. } | Op::Lop3 { .. });
    let x = if is_logic {
        regs.logic_in(a, ctx, &mut room_a)
    } else {
        regs.integer_in(a, ctx, &mut room_a)
    };
    let y = if is_logic {
        regs.logic_in(b, ctx, &mut room_b)
    } else {
        regs.integer_in(b, ctx, &mut room_b)
    };
    let z = if is_logic {
        regs.logic_in(c, ctx, &mut room_c)
    } else {
        regs.integer_in(c, ctx, &mut room_c)
    };
    let row = match i.op {
        Op::Imul { high: false, .. } => zip(x, y, u32::wrapping_mul),
        Op::Imul { signed, high: true } => zip(x, y, |x, y| int::mul_high(x, y, signed)),
        Op::Imad { high: false, .. } => zip3(x, y, z, |x, y, z| x.wrapping_mul(y).wrapping_add(z)),
        Op::Imad { signed, high: true } => {
            zip3(x, y, z, |x, y, z| int::mul_high(x, y, signed).wrapping_add(z))
        }
        Op::Imad24 { signed } => zip3(x, y, z, |x, y, z| int::mul24(x, y, signed).wrapping_add(z)),
        Op::Xmad {
            a_hi,
            b_hi,
            a_signed,
            b_signed,
            shift_left,
            merge,
        } => zip3(x, y, z, |x, y, z| {
            let product = int::half_word(x, a_hi, a_signed).wrapping_mul(int::half_word(y, b_hi, b_signed));
            let product = if shift_left { product << 16 } else { product };
            let sum = product.wrapping_add(z);
            if merge { sum & 0xffff | y << 16 } else { sum }
        }),
        Op::Lea { shift } => {
            let shift = u32::from(shift);
            zip(x, y, |x, y| int::shift_left(x, shift).wrapping_add(y))
        }
        Op::Lop { op } => match op {
            BoolOp::And => zip(x, y, |x, y| x & y),
            BoolOp::Or => zip(x, y, |x, y| x | y),
            BoolOp::Xor => zip(x, y, |x, y| x ^ y),
        },
        Op::Lop3 { lut } => {
            match lut {
                // The lookup tables that compilers use most.
                0xc0 => zip(x, y, |x, y| x & y),
                0xfc => zip(x, y, |x, y| x | y),
                0x3c => zip(x, y, |x, y| x ^ y),
                _ => lookup3(x, y, z, lut),
            }
        }
        Op::Shl => match uniform(b, ctx) {
            Some(by) => x.each(|x| int::shift_left(x, by)),
            None => zip(x, y, int::shift_left),
        },
        Op::Shr { signed } => match (uniform(b, ctx), signed) {
            (Some(by), true) => x.each(|x| int::shift_right(x, by, true)),
            (Some(by), false) => x.each(|x| int::shift_right(x, by, false)),
            (None, _) => zip(x, y, |x, y| int::shift_right(x, y, signed)),
        },
        Op::Shf { left, wrap, signed } => {
            zip3(x, y, z, |x, y, z| int::funnel_shift(x, z, y, left, wrap, signed))
        }
        Op::Imnmx { signed, max } => {
            let flip = if signed { 0x8000_0000 } else { 0 };
            zip(x, y, |x, y| if ((x ^ flip) < (y ^ flip)) == max { y } else { x })
        }
        Op::Iabs => x.each(|x| (x as i32).unsigned_abs()),
        Op::Popc => x.each(u32::count_ones),
        Op::Flo { signed } => x.each(|x| int::find_leading_one(x, signed)),
        Op::Brev => x.each(u32::reverse_bits),
        Op::Prmt => zip3(x, y, z, int::permute_bytes),
        Op::Bfe { signed } => zip(x, y, |x, y| int::extract_field(x, y & 255, y >> 8 & 255, signed)),
        _ => return,
    };
    regs.set_row(i.dst, mask, &row);
}

/// The value of an operand that is not a register and is equal in all lanes.
#[inline(always)]
fn uniform(src: &Src, ctx: &Context<'_>) -> Option<u32> {
    let value = match src.operand {
        Operand::Reg(_) => return None,
        Operand::Imm(bits) => bits,
        Operand::Const { bank, offset } => ctx.constant(bank, offset),
    };
    Some(if src.negate { value.wrapping_neg() } else { value })
}

/// LOP3 of all lanes: one entry of the table at a time, for all lanes at once.
fn lookup3(x: &Row, y: &Row, z: &Row, lut: u8) -> Row {
    let mut result = [0; 32];
    for entry in 0..8_u32 {
        if lut >> entry & 1 == 0 {
            continue;
        }
        let flip = |bit: u32| if entry & bit != 0 { 0 } else { u32::MAX };
        let (a, b, c) = (flip(4), flip(2), flip(1));
        for lane in 0..32 {
            result[lane] |= (x[lane] ^ a) & (y[lane] ^ b) & (z[lane] ^ c);
        }
    }
    result
}

/// The byte offsets that the lanes of an LDC read.
pub fn constant_offsets(regs: &Registers, i: &Instruction, ctx: &Context<'_>) -> Row {
    regs.integer(&i.srcs[0], ctx)
        .each(|base| base.wrapping_add(i.offset as u32))
}

fn load_constant(
    regs: &mut Registers,
    i: &Instruction,
    mask: u32,
    ctx: &Context<'_>,
    bank: u8,
    width: Width,
) {
    let offsets = constant_offsets(regs, i, ctx);
    let image = if bank == 0 { ctx.bank0 } else { ctx.bank3 };
    let byte = |offset: u32| image.get(offset as usize).copied().unwrap_or(0);
    let half = |offset: u32| u16::from_le_bytes([byte(offset), byte(offset.wrapping_add(1))]);
    match width {
        Width::U8 => regs.set_row(i.dst, mask, &offsets.each(|offset| u32::from(byte(offset)))),
        Width::S8 => regs.set_row(i.dst, mask, &offsets.each(|offset| byte(offset) as i8 as u32)),
        Width::U16 => regs.set_row(i.dst, mask, &offsets.each(|offset| u32::from(half(offset)))),
        Width::S16 => regs.set_row(i.dst, mask, &offsets.each(|offset| half(offset) as i16 as u32)),
        Width::B32 | Width::B64 | Width::B128 => {
            for word in 0..width.bytes() / 4 {
                let row = offsets.each(|offset| constant_word(image, offset.wrapping_add(4 * word) as usize));
                regs.set_row(i.dst.word(word as u8), mask, &row);
            }
        }
    }
}
