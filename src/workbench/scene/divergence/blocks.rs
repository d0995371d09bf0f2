//! The basic blocks of the program. Each has a letter and a color, so that lanes in one block look alike.

use std::collections::BTreeSet;

use crate::scene::Role;
use engine::ids::Pc;
use engine::isa::{Instruction, Op};

/// Pass colors of the blocks: any two of them are distinguishable.
const COLORS: [u16; 6] = [1, 2, 3, 5, 9, 17];

/// The starts of a program's basic blocks.
#[derive(Clone, Debug)]
pub(super) struct Blocks {
    starts: Vec<u32>,
    num_instructions: u32,
}

impl Blocks {
    /// A block starts at each target of a branch or a call, and after each branch or call.
    pub(super) fn of(code: &[Instruction]) -> Self {
        let mut starts = BTreeSet::from([0]);
        for (instruction, pc) in code.iter().zip(0..) {
            match instruction.op {
                Op::Bra { target } | Op::Call { target } => {
                    starts.insert(target.0);
                    starts.insert(pc + 1);
                }
                Op::Push { target, .. } | Op::Bssy { target, .. } => {
                    starts.insert(target.0);
                }
                Op::Pop { .. } | Op::Ret => {
                    starts.insert(pc + 1);
                }
                _ => {}
            }
        }
        let num_instructions = code.len() as u32;
        Self {
            starts: starts
                .into_iter()
                .filter(|start| *start < num_instructions)
                .collect(),
            num_instructions,
        }
    }

    /// Index of an instruction's block, from 0.
    pub(super) fn idx(&self, pc: Pc) -> usize {
        self.starts.partition_point(|start| *start <= pc.0).max(1) - 1
    }

    /// The letter of an instruction's block: A to Z, then A1 to Z1.
    pub(super) fn letter(&self, pc: Pc) -> String {
        let idx = self.idx(pc);
        let letter = char::from(b'A' + (idx % 26) as u8);
        match idx / 26 {
            0 => letter.to_string(),
            round => format!("{letter}{round}"),
        }
    }

    /// The color of an instruction's block, and of text in it.
    pub(super) fn roles(&self, pc: Pc) -> (Role, Role) {
        let pass = COLORS[self.idx(pc) % COLORS.len()];
        (Role::Pass(pass), Role::OnPass(pass))
    }

    /// First and last instruction of an instruction's block.
    pub(super) fn span(&self, pc: Pc) -> (u32, u32) {
        let idx = self.idx(pc);
        let first = self.starts.get(idx).copied().unwrap_or(0);
        let end = self.starts.get(idx + 1).copied().unwrap_or(self.num_instructions);
        (first, end.max(first + 1) - 1)
    }
}
