//! Extracts the kernel launches of a complete program from its host code.
//!
//! A small evaluator runs `main` as far as it can, from the source text alone: variables, allocations, loops, calls,
//! and copies between host and device. Every byte of memory has either a value or the reason why the value is
//! unknown. An unsupported construct makes the values that it could modify unknown; it is never an error.
//!
//! The interpreter runs a kernel if all its inputs are known, so that later launches have its results. The outputs of
//! any other launch are unknown. If a condition is unknown, the evaluator follows both branches, and everything that
//! either branch writes becomes unknown. A call of an undefined function is assumed to modify everything reachable
//! from its arguments, and no variable at file scope.

mod addresses;
mod calls;
mod convert;
mod declare;
mod errors;
mod expressions;
mod filled;
mod functions;
mod launches;
pub(crate) mod library;
mod loops;
mod machine;
mod memory;
mod numbers;
mod parse;
mod places;
mod engines;
mod random;
mod refused;
mod runs;
mod statements;
mod tree;
mod types;
mod value;

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

pub use calls::Platform;
pub use convert::{Converted, Guess, GuessOf};
pub use errors::HostError;

use super::preprocess;
use super::source::Source;
use engine::arch::ArchId;
use engine::isa::{ElemType, ImageShape};
use engine::launch::texture::{Layout, Sampler};
use engine::streams::{HostCall, HostStream};
use memory::{Snapshot, State};

/// Limits of the evaluation of host code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Maximum number of expressions and statements.
    pub steps: u64,
    /// Maximum number of expressions and statements in one outermost loop.
    pub loop_steps: u64,
    /// Maximum number of bytes of allocations with known contents; the contents of further allocations are unknown.
    pub bytes: u64,
    /// Maximum number of statements over all threads of kernels that run for their results; 0 to run no kernel.
    pub kernel_steps: u64,
}

impl Limits {
    /// Limits for the page, where the user waits: about a tenth of a second natively.
    pub const PAGE: Self = Self {
        steps: 8_000_000,
        loop_steps: 6_000_000,
        bytes: 64 << 20,
        kernel_steps: 2_000_000,
    };
    /// Limits for the command line: a few seconds.
    pub const COMMAND_LINE: Self = Self {
        steps: 100_000_000,
        loop_steps: 60_000_000,
        bytes: 512 << 20,
        kernel_steps: 100_000_000,
    };
}

/// The result of evaluating host code.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    /// Whether the source has a `main`.
    pub has_main: bool,
    /// The launches in order: the first four of each line, and at most 64.
    pub launches: Vec<HostLaunch>,
    /// The total number of launches, as far as it is known.
    pub num_launches: u32,
    /// The calls that reach a GPU, in order, at most 4,096; a note reports if there are more.
    pub calls: Vec<HostCall>,
    /// The streams; the first one is the default stream.
    pub streams: Vec<HostStream>,
    /// The launches that differ in kernel, configuration, or numbers.
    pub distinct: Vec<HostLaunch>,
    /// Notes on unsupported constructs and on assumptions.
    pub notes: Vec<Note>,
    /// The calls of the runtime that fail, at most 64: the first of each line and error.
    pub errors: Vec<HostError>,
}

/// A sentence about a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The line, from 1.
    pub line: u32,
    /// The note, one sentence.
    pub text: String,
}

/// A kernel's preference for the split of shared memory and L1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SharedPreference {
    /// `cudaFuncSetAttribute` with `cudaFuncAttributePreferredSharedMemoryCarveout`: shared memory in percent of the
    /// largest, or -1 for the driver's choice.
    Percent(i32),
    /// `cudaFuncCachePreferNone`: no preference.
    None,
    /// `cudaFuncCachePreferShared`: as much shared memory as there is.
    Shared,
    /// `cudaFuncCachePreferL1`: as little shared memory as there is.
    L1,
    /// `cudaFuncCachePreferEqual`: equal parts.
    Equal,
}

/// A launch in host code. An unknown value has a reason, which is a clause whose subject is "it".
#[derive(Clone, Debug)]
pub struct HostLaunch {
    /// The kernel's name, with template arguments.
    pub kernel: String,
    /// The line of the launch, from 1.
    pub line: u32,
    /// The grid dimensions, in blocks.
    pub grid: Result<[u32; 3], String>,
    /// The block dimensions, in threads.
    pub block: Result<[u32; 3], String>,
    /// Dynamic shared memory in bytes.
    pub shared: Result<u32, String>,
    /// Arguments in order.
    pub args: Vec<HostArg>,
    /// Device variables that the host has written.
    pub symbols: Vec<HostSymbol>,
    /// All memory that arguments and variables lead to, each allocation once.
    pub memory: Vec<Contents>,
    /// The GPU that runs it.
    pub gpu: u8,
    /// The preference for the split of shared memory and L1 that the host code has set.
    pub preferred: Option<SharedPreference>,
    /// The line of an enclosing condition or loop that is unknown.
    pub condition: Option<u32>,
    /// The assumptions made before the launch.
    pub assumed: Vec<Guess>,
    /// Number of further launches of the same line, which are not kept.
    pub num_more: u32,
    /// The error, if the launch fails: its kernel does not run.
    pub error: Option<HostError>,
}

