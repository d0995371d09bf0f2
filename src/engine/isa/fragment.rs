//! Fragments of a matrix product: its size, and the lane and register that hold each element.
//!
//! The PTX ISA documents the layout ("Matrix Fragments for mma.m8n8k4 with .f16", "... mma.m16n8k16", and so on). Jia et
//! al. 2018 and 2019 and Raihan et al. 2019 measured the same layout on V100 and T4. HMMA.884 computes four products at
//! once: an octet of lanes, 4 q to 4 q + 3 and 4 q + 16 to 4 q + 19, holds the matrices of product q.

use super::{MmaKind, TensorUnit};

/// The place of an element in the registers of a warp.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Holder {
    /// The lane.
    pub lane: u8,
    /// The register, counted from the operand's first.
    pub register: u8,
    /// The lowest bit of the element in the register.
    pub first_bit: u8,
    /// The width of the element in bits; 64 bits take two registers.
    pub bits: u8,
}

/// Returns the place of the element with an index among those of a lane, which fill its registers in order.
fn holder(lane: usize, idx: usize, bits: usize) -> Holder {
    Holder {
        lane: lane as u8,
        register: (idx * bits / 32) as u8,
        first_bit: (idx * bits % 32) as u8,
        bits: bits as u8,
    }
}

impl MmaKind {
    /// Products that the instruction computes: 4 for HMMA.884, otherwise 1.
    pub const fn num_products(self) -> usize {
        if matches!(self, Self::Quads { .. }) { 4 } else { 1 }
    }

    /// Rows of the left factor and of the sums.
    pub const fn rows(self) -> usize {
        match self {
            Self::Halves { .. } | Self::Fp8 { .. } | Self::Tf32 | Self::Bytes { rows16: true, .. } => 16,
            _ => 8,
        }
    }

    /// Columns of the right factor and of the sums.
    pub const fn columns(self) -> usize {
        8
    }

    /// Columns of the left factor, and rows of the right one.
    pub const fn depth(self) -> usize {
        match self {
            Self::Quads { .. } | Self::Tf32 | Self::Doubles => 4,
            Self::Halves { k16, .. } => {
                if k16 {
                    16
                } else {
                    8
                }
            }
            Self::Bytes { .. } => 16,
            Self::Fp8 { .. } | Self::Nibbles { .. } => 32,
            Self::Bits { .. } => 128,
        }
    }

    /// Bits of an element of the factors.
    pub const fn factor_bits(self) -> usize {
        match self {
            Self::Quads { .. } | Self::Halves { .. } => 16,
            Self::Tf32 => 32,
            Self::Doubles => 64,
            Self::Fp8 { .. } | Self::Bytes { .. } => 8,
            Self::Nibbles { .. } => 4,
            Self::Bits { .. } => 1,
        }
    }

    /// Bits of a sum.
    pub const fn sum_bits(self) -> usize {
        match self {
            Self::Quads { half_sums: true, .. }
            | Self::Halves { half_sums: true, .. }
            | Self::Fp8 { half_sums: true, .. } => 16,
            Self::Doubles => 64,
            _ => 32,
        }
    }

    /// Multiply-adds of one instruction. A step of HMMA.884 computes a part of the sums.
    pub fn multiply_adds(self) -> usize {
        let sums = (0..self.rows())
            .flat_map(|row| (0..self.columns()).map(move |column| (row, column)))
            .filter(|(row, column)| self.computes(*row, *column))
            .count();
        self.num_products() * sums * self.depth()
    }

    /// The step of HMMA.884 that computes a sum; 0 for other instructions, which compute all.
    pub const fn step_of(self, row: usize, column: usize) -> usize {
        match self {
            Self::Quads { half_sums: true, .. } => column / 4,
            Self::Quads { .. } => row % 4 / 2 + column / 4 * 2,
            _ => 0,
        }
    }

    /// Whether the instruction computes a sum.
    pub const fn computes(self, row: usize, column: usize) -> bool {
        match self {
            Self::Quads { step, .. } => self.step_of(row, column) == step as usize,
            _ => true,
        }
    }

    /// The place of an element of a factor: its line, a row of the left or a column of the right factor, and its position
    /// along the depth.
    pub fn factor(self, right: bool, product: usize, line: usize, k: usize) -> Holder {
        let per_word = 32 / self.factor_bits().min(32);
        match self {
            Self::Quads {
                left_columns,
                right_rows,
                ..
            } => {
                let across = if right { right_rows } else { left_columns };
                let (own, idx) = if across { (k, line % 4) } else { (line % 4, k) };
                holder(product * 4 + line / 4 * 16 + own, idx, 16)
            }
            // Registers alternate between the lines of the two halves of 16 rows.
            Self::Halves { .. } if !right => {
                let idx = (line / 8 + k / 8 * 2) * per_word + k % per_word;
                holder(line % 8 * 4 + k % 8 / per_word, idx, 16)
            }
            Self::Halves { .. } => holder(line * 4 + k % 8 / 2, k / 8 * 2 + k % 2, 16),
            // As two products 16 deep of bytes: a register holds four elements along the depth.
            Self::Fp8 { .. } => {
                let rows = if right { 0 } else { line / 8 };
                let deep = if right { k / 16 } else { k / 16 * 2 };
                holder(line % 8 * 4 + k % 16 / 4, (rows + deep) * 4 + k % 4, 8)
            }
            Self::Doubles => holder(line * 4 + k, 0, 64),
            Self::Tf32 | Self::Bytes { .. } | Self::Nibbles { .. } | Self::Bits { .. } => {
                let idx = line / 8 * per_word + k % per_word;
                holder(line % 8 * 4 + k / per_word, idx, self.factor_bits())
            }
        }
    }

    /// The place of a sum. The registers of HMMA.884 are those of the step that computes the sum.
    pub fn sum(self, product: usize, row: usize, column: usize) -> Holder {
        match self {
            Self::Quads { half_sums: true, .. } => {
                holder(product * 4 + row / 4 * 16 + row % 4, column % 4, 16)
            }
            Self::Quads { .. } => {
                let lane = row / 4 * 16 + column % 4 / 2 * 2 + row % 2;
                holder(product * 4 + lane, column % 2, 32)
            }
            _ => holder(
                row % 8 * 4 + column / 2,
                row / 8 * 2 + column % 2,
                self.sum_bits(),
            ),
        }
    }
}

impl Holder {
    /// The element's bits in the registers of its lane.
    pub fn bits_in(self, words: &[u32]) -> u64 {
        let word = |idx: usize| u64::from(words.get(usize::from(self.register) + idx).copied().unwrap_or(0));
        if self.bits == 64 {
            return word(1) << 32 | word(0);
        }
        word(0) >> self.first_bit & ((1 << self.bits) - 1)
    }
}

impl TensorUnit {
    /// The tensor cores of a compute capability, 750 for 7.5; `None` before 7.0.
    pub const fn of(capability: u16) -> Option<Self> {
        match capability {
            0..700 => None,
            700..750 => Some(Self::Volta),
            750..800 => Some(Self::Turing),
            800..900 => Some(Self::Ampere),
            _ => Some(Self::Hopper),
        }
    }
}
