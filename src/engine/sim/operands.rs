//! How arithmetic reads its operands out of the register file, where that was measured.
//!
//! A bank gives one register of a warp a cycle. An instruction issues while operands of the one before it
//! are still being read; if then its own would come late, it is held at dispatch, and with it everything of
//! its scheduler: nothing issues, and what other warps have to wait is not counted down. On an H200 such
//! cycles show as Dispatch Stall for warps that could issue, and as Wait for those that wait.

use super::codec::coded;
use super::decode::{Decoded, Kind, block_starts};
use crate::arch::PipeKind;
use crate::isa::{Instruction, Operand, RZ};

/// Banks that an architecture has at most.
const MAX_BANKS: usize = 2;

/// Registers that an instruction reads, by bank.
pub(super) type Reads = [u8; MAX_BANKS];

/// The banks of a scheduler's part of the register file.
#[derive(Clone, Debug, Default)]
pub(super) struct Operands {
    /// When each has given what was asked of it.
    free: [u64; MAX_BANKS],
    /// The later of these.
    busy_until: u64,
}

coded!(Operands { free, busy_until });

impl Operands {
    /// Whether an instruction that issues can find a bank busy, or keep it so for the next one.
    #[inline(always)]
    #[allow(
        clippy::needless_bitwise_bool,
        reason = "branches that cannot be foreseen cost more"
    )]
    pub(super) const fn matter(&self, reads_one_bank_twice: bool, now: u64) -> bool {
        reads_one_bank_twice | (self.busy_until > now)
    }

    /// An instruction issues. Returns for how many cycles it is held: one register of a bank may come a
    /// cycle late, several may not.
    #[inline(never)]
    pub(super) fn read(&mut self, reads: Reads, now: u64) -> u64 {
        let mut held = 0;
        for (free, num) in self.free.iter().zip(reads) {
            if num > 0 {
                held = held.max(free.saturating_sub(now + u64::from(num == 1)));
            }
        }
        for (free, num) in self.free.iter_mut().zip(reads) {
            if num > 0 {
                *free = (*free).max(now + held) + u64::from(num);
            }
        }
        self.busy_until = self.free.iter().copied().fold(0, u64::max);
        held
    }
}

/// Notes of every instruction what it reads of each bank. What stays at the same place among the operands
/// of an instruction as in the one before it, and need not wait for anything, is kept between them, as
/// NVIDIA's compiler has it kept (`.reuse`).
pub(super) fn note_reads(instructions: &mut [Decoded], num_banks: usize) {
    if num_banks == 0 {
        return;
    }
    let kept = kept_operands(instructions);
    for (decoded, kept) in instructions.iter_mut().zip(kept) {
        if !reads_of_banks(decoded) {
            continue;
        }
        let mut read: Vec<u8> = registers(&decoded.instruction)
            .iter()
            .zip(kept)
            .filter(|(_, kept)| !kept)
            .flat_map(|(regs, _)| regs.clone())
            .collect();
        read.sort_unstable();
        read.dedup();
        for reg in read {
            decoded.bank_reads[usize::from(reg) % num_banks.min(MAX_BANKS)] += 1;
        }
        decoded.kind = Kind::OfBanks;
        decoded.reads_one_bank_twice = decoded.bank_reads.iter().any(|num| *num > 1);
    }
}

/// Whether it is an instruction of which this was measured.
fn reads_of_banks(decoded: &Decoded) -> bool {
    decoded.kind == Kind::Arithmetic
        && decoded.fixed_latency
        && matches!(decoded.pipe, PipeKind::Fp32 | PipeKind::Int32)
}

/// The registers of each operand; none of what is no register, or RZ.
fn registers(instruction: &Instruction) -> [std::ops::Range<u8>; 3] {
    let widths = instruction.op.source_widths();
    std::array::from_fn(|at| match instruction.srcs[at].operand {
        Operand::Reg(first) if first != RZ => first.0..first.0.saturating_add(widths[at]),
        _ => 0..0,
    })
}

/// Which operands of each instruction the one before it has had kept.
fn kept_operands(instructions: &[Decoded]) -> Vec<[bool; 3]> {
    let mut kept = vec![[false; 3]; instructions.len()];
    let starts_block = block_starts(instructions.iter().map(|decoded| &decoded.instruction));
    // When a warp alone would issue each, and when what it writes can be read.
    let mut ready = vec![0_u64; 512];
    let mut issued = 0;
    for (pc, decoded) in instructions.iter().enumerate() {
        // Earlier results count as ready when a block starts: the iterations of a loop align its chains.
        if starts_block[pc] {
            for time in &mut ready {
                *time = (*time).min(issued);
            }
        }
        let reads = decoded.reads().as_flattened().iter();
        let first = reads.map(|entry| ready[usize::from(*entry)]).fold(0, u64::max);
        let before = issued;
        issued = first.max(before + 1);
        for entry in decoded.writes() {
            ready[usize::from(*entry)] = issued + decoded.latency;
        }
        let Some(last) = pc.checked_sub(1).map(|last| &instructions[last]) else {
            continue;
        };
        let interval = if last.pipe == decoded.pipe {
            last.occupancy.max(1)
        } else {
            1
        };
        if starts_block[pc] || !reads_of_banks(last) || !reads_of_banks(decoded) || issued > before + interval
        {
            continue;
        }
        let (had, wanted) = (registers(&last.instruction), registers(&decoded.instruction));
        for (kept, (had, wanted)) in kept[pc].iter_mut().zip(had.iter().zip(wanted)) {
            let overwritten = |reg: u8| last.writes().contains(&u16::from(reg));
            *kept = *had == wanted && !wanted.clone().any(overwritten);
        }
    }
    kept
}
