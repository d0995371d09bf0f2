//! The launches of a whole program, read from the code of its host.
//!
//! `main` is run by a small evaluator as far as it is understood, from the text alone: variables, allocations, loops,
//! calls, and copies between host and device. Every byte of memory has a value or the reason why there is none. What is
//! not understood makes the values that it could have changed unknown; it is never an error. A
//! kernel of which all is known is run by the interpreter, so that later launches have its results; what any other
//! writes is unknown behind its launch. A condition that is not known is followed on both sides, and what either side
//! writes is unknown behind it. Functions that the text does not define are taken to change what their arguments lead to,
//! and no variable at file scope.

mod convert;
mod declare;
mod expressions;
mod functions;
mod launches;
mod library;
mod loops;
mod machine;
mod memory;
mod numbers;
mod parse;
mod places;
mod engines;
mod random;
mod runs;
mod statements;
mod tree;
mod types;
mod value;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::sync::Arc;

pub use convert::{Converted, Guess};

use super::preprocess;
use super::source::Source;
use engine::arch::ArchId;
use memory::{Snapshot, State};

/// How far host code is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Expressions and statements in all.
    pub steps: u64,
    /// Expressions and statements of one loop that is in no other loop.
    pub loop_steps: u64,
    /// Bytes of allocations whose contents are kept; those of others are unknown.
    pub bytes: u64,
    /// Statements of all threads of kernels that are run for their results; 0 where none is run.
    pub kernel_steps: u64,
}

impl Limits {
    /// For the page, which does it while the user waits: about a tenth of a second natively.
    pub const PAGE: Self = Self {
        steps: 8_000_000,
        loop_steps: 6_000_000,
        bytes: 64 << 20,
        kernel_steps: 2_000_000,
    };
    /// For the command line: some seconds.
    pub const COMMAND_LINE: Self = Self {
        steps: 100_000_000,
        loop_steps: 60_000_000,
        bytes: 512 << 20,
        kernel_steps: 100_000_000,
    };
}

/// What host code says of its launches.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    /// Whether the text has a `main`.
    pub has_main: bool,
    /// The launches in order: of each line the first four, and 64 in all.
    pub launches: Vec<HostLaunch>,
    /// How many launches there are in all, as far as that is known.
    pub num_launches: u32,
    /// What was passed over, and what was taken for granted.
    pub notes: Vec<Note>,
}

/// A sentence about a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The line, from 1.
    pub line: u32,
    /// The sentence.
    pub text: String,
}

/// A launch in host code. Where a value is not known there is the reason, as a clause with "it".
#[derive(Clone, Debug)]
pub struct HostLaunch {
    /// The kernel's name, with the template's arguments.
    pub kernel: String,
    /// The line of the launch, from 1.
    pub line: u32,
    /// Blocks.
    pub grid: Result<[u32; 3], String>,
    /// Threads of a block.
    pub block: Result<[u32; 3], String>,
    /// Dynamic shared memory in bytes.
    pub shared: Result<u32, String>,
    /// Arguments in order.
    pub args: Vec<HostArg>,
    /// Variables of the device that the host has written.
    pub symbols: Vec<HostSymbol>,
    /// The line of a condition or loop around the launch of which it is not known whether it holds.
    pub condition: Option<u32>,
    /// What was taken for granted before it.
    pub assumed: Vec<Guess>,
    /// Further launches of the same line that are not kept.
    pub num_more: u32,
}

/// An argument of a launch.
#[derive(Clone, Debug)]
pub struct HostArg {
    /// The kernel's name for it.
    pub parameter: String,
    /// Its value.
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
    /// A pointer into an allocation.
    Buffer(Contents),
    /// A null pointer.
    Null,
    /// Not known, with the reason.
    Unknown(String),
}

/// A number of any type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// Whole.
    Int(i128),
    /// Floating.
    Float(f64),
}

/// A variable of the device that the host has written.
#[derive(Clone, Debug)]
pub struct HostSymbol {
    /// Its name.
    pub name: String,
    /// Its contents.
    pub contents: Contents,
}

/// An allocation at the time of a launch.
#[derive(Clone, Debug)]
pub struct Contents {
    /// The variable that it was made for.
    pub name: String,
    /// The line of the allocation.
    pub line: u32,
    /// Which one: arguments with the same number share memory.
    pub allocation: u32,
    /// Bytes from the start of the allocation to where the argument points.
    pub offset: u64,
    /// Whether the host reads it after a launch.
    pub is_read_back: bool,
    /// Whether it is `cudaMallocManaged`'s.
    pub is_managed: bool,
    /// Whether its elements hold addresses, which mean nothing in another memory.
    pub holds_pointers: bool,
    snapshot: Arc<Snapshot>,
    reasons: BTreeMap<State, String>,
}

/// Reads the launches of a source text whose program gets no arguments.
pub fn read(source: &str, arch: ArchId, limits: Limits) -> Reading {
    read_with_args(source, arch, limits, &[])
}

/// Reads the launches of a source text whose program gets these arguments behind its name.
pub fn read_with_args(source: &str, arch: ArchId, limits: Limits, args: &[String]) -> Reading {
    let (toks, _) = preprocess::preprocess(&Source::new(source), arch);
    let tree = parse::Parser::new(toks).tree();
    machine::Machine::new(tree, source, arch, limits).run(args)
}
