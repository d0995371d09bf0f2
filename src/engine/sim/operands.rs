//! Operand reads of arithmetic from the register file, where they were measured.
//!
//! A register bank delivers one register of a warp per cycle. An instruction issues while the operands of the
//! previous one are still being read. If its own operands would then be late, dispatch holds it, and the
//! whole scheduler with it: no warp issues, and the fixed-latency waits of other warps do not advance. On an
//! H200, such cycles appear as Dispatch Stall for eligible warps, and as Wait for warps in a fixed-latency
//! wait.
//!
//! A matrix product reads its factors in the first cycles after its issue and its sums in the fifth and sixth, and writes the
//! sums in two cycles in which no other result can be written. On an H100, dispatch holds the instructions that these reads
//! and writes are in the way of (`held.csv`), and then all warps of the scheduler and its tensor core are later. So the loop
//! counter of one warp delays the products of the others.

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
    /// The last products, the latest first.
    products: [Product; 2],
    /// The first cycle in which neither the banks nor a product can hold an instruction.
    busy_until: u64,
}

/// A matrix product that reads and writes registers.
#[derive(Clone, Copy, Debug, Default)]
struct Product {
    /// The cycle after its issue.
    after: u64,
    /// Its reads of each bank.
    reads: u8,
}

coded!(Operands {
    free,
    products,
    busy_until
});
coded!(Product { after, reads });

impl Product {
    /// Cycles after the issue of a product until no instruction is held.
    const CYCLES: u64 = 10;
    /// In these cycles after its issue, no other instruction that writes a register can issue.
    const WRITES: std::ops::Range<u64> = 8..10;

    /// Cycles for which a product delays an instruction with so many reads of one bank.
    const fn holds(self, reads: u8, writes: bool, now: u64) -> u64 {
        let since = now + 1 - self.after;
        if self.after == 0 || since == 0 || since >= Self::CYCLES {
            return 0;
        }
        let mut at = since;
        if reads == 1 && since == 4 {
            at += 1;
        } else if reads > 1 {
            let end = self.reads as u64 + reads as u64 - 2 + (since > 3) as u64;
            if end > at {
                at = end;
            }
        }
        if writes && Self::WRITES.start <= at && at < Self::WRITES.end {
            at = Self::WRITES.end;
        }
        at - since
    }
}

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
    pub(super) fn read(&mut self, reads: Reads, writes: bool, now: u64) -> u64 {
        let most = reads.into_iter().fold(0, u8::max);
        let mut held = 0;
        for product in self.products {
            held += product.holds(most, writes, now + held);
        }
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
        self.busy_until = self.busy_until.max(self.free.into_iter().fold(0, u64::max));
        held
    }

    /// Issues a product.
    pub(super) fn multiply(&mut self, reads: Reads, now: u64) {
        let reads = reads.into_iter().fold(0, u8::max);
        self.products = [
            Product {
                after: now + 1,
                reads,
            },
            self.products[0],
        ];
        self.busy_until = self.busy_until.max(now + Product::CYCLES);
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
        if !reads_of_banks(decoded) && !decoded.is_fixed_product() {
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
        if decoded.is_fixed_product() {
            continue;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_hold_instructions_as_on_an_h100() {
        let mut num_held = 0;
        let table = include_str!("../../../tests/microbenchmarks/held.csv");
        for line in table.lines().filter(|line| !line.starts_with('#')).skip(1) {
            let cells: Vec<&str> = line.split(',').collect();
            let [name, after, measured] = cells[..] else {
                panic!("{line}")
            };
            // The reads by bank, and whether it writes a register.
            let (reads, writes) = match name.split(" after").next() {
                Some("MOV of a constant" | "IMAD of RZ") => ([0, 0], true),
                Some("MOV E") => ([1, 0], true),
                Some("MOV O") => ([0, 1], true),
                Some("FADD EE") => ([2, 0], true),
                Some("FADD OO") => ([0, 2], true),
                Some("FADD EO") => ([1, 1], true),
                Some("FFMA EEE") => ([3, 0], true),
                Some("ISETP") => ([1, 0], false),
                Some("NOP") => continue,
                other => panic!("{other:?}"),
            };
            // Four registers of the first factor, two of the second, and the sum's four.
            let of_product = if name.contains("without a sum") { 3 } else { 5 };
            let mut operands = Operands::default();
            operands.multiply([of_product; 2], 100);
            let after: u64 = after.parse().expect("cycles");
            let held = operands.read(reads, writes, 100 + after);
            let measured: f64 = measured.parse().expect("cycles");
            assert!((measured - held as f64).abs() < 0.05, "{line}: {held}");
            num_held += u32::from(held > 0);
        }
        assert_eq!(num_held, 42);
    }
}
