//! From a scenario to a program, and from a program to a run.

use std::sync::Arc;

use super::arguments::{fit, made_up};
use super::{Fix, Problem};
use crate::check;
use crate::scene::thousands;
use crate::share::Scenario;
use crate::share::decode;
use cuda::{self, diagnostic::Diagnostic, diagnostic::Severity};
use engine::arch::architecture;
use engine::isa::Program;
use engine::launch::Launch;
use engine::trace::{Simulation, Trace, TraceOptions};

/// The result of a compilation.
#[derive(Debug, Default)]
pub(super) struct Compiled {
    pub(super) program: Option<Arc<Program>>,
    pub(super) problems: Vec<Problem>,
    /// Names of the kernels, if there is more than one.
    pub(super) entries: Vec<String>,
}

/// Size limit of a source text in bytes, because a link cannot hold more.
pub(crate) use crate::share::MAX_SOURCE_BYTES as MAX_BYTES;

/// Compiles a scenario's kernel.
pub(super) fn compile(scenario: &Scenario) -> Compiled {
    let source = scenario.source();
    if let Some(refused) = refused_text(source) {
        return refused;
    }
    // The names are read only if there may be several, because this parses the text again.
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
            // Errors in other kernels do not keep this kernel from running.
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

/// The answer for a text that is not compiled: an empty or an oversized one.
pub(super) fn refused_text(source: &str) -> Option<Compiled> {
    if source.len() > MAX_BYTES {
        return Some(refused(format!(
            "The source has {} KB, but a link holds at most {} KB. Shorten the source: until then it stays in this tab alone.",
            thousands(source.len().div_ceil(1024) as u64),
            MAX_BYTES / 1024
        )));
    }
    (source.trim().is_empty())
        .then(|| refused("The source is empty. Write a kernel, or choose one from the library.".to_owned()))
}

/// A result without a program, with the reason.
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

/// The launch of a program in a scenario: arguments that do not match are generated, and a sentence reports
/// them.
pub(super) fn prepare(scenario: &Scenario, program: &Program) -> (Launch, Option<String>) {
    let launch = scenario.launch();
    if fit(program, &launch) {
        return (launch, None);
    }
    let (launch, sentence) = made_up(program, &launch, scenario.args.is_some());
    (launch, Some(sentence))
}

/// A link's scenario with its compiled kernel and its launch.
///
/// # Errors
/// A sentence, if the kernel does not compile.
pub(super) fn loaded(link: &str) -> Result<(Scenario, Arc<Program>, Launch), String> {
    let scenario = decode(link).scenario;
    let program = compiled_program(&scenario)?;
    let (launch, _) = prepare(&scenario, &program);
    Ok((scenario, program, launch))
}

/// The empty trace of a run, or why the run cannot start.
pub(super) struct Opened {
    pub(super) trace: Result<Trace, String>,
    /// Changes that the user did not request, as a sentence.
    pub(super) note: Option<String>,
}

/// Opens the trace of a run of a program.
pub(super) fn open(scenario: &Scenario, program: &Arc<Program>) -> Opened {
    let (launch, note) = prepare(scenario, program);
    let arch = architecture(scenario.arch);
    let num_sms = arch.chip.num_sms.value;
    let missing = scenario.machine.sm.filter(|sm| *sm >= num_sms);
    let note = note.or_else(|| {
        missing.map(|sm| {
            let last = num_sms - 1;
            format!(
                "{} has no SM {sm}: the views show SM {last}, the last one.",
                arch.name
            )
        })
    });
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

/// The simulation of an opened run on this thread.
pub(super) fn simulation(trace: &Trace) -> Option<Simulation> {
    let program = Arc::clone(trace.program());
    // A run that opened can start.
    Simulation::new(
        trace.arch(),
        program,
        trace.launch(),
        *trace.options(),
        TraceOptions::default(),
    )
    .ok()
}
