//! What the lanes of a warp compute together: votes, shuffles, matches, and reductions. The machine and both
//! interpreters evaluate them here.

use super::{Context, Registers, Row, WideRow, by_lane, lanes_where, matrices};
use crate::isa::{Instruction, Op, ReduxOp, ShflMode, VoteMode};

/// Operands of an exchange by lane. An operation computes only those that it reads.
pub trait Operands {
    /// The operand a, b, or c.
    fn word(&self, idx: usize) -> Row;
    /// The operand a, b, or c as a pair of registers.
    fn wide(&self, idx: usize) -> WideRow;
    /// The lanes in which the predicate operand holds.
    fn votes(&self) -> u32;
    /// The member mask of each lane.
    fn members(&self) -> Row;
}

/// Returns the result of each lane and the lanes whose predicate result is true; `None` for an operation
/// that is no exchange. `lanes` execute it: what the others get means nothing.
#[inline(always)]
pub fn evaluate(op: Op, lanes: u32, operands: &impl Operands) -> Option<(Row, u32)> {
    Some(match op {
        // The active lanes vote; the code takes those of its member mask from the result.
        Op::Vote { mode, .. } => {
            let ballot = operands.votes() & lanes;
            let outcome = match mode {
                VoteMode::All => ballot == lanes,
                VoteMode::Any => ballot != 0,
                VoteMode::Eq => ballot == 0 || ballot == lanes,
            };
            ([ballot; 32], if outcome { u32::MAX } else { 0 })
        }
        Op::Movm => (matrices::transposed(&operands.word(0)), 0),
        Op::Shfl { mode, .. } => shuffle(mode, &operands.word(0), &operands.word(1), &operands.word(2)),
        // The active lanes are compared; the code takes those of its member mask from the result.
        Op::Match { all, wide } => {
            let values = if wide {
                operands.wide(0)
            } else {
                operands.word(0).map(u64::from)
            };
            let same = |value: u64| lanes_where(|lane| values[lane] == value) & lanes;
            if all {
                let equal = lanes != 0 && same(values[lanes.trailing_zeros() as usize]) == lanes;
                if equal {
                    ([lanes; 32], u32::MAX)
                } else {
                    ([0; 32], 0)
                }
            } else {
                (by_lane(|lane| same(values[lane])), u32::MAX)
            }
        }
        // "Each calling thread must have its own bit set in the mask, and all non-exited threads named in
        // mask must execute the same intrinsic with the same mask, or the result is undefined" (CUDA C++
        // Programming Guide, Warp Reduce Functions). So lanes with different masks reduce apart, and lanes
        // that have exited do not count.
        Op::Redux { op, signed } => {
            let (values, members) = (operands.word(0), operands.members());
            let (mut row, mut done) = ([0; 32], 0);
            for lane in (0..32).filter(|lane| lanes >> lane & 1 == 1) {
                if done >> lane & 1 == 0 {
                    let same = lanes_where(|other| members[other] == members[lane]) & lanes;
                    let value = reduce(op, signed, &values, members[lane] & lanes);
                    row = by_lane(|other| if same >> other & 1 == 1 { value } else { row[other] });
                    done |= same;
                }
            }
            (row, 0)
        }
        _ => return None,
    })
}

/// The values of a set of lanes, combined; 0 for no lanes.
fn reduce(op: ReduxOp, signed: bool, values: &Row, lanes: u32) -> u32 {
    let flip = if signed { 0x8000_0000 } else { 0 };
    (0..32)
        .filter(|lane| lanes >> lane & 1 == 1)
        .map(|lane| values[lane])
        .reduce(|x, y| match op {
            ReduxOp::Sum => x.wrapping_add(y),
            ReduxOp::Min => (x ^ flip).min(y ^ flip) ^ flip,
            ReduxOp::Max => (x ^ flip).max(y ^ flip) ^ flip,
            ReduxOp::And => x & y,
            ReduxOp::Or => x | y,
            ReduxOp::Xor => x ^ y,
        })
        .unwrap_or(0)
}

/// Operands in the registers of the machine.
struct OfRegisters<'a> {
    regs: &'a Registers,
    i: &'a Instruction,
    ctx: &'a Context<'a>,
}

impl Operands for OfRegisters<'_> {
    #[inline(always)]
    fn word(&self, idx: usize) -> Row {
        self.regs.integer(&self.i.srcs[idx], self.ctx)
    }

    #[inline(always)]
    fn wide(&self, idx: usize) -> WideRow {
        self.regs.wide_integer(&self.i.srcs[idx], self.ctx)
    }

    #[inline(always)]
    fn votes(&self) -> u32 {
        self.regs.holds(self.i.psrcs[0])
    }

    #[inline(always)]
    fn members(&self) -> Row {
        self.regs.raw(&self.i.member_mask, self.ctx)
    }
}

/// Executes an exchange for the lanes of `mask`.
pub fn execute(regs: &mut Registers, i: &Instruction, mask: u32, ctx: &Context<'_>) {
    if let Some((values, predicate)) = evaluate(i.op, mask, &OfRegisters { regs, i, ctx }) {
        regs.set_row(i.dst, mask, &values);
        regs.set_pred(i.pdst, mask, predicate);
    }
}

/// The value of the lowest lane of a set.
pub fn first_of(row: &Row, lanes: u32) -> u32 {
    if lanes == 0 {
        0
    } else {
        row[lanes.trailing_zeros() as usize]
    }
}

