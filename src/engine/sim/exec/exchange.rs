//! Votes, shuffles, and matches: the exchange of values between lanes of a warp.

use super::{Context, Registers, Row, by_lane, lanes_where};
use crate::isa::{Instruction, Op, ShflMode, VoteMode};

/// Executes VOTE, SHFL, or MATCH for the lanes of `mask`.
pub fn execute(regs: &mut Registers, i: &Instruction, mask: u32, ctx: &Context<'_>) {
    match i.op {
        // The active lanes vote; the code masks the result with its member mask.
        Op::Vote { mode, .. } => {
            let ballot = regs.holds(i.psrcs[0]) & mask;
            let outcome = match mode {
                VoteMode::All => ballot == mask,
                VoteMode::Any => ballot != 0,
                VoteMode::Eq => ballot == 0 || ballot == mask,
            };
            regs.set_row(i.dst, mask, &[ballot; 32]);
            regs.set_pred(i.pdst, mask, if outcome { u32::MAX } else { 0 });
        }
        Op::Shfl { mode, .. } => shuffle(regs, i, mask, ctx, mode),
        Op::Match { all, wide } => {
            let members = mask;
            let values = if wide {
                regs.wide_integer(&i.srcs[0], ctx)
            } else {
                regs.integer(&i.srcs[0], ctx).map(u64::from)
            };
            let same = |value: u64| {
                (0..32)
                    .filter(|lane| members >> lane & 1 == 1 && values[*lane] == value)
                    .fold(0, |set, lane| set | 1 << lane)
            };
            if all {
                let equal = members != 0 && same(values[members.trailing_zeros() as usize]) == members;
                regs.set_row(i.dst, mask, &[if equal { members } else { 0 }; 32]);
                regs.set_pred(i.pdst, mask, if equal { u32::MAX } else { 0 });
            } else {
                let row = std::array::from_fn(|lane| same(values[lane]));
                regs.set_row(i.dst, mask, &row);
            }
        }
        _ => {}
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

fn shuffle(regs: &mut Registers, i: &Instruction, mask: u32, ctx: &Context<'_>, mode: ShflMode) {
    let values = regs.integer(&i.srcs[0], ctx);
    let (operand, clamp) = (regs.integer(&i.srcs[1], ctx), regs.integer(&i.srcs[2], ctx));
    // The mode is constant in each loop over the lanes, so that the loop is vectorized.
    let (sources, in_range) = match mode {
        ShflMode::Up => sources(ShflMode::Up, &operand, &clamp),
        ShflMode::Down => sources(ShflMode::Down, &operand, &clamp),
        ShflMode::Bfly => sources(ShflMode::Bfly, &operand, &clamp),
        ShflMode::Idx => sources(ShflMode::Idx, &operand, &clamp),
    };
    // The register of an inactive lane is readable.
    let row = by_lane(|lane| values[sources[lane] as usize % 32]);
    regs.set_row(i.dst, mask, &row);
    regs.set_pred(i.pdst, mask, in_range);
}

#[cfg(test)]
mod tests {
    use super::*;

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
