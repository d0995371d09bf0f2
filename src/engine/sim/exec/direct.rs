//! The function that executes an instruction, selected once when the program is decoded. The most frequent
//! instructions have specialized functions without further selection; the results equal those of [`execute`].

use super::{
    Context, Each, Registers, Row, compare_integers, exchange, execute, execute_fp32, execute_integer, int,
    uniform, zip, zip3,
};
use crate::isa::describe::Execution;
use crate::isa::{Instruction, Op, Operand, RZ, Src};

/// Executes an instruction for the lanes of a mask.
pub type Run = fn(&mut Registers, &Instruction, u32, &Context<'_>);

/// The function for an instruction that neither accesses memory (except LDC) nor controls flow.
pub fn run_of(i: &Instruction) -> Run {
    let [_, b, c] = &i.srcs;
    let is_uniform = !matches!(b.operand, Operand::Reg(_));
    let is_plain = i.srcs.iter().all(|src| !src.negate);
    if i.op.describe().execution == Execution::Exchange {
        return exchange::execute;
    }
    match (i.op, is_uniform) {
        (op, _) if op.is_plain_addition() && c.operand == Operand::Reg(RZ) => {
            if is_uniform {
                |regs, i, mask, ctx| with_uniform(regs, i, mask, ctx, u32::wrapping_add)
            } else {
                |regs, i, mask, ctx| with_two(regs, i, mask, ctx, u32::wrapping_add)
            }
        }
        (op, _) if op.is_plain_addition() => |regs, i, mask, ctx| {
            with_three(regs, i, mask, ctx, |x, y, z| x.wrapping_add(y).wrapping_add(z));
        },
        (Op::Imad { high: false, .. }, true) => |regs, i, mask, ctx| {
            let (mut room_a, mut room_c) = (None, None);
            let x = regs.integer_in(&i.srcs[0], ctx, &mut room_a);
            let z = regs.integer_in(&i.srcs[2], ctx, &mut room_c);
            let by = value(&i.srcs[1], ctx);
            let row = zip(x, z, |x, z| x.wrapping_mul(by).wrapping_add(z));
            regs.set_row(i.dst, mask, &row);
        },
        (Op::Imad { high: false, .. }, false) => |regs, i, mask, ctx| {
            with_three(regs, i, mask, ctx, |x, y, z| x.wrapping_mul(y).wrapping_add(z));
        },
        (Op::Lop3 { lut: 0xc0 }, true) if is_plain => {
            |regs, i, mask, ctx| with_uniform(regs, i, mask, ctx, |x, y| x & y)
        }
        (Op::Lop3 { lut: 0xc0 }, false) if is_plain => {
            |regs, i, mask, ctx| with_two(regs, i, mask, ctx, |x, y| x & y)
        }
        (Op::Lop3 { lut: 0x3c }, true) if is_plain => {
            |regs, i, mask, ctx| with_uniform(regs, i, mask, ctx, |x, y| x ^ y)
        }
        (Op::Lop3 { lut: 0x3c }, false) if is_plain => {
            |regs, i, mask, ctx| with_two(regs, i, mask, ctx, |x, y| x ^ y)
        }
        (Op::Shl, true) => |regs, i, mask, ctx| with_uniform(regs, i, mask, ctx, int::shift_left),
        (Op::Shr { signed: true }, true) => {
            |regs, i, mask, ctx| with_uniform(regs, i, mask, ctx, |x, by| int::shift_right(x, by, true))
        }
        (Op::Shr { signed: false }, true) => {
            |regs, i, mask, ctx| with_uniform(regs, i, mask, ctx, |x, by| int::shift_right(x, by, false))
        }
        (Op::Isetp { extended: false, .. }, _) => compare,
        (Op::Mov, _) => |regs, i, mask, ctx| {
            let mut buffer = None;
            let row: Row = *regs.integer_in(&i.srcs[0], ctx, &mut buffer);
            regs.set_row(i.dst, mask, &row);
        },
        (Op::Fadd { .. } | Op::Fmul { .. } | Op::Ffma { .. } | Op::Mufu { .. }, _) => execute_fp32,
        (
            Op::Imul { .. }
            | Op::Imad { .. }
            | Op::Xmad { .. }
            | Op::Lea { .. }
            | Op::Lop { .. }
            | Op::Lop3 { .. }
            | Op::Shl
            | Op::Shr { .. }
            | Op::Imnmx { .. },
            _,
        ) => execute_integer,
        _ => |regs, i, mask, ctx| {
            execute(regs, i, mask, ctx);
        },
    }
}

/// The value of an operand that is not a register.
#[inline(always)]
fn value(src: &Src, ctx: &Context<'_>) -> u32 {
    uniform(src, ctx).unwrap_or(0)
}

/// The second operand is not a register.
#[inline(always)]
fn with_uniform(
    regs: &mut Registers,
    i: &Instruction,
    mask: u32,
    ctx: &Context<'_>,
    f: impl Fn(u32, u32) -> u32,
) {
    let mut buffer = None;
    let x = regs.integer_in(&i.srcs[0], ctx, &mut buffer);
    let y = value(&i.srcs[1], ctx);
    let row = x.each(|x| f(x, y));
    regs.set_row(i.dst, mask, &row);
}

#[inline(always)]
fn with_two(
    regs: &mut Registers,
    i: &Instruction,
    mask: u32,
    ctx: &Context<'_>,
    f: impl Fn(u32, u32) -> u32,
) {
    let (mut room_a, mut room_b) = (None, None);
    let x = regs.integer_in(&i.srcs[0], ctx, &mut room_a);
    let y = regs.integer_in(&i.srcs[1], ctx, &mut room_b);
    let row = zip(x, y, f);
    regs.set_row(i.dst, mask, &row);
}

#[inline(always)]
fn with_three(
    regs: &mut Registers,
    i: &Instruction,
    mask: u32,
    ctx: &Context<'_>,
    f: impl Fn(u32, u32, u32) -> u32,
) {
    let (mut room_a, mut room_b, mut room_c) = (None, None, None);
    let x = regs.integer_in(&i.srcs[0], ctx, &mut room_a);
    let y = regs.integer_in(&i.srcs[1], ctx, &mut room_b);
    let z = regs.integer_in(&i.srcs[2], ctx, &mut room_c);
    let row = zip3(x, y, z, f);
    regs.set_row(i.dst, mask, &row);
}

/// 32-bit ISETP.
fn compare(regs: &mut Registers, i: &Instruction, mask: u32, ctx: &Context<'_>) {
    let Op::Isetp {
        cmp, signed, bool_op, ..
    } = i.op
    else {
        return;
    };
    let (mut room_a, mut room_b) = (None, None);
    let x = regs.integer_in(&i.srcs[0], ctx, &mut room_a);
    let y = regs.integer_in(&i.srcs[1], ctx, &mut room_b);
    let result = compare_integers(x, y, cmp, signed);
    let lanes = int::combine(result, regs.holds(i.psrcs[0]), bool_op);
    regs.set_pred(i.pdst, mask, lanes);
}
