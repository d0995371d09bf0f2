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

/// Whether the result of an operation depends on other threads: that of atomic operations, and of loads that bypass L1. nvcc
/// does not count ATOMS.CAST.SPIN, which adds floating-point numbers.
pub(in crate::sim) const fn waits_for_others(op: Op) -> bool {
    match op {
        Op::Atom { op, .. } => !matches!(op, AtomOp::Cast),
        Op::Ld { cache, .. } => matches!(cache, CacheOp::Cv | CacheOp::Cg),
        _ => false,
    }
}

/// A loop: from the target of a backward jump to the jump.
pub(super) struct Loop {
    pub(super) head: usize,
    pub(super) end: usize,
}

impl Loop {
    /// Whether lanes leave the loop at an instruction in it, other than by an exit of the thread before more accesses to
    /// memory.
    pub(super) fn is_left_at(&self, code: &[Instruction], pc: usize) -> bool {
        let body = self.head..=self.end;
        match code[pc].op {
            Op::Bra { target } if body.contains(&pc) => {
                let is_conditional = code[pc].guard != PredSrc::TRUE;
                !body.contains(&(target.0 as usize)) || pc == self.end && is_conditional
            }
            Op::Exit if body.contains(&pc) => !code[pc..self.end].iter().any(Instruction::is_memory),
            _ => false,
        }
    }
}

pub(super) fn loops(code: &[Instruction]) -> Vec<Loop> {
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
