//! An interpreter of the checked program: what a kernel leaves in memory by the rules of the language
//! alone. It shares nothing with the intermediate representation, the optimizer, and the lowering, so
//! that their results can be compared with it.
//!
//! All threads of a block run in lockstep, one statement after the other, each with a set of threads
//! that take part. Blocks run one after the other. Threads that wait for other threads of their block
//! in a loop, such as at a spin lock, do not get on: the run ends at its step limit. A barrier that some
//! threads miss does not stop the others; it is a finding.
//!
//! Floating arithmetic is that of IEEE 754 without contraction: compile with `-fmad=false` to compare.
//! Options that change results (`-ftz`, `-prec-div`, `-prec-sqrt`, `-use_fast_math`) are not modeled.

mod arith;
mod builtin;
mod code;
mod machine;
mod mask;
mod memory;
mod number;
mod print;
mod races;
mod resolve;
mod run;
mod warp;

use thiserror::Error;

use super::hir::Unit;
use engine::ids::Span;
use engine::launch::{Argument, Launch, Role};
use engine::printf::Printed;

/// Bounds of a run, and what it looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Statements that a block executes, each for all threads at once, before the run is given up.
    pub max_steps: u64,
    /// Statements of all threads of all blocks together before the run is given up.
    pub max_thread_steps: u64,
    /// Calls within each other. The interpreter itself needs a few kilobytes of stack for each.
    pub max_call_depth: u32,
    /// Whether signed overflow is among the findings. Results wrap anyway.
    pub finds_signed_overflow: bool,
    /// Whether races are among the findings, which takes time and 16 bytes for each byte of memory.
    pub finds_races: bool,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_steps: 10_000_000,
            max_thread_steps: u64::MAX,
            max_call_depth: 200,
            finds_signed_overflow: false,
            finds_races: false,
        }
    }
}

/// What a program did that the language does not define, so that its outputs mean nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum UndefinedKind {
    /// An access outside of every variable and buffer, or a write to constant memory. It reads 0 and
    /// writes nothing.
    OutOfBounds,
    /// An access at an address that is no multiple of its size.
    Misaligned,
    /// A read of a local or shared variable that was not written.
    Uninitialized,
    /// An integer divided by zero.
    DivisionByZero,
    /// A shift by the width of its left operand or more.
    ShiftRange,
    /// A signed result outside of its type; only where [`Limits::finds_signed_overflow`] is set.
    SignedOverflow,
    /// A function that returns a value ended without one.
    MissingReturn,
    /// Threads that have not exited are not at the barrier.
    DivergentBarrier,
    /// A lane named in a mask is not at the warp function, or the caller is not named.
    MissingMember,
    /// A shuffle reads from a lane that takes no part.
    InactiveSource,
    /// `__builtin_assume` of something false.
    FalseAssumption,
    /// Different threads access the same bytes of global or shared memory, one of them changes them,
    /// and no barrier or warp function orders the two; only where [`Limits::finds_races`] is set.
    Race,
}

/// One finding: the first of its kind at its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Undefined {
    /// What is undefined.
    pub kind: UndefinedKind,
    /// The expression or statement in the user's text.
    pub span: Span,
    /// The block's linear index in the grid.
    pub block: u32,
    /// The first such thread, by its linear index in the block.
    pub thread: u32,
}

/// Bytes of an argument's buffer after the run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Buffer {
    /// Index of the argument.
    pub argument: usize,
    /// What it is for.
    pub role: Role,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// What a run leaves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Buffers, in argument order.
    pub buffers: Vec<Buffer>,
    /// `__device__` variables by name, in order of the source.
    pub variables: Vec<(String, Vec<u8>)>,
    /// What was undefined; where this is not empty, a comparison means nothing.
    pub undefined: Vec<Undefined>,
    /// Whether an approximation of the hardware was used, which is here the nearest number.
    pub approximate: bool,
    /// What `printf` printed, in the order of the calls: block by block, and the threads of a call in order. Cycle
    /// and instruction are 0.
    pub printed: Vec<Printed>,
    /// Whether a clock was read.
    pub reads_clock: bool,
    /// Statements executed.
    pub steps: u64,
}

impl Outcome {
    /// Buffers that are compared, in argument order.
    pub fn compared(&self) -> impl Iterator<Item = (usize, &[u8])> {
        self.buffers
            .iter()
            .filter(|buffer| matches!(buffer.role, Role::Out | Role::InOut))
            .map(|buffer| (buffer.argument, &buffer.bytes[..]))
    }
}

/// Why a run has no outcome.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum InterpretError {
    /// There is no such kernel.
    #[error("The source has no kernel `{0}`.")]
    UnknownKernel(String),
    /// Too few or too many arguments.
    #[error("The kernel takes {expected} arguments, but the launch gives {given}.")]
    NumArguments {
        /// Parameters that it has, texture references among them.
        expected: usize,
        /// Arguments given.
        given: usize,
    },
    /// A variable that the program does not have.
    #[error("The program has no __constant__ or __device__ variable named {0} of that size.")]
    UnknownSymbol(String),
    /// More threads than a block can have, or none.
    #[error("A block has 1 to 1024 threads, not {0}.")]
    BlockSize(u32),
    /// More statements than allowed; lanes that wait for each other, perhaps.
    #[error("The run was given up after {0} statements.")]
    StepLimit(u64),
    /// More calls within each other than allowed.
    #[error("Calls are nested more than {0} deep.")]
    CallDepth(u32),
    /// Textures and surfaces are left to the machines.
    #[error("This interpreter has no textures and surfaces.")]
    Textures,
    /// `__trap`, or `assert` of something false.
    #[error("A trap was executed at line {}.", .0.line)]
    Trap(Span),
}

/// Runs all blocks of a launch, one after the other.
///
/// # Errors
/// When the launch does not fit the kernel, a limit is exceeded, or a trap is executed.
pub fn run(unit: &Unit, kernel: &str, launch: &Launch, limits: Limits) -> Result<Outcome, InterpretError> {
    refuse_textures(launch)?;
    let (outcome, end) = run::run(unit, kernel, launch, limits)?;
    end.map_or(Ok(outcome), Err)
}

fn refuse_textures(launch: &Launch) -> Result<(), InterpretError> {
    let is_texture = |argument: &Argument| matches!(argument, Argument::Texture(_));
    if launch.args.iter().any(is_texture) {
        return Err(InterpretError::Textures);
    }
    Ok(())
}

/// What a run does that the language does not define, in the order of the run, and whether the run came to its
/// end: where a limit is exceeded, what was found up to there.
///
/// # Errors
/// When the launch does not fit the kernel.
pub fn examine(
    unit: &Unit,
    kernel: &str,
    launch: &Launch,
    limits: Limits,
) -> Result<(Vec<Undefined>, bool), InterpretError> {
    refuse_textures(launch)?;
    let (outcome, end) = run::run(unit, kernel, launch, limits)?;
    Ok((outcome.undefined, end.is_none()))
}

#[cfg(test)]
mod tests;
