//! Operand reads of arithmetic from the register file, where they were measured.
//!
//! A register bank delivers one register of a warp per cycle. An instruction issues while the operands of the
//! previous one are still being read. If its own operands would then be late, dispatch holds it, and the
//! whole scheduler with it: no warp issues, and the fixed-latency waits of other warps do not advance. On an
//! H200, such cycles appear as Dispatch Stall for eligible warps, and as Wait for warps in a fixed-latency
//! wait.

use super::codec::coded;
use super::decode::{Decoded, Kind, block_starts};
use super::products::issues_alone;
use crate::arch::PipeKind;
use crate::isa::{Instruction, Operand, RZ};

/// The maximum number of banks over all architectures.
const MAX_BANKS: usize = 2;

/// The number of registers that an instruction reads, by bank.
pub(super) type Reads = [u8; MAX_BANKS];

/// The register banks of one scheduler.
#[derive(Clone, Debug, Default)]
pub(super) struct Operands {
    /// The cycle in which each bank has delivered all requested registers.
    free: [u64; MAX_BANKS],
    /// The maximum of `free`.
    busy_until: u64,
}

coded!(Operands { free, busy_until });

impl Operands {
    /// Whether an issuing instruction can find a bank busy, or keep a bank busy for the next one.
    #[inline(always)]
    #[expect(clippy::needless_bitwise_bool, reason = "mispredicted branches cost more")]
    pub(super) const fn matter(&self, reads_one_bank_twice: bool, now: u64) -> bool {
        reads_one_bank_twice | (self.busy_until > now)
    }

    /// Issues an instruction. Returns the number of cycles for which dispatch holds it: one register of a
    /// bank may arrive a cycle late, several may not.
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

/// Sets each instruction's reads per bank. An operand is reused from the previous instruction if it has the
/// same position there and the instruction need not wait, as NVIDIA's compiler marks it (`.reuse`).
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
        decoded.kind = Kind::BankedArithmetic;
        decoded.reads_one_bank_twice = decoded.bank_reads.iter().any(|num| *num > 1);
    }
}

/// Whether the bank behavior of this instruction was measured.
fn reads_of_banks(decoded: &Decoded) -> bool {
    decoded.kind == Kind::Arithmetic
        && decoded.fixed_latency
        && matches!(decoded.pipe, PipeKind::Fp32 | PipeKind::Int32)
}

/// The registers of each operand; empty for RZ and for operands that are not registers.
fn registers(instruction: &Instruction) -> [std::ops::Range<u8>; 3] {
    let widths = instruction.op.source_widths();
    std::array::from_fn(|at| match instruction.srcs[at].operand {
        Operand::Reg(first) if first != RZ => first.0..first.0.saturating_add(widths[at]),
        _ => 0..0,
    })
}

/// The operands of each instruction that the previous instruction's `.reuse` keeps.
fn kept_operands(instructions: &[Decoded]) -> Vec<[bool; 3]> {
    let mut kept = vec![[false; 3]; instructions.len()];
    let starts_block = block_starts(instructions.iter().map(|decoded| &decoded.instruction));
    let issues = issues_alone(instructions);
    for (pc, decoded) in instructions.iter().enumerate() {
        let Some(last) = pc.checked_sub(1).map(|last| &instructions[last]) else {
            continue;
        };
        let interval = if last.pipe == decoded.pipe {
            last.occupancy.max(1)
        } else {
            1
        };
        if starts_block[pc]
            || !reads_of_banks(last)
            || !reads_of_banks(decoded)
            || issues[pc] > issues[pc - 1] + interval
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
