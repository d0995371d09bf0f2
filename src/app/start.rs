//! From a scenario to a program, and from a program to a run.

use std::sync::Arc;

use super::Problem;
use super::arguments::made_up;
use crate::arch::{Occupancy, architecture};
use crate::cuda::{self, diagnostic::Diagnostic, diagnostic::Severity};
use crate::isa::Program;
use crate::launch::Launch;
use crate::scene::capital;
use crate::share::Scenario;
use crate::sim::machine::LaunchError;
use crate::trace::{Simulation, TraceOptions};

/// What the compiler made of a scenario's text.
pub(super) struct Compiled {
    pub(super) program: Option<Arc<Program>>,
    pub(super) problems: Vec<Problem>,
}

/// Compiles a scenario's kernel.
pub(super) fn compile(scenario: &Scenario) -> Compiled {
    match cuda::compile(
        scenario.source(),
        scenario.entry(),
        scenario.arch,
        &scenario.compile,
    ) {
        Ok(compiled) => Compiled {
            program: Some(Arc::new(compiled.program)),
            // What is wrong with kernels that do not run does not keep this one from running.
            problems: compiled
                .diagnostics
                .iter()
                .map(|diagnostic| problem(diagnostic, false))
                .collect(),
        },
        Err(diagnostics) => {
            let fatal = |diagnostic: &Diagnostic| diagnostic.severity == Severity::Error;
            let mut problems: Vec<Problem> = diagnostics
                .iter()
                .map(|diagnostic| problem(diagnostic, fatal(diagnostic)))
                .collect();
            if !problems.iter().any(|problem| problem.fatal) {
                problems.push(Problem {
                    span: None,
                    message: "The kernel does not compile.".to_owned(),
                    fatal: true,
                });
            }
            Compiled {
                program: None,
                problems,
            }
        }
    }
}

fn problem(diagnostic: &Diagnostic, fatal: bool) -> Problem {
    let mut message = diagnostic.message.clone();
    if !message.ends_with(['.', '?', '!']) {
        message.push('.');
    }
    if let Some(fix) = &diagnostic.fix {
        message.push_str(&format!(" Perhaps `{fix}`?"));
    }
    Problem {
        span: (diagnostic.span.line > 0).then_some(diagnostic.span),
        message,
        fatal,
    }
}

/// A run at its first cycle, or why there is none.
pub(super) struct Started {
    pub(super) simulation: Option<Simulation>,
    pub(super) occupancy: Option<Occupancy>,
    pub(super) refusal: Option<String>,
    /// What was done that the user did not ask for.
    pub(super) note: Option<String>,
}

/// Starts a run of a program.
pub(super) fn start(scenario: &Scenario, program: &Arc<Program>) -> Started {
    let launch = scenario.launch();
    let arch = architecture(scenario.arch);
    let limits = TraceOptions::default();
    let begin =
        |launch: &Launch| Simulation::new(arch, Arc::clone(program), launch, scenario.machine, limits);
    let mut note = None;
    let begun = match begin(&launch) {
        Err(LaunchError::Setup(_)) if scenario.args.is_none() && scenario.source.is_some() => {
            let (args, sentence) = made_up(program, &launch);
            note = Some(sentence);
            begin(&Launch { args, ..launch })
        }
        begun => begun,
    };
    match begun {
        Ok(simulation) => Started {
            note,
            occupancy: Some(*simulation.machine().occupancy()),
            simulation: Some(simulation),
            refusal: None,
        },
        Err(error) => Started {
            note: None,
            simulation: None,
            occupancy: None,
            refusal: Some(format!("{}.", capital(&error.to_string()).trim_end_matches('.'))),
        },
    }
}
