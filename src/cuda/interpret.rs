//! An interpreter of the checked program: computes what a kernel leaves in memory from the rules of the
//! language alone. It shares no code with the intermediate representation, the optimizer, and the lowering, so
//! it can verify their results.
//!
//! All threads of a block run in lockstep, one statement after the other, each with a set of active threads.
//! Blocks run one after the other. Threads that wait in a loop for other threads of their block, such as at a
//! spin lock, make no progress: the run ends at its step limit. A barrier that some threads miss does not block
//! the others; it is a finding.
//!
//! Floating-point arithmetic follows IEEE 754 without contraction: compile with `-fmad=false` to compare.
//! Options that change results (`-ftz`, `-prec-div`, `-prec-sqrt`, `-use_fast_math`) are not modeled.

mod arith;
mod builtin;
mod code;
mod machine;
mod mask;
mod memory;
mod number;
mod fp8;
mod print;
mod races;
mod reach;
mod resolve;
mod run;
mod warp;

pub use reach::{BufferReach, MAX_ELEMENTS, Reach};

use thiserror::Error;

use super::hir::Unit;
use engine::ids::Span;
use engine::launch::{Argument, Launch, Role};
use engine::printf::Printed;

/// Limits of a run, and optional checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Limit on the statements that a block executes, each for all threads at once.
    pub max_steps: u64,
    /// Limit on the statements of all threads of all blocks together.
    pub max_thread_steps: u64,
    /// Limit on nested calls. The interpreter itself needs a few kilobytes of stack for each level.
    pub max_call_depth: u32,
    /// Whether to report signed overflow. Results wrap in either case.
    pub finds_signed_overflow: bool,
    /// Whether to report races, which takes time and 16 bytes per byte of memory.
    pub finds_races: bool,
    /// Whether buffers and dynamic shared memory grow to hold what the kernel accesses: see [`reach`].
    pub grows: bool,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_steps: 10_000_000,
            max_thread_steps: u64::MAX,
            max_call_depth: 200,
            finds_signed_overflow: false,
            finds_races: false,
            grows: false,
        }
    }
}

/// Undefined behavior of a program; its outputs are then meaningless.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum UndefinedKind {
    /// An access outside every variable and buffer, or a write to constant memory. The access reads 0 and
    /// writes nothing.
    OutOfBounds,
    /// An access at an address that is not a multiple of its size.
    Misaligned,
    /// A read of a local or shared variable that was not written.
    Uninitialized,
    /// An integer divided by zero.
    DivisionByZero,
    /// A shift by at least the width of the left operand.
    ShiftRange,
    /// A signed result outside its type's range; reported only if [`Limits::finds_signed_overflow`] is set.
    SignedOverflow,
    /// A function that ended without returning its value.
    MissingReturn,
    /// A barrier that live threads did not reach.
    DivergentBarrier,
    /// A warp function that a lane named in the mask does not execute, or that a lane outside the mask
    /// executes.
    MissingMember,
    /// A shuffle that reads from an inactive lane.
    InactiveSource,
    /// A `__builtin_assume` of a false condition.
    FalseAssumption,
    /// Accesses to the same bytes of global or shared memory by different threads, at least one of them a
    /// write, without a barrier or warp function between them; reported only if [`Limits::finds_races`] is set.
    Race,
}

/// One finding: the first of its kind at its source location.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Undefined {
    /// What is undefined.
    pub kind: UndefinedKind,
    /// The expression or statement in the user's source.
    pub span: Span,
    /// The block's linear index in the grid.
    pub block: u32,
    /// The linear index in the block of the first such thread.
    pub thread: u32,
}

/// Contents of a buffer argument after the run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Buffer {
    /// Index of the argument.
    pub argument: usize,
    /// The role of the argument.
    pub role: Role,
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// The words of 8 bytes that hold the launch's addresses, unchanged.
    pub addresses: Vec<usize>,
}

