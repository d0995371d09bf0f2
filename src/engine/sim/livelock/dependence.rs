//! What the registers and predicates of a program depend on, through data and through branches.

use super::loops::Loop;
use crate::isa::info::RegRange;
use crate::isa::{Instruction, Op, PT, PredSrc};

/// Places of the program's state: 256 registers, then 8 predicates.
const NUM_WORDS: usize = 5;
const FIRST_PREDICATE: usize = 256;

/// A set of registers and predicates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Places([u64; NUM_WORDS]);

impl Places {
    const fn has(&self, place: usize) -> bool {
        self.0[place / 64] >> (place % 64) & 1 != 0
    }

    const fn set(&mut self, place: usize, value: bool) {
        let bit = 1 << (place % 64);
        if value {
            self.0[place / 64] |= bit;
        } else {
            self.0[place / 64] &= !bit;
        }
    }

    /// Adds other places. Returns whether there are more now.
    fn add(&mut self, others: &Self) -> bool {
        let before = *self;
        for (word, other) in self.0.iter_mut().zip(others.0) {
            *word |= other;
        }
        *self != before
    }
}

/// What an instruction writes.
fn written(instruction: &Instruction) -> impl Iterator<Item = usize> {
    let registers = instruction.destination().into_iter().flat_map(RegRange::regs);
    let predicate = instruction.predicate_destination();
    registers
        .map(|reg| usize::from(reg.0))
        .chain(predicate.map(|pred| FIRST_PREDICATE + usize::from(pred.0)))
}

/// What an instruction reads, its guard included.
fn read(instruction: &Instruction) -> impl Iterator<Item = usize> {
    let registers = instruction.sources().flat_map(RegRange::regs);
    let predicates = instruction.predicate_sources();
    registers
        .map(|reg| usize::from(reg.0))
        .chain(predicates.map(|pred| FIRST_PREDICATE + usize::from(pred.0)))
}

/// How an instruction's results depend on its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rule {
    /// They depend whatever the operands are.
    Always,
    /// They never depend.
    Never,
    /// They depend if an operand does.
    Operands,
}

/// The registers and predicates that depend on chosen instructions, before each instruction.
pub(super) struct Dependence<'a> {
    code: &'a [Instruction],
    loops: &'a [Loop],
    before: Vec<Places>,
    /// Whether a branch that depends decides whether, or how often, the instruction is executed.
    pub(super) is_conditional: Vec<bool>,
    /// By loop: whether a branch out of it depends.
    leaves_apart: Vec<bool>,
}

impl<'a> Dependence<'a> {
    /// Follows the results of the instructions in a range until nothing changes.
    pub(super) fn of(
        code: &'a [Instruction],
        loops: &'a [Loop],
        within: std::ops::RangeInclusive<usize>,
        rule: impl Fn(&Instruction) -> Rule,
    ) -> Self {
        let mut this = Self {
            code,
            loops,
            before: vec![Places::default(); code.len()],
            is_conditional: vec![false; code.len()],
            leaves_apart: vec![false; loops.len()],
        };
        let mut changes = true;
        while std::mem::take(&mut changes) {
            for pc in within.clone() {
                let after = this.after(pc, &rule);
                changes |= this.note_branch(pc);
                for next in successors(code, pc).into_iter().flatten() {
                    if within.contains(&next) {
                        let mut state = after;
                        this.leave(pc, next, &mut state);
                        changes |= this.before[next].add(&state);
                    }
                }
            }
        }
        this
    }

    /// Whether the guard of an instruction depends.
    pub(super) fn decides(&self, pc: usize) -> bool {
        let PredSrc { pred, .. } = self.code[pc].guard;
        pred != PT && self.before[pc].has(FIRST_PREDICATE + usize::from(pred.0))
    }

    fn after(&self, pc: usize, rule: &impl Fn(&Instruction) -> Rule) -> Places {
        let (instruction, before) = (&self.code[pc], &self.before[pc]);
        let depends = match rule(instruction) {
            Rule::Always => true,
            Rule::Never => false,
            Rule::Operands => read(instruction).any(|place| before.has(place)),
        };
        if depends && matches!(instruction.op, Op::Call { .. }) {
            return Places([u64::MAX; NUM_WORDS]);
        }
        let mut after = *before;
        for place in written(instruction) {
            let keeps = instruction.guard != PredSrc::TRUE && before.has(place);
            after.set(place, depends || keeps || self.is_conditional[pc]);
        }
        after
    }

    /// Marks what lies between a branch that depends and the place where its ways meet.
    fn note_branch(&mut self, pc: usize) -> bool {
        let Op::Bra { target } = self.code[pc].op else {
            return false;
        };
        let target = target.0 as usize;
        if !self.decides(pc) || target <= pc {
            return self.note_exits(pc);
        }
        // A branch around the other way of an `if` before the target.
        let other = match self.code[target - 1].op {
            Op::Bra { target: end } if self.code[target - 1].guard == PredSrc::TRUE => end.0 as usize,
            _ => target,
        };
        let mut changes = self.note_exits(pc);
        let is_exit = |of: &Loop| (of.head..=of.end).contains(&pc) && target > of.end;
        if !self.loops.iter().any(is_exit) {
            for conditional in &mut self.is_conditional[pc + 1..other.max(target)] {
                changes |= !std::mem::replace(conditional, true);
            }
        }
        changes
    }

    /// Notes the loops that a branch that depends leaves.
    fn note_exits(&mut self, pc: usize) -> bool {
        let mut changes = false;
        for (idx, of) in self.loops.iter().enumerate() {
            if of.is_left_at(self.code, pc) && self.decides(pc) {
                changes |= !std::mem::replace(&mut self.leaves_apart[idx], true);
                self.is_conditional[of.head..=of.end].fill(true);
            }
        }
        changes
    }

    /// Adds what the loops write that the lanes leave in different iterations.
    fn leave(&self, pc: usize, next: usize, state: &mut Places) {
        for (of, apart) in self.loops.iter().zip(&self.leaves_apart) {
            let body = of.head..=of.end;
            if *apart && body.contains(&pc) && !body.contains(&next) {
                for instruction in &self.code[body] {
                    written(instruction).for_each(|place| state.set(place, true));
                }
            }
        }
    }
}

/// The instructions that can follow one.
fn successors(code: &[Instruction], pc: usize) -> [Option<usize>; 2] {
    let instruction = &code[pc];
    let is_always = instruction.guard == PredSrc::TRUE;
    let next = (pc + 1 < code.len()).then_some(pc + 1);
    match instruction.op {
        Op::Bra { target } => [Some(target.0 as usize), next.filter(|_| !is_always)],
        Op::Call { target } => [Some(target.0 as usize), next],
        Op::Exit | Op::Ret => [next.filter(|_| !is_always), None],
        _ => [next, None],
    }
}
