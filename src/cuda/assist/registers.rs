//! The registers that hold the value of a variable, derived from the machine code.
//!
//! The machine code has no variable names. An instruction computes the value of a variable if two conditions hold:
//! its source location lies in an expression assigned to the variable, and an instruction outside this expression
//! reads its result.

use std::collections::BTreeSet;

use engine::ids::Span;
use engine::isa::info::RegRange;
use engine::isa::print::instruction_bytes;
use engine::isa::{Instruction, Op, PredSrc, Program};

/// A value in registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Held {
    /// `R4`, or `R4 and R5`.
    pub registers: String,
    /// Address of the instruction that writes it.
    pub address: u32,
    /// Number of instructions from the next instruction to the last reader of the value.
    pub instructions: u32,
}

/// The registers of a variable's values. `values` are the spans of the expressions assigned to the variable.
pub(super) fn held(program: &Program, values: &[Span]) -> Vec<Held> {
    let mut out: Vec<Held> = Vec::new();
    for (pc, instruction) in program.code.iter().enumerate() {
        let span = instruction.span;
        let inside = |other: Span| {
            let around = |value: &&Span| value.start <= other.start && other.end <= value.end;
            other != Span::default() && values.iter().any(|value| around(&value))
        };
        let Some(range) = instruction.destination().filter(|_| inside(span)) else {
            continue;
        };
        let (live, readers) = live_range(program, pc, range);
        if readers.iter().all(|reader| inside(program.code[*reader].span)) {
            continue;
        }
        let held = Held {
            registers: register_names(range),
            address: pc as u32 * instruction_bytes(program.arch),
            instructions: live,
        };
        if !out.iter().any(|other| other.registers == held.registers) {
            out.push(held);
        }
    }
    out
}

fn register_names(range: RegRange) -> String {
    let last = range.first.0 + range.num - 1;
    match range.num {
        1 => format!("R{}", range.first.0),
        2 => format!("R{} and R{last}", range.first.0),
        _ => format!("R{} to R{last}", range.first.0),
    }
}

fn reads(instruction: &Instruction, range: RegRange) -> bool {
    let wanted: Vec<u8> = range.regs().map(|reg| reg.0).collect();
    instruction
        .sources()
        .any(|source| source.regs().any(|reg| wanted.contains(&reg.0)))
}

fn overwrites(instruction: &Instruction, range: RegRange) -> bool {
    instruction.guard == PredSrc::TRUE
        && instruction
            .destination()
            .is_some_and(|written| written.regs().any(|reg| reg == range.first))
}

/// The possible successors of an instruction.
fn successors(program: &Program, pc: usize) -> Vec<usize> {
    let instruction = &program.code[pc];
    let mut out = Vec::new();
    // Lanes reach the target of a push later, through a pop.
    let jumps = matches!(instruction.op, Op::Bra { .. } | Op::Push { .. });
    if let Some(target) = instruction.op.target().filter(|_| jumps) {
        out.push(target.0 as usize);
    }
    let leaves = matches!(
        instruction.op,
        Op::Bra { .. } | Op::Pop { .. } | Op::Exit | Op::Ret | Op::Trap
    );
    if !leaves || instruction.guard != PredSrc::TRUE {
        out.push(pc + 1);
    }
    out.retain(|next| *next < program.code.len());
    out
}

/// The live range, in instructions, of the value that `pc` writes, and the instructions that read the value.
fn live_range(program: &Program, pc: usize, range: RegRange) -> (u32, BTreeSet<usize>) {
    // The instructions that the value reaches.
    let mut reached = BTreeSet::new();
    let mut readers = BTreeSet::new();
    let mut next = successors(program, pc);
    while let Some(at) = next.pop() {
        if !reached.insert(at) {
            continue;
        }
        if reads(&program.code[at], range) {
            readers.insert(at);
        }
        if !overwrites(&program.code[at], range) {
            next.extend(successors(program, at));
        }
    }
    // Of these, the instructions from which a reader is reachable.
    let mut needed = readers.clone();
    loop {
        let num = needed.len();
        for at in reached.iter().rev() {
            if !overwrites(&program.code[*at], range)
                && successors(program, *at).iter().any(|next| needed.contains(next))
            {
                needed.insert(*at);
            }
        }
        if needed.len() == num {
            break;
        }
    }
    (needed.len() as u32, readers)
}
