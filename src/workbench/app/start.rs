//! From a scenario to a program, and from a program to a run.

use std::sync::Arc;

use super::arguments::{fit, made_up};
use super::{Fix, Problem};
use crate::check;
use crate::scene::thousands;
use crate::share::Scenario;
use cuda::{self, diagnostic::Diagnostic, diagnostic::Severity};
use engine::arch::architecture;
use engine::isa::Program;
use engine::launch::Launch;
use engine::trace::{Simulation, Trace, TraceOptions};

/// What the compiler made of a scenario's text.
#[derive(Debug, Default)]
pub(super) struct Compiled {
    pub(super) program: Option<Arc<Program>>,
    pub(super) problems: Vec<Problem>,
    /// Names of the kernels, where there is more than one.
    pub(super) entries: Vec<String>,
}

/// A text has at most this many bytes: more does not go into a link.
pub(super) const MAX_BYTES: usize = 256 * 1024;

/// Compiles a scenario's kernel.
pub(super) fn compile(scenario: &Scenario) -> Compiled {
    let source = scenario.source();
    if let Some(refused) = refused_text(source) {
        return refused;
    }
    // The names are asked for only where there may be two, as it takes a second look at the text.
    let entries = if source.matches("__global__").count() > 1 || source.contains("template") {
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

/// The compiled kernel of a scenario.
///
/// # Errors
/// The first error, as a sentence.
pub(super) fn compiled_program(scenario: &Scenario) -> Result<Arc<Program>, String> {
    let compiled = compile(scenario);
    compiled.program.ok_or_else(|| {
        let problem = compiled.problems.into_iter().find(|problem| problem.fatal);
        problem.map_or_else(String::new, |problem| problem.message)
    })
}

/// The answer to a text that is not worth a compilation: an empty or a huge one.
pub(super) fn refused_text(source: &str) -> Option<Compiled> {
    if source.len() > MAX_BYTES {
        return Some(refused(format!(
            "The text has {} KB, but a link holds at most {} KB. Shorten the text.",
            thousands(source.len().div_ceil(1024) as u64),
            MAX_BYTES / 1024
        )));
    }
    (source.trim().is_empty())
        .then(|| refused("The text is empty. Write a kernel, or choose one from the library.".to_owned()))
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

/// The launch with which a program of a scenario runs: arguments that do not fit it are made up, and
/// a sentence says so.
pub(super) fn prepare(scenario: &Scenario, program: &Program) -> (Launch, Option<String>) {
    let launch = scenario.launch();
    if fit(program, &launch) {
        return (launch, None);
    }
    let (launch, sentence) = made_up(program, &launch, scenario.args.is_some());
    (launch, Some(sentence))
}

/// The trace of a run of which nothing is simulated yet, or why there can be none.
pub(super) struct Opened {
    pub(super) trace: Result<Trace, String>,
    /// What was done that the user did not ask for.
    pub(super) note: Option<String>,
}

/// Opens the trace of a run of a program.
pub(super) fn open(scenario: &Scenario, program: &Arc<Program>) -> Opened {
    let (launch, note) = prepare(scenario, program);
    let arch = architecture(scenario.arch);
    match Trace::open(arch, Arc::clone(program), &launch, scenario.machine) {
        Ok(trace) => Opened {
            trace: Ok(trace),
            note,
        },
        Err(error) => Opened {
            trace: Err(check::refusal_sentences(&error)),
            note: None,
        },
    }
}

/// The simulation of an opened run, for who simulates it here.
pub(super) fn simulation(trace: &Trace) -> Option<Simulation> {
    let program = Arc::clone(trace.program());
    // What could be opened can be started.
    Simulation::new(
        trace.arch(),
        program,
        trace.launch(),
        *trace.options(),
        TraceOptions::default(),
    )
    .ok()
}
