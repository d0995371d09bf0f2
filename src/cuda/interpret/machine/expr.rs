//! Evaluates expressions. Operations without side effects compute the rows of all threads, active or not.
//! Writes, memory reads, and findings apply only to active threads.

use super::super::UndefinedKind;
use super::super::arith::{binary, compare, convert, map, map2, overflows, unary};
use super::super::code::{Expr, Kind, Leaf, Op, Row};
use super::super::mask::Mask;
use super::super::memory::leaf_of;
use super::super::number::extended;
use super::{Machine, Run};
use crate::hir::{BinaryOp, UnaryOp};
use engine::ids::Span;

impl<'a, const W: usize> Machine<'a, W> {
    /// Evaluates an expression into its rows.
    pub(in super::super) fn eval(&mut self, expr: &'a Expr, mask: &Mask<W>) -> Run<()> {
        match &expr.op {
            Op::Ready => {}
            Op::Read => self.check_written(expr, mask),
            Op::Seq(parts) => {
                for part in parts {
                    self.eval(part, mask)?;
                }
            }
            Op::Copy(value) => {
                self.eval(value, mask)?;
                for idx in 0..expr.len {
                    self.copy_row(expr.row + idx, value.row + idx);
                }
            }
            Op::Gather(parts) => {
                let mut to = expr.row;
                for part in parts {
                    self.eval(part, mask)?;
                    for idx in 0..part.len {
                        self.copy_row(to, part.row + idx);
                        to += 1;
                    }
                }
            }
            Op::FrameAddress(offset) => {
                let address = self.frame_address(*offset);
                self.rows[self.base + expr.row as usize].fill(address);
            }
            Op::Displace(base, offset) => {
                self.eval(base, mask)?;
                let address_mask = self.address_mask;
                self.with_row(expr.row, |this, to| {
                    map(to, this.row(base.row), |a| a.wrapping_add(*offset) & address_mask);
                });
            }
            Op::Load {
                address,
                offset,
                leaves,
            } => {
                self.eval(address, mask)?;
                self.load(expr, address.row, *offset, leaves, mask);
            }
            Op::Store {
                address,
                offset,
                leaves,
                value,
            } => {
                self.eval(address, mask)?;
                self.eval(value, mask)?;
                self.store((address.row, *offset), value.row, leaves, mask, expr.span);
            }
            Op::Set { to, value } => {
                self.eval(value, mask)?;
                for idx in 0..value.len {
                    self.set(to + idx, value.row + idx, mask);
                }
            }
            Op::Unary { op, kind, operand } => {
                self.eval(operand, mask)?;
                if *op == UnaryOp::Neg && kind.is_signed() && self.limits.finds_signed_overflow {
                    let zero = |_: &[u64], _: usize| 0;
                    self.check_overflow((BinaryOp::Sub, *kind), zero, operand.row, mask, expr.span);
                }
                self.with_row(expr.row, |this, to| unary(*op, *kind, to, this.row(operand.row)));
            }
            Op::Binary {
                op,
                kind,
                lhs,
                rhs,
                checked,
            } => {
                self.eval(lhs, mask)?;
                self.eval(rhs, mask)?;
                if *checked {
                    self.check_operand(*op, *kind, rhs.row, mask, expr.span);
                }
                if kind.is_signed() && self.limits.finds_signed_overflow {
                    let left = self.row(lhs.row).to_vec();
                    let left = |_: &[u64], lane: usize| left[lane];
                    self.check_overflow((*op, *kind), left, rhs.row, mask, expr.span);
                }
                self.with_row(expr.row, |this, to| {
                    binary(*op, *kind, to, this.row(lhs.row), this.row(rhs.row));
                });
            }
            Op::Compare { op, kind, lhs, rhs } => {
                self.eval(lhs, mask)?;
                self.eval(rhs, mask)?;
                self.with_row(expr.row, |this, to| {
                    compare(*op, *kind, to, this.row(lhs.row), this.row(rhs.row));
                });
            }
            Op::Logical { is_or, lhs, rhs } => {
                self.eval(lhs, mask)?;
                self.copy_row(expr.row, lhs.row);
                let holds = self.true_lanes(lhs.row, mask);
                let rest = if *is_or { mask.without(&holds) } else { holds };
                if !rest.is_empty() {
                    self.eval(rhs, &rest)?;
                    self.merge_row(expr.row, rhs.row, &rest);
                }
            }
            Op::Select {
                cond,
                then,
                otherwise,
            } => {
                self.eval(cond, mask)?;
                let holds = self.true_lanes(cond.row, mask);
                for (side, mask) in [(then, holds), (otherwise, mask.without(&holds))] {
                    if !mask.is_empty() {
                        self.eval(side, &mask)?;
                        for idx in 0..expr.len {
                            self.merge_row(expr.row + idx, side.row + idx, &mask);
                        }
                    }
                }
            }
            Op::Convert { from, to, operand } => {
                self.eval(operand, mask)?;
                self.with_row(expr.row, |this, row| {
                    convert(*from, *to, row, this.row(operand.row));
                });
            }
            Op::Reinterpret { from, to, operand } => {
                self.eval(operand, mask)?;
                self.reinterpret(expr, from, to, operand.row);
            }
            Op::Advance {
                pointer,
                index,
                index_kind,
                size,
            } => {
                self.eval(pointer, mask)?;
                self.eval(index, mask)?;
                let address_mask = self.address_mask;
                self.with_row(expr.row, |this, to| {
                    let (pointer, index) = (this.row(pointer.row), this.row(index.row));
                    if *index_kind == Kind::I32 {
                        map2(to, pointer, index, |pointer, index| {
                            let index = i64::from((index as u32).cast_signed()).cast_unsigned();
                            pointer.wrapping_add(index.wrapping_mul(*size)) & address_mask
                        });
                    } else {
                        map2(to, pointer, index, |pointer, index| {
                            let index = extended(index, *index_kind) as u64;
                            pointer.wrapping_add(index.wrapping_mul(*size)) & address_mask
                        });
                    }
                });
            }
            Op::Distance { lhs, rhs, size } => {
                self.eval(lhs, mask)?;
                self.eval(rhs, mask)?;
                let size = i64::from(*size).max(1);
                let is_narrow = self.address_mask >> 32 == 0;
                self.with_row(expr.row, |this, to| {
                    map2(to, this.row(lhs.row), this.row(rhs.row), |lhs, rhs| {
                        let bytes = lhs.wrapping_sub(rhs).cast_signed();
                        // 32-bit addresses are sign-extended before the subtraction.
                        let bytes = if is_narrow {
                            let wide = |bits: u64| i64::from((bits as u32).cast_signed());
                            wide(lhs) - wide(rhs)
                        } else {
                            bytes
                        };
                        (bytes / size).cast_unsigned()
                    });
                });
            }
            Op::Call { function, args } => {
                for arg in args {
                    self.eval(arg, mask)?;
                }
                let code = self.code;
                self.call(&code.functions[*function], expr, args, mask)?;
            }
            Op::Builtin {
                builtin,
                kind,
                kinds,
                args,
            } => {
                for arg in args {
                    self.eval(arg, mask)?;
                }
                self.builtin(*builtin, *kind, kinds, args, expr, mask)?;
            }
        }
        Ok(())
    }

