//! Example accesses of the playground.

use super::{Playground, Space, Swizzle};
use engine::access::AccessOp;

/// An access with its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Example {
    /// Its id.
    pub id: &'static str,
    /// A title of a few words.
    pub title: &'static str,
    expr: &'static str,
    elem: u8,
    pad: u32,
    swizzle: Swizzle,
    start: u32,
    vars: &'static [(&'static str, i64)],
}

impl Example {
    const fn new(id: &'static str, title: &'static str, expr: &'static str) -> Self {
        Self {
            id,
            title,
            expr,
            elem: 4,
            pad: 0,
            swizzle: Swizzle::None,
            start: 0,
            vars: &[],
        }
    }

    /// The access in a memory.
    pub fn playground(&self, space: Space, op: AccessOp) -> Playground {
        Playground {
            space,
            op,
            expr: self.expr.to_owned(),
            elem: self.elem,
            pad: self.pad,
            swizzle: self.swizzle,
            start: self.start,
            vars: self
                .vars
                .iter()
                .map(|(name, value)| ((*name).to_owned(), *value))
                .collect(),
            ..Playground::default()
        }
    }
}

const COLUMN: &str = "tile[threadIdx.x][threadIdx.y]";

/// All examples, in the order of the menu.
pub const EXAMPLES: [Example; 14] = [
    Example::new("row", "A row of a tile", "tile[threadIdx.y][threadIdx.x]"),
    Example::new("column", "A column of a tile", COLUMN),
    Example {
        pad: 1,
        ..Example::new("padded", "A column, rows padded by one", COLUMN)
    },
    Example {
        swizzle: Swizzle::Xor,
        ..Example::new("swizzled", "A column, swizzled by xor", COLUMN)
    },
    Example {
        vars: &[("stride", 2)],
        ..Example::new("stride", "A stride", "data[lane * stride]")
    },
    Example {
        vars: &[("base", 0), ("stride", 2)],
        ..Example::new("bytes", "Bytes with a stride", "base + 4 * lane * stride")
    },
    Example {
        elem: 16,
        ..Example::new("float4", "Four floats per lane", "data[lane]")
    },
    Example {
        elem: 8,
        ..Example::new("double", "Eight bytes per lane", "data[lane]")
    },
    Example {
        vars: &[("i", 5)],
        ..Example::new("broadcast", "One element for all lanes", "data[i]")
    },
    Example {
        start: 4,
        ..Example::new("misaligned", "A misaligned start", "data[lane]")
    },
    Example::new("structs", "Structs of 12 bytes", "12 * lane"),
    Example::new("scattered", "Out of order", "data[lane * 7 % 32]"),
    Example::new(
        "pairs",
        "Every other lane",
        "data[lane / 2 * 2 + (lane & 1) * 32]",
    ),
    Example::new(
        "list",
        "A list of bytes, lane by lane",
        "list 0, 4, -, 12, 128, 256, 0x180",
    ),
];
