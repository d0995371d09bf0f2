//! Stretches of the program that are run from end to end: each has a letter and a colour, so that
//! lanes of one stretch look alike wherever they are in it.

use std::collections::BTreeSet;

use crate::scene::Role;
use engine::ids::Pc;
use engine::isa::{Instruction, Op};

/// Steps of the passes' colours: any two of them can be told apart.
const COLOURS: [u16; 6] = [1, 2, 3, 5, 9, 17];

/// Where the stretches of a program begin.
#[derive(Clone, Debug)]
pub(super) struct Blocks {
    starts: Vec<u32>,
    num_instructions: u32,
}

impl Blocks {
    /// A stretch begins where a branch or a call leads to, and behind each.
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

    /// The stretch of an instruction, from 0.
    pub(super) fn idx(&self, pc: Pc) -> usize {
        self.starts.partition_point(|start| *start <= pc.0).max(1) - 1
    }

    /// Its letter: A to Z, then A1 to Z1.
    pub(super) fn letter(&self, pc: Pc) -> String {
        let idx = self.idx(pc);
        let letter = char::from(b'A' + (idx % 26) as u8);
        match idx / 26 {
            0 => letter.to_string(),
            round => format!("{letter}{round}"),
        }
    }

    /// Its colour, and that of numerals in it.
    pub(super) fn roles(&self, pc: Pc) -> (Role, Role) {
        let pass = COLOURS[self.idx(pc) % COLOURS.len()];
        (Role::Pass(pass), Role::OnPass(pass))
    }

    /// First and last instruction of the stretch of an instruction.
    pub(super) fn span(&self, pc: Pc) -> (u32, u32) {
        let idx = self.idx(pc);
        let first = self.starts.get(idx).copied().unwrap_or(0);
        let end = self.starts.get(idx + 1).copied().unwrap_or(self.num_instructions);
        (first, end.max(first + 1) - 1)
    }
}