    pub(in super::super) fn copy_row(&mut self, to: Row, from: Row) {
        self.with_row(to, |this, to| to.copy_from_slice(this.row(from)));
    }

    /// Copies the values of some threads to a row.
    fn merge_row(&mut self, to: Row, from: Row, mask: &Mask<W>) {
        self.with_row(to, |this, to| mask.copy(to, this.row(from)));
    }

    /// Writes a register of a variable.
    pub(super) fn set(&mut self, to: Row, from: Row, mask: &Mask<W>) {
        if to != from {
            self.merge_row(to, from, mask);
        }
        let written = &mut self.written[self.base + to as usize];
        *written = written.or(mask);
    }

    fn check_written(&mut self, expr: &Expr, mask: &Mask<W>) {
        let first = self.base + expr.row as usize;
        let rows = first..first + expr.len as usize;
        let mut missing = self.written[rows].iter().map(|written| mask.without(written));
        if let Some(thread) = missing.find_map(|missing| missing.lanes().next()) {
            self.report(UndefinedKind::Uninitialized, expr.span, thread);
        }
    }

    /// Reports zero divisors and invalid shift amounts.
    fn check_operand(&mut self, op: BinaryOp, kind: Kind, rhs: Row, mask: &Mask<W>, span: Span) {
        let values = self.row(rhs);
        let is_shift = matches!(op, BinaryOp::Shl | BinaryOp::Shr);
        let is_wrong = |lane: usize| {
            if is_shift {
                values[lane] & 0xffff_ffff >= u64::from(kind.bits())
            } else {
                values[lane] == 0
            }
        };
        if let Some(thread) = mask.lanes().find(|lane| is_wrong(*lane)) {
            let finding = if is_shift {
                UndefinedKind::ShiftRange
            } else {
                UndefinedKind::DivisionByZero
            };
            self.report(finding, span, thread);
        }
    }

