//! Newtypes for the indices and sets of the simulated GPU.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A point in time, in clocks of one SM (the shader clock on Tesla and Fermi) since the start of the run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Cycle(pub u64);

/// A warp slot of an SM, from 0 to the architecture's maximum of resident warps minus 1.
///
/// Several warps of a run can use one slot, one after the other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct SlotIdx(pub u16);

/// A warp of the grid: block index times warps per block, plus the warp's index in its block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct WarpId(pub u32);

/// A block of the grid: the linear index with x fastest, then y, then z.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct BlockId(pub u32);

/// An instruction of a program, as its index in `Program::code`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Pc(pub u32);

/// A set of lanes of one warp. Bit l is lane l.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct LaneMask(pub u32);

impl LaneMask {
    /// The empty set.
    pub const EMPTY: Self = Self(0);
    /// All 32 lanes.
    pub const FULL: Self = Self(u32::MAX);

    /// Returns the first `num` lanes.
    pub const fn first(num: u32) -> Self {
        if num >= 32 {
            Self::FULL
        } else {
            Self((1 << num) - 1)
        }
    }

    /// Whether `lane` (0 to 31) is in the set.
    pub const fn contains(self, lane: u32) -> bool {
        self.0 >> lane & 1 == 1
    }

    /// Returns the number of lanes in the set.
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether the set has no lanes.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the lanes of the set in ascending order.
    pub fn lanes(self) -> impl Iterator<Item = u32> {
        (0..32).filter(move |lane| self.contains(*lane))
    }
}

impl fmt::Display for LaneMask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:08x}", self.0)
    }
}

/// A range of the kernel's source text, with the line and column of its start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Span {
    /// Byte offset of the first character.
    pub start: u32,
    /// Byte offset after the last character.
    pub end: u32,
    /// Line of the first character, from 1; 0 if no source exists.
    pub line: u32,
    /// Column of the first character, in characters from 1.
    pub column: u32,
}
