//! Matrices of 8 by 8 halves in shared memory and in registers: LDSM, STSM, and MOVM.
//!
//! In shared memory, a row is 16 bytes. In a register of a warp, lane l has columns 2 (l % 4) and 2 (l % 4) + 1 of row l / 4,
//! or, transposed, of the matrix with rows and columns exchanged. Source: PTX ISA, "Warp-level matrix load instruction:
//! ldmatrix".

use super::{Row, by_lane};

/// The lanes that have the addresses of the rows of `num` matrices: lane 8 m + r that of row r of matrix m.
pub const fn row_lanes(num: u8) -> u32 {
    if num >= 4 {
        u32::MAX
    } else {
        (1 << (8 * num as u32)) - 1
    }
}

/// A half of a word.
const fn half(word: u32, idx: usize) -> u32 {
    word >> (16 * idx) & 0xffff
}

/// The register of a matrix, from the four words of the rows whose addresses the lanes have.
pub fn loaded(words: &[Row; 4], matrix: usize, transposed: bool) -> Row {
    by_lane(|lane| {
        if !transposed {
            return words[lane % 4][8 * matrix + lane / 4];
        }
        let column = lane / 4;
        let of = |row: usize| half(words[column / 2][(8 * matrix + row) % 32], column % 2);
        of(2 * (lane % 4)) | of(2 * (lane % 4) + 1) << 16
    })
}

/// The four words of the rows whose addresses the lanes have, from the registers of the matrices.
pub fn stored(registers: &[Row], transposed: bool) -> [Row; 4] {
    std::array::from_fn(|word| {
        by_lane(|at| {
            let (matrix, row) = (at / 8, at % 8);
            let Some(register) = registers.get(matrix) else {
                return 0;
            };
            if !transposed {
                return register[4 * row + word];
            }
            let of = |column: usize| half(register[(4 * column + row / 2) % 32], row % 2);
            of(2 * word) | of(2 * word + 1) << 16
        })
    })
}

/// The register of the transposed matrix.
pub fn transposed(register: &Row) -> Row {
    loaded(&stored(std::slice::from_ref(register), false), 0, true)
}