    fn check_overflow(
        &mut self,
        (op, kind): (BinaryOp, Kind),
        left: impl Fn(&[u64], usize) -> u64,
        rhs: Row,
        mask: &Mask<W>,
        span: Span,
    ) {
        let right = self.row(rhs);
        let is_wrong = |lane: &usize| overflows(op, kind, left(right, *lane), right[*lane]);
        if self.library_call.is_none()
            && let Some(thread) = mask.lanes().find(is_wrong)
        {
            self.report(UndefinedKind::SignedOverflow, span, thread);
        }
    }

    fn load(&mut self, expr: &Expr, address: Row, offset: u64, leaves: &[Leaf], mask: &Mask<W>) {
        let mut fault = None;
        let mut thread = 0;
        let address_mask = self.address_mask;
        for (idx, leaf) in leaves.iter().enumerate() {
            let distance = offset + u64::from(leaf.offset);
            self.with_row(expr.row + idx as u32, |this, to| {
                for lane in mask.lanes() {
                    let address = this.row(address)[lane].wrapping_add(distance) & address_mask;
                    let (bits, wrong) = this.memory.load(address, leaf.kind, lane);
                    to[lane] = bits;
                    if wrong > fault {
                        (fault, thread) = (wrong, lane);
                    }
                }
            });
        }
        self.report_fault(fault, expr.span, thread);
    }

    fn store(
        &mut self,
        (address, offset): (Row, u64),
        value: Row,
        leaves: &[Leaf],
        mask: &Mask<W>,
        span: Span,
    ) {
        let mut fault = None;
        let mut thread = 0;
        for (idx, leaf) in leaves.iter().enumerate() {
            let distance = offset + u64::from(leaf.offset);
            for lane in mask.lanes() {
                let address = self.row(address)[lane].wrapping_add(distance) & self.address_mask;
                let bits = self.row(value + idx as u32)[lane];
                let wrong = self.memory.store(address, leaf.kind, bits, lane);
                if wrong > fault {
                    (fault, thread) = (wrong, lane);
                }
            }
        }
        self.report_fault(fault, span, thread);
    }

    fn reinterpret(&mut self, expr: &Expr, from: &[Leaf], to: &[Leaf], operand: Row) {
        let end = |leaves: &[Leaf]| leaves.last().map_or(0, |leaf| leaf.offset + leaf.kind.bytes());
        let mut bytes = vec![0_u8; end(from).max(end(to)) as usize];
        for lane in 0..self.num_threads {
            for (idx, leaf) in from.iter().enumerate() {
                let bits = self.row(operand + idx as u32)[lane].to_le_bytes();
                let start = leaf.offset as usize;
                let size = leaf.kind.bytes() as usize;
                bytes[start..start + size].copy_from_slice(&bits[..size]);
            }
            for (idx, leaf) in to.iter().enumerate() {
                let row = self.base + expr.row as usize + idx;
                self.rows[row][lane] = leaf_of(&bytes, *leaf);
            }
        }
    }
}
