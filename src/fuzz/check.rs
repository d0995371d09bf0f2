//! Compiles and simulates programs, and compares their outputs with an oracle's.

use std::cell::RefCell;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use cuda::diagnostic::Severity;
use cuda::hir::Unit;
use cuda::interpret::{self, Limits};
use cuda::ir::Module;
use cuda::opt::Merging;
use cuda::{build, lower, opt, parse_with};
use engine::arch::{ArchId, architecture};
use engine::isa::{CompileOptions, ElemType, Program as Code};
use engine::launch::{Argument, Fill, Launch, Pattern, Role};
use engine::sim::{Machine, MachineOptions, Outcome, reference};

use super::cxx::Outputs;
use super::random::Random;
use super::tree::{NUM_ATOMIC, NUM_INPUTS, Program, Shape};

/// The compiler setup of a program.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The architecture.
    pub arch: ArchId,
    /// The compiler options.
    pub options: CompileOptions,
}

/// A failure of the compiler or a simulator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The outputs of the simulator, the reference, or both differ from the oracle's.
    Wrong {
        /// Whether the outputs of the cycle-level simulator differ.
        machine: bool,
        /// Whether the outputs of the reference interpreter differ.
        reference: bool,
    },
    /// The compiler rejects the program with this message.
    Refused(String),
    /// The compiler or a simulator panics with this message.
    Panicked(String),
    /// The run faults or deadlocks, or the launch is refused.
    Fault(String),
    /// The run reaches its cycle limit.
    Timeout,
}

impl Failure {
    /// Whether another failure is of the same kind, which means that a smaller program shows the same defect.
    pub fn is_like(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Wrong { .. }, Self::Wrong { .. }) | (Self::Timeout, Self::Timeout) => true,
            (Self::Refused(a), Self::Refused(b)) | (Self::Fault(a), Self::Fault(b)) => {
                without_numbers(a) == without_numbers(b)
            }
            (Self::Panicked(a), Self::Panicked(b)) => a == b,
            _ => false,
        }
    }

    /// Returns the kind of the failure as one word.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Wrong { .. } => "wrong",
            Self::Refused(_) => "refused",
            Self::Panicked(_) => "panicked",
            Self::Fault(_) => "fault",
            Self::Timeout => "timeout",
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(text) | Self::Panicked(text) | Self::Fault(text) => {
                write!(f, "{}: {text}", self.kind())
            }
            _ => write!(f, "{}", self.kind()),
        }
    }
}

fn without_numbers(text: &str) -> String {
    text.chars().filter(|c| !c.is_ascii_digit()).collect()
}

impl Setup {
    /// Returns the setups of a program: the architectures that support its features, each with options drawn from the
    /// seed.
    pub fn of(program: &Program, only: Option<ArchId>) -> Vec<Self> {
        let archs: &[ArchId] = if program.has_warp_operations() {
            &[
                ArchId::Gk110,
                ArchId::Gp104,
                ArchId::Gv100,
                ArchId::Tu102,
                ArchId::Gh100,
            ]
        } else if program.legacy && !program.has_atomics() {
            &[
                ArchId::G80,
                ArchId::Gf100,
                ArchId::Gp104,
                ArchId::Tu102,
                ArchId::Gh100,
            ]
        } else if program.legacy {
            &[
                ArchId::Gt200,
                ArchId::Gf100,
                ArchId::Gp104,
                ArchId::Tu102,
                ArchId::Gh100,
            ]
        } else {
            &[
                ArchId::Gf100,
                ArchId::Gm204,
                ArchId::Gp104,
                ArchId::Tu102,
                ArchId::Gh100,
            ]
        };
        let mut random = Random::new(!program.seed);
        archs
            .iter()
            .map(|arch| Self {
                arch: *arch,
                options: CompileOptions {
                    fmad: false,
                    max_registers: random.pick(&[
                        None,
                        None,
                        None,
                        None,
                        Some(16),
                        Some(20),
                        Some(24),
                        Some(32),
                    ]),
                    pointers_32_bit: random.percent(20),
                    capability: None,
                    ..CompileOptions::default()
                },
            })
            .filter(|setup| only.is_none_or(|only| only == setup.arch))
            .collect()
    }

    /// Returns `num` setups of a program, drawn by its seed.
    pub fn some_of(program: &Program, only: Option<ArchId>, num: usize) -> Vec<Self> {
        let mut all = Self::of(program, only);
        let first = Random::new(program.seed.rotate_left(32)).below(all.len());
        all.rotate_left(first);
        all.truncate(num);
        all
    }

