//! Pairs of adjacent instructions that a scheduler with two dispatch units issues together, where the
//! compiler encodes this: Kepler. The rules were determined on GK104 (envytools, Fermi CUDA ISA, "Dual
//! issue").
//!
//! The code fixes the time of the next issue. Therefore the first instruction of a pair does not issue alone
//! while the second waits for a fixed-latency result: the first also waits for the second's operands.

use super::decode::{Decoded, Kind, block_starts};
use crate::arch::{OpClass, PipeKind};
use crate::isa::{Operand, Space};

/// Classes whose instructions never dual-issue with each other.
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

/// The state of a scoreboard entry at an instruction of a basic block.
#[derive(Clone, Copy, Default)]
struct Entry {
    /// When the entry is ready, if a single warp runs the block.
    ready: u64,
    /// Whether an instruction of the block writes the entry with a fixed latency.
    is_fixed: bool,
}

/// Marks each instruction that dual-issues with the next one.
pub(super) fn note(instructions: &mut [Decoded]) {
    let starts_block = block_starts(instructions.iter().map(|decoded| &decoded.instruction));
    let num_entries = (instructions.iter())
        .flat_map(|decoded| decoded.reads().as_flattened().iter().chain(decoded.writes()))
        .max()
        .map_or(0, |entry| usize::from(*entry) + 1);
    let mut results = vec![Entry::default(); num_entries];
    let mut issued = 0;
    #[expect(clippy::needless_range_loop, reason = "the list is also split at the index")]
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
            // Without pairing, the second instruction would also issue one clock later.
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

/// Whether the second of two adjacent instructions can dual-issue with the first.
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

/// Whether an instruction can dual-issue at all.
fn is_one_of_two(decoded: &Decoded) -> bool {
    let op = decoded.instruction.op;
    let is_narrow = op.access_bytes() <= 4;
    match decoded.kind {
        Kind::Arithmetic | Kind::BankedArithmetic => decoded.pipe != PipeKind::Fp64,
        Kind::Memory => is_narrow && matches!(op.space(), Some(Space::Shared | Space::Local)),
        Kind::ConstantLoad => is_narrow,
        _ => false,
    }
}

/// The 16 bytes of a constant bank from which an instruction reads an operand.
fn constants(decoded: &Decoded) -> Option<(u8, u16)> {
    (decoded.instruction.srcs.iter()).find_map(|src| match src.operand {
        Operand::Const { bank, offset } => Some((bank, offset / 16)),
        _ => None,
    })
}
