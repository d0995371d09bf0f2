//! What a launch is: dimensions, arguments, and the rules by which buffers are filled.

use serde::{Deserialize, Serialize};

use crate::isa::ElemType;

/// How a buffer is filled before the launch.
///
/// The base value of element i is given by the variant, taken modulo `modulo` if there is one, then
/// multiplied by `scale` and added to `offset` (in double precision for floating types, in exact
/// integers cut to the type's width for integers).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fill {
    /// Base values.
    pub pattern: Pattern,
    /// Base values are taken modulo this.
    pub modulo: Option<u64>,
    /// Factor; 1 if absent.
    pub scale: Option<f64>,
    /// Summand; 0 if absent.
    pub offset: Option<f64>,
}

/// Base values of a buffer's elements.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Pattern {
    /// All zero.
    Zero,
    /// All this value.
    Const(f64),
    /// These values.
    List(Vec<f64>),
    /// 0, 1, 2, …
    Iota,
    /// A linear congruential sequence: x = x * 1664525 + 1013904223 mod 2^32 from this seed.
    Lcg(u32),
    /// A permutation of 0..len from this seed.
    Perm(u32),
}

/// What a buffer is for; decides what is compared after a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs, reason = "named after themselves")]
pub enum Role {
    In,
    Out,
    InOut,
    Scratch,
}

/// An argument of a kernel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Argument {
    /// A number, as its bits (low `ElemType::bytes` bytes).
    Scalar {
        /// Its type.
        ty: ElemType,
        /// Its bits.
        bits: u64,
    },
    /// A struct by value: its bytes.
    Bytes(Vec<u8>),
    /// A pointer to a buffer of its own, aligned to 256 bytes at least.
    Buffer {
        /// Element type.
        elem: ElemType,
        /// Elements.
        len: u32,
        /// First contents.
        fill: Fill,
        /// What it is for.
        role: Role,
    },
}

/// `__constant__` or `__device__` contents given with the launch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SymbolFill {
    /// The variable's name.
    pub symbol: String,
    /// Element type.
    pub elem: ElemType,
    /// Elements.
    pub len: u32,
    /// Contents.
    pub fill: Fill,
}

/// One launch of a kernel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Launch {
    /// Blocks in x, y, z.
    pub grid: [u32; 3],
    /// Threads of a block in x, y, z.
    pub block: [u32; 3],
    /// Dynamic shared memory in bytes.
    pub dynamic_shared: u32,
    /// Arguments in order.
    pub args: Vec<Argument>,
    /// Contents of named variables.
    pub symbols: Vec<SymbolFill>,
}
