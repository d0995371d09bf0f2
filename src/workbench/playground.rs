//! One warp-wide access written as an expression, without a kernel: the lanes' addresses and their cost on each
//! architecture. The counts come from `access`, through the functions that the simulator calls. The playground
//! has no notion of time.
//!
//! The expression is integer C in one of three forms: an element, `tile[threadIdx.y][threadIdx.x]`, with
//! extents declared separately; a byte address, `base + 4 * lane * stride`; or a list of bytes, one per lane,
//! `list 0, 4, -, 12`, where `-` marks an inactive lane. Numbers are signed 64-bit integers. Overflow is a
//! mistake, as is an address that hardware would reject.

mod analysis;
mod evaluate;
mod examples;
mod expression;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use engine::access::AccessOp;
use engine::arch::WARP_SIZE;

pub use analysis::{Analysis, Cost, Remedy, analyze, analyze_all, first_cache, remedies};
pub use evaluate::Lanes;
pub use examples::{EXAMPLES, Example};
pub(crate) use expression::MAX_CHARS;
pub use expression::{Expression, Mistake, Part};

/// Which memory is accessed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Space {
    /// Shared memory, with banks and wavefronts.
    #[default]
    Shared,
    /// Global memory, with segments, lines, and sectors.
    Global,
}

/// How the columns of a row are permuted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Swizzle {
    /// No permutation.
    #[default]
    None,
    /// Column XOR row, in as many low bits as keep the column within its row.
    Xor,
}

/// Valid element widths in bytes.
pub const WIDTHS: [u8; 5] = [1, 2, 4, 8, 16];
/// Maximum padding of a row in elements.
pub const MAX_PAD: u32 = 64;
/// Maximum threads per block, on every architecture from 2.0 on.
pub const MAX_THREADS: u64 = 1024;

/// An access, as the user types it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Playground {
    /// The memory.
    pub space: Space,
    /// Load, store, or atomic.
    pub op: AccessOp,
    /// What each lane accesses.
    pub expr: String,
    /// Condition: lanes with a nonzero value are active; empty for all lanes.
    pub when: String,
    /// Width of an element in bytes: the bytes that a lane accesses. One of [`WIDTHS`].
    pub elem: u8,
    /// Extents of the array, 1 to 3; the last one counts contiguous elements.
    pub dims: Vec<u32>,
    /// Padding of each row in elements.
    pub pad: u32,
    /// How columns are permuted.
    pub swizzle: Swizzle,
    /// Byte offset of the array from a 128-byte boundary.
    pub start: u32,
    /// Threads of the block in x, y, z.
    pub block: [u32; 3],
    /// The warp of the block that is shown.
    pub warp: u32,
    /// Values of the names that are free in the expression.
    pub vars: BTreeMap<String, i64>,
}

impl Default for Playground {
    fn default() -> Self {
        Self {
            space: Space::Shared,
            op: AccessOp::Load,
            expr: "tile[threadIdx.x][threadIdx.y]".to_owned(),
            when: String::new(),
            elem: 4,
            dims: vec![32, 32],
            pad: 0,
            swizzle: Swizzle::None,
            start: 0,
            block: [32, 8, 1],
            warp: 0,
            vars: BTreeMap::new(),
        }
    }
}

impl Playground {
    /// Threads of the block.
    pub fn threads(&self) -> u64 {
        self.block
            .iter()
            .fold(1, |threads, extent| threads.saturating_mul(u64::from(*extent)))
    }

    /// Warps of the block.
    pub fn warps(&self) -> u32 {
        let warps = self.threads().div_ceil(u64::from(WARP_SIZE));
        u32::try_from(warps).unwrap_or(u32::MAX).max(1)
    }

    /// The value of a free name: the typed value, or the default: 1 for factors (`stride`, extents of the grid)
    /// and 0 for other names.
    pub fn value_of(&self, name: &str) -> i64 {
        let usual = i64::from(name.contains("stride") || name.starts_with("gridDim"));
        self.vars.get(name).copied().unwrap_or(usual)
    }

    /// Names that need a value, in the order of their first use.
    pub fn free_names(&self) -> Vec<String> {
        let mut names = Vec::new();
        for text in [&self.expr, &self.when] {
            if let Ok(expression) = Expression::read(text) {
                for name in expression.names() {
                    if !names.iter().any(|known| known == name) {
                        names.push(name.clone());
                    }
                }
            }
        }
        names
    }

    /// Size of the declared array in bytes, including padding.
    pub fn bytes(&self) -> u64 {
        let (last, outer) = self.dims.split_last().unwrap_or((&1, &[]));
        let rows: u64 = outer
            .iter()
            .fold(1, |rows, dim| rows.saturating_mul(u64::from(*dim)));
        let row = u64::from(*last) + u64::from(self.pad);
        rows.saturating_mul(row).saturating_mul(u64::from(self.elem))
    }

    /// The extents including padding, such as `[32][33]`.
    pub fn extents(&self) -> String {
        let (last, outer) = self.dims.split_last().unwrap_or((&1, &[]));
        let outer = outer
            .iter()
            .fold(String::new(), |text, dim| text + &format!("[{dim}]"));
        format!("{outer}[{}]", u64::from(*last) + u64::from(self.pad))
    }

    /// The type of an element with this width.
    pub const fn elem_type(&self) -> &'static str {
        match self.elem {
            1 => "char",
            2 => "half",
            4 => "float",
            8 => "double",
            _ => "float4",
        }
    }

    /// The low bits of a column that the swizzle changes: as many as keep the column within its row.
    pub fn swizzle_bits(&self) -> u32 {
        match (self.swizzle, self.dims.last()) {
            (Swizzle::Xor, Some(columns)) if *columns > 0 => (1 << columns.trailing_zeros()) - 1,
            _ => 0,
        }
    }
}
