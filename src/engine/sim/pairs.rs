//! Which two neighbouring instructions a scheduler with two dispatch units issues at once where the compiler
//! says so: Kepler. The rules are those that were found on GK104 (envytools, Fermi CUDA ISA, "Dual issue").
//!
//! As the code says when a warp goes on, the first of a pair does not go alone while the second waits for a
//! result of fixed latency: it has the second's operands among its own.

use super::decode::{Decoded, Kind, block_starts};
use crate::arch::{OpClass, PipeKind};
use crate::isa::{Operand, Space};

/// Of these no two are issued at once.
const ONE_AT_ONCE: [OpClass; 8] = [
    OpClass::IntShift,
    OpClass::IntMul,
    OpClass::BitField,
    OpClass::BitReverse,
    OpClass::Popc,
    OpClass::Convert,
    OpClass::ConvertNarrow,
    OpClass::Convert64,
];

/// What is known of a scoreboard's entry at a place of a block.
#[derive(Clone, Copy, Default)]
struct Entry {
    /// When it can be read, if a warp alone runs the block.
    ready: u64,
    /// Whether an instruction of the block writes it after a fixed time.
    is_fixed: bool,
}

/// Notes of each instruction whether the next one is issued with it.
pub(super) fn note(instructions: &mut [Decoded]) {
    let starts_block = block_starts(instructions.iter().map(|decoded| &decoded.instruction));
    let num_entries = (instructions.iter())
        .flat_map(|decoded| decoded.reads().as_flattened().iter().chain(decoded.writes()))
        .max()
        .map_or(0, |entry| usize::from(*entry) + 1);
    let mut results = vec![Entry::default(); num_entries];
    let mut issued = 0;
    for pc in 0..instructions.len() {
        if starts_block[pc] {
            results.fill(Entry::default());
        }
        let (until, rest) = instructions.split_at_mut(pc);
        let decoded = &rest[0];
        let reads = decoded.reads().as_flattened();
        let ready = |entry: &u16| results[usize::from(*entry)].ready;
        let own = reads.iter().map(ready).fold(0, u64::max);
        let is_second = until
            .len()
            .checked_sub(2)
            .is_some_and(|before| until[before].pairs);
        let mut pairs = false;
        if let Some(first) = until.last_mut()
            && !starts_block[pc]
            && !is_second
            // Alone, it would be issued a clock later, too.
            && own <= issued + 1
            && may_pair(first, decoded)
        {
            let fixed = reads
                .iter()
                .filter(|entry| results[usize::from(**entry)].is_fixed);
            pairs = first.also_reads(fixed.copied());
            first.pairs = pairs;
        }
        let first = until.last().filter(|_| pairs);
        issued = own.max(issued + u64::from(!pairs));
        for decoded in first.into_iter().chain([decoded]) {
            for entry in decoded.writes() {
                results[usize::from(*entry)] = Entry {
                    ready: issued + decoded.latency,
                    is_fixed: decoded.fixed_latency,
                };
            }
        }
    }
}

/// Whether the second of two neighbours may be issued with the first.
fn may_pair(first: &Decoded, second: &Decoded) -> bool {
    let both = |has: fn(&Decoded) -> bool| has(first) && has(second);
    let independent = (first.writes().iter())
        .all(|entry| !second.reads().as_flattened().contains(entry) && !second.writes().contains(entry));
    independent
        && is_one_of_two(first)
        && is_one_of_two(second)
        && !both(|decoded| ONE_AT_ONCE.contains(&decoded.instruction.class()))
        && !both(|decoded| decoded.instruction.predicate_destination().is_some())
        && !both(|decoded| decoded.instruction.class() == OpClass::SpecialRegister)
        && !both(|decoded| decoded.queued)
        && match (constants(first), constants(second)) {
            (Some(one), Some(other)) => one == other,
            _ => true,
        }
}

/// Whether it is ever issued with another one.
fn is_one_of_two(decoded: &Decoded) -> bool {
    let op = decoded.instruction.op;
    let is_narrow = op.access_bytes() <= 4;
    match decoded.kind {
        Kind::Arithmetic | Kind::OfBanks => decoded.pipe != PipeKind::Fp64,
        Kind::Memory => is_narrow && matches!(op.space(), Some(Space::Shared | Space::Local)),
        Kind::ConstantLoad => is_narrow,
        _ => false,
    }
}

/// The 16 bytes of a constant bank that an instruction has an operand in.
fn constants(decoded: &Decoded) -> Option<(u8, u16)> {
    (decoded.instruction.srcs.iter()).find_map(|src| match src.operand {
        Operand::Const { bank, offset } => Some((bank, offset / 16)),
        _ => None,
    })
}
