//! Control information that compilers encode with instructions for the load/store units: the stall count of
//! the warp, and the scoreboard that signals the result.
//!
//! The model has an entry for every register instead. Results that share a scoreboard are modeled by a
//! longer wait: a reader of an early result waits until the last result arrives. Source: the code of CUDA 13
//! for `sm_90` (tests/microbenchmarks/README.md). In a sequence of loads, each load takes a scoreboard
//! without a pending wait, or the last scoreboard if none is left. Before the branch of a loop, loads beyond
//! the last scoreboard share the first one.
//! last one if there is none; before the branch of a loop those beyond the last share the first.

use super::decode::{Decoded, Kind, block_starts};
use crate::arch::{Issue, PipeKind};
use crate::isa::Op;

/// Loads with unread results, by scoreboard, as instruction indices.
struct Scoreboards(Vec<Vec<usize>>);

impl Scoreboards {
    /// Waits for the operands and results of an instruction, and for all loads that share their scoreboards.
    fn wait(&mut self, instructions: &[Decoded], next: &Decoded) {
        let wanted = |entry: &u16| {
            let reads = next.reads().as_flattened();
            reads.contains(entry) || next.writes().contains(entry)
        };
        for board in &mut self.0 {
            if board
                .iter()
                .any(|load| instructions[*load].writes().iter().any(wanted))
            {
                board.clear();
            }
        }
    }

    /// The scoreboard that a load takes.
    fn for_load(&mut self) -> Option<&mut Vec<usize>> {
        let last = self.0.len().checked_sub(1)?;
        let empty = self.0.iter().position(Vec::is_empty);
        self.0.get_mut(empty.unwrap_or(last))
    }
}

/// Sets the stall count of each instruction for the load/store units, and the entries that share its
/// scoreboard.
pub(super) fn note(instructions: &mut [Decoded], issue: &Issue) {
    note_stalls(instructions, usize::from(issue.access_stall_cycles.value));
    let num = usize::from(issue.scoreboards.value);
    if num == 0 {
        return;
    }
    let starts_block = block_starts(instructions.iter().map(|decoded| &decoded.instruction));
    let mut scoreboards = Scoreboards(vec![Vec::new(); num]);
    for pc in 0..instructions.len() {
        if starts_block[pc] {
            scoreboards = Scoreboards(vec![Vec::new(); num]);
        }
        scoreboards.wait(instructions, &instructions[pc]);
        if is_access(&instructions[pc]) && !instructions[pc].writes().is_empty() {
            let Some(board) = scoreboards.for_load() else {
                continue;
            };
            instructions[pc].shares_with = entries(instructions, board);
            board.push(pc);
        }
        if let Op::Bra { target } = instructions[pc].instruction.op
            && target.0 as usize <= pc
            && let [first, .., last] = &mut *scoreboards.0
        {
            for load in last.drain(1.min(last.len())..) {
                instructions[load].shares_with = entries(instructions, first);
                first.push(load);
            }
        }
    }
}

/// The entries that loads write.
fn entries(instructions: &[Decoded], loads: &[usize]) -> Vec<u16> {
    loads
        .iter()
        .flat_map(|load| instructions[*load].writes().iter().copied())
        .collect()
}

fn is_access(decoded: &Decoded) -> bool {
    decoded.pipe == PipeKind::Lsu && decoded.kind != Kind::Barrier
}

/// Sets stall counts so that the next access issues `cycles` cycles after each one, minus the cycles of
/// instructions between them.
fn note_stalls(instructions: &mut [Decoded], cycles: usize) {
    for pc in 0..instructions.len() {
        if !is_access(&instructions[pc]) {
            continue;
        }
        let next = instructions[pc + 1..].iter().take(cycles).position(is_access);
        if let Some(between) = next {
            instructions[pc].access_stall = cycles.saturating_sub(between).max(1) as u64;
        }
    }
}
