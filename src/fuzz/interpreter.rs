//! The interpreter of the checked program as an oracle: it shares nothing with what is checked but the front
//! end, and needs no other compiler.

use warpscope_cuda::cuda::diagnostic::Severity;
use warpscope_cuda::cuda::interpret::{Limits, Outcome, run};
use warpscope_cuda::cuda::parse_with;
use warpscope_engine::arch::ArchId;

use super::check::{Setup, guarded, launch};
use super::cxx::{Oracle, Outputs};
use super::tree::{Program, Shape};

/// The interpreter.
#[derive(Clone, Copy, Debug, Default)]
pub struct Interpreter {
    /// Whether it looks for races too, which takes longer.
    pub finds_races: bool,
    /// The only architecture for which programs are parsed; else the first of those that the seed draws.
    pub arch: Option<ArchId>,
}

impl Interpreter {
    /// What a program leaves in memory.
    ///
    /// # Errors
    /// What of it is not defined, or why it does not end.
    pub fn run(self, program: &Program, setup: &Setup) -> Result<Outputs, String> {
        self.run_source(&program.source(), program.shape(), setup)
    }

    /// What a program that is given as text leaves in memory.
    ///
    /// # Errors
    /// What of it is not defined, or why it does not end.
    pub fn run_source(self, source: &str, shape: &Shape, setup: &Setup) -> Result<Outputs, String> {
        let found = guarded(|| {
            let parsed = parse_with(source, setup.arch, &setup.options);
            let Some(unit) = &parsed.unit else {
                let error = parsed
                    .diagnostics
                    .iter()
                    .find(|diagnostic| diagnostic.severity == Severity::Error);
                return Err(error.map_or_else(String::new, |error| format!("refused: {}", error.message)));
            };
            let limits = Limits {
                finds_signed_overflow: true,
                finds_races: self.finds_races,
                ..Limits::default()
            };
            let outcome = run(unit, "k", &launch(shape), limits).map_err(|error| error.to_string())?;
            outputs(&outcome)
        });
        found.unwrap_or_else(|failure| Err(format!("{failure:?}")))
    }
}

fn outputs(outcome: &Outcome) -> Result<Outputs, String> {
    if let Some(undefined) = outcome.undefined.first() {
        return Err(format!("{:?} at line {}", undefined.kind, undefined.span.line));
    }
    if outcome.approximate || outcome.reads_clock {
        return Err("its outputs are not determined".to_owned());
    }
    let argument = |wanted| {
        let found = outcome.compared().find(|(argument, _)| *argument == wanted);
        found.map_or_else(Vec::new, |(_, bytes)| bytes.to_vec())
    };
    Ok(Outputs {
        stores: argument(0),
        atomics: argument(2),
    })
}

impl Oracle for Interpreter {
    fn outputs(&mut self, programs: &[Program]) -> Vec<Result<Outputs, String>> {
        let run = |program: &Program| {
            let setups = Setup::some_of(program, self.arch, 1);
            let setup = setups.first().ok_or("the architecture lacks something")?;
            self.run(program, setup)
        };
        programs.iter().map(run).collect()
    }
}
