//! Where nvcc puts YIELD.
//!
//! The rule, derived from the code of nvcc 13.0 for 9.0 (`tests/microbenchmarks/yields.cu`): a loop has a YIELD if a branch
//! out of it depends on what an atomic operation, or a load that bypasses L1, in the loop returned, through data or through
//! branches, and lanes of a warp can leave the loop in different iterations or only some of them execute it. A thread that
//! exits in the middle of the loop does not count, and loops that sleep have no YIELD. The YIELD is in the first block of the
//! loop: before an atomic operation, a store, or a branch, and after a load, before its first use.

use super::dependence::{Dependence, Rule};
use super::loops::{Loop, loops, waits_for_others};
use crate::ids::Pc;
use crate::isa::info::RegRange;
use crate::isa::{Instruction, Op, Program, RZ, ShflMode, Space, Special};

/// The instructions of a program before which nvcc puts a YIELD for an H100.
pub fn yields_of(program: &Program) -> Vec<Pc> {
    let points = yield_points(&program.code);
    let found = (0..).zip(points).filter(|(_, is_point)| *is_point);
    found.map(|(pc, _)| Pc(pc)).collect()
}

/// By instruction: whether nvcc puts a YIELD before it.
pub(in crate::sim) fn yield_points(code: &[Instruction]) -> Vec<bool> {
    let mut points = vec![false; code.len()];
    if !code.iter().any(|instruction| waits_for_others(instruction.op)) {
        return points;
    }
    let loops = merged(loops(code));
    let has_source = |of: &&Loop| {
        let body = &code[of.head..=of.end];
        body.iter()
            .any(|instruction| waits_for_others(instruction.op) && instruction.dst != RZ)
            && !body
                .iter()
                .any(|instruction| matches!(instruction.op, Op::Nanosleep))
    };
    let candidates: Vec<&Loop> = loops.iter().filter(has_source).collect();
    if candidates.is_empty() {
        return points;
    }
    let lanes = Dependence::of(code, &loops, 0..=code.len() - 1, differs);
    let mut found: Vec<&Loop> = Vec::new();
    for of in candidates {
        let waits = |instruction: &Instruction| {
            if waits_for_others(instruction.op) {
                Rule::Always
            } else {
                Rule::Operands
            }
        };
        let on_others = Dependence::of(code, &loops, of.head..=of.end, waits);
        let lets_others_end_it = (of.head..=of.end).any(|pc| {
            of.is_left_at(code, pc)
                && on_others.decides(pc)
                && (lanes.decides(pc) || lanes.is_conditional[pc])
        });
        if lets_others_end_it {
            found.push(of);
        }
    }
    for of in &found {
        // One YIELD is enough where a loop begins with another.
        let begins_with = |inner: &&&Loop| {
            let is_inside = inner.head > of.head && inner.end <= of.end;
            is_inside
                && !code[of.head..inner.head]
                    .iter()
                    .any(|instruction| !matches!(instruction.op, Op::Bssy { .. } | Op::Ldc { .. } | Op::Mov))
        };
        if !found.iter().any(|inner| begins_with(&inner)) {
            points[place(code, of)] = true;
        }
    }
    points
}

/// Loops by their heads: several backward branches to one head are one loop.
fn merged(mut loops: Vec<Loop>) -> Vec<Loop> {
    loops.sort_by_key(|of| (of.head, std::cmp::Reverse(of.end)));
    loops.dedup_by_key(|of| of.head);
    loops
}

/// Where in the first block of a loop the YIELD is.
fn place(code: &[Instruction], of: &Loop) -> usize {
    let acts = |pc: &usize| {
        let op = code[*pc].op;
        op.is_control()
            || matches!(
                op,
                Op::Atom { .. } | Op::Red { .. } | Op::Bar { .. } | Op::Warpsync
            )
    };
    let end = (of.head..of.end).find(acts).unwrap_or(of.end);
    let waits = |pc: &usize| waits_for_others(code[*pc].op);
    let start = (of.head..end).find(waits).unwrap_or(of.head);
    let mut loaded = Vec::new();
    for (pc, instruction) in code.iter().enumerate().take(end).skip(start) {
        let uses = instruction
            .sources()
            .any(|range| range.regs().any(|reg| loaded.contains(&reg)));
        if uses || matches!(instruction.op, Op::St { .. }) {
            return pc;
        }
        if matches!(instruction.op, Op::Ld { .. }) {
            loaded.extend(instruction.destination().into_iter().flat_map(RegRange::regs));
        }
    }
    end
}

/// How the results of an instruction differ between the lanes of a warp.
fn differs(instruction: &Instruction) -> Rule {
    match instruction.op {
        Op::S2r { special } => match special {
            Special::CtaidX
            | Special::CtaidY
            | Special::CtaidZ
            | Special::SmId
            | Special::ActiveMask
            | Special::ClockLo
            | Special::ClockHi
            | Special::GlobalTimerLo
            | Special::GlobalTimerHi => Rule::Never,
            _ => Rule::Always,
        },
        Op::Ld {
            space: Space::Local, ..
        }
        | Op::Atom { .. }
        | Op::Call { .. } => Rule::Always,
        Op::Vote { .. } | Op::Redux { .. } | Op::Bar { .. } => Rule::Never,
        Op::Shfl {
            mode: ShflMode::Idx, ..
        } => Rule::Never,
        _ => Rule::Operands,
    }
}
