//! From a scenario to a program, and from a program to a run.

use std::sync::Arc;

use super::arguments::{fit, made_up};
use super::{Fix, Problem};
use crate::arch::{Occupancy, architecture};
use crate::cuda::{self, diagnostic::Diagnostic, diagnostic::Severity};
use crate::isa::Program;
use crate::launch::Launch;
use crate::scene::{capital, thousands};
use crate::share::Scenario;
use crate::trace::{Simulation, TraceOptions};

/// What the compiler made of a scenario's text.
pub(super) struct Compiled {
    pub(super) program: Option<Arc<Program>>,
    pub(super) problems: Vec<Problem>,
    /// Names of the kernels, where there is more than one.
    pub(super) entries: Vec<String>,
}

/// A text has at most this many bytes: more does not go into a link.
const MAX_BYTES: usize = 256 * 1024;

/// Compiles a scenario's kernel.
pub(super) fn compile(scenario: &Scenario) -> Compiled {
    let source = scenario.source();
    if source.len() > MAX_BYTES {
        return refused(format!(
            "The text has {} KB, but {} KB at most go into a link. Shorten it.",
            thousands(source.len().div_ceil(1024) as u64),
            MAX_BYTES / 1024
        ));
    }
    if source.trim().is_empty() {
        return refused("The text is empty. Write a kernel, or take one from the library.".to_owned());
    }
    // The names are asked for only where there may be two, as it takes a second look at the text.
    let entries = if source.matches("__global__").count() > 1 {
        let parsed = cuda::parse_with(source, scenario.arch, &scenario.compile);
        let names: Vec<String> = parsed.kernels.into_iter().map(|kernel| kernel.name).collect();
        if names.len() > 1 { names } else { Vec::new() }
    } else {
        Vec::new()
    };
    match cuda::compile(source, scenario.entry(), scenario.arch, &scenario.compile) {
        Ok(compiled) => Compiled {
            program: Some(Arc::new(compiled.program)),
            // What is wrong with kernels that do not run does not keep this one from running.
            problems: compiled
                .diagnostics
                .iter()
                .map(|diagnostic| problem(diagnostic, source, false))
                .collect(),
            entries,
        },
        Err(diagnostics) => {
            let fatal = |diagnostic: &Diagnostic| diagnostic.severity == Severity::Error;
            let mut problems: Vec<Problem> = diagnostics
                .iter()
                .map(|diagnostic| problem(diagnostic, source, fatal(diagnostic)))
                .collect();
            if !problems.iter().any(|problem| problem.fatal) {
                problems.push(Problem {
                    span: None,
                    message: "The kernel does not compile.".to_owned(),
                    fatal: true,
                    fix: None,
                });
            }
            Compiled {
                program: None,
                problems,
                entries,
            }
        }
    }
}

/// No program, and the sentence why.
fn refused(message: String) -> Compiled {
    Compiled {
        program: None,
        problems: vec![Problem {
            span: None,
            message,
            fatal: true,
            fix: None,
        }],
        entries: Vec::new(),
    }
}

fn problem(diagnostic: &Diagnostic, source: &str, fatal: bool) -> Problem {
    let mut message = diagnostic.message.clone();
    if !message.ends_with(['.', '?', '!']) {
        message.push('.');
    }
    let span = diagnostic.span;
    let was = source.get(span.start as usize..span.end as usize);
    let fix = diagnostic.fix.clone().zip(was).map(|(text, was)| Fix {
        was: was.to_owned(),
        text,
    });
    Problem {
        span: (span.line > 0).then_some(span),
        message,
        fatal,
        fix,
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
    let (launch, note) = if fit(program, &launch) {
        (launch, None)
    } else {
        let (launch, sentence) = made_up(program, &launch, scenario.args.is_some());
        (launch, Some(sentence))
    };
    let begun = begin(&launch);
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
