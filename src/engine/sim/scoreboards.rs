//! What compilers write beside instructions for the load/store units: how long the warp issues nothing, and
//! which of a few scoreboards tells that the result is there.
//!
//! The model has an entry for every register instead. That several results have one scoreboard shows by those
//! that come first being waited for as long as the last. As read in the code of CUDA 13 for `sm_90`
//! (tests/microbenchmarks/README.md): in a row of loads each takes a scoreboard that nothing waits for, or the
//! last one if there is none; before the branch of a loop those beyond the last share the first.

use super::decode::{Decoded, Kind, block_starts};
use crate::arch::{Issue, PipeKind};
use crate::isa::Op;

/// Loads whose results nothing has waited for, by scoreboard, as places in the program.
struct Boards(Vec<Vec<usize>>);

impl Boards {
    /// An instruction waits for what it reads and overwrites, and with it for all that shares a scoreboard.
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

    /// The one that a load takes.
    fn for_load(&mut self) -> Option<&mut Vec<usize>> {
        let last = self.0.len().checked_sub(1)?;
        let empty = self.0.iter().position(Vec::is_empty);
        self.0.get_mut(empty.unwrap_or(last))
    }
}

/// Notes of each instruction for the load/store units how long its warp issues nothing, and what shares its
/// scoreboard.
pub(super) fn note(instructions: &mut [Decoded], issue: &Issue) {
    note_stalls(instructions, usize::from(issue.access_stall_cycles.value));
    let num = usize::from(issue.scoreboards.value);
    if num == 0 {
        return;
    }
    let starts_block = block_starts(instructions.iter().map(|decoded| &decoded.instruction));
    let mut boards = Boards(vec![Vec::new(); num]);
    for pc in 0..instructions.len() {
        if starts_block[pc] {
            boards = Boards(vec![Vec::new(); num]);
        }
        boards.wait(instructions, &instructions[pc]);
        if is_access(&instructions[pc]) && !instructions[pc].writes().is_empty() {
            let Some(board) = boards.for_load() else { continue };
            instructions[pc].shares_with = entries(instructions, board);
            board.push(pc);
        }
        if let Op::Bra { target } = instructions[pc].instruction.op
            && target.0 as usize <= pc
            && let [first, .., last] = &mut *boards.0
        {
            for load in last.drain(1.min(last.len())..) {
                instructions[load].shares_with = entries(instructions, first);
                first.push(load);
            }
        }
    }
}

/// What loads write.
fn entries(instructions: &[Decoded], loads: &[usize]) -> Vec<u16> {
    loads
        .iter()
        .flat_map(|load| instructions[*load].writes().iter().copied())
        .collect()
}

fn is_access(decoded: &Decoded) -> bool {
    decoded.pipe == PipeKind::Lsu && decoded.kind != Kind::Barrier
}

/// The next access comes so many cycles after each one: what instructions between them do not take is left.
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
