//! Which programs have loops in which a warp may spin.

use super::WINDOW;
use crate::isa::{CacheOp, Instruction, Op, Operand, PredSrc, Program, RZ, Space, Src};
use crate::sim::decode::block_starts;

/// Whether a warp of the program may come back to what it was: it reads again and again what others may
/// change, or has a loop without a way out, and what it does does not depend on the time. A warp comes back
/// only through a loop that does not count.
pub(in crate::sim) fn may_spin(program: &Program) -> bool {
    let code = &program.code;
    let reads_clock = code
        .iter()
        .any(|instruction| matches!(instruction.op, Op::S2r { special } if special.is_clock()));
    let polls = || code.iter().any(|instruction| polls(instruction.op));
    let has_no_way_out = |of: &Loop| {
        matches!(code[of.end].op, Op::Bra { .. })
            && !code[of.head..of.end]
                .iter()
                .any(|instruction| instruction.op.is_control())
    };
    let loops = loops(code);
    !reads_clock && (polls() || loops.iter().any(has_no_way_out)) && !all_count(code, &loops)
}

/// Whether an access reads what other lanes may change meanwhile.
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

/// From the target of a jump back to the jump.
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

/// Whether each loop adds a number to a register in every pass, and does nothing else to it: in
/// [`WINDOW`] cycles it does not come back to what it was. Of programs with functions, and of loops that
/// are not one within the other, nothing is said.
fn all_count(code: &[Instruction], loops: &[Loop]) -> bool {
    let starts_block = block_starts(code.iter());
    let has_calls = code
        .iter()
        .any(|instruction| matches!(instruction.op, Op::Call { .. }));
    let overlaps =
        |one: &Loop, other: &Loop| one.head < other.head && other.head <= one.end && one.end < other.end;
    let counts = |of: &Loop| {
        // What nobody enters or leaves on its way to the jump back is done in every pass.
        let mut tail = (of.head..of.end)
            .rev()
            .take_while(|pc| !code[*pc].op.is_control() && !starts_block[pc + 1]);
        tail.any(|pc| is_counter(&code[pc], &code[of.head..of.end]))
            && !loops.iter().any(|other| overlaps(of, other))
    };
    !has_calls && loops.iter().all(counts)
}

/// Whether an instruction of a loop adds a number to a register that no other one writes.
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
    // Modulo 2^32 it comes back after so many passes, of which each takes a cycle at least.
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