/// A `__device__` variable after a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// The name.
    pub name: String,
    /// The contents.
    pub bytes: Vec<u8>,
    /// The words of 8 bytes that hold the launch's addresses, unchanged.
    pub addresses: Vec<usize>,
}

/// Result of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Buffers, in argument order.
    pub buffers: Vec<Buffer>,
    /// `__device__` variables, in order of the source.
    pub variables: Vec<Variable>,
    /// Undefined behavior; if this is not empty, the outputs cannot be compared.
    pub undefined: Vec<Undefined>,
    /// Whether a hardware approximation was used; the interpreter returns the nearest number instead.
    pub approximate: bool,
    /// Output of `printf`, in the order of the calls: block by block, and the threads of a call in order. Cycle
    /// and instruction are 0.
    pub printed: Vec<Printed>,
    /// Whether the kernel read a clock.
    pub reads_clock: bool,
    /// Whether an access is so far outside of all memory that it faults on every GPU.
    pub is_illegal: bool,
    /// Number of executed statements.
    pub steps: u64,
    /// What the kernel accesses, if [`Limits::grows`] is set.
    pub reach: Option<Reach>,
}

impl Outcome {
    /// The buffers to compare, in argument order.
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
    /// The source has no such kernel.
    #[error("The source has no kernel `{0}`.")]
    UnknownKernel(String),
    /// Too few or too many arguments.
    #[error("The kernel has {expected} parameters, but the launch passes {given} arguments.")]
    NumArguments {
        /// Number of parameters, including texture references.
        expected: usize,
        /// Number of arguments.
        given: usize,
    },
    /// The program has no such variable.
    #[error("The program has no __constant__ or __device__ variable {0} of that size.")]
    UnknownSymbol(String),
    /// An address leads to memory that the launch does not have.
    #[error("An address leads to memory that the launch does not have.")]
    Target,
    /// A block has no threads or more than 1024.
    #[error("A block has 1 to 1024 threads, not {0}.")]
    BlockSize(u32),
    /// The run exceeded its statement limit, perhaps because lanes wait for each other.
    #[error("The run stopped at its limit of {0} statements.")]
    StepLimit(u64),
    /// The run exceeded its limit on nested calls.
    #[error("Calls are nested more than {0} levels deep.")]
    CallDepth(u32),
    /// The kernel uses textures or surfaces, which only the machines support.
    #[error("The interpreter does not support textures and surfaces.")]
    Textures,
    /// The run executed `__trap`.
    #[error("The kernel executed a trap at line {}.", .0.line)]
    Trap(Span),
    /// An `assert` failed.
    #[error("An assertion of the kernel fails at line {}.", .0.line)]
    Assertion(Span),
}

/// Runs all blocks of a launch, one after the other.
///
/// # Errors
/// Returns an error if the launch does not fit the kernel, a limit is exceeded, or a trap is executed.
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

/// Returns the undefined behavior of a run in program order, and whether the run completed. If a limit is
/// exceeded, returns the findings up to that point.
///
/// # Errors
/// Returns an error if the launch does not fit the kernel.
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

/// Runs all blocks of a launch whose buffers and dynamic shared memory grow to hold what the kernel accesses. Returns what it
/// accesses, its undefined behavior, and whether the run completed. If a limit is exceeded, returns what was accessed up to that
/// point.
///
/// # Errors
/// Returns an error if the launch does not fit the kernel.
pub fn reach(
    unit: &Unit,
    kernel: &str,
    launch: &Launch,
    limits: Limits,
) -> Result<(Reach, Vec<Undefined>, bool), InterpretError> {
    refuse_textures(launch)?;
    let limits = Limits {
        grows: true,
        ..limits
    };
    let (outcome, end) = run::run(unit, kernel, launch, limits)?;
    Ok((
        outcome.reach.unwrap_or_default(),
        outcome.undefined,
        end.is_none(),
    ))
}