/// The lane that a shuffle reads, and whether it is in range. `clamp` holds the segment mask in bits 8 and up
/// and the clamp value below.
#[inline(always)]
pub const fn shuffle_source(mode: ShflMode, lane: u32, operand: u32, clamp: u32) -> (u32, bool) {
    let operand = operand & 31;
    let segment = clamp >> 8 & 31;
    let max_lane = lane & segment | clamp & 31 & !segment;
    let min_lane = lane & segment;
    let (source, in_range) = match mode {
        ShflMode::Up => (
            lane.wrapping_sub(operand),
            lane as i32 - operand as i32 >= max_lane as i32,
        ),
        ShflMode::Down => (lane + operand, lane + operand <= max_lane),
        ShflMode::Bfly => (lane ^ operand, lane ^ operand <= max_lane),
        ShflMode::Idx => {
            let source = min_lane | operand & !segment;
            (source, source <= max_lane)
        }
    };
    if in_range {
        (source & 31, true)
    } else {
        (lane, false)
    }
}

/// The source lane of every lane, and the lanes whose source is in range.
#[inline(always)]
fn sources(mode: ShflMode, operand: &Row, clamp: &Row) -> (Row, u32) {
    let source = |lane: usize| shuffle_source(mode, lane as u32, operand[lane], clamp[lane]);
    (by_lane(|lane| source(lane).0), lanes_where(|lane| source(lane).1))
}

#[inline(always)]
fn shuffle(mode: ShflMode, values: &Row, operand: &Row, clamp: &Row) -> (Row, u32) {
    // The mode is known outside of the loop over the lanes, which becomes vector instructions.
    let (sources, in_range) = match mode {
        ShflMode::Up => sources(ShflMode::Up, operand, clamp),
        ShflMode::Down => sources(ShflMode::Down, operand, clamp),
        ShflMode::Bfly => sources(ShflMode::Bfly, operand, clamp),
        ShflMode::Idx => sources(ShflMode::Idx, operand, clamp),
    };
    // The register of an inactive lane is readable.
    let row = by_lane(|lane| values[sources[lane] as usize % 32]);
    (row, in_range)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lane numbers from -4 on as values, and a member mask for each lane.
    struct Numbered(Row);

    impl Operands for Numbered {
        fn word(&self, _idx: usize) -> Row {
            by_lane(|lane| (lane as u32).wrapping_sub(4))
        }

        fn wide(&self, idx: usize) -> WideRow {
            self.word(idx).map(u64::from)
        }

        fn votes(&self) -> u32 {
            0
        }

        fn members(&self) -> Row {
            self.0
        }
    }

    fn reduced(op: ReduxOp, signed: bool, lanes: u32, members: Row) -> Row {
        evaluate(Op::Redux { op, signed }, lanes, &Numbered(members))
            .unwrap_or_default()
            .0
    }

    #[test]
    fn a_reduction_combines_the_members() {
        let all = |op, signed| reduced(op, signed, u32::MAX, [u32::MAX; 32])[7] as i32;
        assert_eq!(all(ReduxOp::Sum, true), (0..32).sum::<i32>() - 4 * 32);
        assert_eq!(all(ReduxOp::Sum, false), (0..32).sum::<i32>() - 4 * 32);
        assert_eq!([all(ReduxOp::Min, true), all(ReduxOp::Min, false)], [-4, 0]);
        assert_eq!([all(ReduxOp::Max, true), all(ReduxOp::Max, false)], [27, -1]);
        assert_eq!([all(ReduxOp::And, false), all(ReduxOp::Or, false)], [0, -1]);
        assert_eq!(
            all(ReduxOp::Xor, false),
            (0..32).fold(0, |xor, lane| xor ^ (lane - 4))
        );
    }

    #[test]
    fn lanes_with_different_masks_reduce_apart() {
        let members = by_lane(|lane| if lane % 2 == 0 { 0x5555_5555 } else { 0xaaaa_aaaa });
        let row = reduced(ReduxOp::Max, true, u32::MAX, members);
        assert_eq!(row[..4], [26, 27, 26, 27]);
    }

    #[test]
    fn members_that_have_exited_do_not_count() {
        let row = reduced(ReduxOp::Max, true, 0xff, [u32::MAX; 32]);
        assert_eq!(row[..8], [3; 8]);
    }

    const fn clamp(width: u32, up: bool) -> u32 {
        (32 - width) << 8 | if up { 0 } else { 31 }
    }

    #[test]
    fn segments_bound_every_mode() {
        for width in [2, 4, 8, 16, 32_u32] {
            for lane in 0..32_u32 {
                for by in 0..width {
                    let first = lane / width * width;
                    let expected = |source: i64| {
                        let inside = source >= i64::from(first) && source < i64::from(first + width);
                        if inside {
                            (source as u32, true)
                        } else {
                            (lane, false)
                        }
                    };
                    let (lane_i, by_i) = (i64::from(lane), i64::from(by));
                    assert_eq!(
                        shuffle_source(ShflMode::Up, lane, by, clamp(width, true)),
                        expected(lane_i - by_i)
                    );
                    assert_eq!(
                        shuffle_source(ShflMode::Down, lane, by, clamp(width, false)),
                        expected(lane_i + by_i)
                    );
                    assert_eq!(
                        shuffle_source(ShflMode::Bfly, lane, by, clamp(width, false)),
                        expected(lane_i ^ by_i)
                    );
                    let idx = expected(i64::from(first + by));
                    assert_eq!(shuffle_source(ShflMode::Idx, lane, by, clamp(width, false)), idx);
                }
            }
        }
    }
}
