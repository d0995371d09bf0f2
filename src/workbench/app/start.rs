//! From a scenario to a program, and from a program to a run.

use std::sync::Arc;

use super::arguments::{fit, made_up};
use super::{Fix, Problem, first};
use crate::check;
use crate::scene::{capital, thousands};
use crate::share::{self, Scenario};
use cuda::{self, diagnostic::Diagnostic, diagnostic::Severity};
use engine::arch::architecture;
use engine::isa::Program;
use engine::launch::Launch;
use engine::trace::{Simulation, Trace, TraceOptions};

/// What the compiler made of a scenario's text.
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
    if let Some(program) = first::program(scenario) {
        return Compiled {
            program: Some(Arc::new(program)),
            problems: Vec::new(),
            entries: Vec::new(),
        };
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

/// A part of what opening a link does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rehearsal {
    /// What every kernel can call is read, a file at a time.
    Library(usize),
    /// Its text is read.
    Parse,
    /// It is compiled but for the last part.
    Build,
    /// It is compiled.
    Compile,
}

impl Rehearsal {
    /// All of them, in order.
    pub fn all() -> impl Iterator<Item = Self> {
        let files = (0..cuda::NUM_LIBRARY_FILES).map(Self::Library);
        files.chain([Self::Parse, Self::Build, Self::Compile])
    }
}

/// Does a part of what opening a link does, and lets the result go. Browsers compile code when it first
/// runs: opening after this is done in no time, and neither takes as long as both at once.
pub fn rehearse(link: &str, part: Rehearsal) {
    let scenario = share::decode(link).scenario;
    let source = scenario.source();
    // What is ready made asks nothing of the compiler.
    if source.len() > MAX_BYTES || first::program(&scenario).is_some() {
        return;
    }
    match part {
        Rehearsal::Library(file) => cuda::read_library(file),
        Rehearsal::Build => cuda::build_first(source, scenario.arch, &scenario.compile),
        Rehearsal::Parse => drop(cuda::parse_with(source, scenario.arch, &scenario.compile)),
        Rehearsal::Compile => drop(compile(&scenario)),
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
            trace: Err(refusal_text(&check::refusal(&error, program))),
            note: None,
        },
    }
}

/// Why a launch is refused, and what to do.
fn refusal_text(refusal: &Diagnostic) -> String {
    let mut text = format!("{}.", capital(refusal.message.trim_end_matches('.')));
    for (_, note) in &refusal.notes {
        text += " ";
        text += note;
    }
    text
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