    /// Returns the architecture and the options that differ from the defaults.
    pub fn text(&self) -> String {
        let mut text = format!("{} fmad=false", self.arch);
        if let Some(max) = self.options.max_registers {
            text += &format!(" max_registers={max}");
        }
        if self.options.pointers_32_bit {
            text += " pointers_32_bit";
        }
        text
    }
}

/// The name of every program's kernel, and the indices of its output arguments.
const KERNEL: &str = "k";
const STORES: usize = 0;
const ATOMICS: usize = 2;

/// The cycle limit of a run. Each statement of a program takes at most some hundred cycles.
const MAX_CYCLES: u64 = 4_000_000;

/// A program parsed and checked by the front end for a setup.
pub struct Subject<'a> {
    setup: &'a Setup,
    unit: Unit,
    launch: Launch,
}

/// A mutation of the compiled program, for mutation tests.
pub(crate) type Change<'a> = &'a mut dyn FnMut(Stage, &mut Module);

/// The stage at which a mutation applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// The function as built from the checked program.
    Built,
    /// The function before lowering.
    Optimized,
}

impl<'a> Subject<'a> {
    /// Parses and checks a program.
    ///
    /// # Errors
    /// Returns a failure if the front end panics or rejects the program.
    pub fn new(source: &str, shape: &Shape, setup: &'a Setup) -> Result<Self, Failure> {
        let parsed = guarded(|| parse_with(source, setup.arch, &setup.options))?;
        let compiles = parsed
            .kernels
            .iter()
            .any(|kernel| kernel.name == KERNEL && kernel.compiles);
        let error = parsed
            .diagnostics
            .iter()
            .find(|diagnostic| diagnostic.severity == Severity::Error);
        match (parsed.unit, error) {
            (Some(unit), None) if compiles => Ok(Self {
                setup,
                unit,
                launch: launch(shape),
            }),
            (_, error) => {
                let message = error.map_or("no kernel", |error| &error.message);
                Err(Failure::Refused(message.to_owned()))
            }
        }
    }

    /// Returns the outputs by the rules of the language.
    ///
    /// # Errors
    /// Returns the undefined behavior, or the reason why the program does not finish.
    pub fn interpreted(&self, finds_races: bool) -> Result<Outputs, String> {
        let limits = Limits {
            finds_signed_overflow: true,
            finds_races,
            ..Limits::default()
        };
        let outcome = guarded(|| interpret::run(&self.unit, KERNEL, &self.launch, limits))
            .map_err(|failure| format!("{failure:?}"))?
            .map_err(|error| error.to_string())?;
        if let Some(undefined) = outcome.undefined.first() {
            return Err(format!("{:?} at line {}", undefined.kind, undefined.span.line));
        }
        if outcome.approximate || outcome.reads_clock {
            return Err("the program's outputs are not deterministic".to_owned());
        }
        let argument = |wanted| {
            let found = outcome.compared().find(|(argument, _)| *argument == wanted);
            found.map_or_else(Vec::new, |(_, bytes)| bytes.to_vec())
        };
        Ok(Outputs {
            stores: argument(STORES),
            atomics: argument(ATOMICS),
        })
    }

    /// Compiles and simulates the program and compares its outputs with the expected ones, if known. Returns `None` if
    /// all outputs are equal.
    pub fn check(&self, expected: Option<&Outputs>) -> Option<Failure> {
        self.check_changed(expected, MAX_CYCLES, &mut |_, _| {})
    }

    pub(crate) fn check_changed(
        &self,
        expected: Option<&Outputs>,
        max_cycles: u64,
        change: Change<'_>,
    ) -> Option<Failure> {
        let runs = self
            .code(change)
            .and_then(|code| guarded(|| self.simulated(&code, max_cycles))?);
        let runs = match runs {
            Ok(runs) => runs,
            Err(failure) => return Some(failure),
        };
        let is_wrong = |found: &Outputs| expected.is_some_and(|expected| found != expected);
        let machine = is_wrong(&runs.machine);
        let reference = match runs.reference {
            Ok(found) => is_wrong(&found),
            Err(_) if machine => true,
            Err(error) => return Some(Failure::Fault(format!("reference: {error}"))),
        };
        (machine || reference).then_some(Failure::Wrong { machine, reference })
    }

    /// Compiles like [`cuda::compile`], with mutations.
    fn code(&self, change: Change<'_>) -> Result<Code, Failure> {
        let Setup { arch, options } = self.setup;
        let mut lowered = |merging| -> Result<Code, String> {
            let first = |message: Option<String>| message.unwrap_or_default();
            let mut module = build::lower_to_ir(&self.unit, KERNEL, *arch, options)
                .map_err(|errors| first(errors.first().map(|error| error.message.clone())))?;
            change(Stage::Built, &mut module);
            opt::optimize(&mut module, merging);
            change(Stage::Optimized, &mut module);
            lower::lower(&module, *arch, options)
                .map_err(|errors| first(errors.first().map(|error| error.message.clone())))
        };
        let code = guarded(|| lowered(Merging::Wide).or_else(|_| lowered(Merging::Never)))?;
        code.map_err(Failure::Refused)
    }

