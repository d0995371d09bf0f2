//! Matrix products on tensor cores: names, registers, and classes.

use super::{Mma, MmaKind, TensorUnit};
use crate::arch::OpClass;

/// The name of a type of 8-bit floats in instructions.
pub(super) const fn fp8_text(e5m2: bool) -> &'static str {
    if e5m2 { "E5M2" } else { "E4M3" }
}

impl Mma {
    /// The instruction's name, as `nvdisasm` prints it.
    pub fn name(self) -> String {
        let sums = |half: bool| if half { "F16" } else { "F32" };
        let saturated = |saturate: bool| if saturate { ".SAT" } else { "" };
        match self.kind {
            MmaKind::Quads { step, half_sums, .. } => {
                let sums = sums(half_sums);
                format!("HMMA.884.{sums}.{sums}.STEP{step}")
            }
            MmaKind::Halves {
                k16,
                bfloat16,
                half_sums,
            } => {
                let size = if k16 { "16816" } else { "1688" };
                let ty = if bfloat16 { ".BF16" } else { "" };
                format!("HMMA.{size}.{}{ty}", sums(half_sums))
            }
            MmaKind::Fp8 {
                left_e5m2,
                right_e5m2,
                half_sums,
            } => {
                let (left, right) = (fp8_text(left_e5m2), fp8_text(right_e5m2));
                format!("QMMA.16832.{}.{left}.{right}", sums(half_sums))
            }
            MmaKind::Tf32 => "HMMA.1684.F32.TF32".to_owned(),
            MmaKind::Doubles if matches!(self.unit, TensorUnit::Hopper) => "DMMA.8x8x4".to_owned(),
            MmaKind::Doubles => "DMMA.884".to_owned(),
            MmaKind::Bytes {
                rows16,
                signed,
                saturate,
            } => {
                let size = if rows16 { "16816" } else { "8816" };
                let ty = if signed { "S8" } else { "U8" };
                format!("IMMA.{size}.{ty}.{ty}{}", saturated(saturate))
            }
            MmaKind::Nibbles { signed, saturate } => {
                let ty = if signed { "S4" } else { "U4" };
                format!("IMMA.8832.{ty}.{ty}{}", saturated(saturate))
            }
            MmaKind::Bits { and } => format!("BMMA.88128.{}.POPC", if and { "AND" } else { "XOR" }),
        }
    }
}

impl MmaKind {
    /// Registers of each lane for the left factor, the right factor, and the sums. The result has as many as the
    /// sums.
    pub const fn source_widths(self) -> [u8; 3] {
        match self {
            Self::Quads { .. } => [2, 2, 2],
            Self::Halves { k16, half_sums, .. } => {
                let sums = if half_sums { 2 } else { 4 };
                if k16 { [4, 2, sums] } else { [2, 1, sums] }
            }
            Self::Fp8 { half_sums, .. } => [4, 2, if half_sums { 2 } else { 4 }],
            Self::Tf32 | Self::Bytes { rows16: true, .. } => [2, 1, 4],
            Self::Doubles => [2, 2, 4],
            Self::Bytes { rows16: false, .. } | Self::Nibbles { .. } | Self::Bits { .. } => [1, 1, 2],
        }
    }

    /// The instruction's class in the tables of `arch`.
    pub const fn class(self) -> OpClass {
        match self {
            Self::Quads { half_sums: false, .. } => OpClass::TensorStep,
            Self::Quads { half_sums: true, .. } => OpClass::TensorStepHalf,
            // Assumed: a QMMA takes as long as an HMMA.16816, so 8-bit floats have twice the rate of halves. QMMA was not
            // measured.
            Self::Halves { .. } | Self::Fp8 { .. } => OpClass::Tensor,
            Self::Tf32 => OpClass::TensorTf32,
            Self::Doubles => OpClass::TensorFp64,
            Self::Bytes { .. } | Self::Nibbles { .. } | Self::Bits { .. } => OpClass::TensorInt,
        }
    }

    /// Suffixes of the factors' registers in the disassembly: how the lanes hold them.
    pub const fn factor_suffixes(self) -> [&'static str; 2] {
        match self {
            Self::Quads {
                left_columns,
                right_rows,
                ..
            } => [
                if left_columns { ".COL" } else { ".ROW" },
                if right_rows { ".ROW" } else { ".COL" },
            ],
            Self::Fp8 { .. } | Self::Bytes { .. } | Self::Nibbles { .. } | Self::Bits { .. } => {
                [".ROW", ".COL"]
            }
            Self::Halves { .. } | Self::Tf32 | Self::Doubles => ["", ""],
        }
    }
}
