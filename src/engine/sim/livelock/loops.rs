//! Detects programs with loops in which a warp can spin.

use super::WINDOW;
use crate::isa::{AtomOp, CacheOp, Instruction, Op, Operand, PredSrc, Program, RZ, Space, Src};
use crate::sim::decode::block_starts;

/// Whether a warp of the program can return to an earlier state: it polls memory that others can change, or
/// has a loop without an exit, and its behavior does not depend on the time. Only a loop without a counter
/// returns a warp to an earlier state.
pub(in crate::sim) fn may_spin(program: &Program) -> bool {
    let code = &program.code;
    let reads_clock = code
        .iter()
        .any(|instruction| matches!(instruction.op, Op::S2r { special } if special.is_clock()));
    let polls = || code.iter().any(|instruction| polls(instruction.op));
    let has_no_exit = |of: &Loop| {
        matches!(code[of.end].op, Op::Bra { .. })
            && !code[of.head..of.end]
                .iter()
                .any(|instruction| instruction.op.is_control())
    };
    let loops = loops(code);
    !reads_clock && (polls() || loops.iter().any(has_no_exit)) && !all_count(code, &loops)
}

/// Whether an access reads memory that other lanes can change.
pub(in crate::sim) const fn polls(op: Op) -> bool {
    matches!(
        op,
        Op::Atom { .. }
            | Op::Ld {
                cache: CacheOp::Cv | CacheOp::Cg,
                ..
            }
            | Op::Ld {
                space: Space::Shared,
                ..
            }
    )
}

/// Whether nvcc puts a YIELD into a loop with this operation, from Volta on: loops of atomic operations, and of loads that
/// other threads must be visible to, have one; loops of ordinary loads and of ATOMS.CAST.SPIN have none.
pub(in crate::sim) const fn yields(op: Op) -> bool {
    match op {
        Op::Atom { op, .. } => !matches!(op, AtomOp::Cast),
        Op::Ld { cache, .. } => matches!(cache, CacheOp::Cv | CacheOp::Cg),
        _ => false,
    }
}

/// The instructions before which nvcc puts a YIELD: the first of each innermost loop that others can end, because no branch
/// out of it depends on a counter, or a branch in it depends on a compare-and-swap.
pub(in crate::sim) fn yield_points(code: &[Instruction]) -> Vec<bool> {
    let mut points = vec![false; code.len()];
    if !code.iter().any(|instruction| yields(instruction.op)) {
        return points;
    }
    let loops = loops(code);
    let is_innermost = |of: &&Loop| {
        let is_inside = |other: &Loop| of.head <= other.head && other.end < of.end;
        !loops.iter().any(is_inside)
    };
    for of in loops.iter().filter(is_innermost) {
        let first = (of.head..of.end).find(|pc| yields(code[*pc].op));
        if let Some(first) = first.filter(|first| !is_counted(code, of) || decides(code, of, *first)) {
            points[first] = true;
        }
    }
    points
}

/// Whether a branch in a loop depends on the result of a compare-and-swap.
fn decides(code: &[Instruction], of: &Loop, swap: usize) -> bool {
    let body = &code[of.head..=of.end];
    let result = Operand::Reg(code[swap].dst);
    let is_guard = |compare: &Instruction| {
        let branches = body
            .iter()
            .filter(|instruction| instruction.op.target().is_some());
        compare.predicate_destination().is_some_and(|predicate| {
            branches
                .map(|branch| branch.guard.pred)
                .any(|guard| guard == predicate)
        })
    };
    let reads = |compare: &&Instruction| compare.srcs.iter().any(|src| src.operand == result);
    matches!(code[swap].op, Op::Atom { op: AtomOp::Cas, .. }) && body.iter().filter(reads).any(is_guard)
}

/// Whether a branch that leaves or repeats a loop depends on a register to which each iteration adds.
fn is_counted(code: &[Instruction], of: &Loop) -> bool {
    let body = &code[of.head..=of.end];
    let adds = |reg: &Operand| {
        body.iter().any(|instruction| {
            // With or without a carry: counters can have 64 bits.
            matches!(instruction.op, Op::Iadd3 { .. })
                && *reg == Operand::Reg(instruction.dst)
                && instruction.srcs.iter().any(|src| src.operand == *reg)
        })
    };
    let leaves = |instruction: &&Instruction| {
        let target = instruction.op.target().map(|target| target.0 as usize);
        target.is_some_and(|target| target <= of.head || target > of.end)
    };
    body.iter().filter(leaves).any(|branch| {
        let decides = |other: &&Instruction| other.predicate_destination() == Some(branch.guard.pred);
        body.iter()
            .filter(decides)
            .any(|compare| compare.srcs.iter().any(|src| adds(&src.operand)))
    })
}

/// A loop: from the target of a backward jump to the jump.
struct Loop {
    head: usize,
    end: usize,
}

fn loops(code: &[Instruction]) -> Vec<Loop> {
    (0..)
        .zip(code)
        .filter_map(|(end, instruction)| {
            let head = instruction.op.target()?.0 as usize;
            (head <= end).then_some(Loop { head, end })
        })
        .collect()
}

/// Whether each loop adds a constant to a register in every iteration and does not write it otherwise: such a
/// loop does not return to an earlier state within [`WINDOW`] cycles. False for programs with functions, and
/// for loops that overlap without nesting.
fn all_count(code: &[Instruction], loops: &[Loop]) -> bool {
    let starts_block = block_starts(code.iter());
    let has_calls = code
        .iter()
        .any(|instruction| matches!(instruction.op, Op::Call { .. }));
    let overlaps =
        |one: &Loop, other: &Loop| one.head < other.head && other.head <= one.end && one.end < other.end;
    let counts = |of: &Loop| {
        // Instructions without a branch into or out of them before the backward jump run in every iteration.
        let mut tail = (of.head..of.end)
            .rev()
            .take_while(|pc| !code[*pc].op.is_control() && !starts_block[pc + 1]);
        tail.any(|pc| is_counter(&code[pc], &code[of.head..of.end]))
            && !loops.iter().any(|other| overlaps(of, other))
    };
    !has_calls && loops.iter().all(counts)
}

/// Whether an instruction of a loop adds a constant to a register that no other instruction writes.
fn is_counter(instruction: &Instruction, body: &[Instruction]) -> bool {
    let [
        from,
        Src {
            operand: Operand::Imm(step),
            ..
        },
        none,
    ] = instruction.srcs
    else {
        return false;
    };
    // The counter wraps modulo 2^32 after this many iterations, of at least one cycle each.
    let passes = (1_u64 << 32) >> step.trailing_zeros();
    let counter = instruction.dst;
    let writes = |other: &&Instruction| {
        let mut registers = other
            .destination()
            .into_iter()
            .flat_map(crate::isa::info::RegRange::regs);
        registers.any(|reg| reg == counter)
    };
    instruction.op.is_plain_addition()
        && instruction.guard == PredSrc::TRUE
        && from == Src::reg(counter)
        && none == Src::ZERO
        && counter != RZ
        && passes > WINDOW
        && body.iter().filter(writes).count() == 1
}
