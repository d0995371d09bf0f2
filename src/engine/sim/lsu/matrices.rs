//! The values of LDSM and STSM: loads and stores of rows of 16 bytes, whose words other lanes have in registers.

use super::Part;
use crate::isa::{Instruction, Op, RZ, Reg, Src, Width};
use crate::sim::exec::{Row, matrices};
use crate::sim::sm::Sm;

impl Sm {
    /// Loads matrices to registers of the lanes that execute the instruction.
    pub(super) fn load_matrices(&mut self, slot: usize, i: &Instruction, part: &Part) {
        let Op::Ldsm { num, transposed } = i.op else {
            return;
        };
        let words = [0, 1, 2, 3].map(|word| self.loaded_row(slot, part, Width::B128, word));
        let warp = &mut self.warps[slot];
        let executed = warp.lanes.active & warp.regs.holds(i.guard);
        for matrix in 0..num {
            let row = matrices::loaded(&words, matrix.into(), transposed);
            warp.regs.set_row(i.dst.word(matrix), executed, &row);
        }
    }

    /// The words of the rows that STSM stores, by the lanes with their addresses.
    pub(super) fn matrix_rows(&self, slot: usize, i: &Instruction) -> [Row; 4] {
        let Op::Stsm { num, transposed } = i.op else {
            return [[0; 32]; 4];
        };
        let warp = &self.warps[slot];
        let first = match i.srcs[1] {
            Src {
                operand: crate::isa::Operand::Reg(first),
                ..
            } => first,
            _ => RZ,
        };
        let registers: Vec<Row> = (0..num)
            .map(|matrix| {
                let Reg(reg) = first.word(matrix);
                if first == RZ {
                    [0; 32]
                } else {
                    warp.regs.row(Reg(reg))
                }
            })
            .collect();
        matrices::stored(&registers, transposed)
    }

    /// Stores matrices.
    pub(super) fn store_matrices(&mut self, slot: usize, i: &Instruction, part: &Part) {
        for (word, row) in self.matrix_rows(slot, i).iter().enumerate() {
            self.write_words(slot, part, word as u32, row);
        }
    }
}