    fn simulated(&self, code: &Code, max_cycles: u64) -> Result<Runs, Failure> {
        let options = MachineOptions {
            max_cycles,
            ..MachineOptions::default()
        };
        let mut machine = Machine::new(architecture(self.setup.arch), code, &self.launch, options)
            .map_err(|error| Failure::Fault(format!("launch: {error}")))?;
        match machine.run(&mut ()) {
            Outcome::Finished => {}
            Outcome::CycleBudget | Outcome::MemoryBudget => return Err(Failure::Timeout),
            Outcome::Fault(fault) => return Err(Failure::Fault(format!("{:?}", fault.kind))),
            Outcome::Deadlock { reason, .. } => return Err(Failure::Fault(reason.clone())),
        }
        let outputs = |outputs: &engine::sim::memory::Outputs| {
            let argument = |idx| outputs.argument(idx).unwrap_or_default();
            Outputs {
                stores: argument(STORES),
                atomics: argument(ATOMICS),
            }
        };
        Ok(Runs {
            machine: outputs(&machine.outputs()),
            reference: reference::run(code, &self.launch)
                .map(|found| outputs(&found))
                .map_err(|error| error.to_string()),
        })
    }
}

/// The outputs of both simulators.
struct Runs {
    machine: Outputs,
    reference: Result<Outputs, String>,
}

/// Compares a program with the oracle's outputs, if known. Returns `None` if all outputs are equal.
pub fn check(program: &Program, expected: Option<&Outputs>, setup: &Setup) -> Option<Failure> {
    check_source(&program.source(), &program.shape, expected, setup)
}

/// Compares a program given as source text.
pub fn check_source(
    source: &str,
    shape: &Shape,
    expected: Option<&Outputs>,
    setup: &Setup,
) -> Option<Failure> {
    match Subject::new(source, shape, setup) {
        Ok(subject) => subject.check(expected),
        Err(failure) => Some(failure),
    }
}

/// Returns the launch of a program.
fn launch(shape: &Shape) -> Launch {
    let fill = |values: Vec<f64>| Fill::of(Pattern::List(values));
    let scalar = |ty, value: u32| Argument::Scalar {
        ty,
        bits: u64::from(value),
    };
    Launch {
        grid: [shape.blocks, 1, 1],
        block: [shape.threads, 1, 1],
        dynamic_shared: 0,
        args: vec![
            Argument::Buffer {
                elem: ElemType::U32,
                len: shape.num_outputs(),
                fill: fill(Vec::new()),
                role: Role::Out,
                start: 0,
            },
            Argument::Buffer {
                elem: ElemType::I32,
                len: NUM_INPUTS as u32,
                fill: fill(shape.input.iter().copied().map(f64::from).collect()),
                role: Role::In,
                start: 0,
            },
            Argument::Buffer {
                elem: ElemType::U32,
                len: NUM_ATOMIC as u32,
                fill: fill(Program::atomic_input().iter().copied().map(f64::from).collect()),
                role: Role::InOut,
                start: 0,
            },
            scalar(ElemType::I32, shape.n as u32),
            scalar(ElemType::U32, shape.m),
        ],
        symbols: Vec::new(),
    }
}

thread_local! {
    static LAST_PANIC: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Silences panic messages, because failures report panics.
pub fn silence_panics() {
    std::panic::set_hook(Box::new(|info| {
        let place = info
            .location()
            .map_or_else(String::new, |at| format!("{}:{}", at.file(), at.line()));
        let message = info.payload_as_str().unwrap_or("");
        LAST_PANIC.with(|last| *last.borrow_mut() = format!("{place}: {message}"));
    }));
}

/// Returns the result of a function.
///
/// # Errors
/// Returns [`Failure::Panicked`] if the function panics.
pub fn guarded<T>(run: impl FnOnce() -> T) -> Result<T, Failure> {
    catch_unwind(AssertUnwindSafe(run)).map_err(|_| {
        let text = LAST_PANIC.with(|last| last.borrow().clone());
        Failure::Panicked(without_numbers_of_values(&text))
    })
}

/// Returns the location of a panic and the first words of its message, which stay equal as a program shrinks.
fn without_numbers_of_values(text: &str) -> String {
    let (place, message) = text.split_once(": ").unwrap_or((text, ""));
    format!("{place}: {}", without_numbers(message))
}