/// An argument of a launch.
#[derive(Clone, Debug)]
pub struct HostArg {
    /// The name of the kernel's parameter.
    pub parameter: String,
    /// The value.
    pub value: HostValue,
    /// Whether the kernel may write through it.
    pub is_written: bool,
}

/// The value of an argument.
#[derive(Clone, Debug)]
pub enum HostValue {
    /// A number.
    Number(Number),
    /// A struct by value: its bytes.
    Bytes(Vec<u8>),
    /// A struct by value that holds pointers: its bytes, and its pointers by byte offset.
    Struct(Vec<u8>, Vec<(u64, HostPointer)>),
    /// A pointer into an allocation.
    Buffer(Contents),
    /// An address that the GPU cannot access: memory of the host, or freed memory.
    Invalid(u64),
    /// A texture or surface object.
    Texture(Box<HostTexture>),
    /// A null pointer.
    Null,
    /// An unknown value, with the reason.
    Unknown(String),
}

/// A number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// An integer.
    Int(i128),
    /// A floating-point number.
    Float(f64),
}

/// The addresses that a kernel gets for memory of the host that the GPU cannot access: where Linux has heap, libraries, and
/// stacks of a process.
pub const HOST_ADDRESSES: Range<u64> = 0x5500_0000_0000..0x8000_0000_0000;
/// The addresses that a kernel gets for memory that the program has freed: below all allocations of a launch.
pub const FREED_ADDRESSES: Range<u64> = 0x0006_0000_0000..engine::sim::memory::BASE_64;

/// A texture or surface object.
#[derive(Clone, Debug)]
pub struct HostTexture {
    /// The type of a channel.
    pub elem: ElemType,
    /// Channels of a texel: 1, 2, or 4.
    pub channels: u8,
    /// The shape.
    pub shape: ImageShape,
    /// Texels along x, y, and z, with 1 for a missing axis.
    pub extent: [u32; 3],
    /// An array, or linear memory.
    pub layout: Layout,
    /// Bytes from the start of the allocation to the first texel.
    pub start: u64,
    /// Bytes from a row to the next.
    pub pitch: u64,
    /// The sampling parameters.
    pub sampler: Sampler,
    /// The allocation of the texels.
    pub contents: Contents,
}

/// A pointer into an allocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostPointer {
    /// The index of the allocation.
    pub allocation: u32,
    /// Bytes from its start, which can be outside.
    pub offset: i64,
}

/// A device variable that the host has written.
#[derive(Clone, Debug)]
pub struct HostSymbol {
    /// The name.
    pub name: String,
    /// The contents.
    pub contents: Contents,
}

/// An allocation at the time of a launch.
#[derive(Clone, Debug)]
pub struct Contents {
    /// The variable that the allocation was created for.
    pub name: String,
    /// The line of the allocation.
    pub line: u32,
    /// The index of the allocation: arguments with the same index share memory.
    pub allocation: u32,
    /// Bytes from the start of the allocation to where the argument points, which can be outside.
    pub offset: i64,
    /// Whether the host reads the allocation after a launch.
    pub is_read_back: bool,
    /// Whether `cudaMallocManaged` created the allocation.
    pub is_managed: bool,
    /// The GPU whose memory it is; `None` for host and managed memory.
    pub gpu: Option<u8>,
    /// The `__device__` or `__constant__` variable that it is, if it is one.
    pub symbol: Option<String>,
    /// The type of its elements, where a pointer of that type leads to it.
    elem: Option<ElemType>,
    /// Its pointers by byte offset; `None` is null.
    pointers: Vec<(u64, Option<HostPointer>)>,
    /// Why some of its pointers are not known.
    lost: Option<String>,
    snapshot: Arc<Snapshot>,
    reasons: BTreeMap<State, String>,
}

/// Extracts the launches of a source; the program gets no arguments.
pub fn read(source: &str, arch: ArchId, limits: Limits) -> Reading {
    read_with_args(source, arch, limits, &[])
}

/// Extracts the launches of a source; the program gets these arguments after its name.
pub fn read_with_args(source: &str, arch: ArchId, limits: Limits, args: &[String]) -> Reading {
    read_on(source, arch, limits, args, &Platform::default())
}

/// Extracts the launches and the calls of a source that runs on a computer with these GPUs.
pub fn read_on(source: &str, arch: ArchId, limits: Limits, args: &[String], platform: &Platform) -> Reading {
    let mut toks = Vec::new();
    let headers = [
        (
            library::textures::is_used(source),
            library::textures::DECLARATIONS,
        ),
        (library::cuda::has_config(source), library::cuda::DECLARATIONS),
        (library::devices::is_used(source), library::devices::DECLARATIONS),
        (library::sobol::is_used(source), library::sobol::DECLARATIONS),
    ];
    for (_, header) in headers.into_iter().filter(|(is_used, _)| *is_used) {
        toks.extend(preprocess::preprocess(&Source::new(header), arch).toks);
        toks.retain(|tok: &preprocess::Tok| tok.kind != preprocess::Kind::End);
    }
    for tok in &mut toks {
        // They are on no line of the program.
        tok.span.line = 0;
    }
    toks.extend(preprocess::preprocess(&Source::new(source), arch).toks);
    let (toks, _) = super::extended_lambdas::replaced(toks);
    let tree = parse::Parser::new(toks).tree();
    let mut machine = machine::Machine::new(tree, source, arch, limits);
    machine.platform = platform.clone();
    machine.run(args)
}
