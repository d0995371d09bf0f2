//! Refused launches as diagnostics: the source location that exceeds a limit, and how to fix it.

use cuda::diagnostic::Diagnostic;
use cuda::hir::{GlobalSpace, Storage, Unit};
use engine::arch::{LaunchRefusal, LimitedResource};
use engine::ids::Span;
use engine::isa::Program;
use engine::sim::machine::LaunchError;

/// Explains why a launch is refused, at the kernel or at its largest shared array, with advice.
pub fn refusal(error: &LaunchError, program: &Program) -> Diagnostic {
    let kernel = cuda::parse_kernel(&program.source, &program.name, program.arch, &program.options);
    let mut span = Span::default();
    if let Some((unit, name)) = &kernel {
        let function = unit.functions.iter().find(|function| function.name == *name);
        span = function.map_or(span, |function| function.span);
        if is_of_shared(error) {
            span = largest_shared(unit).unwrap_or(span);
        }
    }
    let diagnostic = Diagnostic::error(span, refusal_reason(error));
    match advice(error) {
        Some(advice) => diagnostic.note(advice),
        None => diagnostic,
    }
}

/// Why a launch is refused and what to do, as sentences.
pub fn refusal_sentences(error: &LaunchError) -> String {
    let mut text = format!("{}.", refusal_reason(error).trim_end_matches('.'));
    if let Some(advice) = advice(error) {
        text += " ";
        text += &advice;
    }
    text
}

fn refusal_reason(error: &LaunchError) -> String {
    format!("The launch is refused: {error}")
}

fn is_of_shared(error: &LaunchError) -> bool {
    let LaunchError::Refused(LaunchRefusal::TooMuch { what, .. }) = error else {
        return false;
    };
    matches!(what, LimitedResource::StaticShared | LimitedResource::Shared)
}

/// The declaration of the largest shared array.
fn largest_shared(unit: &Unit) -> Option<Span> {
    let shared = unit
        .globals
        .iter()
        .filter(|global| global.space == GlobalSpace::Shared);
    let locals = unit.functions.iter().flat_map(|function| &function.locals);
    let locals = locals.filter(|local| local.storage == Storage::Shared);
    let all = shared
        .map(|global| (unit.size_of(&global.ty), global.span))
        .chain(locals.map(|local| (unit.size_of(&local.ty), local.span)));
    let (bytes, span) = all.max_by_key(|(bytes, _)| *bytes)?;
    (bytes > 0).then_some(span)
}

/// The advice: one sentence.
fn advice(error: &LaunchError) -> Option<String> {
    let LaunchError::Refused(refusal) = error else {
        return None;
    };
    Some(match refusal {
        LaunchRefusal::Empty { what, axis } => format!("Set the {what}'s {axis} extent to at least 1."),
        LaunchRefusal::TooLarge {
            what, axis, limit, ..
        } => {
            format!("Launch at most {limit} {what}s in {axis}; use another dimension or a loop for the rest.")
        }
        LaunchRefusal::LaunchBounds { limit, requested } => {
            format!(
                "Launch blocks of at most {limit} threads, or declare the kernel with __launch_bounds__({requested})."
            )
        }
        LaunchRefusal::TooMuch { what, limit, .. } => match what {
            LimitedResource::Threads => format!("Launch more blocks, of at most {limit} threads each."),
            LimitedResource::StaticShared => format!(
                "Declare smaller arrays, at most {limit} bytes in total, or use an extern __shared__ array: its size \
                 is the third launch parameter."
            ),
            LimitedResource::Shared => {
                format!("Use at most {limit} bytes of shared memory, static and dynamic combined.")
            }
            LimitedResource::RegistersPerThread | LimitedResource::RegistersPerBlock => {
                "Launch smaller blocks, or limit the registers with __launch_bounds__ or -maxrregcount."
                    .to_owned()
            }
            LimitedResource::Parameters => "Pass large structs through a pointer.".to_owned(),
            LimitedResource::Local => "Declare smaller arrays in the kernel.".to_owned(),
        },
    })
}
